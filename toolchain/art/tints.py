"""What marks whole spaces: an edge or hatching for those of one trait, a plate or streets for those of one feature."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.art.marks import Group, Mark, Paint, Path
from toolchain.art.shapes import chance, geometry_path
from toolchain.model.warmap import Point, Space, WarMap
from toolchain.sources.decode.mapstyle import FeatureStyle, MapStyle, TraitTint


def feature_styles(space: Space, warmap: WarMap, style: MapStyle) -> dict[str, FeatureStyle]:
    """Return the looks of a space's features, in the order of the legend; unknown ones get a plain disc."""
    return {
        e.name: style.feature.get(e.name, FeatureStyle())
        for e in warmap.legend
        if e.kind == "feature" and e.name in space.features
    }


def tint_marks(warmap: WarMap, spaces: Sequence[Space], style: MapStyle, pitch: float, land: BaseGeometry) -> Group:
    """Tint spaces by trait and by feature. spaces: those of this sheet that may be entered and have an outline."""
    marks: list[Mark] = []
    patterns: list[Mark] = []
    for s in spaces:
        if not s.features:
            continue
        looks = feature_styles(s, warmap, style).values()
        for look in looks:
            if look.tint:
                data = geometry_path(shapely.Polygon(s.outline).buffer(-0.045 * pitch, join_style="mitre"))
                edge = Paint(stroke=look.colour, width=0.02 * pitch, dash=(0.06 * pitch, 0.04 * pitch))
                marks += [Path(data, Paint(fill=look.tint, fill_opacity=0.72)), Path(data, edge)]
            if look.pattern != "none":
                patterns += pattern_marks(look, s.outline, pitch, style.sheet.paper)
    for tint in style.tint:
        marks += _zone(tint, [s for s in spaces if s.traits.get(tint.trait) == tint.value], style, pitch, land)
    return Group((*marks, *patterns), layer="Zones")


def _zone(tint: TraitTint, spaces: Sequence[Space], style: MapStyle, pitch: float, land: BaseGeometry) -> list[Mark]:
    parts = []
    for wet in (False, True):
        inside = [shapely.Polygon(s.outline) for s in spaces if (s.terrain in style.water.terrain) == wet]
        if inside:
            whole = shapely.union_all(shapely.buffer(inside, 0.02, join_style="mitre"))
            parts.append(whole if wet else whole.intersection(land) if not land.is_empty else whole)
    if not parts:
        return []
    zone = shapely.union_all(parts)
    data = geometry_path(zone)
    if tint.draw == "fill":
        return [Path(data, Paint(fill=tint.colour, fill_opacity=0.28, even_odd=True))]
    if tint.draw == "hatch":
        return [
            Path(data, Paint(fill=tint.colour, fill_opacity=0.07, even_odd=True)),
            Path(hatching(zone, 0.11 * pitch), Paint(stroke=tint.colour, width=0.014 * pitch, opacity=0.55)),
            Path(data, Paint(stroke=tint.colour, width=0.02 * pitch, opacity=0.7, join="round")),
        ]
    marks: list[Mark] = [Path(data, Paint(fill=tint.colour, fill_opacity=0.06))]
    for reach, opacity in ((0.14, 0.14), (0.09, 0.2), (0.05, 0.5)):  # an edge that fades inward
        band = zone.difference(zone.buffer(-reach * pitch, join_style="mitre"))
        marks.append(Path(geometry_path(band), Paint(fill=tint.colour, fill_opacity=opacity, even_odd=True)))
    return marks


def hatching(area: BaseGeometry, apart: float) -> str:
    """Return path data of lines rising to the right over an area, so far apart (mm)."""
    if area.is_empty:
        return ""
    x0, y0, x1, y1 = area.bounds
    step = apart * math.sqrt(2)
    # Counted from the sheet's corner, so that the lines of neighbours run on.
    first, last = math.floor((x0 + y0) / step), math.ceil((x1 + y1) / step)
    lines = [[(k * step - y1 - 1, y1 + 1), (k * step - y0 + 1, y0 - 1)] for k in range(first, last + 1)]
    return geometry_path(shapely.MultiLineString(lines).intersection(area))


def pattern_marks(look: FeatureStyle, outline: Sequence[Point], pitch: float, paper: str) -> list[Mark]:
    """Draw streets or hatching over one space, within its outline."""
    shape = shapely.Polygon(outline).buffer(-0.035 * pitch, join_style="mitre")
    if look.pattern == "hatch":
        lines = Paint(stroke=look.colour, width=0.018 * pitch, opacity=0.6)
        edge = Paint(stroke=look.colour, width=0.03 * pitch, opacity=0.8, join="miter")
        return [Path(hatching(shape, 0.09 * pitch), lines), Path(geometry_path(shape), edge)]
    # Streets: blocks of houses of uneven size in a grid that is turned a little, with a square left open.
    x0, y0, x1, y1 = shape.bounds
    mx, my = (x0 + x1) / 2, (y0 + y1) / 2
    turn, cell = math.radians(18), 0.135 * pitch
    n = math.ceil(max(x1 - x0, y1 - y0) / cell)
    i, j = (v.ravel() for v in np.meshgrid(np.arange(-n, n), np.arange(-n, n)))
    luck = chance(i + mx, j + my)
    wide, tall = cell * (0.62 + 0.26 * chance(i, j, 1.0)), cell * (0.62 + 0.26 * chance(i, j, 2.0))
    c, s = math.cos(turn), math.sin(turn)
    houses = []
    for a, b, w, h, keep in zip(i.tolist(), j.tolist(), wide.tolist(), tall.tolist(), luck.tolist(), strict=True):
        if keep < 0.14:
            continue
        left, top = a * cell, b * cell
        ring = [(left, top), (left + w, top), (left + w, top + h), (left, top + h)]
        houses.append(shapely.Polygon([(mx + x * c - y * s, my + x * s + y * c) for x, y in ring]))
    blocks = np.array(houses, dtype=object)
    shapely.prepare(shape)
    blocks = blocks[shapely.intersects(shape, blocks)]
    inside = shapely.intersection(blocks, shape)
    return [
        Path(geometry_path(shape), Paint(fill=paper, fill_opacity=0.5)),
        Path("".join(geometry_path(b) for b in inside.tolist()), Paint(fill=look.colour, fill_opacity=0.5)),
        Path(geometry_path(shape), Paint(stroke=look.colour, width=0.02 * pitch, opacity=0.8)),
    ]


def pattern_sample(look: FeatureStyle, x: float, y: float, paper: str) -> list[Mark]:
    """Draw a pattern for the key, in a square about (x, y)."""
    ring = [(x - 3.4, y - 3.0), (x + 3.4, y - 3.0), (x + 3.4, y + 3.0), (x - 3.4, y + 3.0)]
    return pattern_marks(look, ring, 12.0, paper)
