"""Blocks on two sheets: seams, roads, joined bases, hexside limits and arms in order, on a tiny game of files."""

from __future__ import annotations

import pytest
from rulings import controller, judged, load

from toolchain.checks.attrition import after_attrition
from toolchain.checks.moves import check_moves
from toolchain.checks.positions import check_position
from toolchain.checks.reasons import why
from toolchain.checks.telling import account_data, tell
from toolchain.model.position import Move


def supply(setup, **changes):
    return judged("seams", setup, **changes).supply


def test_the_files_are_without_fault():
    loaded, report, _ = load("seams")
    assert list(report) == [] and len(loaded.game.setups) >= 12


def test_vw_m2_m3_a_road_runs_over_the_seam_through_a_hex_of_two_halves():
    verdict = judged("seams", "roads", places={"blue-infantry": ""})
    assert verdict.supply == {"red-infantry": "in", "red-infantry#2": "in", "red-infantry#3": "in"}
    assert controller(verdict, "Garby") == "red" and controller(verdict, "Barcastle") == "blue"
    seam = verdict.board.map.by_key["Seam"]
    assert {name.strip() for name in seam.traits["map"].split(";")} == {"A", "B"}
    path = [
        s.space
        for s in why(
            judged("seams", "roads", places={"blue-infantry": "", "red-infantry": "Woods"}), "red-infantry"
        ).steps
    ]
    assert path[:4] == ["Bridge", "Ford", "Seam", "Mill"]


def test_vw_s1_on_a_road_or_beside_it_but_not_over_an_alpine_hexside():
    assert supply("roads")["red-infantry#2"] == "in", "beside Mill, which is on the road"
    others = {"red-infantry#2": "", "red-infantry#3": ""}
    assert supply("roads", places={"blue-infantry": "Mill", "red-infantry": "Pass", **others})["red-infantry"] == "in"
    verdict = judged("seams", "roads", places={"blue-infantry": "Mill", "red-infantry": "Rocks", **others})
    assert verdict.supply["red-infantry"] == "out", "Cross, on its road, is beyond an alpine hexside"


def test_vw_s2_a_city_alone_is_no_base():
    assert supply("one-city")["red-infantry"] == "out"
    assert supply("one-city", places={"blue-infantry": "Bridge"})["red-infantry"] == "in"
    assert supply("one-city", places={"red-infantry": "Garby", "blue-infantry": "Milton"})["red-infantry"] == "out", (
        "cut apart"
    )
    assert supply("captured") == {"red-infantry": "in", "red-infantry#2": "in"}, "captured cities while garrisoned"


def test_vw_s3_over_the_sea_between_ports_unless_one_is_blockaded():
    verdict = judged("seams", "by-sea")
    assert verdict.supply["red-infantry"] == "in" and verdict.supply["red-infantry#2"] == "in"
    steps = [s.space for s in why(verdict, "red-infantry#2").steps]
    assert steps[0] == "Granton"
    blockaded = judged("seams", "blockade")
    assert blockaded.supply["red-infantry"] == "out", "no ship goes in or out of Garby"
    assert blockaded.supply["red-infantry#2"] == "in", "Garby has its road to West"
    assert supply("blockade", places={"blue-submarine": "A-0304"})["red-infantry"] == "in"


def test_vw_s3_an_enemy_ship_on_the_only_way_by_sea():
    assert supply("blockade", places={"blue-submarine": "A-0403"})["red-infantry"] == "in", "past it in open water"


def test_vw_s4_a_beachhead_supplies_its_own_and_adjacent_land_hexes_and_joins_no_road():
    verdict = judged("seams", "beachhead")
    assert verdict.supply["blue-marine"] == "in"
    assert verdict.supply["blue-infantry"] == "out", "two hexes from it"
    assert verdict.supply["blue-infantry#2"] == "out", "beside the road, which the beachhead does not join"
    beside = judged("seams", "beachhead", places={"blue-infantry#2": "Milton"})
    assert beside.supply["blue-infantry#2"] == "in"
    assert judged("seams", "beachhead", places={"blue-marine": "Pass"}).supply["blue-marine"] == "out", "no coast"


def test_vw_s5_naval_units_aircraft_on_carriers_and_armies_at_sea_need_none():
    assert supply("sea-units") == {}


def test_vw_s6_a_unit_that_is_itself_out_of_supply_cuts_nothing():
    verdict = judged("seams", "lost-raid")
    assert verdict.supply["red-infantry"] == "out", "red has no city left"
    assert {g for i, g in verdict.supply.items() if i.startswith("blue")} == {"in"}, "through Woods, where it stands"


@pytest.mark.parametrize("setup", ["raid", "cut-off"])
def test_vw_s6_units_that_cut_each_other_are_undecided_and_each_circle_is_spelled_out(setup):
    found = [f for f in check_position(judged("seams", setup), only=("supply",)) if f.rule.code == "P302"]
    assert len(found) == (3 if setup == "raid" else 4)
    for finding in found:
        assert len(finding.facts["circle"]) > 2 and "which waits on" in finding.message
    account = why(judged("seams", setup), "red-infantry")
    assert tell(account, "R")[-1] == "  it waits on blue-infantry, which waits on red-infantry"
    assert account_data(account)["circle"] == ["red-infantry", "blue-infantry", "red-infantry"]


def test_vw_s7_each_unsupplied_unit_loses_a_step_and_the_last_one_dies():
    after = after_attrition(judged("seams", "lost-raid"))
    assert {p.id: p.step for p in after.pieces if p.id == "red-infantry"} == {"red-infantry": 1}
    again = after_attrition(judged("seams", "lost-raid", steps={"red-infantry": 1}))
    assert "red-infantry" not in {p.id for p in again.pieces}


def test_vw_c1_army_before_air_before_naval_and_a_captured_city_reverts():
    verdict = judged("seams", "arms")
    assert controller(verdict, "Seam") == "blue", "army before air"
    assert controller(verdict, "Shore") == "blue", "air before naval"
    assert controller(verdict, "East") == "red", "a ship alone"
    assert controller(verdict, "Mill") == "" and controller(verdict, "West") == "red"
    captured = judged("seams", "captured")
    assert controller(captured, "Barcastle") == "red"
    assert controller(judged("seams", "captured", places={"red-infantry": ""}), "Barcastle") == "blue"


def test_vw_st6_eight_in_a_clear_coastal_city_and_st5_the_enemy_counts_by_himself():
    assert list(check_position(judged("seams", "eight"), only=("stacking",))) == []
    one_more = judged("seams", "eight", places={"red-armor": "Garby"})
    (finding,) = check_position(one_more, only=("stacking",))
    assert finding.message.startswith("5 red pieces stand here and at most 4 may (rule 4.1)")
    dropped = judged("seams", "eight", states={"red-airborne": ("dropped",)})
    assert [f.facts["total"] for f in check_position(dropped, only=("stacking",))] == [5], "dropped, it is an army"
    assert (
        list(check_position(judged("seams", "eight", "move", states={"red-airborne": ("dropped",)}), ("stacking",)))
        == []
    )


def test_vw_st4_an_army_at_sea_is_a_naval_unit():
    verdict = judged(
        "seams", "sea-units", places={"red-armor": "B-0304", "red-submarine": "B-0304", "red-marine": "B-0304"}
    )
    (finding,) = [f for f in check_position(verdict, only=("stacking",)) if f.facts["space"] == "B-0304"]
    assert finding.facts["total"] == 5, "the infantry, the carrier, the armor, the submarine, the marine; no fighter"


def attack(*steps, kind="attack"):
    verdict = judged("seams", "attack")
    moves = [Move(piece, verdict.position.pieces[verdict.row_of[piece]].at, end, kind) for piece, end in steps]
    return [(f.rule.code, f.message) for f in check_moves(verdict, moves)]


def test_vw_h1_m6_one_over_a_bridge_two_over_a_road_one_over_a_river():
    assert attack(("red-infantry", "Bridge")) == []
    ((code, text),) = attack(("red-infantry", "Bridge"), ("red-infantry#2", "Bridge"))
    assert code == "P401" and "at most 1 may" in text, "the road does not help at the bridge"
    ((code, text),) = attack(("red-infantry#3", "Bridge"), ("red-infantry#4", "Bridge"))
    assert code == "P401" and "at most 1 may" in text, "over the river above the bridge"
    assert attack(("red-infantry#5", "Ford"), ("red-infantry#6", "Ford")) == []
    found = dict(attack(*((f"red-infantry#{n}", "Ford") for n in (5, 6, 7)), kind="retreat"))
    assert "at most 2 may (rule 2.3)" in found["P401"]
    assert "at most 4 may" in found["P101"], "the stacking limit binds as well"


def test_vw_m5_below_the_first_bridge_a_river_is_closed():
    ((code, text),) = attack(("red-infantry", "Granton"))
    assert code == "P402" and text == "the way from Ford to Granton is closed to red-infantry (rule 4.2)"


def test_vw_h1_ships_one_at_a_time_over_a_coast_and_two_at_sea():
    ((code, text),) = attack(("red-battleship", "Granton"), ("red-battleship#2", "Granton"))
    assert code == "P401" and "at most 1 may" in text
    assert attack(("red-battleship", "B-0304"), ("red-battleship#2", "B-0304")) == []
