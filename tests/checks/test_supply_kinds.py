"""Supply of every kind that some rulebook needs: nations, joined and limited sources, cuts, weather, kept grades."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
import tiny
from hypothesis import given, settings
from hypothesis import strategies as st

from toolchain.checks.positions import check_position
from toolchain.checks.reasons import why
from toolchain.checks.supply import check_supply
from toolchain.model.warmap import Link


def points(traits, links, features=None):
    """Spaces as boxes, joined by links of these kinds."""
    return tiny.hexmap(1, 1, boxes=list(traits), traits=traits, links=links, features=features)


# Nations: point to point, on land and sea --------------------------------------------------------------------------

NATIONS = [tiny.unit("uka", "blue", "UK", "army"), tiny.unit("ukf", "blue", "UK", "fleet")]
NATIONS += [tiny.unit("uka2", "blue", "UK", "army"), tiny.unit("usa", "blue", "USA", "army")]
NATIONS += [tiny.unit("usf", "blue", "USA", "fleet"), tiny.unit("ch", "blue", "China", "army")]
NATIONS += [tiny.unit("gef", "red", "Germany", "fleet"), tiny.unit("gea", "red", "Germany", "army")]
NATIONS += [tiny.unit("gea2", "red", "Germany", "army"), tiny.unit("sua", "blue", "SU", "army")]
LAND = {"UK": "UK", "USA": "USA", "Africa": "", "India": "", "Italy": "Germany", "Germany": "Germany", "Poland": ""}
LAND |= {"Ukraine": "SU", "Moscow": "SU", "Siberia": "SU"}
SPACES = {
    k: {"owner": n, "land": "yes"} | ({"capital": n} if k in ("UK", "USA", "Germany", "Moscow") else {})
    for k, n in LAND.items()
}
SPACES |= {"Atlantic": {"sea": "yes"}, "Mediterranean": {"sea": "yes"}}
WAYS = [
    ("USA", "Atlantic"),
    ("UK", "Atlantic"),
    ("Atlantic", "Africa"),
    ("Africa", "India"),
    ("Africa", "Mediterranean"),
]
WAYS += [
    ("Mediterranean", "Italy"),
    ("Italy", "Germany"),
    ("Germany", "Poland"),
    ("Poland", "Ukraine"),
    ("Ukraine", "Moscow"),
]
LINKS = [Link(a, b, "way") for a, b in WAYS] + [Link("Moscow", "Siberia", "restricted", traits={"nation": "SU"})]
WORLD = points(SPACES, LINKS)
HOUR = """
format = 1
grades = ["in"]
[edges.any]
join = ["link.way", "link.restricted"]
reserved = "nation"
[control]
[[control.home]]
where = { owner = ["UK", "USA", "SU"] }
side = "blue"
reverts = true
[[control.home]]
where = { owner = "Germany" }
side = "red"
reverts = true
[[control.rule]]
where = { land = true }
by = "majority"
of = { kind = "army" }
[[control.rule]]
where = { sea = true }
by = "occupation"
of = { kind = "fleet" }
[[supply]]
of = { role = "unit" }
cite = "6.3"
sources = [{ where = { capital = "own" } }]
through = { control = "friendly", any = [{ land = true }, { sea = true, holds = { kind = "fleet", nation = "own" } }] }
lines = [{ grade = "in", stages = [{ over = "any" }] }]
always = [{ grade = "in", of = { nation = "China" }, cite = "3.2" }]
"""


def hour(at):
    return tiny.verdict(tiny.game(WORLD, NATIONS, HOUR), at)


def test_oh_s6_india_through_an_atlantic_held_by_a_fleet_of_the_uk_itself():
    at = {"uka": "India", "uka2": "Africa", "ukf": "Atlantic"}
    assert hour(at).supply["uka"] == "in"
    v = hour({"uka": "India", "uka2": "Africa", "usf": "Atlantic"})
    assert v.supply["uka"] == "out", "a fleet of the USA serves the USA"
    assert hour({"usa": "Africa", "usf": "Atlantic"}).supply["usa"] == "in"


def test_oh_s2_the_last_space_may_be_the_enemys_and_s6_italy_is_out_of_reach_over_a_shared_sea():
    at = {"uka": "Italy", "uka2": "Africa", "ukf": "Atlantic"}
    alone = {**at, "ukf#2": "Mediterranean"}
    assert hour(alone).supply["uka"] == "in"
    assert hour({**alone, "gef": "Mediterranean"}).supply["uka"] == "out"


def test_oh_s6_a_german_army_in_moscow_needs_ukraine():
    assert hour({"gea": "Moscow", "gea2": "Poland"}).supply["gea"] == "out"
    assert hour({"gea": "Moscow", "gea2": "Poland", "gea#2": "Ukraine"}).supply["gea"] == "in"


def test_oh_s3_without_its_capital_nothing_is_supplied_but_the_capital_itself():
    v = hour({"gea": "Moscow", "sua": "Moscow", "sua#2": "Siberia"})
    assert v.supply["sua"] == "in" and v.supply["sua#2"] == "out"
    assert hour({"sua": "Siberia"}).supply["sua"] == "in"


def test_oh_s4_chinese_armies_always_and_s5_a_restricted_way_serves_its_nation_only():
    assert hour({"ch": "Siberia"}).supply["ch"] == "in"
    assert hour({"sua": "Siberia"}).supply["sua"] == "in"
    near = {"gea": "Siberia", "gea2": "Moscow", "gea#2": "Ukraine", "gea#3": "Poland"}
    assert hour(near).supply["gea"] == "out" and hour(near).supply["gea2"] == "in"


# Joined sources, roads and seas, cuts ------------------------------------------------------------------------------

ROADS = """
format = 1
grades = ["in"]
[edges.road]
join = "link.road"
[edges.sea]
hub = { feature = "port", not = { holds = { kind = "blockade" } } }
same = "sea"
[edges.near]
join = "hexside"
[control]
[[supply]]
of = { role = "unit" }
cite = "7"
through = { control = ["friendly", "neutral"] }
cut_by = [{ of = { role = "unit" }, needs = "in", cite = "7.4" }]
[[supply.sources]]
where = { feature = "city", control = "friendly" }
joined = { to = { feature = "city", control = "friendly" }, over = ["road", "sea"] }
[[supply.lines]]
grade = "in"
stages = [{ over = "near", at_most = 1, beyond = true }, { over = ["road", "sea"] }]
[[supply.lines]]
grade = "in"
sources = [{ where = { holds = { kind = "beachhead", side = "friendly" } } }]
stages = [{ over = "near", at_most = 1, beyond = true }]
"""
ROAD = tiny.hexmap(
    2,
    8,
    features={"0101": "city port", "0105": "city", "0108": "port"},
    traits={"0101": {"sea": "s"}, "0108": {"sea": "s"}},
    links=[Link(f"010{n}", f"010{n + 1}", "road") for n in range(1, 8)],
)
BLOCKS = [tiny.unit(f"r{i}") for i in range(1, 5)] + [tiny.unit(f"b{i}", "blue") for i in range(1, 4)]
BLOCKS += [tiny.unit("head", kind="beachhead", role="marker"), tiny.unit("stop", kind="blockade", role="marker")]
CITIES = {"0101": "red", "0105": "red"}


def road(at, control=None, rules=ROADS, warmap=ROAD):
    return tiny.verdict(tiny.game(warmap, BLOCKS, rules), at, CITIES | (control or {}))


def test_vw_s1_on_or_beside_a_line_of_road_of_any_length():
    assert road({"r1": "0107", "r2": "0203"}).supply == {"r1": "in", "r2": "in"}
    off = tiny.hexmap(4, 8, features={"0101": "city", "0105": "city"}, links=ROAD.links)
    assert road({"r1": "0401"}, warmap=off).supply == {"r1": "out"}


def test_vw_s1_a_unit_beside_the_line_may_stand_with_the_enemy_around_it():
    assert road({"r1": "0203"}, {"0203": "blue", "0202": "blue"}).supply == {"r1": "in"}


def test_vw_s2_a_city_is_a_base_only_with_a_line_to_another():
    assert road({"r1": "0102"}, {"0103": "blue"}).supply == {"r1": "in"}, "by sea and the road from 0108"
    v = road({"r1": "0102"}, {"0103": "blue", "0106": "blue"})
    assert v.supply == {"r1": "out"}, "both cities are red, and no road joins them"
    assert road({"r1": "0102"}).supply == {"r1": "in"}
    assert road({"r1": "0102"}, {"0105": "blue"}).supply == {"r1": "out"}, "one city alone"


def test_vw_s3_the_sea_joins_ports_unless_one_is_blockaded():
    broken = {"0103": "blue"}
    joined = tiny.hexmap(
        2,
        8,
        features={"0101": "city port", "0105": "city port"},
        traits={k: {"sea": "s"} for k in ("0101", "0105")},
        links=ROAD.links,
    )
    assert road({"r1": "0102"}, broken, warmap=joined).supply == {"r1": "in"}
    assert road({"r1": "0102", "stop": "0105"}, broken, warmap=joined).supply == {"r1": "out"}


def test_vw_s4_a_beachhead_serves_itself_and_its_neighbours_and_joins_no_road():
    lost = {"0101": "blue", "0105": "blue"}
    v = road({"head": "0107", "r1": "0107", "r2": "0206", "r3": "0104"}, lost)
    assert v.supply == {"r1": "in", "r2": "in", "r3": "out"}


def test_vw_s6_only_a_supplied_unit_cuts_a_line():
    at = {"r1": "0107", "b1": "0106"}
    assert road(at).supply == {"r1": "in", "b1": "out"}, "blue has no city, so its unit cuts nothing"
    both = tiny.hexmap(
        2,
        8,
        features=dict.fromkeys(("0101", "0105", "0206", "0208"), "city"),
        links=[*ROAD.links, Link("0206", "0208", "road"), Link("0206", "0106", "road")],
    )
    v = road(at, {"0206": "blue", "0208": "blue"}, warmap=both)
    assert v.supply == {"r1": "out", "b1": "in"}
    stops = {b.space: b.reason for b in why(v, "r1").blocks}
    assert stops["0106"] == "cut by b1"


RING = """
format = 1
grades = ["in"]
[edges.road]
join = "link.road"
[[supply]]
of = { role = "unit" }
sources = [{ where = { base = true, control = "friendly" } }]
lines = [{ grade = "in", stages = [{ over = "road" }] }]
cut_by = [{ of = { role = "unit" }, needs = "in" }]
"""


def crossing(n):
    """n sides; each one's unit stands on the line of the one before, so that who is supplied cuts the other."""
    names = ["red", "blue", "green"][:n]
    links = []
    for i, side in enumerate(names):
        after = names[(i + 1) % n]
        links.append(Link(f"{side} unit", f"{after} unit", "road", one_way=True))
        links.append(Link(f"{after} unit", f"{side} base", "road", one_way=True))
    spaces = [f"{s} {k}" for s in names for k in ("unit", "base")]
    warmap = tiny.hexmap(1, 1, boxes=spaces, links=links, traits={f"{s} base": {"base": "yes"} for s in names})
    game = tiny.game(warmap, [tiny.unit("r1"), tiny.unit("b1", "blue")], RING)
    if n > 2:
        game = tiny.with_side(game, "green", tiny.unit("g1", "green"))
    at = {"r1": "red unit", "b1": "blue unit", "g1": "green unit"}
    return tiny.verdict(game, dict(list(at.items())[:n]), {f"{s} base": s for s in names})


def test_vw_s6_two_units_that_cut_each_other_have_two_stable_outcomes():
    v = crossing(2)
    assert len(v.undecided) == 2
    (finding,) = [f for f in check_supply(v) if f.facts["piece"] == "r1"]
    assert finding.rule.code == "P302" and finding.facts["circle"] == ["r1", "b1", "r1"]


def test_vw_s6_three_units_in_a_ring_have_none():
    v = crossing(3)
    assert len(v.undecided) == 3
    assert {len(f.facts["circle"]) for f in check_supply(v)} == {4}


# Four elements, weather, limited sources, kept grades --------------------------------------------------------------

ELEMENTS = """
format = 1
grades = ["supplied"]
[edges.land]
join = "hexside"
[edges.road]
join = "link.road"
[edges.rail]
join = "link.rail"
[edges.naval]
join = "link.naval"
[[supply]]
of = { role = "unit" }
zoc_blocks = true
judged_at = "initial phase"
cite = "S"
sources = [{ where = { feature = "regular" } }, { where = { feature = "small" }, serves = 2, cite = "S4" }]
[[supply.lines]]
grade = "supplied"
stages = [
  { over = "land", at_most_by = { weather = { clear = 3, mud = 1 } } },
  { over = "road", at_most = 2 },
  { over = ["rail", "naval"] },
]
[[zoc]]
of = { mech = true }
over = "land"
negated_by = [{ of = { role = "unit", side = "friendly" }, for = "supply" }]
"""
ROW = [f"p{n}" for n in range(9)]


def elements(at, kinds, weather="clear", moment="", rules=ELEMENTS, **more):
    """A line of boxes p0 ... from the source outward, joined by these kinds of link; land is by hexside only."""
    links = [Link(f"p{i}", f"p{i + 1}", k) for i, k in enumerate(kinds)]
    links += [Link("p8", "p0", k) for k in ("road", "rail", "naval", "path") if k not in kinds]
    warmap = tiny.hexmap(1, 1, boxes=ROW, links=links, traits={"p0": {"base": "yes"}})
    rules = (
        rules.replace('join = "hexside"', 'join = "link.path"')
        .replace('feature = "regular"', "base = true")
        .replace('feature = "small"', "base = false, space = 'p7'")
    )
    facts = {"weather": weather} if weather else {}
    one_way_free = [Link(x.a, x.b, x.kind, one_way=x.a == "p8") for x in warmap.links]
    warmap = replace(warmap, links=tuple(one_way_free))
    return tiny.verdict(tiny.game(warmap, BLOCKS, rules), at, facts=facts, moment=moment, **more)


def test_sf_s1_overland_road_then_rail_and_naval_in_any_turn():
    kinds = ["rail", "naval", "rail", "road", "path", "path"]
    assert elements({"r1": "p6"}, kinds).supply == {"r1": "supplied"}
    assert elements({"r1": "p6"}, ["rail", "road", "rail", "path", "path", "path"]).supply == {"r1": "out"}


def test_sf_s1_the_overland_element_depends_on_the_weather():
    kinds = ["path", "path", "path"]
    assert elements({"r1": "p3"}, kinds).supply == {"r1": "supplied"}
    assert elements({"r1": "p3"}, kinds, "mud").supply == {"r1": "out"}
    v = elements({"r1": "p3", "r2": "p1"}, kinds, "")
    assert v.supply == {"r1": "out", "r2": "supplied"}, "unstated, the least that is listed"
    assert [f.rule.code for f in check_position(v) if f.rule.code[1] == "7"] == ["P702"]
    assert "did you mean 'mud'?" in str([str(f) for f in check_position(elements({}, kinds, "mudd"))])


def limited(at):
    rules = ELEMENTS.replace('{ where = { feature = "regular" } }, ', "")
    return elements(at, ["path"] * 7, "clear", rules=rules)


def test_sf_s4_a_limited_source_serves_the_nearest_units_and_the_finding_names_who_is_left_out():
    v = limited({"r3": "p4", "r2": "p5", "r1": "p6"})
    assert v.supply == {"r1": "supplied", "r2": "supplied", "r3": "out"}
    (finding,) = check_supply(v)
    assert "p7 (its source serves no more units)" in finding.message
    assert [s.space for s in why(v, "r2").steps] == ["p6", "p7"]
    tie = limited({"r3": "p6", "r2": "p6", "r1": "p6"})
    assert tie.supply == {"r3": "out", "r2": "supplied", "r1": "supplied"}, "ties by id, whatever the order"


def test_sf_s4_units_with_another_source_take_nothing_from_a_limited_one():
    v = elements({"r1": "p1", "r2": "p6", "r3": "p5"}, ["path"] * 7)
    assert v.supply == {"r1": "supplied", "r2": "supplied", "r3": "supplied"}


def test_sf_s3_supply_is_judged_in_the_initial_phase_and_kept():
    kinds = ["path"] * 3
    kept = {"r1": "out", "r2": "supplied"}
    later = elements({"r1": "p1", "r2": "p3"}, kinds, "mud", "movement", supply=kept)
    assert later.supply == kept and why(later, "r2").kept
    anew = elements({"r1": "p1", "r2": "p3"}, kinds, "mud", "initial phase", supply=kept)
    assert anew.supply == {"r1": "supplied", "r2": "out"}
    codes = [str(f) for f in check_position(elements({"r1": "p1"}, kinds, supply={"r1": "suplied", "r9": "out"}))]
    assert any("did you mean 'supplied'?" in c for c in codes) and any("no piece 'r9'" in c for c in codes)


def test_sf_s5_two_cities_joined_by_rail_within_the_country():
    rules = (
        ELEMENTS.replace(
            '{ where = { feature = "small" }, serves = 2, cite = "S4" }',
            "{ where = { city = true }, "
            'joined = { to = { city = true }, over = "rail", within = { country = "Italy" } } }',
        )
        .replace('feature = "regular"', "space = 'far'")
        .replace('join = "hexside"', 'join = "link.path"')
    )
    for land, grade in (("Italy", "supplied"), ("France", "out")):
        traits = {
            "A": {"city": "yes", "country": "Italy"},
            "M": {"country": land},
            "B": {"city": "yes", "country": "Italy"},
            "far": {},
        }
        links = [Link("A", "M", "rail"), Link("M", "B", "rail"), Link("far", "A", "naval", one_way=True)]
        links += [Link("far", "A", k, one_way=True) for k in ("road", "path")]
        v = tiny.verdict(tiny.game(points(traits, links), BLOCKS, rules), {"r1": "A"}, facts={"weather": "clear"})
        assert v.supply == {"r1": grade}


def test_sf_z1_no_zone_into_terrain_closed_to_the_unit_and_none_from_small_units():
    rules = (
        ELEMENTS.replace(
            'of = { mech = true }\nover = "land"', 'of = { mech = true }\nover = "land"\nlegal_entry = true'
        )
        + '[[entry]]\nof = { mech = true }\nnever = { terrain = "swamp" }\n'
    )
    rules = (
        rules.replace('join = "link.road"', 'join = "hexside"')
        .replace('join = "link.rail"', 'join = "hexside"')
        .replace('join = "link.naval"', 'join = "hexside"')
    )
    warmap = tiny.hexmap(1, 4, terrain={"0103": "swamp"}, features={"0101": "regular", "0104": "small"})
    v = tiny.verdict(
        tiny.game(warmap, [tiny.unit("bm", "blue", mech=True), tiny.unit("b1", "blue")], rules),
        {"bm": "0102", "b1": "0104"},
        facts={"weather": "clear"},
    )
    assert v.zone("blue") == {"0101"}


def test_zones_reach_over_hubs_too():
    rules = tiny.RULES.replace('over = "land"\nneeds', 'over = ["land", "sea"]\nneeds')
    warmap = tiny.hexmap(
        1, 7, features={"0101": "city port", "0107": "port"}, traits={k: {"sea": "s"} for k in ("0101", "0107")}
    )
    v = tiny.verdict(tiny.game(warmap, [tiny.unit("rm", mech=True)], rules), {"rm": "0101"}, {"0101": "red"})
    assert v.zone("red") == {"0102", "0107"} and v.exerted_on(6, "blue") == ["rm"] and v.exerted_on(0, "blue") == []


# Properties --------------------------------------------------------------------------------------------------------


@settings(max_examples=60, deadline=None)
@given(
    st.dictionaries(st.sampled_from(["r1", "r2", "r3", "r4", "b1", "b2"]), st.sampled_from(ROW)),
    st.randoms(use_true_random=False),
)
def test_order_does_not_matter_to_limited_sources(at, shuffler):
    items = list(at.items())
    shuffler.shuffle(items)
    assert limited(at).supply == limited(dict(items)).supply


@pytest.mark.parametrize("seed", range(12))
def test_a_limited_source_never_serves_more_than_it_may_nor_leaves_one_out_while_it_could(seed):
    dice = random.Random(seed)
    at = {u: dice.choice(ROW[:8]) for u in ("r1", "r2", "r3", "r4")}
    v = limited(at)
    near = [u for u in at if at[u] in ("p4", "p5", "p6", "p7")]
    assert sum(g == "supplied" for g in v.supply.values()) == min(2, len(near))


@settings(max_examples=40, deadline=None)
@given(
    st.sampled_from(sorted(ROAD.index)),
    st.sets(st.sampled_from(sorted(ROAD.index))),
    st.sampled_from(sorted(ROAD.index)),
)
def test_a_friendly_space_more_never_hurts_joined_sources(where, blue, more):
    before = road({"r1": where}, dict.fromkeys(sorted(blue - {"0101", "0105"}), "blue")).supply["r1"]
    after = road({"r1": where}, dict.fromkeys(sorted(blue - {"0101", "0105"} - {more}), "blue") | {more: "red"}).supply[
        "r1"
    ]
    assert (before, after) != ("in", "out")


def test_a_strait_lets_lines_pass_only_while_both_its_shores_are_friendly():
    strait = '[[edges.road.barred_by]]\npairs = [["East", "West"]]\n'
    strait += 'unless = { control = { North = "friendly", South = "friendly" } }\n'
    rules = RING.replace("[[supply]]", strait + "[[supply]]")
    warmap = points({"West": {"base": "yes"}, "East": {}, "North": {}, "South": {}}, [Link("West", "East", "road")])
    game = tiny.game(warmap, BLOCKS, rules)
    shores = {"North": "red", "South": "red", "West": "red"}
    assert tiny.verdict(game, {"r1": "East"}, shores).supply == {"r1": "in"}
    assert tiny.verdict(game, {"r1": "East"}, shores | {"South": "blue"}).supply == {"r1": "out"}
