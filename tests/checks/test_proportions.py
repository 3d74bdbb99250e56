"""Shares of an ability among pieces that stand or attack together."""

from __future__ import annotations

from fractions import Fraction

import tiny

from toolchain.checks.moves import check_moves
from toolchain.checks.positions import check_position
from toolchain.checks.proportions import shares
from toolchain.model.position import Move

MAP = tiny.hexmap(1, 3)
UNITS = [tiny.unit(f"inf{i}", re="3", aec="none") for i in (1, 2)]
UNITS += [tiny.unit("panzer", re="3", aec="full"), tiny.unit("half", re="2", aec="half")]
UNITS += [tiny.unit(f"mot{i}", re="1", aec="neutral") for i in range(1, 9)] + [
    tiny.unit("eng", re="1/2", aec="none", eng=True)
]
RULES = """
format = 1
states = ["as-neutral"]
[[proportion]]
name = "armour"
weigh = "re"
counts = [{ of = { aec = "full" }, by = 1 }, { of = { aec = "half" }, by = 0.5 }]
neutral = { any = [{ aec = "neutral" }, { aec = "half", state = "as-neutral" }] }
neutral_at_most = 2
cite = "10"
"""
TOGETHER = ["inf1", "inf2", "panzer", "mot1"]


def judged(*ids, rules=RULES, **more):
    return tiny.verdict(tiny.game(MAP, UNITS, rules), dict.fromkeys(ids, "0101"), **more)


def test_sf_2_the_worked_example_three_of_nine_is_one_third():
    (share,) = shares(judged(*TOGETHER))
    assert (share.having, share.of, share.neutral, share.fraction) == (3, 9, 1, Fraction(1, 3))
    assert share.words == "armour of red: 3 of 9 re, 1/3 (1 neutral) (rule 10)"


def test_sf_2_neutral_units_beyond_twice_the_able_ones_count_as_without():
    (exactly,) = shares(judged("panzer", *(f"mot{i}" for i in range(1, 7))))
    assert (exactly.of, exactly.neutral, exactly.surplus, exactly.fraction) == (3, 6, 0, 1)
    (beyond,) = shares(judged("panzer", *(f"mot{i}" for i in range(1, 9))))
    assert (beyond.of, beyond.neutral, beyond.surplus, beyond.fraction) == (5, 6, 2, Fraction(3, 5))
    assert "2 neutral beyond the limit, counted as without" in beyond.words


def test_sf_2_half_units_count_by_half_or_as_neutral_if_their_player_wants():
    (share,) = shares(judged("half", "inf1"))
    assert share.fraction == Fraction(1, 5)
    (share,) = shares(judged("half", "panzer", "inf1", states={"half": "as-neutral"}))
    assert (share.fraction, share.neutral) == (Fraction(1, 2), 2)


def test_nobody_able_no_share_and_fractions_are_kept():
    assert shares(judged("inf1", "mot1")) == ()
    (share,) = shares(judged("panzer", "eng"))
    assert share.fraction == Fraction(6, 7)


def test_sf_2_those_who_attack_one_hex_from_several():
    rules = RULES.replace('weigh = "re"', 'weigh = "re"\nmoves = "attack"', 1)
    rules += '[[proportion]]\nname = "engineers"\nmoves = "attack"\nweigh = "re"\n'
    rules += 'counts = [{ of = { eng = true }, by = 1 }]\nat_least = "1/7"\n'
    at = {"inf1": "0101", "panzer": "0103", "eng": "0101", "inf2": "0101"}
    v = tiny.verdict(tiny.game(MAP, UNITS, rules), at)
    moves = [Move(i, s, "0102", "attack") for i, s in at.items()]
    found = [(f.rule.code, f.message) for f in check_moves(v, moves)]
    assert found == [
        ("P106", "armour of red: 3 of 9.5 re, 6/19 (rule 10)"),
        ("P106", "engineers of red: 0.5 of 9.5 re, 1/19"),
        ("P105", "engineers of red: 0.5 of 9.5 re, 1/19; at least 1/7 is wanted"),
    ]
    few = [Move(i, at[i], "0102", "attack") for i in ("inf1", "eng")]
    assert [f.rule.code for f in check_moves(v, few)] == ["P106"]
    assert shares(v) == (), "a rule for attacks says nothing of who stands together"


def test_a_share_that_is_wanted_of_every_stack():
    rules = RULES + "at_least = 0.3\n"
    codes = [f.rule.code for f in check_position(judged(*TOGETHER, rules=rules), only=("proportions",))]
    assert codes == []
    found = [
        f.message for f in check_position(judged(*TOGETHER, "eng", "half", states={"half": "as-neutral"}, rules=rules))
    ]
    assert found == []
    (message,) = [f.message for f in check_position(judged("inf1", "mot1", rules=rules))]
    assert message.startswith("armour of red: 0 of 4 re, 0 (1 neutral beyond the limit, counted as without)")
    assert message.endswith("(rule 10); at least 3/10 is wanted")
