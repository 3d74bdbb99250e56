"""What map.toml states of sheets: their shape, how a drawing lies on one, and how several are laid together.

A map of several sheets has a table [[sheet]] for each. What a sheet states goes before what the file states for all of
them, so that each becomes a map of one sheet by itself; [[arrangement]] then says how they lie beside one another.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import Field, FiniteFloat, PositiveFloat, model_validator

from toolchain.catalogue import REPEATED, UNKNOWN_NAME, WRONG_VALUE
from toolchain.report import Finding, Location, Report, did_you_mean
from toolchain.sources.decode import Raw, decode
from toolchain.sources.decode.overlays import RiverData, SideData

Name = Annotated[str, Field(min_length=1, max_length=100)]
Millimetres = Annotated[float, Field(allow_inf_nan=False, ge=-1e5, le=1e5)]
Pair = tuple[Millimetres, Millimetres]

MOST_SHEETS = 100


class SheetData(Raw):
    """The printed map piece: its trimmed size in millimetres.

    shape: a rectangle, or a regular hexagon, which touches the middles of two opposite sides of its page, and two
    corners those of the others.
    """

    name: Name = "main"
    title: str = ""
    width: PositiveFloat = Field(le=5000)
    height: PositiveFloat = Field(le=5000)
    shape: Literal["rectangle", "hexagon"] = "rectangle"

    @model_validator(mode="after")
    def _regular(self) -> SheetData:
        long, short = max(self.width, self.height), min(self.width, self.height)
        if self.shape == "hexagon" and abs(short / long - math.sqrt(3) / 2) > 0.001:
            due = f"{long:g} by {round(long * math.sqrt(3) / 2, 4):g}"
            raise ValueError(f"a hexagon so large measures {due} mm, not {long:g} by {short:g}")
        return self

    @property
    def outline(self) -> tuple[tuple[float, float], ...]:
        """The corners in millimetres, clockwise."""
        w, h = self.width, self.height
        if self.shape == "rectangle":
            return ((0.0, 0.0), (w, 0.0), (w, h), (0.0, h))
        if w > h:
            return ((w / 4, 0.0), (3 * w / 4, 0.0), (w, h / 2), (3 * w / 4, h), (w / 4, h), (0.0, h / 2))
        return ((w / 2, 0.0), (w, h / 4), (w, 3 * h / 4), (w / 2, h), (0.0, 3 * h / 4), (0.0, h / 4))

    @property
    def edges(self) -> tuple[str, ...]:
        """What the edges are called, clockwise; the first begins at the first corner of the outline."""
        if self.shape == "rectangle":
            return ("top", "right", "bottom", "left")
        if self.width > self.height:
            return ("top", "upper right", "lower right", "bottom", "lower left", "upper left")
        return ("upper right", "right", "lower right", "lower left", "left", "upper left")


class FrameData(Raw):
    """How a drawing on a plane, such as an SVG file, is laid on the sheet.

    turn: degrees by which it is turned clockwise; the grid is always square to the sheet. scale: millimetres on the
    sheet for one of the drawing. centre: this place of the drawing lies at the place `at` of the sheet, in millimetres.
    """

    turn: FiniteFloat = 0.0
    scale: PositiveFloat = Field(default=1.0, ge=1e-4, le=1e4)
    centre: Pair = (0.0, 0.0)
    at: Pair = (0.0, 0.0)


class PlacementData(Raw):
    """One sheet of an arrangement.

    sheet: its name. as: what it is called here, if it lies there twice. at: column and row, counted from 0, where
    sheets of one size lie beside one another; or mm: where the upper left corner of its page lies. turn: degrees
    clockwise.
    """

    sheet: Name
    called: str = Field(default="", alias="as", max_length=100)
    at: tuple[int, int] | None = None
    mm: Pair | None = None
    turn: Literal[0, 60, 120, 180, 240, 300] = 0

    @model_validator(mode="after")
    def _one_place(self) -> PlacementData:
        if (self.at is None) == (self.mm is None):
            raise ValueError("give `at` (column and row) or `mm`")
        if self.at is not None and max(map(abs, self.at)) > MOST_SHEETS:
            raise ValueError(f"columns and rows of sheets go to {MOST_SHEETS}")
        return self


class FileData(Raw):
    """The name of a file beside map.toml."""

    file: Name


class ArrangementData(Raw):
    """Sheets laid together to play on. The first is the map of set-ups that name no arrangement.

    links, side, river: what holds of these sheets together, in names and numbers of the arrangement, such as A-0304.
    """

    name: Name
    title: str = ""
    sheets: Annotated[tuple[PlacementData, ...], Field(min_length=1, max_length=MOST_SHEETS)]
    links: FileData | None = None
    side: tuple[SideData, ...] = ()
    river: tuple[RiverData, ...] = ()


class SeamData(Raw):
    """What must fit where sheets meet; every pair of sheets, at every edge and in every turn, is held to it.

    layers: lines of the drawing that must run on; by default all that the legend or [[lines]] name. tolerance: by so
    many millimetres the ends may miss each other. meets: groups of terrains of which any two may share a hex.
    """

    layers: tuple[Name, ...] | None = None
    tolerance: Annotated[float, Field(gt=0, le=50)] = 1.0
    meets: tuple[tuple[Name, ...], ...] = ()


class _Several(Raw):
    """The parts of map.toml that are about all sheets."""

    arrangement: tuple[ArrangementData, ...] = ()
    seam: SeamData | None = None


# What a sheet may state itself: tables that go over those for all sheets, key by key, and what only it can have.
OVER = ("projection", "frame", "grid", "layers", "spellings")
ONLY = ("places", "links", "box", "side", "river", "track", "check", "fit")


@dataclass(frozen=True)
class SheetPart:
    """A sheet of several as map.toml states it.

    own: the tables that are its own. raw: the values of a map of this sheet alone.
    """

    number: int
    name: str
    own: Mapping[str, Any]
    raw: Mapping[str, Any]

    def key(self, key: str) -> str:
        """Return the key path in map.toml of a key of the map of this sheet alone."""
        first, _, rest = key.partition(".")
        prefix = f"sheet.{self.number}"
        if first == "sheet":
            return key if key == prefix or key.startswith(prefix + ".") else prefix + f".{rest}" * bool(rest)
        own = self.own.get(first)
        second = rest.partition(".")[0]
        stated = first in ONLY or (isinstance(own, dict) and (not second or second in own))
        return f"{prefix}.{key}" if own is not None and stated else key

    def moved(self, finding: Finding, shown: str) -> Finding:
        """Return a finding about the map of this sheet alone as one about map.toml."""
        where = finding.where
        if where.file != shown or not where.key:
            return finding
        return replace(finding, where=replace(where, key=self.key(where.key)))


@dataclass(frozen=True)
class ArrangementPart:
    """An arrangement as map.toml states it. first: how many sides and rivers its sheets state before its own."""

    number: int
    first: Mapping[str, int]

    def key(self, key: str) -> str:
        """Return the key path in map.toml of a key of the joined map; what its sheets state is of the arrangement."""
        section, _, rest = key.partition(".")
        place, _, rest = rest.partition(".")
        n = int(place) - self.first.get(section, 0) if place.isdigit() else -1
        at = f"arrangement.{self.number}"
        return f"{at}.{section}.{n}" + f".{rest}" * bool(rest) if section in self.first and n >= 0 else at


@dataclass(frozen=True)
class Several:
    """A map of several sheets taken apart."""

    parts: tuple[SheetPart, ...]
    arrangements: tuple[ArrangementData, ...]
    seam: SeamData | None


def decode_several(raw: Mapping[str, Any], shown: str, report: Report) -> Several | None:
    """Take map.toml with [[sheet]] tables apart. None when what all sheets share cannot be used."""
    tables = raw["sheet"]
    common = decode(_Several, {k: raw[k] for k in ("arrangement", "seam") if k in raw}, shown, report)
    shared = {k: v for k, v in raw.items() if k not in ("sheet", "arrangement", "seam")}
    for key in [k for k in shared if k in ONLY]:
        text = "a map of several sheets states this for each sheet: in its table [[sheet]]"
        report.add(WRONG_VALUE, Location(shown, key=key), text)
        del shared[key]
    if not 1 <= len(tables) <= MOST_SHEETS or not all(isinstance(t, dict) for t in tables):
        report.add(WRONG_VALUE, Location(shown, key="sheet"), f"give from 1 to {MOST_SHEETS} tables [[sheet]]")
        return None
    parts = tuple(_part(i, table, shared) for i, table in enumerate(tables))
    names: list[str] = []
    for part in parts:
        if part.name in names:
            where = Location(shown, key=f"sheet.{part.number}.name")
            report.add(REPEATED, where, f"there are two sheets {part.name!r}")
        names.append(part.name)
    if common is None:
        return None
    _check(common.arrangement, names, shown, report)
    return Several(parts, common.arrangement, common.seam)


def _part(number: int, table: Mapping[str, Any], shared: Mapping[str, Any]) -> SheetPart:
    own = {k: v for k, v in table.items() if k in (*OVER, *ONLY)}
    name = str(table.get("name", "main"))
    raw = dict(shared)
    for key, value in own.items():
        both = key in OVER and isinstance(raw.get(key), dict) and isinstance(value, dict)
        raw[key] = {**raw[key], **value} if both else value
    raw["sheet"] = {k: v for k, v in table.items() if k not in own}
    if isinstance(raw.get("layers"), dict):
        raw["layers"] = {k: _filed(layer, name) for k, layer in raw["layers"].items()}
    return SheetPart(number, name, own, raw)


def _filed(layer: Any, name: str) -> Any:
    """Put the name of the sheet into the name of a file that all sheets state alike."""
    if isinstance(layer, dict) and isinstance(layer.get("file"), str):
        return {**layer, "file": layer["file"].replace("{sheet}", name)}
    return layer


def _check(arrangements: Sequence[ArrangementData], names: Sequence[str], shown: str, report: Report) -> None:
    """Report sheets that there are not, and names that mean two things."""
    seen: set[str] = set(names)
    for n, arrangement in enumerate(arrangements):
        at = f"arrangement.{n}"
        if arrangement.name in seen:
            text = f"{arrangement.name!r} is the name of another sheet or arrangement"
            report.add(REPEATED, Location(shown, key=f"{at}.name"), text)
        seen.add(arrangement.name)
        called: set[str] = set()
        for i, p in enumerate(arrangement.sheets):
            if p.sheet not in names:
                text = f"unknown sheet {p.sheet!r}{did_you_mean(p.sheet, names)}"
                report.add(UNKNOWN_NAME, Location(shown, key=f"{at}.sheets.{i}.sheet"), text)
            word = p.called or p.sheet
            if word in called:
                text = f"{word!r} lies here twice; give the second another name with `as`"
                report.add(REPEATED, Location(shown, key=f"{at}.sheets.{i}"), text)
            called.add(word)
