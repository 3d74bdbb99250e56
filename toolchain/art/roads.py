"""Roads and railways: links drawn as smooth lines through the middles of their spaces, or as the drawing has them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.art.links import LINES, is_near, line_marks, link_style
from toolchain.art.marks import Group, Mark
from toolchain.art.rivers import Edge, chains, node
from toolchain.art.shapes import curve, rounded
from toolchain.art.sides import hexside_style
from toolchain.model.drawing import Drawing
from toolchain.model.warmap import Link, Point, WarMap
from toolchain.sources.decode.mapstyle import MapStyle


def is_road(warmap: WarMap, link: Link, style: MapStyle, pitch: float) -> bool:
    """Tell whether a link is drawn as a road, a railway or a plain line."""
    a, b = warmap.by_key.get(link.a), warmap.by_key.get(link.b)
    drawn = link_style(style, link.kind).draw in LINES
    return drawn and a is not None and b is not None and is_near(a, b, pitch)


def road_lines(
    warmap: WarMap, links: Sequence[Link], drawing: Drawing, style: MapStyle
) -> dict[str, list[list[Point]]]:
    """Return the lines of roads and railways, kind by kind, so that all of a kind join at crossings.

    Where the style names a layer, its lines are kept as they are drawn. Else a link that was drawn follows its line,
    and others run from middle to middle in one curve through every space on the way. Railways come last.
    """
    kinds = sorted({k.kind for k in links}, key=lambda k: (-LINES.index(link_style(style, k).draw), k))
    out: dict[str, list[list[Point]]] = {}
    bridges = _bridges(warmap, style)
    for kind in kinds:
        layer = drawing.get(link_style(style, kind).layer)
        if layer is not None:
            out[kind] = [
                [(x, y) for x, y in part.coords]
                for shape in layer.shapes
                for part in shapely.get_parts(rounded(shape.geometry))
                if part.geom_type == "LineString"
            ]
            continue
        middles: dict[tuple[int, int], Point] = {}
        edges: set[Edge] = set()
        drawn: list[list[Point]] = []
        for link in links:
            if link.kind != kind:
                continue
            a, b = warmap.by_key[link.a].at, warmap.by_key[link.b].at
            if link.line:
                drawn.append([a, *link.line, b])
            else:
                middles |= {node(a): a, node(b): b}
                edges.add((min(node(a), node(b)), max(node(a), node(b))))
        out[kind] = [_over_bridges([middles[n] for n in chain], bridges) for chain in through(edges)] + drawn
    return out


def _bridges(warmap: WarMap, style: MapStyle) -> dict[Edge, Point]:
    """Return where bridges stand, the middle of their hexside, by the middles of the spaces that they join."""
    out: dict[Edge, Point] = {}
    for h in warmap.hexsides:
        if any(hexside_style(style, kind, h.name).draw == "bridge" for kind in h.kinds):
            a, b = sorted((node(warmap.by_key[h.a].at), node(warmap.by_key[h.b].at)))
            (x0, y0), (x1, y1) = h.ends
            out[a, b] = (x0 + x1) / 2, (y0 + y1) / 2
    return out


def _over_bridges(line: list[Point], bridges: dict[Edge, Point]) -> list[Point]:
    """Lead a road over the middle of every bridge on its way, whatever its curves."""
    out = line[:1]
    for a, b in pairwise(line):
        n, m = sorted((node(a), node(b)))
        out += [bridges[n, m]] if (n, m) in bridges else []
        out.append(b)
    return out


def through(edges: set[Edge]) -> list[list[tuple[int, int]]]:
    """Chain edges from middle to middle, straight on through crossings where two of them lie in line."""
    lines = chains(edges)
    ends: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for i, line in enumerate(lines):
        if line[0] != line[-1]:
            ends.setdefault(line[0], []).append((i, 0))
            ends.setdefault(line[-1], []).append((i, -1))
    pairs: dict[tuple[int, int], tuple[int, int]] = {}
    for at in sorted(ends):
        free = list(ends[at])
        if len(free) < 3:
            continue
        ways = {e: _way(lines[e[0]], e[1]) for e in free}
        found = sorted((ways[a][0] * ways[b][0] + ways[a][1] * ways[b][1], a, b) for a in free for b in free if a < b)
        for turn, a, b in found:
            if turn < -0.3 and a in free and b in free:  # they go on at least three quarters straight
                free.remove(a)
                free.remove(b)
                pairs[a], pairs[b] = b, a
    out, used = [], set()
    for i in sorted(range(len(lines)), key=lambda i: ((i, 0) in pairs, i)):
        if i in used:
            continue
        used.add(i)
        run, end = list(lines[i]), (i, -1)
        while (after := pairs.get(end)) is not None and after[0] not in used:
            used.add(after[0])
            run += lines[after[0]][1:] if after[1] == 0 else lines[after[0]][-2::-1]
            end = (after[0], -1 if after[1] == 0 else 0)
        end = (i, 0)
        while (after := pairs.get(end)) is not None and after[0] not in used:
            used.add(after[0])
            run = (lines[after[0]][:-1] if after[1] == -1 else lines[after[0]][:0:-1]) + run
            end = (after[0], 0 if after[1] == -1 else -1)
        out.append(run)
    return out


def _way(line: Sequence[tuple[int, int]], end: int) -> tuple[float, float]:
    """Return the direction in which a line leaves its end, of length one."""
    (x, y), (u, v) = (line[0], line[1]) if end == 0 else (line[-1], line[-2])
    length = ((u - x) ** 2 + (v - y) ** 2) ** 0.5 or 1.0
    return (u - x) / length, (v - y) / length


def road_marks(lines: dict[str, list[list[Point]]], style: MapStyle, pitch: float) -> Group:
    """Draw roads and railways from their lines."""
    marks: list[Mark] = []
    for kind, runs in lines.items():
        look = link_style(style, kind)
        marks += line_marks("".join(curve(run) for run in runs), look, look.width * pitch, style.sheet.paper)
    return Group(tuple(marks), layer="Roads")


def road_geometry(lines: dict[str, list[list[Point]]]) -> BaseGeometry:
    """Return all lines as one geometry."""
    return shapely.MultiLineString([run for runs in lines.values() for run in runs if len(run) > 1])
