"""Lines of the drawing that are drawn as they are: borders, limits of zones, and hexside kinds that keep their line."""

from __future__ import annotations

import shapely
from shapely.geometry.base import BaseGeometry
from shapely.ops import substring

from toolchain.art.marks import Group, Mark, Paint, Path
from toolchain.art.shapes import geometry_path, rounded
from toolchain.art.sides import ACROSS
from toolchain.art.text import measure, outline_along
from toolchain.model.drawing import Drawing, Layer
from toolchain.sources.decode.mapstyle import MapStyle, OverlayStyle, Stroke


def border_marks(lines: BaseGeometry, style: MapStyle, land: BaseGeometry) -> Group:
    """Draw the borders between countries as dash and dot, over a pale band."""
    data = geometry_path(shapely.simplify(shapely.line_merge(_lines_of(lines)), 0.05).intersection(land))
    if not data:
        return Group((), layer="Borders")
    band = Paint(stroke=style.land.border, width=1.1, opacity=0.14, join="round", cap="round")
    dash = Paint(stroke=style.land.border, width=0.3, dash=(2.2, 0.7, 0.3, 0.7), opacity=0.85, join="round")
    return Group((Path(data, band), Path(data, dash)), layer="Borders")


def overlay_marks(drawing: Drawing, style: MapStyle, pitch: float, frame: BaseGeometry) -> tuple[Group, BaseGeometry]:
    """Draw the overlays of the style in its order, and kinds of hexsides whose lines it takes from the drawing.

    Returns the marks, and their lines as one geometry, which names keep off.
    """
    marks: list[Mark] = []
    lines: list[BaseGeometry] = []
    for look in style.hexside.values():
        if look.layer in drawing and look.draw not in ("none", "river", *ACROSS):
            draw: Stroke = "dash" if look.draw == "dash" else "dots" if look.draw == "dots" else "line"
            width = max(look.width * pitch, 0.1)
            line = OverlayStyle(layer=look.layer, draw=draw, colour=look.colour, width=width)
            marks += _overlay(drawing[look.layer], line, style, frame, lines)
    for overlay in style.overlay.values():
        if overlay.layer in drawing:
            marks += _overlay(drawing[overlay.layer], overlay, style, frame, lines)
    return Group(tuple(marks), layer="Overlays"), shapely.union_all(lines)


def stroke_marks(data: str, look: OverlayStyle, paper: str) -> list[Mark]:
    """Paint a line in the look of an overlay."""
    w = look.width
    dash = {"dash": (w * 6, w * 4), "dashdot": (w * 8, w * 3, w, w * 3), "dots": (0.0, w * 2.2)}.get(look.draw, ())
    cap = "round" if look.draw == "dots" else "butt"
    if look.draw == "band":
        pale = Paint(stroke=look.colour, width=w * 5, opacity=0.25, join="round")
        return [Path(data, pale), Path(data, Paint(stroke=look.colour, width=w, join="round"))]
    halo = Paint(stroke=paper, width=w + 0.5, opacity=0.55, join="round")
    return [Path(data, halo), Path(data, Paint(stroke=look.colour, width=w, dash=dash, cap=cap, join="round"))]


def _overlay(
    layer: Layer, look: OverlayStyle, style: MapStyle, frame: BaseGeometry, all_lines: list[BaseGeometry]
) -> list[Mark]:
    marks: list[Mark] = []
    for shape in layer.shapes:
        lines = rounded(_lines_of(shape.geometry)).intersection(frame)
        all_lines.append(lines)
        marks += stroke_marks(geometry_path(shapely.line_merge(lines)), look, style.sheet.paper)
        letters = style.lettering.get(look.lettering)
        name = str(shape.properties.get("name") or shape.properties.get("label") or "")
        if letters is None or not name or lines.is_empty:
            continue
        name = name.upper() if letters.capitals else name
        longest = max(shapely.get_parts(shapely.line_merge(lines)), key=lambda g: g.length)
        wide = measure(name, letters.font, letters.size, letters.spacing)
        if longest.length > 2 * wide:  # near the start of the line, where a reader looks for it
            part = substring(longest, 0.5 * wide, 1.5 * wide + letters.size)
            along = list(shapely.segmentize(part, 1.0).coords)
            data = outline_along(
                name, letters.font, letters.size, along, spacing=letters.spacing, lift=1.2 + look.width
            )
            halo = Paint(stroke=style.sheet.paper, width=0.7, join="round", opacity=0.7)
            marks += [Path(data, halo), Path(data, Paint(fill=letters.colour))]
    return marks


def _lines_of(geometry: BaseGeometry) -> BaseGeometry:
    parts = []
    for g in shapely.get_parts(geometry):
        if g.geom_type == "Polygon":
            parts += [g.exterior, *g.interiors]
        elif g.geom_type in ("LineString", "LinearRing"):
            parts.append(g)
    return shapely.MultiLineString([list(p.coords) for p in parts])
