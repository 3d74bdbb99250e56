"""Where pieces may go: bounds of entry, the ways they may use, and the kinds of pieces that this sorts them into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from toolchain.checks.layout import OFF, Layout
from toolchain.graph.search import Bools, Hub, Ints, Stretch
from toolchain.model.rulebook import Bar, Datum, Entry, Rulebook
from toolchain.model.terms import EVERY, Is, Term, View, leaves, uses_nation


@dataclass(frozen=True, eq=False)
class Tracer:
    """Pieces of which every rule says the same. rows: their places in the layout. takes: the selectors that fit."""

    number: int
    view: View
    rows: Ints
    takes: frozenset[Term]


class Ways:
    """The tracers of a layout, and for each of them the spaces it may enter and the arcs and hubs it may use."""

    def __init__(self, layout: Layout) -> None:
        self.layout, self.board, self.rules = layout, layout.board, layout.game.rulebook
        self._arcs: dict[tuple[str, View, frozenset[Term]], Bools] = {}
        self._hubs: dict[tuple[str, View, frozenset[Term]], tuple[Hub, ...]] = {}

    @cached_property
    def tracers(self) -> tuple[Tracer, ...]:
        """Pieces by what the rules make of them, in a stable order."""
        rules, layout = self.rules, self.layout
        terms = _selectors(rules)
        nation = any(uses_nation(t) for t in _all_terms(rules))
        nation |= any(e.reserved == "nation" for e in rules.edges.values())
        judged = [layout.pieces_of(t) for t in terms]
        asked = layout.units | (layout.at == OFF)
        for zoc in rules.zoc:
            asked |= layout.counted(zoc.of)
        rows = np.flatnonzero(asked)
        nations = layout.counted_as("nation") if nation else ("",) * layout.rows
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
    def bounds(self) -> tuple[tuple[tuple[Datum | None, bool, Bools], ...], ...]:
        """By tracer: what closes spaces to it, whether it may stay there, and which spaces."""
        closed = ~self.board.spaces_with("enterable", ("yes",))
        out = []
        for t in self.tracers:
            bounds: list[tuple[Datum | None, bool, Bools]] = [(None, False, closed)]
            for entry in self.rules.entries:
                if entry.of not in t.takes or not self.layout.holds(entry.when, t.view):
                    continue
                bounds.append((entry, entry.stays, self._shut(entry, t.view)))
            out.append(tuple(bounds))
        return tuple(out)

    def _shut(self, entry: Entry, view: View) -> Bools:
        shut = np.zeros(self.board.size, dtype=bool)
        if entry.only is not None:
            shut |= ~self.layout.spaces_of(entry.only, view)
        if entry.never is not None:
            shut |= self.layout.spaces_of(entry.never, view)
        return shut

    def misplaced_markers(self) -> Iterator[tuple[Entry, int]]:
        """Yield the rows of markers that stand where a bound of entry on markers does not let them, by bound."""
        layout = self.layout
        for entry in self.rules.entries:
            if entry.stays or not any(leaf == Is("role", ("marker",)) for leaf in leaves(entry.of)):
                continue
            shut: dict[View, Bools] = {}
            for row in np.flatnonzero(layout.counted(entry.of) & ~layout.units).tolist():
                view = layout.view(row)
                if layout.holds(entry.when, view):
                    if view not in shut:
                        shut[view] = self._shut(entry, view)
                    if shut[view][layout.at[row]]:
                        yield entry, row

    @cached_property
    def legal(self) -> tuple[Bools, ...]:
        """By tracer: the spaces that it may enter, each of shape (size,)."""
        return tuple(~np.any([shut for _, _, shut in bounds], axis=0) for bounds in self.bounds)

    def closed_to(self, tracer: int, space: int, standing: bool = False) -> Iterator[Datum | None]:
        """Yield the bounds that close a space to a tracer; None is the map itself. standing: those on staying there."""
        for bound, stays, shut in self.bounds[tracer]:
            if shut[space] and not (standing and stays):
                yield bound

    def only_at(self, row: int) -> tuple[Entry, str] | None:
        """Return the bound that names the one space where a piece may stand, with that space; None if it is free."""
        for entry, named in self._named:
            if word := named.get(row):
                return entry, word
        return None

    @cached_property
    def _named(self) -> list[tuple[Entry, dict[int, str]]]:
        out = []
        for entry in self.rules.entries:
            if entry.only_at and self.layout.holds(entry.when):
                words, spelt = self.layout.column(entry.only_at), self.board.map.by_word
                rows = np.flatnonzero(self.layout.counted(entry.of)).tolist()
                out.append((entry, {r: spelt.get(words[r], words[r]) for r in rows if words[r]}))
        return out

    def usable(self, over: Sequence[str], tracer: Tracer) -> Bools:
        """Return which arcs a tracer may use over these kinds of edge, shape (arcs,)."""
        masks = [self._usable(name, tracer) for name in over]
        return masks[0] if len(masks) == 1 else np.any([np.zeros(len(self.board.arcs.tail), bool), *masks], axis=0)

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
            if edges.reserved:
                mask &= ~self.board.arcs_reserved(edges.reserved, getattr(view, edges.reserved))
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
        if bar.downstream_of:
            mask &= board.arcs_downstream(bar.downstream_of)
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

    def stretch(self, over: Sequence[str], at_most: int | None, tracer: Tracer, *, free: bool = False) -> Stretch:
        """Return a stage of a line as a tracer may use it; see Stretch."""
        return Stretch(self.usable(over, tracer), self.hubs(over, tracer), at_most, free)

    def hubs(self, over: Sequence[str], tracer: Tracer) -> tuple[Hub, ...]:
        """Return the hubs of these kinds of edge as a tracer may use them."""
        out: list[Hub] = []
        for name in over:
            edges, view = self.rules.edges[name], tracer.view
            if edges.hub is None:
                continue
            bars = self._bars(name, tracer)
            key = (name, view, frozenset(b.of for b in bars))
            if key not in self._hubs:
                open_ = self.layout.spaces_of(edges.spaces, view)
                for bar in bars:
                    if bar.at is not None:
                        open_ &= ~self.layout.spaces_of(bar.at, view)
                members = open_ & self.layout.spaces_of(edges.hub, view)
                rim = None if edges.rim is None else open_ & self.layout.spaces_of(edges.rim, view)
                self._hubs[key] = self.board.hubs(members, edges.same, rim)
            out.extend(self._hubs[key])
        return tuple(out)


def _selectors(rules: Rulebook) -> list[Term]:
    """Return every selector of pieces that may tell two tracers apart, once each, in the order of the rulebook."""
    terms: list[Term] = [b.of for e in rules.edges.values() for b in e.bars]
    terms += [e.of for e in rules.entries]
    terms += [c.of for z in rules.zoc for c in z.cancelled_by]
    for s in (*rules.supply, *rules.statuses):
        terms += [s.of, *(x.of for x in s.all_sources), *(x.of for x in s.lines), *(x.of for x in s.always)]
    return list(dict.fromkeys(terms))


def _all_terms(rules: Rulebook) -> Iterator[Term]:
    """Yield every term that a tracer's own nation may matter to."""
    for edges in rules.edges.values():
        yield edges.spaces
        yield from (t for t in (edges.hub, edges.rim) if t is not None)
        for bar in edges.bars:
            yield from (t for t in (bar.at, bar.into, bar.out_of, bar.when) if t is not None)
    for entry in rules.entries:
        yield from (t for t in (entry.only, entry.never, entry.when) if t is not None)
    for zoc in rules.zoc:
        yield from (n.of for n in zoc.negated_by)
        yield from (c.by for c in zoc.cancelled_by)
    for supply in (*rules.supply, *rules.statuses):
        yield supply.through
        for source in supply.all_sources:
            yield from (source.where, source.when)
            if source.joined is not None:
                yield from (source.joined.to, source.joined.within)
        for line in supply.lines:
            yield line.when
            yield from (stage.begins for stage in line.stages)
        for always in supply.always:
            yield from (always.where, always.when)
    for attrition in rules.attrition:
        yield from (t for t in (attrition.spared,) if t is not None)
