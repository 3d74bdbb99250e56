"""The board in pixels: hex grids that coincide with the drawing, and where spaces lie."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from toolchain.export.vassal.buildfile import Element, part
from toolchain.export.vassal.pictures import board_picture
from toolchain.model.hexes import SQRT3, HexGrid
from toolchain.model.warmap import Sheet, Space, WarMap

Pixel = tuple[int, int]
_GRID_LINES = {"visible": False, "dotsVisible": False, "color": "0,0,0"}  # the art has its own lines and numbers


@dataclass(frozen=True)
class HexPixels:
    """A hex grid as VASSAL counts it.

    VASSAL works in a frame whose first axis runs along the lines of the grid: across the screen for flat-topped hexes
    (columns), down it for pointy-topped ones (rows), where both axes change places. line0: 1 when our line 0 is
    VASSAL's line 1, because VASSAL always shifts odd lines down. x0, y0: centre of VASSAL's hex (0, 0) in that frame;
    dx, dy: pitch of lines and of hexes in a line.
    """

    grid: HexGrid
    line0: int
    x0: int
    y0: int
    dx: float
    dy: float

    @property
    def sideways(self) -> bool:
        """Tell whether the axes change places."""
        return self.grid.orientation == "pointy"

    def centre(self, cell: tuple[int, int]) -> Pixel:
        """Return the point that VASSAL snaps a piece in this hex to, in its own whole-number arithmetic."""
        line, place = cell[::-1] if self.sideways else cell
        line += self.line0
        x = int(self.dx * line + self.x0)
        half = int(self.dy / 2) if line % 2 else 0
        y = int(self.dy * place + half + self.y0)
        return (y, x) if self.sideways else (x, y)

    def numbering(self, prefix: str) -> dict[str, object] | None:
        """Return the settings that make VASSAL number hexes as the grid does; None when it cannot.

        Source: the engine formats its line number under the names with h and the place in a line under those with v.
        """
        n = self.grid.numbering
        if self.grid.stated or n.column_step != 1 or n.row_step != 1:
            return None
        # It can count back and along diagonals too, but does not find every hex again by such a number.
        if n.stagger not in ("down", "up") or n.column_from != "left" or n.row_from != "top":
            return None
        column = (n.column_letters, n.column_start, n.column_digits, self.grid.columns)
        row = (n.row_letters, n.row_start, n.row_digits, self.grid.rows)
        line, place = (row, column) if self.sideways else (column, row)
        out: dict[str, object] = {"first": "H" if (n.order == "row") == self.sideways else "V", "sep": n.separator}
        for axis, shift, (letters, start, digits, count) in (("h", self.line0, line), ("v", 0, place)):
            most = start + count + (axis == "v" and n.stagger == "up") - 1
            if start < 0 or (letters and not 1 <= start <= most <= (10_000 if n.double_letters else 26)):
                return None
            # Its letters begin with A for 0, ours with A for 1; its digits are one more than it is told.
            out[f"{axis}Type"] = "A" if letters else "N"
            # A single line that is shifted begins with the first number all the same.
            lone = axis == "v" and n.stagger == "up" and self.line0 == 1 and line[3] == 1
            out[f"{axis}Off"] = start - shift - letters - lone
            out[f"{axis}Leading"] = max(0, digits - 1)
            out[f"{axis}Descend"] = False
        return out | {"stagger": n.stagger == "up", "locationFormat": f"{prefix}$gridLocation$"}


def hex_pixels(grid: HexGrid, scale: float) -> HexPixels:
    """Lay a hex grid on pixels. scale: pixels per millimetre.

    Centres lie within a pixel of the drawing's: VASSAL cuts fractions off, so the first line is rounded up. With an
    even number of pixels to a hex, the other axis is exact to the half pixel.
    """
    dy = grid.pitch * scale
    if abs(dy - round(dy)) < 1e-6:
        dy = float(round(dy))
    dx = dy * SQRT3 / 2
    line0 = 1 if grid.low == "even" else 0
    x, y = grid.origin[::-1] if grid.orientation == "pointy" else grid.origin
    return HexPixels(grid, line0, math.ceil(x * scale - line0 * dx - 1e-9), round(y * scale - line0 * dy / 2), dx, dy)


ROUNDED = 2  # pixels beyond the middle of a half hex at the edge: VASSAL may round it the other way


@dataclass(frozen=True)
class Board:
    """One sheet as a board. left: pixels of the boards before it. scale: pixels per millimetre."""

    name: str
    image: str
    sheet: Sheet
    left: int
    scale: float
    hexes: HexPixels | None
    spaces: tuple[Space, ...]

    @property
    def width(self) -> int:
        """Width in pixels: that of the sheet, and so much more that the middles of half hexes at its edge lie on it."""
        return max(round(self.sheet.width * self.scale), self._farthest[0] + ROUNDED)

    @property
    def height(self) -> int:
        """Height in pixels."""
        return max(round(self.sheet.height * self.scale), self._farthest[1] + ROUNDED)

    @cached_property
    def _farthest(self) -> Pixel:
        centres = [self.at(s) for s in self.spaces if s.cell is not None]
        return max((x for x, _ in centres), default=0), max((y for _, y in centres), default=0)

    @cached_property
    def numbering(self) -> dict[str, object] | None:
        """Settings of the numbering that VASSAL shares with us; see `HexPixels.numbering`."""
        return self.hexes.numbering("") if self.hexes else None

    def at(self, space: Space) -> Pixel:
        """Return where counters stand in a space, in pixels of the board."""
        if self.hexes and space.cell is not None:
            return self.hexes.centre(space.cell)
        return self.pixel(space.at)

    def pixel(self, point: tuple[float, float]) -> Pixel:
        """Return the pixel of a point given in millimetres."""
        return round(point[0] * self.scale), round(point[1] * self.scale)

    def outline(self, space: Space) -> list[Pixel]:
        """Return the corners of a space in pixels of the board; empty for a point without extent."""
        return [(int(x), int(y)) for x, y in np.rint(np.array(space.outline) * self.scale)] if space.outline else []


def scale_of(warmap: WarMap, hex_pixels: int) -> float:
    """Return the pixels per millimetre at which a hex of the first grid has so many pixels; 4 without a grid."""
    grid = next(iter(warmap.grids.values()), None)
    return hex_pixels / grid.pitch if grid else 4.0


def build_boards(warmap: WarMap, scale: float) -> tuple[Board, ...]:
    """Lay the sheets side by side as boards. scale: pixels per millimetre."""
    boards: list[Board] = []
    left = 0
    for sheet in warmap.sheets:
        grid = warmap.grids.get(sheet.name)
        spaces = tuple(s for s in warmap.spaces if s.sheet == sheet.name)
        hexes = hex_pixels(grid, scale) if grid else None
        board = Board(sheet.title or sheet.name, board_picture(sheet), sheet, left, scale, hexes, spaces)
        boards.append(board)
        left += board.width
    return tuple(boards)


def background(board: Board, unnamed: str) -> list[Element]:
    """Write the grid behind the zones: hexes, or the points of a point-to-point map as regions."""
    if board.hexes:
        h = board.hexes
        frame = {"x0": h.x0, "y0": h.y0, "dx": repr(h.dx), "dy": repr(h.dy), "sideways": h.sideways}
        legal = {"snapTo": True, "edgesLegal": False, "cornersLegal": False}
        numbering = h.numbering(unnamed)
        labels = {"visible": False, "fontSize": 9, "color": "0,0,0", "rotateText": 0, "hDrawOff": 0, "vDrawOff": 0}
        inner = [part("mapgrid.HexGridNumbering", **numbering, **labels)] if numbering else []
        return [part("grid.HexGrid", inner, **frame, **legal, **_GRID_LINES)]
    points = [s for s in board.spaces if s.kind == "point" or not s.outline]
    if not points:
        return []
    regions = [part("grid.Region", name=s.key, originx=x, originy=y) for s in points for x, y in [board.at(s)]]
    return [part("grid.RegionGrid", regions, snapto=True, visible=False, fontsize=9)]
