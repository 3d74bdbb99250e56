"""The map as GeoJSON, for QGIS and every other program that shows geographic data.

One FeatureCollection. Each feature has the property `part`, "space", "hexside" or "link", and the fields of that part
as in the graph file, flattened as in GraphML: shares and traits as share.NAME and trait.NAME, sets as words joined by
spaces. Spaces are polygons, or points where they have no outline; hexsides and links are lines, as they were drawn if
they were.

Coordinates are longitude and latitude where the map has a projection. Elsewhere they are sheet millimetres, y down,
the same that drawings are read in, and the member `units` of the collection says so.

Example, one feature of a file:

    {"type": "Feature",
     "properties": {"part": "hexside", "a": "Crossing", "b": "Hill", "kinds": "river"},
     "geometry": {"type": "LineString", "coordinates": [[79.425626, 44.0], [72.497423, 56.0]]}}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from toolchain.export.graphfiles import flat
from toolchain.graph.build import build_graph
from toolchain.model.warmap import Point, WarMap
from toolchain.sources.projection import Projection

SHEET_UNITS = "sheet millimetres, y down"

Part = tuple[str, Sequence[Point], dict[str, Any]]


def to_geojson(warmap: WarMap, projection: Projection | None = None) -> str:
    """Write a map as GeoJSON (RFC 7946), one feature a line in the order of the map.

    projection: that of the map; coordinates are then longitude and latitude, seven decimals, and
    those of a map across the date line go beyond 180 degrees rather than round the world. A part with a corner that
    the projection cannot show has no geometry.
    """
    parts = list(_parts(warmap))
    points = np.array([p for _, points, _ in parts for p in points], dtype=np.float64).reshape(-1, 2)
    if projection is not None:
        points = projection.to_degrees(points)
        middle = projection.data.centre[0]
        with np.errstate(invalid="ignore"):
            points[:, 0] = (points[:, 0] - middle + 180.0) % 360.0 - 180.0 + middle
    ends = np.cumsum([len(points) for _, points, _ in parts], dtype=np.int64)
    lines = []
    for (kind, _, properties), places in zip(parts, np.split(points, ends), strict=False):
        feature = {"type": "Feature", "properties": properties, "geometry": _geometry(kind, places, projection)}
        lines.append(json.dumps(feature, ensure_ascii=False, allow_nan=False))
    head: dict[str, Any] = {"type": "FeatureCollection", "name": warmap.name, "title": warmap.title}
    if projection is None:
        head["units"] = SHEET_UNITS
    start = json.dumps(head, ensure_ascii=False)[:-1]
    return start + ', "features": [\n' + ",\n".join(lines) + "\n]}\n"


def _parts(warmap: WarMap) -> Iterator[Part]:
    """Yield kind of geometry, points and properties of everything on the map."""
    graph = build_graph(warmap)
    for space in warmap.spaces:
        properties = {"part": "space", "key": space.key, **flat(graph.nodes[space.key])}
        yield ("Polygon", space.outline, properties) if len(space.outline) > 2 else ("Point", (space.at,), properties)
    fields: dict[str, Any]
    for side in warmap.hexsides:
        fields = {"a": side.a, "b": side.b, "kinds": tuple(sorted(side.kinds)), "name": side.name}
        fields |= {"cite": side.cite, "assumed": side.assumed}
        fields |= {"flows": True} if side.flows else {}
        yield "LineString", side.line or side.ends, {"part": "hexside", **flat(fields)}
    for link in warmap.links:
        ends = (warmap.by_key[link.a].at, warmap.by_key[link.b].at)
        fields = {"a": link.a, "b": link.b, "kind": link.kind, "one_way": link.one_way, "traits": link.traits}
        fields |= {"cite": link.cite, "assumed": link.assumed}
        yield "LineString", link.line or ends, {"part": "link", **flat(fields)}


def _geometry(kind: str, places: np.ndarray[Any, np.dtype[np.float64]], projection: Projection | None) -> Any:
    if not np.isfinite(places).all():
        return None
    coordinates = places.round(6 if projection is None else 7).tolist()
    if kind == "Point":
        return {"type": kind, "coordinates": coordinates[0]}
    if kind == "Polygon":
        # Outlines run clockwise on the sheet; in longitude and latitude an outer ring runs the other way.
        ring = coordinates if projection is None else coordinates[::-1]
        return {"type": kind, "coordinates": [[*ring, ring[0]]]}
    return {"type": kind, "coordinates": coordinates}
