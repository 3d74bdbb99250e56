"""The terrain chart: what the rules say of terrain, hexsides and ways, and nothing that they do not say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from sheeted import LEGEND, sheet_map

from toolchain.art.effects import holds_in, label, terrain_effects
from toolchain.art.mapsheet import build_map_sheet
from toolchain.art.marks import Group, walk
from toolchain.art.terrainchart import chart_panel
from toolchain.model.rulebook import (
    Bar,
    Crossing,
    Edges,
    Entry,
    HexsideLimit,
    Limit,
    Movement,
    Rulebook,
    Stacking,
    StepCost,
)
from toolchain.model.terms import All, AnyOf, InForce, Is, Not, StandsIn, State
from toolchain.model.warmap import LegendEntry, Link
from toolchain.report import Report
from toolchain.sources.decode.mapstyle import classic_map_style, decode_map_style

FOOT, TANKS = Is("kind", ("foot",)), Is("kind", ("tanks",))
ROUGH = Is("terrain", ("forest", "mountain"))
LAND = Edges(name="land", join=("hexside",), bars=(Bar(hexsides=("prohibited", "open-water")),))
RULES = Rulebook(
    edges={"land": LAND},
    movement=(
        Movement(
            of=FOOT,
            over=("land",),
            costs=(
                StepCost(into=Is("terrain", ("mountain",)), points=3),
                StepCost(into=ROUGH, points=2),
                StepCost(hexsides=("river",), more=1),
                StepCost(links=("road",), points=0.5),
                StepCost(into=Is("terrain", ("clear",)), points=9, when=State("weather", ("mud",))),
                StepCost(into=Is("terrain", ("clear",)), points=9, in_zone=True),
            ),
            stops=Is("terrain", ("mountain",)),
        ),
        Movement(of=TANKS, over=("land",), cost=1),
    ),
    entries=(Entry(of=TANKS, never=Is("terrain", ("mountain",))),),
    stacking=(
        Stacking(of=FOOT, where=Is("terrain", ("clear",)), at_most=4),
        Stacking(of=FOOT, where=ROUGH, at_most=2),
        Stacking(of=TANKS, at_most=3, exceptions=(Limit(where=Is("feature", ("port",)), at_most=6),)),
    ),
    hexside_limits=(
        HexsideLimit(
            of=FOOT,
            over=("land",),
            crossings=(Crossing(hexsides=("river",), at_most=1), Crossing(into=ROUGH, at_most=2), Crossing(at_most=3)),
        ),
    ),
)


def board_of(legend):
    return sheet_map(5, 5, names={(1, 1): "A", (2, 1): "B"}, links=[Link("A", "B", "road")], legend=legend)


def chart_of(rules, legend):
    return terrain_effects(board_of(legend), rules)


def chart(rules=RULES):
    water = LegendEntry("open-water", "hexside", "Open water", traits={"water": "yes"})
    legend = (*LEGEND, LegendEntry("road", "link", "Road"), water)
    return board_of(legend), chart_of(rules, legend)


def cell(found, name, group, words):
    (row,) = [r for r in found.rows if r.name == name]
    return row.cells[found.columns.index((group, words))]


def test_costs_limits_and_stops_stand_in_the_chart():
    _, found = chart()
    assert list(found.columns) == [
        ("Movement", "foot"), ("Movement", "tanks"), ("Stacking", "foot"), ("Over a hexside", "foot")
    ]  # fmt: skip
    assert [cell(found, t, "Movement", "foot") for t in ("clear", "forest", "mountain", "sea")] == [
        "1",
        "2",
        "3 stop",
        "no",
    ]
    assert [cell(found, t, "Movement", "tanks") for t in ("clear", "forest", "mountain", "sea")] == [
        "1",
        "1",
        "no",
        "no",
    ]
    assert [cell(found, t, "Stacking", "foot") for t in ("clear", "forest", "mountain")] == ["4", "2", "2"]
    assert [cell(found, n, "Over a hexside", "foot") for n in ("clear", "forest", "river")] == ["3", "2", "1"]
    assert cell(found, "river", "Movement", "foot") == "+1" and cell(found, "road", "Movement", "foot") == "0.5"
    assert cell(found, "prohibited", "Movement", "foot") == "no"


def test_what_is_the_same_everywhere_and_by_feature_is_a_note():
    _, found = chart()
    assert found.notes == ("Stacking, tanks: 3", "Stacking, tanks, port: 6")


def test_rules_that_say_nothing_of_terrain_make_no_chart():
    warmap, found = chart(Rulebook(stacking=(Stacking(at_most=3),)))
    assert found.columns == () and found.notes == ("Stacking, all: 3",)
    corners = np.array([[1.0, 0], [0, 1], [-1, 0]])
    assert chart_panel(warmap, Rulebook(), classic_map_style(), corners) is None


def test_columns_that_say_the_same_are_one():
    both = replace(RULES, movement=(RULES.movement[0], replace(RULES.movement[0], of=Is("kind", ("horse",)))))
    _, found = chart(replace(both, entries=()))
    assert ("Movement", "foot, horse") in found.columns


SHIPS = Is("kind", ("ships",))
# A reef is a kind of hexside, and shoal a terrain: both are called "reef" here.
NAVAL = Rulebook(
    edges={
        "land": Edges(
            name="land",
            join=("hexside",),
            spaces=Not(Is("terrain", ("sea", "reef"))),
            bars=(
                Bar(hexsides=("prohibited", "water")),
                Bar(hexsides=("river",), downstream_of="bridge"),
            ),
        ),
        "road": Edges(name="road", join=("link.road",)),
        "naval": Edges(name="naval", join=("hexside.water", "hexside.coast"), bars=(Bar(hexsides=("reef",)),)),
    },
    movement=(
        Movement(
            of=FOOT,
            over=("land", "road"),
            costs=(
                StepCost(links=("road",), ends=False),
                StepCost(hexsides=("river",), ends=True),
                StepCost(into=ROUGH, ends=True),
            ),
        ),
        Movement(of=FOOT, over=("road",), moves=("strategic",), points=6),
        Movement(of=FOOT, over=("land",), moves=("retreat",), points=1),  # the same points, without the stops
        Movement(of=FOOT, over=("land",), moves=("crawl",), cost=2, costs=(StepCost(into=ROUGH, points=4),)),
        Movement(of=SHIPS, over=("naval",)),
        Movement(of=SHIPS, over=("naval",), moves=("strategic",)),
    ),
    stacking=(
        Stacking(of=FOOT, where=ROUGH, at_most=2, when=Not(InForce(("crowds",)))),
        Stacking(of=FOOT, where=Is("terrain", ("clear",)), at_most=4, when=Not(InForce(("crowds",)))),
        Stacking(of=FOOT, where=ROUGH, at_most=9, when=InForce(("crowds",))),
    ),
    hexside_limits=(
        HexsideLimit(
            of=FOOT, over=("land",), crossings=(Crossing(hexsides=("river",), at_most=1), Crossing(at_most=2))
        ),
        HexsideLimit(
            of=SHIPS, over=("naval",), crossings=(Crossing(hexsides=("water",), at_most=2), Crossing(at_most=1))
        ),
    ),
)


def naval_chart():
    sides = [LegendEntry("reef", "hexside", "Reef"), LegendEntry("water", "hexside", "Water", traits={"water": "yes"})]
    more = (LegendEntry("reef", "terrain", "Shoal", traits={"water": "yes"}), *sides)
    return chart_of(NAVAL, (*LEGEND, *more, LegendEntry("road", "link", "Road")))


def test_what_ends_a_move_stands_in_the_chart_and_a_road_has_a_row_of_its_own():
    found = naval_chart()

    def said(name):
        return next(r for r in found.rows if r.name == name).cells[found.columns.index(("Movement", "foot"))]

    assert [said(t) for t in ("clear", "forest", "river", "prohibited")] == ["1", "1 stop", "stop", "no"]


def test_ships_enter_the_sea_over_its_sides_whatever_a_reef_is_called():
    found = naval_chart()
    rows = {(r.kind, r.name): dict(zip(found.columns, r.cells, strict=True)) for r in found.rows}
    sails, crosses = ("Movement", "ships"), ("Over a hexside", "ships")
    assert rows["terrain", "sea"][sails] == "1" and rows["hexside", "reef"][sails] == "no"
    assert rows["terrain", "sea"][crosses] == "2" and rows["terrain", "clear"][crosses] == "1"


def test_a_way_that_is_closed_only_downstream_keeps_its_limit_and_a_closed_one_says_no():
    found = naval_chart()
    rows = {r.name: dict(zip(found.columns, r.cells, strict=True)) for r in found.rows if r.kind == "hexside"}
    assert rows["river"]["Over a hexside", "foot"] == "1" and rows["prohibited"]["Over a hexside", "foot"] == "no"


def test_other_kinds_of_move_have_a_column_only_where_they_differ():
    movement = [words for group, words in naval_chart().columns if group == "Movement"]
    assert movement == ["foot", "foot, crawl", "ships"]


def test_a_limit_that_an_optional_event_lifts_is_in_the_chart_and_what_the_event_brings_is_not():
    found = naval_chart()
    i = found.columns.index(("Stacking", "foot"))
    assert [r.cells[i] for r in found.rows if r.name in ("clear", "forest")] == ["2", "4"]


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        (Is("terrain", ("forest",)), True),
        (Not(Is("terrain", ("forest",))), False),
        (Is("feature", ("port",)), None),
        (All((ROUGH, Is("feature", ("port",)))), None),
        (All((Is("terrain", ("sea",)), Is("feature", ("port",)))), False),
        (AnyOf((ROUGH, Is("feature", ("port",)))), True),
        (Not(InForce(("storm",))), None),
        (All(), True),
        (AnyOf(()), False),
    ],
)
def test_what_terrain_alone_decides(term, expected):
    assert holds_in(term, "forest") is expected


def test_a_selector_is_put_in_words():
    assert label(All((Is("arm", ("army",)), Not(State("state", ("flying",)))))) == "army"
    assert label(AnyOf((Is("arm", ("naval",)), StandsIn(ROUGH)))) == "naval"
    assert label(All()) == "all" and label(Is("mech", ("yes",))) == "mech"
    assert label(All((FOOT, Not(Is("mech", ("yes",)))))) == "foot, not mech"


def test_the_chart_stands_on_the_sheet_or_on_a_page_of_its_own_as_the_style_says():
    warmap, _ = chart()
    warmap = replace(warmap, sheets=(replace(warmap.sheets[0], width=500, height=420),))
    panels, asides = {}, {}
    for where in ("sheet", "page", "none"):
        style = decode_map_style({"panels": {"chart": where}}, "style.toml", Report())
        made = build_map_sheet(warmap, {}, style, Report(), rules=RULES)
        (group,) = [m for m in walk(made.page.marks) if isinstance(m, Group) and m.layer == "Furniture"]
        panels[where], asides[where] = len(group.marks), made.aside is not None
    assert panels == {"sheet": 3, "page": 2, "none": 2}
    assert asides == {"sheet": False, "page": True, "none": False}
