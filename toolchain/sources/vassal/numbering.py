"""How VASSAL numbers a grid, and how it finds a hex again by its number: the engine's own arithmetic.

Source: the format notes, HexGrid and HexGridNumbering; where the engine divides by the wrong pitch, so does this.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from toolchain.sources.vassal.buildfile import Component

Pixel = tuple[int, int]
MOST_LETTERS = 20


class NumberError(ValueError):
    """A setting that is no number; its text says which and what it must be."""


def number(c: Component, setting: str, default: float, least: float = -math.inf, whole: bool = False) -> float:
    """Return a setting as a number. Raises NumberError when it is none, or not above `least`."""
    text = c.get(setting).strip()
    if not text:
        return default
    kind = "a whole number" if whole else "a number"
    bound = "" if least == -math.inf else f" above {least:g}"
    try:
        value = float(int(text)) if whole else float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value <= least or abs(value) > 1e6:
        raise NumberError(f"{setting} of the {words(c.kind)} is {text!r}, not {kind}{bound}")
    return value


def words(kind: str) -> str:
    """Write the name of a class as words: HexGrid as hex grid."""
    return re.sub(r"(?<!^)([A-Z])", r" \1", kind).lower()


@dataclass(frozen=True, slots=True)
class Axis:
    """One half of a label. letters: A for 0; leading: zeros; off: of the first; descend: counts down."""

    letters: bool
    leading: int
    off: int
    descend: bool

    def written(self, n: int) -> str:
        """Return a number as the engine writes it."""
        value = n + self.off
        if not self.letters:
            return ("-" if value < 0 else "") + str(abs(value)).rjust(self.leading + 1, "0")
        if not 0 <= value < 26 * MOST_LETTERS:
            return "-" + chr(65 + abs(value) % 26) if value < 0 else ""
        return chr(65 + value % 26) * (value // 26 + 1)

    def read(self, text: str) -> int:
        """Return the number that a text stands for."""
        sign = -1 if text.startswith("-") else 1
        body = text.lstrip("-")
        value = (ord(body[0]) - 65) + 26 * (len(body) - 1) if self.letters else int(body)
        return sign * value - self.off


@dataclass(frozen=True)
class Numbered:
    """A hex or square grid with its numbering, on something of this size in pixels.

    Hexes are counted in VASSAL's frame: nx along its first axis, which runs down the screen on a sideways grid.
    """

    hexes: bool
    sideways: bool
    x0: int
    y0: int
    dx: float
    dy: float
    size: Pixel
    first_h: bool
    sep: str
    h: Axis
    v: Axis
    stagger: bool

    def centre(self, nx: int, ny: int) -> Pixel:
        """Return where a piece snaps to."""
        x = int(self.dx * nx + self.x0)
        half = int(self.dy / 2) if self.hexes and nx % 2 else 0
        y = int(self.dy * ny + half + self.y0)
        return (y, x) if self.sideways else (x, y)

    def cell_at(self, x: float, y: float) -> tuple[int, int]:
        """Return the hex whose middle is nearest to a point, in VASSAL's count."""
        across, along = (y, x) if self.sideways else (x, y)
        near = []
        for line in (math.floor((across - self.x0) / self.dx) + i for i in (0, 1)):
            shift = int(self.dy / 2) if self.hexes and line % 2 else 0
            place = round((along - self.y0 - shift) / self.dy)
            cx, cy = self.centre(line, place)
            near.append((math.hypot(cx - x, cy - y), line, place))
        return min(near)[1:]

    def _most(self) -> Pixel:
        if not self.hexes:
            return int(self.size[0] / self.dx + 0.5), int(self.size[1] / self.dy + 0.5)
        return math.floor(self.size[0] / self.dy + 0.5), math.floor(self.size[1] / self.dx + 0.5)

    def label(self, nx: int, ny: int) -> str:
        """Return the label of a hex."""
        columns, rows = self._most()
        h_down, v_down = self.h.descend, self.v.descend
        if self.sideways:
            col = rows - nx if v_down else nx
            row = columns - ny if h_down else ny
            down = h_down
        else:
            col = columns - nx if h_down else nx
            row = rows - ny if v_down else ny
            down = v_down
        if self.hexes and self.stagger and nx % 2:
            row += -1 if down else 1
        parts = (self.h.written(col), self.v.written(row))
        return self.sep.join(parts if self.first_h else parts[::-1])

    def numbers(self, label: str) -> tuple[int, int] | None:
        """Return the numbers of a label as they are written, that along the first axis first; 0 for A."""
        first, second = (self.h, self.v) if self.first_h else (self.v, self.h)
        pattern = _half(first, "a") + re.escape(self.sep) + _half(second, "b")
        hit = re.fullmatch(pattern, label)
        if hit is None:
            return None
        a, b = first.read(hit["a"]) + first.off, second.read(hit["b"]) + second.off
        return (a, b) if self.first_h else (b, a)

    def find(self, label: str) -> Pixel | None:
        """Return the point that the engine takes a label for; None for one that it does not understand."""
        numbers = self.numbers(label)
        if numbers is None:
            return None
        col, row = numbers[0] - self.h.off, numbers[1] - self.v.off
        columns, rows = self._most()
        h_down, v_down = self.h.descend, self.v.descend
        down = h_down if self.sideways else v_down
        if self.hexes and self.stagger and col % 2:
            row -= -1 if down else 1
        if self.sideways:
            nx, ny = (rows - col if v_down else col), (columns - row if h_down else row)
        else:
            nx, ny = (columns - col if h_down else col), (rows - row if v_down else row)
        x = int(nx * self.dx) + self.x0
        y = int(ny * self.dy + (self.dy / 2 if self.hexes and nx % 2 else 0)) + self.y0
        return (y, x) if self.sideways else (x, y)


def _half(axis: Axis, name: str) -> str:
    """Return the pattern of one half of a label, which is the group of this name."""
    if axis.letters:
        return f"(?P<{name}>-?(?P<{name}1>[A-Z])(?P={name}1)*)"
    return f"(?P<{name}>-?[0-9]{{{axis.leading + 1},}})"


_PLAIN = Component("HexGridNumbering", {}, 0, "", (), b"", b"")


def read_grid(grid: Component, size: Pixel, bare: bool = False) -> Numbered | None:
    """Read a hex or square grid with its numbering; None for one without. Raises NumberError for bad numbers.

    size: of what the grid lies on, in pixels. bare: a grid without numbering has that which VASSAL begins with.
    """
    hexes = grid.kind == "HexGrid"
    x0 = number(grid, "x0", 0 if hexes else 24, whole=True)
    y0 = number(grid, "y0", 32 if hexes else 24, whole=True)
    dy = number(grid, "dy", 64 if hexes else 48, 0)
    dx = number(grid, "dx", dy * math.sqrt(3) / 2 if hexes else 48, 0)
    kind = "HexGridNumbering" if hexes else "SquareGridNumbering"
    n = next((c for c in grid.parts if c.kind == kind), _PLAIN if bare else None)
    if n is None:
        return None
    axes = []
    for axis in ("h", "v"):
        leading = int(number(n, f"{axis}Leading", 1, -1, whole=True))
        off = int(number(n, f"{axis}Off", 1, whole=True))
        axes.append(Axis(n.get(f"{axis}Type", "N") == "A", leading, off, n.get(f"{axis}Descend") == "true"))
    return Numbered(
        hexes,
        hexes and grid.get("sideways") == "true",
        int(x0),
        int(y0),
        dx,
        dy,
        size,
        n.get("first", "H").startswith("H"),
        n.get("sep"),
        axes[0],
        axes[1],
        hexes and n.get("stagger", "true") == "true",
    )
