"""Lines of the grid: hexes, hexsides that matter, links between neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.art.marks import Group, Mark, Paint, Path, num, polygon
from toolchain.art.rivers import Edge, edge, river_lines
from toolchain.art.shapes import curve, geometry_path, rounded
from toolchain.art.text import measure, outline_along
from toolchain.model.warmap import Hexside, Link, Space, WarMap
from toolchain.sources.decode.mapstyle import HexsideStyle, LinkStyle, MapStyle

Point = tuple[float, float]

LINES = ("line", "rail", "road")  # links that run on from space to space; what comes later lies lower


def hexside_style(style: MapStyle, kind: str, name: str = "") -> HexsideStyle:
    """Return the look of a kind of hexside, or of a name that has its own; unknown kinds are plain dark lines."""
    base = style.hexside.get(kind, HexsideStyle())
    for special in style.named:
        if special.kind == kind and name in special.names:
            return base.model_copy(update={"colour": special.colour, "width": special.width, "title": special.title})
    return base


def grid_lines(spaces: Sequence[Space], style: MapStyle) -> Group:
    """Draw every side of the grid once: plain where a neighbour may be entered, paler elsewhere and on water."""
    rank: dict[Edge, int] = {}
    ends: dict[Edge, tuple[Point, Point]] = {}
    for s in spaces:
        own = 2 if s.enterable else int(s.terrain not in style.water.terrain)
        for a, b in zip(s.outline, (*s.outline[1:], s.outline[0]), strict=True):
            key = edge((a, b))
            ends.setdefault(key, (a, b))
            rank[key] = max(rank.get(key, 0), own)
    grid = style.grid
    marks: list[Mark] = []
    for wanted, colour, share in ((0, grid.on_water, 0.75), (1, grid.colour, 0.4), (2, grid.colour, 1.0)):
        data = "".join(
            f"M{num(a[0])} {num(a[1])}L{num(b[0])} {num(b[1])}" for k, (a, b) in ends.items() if rank[k] == wanted
        )
        if data:
            marks.append(Path(data, Paint(stroke=colour, width=grid.width, cap="round", opacity=grid.opacity * share)))
    return Group(tuple(marks), layer="Grid")


def river_marks(
    hexsides: Sequence[Hexside], style: MapStyle, pitch: float, water: BaseGeometry
) -> tuple[Group, BaseGeometry]:
    """Draw all hexsides whose kind is a river; also return the water's lines, for names to keep clear of."""
    looks: dict[str, HexsideStyle] = {}
    sides: dict[Edge, str] = {}
    for h in hexsides:
        found = [hexside_style(style, k, h.name) for k in sorted(h.kinds)]
        rivers = sorted((f for f in found if f.draw == "river"), key=lambda f: f.width)
        if rivers:
            look = rivers[-1]
            name = f"{look.width:06.3f} {look.colour}"
            looks[name] = look
            sides[edge(h.ends)] = name
    lines = river_lines(sides, pitch, water)
    marks: list[Mark] = []
    for casing in (True, False):
        for name in sorted(lines):
            look = looks[name]
            colour, width = (look.edge, look.width * pitch + 0.5) if casing else (look.colour, look.width * pitch)
            if colour:
                data = "".join(curve(line) for line in lines[name])
                paint = Paint(stroke=colour, width=width, cap="round", join="round", opacity=0.8 if casing else 1.0)
                marks.append(Path(data, paint))
    shapes = [shapely.LineString(line) for name in sorted(lines) for line in lines[name]]
    return Group(tuple(marks), layer="Rivers"), shapely.MultiLineString(shapes)


def river_name_marks(
    hexsides: Sequence[Hexside], style: MapStyle, pitch: float, water: BaseGeometry, taken: shapely.STRtree
) -> Group:
    """Write each river's name once, beside its straightest free stretch; leave it out where there is none.

    taken: names, symbols and numbers, which the letters must not touch.
    """
    look = style.lettering.get("river")
    if look is None:
        return Group((), layer="River names")
    everything: dict[Edge, str] = {}
    widths: dict[str, float] = {}
    for h in hexsides:
        wide = [t.width for t in (hexside_style(style, k, h.name) for k in h.kinds) if t.draw == "river"]
        if wide:
            everything[edge(h.ends)] = h.name
            widths[h.name] = max(*wide, widths.get(h.name, 0.0))
    marks: list[Mark] = []
    lines = river_lines(everything, pitch, water)
    for name in sorted(widths.keys() - {""}):
        off = (widths[name] / 2 + 0.038) * pitch
        size = look.size * pitch / 20
        width = measure(name, look.font, size, look.spacing) + size
        best = _free_stretch(lines.get(name, ()), width, size, off, 0.12 * pitch, taken)
        if best is not None:
            stretch, lift = best
            smooth = shapely.segmentize(rounded(stretch, 3), 0.8)
            path = outline_along(name, look.font, size, list(smooth.coords), spacing=look.spacing, lift=lift)
            halo = Paint(stroke=style.sheet.paper, width=0.035 * pitch, join="round", opacity=0.7)
            marks += [Path(path, halo), Path(path, Paint(fill=look.colour))]
    return Group(tuple(marks), layer="River names")


def _free_stretch(
    lines: Sequence[Sequence[Point]], width: float, size: float, off: float, step: float, taken: shapely.STRtree
) -> tuple[BaseGeometry, float] | None:
    """Find the straightest stretch beside which a name may stand, and how far to lift the name above it, mm."""
    best: tuple[float, BaseGeometry, float] | None = None
    for points in lines:
        xy = np.array(points)
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(xy, axis=0).T))])  # mm from the line's start
        starts = np.arange(0.0, along[-1] - width, step)
        first, last = (np.stack([np.interp(d, along, v) for v in xy.T], axis=1) for d in (starts, starts + width))
        bends = width - np.hypot(*(last - first).T)
        costs = bends + np.abs(starts + width / 2 - along[-1] / 2) * 0.01
        for i in np.argsort(costs, kind="stable").tolist():
            if best is not None and costs[i] >= best[0]:
                break
            if bends[i] > 0.12 * width:
                continue
            inside = xy[(along > starts[i]) & (along < starts[i] + width)]
            stretch = shapely.LineString(np.concatenate([first[i : i + 1], inside, last[i : i + 1]]))
            if last[i, 0] < first[i, 0]:
                stretch = shapely.reverse(stretch)
            for lift in (off, -off - size * 0.62):
                side = shapely.offset_curve(stretch, -lift - size * 0.3, quad_segs=2)
                if not side.is_empty and not len(taken.query(side.buffer(size * 0.5, quad_segs=2), "intersects")):
                    best = (float(costs[i]), stretch, lift)
                    break
            if best is not None and best[0] == costs[i]:
                break
    return None if best is None else best[1:]


def side_marks(hexsides: Sequence[Hexside], style: MapStyle, pitch: float) -> Group:
    """Draw all other hexsides that matter as lines along the grid."""
    marks: list[Mark] = []
    kinds = sorted({k for h in hexsides for k in h.kinds})
    for kind in kinds:
        look = hexside_style(style, kind)
        if look.draw in ("none", "river"):
            continue
        data = "".join(_inset(h.ends, 0.06) for h in hexsides if kind in h.kinds)
        width = look.width * pitch
        dash = (width * 2.4, width * 1.2) if look.draw == "dash" else ()
        if look.edge:
            marks.append(Path(data, Paint(stroke=look.edge, width=width + 0.5, cap="round", opacity=0.9)))
        cap = "butt" if dash else "round"
        marks.append(Path(data, Paint(stroke=look.colour, width=width, cap=cap, dash=dash)))
    return Group(tuple(marks), layer="Hexsides")


def _inset(ends: tuple[Point, Point], share: float) -> str:
    (x0, y0), (x1, y1) = ends
    dx, dy = (x1 - x0) * share, (y1 - y0) * share
    return f"M{num(x0 + dx)} {num(y0 + dy)}L{num(x1 - dx)} {num(y1 - dy)}"


def link_style(style: MapStyle, kind: str) -> LinkStyle:
    """Return the look of a kind of link."""
    return style.link.get(kind, style.link.get("default", LinkStyle()))


def is_near(a: Space, b: Space, pitch: float) -> bool:
    """Tell whether a link between two spaces is short enough to be drawn from one to the other."""
    return math.dist(a.at, b.at) < 3.2 * pitch and "box" not in (a.kind, b.kind)


def link_marks(warmap: WarMap, links: Sequence[Link], style: MapStyle, pitch: float) -> Group:
    """Draw links between near spaces as dots with an arrow head at each end that may be reached."""
    marks: list[Mark] = []
    open_at = np.array([s.at for s in warmap.spaces if s.kind == "hex" and s.enterable]).reshape(-1, 2)
    for link in links:
        a, b = warmap.by_key.get(link.a), warmap.by_key.get(link.b)
        look = link_style(style, link.kind)
        if a is None or b is None or look.draw == "none":
            continue
        if (a.kind == "box") != (b.kind == "box"):
            place, box = (b, a) if a.kind == "box" else (a, b)
            marks += _outward(place, box, open_at, look, style, pitch)
        if not is_near(a, b, pitch):
            continue
        length = math.dist(a.at, b.at) or 1.0
        ux, uy = (b.at[0] - a.at[0]) / length, (b.at[1] - a.at[1]) / length
        mx, my = (a.at[0] + b.at[0]) / 2, (a.at[1] + b.at[1]) / 2
        half = max(0.17 * pitch, length / 2 - 0.62 * pitch)
        start, end = (mx - ux * half, my - uy * half), (mx + ux * half, my + uy * half)
        dash = (0.0, 0.06 * pitch) if look.draw == "dots" else ()
        data = f"M{num(start[0])} {num(start[1])}L{num(end[0])} {num(end[1])}"
        for colour, wider in ((style.sheet.paper, 0.5), (look.colour, 0.0)):
            paint = Paint(stroke=colour, width=0.035 * pitch + wider, cap="round", dash=() if wider else dash)
            marks.append(Path(data, paint))
            heads = _head(end, (ux, uy), 0.11 * pitch) + (
                "" if link.one_way else _head(start, (-ux, -uy), 0.11 * pitch)
            )
            marks.append(Path(heads, Paint(fill=colour, stroke=colour, width=wider, join="round")))
    return Group(tuple(marks), layer="Links")


def line_marks(data: str, look: LinkStyle, width: float, paper: str) -> list[Mark]:
    """Paint a line as road, railway or plain line. width: mm."""

    def stroke(colour: str, wide: float, dash: tuple[float, ...] = (), opacity: float = 1.0) -> Path:
        cap = "butt" if dash else "round"
        return Path(data, Paint(stroke=colour, width=wide, cap=cap, join="round", dash=dash, opacity=opacity))

    if look.draw == "rail":
        halo = stroke(paper, width * 1.9, opacity=0.7)
        return [halo, stroke(look.colour, width), stroke(paper, width * 0.5, (width * 2.2, width * 2.2))]
    if look.draw == "road":
        return [stroke(look.edge or paper, width * 1.45), stroke(look.colour, width)]
    return [stroke(paper, width * 1.6, opacity=0.7), stroke(look.colour, width)]


def link_sample(look: LinkStyle, near: bool, x: float, y: float) -> list[Mark]:
    """Draw a link for the key: from space to space, or the head that points to a box."""
    if not near:
        return [Path(_head((x - 1, y), (1.0, 0.0), 2.4), Paint(fill=look.colour))]
    if look.draw in LINES:
        data = curve([(x - 5.5, y + 0.8), (x - 2, y - 0.6), (x + 2, y + 0.5), (x + 5.5, y - 0.6)])
        return line_marks(data, look, look.width * 20, "#ffffff")
    dash = (0.0, 1.2) if look.draw == "dots" else ()
    heads = _head((x + 3.6, y), (1.0, 0.0), 2.0) + _head((x - 3.6, y), (-1.0, 0.0), 2.0)
    line = Paint(stroke=look.colour, width=0.7, cap="round", dash=dash)
    return [Path(f"M{num(x - 3)} {num(y)}L{num(x + 3)} {num(y)}", line), Path(heads, Paint(fill=look.colour))]


def _outward(
    s: Space, box: Space, open_at: NDArray[np.float64], look: LinkStyle, style: MapStyle, pitch: float
) -> list[Mark]:
    """Point out of a hex that is linked to a box: away from its open neighbours, or to the box if it has none."""
    away = np.array(s.at) - open_at
    far = np.hypot(*away.T)
    near = away[(far > 0.1) & (far < 1.2 * pitch)]
    dx, dy = near.sum(axis=0) if len(near) else (0.0, 0.0)
    if math.hypot(dx, dy) < 0.1 * pitch:
        dx, dy = box.at[0] - s.at[0], box.at[1] - s.at[1]
    degrees = round(math.degrees(math.atan2(dy, dx)) / 30) * 30
    angle = math.radians(-60 if degrees == -90 else degrees)  # the number stands under the upper edge
    way = (math.cos(angle), math.sin(angle))
    tip = (s.at[0] + way[0] * 0.37 * pitch, s.at[1] + way[1] * 0.37 * pitch)
    data = _head(tip, way, 0.1 * pitch)
    return [Path(data, Paint(fill=look.colour, stroke=style.sheet.paper, width=0.02 * pitch, join="round"))]


def _head(tip: Point, way: Point, size: float) -> str:
    """Return the path of an arrow head with a notch, so that nobody asks which corner is the point."""
    (x, y), (ux, uy) = tip, way
    along = [(size, 0.0), (-size * 0.4, size * 0.55), (-size * 0.1, 0.0), (-size * 0.4, -size * 0.55)]
    return polygon([(x + ux * a - uy * b, y + uy * a + ux * b) for a, b in along])


def border_marks(lines: BaseGeometry, style: MapStyle, land: BaseGeometry) -> Group:
    """Draw the borders between countries as dash and dot, over a pale band."""
    data = geometry_path(shapely.simplify(shapely.line_merge(_lines_of(lines)), 0.05).intersection(land))
    if not data:
        return Group((), layer="Borders")
    band = Paint(stroke=style.land.border, width=1.1, opacity=0.14, join="round", cap="round")
    dash = Paint(stroke=style.land.border, width=0.3, dash=(2.2, 0.7, 0.3, 0.7), opacity=0.85, join="round")
    return Group((Path(data, band), Path(data, dash)), layer="Borders")


def _lines_of(geometry: BaseGeometry) -> BaseGeometry:
    lines = [g for g in shapely.get_parts(geometry) if g.geom_type == "LineString"]
    return shapely.MultiLineString(lines)
