"""Grids: numbers that are none, and labels that do not lead back to their hexes."""

from __future__ import annotations

from collections.abc import Iterator

from toolchain.catalogue import LABELS_ASTRAY, NUMBER_FAULTY
from toolchain.checks.lint.pictures import looked_at
from toolchain.report import Finding, counted
from toolchain.sources.vassal.buildfile import Component
from toolchain.sources.vassal.modules import Module
from toolchain.sources.vassal.numbering import Numbered, NumberError, Pixel, number, read_grid

GRIDS = ("HexGrid", "SquareGrid")
TRIED = 20_000  # hexes of one grid that are tried; larger ones are tried in steps
MOST_POINTS = 20_000  # corners of one zone that are read
SMALL = 4  # pixels of a hex below which nobody can play on it
WHOLE = {
    "Region": ("originx", "originy"),
    "SetupStack": ("x", "y"),
    "DrawPile": ("x", "y"),
    "GameModule": ("nextPieceSlotId",),
    "BasicModule": ("nextPieceSlotId",),
    "Map": ("edgeWidth", "edgeHeight"),
}


def board_size(module: Module, board: Component | None) -> Pixel | None:
    """Return the size of a board in pixels; None where nobody knows it."""
    if board is None:
        return None
    name = board.get("image")
    if name:
        return looked_at(module, name)[1] if f"images/{name}" in module.archive else None
    try:
        return int(number(board, "width", 0, 0, whole=True)), int(number(board, "height", 0, 0, whole=True))
    except NumberError:
        return None


def grids(module: Module) -> Iterator[tuple[Component, Component | None, Pixel]]:
    """Yield every hex and square grid with its board and the size of what it lies on."""
    sizes: dict[Component | None, Pixel | None] = {}
    for grid in module.root.all(*GRIDS):
        board = module.around(grid, "Board")
        if board not in sizes:
            sizes[board] = board_size(module, board)
        zone = module.around(grid, "Zone")
        box = path_box(zone) if zone is not None else None
        yield grid, board, box or sizes[board] or (0, 0)


def path_box(zone: Component) -> Pixel | None:
    """Return the size of the box around a zone, which is what its own grid is counted over."""
    points = path_points(zone)
    if not points:
        return None
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return max(xs) - min(xs), max(ys) - min(ys)


def path_points(zone: Component) -> list[Pixel]:
    """Return the corners of a zone, MOST_POINTS at most; pairs that are no whole numbers are skipped, as by VASSAL."""
    out = []
    for pair in zone.get("path").split(";", MOST_POINTS)[:MOST_POINTS]:
        x, _, y = pair.partition(",")
        try:
            out.append((int(x), int(y)))
        except ValueError:
            continue
    return out


def check_grids(module: Module) -> Iterator[Finding]:
    """Yield settings of grids, zones and stacks that must be numbers and are not."""
    for grid, board, size in grids(module):
        try:
            numbered = read_grid(grid, size)
            for setting in ("dx", "dy") if numbered is not None else ():
                if number(grid, setting, 64, 0) < SMALL:
                    raise NumberError(f"{setting} of the grid is {grid.get(setting)}: nobody can tell its hexes apart")
        except NumberError as error:
            yield Finding(NUMBER_FAULTY, module.where(grid, board.name if board else ""), str(error))
    for c in module.root.walk():
        for setting in WHOLE.get(c.kind, ()):
            try:
                number(c, setting, 0, whole=True)
            except NumberError as error:
                yield Finding(NUMBER_FAULTY, module.where(c, c.name), str(error))
    for zone in module.root.all("Zone"):
        pairs = [p for p in zone.get("path").split(";", MOST_POINTS)[:MOST_POINTS] if p]
        points = path_points(zone)
        if len(points) != len(pairs):
            faulty = counted(len(pairs) - len(points), "part is", "parts are")
            text = f"{faulty} no pair of whole numbers in the path of zone {zone.name!r}"
            yield Finding(NUMBER_FAULTY, module.where(zone, zone.name), text)
        elif len(points) < 3:
            text = f"the path of zone {zone.name!r} has {counted(len(points), 'point')}; three are the least"
            yield Finding(NUMBER_FAULTY, module.where(zone, zone.name), text)


def check_labels(module: Module) -> Iterator[Finding]:
    """Yield grids on which labels lead elsewhere than to their hexes, or two hexes have the same one."""
    for grid, board, size in grids(module):
        try:
            numbered = read_grid(grid, size)
            # A pitch of a pixel makes millions of hexes; it has its own finding.
            if numbered is None or min(numbered.dx, numbered.dy) < SMALL or not all(size):
                continue
        except NumberError:
            continue
        yield from _astray(module, grid, board, numbered)


def _astray(module: Module, grid: Component, board: Component | None, numbered: Numbered) -> Iterator[Finding]:
    labels: dict[str, Pixel] = {}
    tried = wrong = twice = 0
    example = double = ""
    for nx, ny in cells(numbered):
        label, at = numbered.label(nx, ny), numbered.centre(nx, ny)
        tried += 1
        found = numbered.find(label)
        # Fractions of the pitch may cost a pixel.
        if found is None or abs(found[0] - at[0]) > 1 or abs(found[1] - at[1]) > 1:
            wrong += 1
            example = example or f"{label!r} at {at[0]}, {at[1]} to " + (
                f"{found[0]}, {found[1]}" if found else "nothing"
            )
        if label in labels:
            twice += 1
            double = double or f"{label!r} at {labels[label][0]}, {labels[label][1]} and at {at[0]}, {at[1]}"
        labels.setdefault(label, at)
    where = module.where(grid, board.name if board else "")
    if wrong:
        text = f"{wrong} of {tried} labels lead elsewhere: {example}"
        yield Finding(LABELS_ASTRAY, where, text, {"wrong": wrong, "tried": tried})
    if twice:
        yield Finding(LABELS_ASTRAY, where, f"{twice} labels stand for two hexes each: {double}", {"twice": twice})


def cells(numbered: Numbered) -> Iterator[tuple[int, int]]:
    """Yield the hexes whose middles lie on the board, in VASSAL's count; of very many only every second, and so on."""
    width, height = numbered.size[::-1] if numbered.sideways else numbered.size
    first = -int(numbered.x0 // numbered.dx), -int(numbered.y0 // numbered.dy)
    columns, rows = int(width / numbered.dx) + 1, int(height / numbered.dy) + 1
    # An odd step keeps both kinds of columns.
    step = 1
    while columns * rows > TRIED * step * step:
        step += 2
    for nx in range(first[0], first[0] + columns, step):
        for ny in range(first[1], first[1] + rows, step):
            x, y = numbered.centre(nx, ny)
            if 0 <= x < numbered.size[0] and 0 <= y < numbered.size[1]:
                yield nx, ny
