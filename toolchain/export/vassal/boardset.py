"""The boards that a module offers: the game's map, its other arrangements, and single sheets to lay freely."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from toolchain.catalogue import BOARD_SIZE, BOARD_TOO_BIG, NUMBERING_UNKNOWN, PICTURE_MISSING
from toolchain.export.vassal.board import Board, build_boards
from toolchain.export.vassal.pictures import find_picture, picture_size
from toolchain.model.game import Game
from toolchain.model.warmap import WarMap
from toolchain.report import Location, Report

PIXEL_LIMIT = 60_000_000


@dataclass(frozen=True)
class BoardSet:
    """Boards that lie side by side. game: as it is played on them. files: their pictures, "" for one that is missing.

    free: a sheet by itself, which players lay as they like.
    """

    game: Game
    boards: tuple[Board, ...]
    files: tuple[str, ...]
    free: bool = False


def build_board_sets(
    games: Sequence[Game], singles: Sequence[Game], pictures: Mapping[str, bytes], scale: float, report: Report
) -> tuple[BoardSet, ...]:
    """Lay out the boards of every arrangement, then those of single sheets; no two of them share a name."""
    laid = lay_boards([game.map for game in (*games, *singles)], scale)
    out = []
    for number, (game, boards) in enumerate(zip((*games, *singles), laid, strict=True)):
        files = tuple(_file(b, pictures, report) for b in boards)
        out.append(BoardSet(game, boards, files, free=number >= len(games)))
        if not out[-1].free:
            _check_numbers(boards, report)
    return tuple(out)


def _check_numbers(boards: Sequence[Board], report: Report) -> None:
    for board in boards:
        if board.hexes and board.numbering is None:
            text = f"sheet {board.sheet.name!r}: VASSAL has no such numbers for hexes; every hex gets a zone"
            report.add(NUMBERING_UNKNOWN, Location(file=f"{board.image}.png"), text)


def lay_boards(maps: Sequence[WarMap], scale: float) -> list[tuple[Board, ...]]:
    """Lay out the boards of several maps, or arrangements of one; no two of them share a name."""
    taken: set[str] = set()
    out = []
    for warmap in maps:
        boards = []
        for board in build_boards(warmap, scale):
            name, n = board.name, 2
            while name in taken:
                name, n = f"{board.name} ({n})", n + 1
            taken.add(name)
            boards.append(replace(board, name=name))
        out.append(tuple(boards))
    return out


def _file(board: Board, pictures: Mapping[str, bytes], report: Report) -> str:
    name = find_picture(board.image, pictures)
    if name is None:
        where = Location(file=f"{board.image}.png")
        report.add(PICTURE_MISSING, where, f"there is no picture {board.image!r} of the sheet {board.sheet.name!r}")
        return ""
    size, due = picture_size(name, pictures[name], report), (board.width, board.height)
    where = Location(file=name)
    if size and size != due:
        text = f"{size[0]} by {size[1]} pixels; the sheet is {due[0]} by {due[1]} at {board.scale:g} pixels per mm"
        report.add(BOARD_SIZE, where, text)
    if due[0] * due[1] > PIXEL_LIMIT:
        text = f"{due[0]} by {due[1]} pixels are {due[0] * due[1] / 1e6:.0f} million; 60 million are the limit"
        report.add(BOARD_TOO_BIG, where, text)
    return name
