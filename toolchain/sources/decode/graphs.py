"""The graph file of a map, checked as it is read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from toolchain.model.hexes import HexGrid
from toolchain.model.warmap import Hexside, LegendEntry, Link, Placement, Sheet, Space, Track
from toolchain.sources.decode import Raw


class GraphData(Raw):
    """The whole of a graph file, format 1: the fields of `WarMap`."""

    format: Literal[1]
    name: str
    title: str = ""
    sheets: tuple[Sheet, ...] = ()
    grids: Mapping[str, HexGrid] = {}
    legend: tuple[LegendEntry, ...] = ()
    spaces: tuple[Space, ...] = ()
    hexsides: tuple[Hexside, ...] = ()
    links: tuple[Link, ...] = ()
    spellings: Mapping[str, str] = {}
    tracks: tuple[Track, ...] = ()
    placements: tuple[Placement, ...] = ()
