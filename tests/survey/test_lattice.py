"""Lines on the lattice: rivers are connected paths of hexsides, and shares along hexsides are exact."""

from __future__ import annotations

from collections import Counter

import networkx as nx
import numpy as np
import pytest
import shapely
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from toolchain.model.hexes import HexGrid
from toolchain.survey.lattice import build_lattice, follow, share_inside, way_to

GRIDS = st.builds(
    HexGrid,
    orientation=st.sampled_from(["flat", "pointy"]),
    pitch=st.floats(5, 20),
    origin=st.tuples(st.floats(-5, 5), st.floats(-5, 5)),
    columns=st.integers(2, 7),
    rows=st.integers(2, 7),
    low=st.sampled_from(["odd", "even"]),
)
# On the grid of a nanometre on which drawings are set before they are surveyed.
NUMBER = st.floats(-20, 120).map(lambda v: round(v, 6))
PLACE = st.tuples(NUMBER, NUMBER)
LINES = st.lists(PLACE, min_size=2, max_size=10, unique=True).map(shapely.LineString)


def lines(*geometries):
    return np.array(geometries, dtype=object)


@given(GRIDS)
def test_the_lattice_has_every_side_once(grid):
    lattice = build_lattice(grid)
    ends = {frozenset(s) for s in lattice.sides.tolist()}
    assert len(ends) == len(lattice.sides)
    # Euler: corners - sides + hexes = 1 for a grid without holes.
    assert len(lattice.corners) - len(lattice.sides) + len(grid.cells) == 1
    lengths = np.hypot(*(lattice.corners[lattice.sides[:, 0]] - lattice.corners[lattice.sides[:, 1]]).T)
    assert lengths == pytest.approx(grid.radius)
    assert lattice.corners[lattice.cell_corners] == pytest.approx(grid.corners(grid.cells))
    assert (lattice.cells[lattice.cell_sides] == np.arange(len(grid.cells))[:, None, None]).any(axis=2).all()
    ends = np.sort(np.stack([lattice.cell_corners, np.roll(lattice.cell_corners, -1, axis=1)], axis=2), axis=2)
    assert (np.sort(lattice.sides[lattice.cell_sides], axis=2) == ends).all()
    inner = lattice.cells[:, 1] >= 0
    assert (grid.distance(grid.cells[lattice.cells[inner, 0]], grid.cells[lattice.cells[inner, 1]]) == 1).all()


@given(GRIDS, st.lists(PLACE, min_size=1, max_size=20))
def test_the_nearest_corner_is_the_nearest(grid, points):
    lattice = build_lattice(grid)
    points = np.array(points)
    found = lattice.nearest(points)
    for point, corner in zip(points, found, strict=True):
        away = np.hypot(*(lattice.corners - point).T)
        if corner >= 0:
            assert away[corner] == pytest.approx(away.min())
        else:
            assert grid.index(grid.cell_at([point]))[0] == -1


@settings(max_examples=200, deadline=None)
@given(GRIDS, st.lists(LINES, min_size=1, max_size=3))
def test_a_line_follows_connected_sides_without_spurs(grid, drawn):
    lattice = build_lattice(grid)
    for path in follow(lattice, lines(*drawn)):
        ends = [int(lattice.sides[s].sum()) - c for s, c in zip(path.sides, path.starts, strict=True)]
        assert [path.first, *ends] == [*path.starts, path.last], "a gap"
        once = path.once()
        assert len(set(once.sides)) == len(once.sides) and set(once.sides) == set(path.sides)
        graph = nx.Graph(lattice.sides[path.sides].tolist())
        assert nx.is_connected(graph), "a gap"
        loose = {corner for corner, degree in graph.degree if degree == 1}
        assert loose <= {path.first, path.last}, "a spur"
        assert path.starts[0] == path.first
        # The path stays within a hex of its line.
        places = shapely.points(lattice.corners[lattice.sides[path.sides].ravel()])
        assert (shapely.distance(drawn[path.line], places) <= grid.radius * (1 + 1e-6)).all()


@settings(max_examples=200, deadline=None)
@given(GRIDS, LINES)
def test_a_line_is_followed_without_a_break_while_it_is_on_the_grid(grid, drawn):
    lattice = build_lattice(grid)
    inside = shapely.union_all(shapely.polygons(grid.corners(grid.cells)).tolist()).buffer(-1e-3)
    line = shapely.intersection(drawn, inside)
    for part in shapely.get_parts(line):
        if part.geom_type == "LineString" and part.length:
            paths = follow(lattice, lines(part))
            assert len(paths) <= 1
            if paths:
                tips = shapely.get_coordinates(part)[[0, -1]]
                away = np.hypot(*(lattice.corners[None] - tips[:, None]).transpose(2, 0, 1))
                assert away[[0, 1], [paths[0].first, paths[0].last]] == pytest.approx(away.min(axis=1), abs=1e-6)
                assert paths[0].whole == [True, True]


@settings(deadline=None)
@given(GRIDS, st.integers(0, 1000), st.lists(st.integers(0, 2), min_size=1, max_size=12))
def test_a_line_drawn_along_sides_follows_just_these(grid, start, turns):
    lattice = build_lattice(grid)
    corner = start % len(lattice.corners)
    seen, wanted = [corner], []
    for turn in turns:
        ways = [(c, s) for c, s in lattice.around(corner) if c not in seen]
        if not ways:
            break
        corner, side = ways[turn % len(ways)]
        seen.append(corner)
        wanted.append(side)
    assume(wanted)
    # Drawn a little within the hexes, so that rounding cannot put it off the grid.
    middle = lattice.corners.mean(axis=0)
    points = middle + (lattice.corners[seen] - middle) * (1 - 1e-6)
    along = shapely.line_interpolate_point(shapely.linestrings(points), np.linspace(0, 1, 400), normalized=True)
    inside = grid.index(grid.cell_at(shapely.get_coordinates(along))) >= 0
    ring = len(wanted) > 4 and any(c == seen[0] for c, _ in lattice.around(seen[-1]))
    if inside.all() and not ring:
        (path,) = follow(lattice, lines(shapely.LineString(points)))
        assert (path.sides, path.starts, path.last) == (wanted, seen[:-1], seen[-1])


@given(GRIDS)
def test_a_corner_knows_what_is_around_it(grid):
    lattice = build_lattice(grid)
    graph = nx.Graph(lattice.sides.tolist())
    for corner in range(len(lattice.corners)):
        near = lattice.around(corner)
        assert {c for c, _ in near} == set(graph[corner])
        assert all(set(lattice.sides[s].tolist()) == {corner, c} for c, s in near)
        cells = lattice.cells_at(np.array([corner]))[0]
        assert set(cells[cells >= 0].tolist()) == set(np.flatnonzero((lattice.cell_corners == corner).any(axis=1)))


@given(GRIDS, st.data())
def test_the_way_to_a_corner_is_the_shortest(grid, data):
    lattice = build_lattice(grid)
    start, goal = (data.draw(st.integers(0, len(lattice.corners) - 1)) for _ in range(2))
    length = nx.shortest_path_length(nx.Graph(lattice.sides.tolist()), start, goal)
    way = way_to(lattice, start, lambda c: c == goal, lattice.corners[goal], (), 3)
    assert len(way) == (length if length <= 3 else 0)


def test_a_loop_inside_one_hex_is_forgotten():
    grid = HexGrid("flat", 10, (0, 0), 5, 5)
    lattice = build_lattice(grid)
    x, y = grid.centres([[2, 2]])[0]
    around = [(x + 6 * np.cos(a), y + 6 * np.sin(a)) for a in np.linspace(0, 2 * np.pi, 40)]
    paths = follow(lattice, lines(shapely.LineString([(x + 12, y), *around, (x + 12, y + 1)])))
    assert sum(len(p.sides) for p in paths) <= 2


def test_a_line_that_leaves_the_grid_has_a_run_for_each_visit():
    grid = HexGrid("flat", 10, (0, 0), 4, 4)
    lattice = build_lattice(grid)
    line = shapely.LineString([(5, 2), (5, 28), (5, 200), (20, 200), (20, 28), (20, 2)])
    runs = follow(lattice, lines(line))
    assert [len(r.sides) > 2 for r in runs] == [True, True]
    assert [r.whole for r in runs] == [[True, False], [False, True]]
    degree = Counter(c for run in runs for side in run.sides for c in lattice.sides[side].tolist())
    assert sorted(degree.values())[:4] == [1, 1, 1, 1]


@settings(max_examples=100, deadline=None)
@given(GRIDS, st.lists(st.tuples(PLACE, st.floats(1, 40)), max_size=5), st.booleans())
def test_shares_along_sides_are_exact(grid, discs, outside):
    area = shapely.union_all([shapely.Point(p).buffer(r, quad_segs=3) for p, r in discs])
    area = shapely.box(-50, -50, 150, 150).difference(area) if outside else area
    lattice = build_lattice(grid)
    sides = shapely.linestrings(lattice.corners[lattice.sides])
    wanted = shapely.length(shapely.intersection(sides, area)) / shapely.length(sides)
    assert share_inside(lattice, area) == pytest.approx(wanted, abs=1e-6)
