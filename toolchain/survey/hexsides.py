"""What every hexside is: rivers that follow it, water that it lies in, coasts, and what is stated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import WRONG_SHAPES
from toolchain.model.drawing import Drawing, Layer
from toolchain.model.hexes import Ints
from toolchain.report import Report
from toolchain.sources.decode.maps import HexsideData, MapPlan
from toolchain.survey.lattice import Lattice, follow, share_inside
from toolchain.survey.terrain import Grounds


@dataclass(frozen=True)
class Sides:
    """Kinds and name of every side of a lattice, in its order."""

    kinds: tuple[frozenset[str], ...]
    names: tuple[str, ...]


def survey_sides(
    plan: MapPlan, drawing: Drawing, lattice: Lattice, grounds: Grounds, terrain: Ints, report: Report
) -> Sides:
    """Find the kinds of every side of the grid. terrain: (cells,) places in the legend, -1 for none."""
    kinds: list[set[str]] = [set() for _ in lattice.sides]
    names: list[list[str]] = [[] for _ in lattice.sides]
    order = [t.name for t in plan.data.terrain]
    wet = np.array([t.is_water for t in plan.data.terrain] + [False])[terrain]
    for i, h in enumerate(plan.data.hexside):
        if h.layer in drawing:
            layer = drawing[h.layer]
            for side in np.flatnonzero(_in_areas(lattice, layer) >= h.least).tolist():
                kinds[side].add(h.name)
            for name, path in _along(lattice, layer, wet):
                for side in path:
                    kinds[side].add(h.name)
                    if name and name not in names[side]:
                        names[side].append(name)
            if layer.shapes and max(s.geometry.geom_type.endswith("Point") for s in layer.shapes):
                report.add(WRONG_SHAPES, plan.at(f"hexside.{i}.layer"), f"{h.layer!r} has points, which follow nothing")
        for side in _by_terrain(h, order, lattice, grounds, terrain).tolist():
            kinds[side].add(h.name)
    return Sides(tuple(frozenset(k) for k in kinds), tuple(" / ".join(n) for n in names))


def _in_areas(lattice: Lattice, layer: Layer) -> NDArray[np.float64]:
    areas = [s.geometry for s in layer.shapes if shapely.get_dimensions(s.geometry) == 2]
    if not areas:
        return np.zeros(len(lattice.sides))
    return share_inside(lattice, shapely.union_all(areas))


def _along(lattice: Lattice, layer: Layer, wet: NDArray[np.bool_]) -> Sequence[tuple[str, list[int]]]:
    """Yield name and sides of every line of a layer; what a river has in open water at its ends is left away."""
    lines: list[BaseGeometry] = []
    names: list[str] = []
    for shape in layer.shapes:
        if shapely.get_dimensions(shape.geometry) != 1:
            continue
        parts = shapely.get_parts(shapely.line_merge(shape.geometry))
        lines.extend(parts)
        names.extend([str(shape.properties.get("name") or "")] * len(parts))
    # A side is in open water when both its hexes are.
    first, second = lattice.cells.T
    afloat = wet[first] & (wet[second] | (second < 0))
    out = []
    for name, runs in zip(names, follow(lattice, np.array(lines, dtype=object)), strict=True):
        for path in runs:
            ashore = [i for i, side in enumerate(path) if not afloat[side]]
            if ashore:
                out.append((name, path[ashore[0] : ashore[-1] + 1]))
    return out


def _by_terrain(h: HexsideData, order: list[str], lattice: Lattice, grounds: Grounds, terrain: Ints) -> Ints:
    """Return the sides that a kind takes from terrain: those that lie over it, and those at its border."""
    found = np.zeros(len(lattice.sides), dtype=bool)
    first, second = lattice.cells.T

    def at_border(word: str) -> NDArray[np.bool_]:
        this = terrain == order.index(word)
        return np.asarray((second >= 0) & (this[first] != this[second]))

    if h.over in order:
        # The coast of a sea hex is a coast, however much of it is wet: from a beach head one can go ashore.
        area = grounds.area(order.index(h.over))
        found |= (share_inside(lattice, area) >= h.least) & ~at_border(h.over)
    if h.border in order:
        found |= at_border(h.border)
    return np.flatnonzero(found)
