"""The map for Tiled and the game engines that read its files: TMX, with a tile for each hex by terrain.

Source: the TMX map format of Tiled, mapeditor.org. Flat-topped hexes are staggered along x, pointy-topped ones along
y; `staggerindex` says which columns (or rows), counted from 0, are shifted by half a tile. Tiled wants whole pixels,
and even ones for the side of a hex, so hexes are some permille off their true proportion. Without hexes the map is
orthogonal, of object layers over a picture of the sheet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path as FilePath

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from toolchain.art.marks import Page, Paint, Path, num, polygon
from toolchain.export.atlas import build_atlas
from toolchain.export.kept import render_pngs
from toolchain.export.placing import MM_PER_INCH, least_dpi
from toolchain.export.vassal.pictures import slug
from toolchain.model.hexes import SQRT3, HexGrid
from toolchain.model.warmap import LegendEntry, Point, Sheet, Space, WarMap

SIDE = 32  # pixels of a hexside
SHEET_DPI, SHEET_PIXELS = 100.0, 16_000_000
UNKNOWN = "#ff00ff"  # of terrain that the style has no colour for
GRID_INK = "#4a4035"
FORMAT = {"version": "1.10", "tiledversion": "1.10.2"}
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Frame:
    """How millimetres of a sheet lie in pixels of a Tiled map, and the attributes that say so."""

    scale: tuple[float, float]
    origin: tuple[float, float]
    attributes: Mapping[str, str]
    tile: tuple[int, int]

    def pixels(self, points: Sequence[Point]) -> list[Point]:
        """Return points in pixels of the map."""
        return [(x * self.scale[0] + self.origin[0], y * self.scale[1] + self.origin[1]) for x, y in points]


def hex_frame(grid: HexGrid) -> Frame:
    """Return the frame of a hex grid."""
    flat = grid.orientation == "flat"
    across = 2 * round(SIDE * SQRT3 / 2)
    tile = (2 * SIDE, across) if flat else (across, 2 * SIDE)
    # A step of two lines along the staggered axis, and of one cell across it, in millimetres and in pixels.
    along, beside = grid.radius * 1.5, grid.pitch
    steps = (SIDE * 1.5 / along, across / beside) if flat else (across / beside, SIDE * 1.5 / along)
    # Tiled puts the unshifted lines at the edge; where line 0 is a shifted one, the map begins half a cell before it.
    shift = across / 2 if grid.low == "even" else 0.0
    first = (tile[0] / 2 + (0 if flat else shift), tile[1] / 2 + (shift if flat else 0))
    origin = (first[0] - grid.origin[0] * steps[0], first[1] - grid.origin[1] * steps[1])
    attributes = {
        "orientation": "hexagonal",
        "renderorder": "right-down",
        "width": str(grid.columns),
        "height": str(grid.rows),
        "tilewidth": str(tile[0]),
        "tileheight": str(tile[1]),
        "hexsidelength": str(SIDE),
        "staggeraxis": "x" if flat else "y",
        "staggerindex": grid.low,
    }
    return Frame(steps, origin, attributes, tile)


def sheet_frame(sheet: Sheet, pixels_per_mm: float) -> Frame:
    """Return the frame of a sheet without hexes: tiles of a centimetre over its picture."""
    tile = max(1, round(10 * pixels_per_mm))
    size = [max(1, -(-round(v * pixels_per_mm) // tile)) for v in (sheet.width, sheet.height)]
    attributes = {
        "orientation": "orthogonal",
        "renderorder": "right-down",
        "width": str(size[0]),
        "height": str(size[1]),
        "tilewidth": str(tile),
        "tileheight": str(tile),
    }
    return Frame((pixels_per_mm, pixels_per_mm), (0.0, 0.0), attributes, (tile, tile))


def tile_picture(terrains: Sequence[str], colours: Mapping[str, str], tile: tuple[int, int]) -> Page:
    """Draw the tiles of the terrains in one row: a hex each, a millimetre for a pixel."""
    width, height = tile
    a, b = (width, height)
    if tile[0] >= tile[1]:  # flat-topped: longer than it is high
        ring = [(a / 4, 0), (a * 3 / 4, 0), (a, b / 2), (a * 3 / 4, b), (a / 4, b), (0, b / 2)]
    else:
        ring = [(a / 2, 0), (a, b / 4), (a, b * 3 / 4), (a / 2, b), (0, b * 3 / 4), (0, b / 4)]
    paints = [Paint(fill=colours.get(t, UNKNOWN), stroke=GRID_INK, width=0.5) for t in terrains]
    faces = [Page(width, height, (Path(polygon(ring), p),)) for p in paints]
    return build_atlas(faces, len(faces)).page


def to_tmx(warmap: WarMap, sheet: Sheet, frame: Frame, picture: str) -> bytes:
    """Write one sheet of a map as a TMX file.

    frame: how its millimetres lie in pixels. picture: file of the tiles, see `tile_picture`, or without hexes that of
    the sheet. Layers: the terrain (hexes); and objects with their properties: hexsides, links, spaces.
    """
    grid = warmap.grids.get(sheet.name)
    spaces = [s for s in warmap.spaces if s.sheet == sheet.name]
    root = etree.Element("map", {**FORMAT, **frame.attributes, "infinite": "0"})
    _properties(root, {"title": warmap.title, "sheet": sheet.name})
    number = 1
    if grid is not None:
        terrains = terrain_names(warmap)
        root.append(_tileset(warmap, terrains, frame, picture))
        root.append(_tiles(grid, spaces, terrains, number))
    else:
        layer = etree.SubElement(root, "imagelayer", {"id": str(number), "name": "Sheet"})
        size = frame.pixels([(sheet.width, sheet.height)])[0]
        etree.SubElement(layer, "image", {"source": picture, "width": num(size[0]), "height": num(size[1])})
    keys = {s.key for s in spaces}
    at = {s.key: s.at for s in spaces}
    layers: list[tuple[str, list[tuple[str, str, Sequence[Point], Mapping[str, str]]]]] = [
        (
            "Hexsides",
            [
                (h.name, " ".join(sorted(h.kinds)), h.line or h.ends, {"a": h.a, "b": h.b})
                for h in warmap.hexsides
                if h.kinds and {h.a, h.b} <= keys
            ],
        ),
        (
            "Links",
            [
                (
                    x.traits.get("name", ""),
                    x.kind,
                    x.line or (at[x.a], at[x.b]),
                    {"a": x.a, "b": x.b, **_link(x.traits)},
                )
                for x in warmap.links
                if {x.a, x.b} <= keys
            ],
        ),
        ("Spaces", [(s.name, s.kind, (s.at,), _space(s)) for s in spaces if _told(s)]),
    ]
    objects = 1
    for title, rows in layers:
        number += 1
        group = etree.SubElement(root, "objectgroup", {"id": str(number), "name": title})
        for name, kind, points, properties in rows:
            group.append(_object(objects, name, kind, frame.pixels(points), properties))
            objects += 1
    root.set("nextlayerid", str(number + 1))
    root.set("nextobjectid", str(objects))
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def terrain_names(warmap: WarMap) -> list[str]:
    """Return the terrains of a map in the order of its legend, those that it lacks last."""
    names = [e.name for e in warmap.legend if e.kind == "terrain"]
    return names + sorted({s.terrain for s in warmap.spaces if s.terrain} - set(names))


def _tileset(warmap: WarMap, terrains: Sequence[str], frame: Frame, picture: str) -> etree._Element:
    width, height = frame.tile
    count = str(len(terrains))
    sizes = {"tilewidth": str(width), "tileheight": str(height), "tilecount": count, "columns": count}
    out = etree.Element("tileset", {"firstgid": "1", "name": "terrain", **sizes})
    etree.SubElement(out, "image", {"source": picture, "width": str(width * len(terrains)), "height": str(height)})
    for i, name in enumerate(terrains):
        entry = warmap.legend_entry("terrain", name) or LegendEntry(name, "terrain")
        tile = etree.SubElement(out, "tile", {"id": str(i), "type": name})
        _properties(tile, {"title": entry.title or name, **entry.traits})
    return out


def _tiles(grid: HexGrid, spaces: Iterable[Space], terrains: Sequence[str], number: int) -> etree._Element:
    gids = np.zeros((grid.rows, grid.columns), dtype=int)
    for s in spaces:
        if s.cell is not None and s.terrain:
            gids[s.cell[1], s.cell[0]] = terrains.index(s.terrain) + 1
    size = {"width": str(grid.columns), "height": str(grid.rows)}
    layer = etree.Element("layer", {"id": str(number), "name": "Terrain", **size})
    rows = ",\n".join(",".join(map(str, row)) for row in gids.tolist())
    etree.SubElement(layer, "data", {"encoding": "csv"}).text = f"\n{rows}\n"
    return layer


def _object(
    number: int, name: str, kind: str, points: Sequence[Point], properties: Mapping[str, str]
) -> etree._Element:
    (x, y), *others = points
    out = etree.Element("object", {"id": str(number), "name": name, "type": kind, "x": num(x), "y": num(y)})
    _properties(out, properties)
    if others:
        line = " ".join(f"{num(u - x)},{num(v - y)}" for u, v in points)
        etree.SubElement(out, "polyline", {"points": line})
    else:
        etree.SubElement(out, "point")
    return out


def _properties(element: etree._Element, values: Mapping[str, str]) -> None:
    given = {k: v for k, v in values.items() if v}
    if given:
        group = etree.SubElement(element, "properties")
        for key in sorted(given):
            etree.SubElement(group, "property", {"name": key, "value": given[key]})


def _told(space: Space) -> bool:
    return bool(space.name or space.features or space.kind != "hex")


def _space(space: Space) -> dict[str, str]:
    own = {
        "key": space.key,
        "label": space.label,
        "terrain": space.terrain,
        "features": " ".join(sorted(space.features)),
    }
    return {
        **{f"trait.{k}": v for k, v in space.traits.items()},
        **own,
        "enterable": "yes" if space.enterable else "no",
    }


def _link(traits: Mapping[str, str]) -> dict[str, str]:
    return {f"trait.{k}": v for k, v in traits.items() if k != "name"}


def tiled_files(
    warmap: WarMap, colours: Mapping[str, str], pages: Mapping[str, Page], cache: FilePath | None = None
) -> dict[str, bytes]:
    """Write a TMX file and the picture that it shows for every sheet of a map.

    colours: of terrains, as #rrggbb. pages: the sheets as printed, for those without hexes. cache: folder of what was
    rendered before.
    """
    out: dict[str, bytes] = {}
    for sheet in warmap.sheets:
        grid = warmap.grids.get(sheet.name)
        stem = f"map-{slug(sheet.name)}"
        if grid is not None:
            frame = hex_frame(grid)
            picture, name = tile_picture(terrain_names(warmap), colours, frame.tile), f"{stem}-terrain.png"
            out |= render_pngs({name: picture}, MM_PER_INCH, None, cache)
        else:
            dpi = least_dpi([pages[sheet.name]], SHEET_PIXELS, SHEET_DPI)
            frame, name = sheet_frame(sheet, dpi / MM_PER_INCH), f"{stem}.png"
            out |= render_pngs({name: pages[sheet.name]}, dpi, None, cache)
        out[f"{stem}.tmx"] = to_tmx(warmap, sheet, frame, name)
    return out
