"""Cases for the codes C501 to C599: what a reader of the map sheet would miss."""

from __future__ import annotations

from pathlib import Path

from sheeted import LEGEND, sheet_map

from toolchain.art.mapsheet import build_map_page
from toolchain.model.warmap import LegendEntry
from toolchain.report import Report
from toolchain.sources.decode.mapstyle import decode_map_style


def printed(style=None, **parts):
    """Draw the sheet of a small map."""

    def call(folder: Path) -> Report:
        report = Report()
        look = decode_map_style(style or {}, "maps/small/style.toml", report)
        assert look is not None, list(report)
        build_map_page(sheet_map(**parts), {}, look, report)
        return report

    return call


def tint(value: str):
    return {"tint": [{"trait": "country", "value": value, "colour": "#aa3333"}]}


def overlay(name: str):
    return {"overlay": {"front": {"layer": name}}}


BURMA = {(1, 1): {"country": "Burma"}}

CASES = {
    "C501": (
        printed(names={(1, 1): "Llanfairpwllgwyngyllgogerychwyrndrobwll"}),
        printed(names={(1, 1): "Llanfair Caereinion"}),
    ),
    "C502": (printed(names={(1, 1): "東京"}), printed(names={(1, 1): "Łódź"})),
    "C503": (
        printed(boxes={"Reserve": (20, 20, 30, 30)}),
        printed(boxes={"Reserve": (160, 20, 36, 36)}, size=(320, 320)),
    ),
    "C504": (
        printed(legend=(*LEGEND, LegendEntry("bocage", "terrain"))),
        printed(legend=(*LEGEND, LegendEntry("bocage", "terrain")), style={"terrain": {"bocage": {"fill": "#c3d3a2"}}}),
    ),
    "C506": (printed(size=(130, 140)), printed(size=(500, 500))),
    "C505": (
        printed({**tint("Brma"), **overlay("front")}, traits=BURMA),
        printed(tint("Burma"), traits=BURMA),
    ),
}
