"""Moves and enemy zones of control: stops, steps from zone to zone, retreats and what negates the zones for each."""

from __future__ import annotations

import pytest
import tiny

from toolchain.checks.moves import check_moves
from toolchain.model.position import Move

# A column of hexes 0101 to 0106 beside another; blue's bm exerts a zone on its neighbours.
MAP = tiny.hexmap(2, 7, sides={("0101", "0102"): "wall"})
UNITS = [tiny.unit("r1"), tiny.unit("r2"), tiny.unit("bm", "blue", mech=True), tiny.unit("rc", motor=True)]
RULES = """
format = 1
[edges.land]
join = "hexside"
barred_by = [{ hexside = "wall", cite = "1" }]
[[movement]]
over = "land"
moves = ["move", "march"]
cite = "8"
[[zoc]]
of = { mech = true }
over = "land"
NEGATION
effects = [
  { of = { motor = true }, retreat = 0 },
  { enter = "stop", from_zone_to_zone = "forbidden", retreat = 1, moves = ["move", "march"], cite = "8.43" },
]
"""


def found(at, *steps, purposes="[]", rules=RULES):
    rules = rules.replace("NEGATION", f"negated_by = [{{ of = {{ side = 'friendly' }}, for = {purposes} }}]")
    v = tiny.verdict(tiny.game(MAP, UNITS, rules), at)
    return [(f.rule.code, f.message) for f in check_moves(v, [Move(*s) for s in steps])]


def test_a_piece_must_stop_on_entering_a_zone_and_may_begin_in_one():
    at = {"r1": "0102", "bm": "0104"}
    assert found(at, ("r1", "0102", "0103", "move")) == []
    ((code, text),) = found(at, ("r1", "0102", "0103", "move"), ("r1", "0103", "0102", "march"))
    assert code == "P404" and text == "r1 must stop at 0103, in the zone of control of bm (rule 8.43)"
    assert found({**at, "r1": "0103"}, ("r1", "0103", "0102", "move")) == []
    assert found(at, ("r1", "0102", "0103", "move"), ("r1", "0103", "0102", "attack-march"))[0][0] == "P403"


def test_not_from_zone_to_zone_but_kinds_of_move_that_the_rule_leaves_out_may():
    at = {"r1": "0103", "bm": "0104"}
    ((code, text),) = found(at, ("r1", "0103", "0203", "move"))
    assert code == "P404" and "from zone to zone, from 0103 to 0203" in text
    assert (
        found(at, ("r1", "0103", "0203", "move"), rules=RULES.replace('"move", "march"], cite', '"march"], cite')) == []
    )


@pytest.mark.parametrize(
    ("purposes", "moves", "retreats"),
    [
        ("'supply'", True, True),
        ("'movement'", False, True),
        ("'retreat'", True, False),
        ("['movement', 'retreat']", False, False),
    ],
)
def test_a_friend_negates_a_zone_for_each_purpose_by_itself(purposes, moves, retreats):
    at = {"r1": "0103", "r2": "0203", "bm": "0104"}
    assert ("P404" in {c for c, _ in found(at, ("r1", "0103", "0203", "move"), purposes=purposes)}) == moves
    got = found(at, ("r1", "0103", "0203", "retreat"), purposes=purposes)
    assert ("P405" in {c for c, _ in got}) == retreats
    # The friend that leaves first negates nothing any more.
    gone = found(at, ("r2", "0203", "0202", "move"), ("r1", "0103", "0203", "retreat"), purposes=purposes)
    assert "P405" in {c for c, _ in gone}


def test_sf_z2_a_retreat_into_a_zone_costs_losses_but_not_those_whom_the_rule_spares():
    at = {"r1": "0102", "rc": "0102", "bm": "0104"}
    ((code, text),) = found(at, ("r1", "0102", "0103", "retreat"))
    assert code == "P405" and text == "r1 retreats into the zone of control of bm: 1 more lost (rule 8.43)"
    assert found(at, ("rc", "0102", "0103", "retreat")) == []
    forbidden, stop = (RULES.replace("retreat = 1", f'retreat = "{word}"') for word in ("forbidden", "stop"))
    way = [("r1", "0102", "0103", "retreat"), ("r1", "0103", "0203", "retreat")]
    assert found(at, way[0], rules=stop) == [], "it may end in a zone"
    ((code, text),) = found(at, *way, rules=stop)
    assert code == "P404" and text == "r1 must stop at 0103, in the zone of control of bm (rule 8.43)"
    assert found(at, *way, purposes="'retreat'", rules=stop) != [], "the mover itself negates nothing"
    assert found({**at, "r2": "0103"}, *way, purposes="'retreat'", rules=stop) == []
    assert found(at, ("r1", "0102", "0103", "retreat"), rules=forbidden)[0][0] == "P404"


def test_a_move_goes_over_the_edges_of_its_movement_rule():
    ((code, text),) = found({"r1": "0101"}, ("r1", "0101", "0102", "move"))
    assert code == "P402" and text == "the way from 0101 to 0102 is closed to r1 (rule 8)"
