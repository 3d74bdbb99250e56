"""Many faces on one picture, in rows of equal cells, as other programs want their counter and card sheets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from toolchain.art.marks import Group, Mark, Page, Pattern, Use, rectangle


@dataclass(frozen=True)
class Atlas:
    """One picture of faces. page: what to render. columns, rows: of cells; width, height: of one cell, mm."""

    page: Page
    columns: int
    rows: int
    width: float
    height: float

    def cell(self, number: int) -> tuple[float, float]:
        """Return the upper left corner of a cell, mm; cells count from the upper left, row by row."""
        return number % self.columns * self.width, number // self.columns * self.height


def build_atlas(faces: Sequence[Page | None], columns: int, rows: int = 0) -> Atlas:
    """Lay faces into cells, row by row; None leaves a cell free.

    columns: of cells. rows: 0 for as many as are needed. A cell is as large as the largest face, and every face lies
    in its upper left corner.
    """
    drawn = [f for f in faces if f is not None]
    width = max((f.width for f in drawn), default=1.0)
    height = max((f.height for f in drawn), default=1.0)
    rows = rows or max(1, -(-len(faces) // columns))
    symbols: dict[str, Group] = {}
    names: dict[tuple[Mark, ...], str] = {}
    marks: list[Mark] = []
    patterns: dict[str, Pattern] = {}
    for n, face in enumerate(faces):
        if face is None:
            continue
        name = names.setdefault(face.marks, f"face {len(names) + 1}")
        symbols[name] = Group(face.marks)
        symbols |= face.symbols
        patterns |= face.patterns
        corner = (1.0, 0.0, 0.0, 1.0, n % columns * width, n // columns * height)
        marks.append(Group((Use(name),), corner, clip=rectangle(0, 0, face.width, face.height)))
    page = Page(columns * width, rows * height, tuple(marks), symbols=symbols, patterns=patterns)
    return Atlas(page, columns, rows, width, height)
