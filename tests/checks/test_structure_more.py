"""Rivers, roads, one-way parts and stated data: what is found, what is not, and where it is said to lie."""

from __future__ import annotations

import pytest
import shapely
from drawn import CENTRE, EVERYWHERE, TERRAIN, codes, plan

from toolchain.checks.labels import plain
from toolchain.checks.structure import check_drawn, check_names
from toolchain.report import Location
from toolchain.survey.maps import survey_map

RIVER = '[[hexside]]\nname = "river"\nlayer = "streams"\nriver = true\n'
ROAD = '[[link]]\nname = "road"\nnetwork = true\n[[link]]\nname = "track"\nnetwork = true\n'
WIDE = '[grid]\norientation = "flat"\npitch = 5\norigin = [5, 5]\ncolumns = 7\nrows = 5\n'
NAMES = "name,column,row,terrain,features\n"


def found(folder, text="", **parts):
    """Survey and check; return the findings of the checks by code."""
    read, report = plan(folder, text, **parts)
    assert read is not None, [str(f) for f in report]
    surveyed = survey_map(read, report)
    return list(check_drawn(read, surveyed.warmap, surveyed.drawing)), surveyed.warmap


def with_code(findings, code):
    return [f for f in findings if f.rule.code == code]


def line(*points, name="Aller"):
    return shapely.LineString(points), {"name": name}


def test_a_river_that_ends_in_nothing_names_the_shape_that_was_drawn(tmp_path):
    x, y = CENTRE
    findings, _ = found(tmp_path, RIVER, streams=[line((x - 2.9, y - 5), (x + 2.9, y - 5))])
    (finding,) = with_code(findings, "G107")
    assert finding.message.startswith("the Aller, 1 hexside from 19, 15 mm")
    assert finding.where.file == "maps/tiny/streams.geojson"
    assert finding.where.space == "0201–0202"
    assert finding.facts["at"] == pytest.approx([x, y - 5], abs=0.01)
    assert finding.facts["sides"] == [["0201", "0202"]]


@pytest.mark.parametrize("mouth", ["sea", "rim", "river"])
def test_rivers_may_end_at_water_at_the_rim_and_in_another_river(tmp_path, mouth):
    x, y = CENTRE
    top, corner = (x - 2.9, y - 5), (x + 2.9, y - 5)
    rim = ((x + 5.77, y - 10), (x + 2.89, y - 15))
    lines = {"sea": [line(top, corner)], "rim": [line(top, corner, *rim)], "river": [line(top, corner)]}[mouth]
    lines += [line((x + 5.77, y), corner, *rim, name="Weser")] * (mouth == "river")
    wet = shapely.box(-50, -50, 14, 90) if mouth == "sea" else shapely.box(0, 0, 0.001, 0.001)
    findings, _ = found(tmp_path, TERRAIN + RIVER, streams=lines, land=[shapely.difference(EVERYWHERE, wet)], wood=[])
    assert not with_code(findings, "G107") and not with_code(findings, "G108")


def test_a_break_names_the_sides_that_are_missing(tmp_path):
    stated = "".join(
        f'[[side]]\nbetween = ["{a}", "{b}"]\nadd = ["river"]\n'
        for a, b in (("0201", "0302"), ("0202", "0302"), ("0203", "0303"))
    )
    findings, _ = found(tmp_path, RIVER.replace('layer = "streams"\n', "") + stated)
    (gap,) = with_code(findings, "G108")
    assert gap.facts["sides"] == [["0202", "0303"]]
    assert "broken off by 1 hexside" in gap.message and "0202–0303 should be river" in gap.message
    assert not with_code(findings, "G107")


def test_kinds_that_are_no_rivers_may_end_anywhere(tmp_path):
    text = '[[hexside]]\nname = "wall"\n[[side]]\nbetween = ["0202", "0201"]\nadd = ["wall"]\n'
    assert not with_code(found(tmp_path, text)[0], "G107")


def roads(*pairs, kind="road"):
    return "".join(f"{p.replace('-', ',')},{kind}\n" for p in pairs)


def test_a_road_broken_by_one_hex_names_the_hex(tmp_path):
    links = "a,b,kind\n" + roads("0103-0203", "0403-0503", "0503-0603", "0603-0703")
    findings, _ = found(tmp_path, ROAD, grid=WIDE, links=links)
    (gap,) = with_code(findings, "G106")
    assert gap.where.space == "0303" and gap.facts["spaces"] == ["0203", "0403"]
    assert not with_code(findings, "G105")


def test_two_neighbouring_ends_without_a_link_are_a_break(tmp_path):
    links = "a,b,kind\n" + roads("0103-0203", "0303-0403", "0403-0503", "0503-0603", "0603-0703")
    (gap,) = with_code(found(tmp_path, ROAD, grid=WIDE, links=links)[0], "G106")
    assert "no link joins them" in gap.message


def test_a_road_may_become_a_track_and_end_where_something_is(tmp_path):
    links = "a,b,kind\n" + roads("0103-0203", "0203-0303") + roads("0303-0403", kind="track")
    findings, _ = found(tmp_path, ROAD, grid=WIDE, links=links, places=NAMES + "Inn,3,2,,\n")
    assert not with_code(findings, "G105")
    findings, _ = found(tmp_path / "b", ROAD, grid=WIDE, links=links)
    (end,) = with_code(findings, "G105")
    assert end.where.space == "0403" and end.facts["kind"] == "track"


def test_one_way_parts_are_found_per_mode(tmp_path):
    box = '[[box]]\nkey = "{0}"\nat = [34, 35]\nsize = [10, 8]\n'
    text = box.format("Trap") + box.format("Source") + '[[link]]\nname = "way"\n[[link]]\nname = "note"\nmodes = []\n'
    links = "a,b,kind,one_way\n0101,Trap,way,yes\nSource,0101,way,yes\nTrap,0102,note,yes\n"
    findings, _ = found(tmp_path, text, links=links)
    got = {f.where.space: f.message for f in with_code(findings, "G104")}
    assert got == {
        "Trap": "1 space can be entered and never left by land: Trap (34, 35 mm)",
        "Source": "1 space can be left and never entered again by land: Source (34, 35 mm)",
    }
    back = links + "Trap,0102,way,yes\n0102,Source,way,no\n"
    assert not with_code(found(tmp_path / "b", text, links=back)[0], "G104")


def test_a_table_made_by_hand_is_compared_with_the_shares(tmp_path):
    wood = [shapely.Point(CENTRE).buffer(4.6)]
    table = "name,hex,terrain,note\n,0202,clear,\nOslo,,wood,\n,0909,clear,\n,0102,wod,\n,0103,,\n,0201,clear,\n"
    findings, _ = found(
        tmp_path, TERRAIN, land=[EVERYWHERE], wood=wood, check=table, places="name,column,row\nOslo,0,0\n"
    )
    differs = with_code(findings, "M401")
    assert [(f.where.space, f.where.line, f.where.column) for f in differs] == [
        ("0202", 2, "terrain"),
        ("Oslo", 3, "terrain"),
    ]
    assert differs[0].message.startswith("the table says clear, the map wood; measured: wood 7")
    assert differs[0].facts["shares"]["wood"] > 0.7
    assert [(f.where.line, f.where.column) for f in with_code(findings, "M105")] == [(4, "hex")]
    assert [f.message for f in with_code(findings, "M106")] == ["the legend has no terrain 'wod'; did you mean 'wood'?"]


@pytest.mark.parametrize(("table", "codes_"), [("hex,land\n0101,clear\n", ["S012"]), ("a,b\n1,2\n", ["S012"] * 2)])
def test_a_table_without_its_columns_is_a_finding(tmp_path, table, codes_):
    assert codes(plan(tmp_path, TERRAIN, land=[EVERYWHERE], wood=[], check=table)[1]) == codes_


def test_numbers_off_the_sheet_say_which_there_are(tmp_path):
    warmap = found(tmp_path, places="name,column,row\nOslo,0,0\n")[1]
    (finding,) = check_names(warmap, [("0909", Location("start.csv", 2))])
    assert finding.message == "the map has no space '0909': the numbers of its hexes run from 0101 to 0303"


def test_names_are_compared_as_hurried_readers_do(tmp_path):
    assert plain("St. Brieuc") == plain("st brieuc") != plain("St. Brieux")
    assert plain("Orléans") == plain("ORLEANS")
    places = NAMES + "Orléans,0,0,,\nOrleans,1,1,,\nTours,2,2,,\n"
    (finding,) = with_code(found(tmp_path, places=places)[0], "M403")
    assert finding.where.space == "Orleans" and finding.facts["first"] == "Orléans"


def test_a_single_lake_hex_is_stray_and_a_hex_off_the_sheet(tmp_path):
    x, y = CENTRE
    lake = shapely.difference(EVERYWHERE, shapely.Point(x, y).buffer(4.9))
    findings, _ = found(tmp_path, TERRAIN, land=[lake], wood=[])
    assert [(f.where.space, f.message[:22]) for f in with_code(findings, "M406")] == [
        ("0202", "a single hex of water ")
    ]
    far = '[grid]\norientation = "flat"\npitch = 10\norigin = [10, 5]\ncolumns = 5\nrows = 3\n'
    findings, _ = found(tmp_path / "b", grid=far)
    assert {f.where.space for f in with_code(findings, "M406")} == {"0501", "0502", "0503"}


def test_features_know_where_they_may_stand(tmp_path):
    text = TERRAIN + '[[feature]]\nname = "fort"\nonly_in = ["wood"]\n[[feature]]\nname = "city"\nnot_in = ["wood"]\n'
    places = NAMES + "A,0,0,,fort city\nB,1,1,wood,fort city\n"
    findings, _ = found(tmp_path, text, land=[EVERYWHERE], wood=[], places=places)
    assert {(f.where.space, f.message) for f in with_code(findings, "M405")} == {
        ("A", "a fort may not stand in clear, only in wood"),
        ("B", "a city may not stand in wood"),
    }
    report = plan(tmp_path / "b", TERRAIN + '[[feature]]\nname = "fort"\nonly_in = ["wod"]\n', wood=[], land=[])[1]
    assert [f.where.key for f in report] == ["feature.0.only_in"]
