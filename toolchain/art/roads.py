"""Roads and railways: links drawn as smooth lines through the middles of their spaces."""

from __future__ import annotations

from collections.abc import Sequence

from toolchain.art.hexlines import LINES, is_near, line_marks, link_style
from toolchain.art.marks import Group, Mark
from toolchain.art.rivers import Edge, chains, node
from toolchain.art.shapes import curve
from toolchain.model.warmap import Link, WarMap
from toolchain.sources.decode.mapstyle import MapStyle

Point = tuple[float, float]


def is_road(warmap: WarMap, link: Link, style: MapStyle, pitch: float) -> bool:
    """Tell whether a link is drawn as a road, a railway or a plain line."""
    a, b = warmap.by_key.get(link.a), warmap.by_key.get(link.b)
    drawn = link_style(style, link.kind).draw in LINES
    return drawn and a is not None and b is not None and is_near(a, b, pitch)


def road_marks(warmap: WarMap, links: Sequence[Link], style: MapStyle, pitch: float) -> Group:
    """Draw roads and railways, kind by kind, so that all of a kind join at crossings.

    A link that was drawn follows its line; others run from middle to middle in one curve through every space on the
    way. Railways lie over roads.
    """
    marks: list[Mark] = []
    kinds = sorted({k.kind for k in links}, key=lambda k: (LINES[::-1].index(link_style(style, k).draw), k))
    for kind in kinds:
        middles: dict[tuple[int, int], Point] = {}
        edges: set[Edge] = set()
        drawn: list[list[Point]] = []
        for link in links:
            if link.kind != kind:
                continue
            a, b = warmap.by_key[link.a].at, warmap.by_key[link.b].at
            if link.line:
                drawn.append([a, *link.line, b])
            else:
                middles |= {node(a): a, node(b): b}
                edges.add((min(node(a), node(b)), max(node(a), node(b))))
        lines = [[middles[n] for n in chain] for chain in chains(edges)] + drawn
        look = link_style(style, kind)
        marks += line_marks("".join(curve(line) for line in lines), look, look.width * pitch, style.sheet.paper)
    return Group(tuple(marks), layer="Roads")
