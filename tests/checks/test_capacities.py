"""What each side has on each network of edges."""

from __future__ import annotations

import tiny

from toolchain.checks.capacities import capacities
from toolchain.model.warmap import Link

LINE = [("0101", "0102"), ("0102", "0103"), ("0201", "0202")]
MAP = tiny.hexmap(
    2,
    4,
    features={"0101": "city", "0103": "city port", "0201": "city", "0104": "city"},
    links=[Link(a, b, "ferry") for a, b in LINE],
)
RULES = """
format = 1
[edges.rail]
join = "link.ferry"
[[edges.rail.barred_by]]
at = { space = "0102" }
when = { event = "truce" }
[[capacity]]
name = "rail"
over = "rail"
where = { feature = ["city", "port"], control = "friendly" }
each = 2
cite = "12"
"""


def held(control, events=()):
    game = tiny.game(MAP, [tiny.unit("a")], RULES)
    return capacities(tiny.verdict(game, {}, control, events=frozenset(events)))


def test_a_network_gives_each_side_what_its_spaces_are_worth():
    first, second, other = held({"0101": "red", "0103": "blue", "0201": "red", "0104": "red"})
    assert (first.side, first.network, first.spaces, first.amount) == ("red", "0101", ("0101",), 2)
    assert (second.side, second.network, second.spaces, second.amount) == ("blue", "0101", ("0103",), 2)
    assert (other.side, other.network, other.size) == ("red", "0201", 2), "0104 is on no railway"
    assert first.words == "rail at 0101: red 2 (1 space of 3) (rule 12)"
    assert [h.amount for h in held({"0101": "red", "0103": "red"})] == [4]


def test_what_bars_the_edges_parts_the_networks():
    control = {"0101": "red", "0103": "red"}
    assert [h.size for h in held(control)] == [3]
    assert held(control, ["truce"]) == (), "nothing is joined to the two cities any more"


def test_a_capacity_of_unknown_edges_is_a_finding():
    from toolchain.report import Report

    report = Report()
    tiny.game(MAP, [tiny.unit("a")], RULES.replace('over = "rail"', 'over = "rial"'), report)
    assert any("capacity.0.over" in str(f.where) and "rail" in f.message for f in report)
