"""toolchain module: what it says of a rebuild, and the settings of vassal.toml at work on games of files."""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from toolchain.cli import cli

ROOT = Path(__file__).parents[2]


@pytest.fixture
def project(tmp_path):
    shutil.copytree(ROOT / "tests" / "data" / "projects", tmp_path / "p", ignore=shutil.ignore_patterns("build"))
    return tmp_path / "p"


def run(project, *arguments, status=0):
    result = CliRunner().invoke(cli, ["module", *arguments, "--root", str(project)])
    assert result.exit_code == status, result.output
    return result


def test_a_rebuild_says_what_it_changes_for_saved_games(project, tmp_path):
    out = tmp_path / "out"
    assert "refreshed" not in run(project, "tiny", "-o", str(out)).stderr
    first = (out / "tiny.vmod").read_bytes()
    assert "refreshed" not in run(project, "tiny", "-o", str(out)).stderr
    assert (out / "tiny.vmod").read_bytes() == first
    table = project / "counters" / "tiny" / "units.csv"
    table.write_text(table.read_text("utf-8").replace("Red 2nd", "Red Guard").replace("\nturn,", "\nclock,"), "utf-8")
    setup = project / "modules" / "tiny" / "setups" / "start.csv"
    setup.write_text(setup.read_text("utf-8").replace("piece,turn,", "piece,clock,"), "utf-8")
    (tmp_path / "old.vmod").write_bytes(first)
    said = run(project, "tiny", "-o", str(tmp_path / "new"), "--since", str(tmp_path / "old.vmod"))
    assert "1 piece is gone: Turn; saved games keep them" in said.stderr
    assert "1 piece is changed: Red Guard" in said.stderr
    assert "1 piece is new: Turn" in said.stderr
    (project / "modules" / "tiny" / "vassal.toml").write_text("format = 1\nhex_pixels = 60\n", "utf-8")
    said = run(project, "tiny", "-o", str(out), "--json")
    codes = [f["code"] for f in json.loads(said.stdout)["findings"]]
    assert {"V123", "V124"} <= set(codes)


def test_counters_can_be_svg(project, tmp_path):
    (project / "modules" / "tiny" / "vassal.toml").write_text('format = 1\nfaces = "svg"\n', "utf-8")
    run(project, "tiny", "-o", str(tmp_path / "out"))
    with zipfile.ZipFile(io.BytesIO((tmp_path / "out" / "tiny.vmod").read_bytes())) as z:
        faces = [n for n in z.namelist() if n.startswith("images/r1")]
        assert faces == ["images/r1-1.svg", "images/r1-2.svg"]
        assert re.search(rb'<svg [^>]*height="\d+" [^>]*width="\d+"', z.read(faces[0]))
