"""From the plan of one sheet and its drawing to the map: every hex, hexside, box and link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import shapely

from toolchain.model.drawing import Drawing, Layer, LineEnd
from toolchain.model.warmap import Sheet, WarMap
from toolchain.report import Report
from toolchain.sources.decode.maps import MapPlan
from toolchain.sources.drawings import read_drawing
from toolchain.sources.projection import Projection, build_projection, make_valid
from toolchain.survey.arrays import SurveyArrays
from toolchain.survey.boards import survey_boards, with_facts, without_doubles
from toolchain.survey.features import with_every
from toolchain.survey.hexboard import HexBoard, survey_hexes
from toolchain.survey.legend import build_legend
from toolchain.survey.rivers import bridged, run_on
from toolchain.survey.stated import build_boxes, build_links, build_spellings, with_stated


@dataclass(frozen=True)
class Surveyed:
    """A surveyed map and the drawing that it was made from, in sheet millimetres.

    sheets: each sheet of a map of several, surveyed by itself; arrangements: how they can lie together, of which this
    is the first. arrays: what was measured of the hexes; None without any. ends: of the lines over hexes.
    """

    warmap: WarMap
    drawing: Drawing
    sheets: Mapping[str, Surveyed] = field(default_factory=dict)
    arrangements: Mapping[str, Surveyed] = field(default_factory=dict)
    arrays: SurveyArrays | None = None
    ends: tuple[LineEnd, ...] = ()


def survey_single(plan: MapPlan, report: Report) -> Surveyed:
    """Read the drawing of a map of one sheet and survey it; see `toolchain.survey.maps.survey_map`."""
    projection = build_projection(plan, report)
    drawing = cleaned(read_drawing(plan, projection, report))
    # Without its projection every place would be missing and every link lead nowhere: one finding is enough.
    lost = plan.data.projection is not None and projection is None
    return build_map(plan, drawing, projection, Report() if lost else report)


def cleaned(drawing: Drawing) -> Drawing:
    """Set a drawing on a grid of a nanometre: no two of its points are so near that their difference is nothing."""
    out = {}
    for name, layer in drawing.items():
        # Rounded by itself: shapely's own grid would round everything that is made of the geometries as well.
        fine = make_valid(shapely.transform([s.geometry for s in layer.shapes], lambda xy: xy.round(6) + 0.0))
        kept = (replace(s, geometry=g) for s, g in zip(layer.shapes, fine, strict=True) if not g.is_empty)
        out[name] = Layer(name, tuple(kept))
    return out


def build_map(plan: MapPlan, drawing: Drawing, projection: Projection | None, report: Report) -> Surveyed:
    """Survey a drawing that was read already."""
    sheet = plan.data.sheet
    over = HexBoard() if plan.hexes is None else survey_hexes(plan, drawing, projection, report)
    boxes = build_boxes(plan, {s.key for s in over.hexes}, report)
    boards = survey_boards(plan, drawing, projection, over.hexes, boxes, report)
    warmap = WarMap(
        name=plan.name,
        title=plan.data.title or plan.name,
        sheets=(Sheet(sheet.name, sheet.width, sheet.height, sheet.title),),
        spaces=(*boards.hexes, *with_facts(plan, (*boxes, *boards.spaces), report)),
        hexsides=(*over.sides, *boards.sides),
        legend=build_legend(plan),
        grids={} if plan.hexes is None else {sheet.name: plan.hexes},
        tracks=boards.tracks,
    )
    warmap = replace(warmap, spellings=build_spellings(plan, warmap, report))
    links = without_doubles((*over.links, *boards.links), build_links(plan, warmap, report), report)
    sides = bridged(plan, run_on(plan, with_stated(plan, warmap, report)), links)
    warmap = replace(warmap, hexsides=sides, links=links, spaces=with_every(plan, warmap))
    return Surveyed(warmap, drawing, arrays=over.arrays, ends=over.ends)
