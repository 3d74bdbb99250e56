"""A game put together: map, counters, rules and set-ups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from toolchain.model.forces import Counter, Side
from toolchain.model.position import Position
from toolchain.model.rulebook import Rulebook
from toolchain.model.warmap import WarMap


@dataclass(frozen=True, slots=True)
class Event:
    """Something that can be in force, such as a card that was played."""

    name: str
    title: str
    cite: str = ""
    assumed: str = ""


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A finding that the maker accepts: its code, the space or place it is at ("" for anywhere), and why."""

    code: str
    at: str
    why: str
    key: str = ""


@dataclass(frozen=True, slots=True)
class TurnTrack:
    """The course of play: the game turns by name and the phases of each."""

    turns: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Game:
    """Everything that checks, art and exports ask about one game."""

    name: str
    title: str
    version: str
    description: str
    sides: Mapping[str, Side]
    map: WarMap
    counters: tuple[Counter, ...]
    rulebook: Rulebook
    setups: tuple[Position, ...] = ()
    events: Mapping[str, Event] = field(default_factory=dict)
    track: TurnTrack = field(default_factory=TurnTrack)
    accepted: tuple[Acceptance, ...] = ()
    credits: str = ""

    @cached_property
    def counter(self) -> dict[str, Counter]:
        """Counters by id."""
        return {c.id: c for c in self.counters}

    @cached_property
    def setup(self) -> dict[str, Position]:
        """Set-ups by name."""
        return {s.name: s for s in self.setups}
