"""Decks and hands: cards lie in piles on the map, go into the hand of a side that others cannot see, and come back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from toolchain.export.vassal.board import Board
from toolchain.export.vassal.boardset import BoardSet
from toolchain.export.vassal.buildfile import Element, part
from toolchain.export.vassal.choice import is_card, takes
from toolchain.export.vassal.kit import Kit, with_gpid
from toolchain.model.forces import Counter
from toolchain.model.game import Game
from toolchain.sources.decode.vassal import Deck, VassalPlan
from toolchain.sources.vassal.pieces import add_piece

WINDOW = (900, 500)  # of a hand, in pixels


def card_ids(counter: Counter) -> list[str]:
    """Return what the lock of piece ids calls the copies of a card: a deck holds every one of them."""
    return [counter.id, *(f"{counter.id}#{n}" for n in range(2, counter.copies + 1))]


def deck_of(counter: Counter, plan: VassalPlan) -> Deck | None:
    """Return the deck that a card begins in: the first that takes it."""
    return next((d for d in plan.decks if takes(d.of, counter)), None)


def build_decks(plan: VassalPlan, kit: Kit, sets: Sequence[BoardSet], gpids: Mapping[str, int]) -> Iterator[Element]:
    """Write the decks, on the first board that has their space."""
    for deck in plan.decks:
        for board, game in ((b, s.game) for s in sets if not s.free for b in s.boards):
            if any(s.key == deck.at for s in board.spaces):
                yield _deck(deck, plan, kit, board, game, gpids)
                break


def _deck(deck: Deck, plan: VassalPlan, kit: Kit, board: Board, game: Game, gpids: Mapping[str, int]) -> Element:
    w = plan.words
    x, y = board.at(game.map.by_key[deck.at])
    cards = [c for c in game.counters if deck.of is not None and deck_of(c, plan) is deck]
    like = cards or [c for c in game.counters if is_card(c, plan)]
    width, height = max((kit.sizes[c.id] for c in like), default=(plan.hex_pixels, plan.hex_pixels))
    back = next((d.name for d in plan.decks if d.discards == deck.name), "")
    owners: dict[str, object] = {}
    if deck.side in game.sides and plan.newer_than(3, 6):  # the first that can keep others away from a deck
        owners = {"deckRestrictAccess": True, "deckOwners": game.sides[deck.side].title}
    slots = [
        part(
            "widget.CardSlot",
            (),
            add_piece("null", with_gpid(kit.pieces[c.id], gpids[ident])),
            entryName=c.name,
            gpid=gpids[ident],
            width=width,
            height=height,
        )
        for c in cards
        for ident in card_ids(c)
    ]
    return part(
        "map.DrawPile",
        slots,
        name=deck.name,
        owningBoard=board.name,
        x=x + round(deck.shift[0] * board.scale),
        y=y + round(deck.shift[1] * board.scale),
        width=width,
        height=height,
        allowMultiple=False,
        allowSelect=True,
        selectDisplayProperty="$BasicName$",
        selectSortProperty="",
        faceDown="Never" if deck.open else "Always",
        drawFaceUp=False,
        faceFlipHotkey="",
        faceDownReportFormat="",
        shuffle="Via right-click Menu" if deck.shuffle else "Never",
        shuffleCommand=w.shuffle,
        shuffleFormat=w.shuffle_report,
        shuffleHotkey="",
        reversible=False,
        reverseCommand="",
        reverseFormat="",
        reverseHotkey="",
        draw=True,
        color="64,64,64",
        hotkeyOnEmpty=False,
        emptyHotkey="",
        reshufflable=bool(back),
        reshuffleCommand=w.reshuffle if back else "",
        reshuffleMessage=w.reshuffle_report if back else "",
        reshuffleHotkey="",
        reshuffleTarget=back,
        canSave=False,
        maxStack=15,
        expressionCounting=False,
        countExpressions="",
        restrictOption=False,
        restrictExpression="",
        **owners,
    )


def build_hands(game: Game, plan: VassalPlan) -> list[Element]:
    """Write a window for the hand of every side that holds cards; the other sides cannot look into it."""
    out = []
    for side in plan.hands:
        if side not in game.sides:
            continue
        title = game.sides[side].title
        name = f"{plan.words.hand}: {title}"
        grounds = part("board.Board", (), name=name, width=WINDOW[0], height=WINDOW[1], color="236,232,220")
        inside = [
            part("map.BoardPicker", [grounds], title=name, slotWidth=350, slotHeight=125, slotScale="0.2"),
            part("map.StackMetrics", disabled=False, exSepX=6, exSepY=18, unexSepX=4, unexSepY=4),
            part("map.ForwardToKeyBuffer"),
            part("map.Scroller"),
            part("map.ForwardToChatter"),
            part("map.MenuDisplayer"),
            part("map.StackExpander"),
            part("map.PieceMover"),
            part("map.KeyBufferer"),
            part("map.SelectionHighlighters"),
            part("map.HighlightLastMoved", enabled=False, color="255,0,0", thickness=2),
            part("properties.GlobalProperties"),
        ]
        out.append(
            part(
                "module.PlayerHand",
                inside,
                mapName=name,
                side=title,
                visible=False,
                useBoards="",
                markMoved="Never",
                edgeWidth=8,
                edgeHeight=8,
                backgroundcolor="236,232,220",
                allowMultiple=False,
                color="0,0,0",
                thickness=3,
                launch=True,
                buttonName=name,
                tooltip=name,
                icon="",
                hotkey="",
                moveWithinFormat="",
                moveToFormat=plan.words.card_report,
                createFormat="",
                changeFormat="$message$",
            )
        )
    return out
