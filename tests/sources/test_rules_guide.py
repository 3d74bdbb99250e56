"""The makers' guide to rules.toml names every key that the decoder knows, and the guide's words are the decoder's."""

from __future__ import annotations

import re
import typing
from pathlib import Path

import pytest
import tiny
from pydantic import BaseModel

from toolchain.checks.positions import check_position
from toolchain.checks.structure import check_names
from toolchain.report import Location, Report
from toolchain.sources.decode import rulesfile
from toolchain.sources.decode.setups import COLUMNS, WHAT, decode_setup
from toolchain.sources.documents import read_table

GUIDE = (Path(__file__).parents[2] / "modules" / "README.md").read_text("utf-8")
KEYS = sorted(
    {
        field.alias or name
        for model in vars(rulesfile).values()
        if isinstance(model, type) and issubclass(model, BaseModel)
        for name, field in model.model_fields.items()
    }
)
# Tables of the file are shown as they are written there.
SHOWN = {
    name: f"`[{'[' * (typing.get_origin(field.annotation) is tuple)}{name}"
    for name, field in rulesfile.RulesFile.model_fields.items()
}


@pytest.mark.parametrize("key", KEYS)
def test_every_key_is_in_the_guide(key):
    assert f"`{key}`" in GUIDE or re.search(rf"`[^`]*\b{key}\b[^`]*`", GUIDE) or SHOWN.get(key, "?") in GUIDE


def test_the_guide_names_no_key_that_is_not_there():
    section = GUIDE[GUIDE.index("## Rules as data") :].split("\n## The VASSAL module")[0]
    words = set(re.findall(r"`([a-z_]+)`", section))
    more = {"event", "turn", "fact", "control", "any", "all", "not", "holds", "beside", "in", "state", "carried"}
    more |= {
        "step",
        "id",
        "name",
        "role",
        "side",
        "nation",
        "symbol",
        "space",
        "terrain",
        "feature",
        "enterable",
        "sheet",
    }
    more |= {"what", "item", "on", "supply", *COLUMNS, *WHAT}
    assert words <= more | set(KEYS), words - more - set(KEYS)


def test_a_set_up_says_who_is_carried_what_is_true_of_it_and_its_supply(tmp_path):
    path = tmp_path / "start.csv"
    path.write_text(
        "what,item,at,state,on,states,supply\npiece,cv,Sea,,,,\npiece,f1,Sea,1,cv,dropped landed,out\n",
        encoding="utf-8",
    )
    report = Report()
    table = read_table(path, "start.csv", report)
    counters = {i: tiny.unit(i) for i in ("cv", "f1")}
    position = decode_setup(table, "start", counters, tiny.SIDES, tiny.EVENTS, "", report)
    assert len(report) == 0
    ship, plane = position.pieces
    assert (ship.on, ship.states) == ("", ())
    assert (plane.on, plane.states, plane.step) == ("cv", ("dropped", "landed"), 1)
    assert position.supply == {"f1": "out"}


def test_thousands_of_mistakes_are_reported_whole_and_grouped():
    warmap = tiny.hexmap(3, 3)
    counters = [tiny.unit(f"r{i}") for i in range(3000)]
    at = {f"r{i}": f"{9000 + i % 500}" for i in range(3000)}
    names = [(space, Location("start.csv", row)) for row, space in enumerate(at.values(), 2)]
    found = list(check_names(warmap, names))
    assert len(found) == 500 and sum(f.facts["uses"] for f in found) == 3000
    assert "(also in rows 502, 1002, 1502, 2002, 2502)" in found[0].message
    stacked = tiny.verdict(tiny.game(warmap, counters), dict.fromkeys(at, "0101"), states=dict.fromkeys(at, "wet"))
    by_code = {f.rule.code: f for f in check_position(stacked)}
    assert len(by_code["P101"].facts["pieces"]) == len(by_code["P701"].facts["pieces"]) == 3000


def test_the_position_of_the_guide_reads_without_fault(tmp_path):
    (block,) = re.findall(r"```csv\n(what,item.*?)```", GUIDE, re.S)
    path = tmp_path / "turn-3.csv"
    path.write_text(block, encoding="utf-8")
    report = Report()
    table = read_table(path, "turn-3.csv", report)
    counters = {i: tiny.unit(i) for i in ("us-corps-1", "us-fighter", "us-carrier")}
    sides = {"allied": tiny.SIDES["red"], "axis": tiny.SIDES["blue"]}
    position = decode_setup(table, "turn-3", counters, sides, {"tehran": tiny.EVENTS["truce"]}, "", report)
    assert len(report) == 0
    assert (position.title, position.turn, position.events) == ("Turn three", 3, {"tehran"})
    assert (position.controller, position.control, position.facts) == (
        "axis",
        {"Antwerp": "allied"},
        {"weather": "mud"},
    )
    assert [(p.id, p.step, p.on) for p in position.pieces] == [("us-corps-1", 1, ""), ("us-fighter", 0, "us-carrier")]
    assert position.supply == {"us-corps-1": "limited"}
