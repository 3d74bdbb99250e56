"""Small finished maps for tests of the map sheet: hexes with outlines on a sheet of their own, no files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import shapely

from toolchain.model.drawing import Layer, Shape
from toolchain.model.hexes import HexGrid
from toolchain.model.warmap import Hexside, LegendEntry, Link, Sheet, Space, WarMap
from toolchain.report import Location

PITCH = 20.0
LEGEND = (
    LegendEntry("sea", "terrain", "Sea", traits={"water": "yes"}),
    LegendEntry("forest", "terrain", "Forest"),
    LegendEntry("mountain", "terrain", "Mountain"),
    LegendEntry("clear", "terrain", "Clear"),
    LegendEntry("river", "hexside", "River"),
    LegendEntry("prohibited", "hexside", "Prohibited"),
    LegendEntry("port", "feature", "Port"),
    LegendEntry("capital", "feature", "Capital"),
    LegendEntry("ferry", "link", "Ferry"),
)


def sheet_map(
    columns: int = 6,
    rows: int = 6,
    *,
    orientation: str = "flat",
    terrain: Callable[[int, int], str] = lambda c, r: "clear",
    names: Mapping[tuple[int, int], str] | None = None,
    features: Mapping[tuple[int, int], str] | None = None,
    traits: Mapping[tuple[int, int], Mapping[str, str]] | None = None,
    closed: Callable[[int, int], bool] = lambda c, r: False,
    rivers: Callable[[int, int, int], bool] = lambda c, r, side: False,
    prohibited: Callable[[int, int, int], bool] = lambda c, r, side: False,
    links: Sequence[Link] = (),
    boxes: Mapping[str, tuple[float, float, float, float]] | None = None,
    legend: Sequence[LegendEntry] = LEGEND,
    size: tuple[float, float] | None = None,
) -> WarMap:
    """Build a map; the functions and tables are by column and row counted from 0, sides by `neighbours`.

    boxes: x, y, width and height of the upper left corner. size: of the sheet; else it just holds the grid.
    """
    grid = HexGrid(orientation, PITCH, (20.0, 20.0), columns, rows)
    centres, corners, cells = grid.centres(grid.cells), grid.corners(grid.cells), grid.cells.tolist()
    spaces = []
    for i, (c, r) in enumerate(cells):
        name = (names or {}).get((c, r), "")
        spaces.append(
            Space(
                name or grid.label(c, r),
                "hex",
                tuple(centres[i].tolist()),
                name,
                grid.label(c, r),
                (c, r),
                tuple((x, y) for x, y in corners[i].tolist()),
                terrain=terrain(c, r),
                features=frozenset((features or {}).get((c, r), "").split()),
                traits=(traits or {}).get((c, r), {}),
                enterable=not closed(c, r),
                where=Location("maps/small/places.csv", i + 2),
            )
        )
    around = grid.index(grid.neighbours(grid.cells).reshape(-1, 2)).reshape(-1, 6).tolist()
    sides = []
    for i, (c, r) in enumerate(cells):
        for k, j in enumerate(around[i]):
            kinds = {n for n, test in (("river", rivers), ("prohibited", prohibited)) if test(c, r, k)}
            if j >= 0 and kinds:
                a, b = corners[i][k].tolist(), corners[i][(k + 1) % 6].tolist()
                sides.append(
                    Hexside(spaces[i].key, spaces[j].key, (tuple(a), tuple(b)), frozenset(kinds), "Long Water")
                )
    for key, (x, y, w, h) in (boxes or {}).items():
        outline = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
        spaces.append(Space(key, "box", (x + w / 2, y + h / 2), key, outline=outline))
    width, height = size or (float(corners[..., 0].max()) + 12, float(corners[..., 1].max()) + 12)
    return WarMap(
        "small",
        "Small War",
        (Sheet("main", width, height),),
        tuple(spaces),
        tuple(sides),
        tuple(links),
        tuple(legend),
        {"main": grid},
    )


def layer(name: str, *shapes: tuple[object, Mapping[str, object]]) -> dict[str, Layer]:
    """Return a drawing of one layer."""
    return {name: Layer(name, tuple(Shape(g, p, Location(f"{name}.geojson")) for g, p in shapes))}


def land(x0: float, y0: float, x1: float, y1: float) -> dict[str, Layer]:
    """Return a drawing whose land is a rectangle."""
    return layer("land", (shapely.box(x0, y0, x1, y1), {}))
