"""Drawings in: the layers that map.toml names, from GeoJSON or SVG, in sheet millimetres, y down.

What is wrong with a single shape is a finding and leaves that shape out; the others stay.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import BAD_CRS, BAD_GEOMETRY, DRAWN_TWICE, EMPTY_LAYER, LAYER_UNREAD, SWAPPED, WRONG_UNITS
from toolchain.model.drawing import Drawing, Layer, Shape
from toolchain.report import Finding, Location, Report, counted
from toolchain.sources.decode.maps import MapPlan
from toolchain.sources.filters import choose
from toolchain.sources.geojson import (
    DEGREES,
    METRES,
    MILLIMETRES,
    Feature,
    Features,
    build,
    is_degrees,
    read_crs,
    read_features,
    to_degrees,
)
from toolchain.sources.projection import Box, Projection, clip
from toolchain.sources.svg import read_svg_layer
from toolchain.sources.svgfile import SvgFile, read_svg, unread_layers

FINDINGS_A_LAYER = 20  # of one kind

# How much larger a page comes out when one unit is taken for another.
RATIOS = {
    96 / 25.4: "pixels had been meant for millimetres",
    25.4 / 96: "millimetres had been meant for pixels",
    72 / 25.4: "points had been meant for millimetres",
    25.4 / 72: "millimetres had been meant for points",
    96 / 72: "points had been meant for pixels",
    72 / 96: "pixels had been meant for points",
    96 / 90: "it had been made for 90 pixels an inch, as old Inkscapes did",
    10.0: "centimetres had been meant for millimetres",
    0.1: "millimetres had been meant for centimetres",
    25.4: "inches had been meant for millimetres",
    1 / 25.4: "millimetres had been meant for inches",
}


def read_drawing(plan: MapPlan, projection: Projection | None, report: Report) -> Drawing:
    """Read all layers of a map, in sheet millimetres, cut to the sheet and its grid with a margin of one hex.

    Layers that cannot be read are findings and absent. Returns layers by name, in the order of map.toml.
    """
    window = window_of(plan)
    files: dict[Path, Features | SvgFile | None] = {}
    parts: dict[tuple[Path, str, float], tuple[Shape, ...] | None] = {}
    drawing: dict[str, Layer] = {}
    for name, path in plan.paths.items():
        data, found = plan.data.layers[name], Report()
        if path not in files:
            read = read_svg if path.suffix.casefold() == ".svg" else read_features
            files[path] = file = read(path, shown_of(plan, path), plan.at(f"layers.{name}.file"), found)
            if isinstance(file, SvgFile):
                _check_page(plan, name, file, found)
        file = files[path]
        shapes: Sequence[Shape] | None = None
        if isinstance(file, SvgFile):
            frame = plan.data.frame
            part = (path, data.layer, data.tolerance / (frame.scale if frame else 1.0))
            if part not in parts:  # several layers may take what they want from one layer of the drawing
                parts[part] = read_svg_layer(*(file, *part[1:]), plan.at(f"layers.{name}.layer"), found)
            shapes = _from_svg(plan, name, parts[part], window, found)
        elif file is not None:
            shapes = _from_geojson(plan, name, file, projection, window, found)
        if shapes is not None:
            drawing[name] = Layer(name, _once(plan, name, shapes, found))
        report.extend(_few(found))
    for path, file in files.items():
        if isinstance(file, SvgFile):
            names = [plan.data.layers[name].layer for name, own in plan.paths.items() if own == path]
            if unread := unread_layers(file, names):
                text = f"nothing is read of {counted(len(unread), 'layer')}: {', '.join(unread[:12])}"
                text += f" and {len(unread) - 12} more" if len(unread) > 12 else ""
                report.add(LAYER_UNREAD, Location(file=file.shown), text, layers=unread)
    return drawing


def _few(found: Report) -> list[Finding]:
    """Keep the first findings of each kind; the last one says how many more there are."""
    kept: list[Finding] = []
    counts = Counter(f.rule.code for f in found)
    seen: Counter[str] = Counter()
    for f in found:
        seen[f.rule.code] += 1
        more = counts[f.rule.code] - FINDINGS_A_LAYER
        if seen[f.rule.code] < FINDINGS_A_LAYER or more <= 0:
            kept.append(f)
        elif seen[f.rule.code] == FINDINGS_A_LAYER:
            kept.append(Finding(f.rule, f.where, f"{f.message}; and {more} more of this kind", f.facts))
    return kept


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
    plan: MapPlan, name: str, file: Features, projection: Projection | None, window: Box, report: Report
) -> list[Shape] | None:
    """Choose the features of a layer, build their geometries and lay them on the sheet."""
    data, placed = plan.data.layers[name], plan.data.projection
    source = plan.at(f"layers.{name}.crs") if data.crs else Location(file=shown_of(plan, plan.paths[name]), key="crs")
    crs = data.crs or (file.crs if placed is not None else "")
    if crs and placed is None:
        report.add(BAD_CRS, source, "the map has no [projection] that could lay it on the sheet")
        return None
    way = read_crs(crs, source, report) if crs else None
    if (crs and way is None) or (placed is not None and projection is None):
        return None
    bound = MILLIMETRES if placed is None else DEGREES if way is None or is_degrees(way) else METRES
    chosen = choose(file.features, data.where, data.file, plan.at(f"layers.{name}"), report)
    built: list[tuple[BaseGeometry, Feature]] = []
    for feature in chosen:
        built.extend((g, feature) for g in build(feature, bound, report))
    geometries = np.array([g for g, _ in built], dtype=object)
    if projection is None:
        geometries = _framed(plan, geometries)
        laid = clip(geometries, shapely.box(*window))
    else:
        if way is not None and len(geometries):
            degrees = to_degrees(geometries, way, 10 * projection.data.scale / 1000, projection.data.centre[0])
            for (_, feature), g in zip(built, degrees, strict=True):
                if g.is_empty:
                    report.add(BAD_GEOMETRY, feature.where, f"it lies where {crs[:60]!r} has no places")
            geometries = degrees
        laid = projection.lay(geometries, window)
    shapes = [Shape(g, f.properties, f.where) for g, (_, f) in zip(laid, built, strict=True)]
    swapped = (
        projection is not None and (way is None or is_degrees(way)) and _fits_swapped(geometries, projection, window)
    )
    return _seen(plan, name, shapes, geometries, swapped, window, report)


def _from_svg(
    plan: MapPlan, name: str, shapes: Sequence[Shape] | None, window: Box, report: Report
) -> list[Shape] | None:
    """Choose the shapes of a layer; an SVG file lies on the sheet already, but for its frame."""
    data = plan.data.layers[name]
    if shapes is None:
        return None
    if data.crs:
        report.add(BAD_CRS, plan.at(f"layers.{name}.crs"), "an SVG drawing lies on the sheet already and has no `crs`")
    chosen = choose(shapes, data.where, data.file, plan.at(f"layers.{name}"), report)
    geometries = _framed(plan, np.array([s.geometry for s in chosen], dtype=object))
    laid = clip(geometries, shapely.box(*window))
    cut = [Shape(g, s.properties, s.where) for g, s in zip(laid, chosen, strict=True)]
    return _seen(plan, name, cut, geometries, False, window, report)


def _framed(plan: MapPlan, geometries: NDArray[np.object_]) -> NDArray[np.object_]:
    """Turn, scale and shift a drawing on a plane as [frame] says."""
    frame = plan.data.frame
    if frame is None or not len(geometries):
        return geometries
    c, s = np.cos(np.radians(frame.turn)), np.sin(np.radians(frame.turn))
    matrix = frame.scale * np.array([[c, s], [-s, c]])  # of rows; y runs down, so this turns clockwise
    centre, at = np.array(frame.centre), np.array(frame.at)
    return np.asarray(shapely.transform(geometries, lambda xy: (xy - centre) @ matrix + at))


def _seen(
    plan: MapPlan,
    name: str,
    shapes: Sequence[Shape],
    whole: NDArray[np.object_],
    swapped: bool,
    window: Box,
    report: Report,
) -> list[Shape]:
    """Drop the shapes that were cut away whole; a layer of which nothing is left is a finding.

    whole: the geometries before they were cut. swapped: with longitude and latitude exchanged they would be there.
    """
    seen = [s for s in shapes if not s.geometry.is_empty]
    if shapes and not seen:
        file, at = plan.paths[name].name, plan.at(f"layers.{name}")
        if swapped:
            text = f"{file} lies off the map; with longitude and latitude exchanged it would lie on it"
            report.add(SWAPPED, at, text)
        else:
            x0, y0, x1, y1 = shapely.total_bounds(whole)
            unit = "mm" if plan.data.projection is None or plan.paths[name].suffix.casefold() == ".svg" else "degrees"
            there = f"they reach from {x0:.6g}, {y0:.6g} to {x1:.6g}, {y1:.6g} {unit}" if np.isfinite(x0) else ""
            report.add(EMPTY_LAYER, at, f"no shape of {file} lies on the sheet" + f"; {there}" * bool(there))
    return seen


def _fits_swapped(geometries: NDArray[np.object_], projection: Projection, window: Box) -> bool:
    """Tell whether all lies off the map, and mostly on it when x and y are exchanged."""
    box = shapely.box(*projection.seen(window))
    if not len(geometries) or shapely.intersects(geometries, box).any():
        return False
    turned = shapely.transform(geometries, lambda xy: xy[:, ::-1])
    return bool(shapely.intersects(turned, box).mean() > 0.5)


def _once(plan: MapPlan, name: str, shapes: Sequence[Shape], report: Report) -> tuple[Shape, ...]:
    """Keep one of each of the shapes that lie on one another and say the same but for their ids."""
    kept: dict[tuple[bytes, str], Shape] = {}
    again: list[Shape] = []
    for shape, key in zip(shapes, shapely.to_wkb([s.geometry for s in shapes]), strict=True):
        words = repr(sorted((k, repr(v)) for k, v in shape.properties.items() if k != "id"))
        if (key, words) in kept:
            again.append(shape)
        else:
            kept[key, words] = shape
    if again:
        some = ", ".join(s.where.key or f"#{s.where.element or s.where.line}" for s in again[:3])
        text = f"{counted(len(again), 'shape is', 'shapes are')} drawn twice ({some}); one of each is kept"
        report.add(DRAWN_TWICE, plan.at(f"layers.{name}"), text)
    return tuple(kept.values())


def _check_page(plan: MapPlan, name: str, file: SvgFile, report: Report) -> None:
    """Report a page that is larger or smaller than the sheet by the ratio of two units."""
    page, sheet = file.page, plan.data.sheet
    if page is None or min(page) <= 0 or plan.data.frame is not None:
        return
    wide, high = sheet.width / page[0], sheet.height / page[1]
    for ratio, why in RATIOS.items():
        if abs(wide / ratio - 1) < 0.01 and abs(high / ratio - 1) < 0.01:
            text = (
                f"the page of {plan.paths[name].name} is {page[0]:.1f} x {page[1]:.1f} mm and the sheet "
                f"{sheet.width:g} x {sheet.height:g} mm: {ratio:.6g} times as large, as if {why}"
            )
            report.add(WRONG_UNITS, plan.at(f"layers.{name}.file"), text)
