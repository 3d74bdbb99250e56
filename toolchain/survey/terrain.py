"""What ground every hex is: shares by area, then the terrain that the legend's thresholds make of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.model.drawing import Drawing
from toolchain.model.hexes import Floats, HexGrid, Ints
from toolchain.report import Report
from toolchain.sources.decode.maps import MapPlan
from toolchain.survey.areas import area_shares, inside_at_centres
from toolchain.survey.fitting import fitting
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
    rest: place of the terrain that takes what is left, -1 for none. centre: (cells,), the terrain whose ground covers
    the centre of the hex, -1 for none; only measured where the legend asks for it.
    """

    areas: tuple[BaseGeometry, ...]
    shares: Floats
    frame: BaseGeometry
    rest: int = -1
    centre: Ints | None = None

    def area(self, terrain: int) -> BaseGeometry:
        """Return the ground of a terrain of the legend, the rest included."""
        if terrain != self.rest:
            return self.areas[terrain]
        return shapely.difference(self.frame, shapely.union_all(self.areas))


@dataclass(frozen=True)
class Verdicts:
    """The terrain of every cell: its place in the legend, -1 for none; and how near the decision was.

    margin: change of area, as a share of the hex, that would have led to another terrain; infinite if none would.
    land: share of land. causes, cause: words for what was decided narrowly, by cell.
    """

    terrain: Ints
    margin: Floats
    land: Floats
    causes: tuple[Callable[[int], str], ...]
    cause: Ints

    def why(self, cell: int) -> str:
        """Say in words why the decision was near, for a cell with a margin below TIE."""
        words: str = self.causes[self.cause[cell]](cell)
        return words


def survey_grounds(plan: MapPlan, drawing: Drawing, report: Report) -> Grounds:
    """Measure the ground of every hex. A terrain takes what those before it in the legend have left.

    What lies beyond the outlines of a plan is no ground: hexes that they cut are measured by the rest.
    """
    grid = plan.grid
    frame = _frame(grid)
    if plan.outlines:
        frame = shapely.intersection(frame, paper_of(plan))
    areas = cut_grounds(plan, drawing, frame, report)
    shares = np.clip(area_shares(grid, areas), 0.0, 1.0)
    if plan.outlines:
        there = share_on_paper(plan)[:, None]
        shares = np.clip(np.divide(shares, there, out=np.zeros_like(shares), where=there > 0), 0.0, 1.0)
    rest = _with_rest(plan, shares)
    return Grounds(tuple(areas), shares, frame, rest, _at_centres(plan, areas, rest))


def ground_of_shapes(plan: MapPlan, drawing: Drawing, shapes: NDArray[np.object_], at: Floats) -> Grounds:
    """Measure the ground of free polygons, such as the spaces of an area map; what is wrong with layers is not said.

    shapes: valid, in sheet millimetres, shape (n,); at: their middles, shape (n, 2). Rows of the shares are the shapes.
    """
    frame = shapely.box(*shapely.total_bounds(shapes))
    areas = cut_grounds(plan, drawing, frame, Report())
    parts, kind = shapely.get_parts(np.array(areas, dtype=object), return_index=True)
    shares = np.zeros((len(shapes), len(areas)))
    if len(parts):
        n, shape = shapely.STRtree(shapes).query(parts, predicate="intersects")[[0, 1]]
        over = shapely.area(shapely.intersection(shapes[shape], parts[n]))
        np.add.at(shares, (shape, kind[n]), over / shapely.area(shapes)[shape])
    shares = np.clip(shares, 0.0, 1.0)
    rest = _with_rest(plan, shares)
    centre = None
    if any(plan.data.measured(t) == "centre" for t in plan.data.terrain):
        centre = np.full(len(shapes), rest)
        for i, area in enumerate(areas):
            centre[shapely.contains_xy(area, at)] = i
    return Grounds(tuple(areas), shares, frame, rest, centre)


def _with_rest(plan: MapPlan, shares: Floats) -> int:
    """Give the terrain that is the rest what the others leave, and drop dust, in place; return its place, or -1."""
    rest = next((i for i, t in enumerate(plan.data.terrain) if t.rest), -1)
    if rest >= 0:
        shares[:, rest] = np.clip(1.0 - shares.sum(axis=1), 0.0, 1.0)
    shares[shares < DUST] = 0.0
    return rest


def cut_grounds(plan: MapPlan, drawing: Drawing, frame: BaseGeometry, report: Report) -> list[BaseGeometry]:
    """Return the ground of each terrain within a frame, disjoint: each takes what those before it have left."""
    covered: BaseGeometry = _NOTHING
    areas = []
    for i, t in enumerate(plan.data.terrain):
        area: BaseGeometry = _NOTHING
        name = t.layer or t.outside
        if name in drawing:
            at = plan.at(f"terrain.{i}.{'layer' if t.layer else 'outside'}")
            areal = fitting(drawing[name], (2,), "area", at, report)
            area = shapely.intersection(shapely.union_all([s.geometry for s in areal]), frame)
            if t.outside:
                area = shapely.difference(frame, area)
            area = shapely.difference(area, covered)
            covered = shapely.union(covered, area)
        areas.append(area)
    return areas


def _frame(grid: HexGrid) -> BaseGeometry:
    """Return the extent of a grid: that of its first and last two columns and rows."""
    columns = {c for c in (0, 1, grid.columns - 2, grid.columns - 1) if 0 <= c < grid.columns}
    rows = {r for r in (0, 1, grid.rows - 2, grid.rows - 1) if 0 <= r < grid.rows}
    corners = grid.corners([(c, r) for c in sorted(columns) for r in sorted(rows)])
    return shapely.box(*corners.min(axis=(0, 1)), *corners.max(axis=(0, 1)))


def _at_centres(plan: MapPlan, areas: Sequence[BaseGeometry], rest: int) -> Ints | None:
    if not any(plan.data.measured(t) == "centre" for t in plan.data.terrain):
        return None
    out = np.full(len(plan.grid.cells), rest)
    for i, area in enumerate(areas):
        if i != rest:
            out[inside_at_centres(plan.grid, area)] = i
    return out


def judge(plan: MapPlan, grounds: Grounds, named: NDArray[np.bool_]) -> Verdicts:
    """Decide the terrain of every cell.

    named: cells that bear a name. First water: by area a cell is the water that covers most of it if it has too little
    land; by centre or touch if its centre, or any of it, is water. Then on land the terrains with a `from`, by centre
    or by touch are tried in order of the legend, `from` against the land of the hex; then the others compete by area.
    """
    legend, shares = plan.data.terrain, grounds.shares
    rows = np.arange(len(shares))
    terrain = np.full(len(shares), -1, dtype=np.int64)
    margin = np.full(len(shares), np.inf)
    causes: list[Callable[[int], str]] = []
    cause = np.zeros(len(shares), dtype=np.int64)
    water = [i for i, t in enumerate(legend) if t.is_water]
    dry = [i for i, t in enumerate(legend) if not t.is_water and (t.layer or t.rest or t.outside)]
    by_area = {i for i, t in enumerate(legend) if t.rest or plan.data.measured(t) == "area"}
    land = 1.0 - shares[:, water].sum(axis=1)
    if not legend:
        return Verdicts(terrain, margin, land, (), cause)

    def near(cells: NDArray[np.bool_], by: Floats, words: Callable[[int], str]) -> None:
        """Note a margin where it is the smallest so far."""
        closer = cells & (by < margin)
        margin[closer] = by[closer]
        cause[closer] = len(causes)
        causes.append(words)

    def wins(i: int, cells: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Tell which of some cells a terrain by centre or by touch wins."""
        name = legend[i].name
        if plan.data.measured(legend[i]) == "touch":
            near(cells & (shares[:, i] > 0), shares[:, i], lambda n: f"{name} covers {shares[n, i]:.1%} of it")
            return cells & (shares[:, i] > 0)
        return cells & (grounds.centre == i)

    every = plan.data.land_from
    least = np.where(named, every if plan.data.land_from_named is None else plan.data.land_from_named, every)
    open_ = np.ones(len(shares), dtype=bool)
    for i in water:
        if i not in by_area:
            won = wins(i, open_)
            terrain[won] = i
            open_ &= ~won
    broad = [i for i in water if i in by_area]
    if broad and dry:
        words = "{:.1%} of it is land where {:.0%} are needed".format
        near(open_ & (land > 0) & (land < 1), np.abs(land - least), lambda n: words(land[n], least[n]))
    if broad:
        # A share of exactly nothing is no land, whatever the threshold.
        sunk = open_ & ~((land >= least - DUST) & (land > 0) & bool(dry))
        terrain[sunk] = np.asarray(broad)[shares[:, broad].argmax(axis=1)][sunk]
        open_ &= ~sunk

    ground = np.where(land > 0, land, 1.0)
    for i in dry:
        t = legend[i]
        if i not in by_area:
            won = wins(i, open_)
        elif t.least is not None:
            counted = [i] + [j for j, other in enumerate(legend) if other.name in t.counts and j != i]
            part = shares[:, counted].sum(axis=1) / ground
            won = open_ & (part >= t.least - DUST) & (part > 0)
            near(open_ & (part > 0), np.abs(part - t.least) * ground, _threshold(t.name, part, t.least))
        else:
            continue
        terrain[won] = i
        open_ &= ~won
    rivals = [i for i in dry if legend[i].least is None and i in by_area]
    if rivals:
        order = np.argsort(-shares[:, rivals], axis=1, kind="stable")
        best = np.asarray(rivals)[order[:, 0]]
        found = open_ & (shares[rows, best] > 0)
        terrain[found] = best[found]
        terrain[open_ & ~found] = grounds.rest
        if len(rivals) > 1:
            second = np.asarray(rivals)[order[:, 1]]
            gap = shares[rows, best] - shares[rows, second]
            told = "{} covers {:.1%} of it and {} {:.1%}".format
            near(
                open_ & (shares[rows, second] > 0),
                gap,
                lambda n: told(legend[best[n]].name, shares[n, best[n]], legend[second[n]].name, shares[n, second[n]]),
            )
    if grounds.centre is not None:
        most, there = shares.argmax(axis=1), np.maximum(terrain, 0)
        centred = np.isin(
            np.arange(len(legend)), [i for i, t in enumerate(legend) if plan.data.measured(t) == "centre"]
        )
        against = (terrain >= 0) & (shares[rows, most] > shares[rows, there]) & (centred[most] | centred[there])
        text = "its centre is {}, which covers {:.1%} of it, and {} {:.1%}".format
        near(
            against,
            np.zeros(len(shares)),
            lambda n: text(legend[there[n]].name, shares[n, there[n]], legend[most[n]].name, shares[n, most[n]]),
        )
    return Verdicts(terrain, margin, land, tuple(causes), cause)


def _threshold(name: str, part: Floats, least: float) -> Callable[[int], str]:
    return lambda i: f"{name} covers {part[i]:.1%} of its land where {least:.0%} are needed"
