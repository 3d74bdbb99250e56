"""What follows from a position, told and as data: attrition, costs, spaces that moves take."""

from __future__ import annotations

import json

import tiny

from toolchain.checks.consequences import (
    attrition_data,
    costs_data,
    taken_data,
    tell_attrition,
    tell_costs,
    tell_taken,
)
from toolchain.model.position import Move

MAP = tiny.hexmap(1, 6, features={"0101": "city"})
UNITS = [*(tiny.unit(f"r{i}") for i in (1, 2, 3)), tiny.unit("rf", kind="fort"), tiny.unit("b1", "blue")]
RULES = (
    tiny.RULES
    + """
[[attrition]]
of = { kind = "corps" }
steps = 1
[[control.taken]]
moves = "move"
cite = "20"
[[cost]]
act = "attack"
supply = ["full", "limited"]
per = "space"
points = 1
cite = "6"
[[cost]]
act = "attack"
supply = "out"
per = "unit"
points = 1.5
"""
)
RED = dict.fromkeys(("0101", "0102", "0105", "0106"), "red") | {"0103": "blue"}


def judged(at, rules=RULES, **more):
    return tiny.verdict(tiny.game(MAP, UNITS, rules), at, RED, **more)


def test_attrition_is_told_and_is_plain_data():
    data = attrition_data(judged({"r1": "0102", "r2": "0105", "r3": "0106", "rf": "0106"}))
    assert data["dies"] == ["r2"] and data["spared"] == ["r3", "rf"] and data["turns"] == ["0103"]
    assert tell_attrition(data) == [
        "  attrition, die: r2",
        "  attrition, spared: r3, rf",
        "  attrition, turn: 0103",
    ]
    turning = attrition_data(judged({"r1": "0102"}))
    assert turning["turns"] == ["0103", "0105", "0106"] and json.dumps(turning)
    assert tell_attrition(attrition_data(judged({"r1": "0105", "r2": "0106"}, tiny.RULES)))[0].endswith("die: r1, r2")
    quiet = attrition_data(tiny.verdict(tiny.game(MAP, UNITS, RULES), {}))
    assert tell_attrition(quiet) == ["  attrition takes nobody and turns no space"]


def test_attrition_by_steps():
    by_steps = RULES.replace("spared =", "of = { kind = 'fort' }\nspared =")
    data = attrition_data(judged({"r2": "0105", "r3": "0106"}, by_steps, steps={"r3": 1}))
    assert (data["steps"], data["dies"]) == ({"r2": 1}, ["r3"])
    assert "  attrition, lose steps: r2 to step 1" in tell_attrition(data)


def test_what_an_act_costs_in_each_space():
    data = costs_data(judged({"r1": "0102", "r2": "0105", "r3": "0105"}), "attack")
    assert [(at["space"], at["points"]) for at in data] == [("0102", 1), ("0105", 3)]
    assert tell_costs(data, "attack") == [
        "  to attack in 0102: 1 (1 per space for r1, rule 6)",
        "  to attack in 0105: 3 (1.5 per unit for r2, r3)",
    ]
    assert tell_costs([], "attack") == ["  to attack costs nothing anywhere"]


def test_what_moves_take():
    data = taken_data(judged({"r1": "0102"}), [Move("r1", "0102", "0103", "move"), Move("r1", "0103", "0104", "move")])
    assert [(c["space"], c["before"], c["after"]) for c in data] == [("0103", "blue", "red"), ("0104", "", "red")]
    assert tell_taken(data) == [
        "  0103 passes from blue to red (rule 20)",
        "  0104 passes from nobody to red (rule 20)",
    ]
