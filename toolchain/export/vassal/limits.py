"""Stacking limits as a module can watch them: sums of whole numbers over a stack, and what each space allows.

A counting is a set of counters that one limit adds up, with how much each counts for. VASSAL adds whole numbers only,
so weights and limits are multiplied until they are whole. Of what depends on things that VASSAL cannot know, such as
control, the most that it may allow is allowed, so that no mark lies.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import floor, lcm

import numpy as np

from toolchain.catalogue import LIMIT_UNSEEN
from toolchain.checks.layout import Layout
from toolchain.checks.stacking import groups_by
from toolchain.export.vassal.knowing import When, asks_state, both, in_play, places_in, standing, when
from toolchain.graph.board import Board
from toolchain.model.game import Game
from toolchain.model.position import Piece, Position
from toolchain.model.rulebook import Limit, Stacking
from toolchain.model.terms import EVERY, AnyOf, Is, Term, conjuncts
from toolchain.report import Report

MOST_TIMED = 3  # exceptions that hold at times: every mix of them is counted apart

Row = tuple[str, int]
"""A counter's id and a step."""

Place = tuple[int, str]
"""The number of a map and the key of a space on it."""
Members = tuple[tuple[Row, Fraction], ...]
Found = dict[tuple[str, str, When, Members], dict[Place, Fraction]]
"""Limits by space; of a group, of what, when, and of whom."""


@dataclass(frozen=True)
class Counting:
    """Counters that are added up together. group: whose, what: which of them, in words, either may be empty.

    weights: whole numbers, by counter and step; unit: what one is multiplied by in them. at_most: the limit, by space
    that has one. when: it counts. together: pieces of several layers of the map are added up, so that a stack is not
    enough.
    """

    group: str
    what: str
    weights: Mapping[Row, int]
    at_most: Mapping[Place, Fraction]
    when: When = field(default_factory=When)
    unit: int = 1
    together: bool = False


@dataclass(frozen=True)
class Limits:
    """All countings of a game, in the order of its rules."""

    countings: tuple[Counting, ...] = field(default=())

    def of(self, space: Place) -> tuple[int | None, ...]:
        """Return what a space allows of every counting; None is no limit."""
        return tuple(floor(c.at_most[space] * c.unit) if space in c.at_most else None for c in self.countings)

    def told(self, space: Place) -> str:
        """Say what a space allows, in a few words, or nothing. A number that all share stands once."""
        out = []
        for what, groups in self._groups.items():
            least: dict[str, Fraction] = {}
            for c in self.countings:
                if c.when.usual and c.what == what and space in c.at_most:
                    least[c.group] = min(c.at_most[space], least.get(c.group, c.at_most[space]))
            shared = least.keys() == groups and len(set(least.values())) == 1
            said = {"": next(iter(least.values()))} if shared else least
            out += [" ".join(w for w in (group, what, _number(n)) if w) for group, n in said.items()]
        return ", ".join(out)

    @cached_property
    def _groups(self) -> dict[str, set[str]]:
        out: dict[str, set[str]] = {}
        for c in (c for c in self.countings if c.when.usual):
            out.setdefault(c.what, set()).add(c.group)
        return out


def _number(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{float(value):g}"


def build_limits(games: Sequence[Game], report: Report) -> Limits:
    """Work out what every space allows; limits that a module cannot watch, or only in part, are findings.

    games: one game on one map or more.
    """
    found: Found = {}
    game = games[0]
    if not game.counters:
        return Limits()
    for number, one in enumerate(games):
        if not one.map.spaces:
            continue
        rows, layout = every_face(one)
        for rule in one.rulebook.stacking:
            _count(rule, number, layout, rows, found, report)
    return Limits(
        tuple(_whole(g, what, held, dict(members), most, game) for (g, what, held, members), most in found.items())
    )


def every_face(game: Game) -> tuple[list[Row], Layout]:
    """Lay every step of every counter out once, in one place: so that selectors can be asked which of them they take.

    Where a piece stands is asked of spaces, not of pieces, so the place has no meaning.
    """
    rows = [(c.id, step) for c in game.counters for step in range(len(c.faces))]
    anywhere = game.map.spaces[0].key
    pieces = tuple(Piece(f"{i}/{step}", i, anywhere, step) for i, step in rows)
    return rows, Layout(game, Board.from_map(game.map), Position("", pieces))


def _count(rule: Stacking, number: int, layout: Layout, rows: Sequence[Row], found: Found, report: Report) -> None:
    """Add the countings of one rule: for every kind of space, who is counted by which of its limits, and when."""
    always = when(rule.when)
    if always is None or in_play(rule.of) or in_play(rule.where):
        text = f"this limit{rule.basis} holds only at times; VASSAL does not watch it"
        report.add(LIMIT_UNSEEN, rule.where_from, text)
        return
    if any(map(asks_state, (rule.of, *(e.of for e in rule.exceptions)))):
        text = f"this limit{rule.basis} asks for states of pieces; VASSAL counts as if no piece were in one"
        report.add(LIMIT_UNSEEN, rule.where_from, text)
    cases = [known for known in rule.exceptions if _is_of_use(known, rule, report)]
    timed = [c for c in cases if c.when != EVERY and when(c.when) is not None][:MOST_TIMED]
    for truths in itertools.product((True, False), repeat=len(timed)):
        held = always
        for case, holds in zip(timed, truths, strict=True):
            held = both(held, when(case.when) or When(), holds)
        off = [c for c, holds in zip(timed, truths, strict=True) if not holds]
        _count_then(rule, [c for c in cases if not any(c is o for o in off)], held, number, layout, rows, found)


def _is_of_use(known: Limit, rule: Stacking, report: Report) -> bool:
    """Tell whether an exception is watched. Of one that VASSAL cannot follow, only what allows more is."""
    if when(known.when) is not None and not in_play(known.of) and not in_play(known.where):
        return True
    generous = known.at_most is None or (rule.at_most is not None and known.at_most > rule.at_most)
    then = "as if it always held" if generous else "as if it never did"
    text = f"this exception{known.basis} holds only at times; VASSAL counts {then}"
    report.add(LIMIT_UNSEEN, known.where_from, text)
    return generous


def _count_then(
    rule: Stacking,
    exceptions: Sequence[Limit],
    held: When,
    number: int,
    layout: Layout,
    rows: Sequence[Row],
    found: Found,
) -> None:
    """Add the countings of one rule while these of its exceptions hold."""
    cases: list[tuple[Stacking | Limit, Term, Term]] = [(c, _known(c.of), _known(c.where)) for c in exceptions]
    cases.append((rule, EVERY, EVERY))
    places = list(dict.fromkeys(p for of in (rule.of, *(of for _, of, _ in cases)) for p in places_in(of)))
    weights = [Fraction(w).limit_denominator(1000) for w in layout.weights(rule.weight).tolist()]
    groups, what = groups_by(layout, rule.per), rule.weight.by or _in_words(rule.of)
    inside = layout.spaces_of(rule.where)
    columns = [layout.spaces_of(where) for _, _, where in cases] + [layout.spaces_of(p.spaces) for p in places]
    patterns, which = np.unique(np.stack(columns, axis=1)[inside], axis=0, return_inverse=True)
    keys = np.array([s.key for s in layout.game.map.spaces])[inside]
    for n, pattern in enumerate(patterns.tolist()):
        spaces = [(number, key) for key in keys[which.ravel() == n].tolist()]
        there: dict[Term, bool] = dict(zip(places, pattern[len(cases) :], strict=True))
        left = layout.counted(standing(rule.of, there))
        for (case, of, _), here in zip(cases, pattern, strict=False):
            taken = left & layout.pieces_of(standing(of, there)) if here else np.zeros_like(left)
            left &= ~taken
            if case.at_most is None or not taken.any():
                continue
            by_group: dict[str, list[tuple[Row, Fraction]]] = {}
            for i in np.flatnonzero(taken).tolist():
                if weights[i] > 0:
                    by_group.setdefault(groups[i], []).append((rows[i], weights[i]))
            for group, members in by_group.items():
                limit = Fraction(case.at_most).limit_denominator(1000)
                stated = found.setdefault((_named(group, layout.game), what, held, tuple(members)), {})
                stated.update((s, min(limit, stated.get(s, limit))) for s in spaces)


def _known(term: Term) -> Term:
    return EVERY if in_play(term) else term


def _named(group: str, game: Game) -> str:
    return " ".join(game.sides[w].title if w in game.sides else w for w in group.split(" "))


def _in_words(of: Term) -> str:
    """Name what a rule counts by the kinds and traits that it asks for; units as such need no name."""
    words: list[str] = []
    for term in conjuncts(of):
        # Of alternatives, those that say more than a kind, such as where a piece stands, are left out.
        any_of = [w for t in (term.terms if isinstance(term, AnyOf) else (term,)) for w in _kinds(t)]
        words += ["/".join(any_of[:3]) + ("/..." if len(any_of) > 3 else "")] if any_of else []
    return " ".join(words[:3])


def _kinds(term: Term) -> list[str]:
    if not isinstance(term, Is) or term.name in ("role", "side", "nation", "state"):
        return []
    if term.values in (("yes",), ("no",)):
        return [term.name if term.values == ("yes",) else f"not {term.name}"]
    return list(term.values)


def _whole(
    group: str, what: str, held: When, counted: Mapping[Row, Fraction], at_most: Mapping[Place, Fraction], game: Game
) -> Counting:
    unit = lcm(*(w.denominator for w in counted.values()))
    weights = {row: int(w * unit) for row, w in counted.items()}
    roles = {game.counter[i].role for i, _ in counted}
    return Counting(group, what, weights, at_most, held, unit, together=roles != {"unit"})
