"""SVG layers: found by label or id, in millimetres whatever their units and transforms, and safe to read."""

from __future__ import annotations

import math

import pytest
import shapely
from drawn import codes, plan

from toolchain.report import Location, Report
from toolchain.sources.drawings import read_drawing
from toolchain.sources.svg import read_svg_layer
from toolchain.sources.svgfile import read_svg

NS = 'xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
MM = 'width="40mm" height="40mm" viewBox="0 0 40 40"'


def read(folder, body, frame=MM, layer="", tolerance=0.01):
    file = folder / "map.svg"
    file.write_text(f"<svg {NS} {frame}>{body}</svg>", "utf-8")
    report = Report()
    drawing = read_svg(file, "map.svg", Location("map.toml"), report)
    shapes = None if drawing is None else read_svg_layer(drawing, layer, tolerance, Location("map.toml"), report)
    return shapes, report


def one(folder, body, **more):
    shapes, report = read(folder, body, **more)
    assert not codes(report)
    (shape,) = shapes
    return shape.geometry


@pytest.mark.parametrize(
    ("body", "bounds", "area"),
    [
        ('<rect x="1" y="2" width="10" height="5"/>', (1, 2, 11, 7), 50),
        ('<rect width="10" height="10" rx="5"/>', (0, 0, 10, 10), 25 * math.pi),
        ('<rect width="10" height="10" rx="2" ry="auto"/>', (0, 0, 10, 10), 100 - 16 + 4 * math.pi),
        ('<circle cx="10" cy="10" r="5"/>', (5, 5, 15, 15), 25 * math.pi),
        ('<ellipse cx="10" cy="10" rx="5" ry="2"/>', (5, 8, 15, 12), 10 * math.pi),
        ('<polygon points="0,0 10,0 10 10"/>', (0, 0, 10, 10), 50),
        ('<path d="M0 0H10V10H0Z"/>', (0, 0, 10, 10), 100),
        ('<path d="m1 1h10v10h-10z"/>', (1, 1, 11, 11), 100),
        ('<path d="M0,0L10,0L10,10L0,0"/>', (0, 0, 10, 10), 50),
        ('<path d="M0 5A5 5 0 0 1 10 5A5 5 0 0 1 0 5Z"/>', (0, 0, 10, 10), 25 * math.pi),
        ('<path d="M0 5a5 5 0 0110 0a5 5 0 01-10 0z"/>', (0, 0, 10, 10), 25 * math.pi),
        ('<path d="M0 0C0 10 10 10 10 0Z"/>', (0, 0, 10, 7.5), 60),
        ('<path d="M0 0Q5 10 10 0Z"/>', (0, 0, 10, 5), 100 / 3),
        ('<path d="M0 0Q5 10 10 0T20 0V-20H0Z"/>', (0, -20, 20, 5), 400),
        ('<path d="M0 0C0 4 5 4 5 0S10 -4 10 0V-20H0Z"/>', (0, -20, 10, 3), 200),
    ],
)
def test_every_outline_is_read(tmp_path, body, bounds, area):
    shape = one(tmp_path, body, tolerance=0.0005)
    assert shape.bounds == pytest.approx(bounds, abs=0.01)
    assert shape.area == pytest.approx(area, rel=0.002)


def test_open_and_unfilled_outlines_are_lines(tmp_path):
    body = (
        '<path d="M0 0L10 0"/><polyline points="0 0 5 5 9 0"/><line x1="1" y1="1" x2="4" y2="5"/>'
        '<path d="M0 0H10V10Z" fill="none"/><path d="M0 0H10V10Z" style="stroke:red;fill:none"/>'
        '<g style="fill:none"><path d="M0 0H10V10Z"/><path d="M0 0H10V10Z" fill="red"/></g>'
    )
    shapes, report = read(tmp_path, body)
    assert not codes(report)
    assert [shapely.get_dimensions(s.geometry) for s in shapes] == [1, 1, 1, 1, 1, 1, 2]
    assert shapes[2].geometry.length == pytest.approx(5)
    assert shapes[3].geometry.is_closed


def test_holes_and_parts_follow_the_fill_rule(tmp_path):
    outer, same, against = "M0 0H20V20H0Z", "M5 5H10V10H5Z", "M5 5V10H10V5Z"
    assert one(tmp_path, f'<path d="{outer}{against}"/>').area == pytest.approx(375)
    assert one(tmp_path, f'<path d="{outer}{same}"/>').area == pytest.approx(400)
    assert one(tmp_path, f'<path d="{outer}{same}" fill-rule="evenodd"/>').area == pytest.approx(375)
    assert one(tmp_path, f'<path d="{outer}M30 30h5v5h-5z"/>').geom_type == "MultiPolygon"


def test_a_path_that_goes_on_after_closing_starts_where_it_began(tmp_path):
    shapes, _ = read(tmp_path, '<path fill="none" d="M5 5h5v5zl-5 -5"/>')
    assert shapes[0].geometry.geoms[1].coords[:] == [(5, 5), (0, 0)]


@pytest.mark.parametrize(
    ("frame", "bounds"),
    [
        ('width="40mm" height="40mm" viewBox="0 0 40 40"', (0, 0, 10, 10)),
        ('width="4cm" height="4cm" viewBox="0 0 400 400"', (0, 0, 1, 1)),
        ('width="1in" height="1in" viewBox="0 0 254 254"', (0, 0, 1, 1)),
        ('width="72pt" height="6pc" viewBox="0 0 254 254"', (0, 0, 1, 1)),
        ('width="160Q" height="160Q" viewBox="0 0 40 40"', (0, 0, 10, 10)),
        ('width="96" height="96px"', (0, 0, 2.6458, 2.6458)),
        ("", (0, 0, 2.6458, 2.6458)),
        ('viewBox="0 0 96 96"', (0, 0, 2.6458, 2.6458)),
        ('width="100%" height="100%" viewBox="0 0 96 96"', (0, 0, 2.6458, 2.6458)),
        ('width="40mm" viewBox="0 0 40 80"', (0, 0, 10, 10)),
        ('width="40mm" height="40mm" viewBox="-5 -5 40 40"', (5, 5, 15, 15)),
        ('width="80mm" height="40mm" viewBox="0 0 40 40"', (20, 0, 30, 10)),
        ('width="80mm" height="40mm" viewBox="0 0 40 40" preserveAspectRatio="xMinYMin"', (0, 0, 10, 10)),
        ('width="80mm" height="40mm" viewBox="0 0 40 40" preserveAspectRatio="none"', (0, 0, 20, 10)),
        ('width="80mm" height="40mm" viewBox="0 0 40 40" preserveAspectRatio="xMinYMin slice"', (0, 0, 20, 20)),
    ],
)
def test_units_and_view_boxes_become_millimetres(tmp_path, frame, bounds):
    assert one(tmp_path, '<rect width="10" height="10"/>', frame=frame).bounds == pytest.approx(bounds, abs=1e-3)


def test_nested_transforms_are_applied_outermost_last(tmp_path):
    body = (
        '<g transform="translate(10 0)"><g transform="rotate(90) scale(2,1)"><g transform="matrix(1 0 0 1 0 -3)">'
        '<rect width="5" height="3"/></g></g></g>'
    )
    assert one(tmp_path, body).bounds == pytest.approx((10, 0, 13, 10))
    body = '<rect width="5" height="5" transform="rotate(90 5 5), translate(1)"/>'
    assert one(tmp_path, body).bounds == pytest.approx((5, 1, 10, 6))
    assert one(tmp_path, '<rect width="5" height="5" transform="skewX(45)"/>').bounds == pytest.approx((0, 0, 10, 5))
    assert one(tmp_path, '<rect width="5" height="5" transform="skewY(45)"/>').bounds == pytest.approx((0, 0, 5, 10))


def test_an_svg_within_has_its_own_frame(tmp_path):
    body = '<svg x="10" y="5" width="20" height="20" viewBox="0 0 10 10"><rect width="5" height="5"/></svg>'
    assert one(tmp_path, body).bounds == pytest.approx((10, 5, 20, 15))


@pytest.mark.parametrize("tolerance", [1.0, 0.1, 0.001])
def test_flattened_curves_stay_within_the_tolerance(tmp_path, tolerance):
    body = '<path fill="none" d="M0 0C0 4 4 4 4 0S8 -4 8 0Q10 4 12 0" transform="scale(3)"/>'
    line = one(tmp_path, body, tolerance=tolerance)
    exact = one(tmp_path, body, tolerance=1e-6)
    # Not more than the tolerance apart, and no finer than need be.
    assert shapely.hausdorff_distance(shapely.segmentize(line, 0.01), exact) <= tolerance
    assert len(line.coords) < 3 * (2 + 8 / math.sqrt(tolerance))


LAYERS = (
    '<g inkscape:groupmode="layer" inkscape:label="Land" id="layer1" transform="translate(5)">'
    '<rect id="a" inkscape:label="Isle" width="5" height="5"/><g id="inner"><rect id="b" width="5" height="5"/></g></g>'
    '<g id="Sea"><path id="c" d="M0 0H5"><title>Rhine</title></path></g>'
)


def test_layers_are_found_by_label_and_by_id(tmp_path):
    def ids(layer):
        return [s.properties["id"] for s in read(tmp_path, LAYERS, layer=layer)[0]]

    assert ids("Land") == ids("layer1") == ["a", "b"]
    assert ids("Sea") == ids("c") == ["c"]
    assert ids("inner") == ["b"]
    assert ids("") == ["a", "b", "c"]
    assert one(tmp_path, LAYERS, layer="inner").bounds == pytest.approx((5, 0, 10, 5))


def test_labels_and_titles_are_names(tmp_path):
    shapes, _ = read(tmp_path, LAYERS)
    assert [s.properties["name"] for s in shapes] == ["Isle", "", "Rhine"]
    assert [(s.where.element, s.where.line) for s in shapes] == [("a", 1), ("b", 1), ("c", 1)]


def test_a_missing_layer_names_the_nearest(tmp_path):
    shapes, report = read(tmp_path, LAYERS, layer="Lnad")
    assert shapes is None
    assert codes(report) == ["S101"]
    assert "did you mean 'Land'?" in next(iter(report)).message


@pytest.mark.parametrize(
    "body",
    [
        '<path d="10 10 L 5 5"/>',
        '<path d="M0 0L5"/>',
        '<path d="M0 0A5 5"/>',
        '<path d="M0 0L1e999 5"/>',
        '<path d="M0 0X5 5"/>',
        '<polygon points="0 0 5 5 9"/>',
        '<polygon points="0 0 five 5"/>',
        '<rect width="ten" height="5"/>',
        '<rect width="5" height="5" transform="rotate(1 2)"/>',
        '<rect width="5" height="5" transform="spin(90)"/>',
        '<rect width="5" height="5" transform="scale(1e9)"/>',
        '<svg viewBox="0 0 0 0"><rect width="5" height="5"/></svg>',
        '<polygon points="0 0 5 5 0 0"/>',
    ],
)
def test_what_cannot_be_read_is_a_finding_and_the_rest_stays(tmp_path, body):
    shapes, report = read(tmp_path, body.replace(">", ' id="bad">', 1).replace('/ id="bad"', ' id="bad"/') + LAYERS)
    assert [s.properties["id"] for s in shapes] == ["a", "b", "c"]
    assert codes(report) == ["S102"]
    assert next(iter(report)).where.element == "bad"


def test_a_crossing_outline_is_repaired_and_said(tmp_path):
    shapes, report = read(tmp_path, '<path d="M0 0L10 10V0L0 10Z"/>')
    assert codes(report) == ["S103"]
    assert shapes[0].geometry.area == pytest.approx(50)


def test_what_has_no_outline_is_said_and_definitions_are_not_drawn(tmp_path):
    body = '<defs><rect id="d" width="5" height="5"/></defs><image id="a"/><image id="b"/><use href="other.svg#d"/>'
    shapes, report = read(tmp_path, body)
    assert shapes == ()
    assert codes(report) == ["S107"] * 2
    assert any("left out: 2 (#a, #b)" in f.message for f in report)


ENTITY = '<!DOCTYPE svg [<!ENTITY e SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&e;</svg>'
BOMB = (
    '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefghi", "bcdefghij", strict=True))
    + ']><svg xmlns="http://www.w3.org/2000/svg"><title>&j;</title></svg>'
)


@pytest.mark.parametrize(
    "text", [ENTITY, BOMB, "<svg>", "", "no", "<html/>", "<svg/>", "<a>" * 5000, "\x00"], ids=range(9)
)
def test_files_that_are_no_drawings_are_findings(tmp_path, text):
    file = tmp_path / "map.svg"
    file.write_text(text, "utf-8")
    report = Report()
    assert read_svg(file, "map.svg", Location("map.toml"), report) is None
    assert codes(report) == ["S002"]
    assert "Error" not in next(iter(report)).message


def test_a_plain_doctype_is_no_harm(tmp_path):
    doctype = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
    (tmp_path / "map.svg").write_text(f'<?xml version="1.0"?>{doctype}<svg {NS} {MM}/>', "utf-8")
    report = Report()
    assert read_svg(tmp_path / "map.svg", "map.svg", Location(), report) is not None
    assert not codes(report)


def test_groups_nested_too_deep_are_a_finding(tmp_path):
    shapes, report = read(tmp_path, "<g>" * 100 + '<rect width="5" height="5"/>' + "</g>" * 100)
    assert shapes == ()
    assert codes(report) == ["S102"]


def test_layers_of_a_map_may_mix_svg_and_geojson(tmp_path):
    text = '[layers.land]\nfile = "land.svg"\nlayer = "Land"\nwhere = { id = "b" }\n'
    got, report = plan(tmp_path, text, land=f"<svg {NS} {MM}>{LAYERS}</svg>", wood=[shapely.box(0, 0, 9, 9)])
    drawing = read_drawing(got, None, report)
    assert not codes(report)
    assert {name: len(layer.shapes) for name, layer in drawing.items()} == {"land": 1, "wood": 1}
    assert drawing["land"].shapes[0].geometry.bounds == pytest.approx((5, 0, 10, 5))
