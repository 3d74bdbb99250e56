"""Bad drawings, one case for each kind: what and where is said, what is safe is repaired, and nothing breaks.

Paths of a million points are timed in tests/sources/test_svg_files.py.
"""

from __future__ import annotations

import json

import pytest
import shapely
from drawn import HEAD, TERRAIN, plan

from toolchain.survey.maps import survey_map

PAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="40mm" viewBox="0 0 40 40">{}</svg>'
LAND = '<path id="all" fill="tan" d="M-9,-9 H49 V49 H-9Z"/>'
LEGEND = """
[layers.land]
file = "map.svg"
layer = "land"
[[terrain]]
name = "sea"
outside = "land"
[[terrain]]
name = "clear"
rest = true
"""
PROJECTED = '[projection]\ncrs = "EPSG:3035"\nscale = 1_000_000\ncentre = [9, 50]\nat = [20, 20]\n'


def svg(folder, body, legend=LEGEND, page=PAGE, **parts):
    read, report = plan(folder, legend, map=page.format(body), **parts)
    assert read is not None, [str(f) for f in report]
    return survey_map(read, report), report


def layer(*shapes):
    return f'<g id="land">{"".join(shapes)}</g>'


def of_geometry(raw):
    return collection([raw])


def collection(geometries):
    features = [{"type": "Feature", "properties": {}, "geometry": g} for g in geometries]
    return json.dumps({"type": "FeatureCollection", "features": features})


def geo(folder, raw, text=TERRAIN, **parts):
    land = raw if isinstance(raw, str) else of_geometry(raw)
    read, report = plan(folder, text, land=land, wood=[], **parts)
    assert read is not None, [str(f) for f in report]
    return survey_map(read, report), report


def only(report, code):
    found = [f for f in report if f.rule.code == code]
    assert found, [str(f) for f in report]
    return found[0]


def land_of(surveyed):
    return {s.terrain for s in surveyed.warmap.spaces}


# Geometry -------------------------------------------------------------------------------------------------------

FAULTY = {
    # what: id, path data or element, code, word of the message
    "self-crossing": ('<path id="x" d="M0,0 L10,10 L10,0 L0,10Z" fill="tan"/>', "S103", "repaired"),
    "zero length": ('<path id="x" d="M5,5 L5,5" fill="none" stroke="red"/>', "S104", "no extent"),
    "duplicate": ('<path id="x" fill="tan" d="M-9,-9 H49 V49 H-9Z"/>', "S114", "twice"),
    "empty": ('<path id="x" d="" fill="tan"/>', "S104", "no extent"),
    "not a number": ('<path id="x" d="M0,0 L nan,5 L5,5Z" fill="tan"/>', "S102", "cannot be read"),
    "not a number in an attribute": (
        '<rect id="x" x="nan" y="0" width="5" height="5" fill="tan"/>',
        "S102",
        "'nan' cannot be read",
    ),
    "astronomically large": ('<path id="x" d="M0,0 L1e300,0 L0,1e300Z" fill="tan"/>', "S102", "within a kilometre"),
    "moved beyond all bounds": (
        '<path id="x" transform="scale(1e200) scale(1e200)" d="M0,0 L1,0 L0,1Z" fill="tan"/>',
        "S102",
        "beyond all bounds",
    ),
}


@pytest.mark.parametrize("what", FAULTY)
def test_faulty_shapes_of_an_svg_are_said_and_the_others_stay(tmp_path, what):
    body, code, word = FAULTY[what]
    got, report = svg(tmp_path, layer(LAND, body))
    assert land_of(got) == {"clear"}
    found = only(report, code)
    assert word in found.message
    assert found.where.element == "x" or "#x" in found.message
    assert found.where.file in ("maps/tiny/map.svg", "maps/tiny/map.toml")


SQUARE = [[-9, -9], [49, -9], [49, 49], [-9, 49], [-9, -9]]
BOW = [[0, 0], [10, 10], [10, 0], [0, 10], [0, 0]]
FEATURES = {
    "self-crossing": ({"type": "Polygon", "coordinates": [BOW]}, "S103"),
    "zero length": ({"type": "LineString", "coordinates": [[5, 5], [5, 5]]}, "S104"),
    "duplicate": ({"type": "Polygon", "coordinates": [SQUARE]}, "S114"),
    "empty": ({"type": "Polygon", "coordinates": []}, "S104"),
    "no geometry": (None, "S104"),
    "not a number": ({"type": "Polygon", "coordinates": [[*SQUARE[:2], ["NaN", 0], [-9, -9]]]}, "S102"),
    "astronomically large": ({"type": "LineString", "coordinates": [[0, 0], [1e300, 0]]}, "S102"),
    "of no known kind": ({"type": "Circle", "coordinates": [0, 0]}, "S102"),
}


@pytest.mark.parametrize("what", FEATURES)
def test_faulty_features_of_geojson_are_said_and_the_others_stay(tmp_path, what):
    geometry, code = FEATURES[what]
    got, report = geo(tmp_path, collection([{"type": "Polygon", "coordinates": [SQUARE]}, geometry]))
    assert land_of(got) == {"clear"}
    found = only(report, code)
    assert "features.1" in str(found.where) or found.rule.code == "S114"


def test_numbers_that_are_none_are_read_and_refused(tmp_path):
    text = of_geometry({"type": "Polygon", "coordinates": [SQUARE]}).replace("49", "NaN", 1)
    _, report = geo(tmp_path, text)
    assert any(f.rule.code in ("S002", "S102") for f in report), [str(f) for f in report]


# Files ----------------------------------------------------------------------------------------------------------


def test_entities_are_refused_and_not_expanded(tmp_path):
    secret = tmp_path / "secret.txt"
    secret.write_text("M-9,-9 H49 V49 H-9Z", "utf-8")
    doctype = f'<!DOCTYPE svg [<!ENTITY land SYSTEM "{secret.as_uri()}"><!ENTITY lol "lol">]>'
    got, report = svg(tmp_path, layer('<path id="x" fill="tan" d="&land;"/>'), page=doctype + PAGE)
    found = only(report, "S002")
    assert "entit" in found.message
    assert found.where.file == "maps/tiny/map.svg"
    assert got.drawing == {}


OUTSIDE = {
    "a picture": '<image id="x" href="https://example.org/map.png" width="9" height="9"/>',
    "a clone of another file": '<use id="x" href="https://example.org/other.svg#land"/>',
    "a clone of a file beside": '<use id="x" href="other.svg#land"/>',
    "a script": '<script id="x">alert(1)</script>',
    "a style sheet from elsewhere": "<style>@import url(https://example.org/x.css); .a { fill: red }</style>",
}


@pytest.mark.parametrize("what", OUTSIDE)
def test_what_points_out_of_the_file_or_runs_is_left_out_and_said(tmp_path, what, monkeypatch):
    import socket

    def refuse(*_, **__):
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "socket", refuse)
    got, report = svg(tmp_path, layer(LAND, OUTSIDE[what]))
    assert land_of(got) == {"clear"}
    assert any("map.svg" in str(f.where) or "layers.land" in str(f.where) for f in report), [str(f) for f in report]


@pytest.mark.parametrize(
    ("size", "words"), [('width="40" height="40"', "pixels"), ('width="40cm" height="40cm"', "centimetres")]
)
def test_a_page_in_the_wrong_unit_is_said_with_the_unit_that_was_meant(tmp_path, size, words):
    page = PAGE.replace('width="40mm" height="40mm"', size)
    _, report = svg(tmp_path, layer(LAND), page=page)
    found = only(report, "S113")
    assert words in found.message and found.where.key.startswith("layers.")


def test_longitude_and_latitude_exchanged_are_said(tmp_path):
    there = shapely.box(49.9, 8.9, 50.1, 9.1)
    _, report = geo(tmp_path, of_geometry(json.loads(shapely.to_geojson(there))), head=HEAD + PROJECTED)
    found = only(report, "S112")
    assert "latitude" in found.message


def test_a_coordinate_system_that_does_not_fit_the_grid_is_said(tmp_path):
    far = PROJECTED.replace("EPSG:3035", "EPSG:2193")  # of New Zealand, for a sheet in Germany
    _, report = geo(tmp_path, of_geometry({"type": "Polygon", "coordinates": [SQUARE]}), head=HEAD + far)
    assert any("projection.crs" in f.where.key for f in report), [str(f) for f in report]


@pytest.mark.parametrize("body", [LAND, f"<g>{LAND}</g>", f'<g id="g1">{LAND}</g>'])
def test_a_drawing_with_no_named_layer_says_how_to_name_one(tmp_path, body):
    got, report = svg(tmp_path, body)
    found = only(report, "S101")
    assert found.where.key == "layers.land.layer"
    assert ("it has no named layer at all" in found.message) != ("its layers are: g1" in found.message)
    assert "land" not in got.drawing
