"""Where the sheets of an arrangement come to lie, and the grid of hexes that they share."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from toolchain.catalogue import SHEET_MISFIT, SHEETS_OVERLAP
from toolchain.model.hexes import SQRT3, Floats, HexGrid, Ints
from toolchain.report import Report, counted
from toolchain.sources.decode.maps import MapPlan
from toolchain.sources.decode.sheets import PlacementData, SheetData
from toolchain.survey.paper import on_paper, share_on_paper
from toolchain.survey.single import Surveyed

# Hexes of two sheets coincide when their centres do to this part of a hex.
COINCIDE = 0.01


TOLERANCE = 1.0


COSINES = {0: 1.0, 60: 0.5, 120: -0.5, 180: -1.0, 240: -0.5, 300: 0.5}


SINES = {0: 0.0, 60: SQRT3 / 2, 120: SQRT3 / 2, 180: 0.0, 240: -SQRT3 / 2, 300: -SQRT3 / 2}


@dataclass(frozen=True)
class Move:
    """How a sheet is laid down: turned clockwise about its middle, which comes to lie at another place."""

    turn: int
    middle: tuple[float, float]
    at: tuple[float, float]

    def __call__(self, points: Floats) -> Floats:
        """Move points, shape (n, 2), in millimetres."""
        c, s = COSINES[self.turn], SINES[self.turn]
        turned = (np.asarray(points, dtype=np.float64) - self.middle) @ np.array([[c, s], [-s, c]])
        return np.asarray(turned + self.at)


@dataclass(frozen=True)
class Laid:
    """A sheet in its place. cells: which of its own hexes are spaces; joint: their cells in the common grid."""

    name: str
    plan: MapPlan
    surveyed: Surveyed
    move: Move
    cells: Ints
    joint: Ints

    @property
    def outline(self) -> Floats:
        """The corners of the sheet where it lies, shape (n, 2)."""
        return self.move(np.array(self.plan.data.sheet.outline)).round(6) + 0.0


def labels_of(laid: Laid) -> list[str]:
    """Return the numbers of the hexes of a sheet, as it has them."""
    grid = laid.plan.grid
    out: list[str] = grid.labels(grid.cells[laid.cells]).tolist()
    return out


def moved(move: Move, point: tuple[float, float]) -> tuple[float, float]:
    """Return where a point of a sheet comes to lie."""
    x, y = move(np.array([point]))[0].round(6).tolist()
    return x, y


def lay_sheets(
    plan: MapPlan, sheets: Mapping[str, Surveyed], number: int, report: Report
) -> tuple[list[Laid], HexGrid]:
    """Place the sheets of an arrangement and find the grid that they share.

    Those that do not fit are findings and left out.
    """
    stated = plan.arrangements[number]
    plans = {p.data.sheet.name: p for p in plan.sheets}
    moves: list[tuple[PlacementData, MapPlan, Move, int]] = []
    first = plans.get(stated.sheets[0].sheet)
    for i, placed in enumerate(stated.sheets):
        one = plans.get(placed.sheet)
        if one is None or first is None:
            continue  # an unknown sheet, which is a finding already
        where, sheet = plan.at(f"arrangement.{number}.sheets.{i}"), one.data.sheet
        fault = _misfit(first, one, placed)
        if fault:
            report.add(SHEET_MISFIT, where, f"{placed.sheet}: {fault}")
            continue
        moves.append((placed, one, Move(placed.turn, (sheet.width / 2, sheet.height / 2), _middle(placed, sheet)), i))
    if not moves:
        return [], HexGrid("flat", 1.0, (0.0, 0.0), 1, 1)
    outlines = [move(np.array(one.data.sheet.outline)) for _, one, move, _ in moves]
    corner = np.concatenate(outlines).min(axis=0)
    moves = [(p, one, replace(m, at=tuple((np.array(m.at) - corner).round(6).tolist())), i) for p, one, m, i in moves]

    spaces = [np.flatnonzero(on_paper(one)[0]) for _, one, _, _ in moves]
    centres = [m(one.grid.centres(one.grid.cells[on])) for (_, one, m, _), on in zip(moves, spaces, strict=True)]
    common = HexGrid(moves[0][1].grid.orientation, moves[0][1].grid.pitch, tuple(centres[0][0].tolist()), 1, 1)
    fitting = []
    for k, (placed, _, _, i) in enumerate(moves):
        off = float(np.hypot(*(common.centres(common.cell_at(centres[k])) - centres[k]).T).max(initial=0.0))
        if off > COINCIDE * common.pitch:
            text = f"{placed.sheet}: its hexes lie {off:.2f} mm beside those of {moves[0][0].sheet}"
            report.add(SHEET_MISFIT, plan.at(f"arrangement.{number}.sheets.{i}"), text, off=round(off, 4))
        else:
            fitting.append(k)
    grid = _covering(common, np.concatenate([centres[k] for k in fitting]))
    laid = []
    for k in fitting:
        placed, one, move, _ = moves[k]
        joint = grid.index(grid.cell_at(centres[k]))
        name = placed.called or placed.sheet
        laid.append(Laid(name, one, sheets[placed.sheet], move, spaces[k], joint))
    _check_overlap(plan, laid, grid, number, report)
    return laid, grid


def _middle(placed: PlacementData, sheet: SheetData) -> tuple[float, float]:
    """Return where the middle of a sheet comes to lie."""
    w, h = sheet.width, sheet.height
    if placed.mm is not None:
        outline = Move(placed.turn, (w / 2, h / 2), (0.0, 0.0))(np.array(sheet.outline))
        x, y = (np.array(placed.mm) - outline.min(axis=0)).tolist()
        return x, y
    column, row = placed.at or (0, 0)
    if sheet.shape == "rectangle":
        return (column + 0.5) * w, (row + 0.5) * h
    slots = HexGrid("flat" if w > h else "pointy", min(w, h), (w / 2, h / 2), 1, 1)
    x, y = slots.centres([[column, row]])[0].tolist()
    return x, y


def _misfit(first: MapPlan, one: MapPlan, placed: PlacementData) -> str:
    """Say why a sheet cannot lie beside the first one, or "" if it can."""
    sheet, base = one.data.sheet, first.data.sheet
    if one.hexes is None or first.hexes is None:
        return "only sheets with hexes can be laid together"
    if placed.turn % 180 and sheet.shape == "rectangle":
        return f"hexes do not fit hexes when a rectangle is turned by {placed.turn} degrees; turn it by 180"
    if (one.grid.orientation, round(one.grid.pitch, 6)) != (first.grid.orientation, round(first.grid.pitch, 6)):
        return f"its hexes are of another size or kind than those of {base.name}"
    if placed.at is not None and (sheet.shape, sheet.width, sheet.height) != (base.shape, base.width, base.height):
        return f"it is not of the size of {base.name}; place it by `mm`"
    return ""


def _covering(grid: HexGrid, centres: Floats) -> HexGrid:
    """Return the grid of the same hexes whose columns and rows begin with the first of these centres."""
    line = 0 if grid.orientation == "flat" else 1
    start = [0, 0]
    start[line] = first = int(grid.cell_at(centres)[:, line].min())
    origin = tuple(grid.centres([start])[0].tolist())
    grid = replace(grid, origin=origin, low="odd" if first % 2 == 0 else "even")
    start = [0, 0]
    start[1 - line] = int(grid.cell_at(centres)[:, 1 - line].min())
    x, y = grid.centres([start])[0].round(6).tolist()
    grid = replace(grid, origin=(x, y))
    columns, rows = (grid.cell_at(centres).max(axis=0) + 1).tolist()
    return replace(grid, columns=columns, rows=rows)


def _check_overlap(plan: MapPlan, laid: Sequence[Laid], grid: HexGrid, number: int, report: Report) -> None:
    """Report hexes that sheets cover more than once."""
    covered = np.zeros(len(grid.cells))
    by: dict[int, list[str]] = defaultdict(list)
    for x in laid:
        np.add.at(covered, x.joint, share_on_paper(x.plan)[x.cells])
        for g, label in zip(x.joint.tolist(), labels_of(x), strict=True):
            by[g].append(f"{x.name}-{label}")
    twice = np.flatnonzero(covered > 1 + COINCIDE).tolist()
    if twice:
        shown = ", ".join(" and ".join(by[g]) for g in twice[:5]) + (" …" if len(twice) > 5 else "")
        text = f"sheets lie over each other in {counted(len(twice), 'hex', 'hexes')}: {shown}"
        report.add(SHEETS_OVERLAP, plan.at(f"arrangement.{number}"), text, hexes=len(twice))
