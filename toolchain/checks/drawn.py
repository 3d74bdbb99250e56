"""Where on the map, and where in the drawing, a finding lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import shapely

from toolchain.model.drawing import Drawing
from toolchain.model.warmap import Hexside, Point, Space, WarMap
from toolchain.report import Finding, Location

# So many names are listed in a message; the facts hold all of them.
LISTED = 12


def map_file(warmap: WarMap) -> str:
    """Return the name of map.toml as messages have it."""
    return f"maps/{warmap.name}/map.toml"


def at_space(space: Space) -> Location:
    """Return the place of a space: its row in the table of places, if it has one, and its key."""
    return replace(space.where, space=space.key)


def at_side(warmap: WarMap, side: Hexside) -> Location:
    """Return the place of a hexside: the spaces that it parts."""
    return Location(file=map_file(warmap), space=side_name(side))


def side_name(side: Hexside) -> str:
    """Return a hexside in words: the spaces that it parts."""
    return f"{side.a}–{side.b}"


def middle(side: Hexside) -> Point:
    """Return the middle of a hexside in sheet millimetres."""
    (x1, y1), (x2, y2) = side.ends
    return (round((x1 + x2) / 2, 3), round((y1 + y2) / 2, 3))


def millimetres(point: Point) -> str:
    """Write a place of the sheet in words."""
    return f"{point[0]:.0f}, {point[1]:.0f} mm"


def listed(names: Sequence[str]) -> str:
    """List names, the first few if there are many."""
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} more" if more > 0 else "")


def on_map(finding: Finding, warmap: WarMap) -> Finding:
    """Add to a finding about a space where on the sheet that is, if it does not say so."""
    space = warmap.by_key.get(finding.where.space)
    if space is None or "at" in finding.facts:
        return finding
    message = finding.message if " mm" in finding.message else f"{finding.message} ({millimetres(space.at)})"
    return replace(finding, message=message, facts={**finding.facts, "at": list(space.at)})


def in_drawing(finding: Finding, layers: Mapping[str, str], drawing: Drawing, reach: float) -> Finding:
    """Add to a finding the shape of the drawing that it is about.

    layers: layer of each kind of hexside, link and terrain, by name. The finding's facts must hold `kind` and `at`;
    the nearest shape of that layer, at most `reach` millimetres away, gives file, line and element. What says where it
    is already stays.
    """
    layer = drawing.get(layers.get(str(finding.facts.get("kind", "")), ""))
    at = finding.facts.get("at")
    if layer is None or not layer.shapes or at is None or finding.where.line or finding.where.element:
        return finding
    away = shapely.distance([s.geometry for s in layer.shapes], shapely.Point(at)).tolist()
    nearest = min(range(len(away)), key=away.__getitem__)
    if not away[nearest] <= reach:
        return finding
    return replace(finding, where=replace(layer.shapes[nearest].where, space=finding.where.space))
