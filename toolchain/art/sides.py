"""Hexsides that matter, other than rivers: bars, borders, canals, cliffs, walls, shoals; bridges and straits across."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.art.links import head
from toolchain.art.marks import Group, Mark, Paint, Path, num, polygon, polyline
from toolchain.art.rivers import GAIN, chains, edge
from toolchain.model.warmap import Hexside, Point
from toolchain.sources.decode.mapstyle import HexsideStyle, MapStyle

Ends = tuple[Point, Point]

ACROSS = ("bridge", "arrow")  # these lie across their hexside, and over everything else


def hexside_style(style: MapStyle, kind: str, name: str = "") -> HexsideStyle:
    """Return the look of a kind of hexside, or of a name that has its own; unknown kinds are plain dark lines."""
    base = style.hexside.get(kind, HexsideStyle())
    for special in style.named:
        if special.kind == kind and name in special.names:
            return base.model_copy(update={"colour": special.colour, "width": special.width, "title": special.title})
    return base


def side_marks(
    hexsides: Sequence[Hexside],
    style: MapStyle,
    pitch: float,
    *,
    across: bool,
    lanes: Mapping[frozenset[str], float] | None = None,
) -> Group:
    """Draw hexsides of every kind but rivers. across: those that lie across their side, else those along it.

    lanes: what leads over a side, where it is wider than a bridge, mm, by the keys of its two spaces.
    """
    marks: list[Mark] = []
    for kind in sorted({k for h in hexsides for k in h.kinds}):
        look = hexside_style(style, kind)
        if look.draw not in ("none", "river") and not look.layer and (look.draw in ACROSS) == across:
            sides = [h for h in hexsides if kind in h.kinds]
            straight = [h.ends for h in sides if not h.line]
            bent = [h.line for h in sides if h.line]
            wide = {h.ends: w for h in sides if (w := (lanes or {}).get(frozenset((h.a, h.b)))) is not None}
            marks += draw_sides(look, straight, pitch, style.sheet.paper, bent, wide)
    return Group(tuple(marks), layer="Crossings" if across else "Hexsides")


def crossing_areas(hexsides: Sequence[Hexside], style: MapStyle, pitch: float) -> list[BaseGeometry]:
    """Return where bridges and arrows lie across their hexsides, for letters to keep off."""
    across = [h for h in hexsides if any(hexside_style(style, k).draw in ACROSS for k in h.kinds)]
    return [shapely.Point(_frame(*h.ends)[0]).buffer(0.15 * pitch, quad_segs=2) for h in across]


def draw_sides(
    look: HexsideStyle,
    sides: Sequence[Ends],
    pitch: float,
    paper: str,
    bent: Sequence[Sequence[Point]] = (),
    wide: Mapping[Ends, float] | None = None,
) -> list[Mark]:
    """Draw hexsides of one kind. sides: their ends. bent: how sides that are not straight run. pitch: mm.

    wide: how much what leads over a bridge needs, mm, by the ends of its side.
    """
    width = look.width * pitch
    if look.draw == "bridge":
        needs = wide or {}
        return [m for s in sides for m in _bridge(*s, look, max(width, needs.get(s, 0) * 1.15), pitch, paper)]
    if look.draw in ACROSS:
        return [m for a, b in sides for m in _arrow(a, b, look, width, pitch, paper)]
    if look.draw == "summits":
        return [m for a, b in sides for m in _summits(a, b, look, width)]
    if look.draw == "bar":
        runs = [_inset(s, 0.06) for s in sides]
    else:
        runs = [[(x / GAIN, y / GAIN) for x, y in chain] for chain in chains({edge(s) for s in sides})]
    runs += [list(line) for line in bent]
    data = "".join(polyline(run) for run in runs)
    return _along(look, data, width, pitch, paper)


def _along(look: HexsideStyle, data: str, width: float, pitch: float, paper: str) -> list[Mark]:
    def stroke(colour: str, wide: float, dash: tuple[float, ...] = (), cap: str = "", opacity: float = 1.0) -> Path:
        cap = cap or ("butt" if dash else "round")
        return Path(data, Paint(stroke=colour, width=wide, dash=dash, cap=cap, join="round", opacity=opacity))

    if look.draw == "shoal":
        band = look.edge or paper
        dots = [
            stroke(look.colour, w * pitch, (0.0, gap * pitch), "round") for w, gap in ((0.034, 0.061), (0.016, 0.043))
        ]
        return [stroke(band, width, opacity=0.55), *dots]
    if look.draw == "canal":
        casing = [stroke(look.edge, width + 0.5, opacity=0.8)] if look.edge else []
        ticks = stroke(look.colour, width * 1.5, (0.014 * pitch, 0.12 * pitch), opacity=0.9)
        return [*casing, ticks, stroke(look.colour, width), stroke(look.edge or paper, width * 0.36)]
    if look.draw == "wall":
        thick = stroke(look.colour, width, (0.55 * width, 0.55 * width))
        return [stroke(look.edge or paper, width + 0.5, opacity=0.8), thick, stroke(look.colour, 0.45 * width)]
    if look.draw == "cliff":
        teeth = stroke(look.colour, 0.11 * pitch, (0.014 * pitch, 0.035 * pitch))
        return [teeth, stroke(look.colour, width)]
    dash = {"dash": (width * 2.4, width * 1.2), "dots": (0.0, width * 1.9)}.get(look.draw, ())
    casing = [stroke(look.edge, width + 0.5, opacity=0.9)] if look.edge else []
    return [*casing, stroke(look.colour, width, dash, "round" if look.draw == "dots" else "")]


def _inset(ends: Ends, share: float) -> list[Point]:
    (x0, y0), (x1, y1) = ends
    dx, dy = (x1 - x0) * share, (y1 - y0) * share
    return [(x0 + dx, y0 + dy), (x1 - dx, y1 - dy)]


def _frame(a: Point, b: Point) -> tuple[Point, Point, Point]:
    """Return the middle of a side, the way along it and the way across it."""
    length = math.dist(a, b) or 1.0
    along = (b[0] - a[0]) / length, (b[1] - a[1]) / length
    return ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2), along, (-along[1], along[0])


def _bridge(a: Point, b: Point, look: HexsideStyle, width: float, pitch: float, paper: str) -> list[Mark]:
    """Draw a bridge: a deck across the water between two parapets whose ends turn outward."""
    (x, y), (ax, ay), (cx, cy) = _frame(a, b)
    half, turn, long = width / 2, width * 0.32, 0.1 * pitch

    def at(along: float, across: float) -> Point:
        return x + ax * along + cx * across, y + ay * along + cy * across

    deck = polygon([at(-half, -long), at(half, -long), at(half, long), at(-half, long)])
    rails = "".join(
        polyline([at(s * (half + turn), -long - turn), at(s * half, -long), at(s * half, long)])
        + f"L{' '.join(num(v) for v in at(s * (half + turn), long + turn))}"
        for s in (-1, 1)
    )
    line = Paint(stroke=look.colour, width=0.024 * pitch, cap="round", join="round")
    halo = Paint(stroke=paper, width=0.06 * pitch, cap="round", join="round", opacity=0.8)
    return [Path(rails, halo), Path(deck, Paint(fill=look.edge or paper)), Path(rails, line)]


def _arrow(a: Point, b: Point, look: HexsideStyle, width: float, pitch: float, paper: str) -> list[Mark]:
    """Draw a double arrow across a side."""
    (x, y), _, (cx, cy) = _frame(a, b)
    far, size = 0.2 * pitch, 0.1 * pitch
    tips = [(x + cx * far * s, y + cy * far * s) for s in (-1, 1)]
    shaft = polyline([(x - cx * far, y - cy * far), (x + cx * far, y + cy * far)])
    heads = head(tips[0], (-cx, -cy), size) + head(tips[1], (cx, cy), size)
    return [
        Path(shaft, Paint(stroke=paper, width=width + 0.03 * pitch, cap="round")),
        Path(heads, Paint(fill=paper, stroke=paper, width=0.03 * pitch, join="round")),
        Path(shaft, Paint(stroke=look.colour, width=width)),
        Path(heads, Paint(fill=look.colour)),
    ]


def _summits(a: Point, b: Point, look: HexsideStyle, width: float) -> list[Mark]:
    """Set a chain of summits on a side, each upright and lit from the left."""
    length = math.dist(a, b)
    n = max(2, round(length / (0.95 * width)))
    places = sorted(((a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t) for t in ((i + 0.5) / n for i in range(n))),
                    key=lambda p: p[1])  # fmt: skip
    marks: list[Mark] = []
    for i, (x, y) in enumerate(places):
        h, w = width * (0.9 if i % 2 else 1.05), width * 0.58
        foot, top = y + 0.42 * h, (x + 0.04 * w, y - 0.58 * h)
        marks += [
            Path(polygon([(x - w, foot), top, (x + w, foot)]), Paint(fill="#ffffff")),
            Path(polygon([top, (x + w, foot), (x + 0.1 * w, foot), (x - 0.08 * w, y), (x + 0.14 * w, y - 0.25 * h)]),
                 Paint(fill=look.edge or look.colour)),
            Path(polyline([(x - w, foot), top, (x + w, foot)]),
                 Paint(stroke=look.colour, width=0.09 * width, join="round", cap="round")),
        ]  # fmt: skip
    return marks
