"""Changes to a position, as given on the command line or by a program."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping

from toolchain.model.game import Game
from toolchain.model.position import Position
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
    turn: int = 0,
) -> Position:
    """Return a position with some things otherwise.

    events: now in force; ended: no longer. control: side by space. places: space by piece id, for pieces that stand
    elsewhere; "" takes the piece off the map. facts: such as weather. turn: 0 leaves it. Spaces may be called by any
    word that the map knows. Raises ChangeError, naming the nearest known word, for whatever the game does not have.
    """
    in_force = set(position.events)
    for word in [*events, *ended]:
        _known(word, game.events, "event")
    in_force = (in_force | set(events)) - set(ended)
    owners, where = dict(position.control), dict(position.control_where)
    for space, side in (control or {}).items():
        key = _space(space, game)
        owners[key] = _known(side, game.sides, "side")
        where[key] = Location()
    pieces = list(position.pieces)
    ids = [p.id for p in pieces]
    for piece, space in (places or {}).items():
        i = ids.index(_known(piece, ids, "piece"))
        pieces[i] = dataclasses.replace(pieces[i], at=_space(space, game) if space else "", where=Location())
    return dataclasses.replace(
        position,
        pieces=tuple(p for p in pieces if p.at),
        events=frozenset(in_force),
        control=owners,
        control_where=where,
        facts={**position.facts, **(facts or {})},
        turn=turn or position.turn,
    )


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
