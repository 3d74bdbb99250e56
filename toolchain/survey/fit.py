"""Where to lay the grid: so that places have hexes of their own, and stand beside each other as they must."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import UNKNOWN_NAME, WRONG_VALUE
from toolchain.model.hexes import SQRT3, Floats, HexGrid, Ints
from toolchain.report import Report, did_you_mean
from toolchain.sources.decode.fit import FitData
from toolchain.sources.decode.maps import MapPlan
from toolchain.sources.decode.places import Place
from toolchain.sources.drawings import read_drawing
from toolchain.sources.projection import Projection, build_projection
from toolchain.survey.fitsearch import Fit, Fits, Move, Task, search
from toolchain.survey.terrain import survey_grounds


def fit_map(plan: MapPlan, report: Report, best: int = 5) -> Fits | None:
    """Search the fits of a map by what its [fit] states.

    plan: the map as its files state it. best: number of fits to return. None, with findings, when there is nothing to
    fit or [fit] cannot be used.
    """
    faults = Report()
    if plan.data.grid is None:
        report.add(WRONG_VALUE, plan.at("fit"), "this map has no [grid] that could be fitted")
        return None
    projection = build_projection(plan, faults)
    data = plan.data.fit or FitData()
    task = None if len(faults) else build_task(plan, projection, faults)
    if plan.data.projection is None:
        for key in ("turn", "scale"):
            if getattr(data, key) is not None:
                faults.add(WRONG_VALUE, plan.at(f"fit.{key}"), "only a drawing with a [projection] can be fitted so")
    elif data.pitch is not None:
        faults.add(WRONG_VALUE, plan.at("fit.pitch"), "a map with a [projection] is fitted by scale, not by pitch")
    report.extend(faults)
    if task is None or len(faults):
        return None
    turns, sizes = _ranges(plan, data)
    return search(task, turns, sizes, data.offsets, best)


def _ranges(plan: MapPlan, data: FitData) -> tuple[Floats, Floats]:
    """Return the turns and factors to try, relative to the drawing as it stands."""
    if plan.data.projection is None:
        stated, bounds, turns = plan.grid.pitch, data.pitch, np.zeros(1)
    else:
        stated, bounds, turn = plan.data.projection.scale, data.scale, plan.data.projection.turn
        low, high = data.turn or (turn - 6, turn + 6)
        turns = np.linspace(low, high, data.steps) - turn if high > low else np.array([low - turn])
    # Larger hexes, or a smaller scale, are a smaller drawing.
    least, most = bounds or (stated / 1.1, stated * 1.1)
    sizes = np.geomspace(stated / most, stated / least, data.steps) if most > least else np.array([stated / least])
    return turns, sizes


def build_task(plan: MapPlan, projection: Projection | None, report: Report) -> Task | None:
    """Gather what is to be fitted; unknown names and a map with no place to fit are findings."""
    data = plan.data.fit or FitData()
    with_point = {
        p.name: p for p in plan.places if p.name and p.point is not None and p.on_sheet == (projection is None)
    }
    own = _own(plan, data, with_point, report)
    pairs: dict[str, list[tuple[str, str]]] = {}
    for key in ("adjacent", "apart"):
        pairs[key] = [
            pair for i, pair in enumerate(getattr(data, key)) if _known(plan, pair, with_point, f"{key}.{i}", report)
        ]
    wanted = own | {name for key in pairs for pair in pairs[key] for name in pair}
    names = [name for name in with_point if name in wanted]
    if not own and not len(report):
        report.add(WRONG_VALUE, plan.at("fit.places"), "there is no place to fit: none of them has coordinates")
    if len(report):
        return None
    order = {name: i for i, name in enumerate(names)}
    raw = np.array([with_point[n].point for n in names], dtype=np.float64)
    points = raw if projection is None else projection.to_sheet(raw)
    seen = np.isfinite(points).all(axis=1)
    points[~seen] = 1e7  # what the projection cannot show lies off every grid
    sheet = (plan.data.sheet.width, plan.data.sheet.height)
    required = {f.name: f.needs for f in plan.data.feature if f.needs}
    needs = tuple(
        (order[n], f, required[f]) for n in names if n in own for f in sorted(with_point[n].features & required.keys())
    )
    return Task(
        grid=plan.grid,
        names=tuple(names),
        points=points,
        own=np.array([n in own for n in names]),
        adjacent=_indices(pairs["adjacent"], order),
        apart=_indices(pairs["apart"], order),
        needs=needs,
        grounds=_grounds(plan, projection, {t for _, _, t in needs}),
        pivot=plan.grid.origin if projection is None else projection.data.at,
        sheet=sheet,
        plane=projection is None,
        whole=projection is None and covers(plan.grid, sheet),
        weights=data.weights,
    )


def _own(plan: MapPlan, data: FitData, with_point: Mapping[str, Place], report: Report) -> set[str]:
    if isinstance(data.places, tuple):
        return {n for i, n in enumerate(data.places) if _known(plan, (n,), with_point, f"places.{i}", report)}
    chosen: dict[str, Callable[[Place], bool]] = {
        "all": lambda p: True,
        "cited": lambda p: bool(p.cite),
        "free": lambda p: p.cell is None and not p.label,
    }
    return {n for n, p in with_point.items() if chosen[data.places](p)}


def _known(plan: MapPlan, words: Sequence[str], with_point: Mapping[str, Place], key: str, report: Report) -> bool:
    unknown = [w for w in words if w not in with_point]
    for word in unknown:
        named = any(p.name == word for p in plan.places)
        text = f"{word!r} has no coordinates" if named else f"unknown place {word!r}{did_you_mean(word, with_point)}"
        report.add(UNKNOWN_NAME, plan.at(f"fit.{key}"), text)
    return not unknown


def _indices(pairs: Sequence[tuple[str, str]], order: Mapping[str, int]) -> Ints:
    return np.array([[order[a], order[b]] for a, b in pairs], dtype=np.int64).reshape(-1, 2)


def _grounds(plan: MapPlan, projection: Projection | None, terrains: set[str]) -> dict[str, BaseGeometry]:
    """Read the ground of some terrains from the drawing. What is wrong with the drawing is for `validate` to say."""
    if not terrains:
        return {}
    unsaid = Report()
    grounds = survey_grounds(plan, read_drawing(plan, projection, unsaid), unsaid)
    return {t.name: grounds.area(i) for i, t in enumerate(plan.data.terrain) if t.name in terrains}


def to_toml(plan: MapPlan, fit: Fit) -> str:
    """Write a fit as the lines of map.toml that it changes."""
    move, projection = fit.move, plan.data.projection
    if projection is not None:
        x, y = (projection.at[k] + move.offset[k] for k in (0, 1))
        return (
            f"[projection]\nscale = {projection.scale / move.size:.0f}\n"
            f"turn = {projection.turn + move.turn:.4f}\nat = [{_short(x)}, {_short(y)}]\n"
        )
    sheet = (plan.data.sheet.width, plan.data.sheet.height)
    grid = covering(plan.grid, move, sheet) if covers(plan.grid, sheet) else moved(plan.grid, move)
    return (
        f"[grid]\npitch = {_short(grid.pitch)}\norigin = [{_short(grid.origin[0])}, {_short(grid.origin[1])}]\n"
        f'columns = {grid.columns}\nrows = {grid.rows}\nlow = "{grid.low}"\n'
    )


def _short(value: float) -> str:
    return f"{round(value, 3) + 0.0:g}" if abs(value) < 1e3 else f"{value:.3f}"


def covers(grid: HexGrid, sheet: tuple[float, float]) -> bool:
    """Tell whether a grid covers a whole sheet, given by width and height."""
    rim = shapely.segmentize(shapely.box(0, 0, *sheet).exterior, grid.pitch / 8)
    # A grid that ends with the sheet covers it.
    inside = np.clip(shapely.get_coordinates(rim), 1e-3, np.array(sheet) - 1e-3)
    return bool((grid.index(grid.cell_at(inside)) >= 0).all())


def moved(grid: HexGrid, move: Move) -> HexGrid:
    """Return the grid that a fit of a drawing without projection means, with as many columns and rows as before."""
    x, y = (grid.origin[k] - move.offset[k] / move.size for k in (0, 1))
    return replace(grid, pitch=grid.pitch / move.size, origin=(x, y))


def covering(grid: HexGrid, move: Move, sheet: tuple[float, float]) -> HexGrid:
    """Return the same lattice, with as many columns and rows as cover the whole sheet."""
    now = moved(grid, move)
    pitch, flat = now.pitch, grid.orientation == "flat"
    x, y = now.origin if flat else now.origin[::-1]
    width, height = sheet if flat else sheet[::-1]
    across, radius, low = pitch * SQRT3 / 2, pitch / SQRT3, grid.low
    # Two columns on, the stagger is the same; one column on, it is the other one.
    x = (x + across + radius) % (2 * across) - across - radius
    if x <= -radius:
        x, y = x + across, y + (pitch / 2 if low == "odd" else -pitch / 2)
        low = "even" if low == "odd" else "odd"
    top = 0.0 if low == "odd" else pitch / 2
    y = top - (top - y) % pitch
    columns = math.ceil((width + radius - x) / across - 1e-9)
    rows = math.ceil((height + top + pitch / 2 - y) / pitch - 1e-9)
    origin = (x, y) if flat else (y, x)
    if not flat:
        columns, rows = rows, columns
    return HexGrid(grid.orientation, pitch, origin, columns, rows, low, grid.numbering)
