"""Do roads, railways and tracks lead somewhere: dead ends, and breaks of one hex.

They are the kinds of link that the legend calls a network (`network = true` in map.toml).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import networkx as nx

from toolchain.catalogue import DEAD_END, LINE_JOINS_NOTHING, ROAD_GAP
from toolchain.checks.drawn import at_space, millimetres
from toolchain.model.drawing import LineEnd
from toolchain.model.warmap import WarMap
from toolchain.report import Finding


def check_roads(warmap: WarMap, ends: Sequence[LineEnd] = ()) -> Iterator[Finding]:
    """Find dead ends and breaks of every network of links, and drawn lines that join nothing.

    ends: of the lines that were drawn; a dead end is said to lie where its line ends.

    A road may end in a place with a name or a feature, in a box, at the rim of the map, and where another kind of road
    goes on from its end. Two loose ends of one kind that are neighbours, or have one hex between them, are a break.
    """
    yield from _joining_nothing(warmap, ends)
    kinds = [e.name for e in warmap.legend if e.kind == "link" and e.traits.get("network") == "yes"]
    if not kinds:
        return
    tips = {(e.kind, e.space): e for e in reversed(ends) if e.space}
    graph = nx.Graph()
    graph.add_nodes_from(s.key for s in warmap.spaces)
    graph.add_edges_from((h.a, h.b) for h in warmap.hexsides)
    roads = {k: nx.Graph((x.a, x.b) for x in warmap.links if x.kind == k) for k in kinds}
    stubs = {k: [key for key in warmap.index if key in net and net.degree[key] == 1] for k, net in roads.items()}
    for kind, net in roads.items():
        loose = [k for k in stubs[kind] if _nothing_there(warmap, graph, k)]
        parts = {key: i for i, part in enumerate(nx.connected_components(net)) for key in part}
        broken: set[str] = set()
        for n, start in enumerate(loose):
            for end in loose[n + 1 :]:
                between = None if parts[start] == parts[end] else _between(graph, start, end, net)
                if between is None:
                    continue
                broken |= {start, end}
                space = warmap.by_key[between or start]
                text = f"the {kind} from {start} to {end} is broken off"
                text += f": {between} between them has none" if between else ": no link joins them"
                facts = {"kind": kind, "at": list(space.at), "spaces": [start, end]}
                yield Finding(ROAD_GAP, at_space(space), f"{text}, near {millimetres(space.at)}", facts)
        for key in loose:
            goes_on = any(key in stubs[other] for other in kinds if other != kind)
            if key not in broken and not goes_on:
                space, tip = warmap.by_key[key], tips.get((kind, key))
                at, where = (space.at, at_space(space)) if tip is None else (tip.at, replace(tip.where, space=key))
                text = f"the {kind} ends here, at {millimetres(at)}, where nothing is"
                yield Finding(DEAD_END, where, text, {"kind": kind, "at": list(at)})


def _joining_nothing(warmap: WarMap, ends: Sequence[LineEnd]) -> Iterator[Finding]:
    """Find lines that stay within a hex where nothing of their kind joins it to others."""
    joined = {(x.kind, key) for x in warmap.links for key in (x.a, x.b)}
    kinds = warmap.legend_names("link")
    roads = [e for e in ends if e.kind in kinds]
    for start, end in zip(roads[::2], roads[1::2], strict=True):
        if start.space and start.space == end.space and (start.kind, start.space) not in joined:
            text = f"the {start.kind} from {millimetres(start.at)} to {millimetres(end.at)} joins nothing"
            text += f": all of it is in {start.space}"
            facts = {"kind": start.kind, "at": list(start.at)}
            yield Finding(LINE_JOINS_NOTHING, replace(start.where, space=start.space), text, facts)


def _nothing_there(warmap: WarMap, graph: nx.Graph, key: str) -> bool:
    space = warmap.by_key[key]
    return space.kind == "hex" and not space.name and not space.features and graph.degree[key] == 6


def _between(graph: nx.Graph, start: str, end: str, net: nx.Graph) -> str | None:
    """Return the hex between two loose ends, an empty string when they are neighbours, None when neither is so."""
    if graph.has_edge(start, end):
        return ""
    free = [k for k in sorted(graph[start]) if graph.has_edge(k, end) and k not in net]
    return free[0] if free else None
