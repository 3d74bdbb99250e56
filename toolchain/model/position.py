"""A position: who stands where, who controls what, which events are in force."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from toolchain.report import Location


@dataclass(frozen=True, slots=True)
class Piece:
    """One counter on the map. id: unique in the position (the counter's id, with #2, #3 for further copies).

    step: 0 is full strength, 1 the first reduced face. at: key of a space. on: id of the piece that carries it, such as
    a ship, or empty. states: what is true of it for a time, such as dropped or landed, in words of the rulebook.
    """

    id: str
    counter: str
    at: str
    step: int = 0
    where: Location = field(default_factory=Location)
    on: str = ""
    states: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """One step of one piece, from a space to the next. kind: the game's own word, such as move, attack or retreat."""

    piece: str
    start: str
    end: str
    kind: str
    where: Location = field(default_factory=Location)


@dataclass(frozen=True)
class Position:
    """Everything that the checks ask about.

    pieces in stacking order, bottom first. control: side by space key, only where it differs from `controller`;
    controller: the side that controls all other spaces ("" for nobody). events in force by name. turn: number of the
    game turn, 0 if none. facts: further named states such as weather. supply: grades that were judged earlier and are
    kept, by piece id. arrangement: how the sheets of the map lie together ("" for the first arrangement).
    """

    name: str
    pieces: tuple[Piece, ...] = ()
    title: str = ""
    control: Mapping[str, str] = field(default_factory=dict)
    controller: str = ""
    events: frozenset[str] = frozenset()
    turn: int = 0
    facts: Mapping[str, str] = field(default_factory=dict)
    where: Location = field(default_factory=Location)
    control_where: Mapping[str, Location] = field(default_factory=dict)
    supply: Mapping[str, str] = field(default_factory=dict)
    arrangement: str = ""

    def respelled(self, spellings: Mapping[str, str]) -> Position:
        """Return the position with the map's own keys for spaces that it calls by another spelling."""
        return replace(
            self,
            pieces=tuple(replace(p, at=spellings.get(p.at, p.at)) for p in self.pieces),
            control={spellings.get(at, at): side for at, side in self.control.items()},
            control_where={spellings.get(at, at): where for at, where in self.control_where.items()},
        )
