"""The fit of the grid: against brute force, on a case with a known answer, and on a real map."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import tomllib
from pathlib import Path

import numpy as np
import pytest
import shapely
from click.testing import CliRunner
from drawn import TERRAIN, codes, plan
from hypothesis import given, settings
from hypothesis import strategies as st
from runaway import bounded

from toolchain.cli import cli
from toolchain.model.hexes import HexGrid
from toolchain.report import Report
from toolchain.sources.decode.fit import FitData, WeightsData
from toolchain.sources.decode.maps import read_map
from toolchain.survey.fit import covering, covers, fit_map, to_toml
from toolchain.survey.fitsearch import Move, Task, assess, count, lattice_offsets, search

ROOT = Path(__file__).parents[2]
SEA = shapely.box(-1000, -1000, 30, 1000)


def task_of(
    points, grid=None, *, adjacent=(), apart=(), needs=(), own=None, plane=True, whole=True, weights=None, pivot=None
):
    grid = grid or HexGrid("flat", 10.0, (3.0, 4.0), 12, 12)
    pairs = [np.array(p, dtype=np.int64).reshape(-1, 2) for p in (adjacent, apart)]
    return Task(
        grid=grid,
        names=tuple(f"p{i}" for i in range(len(points))),
        points=np.array(points, dtype=float),
        own=np.ones(len(points), bool) if own is None else np.array(own),
        adjacent=pairs[0],
        apart=pairs[1],
        needs=tuple((i, "port", "sea") for i in needs),
        grounds={"sea": SEA},
        pivot=pivot or grid.origin,
        sheet=(100.0, 100.0),
        plane=plane,
        whole=plane and whole,
        weights=weights or WeightsData(),
    )


def by_hand(task, turn, size, offset):
    """Score one fit place by place."""
    w, c, s = task.weights, math.cos(math.radians(turn)), math.sin(math.radians(turn))
    cells, score = [], 0.0
    for x, y in task.points - task.pivot:
        at = (
            task.pivot[0] + size * (c * x - s * y) + offset[0],
            task.pivot[1] + size * (s * x + c * y) + offset[1],
        )
        cells.append(tuple(task.grid.cell_at([at])[0].tolist()))
    on = []
    for cell, (x, y) in zip(cells, task.points, strict=True):
        cx, cy = task.grid.centres([cell])[0]
        inside = cell[0] in range(task.grid.columns) and cell[1] in range(task.grid.rows)
        if task.plane:
            on.append(0 <= x <= 100 and 0 <= y <= 100 and (task.whole or inside))
        else:
            on.append(0 <= cx <= 100 and 0 <= cy <= 100 and inside)
    seen = set()
    for cell, own, here in zip(cells, task.own, on, strict=True):
        if own and not here:
            score += w.off
        elif own and cell in seen:
            score += w.share
        elif own:
            seen.add(cell)
    near = [set(map(tuple, task.grid.neighbours([cell])[0].tolist())) for cell in cells]
    score += w.adjacent * sum(cells[b] not in near[a] for a, b in task.adjacent)
    score += w.apart * sum(cells[b] in near[a] for a, b in task.apart)
    for i, _, _ in task.needs:
        moved = shapely.Polygon(task.grid.corners([cells[i]])[0])
        ground = shapely.affinity.translate(SEA, -task.pivot[0], -task.pivot[1])
        ground = shapely.affinity.affine_transform(ground, [size * c, -size * s, size * s, size * c, *task.pivot])
        ground = shapely.affinity.translate(ground, *offset)
        score += w.needs * (moved.intersection(ground).area < 1e-9)
    return score


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize(("plane", "whole"), [(True, True), (True, False), (False, False)])
def test_the_search_finds_what_trying_everything_finds(orientation, plane, whole):
    random = np.random.default_rng(7)
    for case in range(3):
        grid = HexGrid(orientation, 10.0, (3.0, 4.0), 9, 9, ("odd", "even")[case % 2])
        task = task_of(
            random.uniform(5, 70, (14, 2)),
            grid,
            adjacent=[(0, 1), (2, 3)],
            apart=[(4, 5), (6, 7)],
            needs=[1, 8, 9],
            own=[True] * 12 + [False] * 2,
            plane=plane,
            whole=whole,
            weights=WeightsData(share=2.5, off=3, adjacent=0.75, apart=1.5, needs=1.25),
            pivot=(20.0, 30.0),
        )
        turns = np.zeros(1) if plane else np.array([-4.0, 3.0])
        sizes, offsets = np.array([0.9, 1.15]), lattice_offsets(grid, 4)
        least = math.inf
        for turn, size in itertools.product(turns, sizes):
            got = count(dataclasses.replace(task, needs=()), turn, size, offsets)[0]
            without = dataclasses.replace(task, needs=())
            assert got == pytest.approx([by_hand(without, turn, size, o) for o in offsets])
        found = search(task, turns, sizes, 4, 3)
        for turn, size in itertools.product(turns, sizes):
            # The search may have moved a fit first, so that its places lie on the grid.
            base = np.zeros(2)
            if not whole:
                from toolchain.survey.fitsearch import _base

                base = _base(task, turn, size)
            least = min(least, *(by_hand(task, turn, size, base + o) for o in offsets))
        assert found.best[0].score <= least + 1e-9, "refining never makes it worse"
        for fit in (*found.best, found.now):
            assert fit.score == pytest.approx(by_hand(task, fit.move.turn, fit.move.size, fit.move.offset))
        assert [f.score for f in found.best] == sorted(f.score for f in found.best)


def test_a_grid_that_was_hidden_is_found_again():
    random = np.random.default_rng(3)
    true = HexGrid("flat", 11.3, (6.1, 2.9), 8, 7)
    cells = true.cells[random.permutation(len(true.cells))[:30]]
    # A port stands where its hex just reaches the sea; neighbours stand near each other and far ones apart.
    points = true.centres(cells) + random.uniform(-1.5, 1.5, (30, 2))
    near = [(i, j) for i, j in itertools.combinations(range(30), 2) if true.distance(cells[[i]], cells[[j]])[0] == 1]
    far = [(i, j) for i, j in itertools.combinations(range(30), 2) if true.distance(cells[[i]], cells[[j]])[0] == 2]
    stated = HexGrid("flat", 10.0, (0.0, 0.0), 9, 9)
    task = task_of(points, stated, adjacent=near, apart=far)
    found = search(task, np.zeros(1), np.geomspace(0.8, 1.0, 9), 12, 3)
    assert found.now.misses >= 10
    best = found.best[0]
    assert best.misses == 0 and best.score == 0
    assert found.task.grid.pitch / best.move.size == pytest.approx(11.3, abs=0.35)
    assert best.drift < 0.14


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["flat", "pointy"]),
    st.sampled_from(["odd", "even"]),
    st.tuples(st.floats(-40, 40), st.floats(-40, 40)),
    st.floats(0.7, 1.4),
    st.tuples(st.floats(-9, 9), st.floats(-9, 9)),
)
def test_the_grid_to_paste_is_the_lattice_that_was_found_over_the_whole_sheet(turned, low, origin, size, offset):
    grid = HexGrid(turned, 10.0, origin, 5, 5, low)
    made = covering(grid, Move(0.0, size, offset), (80.0, 60.0))
    assert made.pitch == pytest.approx(10 / size)
    points = np.random.default_rng(1).uniform((0, 0), (80, 60), (300, 2))
    assert (made.index(made.cell_at(points)) >= 0).all()
    assert made.columns * made.rows <= (80 / made.pitch + 3) * (60 / made.pitch + 3) * 1.25
    moved = size * (points - origin) + origin + offset
    middle = grid.centres(grid.cell_at(moved))
    assert size * (made.centres(made.cell_at(points)) - origin) + origin + offset == pytest.approx(middle, abs=1e-6)


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
@pytest.mark.parametrize(("origin", "size"), [(0, 6), (4, 3)])
def test_a_grid_on_a_part_of_the_sheet_keeps_its_columns_and_rows(tmp_path, orientation, origin, size):
    """A grid that leaves room for boxes must not run over them, nor get other numbers, by what fit says to paste."""
    text = "[fit]\npitch = [10, 10]\noffsets = 4\n"
    grid = (
        f'[grid]\norientation = "{orientation}"\npitch = 10\n'
        f"origin = [{origin}, {origin}]\ncolumns = {size}\nrows = {size}\n"
    )
    read, report = plan(tmp_path, text, grid=grid, places="name,x,y\nA,12,12\nB,14,22\n")
    fits = fit_map(read, report)
    assert fits is not None and not codes(report)
    made = tomllib.loads(to_toml(read, fits.best[0]))["grid"]
    new = HexGrid(orientation, made["pitch"], tuple(made["origin"]), made["columns"], made["rows"], made["low"])
    assert fits.best[0].misses == 0 and (new.index(new.cell_at(fits.task.points)) >= 0).all()
    if size == 6:
        assert covers(new, (40.0, 40.0))
    else:
        assert (new.columns, new.rows, new.low) == (3, 3, "odd")


def test_every_kind_of_miss_is_named():
    grid = HexGrid("flat", 10.0, (3.0, 4.0), 12, 12)
    at = grid.centres([[4, 4], [4, 4], [5, 4], [8, 8], [0, 0]])
    at[4] = (300, 300)
    fit = assess(task_of(at, grid, adjacent=[(0, 3)], apart=[(0, 2)], needs=[3]), Move())
    assert fit.shared == (("p0", "p1"),)
    assert fit.off == ("p4",)
    assert fit.adjacent == (("p0", "p3", 6),)
    assert fit.apart == (("p0", "p2", 1),)
    assert fit.needs == (("p3", "port", "sea"),)
    assert (fit.misses, fit.score) == (5, 7.0)


FIT = "[fit]\npitch = [8, 12]\nsteps = 5\n"
PLACES = "name,x,y,hex,features,cite\nA,18,20,,,1\nB,19,21,,,\nC,5,5,0303,,2\n"


@pytest.mark.parametrize(
    ("text", "fitted"),
    [("", "AB"), ('places = "cited"', "AC"), ('places = "all"', "ABC"), ('places = ["B", "C"]', "BC")],
)
def test_the_places_to_fit_are_chosen(tmp_path, text, fitted):
    read, report = plan(tmp_path, FIT + text, places=PLACES)
    fits = fit_map(read, report)
    assert fits is not None
    assert [n for n, own in zip(fits.task.names, fits.task.own, strict=True) if own] == list(fitted)
    if fitted == "AB":
        assert fits.now.shared == (("A", "B"),)
        assert fits.best[0].misses == 0


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ('places = ["Q"]', "fit.places.0"),
        ('adjacent = [["A", "Bb"]]', "fit.adjacent.0"),
        ('apart = [["A", "D"]]', "fit.apart.0"),
        ("turn = [0, 5]", "fit.turn"),
        ("scale = [1e6, 2e6]", "fit.scale"),
        ("pitch = [9, 8]", "fit"),
        ("steps = 100\noffsets = 64", "fit"),
        ("places = []", "fit.places"),
    ],
)
def test_a_wrong_statement_is_a_finding(tmp_path, text, key):
    head = "[fit]\n" + text + "\n"
    read, report = plan(tmp_path, head, places=PLACES + "D,,,0101,,\n")
    if read is not None:
        assert fit_map(read, report) is None
    assert [f.where.key for f in report] == [key]


def test_ports_are_moved_to_their_sea(tmp_path):
    text = TERRAIN + '[[feature]]\nname = "port"\nneeds = "sea"\n' + FIT
    places = "name,x,y,features\nA,14.4,22,port\nB,26,20,\n"
    read, report = plan(tmp_path, text, land=[shapely.box(8.5, -50, 90, 90)], wood=[], places=places)
    fits = fit_map(read, report)
    assert fits is not None
    assert fits.best[0].needs == () and fits.best[0].misses == 0
    tight = fit_map(dataclasses.replace(read, data=read.data.model_copy(update={"fit": FitData(pitch=(3, 4))})), report)
    assert tight.best[0].needs == (("A", "port", "sea"),)


def test_a_real_map_is_fitted_and_the_paste_gives_the_same(tmp_path):
    report = Report()
    read = read_map(ROOT, "festung-europa", report)
    with bounded():
        fits = fit_map(read, report, best=2)
    assert fits is not None and int(fits.task.own.sum()) > 80
    assert fits.best[0].misses <= 3 < fits.now.misses
    pasted = tomllib.loads(to_toml(read, fits.best[0]))["projection"]
    again = read.data.model_copy(update={"projection": read.data.projection.model_copy(update=pasted)})
    now = fit_map(dataclasses.replace(read, data=again), Report(), best=1).now
    assert now.misses == fits.best[0].misses
    assert now.drift == pytest.approx(fits.best[0].drift, abs=1e-3)


def test_the_command_shows_fits_to_paste():
    root = str(ROOT / "tests" / "data" / "projects")
    said = CliRunner().invoke(cli, ["fit", "tiny", "--root", root, "--best", "1"])
    assert said.exit_code == 0 and "# Fit 1: everything is met; the places lie 0.0" in said.stdout
    raw = json.loads(CliRunner().invoke(cli, ["fit", "tiny", "--root", root, "--json"]).stdout)
    assert raw["places"] == 4 and raw["fits"][0]["misses"] == 0
    assert tomllib.loads(raw["fits"][0]["toml"])["grid"]["columns"] > 3
    assert not raw["findings"]


def test_the_same_map_gives_the_same_fits(tmp_path):
    read, report = plan(tmp_path, FIT, places=PLACES)
    assert fit_map(read, report).best == fit_map(read, report).best
    assert not codes(report)
