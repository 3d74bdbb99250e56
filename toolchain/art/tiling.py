"""A large page over home paper: tiles that overlap, with crop marks, page numbers and a plan of how they lie."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from toolchain.art.marks import Group, Mark, Page, Paint, Path, Use, num, rectangle, shifted
from toolchain.art.text import fit, outline
from toolchain.report import counted

PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4), "a3": (297.0, 420.0), "tabloid": (279.4, 431.8)}
EDGE = 10.0  # mm that a printer at home may leave blank, and where the marks stand
INK, PALE, ACCENT = "#1d1b18", "#8a857c", "#b3261e"
WHOLE = "the whole sheet"


@dataclass(frozen=True)
class Tile:
    """One page: its name, and the part of the sheet that it shows, in sheet mm."""

    name: str
    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True)
class Tiling:
    """How tiles lie over a sheet. paper: width and height of every page, mm. tiles: row by row."""

    paper: tuple[float, float]
    overlap: float
    columns: int
    rows: int
    tiles: tuple[Tile, ...]

    def corner(self, tile: Tile) -> tuple[float, float]:
        """Return where the upper left corner of a tile's part stands on its page, mm."""
        return (self.paper[0] - (tile.right - tile.left)) / 2, (self.paper[1] - (tile.bottom - tile.top)) / 2

    def places(self, x: float, y: float) -> dict[str, tuple[float, float]]:
        """Return where a point of the sheet stands, by page: in mm from the page's upper left corner."""
        out = {}
        for t in self.tiles:
            if t.left <= x <= t.right and t.top <= y <= t.bottom:
                left, top = self.corner(t)
                out[t.name] = (x - t.left + left, y - t.top + top)
        return out


def lay_tiles(width: float, height: float, paper: str = "a4", overlap: float = 10.0) -> Tiling:
    """Lay tiles over a sheet with as few pages as the paper allows, upright or lying.

    width, height: of the sheet, mm. paper: a name of PAPERS. overlap: how much neighbours have in common, mm. All
    tiles are of one size, so that no page has a mere sliver. Raises KeyError for another paper, ValueError for an
    overlap that is negative or more than a quarter of the paper's shorter side.
    """
    short, tall = sorted(PAPERS[paper])
    if not 0 <= overlap <= short / 4:
        raise ValueError(f"the overlap must lie between 0 and {short / 4:g} mm")
    ways = []
    for page in ((short, tall), (tall, short)):
        columns, rows = (_count(s, p - 2 * EDGE, overlap) for s, p in zip((width, height), page, strict=True))
        ways.append((columns * rows, page, columns, rows))
    _, page, columns, rows = min(ways, key=lambda w: w[0])
    wide, high = (width + (columns - 1) * overlap) / columns, (height + (rows - 1) * overlap) / rows
    tiles = []
    for r in range(rows):
        for c in range(columns):
            left, top = c * (wide - overlap), r * (high - overlap)
            tiles.append(Tile(f"{_letters(r)}{c + 1}", left, top, left + wide, top + high))
    return Tiling(page, overlap, columns, rows, tuple(tiles))


def build_tile_pages(page: Page, tiling: Tiling) -> list[Page]:
    """Cut a sheet into pages for printing at home, after a page that shows how they lie.

    The sheet stands once in the file: every page shows its part of the same symbol.
    """
    # The table of symbols is one object for all pages, which is how the PDF knows that they share them.
    symbols = {**page.symbols, WHOLE: Group(page.marks)}
    size = tiling.paper
    out = [Page(*size, _plan(page, tiling), f"{page.title}: plan of the pages", symbols)]
    for number, tile in enumerate(tiling.tiles, start=1):
        left, top = tiling.corner(tile)
        window = rectangle(left, top, tile.right - tile.left, tile.bottom - tile.top)
        part = Group((Group((Use(WHOLE, shifted(left - tile.left, top - tile.top)),), clip=window),), layer="Sheet")
        marks = (part, Group(tuple(_edges(page.title, tiling, tile, number)), layer="Crop marks"))
        out.append(Page(*size, marks, f"{page.title}: {tile.name}", symbols))
    return out


def build_home_pages(page: Page, paper: str, overlap: float) -> list[Page]:
    """Set a page on home paper: in the middle of one sheet if it fits, else cut into tiles with their plan.

    Arguments as for `lay_tiles`.
    """
    for wide, high in (PAPERS[paper], PAPERS[paper][::-1]):
        if page.width <= wide - 2 * EDGE and page.height <= high - 2 * EDGE:
            at = shifted((wide - page.width) / 2, (high - page.height) / 2)
            return [Page(wide, high, (Group(page.marks, at),), page.title, page.symbols, page.patterns)]
    return build_tile_pages(page, lay_tiles(page.width, page.height, paper, overlap))


def _count(length: float, room: float, overlap: float) -> int:
    return max(1, math.ceil((length - overlap) / (room - overlap) - 1e-9))


def _letters(row: int) -> str:
    return ("" if row < 26 else _letters(row // 26 - 1)) + chr(ord("A") + row % 26)


def _lines(runs: Sequence[tuple[float, float, float, float]], paint: Paint) -> Path:
    return Path("".join(f"M{num(a)} {num(b)}L{num(c)} {num(d)}" for a, b, c, d in runs), paint)


def _edges(title: str, tiling: Tiling, tile: Tile, number: int) -> list[Mark]:
    """Draw crop marks at the corners, ticks where the neighbours begin, and the name of the page."""
    x0, y0 = tiling.corner(tile)
    x1, y1 = x0 + tile.right - tile.left, y0 + tile.bottom - tile.top
    gap, long = 1.5, 5.5
    crops = []
    for x, out in ((x0, -1), (x1, 1)):
        for y, up in ((y0, -1), (y1, 1)):
            crops += [(x + out * gap, y, x + out * (gap + long), y), (x, y + up * gap, x, y + up * (gap + long))]
    row, column = divmod(number - 1, tiling.columns)
    o = tiling.overlap
    across = [x for x, there in ((x0 + o, column > 0), (x1 - o, column < tiling.columns - 1)) if there and o]
    down = [y for y, there in ((y0 + o, row > 0), (y1 - o, row < tiling.rows - 1)) if there and o]
    ticks = [(x, y0 - gap - 3, x, y0 - gap) for x in across] + [(x, y1 + gap, x, y1 + gap + 3) for x in across]
    ticks += [(x0 - gap - 3, y, x0 - gap, y) for y in down] + [(x1 + gap, y, x1 + gap + 3, y) for y in down]
    marks: list[Mark] = [_lines(crops, Paint(stroke=INK, width=0.15))]
    if ticks:
        marks.append(_lines(ticks, Paint(stroke=PALE, width=0.15, dash=(0.8, 0.5))))
    foot = y1 + gap + 4.6
    marks.append(Path(outline(tile.name, "sans-bold", 5.0, x0 + 4, foot, "start"), Paint(fill=INK)))
    words = f"{title} · page {number} of {len(tiling.tiles)}"
    room = x1 - x0 - 70
    marks.append(Path(outline(words, "sans", fit(words, "sans", 2.6, room) or 2.0, x0 + 17, foot, "start"), _grey()))
    advice = _advice(tiling, row, column)
    marks.append(Path(outline(advice, "sans", 2.3, x1 - 4, foot, "end"), _grey()))
    return marks


def _grey() -> Paint:
    return Paint(fill="#5a554c")


def _advice(tiling: Tiling, row: int, column: int) -> str:
    """Say where this page lies over another: each over the one to its left and the one above."""
    over = [f"{_letters(row)}{column}"] * (column > 0) + [f"{_letters(row - 1)}{column + 1}"] * (row > 0)
    return f"lies over {' and '.join(over)}" if over else "lies lowest"


def _plan(page: Page, tiling: Tiling) -> tuple[Mark, ...]:
    """Draw the sheet small, the pages over it with their names, and how to put them together."""
    width, height = tiling.paper
    head, foot = 34.0, 34.0
    k = min((width - 2 * EDGE - 10) / page.width, (height - head - foot) / page.height)
    x0, y0 = (width - page.width * k) / 2, head + (height - head - foot - page.height * k) / 2
    size = fit(page.title, "serif-bold", 7.5, width - 40) or 3.0
    pages, rows = counted(len(tiling.tiles), "page"), counted(tiling.rows, "row")
    what = f"{pages}: {rows} (letters) of {tiling.columns} (numbers)"
    marks: list[Mark] = [
        Path(outline(page.title, "serif-bold", size, width / 2, 19), Paint(fill=INK)),
        Path(outline(what, "sans", 3.4, width / 2, 26.5), Paint(fill=INK)),
        Group((Use(WHOLE, shifted(x0, y0, k)),), opacity=0.55, layer="Sheet"),
        Path(rectangle(x0, y0, page.width * k, page.height * k), Paint(stroke=INK, width=0.3)),
    ]
    tall = min((tiling.tiles[0].bottom - tiling.tiles[0].top) * k * 0.3, 12.0)
    for t in tiling.tiles:
        box = rectangle(x0 + t.left * k, y0 + t.top * k, (t.right - t.left) * k, (t.bottom - t.top) * k)
        marks.append(Path(box, Paint(stroke=ACCENT, width=0.3)))
        x, y = x0 + (t.left + t.right) / 2 * k, y0 + (t.top + t.bottom) / 2 * k + tall * 0.36
        name = outline(t.name, "sans-bold", tall, x, y)
        marks += [
            Path(name, Paint(stroke="#ffffff", width=1.4, join="round", opacity=0.85)),
            Path(name, Paint(fill=ACCENT)),
        ]
    y = height - 24
    lines = [
        "Print at 100 %, without scaling. Cut each page along the marks at its corners.",
        f"Neighbours share {tiling.overlap:g} mm, from tick to edge: "
        "lay each page over the one to its left and the one above.",
    ]
    for i, line in enumerate(lines):
        fitting = fit(line, "sans", 2.9, width - 30) or 2.0
        marks.append(Path(outline(line, "sans", fitting, width / 2, y + i * 4.4), Paint(fill=INK)))
    left = width / 2 - 50
    marks.append(_lines([(left, y + 11, left + 100, y + 11)], Paint(stroke=INK, width=0.3)))
    marks.append(
        _lines([(left + i * 10, y + 9.5, left + i * 10, y + 11) for i in range(11)], Paint(stroke=INK, width=0.2))
    )
    marks.append(Path(outline("This line is 100 mm long.", "sans", 2.4, width / 2, y + 14.6), _grey()))
    return tuple(marks)
