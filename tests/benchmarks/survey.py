"""How long a survey takes, beside other ways to the same table of terrain.

The drawing is western Europe from maps/geodata on a sheet of 900 by 1000 mm, the grid as fine as the number of hexes
asks for. Every way gets the same disjoint areas and must come to the same shares. The whole survey follows all rivers
along hexsides and runs roads (here the rivers and borders once more, for want of a layer of roads) through hexes.

Run by hand: python tests/benchmarks/survey.py [NUMBER OF HEXES FOR THE PEERS]; needs the extra `bench`.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.model.drawing import Drawing
from toolchain.model.hexes import Floats, HexGrid
from toolchain.report import Report
from toolchain.sources.decode.maps import MapPlan, read_map
from toolchain.sources.drawings import read_drawing
from toolchain.sources.projection import build_projection
from toolchain.survey.areas import area_shares
from toolchain.survey.arrays import survey_arrays
from toolchain.survey.single import build_map, cleaned
from toolchain.survey.terrain import survey_grounds

GEODATA = Path(__file__).parents[2] / "maps" / "geodata"
WIDTH, HEIGHT = 900.0, 1000.0
HEAD = """
format = 1
terrain_by = "area"
[sheet]
width = 900
height = 1000
[projection]
crs = "+proj=lcc +lat_1=40 +lat_2=57 +lat_0=48 +lon_0=7 +ellps=WGS84 +units=m"
scale = 3_400_000
centre = [8.0, 48.5]
at = [450.0, 500.0]
"""
LAYERS = {
    "land": 'file = "../geodata/land.geojson"',
    "alpine": 'file = "../geodata/mountains.geojson"\nwhere = { class = "alpine" }',
    "mountains": 'file = "../geodata/mountains.geojson"\nwhere = { class = "mountain" }',
    "woods": 'file = "../geodata/landcover.geojson"\nwhere = { class = "forest" }',
    "rivers": 'file = "../geodata/rivers.geojson"\nwhere = { kind = "river" }',
    "borders": 'file = "../geodata/borders.geojson"',
}
LEGEND = """
[[terrain]]
name = "sea"
outside = "land"
[[terrain]]
name = "alpine"
layer = "alpine"
from = 0.5
[[terrain]]
name = "mountain"
layer = "mountains"
from = 0.4
counts = ["alpine"]
[[terrain]]
name = "forest"
layer = "woods"
from = 0.5
[[terrain]]
name = "clear"
rest = true
[[hexside]]
name = "river"
layer = "rivers"
flow = "drawn"
[[hexside]]
name = "border"
layer = "borders"
[[hexside]]
name = "coast"
border = "sea"
[[hexside]]
name = "water"
over = "sea"
[[link]]
name = "road"
[[crossing]]
layer = "borders"
link = "road"
[[crossing]]
layer = "rivers"
link = "road"
"""


def plan_of(folder: Path, count: int) -> tuple[MapPlan, Drawing]:
    """Write a map of about so many hexes, read it and its drawing."""
    pitch = (WIDTH * HEIGHT / count / (3**0.5 / 2)) ** 0.5
    columns, rows = int(WIDTH / (pitch * 3**0.5 / 2)), int(HEIGHT / pitch)
    home = folder / "maps" / "europe"
    home.mkdir(parents=True, exist_ok=True)
    if not (folder / "maps" / "geodata").exists():
        shutil.copytree(GEODATA, folder / "maps" / "geodata")
    layers = "".join(f"[layers.{name}]\n{text}\n" for name, text in LAYERS.items())
    grid = f'[grid]\norientation = "flat"\npitch = {pitch}\norigin = [0, 0]\ncolumns = {columns}\nrows = {rows}\n'
    grid += 'numbering = { separator = "." }\n'
    (home / "map.toml").write_text(HEAD + grid + layers + LEGEND, "utf-8")
    report = Report()
    plan = read_map(folder, "europe", report)
    assert plan is not None, [str(f) for f in report]
    return plan, cleaned(read_drawing(plan, build_projection(plan, report), report))


def best(times: int, work: Callable[[], object]) -> tuple[float, object]:
    """Return the shortest wall time of some runs, in seconds, and what they return."""
    least, result = np.inf, None
    for _ in range(times):
        start = time.perf_counter()
        result = work()
        least = min(least, time.perf_counter() - start)
    return least, result


def by_loop(grid: HexGrid, areas: Sequence[BaseGeometry]) -> Floats:
    """Cut hex by hex, as a script would that was written in an afternoon."""
    parts, kind = shapely.get_parts(np.array(areas, dtype=object), return_index=True)
    tree = shapely.STRtree(parts)
    out = np.zeros((len(grid.cells), len(areas)))
    for n, corners in enumerate(grid.corners(grid.cells)):
        hexagon = shapely.Polygon(corners)
        for i in tree.query(hexagon):
            out[n, kind[i]] += hexagon.intersection(parts[i]).area / grid.area
    return out


def by_bulk(grid: HexGrid, areas: Sequence[BaseGeometry]) -> Floats:
    """Cut all pairs of hexes and polygons that meet, in one call of shapely each."""
    parts, kind = shapely.get_parts(np.array(areas, dtype=object), return_index=True)
    hexes = shapely.polygons(grid.corners(grid.cells))
    part, cell = shapely.STRtree(hexes).query(parts, predicate="intersects")
    out = np.zeros((len(hexes), len(areas)))
    np.add.at(out, (cell, kind[part]), shapely.area(shapely.intersection(hexes[cell], parts[part])) / grid.area)
    return out


def by_geopandas(grid: HexGrid, areas: Sequence[BaseGeometry]) -> Floats:
    """Lay the grid of geohexgrid over the areas with geopandas."""
    import geohexgrid
    import geopandas

    x, y = grid.origin
    hexes = geohexgrid.make_grid(grid.rows, grid.columns, grid.radius, x, y)
    parts, kind = shapely.get_parts(np.array(areas, dtype=object), return_index=True)
    ground = geopandas.GeoDataFrame({"kind": kind}, geometry=parts)
    both = geopandas.overlay(hexes, ground, how="intersection", keep_geom_type=True)
    table = both.assign(area=both.area).groupby(["cell_id", "kind"])["area"].sum().unstack(fill_value=0.0)
    table = table.reindex(index=hexes["cell_id"], columns=range(len(areas)), fill_value=0.0) / grid.area
    cells = grid.index(grid.cell_at(shapely.get_coordinates(hexes.geometry.centroid)))
    out = np.zeros((len(grid.cells), len(areas)))
    out[cells] = table.to_numpy()
    return out


def compare(folder: Path, count: int) -> None:
    """Print the table of all ways to the shares of terrain."""
    plan, drawing = plan_of(folder, count)
    grid, cells = plan.grid, len(plan.grid.cells)
    making, grounds = best(3, lambda: survey_grounds(plan, drawing, Report()))
    areas = grounds.areas  # type: ignore[attr-defined]
    ours, shares = best(5, lambda: area_shares(grid, areas))
    vertices = sum(int(shapely.get_num_coordinates(a)) for a in areas)
    print(f"terrain of {cells} hexes by area, {vertices} vertices, {len(areas)} terrains")
    print(f"{'way':44}{'hexes':>9}{'seconds':>10}{'a second':>12}{'times ours':>12}{'differs':>10}")

    def line(name: str, size: int, seconds: float, result: Floats | None = None, own: Floats | None = None) -> None:
        per = seconds / size / (ours / cells)
        apart = "" if result is None or own is None else f"{np.abs(result - own).max():10.0e}"
        print(f"{name:44}{size:9}{seconds:10.3f}{size / seconds:12,.0f}{per:12.1f}{apart}", flush=True)

    line("strips (this tool)", cells, ours)
    line("the same with making the layers disjoint", cells, making)
    small, coarse = plan_of(folder, 20_000)
    fewer = survey_grounds(small, coarse, Report()).areas
    own = area_shares(small.grid, fewer)
    for name, way in (("shapely, hex by hex", by_loop), ("shapely, STRtree and intersection in bulk", by_bulk)):
        seconds, result = best(1, lambda way=way: way(small.grid, fewer))
        line(name, len(small.grid.cells), seconds, result, own)  # type: ignore[arg-type]
    try:
        seconds, result = best(1, lambda: by_geopandas(grid, areas))
    except ImportError:
        print("geohexgrid and geopandas are not here: install the extra `bench`")
    else:
        line("geohexgrid and geopandas.overlay", cells, seconds, result, shares)  # type: ignore[arg-type]
        print(f"{'':44}{seconds / making:31.0f} times the whole, layers made disjoint")


def whole(folder: Path, count: int) -> None:
    """Print how long the whole survey of one size takes, and the most memory that it has had."""
    plan, drawing = plan_of(folder, count)

    def survey() -> object:
        arrays = survey_arrays(plan, drawing, Report())
        assert arrays.adjacency.start[-1] == 2 * int((arrays.lattice.cells[:, 1] >= 0).sum())
        return arrays

    seconds, arrays = best(2, survey)
    cells, sides = len(plan.grid.cells), arrays.sides.kinds  # type: ignore[attr-defined]
    joined = sum(len(c.a) for c in arrays.crossed)  # type: ignore[attr-defined]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    counts = f"{cells:9}{sides.shape[1]:10}{int(sides[0].sum()):9}{joined:9}"
    print(f"{counts}{seconds:9.2f}{seconds / cells * 1e6:12.2f}{peak:8.2f}", flush=True)


def main(count: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compare(folder, count)
        head = f"{'hexes':>9}{'sides':>10}{'rivers':>9}{'roads':>9}{'seconds':>9}{'µs per hex':>12}{'GB':>8}"
        print(f"\n{head}   whole survey", flush=True)
        for size in (20_000, 200_000, 1_000_000):
            subprocess.run([sys.executable, __file__, "--whole", str(size), name], check=True)
        plan, drawing = plan_of(folder, 20_000)
        projection = build_projection(plan, Report())
        seconds, surveyed = best(3, lambda: build_map(plan, drawing, projection, Report()))
        spaces = len(surveyed.warmap.spaces)  # type: ignore[attr-defined]
        print(f"\nthe same with the map that readers see: {spaces} hexes in {seconds:.2f} s")


if __name__ == "__main__":
    if "--whole" in sys.argv:
        whole(Path(sys.argv[3]), int(sys.argv[2]))
    else:
        main(int(sys.argv[1]) if len(sys.argv) > 1 else 200_000)
