"""The key of a map sheet: a picture and a line for every terrain, hexside, way, place and zone of the legend."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

import shapely

from toolchain.art.ground import Look, swatch, terrain_looks
from toolchain.art.links import is_near, link_sample, link_style
from toolchain.art.marks import Group, Mark, Paint, Path, num, polygon, rectangle, shifted
from toolchain.art.ornaments import TEXT_INSIDE, symbol_marks
from toolchain.art.overlays import stroke_marks
from toolchain.art.panels import Panel, framed
from toolchain.art.points import disc_marks, is_restricted, is_way, point_colours, tinted_colours, way_sample
from toolchain.art.shapes import Floats, curve
from toolchain.art.sides import ACROSS, draw_sides, hexside_style
from toolchain.art.text import load_font, measure, outline
from toolchain.art.tints import hatching, pattern_sample
from toolchain.model.warmap import LegendEntry, Link, WarMap
from toolchain.sources.decode.mapstyle import FeatureStyle, MapStyle, OverlayStyle, TraitTint

Draw = Callable[[float, float], list[Mark]]
"""What draws a picture of the key about a place of its panel."""
Row = tuple[str, str, Draw]
ROW, HEADING, APART, TEXT_AT = 8.8, 6.6, 3.6, 16.0


def key_panels(warmap: WarMap, style: MapStyle, corners: Floats) -> list[Panel]:
    """Set the key in one, two or three columns; the sheet takes the one that finds room.

    corners: of a hex of radius 1, so that the swatches stand as the map's hexes do.
    """
    sections = _sections(warmap, style, corners)
    return [_key(sections, n, style) for n in (1, 2, 3) if sections and n <= max(1, len(sections))]


def key_rows(warmap: WarMap, style: MapStyle, corners: Floats) -> dict[tuple[str, str], tuple[str, Draw]]:
    """Return title and picture of every entry of the legend that is drawn, by its kind and name."""
    looks = terrain_looks(warmap, style)
    out: dict[tuple[str, str], tuple[str, Draw]] = {}
    for e in warmap.legend:
        picture = _picture(e, warmap, style, looks, corners)
        if picture is not None:
            out[e.kind, e.name] = (e.title or e.name.replace("-", " ").capitalize(), picture)
    return out


def _picture(
    e: LegendEntry, warmap: WarMap, style: MapStyle, looks: Mapping[str, Look], corners: Floats
) -> Draw | None:
    if e.kind == "terrain":
        if not warmap.grids and any(s.kind == "point" for s in warmap.spaces):
            colours = point_colours(e.name, looks, style)
            return lambda x, y: disc_marks(shapely.Point(x, y).buffer(3.4, quad_segs=12), *colours, style)
        own = style.terrain.get(e.name)
        plain = e.name in style.water.terrain and not (own and own.fill)  # water, not shoals of a colour of their own
        return lambda x, y: [swatch(looks[e.name], x, y, 4.4, style, corners, plain)]
    if e.kind == "hexside":
        return _side_sample(style, e.name, "")
    if e.kind == "feature":
        if is_unseen(style.feature.get(e.name, FeatureStyle())):
            return None
        return lambda x, y: _feature_sample(style, e.name, x, y)
    kind = [link for link in warmap.links if link.kind == e.name]
    look = link_style(style, e.name)
    near = any(_near(warmap, k) or is_way(warmap, k) for k in kind)
    if look.draw == "none" or not (near or any(_from_box(warmap, k) for k in kind)):
        return None
    if any(is_way(warmap, k) for k in kind):
        return lambda x, y: way_sample(look.colour, x, y, all(is_restricted(k) for k in kind))
    return lambda x, y: link_sample(look, near, x, y)


def is_unseen(look: FeatureStyle) -> bool:
    """Tell whether nothing on the map shows a feature: no symbol or text, and nothing about the hex or its name."""
    bare = look.symbol == "none" and look.pattern == "none"
    return bare and not any((look.text, look.value, look.plate, look.name, look.tint)) and look.name_size == 1


def _sections(warmap: WarMap, style: MapStyle, corners: Floats) -> list[tuple[str, list[Row]]]:
    pictures = key_rows(warmap, style, corners)

    def rows(kind: str) -> list[Row]:
        entries = [e for e in warmap.legend if e.kind == kind and (kind, e.name) in pictures]
        return [(pictures[kind, e.name][0], e.note, pictures[kind, e.name][1]) for e in entries]

    lines = rows("hexside")
    used = {h.name for h in warmap.hexsides if h.name}
    for special in style.named:
        if used & set(special.names) and (sample := _side_sample(style, special.kind, special.names[0])) is not None:
            lines.insert(1 if lines else 0, (special.title or special.names[0], "", sample))
    lines += rows("link") + _restricted(warmap, style)
    lines += [(o.title, "", partial(_overlay_sample, o, style.panels.fill)) for o in style.overlay.values() if o.title]
    zones: list[Row] = []
    discs = not warmap.grids and any(s.kind == "point" for s in warmap.spaces)
    for t in style.tint:
        title = t.title or f"{t.trait}: {t.value}"
        said = title in [z[0] for z in zones]  # several values may be one thing to players
        if not said and any(s.traits.get(t.trait) == t.value for s in warmap.spaces):
            zones.append((title, "", _zone_sample(t, corners, style, discs)))
    found = [
        ("Terrain", rows("terrain")),
        ("Hexsides" if warmap.grids else "Lines", lines),
        ("Places", rows("feature") + zones),
    ]
    return [(title, r) for title, r in found if r]


def _restricted(warmap: WarMap, style: MapStyle) -> list[Row]:
    """Return a line for each kind of way of which some, and not all, are for certain sides only."""
    out: list[Row] = []
    for e in warmap.legend:
        kind = [k for k in warmap.links if k.kind == e.name and is_way(warmap, k)] if e.kind == "link" else []
        if any(map(is_restricted, kind)) and not all(map(is_restricted, kind)):
            sample = partial(way_sample, link_style(style, e.name).colour, restricted=True)
            out.append(((e.title or e.name.capitalize()) + ", restricted", "", sample))
    return out


def _overlay_sample(overlay: OverlayStyle, paper: str, x: float, y: float) -> list[Mark]:
    return stroke_marks(f"M{num(x - 5)} {num(y)}L{num(x + 5)} {num(y)}", overlay, paper)


def _from_box(warmap: WarMap, link: Link) -> bool:
    ends = (warmap.by_key.get(link.a), warmap.by_key.get(link.b))
    return any(s is not None and s.kind == "box" and "track" not in s.traits for s in ends)


def _near(warmap: WarMap, link: Link) -> bool:
    a, b = warmap.by_key.get(link.a), warmap.by_key.get(link.b)
    grid = next(iter(warmap.grids.values()), None)
    return a is not None and b is not None and grid is not None and is_near(a, b, grid.pitch)


def _side_sample(style: MapStyle, kind: str, name: str) -> Draw | None:
    look = hexside_style(style, kind, name)
    if look.draw == "none":
        return None

    def draw(x: float, y: float) -> list[Mark]:
        if look.draw == "river":
            data = curve([(x - 5.5, y + 1), (x - 3, y - 0.7), (x, y + 0.8), (x + 3, y - 0.8), (x + 5.5, y + 0.4)])
            return [Path(data, Paint(stroke=look.colour, width=look.width * 20, cap="round"))]
        if look.draw in ACROSS:  # across the side of a hex that stands upright
            water = Paint(stroke=style.hexside.get("river", look).colour, width=1.0)
            return [Path(f"M{num(x)} {num(y - 3.4)}L{num(x)} {num(y + 3.4)}", water)] * (look.draw == "bridge") + (
                draw_sides(look, [((x, y - 3.4), (x, y + 3.4))], 16.0, style.panels.fill)
            )
        return draw_sides(look, [((x - 5, y), (x + 5, y))], 16.0, style.panels.fill)

    return draw


def _feature_sample(style: MapStyle, name: str, x: float, y: float) -> list[Mark]:
    look = style.feature.get(name, FeatureStyle())
    if look.pattern != "none":
        symbol = symbol_marks(look.symbol, look.colour, style.sheet.paper, look.text)
        return [*pattern_sample(look, x, y, style.sheet.paper), Group(symbol, shifted(x, y, 4.0))]
    if look.symbol == "none":
        fill, ink = look.plate or style.panels.fill, look.name or style.sheet.ink
        return [
            Path(rectangle(x - 5, y - 2, 10, 4, 0.6), Paint(fill=fill, stroke=ink, width=0.3)),
            Path(outline("Name", "condensed", 3.2, x, y + 1.1), Paint(fill=ink)),
        ]
    text = look.text or ("1" if look.value and look.symbol in TEXT_INSIDE else "")
    return [Group(symbol_marks(look.symbol, look.colour, style.sheet.paper, text), shifted(x, y, 5.0 * look.size))]


def _zone_sample(tint: TraitTint, corners: Floats, style: MapStyle, discs: bool) -> Draw:
    def draw(x: float, y: float) -> list[Mark]:
        if discs:
            return disc_marks(shapely.Point(x, y).buffer(3.4, quad_segs=12), *tinted_colours(tint.colour, style), style)
        ring = [(x + dx * 3.6, y + dy * 3.6) for dx, dy in corners.tolist()]
        area, data = shapely.Polygon(ring), polygon(ring)
        if tint.draw == "hatch":
            lines = Paint(stroke=tint.colour, width=0.25, opacity=0.6)
            return [Path(hatching(area, 1.3), lines), Path(data, Paint(stroke=tint.colour, width=0.3, opacity=0.7))]
        edge = Paint(stroke=tint.colour, width=0.9, opacity=0.6 if tint.draw == "edge" else 0.2)
        return [
            Path(data, Paint(fill=tint.colour, fill_opacity=0.1 if tint.draw == "edge" else 0.28)),
            Path(data, edge),
        ]

    return draw


def _key(sections: list[tuple[str, list[Row]]], columns: int, style: MapStyle) -> Panel:
    # Fill columns in order, breaking between sections only, so that the tallest is as low as it can be.
    heights = [HEADING + len(rows) * ROW + APART for _, rows in sections]
    best: list[list[int]] = [list(range(len(sections)))]
    if columns > 1:
        best = min(
            _partitions(len(sections), columns), key=lambda parts: max(sum(heights[i] for i in part) for part in parts)
        )
    marks: list[Mark] = []
    x, tallest = 6.0, 0.0
    ink = style.sheet.ink
    cap = load_font("sans").cap_height
    for part in best:
        y = 5.0
        wide = max(
            [measure(t, "sans", 3.4) for i in part for t, _, _ in sections[i][1]]
            + [measure(n, "sans", 2.4) for i in part for _, n, _ in sections[i][1] if n]
        )
        for i in part:
            title, rows = sections[i]
            marks.append(Path(outline(title.upper(), "sans-bold", 3.4, x, y + 3.6, "start", 0.1), Paint(fill=ink)))
            marks.append(
                Path(
                    f"M{num(x)} {num(y + 4.8)}L{num(x + TEXT_AT + wide)} {num(y + 4.8)}",
                    Paint(stroke=ink, width=0.15, opacity=0.6),
                )
            )
            y += HEADING
            for text, note, draw in rows:
                middle = y + ROW / 2
                marks += draw(x + 6.2, middle)
                base = middle + cap * 3.4 / 2 - (1.5 if note else 0)
                marks.append(Path(outline(text, "sans", 3.4, x + TEXT_AT, base, "start"), Paint(fill=ink)))
                if note:
                    marks.append(
                        Path(outline(note, "sans", 2.4, x + TEXT_AT, base + 3.2, "start"), Paint(fill=ink, opacity=0.8))
                    )
                y += ROW
            y += APART
        tallest = max(tallest, y - APART)
        x += TEXT_AT + wide + 7
    return framed(x - 1, tallest + 3.5, marks, style)


def _partitions(n: int, parts: int) -> list[list[list[int]]]:
    """Cut range(n) into at most so many runs, in every way."""
    if parts == 1 or n == 1:
        return [[list(range(n))]]
    out = [[list(range(n))]]
    for first in range(1, n):
        for rest in _partitions(n - first, parts - 1):
            out.append([list(range(first)), *[[i + first for i in run] for run in rest]])
    return out
