"""Lines walked through hexes: the hexes are those that shapely finds, and corners that are only cut do not count."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
import shapely
from drawn import CENTRE, EVERYWHERE, GRID, TERRAIN, codes, survey
from hypothesis import given, settings
from hypothesis import strategies as st

from toolchain.model.hexes import HexGrid
from toolchain.survey.crossings import along_sides, enter
from toolchain.survey.lattice import build_lattice
from toolchain.survey.rulings import OFF

GRIDS = st.builds(
    HexGrid,
    orientation=st.sampled_from(["flat", "pointy"]),
    pitch=st.floats(5, 20),
    origin=st.tuples(st.floats(-5, 5), st.floats(-5, 5)),
    columns=st.integers(2, 7),
    rows=st.integers(2, 7),
    low=st.sampled_from(["odd", "even"]),
)
NUMBER = st.floats(-20, 120).map(lambda v: round(v, 6))
LINES = st.lists(st.tuples(NUMBER, NUMBER), min_size=2, max_size=10, unique=True).map(shapely.LineString)
ROADS = '[[link]]\nname = "road"\n[[crossing]]\nlayer = "roads"\nlink = "road"\n'
X, Y = CENTRE


def visits(lattice, line, least=0.0):
    return enter(lattice, np.array([line], dtype=object), least)[1].tolist()


@settings(max_examples=200, deadline=None)
@given(GRIDS, LINES)
def test_a_line_enters_the_hexes_that_it_lies_in(grid, line):
    lattice = build_lattice(grid)
    # A line along a side lies in either of its hexes: what counts is what lies well within, and what is not outside.
    middles = grid.centres(grid.cells)[:, None]
    well, nearly = (middles + (grid.corners(grid.cells) - middles) * part for part in (1 - 1e-6, 1 + 1e-6))
    found = visits(lattice, line)
    within = shapely.length(shapely.intersection(shapely.polygons(well), line)) > 1e-4
    assert set(np.flatnonzero(within)) <= set(found) - {-1}
    assert shapely.intersects(shapely.polygons(nearly)[[c for c in found if c >= 0]], line).all()
    # In order: a point of each visit lies farther along than one of the visit before.
    steps = [c for c in found if c >= 0]
    assert all(b in lattice.beyond[a] or -1 in (a, b) or a == b for a, b in itertools.pairwise(found))
    if shapely.is_simple(line) and len(shapely.get_coordinates(line)) == 2:
        along = shapely.line_locate_point(line, shapely.points(grid.centres(grid.cells[steps])))
        assert (np.diff(along) > -grid.radius).all() and len(set(steps)) == len(steps)


@settings(max_examples=100, deadline=None)
@given(GRIDS, LINES, st.floats(0.05, 0.5))
def test_what_is_left_of_a_line_is_a_chain_of_neighbours(grid, line, clip):
    lattice = build_lattice(grid)
    found = visits(lattice, line, clip * grid.pitch)
    assert all(a != b for a, b in itertools.pairwise(found) if a >= 0)
    assert all(b in lattice.beyond[a] for a, b in itertools.pairwise(found) if a >= 0)
    assert set(found) <= set(visits(lattice, line))


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_a_line_right_through_corners_still_joins_neighbours(orientation):
    grid = HexGrid(orientation, 10, (0, 0), 5, 5)
    lattice = build_lattice(grid)
    middle = lattice.corners[lattice.cell_corners[grid.index([[2, 2]])[0]]] - OFF
    for corner in middle:
        for angle in np.arange(0, np.pi, np.pi / 12):
            way = 9 * np.array([np.cos(angle), np.sin(angle)])
            found = visits(lattice, shapely.LineString([corner - way, corner, corner + way]))
            assert all(b in lattice.beyond[a] for a, b in itertools.pairwise(found))


@settings(max_examples=60, deadline=None)
@given(GRIDS, st.data())
def test_a_line_along_a_hexside_is_told_from_one_within_a_hex(grid, data):
    lattice = build_lattice(grid)
    side = data.draw(st.sampled_from(np.flatnonzero(lattice.cells[:, 1] >= 0).tolist()))
    a, b = lattice.corners[lattice.sides[side]]
    begin, cut, end = (data.draw(st.floats(*bounds)) for bounds in ((-0.4, 0.2), (0.3, 0.7), (0.8, 1.4)))
    aside = data.draw(st.sampled_from([-1, 1])) * np.array([a[1] - b[1], b[0] - a[0]]) / grid.radius * grid.pitch
    on, off = (np.array([a + t * (b - a) for t in (begin, cut, end)]) + part * aside for part in (0.008, 0.012))
    lines = [
        shapely.LineString(p) for p in (on, off, on[::-1], [a, a + 0.45 * (b - a)], [a + 0.5 * aside, b - 0.5 * aside])
    ]
    line, sides = along_sides(lattice, np.array(lines))
    assert [(n, s) for n, s in zip(line.tolist(), sides.tolist(), strict=True)] == [(0, side), (2, side)]


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_a_road_along_hexsides_is_asked_about(tmp_path, orientation):
    grid = GRID.replace("flat", orientation)
    lattice = build_lattice(HexGrid(orientation, 10, (10, 5), 3, 3))
    corners = lattice.corners[lattice.cell_corners[4]]  # of the hex in the middle
    road = shapely.LineString([corners[0], corners[1], corners[2]])
    warmap, report = survey(tmp_path, ROADS, grid=grid, roads=[road])
    (finding,) = report
    beside = {tuple(sorted(finding.facts["spaces"]))}
    assert finding.rule.code == "M117" and "and along 1 more" in finding.message
    assert beside <= {tuple(sorted((h.a, h.b))) for h in warmap.hexsides} and "0202" in beside.pop()
    assert shapely.distance(road, shapely.Point(finding.facts["at"])) < 1e-3


def test_a_road_joins_the_hexes_that_it_runs_through(tmp_path):
    line = shapely.LineString([(10, 5), (10, 15), (X, 20), (27, 16)])
    warmap, report = survey(tmp_path, ROADS, roads=[(line, {"name": "A 1"})])
    assert not codes(report)
    assert [(x.a, x.b, x.kind, dict(x.traits)) for x in warmap.links] == [
        ("0101", "0102", "road", {"name": "A 1"}),
        ("0102", "0202", "road", {"name": "A 1"}),
        ("0202", "0302", "road", {"name": "A 1"}),
    ]
    assert warmap.links[0].where.key == "features.0"


@pytest.mark.parametrize(("clip", "pairs"), [(0.0, 2), (0.15, 1)])
def test_a_corner_that_is_only_cut_is_not_entered(tmp_path, clip, pairs):
    # From 0202 into 0302, over less than a millimetre of 0201 at the corner where the three meet.
    corner = (X + 10 / 3**0.5 / 2, Y - 5)
    line = shapely.LineString(
        [(X, Y), (corner[0] - 0.3, corner[1] - 0.4), (corner[0] + 0.5, corner[1] + 0.1), (27, 16)]
    )
    warmap, _ = survey(tmp_path, ROADS + f"clip = {clip}\n", roads=[line])
    assert len(warmap.links) == pairs
    assert {x.a for x in warmap.links} | {x.b for x in warmap.links} == (
        {"0202", "0302"} if pairs == 1 else {"0202", "0201", "0302"}
    )


def test_a_road_is_one_way_only_where_it_is_said_and_is_not_doubled(tmp_path):
    line = shapely.LineString([(10, 5), (10, 15)])
    text = ROADS + 'one_way = true\nproperties = ["class"]\ntraits = { surface = "mud" }\nassumed = "so"\n'
    twice = [(line, {"class": "major", "name": "A"}), (shapely.reverse(line), {"name": "B"})]
    warmap, _ = survey(tmp_path, text, roads=twice)
    (link,) = warmap.links
    assert (link.a, link.b, link.one_way, link.assumed) == ("0101", "0102", True, "so")
    assert dict(link.traits) == {"class": "major", "surface": "mud", "name": "A / B"}
    _, report = survey(tmp_path / "table", ROADS, roads=[line], links="a,b,kind\n0102,0101,road\n")
    assert codes(report) == ["M305"]


def test_a_wall_that_a_line_crosses_is_a_kind_of_hexside(tmp_path):
    text = '[[hexside]]\nname = "gate"\n[[crossing]]\nlayer = "roads"\nhexside = "gate"\n'
    warmap, report = survey(tmp_path, text, roads=[shapely.LineString([(10, 5), (10, 15)])])
    assert not codes(report) and not warmap.links
    assert {(h.a, h.b): set(h.kinds) for h in warmap.hexsides if h.kinds} == {("0101", "0102"): {"gate"}}


def test_a_bridge_is_where_a_road_crosses_a_river(tmp_path):
    text = (
        ROADS.replace('name = "road"', 'name = "road"\nbridge = "bridge"')
        + '[[hexside]]\nname = "river"\nlayer = "river"\nriver = true\n[[hexside]]\nname = "bridge"\n'
    )
    river = shapely.LineString([(3, 10), (10, 10.5), (22, 10)])
    roads = [shapely.LineString([(10, 5), (10, 15), (10, 25)])]
    warmap, report = survey(tmp_path, text, roads=roads, river=[river], links="a,b,kind\n0201,0102,road\n")
    assert not codes(report)
    found = {(h.a, h.b): set(h.kinds) for h in warmap.hexsides if h.kinds}
    assert found["0101", "0102"] == {"river", "bridge"}
    assert found["0102", "0201"] == {"river", "bridge"}, "a road of the table too"
    assert ("0102", "0103") not in found


def test_a_layer_without_lines_is_said(tmp_path):
    _, report = survey(tmp_path, TERRAIN + ROADS, land=[EVERYWHERE], wood=[EVERYWHERE], roads=[EVERYWHERE])
    assert codes(report) == ["M110"]
