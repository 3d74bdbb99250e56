"""Every set-up of festung-europa, as its table states it and as its save in the module has it: one position, one
verdict, and nothing but the module is needed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from toolchain.checks.judge import judge
from toolchain.checks.lint import lint
from toolchain.checks.positions import check_position
from toolchain.export.vassal.carried import Carried, read_carried
from toolchain.export.vassal.readback import read_position
from toolchain.graph.board import Board
from toolchain.model.game import Game
from toolchain.model.position import Position
from toolchain.report import Finding, Report
from toolchain.sources.project import read_project
from toolchain.sources.vassal.archive import Archive, read_archive
from toolchain.sources.vassal.modules import read_module
from toolchain.sources.vassal.saves import read_save
from toolchain.survey.game import survey_project

ROOT = Path(__file__).parents[2]
NAME = "festung-europa"
SETUPS = sorted(p.stem for p in (ROOT / "modules" / NAME / "setups").glob("*.csv"))


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("module")
    command = [sys.executable, "-m", "toolchain", "module", NAME, "-o", str(folder)]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return folder / f"{NAME}.vmod"


@pytest.fixture(scope="module")
def archive(module: Path) -> Archive:
    opened = read_archive(module, module.name, Report())
    assert opened is not None
    return opened


@pytest.fixture(scope="module")
def carried(archive: Archive) -> Carried:
    report = Report()
    got = read_carried(archive, report)
    assert got is not None and not report.failed
    return got


@pytest.fixture(scope="module")
def game() -> Game:
    project = read_project(ROOT, NAME, Report())
    assert project is not None
    return survey_project(project, Report()).game


def facts(position: Position) -> dict[str, Any]:
    """Return everything of a position but where it was read, the pieces by space, bottom first."""
    pieces: dict[str, list[Any]] = {}
    for p in position.pieces:
        pieces.setdefault(p.at, []).append((p.id, p.counter, p.step, p.on, p.states))
    return {
        "pieces": {at: sorted(p) for at, p in pieces.items()},
        "control": dict(position.control),
        "controller": position.controller,
        "events": position.events,
        "turn": position.turn,
        "facts": dict(position.facts),
        "supply": dict(position.supply),
    }


def said(findings: Iterable[Finding]) -> list[tuple[str, str, str]]:
    return sorted((f.rule.code, f.where.space, f.message) for f in findings)


@pytest.mark.parametrize("setup", SETUPS)
def test_the_save_in_the_module_is_the_table(setup: str, archive: Archive, carried: Carried, game: Game) -> None:
    report = Report()
    data = archive.read(f"{setup}.vsav", report)
    assert data is not None
    save = read_save(data, setup, report)
    assert save is not None
    theirs = carried.games[""]
    position, saved = read_position(theirs, carried.readings[""], save, setup, setup, report)
    assert list(report) == []
    table = game.setup[setup]
    assert len(table.pieces) > 50 and set(saved) == {p.id for p in table.pieces}
    assert facts(position) == facts(table)

    mine, other = judge(game, Board.from_map(game.map), table), judge(theirs, Board.from_map(theirs.map), position)
    assert said(check_position(other)) == said(check_position(mine))
    assert other.supply == mine.supply
    assert [other.zone(s) for s in game.sides] == [mine.zone(s) for s in game.sides]


def test_the_module_lints_clean(archive: Archive) -> None:
    report = Report()
    module = read_module(archive.data, "m.vmod", report)
    assert module is not None and len(module.slots) > 100
    report.extend(lint(module))
    assert [str(f) for f in report] == []


def test_the_command_needs_the_module_and_the_save_alone(module: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(module) as z:
        (tmp_path / "game.vsav").write_bytes(z.read(f"{SETUPS[0]}.vsav"))
    (tmp_path / "game.vmod").write_bytes(module.read_bytes())
    command = [sys.executable, "-m", "toolchain", "check", "--module", "game.vmod", "game.vsav", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    same = subprocess.run(
        [sys.executable, "-m", "toolchain", "check", NAME, "--setup", SETUPS[0], "--json"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert json.loads(done.stdout)["positions"]["game"] == json.loads(same.stdout)["positions"][SETUPS[0]]
