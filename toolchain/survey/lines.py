"""Drawn lines that are links: their ends, and the spaces that they pass through."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import shapely
import shapely.ops
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import DOUBLED_LINK, LINE_TO_ITSELF, LOOSE_END, PASSES_OVER
from toolchain.model.drawing import Drawing, Shape
from toolchain.model.warmap import Link
from toolchain.report import Report
from toolchain.sources.decode.boards import LinesData
from toolchain.sources.decode.maps import MapPlan
from toolchain.survey.fitting import fitting
from toolchain.survey.shapes import Drawn, drawn_traits


def survey_lines(plan: MapPlan, spaces: Sequence[Drawn], drawing: Drawing, report: Report) -> tuple[Link, ...]:
    """Make links of the lines of the layers in [[lines]].

    spaces: with the shapes they were drawn as. Each end of a line belongs to the nearest space, at most `snap` from its
    shape. A line that runs through the middle of further spaces is cut there. Loose ends, lines from a space to itself
    and links drawn twice are findings.
    """
    out: list[Link] = []
    seen: dict[tuple[object, ...], Link] = {}
    if not spaces:
        return ()
    joints = _Joints(spaces)
    for i, entry in enumerate(plan.data.lines):
        layer = drawing.get(entry.layer)
        if layer is None:
            continue
        for shape in fitting(layer, (1,), "line", plan.at(f"lines.{i}.layer"), report):
            for line in _lines_of(shape.geometry):
                for link in _links(entry, shape, line, joints, report):
                    same = (*sorted((link.a, link.b)), link.kind, *sorted(link.traits.items()))
                    first = seen.get(same)
                    if first is not None and not (link.one_way and first.one_way and link.a != first.a):
                        text = f"a {link.kind} between {link.a} and {link.b} was drawn already, {first.where}"
                        report.add(DOUBLED_LINK, link.where, text)
                        continue
                    seen[same] = link
                    out.append(link)
    return tuple(out)


class _Joints:
    """The shapes of spaces, to be found by place."""

    def __init__(self, spaces: Sequence[Drawn]) -> None:
        self.keys = [s.space.key for s in spaces]
        self.at = shapely.points([s.space.at for s in spaces])
        self.shapes = np.array([s.geometry for s in spaces], dtype=object)
        self.radius = np.sqrt(shapely.area(self.shapes) / math.pi)
        self.tree = shapely.STRtree(self.shapes)

    def nearest(self, point: BaseGeometry) -> tuple[int, float]:
        """Return the space nearest to a point, by shape and then by middle, and how far its shape is."""
        found = self.tree.query_nearest(point)
        best = int(found[shapely.distance(self.at[found], point).argmin()])
        return best, float(shapely.distance(self.shapes[best], point))


def _links(entry: LinesData, shape: Shape, line: BaseGeometry, joints: _Joints, report: Report) -> list[Link]:
    ends = [shapely.Point(line.coords[0]), shapely.Point(line.coords[-1])]
    found = [joints.nearest(end) for end in ends]
    loose = False
    for end, (n, away) in zip(ends, found, strict=True):
        if away > entry.snap + 1e-9:
            text = f"the line ends at {end.x:.0f}, {end.y:.0f} mm, {away:.1f} mm from {joints.keys[n]}"
            report.add(LOOSE_END, shape.where, f"{text}; at most {entry.snap:g} are bridged", distance=round(away, 3))
            loose = True
    if loose:
        return []
    (a, _), (b, _) = found
    stops = [a, *_between(entry, shape, line, {a, b}, joints, report), b]
    if len(stops) == 2 and a == b:
        x, y = line.coords[0]
        report.add(LINE_TO_ITSELF, shape.where, f"the line joins {joints.keys[a]} to itself, at {x:.0f}, {y:.0f} mm")
        return []
    cuts = [0.0, *(float(line.project(joints.at[n])) for n in stops[1:-1]), line.length]
    traits = {**entry.traits, **drawn_traits(shape.properties, entry.properties)}
    out = []
    for (one, start), (other, end_) in pairwise(zip(stops, cuts, strict=True)):
        run = shapely.get_coordinates(shapely.ops.substring(line, start, end_)).round(6).tolist()
        points = tuple((x, y) for x, y in run)
        keys = joints.keys[one], joints.keys[other]
        out.append(
            Link(*keys, entry.kind, entry.one_way, traits, entry.cite, entry.assumed, where=shape.where, line=points)
        )
    return out


def _between(
    entry: LinesData, shape: Shape, line: BaseGeometry, ends: set[int], joints: _Joints, report: Report
) -> list[int]:
    """Return the spaces that a line passes through, in order; one that it only grazes is a finding."""
    near = joints.tree.query(line, predicate="dwithin", distance=entry.snap)
    near = np.array([n for n in near.tolist() if n not in ends], dtype=int)
    if not len(near):
        return []
    away = shapely.distance(joints.at[near], line)
    through = away <= np.maximum(joints.radius[near] / 2, np.where(joints.radius[near] > 0, 0.0, entry.snap))
    for n in near[~through & shapely.intersects(joints.shapes[near], line)].tolist():
        x, y = joints.at[n].x, joints.at[n].y
        text = f"the line runs over the edge of {joints.keys[n]}, at {x:.0f}, {y:.0f} mm, and is not joined to it"
        report.add(PASSES_OVER, shape.where, text)
    hits = near[through]
    return [int(hits[i]) for i in np.argsort(shapely.line_locate_point(line, joints.at[hits]), kind="stable")]


def _lines_of(geometry: BaseGeometry) -> list[BaseGeometry]:
    """Return the open lines of a geometry, pieces that meet end to end joined."""
    lines = [g for g in shapely.get_parts(geometry) if g.geom_type in ("LineString", "LinearRing") and g.length > 0]
    return list(shapely.get_parts(shapely.line_merge(shapely.MultiLineString(lines)))) if len(lines) > 1 else lines
