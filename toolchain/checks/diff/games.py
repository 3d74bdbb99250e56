"""Two versions of a game's data: counters, map, rules, set-ups."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from toolchain.checks.diff.changes import Change, compare_settings, compare_tables, flat, short
from toolchain.checks.diff.positions import compare_standings, standing_of
from toolchain.model.forces import Counter
from toolchain.model.game import Game
from toolchain.model.hexes import HexGrid, Numbering
from toolchain.model.position import Position
from toolchain.model.warmap import Space, WarMap
from toolchain.report import counted

LOST_COUNTER = "pieces of it in saved games stay as they are, and no rule knows them any more"
NEW_VALUES = "saved games show it once their counters are refreshed"
OTHER_GRID = "pieces of saved games stay at their pixels, which may be another space now"
LOST_SPACE = "pieces that stand there in saved games stand between spaces"
NEAR = 0.5  # millimetres that a space may move unseen


def compare_games(
    a: Game, b: Game, rules: tuple[Mapping[str, Any], Mapping[str, Any]], setups: tuple[Sequence[Position], ...]
) -> Iterator[Change]:
    """Yield everything that differs. rules: raw values of rules.toml; setups: on all arrangements; of both versions."""
    for name in ("title", "version", "description", "credits"):
        if getattr(a, name) != getattr(b, name):
            saves = "VASSAL says that saved games are of another module" if name == "title" else ""
            text = f"{short(getattr(a, name))} becomes {short(getattr(b, name))}"
            yield Change("game", name, "changed", text, saves)
    gone = "players of that side in saved games are observers"
    yield from compare_tables("side", a.sides, b.sides, _fields, gone)
    yield from compare_tables("event", a.events, b.events, _fields)
    turns = [{"turns": ", ".join(g.track.turns), "phases": ", ".join(g.track.phases)} for g in (a, b)]
    for text in compare_settings(turns[0], turns[1]):
        yield Change("turn track", "", "changed", text, "the turn of a saved game is counted from the first")
    yield from compare_tables("counter", a.counter, b.counter, _counter, LOST_COUNTER, NEW_VALUES)
    numbers = _numbers(a.map, b.map)
    yield from compare_maps(a.map, b.map, numbers)
    for text in compare_settings(flat(rules[0]), flat(rules[1])):
        yield Change("rule", text.partition(": ")[0], "changed", text.partition(": ")[2])
    yield from compare_setups(setups[0], setups[1], numbers)


def _numbers(a: WarMap, b: WarMap) -> dict[str, str]:
    """Return what hexes without a name are called now, by what they were called, where a grid only counts otherwise."""
    alike = {n for n, g in a.grids.items() if n in b.grids and _lie(g) == _lie(b.grids[n])}
    now = {(s.sheet, s.cell): s for s in b.spaces if s.cell is not None and s.sheet in alike}
    pairs = ((s, now.get((s.sheet, s.cell))) for s in a.spaces if s.cell is not None)
    return {s.key: t.key for s, t in pairs if t is not None and not s.name and not t.name and s.key != t.key}


def _lie(grid: HexGrid) -> HexGrid:
    return dataclasses.replace(grid, numbering=Numbering(), stated=())


def compare_setups(
    a: Sequence[Position], b: Sequence[Position], numbers: Mapping[str, str] | None = None
) -> Iterator[Change]:
    """Yield set-ups that were added, lost or changed. numbers: what spaces of the old one are called now."""
    old, new = {s.name: s for s in a}, {s.name: s for s in b}
    yield from compare_tables("set-up", old, new, lambda x, y: iter(()))
    for name in new:
        if name in old:
            was = standing_of(old[name], _step)
            pieces = {i: dataclasses.replace(p, at=(numbers or {}).get(p.at, p.at)) for i, p in was.pieces.items()}
            was = dataclasses.replace(was, pieces=pieces)
            yield from compare_standings("set-up", name, was, standing_of(new[name], _step))


def _step(_: str, step: int) -> str:
    return {0: "full", 1: "reduced"}.get(step, str(step))


def _fields(a: Any, b: Any) -> Iterator[str]:
    yield from compare_settings(dataclasses.asdict(a), dataclasses.asdict(b))


def _counter(a: Counter, b: Counter) -> Iterator[str]:
    names = ("name", "role", "side", "nation", "kind", "symbol", "size", "layout", "copies")
    yield from compare_settings({n: getattr(a, n) for n in names}, {n: getattr(b, n) for n in names})
    yield from compare_settings(a.attributes, b.attributes)
    if len(a.faces) != len(b.faces):
        yield f"{counted(len(a.faces), 'step becomes', 'steps become')} {len(b.faces)}"
    for number, (old, new) in enumerate(zip(a.faces, b.faces, strict=False)):
        for text in compare_settings(old.values, new.values):
            yield f"step {number + 1}, {text}" if len(b.faces) > 1 else text


def compare_maps(a: WarMap, b: WarMap, numbers: Mapping[str, str]) -> Iterator[Change]:
    """Yield what differs on two maps: sheets, grids and their numbers, spaces, hexsides, links.

    numbers: what spaces of the old one are called now.
    """
    sheets = [{s.name: s for s in m.sheets} for m in (a, b)]
    yield from compare_tables("sheet", sheets[0], sheets[1], _fields, changed=OTHER_GRID)
    grids = [{name: dataclasses.asdict(g) for name, g in m.grids.items()} for m in (a, b)]
    for sheet in grids[1]:
        if sheet in grids[0]:
            old, new = (flat({k: v for k, v in g[sheet].items() if k != "stated"}) for g in grids)
            for text in compare_settings(old, new):
                what = "numbering" if text.startswith("numbering") else "grid"
                yield Change(what, sheet, "changed", text.removeprefix("numbering."), OTHER_GRID)
    if numbers:
        some = ", ".join(f"{old} is {new}" for old, new in list(numbers.items())[:3])
        text = f"{counted(len(numbers), 'hex has another number', 'hexes have other numbers')} now: {some}, ..."
        yield Change("numbering", "", "changed", text, OTHER_GRID)
    spaces = {numbers.get(key, key): s for key, s in a.by_key.items()}
    yield from compare_tables("space", spaces, b.by_key, _space, LOST_SPACE, "")
    names: tuple[Mapping[str, str], ...] = (numbers, {})
    sides = [
        {" / ".join(sorted((n.get(h.a, h.a), n.get(h.b, h.b)))): h for h in m.hexsides}
        for m, n in zip((a, b), names, strict=True)
    ]
    yield from compare_tables("hexside", sides[0], sides[1], _hexside)
    links = [
        {f"{n.get(k.a, k.a)} / {n.get(k.b, k.b)} ({k.kind})": k for k in m.links}
        for m, n in zip((a, b), names, strict=True)
    ]
    yield from compare_tables("link", links[0], links[1], _link)


def _space(a: Space, b: Space) -> Iterator[str]:
    def told(s: Space) -> dict[str, Any]:
        return {
            "kind": s.kind,
            "terrain": s.terrain,
            "features": ", ".join(sorted(s.features)),
            "number": s.label if s.cell is None else "",  # those of hexes are said of the grid
            "sheet": s.sheet,
            "enterable": s.enterable,
            **s.traits,
        }

    yield from compare_settings(told(a), told(b))
    far = max(abs(a.at[0] - b.at[0]), abs(a.at[1] - b.at[1]))
    # The same hex of another grid is said of the grid.
    if a.cell != b.cell or (a.cell is None and far > NEAR):
        yield f"at: {a.at[0]:g}, {a.at[1]:g} mm becomes {b.at[0]:g}, {b.at[1]:g} mm"


def _hexside(a: Any, b: Any) -> Iterator[str]:
    old, new = ({"kinds": ", ".join(sorted(x.kinds)), "name": x.name} for x in (a, b))
    yield from compare_settings(old, new)


def _link(a: Any, b: Any) -> Iterator[str]:
    yield from compare_settings({"one way": a.one_way, **a.traits}, {"one way": b.one_way, **b.traits})
