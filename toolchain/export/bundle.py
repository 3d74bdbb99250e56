"""Everything to print and play in one PDF: a page of contents, the maps over home paper, counters, charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from toolchain.art.imposition import SheetPages
from toolchain.art.mapsheet import MapSheet
from toolchain.art.marks import Mark, Page, Paint, Path, polyline
from toolchain.art.pagepdf import pages_to_pdf
from toolchain.art.panels import wrapped
from toolchain.art.text import Anchor, outline
from toolchain.art.tiling import PAPERS, build_tile_pages, lay_tiles
from toolchain.model.game import Game

INK, PALE = "#1d1b18", "#8a857c"
MARGIN, TITLE, TEXT, LEADING = 22.0, 11.0, 4.2, 7.5  # mm

Chapter = tuple[str, Sequence[Page]]


def to_bundle(
    game: Game,
    maps: Mapping[str, MapSheet],
    counters: Mapping[str, Sequence[SheetPages]],
    charts: Mapping[str, Page],
    paper: str,
    overlap: float = 10.0,
) -> bytes:
    """Write the bundle. maps: sheets by name, tiled over `paper`; counters: sheets by size; charts: by title."""
    chapters: list[Chapter] = []
    titles = {s.name: s.title for s in game.map.sheets}
    for name, sheet in maps.items():
        pages = build_tile_pages(sheet.page, lay_tiles(sheet.page.width, sheet.page.height, paper, overlap))
        aside = [] if sheet.aside is None else [sheet.aside]
        chapters.append((f"Map: {titles.get(name) or name}" if len(maps) > 1 else "Map", [*pages, *aside]))
    for size, sheets in counters.items():
        sides = [page for s in sheets for page in (s.front, s.back) if page is not None]
        backs = " (print on both sides)" if any(s.back for s in sheets) else ""
        chapters.append((f"Counters, {size}{backs}", sides))
    chapters += [(title, [page]) for title, page in charts.items()]
    contents = _contents(game, chapters, PAPERS[paper])
    return pages_to_pdf([contents, *(page for _, pages in chapters for page in pages)], game.title)


def _contents(game: Game, chapters: Sequence[Chapter], paper: tuple[float, float]) -> Page:
    width, height = paper
    marks: list[Mark] = []

    def write(text: str, size: float, x: float, y: float, font: str, ink: str = INK, anchor: Anchor = "start") -> None:
        marks.append(Path(outline(text, font, size, x, y, anchor), Paint(fill=ink)))

    y = MARGIN + TITLE
    write(game.title, TITLE, MARGIN, y, "serif-bold")
    y += LEADING
    for line in wrapped(game.description, "serif", TEXT, width - 2 * MARGIN):
        y += TEXT * 1.45
        write(line, TEXT, MARGIN, y, "serif")
    y += 2 * LEADING
    marks.append(Path(polyline([(MARGIN, y - LEADING), (width - MARGIN, y - LEADING)]), Paint(stroke=PALE, width=0.3)))
    number = 2
    for title, pages in chapters:
        write(title, TEXT, MARGIN, y, "sans-bold")
        last = number + len(pages) - 1
        write(f"{number}–{last}" if last > number else str(number), TEXT, width - MARGIN, y, "sans", anchor="end")
        y += LEADING
        number = last + 1
    note = "Print at actual size: 100%, no fitting to the page."
    write(note, TEXT, MARGIN, height - MARGIN, "serif-italic", PALE)
    return Page(width, height, tuple(marks), f"{game.title}: contents")
