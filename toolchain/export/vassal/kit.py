"""Counters as VASSAL pieces: what all share stands in prototypes, the rest on each piece."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from toolchain.catalogue import PICTURE_MISSING, TEXT_CLEANED
from toolchain.export.vassal.choice import is_card, is_hidden
from toolchain.export.vassal.pictures import face_pictures, find_picture, picture_size
from toolchain.export.vassal.prototypes import BACK, FLIP, build_prototypes, hidden_picture, mask, names_of
from toolchain.export.vassal.rules import Rules, build_rules
from toolchain.model.forces import Counter, Value
from toolchain.model.game import Game
from toolchain.report import Location, Report
from toolchain.sources.decode.vassal import VassalPlan, Words
from toolchain.sources.vassal.pieces import Traits
from toolchain.sources.vassal.traits import BasicPiece, Calculated, Layer, Marker, Trait, UsePrototype

CHAT_COLOURS = tuple("|!~`?")  # at the beginning of a line, which reports leave to the name
LAYERS = ("under", "units", "markers")  # of the map, bottom first; pieces of two layers never share a stack


@dataclass(frozen=True)
class Kit:
    """The pieces of a module.

    prototypes by name. pieces: traits of every counter as its palette slot has them, by counter id. sizes in pixels,
    by counter id. layers: place in LAYERS, by counter id. pictures: names of those that pieces show. rules: what the
    module knows of the rules. sides: their titles.
    """

    prototypes: Mapping[str, Traits]
    pieces: Mapping[str, Traits]
    sizes: Mapping[str, tuple[int, int]]
    layers: Mapping[str, int]
    pictures: tuple[str, ...] = ()
    rules: Rules = field(default_factory=Rules)
    sides: Mapping[str, str] = field(default_factory=dict)


def build_kit(
    games: Sequence[Game], pictures: Mapping[str, bytes], plan: VassalPlan, gpids: Mapping[str, int], report: Report
) -> Kit:
    """Make a piece of every counter.

    games: the game on every board that the module offers, the first one first. gpids: piece ids by counter id, for all
    counters.
    """
    game = games[0]
    names = face_pictures(game.counters)
    pieces, sizes, layers, used = {}, {}, {}, list[str]()
    rules = build_rules(games, plan, report)
    hidden = {
        c.id: _found(back_picture(c, plan, names), c, pictures, report) for c in game.counters if is_hidden(c, plan)
    }
    first: dict[bytes, str] = {}  # one picture for all that look alike
    hidden = {i: first.setdefault(pictures[h], h) if h else "" for i, h in hidden.items()}
    rules = replace(rules, hidden=hidden)
    used += sorted({h for h in hidden.values() if h})
    for c in game.counters:
        shown = 1 if is_card(c, plan) else len(c.faces)
        faces = [_picture(c, step, names[c.id, step], pictures, report) for step in range(shown)]
        size = picture_size(faces[0], pictures[faces[0]], report) if faces[0] else None
        pieces[c.id] = piece(c, game, faces, plan, gpids[c.id], rules, report)
        sizes[c.id] = size or (plan.hex_pixels, plan.hex_pixels)
        layers[c.id] = layer(c, plan)
        used += [f for f in faces if f]
        for face in faces[1:]:
            if face:
                picture_size(face, pictures[face], report)
    units = [sizes[c.id] for c in game.counters if c.role == "unit"]
    size = min(units or sizes.values(), default=(60, 60))
    shared = {**build_prototypes(game, plan, size), **rules.prototypes(plan, size)}
    asked = {t.name for traits in (*pieces.values(), *shared.values()) for t in traits if isinstance(t, UsePrototype)}
    shared = {name: traits for name, traits in shared.items() if name in asked}
    return Kit(
        shared, pieces, sizes, layers, tuple(used), rules, {name: side.title for name, side in game.sides.items()}
    )


def back_picture(c: Counter, plan: VassalPlan, names: Mapping[tuple[str, int], str]) -> str:
    """Return the name, without its ending, of what others see: the second face of a card that has one, or a back."""
    return names[c.id, 1] if is_card(c, plan) and len(c.faces) > 1 else hidden_picture(names[c.id, 0])


def with_gpid(traits: Traits, gpid: int) -> Traits:
    """Return another copy of a piece."""
    return tuple(replace(t, gpid=str(gpid)) if isinstance(t, BasicPiece) else t for t in traits)


def _found(stem: str, counter: Counter, pictures: Mapping[str, bytes], report: Report) -> str:
    found = find_picture(stem, pictures)
    if found is None:
        report.add(PICTURE_MISSING, counter.where, f"there is no picture {stem!r} for {counter.id!r} when it is hidden")
    return found or ""


def _picture(counter: Counter, step: int, stem: str, pictures: Mapping[str, bytes], report: Report) -> str:
    found = find_picture(stem, pictures)
    if found is None:
        report.add(
            PICTURE_MISSING, counter.where, f"there is no picture {stem!r} for step {step + 1} of {counter.id!r}"
        )
    return found or ""


def layer(counter: Counter, plan: VassalPlan) -> int:
    """Return the layer of the map that a counter lies in, as its place in LAYERS."""
    if counter.role == "unit":
        return 1
    return 0 if counter.kind in plan.under else 2


def piece(
    c: Counter, game: Game, faces: list[str], plan: VassalPlan, gpid: int, rules: Rules, report: Report
) -> Traits:
    """Make the piece of one counter. faces: names of its pictures, full strength first."""
    traits: list[Trait] = []
    if is_hidden(c, plan):
        traits += mask(c, game, rules.hidden.get(c.id, ""), plan)
    traits += [UsePrototype(name) for name in (*names_of(c, game, plan), *rules.names_of(c))]
    facts: dict[str, Value] = {"Counter": c.id, "Nation": c.nation, "Kind": c.kind, "Layer": LAYERS[layer(c, plan)]}
    facts |= c.attributes
    faced = {n: [f.values.get(n, "") for f in c.faces] for n in sorted({n for f in c.faces for n in f.values})}
    stepped: list[Trait] = []
    for name, values in {**faced, **rules.numbers_of(c)}.items():
        if len(set(map(str, values))) == 1:
            facts[name] = values[0]
        else:
            stepped.append(Calculated(name, by_step(values)))
    shown = {clean(k, c.where, report): clean(printed(v), c.where, report) for k, v in facts.items()}
    traits.append(Marker(tuple(shown), tuple(shown.values())))
    traits += stepped
    if len(faces) > 1:
        titles = tuple(clean(t, c.where, report) for t in step_titles(c, plan.words))
        traits.append(_steps(faces, titles, plan.words))
    name = clean(c.name or c.id, c.where, report)
    if name[:1] in CHAT_COLOURS:
        text = f"the chat would take the first sign of the name {name!r} for a colour; it is written in quotation marks"
        report.add(TEXT_CLEANED, c.where, text)
        name = f"'{name}'"
    return (*traits, BasicPiece(image=faces[0], name=name, gpid=str(gpid)))


def _steps(faces: Sequence[str], titles: tuple[str, ...], words: Words) -> Layer:
    """Show one face of several: two are flipped, more are gone through one way or the other."""
    if len(faces) == 2:
        return Layer(up=words.flip, images=tuple(faces), names=titles, name="Step", up_stroke=FLIP)
    return Layer(
        up=words.next_step,
        down=words.previous_step,
        images=tuple(faces),
        names=titles,
        loop=False,
        name="Step",
        up_stroke=FLIP,
        down_stroke=BACK,
    )


def step_titles(c: Counter, words: Words) -> list[str]:
    """Return what each face adds to the piece's name, with the plus sign that VASSAL wants before it.

    A unit's lower steps are said to be reduced; the faces of a marker are told apart by the text that is printed.
    """
    if c.role == "unit":
        lower = len(c.faces) - 1
        return [""] + [f"+ ({words.reduced if lower == 1 else f'{words.step} {i + 1}'})" for i in range(1, lower + 1)]
    texts = [str(f.values.get("text", "")) for f in c.faces]
    if len(set(texts)) == 1:
        return [""] * len(texts)
    return [f"+ ({t})" if t and (i or t not in c.name) else "" for i, t in enumerate(texts)]


def by_step(values: Iterable[Value]) -> str:
    """Write an expression that gives the value of the step that is shown."""
    *first, last = [_literal(v) for v in values]
    return "{" + "".join(f"Step_Level=={i} ? {v} : " for i, v in enumerate(first, start=1)) + last + "}"


def _literal(value: Value) -> str:
    return printed(value) if isinstance(value, int | float) else json.dumps(value, ensure_ascii=False)


def printed(value: Value) -> str:
    """Write a value as VASSAL's properties have it."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def clean(text: str, where: Location, report: Report) -> str:
    """Return the text as a module can carry it; a change is a finding."""
    # XML forbids control characters; the format cannot end a field with a backslash.
    kept = "".join(ch for ch in text.replace("\n", " ").replace("\t", " ") if ch.isprintable()).rstrip("\\")
    if kept != text:
        report.add(TEXT_CLEANED, where, f"the text {text!r} cannot be written as it is; {kept!r} is written")
    return kept
