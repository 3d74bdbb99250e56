"""Tiny maps of several sheets for tests: SVG drawings of a few hexes with a road and a river, written as text."""

from __future__ import annotations

from pathlib import Path

from toolchain.report import Report
from toolchain.sources.decode.maps import MapPlan, read_map
from toolchain.survey.maps import survey_map
from toolchain.survey.single import Surveyed

# Flat-topped hexes, 10 mm apart, columns 5 * sqrt(3) mm apart. The left and right edges run through the middles of the
# hexes of columns 0 and 4; the upper and lower edges too, and along the sides of those in columns 1 and 3.
STEP = 5 * 3**0.5
WIDTH, HEIGHT = 4 * STEP, 20.0
LEGEND = """
[[terrain]]
name = "sea"
outside = "land"
[[terrain]]
name = "wood"
layer = "wood"
from = 0.5
[[terrain]]
name = "clear"
rest = true
[[hexside]]
name = "river"
layer = "rivers"
river = true
[[hexside]]
name = "coast"
border = "sea"
[[link]]
name = "road"
network = true
"""
LAYERS = "".join(
    f'[layers.{key}]\nfile = "{{sheet}}.svg"\nlayer = "{key}"\n' for key in ("land", "wood", "rivers", "roads")
)
# A river along hexsides from the left edge to the right, and a road through the middles of hexes.
CORNERS = ((1, 5), (2, 10), (4, 10), (5, 5), (7, 5), (8, 10), (10, 10), (11, 5))
RIVER = "M-3,5 " + "".join(f"L{n * STEP / 3:.9f},{y} " for n, y in CORNERS) + f"L{WIDTH + 3},5"
ROAD = f"M-3,10 L{WIDTH + 3},10"
RECTANGLE = """
[grid]
orientation = "flat"
pitch = 10
origin = [0, 0]
columns = 5
rows = 3
low = "odd"
"""
ALL = f"M-9,-9 H{WIDTH + 9} V{HEIGHT + 9} H-9 Z"
# A regular hexagon about the middle of a hex, four hexes high, so that its neighbours' hexes fall on the same grid.
RADIUS = 40 / 3**0.5
HEXAGON = f"""
[grid]
orientation = "flat"
pitch = 10
origin = [{RADIUS - 3 * STEP:.9f}, 5]
columns = 7
rows = 5
low = "even"
"""


def svg(width: float = WIDTH, height: float = HEIGHT, **layers: str) -> str:
    """Draw a sheet: each layer is the data of a path, filled for land and wood. Several paths are parted by |."""
    size = f'width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}"'
    groups = []
    for key in ("land", "wood", "rivers", "roads"):
        look = 'fill="green"' if key in ("land", "wood") else 'fill="none" stroke="blue"'
        paths = "".join(f'<path {look} d="{d}"/>' for d in layers.get(key, "").split("|") if d)
        groups.append(f'<g id="{key}">{paths}</g>')
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(groups)}</svg>'


def sheet(name: str, width: float = WIDTH, height: float = HEIGHT, text: str = "", **more: str) -> str:
    """State a sheet. text: further tables of it."""
    keys = "".join(f'{k} = "{v}"\n' for k, v in more.items())
    return f'[[sheet]]\nname = "{name}"\nwidth = {width:.9f}\nheight = {height:.9f}\n{keys}{text}\n'


def hexagon(name: str) -> str:
    """State a hexagonal sheet."""
    return sheet(name, 2 * RADIUS, RADIUS * 3**0.5, shape="hexagon")


def arrangement(*placed: str) -> str:
    """State an arrangement of placements, each as the inside of an inline table."""
    return '[[arrangement]]\nname = "Game"\nsheets = [' + ", ".join(f"{{ {p} }}" for p in placed) + "]\n"


def plan(folder: Path, *tables: str, grid: str = RECTANGLE, files: dict[str, str] | None = None, **drawings: str):
    """Write maps/seamed and read its plan. drawings: SVG by name of the sheet; files: tables beside map.toml."""
    home = folder / "maps" / "seamed"
    home.mkdir(parents=True)
    for name, text in drawings.items():
        (home / f"{name}.svg").write_text(text, "utf-8")
    for name, text in (files or {}).items():
        (home / name).write_text(text, "utf-8")
    (home / "map.toml").write_text("\n".join(["format = 1", grid, LAYERS, LEGEND, *tables]), "utf-8")
    report = Report()
    return read_map(folder, "seamed", report), report


def survey(folder: Path, *tables: str, **parts: object) -> tuple[MapPlan, Surveyed, Report]:
    """Write, read and survey maps/seamed."""
    read, report = plan(folder, *tables, **parts)  # type: ignore[arg-type]
    assert read is not None, [str(f) for f in report]
    return read, survey_map(read, report), report
