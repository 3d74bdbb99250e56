"""Everything to print and play in one PDF: a page of contents, the maps over home paper, counters, charts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from toolchain.art.imposition import SheetPages
from toolchain.art.mapsheet import MapSheet
from toolchain.art.marks import Group, Mark, Page, Paint, Path, polyline, shifted
from toolchain.art.pagepdf import pages_to_pdf
from toolchain.art.panels import wrapped
from toolchain.art.text import Anchor, outline
from toolchain.art.tiling import PAPERS, build_tile_pages, lay_tiles
from toolchain.model.game import Game

INK, PALE = "#1d1b18", "#8a857c"
MARGIN, TITLE, TEXT, LEADING = 22.0, 11.0, 4.2, 7.5  # mm

EDGE = 6.0  # that printers cannot print on, mm
BLANK = "left empty"

Chapter = tuple[str, Sequence[Page]]


def to_bundle(
    game: Game,
    maps: Mapping[str, MapSheet],
    counters: Mapping[str, Sequence[SheetPages]],
    charts: Mapping[str, Page],
    paper: str,
    overlap: float = 10.0,
) -> bytes:
    """Write the bundle. maps: sheets by name, tiled over `paper`; counters: sheets by size; charts: by title.

    Every counter sheet with a back begins on an odd page, so that a printer that prints on both sides puts the two on
    one leaf. Charts lie on a page of the paper where it is large enough.
    """
    chapters: list[Chapter] = []
    blank = Page(*PAPERS[paper], (), BLANK)
    titles = {s.name: s.title for s in game.map.sheets}
    for name, sheet in maps.items():
        pages = build_tile_pages(sheet.page, lay_tiles(sheet.page.width, sheet.page.height, paper, overlap))
        aside = [] if sheet.aside is None else [sheet.aside]
        chapters.append((f"Map: {titles.get(name) or name}" if len(maps) > 1 else "Map", [*pages, *aside]))
    for size, sheets in counters.items():
        before = 1 + sum(len(pages) for _, pages in chapters)
        sides: list[Page] = []
        for s in sheets:
            sides += [blank] * (s.back is not None and (before + len(sides)) % 2) + [s.front]
            sides += [s.back] if s.back is not None else []
        backs = " (print on both sides)" if any(s.back for s in sheets) else ""
        chapters.append((f"Counters, {size}{backs}", sides))
    chapters += [(title, [_on_paper(page, PAPERS[paper])]) for title, page in charts.items()]
    contents = _contents(game, chapters, PAPERS[paper])
    return pages_to_pdf([contents, *(page for _, pages in chapters for page in pages)], game.title)


def _on_paper(page: Page, paper: tuple[float, float]) -> Page:
    """Lay a page in the middle of a sheet of paper, turned if need be; a larger one stays as it is."""
    fits = [p for p in (paper, paper[::-1]) if page.width + 2 * EDGE <= p[0] and page.height + 2 * EDGE <= p[1]]
    if not fits:
        return page
    width, height = fits[0]
    at = shifted((width - page.width) / 2, min(MARGIN, (height - page.height) / 2))
    return replace(page, width=width, height=height, marks=(Group(page.marks, at),), trim=None, bleed=0.0)


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
        number += bool(pages) and pages[0].title == BLANK
        write(f"{number}–{last}" if last > number else str(number), TEXT, width - MARGIN, y, "sans", anchor="end")
        y += LEADING
        number = last + 1
    note = "Print at actual size: 100%, no fitting to the page."
    write(note, TEXT, MARGIN, height - MARGIN, "serif-italic", PALE)
    return Page(width, height, tuple(marks), f"{game.title}: contents")
