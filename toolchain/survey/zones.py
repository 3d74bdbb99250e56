"""Zones that lie over hexes: what the hexes are told of them, and how they are joined as spaces of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from toolchain.catalogue import OUTSIDE_ZONES
from toolchain.model.hexes import Floats, HexGrid, Ints
from toolchain.model.warmap import Link, Space
from toolchain.report import Report
from toolchain.sources.decode.boards import ZonesData
from toolchain.sources.decode.maps import MapPlan
from toolchain.survey.areas import area_shares
from toolchain.survey.shapes import Drawn

TOUCH = 0.01  # part of a hex that a zone must cover to touch it
LISTED = 12
# So many zones are measured at once, to bound the memory; and rounding leaves no more than this of a hex.
CHUNK = 32
DUST = 1e-9


def lay_zones(
    plan: MapPlan, entry: int, zones: Sequence[Drawn], hexes: Sequence[Space], report: Report
) -> tuple[list[Space], list[Link]]:
    """Lay the zones of one [[zones]] over the hexes.

    entry: its number. Returns the hexes, with the trait of the zone that covers most of each, and the links between
    zones that are spaces and the hexes that they touch. Hexes of the terrains of `only` in no zone are a finding.
    Zones that are not enterable close hexes of which they cover more than half, or more than half of the land.
    """
    data: ZonesData = plan.data.zones[entry]
    out = list(hexes)
    if not zones or not hexes:
        return out, []
    zone, hex_, share = _covered(plan.grid, zones, hexes)
    covered = np.array([not data.only or s.terrain in data.only for s in hexes])
    best = np.full(len(hexes), -1)
    for n in np.argsort(share, kind="stable").tolist():  # the greatest share comes last and stays
        if share[n] >= TOUCH and covered[hex_[n]]:
            best[hex_[n]] = zone[n]
    if data.trait:
        for n in np.flatnonzero(best >= 0).tolist():
            key = zones[best[n]].space.key
            out[n] = replace(out[n], traits={**out[n].traits, data.trait: key})
    if not data.spaces and not data.enterable:
        for n in np.unique(hex_[(share > 0.5 * _dry(plan, hexes)[hex_]) & covered[hex_]]).tolist():
            out[n] = replace(out[n], enterable=False)
    missed = [hexes[n].key for n in np.flatnonzero(covered & (best < 0)).tolist()] if data.only else []
    if missed:
        words = ", ".join(missed[:LISTED]) + (f" and {len(missed) - LISTED} more" if len(missed) > LISTED else "")
        where = plan.at(f"zones.{entry}.layer")
        count = f"{len(missed)} hex{'es lie' if len(missed) > 1 else ' lies'} in no zone"
        report.add(OUTSIDE_ZONES, where, f"{count}: {words}", hexes=missed)
    links = []
    if data.link:
        water = {t.name for t in plan.data.terrain if t.is_water} | set(data.only)
        order = np.lexsort((hex_, zone))
        for n in order.tolist():
            s = hexes[hex_[n]]
            if share[n] >= TOUCH and s.enterable and s.terrain not in water:
                where = zones[zone[n]].space.where
                links.append(Link(zones[zone[n]].space.key, s.key, data.link, assumed=data.assumed, where=where))
    return out, links


def _dry(plan: MapPlan, hexes: Sequence[Space]) -> NDArray[np.float64]:
    """Return the part of each hex that can lie in a zone of land: all of it but the water of a hex of land."""
    water = {t.name for t in plan.data.terrain if t.is_water}
    wet = [0.0 if s.terrain in water else sum(s.shares.get(w, 0.0) for w in water) for s in hexes]
    return 1.0 - np.array(wet)


def _covered(grid: HexGrid, zones: Sequence[Drawn], hexes: Sequence[Space]) -> tuple[Ints, Ints, Floats]:
    """Return zone, hex and share of the hex for every pair that meets, each of shape (n,), zone by zone."""
    cells = grid.index([s.cell or (-1, -1) for s in hexes])
    found = []
    for first in range(0, len(zones), CHUNK):
        shares = area_shares(grid, [z.geometry for z in zones[first : first + CHUNK]])[cells].T
        zone, hex_ = np.nonzero(shares > DUST)
        found.append((zone + first, hex_, shares[zone, hex_]))
    zone, hex_, share = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return zone, hex_, share
