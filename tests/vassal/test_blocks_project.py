"""A game of files with geomorphic sheets, blocks, decks and hands, built as a module and opened in the real engine."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import rig

pytestmark = pytest.mark.engine

ROOT = Path(__file__).parents[2]
HAND = "Hand: Red"


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The module, built from a copy: the lock of its piece ids is written beside its data."""
    folder = tmp_path_factory.mktemp("blocks")
    shutil.copytree(ROOT / "tests" / "data" / "projects", folder / "projects")
    command = [sys.executable, "-m", "toolchain", "module", "blocks", "--root", str(folder / "projects"), "--json"]
    made = subprocess.run([*command, "-o", str(folder)], cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    assert {f["code"] for f in json.loads(made.stdout)["findings"] if f["severity"] != "note"} == set()
    return folder / "blocks.vmod"


def test_blocks_cards_and_arrangements_play(vassal: Callable[..., rig.Said], module: Path) -> None:
    said = vassal(
        module,
        games=["Beside", "Turned"],
        side="Red",
        properties=["Step_Level", "strength", "Terrain", "Over", "Obscured"],
        do=[
            ["load", "Beside"],
            ["key", "Red Foot", "ctrl F"],
            ["drag", "Spy", HAND, 90, 90],
            ["key", "Spy", "ctrl X"],
        ],
    )
    assert said.problems == []
    assert said.altered == []
    boards = {e["game"]: [b["name"] for b in e["boards"]] for e in said.of("gamemap") if e["map"] == "Map"}
    assert boards == {"Beside": ["Side by side"], "Turned": ["Turned"]}
    for game, foot, horse in (("Beside", "4", "1"), ("Turned", "3", "3")):
        blocks = {p["gpid"]: p for p in said.of("piece", game=game) if p["gpid"] in ("1", "2") and p["deck"] is None}
        assert [blocks[i]["location"] for i in "12"] == ["A-0201", "B-0201"], game
        # What the other side hides is not seen; what one hides oneself is.
        assert [blocks[i]["props"]["Obscured"] for i in "12"] == ["false", "true"]
        assert [blocks[i]["props"]["strength"] for i in "12"] == [foot, horse]
        decks = {d["name"]: d["cards"] for d in said.of("deck", game=game)}
        assert decks["Blue cards"] == 1
    (turned,) = (k for k in said.of("key") if k["piece"] == "Red Foot")
    assert (turned["after"]["props"]["Step_Level"], turned["after"]["props"]["strength"]) == ("2", "3")
    assert said.of("drag")[0]["piece"]["map"] == HAND
    assert said.of("key")[-1]["after"]["deck"] == "Red discards"


def test_lint_says_nothing(module: Path) -> None:
    # Keys that clash, pictures that nobody shows, names that are twice, and everything else that lint looks for.
    said = subprocess.run(
        [sys.executable, "-m", "toolchain", "lint", str(module), "--json"], capture_output=True, text=True
    )
    assert said.returncode == 0
    assert json.loads(said.stdout)["findings"] == []
