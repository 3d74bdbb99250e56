"""Why a unit is in supply or out of it: its line space by space, or where its lines stop and what stops them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from toolchain.checks.judge import Verdict
from toolchain.checks.layout import OFF
from toolchain.checks.ways import Tracer
from toolchain.graph.search import Bools, Ints, spread
from toolchain.model.rulebook import Datum, Line
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

    always: the rule that gives the grade without a line. blocks: where lines stopped, for a unit without one, and the
    sources that serve no more units. kept: the grade was judged at an earlier moment.
    """

    piece: str
    space: str
    grade: str
    decided: bool
    line: Line | None = None
    always: Datum | None = None
    steps: tuple[Step, ...] = ()
    blocks: tuple[Block, ...] = ()
    kept: bool = False


class Reasons:
    """Accounts of the supply of a position's pieces. What is found for one piece serves its neighbours too."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self._pockets: dict[int, list[tuple[Bools, Ints]]] = {}
        self._closing: dict[int, list[tuple[str, Bools]]] = {}
        self._words: dict[tuple[int, int], str] = {}

    def why(self, piece: str) -> Account:
        """Account for the supply of a piece: its line space by space, or where its lines stop and what stops them.

        piece: its id in the position. An undecided piece gets the line that it has if the undecided zones do not hold.
        Raises KeyError for a piece that is not there.
        """
        verdict = self.verdict
        row = verdict.row_of[piece]
        low, high = verdict.bounds
        decided = bool(low.grade[row] == high.grade[row])
        at = int(verdict.layout.at[row])
        spaces = verdict.board.map.spaces
        number = int(high.grade[row])
        grade = verdict.grade_name(int(low.grade[row]))
        if number == OFF:
            return Account(piece, spaces[at].key, "", True)
        tracer = verdict.ways.tracers[verdict.ways.tracer_of[row]]
        traced = (low if decided else high).traced[tracer.number]
        for datum, value, where in verdict.always(tracer):
            if where[at] and value == number:
                return Account(piece, spaces[at].key, grade, decided, always=datum)
        if verdict.kept(row):
            return Account(piece, spaces[at].key, grade, decided, kept=True)
        if number < len(verdict.grades):
            served = (low if decided else high).served.get(row)
            line, reach = (served.line, served.reach) if served else traced.lines[traced.line[at]][::2]
            steps = tuple(Step(spaces[s].key, line.stages[k].over) for k, s in reach.path(at))
            return Account(piece, spaces[at].key, grade, decided, line=line, steps=steps)
        blocks = tuple(Block(spaces[s].key, self._reason(tracer, s)) for s in self._stops(tracer, at).tolist())
        full = tuple(Block(spaces[s].key, "its source serves no more units") for s in high.left_out.get(row, ()))
        blocks = full + tuple(b for b in blocks if b.space not in {f.space for f in full})
        return Account(piece, spaces[at].key, grade, decided, blocks=blocks)

    def _stops(self, tracer: Tracer, at: int) -> Ints:
        """Return the closed spaces at which the lines of a stranded piece stop; those of one pocket stop together."""
        verdict = self.verdict
        traced = verdict.bounds[1].traced[tracer.number]
        pockets = self._pockets.setdefault(tracer.number, [])
        for got, stops in pockets:
            if got[at] and traced.open[at]:
                return stops
        got = np.zeros(verdict.board.size, dtype=bool)
        got[at] = True
        begin, stopped = got.copy(), np.zeros_like(got)
        for _, stretches, _ in traced.lines:
            reached, closed = spread(verdict.board.arcs, begin, stretches, traced.open)
            got |= reached
            stopped |= closed
        # That no line runs over open sea, or whatever the map closes to everybody, tells nobody anything.
        stops = np.flatnonzero(stopped & ~got & verdict.board.spaces_with("enterable", ("yes",)))
        pockets.append((got, stops))
        return stops

    def _reason(self, tracer: Tracer, space: int) -> str:
        key = (tracer.number, space)
        if key not in self._words:
            reasons = [words for words, closed in self._closed(tracer) if closed[space]]
            rule = self.verdict.rule_of(tracer.number)
            if rule and rule.zoc_blocks and self.verdict.against(self.verdict.bounds[1].zones, tracer.view)[space]:
                by = self.verdict.exerted_on(space, tracer.view.side)
                reasons.append("in the zone of control of " + ", ".join(by))
            if by := self.verdict.cutters_at(space, tracer):
                reasons.append("cut by " + ", ".join(by))
            self._words[key] = "; ".join(reasons)
        return self._words[key]

    def _closed(self, tracer: Tracer) -> list[tuple[str, Bools]]:
        """Return what closes spaces to the lines of a tracer, zones apart: in words, and which spaces."""
        if tracer.number not in self._closing:
            out: list[tuple[str, Bools]] = []
            rule = self.verdict.rule_of(tracer.number)
            for term in conjuncts(rule.through) if rule else ():
                out.append((f"not {describe(term, tracer.view)}", ~self.verdict.layout.spaces_of(term, tracer.view)))
            if rule and rule.legal_entry:
                for bound, _, shut in self.verdict.ways.bounds[tracer.number]:
                    out.append(("closed to it" + (bound.basis if bound else ""), shut))
            self._closing[tracer.number] = out
        return self._closing[tracer.number]


def why(verdict: Verdict, piece: str) -> Account:
    """Account for the supply of one piece, as `Reasons.why` does."""
    return Reasons(verdict).why(piece)


def depends(verdict: Verdict, row: int) -> tuple[int, ...]:
    """Return the undecided pieces whose zones lie on the line of an undecided piece, or that cut it, by id."""
    low, high = verdict.bounds
    tracer = verdict.ways.tracers[verdict.ways.tracer_of[row]]
    traced = high.traced[tracer.number]
    at = int(verdict.layout.at[row])
    if traced.line[at] == OFF:
        return ()
    path = [s for _, s in traced.lines[traced.line[at]][2].path(at)]
    contested = verdict.against(low.zones, tracer.view)
    open_question = set(verdict.undecided.tolist())
    on_line = [verdict.exerted_on(s, tracer.view.side, possible=True) for s in path if contested[s]]
    on_line += [verdict.cutters_at(s, tracer, possible=True) for s in path]
    ids = sorted({i for found in on_line for i in found})
    return tuple(r for r in (verdict.row_of[i] for i in ids) if r in open_question)
