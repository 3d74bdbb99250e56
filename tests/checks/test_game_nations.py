"""Nations, majorities and fleets of one's own, by the examples of a printed rulebook, on a tiny game of files."""

from __future__ import annotations

import pytest
from rulings import controller, judged, load

from toolchain.checks.positions import check_position
from toolchain.checks.reasons import why


def supply(setup, **changes):
    return judged("nations", setup, **changes).supply


def test_the_files_are_without_fault():
    loaded, report, _ = load("nations")
    assert list(report) == [] and len(loaded.game.setups) >= 14


def test_oh_c1_the_majority_of_armies_and_equal_numbers_are_nobody():
    assert controller(judged("nations", "majority"), "Poland") == "allies"
    assert controller(judged("nations", "majority", places={"usa-army": ""}), "Poland") == ""
    assert controller(judged("nations", "tie"), "Poland") == "", "a level counts for nothing"
    assert controller(judged("nations", "india"), "Ukraine") == "allies", "home and empty"
    assert controller(judged("nations", "india"), "Poland") == "", "neutral and empty"
    assert controller(judged("nations", "moscow-tied"), "Moscow") == "", "home, and a tie"


def test_oh_c2_a_sea_belongs_to_who_is_alone_there_with_fleets():
    assert controller(judged("nations", "italy-free"), "Mediterranean") == "allies"
    assert controller(judged("nations", "italy"), "Mediterranean") == ""
    assert controller(judged("nations", "italy"), "Indian Ocean") == ""


def test_oh_s6_india_through_the_atlantic_of_a_fleet_of_the_uk_itself():
    assert supply("india")["uk-army"] == "in"
    assert [s.space for s in why(judged("nations", "india"), "uk-army").steps] == ["North Africa", "Atlantic", "UK"]
    assert supply("india-usa-fleet")["uk-army"] == "out"


def test_oh_s2_s6_italy_beside_a_sea_that_one_enemy_fleet_shares():
    assert supply("italy-free")["uk-army"] == "in", "an enemy space beside the chain"
    verdict = judged("nations", "italy")
    assert verdict.supply["uk-army"] == "out"
    assert ("Mediterranean", "not controlled by allies") in {
        (b.space, b.reason) for b in why(verdict, "uk-army").blocks
    }


def test_oh_s6_moscow_needs_ukraine():
    assert supply("moscow")["germany-army"] == "out"
    assert supply("moscow-open")["germany-army"] == "in"
    assert supply("moscow", places={"germany-army#2": "Ukraine"})["germany-army"] == "out", "then Poland is nobody's"


def test_oh_s3_without_its_capital_nothing_but_the_capital():
    found = supply("moscow-tied")
    assert found["su-army"] == "in", "in the capital itself"
    assert (found["su-army#2"], found["su-army#3"]) == ("out", "out")


def test_oh_s6_the_pacific_is_in_reach_and_the_indian_ocean_is_not_while_the_allies_have_china():
    found = supply("pacific")
    assert (found["japan-fleet#2"], found["japan-army"], found["japan-fleet#3"]) == ("in", "in", "out")
    taken = judged("nations", "pacific", places={"japan-army": "China"})
    assert controller(taken, "China") == "axis" and taken.supply["japan-fleet#3"] == "in"


def test_oh_s4_chinese_armies_always_and_only_in_china():
    assert supply("china")["china-army"] == "in"
    assert [f.rule.code for f in check_position(judged("nations", "china", places={"china-army": "India"}))] == ["P601"]


def test_oh_s5_a_restricted_way_serves_its_nation_alone():
    assert supply("siberia")["germany-army#4"] == "out"
    assert supply("siberia", places={"germany-army#4": "Ukraine"})["germany-army#4"] == "in"
    assert supply("moscow-tied", places={"germany-army": ""})["su-army#2"] == "in"


def test_oh_st1_st3_st4_st5_per_nation_french_with_the_uk_and_who_goes_to_spent():
    found = {f.rule.code: f for f in check_position(judged("nations", "crowded"), only=("stacking", "carrying"))}
    assert set(found) == {"P101", "P104"}
    assert found["P101"].message == (
        "4 allies UK pieces stand here and at most 3 may (rule 6.1): 1 too many of uk-army, uk-army#2, uk-army#3, "
        "france-army; it goes to Spent"
    )
    assert found["P104"].facts["pieces"] == ["uk-army#4"] and "they go to Spent" in found["P104"].message


def test_oh_s7_a_check_for_zones_says_that_there_are_none():
    (note,) = check_position(judged("nations", "india"), only=("zoc",))
    assert note.rule.code == "P801" and note.message == "the game has no zones of control (rule 6)"


@pytest.mark.parametrize(("side", "count"), [("axis", 3), ("allies", 1)])
def test_oh_u2_the_scoring_example_comes_out_of_control(side, count):
    verdict = judged("nations", "score")
    own = {"axis": {"Germany", "Japan"}, "allies": {"UK", "USA", "SU"}}[side]
    spaces = [s for s in verdict.board.map.spaces if s.traits.get("victory") == "yes"]
    taken = [s.key for s in spaces if s.traits.get("home", "") not in own and controller(verdict, s.key) == side]
    assert len(taken) == count, taken
