"""Links on the map: dots and arrows between near spaces, heads that point out to boxes, and their looks."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from toolchain.art.marks import Group, Mark, Paint, Path, num, polygon
from toolchain.art.shapes import curve
from toolchain.model.warmap import Link, Point, Space, WarMap
from toolchain.sources.decode.mapstyle import LinkStyle, MapStyle

LINES = ("rail", "ticks", "line", "road", "track")  # links that run on from space to space; what comes later lies lower


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
            heads = head(end, (ux, uy), 0.11 * pitch) + ("" if link.one_way else head(start, (-ux, -uy), 0.11 * pitch))
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
    if look.draw == "ticks":
        halo = stroke(paper, width * 3.4, opacity=0.7)
        return [halo, stroke(look.colour, width * 4.2, (width * 0.8, width * 7)), stroke(look.colour, width)]
    if look.draw == "track":
        return [stroke(paper, width * 2.2, opacity=0.7), stroke(look.colour, width, (width * 3, width * 1.8))]
    if look.draw == "road":
        return [stroke(look.edge or paper, width * 1.45), stroke(look.colour, width)]
    return [stroke(paper, width * 1.6, opacity=0.7), stroke(look.colour, width)]


def breadth(look: LinkStyle) -> float:
    """Return how much room a line wants beside another one, as a share of the pitch."""
    return look.width * {"road": 1.6, "rail": 1.5, "ticks": 4.0, "track": 1.8}.get(look.draw, 1.6)


def link_sample(look: LinkStyle, near: bool, x: float, y: float) -> list[Mark]:
    """Draw a link for the key: from space to space, or the head that points to a box."""
    if not near:
        return [Path(head((x - 1, y), (1.0, 0.0), 2.4), Paint(fill=look.colour))]
    if look.draw in LINES:
        data = curve([(x - 5.5, y + 0.8), (x - 2, y - 0.6), (x + 2, y + 0.5), (x + 5.5, y - 0.6)])
        return line_marks(data, look, look.width * 20, "#ffffff")
    dash = (0.0, 1.2) if look.draw == "dots" else ()
    heads = head((x + 3.6, y), (1.0, 0.0), 2.0) + head((x - 3.6, y), (-1.0, 0.0), 2.0)
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
    data = head(tip, way, 0.1 * pitch)
    return [Path(data, Paint(fill=look.colour, stroke=style.sheet.paper, width=0.02 * pitch, join="round"))]


def head(tip: Point, way: Point, size: float) -> str:
    """Return the path of an arrow head with a notch, so that nobody asks which corner is the point."""
    (x, y), (ux, uy) = tip, way
    along = [(size, 0.0), (-size * 0.4, size * 0.55), (-size * 0.1, 0.0), (-size * 0.4, -size * 0.55)]
    return polygon([(x + ux * a - uy * b, y + uy * a + ux * b) for a, b in along])
