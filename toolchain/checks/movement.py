"""Where a unit can move: the spaces in reach with their cost, and the cheapest way to each.

A search of cheapest paths (Dijkstra) over what the rules let the unit use. Zones of control act as the rules say of
them: a space under an enemy zone may end the move, and the way from one such space straight to another may be closed.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from toolchain.checks.judge import Verdict
from toolchain.checks.layout import OFF
from toolchain.graph.search import Bools
from toolchain.model.rulebook import Effect, Movement, StepCost
from toolchain.model.terms import View

MOVEMENT = "movement"
"""The purpose for which a zone of control may be negated, beside supply and retreat."""
STOP, FORBIDDEN = "stop", "forbidden"
NOWHERE = -1
Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Reachable:
    """Where a piece can move. rule: its movement rule, None when no rule lets it move. points: None for no end.

    cost: of the cheapest way to each space, infinite where there is none, shape (spaces,). last: the space before it on
    that way; before: likewise on the cheapest way after which the piece may go on; NOWHERE for where it stands. ends:
    spaces that end the move of a piece that enters them, or that enters them by the cheapest way.
    """

    piece: str
    start: int
    keys: tuple[str, ...]
    rule: Movement | None
    points: float | None
    cost: Floats
    before: NDArray[np.int64]
    last: NDArray[np.int64]
    ends: Bools

    @cached_property
    def spaces(self) -> tuple[str, ...]:
        """The keys of the spaces in reach, the cheapest first, then in the order of the map; where it stands is not."""
        found = [i for i in np.flatnonzero(np.isfinite(self.cost)).tolist() if i != self.start]
        return tuple(self.keys[i] for i in sorted(found, key=lambda i: (self.cost[i], i)))

    def cost_of(self, space: str) -> float | None:
        """Return what the cheapest way to a space costs, None when it is out of reach."""
        cost = float(self.cost[self.keys.index(space)])
        return cost if np.isfinite(cost) else None

    def path(self, space: str) -> tuple[str, ...]:
        """Return the cheapest way to a space in reach, from where the piece stands; empty when it is out of reach."""
        at = self.keys.index(space)
        if not np.isfinite(self.cost[at]):
            return ()
        if self.last[at] == NOWHERE:
            return (space,)
        way = [at, int(self.last[at])]
        while self.before[way[-1]] != NOWHERE:
            way.append(int(self.before[way[-1]]))
        return tuple(self.keys[i] for i in reversed(way))


def find_reachable(
    verdict: Verdict, piece: str, *, start: str = "", points: float | None = None, moves: bool = False, kind: str = ""
) -> Reachable:
    """Find where a piece can move.

    piece: its id in the position. start: the space it moves from, where it stands by default. points: instead of what
    its rule gives it. moves: in any number of moves, so that neither points nor spaces that end a move hold it up.
    kind: of move; its rule is the first for such moves, "" for the first of all.
    Raises KeyError for an unknown piece or space.
    """
    layout, board = verdict.layout, verdict.board
    row = verdict.row_of[piece]
    at = board.index[start] if start else int(layout.at[row])
    keys = tuple(s.key for s in board.map.spaces)
    # Of a step that ends the move the cost is kept apart: the space may be reached by another, to go on from there.
    cost, ended = np.full(board.size, np.inf), np.full(board.size, np.inf)
    before, last = (np.full(board.size, NOWHERE, dtype=np.int64) for _ in range(2))
    cost[at] = 0.0
    rules = [m for m in verdict.rules.movement if not kind or kind in m.moves]
    rule = next((m for m in rules if layout.counted(m.of)[row]), None)
    number = int(verdict.ways.tracer_of[row])
    if rule is None or number == OFF:
        return Reachable(piece, at, keys, None, None, cost, before, last, np.zeros(board.size, dtype=bool))
    points = _points(verdict, rule, row) if points is None else points
    tracer = verdict.ways.tracers[number]
    zones = verdict.against(verdict.bounds[0].zones, tracer.view, MOVEMENT)
    ends = _ends(verdict, rule, row, tracer.view, zones)
    arcs = board.arcs
    usable = verdict.ways.usable(rule.over, tracer) & verdict.ways.legal[number][arcs.head]
    none = np.zeros(board.size, dtype=bool)
    apart = zones if _effect(verdict, "from_zone_to_zone", row) == FORBIDDEN else none
    held = zones if _effect(verdict, "leave", row) == STOP else none
    usable &= ~(apart[arcs.tail] & apart[arcs.head]) & ~held[arcs.tail]
    steps, stops = _step_costs(verdict, rule, row, tracer.view, zones)
    order, first = arcs.out_of
    # Between the members of a hub a step costs what the rule says of any step; bars of hubs were weighed already.
    beside: dict[int, list[tuple[int, float, bool]]] = defaultdict(list)
    for hub in verdict.ways.hubs(rule.over, tracer):
        steps_to = [(m, rule.cost, False) for m in hub.entered.tolist() if verdict.ways.legal[number][m]]
        for member in hub.members.tolist():
            beside[member] += steps_to
    limit = np.inf if points is None or moves else points + 1e-9
    queue = [(0.0, at)]
    while queue:
        spent, space = heapq.heappop(queue)
        if spent > cost[space] or (ends[space] and space != at and not moves):
            continue
        out = [arc for arc in order[first[space] : first[space + 1]].tolist() if usable[arc]]
        ways = [(int(arcs.head[arc]), float(steps[arc]), bool(stops[arc])) for arc in out]
        hops = () if held[space] else [x for x in beside.get(space, ()) if not (apart[space] and apart[x[0]])]
        for head, step, stop in (*ways, *hops):
            total = spent + step
            known, came = (ended, last) if stop and not moves else (cost, before)
            # Of ways that cost the same the one over the space of the lowest number is kept, whatever the order.
            if total <= limit and (total < known[head] or (total == known[head] and space < came[head])):
                if total < known[head] and known is cost:
                    heapq.heappush(queue, (total, head))
                known[head], came[head] = total, space
    final = ended < cost
    last = np.where(final, last, before)
    left = None if points is None else float(points)
    return Reachable(piece, at, keys, rule, left, np.minimum(cost, ended), before, last, ends | final)


def _points(verdict: Verdict, rule: Movement, row: int) -> float | None:
    if not isinstance(rule.points, str):
        return rule.points
    points = float(verdict.layout.numbers(rule.points)[row])
    return points if np.isfinite(points) else 0.0


def _effect(verdict: Verdict, name: str, row: int) -> float | str | None:
    """Return what enemy zones of control do to a piece: the first word that a rule says of it."""
    found = find_effect(verdict, name, row)
    return None if found is None else getattr(found, name)


def find_effect(verdict: Verdict, name: str, row: int, kind: str = "") -> Effect | None:
    """Return the first effect of zones that says something of this name to a piece. kind: of moves; empty, of any."""
    effects = (e for zoc in verdict.rules.zoc for e in zoc.effects)
    said = (e for e in effects if getattr(e, name) is not None and (not kind or kind in e.moves))
    return next((e for e in said if verdict.layout.pieces_of(e.of)[row]), None)


def _ends(verdict: Verdict, rule: Movement, row: int, view: View, zones: Bools) -> Bools:
    ends = zones.copy() if _effect(verdict, "enter", row) == STOP else np.zeros(verdict.board.size, dtype=bool)
    if rule.stops is not None:
        ends |= verdict.layout.spaces_of(rule.stops, view)
    return ends


def _step_costs(verdict: Verdict, rule: Movement, row: int, view: View, zones: Bools) -> tuple[Floats, Bools]:
    """Return the cost of every arc for a piece, and which arcs end its move, each of shape (arcs,)."""
    arcs = verdict.board.arcs
    out = np.full(len(arcs.tail), float(rule.cost))
    set_already = np.zeros(len(arcs.tail), dtype=bool)
    more = np.zeros(len(arcs.tail))
    stops, said = np.zeros(len(arcs.tail), dtype=bool), np.zeros(len(arcs.tail), dtype=bool)
    for each in rule.costs:
        if not verdict.layout.pieces_of(each.of)[row] or not verdict.layout.holds(each.when, view):
            continue
        mask = _steps_of(verdict, each, view, zones)
        if each.points is not None:
            out[mask & ~set_already] = each.points
            set_already |= mask
        more[mask] += each.more or 0.0
        if each.ends is not None:
            stops |= mask & ~said & each.ends
            said |= mask
    for name, mask in (
        ("enter", zones[arcs.head]),
        ("leave", zones[arcs.tail]),
        ("from_zone_to_zone", zones[arcs.tail] & zones[arcs.head]),
    ):
        points = _effect(verdict, name, row)
        more[mask] += points if isinstance(points, float | int) else 0.0
    return np.asarray(out + more), stops


def _steps_of(verdict: Verdict, each: StepCost, view: View, zones: Bools) -> Bools:
    board, arcs = verdict.board, verdict.board.arcs
    mask = np.ones(len(arcs.tail), dtype=bool)
    if each.hexsides:
        mask &= np.any([board.arcs_joined(f"hexside.{k}") for k in each.hexsides], axis=0)
    if each.links:
        mask &= np.any([board.arcs_joined(f"link.{k}") for k in each.links], axis=0)
    if each.into is not None:
        mask &= verdict.layout.spaces_of(each.into, view)[arcs.head]
    if each.out_of is not None:
        mask &= verdict.layout.spaces_of(each.out_of, view)[arcs.tail]
    if each.in_zone is not None:
        mask &= zones[arcs.head] == each.in_zone
    if each.out_of_zone is not None:
        mask &= zones[arcs.tail] == each.out_of_zone
    return mask
