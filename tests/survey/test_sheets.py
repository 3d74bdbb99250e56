"""Sheets laid together: one graph, hexes joined from halves, roads and rivers that run on, any turn."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import shapely
from drawn import codes
from seamed import (
    ALL,
    HEIGHT,
    HEXAGON,
    RADIUS,
    RIVER,
    ROAD,
    STEP,
    WIDTH,
    arrangement,
    hexagon,
    plan,
    sheet,
    survey,
    svg,
)

from toolchain.export.graphfiles import read_json, to_json
from toolchain.graph.build import build_graph
from toolchain.model.drawing import Shape
from toolchain.report import Report
from toolchain.survey.laying import Move
from toolchain.survey.seamlines import join_lines
from toolchain.survey.sheets import arrange, survey_sheets

PLAIN = svg(land=ALL, rivers=RIVER, roads=ROAD)
BESIDE = arrangement('sheet = "A", at = [0, 0]', 'sheet = "B", at = [1, 0]')
SHEETS = (sheet("A"), sheet("B"))


def pairs(warmap):
    return {frozenset((h.a, h.b)) for h in warmap.hexsides}


def said(report):
    """Return the codes of findings, but for close decisions and layers that a sheet leaves empty."""
    return [code for code in codes(report) if code not in ("M107", "M221", "S105")]


def of_kind(warmap, kind):
    return {(h.a, h.b) for h in warmap.hexsides if kind in h.kinds}


def test_two_sheets_are_one_graph(tmp_path):
    _, got, report = survey(tmp_path, *SHEETS, BESIDE, A=PLAIN, B=PLAIN)
    warmap = got.warmap
    assert not said(report)
    assert len(warmap.spaces) == 13 + 13 - 3  # three hexes at the seam have a half on each sheet
    assert nx.is_connected(build_graph(warmap))
    (whole,) = warmap.sheets
    assert (whole.name, whole.width, whole.height) == ("Game", pytest.approx(2 * WIDTH), HEIGHT)
    assert [(p.name, p.turn, p.at[0]) for p in warmap.placements] == [("A", 0, 0.0), ("B", 0, pytest.approx(WIDTH))]
    assert {s.key for s in got.sheets["A"].warmap.spaces} == {s.label for s in got.sheets["A"].warmap.spaces}


def test_halves_at_a_seam_are_one_hex(tmp_path):
    east = svg(land=ALL, wood=f"M-3,5 H{STEP / 2} V15 H-3Z")
    west = svg(land=ALL, wood=f"M{WIDTH - 3},5 H{WIDTH + 3} V10 H{WIDTH - 3}Z")
    _, got, _ = survey(tmp_path, *SHEETS, BESIDE, A=west, B=east)
    joint = got.warmap.find("A-0502")
    assert (joint.key, joint.label, joint.parts) == ("A-0502", "0502", ("A-0502", "B-0102"))
    assert joint.traits["map"] == "A;B"
    assert got.warmap.find("B-0102") is joint
    assert got.warmap.find("0502") is None  # two sheets print it
    # The wood that each half shows adds up; what is drawn beyond a sheet does not count.
    seen = shapely.union(shapely.box(-3, 5, 0, 10), shapely.box(0, 5, STEP / 2, 15))
    hexagon_ = shapely.affinity.translate(shapely.Polygon(joint.outline), -WIDTH, 0)
    share = shapely.intersection(seen, hexagon_).area / hexagon_.area
    assert joint.shares["wood"] == pytest.approx(share, abs=1e-5)
    assert joint.terrain == ("wood" if share >= 0.5 else "clear")
    # By itself the half of B is wood, that of A is not.
    assert got.sheets["B"].warmap.find("0102").terrain == "wood"
    assert got.sheets["A"].warmap.find("0502").shares["wood"] == pytest.approx(0.3, abs=0.15)


def test_neighbours_over_a_seam_are_those_of_the_plane(tmp_path):
    _, got, _ = survey(
        tmp_path,
        *SHEETS,
        arrangement(
            'sheet = "A", at = [0, 0]', 'sheet = "B", at = [0, 1], turn = 180', 'sheet = "B", as = "C", at = [1, 0]'
        ),
        A=PLAIN,
        B=PLAIN,
    )
    warmap = got.warmap
    spaces = [s for s in warmap.spaces if s.cell]
    at = np.array([s.at for s in spaces])
    away = np.hypot(*np.moveaxis(at[:, None] - at[None, :], 2, 0))
    near = {frozenset((spaces[i].key, spaces[j].key)) for i, j in np.argwhere(np.abs(away - 10) < 0.01)}
    assert pairs(warmap) == near
    assert len(warmap.hexsides) == len(near)
    assert all(warmap.index[h.a] < warmap.index[h.b] for h in warmap.hexsides)


def test_rivers_run_on_over_a_seam(tmp_path):
    _, got, _ = survey(tmp_path, *SHEETS, BESIDE, A=PLAIN, B=PLAIN)
    (river,) = [s.geometry for s in got.drawing["rivers"].shapes]
    (road,) = [s.geometry for s in got.drawing["roads"].shapes]
    assert road.length == pytest.approx(2 * WIDTH + 5)  # and a quarter of a hex beyond the outer edges
    assert river.bounds[2] - river.bounds[0] > 2 * WIDTH
    sides = of_kind(got.warmap, "river")
    assert ("A-0501", "A-0502") in sides  # the side that the seam cuts in two
    corners = nx.Graph([h.ends for h in got.warmap.hexsides if "river" in h.kinds])
    assert nx.is_connected(corners)
    assert max(d for _, d in corners.degree) == 2  # a path


def test_ends_that_miss_each_other_a_little_still_join(tmp_path):
    low = svg(land=ALL, roads=f"M-3,10.8 L{WIDTH + 3},10.8")
    far = svg(land=ALL, roads=f"M-3,11.2 L{WIDTH + 3},11.2")
    _, near, _ = survey(tmp_path / "a", *SHEETS, BESIDE, A=PLAIN, B=low)
    assert len(near.drawing["roads"].shapes) == 1
    _, apart, _ = survey(tmp_path / "b", *SHEETS, BESIDE, A=PLAIN, B=far)
    assert len(apart.drawing["roads"].shapes) == 2
    _, again, _ = survey(tmp_path / "c", *SHEETS, BESIDE, "[seam]\ntolerance = 1.5\n", A=PLAIN, B=far)
    assert len(again.drawing["roads"].shapes) == 1


def test_a_line_over_three_sheets_keeps_the_way_it_was_drawn_and_all_names():
    edges = [shapely.box(x, 0, x + 10, 10).exterior for x in (0, 10, 20)]

    def line(points, name):
        return Shape(shapely.LineString(points), {"name": name})

    shapes = [
        line([(20, 4), (15, 5), (10, 5)], "Po"),  # runs to the left
        line([(2, 5), (10, 5.4)], ""),
        line([(20, 4), (25, 4)], "Adda"),
        line([(3, 9), (7, 9)], "Arno"),  # meets none, and no edge
        Shape(shapely.Point(10, 5)),
    ]
    point, whole, alone = join_lines(shapes, [1, 0, 2, 0, 0], edges, 0.5, 2.0)
    assert list(whole.geometry.coords) == [(25, 4), (20, 4), (15, 5), (10, 5.2), (2, 5)]
    assert whole.properties["name"] == "Adda / Po"
    assert (point.geometry.geom_type, alone.properties["name"]) == ("Point", "Arno")
    assert alone.geometry.length == 4
    *_, end = join_lines(shapes[:1], [1], edges, 0.5, 2.0)
    assert end.geometry.length > shapes[0].geometry.length + 3.9


def test_a_line_that_closes_over_two_sheets_is_joined_once():
    edges = [shapely.box(x, 0, x + 10, 10).exterior for x in (0, 10)]
    arcs = [
        Shape(shapely.LineString([(10, 2), (5, 5), (10, 8)])),
        Shape(shapely.LineString([(10, 2), (15, 5), (10, 8)])),
    ]
    (ring,) = join_lines(arcs, [0, 1], edges, 0.5, 2.0)
    assert ring.geometry.length == pytest.approx(sum(s.geometry.length for s in arcs))


@pytest.mark.parametrize("turn", [0, 180])
def test_a_sheet_turned_twice_by_half_is_itself(tmp_path, turn):
    """The same two sheets, the whole turned by half: the same neighbours, by name."""
    one = arrangement('sheet = "A", at = [0, 0]', f'sheet = "B", at = [1, 0], turn = {turn}')
    other = arrangement('sheet = "A", at = [1, 0], turn = 180', f'sheet = "B", at = [0, 0], turn = {180 - turn}')
    wood = svg(land=ALL, wood=f"M{STEP},2 H{2 * STEP} V13 H{STEP}Z", rivers=RIVER)
    _, a, _ = survey(tmp_path / "a", *SHEETS, one, A=wood, B=PLAIN)
    _, b, _ = survey(tmp_path / "b", *SHEETS, other, A=wood, B=PLAIN)
    assert pairs(a.warmap) == pairs(b.warmap)
    assert {s.key: s.terrain for s in a.warmap.spaces} == {s.key: s.terrain for s in b.warmap.spaces}
    rivers = [{frozenset(p) for p in of_kind(x.warmap, "river")} for x in (a, b)]
    assert rivers[0] == rivers[1] != set()


@pytest.mark.parametrize("turn", [0, 60, 120, 180, 240, 300])
def test_moves_come_back(turn):
    there = Move(turn, (20.0, 10.0), (50.0, 70.0))
    back = Move((360 - turn) % 360, (50.0, 70.0), (20.0, 10.0))
    points = np.array([[0.0, 0.0], [40.0, 0.0], [13.0, 7.0]])
    assert back(there(points)) == pytest.approx(points)
    sixth = points
    for _ in range(6):
        sixth = Move(60, (20.0, 10.0), (20.0, 10.0))(sixth)
    assert sixth == pytest.approx(points)


def star(wood: str = "") -> str:
    middle = f"M{RADIUS},{RADIUS * 3**0.5 / 2} m-4,-4 h9 v8 h-9z"
    return svg(2 * RADIUS, RADIUS * 3**0.5, land="M-9,-9 H60 V60 H-9Z", wood=wood or middle)


@pytest.mark.parametrize("turn", [0, 60, 120, 180, 240, 300])
def test_a_hexagonal_sheet_fits_in_every_turn(tmp_path, turn):
    laid = arrangement(
        'sheet = "A", at = [0, 0]', f'sheet = "B", at = [1, 0], turn = {turn}', 'sheet = "C", at = [0, 1]'
    )
    sheets = (hexagon("A"), hexagon("B"), hexagon("C"))
    _, got, report = survey(tmp_path, *sheets, laid, grid=HEXAGON, A=star(), B=star(), C=star())
    assert not said(report)
    warmap = got.warmap
    assert nx.is_connected(build_graph(warmap))
    alone = len(got.sheets["A"].warmap.spaces)
    joint = [s for s in warmap.spaces if len(s.parts) > 1]
    assert len(warmap.spaces) == 3 * alone - sum(len(s.parts) - 1 for s in joint)
    # Each sheet brings the neighbours that it has by itself, whatever its turn.
    key = {part: s.key for s in warmap.spaces for part in s.parts}
    for name in "ABC":
        own = {frozenset((key[f"{name}-{h.a}"], key[f"{name}-{h.b}"])) for h in got.sheets[name].warmap.hexsides}
        assert own <= pairs(warmap)


def test_a_sheet_can_lie_there_twice_with_its_places_links_and_boxes(tmp_path):
    own = (
        '[sheet.places]\nfile = "a.csv"\n[sheet.links]\nfile = "l.csv"\n'
        '[[sheet.box]]\nkey = "Depot"\nat = [5, 5]\nsize = [4, 4]\n'
        '[[sheet.side]]\nbetween = ["Ford", "0202"]\nadd = ["river"]\n'
    )
    files = {"a.csv": "name,hex,terrain\nFord,0201,wood\n", "l.csv": "a,b,kind\nFord,Depot,road\n"}
    laid = arrangement('sheet = "A", at = [0, 0]', 'sheet = "A", as = "A2", at = [1, 0], turn = 180')
    _, got, report = survey(tmp_path, sheet("A", text=own), laid, files=files, A=svg(land=ALL))
    assert not said(report)
    warmap = got.warmap
    assert {s.key for s in warmap.spaces if s.name} == {"A-Ford", "A2-Ford", "A Depot", "A2 Depot"}
    ford = warmap.find("A2-Ford")
    assert (ford.name, ford.label, ford.terrain, ford.parts) == ("Ford", "0201", "wood", ("A2-0201",))
    assert warmap.find("A2-0201") is ford
    assert {(x.a, x.b) for x in warmap.links} == {("A-Ford", "A Depot"), ("A2-Ford", "A2 Depot")}
    assert of_kind(warmap, "river") == {("A-Ford", "A-0202"), ("A2-0202", "A2-Ford")}
    assert warmap.find("A2 Depot").at == pytest.approx((2 * WIDTH - 5, HEIGHT - 5))


def test_sheets_with_numbers_of_their_own_keep_them(tmp_path):
    other = sheet("B", text="[sheet.grid.numbering]\ncolumn_start = 5\n")
    _, got, report = survey(tmp_path, sheet("A"), other, BESIDE, A=PLAIN, B=PLAIN)
    # The halves at the seam bear one number on both sheets: they are one hex, but two sheets print it.
    assert not said(report)
    far = sheet("B", text="[sheet.grid.numbering]\ncolumn_start = 11\n")
    _, got, _ = survey(tmp_path / "far", sheet("A"), far, BESIDE, A=PLAIN, B=PLAIN)
    assert got.warmap.find("0502").parts == ("A-0502", "B-1102")
    assert got.warmap.find("1102").key == got.warmap.find("B-1102").key == "0502"


def test_two_towns_in_one_joined_hex_are_said(tmp_path):
    a = sheet("A", text='[sheet.places]\nfile = "a.csv"\n')
    b = sheet("B", text='[sheet.places]\nfile = "b.csv"\n')
    files = {"a.csv": "name,hex\nBuda,0502\n", "b.csv": "name,hex\nPest,0102\n"}
    _, got, report = survey(tmp_path, a, b, BESIDE, files=files, A=PLAIN, B=PLAIN)
    assert said(report) == ["M101"]
    assert got.warmap.find("A-0502").key == "Buda"


def test_an_arrangement_survives_its_file_and_is_the_same_each_time(tmp_path):
    _, got, _ = survey(tmp_path / "a", *SHEETS, BESIDE, A=PLAIN, B=PLAIN)
    _, again, _ = survey(tmp_path / "b", *SHEETS, BESIDE, A=PLAIN, B=PLAIN)
    text = to_json(got.warmap)
    assert text == to_json(again.warmap)
    report = Report()
    back = read_json(text, "map.json", report)
    assert not said(report)
    assert back.placements == got.warmap.placements
    assert back.find("B-0102").parts == ("A-0502", "B-0102")


def test_other_arrangements_can_be_surveyed_from_python(tmp_path):
    second = BESIDE.replace("Game", "Column").replace("at = [1, 0]", "at = [0, 1], turn = 180")
    read, report = plan(tmp_path, *SHEETS, BESIDE, second, A=PLAIN, B=PLAIN)
    sheets = survey_sheets(read, report)
    got = arrange(read, sheets, 1, report)
    assert got.warmap.sheets[0].name == "Column"
    assert got.warmap.sheets[0].height == 2 * HEIGHT
    assert not said(report)


# Faults ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("second", "fault"),
    [
        ('sheet = "B", at = [1, 0], turn = 60', "M202"),
        (f'sheet = "B", mm = [{WIDTH + 2}, 0]', "M202"),
        ('sheet = "B", at = [0, 0]', "M203"),
        (f'sheet = "B", mm = [{STEP * 2}, 0]', "M203"),
        (f'sheet = "B", mm = [{WIDTH}, 10]', None),
        ('sheet = "X", at = [1, 0]', "S014"),
        ('sheet = "A", at = [1, 0]', "S013"),
        ('sheet = "B"', "S011"),
        ('sheet = "B", at = [1, 0], turn = 45', "S011"),
    ],
)
def test_placements_that_do_not_fit_are_said(tmp_path, second, fault):
    read, report = plan(tmp_path, *SHEETS, arrangement('sheet = "A", at = [0, 0]', second), A=PLAIN, B=PLAIN)
    if read is not None:
        from toolchain.survey.maps import survey_map

        survey_map(read, report)
    assert said(report) == ([fault] if fault else [])
    assert all(f.where.key.startswith("arrangement.0") for f in report if f.rule.code not in ("M107", "M221", "S105"))


def test_sheets_of_other_hexes_do_not_fit(tmp_path):
    small = sheet("B", text="[sheet.grid]\npitch = 9\n")
    _, got, report = survey(tmp_path, sheet("A"), small, BESIDE, A=PLAIN, B=PLAIN)
    assert said(report) == ["M202"]
    assert len(got.warmap.placements) == 1


def test_findings_name_the_sheet_and_its_key(tmp_path):
    a = sheet("A", text='[sheet.places]\nfile = "a.csv"\n[sheet.layers.wood]\nfile = "A.svg"\nlayer = "wod"\n')
    read, report = plan(tmp_path, a, sheet("B"), BESIDE, files={"a.csv": "name,hex\nOslo,9999\n"}, A=PLAIN, B=PLAIN)
    survey_sheets(read, report)
    found = {(f.rule.code, f.where.key or f.where.file) for f in report if f.rule.code != "S105"}
    assert found == {("S101", "sheet.0.layers.wood.layer"), ("M102", "maps/seamed/a.csv")}


def test_every_fault_of_every_sheet_is_said_in_one_run(tmp_path):
    bad = '[[sheet]]\nname = "A"\nwidth = "wide"\nheight = 10\nhieght = 3\n'
    read, report = plan(tmp_path, bad, sheet("A", text="[sheet.grid]\npitch = 0\n"), "[places]\nfile = 'x.csv'\n")
    assert read is None
    found = {(f.rule.code, f.where.key) for f in report}
    assert found == {
        ("S011", "sheet.0.width"),
        ("S010", "sheet.0.hieght"),
        ("S013", "sheet.1.name"),
        ("S011", "sheet.1.grid.pitch"),
        ("S011", "places"),
    }


def test_a_hexagon_has_the_measures_of_one(tmp_path):
    _, report = plan(tmp_path, sheet("A", 40, 40, shape="hexagon"), A=PLAIN)
    assert said(report) == ["S011"]
    assert "measures 40 by 34.641 mm" in next(iter(report)).message


def test_without_an_arrangement_the_first_sheet_is_the_map(tmp_path):
    _, got, report = survey(tmp_path, *SHEETS, A=PLAIN, B=PLAIN)
    assert said(report) == ["M201"]
    assert [s.name for s in got.warmap.sheets] == ["A"]
    assert list(got.sheets) == ["A", "B"]


# Drawings turned against the grid -------------------------------------------------------------------------------


def test_a_drawing_on_a_plane_can_be_turned_scaled_and_shifted(tmp_path):
    from drawn import survey as survey_one

    frame = "[frame]\nturn = 90\nscale = 2\ncentre = [10, 10]\nat = [20, 20]\n"
    # Right of the centre and above it; turned: below it and to the right.
    head = '<svg xmlns="http://www.w3.org/2000/svg" width="40mm" height="40mm" viewBox="0 0 40 40">'
    drawing = f'{head}<rect x="10" y="8" width="4" height="2"/></svg>'
    legend = '[[terrain]]\nname = "wood"\nlayer = "wood"\n[[terrain]]\nname = "clear"\nrest = true\n'
    warmap, report = survey_one(tmp_path, legend + frame, wood=drawing)
    assert not said(report)
    wanted = shapely.box(20, 20, 24, 28)
    for s in warmap.spaces:
        hex_ = shapely.Polygon(s.outline)
        assert s.shares.get("wood", 0) == pytest.approx(hex_.intersection(wanted).area / hex_.area, abs=1e-5)


def test_a_layer_may_be_empty_on_some_sheets_but_not_on_all(tmp_path):
    wooded = svg(land=ALL, wood=ALL)
    _, _, report = survey(tmp_path, sheet("A"), sheet("B"), BESIDE, A=wooded, B=svg(land=ALL))
    empty = {f.where.key for f in report if f.rule.code == "S105"}
    assert empty == {"layers.rivers", "layers.roads"}


def test_names_of_drawn_places_are_printed_and_told_apart_on_a_sheet_that_lies_twice(tmp_path):
    point = (
        '{"type": "Feature", "geometry": {"type": "Point", "coordinates": [17.32, 10]}, "properties": {"name": "Ox"}}'
    )
    towns = f'{{"type": "FeatureCollection", "features": [{point}]}}'
    site = '[layers.towns]\nfile = "towns.geojson"\n[[site]]\nlayer = "towns"\nfeature = "town"\nnamed = true\n'
    legend = '[[feature]]\nname = "town"\n'
    twice = arrangement('sheet = "A", at = [0, 0]', 'sheet = "A", as = "Z", at = [1, 0]')
    _, got, report = survey(tmp_path, sheet("A"), twice, site, legend, files={"towns.geojson": towns}, A=PLAIN)
    named = {s.key: s.name for s in got.warmap.spaces if s.features}
    assert named == {"A-Ox": "Ox", "Z-Ox": "Ox"} and "M103" not in said(report)
