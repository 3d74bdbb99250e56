"""SVG files in: parsed safely, with the layers that drawing programs put into them.

drawing = read_svg(Path("map.svg"), "map.svg", Location(), Report())
if drawing is not None:
    print([layer.name for layer in drawing.layers])
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from lxml import etree

from toolchain.catalogue import EFFECT_IGNORED, FILE_UNREADABLE, LAYER_MISSING
from toolchain.report import Location, Report, counted, did_you_mean
from toolchain.sources.documents import DRAWING_LIMIT, read_bytes
from toolchain.sources.svgframes import BadShapeError, page_size
from toolchain.sources.svgstyle import StyleSheet, computed, read_sheet

SVG = "{http://www.w3.org/2000/svg}"
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"
LABEL = f"{INKSCAPE}label"
MODE = f"{INKSCAPE}groupmode"
SERIF = "{http://www.serif.com/}id"  # as Affinity Designer writes names
HREF = "{http://www.w3.org/1999/xlink}href"

EMPTY = frozenset(f"{SVG}{kind}" for kind in ("g", "title", "desc", "metadata", "defs"))
MARKUP_LIMIT = 6_000_000  # elements and attributes
ENCODINGS = re.compile(r"(utf-?(8|16)|us-ascii|iso-8859-\d+|windows-125\d|cp125\d|mac-?roman)", re.IGNORECASE)


@dataclass(frozen=True)
class SvgLayer:
    """A layer that a drawing has. name: as the drawing program shows it. seen: it is switched on."""

    name: str
    id: str
    seen: bool
    element: Any = field(repr=False, compare=False)


@dataclass(frozen=True)
class SvgFile:
    """A parsed drawing. shown: its name in messages."""

    root: Any
    shown: str

    @cached_property
    def layers(self) -> tuple[SvgLayer, ...]:
        """The layers: Inkscape's own, or else the named groups at the top, as Illustrator writes layers."""
        groups = list(self.root.iter(f"{SVG}g"))
        found = [g for g in groups if g.get(MODE) == "layer"] or [g for g in groups if self._at_top(g) and title_of(g)]
        return tuple(SvgLayer(title_of(g) or g.get("id", ""), g.get("id", ""), self._seen(g), g) for g in found)

    @cached_property
    def layer_of(self) -> Mapping[Any, str]:
        """Names of layers by their elements."""
        return {layer.element: layer.name for layer in self.layers}

    @cached_property
    def by_id(self) -> Mapping[str, Any]:
        """Elements by their ids, the first of each."""
        return {e.get("id"): e for e in reversed(list(self.root.iter(etree.Element))) if e.get("id")}

    @cached_property
    def sheet(self) -> StyleSheet:
        """The style sheets within the drawing."""
        return read_sheet("".join(e.itertext()) for e in self.root.iter(f"{SVG}style"))

    @property
    def page(self) -> tuple[float, float] | None:
        """Width and height of the page in millimetres; None where the drawing does not say."""
        try:
            return page_size(self.root)
        except BadShapeError:
            return None

    def _at_top(self, group: Any) -> bool:
        above = group.getparent()
        while above is not None and above.getparent() is not None and above.tag in (f"{SVG}switch", f"{SVG}g"):
            if above.tag == f"{SVG}g" and title_of(above):
                return False
            above = above.getparent()
        return above is self.root

    def _seen(self, element: Any) -> bool:
        style = computed(element, "g", self.sheet, {})
        return style.get("display") != "none" and style.get("visibility", "visible") == "visible"


def label_of(element: Any) -> str:
    """Return the name that a designer gave to an element, in the way of any drawing program; empty for none."""
    own = element.get("id", "")
    plain = decoded(own)
    said = element.get(LABEL) or element.get("data-name") or element.get(SERIF)
    return str(said or (plain if plain != own else ""))


def title_of(element: Any) -> str:
    """Return the name that a drawing program shows for an element: its label, or its id."""
    return label_of(element) or str(element.get("id", ""))


def decoded(name: str) -> str:
    """Undo how Illustrator writes names as ids: _x20_ is a space, and _1_ at the end only keeps ids apart."""
    if "_x" not in name:
        return name
    return _plain(re.sub(r"_x([0-9A-Fa-f]{2,4})_", lambda hit: chr(int(hit[1], 16)), name))


def _plain(name: str) -> str:
    return re.sub(r"_\d+_$", "", name)


# Files ---------------------------------------------------------------------------------------------------------------


def read_svg(path: Path, shown: str, where: Location, report: Report) -> SvgFile | None:
    """Read an SVG file. Nothing outside the file is ever read.

    path: the file, of at most 64 MB. shown: its name in messages. where: place of what names the file. Returns None
    for what is not SVG. Entities that stand for plain text, as Illustrator writes them, are filled in and said; a file
    with any others is refused.
    """
    data = read_bytes(path, DRAWING_LIMIT, where, report)
    if data is None:
        return None
    text = _text(data)
    if text is None:
        packed = "it is packed (SVGZ); save it as plain SVG" if data[:2] == b"\x1f\x8b" else ""
        report.add(FILE_UNREADABLE, Location(file=shown), packed or "not XML in a known encoding; save it as UTF-8")
        return None
    text = _without_doctype(text, shown, report)
    if text is None:
        return None
    if text.count("<") + text.count("=") > MARKUP_LIMIT:
        report.add(FILE_UNREADABLE, Location(file=shown), f"it has more than {MARKUP_LIMIT} elements and attributes")
        return None
    # The file is bounded by now, and has no entities; a path may be longer than the parser's own limits.
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=True, encoding="utf-8")
    try:
        root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        line = (getattr(error, "position", None) or (0, 0))[0] or 0
        reason = re.sub(r", line \d+, column \d+.*", "", str(error)) or "it is empty"
        report.add(FILE_UNREADABLE, Location(file=shown, line=line), f"not XML: {reason}")
        return None
    if root.tag != f"{SVG}svg":
        bare = 'its svg element lacks xmlns="http://www.w3.org/2000/svg"'
        text = bare if root.tag == "svg" else "the outermost element is not an svg element"
        report.add(FILE_UNREADABLE, Location(file=shown), f"not SVG: {text}")
        return None
    return SvgFile(root, shown)


def _text(data: bytes) -> str | None:
    """Decode a file as it says; only well-known encodings, so that nothing can hide from the look at its entities."""
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        name = "utf-16"
    else:
        said = re.match(rb"[\xef\xbb\xbf\s]*<\?xml[^>]*?encoding\s*=\s*[\"']([\w.:-]+)", data[:400])
        name = said[1].decode("ascii") if said else "utf-8"
    if ENCODINGS.fullmatch(name) is None:
        return None
    try:
        return data.decode(name).removeprefix("\ufeff")
    except (UnicodeDecodeError, LookupError):
        return None


def _without_doctype(text: str, shown: str, report: Report) -> str | None:
    """Take the document type away, filling in entities that are plain short texts; None when there are others."""
    hit = re.match(r"(?:\s|<\?.*?\?>|<!--.*?-->)*(<!DOCTYPE[^\[\]<>]*(\[[^\]]*\]\s*)?>)", text, re.DOTALL)
    if hit is not None:
        inside = hit[2] or ""
        plain = re.findall(r"<!ENTITY\s+([\w.-]{1,64})\s+[\"']([^\"'<>&%\]]{0,200})[\"']\s*>", inside)
        lines = "\n" * hit[1].count("\n")
        rest = text[: hit.start(1)] + lines + text[hit.end(1) :]
        if plain and len(plain) == inside.count("<!ENTITY") and len(plain) <= 64:
            names = dict(reversed(plain))
            found = re.findall(r"&([\w.-]+);", rest)
            if sum(len(names.get(name, "")) for name in found) <= 2**20:
                rest = re.sub(r"&([\w.-]+);", lambda e: names.get(e[1], e[0]), rest)
                some = ", ".join(list(names)[:3])
                filled = counted(len(names), "entity is plain text and was", "entities are plain texts and were")
                message = f"{filled} filled in ({some})"
                report.add(EFFECT_IGNORED, Location(file=shown), message)
                inside = ""
        text = rest if "<!ENTITY" not in inside else text
    if "<!ENTITY" in text or "<!ATTLIST" in text:
        report.add(FILE_UNREADABLE, Location(file=shown), "the drawing declares entities; save it as plain SVG")
        return None
    return text


# Layers --------------------------------------------------------------------------------------------------------------


def find_layer(drawing: SvgFile, name: str) -> list[Any]:
    """Return the layers of this name, else the groups of it, else the element of this id, else the way to it."""
    layers = [layer.element for layer in drawing.layers if layer.name == name]
    if layers:
        return layers
    groups = list(drawing.root.iter(f"{SVG}g"))
    coded = name.replace(" ", "_")
    for found in (
        [g for g in groups if title_of(g) == name][:1],
        [drawing.by_id[name]] if name in drawing.by_id else [],
        [g for g in groups if decoded(g.get("id", "")) == name or _plain(g.get("id", "")) in (name, coded)][:1],
    ):
        if found:
            return found
    outer, _, inner = name.rpartition("/")
    if not outer:
        return []
    within = find_layer(drawing, outer)
    return [g for top in within for g in top.iter(f"{SVG}g") if g is not top and title_of(g) == inner][:1]


def unread_layers(drawing: SvgFile, names: Collection[str]) -> list[str]:
    """Return the layers in which something is drawn and of which nothing is read. names: of the layers that are."""
    tops = [top for name in names for top in (find_layer(drawing, name) if name else [drawing.root])]
    around = {e for top in tops for e in top.iterancestors()}
    told = set(tops)  # and the layers that are named here: what lies in them goes with them
    out = []
    for layer in drawing.layers:
        full = any(isinstance(e.tag, str) and e.tag not in EMPTY for e in layer.element.iterdescendants())
        within = layer.element in told or any(e in told for e in layer.element.iterancestors())
        if full and not within and layer.element not in around:
            told.add(layer.element)
            out.append(layer.name + ("" if layer.seen else " (hidden)"))
    return out


def say_missing(drawing: SvgFile, name: str, where: Location, report: Report) -> None:
    """Report a layer that a drawing does not have, with the name that is nearest and those that there are."""
    groups = [w for e in drawing.root.iter(f"{SVG}g") for w in (title_of(e), e.get("id")) if w]
    there = [layer.name + ("" if layer.seen else " (hidden)") for layer in drawing.layers if layer.name]
    listed = ", ".join(there[:20]) + (f" and {len(there) - 20} more" if len(there) > 20 else "")
    hint = did_you_mean(name, groups) + (f"; its layers are: {listed}" if there else "; it has no named layer at all")
    report.add(LAYER_MISSING, where, f"{Path(drawing.shown).name} has no layer {name!r}{hint}", layers=there)
