"""What `validate` must find, a tiny drawing for each: the space, and the place in the drawing, by mm and by SVG id."""

from __future__ import annotations

import pytest
from drawn import CENTRE, plan

from toolchain.checks.structure import check_drawn, check_names
from toolchain.report import Location
from toolchain.survey.maps import survey_map

X, Y = CENTRE  # of the middle one of nine hexes, 0202
WOODS = "M0,26 H40 V40 H0Z"
LAYERS = ("land", "woods", "rivers", "roads", "towns")
HEAD = "".join(f'[layers.{name}]\nfile = "map.svg"\nlayer = "{name}"\n' for name in LAYERS)
LEGEND = """
[[terrain]]
name = "sea"
outside = "land"
[[terrain]]
name = "wood"
layer = "woods"
from = 0.6
[[terrain]]
name = "clear"
rest = true
[[hexside]]
name = "river"
layer = "rivers"
river = true
flow = "drawn"
[[hexside]]
name = "wall"
bars = ["land"]
[[feature]]
name = "town"
not_in = ["wood"]
[[feature]]
name = "port"
needs = "sea"
[[link]]
name = "road"
network = true
[[link]]
name = "way"
[[crossing]]
layer = "roads"
link = "road"
[[site]]
layer = "towns"
class = "class"
"""
DRY = "M-9,-9 H49 V49 H-9Z"
# Along the upper sides of 0202 from the left rim, and on to the right.
WEST = f"M-3,14 L{X - 3},{Y - 5.2}"
WIDE = '[grid]\norientation = "flat"\npitch = 5\norigin = [5, 5]\ncolumns = 7\nrows = 5\n'
NAMES = "name,column,row,terrain,features\n"


def draw(land: str = DRY, woods: str = "", rivers: str = "", roads: str = "", towns: str = "") -> str:
    """Draw a map: paths by layer, several parted by |, each with the name of its layer and a number as id."""
    texts = {"land": land, "woods": woods, "rivers": rivers, "roads": roads}
    groups = []
    for name, paths in texts.items():
        fill = 'fill="green"' if name in ("land", "woods") else 'fill="none" stroke="blue"'
        drawn = (f'<path id="{name}{n}" {fill} d="{d}"/>' for n, d in enumerate(paths.split("|"), 1) if d)
        groups.append(f'<g id="{name}">{"".join(drawn)}</g>')
    circles = (
        f'<circle id="towns{n}" class="{kind}" cx="{x}" cy="{y}" r="1"/>'
        for n, (kind, x, y) in enumerate((t.split(",") for t in towns.split("|") if t), 1)
    )
    groups.append(f'<g id="towns">{"".join(circles)}</g>')
    size = 'width="40mm" height="40mm" viewBox="0 0 40 40"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(groups)}</svg>'


def walls(*pairs: str) -> str:
    return "".join(f'[[side]]\nbetween = ["{p[:4]}", "{p[5:]}"]\nadd = ["wall"]\n' for p in pairs)


# The sides round 0101: it can be left by no land unit.
ROUND = walls("0101-0102", "0101-0201")
SPOT = (X, Y)
CORNER = (10.0, 5.0)

CASES = {
    # what: code, space, place in mm, id in the SVG, drawing, map.toml, tables
    "an island for land units": ("G102", "0101", CORNER, "", draw(), ROUND, {}),
    "a one-way link": (
        "G104",
        "0101",
        CORNER,
        "",
        draw(),
        ROUND,
        {"links": "a,b,kind,one_way\n0202,0101,way,yes\n"},
    ),
    "a dead-end road": ("G105", "0202", (20, 20), "roads1", draw(roads="M-5,20 H20"), "", {}),
    "a break of one hex": (
        "G106",
        "0403",
        (18, 17.5),
        "roads1",
        draw(roads="M9.3,17.5 L13.7,15|M22.3,20 L26.7,17.5"),
        "",
        {"grid": WIDE},
    ),
    "a river that ends in nothing": (
        "G107",
        "0201–0202",
        (X, Y - 5),
        "rivers1",
        draw(rivers=f"M{X - 3},15 H{X + 3}"),
        "",
        {},
    ),
    "a river broken by one hexside": (
        "G108",
        "0201–0202",
        (X, Y - 5),
        "rivers2",
        draw(rivers=f"{WEST}|M{X + 2.9},{Y - 5} L{X + 5.8},10 L44,9"),
        "",
        {},
    ),
    "a river without flow": (
        "G109",
        "0201–0202",
        (X, Y - 5),
        "",
        draw(),
        '[[side]]\nbetween = ["0201", "0202"]\nadd = ["river"]\n',
        {},
    ),
    "rivers that flow together and not on": (
        "G110",
        None,
        (X + 2.89, Y - 5),
        "rivers1",
        draw(rivers=f"M-3,14 L{X - 3},{Y - 5} L{X + 2.89},{Y - 5}|M44,9 L{X + 5.8},10 L{X + 2.89},{Y - 5}"),
        "",
        {},
    ),
    "a river that flows to nothing": (
        "G111",
        None,
        (X + 2.9, Y - 5),
        "rivers1",
        draw(rivers=f"{WEST} L{X + 2.9},{Y - 5}"),
        "",
        {},
    ),
    "a port without water": ("M113", "0202", SPOT, "towns1", draw(towns=f"port,{X},{Y}"), "", {}),
    "a name twice": ("M103", None, None, None, draw(), "", {"places": NAMES + "Oslo,1,1,,\nOslo,2,2,,\n"}),
    "a name almost twice": (
        "M403",
        "St Malo",
        (27.32, 25),
        "",
        draw(),
        "",
        {"places": NAMES + "St. Malo,1,1,,\nSt Malo,2,2,,\n"},
    ),
    "a number off the sheet": ("M102", None, None, None, draw(), "", {"places": "name,hex\nOslo,0909\n"}),
    "a space without terrain": ("M404", "0101", CORNER, "", draw(), "", {}),
    "a feature in the wrong terrain": (
        "M405",
        "0203",
        (X, 30),
        "towns1",
        draw(woods=WOODS, towns=f"town,{X},30"),
        "",
        {},
    ),
    "a stray hex": (
        "M406",
        "0202",
        SPOT,
        "land2",
        draw(land=f"M0,0 h1 v1 h-1Z|M{X - 4.9},{Y - 4.9} h9.8 v9.8 h-9.8Z"),
        "",
        {},
    ),
    "data against the drawing": ("M401", "0202", SPOT, None, draw(), "", {"check": "hex,terrain\n0202,wood\n"}),
}


@pytest.mark.parametrize("what", CASES)
def test_what_validate_finds_has_its_space_and_its_place(tmp_path, what):
    code, space, at, element, svg, text, tables = CASES[what]
    legend = LEGEND.replace('name = "clear"\nrest = true', 'name = "clear"') if code == "M404" else LEGEND
    read, report = plan(tmp_path, HEAD + legend + text, map=svg, **tables)
    assert read is not None, [str(f) for f in report]
    got = survey_map(read, report)
    report.extend(check_drawn(read, got.warmap, got.drawing, got.ends))
    found = [f for f in report if f.rule.code == code]
    assert found, [str(f) for f in report]
    first = next((f for f in found if space is None or f.where.space == space), None)
    assert first is not None, [str(f) for f in found]
    if at is not None:
        assert first.facts["at"] == pytest.approx(list(at), abs=0.6)
        assert element is None or " mm" in first.message or first.where.line
    if element:
        assert (first.where.file, first.where.element) == ("maps/tiny/map.svg", element)
    assert str(first.where)


def test_names_and_numbers_of_lists_that_the_map_lacks_are_found(tmp_path):
    read, report = plan(tmp_path, HEAD + LEGEND, map=draw())
    warmap = survey_map(read, report).warmap
    (found,) = check_names(warmap, [("0909", Location("setup.csv", 3, "at"))])
    assert found.rule.code == "M114" and str(found.where) == "setup.csv:3, column at"
    assert "the numbers of its hexes run from 0101 to 0303" in found.message


def test_a_sound_map_gives_no_finding(tmp_path):
    towns = f"town,{X},10|port,10,5"
    svg = draw(
        land="M12,-9 H49 V49 H-9 V8 H12Z",
        rivers=f"M44,9 L{X + 5.8},10 L{X + 2.89},{Y - 5} L{X - 2.89},{Y - 5} L5,13 L-3,14",
        roads=f"M{X},10 L{X},30 L{X},44",
        towns=towns,
    )
    read, report = plan(tmp_path, HEAD + LEGEND, map=svg)
    got = survey_map(read, report)
    report.extend(check_drawn(read, got.warmap, got.drawing, got.ends))
    assert [f.rule.code for f in report if f.rule.code not in ("M107", "S105")] == []
