"""Carriers, escorts and stacking by arm, nation and weight, each with the example of a rulebook that needs it."""

from __future__ import annotations

import tiny

from toolchain.checks.carrying import check_carrying, check_company
from toolchain.checks.positions import check_position
from toolchain.checks.stacking import check_stacking

SEA = tiny.hexmap(
    1,
    4,
    features={"0101": "city coast", "0102": "coast"},
    terrain={"0101": "clear", "0102": "marsh", "0103": "sea", "0104": "mountain"},
)
BLOCKS = [tiny.unit(f"a{i}", domain="army", kind="infantry") for i in range(1, 6)]
BLOCKS += [tiny.unit(f"b{i}", "blue", domain="army", kind="infantry") for i in range(1, 5)]
BLOCKS += [tiny.unit(f"n{i}", domain="naval", kind="battleship", strength=4) for i in range(1, 6)]
BLOCKS += [tiny.unit(f"f{i}", domain="air", kind="fighter", strength=2) for i in range(1, 5)]
BLOCKS += [tiny.unit("bomb", domain="air", kind="bomber", strength=1)]
BLOCKS += [tiny.unit("cv", domain="naval", kind="carrier", strength=3), tiny.unit("para", domain="army", kind="para")]
BLOCK_RULES = """
format = 1
states = ["dropped"]
[[stacking]]
of = { domain = "army", not = [{ in = { terrain = "sea" } }, { kind = "para", not = { state = "dropped" } }] }
at_most = 4
at = "end of movement"
cite = "4.1"
except = [{ where = { terrain = ["marsh", "mountain"] }, at_most = 2 }]
[[stacking]]
of = { any = [{ domain = "naval" }, { domain = "army", in = { terrain = "sea" } }] }
at_most = 4
cite = "4.1"
except = [{ where = { feature = "coast" }, at_most = 2 }]
[[stacking]]
of = { carried = false, any = [{ domain = "air" }, { kind = "para", not = { state = "dropped" } }] }
at_most = 2
cite = "4.1"
[[carry]]
carrier = { kind = "carrier" }
cargo = { domain = "air", not = { kind = "bomber" } }
at_most = 2
no_more_than = "strength"
cite = "4.41; 3.2"
"""
BLOCK_GAME = tiny.game(SEA, BLOCKS, BLOCK_RULES)


def stacked(at, **more):
    return [f.message for f in check_stacking(tiny.verdict(BLOCK_GAME, at, **more))]


def together(space, *ids):
    return dict.fromkeys(ids, space)


def test_vw_st1_armies_by_terrain():
    assert stacked(together("0101", "a1", "a2", "a3", "a4")) == []
    assert stacked(together("0101", "a1", "a2", "a3", "a4", "a5"))[0].startswith(
        "5 red pieces stand here and at most 4"
    )
    assert stacked(together("0102", "a1", "a2")) == [] != stacked(together("0102", "a1", "a2", "a3"))


def test_vw_st2_naval_units_beside_the_armies_and_st6_eight_in_a_clear_coastal_city():
    eight = together("0101", "a1", "a2", "a3", "a4", "n1", "n2", "f1", "f2")
    assert stacked(eight) == []
    for more in ("n3", "f3", "a5"):
        (text,) = stacked({**eight, more: "0101"})
        assert f"1 too many of {text.split(' too many of ')[1]}" in text and more in text


def test_vw_st3_airborne_units_are_air_until_they_drop():
    full = together("0101", "a1", "a2", "a3", "a4", "para")
    assert stacked(full) == []
    assert len(stacked(full, states={"para": "dropped"})) == 1
    assert stacked({**full, "f1": "0101", "f2": "0101"})[0].startswith("3 red pieces stand here and at most 2")


def test_vw_st4_armies_at_sea_are_naval():
    assert stacked(together("0103", "n1", "n2", "n3", "a1")) == []
    assert len(stacked(together("0103", "n1", "n2", "n3", "n4", "a1"))) == 1


def test_vw_st5_each_player_in_a_battle_hex():
    assert stacked(together("0101", "a1", "a2", "a3", "a4", "b1", "b2", "b3", "b4")) == []


def test_vw_st7_checked_only_at_its_moment():
    five = together("0101", "a1", "a2", "a3", "a4", "a5")
    assert stacked(five, moment="during movement") == [] != stacked(five, moment="end of movement")


def carried(at, on):
    return [(f.rule.code, f.message) for f in check_carrying(tiny.verdict(BLOCK_GAME, at, on=on))]


def test_vw_st8_aircraft_on_a_carrier_count_neither_as_naval_nor_as_air():
    at = together("0103", "cv", "f1", "f3", "f4")
    assert len(stacked(at)) == 1 and stacked(at, on={"f1": "cv"}) == []
    assert carried(at, {"f1": "cv"}) == []


def test_vw_st8_two_at_most_no_bombers_and_no_stronger_than_the_carrier():
    at = together("0103", "cv", "f1", "f2", "bomb")
    assert carried(at, {"bomb": "cv"}) == [("P102", "bomb may not be carried by cv")]
    (found,) = carried(at, {"f1": "cv", "f2": "cv"})
    assert found == ("P103", "cv carries 4 strength and may carry at most 3 (rule 4.41; 3.2): f1, f2")
    three = carried(together("0103", "cv", "f1", "f2", "f3"), {"f1": "cv", "f2": "cv", "f3": "cv"})
    assert three[0][1].startswith("cv carries 3 and may carry at most 2")


def test_a_carrier_must_be_there_and_not_be_carried_itself():
    at = {**together("0103", "cv", "f2"), "f1": "0101"}
    assert carried(at, {"f1": "cv"}) == [("P102", "f1 is carried by cv, which stands at 0103")]
    assert "did you mean 'cv'?" in carried(at, {"f2": "cvv"})[0][1]
    assert "carried itself" in carried(together("0103", "cv", "f1", "f2"), {"f1": "f2", "f2": "cv"})[0][1]


# Nations -----------------------------------------------------------------------------------------------------------

NATIONS = [tiny.unit(f"uk{i}", nation="UK", kind="army") for i in range(1, 4)]
NATIONS += [tiny.unit("fr", nation="France", kind="army"), tiny.unit("us", nation="USA", kind="army")]
NATIONS += [tiny.unit("ukf", nation="UK", kind="fleet"), tiny.unit("usf", nation="USA", kind="fleet")]
NATION_RULES = """
format = 1
[counts_as.nation]
France = "UK"
[[stacking]]
of = { kind = "army" }
at_most = 3
per = "nation"
excess = "Spent"
cite = "6.1"
[[stacking]]
of = { kind = "fleet" }
at_most = 3
per = "nation"
[[company]]
of = { kind = "army" }
where = { terrain = "sea" }
holds = { kind = "fleet", nation = "own" }
otherwise = "goes to Spent"
cite = "6.1"
"""


def nations(at, **more):
    return tiny.verdict(tiny.game(SEA, NATIONS, NATION_RULES), at, **more)


def test_oh_st1_per_nation_st3_the_french_count_as_uk_and_st5_the_excess_goes_to_spent():
    three = together("0101", "uk1", "uk2", "uk3")
    assert list(check_stacking(nations({**three, "us": "0101"}))) == []
    (finding,) = check_stacking(nations({**three, "fr": "0101"}))
    assert finding.message == (
        "4 UK pieces stand here and at most 3 may (rule 6.1): 1 too many of uk1, uk2, uk3, fr; it goes to Spent"
    )
    assert finding.facts["excess"] == 1 and finding.facts["to"] == "Spent"


def test_oh_st4_armies_at_sea_need_a_fleet_of_their_own_nation():
    assert list(check_company(nations(together("0103", "uk1", "fr", "ukf")))) == []
    (finding,) = check_company(nations(together("0103", "uk1", "uk2", "us", "usf")))
    assert finding.facts["pieces"] == ["uk1", "uk2"] and finding.rule.code == "P104"
    assert finding.message == "uk1, uk2 need a piece of kind fleet and nation UK here (rule 6.1); goes to Spent"
    assert list(check_company(nations(together("0101", "uk1")))) == []


# Weights -----------------------------------------------------------------------------------------------------------

DIVISIONS = [tiny.unit(f"d{i}", size="division", re=3) for i in range(1, 5)]
DIVISIONS += [tiny.unit(f"g{i}", size="regiment", re="1 1/2", horse=True) for i in range(1, 5)]
EUROPA = """
format = 1
[[stacking]]
of = { size = "division" }
at_most = 3
at = "end of movement"
assumed = "the summary lost the figures"
except = [{ where = { terrain = "mountain" }, at_most = 2 }]
[[stacking]]
weigh = "re"
at_most = 10
at = "end of movement"
times = [{ of = { horse = true }, by = 2 }]
"""


def europa(at, **more):
    return [f.message for f in check_stacking(tiny.verdict(tiny.game(SEA, DIVISIONS, EUROPA), at, **more))]


def test_sf_st1_several_limits_hold_together_and_mountains_take_fewer():
    assert europa(together("0101", "d1", "d2", "d3")) == []
    assert europa(together("0104", "d1", "d2", "d3"))[0].startswith("3 red pieces stand here and at most 2 may")
    (text,) = europa(together("0101", "d1", "d2", "g1", "g2"))
    assert text == "12 red re stand here and at most 10 may: 2 too many of d1, d2, g1, g2", "1½ twice, and doubled"
    assert "(assumed)" in europa(together("0101", "d1", "d2", "d3", "d4"))[0]


def test_sf_st2_not_in_the_initial_phase():
    four = together("0101", "d1", "d2", "d3", "d4")
    assert europa(four, moment="initial phase") == [] != europa(four, moment="end of movement")


def test_oh_s7_a_game_says_that_it_has_no_zones():
    rules = NATION_RULES + '[[without]]\nkind = "zoc"\ncite = "6"\n'
    v = tiny.verdict(tiny.game(SEA, NATIONS, rules), {})
    (finding,) = check_position(v, ("zoc",))
    assert finding.rule.code == "P801" and finding.message == "the game has no zones of control (rule 6)"
    (silent,) = check_position(nations({}), ("supply",))
    assert silent.message == "the rules state no supply"
    assert list(check_position(v)) == []


def test_a_limit_may_depend_on_the_weather():
    rules = 'format = 1\n[[stacking]]\nat_most = 3\nexcept = [{ at_most = 1, when = { fact = { weather = "mud" } } }]\n'
    game = tiny.game(SEA, DIVISIONS, rules)
    two = together("0101", "d1", "d2")
    assert list(check_stacking(tiny.verdict(game, two, facts={"weather": "clear"}))) == []
    (finding,) = check_stacking(tiny.verdict(game, two, facts={"weather": "mud"}))
    assert finding.facts["at_most"] == 1
