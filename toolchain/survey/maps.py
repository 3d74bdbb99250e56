"""From a plan and its drawing to the map: every hex, hexside, box and link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from toolchain.catalogue import (
    NOT_NEIGHBOURS,
    OFF_SHEET,
    PLACE_IN_WATER,
    REPEATED_NAME,
    TERRAIN_TIE,
    UNKNOWN_SPACE,
)
from toolchain.model.drawing import Drawing
from toolchain.model.warmap import Hexside, LegendEntry, Link, Sheet, Space, WarMap
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode.maps import BoxData, FeatureData, HexsideData, LinkKindData, MapPlan, Place
from toolchain.sources.drawings import read_drawing
from toolchain.sources.projection import Projection, build_projection
from toolchain.survey.boards import survey_boards, with_facts, without_doubles
from toolchain.survey.hexsides import Sides, survey_sides
from toolchain.survey.lattice import Lattice, build_lattice
from toolchain.survey.paper import on_paper
from toolchain.survey.places import settle
from toolchain.survey.terrain import TIE, Grounds, Verdicts, judge, survey_grounds


@dataclass(frozen=True)
class Surveyed:
    """A surveyed map and the drawing that it was made from, in sheet millimetres.

    sheets: each sheet of a map of several, surveyed by itself.
    """

    warmap: WarMap
    drawing: Drawing
    sheets: Mapping[str, Surveyed] = field(default_factory=dict)


def survey_map(plan: MapPlan, report: Report) -> Surveyed:
    """Read the drawing of a map and survey it.

    plan: what map.toml and its tables state. Returns the map with a space for every hex on the sheet; what is wrong
    is in the report, and the map is then what could be made without it. A map of several sheets is their first
    arrangement; see `toolchain.survey.sheets`.
    """
    if plan.sheets:
        from toolchain.survey.sheets import survey_arranged  # which surveys each sheet by this function

        return survey_arranged(plan, report)
    projection = build_projection(plan, report)
    drawing = read_drawing(plan, projection, report)
    # Without its projection every place would be missing and every link lead nowhere: one finding is enough.
    lost = plan.data.projection is not None and projection is None
    return Surveyed(build_map(plan, drawing, projection, Report() if lost else report), drawing)


def build_map(plan: MapPlan, drawing: Drawing, projection: Projection | None, report: Report) -> WarMap:
    """Survey a drawing that was read already."""
    sheet = plan.data.sheet
    hexes, hexsides = _hex_board(plan, drawing, projection, report) if plan.hexes is not None else ([], ())
    boxes = _boxes(plan, {s.key for s in hexes}, report)
    boards = survey_boards(plan, drawing, projection, hexes, boxes, report)
    warmap = WarMap(
        name=plan.name,
        title=plan.data.title or plan.name,
        sheets=(Sheet(sheet.name, sheet.width, sheet.height, sheet.title),),
        spaces=(*boards.hexes, *with_facts(plan, (*boxes, *boards.spaces), report)),
        hexsides=(*hexsides, *boards.sides),
        legend=_legend(plan),
        grids={} if plan.hexes is None else {sheet.name: plan.hexes},
        tracks=boards.tracks,
    )
    warmap = replace(warmap, spellings=_spellings(plan, warmap, report))
    links = without_doubles((*boards.links, *_links(plan, warmap, report)), report)
    return replace(warmap, hexsides=_stated(plan, warmap, report), links=links)


def _hex_board(
    plan: MapPlan, drawing: Drawing, projection: Projection | None, report: Report
) -> tuple[list[Space], tuple[Hexside, ...]]:
    """Survey the hexes of a map and their sides."""
    grid = plan.grid
    on_map, whole = on_paper(plan)
    places = settle(plan, projection, on_map, report)
    named = np.zeros(len(grid.cells), dtype=bool)
    named[[cell for cell, place in places.items() if place.name]] = True

    grounds = survey_grounds(plan, drawing, report)
    verdicts = judge(plan, grounds.shares, named)
    legend = [t.name for t in plan.data.terrain]
    terrain = verdicts.terrain.copy()
    for cell, place in places.items():
        if place.terrain:
            terrain[cell] = legend.index(place.terrain) if place.terrain in legend else -1
    lattice = build_lattice(grid)
    sides = survey_sides(plan, drawing, lattice, grounds, terrain, report)

    keys = _keys(plan, places, on_map, report)
    enterable = named if plan.data.enterable == "named" else np.ones(len(named), dtype=bool)
    if plan.data.grid is not None and plan.data.grid.partial == "numbered":
        enterable = enterable & whole
    numbered = whole if plan.data.grid is not None and plan.data.grid.partial == "playable" else on_map
    hexes = _hexes(plan, places, keys, on_map, enterable, numbered, grounds, terrain)
    _report_terrain(plan, places, keys, on_map & enterable, verdicts, legend, report)
    return hexes, _hexsides(lattice, sides, keys, on_map)


def _keys(plan: MapPlan, places: Mapping[int, Place], on_map: NDArray[np.bool_], report: Report) -> dict[int, str]:
    """Give every space on the grid its key: its name, or else its number."""
    grid = plan.grid
    names = {p.name for p in places.values() if p.name}
    keys: dict[int, str] = {}
    for cell in np.flatnonzero(on_map).tolist():
        place = places.get(cell)
        label = grid.label(*grid.cells[cell].tolist())
        keys[cell] = place.name if place is not None and place.name else label
        if keys[cell] == label and label in names and (place is None or place.name != label):
            where = next(p.where for p in places.values() if p.name == label)
            report.add(REPEATED_NAME, where, f"{label!r} is the number of a hex without a name")
            keys[cell] = f"hex {label}"
    return keys


def _hexes(
    plan: MapPlan,
    places: Mapping[int, Place],
    keys: Mapping[int, str],
    on_map: NDArray[np.bool_],
    enterable: NDArray[np.bool_],
    numbered: NDArray[np.bool_],
    grounds: Grounds,
    terrain: NDArray[np.int64],
) -> list[Space]:
    grid, sheet = plan.grid, plan.data.sheet.name
    legend = [t.name for t in plan.data.terrain]
    centres, corners = grid.centres(grid.cells).round(6).tolist(), grid.corners(grid.cells).round(6).tolist()
    shares = grounds.shares.round(6).tolist()
    nowhere = Place("", Location())
    out = []
    for cell in np.flatnonzero(on_map).tolist():
        column, row = grid.cells[cell].tolist()
        place = places.get(cell, nowhere)
        out.append(
            Space(
                key=keys[cell],
                kind="hex",
                at=tuple(centres[cell]),
                name=place.name,
                label=grid.label(column, row) if numbered[cell] else "",
                cell=(column, row),
                outline=tuple((x, y) for x, y in corners[cell]),
                sheet=sheet,
                terrain=place.terrain or (legend[terrain[cell]] if terrain[cell] >= 0 else ""),
                shares={name: share for name, share in zip(legend, shares[cell], strict=True) if share},
                features=place.features,
                traits=place.traits,
                enterable=bool(enterable[cell]),
                cite=place.cite,
                assumed=place.assumed,
                where=place.where,
            )
        )
    return out


def _boxes(plan: MapPlan, taken: set[str], report: Report) -> list[Space]:
    out = []
    sheet = plan.data.sheet
    for i, box in enumerate(plan.data.box):
        where = plan.at(f"box.{i}")
        if box.key in taken:
            report.add(REPEATED_NAME, where, f"{box.key!r} is the name of another space")
            continue
        taken.add(box.key)
        outline = _rectangle(box)
        beyond = max(max(-x, -y, x - sheet.width, y - sheet.height) for x, y in outline)
        if beyond > 0:
            report.add(OFF_SHEET, where, f"the box {box.key} reaches {beyond:.1f} mm beyond the sheet")
        out.append(
            Space(
                key=box.key,
                kind="box",
                at=box.at,
                name=box.title or box.key,
                outline=outline,
                sheet=sheet.name,
                features=frozenset(box.features),
                traits=dict(box.traits),
                enterable=box.enterable,
                cite=box.cite,
                assumed=box.assumed,
                where=where,
            )
        )
    return out


def _rectangle(box: BoxData) -> tuple[tuple[float, float], ...]:
    (x, y), (w, h) = box.at, box.size
    left, top, right, bottom = x - w / 2, y - h / 2, x + w / 2, y + h / 2
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _hexsides(
    lattice: Lattice, sides: Sides, keys: Mapping[int, str], on_map: NDArray[np.bool_]
) -> tuple[Hexside, ...]:
    first, second = lattice.cells.T
    both = on_map[first] & (second >= 0) & on_map[second]
    ends = lattice.corners[lattice.sides].round(6).tolist()
    cells = lattice.cells.tolist()
    return tuple(
        Hexside(
            a=keys[cells[i][0]],
            b=keys[cells[i][1]],
            ends=(tuple(ends[i][0]), tuple(ends[i][1])),
            kinds=sides.kinds[i],
            name=sides.names[i],
        )
        for i in np.flatnonzero(both).tolist()
    )


def _stated(plan: MapPlan, warmap: WarMap, report: Report) -> tuple[Hexside, ...]:
    """Apply what map.toml states of single hexsides."""
    sides = {frozenset((h.a, h.b)): i for i, h in enumerate(warmap.hexsides)}
    out = list(warmap.hexsides)
    for n, side in enumerate(plan.data.side):
        where = plan.at(f"side.{n}.between")
        a, b = (_space(warmap, word, where, report) for word in side.between)
        if a is None or b is None:
            continue
        i = sides.get(frozenset((a.key, b.key)))
        if i is None or a.key == b.key:
            text = f"{a.key} and {b.key} share no hexside"
            if a.cell is not None and b.cell is not None:
                text += f"; they are {plan.grid.distance([a.cell], [b.cell])[0]} hexes apart"
            report.add(NOT_NEIGHBOURS, where, text)
            continue
        kinds = (out[i].kinds | set(side.add)) - set(side.remove)
        cite, assumed = side.cite or out[i].cite, side.assumed or out[i].assumed
        out[i] = replace(out[i], kinds=kinds, cite=cite, assumed=assumed)
    return tuple(out)


def _links(plan: MapPlan, warmap: WarMap, report: Report) -> tuple[Link, ...]:
    out = []
    for row in plan.links:
        ends = []
        for column, word in (("a", row.a), ("b", row.b)):
            place = Location(row.where.file, row.where.line, column)
            ends.append(_space(warmap, word, place, report))
        a, b = ends
        if a is not None and b is not None:
            out.append(Link(a.key, b.key, row.kind, row.one_way, row.traits, row.cite, row.assumed, row.where))
    return tuple(out)


def _spellings(plan: MapPlan, warmap: WarMap, report: Report) -> dict[str, str]:
    out = {}
    for word, name in plan.data.spellings.items():
        where = plan.at(f"spellings.{word}")
        space = _space(warmap, name, where, report)
        if word in warmap.by_key:
            report.add(REPEATED_NAME, where, f"{word!r} is the name of a space and cannot stand for another")
        elif space is not None:
            out[word] = space.key
    return out


def _space(warmap: WarMap, word: str, where: Location, report: Report) -> Space | None:
    """Return the space of this name; an unknown one is a finding."""
    space = warmap.find(word)
    if space is None:
        names = [s.key for s in warmap.spaces if s.name]
        report.add(UNKNOWN_SPACE, where, f"the map has no space {word!r}{did_you_mean(word, names)}")
    return space


def _legend(plan: MapPlan) -> tuple[LegendEntry, ...]:
    data = plan.data
    wet = {t.name for t in data.terrain if t.is_water}
    out = [
        LegendEntry(t.name, "terrain", t.title or t.name, t.note, {"water": "yes"} if t.is_water else {})
        for t in data.terrain
    ]
    out += [LegendEntry(h.name, "hexside", h.title or h.name, h.note, _side_traits(h, wet)) for h in data.hexside]
    out += [LegendEntry(f.name, "feature", f.title or f.name, f.note, _feature_traits(f)) for f in data.feature]
    out += [LegendEntry(k.name, "link", k.title or k.name, k.note, _link_traits(k)) for k in data.link]
    return tuple(out)


def _side_traits(kind: HexsideData, wet: set[str]) -> dict[str, str]:
    traits = {"bars": " ".join(kind.bars)} if kind.bars else {}
    traits |= {"water": "yes"} if kind.over in wet else {}
    return traits | ({"river": "yes"} if kind.river else {})


def _feature_traits(feature: FeatureData) -> dict[str, str]:
    traits = {"needs": feature.needs} if feature.needs else {}
    traits |= {"not_in": " ".join(feature.not_in)} if feature.not_in else {}
    return traits | ({} if feature.only_in is None else {"only_in": " ".join(feature.only_in)})


def _link_traits(kind: LinkKindData) -> dict[str, str]:
    traits = {"modes": " ".join(kind.modes)} if kind.modes else {}
    return traits | ({"network": "yes"} if kind.network else {})


def _report_terrain(
    plan: MapPlan,
    places: Mapping[int, Place],
    keys: Mapping[int, str],
    asked: NDArray[np.bool_],
    verdicts: Verdicts,
    legend: list[str],
    report: Report,
) -> None:
    """Report close decisions and named hexes without land, where no terrain was stated."""
    water = {i for i, t in enumerate(plan.data.terrain) if t.is_water}
    for cell in np.flatnonzero(asked).tolist():
        place = places.get(cell)
        if place is not None and place.terrain:
            continue
        where = replace(Location() if place is None else place.where, space=keys[cell])
        kind = int(verdicts.terrain[cell])
        if place is not None and place.name and kind in water:
            land = float(verdicts.land[cell])
            least = plan.data.land_from if plan.data.land_from_named is None else plan.data.land_from_named
            text = f"the hex is {legend[kind]}: {land:.0%} of it is land where {least:.0%} are needed"
            report.add(PLACE_IN_WATER, where, text, land=round(land, 4))
        elif verdicts.margin[cell] < TIE and kind >= 0:
            text = f"{legend[kind]}, but only just: {verdicts.reason[cell]}"
            report.add(TERRAIN_TIE, where, text, margin=round(float(verdicts.margin[cell]), 4))
