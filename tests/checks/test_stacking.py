"""Stacking limits on tiny maps."""

from __future__ import annotations

import pytest
import tiny

from toolchain.checks.stacking import check_stacking

MAP = tiny.hexmap(1, 4, features={"0102": "port city"}, boxes=["Pool"], terrain={"0103": "hills"})
UNITS = [tiny.unit(f"r{i}") for i in range(1, 7)] + [tiny.unit(f"b{i}", "blue") for i in range(1, 5)]
UNITS += [tiny.unit("flag", role="marker"), tiny.unit("big", size=3), tiny.unit("small", size=1.5)]


def found(at, rules=tiny.RULES):
    return list(check_stacking(tiny.verdict(tiny.game(MAP, UNITS, rules), at)))


def test_as_many_as_may_stand_are_no_finding():
    assert found({"r1": "0101", "r2": "0101", "flag": "0101"}) == []


def test_the_finding_names_space_limit_rule_and_the_pieces_in_excess():
    (finding,) = found({"r1": "0101", "r2": "0101", "r3": "0101"})
    assert finding.rule.code == "P101" and finding.where.space == "0101"
    assert finding.where.line == 4, "the row of the piece that came last"
    assert finding.message == "3 red pieces stand here and at most 2 may (rule 3.1): 1 too many of r1, r2, r3"
    assert finding.facts["excess"] == 1 and finding.facts["pieces"] == ["r1", "r2", "r3"]
    assert finding.facts["above"] == ["r3"], "those that came last are too many"


def test_sides_are_counted_apart():
    assert found({"r1": "0101", "r2": "0101", "b1": "0101", "b2": "0101"}) == []


def test_an_exception_takes_its_pieces_in_its_spaces_only():
    three = {"r1": "0102", "r2": "0102", "r3": "0102"}
    assert found(three) == []
    (finding,) = found({**three, "r4": "0102"})
    assert finding.facts["at_most"] == 3 and finding.facts["cite"] == "3.2"
    (finding,) = found({"b1": "0102", "b2": "0102", "b3": "0102"})
    assert finding.facts["at_most"] == 2 and finding.facts["group"] == "blue"


def test_unlimited_spaces_and_markers_do_not_count():
    assert found({f"r{i}": "Pool" for i in range(1, 7)}) == []


def test_a_limit_may_weigh_instead_of_count():
    rules = 'format = 1\n[[stacking]]\nat_most = 4\nweigh = "size"\nper = ""\nassumed = "lost"\n'
    assert found({"big": "0101"}, rules) == []
    (finding,) = found({"big": "0101", "small": "0101"}, rules)
    assert finding.message == "4.5 size stand here and at most 4 may (assumed): 0.5 too many of big, small"


@pytest.mark.parametrize(("event", "count"), [((), 0), (("rain",), 1)])
def test_a_limit_may_hold_only_at_times_and_in_some_terrain(event, count):
    rules = 'format = 1\n[[stacking]]\nat_most = 1\nwhere = { terrain = "hills" }\nwhen = { event = "rain" }\n'
    game = tiny.game(MAP, UNITS, rules)
    at = {"r1": "0103", "r2": "0103", "r3": "0101", "r4": "0101"}
    assert len(list(check_stacking(tiny.verdict(game, at, events=frozenset(event))))) == count


def test_order_of_the_input_does_not_change_what_is_said():
    at = {"r1": "0101", "r2": "0101", "r3": "0101", "b1": "0103", "b2": "0103", "b3": "0103"}
    turned = dict(reversed(list(at.items())))
    key = [(f.facts["space"], f.facts["group"], f.facts["excess"]) for f in found(at)]
    assert key == [(f.facts["space"], f.facts["group"], f.facts["excess"]) for f in found(turned)]
