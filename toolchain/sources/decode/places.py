"""The tables beside map.toml: places and links, row by row."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from toolchain.catalogue import MISSING_KEY, WRONG_VALUE
from toolchain.report import Location, Report
from toolchain.sources.documents import Row, inside, read_table

PLACE_COLUMNS = ("name", "lon", "lat", "x", "y", "column", "row", "hex", "terrain", "features", "cite", "assumed")
LINK_COLUMNS = ("a", "b", "kind", "one_way", "cite", "assumed")


@dataclass(frozen=True, slots=True)
class Place:
    """One row of the places: a named hex, or facts about an unnamed one.

    point: longitude and latitude, or sheet millimetres when `on_sheet`. cell: the stated (column, row), which goes
    before the point; label: the stated hex number, likewise.
    """

    name: str
    where: Location
    point: tuple[float, float] | None = None
    on_sheet: bool = False
    cell: tuple[int, int] | None = None
    label: str = ""
    terrain: str = ""
    features: frozenset[str] = frozenset()
    traits: Mapping[str, str] = field(default_factory=dict)
    cite: str = ""
    assumed: str = ""

    @property
    def nowhere(self) -> bool:
        """Tell whether the row gives no place, and so speaks of a space that is drawn or stated elsewhere."""
        return self.point is None and self.cell is None and not self.label


@dataclass(frozen=True, slots=True)
class LinkRow:
    """One row of the links, not yet resolved."""

    a: str
    b: str
    kind: str
    where: Location
    one_way: bool = False
    traits: Mapping[str, str] = field(default_factory=dict)
    cite: str = ""
    assumed: str = ""


def read_places(
    folder: Path, file: str, fence: Path, shown: str, projected: bool, report: Report, *, named: bool = False
) -> tuple[Place, ...]:
    """Read the table of places; rows that cannot be used are findings and left out.

    projected: longitude and latitude can be used. named: a row may give no place, for spaces that are drawn.
    """
    path = inside(folder, file, fence, Location(shown, key="places.file"), report)
    table = None if path is None else read_table(path, f"{Path(shown).parent.as_posix()}/{file}", report)
    if table is None:
        return ()
    if "name" not in table.columns:
        report.add(MISSING_KEY, Location(table.file, 1), "there is no column 'name'")
        return ()
    places = (_place(row, projected, named, report) for row in table.rows)
    return tuple(p for p in places if p is not None)


def _place(row: Row, projected: bool, named: bool, report: Report) -> Place | None:
    faults = Report()
    degrees = _pair(row, "lon", "lat", (180.0, 90.0), faults)
    on_sheet = _pair(row, "x", "y", (1e5, 1e5), faults)
    cell = _pair(row, "column", "row", (1e5, 1e5), faults)
    if cell is not None and any(v != int(v) for v in cell):
        faults.add(WRONG_VALUE, row.where("column"), "column and row are whole numbers, counted from 0")
    if degrees is not None and not projected:
        faults.add(WRONG_VALUE, row.where("lon"), "lon and lat need a [projection] in map.toml; give x and y in mm")
    report.extend(faults)
    if len(faults):
        return None
    if not row.get("name") and cell is None and not row.get("hex"):
        report.add(MISSING_KEY, row.where("name"), "a row without a name must give column and row, or hex")
        return None
    if not named and degrees is None and on_sheet is None and cell is None and not row.get("hex"):
        report.add(MISSING_KEY, row.where(), f"{row.get('name')}: give lon and lat, x and y, column and row, or hex")
        return None
    return Place(
        name=row.get("name"),
        where=row.where(),
        point=degrees or on_sheet,
        on_sheet=degrees is None,
        cell=None if cell is None else (int(cell[0]), int(cell[1])),
        label=row.get("hex"),
        terrain=row.get("terrain"),
        features=frozenset(row.get("features").split()),
        traits={c: v for c, v in row.cells.items() if c not in PLACE_COLUMNS},
        cite=row.get("cite"),
        assumed=row.get("assumed"),
    )


def _pair(row: Row, a: str, b: str, bound: tuple[float, float], report: Report) -> tuple[float, float] | None:
    """Read two numbers that belong together; None when both are empty or one is wrong."""
    if not row.get(a) and not row.get(b):
        return None
    numbers = []
    for column, most in ((a, bound[0]), (b, bound[1])):
        cell = row.get(column)
        try:
            number = float(cell)
        except ValueError:
            number = math.nan
        if not cell:
            report.add(MISSING_KEY, row.where(column), f"{a} and {b} must be given together")
        elif not -most <= number <= most:
            report.add(WRONG_VALUE, row.where(column), f"{cell!r} is not a number from {-most:g} to {most:g}")
        else:
            numbers.append(number)
    return (numbers[0], numbers[1]) if len(numbers) == 2 else None


def read_links(
    folder: Path, file: str, fence: Path, shown: str, report: Report, key: str = "links"
) -> tuple[LinkRow, ...]:
    """Read the table of links; rows that cannot be used are findings and left out. key: of map.toml that names it."""
    path = inside(folder, file, fence, Location(shown, key=f"{key}.file"), report)
    table = None if path is None else read_table(path, f"{Path(shown).parent.as_posix()}/{file}", report)
    if table is None:
        return ()
    missing = [c for c in ("a", "b", "kind") if c not in table.columns]
    for column in missing:
        report.add(MISSING_KEY, Location(table.file, 1), f"there is no column {column!r}")
    if missing:
        return ()
    links = (_link(row, report) for row in table.rows)
    return tuple(link for link in links if link is not None)


def _link(row: Row, report: Report) -> LinkRow | None:
    empty = [c for c in ("a", "b", "kind") if not row.get(c)]
    for column in empty:
        report.add(MISSING_KEY, row.where(column), "this cell must be filled")
    one_way = row.get("one_way", "no").casefold()
    if one_way not in ("yes", "no", "true", "false", "1", "0"):
        report.add(WRONG_VALUE, row.where("one_way"), f"{one_way!r} is not yes or no")
        return None
    if empty:
        return None
    return LinkRow(
        a=row.get("a"),
        b=row.get("b"),
        kind=row.get("kind"),
        where=row.where(),
        one_way=one_way in ("yes", "true", "1"),
        traits={c: v for c, v in row.cells.items() if c not in LINK_COLUMNS},
        cite=row.get("cite"),
        assumed=row.get("assumed"),
    )
