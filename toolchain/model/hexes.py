"""Hex geometry in sheet millimetres, y down: centres, corners, neighbours, numbering.

A grid lies square to its sheet; a drawing that is turned against the grid is turned back when it is read. Everything
works on arrays: cells are integer arrays of shape (n, 2) holding (column, row).

Sides and corners are numbered clockwise. Flat-topped hexes: side 0 is the top, then upper right, and so on. Pointy-
topped: side 0 is the upper right, side 1 the right. Corner i is where side i begins, going clockwise, so that side i
runs from corner i to corner i + 1.
"""

from __future__ import annotations

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
    """How the hexes of a grid are numbered. A label joins the number of the column and that of the row.

    order: which comes first. column_start, row_start: the least number of a column and of a row; 1 is A for letters.
    column_step, row_step: from one number to the next. column_digits, row_digits: least digits, padded with zeros; 0
    for none. column_letters, row_letters: A..Z, AA, AB, AC in place of digits. double_letters: after Z come AA, BB, CC,
    as in VASSAL. separator: between the two. column_from, row_from: where counting begins.

    stagger: how the numbers of shifted lines (columns of flat-topped hexes, rows of pointy-topped ones) lie beside
    those of the others. "down": a number lies half a hex lower in a shifted column, or further right in a shifted row.
    "up": half a hex higher, or further left. "between": every line has every second number, and the shifted lines have
    those that the others leave out: A02, A04 beside B03, B05. "falling", "rising": numbers run along the diagonal of
    the hexes, which falls or rises to the right (oblique numbering).
    """

    order: Literal["column", "row"] = "column"
    column_start: int = 1
    row_start: int = 1
    column_digits: int = 2
    row_digits: int = 2
    column_letters: bool = False
    row_letters: bool = False
    separator: str = ""
    column_step: int = 1
    row_step: int = 1
    double_letters: bool = False
    column_from: Literal["left", "right"] = "left"
    row_from: Literal["top", "bottom"] = "top"
    stagger: Literal["down", "up", "between", "falling", "rising"] = "down"

    def column_text(self, nth: int) -> str:
        """Write the number of the column that is counted as the nth, from 0."""
        n = self.column_start + self.column_step * nth
        return _number(n, self.column_digits, self.column_letters, self.double_letters)

    def row_text(self, nth: int) -> str:
        """Write the number of the row that is counted as the nth, from 0."""
        n = self.row_start + self.row_step * nth
        return _number(n, self.row_digits, self.row_letters, self.double_letters)


def _number(n: int, digits: int, letters: bool, double: bool) -> str:
    if not letters:
        return f"{n:0{digits}d}" if digits else str(n)
    if double:
        return chr(65 + (n - 1) % 26) * ((n - 1) // 26 + 1)
    text = ""
    while n > 0:
        n, rest = divmod(n - 1, 26)
        text = chr(65 + rest) + text
    return text


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
    shifted by half a pitch, down or to the right. stated: the label of every cell in the order of `cells`, where no
    numbering makes it, as on a map of several sheets; "" for cells without one.
    """

    orientation: Literal["flat", "pointy"]
    pitch: float
    origin: tuple[float, float]
    columns: int
    rows: int
    low: Literal["odd", "even"] = "odd"
    numbering: Numbering = field(default_factory=Numbering)
    stated: tuple[str, ...] = ()

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

    def counted(self, cells: ArrayLike) -> Ints:
        """Return how many columns and rows are counted before each cell, by the numbering. Shape (n, 2)."""
        c = np.asarray(cells, dtype=np.int64).reshape(-1, 2)
        n = self.numbering
        flat = self.orientation == "flat"
        line, place = c.T if flat else c.T[::-1]
        lines, places = (self.columns, self.rows) if flat else (self.rows, self.columns)
        line_back, place_back = n.column_from == "right", n.row_from == "bottom"
        if not flat:
            line_back, place_back = place_back, line_back
        # A place counts further by what its line is put out of step.
        factor = 2 if n.stagger == "between" else 1
        out = self._out_of_step(np.arange(lines))
        nth = factor * place + self._out_of_step(line)
        first, last = int(out.min()), factor * (places - 1) + int(out.max())
        nth = last - nth if place_back else nth - first
        line = lines - 1 - line if line_back else line
        return np.stack([line, nth] if flat else [nth, line], axis=1)

    def _out_of_step(self, line: Ints) -> Ints:
        """Return by how many numbers the places of lines are ahead of those of a line that begins at the origin."""
        odd = line & 1
        shifted = odd if self.low == "odd" else 1 - odd
        match self.numbering.stagger:
            case "up" | "between":
                return shifted
            case "falling":
                return -((line if self.low == "odd" else line + 1) // 2)
            case "rising":
                return np.asarray((line + 1 if self.low == "odd" else line) // 2)
        return np.zeros_like(line)

    def labels(self, cells: ArrayLike) -> NDArray[np.str_]:
        """Write the labels of cells, "" for cells off the grid. Shape (n,)."""
        c = np.asarray(cells, dtype=np.int64).reshape(-1, 2)
        at = self.index(c)
        if self.stated:
            return np.where(at >= 0, np.array(self.stated)[at], "")
        nth = self.counted(np.where((at >= 0)[:, None], c, 0))
        parts = []
        for axis, text in enumerate((self.numbering.column_text, self.numbering.row_text)):
            used, which = np.unique(nth[:, axis], return_inverse=True)
            words = np.array([text(n) for n in used.tolist()], dtype=np.str_)
            parts.append(words[which] if len(used) else words)
        if self.numbering.order == "row":
            parts.reverse()
        joined = np.strings.add(np.strings.add(parts[0], self.numbering.separator), parts[1])
        return np.asarray(np.where(at >= 0, joined, ""))

    @cached_property
    def _labels(self) -> list[str]:
        out: list[str] = self.labels(self.cells).tolist()
        return out

    @cached_property
    def _by_label(self) -> dict[str, int]:
        return {label: i for i, label in enumerate(self._labels) if label}

    def label(self, column: int, row: int) -> str:
        """Write the label of a cell, "" for one off the grid."""
        on = 0 <= column < self.columns and 0 <= row < self.rows
        return self._labels[column * self.rows + row] if on else ""

    def cell(self, label: str) -> tuple[int, int] | None:
        """Return the cell of the grid that has exactly this label, or None."""
        i = self._by_label.get(label)
        return None if i is None else divmod(i, self.rows)

    @property
    def repeated(self) -> str:
        """A label that two cells have, such as 1 + 11 and 11 + 1 without a separator; "" for none."""
        if len(self._by_label) == len(self._labels) - self._labels.count(""):
            return ""
        return next(label for i, label in enumerate(self._labels) if label and self._by_label[label] != i)
