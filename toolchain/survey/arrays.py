"""The survey of a map of hexes as arrays: nothing is made for a single hex, so that a million of them take seconds.

What readers see of it, `WarMap`, is made from these arrays; see `toolchain.survey.hexboard`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from toolchain.model.drawing import Drawing
from toolchain.model.hexes import Floats, HexGrid, Ints
from toolchain.report import Report
from toolchain.sources.decode.maps import MapPlan
from toolchain.survey.crossings import Crossed, survey_crossings
from toolchain.survey.hexsides import Sides, survey_sides
from toolchain.survey.lattice import Lattice, build_lattice
from toolchain.survey.terrain import Grounds, Verdicts, judge, survey_grounds


@dataclass(frozen=True)
class Adjacency:
    """Which hexes of the map are neighbours, as compressed rows.

    The neighbours of cell i are `cells[start[i]:start[i + 1]]`, over the sides `sides[...]`. Cells are places in
    `grid.cells`; those that are not on the map have no neighbours.
    """

    start: Ints
    cells: Ints
    sides: Ints


@dataclass(frozen=True)
class SurveyArrays:
    """A surveyed grid.

    on_map: (cells,), cells that are spaces. terrain: (cells,), place in `terrains`, -1 for none; shares: (cells,
    terrains), parts of the area. verdicts: how near the decisions were, before anything was stated. lattice: the
    network of corners and sides; sides: what they are. crossed: what roads and the like join.
    """

    grid: HexGrid
    on_map: NDArray[np.bool_]
    terrains: tuple[str, ...]
    terrain: Ints
    shares: Floats
    verdicts: Verdicts
    grounds: Grounds
    lattice: Lattice
    side_kinds: tuple[str, ...]
    sides: Sides
    crossed: tuple[Crossed, ...]

    @cached_property
    def adjacency(self) -> Adjacency:
        """The neighbours of every cell of the map."""
        beyond = self.lattice.beyond
        there = (beyond >= 0) & self.on_map[beyond] & self.on_map[:, None]
        start = np.concatenate([[0], np.cumsum(there.sum(axis=1))])
        return Adjacency(start, beyond[there], self.lattice.cell_sides[there])


def survey_arrays(
    plan: MapPlan,
    drawing: Drawing,
    report: Report,
    *,
    on_map: NDArray[np.bool_] | None = None,
    named: NDArray[np.bool_] | None = None,
    stated: Mapping[int, int] | None = None,
    locate: Callable[[str], int | None] | None = None,
) -> SurveyArrays:
    """Survey the hexes of a map and their sides.

    drawing: its layers in sheet millimetres. on_map: cells that are spaces (default: all). named: cells that bear a
    name. stated: place in the legend of the terrain of single cells, which goes before the drawing. locate: the cell
    that a name or number means (default: numbers only).
    """
    grid, legend = plan.grid, plan.data
    every = np.ones(len(grid.cells), dtype=bool)
    grounds = survey_grounds(plan, drawing, report)
    verdicts = judge(plan, grounds, ~every if named is None else named)
    terrain = verdicts.terrain.copy()
    for cell, place in (stated or {}).items():
        terrain[cell] = place
    lattice = build_lattice(grid)
    locate = locate or (lambda word: None if (cell := grid.cell(word)) is None else int(grid.index([cell])[0]))
    sides = survey_sides(plan, drawing, lattice, grounds, terrain, locate, report)
    crossed = survey_crossings(plan, drawing, lattice, report)
    kinds = [h.name for h in legend.hexside]
    for one in crossed:
        word = legend.crossing[one.entry].hexside
        if word in kinds:
            sides.kinds[kinds.index(word), one.sides] = True
    return SurveyArrays(
        grid,
        every if on_map is None else on_map,
        tuple(t.name for t in legend.terrain),
        terrain,
        grounds.shares,
        verdicts,
        grounds,
        lattice,
        tuple(kinds),
        sides,
        crossed,
    )
