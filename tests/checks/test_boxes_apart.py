"""Boxes off the map: holding boxes of several players, and what rules may ask of them."""

from __future__ import annotations

from dataclasses import replace

import tiny

from toolchain.checks.places import check_places
from toolchain.checks.structure import check_map
from toolchain.model.warmap import LegendEntry, Link

KINDS = (
    LegendEntry("shift", "link", traits={}),
    LegendEntry("ferry", "link", traits={"modes": "land sea"}),
)


def boxes(*links, titles=None):
    warmap = tiny.hexmap(2, 1, boxes=["Red Spent", "Red Reserve", "Blue Reserve"], links=links)
    spaces = tuple(replace(s, name=(titles or {}).get(s.key, s.name)) for s in warmap.spaces)
    return replace(warmap, spaces=spaces, legend=(*warmap.legend, *KINDS))


def found(warmap, *codes):
    return [(f.rule.code, f.where.space) for f in check_map(warmap) if f.rule.code in codes]


def test_boxes_joined_only_by_links_of_no_mode_are_off_the_map_on_purpose():
    spent = Link("Red Spent", "Red Reserve", "shift")
    assert found(boxes(spent), "G101", "G102") == [("G101", "Blue Reserve")], "nothing at all leads there"
    alone = boxes(Link("Red Spent", "Red Reserve", "ferry"), Link("Red Spent", "Blue Reserve", "ferry"))
    assert found(alone, "G102") == [("G102", "0101")], "a way on which units move should lead to the map"


def test_boxes_of_several_players_may_bear_one_title():
    links = [Link("Red Spent", "Red Reserve", "shift"), Link("Red Spent", "Blue Reserve", "shift")]
    assert found(boxes(*links, titles={"Red Reserve": "Reserve", "Blue Reserve": "Reserve"}), "M403") == []
    assert found(boxes(*links, titles={"0101": "Ford", "0201": "ford"}), "M403") == [("M403", "0201")]


RULES = """
format = 1
[[entry]]
of = { role = "unit" }
only = { any = [{ terrain = "clear" }, { owner = "own" }] }
"""


def test_a_trait_that_holds_nations_may_be_asked_for_as_ones_own():
    traits = {"Red Reserve": {"owner": "RED"}, "Blue Reserve": {"owner": "BLUE"}}
    warmap = tiny.hexmap(1, 1, boxes=["Red Reserve", "Blue Reserve"], traits=traits)
    units = [tiny.unit("r1", "red", "RED"), tiny.unit("b1", "blue", "BLUE")]
    report = tiny.Report()
    game = tiny.game(warmap, units, RULES, report)
    assert [str(f) for f in report] == []
    assert list(check_places(tiny.verdict(game, {"r1": "Red Reserve", "b1": "0101"}))) == []
    (finding,) = check_places(tiny.verdict(game, {"r1": "Blue Reserve"}))
    assert finding.facts["pieces"] == ["r1"]
