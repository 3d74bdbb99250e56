"""The map sheet: exact size, terrain that cannot be mistaken, rivers on their hexsides, names in their hexes."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree
from sheeted import LEGEND, PITCH, land, layer, sheet_map

from toolchain.art.ground import survey_ground, terrain_looks
from toolchain.art.hexlines import Rivers, river_name_marks
from toolchain.art.key import key_panels, key_rows
from toolchain.art.mapsheet import build_map_page
from toolchain.art.marks import Group, Page, Path, Use, walk
from toolchain.art.naming import width_at, word
from toolchain.art.panels import Panel, Quiet
from toolchain.art.rivers import edge, node, river_lines
from toolchain.art.shapes import curve, geometry_path, organic, rounded, scatter
from toolchain.art.sides import crossing_areas
from toolchain.art.svg import to_svg
from toolchain.art.text import load_font
from toolchain.model.hexes import HexGrid
from toolchain.model.warmap import Hexside, LegendEntry, Link, Sheet, Space, WarMap
from toolchain.report import Report, Severity
from toolchain.sources.decode.mapstyle import classic_map_style, decode_map_style

STYLE = classic_map_style()
FULL, LEAST = STYLE.names.size * PITCH, STYLE.names.least * PITCH


def drawn(warmap: WarMap, drawing=None, style=STYLE, **options) -> Page:
    report = Report()
    page = build_map_page(warmap, drawing or {}, style, report, **options)
    assert report.worst() != Severity.ERROR, [str(f) for f in report]
    return page


def layers(page: Page) -> dict[str, Group]:
    return {m.layer: m for m in walk(page.marks) if isinstance(m, Group) and m.layer}


def corners_of(warmap: WarMap) -> dict[str, shapely.Polygon]:
    return {s.key: shapely.Polygon(s.outline) for s in warmap.spaces if s.kind == "hex"}


# The page ---------------------------------------------------------------------------------------------------------


def test_page_has_the_size_of_the_sheet_and_no_text():
    page = drawn(sheet_map(size=(558.8, 863.6)))
    assert (page.width, page.height) == (558.8, 863.6)
    root = etree.fromstring(to_svg(page).encode())
    assert {etree.QName(e).localname for e in root.iter()} <= {"svg", "title", "defs", "g", "path", "use", "clipPath"}


def test_same_map_same_bytes():
    warmap = sheet_map(terrain=lambda c, r: "forest" if c > 2 else "mountain", names={(1, 1): "Ulm"})
    assert to_svg(drawn(warmap)) == to_svg(drawn(warmap))


def test_numbers_and_furniture_can_be_left_out():
    warmap = sheet_map(size=(300, 300))
    assert {"Numbers", "Furniture"} <= layers(drawn(warmap)).keys()
    assert not {"Numbers", "Furniture"} & layers(drawn(warmap, numbers=False, furniture=False)).keys()


def test_closed_hexes_have_no_number():
    count = [
        sum(isinstance(m, Use) for m in walk(layers(drawn(sheet_map(3, 3, closed=shut)))["Numbers"].marks))
        for shut in (lambda c, r: False, lambda c, r: c == 0)
    ]
    assert count == [9 * 4, 6 * 4]


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_both_kinds_of_grid(orientation):
    warmap = sheet_map(5, 5, orientation=orientation, names={(2, 2): "Königsberg"}, features={(2, 2): "port capital"})
    assert {"Names", "Symbols", "Grid", "Numbers"} <= layers(drawn(warmap)).keys()


def test_map_without_hexes():
    areas = tuple(
        Space(n, "area", (x + 30, 50.0), n, outline=((x, 20), (x + 60, 20), (x + 60, 80), (x, 80)), terrain="clear")
        for n, x in (("West", 20.0), ("East", 80.0))
    )
    point = Space("Ford", "point", (160.0, 50.0), "Ford", terrain="clear")
    warmap = WarMap("areas", "Areas", (Sheet("main", 200, 100),), (*areas, point), legend=LEGEND)
    assert "Names" in layers(drawn(warmap))


def test_every_sheet_shows_its_own_spaces():
    first = sheet_map(4, 4, names={(1, 1): "Here"})
    spaces = tuple(replace(s, sheet="north" if s.cell and s.cell[0] < 2 else "main") for s in first.spaces)
    warmap = replace(first, spaces=spaces, sheets=(*first.sheets, Sheet("north", 150, 150)))
    north, main = drawn(warmap, sheet="north"), drawn(warmap, sheet="main")
    assert (north.width, north.height) == (150, 150)
    assert "Names" in layers(north) and "Names" not in layers(main)


# Ground -----------------------------------------------------------------------------------------------------------


def test_terrain_fills_its_hexes_and_leaves_the_others():
    # A chequered map is the hardest case: every hex borders other terrain on all sides.
    kinds = ("clear", "forest", "mountain")
    warmap = sheet_map(7, 7, terrain=lambda c, r: kinds[(c + 2 * r) % 3])
    spaces = [s for s in warmap.spaces if s.outline]
    ground = survey_ground(warmap, spaces, {}, STYLE, PITCH, shapely.box(0, 0, 400, 400))
    for s in spaces:
        hexagon = shapely.Polygon(s.outline)
        for name in kinds:
            share = ground.regions[name].intersection(hexagon).area / hexagon.area
            assert share > 0.85 if name == s.terrain else share < 0.1, (s.key, name, share)


def test_land_follows_the_drawing_and_not_the_hexes():
    warmap = sheet_map(6, 6)
    ground = survey_ground(warmap, warmap.spaces, land(0, 0, 60, 200), STYLE, PITCH, shapely.box(0, 0, 150, 150))
    assert ground.land.bounds[2] == pytest.approx(60, abs=0.01)
    assert ground.regions["clear"].bounds[2] <= 60.01
    assert ground.water.contains(shapely.Point(90, 50))


def test_closed_land_has_no_terrain():
    warmap = sheet_map(6, 6, terrain=lambda c, r: "forest", closed=lambda c, r: c > 2)
    ground = survey_ground(warmap, warmap.spaces, {}, STYLE, PITCH, shapely.box(0, 0, 200, 200))
    open_, shut = (shapely.Point(s.at) for s in warmap.spaces if s.cell in ((0, 2), (5, 2)))
    assert ground.regions["forest"].contains(open_) and not ground.regions["forest"].contains(shut)


def test_no_terrain_mark_stands_on_a_name_a_number_or_a_river():
    warmap = sheet_map(
        6,
        6,
        terrain=lambda c, r: "forest",
        names={(2, 2): "Wald", (3, 3): "Forst"},
        rivers=lambda c, r, k: r == 2 and k == 0,
    )
    page = drawn(warmap)
    trees = [m for m in layers(page)["Terrain"].marks if isinstance(m, Use)]
    feet = shapely.points([(m.matrix[4], m.matrix[5]) for m in trees])
    letters = [m.matrix[4:] for n in ("Names", "Numbers") for m in layers(page)[n].marks if isinstance(m, Use)]
    assert len(trees) > 300 and len(letters) > 100
    near = shapely.MultiPoint(letters)
    assert shapely.distance(feet, near).min() > 0.3
    water = shapely.MultiLineString([h.ends for h in warmap.hexsides])
    assert shapely.distance(feet, water).min() < PITCH / 4, "trees come near the river"
    assert shapely.distance(feet, water).min() > 0.1


def test_unknown_terrain_gets_a_look_of_its_own_and_a_finding():
    legend = (*LEGEND, LegendEntry("bocage", "terrain"), LegendEntry("polder", "terrain"))
    warmap = sheet_map(4, 4, legend=legend, terrain=lambda c, r: "bocage" if c < 2 else "polder")
    looks = terrain_looks(warmap, STYLE)
    assert looks["bocage"].marks == "hatch"
    assert len({look.fill for look in looks.values()}) == len(looks)
    report = Report()
    build_map_page(warmap, {}, STYLE, report)
    assert [f.rule.code for f in report if f.severity > Severity.NOTE] == ["C504", "C504"]


def test_a_look_can_be_taken_from_another_terrain():
    style = decode_map_style({"terrain": {"bocage": {"like": "woods", "fill": "#010203"}}}, "style.toml", Report())
    assert style is not None
    look = terrain_looks(sheet_map(legend=(LegendEntry("bocage", "terrain"),)), style)["bocage"]
    assert (look.fill, look.marks, look.ink) == ("#010203", "trees", STYLE.terrain["forest"].ink)


# Rivers -----------------------------------------------------------------------------------------------------------

GRID = HexGrid("flat", PITCH, (20.0, 20.0), 7, 7)


def lattice_sides():
    corners = GRID.corners(GRID.cells)
    found = {
        edge((tuple(c[k]), tuple(c[(k + 1) % 6]))): (tuple(c[k]), tuple(c[(k + 1) % 6]))
        for c in corners
        for k in range(6)
    }
    return [found[k] for k in sorted(found)]


SIDES = lattice_sides()


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(0, len(SIDES) - 1), min_size=1, max_size=40))
def test_a_river_follows_each_of_its_hexsides_and_no_other(chosen):
    sides = {edge(SIDES[i]): "water" for i in chosen}
    lines = shapely.MultiLineString(river_lines(sides, PITCH)["water"])
    middles = shapely.points([np.mean(SIDES[i], axis=0) for i in range(len(SIDES))])
    mine = np.isin(np.arange(len(SIDES)), list(chosen))
    away = shapely.distance(middles, lines)
    assert away[mine].max() < PITCH / 8, "the middle of a river hexside lies by the water"
    assert (~mine).sum() == 0 or away[~mine].min() > PITCH / 6, "no other hexside looks like a river"
    lattice = shapely.MultiLineString([SIDES[i] for i in sorted(chosen)])
    assert all(p.distance(lattice) < PITCH / 8 + 0.01 for p in map(shapely.Point, shapely.get_coordinates(lines)))


def test_rivers_meet_where_they_fork():
    middle = node(GRID.corners([[3, 3]])[0][0])
    chosen = [s for s in SIDES if middle in edge(s)]
    assert len(chosen) == 3
    looks = {edge(s): look for s, look in zip(chosen, ("broad", "small", "broad"), strict=True)}
    lines = [shapely.LineString(line) for found in river_lines(looks, PITCH).values() for line in found]
    ends = [set(line.coords) for line in lines]
    assert set.intersection(*ends), "all arms have a point in common"


def test_a_river_that_ends_near_the_sea_runs_into_it():
    side = max(SIDES, key=lambda s: s[0][0] + s[1][0])
    tip = max(side)
    sea = shapely.box(tip[0] + 3, 0, 400, 400)
    line = shapely.LineString(river_lines({edge(side): "w"}, PITCH, sea)["w"][0])
    assert line.distance(sea) < 1e-6


def test_a_closed_river_is_drawn_whole():
    ring = GRID.corners([[3, 3]])[0]
    sides = {edge((tuple(ring[k]), tuple(ring[(k + 1) % 6]))): "w" for k in range(6)}
    (line,) = river_lines(sides, PITCH)["w"]
    assert line[0] == line[-1] and len(line) == 6 * 3 + 1


# Names ------------------------------------------------------------------------------------------------------------


def name_box(page: Page) -> tuple[float, float, float, float]:
    font = load_font(STYLE.names.font)
    uses = [m for m in layers(page)["Names"].marks if isinstance(m, Use)]
    size = uses[0].matrix[0] * 10
    xs, ys = [m.matrix[4] for m in uses], [m.matrix[5] for m in uses]
    return min(xs), min(ys) - font.cap_height * size, max(xs) + 0.6 * size, max(ys)


@pytest.mark.parametrize(
    "name", ["Ulm", "Kristiansand", "Channel Ports", "Clermont-Ferrand", "Overlord Pas de Calais", "Donaueschingen"]
)
def test_a_name_lies_in_its_hex(name):
    warmap = sheet_map(5, 5, names={(2, 2): name}, features={(2, 2): "port capital"})
    hexagon = corners_of(warmap)[name]
    assert hexagon.contains(shapely.box(*name_box(drawn(warmap))))


def test_a_name_keeps_off_a_river():
    names = {(2, 2): "Regensburg"}
    warmap = sheet_map(5, 5, names=names, rivers=lambda c, r, k: (c, r) == (2, 2) and k in (2, 3, 4))
    lines = shapely.MultiLineString(river_lines({edge(h.ends): "w" for h in warmap.hexsides}, PITCH)["w"])
    assert shapely.box(*name_box(drawn(warmap))).distance(lines) > 0.3


def test_names_break_before_they_shrink_much():
    one, _ = word("Ulm", "condensed", FULL, LEAST, 16)
    two, fits = word("Overlord Normandy", "condensed", FULL, LEAST, 14)
    hyphen, _ = word("Clermont-Ferrand", "condensed", FULL, LEAST, 12)
    assert one.lines == ("Ulm",) and one.size == pytest.approx(FULL)
    assert two.lines == ("Overlord", "Normandy") and fits
    assert hyphen.lines == ("Clermont-", "Ferrand")


def test_a_name_that_does_not_fit_is_set_in_the_least_size():
    wording, fits = word("W" * 40, "condensed", FULL, LEAST, 16)
    assert not fits and wording.size == pytest.approx(LEAST)


@pytest.mark.parametrize("flat", [True, False])
@pytest.mark.parametrize("y", [0.0, 3.0, -6.0, 9.0])
def test_room_is_the_width_of_the_hex(flat, y):
    grid = HexGrid("flat" if flat else "pointy", PITCH, (0.0, 0.0), 1, 1)
    corners = [(x, y) for x, y in grid.corners([[0, 0]])[0].tolist()]
    wide = shapely.Polygon(corners).intersection(shapely.LineString([(-50, y), (50, y)])).length
    assert width_at(corners, y) == pytest.approx(wide, abs=1e-6)


def test_a_trait_colours_the_name():
    style = decode_map_style({"tint": [{"trait": "zone", "value": "east", "colour": "#aa1122"}]}, "s", Report())
    warmap = sheet_map(4, 4, names={(1, 1): "Ost"}, traits={(1, 1): {"zone": "east"}})
    page = drawn(warmap, style=style)
    assert "Zones" in layers(page)
    inks = {m.paint.fill for g in page.symbols.values() for m in g.marks if isinstance(m, Path)}
    assert "#aa1122" in inks


def test_lettering_is_written_along_its_line():
    line = shapely.LineString([(20, 60), (60, 50), (110, 60)])
    page = drawn(sheet_map(6, 6), layer("lettering", (line, {"name": "Far Sea", "kind": "sea"})))
    (mark,) = layers(page)["Lettering"].marks
    ys = [float(v) for v in re.findall(r"M[\d.]+ ([\d.]+)", mark.data)]
    assert min(ys) > 40 and max(ys) < 62


def test_lettering_of_a_turned_sheet_stands_upright_in_the_strip_that_it_had():
    def strip(points):
        page = drawn(sheet_map(6, 6), layer("lettering", (shapely.LineString(points), {"name": "Sea", "kind": "sea"})))
        (mark,) = layers(page)["Lettering"].marks
        ys = [float(v) for v in re.findall(r"M[\d.]+ ([\d.]+)", mark.data)]
        return min(ys), max(ys)

    forth = strip([(20, 60), (110, 60)])
    assert forth[0] < 59 and forth[1] < 60.5, "on the line"
    back = strip([(110, 60), (20, 60)])  # turned by half
    assert back[0] > 60 and back[1] > 61, "under it, where it stood on its head"


def test_names_of_rivers_keep_off_bridges_and_off_roads_where_they_can():
    def placed(kinds, roads):
        side = Hexside("a", "b", ((70.0, 30.0), (90.0, 30.0)), frozenset(kinds))
        line = [[(float(x), 30.0) for x in range(0, 161, 4)]]
        rivers = Rivers(Group(()), shapely.MultiLineString(line), {"Long Water": line}, {"Long Water": 0.04})
        made = river_name_marks(rivers, STYLE, 20.0, crossing_areas([side], STYLE, 20.0), roads)
        xs = [float(v) for m in made.marks for v in re.findall(r"[ML](-?[\d.]+) ", m.data)]
        return min(xs), max(xs)

    none = shapely.MultiLineString([])
    low, high = placed(("river",), none)
    assert low < 80 < high, "in the middle, where nothing is in the way"
    low, high = placed(("river", "bridge"), none)
    assert high < 78 or low > 82
    low, high = placed(("river",), shapely.MultiLineString([[(80, 0), (80, 60)]]))
    assert high < 80 or low > 80
    fence = shapely.MultiLineString([[(x, 0), (x, 60)] for x in range(0, 161, 5)])
    assert placed(("river",), fence), "beside roads all along it is named all the same"


def test_key_has_shoals_in_their_own_colour_and_nothing_that_the_map_does_not_show():
    def key(**tables):
        shoal, beach = LegendEntry("shoal", "terrain", traits={"water": "yes"}), LegendEntry("beach", "feature")
        warmap, report = sheet_map(3, 3, legend=(*LEGEND, shoal, beach)), Report()
        style = decode_map_style(tables, "style.toml", report)
        assert not list(report)
        style = style.model_copy(update={"water": style.water.model_copy(update={"terrain": ("sea", "shoal")})})
        return style, key_rows(warmap, style, np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]))

    style, rows = key(terrain={"shoal": {"fill": "#00ff00"}}, feature={"beach": {"symbol": "none"}})
    fills = [{p.paint.fill for p in walk(rows["terrain", t][1](0, 0)) if isinstance(p, Path)} for t in ("shoal", "sea")]
    assert "#00ff00" in fills[0] and style.water.fill in fills[1]
    assert ("feature", "beach") not in rows and ("feature", "port") in rows
    assert ("feature", "beach") in key(feature={"beach": {"symbol": "none", "plate": "#ffffff"}})[1]


def test_values_that_players_read_as_one_thing_are_one_line_of_the_key():
    warmap = sheet_map(3, 3, traits={(0, 0): {"waters": "A"}, (1, 0): {"waters": "B"}})

    def height(*titles):
        tints = [
            {"trait": "waters", "value": v, "colour": "#112233", "title": t} for v, t in zip("AB", titles, strict=False)
        ]
        style = decode_map_style({"tint": tints}, "style.toml", Report())
        return key_panels(warmap, style, np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]))[0].height

    assert height("Shallows", "Shallows") == height("Shallows") < height("Shallows", "Lagoons")


def test_unknown_kind_of_lettering_is_a_finding():
    line = shapely.LineString([(20, 60), (110, 60)])
    report = Report()
    page = build_map_page(
        sheet_map(4, 4), layer("lettering", (line, {"name": "Far Sea", "kind": "see"})), STYLE, report
    )
    said = [f for f in report if f.severity > Severity.NOTE]
    assert [(f.rule.code, f.where.file) for f in said] == [("C505", "lettering.geojson")]
    assert "did you mean 'sea'" in said[0].message and "Lettering" not in layers(page)


# Boxes, links, furniture --------------------------------------------------------------------------------------------


def test_links_are_drawn_between_neighbours_and_listed_in_boxes():
    links = (Link("A", "B", "ferry"), Link("A", "Reserve", "ferry"))
    warmap = sheet_map(
        6, 6, names={(1, 1): "A", (3, 1): "B"}, links=links, boxes={"Reserve": (150, 20, 60, 60)}, size=(260, 200)
    )
    with_links, without = drawn(warmap), drawn(replace(warmap, links=()))
    assert "Links" in layers(with_links) and "Links" not in layers(without)
    assert len(layers(with_links)["Boxes"].marks) == len(layers(without)["Boxes"].marks) + 1


def test_title_and_key_keep_off_the_hexes_in_play():
    warmap = sheet_map(6, 6, size=(360, 360))
    page = drawn(warmap)
    play = shapely.union_all(list(corners_of(warmap).values()))
    for panel in layers(page)["Furniture"].marks:
        assert isinstance(panel, Group)
        x, y = panel.matrix[4:]
        assert shapely.Point(x, y).disjoint(play) and 7 <= x < 353 and 7 <= y < 353


def test_the_quietest_place_is_found():
    frame = shapely.box(0, 0, 100, 100)
    quiet = Quiet.over(frame, [(shapely.box(0, 0, 100, 60), 10.0), (shapely.box(0, 60, 50, 100), 10.0)])
    x, y, cost = quiet.place(Panel(30, 24, ()), 2.0) or (0, 0, 1)
    assert x >= 50 and y >= 60 and cost == 0
    assert quiet.place(Panel(300, 24, ()), 2.0) is None


# Shapes -----------------------------------------------------------------------------------------------------------


def test_scatter_is_even_and_the_same_for_a_part():
    whole, part = shapely.box(0, 0, 60, 60), shapely.box(0, 0, 30, 60)
    points, some = scatter(whole, 3.0), scatter(part, 3.0)
    assert 0.8 < len(points) * 3.0 * 3.0 * 0.866 / 3600 < 1.2
    assert {tuple(p) for p in some.tolist()} == {tuple(p) for p in points.tolist() if p[0] < 30}


def test_rounding_keeps_ends_and_stays_near():
    line = shapely.LineString([(0, 0), (10, 0), (10, 10)])
    smooth = rounded(line)
    assert smooth.coords[0] == (0, 0) and smooth.coords[-1] == (10, 10)
    assert smooth.hausdorff_distance(line) < 1.5


def test_organic_edges_stay_near():
    square = shapely.box(0, 0, 60, 60)
    soft = organic(square, PITCH)
    assert soft.symmetric_difference(square).area < 0.05 * square.area


def test_paths_of_geometry():
    ring = shapely.box(0, 0, 2, 1).difference(shapely.box(0.5, 0.25, 1, 0.75))
    assert geometry_path(ring).count("M") == geometry_path(ring).count("Z") == 2
    assert geometry_path(shapely.LineString([(0, 0), (1.23456, 1)])) == "M0 0L1.23 1"
    assert geometry_path(shapely.GeometryCollection([shapely.Point(1, 1)])) == ""
    assert curve([(0, 0), (1, 1)]).startswith("M0 0C")
