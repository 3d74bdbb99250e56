"""What changed: two modules, two saves, two versions of a game's data, each change said once and in a maker's words."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import handmade
import pytest
import tiny
from click.testing import CliRunner
from handmade import ESC, PARTS, add, slot

from toolchain.checks.diff.changes import Change, flat
from toolchain.checks.diff.games import compare_games
from toolchain.checks.diff.modules import compare_modules
from toolchain.checks.diff.saves import compare_saves
from toolchain.cli import cli
from toolchain.model.forces import Face
from toolchain.report import Report
from toolchain.sources.vassal.modules import Module, read_module
from toolchain.sources.vassal.saves import Save, read_save

ROOT = Path(__file__).parents[2]


def module(folder: Path, files: dict[str, bytes | None] | None = None, **parts: str) -> Module:
    got = read_module(handmade.write(folder / "m.vmod", files, **parts), "m.vmod", Report())
    assert got is not None
    return got


def save(*pieces: str, **words: str) -> Save:
    told = [f"GlobalProperty\t;{name};{value};Module" for name, value in words.items()]
    got = read_save(ESC.join(["begin_save", *pieces, *told, "end_save"]).encode(), "s.vsav", Report())
    assert got is not None
    return got


def piece(ident: str, x: int, strength: str = "4", name: str = "1st Div") -> str:
    return add(ident, ["mark;Strength", f"piece;;;front.png;{name}"], [strength, f"Main;{x};96;1;0"])


def said(changes: list[Change]) -> list[str]:
    return [f"{c.what} {c.name} {c.how}: {c.text}".rstrip(": ") for c in changes]


MORE = slot(1) + slot(3, name="3rd Div", basic="piece;;;front.png;3rd Div")
CHANGES: dict[str, tuple[dict[str, str], list[str]]] = {
    "nothing": ({}, []),
    "counter added": ({"slots": MORE}, ["counter 3rd Div added: in Pieces / Units"]),
    "counter lost": ({"slots": ""}, ["counter 1st Div lost"]),
    "trait": (
        {"slots": slot(1, (*handmade.slot.__defaults__[0], "delete;Delete;68,130;"))},
        ["counter 1st Div changed: the trait Delete is added"],
    ),
    "picture of a layer": (
        {"slots": slot(1).replace("front.png,back.png", "front.png,board.png")},
        ["counter 1st Div changed: Layer 'Flip', images: front.png,back.png becomes front.png,board.png"],
    ),
    "prototype": (
        {"prototypes": PARTS["prototypes"].replace("Red", "Blue")},
        ["prototype Infantry changed: Marker, state: Red becomes Blue"],
    ),
    "grid": ({"grid": PARTS["grid"].replace('dy="72.0"', 'dy="74.0"')}, ["grid Board changed: dy: 72.0 becomes 74.0"]),
    "numbering": (
        {"numbering": PARTS["numbering"].replace('hOff="1"', 'hOff="0"')},
        ["numbering Board changed: hOff: 1 becomes 0"],
    ),
    "at-start stack": (
        {"atstart": PARTS["atstart"].replace("0203", "0204")},
        ["at-start stack Start changed: location: 0203 becomes 0204"],
    ),
    "component": ({"extra": handmade.element("module.DiceButton", 'name="2d6"')}, ["dice 2d6 added"]),
}


@pytest.mark.parametrize("what", CHANGES)
def test_each_change_of_a_module_is_said_alone(what: str, tmp_path: Path) -> None:
    parts, wanted = CHANGES[what]
    assert said(list(compare_modules(module(tmp_path), module(tmp_path, **parts)))) == wanted


def test_what_it_means_for_saved_games(tmp_path: Path) -> None:
    old = module(tmp_path)
    other = module(tmp_path, slots=slot(1, ("mark;Side",), "piece;;;back.png;Truck").replace("1st Div", "Truck"))
    by_text = {c.text: c.saves for c in compare_modules(old, other)}
    assert "another one" in by_text["it was called '1st Div' (piece id 1)"]
    (grid,) = compare_modules(old, module(tmp_path, grid=PARTS["grid"].replace('x0="41"', 'x0="45"')))
    assert "pixels" in grid.saves
    (lost,) = compare_modules(old, module(tmp_path, slots=""))
    assert "stay as they are" in lost.saves


def test_set_ups_and_pictures_of_a_module(tmp_path: Path) -> None:
    moved = handmade.save(at=(173, 132))
    files = {"setup.vsav": moved, "images/back.png": handmade.png(40, 40, (1, 2, 3)), "images/new.png": b"x"}
    got = said(list(compare_modules(module(tmp_path), module(tmp_path, files))))
    assert got == [
        "set-up Setup moved: 1st Div moves from 0202 to 0302",
        "picture back.png changed: it is another drawing",
        "picture new.png added",
    ]


def test_two_saves() -> None:
    old = save(piece("1", 100), piece("2", 200, name="2nd Div"), Weather="mud")
    new = save(piece("1", 150, "2"), piece("3", 200, name="3rd Div"), Weather="clear")
    assert said(list(compare_saves(old, new))) == [
        "saved game  moved: 1st Div moves from Main at 100, 96 to Main at 150, 96",
        "saved game  changed: 1st Div in Main at 150, 96, Strength: 4 becomes 2",
        "saved game  changed: 3rd Div is added in Main at 200, 96",
        "saved game  changed: 2nd Div is gone from Main at 200, 96",
        "saved game  changed: Weather: mud becomes clear",
    ]
    assert list(compare_saves(old, old)) == []


def test_two_versions_of_a_game() -> None:
    old = tiny.game(tiny.hexmap(3, 3, {"0101": "city"}), [tiny.unit("r1"), tiny.unit("r2")])
    changed = replace(tiny.unit("r1", mech=True), faces=(Face({"attack": 3}), Face()))
    new = tiny.game(tiny.hexmap(3, 3, {"0101": "port"}, terrain={"0202": "wood"}), [changed, tiny.unit("b1", "blue")])
    setups = [tiny.position({"r1": "0101"}, turn=1)], [tiny.position({"r1": "0202"}, {"0101": "red"}, turn=2)]
    rules = {"stacking": [{"at_most": 2}]}, {"stacking": [{"at_most": 3}]}
    assert said(list(compare_games(old, new, rules, setups))) == [
        "counter r1 changed: mech: no becomes yes",
        "counter r1 changed: step 1, attack: nothing becomes 3",
        "counter b1 added",
        "counter r2 lost",
        "space 0101 changed: features: city becomes port",
        "space 0202 changed: terrain: clear becomes wood",
        "rule stacking.0.at_most changed: 2 becomes 3",
        "set-up start moved: r1 moves from 0101 to 0202",
        "set-up start changed: turn: 1 becomes 2",
        "set-up start changed: control of 0101: nothing becomes red",
    ]
    assert list(compare_games(old, old, (rules[0], rules[0]), (setups[0], setups[0]))) == []


def test_nested_rules_become_dotted_paths() -> None:
    raw = {"a": [{"b": 1, "c": ["x", "y"]}, {"b": True}], "d": ""}
    assert flat(raw) == {"a.0.b": "1", "a.0.c": "x, y", "a.1.b": "yes", "d": "nothing"}


# The command ----------------------------------------------------------------------------------------------------------


def run(*words: object, status: int) -> str:
    result = CliRunner().invoke(cli, ["diff", *map(str, words)])
    assert result.exit_code == status, result.output
    return result.stdout + result.stderr


def test_the_command_compares_files_and_folders_and_ends_like_diff(tmp_path: Path) -> None:
    old = handmade.write(tmp_path / "old.vmod")
    new = handmade.write(tmp_path / "new.vmod", slots=MORE)
    assert run(old, old, status=0) == "nothing differs\n"
    assert run(old, new, status=1) == "counter (1)\n  + 3rd Div: in Pieces / Units\n"
    document = json.loads(run(old, new, "--json", status=1))
    assert document["changes"] == [{"what": "counter", "name": "3rd Div", "how": "added", "text": "in Pieces / Units"}]
    (tmp_path / "bad.vmod").write_bytes(b"no zip")
    assert "V301" in run(old, tmp_path / "bad.vmod", status=2)
    (tmp_path / "a.vsav").write_bytes(handmade.save())
    assert "two of one kind" in run(old, tmp_path / "a.vsav", status=2)
    assert run(tmp_path / "a.vsav", tmp_path / "a.vsav", status=0) == "nothing differs\n"
    for version in ("a", "b"):
        shutil.copytree(ROOT / "tests" / "data" / "projects", tmp_path / version)
    rules = tmp_path / "b" / "modules" / "tiny" / "rules.toml"
    rules.write_text(rules.read_text("utf-8").replace("at_most = 2", "at_most = 3"), "utf-8")
    words = "rule (1)\n  ~ stacking.0.at_most: 2 becomes 3\n"
    assert run(tmp_path / "a", tmp_path / "b", "--game", "tiny", status=1) == words
    assert run(tmp_path / "a" / "modules" / "tiny", rules.parent, status=1) == words
    assert "--game" in run(tmp_path / "a", tmp_path / "b", status=2)
    assert "no file" in run("absent.vmod", old, status=2)


def test_hexes_that_only_bear_other_numbers_are_said_once(tmp_path: Path) -> None:
    for version in ("a", "b"):
        shutil.copytree(ROOT / "tests" / "data" / "projects", tmp_path / version)
    drawn = tmp_path / "b" / "maps" / "tiny" / "map.toml"
    text = drawn.read_text("utf-8").replace("rows = 4\n", 'rows = 4\nnumbering = { order = "row", row_start = 5 }\n')
    drawn.write_text(text, "utf-8")
    start = tmp_path / "a" / "modules" / "tiny" / "setups" / "start.csv"
    start.write_text(start.read_text("utf-8") + "piece,turn,0403,full,,\n", "utf-8")
    start = tmp_path / "b" / "modules" / "tiny" / "setups" / "start.csv"
    start.write_text(start.read_text("utf-8") + "piece,turn,0704,full,,\n", "utf-8")
    said = run(tmp_path / "a", tmp_path / "b", "--game", "tiny", status=1).splitlines()
    assert said[:3] == ["numbering (3)", "  ~ main: order: column becomes row", "  ~ main: row_start: 1 becomes 5"]
    assert "hexes have other numbers now: 0101 is 0501" in said[3]
    assert len(said) == 5 and "saved games" in said[4]  # nothing of spaces, hexsides or pieces


def test_the_same_of_many_things_is_one_line(tmp_path: Path) -> None:
    many = [slot(n, name=f"{n}th Div", basic=f"piece;;;front.png;{n}th Div") for n in range(3, 80)]
    other = [slot(n, name=f"{n} Corps", basic=f"piece;;;front.png;{n} Corps") for n in range(3, 80)]
    old = handmade.write(tmp_path / "old.vmod", slots="".join(many))
    said = run(handmade.write(tmp_path / "none.vmod"), old, status=1)
    assert (
        "  + 3th Div; 4th Div; 5th Div; 6th Div; 7th Div; 8th Div; 9th Div; 10th Div and 69 more: in Pieces / Units"
        in said
    )
    said = run(old, handmade.write(tmp_path / "new.vmod", slots="".join(other)), status=1)
    assert "and 27 more, all of them with --json" in said and "Basic Piece, name" not in said


def test_saves_are_compared_by_the_names_of_spaces_with_a_module(tmp_path: Path) -> None:
    root = tmp_path / "p"
    shutil.copytree(ROOT / "tests" / "data" / "projects", root)
    assert CliRunner().invoke(cli, ["module", "tiny", "--root", str(root), "-o", str(tmp_path)]).exit_code == 0
    got = read_module(tmp_path / "tiny.vmod", "tiny.vmod", Report())
    assert got is not None
    data = got.archive.read("start.vsav", Report())
    assert data is not None
    (tmp_path / "old.vsav").write_bytes(data)
    start = read_save(data, "s", Report())
    assert start is not None
    hill = next(p for p in start.pieces.values() if p.traits[-1].definition.endswith("Blue Führer"))
    first = next(p for p in start.pieces.values() if p.traits[-1].definition.endswith("Red 1st"))
    here, there = f"Map;{first.x};{first.y};", f"Map;{hill.x};{hill.y};"
    (tmp_path / "new.vsav").write_bytes(start.rewritten(lambda c: c.replace(here, there) if c.startswith("+/") else c))
    words = run(tmp_path / "old.vsav", tmp_path / "new.vsav", "--module", tmp_path / "tiny.vmod", status=1)
    assert "Red 1st moves from Crossing to Hill" in words
