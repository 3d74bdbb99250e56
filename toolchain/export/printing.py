"""Files to print and look at: counter faces and sheets, map sheets, and the pictures that a module wants.

Pages are drawn once, by `draw_maps` and `draw_faces`; the rest turns them into files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from toolchain.art.calibration import build_calibration
from toolchain.art.charts import build_chart
from toolchain.art.faces import build_hidden, build_plain_back, label_only, size_of
from toolchain.art.imposition import SheetPages, bleed_of_faces, build_sheets
from toolchain.art.mapsheet import MapSheet, build_grid_page, build_map_sheet
from toolchain.art.marks import Page, Paint, rectangle
from toolchain.art.marks import Path as Line
from toolchain.art.pagepdf import pages_to_pdf
from toolchain.art.pdf import svgs_to_pdf, to_pdf
from toolchain.art.png import MM_PER_INCH, svg_to_png_apart, to_png
from toolchain.art.svg import to_svg
from toolchain.art.tiling import build_home_pages, build_tile_pages, lay_tiles
from toolchain.export.facecache import FaceSet, draw_all
from toolchain.export.kept import render_pngs
from toolchain.export.manifest import manifest_csv, manifest_json, manifest_rows
from toolchain.export.vassal.board import Board, build_boards
from toolchain.export.vassal.choice import is_card, is_hidden
from toolchain.export.vassal.pictures import face_pictures, slug
from toolchain.export.vassal.prototypes import hidden_picture
from toolchain.model.drawing import Drawing
from toolchain.model.forces import Counter
from toolchain.model.game import Game
from toolchain.model.rulebook import Rulebook
from toolchain.model.warmap import WarMap
from toolchain.report import Location, Report
from toolchain.sources.decode.mapstyle import MapStyle
from toolchain.sources.decode.style import Style
from toolchain.sources.decode.vassal import VassalPlan

WHITE = "#ffffff"
GRID = "grid"
EDGE = 0.4  # mm, round hidden pieces
CHART_SCALE = 6.0  # pixels per millimetre: small type of charts stays legible

Pages = Mapping[str, Page]
"""One page for every sheet of the map, by the name of the sheet."""
Faces = FaceSet
"""The faces of every counter that could be drawn, the front first, by the id of the counter."""


def draw_maps(
    warmap: WarMap, drawing: Drawing, style: MapStyle, report: Report, rules: Rulebook | None = None
) -> dict[str, MapSheet]:
    """Draw every sheet of a map. rules: for the terrain chart; without them none is printed."""
    return {s.name: build_map_sheet(warmap, drawing, style, report, sheet=s.name, rules=rules) for s in warmap.sheets}


def draw_grids(warmap: WarMap, style: MapStyle) -> dict[str, MapSheet]:
    """Draw the grid of every sheet alone, to lay over a designer's own art."""
    return {s.name: MapSheet(build_grid_page(warmap, style, sheet=s.name), None) for s in warmap.sheets}


def draw_faces(game: Game, style: Style, report: Report, bleed: float = 0.0, cache: Path | None = None) -> Faces:
    """Draw every face of every counter. bleed: millimetres that what reaches the edge runs over it.

    cache: folder of the faces drawn before; None to draw all.
    """
    return draw_all(game.counters, style, report, bleed, cache)


def map_sheet_files(
    warmap: WarMap,
    sheets: Mapping[str, MapSheet],
    dpi: float = 0,
    stem: str = "map",
    paper: str = "",
    overlap: float = 10.0,
) -> dict[str, bytes]:
    """Write map sheets as SVG and PDF of their exact size; what found no room on one is the second page of its PDF.

    dpi: also as PNG, so many pixels to an inch. stem: first word of the names; that of grids leaves the PNG's ground
    transparent. paper: also a PDF of tiles for this paper at home, that overlap by so many mm.
    """
    out: dict[str, bytes] = {}
    for name, sheet in sheets.items():
        for page, more in ((sheet.page, ""), (sheet.aside, "-key")):
            if page is None:
                continue
            out[f"{stem}-{slug(name)}{more}.svg"] = to_svg(page).encode()
            if dpi:
                out[f"{stem}-{slug(name)}{more}.png"] = to_png(page, dpi, None if stem == GRID else WHITE)
        aside = [] if sheet.aside is None else [sheet.aside]
        out[f"{stem}-{slug(name)}.pdf"] = pages_to_pdf([sheet.page, *aside], warmap.title)
        if paper:
            tiles = build_tile_pages(sheet.page, lay_tiles(sheet.page.width, sheet.page.height, paper, overlap))
            beside = [p for page in aside for p in build_home_pages(page, paper, overlap)]
            out[f"{stem}-{slug(name)}-{paper}.pdf"] = pages_to_pdf([*tiles, *beside], warmap.title)
    return out


def face_files(game: Game, faces: Faces, dpi: float = 0, cache: Path | None = None) -> dict[str, bytes]:
    """Write every face as an SVG of its own. dpi: also as PNG, at this resolution; cache: as for `draw_faces`."""
    names = face_pictures(game.counters)
    out = {f"{names[i, n]}.svg": svg.encode() for i in faces for n, svg in enumerate(faces.svgs(i))}
    if dpi:
        pages = {f"{names[i, n]}.png": page for i, drawn in faces.items() for n, page in enumerate(drawn)}
        out |= render_pngs(pages, dpi, None, cache)
    return out


def build_counter_sheets(
    game: Game, style: Style, report: Report, cache: Path | None = None
) -> dict[str, tuple[SheetPages, ...]]:
    """Lay all counters out on sheets, by the name of their size; each counter as often as it is printed.

    A label that is turned in play is printed once. What is printed behind one-sided counters is as [sheet] says.
    """
    where = Location(file=f"counters/{game.name}/style.toml", key="sheet")
    sheet = style.sheet
    bleed = bleed_of_faces(sheet)
    faces = draw_faces(game, style, Report(), bleed, cache)
    out = {}
    for name, size in style.sizes.items():
        of_size = []
        for counter in game.counters:
            if size_of(counter, style) != name or not (pages := faces[counter.id]):
                continue
            if label_only(counter, style):
                pages = pages[:1]
            elif len(pages) == 1:
                back = build_plain_back(counter, style, bleed)
                pages = pages if back is None else (*pages, back)
            of_size.append((counter, pages))
        if of_size:
            out[name] = build_sheets(of_size, size, sheet, report, game.title, where)
    return out


def counter_sheet_files(
    game: Game, style: Style, report: Report, dpi: float = 0, cache: Path | None = None
) -> dict[str, bytes]:
    """Draw the counter sheets: an SVG for each side of each sheet, one PDF for each size, fronts and backs in turn.

    dpi: also a PNG of each page, so many pixels to an inch. With them comes a manifest of all counters, and the charts.
    What is wrong with a face was said by `draw_faces`; here only what is wrong with the sheets.
    """
    out: dict[str, bytes] = {}
    pictures: dict[str, Page] = {}
    for name, sheets in build_counter_sheets(game, style, report, cache).items():
        stem = f"sheet-{slug(name)}"
        pages: list[Page] = []
        svgs: list[tuple[str, float, float]] = []
        for number, sheet in enumerate(sheets, start=1):
            for side, page in (("front", sheet.front), ("back", sheet.back)):
                if page is not None:
                    svg = to_svg(page)
                    out[f"{stem}-{number}-{side}.svg"] = svg.encode()
                    pages.append(page)
                    svgs.append((svg, page.width, page.height))
                    pictures[f"{stem}-{number}-{side}.png"] = page
        if pages:
            out[f"{stem}.pdf"] = svgs_to_pdf(svgs, f"{game.title}: counters {name}", pages)
    for stem, chart in _charts(style, report).items():
        out[f"{stem}.svg"] = to_svg(chart).encode()
        out[f"{stem}.pdf"] = to_pdf([chart], f"{game.title}: {chart.title or stem}")
        pictures[f"{stem}.png"] = chart
    if dpi:
        out |= render_pngs(pictures, dpi, WHITE, cache)
    rows = manifest_rows(game.counters, game.setups, style.size)
    return out | {"manifest.csv": manifest_csv(rows), "manifest.json": manifest_json(rows)}


def chart_pictures(style: Style) -> dict[str, bytes]:
    """Render the charts and tracks of a style for the charts window of a module: chart-NAME.png.

    What is wrong with one is said where it is printed.
    """
    return {f"{stem}.png": _png(chart, CHART_SCALE) for stem, chart in _charts(style, Report()).items()}


def chart_pages(style: Style) -> dict[str, Page]:
    """Return the charts and tracks of a style, by title."""
    return {page.title or stem: page for stem, page in _charts(style, Report()).items()}


def _charts(style: Style, report: Report) -> dict[str, Page]:
    charts = {f"chart-{slug(name)}": build_chart(name, style, report) for name in style.charts}
    return {stem: page for stem, page in charts.items() if page is not None}


def calibration_files(style: Style) -> dict[str, bytes]:
    """Draw the page that shows how far a printer shifts the backs, as one PDF of two pages."""
    return {"calibration.pdf": to_pdf(build_calibration(style.sheet), "Calibration")}


def piece_pictures(
    counters: Sequence[Counter],
    faces: Faces,
    pixels_per_mm: float,
    cache: Path | None = None,
    hidden: Pages | None = None,
    svg: bool = False,
) -> dict[str, bytes]:
    """Render the pictures of a module's pieces: one for every face of a counter.

    pixels_per_mm: scale of the boards; counters have the same, so that they fit their hexes as printed. cache: folder
    of the pictures rendered before; None to render all. hidden: what others see of counters, by counter id. svg: as
    SVG, sharp at every zoom, in place of PNG.
    """
    names = face_pictures(counters)
    shown = {names[i, n]: page for i, drawn in faces.items() for n, page in enumerate(drawn)}
    shown |= {hidden_picture(names[i, 0]): page for i, page in (hidden or {}).items()}
    if svg:
        return {f"{n}.svg": _sized_svg(p, pixels_per_mm) for n, p in shown.items()}
    return render_pngs({f"{n}.png": p for n, p in shown.items()}, pixels_per_mm * MM_PER_INCH, None, cache)


def board_pictures(
    games: Sequence[Game], maps: Pages, pixels_per_mm: float, cache: Path | None = None
) -> dict[str, bytes]:
    """Render the boards of a module as PNG, in a process of their own.

    games: the game on every board that the module offers. maps: their sheets. cache: as for `piece_pictures`.
    """
    boards = [b for game in games for b in build_boards(game.map, pixels_per_mm)]
    pages = {f"{b.image}.png": _as_large(maps[b.sheet.name], b, pixels_per_mm) for b in boards}
    return render_pngs(pages, pixels_per_mm * MM_PER_INCH, None, cache, svg_to_png_apart)


def _as_large(page: Page, board: Board, pixels_per_mm: float) -> Page:
    """Return the page of a sheet, as large as its board; a pixel more or less is left to rounding."""
    wide, high = board.width / pixels_per_mm, board.height / pixels_per_mm
    return replace(page, width=max(page.width, wide), height=max(page.height, high))


def hidden_pages(game: Game, style: Style, plan: VassalPlan) -> dict[str, Page]:
    """Draw what others see of hidden pieces and cards, by counter id; an edge parts the pieces of a stack."""
    pages = [(c, build_hidden(c, style)) for c in game.counters if is_hidden(c, plan)]
    return {
        c.id: replace(page, title="", marks=page.marks if is_card(c, plan) else (*page.marks, _edge(page, c, style)))
        for c, page in pages
        if page is not None
    }


def _edge(page: Page, counter: Counter, style: Style) -> Line:
    size = style.sizes.get(size_of(counter, style))
    half = EDGE / 2
    around = rectangle(half, half, page.width - EDGE, page.height - EDGE, max(0.0, size.corner - half) if size else 0.0)
    return Line(around, Paint(stroke="#000000", width=EDGE, opacity=0.45))


def _sized_svg(page: Page, pixels_per_mm: float) -> bytes:
    size = max(1, round(page.width * pixels_per_mm)), max(1, round(page.height * pixels_per_mm))
    return to_svg(page, size).encode()


def _png(page: Page, pixels_per_mm: float) -> bytes:
    return to_png(page, pixels_per_mm * MM_PER_INCH)
