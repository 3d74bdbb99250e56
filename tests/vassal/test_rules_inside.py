"""The rules inside a module, in the real engine: the overstack mark, the shading of zones, what the mouse tells."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import rig
from PIL import Image
from seven import PLAN, SETUP, module_of, seven, seven_map

from toolchain.export.vassal.board import build_boards
from toolchain.export.vassal.module import pixels_per_mm
from toolchain.model.game import Event, Game
from toolchain.model.position import Piece
from toolchain.model.warmap import LegendEntry, WarMap
from toolchain.report import Report
from toolchain.sources.decode.rules import decode_rules
from toolchain.sources.decode.vocabulary import Vocabulary

pytestmark = pytest.mark.engine

RULES = """
format = 1
[edges.land]
join = "hexside"
[[stacking]]
of = { role = "unit" }
at_most = 2
[[stacking.except]]
of = { side = "red" }
where = { feature = "port" }
at_most = 3
[[stacking.except]]
where = { terrain = "wood" }
at_most = 1
[[stacking.except]]
where = { kind = "box" }
unlimited = true
[[stacking]]
of = { kind = "corps" }
weigh = "size"
where = { terrain = "clear" }
at_most = 4.5
[[zoc]]
of = { mech = true }
over = "land"
"""


EVENTS = {"truce": Event("truce", "Truce")}


def wooded(warmap: WarMap) -> WarMap:
    """Grow a wood in the hexes that have no name."""
    spaces = tuple(s if s.name else replace(s, terrain="wood") for s in warmap.spaces)
    return replace(warmap, spaces=spaces, legend=(*warmap.legend, LegendEntry("wood", "terrain", "Wood")))


def game_of(pieces: dict[str, str], rules: str = RULES) -> Game:
    """Make the game with rules and these pieces, by id and place."""
    game = seven(wooded(seven_map()))
    sizes = {"red-1": 1.5, "red-2": 1.5, "blue-1": 1}
    counters = tuple(
        replace(c, attributes={**c.attributes, "size": sizes[c.id]}) if c.id in sizes else c for c in game.counters
    )
    report = Report()
    words = Vocabulary.of(game.map, counters, game.sides, EVENTS)
    book = decode_rules(tomllib.loads(rules), "rules.toml", words, report)
    assert not [f for f in report if f.severity > 2], list(map(str, report))
    placed = tuple(Piece(i, i.split("#")[0], at) for i, at in pieces.items())
    return replace(game, counters=counters, rulebook=book, setups=(replace(SETUP, pieces=placed, control={}),))


OVER = ["Over", "OverLevel", "Crowd_Level", "Terrain", "Features", "Place", "Limits"]


def test_mark_appears_when_a_stack_breaks_its_limit(vassal: Callable[..., rig.Said], tmp_path: Path) -> None:
    game = game_of(
        {
            **{f"blue-1#{n}": "Mitte" for n in (1, 2)},
            **{f"red-2#{n}": "Port-Louis" for n in (1, 2, 3)},
            **{f"red-1#{n}": "Reserve" for n in (1, 2, 3, 4)},
            "red-1#5": "0102",
        }
    )
    (board,) = build_boards(game.map, pixels_per_mm(game, PLAN))
    at = {s.key: board.at(s) for s in game.map.spaces}
    report = Report()
    module = tmp_path / "rules.vmod"
    module.write_bytes(module_of(game, report=report))
    assert list(report) == []
    said = vassal(
        module,
        properties=OVER,
        do=[
            ["load", "Opening"],
            ["pieces"],
            ["drag", "gpid:1", "Map", *at["Port-Louis"]],  # a fourth red unit into the port that takes three
            ["pieces"],
            ["key", "gpid:2", "ctrl D"],  # one of them is taken off again
            ["pieces"],
        ],
    )
    assert said.problems == []
    assert said.altered == []
    count = len(game.setups[0].pieces)
    pieces = said.of("piece")[-3 * count + 1 :]
    before, after, less = pieces[:count], pieces[count : 2 * count], pieces[2 * count :]
    assert {p["props"]["Over"] for p in before} == {"false"}
    crowded = [p["name"] for p in after if p["props"]["Over"] == "true"]
    assert crowded == ["2/3 Rgt; Süd, Nord"] * 3 + ["I. Korps"]
    assert {p["location"] for p in after if p["props"]["Crowd_Level"] == "2"} == {"Port-Louis"}
    assert {p["props"]["Over"] for p in less} == {"false"}
    assert "* Too many in Port-Louis" in [c["text"] for c in said.of("chat")]
    places = {p["location"]: p["props"]["Place"] for p in before}
    assert places["hex 0102"] == "Wood; stacking 1"
    assert places["Mitte"] == "0202; Clear; stacking 2, size 4.5"
    assert places["Port-Louis"] == "0302; Clear; Port; stacking Red 3, Blue 2, size 4.5"
    terrain = {p["location"]: p["props"]["Terrain"] for p in before}
    assert (terrain["hex 0102"], terrain["Mitte"]) == ("Wood", "Clear")


TIMED = """
format = 1
[edges.land]
join = "hexside"
[[stacking]]
of = { kind = "corps", in = { terrain = "clear" } }
at_most = 1
unless = { event = "truce" }
[[stacking.except]]
of = { side = "red" }
at_most = 2
when = { fact = { weather = ["dry", "2"] } }
"""


def test_limits_follow_events_and_facts(vassal: Callable[..., rig.Said], tmp_path: Path) -> None:
    pieces = {"red-1": "Mitte", "red-2": "Mitte", "blue-1": "Port-Louis", "blue-1#2": "Port-Louis", "red-1#2": "0102"}
    game = game_of({**pieces, "red-1#3": "0102"}, TIMED)
    start = game.setups[0]
    times = {
        "Truce": {"events": frozenset({"truce"})},
        "Wet": {"facts": {"weather": "wet"}},
        "Two": {"facts": {"weather": "2"}},
        "Dry": {"facts": {"weather": "dry"}},
    }
    game = replace(
        game, events=EVENTS, setups=tuple(replace(start, name=n, title=n, **more) for n, more in times.items())
    )
    module = tmp_path / "timed.vmod"
    module.write_bytes(module_of(game))
    said = vassal(module, games=list(times), properties=["Over", "Place"])
    assert said.problems == []
    assert said.altered == []
    crowded = {n: {p["location"] for p in said.of("piece", game=n) if p["props"]["Over"] == "true"} for n in times}
    assert crowded == {"Truce": set(), "Wet": {"Mitte", "Port-Louis"}, "Two": {"Port-Louis"}, "Dry": {"Port-Louis"}}
    # The mouse tells what holds while nothing is in force.
    assert {p["props"]["Place"] for p in said.of("piece", location="Mitte")} == {"0202; Clear; stacking corps 1"}


def reds(path: Path, at: tuple[int, int], size: int = 30) -> int:
    """Count the pixels around a place that a red veil makes redder than the plain ground."""
    x, y = at
    with Image.open(path) as picture:
        part = np.asarray(picture.convert("RGB").crop((x - size, y - size, x + size, y + size)), dtype=int)
    return int((part[..., 0] - part[..., 1] > 20).sum())


def test_zones_are_shaded_when_a_player_asks(vassal: Callable[..., rig.Said], tmp_path: Path) -> None:
    game = game_of({"red-1": "Ålesund", "red-2": "Reserve", "blue-1": "Port-Louis"})
    (board,) = build_boards(game.map, pixels_per_mm(game, PLAN))
    at = {s.key: board.at(s) for s in game.map.spaces}
    module = tmp_path / "rules.vmod"
    module.write_bytes(module_of(game))
    before, after, off = (tmp_path / f"{n}.png" for n in "abc")
    key = ["hotkey", "ctrl shift 1"]
    shots = [["shot", "Map", before], key, ["shot", "Map", after], key, ["shot", "Map", off]]
    said = vassal(module, do=[["load", "Opening"], *shots])
    assert said.problems == []
    assert before.read_bytes() == off.read_bytes()
    # Beside the red unit, and neither two hexes away nor around the unit in the box.
    assert reds(before, at["0102"]) == 0
    assert reds(after, at["0102"]) > 3000
    assert reds(after, at["0301"], 20) == reds(before, at["0301"], 20)
    box = at["Reserve"][0], at["Reserve"][1] - 80
    assert reds(after, box, 15) == reds(before, box, 15)
