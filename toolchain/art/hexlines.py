"""Lines of the grid and rivers: every side once, every river a smooth line, its name beside it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.art.marks import Group, Mark, Paint, Path
from toolchain.art.rivers import GAIN, Edge, eased_places, edge, river_lines
from toolchain.art.shapes import curve, rounded
from toolchain.art.sides import hexside_style
from toolchain.art.text import measure, outline_along
from toolchain.model.drawing import Drawing
from toolchain.model.warmap import Hexside, Point, Space
from toolchain.sources.decode.mapstyle import HexsideStyle, MapStyle


def grid_lines(spaces: Sequence[Space], style: MapStyle) -> Group:
    """Draw every side of the grid once: plain where a neighbour may be entered, paler elsewhere and on water."""
    if not spaces:
        return Group((), layer="Grid")
    sizes = np.array([len(s.outline) for s in spaces])
    own = np.array([2 if s.enterable else int(s.terrain not in style.water.terrain) for s in spaces])
    first = np.array([p for s in spaces for p in s.outline])
    following = np.arange(1, len(first) + 1)
    following[np.cumsum(sizes) - 1] = np.cumsum(sizes) - sizes  # the last corner of each is joined to its first
    # A side is known by its ends, to a hundredth of a millimetre, whichever of its hexes comes first.
    keys = np.round(np.stack([first, first[following]], axis=1) * GAIN).astype(np.int64)
    swap = (keys[:, 0, 0] > keys[:, 1, 0]) | ((keys[:, 0, 0] == keys[:, 1, 0]) & (keys[:, 0, 1] > keys[:, 1, 1]))
    keys[swap] = keys[swap][:, ::-1]
    sides, which = np.unique(keys.reshape(-1, 4), axis=0, return_inverse=True)
    rank = np.zeros(len(sides), dtype=int)
    np.maximum.at(rank, which.ravel(), np.repeat(own, sizes))
    grid = style.grid
    marks: list[Mark] = []
    for wanted, colour, share in ((0, grid.on_water, 0.75), (1, grid.colour, 0.4), (2, grid.colour, 1.0)):
        ends = (sides[rank == wanted] / GAIN).tolist()
        if ends:
            data = "".join(f"M{a:.6g} {b:.6g}L{c:.6g} {d:.6g}" for a, b, c, d in ends)
            marks.append(Path(data, Paint(stroke=colour, width=grid.width, cap="round", opacity=grid.opacity * share)))
    return Group(tuple(marks), layer="Grid")


@dataclass(frozen=True)
class Rivers:
    """Rivers as they are drawn: their marks, all their lines, and the lines of each by name, for its lettering."""

    marks: Group
    lines: BaseGeometry
    named: Mapping[str, Sequence[Sequence[Point]]]
    widths: Mapping[str, float]


def draw_rivers(
    hexsides: Sequence[Hexside], drawing: Drawing, style: MapStyle, pitch: float, water: BaseGeometry
) -> Rivers:
    """Draw all hexsides whose kind is a river: along the hexsides, or as the drawing has them where the style says so.

    water: sea and lakes, into which rivers are led that end near them.
    """
    looks: dict[str, HexsideStyle] = {}
    sides: dict[Edge, tuple[str, str]] = {}
    drawn = drawn_rivers(drawing, style)
    widths: dict[str, float] = {}
    for h in hexsides:
        found = [hexside_style(style, k, h.name) for k in sorted(h.kinds)]
        rivers = sorted((f for f in found if f.draw == "river" and f.layer not in drawing), key=lambda f: f.width)
        if rivers:
            look = rivers[-1]
            key = f"{look.width:06.3f} {look.colour}"
            looks[key] = look
            widths[h.name] = max(look.width, widths.get(h.name, 0.0))
            if h.line:  # between two areas, where it runs as they do
                drawn.append((look, h.name, list(h.line)))
            else:
                sides[edge(h.ends)] = key, h.name
    places = eased_places(set(sides), pitch)
    lines = river_lines({e: key for e, (key, _) in sides.items()}, pitch, water, places)
    named = river_lines({e: name for e, (_, name) in sides.items()}, pitch, water, places)
    for look, name, line in drawn:
        key = f"{look.width:06.3f} {look.colour}"
        looks[key] = look
        lines.setdefault(key, []).append(line)
        named.setdefault(name, []).append(line)
        widths[name] = max(look.width, widths.get(name, 0.0))
    marks: list[Mark] = []
    for casing in (True, False):
        for key in sorted(lines):
            look = looks[key]
            colour, width = (look.edge, look.width * pitch + 0.5) if casing else (look.colour, look.width * pitch)
            if colour:
                data = "".join(curve(line) for line in lines[key])
                paint = Paint(stroke=colour, width=width, cap="round", join="round", opacity=0.8 if casing else 1.0)
                marks.append(Path(data, paint))
    shapes = [shapely.LineString(line) for key in sorted(lines) for line in lines[key]]
    return Rivers(Group(tuple(marks), layer="Rivers"), shapely.MultiLineString(shapes), named, widths)


def drawn_rivers(drawing: Drawing, style: MapStyle) -> list[tuple[HexsideStyle, str, list[Point]]]:
    """Return the look, name and line of every river that is drawn as the drawing has it."""
    out = []
    for look in style.hexside.values():
        if look.draw == "river" and look.layer in drawing:
            for shape in drawing[look.layer].shapes:
                name = str(shape.properties.get("name") or shape.properties.get("label") or "")
                for part in shapely.get_parts(rounded(shape.geometry)):
                    if part.geom_type == "LineString":
                        out.append((look, name, [(x, y) for x, y in shapely.simplify(part, 0.02).coords]))
    return out


def river_name_marks(
    rivers: Rivers, style: MapStyle, pitch: float, taken: Sequence[BaseGeometry], roads: BaseGeometry
) -> Group:
    """Write each river's name once, beside its straightest free stretch; leave it out where there is none.

    taken: names, symbols, numbers and bridges, which the letters must not touch. roads: they lie over the names, which
    keep off them where they can.
    """
    look = style.lettering.get("river")
    if look is None:
        return Group((), layer="River names")
    marks: list[Mark] = []
    trees = [shapely.STRtree([*taken, *shapely.get_parts(roads)]), shapely.STRtree(taken)]
    for name in sorted(rivers.named.keys() - {""}):
        off = (rivers.widths[name] / 2 + 0.038) * pitch
        size = look.size * pitch / 20
        width = measure(name, look.font, size, look.spacing) + size
        tried = (_free_stretch(rivers.named[name], width, size, off, 0.12 * pitch, tree) for tree in trees)
        best = next((found for found in tried if found is not None), None)
        if best is not None:
            stretch, lift = best
            smooth = shapely.segmentize(rounded(stretch, 3), 0.8)
            path = outline_along(name, look.font, size, list(smooth.coords), spacing=look.spacing, lift=lift)
            halo = Paint(stroke=style.sheet.paper, width=0.035 * pitch, join="round", opacity=0.7)
            marks += [Path(path, halo), Path(path, Paint(fill=look.colour))]
    return Group(tuple(marks), layer="River names")


def _free_stretch(
    lines: Sequence[Sequence[Point]], width: float, size: float, off: float, step: float, taken: shapely.STRtree
) -> tuple[BaseGeometry, float] | None:
    """Find the straightest stretch beside which a name may stand, and how far to lift the name above it, mm."""
    best: tuple[float, BaseGeometry, float] | None = None
    for points in lines:
        xy = np.array(points)
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(xy, axis=0).T))])  # mm from the line's start
        starts = np.arange(0.0, along[-1] - width, step)
        first, last = (np.stack([np.interp(d, along, v) for v in xy.T], axis=1) for d in (starts, starts + width))
        bends = width - np.hypot(*(last - first).T)
        costs = bends + np.abs(starts + width / 2 - along[-1] / 2) * 0.01
        for i in np.argsort(costs, kind="stable").tolist():
            if best is not None and costs[i] >= best[0]:
                break
            if bends[i] > 0.12 * width:
                continue
            inside = xy[(along > starts[i]) & (along < starts[i] + width)]
            stretch = shapely.LineString(np.concatenate([first[i : i + 1], inside, last[i : i + 1]]))
            if last[i, 0] < first[i, 0]:
                stretch = shapely.reverse(stretch)
            for lift in (off, -off - size * 0.62):
                side = shapely.offset_curve(stretch, -lift - size * 0.3, quad_segs=2)
                if not side.is_empty and not len(taken.query(side.buffer(size * 0.5, quad_segs=2), "intersects")):
                    best = (float(costs[i]), stretch, lift)
                    break
            if best is not None and best[0] == costs[i]:
                break
    return None if best is None else best[1:]
