"""What being in or out of supply means: who dies in attrition, what turns, and what it costs to act."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from toolchain.checks.judge import Verdict
from toolchain.graph.search import Bools
from toolchain.model.position import Position
from toolchain.model.rulebook import Attrition, Cost
from toolchain.model.terms import Holds

NOWHERE = -2
"""The place of a space that is not on the map: no piece stands there."""


@dataclass(frozen=True, slots=True)
class Losses:
    """What attrition does now: pieces that die, those spared, vacant spaces that turn, each in a stable order.

    reduced: pieces that lose steps and live, with the step that they come to.
    """

    dies: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()
    reduced: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Charge:
    """What an action in a space costs, and for which pieces by which rule."""

    points: float
    parts: tuple[tuple[Cost, tuple[str, ...]], ...] = ()


def losses(verdict: Verdict) -> Losses:
    """Tell what attrition would do now. Pieces and spaces whose supply is undecided are left alone."""
    layout, (low, high) = verdict.layout, verdict.bounds
    dies: set[int] = set()
    spared: set[int] = set()
    reduced: dict[int, int] = {}
    turns = np.zeros(verdict.board.size, dtype=bool)
    first = len(layout.pieces)
    for rule in verdict.rules.attrition:
        safe = _safe(verdict, rule)
        grades = _numbers(verdict, rule.grades)
        hit = layout.counted(rule.of) & np.isin(high.grade, grades) & np.isin(low.grade, grades)
        for row in np.flatnonzero(hit).tolist():
            piece = layout.pieces[row]
            step = reduced.get(row, piece.step) + (rule.steps or 0)
            if safe[int(verdict.ways.tracer_of[row])][layout.at[row]]:
                spared.add(row)
            elif rule.steps is None or step >= len(verdict.game.counter[piece.counter].faces):
                dies.add(row)
            else:
                reduced[row] = step
        imagined = range(first, first + len(rule.vacant_as))
        first += len(rule.vacant_as)
        turns |= _turning(verdict, rule, imagined, safe)
    ids = [p.id for p in layout.pieces]
    keys = [s.key for s in verdict.board.map.spaces]
    return Losses(
        tuple(ids[r] for r in sorted(dies - spared)),
        tuple(ids[r] for r in sorted(spared)),
        tuple(keys[i] for i in np.flatnonzero(turns)),
        tuple((ids[r], step) for r, step in sorted(reduced.items()) if r not in dies and r not in spared),
    )


def _numbers(verdict: Verdict, grades: tuple[str, ...]) -> list[int]:
    return [verdict.grades.index(g) if g in verdict.grades else len(verdict.grades) for g in grades]


def after_attrition(verdict: Verdict) -> Position:
    """Return the position after attrition: the dead gone, losses taken, vacant spaces turned.

    A space turns to the other side; where the game has more than two, to nobody. Control that the pieces decide follows
    by itself.
    """
    lost, position = losses(verdict), verdict.position
    dead, step = set(lost.dies), dict(lost.reduced)
    pieces = tuple(replace(p, step=step.get(p.id, p.step)) for p in position.pieces if p.id not in dead)
    sides = verdict.layout.sides
    control = dict(position.control)
    for key in lost.turns:
        owner = int(verdict.layout.control[verdict.board.index[key]])
        control[key] = next(s for i, s in enumerate(sides) if i != owner) if len(sides) == 2 else ""
    return replace(position, pieces=pieces, control=control)


def _safe(verdict: Verdict, rule: Attrition) -> list[Bools]:
    """By tracer: the spaces in which its pieces are spared."""
    if rule.spared is None:
        return [np.zeros(verdict.board.size, dtype=bool)] * len(verdict.ways.tracers)
    return [verdict.layout.spaces_of(rule.spared, t.view) for t in verdict.ways.tracers]


def _turning(verdict: Verdict, rule: Attrition, imagined: Iterable[int], safe: list[Bools]) -> Bools:
    """Find the vacant spaces in which every piece that the rule imagines for their side would die."""
    layout, high = verdict.layout, verdict.bounds[1]
    held = layout.spaces_of(Holds(verdict.rules.control.holders))
    vacant = ~held & verdict.board.spaces_with("enterable", ("yes",)) & layout.spaces_of(rule.vacant_where)
    turning = np.zeros(verdict.board.size, dtype=bool)
    for side in range(len(layout.sides)):
        mine = [verdict.ways.tracers[verdict.ways.tracer_of[n]] for n in imagined if layout.side[n] == side]
        lost = vacant & (layout.control == side) & bool(mine)
        for tracer in mine:
            if tracer.number not in high.traced:  # it needs no supply
                lost[:] = False
                continue
            lost &= verdict.lines.graded(tracer, high.traced[tracer.number]) == len(verdict.grades)
            lost &= ~safe[tracer.number]
        turning |= lost
    return turning


def charge(verdict: Verdict, space: str, act: str) -> Charge:
    """Tell what it costs to act with all units in a space.

    verdict: of the position. space: its key. act: the game's own word, as in the rulebook's costs. A rule per space is
    charged once for its units there, a rule per unit for each; a piece whose supply is undecided counts by its lower
    grade.
    """
    layout, low = verdict.layout, verdict.bounds[0]
    here = layout.units & (layout.at == verdict.board.index.get(space, NOWHERE))
    points = 0.0
    parts: list[tuple[Cost, tuple[str, ...]]] = []
    for rule in verdict.rules.costs:
        if act not in rule.acts:
            continue
        grades = _numbers(verdict, rule.grades)
        rows = np.flatnonzero(here & layout.pieces_of(rule.of) & np.isin(low.grade, grades))
        if len(rows):
            points += rule.points * (1 if rule.per == "space" else len(rows))
            parts.append((rule, tuple(layout.pieces[r].id for r in rows)))
    return Charge(points, tuple(parts))
