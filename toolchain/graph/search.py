"""Compact graphs and the staged search for supply lines, on integer and boolean arrays.

A line is a chain of stages, read from the unit outward. Each stage may use some of the arcs and some hubs, for at most
so many steps, and may have no step at all. The search runs backward from all sources at once, the last stage first, so
that its cost does not depend on how many units ask. Where several spaces would do as the next one, the one with the
fewest steps left in all is taken, of those the one of the lowest number: a line is no longer than it need be, and the
answer never depends on the order of the input.

Where a stage bounds some of its kinds of edge apart, it is searched on layers: one copy of the graph for each number of
bounded steps taken so far, so that a step of such a kind leads from one layer to the next.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

UNREACHED = -1


@dataclass(frozen=True, eq=False)
class Arcs:
    """All directed ways between spaces 0 to size - 1. tail, head: shape (arcs,); an arc leads from tail to head."""

    size: int
    tail: Ints
    head: Ints

    @cached_property
    def turned(self) -> Arcs:
        """Every arc the other way round, in the same order."""
        return Arcs(self.size, self.head, self.tail)

    @cached_property
    def into(self) -> tuple[Ints, Ints]:
        """Arcs by head: order, shape (arcs,), and where those of each space start, shape (size + 1,)."""
        return _group(self.head, self.tail, self.size)

    @cached_property
    def out_of(self) -> tuple[Ints, Ints]:
        """Arcs by tail, likewise."""
        return _group(self.tail, self.head, self.size)


def _group(key: Ints, then: Ints, size: int) -> tuple[Ints, Ints]:
    order = np.lexsort((then, key))
    start = np.zeros(size + 1, dtype=np.int64)
    np.cumsum(np.bincount(key, minlength=size), out=start[1:])
    return order, start


@dataclass(frozen=True, eq=False)
class Hub:
    """Spaces that are all one step apart: one group of ports on one sea. members: ascending, shape (n,).

    heads: the spaces entered, where they are not the members themselves.
    """

    members: Ints
    heads: Ints | None = None

    @property
    def entered(self) -> Ints:
        """The spaces that a step over the hub enters."""
        return self.members if self.heads is None else self.heads


@dataclass(frozen=True, eq=False)
class Stretch:
    """One stage as arrays. usable: arcs that it may use, shape (arcs,). at_most: steps, None for any number.

    free: the spaces of this stage need not be open; where it meets the next one the line must be. kinds: kinds of edge
    that are bounded apart, each with its own arcs, hubs and number of steps; they are no part of `usable` and `hubs`.
    begins: spaces in which the stage may begin, shape (size,); None for any.
    """

    usable: Bools
    hubs: tuple[Hub, ...] = ()
    at_most: int | None = None
    free: bool = False
    kinds: tuple[Stretch, ...] = ()
    begins: Bools | None = None

    @property
    def unbounded(self) -> Stretch:
        """The same stage, of as many steps as one likes."""
        usable = np.any([self.usable, *(kind.usable for kind in self.kinds)], axis=0)
        hubs = (*self.hubs, *(hub for kind in self.kinds for hub in kind.hubs))
        return Stretch(usable, hubs, free=self.free, begins=self.begins)

    def layers(self, arcs: Arcs) -> tuple[Arcs, Stretch, int]:
        """Return the layered graph of the stage, the stage on it, and the number of layers.

        Space s of layer n is n * size + s. The first layer is where nothing of the bounded kinds may be used any more.
        """
        size, count = arcs.size, math.prod((s.at_most or 0) + 1 for s in self.kinds)
        plain = np.flatnonzero(self.usable)
        tails, heads, hubs, stride = list[Ints](), list[Ints](), list[Hub](), 1
        for n in range(count):
            tails.append(arcs.tail[plain] + n * size)
            heads.append(arcs.head[plain] + n * size)
            hubs += [Hub(hub.members + n * size, hub.entered + n * size) for hub in self.hubs]
        for kind in self.kinds:
            most = kind.at_most or 0
            own = np.flatnonzero(kind.usable)
            for n in range(count):
                if n // stride % (most + 1) < most:
                    tails.append(arcs.tail[own] + (n + stride) * size)
                    heads.append(arcs.head[own] + n * size)
                    hubs += [Hub(hub.members + (n + stride) * size, hub.entered + n * size) for hub in kind.hubs]
            stride *= most + 1
        wide = Arcs(size * count, np.concatenate(tails), np.concatenate(heads))
        every = np.ones(len(wide.tail), dtype=bool)
        return wide, Stretch(every, tuple(hubs), self.at_most, self.free), count


@dataclass(frozen=True, eq=False)
class Reach:
    """What a staged search found: one array for each stage.

    hops: steps left in the stage, 0 where the stage has none, UNREACHED where it does not begin, shape (size,).
    following: the next space of the stage, or UNREACHED where the stage has no step from there, shape (size,); of a
    stage on layers the next space in its layer, shape (layers * size,), and `entry`, for each space, where it begins
    there, shape (size,).
    """

    hops: tuple[Ints, ...]
    following: tuple[Ints, ...]
    sources: Bools = field(repr=False)
    entry: tuple[Ints | None, ...] = ()

    @property
    def reached(self) -> Bools:
        """Spaces from which a line leads to a source, shape (size,)."""
        return np.asarray(self.hops[0] >= 0) if self.hops else self.sources

    def path(self, space: int) -> list[tuple[int, int]]:
        """Return the line from a reached space as (stage, space) after each step; the space itself is not listed."""
        steps = []
        size = len(self.sources)
        for stage, following in enumerate(self.following):
            entry = self.entry[stage]
            at = space if entry is None else int(entry[space])
            while following[at] != UNREACHED:
                at = int(following[at])
                space = at % size
                steps.append((stage, space))
        return steps


def search(arcs: Arcs, sources: Bools, stretches: Sequence[Stretch], open_: Bools) -> Reach:
    """Find every space from which a line leads to a source.

    arcs: the graph. sources: where lines end, shape (size,). stretches: the stages, from the unit outward. open_:
    spaces that a line may enter; the one where it begins need not be open. Returns a Reach; time grows with the arcs
    and the stages, not with the number of units.
    """
    hops: list[Ints] = []
    following: list[Ints] = []
    entry: list[Ints | None] = []
    reached = sources
    left = np.zeros(arcs.size, dtype=np.int64)
    for stretch in reversed(stretches):
        if stretch.kinds:
            h, f, begin = _widen_layers(arcs, reached, stretch, open_, left)
        else:
            (h, f), begin = _widen(arcs, reached, stretch, open_, left), None
        if stretch.begins is not None:
            h = np.where(stretch.begins, h, UNREACHED)
        hops.append(h)
        following.append(f)
        entry.append(begin)
        reached = h >= 0
    return Reach(tuple(reversed(hops)), tuple(reversed(following)), sources, tuple(reversed(entry)))


def _widen_layers(arcs: Arcs, ends: Bools, stretch: Stretch, open_: Bools, left: Ints) -> tuple[Ints, Ints, Ints]:
    """Search one stage on its layers. Returns hops, following and entry; see Reach."""
    wide, plain, count = stretch.layers(arcs)
    first = np.zeros(wide.size, dtype=bool)
    first[: arcs.size] = ends
    far = np.tile(left, count)
    hops, following = _widen(wide, first, plain, np.tile(open_, count), far)
    # Of the layers the one with the fewest steps left in all, then the lowest.
    cost = np.where(hops >= 0, far, np.iinfo(np.int64).max).reshape(count, arcs.size)
    entry = cost.argmin(axis=0) * arcs.size + np.arange(arcs.size)
    left[:] = np.where(hops[entry] >= 0, far[entry], left)
    return hops[entry], following, entry


def _widen(arcs: Arcs, ends: Bools, stretch: Stretch, open_: Bools, left: Ints) -> tuple[Ints, Ints]:
    """Search one stage backward from its ends, a level at a time.

    left: steps from each end to the source over the later stages; here those of this stage are added to it.
    """
    order, start = arcs.into
    hops = np.where(ends, 0, UNREACHED).astype(np.int64)
    following = np.full(arcs.size, UNREACHED, dtype=np.int64)
    hubs = list(stretch.hubs)
    front = np.flatnonzero(ends & open_)
    # A free stretch may pass through an end that is closed, on its way to one that is open.
    passing = ends & ~open_ & stretch.free
    level = 0
    while len(front) and (stretch.at_most is None or level < stretch.at_most):
        level += 1
        via = order[_ranges(start, front)]
        via = via[stretch.usable[via]]
        found, then = [arcs.tail[via]], [arcs.head[via]]
        waiting = []
        for hub in hubs:  # a hub is passed once: all its members are then one step from the first that was reached
            entered = hub.entered[np.isin(hub.entered, front, assume_unique=True)]
            if len(entered):
                found.append(hub.members)
                then.append(np.full(len(hub.members), entered[np.argmin(left[entered])]))
            else:
                waiting.append(hub)
        hubs = waiting
        tails, heads = np.concatenate(found), np.concatenate(then)
        fresh = (hops[tails] == UNREACHED) | passing[tails]
        tails, heads = tails[fresh], heads[fresh]
        by = np.lexsort((heads, left[heads], tails))
        tails, heads = tails[by], heads[by]
        first = np.ones(len(tails), dtype=bool)
        first[1:] = tails[1:] != tails[:-1]
        tails, heads = tails[first], heads[first]
        hops[tails] = level
        following[tails] = heads
        left[tails] = left[heads] + 1
        passing[tails] = False
        front = tails if stretch.free else tails[open_[tails]]
    return hops, following


def spread(arcs: Arcs, begin: Bools, stretches: Sequence[Stretch], open_: Bools) -> tuple[Bools, Bools]:
    """Follow a line forward as far as it can go, to see where it stops.

    arcs, stretches, open_: as for `search`. begin: where it begins. Returns the spaces that it gets to, those where it
    begins included, and the closed spaces that stopped it over an arc, each of shape (size,). Closed members of a hub
    are left out: they are too many to tell anybody anything.
    """
    got, stopped = begin.copy(), np.zeros_like(begin)
    for stretch in stretches:
        here = got if stretch.begins is None else got & stretch.begins
        if stretch.kinds:
            wide, plain, count = stretch.layers(arcs)
            begins = np.zeros((count, arcs.size), dtype=bool)
            begins[-1] = here
            seen, shut = _spread_stage(wide, begins.ravel(), plain, np.tile(open_, count))
            seen, shut = (np.asarray(mask.reshape(count, -1).any(axis=0)) for mask in (seen, shut))
        else:
            seen, shut = _spread_stage(arcs, here, stretch, open_)
        stopped |= shut | (seen & ~open_ & ~got)
        got |= seen & open_ if stretch.free else seen
    return got, stopped & ~got


def _spread_stage(arcs: Arcs, got: Bools, stretch: Stretch, open_: Bools) -> tuple[Bools, Bools]:
    """Follow one stage forward. Returns the spaces that it gets to and the closed ones that stopped it."""
    order, start = arcs.out_of
    seen, stopped = got.copy(), np.zeros_like(got)
    hubs = list(stretch.hubs)
    front = np.flatnonzero(seen)
    level = 0
    while len(front) and (stretch.at_most is None or level < stretch.at_most):
        level += 1
        via = order[_ranges(start, front)]
        heads = arcs.head[via[stretch.usable[via]]]
        if stretch.free:
            heads = heads[~seen[heads]]
            seen[heads] = True
            front = np.unique(heads)
            continue
        stopped[heads[~open_[heads]]] = True
        entered = [hub for hub in hubs if np.isin(hub.members, front).any()]
        hubs = [hub for hub in hubs if hub not in entered]
        heads = np.concatenate([heads, *(hub.entered for hub in entered)])
        front = np.unique(heads[open_[heads] & ~seen[heads]])
        seen[front] = True
    return seen, stopped


def _ranges(start: Ints, spaces: Ints) -> Ints:
    """Join the ranges start[s] to start[s + 1] of the spaces into one array of places."""
    first, count = start[spaces], start[spaces + 1] - start[spaces]
    total = int(count.sum())
    if not total:
        return np.zeros(0, dtype=np.int64)
    ends = np.cumsum(count)
    return np.asarray(np.arange(total) + np.repeat(first - ends + count, count))
