"""Rules that can never apply: taken by earlier ones, or only in turns that never come."""

from __future__ import annotations

import dataclasses
import tomllib

import pytest
import tiny

from toolchain.model.warmap import LegendEntry
from toolchain.report import Report
from toolchain.sources.decode.rules import decode_rules
from toolchain.sources.decode.vocabulary import Vocabulary

MAP = tiny.hexmap(1, 3, sides={("0101", "0102"): "river"})
UNITS = [tiny.unit("r1", mech=True), tiny.unit("b1", "blue"), tiny.unit("flag", role="marker")]
WORDS = dataclasses.replace(Vocabulary.of(MAP, UNITS, tiny.SIDES, tiny.EVENTS), turns=10)
HEAD = 'format = 1\ngrades = ["in"]\n[edges.land]\njoin = "hexside"\n'


def found(text):
    report = Report()
    raw = tomllib.loads(HEAD + text)
    for rule in raw.get("supply", ()):  # enough of one to stand
        rule["always"] = [{"grade": "in"}]
    decode_rules(raw, "rules.toml", WORDS, report)
    return [(f.rule.code, f.where.key) for f in report]


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[[supply]]\n[[supply]]\nof = { side = 'red' }", "supply.1"),
        ("[[supply]]\nof = { side = 'red' }\n[[supply]]\nof = { side = 'blue' }\n[[supply]]", "supply.2"),
        ("[[movement]]\nover = 'land'\n[[movement]]\nover = 'land'\nof = { mech = true }", "movement.1"),
        (
            "[[hexside_limit]]\nmoves = 'attack'\ncrossings = [{ at_most = 2 }, { hexside = 'river', at_most = 1 }]",
            "hexside_limit.0.crossings.1",
        ),
        (
            "[[movement]]\nover = 'land'\ncosts = [{ more = 1 }, { points = 2 }, { hexside = 'river', points = 3 }]",
            "movement.0.costs.2",
        ),
    ],
)
def test_what_earlier_rules_take_whole(text, key):
    assert found(text) == [("R121", key)]


@pytest.mark.parametrize(
    "text",
    [
        "[[supply]]\nof = { mech = true }\n[[supply]]",
        "[[supply]]\nof = { in = { terrain = 'clear' } }\n[[supply]]",  # in another space the second takes it
        "[[status]]\nname = 'a'\n[[status]]\nname = 'b'",
        "[[movement]]\nover = 'land'\ncosts = [{ in_zone = true, points = 2 }, { points = 3 }]",
        "[[hexside_limit]]\nmoves = 'attack'\ncrossings = [{ hexside = 'river', at_most = 1 }, { at_most = 2 }]",
        "[[entry]]\nnever = { space = '0101' }\nwhen = { turn = { from = 3 } }",
    ],
)
def test_what_may_apply_is_left_alone(text):
    assert found(text) == []


@pytest.mark.parametrize("turn", ["11", "[2, 12]", "{ from = 11 }", "{ from = 5, to = 4 }"])
def test_turns_that_never_come(turn):
    assert found(f"[[entry]]\nnever = {{ space = '0101' }}\nwhen = {{ turn = {turn} }}") == [
        ("R105", "entry.0.when.turn")
    ]


def test_a_home_may_depend_on_facts_but_not_on_control():
    rules = HEAD + "[[control.home]]\nwhere = { space = '0103' }\nside = 'red'\nreverts = true\nwhen = "
    game = tiny.game(MAP, UNITS, rules + "{ fact = { east = 'red' } }")
    for facts, owner in (({"east": "red"}, 0), ({"east": "blue"}, -1), ({}, -1)):
        assert tiny.verdict(game, {}, facts=facts).layout.control.tolist() == [-1, -1, owner]
    text = rules.removeprefix(HEAD) + "{ control = { '0101' = 'red' } }"
    assert found(text) == [("S011", "control.home.0")]


def test_a_rule_for_another_kind_of_move_is_not_taken_before():
    march = "[[movement]]\nover = 'land'\n[[movement]]\nover = 'land'\nmoves = 'march'\n"
    assert found(march) == []
    assert found(march + "[[movement]]\nover = 'land'\nmoves = ['march', 'move']\n") == [("R121", "movement.2")]


def test_edges_that_join_no_two_spaces():
    legend = (LegendEntry("ferry", "link"), LegendEntry("wall", "hexside"))
    words = Vocabulary.of(dataclasses.replace(MAP, legend=legend), UNITS, tiny.SIDES, tiny.EVENTS)
    for join, found_ in (("link.ferry", True), ("hexside.wall", True), ("hexside.river", False), ("link", True)):
        report = Report()
        decode_rules(tomllib.loads(f'format = 1\n[edges.way]\njoin = "{join}"\n'), "rules.toml", words, report)
        assert [(f.rule.code, f.where.key) for f in report] == [("R105", "edges.way.join")] * found_
