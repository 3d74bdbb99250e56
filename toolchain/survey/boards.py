"""Boards beside hexes put together: points and lines, areas, zones over hexes, boxes and tracks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import shapely

from toolchain.catalogue import DOUBLED_LINK, UNKNOWN_SPACE
from toolchain.model.drawing import Drawing
from toolchain.model.warmap import Hexside, Link, Space, SpaceKind, Track
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode.boards import DrawnData
from toolchain.sources.decode.maps import MapPlan
from toolchain.sources.decode.places import Place
from toolchain.sources.projection import Projection
from toolchain.survey.borders import survey_borders
from toolchain.survey.lines import survey_lines
from toolchain.survey.places import point_of
from toolchain.survey.regions import with_features, with_ground
from toolchain.survey.shapes import Drawn, survey_shapes
from toolchain.survey.tracks import build_tracks
from toolchain.survey.zones import lay_zones


@dataclass(frozen=True)
class Boards:
    """What the drawing and map.toml give beside hexes and boxes. hexes: those given, with what zones tell of them."""

    hexes: tuple[Space, ...] = ()
    spaces: tuple[Space, ...] = ()
    sides: tuple[Hexside, ...] = ()
    links: tuple[Link, ...] = ()
    tracks: tuple[Track, ...] = ()


def survey_boards(
    plan: MapPlan,
    drawing: Drawing,
    projection: Projection | None,
    hexes: Sequence[Space],
    boxes: Sequence[Space],
    report: Report,
) -> Boards:
    """Survey everything of a board that is no hex and no box.

    hexes, boxes: spaces that are there already. Links join whatever their lines lead to: points, areas, zones and
    boxes, and hexes by their middles.
    """
    data = plan.data
    taken = {s.key: s.where for s in (*hexes, *boxes)}

    def drawn(key: str, kind: SpaceKind, entries: Sequence[DrawnData]) -> list[Drawn]:
        out: list[Drawn] = []
        for i, entry in enumerate(entries):
            out += survey_shapes(plan, f"{key}.{i}", kind, entry, drawing, taken, report)
            taken.update((d.space.key, d.space.where) for d in out)
        return out

    points = drawn("points", "point", data.points)
    areas = drawn("areas", "area", data.areas)
    covered, links = list(hexes), list[Link]()
    for i, entry in enumerate(data.zones):
        known = taken if entry.spaces else {}
        zones = survey_shapes(plan, f"zones.{i}", "sea zone", entry, drawing, known, report)
        covered, coasts = lay_zones(plan, i, zones, covered, report)
        links += coasts
        if entry.spaces:
            areas += zones
            taken.update((d.space.key, d.space.where) for d in zones)
    points += _tabled(plan, projection, taken)
    areas = with_ground(plan, areas, drawing, report)
    if plan.hexes is None:  # else the points tell of hexes
        areas = with_features(plan, areas, drawing, report)
    sides = survey_borders(plan, areas, drawing, report)
    shaped = [Drawn(s, shapely.Polygon(s.outline)) for s in boxes]
    links += survey_lines(plan, [*points, *areas, *shaped], drawing, report)
    tracks, cells, order = build_tracks(plan, taken, report)
    spaces = (*(d.space for d in (*points, *areas)), *cells)
    return Boards(tuple(covered), spaces, sides, (*links, *order), tracks)


def _tabled(plan: MapPlan, projection: Projection | None, taken: dict[str, Location]) -> list[Drawn]:
    """Make points of the places of a map without hexes that have coordinates and are not drawn."""
    out: list[Drawn] = []
    for place in plan.places if plan.hexes is None else ():
        point = point_of(place, projection)
        if point is None or place.name in taken:
            continue
        x, y = point[0].round(6).tolist()
        taken[place.name] = place.where
        space = Space(place.name, "point", (x, y), place.name, sheet=plan.data.sheet.name, where=place.where)
        out.append(Drawn(space, shapely.Point(x, y)))
    return out


def with_facts(plan: MapPlan, spaces: Sequence[Space], report: Report) -> tuple[Space, ...]:
    """Add to spaces what the table of places states of them by name; names of no space are findings.

    Only rows that do not stand for hexes are used: those without a place, and all of them on a map without hexes.
    """
    rows = {p.name: p for p in plan.places if p.name and (plan.hexes is None or p.nowhere)}
    known = {s.key for s in spaces}
    for name, place in rows.items():
        if name not in known:
            text = f"the map has no space {name!r}{did_you_mean(name, known)}"
            report.add(UNKNOWN_SPACE, replace(place.where, column="name"), text)
    return tuple(_told(s, rows[s.key]) if s.key in rows else s for s in spaces)


def _told(space: Space, place: Place) -> Space:
    return replace(
        space,
        terrain=place.terrain or space.terrain,
        features=space.features | place.features,
        traits={**space.traits, **place.traits},
        cite=place.cite or space.cite,
        assumed=place.assumed or space.assumed,
        where=place.where,
    )


def without_doubles(drawn: Sequence[Link], stated: Sequence[Link], report: Report) -> tuple[Link, ...]:
    """Join drawn and stated links; those that the table states and the drawing has already are findings and dropped."""
    by = {(*sorted((x.a, x.b)), x.kind): x for x in drawn}
    out = list(drawn)
    for link in stated:
        first = by.get((*sorted((link.a, link.b)), link.kind))
        if first is not None and first.one_way == link.one_way:
            report.add(DOUBLED_LINK, link.where, f"a {link.kind} between {link.a} and {link.b} is drawn, {first.where}")
            continue
        out.append(link)
    return tuple(out)
