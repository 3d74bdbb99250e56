"""Maps of every kind from a small drawing to the printed sheet: many small hexes, geomorphic, points, areas."""

from __future__ import annotations

import io
import re
from pathlib import Path

import numpy as np
import pytest
import shapely
from click.testing import CliRunner
from PIL import Image as Picture
from pypdf import PdfReader

from toolchain.art.areas import area_labels, border_lines
from toolchain.art.lettering import Letters
from toolchain.art.marks import Group, walk
from toolchain.cli import cli
from toolchain.model.warmap import LegendEntry, Sheet, Space, WarMap
from toolchain.report import Report, Severity
from toolchain.sources.decode.mapstyle import classic_map_style

ROOT = Path(__file__).parent.parent / "data" / "sheets"
STYLE = classic_map_style()
MM = 25.4 / 72
SIZES = {"operation": (260, 190), "quarter": (124.708, 90), "world": (280, 190), "realms": (200, 150)}
LAYERS = {
    "operation": {"Rivers", "Roads", "Crossings", "Overlays", "Names", "Numbers", "Zones", "River names", "Lettering"},
    "quarter": {"Rivers", "Roads", "Crossings", "Hexsides", "Symbols", "Names"},
    "world": {"Ways", "Points", "Symbols", "Names", "Tracks", "Furniture"},
    "realms": {"Borders_of_areas", "Rivers", "River_names", "Names"},
}


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """Every board printed once in each style, and tiled: by name and style, the folder."""
    out = {}
    for game in SIZES:
        for look in ("classic", "plain"):
            folder = out[game, look] = tmp_path_factory.mktemp(f"{game}-{look}")
            words = ["sheets", game, "--root", str(ROOT), "-o", str(folder), "--style", look, "--dpi", "40"]
            words += ["--tile", "a4"] if look == "classic" else []
            done = CliRunner().invoke(cli, words)
            assert done.exit_code == 0, done.output
    return out


def sheet_of(game):
    return "map-both" if game == "quarter" else "map-main"


@pytest.mark.parametrize("look", ["classic", "plain"])
@pytest.mark.parametrize("game", SIZES)
def test_every_kind_of_map_is_printed_whole(printed, game, look):
    folder = printed[game, look]
    svg = (folder / f"{sheet_of(game)}.svg").read_text("utf-8")
    found = {w.replace("&#160;", " ") for w in re.findall(r'inkscape:label="([^"]+)"', svg)}
    wanted = {w.replace("_", " ") for w in LAYERS[game]}
    assert wanted <= found, wanted - found
    (page, *_) = PdfReader(folder / f"{sheet_of(game)}.pdf").pages
    width, height = SIZES[game]
    width *= 2 if game == "quarter" else 1
    assert [float(v) * MM for v in page.mediabox[2:]] == pytest.approx([width, height], abs=0.1)
    pixels = np.array(Picture.open(folder / f"{sheet_of(game)}.png").convert("RGB"))
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 200


@pytest.mark.parametrize("game", SIZES)
def test_tiles_come_with_a_plan_and_overlap(printed, game):
    pages = PdfReader(printed[game, "classic"] / f"{sheet_of(game)}-a4.pdf").pages
    assert len(pages) >= 3, "a plan and two pages at least"
    assert {tuple(sorted(round(float(v) * MM) for v in p.mediabox[2:])) for p in pages} == {(210, 297)}


def test_each_geomorphic_sheet_is_printed_by_itself(printed):
    names = {p.name for p in printed["quarter", "classic"].iterdir()}
    assert {f"map-{n}.{kind}" for n in ("a", "b", "both") for kind in ("svg", "pdf", "png")} <= names
    (page, *_) = PdfReader(printed["quarter", "classic"] / "map-a.pdf").pages
    assert [float(v) * MM for v in page.mediabox[2:]] == pytest.approx(SIZES["quarter"], abs=0.1)


def test_the_same_drawing_gives_the_same_bytes(printed, tmp_path):
    words = ["sheets", "operation", "--root", str(ROOT), "-o", str(tmp_path), "--tile", "a4", "--dpi", "40"]
    assert CliRunner().invoke(cli, words).exit_code == 0
    for file in printed["operation", "classic"].glob("map-*"):
        assert file.read_bytes() == (tmp_path / file.name).read_bytes(), file.name


def test_the_grid_of_every_kind_of_hex_map_is_printed_alone(tmp_path):
    for game in ("operation", "quarter"):
        words = ["sheets", game, "--root", str(ROOT), "-o", str(tmp_path / game), "--grid-only", "--dpi", "40"]
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 0, done.output
        (png, *_) = sorted((tmp_path / game).glob("grid-*.png"))
        pixels = np.array(Picture.open(io.BytesIO(png.read_bytes())).convert("RGBA"))
        assert (pixels[..., 3] == 0).mean() > 0.6


# Areas ------------------------------------------------------------------------------------------------------------


def ring(*points):
    return tuple((float(x), float(y)) for x, y in points)


def realm(*areas):
    legend = (LegendEntry("clear", "terrain"), LegendEntry("sea", "terrain", traits={"water": "yes"}))
    return WarMap("a", "A", (Sheet("main", 200, 100),), areas, legend=legend)


FRAME = shapely.box(0, 0, 200, 100)
WEST = Space("West", "area", (30, 50), "West", outline=ring((5, 5), (90, 5), (90, 20), (20, 20), (20, 90), (5, 90)))


def test_a_name_stands_within_its_area_even_if_it_is_bent():
    report = Report()
    marks, taken = area_labels(realm(WEST), [WEST], STYLE, FRAME, Letters(), report)
    assert not list(report) and marks.marks
    assert all(shapely.Polygon(WEST.outline).covers(t) for t in taken)


def test_a_name_shrinks_to_its_area_and_is_a_finding_where_it_does_not_fit():
    small = Space("S", "area", (0, 0), "Schleswig-Holstein", outline=ring((5, 5), (35, 5), (35, 20), (5, 20)))
    tiny = Space("T", "area", (0, 0), "Schleswig-Holstein", outline=ring((5, 5), (12, 5), (12, 9), (5, 9)))
    report = Report()
    area_labels(realm(small), [small], STYLE, FRAME, Letters(), report)
    assert not list(report)
    area_labels(realm(tiny), [tiny], STYLE, FRAME, Letters(), report)
    assert [(f.rule.code, f.severity) for f in report] == [("C501", Severity.WARNING)]


def test_a_border_is_drawn_once_and_not_along_the_coast():
    west = Space("W", "area", (0, 0), "W", outline=ring((10, 10), (60, 10), (60, 60), (10, 60)), terrain="clear")
    east = Space("E", "area", (0, 0), "E", outline=ring((60.1, 10), (110, 10), (110, 60), (60.1, 60)), terrain="clear")
    land = shapely.box(10, 10, 110, 60)
    group = border_lines([west, east], STYLE, land, shapely.MultiLineString())
    numbers = [[float(v) for v in re.findall(r"[\d.]+", m.data)] for m in walk([group]) if not isinstance(m, Group)]
    assert len(numbers) == 2, "a bank and a line"
    for xy in numbers:
        assert {round(x) for x in xy[::2]} == {60} and min(xy[1::2]) < 11 and max(xy[1::2]) > 59 and len(xy) <= 8
