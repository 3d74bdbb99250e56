"""The help page of a module, made from the game's data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from toolchain.export.vassal.prototypes import key_names
from toolchain.export.vassal.rules import Rules
from toolchain.model.game import Game
from toolchain.sources.decode.vassal import VassalPlan


def build_help(games: Sequence[Game], plan: VassalPlan, rules: Rules | None = None) -> bytes:
    """Write the help page as the plain HTML that VASSAL's old viewer understands.

    games: on every arrangement of the map, each with its set-ups. rules: what the module watches.
    """
    w, game, rules = plan.words, games[0], rules or Rules()
    shades = [f"{w.zones} {game.sides[side].title}" for side in rules.exerting.colours]
    keys = [
        *key_names(game, plan).items(),
        *((name, f"Ctrl+Shift+{n}") for n, name in enumerate(shades[:9], start=1)),
        (w.unmark, "Ctrl+Shift+M"),
        (w.hide_pieces, "Ctrl+Shift+O"),
        (w.pieces, "Ctrl+Shift+P"),
        (w.inventory, "Alt+I"),
        (w.notes, "Alt+N"),
        *([(w.charts, "Alt+C")] if plan.charts else []),
        *([(w.thread, "Alt+L")] if plan.thread and game.map.grids else []),
        *([(w.turn, "Alt+T, Alt+. , Alt+,")] if game.track.turns else []),
        *((d.name, f"Alt+{i}") for i, d in enumerate(plan.dice[:9], start=1)),
    ]
    sides = [(side.title, ", ".join(side.nations)) for side in game.sides.values()]
    told = [
        w.about_ground if game.map.spaces else "",
        w.about_crowds if rules.used else "",
        w.about_zones if rules.exerting.colours else "",
        w.about_hidden if plan.hide is not None else "",
        w.about_cards if plan.decks else "",
    ]
    body = [
        f"<h1>{escape(game.title)}</h1>",
        f"<p>{escape(game.version)}</p>",
        _paragraphs([game.description, *plan.notes]),
        _table(sides),
        _list(position.title or position.name for one in games for position in one.setups),
        _paragraphs(told),
        _table(keys),
        _paragraphs([game.credits]),
    ]
    text = f"<html><head><title>{escape(game.title)}</title></head><body>\n" + "\n".join(b for b in body if b)
    # The viewer guesses at the encoding; character references leave nothing to guess.
    return (text + "\n</body></html>\n").encode("ascii", "xmlcharrefreplace")


def _paragraphs(texts: Iterable[str]) -> str:
    return "\n".join(f"<p>{escape(t)}</p>" for t in texts if t)


def _list(items: Iterable[str]) -> str:
    inner = "".join(f"<li>{escape(i)}</li>" for i in items)
    return f"<ul>{inner}</ul>" if inner else ""


def _table(rows: Sequence[tuple[str, str]]) -> str:
    inner = "".join(f"<tr><td>{escape(a)}</td><td>{escape(b)}</td></tr>" for a, b in rows)
    return f'<table border="0" cellpadding="3">{inner}</table>' if inner else ""
