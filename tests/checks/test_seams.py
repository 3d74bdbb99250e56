"""The seam check: what fits is silent, and each thing that does not is found once, with its hex and its place."""

from __future__ import annotations

import numpy as np
import pytest
from seamed import ALL, HEIGHT, HEXAGON, RADIUS, RIVER, ROAD, STEP, WIDTH, arrangement, hexagon, sheet, survey, svg

from toolchain.checks.seams import check_seams, read_edges

SEAM = '[seam]\nlayers = ["roads", "rivers"]\n'
# The same river the other way up leaves by the same places when a sheet is turned: one below the middle.
BOTH = RIVER + "|M-3,15 " + RIVER.split(" ", 1)[1].replace(",5", ",15")
UPRIGHT = f"M{2 * STEP:.9f},-3 V{HEIGHT + 3}"
FITTING = svg(land=ALL, roads=f"{ROAD}|{UPRIGHT}", rivers=BOTH)
SHEETS = (sheet("A"), sheet("B"))


def found(folder, *tables, a=FITTING, b=FITTING, **more):
    plan, got, _ = survey(folder, *(tables or (*SHEETS, SEAM)), A=a, B=b, **more)
    return list(check_seams(plan, got.sheets))


def told(findings):
    return [(f.rule.code, f.where.space, f.facts["edges"], f.facts["turn"]) for f in findings]


def test_sheets_that_fit_at_every_edge_in_every_turn_are_silent(tmp_path):
    assert found(tmp_path) == []


def test_every_pair_of_edges_is_tried(tmp_path):
    """A road that leaves B at the right only: each seam at which that edge or an edge of A takes part is broken."""
    findings = found(tmp_path, b=svg(land=ALL, roads=f"M20,10 H{WIDTH + 3}|{UPRIGHT}", rivers=BOTH))
    assert told(findings) == [
        ("M213", "A-0502", ["right", "left"], 0),
        ("M213", "A-0102", ["left", "left"], 180),
    ]
    assert findings[0].where.key == "sheet.0"
    assert findings[0].message == (
        "A right, B left: a line of 'roads' leaves A in A-0502, 10.0 mm along its right edge clockwise; "
        "none of B meets it"
    )
    assert findings[1].message.startswith("A left, B left turned by 180: a line of 'roads' leaves A in A-0102")
    assert findings[0].facts["layer"] == "roads"
    assert findings[0].facts["sheets"] == ["A", "B"]


def test_a_line_of_the_second_sheet_that_meets_none_is_found_in_its_own_hex(tmp_path):
    findings = found(tmp_path, a=svg(land=ALL, roads=UPRIGHT, rivers=BOTH))
    assert ("M213", "B-0102", ["right", "left"], 0) in told(findings)
    assert len(findings) == 4


@pytest.mark.parametrize(("off", "tolerance", "broken"), [(0.9, 1.0, False), (1.1, 1.0, True), (1.1, 1.2, False)])
def test_ends_may_miss_each_other_by_the_tolerance(tmp_path, off, tolerance, broken):
    moved = svg(land=ALL, roads=f"M-3,{10 + off} H{WIDTH + 3}|{UPRIGHT}", rivers=BOTH)
    findings = found(tmp_path, *SHEETS, f"{SEAM}tolerance = {tolerance}\n", b=moved)
    assert bool(findings) == broken
    # Neither end meets the other, on both upright edges and in both turns.
    assert len(findings) == (8 if broken else 0)


def test_only_the_stated_layers_must_run_on(tmp_path):
    none = svg(land=ALL, rivers=BOTH)
    assert found(tmp_path / "a", *SHEETS, '[seam]\nlayers = ["rivers"]\n', b=none) == []
    assert found(tmp_path / "b", *SHEETS, "[seam]\n", b=none) == []  # the legend makes hexsides of rivers only
    assert {f.rule.code for f in found(tmp_path / "c", *SHEETS, SEAM, b=none)} == {"M213"}


def test_halves_must_be_of_one_terrain_unless_they_may_meet(tmp_path):
    wood = f"M{WIDTH - STEP / 2},5 H{WIDTH + 3} V15 H{WIDTH - STEP / 2}Z"
    a = svg(land=ALL, wood=wood, roads=f"{ROAD}|{UPRIGHT}", rivers=BOTH)
    findings = found(tmp_path / "a", a=a)
    assert told(findings) == [
        ("M212", "A-0502", ["right", "right"], 180),
        ("M212", "A-0502", ["right", "left"], 0),
    ]
    assert "A-0502 is wood and B-0102 is clear" in findings[1].message
    assert found(tmp_path / "b", *SHEETS, SEAM + 'meets = [["wood", "clear"]]\n', a=a) == []
    assert found(tmp_path / "c", *SHEETS, SEAM + 'meets = [["wood", "sea"]]\n', a=a) != []


def test_coasts_must_meet(tmp_path):
    north = f"M-9,-9 H{WIDTH + 9} V12 H-9Z"
    a = svg(land=north, roads=f"{ROAD}|M{2 * STEP:.9f},-3 V10", rivers=RIVER)
    findings = found(tmp_path, a=a, b=a)
    # Beside each other they fit; turned, the coasts lie 12 and 8 mm along; above each other sea meets land.
    coasts = [f for f in findings if f.rule.code == "M214"]
    assert ("right", "left") not in {tuple(f.facts["edges"]) for f in coasts if f.facts["turn"] == 0}
    assert {tuple(f.facts["edges"]) for f in coasts} == {
        ("right", "right"),
        ("left", "left"),
        ("top", "bottom"),
        ("bottom", "top"),
    }
    turned = next(f for f in coasts if f.facts["edges"] == ["right", "right"])
    assert (turned.where.space, turned.facts["place"]) == ("A-0502", 12.0)
    upright = next(f for f in coasts if f.facts["edges"] == ["top", "bottom"])
    assert upright.message.endswith("there is water on one side and land on the other")


def test_hexes_that_do_not_join_are_said_once_for_a_seam(tmp_path):
    # Moved by a quarter of a hex the upper edge cuts no half hexes any more.
    b = sheet("B", text="[sheet.grid]\norigin = [0, 2.5]\n")
    findings = found(tmp_path, sheet("A"), b, SEAM)
    assert {f.rule.code for f in findings} == {"M211"}
    seams = [(tuple(f.facts["edges"]), f.facts["turn"]) for f in findings]
    assert len(seams) == len(set(seams)) == 8


def test_seams_of_the_arrangement_are_tried_without_seam_and_with_itself(tmp_path):
    laid = arrangement('sheet = "A", at = [0, 0]', 'sheet = "A", as = "A2", at = [1, 0], turn = 180')
    low = svg(land=ALL, rivers=RIVER)
    plan, got, _ = survey(tmp_path, sheet("A"), laid, A=low)
    findings = list(check_seams(plan, got.sheets))
    assert {(tuple(f.facts["edges"]), f.facts["turn"]) for f in findings} == {(("right", "right"), 180)}
    assert {f.rule.code for f in findings} == {"M213"}
    straight = arrangement('sheet = "A", at = [0, 0]', 'sheet = "A", as = "A2", at = [1, 0]')
    plan, got, _ = survey(tmp_path / "b", sheet("A"), straight, A=low)
    assert list(check_seams(plan, got.sheets)) == []


def test_hexagons_are_tried_at_all_six_edges_in_all_six_turns(tmp_path):
    x, y = RADIUS, RADIUS * 3**0.5 / 2
    spokes = "|".join(
        f"M{x:.9f},{y:.9f} l{40 * np.sin(np.radians(a)):.9f},{-40 * np.cos(np.radians(a)):.9f}"
        for a in range(0, 360, 60)
    )
    whole = svg(2 * x, 2 * y, land="M-9,-9 H60 V60 H-9Z", roads=spokes)
    fit = (hexagon("A"), hexagon("B"), SEAM)
    assert found(tmp_path / "a", *fit, a=whole, b=whole, grid=HEXAGON) == []
    five = svg(2 * x, 2 * y, land="M-9,-9 H60 V60 H-9Z", roads="|".join(spokes.split("|")[1:]))
    findings = found(tmp_path / "b", *fit, a=five, b=whole, grid=HEXAGON)
    assert {f.rule.code for f in findings} == {"M213"}
    # The upper edge of A is the one that lacks a road, whichever edge of B lies on it.
    assert [f.facts["edges"][0] for f in findings] == ["top"] * 6
    assert sorted(f.facts["turn"] for f in findings) == [0, 60, 120, 180, 240, 300]


def test_an_edge_reads_clockwise(tmp_path):
    plan, got, _ = survey(tmp_path, *SHEETS, A=FITTING, B=FITTING)
    edges = read_edges(plan.sheets[0], got.sheets["A"], 0, ("roads", "rivers"))
    assert [(e.name, e.facing) for e in edges] == [("top", 0), ("right", 90), ("bottom", 180), ("left", 270)]
    top, right, bottom, left = edges
    assert top.labels == ("0101", "0201", "0301", "0401", "0501")
    assert right.labels == ("0501", "0502", "0503")
    assert bottom.labels[0] == "0503"
    assert left.labels == ("0103", "0102", "0101")
    assert right.leaves["rivers"] == pytest.approx([5, 15])
    assert top.leaves["roads"] == pytest.approx([2 * STEP], abs=1e-3)
    assert np.isnan(top.depth).tolist() == [False, True, False, True, False]


def test_parts_of_edges_that_lie_together_are_tried(tmp_path):
    """B lies one hex lower beside A, so that half of each edge meets: the lower of A and the upper of B."""
    laid = arrangement('sheet = "A", at = [0, 0]', f'sheet = "B", mm = [{WIDTH}, 10]')
    low, high = (svg(land=ALL, rivers=f"M-3,{y} L{WIDTH + 3},{y}") for y in (16, 6))
    assert found(tmp_path / "a", *SHEETS, laid, a=low, b=high) == []
    (first, second) = found(tmp_path / "b", *SHEETS, laid, a=low, b=svg(land=ALL, rivers=f"M-3,8 L{WIDTH + 3},8"))
    assert first.message == (
        "A right from 10 to 20 mm, B left from 10 to 20 mm: a line of 'rivers' leaves A in A-0503, 16.0 mm along its "
        "right edge clockwise; none of B meets it"
    )
    assert (first.facts["place"], second.facts["place"], second.where.space) == (16.0, 12.0, "B-0102")
    # What the stretches have of ground is compared too, and water at their beginning.
    grove = f"M{WIDTH - STEP / 2},12 H{WIDTH + 3} V19 H{WIDTH - STEP / 2}Z"
    wood = svg(land=ALL, wood=grove, rivers=f"M-3,16 H{WIDTH + 3}")
    assert {f.rule.code for f in found(tmp_path / "c", *SHEETS, laid, a=wood, b=high)} == {"M212"}
    shore = svg(land=f"M-9,-9 H{WIDTH + 9} V12 H-9Z", rivers=f"M-3,16 H{WIDTH + 3}")
    coasts = [f for f in found(tmp_path / "d", *SHEETS, laid, a=shore, b=high) if f.rule.code == "M214"]
    assert [(f.where.space, f.facts["place"]) for f in coasts] == [("A-0502", 12.0)]
    drowned = svg(land=f"M-9,-9 H{WIDTH + 9} V2 H-9Z")
    coasts = [f for f in found(tmp_path / "e", *SHEETS, laid, a=drowned, b=svg(land=ALL)) if f.rule.code == "M214"]
    assert [f.message.split(": ")[1] for f in coasts] == ["there is water on one side and land on the other"]
