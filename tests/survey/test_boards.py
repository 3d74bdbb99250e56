"""Boards beside hexes: point maps, area maps, zones over hexes and tracks, on a sheet of 40 mm."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import shapely
from drawn import EVERYWHERE, TERRAIN, codes, plan, survey
from hypothesis import given
from hypothesis import strategies as st
from runaway import bounded
from shapely import LineString, Point, box

from toolchain.checks.structure import check_map
from toolchain.graph.build import build_graph, build_mode_graph
from toolchain.report import Report
from toolchain.survey.borders import find_borders

# As Inkscape draws: layers are groups with a label, numbers are millimetres, paint is in `style`.
INKSCAPE = """<svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="40mm" viewBox="0 0 40 40"
 xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape">
 <g inkscape:groupmode="layer" inkscape:label="Spaces" id="layer1">
  <circle id="circle10" inkscape:label="Moscow" cx="10" cy="10" r="3" style="fill:#d0b080;stroke:#000"/>
  <ellipse id="Kiev" cx="10" cy="30" rx="3" ry="2" style="fill:none;stroke:#000"/>
  <rect id="rect12" x="27" y="7" width="6" height="6" style="fill:#d0b080"><title>Siberia</title></rect>
  <circle id="circle13" inkscape:label="Black Sea" cx="30" cy="30" r="3" style="fill:#80a0d0" class="sea"/>
 </g>
 <g inkscape:groupmode="layer" inkscape:label="Ways" id="layer2">
  <path id="road" d="M 10,12 C 6,18 6,22 10,27.5" style="fill:none;stroke:#804000"/>
  <path id="far" d="M 13.5,10 H 26" style="fill:none;stroke:#c00000"/>
  <line id="water" x1="13" y1="30" x2="26" y2="30" style="stroke:#0000c0"/>
 </g>
</svg>"""
POINTS = """
[layers.ways]
file = "board.svg"
layer = "Ways"
where = { stroke = "#804000" }
[layers.far]
file = "board.svg"
layer = "Ways"
where = { stroke = "#c00000" }
[layers.water]
file = "board.svg"
layer = "Ways"
where = { stroke = "#0000c0" }
[layers.board]
file = "board.svg"
layer = "Spaces"
where = { class = "" }
[layers.seas]
file = "board.svg"
layer = "Spaces"
where = { class = "sea" }
[[terrain]]
name = "land"
[[terrain]]
name = "sea"
water = true
[[feature]]
name = "capital"
[[link]]
name = "land"
[[link]]
name = "water"
modes = ["sea"]
[[points]]
layer = "board"
terrain = "land"
[[points]]
layer = "seas"
terrain = "sea"
traits = { ocean = "yes" }
[[lines]]
layer = "ways"
kind = "land"
[[lines]]
layer = "far"
kind = "land"
traits = { nation = "soviet" }
[[lines]]
layer = "water"
kind = "water"
"""
LAND = '[[link]]\nname = "land"\n'
DRAWN = (
    '[[points]]\nlayer = "spots"\nnames = "words"\n[[lines]]\nlayer = "ways"\nkind = "land"\nproperties = ["nation"]\n'
)


def spot(x: float, y: float, name: str = "", radius: float = 2.0) -> tuple[object, dict[str, object]]:
    return (Point(x, y).buffer(radius), {"name": name} if name else {})


def test_a_dot_in_a_ring_is_one_space(tmp_path):
    rings = '<circle id="circle1" cx="10" cy="10" r="4"/><circle id="circle2" cx="10" cy="10" r="2"/>'
    rings += '<circle id="circle3" cx="30" cy="10" r="3"/><circle inkscape:label="Kiev" cx="30" cy="10" r="1"/>'
    rings += '<rect id="Reserve" x="5" y="20" width="30" height="9"/><circle id="Slot" cx="9" cy="25" r="2"/>'
    board = INKSCAPE[: INKSCAPE.index(" <g ")] + rings + "</svg>"
    text = '[layers.board]\nfile = "board.svg"\n[[points]]\nlayer = "board"\nnames = "words"\n'
    warmap, report = survey(tmp_path, text, grid="", board=board, words=[(Point(10, 16), {"name": "Minsk"})])
    assert [s.key for s in warmap.spaces] == ["Minsk", "Kiev", "Reserve", "Slot"]
    assert codes(report) == ["M311"] and "2 shapes" in next(iter(report)).message


def test_a_point_map_as_inkscape_draws_it(tmp_path: Path) -> None:
    places = "name,features,country\nMoscow,capital,Russia\n"
    links = "a,b,kind,wrap\nSiberia,Black Sea,water,yes\n"
    warmap, report = survey(tmp_path, POINTS, grid="", board=INKSCAPE, places=places, links=links)
    assert codes(report) == [] == [f.rule.code for f in check_map(warmap)]
    assert warmap.grids == {}
    assert [(s.key, s.kind, s.terrain) for s in warmap.spaces] == [
        ("Moscow", "point", "land"),
        ("Kiev", "point", "land"),
        ("Siberia", "point", "land"),
        ("Black Sea", "point", "sea"),
    ]
    moscow = warmap.by_key["Moscow"]
    assert (moscow.features, moscow.traits, moscow.at) == ({"capital"}, {"country": "Russia"}, (10.0, 10.0))
    assert warmap.by_key["Black Sea"].traits == {"ocean": "yes"}
    assert shapely.Polygon(moscow.outline).area == pytest.approx(np.pi * 9, rel=0.02)
    joined = [(x.a, x.b, x.kind, dict(x.traits)) for x in warmap.links]
    assert joined == [
        ("Moscow", "Kiev", "land", {}),
        ("Moscow", "Siberia", "land", {"nation": "soviet"}),
        ("Kiev", "Black Sea", "water", {}),
        ("Siberia", "Black Sea", "water", {"wrap": "yes"}),
    ]
    assert min(x for x, _ in warmap.links[0].line) < 8, "the curve of the drawing is kept"
    assert sorted(build_graph(warmap).edges()) == sorted((a, b) for a, b, *_ in joined)
    assert ("Kiev", "Black Sea") in build_mode_graph(warmap, "sea").edges()
    assert ("Kiev", "Black Sea") not in build_mode_graph(warmap, "land").edges()


def test_names_come_from_the_nearest_text(tmp_path: Path) -> None:
    spots = [spot(8, 8), spot(8, 20), spot(30, 30, "Rome")]
    words = [
        (Point(8, 13), {"text": "North"}),
        (Point(8, 25), {"name": "South "}),
        (Point(30, 12), {"text": "Atlantis"}),
    ]
    warmap, report = survey(tmp_path, LAND + DRAWN, grid="", spots=spots, words=words, ways=[])
    assert [s.key for s in warmap.spaces] == ["North", "South", "Rome"]
    assert codes(report).count("M302") == 1
    assert "Atlantis" in next(f.message for f in report if f.rule.code == "M302")


def test_lines_are_cut_where_they_pass_and_faults_name_line_and_place(tmp_path: Path) -> None:
    spots = [spot(5, 5, "A"), spot(20, 5, "B"), spot(35, 5, "C"), spot(20, 20, "D"), spot(5, 35, "E")]
    ways = [
        (LineString([(5, 5), (35, 5)]), {"nation": "red"}),  # through B
        LineString([(35, 7), (22, 20)]),
        LineString([(22, 20), (35, 7)]),  # again
        LineString([(6, 5), (10, 12), (5, 6)]),  # to itself
        LineString([(5, 33), (15, 28)]),  # loose
        LineString([(5, 7), (18.4, 18.6), (18, 24), (5, 34)]),  # grazes D
    ]
    warmap, report = survey(tmp_path, LAND + DRAWN, grid="", spots=spots, ways=ways, words=[])
    found = {f.rule.code: f for f in report if f.rule.code.startswith("M3")}
    assert sorted(found) == ["M303", "M304", "M305", "M306"]
    assert found["M303"].where.key == "features.4"
    assert "15, 28 mm, 7.4 mm from D" in found["M303"].message
    assert [(x.a, x.b, dict(x.traits)) for x in warmap.links] == [
        ("A", "B", {"nation": "red"}),
        ("B", "C", {"nation": "red"}),
        ("C", "D", {}),
        ("A", "E", {}),
    ]
    assert warmap.links[0].line == ((5.0, 5.0), (20.0, 5.0))


def test_a_table_adds_what_is_drawn_already(tmp_path: Path) -> None:
    spots, ways = [spot(5, 5, "A"), spot(20, 5, "B")], [LineString([(5, 5), (20, 5)])]
    links = "a,b,kind\nB,A,land\nA,B,water\n"
    places = "name,x,y,features\nC,30,30,\nB,,,port\nZagreb,,,port\n"
    warmap, report = survey(
        tmp_path, LAND + DRAWN, grid="", spots=spots, ways=ways, words=[], links=links, places=places
    )
    assert [(x.a, x.b, x.kind) for x in warmap.links] == [("A", "B", "land"), ("A", "B", "water")]
    assert [(s.key, s.at, s.features) for s in warmap.spaces][1:] == [("B", (20, 5), {"port"}), ("C", (30, 30), set())]
    assert [c for c in codes(report) if c != "S105"] == ["M105", "M305"]


AREAS = """
[[terrain]]
name = "land"
[[terrain]]
name = "sea"
water = true
[[hexside]]
name = "river"
layer = "rivers"
[[hexside]]
name = "coast"
border = "sea"
[[areas]]
layer = "lands"
terrain = "land"
[[areas]]
layer = "seas"
terrain = "sea"
"""


def test_sloppy_areas_are_adjacent_by_shared_border(tmp_path: Path) -> None:
    lands = [
        (box(1, 1, 19.6, 19.7), {"name": "NW"}),
        (box(20.2, 1, 39, 20.3), {"name": "NE"}),  # a gap of 0.6 to NW
        (box(1, 20.3, 20.4, 39), {"name": "SW"}),
        (shapely.Polygon([(19.9, 20.1), (39, 20), (39, 39), (20, 39)]), {"name": "SE"}),  # over SW and NE by a little
    ]
    seas = [(box(-3, 1, 1.4, 39), {"name": "West Sea"})]
    rivers = [(LineString([(1, 20.5), (20, 19.8)]), {"name": "Long Water"})]
    warmap, report = survey(tmp_path, AREAS, grid="", lands=lands, seas=seas, rivers=rivers)
    sides = {(h.a, h.b): h for h in warmap.hexsides}
    assert sorted(sides) == [
        ("NE", "SE"), ("NW", "NE"), ("NW", "SW"), ("NW", "West Sea"), ("SW", "SE"), ("SW", "West Sea"),
    ]  # fmt: skip
    assert sides["NW", "SW"].kinds == {"river"}
    assert sides["NW", "SW"].name == "Long Water"
    assert sides["SW", "West Sea"].kinds == {"coast"}
    assert sides["NW", "NE"].kinds == frozenset()
    (x0, y0), (x1, y1) = sides["NW", "NE"].ends
    assert abs(y1 - y0) == pytest.approx(18.7, abs=1.1)
    assert 19 < x0 < 21 > x1 > 19
    corners = [f for f in report if f.rule.code == "M307"]
    assert [f.message.split(" share")[0] for f in corners] == ["NW and SE", "NE and SW"]
    assert [c for c in codes(report) if c != "M307"] == []
    assert build_mode_graph(warmap, "sea").has_edge("NW", "West Sea")


def test_an_island_inside_an_area_is_adjacent_to_it(tmp_path: Path) -> None:
    lands = [(box(1, 1, 39, 39), {"name": "Round"}), (box(15, 15, 25, 25), {"name": "Inner"})]
    text = '[[areas]]\nlayer = "lands"\n'
    warmap, report = survey(tmp_path, text, grid="", lands=lands)
    assert [(h.a, h.b) for h in warmap.hexsides] == [("Round", "Inner")]
    assert codes(report) == ["M308"], "the hole was not drawn"
    hole = [(box(1, 1, 39, 39) - box(15, 15, 25, 25), {"name": "Round"}), (box(15.3, 15, 25, 25), {"name": "Inner"})]
    warmap, report = survey(tmp_path / "again", text, grid="", lands=hole)
    assert [(h.a, h.b) for h in warmap.hexsides] == [("Round", "Inner")]
    assert codes(report) == []


@given(st.integers(2, 6), st.integers(2, 6), st.integers(0, 2**32 - 1), st.floats(0.0, 0.3), st.floats(0.3, 1.0))
def test_adjacency_survives_jitter_and_does_not_depend_on_order(
    columns: int, rows: int, seed: int, jitter: float, tolerance: float
) -> None:
    random = np.random.default_rng(seed)
    x, y = (p.ravel() for p in np.meshgrid(np.arange(columns), np.arange(rows)))
    corners = np.stack([np.stack([x + a, y + b], axis=1) for a, b in ((0, 0), (1, 0), (1, 1), (0, 1))], axis=1) * 10.0
    # Every corner of every square moves on its own, so that neighbours have gaps and overlaps.
    shapes = shapely.polygons(corners + random.uniform(-jitter, jitter, corners.shape) / 2)
    shuffled = random.permutation(len(shapes))

    def pairs(order: np.ndarray) -> set[tuple[int, int]]:
        found = find_borders(shapes[order], max(tolerance, jitter * 1.5))
        return {tuple(sorted((int(order[i]), int(order[j])))) for i, j in found.pairs[found.lengths >= 3.0]}

    wanted = {(i, j) for i in range(len(x)) for j in range(i + 1, len(x)) if abs(x[i] - x[j]) + abs(y[i] - y[j]) == 1}
    assert pairs(np.arange(len(shapes))) == wanted == pairs(shuffled)


def test_twenty_thousand_areas_take_no_minutes() -> None:
    random = np.random.default_rng(1)
    nodes = np.stack(np.meshgrid(np.arange(142.0), np.arange(142.0)), axis=-1) * 10 + random.uniform(
        -3, 3, (142, 142, 2)
    )
    shapes = shapely.polygons(
        np.stack([nodes[:-1, :-1], nodes[:-1, 1:], nodes[1:, 1:], nodes[1:, :-1]], axis=2).reshape(-1, 4, 2)
    )
    with bounded():
        found = find_borders(shapes, 0.5)
    assert int((found.lengths >= 1.0).sum()) == pytest.approx(2 * 141 * 140, rel=0.01)


ZONES = (
    TERRAIN
    + """
[[link]]
name = "coast"
modes = ["sea"]
[[zones]]
layer = "parts"
trait = "sea"
only = ["sea"]
spaces = true
link = "coast"
terrain = "sea"
"""
)


def test_zones_lie_over_hexes(tmp_path: Path) -> None:
    land = [box(14, -50, 90, 90)]  # the first column is sea
    parts = [(box(-5, -5, 16, 17), {"name": "Upper"}), (box(-5, 17, 16, 28), {"name": "Lower"})]
    warmap, report = survey(tmp_path, ZONES, land=land, wood=[box(-60, -60, -55, -55)], parts=parts)
    assert {k: warmap.by_key[k].traits for k in ("0101", "0102", "0103", "0201")} == {
        "0101": {"sea": "Upper"},
        "0102": {"sea": "Upper"},
        "0103": {"sea": "Lower"},
        "0201": {},
    }
    assert [(s.key, s.kind) for s in warmap.spaces[-2:]] == [("Upper", "sea zone"), ("Lower", "sea zone")]
    assert [(h.a, h.b) for h in warmap.hexsides if h.a == "Upper"] == [("Upper", "Lower")]
    assert [(x.a, x.b) for x in warmap.links] == [
        ("Upper", "0201"), ("Upper", "0202"), ("Lower", "0202"), ("Lower", "0203"),
    ]  # fmt: skip
    assert "M309" not in codes(report)
    _, report = survey(tmp_path / "less", ZONES, land=land, wood=[EVERYWHERE], parts=parts[:1])
    assert [f.message for f in report if f.rule.code == "M309"] == ["1 hex lies in no zone: 0103"]


def test_zones_that_nobody_may_enter_close_hexes(tmp_path: Path) -> None:
    land = [box(14, -50, 90, 90)]
    neutral = [(box(14, -5, 36, 17), {"name": "Upper"})]  # the land of 0201 and some of 0202
    text = TERRAIN + '[[zones]]\nlayer = "parts"\nenterable = false\n'
    warmap, report = survey(tmp_path, text, land=land, wood=[box(-60, -60, -55, -55)], parts=neutral)
    assert "M309" not in codes(report)
    closed = {s.key for s in warmap.spaces if not s.enterable}
    assert "0201" in closed and "0202" not in closed and "0203" not in closed
    assert "0101" not in closed, "the sea before it stays open"
    assert all(not s.traits for s in warmap.spaces)


def test_a_track_is_a_row_of_boxes(tmp_path: Path) -> None:
    text = """
[[link]]
name = "order"
modes = []
[[track]]
key = "Turn"
title = "Game Turns"
at = [20, 12]
cell = [8, 7]
columns = 3
labels = ["May", "June", "July", "August"]
prefix = ""
link = "order"
one_way = true
[[track]]
key = "VP"
along = [[4, 36], [36, 36], [36, 26]]
cell = [6, 6]
from = -1
to = 3
traits = { side = "red" }
"""
    warmap, report = survey(tmp_path, text, grid="", spots=[])
    assert [c for c in codes(report) if c != "S105"] == []
    turns, points = warmap.tracks
    assert (turns.title, turns.spaces, turns.labels) == ("Game Turns", ("May", "June", "July", "August"), turns.spaces)
    assert points.spaces == ("VP -1", "VP 0", "VP 1", "VP 2", "VP 3")
    assert (points.labels, points.outline) == (("-1", "0", "1", "2", "3"), ())
    at = {s.key: s.at for s in warmap.spaces}
    assert (at["June"][0] - at["May"][0], at["August"][1] - at["May"][1]) == (8, 7)
    assert at["August"][0] == at["May"][0]
    assert (at["VP -1"], at["VP 2"], at["VP 3"]) == ((4, 36), (35.5, 36), (36, 26))
    panel = shapely.Polygon(turns.outline)
    assert all(panel.contains(shapely.Polygon(warmap.by_key[k].outline)) for k in turns.spaces)
    assert warmap.by_key["VP 0"].traits == {"side": "red", "track": "VP", "step": "2"}
    assert {s.enterable for s in warmap.spaces} == {False}
    assert [(x.a, x.b, x.one_way) for x in warmap.links] == [
        ("May", "June", True), ("June", "July", True), ("July", "August", True),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [
        "from = 1",
        "from = 3\nto = 1",
        'labels = ["a"]\nfrom = 1\nto = 2',
        "",
        'labels = ["a", "b"]\nalong = [[1, 1], [9, 9]]',
        "from = 0\nto = 5000",
    ],
)
def test_a_track_that_makes_no_sense_is_a_finding(tmp_path: Path, wrong: str) -> None:
    read, report = plan(tmp_path, f'[[track]]\nkey = "T"\nat = [5, 5]\n{wrong}\n', grid="")
    assert read is None
    assert codes(report) == ["S011"]


def test_a_map_of_nothing_is_no_traceback(tmp_path: Path) -> None:
    warmap, report = survey(tmp_path, "", grid="")
    assert warmap.spaces == ()
    assert isinstance(Report(check_map(warmap)), Report)
    assert codes(report) == []


SQUARES = (("NW", 0, 0), ("NE", 20, 0), ("SW", 0, 20), ("SE", 20, 20))


def test_areas_take_their_terrain_from_what_covers_them(tmp_path: Path) -> None:
    """By the rules that hold for hexes; what is stated goes before, and shares are kept."""
    squares = [(box(x, y, x + 20, y + 20), {"name": n}) for n, x, y in SQUARES]
    text = '[[areas]]\nlayer = "lands"\n' + TERRAIN + '[[hexside]]\nname = "coast"\nborder = "sea"\n'
    land = box(-1, -1, 41, 20).union(box(-1, -1, 9.2, 41))  # 46% of SW is land, nothing of SE
    wood = box(0, 0, 20, 12)  # 60% of NW
    places = "name,terrain\nNE,wood\n"
    got, report = survey(tmp_path, text, grid="", lands=squares, land=[land], wood=[wood], places=places)
    assert {s.key: s.terrain for s in got.spaces} == {"NW": "wood", "NE": "wood", "SW": "sea", "SE": "sea"}
    assert got.by_key["NW"].shares == {"wood": 0.6, "clear": 0.4}
    assert got.by_key["SW"].shares == {"sea": 0.54, "clear": 0.46}
    assert {frozenset((h.a, h.b)) for h in got.hexsides if "coast" in h.kinds} == {
        frozenset(("NW", "SW")),
        frozenset(("NE", "SE")),
    }
    (tie,) = [f for f in report if f.rule.code == "M107"]
    assert tie.where.space == "SW" and "46.0% of it is land where 50% are needed" in tie.message


@pytest.mark.parametrize(("by", "terrain"), [("centre", "clear"), ("touch", "wood")])
def test_areas_go_by_centre_or_touch_as_hexes_do(tmp_path: Path, by: str, terrain: str) -> None:
    got, _ = survey(
        tmp_path,
        head=f'format = 1\nterrain_by = "{by}"\n',
        text='[[areas]]\nlayer = "lands"\n' + TERRAIN.replace("from = 0.4\n", ""),
        grid="",
        lands=[(box(0, 0, 20, 20), {"name": "NW"})],
        land=[EVERYWHERE],
        wood=[box(0, 0, 20, 2)],
    )
    assert got.by_key["NW"].terrain == terrain


def test_sites_give_areas_their_features(tmp_path: Path) -> None:
    text = '[[areas]]\nlayer = "lands"\n[[feature]]\nname = "city"\n'
    text += '[[site]]\nlayer = "towns"\nclass = "kind"\nproperties = ["value"]\n'
    towns = [
        (Point(5, 5), {"kind": "city", "name": "Oslo", "value": 3}),
        (Point(25, 5), {"kind": "city"}),
        (Point(26, 6), {"kind": "city", "name": "Bergen"}),
        (Point(90, 5), {"kind": "city"}),
    ]
    squares = [(box(x, y, x + 20, y + 20), {"name": n}) for n, x, y in SQUARES]
    got, report = survey(tmp_path, text, grid="", lands=squares, towns=towns)
    assert got.by_key["NW"].features == {"city"}
    assert got.by_key["NW"].traits == {"city": "Oslo", "value": "3"}
    assert not got.by_key["SW"].features
    assert [(f.rule.code, f.where.space) for f in report if f.rule.code == "M115"] == [("M115", "NE")]
