"""Lines of the grid: hexes, hexsides that matter, links between neighbours."""

from __future__ import annotations

import math
from collections.abc import Sequence

import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.art.marks import Group, Mark, Paint, Path, num, polygon
from toolchain.art.rivers import Edge, edge, river_lines
from toolchain.art.shapes import curve, geometry_path
from toolchain.model.warmap import Hexside, Link, Space, WarMap
from toolchain.sources.decode.mapstyle import HexsideStyle, LinkStyle, MapStyle

Point = tuple[float, float]


def hexside_style(style: MapStyle, kind: str, name: str = "") -> HexsideStyle:
    """Return the look of a kind of hexside, or of a name that has its own; unknown kinds are plain dark lines."""
    base = style.hexside.get(kind, HexsideStyle())
    for special in style.named:
        if special.kind == kind and name in special.names:
            return base.model_copy(update={"colour": special.colour, "width": special.width, "title": special.title})
    return base


def grid_lines(spaces: Sequence[Space], style: MapStyle) -> Group:
    """Draw every side of the grid once: paler where both neighbours are open water."""
    dry: dict[Edge, bool] = {}
    ends: dict[Edge, tuple[Point, Point]] = {}
    for s in spaces:
        land = s.terrain not in style.water.terrain or s.enterable
        for a, b in zip(s.outline, (*s.outline[1:], s.outline[0]), strict=True):
            key = edge((a, b))
            ends.setdefault(key, (a, b))
            dry[key] = dry.get(key, False) or land
    grid = style.grid
    marks: list[Mark] = []
    for land, colour, opacity in ((False, grid.on_water, grid.opacity * 0.75), (True, grid.colour, grid.opacity)):
        data = "".join(
            f"M{num(a[0])} {num(a[1])}L{num(b[0])} {num(b[1])}" for k, (a, b) in ends.items() if dry[k] == land
        )
        if data:
            marks.append(Path(data, Paint(stroke=colour, width=grid.width, cap="round", opacity=opacity)))
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
    return math.dist(a.at, b.at) < 2.3 * pitch and "box" not in (a.kind, b.kind)


def link_marks(warmap: WarMap, links: Sequence[Link], style: MapStyle, pitch: float) -> Group:
    """Draw links between near spaces as dots with an arrow head at each end that may be reached."""
    marks: list[Mark] = []
    for link in links:
        a, b = warmap.by_key.get(link.a), warmap.by_key.get(link.b)
        look = link_style(style, link.kind)
        if a is None or b is None or look.draw == "none" or not is_near(a, b, pitch):
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


def _head(tip: Point, way: Point, size: float) -> str:
    (x, y), (ux, uy) = tip, way
    return polygon(
        [
            (x + ux * size, y + uy * size),
            (x - uy * size * 0.55, y + ux * size * 0.55),
            (x + uy * size * 0.55, y - ux * size * 0.55),
        ]
    )


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
