"""What a module carries of its game in rules/: enough to judge a saved game by the module alone.

    rules/game.json       words of the game, its set-ups, how a saved game tells a position
    rules/map.json        the graph of the map (see `toolchain.export.graphfiles`); map-NAME.json of a further one
    rules/counters.json   every counter with its piece id
    rules/rules.json      rules.toml, key by key, as JSON

modules/README.md describes the files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from pydantic import BaseModel

from toolchain.catalogue import RULES_ABSENT
from toolchain.export.graphfiles import plain, read_json, to_json
from toolchain.export.vassal.boardset import lay_boards
from toolchain.export.vassal.pictures import slug
from toolchain.model.forces import Counter
from toolchain.model.game import Game
from toolchain.model.rulebook import Rulebook
from toolchain.report import Location, Report
from toolchain.sources.decode import decode
from toolchain.sources.decode.carried import BoardData, CountersData, FaceData, GameData, MapData
from toolchain.sources.decode.rules import decode_rules
from toolchain.sources.decode.vassal import VassalPlan
from toolchain.sources.decode.vocabulary import Vocabulary
from toolchain.sources.vassal.archive import Archive

FOLDER = "rules/"
FORMAT = 1
LIMIT = 64 * 1024 * 1024
M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Reading:
    """What tells a position out of a saved game.

    map: name of the map window. boards: names of its boards, in the order of the map's sheets. scale: their pixels per
    millimetre. control: by side, the counter and step that show its control of a space. gpids: piece ids by counter id.
    """

    map: str
    boards: tuple[str, ...]
    scale: float
    control: Mapping[str, tuple[str, int]]
    gpids: Mapping[str, int]


@dataclass(frozen=True)
class Carried:
    """A game as a module carries it: by arrangement of the map, the first one first, and how saves of it are read."""

    games: Mapping[str, Game]
    readings: Mapping[str, Reading]


def build_readings(
    games: Mapping[str, Game], plan: VassalPlan, gpids: Mapping[str, int], scale: float
) -> dict[str, Reading]:
    """State how saves of a module are read that is made from these settings. games: by arrangement of the map."""
    counters = next(iter(games.values())).counter
    control = {side: (f.counter, f.step) for side, f in plan.control.items() if f.counter in counters}
    boards = lay_boards([game.map for game in games.values()], scale)
    return {
        arrangement: Reading(plan.map, tuple(b.name for b in laid), scale, control, gpids)
        for arrangement, laid in zip(games, boards, strict=True)
    }


def carried_files(
    games: Mapping[str, Game], readings: Mapping[str, Reading], rules: Mapping[str, Any]
) -> dict[str, bytes]:
    """Write the files of a game.

    games, readings: by arrangement of the map, the first one first. rules: the raw values of rules.toml.
    """
    first, reading = next(iter(games.values())), next(iter(readings.values()))
    maps = [
        MapData(file=_map_file(n, i), boards=readings[n].boards, scale=readings[n].scale, arrangement=n)
        for i, n in enumerate(games)
    ]
    words = ("name", "title", "version", "description", "credits", "sides", "events", "track", "accepted")
    game = {
        "format": FORMAT,
        **{word: plain(getattr(first, word)) for word in words},
        "maps": [m.model_dump(mode="json") for m in maps],
        "board": BoardData(
            map=reading.map, control={s: FaceData(counter=c, step=n) for s, (c, n) in reading.control.items()}
        ).model_dump(),
        "setups": [_without_places(plain(s)) for one in games.values() for s in one.setups],
    }
    counters = {"format": FORMAT, "counters": plain(first.counters), "gpids": _of(first.counters, reading.gpids)}
    out = {"game.json": _lines(game), "counters.json": _lines(counters), "rules.json": _lines(rules)}
    out |= {m.file: to_json(one.map) for m, one in zip(maps, games.values(), strict=True)}
    return {FOLDER + name: text.encode() for name, text in out.items()}


def _map_file(arrangement: str, number: int) -> str:
    return f"map-{slug(arrangement)}.json" if number else "map.json"


def _without_places(setup: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in setup.items() if k != "control_where"}


def _of(counters: Sequence[Counter], gpids: Mapping[str, int]) -> dict[str, int]:
    return {c.id: gpids[c.id] for c in counters if c.id in gpids}


def _lines(value: Mapping[str, Any]) -> str:
    """Write an object with one entry of its lists and tables a line, so that versions can be compared."""
    parts = []
    for key, item in value.items():
        name = json.dumps(key, ensure_ascii=False)
        if isinstance(item, list) and item:
            body = ",\n".join("  " + _json(x) for x in item)
            parts.append(f" {name}: [\n{body}\n ]")
        elif isinstance(item, dict) and item:
            body = ",\n".join(f"  {json.dumps(k, ensure_ascii=False)}: {_json(v)}" for k, v in item.items())
            parts.append(f" {name}: {{\n{body}\n }}")
        else:
            parts.append(f" {name}: {_json(item)}")
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, default=str)


def read_carried(archive: Archive, report: Report) -> Carried | None:
    """Read the game that a module carries; None, with findings, when there is not enough to go on."""
    data = _read(archive, "game.json", GameData, report)
    counted = _read(archive, "counters.json", CountersData, report)
    raw = _raw(archive, "rules.json", report)
    if data is None or counted is None or raw is None:
        return None
    shown = f"{archive.shown}/{FOLDER}"
    games: dict[str, Game] = {}
    readings: dict[str, Reading] = {}
    said: list[Report] = []
    for number, one in enumerate(data.maps):
        text = _text(archive, one.file, report)
        warmap = None if text is None else read_json(text, shown + one.file, report)
        if warmap is None:
            return None
        said.append(Report())
        words = Vocabulary.of(warmap, counted.counters, data.sides, data.events)
        book = decode_rules(raw, f"{shown}rules.json", words, said[-1]) if raw else Rulebook()
        laid = {one.arrangement, ""} if number == 0 else {one.arrangement}
        games[one.arrangement] = Game(
            data.name,
            data.title,
            data.version,
            data.description,
            data.sides,
            warmap,
            counted.counters,
            book,
            tuple(replace(s, where=Location(file=shown + "game.json")) for s in data.setups if s.arrangement in laid),
            data.events,
            data.track,
            data.accepted,
            data.credits,
        )
        control = {side: (f.counter, f.step) for side, f in data.board.control.items()}
        readings[one.arrangement] = Reading(data.board.map, one.boards, one.scale, control, counted.gpids)
    # Rules may name what is on any arrangement; a fault on all of them is one.
    everywhere = [{(f.rule.code, f.where) for f in found} for found in said[1:]]
    report.extend(f for f in said[0] if all((f.rule.code, f.where) in found for found in everywhere))
    return Carried(games, readings)


def _read(archive: Archive, name: str, kind: type[M], report: Report) -> M | None:
    raw = _raw(archive, name, report)
    return None if raw is None else decode(kind, raw, f"{archive.shown}/{FOLDER}{name}", report)


def _raw(archive: Archive, name: str, report: Report) -> dict[str, Any] | None:
    text = _text(archive, name, report)
    if text is None:
        return None
    where = Location(file=f"{archive.shown}/{FOLDER}{name}")
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        report.add(RULES_ABSENT, where, f"not JSON: {error}")
        return None
    if not isinstance(raw, dict):
        report.add(RULES_ABSENT, where, "it must be one JSON object")
        return None
    return raw


def _text(archive: Archive, name: str, report: Report) -> str | None:
    where = Location(file=f"{archive.shown}/{FOLDER}{name}")
    if FOLDER + name not in archive:
        report.add(RULES_ABSENT, where, "the module has no such file; it does not carry its rules")
        return None
    data = archive.read(FOLDER + name, report, LIMIT)
    try:
        return None if data is None else data.decode()
    except UnicodeDecodeError as error:
        report.add(RULES_ABSENT, where, f"it is not written in UTF-8: {error}")
        return None
