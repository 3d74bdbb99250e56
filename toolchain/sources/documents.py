"""TOML documents and tables, read with their places; every fault becomes a finding."""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from toolchain.catalogue import (
    FILE_MISSING,
    FILE_TOO_BIG,
    FILE_UNREADABLE,
    PATH_OUTSIDE,
    REPEATED,
    TABLE_DELIMITER,
    TABLE_ENCODING,
    WRONG_VALUE,
)
from toolchain.report import Location, Report, counted, did_you_mean

TOML_LIMIT = 4 * 1024 * 1024
TABLE_LIMIT = 32 * 1024 * 1024
DRAWING_LIMIT = 64 * 1024 * 1024
NO_TEXT = "not a text file: neither UTF-8 nor Windows-1252"
OTHER_FILES = {
    b"PK\x03\x04": "a workbook or another packed file, not a text file; save the sheet as CSV",
    b"\xd0\xcf\x11\xe0": "an old workbook, not a text file; save the sheet as CSV",
    b"\xff\xfe": "written in UTF-16; save it in UTF-8",
    b"\xfe\xff": "written in UTF-16; save it in UTF-8",
}
"""How files begin that are taken for text, and what they are."""


@dataclass(frozen=True)
class Row:
    """One row of a table: its number (the header is row 1) and its cells by column; empty cells are left out."""

    file: str
    line: int
    cells: dict[str, str]

    def get(self, column: str, default: str = "") -> str:
        """Return a cell, or the default when it is empty."""
        return self.cells.get(column, default)

    def where(self, column: str = "") -> Location:
        """Return the place of this row, or of one of its cells."""
        return Location(file=self.file, line=self.line, column=column)


@dataclass(frozen=True)
class Table:
    """A table as a spreadsheet saved it. encoding and delimiter are those found."""

    file: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    encoding: str
    delimiter: str


def read_bytes(path: Path, limit: int, where: Location, report: Report) -> bytes | None:
    """Read a whole file of at most `limit` bytes; a missing, unreadable or larger one is a finding and gives None."""
    try:
        size = path.stat().st_size
        if size > limit:
            report.add(
                FILE_TOO_BIG, where, f"{path.name} has {size / 2**20:.0f} MB; at most {limit / 2**20:.0f} MB are read"
            )
            return None
        return path.read_bytes()
    except FileNotFoundError:
        known = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
        report.add(FILE_MISSING, where, f"there is no file {path.name}{did_you_mean(path.name, known)}")
    except OSError as error:
        report.add(FILE_UNREADABLE, where, f"{path.name} cannot be read: {error.strerror or error}")
    return None


def read_text(path: Path, limit: int, where: Location, report: Report) -> tuple[str, str] | None:
    """Read a text file as UTF-8, with or without a byte order mark, or else as cp1252; return text and encoding."""
    data = read_bytes(path, limit, where, report)
    if data is None:
        return None
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\x00" not in text:
            return text, "utf-8" if encoding == "utf-8-sig" else encoding
    kind = next((text for start, text in OTHER_FILES.items() if data.startswith(start)), NO_TEXT)
    report.add(FILE_UNREADABLE, where, f"{path.name} is {kind}")
    return None


def read_toml(path: Path, shown: str, report: Report) -> dict[str, Any] | None:
    """Read a TOML file; shown is its name in messages."""
    where = Location(file=shown)
    got = read_text(path, TOML_LIMIT, where, report)
    if got is None:
        return None
    try:
        return tomllib.loads(got[0])
    except RecursionError:
        report.add(FILE_UNREADABLE, where, "tables or lists lie too deep within each other")
    except ValueError as error:  # of TOML, and of numbers of thousands of digits
        text = re.sub(
            r"Cannot declare \((.*?),?\) twice",
            lambda found: (
                f"[{found[1].replace(chr(39), '').replace(', ', '.')}] is stated twice; each table of a list "
                "has [[ ]] around its name"
            ),
            str(error) if isinstance(error, tomllib.TOMLDecodeError) else "a number has thousands of digits",
        )
        line = getattr(error, "lineno", 0) or _line_of(str(error))
        report.add(FILE_UNREADABLE, Location(file=shown, line=line), f"not TOML: {text}")
    return None


def _line_of(message: str) -> int:
    _, found, rest = message.partition("(at line ")
    return int(rest.split(",")[0].rstrip(")")) if found and rest.split(",")[0].isdigit() else 0


def read_table(path: Path, shown: str, report: Report) -> Table | None:
    """Read a table separated by commas, semicolons or tabs; shown is its name in messages.

    A column that occurs twice, a row with more cells than columns, another encoding than UTF-8 and another delimiter
    than the comma are findings. Blank rows are skipped, and a first row `sep=;`.
    """
    where = Location(file=shown)
    got = read_text(path, TABLE_LIMIT, where, report)
    if got is None:
        return None
    text, encoding = got
    if encoding != "utf-8":
        report.add(TABLE_ENCODING, where, "read as Windows-1252, since it is not UTF-8")
    stated = re.match(r"sep=([,;\t])\r?\n", text)  # a first line that Excel writes and reads
    head = text.lstrip("\r\n").split("\n", 1)[0]
    delimiter = stated[1] if stated else max(",;\t", key=head.count)
    if delimiter != ",":
        report.add(TABLE_DELIMITER, where, f"read as cells between {'tabs' if delimiter == chr(9) else 'semicolons'}")
    records = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    columns: list[str] = []
    rows: list[Row] = []
    number, record = 0, list[str]()
    try:
        for number, record in enumerate(records, start=1):
            if not any(cell.strip() for cell in record) or (stated and number == 1):
                continue
            if not columns:
                columns = [cell.strip() for cell in record]
                for name in sorted({c for c in columns if c and columns.count(c) > 1}):
                    report.add(REPEATED, Location(shown, number, name), f"the column {name!r} occurs twice")
                continue
            if any(cell.strip() for cell in record[len(columns) :]):
                cells, wide = counted(len(record), "cell"), counted(len(columns), "column")
                mend = f"quote cells that hold {'tabs' if delimiter == chr(9) else repr(delimiter)}"
                report.add(WRONG_VALUE, Location(shown, number), f"the row has {cells} and the table {wide}; {mend}")
            filled = {c: v.strip() for c, v in zip(columns, record, strict=False) if c and v.strip()}
            rows.append(Row(shown, number, filled))
    except csv.Error as error:
        report.add(FILE_UNREADABLE, Location(shown, number + 1), f"not a table: {error}")
        return None
    if record and "\n" in record[-1].strip() and not text.rstrip().endswith('"'):  # a cell of lines ends with a quote
        report.add(FILE_UNREADABLE, Location(shown, number), "a quotation mark in this row is never closed")
        return None
    if not columns:
        report.add(FILE_UNREADABLE, where, "the table is empty; its first row must name the columns")
        return None
    return Table(shown, tuple(columns), tuple(rows), encoding, delimiter)


def inside(base: Path, name: str, fence: Path, where: Location, report: Report) -> Path | None:
    """Resolve a file name given in a project against `base`; one that leaves the folder `fence` is a finding."""
    path = (base / name).resolve()
    if not path.is_relative_to(fence.resolve()):
        report.add(PATH_OUTSIDE, where, f"{name} leads out of {fence.name}/")
        return None
    return path


def value_of(cell: str) -> str | int | float | bool:
    """Read a cell as yes or no, a number or else text."""
    low = cell.casefold()
    if low in ("yes", "true"):
        return True
    if low in ("no", "false"):
        return False
    for kind in (int, float):
        try:
            number = kind(cell)
        except ValueError:
            continue
        # "1_000", "nan" and "inf" parse but are words in a table; a leading zero is a label.
        return number if cell.lstrip("-").replace(".", "", 1).isdigit() and not _is_label(cell) else cell
    return cell


def _is_label(cell: str) -> bool:
    digits = cell.lstrip("-")
    return len(digits) > 1 and digits[0] == "0" and digits[1] != "."


def known_columns(table: Table, known: Iterable[str]) -> list[str]:
    """Return the columns of a table that are not among the known ones, in order."""
    names = set(known)
    return [c for c in table.columns if c and c not in names]
