"""Areas that are spaces: what ground they are, and what the points of the drawing tell of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import shapely

from toolchain.catalogue import TERRAIN_TIE
from toolchain.model.drawing import Drawing
from toolchain.model.hexes import Floats, Ints
from toolchain.report import Location, Report
from toolchain.sources.decode.maps import MapPlan
from toolchain.sources.decode.places import Place
from toolchain.survey.shapes import Drawn
from toolchain.survey.sites import with_sites
from toolchain.survey.terrain import TIE, ground_of_shapes, judge


def with_ground(plan: MapPlan, areas: Sequence[Drawn], drawing: Drawing, report: Report) -> list[Drawn]:
    """Give areas the terrain that covers them, by the rules that hold for hexes, with its shares.

    What [[areas]] or the table of places states goes before. Close decisions are findings, as of hexes.
    """
    stated = {p.name: p.terrain for p in plan.places if p.terrain}
    out = [replace(a, space=replace(a.space, terrain=stated.get(a.space.key, a.space.terrain))) for a in areas]
    if not out or not any(t.layer or t.outside for t in plan.data.terrain):
        return out
    shapes = np.array([a.geometry for a in out], dtype=object)
    grounds = ground_of_shapes(plan, drawing, shapes, np.array([a.space.at for a in out]))
    verdicts = judge(plan, grounds, np.ones(len(out), dtype=bool))
    legend = [t.name for t in plan.data.terrain]
    for n, (area, kind) in enumerate(zip(out, verdicts.terrain.tolist(), strict=True)):
        shares = {name: round(s, 6) for name, s in zip(legend, grounds.shares[n].tolist(), strict=True) if s > 0}
        terrain = area.space.terrain or (legend[kind] if kind >= 0 else "")
        out[n] = replace(area, space=replace(area.space, terrain=terrain, shares=shares))
        if not area.space.terrain and terrain and verdicts.margin[n] < TIE:
            text = f"{terrain}, but only just: {verdicts.why(n)}"
            where = replace(area.space.where, space=area.space.key)
            report.add(TERRAIN_TIE, where, text, margin=round(float(verdicts.margin[n]), 4))
    return out


def with_features(plan: MapPlan, areas: Sequence[Drawn], drawing: Drawing, report: Report) -> list[Drawn]:
    """Give areas the features and traits of the points of [[site]] that lie in them."""
    if not areas or not plan.data.site:
        return list(areas)
    tree = shapely.STRtree([a.geometry for a in areas])

    def locate(points: Floats) -> Ints:
        found = np.full(len(points), -1)
        point, area = tree.query(shapely.points(points), predicate="intersects")
        found[point[::-1]] = area[::-1]
        return found

    told = with_sites(plan, drawing, {}, locate, lambda n: areas[n].space.key, report)
    nothing = Place("", Location())
    out = []
    for n, area in enumerate(areas):
        space, place = area.space, told.get(n, nothing)
        traits = {**place.traits, **space.traits}
        out.append(replace(area, space=replace(space, features=space.features | place.features, traits=traits)))
    return out
