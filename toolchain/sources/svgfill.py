"""Areas of an SVG drawing: outlines filled as a renderer fills them, by winding number.

Whole arrays at a time; outlines so tangled that they would take minutes are refused.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.sources.svgframes import BadShapeError, Floats

Ints = NDArray[np.intp]

PAIR_LIMIT = 300_000_000  # edges of one shape whose boxes meet
CROSS_LIMIT = 100_000  # edges of one shape that cross


def fill(rings: Sequence[Floats], rule: str) -> tuple[BaseGeometry, list[str]]:
    """Return the area that a renderer paints within outlines, and what is wrong with single outlines.

    rings: points of each outline, shape (n, 2), at least three. rule: nonzero, or evenodd. Each face that the lines
    cut out counts by its winding number, so that holes, overlaps and crossings come out as they are seen.
    """
    closed = [shapely.linearrings(r) for r in rings]
    if sum(map(len, rings)) > 500:
        _check_crowd(closed)
    polygons = shapely.polygons(closed)
    valid = shapely.is_valid(polygons)
    reasons = [shapely.is_valid_reason(p).replace("[", " at ").rstrip("]") for p in polygons[~valid]]
    faults = [r for r in reasons if not r.startswith("Too few points")]
    if valid.all() and (len(polygons) == 1 or not _any_meet(polygons)):
        return (polygons[0] if len(polygons) == 1 else shapely.multipolygons(polygons)), faults
    faces = shapely.get_parts(shapely.polygonize([shapely.unary_union(shapely.multilinestrings(closed))]))
    if not len(faces):
        return shapely.from_wkt("POLYGON EMPTY"), faults
    winding = _winding(shapely.get_coordinates(shapely.point_on_surface(faces)), closed)
    painted = faces[(winding % 2 if rule == "evenodd" else winding) != 0]
    area = shapely.coverage_union_all(painted)  # the faces share their corners
    return area if shapely.is_valid(area) else shapely.make_valid(area, method="structure"), faults


def _edges(closed: Sequence[BaseGeometry]) -> tuple[Floats, Floats]:
    points = [shapely.get_coordinates(r) for r in closed]
    return np.concatenate([p[:-1] for p in points]), np.concatenate([p[1:] for p in points])


def _winding(points: Floats, closed: Sequence[BaseGeometry]) -> Ints:
    """Return how often outlines go round each point, by a ray to the right."""
    a, b = _edges(closed)
    tree = shapely.STRtree(shapely.linestrings(np.stack([a, b], axis=1)))
    ends = np.stack([np.full(len(points), a[:, 0].max() + 1.0), points[:, 1]], axis=1)
    rays = shapely.linestrings(np.stack([points, ends], axis=1))
    out = np.zeros(len(points), dtype=np.intp)
    for i in range(0, len(rays), 2000):  # a ray may meet many edges
        which, edge = tree.query(rays[i : i + 2000])
        p, q, at = a[edge], b[edge], points[i + which]
        up, down = (p[:, 1] <= at[:, 1]) & (q[:, 1] > at[:, 1]), (q[:, 1] <= at[:, 1]) & (p[:, 1] > at[:, 1])
        side = _side(p, q, at)
        turn = np.where(up & (side > 0), 1, 0) - np.where(down & (side < 0), 1, 0)
        out[i : i + 2000] += np.bincount(which, turn, len(rays[i : i + 2000])).round().astype(np.intp)
    return out


def _any_meet(polygons: NDArray[np.object_]) -> bool:
    """Tell whether the boxes of any two polygons meet."""
    tree = shapely.STRtree(polygons)
    parts = (polygons[i : i + 100] for i in range(0, len(polygons), 100))
    return any(len(tree.query(part)[0]) > len(part) for part in parts)


def _check_crowd(closed: Sequence[BaseGeometry]) -> None:
    """Refuse outlines so tangled that they would take minutes; a few edges stand for all."""
    a, b = _edges(closed)
    low, high = np.minimum(a, b), np.maximum(a, b)
    some = np.linspace(0, len(a) - 1, 100).astype(np.intp)
    meet = cross = 0
    for i in some:
        near = ((low <= high[i]) & (high >= low[i])).all(axis=1)
        p, q = a[near], b[near]
        apart = _side(p, q, a[i]) * _side(p, q, b[i]) < 0
        cross += int((apart & (_side(a[i], b[i], p) * _side(a[i], b[i], q) < 0)).sum())
        meet += len(p)
    share = len(a) / len(some)
    if meet * share > PAIR_LIMIT or cross * share / 2 > CROSS_LIMIT:
        raise BadShapeError("the outline crosses or nearly touches itself too often; simplify it")


def _side(a: Floats, b: Floats, at: Floats) -> Floats:
    """Return on which side of the lines from a to b points lie: positive, negative or zero."""
    ab, to = b - a, at - a
    return np.asarray(ab[..., 0] * to[..., 1] - to[..., 0] * ab[..., 1])
