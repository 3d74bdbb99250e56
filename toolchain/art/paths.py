"""Path data from elsewhere, made into the plain absolute commands of our marks."""

from __future__ import annotations

from functools import cache

from fontTools.pens.basePen import BasePen
from fontTools.svgLib.path import parse_path

from toolchain.art.marks import Matrix, num

Point = tuple[float, float]
Command = tuple[str, tuple[Point, ...]]


class Recorder(BasePen):  # type: ignore[misc]  # fontTools has no types
    """Record what is drawn as M L C Q Z; the parts of a composed glyph are resolved in `glyphs`."""

    def __init__(self, glyphs: object = None) -> None:
        super().__init__(glyphs)
        self.commands: list[Command] = []

    def _moveTo(self, pt: Point) -> None:  # noqa: N802
        self.commands.append(("M", (pt,)))

    def _lineTo(self, pt: Point) -> None:  # noqa: N802
        self.commands.append(("L", (pt,)))

    def _curveToOne(self, pt1: Point, pt2: Point, pt3: Point) -> None:  # noqa: N802
        self.commands.append(("C", (pt1, pt2, pt3)))

    def _qCurveToOne(self, pt1: Point, pt2: Point) -> None:  # noqa: N802
        self.commands.append(("Q", (pt1, pt2)))

    def _closePath(self) -> None:  # noqa: N802
        start = next(points[0] for op, points in reversed(self.commands) if op == "M")
        if self.commands[-1] == ("L", (start,)):  # closing draws this line
            self.commands.pop()
        self.commands.append(("Z", ()))


@cache
def read_path(data: str) -> tuple[Command, ...]:
    """Read SVG path data with any commands; relative ones, arcs and shorthands are resolved. Raises ValueError."""
    pen = Recorder()
    parse_path(data, pen)
    return tuple(pen.commands)


def write_path(commands: tuple[Command, ...], matrix: Matrix) -> str:
    """Write commands as path data, mapped by a matrix."""
    a, b, c, d, e, f = matrix
    return "".join(
        op + " ".join(f"{num(a * x + c * y + e)} {num(b * x + d * y + f)}" for x, y in points)
        for op, points in commands
    )


def bounds(commands: tuple[Command, ...]) -> tuple[float, float, float, float]:
    """Return the box of all points, control points included: left, top, right, bottom."""
    xs = [x for _, points in commands for x, _ in points]
    ys = [y for _, points in commands for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)
