"""The small game of `toolchain new`, as a module in the real engine."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import rig

pytestmark = pytest.mark.engine


def test_the_module_of_a_new_game_opens_with_both_set_ups(vassal: Callable[..., rig.Said], tmp_path: Path) -> None:
    for words in (["new", "mine"], ["module", "mine", "--root", "mine", "-o", "made"]):
        done = subprocess.run([sys.executable, "-m", "toolchain", *words], cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
    titles = ["06:00: the Republic at the river", "14:00: across the river"]
    said = vassal(tmp_path / "made" / "mine.vmod", games=titles)
    assert said.problems == [] and said.altered == []
    for title, place in zip(titles, ("0505", "0609"), strict=True):
        stands = {p["name"]: p["location"] for p in said.of("piece", game=title)}
        assert stands["1st Guards Tank Regiment"].endswith(place) and stands["Lorringate Militia"] == "Lorringate"
        assert sum("Control" in name or name in ("Republic", "League") for name in stands) >= 1
