"""Cases for the codes C101 to C299: styles, faces, symbols, sheets."""

from __future__ import annotations

from pathlib import Path

from toolchain.art.faces import build_faces
from toolchain.art.imposition import build_sheets
from toolchain.art.symbols import read_symbol
from toolchain.model.forces import Counter, Face
from toolchain.report import Location, Report
from toolchain.sources.decode.style import check_style_names, decode_style

TEXT = {"draw": "text", "text": "{text}", "size": 0.2, "box": [0.8, 0.3], "least": 1.5}


def style_of(*elements, **changes):
    return {
        "format": 1,
        "sizes": {"half": {"width": "1/2 in", "height": "1/2 in"}},
        "colours": {"ink": "#101010"},
        "layouts": {"plain": {"elements": list(elements)}, "other": {}},
        **changes,
    }


def style(*elements, **changes):
    def call(folder: Path) -> Report:
        report = Report()
        decode_style(style_of(*elements, **changes), "style.toml", report)
        return report

    return call


def names(columns: str):
    def call(folder: Path) -> Report:
        report = Report()
        got = decode_style(style_of({**TEXT, "when": {"nation": "R"}}), "style.toml", report)
        report.extend(check_style_names(got, columns.split(), "style.toml"))
        return report

    return call


def face(*elements, size="half", layout="plain", **values):
    def call(folder: Path) -> Report:
        report = Report()
        got = decode_style(style_of(*elements), "style.toml", report)
        where = Location("units.csv", 2)
        counter = Counter("a", "A", size=size, layout=layout, faces=(Face(values),), where=where)
        build_faces(counter, got, report)
        return report

    return call


def symbol(words: str):
    def call(folder: Path) -> Report:
        report = Report()
        read_symbol(words, Location("units.csv", 2, "symbol"), report)
        return report

    return call


def sheet(**changes):
    def call(folder: Path) -> Report:
        report = Report()
        got = decode_style(style_of(sheet=changes), "style.toml", report)
        counter = Counter("a", "A", size="half", layout="plain")
        pages = build_faces(counter, got, report)
        build_sheets([(counter, pages)], got.sizes["half"], got.sheet, report)
        return report

    return call


ICON = {"draw": "icon", "icon": "{icon}", "width": 0.5}

CASES = {
    "C101": (face(size="hlaf"), face()),
    "C102": (face(layout="plian"), face()),
    "C103": (style({"draw": "box", "fill": "inc"}), style({"draw": "box", "fill": "ink"})),
    "C104": (names("id txt"), names("id text")),
    "C201": (face(TEXT, text="Reinforcements from the east"), face(TEXT, text="East")),
    "C202": (face(TEXT, text="A→B"), face(TEXT, text="A-B")),
    "C203": (symbol("infantery corps"), symbol("infantry corps")),
    "C204": (face(TEXT), face({**TEXT, "optional": True})),
    "C205": (face(ICON, icon="tnak"), face(ICON, icon="tank")),
    "C206": (sheet(block=[20, 10]), sheet(block=[10, 10])),
}
