"""A position out of a saved game: the way back from pixels and layers to spaces and steps.

What VASSAL keeps as pieces, properties and turns is read; what a set-up says in words that no piece shows (events,
facts, who controls what bears no marker) is kept by the module as global properties, and where an old save lacks them
the set-up that is named to the reader holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from numpy.typing import NDArray

from toolchain.catalogue import PIECE_ASTRAY, PIECE_FOREIGN, SAVE_OF_ANOTHER
from toolchain.export.vassal.board import Board, build_boards
from toolchain.export.vassal.carried import Reading
from toolchain.model.game import Game
from toolchain.model.position import Piece, Position
from toolchain.report import Location, Report
from toolchain.sources.vassal.codec import decode
from toolchain.sources.vassal.saves import Laid, Save, Saved
from toolchain.sources.vassal.traits import BasicPiece, Layer, Marker

SETUP, CONTROLLER = "Setup", "Controller"
EVENT, FACT = "Event ", "Fact "
PIECE, ON, STATES, SUPPLY = "Piece", "On", "States", "Supply"
"""What set-ups tell of a piece that nothing on it shows, kept among its own properties."""
STEP = "Step"
NEAR = 0.6  # of the pitch of the grid: how far from the middle of a hex without outline a piece is still in it
AROUND = 8.0  # millimetres around a point without extent


def global_words(game: Game) -> dict[str, str]:
    """Return the global properties by which saves tell what no piece shows, with their values before any set-up."""
    facts = dict.fromkeys(f for s in game.setups for f in s.facts)
    words = {SETUP: "", CONTROLLER: ""}
    return words | {EVENT + e: "false" for e in game.events} | {FACT + f: "" for f in facts}


def setup_words(game: Game, position: Position) -> dict[str, str]:
    """Return the values of the global properties in a set-up."""
    words = global_words(game) | {SETUP: position.name, CONTROLLER: position.controller}
    words |= {EVENT + e: "true" for e in game.events if e in position.events}
    return words | {FACT + f: value for f, value in position.facts.items()}


def piece_words(piece: Piece, supply: str) -> tuple[str, ...]:
    """Return what a piece of a set-up remembers, names and values in turn. supply: the grade judged before, or ""."""
    words = {PIECE: piece.id if piece.id != piece.counter else "", ON: piece.on}
    words |= {STATES: " ".join(piece.states), SUPPLY: supply}
    return tuple(w for name, value in words.items() if value for w in (name, value))


@dataclass(frozen=True)
class Found:
    """A piece of the game in a saved game. saved: as it stands there."""

    saved: Saved
    piece: Piece
    supply: str


def read_position(
    game: Game, reading: Reading, save: Save, name: str, shown: str, report: Report, setup: str = ""
) -> tuple[Position, Mapping[str, Saved]]:
    """Read a position out of a saved game; return it and the saved pieces by id in the position.

    name: of the position. shown: the save's name in messages. setup: whose words hold where the save has none. Pieces
    that are none of the game's, or that stand between spaces, are findings and left out; those in decks and hands are
    no part of the position.
    """
    words = {n: v for (container, n), v in save.properties.items() if container == "Module"}
    base = game.setup.get(words.get(SETUP, "") or setup) or Position(name)
    found = list(_pieces(game, reading, save, shown, report))
    pieces, control = [], {}
    saved: dict[str, Saved] = {}
    supply: dict[str, str] = {}
    sides = {face: side for side, face in reading.control.items()}
    for f in found:
        side = sides.get((f.piece.counter, f.piece.step))
        if side is not None:
            control[f.piece.at] = side
            continue
        pieces.append(f.piece)
        saved[f.piece.id] = f.saved
        if f.supply:
            supply[f.piece.id] = f.supply
    # A box bears no marker of control, nor does a space of a side that has none: there the set-up says whose it is.
    for at, side in base.control.items():
        unmarked = side not in reading.control or (at in game.map.by_key and game.map.by_key[at].kind == "box")
        if unmarked and at not in control:
            control[at] = side
    told = any(n.startswith(EVENT) for n in words)
    position = replace(
        base,
        name=name,
        pieces=tuple(pieces),
        control=control,
        controller=words.get(CONTROLLER, "") or base.controller,
        events=frozenset(e for e in game.events if words.get(EVENT + e) == "true") if told else base.events,
        turn=_turn(save, game, base),
        facts={**base.facts, **{n.removeprefix(FACT): v for n, v in words.items() if n.startswith(FACT) and v}},
        where=Location(file=shown),
        control_where={},
        supply=supply,
    )
    return position, saved


def _turn(save: Save, game: Game, base: Position) -> int:
    """Return the number of the turn: the first track's first level counts from 0."""
    state = save.turns.get(0, "").partition("|")[2]
    number = decode(";", decode("|", state)[0])[0] if state else ""
    if not game.track.turns or re.fullmatch("[0-9]{1,6}", number) is None:
        return base.turn
    # A set-up before the first turn shows the first.
    return base.turn if number == "0" and base.turn == 0 else int(number) + 1


def _pieces(game: Game, reading: Reading, save: Save, shown: str, report: Report) -> Iterator[Found]:
    counter_of = {str(n): c for c, n in reading.gpids.items() if c in game.counter}
    boards = _boards(game, reading)
    maps = save.on_maps
    decks = {pile.ident for pile in save.piles.values() if pile.deck}
    here = [p for p in maps.get(reading.map, []) if p.within not in decks]
    if not here and reading.map not in maps and any(maps):
        listed = ", ".join(sorted(m for m in maps if m))
        report.add(SAVE_OF_ANOTHER, Location(file=shown), f"no piece stands on map {reading.map!r}; its maps: {listed}")
    spaces = _spaces(game, boards, save.boards.get(reading.map, ()), [(p.x, p.y) for p in here], shown, report)
    used: dict[str, int] = {}
    taken = {word for p in here if (word := _memory(p).get(PIECE, ""))}
    for p, space in zip(here, spaces, strict=True):
        counter = counter_of.get(p.gpid) or _marker(p, "Counter")
        where = Location(file=shown, element=p.ident)
        place = f"on map {p.map} at pixel {p.x}, {p.y}"
        if counter not in game.counter:
            text = f"{piece_name(p)!r} {place} has the piece id {p.gpid or 'none'}, which no counter has"
            report.add(PIECE_FOREIGN, where, text, map=p.map, x=p.x, y=p.y, gpid=p.gpid)
            continue
        if not space:
            text = f"{piece_name(p)!r} stands between spaces, {place}"
            report.add(PIECE_ASTRAY, where, text, map=p.map, x=p.x, y=p.y, counter=counter)
            continue
        memory = _memory(p)
        ident = memory.get(PIECE, "")
        if not ident or used.get(ident):
            ident = _fresh(counter, used, taken)
        used[ident] = 1
        step = min(_step(p), len(game.counter[counter].faces) - 1)
        states = tuple(memory.get(STATES, "").split())
        yield Found(p, Piece(ident, counter, space, step, where, memory.get(ON, ""), states), memory.get(SUPPLY, ""))
    for p in maps.get("", []):
        counter = counter_of.get(p.gpid, "")
        if counter in game.counter:
            where = Location(file=shown, element=p.ident)
            report.add(PIECE_ASTRAY, where, f"{piece_name(p)!r} stands on no map", map="", counter=counter)


def _boards(game: Game, reading: Reading) -> list[Board]:
    """Return the boards of the map under the names that they have in the module."""
    laid = build_boards(game.map, reading.scale)
    return [replace(b, name=name) for b, name in zip(laid, reading.boards, strict=False)]


def _fresh(counter: str, used: Mapping[str, int], taken: set[str]) -> str:
    number, ident = 1, counter
    while ident in used or ident in taken:
        number += 1
        ident = f"{counter}#{number}"
    return ident


def _memory(piece: Saved) -> dict[str, str]:
    """Return what the piece remembers for us."""
    basic = piece.traits[-1]
    words = basic.properties if isinstance(basic, BasicPiece) else ()
    return dict(zip(words[::2], words[1::2], strict=False))


def _marker(piece: Saved, name: str) -> str:
    for t in piece.traits:
        if isinstance(t, Marker) and name in t.names[: len(t.values)]:
            return t.values[t.names.index(name)]
    return ""


def _step(piece: Saved) -> int:
    return next((abs(t.level) - 1 for t in piece.traits if isinstance(t, Layer) and t.name == STEP), 0)


def piece_name(piece: Saved) -> str:
    """Return the name that the piece was made with."""
    basic = piece.traits[-1]
    if isinstance(basic, BasicPiece):
        return basic.name
    words = decode(";", basic.definition)
    return words[4] if len(words) > 4 else ""


def _spaces(
    game: Game,
    boards: Sequence[Board],
    laid: Sequence[Laid],
    points: Sequence[tuple[int, int]],
    shown: str,
    report: Report,
) -> list[str]:
    """Return the space of every point of a map, by key; "" for one between spaces."""
    out = [""] * len(points)
    if not points:
        return out
    at = np.array(points, dtype=np.float64)
    for board, left, top in _placed(boards, laid, shown, report):
        local = at - (left, top)
        on = (local >= 0).all(axis=1) & (local < (board.width, board.height)).all(axis=1)
        rows = np.flatnonzero(on)
        for row, key in zip(rows.tolist(), spaces_at(board, local[rows]), strict=True):
            out[row] = key
    return out


def _placed(
    boards: Sequence[Board], laid: Sequence[Laid], shown: str, report: Report
) -> Iterator[tuple[Board, int, int]]:
    """Yield each board that lies on the map, with its upper left corner in pixels.

    Source: the engine lays boards out in columns and rows; a board begins where those before it in its row, and above
    it in its column, end.
    """
    by_name = {b.name: b for b in boards}
    if not laid:
        yield from ((b, b.left, 0) for b in boards)
        return
    for one in laid:
        board = by_name.get(one.board)
        if board is None:
            report.add(SAVE_OF_ANOTHER, Location(file=shown), f"its board {one.board!r} is none of the map's sheets")
            continue
        left = sum(
            by_name[o.board].width for o in laid if o.row == one.row and o.column < one.column and o.board in by_name
        )
        top = sum(
            by_name[o.board].height for o in laid if o.column == one.column and o.row < one.row and o.board in by_name
        )
        yield board, left, top


def spaces_at(board: Board, points: NDArray[np.float64]) -> list[str]:
    """Return the space of every point of a board, by key, "" for none. points: pixels of the board, shape (n, 2).

    Boxes and areas lie over hexes, as in the module. A point without extent takes what lies near.
    """
    shaped = [s for s in board.spaces if s.outline]
    order = [i for i, s in enumerate(shaped) if s.cell is None] + [
        i for i, s in enumerate(shaped) if s.cell is not None
    ]
    shaped = [shaped[i] for i in order]
    best = np.full(len(points), len(shaped))
    if shaped:
        tree = shapely.STRtree([shapely.Polygon(board.outline(s)) for s in shaped])
        which, space = tree.query(shapely.points(points), predicate="intersects")
        np.minimum.at(best, which, space)
    out = [shaped[i].key if i < len(shaped) else "" for i in best.tolist()]
    bare = [s for s in board.spaces if not s.outline]
    if bare:
        around = board.hexes.grid.pitch * NEAR if board.hexes else AROUND
        reach = [(around if s.cell is not None else AROUND) * board.scale for s in bare]
        near = shapely.STRtree(shapely.points([board.at(s) for s in bare]))
        (which, space), apart = near.query_nearest(shapely.points(points), return_distance=True, all_matches=False)
        for i, j, far in zip(which.tolist(), space.tolist(), apart.tolist(), strict=True):
            if not out[i] and far <= reach[j]:
                out[i] = bare[j].key
    return out


def which_arrangement(games: Mapping[str, Game], readings: Mapping[str, Reading], save: Save, setup: str = "") -> str:
    """Return the arrangement that a save was played on: that of its set-up, else of its boards, else the first."""
    name = save.properties.get(("Module", SETUP), "") or setup
    for arrangement, game in games.items():
        if name in game.setup:
            return arrangement
    for arrangement, game in games.items():
        reading = readings[arrangement]
        names = {b.name for b in _boards(game, reading)}
        laid = {one.board for one in save.boards.get(reading.map, ())}
        if laid and laid <= names:
            return arrangement
    return next(iter(games))


def spaces_of(game: Game, reading: Reading, save: Save) -> dict[int, str]:
    """Return the spaces of the pieces on the game's map, by the identity of the saved piece; none between spaces."""
    here = save.on_maps.get(reading.map, [])
    laid = save.boards.get(reading.map, ())
    keys = _spaces(game, _boards(game, reading), laid, [(p.x, p.y) for p in here], "", Report())
    return {id(p): key for p, key in zip(here, keys, strict=True) if key}
