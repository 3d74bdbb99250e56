"""Cases for the codes V120 to V159: the rules inside a module, its keys, decks and boards."""

from __future__ import annotations

from dataclasses import replace

from cases_modules import module
from seven import COUNTERS, module_of, seven, seven_map
from test_rules_inside import RULES, game_of

from toolchain.export.vassal.limits import build_limits
from toolchain.export.vassal.since import compare_modules
from toolchain.export.vassal.zonesofcontrol import build_exerting
from toolchain.report import Report
from toolchain.sources.decode.vassal import VassalPlan
from toolchain.sources.vassal.modules import read_module


def ruled(call, more: str = ""):
    """Work out something of the game with rules; more: further rules."""

    def run(folder):
        report = Report()
        call(game_of({}, RULES + more), report)
        return report

    return run


def limits(game, report):
    build_limits([game], report)


def exerting(game, report):
    build_exerting(game, VassalPlan(), report)


HELD = '[[stacking]]\nat_most = 5\nwhere = { control = "red" }\n'


def send(letter: str) -> dict[str, object]:
    return {"send": [{"title": "To the pool", "to": "Reserve", "key": letter}]}


def rebuilt(change):
    """Compare the tiny module with one after a change to its game."""

    def call(folder):
        report = Report()
        old, new = (read_module(module_of(g), n, report) for g, n in ((seven(), "old.vmod"), (change(), "new.vmod")))
        return Report(compare_modules(old, new))

    return call


def renamed():
    return seven(counters=(replace(COUNTERS[0], name="Ist Corps"), *COUNTERS[1:]))


def regridded():
    return seven(seven_map("pointy"))


CASES = {
    "V120": (ruled(limits, HELD), ruled(limits)),
    "V121": (ruled(exerting, '[[zoc]]\nof = { mech = true }\nover = "land"\nwhen = { turn = 2 }\n'), ruled(exerting)),
    "V123": (rebuilt(renamed), rebuilt(seven)),
    "V124": (rebuilt(regridded), rebuilt(renamed)),
    "V122": (module(plan=send("D")), module(plan=send("P"))),
}
