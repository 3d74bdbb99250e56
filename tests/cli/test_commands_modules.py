"""The commands on modules and saves: lint, check with --module and --mark; what they say and how they end."""

from __future__ import annotations

import json
import shutil
import zipfile
from pathlib import Path

import handmade
import pytest
from click.testing import CliRunner
from runaway import bounded

from toolchain.cli import cli

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The tiny game, its module, and the saved game of its set-up."""
    folder = tmp_path_factory.mktemp("modules")
    shutil.copytree(ROOT / "tests" / "data" / "projects", folder / "p")
    run("module", "tiny", "--root", folder / "p", "-o", folder)
    with zipfile.ZipFile(folder / "tiny.vmod") as z:
        (folder / "start.vsav").write_bytes(z.read("start.vsav"))
    return folder


def run(*words, status=0):
    result = CliRunner().invoke(cli, [str(w) for w in words])
    assert not isinstance(result.exception, Exception) or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == status, result.output
    return result


def test_lint_says_what_is_in_a_module_and_ends_with_nothing_found(made):
    said = run("lint", made / "tiny.vmod", "--fail-on", "note")
    assert said.stdout.startswith("Tiny: 4 pieces, ")
    assert said.stderr == ""


def test_lint_as_json_and_by_severity(tmp_path):
    module = handmade.write(tmp_path / "m.vmod", {"images/stray.png": handmade.png(2, 2, (1, 2, 3))})
    got = json.loads(run("lint", module, "--json").stdout)
    assert (got["module"], got["pieces"], got["pictures"]) == ("Tiny", 2, 4)
    assert {f["code"] for f in got["findings"]} == {"V206", "V218", "V226"}
    assert "V206" in {
        f["code"] for f in json.loads(run("lint", module, "--json", "--fail-on", "note", status=1).stdout)["findings"]
    }
    run("lint", module, "--fail-on", "warning", status=1)
    assert "V226" in run("lint", module).stderr


def test_names_of_millions_of_letters_are_told_in_a_few(tmp_path):
    slot = handmade.element("widget.PieceSlot", 'entryName="a" gpid="7"', "+/null/" + "\\" * 3_000_000 + "\t/")
    module = handmade.write(tmp_path / "m.vmod", slots=slot)
    with bounded():
        said = run("lint", module, status=1)
    assert "V211" in said.stderr and len(said.stderr) < 10_000


@pytest.mark.parametrize(("name", "data"), [("a.vmod", b"no zip"), ("b.vmod", b"")])
def test_what_is_no_module_is_an_error(tmp_path, name, data):
    (tmp_path / name).write_bytes(data)
    assert "V301" in run("lint", tmp_path / name, status=1).stderr
    assert "V301" in run("check", "--module", tmp_path / name, status=1).stderr
    run("lint", tmp_path / "absent.vmod", status=2)


def test_check_takes_saves_by_game_and_by_module(made):
    by_game = run("check", "tiny", made / "start.vsav", "--root", made / "p", "--json").stdout
    by_option = run("check", "tiny", "--position", made / "start.vsav", "--root", made / "p", "--json").stdout
    by_module = run("check", "--module", made / "tiny.vmod", made / "start.vsav", "--json").stdout
    table = run("check", "tiny", "--setup", "start", "--root", made / "p", "--json").stdout
    one = json.loads(by_game)["positions"]["start"]
    assert one["pieces"] == 4
    assert one == json.loads(by_module)["positions"]["start"] == json.loads(table)["positions"]["start"]
    assert by_option == by_game
    # Without a save, the set-ups of the module.
    assert json.loads(run("check", "--module", made / "tiny.vmod", "--json").stdout)["positions"] == {"start": one}
    changed = run("check", "--module", made / "tiny.vmod", made / "start.vsav", "--control", "Ford=blue")
    assert changed.stdout != run("check", "--module", made / "tiny.vmod", made / "start.vsav").stdout
    why = run("check", "--module", made / "tiny.vmod", made / "start.vsav", "--why", "b1")
    assert "Hill > Reserve" in why.stdout


def test_a_marked_copy_is_written_beside_and_never_over_a_players_file(made, tmp_path):
    target = tmp_path / "marked.vsav"
    words = ("check", "--module", made / "tiny.vmod", made / "start.vsav", "--control", "Ford=blue", "--mark", target)
    before = (made / "start.vsav").read_bytes()
    run(*words)
    assert target.read_bytes() != before == (made / "start.vsav").read_bytes()
    target.write_bytes(b"mine")
    run(*words, status=2)
    assert target.read_bytes() == b"mine"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("check",), "name a game"),
        (("check", "START"), "--module"),
        (("check", "--module", "MODULE", "absent.vsav"), "there is no file"),
        (("check", "--module", "MODULE", "--mark", "x.vsav"), "saved game"),
        (("check", "--module", "MODULE", "START", "--mark", "x.zip"), ".vsav"),
        (("check", "--module", "MODULE", "START", "--map", "x.svg"), "--map needs"),
        (("check", "--module", "MODULE", "--setup", "strt"), "did you mean 'start'?"),
    ],
)
def test_wrong_use_is_explained(made, words, said):
    names = {"START": made / "start.vsav", "MODULE": made / "tiny.vmod"}
    result = run(*(names.get(w, w) for w in words), status=2)
    assert said in result.stderr
