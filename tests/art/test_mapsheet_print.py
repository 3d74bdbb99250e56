"""Sheets as they are printed: PDF straight from marks, tiles over home paper, the grid alone, styles, small sheets."""

from __future__ import annotations

import io
import itertools
from dataclasses import replace

import numpy as np
import pytest
import shapely
from PIL import Image as Picture
from pypdf import PdfReader
from sheeted import LEGEND, sheet_map

from toolchain.art.mapsheet import build_grid_page, build_map_page, build_map_sheet
from toolchain.art.marks import Group, Page, Paint, Path, Use, circle, rectangle, shifted, walk
from toolchain.art.pagepdf import operators, pages_to_pdf
from toolchain.art.png import to_png
from toolchain.art.shapes import pieces
from toolchain.art.tiling import EDGE, PAPERS, build_tile_pages, lay_tiles
from toolchain.model.warmap import LegendEntry, Link
from toolchain.report import Report, Severity
from toolchain.sources.decode.mapstyle import base_style, classic_map_style, decode_map_style

STYLE = classic_map_style()


def plain():
    style = decode_map_style({"base": "plain"}, "style.toml", Report())
    assert style is not None
    return style


def sheet(warmap, style=STYLE, **options):
    return build_map_sheet(warmap, {}, style, Report(), **options)


def names(page: Page) -> set[str]:
    return {m.layer for m in walk(page.marks) if isinstance(m, Group) and m.layer}


# PDF --------------------------------------------------------------------------------------------------------------


def test_path_data_becomes_operators():
    said = operators("M0 0.5L3 4M5 6C1 2 3 4 5 6L-.5 7Z").split()
    assert " ".join(said) == "0 0.5 m 3 4 l 5 6 m 1 2 3 4 5 6 c -.5 7 l h"
    assert "".join(operators("M0 0Q3 3 6 0").split("\n")) == "0 0 m2 2 4 2 6 0 c"
    with pytest.raises(ValueError, match="only M L C Q Z"):
        operators("M0 0A1 1 0 0 0 2 2")


def test_pdf_has_the_size_and_the_same_bytes():
    page = sheet(sheet_map(size=(558.8, 863.6))).page
    data = pages_to_pdf([page], "War")
    assert data == pages_to_pdf([page], "War")
    (written,) = PdfReader(io.BytesIO(data)).pages
    assert [round(float(v) * 25.4 / 72, 2) for v in written.mediabox[2:]] == [558.8, 863.6]
    assert PdfReader(io.BytesIO(data)).metadata["/Title"] == "War"
    assert b"/Font" not in data


def test_pdf_places_symbols_once_and_keeps_opacity():
    marks = tuple(Use("dot", shifted(i * 3.0, 2.0)) for i in range(500))
    faint = Group((Path(rectangle(0, 0, 5, 5), Paint(fill="#ff0000", opacity=0.5)),), opacity=0.25)
    dot = Group((Path(circle(0, 0, 1), Paint(fill="#336699")),))
    page = Page(100, 50, (*marks, faint), symbols={"dot": dot})
    (written,) = PdfReader(io.BytesIO(pages_to_pdf([page]))).pages
    drawn = written.get_contents().get_data().decode()
    assert drawn.count(" Do Q") == 501
    forms = written["/Resources"]["/XObject"]
    assert len(forms) == 2, "one for the dot, one for the faint group"
    assert {float(s["/ca"]) for s in written["/Resources"]["/ExtGState"].values()} == {0.5, 0.25}


# Tiles ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("paper", sorted(PAPERS))
@pytest.mark.parametrize(
    ("width", "height", "overlap"), [(558.8, 863.6, 10), (200, 100, 0), (900, 250, 20), (80, 60, 5)]
)
def test_tiles_cover_the_sheet_and_fit_the_paper(paper, width, height, overlap):
    tiling = lay_tiles(width, height, paper, overlap)
    assert len(tiling.tiles) == tiling.rows * tiling.columns
    whole = shapely.union_all([shapely.box(t.left, t.top, t.right, t.bottom) for t in tiling.tiles])
    assert whole.symmetric_difference(shapely.box(0, 0, width, height)).area < 1e-6
    for t in tiling.tiles:
        left, top = tiling.corner(t)
        assert left >= EDGE - 1e-9 and top >= EDGE - 1e-9
    for a, b in itertools.pairwise(tiling.tiles[: tiling.columns]):
        assert a.right - b.left == pytest.approx(overlap)


def test_tiles_are_as_few_as_the_paper_allows():
    assert len(lay_tiles(558.8, 863.6, "a4").tiles) == 15
    assert len(lay_tiles(180, 270, "a4").tiles) == 1
    assert [t.name for t in lay_tiles(380, 540, "a4").tiles] == ["A1", "A2", "A3", "B1", "B2", "B3"]


def test_an_overlap_beyond_reason_is_refused():
    with pytest.raises(ValueError, match=r"between 0 and 52\.5"):
        lay_tiles(500, 500, "a4", 60)


def test_a_hex_stands_where_the_tiling_says_on_its_page():
    warmap = sheet_map(14, 12, size=(320, 300))
    target = next(s for s in warmap.spaces if s.cell == (9, 5))
    page = build_map_page(warmap, {}, STYLE, Report(), furniture=False)
    spot = Path(circle(*target.at, 2.0), Paint(fill="#ff00ff"))
    tiling = lay_tiles(page.width, page.height, "letter", 12)
    pages = build_tile_pages(replace(page, marks=(*page.marks, spot)), tiling)
    assert len(pages) == 1 + len(tiling.tiles)
    assert {(p.width, p.height) for p in pages} == {tiling.paper}
    shown = tiling.places(*target.at)
    assert shown
    for tile, drawn in zip(tiling.tiles, pages[1:], strict=True):
        pixels = np.array(Picture.open(io.BytesIO(to_png(drawn, 254, "#ffffff"))).convert("RGB"))
        y, x = np.nonzero((pixels == (255, 0, 255)).all(axis=2))
        if tile.name in shown and len(x) > 1200:  # the whole spot
            found = (x.mean() + 0.5) / 10, (y.mean() + 0.5) / 10
            assert found == pytest.approx(shown[tile.name], abs=0.1)
    assert sum(name in shown for name in (t.name for t in tiling.tiles)) == len(shown)


def test_tiles_hold_the_sheet_once():
    page = sheet(sheet_map(16, 14, terrain=lambda c, r: "forest", size=(330, 330))).page
    tiling = lay_tiles(page.width, page.height)
    one, all_ = len(pages_to_pdf([page])), len(pages_to_pdf(build_tile_pages(page, tiling)))
    assert len(tiling.tiles) >= 4 and all_ < 0.4 * (1 + len(tiling.tiles)) * one
    assert len(PdfReader(io.BytesIO(pages_to_pdf(build_tile_pages(page, tiling)))).pages) == 1 + len(tiling.tiles)


# The grid alone ---------------------------------------------------------------------------------------------------


def test_the_grid_alone_is_transparent_and_numbers_every_hex():
    warmap = sheet_map(4, 3, closed=lambda c, r: c == 0, terrain=lambda c, r: "sea" if c == 1 else "forest")
    page = build_grid_page(warmap, STYLE)
    assert names(page) == {"Grid", "Numbers"}
    assert sum(isinstance(m, Use) for m in walk(page.marks)) == 12 * 4
    assert len({m.paint for m in walk(page.marks) if isinstance(m, Path)}) == 1, "all sides alike"
    pixels = np.array(Picture.open(io.BytesIO(to_png(page, 100))).convert("RGBA"))
    assert (pixels[..., 3] == 0).mean() > 0.9
    assert names(build_grid_page(warmap, STYLE, numbers=False)) == {"Grid"}


# Furniture --------------------------------------------------------------------------------------------------------


def furniture(page: Page) -> list[Group]:
    return [m for g in page.marks if isinstance(g, Group) and g.layer == "Furniture" for m in g.marks]


def test_what_finds_no_quiet_place_goes_to_a_page_of_its_own():
    report = Report()
    warmap = sheet_map(6, 6)
    made = build_map_sheet(warmap, {}, STYLE, report)
    said = sorted((f.rule.code, f.severity, f.facts["panel"]) for f in report)
    assert said == [("C506", Severity.NOTE, "key"), ("C506", Severity.NOTE, "title")]
    assert made.aside is not None and not furniture(made.page)
    assert len(PdfReader(io.BytesIO(pages_to_pdf([made.page, made.aside]))).pages) == 2
    assert build_map_sheet(replace(warmap, spaces=()), {}, STYLE, Report()).aside is None


def test_furniture_shrinks_with_the_sheet():
    scales = []
    for size in ((900, 900), (330, 200)):
        made = sheet(sheet_map(6, 6, size=size))
        assert made.aside is None and len(furniture(made.page)) == 2
        inner = [m for panel in furniture(made.page) for m in panel.marks if isinstance(m, Group) and m.matrix[0] < 1]
        scales.append(min((m.matrix[0] for m in inner if m.matrix[0] in (0.85, 0.72, 0.6)), default=1.0))
    assert scales[0] == 1.0 and scales[1] < 1


def test_a_stated_place_over_hexes_is_a_warning():
    style = decode_map_style({"panels": {"title_at": [60, 60]}}, "style.toml", Report())
    report = Report()
    assert style is not None
    build_map_page(sheet_map(6, 6, size=(500, 500)), {}, style, report)
    assert [(f.rule.code, f.where.key) for f in report] == [("C503", "panels.title_at")]


# Roads ------------------------------------------------------------------------------------------------------------


def test_roads_and_railways_run_through_their_hexes():
    links = [Link("A", "B", "road"), Link("B", "C", "road"), Link("B", "D", "rail")]
    legend = (*LEGEND, LegendEntry("road", "link", "Road"), LegendEntry("rail", "link", "Railway"))
    at = {(1, 1): "A", (2, 2): "B", (3, 2): "C", (2, 3): "D"}
    warmap = sheet_map(6, 6, names=at, links=links, legend=legend, size=(400, 400))
    page = sheet(warmap).page
    (roads,) = [m for m in walk(page.marks) if isinstance(m, Group) and m.layer == "Roads"]
    paths = [m for m in roads.marks if isinstance(m, Path)]
    assert len(paths) == 2 + 3, "a cased road below a railway of three strokes"
    assert paths[0].data.count("M") == 1, "one line runs on through B"
    assert "Links" not in names(page)


# The plain style --------------------------------------------------------------------------------------------------

# Machado, Oliveira and Fernandes 2009, severity 1.0, in linear RGB.
VISIONS = {
    "full": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "grey": np.tile([0.2126, 0.7152, 0.0722], (3, 1)),
}
FAMILIES = {"hills": "heights", "peaks": "heights", "summits": "heights"}


def lightness(colour: str, vision: str) -> float:
    v = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4)
    seen = np.clip(VISIONS[vision] @ linear, 0, 1)
    y = float(seen @ [0.2126, 0.7152, 0.0722])
    return 116 * y ** (1 / 3) - 16 if y > 0.008856 else 903.3 * y


def terrains():
    style = plain()
    kinds = {n: t for n, t in style.terrain.items() if not t.like}
    looks = {n: (t.fill, FAMILIES.get(t.marks or "none", t.marks or "none")) for n, t in kinds.items()}
    return {**looks, "sea": (style.water.fill, "none")}


@pytest.mark.parametrize("vision", VISIONS)
def test_plain_terrains_can_be_told_apart(vision):
    for (a, (fill_a, marks_a)), (b, (fill_b, marks_b)) in itertools.combinations(terrains().items(), 2):
        apart = abs(lightness(fill_a, vision) - lightness(fill_b, vision))
        assert marks_a != marks_b or apart >= 8, (a, b, apart)


@pytest.mark.parametrize("vision", VISIONS)
def test_plain_text_and_lines_stand_out(vision):
    style = plain()
    for name, (fill, _) in terrains().items():
        below = lightness(fill, vision)
        ink = style.grid.on_water if name == "sea" else style.grid.number
        assert below - lightness(ink, vision) >= 45 and below - lightness(style.sheet.ink, vision) >= 45, name
        if name != "sea":
            for side in ("river", "major-river", "prohibited"):
                assert below - lightness(style.hexside[side].colour, vision) >= 30, (name, side)


def test_a_map_chooses_its_base_and_keeps_what_it_states():
    own = {"base": "plain", "terrain": {"forest": {"fill": "#123456"}}}
    style = decode_map_style(own, "style.toml", Report())
    assert style is not None and style.terrain["forest"].fill == "#123456"
    assert style.water.fill == base_style("plain")["water"]["fill"] != STYLE.water.fill


def test_another_base_brings_its_own_colours():
    own = {
        "terrain": {"forest": {"fill": "#123456"}, "bocage": {"fill": "#654321"}},
        "scale": {"per_hex": 5, "unit": "km"},
    }
    style = decode_map_style(own, "style.toml", Report(), "plain")
    assert style is not None and style.scale is not None and style.scale.per_hex == 5
    assert style.terrain["forest"].fill == base_style("plain")["terrain"]["forest"]["fill"]
    assert style.terrain["bocage"].fill == "#654321", "the plain style has none"


def test_an_unknown_base_is_a_finding():
    report = Report()
    style = decode_map_style({"base": "plane"}, "style.toml", report)
    assert style is not None and style.base == "classic"
    assert [f.rule.code for f in report] == ["C505"] and "did you mean 'plain'" in next(iter(report)).message


# Shapes -----------------------------------------------------------------------------------------------------------


def test_pieces_are_the_line():
    line = shapely.LineString([(i, (i * i) % 7) for i in range(60)])
    cut = pieces(line)
    assert len(cut) == 6 and sum(p.length for p in cut) == pytest.approx(line.length)
    assert shapely.union_all(list(cut)).equals(line)
