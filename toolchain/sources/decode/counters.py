"""units.csv: one row per counter.

Columns with a meaning of their own: id, name, role, side, nation, kind, symbol, size, layout, copies, cite, assumed.
A column X that has a partner step2_X (or back_X) is printed: X on the front, the partner on the back; step3_X and
step4_X are further steps. A counter has as many faces as steps with a filled cell. Every other column is an attribute
that rules may ask for.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from itertools import accumulate

from toolchain.catalogue import (
    COLUMN_NEAR,
    COUNTERS_TOO_MANY,
    FORMULA,
    MISSING_KEY,
    REPEATED,
    STEP_GAP,
    UNKNOWN_NAME,
    WRONG_VALUE,
)
from toolchain.model.forces import Counter, Face, Side, Value
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.documents import Row, Table, value_of

RESERVED = ("id", "name", "role", "side", "nation", "kind", "symbol", "size", "layout", "copies", "cite", "assumed")
REQUIRED = ("id", "name")
ROLES = ("unit", "marker")
MOST_COPIES = 10_000
MOST_COUNTERS = 10_000  # printed, all in all; the largest published games have some 6000
MOST_STEPS = 9
_STEP = re.compile(r"(?:step([2-9])_|back_)(.+)")
_SHEET_ERRORS = ("#REF!", "#N/A", "#VALUE!", "#DIV/0!", "#NAME?", "#NUM!", "#NULL!", "#ERROR!")


def decode_counters(table: Table, sides: Mapping[str, Side], report: Report) -> tuple[Counter, ...]:
    """Read the counter table; sides are those of game.toml.

    Cells that cannot be used are findings, and empty in what is returned: the counter itself is known, so that all else
    about it can be judged in the same run. Rows without an id are left out.
    """
    missing = [c for c in REQUIRED if c not in table.columns]
    for column in missing:
        near = did_you_mean(column, table.columns)
        report.add(MISSING_KEY, Location(table.file, 1), f"there is no column {column!r}{near}")
    if missing:
        return ()
    steps = _steps(table, report)
    _check_cells(table, report)
    seen: dict[str, int] = {}
    counters = []
    for row in table.rows:
        counter = _counter(row, table.columns, steps, sides, report)
        if counter is None:
            continue
        if counter.id in seen:
            report.add(REPEATED, row.where("id"), f"{counter.id!r} stands in row {seen[counter.id]} already")
            continue
        seen[counter.id] = row.line
        counters.append(counter)
    return _within_bounds(counters, table.file, report)


def _within_bounds(counters: Sequence[Counter], file: str, report: Report) -> tuple[Counter, ...]:
    """Return the counters that fit into MOST_COUNTERS; more are a finding."""
    printed = list(accumulate(c.copies for c in counters))
    if not printed or printed[-1] <= MOST_COUNTERS:
        return tuple(counters)
    message = f"the table prints {printed[-1]} counters; at most {MOST_COUNTERS} are drawn, the rest is left out"
    report.add(COUNTERS_TOO_MANY, Location(file), message)
    return tuple(c for c, total in zip(counters, printed, strict=True) if total <= MOST_COUNTERS)


def _steps(table: Table, report: Report) -> dict[str, tuple[int, str]]:
    """Return the columns of further steps: the number of the step, from 2, and the column of the first one."""
    out: dict[str, tuple[int, str]] = {}
    for column in table.columns:
        hit = _STEP.fullmatch(column)
        if hit is None:
            continue
        if hit[2] not in table.columns:
            report.add(MISSING_KEY, Location(table.file, 1, column), f"there is no column {hit[2]!r} for its front")
        else:
            out[column] = int(hit[1] or 2), hit[2]
    return out


def _check_cells(table: Table, report: Report) -> None:
    """Report what a spreadsheet leaves behind: formulas, columns that were renamed."""
    known = {c.casefold(): c for c in RESERVED if c not in table.columns}
    for column in table.columns:
        near = difflib.get_close_matches(column.casefold(), known, n=1, cutoff=0.85)
        if near and column not in RESERVED:
            message = f"an attribute of its own; did you mean {known[near[0]]!r}?"
            report.add(COLUMN_NEAR, Location(table.file, 1, column), message)
    for row in table.rows:
        for column, cell in row.cells.items():
            if cell.startswith("=") and len(cell) > 1:
                report.add(FORMULA, row.where(column), f"{cell[:40]!r} is a formula, not its value")
            elif cell in _SHEET_ERRORS:
                report.add(FORMULA, row.where(column), f"{cell!r} is what a spreadsheet shows for a failed formula")


def _faces(row: Row, steps: Mapping[str, tuple[int, str]], report: Report) -> tuple[Face, ...]:
    """Return the faces of a row; a step without values before one that has some is a finding."""
    values: list[dict[str, Value]] = [{} for _ in range(MOST_STEPS)]
    first: dict[int, str] = {}
    for column, (step, front) in steps.items():
        if front in row.cells:
            values[0][front] = value_of(row.cells[front])
        if column in row.cells:
            values[step - 1][front] = value_of(row.cells[column])
            first.setdefault(step, column)
    last = max(first, default=1)
    for step in range(2, last):
        if step not in first:
            message = f"step {last} has values and step {step} has none"
            report.add(STEP_GAP, row.where(first[last]), message)
            return tuple(Face(v) for v in values[: step - 1])
    return tuple(Face(v) for v in values[:last])


def _counter(
    row: Row,
    columns: tuple[str, ...],
    steps: Mapping[str, tuple[int, str]],
    sides: Mapping[str, Side],
    report: Report,
) -> Counter | None:
    for column in REQUIRED:
        if not row.get(column):
            report.add(MISSING_KEY, row.where(column), "this cell must be filled")
    if not row.get("id"):
        return None
    role = row.get("role", "unit")
    if role not in ROLES:
        report.add(WRONG_VALUE, row.where("role"), f"{role!r} is neither unit nor marker{did_you_mean(role, ROLES)}")
        role = "unit"
    side, nation = row.get("side"), row.get("nation")
    if side and side not in sides:
        report.add(UNKNOWN_NAME, row.where("side"), f"unknown side {side!r}{_known(side, sides)}")
        side = ""
    nations = {n for s in sides.values() for n in s.nations}
    if nation and nations and nation not in nations:
        report.add(UNKNOWN_NAME, row.where("nation"), f"unknown nation {nation!r}{_known(nation, nations)}")
        nation = ""
    copies = value_of(row.get("copies", "1"))
    if isinstance(copies, bool) or not isinstance(copies, int) or not 0 < copies <= MOST_COPIES:
        report.add(WRONG_VALUE, row.where("copies"), f"{row.get('copies')!r} is no number of copies from 1 to 10000")
        copies = 1
    special = {*RESERVED, *steps, *(front for _, front in steps.values())}
    return Counter(
        id=row.cells["id"],
        name=row.get("name", row.cells["id"]),
        role=role,
        side=side,
        nation=nation,
        kind=row.get("kind"),
        symbol=row.get("symbol"),
        size=row.get("size"),
        layout=row.get("layout"),
        faces=_faces(row, steps, report),
        copies=copies,
        attributes={c: value_of(row.cells[c]) for c in columns if c in row.cells and c not in special},
        cite=row.get("cite"),
        assumed=row.get("assumed"),
        where=row.where(),
    )


def _known(word: str, known: Mapping[str, Side] | set[str]) -> str:
    return did_you_mean(word, known) or "; known here: " + ", ".join(sorted(known))
