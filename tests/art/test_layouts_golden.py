"""Golden faces of every layout of the standard style, and sheets measured in the finished PDF."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path as File
from typing import Any

import numpy as np
import pytest
from PIL import Image as Pixels

from toolchain.art.charts import SHARE, build_chart
from toolchain.art.faces import build_faces, build_plain_back
from toolchain.art.imposition import build_sheets
from toolchain.art.marks import Page, Paint, Path, rectangle
from toolchain.art.pdf import to_pdf
from toolchain.art.svg import to_svg
from toolchain.art.text import load_font
from toolchain.model.artwork import Artwork, Grid
from toolchain.model.forces import Counter, Face
from toolchain.report import Report
from toolchain.sources.decode.style import Sheet, Size, Style, decode_style, standard_style

GOLDEN = File(__file__).parents[1] / "data" / "faces" / "layouts"
PER_MM = 10  # pixels of the rendered PDF to a millimetre
FULL, REDUCED = {"attack": 4, "defence": 3, "movement": 6}, {"attack": 2, "defence": 1, "movement": 6}
STEPS = tuple(Face({"strength": n}) for n in (4, 3, 2, 1))
FIRE = {"upper-left": "A1", "upper-right": "N2", "lower-left": "G3", "lower-right": "2"}


def counter(layout: str, size: str, *faces: dict[str, Any], symbol: str = "", **values: Any) -> Counter:
    steps = tuple(Face(f) for f in faces) or (Face(),)
    return Counter("a", "Able", symbol=symbol, layout=layout, size=size, faces=steps, attributes=values)


COUNTERS = {
    "unit": counter(
        "unit", "5/8", FULL, REDUCED, symbol="infantry corps", text="5", badge="GE", note="3 RE", setup="A3"
    ),
    "unit-one-step": counter("unit", "1/2", {"strength": 8, "movement": 4}, symbol="parachute regiment", text="503"),
    "fortress": counter("unit", "9/16", FULL, symbol="fortress division"),
    "silhouette": counter("silhouette", "5/8", FULL, REDUCED, symbol="armor battalion", icon="tank", text="2"),
    "air": counter("air", "5/8", FULL, icon="fighter", text="JG 26", range=12),
    "naval": counter("naval", "long", FULL, REDUCED, icon="ship"),
    "leader": counter("leader", "3/4", text="Orsk", rating="+1"),
    "marker-text": counter("marker", "1/2", text="Out of Supply"),
    "marker-icon": counter("marker", "1/2", icon="star"),
    "marker-number": counter("marker", "1/2", number=3),
    "marker-all": counter("marker", "1/2", icon="star", number=3, text="Points"),
    "control": counter("control", "1/2", text="Red"),
    "piece": counter("piece", "5/8", icon="soldier", level=2, text="Red"),
    "block": Counter("b", "B", symbol="armor corps", layout="block", size="label", faces=STEPS, attributes=FIRE),
    "card-poker": counter("card", "poker", title="Fog", body="No combat.", number=7, icon="burst", note="Once"),
    "card-mini": counter("card", "mini", title="Fog", body="No combat."),
}


@pytest.fixture(scope="module")
def style() -> Style:
    report = Report()
    got = decode_style({"format": 1, "like": "standard"}, "style.toml", report)
    assert got is not None, list(map(str, report))
    return got


def same_as_golden(page: Page, name: str) -> None:
    """Compare with the file; GOLDEN=write writes it anew: look at it before it is committed."""
    got, file = to_svg(page), GOLDEN / f"{name}.svg"
    if os.environ.get("GOLDEN") == "write":
        file.write_text(got, "utf-8")
    assert got == file.read_text("utf-8")


def test_every_layout_has_a_golden_face() -> None:
    drawn = {c.layout for c in COUNTERS.values()}
    assert drawn == set(standard_style().layouts) - {"base", "factors", "corners"}


@pytest.mark.parametrize("name", COUNTERS)
def test_face(name: str, style: Style) -> None:
    report = Report()
    pages = build_faces(COUNTERS[name], style, report)
    assert not len(report), list(map(str, report))
    same_as_golden(pages[0], name)
    if len(pages) == 2:
        same_as_golden(pages[1], f"{name}-back")


def test_the_back_of_a_card(style: Style) -> None:
    page = build_plain_back(counter("card", "mini", back_title="Red"), style, 0.0)
    assert page is not None
    same_as_golden(page, "card-back")


@pytest.mark.parametrize("draw", ["chart", "track"])
def test_tables(draw: str) -> None:
    report = Report()
    table = Grid("t.csv", ("text", "note"), ((2, ("1", "Rain")), (3, ("2", ""))))
    raw = {"format": 1, "like": "standard", "charts": {"t": {"draw": draw, "file": "t.csv", "width": 40, "title": "T"}}}
    style = decode_style(raw, "style.toml", report)
    assert style is not None
    page = build_chart("t", style.with_artwork(Artwork(tables={"t": table})), report)
    assert page is not None and not len(report)
    same_as_golden(page, draw)


def test_every_column_of_a_chart_has_one_size() -> None:
    table = Grid("t.csv", ("A", "B"), ((2, ("HILL", "x")), (3, ("A LITTLE HILLY VALLEY, IN FELT AT THE HALT", "y"))))
    raw = {"format": 1, "like": "standard", "charts": {"t": {"file": "t.csv", "width": 50}}}
    style = decode_style(raw, "style.toml", Report())
    assert style is not None
    page = build_chart("t", style.with_artwork(Artwork(tables={"t": table})), Report())
    assert page is not None
    ink = style.colours.get(style.charts["t"].ink, style.charts["t"].ink)
    short, _, long, _ = [m.data for m in page.marks if isinstance(m, Path) and m.paint.fill == ink]
    ys = [float(y) for y in re.findall(r"[ML][-\d.]+[ ,]([-\d.]+)", short)]
    assert ys, "letters without bends"
    row = style.charts["t"].row
    cap = load_font(style.charts["t"].font).cap_height
    assert max(ys) - min(ys) < 0.95 * cap * SHARE * row, "as small as its long neighbour needs"
    assert long != short


# Measured in the PDF --------------------------------------------------------------------------------------------


def rendered(pages: list[Page], folder: File) -> list[Any]:
    """Write pages as a PDF, render it as any viewer would, and return the pixels of each page as an array."""
    if shutil.which("pdftoppm") is None:
        pytest.skip("pdftoppm (poppler) is not installed")
    (folder / "sheets.pdf").write_bytes(to_pdf(pages, "T"))
    subprocess.run(["pdftoppm", "-r", str(25.4 * PER_MM), "sheets.pdf", "page"], cwd=folder, check=True)
    return [np.asarray(Pixels.open(p)) for p in sorted(folder.glob("page*.ppm"))]


def solid(size: Size, colour: str) -> Page:
    return Page(size.width, size.height, (Path(rectangle(0, 0, size.width, size.height), Paint(fill=colour)),))


def painted(pixels: Any, channel: int) -> Any:
    """Return where the page is red (channel 0) or blue (channel 2)."""
    return (pixels[..., channel] > 110) & (pixels[..., 1] < 60) & (pixels[..., 2 - channel] < 60)


@pytest.mark.parametrize("flip", ["long-edge", "short-edge"])
@pytest.mark.parametrize(("paper", "landscape"), [("a4", False), ("letter", False), ("a4", True)])
def test_fronts_and_backs_coincide_when_the_printed_sheet_is_turned(
    flip: Any, paper: Any, landscape: bool, tmp_path: File
) -> None:
    size = Size(width=15.875, height=12.7)
    sheet = Sheet(paper=paper, landscape=landscape, flip=flip, gutter=2, bleed=0)
    pair = [solid(size, "#aa0000"), solid(size, "#0000aa")]
    (got,) = build_sheets([(Counter(f"c{i}", "C"), pair) for i in range(17)], size, sheet, Report(), "T")
    assert got.back is not None and len({s.front[1] for s in got.slots}) > 1
    front, back = rendered([got.front, got.back], tmp_path)
    red, blue = painted(front, 0), painted(back, 2)
    # The edges of the first and the last counter, to a tenth of a millimetre.
    first, last = got.slots[0].front, got.slots[-1].front
    for (x, y), w in ((first, red), (last, red)):
        row, column = w[round((y + 6) * PER_MM)], w[:, round((x + 6) * PER_MM)]
        left, top = (x - 1) * PER_MM, (y - 1) * PER_MM
        across, down = np.flatnonzero(row[int(left) :]), np.flatnonzero(column[int(top) :])
        assert (int(left) + across[0]) / PER_MM == pytest.approx(x, abs=0.1)
        assert (int(top) + down[0]) / PER_MM == pytest.approx(y, abs=0.1)
    assert (np.flatnonzero(red.any(axis=1))[-1] + 1) / PER_MM == pytest.approx(last[1] + size.height, abs=0.1)
    # Turned over, the back lies on the front: the partial last row too.
    about_vertical = (flip == "long-edge") != landscape
    turned = blue[:, ::-1] if about_vertical else blue[::-1]
    assert red.sum() == pytest.approx(17 * size.width * size.height * PER_MM**2, rel=0.01)
    rows, columns = min(red.shape[0], turned.shape[0]), min(red.shape[1], turned.shape[1])
    away = red[:rows, :columns] ^ turned[:rows, :columns]
    assert away.sum() < 0.02 * red.sum(), "no more than the pixels of the edges"


def test_a_folded_sheet_measured_in_the_pdf(tmp_path: File) -> None:
    size = Size(width=15.875, height=15.875)
    pair = [solid(size, "#aa0000"), solid(size, "#0000aa")]
    sheet = Sheet(backs="fold", gutter=2, bleed=0)
    (got,) = build_sheets([(Counter(f"c{i}", "C"), pair) for i in range(13)], size, sheet, Report(), "T")
    (page,) = rendered([got.front], tmp_path)
    red, blue = painted(page, 0), painted(page, 2)
    dashes = np.flatnonzero((page < 200).all(axis=2).mean(axis=1) > 0.4)  # the one broken line across the paper
    fold = float(dashes.mean() + 0.5) / PER_MM
    lowest, highest = (np.flatnonzero(red.any(axis=1))[-1] + 1) / PER_MM, np.flatnonzero(blue.any(axis=1))[0] / PER_MM
    assert fold - lowest == pytest.approx(highest - fold, abs=0.2) and lowest < fold < highest
    middle = round(fold * PER_MM)
    reach = min(middle, page.shape[0] - middle)
    above, below = red[middle - reach : middle][::-1], blue[middle : middle + reach]
    assert (above ^ below).sum() < 0.03 * red.sum()
