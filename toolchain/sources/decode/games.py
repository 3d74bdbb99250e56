"""game.toml: what ties a game together."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from toolchain.model.forces import Side
from toolchain.model.game import Acceptance, Event, TurnTrack
from toolchain.report import Report
from toolchain.sources.decode import Raw, decode


class RawSide(Raw):
    """One player side."""

    title: str
    nations: tuple[str, ...] = ()


class RawEvent(Raw):
    """One event that rules may depend on."""

    title: str
    cite: str = ""
    assumed: str = ""


class RawAcceptance(Raw):
    """One accepted finding."""

    code: str
    at: str = ""
    why: str = Field(min_length=1)


class GameFile(Raw):
    """The whole of game.toml."""

    format: Literal[1]
    title: str = Field(min_length=1)
    version: str = "0.1.0"
    description: str = ""
    credits: str = ""
    controller: str = ""
    turns: tuple[str, ...] = ()
    phases: tuple[str, ...] = ()
    sides: dict[str, RawSide]
    events: dict[str, RawEvent] = Field(default_factory=dict)
    accept: tuple[RawAcceptance, ...] = ()

    def built_sides(self) -> dict[str, Side]:
        """Return the sides by name."""
        return {n: Side(n, s.title, s.nations) for n, s in self.sides.items()}

    def built_events(self) -> dict[str, Event]:
        """Return the events by name."""
        return {n: Event(n, e.title, e.cite, e.assumed) for n, e in self.events.items()}

    def built_track(self) -> TurnTrack:
        """Return the course of play."""
        return TurnTrack(self.turns, self.phases)

    def built_accepted(self) -> tuple[Acceptance, ...]:
        """Return the accepted findings."""
        return tuple(Acceptance(a.code, a.at, a.why, f"accept.{i}") for i, a in enumerate(self.accept))


def decode_game(raw: dict[str, Any], file: str, report: Report) -> GameFile | None:
    """Check the raw values of game.toml."""
    return decode(GameFile, raw, file, report)
