"""Drawn shapes that are spaces: points, areas and zones, each with its name."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import REPEATED_NAME, SHAPE_WITHIN, STRAY_NAME, UNNAMED_SPACE
from toolchain.model.drawing import Drawing, Shape
from toolchain.model.warmap import Space, SpaceKind
from toolchain.report import Location, Report, counted
from toolchain.sources.decode.boards import DrawnData
from toolchain.sources.decode.maps import MapPlan
from toolchain.survey.fitting import fitting

# What drawing programs call a shape that nobody gave a name.
_AUTOMATIC = re.compile(r"(path|circle|ellipse|rect|g|use|text|polygon|polyline|line|XMLID_)_?\d[\d_-]*\w?")


@dataclass(frozen=True, slots=True)
class Drawn:
    """A space and the shape that it was drawn as, in sheet millimetres."""

    space: Space
    geometry: BaseGeometry


def survey_shapes(
    plan: MapPlan,
    key: str,
    kind: SpaceKind,
    entry: DrawnData,
    drawing: Drawing,
    taken: Mapping[str, Location],
    report: Report,
) -> tuple[Drawn, ...]:
    """Make a space of every shape of a layer.

    key: of the entry in map.toml, "points.0", for messages. kind: of the spaces. taken: names that other spaces have. A
    space is called by its shape's own label or title, else by the nearest text, else by its id. Two of one name are a
    finding, and the first stays.
    """
    layer = drawing.get(entry.layer)
    if layer is None:
        return ()  # a finding already
    seen = dict(taken)
    out: list[Drawn] = []
    if kind == "point":
        fit = _outermost([_solid(s) for s in layer.shapes], plan.at(f"{key}.layer"), report)
    else:
        fit = fitting(layer, (2,), "area", plan.at(f"{key}.layer"), report)
    if not fit:
        return ()
    words = _names(entry, fit, drawing, report)
    at = _middles([s.geometry for s in fit])
    for n, (shape, word) in enumerate(zip(fit, words, strict=True)):
        if not word:
            word = _unused(f"{entry.layer} {n + 1}", seen)
            x, y = at[n]
            text = f"the shape has no name, at {x:.0f}, {y:.0f} mm; it is called {word!r}"
            report.add(UNNAMED_SPACE, shape.where, text)
        if word in seen:
            first = f": {seen[word]}" if str(seen[word]) else ""
            report.add(REPEATED_NAME, shape.where, f"{word!r} is the name of another space already{first}")
            continue
        seen[word] = shape.where
        out.append(Drawn(_space(plan, kind, entry, shape, word, at[n]), shape.geometry))
    return tuple(out)


def _space(plan: MapPlan, kind: SpaceKind, entry: DrawnData, shape: Shape, word: str, at: tuple[float, float]) -> Space:
    return Space(
        key=word,
        kind=kind,
        at=at,
        name=word,
        outline=outline_of(shape.geometry),
        sheet=plan.data.sheet.name,
        terrain=entry.terrain,
        features=frozenset(entry.features),
        traits={**entry.traits, **drawn_traits(shape.properties, entry.properties)},
        enterable=entry.enterable,
        cite=entry.cite,
        assumed=entry.assumed,
        where=shape.where,
    )


def drawn_traits(properties: Mapping[str, Any], wanted: Sequence[str]) -> dict[str, str]:
    """Return the properties of a shape that are to be traits and are not empty, as text."""
    return {p: str(properties[p]) for p in wanted if properties.get(p) not in (None, "")}


def outline_of(geometry: BaseGeometry) -> tuple[tuple[float, float], ...]:
    """Return the outer corners of the largest area of a geometry, clockwise as seen; empty when it has none."""
    areas = [g for g in shapely.get_parts(geometry) if g.geom_type == "Polygon"]
    if not areas:
        return ()
    ring = max(areas, key=lambda g: g.area).exterior
    points = shapely.get_coordinates(ring)[:-1].round(6)
    return tuple((x, y) for x, y in (points if ring.is_ccw else points[::-1]).tolist())


def _solid(shape: Shape) -> Shape:
    """Make the circle or rectangle of a point solid even if it was drawn as a line."""
    if shape.geometry.geom_type == "Polygon":
        return shape
    hull = shape.geometry.convex_hull
    return replace(shape, geometry=hull if hull.geom_type == "Polygon" else shape.geometry.centroid)


def _outermost(shapes: Sequence[Shape], where: Location, report: Report) -> list[Shape]:
    """Leave out what was drawn within the circle of a point, such as a dot in a ring, unless each has its own name."""
    geometries = np.array([s.geometry for s in shapes], dtype=object)
    size, name = shapely.area(geometries).tolist(), [_own_name(s) for s in shapes]
    inner, outer = shapely.STRtree(geometries).query(geometries, predicate="covered_by").tolist()
    pairs = [
        (i, o)
        for i, o in zip(inner, outer, strict=True)
        if size[o] > 0 and (size[i], -i) < (size[o], -o) and ("" in (name[i], name[o]) or name[i] == name[o])
    ]
    within = dict(sorted(pairs, key=lambda pair: (size[pair[1]], -pair[1])))  # the largest comes last and stays
    out = list(shapes)
    for i, o in within.items():
        if name[i] and not name[o]:
            out[o] = replace(out[o], properties={**out[o].properties, "label": name[i]})
    if within:
        some = ", ".join(shapes[i].where.key or f"#{shapes[i].where.element}" for i in sorted(within)[:3])
        one, many = "shape that lies within another is a part of it", "shapes that lie within others are parts of them"
        text = counted(len(within), one, many)
        report.add(SHAPE_WITHIN, where, f"{text}: {some}{' and others' * (len(within) > 3)}", count=len(within))
    return [s for i, s in enumerate(out) if i not in within]


def _middles(geometries: Sequence[BaseGeometry]) -> list[tuple[float, float]]:
    """Return the centroid of every shape, or a point inside it where the centroid lies outside."""
    shapes = np.array(geometries, dtype=object)
    middles = shapely.centroid(shapes)
    outside = ~shapely.intersects(shapes, middles)
    middles[outside] = shapely.point_on_surface(shapes[outside])
    return [(x, y) for x, y in shapely.get_coordinates(middles).round(6).tolist()]


def _names(entry: DrawnData, shapes: Sequence[Shape], drawing: Drawing, report: Report) -> list[str]:
    """Return the name of every shape, or an empty string."""
    words = [_label(s) for s in shapes]
    layer = drawing.get(entry.names)
    if layer is not None and shapes:
        _by_text(entry, shapes, layer.shapes, words, report)
    return [word or _own_name(shape) for word, shape in zip(words, shapes, strict=True)]


def _label(shape: Shape) -> str:
    return str(shape.properties.get("label") or shape.properties.get("name") or "").strip()


def _own_name(shape: Shape) -> str:
    """Return the label of a shape, or else its id if a person gave it; empty for none."""
    own = str(shape.properties.get("id") or "").strip()
    return _label(shape) or ("" if _AUTOMATIC.fullmatch(own) else own)


def _by_text(
    entry: DrawnData, shapes: Sequence[Shape], texts: Sequence[Shape], words: list[str], report: Report
) -> None:
    """Give every text to the nearest shape; of several texts at one shape the nearest is its name."""
    tree = shapely.STRtree([s.geometry for s in shapes])
    spots: NDArray[np.object_] = np.array([t.geometry for t in texts], dtype=object)
    rows, found = tree.query_nearest(spots, max_distance=entry.within + 1e-9, all_matches=False)
    away = shapely.distance(spots[rows], tree.geometries[found])
    middle = shapely.distance(spots[rows], shapely.centroid(tree.geometries[found]))
    best: dict[int, int] = {}
    for row, shape in sorted(
        zip(rows.tolist(), found.tolist(), strict=True), key=lambda p: _rank(p, rows, away, middle)
    ):
        best.setdefault(shape, row)
    used = set(best.values())
    for shape, row in best.items():
        words[shape] = words[shape] or text_of(texts[row])
    for row, text in enumerate(texts):
        word = text_of(text)
        if row not in used and word and word not in words:
            x, y = shapely.get_coordinates(text.geometry)[0].tolist()
            at = f"the text {word!r} at {x:.0f}, {y:.0f} mm"
            near = "another text is nearer to its shape" if row in rows else f"no shape lies within {entry.within:g} mm"
            report.add(STRAY_NAME, text.where, f"{at} names nothing: {near}")


def _rank(
    pair: tuple[int, int], rows: NDArray[Any], away: NDArray[np.float64], middle: NDArray[np.float64]
) -> tuple[float, float, int]:
    i = int(np.searchsorted(rows, pair[0]))
    return float(away[i]), float(middle[i]), pair[0]


def text_of(shape: Shape) -> str:
    """Return the words of a text as they were drawn, in one line."""
    return " ".join(str(shape.properties.get("text") or shape.properties.get("name") or "").split())


def _unused(word: str, taken: Mapping[str, Location]) -> str:
    while word in taken:
        word += "'"
    return word
