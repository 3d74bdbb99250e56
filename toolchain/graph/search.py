"""Compact graphs and the staged search for supply lines, on integer and boolean arrays.

A line is a chain of stages, read from the unit outward. Each stage may use some of the arcs and some hubs, for at most
so many steps, and may have no step at all. The search runs backward from all sources at once, the last stage first, so
that its cost does not depend on how many units ask. Where several spaces would do as the next one, the one with the
fewest steps left in all is taken, of those the one of the lowest number: a line is no longer than it need be, and the
answer never depends on the order of the input.
"""

from __future__ import annotations

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
    """Spaces that are all one step apart: one group of ports on one sea. members: ascending, shape (n,)."""

    members: Ints


@dataclass(frozen=True, eq=False)
class Stretch:
    """One stage as arrays. usable: arcs that it may use, shape (arcs,). at_most: steps, None for any number.

    free: the spaces of this stage need not be open; where it meets the next one the line must be.
    """

    usable: Bools
    hubs: tuple[Hub, ...] = ()
    at_most: int | None = None
    free: bool = False


@dataclass(frozen=True, eq=False)
class Reach:
    """What a staged search found. hops, following: one array for each stage, shape (size,).

    hops: steps left in the stage, 0 where the stage has none, UNREACHED. following: the next space of the stage, or
    UNREACHED where the stage has no step from there.
    """

    hops: tuple[Ints, ...]
    following: tuple[Ints, ...]
    sources: Bools = field(repr=False)

    @property
    def reached(self) -> Bools:
        """Spaces from which a line leads to a source, shape (size,)."""
        return np.asarray(self.hops[0] >= 0) if self.hops else self.sources

    def path(self, space: int) -> list[tuple[int, int]]:
        """Return the line from a reached space as (stage, space) after each step; the space itself is not listed."""
        steps = []
        for stage, following in enumerate(self.following):
            while following[space] != UNREACHED:
                space = int(following[space])
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
    reached = sources
    left = np.zeros(arcs.size, dtype=np.int64)
    for stretch in reversed(stretches):
        h, f = _widen(arcs, reached, stretch, open_, left)
        hops.append(h)
        following.append(f)
        reached = h >= 0
    return Reach(tuple(reversed(hops)), tuple(reversed(following)), sources)


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
            entered = hub.members[np.isin(hub.members, front, assume_unique=True)]
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
    order, start = arcs.out_of
    got, stopped = begin.copy(), np.zeros_like(begin)
    for stretch in stretches:
        hubs = list(stretch.hubs)
        seen = got.copy()
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
            heads = np.concatenate([heads, *(hub.members for hub in entered)])
            front = np.unique(heads[open_[heads] & ~seen[heads]])
            seen[front] = True
        stopped |= seen & ~open_ & ~got
        got |= seen & open_ if stretch.free else seen
    return got, stopped & ~got


def _ranges(start: Ints, spaces: Ints) -> Ints:
    """Join the ranges start[s] to start[s + 1] of the spaces into one array of places."""
    first, count = start[spaces], start[spaces + 1] - start[spaces]
    total = int(count.sum())
    if not total:
        return np.zeros(0, dtype=np.int64)
    ends = np.cumsum(count)
    return np.asarray(np.arange(total) + np.repeat(first - ends + count, count))
