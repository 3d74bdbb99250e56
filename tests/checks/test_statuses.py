"""Statuses beside supply, each with lines of its own; limited sources beside grades."""

from __future__ import annotations

from dataclasses import replace

import tiny

from toolchain.checks.positions import check_position
from toolchain.checks.reasons import Account, Block, Reasons, why
from toolchain.checks.telling import account_data, tell
from toolchain.model.game import TurnTrack
from toolchain.model.warmap import Link

# A row of hexes 0101 (a city) to 0106, and a port overseas that supplies but does not count against isolation.
MAP = tiny.hexmap(
    1,
    6,
    features={"0101": "city"},
    boxes=["Overseas"],
    traits={"Overseas": {"base": "yes"}},
    links=[Link("0106", "Overseas", "naval")],
)
UNITS = [tiny.unit(f"r{i}") for i in range(1, 6)] + [tiny.unit("b1", "blue"), tiny.unit("bm", "blue", mech=True)]
RULES = """
format = 1
grades = ["supplied"]
states = ["landed"]
[edges.land]
join = "hexside"
[edges.naval]
join = "link.naval"
[[supply]]
of = { role = "unit" }
through = { control = "friendly" }
sources = [{ where = { feature = "city" } }, { where = { base = true } }]
lines = [{ grade = "supplied", stages = [{ over = ["land", "naval"] }] }]
always = [{ grade = "supplied", of = { state = "landed" }, cite = "44" }]
[[status]]
name = "isolated"
of = { side = "red" }
through = { control = "friendly" }
zoc_blocks = true
sources = [{ where = { feature = "city" } }]
lines = [{ stages = [{ over = "land" }] }]
always = [{ where = { kind = "box" } }]
cite = "3.6"
[[zoc]]
of = { mech = true }
over = "land"
"""
RED = dict.fromkeys([f"010{n}" for n in range(1, 7)] + ["Overseas"], "red")


def judged(at, control=None, **more):
    return tiny.verdict(tiny.game(MAP, UNITS, RULES), at, RED | (control or {}), **more)


def test_sf_s6_isolated_is_without_an_overland_line_and_may_be_supplied_all_the_same():
    v = judged({"r1": "0102", "r2": "0105", "b1": "0103", "r3": "Overseas"}, {"0103": "blue"})
    assert v.supply == {"r1": "supplied", "r2": "supplied", "r3": "supplied", "b1": "out"}
    assert v.statuses == {"isolated": {"r1": False, "r2": True, "r3": False}}, "a rule of its own kind of piece"
    ((finding,),) = [[f for f in check_position(v) if f.rule.code == "P303"]]
    assert finding.message == "r2 is isolated (rule 3.6): its lines stop at 0103 (not controlled by red)"


def test_why_tells_of_every_status():
    reasons = Reasons(judged({"r1": "0102", "r2": "0105"}, {"0103": "blue"}))
    assert tell(reasons.why_status("r1", "isolated"), "R")[0] == "R in 0102: not isolated (rule 3.6)"
    assert tell(reasons.why_status("r1", "isolated"), "R")[1].startswith("  0102 > 0101")
    assert tell(reasons.why_status("r2", "isolated"), "R") == [
        "R in 0105: isolated (rule 3.6)",
        "  stops at 0103: not controlled by red",
    ]
    data = account_data(reasons.why_status("r2", "isolated"))
    assert data["status"] == "isolated" and data["stops"] == [{"space": "0103", "reason": "not controlled by red"}]


def test_why_names_a_few_of_many_stops_and_the_data_all():
    blocks = tuple(Block(f"01{n:02d}", "closed") for n in range(30))
    account = Account("r1", "0101", "out", True, blocks=blocks)
    assert len(tell(account, "R")) == 14 and tell(account, "R")[-1] == "  and at 18 further spaces"
    assert len(account_data(account)["stops"]) == 30


def test_a_status_follows_zones():
    v = judged({"r2": "0105", "bm": "0102"})
    assert v.statuses["isolated"]["r2"] is True and v.supply["r2"] == "supplied"


def test_sf_s7_a_landing_supplies_whoever_landed_for_the_time():
    control = {"0103": "blue", "0106": "blue"}
    assert judged({"r1": "0105"}, control).supply == {"r1": "out"}
    v = judged({"r1": "0105", "r2": "0105"}, control, states={"r1": "landed"})
    assert v.supply == {"r1": "supplied", "r2": "out"} and why(v, "r1").always.cite == "44"


LIMITED = """
format = 1
grades = ["full", "limited"]
[edges.land]
join = "hexside"
[[supply]]
of = { role = "unit" }
sources = [{ where = { space = "0106" } }, { where = { space = "0101" }, serves = 2 }]
[[supply.lines]]
grade = "full"
stages = [{ over = "land", at_most = 2 }]
[[supply.lines]]
grade = "limited"
stages = [{ over = "land", at_most = 4 }]
"""


def limited(at, rules=LIMITED):
    return tiny.verdict(tiny.game(MAP, UNITS, rules), at)


def test_sf_s4_a_limited_source_gives_the_best_grade_that_its_lines_allow():
    alone = LIMITED.replace('{ where = { space = "0106" } }, ', "")
    assert limited({"r1": "0102", "r2": "0105"}, alone).supply == {"r1": "full", "r2": "limited"}


def test_sf_s4_whoever_has_no_line_comes_before_whoever_would_only_be_better_off():
    # r1 and r2 are limited by 0106; the limited source could make them full.
    assert limited({"r1": "0102", "r2": "0103"}).supply == {"r1": "full", "r2": "full"}
    v = limited({"r1": "0102", "r2": "0103", "r3": "0101"})
    assert v.supply == {"r3": "full", "r1": "full", "r2": "limited"}, "r3 has no other line, r1 is nearer than r2"
    assert [s.space for s in why(v, "r2").steps] == ["0104", "0105", "0106"]


def test_a_turn_that_the_game_does_not_have_is_found():
    game = replace(tiny.game(MAP, UNITS, RULES), track=TurnTrack(("one", "two")))
    assert [f.rule.code for f in check_position(tiny.verdict(game, {}, turn=3))] == ["P701"]
    assert list(check_position(tiny.verdict(game, {}, turn=2))) == []
