"""What every hexside is: rivers that follow it, water that it lies in, coasts, and lines of other kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass, replace

import numpy as np
import shapely
from numpy.typing import NDArray

from toolchain.catalogue import LINE_WITHOUT_SIDE
from toolchain.model.drawing import Drawing, Layer, Shape
from toolchain.model.hexes import Ints
from toolchain.report import Report
from toolchain.sources.decode.legend import HexsideData
from toolchain.sources.decode.maps import MapPlan
from toolchain.survey.fitting import fitting
from toolchain.survey.lattice import Lattice, follow, share_inside
from toolchain.survey.rivers import Stream, carry, find_flow
from toolchain.survey.terrain import Grounds

# Lines whose ends are so near, in mm, are joined.
JOINED = 0.01


@dataclass(frozen=True)
class Sides:
    """What the sides of a lattice are, in its order.

    kinds: (kinds of the legend, sides). name: (sides,), place in `names`, of which the first is empty. flow: (sides,),
    1 for a river that runs from the side's first corner to its second, -1 the other way, 0 where that is not known.
    streams: the lines that were followed, with what they reach.
    """

    kinds: NDArray[np.bool_]
    name: Ints
    names: tuple[str, ...]
    flow: Ints
    streams: tuple[Stream, ...]


def survey_sides(
    plan: MapPlan,
    drawing: Drawing,
    lattice: Lattice,
    grounds: Grounds,
    terrain: Ints,
    locate: Callable[[str], int | None],
    report: Report,
) -> Sides:
    """Find the kinds of every side of the grid.

    terrain: (cells,) places in the legend, -1 for none. locate: the cell that a name or number means.
    """
    legend = plan.data.hexside
    kinds = np.zeros((len(legend), len(lattice.sides)), dtype=bool)
    water = [i for i, t in enumerate(plan.data.terrain) if t.is_water]
    wet = np.isin(terrain, water)
    areas = [grounds.area(i) for i in water]
    streams: list[Stream] = []
    order = [t.name for t in plan.data.terrain]
    lakes = np.zeros(len(lattice.sides), dtype=bool)
    for i, h in enumerate(legend):
        layer = drawing.get(h.layer)
        if layer is not None:
            shapes = fitting(layer, (1, 2), "line", plan.at(f"hexside.{i}.layer"), report)
            areal = [s.geometry for s in shapes if shapely.get_dimensions(s.geometry) == 2]
            if areal:
                areas += areal
                kinds[i] = share_inside(lattice, shapely.union_all(areal)) >= h.least
                lakes |= kinds[i]
            streams += _streams(i, h, layer, lattice, report)
        kinds[i] |= _by_terrain(h, order, lattice, grounds, terrain)
        lakes |= kinds[i] if h.over in order and order.index(h.over) in water else False
    reached = np.zeros(len(lattice.corners), dtype=bool)
    reached[lattice.cell_corners[wet]] = True
    reached[lattice.sides[lakes]] = True
    at_sea = {i for i, h in enumerate(legend) if "sea" in h.bars}
    streams = carry(lattice, _ashore(streams, lattice, wet, at_sea), reached, np.array(areas, dtype=object))
    for stream in streams:
        kinds[stream.kind, stream.path.sides] = True
    name, names = _names(streams, len(lattice.sides))
    return Sides(kinds, name, names, find_flow(plan, lattice, streams, reached, locate, report), tuple(streams))


def _streams(kind: int, h: HexsideData, layer: Layer, lattice: Lattice, report: Report) -> list[Stream]:
    """Follow the lines of a layer; those on the grid that are too short to follow a side are findings."""
    lines = [s.geometry for s in layer.shapes]
    linear = shapely.get_dimensions(lines) == 1
    # Pieces are only joined the way they were drawn: a river keeps its direction.
    merged = shapely.line_merge(np.array(lines, dtype=object)[linear], directed=True)
    parts, of = shapely.get_parts(merged, return_index=True)
    shapes = [s for s, is_line in zip(layer.shapes, linear.tolist(), strict=True) if is_line]
    out = []
    for path in follow(lattice, parts):
        shape = shapes[of[path.line]]
        way = {"": 0, "mouth": 0, "drawn": 1, "against": -1}[h.flow]
        name = str(shape.properties.get("name") or "")
        out.append(Stream(kind, h.is_river, name, parts[path.line], path, way, shape.where))
    idle = np.setdiff1d(np.arange(len(parts)), [s.path.line for s in out])
    _report_idle(h, parts, idle, [shapes[n] for n in of[idle].tolist()], lattice, report)
    return out


def _report_idle(
    h: HexsideData, lines: NDArray[np.object_], idle: Ints, shapes: Sequence[Shape], lattice: Lattice, report: Report
) -> None:
    """Report lines that follow no side, but for those that only join two others. idle: their places in `lines`."""
    if not len(idle):
        return
    tips = shapely.get_point(lines[idle], np.array([[0], [-1]]))
    joined = np.zeros((2, len(idle)), dtype=bool)
    tree = shapely.STRtree(lines)
    for end in (0, 1):
        n, other = tree.query(tips[end], predicate="dwithin", distance=JOINED)
        joined[end, n[other != idle[n]]] = True
    starts = shapely.get_coordinates(tips[0])
    cells = lattice.grid.cell_at(starts)
    for n in np.flatnonzero(~joined.all(axis=0) & (lattice.grid.index(cells) >= 0)).tolist():
        x, y = starts[n].round(3).tolist()
        title = str(shapes[n].properties.get("name") or "") or h.name
        where = replace(shapes[n].where, space=lattice.grid.label(*cells[n].tolist()))
        text = f"the {title}, from {x:.0f}, {y:.0f} mm, follows no hexside"
        report.add(LINE_WITHOUT_SIDE, where, text, kind=h.name, at=[x, y])


def _ashore(streams: Sequence[Stream], lattice: Lattice, wet: NDArray[np.bool_], at_sea: Set[int]) -> list[Stream]:
    """Take away what lines have in open water at their ends, but not of kinds that belong there, such as reefs."""
    # A side is in open water when both its hexes are.
    first, second = lattice.cells.T
    afloat = wet[first] & (wet[second] | (second < 0))
    out = []
    for stream in streams:
        ashore = np.flatnonzero(~afloat[stream.path.sides])
        if stream.kind not in at_sea:
            if not len(ashore):
                continue
            stream = stream.cut(lattice, int(ashore[0]), int(ashore[-1]) + 1)
        # Only now: a side that the line comes back to may have been cut away where it came first.
        out.append(replace(stream, path=stream.path.once()))
    return out


def _names(streams: Sequence[Stream], count: int) -> tuple[Ints, tuple[str, ...]]:
    """Name the sides after the lines that follow them, all if there are several."""
    found: dict[int, tuple[str, ...]] = {}
    for stream in streams:
        if stream.name:
            for side in stream.path.sides:
                before = found.get(side, ())
                if stream.name not in before:
                    found[side] = (*before, stream.name)
    number = {"": 0}
    name = np.zeros(count, dtype=np.int64)
    for side, words in found.items():
        name[side] = number.setdefault(" / ".join(words), len(number))
    return name, tuple(number)


def _by_terrain(
    h: HexsideData, order: list[str], lattice: Lattice, grounds: Grounds, terrain: Ints
) -> NDArray[np.bool_]:
    """Tell which sides a kind takes from terrain: those that lie over it, and those at its border."""
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
    return found
