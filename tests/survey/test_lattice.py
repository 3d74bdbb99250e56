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
from toolchain.survey.lattice import build_lattice, follow, share_inside, snapped

GRIDS = st.builds(
    HexGrid,
    orientation=st.sampled_from(["flat", "pointy"]),
    pitch=st.floats(5, 20),
    origin=st.tuples(st.floats(-5, 5), st.floats(-5, 5)),
    columns=st.integers(2, 7),
    rows=st.integers(2, 7),
    low=st.sampled_from(["odd", "even"]),
)
PLACE = st.tuples(st.floats(-20, 120), st.floats(-20, 120))
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
    for line, runs in zip(snapped(lines(*drawn)), follow(lattice, lines(*drawn)), strict=True):
        for path in runs:
            assert len(set(path)) == len(path)
            graph = nx.Graph(lattice.sides[path].tolist())
            assert nx.is_connected(graph), "a gap"
            assert sum(degree == 1 for _, degree in graph.degree) <= 2, "a spur"
            # The path stays within a hex of its line.
            places = shapely.points(lattice.corners[lattice.sides[path].ravel()])
            assert (shapely.distance(line, places) < 2 * grid.radius).all()


@settings(deadline=None)
@given(GRIDS, st.integers(0, 1000), st.lists(st.integers(0, 2), min_size=1, max_size=12))
def test_a_line_drawn_along_sides_follows_just_these(grid, start, turns):
    lattice = build_lattice(grid)
    corner = start % len(lattice.corners)
    seen, wanted = [corner], []
    for turn in turns:
        ways = [(c, s) for c, s in lattice.beside[corner] if c not in seen]
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
    ring = len(wanted) > 4 and any(c == seen[0] for c, _ in lattice.beside[seen[-1]])
    if inside.all() and not ring:
        assert follow(lattice, lines(shapely.LineString(points))) == [[wanted]]


def test_a_loop_inside_one_hex_is_forgotten():
    grid = HexGrid("flat", 10, (0, 0), 5, 5)
    lattice = build_lattice(grid)
    x, y = grid.centres([[2, 2]])[0]
    around = [(x + 6 * np.cos(a), y + 6 * np.sin(a)) for a in np.linspace(0, 2 * np.pi, 40)]
    (runs,) = follow(lattice, lines(shapely.LineString([(x + 12, y), *around, (x + 12, y + 1)])))
    assert sum(map(len, runs)) <= 2


def test_a_line_that_leaves_the_grid_has_a_run_for_each_visit():
    grid = HexGrid("flat", 10, (0, 0), 4, 4)
    lattice = build_lattice(grid)
    line = shapely.LineString([(5, 2), (5, 28), (5, 200), (20, 200), (20, 28), (20, 2)])
    (runs,) = follow(lattice, lines(line))
    assert [len(r) > 2 for r in runs] == [True, True]
    degree = Counter(c for run in runs for side in run for c in lattice.sides[side].tolist())
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
