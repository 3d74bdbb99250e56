"""What pieces share: actions that are said in the chat, by role, by side, and for those that are hidden or turned."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from toolchain.export.vassal.choice import is_card, is_hidden, takes
from toolchain.export.vassal.marks import mark_layers
from toolchain.model.forces import Counter
from toolchain.model.game import Game
from toolchain.model.warmap import Space
from toolchain.sources.decode.vassal import Deck, Send, VassalPlan
from toolchain.sources.vassal.codec import ctrl
from toolchain.sources.vassal.pieces import Traits
from toolchain.sources.vassal.traits import (
    BasicPiece,
    Clone,
    Delete,
    Marker,
    MarkMoved,
    Mask,
    ReportAction,
    Restrict,
    ReturnTo,
    Rotate,
    SendTo,
    Trail,
    Trait,
)

FLIP, BACK, MOVED, TRAIL, CLONE, DELETE, ELIMINATE, HIDE, DISCARD = map(ctrl, "FGMTCDEHX")
RIGHT, LEFT = "93,130", "91,130"  # Ctrl and the square brackets
TAKEN = "FGMTCDEHX"
"""Letters that have a meaning with Ctrl already."""

ROTATE = "Turning"
MOVED_PICTURE = "moved.svg"
HIDDEN_PICTURE = "hidden-mark.svg"


def build_prototypes(game: Game, plan: VassalPlan, size: tuple[int, int]) -> dict[str, Traits]:
    """Make everything that pieces share, by name, apart from what the rules ask for. size: of units, in pixels."""
    w = plan.words
    common: Traits = (
        ReportAction(keys=(CLONE,), format=w.clone_report),
        ReportAction(keys=(DELETE,), format=w.delete_report),
        Clone(w.clone, CLONE),
        Delete(w.delete, DELETE),
    )
    # Half of the mark lies beyond the corner, so that it covers little of the face.
    x, y = (-(side // 2) - mark_size(plan) // 2 for side in size)
    moving: Traits = (MarkMoved(MOVED_PICTURE, x, y, w.moved, MOVED), Trail(TRAIL, w.trail))
    out: dict[str, Traits] = {
        "Unit": (*common, *moving, *mark_layers(game, size, w.clear_marks), Marker(("Role",), ("unit",))),
        "Marker": (*common, Marker(("Role",), ("marker",))),
        "Steps": (ReportAction(keys=(FLIP, BACK), format=w.flip_report),),
        # Before and after, those of hidden pieces have the same name.
        "Hidden steps": (ReportAction(keys=(FLIP, BACK), format=w.hidden_flip_report),),
    }
    if plan.rotate is not None:
        turn = Rotate(len(facings(game)), RIGHT, LEFT, w.turn_right, w.turn_left, name="Facing")
        out[ROTATE] = (ReportAction(keys=(RIGHT, LEFT), format=w.turn_report), turn)
    for i, send in enumerate(plan.sends):
        for whose in destinations(send, game):
            out[send_prototype(i, whose)] = tuple(_sending(i, send, whose, game, plan))
    for name, side in game.sides.items():
        traits: list[Trait] = []
        if plan.owned:
            traits.append(Restrict((side.title,), no_move=True))
        box = game.map.by_key.get(plan.eliminated.get(name, ""))
        if box is not None:
            traits.append(ReportAction(keys=(ELIMINATE,), format=w.eliminate_report))
            traits.append(send_to(w.eliminate, ELIMINATE, box, plan))
        out[side_prototype(name)] = (*traits, Marker(("Side",), (side.title,)))
    for deck in plan.decks:
        if deck.of is not None:
            out[deck_prototype(deck)] = tuple(_card(deck, plan))
    return {name: (*traits, BasicPiece()) for name, traits in out.items()}


def mark_size(plan: VassalPlan) -> int:
    """Return the pixels of the marks that the module itself puts on pieces."""
    return max(12, round(plan.hex_pixels * 0.26))


def facings(game: Game) -> range:
    """Return the ways that a piece can face: six on hexes, eight elsewhere."""
    return range(6 if game.map.grids else 8)


def send_to(menu: str, key: str, space: Space, plan: VassalPlan) -> SendTo:
    """Send a piece into a zone, or to a point of the map."""
    return SendTo(menu, key, plan.map, to="Z", zone=space.key)


def destinations(send: Send, game: Game) -> dict[str, str]:
    """Return where pieces of each side are sent, by side; "" for those of no side."""
    everybody = dict.fromkeys(("", *game.sides), send.to) if isinstance(send.to, str) else send.to
    return {side: at for side, at in everybody.items() if at in game.map.by_key}


def _sending(i: int, send: Send, side: str, game: Game, plan: VassalPlan) -> Iterator[Trait]:
    key = ctrl(send.key) if send.key else f"{57410 + i},0,Send{i + 1}"
    yield ReportAction(keys=(key,), format=plan.words.send_report)
    yield send_to(send.title, key, game.map.by_key[destinations(send, game)[side]], plan)


def _card(deck: Deck, plan: VassalPlan) -> Iterator[Trait]:
    w = plan.words
    if deck.discards:
        yield ReportAction(keys=(DISCARD,), format=w.discard_report)
        yield ReturnTo(w.discard, DISCARD, deck.discards, expression=deck.discards)
    yield Marker(("Deck",), (deck.name,))


def mask(counter: Counter, game: Game, picture: str, plan: VassalPlan) -> Traits:
    """Make what hides a piece's face from the other side; its own side sees the whole face, with a mark over it.

    What all may know stands outside of it: whose the piece is.
    """
    w, side = plan.words, game.sides[counter.side].title if counter.side in game.sides else ""
    called = f"{side} {w.hidden_card if is_card(counter, plan) else w.hidden}".strip()
    known: Traits = (Marker(("Side",), (side,)),) if side else ()
    return (
        *known,
        ReportAction(keys=(HIDE,), format=w.hide_report),
        Mask(HIDE, picture, w.hide, f"G{HIDDEN_PICTURE}", called, "side:"),
    )


def names_of(counter: Counter, game: Game, plan: VassalPlan) -> list[str]:
    """Return the prototypes that a counter uses, outermost first."""
    out = ["Unit" if counter.role == "unit" else "Marker"]
    if takes(plan.rotate, counter):
        out.append(ROTATE)
    for i, send in enumerate(plan.sends):
        if takes(send.of, counter) and counter.side in destinations(send, game):
            out.append(send_prototype(i, counter.side))
    if counter.side in game.sides:
        out.append(side_prototype(counter.side))
    if len(counter.faces) > 1 and not is_card(counter, plan):
        out.append("Hidden steps" if is_hidden(counter, plan) else "Steps")
    out += [deck_prototype(d) for d in plan.decks if takes(d.of, counter)][:1]
    return out


def side_prototype(side: str) -> str:
    """Return the name of a side's prototype."""
    return f"Side {side}"


def send_prototype(number: int, side: str) -> str:
    """Return the name of the prototype that sends pieces of a side."""
    return f"Send {number + 1} {side}".strip()


def deck_prototype(deck: Deck) -> str:
    """Return the name of the prototype of a deck's cards."""
    return f"Card {deck.name}"


def hidden_picture(face: str) -> str:
    """Return the name, without its ending, of what others see of a hidden piece. face: that of its front."""
    return f"{face.removesuffix('-1')}-hidden"


def key_names(game: Game, plan: VassalPlan) -> Mapping[str, str]:
    """Return what the letters with Ctrl do, for the help page; only those that this module has."""
    w = plan.words
    stepped = any(len(c.faces) > 1 for c in game.counters)
    many = any(len(c.faces) > 2 for c in game.counters)
    out: Iterable[tuple[bool, str, str]] = (
        (stepped, f"{w.flip} / {w.next_step}", "Ctrl+F"),
        (many, w.previous_step, "Ctrl+G"),
        (True, w.moved, "Ctrl+M"),
        (True, w.trail, "Ctrl+T"),
        (True, w.clone, "Ctrl+C"),
        (True, w.delete, "Ctrl+D"),
        (bool(plan.eliminated), w.eliminate, "Ctrl+E"),
        (plan.hide is not None, w.hide, "Ctrl+H"),
        (plan.rotate is not None, w.turn_right, "Ctrl+]"),
        (plan.rotate is not None, w.turn_left, "Ctrl+["),
        (any(d.discards for d in plan.decks), w.discard, "Ctrl+X"),
        *((bool(s.key), s.title, f"Ctrl+{s.key}") for s in plan.sends),
    )
    return {name: keys for there, name, keys in out if there}


def build_hidden(size: tuple[int, int]) -> bytes:
    """Draw what its own side sees over a piece that is hidden from the others: a broken edge, of so many pixels."""
    w, h = size
    edge = f'<rect x="0.75" y="0.75" width="{w - 1.5}" height="{h - 1.5}" fill="none" stroke-width="1.5" stroke='
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}">'
        f'{edge}"#1b1b1b" stroke-opacity="0.35"/>{edge}"#ffffff" stroke-opacity="0.8" stroke-dasharray="2 4"/></svg>\n'
    ).encode()


def build_moved(size: int) -> bytes:
    """Draw the mark of pieces that have moved: an arrow on a small disc, of so many pixels, in outlines."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 24 24">'
        '<path d="M12 1A11 11 0 1 1 12 23A11 11 0 1 1 12 1Z" fill="#1b1b1b" stroke="#ffffff" stroke-width="1.6"/>'
        '<path d="M5 10.2h7V6l7 6-7 6v-4.2H5z" fill="#ffffff"/></svg>\n'
    ).encode()
