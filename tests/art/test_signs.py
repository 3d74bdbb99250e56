"""Signs of the map: hexsides, ways, symbols and terrain marks, each in a golden picture; drawn or along hexsides."""

from __future__ import annotations

import os
import typing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path as File

import pytest
import shapely
from sheeted import LEGEND, PITCH, layer, sheet_map

from toolchain.art.hexlines import draw_rivers
from toolchain.art.links import breadth, line_marks
from toolchain.art.mapsheet import build_map_page
from toolchain.art.marks import Group, Mark, Page, Path, Use, shifted, walk
from toolchain.art.ornaments import TEXT_INSIDE, symbol_marks, terrain_marks
from toolchain.art.overlays import stroke_marks
from toolchain.art.roads import road_lines, through
from toolchain.art.sides import draw_sides
from toolchain.art.svg import to_svg
from toolchain.model.drawing import Layer, Shape
from toolchain.model.warmap import LegendEntry, Link
from toolchain.report import Location, Report, Severity
from toolchain.sources.decode.mapstyle import (
    HexsideStyle,
    LinkDraw,
    LinkStyle,
    Marks,
    OverlayStyle,
    SideDraw,
    Stroke,
    Symbol,
    classic_map_style,
    decode_map_style,
)

STYLE = classic_map_style()
GOLDEN = File(__file__).parent.parent / "data" / "sheets" / "signs.svg"
SIDES = [d for d in typing.get_args(SideDraw) if d not in ("none", "river")]
EDGE, SIDE = "#e0d0a0", ((0.0, 6.0), (10.0, 6.0))
SYMBOLS = [s for s in typing.get_args(Symbol) if s != "none"]


def paths(marks: typing.Iterable[Mark]) -> list[Path]:
    return [m for m in walk(marks) if isinstance(m, Path)]


def gallery() -> Page:
    """Draw one of every sign there is, in rows."""
    rows: list[list[tuple[Mark, ...]]] = [
        [tuple(draw_sides(HexsideStyle(draw=d, edge=EDGE, width=0.08), [SIDE], 18, "#ffffff")) for d in SIDES],
        [
            tuple(line_marks("M0 6L10 6", LinkStyle(draw=d, edge="#5a3a24"), 0.8, "#ffffff"))
            for d in typing.get_args(LinkDraw)
            if d not in ("none", "dots", "arrow")
        ],
        [tuple(stroke_marks("M0 6L10 6", OverlayStyle(layer="x", draw=d), "#ffffff")) for d in typing.get_args(Stroke)],
        [(Group(symbol_marks(s, "#803020", "#ffffff"), shifted(5, 6, 8)),) for s in SYMBOLS],
        [
            (Group(tuple(terrain_marks(k, "#5f8050", "#3f6040", "#ffffff")), shifted(5, 9, 7)),)
            for k in typing.get_args(Marks)
            if k != "none"
        ],
    ]  # fmt: skip
    marks = [
        Group(sign, shifted(4 + 13 * column, 2 + 13 * row))
        for row, signs in enumerate(rows)
        for column, sign in enumerate(signs)
    ]
    return Page(8 + 13 * max(map(len, rows)), 4 + 13 * len(rows), tuple(marks), "signs")


def test_every_sign_looks_as_it_did() -> None:
    """GOLDEN=write writes the picture anew: look at it before it is committed."""
    drawn = to_svg(gallery())
    if os.environ.get("GOLDEN") == "write":
        GOLDEN.write_text(drawn, "utf-8")
    assert drawn == GOLDEN.read_text("utf-8")


@pytest.mark.parametrize("symbol", SYMBOLS)
def test_every_symbol_is_drawn_within_its_square(symbol: str) -> None:
    page = Page(2, 2, (Group(symbol_marks(symbol, "#000000", "#ffffff"), shifted(1, 1, 1)),))
    numbers = [
        float(v)
        for p in paths(page.marks)
        for v in p.data.replace("L", " ").replace("M", " ").replace("C", " ").replace("Z", " ").split()
    ]
    assert numbers and max(abs(v) for v in numbers) <= 0.6, symbol


def test_a_text_stands_in_symbols_that_hold_one() -> None:
    for symbol in SYMBOLS:
        more = len(paths(symbol_marks(symbol, "#000000", "#ffffff", "3"))) - len(
            paths(symbol_marks(symbol, "#000000", "#ffffff"))
        )
        assert more == (symbol in TEXT_INSIDE), symbol


@pytest.mark.parametrize("draw", SIDES)
def test_a_hexside_lies_on_its_side_or_across_it(draw: str) -> None:
    look = HexsideStyle(draw=draw, width=0.06)
    ends = ((10.0, 10.0), (20.0, 10.0))
    data = " ".join(p.data for p in paths(draw_sides(look, [ends], 18.0, "#ffffff")))
    xy = [float(v) for v in data.replace("M", " ").replace("L", " ").replace("Z", " ").split()]
    xs, ys = xy[::2], xy[1::2]
    assert min(xs) >= 8 and max(xs) <= 22 and min(ys) >= 4 and max(ys) <= 16
    assert (min(xs) + max(xs)) / 2 == pytest.approx(15, abs=0.5), "in the middle"


def drawn(warmap, drawing=None, style=STYLE):
    report = Report()
    page = build_map_page(warmap, drawing or {}, style, report)
    assert report.worst() != Severity.ERROR
    return {m.layer: m for m in walk(page.marks) if isinstance(m, Group) and m.layer}


def styled(**own):
    style = decode_map_style(own, "style.toml", Report())
    assert style is not None
    return style


def test_a_river_is_drawn_as_the_drawing_has_it_where_the_style_says_so() -> None:
    warmap = sheet_map(6, 6, rivers=lambda c, r, k: r == 2 and k == 0)
    line = shapely.LineString([(20, 61), (60, 47), (100, 61)])
    drawing = layer("streams", (line, {"name": "Wandering"}))
    kept = styled(hexside={"river": {"layer": "streams"}})
    along, as_drawn = (draw_rivers(warmap.hexsides, drawing, s, PITCH, shapely.Point()) for s in (STYLE, kept))
    assert shapely.hausdorff_distance(as_drawn.lines, line) < 4 < shapely.hausdorff_distance(along.lines, line)
    assert set(as_drawn.named) == {"Wandering"} and set(along.named) == {"Long Water"}


def test_roads_run_on_straight_through_crossings() -> None:
    def at(x, y):
        return (x, y)

    edges = {
        (at(0, 5), at(5, 5)),
        (at(5, 5), at(10, 5)),
        (at(5, 0), at(5, 5)),
        (at(5, 5), at(5, 10)),
        (at(5, 5), at(9, 9)),
    }
    lines = through(edges)
    assert sorted(len(line) for line in lines) == [2, 3, 3]
    assert [(0, 5), (5, 5), (10, 5)] in [sorted(line) for line in lines]
    assert {frozenset(pair) for line in lines for pair in pairwise(line)} == {frozenset(e) for e in edges}


def test_a_road_that_turns_leads_over_the_middle_of_its_bridge() -> None:
    names = {(1, 1): "A", (2, 1): "B", (3, 1): "C"}
    links = [Link("A", "B", "road"), Link("B", "C", "road")]
    warmap = sheet_map(6, 6, names=names, links=links, rivers=lambda c, r, side: (c, r) == (2, 1))
    (run,) = road_lines(warmap, links, {}, STYLE, PITCH)["road"]
    assert [*run] == [warmap.by_key[n].at for n in "ABC"]
    bridged = tuple(replace(h, kinds=h.kinds | {"bridge"}) for h in warmap.hexsides)
    (run,) = road_lines(replace(warmap, hexsides=bridged), links, {}, STYLE, PITCH)["road"]
    middles = [h.ends for h in bridged if {h.a, h.b} in ({"A", "B"}, {"B", "C"})]
    assert len(run) == 5
    assert {run[1], run[3]} == {((a[0] + b[0]) / 2, (a[1] + b[1]) / 2) for a, b in middles}


def test_a_road_is_drawn_as_the_drawing_has_it_where_the_style_says_so() -> None:
    legend = (*LEGEND, LegendEntry("road", "link", "Road"))
    names = {(1, 1): "A", (2, 1): "B"}
    warmap = sheet_map(6, 6, names=names, links=[Link("A", "B", "road")], legend=legend)
    drawing = layer("lanes", (shapely.LineString([(20, 90), (100, 90)]), {}))
    data = [
        p.data
        for s in (STYLE, styled(link={"road": {"layer": "lanes"}}))
        for p in paths([drawn(warmap, drawing, s)["Roads"]])
    ]
    assert not data[0].startswith("M20 90") and data[-1].startswith("M20 90")


def test_overlays_are_drawn_named_and_explained() -> None:
    line = shapely.LineString([(10, 30), (110, 34)])
    own = {"limits": {"layer": "limits", "draw": "dashdot", "title": "Zone limit", "lettering": "region"}}
    warmap = replace(sheet_map(6, 6, size=(400, 400)))
    with_name, without = (
        drawn(warmap, layer("limits", (line, p)), styled(overlay=own)) for p in ({"name": "C / D"}, {})
    )
    assert len(paths([with_name["Overlays"]])) == len(paths([without["Overlays"]])) + 2
    plain = drawn(warmap, layer("limits", (line, {})), STYLE)
    assert len(paths([with_name["Furniture"]])) > len(paths([plain["Furniture"]])), "a line in the key"


def test_a_trait_is_printed_in_its_symbol() -> None:
    legend = (*LEGEND, LegendEntry("city", "feature", "City"))
    style = styled(feature={"city": {"symbol": "square", "value": "production"}})
    warmap = sheet_map(
        4, 4, names={(1, 1): "Ulm"}, features={(1, 1): "city"}, traits={(1, 1): {"production": "3"}}, legend=legend
    )
    bare = sheet_map(4, 4, names={(1, 1): "Ulm"}, features={(1, 1): "city"}, legend=legend)
    assert len(paths([drawn(warmap, style=style)["Symbols"]])) == len(paths([drawn(bare, style=style)["Symbols"]])) + 1


def test_a_trait_beside_a_symbol_that_holds_no_text() -> None:
    style = styled(feature={"port": {"symbol": "anchor", "value": "class"}})
    warmap = sheet_map(4, 4, names={(1, 1): "Ulm"}, features={(1, 1): "port"}, traits={(1, 1): {"class": "IV"}})
    assert sum(isinstance(m, Use) for m in walk([drawn(warmap, style=style)["Symbols"]])) == 4, (
        "two letters and their halo"
    )


@pytest.mark.parametrize("pattern", ["streets", "hatch"])
def test_a_pattern_fills_its_hex_and_no_other(pattern: str) -> None:
    style = styled(feature={"capital": {"symbol": "none", "pattern": pattern}})
    warmap = sheet_map(4, 4, features={(1, 1): "capital"})
    data = " ".join(p.data for p in paths([drawn(warmap, style=style)["Zones"]]))
    xy = [float(v) for v in data.replace("M", " ").replace("L", " ").replace("Z", " ").split()]
    hexagon = shapely.Polygon(next(s for s in warmap.spaces if s.cell == (1, 1)).outline)
    assert len(xy) > 20 and all(
        hexagon.buffer(0.1).covers(p) for p in shapely.points(list(zip(xy[::2], xy[1::2], strict=True)))
    )


def test_hatching_reaches_water_and_keeps_within_its_zone() -> None:
    tint = [{"trait": "waters", "value": "narrow", "colour": "#2f5f90", "draw": "hatch"}]
    warmap = sheet_map(5, 5, terrain=lambda c, r: "sea", traits={(2, 2): {"waters": "narrow"}})
    assert len(paths([drawn(warmap, style=styled(tint=tint))["Zones"]])) == 3


def test_a_road_runs_to_the_edge_of_the_hexes_where_the_drawing_does() -> None:
    names = {(0, 1): "A", (1, 1): "B", (2, 1): "C"}
    place = Location("roads.svg", element="road-1")
    links = [Link("A", "B", "road", where=place), Link("B", "C", "road", where=place)]
    warmap = sheet_map(6, 6, names=names, links=links)
    a, b, c = (warmap.by_key[n].at for n in "ABC")
    for start, end, over in (((a[0] - 30, a[1]), c, 1), (a, c, 0)):
        line = Shape(shapely.LineString([start, a, b, end]), {}, place)
        (run,) = road_lines(warmap, links, {"roads": Layer("roads", (line,))}, STYLE, PITCH)["road"]
        assert len(run) == 3 + over
        assert min(x for x, _ in run) == pytest.approx(a[0] - over * PITCH / 3**0.5, abs=0.1)  # its corner or middle


def test_kinds_that_share_their_hexes_lie_side_by_side_and_meet_where_they_part() -> None:
    names = {(1, 1): "A", (1, 2): "B", (1, 3): "C", (1, 4): "D"}
    links = [Link(*ends, "road") for ends in ("AB", "BC", "CD")] + [Link(*ends, "high-rail") for ends in ("AB", "BC")]
    warmap = sheet_map(6, 6, names=names, links=links)
    lines = road_lines(warmap, links, {}, STYLE, PITCH)
    (road,), (rail,) = lines["road"], lines["high-rail"]
    b, c, d = (warmap.by_key[n].at for n in "BCD")
    (at_b,), (off_b,) = ([p for p in run if abs(p[1] - b[1]) < 1] for run in (road, rail))
    wide = (breadth(STYLE.link["road"]) + breadth(STYLE.link["high-rail"])) * PITCH / 2
    assert abs(at_b[0] - off_b[0]) == pytest.approx(wide)
    assert (at_b[0] - b[0]) * (off_b[0] - b[0]) < 0, "one on either side"
    assert road[-1] == d and c in road, "alone, a road runs through the middles"
    assert road_lines(warmap, links[:3], {}, STYLE, PITCH)["road"] == [[warmap.by_key[n].at for n in "ABCD"]]


def test_a_layer_that_the_map_lacks_is_said_wherever_the_style_names_it() -> None:
    looks = {
        "overlay": {"front": {"layer": "frnt"}},
        "hexside": {"river": {"layer": "streems"}},
        "link": {"road": {"layer": "lanes"}},
        "painted": {"sea": {"layer": "see"}},
    }
    report = Report()
    build_map_page(sheet_map(), layer("front"), styled(**looks), report)
    found = {f.where.key: f.message for f in report if f.rule.code == "C505"}
    assert set(found) == {"overlay.front.layer", "hexside.river.layer", "link.road.layer", "painted.sea.layer"}
    assert "did you mean 'front'?" in found["overlay.front.layer"]
