"""Where to lay the grid: so that places have hexes of their own, and stand beside each other as they must.

A fit turns the drawing by an angle, makes it larger or smaller by a factor, both about the place of the sheet that the
projection holds fast, and moves it; the grid stays where it is. First all turns and sizes in the stated bounds are
tried at even steps, each with offsets that cover one hex of the lattice; then the best are refined by smaller and
smaller steps. What needs no drawing is counted for all offsets of one turn and size at once. Whether a feature touches
its terrain is asked of the drawing itself, in the order of what is known so far, until no fit that is left can be
better: the first pass misses nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import UNKNOWN_NAME, WRONG_VALUE
from toolchain.model.hexes import SQRT3, Floats, HexGrid, Ints
from toolchain.report import Report, did_you_mean
from toolchain.sources.decode.fit import FitData, WeightsData
from toolchain.sources.decode.maps import MapPlan
from toolchain.sources.decode.places import Place
from toolchain.sources.drawings import read_drawing
from toolchain.sources.projection import Projection, build_projection
from toolchain.survey.terrain import survey_grounds

# So many points are looked at in one step, to bound the memory.
CHUNK = 400_000
REFINEMENTS = 4


@dataclass(frozen=True)
class Task:
    """What is to be fitted, on the sheet as it stands.

    grid: as stated. names, points: (n,), (n, 2) millimetres. own: (n,) those that need a hex of their own. adjacent,
    apart: (k, 2) places in `names`. needs: place in `names`, feature and terrain. grounds: area of each terrain that a
    feature needs, in millimetres. pivot: what stays fast when the drawing is turned. sheet: width and height; where
    `plane` is true the grid is laid over all of it, so that its own count of columns and rows bounds nothing.
    """

    grid: HexGrid
    names: tuple[str, ...]
    points: Floats
    own: NDArray[np.bool_]
    adjacent: Ints
    apart: Ints
    needs: tuple[tuple[int, str, str], ...]
    grounds: Mapping[str, BaseGeometry]
    pivot: tuple[float, float]
    sheet: tuple[float, float]
    plane: bool
    weights: WeightsData


@dataclass(frozen=True, slots=True)
class Move:
    """How the drawing is moved over the grid: clockwise turn in degrees, factor, offset in millimetres."""

    turn: float = 0.0
    size: float = 1.0
    offset: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Fit:
    """One fit and what it does not meet.

    score: weighted sum of what is not met. drift: mean distance of the places from the middle of their hexes, in
    pitches; of two fits of equal score the one with less is better. shared: groups of places in one hex. off: places
    off the grid. adjacent, apart: pairs that are not as they must be, with their distance in hexes. needs: place,
    feature and terrain. cells: (column, row) of each place of the task, in the order of its names.
    """

    move: Move
    score: float
    drift: float
    shared: tuple[tuple[str, ...], ...]
    off: tuple[str, ...]
    adjacent: tuple[tuple[str, str, int], ...]
    apart: tuple[tuple[str, str, int], ...]
    needs: tuple[tuple[str, str, str], ...]
    cells: tuple[tuple[int, int], ...]

    @property
    def misses(self) -> int:
        """Number of things that are not met."""
        places = sum(len(g) - 1 for g in self.shared) + len(self.off)
        return places + len(self.adjacent) + len(self.apart) + len(self.needs)


@dataclass(frozen=True)
class Fits:
    """The outcome of a search: the grid as it stands, and the best fits, the best first."""

    task: Task
    now: Fit
    best: tuple[Fit, ...]


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
        sheet=(plan.data.sheet.width, plan.data.sheet.height),
        plane=projection is None,
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


# The search -----------------------------------------------------------------------------------------------------


def search(task: Task, turns: Floats, sizes: Floats, offsets: int, best: int) -> Fits:
    """Try all turns, in degrees, and sizes, as factors, with offsets x offsets places of the grid; refine the best."""
    steps = lattice_offsets(task.grid, offsets)
    moves = [(float(t), float(s), _base(task, float(t), float(s))) for t in turns for s in sizes]
    counts = [count(task, turn, size, base + steps) for turn, size, base in moves]
    partial = np.concatenate([c[0] for c in counts])
    drift = np.concatenate([c[1] for c in counts])

    def move_of(i: int) -> Move:
        turn, size, base = moves[i // len(steps)]
        x, y = base + steps[i % len(steps)]
        return Move(turn, size, (float(x), float(y)))

    pool = _best_of(task, partial, drift, move_of, 4 * best)
    spread = (_step(turns), _step(sizes), 1.0 / offsets)
    bounds = (turns.min(), turns.max()), (sizes.min(), sizes.max())
    refined = pool + [_refined(task, fit, spread, bounds) for fit in pool]
    distinct: dict[tuple[tuple[int, ...], ...], Fit] = {}
    for fit in sorted(refined, key=_rank):
        distinct.setdefault(_pattern(task, fit), fit)
    return Fits(task, assess(task, Move()), tuple(distinct.values())[:best])


def _rank(fit: Fit) -> tuple[float, float, float, float, tuple[float, float]]:
    # Rounded, so that two machines break a tie alike.
    return (round(fit.score, 9), round(fit.drift, 9), fit.move.turn, fit.move.size, fit.move.offset)


def _step(values: Floats) -> float:
    return float(values[1] - values[0]) if len(values) > 1 else 0.0


def _pattern(task: Task, fit: Fit) -> tuple[tuple[int, ...], ...]:
    """Say how the places stand to each other: fits that only move all of them along the grid are the same."""
    cube = task.grid.cube(np.array(fit.cells))
    return tuple(map(tuple, (cube - cube[0]).tolist()))


def lattice_offsets(grid: HexGrid, count: int) -> Floats:
    """Return count x count offsets that cover one hex of the lattice evenly, in millimetres, the middle first."""
    part = (np.arange(count) - count // 2) / count
    u, w = (p.ravel() for p in np.meshgrid(part, part, indexing="ij"))
    across = np.array([grid.pitch * SQRT3 / 2, grid.pitch / 2])
    along = np.array([0.0, grid.pitch])
    offsets = u[:, None] * across + w[:, None] * along
    return np.asarray(offsets if grid.orientation == "flat" else offsets[:, ::-1])


def _base(task: Task, turn: float, size: float) -> Floats:
    """Return the least offset by which the places lie on the grid, if they can."""
    if task.plane:
        return np.zeros(2)
    places = _moved(task, turn, size, np.zeros((1, 2)))[0]
    near = places[np.abs(places).max(axis=1) < 1e6]
    centres = task.grid.centres([[0, 0], [task.grid.columns - 1, task.grid.rows - 1]])
    low = np.maximum(centres.min(axis=0), 0)
    high = np.minimum(centres.max(axis=0), task.sheet)
    if not len(near) or (np.ptp(near, axis=0) > high - low).any():
        return np.zeros(2)
    return np.asarray(np.maximum(low - near.min(axis=0), 0) + np.minimum(high - near.max(axis=0), 0))


def _moved(task: Task, turn: float, size: float, offsets: Floats) -> Floats:
    """Return where the places lie, shape (offsets, n, 2)."""
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    turned = (task.points - task.pivot) @ (size * np.array([[c, -s], [s, c]])).T + task.pivot
    return np.asarray(turned[None, :, :] + offsets[:, None, :])


def _on_grid(task: Task, cells: Ints) -> NDArray[np.bool_]:
    """Tell which places lie on the grid and on the sheet, shape (offsets, n). cells: (offsets, n, 2)."""
    if task.plane:
        inside = ((task.points >= 0) & (task.points <= task.sheet)).all(axis=1)
        return np.asarray(np.broadcast_to(inside, cells.shape[:2]))
    flat = cells.reshape(-1, 2)
    centres = task.grid.centres(flat)
    on = (task.grid.index(flat) >= 0) & ((centres >= 0) & (centres <= task.sheet)).all(axis=1)
    return np.asarray(on.reshape(cells.shape[:2]))


def count(task: Task, turn: float, size: float, offsets: Floats) -> tuple[Floats, Floats]:
    """Score many offsets of one turn and size at once, all but the needs: weighted misses and drift, shape (n,)."""
    least = max(1, CHUNK // max(1, len(task.names)))
    parts = [_count(task, turn, size, offsets[i : i + least]) for i in range(0, len(offsets), least)]
    return np.concatenate([p[0] for p in parts]), np.concatenate([p[1] for p in parts])


def _count(task: Task, turn: float, size: float, offsets: Floats) -> tuple[Floats, Floats]:
    places = _moved(task, turn, size, offsets)
    flat = places.reshape(-1, 2)
    cells = task.grid.cell_at(flat)
    away = np.hypot(*(task.grid.centres(cells) - flat).T).reshape(places.shape[:2])
    cells = cells.reshape(places.shape)
    on = _on_grid(task, cells)
    # One number for each hex; places off the grid share none.
    number = np.where(on, cells[..., 0] * 2**31 + cells[..., 1], -(2**62) - np.arange(len(task.names)))
    number = np.sort(number[:, task.own], axis=1)
    w = task.weights
    score = w.share * (number[:, 1:] == number[:, :-1]).sum(axis=1) + w.off * (~on[:, task.own]).sum(axis=1)
    for pairs, weight, wanted in ((task.adjacent, w.adjacent, True), (task.apart, w.apart, False)):
        if len(pairs):
            apart = _distances(task, cells, pairs)
            score = score + weight * ((apart != 1) if wanted else (apart == 1)).sum(axis=1)
    return score, away[:, task.own].mean(axis=1) / task.grid.pitch


def _distances(task: Task, cells: Ints, pairs: Ints) -> Ints:
    """Return the distance in hexes of each pair, shape (offsets, pairs)."""
    a, b = (cells[:, pairs[:, k]].reshape(-1, 2) for k in (0, 1))
    return task.grid.distance(a, b).reshape(len(cells), len(pairs))


def _best_of(task: Task, partial: Floats, drift: Floats, move_of: Callable[[int], Move], number: int) -> list[Fit]:
    """Return the best fits by their whole score.

    What the needs add is never less than nothing, so that a fit whose other misses alone are worse than the worst of
    those found cannot be among them.
    """
    found: list[Fit] = []
    for i in np.lexsort((drift, partial)).tolist():
        if len(found) == number and (partial[i], drift[i]) >= (found[-1].score, found[-1].drift):
            if partial[i] >= found[-1].score:
                break
            continue
        fit = assess(task, move_of(i))
        found = sorted([*found, fit], key=_rank)[:number]
    return found


def _refined(
    task: Task, fit: Fit, spread: tuple[float, float, float], bounds: tuple[tuple[float, float], tuple[float, float]]
) -> Fit:
    """Look around a fit by smaller and smaller steps.

    spread: the steps of the first pass, in degrees, factor and part of a hex. bounds: least and greatest turn and size.
    """
    turn_step, size_step, part = spread
    around = lattice_offsets(task.grid, 5) * 5
    for _ in range(REFINEMENTS):
        turn_step, size_step, part = turn_step / 2, size_step / 2, part / 2
        for k in (-1, 0, 1) if turn_step else (0,):
            for m in (-1, 0, 1) if size_step else (0,):
                turn = min(max(fit.move.turn + k * turn_step, bounds[0][0]), bounds[0][1])
                size = min(max(fit.move.size + m * size_step, bounds[1][0]), bounds[1][1])
                offsets = np.array(fit.move.offset) + around * part
                partial, drift = count(task, turn, size, offsets)

                def move_of(i: int, turn: float = turn, size: float = size, offsets: Floats = offsets) -> Move:
                    return Move(turn, size, (float(offsets[i][0]), float(offsets[i][1])))

                worth = [i for i in np.lexsort((drift, partial)).tolist() if partial[i] <= fit.score][:6]
                fit = min([fit, *(assess(task, move_of(i)) for i in worth)], key=_rank)
    return fit


def assess(task: Task, move: Move) -> Fit:
    """Say everything that one fit does not meet."""
    offset = np.array([move.offset])
    partial, drift = _count(task, move.turn, move.size, offset)
    places = _moved(task, move.turn, move.size, offset)
    cells = task.grid.cell_at(places[0])
    on = _on_grid(task, cells[None])[0]
    groups: dict[tuple[int, ...], list[str]] = {}
    for i in np.flatnonzero(task.own & on).tolist():
        groups.setdefault(tuple(cells[i].tolist()), []).append(task.names[i])

    def pairs(which: Ints, wrong: Callable[[int], bool]) -> tuple[tuple[str, str, int], ...]:
        far = _distances(task, cells[None], which)[0].tolist() if len(which) else []
        rows = zip(which.tolist(), far, strict=True)
        return tuple((task.names[a], task.names[b], d) for (a, b), d in rows if wrong(d))

    unmet = _unmet(task, move, cells)
    return Fit(
        move=move,
        score=float(partial[0]) + task.weights.needs * len(unmet),
        drift=float(drift[0]),
        shared=tuple(tuple(names) for names in groups.values() if len(names) > 1),
        off=tuple(task.names[i] for i in np.flatnonzero(task.own & ~on).tolist()),
        adjacent=pairs(task.adjacent, lambda d: d != 1),
        apart=pairs(task.apart, lambda d: d == 1),
        needs=unmet,
        cells=tuple((c, r) for c, r in cells.tolist()),
    )


def _unmet(task: Task, move: Move, cells: Ints) -> tuple[tuple[str, str, str], ...]:
    """Return the features whose hex has none of the terrain that they need."""
    if not task.needs:
        return ()
    # The hexes are laid back on the drawing as it was read, a little smaller: to touch is not to have.
    which = [i for i, _, _ in task.needs]
    corners = task.grid.centres(cells[which])[:, None, :] + 0.999 * task.grid.corner_offsets()
    c, s = math.cos(math.radians(move.turn)), math.sin(math.radians(move.turn))
    back = (corners - task.pivot - np.array(move.offset)) @ np.array([[c, -s], [s, c]]) / move.size + task.pivot
    hexes = shapely.polygons(back)
    out = []
    for terrain in sorted({t for _, _, t in task.needs}):
        rows = [k for k, (_, _, t) in enumerate(task.needs) if t == terrain]
        ground = task.grounds.get(terrain)
        if ground is None:
            continue
        shapely.prepare(ground)
        out += [rows[k] for k in np.flatnonzero(~shapely.intersects(ground, hexes[rows])).tolist()]
    return tuple((task.names[task.needs[k][0]], *task.needs[k][1:]) for k in sorted(out))


# What to paste --------------------------------------------------------------------------------------------------


def to_toml(plan: MapPlan, fit: Fit) -> str:
    """Write a fit as the lines of map.toml that it changes."""
    move, projection = fit.move, plan.data.projection
    if projection is not None:
        x, y = (projection.at[k] + move.offset[k] for k in (0, 1))
        return (
            f"[projection]\nscale = {projection.scale / move.size:.0f}\n"
            f"turn = {projection.turn + move.turn:.4f}\nat = [{_short(x)}, {_short(y)}]\n"
        )
    grid = covering(plan.grid, move, (plan.data.sheet.width, plan.data.sheet.height))
    return (
        f"[grid]\npitch = {_short(grid.pitch)}\norigin = [{_short(grid.origin[0])}, {_short(grid.origin[1])}]\n"
        f'columns = {grid.columns}\nrows = {grid.rows}\nlow = "{grid.low}"\n'
    )


def _short(value: float) -> str:
    return f"{round(value, 3) + 0.0:g}" if abs(value) < 1e3 else f"{value:.3f}"


def covering(grid: HexGrid, move: Move, sheet: tuple[float, float]) -> HexGrid:
    """Return the grid that a fit of a drawing without projection means: its lattice, over the whole sheet."""
    pitch = grid.pitch / move.size
    flat = grid.orientation == "flat"
    x, y = (grid.origin[k] - move.offset[k] / move.size for k in ((0, 1) if flat else (1, 0)))
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
