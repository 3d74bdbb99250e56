"""A position over its map: areas of control and zones as whole regions."""

from __future__ import annotations

import re

from sheeted import PITCH, sheet_map

from toolchain.art.marks import Group, Page, Path
from toolchain.art.position import Overlay, build_position_page
from toolchain.model.position import Position


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
