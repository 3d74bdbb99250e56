"""Area maps on the sheet: borders with a soft bank, and names set where an area has most room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.art.lettering import DRAWN_AT, Letters
from toolchain.art.marks import Group, Mark, Paint, Path, shifted
from toolchain.art.naming import LEADING, Wording, word
from toolchain.art.ornaments import TEXT_INSIDE, symbol_marks
from toolchain.art.shapes import geometry_path
from toolchain.art.text import load_font, missing_glyphs
from toolchain.art.tints import feature_styles
from toolchain.catalogue import NAME_GLYPH, NAME_TOO_WIDE
from toolchain.model.warmap import Point, Space, WarMap
from toolchain.report import Location, Report
from toolchain.sources.decode.mapstyle import FeatureStyle, MapStyle

SIZES = (1.0, 0.85, 0.72, 0.6, 0.5)  # of names, as shares of the full size
ICON = 0.9  # size of a symbol, as a share of the full size of names
GRID = 15  # places tried along either side of an area


def is_area(space: Space) -> bool:
    """Tell whether a space is drawn as an area."""
    return space.kind in ("area", "sea zone") and len(space.outline) > 2


def border_lines(areas: Sequence[Space], style: MapStyle, land: BaseGeometry, rivers: BaseGeometry) -> Group:
    """Draw borders on land over a pale bank, and those of sea zones as a fine broken line.

    Coasts and rivers are drawn already, and need no other line.
    """
    look = style.areas
    if not areas:
        return Group((), layer="Borders of areas")
    rings = {wet: [shapely.Polygon(s.outline).boundary for s in areas if _wet(s, style) == wet] for wet in (0, 1)}
    shore = shapely.union(land.boundary, rivers).buffer(0.4, quad_segs=2)
    dry = _merged(rings[False]).difference(shore)
    wet = _merged(rings[True]).difference(land.buffer(0.4, quad_segs=2))
    marks = []
    for lines, paint in (
        (dry, Paint(stroke=look.border, width=look.width * 5, opacity=0.14, join="round", cap="round")),
        (dry, Paint(stroke=look.border, width=look.width, join="round", cap="round")),
        (wet, Paint(stroke=style.grid.on_water, width=look.width * 0.8, dash=(2.4, 1.2), join="round")),
    ):
        if data := geometry_path(lines):
            marks.append(Path(data, paint))
    return Group(tuple(marks), layer="Borders of areas")


def _wet(s: Space, style: MapStyle) -> bool:
    return s.terrain in style.water.terrain or s.kind == "sea zone"


def _merged(rings: Sequence[BaseGeometry]) -> BaseGeometry:
    """Return borders once where two areas share them, though their outlines may differ by a little."""
    out: BaseGeometry = shapely.MultiLineString()
    for ring in rings:
        out = shapely.union(out, ring.difference(out.buffer(0.35, quad_segs=2)) if not out.is_empty else ring)
    return shapely.line_merge(out) if out.geom_type == "MultiLineString" else out


@dataclass(frozen=True)
class _Label:
    wording: Wording
    at: Point
    icon_y: float
    fits: bool


def area_labels(
    warmap: WarMap, areas: Sequence[Space], style: MapStyle, frame: BaseGeometry, letters: Letters, report: Report
) -> tuple[Group, tuple[BaseGeometry, ...]]:
    """Write the names of areas, with their symbols beneath. Returns the marks and what they take of the sheet.

    A name stands where it keeps farthest from the border, in the largest size that the area holds.
    """
    look = style.areas
    marks: list[Mark] = []
    taken: list[BaseGeometry] = []
    for s in areas:
        text = s.name.upper() if look.capitals else s.name
        icons = [f for f in feature_styles(s, warmap, style).values() if f.symbol != "none"]
        if not text and not icons:
            continue
        label = _label(shapely.Polygon(s.outline).intersection(frame), text or " ", len(icons), style)
        wet, (x, y) = _wet(s, style), label.at
        ink = style.water.ink if wet else next((t.colour for t in style.tint if _tinted(s, t.trait, t.value)), look.ink)
        cap = load_font(look.font).cap_height
        size = label.wording.size
        halo = Paint(stroke=style.water.fill if wet else style.sheet.paper, width=0.3 * DRAWN_AT, opacity=0.6)
        top = y - label.wording.height / 2
        for paint in (halo, Paint(fill=ink)):
            for i, line in enumerate(label.wording.lines if text else ()):
                base = top + cap * size + i * size * LEADING
                marks += letters.line(line, look.font, size, x, base, paint)
        w, h = label.wording.width / 2, label.wording.height / 2
        taken.append(shapely.box(x - w, y - h, x + w, y + h))
        marks += _icons(s, icons, x, y + label.icon_y, look.size * ICON, style, taken)
        _check(s, text, label.fits, style, report)
    return Group(tuple(marks), layer="Names"), tuple(taken)


def _tinted(s: Space, trait: str, value: str) -> bool:
    return s.traits.get(trait) == value


def _label(area: BaseGeometry, text: str, icons: int, style: MapStyle) -> _Label:
    look = style.areas
    cap = load_font(look.font).cap_height
    x0, y0, x1, y1 = area.bounds
    px, py = (v.ravel() for v in np.meshgrid(np.linspace(x0, x1, GRID + 2)[1:-1], np.linspace(y0, y1, GRID + 2)[1:-1]))
    middle = area.centroid
    shapely.prepare(area)
    best: _Label | None = None
    for share in SIZES:
        size = look.size * share
        one, two = (word(text, look.font, size, size, room)[0] for room in (1e6, 0.1))
        for wording in (one, two) if len(two.lines) > 1 else (one,):
            icon = look.size * ICON * (1.15 if icons else 0.0)
            w = max(wording.width, icons * look.size * ICON * 1.15) / 2 + 0.25 * size
            h = (wording.height + icon) / 2 + 0.25 * size
            inside = shapely.covers(area, shapely.box(px - w, py - h, px + w, py + h))
            off = np.hypot(px - middle.x, py - middle.y) - 2.0 * shapely.distance(area.boundary, shapely.points(px, py))
            place = int(np.argmin(np.where(inside, off, off + 1e6)))
            at = (float(px[place]), float(py[place]) - icon / 2)
            label = _Label(wording, at, wording.height / 2 + icon * 0.55, bool(inside[place]))
            if label.fits:
                return label
            best = label
    assert best is not None
    drop = best.wording.height / 2 + cap * best.wording.size * 0.9
    return _Label(best.wording, (float(middle.x), float(middle.y)), drop, False)


def _icons(
    s: Space, icons: Sequence[FeatureStyle], x: float, y: float, size: float, style: MapStyle, taken: list[BaseGeometry]
) -> list[Mark]:
    marks: list[Mark] = []
    for i, f in enumerate(icons):
        at = (x + (i - (len(icons) - 1) / 2) * size * 1.15, y)
        text = s.traits.get(f.value, "") if f.value else f.text
        inside = text if f.symbol in TEXT_INSIDE else ""
        marks.append(Group(symbol_marks(f.symbol, f.colour, style.sheet.paper, inside), shifted(*at, size * f.size)))
        taken.append(shapely.Point(at).buffer(0.6 * size, quad_segs=3))
    return marks


def _check(s: Space, text: str, fits: bool, style: MapStyle, report: Report) -> None:
    w = s.where
    where = Location(w.file, w.line, w.column, w.key, w.element, s.key)
    if text and not fits:
        least = style.areas.size * SIZES[-1]
        words = f"the name {s.name!r} does not fit its area, even at {least:.1f} mm"
        report.add(NAME_TOO_WIDE, where, words, name=s.name)
    if lacking := missing_glyphs(text, style.areas.font):
        shown = ", ".join(f"{c!r} (U+{ord(c):04X})" for c in lacking)
        report.add(NAME_GLYPH, where, f"the font {style.areas.font} cannot write {shown} in {s.name!r}")
