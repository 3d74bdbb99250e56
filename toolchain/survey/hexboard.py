"""From what was measured of the hexes to what a reader sees: spaces, hexsides and the links of drawn roads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from toolchain.catalogue import PLACE_IN_WATER, REPEATED_NAME, ROAD_ON_SIDE, TERRAIN_TIE
from toolchain.model.drawing import Drawing, LineEnd
from toolchain.model.warmap import Hexside, Link, Space
from toolchain.report import Location, Report
from toolchain.sources.decode.maps import MapPlan
from toolchain.sources.decode.places import Place
from toolchain.sources.projection import Projection
from toolchain.survey.arrays import SurveyArrays, survey_arrays
from toolchain.survey.ends import line_ends
from toolchain.survey.paper import on_paper
from toolchain.survey.places import settle
from toolchain.survey.shapes import drawn_traits
from toolchain.survey.sites import on_hexes, with_sites
from toolchain.survey.terrain import TIE, Verdicts


@dataclass(frozen=True)
class HexBoard:
    """The hexes of a map, their sides, the links of the lines that were drawn over them, and where these end.

    arrays: what they were made of; None without any.
    """

    arrays: SurveyArrays | None = None
    hexes: tuple[Space, ...] = ()
    sides: tuple[Hexside, ...] = ()
    links: tuple[Link, ...] = ()
    ends: tuple[LineEnd, ...] = ()


def survey_hexes(plan: MapPlan, drawing: Drawing, projection: Projection | None, report: Report) -> HexBoard:
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
    hexes = tuple(_hexes(plan, arrays, places, keys, enterable, numbered))
    _report_terrain(plan, places, keys, on_map & enterable, arrays.verdicts, legend, report)
    _report_along(plan, arrays, keys, report)
    sides, links = _hexsides(arrays, keys), _crossing_links(plan, arrays, keys)
    return HexBoard(arrays, hexes, sides, links, line_ends(plan, arrays, keys))


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


def _report_along(plan: MapPlan, arrays: SurveyArrays, keys: list[str], report: Report) -> None:
    """Report drawn roads that run along hexsides, where either hex may be meant."""
    for one in arrays.crossed:
        entry, lattice = plan.data.crossing[one.entry], arrays.lattice
        for line, group in groupby(one.along, key=lambda pair: pair[0]):
            sides = [side for _, side in group if arrays.on_map[lattice.cells[side]].all()]
            if not sides:
                continue
            a, b = (keys[cell] for cell in lattice.cells[sides[0]].tolist())
            x, y = lattice.middles[sides[0]].round(3).tolist()
            text = f"the {entry.link or entry.hexside} runs along the hexside between {a} and {b}, at {x:g}, {y:g} mm"
            text += f", and along {len(sides) - 1} more" if len(sides) > 1 else ""
            where = replace(one.lines[line].where, space=a)
            report.add(ROAD_ON_SIDE, where, f"{text}; which hex is meant?", at=[x, y], spaces=[a, b])


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
