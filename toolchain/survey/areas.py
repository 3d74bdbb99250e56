"""Which part of every hex each class of ground covers, exactly.

The method is the one by which font renderers find how much of a pixel a glyph covers, on hexes. The plane is cut into
upright strips half a side wide, so that inside a strip every hex is bounded by one straight line above and one below.
Every edge of a polygon then counts, for each hex that it crosses, the part of the hex on the near side of the edge,
and for all hexes nearer still their whole width; edges that run rightward count as positive and those that run
leftward as negative, and what is left when a ring has closed is its area. Time grows with vertices, crossings and
hexes, each by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.model.hexes import SQRT3, Floats, HexGrid, Ints
from toolchain.survey.rulings import Cover, Rulings, repeat


@dataclass(frozen=True)
class _Pieces:
    """Pieces of edges, each inside one strip: x from left to right, y at both ends, sign, class, strip."""

    left: Floats
    right: Floats
    y_left: Floats
    y_right: Floats
    sign: Floats
    kind: Ints
    strip: Ints


def area_shares(grid: HexGrid, grounds: Sequence[BaseGeometry]) -> Floats:
    """Measure the share of every hex that each ground covers.

    grounds: one valid geometry for each class, in sheet millimetres; all but areas is ignored. Returns shape
    (cells, grounds), in the order of `grid.cells`, exact to rounding. Where grounds overlap each counts in full.
    """
    # A pointy-topped grid is a flat-topped one with the axes exchanged.
    flat = grid.orientation == "flat"
    columns, rows = (grid.columns, grid.rows) if flat else (grid.rows, grid.columns)
    x0, y0 = grid.origin if flat else grid.origin[::-1]
    height, strip = grid.pitch, grid.pitch / SQRT3 / 2
    start = x0 - 2 * strip
    shift = height / 2 if grid.low == "odd" else -height / 2
    tops = np.asarray(y0 + shift * (np.arange(columns) & 1), dtype=np.float64)

    pieces = _cut(_slanted(edges_of(grounds), not flat), start, strip)
    which, column, half_left, half_right = _in_columns(pieces, columns, start, strip, height / 2)
    area = _accumulate(pieces, which, column, half_left, half_right, tops, height, rows, len(grounds))
    if not flat:
        area = area.transpose(1, 0, 2)
    return np.asarray(area.reshape(columns * rows, len(grounds)) / grid.area)


def inside_at_centres(grid: HexGrid, ground: BaseGeometry) -> NDArray[np.bool_]:
    """Tell which hexes have their centre in a ground, shape (cells,). ground: valid, in sheet millimetres."""
    rulings = Rulings(grid)
    ruling = rulings.centres[0]
    line, place = rulings.place(ruling, grid.centres(grid.cells))
    return Cover(ruling, *edges_of([ground])[:2]).inside(line, place)


def edges_of(grounds: Sequence[BaseGeometry]) -> tuple[Floats, Floats, Ints]:
    """Return start and end of every edge of areas, shape (n, 2), and the place of its area in `grounds`.

    All outer rings run clockwise on paper with y up, holes the other way, so that edges of larger y run rightward.
    """
    parts, kind = shapely.get_parts(np.asarray(grounds, dtype=object), return_index=True)
    areal = shapely.get_type_id(parts) == 3
    parts, kind = shapely.orient_polygons(parts[areal], exterior_cw=True), kind[areal]
    rings, part = shapely.get_rings(parts, return_index=True)
    points, ring = shapely.get_coordinates(rings, return_index=True)
    joined = np.flatnonzero(ring[1:] == ring[:-1])
    return points[joined], points[joined + 1], kind[part[ring[joined]]]


def _slanted(edges: tuple[Floats, Floats, Ints], swap: bool) -> tuple[Floats, Floats, Floats, Ints]:
    """Return both ends of every edge from left to right, its sign and its class; upright edges count nothing."""
    a, b, kinds = edges
    if swap:
        a, b = a[:, ::-1], b[:, ::-1]
    slanted = a[:, 0] != b[:, 0]
    a, b, kinds = a[slanted], b[slanted], kinds[slanted]
    rightward = (b[:, 0] > a[:, 0])[:, None]
    sign = np.where(rightward[:, 0] != swap, 1.0, -1.0)
    return np.where(rightward, a, b), np.where(rightward, b, a), sign, kinds


def _cut(edges: tuple[Floats, Floats, Floats, Ints], start: float, strip: float) -> _Pieces:
    """Cut edges where they cross from strip to strip; strip 0 begins at x = start."""
    a, b, sign, kind = edges
    first = np.floor((a[:, 0] - start) / strip).astype(np.int64)
    last = np.floor((b[:, 0] - start) / strip).astype(np.int64)
    edge, nth = repeat(last - first + 1)
    number = first[edge] + nth
    edge_left = start + strip * number
    left = np.maximum(a[edge, 0], edge_left)
    right = np.minimum(b[edge, 0], edge_left + strip)
    # Parts of the run, not a slope: an edge may be almost upright.
    run, rise = (b[:, 0] - a[:, 0])[edge], (b[:, 1] - a[:, 1])[edge]
    y_left = a[edge, 1] + rise * ((left - a[edge, 0]) / run)
    y_right = a[edge, 1] + rise * ((right - a[edge, 0]) / run)
    keep = right > left
    return _Pieces(
        left[keep], right[keep], y_left[keep], y_right[keep], sign[edge][keep], kind[edge][keep], number[keep]
    )


def _in_columns(p: _Pieces, columns: int, start: float, strip: float, half: float) -> tuple[Ints, Ints, Floats, Floats]:
    """Say for every piece in which column of hexes it lies and how high the hexes are there.

    A column owns three strips by itself or shared: in the first its hexes open while those of the column before close,
    in the other two they stand at full height. Returns piece, column, and half the height at both ends of the piece.
    """
    column, place = np.divmod(p.strip, 3)
    from_left = (p.left - start) / strip - p.strip
    from_right = (p.right - start) / strip - p.strip
    full = np.flatnonzero(place > 0)
    shared = np.flatnonzero(place == 0)
    which = np.concatenate([full, shared, shared])
    where = np.concatenate([column[full], column[shared], column[shared] - 1])
    height_left = np.concatenate([np.ones(len(full)), from_left[shared], 1 - from_left[shared]]) * half
    height_right = np.concatenate([np.ones(len(full)), from_right[shared], 1 - from_right[shared]]) * half
    on = (where >= 0) & (where < columns)
    return which[on], where[on], height_left[on], height_right[on]


def _accumulate(
    p: _Pieces,
    which: Ints,
    column: Ints,
    half_left: Floats,
    half_right: Floats,
    tops: Floats,
    height: float,
    rows: int,
    kinds: int,
) -> Floats:
    """Add up the signed parts of hexes above each piece, shape (columns, rows, kinds). tops: y of row 0."""
    width, sign, kind = (p.right - p.left)[which], p.sign[which], p.kind[which]
    y_left, y_right = p.y_left[which] - tops[column], p.y_right[which] - tops[column]
    first = np.floor(np.minimum(y_left, y_right) / height + 0.5)
    last = np.floor(np.maximum(y_left, y_right) / height + 0.5)
    first = np.clip(first, 0, rows).astype(np.int64)
    last = np.clip(last, -1, rows - 1).astype(np.int64)

    # Hexes of the rows before `first` lie whole above the piece.
    shape = (len(tops), rows + 1, kinds)
    whole = np.bincount(
        np.ravel_multi_index((column, first, kind), shape),
        sign * (half_left + half_right) * width,
        minlength=shape[0] * shape[1] * shape[2],
    ).reshape(shape)
    area = whole[:, :0:-1].cumsum(axis=1)[:, ::-1]

    # Those from `first` to `last` are cut by it.
    i, nth = repeat(last - first + 1)
    row = first[i] + nth
    low_left, low_right = y_left[i] - row * height, y_right[i] - row * height
    cut = _positive(low_left + half_left[i], low_right + half_right[i]) - _positive(
        low_left - half_left[i], low_right - half_right[i]
    )
    shape = (len(tops), rows, kinds)
    part = np.bincount(
        np.ravel_multi_index((column[i], row, kind[i]), shape),
        sign[i] * width[i] * cut,
        minlength=shape[0] * shape[1] * shape[2],
    )
    return np.asarray(area + part.reshape(shape))


def _positive(a: Floats, b: Floats) -> Floats:
    """Return the mean of max(f, 0) where f runs straight from a to b."""
    above = (np.maximum(a, 0) + np.maximum(b, 0)) / 2
    mixed = (a > 0) != (b > 0)
    # Only the part of the run where f is positive counts.
    return np.asarray(above * np.where(mixed, 2 * above / np.where(mixed, np.abs(a - b), 1.0), 1.0))
