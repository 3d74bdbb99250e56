"""SVG drawings in: the shapes of a layer in sheet millimetres, whatever units, view box and transforms they are under.

Only what has an outline is read. A shape is an area when its outline is closed and filled; everything else is a line.
Styles count where they are written on the element or a group above it.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from lxml import etree
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import BAD_GEOMETRY, FILE_UNREADABLE, LAYER_MISSING, NOT_A_SHAPE, REPAIRED_GEOMETRY
from toolchain.model.drawing import Shape
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.documents import DRAWING_LIMIT, read_bytes

Floats = NDArray[np.float64]

SVG = "{http://www.w3.org/2000/svg}"
LABEL = "{http://www.inkscape.org/namespaces/inkscape}label"
MODE = "{http://www.inkscape.org/namespaces/inkscape}groupmode"

# Millimetres in one of each unit; a user unit without one is a CSS pixel.
UNITS = {"": 25.4 / 96, "px": 25.4 / 96, "mm": 1.0, "cm": 10.0, "q": 0.25, "in": 25.4, "pt": 25.4 / 72, "pc": 25.4 / 6}
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"

DEPTH_LIMIT = 64
SHAPE_LIMIT = 500_000
BOUND = 1e6
PIECES = 2000  # of one curve

HOLDERS = frozenset({"g", "a", "switch", "svg"})
OUTLINES = frozenset({"path", "polygon", "polyline", "rect", "circle", "ellipse", "line"})
SEEN_ONLY = frozenset({"text", "image", "use", "foreignObject"})


class _BadShape(Exception):  # noqa: N818
    """Say what is wrong with one element; never leaves this module."""


@dataclass(frozen=True)
class SvgFile:
    """A parsed drawing. shown: its name in messages."""

    root: Any
    shown: str


@dataclass(frozen=True, slots=True)
class _Curve:
    """Part of an outline: control points, shape (n, 2); 2 for a straight line, 3 and 4 for Bézier curves."""

    points: Floats


def read_svg(path: Path, shown: str, where: Location, report: Report) -> SvgFile | None:
    """Read an SVG file. Entities are never resolved, and nothing outside the file is."""
    data = read_bytes(path, DRAWING_LIMIT, where, report)
    if data is None:
        return None
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        line = (getattr(error, "position", None) or (0, 0))[0] or 0
        text = re.sub(r", line \d+, column \d+.*", "", str(error)) or "it is empty"
        report.add(FILE_UNREADABLE, Location(file=shown, line=line), f"not XML: {text}")
        return None
    internal: Any = root.getroottree().docinfo.internalDTD
    if internal is not None and list(internal.iterentities()):
        report.add(FILE_UNREADABLE, Location(file=shown), "the drawing declares entities; save it as plain SVG")
        return None
    if root.tag != f"{SVG}svg":
        report.add(FILE_UNREADABLE, Location(file=shown), "not SVG: the outermost element is not an svg element")
        return None
    return SvgFile(root, shown)


def read_svg_layer(
    drawing: SvgFile, name: str, tolerance: float, where: Location, report: Report
) -> tuple[Shape, ...] | None:
    """Read the shapes of one layer, or of the whole drawing for an empty name.

    name: label of an Inkscape layer or group, or id of an element. tolerance: how far flattened curves may lie from
    the true ones, in millimetres on the sheet. Every shape bears id, label, class, fill, stroke and name (its label,
    or its title) as properties. Returns None when there is no such layer.
    """
    try:
        top = drawing.root if not name else _find(drawing.root, name)
        if top is None:
            known = [w for e in drawing.root.iter(f"{SVG}g") for w in (e.get(LABEL), e.get("id")) if w]
            text = f"{Path(drawing.shown).name} has no layer {name!r}{did_you_mean(name, known)}"
            report.add(LAYER_MISSING, where, text)
            return None
        above = [e for e in reversed(list(top.iterancestors())) if isinstance(e.tag, str)]
        matrix, style = np.eye(3), {"fill": "black"}
        for element in above:
            matrix = matrix @ _own_matrix(element)
            style = style | _style(element)
    except _BadShape as fault:
        report.add(BAD_GEOMETRY, where, str(fault))
        return None
    shapes: list[Shape] = []
    for shape in _walk(top, matrix, style, tolerance, drawing.shown, 0, report):
        if len(shapes) >= SHAPE_LIMIT:
            report.add(FILE_UNREADABLE, where, f"the layer has more than {SHAPE_LIMIT} shapes")
            break
        shapes.append(shape)
    return tuple(shapes)


def _find(root: Any, name: str) -> Any:
    """Return the layer of this label, else the group of it, else the element of this id."""
    groups = list(root.iter(f"{SVG}g"))
    for found in (
        [g for g in groups if g.get(MODE) == "layer" and g.get(LABEL) == name],
        [g for g in groups if g.get(LABEL) == name],
        [e for e in root.iter(etree.Element) if e.get("id") == name],
    ):
        if found:
            return found[0]
    return None


def _walk(
    element: Any, matrix: Floats, style: Mapping[str, str], tolerance: float, shown: str, depth: int, report: Report
) -> Iterator[Shape]:
    """Yield the shapes of an element and of all within it, in the order of drawing."""
    if not isinstance(element.tag, str) or not element.tag.startswith(SVG):
        return
    kind = element.tag.removeprefix(SVG)
    where = Location(file=shown, line=element.sourceline or 0, element=element.get("id", ""))
    if kind in SEEN_ONLY:
        report.add(NOT_A_SHAPE, where, f"a <{kind}> has no outline; it is left out")
        return
    if kind not in HOLDERS | OUTLINES:
        return
    if depth > DEPTH_LIMIT:
        report.add(BAD_GEOMETRY, where, f"groups are nested more than {DEPTH_LIMIT} deep")
        return
    try:
        matrix = matrix @ _own_matrix(element)
        style = {**style, **_style(element)}
        geometries = _outline(element, kind, matrix, style, tolerance, where, report) if kind in OUTLINES else []
    except _BadShape as fault:
        report.add(BAD_GEOMETRY, where, str(fault))
        return
    if kind in HOLDERS:
        for child in element:
            yield from _walk(child, matrix, style, tolerance, shown, depth + 1, report)
    properties = _properties(element, style)
    for geometry in geometries:
        yield Shape(geometry, properties, where)


def _properties(element: Any, style: Mapping[str, str]) -> dict[str, str]:
    title = element.find(f"{SVG}title")
    label = element.get(LABEL, "")
    name = label or ("" if title is None else (title.text or "").strip())
    return {
        "id": element.get("id", ""),
        "label": label,
        "class": element.get("class", ""),
        "name": name,
        "fill": style.get("fill", ""),
        "stroke": style.get("stroke", ""),
    }


def _style(element: Any) -> dict[str, str]:
    """Return what an element says of the paint that matters here; the style attribute goes before the others."""
    wanted = ("fill", "stroke", "fill-rule")
    own = {key: element.get(key).strip() for key in wanted if element.get(key)}
    for rule in element.get("style", "").split(";"):
        key, _, value = rule.partition(":")
        if key.strip() in wanted and value.strip():
            own[key.strip()] = value.strip()
    return {key: value for key, value in own.items() if value != "inherit"}


# Frames ---------------------------------------------------------------------------------------------------------


def _own_matrix(element: Any) -> Floats:
    """Return the map from the frame within an element to the frame around it."""
    matrix = _transform(element.get("transform", ""))
    if element.tag == f"{SVG}svg":
        matrix = matrix @ _viewport(element, element.getparent() is None)
    return matrix


def _transform(text: str) -> Floats:
    matrix = np.eye(3)
    rest = text.strip()
    while rest:
        hit = re.match(r"(\w+)\s*\(([^()]*)\)[\s,]*", rest)
        if hit is None:
            raise _BadShape(f"the transform {text[:40]!r} cannot be read")
        matrix = matrix @ _step(hit[1], [float(n) for n in re.findall(NUMBER, hit[2])], text)
        rest = rest[hit.end() :]
    return matrix


def _step(kind: str, v: list[float], text: str) -> Floats:
    match kind, len(v):
        case "matrix", 6:
            return np.array([[v[0], v[2], v[4]], [v[1], v[3], v[5]], [0, 0, 1]])
        case "translate", 1 | 2:
            return _affine(1, 0, 0, 1, v[0], v[1] if len(v) > 1 else 0)
        case "scale", 1 | 2:
            return _affine(v[0], 0, 0, v[-1], 0, 0)
        case "rotate", 1:
            c, s = math.cos(math.radians(v[0])), math.sin(math.radians(v[0]))
            return _affine(c, s, -s, c, 0, 0)
        case "rotate", 3:
            return _affine(1, 0, 0, 1, v[1], v[2]) @ _step(kind, v[:1], text) @ _affine(1, 0, 0, 1, -v[1], -v[2])
        case "skewX", 1:
            return _affine(1, 0, math.tan(math.radians(v[0])), 1, 0, 0)
        case "skewY", 1:
            return _affine(1, math.tan(math.radians(v[0])), 0, 1, 0, 0)
    raise _BadShape(f"the transform {text[:40]!r} cannot be read")


def _affine(a: float, b: float, c: float, d: float, e: float, f: float) -> Floats:
    return np.array([[a, c, e], [b, d, f], [0, 0, 1]], dtype=np.float64)


def _viewport(element: Any, outermost: bool) -> Floats:
    """Map the user units of an svg element to millimetres (outermost) or to those around it."""
    unit = UNITS[""] if outermost else 1.0
    box = [float(n) for n in re.findall(NUMBER, element.get("viewBox", ""))]
    width, height = _length(element.get("width")), _length(element.get("height"))
    if not outermost:
        width, height = (None if n is None else n / UNITS[""] for n in (width, height))
        place = [(_length(element.get(k)) or 0.0) / UNITS[""] for k in ("x", "y")]
    else:
        place = [0.0, 0.0]
    if len(box) != 4 or box[2] <= 0 or box[3] <= 0:
        if element.get("viewBox"):
            raise _BadShape(f"the viewBox {element.get('viewBox')[:40]!r} cannot be read")
        return _affine(unit, 0, 0, unit, *place)
    if width is None and height is None:
        width, height = box[2] * unit, box[3] * unit
    elif width is None or height is None:
        width = width if width is not None else height * box[2] / box[3]  # type: ignore[operator]
        height = height if height is not None else width * box[3] / box[2]
    sx, sy = width / box[2], height / box[3]
    align, _, fit = element.get("preserveAspectRatio", "xMidYMid meet").strip().partition(" ")
    if align != "none":
        sx = sy = max(sx, sy) if fit.strip() == "slice" else min(sx, sy)
    part = {"Min": 0.0, "Mid": 0.5, "Max": 1.0}
    across, down = part.get(align[1:4], 0.5), part.get(align[5:8], 0.5)
    x = place[0] + (width - box[2] * sx) * across - box[0] * sx
    y = place[1] + (height - box[3] * sy) * down - box[1] * sy
    return _affine(sx, 0, 0, sy, x, y)


def _length(text: str | None) -> float | None:
    """Read a length in millimetres; None for none, or for a percentage."""
    if text is None or text.strip().endswith("%") or text.strip() == "auto":
        return None
    hit = re.fullmatch(rf"\s*({NUMBER})\s*([a-zA-Z]*)\s*", text)
    if hit is None or hit[2].casefold() not in UNITS:
        raise _BadShape(f"the length {text[:40]!r} cannot be read")
    return float(hit[1]) * UNITS[hit[2].casefold()]


# Outlines -------------------------------------------------------------------------------------------------------


def _outline(
    element: Any,
    kind: str,
    matrix: Floats,
    style: Mapping[str, str],
    tolerance: float,
    where: Location,
    report: Report,
) -> list[BaseGeometry]:
    """Return the geometries of one element: at most one area and one line."""
    lines, rings = [], []
    for curves, closed in _subpaths(element, kind):
        points = _flatten([_Curve(_mapped(c.points, matrix)) for c in curves], tolerance)
        if len(points) < 2:
            continue
        closed = closed or bool((points[0] == points[-1]).all() and len(points) > 3)
        if closed and len(points) > 2 and style.get("fill") != "none" and kind not in ("polyline", "line"):
            rings.append(shapely.polygons(np.concatenate([points, points[:1]])))
        else:
            lines.append(shapely.linestrings(np.concatenate([points, points[:1]]) if closed else points))
    out: list[BaseGeometry] = []
    if rings:
        area = _filled(rings, style.get("fill-rule", "nonzero"), where, report)
        if area.is_empty:
            report.add(BAD_GEOMETRY, where, "the outline encloses no area")
        else:
            out.append(area)
    if lines:
        out.append(lines[0] if len(lines) == 1 else shapely.multilinestrings(lines))
    return out


def _filled(rings: list[BaseGeometry], rule: str, where: Location, report: Report) -> BaseGeometry:
    """Join the outlines of one path as its fill rule says."""
    parts = []
    for ring in rings:
        if shapely.is_valid(ring):
            parts.append(ring)
            continue
        parts.append(shapely.make_valid(ring, method="structure", keep_collapsed=False))
        if not parts[-1].is_empty:
            reason = shapely.is_valid_reason(ring).replace("[", " at ").rstrip("]")
            report.add(REPAIRED_GEOMETRY, where, f"{reason}; repaired")
    # Holes run against their outline; where all run one way, nonzero paints over.
    turns = {bool(shapely.is_ccw(shapely.get_exterior_ring(r))) for r in rings}
    if rule == "nonzero" and len(turns) == 1:
        return shapely.union_all(parts)
    return functools.reduce(shapely.symmetric_difference, parts)


def _mapped(points: Floats, matrix: Floats) -> Floats:
    # Infinity times nothing would be no number at all.
    far = not np.isfinite(points).all() or bool((np.abs(points) > 1e12).any())
    out = points if far else points @ matrix[:2, :2].T + matrix[:2, 2]
    if far or (np.abs(out) > BOUND).any():
        raise _BadShape("a coordinate is not a number within a kilometre of the sheet")
    return np.asarray(out)


def _flatten(curves: list[_Curve], tolerance: float) -> Floats:
    """Turn curves into a line of points; none is farther than the tolerance from the curve (Wang's bound)."""
    if not curves:
        return np.empty((0, 2))
    pieces = [curves[0].points[:1]]
    for curve in curves:
        p = curve.points
        degree = len(p) - 1
        if degree == 1:
            pieces.append(p[1:])
            continue
        bend = np.hypot(*(p[2:] - 2 * p[1:-1] + p[:-2]).T).max()
        count = math.ceil(math.sqrt(degree * (degree - 1) / 8 * bend / tolerance))
        t = np.linspace(0, 1, min(max(count, 1), PIECES) + 1)[1:, None]
        weights = [math.comb(degree, i) * (1 - t) ** (degree - i) * t**i for i in range(degree + 1)]
        pieces.append(np.asarray(sum(w * q for w, q in zip(weights, p, strict=True))))
        pieces[-1][-1] = p[-1]
    points = np.concatenate(pieces)
    new = np.ones(len(points), dtype=bool)
    new[1:] = (points[1:] != points[:-1]).any(axis=1)
    return points[new]


def _subpaths(element: Any, kind: str) -> Iterator[tuple[list[_Curve], bool]]:
    """Yield the subpaths of an element in its own units: curves, and whether it is closed."""
    if kind == "path":
        yield from _path(element.get("d", ""))
    elif kind in ("polygon", "polyline"):
        numbers = _numbers(element.get("points", ""))
        if len(numbers) % 2:
            raise _BadShape("the points have an odd number of coordinates")
        points = np.array(numbers).reshape(-1, 2)
        yield [_Curve(points[i : i + 2]) for i in range(len(points) - 1)], kind == "polygon"
    elif kind == "line":
        x1, y1, x2, y2 = (_user(element, k) for k in ("x1", "y1", "x2", "y2"))
        yield [_Curve(np.array([[x1, y1], [x2, y2]]))], False
    else:
        yield from _path(_round(element, kind))


def _round(element: Any, kind: str) -> str:
    """Write a rectangle, a circle or an ellipse as path data."""
    if kind == "rect":
        x, y, w, h = (_user(element, k) for k in ("x", "y", "width", "height"))
        if w <= 0 or h <= 0:
            return ""
        rx, ry = (_user(element, k) if element.get(k, "auto") != "auto" else None for k in ("rx", "ry"))
        rx, ry = (rx if rx is not None else ry) or 0.0, (ry if ry is not None else rx) or 0.0
        rx, ry = min(rx, w / 2), min(ry, h / 2)
        if rx <= 0 or ry <= 0:
            return f"M{x},{y}h{w}v{h}h{-w}z"
        arc = f"a{rx},{ry} 0 0 1 "
        return (
            f"M{x + rx},{y}h{w - 2 * rx}{arc}{rx},{ry}v{h - 2 * ry}{arc}{-rx},{ry}"
            f"h{2 * rx - w}{arc}{-rx},{-ry}v{2 * ry - h}{arc}{rx},{-ry}z"
        )
    cx, cy = _user(element, "cx"), _user(element, "cy")
    if kind == "circle":
        rx = ry = _user(element, "r")
    else:
        rx, ry = _user(element, "rx"), _user(element, "ry")
    if rx <= 0 or ry <= 0:
        return ""
    arc = f"a{rx},{ry} 0 0 1 "
    return f"M{cx - rx},{cy}{arc}{rx},{-ry}{arc}{rx},{ry}{arc}{-rx},{ry}{arc}{-rx},{-ry}z"


def _user(element: Any, key: str) -> float:
    length = _length(element.get(key))
    return 0.0 if length is None else length / UNITS[""]


def _numbers(text: str) -> list[float]:
    if re.sub(rf"{NUMBER}|[\s,]", "", text):
        raise _BadShape(f"the points {text[:40]!r} cannot be read")
    return [float(n) for n in re.findall(NUMBER, text)]


def _path(data: str) -> Iterator[tuple[list[_Curve], bool]]:
    """Read path data; fontTools knows its grammar."""
    if not data.strip():
        return
    from fontTools.pens.recordingPen import RecordingPen
    from fontTools.svgLib.path.parser import parse_path

    pen = RecordingPen()
    try:
        if not re.fullmatch(r"\s*[Mm][MmZzLlHhVvCcSsQqTtAaeE\d\s,.+-]*", data):
            raise ValueError("a stranger among the commands, or no M before them")
        parse_path(data, pen)
    except (ValueError, IndexError, TypeError, OverflowError, ZeroDivisionError, AssertionError, NotImplementedError):
        raise _BadShape(f"the path data {data[:40]!r} cannot be read") from None
    curves: list[_Curve] = []
    start = here = (0.0, 0.0)
    for operator, arguments in pen.value:
        if operator in ("lineTo", "curveTo", "qCurveTo"):
            curves.append(_Curve(np.array([here, *arguments], dtype=np.float64)))
            here = arguments[-1]
        else:  # moveTo, closePath, endPath
            if curves:
                yield curves, operator == "closePath"
            curves = []
            if operator == "moveTo":
                start = arguments[0]
            here = start
    if curves:
        yield curves, False
