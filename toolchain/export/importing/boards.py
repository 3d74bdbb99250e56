"""The boards on which pieces lie: the one that becomes the map, and beside it charts, reserves and orders of battle.

All of them are one sheet, and their pictures one picture: a project has one map.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from toolchain.checks.lint.grids import board_size
from toolchain.checks.lint.hints import whole
from toolchain.export.importing.pixels import as_picture, opened
from toolchain.report import Report
from toolchain.sources.vassal.buildfile import Component
from toolchain.sources.vassal.modules import SLOTS, Module
from toolchain.sources.vassal.saves import Save

MOST_PIXELS, MOST_ACROSS = 64_000_000, 19_000  # of the whole picture; the sheet has at most five metres of them
GAP = 40  # pixels between boards
WINDOWS = ("Map", "PrivateMap", "PlayerHand", "WidgetMap")


@dataclass(frozen=True)
class Laid:
    """A board on the sheet. window: its map window. at: the pixel of its upper left corner. size: in pixels."""

    window: Component
    board: Component
    at: tuple[int, int]
    size: tuple[int, int]

    def point(self, x: int, y: int) -> tuple[int, int] | None:
        """Return the pixel of the sheet for one of the board; None beside the board."""
        on = 0 <= x <= self.size[0] and 0 <= y <= self.size[1]
        return (self.at[0] + x, self.at[1] + y) if on else None


def boards_of(window: Component) -> list[Component]:
    """Return the boards that a window offers."""
    return [b for p in window.all("BoardPicker") for b in p.all("Board")]


def board_in(window: Component, name: str) -> Component | None:
    """Return the board of a window by its name; without a name, the first."""
    return next((b for b in boards_of(window) if name in ("", b.get("name"))), None)


def board_laid(window: Component, save: Save) -> Component | None:
    """Return the board that lies alone and unturned on a window in a saved game."""
    laid = save.boards.get(window.get("mapName"), ())
    if len(laid) > 1 or any(one.column or one.row or one.turned for one in laid):
        return None
    return board_in(window, laid[0].board if laid else "")


def edges_of(window: Component) -> tuple[int, int]:
    """Return how many pixels a window leaves free around its boards."""
    return max(0, whole(window.get("edgeWidth")) or 0), max(0, whole(window.get("edgeHeight")) or 0)


def boards_in_use(module: Module, saves: Iterable[Save]) -> list[tuple[Component, Component]]:
    """Return the windows and boards on which pieces lie at the start or in a saved game, in the module's order."""
    used: set[tuple[Component, Component]] = set()
    for stack in module.root.all("SetupStack"):
        window = module.around(stack, *WINDOWS)
        board = board_in(window, stack.get("owningBoard")) if window is not None else None
        if window is not None and board is not None and any(stack.all(*SLOTS)):
            used.add((window, board))
    for save in saves:
        decks = {p.ident for p in save.piles.values() if p.deck}
        for window in module.maps:
            if any(p.within not in decks for p in save.on_maps.get(window.get("mapName"), ())):
                board = board_laid(window, save)
                if board is not None:
                    used.add((window, board))
    return [(w, b) for w in module.maps for b in boards_of(w) if (w, b) in used]


def lay_boards(module: Module, main: Laid, used: Sequence[tuple[Component, Component]], left: list[str]) -> list[Laid]:
    """Lay boards out to the right of the main one, in columns. left: gets those that have no room, or no size."""
    out, (x, y), wide = [main], (main.size[0] + GAP, 0), 0
    for window, board in used:
        if board is main.board:
            continue
        size = board_size(module, board)
        if size is None or not all(size):
            left.append(f"the board {board.get('name')!r}, whose size is not known, and its pieces")
            continue
        if y and y + size[1] > main.size[1]:
            x, y, wide = x + wide + GAP, 0, 0
        right = max([x + size[0], *(b.at[0] + b.size[0] for b in out)])
        low = max([y + size[1], *(b.at[1] + b.size[1] for b in out)])
        if right * low > MOST_PIXELS or max(right, low) > MOST_ACROSS:
            left.append(f"the board {board.get('name')!r}, for which the sheet has no room, and its pieces")
            continue
        out.append(Laid(window, board, (x, y), size))
        y, wide = y + size[1] + GAP, max(wide, size[0])
    return out


def picture_of(module: Module, boards: Sequence[Laid], left: list[str]) -> tuple[str, bytes] | None:
    """Return the ending and the bytes of the picture of the sheet; None when there is nothing to see."""
    data = {}
    for one in boards:
        name = one.board.get("image")
        raw = module.archive.read(f"images/{name}", Report()) if f"images/{name}" in module.archive else None
        if raw is not None and (shown := as_picture(raw)) is not None:
            data[one] = shown
        elif name:
            left.append(f"the picture {name!r} of board {one.board.name!r}, which cannot be read")
    if len(boards) == 1 or not data:
        return data.get(boards[0])
    from PIL import Image

    size = (max(b.at[0] + b.size[0] for b in boards), max(b.at[1] + b.size[1] for b in boards))
    sheet = Image.new("RGB", size, "white")
    for one, (_, raw) in data.items():
        with opened(raw) as picture:
            sheet.paste(picture.convert("RGB"), one.at)
    out = io.BytesIO()
    sheet.save(out, "PNG")
    return "png", out.getvalue()
