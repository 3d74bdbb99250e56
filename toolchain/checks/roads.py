"""Do roads, railways and tracks lead somewhere: dead ends, and breaks of one hex.

They are the kinds of link that the legend calls a network (`network = true` in map.toml).
"""

from __future__ import annotations

from collections.abc import Iterator

import networkx as nx

from toolchain.catalogue import DEAD_END, ROAD_GAP
from toolchain.checks.drawn import at_space, millimetres
from toolchain.model.warmap import WarMap
from toolchain.report import Finding


def check_roads(warmap: WarMap) -> Iterator[Finding]:
    """Find dead ends and breaks of every network of links.

    A road may end in a place with a name or a feature, in a box, at the rim of the map, and where another kind of road
    goes on from its end. Two loose ends of one kind that are neighbours, or have one hex between them, are a break.
    """
    kinds = [e.name for e in warmap.legend if e.kind == "link" and e.traits.get("network") == "yes"]
    if not kinds:
        return
    graph = nx.Graph()
    graph.add_nodes_from(s.key for s in warmap.spaces)
    graph.add_edges_from((h.a, h.b) for h in warmap.hexsides)
    roads = {k: nx.Graph((x.a, x.b) for x in warmap.links if x.kind == k) for k in kinds}
    ends = {k: [key for key in warmap.index if key in net and net.degree[key] == 1] for k, net in roads.items()}
    for kind, net in roads.items():
        loose = [k for k in ends[kind] if _nothing_there(warmap, graph, k)]
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
            goes_on = any(key in ends[other] for other in kinds if other != kind)
            if key not in broken and not goes_on:
                at = warmap.by_key[key].at
                text = f"the {kind} ends here, at {millimetres(at)}, where nothing is"
                yield Finding(DEAD_END, at_space(warmap.by_key[key]), text, {"kind": kind, "at": list(at)})


def _nothing_there(warmap: WarMap, graph: nx.Graph, key: str) -> bool:
    space = warmap.by_key[key]
    return space.kind == "hex" and not space.name and not space.features and graph.degree[key] == 6


def _between(graph: nx.Graph, start: str, end: str, net: nx.Graph) -> str | None:
    """Return the hex between two loose ends, an empty string when they are neighbours, None when neither is so."""
    if graph.has_edge(start, end):
        return ""
    free = [k for k in sorted(graph[start]) if graph.has_edge(k, end) and k not in net]
    return free[0] if free else None
