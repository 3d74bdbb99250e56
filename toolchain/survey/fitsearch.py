"""The search for better fits of the grid.

A fit turns the drawing by an angle, makes it larger or smaller by a factor, both about the place of the sheet that the
projection holds fast, and moves it; the grid stays where it is. First all turns and sizes in the stated bounds are
tried at even steps, each with offsets that cover one hex of the lattice; then the best are refined by smaller and
smaller steps. What needs no drawing is counted for all offsets of one turn and size at once. Whether a feature touches
its terrain is asked of the drawing itself, in the order of what is known so far, until no fit that is left can be
better: the first pass misses nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.model.hexes import SQRT3, Floats, HexGrid, Ints
from toolchain.sources.decode.fit import WeightsData

# So many points are looked at in one step, to bound the memory.
CHUNK = 400_000


REFINEMENTS = 4


@dataclass(frozen=True)
class Task:
    """What is to be fitted, on the sheet as it stands.

    grid: as stated. names, points: (n,), (n, 2) millimetres. own: (n,) those that need a hex of their own. adjacent,
    apart: (k, 2) places in `names`. needs: place in `names`, feature and terrain. grounds: area of each terrain that a
    feature needs, in millimetres. pivot: what stays fast when the drawing is turned. sheet: width and height. plane:
    it is the grid that moves over the sheet, and not the drawing. whole: it is laid over all of the sheet, so that its
    own count of columns and rows bounds nothing.
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
    whole: bool
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
    if task.whole:
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
    flat = cells.reshape(-1, 2)
    if task.plane:
        inside = ((task.points >= 0) & (task.points <= task.sheet)).all(axis=1)
        return inside & (task.whole | (task.grid.index(flat) >= 0).reshape(cells.shape[:2]))
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
