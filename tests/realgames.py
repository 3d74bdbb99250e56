"""The real games, loaded once for all tests, and positions of them made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path

from toolchain.checks.judge import Verdict, judge
from toolchain.graph.board import Board
from toolchain.model.position import Piece, Position
from toolchain.report import Report
from toolchain.sources.project import Project, read_project
from toolchain.survey.game import Loaded, survey_project

ROOT = Path(__file__).parents[1]


@cache
def read(name: str) -> tuple[Project, Report]:
    """Read a game's files; the report holds what was found in them."""
    report = Report()
    project = read_project(ROOT, name, report)
    assert project is not None, [str(f) for f in report]
    return project, report


@cache
def load(name: str) -> tuple[Loaded, Report, Board]:
    """Survey a game and compile its map; the report holds what was found on the way."""
    project, found = read(name)
    report = Report(found)
    loaded = survey_project(project, report)
    return loaded, report, Board.from_map(loaded.game.map)


def stand(name: str, at: Mapping[str, str], *, moment: str = "", **more: object) -> Verdict:
    """Judge a position of a game. at: space by piece; "id#2" is a second piece of a counter, "id/1" its second face."""
    loaded, _, board = load(name)
    pieces = []
    for word, space in at.items():
        piece, _, step = word.partition("/")
        assert board.map.find(space) is not None, space
        assert piece.split("#")[0] in loaded.game.counter, piece
        pieces.append(Piece(piece, piece.split("#")[0], space, int(step or 0)))
    return judge(loaded.game, board, Position("x", tuple(pieces), **more), moment)  # type: ignore[arg-type]


def of_setup(name: str, setup: str) -> Verdict:
    """Judge a set-up of a game."""
    loaded, _, board = load(name)
    return judge(loaded.game, board, loaded.game.setup[setup])


def controller(verdict: Verdict, space: str) -> str:
    """Return the side that controls a space, empty for nobody."""
    number = int(verdict.layout.control[verdict.board.index[space]])
    return verdict.layout.sides[number] if number >= 0 else ""


def together(space: str, items: Iterable[str]) -> dict[str, str]:
    """Put pieces into one space."""
    return dict.fromkeys(items, space)
