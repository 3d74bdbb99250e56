"""GeoJSON layers: built, repaired, filtered, projected and cut."""

from __future__ import annotations

import json

import numpy as np
import pytest
import shapely
from drawn import EVERYWHERE, codes, geojson, plan
from hypothesis import given, settings
from hypothesis import strategies as st

from toolchain.report import Location, Report
from toolchain.sources.decode.maps import ProjectionData
from toolchain.sources.drawings import read_drawing, window_of
from toolchain.sources.geojson import Feature
from toolchain.sources.geojson import build as build_feature
from toolchain.sources.projection import Projection, build_projection

SQUARE = shapely.box(0, 0, 20, 20)
LCC = "+proj=lcc +lat_1=40 +lat_2=56 +lat_0=48 +lon_0=8"
PROJECTED = f'[projection]\ncrs = "{LCC}"\nscale = 1e6\nturn = {{}}\ncentre = [8.0, 48.0]\nat = [20, 20]\n'


def read(folder, text="", **layers):
    got, report = plan(folder, text, **layers)
    assert got is not None, [str(f) for f in report]
    drawing = read_drawing(got, build_projection(got, report), report)
    return drawing, report


def feature(geometry, **more):
    return {"type": "Feature", "geometry": geometry, **more}


def collection(*geometries):
    return json.dumps({"type": "FeatureCollection", "features": [feature(g) for g in geometries]})


@pytest.mark.parametrize(
    "shape",
    [
        shapely.Point(1, 2),
        shapely.MultiPoint([(1, 2), (3, 4)]),
        shapely.LineString([(0, 0), (5, 5)]),
        shapely.MultiLineString([[(0, 0), (5, 5)], [(1, 1), (2, 0)]]),
        SQUARE.difference(shapely.box(5, 5, 10, 10)),
        shapely.MultiPolygon([SQUARE, shapely.box(25, 25, 30, 30)]),
    ],
    ids=lambda s: s.geom_type,
)
def test_every_kind_of_geometry_is_read(tmp_path, shape):
    drawing, report = read(tmp_path, land=[(shape, {"name": "A"})])
    assert not codes(report)
    (got,) = drawing["land"].shapes
    assert got.geometry.equals(shape)
    assert got.properties["name"] == "A"
    assert str(got.where) == "maps/tiny/land.geojson, features.0"


def test_features_and_bare_geometries_and_collections_are_read(tmp_path):
    square = json.loads(shapely.to_geojson(SQUARE))
    mixed = {"type": "GeometryCollection", "geometries": [square, {"type": "Point", "coordinates": [1, 1, 99]}]}
    drawing, report = read(
        tmp_path, bare=json.dumps(square), one=json.dumps(feature(square, properties=None)), both=collection(mixed)
    )
    assert not codes(report)
    assert [len(drawing[name].shapes) for name in ("bare", "one", "both")] == [1, 1, 2]


def test_an_old_crs_member_is_ignored_where_nothing_is_projected(tmp_path):
    raw = json.loads(geojson([SQUARE]))
    raw["crs"] = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::25832"}}
    drawing, report = read(tmp_path, land=json.dumps(raw))
    assert not codes(report)
    assert drawing["land"].shapes[0].geometry.equals(SQUARE)


def test_heights_are_dropped_even_where_only_some_points_have_them(tmp_path):
    drawing, report = read(tmp_path, land=collection({"type": "LineString", "coordinates": [[0, 0, 5], [3, 4]]}))
    assert not codes(report)
    assert shapely.get_coordinates(drawing["land"].shapes[0].geometry).tolist() == [[0, 0], [3, 4]]


def test_each_bad_shape_is_said_and_the_good_ones_stay(tmp_path):
    deep = {"type": "Point", "coordinates": [1, 1]}
    for _ in range(20):
        deep = {"type": "GeometryCollection", "geometries": [deep]}
    bad = [
        {"type": "Polgyon", "coordinates": []},
        {"type": "Polygon", "coordinates": [[[0, 0], [1, 1]]]},
        {"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [0, 0]]]},
        {"type": "Polygon", "coordinates": [5]},
        {"type": "Polygon", "coordinates": 5},
        {"type": "LineString", "coordinates": [[0, 0], ["a", 1]]},
        {"type": "LineString", "coordinates": [[0, 0]]},
        {"type": "LineString", "coordinates": [[0, 0], [float("nan"), 1]]},
        {"type": "LineString", "coordinates": [[0, 0], [1e308, 1]]},
        {"type": "Point", "coordinates": [[1, 2]]},
        {"type": "Point", "coordinates": {"x": 1}},
        {"coordinates": [0, 0]},
        [1, 2],
        deep,
    ]
    drawing, report = read(tmp_path, land=collection(*bad, {"type": "Point", "coordinates": [1, 2]}))
    assert len(drawing["land"].shapes) == 1
    assert sorted(f.where.key for f in report) == sorted(f"features.{i}" for i in range(len(bad)))
    assert set(codes(report)) == {"S102"}
    assert any("did you mean 'Polygon'?" in f.message for f in report)


def test_an_invalid_outline_is_repaired_and_said(tmp_path):
    bowtie = {"type": "Polygon", "coordinates": [[[0, 0], [20, 20], [20, 0], [0, 20], [0, 0]]]}
    flat = {"type": "Polygon", "coordinates": [[[0, 0], [20, 20], [10, 10], [0, 0]]]}
    drawing, report = read(tmp_path, land=collection(bowtie, flat))
    (shape,) = drawing["land"].shapes
    assert shape.geometry.is_valid
    assert shape.geometry.area == pytest.approx(200)
    assert codes(report) == ["S102", "S103"]
    assert "10 10" in list(report)[1].message


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ('{"type": "Topology"}', "not GeoJSON: its type 'Topology' is none of"),
        ("[]", "not GeoJSON: its type is none of"),
        ('{"type": "FeatureCollection", "features": {}}', "no list of features"),
        ('{"type": "Feature"}\n{"type": "Feature"}\n', "more than one JSON text"),
        ('\x1e{"type": "Feature"}\n', "more than one JSON text"),
        ('{"type": ["Point"]}', "not GeoJSON"),
        ("[" * 100_000, "too deeply"),
        ('{"type": "Point", "coordinates": [' + "9" * 5000 + ", 0]}", "too long"),
    ],
    ids=["broken", "topology", "list", "no features", "lines", "sequence", "odd type", "deep", "long number"],
)
def test_files_that_are_no_drawings_are_findings(tmp_path, text, words):
    drawing, report = read(tmp_path, land=text)
    assert drawing == {}
    assert codes(report) == ["S002"]
    assert words in next(iter(report)).message


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ([["5", "5"], ["20", "20"]], "not pairs of numbers"),
        ([[True, False], [False, True]], "not pairs of numbers"),
        ([[1, {}], [2, 3]], "not pairs of numbers"),
        ([[1, None], [2, 3]], "not a finite number"),
        ([[10**40, 1], [2, 3]], "outside the world"),
    ],
)
def test_coordinates_are_numbers(tmp_path, line, words):
    drawing, report = read(
        tmp_path, land=collection(*({"type": "LineString", "coordinates": c} for c in (line, [[1, 1], [2, 3]])))
    )
    assert len(drawing["land"].shapes) == 1
    assert codes(report) == ["S102"] and words in next(iter(report)).message


def test_a_missing_file_names_the_nearest(tmp_path):
    drawing, report = read(tmp_path, '[layers.land]\nfile = "lnad.geojson"\n', land=[SQUARE])
    assert codes(report) == ["S001"]
    assert "did you mean 'land.geojson'?" in next(iter(report)).message
    assert "land" not in drawing


def test_filters_choose_by_property(tmp_path):
    text = '[layers.land]\nfile = "land.geojson"\nwhere = { kind = "river", class = [1, 2] }\n'
    shapes = [
        (SQUARE, {"kind": "river", "class": 1}),
        (SQUARE, {"kind": "river", "class": 3}),
        (SQUARE, {"kind": "lake", "class": 2}),
        (SQUARE, {"kind": "river", "class": 2}),
        (SQUARE, {}),
    ]
    drawing, report = read(tmp_path, text, land=shapes)
    assert [s.where.key for s in drawing["land"].shapes] == ["features.0", "features.3"]
    assert not codes(report)


def test_a_filter_that_nothing_passes_is_a_finding(tmp_path):
    text = '[layers.land]\nfile = "land.geojson"\nwhere = { kind = "rvier" }\n'
    drawing, report = read(tmp_path, text, land=[(SQUARE, {"kind": "river"})])
    assert drawing["land"].shapes == ()
    assert codes(report) == ["S110"]
    assert "it has river (1)" in next(iter(report)).message


def test_shapes_are_cut_to_sheet_and_grid(tmp_path):
    drawing, report = read(tmp_path, land=[EVERYWHERE, shapely.box(300, 300, 310, 310)])
    got, _ = plan(tmp_path / "again")
    (shape,) = drawing["land"].shapes
    assert shape.geometry.equals(EVERYWHERE.intersection(shapely.box(*window_of(got))))
    assert not codes(report)


# Projections ----------------------------------------------------------------------------------------------------


def build(crs=LCC, turn=0.0, centre=(8.0, 48.0), scale=1e6):
    import pyproj

    data = ProjectionData(crs=crs, scale=scale, turn=turn, centre=centre, at=(20.0, 20.0))
    return Projection(data, pyproj.CRS.from_user_input(crs))


def test_the_centre_lies_where_it_is_said_and_north_is_up():
    projection = build()
    assert projection.to_sheet([[8.0, 48.0]])[0] == pytest.approx([20, 20])
    north, east = projection.to_sheet([[8.0, 48.1], [8.1, 48.0]])
    # A tenth of a degree of latitude is 11.1 km, 11.1 mm at one to a million (within the scale error of the cone).
    assert north == pytest.approx([20, 20 - 11.1], abs=0.15)
    assert east[0] > 27
    assert east[1] == pytest.approx(20, abs=0.05)


def test_a_positive_turn_is_clockwise_on_the_sheet():
    x, y = build(turn=90.0).to_sheet([[8.0, 48.1]])[0]
    assert (x > 30, y) == (True, pytest.approx(20))


@given(st.floats(-20, 40), st.floats(30, 65), st.floats(-360, 360))
def test_points_come_back_from_the_sheet(lon, lat, turn):
    projection = build(turn=turn)
    assert projection.to_degrees(projection.to_sheet([[lon, lat]]))[0] == pytest.approx([lon, lat], abs=1e-6)


def test_a_projected_layer_lies_on_the_sheet(tmp_path):
    drawing, report = read(tmp_path, PROJECTED.format(0), land=[shapely.box(-30, 20, 60, 70)])
    assert not codes(report)
    got, _ = plan(tmp_path / "again", PROJECTED.format(0))
    assert drawing["land"].shapes[0].geometry.area == pytest.approx(shapely.box(*window_of(got)).area)


def test_long_edges_follow_the_curve_of_their_parallel(tmp_path):
    # An edge along 48 degrees north from 7.7 to 8.3 east, given by its ends alone.
    text = PROJECTED.format(0).replace("1e6", "2e7")
    edge = shapely.LineString([(4.0, 48.0), (12.0, 48.0)])
    drawing, _ = read(tmp_path, text, land=[edge])
    line = drawing["land"].shapes[0].geometry
    assert len(line.coords) > 8
    on_parallel = build(scale=2e7).to_sheet([[lon, 48.0] for lon in np.linspace(4, 12, 50)])
    assert shapely.distance(line, shapely.points(on_parallel)).max() < 0.01


def test_land_all_round_the_world_is_cut_before_it_is_projected(tmp_path):
    # The far side of the world cannot be shown on this cone; without the first cut it would come out as infinity.
    drawing, report = read(tmp_path, PROJECTED.format(3), land=[shapely.box(-180, -90, 180, 90)])
    assert not codes(report)
    shape = drawing["land"].shapes[0].geometry
    assert shape.is_valid
    assert np.isfinite(shapely.get_coordinates(shape)).all()


@pytest.mark.parametrize("lon", [178.0, -178.0, 180.0])
def test_a_sheet_across_the_date_line_shows_both_sides(tmp_path, lon):
    text = PROJECTED.format(0).replace("lon_0=8", f"lon_0={lon}").replace("[8.0, 48.0]", f"[{lon}, 48.0]")
    text = text.replace("1e6", "2e7")
    drawing, report = read(tmp_path, text, land=[shapely.box(-180, 40, -150, 56), shapely.box(150, 40, 180, 56)])
    assert not codes(report)
    a, b = (s.geometry for s in drawing["land"].shapes)
    assert a.distance(b) < 0.01
    assert a.intersection(b).area < 0.01
    assert a.union(b).buffer(0.01).contains(shapely.box(0, 0, 40, 40))


def test_a_sheet_with_the_pole_in_it_shows_all_longitudes(tmp_path):
    text = '[projection]\ncrs = "+proj=stere +lat_0=90 +lon_0=0"\nscale = 1e8\ncentre = [0, 90]\nat = [20, 20]\n'
    drawing, report = read(tmp_path, text, land=[shapely.box(-180, 85, 180, 90)])
    assert not codes(report)
    (cap,) = drawing["land"].shapes
    assert cap.geometry.area == pytest.approx(np.pi * 5.6**2, rel=0.03)


def test_geojson_in_metres_is_said(tmp_path):
    _, report = read(tmp_path, PROJECTED.format(0), land=[shapely.box(4_000_000, 3_000_000, 4_100_000, 3_100_000)])
    assert codes(report) == ["S102"]
    assert "in metres" in next(iter(report)).message


@pytest.mark.parametrize("crs", ["EPSG:4326", "+proj=lcc", "EPSG:2263", "nonsense", "+proj=lcc +lat_1=99 +lat_2=99"])
def test_what_is_no_plane_projection_in_metres_is_a_finding(tmp_path, crs):
    _, report = read(tmp_path, PROJECTED.format(0).replace(LCC, crs), land=[EVERYWHERE.buffer(-40)])
    assert codes(report) == ["S108"]


@settings(max_examples=60, deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=3), lambda x: st.lists(x, max_size=4)))
def test_no_coordinates_raise(coordinates):
    for kind in ("Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"):
        report = Report()
        built = build_feature(
            Feature({"type": kind, "coordinates": coordinates}, {}, Location()), (180.0, 90.0), report
        )
        assert built or len(report)


# Coordinate systems and nesting ---------------------------------------------------------------------------------


@pytest.mark.parametrize("said", ["layer", "file"])
def test_layers_in_metres_are_laid_like_those_in_degrees(tmp_path, said):
    import pyproj

    degrees = shapely.box(7.9, 47.95, 8.1, 48.1)
    way = pyproj.Transformer.from_crs("OGC:CRS84", "EPSG:25832", always_xy=True)
    ring = shapely.segmentize(degrees, 0.001)
    metres = shapely.transform(ring, lambda xy: np.stack(way.transform(xy[:, 0], xy[:, 1]), axis=1))
    raw = json.loads(geojson([metres]))
    text = PROJECTED.format(0)
    if said == "file":
        raw["crs"] = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::25832"}}
    else:
        text += '[layers.utm]\nfile = "utm.geojson"\ncrs = "EPSG:25832"\n'
    drawing, report = read(tmp_path, text, land=[degrees], utm=json.dumps(raw))
    assert not codes(report)
    a, b = (drawing[name].shapes[0].geometry for name in ("land", "utm"))
    assert a.symmetric_difference(b).area < 0.0005 * a.area


def test_longitude_comes_first_whatever_the_axes_of_the_system(tmp_path):
    text = PROJECTED.format(0) + '[layers.land]\nfile = "land.geojson"\ncrs = "EPSG:4326"\n'
    drawing, report = read(tmp_path, text, land=[shapely.box(7.9, 47.95, 8.1, 48.1)])
    assert not codes(report)
    assert len(drawing["land"].shapes) == 1


@pytest.mark.parametrize("crs", ["EPSG:99999", "EPSG:4978", "nonsense"])
def test_what_is_no_coordinate_system_is_a_finding(tmp_path, crs):
    text = PROJECTED.format(0) + f'[layers.land]\nfile = "land.geojson"\ncrs = "{crs}"\n'
    drawing, report = read(tmp_path, text, land=[SQUARE])
    assert codes(report) == ["S111"]
    assert "land" not in drawing


def test_exchanged_coordinates_are_said(tmp_path):
    _, report = read(tmp_path, PROJECTED.format(0), land=[shapely.box(47.9, 7.9, 48.1, 8.1)])
    assert codes(report) == ["S112"]
    _, report = read(tmp_path / "far", PROJECTED.format(0), land=[shapely.box(60, 20, 61, 21)])
    assert codes(report) == ["S105"]
    assert "reach from 60, 20 to 61, 21 degrees" in next(iter(report)).message


def test_collections_and_lists_may_be_nested(tmp_path):
    square = json.loads(shapely.to_geojson(SQUARE))
    point = {"type": "Point", "coordinates": [1, 1]}
    within = {"type": "FeatureCollection", "features": [feature(square, id=7), point]}
    other = feature({"type": "Point", "coordinates": [2, 2]})
    drawing, report = read(
        tmp_path,
        nested=json.dumps({"type": "FeatureCollection", "features": [within, other]}),
        listed=json.dumps([within, other]),
    )
    assert not codes(report)
    keys = {name: [s.where.key for s in drawing[name].shapes] for name in ("nested", "listed")}
    assert keys["nested"] == ["features.0.features.0", "features.0.features.1", "features.1"]
    assert keys["listed"] == ["0.features.0", "0.features.1", "1"]
    assert drawing["nested"].shapes[0].properties["id"] == 7
    deep = point
    for _ in range(20):
        deep = {"type": "FeatureCollection", "features": [deep]}
    _, report = read(tmp_path / "deep", land=json.dumps(deep))
    assert "S102" in codes(report)


def test_filters_take_ranges_stars_and_classes(tmp_path):
    shapes = [(shapely.box(i, 0, i + 1, 1), {"height": i * 100, "name": f"Hill {i}"}) for i in range(4)]
    for where, kept in (
        ("height = { min = 100, max = 200 }", [1, 2]),
        ("height = { min = 250 }", [3]),
        ('name = "Hill *"', [0, 1, 2, 3]),
        ('name = "*3"', [3]),
    ):
        text = f'[layers.land]\nfile = "land.geojson"\nwhere = {{ {where} }}\n'
        drawing, report = read(tmp_path / str(len(list(tmp_path.iterdir()))), text, land=shapes)
        assert not codes(report)
        assert [s.properties["height"] // 100 for s in drawing["land"].shapes] == kept


def test_a_value_that_no_shape_has_is_said_with_those_there_are(tmp_path):
    shapes = [(SQUARE, {"kind": k, "level": n}) for n, k in enumerate(["river", "river", "lake"])]
    text = '[layers.land]\nfile = "land.geojson"\nwhere = { kind = ["lake", "rivr"], level = 7 }\n'
    _, report = read(tmp_path, text, land=shapes)
    messages = [f.message for f in report]
    assert codes(report) == ["S110", "S110"]
    assert "has 'rivr'; it has river (2), lake (1)" in messages[0]
    assert "has 7; it has 2 (1), 1 (1), 0 (1)" in messages[1]


def test_colours_of_drawings_are_compared_as_colours(tmp_path):
    body = '<rect width="9" height="9" style="fill:#0F0"/><rect width="5" height="5" class="a b" fill="#aab1c9"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="40mm" viewBox="0 0 40 40">{body}</svg>'
    text = '[layers.{0}]\nfile = "land.svg"\nwhere = {{ {1} }}\n'
    wheres = {"a": 'fill = "lime"', "b": 'class = "b"', "c": 'fill = "#aabbcc"'}
    toml = "".join(text.format(name, where) for name, where in wheres.items())
    drawing, report = read(tmp_path, toml, land=svg)
    assert [len(drawing[name].shapes) for name in "abc"] == [1, 1, 0]
    assert codes(report) == ["S110"]
    assert "it has #aab1c9 (1), #00ff00 (1)" in next(iter(report)).message


def test_many_findings_of_a_kind_are_summed_up(tmp_path):
    _, report = read(tmp_path, land=collection(*[{"type": "LineString", "coordinates": [[0, 0]]}] * 100, {}))
    assert len(codes(report)) == 20
    assert any("more of this kind" in f.message for f in report)


def test_lines_without_length_and_doubles_are_left_out_and_said(tmp_path):
    flat = {"type": "LineString", "coordinates": [[1, 1], [1, 1]]}
    drawing, report = read(tmp_path, land=collection(flat, *[json.loads(shapely.to_geojson(SQUARE))] * 3))
    assert codes(report) == ["S104", "S114"]
    assert len(drawing["land"].shapes) == 1


json_values = st.recursive(
    st.none() | st.booleans() | st.floats() | st.sampled_from(["Feature", "Point", "Polygon", "x"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["type", "features", "geometry", "geometries", "coordinates", "properties", "crs", "name"]),
            inner,
            max_size=4,
        )
    ),
)


@settings(max_examples=150, deadline=None)
@given(raw=json_values)
def test_no_geojson_raises(raw, tmp_path_factory):
    from toolchain.sources.geojson import read_features

    file = tmp_path_factory.getbasetemp() / "random.geojson"
    file.write_text(json.dumps({"type": "FeatureCollection", "features": [raw, {"type": "Feature", "geometry": raw}]}))
    report = Report()
    found = read_features(file, "random.geojson", Location(), report)
    assert found is not None
    for one in found.features:
        build_feature(one, (180.0, 90.0), report)
    assert all(f.message for f in report)
