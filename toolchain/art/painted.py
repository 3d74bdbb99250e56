"""Layers of the drawing that are printed as they were painted: colours, outlines and texts of the designer's own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import shapely

from toolchain.art.marks import Group, Mark, Paint, Path, polyline
from toolchain.art.shapes import geometry_path
from toolchain.art.text import Anchor, outline
from toolchain.model.drawing import Drawing, Shape
from toolchain.sources.decode.mapstyle import MapStyle

_COLOUR = re.compile(r"#[0-9a-f]{6}")
_ANCHORS: dict[str, Anchor] = {"start": "start", "middle": "middle", "end": "end"}


def painted_marks(drawing: Drawing, style: MapStyle, over: str) -> Group:
    """Draw the layers that the style prints as they are: those "over" the ground, or those over everything.

    Areas and lines keep the fill, stroke and stroke width that they have in the drawing. Texts are set at their
    anchors, in the bundled font that comes nearest to their own.
    """
    marks: list[Mark] = []
    for own in style.painted.values():
        if own.over == over and own.layer in drawing:
            inner = tuple(mark for shape in drawing[own.layer].shapes for mark in _marks(shape))
            marks.append(Group(inner, opacity=own.opacity))
    return Group(tuple(marks), layer="Painted" if over == "ground" else "Painted over all")


def _marks(shape: Shape) -> Iterable[Mark]:
    fill, stroke = (_colour(shape.properties.get(key)) for key in ("fill", "stroke"))
    if shape.geometry.geom_type == "Point":
        yield from _text(shape, fill)
        return
    width = float(shape.properties.get("stroke-width") or 0.0)
    line = Paint(stroke=stroke, width=width, cap="round", join="round") if stroke and width else Paint()
    areas = [g for g in shapely.get_parts(shape.geometry) if g.geom_type == "Polygon"]
    if areas and (fill or line.stroke):
        yield Path(geometry_path(shapely.multipolygons(areas)), replace(line, fill=fill, even_odd=True))
    for part in shapely.get_parts(shape.geometry):
        if part.geom_type == "LineString" and line.stroke:
            yield Path(polyline(part.coords), line)


def _text(shape: Shape, fill: str | None) -> Iterable[Mark]:
    words, size = str(shape.properties.get("text") or ""), float(shape.properties.get("font-size") or 0.0)
    if words and fill and size:
        anchor = _ANCHORS.get(str(shape.properties.get("text-anchor")), "start")
        x, y = shape.geometry.x, shape.geometry.y
        yield Path(outline(words, _font(shape), size, x, y, anchor), Paint(fill=fill))


def _font(shape: Shape) -> str:
    """Return the bundled font nearest to that of a text."""
    own = {k: str(shape.properties.get(k, "")).casefold() for k in ("font-family", "font-weight", "font-style")}
    bold = own["font-weight"] in ("bold", "bolder", "600", "700", "800", "900")
    serif = re.search(r"(?<!sans-)(?<!sans )serif|garamond|times|georgia|roman", own["font-family"])
    if serif:
        return "serif-bold" if bold else "serif-italic" if own["font-style"] in ("italic", "oblique") else "serif"
    if "condensed" in own["font-family"] or "narrow" in own["font-family"]:
        return "condensed"
    return "sans-bold" if bold else "sans"


def _colour(value: object) -> str | None:
    text = str(value or "")
    return text if _COLOUR.fullmatch(text) else None
