"""Why a unit is in supply or out of it: its line space by space, or where its lines stop and what stops them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from toolchain.checks.judge import Estimate, Verdict
from toolchain.checks.layout import OFF
from toolchain.checks.ways import Tracer
from toolchain.graph.search import spread
from toolchain.model.rulebook import Datum, Line, Supply
from toolchain.model.terms import conjuncts, describe


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a supply line: the space entered and the kinds of edge of its stage."""

    space: str
    over: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """A space at which a line stopped, and why."""

    space: str
    reason: str


@dataclass(frozen=True, slots=True)
class Account:
    """Why a unit has its grade. line: the rule of the line, if there is one. steps: the line, space by space.

    always: the rule that gives the grade without a line. blocks: where lines stopped, for a unit without one.
    """

    piece: str
    space: str
    grade: str
    decided: bool
    line: Line | None = None
    always: Datum | None = None
    steps: tuple[Step, ...] = ()
    blocks: tuple[Block, ...] = ()


def why(verdict: Verdict, piece: str) -> Account:
    """Account for the supply of a piece: its line space by space, or where its lines stop and what stops them.

    verdict: of the position. piece: its id there. An undecided piece gets the line that it has if the undecided zones
    do not hold. Raises KeyError for a piece that is not there.
    """
    row = verdict.row_of[piece]
    low, high = verdict.bounds
    decided = low.grade[row] == high.grade[row]
    at = int(verdict.layout.at[row])
    space = verdict.board.map.spaces[at].key
    number = int(high.grade[row])
    grade = verdict.grade_name(int(low.grade[row]))
    if number == OFF:
        return Account(piece, space, "", True)
    tracer = verdict.ways.tracers[verdict.ways.tracer_of[row]]
    traced = (low if decided else high).traced[tracer.number]
    for datum, value, where in verdict.always(tracer):
        if where[at] and value == number:
            return Account(piece, space, grade, bool(decided), always=datum)
    if number < len(verdict.grades):
        line, _, reach = traced.lines[traced.line[at]]
        steps = tuple(Step(verdict.board.map.spaces[s].key, line.stages[k].over) for k, s in reach.path(at))
        return Account(piece, space, grade, bool(decided), line=line, steps=steps)
    return Account(piece, space, grade, True, blocks=tuple(_blocks(verdict, tracer, high, at)))


def _blocks(verdict: Verdict, tracer: Tracer, estimate: Estimate, at: int) -> Iterator[Block]:
    """Yield the closed spaces that a stranded unit's lines run into, those of its longest line."""
    traced = estimate.traced[tracer.number]
    begin = np.zeros(verdict.board.size, dtype=bool)
    begin[at] = True
    stopped = np.zeros(verdict.board.size, dtype=bool)
    for _, stretches, _ in traced.lines:
        stopped |= spread(verdict.board.arcs, begin, stretches, traced.open)[1]
    # That no line runs over open sea, or whatever the map closes to everybody, tells nobody anything.
    stopped &= verdict.board.spaces_with("enterable", ("yes",))
    for space in np.flatnonzero(stopped).tolist():
        yield Block(verdict.board.map.spaces[space].key, _reason(verdict, tracer, traced.rule, estimate, space))


def _reason(verdict: Verdict, tracer: Tracer, rule: Supply, estimate: Estimate, space: int) -> str:
    reasons = []
    for term in conjuncts(rule.through):
        if not verdict.layout.spaces_of(term, tracer.view)[space]:
            reasons.append(f"not {describe(term, tracer.view)}")
    if rule.legal_entry:
        for bound in verdict.ways.closed_to(tracer.number, space):
            reasons.append("closed to it" + (bound.basis if bound else ""))
    if rule.zoc_blocks and verdict.against(estimate.zones, tracer.view)[space]:
        by = verdict.exerted_on(space, tracer.view.side, possible=True)
        reasons.append("in the zone of control of " + ", ".join(by))
    return "; ".join(reasons)


def depends(verdict: Verdict, row: int) -> tuple[int, ...]:
    """Return the undecided pieces whose zones lie on the line of an undecided piece, by id."""
    _, high = verdict.bounds
    tracer = verdict.ways.tracers[verdict.ways.tracer_of[row]]
    traced = high.traced[tracer.number]
    at = int(verdict.layout.at[row])
    if traced.line[at] == OFF:
        return ()
    path = [s for _, s in traced.lines[traced.line[at]][2].path(at)]
    contested = verdict.against(verdict.bounds[0].zones, tracer.view)
    open_question = set(verdict.undecided.tolist())
    on_line = [verdict.exerted_on(s, tracer.view.side, possible=True) for s in path if contested[s]]
    ids = sorted({i for found in on_line for i in found})
    return tuple(r for r in (verdict.row_of[i] for i in ids) if r in open_question)
