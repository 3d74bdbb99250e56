"""OH-ST, OH-C, OH-S: stacking, control and supply of one-hour-ww2 on its real map, pieces and rules.

Where the rulebook tells an example, the position is that of the example.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
import realgames
from realgames import controller, together

from toolchain.checks.carrying import check_company
from toolchain.checks.movement import find_reachable
from toolchain.checks.moves import check_moves
from toolchain.checks.places import check_places
from toolchain.checks.positions import check_position, check_stated
from toolchain.checks.reasons import why
from toolchain.checks.stacking import check_stacking
from toolchain.model.position import Move
from toolchain.report import Severity

NAME = "one-hour-ww2"
ARMY, FLEET = "uk-army-1", "uk-fleet-1"


def stand(at):
    return realgames.stand(NAME, at)


def copies(piece, *numbers):
    return [piece if n == 1 else f"{piece}#{n}" for n in numbers]


# Stacking ------------------------------------------------------------------------------------------------------------


def test_oh_st1_three_armies_a_nation_on_land_and_three_fleets_and_three_armies_at_sea():
    us = copies("us-army-1", 1, 2, 3)
    uk = copies(ARMY, 1, 2, 3)
    assert list(check_stacking(stand(together("France", us + uk)))) == [], "each nation by itself"
    (finding,) = check_stacking(stand(together("France", [*us, "us-army-1#4"])))
    assert finding.facts["at_most"] == 3 and finding.facts["group"] == "US" and finding.facts["cite"] == "6.1"
    fleets = copies("us-fleet-1", 1, 2, 3)
    assert list(check_stacking(stand(together("Atlantic", us + fleets)))) == [], "fleets and armies apart"
    (finding,) = check_stacking(stand(together("Atlantic", us + fleets + ["us-fleet-2"])))
    assert finding.facts["pieces"] == [*fleets, "us-fleet-2"]


def test_oh_st2_level_counts_for_nothing():
    assert list(check_stacking(stand(together("Moscow", ["su-army-2", "su-army-2#2", "su-army-1"])))) == []
    assert (
        len(list(check_stacking(stand(together("Moscow", ["su-army-2", "su-army-2#2", *copies("su-army-1", 1, 2)])))))
        == 1
    )


def test_oh_st3_minor_nations():
    (finding,) = check_stacking(stand(together("France", [*copies(ARMY, 1, 2, 3), "fr-army-1"])))
    assert finding.facts["group"] == "UK" and finding.facts["excess"] == 1
    (finding,) = check_stacking(stand(together("Italy", [*copies("ge-army-1", 1, 2, 3), "it-army-1"])))
    assert finding.facts["group"] == "GE"
    three = [*copies("us-army-1", 1, 2, 3), "cn-army-1", "cn-army-1#2"]
    assert list(check_stacking(stand(together("China", three)))) == [], "Chinese armies are no American ones"
    assert list(check_places(stand({"cn-army-1": "China", "cn-army-1#2": "USA Reserve"}))) == []
    found = list(check_places(stand({"cn-army-1": "India", "cn-army-1#2": "UK Reserve"})))
    assert sorted(i for f in found for i in f.facts["pieces"]) == ["cn-army-1", "cn-army-1#2"]


def test_oh_st4_armies_at_sea_need_a_fleet_of_their_own_nation():
    assert list(check_company(stand({ARMY: "Atlantic", FLEET: "Atlantic"}))) == []
    (finding,) = check_company(stand({ARMY: "Atlantic", "us-fleet-1": "Atlantic"}))
    assert finding.facts["pieces"] == [ARMY] and "goes to Spent" in finding.message
    assert list(check_company(stand({"fr-army-1": "Atlantic", FLEET: "Atlantic"}))) == [], "the French count as British"
    assert list(check_company(stand({ARMY: "UK"}))) == []


def test_oh_st5_the_excess_goes_to_spent_and_the_finding_names_how_many():
    (finding,) = check_stacking(stand(together("Ukraine", copies("ge-army-1", 1, 2, 3, 4, 5))))
    assert finding.facts["excess"] == 2 and finding.facts["to"] == "Spent"
    assert "2 too many of ge-army-1" in finding.message and finding.message.endswith("they go to Spent")
    assert list(check_stacking(stand(together("Germany Spent", copies("ge-army-1", 1, 2, 3, 4, 5))))) == [], "no limit"


# Control -------------------------------------------------------------------------------------------------------------


def test_oh_c1_land_by_majority_and_home():
    assert controller(stand({}), "Ukraine") == "allied" and controller(stand({}), "China") == "axis"
    assert controller(stand({}), "France") == "", "neutral and empty"
    both = {"ge-army-1": "France", "us-army-1": "France", ARMY: "France"}
    assert controller(stand(both), "France") == "allied", "one German, one USA and one UK army (6.2)"
    assert controller(stand({"ge-army-1": "France", ARMY: "France"}), "France") == "", "the USA army has left"
    assert controller(stand({"ge-army-2": "France", "us-army-1": "France", ARMY: "France"}), "France") == "allied"
    assert controller(stand({"ge-army-1": "Ukraine"}), "Ukraine") == "axis"
    assert controller(stand({"ge-army-1": "Ukraine", "su-army-1": "Ukraine"}), "Ukraine") == "", "a tie at home"
    assert (
        controller(stand({"ge-army-1": "Ukraine", **together("Ukraine", copies("su-army-1", 1, 2))}), "Ukraine")
        == "allied"
    )
    assert controller(stand({"jp-army-1": "China", "cn-army-1": "China"}), "China") == ""


def test_oh_c2_sea_by_fleets_of_one_side_alone():
    assert controller(stand({}), "Atlantic") == ""
    assert controller(stand({FLEET: "Mediterranean", f"{FLEET}#2": "Mediterranean"}), "Mediterranean") == "allied"
    mixed = {FLEET: "Mediterranean", f"{FLEET}#2": "Mediterranean", "it-fleet-1": "Mediterranean"}
    assert controller(stand(mixed), "Mediterranean") == "", "a single Italian fleet blocks it (6.2)"
    assert controller(stand({ARMY: "Atlantic"}), "Atlantic") == "", "armies hold no sea"
    assert controller(stand({FLEET: "Atlantic", "us-fleet-1": "Atlantic"}), "Atlantic") == "allied"


# Supply --------------------------------------------------------------------------------------------------------------


def supply(at, piece):
    return stand(at).supply[piece]


def test_oh_s1_from_the_own_capital_over_land_of_the_side_and_seas_with_an_own_fleet():
    assert supply({"us-army-1": "UK", "us-fleet-1": "Atlantic"}, "us-army-1") == "in"
    assert supply({"us-army-1": "UK", FLEET: "Atlantic"}, "us-army-1") == "out", "a fleet of the UK serves the UK"
    lent = {"us-army-1": "India", "us-fleet-1": "Atlantic"}  # over North Africa, which is British
    assert supply(lent, "us-army-1") == "in", "land of any nation of the side"
    assert supply({**lent, "it-army-1": "North Africa"}, "us-army-1") == "out"
    alone = {"it-army-1": "North Africa", "it-fleet-1": "Mediterranean"}
    assert supply(alone, "it-army-1") == "in", "the Italian fleet is German for all purposes (3.2)"


def test_oh_s2_the_last_space_may_be_the_enemys_or_nobodys():
    assert supply({"ge-army-1": "Ukraine", "su-army-1": "Ukraine", "su-army-1#2": "Ukraine"}, "ge-army-1") == "in"
    assert supply({"ge-army-1": "Moscow"}, "ge-army-1") == "out", "but only the last one"


def test_oh_s3_a_lost_capital_supplies_nothing_but_itself():
    lost = {**together("Moscow", copies("ge-army-1", 1, 2)), "su-army-1": "Moscow", "su-army-1#2": "Siberia"}
    verdict = stand(lost)
    assert verdict.supply["su-army-1"] == "in" and verdict.supply["su-army-1#2"] == "out"
    tie = {"ge-army-1": "Moscow", "su-army-1": "Moscow", "su-army-1#2": "Leningrad"}
    assert supply(tie, "su-army-1#2") == "out", "uncontrolled is enough (6.4)"


def test_oh_s4_chinese_armies_are_always_in_supply():
    assert supply({"cn-army-1": "China", **together("China", copies("jp-army-1", 1, 2, 3))}, "cn-army-1") == "in"


def test_oh_s5_restricted_connections_serve_their_nation_only():
    assert supply({"su-army-1": "Siberia"}, "su-army-1") == "in"
    east = {"ge-army-1": "Moscow", "ge-army-1#2": "Siberia", "ge-army-1#3": "Ukraine"}
    assert supply(east, "ge-army-1") == "in" and supply(east, "ge-army-1#2") == "out"


def test_oh_s6_india_is_in_supply_for_the_uk_by_its_own_fleet_in_the_atlantic():
    at = {
        ARMY: "India",
        FLEET: "Atlantic",
        f"{FLEET}#2": "Mediterranean",
        "it-fleet-1": "Mediterranean",
        "ge-army-1": "France",
    }
    assert supply(at, ARMY) == "in"
    path = [step.space for step in why(stand(at), ARMY).steps]
    assert path[-1] == "UK" and {"North Africa", "Atlantic"} <= set(path)
    usa = {ARMY: "India", "us-fleet-1": "Atlantic", "ge-army-1": "France"}
    assert supply(usa, ARMY) == "out"


def test_oh_s6_italy_is_not_while_one_axis_fleet_shares_the_mediterranean():
    at = {ARMY: "Italy", FLEET: "Atlantic", f"{FLEET}#2": "Mediterranean", "ge-army-1": "France"}
    assert supply(at, ARMY) == "in"
    assert supply({**at, "it-fleet-1": "Mediterranean"}, ARMY) == "out"


def test_oh_s6_a_german_army_in_moscow_needs_ukraine():
    at = {"ge-army-1": "Moscow", "ge-army-1#2": "Poland"}
    assert supply(at, "ge-army-1") == "out"
    assert supply({"ge-army-1": "Moscow", "ge-army-1#2": "Ukraine"}, "ge-army-1") == "in", "the army of Poland took it"


def test_oh_s6_the_south_pacific_and_the_indian_ocean_of_japan():
    at = {"jp-fleet-1": "North Pacific", "jp-army-1": "China", "cn-army-1": "China"}
    assert supply({**at, "jp-fleet-1#2": "South Pacific"}, "jp-fleet-1#2") == "in"
    assert supply({**at, "jp-fleet-1#2": "Indian Ocean", "cn-army-1#2": "China"}, "jp-fleet-1#2") == "out"
    taken = {"jp-fleet-1": "North Pacific", "jp-fleet-1#2": "Indian Ocean", "jp-army-1": "China"}
    assert supply(taken, "jp-fleet-1#2") == "in", "with China, by way of South-east Asia"
    onward = {**at, "jp-fleet-1#2": "South Pacific", "jp-army-1#2": "South-east Asia"}
    assert supply(onward, "jp-army-1#2") == "in", "and on a later Build an army comes there (4.5)"


def test_oh_s7_there_are_no_zones_of_control_and_the_check_says_so():
    verdict = stand({})
    assert verdict.rules.zoc == ()
    (said,) = check_stated(verdict, "zoc")
    assert said.severity is Severity.NOTE and said.message == "the game has no zones of control (rule 6)"
    assert [f.rule.code for f in check_position(verdict, ("zoc",))] == [said.rule.code]


def test_fleets_stay_at_sea_and_units_in_the_boxes_of_their_nation():
    wrong = {FLEET: "North Africa", "ge-army-1": "Japan Reserve", "jp-army-1": "Germany: Blitz"}
    assert {i for f in check_places(stand(wrong)) for i in f.facts["pieces"]} == set(wrong)
    right = {FLEET: "UK Spent", "fr-army-1": "UK Reserve", "it-fleet-1": "Germany Spent", "ge-army-1": "Baltic"}
    assert list(check_places(stand(right))) == []


@pytest.mark.parametrize("setup", ["1940", "free"])
def test_set_ups_are_clean(setup):
    assert [str(f) for f in check_position(realgames.of_setup(NAME, setup))] == []


def test_italian_units_are_out_of_the_game_once_italy_falls():
    at = {"it-army-1": "Germany", "it-fleet-1": "Germany Spent"}
    assert list(check_places(stand(at))) == []
    found = list(check_places(stand({**at, "us-army-1": "Italy"})))
    assert {i: f.facts["cite"] for f in found for i in f.facts["pieces"]} == dict.fromkeys(at, "3.2")


# Offensives ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("at", "start", "reach"),
    [
        ({FLEET: "Atlantic"}, FLEET, {"North Sea", "Mediterranean", "Indian Ocean", "East Pacific"}),
        ({FLEET: "Atlantic", "it-army-1": "North Africa"}, FLEET, {"North Sea", "East Pacific"}),
        ({"it-fleet-1": "Mediterranean"}, "it-fleet-1", set()),
        ({"it-fleet-1": "Mediterranean", "it-army-1": "North Africa"}, "it-fleet-1", {"Atlantic", "Indian Ocean"}),
        ({"ge-army-1": "Poland"}, "ge-army-1", {"Germany", "Ukraine", "Balkans", "Leningrad"}),
        ({"su-army-1": "Moscow"}, "su-army-1", {"Ukraine", "Leningrad", "Siberia"}),
        ({"ge-army-1": "Moscow"}, "ge-army-1", {"Ukraine", "Leningrad"}),
    ],
)
def test_oh_m4_fleets_pass_straits_that_their_side_controls_and_armies_move_by_land(at, start, reach):
    assert set(find_reachable(stand(at), start).spaces) == reach


ASSAULT, STRATEGIC = "amphibious assault", "strategic move"


def closed(at, kind, piece, *spaces):
    """The ends of steps that are closed to a piece on its way over these spaces."""
    steps = [Move(piece, a, b, kind) for a, b in pairwise(spaces)]
    found = list(check_moves(stand(at), steps))
    assert {f.rule.code for f in found} <= {"P402"}, found
    return [f.where.space for f in found]


def test_armies_land_over_a_sea_that_a_fleet_of_their_nation_holds():
    at = {ARMY: "Scandinavia", FLEET: "Baltic"}  # the example of 4.5
    way = (ARMY, "Scandinavia", "Baltic", "Germany")
    assert closed(at, ASSAULT, *way) == []
    assert closed({**at, "ge-fleet-1": "Baltic"}, ASSAULT, *way) == ["Baltic", "Germany"], "one enemy fleet prevents it"
    assert closed({ARMY: "Scandinavia", "us-fleet-1": "Baltic"}, ASSAULT, *way) == ["Baltic", "Germany"]
    far = {"us-army-1": "USA", "us-fleet-1": "Atlantic", "us-fleet-1#2": "North Sea"}
    assert "France" not in find_reachable(stand(far), "us-army-1", kind=ASSAULT).spaces, "two seas are too many"
    staged = {"us-army-1": "East Pacific", "us-fleet-1": "East Pacific", "us-fleet-1#2": "North Pacific"}
    assert "Japan" in find_reachable(stand(staged), "us-army-1", kind=ASSAULT).spaces


def test_units_leave_no_space_that_their_side_does_not_control():
    mixed = {"ge-army-1": "Ukraine", "su-army-1": "Ukraine"}
    assert closed(mixed, "move", "ge-army-1", "Ukraine", "Moscow") == ["Moscow"]
    assert closed({**mixed, "ge-army-1#2": "Ukraine"}, "move", "ge-army-1", "Ukraine", "Moscow") == []
    seas = {FLEET: "North Sea", "ge-fleet-1": "North Sea"}
    assert closed(seas, "move", FLEET, "North Sea", "Atlantic") == ["Atlantic"]


def test_strategic_moves_go_any_distance_over_friendly_spaces():
    # The example of 4.5: a fleet to the Atlantic through the USA, then the army to the UK.
    at = {"us-army-1": "USA", "us-fleet-1": "East Pacific"}
    assert closed(at, STRATEGIC, "us-fleet-1", "East Pacific", "Atlantic") == []
    assert closed(at, STRATEGIC, "us-army-1", "USA", "Atlantic", "UK") == ["Atlantic", "UK"]
    assert closed({**at, "us-fleet-1": "Atlantic"}, STRATEGIC, "us-army-1", "USA", "Atlantic", "UK") == []
    reach = find_reachable(stand({**at, "us-fleet-1": "Atlantic"}), "us-army-1", kind=STRATEGIC).spaces
    assert {"UK", "North Africa", "India"} <= set(reach) and not {"France", "North Sea"} & set(reach)
