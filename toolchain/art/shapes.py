"""From shapely geometry and point lists to path data, and the small arts of a map: curves, wobble, scatter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.art.marks import num

Floats = NDArray[np.float64]
Point = tuple[float, float]


def geometry_path(geometry: BaseGeometry) -> str:
    """Write polygons and lines as path data, to a hundredth of a millimetre; points are left out."""
    out: list[str] = []
    for part in shapely.get_parts(geometry):
        if part.is_empty:
            continue
        if part.geom_type == "Polygon":
            out += [_run(ring) + "Z" for ring in (part.exterior, *part.interiors)]
        elif part.geom_type in ("LineString", "LinearRing"):
            out.append(_run(part))
        elif part.geom_type != "Point":
            out.append(geometry_path(part))
    return "".join(out)


def _run(line: BaseGeometry) -> str:
    xy = np.round(shapely.get_coordinates(line), 2)
    if len(xy) > 2 and (xy[0] == xy[-1]).all() and line.geom_type == "LinearRing":
        xy = xy[:-1]
    keep = np.ones(len(xy), dtype=bool)
    keep[1:] = (xy[1:] != xy[:-1]).any(axis=1)
    return "M" + "L".join(f"{x:.6g} {y:.6g}" for x, y in xy[keep].tolist())


def curve(points: Sequence[Point], tension: float = 1 / 6) -> str:
    """Write a smooth open curve through points (Catmull-Rom, as cubics)."""
    p = list(points)
    out = [f"M{num(p[0][0])} {num(p[0][1])}"]
    for i in range(len(p) - 1):
        a, b, c, d = p[max(i - 1, 0)], p[i], p[i + 1], p[min(i + 2, len(p) - 1)]
        out.append(
            f"C{num(b[0] + (c[0] - a[0]) * tension)} {num(b[1] + (c[1] - a[1]) * tension)} "
            f"{num(c[0] - (d[0] - b[0]) * tension)} {num(c[1] - (d[1] - b[1]) * tension)} {num(c[0])} {num(c[1])}"
        )
    return "".join(out)


def sampled(points: Sequence[Point], tension: float = 1 / 6, steps: int = 6) -> Floats:
    """Return points along the curve that `curve` writes, `steps` to each stretch, shape (n, 2)."""
    p = np.array(points, dtype=float)
    if len(p) < 3:
        return p
    before, after = np.concatenate([p[:1], p[:-2]]), np.concatenate([p[2:], p[-1:]])
    a, d = p[:-1], p[1:]
    b, c = a + (d - before) * tension, d - (after - a) * tension
    t = (np.arange(steps) / steps)[None, :, None]
    a, b, c, d = (v[:, None] for v in (a, b, c, d))
    cubic = a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t**2 * (1 - t) + d * t**3
    return np.concatenate([cubic.reshape(-1, 2), p[-1:]])


def rounded(geometry: BaseGeometry, steps: int = 2) -> BaseGeometry:
    """Turn the corners of lines and rings into bends by cutting them off (Chaikin); ends stay where they are.

    A drawing made for a smaller scale loses its angular look, and moves by less than a quarter of its segments.
    """
    parts = [_rounded_part(p, steps) for p in shapely.get_parts(geometry) if p.geom_type in ("Polygon", "LineString")]
    return shapely.union_all([p if p.is_valid else shapely.make_valid(p) for p in parts])


def _rounded_part(part: BaseGeometry, steps: int) -> BaseGeometry:
    if part.geom_type == "LineString":
        return shapely.LineString(_cut_corners(shapely.get_coordinates(part), steps, closed=False))
    rings = [
        _cut_corners(shapely.get_coordinates(r)[:-1], steps, closed=True) for r in (part.exterior, *part.interiors)
    ]
    return shapely.Polygon(rings[0], rings[1:])


def _cut_corners(xy: Floats, steps: int, closed: bool) -> Floats:
    for _ in range(steps if len(xy) > 2 else 0):
        a, b = (xy, np.roll(xy, -1, axis=0)) if closed else (xy[:-1], xy[1:])
        # Cut at most a millimetre and a half, so that long straight shores stay straight.
        share = np.minimum(0.25, 1.5 / np.maximum(np.hypot(*(b - a).T), 1e-9))[:, None]
        cut = np.stack([a + (b - a) * share, b - (b - a) * share], axis=1).reshape(-1, 2)
        xy = cut if closed else np.concatenate([xy[:1], cut[1:-1], xy[-1:]])
    return xy


def noise(x: Floats, y: Floats, seed: float = 0.0) -> Floats:
    """Return a smooth field from about -1 to 1 with waves of some 3 to 12 units; the same at the same place."""
    return np.asarray(
        (
            np.sin(1.07 * x + 0.61 * y + 1.3 + seed)
            + np.sin(-0.53 * x + 1.21 * y + 4.1 + 2 * seed)
            + np.sin(0.71 * x - 0.83 * y + 0.7 + 3 * seed)
            + np.sin(1.9 * x + 1.4 * y + 2.2 + 5 * seed) * 0.6
        )
        / 3
    )


def chance(x: Floats, y: Floats, seed: float = 0.0) -> Floats:
    """Return a number from 0 to 1 for each place, without pattern and without state."""
    v = np.sin(x * 12.9898 + y * 78.233 + seed * 37.719) * 43758.5453
    return np.asarray(v - np.floor(v))


def organic(region: BaseGeometry, pitch: float) -> BaseGeometry:
    """Round a union of hexes and let its edge wander a little, never so far that a hex would be in doubt."""
    soft = shapely.segmentize(soften(region, 0.15 * pitch), 0.11 * pitch)

    def moved(xy: Floats) -> Floats:
        u, v = xy[:, 0] * 20 / pitch, xy[:, 1] * 20 / pitch  # the field is tuned for a pitch of 20 mm
        return xy + np.stack([noise(u, v), noise(u, v, 1.7)], axis=1) * 0.026 * pitch

    wandering = shapely.transform(soft, moved)
    return wandering if wandering.is_valid else shapely.make_valid(wandering)


def soften(region: BaseGeometry, reach: float, steps: int = 3) -> BaseGeometry:
    """Cut the corners of all rings at once, each by at most so much along its sides (mm)."""
    polygons = np.array([p for p in shapely.get_parts(region) if p.geom_type == "Polygon"], dtype=object)
    if not len(polygons):
        return region
    rings, of = shapely.get_rings(polygons, return_index=True)
    xy, ring = shapely.get_coordinates(rings, return_index=True)
    last = np.append(ring[1:] != ring[:-1], True)
    xy, ring = xy[~last], ring[~last]  # rings are closed again below
    for step in range(steps):
        first = np.flatnonzero(np.append(True, ring[1:] != ring[:-1]))
        following = np.arange(1, len(xy) + 1)
        following[np.append(first[1:], len(xy)) - 1] = first
        run = xy[following] - xy
        share = np.minimum(0.25, reach / 2**step / np.maximum(np.hypot(*run.T), 1e-9))[:, None]
        xy = np.stack([xy + run * share, xy + run * (1 - share)], axis=1).reshape(-1, 2)
        ring = np.repeat(ring, 2)
    cut = shapely.linearrings(xy, indices=ring)
    own = np.split(cut, np.flatnonzero(np.diff(of)) + 1)  # of each polygon: its shell, then its holes
    return shapely.MultiPolygon([shapely.Polygon(p[0], list(p[1:])) for p in own])


def scatter(region: BaseGeometry, spacing: float, seed: float = 0.0) -> Floats:
    """Return points strewn over a region about `spacing` mm apart, on jittered rows, from top to bottom. (n, 2)."""
    if region.is_empty:
        return np.zeros((0, 2))
    x0, y0, x1, y1 = region.bounds
    # Rows are counted from the sheet's corner, so that a change in one place moves nothing elsewhere.
    columns = np.arange(np.floor(x0 / spacing), np.ceil(x1 / spacing) + 1)
    rows = np.arange(np.floor(y0 / spacing / 0.866), np.ceil(y1 / spacing / 0.866) + 1)
    c, r = np.meshgrid(columns, rows)
    c = c + (r % 2) / 2
    x = (c + (chance(c, r, seed) - 0.5) * 0.6) * spacing
    y = (r + (chance(c, r, seed + 1) - 0.5) * 0.6) * spacing * 0.866
    shapely.prepare(region)
    inside = shapely.contains_xy(region, x, y)
    points = np.stack([x[inside], y[inside]], axis=1)
    return points[np.lexsort((points[:, 0], points[:, 1]))]


def pieces(lines: BaseGeometry, points: int = 12) -> NDArray[np.object_]:
    """Cut lines into runs of at most so many points, so that a tree of them finds what is near without the rest."""
    out = []
    for part in shapely.get_parts(lines):
        xy = shapely.get_coordinates(part)
        out += [shapely.LineString(xy[i : i + points]) for i in range(0, len(xy) - 1, points - 1)]
    return np.array(out, dtype=object)
