"""A designer's own pictures and fonts, read and found safe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Command = tuple[str, tuple[tuple[float, float], ...]]


@dataclass(frozen=True, slots=True)
class PictureShape:
    """One outline of a picture. commands: M L C Q Z with their points; colours are #rrggbb or None; width in mm."""

    commands: tuple[Command, ...]
    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0
    even_odd: bool = False
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of an exact size in millimetres: outlines bottom first, or the bytes of a PNG or JPEG file."""

    width: float
    height: float
    shapes: tuple[PictureShape, ...] = ()
    pixels: bytes = b""
    media: str = ""


@dataclass(frozen=True, slots=True)
class Grid:
    """A table to print: its columns, and its rows with their numbers in the file; an empty cell is an empty text."""

    file: str
    columns: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Artwork:
    """Everything that a designer brings along: pictures by file name, font files by the name that layouts use.

    tables: those of the charts, by the name of the chart.

    digest: changes when any of it changes.
    """

    pictures: Mapping[str, Picture] = field(default_factory=dict)
    fonts: Mapping[str, bytes] = field(default_factory=dict)
    tables: Mapping[str, Grid] = field(default_factory=dict)
    digest: str = ""
