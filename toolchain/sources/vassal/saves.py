"""Saved games of any module: what stands where, and what the components remember, read without loss.

A save keeps its own text. Whatever is read out of it is a view; an edit changes single commands and leaves every
other letter as it was.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from toolchain.catalogue import ARCHIVE_DAMAGED, SAVE_UNREADABLE
from toolchain.report import Location, Report
from toolchain.sources.vassal.archive import Archive, read_archive
from toolchain.sources.vassal.codec import (
    TAB,
    decode,
    decode_commands,
    decode_list,
    rewrite_commands,
    unveil,
    veil,
    with_item,
    with_state,
)
from toolchain.sources.vassal.pieces import Traits, read_piece
from toolchain.sources.vassal.traits import BasicPiece, Verbatim

SAVE_LIMIT = 64 * 1024 * 1024
GAME = "savedGame"
FARTHEST = 10_000_000  # pixels
MOST_BOARDS = 1000  # that are laid on one map
_NUMBER = re.compile("[0-9]{1,6}")


@dataclass(frozen=True, slots=True)
class Saved:
    """A piece of a saved game. map: "" for a piece on none. within: id of the stack or deck that it is in, or "".

    place: in the order of the pieces of its stack, bottom first; loose pieces have 0. gpid: "" when it has none.
    """

    ident: str
    traits: Traits
    map: str
    x: int
    y: int
    gpid: str
    within: str = ""
    place: int = 0


@dataclass(frozen=True, slots=True)
class Pile:
    """A stack or a deck. name: of a deck. members: ids, bottom first."""

    ident: str
    map: str
    x: int
    y: int
    members: tuple[str, ...]
    deck: bool = False
    name: str = ""


@dataclass(frozen=True, slots=True)
class Laid:
    """A board that lies on a map, in this column and row of boards."""

    board: str
    column: int
    row: int
    turned: bool = False


@dataclass(frozen=True)
class Save:
    """A saved game. text: its commands. commands: each of them, in the order in which they are carried out.

    pieces and piles by id. boards by map. properties: global ones by container ("Module", a map or a zone) and name.
    turns: states of the turn tracks by number. Entries of the same id: the later one holds, as in the engine.
    """

    archive: Archive | None
    raw: bytes
    text: str
    commands: tuple[str, ...]
    pieces: Mapping[str, Saved] = field(default_factory=dict)
    piles: Mapping[str, Pile] = field(default_factory=dict)
    boards: Mapping[str, tuple[Laid, ...]] = field(default_factory=dict)
    properties: Mapping[tuple[str, str], str] = field(default_factory=dict)
    turns: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def on_maps(self) -> dict[str, list[Saved]]:
        """Pieces by map, "" for none, in the order of the save and bottom first within a stack."""
        out: dict[str, list[Saved]] = {}
        in_order = sorted(enumerate(self.pieces.values()), key=self._key)
        for _, piece in in_order:
            out.setdefault(piece.map, []).append(piece)
        return out

    def _key(self, item: tuple[int, Saved]) -> tuple[int, int]:
        # The pieces of a stack are taken where its first piece stands in the save, in the order of the stack.
        number, piece = item
        if not piece.within:
            return number, 0
        return self._first[piece.within], piece.place

    @cached_property
    def _first(self) -> dict[str, int]:
        first: dict[str, int] = {}
        for number, piece in enumerate(self.pieces.values()):
            if piece.within:
                first.setdefault(piece.within, number)
        return first

    def rewritten(self, edit: Callable[[str], str]) -> bytes:
        """Return the file with every command edited; a file in which nothing changes keeps its very bytes."""
        text = rewrite_commands(self.text, edit)
        if self.archive is None:
            return self.raw if text == self.text else text.encode("utf-8", "surrogateescape")
        if text == self.text:
            return self.archive.data
        return self.archive.changed({GAME: veil(text) if self.raw.startswith(b"!VCSK") else _bytes(text)})

    def with_states(self, changes: Mapping[tuple[str, int], str]) -> bytes:
        """Return the file with the states of some traits changed, by piece id and place of the trait, outermost 0."""
        by_piece: dict[str, dict[int, str]] = {}
        for (ident, place), state in changes.items():
            by_piece.setdefault(ident, {})[place] = state

        def edit(command: str) -> str:
            if not command.startswith("+/"):
                return command
            parts = decode("/", command)
            if len(parts) != 4 or parts[1] not in by_piece:
                return command
            states = parts[3]
            for place, state in by_piece[parts[1]].items():
                states = with_state(states, len(self.pieces[parts[1]].traits), place, state)
            return with_item("/", command, 3, states)

        return self.rewritten(edit)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def read_save(source: Path | bytes, shown: str, report: Report) -> Save | None:
    """Read a saved game or a log; one that cannot be read is a finding and gives None.

    source: a file, or what was read of one; it may be the bare text of the commands too. shown: its name in messages.
    Commands that are not understood are kept; a piece that cannot be taken apart is a finding.
    """
    where = Location(file=shown)
    archive = None
    if isinstance(source, bytes) and source.startswith((b"!VCSK", b"begin_save")):
        raw: bytes | None = source
    else:
        archive = read_archive(source, shown, report)
        if archive is None:
            return None
        if GAME not in archive:
            report.add(ARCHIVE_DAMAGED, where, f"it is no saved game: it holds no {GAME}")
            return None
        raw = archive.read(GAME, report, SAVE_LIMIT)
    if raw is None:
        return None
    try:
        text = unveil(raw)
        commands = tuple(c for c in decode_commands(text) if c)
    except ValueError as error:
        report.add(SAVE_UNREADABLE, where, f"its commands cannot be read: {error}")
        return None
    if "begin_save" not in commands or "end_save" not in commands:
        missing = "begin_save" if "begin_save" not in commands else "end_save"
        report.add(SAVE_UNREADABLE, where, f"it has no command {missing}; VASSAL would not start the game")
    return Save(archive, raw, text, commands, **_understood(commands, shown, report))


def _understood(commands: tuple[str, ...], shown: str, report: Report) -> dict[str, Any]:
    pieces: dict[str, Saved] = {}
    piles: dict[str, Pile] = {}
    boards: dict[str, tuple[Laid, ...]] = {}
    properties: dict[tuple[str, str], str] = {}
    turns: dict[int, str] = {}
    for command in commands:
        if command.startswith("+/"):
            try:
                made = _added(command)
            except ValueError as error:
                ident = command[2:].partition("/")[0][:40]
                report.add(SAVE_UNREADABLE, Location(file=shown, element=ident), f"a piece cannot be read: {error}")
                continue
            if isinstance(made, Pile):
                piles[made.ident] = made
            else:
                pieces[made.ident] = made
        elif command.startswith("GlobalProperty" + TAB):
            words = decode(";", command.partition(TAB)[2])
            if len(words) >= 3:
                properties[words[3] if len(words) > 3 else "Module", words[1]] = words[2]
        elif command.startswith("TURN"):
            tracker, _, state = command.partition(TAB)
            number = tracker.removeprefix("TURNTurnTracker")
            if _NUMBER.fullmatch(number):
                turns[int(number)] = state
        elif "BoardPicker" in command.partition(TAB)[0]:
            words = decode(TAB, command)
            boards[words[0].removesuffix("BoardPicker").rstrip()] = _laid(words[1:])
    for pile in piles.values():
        for place, ident in enumerate(pile.members):
            if ident in pieces:
                p = pieces[ident]
                pieces[ident] = Saved(ident, p.traits, pile.map, pile.x, pile.y, p.gpid, pile.ident, place)
    return {"pieces": pieces, "piles": piles, "boards": boards, "properties": properties, "turns": turns}


def _added(command: str) -> Saved | Pile:
    parts = decode("/", command)
    if len(parts) != 4:
        raise ValueError("it is no command that adds a piece")
    ident, kind, state = parts[1:]
    if kind == "stack" or kind.startswith("deck;"):
        words = decode(";", state)
        if len(words) < 3:
            raise ValueError("a stack without a place")
        board, x, y = _map(words[0]), _pixel(words[1]), _pixel(words[2])
        if kind == "stack":
            return Pile(ident, board, x, y, tuple(w for w in words[3:] if not w.startswith("@@")))
        fields = decode(";", kind)
        members = decode_list(words[4]) if len(words) > 4 else ()
        return Pile(ident, board, x, y, members, True, fields[13] if len(fields) > 13 else "")
    _, traits = read_piece(command)
    basic = traits[-1]
    if isinstance(basic, BasicPiece):
        return Saved(ident, traits, _map(basic.map), _pixel(basic.x), _pixel(basic.y), basic.gpid)
    words = decode(";", basic.kept if isinstance(basic, Verbatim) else basic.state)
    if len(words) < 3:
        raise ValueError("its innermost trait has no place")
    return Saved(ident, traits, _map(words[0]), _pixel(words[1]), _pixel(words[2]), words[3] if len(words) > 3 else "")


def _pixel(value: str | int) -> int:
    number = int(value)
    if abs(number) > FARTHEST:
        raise ValueError("its place is beyond every board")
    return number


def _map(name: str) -> str:
    return "" if name == "null" else name


def _laid(words: list[str]) -> tuple[Laid, ...]:
    out = []
    for name, column, row in zip(words[: 3 * MOST_BOARDS : 3], words[1::3], words[2::3], strict=False):
        if _NUMBER.fullmatch(column) and _NUMBER.fullmatch(row):
            out.append(Laid(name.removesuffix("/rev"), int(column), int(row), name.endswith("/rev")))
    return tuple(out)
