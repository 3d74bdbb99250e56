"""Why a unit has its supply, in words that a player can check on the map."""

from __future__ import annotations

import pytest
import tiny
from hypothesis import given
from hypothesis import strategies as st

from toolchain.checks.reasons import Reasons, why
from toolchain.checks.supply import check_supply
from toolchain.checks.telling import account_data, tell

RULES = """
format = 1
grades = ["in"]
[edges.ground]
join = "hexside"
[edges.road]
join = "hexside.road"
[[supply]]
cite = "7"
through = { not = { holds = { role = "unit", side = "enemy" } } }
sources = [{ where = { feature = "depot" }, joined = { to = { feature = "city" }, over = "road" } }]
lines = [{ grade = "in", stages = [STAGES] }]
"""
UNITS = [tiny.unit("r1"), tiny.unit("r2"), tiny.unit("b1", "blue")]
ROADS = {(f"010{n}", f"010{n + 1}"): "road" for n in range(1, 4)}
COLUMN = tiny.hexmap(1, 9, features={"0101": "city", "0104": "depot"}, sides=ROADS)


def judged(at, stages='{ over = "ground", at_most = 2 }', warmap=COLUMN):
    return tiny.verdict(tiny.game(warmap, UNITS, RULES.replace("STAGES", stages)), at)


def test_a_line_that_is_only_too_long_is_told_with_the_bound_that_it_breaks():
    v = judged({"r1": "0108"})
    account = why(v, "r1")
    assert tell(account, "First") == [
        "First in 0108: out of supply (rule 7)",
        "  too far: 0108 > 0107 > 0106 > 0105 > 0104",
        "    4 steps over ground, and at most 2 may be",
    ]
    assert account_data(account)["too_far"] == {
        "line": [{"space": f"010{n}", "over": ["ground"]} for n in (7, 6, 5, 4)],
        "over": ["ground"],
        "at_most": 2,
    }
    (finding,) = check_supply(v)
    assert finding.message.endswith("(rule 7): 0104 is too far, 4 steps over ground, and at most 2 may be")


def test_of_several_stages_the_one_that_is_too_long_is_told():
    v = judged({"r1": "0108"}, '{ over = "ground", at_most = 1 }, { over = "road" }')
    assert "    4 steps over ground, and at most 1 may be" in tell(why(v, "r1"), "First")
    v = judged({"r1": "0108"}, '{ over = ["ground", "road"], each = { ground = 1 } }')
    assert "    more than 1 of its steps are over ground" in tell(why(v, "r1"), "First")


def test_what_stops_a_line_is_told_beside_and_alone_where_no_line_is_left():
    (finding,) = check_supply(judged({"r1": "0106", "b1": "0105"}))
    assert finding.facts["pieces"] == ["r1"]
    assert finding.message.endswith(": its lines stop at 0105 (held by a piece of role unit and another side than red)")
    wide = tiny.hexmap(2, 9, features={"0101": "city", "0104": "depot"}, sides=ROADS)
    (finding,) = check_supply(judged({"r1": "0106", "b1": "0105"}, warmap=wide))
    assert "0104 is too far, 3 steps over ground, and at most 2 may be; its lines stop at 0105" in finding.message


def test_what_makes_a_joined_source_one_is_told():
    account = why(judged({"r1": "0105", "r2": "0104"}), "r1")
    assert tell(account, "First")[1:] == [
        "  0105 > 0104   (ground, 1 step)",
        "  0104 is a source, for it is joined: 0104 > 0103 > 0102 > 0101",
    ]
    assert account_data(account)["joined"] == ["0103", "0102", "0101"]
    assert tell(why(judged({"r2": "0104"}), "r2"), "Second")[-1].endswith("joined: 0104 > 0103 > 0102 > 0101")


def test_a_source_that_is_joined_to_none_supplies_nobody_and_is_not_too_far():
    v = judged({"r1": "0105", "b1": "0102"})
    assert v.supply["r1"] == "out" and why(v, "r1").far is None


@pytest.mark.parametrize("most", range(4))
@given(at=st.integers(1, 9), enemy=st.integers(1, 9))
def test_who_is_too_far_has_a_line_when_nothing_is_bounded_and_only_then(most, at, enemy):
    where = {"r1": f"010{at}", "b1": f"010{enemy}"}
    if at == enemy:
        return
    stages = f'{{ over = "ground", at_most = {most} }}'
    v, free = judged(where, stages), judged(where, '{ over = "ground" }')
    account = Reasons(v).why("r1")
    assert (account.far is not None) == (v.supply["r1"] == "out" and free.supply["r1"] == "in")
    if account.far is not None:
        assert account.far.steps == why(free, "r1").steps and account.far.count > most
