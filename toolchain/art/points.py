"""Point-to-point maps on the sheet: the spaces as discs in the colour of their terrain, and the ways between them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.art.ground import Look
from toolchain.art.links import link_style
from toolchain.art.marks import Group, Mark, Paint, Path, polygon, polyline
from toolchain.art.shapes import curve, geometry_path
from toolchain.art.text import measure, outline
from toolchain.model.warmap import Link, Point, Space, WarMap
from toolchain.sources.decode.mapstyle import MapStyle

DISC = 0.3  # radius of a point without extent, as a share of the pitch
STUB = 9.0  # mm, of a way that leaves the sheet
NAME = 2.6  # mm, of the space to which it leads


def is_way(warmap: WarMap, link: Link) -> bool:
    """Tell whether a link is drawn as a way of a point or area map: one of its ends is no hex, and none is a box."""
    kinds = {s.kind for s in (warmap.by_key.get(link.a), warmap.by_key.get(link.b)) if s is not None}
    return "box" not in kinds and bool(kinds - {"hex"})


def point_shape(space: Space, pitch: float) -> BaseGeometry:
    """Return the shape of a point as it is drawn."""
    return shapely.Polygon(space.outline) if len(space.outline) > 2 else shapely.Point(space.at).buffer(DISC * pitch)


def way_lines(warmap: WarMap, links: Sequence[Link], frame: BaseGeometry) -> list[list[Point]]:
    """Return the lines of every way from middle to middle: as drawn, or straight; two stubs where it wraps round."""
    out = []
    for link in links:
        a, b = warmap.by_key[link.a], warmap.by_key[link.b]
        if link.traits.get("wrap") == "yes":
            out += [_stub(a, b, frame), _stub(b, a, frame)]
        else:
            out.append([a.at, *link.line, b.at])
    return out


def way_marks(warmap: WarMap, links: Sequence[Link], style: MapStyle, frame: BaseGeometry) -> Group:
    """Draw ways in the colour of their kind; those with traits, which not everybody may use, are dashed."""
    marks: list[Mark] = []
    width, paper = style.points.ways, style.sheet.paper
    for link in links:
        look = link_style(style, link.kind)
        if look.draw == "none":
            continue
        dash = (2.2 * width, 1.3 * width) if is_restricted(link) else ()
        lines = way_lines(warmap, [link], frame)
        for line in lines:
            data, cap = curve(line) if len(line) > 4 else polyline(line), "butt" if dash else "round"
            marks.append(Path(data, Paint(stroke=paper, width=width + 1.0, cap="round", join="round", opacity=0.85)))
            marks.append(Path(data, Paint(stroke=look.colour, width=width, cap=cap, join="round", dash=dash)))
        if len(lines) == 2:
            for at, name, line in ((link.a, link.b, lines[0]), (link.b, link.a, lines[1])):
                top = min([y for _, y in warmap.by_key[at].outline] or [line[0][1]])
                marks += [_arrow(line, look.colour, 1.0), *_sign(name, line, top, look.colour, paper, frame)]
        elif link.one_way:
            marks.append(_arrow(lines[0], look.colour))
    return Group(tuple(marks), layer="Ways")


def is_restricted(link: Link) -> bool:
    """Tell whether not everybody may use a way."""
    return bool(set(link.traits) - {"wrap"})


def point_marks(points: Sequence[Space], looks: Mapping[str, Look], style: MapStyle, pitch: float) -> Group:
    """Draw the spaces of a point map: pale within, a ring in the colour of their terrain, and a shadow below.

    A trait that the style tints goes before the terrain.
    """
    marks: list[Mark] = []
    for s in points:
        shape = point_shape(s, pitch)
        tint = next((t.colour for t in style.tint if s.traits.get(t.trait) == t.value), "")
        own = tinted_colours(tint, style) if tint else point_colours(s.terrain, looks, style)
        marks += disc_marks(shape, *own, style)
    return Group(tuple(marks), layer="Points")


def point_colours(terrain: str, looks: Mapping[str, Look], style: MapStyle) -> tuple[str, str]:
    """Return the fill and the inner ring of a space of a point map."""
    look = looks.get(terrain)
    if terrain in style.water.terrain:
        return blend(style.water.fill, style.sheet.paper, 0.35), style.water.lines
    fill = look.fill if look else style.panels.fill
    return blend(fill, style.sheet.paper, 0.5), look.shade if look and look.marks != "none" else style.land.relief


def tinted_colours(tint: str, style: MapStyle) -> tuple[str, str]:
    """Return the fill and the inner ring of a space of a point map that is tinted."""
    return blend(tint, style.sheet.paper, 0.45), tint


def disc_marks(shape: BaseGeometry, fill: str, inner: str, style: MapStyle) -> list[Mark]:
    """Draw one space of a point map."""
    ring, data = style.points.ring, geometry_path(shape)
    shadow = geometry_path(shapely.transform(shape, lambda xy: xy + 0.9))
    return [
        Path(shadow, Paint(fill=style.sheet.ink, fill_opacity=0.16)),
        Path(data, Paint(fill=fill, stroke=style.sheet.paper, width=3.4 * ring)),
        Path(data, Paint(fill=fill, stroke=style.points.edge, width=ring)),
        Path(geometry_path(shape.buffer(-1.25 * ring - 0.3)), Paint(stroke=inner, width=0.5 * ring, opacity=0.75)),
    ]


def blend(first: str, second: str, share: float) -> str:
    """Mix two colours; share: of the second."""
    parts = [[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in (first, second)]
    return "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(*parts, strict=True))


def _stub(space: Space, other: Space, frame: BaseGeometry) -> list[Point]:
    """Return a line from a space away from the other one, across or down the sheet, towards its edge."""
    x0, y0, x1, y1 = frame.bounds
    (x, y), (ox, oy) = space.at, other.at
    if abs(x - ox) >= abs(y - oy):
        dx, dy, room = (1, 0, x1 - x) if x > ox else (-1, 0, x - x0)
    else:
        dx, dy, room = (0, 1, y1 - y) if y > oy else (0, -1, y - y0)
    reach = math.sqrt(shapely.Polygon(space.outline).area / math.pi) if len(space.outline) > 2 else 0.0
    length = max(min(reach + STUB, room - 1.5), reach)
    return [space.at, (x + dx * length, y + dy * length)]


def _arrow(line: Sequence[Point], colour: str, along: float = 0.5) -> Mark:
    """Draw an arrow head on a line, a share of the way along it."""
    whole = shapely.LineString(line)
    tip = whole.interpolate(along, normalized=True)
    tail = whole.interpolate(max(0.0, along * whole.length - 1.0))
    ux, uy = tip.x - tail.x, tip.y - tail.y
    n = math.hypot(ux, uy) or 1.0
    ux, uy = ux / n, uy / n
    corners = [(1.8, 0.0), (-1.2, 1.5), (-0.4, 0.0), (-1.2, -1.5)]
    return Path(polygon([(tip.x + ux * a - uy * b, tip.y + uy * a + ux * b) for a, b in corners]), Paint(fill=colour))


def _sign(name: str, line: Sequence[Point], top: float, colour: str, paper: str, frame: BaseGeometry) -> list[Mark]:
    """Write where a way leads that leaves the sheet, beside the end of its stub and within the frame.

    top: of the space, above which the name stands where there is no room beside it, mm.
    """
    (x0, y0), (x, y) = line
    left, _, right, _ = frame.bounds
    wide = measure(name, "condensed", NAME) / 2
    middle = min(max(x, left + wide + 1.5), right - wide - 1.5)
    base = y - 2.4 if x != x0 else y - 2.6 if y < y0 else y + 4.6
    if abs(middle - x) > wide * 0.7:
        base = min(base, top - 1.6)
    data = outline(name, "condensed", NAME, middle, base)
    halo = Paint(stroke=paper, width=0.7, join="round", opacity=0.85)
    return [Path(data, halo), Path(data, Paint(fill=colour))]


def way_sample(colour: str, x: float, y: float, restricted: bool = False) -> list[Mark]:
    """Draw a way for the key."""
    dash = (2.4, 1.4) if restricted else ()
    paint = Paint(stroke=colour, width=1.1, cap="butt" if dash else "round", dash=dash)
    return [Path(polyline([(x - 5.0, y), (x + 5.0, y)]), paint)]
