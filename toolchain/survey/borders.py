"""Which areas are adjacent: those that share enough border, however sloppily the border was drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from toolchain.catalogue import AREAS_OVERLAP, CORNER_CONTACT
from toolchain.model.drawing import Drawing
from toolchain.model.hexes import Ints
from toolchain.model.warmap import Hexside, Point
from toolchain.report import Location, Report
from toolchain.sources.decode.maps import MapPlan
from toolchain.survey.shapes import Drawn

Floats = NDArray[np.float64]
LISTED = 40  # findings of one kind; a map of squares has thousands of corners


@dataclass(frozen=True)
class Borders:
    """Borders between pairs of areas, i before j. runs: where they run; lengths: mm, less what a corner would have."""

    pairs: Ints
    runs: NDArray[np.object_]
    lengths: Floats


def find_borders(shapes: NDArray[np.object_], tolerance: float) -> Borders:
    """Find all pairs of areas that come within the tolerance of each other, and how much border they share.

    shapes: (n,) valid polygons in mm. tolerance: gaps and overlaps up to it, in mm, are bridged. Two areas that touch
    in a corner share a border of length 0, or little more.

    The border is the part of the shorter outline that runs within the tolerance of the other area. It reaches past
    each end of the true border by about the tolerance, which is taken off.
    """
    tree = shapely.STRtree(shapes)
    i, j = tree.query(shapes, predicate="dwithin", distance=tolerance)
    keep = i < j
    i, j = i[keep], j[keep]
    order = np.lexsort((j, i))
    i, j = i[order], j[order]
    outlines = shapely.boundary(shapes)
    size = shapely.length(outlines)
    grown = shapely.buffer(shapes, tolerance, quad_segs=4)
    short, long = np.where(size[i] <= size[j], i, j), np.where(size[i] <= size[j], j, i)
    runs = shapely.line_merge(shapely.intersection(outlines[short], grown[long]))
    lengths = np.maximum(shapely.length(runs) - 2 * tolerance, 0.0)
    return Borders(np.stack([i, j], axis=1), runs, lengths)


def survey_borders(plan: MapPlan, areas: Sequence[Drawn], drawing: Drawing, report: Report) -> tuple[Hexside, ...]:
    """Make a side of every border that two areas share; kinds of hexside come from layers and terrain as on hexes.

    Contacts that are too short, and areas that lie over each other, are findings.
    """
    if len(areas) < 2:
        return ()
    rule = plan.data.adjacency
    shapes = np.array([a.geometry for a in areas], dtype=object)
    borders = find_borders(shapes, rule.tolerance)
    _report_overlaps(areas, shapes, borders, rule.tolerance, report)
    enough = borders.lengths >= rule.least
    _report_corners(areas, borders, ~enough, rule.least, report)
    pairs, runs = borders.pairs[enough], borders.runs[enough]
    kinds, names = _kinds(plan, areas, pairs, runs, drawing)
    out = []
    for n, ((i, j), line) in enumerate(zip(pairs.tolist(), _longest(runs), strict=True)):
        ends = (line[0], line[-1] if line[0] != line[-1] else line[len(line) // 2])
        out.append(Hexside(areas[i].space.key, areas[j].space.key, ends, kinds[n], names[n], line=line))
    return tuple(out)


def _longest(runs: NDArray[np.object_]) -> list[tuple[Point, ...]]:
    """Return the points of the longest line of every run."""
    if not len(runs):
        return []
    parts, of = shapely.get_parts(runs, return_index=True)
    order = np.lexsort((-shapely.length(parts), of))
    first = np.unique(of[order], return_index=True)[1]
    lines = parts[order][first]
    points, line = shapely.get_coordinates(lines, return_index=True)
    cuts = np.searchsorted(line, np.arange(1, len(lines)))
    return [tuple((x, y) for x, y in run.tolist()) for run in np.split(points.round(4), cuts)]


def _kinds(
    plan: MapPlan, areas: Sequence[Drawn], pairs: Ints, runs: NDArray[np.object_], drawing: Drawing
) -> tuple[list[frozenset[str]], list[str]]:
    kinds: list[set[str]] = [set() for _ in pairs]
    names = [""] * len(pairs)
    lengths = shapely.length(runs)
    for kind in plan.data.hexside:
        if kind.layer in drawing and len(pairs):
            shapes = drawing[kind.layer].shapes
            bands = shapely.buffer([s.geometry for s in shapes], 2 * plan.data.adjacency.tolerance, quad_segs=4)
            run, band = shapely.STRtree(bands).query(runs, predicate="intersects")
            shared = shapely.length(shapely.intersection(runs[run], bands[band]))
            along = np.bincount(run, shared, minlength=len(pairs))
            for n in np.flatnonzero(along >= kind.least * lengths).tolist():
                kinds[n].add(kind.name)
            for n, b in zip(run[np.argsort(shared)].tolist(), band[np.argsort(shared)].tolist(), strict=True):
                if kind.name in kinds[n]:  # the line that follows the border furthest comes last
                    names[n] = str(shapes[b].properties.get("name") or names[n])
        if kind.border:
            inside = np.array([a.space.terrain == kind.border for a in areas])
            for n in np.flatnonzero(inside[pairs[:, 0]] != inside[pairs[:, 1]]).tolist():
                kinds[n].add(kind.name)
    return [frozenset(k) for k in kinds], names


def _report_corners(
    areas: Sequence[Drawn], borders: Borders, short: NDArray[np.bool_], least: float, report: Report
) -> None:
    found = np.flatnonzero(short).tolist()
    for n in found[:LISTED]:
        a, b = (areas[k].space for k in borders.pairs[n].tolist())
        spot = borders.runs[n].centroid
        place = f", at {spot.x:.0f}, {spot.y:.0f} mm" if not spot.is_empty else ""
        text = f"{a.key} and {b.key} share {borders.lengths[n]:.1f} mm of border{place}: not adjacent"
        report.add(CORNER_CONTACT, _at(a.where, a.key), f"{text}, for which {least:g} mm are needed")
    if len(found) > LISTED:
        file = areas[0].space.where.file
        report.add(CORNER_CONTACT, Location(file=file), f"and {len(found) - LISTED} more pairs that touch in a corner")


def _report_overlaps(
    areas: Sequence[Drawn], shapes: NDArray[np.object_], borders: Borders, tolerance: float, report: Report
) -> None:
    """Report areas that lie over each other by more than the tolerance: what is left of both still overlaps."""
    cores = shapely.buffer(shapes, -tolerance / 2, quad_segs=4)
    shapely.prepare(cores)
    i, j = borders.pairs.T
    for n in np.flatnonzero(shapely.intersects(cores[i], cores[j])).tolist():
        a, b = areas[int(i[n])].space, areas[int(j[n])].space
        over = shapes[i[n]].intersection(shapes[j[n]])
        spot = over.centroid
        text = f"{a.key} and {b.key} lie over each other, {over.area:.1f} mm² at {spot.x:.0f}, {spot.y:.0f} mm"
        report.add(AREAS_OVERLAP, _at(a.where, a.key), text, area=round(over.area, 3))


def _at(where: Location, space: str) -> Location:
    return Location(where.file, where.line, where.column, where.key, where.element, space)
