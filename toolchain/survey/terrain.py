"""What ground every hex is: shares by area, then the terrain that the legend's thresholds make of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import WRONG_SHAPES
from toolchain.model.drawing import Drawing
from toolchain.model.hexes import Floats, Ints
from toolchain.report import Report
from toolchain.sources.decode.maps import MapPlan
from toolchain.survey.areas import area_shares
from toolchain.survey.paper import paper_of, share_on_paper

# A terrain decided by less than this share of the hex is worth a look.
TIE = 0.05
# Rounding leaves no more than this of a hex.
DUST = 1e-9
_NOTHING = shapely.from_wkt("POLYGON EMPTY")


@dataclass(frozen=True)
class Grounds:
    """The ground of each terrain of the legend, disjoint, in sheet millimetres, and its share of every hex.

    areas: one geometry for each terrain; empty for the rest and for those that are only stated.
    shares: (cells, terrains), each row summing to 1 where a terrain is the rest. frame: the extent of the grid.
    rest: place of the terrain that takes what is left, -1 for none.
    """

    areas: tuple[BaseGeometry, ...]
    shares: Floats
    frame: BaseGeometry
    rest: int = -1

    def area(self, terrain: int) -> BaseGeometry:
        """Return the ground of a terrain of the legend, the rest included."""
        if terrain != self.rest:
            return self.areas[terrain]
        return shapely.difference(self.frame, shapely.union_all(self.areas))


@dataclass(frozen=True)
class Verdicts:
    """The terrain of every cell: its place in the legend, -1 for none; and how near the decision was.

    margin: change of area, as a share of the hex, that would have led to another terrain; infinite if none would.
    reason: why it was near, in words, for cells with a margin below TIE.
    land: share of land.
    """

    terrain: Ints
    margin: Floats
    reason: dict[int, str]
    land: Floats


def survey_grounds(plan: MapPlan, drawing: Drawing, report: Report) -> Grounds:
    """Measure the ground of every hex. A terrain takes what those before it in the legend have left.

    What lies beyond the outlines of a plan is no ground: hexes that they cut are measured by the rest.
    """
    grid = plan.grid
    left, top = grid.corners(grid.cells).min(axis=(0, 1))
    right, bottom = grid.corners(grid.cells).max(axis=(0, 1))
    frame = shapely.box(left, top, right, bottom)
    if plan.outlines:
        frame = shapely.intersection(frame, paper_of(plan))
    covered: BaseGeometry = _NOTHING
    areas = []
    for i, t in enumerate(plan.data.terrain):
        area: BaseGeometry = _NOTHING
        name = t.layer or t.outside
        if name in drawing:
            shapes = np.array([s.geometry for s in drawing[name].shapes], dtype=object)
            areal = shapes[shapely.get_dimensions(shapes) == 2] if len(shapes) else shapes
            if len(shapes) and not len(areal):
                key = f"terrain.{i}.{'layer' if t.layer else 'outside'}"
                report.add(WRONG_SHAPES, plan.at(key), f"{name!r} has no areas")
            area = shapely.intersection(shapely.union_all(areal), frame)
            if t.outside:
                area = shapely.difference(frame, area)
            area = shapely.difference(area, covered)
            covered = shapely.union(covered, area)
        areas.append(area)
    shares = np.clip(area_shares(grid, areas), 0.0, 1.0)
    if plan.outlines:
        there = share_on_paper(plan)[:, None]
        shares = np.clip(np.divide(shares, there, out=np.zeros_like(shares), where=there > 0), 0.0, 1.0)
    rest = next((i for i, t in enumerate(plan.data.terrain) if t.rest), -1)
    if rest >= 0:
        shares[:, rest] = np.clip(1.0 - shares.sum(axis=1), 0.0, 1.0)
    shares[shares < DUST] = 0.0
    return Grounds(tuple(areas), shares, frame, rest)


def judge(plan: MapPlan, shares: Floats, named: NDArray[np.bool_]) -> Verdicts:
    """Decide the terrain of every cell.

    shares: (cells, terrains) by area. named: cells that bear a name. A cell with too little land is the water that
    covers most of it. On land, terrains with a `from` are tried in order of the legend, against the land of the hex;
    then the others compete by area.
    """
    legend = plan.data.terrain
    count = len(shares)
    terrain = np.full(count, -1, dtype=np.int64)
    margin = np.full(count, np.inf)
    reason: dict[int, str] = {}
    water = [i for i, t in enumerate(legend) if t.is_water]
    dry = [i for i, t in enumerate(legend) if not t.is_water and (t.layer or t.rest or t.outside)]
    land = 1.0 - shares[:, water].sum(axis=1)
    if not legend:
        return Verdicts(terrain, margin, reason, land)

    every = plan.data.land_from
    least = np.where(named, every if plan.data.land_from_named is None else plan.data.land_from_named, every)
    # A share of exactly nothing is no land, whatever the threshold.
    is_land = (land >= least - DUST) & (land > 0) & bool(dry)

    def near(cells: NDArray[np.bool_], by: Floats, words: Callable[[int], str]) -> None:
        """Note a margin where it is the smallest so far."""
        for i in np.flatnonzero(cells & (by < TIE) & (by < margin)).tolist():
            reason[i] = words(i)
        np.copyto(margin, np.minimum(margin, by), where=cells)

    if water and dry:
        words = "{:.1%} of it is land where {:.0%} are needed".format
        near((land > 0) & (land < 1), np.abs(land - least), lambda i: words(land[i], least[i]))
    if water:
        terrain[~is_land] = np.asarray(water)[shares[:, water].argmax(axis=1)][~is_land]

    open_ = is_land.copy()
    ground = np.where(land > 0, land, 1.0)
    for i in dry:
        t = legend[i]
        if t.least is None:
            continue
        counted = [i] + [j for j, other in enumerate(legend) if other.name in t.counts and j != i]
        part = shares[:, counted].sum(axis=1) / ground
        wins = open_ & (part >= t.least - DUST) & (part > 0)
        near(open_ & (part > 0), np.abs(part - t.least) * ground, _threshold(t.name, part, t.least))
        terrain[wins] = i
        open_ &= ~wins
    rivals = [i for i in dry if legend[i].least is None]
    if rivals:
        order = np.argsort(-shares[:, rivals], axis=1, kind="stable")
        best = np.asarray(rivals)[order[:, 0]]
        terrain[open_] = best[open_]
        if len(rivals) > 1:
            second = np.asarray(rivals)[order[:, 1]]
            rows = np.arange(count)
            gap = shares[rows, best] - shares[rows, second]
            words = "{} covers {:.1%} of it and {} {:.1%}".format
            near(
                open_ & (shares[rows, second] > 0),
                gap,
                lambda i: words(legend[best[i]].name, shares[i, best[i]], legend[second[i]].name, shares[i, second[i]]),
            )
    return Verdicts(terrain, margin, reason, land)


def _threshold(name: str, part: Floats, least: float) -> Callable[[int], str]:
    return lambda i: f"{name} covers {part[i]:.1%} of its land where {least:.0%} are needed"
