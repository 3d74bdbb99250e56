"""The map as networkx graphs: the whole of it, and what a mode of movement can use of it."""

from __future__ import annotations

from typing import Any

import networkx as nx

from toolchain.model.warmap import Hexside, Space, WarMap

MODES = ("land", "sea")


def build_graph(warmap: WarMap) -> nx.MultiGraph:
    """Build the graph of a map: its spaces, joined by hexsides and links.

    Nodes are the keys of spaces, in the order of the map; their attributes are the fields of `Space`, with `column`
    and `row` for hexes and `x` and `y` in sheet millimetres. Edges have `type` "hexside" or "link", the order `a`, `b`
    and the fields of `Hexside` or `Link`; hexsides come before links. Sets are sorted tuples. A one-way link is an
    edge like any other here; see `directed`.
    """
    graph = nx.MultiGraph(name=warmap.name, title=warmap.title)
    for space in warmap.spaces:
        graph.add_node(space.key, **_node(space))
    for side in warmap.hexsides:
        graph.add_edge(
            side.a,
            side.b,
            type="hexside",
            a=side.a,
            b=side.b,
            kinds=tuple(sorted(side.kinds)),
            name=side.name,
            ends=side.ends,
            flows=side.flows,
            cite=side.cite,
            assumed=side.assumed,
        )
    for link in warmap.links:
        graph.add_edge(
            link.a,
            link.b,
            type="link",
            a=link.a,
            b=link.b,
            kind=link.kind,
            one_way=link.one_way,
            traits=dict(link.traits),
            cite=link.cite,
            assumed=link.assumed,
        )
    return graph


def _node(space: Space) -> dict[str, Any]:
    out: dict[str, Any] = {
        "kind": space.kind,
        "name": space.name,
        "label": space.label,
        "x": space.at[0],
        "y": space.at[1],
        "sheet": space.sheet,
        "terrain": space.terrain,
        "shares": dict(space.shares),
        "features": tuple(sorted(space.features)),
        "traits": dict(space.traits),
        "enterable": space.enterable,
        "cite": space.cite,
        "assumed": space.assumed,
    }
    if space.cell is not None:
        out["column"], out["row"] = space.cell
    return out


def directed(graph: nx.MultiGraph) -> nx.MultiDiGraph:
    """Turn a graph of a map into one with an arc each way, and one arc only for one-way links."""
    out = nx.MultiDiGraph(**graph.graph)
    out.add_nodes_from(graph.nodes(data=True))
    for _, _, data in graph.edges(data=True):
        out.add_edge(data["a"], data["b"], **data)
        if not data.get("one_way", False):
            out.add_edge(data["b"], data["a"], **data)
    return out


def build_mode_graph(warmap: WarMap, mode: str) -> nx.Graph:
    """Build the graph of what a mode of movement can use of the map.

    mode: "land" or "sea". By land: all enterable spaces, over hexsides whose kinds do not bar it and links that name
    the mode; water only where such a link reaches it, as it does a beach head. By sea: spaces that are or touch water,
    what a link by sea reaches, and the wet corners of hexes, as points, so that ships pass a strait between two hexes
    of land. Hexes of water need not be enterable: what sails passes over them. The legend says which terrains are
    water, what kinds bar and who may use links.

    Two node attributes: `used` tells where the mode has business: every space by land; by sea enterable water, the
    ends of links and places whose features need water. `through` tells where it can pass: ships call at a coast of two
    seas from both, and do not cross it.
    """
    barred = {e.name for e in warmap.legend if e.kind == "hexside" and mode in e.traits.get("bars", "").split()}
    usable = {e.name for e in warmap.legend if e.kind == "link" and mode in e.traits.get("modes", "").split()}
    links = [x for x in warmap.links if x.kind in usable]
    sides = [h for h in warmap.hexsides if not h.kinds & barred]
    ends = {key for link in links for key in (link.a, link.b)}
    graph = _by_land(warmap, sides, ends) if mode == "land" else _by_sea(warmap, sides, ends)
    graph.add_edges_from((x.a, x.b) for x in links if x.a in graph and x.b in graph)
    return graph


def _by_land(warmap: WarMap, sides: list[Hexside], ends: set[str]) -> nx.Graph:
    water = _water(warmap, "terrain")
    graph = nx.Graph()
    for s in warmap.spaces:
        if s.enterable and (s.terrain not in water or s.key in ends):
            graph.add_node(s.key, used=True, through=True)
    graph.add_edges_from((h.a, h.b) for h in sides if h.a in graph and h.b in graph)
    return graph


def _by_sea(warmap: WarMap, sides: list[Hexside], ends: set[str]) -> nx.Graph:
    water, wet = _water(warmap, "terrain"), _water(warmap, "hexside")
    ports = {e.name for e in warmap.legend if e.kind == "feature" and e.traits.get("needs") in water}
    afloat = {s.key for s in warmap.spaces if s.terrain in water}
    # Of a hex the drawing tells how much of it is water; an area is all of one terrain, and touches water beside it.
    beside = {k for h in sides if {h.a, h.b} & afloat for k in (h.a, h.b)}
    graph = nx.Graph()
    for s in warmap.spaces:
        shore = s.kind != "hex" and s.key in beside
        if s.key in ends or s.key in afloat or shore or any(s.shares.get(w, 0.0) > 0 for w in water):
            sails = s.key in ends or s.key in afloat
            graph.add_node(s.key, used=s.enterable and (sails or bool(s.features & ports)), through=sails)
    for h in sides:
        floating = {h.a, h.b} & afloat
        strait = not floating and bool(h.kinds & wet)
        if not (floating or strait) or h.a not in graph or h.b not in graph:
            continue
        graph.add_edge(h.a, h.b)
        if len(floating) < 2:
            graph.add_nodes_from(h.ends, used=False, through=True)
            graph.add_edges_from((k, corner) for k in (h.a, h.b) if strait or k in floating for corner in h.ends)
        if strait:
            graph.add_edge(*h.ends)
    return graph


def _water(warmap: WarMap, kind: str) -> set[str]:
    return {e.name for e in warmap.legend if e.kind == kind and e.traits.get("water") == "yes"}
