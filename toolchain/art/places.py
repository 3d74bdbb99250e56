"""Symbols and names of places: the larger the place the bolder its name."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.art.lettering import DRAWN_AT, Letters
from toolchain.art.marks import Group, Mark, Paint, Path, rectangle
from toolchain.art.naming import LEADING, Placer, Request, Spot
from toolchain.art.ornaments import TEXT_INSIDE, symbol_marks
from toolchain.art.shapes import Floats
from toolchain.art.text import load_font, missing_glyphs
from toolchain.art.tints import feature_styles
from toolchain.catalogue import NAME_GLYPH, NAME_TOO_WIDE
from toolchain.model.warmap import Point, Space, WarMap
from toolchain.report import Location, Report
from toolchain.sources.decode.mapstyle import FeatureStyle, FontName, MapStyle

ICON = 0.2  # size of a place symbol, as a share of the pitch
LARGER = {"works": 1.15, "landing": 1.45}
GAP = 0.035
BESIDE = 0.12  # size of the text beside a symbol
CROSSED = 84.0  # what a millimetre of river under a name costs, at a pitch of one
ROAD = 60.0


@dataclass(frozen=True)
class _Place:
    """One space with what is drawn of it: symbols with their text and size (mm), and the type of its name."""

    space: Space
    icons: tuple[tuple[FeatureStyle, str, float], ...]
    font: FontName
    size: float
    ink: str
    text: str
    plate: str
    edge: str
    round: bool


def place_marks(
    warmap: WarMap,
    spaces: Sequence[Space],
    style: MapStyle,
    pitch: float,
    lines: Sequence[tuple[BaseGeometry, float]],
    frame: tuple[float, float, float, float],
    numbers: Floats,
    shore: Mapping[str, float],
    letters: Letters,
    report: Report,
) -> tuple[Group, Group, tuple[BaseGeometry, ...]]:
    """Draw symbols and names. Returns symbols, names, and the areas that they take.

    spaces: those that have a name or features. lines: what names keep clear of, with what a millimetre costs. frame,
    numbers: what is printed, and boxes of hex numbers (n, 4), as left, top, right and bottom. shore: for spaces with a
    landing, the direction in which the land lies, in degrees. report: gets names that do not fit or cannot be written.
    """
    places = [p for s in spaces if (p := _place(s, warmap, style, pitch)).icons or p.text]
    places.sort(key=lambda p: -p.size)  # the largest first: it has the first choice
    requests = [_request(p, style, pitch) for p in places]
    placer = Placer(pitch, frame, lines, numbers)
    if any(r.beyond for r in requests):
        placer.reserve(np.array([_around(r) for r in requests if r.row]).reshape(-1, 4))
    spots = placer.place(requests)
    symbols: list[Mark] = []
    names: list[Mark] = []
    taken: list[tuple[float, float, float, float]] = []
    for p, spot in zip(places, spots, strict=True):
        symbols += _symbols(p, spot, style, pitch, shore.get(p.space.key, 0.0), letters, taken)
        if p.text:
            _check(p, spot, style.names.least * pitch, report)
            names += _name(p, spot, style, pitch, letters, taken)
    areas = tuple(shapely.box(*np.array(taken).reshape(-1, 4).T).tolist())
    return Group(tuple(symbols), layer="Symbols"), Group(tuple(names), layer="Names"), areas


def _place(s: Space, warmap: WarMap, style: MapStyle, pitch: float) -> _Place:
    looks = list(feature_styles(s, warmap, style).values())
    shown = [f for f in looks if f.symbol != "none"]
    plate = next((f for f in looks if f.plate), None)
    if not shown and s.name and not plate and s.kind == "hex" and not any(f.pattern != "none" for f in looks):
        shown = [FeatureStyle(symbol="town", colour=style.sheet.ink)]
    tint = next((t for t in style.tint if t.draw == "edge" and s.traits.get(t.trait) == t.value), None)
    wet = s.terrain in style.water.terrain
    first = next((f for f in looks if f.name_size != 1 or f.name_font or f.capitals), None)
    ink = next((f.name for f in looks if f.name), None) or (tint.colour if tint else style.sheet.ink)
    if ink == style.sheet.ink and wet and s.kind != "hex":
        ink = style.water.ink
    full = style.points.size if s.kind == "point" else style.names.size * pitch
    plain = style.points.water_font if wet and s.kind == "point" else style.names.font
    return _Place(
        s,
        tuple((f, s.traits.get(f.value, "") if f.value else f.text, _icon_size(f, pitch)) for f in shown),
        (first.name_font if first and first.name_font else plain),
        full * (first.name_size if first else 1.0),
        ink,
        s.name.upper() if first and first.capitals else s.name,
        (plate.plate or "") if plate else "",
        tint.colour if tint else ink,
        s.kind == "point",
    )


def _icon_size(look: FeatureStyle, pitch: float) -> float:
    return ICON * pitch * LARGER.get(look.symbol, 1.0) * look.size


def _widths(p: _Place, pitch: float) -> list[float]:
    """Return how wide each symbol is with what is written beside it."""
    return [
        size + (0.6 * BESIDE * pitch * len(text) if text and f.symbol not in TEXT_INSIDE else 0.0)
        for f, text, size in p.icons
    ]


def _request(p: _Place, style: MapStyle, pitch: float) -> Request:
    s = p.space
    under = s.kind == "point" and style.points.names == "under"
    widths = _widths(p, pitch)
    row = sum(widths) + GAP * pitch * max(0, len(widths) - 1)
    tall = max((size for _, _, size in p.icons), default=0.0)
    corners = s.outline if s.kind in ("hex", "point") else ()
    if under:
        xy = np.array(s.outline).reshape(-1, 2) if s.outline else np.array([s.at])
        row, tall = (float(v) for v in np.ptp(xy, axis=0))
    pad = (0.09 if p.plate else 0.06) * (p.size * 6 if s.kind == "point" else pitch)
    least = style.names.least * pitch if s.kind != "point" else 0.55 * p.size
    beyond = under or (style.names.beyond and s.kind == "hex" and not p.plate)
    return Request(p.text, s.at, corners, p.font, p.size, least, row, tall, pad, beyond)


def _around(r: Request) -> tuple[float, float, float, float]:
    return r.at[0] - r.row / 2, r.at[1] - r.tall / 2, r.at[0] + r.row / 2, r.at[1] + r.tall / 2


def _symbols(
    p: _Place,
    spot: Spot,
    style: MapStyle,
    pitch: float,
    shore: float,
    letters: Letters,
    taken: list[tuple[float, float, float, float]],
) -> list[Mark]:
    marks: list[Mark] = []
    widths = _widths(p, pitch)
    x = spot.symbols[0] - (sum(widths) + GAP * pitch * (len(widths) - 1)) / 2
    y = spot.symbols[1]
    for (look, text, size), width in zip(p.icons, widths, strict=True):
        at: Point = (x + size / 2, y)
        turn = math.radians(shore) if look.symbol == "landing" else 0.0
        c, sn = math.cos(turn) * size, math.sin(turn) * size
        inside = text if look.symbol in TEXT_INSIDE else ""
        marks.append(Group(symbol_marks(look.symbol, look.colour, style.sheet.paper, inside), (c, sn, -sn, c, *at)))
        half = size * 0.55
        taken.append((at[0] - half, y - half, at[0] + half, y + half))
        if text and not inside:
            high = BESIDE * pitch
            base = y + load_font("sans-bold").cap_height * high / 2
            halo = Paint(stroke=style.sheet.paper, width=0.3 * DRAWN_AT, join="round", opacity=0.85)
            for paint in (halo, Paint(fill=look.colour)):
                marks += letters.line(text, "sans-bold", high, x + size + 0.01 * pitch, base, paint, "start")
        x += width + GAP * pitch
    return marks


def _name(
    p: _Place,
    spot: Spot,
    style: MapStyle,
    pitch: float,
    letters: Letters,
    taken: list[tuple[float, float, float, float]],
) -> list[Mark]:
    wording, (x, y) = spot.wording, spot.name
    cap = load_font(p.font).cap_height
    top = y - wording.height / 2
    unit = p.size / style.names.size
    pad_x, pad_y = 0.05 * unit, 0.034 * unit
    area = (x - wording.width / 2 - pad_x, top - pad_y, x + wording.width / 2 + pad_x, top + wording.height + pad_y)
    taken.append(area)
    lines = [(t, top + cap * wording.size + i * wording.size * LEADING) for i, t in enumerate(wording.lines)]
    marks: list[Mark] = []
    if p.plate:
        edge = Paint(fill=p.plate, stroke=p.edge, width=0.018 * unit)
        marks.append(Path(rectangle(area[0], area[1], area[2] - area[0], area[3] - area[1], 0.03 * unit), edge))
    elif not p.round:
        halo = Paint(stroke=style.sheet.paper, width=0.3 * DRAWN_AT, join="round", opacity=0.85)
        for text, base in lines:
            marks += letters.line(text, p.font, wording.size, x, base, halo)
    for text, base in lines:
        marks += letters.line(text, p.font, wording.size, x, base, Paint(fill=p.ink))
    return marks


def _check(p: _Place, spot: Spot, least: float, report: Report) -> None:
    s, w = p.space, p.space.where
    where = Location(w.file, w.line, w.column, w.key, w.element, s.key)
    if not spot.fits:
        text = f"the name {s.name!r} does not fit its space, even at {least:.1f} mm"
        report.add(NAME_TOO_WIDE, where, text, name=s.name)
    lacking = missing_glyphs(p.text, p.font)
    if lacking:
        shown = ", ".join(f"{c!r} (U+{ord(c):04X})" for c in lacking)
        report.add(NAME_GLYPH, where, f"the font {p.font} cannot write {shown} in {s.name!r}")
