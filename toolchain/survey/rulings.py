"""The straight lines that a grid of hexes is made of, and where drawn lines and outlines cross them.

All hexsides of a grid lie on three families of parallel lines, half a pitch apart, on which every third stretch is a
hexside and the others run through the inside of hexes. All lines from the centre of a hex to those of its neighbours
lie on three other families. What a drawn line does on the grid is found from where it crosses them: whole arrays at a
time, and exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolchain.model.hexes import Floats, HexGrid, Ints

# Drawn lines are moved by this many millimetres, so that none runs exactly through a centre or a corner.
OFF = np.array([7.5488e-8, 5.6984e-8])
# A side is crossed as well where a line passes its end this near, mm; so none is missed where it runs through a corner.
REACH = 1e-6


@dataclass(frozen=True)
class Ruling:
    """A family of parallel lines, numbered along their normal; line 0 runs through the origin.

    origin: of the grid, mm. along, across: unit vectors, shape (2,). gap: mm from line to line.
    """

    origin: Floats
    along: Floats
    across: Floats
    gap: float

    def cross(self, a: Floats, b: Floats) -> Crossings:
        """Find where straight edges cross the lines. a, b: both ends of each edge, shape (n, 2), mm.

        An edge that ends on a line counts as if it ended a little beyond it on the side of greater numbers, so that a
        chain of edges crosses a line exactly as often as it changes sides.
        """
        a, b = a - self.origin, b - self.origin
        from_, to = a @ self.across / self.gap, b @ self.across / self.gap
        first = np.ceil(np.minimum(from_, to)).astype(np.int64)
        edge, nth = repeat(np.ceil(np.maximum(from_, to)).astype(np.int64) - first)
        line = first[edge] + nth
        part = (line - from_[edge]) / (to - from_)[edge]
        start, end = a @ self.along, b @ self.along
        return Crossings(self, edge, part, line, start[edge] + part * (end - start)[edge], (to > from_)[edge])

    def point(self, line: Ints, place: Floats) -> Floats:
        """Return points of lines, shape (n, 2). place: mm along the line."""
        return np.asarray(self.origin + line[:, None] * (self.gap * self.across) + place[:, None] * self.along)


@dataclass(frozen=True)
class Crossings:
    """Where edges cross the lines of a ruling, each of shape (n,).

    edge: which; part: how far along it, from 0 to 1. line: number; place: mm along the line. up: it crosses towards
    greater numbers.
    """

    ruling: Ruling
    edge: Ints
    part: Floats
    line: Ints
    place: Floats
    up: NDArray[np.bool_]


class Cover:
    """Where the lines of a ruling run inside an area."""

    def __init__(self, ruling: Ruling, a: Floats, b: Floats) -> None:
        """Cut the lines with the outline of an area: edges of valid polygons, all turned alike, holes the other way."""
        found = ruling.cross(a, b)
        self._width = 1.0 + 2.0 * float(np.abs(found.place).max(initial=0.0))
        key = found.line * self._width + found.place
        order = np.argsort(key, kind="stable")
        self._keys = key[order]
        sign = np.where(found.up, 1.0, -1.0)[order]
        self._turns = np.concatenate([[0.0], np.cumsum(sign)])
        self._sums = np.concatenate([[0.0], np.cumsum(sign * found.place[order])])

    def _before(self, line: Ints, place: Floats) -> Ints:
        bound = self._width / 2
        return np.asarray(np.searchsorted(self._keys, line * self._width + np.clip(place, -bound, bound)))

    def inside(self, line: Ints, place: Floats) -> NDArray[np.bool_]:
        """Tell which points of lines lie inside, shape (n,). place: mm along the line."""
        return np.asarray(self._turns[self._before(line, place)] != 0)

    def length(self, line: Ints, start: Floats, end: Floats) -> Floats:
        """Measure how much of stretches of lines lies inside, mm, shape (n,)."""
        i, j = self._before(line, start), self._before(line, end)
        return np.asarray(np.abs(end * self._turns[j] - start * self._turns[i] - (self._sums[j] - self._sums[i])))


@dataclass(frozen=True)
class Rulings:
    """The six families of a grid, those of side 0, 1 and 2 of every hex.

    sides: the lines on which hexsides lie; `along` runs clockwise round the hex, `across` outward. centres: the lines
    from centre to centre over that side; `along` runs outward.
    """

    grid: HexGrid

    @cached_property
    def _axes(self) -> list[tuple[Floats, Floats]]:
        corners = self.grid.corner_offsets()
        along = (corners[1:4] - corners[:3]) / self.grid.radius
        out = (corners[1:4] + corners[:3]) / self.grid.pitch
        return list(zip(along, out, strict=True))

    @cached_property
    def sides(self) -> tuple[Ruling, ...]:
        """The lines on which hexsides lie, by side."""
        origin = np.asarray(self.grid.origin, dtype=np.float64)
        return tuple(Ruling(origin, along, out, self.grid.pitch / 2) for along, out in self._axes)

    @cached_property
    def centres(self) -> tuple[Ruling, ...]:
        """The lines from centre to centre, by side."""
        origin = np.asarray(self.grid.origin, dtype=np.float64)
        return tuple(Ruling(origin, out, along, 1.5 * self.grid.radius) for along, out in self._axes)

    def place(self, ruling: Ruling, points: Floats) -> tuple[Ints, Floats]:
        """Return line and place of points that lie on lines of a ruling, each of shape (n,)."""
        p = points - ruling.origin
        return np.rint(p @ ruling.across / ruling.gap).astype(np.int64), p @ ruling.along

    def on_sides(self, a: Floats, b: Floats) -> Walk:
        """Find the hexsides that edges cross, and between which hexes; right in a corner, all that meet there."""
        third = 3 * self.grid.radius
        parts = []
        for ruling in self.sides:
            c = ruling.cross(a + OFF, b + OFF)
            shift = np.where(c.line & 1, 0.0, third / 2)
            nth = np.rint((c.place - shift) / third)
            middle = shift + nth * third
            on = np.abs(c.place - middle) < third / 6 + REACH
            parts.append((c, on, ruling.point(c.line, middle), ruling.across))
        return self._walk(parts)

    def on_centres(self, a: Floats, b: Floats) -> Walk:
        """Find the hexsides along which edges run: those nearest to them, which form a chain from corner to corner."""
        pitch = self.grid.pitch
        parts = []
        for ruling in self.centres:
            c = ruling.cross(a + OFF, b + OFF)
            shift = np.where(c.line & 1, 0.0, pitch / 2)
            middle = shift + np.rint((c.place - shift) / pitch) * pitch
            parts.append((c, np.ones(len(c.edge), dtype=bool), ruling.point(c.line, middle), ruling.along))
        return self._walk(parts)

    def _walk(self, parts: list[tuple[Crossings, NDArray[np.bool_], Floats, Floats]]) -> Walk:
        edge = np.concatenate([c.edge[on] for c, on, *_ in parts])
        part = np.concatenate([c.part[on] for c, on, *_ in parts])
        order = np.lexsort((part, edge))
        up = np.concatenate([c.up[on] for c, on, *_ in parts])[order]
        number = np.repeat(np.arange(len(parts)), [int(on.sum()) for _, on, *_ in parts])[order]
        half = self.grid.pitch / 2
        inner, outer = (
            self.grid.index(
                self.grid.cell_at(np.concatenate([middle[on] + s * half * out for _, on, middle, out in parts]))
            )[order]
            for s in (-1, 1)
        )
        return Walk(edge[order], part[order], number, inner, outer, up)


@dataclass(frozen=True)
class Walk:
    """Hexsides in the order in which edges meet them, each of shape (n,).

    edge: which; part: where on it, from 0 to 1. number: 0, 1 or 2: it is this side of the hex `inner` and the opposite
    one of `outer`; both are places in `grid.cells`, -1 off the grid. up: met outward from `inner`, or along the side
    clockwise round it.
    """

    edge: Ints
    part: Floats
    number: Ints
    inner: Ints
    outer: Ints
    up: NDArray[np.bool_]


def repeat(counts: NDArray[Any]) -> tuple[Ints, Ints]:
    """Return each index as often as counts says, and how often it has come before."""
    counts = np.maximum(counts, 0)
    index = np.repeat(np.arange(len(counts)), counts)
    nth = np.arange(len(index)) - np.repeat(np.cumsum(counts) - counts, counts)
    return index, nth
