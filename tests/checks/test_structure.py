"""What the structure checks say of a map, and where."""

from __future__ import annotations

import pytest
import shapely
from drawn import CENTRE, EVERYWHERE, HEAD, TERRAIN, survey

from toolchain.checks.structure import check_map, check_names, check_parts
from toolchain.report import Location

COAST = 10 + 10 * 3**0.5 / 4
NAMES = "name,column,row,features\n"
KINDS = (
    '[[hexside]]\nname = "water"\nover = "sea"\nbars = ["land"]\n[[link]]\nname = "ferry"\n'
    '[[link]]\nname = "lane"\nmodes = ["sea"]\n[[feature]]\nname = "port"\nneeds = "sea"\n'
)


def found(warmap):
    return [(f.rule.code, f.where.space) for f in check_map(warmap)]


def test_a_sound_map_has_no_findings(tmp_path):
    warmap, _ = survey(tmp_path, TERRAIN + KINDS, land=[EVERYWHERE], wood=[])
    assert found(warmap) == []


def test_an_island_is_found_and_a_ferry_joins_it(tmp_path):
    # The middle column is sea; both outer ones are land.
    land = [shapely.box(-50, -50, COAST, 90), shapely.box(10 + 10 * 3**0.5 * 0.75, -50, 90, 40)]
    places = NAMES + "Oslo,2,0,\nBergen,2,1,\n"
    warmap, _ = survey(tmp_path, TERRAIN + KINDS, land=land, wood=[], places=places)
    (finding,) = check_parts(warmap, "land")
    assert finding.rule.code == "G102"
    assert finding.where.space == "Oslo"
    assert finding.where.line == 2
    assert finding.message == "3 spaces cannot be reached by land from the other 3: Oslo, Bergen, 0303"
    assert finding.facts == {"mode": "land", "spaces": ["Oslo", "Bergen", "0303"]}

    links = "a,b,kind\nOslo,0101,ferry\n"
    warmap, _ = survey(tmp_path / "joined", TERRAIN + KINDS, land=land, wood=[], places=places, links=links)
    assert list(check_parts(warmap, "land")) == []


def test_two_seas_are_found_and_a_lane_joins_them(tmp_path):
    land = [shapely.box(COAST, -50, 10 + 10 * 3**0.5 * 0.75, 90)]
    warmap, _ = survey(tmp_path, TERRAIN + KINDS, land=land, wood=[])
    (finding,) = check_parts(warmap, "sea")
    assert finding.facts == {"mode": "sea", "spaces": ["0301", "0302", "0303"]}
    links = "a,b,kind\n0101,0301,lane\n"
    warmap, _ = survey(tmp_path / "joined", TERRAIN + KINDS, land=land, wood=[], links=links)
    assert list(check_parts(warmap, "sea")) == []


def test_a_strait_joins_two_seas(tmp_path):
    y = CENTRE[1]
    wall = shapely.box(COAST, -50, 10 + 10 * 3**0.5 * 0.75, 90)
    sea = shapely.box(COAST - 9, y - 5.5, COAST + 20, y - 4.5)
    warmap, _ = survey(tmp_path, TERRAIN + KINDS, land=[wall.difference(sea)], wood=[])
    assert {h.kinds for h in warmap.hexsides if (h.a, h.b) == ("0201", "0202")} == {frozenset({"water"})}
    assert list(check_parts(warmap, "sea")) == []


def test_a_pond_is_no_part_of_the_sea_unless_it_has_a_port(tmp_path):
    x, _ = CENTRE
    land = [shapely.box(COAST, -50, 90, 90).difference(shapely.Point(2 * x - 10, 15).buffer(1))]
    warmap, _ = survey(tmp_path, TERRAIN + KINDS, land=land, wood=[])
    assert list(check_parts(warmap, "sea")) == []
    warmap, _ = survey(tmp_path / "port", TERRAIN + KINDS, land=land, wood=[], places=NAMES + "Pond,2,1,port\n")
    assert [f.where.space for f in check_parts(warmap, "sea")] == ["Pond"]


def test_a_space_is_isolated_only_when_every_way_is_barred(tmp_path):
    ring = ("0201", "0203", "0102", "0103", "0302", "0303")
    walls = "".join(f'[[side]]\nbetween = ["0202", "{b}"]\nadd = ["wall"]\n' for b in ring)
    kind = '[[hexside]]\nname = "wall"\nbars = ["land", "sea"]\n'
    warmap, _ = survey(tmp_path, kind + walls)
    assert found(warmap) == [("G101", "0202")]
    links = "a,b,kind\n0202,0303,road\n"
    warmap, _ = survey(tmp_path / "joined", '[[link]]\nname = "road"\n' + kind + walls, links=links)
    assert found(warmap) == []


def test_ports_need_their_sea(tmp_path):
    land = [shapely.box(-50, -50, COAST, 90)]
    places = NAMES + "Oslo,0,1,port\n"
    warmap, _ = survey(tmp_path, TERRAIN + KINDS, land=land, wood=[], places=places)
    assert "M113" not in [code for code, _ in found(warmap)]
    warmap, _ = survey(tmp_path / "inland", TERRAIN + KINDS, land=[EVERYWHERE], wood=[], places=places)
    assert ("M113", "Oslo") in found(warmap)


def test_every_word_that_the_legend_lacks_is_said_with_its_place(tmp_path):
    text = (
        '[[side]]\nbetween = ["Oslo", "0101"]\nadd = ["wlal"]\n[[hexside]]\nname = "wall"\n[[feature]]\nname = "port"\n'
    )
    places = "name,column,row,terrain,features\nOslo,0,1,clera,prot\n"
    warmap, _ = survey(
        tmp_path, TERRAIN + text, land=[EVERYWHERE], wood=[], places=places, links="a,b,kind\nOslo,0303,road\n"
    )
    got = [f for f in check_map(warmap) if f.rule.code == "M106"]
    assert [(f.facts["kind"], f.where.line, f.where.column, f.where.space) for f in got] == [
        ("terrain", 2, "terrain", "Oslo"),
        ("feature", 2, "features", "Oslo"),
        ("hexside", 0, "", "0101–Oslo"),
        ("link", 2, "kind", ""),
    ]
    assert ["did you mean" in f.message for f in got] == [True, True, True, False]


def test_unnamed_land_is_listed_where_only_named_hexes_count(tmp_path):
    head = HEAD + 'enterable = "named"\n'
    places = NAMES + "Oslo,0,1,\nBergen,0,0,\n"
    land = [shapely.box(-50, -50, COAST, 90)]
    warmap, _ = survey(tmp_path, TERRAIN, head=head, land=land, wood=[], places=places)
    (note,) = [f for f in check_map(warmap) if f.rule.code == "M109"]
    assert note.facts == {"hexes": ["0103"]}
    assert note.where == Location(file="maps/tiny/map.toml")


def test_names_of_lists_are_looked_up_in_all_their_forms(tmp_path):
    text = '[spellings]\n"La Havre" = "Le Havre"\n'
    warmap, _ = survey(tmp_path, text, places=NAMES + "Le Havre,1,1,\n")
    where = Location("start.csv", 3, "at")
    words = ["Le Havre", "La Havre", "0202", "0101", "Le Haver", "Rome"]
    got = list(check_names(warmap, [(w, where) for w in words]))
    assert [f.facts["name"] for f in got] == ["Le Haver", "Rome"]
    assert got[0].message == "the map has no space 'Le Haver'; did you mean 'Le Havre'?"
    assert got[1].message == "the map has no space 'Rome'"
    assert got[0].where == where


@pytest.mark.parametrize("count", [12, 13])
def test_long_lists_are_cut_in_the_message_and_whole_in_the_facts(tmp_path, count):
    head = HEAD + 'enterable = "named"\n'
    grid = f'[grid]\norientation = "flat"\npitch = 2\norigin = [2, 2]\ncolumns = 1\nrows = {count + 1}\n'
    terrain = '[[terrain]]\nname = "clear"\nrest = true\n'
    warmap, _ = survey(tmp_path, terrain, head=head, grid=grid, places=NAMES + "Oslo,0,0,\n")
    (note,) = [f for f in check_map(warmap) if f.rule.code == "M109"]
    assert len(note.facts["hexes"]) == count
    assert note.message.endswith("and 1 more") == (count == 13)
