"""Outlines of an SVG drawing: path data and basic shapes, flattened to a tolerance.

Whole arrays at a time: a path of a million points takes a few seconds. Arcs are sampled as arcs, never by way of
Bézier curves, so that the tolerance holds for circles of any size.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolchain.sources.svgframes import NUMBER, BadShapeError, Floats, mapped, read_length, shorten

Ints = NDArray[np.intp]

POINT_LIMIT = 5_000_000

_NUMBER = re.compile(NUMBER)
_COMMAND = re.compile(r"([MmZzLlHhVvCcSsQqTtAa])([^MmZzLlHhVvCcSsQqTtAa]*)")
_ARC = re.compile(r"([Aa])([^MmZzLlHhVvCcSsQqTtAa]*)")
_TURN = re.compile(r"[\s,]*".join([*[f"({NUMBER})"] * 3, "([01])", "([01])", *[f"({NUMBER})"] * 2]))
_SPACE = str.maketrans("", "", " \t\r\n\f,")
_SIZES = {"M": 2, "Z": 0, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2, "A": 7}


@dataclass(frozen=True)
class Outline:
    """One subpath in its own units: straight unless a segment is said to be bent.

    ends: where segments begin and end, shape (n + 1, 2). bent: segments that are cubic curves, shape (m,); controls:
    their two control points, shape (m, 4). turned: segments that are arcs, shape (k,); arcs: rx, ry, rotation in
    degrees, large, sweep, shape (k, 5). closed: it ends with a close command.
    """

    ends: Floats
    closed: bool = False
    bent: Ints = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    controls: Floats = field(default_factory=lambda: np.empty((0, 4)))
    turned: Ints = field(default_factory=lambda: np.empty(0, dtype=np.intp))
    arcs: Floats = field(default_factory=lambda: np.empty((0, 5)))


# Reading --------------------------------------------------------------------------------------------------------


def read_outlines(element: Any, kind: str, around: tuple[float, float]) -> Iterator[Outline]:
    """Yield the subpaths of an element: a path or one of the basic shapes.

    around: size of the frame around it in user units, of which percentages are.
    """
    if kind == "path":
        yield from read_path(element.get("d", ""))
    elif kind in ("polygon", "polyline"):
        text = element.get("points", "")
        numbers = _numbers(text, f"the points {shorten(text)} cannot be read")
        if len(numbers) % 2:
            raise BadShapeError("the points have an odd number of coordinates")
        if numbers:
            yield Outline(np.array(numbers).reshape(-1, 2), kind == "polygon")
    else:
        x, y = around

        def user(key: str) -> float:
            # A percentage of a radius is of the mean of width and height.
            whole = y if key in ("y", "height", "cy", "ry", "y1", "y2") else (x * x + y * y) ** 0.5 / 2**0.5
            return read_length(element.get(key), x if key in ("x", "width", "cx", "rx", "x1", "x2") else whole) or 0.0

        if kind == "line":
            yield Outline(np.array([[user("x1"), user("y1")], [user("x2"), user("y2")]]))
        else:
            yield from read_path(_round(element, kind, user))


def _round(element: Any, kind: str, user: Any) -> str:
    """Write a rectangle, a circle or an ellipse as path data."""
    if kind == "rect":
        x, y, w, h = (user(k) for k in ("x", "y", "width", "height"))
        if w <= 0 or h <= 0:
            return ""
        rx, ry = (user(k) if element.get(k, "auto") != "auto" else None for k in ("rx", "ry"))
        rx, ry = (rx if rx is not None else ry) or 0.0, (ry if ry is not None else rx) or 0.0
        rx, ry = min(rx, w / 2), min(ry, h / 2)
        if rx <= 0 or ry <= 0:
            return f"M{x},{y}h{w}v{h}h{-w}z"
        arc = f"a{rx},{ry} 0 0 1 "
        return (
            f"M{x + rx},{y}h{w - 2 * rx}{arc}{rx},{ry}v{h - 2 * ry}{arc}{-rx},{ry}"
            f"h{2 * rx - w}{arc}{-rx},{-ry}v{2 * ry - h}{arc}{rx},{-ry}z"
        )
    cx, cy = user("cx"), user("cy")
    rx, ry = (user("r"), user("r")) if kind == "circle" else (user("rx"), user("ry"))
    if rx <= 0 or ry <= 0:
        return ""
    # In absolute places, so that the last arc ends exactly where the first began.
    arc, left = f"A{rx},{ry} 0 0 1 ", f"{cx - rx},{cy}"
    return f"M{left}{arc}{cx},{cy - ry}{arc}{cx + rx},{cy}{arc}{cx},{cy + ry}{arc}{left}z"


def _numbers(text: str, fault: str) -> list[float]:
    words = _NUMBER.findall(text)
    if "".join(words) != text.translate(_SPACE):
        raise BadShapeError(fault)
    return list(map(float, words))


def read_path(data: str) -> Iterator[Outline]:
    """Read path data (SVG 2, section 9.3) into subpaths; data that is not of that form is refused whole."""
    fault = f"the path data {shorten(data)} cannot be read"
    data = data.strip()
    if data in ("", "none"):
        return
    if data[0] not in "Mm":
        raise BadShapeError(fault)
    if "a" in data or "A" in data:  # the two flags of an arc may stand without a space behind them
        data = _ARC.sub(lambda hit: hit[1] + _TURN.sub(r"\1 \2 \3 \4 \5 \6 \7 ", hit[2]), data)
    pen = _Pen()
    for letter, text in _COMMAND.findall(data):
        numbers = _numbers(text, fault)
        size = _SIZES[letter.upper()]
        if len(numbers) % size if size else numbers:
            raise BadShapeError(fault)
        if size and not numbers:
            raise BadShapeError(fault)
        yield from pen.draw(letter.upper(), numbers, letter.islower())
    yield from pen.lift(False)


class _Pen:
    """Follow the commands of one path."""

    def __init__(self) -> None:
        self.start = (0.0, 0.0)
        self.bend: tuple[str, float, float] = ("", 0.0, 0.0)  # last command of a curve and its last control point
        self.clear((0.0, 0.0))

    def clear(self, at: tuple[float, float]) -> None:
        self.ends: list[tuple[float, float]] = [at]
        self.curves: list[tuple[int, float, float, float, float]] = []
        self.arcs: list[tuple[int, float, float, float, float, float]] = []

    def lift(self, closed: bool) -> Iterator[Outline]:
        """End the subpath; one that goes nowhere is none."""
        if len(self.ends) > 1:
            curves, arcs = np.array(self.curves).reshape(-1, 5), np.array(self.arcs).reshape(-1, 6)
            yield Outline(
                np.array(self.ends),
                closed,
                curves[:, 0].astype(np.intp),
                curves[:, 1:],
                arcs[:, 0].astype(np.intp),
                arcs[:, 1:],
            )

    def draw(self, letter: str, n: list[float], relative: bool) -> Iterator[Outline]:
        """Follow one command with all its arguments; yield the subpath that it ends."""
        x, y = self.ends[-1]
        if letter == "Z":
            yield from self.lift(True)
            self.clear(self.start)
        elif letter == "M":
            yield from self.lift(False)
            self.start = (x + n[0], y + n[1]) if relative else (n[0], n[1])
            self.clear(self.start)
            self._straight(n[2:], relative)
        elif letter == "L":
            self._straight(n, relative)
        elif letter == "H":
            self.ends.extend((v, y) for v in (_sums(x, n) if relative else n))
        elif letter == "V":
            self.ends.extend((x, v) for v in (_sums(y, n) if relative else n))
        elif letter == "A":
            for i in range(0, len(n), 7):
                x, y = self.ends[-1]
                rx, ry, turn, large, sweep, ex, ey = n[i : i + 7]
                if rx and ry:
                    self.arcs.append((len(self.ends) - 1, abs(rx), abs(ry), turn, large, sweep))
                self.ends.append((x + ex, y + ey) if relative else (ex, ey))
        else:
            self._curves(letter, n, relative)
        if letter not in "CSQT":
            self.bend = ("", 0.0, 0.0)

    def _straight(self, n: list[float], relative: bool) -> None:
        x, y = self.ends[-1]
        xs, ys = (_sums(x, n[::2]), _sums(y, n[1::2])) if relative else (n[::2], n[1::2])
        self.ends.extend(zip(xs, ys, strict=True))

    def _curves(self, letter: str, n: list[float], relative: bool) -> None:
        size = _SIZES[letter]
        for i in range(0, len(n), size):
            x, y = self.ends[-1]
            ox, oy = (x, y) if relative else (0.0, 0.0)
            a = n[i : i + size]
            ex, ey = a[-2] + ox, a[-1] + oy
            last, bx, by = self.bend
            mirror = (2 * x - bx, 2 * y - by) if last == ("C" if letter == "S" else "Q") else (x, y)
            if letter in "CS":
                first = (a[0] + ox, a[1] + oy) if letter == "C" else mirror
                second = (a[-4] + ox, a[-3] + oy)
                self.bend = ("C", *second)
            else:  # a quadratic curve is a cubic one with its control point two thirds of the way
                qx, qy = (a[0] + ox, a[1] + oy) if letter == "Q" else mirror
                first = (x + (qx - x) * 2 / 3, y + (qy - y) * 2 / 3)
                second = (ex + (qx - ex) * 2 / 3, ey + (qy - ey) * 2 / 3)
                self.bend = ("Q", qx, qy)
            self.curves.append((len(self.ends) - 1, *first, *second))
            self.ends.append((ex, ey))


def _sums(start: float, steps: list[float]) -> list[float]:
    return list(accumulate(steps, initial=start))[1:]


# Flattening -----------------------------------------------------------------------------------------------------


def flatten(outline: Outline, matrix: Floats, tolerance: float, limit: int = POINT_LIMIT) -> Floats:
    """Turn a subpath into points, shape (n, 2), in the frame that the matrix leads to.

    tolerance: no point of the true outline is farther than this from the line, in that frame (Wang's bound for
    curves, the height of the chord for arcs). limit: an outline that needs more points is refused. Points that
    repeat the one before are dropped.
    """
    ends = mapped(outline.ends, matrix)
    if not len(outline.bent) and not len(outline.turned):
        return _distinct(ends)
    counts = np.ones(len(ends) - 1, dtype=np.intp)
    curves = np.empty((0, 4, 2))
    if len(outline.bent):
        inner = mapped(outline.controls.reshape(-1, 2, 2), matrix)
        at = outline.bent
        curves = np.stack([ends[at], inner[:, 0], inner[:, 1], ends[at + 1]], axis=1)
        bend = np.linalg.norm(curves[:, 2:] - 2 * curves[:, 1:-1] + curves[:, :-2], axis=2).max(axis=1)
        counts[at] = np.maximum(np.ceil(np.sqrt(0.75 * bend / tolerance)), 1)
    arcs = _Arcs.of(outline, matrix)
    if len(outline.turned):
        counts[outline.turned] = arcs.counts(tolerance)
    total = int(counts.sum())
    if total > limit:
        raise BadShapeError(f"the flattened outline has more than {limit} points; give the layer a larger `tolerance`")
    stops = np.cumsum(counts)
    out = np.empty((total + 1, 2))
    for which, make in ((outline.bent, _curve_points(curves)), (outline.turned, arcs.points)):
        if len(which):
            each = counts[which]
            owner = np.repeat(np.arange(len(which)), each)
            step = np.arange(len(owner)) - np.repeat(np.cumsum(each) - each, each) + 1
            out[(stops[which] - each)[owner] + step] = make(owner, step / each[owner])
    out[0], out[stops] = ends[0], ends[1:]
    return _distinct(mapped(out, np.eye(3)))


def _distinct(points: Floats) -> Floats:
    new = np.ones(len(points), dtype=bool)
    new[1:] = (points[1:] != points[:-1]).any(axis=1)
    return points[new]


def _curve_points(curves: Floats) -> Any:
    def points(owner: Ints, t: Floats) -> Floats:
        t = t[:, None]
        a, b, c, d = (curves[owner, i] for i in range(4))
        u = 1 - t
        return np.asarray(u**3 * a + 3 * u * u * t * b + 3 * u * t * t * c + t**3 * d)

    return points


@dataclass(frozen=True)
class _Arcs:
    """Arcs by their centres (SVG 2, appendix B.2.4): point = centre + frame @ (cos, sin), angles from, by."""

    centre: Floats
    frame: Floats
    begin: Floats
    sweep: Floats

    @classmethod
    def of(cls, outline: Outline, matrix: Floats) -> _Arcs:
        a, b = outline.ends[outline.turned], outline.ends[outline.turned + 1]
        rx, ry, turn, large, sweep = outline.arcs.T
        c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        rotate = np.stack([np.stack([c, -s], axis=-1), np.stack([s, c], axis=-1)], axis=1).reshape(-1, 2, 2)
        half = np.einsum("nji,nj->ni", rotate, (a - b) / 2) / np.stack([rx, ry], axis=1)
        size = (half**2).sum(axis=1)
        grow = np.sqrt(np.maximum(size, 1.0))  # radii that are too small grow until the arc just reaches
        half /= grow[:, None]
        size = np.minimum(size, 1.0)
        radii = np.stack([rx, ry], axis=1) * grow[:, None]
        with np.errstate(divide="ignore", invalid="ignore"):
            away = np.sqrt(np.maximum(np.where(size > 0, 1 / size - 1, 0.0), 0.0)) * np.where(large == sweep, -1, 1)
        middle = away[:, None] * np.stack([half[:, 1], -half[:, 0]], axis=1)
        frame = rotate * radii[:, None, :]
        centre = np.einsum("nij,nj->ni", frame, middle) + (a + b) / 2
        first, last = half - middle, -half - middle
        begin = np.arctan2(first[:, 1], first[:, 0])
        by = np.arctan2(last[:, 1], last[:, 0]) - begin
        by = np.where(sweep > 0, by % (2 * np.pi), -((-by) % (2 * np.pi)))
        by = np.where(size > 0, by, 0.0)  # an arc that ends where it began is none
        return cls(centre @ matrix[:2, :2].T + matrix[:2, 2], matrix[:2, :2] @ frame, begin, by)

    def counts(self, tolerance: float) -> Ints:
        radius = np.linalg.norm(self.frame, ord=2, axis=(1, 2))
        if not np.isfinite(radius).all():
            raise BadShapeError("the radius of an arc is not a number within a kilometre of the sheet")
        step = 2 * np.arccos(1 - np.minimum(tolerance / np.maximum(radius, 1e-300), 1 - np.sqrt(0.5)))
        # Beyond some radius the cosine of the step is 1 to all digits.
        step = np.maximum(step, 1e-7)
        return np.asarray(np.maximum(np.ceil(np.abs(self.sweep) / step), 1), dtype=np.intp)

    def curves(self, k: int, start: Floats, end: Floats) -> list[Floats]:
        """Return cubic curves along one arc."""
        count = max(1, int(np.ceil(abs(self.sweep[k]) / (np.pi / 4) - 1e-9)))
        each = self.sweep[k] / count
        reach = 4 / 3 * np.tan(each / 4)
        angle = self.begin[k] + each * np.arange(count + 1)
        unit, along = np.stack([np.cos(angle), np.sin(angle)]), np.stack([-np.sin(angle), np.cos(angle)])
        on = (self.centre[k][:, None] + self.frame[k] @ unit).T
        on[0], on[-1] = start, end
        lead = reach * (self.frame[k] @ along).T
        return [np.array([on[j], on[j] + lead[j], on[j + 1] - lead[j + 1], on[j + 1]]) for j in range(count)]

    def points(self, owner: Ints, t: Floats) -> Floats:
        angle = self.begin[owner] + self.sweep[owner] * t
        unit = np.stack([np.cos(angle), np.sin(angle)], axis=1)
        return np.asarray(self.centre[owner] + np.einsum("nij,nj->ni", self.frame[owner], unit))


def as_curves(outline: Outline, matrix: Floats) -> list[Floats]:
    """Return the segments of a subpath as control points, shape (2, 2) for lines and (4, 2) for cubic curves.

    Arcs become curves of at most an eighth of a turn, within a few millionths of their radius.
    """
    ends = mapped(outline.ends, matrix)
    inner = mapped(outline.controls.reshape(-1, 2, 2), matrix)
    bent = dict(zip(outline.bent.tolist(), inner, strict=True))
    arcs = _Arcs.of(outline, matrix)
    turned = {segment: k for k, segment in enumerate(outline.turned.tolist())}
    out: list[Floats] = []
    for i in range(len(ends) - 1):
        if i in bent:
            out.append(np.array([ends[i], *bent[i], ends[i + 1]]))
        elif i in turned:
            out += arcs.curves(turned[i], ends[i], ends[i + 1])
        else:
            out.append(ends[i : i + 2])
    return out
