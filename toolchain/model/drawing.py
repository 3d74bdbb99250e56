"""A drawing as it was read: shapes by layer, in sheet millimetres, y down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from shapely.geometry.base import BaseGeometry

from toolchain.report import Location


@dataclass(frozen=True, slots=True)
class Shape:
    """One thing drawn: geometry in sheet millimetres, properties as the file has them, and where it came from."""

    geometry: BaseGeometry
    properties: Mapping[str, Any] = field(default_factory=dict)
    where: Location = field(default_factory=Location)


@dataclass(frozen=True, slots=True)
class LineEnd:
    """An end of a drawn line that follows hexsides or runs from hex to hex, and what it comes to on the grid.

    kind: of hexside or link. line: a number that both ends of a line share, among those of hexsides or of links. name:
    of the line. at: where it ends, in sheet millimetres. corner: of the hexes, for a line along hexsides; space: key of
    the hex in which a road ends, empty off the map. reached: "water", "river" or "rim", or empty for nothing. where:
    the shape.
    """

    kind: str
    line: int
    name: str
    at: tuple[float, float]
    corner: tuple[float, float] | None = None
    space: str = ""
    reached: str = ""
    where: Location = field(default_factory=Location)


@dataclass(frozen=True, slots=True)
class Layer:
    """The shapes of one named layer, in the order of the file."""

    name: str
    shapes: tuple[Shape, ...]


Drawing = Mapping[str, Layer]
