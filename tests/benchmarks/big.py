"""How long the largest game takes: its survey, and its whole build from cold.

Floors, measured in the same run: for the survey, one cut by shapely of all hexes with the drawn areas that they meet;
for the build, the one picture of the board by resvg, which no build of a module can do without. Times are of the
processor, the build's with that of the process that renders the board beside it, so that a busy machine counts little;
the wall time of the build is told too. Nothing is asserted: compare the ratios of two runs.

Run by hand, in the project's folder: python tests/benchmarks/big.py [GAME]
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import shapely

from toolchain.art.png import MM_PER_INCH, sized_svg, svg_to_png
from toolchain.export.printing import draw_maps
from toolchain.export.vassal.module import pixels_per_mm
from toolchain.report import Report
from toolchain.sources.decode.vassal import VassalPlan, decode_vassal
from toolchain.sources.project import read_project
from toolchain.survey.game import survey_project

ROOT = Path(__file__).parents[2]


def timed(times: int, work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the least processor time of some runs, in seconds, and what they return."""
    least, result = np.inf, None
    for _ in range(times):
        start = time.process_time()
        result = work()
        least = min(least, time.process_time() - start)
    return float(least), result


def cut(loaded: Any) -> int:
    """Cut every hex with every drawn area that it meets; return how many pieces there are."""
    hexes = shapely.polygons([s.outline for s in loaded.game.map.spaces if s.kind == "hex"])
    drawn = [shape.geometry for layer in loaded.drawing.values() for shape in layer.shapes]
    areas = np.array([g for g in drawn if shapely.area(g) > 0], dtype=object)
    area, cell = shapely.STRtree(hexes).query(areas, predicate="intersects")
    return len(shapely.intersection(hexes[cell], areas[area]))


def main(game: str) -> None:
    project = read_project(ROOT, game, Report())
    assert project is not None
    survey, loaded = timed(3, lambda: survey_project(project, Report()))
    cutting, pieces = timed(3, lambda: cut(loaded))
    hexes = len(loaded.game.map.spaces)
    plan = decode_vassal(dict(project.module), "", Report()) or VassalPlan()
    scale = pixels_per_mm(loaded.game, plan)
    drawing, sheets = timed(1, lambda: draw_maps(loaded.game.map, loaded.drawing, project.map_style, Report()))
    boards = [sized_svg(sheet.page, scale * MM_PER_INCH) for sheet in sheets.values()]
    rendering, _ = timed(1, lambda: [svg_to_png(svg, None, scale) for svg in boards])
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "toolchain", "build", game, "-o", f"{folder}/out"]
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(command, env={**os.environ, "XDG_CACHE_HOME": folder}, check=True, capture_output=True, cwd=ROOT)
        wall, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    build = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    print(f"{game}: {hexes} spaces; processor seconds, and times the floor of each")
    for name, seconds, floor in (
        (f"floor: shapely cuts {pieces} pieces", cutting, cutting),
        ("survey, rules and set-ups read", survey, cutting),
        ("floor: resvg renders the boards", rendering, rendering),
        ("draw the map", drawing, rendering),
        ("whole build from cold", build, rendering),
        ("whole build from cold, by the clock", wall, rendering),
    ):
        print(f"{name:40}{seconds:9.2f}{seconds / floor:9.2f}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "second-front")
