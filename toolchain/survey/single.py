"""From the plan of one sheet and its drawing to the map: every hex, hexside, box and link."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import shapely
from numpy.typing import NDArray

from toolchain.catalogue import (
    NOT_NEIGHBOURS,
    OFF_SHEET,
    PLACE_IN_WATER,
    REPEATED_NAME,
    TERRAIN_TIE,
    UNKNOWN_SPACE,
)
from toolchain.model.drawing import Drawing, Layer, LineEnd
from toolchain.model.warmap import Hexside, Link, Sheet, Space, WarMap
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode.maps import BoxData, MapPlan
from toolchain.sources.decode.places import Place
from toolchain.sources.drawings import read_drawing
from toolchain.sources.projection import Projection, build_projection, make_valid
from toolchain.survey.arrays import SurveyArrays, survey_arrays
from toolchain.survey.boards import survey_boards, with_facts, without_doubles
from toolchain.survey.ends import line_ends
from toolchain.survey.features import with_every
from toolchain.survey.legend import build_legend
from toolchain.survey.paper import on_paper
from toolchain.survey.places import settle
from toolchain.survey.rivers import bridged, run_on
from toolchain.survey.shapes import drawn_traits
from toolchain.survey.sites import on_hexes, with_sites
from toolchain.survey.terrain import TIE, Verdicts


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
    hexes: list[Space] = []
    hexsides: tuple[Hexside, ...] = ()
    crossings: tuple[Link, ...] = ()
    arrays, ends = None, tuple[LineEnd, ...]()
    if plan.hexes is not None:
        arrays, hexes, hexsides, crossings, ends = _hex_board(plan, drawing, projection, report)
    boxes = _boxes(plan, {s.key for s in hexes}, report)
    boards = survey_boards(plan, drawing, projection, hexes, boxes, report)
    warmap = WarMap(
        name=plan.name,
        title=plan.data.title or plan.name,
        sheets=(Sheet(sheet.name, sheet.width, sheet.height, sheet.title),),
        spaces=(*boards.hexes, *with_facts(plan, (*boxes, *boards.spaces), report)),
        hexsides=(*hexsides, *boards.sides),
        legend=build_legend(plan),
        grids={} if plan.hexes is None else {sheet.name: plan.hexes},
        tracks=boards.tracks,
    )
    warmap = replace(warmap, spellings=_spellings(plan, warmap, report))
    links = without_doubles((*crossings, *boards.links), _links(plan, warmap, report), report)
    sides = bridged(plan, run_on(plan, _stated(plan, warmap, report)), links)
    warmap = replace(warmap, hexsides=sides, links=links, spaces=with_every(plan, warmap))
    return Surveyed(warmap, drawing, arrays=arrays, ends=ends)


def _hex_board(
    plan: MapPlan, drawing: Drawing, projection: Projection | None, report: Report
) -> tuple[SurveyArrays, list[Space], tuple[Hexside, ...], tuple[Link, ...], tuple[LineEnd, ...]]:
    """Survey the hexes of a map, their sides, what the lines of the drawing join, and where they end."""
    on_map, whole = on_paper(plan)
    settled = settle(plan, projection, on_map, report)
    places = with_sites(plan, drawing, settled, *on_hexes(plan, on_map), report)
    named = np.zeros(len(on_map), dtype=bool)
    named[[cell for cell, place in places.items() if place.name]] = True
    legend = [t.name for t in plan.data.terrain]
    stated = {
        cell: legend.index(place.terrain) if place.terrain in legend else -1
        for cell, place in places.items()
        if place.terrain
    }
    words = {place.name: cell for cell, place in places.items() if place.name}

    def locate(word: str) -> int | None:
        cell = plan.grid.cell(word)
        return words.get(word, None if cell is None else int(plan.grid.index([cell])[0]))

    arrays = survey_arrays(plan, drawing, report, on_map=on_map, named=named, stated=stated, locate=locate)
    keys = _keys(plan, places, on_map, report)
    enterable = named if plan.data.enterable == "named" else np.ones(len(named), dtype=bool)
    if plan.data.grid is not None and plan.data.grid.partial == "numbered":
        enterable = enterable & whole
    numbered = whole if plan.data.grid is not None and plan.data.grid.partial == "playable" else on_map
    hexes = _hexes(plan, arrays, places, keys, enterable, numbered)
    _report_terrain(plan, places, keys, on_map & enterable, arrays.verdicts, legend, report)
    sides, links = _hexsides(arrays, keys), _crossing_links(plan, arrays, keys)
    return arrays, hexes, sides, links, line_ends(plan, arrays, keys)


def _keys(plan: MapPlan, places: Mapping[int, Place], on_map: NDArray[np.bool_], report: Report) -> list[str]:
    """Give every cell its key, should it be a space: its name, or else its number."""
    keys: list[str] = plan.grid.labels(plan.grid.cells).tolist()
    named = {place.name: cell for cell, place in places.items() if place.name}
    for name, cell in named.items():
        other = plan.grid.cell(name)
        i = -1 if other is None else int(plan.grid.index([other])[0])
        if i not in (-1, cell) and on_map[i] and not (i in places and places[i].name):
            report.add(REPEATED_NAME, places[cell].where, f"{name!r} is the number of a hex without a name")
            keys[i] = f"hex {keys[i]}"
    for name, cell in named.items():
        keys[cell] = name
    return keys


def _hexes(
    plan: MapPlan,
    arrays: SurveyArrays,
    places: Mapping[int, Place],
    keys: list[str],
    enterable: NDArray[np.bool_],
    numbered: NDArray[np.bool_],
) -> list[Space]:
    grid, sheet, lattice = plan.grid, plan.data.sheet.name, arrays.lattice
    cells = np.flatnonzero(arrays.on_map)
    corners = [(x, y) for x, y in lattice.corners.round(6).tolist()]
    shares = _shares(arrays, cells)
    legend = (*arrays.terrains, "")  # the last for none
    nowhere = Place("", Location())
    out = []
    for cell, at, own, kind, share, label, open_, (column, row) in zip(
        cells.tolist(),
        grid.centres(grid.cells[cells]).round(6).tolist(),
        lattice.cell_corners[cells].tolist(),
        arrays.terrain[cells].tolist(),
        shares,
        np.where(numbered[cells], grid.labels(grid.cells[cells]), "").tolist(),
        enterable[cells].tolist(),
        grid.cells[cells].tolist(),
        strict=True,
    ):
        place = places.get(cell, nowhere)
        out.append(
            Space(
                key=keys[cell],
                kind="hex",
                at=(at[0], at[1]),
                name=place.name,
                label=label,
                cell=(column, row),
                outline=tuple([corners[i] for i in own]),
                sheet=sheet,
                terrain=place.terrain or legend[kind],
                shares=share,
                features=place.features,
                traits=place.traits,
                enterable=open_,
                cite=place.cite,
                assumed=place.assumed,
                where=place.where,
            )
        )
    return out


def _shares(arrays: SurveyArrays, cells: NDArray[np.int64]) -> list[dict[str, float]]:
    """Return the parts of cells by terrain; hexes that are all of one share a table."""
    shares = arrays.shares[cells].round(6)
    whole = [{name: 1.0} for name in arrays.terrains]
    out = [whole[i] for i in shares.argmax(axis=1).tolist()] if whole else [{} for _ in cells]
    for n in np.flatnonzero(~(shares == 1.0).any(axis=1)).tolist():
        out[n] = {name: share for name, share in zip(arrays.terrains, shares[n].tolist(), strict=True) if share}
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


def _hexsides(arrays: SurveyArrays, keys: list[str]) -> tuple[Hexside, ...]:
    lattice, sides = arrays.lattice, arrays.sides
    first, second = lattice.cells.T
    shown = np.flatnonzero(arrays.on_map[first] & (second >= 0) & arrays.on_map[second])
    corners = [(x, y) for x, y in lattice.corners.round(6).tolist()]
    patterns, which = _patterns(arrays.sides.kinds[:, shown])
    kinds = [frozenset(k for k, has in zip(arrays.side_kinds, row, strict=True) if has) for row in patterns]
    ends = np.where(sides.flow[shown, None] < 0, lattice.sides[shown][:, ::-1], lattice.sides[shown])
    return tuple(
        Hexside(keys[a], keys[b], (corners[start], corners[end]), kinds[kind], sides.names[name], flows=flows)
        for (a, b), (start, end), kind, name, flows in zip(
            lattice.cells[shown].tolist(),
            ends.tolist(),
            which.tolist(),
            sides.name[shown].tolist(),
            (sides.flow[shown] != 0).tolist(),
            strict=True,
        )
    )


def _patterns(kinds: NDArray[np.bool_]) -> tuple[list[list[bool]], NDArray[np.int64]]:
    """Return the combinations of kinds that occur, and which of them each side has."""
    # Eight kinds to a byte: few combinations, however many kinds.
    packed = np.packbits(kinds, axis=0)
    code = np.zeros(kinds.shape[1], dtype=np.int64)
    for row in packed:
        _, code = np.unique(code * 256 + row, return_inverse=True)
    _, first = np.unique(code, return_index=True)
    return kinds[:, first].T.tolist(), code


def _crossing_links(plan: MapPlan, arrays: SurveyArrays, keys: list[str]) -> tuple[Link, ...]:
    """Make links of what the lines of [[crossing]] join."""
    out = []
    for one in arrays.crossed:
        entry = plan.data.crossing[one.entry]
        on = arrays.on_map[one.a] & arrays.on_map[one.b]
        for n in np.flatnonzero(on).tolist() if entry.link else ():
            shape, name = one.shapes[n], one.names[n]
            traits = {**entry.traits, **drawn_traits(shape.properties, entry.properties)}
            traits |= {"name": name} if name else {}
            a, b = keys[one.a[n]], keys[one.b[n]]
            link = Link(a, b, entry.link, entry.one_way, traits, entry.cite, entry.assumed, where=shape.where)
            out.append(link)
    return tuple(out)


def _stated(plan: MapPlan, warmap: WarMap, report: Report) -> tuple[Hexside, ...]:
    """Apply what map.toml states of single hexsides."""
    if not plan.data.side:
        return warmap.hexsides
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


def _report_terrain(
    plan: MapPlan,
    places: Mapping[int, Place],
    keys: list[str],
    asked: NDArray[np.bool_],
    verdicts: Verdicts,
    legend: list[str],
    report: Report,
) -> None:
    """Report close decisions and named hexes without land, where no terrain was stated."""
    water = {i for i, t in enumerate(plan.data.terrain) if t.is_water}
    wet = np.isin(verdicts.terrain, list(water))
    for cell in np.flatnonzero(asked & ((verdicts.margin < TIE) | wet)).tolist():
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
            text = f"{legend[kind]}, but only just: {verdicts.why(cell)}"
            report.add(TERRAIN_TIE, where, text, margin=round(float(verdicts.margin[cell]), 4))
