"""SVG as drawing programs write it: layers, styles, clones, texts; bombs and tangles; random trees."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
import shapely
from drawn import codes
from hypothesis import example, given, settings
from hypothesis import strategies as st
from runaway import bounded

from toolchain.report import Location, Report
from toolchain.sources.svg import read_svg_layer
from toolchain.sources.svgfile import SvgFile, read_svg, unread_layers
from toolchain.sources.svgfill import fill
from toolchain.sources.svgframes import read_transform
from toolchain.sources.svgpaths import flatten, read_path
from toolchain.sources.svgpicture import read_svg_picture
from toolchain.sources.svgstyle import read_colour, read_sheet

DATA = Path(__file__).parents[1] / "data" / "drawings"
FRAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" '
    'width="40mm" height="40mm" viewBox="0 0 40 40">'
)


def opened(folder: Path, body: str) -> tuple[SvgFile, Report]:
    (folder / "map.svg").write_text(f"{FRAME}{body}</svg>", "utf-8")
    report = Report()
    drawing = read_svg(folder / "map.svg", "map.svg", Location(), report)
    assert drawing is not None, [str(f) for f in report]
    return drawing, report


def read(folder: Path, body: str, layer: str = "") -> tuple[list, Report]:
    drawing, report = opened(folder, body)
    return list(read_svg_layer(drawing, layer, 0.01, Location("map.toml"), report) or ()), report


@pytest.mark.parametrize("name", ["inkscape", "illustrator"])
def test_drawings_as_programs_write_them(name):
    report = Report()
    drawing = read_svg(DATA / f"{name}.svg", f"{name}.svg", Location(), report)
    assert drawing is not None
    shapes = read_svg_layer(drawing, "", 0.1, Location("map.toml"), report)
    got = {
        "layers": [[layer.name, layer.seen] for layer in drawing.layers],
        "shapes": [
            {
                **{k: v for k, v in s.properties.items() if v != ""},
                "geometry": [s.geometry.geom_type, *(round(v, 3) for v in s.geometry.bounds)],
                "area": round(s.geometry.area, 3),
            }
            for s in shapes or ()
        ],
        "findings": [str(f) for f in report],
    }
    assert got == json.loads((DATA / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize("name", ["Roads", "Main Roads", "Woods & Trees"])
def test_layers_are_found_by_the_names_that_ids_were_made_of(tmp_path, name):
    body = (
        '<g id="Roads_1_"><path d="M0 0H9"/></g><g id="Main_Roads_2_"><path d="M0 0H9"/></g>'
        '<g id="Woods---Trees" xmlns:serif="http://www.serif.com/" serif:id="Woods &amp; Trees"><path d="M0 0H9"/></g>'
    )
    shapes, report = read(tmp_path, body, name)
    assert len(shapes) == 1 and not codes(report)


def test_layers_of_which_nothing_is_read_are_told(tmp_path):
    layer = '<g inkscape:groupmode="layer" inkscape:label="{}" style="{}">{}</g>'
    path = '<path d="M0 0H9V9z"/>'
    inner = layer.format("Woods", "", path) + layer.format("Hills", "", path)
    outer = layer.format("Ground", "", inner) + layer.format("Notes", "display:none", path)
    drawing, _ = opened(tmp_path, outer + layer.format("Empty", "", "<g/>") + layer.format("Rails", "", path))
    for names, unread in (
        (["Ground/Woods"], ["Hills", "Notes (hidden)", "Rails"]),
        (["Ground", "Rails"], ["Notes (hidden)"]),
        ([""], []),
        (["Raisl"], ["Ground", "Notes (hidden)", "Rails"]),
    ):
        assert unread_layers(drawing, names) == unread


def test_layers_are_found_by_coded_ids_names_and_ways(tmp_path):
    report = Report()
    drawing = read_svg(DATA / "illustrator.svg", "illustrator.svg", Location(), report)
    for name, count in (("Big Woods", 2), ("Big_x20_Woods_1_", 2), ("Rivers & Canals", 1), ("Rivers", 1)):
        assert len(read_svg_layer(drawing, name, 0.1, Location(), report)) == count
    drawing = read_svg(DATA / "inkscape.svg", "inkscape.svg", Location(), report)
    assert len(read_svg_layer(drawing, "Terrain/Woods", 0.1, Location(), report)) == 2


def test_hidden_layers_are_read_only_when_named(tmp_path):
    group = '<g inkscape:groupmode="layer" inkscape:label="{}" style="{}"><rect width="5" height="5"/></g>'
    body = group.format("A", "display:none") + group.format("B", "visibility:hidden") + group.format("C", "")
    shapes, report = read(tmp_path, body)
    assert [s.properties["layer"] for s in shapes] == ["C"]
    assert codes(report) == ["S109"]
    for name in "AB":
        shapes, report = read(tmp_path, body, name)
        assert len(shapes) == 1
        assert not codes(report)


def test_a_missing_layer_lists_those_there_are(tmp_path):
    body = '<g id="Land"/><g id="Sea" display="none"/>'
    assert "its layers are: Land, Sea (hidden)" in next(iter(read(tmp_path, body, "Wood")[1])).message
    assert "no named layer at all" in next(iter(read(tmp_path, "<g/>", "Wood")[1])).message


def test_styles_cascade(tmp_path):
    sheet = (
        "rect{fill:red}.a{fill:rgb(0,128,0)}#x{fill:#00f}rect.b,circle{fill:hsl(60,100%,50%)} .c{fill:red!important}"
    )
    sheet += "@media print{rect{fill:black}} g rect{fill:black} *{stroke:#abc}"
    rects = [
        ("", "#ff0000"),
        ('class="a"', "#008000"),
        ('class="a" id="x"', "#0000ff"),
        ('class="z b"', "#ffff00"),
        ('class="b" style="fill:white"', "#ffffff"),
        ('fill="white"', "#ff0000"),
        ('class="c" id="y"', "#ff0000"),
    ]
    body = f"<style>{sheet}</style>" + "".join(f'<rect width="5" height="5" {a}/>' for a, _ in rects)
    shapes, report = read(tmp_path, body)
    assert [s.properties["fill"] for s in shapes] == [colour for _, colour in rects]
    assert {s.properties["stroke"] for s in shapes} == {"#aabbcc"}
    assert "@media, g rect" in next(iter(report)).message


@pytest.mark.parametrize(
    ("text", "colour"),
    [
        ("Red", "#ff0000"), ("#ABC", "#aabbcc"), ("#AABBCC80", "#aabbcc"), ("#abc0", "none"), ("transparent", "none"),
        ("rgb(100%, 0%, 50%)", "#ff0080"), ("rgba(1 2 3 / 0)", "none"), ("hsl(120,100%,25%)", "#008000"),
        ("url(#a) red", "url(#a)"), ("#aabbcc icc-color(x)", "#aabbcc"), ("nonsense", "nonsense"),
    ],
)  # fmt: skip
def test_colours_are_normalised(text, colour):
    assert read_colour(text) == colour


def test_clones_are_drawn_where_they_stand(tmp_path):
    body = (
        '<defs><symbol id="s" viewBox="0 0 10 10"><rect width="10" height="10"/></symbol>'
        '<rect id="r" class="wood" width="4" height="4"/></defs>'
        '<use href="#s" x="10" y="20" width="5" height="5"/>'
        '<use id="u" href="#r" x="1" transform="scale(2)" fill="red"/>'
    )
    shapes, report = read(tmp_path, body)
    assert not codes(report)
    assert [s.geometry.bounds for s in shapes] == [(10, 20, 15, 25), (2, 0, 10, 8)]
    assert [shapes[1].properties[k] for k in ("id", "class", "fill")] == ["u", "wood", "#ff0000"]


def test_clones_of_themselves_and_bombs_are_stopped(tmp_path):
    shapes, report = read(tmp_path, '<g id="a"><use href="#a"/></g><use id="b" href="#c"/><use id="c" href="#b"/>')
    assert not shapes
    assert set(codes(report)) == {"S102"}
    bomb = '<rect id="g0" width="1" height="1"/>'
    bomb += "".join(f'<g id="g{i + 1}">' + f'<use href="#g{i}"/>' * 10 + "</g>" for i in range(9))
    with bounded():
        _, report = read(tmp_path, f"<defs>{bomb}</defs>" + '<use href="#g9"/>')
    assert "clones of clones" in next(iter(report)).message


def test_texts_are_names_at_their_anchor(tmp_path):
    body = '<text transform="translate(5)" x="1" y="2">Le <tspan>Hav</tspan>re<tspan x="1" dy="3">Port</tspan></text>'
    (shape,), report = read(tmp_path, body)
    assert not codes(report)
    assert (shape.properties["name"], shape.geometry.coords[0]) == ("Le Havre Port", pytest.approx((6, 2)))


def test_what_is_filled_on_purpose_is_an_area_even_when_open(tmp_path):
    paths = ['d="M0 0H9V9"', 'd="M0 0H9V9" fill="red"', 'd="M0 0H9" fill="red"', 'd="M0 0H9V9z" fill="none"']
    shapes, _ = read(tmp_path, "".join(f"<path {p}/>" for p in paths))
    assert [s.geometry.geom_type for s in shapes] == ["LineString", "Polygon", "LineString", "LineString"]


# Outlines -------------------------------------------------------------------------------------------------------

numbers = st.floats(-100, 100).map(lambda v: round(v, 3))
steps = st.one_of(
    st.builds("translate({},{})".format, numbers, numbers),
    st.builds("rotate({} {} {})".format, numbers, numbers, numbers),
    st.builds("scale({})".format, st.floats(0.1, 5)),
    st.builds("skewX({})".format, st.floats(-60, 60)),
    st.builds("matrix({} {} {} {} {} {})".format, *[numbers] * 6),
)


@given(st.lists(steps, max_size=4), st.tuples(numbers, numbers))
def test_transforms_compose_like_matrices(chain, point):
    at = np.array([*point, 1.0])
    for one in reversed(chain):  # the innermost first
        at = read_transform(one) @ at
    assert read_transform(" ".join(chain)) @ [*point, 1.0] == pytest.approx(at, rel=1e-6, abs=1e-6)


@settings(deadline=None)
@given(st.floats(1, 300), st.floats(1, 300), st.floats(-180, 180), st.booleans(), st.booleans(), st.floats(0.005, 1))
def test_arcs_are_parts_of_their_ellipse(rx, ry, turn, large, sweep, tolerance):
    (outline,) = read_path(f"M0 0A{rx} {ry} {turn} {int(large)} {int(sweep)} {min(rx, ry)} 0")
    points = flatten(outline, np.eye(3), tolerance)
    fine = flatten(outline, np.eye(3), tolerance / 100)
    assert shapely.hausdorff_distance(shapely.LineString(points), shapely.LineString(fine)) <= tolerance * 1.02
    # All points lie on one ellipse of these radii: its centre is where two of them and the radii put it.
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    unit = fine @ np.array([[c, -s], [s, c]]) / [rx, ry]
    a, b = unit[0], unit[-1]
    half = (b - a) / 2
    across = np.array([-half[1], half[0]]) / np.hypot(*half) * math.sqrt(max(0, 1 - half @ half))
    misses = [np.abs(np.hypot(*(unit - ((a + b) / 2 + sign * across)).T) - 1).max() for sign in (1, -1)]
    assert min(misses) < 1e-6


@given(
    st.lists(
        st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=3, max_size=7), min_size=1, max_size=3
    )
)
@settings(deadline=None, max_examples=60)
def test_areas_are_filled_by_winding_number(rings):
    loops = [np.array(r, dtype=float) for r in rings]
    even, some = fill(loops, "evenodd")[0], fill(loops, "nonzero")[0]
    assert even.is_valid
    assert some.is_valid
    for x, y in ((0.37, 0.71), (3.41, 5.83), (7.13, 2.29), (5.77, 9.61), (10.9, 6.43)):
        winding = 0
        for loop in loops:
            angle = np.unwrap(np.arctan2(*(np.concatenate([loop, loop[:1]]) - [x, y]).T[::-1]))
            winding += round((angle[-1] - angle[0]) / (2 * math.pi))
        here = shapely.Point(x, y)
        if min(shapely.LinearRing(r).distance(here) for r in loops) > 1e-6:
            assert even.contains(here) == (winding % 2 == 1)
            assert some.contains(here) == (winding != 0)


def test_a_path_of_a_million_points_takes_no_minutes(tmp_path):
    t = np.linspace(0, 2 * np.pi, 1_000_000, endpoint=False)
    r = 15 + np.sin(50 * t) + 0.3 * np.sin(777 * t)
    words = " ".join(f"{x:.5f},{y:.5f}" for x, y in zip(20 + r * np.cos(t), 20 + r * np.sin(t), strict=True))
    with bounded():
        shapes, _ = read(tmp_path, f'<path d="M{words}z"/>')
    assert shapes[0].geometry.area == pytest.approx(0.5 * (2 * np.pi) * (225 + 0.5 + 0.045), rel=0.001)


def test_a_tangle_is_refused(tmp_path):
    points = np.random.default_rng(1).random((20_000, 2)) * 40
    with bounded():
        shapes, report = read(tmp_path, '<path d="M' + " ".join(f"{x:.2f},{y:.2f}" for x, y in points) + 'z"/>')
    assert not shapes
    assert "too often" in next(iter(report)).message


# Strangers ------------------------------------------------------------------------------------------------------

words = st.sampled_from(
    ["", "0", "5", "-1e9", "nan", "1e400", "#a", "url(#a)", "M0 0L5 5z", "M0 0A1 1 0 0110 1", "5mm", "x", "none", "10%"]
)
keys = st.sampled_from(
    ["id", "d", "x", "y", "width", "height", "r", "points", "href", "transform", "style", "class", "fill", "viewBox"]
) | st.sampled_from(["stroke", "stroke-width", "opacity", "fill-opacity", "font-size", "display", "rx"])
tags = st.sampled_from(
    [
        "g",
        "path",
        "rect",
        "circle",
        "use",
        "symbol",
        "svg",
        "text",
        "tspan",
        "style",
        "switch",
        "defs",
        "stop",
        "pattern",
    ]
)
trees = st.recursive(
    st.just([]), lambda inner: st.lists(st.tuples(tags, st.dictionaries(keys, words, max_size=4), inner), max_size=4)
)


def written(tree) -> str:
    return "".join(
        f"<{tag} " + " ".join(f'{k}="{v}"' for k, v in own.items()) + f">{written(inner)}</{tag}>"
        for tag, own, inner in tree
    )


@settings(max_examples=150, deadline=None)
@given(tree=trees)
@example(
    tree=[
        ("path", {"d": "M0 0L5 5z", "stroke": "red", "stroke-width": w, "opacity": "nan"}, []) for w in ("1e400", "-3")
    ]
)
def test_no_drawing_raises(tree, tmp_path_factory):
    folder = tmp_path_factory.getbasetemp()
    shapes, report = read(folder, written(tree))
    assert all(np.isfinite(shapely.get_coordinates(s.geometry)).all() for s in shapes)
    picture = read_svg_picture(folder / "map.svg", "map.svg", Location(), report)
    for shape in picture.shapes if picture else ():
        assert all(math.isfinite(v) for _, points in shape.commands for p in points for v in p)
        assert 0 <= shape.width < math.inf and 0 <= shape.opacity <= 1
    assert all(f.message for f in report)


@settings(max_examples=200)
@given(st.text(st.sampled_from("ab.#{},:;@*/ !\n"), max_size=40))
def test_no_style_sheet_raises(text):
    assert read_sheet([text]) is not None


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x1f\x8b\x08\x00", "packed"),
        (b'<svg width="4mm" height="4mm"/>', "lacks xmlns="),
        (b"<html/>", "not an svg element"),
        (b"\n<?xml version='1.0'?><svg/>", "not XML"),
    ],
)
def test_files_that_are_no_drawings_say_why(tmp_path, data, words):
    (tmp_path / "map.svg").write_bytes(data)
    report = Report()
    assert read_svg(tmp_path / "map.svg", "map.svg", Location(), report) is None
    assert codes(report) == ["S002"] and words in next(iter(report)).message


@pytest.mark.parametrize("encoding", ["utf-7", "ebcdic-cp-be", "x"])
def test_odd_encodings_are_refused(tmp_path, encoding):
    (tmp_path / "map.svg").write_text(f'<?xml version="1.0" encoding="{encoding}"?>{FRAME}</svg>', "ascii")
    report = Report()
    assert read_svg(tmp_path / "map.svg", "map.svg", Location(), report) is None
    assert codes(report) == ["S002"]


def test_utf_16_is_read_and_hides_no_entities(tmp_path):
    for head, good in (("", True), ('<!DOCTYPE svg [<!ENTITY a "b"><!ENTITY c "&a;&a;">]>', False)):
        (tmp_path / "map.svg").write_text(f'<?xml version="1.0" encoding="UTF-16"?>{head}{FRAME}</svg>', "utf-16")
        assert (read_svg(tmp_path / "map.svg", "map.svg", Location(), Report()) is not None) == good


def test_a_circle_at_any_place_closes_where_it_began(tmp_path):
    body = "".join(f'<circle cx="{130 + n / 100}" cy="{255 + n / 70}" r="1.4"/>' for n in range(60))
    shapes, report = read(tmp_path, body)
    assert len(shapes) == 60 and codes(report) == []
