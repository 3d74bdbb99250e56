"""Which hex each named place stands in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from toolchain.catalogue import MOVED_WITHOUT_REASON, OFF_GRID, REPEATED_NAME, TWO_PLACES
from toolchain.model.hexes import Floats, Ints
from toolchain.report import Report
from toolchain.sources.decode.maps import MapPlan
from toolchain.sources.decode.places import Place
from toolchain.sources.projection import Projection


@dataclass(frozen=True, slots=True)
class _Found:
    """A place, the hex that its coordinates say (or None), and the hex where it is put."""

    place: Place
    lies: int | None
    put: int


def settle(
    plan: MapPlan, projection: Projection | None, on_map: NDArray[np.bool_], report: Report
) -> Mapping[int, Place]:
    """Give every place its hex.

    on_map: which cells of the grid are spaces. Returns places by cell (place in `grid.cells`). A place off the map,
    two places in one hex and two places of one name are findings; the first of two stays.
    """
    points = points_of(plan.places, projection)
    cells = np.full(len(points), -1)
    there = ~np.isnan(points[:, 0])
    cells[there] = plan.grid.index(plan.grid.cell_at(points[there]))
    found = []
    for place, point, cell, given in zip(plan.places, points, cells.tolist(), there.tolist(), strict=True):
        one = _find(plan, place, point if given else None, cell if given else None, on_map, report)
        if one is not None:
            found.append(one)
    names: dict[str, Place] = {}
    settled: dict[int, Place] = {}
    taken = {f.put for f in found}
    for f in found:
        place = f.place
        if place.name and place.name in names:
            first = names[place.name].where
            where = place.where
            report.add(REPEATED_NAME, where, f"{place.name!r} is the name of row {first.line} already")
            continue
        names[place.name] = place
        if f.put in settled:
            report.add(
                TWO_PLACES,
                place.where,
                _conflict(plan, settled[f.put], f, on_map, taken, projection),
                first=settled[f.put].name,
                second=place.name,
            )
            continue
        settled[f.put] = place
    return settled


def _find(
    plan: MapPlan, place: Place, point: Floats | None, lies: int | None, on_map: NDArray[np.bool_], report: Report
) -> _Found | None:
    """Find the hex of a place. point: where it lies on the sheet, lies: in which cell; None if it says neither."""
    grid = plan.grid
    stated = plan.grid.cell(place.label) if place.label else place.cell
    if place.label and stated is None:
        report.add(OFF_GRID, place.where, f"{place.label!r} is no number of a hex of this grid")
        return None
    if stated is None and lies is None:
        return None  # the projection failed, which is a finding already
    put = int(grid.index([stated])[0]) if stated is not None else lies
    assert put is not None
    if put < 0 or not on_map[put]:
        beyond = ""
        if stated is None and point is not None:
            away = np.hypot(*(grid.centres(grid.cells[on_map]) - point).T).min() if on_map.any() else np.inf
            beyond = f", {away:.0f} mm from the nearest hex" if np.isfinite(away) else ""
        report.add(OFF_GRID, place.where, f"{place.name or 'the row'} lies outside the hexes of the sheet{beyond}")
        return None
    if lies is not None and lies != put and not place.assumed and not place.cite:
        there = "outside the grid" if lies < 0 else f"in {_label(plan, lies)}"
        text = f"{place.name} lies {there} but is put in {_label(plan, put)}"
        report.add(MOVED_WITHOUT_REASON, place.where, text)
    return _Found(place, lies, put)


def points_of(places: Sequence[Place], projection: Projection | None) -> Floats:
    """Return where places lie on the sheet, shape (n, 2); not a number for those that do not say it."""
    out = np.full((len(places), 2), np.nan)
    for on_sheet in (True, False):
        which = [n for n, p in enumerate(places) if p.point is not None and p.on_sheet == on_sheet]
        given = np.array([places[n].point for n in which], dtype=np.float64).reshape(-1, 2)
        if not which or (projection is None and not on_sheet):
            continue
        points = given if on_sheet or projection is None else projection.to_sheet(given)
        # A place that the projection cannot show lies far off.
        out[which] = np.clip(np.nan_to_num(points, nan=1e9, posinf=1e9, neginf=-1e9), -1e9, 1e9)
    return out


def point_of(place: Place, projection: Projection | None) -> Floats | None:
    """Return where one place lies on the sheet, shape (1, 2), or None if it does not say it."""
    point = points_of([place], projection)
    return None if np.isnan(point).any() else point


def _conflict(
    plan: MapPlan,
    first: Place,
    second: _Found,
    on_map: NDArray[np.bool_],
    taken: set[int],
    projection: Projection | None,
) -> str:
    grid = plan.grid
    text = f"{first.name} and {second.place.name} both fall in hex {_label(plan, second.put)}"
    point = point_of(second.place, projection)
    near = grid.neighbours([grid.cells[second.put]])[0]
    free: Ints = np.array([i for i in grid.index(near).tolist() if i >= 0 and on_map[i] and i not in taken], dtype=int)
    if not len(free):
        return text + "; no neighbour is free"
    goal = grid.centres([grid.cells[second.put]]) if point is None else point
    best = int(free[np.hypot(*(grid.centres(grid.cells[free]) - goal).T).argmin()])
    column, row = grid.cells[best].tolist()
    return text + f"; the nearest free hex is {_label(plan, best)} (column {column}, row {row})"


def _label(plan: MapPlan, cell: int) -> str:
    column, row = plan.grid.cells[cell].tolist()
    return plan.grid.label(column, row)
