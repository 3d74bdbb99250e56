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

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from toolchain.checks.layout import OFF, Layout
from toolchain.graph.board import Board
from toolchain.graph.search import Bools, Hub, Ints, Reach, Stretch, search, spread
from toolchain.model.game import Game
from toolchain.model.position import Position
from toolchain.model.rulebook import OUT, Bar, Datum, Line, Rulebook, Supply, Zoc
from toolchain.model.terms import EVERY, Holds, Term, View, both, conjuncts, describe, uses_nation

SUPPLY = "supply"
"""The purpose for which a zone of control may be negated."""


@dataclass(frozen=True, eq=False)
class Tracer:
    """Pieces of which every rule says the same. rows: their places in the layout. takes: the selectors that fit."""

    number: int
    view: View
    rows: Ints
    takes: frozenset[Term]


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


@dataclass(frozen=True, slots=True)
class Losses:
    """What attrition does now: pieces that die, those spared, vacant spaces that turn, each in a stable order."""

    dies: tuple[str, ...] = ()
    spared: tuple[str, ...] = ()
    turns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Charge:
    """What an action in a space costs, and for which pieces by which rule."""

    points: float
    parts: tuple[tuple[Datum, tuple[str, ...]], ...] = ()


class Verdict:
    """What the rules say of a position. Parts are worked out when first asked for."""

    def __init__(self, game: Game, board: Board, position: Position) -> None:
        self.game, self.board, self.position = game, board, position
        self.rules: Rulebook = game.rulebook
        self.grades: tuple[str, ...] = self.rules.grades
        imagined = [a for rule in self.rules.attrition for a in rule.vacant_as]
        self.layout = Layout(game, board, position, imagined)
        self._arcs: dict[tuple[str, View, frozenset[Term]], Bools] = {}
        self._hubs: dict[tuple[str, View, frozenset[Term]], tuple[Hub, ...]] = {}
        self._negated: dict[tuple[int, View], Bools] = {}
        self._searched: dict[tuple[int, bytes], Traced] = {}

    # Tracers and where they may go ---------------------------------------------------------------------------------

    @cached_property
    def tracers(self) -> tuple[Tracer, ...]:
        """Pieces by what the rules make of them, in a stable order."""
        rules, layout = self.rules, self.layout
        terms = _selectors(rules)
        nation = any(uses_nation(t) for t in _all_terms(rules))
        judged = [layout.pieces_of(t) for t in terms]
        asked = layout.units | (layout.at == OFF)
        for zoc in rules.zoc:
            asked |= layout.counted(zoc.of)
        rows = np.flatnonzero(asked)
        nations = layout.column("nation") if nation else ("",) * layout.rows
        names = sorted(set(nations))
        columns = [layout.side, np.array([names.index(n) for n in nations], dtype=np.int64), *judged]
        table = np.stack([np.asarray(c, dtype=np.int64)[rows] for c in columns], axis=1)
        kinds, kind = np.unique(table, axis=0, return_inverse=True)
        order = np.argsort(kind.ravel(), kind="stable")
        members = np.split(rows[order], np.cumsum(np.bincount(kind.ravel(), minlength=len(kinds)))[:-1])
        return tuple(
            Tracer(
                i,
                View(layout.sides[k[0]] if k[0] != OFF else "", names[k[1]]),
                members[i],
                frozenset(t for t, fits in zip(terms, k[2:], strict=True) if fits),
            )
            for i, k in enumerate(kinds.tolist())
        )

    @cached_property
    def tracer_of(self) -> Ints:
        """The number of each row's tracer, OFF for a piece that is no unit, shape (rows,)."""
        out = np.full(self.layout.rows, OFF, dtype=np.int64)
        for t in self.tracers:
            out[t.rows] = t.number
        return out

    @cached_property
    def _bounds(self) -> tuple[tuple[tuple[Datum | None, bool, Bools], ...], ...]:
        """By tracer: what closes spaces to it, whether it may stay there, and which spaces."""
        closed = ~self.board.spaces_with("enterable", ("yes",))
        out = []
        for t in self.tracers:
            bounds: list[tuple[Datum | None, bool, Bools]] = [(None, False, closed)]
            for entry in self.rules.entries:
                if entry.of not in t.takes or not self.layout.holds(entry.when, t.view):
                    continue
                shut = np.zeros(self.board.size, dtype=bool)
                if entry.only is not None:
                    shut |= ~self.layout.spaces_of(entry.only, t.view)
                if entry.never is not None:
                    shut |= self.layout.spaces_of(entry.never, t.view)
                bounds.append((entry, entry.stays, shut))
            out.append(tuple(bounds))
        return tuple(out)

    @cached_property
    def legal(self) -> tuple[Bools, ...]:
        """By tracer: the spaces that it may enter, each of shape (size,)."""
        return tuple(~np.any([shut for _, _, shut in bounds], axis=0) for bounds in self._bounds)

    def closed_to(self, tracer: int, space: int, standing: bool = False) -> Iterator[Datum | None]:
        """Yield the bounds that close a space to a tracer; None is the map itself. standing: those on staying there."""
        for bound, stays, shut in self._bounds[tracer]:
            if shut[space] and not (standing and stays):
                yield bound

    def usable(self, over: Sequence[str], tracer: Tracer) -> Bools:
        """Return which arcs a tracer may use over these kinds of edge, shape (arcs,)."""
        mask = np.zeros(len(self.board.arcs.tail), dtype=bool)
        for name in over:
            mask |= self._usable(name, tracer)
        return mask

    def _usable(self, name: str, tracer: Tracer) -> Bools:
        edges, view = self.rules.edges[name], tracer.view
        bars = self._bars(name, tracer)
        key = (name, view, frozenset(b.of for b in bars))
        if key not in self._arcs:
            arcs = self.board.arcs
            mask = np.zeros(len(arcs.tail), dtype=bool)
            for join in edges.join:
                mask |= self.board.arcs_joined(join)
            if edges.spaces != EVERY:
                fit = self.layout.spaces_of(edges.spaces, view)
                mask &= fit[arcs.tail] & fit[arcs.head]
            for bar in bars:
                mask &= ~self._barred(bar, view)
            self._arcs[key] = mask
        return self._arcs[key]

    def _bars(self, name: str, tracer: Tracer) -> list[Bar]:
        bars = self.rules.edges[name].bars
        return [b for b in bars if b.of in tracer.takes and self.layout.holds(b.when, tracer.view)]

    def _barred(self, bar: Bar, view: View) -> Bools:
        board, arcs = self.board, self.board.arcs
        mask = np.ones(len(arcs.tail), dtype=bool)
        if bar.hexsides:
            mask &= np.any([board.arcs_joined(f"hexside.{k}") for k in bar.hexsides], axis=0)
        if bar.links:
            mask &= np.any([board.arcs_joined(f"link.{k}") for k in bar.links], axis=0)
        if bar.pairs:
            mask &= board.arcs_between(bar.pairs)
        if bar.at is not None:
            at = self.layout.spaces_of(bar.at, view)
            mask &= at[arcs.tail] | at[arcs.head]
        if bar.into is not None:
            mask &= self.layout.spaces_of(bar.into, view)[arcs.head]
        if bar.out_of is not None:
            mask &= self.layout.spaces_of(bar.out_of, view)[arcs.tail]
        return mask

    def _hubs_of(self, over: Sequence[str], tracer: Tracer) -> tuple[Hub, ...]:
        out: list[Hub] = []
        for name in over:
            edges, view = self.rules.edges[name], tracer.view
            if edges.hub is None:
                continue
            bars = self._bars(name, tracer)
            key = (name, view, frozenset(b.of for b in bars))
            if key not in self._hubs:
                members = self.layout.spaces_of(both(edges.hub, edges.spaces), view)
                for bar in bars:
                    if bar.at is not None:
                        members &= ~self.layout.spaces_of(bar.at, view)
                self._hubs[key] = self.board.hubs(members, edges.same)
            out.extend(self._hubs[key])
        return tuple(out)

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
        mask[arcs.head[self.usable(zoc.over, tracer) & stands[arcs.tail]]] = True
        for cancel in zoc.cancelled_by:
            if cancel.of in tracer.takes:
                mask &= ~self._near(cancel.by, cancel.over, cancel.within, tracer)
        return mask

    def _near(self, by: Term, over: Sequence[str], within: int, tracer: Tracer) -> Bools:
        markers = self.layout.spaces_of(Holds(by), tracer.view)
        stretch = Stretch(self.usable(over, tracer), self._hubs_of(over, tracer), within)
        # Counted from the marker outward, so the search, which runs toward its sources, gets the arcs turned round.
        return search(self.board.arcs.turned, markers, [stretch], np.ones(self.board.size, dtype=bool)).reached

    def _zones(self, exerting: Sequence[Bools]) -> tuple[tuple[Bools, ...], ...]:
        out = []
        for zoc, rows in zip(self.rules.zoc, exerting, strict=True):
            sides = [np.zeros(self.board.size, dtype=bool) for _ in self.layout.sides]
            for t in self.tracers:
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
        return tuple(next((s for s in self.rules.supply if s.of in t.takes), None) for t in self.tracers)

    def rule_of(self, tracer: int) -> Supply | None:
        """Return the rule by which a tracer traces supply; None where it needs none."""
        return self._rule_of[tracer]

    @cached_property
    def _ways(self) -> tuple[tuple[Bools, Bools, tuple[tuple[Line, tuple[Stretch, ...]], ...]] | None, ...]:
        """By tracer: spaces that a line may enter but for zones, live sources, and the lines as stretches."""
        out: list[tuple[Bools, Bools, tuple[tuple[Line, tuple[Stretch, ...]], ...]] | None] = []
        for t, rule in zip(self.tracers, self._rule_of, strict=True):
            if rule is None:
                out.append(None)
                continue
            passable = self.layout.spaces_of(rule.through, t.view)
            if rule.legal_entry:
                passable = passable & self.legal[t.number]
            sources = np.zeros(self.board.size, dtype=bool)
            for s in rule.sources:
                if s.of in t.takes and self.layout.holds(s.when, t.view):
                    sources |= self.layout.spaces_of(s.where, t.view)
            lines = tuple(
                (line, tuple(Stretch(self.usable(s.over, t), self._hubs_of(s.over, t), s.at_most) for s in line.stages))
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

    def _always(self, tracer: Tracer) -> list[tuple[Datum, int, Bools]]:
        """Return the grades that this tracer has without a line, with the spaces where it has them."""
        rule = self._rule_of[tracer.number]
        return [
            (a, self.grades.index(a.grade), self.layout.spaces_of(a.where, tracer.view))
            for a in (rule.always if rule else ())
            if a.of in tracer.takes and self.layout.holds(a.when, tracer.view)
        ]

    def _estimate(self, exerting: Sequence[Bools]) -> Estimate:
        zones = self._zones(exerting)
        traced: dict[int, Traced] = {}
        grade = np.full(self.layout.rows, OFF, dtype=np.int64)
        for t in self.tracers:
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
        for _, value, where in self._always(tracer):
            grade[where] = np.minimum(grade[where], value)
        return grade

    @cached_property
    def bounds(self) -> tuple[Estimate, Estimate]:
        """The under-estimate and the over-estimate of supply; the same where the rules decide everything."""
        over = self.candidates
        low = self._estimate(over)
        while True:
            under = self._exerting(low.grade)
            if _same(under, over):
                return low, low
            high = self._estimate(under)
            lower = self._exerting(high.grade)
            if _same(lower, over):
                return low, high
            over = lower
            low = self._estimate(over)

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
        """Return the spaces in which this side certainly exerts a zone of control."""
        zones = self._zones(self.exerting_in(self.bounds[0]))
        number = self.layout.sides.index(side)
        mask = np.any([np.zeros(self.board.size, dtype=bool), *(z[number] for z in zones)], axis=0)
        return frozenset(self.board.map.spaces[i].key for i in np.flatnonzero(mask))

    def exerted_on(self, space: int, against: str, possible: bool = False) -> list[str]:
        """Return the ids, sorted, of the pieces with a zone on a space against a side. possible: undecided ones too."""
        exerting = self.exerting_in(self.bounds[1 if possible else 0])
        names = []
        for zoc, rows in zip(self.rules.zoc, exerting, strict=True):
            arcs = self.board.arcs
            near = np.zeros(self.board.size, dtype=bool)
            near[arcs.tail[arcs.head == space]] = True
            for t in self.tracers:
                if t.view.side == against:
                    continue
                close = t.rows[rows[t.rows] & near[self.layout.at[t.rows]]]
                names += [int(r) for r in close if self._projected(zoc, t, np.array([r]))[space]]
        return sorted({self.layout.pieces[r].id for r in names})

    # Reasons -------------------------------------------------------------------------------------------------------

    @cached_property
    def row_of(self) -> dict[str, int]:
        """The row of each piece by id."""
        return {p.id: i for i, p in enumerate(self.layout.pieces)}

    def why(self, piece: str) -> Account:
        """Account for the supply of a piece: its line space by space, or where its lines stop and what stops them.

        piece: its id in the position. Raises KeyError for a piece that is not there. An undecided piece gets the line
        that it has if the undecided zones do not hold.
        """
        row = self.row_of[piece]
        low, high = self.bounds
        decided = low.grade[row] == high.grade[row]
        at = int(self.layout.at[row])
        space = self.board.map.spaces[at].key
        number = int(high.grade[row])
        grade = self.grade_name(int(low.grade[row]))
        if number == OFF:
            return Account(piece, space, "", True)
        tracer = self.tracers[self.tracer_of[row]]
        traced = (low if decided else high).traced[tracer.number]
        for datum, value, where in self._always(tracer):
            if where[at] and value == number:
                return Account(piece, space, grade, bool(decided), always=datum)
        if number < len(self.grades):
            line, _, reach = traced.lines[traced.line[at]]
            steps = tuple(Step(self.board.map.spaces[s].key, line.stages[k].over) for k, s in reach.path(at))
            return Account(piece, space, grade, bool(decided), line=line, steps=steps)
        return Account(piece, space, grade, True, blocks=tuple(self._blocks(tracer, high, at)))

    def _blocks(self, tracer: Tracer, estimate: Estimate, at: int) -> Iterator[Block]:
        """Yield the closed spaces that a stranded unit's lines run into, those of its longest line."""
        traced = estimate.traced[tracer.number]
        begin = np.zeros(self.board.size, dtype=bool)
        begin[at] = True
        stopped = np.zeros(self.board.size, dtype=bool)
        for _, stretches, _ in traced.lines:
            stopped |= spread(self.board.arcs, begin, stretches, traced.open)[1]
        # That no line runs over open sea, or whatever the map closes to everybody, tells nobody anything.
        stopped &= self.board.spaces_with("enterable", ("yes",))
        for space in np.flatnonzero(stopped).tolist():
            yield Block(self.board.map.spaces[space].key, self._reason(tracer, traced.rule, estimate, space))

    def _reason(self, tracer: Tracer, rule: Supply, estimate: Estimate, space: int) -> str:
        reasons = []
        for term in conjuncts(rule.through):
            if not self.layout.spaces_of(term, tracer.view)[space]:
                reasons.append(f"not {describe(term, tracer.view)}")
        if rule.legal_entry:
            for bound in self.closed_to(tracer.number, space):
                reasons.append("closed to it" + (bound.basis if bound else ""))
        if rule.zoc_blocks and self.against(estimate.zones, tracer.view)[space]:
            by = self.exerted_on(space, tracer.view.side, possible=True)
            reasons.append("in the zone of control of " + ", ".join(by))
        return "; ".join(reasons)

    def depends(self, row: int) -> tuple[int, ...]:
        """Return the undecided pieces whose zones lie on the line of an undecided piece, by id."""
        _, high = self.bounds
        tracer = self.tracers[self.tracer_of[row]]
        traced = high.traced[tracer.number]
        at = int(self.layout.at[row])
        if traced.line[at] == OFF:
            return ()
        path = [s for _, s in traced.lines[traced.line[at]][2].path(at)]
        contested = self.against(self.bounds[0].zones, tracer.view)
        open_question = set(self.undecided.tolist())
        on_line = [self.exerted_on(s, tracer.view.side, possible=True) for s in path if contested[s]]
        ids = sorted({i for found in on_line for i in found})
        return tuple(r for r in (self.row_of[i] for i in ids) if r in open_question)

    # Attrition and costs -------------------------------------------------------------------------------------------

    @cached_property
    def losses(self) -> Losses:
        """What attrition would do now. Pieces whose supply is undecided are left alone."""
        layout, high = self.layout, self.bounds[1]
        dies: list[int] = []
        spared: list[int] = []
        turns = np.zeros(self.board.size, dtype=bool)
        held = layout.spaces_of(Holds(self.rules.control.holders))
        imagined = len(layout.pieces)
        for rule in self.rules.attrition:
            hit = layout.counted(rule.of) & (high.grade == len(self.grades))
            numbers = range(imagined, imagined + len(rule.vacant_as))
            imagined += len(rule.vacant_as)
            safe = {
                t.number: layout.spaces_of(rule.spared, t.view)
                if rule.spared is not None
                else np.zeros(self.board.size, dtype=bool)
                for t in self.tracers
            }
            for row in np.flatnonzero(hit).tolist():
                (spared if safe[int(self.tracer_of[row])][layout.at[row]] else dies).append(row)
            for side in range(len(layout.sides)):
                lost = ~held & (layout.control == side) & self.board.spaces_with("enterable", ("yes",))
                lost &= layout.spaces_of(rule.vacant_where)
                mine = [n for n in numbers if layout.side[n] == side]
                for n in mine:
                    t = self.tracers[self.tracer_of[n]]
                    if t.number in high.traced:
                        lost &= self.graded(t, high.traced[t.number]) == len(self.grades)
                        lost &= ~safe[t.number]
                    else:
                        lost[:] = False
                if mine:
                    turns |= lost
        ids = [p.id for p in layout.pieces]
        keys = [s.key for s in self.board.map.spaces]
        return Losses(
            tuple(ids[r] for r in sorted(set(dies) - set(spared))),
            tuple(ids[r] for r in sorted(set(spared))),
            tuple(keys[i] for i in np.flatnonzero(turns)),
        )

    def charge(self, space: str, act: str) -> Charge:
        """Return what it costs to act with all units in a space.

        space: its key. act: the game's own word, as in the rulebook's costs. A rule per space is charged once for its
        units there, a rule per unit for each; pieces whose supply is undecided count by their lower grade.
        """
        layout, low = self.layout, self.bounds[0]
        here = layout.units & (layout.at == self.board.index.get(space, OFF - 1))
        points, parts = 0.0, []
        for rule in self.rules.costs:
            if act not in rule.acts:
                continue
            known = [self.grades.index(g) if g in self.grades else len(self.grades) for g in rule.grades]
            rows = np.flatnonzero(here & layout.pieces_of(rule.of) & np.isin(low.grade, known))
            if len(rows):
                points += rule.points * (1 if rule.per == "space" else len(rows))
                parts.append((rule, tuple(layout.pieces[r].id for r in rows)))
        return Charge(points, tuple(parts))


def judge(game: Game, board: Board, position: Position) -> Verdict:
    """Judge a position by the rules of its game.

    game: for its rulebook, sides and counters. board: the game's map, compiled by `Board.from_map`. position: pieces
    with unknown counters or spaces are left out. Returns a Verdict that works its parts out when first asked.
    """
    return Verdict(game, board, position)


def _same(a: Sequence[Bools], b: Sequence[Bools]) -> bool:
    return all(bool((x == y).all()) for x, y in zip(a, b, strict=True))


def _selectors(rules: Rulebook) -> list[Term]:
    """Return every selector of pieces that may tell two tracers apart, once each, in the order of the rulebook."""
    terms: list[Term] = [b.of for e in rules.edges.values() for b in e.bars]
    terms += [e.of for e in rules.entries]
    terms += [c.of for z in rules.zoc for c in z.cancelled_by]
    for s in rules.supply:
        terms += [s.of, *(x.of for x in s.sources), *(x.of for x in s.lines), *(x.of for x in s.always)]
    return list(dict.fromkeys(terms))


def _all_terms(rules: Rulebook) -> Iterator[Term]:
    """Yield every term that a tracer's own nation may matter to."""
    for edges in rules.edges.values():
        yield edges.spaces
        yield from (t for t in (edges.hub,) if t is not None)
        for bar in edges.bars:
            yield from (t for t in (bar.at, bar.into, bar.out_of, bar.when) if t is not None)
    for entry in rules.entries:
        yield from (t for t in (entry.only, entry.never, entry.when) if t is not None)
    for zoc in rules.zoc:
        yield from (n.of for n in zoc.negated_by)
        yield from (c.by for c in zoc.cancelled_by)
    for supply in rules.supply:
        yield supply.through
        for source in supply.sources:
            yield from (source.where, source.when)
        for line in supply.lines:
            yield line.when
        for always in supply.always:
            yield from (always.where, always.when)
    for attrition in rules.attrition:
        yield from (t for t in (attrition.spared,) if t is not None)
