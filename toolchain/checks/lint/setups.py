"""Set-ups in a module: whether its saved games still fit it."""

from __future__ import annotations

from collections.abc import Iterator

from toolchain.catalogue import SETUP_STALE
from toolchain.report import Finding, Location, Report, counted
from toolchain.sources.vassal.modules import Module
from toolchain.sources.vassal.saves import SAVE_LIMIT, Save, read_save
from toolchain.sources.vassal.traits import UsePrototype

SHOWN = 3
"""Pieces that a message names."""


def check_setups(module: Module) -> Iterator[Finding]:
    """Yield set-ups that cannot be read, or that name pieces, maps and boards which the module does not have."""
    report = Report()
    starting = any(True for _ in module.root.all("SetupStack", "DrawPile"))
    for setup in module.root.all("PredefinedSetup"):
        name = setup.get("file")
        if name not in module.archive or setup.get("isMenu") == "true" or setup.get("useFile", "true") == "false":
            continue
        shown = f"{module.shown}/{name}"
        data = module.archive.read(name, report, SAVE_LIMIT)
        save = None if data is None else read_save(data, shown, report)
        if save is not None:
            yield from _stale(module, save, shown, starting)
    yield from report


def _stale(module: Module, save: Save, shown: str, starting: bool) -> Iterator[Finding]:
    where = Location(file=shown)
    maps = {m.get("mapName") for m in module.maps}
    boards = {b.get("name") for b in module.root.all("Board")}
    gpids = {s.gpid for s in module.slots}
    gpids |= {g for s in module.pieces for p in s.parts for g in p.of("gpid")}
    lost = [p for p in save.pieces.values() if p.gpid not in gpids]
    if lost:
        named = ", ".join(f"{name_of(p.traits[-1].definition)!r} ({p.gpid or 'no id'})" for p in lost[:SHOWN])
        more = ", ..." if len(lost) > SHOWN else ""
        have = counted(len(lost), "piece has an id", "pieces have ids")
        text = f"{have} that no piece of the module has: {named}{more}"
        yield Finding(SETUP_STALE, where, text, {"gpids": sorted({p.gpid for p in lost})})
    for name in sorted(({p.map for p in save.pieces.values()} | {p.map for p in save.piles.values()}) - maps - {""}):
        yield Finding(
            SETUP_STALE, where, f"pieces stand on map {name!r}, which the module does not have", {"map": name}
        )
    for name in sorted({laid.board for on in save.boards.values() for laid in on} - boards):
        yield Finding(SETUP_STALE, where, f"it lays board {name!r}, which the module does not have", {"board": name})
    unexpanded = [p for p in save.pieces.values() if any(isinstance(t, UsePrototype) for t in p.traits)]
    if unexpanded:
        have = counted(len(unexpanded), "piece has", "pieces have")
        text = f"{have} prototypes that are not expanded; their markers are not seen"
        yield Finding(SETUP_STALE, where, text)
    spawned = any(c.startswith("SETUP_STACK") for c in save.commands)
    if starting and not spawned:
        yield Finding(
            SETUP_STALE, where, "it does not say that the game has begun; all at-start stacks are added again"
        )
    if any(c.startswith("PLAYER\t") for c in save.commands):
        yield Finding(SETUP_STALE, where, "it names players, with their passwords; save it without any player")


def name_of(definition: str) -> str:
    """Return the name in the definition of a basic piece."""
    words = definition.split(";")
    return words[4] if len(words) > 4 else ""
