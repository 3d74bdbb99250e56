"""Set-up tables: who stands where, who controls what, which events are in force.

Columns: what, item, at, state, cite, assumed; for pieces also on (the id of the piece that carries it), states (what is
true of it for a time, in words of the rules) and supply (the grade that was judged before). One row states one thing:

    what        item          at      state
    piece       counter id    space   full, reduced, or the number of the step from 0
    control     side          space
    controller  side                          controls everything that no row states
    event       event name
    turn        number
    fact        name                  value   such as weather
    arrangement name                          how the sheets of the map lie (default: the first of map.toml)
    title       words
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Collection, Mapping
from typing import TypeVar

from toolchain.catalogue import MISSING_KEY, REPEATED, UNKNOWN_KEY, UNKNOWN_NAME, WRONG_VALUE
from toolchain.model.forces import Counter, Side
from toolchain.model.game import Event
from toolchain.model.position import Piece, Position
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode import shown
from toolchain.sources.documents import Row, Table, known_columns

COLUMNS = ("what", "item", "at", "state", "on", "states", "supply", "cite", "assumed")
WHAT = ("piece", "control", "controller", "event", "turn", "fact", "arrangement", "title")
T = TypeVar("T")
STEPS = {"": 0, "full": 0, "reduced": 1}


def decode_setup(
    table: Table,
    name: str,
    counters: Mapping[str, Counter],
    sides: Mapping[str, Side],
    events: Mapping[str, Event],
    controller: str,
    report: Report,
    arrangements: Collection[str] = (),
) -> Position:
    """Read a set-up; spaces are left as the table writes them, since only the map can tell whether they exist.

    arrangements: of the sheets of the map, by name.
    """
    for column in known_columns(table, COLUMNS):
        report.add(UNKNOWN_KEY, Location(table.file, 1, column), f"unknown column{did_you_mean(column, COLUMNS)}")
    for column in ("what", "item"):
        if column not in table.columns:
            head = f"there is no column {column!r}; the first row must name the columns: what, item, at, state, ..."
            report.add(MISSING_KEY, Location(table.file, 1), head)
            return Position(name)
    pieces: list[Piece] = []
    used: Tally[str] = Tally()
    placed: dict[str, list[str]] = {}
    too_many: dict[str, Row] = {}
    stated: dict[str, str] = {}
    control: dict[str, str] = {}
    control_where: dict[str, Location] = {}
    in_force: set[str] = set()
    facts: dict[str, str] = {}
    supply: dict[str, str] = {}
    turn, title, arrangement = 0, "", ""
    bare: Row | None = None  # the first piece of a game without counters
    for row in table.rows:
        what, item, at = row.get("what"), row.get("item"), row.get("at")
        if what not in WHAT:
            report.add(
                WRONG_VALUE, row.where("what"), f"{what!r} is none of {', '.join(WHAT)}{did_you_mean(what, WHAT)}"
            )
            continue
        if not item:
            report.add(MISSING_KEY, row.where("item"), "this cell must be filled")
            continue
        if what in ("piece", "control") and not at:
            report.add(MISSING_KEY, row.where("at"), "this cell must name a space")
            continue
        if what == "fact" and not row.get("state"):
            report.add(MISSING_KEY, row.where("state"), "this cell must hold the value of the fact")
            continue
        if what in ("controller", "turn", "arrangement", "title", "fact"):  # a position has one of each
            subject, said = (f"{what} {item}", row.get("state")) if what == "fact" else (what, item)
            if stated.setdefault(subject, said) != said:
                earlier = shown(stated[subject])
                report.add(REPEATED, row.where("item"), f"an earlier row states another {subject}, {earlier}")
        if what == "piece":
            if not counters:
                bare = bare or row
                continue
            counter = _known(row, item, counters, "counter", report)
            if counter is None:
                continue
            used[item] += 1
            placed.setdefault(item, []).append(at)
            if used[item] > counter.copies:
                too_many.setdefault(item, row)
                continue
            step = _step(row, counter, report)
            piece_id = item if used[item] == 1 else f"{item}#{used[item]}"
            states = tuple(row.get("states").split())
            pieces.append(Piece(piece_id, item, at, step, row.where("at"), row.get("on"), states))
            if row.get("supply"):
                supply[piece_id] = row.get("supply")
        elif what == "control":
            if _known(row, item, sides, "side", report) is not None:
                if control.get(at, item) != item:
                    report.add(REPEATED, row.where("at"), f"{at!r} is given to {control[at]} by an earlier row")
                control[at] = item
                control_where.setdefault(at, row.where("at"))
        elif what == "controller":
            if _known(row, item, sides, "side", report) is not None:
                controller = item
        elif what == "event":
            if _known(row, item, events, "event", report) is not None:
                in_force.add(item)
        elif what == "turn":
            if (number := _whole(item)) > 0:
                turn = number
            else:
                report.add(WRONG_VALUE, row.where("item"), f"{shown(item)} is no number of a turn")
        elif what == "fact":
            facts[item] = row.get("state")
        elif what == "arrangement":
            if item in arrangements:
                arrangement = item
            else:
                text = f"unknown arrangement {item!r}{did_you_mean(item, arrangements)}"
                report.add(UNKNOWN_NAME, row.where("item"), text)
        else:
            title = item
    if bare is not None:
        text = f"unknown counter {bare.get('item')!r}, and every other, for no counter could be read"
        report.add(UNKNOWN_NAME, bare.where("item"), text)
    for item, row in too_many.items():
        copies = counters[item].copies
        places = list(dict.fromkeys(placed[item]))
        named = ", ".join(places[:6]) + (f" and {len(places) - 6} more" if len(places) > 6 else "")
        there = "is 1" if copies == 1 else f"are {copies}"
        text = f"{item!r} is placed {used[item]} times, at {named}, and there {there} of it"
        report.add(REPEATED, row.where("item"), text)
    return Position(
        name=name,
        pieces=tuple(pieces),
        title=title or name.replace("-", " ").title(),
        control=control,
        controller=controller,
        events=frozenset(in_force),
        turn=turn,
        facts=facts,
        where=Location(table.file),
        control_where=control_where,
        supply=supply,
        arrangement=arrangement,
    )


def _known(row: Row, item: str, known: Mapping[str, T], what: str, report: Report) -> T | None:
    if item not in known:
        report.add(UNKNOWN_NAME, row.where("item"), f"unknown {what} {item!r}{did_you_mean(item, known)}")
        return None
    return known[item]


def _step(row: Row, counter: Counter, report: Report) -> int:
    state = row.get("state")
    step = STEPS[state] if state in STEPS else _whole(state)
    if not 0 <= step < len(counter.faces):
        steps = "full" if len(counter.faces) == 1 else f"full, reduced or a step from 0 to {len(counter.faces) - 1}"
        report.add(WRONG_VALUE, row.where("state"), f"{state!r} is no step of {counter.id!r}, which has {steps}")
        return 0
    return step


def _whole(text: str) -> int:
    """Read a number of at most nine digits; -1 for anything else."""
    return int(text) if text.isdecimal() and len(text) <= 9 else -1
