"""What an arrangement states of its sheets together, and several arrangements of one map."""

from __future__ import annotations

import numpy as np
import pytest
from seamed import ALL, HEIGHT, LEGEND, RIVER, ROAD, WIDTH, arrangement, plan, sheet, survey, svg

from toolchain.survey.maps import survey_map

PLAIN = svg(land=ALL, rivers=RIVER, roads=ROAD)
SHEETS = (sheet("A"), sheet("B"))
BESIDE = arrangement('sheet = "A", at = [0, 0]', 'sheet = "B", at = [1, 0]')
ABOVE = arrangement('sheet = "B", at = [0, 0], turn = 180', 'sheet = "A", at = [0, 1]').replace("Game", "Column")


def said(report):
    return [(f.rule.code, f.where.key or f.where.file) for f in report if f.rule.code not in ("M107", "S105")]


def of_kind(warmap, kind):
    return {frozenset((h.a, h.b)) for h in warmap.hexsides if kind in h.kinds}


def test_all_arrangements_are_surveyed_and_the_first_is_the_map(tmp_path):
    _, got, report = survey(tmp_path, *SHEETS, BESIDE, ABOVE, A=PLAIN, B=PLAIN)
    assert not said(report)
    assert list(got.arrangements) == ["Game", "Column"]
    assert got.warmap is got.arrangements["Game"].warmap
    (column,) = got.arrangements["Column"].warmap.sheets
    assert (column.width, column.height) == (pytest.approx(WIDTH), 2 * HEIGHT)


def test_what_is_wrong_with_a_further_arrangement_is_said_with_its_key(tmp_path):
    wrong = arrangement('sheet = "A", at = [0, 0]', 'sheet = "B", at = [0, 1], turn = 60').replace("Game", "Column")
    _, _, report = survey(tmp_path, *SHEETS, BESIDE, wrong, A=PLAIN, B=PLAIN)
    assert said(report) == [("M202", "arrangement.1.sheets.1")]


def test_links_over_a_seam_are_stated_in_words_of_the_arrangement(tmp_path):
    b = sheet("B", text='[sheet.places]\nfile = "b.csv"\n[sheet.spellings]\nFurt = "Ford"\n')
    rows = "a,b,kind,cite\nA-0101,B-0502,road,5.1\nB-0102,B-Ford,road,\nFurt,A-0303,road,\n"
    files = {"b.csv": "name,hex\nFord,0302\n", "joins.csv": rows}
    _, got, report = survey(
        tmp_path, sheet("A"), b, BESIDE, 'links = { file = "joins.csv" }', ABOVE, files=files, A=PLAIN, B=PLAIN
    )
    assert not said(report)
    links = [(x.a, x.b, x.cite) for x in got.warmap.links]
    # The hex that two halves make has one key, whichever of its names the table uses.
    assert links == [("A-0101", "B-0502", "5.1"), ("A-0502", "Ford", ""), ("Ford", "A-0303", "")]
    assert got.warmap.find("B-Ford") is got.warmap.find("Furt") is got.warmap.find("Ford")
    assert got.arrangements["Column"].warmap.links == ()


def test_links_to_nowhere_are_said_with_row_and_nearest_name(tmp_path):
    files = {"joins.csv": "a,b,kind\nA-0101,B-9999,road\n", "b.csv": "name,hex\nFord,0302\n"}
    links = 'links = { file = "joins.csv" }\nside = [{ between = ["A-0101", "Frod"], add = ["river"] }]\n'
    b = sheet("B", text='[sheet.places]\nfile = "b.csv"\n')
    _, _, report = survey(tmp_path, sheet("A"), b, BESIDE, links, files=files, A=PLAIN, B=PLAIN)
    assert sorted(said(report)) == [
        ("M105", "arrangement.0.side.0.between"),
        ("M105", "maps/seamed/joins.csv"),
    ]
    assert any("did you mean 'Ford'?" in f.message for f in report)


def test_hexsides_over_a_seam_are_stated_after_those_of_the_sheets(tmp_path):
    a = sheet("A", text='[[sheet.side]]\nbetween = ["0201", "0202"]\nadd = ["river"]\n')
    side = 'side = [{ between = ["A-0402", "B-0102"], add = ["river"], cite = "2.1" }]\n'
    _, got, report = survey(tmp_path, a, sheet("B"), BESIDE, side, A=svg(land=ALL), B=svg(land=ALL))
    assert not said(report)
    assert of_kind(got.warmap, "river") == {frozenset(("A-0201", "A-0202")), frozenset(("A-0402", "A-0502"))}


FLOWING = LEGEND.replace("river = true", 'river = true\nflow = "drawn"')
NAMED = PLAIN.replace('<g id="rivers"><path', '<g id="rivers"><path data-name="Po"')


def flow(warmap):
    """Return how far to the right the rivers of a map run on the whole."""
    return np.sign(sum(h.ends[1][0] - h.ends[0][0] for h in warmap.hexsides if h.flows))


@pytest.mark.parametrize("turn", [0, 180])
def test_rivers_of_a_sheet_in_mm_are_moved_with_it(tmp_path, monkeypatch, turn):
    monkeypatch.setattr("seamed.LEGEND", FLOWING)
    # The river is drawn to the right; the sheet says that it flows to the left.
    own = f'[[sheet.river]]\nname = "Po"\nmouth = [0.0, 5.0]\nsource = [{WIDTH}, 5.0]\n'
    laid = arrangement(f'sheet = "A", at = [1, 0], turn = {turn}', 'sheet = "B", at = [0, 2]')
    _, got, report = survey(tmp_path, sheet("A", text=own), sheet("B"), laid, A=NAMED, B=svg(land=ALL))
    assert not said(report)
    assert flow(got.sheets["A"].warmap) == -1
    assert flow(got.warmap) == (1 if turn else -1)


def test_an_arrangement_says_where_a_river_of_all_its_sheets_flows(tmp_path, monkeypatch):
    monkeypatch.setattr("seamed.LEGEND", FLOWING)
    river = 'river = [{ name = "Po", mouth = "A-0102" }]\n'
    _, got, report = survey(tmp_path, *SHEETS, BESIDE, river, A=NAMED, B=PLAIN)
    assert not said(report)
    assert flow(got.sheets["A"].warmap) == 1
    sides = [h for h in got.warmap.hexsides if h.flows]
    assert max(h.ends[0][0] for h in sides) > 1.5 * WIDTH
    assert all(h.ends[1][0] < h.ends[0][0] + 1e-6 for h in sides if abs(h.ends[0][1] - h.ends[1][1]) < 1e-6)
    _, _, report = survey(tmp_path / "b", *SHEETS, BESIDE, river.replace('"Po"', '"Pooh"'), A=NAMED, B=PLAIN)
    assert [key for _, key in said(report)] == ["arrangement.0.river.0.name"]


def test_what_only_a_sheet_can_state_is_refused_for_all(tmp_path):
    river = '[[river]]\nname = "Po"\nmouth = [0.0, 5.0]\n'
    read, report = plan(tmp_path, *SHEETS, BESIDE, river, A=PLAIN, B=PLAIN)
    survey_map(read, report)
    assert said(report) == [("S011", "river")]
