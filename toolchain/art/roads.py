"""Roads and railways: links drawn as smooth lines through the middles of their spaces, or as the drawing has them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.art.ground import hex_union
from toolchain.art.links import LINES, breadth, is_near, line_marks, link_style
from toolchain.art.marks import Group, Mark
from toolchain.art.rivers import Edge, Node, chains, node
from toolchain.art.shapes import curve, rounded, sampled
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
    warmap: WarMap, links: Sequence[Link], drawing: Drawing, style: MapStyle, pitch: float
) -> dict[str, list[list[Point]]]:
    """Return the lines of roads and railways, kind by kind, so that all of a kind join at crossings.

    Where the style names a layer, its lines are kept as they are drawn. Else a link that was drawn follows its line,
    and others run from middle to middle in one curve through every space on the way, and on to the edge of the hexes
    where the drawing carries them over it. Kinds that run through the same hexes lie side by side. Railways come last.
    """
    kinds = sorted({k.kind for k in links}, key=lambda k: (-LINES.index(link_style(style, k).draw), k))
    out: dict[str, list[list[Point]]] = {kind: [] for kind in kinds}
    middles: dict[Node, Point] = {}
    edges: dict[str, set[Edge]] = {}
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
        own = [link for link in links if link.kind == kind]
        stretches = []
        for link in own:
            a, b = warmap.by_key[link.a].at, warmap.by_key[link.b].at
            if link.line:
                out[kind].append([a, *link.line, b])
            else:
                stretches.append((a, b))
        stretches += _over_the_edge(warmap, [link for link in own if not link.line], drawing, pitch)
        for a, b in stretches:
            middles |= {node(a): a, node(b): b}
        edges[kind] = {(min(node(a), node(b)), max(node(a), node(b))) for a, b in stretches}
    bridges = _bridges(warmap, style)
    beside = _side_by_side(edges, {k: breadth(link_style(style, k)) * pitch for k in edges})
    for kind, own_edges in edges.items():
        off = beside.get(kind, {})
        ways = [_led(chain, middles, off, bridges) for chain in through(own_edges)]
        out[kind] = ways + out[kind]
    return out


def _over_the_edge(warmap: WarMap, links: Sequence[Link], drawing: Drawing, pitch: float) -> list[tuple[Point, Point]]:
    """Return the last stretch of every road that the drawing carries out of the hexes: from a middle to their edge."""
    wheres = {link.where for link in links if link.where.element}
    lines = [
        part
        for layer in drawing.values()
        for shape in layer.shapes
        if shape.where in wheres
        for part in shapely.get_parts(shapely.line_merge(shape.geometry))
        if part.geom_type == "LineString"
    ]
    joined = {key for link in links for key in (link.a, link.b)}
    sheets = {warmap.by_key[key].sheet for key in joined}
    hexes = [s for s in warmap.spaces if lines and s.sheet in sheets and s.kind == "hex" and len(s.outline) > 2]
    if not hexes:
        return []
    board = hex_union(hexes)
    rim = board.boundary
    at = np.array([warmap.by_key[key].at for key in sorted(joined)])
    out: dict[Edge, tuple[Point, Point]] = {}
    for line in lines:
        if line.crosses(board):
            for way in (line, shapely.reverse(line)):
                tip = shapely.Point(way.coords[0])
                if board.covers(tip):
                    continue
                leaves = min(shapely.get_parts(way.intersection(rim)), key=way.project, default=None)
                if leaves is None:
                    continue
                x, y = shapely.get_coordinates(leaves)[0].tolist()
                far = np.hypot(*(at - (x, y)).T)
                nearest = int(far.argmin())
                if 0.1 * pitch < far[nearest] < 0.75 * pitch:
                    a, b = sorted((node((at[nearest, 0], at[nearest, 1])), node((x, y))))
                    out.setdefault((a, b), ((float(at[nearest, 0]), float(at[nearest, 1])), (x, y)))
    return [out[e] for e in sorted(out)]


Offsets = dict[Edge, tuple[Point, dict[Node, Point]]]
"""For each edge that several kinds share: how far one of them is moved aside on it, and at either of its ends."""


def _side_by_side(edges: dict[str, set[Edge]], widths: dict[str, float]) -> dict[str, Offsets]:
    """Move kinds that run along the same edges beside one another, kind by kind. widths: of the drawn lines, mm."""
    sharing: dict[tuple[str, ...], set[Edge]] = {}
    for e in sorted({e for own in edges.values() for e in own}):
        kinds = tuple(k for k in edges if e in edges[k])
        if len(kinds) > 1:
            sharing.setdefault(kinds, set()).add(e)
    out: dict[str, Offsets] = {}
    for kinds, shared in sharing.items():
        whole = sum(widths[k] for k in kinds)
        for chain in through(shared):
            ways = [(m[0] - n[0], m[1] - n[1]) for n, m in pairwise(chain)]
            lefts = [(y / math.hypot(x, y), -x / math.hypot(x, y)) for x, y in ways]
            closed = chain[0] == chain[-1]
            start = -whole / 2
            for kind in kinds:
                far = start + widths[kind] / 2
                start += widths[kind]
                for i, (n, m) in enumerate(pairwise(chain)):
                    ends: dict[Node, Point] = {}
                    for end, j in ((n, i - 1), (m, i + 1)):
                        if closed or 0 <= j < len(lefts):
                            (ax, ay), (bx, by) = lefts[i], lefts[j % len(lefts)]
                            # At a bend the line keeps its distance from both stretches.
                            k = far / max(0.5, 1 + ax * bx + ay * by)
                            ends[end] = (k * (ax + bx), k * (ay + by))
                    out.setdefault(kind, {})[min(n, m), max(n, m)] = (far * lefts[i][0], far * lefts[i][1]), ends
    return out


def _led(chain: Sequence[Node], middles: dict[Node, Point], off: Offsets, bridges: dict[Edge, Point]) -> list[Point]:
    """Lead a road through its middles: over the middle of every bridge on its way, and beside what runs there too."""

    def aside(n: Node, on: Sequence[Edge]) -> Point:
        moves = [off[e][1][n] for e in on if e in off and n in off[e][1]]
        x, y = middles[n]
        # Where a way of the same kind begins or ends beside a moved one, it meets that.
        moves = moves or [ends[n] for e, (_, ends) in off.items() if len(on) == 1 and n in e and n in ends][:1]
        return (x + moves[0][0], y + moves[0][1]) if moves and (len(on) == 1 or len(moves) == len(on)) else (x, y)

    steps: list[Edge] = [(min(n, m), max(n, m)) for n, m in pairwise(chain)]
    out = [aside(chain[0], steps[:1])]
    for i, (n, m) in enumerate(pairwise(chain)):
        out_of, into = middles[n], aside(m, steps[i : i + 2])
        (x, y), (u, v), e = out_of, middles[m], steps[i]
        dx, dy = off[e][0] if e in off else (0.0, 0.0)
        # Where it goes aside only at one end of a stretch, it has come all the way after the first third.
        parts = [t for t, plain in ((0.33, out[-1] == out_of), (0.67, into == (u, v))) if e in off and plain]
        parts = sorted([*parts, *([0.5] if e in bridges else [])])
        for t in parts:
            px, py = bridges[e] if t == 0.5 else (x + t * (u - x), y + t * (v - y))
            out.append((px + dx, py + dy))
        out.append(into)
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


def lanes(links: Sequence[Link], style: MapStyle, pitch: float) -> dict[frozenset[str], float]:
    """Return how wide all roads together are that join two spaces, mm, where they are several."""
    kinds: dict[frozenset[str], set[str]] = {}
    for link in links:
        kinds.setdefault(frozenset((link.a, link.b)), set()).add(link.kind)
    return {
        pair: sum(breadth(link_style(style, k)) for k in sorted(among)) * pitch
        for pair, among in kinds.items()
        if len(among) > 1
    }


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
    """Return all lines as one geometry, with the bends in which they are drawn."""
    return shapely.MultiLineString([sampled(run) for runs in lines.values() for run in runs if len(run) > 1])
