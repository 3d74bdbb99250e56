"""How long a map sheet takes, from the surveyed map to the PDF, and how that grows with the number of hexes.

Each map is a made-up country of hexes with a drawn coast, five terrains, rivers and named towns, the same each time.
The floor beside it, measured in the same run, is the least that any program must do: write a PDF that has nothing but
each hex as a filled outline of its own. Times are of the processor, so that a busy machine does not count. Ratios are
to that floor; `per hex` tells whether the work grows in proportion. The peer is protograf, in the same run: it draws
the same number of plain hexes with their numbers, and nothing else; above PEER_MOST it takes minutes and is left out.

Run by hand, with the extra `bench` installed: python tests/benchmarks/mapsheet.py [HEXES ...]
"""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
import time
from importlib.util import find_spec

import numpy as np
import shapely

from toolchain.art.mapsheet import build_map_page
from toolchain.art.marks import Page, Paint, Path, polygon
from toolchain.art.pagepdf import pages_to_pdf
from toolchain.art.shapes import noise
from toolchain.model.drawing import Layer, Shape
from toolchain.model.hexes import HexGrid
from toolchain.model.warmap import Hexside, LegendEntry, Sheet, Space, WarMap
from toolchain.report import Report
from toolchain.sources.decode.mapstyle import classic_map_style

PITCH = 16.0
PEER_MOST = 2500
PEER = """
import os, sys, time
folder, rows, columns = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
os.chdir(folder)
sys.argv = ["peer.py", "-d", folder]
import protograf as p
start = time.process_time()
p.Create(filename="peer.pdf", paper="A0", margin=1)
p.Hexagons(side=0.8, x=1, y=1, rows=rows, cols=columns, fill="#ecead0", stroke="#4a4035", stroke_width=0.4,
           coord_elevation="top", coord_type_x="number", coord_type_y="number", hex_layout="rectangle")
p.Save()
print(time.process_time() - start)
"""
KINDS = ("clear", "forest", "hills", "mountain", "marsh")
LEGEND = (
    LegendEntry("sea", "terrain", "Sea", traits={"water": "yes"}),
    *(LegendEntry(n, "terrain", n.capitalize()) for n in KINDS),
    LegendEntry("river", "hexside", "River"),
    LegendEntry("port", "feature", "Port"),
)


def made(hexes: int) -> tuple[WarMap, dict[str, Layer]]:
    """Make a map of about so many hexes and its drawing."""
    columns = max(3, round(math.sqrt(hexes)))
    grid = HexGrid("flat", PITCH, (PITCH, PITCH), columns, max(3, hexes // columns))
    centres, corners = grid.centres(grid.cells), grid.corners(grid.cells)
    width, height = float(corners[..., 0].max()) + PITCH, float(corners[..., 1].max()) + PITCH
    # A coast with bays along the left edge, and a few islands' worth of wandering in it.
    y = np.arange(-5.0, height + 5, 1.5)
    x = 4 * PITCH + 2.2 * PITCH * noise(y / 22, y * 0) + 0.5 * PITCH * noise(y / 5, y * 0, 1.0)
    land = shapely.Polygon([*zip(x.tolist(), y.tolist(), strict=True), (width + 5, height + 5), (width + 5, -5)])
    high = noise(centres[:, 0] / 40, centres[:, 1] / 40) + 0.4 * noise(centres[:, 0] / 9, centres[:, 1] / 9, 2.0)
    kinds = np.digitize(high, [-0.5, 0.1, 0.5, 0.8])
    dry = shapely.contains_xy(land, centres[:, 0], centres[:, 1])
    spaces = []
    for i, (c, r) in enumerate(grid.cells.tolist()):
        label = grid.label(c, r)
        name = f"Town {label}" if dry[i] and i % 7 == 3 else ""
        terrain = KINDS[kinds[i]] if dry[i] else "sea"
        outline = tuple((px, py) for px, py in corners[i].tolist())
        port = frozenset({"port"}) if name and i % 3 == 0 else frozenset()
        at = (float(centres[i, 0]), float(centres[i, 1]))
        spaces.append(Space(name or label, "hex", at, name, label, (c, r), outline, terrain=terrain, features=port))
    wet = noise(centres[:, 0] / 30, centres[:, 1] / 30, 5.0) > 0  # a river runs between the two
    around = grid.index(grid.neighbours(grid.cells).reshape(-1, 2)).reshape(-1, 6)
    sides = []
    for i, k in np.argwhere(around > np.arange(len(spaces))[:, None]).tolist():
        j = int(around[i, k])
        if wet[i] != wet[j] and dry[i] and dry[j]:
            a, b = corners[i, k].tolist(), corners[i, (k + 1) % 6].tolist()
            sides.append(Hexside(spaces[i].key, spaces[j].key, (tuple(a), tuple(b)), frozenset({"river"}), "Aa"))
    warmap = WarMap(
        "made", "Made", (Sheet("main", width, height),), tuple(spaces), tuple(sides), (), LEGEND, {"main": grid}
    )
    return warmap, {"land": Layer("land", (Shape(land),))}


def floor(warmap: WarMap) -> bytes:
    """Write every hex as a path of its own: what no program can do without."""
    sheet = warmap.sheets[0]
    marks = tuple(Path(polygon(s.outline), Paint(fill="#ecead0", stroke="#4a4035", width=0.16)) for s in warmap.spaces)
    return pages_to_pdf([Page(sheet.width, sheet.height, marks)])


def peer(hexes: int) -> float:
    """Let protograf draw about so many hexes and return its processor time, s."""
    columns = max(3, round(math.sqrt(hexes)))
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-c", PEER, folder, str(hexes // columns), str(columns)]
        run = subprocess.run(command, capture_output=True, text=True, check=True)
    return float(run.stdout.split()[-1])


def main(sizes: list[int]) -> None:
    pages_to_pdf([Page(10, 10, ())])  # load the writer before anything is timed
    build_map_page(*made(30), classic_map_style(), Report())
    print(
        f"{'hexes':>7}{'rivers':>8}{'draw':>8}{'to PDF':>8}{'whole':>8}{'per hex':>10}{'floor':>8}{'ratio':>7}{'MB':>7}"
        f"{'protograf':>11}{'ratio':>7}"
    )
    with_peer = find_spec("protograf") is not None
    for size in sizes:
        warmap, drawing = made(size)
        start = time.process_time()
        page = build_map_page(warmap, drawing, classic_map_style(), Report())
        drawn = time.process_time()
        data = pages_to_pdf([page])
        end = time.process_time()
        floor(warmap)
        least = time.process_time() - end
        n, whole = len(warmap.spaces), end - start
        theirs = peer(n) if with_peer and n <= PEER_MOST else None
        beside = "" if theirs is None else f"{theirs:10.2f}s{theirs / whole:7.1f}"
        print(
            f"{n:7}{len(warmap.hexsides):8}{drawn - start:7.2f}s{end - drawn:7.2f}s{whole:7.2f}s"
            f"{whole / n * 1e3:8.2f}ms{least:7.2f}s{whole / least:7.1f}{len(data) / 1e6:7.1f}{beside}",
            flush=True,
        )
    if not with_peer:
        print("protograf is not installed: pip install '.[bench]'")


if __name__ == "__main__":
    main([int(a) for a in sys.argv[1:]] or [600, 2400, 7000, 20000])
