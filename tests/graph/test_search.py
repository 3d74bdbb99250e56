"""The staged search against brute force, and its witness paths."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from toolchain.graph.search import Arcs, Hub, Stretch, search, spread


@st.composite
def problems(draw):
    size = draw(st.integers(1, 9))
    space = st.integers(0, size - 1)
    pairs = draw(st.lists(st.tuples(space, space).filter(lambda p: p[0] != p[1]), max_size=24, unique=True))
    stretches = []
    for _ in range(draw(st.integers(1, 3))):
        usable = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
        groups = draw(st.lists(st.sets(space, min_size=2, max_size=4), max_size=2)) if size > 1 else []
        at_most = draw(st.one_of(st.none(), st.integers(0, 3)))
        rims = [draw(st.none() | st.sets(space, min_size=1, max_size=4)) for _ in groups]
        hubs = tuple(
            Hub(*(np.array(sorted(s), dtype=np.int64) for s in (g, rim) if s is not None))
            for g, rim in zip(groups, rims, strict=True)
        )
        kinds = []
        for _ in range(draw(st.integers(0, 2))):  # kinds of edge that are bounded apart
            own = draw(st.lists(st.booleans(), min_size=len(pairs), max_size=len(pairs)))
            kinds.append(Stretch(np.array(own, dtype=bool), hubs[:1], draw(st.integers(0, 2))))
        free = draw(st.booleans())
        begins = draw(st.none() | st.lists(st.booleans(), min_size=size, max_size=size))
        gate = None if begins is None else np.array(begins, dtype=bool)
        stretches.append(Stretch(np.array(usable, dtype=bool), hubs[len(kinds) :], at_most, free, tuple(kinds), gate))
    masks = st.lists(st.booleans(), min_size=size, max_size=size)
    sources, open_ = np.array(draw(masks), dtype=bool), np.array(draw(masks), dtype=bool)
    tail = np.array([a for a, _ in pairs], dtype=np.int64)
    head = np.array([b for _, b in pairs], dtype=np.int64)
    return Arcs(size, tail, head), sources, stretches, open_


def steps(arcs, stretch, space):
    """All spaces one step from this one in a stage."""
    out = {int(arcs.head[i]) for i in range(len(arcs.tail)) if arcs.tail[i] == space and stretch.usable[i]}
    for hub in stretch.hubs:
        if space in hub.members:
            out |= {int(m) for m in hub.entered} - {space}
    return out


def brute(arcs, sources, stretches, open_, begin):
    """Walk forward from one space through every state (stage, steps taken in it, space)."""
    seen = {(0, 0, (), begin)}
    queue = deque(seen)
    while queue:
        stage, taken, used, space = queue.popleft()
        if stage == len(stretches):
            if sources[space]:
                return True
            continue
        free, gate = stretches[stage].free, stretches[stage].begins
        if not taken and gate is not None and not gate[space]:
            continue
        # A stretch reaches beyond the line: its own spaces may be closed, but where it meets the line that is open.
        following = [] if free and taken and not open_[space] else [(stage + 1, 0, (), space)]
        cap = stretches[stage].at_most
        if taken < (arcs.size if cap is None else cap):
            ways = [(used, s) for s in steps(arcs, stretches[stage], space)]
            for n, kind in enumerate(stretches[stage].kinds):
                if used.count(n) < kind.at_most:
                    ways += [(tuple(sorted((*used, n))), s) for s in steps(arcs, kind, space)]
            following += [(stage, taken + 1, now, s) for now, s in ways if free or open_[s]]
        for state in following:
            if state not in seen:
                seen.add(state)
                queue.append(state)
    return False


@settings(max_examples=300, deadline=None)
@given(problems())
def test_search_equals_brute_force_and_its_paths_are_lines(problem):
    arcs, sources, stretches, open_ = problem
    reach = search(arcs, sources, stretches, open_)
    for space in range(arcs.size):
        assert reach.reached[space] == brute(arcs, sources, stretches, open_, space)
        if not reach.reached[space]:
            continue
        at, last, taken = space, 0, [0] * len(stretches)
        for stage, following in reach.path(space):
            joined = (stretches[stage], *stretches[stage].kinds)
            assert stage >= last and any(following in steps(arcs, kind, at) for kind in joined)
            assert open_[following] or stretches[stage].free
            taken[stage] += 1
            at, last = following, stage
        assert sources[at]
        path = reach.path(space)
        for number, stretch in enumerate(stretches):
            begun = [space, *(s for stage, s in path if stage < number)][-1]
            assert stretch.begins is None or stretch.begins[begun]
        assert all(s.at_most is None or n <= s.at_most for n, s in zip(taken, stretches, strict=True))


def reordered(stretch, order):
    kinds = tuple(reordered(k, order) for k in stretch.kinds)
    return replace(stretch, usable=stretch.usable[order], hubs=tuple(reversed(stretch.hubs)), kinds=kinds)


@settings(max_examples=100, deadline=None)
@given(problems(), st.randoms(use_true_random=False))
def test_order_of_arcs_does_not_matter(problem, random):
    arcs, sources, stretches, open_ = problem
    order = np.array(random.sample(range(len(arcs.tail)), len(arcs.tail)), dtype=np.int64)
    turned = Arcs(arcs.size, arcs.tail[order], arcs.head[order])
    again = [reordered(s, order) for s in stretches]
    first, second = search(arcs, sources, stretches, open_), search(turned, sources, again, open_)
    for a, b in zip(first.hops + first.following, second.hops + second.following, strict=True):
        assert (a == b).all()


@settings(max_examples=100, deadline=None)
@given(problems())
def test_spread_finds_a_stop_for_every_stranded_space_that_has_a_way_on(problem):
    arcs, sources, stretches, open_ = problem
    reach = search(arcs, sources, stretches, open_)
    everywhere = search(arcs, sources, stretches, np.ones(arcs.size, dtype=bool))
    uncapped = [Stretch(np.any([s.usable, *(k.usable for k in s.kinds)], axis=0), (), None) for s in stretches]
    for space in np.flatnonzero(~reach.reached & everywhere.reached):
        begin = np.zeros(arcs.size, dtype=bool)
        begin[space] = True
        got, stopped = spread(arcs, begin, uncapped, open_)
        assert got[space] and not (got & stopped).any() and not (stopped & open_).any()


def chain(n: int) -> Arcs:
    """Make a path of n spaces, passable both ways."""
    left = np.arange(n - 1)
    return Arcs(n, np.concatenate([left, left + 1]), np.concatenate([left + 1, left]))


def test_a_cap_bounds_a_stage_and_a_closed_space_stops_it():
    arcs, every = chain(6), np.ones(6, dtype=bool)
    sources = np.arange(6) == 0
    use = np.ones(len(arcs.tail), dtype=bool)
    assert search(arcs, sources, [Stretch(use, at_most=3)], every).reached.tolist() == [True] * 4 + [False] * 2
    shut = every.copy()
    shut[2] = False
    # The unit's own space need not be open, those beyond it are cut off.
    assert search(arcs, sources, [Stretch(use)], shut).reached.tolist() == [True] * 3 + [False] * 3
    got, stopped = spread(arcs, np.arange(6) == 4, [Stretch(use)], shut)
    assert np.flatnonzero(got).tolist() == [3, 4, 5] and np.flatnonzero(stopped).tolist() == [2]


def test_a_line_may_have_no_stage_and_a_stage_no_step():
    arcs = chain(3)
    sources = np.arange(3) == 1
    every = np.ones(3, dtype=bool)
    assert search(arcs, sources, [], every).reached.tolist() == [False, True, False]
    none = Stretch(np.zeros(len(arcs.tail), dtype=bool))
    one = Stretch(np.ones(len(arcs.tail), dtype=bool), at_most=1)
    assert search(arcs, sources, [none, one, none], every).path(1) == []
    assert search(arcs, sources, [one], every).path(0) == [(0, 1)]


def test_of_several_ways_on_the_one_with_the_fewest_steps_left_is_taken():
    # Space 0 is a port, and so are 1 and 2: from 1 it is three steps overland to the source 5, from 2 only one.
    ways = [(1, 3), (3, 4), (4, 5), (2, 5)]
    both = ways + [(b, a) for a, b in ways]
    arcs = Arcs(6, np.array([a for a, _ in both]), np.array([b for _, b in both]))
    open_ = np.ones(6, dtype=bool)
    sources = np.arange(6) == 5
    by_sea = Stretch(np.zeros(len(both), dtype=bool), (Hub(np.array([0, 1, 2])),), 1)
    reach = search(arcs, sources, [by_sea, Stretch(np.ones(len(both), dtype=bool))], open_)
    assert [space for _, space in reach.path(0)] == [2, 5]


def test_of_kinds_that_alternate_each_may_have_its_own_bound():
    # Two kinds by turns along a chain: 0-1 rail, 1-2 sea, 2-3 rail, 3-4 sea, 4-5 rail.
    arcs = chain(6)
    sources, every = np.arange(6) == 0, np.ones(6, dtype=bool)
    sea = np.minimum(arcs.tail, arcs.head) % 2 == 1
    for most, reached in ((0, 2), (1, 4), (2, 6)):
        stage = Stretch(~sea, kinds=(Stretch(sea, at_most=most),))
        reach = search(arcs, sources, [stage], every)
        assert reach.reached.tolist() == [n < reached for n in range(6)]
        got, _ = spread(arcs, np.arange(6) == 5, [stage], every)
        assert np.flatnonzero(got).tolist() == [n for n in range(6) if n > 3 - 2 * most]
    assert [space for _, space in reach.path(5)] == [4, 3, 2, 1, 0]
    both = Stretch(~sea, at_most=4, kinds=(Stretch(sea, at_most=2),))
    assert not search(arcs, sources, [both], every).reached[5], "the bound of all kinds together holds too"
