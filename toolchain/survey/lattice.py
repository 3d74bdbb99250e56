"""Corners and sides of a grid as a network, and lines made to follow it.

A river that is printed along hexsides is a path on this network: it has no gaps, no spurs, and every side of it lies
between two known hexes.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.model.hexes import SQRT3, Floats, HexGrid, Ints

# A line is looked at every so many lengths of a hexside.
STEP = 0.2
# A path that comes back to a corner after at most so many sides only went round a hex, or into a spur.
LOOP = 6


@dataclass(frozen=True)
class Lattice:
    """The network of a grid.

    corners: (m, 2) millimetres. cell_corners: (n, 6), the corners of each cell of the grid. sides: (k, 2) corners,
    clockwise round the first cell. cells: (k, 2) places in `grid.cells`, the second -1 at the rim. number: (k,) side
    of the first cell.
    """

    grid: HexGrid
    corners: Floats
    cell_corners: Ints
    sides: Ints
    cells: Ints
    number: Ints

    @cached_property
    def beside(self) -> list[list[tuple[int, int]]]:
        """Neighbours of each corner, as (corner, side)."""
        out: list[list[tuple[int, int]]] = [[] for _ in self.corners]
        for side, (a, b) in enumerate(self.sides.tolist()):
            out[a].append((b, side))
            out[b].append((a, side))
        return out

    @cached_property
    def middles(self) -> Floats:
        """The middle of each side in millimetres, shape (k, 2)."""
        return np.asarray(self.corners[self.sides].mean(axis=1))

    def nearest(self, points: Floats) -> Ints:
        """Return the corner nearest to each point, -1 for points off the grid. Shape (n,)."""
        cell = self.grid.index(self.grid.cell_at(points))
        # The corner nearest to a point of a hex is one of the hex's own.
        own = self.cell_corners[cell]
        away = np.hypot(*np.moveaxis(self.corners[own] - points[:, None, :], 2, 0))
        return np.where(cell >= 0, own[np.arange(len(own)), away.argmin(axis=1)], -1)


def build_lattice(grid: HexGrid) -> Lattice:
    """Build the network of corners and sides of a grid."""
    cells = grid.cells
    places = grid.corners(cells).reshape(-1, 2)
    # Corners lie on a lattice of half a side by half a pitch: whole numbers tell which of them are the same.
    steps = (grid.pitch / SQRT3 / 2, grid.pitch / 2)
    units = np.rint((places - grid.origin) / (steps if grid.orientation == "flat" else steps[::-1])).astype(np.int64)
    _, first, inverse = np.unique(units, axis=0, return_index=True, return_inverse=True)
    cell_corners = inverse.reshape(-1, 6)

    beyond = grid.index(grid.neighbours(cells).reshape(-1, 2)).reshape(-1, 6)
    own = np.arange(len(cells))[:, None]
    cell, number = np.nonzero((beyond > own) | (beyond < 0))
    sides = np.stack([cell_corners[cell, number], cell_corners[cell, (number + 1) % 6]], axis=1)
    both = np.stack([cell, beyond[cell, number]], axis=1)
    return Lattice(grid, places[first], cell_corners, sides, both, number)


def snapped(lines: NDArray[np.object_]) -> NDArray[np.object_]:
    """Set lines on a grid of a nanometre: steps far below it would divide by almost nothing."""
    return np.asarray(shapely.transform(lines, lambda xy: xy.round(6)), dtype=object)


def follow(lattice: Lattice, lines: NDArray[np.object_]) -> list[list[list[int]]]:
    """Find the hexsides that lines follow.

    lines: simple lines in sheet millimetres. For every line the result has one list of sides for each run on the grid,
    in the order of the line. A run has no gap and no spur; a side that the line comes back to is there once.
    """
    lines = snapped(lines)
    length = shapely.length(lines)
    counts = np.maximum(np.ceil(length / (STEP * lattice.grid.radius)).astype(np.int64), 1) + 1
    line = np.repeat(np.arange(len(lines)), counts)
    nth = np.arange(len(line)) - np.repeat(np.cumsum(counts) - counts, counts)
    points = shapely.line_interpolate_point(lines[line], nth / (counts[line] - 1), normalized=True)
    corner = lattice.nearest(shapely.get_coordinates(points))
    new = np.ones(len(corner), dtype=bool)
    new[1:] = (corner[1:] != corner[:-1]) | (line[1:] != line[:-1])
    out: list[list[list[int]]] = [[] for _ in lines]
    runs: list[list[int]] = []
    last = -1
    for of, c in zip(line[new].tolist(), corner[new].tolist(), strict=True):
        if of != last:
            last, runs = of, [[]]
            out[of] = runs
        if c >= 0:
            runs[-1].append(c)
        elif runs[-1]:
            runs.append([])
    return [[path for run in runs if (path := _path(lattice, run, lines[i]))] for i, runs in enumerate(out)]


def _path(lattice: Lattice, corners: list[int], line: BaseGeometry) -> list[int]:
    """Join corners along a line to a path of sides without spurs and small loops."""
    if not corners:
        return []
    path = [corners[0]]
    taken: list[int] = []
    for goal in corners[1:]:
        for corner, side in _join(lattice, path[-1], goal, line):
            # Coming back to where the path was not long ago, forget the way between.
            back = next((i for i in range(len(path) - 1, max(len(path) - 1 - LOOP, -1), -1) if path[i] == corner), -1)
            if back >= 0:
                del path[back + 1 :], taken[back:]
            else:
                path.append(corner)
                taken.append(side)
    return list(dict.fromkeys(taken))


def _join(lattice: Lattice, start: int, goal: int, line: BaseGeometry) -> list[tuple[int, int]]:
    """Find the way from corner to corner that stays nearest to a line, as (corner, side) steps."""
    for corner, side in lattice.beside[start]:
        if corner == goal:
            return [(corner, side)]
    best = {start: 0.0}
    came: dict[int, tuple[int, int]] = {}
    heap = [(0.0, start)]
    while heap:
        cost, here = heapq.heappop(heap)
        if here == goal:
            break
        if cost > best[here]:
            continue
        for corner, side in lattice.beside[here]:
            away = shapely.distance(line, shapely.points(lattice.middles[side]))
            total = cost + lattice.grid.radius + 2 * float(away)
            if total < best.get(corner, np.inf):
                best[corner] = total
                came[corner] = (here, side)
                heapq.heappush(heap, (total, corner))
    way = []
    while goal != start:
        before, side = came[goal]
        way.append((goal, side))
        goal = before
    return way[::-1]


def share_inside(lattice: Lattice, area: BaseGeometry) -> Floats:
    """Measure the share of every side's length that lies in an area, shape (k,). area: valid, in millimetres."""
    a, b = lattice.corners[lattice.sides[:, 0]], lattice.corners[lattice.sides[:, 1]]
    side, where = _crossings(a, b, area)
    # The crossings divide a side into pieces that lie inside or outside as their middles do.
    count = len(a)
    number = np.concatenate([np.arange(count), np.arange(count), side])
    along = np.concatenate([np.zeros(count), np.ones(count), where])
    order = np.lexsort((along, number))
    number, along = number[order], along[order]
    piece = np.flatnonzero(number[1:] == number[:-1])
    of, start, end = number[piece], along[piece], along[piece + 1]
    real = end > start
    of, start, end = of[real], start[real], end[real]
    middle = a[of] + (b[of] - a[of]) * ((start + end) / 2)[:, None]
    shapely.prepare(area)
    inside = shapely.contains_xy(area, middle[:, 0], middle[:, 1])
    return np.bincount(of, (end - start) * inside, minlength=count).astype(np.float64)


def _crossings(a: Floats, b: Floats, area: BaseGeometry) -> tuple[Ints, Floats]:
    """Return where sides from a to b cross the outline of an area: the side, and the place along it from 0 to 1."""
    points, ring = shapely.get_coordinates(shapely.get_rings(shapely.get_parts(area)), return_index=True)
    joined = np.flatnonzero(ring[1:] == ring[:-1])
    p, q = points[joined], points[joined + 1]
    tree = shapely.STRtree(shapely.linestrings(np.stack([p, q], axis=1)))
    side, edge = tree.query(shapely.linestrings(np.stack([a, b], axis=1)), predicate="intersects")
    d, e, f = b[side] - a[side], q[edge] - p[edge], p[edge] - a[side]
    cross = d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0]
    slanted = cross != 0  # an edge along the side changes nothing by itself; its neighbours do
    where = (f[:, 0] * e[:, 1] - f[:, 1] * e[:, 0])[slanted] / cross[slanted]
    return side[slanted], np.clip(where, 0.0, 1.0)
