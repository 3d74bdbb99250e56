"""GeoJSON in: features of any nesting, in any coordinate system that pyproj knows, repaired where that is safe."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyproj
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import BAD_CRS, BAD_GEOMETRY, EMPTY_GEOMETRY, FILE_UNREADABLE, REPAIRED_GEOMETRY
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode.maps import plain_crs
from toolchain.sources.documents import DRAWING_LIMIT, read_text
from toolchain.sources.projection import make_valid

DEPTH_LIMIT = 8
SHAPE_LIMIT = 500_000
LIST_LIMIT = 6_000_000

Bound = tuple[float, float]
DEGREES: Bound = (540.0, 90.0)
MILLIMETRES: Bound = (1e6, 1e6)
METRES: Bound = (1e9, 1e9)


@dataclass(frozen=True, slots=True)
class Feature:
    """One feature as the file has it: its raw geometry, its properties, and where it stands."""

    geometry: Any
    properties: Mapping[str, Any]
    where: Location


@dataclass(frozen=True, slots=True)
class Features:
    """A file of features. crs: what its `crs` member names, in the way of before RFC 7946; empty without."""

    features: tuple[Feature, ...]
    crs: str = ""


class _BadShape(Exception):  # noqa: N818
    """Say what is wrong with the coordinates of one shape; never leaves this module."""


def read_features(path: Path, shown: str, where: Location, report: Report) -> Features | None:
    """Read a GeoJSON file: collections within collections, lists of features, one feature, or a bare geometry.

    path: the file, of at most 64 MB. shown: its name in messages. where: place of what names the file. Returns None
    if it cannot be read; features that are none are findings and left out.
    """
    got = read_text(path, DRAWING_LIMIT, where, report)
    if got is None:
        return None
    place = Location(file=shown)
    if got[0].count("[") + got[0].count("{") > LIST_LIMIT:
        report.add(FILE_UNREADABLE, place, f"it has more than {LIST_LIMIT} points and objects; simplify it")
        return None
    try:
        raw = json.loads(got[0])
    except json.JSONDecodeError as error:
        text = f"not JSON: {error.msg}"
        if error.msg == "Extra data" or got[0].startswith("\x1e"):
            text = "it holds more than one JSON text, as sequences of features do; save it as plain GeoJSON"
        report.add(FILE_UNREADABLE, Location(file=shown, line=error.lineno), text)
        return None
    except (RecursionError, ValueError):
        report.add(FILE_UNREADABLE, place, "not a drawing: nested too deeply, or a number is too long")
        return None
    if not _is_geojson(raw):
        kind = raw.get("type") if isinstance(raw, dict) else None
        said = "its type is" if kind is None else f"its type {str(kind)[:40]!r} is"
        said += " none of FeatureCollection, Feature or a geometry"
        text = "not GeoJSON: " + ("it has no list of features" if kind == "FeatureCollection" else said)
        report.add(FILE_UNREADABLE, place, text)
        return None
    found: list[Feature] = []
    for feature in _features(raw, shown, "", 0, report):
        if len(found) >= SHAPE_LIMIT:
            report.add(FILE_UNREADABLE, place, f"the file has more than {SHAPE_LIMIT} shapes")
            return None
        found.append(feature)
    return Features(tuple(found), _crs_member(raw))


def _is_geojson(raw: Any) -> bool:
    if isinstance(raw, list):
        return any(isinstance(r, dict) for r in raw) and all(_is_geojson(r) for r in raw[:1])
    kind = raw.get("type") if isinstance(raw, dict) else None
    if kind == "FeatureCollection":
        return isinstance(raw.get("features"), list)
    return isinstance(kind, str) and (kind == "Feature" or kind in _BUILDERS or kind == "GeometryCollection")


def _features(raw: Any, shown: str, key: str, depth: int, report: Report) -> Iterator[Feature]:
    """Yield the features of an object, of a list of objects, and of the collections within."""
    where = Location(file=shown, key=key)
    kind = raw.get("type") if isinstance(raw, dict) else None
    many = raw if isinstance(raw, list) else raw.get("features") if kind == "FeatureCollection" else None
    if isinstance(many, list):
        if depth >= DEPTH_LIMIT:
            report.add(BAD_GEOMETRY, where, f"collections are nested more than {DEPTH_LIMIT} deep")
            return
        within = key + "." * bool(key) + "features." if isinstance(raw, dict) else key + "." * bool(key)
        for i, one in enumerate(many):
            yield from _features(one, shown, f"{within}{i}", depth + 1, report)
    elif kind == "Feature":
        properties = raw.get("properties")
        properties = properties if isinstance(properties, dict) else {}
        if isinstance(raw.get("id"), str | int):
            properties = {"id": raw["id"], **properties}
        yield Feature(raw.get("geometry"), properties, where)
    elif isinstance(kind, str) and (kind in _BUILDERS or kind == "GeometryCollection"):
        yield Feature(raw, {}, where)
    else:
        report.add(BAD_GEOMETRY, where, "this is not a GeoJSON feature")


# Coordinate systems ---------------------------------------------------------------------------------------------


def _crs_member(raw: Any) -> str:
    """Return the name that an old `crs` member gives (GeoJSON of 2008, section 3)."""
    member = raw.get("crs") if isinstance(raw, dict) else None
    properties = member.get("properties") if isinstance(member, dict) else None
    name = properties.get("name") if isinstance(properties, dict) else None
    return name if isinstance(name, str) else ""


def read_crs(name: str, where: Location, report: Report) -> pyproj.Transformer | None:
    """Return the way from a coordinate system to longitude and latitude (WGS 84), x first; None if there is none.

    name: anything that pyproj knows: a code, a URN, WKT or a PROJ string; nothing is looked up outside.
    """
    try:
        crs = pyproj.CRS.from_user_input(plain_crs(name[:2000]))
        if crs.is_geographic or crs.is_projected:
            return pyproj.Transformer.from_crs(crs, "OGC:CRS84", always_xy=True)
        report.add(BAD_CRS, where, f"{name[:60]!r} is neither longitude and latitude nor a plane")
    except pyproj.exceptions.ProjError:
        report.add(BAD_CRS, where, f"no coordinate system is known as {name[:60]!r}")
    except ValueError as error:
        report.add(BAD_CRS, where, f"{name[:60]!r}: {error}")
    return None


def is_degrees(transformer: pyproj.Transformer) -> bool:
    """Tell whether a way to longitude and latitude begins with degrees."""
    source = transformer.source_crs
    return source is not None and bool(source.is_geographic)


def to_degrees(
    geometries: NDArray[np.object_], transformer: pyproj.Transformer, step: float, middle: float
) -> NDArray[np.object_]:
    """Bring geometries to longitude and latitude; one that has no place there is empty.

    step: straight edges are divided to at most this, in metres. middle: longitudes come within 180 degrees of it.
    """
    source = transformer.source_crs
    factor = source.axis_info[0].unit_conversion_factor if source is not None and source.axis_info else 1.0
    if not is_degrees(transformer):
        reach = shapely.length(geometries)
        geometries = shapely.segmentize(geometries, np.maximum(step / (factor or 1.0), np.maximum(reach / 1e5, 1e-9)))

    def turn(xy: NDArray[np.float64]) -> NDArray[np.float64]:
        lon, lat = transformer.transform(xy[:, 0], xy[:, 1])
        return np.stack([middle + (lon - middle + 180.0) % 360.0 - 180.0, lat], axis=1)

    out = np.empty(len(geometries), dtype=object)
    for i, geometry in enumerate(geometries):
        with np.errstate(invalid="ignore"):
            points = turn(shapely.get_coordinates(geometry))
        good = np.isfinite(points).all()
        out[i] = shapely.set_coordinates(shapely.transform(geometry, np.array), points) if good else _NOTHING
    return make_valid(out)


_NOTHING = shapely.from_wkt("GEOMETRYCOLLECTION EMPTY")


# Geometries -----------------------------------------------------------------------------------------------------


def build(feature: Feature, bound: Bound, report: Report) -> list[BaseGeometry]:
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
    flat = (shapely.get_dimensions(built) == 1) & (shapely.length(built) == 0)
    if flat.any():
        report.add(EMPTY_GEOMETRY, where, "a line has no length; it is left out")
        built = built[~flat]
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


def _geometries(raw: Any, bound: Bound, depth: int) -> Iterator[BaseGeometry]:
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


def _points(raw: Any, bound: Bound, least: int, what: str) -> Any:
    """Return coordinates as an array of shape (n, 2); heights are dropped."""
    fault = _BadShape(f"the coordinates of a {what} are not pairs of numbers")
    try:
        points = np.asarray(raw)
    except ValueError:
        try:  # heights on some points only
            points = np.asarray([p[:2] for p in raw])
        except (TypeError, ValueError, KeyError, IndexError):
            raise fault from None
    if points.ndim != 2 or points.shape[1] < 2:
        raise fault
    points = points[:, :2]
    # Where numpy had to take the numbers for something else, one of them was none; null is for the look at finite ones.
    if points.dtype.kind not in "iuf" and {type(v) for v in points.ravel().tolist()} - {int, float, type(None)}:
        raise fault
    points = points.astype(np.float64)
    if len(points) < least:
        raise _BadShape(f"a {what} needs {least} points or more and has {len(points)}")
    if not np.isfinite(points).all():
        raise _BadShape(f"a coordinate of a {what} is not a finite number")
    if (np.abs(points) > bound).any():
        x, y = points[(np.abs(points) > bound).any(axis=1)][0]
        hint = ""
        if bound == DEGREES:
            hint = "; is the file in metres? give the layer its `crs`, or save it in longitude and latitude"
            if abs(x) <= 90 and abs(y) <= 180:
                hint = "; are longitude and latitude exchanged? longitude comes first"
        raise _BadShape(f"the point {x:g}, {y:g} lies outside the world{hint}")
    return points


def _items(raw: Any, what: str) -> list[Any]:
    if not isinstance(raw, list):
        raise _BadShape(f"the coordinates of a {what} are not lists of points")
    return raw


def _ring(raw: Any, bound: Bound) -> Any:
    points = _points(raw, bound, 3, "ring")
    if len(points) < 4 and (points[0] == points[-1]).all():
        raise _BadShape(f"a ring needs three corners or more and has {len(points) - 1}")
    return shapely.linearrings(points)  # closes it where the file did not


def _point(raw: Any, bound: Bound) -> BaseGeometry:
    return shapely.points(_points([raw], bound, 1, "point")[0])


def _line(raw: Any, bound: Bound) -> BaseGeometry:
    return shapely.linestrings(_points(raw, bound, 2, "line"))


def _polygon(raw: Any, bound: Bound) -> BaseGeometry:
    rings = [_ring(r, bound) for r in _items(raw, "polygon")]
    return shapely.polygons(rings[0], rings[1:] or None) if rings else shapely.from_wkt("POLYGON EMPTY")


_BUILDERS: dict[str, Callable[[Any, Bound], BaseGeometry]] = {
    "Point": _point,
    "MultiPoint": lambda raw, bound: shapely.multipoints(_points(raw, bound, 1, "point")),
    "LineString": _line,
    "MultiLineString": lambda raw, bound: shapely.multilinestrings([_line(r, bound) for r in _items(raw, "line")]),
    "Polygon": _polygon,
    "MultiPolygon": lambda raw, bound: shapely.multipolygons([_polygon(r, bound) for r in _items(raw, "polygon")]),
}
