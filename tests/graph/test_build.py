"""The networkx graph of a map, and its graphs by mode of movement."""

from __future__ import annotations

import networkx as nx
import pytest
import shapely
from drawn import CENTRE, EVERYWHERE, TERRAIN, survey

from toolchain.graph.build import build_graph, build_mode_graph, directed

TEXT = (
    '[[hexside]]\nname = "water"\nover = "sea"\nbars = ["land"]\n'
    '[[hexside]]\nname = "wall"\nbars = ["land"]\n'
    '[[link]]\nname = "ferry"\nmodes = ["sea"]\n[[link]]\nname = "road"\n[[link]]\nname = "event"\nmodes = []\n'
    '[[box]]\nkey = "Reserve"\nat = [10, 8]\nsize = [12, 6]\n'
    '[[feature]]\nname = "port"\nneeds = "sea"\n'
)
LEFT = shapely.box(-50, -50, 10 + 10 * 3**0.5 / 4, 90)


@pytest.fixture
def warmap(tmp_path):
    links = "a,b,kind,one_way\nOslo,Reserve,road,yes\nReserve,0303,ferry,\nOslo,0303,event,\n"
    places = "name,column,row,features\nOslo,0,1,port\n"
    wall = '[[side]]\nbetween = ["0101", "Oslo"]\nadd = ["wall"]\n'
    return survey(tmp_path, TERRAIN + TEXT + wall, land=[LEFT], wood=[], places=places, links=links)[0]


def test_every_space_hexside_and_link_is_in_the_graph(warmap):
    graph = build_graph(warmap)
    assert list(graph) == [s.key for s in warmap.spaces]
    assert graph.number_of_edges() == len(warmap.hexsides) + len(warmap.links)
    oslo = graph.nodes["Oslo"]
    assert (oslo["column"], oslo["row"], oslo["label"], oslo["features"]) == (0, 1, "0102", ("port",))
    assert (oslo["terrain"], oslo["x"], oslo["y"]) == ("clear", 10.0, 15.0)
    assert "column" not in graph.nodes["Reserve"]
    (wall,) = graph["0101"]["Oslo"].values()
    assert (wall["type"], wall["kinds"]) == ("hexside", ("wall",))
    (road,) = graph["Oslo"]["Reserve"].values()
    assert (road["type"], road["kind"], road["one_way"]) == ("link", "road", True)


def test_a_one_way_link_has_one_arc(warmap):
    arcs = directed(build_graph(warmap))
    assert arcs.has_edge("Oslo", "Reserve")
    assert not arcs.has_edge("Reserve", "Oslo")
    assert arcs.has_edge("Oslo", "0101")
    assert arcs.has_edge("0101", "Oslo")
    assert arcs.number_of_edges() == 2 * (len(warmap.hexsides) + len(warmap.links)) - 1


def test_by_land_walls_water_and_links_of_others_do_not_join(warmap):
    graph = build_mode_graph(warmap, "land")
    assert set(graph) == {"0101", "Oslo", "0103", "Reserve"}
    assert set(map(frozenset, graph.edges)) == {frozenset(("Oslo", "0103")), frozenset(("Oslo", "Reserve"))}


def test_by_sea_water_coasts_and_links_join(warmap):
    graph = build_mode_graph(warmap, "sea")
    assert graph.has_edge("Oslo", "0202")
    assert graph.has_edge("0303", "Reserve")
    assert not graph.has_edge("0101", "Oslo")
    assert nx.has_path(graph, "Oslo", "Reserve")
    assert {k for k in graph if graph.nodes[k]["used"]} >= {"Oslo", "Reserve", "0303"}
    assert not graph.nodes["0101"]["used"]  # a coast without a port


def test_ships_pass_a_strait_between_two_hexes_of_land(tmp_path):
    x, y = CENTRE
    strait = shapely.box(x - 2.5, y - 6, x + 2.5, y - 4)
    warmap, _ = survey(tmp_path, TERRAIN + TEXT, land=[EVERYWHERE.difference(strait)], wood=[])
    graph = build_mode_graph(warmap, "sea")
    assert {k for k in graph if isinstance(k, str)} == {"0201", "0202"}
    assert graph.has_edge("0201", "0202")
    assert not build_mode_graph(warmap, "land").has_edge("0201", "0202")


def test_water_counts_by_land_where_a_link_leads_to_it(tmp_path):
    beach = "a,b,kind\nReserve,0202,road\n"
    warmap, _ = survey(tmp_path, TERRAIN + TEXT, land=[LEFT], wood=[], links=beach)
    graph = build_mode_graph(warmap, "land")
    assert nx.has_path(graph, "Reserve", "0102")
    assert "0203" not in graph
