"""Pieces of a map sheet that are printed by themselves too, such as a player's own board beside the map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from toolchain.art.mapsheet import MapSheet
from toolchain.art.marks import Group, Page, rectangle, shifted
from toolchain.sources.decode.mapstyle import CutStyle


def cut_sheets(sheets: Mapping[str, MapSheet], cuts: Mapping[str, CutStyle]) -> dict[str, MapSheet]:
    """Cut pieces out of drawn sheets, by name; those of a sheet that is not there are left out."""
    return {
        name: MapSheet(_piece(sheets[cut.sheet].page, cut), None)
        for name, cut in cuts.items()
        if cut.sheet in sheets and name not in sheets
    }


def _piece(page: Page, cut: CutStyle) -> Page:
    (x, y), (width, height) = cut.at, cut.size
    inner = Group(page.marks, shifted(-x, -y))
    whole = Group((inner,), clip=rectangle(0, 0, width, height))
    return replace(page, width=width, height=height, marks=(whole,), title=cut.title or page.title)
