"""units.csv: one row per counter.

Columns with a meaning of their own: id, name, role, side, nation, kind, symbol, size, layout, copies, cite, assumed.
A column X that has a partner back_X is printed: X on the front, back_X on the back. A row whose back_ cells are all
empty is a counter with one face. Every other column is an attribute that rules may ask for.
"""

from __future__ import annotations

from collections.abc import Mapping

from toolchain.catalogue import MISSING_KEY, REPEATED, UNKNOWN_NAME, WRONG_VALUE
from toolchain.model.forces import Counter, Face, Side, Value
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.documents import Row, Table, value_of

RESERVED = ("id", "name", "role", "side", "nation", "kind", "symbol", "size", "layout", "copies", "cite", "assumed")
REQUIRED = ("id", "name")
ROLES = ("unit", "marker")
MOST_COPIES = 10_000


def decode_counters(table: Table, sides: Mapping[str, Side], report: Report) -> tuple[Counter, ...]:
    """Read the counter table; sides are those of game.toml. Rows that cannot be used are findings and left out."""
    missing = [c for c in REQUIRED if c not in table.columns]
    for column in missing:
        near = did_you_mean(column, table.columns)
        report.add(MISSING_KEY, Location(table.file, 1), f"there is no column {column!r}{near}")
    if missing:
        return ()
    backs = [c for c in table.columns if c.startswith("back_")]
    for column in backs:
        if column.removeprefix("back_") not in table.columns:
            front = column.removeprefix("back_")
            report.add(MISSING_KEY, Location(table.file, 1, column), f"there is no column {front!r} for its front")
    printed = [c.removeprefix("back_") for c in backs if c.removeprefix("back_") in table.columns]
    seen: dict[str, int] = {}
    counters = []
    for row in table.rows:
        counter = _counter(row, table.columns, printed, sides, report)
        if counter is None:
            continue
        if counter.id in seen:
            report.add(REPEATED, row.where("id"), f"{counter.id!r} stands in row {seen[counter.id]} already")
            continue
        seen[counter.id] = row.line
        counters.append(counter)
    return tuple(counters)


def _counter(
    row: Row, columns: tuple[str, ...], printed: list[str], sides: Mapping[str, Side], report: Report
) -> Counter | None:
    sound = True
    for column in REQUIRED:
        if not row.get(column):
            report.add(MISSING_KEY, row.where(column), "this cell must be filled")
            sound = False
    role = row.get("role", "unit")
    if role not in ROLES:
        report.add(WRONG_VALUE, row.where("role"), f"{role!r} is neither unit nor marker{did_you_mean(role, ROLES)}")
        sound = False
    side, nation = row.get("side"), row.get("nation")
    if side and side not in sides:
        report.add(UNKNOWN_NAME, row.where("side"), f"unknown side {side!r}{_known(side, sides)}")
        sound = False
    nations = {n for s in sides.values() for n in s.nations}
    if nation and nations and nation not in nations:
        report.add(UNKNOWN_NAME, row.where("nation"), f"unknown nation {nation!r}{_known(nation, nations)}")
        sound = False
    copies = value_of(row.get("copies", "1"))
    if isinstance(copies, bool) or not isinstance(copies, int) or not 0 < copies <= MOST_COPIES:
        report.add(WRONG_VALUE, row.where("copies"), f"{row.get('copies')!r} is no number of copies from 1 to 10000")
        sound = False
        copies = 1
    if not sound:
        return None
    front: dict[str, Value] = {c: value_of(row.cells[c]) for c in printed if c in row.cells}
    back: dict[str, Value] = {c: value_of(row.cells["back_" + c]) for c in printed if "back_" + c in row.cells}
    special = {*RESERVED, *printed, *("back_" + c for c in printed)}
    return Counter(
        id=row.cells["id"],
        name=row.cells["name"],
        role=role,
        side=side,
        nation=nation,
        kind=row.get("kind"),
        symbol=row.get("symbol"),
        size=row.get("size"),
        layout=row.get("layout"),
        faces=(Face(front), Face(back)) if back else (Face(front),),
        copies=copies,
        attributes={c: value_of(row.cells[c]) for c in columns if c in row.cells and c not in special},
        cite=row.get("cite"),
        assumed=row.get("assumed"),
        where=row.where(),
    )


def _known(word: str, known: Mapping[str, Side] | set[str]) -> str:
    return did_you_mean(word, known) or "; known here: " + ", ".join(sorted(known))
