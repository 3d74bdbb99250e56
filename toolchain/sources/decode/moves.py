"""Lists of moves: a table with one step of one piece in a row.

Columns: piece, from, to, kind. The kind is the game's own word, such as move, attack or retreat; move by default. The
steps of one piece follow each other in the order of the table.
"""

from __future__ import annotations

from collections.abc import Mapping

from toolchain.catalogue import MISSING_KEY, UNKNOWN_KEY
from toolchain.model.position import Move
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.documents import Table, known_columns

COLUMNS = ("piece", "from", "to", "kind")


def decode_moves(table: Table, spaces: Mapping[str, str], report: Report) -> tuple[Move, ...]:
    """Read a list of moves. spaces: key by every word that the map knows for a space; other words stay as they are.

    Rows that cannot be used are findings and left out.
    """
    for column in known_columns(table, COLUMNS):
        report.add(UNKNOWN_KEY, Location(table.file, 1, column), f"unknown column{did_you_mean(column, COLUMNS)}")
    missing = [c for c in COLUMNS[:3] if c not in table.columns]
    for column in missing:
        report.add(MISSING_KEY, Location(table.file, 1), f"there is no column {column!r}")
    if missing:
        return ()
    moves = []
    for row in table.rows:
        empty = [c for c in COLUMNS[:3] if not row.get(c)]
        for column in empty:
            report.add(MISSING_KEY, row.where(column), "this cell must be filled")
        if not empty:
            start, end = (spaces.get(row.cells[c], row.cells[c]) for c in ("from", "to"))
            moves.append(Move(row.cells["piece"], start, end, row.get("kind", "move"), row.where()))
    return tuple(moves)
