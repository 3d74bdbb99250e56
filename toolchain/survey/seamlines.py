"""Lines of several sheets joined where they meet at a seam, so that a road or river runs on over it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.model.drawing import Shape
from toolchain.model.hexes import Floats, Ints

# A line that ends so near to the edge of its sheet, in mm, ends at the edge.
AT_EDGE = 1e-3


def join_lines(
    shapes: Sequence[Shape], sheet: Sequence[int], edges: Sequence[BaseGeometry], most: float, beyond: float
) -> list[Shape]:
    """Join the lines of one layer over seams.

    sheet: the number of the sheet of each shape. edges: outline of each sheet. most: how far apart two ends at a seam
    may lie, in mm. Two lines that meet become one, in the direction of the first; its ends at the seam move to the
    middle between them, and it has both names. A line that meets none runs on beyond the edge, by so many mm, so
    that it takes in the whole of a hexside that the edge cuts. Returns all other shapes as they are, lines last.
    """
    out: list[Shape] = []
    lines: list[Shape] = []
    of: list[int] = []
    for shape, number in zip(shapes, sheet, strict=True):
        if shapely.get_dimensions(shape.geometry) != 1:
            out.append(shape)
            continue
        for part in shapely.get_parts(shapely.line_merge(shape.geometry)):
            lines.append(replace(shape, geometry=part))
            of.append(number)
    if not lines:
        return out
    ends = np.array([[s.geometry.coords[0], s.geometry.coords[-1]] for s in lines])[..., :2].reshape(-1, 2)
    sheets = np.repeat(np.array(of, dtype=np.int64), 2)
    at_edge = np.flatnonzero(shapely.dwithin(np.array(edges, dtype=object)[sheets], shapely.points(ends), AT_EDGE))
    mate = _meet(ends, sheets, at_edge, most)
    for end in at_edge.tolist():
        if end not in mate:
            lines[end // 2] = replace(lines[end // 2], geometry=_longer(lines[end // 2].geometry, end % 2, beyond))
    done: set[int] = set()
    for first in range(len(lines)):
        if first not in done:
            chain = _chain(first, mate)
            done.update(line for line, _ in chain)
            out.append(_joined(chain, lines, ends, mate))
    return out


def _longer(line: BaseGeometry, end: int, more: float) -> BaseGeometry:
    """Let a line run on straight beyond one end."""
    run = shapely.get_coordinates(line)
    run = run if end else run[::-1]
    step = run[-1] - run[-2]
    run = np.concatenate([run, [run[-1] + more * step / np.hypot(*step)]])
    return shapely.linestrings(run if end else run[::-1])


def _meet(ends: Floats, sheets: Ints, found: Ints, most: float) -> dict[int, int]:
    """Pair the ends that were found at seams: each with the nearest one of another sheet."""
    points = shapely.points(ends)
    one, other = shapely.STRtree(points[found]).query(points[found], predicate="dwithin", distance=most)
    a, b = found[one], found[other]
    apart = (a < b) & (sheets[a] != sheets[b])
    a, b = a[apart], b[apart]
    mate: dict[int, int] = {}
    for i in np.lexsort((b, a, np.hypot(*(ends[a] - ends[b]).T))).tolist():
        p, q = int(a[i]), int(b[i])
        if p not in mate and q not in mate:
            mate[p], mate[q] = q, p
    return mate


def _chain(first: int, mate: dict[int, int]) -> list[tuple[int, bool]]:
    """Return the lines that hang together with one, in order, each with whether it runs the way it was drawn."""

    def onward(line: int, ahead: bool) -> tuple[int, bool] | None:
        end = mate.get(2 * line + ahead)
        return None if end is None else (end // 2, end % 2 == 0)

    start, seen = (first, True), {first}
    while (step := onward(start[0], not start[1])) is not None and step[0] not in seen:
        start = (step[0], not step[1])
        seen.add(start[0])
    chain, seen = [start], {start[0]}
    while (step := onward(*chain[-1])) is not None and step[0] not in seen:
        chain.append(step)
        seen.add(step[0])
    # The first line of the file says which way the whole runs.
    ahead = next(way for line, way in chain if line == first)
    return chain if ahead else [(line, not way) for line, way in reversed(chain)]


def _joined(chain: list[tuple[int, bool]], lines: Sequence[Shape], ends: Floats, mate: dict[int, int]) -> Shape:
    if len(chain) == 1:
        return lines[chain[0][0]]
    points: list[Floats] = []
    names: list[str] = []
    for line, ahead in chain:
        run = shapely.get_coordinates(lines[line].geometry)
        for end, i in ((2 * line, 0), (2 * line + 1, -1)):
            if end in mate:
                run[i] = (ends[end] + ends[mate[end]]) / 2
        run = run if ahead else run[::-1]
        points.append(run[1:] if points else run)
        name = str(lines[line].properties.get("name") or "")
        if name and name not in names:
            names.append(name)
    first = lines[min(line for line, _ in chain)]
    properties = {**first.properties, "name": " / ".join(names)} if names else first.properties
    return replace(first, geometry=shapely.linestrings(np.concatenate(points)), properties=properties)
