"""Two saved games of anybody: pieces by their ids, boards, turns, properties."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterator

from toolchain.checks.diff.changes import Change
from toolchain.checks.diff.positions import Placed, Standing, compare_standings
from toolchain.sources.vassal.codec import decode
from toolchain.sources.vassal.forms import read_part
from toolchain.sources.vassal.saves import Save, Saved

Place = Callable[[Saved], str]
_SHOWN = {"mark", "PROP", "emb2", "label", "rotate", "obs", "hide"}


def compare_saves(a: Save, b: Save, place: Place | None = None) -> Iterator[Change]:
    """Yield the pieces that came, went, moved or changed, and what the components remember otherwise.

    Pieces are the same that have the same id, as in two saves of one game. place: names the space that a piece stands
    in; by default its map and pixel.
    """
    place = place or pixel_of
    yield from compare_standings("saved game", "", _standing(a, place), _standing(b, place))


def compare_setups(a: Save, b: Save, name: str, places: tuple[Place, Place]) -> Iterator[Change]:
    """Yield what differs between two versions of a set-up, whose pieces are told apart by what they were made from.

    places: name the space that a piece of either version stands in.
    """
    old, new = _standing(a, places[0]), _standing(b, places[1])
    olds, news = _made_from(a, old), _made_from(b, new)
    pieces: tuple[dict[str, Placed], dict[str, Placed]] = {}, {}
    for made in dict.fromkeys([*news, *olds]):
        left, right = Tally(olds.get(made, ())), Tally(news.get(made, ()))
        # Those that stand and look as before are left out; of the others, each is taken for the next one.
        for side, rest in zip(pieces, (left - right, right - left), strict=True):
            side.update({f"{made} {n}": p for n, p in enumerate(rest.elements())})
    yield from compare_standings("set-up", name, Standing(pieces[0], old.facts), Standing(pieces[1], new.facts))


def _made_from(save: Save, standing: Standing) -> dict[str, list[Placed]]:
    """Return the pieces by what they were made from: their piece id, or their name where they have none."""
    out: dict[str, list[Placed]] = {}
    for ident, placed in standing.pieces.items():
        out.setdefault(save.pieces[ident].gpid or placed.name, []).append(placed)
    return out


def pixel_of(piece: Saved) -> str:
    """Return where a piece stands as its map and pixel."""
    return f"{piece.map} at {piece.x}, {piece.y}" if piece.map else "no map"


def _standing(save: Save, place: Place) -> Standing:
    decks = {pile.ident: pile.name for pile in save.piles.values() if pile.deck}
    pieces = {}
    for p in save.pieces.values():
        at = f"the deck {decks[p.within]}" if p.within in decks else place(p)
        pieces[p.ident] = Placed(_name(p), at, tuple(_facts(p)), (p.map, p.x, p.y))
    facts = {f"{name}" if c == "Module" else f"{name} of {c}": v for (c, name), v in save.properties.items()}
    facts |= {f"turn track {n + 1}" if n else "turn track": state for n, state in save.turns.items()}
    for board_map, laid in save.boards.items():
        facts[f"boards of {board_map}"] = ", ".join(one.board + " turned" * one.turned for one in laid)
    return Standing(pieces, {k: v for k, v in facts.items() if v})


def _name(piece: Saved) -> str:
    words = decode(";", piece.traits[-1].definition)
    return words[4] if len(words) > 4 and words[4] else f"piece {piece.ident}"


def _facts(piece: Saved) -> Iterator[tuple[str, str]]:
    """Yield what a piece shows, in words: its markers, levels, labels and so on."""
    for place, trait in enumerate(piece.traits[:-1]):
        part = read_part(trait.definition, trait.state, place)
        if part.name not in _SHOWN or not part.state:
            continue
        if part.name == "mark":
            yield from zip(part.fields, decode(",", part.state), strict=False)
        elif part.name == "emb2":
            name = part.fields[18] if len(part.fields) > 18 and part.fields[18] else f"layer {place + 1}"
            yield f"{name} level", decode(";", part.state)[0]
        else:
            hidden = {"obs": "hidden by", "hide": "invisible to others by"}
            name = next(part.of("property"), "") or hidden.get(part.name, part.name)
            yield name, "" if part.state in ("null", "null;") else part.state
