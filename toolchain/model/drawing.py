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
class Layer:
    """The shapes of one named layer, in the order of the file."""

    name: str
    shapes: tuple[Shape, ...]


Drawing = Mapping[str, Layer]
