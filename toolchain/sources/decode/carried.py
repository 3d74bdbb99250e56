"""The files that a module carries in rules/, checked as they are read: see modules/README.md."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from toolchain.model.forces import Counter, Side
from toolchain.model.game import Acceptance, Event, TurnTrack
from toolchain.model.position import Position
from toolchain.sources.decode import Raw


class CountersData(Raw):
    """rules/counters.json: every counter, and its piece id in the module."""

    format: Literal[1]
    counters: tuple[Counter, ...]
    gpids: Mapping[str, int]


class FaceData(Raw):
    """One face of a counter: step 0 is its front."""

    counter: str
    step: int = 0


class MapData(Raw):
    """One arrangement of the map.

    file: its graph in rules/. boards: names of the module's boards, in the order of the map's sheets. scale: their
    pixels per millimetre.
    """

    file: str
    boards: tuple[str, ...]
    scale: float
    arrangement: str = ""


class BoardData(Raw):
    """What tells where the pieces of a saved game stand, and who controls what.

    map: name of the map window. control: the face that shows a side's control of a space, by side.
    """

    map: str
    control: Mapping[str, FaceData] = {}


class GameData(Raw):
    """rules/game.json: the words of the game, its set-ups, and how a saved game tells a position."""

    format: Literal[1]
    name: str
    title: str
    version: str = ""
    description: str = ""
    credits: str = ""
    sides: Mapping[str, Side]
    events: Mapping[str, Event] = {}
    track: TurnTrack = TurnTrack()
    accepted: tuple[Acceptance, ...] = ()
    maps: tuple[MapData, ...]
    board: BoardData
    setups: tuple[Position, ...] = ()
