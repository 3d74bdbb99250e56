"""The toolbar: turn track, dice, inventory, charts."""

from __future__ import annotations

from collections.abc import Sequence

from toolchain.export.vassal.buildfile import Element, part
from toolchain.model.game import Game
from toolchain.sources.decode.vassal import VassalPlan
from toolchain.sources.vassal.codec import alt, encode_list


def build_turns(game: Game, plan: VassalPlan) -> list[Element]:
    """Write the turn track: the game turns, and in each the phases."""
    track, w = game.track, plan.words
    if not track.turns:
        return []
    inner = []
    if track.phases:
        inner = [_level(w.phase, "Phase", track.phases, [])]
    return [
        part(
            "turn.TurnTracker",
            [_level(w.turn, "Turn", track.turns, inner)],
            name=w.turn,
            buttonText=w.turn,
            icon="",
            hotkey=alt("T"),
            nexthotkey=alt("."),
            prevhotkey=alt(","),
            turnFormat="$level1$, $level2$" if inner else "$level1$",
            reportFormat="$newTurn$",
            tooltip=w.about_turn,
            lengthStyle="Maximum",
            length=-1,
        )
    ]


def _level(name: str, prop: str, items: Sequence[str], inner: Sequence[Element]) -> Element:
    return part(
        "turn.ListTurnLevel",
        inner,
        name=name,
        property=prop,
        turnFormat="$value$",
        list=encode_list(items),
        configList=False,
        configFirst=False,
        prompt="",
    )


def build_dice(plan: VassalPlan) -> list[Element]:
    return [
        part(
            "module.DiceButton",
            name=d.name,
            text=d.name,
            tooltip=d.name,
            icon="/images/die.gif",
            hotkey=alt(str(i + 1)) if i < 9 else "",
            reportFormat="$name$: $result$" + (" = $numericalTotal$" if d.dice > 1 else ""),
            prompt=False,
            nDice=d.dice,
            nSides=d.sides,
            plus=0,
            addToTotal=0,
            reportTotal=False,
            sortDice=False,
        )
        for i, d in enumerate(plan.dice)
    ]


def build_inventory(plan: VassalPlan) -> Element:
    return part(
        "module.Inventory",
        name=plan.words.inventory,
        text=plan.words.inventory,
        tooltip=plan.words.about_inventory,
        icon="/images/inventory.gif",
        hotkey=alt("I"),
        include='{Role=="unit"}',
        groupBy="Side,LocationName",
        nonLeafFormat="$PropertyValue$",
        foldersOnly=False,
        leafFormat="$PieceName$",
        sortPieces=True,
        sortFormat="$PieceName$",
        sorting="alpha",
        centerOnPiece=True,
        forwardKeystroke=True,
        showMenu=True,
        drawPieces=True,
        pieceZoom="0.33",
        sides="",
        launchFunction="functionHide",
        refreshHotkey="",
    )


def build_charts(plan: VassalPlan, files: Sequence[str]) -> list[Element]:
    pages = [
        part("widget.Chart", chartName=chart.title, fileName=name, description="")
        for chart, name in zip(plan.charts, files, strict=True)
        if name
    ]
    if not pages:
        return []
    w = plan.words
    tabs = part("widget.TabWidget", pages, entryName=w.charts)
    look = {"text": w.charts, "tooltip": w.about_charts, "icon": "/images/chart.gif", "hotkey": alt("C")}
    return [part("module.ChartWindow", [tabs], name=w.charts, **look)]
