"""Pieces: their traits, prototypes, layers, ids and sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from toolchain.catalogue import (
    GPID_FAULTY,
    LAYER_FAULTY,
    PIECE_UNREADABLE,
    PROTOTYPE_UNKNOWN,
    SIDE_UNKNOWN,
    TRAIT_FIELDS,
    TRAIT_UNKNOWN,
)
from toolchain.checks.lint.hints import hint, whole
from toolchain.report import Finding, counted
from toolchain.sources.vassal.codec import decode, decode_list
from toolchain.sources.vassal.forms import FORMS, STATELESS, Part
from toolchain.sources.vassal.modules import Module, Slot

OWN_CODE = ".class"


def check_traits(module: Module) -> Iterator[Finding]:
    """Yield pieces that cannot be taken apart, traits that nobody knows, and traits with too few or many fields."""
    own = any(entry.endswith(OWN_CODE) for entry in module.archive)
    for slot in module.pieces:
        where = module.where(slot.component, slot.name)
        if slot.fault:
            yield Finding(PIECE_UNREADABLE, where, slot.fault)
            continue
        if slot.parts[-1].name != "piece":
            yield Finding(
                PIECE_UNREADABLE, where, f"its innermost trait is {slot.parts[-1].name[:40]!r}, no basic piece"
            )
        for part in slot.parts:
            form = part.form
            if part.name == "piece" and part.place < len(slot.parts) - 1:
                yield Finding(PIECE_UNREADABLE, where, "it holds a basic piece that is not its innermost trait")
            elif form is None:
                # The module's own code may know it.
                if not own:
                    text = f"no trait is called {part.name[:40]!r}{hint(part.name, FORMS)}"
                    yield Finding(TRAIT_UNKNOWN, where, text, {"trait": part.name})
            elif len(part.fields) < form.least:
                text = f"the trait {part.name!r} has {counted(len(part.fields), 'field')}; {form.least} are the least"
                yield Finding(TRAIT_FIELDS, where, text, {"trait": part.name, "fields": len(part.fields)})
            elif not form.open and len(part.fields) > form.most:
                text = f"the trait {part.name!r} has {counted(len(part.fields), 'field')}; {form.most} are known"
                yield Finding(TRAIT_FIELDS, where, text, {"trait": part.name, "fields": len(part.fields)})


def check_layers(module: Module) -> Iterator[Finding]:
    """Yield layers whose pictures, names and level do not fit, and states that a trait cannot have."""
    for slot in module.pieces:
        for part in slot.parts:
            for text in _states(part):
                yield Finding(LAYER_FAULTY, module.where(slot.component, slot.name), text, {"trait": part.name})


def _states(part: Part) -> Iterator[str]:
    if part.name == "emb2" and len(part.fields) > 16:
        name = f"layer {part.fields[18]!r}" if len(part.fields) > 18 and part.fields[18] else "a layer"
        images, names = decode_list(part.fields[15]), decode_list(part.fields[16])
        if len(names) > len(images):
            yield f"{name} has {counted(len(images), 'picture')} and {counted(len(names), 'name')}"
        level = decode(";", part.state)[0]
        if whole(level) is None:
            yield f"{name} has the level {level!r}, no number"
        elif images and not -len(images) <= int(level) <= len(images):
            yield f"{name} has {counted(len(images), 'picture')} and shows level {level}"
        elif images and int(level) == 0:
            yield f"{name} shows level 0; the first is 1"
        follows, step = part.fields[21:23] if len(part.fields) > 22 else ("", "")
        if follows == "true" and step and f"{part.fields[18]}_Level" in step:
            yield f"{name} follows its own level, and so goes round in circles"
    elif part.name == "mark":
        values = decode(",", part.state)
        if len(values) != len(part.fields) and part.state:
            shown = ", ".join(part.fields)[:60]
            have = counted(len(part.fields), "property", "properties")
            yield f"the marker {shown!r} has {have} and {counted(len(values), 'value')}"
    elif part.name == "piece":
        words = decode(";", part.state)
        if len(words) < 3 or None in map(whole, words[1:3]):
            yield f"the basic piece has the state {part.state[:60]!r}; a map, x and y must stand there"
        elif len(words) > 4 and len(words) < 5 + 2 * (whole(words[4]) or 0):
            yield f"the basic piece says that it keeps {words[4]} properties, and names fewer"
    elif part.name in STATELESS and part.state:
        yield f"the trait {part.name!r} has the state {part.state[:40]!r}, and can have none"


def check_prototypes(module: Module) -> Iterator[Finding]:
    """Yield prototypes that are used and not there, and such as lead back to themselves."""
    known = {p.component.get("name"): p for p in module.prototypes}
    # Those of an extension stand in the module that it extends.
    complete = module.root.kind != "ModuleExtension"
    for slot in module.pieces:
        for name in _used(slot):
            if name not in known and complete and "$" not in name:
                text = f"there is no prototype {name!r}{hint(name, known)}"
                yield Finding(PROTOTYPE_UNKNOWN, module.where(slot.component, slot.name), text, {"prototype": name})
    done: set[str] = set()
    for name, slot in known.items():
        circle = _circle(name, known, done)
        if circle:
            text = f"the prototype leads back to itself: {' > '.join(circle)}"
            yield Finding(PROTOTYPE_UNKNOWN, module.where(slot.component, name), text, {"circle": circle})


def _used(slot: Slot) -> Iterator[str]:
    for part in slot.parts:
        yield from part.of("prototype")


def _circle(start: str, known: Mapping[str, Slot], done: set[str]) -> list[str]:
    """Return a way from a prototype back to one on the way, or nothing. done: those without one, added to."""
    path: list[str] = []
    todo: list[tuple[str, bool]] = [(start, True)]
    while todo:
        name, down = todo.pop()
        if not down:
            done.add(path.pop())
            continue
        if name in path:
            return [*path[path.index(name) :], name]
        if name in done or name not in known:
            continue
        path.append(name)
        todo.append((name, False))
        todo += [(inner, True) for inner in _used(known[name])]
    return []


def check_gpids(module: Module) -> Iterator[Finding]:
    """Yield pieces without an id, with one that is no number or belongs to another, or that is not below the next."""
    following = module.root.get("nextPieceSlotId")
    limit = whole(following)
    owner: dict[str, str] = {}
    extension = module.root.kind == "ModuleExtension"
    if module.slots and not any(slot.gpid for slot in module.slots):
        text = "no piece of the module has an id, as before VASSAL 3.2; saves cannot be refreshed"
        yield Finding(GPID_FAULTY, module.where(module.root), text)
        return
    for slot, gpid in _gpids(module):
        where = module.where(slot.component, slot.name)
        number = gpid.rpartition(":")[2] if extension else gpid
        if not gpid:
            yield Finding(GPID_FAULTY, where, "it has no piece id")
        elif whole(number) is None or number.startswith("-"):
            yield Finding(GPID_FAULTY, where, f"the piece id {gpid!r} is no number", {"gpid": gpid})
        elif gpid in owner:
            yield Finding(GPID_FAULTY, where, f"the piece id {gpid} belongs to {owner[gpid]!r} already", {"gpid": gpid})
        elif limit is not None and int(number) >= limit:
            text = f"the piece id {gpid} is not below the module's next one, {limit}"
            yield Finding(GPID_FAULTY, where, text, {"gpid": gpid})
        owner.setdefault(gpid, slot.name)


def _gpids(module: Module) -> Iterator[tuple[Slot, str]]:
    for slot in module.slots:
        yield slot, slot.gpid
    for slot in module.pieces:
        for part in slot.parts:
            if part.name in ("placemark", "replace"):
                yield slot, next(part.of("gpid"), "")


def check_sides(module: Module) -> Iterator[Finding]:
    """Yield pieces, hands and decks of sides that there are not."""
    sides = [e.text.strip() for r in module.root.all("PlayerRoster") for e in r.parts]
    if not sides or module.root.kind == "ModuleExtension":
        return
    for slot in module.pieces:
        for part in slot.parts:
            words = list(part.lists("sides"))
            for access in part.of("access"):
                who, _, names = access.partition(":")
                words += [w for w in decode(":", names) if w] if who == "sides" else []
            for word in words:
                if word not in sides and "$" not in word:
                    text = f"there is no side {word!r}{hint(word, sides)}"
                    yield Finding(SIDE_UNKNOWN, module.where(slot.component, slot.name), text, {"side": word})
    for c in module.root.walk():
        setting = {"PrivateMap": "side", "PlayerHand": "side", "DrawPile": "deckOwners", "Inventory": "sides"}.get(
            c.kind
        )
        for word in decode_list(c.get(setting)) if setting else ():
            if word and word not in sides:
                text = f"there is no side {word!r}{hint(word, sides)}"
                yield Finding(SIDE_UNKNOWN, module.where(c, c.name), text, {"side": word})
