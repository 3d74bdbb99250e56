"""Decks and hands: cards lie in piles on the map, go into the hand of a side that others cannot see, and come back."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from toolchain.export.vassal.board import Board
from toolchain.export.vassal.boardset import BoardSet
from toolchain.export.vassal.buildfile import Element, part
from toolchain.export.vassal.choice import is_card, takes
from toolchain.export.vassal.kit import Kit, with_gpid
from toolchain.model.forces import Counter
from toolchain.model.game import Game
from toolchain.sources.decode.vassal import Deck, VassalPlan
from toolchain.sources.vassal.codec import encode
from toolchain.sources.vassal.pieces import add_piece, expand
from toolchain.sources.vassal.pieces import placed as placed_at

WINDOW = (900, 500)  # of a hand, in pixels
EDGE = "64,64,64"
MOST_SHOWN = 4  # cards by which a deck looks thicker: each lies aside a little, over the edge of its box in the end


def card_ids(counter: Counter) -> list[str]:
    """Return what the lock of piece ids calls the copies of a card: a deck holds every one of them."""
    return [counter.id, *(f"{counter.id}#{n}" for n in range(2, counter.copies + 1))]


def deck_of(counter: Counter, plan: VassalPlan) -> Deck | None:
    """Return the deck that a card begins in: the first that takes it."""
    return next((d for d in plan.decks if takes(d.of, counter)), None)


def cards_by_deck(game: Game, plan: VassalPlan) -> dict[str, list[str]]:
    """Return the ids of the cards that begin in each deck, by its name; every copy counts."""
    out: dict[str, list[str]] = {d.name: [] for d in plan.decks}
    for counter in game.counters:
        if (deck := deck_of(counter, plan)) is not None:
            out[deck.name] += [counter.id] * len(card_ids(counter))
    return out


@dataclass(frozen=True)
class Lying:
    """A deck in its place. at: pixels of its middle on the map. back: the deck that its cards are shuffled back to."""

    deck: Deck
    board: Board
    at: tuple[int, int]
    size: tuple[int, int]
    cards: tuple[tuple[Counter, str], ...]
    back: str

    @property
    def face_down(self) -> str:
        """When cards lie face down, in VASSAL's words."""
        return "Never" if self.deck.open else "Always"

    @property
    def shuffled(self) -> str:
        """When cards are shuffled: where faces lie down, before every draw."""
        return "Always" if self.deck.shuffle and not self.deck.open else "Never"


def lay_decks(plan: VassalPlan, kit: Kit, sets: Sequence[BoardSet]) -> Iterator[Lying]:
    """Lay the decks of these boards out, each on the first board that has its space."""
    for deck in plan.decks:
        for one in sets:
            space = one.game.map.by_key.get(deck.at)
            board = next((b for b in one.boards if space in b.spaces), None)
            if space is None or board is None or one.free:
                continue
            cards = [c for c in one.game.counters if deck_of(c, plan) is deck]
            like = cards or [c for c in one.game.counters if is_card(c, plan)]
            size = max((kit.sizes[c.id] for c in like), default=(plan.hex_pixels, plan.hex_pixels))
            back = next((d.name for d in plan.decks if d.discards == deck.name), "")
            x, y = board.at(space)
            at = x + round(deck.shift[0] * board.scale) + board.left, y + round(deck.shift[1] * board.scale)
            yield Lying(deck, board, at, size, tuple((c, i) for c in cards for i in card_ids(c)), back)
            break


def build_decks(plan: VassalPlan, kit: Kit, sets: Sequence[BoardSet], gpids: Mapping[str, int]) -> list[Element]:
    """Write the decks with their cards."""
    return [_deck(lying, plan, kit, gpids) for lying in lay_decks(plan, kit, sets)]


def _deck(lying: Lying, plan: VassalPlan, kit: Kit, gpids: Mapping[str, int]) -> Element:
    w, deck, back = plan.words, lying.deck, lying.back
    width, height = lying.size
    owners: dict[str, object] = {}
    if deck.side in kit.sides and plan.newer_than(3, 6):  # the first that can keep others away from a deck
        owners = {"deckRestrictAccess": True, "deckOwners": kit.sides[deck.side]}
    size = {"width": width, "height": height}
    slots = []
    for card, ident in lying.cards:
        command = add_piece("null", with_gpid(kit.pieces[card.id], gpids[ident]))
        slots.append(part("widget.CardSlot", (), command, entryName=card.name, gpid=gpids[ident], **size))
    return part(
        "map.DrawPile",
        slots,
        name=deck.name,
        owningBoard=lying.board.name,
        x=lying.at[0] - lying.board.left,
        y=lying.at[1],
        **size,
        allowMultiple=False,
        allowSelect=True,
        selectDisplayProperty="$BasicName$",
        selectSortProperty="",
        faceDown=lying.face_down,
        drawFaceUp=False,
        faceFlipHotkey="",
        faceDownReportFormat="",
        shuffle=lying.shuffled,
        shuffleCommand=w.shuffle,
        shuffleFormat=w.shuffle_report,
        shuffleHotkey="",
        reversible=False,
        reverseCommand="",
        reverseFormat="",
        reverseHotkey="",
        draw=True,
        color=EDGE,
        hotkeyOnEmpty=False,
        emptyHotkey="",
        reshufflable=bool(back),
        reshuffleCommand=w.reshuffle if back else "",
        reshuffleMessage=w.reshuffle_report if back else "",
        reshuffleHotkey="",
        reshuffleTarget=back,
        canSave=False,
        maxStack=MOST_SHOWN,
        expressionCounting=False,
        countExpressions="",
        restrictOption=False,
        restrictExpression="",
        **owners,
    )


def save_decks(
    plan: VassalPlan, kit: Kit, one: BoardSet, gpids: Mapping[str, int], placed: Tally[str], first: int
) -> list[str]:
    """Write the commands that add the decks of a set-up with their cards; first: the first free number of a piece.

    placed: how many of each counter the set-up has put elsewhere; those are not in the deck.
    """
    w, left, commands = plan.words, Tally(placed), []
    for lying in lay_decks(plan, kit, [one]):
        at, members = (plan.map, *lying.at), []
        for card, ident in reversed(lying.cards):
            if left[card.id]:
                left[card.id] -= 1
                continue
            traits = expand(with_gpid(kit.pieces[card.id], gpids[ident]), kit.prototypes)
            commands.append(add_piece(str(first), placed_at(traits, at)))
            members.append(str(first))
            first += 1
        back = [w.reshuffle, lying.back, w.reshuffle_report] if lying.back else ["", "", ""]
        fields = [
            "deck",
            "true",
            EDGE,
            *map(str, lying.size),
            lying.face_down,
            lying.shuffled,
            "false",
            "true",
            "false",
        ]
        fields += [*back, lying.deck.name, w.shuffle_report]
        fields += ["", "", "false", "false", "", "", str(MOST_SHOWN), "", "false", "", "false", "", "$BasicName$", ""]
        fields += ["false", "", w.shuffle, "", ""]
        down = "false" if lying.deck.open else "true"
        state = [plan.map, *map(str, lying.at), down, *([encode(",", reversed(members))] if members else [])]
        commands.append("+/" + encode("/", [str(first), encode(";", fields), encode(";", state)]))
        first += 1
    return commands


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
