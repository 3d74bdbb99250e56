"""Two modules of anybody: counters by their piece ids, prototypes, boards and grids, set-ups, pictures, all else."""

from __future__ import annotations

import dataclasses
from collections import Counter as Tally
from collections import deque
from collections.abc import Iterator, Mapping

from toolchain.checks.diff.changes import Change, becomes, compare_lists, compare_settings, compare_tables, keyed
from toolchain.checks.diff.naming import Named
from toolchain.checks.diff.saves import compare_setups
from toolchain.report import Report, counted
from toolchain.sources.vassal.buildfile import Component
from toolchain.sources.vassal.forms import TITLES, Part
from toolchain.sources.vassal.modules import SLOTS, Module, Slot
from toolchain.sources.vassal.saves import SAVE_LIMIT, Save, read_save
from toolchain.sources.vassal.traits import TRAITS

LOST_COUNTER = "pieces of it in saved games stay as they are; refreshing counters does not find them"
NEW_TRAITS = "saved games have it once their counters are refreshed"
OTHER_PIECE = "refreshing counters turns pieces of saved games into another one"
OTHER_GRID = "pieces of saved games stay at their pixels, which may have another name now"
LOST_MAP = "saved games name it; pieces that stand on it are lost"

# What components are in a maker's words; all others by the name of their class.
_WHAT = {
    "Map": "map", "PrivateMap": "map", "PlayerHand": "hand", "Board": "board", "HexGrid": "grid", "SquareGrid": "grid",
    "RegionGrid": "grid", "ZonedGrid": "grid", "HexGridNumbering": "numbering", "SquareGridNumbering": "numbering",
    "Zone": "zone", "Region": "region", "SetupStack": "at-start stack", "DrawPile": "deck", "PredefinedSetup": "set-up",
    "GlobalProperty": "property", "ZoneProperty": "property", "DiceButton": "dice", "TurnTracker": "turn track",
    "Chart": "chart", "MapShader": "shading", "entry": "side", "PieceWindow": "palette", "GameModule": "module",
    "BasicModule": "module",
}  # fmt: skip
_SAVES = {
    "map": LOST_MAP, "board": "saved games that lay it out come up without it", "grid": OTHER_GRID,
    "numbering": OTHER_GRID, "deck": "saved games keep their own deck", "property": "", "region": OTHER_GRID,
    "side": "players of that side in saved games are observers",
}  # fmt: skip


# What the fields of traits are called, by kind of trait, for those that are known so well.
FIELDS = {
    kind.ID: [f.name for f in dataclasses.fields(kind) if not f.metadata.get("state")]
    for kind in TRAITS
    if kind.ID != "mark"
}


def compare_modules(a: Module, b: Module) -> Iterator[Change]:
    """Yield everything that differs between two modules."""
    yield from _counters(a, b)
    prototypes = [{p.component.get("name"): p for p in m.prototypes} for m in (a, b)]
    yield from compare_tables("prototype", prototypes[0], prototypes[1], _traits, changed=NEW_TRAITS)
    yield from _components(a, b)
    yield from _setups(a, b)
    yield from _pictures(a, b)


def _by_id(module: Module) -> dict[str, Slot]:
    """Return the pieces by their ids; those without one, or with one that is taken, by where they stand."""
    out: dict[str, Slot] = {}
    for slot in module.slots:
        key = slot.gpid if slot.gpid and slot.gpid not in out else "/".join((*slot.within, slot.name))
        out.setdefault(key, slot)
    return out


def _counters(a: Module, b: Module) -> Iterator[Change]:
    for key, old, new in keyed(_by_id(a), _by_id(b)):
        if old is None and new is not None:
            yield Change("counter", new.name, "added", f"in {' / '.join(new.within)}" if new.within else "")
        elif new is None and old is not None:
            yield Change("counter", old.name, "lost", saves=LOST_COUNTER)
        elif old is not None and new is not None:
            if old.name != new.name:
                # Another name and nothing else in common is another piece under the same id.
                other = not {p.fields for p in old.parts[:-1]} & {p.fields for p in new.parts[:-1]}
                saves = OTHER_PIECE if other and old.parts != new.parts else NEW_TRAITS
                yield Change("counter", new.name, "changed", f"it was called {old.name!r} (piece id {key})", saves)
            if old.within != new.within:
                text = f"it stood in {' / '.join(old.within)} and stands in {' / '.join(new.within)}"
                yield Change("counter", new.name, "moved", text)
            again = f"{TITLES['piece']}, name: {becomes(old.name, new.name)}"
            for text in (t for t in _traits(old, new) if t != again):
                yield Change("counter", new.name, "changed", text, NEW_TRAITS)


def _traits(a: Slot, b: Slot) -> Iterator[str]:
    old, new = [_line(p) for p in a.parts], [_line(p) for p in b.parts]
    if a.fault != b.fault:
        yield f"its traits: {a.fault or 'sound'} becomes {b.fault or 'sound'}"
    for how, title, before, after in compare_lists(old, new, _title):
        if how == "changed":
            yield from (f"{title}, {text}" for text in _fields(before, after))
        else:
            yield f"the trait {title} is {how}"


def _line(part: Part) -> str:
    return "\0".join([part.name, *part.fields, "\1" + _state(part)])


def _state(part: Part) -> str:
    # The id of a piece has its own place in the comparison, and its map and point are none of its own.
    return "" if part.name == "piece" else part.state


def _title(line: str) -> str:
    name, *fields = line.split("\0")
    shown = TITLES.get(name, name)
    label = {"emb2": 18, "calcProp": 0, "prototype": 0, "PROP": 0, "macro": 0}.get(name)
    named = fields[label] if label is not None and len(fields) > label + 1 else ""
    return f"{shown} {named!r}" if named else shown


def _fields(before: str, after: str) -> Iterator[str]:
    old, new = before.split("\0")[1:], after.split("\0")[1:]
    old_state, new_state = old.pop(), new.pop()
    names = FIELDS.get(before.partition("\0")[0], ())
    for n, (x, y) in enumerate(zip(old, new, strict=False)):
        if x != y:
            field = names[n].replace("_", " ") if n < len(names) else f"field {n + 1}"
            yield f"{field}: {becomes(x, y)}"
    if len(old) != len(new):
        yield f"{counted(len(old), 'field becomes', 'fields become')} {len(new)}"
    if old_state != new_state:
        yield f"state: {becomes(old_state[1:], new_state[1:])}"


def _components(a: Module, b: Module) -> Iterator[Change]:
    old, new = _paths(a), _paths(b)
    for path, x, y in keyed(old, new):
        c = y or x
        if c is None or (x is None and _parent(path) not in old and _parent(path)):
            continue  # said of the component around it
        if y is None and _parent(path) not in new and _parent(path):
            continue
        what = _WHAT.get(c.kind, c.kind)
        name = c.name or c.text.strip()
        around = _around(path)
        name = f"{name} of {around}" if name and c.kind == "ZoneProperty" else name or around
        if x is None or y is None:
            lost = _SAVES.get(what, "") if y is None else ""
            yield Change(what, name, "added" if x is None else "lost", saves=lost)
            continue
        for text in compare_settings(_settings(x), _settings(y)):
            saves = _SAVES.get(what, "") if what in ("grid", "numbering", "region") else ""
            if what == "module" and text.startswith("name:"):
                saves = "VASSAL asks before it loads games that were saved under the old name"
            yield Change(what, name, "changed", text, saves)


def _settings(c: Component) -> Mapping[str, str]:
    text = c.text.strip() if not c.parts else ""
    return {**c.settings, **({"text": text} if text else {})}


def _paths(module: Module) -> dict[str, Component]:
    """Return the components by their names and those of the components around them; pieces are compared apart."""
    out: dict[str, Component] = {}
    taken: Tally[str] = Tally()
    todo: deque[tuple[str, Component]] = deque([("", module.root)])
    while todo:
        path, c = todo.popleft()
        out[path] = c
        for inner in c.parts:
            if inner.kind in SLOTS or inner.kind == "PrototypeDefinition":
                continue
            here = f"{path}\0{_WHAT.get(inner.kind, inner.kind)} {inner.name or inner.text.strip()[:40]}"
            taken[here] += 1
            todo.append((here if taken[here] == 1 else f"{here} {taken[here]}", inner))
    return out


def _parent(path: str) -> str:
    return path.rpartition("\0")[0]


def _around(path: str) -> str:
    """Return the name of the nearest component around one that has a name."""
    for step in reversed(path.split("\0")[:-1]):
        name = step.partition(" ")[2]
        if name:
            return name
    return ""


def _setups(a: Module, b: Module) -> Iterator[Change]:
    old, new = _saves(a), _saves(b)
    for name in new:
        if name in old:
            places = Named(a, old[name]).place, Named(b, new[name]).place
            yield from compare_setups(old[name], new[name], name, places)


def _saves(module: Module) -> dict[str, Save]:
    out = {}
    for setup in module.root.all("PredefinedSetup"):
        file = setup.get("file")
        if file in module.archive and setup.get("isMenu") != "true":
            # What is wrong with a set-up is lint's to say.
            data = module.archive.read(file, Report(), SAVE_LIMIT)
            save = None if data is None else read_save(data, file, Report())
            if save is not None:
                out[setup.name or file] = save
    return out


def _pictures(a: Module, b: Module) -> Iterator[Change]:
    old, new = ({n: m.archive.entries[f"images/{n}"] for n in m.images()} for m in (a, b))
    for name, x, y in keyed(old, new):
        if x is None:
            yield Change("picture", name, "added")
        elif y is None:
            yield Change("picture", name, "lost", saves="pieces of saved games that show it are blank")
        elif (x.CRC, x.file_size) != (y.CRC, y.file_size):
            yield Change("picture", name, "changed", "it is another drawing")
