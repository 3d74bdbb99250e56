"""Where the pieces of a set-up lie on the sheets of the map, for tables of every kind: stacks, and rows in boxes."""

from __future__ import annotations

import math
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from toolchain.art.marks import Page
from toolchain.art.position import LIFT, spread
from toolchain.model.game import Game
from toolchain.model.position import Piece, Position

Point = tuple[float, float]
MM_PER_INCH = 25.4
MARGIN, HEAD = 3.0, 11.0  # mm of a box that stay free at its edges, and at its top for the title
NARROW = 1.0  # the same in a box of a track


@dataclass(frozen=True, slots=True)
class Placed:
    """One piece on the table. piece: its id in the set-up. step: 0 is the front. space: its key.

    at: its middle, mm of the sheet. level: how many pieces lie under it.
    """

    piece: str
    counter: str
    step: int
    sheet: str
    space: str
    at: Point
    level: int


def with_control(games: Sequence[Game], markers: Mapping[str, tuple[str, int]]) -> list[Game]:
    """Return the game on every arrangement with markers of control as pieces of its set-ups, as its module lays them.

    markers: by side, the counter and its step that show control of a space. They lie under all other pieces. Boxes bear
    none: whoever may use one controls it. There are as many copies of a marker as the set-up that needs most of them.
    """
    marked, most = [], Tally[str]()
    for game in games:
        setups = []
        for position in game.setups:
            laid = list(_control(game, position, markers))
            used = Tally(p.counter for p in (*laid, *position.pieces))
            most |= Tally({p.counter: used[p.counter] for p in laid})
            setups.append(replace(position, pieces=(*laid, *position.pieces)))
        marked.append(replace(game, setups=tuple(setups)))
    counters = tuple(replace(c, copies=max(c.copies, most[c.id])) for c in games[0].counters)
    return [replace(game, counters=counters) for game in marked]


def _control(game: Game, position: Position, markers: Mapping[str, tuple[str, int]]) -> Iterator[Piece]:
    for key, side in position.control.items():
        counter, step = markers.get(side, ("", 0))
        space = game.map.by_key.get(key)
        if counter in game.counter and space is not None and space.kind != "box":
            yield Piece(f"{counter} of {key}", counter, key, step)


def place_pieces(game: Game, position: Position, sizes: Mapping[str, Point]) -> Iterator[Placed]:
    """Yield the pieces of a set-up, bottom first, in the order of the map's spaces.

    sizes: width and height of every counter by id, mm. Pieces in a box or on a track lie beside one another, others on
    one another, each a little above and beside the one below. Unknown spaces and counters are left out: the checks
    have named them.
    """
    inside: dict[str, list[tuple[str, str, int]]] = {}
    for p in position.pieces:
        if p.at in game.map.by_key and p.counter in sizes:
            steps = len(game.counter[p.counter].faces)
            inside.setdefault(p.at, []).append((p.id, p.counter, min(p.step, steps - 1)))
    for space in game.map.spaces:
        pile = inside.get(space.key, [])
        if space.kind == "box" and space.outline and pile:
            edges = (NARROW, NARROW) if "track" in space.traits else (MARGIN, HEAD)
            middles = spread(space.outline, [sizes[c] for _, c, _ in pile], *edges)
            for (piece, counter, step), at in zip(pile, middles, strict=True):
                yield Placed(piece, counter, step, space.sheet, space.key, at, 0)
            continue
        lifted = LIFT * (len(pile) - 1) / 2  # so that the stack as a whole is centred
        for level, (piece, counter, step) in enumerate(pile):
            at = (space.at[0] - lifted + LIFT * level, space.at[1] + lifted - LIFT * level)
            yield Placed(piece, counter, step, space.sheet, space.key, at, level)


def least_dpi(pages: Iterable[Page], pixels: int, dpi: float) -> float:
    """Return the resolution at which no page has more than so many pixels, at most `dpi`, in whole dots to the inch."""
    largest = max((p.width * p.height for p in pages), default=0.0) / MM_PER_INCH**2
    return float(max(1, math.floor(min(dpi, math.sqrt(pixels / largest))))) if largest else dpi
