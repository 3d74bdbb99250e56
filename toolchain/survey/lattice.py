"""Corners and sides of a grid as a network, and lines made to follow it.

A river that is printed along hexsides is a path on this network: it has no gaps, no spurs, and every side of it lies
between two known hexes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.model.hexes import SQRT3, Floats, HexGrid, Ints
from toolchain.survey.areas import edges_of
from toolchain.survey.rulings import OFF, Cover, Rulings

# A path that comes back to a corner after at most so many sides only went round a hex, or into a spur.
LOOP = 6


@dataclass(frozen=True)
class Lattice:
    """The network of a grid.

    corners: (m, 2) millimetres. cell_corners: (n, 6), the corners of each cell of the grid; cell_sides: (n, 6), its
    sides; beyond: (n, 6), the cell over each side, -1 at the rim. sides: (k, 2) corners, clockwise round the first
    cell. cells: (k, 2) places in `grid.cells`, the second -1 at the rim. number: (k,) side of the first cell.
    """

    grid: HexGrid
    corners: Floats
    cell_corners: Ints
    cell_sides: Ints
    beyond: Ints
    sides: Ints
    cells: Ints
    number: Ints

    @cached_property
    def rulings(self) -> Rulings:
        """The lines that the grid is made of."""
        return Rulings(self.grid)

    @cached_property
    def middles(self) -> Floats:
        """The middle of each side in millimetres, shape (k, 2)."""
        a, b = self.corners[self.sides[:, 0]], self.corners[self.sides[:, 1]]
        return np.asarray((a + b) / 2)

    def nearest(self, points: Floats) -> Ints:
        """Return the corner nearest to each point, -1 for points off the grid. Shape (n,)."""
        cell = self.grid.index(self.grid.cell_at(points))
        # The corner nearest to a point of a hex is one of the hex's own.
        own = self.cell_corners[cell]
        away = np.hypot(*np.moveaxis(self.corners[own] - points[:, None, :], 2, 0))
        return np.where(cell >= 0, own[np.arange(len(own)), away.argmin(axis=1)], -1)

    def cells_at(self, corners: Ints) -> Ints:
        """Return the cells that meet in corners, shape (n, 3), -1 for those off the grid."""
        turns = self.grid.corner_offsets() / 2
        near = self.grid.cell_at((self.corners[corners][:, None, :] + turns).reshape(-1, 2))
        # Half a side from a corner lie its three hexes, each seen from two of the six directions.
        cells = np.sort(self.grid.index(near).reshape(-1, 6), axis=1)
        new = np.ones(cells.shape, dtype=bool)
        new[:, 1:] = cells[:, 1:] != cells[:, :-1]
        return np.sort(np.where(new, cells, -1), axis=1)[:, 3:]

    def around(self, corner: int) -> list[tuple[int, int]]:
        """Return the neighbours of a corner, as (corner, side)."""
        cells = self.cells_at(np.array([corner]))[0]
        sides = np.unique(self.cell_sides[cells[cells >= 0]])
        ends = self.sides[sides]
        at = (ends == corner).any(axis=1)
        return [(a + b - corner, s) for s, (a, b) in zip(sides[at].tolist(), ends[at].tolist(), strict=True)]


def build_lattice(grid: HexGrid) -> Lattice:
    """Build the network of corners and sides of a grid."""
    cells = grid.cells
    # Corners lie on a lattice of half a side by half a pitch: whole numbers tell which of them are the same.
    flat = grid.orientation == "flat"
    steps = np.array([grid.pitch / SQRT3 / 2, grid.pitch / 2])
    steps = steps if flat else steps[::-1]
    middles = np.rint((grid.centres(cells) - grid.origin) / steps).astype(np.int64)
    turns = np.rint(grid.corner_offsets() / steps).astype(np.int64)
    low = middles.min(axis=0) - 2
    width, height = middles.max(axis=0) - low + 3
    keys = ((middles - low) @ [height, 1])[:, None] + turns @ [height, 1]
    used = np.zeros(width * height, dtype=bool)
    used[keys.ravel()] = True
    numbers = np.cumsum(used) - 1
    places = np.flatnonzero(used)
    corners = np.stack(np.divmod(places, height), axis=1) + low
    cell_corners = numbers[keys]

    beyond = grid.index(grid.neighbours(cells).reshape(-1, 2)).reshape(-1, 6)
    own = np.arange(len(cells))[:, None]
    first = (beyond > own) | (beyond < 0)
    cell, number = np.nonzero(first)
    cell_sides = np.full(first.shape, -1)
    cell_sides[first] = np.arange(len(cell))
    over = beyond[cell, number]
    inner = over >= 0
    cell_sides[over[inner], (number[inner] + 3) % 6] = np.flatnonzero(inner)
    sides = np.stack([cell_corners[cell, number], cell_corners[cell, (number + 1) % 6]], axis=1)
    both = np.stack([cell, over], axis=1)
    return Lattice(grid, corners * steps + grid.origin, cell_corners, cell_sides, beyond, sides, both, number)


@dataclass
class Path:
    """A stretch of a line along hexsides, without gaps and spurs.

    line: which. sides: in the order of the line; starts: the corner from which it enters each. first, last: the corners
    at which it begins and ends. whole: it begins, and it ends, with its line, and does not only leave the grid there.
    """

    line: int
    sides: list[int]
    starts: list[int]
    first: int
    last: int
    whole: list[bool] = field(default_factory=lambda: [False, False])

    def once(self) -> Path:
        """Return the path with a side that it comes back to only where it came first."""
        first: dict[int, int] = {}
        for side, start in zip(self.sides, self.starts, strict=True):
            first.setdefault(side, start)
        return replace(self, sides=list(first), starts=list(first.values()))


def follow(lattice: Lattice, lines: NDArray[np.object_]) -> list[Path]:
    """Find the hexsides that lines follow.

    lines: simple lines in sheet millimetres, from anywhere. Returns the paths in the order of the lines, and for every
    line in its own order, one for each stretch on the grid.

    Every point of a line belongs to the corner nearest to it. The regions of the corners are triangles between the
    centres of hexes; a line that passes from one to the next follows the side between their corners. So a path leaves
    the centre of every hex on the hand on which its line does.
    """
    points, of = shapely.get_coordinates(lines, return_index=True)
    edge = np.flatnonzero(of[1:] == of[:-1])
    walk = lattice.rulings.on_centres(points[edge], points[edge + 1])
    inside = walk.inner >= 0
    side = np.where(
        inside, lattice.cell_sides[walk.inner, walk.number], lattice.cell_sides[walk.outer, walk.number + 3]
    )
    side[~inside & (walk.outer < 0)] = -1
    # Clockwise round the first cell of a side; the opposite side of a cell runs the other way.
    back = walk.up != (lattice.number[side] == walk.number)
    ends = np.where(back[:, None], lattice.sides[side][:, ::-1], lattice.sides[side])
    line = of[edge[walk.edge]]
    tips = [
        lattice.nearest(points[np.flatnonzero(at)] + OFF).tolist()
        for at in (np.diff(of, prepend=-1), np.diff(of, append=len(lines)))
    ]
    tip = dict(zip(dict.fromkeys(of.tolist()), zip(*tips, strict=True), strict=True))
    # Right through a centre rounding may exchange what is met first: then the way between is looked for.
    paths: list[Path] = []
    begun = -1
    path, corners = Path(-1, [], [], -1, -1), [-1]
    ended = np.diff(line, append=-1) != 0
    for number, met, start, end, last in zip(
        line.tolist(), side.tolist(), *ends.T.tolist(), ended.tolist(), strict=True
    ):
        first = tip[number][0] if number != begun else -1
        begun = number
        if met < 0:
            path = Path(-1, [], [], -1, -1)
            continue
        if number != path.line:
            at_tip = start if first < 0 else first
            path, corners = Path(number, [], [], at_tip, at_tip), [at_tip]
            paths.append(path)
        _lead(lattice, path, corners, start)
        _go(path, corners, met, start, end)
        if last and tip[number][1] >= 0:
            _lead(lattice, path, corners, tip[number][1])
    out = []
    for path in paths:
        if path.sides:
            path.whole = [path.first == tip[path.line][0], path.last == tip[path.line][1]]
            out.append(path)
    return out


def _lead(lattice: Lattice, path: Path, corners: list[int], goal: int) -> None:
    """Lead a path to a corner near its end, if it is not there."""
    if corners[-1] != goal:
        for side, corner in way_to(lattice, corners[-1], goal.__eq__, lattice.corners[goal], (), 3):
            _go(path, corners, side, corner, int(lattice.sides[side].sum()) - corner)


def _go(path: Path, corners: list[int], side: int, start: int, end: int) -> None:
    """Add a side to a path. corners: those that it has passed."""
    recent = corners[-LOOP:]
    if end in recent:  # coming back to where the path was not long ago, forget the way between
        keep = len(corners) - recent[::-1].index(end)
        del corners[keep:], path.sides[keep - 1 :], path.starts[keep - 1 :]
    else:
        corners.append(end)
        path.sides.append(side)
        path.starts.append(start)
    path.first, path.last = corners[0], corners[-1]


def way_to(
    lattice: Lattice, start: int, goal: Callable[[int], bool], point: Floats, taken: Collection[int], reach: int
) -> list[tuple[int, int]]:
    """Find the shortest way from a corner to one of others, as (side, corner from which it is entered).

    goal: tells whether a corner will do; of several that are equally far the one nearest to `point` is taken. taken:
    sides that may not be used. reach: at most so many sides. Empty if there is no way, and from a corner that will do.
    """
    ways: dict[int, list[tuple[int, int]]] = {start: []}
    for _ in range(reach + 1):
        found = [c for c in ways if goal(c)]
        if found:
            return ways[min(found, key=lambda c: float(np.hypot(*(lattice.corners[c] - point))))]
        for corner, way in list(ways.items()):
            for beside, side in lattice.around(corner):
                if beside not in ways and side not in taken:
                    ways[beside] = [*way, (side, corner)]
    return []


def share_inside(lattice: Lattice, area: BaseGeometry) -> Floats:
    """Measure the share of every side's length that lies in an area, shape (k,). area: valid, in millimetres.

    A side that runs along the outline lies wholly inside or wholly outside.
    """
    a, b, _ = edges_of([area])
    share = np.zeros(len(lattice.sides))
    for i, ruling in enumerate(lattice.rulings.sides):
        which = np.flatnonzero(lattice.number % 3 == i)
        line, place = lattice.rulings.place(ruling, lattice.middles[which])
        half = lattice.grid.radius / 2
        share[which] = Cover(ruling, a, b).length(line, place - half, place + half) / lattice.grid.radius
    return np.asarray(np.clip(share, 0.0, 1.0))
