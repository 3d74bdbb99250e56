"""SVG drawings in: the shapes of a layer in sheet millimetres, as Inkscape and Illustrator write them.

    report = Report()
    drawing = read_svg(Path("map.svg"), "map.svg", Location(), report)
    if drawing is not None:
        print([layer.name for layer in drawing.layers])
        shapes = read_svg_layer(drawing, "Woods", 0.02, Location(), report)

A shape is an area when its outline is filled and either closed or filled on purpose; else it is a line; a text is a
point at its anchor. What is drawn there but not read (pictures, clip paths, gradients) is said once for a layer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from lxml import etree
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import (
    BAD_GEOMETRY,
    EFFECT_IGNORED,
    EMPTY_GEOMETRY,
    FILE_UNREADABLE,
    LAYER_MISSING,
    NOT_A_SHAPE,
    REPAIRED_GEOMETRY,
)
from toolchain.model.drawing import Shape
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.documents import DRAWING_LIMIT, read_bytes, value_of
from toolchain.sources.svgframes import (
    BadShapeError,
    Floats,
    affine,
    inner_frame,
    joined,
    mapped,
    page_frame,
    page_size,
    read_length,
    read_transform,
)
from toolchain.sources.svgpaths import POINT_LIMIT, as_curves, fill, flatten, read_outlines
from toolchain.sources.svgstyle import EFFECTS, StyleSheet, computed, read_colour, read_sheet

SVG = "{http://www.w3.org/2000/svg}"
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"
LABEL = f"{INKSCAPE}label"
MODE = f"{INKSCAPE}groupmode"
ROLE = "{http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd}role"
HREF = "{http://www.w3.org/1999/xlink}href"

MARKUP_LIMIT = 6_000_000  # elements and attributes
DEPTH_LIMIT = 64
SHAPE_LIMIT = 500_000
CLONE_LIMIT = 50_000  # elements drawn by way of clones

HOLDERS = frozenset({"g", "a", "switch", "svg"})
OUTLINES = frozenset({"path", "polygon", "polyline", "rect", "circle", "ellipse", "line"})
SEEN_ONLY = frozenset({"image", "foreignObject", "flowRoot", "video", "canvas", "iframe"})
NOT_DRAWN = {"script": "scripts", "animate": "animations", "animateTransform": "animations", "set": "animations"}

ENCODINGS = re.compile(r"(utf-?(8|16)|us-ascii|iso-8859-\d+|windows-125\d|cp125\d|mac-?roman)", re.IGNORECASE)


BadShape = BadShapeError


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
        found = [g for g in groups if g.get(MODE) == "layer"] or [g for g in groups if self._at_top(g) and _title(g)]
        return tuple(SvgLayer(_title(g) or g.get("id", ""), g.get("id", ""), self._seen(g), g) for g in found)

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
            if above.tag == f"{SVG}g" and _title(above):
                return False
            above = above.getparent()
        return above is self.root

    def _seen(self, element: Any) -> bool:
        style = computed(element, "g", self.sheet, {})
        return style.get("display") != "none" and style.get("visibility", "visible") == "visible"


def _title(element: Any) -> str:
    """Return the name that a drawing program shows for an element: its label, or its id as Illustrator codes it."""
    return str(element.get(LABEL) or element.get("data-name") or _decoded(element.get("id", "")))


def _decoded(name: str) -> str:
    """Undo how Illustrator writes names as ids: _x20_ is a space, and _1_ at the end only keeps ids apart."""
    if "_x" not in name:
        return name
    plain = re.sub(r"_x([0-9A-Fa-f]{2,4})_", lambda hit: chr(int(hit[1], 16)), name)
    return re.sub(r"_\d+_$", "", plain)


# Files ----------------------------------------------------------------------------------------------------------


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
        report.add(FILE_UNREADABLE, Location(file=shown), "not XML in an encoding that is known; save it as UTF-8")
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
        report.add(FILE_UNREADABLE, Location(file=shown), "not SVG: the outermost element is not an svg element")
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
                message = f"{len(names)} entities are plain texts and were filled in ({some})"
                report.add(EFFECT_IGNORED, Location(file=shown), message)
                inside = ""
        text = rest if "<!ENTITY" not in inside else text
    if "<!ENTITY" in text or "<!ATTLIST" in text:
        report.add(FILE_UNREADABLE, Location(file=shown), "the drawing declares entities; save it as plain SVG")
        return None
    return text


# Single elements ------------------------------------------------------------------------------------------------


def size_of_drawing(root: Any) -> tuple[float, float]:
    """Return width and height of the page in millimetres; BadShape where they are not to be had."""
    size = page_size(root)
    if size is None or min(size) <= 0:
        raise BadShape("the drawing has no size; give it width and height, or a viewBox")
    return size


def frame_of(element: Any) -> Floats:
    """Return the map from the frame within an element to the frame around it; millimetres around the outermost."""
    matrix = read_transform(element.get("transform", ""))
    if element.tag == f"{SVG}svg":
        outermost = element.getparent() is None
        matrix = joined(matrix, (page_frame(element) if outermost else inner_frame(element, (0.0, 0.0)))[0])
    return matrix


def outlines_of(element: Any, kind: str, matrix: Floats) -> Iterator[tuple[list[Floats], bool]]:
    """Yield the subpaths of an element: control points of its lines and cubic curves, and whether it is closed."""
    for outline in read_outlines(element, kind, (0.0, 0.0)):
        yield as_curves(outline, matrix), outline.closed


# Layers ---------------------------------------------------------------------------------------------------------


def read_svg_layer(
    drawing: SvgFile, name: str, tolerance: float, where: Location, report: Report
) -> tuple[Shape, ...] | None:
    """Read the shapes of one layer, or of the whole drawing for an empty name.

    name: of a layer or group as the drawing program shows it, `Outer/Inner` for one within another, or the id of any
    element. Layers of the same name are read together. What is hidden is left out, but for the layer that is named.
    tolerance: how far flattened curves may lie from the true ones, in millimetres on the sheet. Returns None when
    there is no such layer.

    Every shape has these properties: id, label, layer, class, element (path, rect, text, ...), fill and stroke
    (#rrggbb, or none), stroke-width in millimetres, text, title, desc, name (label, title or text, the first that
    there is), and whatever data-... attributes it has. A text has its font-size in millimetres too, its text-anchor
    (start, middle or end), font-family, font-weight and font-style.
    """
    tops = _find(drawing, name) if name else [drawing.root]
    if not tops:
        _say_missing(drawing, name, where, report)
        return None
    walk = _Walk(drawing, tolerance, report)
    shapes: list[Shape] = []
    try:
        for top in tops:
            for shape in walk.shapes(top):
                if len(shapes) >= SHAPE_LIMIT:
                    report.add(FILE_UNREADABLE, where, f"the layer has more than {SHAPE_LIMIT} shapes")
                    break
                shapes.append(shape)
    except BadShapeError as fault:  # of what is around the layer
        report.add(BAD_GEOMETRY, where, str(fault))
        return None
    walk.say(where)
    return tuple(shapes)


def _say_missing(drawing: SvgFile, name: str, where: Location, report: Report) -> None:
    groups = [w for e in drawing.root.iter(f"{SVG}g") for w in (_title(e), e.get("id")) if w]
    there = [layer.name + ("" if layer.seen else " (hidden)") for layer in drawing.layers if layer.name]
    listed = ", ".join(there[:20]) + (f" and {len(there) - 20} more" if len(there) > 20 else "")
    hint = did_you_mean(name, groups) + (f"; its layers are: {listed}" if there else "; it has no named layer at all")
    report.add(LAYER_MISSING, where, f"{Path(drawing.shown).name} has no layer {name!r}{hint}", layers=there)


def _find(drawing: SvgFile, name: str) -> list[Any]:
    """Return the layers of this name, else the groups of it, else the element of this id, else the way to it."""
    layers = [layer.element for layer in drawing.layers if layer.name == name]
    if layers:
        return layers
    groups = list(drawing.root.iter(f"{SVG}g"))
    for found in (
        [g for g in groups if _title(g) == name][:1],
        [drawing.by_id[name]] if name in drawing.by_id else [],
        [g for g in groups if _decoded(g.get("id", "")) == name or g.get("id") == name.replace(" ", "_")][:1],
    ):
        if found:
            return found
    outer, _, inner = name.rpartition("/")
    if not outer:
        return []
    within = _find(drawing, outer)
    return [g for top in within for g in top.iter(f"{SVG}g") if g is not top and _title(g) == inner][:1]


@dataclass(frozen=True, slots=True)
class _Place:
    """Where the walk is: frame, style, layer, and the clones that it came through."""

    matrix: Floats
    size: tuple[float, float]
    style: Mapping[str, str]
    layer: str
    depth: int = 0
    clones: tuple[Any, ...] = ()


class _Walk:
    """Walk through a drawing, collecting what is left out."""

    def __init__(self, drawing: SvgFile, tolerance: float, report: Report) -> None:
        self.drawing, self.tolerance, self.report = drawing, tolerance, report
        self.room = POINT_LIMIT
        self.cloned = 0
        self.unread: dict[str, list[str]] = {}
        self.ignored: dict[str, list[str]] = {}

    def shapes(self, top: Any) -> Iterator[Shape]:
        """Yield the shapes of an element and of all within it, in the order of drawing."""
        matrix, size = page_frame(self.drawing.root)
        place = _Place(matrix, size, {}, "")
        named = top is not self.drawing.root
        for element in [e for e in reversed(list(top.iterancestors())) if isinstance(e.tag, str)]:
            place = self._inside(element, element.tag.removeprefix(SVG), place)
        waiting: list[tuple[Any, _Place]] = [(top, place)]
        while waiting:
            element, place = waiting.pop()
            if not isinstance(element.tag, str) or not element.tag.startswith(SVG):
                continue
            try:
                inner = yield from self._one(element, place, asked=named and element is top)
            except BadShapeError as fault:
                self.report.add(BAD_GEOMETRY, self._where(element, place), str(fault))
                continue
            waiting.extend(reversed(inner))

    def say(self, where: Location) -> None:
        """Report what was left out: one finding for each kind of thing."""
        for rule, found in ((NOT_A_SHAPE, self.unread), (EFFECT_IGNORED, self.ignored)):
            for what, ids in sorted(found.items()):
                some = ", ".join(i for i in ids[:3] if i)
                more = " and others" if len(ids) > 3 else ""
                text = f"{what}: {len(ids)}" + (f" ({some}{more})" if some else "")
                self.report.add(rule, where, text, count=len(ids))
        if self.drawing.sheet.unread:
            some = ", ".join(list(dict.fromkeys(self.drawing.sheet.unread))[:3])
            text = f"rules of the style sheet are ignored: {len(self.drawing.sheet.unread)} ({some})"
            self.report.add(EFFECT_IGNORED, Location(file=self.drawing.shown), text)

    def _where(self, element: Any, place: _Place) -> Location:
        element = place.clones[0] if place.clones else element
        return Location(file=self.drawing.shown, line=element.sourceline or 0, element=element.get("id", ""))

    def _inside(self, element: Any, kind: str, place: _Place, style: Mapping[str, str] | None = None) -> _Place:
        """Return the place within an element."""
        size = place.size
        matrix = joined(place.matrix, read_transform(element.get("transform", "")))
        if kind == "svg" and element is not self.drawing.root:
            own, size = inner_frame(element, size)
            matrix = joined(matrix, own)
        if style is None:
            style = computed(element, kind, self.drawing.sheet, place.style)
        layer = self.drawing.layer_of.get(element, place.layer)
        return _Place(matrix, size, style, layer, place.depth + 1, place.clones)

    def _one(self, element: Any, place: _Place, asked: bool) -> Any:
        """Yield the shapes of one element itself; return the elements within it that come next, with their places."""
        kind = element.tag.removeprefix(SVG)
        mark = f"#{element.get('id')}" if element.get("id") else f"line {element.sourceline}"
        if kind in SEEN_ONLY:
            self.unread.setdefault(f"<{kind}> elements have no outline and are left out", []).append(mark)
            return []
        if kind in NOT_DRAWN:
            self.ignored.setdefault(f"{NOT_DRAWN[kind]} are ignored", []).append(mark)
            return []
        if kind not in HOLDERS | OUTLINES and kind not in ("use", "text", "symbol"):
            return []
        if kind == "symbol" and not asked and not place.clones:
            return []
        if place.depth > DEPTH_LIMIT:
            raise BadShapeError(f"groups are nested more than {DEPTH_LIMIT} deep")
        if place.clones:
            self.cloned += 1
            if self.cloned > CLONE_LIMIT:
                if self.cloned == CLONE_LIMIT + 1:
                    raise BadShapeError(f"clones of clones draw more than {CLONE_LIMIT} things; the rest is left out")
                return []
        style = computed(element, kind, self.drawing.sheet, place.style)
        if style.get("display") == "none" and not asked:
            self.ignored.setdefault("hidden elements are left out", []).append(mark)
            return []
        if asked:  # what is asked for by name is seen
            style["visibility"] = "visible"
        inner = self._inside(element, kind, place, style)
        for effect in EFFECTS:
            if style.get(effect, "none") != "none":
                self.ignored.setdefault(f"shapes or groups have a {effect}, which is ignored", []).append(mark)
        if kind == "use":
            return self._clone(element, inner)
        if kind == "switch":
            first = (c for c in element if isinstance(c.tag, str) and c.tag != f"{SVG}foreignObject")
            return [(c, inner) for c in [c for c in first if not c.get("requiredExtensions")][:1]]
        if kind in HOLDERS or kind == "symbol":
            return [(c, inner) for c in element]
        if style.get("visibility", "visible") != "visible":
            self.ignored.setdefault("hidden elements are left out", []).append(mark)
            return []
        geometries = self._text(element, inner) if kind == "text" else self._outline(element, kind, inner)
        if geometries:
            properties = self._properties(element, kind, inner, mark)
            for geometry in geometries:
                yield Shape(geometry, properties, self._where(element, inner))
        return []

    def _clone(self, element: Any, place: _Place) -> list[tuple[Any, _Place]]:
        """Follow a clone to what it shows."""
        target = (element.get("href") or element.get(HREF) or "").strip()
        if not target.startswith("#"):
            mark = f"#{element.get('id')}" if element.get("id") else f"line {element.sourceline}"
            self.unread.setdefault("clones of things in other files are left out", []).append(mark)
            return []
        original = self.drawing.by_id.get(target[1:])
        if original is None:
            hint = did_you_mean(target[1:], self.drawing.by_id) if len(self.drawing.by_id) < 5000 else ""
            raise BadShapeError(f"it is a clone of {target}, which is not in the drawing{hint}")
        if element in place.clones or original in element.iterancestors() or len(place.clones) >= 16:
            raise BadShapeError(f"it is a clone of {target}, which in the end is a clone of itself")
        x, y = (read_length(element.get(k), s) or 0.0 for k, s in zip("xy", place.size, strict=True))
        matrix, size = joined(place.matrix, affine(1, 0, 0, 1, x, y)), place.size
        if original.tag == f"{SVG}symbol":
            own, size = inner_frame(original, size, element.get("width"), element.get("height"))
            matrix = joined(matrix, own)
        return [(original, replace(place, matrix=matrix, size=size, clones=(*place.clones, element)))]

    def _outline(self, element: Any, kind: str, place: _Place) -> list[BaseGeometry]:
        """Return the geometries of one outline: at most one area and one line."""
        where, style = self._where(element, place), place.style
        paint = "none" if style.get("fill-opacity", "").strip() in ("0", "0%", "0.0") else style.get("fill", "")
        lines, rings = [], []
        for outline in read_outlines(element, kind, place.size):
            points = flatten(outline, place.matrix, self.tolerance, self.room)
            self.room -= len(points)
            if len(points) < 2:
                continue
            closed = outline.closed or bool((points[0] == points[-1]).all() and len(points) > 3)
            # Without a word on its fill an open outline is taken for a line, which it nearly always is.
            filled = paint != "none" and kind != "line" and ((closed and kind != "polyline") or paint != "")
            if filled and len(points) > 2 and (closed or _encloses(points)):
                rings.append(points)
            else:
                whole = np.concatenate([points, points[:1]]) if closed and (points[0] != points[-1]).any() else points
                lines.append(shapely.linestrings(whole))
        out: list[BaseGeometry] = []
        if rings:
            area, faults = fill(rings, style.get("fill-rule", "nonzero"))
            if area.is_empty:
                raise BadShapeError("the outline encloses no area")
            out.append(area)
            for fault in faults[:3]:
                self.report.add(REPAIRED_GEOMETRY, where, f"{fault}; repaired")
        if lines:
            out.append(lines[0] if len(lines) == 1 else shapely.multilinestrings(lines))
        if not out:
            self.report.add(EMPTY_GEOMETRY, where, f"the {kind} has no extent; it is left out")
        return out

    def _text(self, element: Any, place: _Place) -> list[BaseGeometry]:
        """Return the anchor of a text: where its first line begins, or is centred on."""
        path = next(iter(element.iter(f"{SVG}textPath")), None)
        if path is not None:
            mark = f"#{element.get('id')}" if element.get("id") else f"line {element.sourceline}"
            self.unread.setdefault("texts on a path have no single place and are left out", []).append(mark)
            return []
        if not _words(element):
            return []
        spans = [element, *element.iter(f"{SVG}tspan")]
        at = []
        for key, size in zip("xy", place.size, strict=True):
            said = next((s.get(key) for s in reversed(spans[:2]) if s.get(key)), None)
            first = re.split(r"[\s,]+", said.strip())[0] if said else None
            at.append(read_length(first, size) or 0.0)
        return [shapely.points(mapped(np.array(at), place.matrix))]

    def _properties(self, element: Any, kind: str, place: _Place, mark: str) -> dict[str, Any]:
        style = place.style
        plain = {"fill": "#000000", "stroke": "none"}
        paint = {key: self._paint(style.get(key, value), mark) for key, value in plain.items()}
        scale = abs(float(np.linalg.det(place.matrix[:2, :2]))) ** 0.5
        try:
            width = (read_length(style.get("stroke-width", "1")) or 0.0) * scale
        except BadShapeError:
            width = 0.0
        words = _words(element) if kind == "text" else ""
        out: dict[str, Any] = {"id": "", "label": "", "layer": place.layer, "class": "", "element": kind, **paint}
        out["stroke-width"] = round(width, 4)
        out["text"] = words
        if words:
            out |= self._lettering(element, place, scale)
        holders = [element, *reversed(place.clones)]
        for tag in ("title", "desc"):
            found = [e.findtext(f"{SVG}{tag}") for e in holders]
            out[tag] = next((" ".join(t.split()) for t in reversed(found) if t), "")
        for e in holders:  # the original first, the outermost clone last: its own id and label are the shape's
            out["id"] = e.get("id") or out["id"]
            own = e.get("id", "")
            decoded = _decoded(own)
            out["label"] = e.get(LABEL) or e.get("data-name") or (decoded if decoded != own else "") or out["label"]
            out["class"] = " ".join(filter(None, [out["class"], " ".join(e.get("class", "").split())]))
            out.update({k: value_of(v) for k, v in e.attrib.items() if isinstance(k, str) and k.startswith("data-")})
        out["name"] = out["label"] or out["title"] or words
        return out

    def _lettering(self, element: Any, place: _Place, scale: float) -> dict[str, Any]:
        """Return how a text is set. Its first line may be styled by itself, as Inkscape does."""
        span = next(element.iter(f"{SVG}tspan"), None)
        style = place.style if span is None else computed(span, "tspan", self.drawing.sheet, place.style)
        try:
            size = (read_length(style.get("font-size", "16")) or 16.0) * scale
        except BadShapeError:
            size = 16.0 * scale
        plain = {"text-anchor": "start", "font-family": "", "font-weight": "normal", "font-style": "normal"}
        return {"font-size": round(size, 4), **{key: style.get(key, value) for key, value in plain.items()}}

    def _paint(self, value: str, mark: str) -> str:
        """Follow a fill to a swatch of one colour; other gradients and patterns are none, and said."""
        seen = 0
        while value.startswith("url(#") and seen < 8:
            server = self.drawing.by_id.get(value[5:-1])
            seen += 1
            if server is None:
                break
            stops = {read_colour(_stop(s)) for s in server.iter(f"{SVG}stop")}
            if len(stops) == 1:
                return stops.pop()
            link = (server.get("href") or server.get(HREF) or "").strip()
            if stops or not link.startswith("#"):
                break
            value = f"url({link})"
        if value.startswith("url("):
            what = "shapes are painted with a gradient or pattern, which has no one colour"
            self.ignored.setdefault(what, []).append(mark)
        return value


def _stop(stop: Any) -> str:
    hit = re.search(r"(?:^|;)\s*stop-color\s*:\s*([^;]+)", stop.get("style", ""))
    return hit[1] if hit else str(stop.get("stop-color", "black"))


def _encloses(points: Floats) -> bool:
    """Tell whether an open line would enclose some area if it were closed."""
    x, y = (points - points[0]).T
    return bool(np.abs(x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 1e-9)


def _words(text: Any) -> str:
    """Return the words of a text; a part on a new line is a new word, others go on where the last one ended."""
    parts: list[str] = []
    line = ""
    for e in text.iter(f"{SVG}text", f"{SVG}tspan"):
        if e is not text and (e.get(ROLE) == "line" or e.get("dy") or e.get("y", line) != line):
            parts.append(" ")
        line = e.get("y", line)
        parts.append(e.text or "")
        for child in e:
            if not (isinstance(child.tag, str) and child.tag == f"{SVG}tspan"):
                parts.append(child.tail or "")
        if e is not text:
            parts.append(e.tail or "")
    return " ".join("".join(parts).split())
