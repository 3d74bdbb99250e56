"""Is the map itself sound: connected, with a complete legend, and with all the places that lists name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

import networkx as nx

from toolchain.catalogue import (
    FEATURE_NEEDS,
    ISOLATED_SPACE,
    NAME_NOT_ON_MAP,
    NOT_IN_LEGEND,
    NOTHING_ENTERABLE,
    ONE_WAY_PART,
    UNNAMED_LAND,
    UNREACHABLE_PART,
)
from toolchain.checks.against import check_against, check_pairs
from toolchain.checks.drawn import at_side, at_space, in_drawing, listed, map_file, on_map
from toolchain.checks.labels import check_labels
from toolchain.checks.rivers import check_flow, check_rivers
from toolchain.checks.roads import check_roads
from toolchain.graph.build import MODES, build_mode_graph
from toolchain.model.drawing import Drawing, LineEnd
from toolchain.model.warmap import WarMap
from toolchain.report import Finding, Location, counted, did_you_mean
from toolchain.sources.decode.maps import MapPlan

# So many names are compared in all to find the nearest; a list with thousands of mistakes gets no further hints.
COMPARED = 2_000_000


def check_map(warmap: WarMap, ends: Sequence[LineEnd] = ()) -> Iterator[Finding]:
    """Run every check of the structure of a map. ends: of the lines over its hexes, as the survey gives them."""
    yield from check_legend(warmap)
    yield from check_features(warmap)
    yield from check_unnamed(warmap)
    yield from check_labels(warmap)
    isolated = list(check_isolated(warmap))
    yield from isolated
    alone = {f.where.space for f in isolated}
    for mode in MODES:
        yield from check_parts(warmap, mode, alone)
        yield from check_one_way(warmap, mode)
    yield from check_rivers(warmap, ends)
    yield from check_flow(warmap)
    yield from check_roads(warmap, ends)


def check_drawn(plan: MapPlan, warmap: WarMap, drawing: Drawing, ends: Sequence[LineEnd] = ()) -> Iterator[Finding]:
    """Run every check of a map, and of what was stated of it, with the places of the drawing in what is found.

    drawing, ends: as the survey gives them.
    """
    data = plan.data
    layers = {t.name: t.layer or t.outside for t in data.terrain} | {h.name: h.layer for h in data.hexside}
    layers |= {line.kind: line.layer for line in data.lines} | {c.link or c.hexside: c.layer for c in data.crossing}
    reach = 1.5 * next((g.pitch for g in warmap.grids.values()), 10.0)
    for finding in check_map(warmap, ends):
        yield in_drawing(on_map(finding, warmap), layers, drawing, reach)
    yield from check_against(warmap, plan.hand)
    if plan.data.fit is not None:
        yield from check_pairs(warmap, plan.data.fit.adjacent, plan.data.fit.apart)


def check_isolated(warmap: WarMap) -> Iterator[Finding]:
    """Find enterable spaces that no hexside joins to another enterable space, and no link to any."""
    open_ = {s.key for s in warmap.spaces if s.enterable}
    if warmap.spaces and not open_:
        yield Finding(NOTHING_ENTERABLE, Location(file=map_file(warmap)), "no space can be entered")
        return
    bars = {e.name: set(e.traits.get("bars", "").split()) for e in warmap.legend if e.kind == "hexside"}
    joined = set()
    for side in warmap.hexsides:
        barred = set().union(*(bars.get(k, set()) for k in side.kinds))
        if side.a in open_ and side.b in open_ and not barred.issuperset(MODES):
            joined |= {side.a, side.b}
    joined |= {key for link in warmap.links for key in (link.a, link.b)}
    for space in warmap.spaces:
        if space.enterable and space.key not in joined:
            yield Finding(ISOLATED_SPACE, at_space(space), "no hexside and no link leads to it")


def check_parts(warmap: WarMap, mode: str, alone: Collection[str] = ()) -> Iterator[Finding]:
    """Find the parts of the map that a mode of movement cannot reach from the largest one.

    mode: "land" or "sea". alone: keys of spaces that were reported as isolated. Only spaces count where the mode has
    business.
    """
    order = warmap.index
    graph = build_mode_graph(warmap, mode)
    # A box to which no link leads but such as serve no mode, as a box for what is built, is off the map on purpose.
    moving = {e.name for e in warmap.legend if e.kind == "link" and e.traits.get("modes")}
    ends = {key for link in warmap.links if link.kind in moving for key in (link.a, link.b)}
    linked = {key for link in warmap.links for key in (link.a, link.b)}
    off = {k for k in linked - ends if warmap.by_key[k].kind == "box"}
    parts = [
        sorted((k for k in part if k not in alone and k not in off), key=order.__getitem__) for part in _parts(graph)
    ]
    parts = [keys for keys in parts if keys]
    parts.sort(key=lambda keys: (-len(keys), order[keys[0]]))
    for keys in parts[1:]:
        count = counted(len(keys), "space")
        text = f"{count} cannot be reached by {mode} from the other {len(parts[0])}: {listed(keys)}"
        yield Finding(UNREACHABLE_PART, at_space(warmap.by_key[keys[0]]), text, {"mode": mode, "spaces": keys})


def _parts(graph: nx.Graph) -> list[list[str]]:
    """Return the used spaces of a mode by the part from which they are reached."""
    ways = [
        sorted(c, key=str)
        for c in nx.connected_components(graph.subgraph(k for k in graph if graph.nodes[k]["through"]))
    ]
    part = {k: i for i, way in enumerate(ways) for k in way}
    parts: dict[int, list[str]] = {}
    for n, key in enumerate(k for k in graph if graph.nodes[k]["used"]):
        near = [part[k] for k in (key, *graph[key]) if k in part]
        # A harbour on two seas belongs to the greater one.
        best = max(near, key=lambda i: len(ways[i]), default=len(ways) + n)
        parts.setdefault(best, []).append(key)
    return list(parts.values())


def check_one_way(warmap: WarMap, mode: str) -> Iterator[Finding]:
    """Find the parts of the map that one-way links let a mode enter and never leave, or leave and never enter."""
    usable = {e.name for e in warmap.legend if e.kind == "link" and mode in e.traits.get("modes", "").split()}
    one_way = [x for x in warmap.links if x.one_way and x.kind in usable]
    if not one_way:
        return
    graph = build_mode_graph(warmap, mode)
    back = build_mode_graph(replace(warmap, links=tuple(x for x in warmap.links if not x.one_way)), mode)
    ways = graph.to_directed()
    forth = {(x.a, x.b) for x in one_way}
    for a, b in forth:
        if (b, a) not in forth and not back.has_edge(a, b) and ways.has_edge(b, a):
            ways.remove_edge(b, a)
    whole = nx.condensation(ways)
    order = warmap.index
    for whole_part in nx.weakly_connected_components(whole):
        parts = {
            n: sorted((k for k in whole.nodes[n]["members"] if k in order), key=order.__getitem__) for n in whole_part
        }
        largest = max(parts, key=lambda n: (len(parts[n]), -min((order[k] for k in parts[n]), default=0)))
        for n, keys in sorted(parts.items(), key=lambda item: [order[k] for k in item[1]]):
            into, out = whole.in_degree(n) > 0, whole.out_degree(n) > 0
            if n == largest or not keys or (into and out):
                continue
            what = "entered and never left" if into else "left and never entered again"
            count = counted(len(keys), "space")
            text = f"{count} can be {what} by {mode}: {listed(keys)}"
            yield Finding(ONE_WAY_PART, at_space(warmap.by_key[keys[0]]), text, {"mode": mode, "spaces": keys})


def check_features(warmap: WarMap) -> Iterator[Finding]:
    """Find features without the terrain that they need: a port with no water in its hex or beside it."""
    needs = {e.name: e.traits["needs"] for e in warmap.legend if e.kind == "feature" and e.traits.get("needs")}
    if not needs:
        return
    beside: dict[str, set[str]] = {}
    for side in warmap.hexsides:
        beside.setdefault(side.a, set()).add(warmap.by_key[side.b].terrain)
        beside.setdefault(side.b, set()).add(warmap.by_key[side.a].terrain)
    for link in warmap.links:
        for one, other in ((link.a, link.b), (link.b, link.a)):
            if warmap.by_key[one].kind != "hex":  # what lies beside a point is what its lines lead to
                beside.setdefault(one, set()).add(warmap.by_key[other].terrain)
    for space in warmap.spaces:
        for feature in sorted(space.features & needs.keys()):
            terrain = needs[feature]
            touched = space.terrain == terrain or space.shares.get(terrain, 0.0) > 0
            if space.kind != "box" and not touched and terrain not in beside.get(space.key, ()):
                text = f"a {feature} needs {terrain} in its {'hex' if space.kind == 'hex' else 'space'} or beside it"
                yield Finding(FEATURE_NEEDS, at_space(space), text, {"feature": feature, "needs": terrain})


def check_legend(warmap: WarMap) -> Iterator[Finding]:
    """Find terrain, features, kinds of hexside and kinds of link that the legend does not define."""
    known = {kind: warmap.legend_names(kind) for kind in ("terrain", "feature", "hexside", "link")}

    def missing(kind: str, what: str, word: str, where: Location) -> Finding:
        text = f"the legend has no {what} {word!r}{did_you_mean(word, known[kind])}"
        return Finding(NOT_IN_LEGEND, where, text, {"kind": kind, "word": word})

    for space in warmap.spaces:
        if space.terrain and space.terrain not in known["terrain"]:
            yield missing("terrain", "terrain", space.terrain, _in_column(at_space(space), "terrain"))
        for feature in sorted(space.features - known["feature"]):
            yield missing("feature", "feature", feature, _in_column(at_space(space), "features"))
    for side in warmap.hexsides:
        for kind in sorted(side.kinds - known["hexside"]):
            yield missing("hexside", "kind of hexside", kind, at_side(warmap, side))
    for link in warmap.links:
        if link.kind not in known["link"]:
            yield missing("link", "kind of link", link.kind, _in_column(link.where, "kind"))


def check_unnamed(warmap: WarMap) -> Iterator[Finding]:
    """List the hexes of land without a name, on a map where only named hexes can be entered."""
    hexes = [s for s in warmap.spaces if s.kind == "hex"]
    if not any(s.enterable for s in hexes) or any(s.enterable and not s.name for s in hexes):
        return
    water = {e.name for e in warmap.legend if e.kind == "terrain" and e.traits.get("water") == "yes"}
    forgotten = [s.label for s in hexes if not s.name and not s.enterable and s.terrain and s.terrain not in water]
    if forgotten:
        count = f"{len(forgotten)} hex{'es' * (len(forgotten) > 1)} of land"
        text = f"{count} without a name cannot be entered: {listed(forgotten)}"
        yield Finding(UNNAMED_LAND, Location(file=map_file(warmap)), text, {"hexes": forgotten})


def check_names(warmap: WarMap, names: Iterable[tuple[str, Location]]) -> Iterator[Finding]:
    """Find names that lists use and the map lacks; each is one finding for a file, at its first place.

    names: each with the place where it is used.
    """
    known = [s.key for s in warmap.spaces if s.name] + sorted(warmap.spellings)
    wrong: dict[tuple[str, str], list[Location]] = {}
    for name, where in names:
        if warmap.find(name) is None:
            wrong.setdefault((name, where.file), []).append(where)
    for number, ((name, _), places) in enumerate(wrong.items()):
        hint = _off_grid(warmap, name)
        if not hint and number * len(known) <= COMPARED:
            hint = did_you_mean(name, known)
        rows = [str(w.line) for w in places[1:] if w.line]
        also = f" (also in row{'s' * (len(rows) > 1)} {listed(rows)})" if rows else ""
        text = f"the map has no space {name!r}{hint}{also}"
        yield Finding(NAME_NOT_ON_MAP, places[0], text, {"name": name, "uses": len(places)})


def _in_column(where: Location, column: str) -> Location:
    return replace(where, column=column) if where.line else where


def _off_grid(warmap: WarMap, word: str) -> str:
    """Say which numbers a sheet has, when a word is a number beyond them; an empty string when it is none."""
    for grid in warmap.grids.values():
        first, last = grid.label(0, 0), grid.label(grid.columns - 1, grid.rows - 1)
        if any(_pattern(word) == _pattern(label) for label in (first, last) if label):
            return f": the numbers of its hexes run from {first} to {last}"
    return ""


def _pattern(label: str) -> str:
    """Return how a number is made: digits as 9, capitals as A."""
    return re.sub("[0-9]", "9", re.sub("[A-Z]", "A", label))
