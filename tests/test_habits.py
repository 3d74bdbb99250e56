"""The habits of the house, held by tests: style, types, the order of the rooms, no game's name in the engine."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
GAMES = sorted(p.name for p in (ROOT / "modules").iterdir() if p.is_dir())


@pytest.mark.parametrize(
    "tool",
    [
        ["ruff", "check", "toolchain", "tests"],
        ["ruff", "format", "--check", "toolchain", "tests"],
        ["mypy"],
        ["importlinter.cli", "lint"],
    ],
    ids=lambda tool: " ".join(tool[:2]),
)
def test_tools_are_content(tool):
    code = "from importlinter.cli import lint_imports_command as c; c()" if tool[0] == "importlinter.cli" else None
    command = [sys.executable, "-c", code] if code else [sys.executable, "-m", *tool]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_top_level_holds_what_was_agreed():
    agreed = {"pyproject.toml", "README.md", "toolchain", "maps", "counters", "modules", "tests"}
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if tracked.returncode:
        pytest.skip("not a git checkout")
    top = {line.split("/")[0] for line in tracked.stdout.splitlines()}
    assert {name for name in top if not name.startswith(".")} == agreed


@pytest.mark.parametrize("game", GAMES)
def test_no_game_has_a_name_in_the_engine(game):
    words = re.compile(
        rf"{re.escape(game)}|{re.escape(game.replace('-', ' '))}|{re.escape(game.replace('-', '_'))}", re.I
    )
    for file in (ROOT / "toolchain").rglob("*.py"):
        assert not words.search(file.read_text("utf-8")), file


def test_svgwrite_and_the_heavy_libraries_are_not_needed_for_help():
    heavy = "shapely,numpy,networkx,lxml,svgwrite,pydantic,pyproj,fontTools,milsymbol,typst,resvg_py,rich"
    code = (
        "import sys\nfrom toolchain.cli import cli, COMMANDS\n"
        "import click\nctx = click.Context(cli)\n"
        "[cli.get_command(ctx, c).get_help(ctx) for c in COMMANDS]\n"
        f"sys.exit(' '.join(m for m in '{heavy}'.split(',') if m in sys.modules) or 0)"
    )
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
