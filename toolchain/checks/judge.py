"""Judge a position by the rules of its game: who may be where, whose zones lie where, who is in supply and why.

The engine knows no game. It sorts pieces into tracers (pieces for which every rule gives the same answer: one side,
the same bounds of entry, the same bars), and searches once for each tracer and line, so that time grows with the kinds
of pieces and not with their number.

Where zones need supply and supply yields to zones, the answer is the well-founded one (Van Gelder, 1993, the
alternating fixpoint): with every candidate exerting, those supplied are an under-estimate; with only those exerting,
the supplied are an over-estimate; and so on until neither changes. What the two do not agree on, the rules leave
undecided. Enemy pieces that cut lines only while they are supplied go the same way as zones.

Sources that serve only so many units take no part in that: the under-estimate lets them serve nobody, the over-estimate
everybody, and who is served is settled at the end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from toolchain.checks.layout import OFF, Layout
from toolchain.checks.owners import owners
from toolchain.checks.ways import Tracer, Ways
from toolchain.graph.board import Board
from toolchain.graph.search import Bools, Ints, Reach, Stretch, search
from toolchain.model.game import Game
from toolchain.model.position import Position
from toolchain.model.rulebook import OUT, Cut, Datum, Line, Rulebook, Source, Stage, Supply, Zoc
from toolchain.model.terms import Holds, Term, View

SUPPLY = "supply"
"""The purpose for which a zone of control may be negated."""

Lines = tuple[tuple[Line, tuple[Stretch, ...]], ...]


@dataclass(frozen=True, eq=False)
class Traced:
    """The lines of one tracer under one estimate. open: spaces a line may enter. sources: the live ones of each line.

    grade, line: for each space, the best grade (len(grades) for none) and the place in `lines` of the first line that
    gives it, OFF for none.
    """

    rule: Supply
    open: Bools
    sources: tuple[Bools, ...]
    lines: tuple[tuple[Line, tuple[Stretch, ...], Reach], ...]
    grade: Ints
    line: Ints


@dataclass(frozen=True, eq=False)
class Served:
    """The line of a unit that a source of limited reach serves: its source, its rule, its stages and its search."""

    source: int
    line: Line
    reach: Reach


@dataclass(frozen=True, eq=False)
class Estimate:
    """One pass: the zones by rule and side, the lines by tracer, and the grade of every row.

    grade: shape (rows,); len(grades) is out of supply, OFF is a piece that needs no supply. cutting: by cut of the
    rulebook, the pieces that cut lines. served: rows that a limited source serves. left_out: rows that one could have
    served, had it not been used up, with the spaces of such sources.
    """

    zones: tuple[tuple[Bools, ...], ...]
    traced: dict[int, Traced]
    grade: Ints
    cutting: tuple[Bools, ...] = ()
    served: dict[int, Served] = field(default_factory=dict)
    left_out: dict[int, tuple[int, ...]] = field(default_factory=dict)


class Verdict:
    """What the rules say of a position. Parts are worked out when first asked for."""

    def __init__(self, game: Game, board: Board, position: Position, moment: str = "") -> None:
        self.game, self.board, self.position, self.moment = game, board, position, moment
        self.rules: Rulebook = game.rulebook
        self.grades: tuple[str, ...] = self.rules.grades
        imagined = [a for rule in self.rules.attrition for a in rule.vacant_as]
        self.layout = Layout(game, board, position, imagined)
        self.ways = Ways(self.layout)
        self.cuts: tuple[Cut, ...] = tuple(c for s in self.rules.supply for c in s.cut_by)
        self._searched: dict[tuple[int, bool, bytes], Traced] = {}
        if self.rules.control.rules or any(h.reverts for h in self.rules.control.home):
            self._settle_control()

    def _settle_control(self) -> None:
        """Let the pieces decide control where the rules say so: first by standing there, then by their zones."""
        self.layout.control = owners(self.layout)
        if any(o.by == "zone" for o in self.rules.control.rules):
            free = [rows & (not zoc.needs) for zoc, rows in zip(self.rules.zoc, self.candidates, strict=False)]
            zones = self._zones(free)
            sides = [np.any([z[n] for z in zones], axis=0) for n in range(len(self.layout.sides))] if zones else []
            self.layout.control = owners(self.layout, sides)
            del self.candidates
        self.ways = Ways(self.layout)

    # Zones of control ----------------------------------------------------------------------------------------------

    @cached_property
    def candidates(self) -> tuple[Bools, ...]:
        """By ZOC rule, then by cut: the pieces that exert a zone, or cut, if they are supplied as it needs, (rows,)."""
        layout = self.layout
        none = np.zeros(layout.rows, dtype=bool)
        return tuple(layout.counted(x.of) if layout.holds(x.when) else none for x in self._blocking)

    @property
    def _blocking(self) -> tuple[Zoc | Cut, ...]:
        """Rules by which pieces close spaces to enemy lines: zones, then cuts."""
        return (*self.rules.zoc, *self.cuts)

    def _exerting(self, grade: Ints) -> tuple[Bools, ...]:
        out = []
        for rule, candidates in zip(self._blocking, self.candidates, strict=True):
            if rule.needs:
                enough = [OFF] + [i for i, g in enumerate(self.grades) if g in rule.needs]
                candidates = candidates & np.isin(grade, enough)
            out.append(candidates)
        return tuple(out)

    def exerting_in(self, estimate: Estimate) -> tuple[Bools, ...]:
        """By ZOC rule: the pieces that exert a zone by this estimate, shape (rows,)."""
        return self._exerting(estimate.grade)[: len(self.rules.zoc)]

    def cutting_in(self, estimate: Estimate) -> tuple[Bools, ...]:
        """By cut of the rulebook: the pieces that cut lines by this estimate, shape (rows,)."""
        return self._exerting(estimate.grade)[len(self.rules.zoc) :]

    def _projected(self, zoc: Zoc, tracer: Tracer, rows: Ints) -> Bools:
        """Return the spaces into which these pieces of one tracer exert a zone."""
        arcs = self.board.arcs
        stands = np.zeros(self.board.size, dtype=bool)
        stands[self.layout.at[rows]] = True
        mask = np.zeros(self.board.size, dtype=bool)
        mask[arcs.head[self.ways.usable(zoc.over, tracer) & stands[arcs.tail]]] = True
        for hub in self.ways.hubs(zoc.over, tracer):
            holders = hub.members[stands[hub.members]]
            if len(holders):  # one alone has no zone in its own space
                mask[hub.members if len(holders) > 1 else hub.members[hub.members != holders[0]]] = True
        if zoc.legal_entry:
            mask &= self.ways.legal[tracer.number]
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

    def _stretch(self, over: Sequence[str], at_most: int | None, tracer: Tracer, free: bool = False) -> Stretch:
        return Stretch(self.ways.usable(over, tracer), self.ways.hubs(over, tracer), at_most, free)

    def _zones(self, exerting: Sequence[Bools]) -> tuple[tuple[Bools, ...], ...]:
        out = []
        for zoc, rows in zip(self.rules.zoc, exerting, strict=False):
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

    def cut_off(self, rule: Supply, view: View, cutting: Sequence[Bools]) -> Bools:
        """Return the spaces in which enemy pieces cut the lines of a rule, shape (size,)."""
        mask = np.zeros(self.board.size, dtype=bool)
        side = self.layout.sides.index(view.side) if view.side else OFF
        for cut, rows in zip(self.cuts, cutting, strict=True):
            if any(cut is c for c in rule.cut_by):
                mask[self.layout.at[rows & (self.layout.side != side) & (self.layout.side != OFF)]] = True
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
    def _ways(self) -> tuple[tuple[Bools, Lines] | None, ...]:
        """By tracer: spaces that a line may enter but for enemies and their zones, and the lines as stretches."""
        out: list[tuple[Bools, Lines] | None] = []
        for t, rule in zip(self.ways.tracers, self._rule_of, strict=True):
            if rule is None:
                out.append(None)
                continue
            passable = self.layout.spaces_of(rule.through, t.view)
            if rule.legal_entry:
                passable = passable & self.ways.legal[t.number]
            lines = tuple(
                (
                    line,
                    tuple(self._stage(s, t) for s in line.stages),
                )
                for line in rule.lines
                if line.of in t.takes and self.layout.holds(line.when, t.view)
            )
            out.append((passable, lines))
        return tuple(out)

    def _stage(self, stage: Stage, tracer: Tracer) -> Stretch:
        plain = tuple(name for name in stage.over if name not in stage.each)
        whole = self._stretch(plain, stage.steps(self.position.facts), tracer, free=stage.beyond)
        return replace(whole, kinds=tuple(self._stretch((n,), most, tracer) for n, most in stage.each.items()))

    def _sources(self, line: Line, rule: Supply, tracer: Tracer, open_: Bools) -> Iterator[tuple[Source, Bools]]:
        """Yield the sources of a line that are live for a tracer, each with its spaces."""
        for source in line.sources or rule.sources:
            if source.of in tracer.takes and self.layout.holds(source.when, tracer.view):
                spaces = self.layout.spaces_of(source.where, tracer.view)
                yield source, self._joined(source, spaces, tracer, open_) if source.joined else spaces

    def _joined(self, source: Source, spaces: Bools, tracer: Tracer, open_: Bools) -> Bools:
        """Keep those of the source spaces from which an open line leads to another space that it must be joined to."""
        joined = source.joined
        if joined is None:
            return spaces
        inside = open_ & self.layout.spaces_of(joined.within, tracer.view)
        to = inside & self.layout.spaces_of(joined.to, tracer.view)
        stretch = self._stretch(joined.over, None, tracer)
        out = np.zeros_like(spaces)
        for at in np.flatnonzero(spaces & inside).tolist():
            others = to.copy()
            others[at] = False
            if others.any():
                out[at] = search(self.board.arcs, others, [stretch], inside).reached[at]
        return out

    def _open(self, tracer: Tracer, zones: tuple[tuple[Bools, ...], ...], cutting: Sequence[Bools]) -> Bools | None:
        """Return the spaces that the lines of a tracer may enter, shape (size,); None if it needs no supply."""
        rule, ways = self._rule_of[tracer.number], self._ways[tracer.number]
        if rule is None or ways is None:
            return None
        open_ = ways[0]
        if rule.zoc_blocks:
            open_ = open_ & ~self.against(zones, tracer.view)
        if rule.cut_by:
            open_ = open_ & ~self.cut_off(rule, tracer.view, cutting)
        return open_

    def _trace(self, tracer: Tracer, open_: Bools, everybody: bool) -> Traced:
        """Search the lines of a tracer. everybody: limited sources serve whoever asks, else nobody."""
        rule, ways = self._rule_of[tracer.number], self._ways[tracer.number]
        assert rule is not None and ways is not None
        key = (tracer.number, everybody, np.packbits(open_).tobytes())
        if key not in self._searched:
            grade = np.full(self.board.size, len(self.grades), dtype=np.int64)
            best = np.full(self.board.size, OFF, dtype=np.int64)
            found: list[tuple[Line, tuple[Stretch, ...], Reach]] = []
            ends: list[Bools] = []
            for line, stretches in ways[1]:
                sources = np.zeros(self.board.size, dtype=bool)
                for source, spaces in self._sources(line, rule, tracer, open_):
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

    @cached_property
    def limited(self) -> bool:
        """Whether some source serves only so many units."""
        return any(s.serves is not None for rule in self.rules.supply for s in rule.all_sources)

    def estimate(self, exerting: Sequence[Bools], everybody: bool = False, settle: bool = False) -> Estimate:
        """Trace once, with exactly these pieces exerting zones and cutting lines.

        exerting: one array of shape (rows,) for each ZOC rule, then for each cut. everybody: limited sources serve
        whoever asks, else nobody. settle: they serve as many as they can, the nearest first.
        """
        zones, cutting = self._zones(exerting), tuple(exerting[len(self.rules.zoc) :])
        traced: dict[int, Traced] = {}
        grade = np.full(self.layout.rows, OFF, dtype=np.int64)
        for t in self.ways.tracers:
            open_ = self._open(t, zones, cutting)
            if open_ is None:
                continue
            traced[t.number] = result = self._trace(t, open_, everybody and self.limited)
            here = t.rows[self.layout.at[t.rows] != OFF]
            grade[here] = self.graded(t, result)[self.layout.at[here]]
        for row, kept in self._kept.items():
            grade[row] = kept
        if not settle:
            return Estimate(zones, traced, grade, cutting)
        served, left_out = self._serve(traced, grade)
        for row, s in served.items():
            grade[row] = self.grades.index(s.line.grade)
        return Estimate(zones, traced, grade, cutting, served, left_out)

    @cached_property
    def _kept(self) -> dict[int, int]:
        """Rows whose grade was judged at an earlier moment and is kept, with that grade."""
        known = {name: i for i, name in enumerate((*self.grades, OUT))}
        kept: dict[int, int] = {}
        for row, piece in enumerate(self.layout.pieces):
            grade = known.get(self.position.supply.get(piece.id, ""))
            rule = self._rule_of[tracer] if (tracer := int(self.ways.tracer_of[row])) != OFF else None
            if grade is not None and rule is not None and rule.judged_at and self.moment not in rule.judged_at:
                kept[row] = grade
        return kept

    def kept(self, row: int) -> bool:
        """Tell whether the grade of a piece was judged at an earlier moment and is kept."""
        return row in self._kept

    def _serve(self, traced: dict[int, Traced], grade: Ints) -> tuple[dict[int, Served], dict[int, tuple[int, ...]]]:
        """Share limited sources out among the units that have no line: the nearest first, then by id."""
        asks: list[tuple[int, str, int, int, int]] = []
        searched: list[tuple[Source, int, Line, Reach]] = []
        for t in self.ways.tracers:
            rows = [r for r in t.rows[grade[t.rows] == len(self.grades)].tolist() if r not in self._kept]
            if not rows or t.number not in traced:
                continue
            result = traced[t.number]
            for line, stretches, _ in result.lines:
                for source, spaces in self._sources(line, result.rule, t, result.open):
                    for at in np.flatnonzero(spaces).tolist() if source.serves is not None else ():
                        only = np.zeros(self.board.size, dtype=bool)
                        only[at] = True
                        reach = search(self.board.arcs, only, stretches, result.open)
                        near = [r for r in rows if reach.reached[self.layout.at[r]]]
                        for r in near:
                            far = len(reach.path(int(self.layout.at[r])))
                            asks.append((far, self.layout.pieces[r].id, at, len(searched), r))
                        searched.append((source, at, line, reach))
        served: dict[int, Served] = {}
        left_out: dict[int, tuple[int, ...]] = {}
        spent: dict[tuple[int, int], float] = {}
        for _, _, at, number, row in sorted(asks):
            source, _, line, reach = searched[number]
            used = spent.get((id(source), at), 0.0)
            weight = float(self.layout.weights(source.weight)[row])
            if row not in served and used + weight <= (source.serves or 0.0) + 1e-9:
                spent[id(source), at] = used + weight
                served[row] = Served(at, line, reach)
            elif row not in served and at not in left_out.get(row, ()):
                left_out[row] = (*left_out.get(row, ()), at)
        return served, {row: full for row, full in left_out.items() if row not in served}

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
                exact = self.estimate(under, settle=True) if self.limited else low
                return exact, exact
            high = self.estimate(under, everybody=True)
            lower = self._exerting(high.grade)
            if _same(lower, over):
                return self._settled(over, under) or (low, high)
            over = lower
            low = self.estimate(over)

    def _settled(self, over: Sequence[Bools], under: Sequence[Bools]) -> tuple[Estimate, Estimate] | None:
        """Return what limited sources settle: one answer, if the most and the fewest zones lead to the same."""
        if not self.limited:
            return None
        worst, best = self.estimate(over, settle=True), self.estimate(under, settle=True)
        sure = self.estimate(self._exerting(worst.grade), settle=True)
        same = (worst.grade == best.grade).all() and (sure.grade == worst.grade).all()
        return (sure, sure) if same else None

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
        names: set[str] = set()
        for zoc, rows in zip(self.rules.zoc, exerting, strict=True):
            for t in self.ways.tracers:
                if t.view.side == against or self._lifts(zoc, t)[space]:
                    continue
                if zoc.legal_entry and not self.ways.legal[t.number][space]:
                    continue
                spaces = set(self.board.arcs.tail[near[self.ways.usable(zoc.over, t)[near]]].tolist())
                for hub in self.ways.hubs(zoc.over, t):
                    if space in hub.members:
                        spaces.update(m for m in hub.members.tolist() if m != space)
                here = [r for s in sorted(spaces) for r in self.layout.rows_at(s)]
                names |= {self.layout.pieces[r].id for r in here if rows[r] and self.ways.tracer_of[r] == t.number}
        return sorted(names)

    def cutters_at(self, space: int, tracer: Tracer, possible: bool = False) -> list[str]:
        """Return the ids, sorted, of the enemy pieces that cut the lines of a tracer in a space."""
        rule = self._rule_of[tracer.number]
        cutting = self.cutting_in(self.bounds[1 if possible else 0])
        own = self.layout.sides.index(tracer.view.side) if tracer.view.side else OFF
        names: set[str] = set()
        for cut, rows in zip(self.cuts, cutting, strict=True):
            if rule is not None and any(cut is c for c in rule.cut_by):
                here = [r for r in self.layout.rows_at(space) if rows[r]]
                names |= {self.layout.pieces[r].id for r in here if self.layout.side[r] not in (OFF, own)}
        return sorted(names)


def judge(game: Game, board: Board, position: Position, moment: str = "") -> Verdict:
    """Judge a position by the rules of its game.

    game: for its rulebook, sides and counters. board: the game's map, compiled by `Board.from_map`. position: pieces
    with unknown counters or spaces are left out. moment: in the game's words, such as "end of movement"; empty, no
    moment in particular. Returns a Verdict that works its parts out when first asked.
    """
    return Verdict(game, board, position, moment)


def _same(a: Sequence[Bools], b: Sequence[Bools]) -> bool:
    return all(bool((x == y).all()) for x, y in zip(a, b, strict=True))
