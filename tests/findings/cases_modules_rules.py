"""Cases for the codes V120 to V159: the rules inside a module, its keys, decks and boards."""

from __future__ import annotations

from cases_modules import module
from test_rules_inside import RULES, game_of

from toolchain.export.vassal.limits import build_limits
from toolchain.export.vassal.zonesofcontrol import build_exerting
from toolchain.report import Report
from toolchain.sources.decode.vassal import VassalPlan


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


CASES = {
    "V120": (ruled(limits, HELD), ruled(limits)),
    "V121": (ruled(exerting, '[[zoc]]\nof = { mech = true }\nover = "land"\nwhen = { turn = 2 }\n'), ruled(exerting)),
    "V122": (module(plan=send("D")), module(plan=send("P"))),
}
