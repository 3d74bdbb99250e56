"""Cases for the codes G104 to G110 and M401 to M406: rivers, roads, one-way parts, what is stated of a map."""

from __future__ import annotations

from pathlib import Path

import shapely
from drawn import CENTRE, EVERYWHERE, TERRAIN, plan

from toolchain.checks.structure import check_drawn
from toolchain.report import Report
from toolchain.survey.maps import survey_map

RIVER = '[[hexside]]\nname = "river"\nriver = true\n'
ROAD = '[[link]]\nname = "road"\nnetwork = true\n'
LINKS = "a,b,kind\n"
WIDE = '[grid]\norientation = "flat"\npitch = 5\norigin = [5, 5]\ncolumns = 7\nrows = 5\n'
BOX = '[[box]]\nkey = "Reserve"\nat = [34, 35]\nsize = [10, 8]\n[[link]]\nname = "reserve"\n'
NAMES = "name,column,row,terrain,features\n"
OPEN = '[[terrain]]\nname = "clear"\nrest = true\n'
SPECK = shapely.Point(CENTRE).buffer(4.6)


def checked(text: str = "", **parts):
    """Survey a tiny map and check it with its drawing."""

    def call(folder: Path) -> Report:
        read, report = plan(folder, text, **parts)
        surveyed = survey_map(read, report)
        report.extend(check_drawn(read, surveyed.warmap, surveyed.drawing))
        return report

    return call


def rivers(*pairs: str) -> str:
    """State rivers between hexes."""
    return RIVER + "".join(
        f'[[side]]\nbetween = ["{a}", "{b}"]\nadd = ["river"]\n' for a, b in (p.split("-") for p in pairs)
    )


def roads(*pairs: str) -> str:
    """Write a table of roads."""
    return LINKS + "".join(f"{p.replace('-', ',')},road\n" for p in pairs)


FLOWING = OPEN + '[[hexside]]\nname = "river"\nlayer = "river"\nflow = "{}"\n'
ACROSS = shapely.LineString([(12, 14), (CENTRE[0], 15.5), (25, 14)])
WESTERN, EASTERN = shapely.LineString([(12, 14), (22, 16)]), shapely.LineString([(22, 16), (35, 14)])
CASES = {
    "G104": (
        checked(BOX, links="a,b,kind,one_way\n0101,Reserve,reserve,yes\n"),
        checked(BOX, links="a,b,kind,one_way\n0101,Reserve,reserve,yes\nReserve,0102,reserve,yes\n"),
    ),
    "G105": (
        checked(ROAD, links=roads("0101-0202")),
        checked(ROAD, links=roads("Oslo-0101"), places=NAMES + "Oslo,1,1,,\n"),
    ),
    "G106": (
        checked(ROAD, grid=WIDE, links=roads("0103-0203", "0403-0503", "0503-0603", "0603-0703")),
        checked(ROAD, grid=WIDE, links=roads("0103-0203", "0203-0303", "0303-0403", "0403-0503", "0503-0603")),
    ),
    "G107": (checked(rivers("0202-0201")), checked(rivers("0202-0201", "0201-0302", "0201-0301"))),
    "G108": (
        checked(rivers("0201-0302", "0203-0303")),
        checked(rivers("0201-0302", "0202-0302", "0202-0303", "0203-0303")),
    ),
    "G109": (
        checked(FLOWING.format("mouth"), river=[ACROSS]),
        checked(FLOWING.format("drawn"), river=[ACROSS]),
    ),
    "G110": (
        checked(FLOWING.format("drawn"), grid=WIDE, river=[WESTERN, shapely.reverse(EASTERN)]),
        checked(FLOWING.format("drawn"), grid=WIDE, river=[WESTERN, EASTERN]),
    ),
    "M401": (
        checked(TERRAIN, land=[EVERYWHERE], wood=[SPECK], check="hex,terrain\n0202,clear\n0101,clear\n"),
        checked(TERRAIN, land=[EVERYWHERE], wood=[SPECK], check="hex,terrain\n0202,wood\n0101,clear\n"),
    ),
    "M402": (
        checked('[fit]\nadjacent = [["0101", "0103"]]\n'),
        checked('[fit]\nadjacent = [["0101", "0102"]]\napart = [["0101", "0103"]]\n'),
    ),
    "M403": (
        checked(places=NAMES + "St. Malo,0,0,,\nSt Malo,1,1,,\n"),
        checked(places=NAMES + "St. Malo,0,0,,\nSt. Lo,1,1,,\n"),
    ),
    "M404": (checked(OPEN.replace("rest = true", 'layer = "wood"\nfrom = 0.4'), wood=[SPECK]), checked(OPEN)),
    "M405": (
        checked(OPEN + '[[feature]]\nname = "city"\nnot_in = ["clear"]\n', places=NAMES + "A,1,1,,city\n"),
        checked(OPEN + '[[feature]]\nname = "city"\nonly_in = ["clear"]\n', places=NAMES + "A,1,1,,city\n"),
    ),
    "M406": (
        checked(TERRAIN, land=[SPECK], wood=[]),
        checked(TERRAIN, land=[SPECK], wood=[], places=NAMES + "Malta,1,1,,\n"),
    ),
}
