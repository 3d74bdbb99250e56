"""A display list: what is drawn, in millimetres, y down. Drawn once, written as SVG, PDF or PNG at the edge.

Text never appears here: `art/text.py` turns it into paths, so that every renderer draws the same.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

# Affine map (a, b, c, d, e, f) in SVG's order: x' = a x + c y + e, y' = b x + d y + f.
Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Paint:
    """How a path is painted. Colours are #rrggbb or None; width and dash in millimetres; opacities from 0 to 1.

    fill may also name a pattern of the sheet as "pattern:NAME".
    """

    fill: str | None = None
    stroke: str | None = None
    width: float = 0.0
    dash: tuple[float, ...] = ()
    cap: str = "butt"
    join: str = "miter"
    opacity: float = 1.0
    fill_opacity: float = 1.0
    even_odd: bool = False


@dataclass(frozen=True, slots=True)
class Path:
    """One path: SVG path data in millimetres, absolute commands M L C Q Z only."""

    data: str
    paint: Paint


@dataclass(frozen=True, slots=True)
class Group:
    """Marks that belong together. layer: shown as an Inkscape layer. clip: path data in the group's own frame."""

    marks: tuple[Mark, ...]
    matrix: Matrix = IDENTITY
    id: str = ""
    layer: str = ""
    clip: str = ""
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Use:
    """Place a shared symbol of the sheet, by name: the same marks many times at little cost."""

    name: str
    matrix: Matrix = IDENTITY


@dataclass(frozen=True, slots=True)
class Image:
    """A picture of pixels in a rectangle of the sheet (mm). media: image/png or image/jpeg."""

    x: float
    y: float
    width: float
    height: float
    pixels: bytes
    media: str


Mark = Path | Group | Use | Image


@dataclass(frozen=True)
class Pattern:
    """A tile that fills an area: its size in millimetres and its marks."""

    width: float
    height: float
    marks: tuple[Mark, ...]


@dataclass(frozen=True)
class Page:
    """One drawing of an exact size in millimetres, with its shared symbols and patterns.

    trim: left, top, width and height of what is left once the paper is cut; None for the whole page. bleed: how far
    the drawing runs over the trim, mm.
    """

    width: float
    height: float
    marks: tuple[Mark, ...]
    title: str = ""
    symbols: dict[str, Group] = field(default_factory=dict)
    patterns: dict[str, Pattern] = field(default_factory=dict)
    trim: tuple[float, float, float, float] | None = None
    bleed: float = 0.0


def num(value: float) -> str:
    """Write a length with at most three decimals (a micrometre), no trailing zeros, never "-0"."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def polygon(points: Iterable[tuple[float, float]]) -> str:
    """Write the path data of a closed ring."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) + "Z"


def polyline(points: Iterable[tuple[float, float]]) -> str:
    """Write the path data of an open line."""
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points)


def rectangle(x: float, y: float, width: float, height: float, radius: float = 0.0) -> str:
    """Write the path data of a rectangle, with round corners if radius is positive."""
    if radius <= 0:
        return polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)])
    r = min(radius, width / 2, height / 2)
    k = r * 0.44771525  # 1 - kappa: control points of a quarter circle
    n = num
    right, bottom = x + width, y + height
    return (
        f"M{n(x + r)} {n(y)}L{n(right - r)} {n(y)}C{n(right - k)} {n(y)} {n(right)} {n(y + k)} {n(right)} {n(y + r)}"
        f"L{n(right)} {n(bottom - r)}C{n(right)} {n(bottom - k)} {n(right - k)} {n(bottom)} {n(right - r)} {n(bottom)}"
        f"L{n(x + r)} {n(bottom)}C{n(x + k)} {n(bottom)} {n(x)} {n(bottom - k)} {n(x)} {n(bottom - r)}"
        f"L{n(x)} {n(y + r)}C{n(x)} {n(y + k)} {n(x + k)} {n(y)} {n(x + r)} {n(y)}Z"
    )


def circle(x: float, y: float, radius: float) -> str:
    """Write the path data of a circle as four curves."""
    return rectangle(x - radius, y - radius, 2 * radius, 2 * radius, radius)


def shifted(x: float, y: float, scale: float = 1.0) -> Matrix:
    """Return the map that scales and then moves by (x, y)."""
    return (scale, 0.0, 0.0, scale, x, y)


def walk(marks: Iterable[Mark]) -> Iterator[Mark]:
    """Yield every mark, depth first."""
    for m in marks:
        yield m
        if isinstance(m, Group):
            yield from walk(m.marks)


def ground(marks: Iterable[Mark]) -> str:
    """Return the colour that lies under everything else of a face, empty when there is none."""
    for mark in marks:
        if isinstance(mark, Group) and (found := ground(mark.marks)):
            return found
        if isinstance(mark, Path) and mark.paint.fill:
            return mark.paint.fill
    return ""
