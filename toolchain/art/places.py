"""Symbols and names of places: each in its own space, where it meets the fewest rivers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.art.lettering import DRAWN_AT, Letters
from toolchain.art.marks import Group, Mark, Paint, Path, num, rectangle
from toolchain.art.ornaments import symbol_marks
from toolchain.art.shapes import geometry_path, pieces
from toolchain.art.text import load_font, measure, missing_glyphs
from toolchain.catalogue import NAME_GLYPH, NAME_TOO_WIDE
from toolchain.model.warmap import Space, WarMap
from toolchain.report import Location, Report
from toolchain.sources.decode.mapstyle import FeatureStyle, MapStyle

ICON = 0.2  # size of a place symbol, as a share of the pitch
LARGER = {"works": 1.15, "landing": 1.45}
GAP = 0.035
NUMBER = 0.085  # size of a hex number

# Where a name and its symbols may go, best first: the centre of the symbols and the middle of the name's capitals,
# as shares of the pitch from the space's middle, y down.
CANDIDATES: tuple[tuple[float, float], ...] = (
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


@dataclass(frozen=True)
class Wording:
    """A name set in one or two lines: its size, the width of its widest line and the height of the whole, mm."""

    lines: tuple[str, ...]
    size: float
    width: float
    height: float


def feature_styles(space: Space, warmap: WarMap, style: MapStyle) -> dict[str, FeatureStyle]:
    """Return the looks of a space's features, in the order of the legend; unknown ones get a plain disc."""
    return {
        e.name: style.feature.get(e.name, FeatureStyle())
        for e in warmap.legend
        if e.kind == "feature" and e.name in space.features
    }


def room_at(offset: float, pitch: float, flat: bool) -> float:
    """Return half the width of a hex at a height above or below its middle, mm."""
    radius, y = pitch / math.sqrt(3), abs(offset)
    if flat:
        return radius - y / math.sqrt(3) if y <= pitch / 2 else 0.0
    return pitch / 2 if y <= radius / 2 else max(0.0, (radius - y) * math.sqrt(3))


def word(name: str, style: MapStyle, pitch: float, room: float) -> tuple[Wording, bool]:
    """Set a name as large as it fits: in one line, else in two, else smaller; and tell whether it fits.

    room: the width that is free, mm.
    """
    font, full = style.names.font, style.names.size * pitch
    least = style.names.least * pitch
    cap = load_font(font).cap_height

    def of(lines: tuple[str, ...], size: float) -> Wording:
        widths = [measure(line, font, size) for line in lines]
        return Wording(lines, size, max(widths), cap * size + (len(lines) - 1) * size * 0.92)

    one = of((name,), full)
    if one.width <= room:
        return one, True
    shrunk = full * room / one.width
    if shrunk >= 0.86 * full:
        return of((name,), shrunk), True
    broken = [of(pair, full) for pair in _breaks(name)]
    if broken:
        best = min(broken, key=lambda w: w.width)
        size = min(full * 0.94, full * room / best.width)
        if size > shrunk:
            return of(best.lines, max(size, least)), size >= least
    return of((name,), max(shrunk, least)), shrunk >= least


def _breaks(name: str) -> list[tuple[str, str]]:
    out = []
    for i, ch in enumerate(name):
        if ch == " ":
            out.append((name[:i], name[i + 1 :]))
        elif ch in "-–/" and 0 < i < len(name) - 1:
            out.append((name[: i + 1], name[i + 1 :]))
    return out


def place_marks(
    warmap: WarMap,
    spaces: Sequence[Space],
    style: MapStyle,
    pitch: float,
    flat: bool,
    rivers: BaseGeometry,
    frame: BaseGeometry,
    shore: Mapping[str, float],
    letters: Letters,
    report: Report,
) -> tuple[Group, Group, tuple[BaseGeometry, ...]]:
    """Draw symbols and names. Returns symbols, names, and the areas that they take.

    spaces: those that have a name or features. rivers: lines to keep clear of. shore: for spaces with a landing, the
    direction in which the land lies, in degrees. report: gets names that do not fit or cannot be written.
    """
    symbols: list[Mark] = []
    names: list[Mark] = []
    taken: list[BaseGeometry] = []
    parts = pieces(rivers)
    tree = shapely.STRtree(parts)
    cap = load_font(style.names.font).cap_height
    for s in spaces:
        looks = feature_styles(s, warmap, style)
        icons = [(n, f) for n, f in looks.items() if f.symbol != "none"]
        plate = next((f for f in looks.values() if f.plate), None)
        tint = next((t for t in style.tint if s.traits.get(t.trait) == t.value), None)
        if not icons and s.name and not plate and s.kind == "hex":
            icons = [("", FeatureStyle(symbol="town", colour=style.sheet.ink))]
        if not icons and not s.name:
            continue
        local = parts[np.sort(tree.query(shapely.Point(s.at).buffer(0.6 * pitch)))]
        water = shapely.union_all(shapely.buffer(local, 0.035 * pitch, quad_segs=2))
        best = _best(s, style, pitch, flat, icons, bool(plate), water, frame)
        dx, icon_y, name_y, wording, fits = best
        if s.name and not fits:
            report.add(
                NAME_TOO_WIDE,
                _where(s),
                f"the name {s.name!r} does not fit its space, even at {style.names.least * pitch:.1f} mm",
                name=s.name,
            )
        lacking = missing_glyphs(s.name, style.names.font)
        if lacking:
            shown = ", ".join(f"{c!r} (U+{ord(c):04X})" for c in lacking)
            report.add(NAME_GLYPH, _where(s), f"the font {style.names.font} cannot write {shown} in {s.name!r}")
        x, y = s.at[0] + dx, s.at[1]
        for (_, look), left in zip(icons, _row(len(icons)), strict=True):
            size = ICON * pitch * LARGER.get(look.symbol, 1.0)
            at = (x + left * pitch, y + icon_y)
            turn = math.radians(shore.get(s.key, 0.0)) if look.symbol == "landing" else 0.0
            c, sn = math.cos(turn) * size, math.sin(turn) * size
            drawn = symbol_marks(look.symbol, look.colour, style.sheet.paper, look.text)
            symbols.append(Group(drawn, (c, sn, -sn, c, *at)))
            taken.append(shapely.Point(at).buffer(size * 0.62, quad_segs=3))
        if not s.name:
            continue
        ink = next((f.name for f in looks.values() if f.name), None) or (tint.colour if tint else style.sheet.ink)
        top = y + name_y - wording.height / 2
        pad_x, pad_y = 0.05 * pitch, 0.034 * pitch
        area = shapely.box(
            x - wording.width / 2 - pad_x, top - pad_y, x + wording.width / 2 + pad_x, top + wording.height + pad_y
        )
        taken.append(area)
        lines = [(t, top + cap * wording.size + i * wording.size * 0.92) for i, t in enumerate(wording.lines)]
        if plate and plate.plate:
            x0, y0, x1, y1 = area.bounds
            edge = Paint(fill=plate.plate, stroke=tint.colour if tint else ink, width=0.018 * pitch)
            names.append(Path(rectangle(x0, y0, x1 - x0, y1 - y0, 0.03 * pitch), edge))
        else:
            halo = Paint(stroke=style.sheet.paper, width=0.3 * DRAWN_AT, join="round", opacity=0.85)
            for text, base in lines:
                names += letters.line(text, style.names.font, wording.size, x, base, halo)
        for text, base in lines:
            names += letters.line(text, style.names.font, wording.size, x, base, Paint(fill=ink))
    return Group(tuple(symbols), layer="Symbols"), Group(tuple(names), layer="Names"), tuple(taken)


def _row(count: int) -> list[float]:
    step = ICON + GAP
    return [(i - (count - 1) / 2) * step for i in range(count)]


def _where(s: Space) -> Location:
    w = s.where
    return Location(w.file, w.line, w.column, w.key, w.element, s.key)


def _best(
    s: Space,
    style: MapStyle,
    pitch: float,
    flat: bool,
    icons: Sequence[tuple[str, FeatureStyle]],
    plate: bool,
    water: BaseGeometry,
    frame: BaseGeometry,
) -> tuple[float, float, float, Wording, bool]:
    """Choose among the candidates the one that crosses the least water and keeps within the hex."""
    x, y = s.at
    pad = 0.09 * pitch if plate else 0.06 * pitch
    shape = (
        shapely.Polygon(s.outline).buffer(-0.035 * pitch) if len(s.outline) > 2 else shapely.Point(s.at).buffer(pitch)
    )
    inner = shape.intersection(frame)
    half_icon = 0.5 * ICON * pitch
    row = len(icons) * (ICON + GAP) * pitch / 2
    shapely.prepare(inner)
    best: tuple[float, tuple[float, float, float, Wording, bool]] | None = None
    for rank, (icon_y, name_y) in enumerate(CANDIDATES):
        if not icons:
            name_y *= 0.55  # with nothing above it the name may stand in the middle
        cap = 0.36 * style.names.size * pitch
        room = 2 * (room_at(abs(name_y) * pitch + cap, pitch, flat) - pad) if s.kind == "hex" else 4 * pitch
        wording, fits = word(s.name, style, pitch, room)
        extra = (len(wording.lines) - 1) * 0.4 * wording.size  # two lines grow away from the symbols
        place_y = name_y * pitch + math.copysign(extra, name_y)
        for shift in SIDEWAYS:
            dx = shift * pitch
            cost = rank * 0.35 + abs(shift) * 9 + (style.names.size * pitch / wording.size - 1) * 4 + 40 * (not fits)
            if best is not None and cost >= best[0]:
                continue
            half_w, half_h = wording.width / 2 + 0.2 * pad, wording.height / 2 + 0.4
            mx, my, iy = x + dx, y + place_y, y + icon_y * pitch
            area = shapely.box(mx - half_w, my - half_h, mx + half_w, my + half_h)
            if icons:
                area = shapely.union(area, shapely.box(mx - row, iy - half_icon, mx + row, iy + half_icon))
            if not inner.covers(area):
                cost += area.difference(inner).area * 2000 / (pitch * pitch)
            if not water.is_empty and (best is None or cost < best[0]):
                cost += area.intersection(water).area * 1200 / (pitch * pitch)
            if best is None or cost < best[0] - 1e-9:
                best = (cost, (dx, icon_y * pitch, place_y, wording, fits))
    assert best is not None
    return best[1]


@dataclass(frozen=True)
class NumberPlaces:
    """Where hex numbers stand: the spaces that have one, the baseline of each, and the areas they take."""

    spaces: tuple[Space, ...]
    baselines: tuple[float, ...]
    areas: tuple[BaseGeometry, ...]


def place_numbers(spaces: Sequence[Space], pitch: float, flat: bool, rivers: BaseGeometry) -> NumberPlaces:
    """Find the places of hex numbers: under the upper edge, a little lower where a river runs along it."""
    with_number = tuple(s for s in spaces if s.label and s.kind == "hex" and s.enterable)
    at = np.array([s.at for s in with_number]).reshape(-1, 2)
    cap, wide = load_font("sans").cap_height * NUMBER * pitch, 0.13 * pitch
    top = at[:, 1] - (0.43 if flat else 0.36) * pitch
    tree = shapely.STRtree(pieces(rivers))
    crossed = tree.query(shapely.box(at[:, 0] - wide, top, at[:, 0] + wide, top + cap), "dwithin", 0.05 * pitch)[0]
    top[np.unique(crossed)] += 0.06 * pitch
    room = 0.02 * pitch
    areas = shapely.box(at[:, 0] - wide, top - room, at[:, 0] + wide, top + cap + room)
    return NumberPlaces(with_number, tuple((top + cap).tolist()), tuple(areas.tolist()))


def number_marks(places: NumberPlaces, style: MapStyle, pitch: float, letters: Letters) -> Group:
    """Print the numbers of hexes that may be entered."""
    marks: list[Mark] = []
    for s, y in zip(places.spaces, places.baselines, strict=True):
        wet = s.terrain in style.water.terrain
        paint = Paint(fill=style.grid.on_water if wet else style.grid.number)
        marks += letters.line(s.label, "sans", NUMBER * pitch, s.at[0], y, paint)
    return Group(tuple(marks), layer="Numbers")


def tint_marks(warmap: WarMap, spaces: Sequence[Space], style: MapStyle, pitch: float, land: BaseGeometry) -> Group:
    """Tint hexes by trait (an edge inside the hex) and by feature (a plate over the hex)."""
    marks: list[Mark] = []
    for s in spaces:
        looks = [f for f in feature_styles(s, warmap, style).values() if f.tint]
        if looks and len(s.outline) > 2:
            inner = shapely.Polygon(s.outline).buffer(-0.045 * pitch, join_style="mitre")
            data = "M" + "L".join(f"{num(px)} {num(py)}" for px, py in inner.exterior.coords[:-1]) + "Z"
            marks.append(Path(data, Paint(fill=looks[0].tint, fill_opacity=0.72)))
            marks.append(
                Path(data, Paint(stroke=looks[0].colour, width=0.02 * pitch, dash=(0.06 * pitch, 0.04 * pitch)))
            )
    for tint in style.tint:
        inside = [shapely.Polygon(s.outline) for s in spaces if s.traits.get(tint.trait) == tint.value and s.outline]
        if not inside:
            continue
        zone = shapely.union_all(shapely.buffer(inside, 0.02, join_style="mitre"))
        marks.append(Path(geometry_path(zone.intersection(land)), Paint(fill=tint.colour, fill_opacity=0.06)))
        for reach, opacity in ((0.14, 0.14), (0.09, 0.2), (0.05, 0.5)):  # an edge that fades inward
            band = zone.difference(zone.buffer(-reach * pitch, join_style="mitre")).intersection(land)
            marks.append(Path(geometry_path(band), Paint(fill=tint.colour, fill_opacity=opacity, even_odd=True)))
    return Group(tuple(marks), layer="Zones")
