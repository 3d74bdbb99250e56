"""What no piece shows and saves must keep: global properties, which players change in two menus of the toolbar."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from toolchain.export.vassal.buildfile import Element, part
from toolchain.export.vassal.readback import EVENT, FACT, global_words
from toolchain.model.game import Game
from toolchain.sources.decode.vassal import VassalPlan
from toolchain.sources.vassal.codec import encode_list

_PLAIN = {"description": "", "isNumeric": False, "min": 0, "max": 100, "wrap": False}


def build_properties(games: Sequence[Game], plan: VassalPlan) -> Element:
    """Write the global properties of the module, with the buttons that change them.

    games: on every arrangement of the map, each with its own set-ups.
    """
    # Limits: what a piece off every zone is told.
    words = {"Limits": "0", **_words(games)}
    titles = _titles(games)
    made = []
    for name, value in words.items():
        buttons = [_button(name, titles[name], plan)] if name in titles else []
        made.append(part("properties.GlobalProperty", buttons, name=name, initialValue=value, **_PLAIN))
    return part("properties.GlobalProperties", made)


def build_menus(games: Sequence[Game], plan: VassalPlan) -> Iterator[Element]:
    """Write the menus that the buttons stand in."""
    titles = _titles(games)
    w = plan.words
    for start, text, hint in ((EVENT, w.events, w.about_events), (FACT, w.facts, w.about_facts)):
        items = [title for name, title in titles.items() if name.startswith(start)]
        if items:
            listed = encode_list(items)
            yield part(
                "module.ToolbarMenu", description="", text=text, tooltip=hint, icon="", hotkey="", menuItems=listed
            )


def _words(games: Sequence[Game]) -> dict[str, str]:
    return {name: value for game in games for name, value in global_words(game).items()}


def _titles(games: Sequence[Game]) -> dict[str, str]:
    """Return the words of the menus, by property; no two are alike."""
    game, out = games[0], dict[str, str]()
    for name in _words(games):
        if name.startswith(EVENT):
            title = game.events[name.removeprefix(EVENT)].title
        elif name.startswith(FACT):
            title = name.removeprefix(FACT).replace("-", " ").capitalize()
        else:
            continue
        out[name] = title if title not in out.values() else f"{title} ({name})"
    return out


def _button(name: str, title: str, plan: VassalPlan) -> Element:
    asked = f"GetProperty({json.dumps(name, ensure_ascii=False)})"
    # An event is turned on and off; a fact is asked for.
    turned = f'{{{asked}=="true" ? "false" : "true"}}'
    changer = encode_list(["P", turned] if name.startswith(EVENT) else ["R", title])
    says = plan.words.event_report if name.startswith(EVENT) else plan.words.fact_report
    return part(
        "properties.ChangePropertyButton",
        text=title,
        tooltip="",
        icon="",
        hotkey=f"57440,0,{name}".replace("/", " "),
        reportFormat=says.replace("$title$", title),
        propChanger=changer,
    )
