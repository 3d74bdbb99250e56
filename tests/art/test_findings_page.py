"""The findings on the map: every one has its pin and its line, on this sheet or at the end of the list."""

from __future__ import annotations

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image
from sheeted import sheet_map

from toolchain.art.findings import COLOURS, LONGEST, MOST, build_findings_page, place_pins, wrap
from toolchain.art.marks import Group, Path, Use, walk
from toolchain.art.png import to_png
from toolchain.art.svg import to_svg
from toolchain.art.text import measure
from toolchain.catalogue import ISOLATED_SPACE, NOTHING_ENTERABLE, RIVER_GAP, STRAY_HEX, TERRAIN_TIE
from toolchain.cli import cli
from toolchain.report import Finding, Location, Severity
from toolchain.sources.decode.mapstyle import classic_map_style

MAP = sheet_map(4, 4, rivers=lambda c, r, side: True)


def finding(rule, space="", message="something is wrong", **facts):
    return Finding(rule, Location("maps/small/map.toml", space=space), message, facts)


def page_of(*findings, warmap=MAP):
    return build_findings_page(warmap, {}, classic_map_style(), findings)


def layer(page, name):
    return next((m for m in page.marks if isinstance(m, Group) and m.layer == name), Group(()))


def discs(page, name="Pins"):
    colours = set(COLOURS.values())
    return [m for m in layer(page, name).marks if isinstance(m, Path) and m.paint.fill in colours]


def middle(path):
    numbers = [float(v) for v in path.data.replace("M", " ").replace("L", " ").replace("C", " ").strip("Z ").split()]
    xs, ys = numbers[::2], numbers[1::2]
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2


def test_pins_stand_at_their_spaces_and_the_rest_ends_the_list():
    found = [
        finding(NOTHING_ENTERABLE),
        finding(ISOLATED_SPACE, "0202"),
        finding(TERRAIN_TIE, "0101–0102"),
        finding(STRAY_HEX, "0303", at=[5, 6]),
        Finding(ISOLATED_SPACE, Location(space="0204"), "x", accepted="so it is meant"),
    ]
    pins = place_pins(MAP, found)
    a, b = MAP.by_key["0101"].at, MAP.by_key["0102"].at
    assert [p.at for p in pins] == [MAP.by_key["0202"].at, ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), (5.0, 6.0), None]
    assert [p.number for p in pins] == [1, 2, 3, 4]
    page = page_of(*found)
    assert [middle(d) for d in discs(page)] == [pytest.approx(p.at, abs=0.01) for p in pins if p.at]
    assert len(discs(page, "List")) == 4
    assert [d.paint.fill for d in discs(page, "List")] == [COLOURS[p.finding.severity] for p in pins]


def test_several_findings_of_one_space_stand_side_by_side_and_those_off_the_sheet_at_its_edge():
    page = page_of(*[finding(ISOLATED_SPACE, "0202", str(n)) for n in range(3)], finding(STRAY_HEX, at=[-50, 1e6]))
    places = [middle(d) for d in discs(page)]
    assert len(set(places)) == 4
    sheet = MAP.sheets[0]
    assert all(0 < x < sheet.width and 0 < y < sheet.height for x, y in places)


def test_a_finding_about_hexsides_draws_them():
    side = MAP.hexsides[0]
    page = page_of(finding(RIVER_GAP, f"{side.a}–{side.b}", sides=[[side.b, side.a]], at=list(side.ends[0])))
    (line,) = layer(page, "Places").marks
    assert line.paint.stroke == COLOURS[Severity.WARNING]
    x, y = side.ends[0]
    assert line.data.startswith("M") and f"{x:g}".split(".")[0] in line.data and f"{y:g}".split(".")[0] in line.data


def test_long_lists_take_more_columns_and_stay_on_the_page():
    few, many = (
        page_of(finding(ISOLATED_SPACE, "0202")),
        page_of(*[finding(ISOLATED_SPACE, "0202", f"number {n} " + "and so on " * 12) for n in range(80)]),
    )
    assert many.width > few.width and many.height == few.height == MAP.sheets[0].height
    for mark in layer(many, "List").marks:
        if isinstance(mark, Use):
            assert MAP.sheets[0].width < mark.matrix[4] < many.width and 0 < mark.matrix[5] <= many.height


def test_there_is_a_bound_to_what_is_drawn():
    page = page_of(*[finding(ISOLATED_SPACE, "0202", f"{n} " + "x" * 5000) for n in range(MOST + 5)])
    assert len(discs(page)) == MOST
    assert LONGEST < 5000


def test_lines_are_no_wider_than_their_column():
    text = "a few words and then oneverylongwordthatnevercomestoanend" * 4
    lines = wrap(text, "sans", 3.0, 3.0)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")
    assert max(measure(line, "sans", 3.0) for line in lines) <= 35 * 3.0
    assert wrap("", "sans", 3.0, 3.0) == []


def test_every_letter_and_pattern_is_there_and_the_page_is_the_same_twice():
    found = [finding(ISOLATED_SPACE, "0202"), finding(NOTHING_ENTERABLE)]
    named = sheet_map(4, 4, names={(1, 1): "Würzburg"}, terrain=lambda c, r: "forest")
    page = page_of(*found, warmap=named)
    assert {m.name for m in walk(page.marks) if isinstance(m, Use)} <= set(page.symbols)
    assert to_svg(page) == to_svg(page_of(*found, warmap=named))


def test_the_map_is_paler_than_its_pins(tmp_path):
    page = page_of(finding(ISOLATED_SPACE, "0202"))
    (tmp_path / "p.png").write_bytes(to_png(page, 100, "#ffffff"))
    pixels = np.asarray(Image.open(tmp_path / "p.png").convert("L"), dtype=float)
    x, y = (round(v * 100 / 25.4) for v in MAP.by_key["0202"].at)
    assert pixels[y - 12 : y + 12, x - 12 : x + 12].min() < 120
    left = pixels[:, : round(MAP.sheets[0].width * 100 / 25.4)].copy()
    left[y - 80 : y + 80, x - 80 : x + 80] = 255
    assert np.percentile(left, 2) > 120


def test_validate_writes_the_report_and_never_over_a_file_of_the_user(tmp_path):
    from pathlib import Path as File

    root = str(File(__file__).parents[1] / "data" / "projects")
    target = tmp_path / "out" / "findings.svg"
    command = ["validate", "tiny", "--root", root, "--report", str(target)]
    assert CliRunner().invoke(cli, command).exit_code == 0
    first = target.read_bytes()
    assert b"Tiny: findings" in first
    assert CliRunner().invoke(cli, command).exit_code == 0 and target.read_bytes() == first
    target.write_text("mine")
    result = CliRunner().invoke(cli, command)
    assert result.exit_code != 0 and target.read_text() == "mine"
    assert CliRunner().invoke(cli, [*command, "--force"]).exit_code == 0 and target.read_bytes() == first


def test_what_is_found_on_other_arrangements_and_sheets_is_not_placed_by_their_millimetres():
    found = [
        finding(STRAY_HEX, "0303", at=[5, 6], arrangements=["other"]),
        finding(STRAY_HEX, "0202", at=[5, 6], sheet="A"),
        finding(STRAY_HEX, "0101", at=[5, 6], arrangements=["main"]),
    ]
    assert {p.finding.where.space: p.at for p in place_pins(MAP, found)} == {
        "0202": MAP.by_key["0202"].at,
        "0101": (5.0, 6.0),
    }
