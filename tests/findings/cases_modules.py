"""Cases for the codes V101 to V199: what a module is made from."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from handmade import png
from seven import COUNTERS, PLAN, module_of, pictures_of, seven, seven_map

from toolchain.export.vassal.gpids import read_lock
from toolchain.model.hexes import Numbering
from toolchain.report import Location, Report
from toolchain.sources.decode.vassal import VassalPlan


def module(drop: str = "", picture: tuple[str, bytes] | None = None, plan: dict[str, object] | None = None, **changes):
    """Build the tiny module with one thing changed."""

    def call(folder: Path) -> Report:
        report = Report()
        game = seven(**changes)
        made = VassalPlan.model_validate(plan) if plan else PLAN
        # The picture of a huge map would be huge; the plain game's does for what is asked here.
        drawn = seven() if changes.get("warmap") is HUGE else game
        pictures = {k: v for k, v in pictures_of(drawn, made).items() if k != drop}
        pictures |= dict([picture]) if picture else {}
        module_of(game, made, pictures, report)
        return report

    return call


def svg(width: str) -> tuple[str, bytes]:
    """Write a face as SVG with this width; it is preferred to the PNG of the same name."""
    return "red-1-1.svg", f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="50"/>'.encode()


def moved(**to: str):
    """Change the first piece of the set-up."""
    start = seven().setups[0]
    first = replace(start.pieces[0], where=Location("setups/start.csv", 4), **to)
    return module(setups=(replace(start, pieces=(first, *start.pieces[1:])),))


def named(name: str):
    """Change the name of the first counter."""
    first = replace(COUNTERS[0], name=name, where=Location("units.csv", 2))
    return module(counters=(first, *COUNTERS[1:]))


def lock(text: str):
    """Read a lock."""

    def call(folder: Path) -> Report:
        report = Report()
        read_lock(text, "gpids.toml", report)
        return report

    return call


HUGE = replace(seven_map(), sheets=(replace(seven_map().sheets[0], width=2000.0, height=2000.0),))
LETTERS = seven_map(numbering=Numbering(column_letters=True, column_start=25))

CASES = {
    "V101": (module(drop="red-1-2.png"), module()),
    "V102": (module(picture=svg("15.9mm")), module(picture=svg("50"))),
    "V103": (moved(at="Mittte"), moved(at="Mitte")),
    "V104": (named("Red\\"), named("Red \\ Blue")),
    "V105": (module(plan={"eliminated": {"red": "Reserv"}}), module(plan={"eliminated": {"red": "Reserve"}})),
    "V106": (lock("next = 3\n[gpids]\na = 1\nb = 1\n"), lock("next = 3\n[gpids]\na = 1\nb = 2\n")),
    "V107": (module(picture=("board-main.png", png(600, 359, (1, 2, 3)))), module()),
    "V108": (module(warmap=HUGE), module()),
    "V109": (module(warmap=LETTERS), module()),
    "V110": (module(plan={"hex_pixels": 81}), module(plan={"hex_pixels": 82})),
}
