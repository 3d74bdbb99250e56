"""Limits of what a set-up places: in all spaces together, in each of them, by weight, by the steps of a track."""

from __future__ import annotations

import pytest
import tiny

from toolchain.checks.setup import check_setup

UNITS = [tiny.unit(f"{side[0]}{n}", side, level=n) for side in ("red", "blue") for n in (1, 2, 3)]
UNITS += [tiny.unit(f"cube{n}", "red", role="marker", kind="cube") for n in (1, 2)]
TRAITS = {
    "0101": {"home": "red"},
    "0102": {"home": "red"},
    "Pool": {"home": "red"},
    "T1": {"step": "1"},
    "T3": {"step": "3"},
}
WORLD = tiny.hexmap(1, 3, boxes=["Pool", "T1", "T3"], traits=TRAITS)


def found(rule, at, **more):
    report = tiny.Report()
    game = tiny.game(WORLD, UNITS, f"format = 1\n[[setup_limit]]\n{rule}\ncite = '8.3'\n", report)
    assert [str(f) for f in report] == []
    return list(check_setup(tiny.verdict(game, at, **more)))


def test_all_spaces_together_count_and_others_do_not():
    rule = 'of = { side = "red" }\nwhere = { home = "red" }\nat_most = 5\nweigh = "level"'
    assert found(rule, {"r1": "0101", "r2": "0102", "r3": "0103"}) == []
    (finding,) = found(rule, {"r1": "0101", "r2": "0102", "r3": "Pool", "b1": "0101"})
    assert finding.message == "6 level in 0101, 0102, Pool, and at most 5 may be there (rule 8.3): r1, r2, r3"
    assert finding.facts["total"] == 6 and finding.facts["pieces"] == ["r1", "r2", "r3"]


def test_each_space_by_itself_and_at_least():
    rule = 'where = { home = "red" }\nat_least = 1\neach = "space"'
    assert [f.where.space for f in found(rule, {"r1": "0101", "r2": "0103"})] == ["0102", "Pool"]
    assert found(rule, {"r1": "0101", "r2": "0102", "r3": "Pool"}) == []


def test_groups_are_counted_apart():
    rule = 'at_most = 2\nat_least = 2\nper = "side"'
    (low,) = found(rule, {"r1": "0101", "b1": "0101", "b2": "0102"})
    assert low.facts["group"] == "red" and low.message.startswith("1 red pieces in 0101, 0102")
    assert found(rule, {"b1": "0101", "b2": "0102"}) == [], "a side that is not in the position is not asked for"


def test_steps_of_a_track_add_up():
    rule = 'of = { kind = "cube" }\nat_most = 3\nweigh_place = "step"'
    assert found(rule, {"cube1": "T1", "cube2": "T1"}) == []
    (finding,) = found(rule, {"cube1": "T1", "cube2": "T3"})
    assert finding.facts["total"] == 4


@pytest.mark.parametrize(("facts", "count"), [({}, 0), ({"set-up": "free"}, 1)])
def test_a_limit_may_hold_for_set_ups_of_a_kind(facts, count):
    rule = "at_most = 0\nwhen = { fact = { set-up = 'free' } }"
    assert len(found(rule, {"r1": "0101"}, facts=facts)) == count


def test_a_limit_without_a_number_and_an_unknown_trait_are_findings():
    report = tiny.Report()
    tiny.game(WORLD, UNITS, "format = 1\n[[setup_limit]]\nweigh_place = 'stepp'\n", report)
    assert sorted(f.rule.code for f in report) == ["R101", "S012"] and "did you mean 'step'" in str(list(report))
