"""Rivers: carried to the coast and to each other, named, and flowing the right way."""

from __future__ import annotations

import networkx as nx
import pytest
import shapely
from drawn import CENTRE, EVERYWHERE, TERRAIN, codes, plan, survey

from toolchain.survey.maps import survey_map

X, Y = CENTRE
SIDE = 10 / 3**0.5
STEP = SIDE * 1.5  # between the centres of columns
WIDE = """
[grid]
orientation = "flat"
pitch = 10
origin = [-2, 0]
columns = 6
rows = 5
"""


def river(flow: str = "", more: str = "") -> str:
    return f'[[hexside]]\nname = "river"\nlayer = "river"\nriver = true\n{flow and f"flow = {flow!r}"}\n{more}'


def course(warmap) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Return the ends of all river sides in the order in which they are joined."""
    return [h.ends for h in warmap.hexsides if "river" in h.kinds]


def flows_from_to(warmap) -> tuple[set[object], set[object]]:
    """Return the corners where rivers spring and where they end, of a network whose every side flows."""
    sides = [h for h in warmap.hexsides if "river" in h.kinds]
    assert sides and all(h.flows for h in sides)
    graph = nx.DiGraph([h.ends for h in sides])
    assert nx.is_directed_acyclic_graph(graph)
    return {n for n in graph if not graph.in_degree(n)}, {n for n in graph if not graph.out_degree(n)}


LINE = shapely.LineString([(2, 14), (12, 16), (22, 14), (34, 16)])


@pytest.mark.parametrize(("flow", "eastward"), [("drawn", True), ("against", False)])
def test_a_river_flows_as_it_is_drawn_or_against_it(tmp_path, flow, eastward):
    warmap, report = survey(tmp_path, river(flow), grid=WIDE, river=[(LINE, {"name": "Aa"})])
    assert not codes(report)
    (spring,), (mouth,) = flows_from_to(warmap)
    assert (spring[0] < mouth[0]) is eastward
    assert {h.name for h in warmap.hexsides if h.kinds} == {"Aa"}


def test_flow_is_not_guessed(tmp_path):
    warmap, _ = survey(tmp_path, river(), grid=WIDE, river=[LINE])
    assert course(warmap) and not any(h.flows for h in warmap.hexsides)


def test_a_tributary_flows_to_its_river_and_that_to_the_sea(tmp_path):
    land = [shapely.box(-60, -60, 33, 90)]
    upward = shapely.LineString([(20.5, 14.2), (19, 3)])  # drawn from the river to its spring
    lines = [(shapely.reverse(LINE), {"name": "Aa"}), (upward, {"name": "Bek"})]
    warmap, report = survey(tmp_path, TERRAIN + river("mouth"), grid=WIDE, land=land, wood=[EVERYWHERE], river=lines)
    assert "M116" not in codes(report)
    springs, mouths = flows_from_to(warmap)
    assert len(springs) == 2 and len(mouths) == 1
    assert max(x for x, _ in springs) < min(x for x, _ in mouths)


@pytest.mark.parametrize(
    ("stated", "eastward"),
    [
        ('mouth = "0603"', True),
        ("mouth = [0.0, 14.0]", False),
        ('source = "Town"', True),
        ('source = [36.0, 14.0]\nmouth = "0102"', False),
    ],
)
def test_a_stated_mouth_or_source_goes_before_the_drawing(tmp_path, stated, eastward):
    text = river("drawn", f'[[river]]\nname = "Aa"\n{stated}\n')
    line = LINE if not eastward else shapely.reverse(LINE)
    places = "name,column,row\nTown,0,1\n"
    warmap, report = survey(tmp_path, text, grid=WIDE, river=[(line, {"name": "Aa"})], places=places)
    assert not codes(report)
    (spring,), (mouth,) = flows_from_to(warmap)
    assert (spring[0] < mouth[0]) is eastward


def test_a_river_that_is_not_there_and_a_place_that_is_not(tmp_path):
    text = river("drawn", '[[river]]\nname = "Wesre"\nmouth = "0101"\n[[river]]\nname = "Weser"\nmouth = "Twon"\n')
    places = "name,column,row\nTown,0,1\n"
    _, report = survey(tmp_path, text, grid=WIDE, river=[(LINE, {"name": "Weser"})], places=places)
    assert {f.rule.code: f.where.key for f in report} == {"M116": "river.0.name", "M105": "river.1.mouth"}
    assert sum("did you mean 'Weser'" in f.message or "did you mean 'Town'" in f.message for f in report) == 2


def touching(warmap, word: str = "sea") -> set[tuple[float, float]]:
    """Return the corners of hexes of a terrain."""
    return {tuple(c) for s in warmap.spaces if s.terrain == word for c in s.outline}


@pytest.mark.parametrize(("gap", "reaches"), [(0.1, True), (0.45, True), (0.9, False)])
def test_a_river_is_carried_to_a_coast_nearer_than_half_a_hexside(tmp_path, gap, reaches):
    # The coast runs along the sides of 0202; the river comes from the west and stops short of it.
    land = [shapely.box(-60, -60, X + SIDE / 2 + 0.2, 90)]
    line = shapely.LineString([(X - 12, Y - 4.5), (X + SIDE / 2 + 0.2 - gap * SIDE, Y - 4.5)])
    warmap, _ = survey(tmp_path, TERRAIN + river("drawn"), land=land, wood=[EVERYWHERE], river=[line])
    _, (mouth,) = flows_from_to(warmap)
    assert (mouth in touching(warmap)) is (reaches or gap < 0.5)


def test_a_spring_near_the_coast_stays_where_it_is(tmp_path):
    land = [shapely.box(-60, -60, 25, 90)]
    line = shapely.LineString([(23.5, 11.5), (15.3, 14.5), (3, 11)])  # one end is near the sea to the east
    ends = {}
    for flow in ("drawn", "against"):
        warmap, _ = survey(
            tmp_path / flow, TERRAIN + river(flow), grid=WIDE, land=land, wood=[EVERYWHERE], river=[line]
        )
        (spring,), (mouth,) = flows_from_to(warmap)
        ends[flow] = max(spring, mouth) in touching(warmap)
    assert ends == {"drawn": False, "against": True}


def test_a_river_that_touches_another_joins_it(tmp_path):
    # The stream ends on the river, just beyond the triangle of the corner that the river passes.
    lines = [LINE, shapely.LineString([(24, 28), (23.4, 20), (22.05, 14.05)])]
    warmap, report = survey(tmp_path, river("drawn"), grid=WIDE, river=lines)
    assert not codes(report)
    graph = nx.Graph(course(warmap))
    assert nx.is_connected(graph)
    assert sorted(d for _, d in graph.degree)[-1] == 3


def test_streams_say_what_their_ends_reach(tmp_path):
    lines = [
        (LINE, {"name": "Aa"}),
        (shapely.LineString([(24, 28), (23.4, 20), (22, 14)]), {"name": "Bek"}),
        (shapely.LineString([(60, 38), (30, 39)]), {"name": "Cam"}),
    ]
    read, report = plan(
        tmp_path, TERRAIN + river("drawn"), grid=WIDE, river=lines, land=[shapely.box(-60, -60, 33, 90)], wood=[]
    )
    assert read is not None
    arrays = survey_map(read, report).arrays
    assert arrays is not None
    assert {s.name: s.reached for s in arrays.sides.streams if s.name != "Cam"} == {
        "Aa": ("", "water"),
        "Bek": ("", "river"),
    }
    (cam,) = (s for s in arrays.sides.streams if s.name == "Cam")
    assert cam.reached[1] == ""


def test_a_stated_side_takes_name_and_flow_of_its_river(tmp_path):
    broken = [shapely.LineString([(2, 14), (12, 16)]), shapely.LineString([(22, 14), (34, 16)])]
    before, _ = survey(tmp_path / "whole", river("drawn"), grid=WIDE, river=[LINE])
    parts, _ = survey(tmp_path / "parts", river("drawn"), grid=WIDE, river=[(p, {"name": "Aa"}) for p in broken])
    gap = {(h.a, h.b) for h in before.hexsides if h.kinds} - {(h.a, h.b) for h in parts.hexsides if h.kinds}
    assert gap
    stated = "".join(f'[[side]]\nbetween = ["{a}", "{b}"]\nadd = ["river"]\n' for a, b in sorted(gap))
    warmap, _ = survey(
        tmp_path / "stated", river("drawn", stated), grid=WIDE, river=[(p, {"name": "Aa"}) for p in broken]
    )
    assert {(h.a, h.b): h.ends for h in warmap.hexsides if h.flows} == {
        (h.a, h.b): h.ends for h in before.hexsides if h.flows
    }
    assert {h.name for h in warmap.hexsides if h.kinds} == {"Aa"}


def test_a_removed_river_leaves_neither_name_nor_flow(tmp_path):
    before, _ = survey(tmp_path / "whole", river("drawn"), grid=WIDE, river=[(LINE, {"name": "Aa"})])
    side = next(h for h in before.hexsides if h.flows)
    stated = f'[[side]]\nbetween = ["{side.a}", "{side.b}"]\nremove = ["river"]\n'
    warmap, _ = survey(tmp_path / "less", river("drawn", stated), grid=WIDE, river=[(LINE, {"name": "Aa"})])
    (now,) = (h for h in warmap.hexsides if (h.a, h.b) == (side.a, side.b))
    assert (now.kinds, now.name, now.flows) == (frozenset(), "", False)


def test_walls_and_borders_are_followed_but_not_carried(tmp_path):
    wall = shapely.LineString([(X - SIDE / 2, Y - 5), (X + SIDE / 2, Y - 5)])
    text = TERRAIN + '[[hexside]]\nname = "wall"\nlayer = "wall"\nbars = ["land"]\n'
    warmap, _ = survey(tmp_path, text, land=[shapely.box(-60, -60, X + SIDE / 2 + 1, 90)], wood=[], wall=[wall])
    assert [(h.a, h.b) for h in warmap.hexsides if "wall" in h.kinds] == [("0201", "0202")]
