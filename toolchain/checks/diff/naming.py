"""What VASSAL calls the place of a piece, read off the boards, zones and grids of a module."""

from __future__ import annotations

from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from toolchain.checks.diff.saves import pixel_of
from toolchain.checks.lint.grids import board_size, path_points
from toolchain.checks.lint.hints import whole
from toolchain.checks.lint.places import GRIDS
from toolchain.sources.vassal.buildfile import Component
from toolchain.sources.vassal.modules import Module
from toolchain.sources.vassal.numbering import Numbered, NumberError, read_grid
from toolchain.sources.vassal.saves import Save, Saved


class Named:
    """The names of places for the pieces of one set-up of a module."""

    def __init__(self, module: Module, save: Save) -> None:
        self.module = module
        self.boards: dict[str, Component] = {}
        self._grounds: dict[str, _Ground] = {}
        for m in module.maps:
            known = {b.get("name"): b for b in m.all("Board")}
            laid = save.boards.get(m.get("mapName"), ())
            names = [one.board for one in laid if not one.turned] or list(known)
            # Boards beside one another are not followed; a lone one lies in the corner.
            if len(names) == 1 and names[0] in known and m.get("edgeWidth", "0") == m.get("edgeHeight", "0") == "0":
                self.boards[m.get("mapName")] = known[names[0]]

    def place(self, piece: Saved) -> str:
        """Return the name of the place where a piece stands, or else its map and pixel."""
        board = self.boards.get(piece.map)
        if board is None:
            return pixel_of(piece)
        if piece.map not in self._grounds:
            self._grounds[piece.map] = _Ground(self.module, board)
        return self._grounds[piece.map].name(piece.x, piece.y) or pixel_of(piece)


class _Ground:
    """One board: its zones in order, and the grid behind them."""

    def __init__(self, module: Module, board: Component) -> None:
        self.size = board_size(module, board) or (0, 0)
        self.zones = [z for z in board.all("Zone") if len(path_points(z)) > 2]
        self.corners = [np.array(path_points(z), dtype=np.float64) for z in self.zones]
        bounds = [(*c.min(axis=0), *c.max(axis=0)) for c in self.corners]
        self.bounds = np.array(bounds, dtype=np.float64).reshape(-1, 4)
        behind = (g for g in board.all(*GRIDS) if module.around(g, "Zone") is None)
        self.behind = _Grid(next(behind, None), self.size)
        self.own = [_Grid(next((g for g in z.parts if g.kind in GRIDS), None), self.size) for z in self.zones]

    def name(self, x: int, y: int) -> str:
        """Return what VASSAL calls a point: the first zone that holds it goes before the grid behind."""
        near = (self.bounds[:, :2] <= (x, y)).all(axis=1) & (self.bounds[:, 2:] >= (x, y)).all(axis=1)
        hit = next((n for n in np.flatnonzero(near).tolist() if _inside(self.corners[n], x, y)), None)
        if hit is None:
            return self.behind.label(x, y)
        zone = self.zones[hit]
        inner = self.behind if zone.get("useParentGrid") == "true" else self.own[hit]
        text = zone.get("locationFormat", "$name$").replace("$name$", zone.get("name"))
        return text.replace("$gridLocation$", inner.label(x, y)) if "$gridLocation$" in text else text


def _inside(corners: NDArray[np.float64], x: int, y: int) -> bool:
    """Tell whether a point lies in a polygon, by the even-odd rule, as VASSAL does."""
    a, b = corners, np.roll(corners, -1, axis=0)
    cross = (a[:, 1] > y) != (b[:, 1] > y)
    a, b = a[cross], b[cross]
    at = a[:, 0] + (y - a[:, 1]) * (b[:, 0] - a[:, 0]) / (b[:, 1] - a[:, 1])
    return bool(np.count_nonzero(x < at) % 2)


class _Grid:
    """A grid that names points; one that is not there, or of bad numbers, names none."""

    def __init__(self, grid: Component | None, size: tuple[int, int]) -> None:
        self.numbered: Numbered | None = None
        self.regions: list[tuple[int, int, str]] = []
        self.format = "$gridLocation$"
        for r in grid.all("Region") if grid is not None else ():
            x, y = whole(r.get("originx")), whole(r.get("originy"))
            if x is not None and y is not None:
                self.regions.append((x, y, r.get("name")))
        if grid is not None and grid.kind != "RegionGrid":
            with suppress(NumberError):
                self.numbered = read_grid(grid, size)
            numbering = next((n for n in grid.parts if n.kind.endswith("Numbering")), None)
            self.format = numbering.get("locationFormat", self.format) if numbering else self.format

    def label(self, x: int, y: int) -> str:
        """Return the label of a point."""
        if self.regions:
            return min(self.regions, key=lambda r: (r[0] - x) ** 2 + (r[1] - y) ** 2)[2]
        if self.numbered is None:
            return ""
        return self.format.replace("$gridLocation$", self.numbered.label(*self.numbered.cell_at(x, y)))
