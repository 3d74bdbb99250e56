"""Settings of a module that name what the game does not have."""

from __future__ import annotations

from collections.abc import Iterable

from toolchain.catalogue import HEX_UNEVEN, LETTER_TAKEN, SETTING_UNKNOWN
from toolchain.export.vassal.choice import takes
from toolchain.export.vassal.prototypes import TAKEN
from toolchain.model.game import Game
from toolchain.report import Location, Report, counted, did_you_mean
from toolchain.sources.decode.vassal import Of, VassalPlan


def plan_file(game: Game) -> str:
    """Return the settings file of a game's module, as messages show it."""
    return f"modules/{game.name}/vassal.toml"


def check_plan(game: Game, plan: VassalPlan, report: Report) -> None:
    """Report settings that name what the game does not have."""

    def known(key: str, what: str, word: str, words: Iterable[str]) -> None:
        words = list(words)
        if word not in words:
            at = Location(file=plan_file(game), key=key)
            report.add(SETTING_UNKNOWN, at, f"there is no {what} {word!r}{did_you_mean(word, words)}")

    kinds = {c.kind for c in game.counters}
    for table, values in (("control", plan.control), ("eliminated", plan.eliminated)):
        for side in values:
            known(f"{table}.{side}", "side", side, game.sides)
    for side, face in plan.control.items():
        known(f"control.{side}.counter", "counter", face.counter, game.counter)
        counter = game.counter.get(face.counter)
        if counter and face.step >= len(counter.faces):
            at = Location(file=plan_file(game), key=f"control.{side}.step")
            faces = counted(len(counter.faces), "face")
            report.add(SETTING_UNKNOWN, at, f"{face.counter!r} has {faces}; steps count from 0")
    for side, box in plan.eliminated.items():
        known(f"eliminated.{side}", "space", box, game.map.by_key)
    for i, kind in enumerate(plan.under):
        known(f"under.{i}", "kind of counter", kind, kinds)
    for kind in plan.kinds:
        known(f"kinds.{kind}", "kind of counter", kind, kinds)
    if game.map.grids and plan.hex_pixels % 2:
        n = plan.hex_pixels
        at = Location(file=plan_file(game), key="hex_pixels")
        report.add(HEX_UNEVEN, at, f"{n} is odd; {n - 1} or {n + 1} puts every centre on a pixel")
    _check_choices(game, plan, report)
    for i, send in enumerate(plan.sends):
        to = {"": send.to} if isinstance(send.to, str) else send.to
        for side, space in to.items():
            key = f"send.{i}.to{'.' * bool(side)}{side}"
            known(key, "space", space, game.map.by_key)
            if side:
                known(key, "side", side, game.sides)
    for side in plan.zones:
        known(f"zones.{side}", "side", side, game.sides)
    for i, side in enumerate(plan.hands):
        known(f"hands.{i}", "side", side, game.sides)
    for i, deck in enumerate(plan.decks):
        known(f"deck.{i}.at", "space", deck.at, game.map.by_key)
        if deck.side:
            known(f"deck.{i}.side", "side", deck.side, game.sides)
        if deck.discards:
            known(f"deck.{i}.discards", "deck", deck.discards, [d.name for d in plan.decks])
    if plan.at_start:
        known("at_start", "set-up", plan.at_start, game.setup)
    _check_keys(game, plan, report)


def _check_choices(game: Game, plan: VassalPlan, report: Report) -> None:
    """Report choices of counters that take none."""
    chosen: list[tuple[str, Of | None]] = [("hide", plan.hide), ("rotate", plan.rotate)]
    chosen += [(f"send.{i}.of", send.of) for i, send in enumerate(plan.sends)]
    chosen += [(f"deck.{i}.of", deck.of) for i, deck in enumerate(plan.decks)]
    columns = {"id", "name", "role", "side", "nation", "kind", "symbol"}
    columns |= {n for c in game.counters for n in (*c.attributes, *(v for f in c.faces for v in f.values))}
    for key, of in chosen:
        at = Location(file=plan_file(game), key=key)
        wrong = [name for name in of or {} if name not in columns]
        for name in wrong:
            report.add(SETTING_UNKNOWN, at, f"counters have no column {name!r}{did_you_mean(name, columns)}")
        if of is not None and not wrong and not any(takes(of, c) for c in game.counters):
            report.add(SETTING_UNKNOWN, at, "no counter of the game is such a one")


def _check_keys(game: Game, plan: VassalPlan, report: Report) -> None:
    taken = TAKEN
    for i, send in enumerate(plan.sends):
        if send.key and send.key in taken:
            at = Location(file=plan_file(game), key=f"send.{i}.key")
            report.add(LETTER_TAKEN, at, f"Ctrl+{send.key} is taken already; taken are {''.join(sorted(taken))}")
        taken += send.key
