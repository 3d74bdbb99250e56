"""Drawings in: the layers that map.toml names, from GeoJSON or SVG, in sheet millimetres, y down.

What is wrong with a single shape is a finding and leaves that shape out; the others stay.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import (
    BAD_GEOMETRY,
    EMPTY_GEOMETRY,
    EMPTY_LAYER,
    FILE_UNREADABLE,
    REPAIRED_GEOMETRY,
    UNKNOWN_PROPERTY,
)
from toolchain.model.drawing import Drawing, Layer, Shape
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode.maps import MapPlan
from toolchain.sources.documents import DRAWING_LIMIT, read_text
from toolchain.sources.projection import Box, Projection, clip, make_valid
from toolchain.sources.svg import SvgFile, read_svg, read_svg_layer

DEPTH_LIMIT = 8
SHAPE_LIMIT = 500_000
DEGREES = (540.0, 90.0)
MILLIMETRES = (1e6, 1e6)


@dataclass(frozen=True, slots=True)
class _Feature:
    """One feature as the file has it."""

    geometry: Any
    properties: Mapping[str, Any]
    where: Location


class _BadShape(Exception):  # noqa: N818
    """Say what is wrong with the coordinates of one shape; never leaves this module."""


def read_drawing(plan: MapPlan, projection: Projection | None, report: Report) -> Drawing:
    """Read all layers of a map, in sheet millimetres, cut to the sheet and its grid with a margin of one hex.

    Layers that cannot be read are findings and absent. Returns layers by name, in the order of map.toml.
    """
    window = window_of(plan)
    files: dict[Path, tuple[_Feature, ...] | SvgFile | None] = {}
    drawing: dict[str, Layer] = {}
    for name, path in plan.paths.items():
        if path not in files:
            read = read_svg if path.suffix.casefold() == ".svg" else read_features
            files[path] = read(path, shown_of(plan, path), plan.at(f"layers.{name}.file"), report)
        file = files[path]
        if file is None:
            continue
        shapes = (
            _from_svg(plan, name, file, window, report)
            if isinstance(file, SvgFile)
            else _from_geojson(plan, name, file, projection, window, report)
        )
        if shapes is not None:
            drawing[name] = Layer(name, shapes)
    return drawing


def window_of(plan: MapPlan) -> Box:
    """Return the part of the plane that matters: sheet and grid with a margin of one hex, in millimetres.

    A map without hexes has a margin of a tenth of its sheet.
    """
    if plan.hexes is None:
        wide, high = plan.data.sheet.width, plan.data.sheet.height
        return -wide / 10, -high / 10, wide * 1.1, high * 1.1
    grid, sheet = plan.grid, plan.data.sheet
    corners = grid.corners([[0, 0], [1, 0], [0, 1], [grid.columns - 1, grid.rows - 1], [grid.columns - 2, 0]])
    more = grid.corners([[grid.columns - 1, 0], [0, grid.rows - 1], [1, grid.rows - 1], [0, grid.rows - 2]])
    points = np.concatenate([corners.reshape(-1, 2), more.reshape(-1, 2), [[0.0, 0.0], [sheet.width, sheet.height]]])
    (left, top), (right, bottom) = points.min(axis=0) - grid.pitch, points.max(axis=0) + grid.pitch
    return float(left), float(top), float(right), float(bottom)


def shown_of(plan: MapPlan, path: Path) -> str:
    """Return the name of a drawing as messages show it, from maps/ on."""
    parts = path.parts
    last = max(i for i, part in enumerate(parts) if part == "maps") if "maps" in parts else len(parts) - 1
    return "/".join(parts[last:])


def _from_geojson(
    plan: MapPlan,
    name: str,
    features: tuple[_Feature, ...],
    projection: Projection | None,
    window: Box,
    report: Report,
) -> tuple[Shape, ...] | None:
    """Choose the features of a layer, build their geometries and lay them on the sheet."""
    chosen = _chosen(plan, name, features, report)
    bound = MILLIMETRES if plan.data.projection is None else DEGREES
    built: list[tuple[BaseGeometry, _Feature]] = []
    for feature in chosen:
        built.extend((g, feature) for g in _build(feature, bound, report))
    if plan.data.projection is not None and projection is None:
        return None
    geometries = np.array([g for g, _ in built], dtype=object)
    laid = _clipped(geometries, window) if projection is None else projection.lay(geometries, window)
    shapes = [Shape(g, f.properties, f.where) for g, (_, f) in zip(laid, built, strict=True)]
    return _seen(plan, name, shapes, report)


def _from_svg(plan: MapPlan, name: str, file: SvgFile, window: Box, report: Report) -> tuple[Shape, ...] | None:
    """Choose the shapes of a layer; an SVG file lies on the sheet already."""
    data = plan.data.layers[name]
    shapes = read_svg_layer(file, data.layer, data.tolerance, plan.at(f"layers.{name}.layer"), report)
    if shapes is None:
        return None
    chosen = _chosen(plan, name, shapes, report)
    laid = _clipped(np.array([s.geometry for s in chosen], dtype=object), window)
    shapes = tuple(Shape(g, s.properties, s.where) for g, s in zip(laid, chosen, strict=True))
    return _seen(plan, name, shapes, report)


def _clipped(geometries: NDArray[np.object_], window: Box) -> NDArray[np.object_]:
    return clip(geometries, shapely.box(*window))


def _seen(plan: MapPlan, name: str, shapes: Sequence[Shape], report: Report) -> tuple[Shape, ...]:
    """Drop the shapes that were cut away whole; a layer of which nothing is left is a finding."""
    seen = tuple(s for s in shapes if not s.geometry.is_empty)
    if shapes and not seen:
        report.add(EMPTY_LAYER, plan.at(f"layers.{name}"), f"no shape of {plan.paths[name].name} lies on the sheet")
    return seen


T = TypeVar("T", _Feature, Shape)


def _chosen(plan: MapPlan, name: str, shapes: Sequence[T], report: Report) -> list[T]:
    """Return the features that pass the layer's filter."""
    data = plan.data.layers[name]
    known = {key for s in shapes for key in s.properties}
    unknown = [key for key in data.where if key not in known] if shapes else []
    for key in unknown:
        where = plan.at(f"layers.{name}.where.{key}")
        report.add(UNKNOWN_PROPERTY, where, f"no shape of {data.file} has it{did_you_mean(key, known)}")
    wanted = {key: v if isinstance(v, tuple) else (v,) for key, v in data.where.items()}
    found = [s for s in shapes if all(s.properties.get(key) in values for key, values in wanted.items())]
    if not found and not unknown:
        text = "no shape of {} passes `where`" if shapes and wanted else "{} has no shapes here"
        report.add(EMPTY_LAYER, plan.at(f"layers.{name}"), text.format(data.file))
    return found


def read_features(path: Path, shown: str, where: Location, report: Report) -> tuple[_Feature, ...] | None:
    """Read a GeoJSON file: a collection of features, one feature, or a bare geometry. None if it cannot be read.

    Longitude and latitude are taken as WGS 84 whatever an old `crs` member says (RFC 7946, section 4).
    """
    got = read_text(path, DRAWING_LIMIT, where, report)
    if got is None:
        return None
    place = Location(file=shown)
    try:
        raw = json.loads(got[0])
    except json.JSONDecodeError as error:
        report.add(FILE_UNREADABLE, Location(file=shown, line=error.lineno), f"not JSON: {error.msg}")
        return None
    except (RecursionError, ValueError):
        report.add(FILE_UNREADABLE, place, "not a drawing: nested too deeply, or a number is too long")
        return None
    kind = raw.get("type") if isinstance(raw, dict) else None
    if kind == "FeatureCollection" and isinstance(raw.get("features"), list):
        if len(raw["features"]) > SHAPE_LIMIT:
            report.add(FILE_UNREADABLE, place, f"the file has more than {SHAPE_LIMIT} shapes")
            return None
        found = (_feature(f, shown, f"features.{i}", report) for i, f in enumerate(raw["features"]))
        return tuple(f for f in found if f is not None)
    if kind == "Feature":
        one = _feature(raw, shown, "", report)
        return () if one is None else (one,)
    if isinstance(kind, str) and (kind in _BUILDERS or kind == "GeometryCollection"):
        return (_Feature(raw, {}, place),)
    report.add(FILE_UNREADABLE, place, "not GeoJSON: its type is none of FeatureCollection, Feature or a geometry")
    return None


def _feature(raw: Any, shown: str, key: str, report: Report) -> _Feature | None:
    where = Location(file=shown, key=key)
    if not isinstance(raw, dict) or raw.get("type") != "Feature":
        report.add(BAD_GEOMETRY, where, "this is not a GeoJSON feature")
        return None
    properties = raw.get("properties")
    return _Feature(raw.get("geometry"), properties if isinstance(properties, dict) else {}, where)


def _build(feature: _Feature, bound: tuple[float, float], report: Report) -> list[BaseGeometry]:
    """Build the valid geometries of a feature; collections come apart."""
    try:
        built = np.array(list(_geometries(feature.geometry, bound, 0)), dtype=object)
    except _BadShape as fault:
        report.add(BAD_GEOMETRY, feature.where, str(fault))
        return []
    built = built[~shapely.is_empty(built)] if len(built) else built
    if not len(built):
        report.add(EMPTY_GEOMETRY, feature.where, "the feature has no geometry")
        return []
    return [g for g in _repaired(built, feature.where, report) if not g.is_empty]


def _repaired(built: Any, where: Location, report: Report) -> Any:
    valid = shapely.is_valid(built)
    if valid.all():
        return built
    fixed = make_valid(built)
    for before, after in zip(built[~valid], fixed[~valid], strict=True):
        reason = shapely.is_valid_reason(before).replace("[", " at ").rstrip("]")
        if after.is_empty:
            report.add(BAD_GEOMETRY, where, f"{reason}; nothing is left when it is repaired")
            continue
        old, new = abs(before.area), after.area
        change = "repaired" if abs(new - old) <= 0.01 * new else "repaired, and its area is another now: look at it"
        report.add(REPAIRED_GEOMETRY, where, f"{reason}; {change}", area_before=old, area_after=new)
    return fixed


def _geometries(raw: Any, bound: tuple[float, float], depth: int) -> Iterator[BaseGeometry]:
    if raw is None:
        return
    if not isinstance(raw, dict):
        raise _BadShape("a geometry must be an object with a type and coordinates")
    kind = raw.get("type")
    if kind == "GeometryCollection":
        if depth >= DEPTH_LIMIT:
            raise _BadShape(f"geometry collections are nested more than {DEPTH_LIMIT} deep")
        parts = raw.get("geometries")
        if not isinstance(parts, list):
            raise _BadShape("a geometry collection must have a list of geometries")
        for part in parts:
            yield from _geometries(part, bound, depth + 1)
        return
    if not isinstance(kind, str) or kind not in _BUILDERS:
        raise _BadShape(f"unknown type of geometry {kind!r}{did_you_mean(str(kind), _BUILDERS)}")
    coordinates = raw.get("coordinates")
    if not isinstance(coordinates, list):
        raise _BadShape(f"a {kind} must have a list of coordinates")
    if coordinates:
        yield _BUILDERS[kind](coordinates, bound)


def _points(raw: Any, bound: tuple[float, float], least: int, what: str) -> Any:
    """Return coordinates as an array of shape (n, 2); heights are dropped."""
    try:
        points = np.asarray(raw, dtype=np.float64)
    except (TypeError, ValueError):
        try:  # heights on some points only
            points = np.asarray([p[:2] for p in raw], dtype=np.float64)
        except (TypeError, ValueError, KeyError, IndexError):
            raise _BadShape(f"the coordinates of a {what} are not pairs of numbers") from None
    if points.ndim != 2 or points.shape[1] < 2:
        raise _BadShape(f"the coordinates of a {what} are not pairs of numbers")
    points = points[:, :2]
    if len(points) < least:
        raise _BadShape(f"a {what} needs {least} points or more and has {len(points)}")
    if not np.isfinite(points).all():
        raise _BadShape(f"a coordinate of a {what} is not a finite number")
    if (np.abs(points) > bound).any():
        x, y = points[(np.abs(points) > bound).any(axis=1)][0]
        hint = "; is the file in metres? save it in longitude and latitude" if bound == DEGREES else ""
        raise _BadShape(f"the point {x:g}, {y:g} lies outside the world{hint}")
    return points


def _items(raw: Any, what: str) -> list[Any]:
    if not isinstance(raw, list):
        raise _BadShape(f"the coordinates of a {what} are not lists of points")
    return raw


def _ring(raw: Any, bound: tuple[float, float]) -> Any:
    points = _points(raw, bound, 3, "ring")
    if len(points) < 4 and (points[0] == points[-1]).all():
        raise _BadShape(f"a ring needs three corners or more and has {len(points) - 1}")
    return shapely.linearrings(points)  # closes it where the file did not


def _point(raw: Any, bound: tuple[float, float]) -> BaseGeometry:
    return shapely.points(_points([raw], bound, 1, "point")[0])


def _line(raw: Any, bound: tuple[float, float]) -> BaseGeometry:
    return shapely.linestrings(_points(raw, bound, 2, "line"))


def _polygon(raw: Any, bound: tuple[float, float]) -> BaseGeometry:
    rings = [_ring(r, bound) for r in _items(raw, "polygon")]
    return shapely.polygons(rings[0], rings[1:] or None) if rings else shapely.from_wkt("POLYGON EMPTY")


_BUILDERS: dict[str, Callable[[Any, tuple[float, float]], BaseGeometry]] = {
    "Point": _point,
    "MultiPoint": lambda raw, bound: shapely.multipoints(_points(raw, bound, 1, "point")),
    "LineString": _line,
    "MultiLineString": lambda raw, bound: shapely.multilinestrings([_line(r, bound) for r in _items(raw, "line")]),
    "Polygon": _polygon,
    "MultiPolygon": lambda raw, bound: shapely.multipolygons([_polygon(r, bound) for r in _items(raw, "polygon")]),
}
