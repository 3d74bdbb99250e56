"""SVG drawings in: the shapes of a layer in sheet millimetres, as Inkscape and Illustrator write them.

    report = Report()
    drawing = read_svg(Path("map.svg"), "map.svg", Location(), report)
    if drawing is not None:
        shapes = read_svg_layer(drawing, "Woods", 0.02, Location(), report)

A shape is an area when its outline is filled and either closed or filled on purpose; else it is a line; a text is a
point at its anchor. What is drawn there but not read (pictures, clip paths, gradients) is said once for a layer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import (
    BAD_GEOMETRY,
    EFFECT_IGNORED,
    EMPTY_GEOMETRY,
    FILE_UNREADABLE,
    NOT_A_SHAPE,
    REPAIRED_GEOMETRY,
)
from toolchain.model.drawing import Shape
from toolchain.report import Location, Report
from toolchain.sources.documents import value_of
from toolchain.sources.svgfile import SVG, SvgFile, find_layer, label_of, say_missing
from toolchain.sources.svgfill import fill
from toolchain.sources.svgframes import BadShapeError, Floats, mapped, read_length
from toolchain.sources.svgpaths import POINT_LIMIT, flatten, read_outlines
from toolchain.sources.svgstyle import computed, part_of
from toolchain.sources.svgwalk import Place, Walk, listed

ROLE = "{http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd}role"
SHAPE_LIMIT = 500_000


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
    tops = find_layer(drawing, name) if name else [drawing.root]
    if not tops:
        say_missing(drawing, name, where, report)
        return None
    reader = _Reader(Walk(drawing, report), tolerance, report)
    shapes: list[Shape] = []
    try:
        for top in tops:
            for shape in reader.shapes(top):
                if len(shapes) >= SHAPE_LIMIT:
                    report.add(FILE_UNREADABLE, where, f"the layer has more than {SHAPE_LIMIT} shapes")
                    break
                shapes.append(shape)
    except BadShapeError as fault:  # of what is around the layer
        report.add(BAD_GEOMETRY, where, str(fault))
        return None
    reader.say(where)
    return tuple(shapes)


class _Reader:
    """Make shapes of what a walk comes to."""

    def __init__(self, walk: Walk, tolerance: float, report: Report) -> None:
        self.walk, self.tolerance, self.report = walk, tolerance, report
        self.sheet = walk.drawing.sheet
        self.room = POINT_LIMIT

    def shapes(self, top: Any) -> Iterator[Shape]:
        """Yield the shapes of an element and of all within it, in the order of drawing."""
        for element, kind, place in self.walk.drawn(top):
            where = self.walk.where(element, place)
            try:
                made = self._text(element, place) if kind == "text" else self._outline(element, kind, place, where)
                properties = self._properties(element, kind, place) if made else {}
            except BadShapeError as fault:
                self.report.add(BAD_GEOMETRY, where, str(fault))
                continue
            for geometry in made:
                yield Shape(geometry, properties, where)

    def say(self, where: Location) -> None:
        """Report what was left out: one finding for each kind of thing."""
        for rule, found in ((NOT_A_SHAPE, self.walk.unread), (EFFECT_IGNORED, self.walk.ignored)):
            for text, count in listed(found):
                self.report.add(rule, where, text, count=count)
        if self.sheet.unread:
            some = ", ".join(list(dict.fromkeys(self.sheet.unread))[:3])
            text = f"rules of the style sheet are ignored: {len(self.sheet.unread)} ({some})"
            self.report.add(EFFECT_IGNORED, Location(file=self.walk.drawing.shown), text)

    def _outline(self, element: Any, kind: str, place: Place, where: Location) -> list[BaseGeometry]:
        """Return the geometries of one outline: at most one area and one line."""
        style = place.style
        paint = style.get("fill", "") if part_of(style.get("fill-opacity", "1")) else "none"
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

    def _text(self, element: Any, place: Place) -> list[BaseGeometry]:
        """Return the anchor of a text: where its first line begins, or is centred on."""
        path = next(iter(element.iter(f"{SVG}textPath")), None)
        if path is not None:
            self.walk.skip("texts on a path have no single place and are left out", element)
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

    def _properties(self, element: Any, kind: str, place: Place) -> dict[str, Any]:
        style = place.style
        plain = {"fill": "#000000", "stroke": "none"}
        paint = {key: self.walk.paint(style.get(key, value), element) for key, value in plain.items()}
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
            out["label"] = label_of(e) or out["label"]
            out["class"] = " ".join(filter(None, [out["class"], " ".join(e.get("class", "").split())]))
            out.update({k: value_of(v) for k, v in e.attrib.items() if isinstance(k, str) and k.startswith("data-")})
        out["name"] = out["label"] or out["title"] or words
        return out

    def _lettering(self, element: Any, place: Place, scale: float) -> dict[str, Any]:
        """Return how a text is set. Its first line may be styled by itself, as Inkscape does."""
        span = next(element.iter(f"{SVG}tspan"), None)
        style = place.style if span is None else computed(span, "tspan", self.sheet, place.style)
        try:
            size = (read_length(style.get("font-size", "16")) or 16.0) * scale
        except BadShapeError:
            size = 16.0 * scale
        plain = {"text-anchor": "start", "font-family": "", "font-weight": "normal", "font-style": "normal"}
        return {"font-size": round(size, 4), **{key: style.get(key, value) for key, value in plain.items()}}


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
