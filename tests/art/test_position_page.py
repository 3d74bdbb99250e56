"""A position over its map: areas of control and zones as whole regions."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from sheeted import PITCH, sheet_map

from toolchain.art.marks import Group, Page, Path, walk
from toolchain.art.position import SIDE_INKS, Overlay, build_position_page, side_inks
from toolchain.model.position import Position
from toolchain.model.warmap import Link, Space, WarMap


def areas(**overlay: dict[str, frozenset[str]]) -> list[Path]:
    warmap = sheet_map()
    base = Page(200, 200, ())
    page = build_position_page(
        base, warmap, Position("p", ()), {}, Overlay(sides={"red": "Red", "blue": "Blue"}, **overlay), "main"
    )
    (layer,) = [g for g in page.marks if isinstance(g, Group) and g.layer == "Control and zones"]
    return [m for m in layer.marks if isinstance(m, Path)]


def test_a_region_has_one_outline_and_its_parts_one_each() -> None:
    joined = frozenset({"0202", "0203", "0303"})
    (one,) = areas(control={"red": joined})
    assert one.data.count("M") == 1 and one.paint.fill and one.paint.fill_opacity < 0.2
    (two,) = areas(control={"red": joined | {"0606"}})
    assert two.data.count("M") == 2
    ys = [float(y) for y in re.findall(r"[ML][-\d.]+ ([-\d.]+)", one.data)]
    assert 2 * PITCH - 1.5 < max(ys) - min(ys) < 2.5 * PITCH, "inside the hexes, near their edge"


def test_zones_of_two_sides_lie_inside_one_another_and_are_lighter_than_control() -> None:
    same = frozenset({"0202", "0203"})
    control, red, blue = areas(control={"red": same}, zones={"red": same, "blue": same})
    assert red.data != blue.data and red.paint.dash and blue.paint.dash
    assert max(red.paint.width, blue.paint.width) < control.paint.width


def drawn(warmap: WarMap, **overlay: Any) -> Page:
    return build_position_page(Page(200, 200, ()), warmap, Position("p", ()), {}, Overlay(**overlay), "main")


def layer_of(page: Page, layer: str) -> list[Path]:
    groups = [g for g in page.marks if isinstance(g, Group) and g.layer == layer]
    return [m for m in walk(groups) if isinstance(m, Path)]


def point(key: str, at: tuple[float, float]) -> Space:
    return Space(key, "point", at)


def test_the_key_stands_below_the_map_and_covers_nothing() -> None:
    warmap = sheet_map()
    assert drawn(warmap).height == 200, "nothing to say"
    one = drawn(warmap, title="Dawn", stops=frozenset({"0202"}))
    (strip,) = [g for g in one.marks if isinstance(g, Group) and g.layer == "Key"]
    assert one.height > 210 and one.width == 200 and strip.marks[0].matrix[5] == 200
    rows = {"control": {"red": frozenset({"0202"})}, "lines": [("0202", "0203")], "faults": {"0202": 1}}
    more = drawn(warmap, title="Dawn", sides={"red": "A side with a long name"}, stranded=frozenset({"0203"}), **rows)
    assert more.height > one.height, "as many rows as the width asks for"


def test_a_supply_line_follows_the_ways_as_they_are_drawn() -> None:
    ends = (
        point("a", (20, 50)),
        point("b", (80, 50)),
        point("c", (140, 50)),
    )
    bent = Link("b", "a", "rail", line=((60, 20), (40, 20)))
    warmap = replace(sheet_map(), spaces=ends, links=(bent, Link("b", "c", "rail")))
    (under,) = layer_of(drawn(warmap, lines=[("a", "b", "c")]), "Supply lines under")
    assert under.data == "M20 50L40 20L60 20L80 50 M80 50L140 50"


def test_the_lines_of_a_side_are_one_net_in_its_colour_under_the_counters() -> None:
    rows: dict[str, Any] = {"sides": {"red": "Red", "blue": "Blue"}}
    steps = frozenset({("0202", "0203"), ("0203", "0204"), ("0204", "9999")})
    page = drawn(sheet_map(), supply={"red": frozenset(), "blue": steps}, **rows)
    casing, net = layer_of(page, "Supply")
    assert casing.data == net.data and net.data.count("M") == 2 and net.paint.stroke == SIDE_INKS[1]
    layers = [g.layer for g in page.marks if isinstance(g, Group)]
    assert layers == ["Supply", "Key"], "nothing of the side that has none"


def test_a_line_over_the_edge_of_the_world_is_two_stubs() -> None:
    ends = (point("west", (20, 50)), point("east", (180, 50)))
    warmap = replace(sheet_map(), spaces=ends, links=(Link("west", "east", "water", traits={"wrap": "yes"}),))
    (under,) = layer_of(drawn(warmap, lines=[("west", "east")]), "Supply lines under")
    xs = [float(x) for x in re.findall(r"[ML]([-\d.]+) ", under.data)]
    assert len(xs) == 4 and not [x for x in xs if 40 < x < 160]


def test_sides_have_colours_near_their_counters_and_no_two_the_same() -> None:
    red, blue, cream, grey = "#cd8a6c", "#94b2ce", "#ece4c8", "#a7ada0"
    assert side_inks({"r": [red] * 3, "b": [blue]}) == {"r": "#b3261e", "b": "#1f5fa8"}
    assert side_inks({"a": [cream], "b": [cream, grey]}) == dict(zip("ab", SIDE_INKS, strict=False))
    assert side_inks({"g": [grey], "b": [blue], "c": [blue]})["b"] == SIDE_INKS[0]
    tan = "#d0b57f"
    assert side_inks({"a": [tan], "b": [grey]}) == dict(zip("ab", SIDE_INKS, strict=False)), "not those of the ground"
    many = side_inks({f"s{n}": [blue] for n in range(8)})
    assert len(many) == 8 and len(set(many.values())) == len(SIDE_INKS)
