"""Zones: what tells VASSAL the name, the terrain and the limits of every space.

A named space has a zone of its own. Hexes without a name that tell the same share one: VASSAL looks zones up one after
the other and writes every property of every zone into every saved game, so that thousands of zones would make it slow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from toolchain.export.vassal.board import Board, Pixel
from toolchain.export.vassal.buildfile import Element, part
from toolchain.export.vassal.limits import Limits, Place
from toolchain.model.warmap import LegendEntry, Space, WarMap
from toolchain.sources.decode.vassal import Words

AROUND = 8.0  # millimetres around a point without extent that count as it, at most


@dataclass(frozen=True)
class Told:
    """What a module knows of a space. place: all of it in one line; limits: the kind of its stacking limits."""

    terrain: str
    features: str
    place: str
    limits: int = 0

    @property
    def properties(self) -> dict[str, str]:
        """The properties of its zone; what VASSAL takes for granted is left out."""
        limits = str(self.limits) if self.limits else ""
        named = (("Terrain", self.terrain), ("Features", self.features), ("Place", self.place), ("Limits", limits))
        return {name: value for name, value in named if value}


def build_told(
    warmap: WarMap, number: int, limits: Limits, kinds: Mapping[Place, int], words: Words
) -> dict[str, Told]:
    """Say of every space, by key, what its zone tells. number: of the map; kinds: of limits (`Watch.kinds`)."""
    titles: dict[tuple[str, str], LegendEntry] = {(e.kind, e.name): e for e in warmap.legend}

    def title(kind: str, name: str) -> str:
        entry = titles.get((kind, name))
        return entry.title or name if entry else name

    out = {}
    for s in warmap.spaces:
        terrain = title("terrain", s.terrain) if s.terrain else ""
        features = ", ".join(title("feature", f) for f in sorted(s.features))
        most = limits.told((number, s.key)) if s.enterable else ""
        stacking = f"{words.stacking} {most}" if most else ""
        label = s.label if s.name and s.label != s.key else ""
        place = "; ".join(t for t in (label, terrain, features, stacking) if t)
        out[s.key] = Told(terrain, features, place, kinds.get((number, s.key), 0))
    return out


def build_zones(board: Board, told: Mapping[str, Told], shaded: bool = False) -> list[Element]:
    """Write the zones of a board, first those that lie over others: boxes and areas, named hexes, all other hexes.

    shaded: zones of control are shaded; pieces in boxes must cast no shade over the hexes around.
    """
    zones = []
    for s, outline in zoned(board):
        snaps = _snaps(s, board)
        apart = shaded and board.hexes is not None and not snaps
        zones.append(_zone(s.key, "$name$", outline, snaps, told.get(s.key), apart))
    alike: dict[Told, list[Space]] = {}
    for s in unnamed(board):
        if s.key in told and told[s.key].properties:
            alike.setdefault(told[s.key], []).append(s)
    taken = {z.get("name") for z in zones}
    for tells, spaces in alike.items():
        stem, n = tells.place or tells.terrain or "-", 2
        name = stem
        while name in taken:
            name, n = f"{stem} ({n})", n + 1
        taken.add(name)
        zones.append(_zone(name, "$gridLocation$", whole_outline([board.outline(s) for s in spaces]), True, tells))
    return zones


def zoned(board: Board) -> Iterator[tuple[Space, list[Pixel]]]:
    """Yield the spaces that have a zone of their own, with its corners: boxes, areas and points first, then hexes.

    Where VASSAL cannot number the hexes, all of them have one.
    """
    near = _around([s for s in board.spaces if s.cell is None and not s.outline], board)
    for s in board.spaces:
        if s.cell is None:
            yield s, board.outline(s) or near[s.key]
    whole = board.hexes is not None and board.numbering is None
    yield from ((s, board.outline(s)) for s in board.spaces if s.cell is not None and s.outline and (s.name or whole))


def unnamed(board: Board) -> Iterator[Space]:
    """Yield the hexes that share zones."""
    if board.hexes is not None and board.numbering is not None:
        yield from (s for s in board.spaces if s.cell is not None and s.outline and not s.name)


def _snaps(space: Space, board: Board) -> bool:
    return space.cell is not None or (space.kind == "point" and board.hexes is None)


def _around(points: Sequence[Space], board: Board) -> dict[str, list[Pixel]]:
    """Return the square around each point without extent that counts as it; no two of them touch."""
    if not points:
        return {}
    at = np.array([board.at(s) for s in points], dtype=np.float64)
    half = np.full(len(points), AROUND * board.scale)
    if len(points) > 1:
        tree = shapely.STRtree(shapely.points(at))
        _, apart = tree.query_nearest(shapely.points(at), exclusive=True, return_distance=True, all_matches=False)
        half = np.minimum(half, apart * 0.35)
    out = {}
    for s, (x, y), r in zip(points, at.tolist(), half.tolist(), strict=True):
        r = max(2, int(r))
        x, y = int(x), int(y)
        out[s.key] = [(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)]
    return out


def whole_outline(outlines: Sequence[Sequence[Pixel]]) -> list[Pixel]:
    """Join shapes into one path that goes round them all.

    It goes from one part to the next and back over the same line, where VASSAL's even-odd count finds nothing inside.
    """
    shapes = shapely.polygons([shapely.linearrings(o) for o in outlines])
    joined = shapely.coverage_union_all(shapes)  # quick, and right where neighbours share their corners exactly
    if abs(joined.area - shapely.area(shapes).sum()) > 0.5:
        joined = shapely.union_all(shapes, grid_size=1.0)
    rings: list[list[Pixel]] = []
    for p in shapely.get_parts(joined):
        for ring in (p.exterior, *p.interiors):
            rings.append([(int(x), int(y)) for x, y in ring.coords])
    start = rings[0][0]
    path = rings[0][:-1]
    for ring in rings[1:]:
        path += [start, *ring]
    return path if len(rings) == 1 else [*path, start]


def _zone(
    name: str, location: str, outline: Sequence[Pixel], snaps: bool, told: Told | None, apart: bool = False
) -> Element:
    """Write a zone. snaps: pieces go to the middle of their hex or point. apart: hexes are not counted here."""
    plain = {"description": "", "isNumeric": False, "min": 0, "max": 100, "wrap": False}
    shown = [
        part("properties.ZoneProperty", name=k, initialValue=v, **plain)
        for k, v in (told.properties if told else {}).items()
    ]
    if apart:  # what VASSAL shades around a piece are hexes of the zone's grid: here they have a single pixel
        frame = {"x0": 0, "y0": 0, "dx": repr(1.0), "dy": repr(1.0), "sideways": False}
        legal = {"snapTo": False, "edgesLegal": False, "cornersLegal": False}
        shown.append(part("grid.HexGrid", **frame, **legal, visible=False, dotsVisible=False, color="0,0,0"))
    return part(
        "mapgrid.Zone",
        shown,
        name=name,
        locationFormat=location,
        path=";".join(f"{x},{y}" for x, y in outline),
        useParentGrid=snaps,
        useHighlight=False,
        highlightProperty="",
    )
