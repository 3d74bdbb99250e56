"""Selectors and conditions judged on a position, every kind of term."""

from __future__ import annotations

import numpy as np
import pytest
import tiny

from toolchain.checks.layout import Layout
from toolchain.graph.board import Board
from toolchain.model.forces import Counter, Face
from toolchain.model.terms import (
    EVERY,
    All,
    AnyOf,
    Beside,
    Controls,
    Holds,
    InForce,
    Is,
    Not,
    StandsIn,
    State,
    Turns,
    View,
    describe,
)

MAP = tiny.hexmap(
    1,
    4,
    features={"0101": "city port", "0103": "port"},
    traits={"0101": {"sea": "north; south"}, "0104": {"land": "R"}},
    boxes=["Pool"],
    closed=["0104"],
)
UNITS = [
    tiny.unit("r1", mech=True),
    tiny.unit("b1", "blue"),
    tiny.unit("c1", "blue", "C", "fort"),
    tiny.unit("m", "", role="marker"),
]
UNITS.append(Counter("air", "Air", "marker", "red", faces=(Face({"job": "fly"}), Face({"job": "rest"}))))
RED, BLUE = View("red", "R"), View("blue", "C")


@pytest.fixture
def layout():
    game = tiny.game(MAP, UNITS)
    position = tiny.position(
        {"r1": "0101", "b1": "0102", "c1": "Pool", "m": "0101", "air": "0103"},
        {"0101": "red", "0102": "blue", "Pool": ""},
        controller="blue",
        events=frozenset({"rain"}),
        turn=3,
        facts={"weather": "mud"},
    )
    return Layout(game, Board.from_map(MAP), position, [{"side": "red", "kind": "corps"}])


def names(layout, mask):
    return {layout.pieces[i].id if i < len(layout.pieces) else "imagined" for i in np.flatnonzero(mask)}


def keys(mask):
    return {MAP.spaces[i].key for i in np.flatnonzero(mask)}


@pytest.mark.parametrize(
    ("term", "view", "expected"),
    [
        (EVERY, RED, {"r1", "b1", "c1", "m", "air", "imagined"}),
        (Is("side", ("red",)), BLUE, {"r1", "air", "imagined"}),
        (Is("side", ("friendly",)), BLUE, {"b1", "c1"}),
        (Is("side", ("enemy",)), BLUE, {"r1", "air", "imagined"}),
        (Is("nation", ("own",)), BLUE, {"c1"}),
        (Is("nation", ("own",)), View("blue"), set()),
        (Is("mech", ("yes",)), RED, {"r1"}),
        (Not(Is("kind", ("corps", "fort"))), RED, {"air"}),
        (All((Is("kind", ("corps",)), Is("role", ("unit",)))), RED, {"r1", "b1"}),
        (AnyOf((Is("kind", ("fort",)), Is("job", ("fly",)))), RED, {"c1", "air"}),
        (Is("job", ("rest",)), RED, set()),
        (StandsIn(Is("feature", ("port",))), RED, {"r1", "m", "air"}),
        (AnyOf(), RED, set()),
    ],
)
def test_selectors_of_pieces(layout, term, view, expected):
    assert names(layout, layout.pieces_of(term, view)) == expected


@pytest.mark.parametrize(
    ("term", "view", "expected"),
    [
        (EVERY, RED, {"0101", "0102", "0103", "0104", "Pool"}),
        (Is("space", ("Pool", "0102")), RED, {"Pool", "0102"}),
        (Is("kind", ("box",)), RED, {"Pool"}),
        (Is("feature", ("port",)), RED, {"0101", "0103"}),
        (Is("sea", ("south",)), RED, {"0101"}),
        (Is("land", ("own",)), RED, {"0104"}),
        (Is("land", ("own",)), BLUE, set()),
        (Is("enterable", ("no",)), RED, {"0104"}),
        (Is("control", ("friendly",)), RED, {"0101"}),
        (Is("control", ("enemy",)), RED, {"0102", "0103", "0104"}),
        (Is("control", ("neutral",)), RED, {"Pool"}),
        (Is("control", ("blue", "neutral")), RED, {"0102", "0103", "0104", "Pool"}),
        (Holds(Is("side", ("enemy",))), RED, {"0102", "Pool"}),
        (Holds(Is("role", ("marker",))), RED, {"0101", "0103"}),
        (Beside(Is("feature", ("city",))), RED, {"0102"}),
        (All((Not(Beside(Is("kind", ("hex",)))), Not(Is("kind", ("hex",))))), RED, {"Pool"}),
    ],
)
def test_selectors_of_spaces(layout, term, view, expected):
    assert keys(layout.spaces_of(term, view)) == expected


@pytest.mark.parametrize(
    ("term", "holds"),
    [
        (EVERY, True),
        (InForce(("truce", "rain")), True),
        (InForce(("truce",)), False),
        (Turns(1, 3), True),
        (Turns(4, 9), False),
        (State("weather", ("mud", "snow")), True),
        (State("season", ("mud",)), False),
        (Controls("0101", "friendly"), True),
        (Controls("0102", "friendly"), False),
        (Controls("Pool", "neutral"), True),
        (Controls("nowhere", "red"), False),
        (All((InForce(("rain",)), Not(Turns(1, 3)))), False),
        (AnyOf((InForce(("truce",)), Turns(3, 3))), True),
    ],
)
def test_conditions(layout, term, holds):
    assert layout.holds(term, RED) is holds


def test_faces_answer_for_their_step():
    game = tiny.game(MAP, UNITS)
    position = tiny.position({"air": "0103"})
    turned = tiny.position({})
    reduced = type(turned)("x", (type(position.pieces[0])("air", "air", "0103", 1),))
    layout = Layout(game, Board.from_map(MAP), reduced)
    assert names(layout, layout.pieces_of(Is("job", ("rest",)))) == {"air"}


def test_pieces_without_a_counter_or_a_space_are_left_out():
    layout = Layout(
        tiny.game(MAP, UNITS), Board.from_map(MAP), tiny.position({"r1": "0109", "x9": "0101", "b1": "0101"})
    )
    assert [p.id for p in layout.pieces] == ["b1"]


def test_terms_in_words():
    term = All((Is("control", ("friendly",)), Not(Is("kind", ("box",)))))
    assert describe(term, RED) == "controlled by red and not kind box"
    assert describe(Is("control", ("enemy",)), RED) == "controlled by others than red"
    assert describe(AnyOf((Is("space", ("A", "B")), Holds(Is("side", ("friendly",))))), RED) == (
        "(A or B or held by a piece of side red)"
    )
