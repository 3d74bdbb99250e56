"""Tiny drawn maps for tests: nine hexes on a sheet of 40 mm, layers given as geometries, tables as text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.model.warmap import WarMap
from toolchain.report import Report
from toolchain.sources.decode.maps import MapPlan, read_map
from toolchain.survey.maps import survey_map

HEAD = """
format = 1
title = "Tiny"
"""
SHEET = """
[sheet]
width = 40
height = 40
"""
# Three columns of three hexes, 10 mm apart; the middle column is shifted down. Hex 0202 has its centre at 18.66, 20.
GRID = """
[grid]
orientation = "flat"
pitch = 10
origin = [10, 5]
columns = 3
rows = 3
"""
TERRAIN = """
[[terrain]]
name = "sea"
outside = "land"
[[terrain]]
name = "wood"
layer = "wood"
from = 0.4
[[terrain]]
name = "clear"
rest = true
"""
CENTRE = (10 + 10 * 3**0.5 / 2, 20.0)
EVERYWHERE = shapely.box(-50, -50, 90, 90)


def geojson(shapes: Iterable[BaseGeometry | tuple[BaseGeometry, dict[str, object]]]) -> str:
    """Write shapes, with properties or without, as a feature collection."""
    features = []
    for shape in shapes:
        geometry, properties = shape if isinstance(shape, tuple) else (shape, {})
        raw = json.loads(shapely.to_geojson(geometry))
        features.append({"type": "Feature", "properties": properties, "geometry": raw})
    return json.dumps({"type": "FeatureCollection", "features": features})


def plan(
    folder: Path,
    text: str = "",
    *,
    head: str = HEAD,
    grid: str = GRID,
    places: str = "",
    links: str = "",
    check: str = "",
    **layers: object,
) -> tuple[MapPlan | None, Report]:
    """Write maps/tiny under a folder and read its plan. layers: shapes by name, or the text of a file."""
    home = folder / "maps" / "tiny"
    home.mkdir(parents=True)
    parts = [head, SHEET, grid]
    for name, shapes in layers.items():
        content = shapes if isinstance(shapes, str) else geojson(shapes)  # type: ignore[arg-type]
        suffix = "svg" if content.lstrip().startswith("<") else "geojson"
        (home / f"{name}.{suffix}").write_text(content, "utf-8")
        if f"[layers.{name}]" not in text:
            parts.append(f'[layers.{name}]\nfile = "{name}.{suffix}"\n')
    for name, table in (("places", places), ("links", links), ("check", check)):
        if table:
            (home / f"{name}.csv").write_text(table, "utf-8")
            parts.append(f'[{name}]\nfile = "{name}.csv"\n')
    (home / "map.toml").write_text("\n".join([*parts, text]), "utf-8")
    report = Report()
    return read_map(folder, "tiny", report), report


def survey(folder: Path, text: str = "", **parts: object) -> tuple[WarMap, Report]:
    """Write, read and survey maps/tiny."""
    read, report = plan(folder, text, **parts)  # type: ignore[arg-type]
    assert read is not None, [str(f) for f in report]
    return survey_map(read, report).warmap, report


def codes(report: Report) -> list[str]:
    """Return the codes of a report's findings, the gravest first."""
    return [f.rule.code for f in report]
