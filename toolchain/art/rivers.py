"""Rivers along hexsides: one smooth line through the lattice of corners, so that every hexside it counts on shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.art.shapes import noise

Point = tuple[float, float]
Node = tuple[int, int]
Edge = tuple[Node, Node]

GAIN = 100  # corners are told apart to a hundredth of a millimetre


def node(point: Point) -> Node:
    """Return the key of a corner."""
    return round(point[0] * GAIN), round(point[1] * GAIN)


def edge(ends: tuple[Point, Point]) -> Edge:
    """Return the key of a hexside."""
    a, b = sorted((node(ends[0]), node(ends[1])))
    return a, b


def eased_places(sides: set[Edge], pitch: float) -> dict[Node | Edge, list[Point]]:
    """Return where rivers run: for each corner of their hexsides one point, for each hexside two on the way along it.

    Corners are moved a little towards their neighbours on the river, which takes the zigzag out of the lattice, and
    the points between a little to the side: no river runs straight.
    """
    edges = sorted(sides)
    if not edges:
        return {}
    ends = np.array(edges)  # (n, 2, 2)
    corners, which = np.unique(ends.reshape(-1, 2), axis=0, return_inverse=True)
    which = which.reshape(-1, 2)
    sums, count = np.zeros(corners.shape), np.zeros(len(corners))
    for here, there in ((0, 1), (1, 0)):
        np.add.at(sums, which[:, here], ends[:, there])
        np.add.at(count, which[:, here], 1)
    eased = corners + 0.34 * (sums / count[:, None] - corners) * (count > 1)[:, None]
    place = np.round(eased) / GAIN
    out: dict[Node | Edge, list[Point]] = {
        (int(x), int(y)): [(px, py)] for (x, y), (px, py) in zip(corners.tolist(), place.tolist(), strict=True)
    }
    t = np.array([0.34, 0.67])[None, :, None]
    a, b = place[which[:, 0]][:, None], place[which[:, 1]][:, None]
    between = a + (b - a) * t
    u, v = between[..., 0] * 40 / pitch, between[..., 1] * 40 / pitch
    between += np.stack([noise(u, v), noise(u, v, 2.3)], axis=-1) * 0.03 * pitch
    for one, two in zip(edges, between.tolist(), strict=True):
        out[one] = [(x, y) for x, y in two]
    return out


def river_lines(
    sides: Mapping[Edge, str],
    pitch: float,
    water: BaseGeometry | None = None,
    places: Mapping[Node | Edge, Sequence[Point]] | None = None,
) -> dict[str, list[list[Point]]]:
    """Draw rivers through hexsides.

    sides: the look of each hexside that is river. pitch: of the grid, mm. water: sea and lakes; a river that ends
    near water is led into it. places: see `eased_places`. Returns lists of points, to be smoothed, by look, in a
    stable order. Each line stays within an eighth of the pitch of its hexsides.
    """
    near: dict[Node, list[Node]] = defaultdict(list)
    for a, b in sorted(sides):
        near[a].append(b)
        near[b].append(a)
    place = eased_places(set(sides), pitch) if places is None else places
    out: dict[str, list[list[Point]]] = defaultdict(list)
    ends = _mouths([n for n, around in near.items() if len(around) == 1], near, pitch, water)
    by_look: dict[str, set[Edge]] = defaultdict(set)
    for e, name in sides.items():
        by_look[name].add(e)
    for look in sorted(by_look):
        for chain in chains(by_look[look]):
            line: list[Point] = []
            for a, b in pairwise(chain):
                line += place[a]
                line += place[a, b] if a < b else place[b, a][::-1]
            line += place[chain[-1]]
            if chain[0] in ends:
                line = _led(line[::-1], ends[chain[0]])[::-1]
            if chain[-1] in ends:
                line = _led(line, ends[chain[-1]])
            out[look].append(line)
    return dict(out)


def chains(edges: set[Edge]) -> list[list[Node]]:
    """Cut edges into chains that end where the line ends, forks or closes."""
    near: dict[Node, list[Node]] = defaultdict(list)
    for a, b in sorted(edges):
        near[a].append(b)
        near[b].append(a)
    left = set(edges)

    def walk(start: Node, step: Node) -> list[Node]:
        chain = [start, step]
        left.discard((min(start, step), max(start, step)))
        while len(near[chain[-1]]) == 2:
            following = [n for n in near[chain[-1]] if (min(chain[-1], n), max(chain[-1], n)) in left]
            if not following:
                break
            left.discard((min(chain[-1], following[0]), max(chain[-1], following[0])))
            chain.append(following[0])
        return chain

    chains = [walk(n, m) for n in sorted(near) if len(near[n]) != 2 for m in near[n] if (min(n, m), max(n, m)) in left]
    while left:  # rings
        chains.append(walk(*min(left)))
    return chains


def _mouths(
    tips: Sequence[Node], near: Mapping[Node, Sequence[Node]], pitch: float, water: BaseGeometry | None
) -> dict[Node, Point]:
    """Find for each tip of a river the place where it should meet the water: within half a pitch, on either side."""
    if water is None or water.is_empty or not tips:
        return {}
    shore = water.boundary
    shapely.prepare(water)
    out: dict[Node, Point] = {}
    for n in tips:
        tip = shapely.Point(n[0] / GAIN, n[1] / GAIN)
        if water.covers(tip):
            m = near[n][0]
            way = shapely.LineString([(m[0] / GAIN, m[1] / GAIN), (tip.x, tip.y)])
            hit = way.intersection(shore)
            if not hit.is_empty:
                back = max(shapely.get_parts(hit), key=lambda p: p.distance(tip)).centroid
                if back.distance(tip) < 0.4 * way.length:  # keep most of the hexside visibly a river
                    out[n] = (back.x, back.y)
        elif tip.distance(shore) < 0.45 * pitch:
            to = shapely.get_coordinates(shapely.shortest_line(tip, shore))[1]
            out[n] = (float(to[0]), float(to[1]))
    return out


def _led(line: list[Point], end: Point) -> list[Point]:
    """Let a line end at a point: drop what lies beyond, or run on to it."""
    tip, before = line[-1], line[-2]
    forward = (tip[0] - before[0]) * (end[0] - tip[0]) + (tip[1] - before[1]) * (end[1] - tip[1])
    return [*line[:-1], end] if forward < 0 else [*line, end]
