"""Keys: those that do two things at once, and commands that nobody sends or hears."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from toolchain.catalogue import KEY_CLASH, KEY_UNHEARD
from toolchain.checks.lint.hints import hint, whole
from toolchain.report import Finding
from toolchain.sources.vassal.buildfile import Component
from toolchain.sources.vassal.codec import decode, decode_list
from toolchain.sources.vassal.forms import Part
from toolchain.sources.vassal.modules import Module, Slot

# By kind of trait: pairs of fields that are a menu entry and its key.
_PAIRS = {
    "emb2": ((0, 26), (3, 27), (6, 28), (9, 10), (20, 19)), "macro": ((1, 2),), "globalkey": ((0, 1),),
    "globalhotkey": ((0, 1),), "sendto": ((0, 1), (6, 7)), "return": ((0, 1),), "placemark": ((0, 1),),
    "replace": ((0, 1),), "delete": ((0, 1),), "clone": ((0, 1),), "hide": ((1, 0),), "obs": ((2, 0),),
    "label": ((1, 0),), "pivot": ((0, 1),), "translate": ((0, 1),), "footprint": ((1, 0),), "markmoved": ((3, 4),),
    "AreaOfEffect": ((4, 5),), "playSound": ((1, 2),), "table": ((2, 3),), "deselect": ((0, 1),), "attach": ((2, 3),),
}  # fmt: skip
# Settings that hold the key of a button; those that hold a key which is sent to pieces or buttons.
_BUTTONS = (
    "hotkey", "buttonHotkey", "nexthotkey", "prevhotkey", "zoomInKey", "zoomOutKey", "zoomPickKey", "buttonKeyStroke",
    "markUnmovedHotkey", "refreshHotkey", "showKey", "hideKey",
)  # fmt: skip
_SENT = {
    "MassKeyCommand": ("hotkey",), "GlobalKeyCommand": ("hotkey",), "DeckGlobalKeyCommand": ("hotkey",),
    "StartupGlobalKeyCommand": ("hotkey", "globalHotkey"), "Map": ("moveKey",), "PrivateMap": ("moveKey",),
    "PlayerHand": ("moveKey",), "DrawPile": ("emptyHotkey",), "TurnGlobalHotkey": ("hotkey",),
    "DoActionButton": ("preLoopKey", "postLoopKey"), "LayerControl": (),
}  # fmt: skip
_WINDOWS = ("Map", "PrivateMap", "PlayerHand")
_MODIFIERS = ((130, "Ctrl"), (65, "Shift"), (520, "Alt"), (260, "Meta"))


def stroke(text: str) -> str:
    """Return a key in one way of writing it: the name of a named command, or code and modifiers; "" for none."""
    words = text.split(",")
    if len(words) >= 3 and words[2]:
        return words[2]
    if len(words) == 1 and len(text) == 1:
        return f"{ord(text.upper())},130"  # a letter by itself is pressed with Ctrl
    if len(words) >= 2 and whole(words[0]) not in (None, 0, -1) and whole(words[1]) is not None:
        return f"{words[0]},{words[1]}"
    return ""


def is_named(key: str) -> bool:
    """Tell whether a key is a named command."""
    return bool(key) and "," not in key


def shown(key: str) -> str:
    """Write a key as players read it."""
    code, comma, modifiers = key.partition(",")
    if not comma:
        return key
    left, words = int(modifiers), []
    for bits, name in _MODIFIERS:
        # Each modifier is two bits, its old and its new one.
        if left & bits:
            words.append(name)
    letter = "Space" if code == "32" else chr(int(code)) if 32 < int(code) < 127 else f"key {code}"
    return "+".join([*words, letter])


def commands(part: Part) -> Iterator[tuple[str, str]]:
    """Yield the menu entries of a trait with their keys; either may be empty."""
    fields = part.fields
    for menu, key in _PAIRS.get(part.name, ()):
        if len(fields) > max(menu, key):
            yield fields[menu], stroke(fields[key])
    if part.name == "rotate" and len(fields) > 4:
        pairs = ((2, 1),) if fields[0] == "1" else ((3, 1), (4, 2))
        yield from ((fields[m], stroke(fields[k])) for m, k in pairs)
    for listed in part.of("commands"):
        for item in decode_list(listed):
            words = decode(":", item)
            if len(words) > 1:
                yield words[0], stroke(words[1])


def check_menus(module: Module) -> Iterator[Finding]:
    """Yield pieces on which one key stands beside two different menu entries, if none of them is ever taken away."""
    prototypes = {p.component.get("name"): p for p in module.prototypes}
    said: set[tuple[str, str, str]] = set()
    for slot in module.slots:
        entries: dict[str, str] = {}
        parts = list(expanded(slot, prototypes))
        taken = {stroke(key) for part in parts if part.name == "hideCmd" for key in part.lists("keys")}
        for part in parts:
            for menu, key in commands(part):
                if not menu or not key or key in taken:
                    continue
                other = entries.setdefault(key, menu)
                # What all pieces share is said once.
                if other != menu and (key, menu, other) not in said:
                    said.add((key, menu, other))
                    text = f"{shown(key)} is both {other!r} and {menu!r}"
                    yield Finding(KEY_CLASH, module.where(slot.component, slot.name), text, {"key": key})


def expanded(slot: Slot, prototypes: Mapping[str, Slot], depth: int = 20) -> Iterator[Part]:
    """Yield the traits of a piece with those of its prototypes, as the engine expands them."""
    for part in slot.parts:
        if part.name != "prototype":
            yield part
        for name in part.of("prototype"):
            if name in prototypes and depth:
                inner = expanded(prototypes[name], prototypes, depth - 1)
                yield from (p for p in inner if p.name != "piece")


def check_buttons(module: Module) -> Iterator[Finding]:
    """Yield buttons of one window that have the same key."""
    taken: dict[tuple[Component | None, str], tuple[Component, str]] = {}
    for c in module.root.walk():
        if c.kind == "CounterDetailViewer":  # all of them may show at once
            continue
        window = module.around(c, *_WINDOWS) if c.kind not in _WINDOWS else c
        for setting in _BUTTONS:
            key = stroke(c.get(setting)) if setting not in _SENT.get(c.kind, ()) else ""
            if not key:
                continue
            for at in {window, None}:
                other = taken.get((at, key))
                if other and other[0] is not c:
                    text = f"{shown(key)} is the key of {_called(*other)} and of {_called(c, setting)}"
                    yield Finding(KEY_CLASH, module.where(c, c.name), text, {"key": key})
                    break
            taken.setdefault((window, key), (c, setting))


def _called(c: Component, setting: str) -> str:
    what = {"nexthotkey": " (next)", "prevhotkey": " (previous)", "zoomInKey": " (in)", "zoomOutKey": " (out)"}
    return repr(c.name or c.get("text") or c.get("buttonText") or c.kind) + what.get(setting, "")


def check_commands(module: Module) -> Iterator[Finding]:
    """Yield named commands that are sent and that nothing hears, and those that are waited for and nobody sends."""
    if module.root.kind == "ModuleExtension" or any(e.endswith(".class") for e in module.archive):
        return
    sent: dict[str, tuple[Component, str]] = {}
    heard: dict[str, tuple[Component, str]] = {}
    offered: set[str] = set()
    for slot in module.pieces:
        for part in slot.parts:
            place = (slot.component, slot.name)
            _note(sent, part.of("sends", "hotkey"), place)
            _note(sent, part.lists("sendall"), place)
            _note(heard, (*part.of("key"), *part.lists("keys")), place)
            for menu, key in commands(part):
                _note(heard, [f"0,0,{key}"] if is_named(key) else [], place)
                if menu:
                    offered.add(key)
    for c in module.root.walk():
        place = (c, c.name)
        for setting, value in c.settings.items():
            if setting in _SENT.get(c.kind, ()):
                _note(sent, [value], place)
            elif c.kind == "DoActionButton" and setting == "hotkeys":
                _note(sent, decode_list(value), place)
            elif setting in _BUTTONS or setting.endswith(("Hotkey", "Key", "KeyStroke")):
                _note(heard, [value], place)
                offered.add(stroke(value))
    for name, (c, piece) in sent.items():
        if name not in heard:
            text = f"nothing hears the command {name!r}{hint(name, heard)}"
            yield Finding(KEY_UNHEARD, module.where(c, piece), text, {"command": name})
    for name, (c, piece) in heard.items():
        if name not in sent and name not in offered:
            text = f"nothing sends the command {name!r}{hint(name, sent)}"
            yield Finding(KEY_UNHEARD, module.where(c, piece), text, {"command": name})


def _note(into: dict[str, tuple[Component, str]], keys: Iterable[str], place: tuple[Component, str]) -> None:
    for text in keys:
        key = stroke(text)
        if is_named(key):
            into.setdefault(key, place)
