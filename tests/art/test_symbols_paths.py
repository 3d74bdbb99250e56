"""Path data with any commands becomes plain absolute commands."""

from __future__ import annotations

import pytest

from toolchain.art.paths import bounds, read_path, write_path


def test_relative_commands_and_shorthands_are_resolved() -> None:
    assert write_path(read_path("m10 10h5v5l-5 0z"), (1, 0, 0, 1, 0, 0)) == "M10 10L15 10L15 15L10 15Z"
    smooth = write_path(read_path("M0 0C0 5 5 5 5 0S10 -5 10 0"), (1, 0, 0, 1, 0, 0))
    assert smooth == "M0 0C0 5 5 5 5 0C5 -5 10 -5 10 0"


def test_arcs_become_curves_on_the_circle() -> None:
    commands = read_path("M-10 0A10 10 0 0 1 10 0")
    assert {op for op, _ in commands} == {"M", "C"}
    assert commands[-1][1][-1] == pytest.approx((10, 0))
    left, top, right, bottom = bounds(commands)
    assert (left, right, bottom) == pytest.approx((-10, 10, 0)) and top == pytest.approx(-10, abs=0.01)


def test_a_matrix_maps_every_point() -> None:
    assert write_path(read_path("M1 2L3 4"), (0, 1, -1, 0, 10, 0)) == "M8 1L6 3"
