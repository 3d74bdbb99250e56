"""A drawn map surveyed: terrain, hexsides, places, boxes, links and what is stated."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import shapely
from drawn import CENTRE, EVERYWHERE, GRID, HEAD, TERRAIN, codes, plan, survey

from toolchain.survey.terrain import Grounds, judge

COLUMN = 10 * 3**0.5 / 2  # between the centres of columns
LEFT = shapely.box(-50, -50, 10 + COLUMN / 2, 90)  # rather more than the first column: half of the slanted strip
WEST = shapely.box(-50, -50, CENTRE[0], 90)  # the first column and half of the second
RIVER = '[[hexside]]\nname = "river"\nlayer = "river"\n'
SEASIDES = (
    '[[hexside]]\nname = "coast"\nborder = "sea"\n'
    '[[hexside]]\nname = "water"\nover = "sea"\nfrom = 0.6\nbars = ["land"]\n'
)


def kinds(warmap):
    """Return the kinds of hexsides that have any, by the two hexes."""
    return {(h.a, h.b): set(h.kinds) for h in warmap.hexsides if h.kinds}


def test_hexes_are_spaces_column_by_column(tmp_path):
    warmap, report = survey(tmp_path)
    assert not codes(report)
    assert [s.key for s in warmap.spaces] == ["0101", "0102", "0103", "0201", "0202", "0203", "0301", "0302", "0303"]
    middle = warmap.by_key["0202"]
    assert (middle.kind, middle.label, middle.cell, middle.enterable) == ("hex", "0202", (1, 1), True)
    assert middle.at == pytest.approx(CENTRE)
    assert shapely.Polygon(middle.outline).area == pytest.approx(100 * 3**0.5 / 2)
    assert len(warmap.hexsides) == 16
    beside = {(h.a, h.b) for h in warmap.hexsides if "0202" in (h.a, h.b)}
    assert {k for pair in beside for k in pair} == {"0202", "0201", "0203", "0102", "0103", "0302", "0303"}
    assert all(warmap.index[h.a] < warmap.index[h.b] for h in warmap.hexsides)


def test_a_hexside_has_the_corners_that_both_hexes_have(tmp_path):
    warmap, _ = survey(tmp_path, grid=GRID.replace("flat", "pointy"))
    for h in warmap.hexsides:
        a, b = (set(warmap.by_key[k].outline) for k in (h.a, h.b))
        assert set(h.ends) == a & b


def test_terrain_goes_by_land_then_by_thresholds(tmp_path):
    x, y = CENTRE
    wood = shapely.box(x - 2.5, y - 6, x + 2.5, y + 6)
    warmap, _ = survey(tmp_path, TERRAIN, land=[EVERYWHERE], wood=[wood])
    assert warmap.by_key["0202"].terrain == "wood"
    assert warmap.by_key["0202"].shares["wood"] == pytest.approx(50 / (100 * 3**0.5 / 2), abs=1e-5)
    assert warmap.by_key["0201"].terrain == "clear"

    warmap, _ = survey(tmp_path / "half", TERRAIN, land=[LEFT], wood=[])
    assert [warmap.by_key[k].terrain for k in ("0101", "0202", "0303")] == ["clear", "sea", "sea"]
    assert warmap.by_key["0303"].shares == {"sea": 1.0}
    for space in warmap.spaces:
        assert sum(space.shares.values()) == pytest.approx(1, abs=1e-5)


def test_terrain_does_not_count_twice_where_layers_overlap(tmp_path):
    warmap, _ = survey(tmp_path, TERRAIN, land=[WEST], wood=[EVERYWHERE, WEST])
    assert warmap.by_key["0202"].shares == pytest.approx({"sea": 0.5, "wood": 0.5})
    assert warmap.by_key["0101"].shares == {"wood": 1.0}


def verdicts(folder, terrain, shares, named=False, **head):
    text = "".join(f"{key} = {value}\n" for key, value in head.items())
    got, report = plan(folder, terrain, head=HEAD + text, land=[], wood=[], hill=[])
    assert got is not None and not codes(report)
    grounds = Grounds((), np.array([shares], dtype=float), shapely.box(0, 0, 1, 1), len(shares) - 1)
    return judge(got, grounds, np.array([named]))


LEGEND = """
[[terrain]]
name = "sea"
outside = "land"
[[terrain]]
name = "peak"
layer = "wood"
from = 0.5
[[terrain]]
name = "hill"
layer = "hill"
from = 0.4
counts = ["peak"]
[[terrain]]
name = "clear"
rest = true
"""


@pytest.mark.parametrize(
    ("shares", "named", "head", "terrain", "margin"),
    [
        ([0.0, 0.0, 0.0, 1.0], False, {}, "clear", np.inf),
        ([1.0, 0.0, 0.0, 0.0], False, {}, "sea", np.inf),
        ([0.5, 0.0, 0.0, 0.5], False, {}, "clear", 0.0),
        ([0.51, 0.0, 0.0, 0.49], False, {}, "sea", 0.01),
        ([0.51, 0.0, 0.0, 0.49], True, {"land_from_named": 0.1}, "clear", 0.39),
        ([0.95, 0.0, 0.0, 0.05], True, {"land_from_named": 0.1}, "sea", 0.05),
        ([1.0, 0.0, 0.0, 0.0], True, {"land_from_named": 0.0}, "sea", np.inf),
        ([0.0, 0.5, 0.1, 0.4], False, {}, "peak", 0.0),
        ([0.0, 0.3, 0.2, 0.5], False, {}, "hill", 0.1),  # peaks count towards hills
        ([0.0, 0.0, 0.38, 0.62], False, {}, "clear", 0.02),
        ([0.2, 0.0, 0.32, 0.48], False, {}, "hill", 0.0),  # 40% of the land
        ([0.2, 0.44, 0.0, 0.36], False, {}, "peak", 0.04),  # 55% of the land; the margin is a share of the hex
    ],
)
def test_judgements_and_their_margins(tmp_path, shares, named, head, terrain, margin):
    got = verdicts(tmp_path, LEGEND, shares, named, **head)
    assert ["sea", "peak", "hill", "clear"][got.terrain[0]] == terrain
    assert got.margin[0] == pytest.approx(margin)


def test_terrain_without_a_threshold_competes_by_area(tmp_path):
    legend = LEGEND.replace("from = 0.5\n", "").replace("from = 0.4\n", "")
    got = verdicts(tmp_path, legend, [0.0, 0.36, 0.34, 0.3])
    assert got.terrain.tolist() == [1]
    assert got.margin[0] == pytest.approx(0.02)
    assert got.why(0) == "peak covers 36.0% of it and hill 34.0%"


def test_a_stated_terrain_goes_before_the_survey_and_ends_its_doubts(tmp_path):
    places = "name,column,row,terrain\nA,1,1,clear\n,0,0,wood\nB,2,2,\n"
    warmap, report = survey(tmp_path, TERRAIN, land=[WEST], wood=[], places=places)
    assert (warmap.by_key["A"].terrain, warmap.by_key["0101"].terrain) == ("clear", "wood")
    assert [(f.rule.code, f.where.space) for f in report if f.rule.code != "M107"] == [("S105", ""), ("M108", "B")]
    assert {f.where.space for f in report if f.rule.code == "M107"} == {"0201", "0203"}


# Hexsides -------------------------------------------------------------------------------------------------------


def test_a_river_follows_hexsides_and_keeps_its_name(tmp_path):
    line = shapely.LineString([(CENTRE[0] - 8, CENTRE[1] - 5.5), (CENTRE[0] + 8, CENTRE[1] - 4.5)])
    warmap, report = survey(tmp_path, RIVER, river=[(line, {"name": "Rhine"})])
    assert not codes(report)
    # It runs between 0201 and 0202, and on along their other neighbours.
    assert kinds(warmap)["0201", "0202"] == {"river"}
    named = [h for h in warmap.hexsides if h.name]
    assert {h.name for h in named} == {"Rhine"}
    corners = [h.ends for h in named]
    assert len({c for ends in corners for c in ends}) == len(corners) + 1  # a path


def test_two_rivers_on_one_hexside_are_both_named(tmp_path):
    line = shapely.LineString([(CENTRE[0] - 3, CENTRE[1] - 5), (CENTRE[0] + 3, CENTRE[1] - 5)])
    shapes = [(line, {"name": "Elbe"}), (line, {"name": "Saale"}), (line, {"name": None}), (line, {"name": "Elbe"})]
    warmap, _ = survey(tmp_path, RIVER, river=shapes)
    assert {h.name for h in warmap.hexsides if h.kinds} == {"Elbe / Saale"}


def test_a_river_ends_where_the_open_sea_begins(tmp_path):
    line = shapely.LineString([(9, 10), (40, 10)])
    warmap, _ = survey(tmp_path, TERRAIN + RIVER, land=[LEFT], wood=[], river=[line])
    sides = [pair for pair, found in kinds(warmap).items() if "river" in found]
    assert ("0101", "0102") in sides
    assert all("01" in (a[:2], b[:2]) for a, b in sides)
    dry, _ = survey(tmp_path / "dry", TERRAIN + RIVER, land=[EVERYWHERE], wood=[], river=[line])
    assert len([1 for found in kinds(dry).values() if "river" in found]) > len(sides)


def test_a_reef_stays_in_the_open_sea(tmp_path):
    line = shapely.LineString([(9, 10), (40, 10)])
    reef = RIVER + 'bars = ["sea"]\n'
    warmap, _ = survey(tmp_path, TERRAIN + reef, land=[LEFT], wood=[], river=[line])
    dry, _ = survey(tmp_path / "dry", TERRAIN + reef, land=[EVERYWHERE], wood=[], river=[line])
    followed = [{pair for pair, found in kinds(w).items() if "river" in found} for w in (warmap, dry)]
    assert followed[0] == followed[1] and len(followed[0]) > 2


def test_coasts_lie_between_land_and_sea_and_open_water_in_it(tmp_path):
    warmap, _ = survey(tmp_path, TERRAIN + SEASIDES, land=[LEFT], wood=[])
    found = kinds(warmap)
    assert found["0102", "0202"] == found["0101", "0201"] == {"coast"}
    assert found["0201", "0202"] == found["0202", "0302"] == {"water"}
    assert ("0101", "0102") not in found
    entry = warmap.legend_entry("hexside", "water")
    assert entry.traits == {"bars": "land", "water": "yes"}


def test_a_strait_parts_two_hexes_of_land(tmp_path):
    x, y = CENTRE
    strait = shapely.box(x - 4, y - 6, x + 4, y - 4)
    warmap, _ = survey(tmp_path, TERRAIN + SEASIDES, land=[EVERYWHERE.difference(strait)], wood=[])
    assert kinds(warmap) == {("0201", "0202"): {"water"}}


def test_a_hexside_lies_in_an_area_from_the_stated_share_on(tmp_path):
    x, y = CENTRE
    side = 10 / 3**0.5
    text = '[[hexside]]\nname = "lake"\nlayer = "lake"\nfrom = 0.5\n'
    for part, wanted in ((0.45, {}), (0.55, {("0201", "0202"): {"lake"}})):
        lake = shapely.box(x - side / 2, y - 6, x - side / 2 + part * side, y - 4)
        warmap, _ = survey(tmp_path / str(part), text, lake=[lake])
        assert kinds(warmap) == wanted


def test_stated_hexsides_add_and_remove_kinds(tmp_path):
    text = SEASIDES + (
        '[[side]]\nbetween = ["0202", "0102"]\nadd = ["wall"]\nremove = ["coast"]\ncite = "8.4"\n'
        '[[side]]\nbetween = ["0202", "0303"]\nadd = ["wall"]\nassumed = "so"\n'
    )
    warmap, report = survey(tmp_path, TERRAIN + text, land=[LEFT], wood=[])
    assert codes(report) == ["S105"]
    found = kinds(warmap)
    assert found["0102", "0202"] == {"wall"}
    assert found["0202", "0303"] == {"wall", "water"}
    stated = [(h.cite, h.assumed) for h in warmap.hexsides if "wall" in h.kinds]
    assert stated == [("8.4", ""), ("", "so")]


# Places, boxes, links -------------------------------------------------------------------------------------------


def test_places_name_their_hexes(tmp_path):
    places = "name,x,y,features,country\nOslo,18,21,port capital,Norway\n"
    warmap, report = survey(tmp_path, head=HEAD + 'enterable = "named"\n', places=places)
    assert not codes(report)
    oslo = warmap.find("Oslo")
    assert (oslo.key, oslo.name, oslo.label, oslo.cell) == ("Oslo", "Oslo", "0202", (1, 1))
    assert (oslo.features, dict(oslo.traits), oslo.where.line) == ({"port", "capital"}, {"country": "Norway"}, 2)
    assert [s.key for s in warmap.spaces if s.enterable] == ["Oslo"]
    assert warmap.find("0202") is oslo
    assert {h.a for h in warmap.hexsides} | {h.b for h in warmap.hexsides} <= warmap.by_key.keys()


def test_two_places_in_one_hex_are_advised_of_the_nearest_free_hex(tmp_path):
    places = "name,x,y\nArnhem,18,21\nNijmegen,19,24\nKleve,18.6,26\n"
    warmap, report = survey(tmp_path, places=places)
    assert codes(report) == ["M101"]
    (finding,) = report
    assert "Arnhem and Nijmegen both fall in hex 0202" in finding.message
    assert "0303 (column 2, row 2)" in finding.message  # the nearest, 0203, is Kleve's
    assert finding.where.line == 3
    assert warmap.find("Nijmegen") is None


def test_a_place_can_be_put_by_cell_or_by_number(tmp_path):
    places = "name,x,y,column,row,hex,assumed\nA,18,21,,,,\nB,18,21,0,0,,to make room\nC,18,21,,,0303,to make room\n"
    warmap, report = survey(tmp_path, places=places)
    assert not codes(report)
    assert [warmap.find(n).label for n in "ABC"] == ["0202", "0101", "0303"]


def test_places_off_the_map_are_said(tmp_path):
    places = "name,x,y,column,row,hex\nA,18,210,,,\nB,,,7,0,\nC,,,,,Oslo\nD,,,,,0901\n"
    warmap, report = survey(tmp_path, places=places)
    assert codes(report) == ["M102"] * 4
    assert "mm from the nearest hex" in next(iter(report)).message
    assert not any(s.name for s in warmap.spaces)


def test_a_name_that_is_the_number_of_another_hex_is_said(tmp_path):
    warmap, report = survey(tmp_path, places="name,column,row\n0101,1,1\n0303,2,2\n")
    assert codes(report) == ["M103"]
    assert len({s.key for s in warmap.spaces}) == 9


def test_boxes_and_links_and_spellings(tmp_path):
    text = (
        '[[box]]\nkey = "Reserve"\ntitle = "The Reserve"\nat = [10, 8]\nsize = [12, 6]\ntraits = { side = "red" }\n'
        '[[link]]\nname = "sea"\nmodes = ["sea"]\n'
        '[spellings]\n"Wien" = "Vienna"\n"Rsv" = "Reserve"\n'
    )
    links = "a,b,kind,one_way,nation,cite\nReserve,Wien,sea,yes,GE,8.3\n0101,0303,sea,,,\n"
    warmap, report = survey(tmp_path, text, places="name,column,row\nVienna,1,1\n", links=links)
    assert not codes(report)
    box = warmap.find("Rsv")
    assert (box.key, box.name, box.kind, box.at) == ("Reserve", "The Reserve", "box", (10, 8))
    assert box.outline == ((4, 5), (16, 5), (16, 11), (4, 11))
    first, second = warmap.links
    assert (first.a, first.b, first.one_way, dict(first.traits), first.cite) == (
        "Reserve",
        "Vienna",
        True,
        {"nation": "GE"},
        "8.3",
    )
    assert (second.a, second.b) == ("0101", "0303")


def test_names_that_are_nowhere_are_said_with_the_nearest(tmp_path):
    text = '[[side]]\nbetween = ["Viena", "0101"]\n[spellings]\n"Wien" = "Veinna"\n"Vienna" = "0101"\n'
    links = "a,b,kind\nVienna,Wein,road\n"
    _, report = survey(tmp_path, text, places="name,column,row\nVienna,1,1\n", links=links)
    assert [(f.rule.code, f.where.key or f.where.column) for f in report] == [
        ("M103", "spellings.Vienna"),
        ("M105", "b"),
        ("M105", "side.0.between"),
        ("M105", "spellings.Wien"),
    ]
    assert sum("did you mean 'Vienna'?" in f.message for f in report) == 2


def test_a_box_of_the_name_of_a_place_is_said(tmp_path):
    text = '[[box]]\nkey = "Oslo"\nat = [10, 8]\nsize = [12, 6]\n'
    warmap, report = survey(tmp_path, text, places="name,column,row\nOslo,1,1\n")
    assert codes(report) == ["M103"]
    assert warmap.find("Oslo").kind == "hex"


# Grids ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("partial", "count", "open_", "numbers"),
    [("both", 9, 9, 9), ("playable", 9, 9, 7), ("numbered", 9, 7, 9), ("neither", 7, 7, 7)],
    ids=["both", "playable", "numbered", "neither"],
)
def test_hexes_cut_by_the_edge_follow_the_policy(tmp_path, partial, count, open_, numbers):
    # Moved up by 4 mm the top hexes of the outer columns are cut, the middle one is not.
    grid = GRID.replace("[10, 5]", "[10, 1]") + f'partial = "{partial}"\n'
    warmap, report = survey(tmp_path, grid=grid)
    assert not codes(report)
    assert len(warmap.spaces) == count
    assert sum(s.enterable for s in warmap.spaces) == open_
    assert sum(bool(s.label) for s in warmap.spaces) == numbers
    keys = warmap.by_key
    assert all(h.a in keys and h.b in keys for h in warmap.hexsides)


def test_hexes_beyond_the_sheet_are_no_spaces(tmp_path):
    warmap, _ = survey(tmp_path, grid=GRID.replace("columns = 3", "columns = 9"))
    assert max(s.cell[0] for s in warmap.spaces) == 4


def test_a_survey_of_both_orientations_finds_the_same_land(tmp_path):
    land = shapely.Point(20, 20).buffer(11)
    totals = []
    for grid in (GRID, GRID.replace("flat", "pointy")):
        grid = grid.replace("[10, 5]", "[0, 0]").replace("= 3", "= 7")
        warmap, _ = survey(tmp_path / str(len(totals)), TERRAIN, grid=grid, land=[land], wood=[])
        totals.append(sum(1 - s.shares.get("sea", 0) for s in warmap.spaces) * 100 * 3**0.5 / 2)
    assert totals == pytest.approx([land.area] * 2, rel=1e-4)


def test_the_same_input_gives_the_same_map(tmp_path):
    line = shapely.LineString([(0, 3), (20, 22), (40, 25)])
    parts = {"land": [WEST], "wood": [LEFT], "river": [line], "places": "name,x,y,features\nA,18,21,b a c\n"}
    maps = [survey(tmp_path / str(i), TERRAIN + RIVER + SEASIDES, **parts)[0] for i in range(2)]
    assert dataclasses.astuple(maps[0])[1:-2] == dataclasses.astuple(maps[1])[1:-2]


def test_a_projection_that_fails_is_one_finding(tmp_path):
    text = '[projection]\ncrs = "+proj=nonsense"\nscale = 1e6\ncentre = [8, 48]\nat = [20, 20]\n'
    places = "name,lon,lat\nOslo,8,48\nBergen,8,48.1\n"
    links = "a,b,kind\nOslo,Bergen,road\n"
    warmap, report = survey(tmp_path, text + TERRAIN, land=[WEST], wood=[WEST], places=places, links=links)
    assert codes(report) == ["S108"]
    assert len(warmap.spaces) == 9


# Terrain by centre and by touch -----------------------------------------------------------------------------------

MARSH = """
[[terrain]]
name = "sea"
outside = "land"
[[terrain]]
name = "marsh"
layer = "wood"
{}
[[terrain]]
name = "clear"
rest = true
"""


@pytest.mark.parametrize(
    ("stated", "head", "corner", "spot", "half"),
    [
        ("from = 0.4", "", "clear", "clear", "marsh"),
        ('by = "centre"', "", "clear", "marsh", "clear"),
        ('by = "touch"', "", "marsh", "marsh", "marsh"),
        ("", 'terrain_by = "centre"\n', "clear", "marsh", "clear"),
        ("", 'terrain_by = "touch"\n', "marsh", "marsh", "marsh"),
        ("from = 0.4", 'terrain_by = "touch"\n', "clear", "clear", "marsh"),
        ('by = "area"', 'terrain_by = "centre"\n', "clear", "clear", "marsh"),
    ],
)
def test_terrain_goes_by_area_or_centre_or_touch(tmp_path, stated, head, corner, spot, half):
    x, y = CENTRE
    wood = [
        shapely.box(x - 1, y - 1, x + 1, y + 1),  # on the centre of 0202
        shapely.box(10 - 0.5, 0, 10 + 0.5, 0.5),  # in a corner of 0101
        shapely.box(0, 20.7, 12, 30) - shapely.Point(10, 25).buffer(1.5),  # most of 0103, but not its centre
    ]
    warmap, _ = survey(tmp_path, MARSH.format(stated), head=HEAD + head, land=[EVERYWHERE], wood=wood)
    assert [warmap.by_key[k].terrain for k in ("0101", "0202", "0103")] == [corner, spot, half]
    assert warmap.by_key["0103"].shares["marsh"] > 0.4


def test_water_by_centre_or_touch_does_not_ask_for_a_share_of_land(tmp_path):
    terrain = {}
    for by, edge in (("area", -0.5), ("centre", -0.5), ("touch", 4)):
        land = [shapely.box(-50, -50, CENTRE[0] + edge, 90)]  # somewhat less, or more, than half of the second column
        text = TERRAIN.replace('outside = "land"', f'outside = "land"\nby = "{by}"')
        head = HEAD + "land_from = 0.4\n"
        warmap, _ = survey(tmp_path / by, text, head=head, land=land, wood=[])
        terrain[by] = [warmap.by_key[k].terrain for k in ("0101", "0202", "0302")]
    assert terrain["area"] == ["clear", "clear", "sea"]
    assert terrain["centre"] == ["clear", "sea", "sea"]
    assert terrain["touch"] == ["clear", "sea", "sea"]


def test_a_centre_that_speaks_against_most_of_its_hex_is_noted(tmp_path):
    x, y = CENTRE
    wood = shapely.box(x - 9, y - 9, x + 9, y + 9).difference(shapely.Point(x, y).buffer(1))
    warmap, report = survey(tmp_path, MARSH.format('by = "centre"'), land=[EVERYWHERE], wood=[wood])
    assert warmap.by_key["0202"].terrain == "clear"
    notes = {f.where.space: f.message for f in report if f.rule.code == "M107"}
    assert "its centre is clear" in notes["0202"] and "marsh 9" in notes["0202"]


def test_a_hex_of_land_that_nothing_covers_has_no_terrain(tmp_path):
    text = MARSH.format("").replace('[[terrain]]\nname = "clear"\nrest = true\n', "")
    warmap, _ = survey(tmp_path, text, land=[EVERYWHERE], wood=[LEFT])
    assert {s.terrain for s in warmap.spaces} == {"marsh", ""}


@pytest.mark.parametrize("line", ['by = "touch"\nfrom = 0.4', 'by = "centre"\ncounts = ["sea"]', 'by = "near"'])
def test_terrain_that_is_measured_in_two_ways_is_said(tmp_path, line):
    _, report = plan(tmp_path, MARSH.format(line), land=[], wood=[])
    assert codes(report) == ["S011"]
