"""Hex numbers: small, under the upper edge, lower where a river runs there, and on the part of a hex that shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.art.lettering import Letters
from toolchain.art.marks import Group, Mark, Paint
from toolchain.art.shapes import Floats, pieces
from toolchain.art.text import load_font
from toolchain.model.warmap import Space
from toolchain.sources.decode.mapstyle import MapStyle

SIZE = 0.085  # of the type, as a share of the pitch
WIDE = 0.13  # half the width that is kept for a number
# Where else the middle of a number may stand in a hex that the sheet cuts, as shares of the pitch: best first.
ELSEWHERE = ((0.0, 0.4), (0.0, -0.2), (0.0, 0.2), (0.0, 0.0), (0.2, -0.3), (-0.2, -0.3), (0.2, 0.0), (-0.2, 0.0),
             (0.33, 0.0), (-0.33, 0.0), (0.2, 0.3), (-0.2, 0.3))  # fmt: skip


@dataclass(frozen=True)
class NumberPlaces:
    """Where hex numbers stand: the spaces that have one, and left, top, right and bottom of each (n, 4), mm."""

    spaces: tuple[Space, ...]
    boxes: Floats

    @property
    def areas(self) -> NDArray[np.object_]:
        """The boxes as geometries."""
        return np.asarray(shapely.box(*self.boxes.T), dtype=object)


def place_numbers(
    spaces: Sequence[Space],
    pitch: float,
    flat: bool,
    rivers: BaseGeometry,
    frame: tuple[float, float, float, float] | None = None,
    roads: BaseGeometry | None = None,
) -> NumberPlaces:
    """Find the places of hex numbers: a little lower where a river runs, beside a road that runs up through them.

    frame: left, top, right and bottom of what is printed; a hex that it cuts bears its number in the part that shows,
    or none if that is too small. Such a hex bears it even where units may not enter, if all whole hexes are open.
    """
    hexes = [s for s in spaces if s.label and s.kind == "hex"]
    at = np.array([s.at for s in hexes]).reshape(-1, 2)
    cap = load_font("sans").cap_height * SIZE * pitch
    half = np.array([WIDE * pitch, cap / 2])
    cut = np.zeros(len(hexes), dtype=bool)
    if frame is not None and hexes:
        corners = _bounds(hexes)
        over = np.concatenate([np.array(frame[:2]) - corners[:, :2], corners[:, 2:] - np.array(frame[2:])], axis=1)
        cut = np.asarray((over > 0.01).any(axis=1))
    open_ = np.array([s.enterable for s in hexes], dtype=bool)
    shown = open_ | (cut & open_[~cut].all())
    middle = at + np.array([0.0, -(0.43 if flat else 0.36) * pitch + cap / 2])
    if frame is not None:
        within = np.array(frame) + np.array([1, 1, -1, -1]) * 0.025 * pitch

        def fits(m: Floats) -> NDArray[np.bool_]:
            return np.asarray(((m - half) >= within[:2]).all(1) & ((m + half) <= within[2:]).all(1))

        lost = ~fits(middle)
        for dx, dy in ELSEWHERE:
            there = at + np.array([dx, dy]) * pitch
            moved = lost & fits(there)
            middle[moved] = there[moved]
            lost &= ~moved
        shown &= ~lost
    middle, numbered = middle[shown], tuple(s for s, yes in zip(hexes, shown.tolist(), strict=True) if yes)
    tree = shapely.STRtree(pieces(rivers))
    boxes = np.concatenate([middle - half, middle + half], axis=1)
    crossed = np.unique(tree.query(shapely.box(*boxes.T), "dwithin", 0.05 * pitch)[0])
    boxes[crossed] += np.array([0, 0.06, 0, 0.06]) * pitch
    if roads is not None and not roads.is_empty and len(boxes):
        lines = shapely.STRtree(pieces(roads))

        def free(there: Floats) -> NDArray[np.bool_]:
            out = np.ones(len(there), dtype=bool)
            out[lines.query(shapely.box(*there.T), "dwithin", 0.015 * pitch)[0]] = False
            return out

        left = ~free(boxes)
        for dx in (-0.17, 0.17, -0.215, 0.215):
            there = boxes + np.array([dx, 0, dx, 0]) * pitch
            moved = left & free(there)
            boxes[moved] = there[moved]
            left &= ~moved
    return NumberPlaces(numbered, boxes)


def _bounds(hexes: Sequence[Space]) -> Floats:
    """Return left, top, right and bottom of each hex, (n, 4)."""
    corners = np.array([p for s in hexes for p in s.outline])
    starts = np.cumsum([0] + [len(s.outline) for s in hexes[:-1]])
    return np.concatenate([np.minimum.reduceat(corners, starts), np.maximum.reduceat(corners, starts)], axis=1)


def number_marks(places: NumberPlaces, style: MapStyle, pitch: float, letters: Letters) -> Group:
    """Print hex numbers in their places."""
    marks: list[Mark] = []
    for s, (left, _, right, bottom) in zip(places.spaces, places.boxes.tolist(), strict=True):
        wet = s.terrain in style.water.terrain
        paint = Paint(fill=style.grid.on_water if wet else style.grid.number)
        marks += letters.line(s.label, "sans", SIZE * pitch, (left + right) / 2, bottom, paint)
    return Group(tuple(marks), layer="Numbers")
