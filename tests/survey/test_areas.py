"""Shares by area are those that shapely finds by cutting every hex, one by one."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from toolchain.model.hexes import HexGrid
from toolchain.survey.areas import area_shares

GRIDS = st.builds(
    HexGrid,
    orientation=st.sampled_from(["flat", "pointy"]),
    pitch=st.floats(3, 40),
    origin=st.tuples(st.floats(-20, 20), st.floats(-20, 20)),
    columns=st.integers(1, 6),
    rows=st.integers(1, 6),
    low=st.sampled_from(["odd", "even"]),
)
# Not finer than a millionth: the oracle divides by zero on denormal numbers.
NUMBER = st.floats(-80, 160).map(lambda v: round(v, 6)) | st.integers(-10, 20).map(float)
POINTS = st.lists(st.tuples(NUMBER, NUMBER), min_size=3, max_size=12)


@st.composite
def grounds(draw):
    """Draw valid areas with holes and several parts; edges may be upright, and points may lie on corners."""
    ring = shapely.make_valid(shapely.polygons(draw(POINTS)), method="structure", keep_collapsed=False)
    discs = shapely.buffer(shapely.points(draw(POINTS)), draw(st.floats(0.5, 30)), quad_segs=4)
    return shapely.symmetric_difference(ring, shapely.union_all(discs))


def by_cutting(grid, areas):
    hexes = shapely.polygons(grid.corners(grid.cells))
    return np.stack([shapely.area(shapely.intersection(hexes, a)) / grid.area for a in areas], axis=1)


@settings(max_examples=150, deadline=None)
@given(GRIDS, st.lists(grounds(), min_size=1, max_size=3))
def test_shares_are_exact(grid, areas):
    assert area_shares(grid, areas) == pytest.approx(by_cutting(grid, areas), abs=1e-9)


@settings(deadline=None)
@given(GRIDS)
def test_ground_that_covers_the_grid_fills_every_hex(grid):
    assert area_shares(grid, [shapely.box(-999, -999, 999, 999)]) == pytest.approx(1)


@settings(deadline=None)
@given(GRIDS, st.integers(0, 35))
def test_a_hex_covers_itself_and_no_other(grid, number):
    number %= len(grid.cells)
    shares = area_shares(grid, [shapely.polygons(grid.corners(grid.cells)[number])])[:, 0]
    assert shares[number] == pytest.approx(1)
    assert np.delete(shares, number) == pytest.approx(0, abs=1e-9)


def test_nothing_and_lines_cover_nothing():
    grid = HexGrid("flat", 10, (0, 0), 3, 3)
    line = shapely.LineString([(0, 0), (30, 30)])
    mixed = shapely.GeometryCollection([line, shapely.box(-50, -50, 50, 50)])
    shares = area_shares(grid, [shapely.Polygon(), line, mixed])
    assert (shares[:, :2] == 0).all()
    assert shares[:, 2] == pytest.approx(1)
