"""Hex geometry: centres, neighbours, distances and numbering agree with each other on every kind of grid."""

from __future__ import annotations

from dataclasses import replace

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
    column_digits=st.integers(0, 4),
    row_digits=st.integers(0, 4),
    column_letters=st.booleans(),
    row_letters=st.booleans(),
    separator=st.sampled_from(["", ".", "-", "/", "x"]),
    column_step=st.integers(1, 5),
    row_step=st.integers(1, 5),
    double_letters=st.booleans(),
    column_from=st.sampled_from(["left", "right"]),
    row_from=st.sampled_from(["top", "bottom"]),
    stagger=st.sampled_from(["down", "up", "between", "falling", "rising"]),
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


# Numbers --------------------------------------------------------------------------------------------------------


def numbered(orientation: str = "flat", low: str = "odd", columns: int = 3, rows: int = 2, **numbering: object):
    """Return the labels of a grid as printed: line by line from the top, each from the left."""
    grid = HexGrid(orientation, 10.0, (0.0, 0.0), columns, rows, low, Numbering(**numbering))
    return [" ".join(grid.label(c, r) for c in range(columns)) for r in range(rows)]


@given(GRIDS, NUMBERINGS)
def test_labels_and_hexes_are_exact_in_both_directions(grid, numbering):
    grid = replace(grid, numbering=numbering)
    labels = grid.labels(grid.cells).tolist()
    cells = [tuple(c) for c in grid.cells.tolist()]
    assert labels == [grid.label(*c) for c in cells]
    assert all(labels)
    if grid.repeated:
        assert labels.count(grid.repeated) > 1
        assert not numbering.separator.strip("x") and numbering.column_letters == numbering.row_letters
    else:
        assert [grid.cell(label) for label in labels] == cells
        assert len(set(labels)) == len(labels)


@given(GRIDS, NUMBERINGS, st.text("0123456789AB.-/x", max_size=6))
def test_only_labels_of_the_grid_name_a_hex(grid, numbering, word):
    grid = replace(grid, numbering=numbering)
    cell = grid.cell(word)
    assert (cell is not None) == (word in grid.labels(grid.cells).tolist())
    assert cell is None or grid.label(*cell) == word


@given(GRIDS, NUMBERINGS)
def test_the_least_numbers_are_those_where_counting_starts(grid, numbering):
    grid = replace(grid, numbering=numbering)
    assert (grid.counted(grid.cells).min(axis=0) == 0).all()


@pytest.mark.parametrize(
    ("numbering", "printed"),
    [
        ({}, ["0101 0201 0301", "0102 0202 0302"]),
        ({"order": "row"}, ["0101 0102 0103", "0201 0202 0203"]),
        ({"stagger": "up"}, ["0101 0202 0301", "0102 0203 0302"]),
        ({"row_from": "bottom"}, ["0102 0202 0302", "0101 0201 0301"]),
        ({"row_from": "bottom", "stagger": "up"}, ["0103 0202 0303", "0102 0201 0302"]),
        ({"column_from": "right"}, ["0301 0201 0101", "0302 0202 0102"]),
        ({"stagger": "falling"}, ["0102 0202 0301", "0103 0203 0302"]),
        ({"stagger": "rising"}, ["0101 0202 0302", "0102 0203 0303"]),
        (
            {"column_letters": True, "row_start": 2, "stagger": "between"},
            ["A02 B03 C02", "A04 B05 C04"],
        ),
        (
            {"column_letters": True, "row_start": 2, "row_step": 2, "row_digits": 0},
            ["A2 B2 C2", "A4 B4 C4"],
        ),
        ({"column_start": 10, "column_step": 10, "separator": "."}, ["10.01 20.01 30.01", "10.02 20.02 30.02"]),
        (
            {"column_letters": True, "column_start": 26, "row_digits": 1},
            ["Z1 AA1 AB1", "Z2 AA2 AB2"],
        ),
        (
            {"column_letters": True, "column_start": 26, "row_digits": 1, "double_letters": True},
            ["Z1 AA1 BB1", "Z2 AA2 BB2"],
        ),
    ],
    ids=lambda x: " ".join(f"{k}={v}" for k, v in x.items()) if isinstance(x, dict) else "",
)
def test_numbers_as_printed(numbering, printed):
    assert numbered(**numbering) == printed


def test_where_the_first_column_is_the_low_one():
    assert numbered(low="even", stagger="up") == ["0102 0201 0302", "0103 0202 0303"]
    assert numbered(low="even", stagger="between", row_digits=1) == ["012 021 032", "014 023 034"]
    assert numbered(low="even", stagger="rising") == ["0101 0201 0302", "0102 0202 0303"]
    assert numbered(low="even", stagger="falling") == ["0102 0201 0301", "0103 0202 0302"]


def test_rows_of_pointy_hexes_are_the_lines_that_are_shifted():
    assert numbered("pointy", stagger="up") == ["0101 0201 0301", "0202 0302 0402"]
    assert numbered("pointy", rows=3, stagger="rising", column_digits=1) == [
        "101 201 301",
        "202 302 402",
        "203 303 403",
    ]


@given(GRIDS, st.sampled_from(["down", "up", "between", "falling", "rising"]))
def test_a_number_runs_as_stated(grid, stagger):
    """Hexes of one number in neighbouring lines lie half a pitch apart, on the stated side."""
    grid = replace(grid, numbering=Numbering(stagger=stagger))
    flat = grid.orientation == "flat"
    nth = grid.counted(grid.cells)
    line, number = (nth if flat else nth[:, ::-1]).T
    along = grid.centres(grid.cells)[:, 1 if flat else 0] / grid.pitch
    shifted = grid.shifted(grid.cells)
    where = {(a, b): (y, s) for a, b, y, s in zip(line.tolist(), number.tolist(), along, shifted.tolist(), strict=True)}
    for (a, b), (y, s) in where.items():
        if (a + 1, b) not in where:
            continue
        step = where[a + 1, b][0] - y
        right = {"down": 0.5 - s, "up": s - 0.5, "falling": 0.5, "rising": -0.5}
        assert stagger != "between"
        assert step == pytest.approx(right[stagger], abs=1e-6)


def test_a_hundred_thousand_labels_at_once():
    grid = HexGrid("flat", 1.0, (0.0, 0.0), 400, 250, numbering=Numbering(column_digits=3, row_digits=3))
    labels = grid.labels(grid.cells)
    assert (labels[0], labels[-1], len(set(labels.tolist()))) == ("001001", "400250", 100_000)
    assert grid.cell("123045") == (122, 44)


def test_cells_off_the_grid_have_no_number():
    grid = HexGrid("flat", 10.0, (0.0, 0.0), 3, 2)
    assert (grid.label(3, 0), grid.label(0, -1), grid.labels([[0, 2], [2, 1]]).tolist()) == ("", "", ["", "0302"])
    assert [grid.cell(word) for word in ("Oslo", "", "101", "00101", "0103", "0401")] == [None] * 6


def test_stated_labels_stand_for_numbers():
    grid = HexGrid("flat", 10.0, (0.0, 0.0), 2, 2, stated=("A-01", "", "B-01", "B-02"))
    assert [grid.label(0, 0), grid.label(0, 1), grid.label(1, 1)] == ["A-01", "", "B-02"]
    assert (grid.cell("B-01"), grid.cell(""), grid.repeated) == ((1, 0), None, "")
