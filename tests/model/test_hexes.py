"""Hex geometry: centres, neighbours, distances and numbering agree with each other on every kind of grid."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolchain.model.hexes import HexGrid, Numbering

GRIDS = st.builds(
    HexGrid,
    orientation=st.sampled_from(["flat", "pointy"]),
    pitch=st.floats(1, 100),
    origin=st.tuples(st.floats(-500, 500), st.floats(-500, 500)),
    columns=st.integers(1, 9),
    rows=st.integers(1, 9),
    low=st.sampled_from(["odd", "even"]),
)
NUMBERINGS = st.builds(
    Numbering,
    order=st.sampled_from(["column", "row"]),
    column_start=st.integers(1, 50),
    row_start=st.integers(1, 50),
    column_digits=st.integers(2, 4),
    row_digits=st.integers(2, 4),
    separator=st.sampled_from([".", "-", "/"]),
)
CELLS = st.tuples(st.integers(-60, 60), st.integers(-60, 60))


@given(GRIDS)
def test_a_centre_lies_in_its_own_cell(grid):
    assert (grid.cell_at(grid.centres(grid.cells)) == grid.cells).all()


@given(GRIDS)
def test_the_origin_is_the_centre_of_the_first_cell(grid):
    assert grid.centres([[0, 0]])[0] == pytest.approx(grid.origin)


@given(GRIDS, st.data())
def test_a_point_near_a_corner_lies_in_a_hex_that_has_the_corner(grid, data):
    cell = data.draw(st.sampled_from([tuple(c) for c in grid.cells.tolist()]))
    side = data.draw(st.integers(0, 5))
    pull = data.draw(st.floats(0.01, 0.99))
    point = grid.centres([cell])[0] + grid.corner_offsets()[side] * pull
    assert tuple(grid.cell_at([point])[0]) == cell


@given(GRIDS)
def test_neighbours_are_a_pitch_away_and_mutual(grid):
    near = grid.neighbours(grid.cells)
    gap = grid.centres(near.reshape(-1, 2)).reshape(-1, 6, 2) - grid.centres(grid.cells)[:, None, :]
    assert np.hypot(*np.moveaxis(gap, 2, 0)) == pytest.approx(grid.pitch)
    back = grid.neighbours(near.reshape(-1, 2)).reshape(-1, 6, 6, 2)
    for side in range(6):
        assert (back[:, side, (side + 3) % 6] == grid.cells).all()


@given(GRIDS)
def test_a_side_is_shared_with_the_neighbour_across_it(grid):
    corners = grid.corners(grid.cells)
    near = grid.neighbours(grid.cells)
    for side in range(6):
        other = grid.corners(near[:, side])
        assert corners[:, side] == pytest.approx(other[:, (side + 4) % 6], abs=1e-6 * grid.pitch)
        assert corners[:, (side + 1) % 6] == pytest.approx(other[:, (side + 3) % 6], abs=1e-6 * grid.pitch)


@given(GRIDS)
def test_sides_run_clockwise_from_the_top(grid):
    middles = (grid.corner_offsets() + np.roll(grid.corner_offsets(), -1, axis=0)) / 2
    angles = np.degrees(np.arctan2(middles[:, 0], -middles[:, 1])) % 360
    first = 0 if grid.orientation == "flat" else 30
    assert angles == pytest.approx([(first + 60 * i) % 360 for i in range(6)], abs=1e-6) or angles[0] > 359.9


@given(GRIDS, st.data())
def test_distance_counts_steps_between_neighbours(grid, data):
    start = data.draw(CELLS)
    here, steps = np.array([start]), data.draw(st.lists(st.integers(0, 5), max_size=12))
    for side in steps:
        here = grid.neighbours(here)[:, side]
    assert grid.distance([start], here)[0] <= len(steps)
    straight = np.array([start])
    for _ in range(7):
        straight = grid.neighbours(straight)[:, 2]
    assert grid.distance([start], straight)[0] == 7


@given(GRIDS)
def test_index_finds_every_cell_and_nothing_beyond(grid):
    assert (grid.index(grid.cells) == np.arange(len(grid.cells))).all()
    beyond = [[-1, 0], [0, -1], [grid.columns, 0], [0, grid.rows]]
    assert (grid.index(beyond) == -1).all()


@given(NUMBERINGS, st.integers(0, 60), st.integers(0, 60))
def test_labels_can_be_read_back(numbering, column, row):
    assert numbering.cell(numbering.label(column, row)) == (column, row)


@given(st.booleans(), st.integers(0, 800), st.integers(0, 98), st.sampled_from(["column", "row"]))
def test_lettered_labels_can_be_read_back(columns_lettered, letters, number, order):
    numbering = Numbering(order=order, column_letters=columns_lettered, row_letters=not columns_lettered)
    cell = (letters, number) if columns_lettered else (number, letters)
    assert numbering.cell(numbering.label(*cell)) == cell


@given(st.integers(1, 99), st.integers(1, 99), st.integers(1, 99), st.integers(1, 99))
def test_two_digits_each_need_no_separator(a, b, c, d):
    numbering = Numbering()
    assert (numbering.label(a, b) == numbering.label(c, d)) == ((a, b) == (c, d))


def test_words_are_no_labels():
    assert Numbering().cell("Oslo") is None
    assert Numbering().label(3, 11) == "0412"
    assert Numbering().cell("0412") == (3, 11)
