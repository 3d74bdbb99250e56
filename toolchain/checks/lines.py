"""Lines of supply, and of statuses beside it: which rule is whose, its sources, and the search along its stages.

Pieces of which every rule says the same share one search; see `ways.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from toolchain.checks.layout import OFF
from toolchain.checks.ways import Tracer, Ways
from toolchain.graph.search import Bools, Ints, Reach, Stretch, search
from toolchain.model.rulebook import Datum, Line, Source, Stage, Supply
from toolchain.model.terms import EVERY

Stages = tuple[tuple[Line, tuple[Stretch, ...]], ...]


@dataclass(frozen=True, eq=False)
class Traced:
    """The lines of one tracer under one estimate. open: spaces a line may enter. sources: the live ones of each line.

    grade, line: for each space, the best grade (the number of grades for none) and the place in `lines` of the first
    line that gives it, OFF for none.
    """

    rule: Supply
    open: Bools
    sources: tuple[Bools, ...]
    lines: tuple[tuple[Line, tuple[Stretch, ...], Reach], ...]
    grade: Ints
    line: Ints


class Lines:
    """The lines that some rules give to the pieces of a layout, by tracer; the first rule that takes a piece is its.

    grades: the words that lines may give, best first.
    """

    def __init__(self, ways: Ways, rules: Sequence[Supply], grades: tuple[str, ...]) -> None:
        self.ways, self.layout, self.board = ways, ways.layout, ways.board
        self.rules, self.grades = rules, grades
        self._searched: dict[tuple[int, bool, bytes], Traced] = {}

    @cached_property
    def _rule_of(self) -> tuple[Supply | None, ...]:
        return tuple(next((s for s in self.rules if s.of in t.takes), None) for t in self.ways.tracers)

    def rule_of(self, tracer: int) -> Supply | None:
        """Return the rule by which a tracer traces; None where it needs no line."""
        return self._rule_of[tracer]

    @cached_property
    def limited(self) -> bool:
        """Whether some source serves only so many units."""
        return any(s.serves is not None for rule in self.rules for s in rule.all_sources)

    @cached_property
    def _stages(self) -> tuple[tuple[Bools, Stages] | None, ...]:
        """By tracer: spaces that a line may enter but for enemies and their zones, and the lines as stretches."""
        out: list[tuple[Bools, Stages] | None] = []
        for t, rule in zip(self.ways.tracers, self._rule_of, strict=True):
            if rule is None:
                out.append(None)
                continue
            passable = self.layout.spaces_of(rule.through, t.view)
            if rule.legal_entry:
                passable = passable & self.ways.legal[t.number]
            lines = tuple(
                (line, tuple(self._stage(s, t) for s in line.stages))
                for line in rule.lines
                if line.of in t.takes and self.layout.holds(line.when, t.view)
            )
            out.append((passable, lines))
        return tuple(out)

    def _stage(self, stage: Stage, tracer: Tracer) -> Stretch:
        plain = tuple(name for name in stage.over if name not in stage.each)
        whole = self.ways.stretch(plain, stage.steps(self.layout.position.facts), tracer, free=stage.beyond)
        kinds = tuple(self.ways.stretch((n,), most, tracer) for n, most in stage.each.items())
        begins = None if stage.begins == EVERY else self.layout.spaces_of(stage.begins, tracer.view)
        return replace(whole, kinds=kinds, begins=begins)

    def passable(self, tracer: Tracer) -> Bools | None:
        """Return the spaces that the lines of a tracer may enter but for enemies; None if it needs no line."""
        stages = self._stages[tracer.number]
        return None if stages is None else stages[0]

    def sources(self, line: Line, rule: Supply, tracer: Tracer, open_: Bools) -> Iterator[tuple[Source, Bools]]:
        """Yield the sources of a line that are live for a tracer, each with its spaces."""
        for source in line.sources or rule.sources:
            if source.of in tracer.takes and self.layout.holds(source.when, tracer.view):
                spaces = self.layout.spaces_of(source.where, tracer.view)
                yield source, self._joined(source, spaces, tracer, open_) if source.joined else spaces

    def _joined(self, source: Source, spaces: Bools, tracer: Tracer, open_: Bools) -> Bools:
        """Keep those of the source spaces from which an open line leads to another space that it must be joined to."""
        out = np.zeros_like(spaces)
        for at in np.flatnonzero(spaces & open_).tolist():
            reach = self._joining(source, at, tracer, open_)
            out[at] = reach is not None and reach.reached[at]
        return out

    def _joining(self, source: Source, at: int, tracer: Tracer, open_: Bools) -> Reach | None:
        """Search the line that joins one space of a source to another; None where there is nothing to join it to."""
        joined = source.joined
        if joined is None:
            return None
        inside = open_ & self.layout.spaces_of(joined.within, tracer.view)
        to = inside & self.layout.spaces_of(joined.to, tracer.view)
        to[at] = False
        if not (inside[at] and to.any()):
            return None
        return search(self.board.arcs, to, [self.ways.stretch(joined.over, None, tracer)], inside)

    def join_of(self, tracer: Tracer, traced: Traced, line: Line, at: int) -> list[int]:
        """Return the spaces of the line that joins the source of a line, at this space, to another one; often none."""
        for source, spaces in self.sources(line, traced.rule, tracer, traced.open):
            if spaces[at]:
                reach = self._joining(source, at, tracer, traced.open)
                return [] if reach is None else [s for _, s in reach.path(at)]
        return []

    def trace(self, tracer: Tracer, open_: Bools, everybody: bool = True) -> Traced:
        """Search the lines of a tracer. everybody: limited sources serve whoever asks, else nobody."""
        rule, stages = self._rule_of[tracer.number], self._stages[tracer.number]
        assert rule is not None and stages is not None
        key = (tracer.number, everybody, np.packbits(open_).tobytes())
        if key not in self._searched:
            grade = np.full(self.board.size, len(self.grades), dtype=np.int64)
            best = np.full(self.board.size, OFF, dtype=np.int64)
            found: list[tuple[Line, tuple[Stretch, ...], Reach]] = []
            ends: list[Bools] = []
            for line, stretches in stages[1]:
                sources = np.zeros(self.board.size, dtype=bool)
                for source, spaces in self.sources(line, rule, tracer, open_):
                    if everybody or source.serves is None:
                        sources |= spaces
                reach = search(self.board.arcs, sources, stretches, open_)
                value = self.grades.index(line.grade)
                better = reach.reached & (value < grade)
                grade[better], best[better] = value, len(found)
                found.append((line, stretches, reach))
                ends.append(sources)
            self._searched[key] = Traced(rule, open_, tuple(ends), tuple(found), grade, best)
        return self._searched[key]

    def always(self, tracer: Tracer) -> list[tuple[Datum, int, Bools]]:
        """Return the grades that this tracer has without a line, with the spaces where it has them."""
        rule = self._rule_of[tracer.number]
        return [
            (a, self.grades.index(a.grade), self.layout.spaces_of(a.where, tracer.view))
            for a in (rule.always if rule else ())
            if a.of in tracer.takes and self.layout.holds(a.when, tracer.view)
        ]

    def graded(self, tracer: Tracer, traced: Traced) -> Ints:
        """Return the grade that a piece of this tracer has in each space, shape (size,)."""
        grade = traced.grade.copy()
        for _, value, where in self.always(tracer):
            grade[where] = np.minimum(grade[where], value)
        return grade

    def grades_of(self, traced: Mapping[int, Traced]) -> Ints:
        """Return the grade of every row by what its tracer found, OFF for a piece that needs no line, shape (rows,)."""
        grade = np.full(self.layout.rows, OFF, dtype=np.int64)
        for t in self.ways.tracers:
            if t.number in traced:
                here = t.rows[self.layout.at[t.rows] != OFF]
                grade[here] = self.graded(t, traced[t.number])[self.layout.at[here]]
        return grade
