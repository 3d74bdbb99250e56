"""The map as tables for a spreadsheet: CSV in UTF-8, a header and one line for each space, hexside or link.

    hexes      key, kind, name, label, sheet, column, row, x, y, (lon, lat,) terrain, features, enterable,
               share.TERRAIN..., trait.NAME..., cite, assumed
    hexsides   a, b, kinds, name, x1, y1, x2, y2, flows, cite, assumed; a river that flows does so from 1 to 2
    links      a, b, kind, one_way, trait.NAME..., cite, assumed

The table of hexes holds every space of the map, boxes and points too; `kind` tells them apart. Several words in a
cell are joined by spaces, truth is yes or no, lengths are sheet millimetres, y down, columns and rows count from 0.

Example, the start of a table of hexes:

    key,kind,name,label,sheet,column,row,x,y,terrain,features,enterable,...
    Harbour,hex,Harbour,0102,main,0,1,24.0,44.0,clear,port,yes,...
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence

from toolchain.model.warmap import WarMap
from toolchain.sources.projection import Projection

TABLES = ("hexes", "hexsides", "links")

Cell = str | int | float


def to_tables(warmap: WarMap, projection: Projection | None = None) -> dict[str, str]:
    """Write a map as CSV tables, by name in the order of `TABLES`. projection: adds longitude and latitude."""
    return {
        "hexes": _spaces(warmap, projection),
        "hexsides": _hexsides(warmap),
        "links": _links(warmap),
    }


def _spaces(warmap: WarMap, projection: Projection | None) -> str:
    terrains = [e.name for e in warmap.legend if e.kind == "terrain"]
    terrains += sorted({t for s in warmap.spaces for t in s.shares} - set(terrains))
    traits = sorted({t for s in warmap.spaces for t in s.traits})
    degrees = (
        []
        if projection is None or not warmap.spaces
        else projection.to_degrees([s.at for s in warmap.spaces]).round(7).tolist()
    )
    columns = ["key", "kind", "name", "label", "sheet", "column", "row", "x", "y"]
    columns += ["lon", "lat"] * bool(degrees)
    columns += ["terrain", "features", "enterable", *(f"share.{t}" for t in terrains), *(f"trait.{t}" for t in traits)]
    rows = []
    for i, s in enumerate(warmap.spaces):
        row: list[Cell] = [s.key, s.kind, s.name, s.label, s.sheet, *(s.cell or ("", "")), *s.at]
        row += degrees[i] if degrees else []
        row += [s.terrain, " ".join(sorted(s.features)), _yes(s.enterable)]
        row += [*(s.shares.get(t, "") for t in terrains), *(s.traits.get(t, "") for t in traits), s.cite, s.assumed]
        rows.append(row)
    return _table([*columns, "cite", "assumed"], rows)


def _hexsides(warmap: WarMap) -> str:
    columns = ("a", "b", "kinds", "name", "x1", "y1", "x2", "y2", "flows", "cite", "assumed")
    rows = (
        (h.a, h.b, " ".join(sorted(h.kinds)), h.name, *h.ends[0], *h.ends[1], _yes(h.flows), h.cite, h.assumed)
        for h in warmap.hexsides
    )
    return _table(columns, rows)


def _links(warmap: WarMap) -> str:
    traits = sorted({t for x in warmap.links for t in x.traits})
    columns = ("a", "b", "kind", "one_way", *(f"trait.{t}" for t in traits), "cite", "assumed")
    rows = ((x.a, x.b, x.kind, _yes(x.one_way), *_values(x.traits, traits), x.cite, x.assumed) for x in warmap.links)
    return _table(columns, rows)


def _values(traits: Mapping[str, str], names: Sequence[str]) -> list[str]:
    return [traits.get(n, "") for n in names]


def _yes(true: bool) -> str:
    return "yes" if true else "no"


def _table(columns: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return out.getvalue()
