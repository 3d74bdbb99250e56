"""Why a unit is in supply or out of it: its line space by space, or where its lines stop and what stops them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from toolchain.checks.judge import Verdict
from toolchain.checks.layout import OFF
from toolchain.checks.lines import Lines, Traced
from toolchain.checks.ways import Tracer
from toolchain.graph.search import Bools, Ints, Reach, search, spread
from toolchain.model.rulebook import Datum, Line
from toolchain.model.terms import conjuncts, deny


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
class TooFar:
    """A line that would do, were it not too long.

    over: the edges of which it has `count` steps, where `at_most` may be; count is 0 where edges are bounded apart and
    one only knows that there are more.
    """

    steps: tuple[Step, ...]
    over: tuple[str, ...]
    count: int
    at_most: int


@dataclass(frozen=True, slots=True)
class Account:
    """Why a unit has its grade. line: the rule of the line, if there is one. steps: the line, space by space.

    always: the rule that gives the grade without a line. blocks: where lines stopped, for a unit without one, and the
    sources that serve no more units. joined: the line that joins its source to another one, where it must be. far: the
    shortest line that is only too long, for a unit without one. kept: the grade was judged at an earlier moment.
    status: the name of the status that the account is of, empty for supply. circle: ids of the pieces that an undecided
    one waits on, itself first. rule: by which the piece traces.
    """

    piece: str
    space: str
    grade: str
    decided: bool
    line: Line | None = None
    always: Datum | None = None
    steps: tuple[Step, ...] = ()
    blocks: tuple[Block, ...] = ()
    joined: tuple[str, ...] = ()
    far: TooFar | None = None
    kept: bool = False
    status: str = ""
    circle: tuple[str, ...] = ()
    rule: Datum | None = None

    @property
    def source(self) -> Datum | None:
        """The rule that the grade rests on: its line's, or where that states nothing the one by which it traces."""
        near = self.line or self.always
        return self.rule if near is None or not near.basis else near


class Reasons:
    """Accounts of the supply of a position's pieces. What is found for one piece serves its neighbours too."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict = verdict
        self._pockets: dict[tuple[str, int], list[tuple[Bools, Ints]]] = {}
        self._closing: dict[tuple[str, int], list[tuple[str, Bools]]] = {}
        self._words: dict[tuple[str, int, int], str] = {}
        self._unbounded: dict[tuple[str, int], tuple[tuple[Line, Reach], ...]] = {}

    def why(self, piece: str) -> Account:
        """Account for the supply of a piece: its line space by space, or where its lines stop and what stops them.

        piece: its id in the position. An undecided piece gets the line that it has if the undecided zones do not hold.
        Raises KeyError for a piece that is not there.
        """
        verdict = self.verdict
        row = verdict.row_of[piece]
        low, high = verdict.bounds
        decided = bool(low.grade[row] == high.grade[row])
        number = int(high.grade[row])
        circle = () if decided else tuple(circle_of(verdict, row))
        at = verdict.layout.pieces[row].at
        begun = Account(piece, at, verdict.grade_name(int(low.grade[row])), decided, circle=circle)
        if number != OFF and verdict.kept(row):
            return replace(begun, kept=True)
        served = (low if decided else high).served.get(row)
        if served is not None:
            rule = verdict.lines.rule_of(int(verdict.ways.tracer_of[row]))
            return replace(begun, line=served.line, steps=self._steps(served.line, served.reach, row), rule=rule)
        account = self._account(begun, row, "", number, (low if decided else high).traced)
        spaces = verdict.board.map.spaces
        full = tuple(Block(spaces[s].key, "its source serves no more units") for s in high.left_out.get(row, ()))
        others = tuple(b for b in account.blocks if b.space not in {f.space for f in full})
        return replace(account, blocks=full + others) if number == len(verdict.grades) else account

    def why_status(self, piece: str, status: str) -> Account:
        """Account for a status of a piece beside supply, as `why` does; the grade is its name, or "not" and its name.

        Raises KeyError for a piece or a status that is not there.
        """
        verdict = self.verdict
        row, has = verdict.row_of[piece], verdict.statuses[status].get(piece, False)
        grade = f"not {status}" if has is False else status
        begun = Account(piece, verdict.layout.pieces[row].at, grade, has is not None, status=status)
        if piece not in verdict.statuses[status]:
            return replace(begun, grade="")
        low, high = verdict.status_traced[status]
        return self._account(begun, row, status, 1 if has else 0, low if has is not None else high)

    def _account(self, begun: Account, row: int, status: str, number: int, traced: Mapping[int, Traced]) -> Account:
        """Fill in why a piece has a grade by its lines. status: whose lines; empty for supply."""
        verdict, lines = self.verdict, self._lines(status)
        if number == OFF:
            return begun
        at = int(verdict.layout.at[row])
        tracer = verdict.ways.tracers[verdict.ways.tracer_of[row]]
        begun = replace(begun, rule=lines.rule_of(tracer.number))
        spaces = verdict.board.map.spaces
        for datum, value, where in lines.always(tracer):
            if where[at] and value == number:
                return replace(begun, always=datum)
        if number < len(lines.grades):
            found = traced[tracer.number]
            line, _, reach = found.lines[found.line[at]]
            steps = self._steps(line, reach, row)
            end = verdict.board.index[steps[-1].space] if steps else at
            joined = tuple(spaces[s].key for s in lines.join_of(tracer, found, line, end))
            return replace(begun, line=line, steps=steps, joined=joined)
        stops = self._stops(status, tracer, at).tolist()
        blocks = tuple(Block(spaces[s].key, self._reason(status, tracer, s)) for s in stops)
        return replace(begun, blocks=blocks, far=self._too_far(status, tracer, row))

    def _too_far(self, status: str, tracer: Tracer, row: int) -> TooFar | None:
        """Find the shortest line of a stranded piece that is only too long; None if something closes every line."""
        key = (status, tracer.number)
        if key not in self._unbounded:
            board, traced = self.verdict.board, self._possible(status)[tracer.number]
            self._unbounded[key] = tuple(
                (line, search(board.arcs, sources, [s.unbounded for s in stretches], traced.open))
                for (line, stretches, _), sources in zip(traced.lines, traced.sources, strict=True)
            )
        at = int(self.verdict.layout.at[row])
        found = [(line, reach, reach.path(at)) for line, reach in self._unbounded[key] if reach.reached[at]]
        if not found:
            return None
        line, reach, path = min(found, key=lambda f: len(f[2]))
        for number, stage in enumerate(line.stages):
            count = sum(k == number for k, _ in path)
            most = stage.steps(self.verdict.position.facts)
            if most is not None and count > most:
                return TooFar(self._steps(line, reach, row), stage.over, count, most)
        bounded = next((s for s in line.stages if s.each), None)
        if bounded is None:
            return None
        over, most = next(iter(bounded.each.items()))
        return TooFar(self._steps(line, reach, row), (over,), 0, most)

    def _steps(self, line: Line, reach: Reach, row: int) -> tuple[Step, ...]:
        spaces, at = self.verdict.board.map.spaces, int(self.verdict.layout.at[row])
        return tuple(Step(spaces[s].key, line.stages[k].over) for k, s in reach.path(at))

    def _lines(self, status: str) -> Lines:
        return self.verdict.status_lines[status] if status else self.verdict.lines

    def _possible(self, status: str) -> Mapping[int, Traced]:
        """Return the lines that every tracer may have at best."""
        return self.verdict.status_traced[status][1] if status else self.verdict.bounds[1].traced

    def _stops(self, status: str, tracer: Tracer, at: int) -> Ints:
        """Return the closed spaces at which the lines of a stranded piece stop; those of one pocket stop together."""
        verdict = self.verdict
        traced = self._possible(status)[tracer.number]
        pockets = self._pockets.setdefault((status, tracer.number), [])
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

    def _reason(self, status: str, tracer: Tracer, space: int) -> str:
        key = (status, tracer.number, space)
        if key not in self._words:
            reasons = [words for words, closed in self._closed(status, tracer) if closed[space]]
            rule = self._lines(status).rule_of(tracer.number)
            if rule and rule.zoc_blocks and self.verdict.against(self.verdict.bounds[1].zones, tracer.view)[space]:
                by = self.verdict.exerted_on(space, tracer.view.side)
                reasons.append("in the zone of control of " + ", ".join(by))
            if by := self.verdict.cutters_at(space, rule, tracer.view):
                reasons.append("cut by " + ", ".join(by))
            self._words[key] = "; ".join(reasons)
        return self._words[key]

    def _closed(self, status: str, tracer: Tracer) -> list[tuple[str, Bools]]:
        """Return what closes spaces to the lines of a tracer, zones apart: in words, and which spaces."""
        key = (status, tracer.number)
        if key not in self._closing:
            out: list[tuple[str, Bools]] = []
            rule = self._lines(status).rule_of(tracer.number)
            for term in conjuncts(rule.through) if rule else ():
                out.append((deny(term, tracer.view), ~self.verdict.layout.spaces_of(term, tracer.view)))
            if rule and rule.legal_entry:
                for bound, _, shut in self.verdict.ways.bounds[tracer.number]:
                    out.append(("closed to it" + (bound.basis if bound else ""), shut))
            self._closing[key] = out
        return self._closing[key]


def why(verdict: Verdict, piece: str) -> Account:
    """Account for the supply of one piece, as `Reasons.why` does."""
    return Reasons(verdict).why(piece)


def depends(verdict: Verdict, row: int) -> tuple[int, ...]:
    """Return the undecided pieces whose zones lie on the line of an undecided piece, or that cut it, by id.

    What joins its source to another one is part of the line.
    """
    low, high = verdict.bounds
    tracer = verdict.ways.tracers[verdict.ways.tracer_of[row]]
    traced = high.traced[tracer.number]
    at = int(verdict.layout.at[row])
    if traced.line[at] == OFF:
        return ()
    line, _, reach = traced.lines[traced.line[at]]
    path = [s for _, s in reach.path(at)]
    path += verdict.lines.join_of(tracer, traced, line, path[-1] if path else at)
    contested = verdict.against(low.zones, tracer.view)
    open_question = set(verdict.undecided.tolist())
    on_line = [verdict.exerted_on(s, tracer.view.side, possible=True) for s in path if contested[s]]
    rule = verdict.lines.rule_of(tracer.number)
    on_line += [verdict.cutters_at(s, rule, tracer.view, possible=True) for s in path]
    ids = sorted({i for found in on_line for i in found})
    return tuple(r for r in (verdict.row_of[i] for i in ids) if r in open_question)


def circle_of(verdict: Verdict, row: int) -> list[str]:
    """Follow what an undecided piece waits on until the circle closes; return the ids, the first one waiting first."""
    path: list[int] = []
    while row not in path:
        path.append(row)
        following = depends(verdict, row)
        if not following:
            break
        row = following[0]
    else:
        path.append(row)
    return [verdict.layout.pieces[r].id for r in path]
