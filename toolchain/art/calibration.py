"""Two pages that measure how far a printer shifts the backs."""

from __future__ import annotations

from toolchain.art.imposition import (
    DIE_INK,
    INK,
    MARK_LINE,
    Grid,
    paper_of,
    sheet_words,
    turns_about_vertical,
)
from toolchain.art.marks import Group, Mark, Page, Paint, Path, polyline
from toolchain.art.text import Anchor, outline
from toolchain.sources.decode.style import Sheet

_MIDDLE: Anchor = "middle"
_END: Anchor = "end"


def build_calibration(sheet: Sheet) -> tuple[Page, Page]:
    """Draw two pages that show how far a printer shifts the backs: print them on both sides of one sheet.

    Held against the light, each cross of the back lies on the scales of a front cross; the numbers where it lies are
    the X and Y of `--back-offset`. The back is drawn with the offset of the sheet, so that a second print shows zero.
    """
    paper = paper_of(sheet)
    vertical = turns_about_vertical(paper, sheet)
    # Right on the front is left on the back when the paper turns about a vertical axis; then up and down stay.
    signs = (1, -1) if vertical else (-1, 1)
    inset = sheet.margin + 22.0
    centres = [(x, y) for y in (inset, paper[1] / 2, paper[1] - inset) for x in (inset, paper[0] - inset)]
    front: list[Mark] = []
    back: list[Mark] = []
    for x, y in centres:
        front += _scales(x, y, signs)
        bx, by = (paper[0] - x, y) if vertical else (x, paper[1] - y)
        bx, by = bx + sheet.back_offset[0], by + sheet.back_offset[1]
        cross = polyline([(bx - 9, by), (bx + 9, by)]) + polyline([(bx, by - 9), (bx, by + 9)])
        back.append(Path(cross, Paint(stroke=DIE_INK, width=0.15)))
    grid = Grid(paper, (0.0, 0.0), (1, 1), (1, 1), (1.0, 1.0), (1.0, 1.0))
    how = (
        "1. Print both pages on one sheet, both sides, at actual size (100 %).",
        f"2. Turn over the {sheet.flip.replace('-', ' ')}. Hold the sheet against the light, this side to you.",
        "3. Read where the coloured cross of the back lies on the scales: X across, Y up and down.",
        "4. Give these as --back-offset X,Y or as back_offset in [sheet] of style.toml. Print again: it reads 0, 0.",
    )
    words = [
        Path(outline(t, "sans", 3.2, paper[0] / 2, paper[1] / 4 + 12 + 5.5 * i), Paint(fill=INK))
        for i, t in enumerate(how)
    ]
    pages = []
    for side, marks in (("front", [*front, *words]), ("back", back)):
        title = f"Calibration · {side}"
        layers = (Group(tuple(marks), layer=side), Group(tuple(sheet_words(title, sheet, grid)), layer="title"))
        pages.append(Page(*paper, layers, title))
    return pages[0], pages[1]


def _scales(x: float, y: float, signs: tuple[int, int]) -> list[Mark]:
    """Draw two crossing scales of 5 mm each way, every half millimetre marked, with the numbers to type."""
    lines, out = [polyline([(x - 8, y), (x + 8, y)]), polyline([(x, y - 8), (x, y + 8)])], []
    for i in range(-10, 11):
        at, long = i / 2, 0.9 if i % 2 == 0 else 0.45
        # Marks stand below the one line and left of the other, clear of the coloured cross for the most part.
        lines.append(polyline([(x + at, y), (x + at, y + long)]))
        lines.append(polyline([(x, y + at), (x - long, y + at)]))
        if i and i % 8 == 0:
            for j, (px, py, anchor) in enumerate(((x + at, y + 2.5, _MIDDLE), (x - 1.4, y + at + 0.55, _END))):
                number = signs[j] * i // 2
                words = f"+{number}" if number > 0 else f"−{-number}"
                out.append(Path(outline(words, "sans", 1.7, px, py, anchor), Paint(fill=INK)))
    for words, px, py in (("X", x + 9.5, y + 0.8), ("Y", x, y - 8.8)):
        out.append(Path(outline(words, "sans-bold", 2.4, px, py), Paint(fill=INK)))
    return [Path("".join(lines), Paint(stroke=INK, width=MARK_LINE)), *out]
