"""The survey as arrays: symmetric, the same as the map that is made of it, and safe from whatever is drawn."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from drawn import HEAD, SHEET, plan
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from seamed import ALL, ROAD, arrangement, sheet, svg
from seamed import plan as sheets_plan

from toolchain.checks.seams import check_seams
from toolchain.checks.structure import check_drawn
from toolchain.export.geojson import to_geojson
from toolchain.export.graphfiles import read_json, to_graphml, to_json
from toolchain.export.tables import to_tables
from toolchain.graph.build import build_graph
from toolchain.model.drawing import Layer, Shape
from toolchain.report import Report
from toolchain.survey.arrays import survey_arrays
from toolchain.survey.sheets import arrange
from toolchain.survey.single import build_map, cleaned

EVERYTHING = """
[[terrain]]
name = "sea"
outside = "land"
[[terrain]]
name = "wood"
layer = "wood"
from = 0.4
[[terrain]]
name = "marsh"
layer = "marsh"
by = "{by}"
[[terrain]]
name = "clear"
rest = true
[[hexside]]
name = "river"
layer = "rivers"
flow = "{flow}"
[[hexside]]
name = "coast"
border = "sea"
[[hexside]]
name = "water"
over = "sea"
[[hexside]]
name = "bridge"
[[hexside]]
name = "gate"
[[river]]
name = "b"
mouth = [20.0, 20.0]
[[feature]]
name = "town"
[[link]]
name = "road"
bridge = "bridge"
[[crossing]]
layer = "roads"
link = "road"
hexside = "gate"
[[site]]
layer = "towns"
feature = "town"
named = true
"""
GRID = '[grid]\norientation = "{}"\npitch = 6\norigin = [3, 1]\ncolumns = 7\nrows = 6\nlow = "{}"\n'
NUMBER = st.floats(-20, 60) | st.integers(-1, 7).map(lambda n: 6.0 * n) | st.just(0.0)
POINT = st.tuples(NUMBER, NUMBER)
NAMES = st.sampled_from(["a", "b", ""])


def shapes(geometry):
    return st.lists(st.builds(lambda g, n: Shape(g, {"name": n}), geometry, NAMES), max_size=4).map(tuple)


def ring(points):
    return shapely.make_valid(shapely.polygons(points), method="structure", keep_collapsed=False)


AREAS = shapes(st.lists(POINT, min_size=3, max_size=8).map(ring))
LINES = shapes(
    st.lists(POINT, min_size=2, max_size=8, unique=True).map(shapely.LineString)
    | st.lists(st.lists(POINT, min_size=2, max_size=4, unique=True), min_size=1, max_size=3).map(
        shapely.MultiLineString
    )
)
DRAWINGS = st.fixed_dictionaries(
    {
        "land": AREAS,
        "wood": AREAS,
        "marsh": AREAS,
        "rivers": LINES,
        "roads": LINES,
        "towns": shapes(POINT.map(shapely.Point)),
    }
).map(lambda layers: {name: Layer(name, found) for name, found in layers.items()})


@pytest.fixture(scope="module")
def plans(tmp_path_factory):
    out = []
    for n, (top, low, by, flow) in enumerate(
        [("flat", "odd", "touch", "drawn"), ("pointy", "even", "centre", "mouth"), ("flat", "even", "area", "against")]
    ):
        text = EVERYTHING.format(by=by, flow=flow)
        empty = dict.fromkeys(("land", "wood", "marsh", "rivers", "roads", "towns"), ())
        folder = tmp_path_factory.mktemp(f"plan{n}")
        read, report = plan(folder, text, head=HEAD, grid=GRID.format(top, low), **empty)
        assert read is not None and not len(report), [str(f) for f in report]
        assert SHEET
        out.append(read)
    return out


# A river that comes back on land to a side at which it was in the sea.
BACK = shapely.LineString([(12, 1.1), (0, 30), (0, 0), (16.1, 0), (36, 30), (6, 6), (0, 42), (12, 0)])
COAST = shapely.make_valid(shapely.MultiPolygon([shapely.Polygon(ring) for ring in (
    [(3.7, 45), (-2, 0), (0, 0)], [(21.4, 0), (0, 0), (45.9, 1.3)], [(0, 0), (0, 12), (30, 30), (0, 36.2), (1.1, 0)]
)]))  # fmt: skip


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2), DRAWINGS)
@example(0, {"rivers": Layer("rivers", (Shape(BACK),)), "land": Layer("land", (Shape(COAST),))})
def test_whatever_is_drawn_becomes_a_map(plans, number, drawn):
    read, drawing = plans[number], cleaned(drawn)
    surveyed = build_map(read, drawing, None, Report())
    warmap, arrays = surveyed.warmap, surveyed.arrays
    assert warmap == build_map(read, drawing, None, Report()).warmap, "the same twice"
    assert np.allclose(arrays.shares.sum(axis=1), 1, atol=1e-6)

    # Arrays and map say the same.
    adjacency, lattice = arrays.adjacency, arrays.lattice
    tail = np.repeat(np.arange(len(arrays.on_map)), np.diff(adjacency.start))
    pairs = set(zip(tail.tolist(), adjacency.cells.tolist(), strict=True))
    assert pairs == {(b, a) for a, b in pairs}
    graph = build_graph(warmap)
    assert {frozenset(e) for e in graph.edges()} >= {frozenset((h.a, h.b)) for h in warmap.hexsides}
    assert all(graph.has_edge(b, a) for a, b in graph.edges())
    cells = {s.key: int(arrays.grid.index([s.cell])[0]) for s in warmap.spaces}
    assert {(cells[h.a], cells[h.b]) for h in warmap.hexsides} == {(a, b) for a, b in pairs if a < b}
    assert {frozenset((a, b)) for a, b in lattice.cells[adjacency.sides].tolist()} == {frozenset(p) for p in pairs}
    for s in warmap.spaces:
        kind = int(arrays.terrain[cells[s.key]])
        assert s.terrain == (arrays.terrains[kind] if kind >= 0 else "")

    # Roads join neighbours, once; bridges are where they cross rivers.
    joined = [frozenset((x.a, x.b)) for x in warmap.links]
    assert len(set(joined)) == len(joined)
    rivers = {frozenset((h.a, h.b)) for h in warmap.hexsides if "river" in h.kinds}
    sides = {frozenset((h.a, h.b)): h for h in warmap.hexsides}
    assert set(joined) <= set(sides)
    assert {p for p, h in sides.items() if "bridge" in h.kinds} == set(joined) & rivers
    assert {p for p, h in sides.items() if "gate" in h.kinds} == set(joined)
    assert all(h.kinds & {"river"} for h in warmap.hexsides if h.flows)
    for stream in arrays.sides.streams:
        path = stream.path
        ends = [int(lattice.sides[s].sum()) - c for s, c in zip(path.sides, path.starts, strict=True)]
        corners = [path.first, *ends]
        assert path.starts[0] == path.first
        assert all(c in corners[: i + 1] for i, c in enumerate(path.starts)), "no gaps"
        # One that runs in a ring may go on over a side that it has been at.
        assert path.last == ends[-1] or (path.last in corners and len(set(corners)) < len(corners))
        assert len(set(path.sides)) == len(path.sides)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2), DRAWINGS)
def test_whatever_is_drawn_can_be_checked_and_written(plans, number, drawn):
    read, drawing = plans[number], cleaned(drawn)
    got = build_map(read, drawing, None, Report())
    for finding in check_drawn(read, got.warmap, got.drawing, got.ends):
        assert finding.message and str(finding.where)
    report = Report()
    back = read_json(to_json(got.warmap), "map.json", report)
    assert back is not None and not len(report)
    assert to_json(back) == to_json(got.warmap)
    assert to_graphml(got.warmap) and to_geojson(got.warmap, None) and to_tables(got.warmap, None)


BOARDS = """
[[terrain]]
name = "sea"
outside = "land"
[[terrain]]
name = "clear"
rest = true
[[hexside]]
name = "river"
layer = "rivers"
[[feature]]
name = "town"
[[link]]
name = "road"
[[points]]
layer = "towns"
[[areas]]
layer = "wood"
[[lines]]
layer = "roads"
kind = "road"
snap = 6
[[site]]
layer = "towns"
feature = "town"
"""


@pytest.fixture(scope="module")
def board(tmp_path_factory):
    empty = dict.fromkeys(("land", "wood", "rivers", "roads", "towns"), ())
    read, _ = plan(tmp_path_factory.mktemp("board"), BOARDS, grid="", **empty)
    assert read is not None
    return read


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DRAWINGS)
def test_whatever_is_drawn_becomes_a_board(board, drawn):
    got = build_map(board, cleaned(drawn), None, Report())
    keys = [s.key for s in got.warmap.spaces]
    assert len(set(keys)) == len(keys)
    assert all(h.a in keys and h.b in keys and h.a != h.b for h in got.warmap.hexsides)
    assert len({frozenset((h.a, h.b)) for h in got.warmap.hexsides}) == len(got.warmap.hexsides)
    assert all(x.a in keys and x.b in keys for x in got.warmap.links)
    assert all(abs(sum(s.shares.values()) - 1) < 1e-4 for s in got.warmap.spaces if s.kind == "area")
    list(check_drawn(board, got.warmap, got.drawing, got.ends))


@pytest.fixture(scope="module")
def sheets(tmp_path_factory):
    tables = [arrangement('sheet = "A", at = [0, 0]', f'sheet = "B", at = [1, 0], turn = {t}') for t in (0, 180)]
    tables[1] = tables[1].replace('"Game"', '"Turned"')
    crossing = '[[crossing]]\nlayer = "roads"\nlink = "road"\n'
    blank = svg(land=ALL, wood=ALL, rivers=ROAD, roads=ROAD)
    got, report = sheets_plan(
        tmp_path_factory.mktemp("sheets"), sheet("A"), sheet("B"), *tables, crossing, "[seam]\n", A=blank, B=blank
    )
    assert got is not None, [str(f) for f in report]
    return got


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(DRAWINGS, DRAWINGS)
def test_whatever_is_drawn_on_sheets_is_laid_together(sheets, one, other):
    surveyed = {
        p.data.sheet.name: build_map(p, cleaned(drawn), None, Report())
        for p, drawn in zip(sheets.sheets, (one, other), strict=True)
    }
    alone = [{frozenset((h.a, h.b)) for h in x.warmap.hexsides} for x in surveyed.values()]
    for number in (0, 1):
        got = arrange(sheets, surveyed, number, Report())
        parts = {part: s.key for s in got.warmap.spaces for part in s.parts}
        pairs = {frozenset((h.a, h.b)) for h in got.warmap.hexsides}
        for name, own in zip("AB", alone, strict=True):
            assert {frozenset(parts[f"{name}-{key}"] for key in pair) for pair in own} <= pairs
        assert len(pairs) == len(got.warmap.hexsides)
        assert all(abs(sum(s.shares.values()) - 1) < 1e-4 for s in got.warmap.spaces)
        list(check_drawn(sheets, got.warmap, got.drawing, got.ends))
    list(check_seams(sheets, surveyed))


def test_a_survey_needs_no_places(plans):
    box = shapely.box(-20, -20, 20, 60)
    arrays = survey_arrays(plans[0], {"land": Layer("land", (Shape(box),))}, Report())
    assert set(arrays.terrain.tolist()) == {0, 3}
    assert arrays.on_map.all()
    assert arrays.adjacency.start[-1] == 2 * (arrays.lattice.cells[:, 1] >= 0).sum()
