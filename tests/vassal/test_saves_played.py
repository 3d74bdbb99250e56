"""A save after play: the engine moves, flips, deletes and stacks, saves, and the toolchain reads the game back.

The module of the tiny game is made by the command line, and is all that the check of the save is given.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
import rig

from toolchain.checks.lint import lint
from toolchain.export.vassal.carried import read_carried
from toolchain.export.vassal.readback import read_position
from toolchain.report import Report
from toolchain.sources.vassal.archive import read_archive
from toolchain.sources.vassal.buildfile import read_build_file
from toolchain.sources.vassal.modules import read_module
from toolchain.sources.vassal.saves import read_save

pytestmark = pytest.mark.engine

PROJECTS = Path(__file__).parents[1] / "data" / "projects"


def toolchain(*words: str | Path, status: int = 0) -> str:
    command = [sys.executable, "-m", "toolchain", *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == status, done.stderr + done.stdout
    return done.stdout


@dataclass(frozen=True)
class Played:
    """A module, what the engine said while it was played, and the game that the engine saved."""

    module: Path
    said: rig.Said
    save: Path
    untouched: Path


@pytest.fixture(scope="module")
def played(vassal: Callable[..., rig.Said], tmp_path_factory: pytest.TempPathFactory) -> Played:
    folder = tmp_path_factory.mktemp("played")
    shutil.copytree(PROJECTS, folder / "projects")
    toolchain("module", "tiny", "--root", folder / "projects", "-o", folder)
    module = folder / "tiny.vmod"
    said = vassal(
        module,
        games=["Opening"],
        side="Red",
        properties=["Step_Level", "Counter"],
        do=[
            ["save", folder / "untouched.vsav"],
            ["key", "Blue Führer", "ctrl D"],
            ["key", "Red 1st", "ctrl F"],
            *(["move", f"id:{n}", "Map", "Hill"] for n in (1, 3, 4)),
            ["place", "1", "Map", 5, 5],
            ["move", "Red 1st", "Map", "hex 0501"],
            *[["hotkey", "alt PERIOD"]] * 2,
            ["hotkey", "named:Event rain"],
            ["pieces"],
            ["save", folder / "played.vsav"],
            ["build", folder / "engine.xml"],
        ],
    )
    return Played(module, said, folder / "played.vsav", folder / "untouched.vsav")


def checked(played: Played, *words: str | Path, status: int = 0) -> Any:
    return json.loads(toolchain("check", "--module", played.module, *words, "--json", status=status))


def test_the_engine_saves_what_we_wrote(played: Played) -> None:
    assert played.said.problems == []
    assert played.said.altered == []
    assert checked(played, played.untouched)["positions"]["untouched"] == checked(played)["positions"]["start"]


def test_engine_files_are_written_back_byte_for_byte(played: Played) -> None:
    for path in (played.save, played.untouched):
        save = read_save(path, path.name, Report())
        assert save is not None
        assert save.rewritten(lambda command: command) == path.read_bytes()
    archive = read_archive(played.module, "tiny.vmod", Report())
    assert archive is not None
    data = archive.read("buildFile.xml", Report())
    assert data is not None and read_build_file(data).written() == data
    # The engine's own build file of the same module, written its way: the same pieces, and nothing to find in it.
    theirs = played.save.with_name("engine.xml").read_bytes()
    assert read_build_file(theirs).written() == theirs
    report = Report()
    module = read_module(archive.changed({"buildFile.xml": theirs}), "engine.vmod", report)
    ours = read_module(archive.data, "ours.vmod", report)
    assert module is not None and ours is not None
    assert sorted((s.gpid, s.name) for s in module.slots) == sorted((s.gpid, s.name) for s in ours.slots)
    report.extend(lint(module))
    assert [str(f) for f in report] == []


def test_the_played_game_is_read_as_the_engine_has_it(played: Played) -> None:
    got = checked(played, played.save, status=1)
    found = {f["code"]: f for f in got["findings"]}
    assert found["P101"]["facts"]["pieces"] == ["r2#2", "r1", "r2"]
    assert found["P101"]["where"]["space"] == "Hill"
    assert got["positions"]["played"]["units"] == {"r1": "in", "r1#2": "out", "r2": "in", "r2#2": "in"}
    archive, save = read_archive(played.module, "m", Report()), read_save(played.save, "s", Report())
    assert archive is not None and save is not None
    carried = read_carried(archive, Report())
    assert carried is not None
    position, _ = read_position(carried.games[""], carried.readings[""], save, "played", "s", Report())
    assert position.turn == 2
    assert position.events == {"rain"}
    assert "* Rain in force: true" in [e["text"] for e in played.said.of("chat")]
    (last,) = [n for n, e in enumerate(played.said.events) if e["e"] == "saved" and e["file"] == str(played.save)]
    stands = [e for e in played.said.events[:last] if e["e"] == "piece"][-4:]
    places = {"hex 0501": "0501"}  # a hex without a name
    engine = [
        (p["props"]["Counter"], places.get(p["location"], p["location"]), int(p["props"]["Step_Level"]) - 1)
        for p in stands
    ]
    assert sorted((p.counter, p.at, p.step) for p in position.pieces) == sorted(engine)


def test_a_marked_save_shows_its_marks_in_the_engine(
    played: Played, vassal: Callable[..., rig.Said], tmp_path: Path
) -> None:
    marked = tmp_path / "marked.vsav"
    checked(played, played.save, "--mark", marked, status=1)
    said = vassal(
        played.module,
        games=[str(marked)],
        properties=["Supplied_Level", "Checked_Level", "Counter"],
        side="Red",
        do=[["shot", "Map", tmp_path / "marked.png", 2], ["key", "Red 1st", "named:ClearMarks"]],
    )
    assert said.problems == []
    names = ("Counter", "Supplied_Level", "Checked_Level")
    levels = {tuple(p["props"][n] for n in names) for p in said.of("piece")}
    assert levels == {("r1", "1", "2"), ("r2", "1", "2"), ("r1", "2", "1")}
    (cleared,) = said.of("key")
    assert cleared["after"]["props"]["Supplied_Level"] == "1"
    # A mark that no longer holds goes: the marked copy, checked and marked again, is the same.
    again = tmp_path / "again.vsav"
    checked(played, marked, "--mark", again, status=1)
    assert again.read_bytes() == marked.read_bytes()
