"""Joined and limited sources, cuts, weather, kept grades; whole games are in test_game_nations, _seams, _elements."""

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
from toolchain.report import Report


def points(traits, links, features=None):
    """Spaces as boxes, joined by links of these kinds."""
    return tiny.hexmap(1, 1, boxes=list(traits), traits=traits, links=links, features=features)


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


def test_vw_s2_a_city_is_a_base_only_with_a_line_to_another():
    assert road({"r1": "0102"}, {"0103": "blue"}).supply == {"r1": "in"}, "by sea and the road from 0108"
    v = road({"r1": "0102"}, {"0103": "blue", "0106": "blue"})
    assert v.supply == {"r1": "out"}, "both cities are red, and no road joins them"
    assert road({"r1": "0102"}).supply == {"r1": "in"}
    assert road({"r1": "0102"}, {"0105": "blue"}).supply == {"r1": "out"}, "one city alone"


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


# Stages that begin in certain spaces ---------------------------------------------------------------------------------

STAFF = """
format = 1
grades = ["in"]
[edges.ground]
join = "hexside"
[edges.road]
join = "hexside.road"
[[supply]]
through = { not = { holds = { side = "enemy" } } }
sources = [{ where = { feature = "city" } }]
[[supply.lines]]
grade = "in"
stages = [
  { over = "ground", at_most = 2 },
  { from = { holds = { kind = "hq", side = "friendly" } }, over = "ground", at_most = 1 },
  { over = "road" },
]
"""
COLUMN = tiny.hexmap(1, 9, features={"0101": "city"}, sides={(f"010{n}", f"010{n + 1}"): "road" for n in range(1, 4)})
STAFFS = [tiny.unit("hq", kind="hq"), tiny.unit("r1"), tiny.unit("b1", "blue"), tiny.unit("bhq", "blue", kind="hq")]


def staffed(at):
    return tiny.verdict(tiny.game(COLUMN, STAFFS, STAFF), at)


def test_units_trace_to_a_headquarters_and_it_to_a_road():
    v = staffed({"hq": "0105", "r1": "0107"})
    assert v.supply == {"hq": "in", "r1": "in"}
    assert [(s.space, s.over) for s in why(v, "r1").steps] == [
        *((f"010{n}", ("ground",)) for n in (6, 5, 4)),
        *((f"010{n}", ("road",)) for n in (3, 2, 1)),
    ]
    assert staffed({"hq": "0105", "r1": "0108"}).supply["r1"] == "out", "three steps from the headquarters"
    assert staffed({"hq": "0106", "r1": "0107"}).supply == {"hq": "out", "r1": "out"}, "two steps from the road"
    assert staffed({"r1": "0103"}).supply == {"r1": "out"}, "on the road, and no headquarters anywhere"
    (finding,) = check_supply(staffed({"r1": "0103"}))
    assert "by way of a space held by a piece of kind hq and side friendly, and nothing else" in finding.message
    assert staffed({"bhq": "0104", "r1": "0105"}).supply["r1"] == "out", "another side's will not do"
    assert staffed({"hq": "0104", "r1": "0106", "b1": "0102"}).supply["r1"] == "out"


def test_a_stage_that_begins_nowhere_on_the_map_is_a_mistake():
    report = Report()
    tiny.game(COLUMN, STAFFS, STAFF.replace('kind = "hq"', 'kind = "qh"'), report)
    (finding,) = report
    assert (finding.rule.code, finding.where.key) == ("R102", "supply.0.lines.0.stages.1.from.holds.kind")
