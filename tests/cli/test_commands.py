"""The commands on a tiny game: what they make, what they say, how they end."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from toolchain.cli import COMMANDS, cli

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path):
    """A copy of the tiny game that a test may break."""
    shutil.copytree(ROOT / "tests" / "data" / "projects", tmp_path / "p", ignore=shutil.ignore_patterns("build"))
    return tmp_path / "p"


def run(project, *arguments, status=0):
    result = CliRunner().invoke(cli, [*arguments, "--root", str(project)])
    assert not isinstance(result.exception, Exception) or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == status, result.output
    return result


def files(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def change(project, name, old, new):
    path = project / name
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_build_makes_everything_and_the_same_twice(project):
    result = run(project, "build", "tiny")
    assert "Tiny 0.1.0" in result.stderr and result.stdout == ""
    first = files(project / "build" / "tiny")
    wanted = {"map/map.json", "map/map.graphml", "map/map-main.svg", "map/map-main.pdf", "counters/faces/r1-1.svg",
              "counters/sheet-5-8-1-front.svg", "counters/sheet-5-8-1-back.svg", "counters/sheet-5-8.pdf",
              "module/tiny.vmod", "report.json", "report.txt"}  # fmt: skip
    assert wanted <= set(first)
    lock = (project / "modules" / "tiny" / "gpids.toml").read_bytes()
    run(project, "build", "tiny")
    assert files(project / "build" / "tiny") == first
    assert (project / "modules" / "tiny" / "gpids.toml").read_bytes() == lock


@pytest.mark.parametrize(
    "text", ["", '[grid]\norientation = "flat"\npitch = 9\norigin = [900, 900]\ncolumns = 2\nrows = 2\n']
)
def test_a_map_without_any_space_is_told_like_every_other_mistake(project, text):
    sheet = "format = 1\n[sheet]\nwidth = 100\nheight = 60\n"
    (project / "maps" / "tiny" / "map.toml").write_text(sheet + text, "utf-8")
    for command in (["build"], ["validate"], ["check"], ["module"], ["view"], ["export", "--to", "tts"]):
        assert "error" in run(project, command[0], "tiny", *command[1:], status=1).stderr
    assert not (project / "build").exists()


def test_build_all_builds_every_game_and_one_that_is_broken_stops_no_other(project):
    names = {p.name for p in (project / "modules").iterdir() if p.is_dir()}
    run(project, "build", "--all")
    assert {p.name for p in (project / "build").iterdir()} == names
    change(project, "maps/tiny/map.toml", "pitch = 24.0", 'pitch = "wide"')
    shutil.rmtree(project / "build")
    documents = json.loads(run(project, "build", "--all", "--json", "-o", str(project / "out"), status=1).stdout)
    assert [d["game"] for d in documents["games"]] == sorted(names)
    assert {p.name for p in (project / "out").iterdir()} == names - {"tiny"}
    assert run(project, "build", status=2) and run(project, "build", "tiny", "--all", status=2)


def test_a_broken_game_says_everything_at_once_and_keeps_the_last_build(project):
    run(project, "build", "tiny")
    before = files(project / "build")
    change(project, "maps/tiny/map.toml", "pitch = 24.0", 'pitch = "wide"\nshape = "hex"')
    change(project, "counters/tiny/units.csv", "b1,Blue Führer,unit,blue", "b1,Blue Führer,unit,bleu")
    change(project, "modules/tiny/setups/start.csv", "piece,r1,Crossing", "piece,r9,Crossing")
    change(project, "modules/tiny/game.toml", "controller", "controler")
    for command in ("build", "validate", "check", "module", "sheets", "counters"):
        said = run(project, command, "tiny", status=1).stderr
        assert "Traceback" not in said
        for words in (
            "maps/tiny/map.toml, grid.pitch",
            "grid.shape: unknown key",
            "modules/tiny/game.toml, controler: unknown key; did you mean 'controller'?",
        ):
            assert words in said, said
    assert files(project / "build") == before


def test_bad_tables_and_places_are_found_together(project):
    change(project, "counters/tiny/units.csv", "b1,Blue Führer,unit,blue", "b1,Blue Führer,unit,bleu")
    change(project, "modules/tiny/setups/start.csv", "piece,r1,Crossing", "piece,r9,Crossing")
    change(project, "modules/tiny/setups/start.csv", "piece,r2,Harbor", "piece,r2,Harbur")
    said = run(project, "build", "tiny", status=1).stderr
    assert "units.csv:4, column side: unknown side 'bleu'; did you mean 'blue'?" in said
    assert "start.csv:7, column item: unknown counter 'r9'" in said
    assert "start.csv:9" in said and "did you mean 'Harbour'" in said
    assert not (project / "build").exists()


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("maps/tiny/map.toml", b"format = = 1"),
        ("maps/tiny/map.toml", b"\xff\xfe\x00"),
        ("maps/tiny/map.toml", None),
        ("maps/tiny/drawing.svg", b"<svg"),
        ("maps/tiny/drawing.svg", b"not xml"),
        ("maps/tiny/drawing.svg", None),
        (
            "maps/tiny/drawing.svg",
            b'<!DOCTYPE s [<!ENTITY a "b"><!ENTITY c SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg">&c;</svg>',
        ),
        ("maps/tiny/places.csv", b""),
        ("maps/tiny/places.csv", None),
        ("maps/tiny/links.csv", b"x,y\n1,2\n"),
        ("counters/tiny/units.csv", b"id;nmae\n1;2\n"),
        ("counters/tiny/style.toml", b"format = 2"),
        ("counters/tiny/units.csv", None),
        ("modules/tiny/game.toml", b"title = 3"),
        ("modules/tiny/game.toml", None),
        ("modules/tiny/rules.toml", b"format = 1\nstackin = 3"),
        ("modules/tiny/vassal.toml", b"hex_pixels = 'many'"),
        ("modules/tiny/setups/start.csv", b"wat,item\npiece,r1\n"),
    ],
)
def test_any_broken_file_is_a_finding_with_its_name(project, name, content):
    path = project / name
    if content is None:
        path.unlink()
    else:
        path.write_bytes(content)
    result = run(project, "build", "tiny", status=1)
    assert Path(name).name in result.stderr
    assert not (project / "build").exists()
    assert not (project / "modules" / "tiny" / "gpids.toml").exists()


def test_json_is_one_document(project):
    document = json.loads(run(project, "validate", "tiny", "--json").stdout)
    assert document["game"] == "tiny" and document["spaces"] > 20
    change(project, "modules/tiny/setups/start.csv", "piece,r2,Harbor", "piece,r2,Harbur")
    result = run(project, "validate", "tiny", "--json", status=1)
    found = json.loads(result.stdout)["findings"]
    assert [(f["code"], f["severity"], f["where"]["line"]) for f in found if f["severity"] == "error"] == [
        ("M114", "error", 9)
    ]
    assert result.stderr == ""


def test_check_says_who_is_in_supply(project):
    said = run(project, "check", "tiny", "--setup", "start").stdout
    assert "Red: 3 in" in said and "Blue: 1 in" in said
    change(project, "modules/tiny/setups/start.csv", "control,red,Ford,,,\n", "")
    document = json.loads(run(project, "check", "tiny", "--json", "--only", "supply").stdout)
    assert document["positions"]["start"]["units"] == {"r1": "out", "r2": "out", "r2#2": "in", "b1": "in"}
    run(project, "check", "tiny", "--fail-on", "warning", status=1)


def test_check_tells_why(project):
    said = run(project, "check", "tiny", "--why", "r1", "--why", "b1").stdout
    assert "Red 1st (r1) in Crossing: in" in said
    assert "Crossing > Ford > Harbour   (land, 2 steps)" in said
    assert "Hill > Reserve" in said
    said = run(project, "check", "tiny", "--control", "Ford=blue", "--why", "r1").stdout
    assert "Red 1st (r1) in Crossing: out of supply" in said and "stops at Ford: not controlled by red" in said
    document = json.loads(run(project, "check", "tiny", "--control", "Ford=blue", "--why", "r1", "--json").stdout)
    assert document["why"][0]["grade"] == "out"
    assert {"space": "Ford", "reason": "not controlled by red"} in document["why"][0]["stops"]
    assert "did you mean 'r1'" in run(project, "check", "tiny", "--why", "r11", status=2).stderr


def test_check_takes_changes_and_position_files(project, tmp_path):
    units = json.loads(run(project, "check", "tiny", "--place", "r2=Ford", "--json", status=0).stdout)
    assert units["positions"]["start"]["pieces"] == 4
    mine = tmp_path / "mine.csv"
    mine.write_text("what,item,at,state\ncontrol,red,Harbor,\npiece,r1,Harbor,full\n", "utf-8")
    document = json.loads(run(project, "check", "tiny", "--position", str(mine), "--json").stdout)
    (facts,) = document["positions"].values()
    assert (facts["pieces"], facts["units"]) == (1, {"r1": "in"})
    assert facts["supply"] == {"red": {"in": 1}, "blue": {}} and facts["control"]["red"] == ["Harbour"]
    mine.write_text("what,item,at,state\npiece,r1,Nowhere,full\npiece,zz,Hill,\n", "utf-8")
    said = run(project, "check", "tiny", "--position", str(mine), status=1).stderr
    assert "mine.csv:2" in said and "mine.csv:3" in said
    for options, words in (
        (["--event", "rian"], "did you mean 'rain'"),
        (["--control", "Frod=red"], "did you mean 'Ford'"),
        (["--control", "Ford"], "NAME=VALUE"),
        (["--place", "r1=Hil"], "did you mean 'Hill'"),
        (["--step", "r1=halved"], "full, reduced or the number"),
        (["--step", "r1=7"], "has no step 7"),
        (["--state", "r1=wet"], "no state 'wet'"),
    ):
        assert words in run(project, "check", "tiny", *options, status=2).stderr


def test_check_takes_a_list_of_moves_and_a_moment(project, tmp_path):
    moves = tmp_path / "moves.csv"
    moves.write_text("piece,from,to,kind\nr1,Crossing,Ford,move\nr2,Crossing,Harbour,move\nzz,Ford,Hill,\n", "utf-8")
    said = run(project, "check", "tiny", "--moves", str(moves), status=1).stderr
    assert "moves.csv:3" in said and "moves.csv:4" in said and "moves.csv:2" not in said
    moves.write_text("pice,from\n", "utf-8")
    said = run(project, "check", "tiny", "--moves", str(moves), status=1).stderr
    assert "did you mean 'piece'" in said and "there is no column 'to'" in said
    assert "no rule is checked at" in run(project, "check", "tiny", "--moment", "dawn", status=2).stderr


def test_move_says_where_a_unit_can_go(project):
    said = run(project, "move", "tiny", "r1").stdout
    assert "Red 1st (r1) in Crossing, 2 points" in said and "  1  Ford" in said
    assert "Crossing > Ford > Harbour" in run(project, "move", "tiny", "r1", "--to", "Harbor").stdout
    document = json.loads(run(project, "move", "tiny", "r1", "--from", "Ford", "--points", "1", "--json").stdout)
    assert document["from"] == "Ford" and document["reach"]["Harbour"]["cost"] == 1.0
    assert "did you mean 'r1'" in run(project, "move", "tiny", "r11", status=2).stderr
    assert "did you mean 'Ford'" in run(project, "move", "tiny", "r1", "--to", "Frod", status=2).stderr


def test_check_draws_the_position(project, tmp_path):
    target = tmp_path / "position.svg"
    run(project, "check", "tiny", "--control", "Ford=blue", "--why", "r2#2", "--map", str(target))
    drawn = target.read_text("utf-8")
    for layer in ("Control and zones", "Supply lines", "Counters", "Findings", "Key"):
        assert f'inkscape:label="{layer}"' in drawn or layer == "Supply lines"
    run(project, "check", "tiny", "--map", str(tmp_path / "p.gif"), status=2)


def test_map_goes_to_standard_output_or_a_file(project, tmp_path):
    text = run(project, "map", "tiny").stdout
    assert json.loads(text)["format"] == 1
    target = tmp_path / "m.graphml"
    run(project, "map", "tiny", "--format", "graphml", "-o", str(target))
    assert target.read_bytes().startswith(b"<?xml")
    target.write_text("mine")
    run(project, "map", "tiny", "--format", "graphml", "-o", str(target), status=2)
    assert target.read_text() == "mine"


def test_accepted_findings_do_not_fail_and_stale_ones_are_said(project):
    change(project, "modules/tiny/setups/start.csv", "control,red,Ford,,,\n", "")
    game = project / "modules" / "tiny" / "game.toml"
    text = game.read_text("utf-8")
    game.write_text(text + '\n[[accept]]\ncode = "P301"\nat = "Crossing"\nwhy = "to show it"\n', "utf-8")
    assert "P301" not in run(project, "check", "tiny").stderr
    assert "to show it" in run(project, "check", "tiny", "-v").stderr
    game.write_text(text + '\n[[accept]]\ncode = "P301"\nat = "Hill"\nwhy = "to show it"\n', "utf-8")
    assert "S020" in run(project, "build", "tiny").stderr


def test_check_says_that_a_set_up_names_a_space_that_is_not_there(project):
    change(project, "modules/tiny/setups/start.csv", "piece,b1,Hill", "piece,b1,Hil")
    assert "did you mean 'Hill'" in run(project, "check", "tiny", "--setup", "start", status=1).stderr


def test_usage_mistakes_end_with_2_and_name_the_nearest(project):
    assert "did you mean 'tiny'" in run(project, "validate", "tinny", status=2).stderr
    assert "did you mean 'stacking'" in run(project, "check", "tiny", "--only", "staking", status=2).stderr
    assert "did you mean 'start'" in run(project, "check", "tiny", "--setup", "stat", status=2).stderr
    result = CliRunner().invoke(cli, ["biuld", "tiny"])
    assert result.exit_code == 2 and "did you mean 'build'" in result.stderr


def test_explain_has_a_page_for_a_code_and_a_name():
    for word in ("s014", "unknown-name"):
        said = CliRunner().invoke(cli, ["explain", word]).stdout
        assert said.startswith("S014 unknown-name (error)") and "Why it matters" in said
    result = CliRunner().invoke(cli, ["explain", "S0144"])
    assert result.exit_code == 2 and "did you mean" in result.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example_and_the_readme_the_command(name):
    said = CliRunner().invoke(cli, [name, "--help"]).stdout
    assert re.search(r"Examples?:\n\s+toolchain " + name, said), said
    assert f"`toolchain {name} " in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("word", ["nan", "inf", "-1"])
def test_points_are_a_number(project, word):
    said = run(project, "move", "tiny", "r1", "--points", word, status=2).output
    assert "Invalid value for '--points'" in said
