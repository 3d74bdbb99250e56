"""A table of terrain that somebody made by hand, to compare the survey with."""

from __future__ import annotations

from pathlib import Path

from toolchain.catalogue import MISSING_KEY
from toolchain.report import Location, Report
from toolchain.sources.documents import Row, inside, read_table


def read_hand_table(folder: Path, file: str, fence: Path, shown: str, report: Report) -> tuple[Row, ...]:
    """Read the table that [check] names: columns `hex` or `name`, and `terrain`; others are for the maker's notes."""
    path = inside(folder, file, fence, Location(shown, key="check.file"), report)
    table = None if path is None else read_table(path, f"{Path(shown).parent.as_posix()}/{file}", report)
    if table is None:
        return ()
    lacking = [] if "terrain" in table.columns else ["'terrain'"]
    if not {"hex", "name"}.intersection(table.columns):
        lacking.append("'hex' or 'name'")
    for column in lacking:
        report.add(MISSING_KEY, Location(table.file, 1), f"there is no column {column}")
    return () if lacking else table.rows
