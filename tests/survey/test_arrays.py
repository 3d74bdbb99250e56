"""The survey as arrays: symmetric, the same as the map that is made of it, and safe from whatever is drawn."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from drawn import HEAD, SHEET, plan
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from toolchain.model.drawing import Layer, Shape
from toolchain.report import Report
from toolchain.survey.arrays import survey_arrays
from toolchain.survey.maps import build_map, cleaned

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


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 2), DRAWINGS)
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
        assert (path.starts[0], ends[-1]) == (path.first, path.last) or len(path.sides) > len(set(ends))
        assert len(set(path.sides)) == len(path.sides)


def test_a_survey_needs_no_places(plans):
    box = shapely.box(-20, -20, 20, 60)
    arrays = survey_arrays(plans[0], {"land": Layer("land", (Shape(box),))}, Report())
    assert set(arrays.terrain.tolist()) == {0, 3}
    assert arrays.on_map.all()
    assert arrays.adjacency.start[-1] == 2 * (arrays.lattice.cells[:, 1] >= 0).sum()
