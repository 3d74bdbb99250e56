"""The rulings of victory-ww2 on its maps: what is on each sheet, how sheets join, half hexes, ports, rivers, roads."""

from __future__ import annotations

from collections import Counter as Tally
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
import shapely

from toolchain.checks.seams import check_seams, read_edges
from toolchain.graph.board import Board
from toolchain.graph.build import build_graph
from toolchain.model.drawing import Layer
from toolchain.report import Report
from toolchain.sources.decode.maps import read_map
from toolchain.survey.maps import survey_map

ROOT = Path(__file__).parents[2]
NAME = "victory-ww2"
SHEETS = "ABCD"
WET = {"sea", "shoal"}
MAPS = ("Four maps", "Two maps", "Two maps, turned", "Two Front War")
IMPASSABLE = {"alpine", "sea"}


@pytest.fixture(scope="module")
def loaded():
    report = Report()
    plan = read_map(ROOT, NAME, report)
    return plan, survey_map(plan, report), report


@pytest.fixture(scope="module")
def plan(loaded):
    return loaded[0]


@pytest.fixture(scope="module")
def sheets(loaded):
    return {name: got.warmap for name, got in loaded[1].sheets.items()}


@pytest.fixture(scope="module")
def maps(loaded):
    return {name: got.warmap for name, got in loaded[1].arrangements.items()}


def with_feature(warmap, *words):
    return [s for s in warmap.spaces if s.features & set(words)]


def beside(warmap):
    """Return the neighbours of every space over hexsides, with the kinds of the hexside."""
    out = defaultdict(dict)
    for h in warmap.hexsides:
        out[h.a][h.b] = out[h.b][h.a] = h.kinds
    return out


def is_coastal(warmap, near, space):
    return space.terrain not in WET and any(warmap.by_key[n].terrain == "sea" for n in near[space.key])


# What is on the sheets ----------------------------------------------------------------------------------------------


def test_vw_m1_the_survey_finds_nothing_wrong(loaded):
    # The drawings have layers for the eye alone, such as their own grid and names, and a note says so.
    assert [str(f) for f in loaded[2] if f.rule.code != "S116"] == []


@pytest.mark.parametrize("sheet", SHEETS)
def test_vw_m1_six_cities_of_1_to_3_ten_in_all_towns_roads_rivers_and_bridges(sheets, sheet):
    worth = [int(s.traits["pp"]) for s in with_feature(sheets[sheet], "city")]
    assert len(worth) == 6 and sum(worth) == 10 and set(worth) <= {1, 2, 3}
    assert len(with_feature(sheets[sheet], "town")) >= 7
    assert sum(k.kind == "road" for k in sheets[sheet].links) >= 30
    kinds = Tally(k for h in sheets[sheet].hexsides for k in h.kinds)
    assert kinds["river"] >= 20 and kinds["bridge"] >= 4


def test_vw_m1_every_terrain_of_2_1_lies_on_one_of_them(sheets):
    terrain = Tally(s.terrain for w in sheets.values() for s in w.spaces)
    assert set(terrain) == {"clear", "desert", "forest", "marsh", "mountain", "sea", "shoal"}
    kinds = {k for w in sheets.values() for h in w.hexsides for k in h.kinds}
    assert kinds >= {"alpine", "river", "bridge", "coast", "sea", "shoal"}
    canals = [[k for k in w.links if k.kind == "canal"] for w in sheets.values()]
    assert [bool(c) for c in canals] == [False, True, True, False]


@pytest.mark.parametrize("sheet", SHEETS)
def test_vw_m1_each_map_is_drawn_in_layers_of_curves(sheet):
    text = (ROOT / "maps" / NAME / f"{sheet}.svg").read_text("utf-8")
    assert text.count('inkscape:groupmode="layer"') >= 15
    assert text.count("C") > 1500, "curves, and not the outlines of hexes"


def test_vw_m1_each_river_has_a_source_or_comes_in_and_a_mouth_or_goes_out(sheets):
    for name, warmap in sheets.items():
        flow = nx.DiGraph()
        for h in warmap.hexsides:
            if "river" in h.kinds:
                assert h.flows and h.name, (name, h)
                flow.add_edge(*(tuple(np.round(p, 3)) for p in h.ends), name=h.name)
        assert nx.is_directed_acyclic_graph(flow)
        rivers = {d["name"] for *_, d in flow.edges(data=True)}
        assert len(rivers) >= 4
        sea = {tuple(np.round(p, 3)) for s in warmap.spaces if s.terrain == "sea" for p in s.outline}
        mouths = [n for n in flow if not flow.out_degree(n)]
        assert all(n in sea or n[1] in (0.0, 270.0) for n in mouths), (name, mouths)


def test_vw_m1_all_towns_of_an_arrangement_hang_on_roads_or_have_a_port(maps):
    for warmap in maps.values():
        on_road = {k for link in warmap.links if link.kind == "road" for k in (link.a, link.b)}
        for s in with_feature(warmap, "city", "town"):
            assert s.key in on_road or "port" in s.features, s.key
        for s in with_feature(warmap, "city"):
            assert s.key in on_road, s.key


# Seams --------------------------------------------------------------------------------------------------------------


def test_vw_m2_any_two_maps_join_on_any_edge_in_either_half_turn(loaded):
    """48 seams: of each two of four sheets, two long edges with two, and two short ones with two."""
    plan, got, _ = loaded
    assert plan.seam is not None
    assert list(check_seams(plan, got.sheets)) == []


def test_vw_m2_the_edge_is_the_same_pattern_both_ways_on_every_sheet(loaded):
    plan, got, _ = loaded
    edges = [
        e
        for n, one in enumerate(plan.sheets)
        for e in read_edges(one, got.sheets[one.data.sheet.name], n, ("rivers", "roads"))
    ]
    assert len(edges) == 16
    for long in (True, False):
        some = [e for e in edges if (e.name in ("top", "bottom")) == long]
        for e in some:
            for kind in ("rivers", "roads", "coast"):
                assert np.allclose(e.leaves[kind], some[0].leaves[kind], atol=0.5), (e.sheet, e.name, kind)
                assert np.allclose(e.leaves[kind], (e.length - e.leaves[kind])[::-1], atol=0.5), (e.sheet, e.name)
            halves = ~np.isnan(e.depth)
            assert (e.terrain[halves] == e.terrain[halves][::-1]).all()
            assert (e.terrain[halves] == some[0].terrain[halves]).all()
        assert [len(some[0].leaves[k]) for k in ("rivers", "roads", "coast")] == [2 * long, 2, 2]


def test_vw_m2_a_broken_seam_names_the_hex_and_the_feature(loaded):
    plan, got, _ = loaded
    whole = got.sheets["A"]
    roads = whole.drawing["roads"]
    inland = shapely.box(20, 20, 400, 250)
    cut = tuple(replace(s, geometry=shapely.intersection(s.geometry, inland)) for s in roads.shapes)
    broken = replace(whole, drawing={**whole.drawing, "roads": Layer("roads", cut)})
    found = list(check_seams(plan, {**got.sheets, "A": broken}))
    assert {f.rule.code for f in found} == {"M213"}
    assert {f.facts["layer"] for f in found} == {"roads"}
    # Eight roads of A lie open beside each of three sheets, at two edges of theirs.
    assert len(found) == 8 * 3 * 2 and all(f.where.space for f in found)
    assert "roads" in found[0].message and found[0].facts["turn"] in (0, 180)


def test_vw_m2_a_four_map_arrangement_is_one_graph(maps):
    graph = build_graph(maps["Four maps"])
    assert nx.is_connected(nx.Graph(graph))
    assert {s.traits["map"] for s in maps["Four maps"].spaces} >= {*"ABCD", "A;B", "A;C", "B;D", "C;D", "A;B;C;D"}
    roads = nx.Graph((k.a, k.b) for k in maps["Four maps"].links if k.kind == "road")
    assert nx.has_path(roads, "Aldermouth", "Rasheen") and nx.has_path(roads, "Aldermouth", "Isenburg")
    named = {h.name for h in maps["Four maps"].hexsides if " / " in h.name and "river" in h.kinds}
    assert len(named) == 4, "two rivers run over each of the two long seams"


@pytest.mark.parametrize("arrangement", MAPS)
def test_vw_m2_rivers_of_an_arrangement_flow_on(maps, arrangement):
    flow = nx.DiGraph()
    for h in maps[arrangement].hexsides:
        if "river" in h.kinds:
            assert h.flows
            flow.add_edge(*(tuple(np.round(p, 3)) for p in h.ends))
    assert nx.is_directed_acyclic_graph(flow)
    assert all(flow.out_degree(n) <= 1 for n in flow)


@pytest.mark.parametrize("arrangement", MAPS)
def test_vw_m3_half_hexes_are_playable_and_two_halves_are_one_hex(maps, sheets, arrangement):
    warmap = maps[arrangement]
    assert all(s.enterable for s in warmap.spaces)
    for s in warmap.spaces:
        here = s.traits["map"].split(";")
        assert len(s.parts) == len(here)
        for part in s.parts:
            sheet, label = part.split("-")
            half = next(x for x in sheets[sheet].spaces if x.label == label)
            assert half.enterable and half.terrain == s.terrain
    joint = [s for s in warmap.spaces if len(s.parts) == 2]
    assert len(joint) >= 8
    near = nx.Graph(build_graph(warmap))
    inner = [
        s for s in joint if 20 < s.at[0] < warmap.sheets[0].width - 20 and 20 < s.at[1] < warmap.sheets[0].height - 20
    ]
    assert inner and all(near.degree(s.key) == 6 for s in inner)


@pytest.mark.parametrize("arrangement", MAPS)
def test_vw_m4_cities_and_towns_in_coastal_hexes_are_ports_and_no_others(maps, arrangement):
    warmap = maps[arrangement]
    near = beside(warmap)
    coastal = {s.key for s in with_feature(warmap, "city", "town") if is_coastal(warmap, near, s)}
    assert coastal == {s.key for s in with_feature(warmap, "port")}
    assert {"Aldermouth", "Corrin"} - coastal == {"Corrin"} or arrangement == "Two maps, turned"


def test_vw_m4_a_coastal_hex_is_land_with_a_sea_hexside(maps):
    warmap = maps["Four maps"]
    near = beside(warmap)
    for s in warmap.spaces:
        if s.terrain in WET:
            continue
        wet = {n for n, kinds in near[s.key].items() if "coast" in kinds and warmap.by_key[n].terrain == "sea"}
        assert wet == {n for n in near[s.key] if warmap.by_key[n].terrain == "sea"}


# Rivers and roads ---------------------------------------------------------------------------------------------------


def downstream(warmap):
    """Walk the rivers by hand: the sides that lie below a bridge of theirs, as pairs of hexes."""
    leaving = defaultdict(list)
    for h in warmap.hexsides:
        if "river" in h.kinds:
            leaving[tuple(np.round(h.ends[0], 3))].append(h)
    below, todo = set(), [h for h in warmap.hexsides if {"river", "bridge"} <= h.kinds]
    while todo:
        for h in leaving[tuple(np.round(todo.pop().ends[1], 3))]:
            if frozenset((h.a, h.b)) not in below:
                below.add(frozenset((h.a, h.b)))
                todo.append(h)
    return below


@pytest.mark.parametrize("arrangement", MAPS)
def test_vw_m5_rivers_are_closed_below_the_first_bridge_but_at_bridges(maps, arrangement):
    warmap = maps[arrangement]
    board = Board.from_map(warmap)
    below = downstream(warmap)
    rivers = {frozenset((h.a, h.b)): h.kinds for h in warmap.hexsides if "river" in h.kinds}
    closed = {p for p in below if "bridge" not in rivers[p]}
    assert closed and len(closed) < len(rivers)
    keys = [s.key for s in warmap.spaces]
    arcs = board.arcs
    mask = board.arcs_downstream("bridge")
    found = {
        frozenset((keys[a], keys[b])) for a, b in zip(arcs.tail[mask].tolist(), arcs.head[mask].tolist(), strict=True)
    }
    assert found & set(rivers) - {p for p in rivers if "bridge" in rivers[p]} == closed


def test_vw_m5_a_river_over_a_seam_is_closed_by_a_bridge_on_the_other_map(maps, sheets):
    """The Sunder has its bridge on map A; where it runs on into map C as the Vall it is closed from the seam on."""
    below = {h.name for h in maps["Four maps"].hexsides if frozenset((h.a, h.b)) in downstream(maps["Four maps"])}
    assert "Sunder / Vall" in below
