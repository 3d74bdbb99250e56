"""Hex geometry in sheet millimetres, y down: centres, corners, neighbours, numbering.

A grid lies square to its sheet; a drawing that is turned against the grid is turned back when it is read. Everything
works on arrays: cells are integer arrays of shape (n, 2) holding (column, row).

Sides and corners are numbered clockwise. Flat-topped hexes: side 0 is the top, then upper right, and so on. Pointy-
topped: side 0 is the upper right, side 1 the right. Corner i is where side i begins, going clockwise, so that side i
runs from corner i to corner i + 1.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SQRT3 = 3.0**0.5


@dataclass(frozen=True, slots=True)
class Numbering:
    """How hexes are numbered. The label joins a column part and a row part.

    order: which part comes first. column_start, row_start: number of the first column and row. digits: least digits,
    padded with zeros; 0 for none. letters: a part as A..Z, AA, AB.
    """

    order: Literal["column", "row"] = "column"
    column_start: int = 1
    row_start: int = 1
    column_digits: int = 2
    row_digits: int = 2
    column_letters: bool = False
    row_letters: bool = False
    separator: str = ""

    def label(self, column: int, row: int) -> str:
        """Write the label of a cell."""
        c = _number(column + self.column_start, self.column_digits, self.column_letters)
        r = _number(row + self.row_start, self.row_digits, self.row_letters)
        return c + self.separator + r if self.order == "column" else r + self.separator + c

    def cell(self, label: str) -> tuple[int, int] | None:
        """Read a label; None when it is none of this numbering."""

        def part(digits: int, letters: bool) -> str:
            return "([A-Z]+)" if letters else (rf"(-?\d{{{digits},}})" if digits else r"(-?\d+)")

        parts = [part(self.column_digits, self.column_letters), part(self.row_digits, self.row_letters)]
        if self.order == "row":
            parts.reverse()
        hit = re.fullmatch(parts[0] + re.escape(self.separator) + parts[1], label)
        if hit is None:
            return None
        first, second = hit.groups()
        c, r = (first, second) if self.order == "column" else (second, first)
        column = _unletter(c) if self.column_letters else int(c)
        row = _unletter(r) if self.row_letters else int(r)
        return column - self.column_start, row - self.row_start


def _number(n: int, digits: int, letters: bool) -> str:
    if not letters:
        return f"{n:0{digits}d}" if digits else str(n)
    text = ""
    while n > 0:
        n, rest = divmod(n - 1, 26)
        text = chr(65 + rest) + text
    return text


def _unletter(text: str) -> int:
    n = 0
    for ch in text:
        n = n * 26 + ord(ch) - 64
    return n


# Neighbours of a flat-topped cell by side, as (column, row) steps, for columns that are not shifted and that are.
_FLAT_STEPS = np.array(
    [
        [[0, -1], [1, -1], [1, 0], [0, 1], [-1, 0], [-1, -1]],
        [[0, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]],
    ]
)
# Pointy-topped: by side from the upper right, for rows that are not shifted and that are.
_POINTY_STEPS = np.array(
    [
        [[0, -1], [1, 0], [0, 1], [-1, 1], [-1, 0], [-1, -1]],
        [[1, -1], [1, 0], [1, 1], [0, 1], [-1, 0], [0, -1]],
    ]
)


@dataclass(frozen=True)
class HexGrid:
    """A grid of regular hexes on one sheet.

    orientation: flat or pointy top. pitch: millimetres between the centres of neighbours (also across flats).
    origin: centre of column 0, row 0 in millimetres. low: which columns (flat) or rows (pointy), counted from 0, are
    shifted by half a pitch, down or to the right.
    """

    orientation: Literal["flat", "pointy"]
    pitch: float
    origin: tuple[float, float]
    columns: int
    rows: int
    low: Literal["odd", "even"] = "odd"
    numbering: Numbering = field(default_factory=Numbering)

    @property
    def radius(self) -> float:
        """Distance from centre to corner, which is also the length of a hexside, in millimetres."""
        return self.pitch / SQRT3

    @property
    def area(self) -> float:
        """Area of one hex in square millimetres."""
        return self.pitch * self.pitch * SQRT3 / 2

    @cached_property
    def cells(self) -> Ints:
        """All cells, shape (columns * rows, 2), column by column."""
        c, r = np.meshgrid(np.arange(self.columns), np.arange(self.rows), indexing="ij")
        return np.stack([c.ravel(), r.ravel()], axis=1)

    def index(self, cells: ArrayLike) -> Ints:
        """Return the place of cells in `cells`, -1 for a cell off the grid. Shape (n,)."""
        c = np.asarray(cells, dtype=np.int64).reshape(-1, 2)
        on = (c[:, 0] >= 0) & (c[:, 0] < self.columns) & (c[:, 1] >= 0) & (c[:, 1] < self.rows)
        return np.where(on, c[:, 0] * self.rows + c[:, 1], -1)

    def shifted(self, cells: ArrayLike) -> Ints:
        """Return 1 for cells in a shifted column (flat) or row (pointy), else 0. Shape (n,)."""
        c = np.asarray(cells, dtype=np.int64).reshape(-1, 2)
        line = c[:, 0] if self.orientation == "flat" else c[:, 1]
        odd = line & 1
        return odd if self.low == "odd" else 1 - odd

    def centres(self, cells: ArrayLike) -> Floats:
        """Return the centres of cells in millimetres, shape (n, 2)."""
        c = np.asarray(cells, dtype=np.int64).reshape(-1, 2)
        s = self.shifted(c) / 2
        along, across = self.pitch, self.pitch * SQRT3 / 2
        x0, y0 = self.origin
        # The origin is the centre of cell (0, 0), whether or not its own column is a shifted one.
        base = 0.5 if self.low == "even" else 0.0
        if self.orientation == "flat":
            return np.stack([x0 + c[:, 0] * across, y0 + (c[:, 1] + s - base) * along], axis=1)
        return np.stack([x0 + (c[:, 0] + s - base) * along, y0 + c[:, 1] * across], axis=1)

    def corner_offsets(self) -> Floats:
        """Return the six corners relative to a centre, clockwise, corner i where side i begins. Shape (6, 2)."""
        start = -120.0 if self.orientation == "flat" else -90.0
        angle = np.radians(start + 60.0 * np.arange(6))
        return self.radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)

    def corners(self, cells: ArrayLike) -> Floats:
        """Return the corners of cells in millimetres, shape (n, 6, 2)."""
        return self.centres(cells)[:, None, :] + self.corner_offsets()[None, :, :]

    def neighbours(self, cells: ArrayLike) -> Ints:
        """Return the six neighbours of cells by side, also those off the grid. Shape (n, 6, 2)."""
        c = np.asarray(cells, dtype=np.int64).reshape(-1, 2)
        steps = _FLAT_STEPS if self.orientation == "flat" else _POINTY_STEPS
        return np.asarray(c[:, None, :] + steps[self.shifted(c)])

    def cube(self, cells: ArrayLike) -> Ints:
        """Return cube coordinates (q, r, s), q + r + s = 0, shape (n, 3)."""
        c = np.asarray(cells, dtype=np.int64).reshape(-1, 2)
        col, row = (c[:, 0], c[:, 1]) if self.orientation == "flat" else (c[:, 1], c[:, 0])
        shift = (col - (col & 1)) // 2 if self.low == "odd" else (col + (col & 1)) // 2
        r = row - shift
        return np.stack([col, r, -col - r], axis=1)

    def distance(self, a: ArrayLike, b: ArrayLike) -> Ints:
        """Return the distance in hexes between cells, shape (n,)."""
        return np.asarray(np.abs(self.cube(a) - self.cube(b)).max(axis=1))

    def cell_at(self, points: ArrayLike) -> Ints:
        """Return the cell whose centre is nearest to each point, also off the grid. points (n, 2) mm; shape (n, 2)."""
        p = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        x0, y0 = self.origin
        along, across = self.pitch, self.pitch * SQRT3 / 2
        flat = self.orientation == "flat"
        u = (p[:, 0] - x0 if flat else p[:, 1] - y0) / across
        v = (p[:, 1] - y0 if flat else p[:, 0] - x0) / along
        best = np.zeros((len(p), 2), dtype=np.int64)
        least = np.full(len(p), np.inf)
        for line in (np.floor(u).astype(np.int64), np.floor(u).astype(np.int64) + 1):
            shift = (line & 1) / 2 if self.low == "odd" else -(line & 1) / 2
            place = np.rint(v - shift).astype(np.int64)
            cells = np.stack([line, place] if flat else [place, line], axis=1)
            d = np.hypot(*(self.centres(cells) - p).T)
            nearer = d < least
            best[nearer] = cells[nearer]
            least = np.minimum(least, d)
        return best

    def label(self, column: int, row: int) -> str:
        """Write the printed number of a cell."""
        return self.numbering.label(column, row)
