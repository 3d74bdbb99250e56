"""The map graph as files: JSON that this tool reads back, and GraphML for other programs.

JSON, format 1. One object:

    format     1; a reader refuses any other number
    name       of the game; title: as printed
    sheets     list of {name, width, height, title}: printed pieces, trimmed size in millimetres
    grids      by sheet: {orientation, pitch, origin, columns, rows, low, numbering}, as in map.toml;
               `stated` in place of numbering: the number of each hex, column by column
    legend     list of {name, kind, title, note, traits}; kind is terrain, hexside, feature or link
    spaces     list of {key, kind, at, name, label, cell, outline, sheet, terrain, shares, features, traits,
               enterable, cite, assumed}; kind is hex, box, point, area or sea zone; `key` is what everything else
               refers to; at and outline in sheet millimetres, y down; cell is [column, row] from 0; shares are parts
               of the area by terrain
    hexsides   list of {a, b, ends, flows, kinds, name, cite, assumed, line}: the side that two neighbouring hexes or
               areas share, stated once; if it flows, it is a river and its ends are in the order of the water; line is
               how it runs between its ends, for a crooked one
    links      list of {a, b, kind, one_way, traits, cite, assumed, line}: joined by something other than a shared
               side; line is how it was drawn, if it was
    spellings  other words for spaces, each with the key that it stands for
    tracks     list of {key, title, spaces, labels, outline, sheet}: rows of boxes for markers
    placements list of {name, sheet, at, size, turn}: how sheets lie in an arrangement, in its mm

A field that has its default (empty, false; sheet "main", enterable true) is left out. Every space, hexside and link
stands on a line of its own, in the order of the map, so that two versions can be compared line by line.

Example, one space and one hexside:

    {"key": "Ford", "kind": "hex", "at": [44.78461, 32.0], "name": "Ford", "label": "0201", "cell": [1, 0], ...
     "terrain": "clear", ... "features": ["town"], "traits": {"country": "Red Land"}, ...
    {"a": "Harbour", "b": "Ford", "ends": [[30.928203, 32.0], [37.856406, 44.0]]}

GraphML holds the same spaces, hexsides and links. Nested values are flattened: shares and traits as share.NAME and
trait.NAME, sets as words joined by spaces, the ends of a hexside as x1 y1 x2 y2.

Example, the start of one space; the keys d4 and d6 are declared as its kind and its name at the head of the file:

    <node id="Ford">
      <data key="d4">hex</data>
      <data key="d6">Ford</data>
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from lxml import etree

from toolchain.catalogue import FILE_UNREADABLE, UNKNOWN_NAME
from toolchain.graph.build import build_graph
from toolchain.model.warmap import WarMap
from toolchain.report import Location, Report
from toolchain.sources.decode import decode
from toolchain.sources.decode.graphs import GraphData

FORMAT = 1


def to_json(warmap: WarMap) -> str:
    """Write a map as the text of a graph file. Where its parts came from is not kept."""
    parts = [f'"format": {FORMAT}']
    for field in dataclasses.fields(warmap):
        value = getattr(warmap, field.name)
        if isinstance(value, tuple):
            lines = ",\n".join("  " + _line(plain(v)) for v in value)
            parts.append(f'"{field.name}": [\n{lines}\n ]' if value else f'"{field.name}": []')
        else:
            parts.append(f'"{field.name}": {_line(plain(value))}')
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def plain(value: Any) -> Any:
    """Turn model values into what JSON can hold; fields at their defaults go."""
    kind = type(value)
    if kind in _PLAIN:
        return value
    if dataclasses.is_dataclass(kind):
        items = ((name, getattr(value, name), default) for name, default in _defaults(kind))
        return {name: plain(item) for name, item, default in items if item != default}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [plain(v) for v in value]
    if isinstance(value, Mapping):
        return {k: plain(v) for k, v in value.items()}
    return value


_PLAIN = (str, float, int, bool)


@cache
def _defaults(kind: type[Any]) -> tuple[tuple[str, Any], ...]:
    """Return the fields of a dataclass that are written, each with its default."""
    fields = [f for f in dataclasses.fields(kind) if f.name != "where"]
    made = dataclasses.MISSING
    return tuple((f.name, f.default if f.default_factory is made else f.default_factory()) for f in fields)


def read_json(text: str, shown: str, report: Report) -> WarMap | None:
    """Read the text of a graph file.

    shown: its name in messages. What is wrong with it is in the report, and the result is then None. Hexsides and
    links that name a space that the file lacks count as wrong.
    """
    try:
        raw = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = error.lineno if isinstance(error, json.JSONDecodeError) else 0
        report.add(FILE_UNREADABLE, Location(file=shown, line=line), "not JSON")
        return None
    data = decode(GraphData, raw, shown, report)
    if data is None:
        return None
    fields = [f.name for f in dataclasses.fields(WarMap)]
    warmap = WarMap(**{name: getattr(data, name) for name in fields})
    faults = Report()
    for section, joins in (("hexsides", warmap.hexsides), ("links", warmap.links)):
        for i, join in enumerate(joins):
            for end in ("a", "b"):
                if getattr(join, end) not in warmap.by_key:
                    where = Location(file=shown, key=f"{section}.{i}.{end}")
                    faults.add(UNKNOWN_NAME, where, f"unknown space {getattr(join, end)!r}")
    report.extend(faults)
    return None if len(faults) else warmap


def to_graphml(warmap: WarMap) -> bytes:
    """Write a map as GraphML, in UTF-8.

    Own code, since networkx declares its keys in the order of a set: no two runs would give the same file.
    """
    graph = build_graph(warmap)
    nodes = [(key, flat(data)) for key, data in graph.nodes(data=True)]
    edges = [(data["a"], data["b"], flat(data)) for _, _, data in graph.edges(data=True)]
    keys: dict[tuple[str, str], tuple[str, str]] = {}
    for kind, items in (("node", [d for _, d in nodes]), ("edge", [d for _, _, d in edges])):
        types = {name: _TYPES[type(value)] for data in items for name, value in data.items()}
        for name in sorted(types):
            keys[kind, name] = (f"d{len(keys)}", types[name])

    spaces: Any = {None: "http://graphml.graphdrawing.org/xmlns"}
    root = etree.Element("graphml", nsmap=spaces)
    for (kind, name), (key, of) in keys.items():
        etree.SubElement(root, "key", {"id": key, "for": kind, "attr.name": name, "attr.type": of})
    body = etree.SubElement(root, "graph", {"id": _xml(warmap.name), "edgedefault": "undirected"})
    for node, data in nodes:
        _write(etree.SubElement(body, "node", {"id": _xml(node)}), "node", data, keys)
    for i, (a, b, data) in enumerate(edges):
        place = {"id": f"e{i}", "source": _xml(a), "target": _xml(b)}
        _write(etree.SubElement(body, "edge", place), "edge", data, keys)
    return bytes(etree.tostring(root, xml_declaration=True, encoding="utf-8", pretty_print=True))


Flat = str | int | float | bool
_TYPES = {str: "string", int: "long", float: "double", bool: "boolean"}


def _write(element: Any, kind: str, data: Mapping[str, Flat], keys: Mapping[tuple[str, str], tuple[str, str]]) -> None:
    for name, value in data.items():
        text = str(value).lower() if isinstance(value, bool) else _xml(str(value))
        etree.SubElement(element, "data", {"key": keys[kind, name][0]}).text = text


def _xml(text: str) -> str:
    """Drop the control characters that XML cannot hold."""
    return re.sub("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]", "", text)


def flat(data: Mapping[str, Any]) -> dict[str, Flat]:
    """Flatten the attributes of a node or edge: shares and traits as share.NAME and trait.NAME, sets as words."""
    out: dict[str, Flat] = {}
    for name, value in data.items():
        if isinstance(value, Mapping):
            out.update({f"{name.rstrip('s')}.{k}": v for k, v in value.items()})
        elif name == "ends":
            out[name] = " ".join(f"{v:g}" for point in value for v in point)
        elif isinstance(value, tuple):
            out[name] = " ".join(value)
        elif value != "":
            out[name] = value
    return out
