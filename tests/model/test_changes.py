"""Changes to a position, as the command line gives them."""

from __future__ import annotations

from dataclasses import replace

import pytest
import tiny

from toolchain.model.changes import ChangeError, apply_changes

MAP = replace(tiny.hexmap(1, 3), spellings={"First": "0101"})
GAME = tiny.game(
    MAP, [replace(tiny.unit("r1"), copies=3), tiny.unit("b1", "blue")], 'format = 1\nstates = ["dropped"]\n'
)
START = tiny.position({"r1": "0101", "r1#2": "0102"}, {"0101": "red"}, events=frozenset({"rain"}))


def change(**changes):
    return apply_changes(START, GAME, **changes)


def test_events_control_facts_and_turn():
    now = change(events=["truce"], ended=["Rain"], control={"First": "Blue"}, facts={"weather": "mud"}, turn=4)
    assert (now.events, now.control, now.facts, now.turn) == ({"truce"}, {"0101": "blue"}, {"weather": "mud"}, 4)
    assert change().control == START.control and change().pieces == START.pieces


def test_pieces_move_leave_and_come_in():
    now = change(places={"r1": "0103", "r1#2": "", "b1": "First", "r1#3": "0102"})
    assert {p.id: (p.counter, p.at) for p in now.pieces} == {
        "r1": ("r1", "0103"),
        "b1": ("b1", "0101"),
        "r1#3": ("r1", "0102"),
    }


def test_steps_and_states():
    now = change(steps={"r1": 1}, states={"r1#2": ["dropped"]})
    assert [(p.step, p.states) for p in now.pieces] == [(1, ()), (0, ("dropped",))]
    assert change(places={"b1": "0101"}, steps={"b1": 1}).pieces[-1].step == 1


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"events": ["trucee"]}, "no event 'trucee'; did you mean 'truce'?"),
        ({"control": {"0104": "red"}}, "no space '0104'"),
        ({"control": {"0101": "rde"}}, "no side 'rde'; did you mean 'red'?"),
        ({"places": {"r": "0101"}}, "no piece 'r'"),
        ({"places": {"r1#4": "0101"}}, "no piece 'r1#4'; copies of r1: 3"),
        ({"places": {"r1#²": "0101"}}, "no piece 'r1#²'"),
        ({"steps": {"r1": 2}}, "r1 has no step 2; its steps are 0 to 1"),
        ({"states": {"r1": ["droped"]}}, "no state 'droped'; did you mean 'dropped'?"),
        ({"steps": {"b1": 1}}, "no piece 'b1'"),
    ],
)
def test_what_the_game_does_not_have(changes, words):
    with pytest.raises(ChangeError, match=words.replace("?", r"\?")):
        change(**changes)
