"""The map command: every format, to standard output, a file or a folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from toolchain.cli import cli

TINY = "tests/data/projects"


def run(*arguments, status=0):
    root = Path(__file__).parents[2] / TINY
    result = CliRunner().invoke(cli, ["map", "tiny", *arguments, "--root", str(root)])
    assert result.exit_code == status, result.output
    return result


def test_geojson_goes_to_standard_output():
    assert json.loads(run("--format", "geojson").stdout)["type"] == "FeatureCollection"


def test_csv_goes_to_a_folder_or_one_table_to_standard_output(tmp_path):
    run("--format", "csv", "-o", str(tmp_path / "t"))
    names = {p.name for p in (tmp_path / "t").iterdir() if not p.name.startswith(".")}
    assert names == {"hexes.csv", "hexsides.csv", "links.csv"}
    for table in ("hexes", "hexsides", "links"):
        said = run("--format", "csv", "--table", table).stdout_bytes
        assert said == (tmp_path / "t" / f"{table}.csv").read_bytes()
    run("--format", "csv", "--table", "links", "-o", str(tmp_path / "mine.csv"))
    assert (tmp_path / "mine.csv").read_bytes() == (tmp_path / "t" / "links.csv").read_bytes()


@pytest.mark.parametrize("arguments", [("--format", "csv"), ("--table", "links"), ("--json",)])
def test_what_cannot_be_meant_is_said(arguments):
    assert "Error:" in run(*arguments, status=2).stderr


@pytest.mark.parametrize("command", [["map"], ["export", "--to", "tiled"], ["module"], ["view"]])
def test_what_was_accepted_holds_nothing_up(tmp_path, command):
    root = tmp_path / "projects"
    shutil.copytree(Path(__file__).parents[2] / TINY, root)
    drawn, game = root / "maps" / "tiny" / "map.toml", root / "modules" / "tiny" / "game.toml"
    drawn.write_text(drawn.read_text("utf-8") + '\n[[side]]\nbetween = ["0101", "0504"]\nadd = ["river"]\n', "utf-8")
    arguments = [*command, "tiny", "--root", str(root), "-o", str(tmp_path / "out"), "--force"]
    refused = CliRunner().invoke(cli, arguments)
    assert refused.exit_code == 1 and "M104" in refused.output
    accepted = '\n[[accept]]\ncode = "M104"\nwhy = "a bridge that is drawn later"\n'
    game.write_text(game.read_text("utf-8") + accepted, "utf-8")
    taken = CliRunner().invoke(cli, arguments)
    assert taken.exit_code == 0 and "M104" not in taken.output and (tmp_path / "out").exists()
