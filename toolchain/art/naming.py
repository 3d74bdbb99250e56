"""Where symbols and names stand: each by its own space, off rivers and roads, and off each other where they may stray.

Every name has a list of candidates, best first. All of them are judged at once, by how much of a name leaves its space
or the sheet, crosses a line, or lies on what stands there already; the cheapest wins.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.art.shapes import Floats
from toolchain.art.text import load_font, measure
from toolchain.model.warmap import Point

# Inside a space, as shares of the pitch from its middle, y down: the middle of the symbols and of the name's capitals.
INSIDE: tuple[tuple[float, float], ...] = (
    (-0.1, 0.135),
    (-0.05, 0.19),
    (-0.16, 0.07),
    (0.12, -0.12),
    (0.16, -0.07),
    (0.06, -0.19),
    (-0.02, 0.27),
    (-0.2, 0.0),
    (0.02, -0.25),
)
SIDEWAYS = (0.0, -0.06, 0.06, -0.11, 0.11)
FARTHER = (-0.2, 0.2, -0.28, 0.28)  # for short names, off a road that runs through their space
# Beside a symbol that stands in the middle: which way the name lies, and what that costs.
BESIDE = ((1, 0, 0.0), (1, -1, 0.5), (1, 1, 0.6), (0, 1, 0.9), (0, -1, 1.0), (-1, 0, 1.1), (-1, -1, 1.6), (-1, 1, 1.7))
SAMPLE = 0.06  # of the pitch, how closely lines are sampled
SYMBOL = 0.4  # what a symbol on a line costs, beside a name: towns lie on roads
LEADING = 0.92


@dataclass(frozen=True)
class Wording:
    """A name set in one or two lines: its size, the width of its widest line and the height of the whole, mm."""

    lines: tuple[str, ...]
    size: float
    width: float
    height: float


@dataclass(frozen=True)
class Request:
    """A name that wants a place, with the symbols above it.

    at: middle of the space. corners: of its outline, which is convex; empty for one without extent. size, least: of the
    type, mm. row, tall: width and height of the symbols, 0 for none. pad: to be kept free at either side, mm.
    beyond: the name may leave its space.
    """

    text: str
    at: Point
    corners: tuple[Point, ...]
    font: str
    size: float
    least: float
    row: float
    tall: float
    pad: float
    beyond: bool = False


@dataclass(frozen=True)
class Spot:
    """Where one name and its symbols stand: middle of the symbols, middle of the name, and how the name is set."""

    symbols: Point
    name: Point
    wording: Wording
    fits: bool


@lru_cache(maxsize=65536)
def _width(text: str, font: str) -> float:
    return measure(text, font, 1.0)  # widths grow in proportion to the size


def word(text: str, font: str, full: float, least: float, room: float) -> tuple[Wording, bool]:
    """Set a name as large as it fits: in one line, else in two, else smaller; and tell whether it fits.

    full, least: sizes of type, mm. room: the width that is free, mm.
    """
    cap = load_font(font).cap_height

    def of(lines: tuple[str, ...], size: float) -> Wording:
        widest = max(_width(line, font) for line in lines) * size
        return Wording(lines, size, widest, cap * size + (len(lines) - 1) * size * LEADING)

    one = of((text,), full)
    if one.width <= room:
        return one, True
    shrunk = full * room / one.width
    if shrunk >= 0.86 * full:
        return of((text,), shrunk), True
    broken = [of(pair, full) for pair in _breaks(text)]
    if broken:
        best = min(broken, key=lambda w: w.width)
        size = min(full * 0.94, full * room / best.width)
        if size > shrunk:
            return of(best.lines, max(size, least)), size >= least
    return of((text,), max(shrunk, least)), shrunk >= least


def _breaks(name: str) -> list[tuple[str, str]]:
    out = []
    for i, ch in enumerate(name):
        if ch == " ":
            out.append((name[:i], name[i + 1 :]))
        elif ch in "-–/" and 0 < i < len(name) - 1:
            out.append((name[: i + 1], name[i + 1 :]))
    return out


def width_at(corners: Sequence[Point], y: float) -> float:
    """Return how wide a convex shape is at a height, mm."""
    xy = np.array(corners)
    a, b = xy, np.roll(xy, -1, axis=0)
    over = (a[:, 1] > y) != (b[:, 1] > y)
    if over.sum() < 2:
        return 0.0
    a, b = a[over], b[over]
    x = a[:, 0] + (b[:, 0] - a[:, 0]) * (y - a[:, 1]) / (b[:, 1] - a[:, 1])
    return float(x.max() - x.min())


@lru_cache(maxsize=1024)
def _rooms(shape: tuple[Point, ...], heights: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(min(width_at(shape, h) for h in (y, y + 1e-6)) for y in heights)


@lru_cache(maxsize=1024)
def _planes(corners: tuple[Point, ...]) -> tuple[Floats, Floats]:
    """Return a convex shape as outward normals (n, 2) and how far each side lies out (n,)."""
    xy = np.array(corners)
    run = np.roll(xy, -1, axis=0) - xy
    normals = np.stack([run[:, 1], -run[:, 0]], axis=1) / np.maximum(np.hypot(*run.T), 1e-9)[:, None]
    out = (normals * xy).sum(axis=1)
    inward = (normals @ xy.mean(axis=0)) > out
    normals[inward], out[inward] = -normals[inward], -out[inward]
    return normals, out


@dataclass
class Placer:
    """Finds places for names, one after the other.

    pitch: of the grid, mm. frame: left, top, right, bottom of the part of the sheet that is printed. lines: what names
    should not cross, each with what a millimetre costs at a pitch of one. blocks: left, top, right, bottom of what
    stands there already, (n, 4), and what lying on it costs.
    """

    pitch: float
    frame: tuple[float, float, float, float]
    lines: Sequence[tuple[BaseGeometry, float]] = ()
    blocks: Floats = field(default_factory=lambda: np.zeros((0, 4)))
    block_cost: float = 500.0

    def __post_init__(self) -> None:
        points, costs = [np.zeros((0, 2))], [np.zeros(0)]
        for geometry, cost in self.lines:
            if not geometry.is_empty:
                xy = shapely.get_coordinates(shapely.segmentize(geometry, SAMPLE * self.pitch))
                points.append(xy)
                costs.append(np.full(len(xy), cost * SAMPLE))
        self._samples, self._costs = np.concatenate(points), np.concatenate(costs)
        self._tree = shapely.STRtree(shapely.points(self._samples))
        self._taken, self._count = np.zeros((64, 4)), 0

    def place(self, requests: Sequence[Request]) -> list[Spot]:
        """Place names in the order given; later ones keep off earlier ones where either may leave its space."""
        near = self._near(requests)
        return [self._place(r, n) for r, n in zip(requests, near, strict=True)]

    def _near(self, requests: Sequence[Request]) -> list[Floats]:
        """Return for each request the samples of lines near it, as indices."""
        if not requests or not len(self._samples):
            return [np.zeros(0, dtype=int)] * len(requests)
        at = np.array([r.at for r in requests])
        reach = np.array([0.7 * self.pitch + (_width(r.text, r.font) * r.size if r.beyond else 0) for r in requests])
        boxes = shapely.box(at[:, 0] - reach, at[:, 1] - reach, at[:, 0] + reach, at[:, 1] + reach)
        of, sample = self._tree.query(boxes)
        order = np.lexsort((sample, of))
        return np.split(sample[order], np.searchsorted(of[order], np.arange(1, len(requests))))

    def _place(self, r: Request, near: Floats) -> Spot:
        found = _candidates(r, self.pitch, (*SIDEWAYS, *FARTHER) if len(near) else SIDEWAYS)
        at, cost = np.array(r.at), found.costs
        half = found.halves + np.array([0.2 * r.pad, 0.02 * self.pitch])
        middle, icon_middle = found.names + at, found.symbols + at
        icon_half = np.array([[r.row / 2, r.tall / 2]])
        boxes = np.concatenate([middle - half, middle + half], axis=1)
        icons = np.concatenate([icon_middle - icon_half, icon_middle + icon_half], axis=1)
        cost = cost + self._outside(r, middle, half)
        if r.row:
            cost += self._outside(r, icon_middle, icon_half)
        if len(near):
            p, w = self._samples[near], self._costs[near]
            apart = np.array([-1, -1, 1, 1]) * 0.035 * self.pitch
            cost += _inside(boxes + apart, p) @ w
            if r.row:
                cost += SYMBOL * (_inside(icons + apart, p) @ w)
        stood = self._taken[: self._count]
        for taken, price in ((self.blocks, self.block_cost), (stood, 2500.0)) if r.beyond else ():
            if len(taken):
                around = _overlaps(np.array([[*boxes[:, :2].min(0), *boxes[:, 2:].max(0)]]), taken)[0] > 0
                own = (icon_middle[0] >= taken[:, :2]).all(1) & (icon_middle[0] <= taken[:, 2:]).all(1)
                cost += _overlaps(boxes, taken[around & ~own]).sum(axis=1) * price / self.pitch**2
        i = int(np.argmin(cost))
        self.reserve(np.stack([boxes[i], icons[i]] if r.row else [boxes[i]]))
        symbols, name = icon_middle[i].tolist(), middle[i].tolist()
        return Spot((symbols[0], symbols[1]), (name[0], name[1]), *found.wordings[found.which[i]])

    def reserve(self, boxes: Floats) -> None:
        """Keep names that may leave their spaces off these boxes (n, 4), such as symbols of places still to come."""
        while self._count + len(boxes) > len(self._taken):
            self._taken = np.concatenate([self._taken, np.zeros_like(self._taken)])
        self._taken[self._count : self._count + len(boxes)] = boxes
        self._count += len(boxes)

    def _outside(self, r: Request, middle: Floats, half: Floats) -> Floats:
        """Return what it costs that a box leaves its space, or the sheet."""
        half = np.broadcast_to(half, middle.shape)
        left, top, right, bottom = self.frame
        out = np.maximum(left - (middle - half)[:, 0], 0) + np.maximum((middle + half)[:, 0] - right, 0)
        out = out + np.maximum(top - (middle - half)[:, 1], 0) + np.maximum((middle + half)[:, 1] - bottom, 0)
        cost = np.asarray(out * 400 / self.pitch)
        if len(r.corners) > 2 and not r.beyond:
            normals, far = _planes(_relative(r))
            over = (middle - np.array(r.at)) @ normals.T + half @ np.abs(normals).T - (far - 0.035 * self.pitch)
            cost = cost + np.maximum(over, 0).sum(axis=1) * 150 / self.pitch
        return cost


def _relative(r: Request) -> tuple[Point, ...]:
    """Return the outline seen from its middle, by which all hexes of a map are one."""
    return tuple((round(x - r.at[0], 3), round(y - r.at[1], 3)) for x, y in r.corners)


@dataclass(frozen=True)
class _Candidates:
    """Places for one name: middles of its symbols and of the name from the middle of the space, and half its size.

    All (n, 2), mm; costs (n,): what each costs before anything else is asked. which: the wording of each.
    """

    symbols: Floats
    names: Floats
    halves: Floats
    costs: Floats
    which: NDArray[np.int64]
    wordings: Sequence[tuple[Wording, bool]]


@lru_cache(maxsize=256)
def _inside_places(tall: float, pitch: float, alone: bool) -> tuple[tuple[float, float], ...]:
    """Return the heights of symbols and name for every place inside a space. tall: of the symbols, mm."""
    more = max(tall / 2 - 0.1 * pitch, 0.0) / 2  # what a symbol is higher than usual
    places = [(iy * pitch, ny * pitch * (0.55 if alone else 1)) for iy, ny in INSIDE]
    return tuple((iy - math.copysign(more, ny), ny + math.copysign(more, ny)) for iy, ny in places)


def _candidates(r: Request, pitch: float, sideways: Sequence[float]) -> _Candidates:
    relative = _relative(r)
    cap = load_font(r.font).cap_height / 2 * r.size
    places = _inside_places(r.tall, pitch, not r.row)
    rooms = _rooms(relative, tuple(abs(ny) + cap for _, ny in places)) if len(relative) > 2 else ()
    wordings = [
        word(r.text, r.font, r.size, r.least, rooms[n] - 2 * r.pad if rooms else 4 * pitch) for n in range(len(places))
    ]
    # Two lines grow away from the symbols.
    name_y = [
        ny + math.copysign((len(w.lines) - 1) * 0.4 * w.size, ny)
        for (_, ny), (w, _) in zip(places, wordings, strict=True)
    ]
    rows = np.array(
        [
            (iy, y, w.width / 2, w.height / 2, n * 0.35 + (r.size / w.size - 1) * 4 + 40 * (not fits))
            for n, ((iy, _), y, (w, fits)) in enumerate(zip(places, name_y, wordings, strict=True))
        ]
    )
    dx = np.tile(np.array(sideways) * pitch, len(rows))
    each = np.repeat(rows, len(sideways), axis=0)
    symbols, names, halves = np.stack([dx, each[:, 0]], 1), np.stack([dx, each[:, 1]], 1), each[:, 2:4]
    costs, which = each[:, 4] + np.abs(dx) * 9 / pitch, np.repeat(np.arange(len(rows)), len(sideways))
    if r.beyond:
        wording, _ = word(r.text, r.font, r.size, r.least, math.inf)
        across = max(r.row, 0.1 * pitch) / 2 + 0.05 * pitch + wording.width / 2
        along = max(r.tall, 0.1 * pitch) / 2 + 0.04 * pitch + wording.height / 2
        diagonal = max(r.row, 0.1 * pitch) / 4 + wording.width / 2
        own = np.array([(right * (diagonal if down else across), down * along) for right, down, _ in BESIDE])
        names, symbols = np.concatenate([names, own]), np.concatenate([symbols, np.zeros_like(own)])
        size = np.broadcast_to((wording.width / 2, wording.height / 2), own.shape)
        halves, costs = np.concatenate([halves, size]), np.append(costs, [0.8 + cost for _, _, cost in BESIDE])
        which, wordings = np.append(which, [len(wordings)] * len(own)), [*wordings, (wording, True)]
    return _Candidates(symbols, names, halves, costs, which, wordings)


def _inside(boxes: Floats, points: Floats) -> Floats:
    x, y = points[:, 0], points[:, 1]
    inside = (boxes[:, 0:1] < x) & (x < boxes[:, 2:3]) & (boxes[:, 1:2] < y) & (y < boxes[:, 3:4])
    return inside.astype(float)


def _overlaps(boxes: Floats, others: Floats) -> Floats:
    """Return the area that each of the boxes (n, 4) shares with each of the others (m, 4), as (n, m)."""
    w = np.minimum(boxes[:, None, 2], others[None, :, 2]) - np.maximum(boxes[:, None, 0], others[None, :, 0])
    h = np.minimum(boxes[:, None, 3], others[None, :, 3]) - np.maximum(boxes[:, None, 1], others[None, :, 1])
    return np.asarray(np.maximum(w, 0) * np.maximum(h, 0))
