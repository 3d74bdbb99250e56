"""Cases for the codes P101 to P699: positions."""

from __future__ import annotations

from pathlib import Path

import tiny

from toolchain.checks.positions import check_position
from toolchain.report import Report

MAP = tiny.hexmap(1, 4, features={"0101": "city"}, boxes=["Pool"], traits={"0103": {"zone": "east"}})
UNITS = [tiny.unit(f"r{i}") for i in range(1, 4)] + [tiny.unit("b1", "blue")]
RULES = (
    tiny.RULES
    + """
[[control.home]]
where = { kind = "box" }
side = "red"
[[entry]]
of = { side = "red" }
never = { zone = "east" }
"""
)


def found(at, control=None, controller="red"):
    def call(folder: Path) -> Report:
        return Report(check_position(tiny.verdict(tiny.game(MAP, UNITS, RULES), at, control, controller=controller)))

    return call


def facing(**more):
    return lambda folder: Report(check_position(tiny.facing(**more)))


CASES = {
    "P101": (found({"r1": "0101", "r2": "0101", "r3": "0101"}), found({"r1": "0101", "r2": "0101", "r3": "0102"})),
    "P201": (facing(), facing(r1="p")),
    "P301": (found({"r1": "0104"}, {"0102": "blue"}), found({"r1": "0102"})),
    "P302": (facing(), facing(r1="p")),
    "P501": (found({}, {"0102": "bleu"}), found({}, {"0102": "blue"})),
    "P502": (found({"r1": "0101"}, {"0101": "blue"}), found({"r1": "0101"})),
    "P503": (found({}, {"Pool": "blue"}), found({}, {"Pool": "red"})),
    "P601": (found({"r1": "0103"}), found({"b1": "0103"})),
    "P602": (found({"r1": "0102", "b1": "0102"}), found({"r1": "0102", "b1": "0104"})),
}
