"""Counters as VASSAL pieces: what all share stands in prototypes, the rest on each piece."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from toolchain.catalogue import PICTURE_MISSING, SETTING_UNKNOWN, TEXT_CLEANED
from toolchain.export.vassal.pictures import face_pictures, find_picture, picture_size
from toolchain.model.forces import Counter, Value
from toolchain.model.game import Game
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode.vassal import VassalPlan, Words
from toolchain.sources.vassal.codec import ctrl
from toolchain.sources.vassal.pieces import Traits
from toolchain.sources.vassal.traits import (
    BasicPiece,
    Calculated,
    Clone,
    Delete,
    Layer,
    Marker,
    MarkMoved,
    ReportAction,
    SendTo,
    Trail,
    Trait,
    UsePrototype,
)

FLIP, MOVED, TRAIL, CLONE, DELETE, ELIMINATE = map(ctrl, "FMTCDE")
LAYERS = ("under", "units", "markers")  # of the map, bottom first; pieces of two layers never share a stack


def plan_file(game: Game) -> str:
    """Return the settings file of a game's module, as messages show it."""
    return f"modules/{game.name}/vassal.toml"


@dataclass(frozen=True)
class Kit:
    """The pieces of a module.

    prototypes by name. pieces: traits of every counter as its palette slot has them, by counter id. sizes in pixels,
    by counter id. layers: place in LAYERS, by counter id. pictures: names of those that pieces show.
    """

    prototypes: Mapping[str, Traits]
    pieces: Mapping[str, Traits]
    sizes: Mapping[str, tuple[int, int]]
    layers: Mapping[str, int]
    pictures: tuple[str, ...] = field(default=())


def build_kit(
    game: Game, pictures: Mapping[str, bytes], plan: VassalPlan, gpids: Mapping[str, int], report: Report
) -> Kit:
    """Make a piece of every counter. gpids: piece ids by counter id, for all counters."""
    names = face_pictures(game.counters)
    pieces, sizes, layers, used = {}, {}, {}, []
    for c in game.counters:
        faces = [_picture(c, step, names[c.id, step], pictures, report) for step in range(len(c.faces))]
        size = picture_size(faces[0], pictures[faces[0]], report) if faces[0] else None
        pieces[c.id] = piece(c, game, faces, plan, gpids[c.id], report)
        sizes[c.id] = size or (plan.hex_pixels, plan.hex_pixels)
        layers[c.id] = layer(c, plan)
        used += [f for f in faces if f]
        for face in faces[1:]:
            if face:
                picture_size(face, pictures[face], report)
    return Kit(prototypes(game, plan, report), pieces, sizes, layers, tuple(used))


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


def prototypes(game: Game, plan: VassalPlan, report: Report) -> dict[str, Traits]:
    """Make what pieces share: by role, for pieces of several steps, and by side."""
    w = plan.words
    common: Traits = (
        ReportAction(keys=(CLONE,), format=w.clone_report),
        ReportAction(keys=(DELETE,), format=w.delete_report),
        Clone(w.clone, CLONE),
        Delete(w.delete, DELETE),
    )
    moving: Traits = (MarkMoved(menu=w.moved, key=MOVED), Trail(TRAIL, w.trail))
    out: dict[str, Traits] = {
        "Unit": (*common, *moving, Marker(("Role",), ("unit",))),
        "Marker": (*common, Marker(("Role",), ("marker",))),
        "Steps": (ReportAction(keys=(FLIP,), format=w.flip_report),),
    }
    known = game.map.by_key
    for name, side in game.sides.items():
        traits: list[Trait] = []
        box = plan.eliminated.get(name, "")
        if box and box not in known:
            at = Location(file=plan_file(game), key=f"eliminated.{name}")
            report.add(SETTING_UNKNOWN, at, f"there is no space {box!r}{did_you_mean(box, known)}")
        elif box:
            traits.append(ReportAction(keys=(ELIMINATE,), format=w.eliminate_report))
            traits.append(SendTo(w.eliminate, ELIMINATE, plan.map, to="Z", zone=box))
        traits.append(Marker(("Side",), (side.title,)))
        out[side_prototype(name)] = tuple(traits)
    return {name: (*traits, BasicPiece()) for name, traits in out.items()}


def side_prototype(side: str) -> str:
    """Return the name of a side's prototype."""
    return f"Side {side}"


def piece(c: Counter, game: Game, faces: list[str], plan: VassalPlan, gpid: int, report: Report) -> Traits:
    """Make the piece of one counter. faces: names of its pictures, full strength first."""
    traits: list[Trait] = [UsePrototype("Unit" if c.role == "unit" else "Marker")]
    if c.side in game.sides:
        traits.append(UsePrototype(side_prototype(c.side)))
    if len(faces) > 1:
        traits.append(UsePrototype("Steps"))
    facts: dict[str, Value] = {"Counter": c.id, "Nation": c.nation, "Kind": c.kind, "Layer": LAYERS[layer(c, plan)]}
    facts |= c.attributes
    stepped: list[Trait] = []
    for name in sorted({n for f in c.faces for n in f.values}):
        values = [f.values.get(name, "") for f in c.faces]
        if len(set(map(str, values))) == 1:
            facts[name] = values[0]
        else:
            stepped.append(Calculated(name, by_step(values)))
    shown = {clean(k, c.where, report): clean(printed(v), c.where, report) for k, v in facts.items()}
    traits.append(Marker(tuple(shown), tuple(shown.values())))
    traits += stepped
    if len(faces) > 1:
        menu = plan.words.flip if len(faces) == 2 else plan.words.next_step
        titles = tuple(clean(t, c.where, report) for t in step_titles(c, plan.words))
        traits.append(Layer(up=menu, images=tuple(faces), names=titles, name="Step", up_stroke=FLIP))
    name = clean(c.name or c.id, c.where, report)
    return (*traits, BasicPiece(image=faces[0], name=name, gpid=str(gpid)))


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
