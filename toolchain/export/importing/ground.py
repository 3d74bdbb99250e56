"""The board of a module as the map of a project: its grid, its numbers, its named places, and room for everything else.

Pixels of the board become millimetres of the sheet, four to one. Our hexes are regular: a board whose hexes are not is
stretched until they are.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np
import shapely
import shapely.affinity

from toolchain.checks.lint.grids import board_size, cells, path_points
from toolchain.export.importing.boards import MOST_ACROSS, Laid, boards_of, lay_boards
from toolchain.model.hexes import HexGrid, Numbering
from toolchain.report import counted
from toolchain.sources.vassal.buildfile import Component
from toolchain.sources.vassal.modules import Module
from toolchain.sources.vassal.numbering import Numbered, NumberError, read_grid

PIXELS = 4.0  # to a millimetre, about 100 dots to the inch
SPOT = 14.0  # millimetres of the box for pieces that stand where no place is
MOST_SPOTS = 400
MOST_HEXES = 200_000
Point = tuple[float, float]


@dataclass
class Box:
    """A box of the map: corners of its shape in pixels, and the middle and size of the box in millimetres."""

    key: str
    shape: shapely.Polygon
    at: Point
    size: Point


@dataclass
class Ground:
    """The map as it grows. boards: all that lie on its sheet; the first has the grid. left: what cannot be carried.

    stretch: of the boards across and down. numbered: the hex grid as VASSAL counts it; grid: as we do; first: line and
    place in VASSAL's count of our first hex. named: names of hexes by cell; boxes by key. gridded: zones with a grid of
    their own.
    """

    boards: list[Laid]
    left: list[str]
    stretch: Point = (1.0, 1.0)
    numbered: Numbered | None = None
    grid: HexGrid | None = None
    first: tuple[int, int] = (0, 0)
    named: dict[tuple[int, int], str] = field(default_factory=dict)
    boxes: dict[str, Box] = field(default_factory=dict)
    spots: int = 0
    gridded: list[str] = field(default_factory=list)

    @property
    def map(self) -> Component:
        """The window of the main board."""
        return self.boards[0].window

    @property
    def board(self) -> Component:
        """The main board."""
        return self.boards[0].board

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the main board, which begins at the corner of the sheet, in pixels."""
        return self.boards[0].size

    @property
    def whole(self) -> tuple[int, int]:
        """Width and height of the sheet in pixels."""
        return max(b.at[0] + b.size[0] for b in self.boards), max(b.at[1] + b.size[1] for b in self.boards)

    @property
    def sheet(self) -> Point:
        """Width and height of the sheet in millimetres."""
        return self.mm(self.whole)

    def laid(self, window: Component, board: Component | None) -> Laid | None:
        """Return where a board lies on the sheet."""
        return next((b for b in self.boards if b.window is window and b.board is board), None)

    def mm(self, pixel: tuple[float, float]) -> Point:
        """Return a pixel of the sheet in millimetres."""
        return round(pixel[0] * self.stretch[0] / PIXELS, 3), round(pixel[1] * self.stretch[1] / PIXELS, 3)

    def cell(self, line: int, place: int) -> tuple[int, int]:
        """Return a hex of VASSAL's count as column and row of ours."""
        a, b = line - self.first[0], place - self.first[1]
        return (b, a) if self.numbered is not None and self.numbered.sideways else (a, b)

    def centre(self, cell: tuple[int, int]) -> Point:
        """Return the middle of a hex in pixels of the board."""
        assert self.numbered is not None
        a, b = cell[::-1] if self.numbered.sideways else cell
        return self.numbered.centre(a + self.first[0], b + self.first[1])

    def key(self, cell: tuple[int, int]) -> str:
        """Return what tables call a hex."""
        return self.named.get(cell) or (self.grid.label(*cell) if self.grid else "")

    def place(self, x: float, y: float) -> str:
        """Return the space at a pixel of the sheet; where there is none, a new box, or "" when there are too many."""
        point = shapely.Point(x, y)
        for box in self.boxes.values():
            if box.shape.intersects(point):
                return box.key
        if self.grid is not None and 0 <= x <= self.size[0] and 0 <= y <= self.size[1]:
            return self.key(self._nearest(x, y))
        if self.spots >= MOST_SPOTS:
            return ""
        self.spots += 1
        half = SPOT * PIXELS / 2
        x, y = (min(max(v, half), max(half, most - half)) for v, most in zip((x, y), self.whole, strict=True))
        return self.add_box(f"Spot {self.spots}", shapely.box(x - half, y - half, x + half, y + half))

    def _nearest(self, x: float, y: float) -> tuple[int, int]:
        assert self.numbered is not None and self.grid is not None
        column, row = self.cell(*self.numbered.cell_at(x, y))
        return min(max(column, 0), self.grid.columns - 1), min(max(row, 0), self.grid.rows - 1)

    def add_box(self, name: str, shape: shapely.Polygon) -> str:
        """Add a box round a shape given in pixels; return its key."""
        key, n = name.strip() or "Box", 2
        taken = {*self.boxes, *self.named.values()}
        while key in taken:
            key, n = f"{name} ({n})", n + 1
        x1, y1, x2, y2 = shape.intersection(shapely.box(0, 0, *self.whole)).bounds
        (left, top), (right, bottom) = self.mm((x1, y1)), self.mm((x2, y2))
        at = (round((left + right) / 2, 3), round((top + bottom) / 2, 3))
        self.boxes[key] = Box(key, shape, at, (round(right - left, 3), round(bottom - top, 3)))
        return key


def choose_board(module: Module) -> tuple[Component, Component] | None:
    """Return the map window and the board that become the map: the one on which most starts, else the first."""
    first = None
    for m in module.maps:
        boards = boards_of(m)
        if not boards:
            continue
        laid = next((s.text for p in m.all("BoardPicker") for s in p.parts if s.kind == "setup"), "")
        named = [b for b in boards if f"\t{b.get('name')}\t" in laid]
        first = first or (m, (named or boards)[0])
        if m.kind == "Map":
            return m, (named or boards)[0]
    return first


def build_ground(module: Module, left: list[str], used: Sequence[tuple[Component, Component]] = ()) -> Ground | None:
    """Read the map out of a module; None when it has no board whose size is known, or only one that is too large.

    used: windows and boards on which pieces lie, which are laid beside the main board.
    """
    chosen = choose_board(module)
    size = board_size(module, chosen[1]) if chosen else None
    if chosen is None or size is None or not 0 < min(size) <= max(size) <= MOST_ACROSS:
        return None
    ground = Ground(lay_boards(module, Laid(*chosen, (0, 0), size), used, left), left)
    zoned = next((c for c in chosen[1].parts if c.kind == "ZonedGrid"), None)
    behind = zoned.parts if zoned is not None else chosen[1].parts
    hexes = next((c for c in behind if c.kind == "HexGrid"), None)
    if hexes is not None:
        _hexes(ground, hexes)
    if any(c.kind == "SquareGrid" for c in behind):
        left.append("the square grid of the board; its pieces stand in boxes of their own")
    for zone in chosen[1].all("Zone"):
        _zone(ground, zone)
    if ground.gridded:
        names = ", ".join(map(repr, ground.gridded[:5])) + ", ..." * (len(ground.gridded) > 5)
        zones = counted(len(ground.gridded), "zone")
        left.append(f"the grids inside {zones} ({names}); pieces lie beside one another there")
    _regions(ground, [r for c in behind if c.kind == "RegionGrid" for r in c.all("Region")], ground.boards[0])
    for one in ground.boards[1:]:
        _beside(ground, one)
    return ground


def _beside(ground: Ground, one: Laid) -> None:
    """Carry the zones and regions of a further board; the sheet has one grid, which is that of the main board."""
    if any(c.kind in ("HexGrid", "SquareGrid") for c in one.board.walk()):
        ground.left.append(f"the grid of the board {one.board.get('name')!r}; its pieces stand in boxes of their own")
    for zone in one.board.all("Zone"):
        points = path_points(zone)
        if len(points) > 2 and zone.name and zone.get("useParentGrid") != "true":
            shape = shapely.make_valid(shapely.Polygon(points)).intersection(shapely.box(0, 0, *one.size))
            if shape.area > 0:
                ground.add_box(zone.name, shapely.affinity.translate(shape, *one.at))
    _regions(ground, list(one.board.all("Region")), one)


def _hexes(ground: Ground, grid: Component) -> None:
    try:
        n = read_grid(grid, ground.size, bare=True)
    except NumberError as error:
        ground.left.append(f"the hex grid: {error}")
        return
    if n is None or min(n.dx, n.dy) < 4:
        ground.left.append("the hex grid, whose hexes are of a few pixels")
        return
    on = list(itertools.islice(cells(n), MOST_HEXES))
    if not on:
        return
    first = min(line for line, _ in on), min(place for _, place in on)
    last = max(line for line, _ in on), max(place for _, place in on)
    regular = n.dy * math.sqrt(3) / 2
    factor = 1.0 if abs(regular / n.dx - 1) < 0.002 else regular / n.dx
    if abs(factor - 1) > 0.02:
        ground.left.append(f"the shape of the hexes: the board is stretched by {factor - 1:+.1%} to make them regular")
    ground.stretch = (1.0, factor) if n.sideways else (factor, 1.0)
    ground.numbered, ground.first = n, first
    lines, places = last[0] - first[0] + 1, last[1] - first[1] + 1
    columns, rows = (places, lines) if n.sideways else (lines, places)
    low: Literal["odd", "even"] = "odd" if first[0] % 2 == 0 else "even"
    origin = ground.mm(n.centre(*first))
    shape = HexGrid("pointy" if n.sideways else "flat", n.dy / PIXELS, origin, columns, rows, low)
    ground.grid = _numbered_alike(shape, n, ground, on)


def _numbered_alike(shape: HexGrid, n: Numbered, ground: Ground, on: list[tuple[int, int]]) -> HexGrid:
    """Return the grid with the numbering that gives every hex its label in VASSAL; else name hexes by their labels."""
    wanted = {ground.cell(*c): n.label(*c) for c in on}
    h, v = (n.v, n.h) if n.sideways else (n.h, n.v)  # of columns, of rows
    order: Literal["column", "row"] = "column" if n.first_h != n.sideways else "row"
    staggers: tuple[Literal["down", "up", "falling", "rising"], ...] = ("down", "up", "falling", "rising")
    some = list(wanted)[:: max(1, len(wanted) // 40)]
    starts = (0, 1, -1)
    base_c, base_r = _least(n, on)
    for stagger, right, bottom, dc, dr in itertools.product(staggers, (False, True), (False, True), starts, starts):
        numbering = Numbering(
            order=order,
            column_start=base_c + dc,
            row_start=base_r + dr,
            column_digits=h.leading + 1,
            row_digits=v.leading + 1,
            column_letters=h.letters,
            row_letters=v.letters,
            separator=n.sep,
            double_letters=h.letters or v.letters,
            column_from="right" if right else "left",
            row_from="bottom" if bottom else "top",
            stagger=stagger,
        )
        if (h.letters and base_c + dc < 1) or (v.letters and base_r + dr < 1):
            continue
        try:
            grid = replace(shape, numbering=numbering)
            # A few hexes tell most numberings apart; all of them are asked once.
            if all(grid.labels(part).tolist() == [wanted[c] for c in part] for part in (some, list(wanted))):
                return grid
        except (ValueError, IndexError):
            continue
    ground.left.append("the numbering of the hexes; every hex bears its label as a name")
    taken: set[str] = set()
    for cell, label in wanted.items():
        name = label if label not in taken else f"{label} ({len(taken)})"
        taken.add(name)
        ground.named[cell] = name
    return shape


def _least(n: Numbered, on: list[tuple[int, int]]) -> tuple[int, int]:
    """Return the least numbers of columns and rows; 1 for A."""
    parts = []
    for line, place in on:
        found = n.numbers(n.label(line, place))
        if found is not None:
            parts.append(found)
    if not parts:
        return 1, 1
    line_least, place_least = min(a for a, _ in parts), min(b for _, b in parts)
    values = (line_least + n.h.letters, place_least + n.v.letters)
    return values[::-1] if n.sideways else values


def _zone(ground: Ground, zone: Component) -> None:
    points = path_points(zone)
    hexed = zone.get("useParentGrid") == "true" and ground.grid is not None and ground.numbered is not None
    if hexed and zone.get("locationFormat", "$name$") != "$name$":
        return  # it says the number of the hex too, which we have
    if len(points) < 3 or not zone.name:
        return
    shape = shapely.make_valid(shapely.Polygon(points))
    if not shape.intersects(shapely.box(0, 0, *ground.size)) or shape.area == 0:
        return
    if hexed and ground.grid is not None:
        x1, y1, x2, y2 = shape.bounds
        inside = []
        for cell in ground.grid.cells[_near(ground, (x1, y1, x2, y2))].tolist():
            cx, cy = ground.centre((cell[0], cell[1]))
            if shape.intersects(shapely.Point(cx, cy)):
                inside.append((cell[0], cell[1]))
        if len(inside) == 1:
            ground.named[inside[0]] = _free(ground, zone.name)
        elif inside:
            ground.left.append(f"zone {zone.name!r}, which names {counted(len(inside), 'hex', 'hexes')} at once")
        return
    grids = [c for c in zone.parts if c.kind in ("HexGrid", "SquareGrid", "RegionGrid")]
    if any(c.get("snapTo", c.get("snapto", "true")) != "false" for c in grids):
        ground.gridded.append(zone.name)
    ground.add_box(zone.name, shape)


def _free(ground: Ground, name: str) -> str:
    taken = {*ground.boxes, *ground.named.values()}
    key, n = name, 2
    while key in taken:
        key, n = f"{name} ({n})", n + 1
    return key


def _near(ground: Ground, bounds: tuple[float, float, float, float]) -> np.ndarray:
    """Return which cells lie within a rectangle of pixels."""
    assert ground.grid is not None
    x1, y1 = ground.mm(bounds[:2])
    x2, y2 = ground.mm(bounds[2:])
    at = ground.grid.centres(ground.grid.cells)
    slack = 0.5
    return np.asarray(
        (at[:, 0] >= x1 - slack) & (at[:, 0] <= x2 + slack) & (at[:, 1] >= y1 - slack) & (at[:, 1] <= y2 + slack)
    )


def _regions(ground: Ground, regions: list[Component], on: Laid) -> None:
    points = []
    for r in regions:
        try:
            points.append((int(r.get("originx")), int(r.get("originy")), r.name))
        except ValueError:
            ground.left.append(f"region {r.name!r}, whose place is no pair of numbers")
    points = [(*at, name) for x, y, name in points if (at := on.point(x, y)) is not None]
    if not points:
        return
    at = shapely.points(np.array([(x, y) for x, y, _ in points], dtype=np.float64))
    apart = np.full(len(points), SPOT * PIXELS)
    if len(points) > 1:
        _, far = shapely.STRtree(at).query_nearest(at, exclusive=True, return_distance=True, all_matches=False)
        apart = np.minimum(apart, np.maximum(far, 8.0)) if len(far) == len(points) else apart
    for (x, y, name), wide in zip(points, apart.tolist(), strict=True):
        half = wide * 0.45
        ground.add_box(name, shapely.box(x - half, y - half, x + half, y + half))


def map_files(ground: Ground, title: str, picture: str) -> dict[str, str]:
    """Write map.toml, places.csv and style.toml. picture: the file of the board, "" without one."""
    w, h = ground.sheet
    lines = ["format = 1", f"title = {quoted(title)}", "", "[sheet]", f"width = {w}", f"height = {h}"]
    if ground.grid is not None:
        g, n = ground.grid, ground.grid.numbering
        lines += ["", "[grid]", f"orientation = {quoted(g.orientation)}", f"pitch = {g.pitch!r}"]
        lines += [f"origin = [{g.origin[0]!r}, {g.origin[1]!r}]", f"columns = {g.columns}", f"rows = {g.rows}"]
        lines += [f"low = {quoted(g.low)}", "", "[grid.numbering]"]
        plain = Numbering()
        for name in Numbering.__dataclass_fields__:
            value = getattr(n, name)
            if value != getattr(plain, name):
                shown = (
                    str(value).lower()
                    if isinstance(value, bool)
                    else value
                    if isinstance(value, int)
                    else quoted(value)
                )
                lines.append(f"{name} = {shown}")
    lines += ["", "[[terrain]]", 'name = "clear"', 'title = "Clear"', "rest = true"]
    for box in ground.boxes.values():
        lines += ["", "[[box]]", f"key = {quoted(box.key)}", f"at = [{box.at[0]}, {box.at[1]}]"]
        lines += [f"size = [{max(box.size[0], 1.0)}, {max(box.size[1], 1.0)}]"]
    out = {}
    if ground.named:
        from toolchain.export.importing.tables import table

        lines += ["", "[places]", 'file = "places.csv"']
        rows = [(name, c, r, "as in the module") for (c, r), name in sorted(ground.named.items())]
        out["places.csv"] = table(("name", "column", "row", "assumed"), rows)
    out["map.toml"] = "\n".join(lines) + "\n"
    if picture:
        out["style.toml"] = (
            f"format = 1\n\n[picture]               # printed in place of a drawing\nmain = {quoted(picture)}\n"
        )
    return out


def quoted(text: str) -> str:
    """Write a text as TOML wants it."""
    return json.dumps(text.replace("\x7f", ""), ensure_ascii=False)
