"""Names and numbers: off rivers and each other, on what shows of a hex, the larger the place the bolder the name."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from sheeted import LEGEND, PITCH, land, sheet_map

from toolchain.art.ground import survey_ground
from toolchain.art.lettering import Letters
from toolchain.art.naming import Placer, Request, Spot
from toolchain.art.numbers import place_numbers
from toolchain.art.places import place_marks
from toolchain.model.hexes import HexGrid
from toolchain.model.warmap import LegendEntry, Sheet
from toolchain.report import Report
from toolchain.sources.decode.mapstyle import classic_map_style, decode_map_style

FRAME = (0.0, 0.0, 300.0, 300.0)
NO_RIVERS = shapely.MultiLineString()


def request(text: str, x: float, y: float, beyond: bool = True) -> Request:
    grid = HexGrid("flat", PITCH, (x, y), 1, 1)
    corners = tuple((a, b) for a, b in grid.corners([[0, 0]])[0].tolist())
    return Request(text, (x, y), corners, "condensed", 3.3, 2.3, 3.0, 3.0, 1.2, beyond)


def box(spot: Spot) -> shapely.Polygon:
    (x, y), w, h = spot.name, spot.wording.width / 2, spot.wording.height / 2
    return shapely.box(x - w, y - h, x + w, y + h)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=2, max_size=12, unique=True))
def test_names_that_may_leave_their_hexes_keep_off_each_other_and_on_the_sheet(cells) -> None:
    # Hexes that touch, each with a name that is wider than its hex.
    requests = [request("Sankt Florian am Inn", 40 + c * 17.32, 40 + (r + (c % 2) / 2) * PITCH) for c, r in cells]
    spots = Placer(PITCH, FRAME).place(requests)
    boxes = [box(s) for s in spots]
    assert all(shapely.box(*FRAME).covers(b) for b in boxes)
    shared = sum(a.intersection(b).area for a, b in combinations(boxes, 2))
    assert shared <= 0.12 * sum(b.area for b in boxes)


def test_a_name_stays_in_its_hex_unless_it_may_leave_it() -> None:
    within, beyond = (Placer(PITCH, FRAME).place([request("Fürstenfeldbruck", 60, 60, b)])[0] for b in (False, True))
    hexagon = shapely.Polygon(request("", 60, 60).corners)
    assert hexagon.covers(box(within)) and not hexagon.covers(box(beyond))
    assert within.wording.size < beyond.wording.size == 3.3


def test_a_name_keeps_off_a_line_where_it_can() -> None:
    free = Placer(PITCH, FRAME).place([request("Ulm", 60, 60, False)])[0]
    line = shapely.LineString([(40, free.name[1]), (80, free.name[1])])
    moved = Placer(PITCH, FRAME, [(line, 84.0)]).place([request("Ulm", 60, 60, False)])[0]
    assert line.intersects(box(free)) and not line.intersects(box(moved))


def test_a_short_name_goes_beside_a_road_through_its_hex() -> None:
    road = shapely.LineString([(60, 40), (60, 80)])
    spot = Placer(PITCH, FRAME, [(road, 40.0)]).place([request("Ulm", 60, 60, False)])[0]
    assert not road.intersects(box(spot))


def test_a_road_along_the_middle_may_run_under_the_symbol_but_not_under_the_name() -> None:
    road = shapely.LineString([(49, 54), (60, 59), (69, 70)])
    town = replace(request("Karrow", 60, 60, False), row=4.0, tall=4.0)
    spot = Placer(PITCH, FRAME, [(road, 60.0)]).place([town])[0]
    assert not road.intersects(box(spot)) and road.distance(shapely.Point(spot.symbols)) < 1.5


def test_larger_places_come_first_and_are_written_larger() -> None:
    legend = (*LEGEND, LegendEntry("major-city", "feature"), LegendEntry("point-city", "feature"))
    style = decode_map_style({"names": {"beyond": True}}, "style.toml", Report())
    assert style is not None
    warmap = sheet_map(
        5,
        5,
        names={(1, 1): "Ulm", (3, 3): "Linz"},
        features={(1, 1): "point-city", (3, 3): "major-city"},
        legend=legend,
    )
    letters, named = Letters(), [s for s in warmap.spaces if s.name]
    _, names, _ = place_marks(warmap, named, style, PITCH, (), FRAME, np.zeros((0, 4)), {}, letters, Report())
    sizes = [m.matrix[0] for m in names.marks]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] == pytest.approx(1.18 * sizes[-1])
    written = [s.split()[-1] for s in letters.symbols]
    assert {f"{ord(c):x}" for c in "LINZUlm"} == set(written), "a major city in capitals"


@pytest.mark.parametrize("orientation", ["flat", "pointy"])
def test_a_hex_that_the_sheet_cuts_bears_its_number_where_it_shows(orientation) -> None:
    warmap = sheet_map(5, 5, orientation=orientation)
    frame = (20.0, 20.0, 85.0, 85.0)  # through the middles of the first hexes
    places = place_numbers(warmap.spaces, PITCH, orientation == "flat", NO_RIVERS, frame)
    labels = {s.label for s in places.spaces}
    assert "0101" in labels and len(labels) < 25, "and none where too little shows"
    inside = shapely.box(*frame)
    for s, area in zip(places.spaces, places.areas, strict=True):
        assert inside.covers(area) and shapely.Polygon(s.outline).buffer(0.1).covers(area), s.label


def test_closed_hexes_that_the_sheet_cuts_are_numbered_if_all_others_are_open() -> None:
    frame = (20.0, 0.0, 200.0, 200.0)
    edge = sheet_map(4, 4, closed=lambda c, r: c == 0)
    more = sheet_map(4, 4, closed=lambda c, r: c == 0 or (c, r) == (2, 2))
    for warmap, shown in ((edge, True), (more, False)):
        labels = {s.label for s in place_numbers(warmap.spaces, PITCH, True, NO_RIVERS, frame).spaces}
        assert ("0102" in labels) == shown


def test_a_number_goes_beside_a_road() -> None:
    warmap = sheet_map(3, 3)
    middle = next(s for s in warmap.spaces if s.cell == (1, 1))
    road = shapely.LineString([(middle.at[0], 0), (middle.at[0], 100)])
    places = place_numbers(warmap.spaces, PITCH, True, NO_RIVERS, FRAME, road)
    assert all(shapely.distance(road, a) > 0.2 for a in places.areas)
    others = place_numbers(warmap.spaces, PITCH, True, NO_RIVERS, FRAME)
    moved = [s.label for s, a, b in zip(places.spaces, places.boxes, others.boxes, strict=True) if (a != b).any()]
    assert moved == ["0201", "0202", "0203"]


def test_a_sheet_of_half_hexes_shows_no_coast_along_its_edge() -> None:
    warmap = replace(sheet_map(6, 6), sheets=(Sheet("main", 80, 80),))
    paper = shapely.box(0, 0, 80, 80)
    for x1 in (80, 100):  # cut at the edge of the sheet, or drawn beyond it
        drawn = land(0, 0, x1, x1)
        ground = survey_ground(warmap, warmap.spaces, drawn, classic_map_style(), PITCH, paper, paper)
        assert not ground.land.boundary.intersects(shapely.box(75, 20, 80.5, 60))
