"""Roads, railways and tracks: which hexes a drawn line runs through, one after the other.

A line enters a hex where it crosses one of its sides, and not where it only cuts a corner. What is left is a chain of
neighbours: the links between them, or the hexsides that it crosses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from toolchain.model.drawing import Drawing, Shape
from toolchain.model.hexes import Floats, Ints
from toolchain.report import Report
from toolchain.sources.decode.maps import MapPlan
from toolchain.survey.fitting import fitting
from toolchain.survey.lattice import Lattice
from toolchain.survey.rulings import OFF, repeat

# No visit of a hex is shorter than this, in mm.
DUST = 1e-6
# A line this near to a hexside, in pitches, along more than this part of it, may be meant for either hex.
NEAR, ALONG = 0.01, 0.5


@dataclass(frozen=True)
class Crossed:
    """What the lines of one [[crossing]] join, each pair of hexes once, in the order in which they were drawn.

    entry: its number. a, b: cells, b after a on the line that was drawn first; sides: between them; each of shape (n,).
    names: of the lines over each side. shapes: of the drawing, of the line that was drawn first. lines: all that are
    on the map, m shapes. ends: (m, 2), the cells in which each begins and ends, -1 off the grid; tips: (m, 2, 2), where
    it does, mm. along: lines, by their number in `lines`, and sides
    that they run along, so near that either hex may be meant.
    """

    entry: int
    a: Ints
    b: Ints
    sides: Ints
    names: tuple[str, ...]
    shapes: tuple[Shape, ...]
    lines: tuple[Shape, ...]
    ends: Ints
    tips: Floats
    along: tuple[tuple[int, int], ...]


def survey_crossings(plan: MapPlan, drawing: Drawing, lattice: Lattice, report: Report) -> tuple[Crossed, ...]:
    """Walk all lines of the layers in [[crossing]] through the hexes."""
    out = []
    for i, entry in enumerate(plan.data.crossing):
        layer = drawing.get(entry.layer)
        if layer is None:
            continue
        shapes = fitting(layer, (1,), "line", plan.at(f"crossing.{i}.layer"), report)
        merged = shapely.line_merge(np.array([s.geometry for s in shapes], dtype=object), directed=True)
        lines, of = shapely.get_parts(merged, return_index=True)
        if len(lines):
            out.append(_joined(i, lattice, lines, [shapes[n] for n in of.tolist()], entry.clip))
    return tuple(out)


def _joined(entry: int, lattice: Lattice, lines: NDArray[np.object_], shapes: Sequence[Shape], clip: float) -> Crossed:
    line, cells = enter(lattice, lines, clip * lattice.grid.pitch)
    starts = np.flatnonzero(np.diff(line, prepend=-1))
    nth = {n: i for i, n in enumerate(line[starts].tolist())}
    near, close = along_sides(lattice, lines)
    along = tuple((nth[n], side) for n, side in zip(near.tolist(), close.tolist(), strict=True) if n in nth)
    ends = np.stack([cells[starts], cells[np.append(starts[1:], len(cells)) - 1]], axis=1)
    found = tuple(shapes[n] for n in line[starts].tolist())
    tips = np.array([[lines[n].coords[0], lines[n].coords[-1]] for n in line[starts].tolist()]).reshape(-1, 2, 2)

    on = np.flatnonzero((line[1:] == line[:-1]) & (cells[1:] >= 0) & (cells[:-1] >= 0))
    a, b, line = cells[on], cells[on + 1], line[on]
    beside, number = np.nonzero(lattice.beyond[a] == b[:, None])
    a, b, line, sides = a[beside], b[beside], line[beside], lattice.cell_sides[a[beside], number]
    _, first, which = np.unique(sides, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty_like(order)
    rank[order] = np.arange(len(order))
    title = [str(s.properties.get("name") or "") for s in shapes]
    words: list[dict[str, None]] = [{} for _ in order]
    for n, of in zip(rank[which].tolist(), line.tolist(), strict=True):
        if title[of]:
            words[n].setdefault(title[of])
    first = first[order]
    names = tuple(" / ".join(w) for w in words)
    drawn = tuple(shapes[n] for n in line[first].tolist())
    return Crossed(entry, a[first], b[first], sides[first], names, drawn, found, ends, tips, along)


def enter(lattice: Lattice, lines: NDArray[np.object_], least: float) -> tuple[Ints, Ints]:
    """Find the hexes that lines enter, in order.

    lines: simple lines in sheet millimetres, from anywhere. least: a line that has less than this, in mm, in a hex has
    only cut its corner. Returns line and cell of every visit, -1 for a stretch off the grid. Cells that follow one
    another are neighbours.
    """
    points, of = shapely.get_coordinates(lines, return_index=True)
    edge = np.flatnonzero(of[1:] == of[:-1])
    walk = lattice.rulings.on_sides(points[edge], points[edge + 1])
    steps = np.hypot(*(points[1:] - points[:-1]).T) * (of[1:] == of[:-1])
    along = np.concatenate([[0.0], np.cumsum(steps)])
    at = edge[walk.edge]
    # A visit begins with its line, or where a side is crossed, and ends where the next one begins or the line ends.
    starts = np.flatnonzero(np.diff(of, prepend=-1))
    line = np.concatenate([of[starts], of[at]])
    place = np.concatenate([along[starts], along[at] + walk.part * steps[at]])
    order = np.lexsort((place, line))
    line, place = line[order], place[order]
    last = np.flatnonzero(np.diff(line, append=-1))
    until = np.append(place[1:], 0.0)
    until[last] = along[np.flatnonzero(np.diff(of, append=-1))]
    # What lies between two sides that are met in the same corner is no visit.
    real = until - place > DUST
    line, place, length = line[real], place[real], (until - place)[real]
    middle = place + length / 2
    n = np.clip(np.searchsorted(along, middle, side="right") - 1, 0, len(steps) - 1)
    spots = points[n] + ((middle - along[n]) / np.where(steps[n] > 0, steps[n], 1.0))[:, None] * (
        points[n + 1] - points[n]
    )
    cell = lattice.grid.index(lattice.grid.cell_at(spots + OFF))
    new = np.flatnonzero((np.diff(line, prepend=-1) != 0) | (np.diff(cell, prepend=-2) != 0))
    line, cell, length = line[new], cell[new], np.add.reduceat(length, new) if len(new) else length

    short = length < least
    if not short.any():
        return line, cell
    spoilt = np.isin(line, line[short])
    keep_line, keep_cell = [line[~spoilt]], [cell[~spoilt]]
    begin = np.flatnonzero(spoilt & (np.diff(line, prepend=-1) != 0))
    for i in begin.tolist():
        end = int(np.searchsorted(line, line[i], side="right"))
        kept = _without_cuts(lattice, cell[i:end].tolist(), length[i:end].tolist(), least)
        keep_cell.append(np.array(kept, dtype=np.int64))
        keep_line.append(np.full(len(kept), line[i]))
    line, cell = np.concatenate(keep_line), np.concatenate(keep_cell)
    order = np.argsort(line, kind="stable")
    return line[order], cell[order]


def along_sides(lattice: Lattice, lines: NDArray[np.object_]) -> tuple[Ints, Ints]:
    """Find the hexsides that lines run along, nearer than NEAR and for more than the part ALONG of their length.

    lines: as for `enter`. Returns line and side, each of shape (n,), of every side between two hexes of the grid that
    a line runs along, in the order of the lines.
    """
    grid = lattice.grid
    points, of = shapely.get_coordinates(lines, return_index=True)
    edge = np.flatnonzero(of[1:] == of[:-1])
    third, half = 3 * grid.radius, grid.radius / 2
    parts = []
    for number, ruling in enumerate(lattice.rulings.sides):
        a, b = points[edge] - ruling.origin, points[edge + 1] - ruling.origin
        off = np.stack([a @ ruling.across, b @ ruling.across]) / ruling.gap
        nth = np.rint(off.mean(axis=0)).astype(np.int64)
        near = np.flatnonzero((np.abs(off - nth) * ruling.gap < NEAR * grid.pitch).all(axis=0))
        low, high = np.sort(np.stack([a[near], b[near]]) @ ruling.along, axis=0)
        shift = np.where(nth[near] & 1, 0.0, third / 2)
        first = np.ceil((low - half - shift) / third).astype(np.int64)
        which, more = repeat(np.floor((high + half - shift) / third).astype(np.int64) - first + 1)
        middle = shift[which] + (first[which] + more) * third
        length = np.minimum(high[which], middle + half) - np.maximum(low[which], middle - half)
        spots = ruling.point(nth[near[which]], middle)
        inner, outer = (grid.index(grid.cell_at(spots + k * ruling.gap * ruling.across)) for k in (-1, 1))
        on = np.flatnonzero((inner >= 0) & (outer >= 0))
        parts.append((of[edge[near[which[on]]]], lattice.cell_sides[inner[on], number], length[on]))
    line, side, length = (np.concatenate(p) for p in zip(*parts, strict=True))
    both, which = np.unique(line * len(lattice.sides) + side, return_inverse=True)
    long = np.bincount(which, length, len(both)) > ALONG * grid.radius
    line, side = np.divmod(both[long], len(lattice.sides))
    return line, side


def _without_cuts(lattice: Lattice, cells: list[int], lengths: list[float], least: float) -> list[int]:
    """Forget the visits of a line that are shorter than `least`, the shortest first, where those beside still meet."""
    out: list[tuple[int, float]] = []
    n = 0
    while n < len(cells):
        end = n
        while end < len(cells) and lengths[end] < least:
            end += 1
        if end == n:
            out.append((cells[n], lengths[n]))
            n += 1
            continue
        # A run of short visits, with the long ones before and after it.
        run = [out.pop()] if out else []
        run += zip(cells[n : end + 1], lengths[n : end + 1], strict=True)
        out += _reduced(lattice, run, least)
        n = end + 1
    return [cell for cell, _ in out]


def _reduced(lattice: Lattice, run: list[tuple[int, float]], least: float) -> list[tuple[int, float]]:
    def joined(i: int) -> bool:
        if not 0 < i < len(run) - 1:
            return True
        before, after = run[i - 1][0], run[i + 1][0]
        return before == after or (before >= 0 and after in lattice.beyond[before])

    while len(run) > 1:
        short = [i for i, (_, length) in enumerate(run) if length < least and joined(i)]
        if not short:
            break
        i = min(short, key=lambda i: run[i][1])
        if 0 < i < len(run) - 1 and run[i - 1][0] == run[i + 1][0]:
            run[i - 1 : i + 2] = [(run[i - 1][0], sum(length for _, length in run[i - 1 : i + 2]))]
        else:
            del run[i]
    return run
