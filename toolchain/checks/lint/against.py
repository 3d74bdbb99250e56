"""A module beside another that it should be able to stand in for: what it lacks."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator

from toolchain.catalogue import NOT_CARRIED
from toolchain.checks.lint.grids import board_size
from toolchain.report import Finding, Location, Report
from toolchain.sources.vassal.buildfile import Component
from toolchain.sources.vassal.modules import Module
from toolchain.sources.vassal.saves import SAVE_LIMIT, read_save

SHOWN = 5


def check_against(module: Module, other: Module) -> Iterator[Finding]:
    """Yield what the other module has and this one has not: pieces by id, boards by shape, set-ups and their pieces."""
    where, theirs = Location(file=module.shown), other.shown
    ours = {s.gpid for s in module.slots}
    lost = [s for s in other.slots if s.gpid not in ours]
    for slot in lost[:SHOWN]:
        text = f"the piece {slot.name!r} ({slot.gpid or 'no id'}) of {theirs} is not in this module"
        yield Finding(NOT_CARRIED, where, text, {"gpid": slot.gpid})
    if len(lost) > SHOWN:
        text = f"{len(lost) - SHOWN} more pieces of {theirs} are not in this module"
        yield Finding(NOT_CARRIED, where, text, {"gpids": [s.gpid for s in lost]})
    shapes = [_shape(module, b) for b in module.root.all("Board")]
    for board in other.root.all("Board"):
        shape = _shape(other, board)
        if shape and not any(s and abs(s - shape) < 0.02 for s in shapes):
            yield Finding(NOT_CARRIED, where, f"board {board.name!r} of {theirs} has no board of its shape here")
    counts, wanted = _placed(module), _placed(other)
    for name, count in wanted.items():
        if name not in counts:
            yield Finding(
                NOT_CARRIED, where, f"the set-up {name!r} of {theirs} is not in this module", {"set-up": name}
            )
        elif missing := count - counts[name]:
            text = f"the set-up {name!r} lacks {missing.total()} of the {count.total()} pieces that it has in {theirs}"
            yield Finding(NOT_CARRIED, where, text, {"set-up": name, "gpids": sorted(missing)})


def _shape(module: Module, board: Component) -> float:
    size = board_size(module, board)
    return size[0] / size[1] if size and size[1] else 0.0


def _placed(module: Module) -> dict[str, Tally[str]]:
    """Return how many pieces of each id every set-up places, by its name."""
    out: dict[str, Tally[str]] = {}
    for setup in module.root.all("PredefinedSetup"):
        file = setup.get("file")
        if file in module.archive and setup.get("isMenu") != "true":
            data = module.archive.read(file, Report(), SAVE_LIMIT)
            save = None if data is None else read_save(data, file, Report())
            if save is not None:
                out[setup.name or file] = Tally(p.gpid for p in save.pieces.values())
    return out
