"""Cases for the codes R101 to R121: the rules data."""

from __future__ import annotations

from pathlib import Path

import tiny

from toolchain.report import Report

MAP = tiny.hexmap(1, 2, features={"0101": "city port"}, traits={"0101": {"sea": "north"}}, boxes=["Pool"])
UNITS = [tiny.unit("r1", mech=True, re="1 1/2"), tiny.unit("b1", "blue", kind="army")]
HEAD = 'format = 1\ngrades = ["full", "limited"]\n[edges.land]\njoin = "hexside"\n'


def rules(text: str):
    def call(folder: Path) -> Report:
        report = Report()
        tiny.game(MAP, UNITS, HEAD + text, report)
        return report

    return call


def pair(bad: str, good: str):
    return rules(bad), rules(good)


CASES = {
    "R101": pair("[[stacking]]\nat_most = 1\nof = { mehc = true }", "[[stacking]]\nat_most = 1\nof = { mech = true }"),
    "R102": pair("[[entry]]\nnever = { space = 'Pol' }", "[[entry]]\nnever = { space = 'Pool' }"),
    "R103": pair("[[zoc]]\nover = 'lnad'", "[[zoc]]\nover = 'land'"),
    "R104": pair(
        "[[supply]]\nlines = [{ grade = 'ful', stages = [] }]", "[[supply]]\nlines = [{ grade = 'full', stages = [] }]"
    ),
    "R105": pair(
        "[[stacking]]\nat_most = 1\nof = { side = 'red', kind = 'army' }",
        "[[stacking]]\nat_most = 1\nof = { side = 'blue', kind = 'army' }",
    ),
    "R106": pair("[[zoc]]\nover = 'land'\nneeds = 'limited'", "[[zoc]]\nover = 'land'\nneeds = 'full'"),
    "R107": pair(
        "[edges.sea]\nhub = { feature = 'port' }\nbarred_by = [{ into = { feature = 'city' } }]",
        "[edges.sea]\nhub = { feature = 'port' }\nbarred_by = [{ at = { feature = 'city' } }]",
    ),
    "R108": pair(
        "[[zoc]]\nover = 'land'\nof = { side = 'enemy' }",
        "[[zoc]]\nover = 'land'\nof = { side = 'red' }\nnegated_by = [{ for = 'supply', of = { side = 'friendly' } }]",
    ),
    "R109": pair("[[stacking]]\nat_most = 1\nweigh = 'name'", "[[stacking]]\nat_most = 1\nweigh = 're'"),
    "R110": pair(
        "[[control.rule]]\nby = 'zone'\n[[zoc]]\nover = 'land'\nneeds = 'full'",
        "[[control.rule]]\nby = 'zone'\n[[zoc]]\nover = 'land'",
    ),
    "R121": pair(
        "[[supply]]\n[[supply]]\nof = { side = 'red' }",
        "[[supply]]\nof = { side = 'red' }\n[[supply]]",
    ),
    "R111": pair("[[without]]\nkind = 'zoc'\n[[zoc]]\nover = 'land'", "[[without]]\nkind = 'zoc'"),
}
