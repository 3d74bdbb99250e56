"""Frames of an SVG drawing: lengths, transforms and view boxes, as matrices of shape (3, 3)."""

from __future__ import annotations

import math
import re
from functools import reduce
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Millimetres in one of each unit; a user unit without one is a CSS pixel.
UNITS = {"": 25.4 / 96, "px": 25.4 / 96, "mm": 1.0, "cm": 10.0, "q": 0.25, "in": 25.4, "pt": 25.4 / 72, "pc": 25.4 / 6}
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
BOUND = 1e6


class BadShapeError(Exception):
    """Say what is wrong with one element; the readers of drawings make a finding of it."""


def shorten(text: str) -> str:
    """Return a text as messages quote it."""
    return repr(text if len(text) <= 40 else text[:37] + "...")


def read_length(text: str | None, whole: float = 0.0) -> float | None:
    """Read a length in CSS pixels, which are user units; None for none.

    whole: what a percentage is of; without it a percentage is none.
    """
    if text is None or text.strip() in ("", "auto"):
        return None
    hit = re.fullmatch(rf"\s*({NUMBER})\s*([a-zA-Z]*|%)\s*", text)
    if hit is not None and hit[2] == "%":
        return float(hit[1]) / 100 * whole if whole else None
    if hit is None or hit[2].casefold() not in UNITS or not abs(float(hit[1])) < 1e12:
        raise BadShapeError(f"the length {shorten(text)} cannot be read")
    return float(hit[1]) * UNITS[hit[2].casefold()] / UNITS[""]


def read_transform(text: str) -> Floats:
    """Read a `transform` attribute: the map from the frame within an element to the frame around it."""
    matrix = np.eye(3)
    rest = text.strip()
    if rest in ("", "none"):
        return matrix
    while rest:
        hit = re.match(r"(\w+)\s*\(([^()]*)\)[\s,]*", rest)
        if hit is None:
            raise BadShapeError(f"the transform {shorten(text)} cannot be read")
        matrix = joined(matrix, _step(hit[1], [float(n) for n in re.findall(NUMBER, hit[2])], text))
        rest = rest[hit.end() :]
    return matrix


def _step(kind: str, v: list[float], text: str) -> Floats:
    match kind, len(v):
        case "matrix", 6:
            return affine(*v)
        case "translate", 1 | 2:
            return affine(1, 0, 0, 1, v[0], v[1] if len(v) > 1 else 0)
        case "scale", 1 | 2:
            return affine(v[0], 0, 0, v[-1], 0, 0)
        case "rotate", 1:
            c, s = math.cos(math.radians(v[0])), math.sin(math.radians(v[0]))
            return affine(c, s, -s, c, 0, 0)
        case "rotate", 3:
            return joined(affine(1, 0, 0, 1, v[1], v[2]), _step(kind, v[:1], text), affine(1, 0, 0, 1, -v[1], -v[2]))
        case "skewX", 1:
            return affine(1, 0, math.tan(math.radians(v[0])), 1, 0, 0)
        case "skewY", 1:
            return affine(1, math.tan(math.radians(v[0])), 0, 1, 0, 0)
    raise BadShapeError(f"the transform {shorten(text)} cannot be read")


def affine(a: float, b: float, c: float, d: float, e: float, f: float) -> Floats:
    """Return the matrix of SVG's matrix(a b c d e f)."""
    return np.array([[a, c, e], [b, d, f], [0, 0, 1]], dtype=np.float64)


def joined(*maps: Floats) -> Floats:
    """Return maps one after the other, the last first; what moves or scales beyond all bounds is refused."""
    with np.errstate(all="ignore"):
        matrix = reduce(np.matmul, maps)
    if not (np.abs(matrix) < 1e12).all():
        raise BadShapeError("it is moved or scaled beyond all bounds")
    return np.asarray(matrix)


def view_box(element: Any) -> tuple[float, float, float, float] | None:
    """Read the viewBox of an element; None when there is none."""
    text = element.get("viewBox", "")
    box = [float(n) for n in re.findall(NUMBER, text)]
    if not text.strip():
        return None
    if len(box) != 4 or not all(map(math.isfinite, box)) or box[2] <= 0 or box[3] <= 0:
        raise BadShapeError(f"the viewBox {shorten(text)} cannot be read")
    return box[0], box[1], box[2], box[3]


def page_frame(element: Any) -> tuple[Floats, tuple[float, float]]:
    """Return the map from the user units of the outermost svg element to millimetres, and its size in user units."""
    matrix, size = _viewport(element, (0.0, 0.0), None, None)
    unit = UNITS[""]
    matrix = joined(affine(unit, 0, 0, unit, 0, 0), matrix)
    # A view box in millimetres shall give whole millimetres, to the last digit.
    return np.array([[float(f"{v:.14g}") for v in row] for row in matrix]), size


def page_size(element: Any) -> tuple[float, float] | None:
    """Return width and height of the page in millimetres; None where the drawing does not say."""
    box, width, height = view_box(element), read_length(element.get("width")), read_length(element.get("height"))
    if width is None or height is None:
        width, height = (box[2], box[3]) if box is not None and width is None and height is None else (None, None)
    return None if width is None or height is None else (width * UNITS[""], height * UNITS[""])


def inner_frame(
    element: Any, around: tuple[float, float], width: str | None = None, height: str | None = None
) -> tuple[Floats, tuple[float, float]]:
    """Return the map from within a nested svg or a symbol to the frame around it, and its size in its own units.

    around: size of the frame around it, of which percentages are. width, height: those that a clone gives.
    """
    place = (read_length(element.get("x"), around[0]) or 0.0, read_length(element.get("y"), around[1]) or 0.0)
    w = read_length(width or element.get("width"), around[0])
    h = read_length(height or element.get("height"), around[1])
    return _viewport(element, place, w, h, around)


def _viewport(
    element: Any,
    place: tuple[float, float],
    width: float | None,
    height: float | None,
    around: tuple[float, float] | None = None,
) -> tuple[Floats, tuple[float, float]]:
    box = view_box(element)
    if around is None:
        width, height = read_length(element.get("width")), read_length(element.get("height"))
    if box is None:
        size = around or (0.0, 0.0)
        return affine(1, 0, 0, 1, *place), (width or size[0], height or size[1])
    if width is None and height is None:
        width, height = around if around is not None and all(around) else (box[2], box[3])
    elif width is None or height is None:
        width = width if width is not None else (height or 0.0) * box[2] / box[3]
        height = height if height is not None else width * box[3] / box[2]
    sx, sy = width / box[2], height / box[3]
    align, _, fit = element.get("preserveAspectRatio", "xMidYMid meet").removeprefix("defer ").strip().partition(" ")
    if align != "none":
        sx = sy = max(sx, sy) if fit.strip() == "slice" else min(sx, sy)
    part = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
    across, down = part.get(align[1:4], 0.5), part.get(align[5:8], 0.5)
    x = place[0] + (width - box[2] * sx) * across - box[0] * sx
    y = place[1] + (height - box[3] * sy) * down - box[1] * sy
    return affine(sx, 0, 0, sy, x, y), (box[2], box[3])


def mapped(points: Floats, matrix: Floats) -> Floats:
    """Map points of shape (..., 2); one that lies farther than a kilometre from the sheet is refused."""
    # Infinity times nothing would be no number at all.
    far = not np.isfinite(points).all() or bool((np.abs(points) > 1e12).any()) or not np.isfinite(matrix).all()
    out = points if far else points @ matrix[:2, :2].T + matrix[:2, 2]
    if far or not (np.abs(out) <= BOUND).all():
        raise BadShapeError("a coordinate is not a number within a kilometre of the sheet")
    return np.asarray(out)
