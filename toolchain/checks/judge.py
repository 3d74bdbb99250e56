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

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from toolchain.checks.layout import OFF, Layout
from toolchain.checks.lines import Lines, Traced
from toolchain.checks.owners import owners
from toolchain.checks.serving import Served, serve
from toolchain.checks.ways import Tracer, Ways
from toolchain.graph.board import Board
from toolchain.graph.search import Bools, Ints, search
from toolchain.model.game import Game
from toolchain.model.position import Position
from toolchain.model.rulebook import OUT, Cut, Rulebook, Supply, Zoc
from toolchain.model.terms import Holds, Term, View

SUPPLY = "supply"
"""The purpose for which a zone of control may be negated."""


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
        self.cuts: tuple[Cut, ...] = tuple(c for s in (*self.rules.supply, *self.rules.statuses) for c in s.cut_by)
        if self.rules.control.rules or any(h.reverts for h in self.layout.homes):
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

    @cached_property
    def lines(self) -> Lines:
        """The lines of supply."""
        return Lines(self.ways, self.rules.supply, self.grades)

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
                mask[hub.entered if len(holders) > 1 else hub.entered[hub.entered != holders[0]]] = True
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
        stretch = self.ways.stretch(over, within, tracer)
        # Counted from the marker outward, so the search, which runs toward its sources, gets the arcs turned round.
        return search(self.board.arcs.turned, markers, [stretch], np.ones(self.board.size, dtype=bool)).reached

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

    def _open(
        self, lines: Lines, tracer: Tracer, zones: tuple[tuple[Bools, ...], ...], cutting: Sequence[Bools]
    ) -> Bools | None:
        """Return the spaces that the lines of a tracer may enter, shape (size,); None if it needs none."""
        rule, open_ = lines.rule_of(tracer.number), lines.passable(tracer)
        if rule is None or open_ is None:
            return None
        if rule.zoc_blocks:
            open_ = open_ & ~self.against(zones, tracer.view)
        if rule.cut_by:
            open_ = open_ & ~self.cut_off(rule, tracer.view, cutting)
        return open_

    def _traced(
        self, lines: Lines, zones: tuple[tuple[Bools, ...], ...], cutting: Sequence[Bools], everybody: bool
    ) -> dict[int, Traced]:
        """Trace the lines of every tracer that needs some, under these zones and cuts."""
        opened = ((t, self._open(lines, t, zones, cutting)) for t in self.ways.tracers)
        return {t.number: lines.trace(t, open_, everybody) for t, open_ in opened if open_ is not None}

    def estimate(self, exerting: Sequence[Bools], everybody: bool = False, settle: bool = False) -> Estimate:
        """Trace once, with exactly these pieces exerting zones and cutting lines.

        exerting: one array of shape (rows,) for each ZOC rule, then for each cut. everybody: limited sources serve
        whoever asks, else nobody. settle: they serve as many as they can, the nearest first.
        """
        zones, cutting = self._zones(exerting), tuple(exerting[len(self.rules.zoc) :])
        traced = self._traced(self.lines, zones, cutting, everybody and self.lines.limited)
        grade = self.lines.grades_of(traced)
        for row, kept in self._kept.items():
            grade[row] = kept
        if not settle:
            return Estimate(zones, traced, grade, cutting)
        served, left_out = serve(self.lines, traced, grade, self._kept)
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
            tracer = int(self.ways.tracer_of[row])
            rule = self.lines.rule_of(tracer) if tracer != OFF else None
            if grade is not None and rule is not None and rule.judged_at and self.moment not in rule.judged_at:
                kept[row] = grade
        return kept

    def kept(self, row: int) -> bool:
        """Tell whether the grade of a piece was judged at an earlier moment and is kept."""
        return row in self._kept

    @cached_property
    def bounds(self) -> tuple[Estimate, Estimate]:
        """The under-estimate and the over-estimate of supply; the same where the rules decide everything."""
        over = self.candidates
        low = self.estimate(over)
        while True:
            under = self._exerting(low.grade)
            if _same(under, over):
                exact = self.estimate(under, settle=True) if self.lines.limited else low
                return exact, exact
            high = self.estimate(under, everybody=True)
            lower = self._exerting(high.grade)
            if _same(lower, over):
                return self._settled(over, under) or (low, high)
            over = lower
            low = self.estimate(over)

    def _settled(self, over: Sequence[Bools], under: Sequence[Bools]) -> tuple[Estimate, Estimate] | None:
        """Return what limited sources settle: one answer, if the most and the fewest zones lead to the same."""
        if not self.lines.limited:
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
    def status_lines(self) -> dict[str, Lines]:
        """The lines by which statuses beside supply are judged, by status."""
        rules = self.rules.statuses
        return {
            n: Lines(self.ways, [s for s in rules if s.name == n], ("",)) for n in dict.fromkeys(s.name for s in rules)
        }

    @cached_property
    def status_traced(self) -> dict[str, tuple[dict[int, Traced], dict[int, Traced]]]:
        """By status: what each tracer finds with the zones of either estimate."""
        return {
            name: (
                self._traced(lines, self.bounds[0].zones, self.bounds[0].cutting, everybody=True),
                self._traced(lines, self.bounds[1].zones, self.bounds[1].cutting, everybody=True),
            )
            for name, lines in self.status_lines.items()
        }

    @cached_property
    def statuses(self) -> dict[str, dict[str, bool | None]]:
        """By status, then by piece: whether it has it, None where the rules leave that undecided."""
        out: dict[str, dict[str, bool | None]] = {}
        for name, lines in self.status_lines.items():
            low, high = (lines.grades_of(traced).tolist() for traced in self.status_traced[name])
            rows = zip(self.layout.pieces, low, high, strict=False)
            out[name] = {p.id: a == 1 if a == b else None for p, a, b in rows if a != OFF}
        return out

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
                    if space in hub.entered:
                        spaces.update(m for m in hub.members.tolist() if m != space)
                here = [r for s in sorted(spaces) for r in self.layout.rows_at(s)]
                names |= {self.layout.pieces[r].id for r in here if rows[r] and self.ways.tracer_of[r] == t.number}
        return sorted(names)

    def cutters_at(self, space: int, rule: Supply | None, view: View, possible: bool = False) -> list[str]:
        """Return the ids, sorted, of the enemy pieces that cut lines of a rule in a space. possible: undecided too."""
        cutting = self.cutting_in(self.bounds[1 if possible else 0])
        own = self.layout.sides.index(view.side) if view.side else OFF
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
