"""Control as positions state it."""

from __future__ import annotations

import tiny

from toolchain.checks.control import check_control

MAP = tiny.hexmap(1, 3, boxes=["Pool"])
UNITS = [tiny.unit("r1"), tiny.unit("r2"), tiny.unit("b1", "blue"), tiny.unit("flag", role="marker")]
HOME = '\n[[control.home]]\nwhere = { kind = "box" }\nside = "red"\ncite = "2.2"\n'


def found(at, control=None, controller=""):
    game = tiny.game(MAP, UNITS, tiny.RULES + HOME)
    return list(check_control(tiny.verdict(game, at, control, controller=controller)))


def test_who_stands_in_a_space_controls_it():
    assert found({"r1": "0101"}, {"0101": "red"}, "blue") == []
    assert found({"r1": "0101"}) == [], "a space of nobody is no contradiction"
    (finding,) = found({"r1": "0101", "r2": "0101", "flag": "0102"}, {}, "blue")
    assert finding.rule.code == "P502" and finding.where.space == "0101"
    assert finding.message == "r1 of red holds the space, and blue controls it (rule 2)"


def test_home_spaces_belong_to_their_side_whatever_else_is_said():
    assert found({"r1": "Pool"}, {}, "blue") == []
    (finding,) = found({}, {"Pool": "blue"})
    assert finding.rule.code == "P503" and finding.message == "the space belongs to red (rule 2.2), not to blue"


def test_unknown_sides():
    findings = found({}, {"0102": "red", "0101": "rde"}, "bleu")
    assert {f.rule.code for f in findings} == {"P501"}
    text = " | ".join(f.message for f in findings)
    assert "did you mean 'red'?" in text and "did you mean 'blue'?" in text
