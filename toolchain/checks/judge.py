"""Judge a position by the rules of its game: who may be where, whose zones lie where, who is in supply and why.

The engine knows no game. It sorts pieces into tracers (pieces for which every rule gives the same answer: one side,
the same bounds of entry, the same bars), and searches once for each tracer and line, so that time grows with the kinds
of pieces and not with their number.

Where zones need supply and supply yields to zones, the answer is the well-founded one (Van Gelder, 1993, the
alternating fixpoint): with every candidate exerting, those supplied are an under-estimate; with only those exerting,
the supplied are an over-estimate; and so on until neither changes. What the two do not agree on, the rules leave
undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from toolchain.checks.layout import OFF, Layout
from toolchain.checks.ways import Tracer, Ways
from toolchain.graph.board import Board
from toolchain.graph.search import Bools, Ints, Reach, Stretch, search
from toolchain.model.game import Game
from toolchain.model.position import Position
from toolchain.model.rulebook import OUT, Datum, Line, Rulebook, Supply, Zoc
from toolchain.model.terms import Holds, Term, View

SUPPLY = "supply"
"""The purpose for which a zone of control may be negated."""


@dataclass(frozen=True, eq=False)
class Traced:
    """The lines of one tracer under one estimate. open: spaces a line may enter.

    grade, line: for each space, the best grade (len(grades) for none) and the place in `lines` of the first line that
    gives it, OFF for none.
    """

    rule: Supply
    open: Bools
    sources: Bools
    lines: tuple[tuple[Line, tuple[Stretch, ...], Reach], ...]
    grade: Ints
    line: Ints


@dataclass(frozen=True, eq=False)
class Estimate:
    """One pass: the zones by rule and side, the lines by tracer, and the grade of every row.

    grade: shape (rows,); len(grades) is out of supply, OFF is a piece that needs no supply.
    """

    zones: tuple[tuple[Bools, ...], ...]
    traced: dict[int, Traced]
    grade: Ints


class Verdict:
    """What the rules say of a position. Parts are worked out when first asked for."""

    def __init__(self, game: Game, board: Board, position: Position) -> None:
        self.game, self.board, self.position = game, board, position
        self.rules: Rulebook = game.rulebook
        self.grades: tuple[str, ...] = self.rules.grades
        imagined = [a for rule in self.rules.attrition for a in rule.vacant_as]
        self.layout = Layout(game, board, position, imagined)
        self.ways = Ways(self.layout)
        self._searched: dict[tuple[int, bytes], Traced] = {}

    # Zones of control ----------------------------------------------------------------------------------------------

    @cached_property
    def candidates(self) -> tuple[Bools, ...]:
        """By ZOC rule: the pieces that exert a zone if they are supplied as it needs, shape (rows,)."""
        layout = self.layout
        none = np.zeros(layout.rows, dtype=bool)
        return tuple(layout.counted(z.of) if layout.holds(z.when) else none for z in self.rules.zoc)

    def _exerting(self, grade: Ints) -> tuple[Bools, ...]:
        out = []
        for zoc, candidates in zip(self.rules.zoc, self.candidates, strict=True):
            if zoc.needs:
                enough = [OFF] + [i for i, g in enumerate(self.grades) if g in zoc.needs]
                candidates = candidates & np.isin(grade, enough)
            out.append(candidates)
        return tuple(out)

    def exerting_in(self, estimate: Estimate) -> tuple[Bools, ...]:
        """By ZOC rule: the pieces that exert a zone by this estimate, shape (rows,)."""
        return self._exerting(estimate.grade)

    def _projected(self, zoc: Zoc, tracer: Tracer, rows: Ints) -> Bools:
        """Return the spaces into which these pieces of one tracer exert a zone."""
        arcs = self.board.arcs
        stands = np.zeros(self.board.size, dtype=bool)
        stands[self.layout.at[rows]] = True
        mask = np.zeros(self.board.size, dtype=bool)
        mask[arcs.head[self.ways.usable(zoc.over, tracer) & stands[arcs.tail]]] = True
        return mask & ~self._lifts(zoc, tracer)

    def _lifts(self, zoc: Zoc, tracer: Tracer) -> Bools:
        """Return the spaces in which the zones of a tracer's pieces are cancelled."""
        mask = np.zeros(self.board.size, dtype=bool)
        for cancel in zoc.cancelled_by:
            if cancel.of in tracer.takes:
                mask |= self._near(cancel.by, cancel.over, cancel.within, tracer)
        return mask

    def _near(self, by: Term, over: Sequence[str], within: int, tracer: Tracer) -> Bools:
        markers = self.layout.spaces_of(Holds(by), tracer.view)
        if not markers.any():
            return markers
        stretch = self._stretch(over, within, tracer)
        # Counted from the marker outward, so the search, which runs toward its sources, gets the arcs turned round.
        return search(self.board.arcs.turned, markers, [stretch], np.ones(self.board.size, dtype=bool)).reached

    def _stretch(self, over: Sequence[str], at_most: int | None, tracer: Tracer) -> Stretch:
        return Stretch(self.ways.usable(over, tracer), self.ways.hubs(over, tracer), at_most)

    def _zones(self, exerting: Sequence[Bools]) -> tuple[tuple[Bools, ...], ...]:
        out = []
        for zoc, rows in zip(self.rules.zoc, exerting, strict=True):
            sides = [np.zeros(self.board.size, dtype=bool) for _ in self.layout.sides]
            for t in self.ways.tracers:
                mine = t.rows[rows[t.rows]]
                if len(mine) and t.view.side:
                    sides[self.layout.sides.index(t.view.side)] |= self._projected(zoc, t, mine)
            out.append(tuple(sides))
        return tuple(out)

    def _lifted(self, number: int, view: View, purpose: str) -> Bools:
        """Return the spaces where the zones of a rule count for nothing to this viewer, for supply."""
        mask = np.zeros(self.board.size, dtype=bool)
        for negation in self.rules.zoc[number].negated_by:
            if purpose in negation.purposes:
                mask |= self.layout.spaces_of(Holds(negation.of), view)
        return mask

    def against(self, zones: tuple[tuple[Bools, ...], ...], view: View, purpose: str = SUPPLY) -> Bools:
        """Return the spaces in which an enemy zone stands in this viewer's way, shape (size,)."""
        mask = np.zeros(self.board.size, dtype=bool)
        for number, sides in enumerate(zones):
            for side, zone in zip(self.layout.sides, sides, strict=True):
                if side != view.side and zone.any():
                    mask |= zone & ~self._lifted(number, view, purpose)
        return mask

    # Supply --------------------------------------------------------------------------------------------------------

    @cached_property
    def _rule_of(self) -> tuple[Supply | None, ...]:
        """By tracer: the rule by which it traces."""
        return tuple(next((s for s in self.rules.supply if s.of in t.takes), None) for t in self.ways.tracers)

    def rule_of(self, tracer: int) -> Supply | None:
        """Return the rule by which a tracer traces supply; None where it needs none."""
        return self._rule_of[tracer]

    @cached_property
    def _ways(self) -> tuple[tuple[Bools, Bools, tuple[tuple[Line, tuple[Stretch, ...]], ...]] | None, ...]:
        """By tracer: spaces that a line may enter but for zones, live sources, and the lines as stretches."""
        out: list[tuple[Bools, Bools, tuple[tuple[Line, tuple[Stretch, ...]], ...]] | None] = []
        for t, rule in zip(self.ways.tracers, self._rule_of, strict=True):
            if rule is None:
                out.append(None)
                continue
            passable = self.layout.spaces_of(rule.through, t.view)
            if rule.legal_entry:
                passable = passable & self.ways.legal[t.number]
            sources = np.zeros(self.board.size, dtype=bool)
            for s in rule.sources:
                if s.of in t.takes and self.layout.holds(s.when, t.view):
                    sources |= self.layout.spaces_of(s.where, t.view)
            lines = tuple(
                (
                    line,
                    tuple(self._stretch(s.over, s.at_most, t) for s in line.stages),
                )
                for line in rule.lines
                if line.of in t.takes and self.layout.holds(line.when, t.view)
            )
            out.append((passable, sources, lines))
        return tuple(out)

    def _trace(self, tracer: Tracer, zones: tuple[tuple[Bools, ...], ...]) -> Traced | None:
        rule, ways = self._rule_of[tracer.number], self._ways[tracer.number]
        if rule is None or ways is None:
            return None
        passable, sources, lines = ways
        open_ = passable & ~self.against(zones, tracer.view) if rule.zoc_blocks else passable
        key = (tracer.number, np.packbits(open_).tobytes())
        if key not in self._searched:
            grade = np.full(self.board.size, len(self.grades), dtype=np.int64)
            best = np.full(self.board.size, OFF, dtype=np.int64)
            found: list[tuple[Line, tuple[Stretch, ...], Reach]] = []
            for line, stretches in lines:
                reach = search(self.board.arcs, sources, stretches, open_)
                value = self.grades.index(line.grade)
                better = reach.reached & (value < grade)
                grade[better], best[better] = value, len(found)
                found.append((line, stretches, reach))
            self._searched[key] = Traced(rule, open_, sources, tuple(found), grade, best)
        return self._searched[key]

    def always(self, tracer: Tracer) -> list[tuple[Datum, int, Bools]]:
        """Return the grades that this tracer has without a line, with the spaces where it has them."""
        rule = self._rule_of[tracer.number]
        return [
            (a, self.grades.index(a.grade), self.layout.spaces_of(a.where, tracer.view))
            for a in (rule.always if rule else ())
            if a.of in tracer.takes and self.layout.holds(a.when, tracer.view)
        ]

    def estimate(self, exerting: Sequence[Bools]) -> Estimate:
        """Trace once, with exactly these pieces exerting zones: one array of shape (rows,) for each ZOC rule."""
        zones = self._zones(exerting)
        traced: dict[int, Traced] = {}
        grade = np.full(self.layout.rows, OFF, dtype=np.int64)
        for t in self.ways.tracers:
            result = self._trace(t, zones)
            if result is None:
                continue
            traced[t.number] = result
            here = t.rows[self.layout.at[t.rows] != OFF]
            grade[here] = self.graded(t, result)[self.layout.at[here]]
        return Estimate(zones, traced, grade)

    def graded(self, tracer: Tracer, traced: Traced) -> Ints:
        """Return the grade that a piece of this tracer has in each space, shape (size,)."""
        grade = traced.grade.copy()
        for _, value, where in self.always(tracer):
            grade[where] = np.minimum(grade[where], value)
        return grade

    @cached_property
    def bounds(self) -> tuple[Estimate, Estimate]:
        """The under-estimate and the over-estimate of supply; the same where the rules decide everything."""
        over = self.candidates
        low = self.estimate(over)
        while True:
            under = self._exerting(low.grade)
            if _same(under, over):
                return low, low
            high = self.estimate(under)
            lower = self._exerting(high.grade)
            if _same(lower, over):
                return low, high
            over = lower
            low = self.estimate(over)

    @cached_property
    def row_of(self) -> dict[str, int]:
        """The row of each piece by id."""
        return {p.id: i for i, p in enumerate(self.layout.pieces)}

    @cached_property
    def undecided(self) -> Ints:
        """Rows of the pieces of which the rules do not say whether, or how well, they are supplied."""
        low, high = self.bounds
        return np.flatnonzero(low.grade != high.grade)

    def grade_name(self, number: int) -> str:
        """Return the word for a grade: one of the rulebook's, "out", or "" for a piece that needs no supply."""
        return "" if number == OFF else OUT if number == len(self.grades) else self.grades[number]

    @cached_property
    def supply(self) -> dict[str, str]:
        """The grade of every piece that needs supply, by id; that of the under-estimate where it is undecided."""
        low = self.bounds[0].grade.tolist()
        return {p.id: self.grade_name(g) for p, g in zip(self.layout.pieces, low, strict=False) if g != OFF}

    @cached_property
    def exerting(self) -> tuple[str, ...]:
        """Ids of the pieces that certainly exert a zone of control, in stacking order."""
        rows = np.any([np.zeros(self.layout.rows, dtype=bool), *self.exerting_in(self.bounds[0])], axis=0)
        return tuple(self.layout.pieces[i].id for i in np.flatnonzero(rows))

    def zone(self, side: str) -> frozenset[str]:
        """Return the spaces, of those that units may enter at all, in which this side certainly exerts a zone."""
        zones = self._zones(self.exerting_in(self.bounds[0]))
        number = self.layout.sides.index(side)
        mask = np.any([np.zeros(self.board.size, dtype=bool), *(z[number] for z in zones)], axis=0)
        return frozenset(
            self.board.map.spaces[i].key for i in np.flatnonzero(mask & self.board.spaces_with("enterable", ("yes",)))
        )

    def exerted_on(self, space: int, against: str, possible: bool = False) -> list[str]:
        """Return the ids, sorted, of the pieces with a zone on a space against a side. possible: undecided ones too."""
        order, start = self.board.arcs.into
        near = order[start[space] : start[space + 1]]
        exerting = self.exerting_in(self.bounds[1 if possible else 0])
        names = set()
        for zoc, rows in zip(self.rules.zoc, exerting, strict=True):
            for t in self.ways.tracers:
                if t.view.side == against or self._lifts(zoc, t)[space]:
                    continue
                spaces = self.board.arcs.tail[near[self.ways.usable(zoc.over, t)[near]]]
                here = [r for s in spaces.tolist() for r in self.layout.rows_at(s)]
                names |= {self.layout.pieces[r].id for r in here if rows[r] and self.ways.tracer_of[r] == t.number}
        return sorted(names)


def judge(game: Game, board: Board, position: Position) -> Verdict:
    """Judge a position by the rules of its game.

    game: for its rulebook, sides and counters. board: the game's map, compiled by `Board.from_map`. position: pieces
    with unknown counters or spaces are left out. Returns a Verdict that works its parts out when first asked.
    """
    return Verdict(game, board, position)


def _same(a: Sequence[Bools], b: Sequence[Bools]) -> bool:
    return all(bool((x == y).all()) for x, y in zip(a, b, strict=True))
