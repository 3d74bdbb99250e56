"""What a new build of a module changes for games that were saved with the one before.

A saved game holds its pieces as they were: their traits, and where they stand in pixels of a board. VASSAL's "Refresh
Counters" brings pieces up to date by their piece ids, so an id that is gone cannot be refreshed, and a board of another
size or grid leaves every piece beside its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from toolchain.catalogue import SAVES_BROKEN, SAVES_STALE
from toolchain.export.vassal.pictures import picture_size
from toolchain.report import Finding, Location, Report
from toolchain.sources.vassal.buildfile import Component
from toolchain.sources.vassal.modules import Module, Slot

HEAD = 4096  # bytes of a picture that tell its size
SHOWN = 8


def compare_modules(old: Module, new: Module) -> Iterator[Finding]:
    """Yield what players with saved games of the old module should know of the new one."""
    where = Location(file=new.shown)
    before, after = _pieces(old), _pieces(new)
    gone = [before[i][0] for i in before if i not in after]
    changed = [after[i][0] for i in after if i in before and before[i][1] != after[i][1]]
    fresh = [after[i][0] for i in after if i not in before]
    if gone:
        text = f"{_count(gone)} gone: {_named(gone)}; saved games keep them, and VASSAL cannot refresh them"
        yield Finding(SAVES_BROKEN, where, text, {"pieces": gone})
    if changed:
        text = f"{_count(changed)} changed: {_named(changed)}; saved games show the old ones until they are refreshed"
        yield Finding(SAVES_STALE, where, text, {"pieces": changed})
    if fresh:
        text = f"{_count(fresh)} new: {_named(fresh)}; saved games do not have them"
        yield Finding(SAVES_STALE, where, text, {"pieces": fresh})
    boards, then = dict(_boards(new)), dict(_boards(old))
    for name, laid in then.items():
        shown = f"the board {name[1]!r} of the map {name[0]!r}"
        if name not in boards:
            text = f"{shown} is gone; games saved on it lose their pieces"
            yield Finding(SAVES_BROKEN, where, text, {"map": name[0], "board": name[1]})
        elif boards[name] != laid:
            text = f"{shown} has another size or grid; pieces of saved games stand beside their places"
            yield Finding(SAVES_BROKEN, where, text, {"map": name[0], "board": name[1]})


def _count(names: list[str]) -> str:
    return f"{len(names)} piece{'s are' if len(names) > 1 else ' is'}"


def _named(names: list[str]) -> str:
    kinds = list(dict.fromkeys(names))
    return ", ".join(kinds[:SHOWN]) + (f" and {len(kinds) - SHOWN} more" if len(kinds) > SHOWN else "")


def _pieces(module: Module) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Return the pieces by id: their names, and everything that they are made of."""
    shared = {p.component.name: p for p in module.prototypes}
    return {s.gpid: (s.name, tuple(_made(s, shared, ()))) for s in module.slots if s.gpid}


def _made(slot: Slot, shared: dict[str, Slot], above: tuple[str, ...]) -> Iterable[str]:
    yield slot.component.text.strip()
    for p in slot.parts:
        name = p.fields[1] if p.name == "prototype" and len(p.fields) > 1 else ""
        if name in shared and name not in above:
            yield from _made(shared[name], shared, (*above, name))


def _boards(module: Module) -> Iterator[tuple[tuple[str, str], tuple[object, ...]]]:
    """Yield the boards by map and name: their size in pixels and their grid."""
    for window in module.maps:
        for board in window.all("Board"):
            image = f"images/{board.get('image')}"
            size = None
            if image in module.archive:
                size = picture_size(image, module.archive.head(image, HEAD), Report())
            yield (window.name, board.name), (size or (board.get("width"), board.get("height")), *_grids(board))


def _grids(board: Component) -> Iterator[tuple[str, ...]]:
    for grid in board.walk():
        if grid.kind in ("HexGrid", "SquareGrid"):
            yield (grid.kind, *(grid.get(k) for k in ("x0", "y0", "dx", "dy", "sideways")))
