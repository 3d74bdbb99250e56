"""Several sheets laid together: their drawings become one drawing, and that is surveyed as one map.

So everything that a seam could part is whole again before it is measured: two halves of a hex are one hex whose
terrain goes by the area of both, roads and rivers run on, and the graph of an arrangement is one graph.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import EMPTY_LAYER, LINE_WITHOUT_SIDE, REPEATED_NAME, SHEET_UNUSED, TWO_PLACES, UNARRANGED
from toolchain.model.drawing import Drawing, Layer, Shape
from toolchain.model.hexes import Floats, HexGrid
from toolchain.model.warmap import Placement
from toolchain.report import Finding, Report
from toolchain.sources.decode.boards import TrackData
from toolchain.sources.decode.maps import BoxData, MapPlan
from toolchain.sources.decode.overlays import RiverData, SideData
from toolchain.sources.decode.places import LinkRow
from toolchain.sources.decode.sheets import ArrangementData, ArrangementPart, PlacementData, SheetData
from toolchain.survey.laying import TOLERANCE, Laid, Move, lay_sheets, moved
from toolchain.survey.seamlines import join_lines
from toolchain.survey.sheetnames import Find, Names, called_here, find_words, list_words
from toolchain.survey.single import Surveyed, build_map, survey_single


def survey_sheets(plan: MapPlan, report: Report) -> dict[str, Surveyed]:
    """Survey every sheet of a map by itself, by name. Findings name hexes with the sheet, as A-0304.

    A layer may be empty on some sheets: not every map has a desert. One that is empty on all of them is a finding.
    """
    out: dict[str, Surveyed] = {}
    by_sheet: dict[str, Report] = {}
    for one in plan.sheets:
        name = one.data.sheet.name
        by_sheet[name] = Report()
        out[name] = survey_single(one, by_sheet[name])
    drawn = {f"layers.{key}" for x in out.values() for key, layer in x.drawing.items() if layer.shapes}
    for name, found in by_sheet.items():
        for f in found:
            if f.rule != EMPTY_LAYER or f.where.key not in drawn:
                space = f"{name}-{f.where.space}" if f.where.space else ""
                where = replace(f.where, space=space)
                report.extend([replace(f, where=where, facts={**f.facts, "sheet": name})])
    return out


def survey_arranged(plan: MapPlan, report: Report) -> Surveyed:
    """Survey a map of several sheets: each by itself, then every arrangement; the first is the map of the game.

    Without an arrangement the first sheet is the map, which is a finding.
    """
    sheets = survey_sheets(plan, report)
    if not plan.arrangements:
        text = "no [[arrangement]] says how the sheets lie; the first sheet alone is the map"
        report.add(UNARRANGED, plan.at("arrangement"), text)
        return replace(sheets[plan.data.sheet.name], sheets=sheets)
    used = {placed.sheet for stated in plan.arrangements for placed in stated.sheets}
    for n, name in enumerate(sheets):
        if name not in used:
            report.add(SHEET_UNUSED, plan.at(f"sheet.{n}"), f"the sheet {name} lies in no arrangement")
    laid = {stated.name: arrange(plan, sheets, n, report) for n, stated in enumerate(plan.arrangements)}
    return replace(laid[plan.arrangements[0].name], sheets=sheets, arrangements=laid)


def turned(plan: MapPlan, sheets: Mapping[str, Surveyed], name: str, called: str) -> Surveyed:
    """Survey a sheet that lies by itself, turned by half a circle, as an arrangement of its own.

    sheets: as `survey_sheets` gives them. called: the name of the arrangement, and of its one sheet. Hexes are called
    with the name of the sheet, as A-0304.
    """
    laid = PlacementData(sheet=name, at=(0, 0), turn=180)
    alone = replace(plan, arrangements=(ArrangementData(name=called, sheets=(laid,)),), seams=((),))
    return arrange(alone, sheets, 0, Report(), full=True)


def arrange(plan: MapPlan, sheets: Mapping[str, Surveyed], number: int, report: Report, full: bool = False) -> Surveyed:
    """Lay sheets together and survey them as one map.

    sheets: as `survey_sheets` gives them. number: of the arrangement in map.toml. A hex is called as on its sheet;
    where two sheets use one number or name, with the name of the sheet before it, as A-0304. The hex that two halves
    make is called as on the sheet that is named first, and the other name is a spelling of it. full: all are called so.
    What is wrong with a sheet by itself is not said again.
    """
    laid, grid = lay_sheets(plan, sheets, number, report)
    if not laid:
        return next(iter(sheets.values()))
    names = Names.of(laid, grid, full)
    find = find_words(laid, names)
    words = {**list_words(laid, find), **names.spellings}
    whole = _plan(plan, number, laid, find, words, names, grid)
    drawing = _drawing(plan, laid)
    found = Report()
    joined = build_map(whole, drawing, None, found)
    warmap = joined.warmap
    joint = {names.keys[g] for g, parts in names.parts.items() if len(parts) > 1}
    own = {row.where.file for row in plan.seams[number]}

    def is_new(f: Finding) -> bool:
        stated = f.where.key.startswith(f"arrangement.{number}.") or f.where.file in own
        if f.rule == LINE_WITHOUT_SIDE:  # a sheet by itself says so
            return False
        return stated or f.where.space in joint or f.rule in (TWO_PLACES, REPEATED_NAME)

    report.extend(f for f in found if is_new(f))
    spaces = tuple(names.printed(s, grid) for s in warmap.spaces)
    keys = {s.key for s in spaces}
    spellings = {w: k for w, k in words.items() if w not in keys and k in keys}
    placements = tuple(
        Placement(x.name, x.plan.data.sheet.name, _corner(x.outline), _size(x.outline), x.move.turn) for x in laid
    )
    warmap = replace(warmap, spaces=spaces, spellings=spellings, placements=placements)
    return replace(joined, warmap=warmap)


def _corner(outline: Floats) -> tuple[float, float]:
    x, y = outline.min(axis=0).tolist()
    return x, y


def _size(outline: Floats) -> tuple[float, float]:
    w, h = (outline.max(axis=0) - outline.min(axis=0)).round(6).tolist()
    return w, h


def _plan(
    plan: MapPlan,
    number: int,
    laid: Sequence[Laid],
    finders: Mapping[str, Find],
    words: Mapping[str, str],
    names: Names,
    grid: HexGrid,
) -> MapPlan:
    """State an arrangement as a map of one sheet: what its sheets state, and then what it states itself."""
    stated = plan.arrangements[number]
    outlines = [x.outline for x in laid]
    width, height = np.concatenate(outlines).max(axis=0).tolist()
    boxes, tracks, links = list[BoxData](), list[TrackData](), list[LinkRow]()
    sides, rivers = list[SideData](), list[RiverData]()
    called = called_here(laid)
    for x in laid:
        own, find = x.plan.data, finders[x.name]
        for box in own.box:
            new = {"key": called[x.name, box.key], "title": box.title or box.key, "at": moved(x.move, box.at)}
            boxes.append(box.model_copy(update=new))
        for track in own.track:
            at = None if track.at is None else moved(x.move, track.at)
            along = tuple(moved(x.move, point) for point in track.along)
            spots = {"key": called[x.name, track.key], "title": track.label, "at": at, "along": along}
            tracks.append(track.model_copy(update=spots))
        for side in own.side:
            a, b = (find(word) for word in side.between)
            if a and b:
                sides.append(side.model_copy(update={"between": (a, b)}))
        for row in x.plan.links:
            a, b = find(row.a), find(row.b)
            if a and b:
                links.append(replace(row, a=a, b=b))
        for river in own.river:
            ends = {"source": river.source, "mouth": river.mouth}
            found = {k: moved(x.move, v) if isinstance(v, tuple) else find(v or "") or None for k, v in ends.items()}
            if found["source"] or found["mouth"]:
                rivers.append(river.model_copy(update=found))
    part = ArrangementPart(number, {"side": len(sides), "river": len(rivers)})
    for side in stated.side:
        a, b = (words.get(word, word) for word in side.between)
        sides.append(side.model_copy(update={"between": (a, b)}))
    for river in stated.river:
        ends = {k: words.get(v, v) if isinstance(v := getattr(river, k), str) else v for k in ("source", "mouth")}
        rivers.append(river.model_copy(update=ends))
    links += [replace(row, a=words.get(row.a, row.a), b=words.get(row.b, row.b)) for row in plan.seams[number]]
    stating = {
        "title": stated.title or plan.data.title,
        "sheet": SheetData(name=stated.name, width=width, height=height),
        "box": tuple(boxes),
        "track": tuple(tracks),
        "side": tuple(sides),
        "river": tuple(rivers),
    }
    return MapPlan(
        plan.name,
        plan.shown,
        plan.data.model_copy(update=stating),
        replace(grid, stated=names.stated),
        places=names.places,
        links=tuple(links),
        outlines=tuple(tuple((px, py) for px, py in outline.tolist()) for outline in outlines),
        part=part,
    )


def _drawing(plan: MapPlan, laid: Sequence[Laid]) -> Drawing:
    """Lay the drawings of sheets together, each cut to its sheet, and join the lines that meet at seams."""
    tolerance = plan.seam.tolerance if plan.seam else TOLERANCE
    beyond = laid[0].plan.grid.pitch / 4
    papers = [shapely.polygons(x.outline) for x in laid]
    edges = [shapely.get_exterior_ring(paper) for paper in papers]
    out: dict[str, Layer] = {}
    for name in dict.fromkeys(name for x in laid for name in x.surveyed.drawing):
        shapes: list[Shape] = []
        of: list[int] = []
        for k, x in enumerate(laid):
            if name in x.surveyed.drawing:
                for shape in _cut(x.surveyed.drawing[name].shapes, x.move, papers[k]):
                    shapes.append(shape)
                    of.append(k)
        out[name] = Layer(name, tuple(join_lines(shapes, of, edges, tolerance, beyond)))
    return out


def _cut(shapes: Sequence[Shape], move: Move, paper: BaseGeometry) -> list[Shape]:
    geometries = shapely.transform(np.array([s.geometry for s in shapes], dtype=object), move)
    # Both sides of a seam round alike, so that no hair of ground is left between them.
    cut = shapely.set_precision(shapely.intersection(geometries, paper), 1e-6)
    return [replace(s, geometry=g) for s, g in zip(shapes, cut, strict=True) if not g.is_empty]
