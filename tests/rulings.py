"""The tiny games of tests/data/rulings: each shows rules of a kind by the examples of a printed rulebook."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from toolchain.checks.judge import Verdict, judge
from toolchain.graph.board import Board
from toolchain.model.changes import apply_changes
from toolchain.report import Report
from toolchain.sources.project import read_project
from toolchain.survey.game import Loaded, survey_project

ROOT = Path(__file__).parent / "data" / "rulings"
GAMES = tuple(sorted(p.name for p in (ROOT / "modules").iterdir()))


@cache
def load(name: str) -> tuple[Loaded, Report, Board]:
    """Load a tiny game once for all tests."""
    report = Report()
    project = read_project(ROOT, name, report)
    assert project is not None, list(report)
    loaded = survey_project(project, report)
    return loaded, report, Board.from_map(loaded.game.map)


def judged(game: str, setup: str, moment: str = "", **changes) -> Verdict:
    """Judge a set-up of a tiny game, with changes as for `apply_changes`."""
    loaded, _, board = load(game)
    return judge(loaded.game, board, apply_changes(loaded.game.setup[setup], loaded.game, **changes), moment)


def controller(verdict: Verdict, space: str) -> str:
    """Return the side that controls a space, empty for nobody."""
    number = int(verdict.layout.control[verdict.board.index[space]])
    return verdict.layout.sides[number] if number >= 0 else ""
