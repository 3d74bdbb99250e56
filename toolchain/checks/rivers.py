"""Do rivers run from somewhere to somewhere: breaks, rivers that end in nothing, and which way they flow.

Rivers are the kinds of hexside that the legend calls so (`river = true` in map.toml). All of them are one network, so
that a stream may end in a great river of another kind. Their flow is looked at where map.toml states `flow`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import networkx as nx

from toolchain.catalogue import (
    RIVER_ENDS_IN_NOTHING,
    RIVER_FLOWS_NOWHERE,
    RIVER_FLOWS_OUT,
    RIVER_GAP,
    RIVER_WITHOUT_FLOW,
)
from toolchain.checks.drawn import at_side, listed, middle, millimetres, side_name
from toolchain.model.drawing import LineEnd
from toolchain.model.warmap import Hexside, Point, WarMap
from toolchain.report import Finding, counted

# A break of so many hexsides is a slip of the pen; a longer one is the end of a river.
GAP = 2


@dataclass(frozen=True)
class Rivers:
    """The rivers of a map as a network of corners. all: every hexside; rivers: those that a river follows.

    open: corners where a river may end: at water, and at the rim of the map.
    """

    all: nx.Graph
    rivers: nx.Graph
    open: frozenset[Point]

    def side(self, corner: Point) -> Hexside:
        """Return the river side at a loose end."""
        side: Hexside = next(iter(self.rivers[corner].values()))["side"]
        return side

    def title(self, side: Hexside) -> str:
        """Return a river in words."""
        return f"the {side.name}" if side.name else f"the {_kind(self, side)}"


def _kind(rivers: Rivers, side: Hexside) -> str:
    kinds: list[str] = rivers.rivers.graph["kinds"]
    return next(k for k in kinds if k in side.kinds)


def build_rivers(warmap: WarMap, trait: str = "river", ends: Sequence[LineEnd] = ()) -> Rivers:
    """Build the network of a map's rivers: of the kinds of hexside that have this trait in the legend.

    ends: of the lines that were drawn; they may reach water that no hex and no side shows.
    """
    kinds = [e.name for e in warmap.legend if e.kind == "hexside" and e.traits.get(trait) == "yes"]
    lakes = {e.name for e in warmap.legend if e.kind == "terrain" and e.traits.get("water") == "yes"}
    wet = {e.name for e in warmap.legend if e.kind == "hexside" and e.traits.get("water") == "yes"}
    whole, rivers = nx.Graph(), nx.Graph(kinds=kinds)
    if not kinds:
        return Rivers(whole, rivers, frozenset())
    watery = {s.key for s in warmap.spaces if s.terrain in lakes or any(s.shares.get(name, 0.0) > 0 for name in lakes)}
    open_: set[Point] = set()
    for side in warmap.hexsides:
        whole.add_edge(*side.ends, side=side)
        if side.kinds.intersection(kinds):
            rivers.add_edge(*side.ends, side=side)
        if side.kinds & wet or side.a in watery or side.b in watery:
            open_.update(side.ends)
    open_.update(corner for corner, degree in whole.degree if degree < 3)
    open_.update(e.corner for e in ends if e.corner is not None and e.reached in ("water", "rim"))
    return Rivers(whole, rivers, frozenset(open_))


def check_rivers(warmap: WarMap, ends: Sequence[LineEnd] = ()) -> Iterator[Finding]:
    """Find breaks in rivers, rivers that reach neither water nor the rim of the map, and rivers that flow to nothing.

    ends: of the lines that were drawn; what is found at one is said to lie where it was drawn.
    """
    net = build_rivers(warmap, "river", ends)
    tips = {e.corner: e for e in reversed(ends) if e.corner is not None and not e.reached}
    order = {corner: i for i, corner in enumerate(net.all)}
    parts = [sorted(c, key=order.__getitem__) for c in nx.connected_components(net.rivers)]
    part = {corner: i for i, corners in enumerate(parts) for corner in corners}
    loose = [c for c in net.rivers if net.rivers.degree[c] == 1 and c not in net.open]
    broken: set[int] = set()
    broken_at: set[Point] = set()
    for n, start in enumerate(loose):
        near = nx.single_source_shortest_path(net.all, start, cutoff=GAP)
        for end in loose[n + 1 :]:
            a, b = net.side(start), net.side(end)
            if end not in near or (part[start] == part[end] and (not a.name or a.name != b.name)):
                continue
            if _rises(a, start) and _rises(b, end):
                continue  # two springs, one on each side of a watershed
            missing = [net.all.edges[pair]["side"] for pair in zip(near[end], near[end][1:], strict=False)]
            if any(net.rivers.has_edge(*side.ends) for side in missing):
                continue
            broken |= {part[start], part[end]}
            where = middle(missing[0])
            broken_at |= {start, end}
            text = (
                f"{net.title(a)} is broken off by {counted(len(missing), 'hexside')} near "
                f"{millimetres(where)}: {listed([side_name(s) for s in missing])} should be {_kind(net, a)}"
            )
            facts = {"kind": _kind(net, a), "at": list(where), "sides": [[s.a, s.b] for s in missing]}
            yield Finding(RIVER_GAP, at_side(warmap, missing[0]), text, facts)
    for i, corners in enumerate(parts):
        if net.open.intersection(corners):
            for corner in corners:
                side = net.side(corner)
                if corner in broken_at or corner not in loose or not side.flows or _rises(side, corner):
                    continue
                tip = tips.get(corner)
                at, where_ = (corner, at_side(warmap, side)) if tip is None else (tip.at, tip.where)
                text = f"{net.title(side)} flows to {millimetres(at)} and no further"
                facts = {"kind": _kind(net, side), "at": list(at), "sides": [[side.a, side.b]]}
                yield Finding(RIVER_FLOWS_OUT, replace(where_, space=side_name(side)), text, facts)
            continue
        if i in broken:
            continue
        sides = [data["side"] for _, _, data in net.rivers.subgraph(corners).edges(data=True)]
        side = min(sides, key=lambda s: min(order[c] for c in s.ends))
        where = middle(side)
        count = counted(len(sides), "hexside")
        text = f"{net.title(side)}, {count} from {millimetres(where)}, reaches neither water nor the edge of the map"
        facts = {"kind": _kind(net, side), "at": list(where), "sides": [[s.a, s.b] for s in sides]}
        yield Finding(RIVER_ENDS_IN_NOTHING, at_side(warmap, side), text, facts)


def _rises(side: Hexside, corner: Point) -> bool:
    """Tell whether a river is known to flow away from a corner where it begins."""
    return side.flows and side.ends[0] == corner


def check_flow(warmap: WarMap) -> Iterator[Finding]:
    """Find rivers of which nobody can tell which way they flow, and corners into which they flow from all sides."""
    net = build_rivers(warmap, "flow")
    order = {corner: i for i, corner in enumerate(net.all)}
    still = nx.Graph([e for e in net.rivers.edges(data=True) if not e[2]["side"].flows])
    for corners in sorted(nx.connected_components(still), key=lambda c: min(map(order.__getitem__, c))):
        sides = [data["side"] for _, _, data in still.subgraph(corners).edges(data=True)]
        side = min(sides, key=lambda s: min(order[c] for c in s.ends))
        where = middle(side)
        count = counted(len(sides), "hexside")
        text = f"which way {net.title(side)} flows is not known, {count} from {millimetres(where)}"
        facts = {"kind": _kind(net, side), "at": list(where), "sides": [[s.a, s.b] for s in sides]}
        yield Finding(RIVER_WITHOUT_FLOW, at_side(warmap, side), text, facts)
    for corner in net.rivers:
        sides = [data["side"] for _, _, data in net.rivers.edges(corner, data=True)]
        if corner in net.open or len(sides) < 2 or not all(s.flows and s.ends[1] == corner for s in sides):
            continue
        names = listed(list(dict.fromkeys(net.title(s) for s in sides)))
        text = f"at {millimetres(corner)} water flows in from all sides and none out: {names}"
        facts = {"kind": _kind(net, sides[0]), "at": list(corner), "sides": [[s.a, s.b] for s in sides]}
        yield Finding(RIVER_FLOWS_NOWHERE, at_side(warmap, sides[0]), text, facts)
