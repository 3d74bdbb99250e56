"""The map window: boards, piece layers, and what a player needs to see and move pieces."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from toolchain.export.vassal.board import Board, background
from toolchain.export.vassal.boardset import BoardSet
from toolchain.export.vassal.buildfile import Element, part
from toolchain.export.vassal.kit import LAYERS, Kit
from toolchain.export.vassal.overstack import MOVED
from toolchain.export.vassal.saves import board_command
from toolchain.export.vassal.zones import Told, build_zones
from toolchain.export.vassal.zonesofcontrol import build_shaders
from toolchain.model.game import Game
from toolchain.sources.decode.vassal import VassalPlan
from toolchain.sources.vassal.codec import alt, ctrl_shift, encode_list

_FLARE = {"circleScale": True, "circleSize": 100, "flarePulses": 6, "flarePulsesPerSec": 3}


def build_map(game: Game, plan: VassalPlan, sets: Sequence[BoardSet], kit: Kit, more: Sequence[Element]) -> Element:
    """Write the map window.

    sets: of boards; a single one is laid out at once, of several the players choose. more: stacks and decks on it.
    """
    w = plan.words
    boards = [b for one in sets for b in one.boards]
    laid = [part("setup", (), board_command(plan.map, [b.name for b in boards]))] if len(sets) == 1 else []
    shaded = bool(kit.rules.exerting.colours)
    elements = [
        board_element(board, file, _before_numbers(one, plan), kit.rules.told[n], shaded)
        for n, one in enumerate(sets)
        for board, file in zip(one.boards, one.files, strict=True)
    ]
    picker = {"title": w.boards if len(sets) > 1 else game.title, "slotWidth": 350, "slotHeight": 125}
    icons = {"buttonText": "", "hotkey": ""}
    parts = [
        part("map.BoardPicker", [*laid, *elements], **picker, slotScale="0.2"),
        part("map.StackMetrics", disabled=False, exSepX=round(plan.hex_pixels * 0.6), exSepY=0, unexSepX=4, unexSepY=4),
        part("map.LayeredPieceCollection", property="Layer", layerOrder=encode_list(LAYERS)),
        part("map.ForwardToKeyBuffer"),
        part("map.Scroller"),
        part("map.ForwardToChatter"),
        part("map.MenuDisplayer"),
        part("map.MapCenterer"),
        part("map.StackExpander"),
        part("map.PieceMover"),
        part("map.KeyBufferer"),
        part("map.SelectionHighlighters"),
        part("map.HighlightLastMoved", enabled=True, color="255,0,0", thickness=2),
        part("map.GlobalMap", scale="0.15", color="255,0,0", tooltip=w.overview, icon="/images/overview.gif", **icons),
        part(
            "map.Zoomer",
            zoomLevels=encode_list(["0.25", "0.35", "0.5", "0.75", "1.0", "1.5", "2.0"]),
            zoomStart=3,
            inTooltip=w.zoom_in,
            inButtonText="",
            inIconName="/images/zoomIn.gif",
            zoomInKey="61,195",
            pickTooltip=w.zoom_pick,
            pickButtonText="",
            pickIconName="/images/zoom.png",
            zoomPickKey="",
            outTooltip=w.zoom_out,
            outButtonText="",
            outIconName="/images/zoomOut.gif",
            zoomOutKey="45,130",
        ),
        _mouse_over(plan),
        part(
            "map.HidePiecesButton",
            buttonText=w.hide_pieces,
            tooltip=w.about_hide,
            hotkey=ctrl_shift("O"),
            showingIcon="",
            hiddenIcon="",
        ),
        part("map.ImageSaver", tooltip=w.picture, icon="/images/camera.gif", **icons),
        part(
            "map.Flare",
            circleColor="255,0,0",
            circleScale=True,
            circleSize=100,
            flareKey="keyAlt",
            flarePulses=6,
            flarePulsesPerSec=3,
            reportFormat="",
        ),
    ]
    if plan.thread and any(b.hexes for b in boards):
        parts.append(_thread(plan))
    parts += build_shaders(game, plan, kit.rules.exerting)
    parts.append(part("properties.GlobalProperties"))
    parts += more
    return part(
        "module.Map",
        parts,
        mapName=plan.map,
        markMoved="Always",
        markUnmovedText="",
        markUnmovedTooltip=w.unmark,
        markUnmovedIcon="/images/unmoved.gif",
        markUnmovedHotkey=ctrl_shift("M"),
        markUnmovedReport="",
        edgeWidth=0,
        edgeHeight=0,
        backgroundcolor="255,255,255",
        allowMultiple=len(boards) > 1,
        color="0,0,0",
        thickness=3,
        launch=False,
        buttonName="",
        tooltip="",
        icon="",
        hotkey="",
        moveWithinFormat=_if_elsewhere(w.move_report),
        moveToFormat=w.place_report,
        createFormat=w.place_report,
        changeFormat="$message$",
        moveKey=MOVED if kit.rules.used else "",
    )


def _if_elsewhere(report: str) -> str:
    """Write a report of moves that says nothing of a piece that stays in its place, as an expression."""
    if report.startswith("{") or report.count("$") % 2:
        return report
    words = (part if n % 2 else json.dumps(part, ensure_ascii=False) for n, part in enumerate(report.split("$")))
    return '{previousLocation==location ? "" : ' + "+".join(words) + "}"


def _before_numbers(one: BoardSet, plan: VassalPlan) -> str:
    """Return what stands before the number of a hex without a name: of sheets laid freely, the name of the sheet."""
    if not one.free:
        return plan.unnamed
    sheet = one.boards[0].sheet.name
    return f"{sheet}-" if sheet[0].isalpha() else f"{plan.unnamed}{sheet}-"


def board_element(board: Board, image: str, unnamed: str, told: Mapping[str, Told], shaded: bool) -> Element:
    """Write a board with its grid and zones. told: what zones tell of each space, by key."""
    grid = part("grid.ZonedGrid", [*build_zones(board, told, shaded), *background(board, unnamed)])
    return part("board.Board", [grid], name=board.name, image=image, reversible=False)


def _mouse_over(plan: VassalPlan) -> Element:
    # The name of the place, and behind it what its zone tells: terrain, features, stacking limits.
    place = f'GetZoneProperty("Place",CurrentZone,"{plan.map}")'
    ground = f'{{CurrentZone=="" ? LocationName : ({place}=="" ? LocationName : LocationName+": "+{place})}}'
    return part(
        "map.CounterDetailViewer",
        version=3,
        delay=400,
        hotkey=ctrl_shift("V"),
        bgColor="255,255,240",
        fgColor="0,0,0",
        minDisplayPieces=0,
        zoomlevel="1.0",
        showgraph=True,
        showgraphsingle=True,
        graphicsZoom="1.0",
        showtext=True,
        showtextsingle=True,
        summaryReportFormat=ground,
        counterReportFormat="",
        emptyHexReportForma=ground,
        display="from all layers",
        layerList="",
        propertyFilter="",
        showMoveSelectde=False,
        showNonMovable=True,
        showNoStack=True,
        showOverlap=False,
        showDeck=False,
        unrotatePieces=True,
        borderWidth=4,
        fontSize=12,
    )


def _thread(plan: VassalPlan) -> Element:
    return part(
        "map.LOS_Thread",
        threadName=plan.words.thread,
        label=plan.words.thread,
        tooltip=plan.words.about_thread,
        iconName="/images/thread.gif",
        hotkey=alt("L"),
        report="",
        persistence="Ctrl-Click & Drag",
        persistentIconName="/images/thread.gif",
        snapStart=True,
        snapEnd=True,
        drawRange=True,
        scale=0,
        round="Nearest whole number",
        hideCounters=False,
        hideOpacity=0,
        threadColor="255,0,0",
        rangeFg="255,255,255",
        rangeBg="0,0,0",
    )
