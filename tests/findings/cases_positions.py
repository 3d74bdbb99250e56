"""Cases for the codes P101 to P699: positions."""

from __future__ import annotations

from pathlib import Path

import tiny

from toolchain.checks.moves import check_moves
from toolchain.checks.positions import check_position
from toolchain.model.position import Move
from toolchain.report import Location, Report

MAP = tiny.hexmap(1, 4, features={"0101": "city"}, boxes=["Pool"], traits={"0103": {"zone": "east"}})
UNITS = [tiny.unit(f"r{i}") for i in range(1, 4)] + [tiny.unit("b1", "blue")]
UNITS += [tiny.unit("bm", "blue", mech=True)]
UNITS += [tiny.unit("fort", kind="fort", home="0102"), tiny.unit("ship", kind="ship"), tiny.unit("army", kind="army")]
RULES = (
    tiny.RULES.replace("[edges.land]", 'states = ["dropped"]\n[edges.land]', 1)
    + """
[[control.home]]
where = { kind = "box" }
side = "red"
[[entry]]
of = { side = "red" }
never = { zone = "east" }
[[entry]]
of = { kind = "fort" }
only_at = "home"
[[carry]]
carrier = { kind = "ship" }
cargo = { kind = "corps" }
at_most = 1
[[company]]
of = { kind = "army" }
holds = { kind = "ship" }
[[hexside_limit]]
moves = "attack"
crossings = [{ at_most = 1 }]
"""
)
WEATHER = RULES.replace(
    "at_most = 2 }]\n[[supply.lines]]", "at_most_by = { weather = { mud = 1 } } }]\n[[supply.lines]]"
)
DECIDED = RULES + '[[control.rule]]\nby = "occupation"\n'
BARE = "format = 1\n"
SHARE = (
    BARE
    + """[[proportion]]
name = "armour"
moves = "attack"
counts = [{ of = { mech = true }, by = 1 }]
"""
)
ALONE = (
    RULES
    + """
[[status]]
name = "isolated"
through = { control = "friendly" }
sources = [{ where = { feature = "city" } }]
lines = [{ stages = [{ over = "land" }] }]
"""
)
ZONES = """format = 1
[edges.land]
join = "hexside"
[[zoc]]
of = { mech = true }
over = "land"
effect = { moves = "attack", """


def found(at, control=None, controller="red", rules=RULES, only=(), **more):
    def call(folder: Path) -> Report:
        game = tiny.game(MAP, UNITS, rules)
        return Report(check_position(tiny.verdict(game, at, control, controller=controller, **more), only))

    return call


def moves(*steps, rules=RULES, kind="attack", **at):
    def call(folder: Path) -> Report:
        verdict = tiny.verdict(tiny.game(MAP, UNITS, rules), {**dict.fromkeys(("r1", "r2"), "0101"), **at})
        return Report(check_moves(verdict, [Move(*s, kind, Location("moves.csv", 2)) for s in steps]))

    return call


def facing(**more):
    return lambda folder: Report(check_position(tiny.facing(**more)))


CASES = {
    "P101": (found({"r1": "0101", "r2": "0101", "r3": "0101"}), found({"r1": "0101", "r2": "0101", "r3": "0102"})),
    "P102": (
        found({"r1": "0101", "r2": "0101"}, on={"r1": "r2"}),
        found({"r1": "0101", "ship": "0101"}, on={"r1": "ship"}),
    ),
    "P103": (
        found({"r1": "Pool", "r2": "Pool", "ship": "Pool"}, on={"r1": "ship", "r2": "ship"}),
        found({"r1": "Pool", "r2": "Pool", "ship": "Pool"}, on={"r1": "ship"}),
    ),
    "P104": (found({"army": "0101"}), found({"army": "0101", "ship": "0101"})),
    "P105": (
        moves(("r1", "0101", "0102"), rules=SHARE + "at_least = 1\n"),
        moves(("r1", "0101", "0102"), rules=SHARE + "at_least = 0\n"),
    ),
    "P106": (
        moves(("bm", "0103", "0102"), rules=SHARE, bm="0103"),
        moves(("r1", "0101", "0102"), rules=SHARE),
    ),
    "P107": (
        found({"r1": "0101", "r2": "0102"}, rules="format = 1\n[[setup_limit]]\nat_most = 1\n"),
        found({"r1": "0101", "r2": "0102"}, rules="format = 1\n[[setup_limit]]\nat_most = 2\n"),
    ),
    "P201": (facing(), facing(r1="p")),
    "P301": (found({"r1": "0104"}, {"0102": "blue"}), found({"r1": "0102"})),
    "P302": (facing(), facing(r1="p")),
    "P303": (found({"r1": "0104"}, {"0102": "blue"}, rules=ALONE), found({"r1": "0102"}, rules=ALONE)),
    "P401": (moves(("r1", "0101", "0102"), ("r2", "0101", "0102")), moves(("r1", "0101", "0102"))),
    "P402": (moves(("r1", "0101", "0104")), moves(("r1", "0101", "0102"))),
    "P403": (moves(("r9", "0101", "0102")), moves(("r1", "0101", "0102"))),
    "P404": (
        moves(("r1", "0101", "0102"), rules=ZONES + "leave = 'stop' }", bm="0102"),
        moves(("r1", "0101", "0102"), rules=ZONES + "enter = 'stop' }", bm="0102"),
    ),
    "P405": (
        moves(("r1", "0101", "0102"), rules=ZONES + "retreat = 1 }", bm="0103", kind="retreat"),
        moves(("r1", "0101", "0102"), rules=ZONES + "retreat = 1 }", bm="0104", kind="retreat"),
    ),
    "P501": (found({}, {"0102": "bleu"}), found({}, {"0102": "blue"})),
    "P502": (found({"r1": "0101"}, {"0101": "blue"}), found({"r1": "0101"})),
    "P503": (found({}, {"Pool": "blue"}), found({}, {"Pool": "red"})),
    "P504": (
        found({"r1": "0101"}, {"0101": "blue"}, rules=DECIDED),
        found({"r1": "0101"}, {"0101": "red"}, rules=DECIDED),
    ),
    "P601": (found({"r1": "0103"}), found({"b1": "0103"})),
    "P602": (found({"r1": "0102", "b1": "0102"}), found({"r1": "0102", "b1": "0104"})),
    "P603": (found({"fort": "0101"}), found({"fort": "0102"})),
    "P701": (found({"r1": "0101"}, states={"r1": "droped"}), found({"r1": "0101"}, states={"r1": "dropped"})),
    "P702": (found({}, rules=WEATHER), found({}, rules=WEATHER, facts={"weather": "mud"})),
    "P801": (found({}, rules=BARE, only=("zoc",)), found({}, only=("zoc",))),
}
