"""A module of anybody, opened: its archive, its components, its pieces and its set-ups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from toolchain.catalogue import BUILD_FILE_UNREADABLE
from toolchain.report import Location, Report
from toolchain.sources.vassal.archive import Archive, read_archive
from toolchain.sources.vassal.buildfile import BUILD_LIMIT, BuildFile, Component, read_build_file
from toolchain.sources.vassal.codec import decode, unnest, unnest_states
from toolchain.sources.vassal.forms import Part, read_part

BUILD_FILES = ("buildFile.xml", "buildFile")
SLOTS = ("PieceSlot", "CardSlot")
DATA = ("moduledata", "extensiondata")
DATA_LIMIT = 4 * 1024 * 1024
NESTED = 4  # pieces in the text of pieces


@dataclass(frozen=True, slots=True, eq=False)
class Slot:
    """A piece of the palette, of a deck or of an at-start stack, or what a prototype stands for.

    parts: its traits, outermost first; fault: why they cannot be taken apart, else empty. within: names of the
    components around it, outermost first. inner: pieces that its traits place or become.
    """

    component: Component
    within: tuple[str, ...]
    parts: tuple[Part, ...]
    fault: str = ""
    inner: tuple[Slot, ...] = ()

    @property
    def name(self) -> str:
        """What makers call it: the name of its innermost trait, or of its component."""
        return next((n for n in (self.basic_name, self.component.name) if n), "")

    @property
    def basic_name(self) -> str:
        """The name that the piece itself has."""
        fields = self.parts[-1].fields if self.parts else ()
        return fields[3] if self.parts and self.parts[-1].name == "piece" and len(fields) > 3 else ""

    @property
    def gpid(self) -> str:
        """The piece id: that of the slot goes before that of the piece."""
        return self.component.get("gpid")


@dataclass(frozen=True)
class Module:
    """An opened module or extension. build_file: which entry its components stand in. data: texts of its moduledata."""

    archive: Archive
    build_file: str
    build: BuildFile
    data: Mapping[str, str] = field(default_factory=dict)

    @property
    def shown(self) -> str:
        """The name of the file, as messages show it."""
        return self.archive.shown

    @property
    def root(self) -> Component:
        """The outermost component."""
        return self.build.root

    def where(self, component: Component | None = None, element: str = "") -> Location:
        """Return the place of a component in the build file."""
        file = f"{self.shown}/{self.build_file}"
        return Location(file=file, line=component.line if component else 0, element=element)

    @cached_property
    def within(self) -> dict[Component, Component]:
        """The component around each one."""
        return {inner: c for c in self.root.walk() for inner in c.parts}

    def around(self, component: Component, *kinds: str) -> Component | None:
        """Return the nearest component of these kinds around one."""
        here = self.within.get(component)
        while here is not None and here.kind not in kinds:
            here = self.within.get(here)
        return here

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """All pieces, in the order of the build file."""
        return tuple(self._slot(c) for c in self.root.all(*SLOTS))

    @cached_property
    def prototypes(self) -> tuple[Slot, ...]:
        """What prototypes stand for, in the order of the build file."""
        return tuple(self._slot(c) for c in self.root.all("PrototypeDefinition"))

    @property
    def pieces(self) -> Iterator[Slot]:
        """Yield all pieces and prototypes, and those within them."""
        todo = [*self.slots, *self.prototypes]
        for slot in todo:
            yield slot
            todo.extend(slot.inner)

    @cached_property
    def maps(self) -> tuple[Component, ...]:
        """The map windows: maps, private maps, hands."""
        return tuple(c for c in self.root.walk() if c.kind in ("Map", "PrivateMap", "PlayerHand", "WidgetMap"))

    def images(self) -> Iterator[str]:
        """Yield the names of the pictures in the archive, without their folder."""
        yield from (n.removeprefix("images/") for n in self.archive if n.startswith("images/"))

    def _slot(self, component: Component) -> Slot:
        names = []
        here = self.within.get(component)
        while here is not None and here is not self.root:
            if here.name:
                names.append(here.name)
            here = self.within.get(here)
        return _read_slot(component, tuple(reversed(names)), component.text.strip(), NESTED)


def _read_slot(component: Component, within: tuple[str, ...], text: str, depth: int) -> Slot:
    try:
        words = decode("/", text)
        if len(words) != 4 or words[0] != "+":
            raise ValueError("it is no piece" if text else "it holds no piece")
        definitions = unnest(words[2])
        states = unnest_states(words[3], len(definitions))
    except ValueError as error:
        return Slot(component, within, (), str(error))
    parts = tuple(read_part(d, s, i) for i, (d, s) in enumerate(zip(definitions, states, strict=True)))
    inner = []
    for part in parts if depth else ():
        for piece in part.of("piece"):
            if piece.startswith("+/"):
                inner.append(_read_slot(component, within, piece, depth - 1))
    return Slot(component, within, parts, "", tuple(inner))


def read_module(source: Path | bytes, shown: str, report: Report) -> Module | None:
    """Open a module or an extension; one that cannot be opened is a finding and gives None."""
    archive = read_archive(source, shown, report)
    if archive is None:
        return None
    data = _read_data(archive, report)
    name = next((n for n in BUILD_FILES if n in archive), "")
    if not name:
        text = "it holds no buildFile.xml" + ("; it is a saved game" if "savedGame" in archive else "")
        report.add(BUILD_FILE_UNREADABLE, Location(file=shown), text)
        return None
    content = archive.read(name, report, BUILD_LIMIT)
    if content is None:
        return None
    try:
        return Module(archive, name, read_build_file(content), data)
    except ValueError as error:
        report.add(BUILD_FILE_UNREADABLE, Location(file=f"{shown}/{name}"), str(error))
        return None


def _read_data(archive: Archive, report: Report) -> dict[str, str]:
    name = next((n for n in DATA if n in archive), "")
    content = archive.read(name, report, DATA_LIMIT) if name else None
    if content is None:
        return {}
    try:
        root = read_build_file(content).root
    except ValueError as error:
        report.add(BUILD_FILE_UNREADABLE, Location(file=f"{archive.shown}/{name}"), str(error))
        return {}
    # Translations of a text follow the text itself.
    out: dict[str, str] = {}
    for part in root.parts:
        out.setdefault(part.tag, part.text.strip())
    return out
