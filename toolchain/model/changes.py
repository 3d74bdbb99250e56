"""Changes to a position, as given on the command line or by a program."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping

from toolchain.model.game import Game
from toolchain.model.position import Piece, Position
from toolchain.report import Location, did_you_mean


class ChangeError(ValueError):
    """A change that cannot be made; its text says why and what would do."""


def apply_changes(
    position: Position,
    game: Game,
    *,
    events: Iterable[str] = (),
    ended: Iterable[str] = (),
    control: Mapping[str, str] | None = None,
    places: Mapping[str, str] | None = None,
    facts: Mapping[str, str] | None = None,
    steps: Mapping[str, int] | None = None,
    states: Mapping[str, Iterable[str]] | None = None,
    turn: int = 0,
) -> Position:
    """Return a position with some things otherwise.

    events: now in force; ended: no longer. control: side by space. places: space by piece id, for pieces that stand
    elsewhere or come in, by the id of their counter (#2, #3 for further copies); "" takes the piece off the map. facts:
    such as weather. steps, states: by piece id. turn: 0 leaves it. Spaces may be called by any word that the map knows.
    Raises ChangeError, naming the nearest known word, for whatever the game does not have.
    """
    begun, over = ({_known(word, game.events, "event") for word in words} for words in (events, ended))
    in_force = (position.events | begun) - over
    owners, where = dict(position.control), dict(position.control_where)
    for space, side in (control or {}).items():
        key = _space(space, game)
        owners[key] = _known(side, game.sides, "side")
        where[key] = Location()
    pieces = {p.id: p for p in position.pieces}
    for piece, space in (places or {}).items():
        key = _space(space, game) if space else ""
        old = pieces.get(piece) or _coming(piece, pieces, game)
        pieces[old.id] = dataclasses.replace(old, at=key, where=Location())
    for piece, step in (steps or {}).items():
        old = pieces[_known(piece, pieces, "piece")]
        last = len(game.counter[old.counter].faces) - 1
        if not 0 <= step <= last:
            raise ChangeError(f"{piece} has no step {step}; its steps are 0 to {last}")
        pieces[old.id] = dataclasses.replace(old, step=step)
    for piece, words in (states or {}).items():
        old = pieces[_known(piece, pieces, "piece")]
        held = tuple(_known(word, game.rulebook.states, "state") for word in words)
        pieces[old.id] = dataclasses.replace(old, states=held)
    return dataclasses.replace(
        position,
        pieces=tuple(p for p in pieces.values() if p.at),
        events=frozenset(in_force),
        control=owners,
        control_where=where,
        facts={**position.facts, **(facts or {})},
        turn=turn or position.turn,
    )


def _coming(word: str, pieces: Mapping[str, Piece], game: Game) -> Piece:
    """Return a piece that is not on the map yet, by the id of its counter and the number of the copy."""
    counter, mark, copy = word.partition("#")
    number = int(copy) if copy.isdecimal() and len(copy) < 10 else 0 if mark else 1
    if counter not in game.counter:
        raise ChangeError(f"there is no piece {word!r}{did_you_mean(word, [*pieces, *game.counter])}")
    if not 0 < number <= game.counter[counter].copies:
        raise ChangeError(f"there is no piece {word!r}; copies of {counter}: {game.counter[counter].copies}")
    return Piece(word if number > 1 else counter, counter, "")


def _known(word: str, known: Iterable[str], what: str) -> str:
    words = list(known)
    if word not in words:
        by_case = [w for w in words if w.casefold() == word.casefold()]
        if len(by_case) == 1:
            return by_case[0]
        raise ChangeError(f"there is no {what} {word!r}{did_you_mean(word, words)}")
    return word


def _space(word: str, game: Game) -> str:
    space = game.map.find(word)
    if space is None:
        names = [s.key for s in game.map.spaces if s.name]
        raise ChangeError(f"the map has no space {word!r}{did_you_mean(word, names)}")
    return space.key
