"""A point-to-point game, drawn as Inkscape draws, built as a module and opened in the real engine."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import rig

pytestmark = pytest.mark.engine

ROOT = Path(__file__).parents[2]
SCALE = 4  # pixels to a millimetre, on a map without hexes


def test_points_are_regions_that_pieces_snap_to(vassal: Callable[..., rig.Said], tmp_path: Path) -> None:
    # A copy: the module's lock of piece ids is written beside its data.
    shutil.copytree(ROOT / "tests" / "data" / "projects", tmp_path / "projects")
    command = [sys.executable, "-m", "toolchain", "module", "points", "--root", str(tmp_path / "projects")]
    made = subprocess.run([*command, "-o", str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    # The drawing's origin lies 30 mm from the left edge of the sheet and 20 mm from the upper one.
    westburg, eastham, sea = ((30 + x, 20 + y) for x, y in ((40, 30), (160, 30), (102, 90)))
    asked = [(x * SCALE + 11, y * SCALE - 9) for x, y in (westburg, eastham, sea)]
    said = vassal(
        tmp_path / "points.vmod",
        games=["Opening"],
        do=[
            *(["point", "Map", "main", x, y] for x, y in asked),
            ["drag", "Red 1st", "Map", *asked[0]],
            ["expr", "", '{GetZoneProperty("Place","Eastham","Map")}'],
        ],
    )
    assert said.problems == []
    assert said.altered == []
    assert [p["location"] for p in said.of("point")] == ["Westburg", "Eastham", "Inner Sea"]
    snapped = [(p["snapx"], p["snapy"]) for p in said.of("point")]
    assert snapped == [(x * SCALE, y * SCALE) for x, y in (westburg, eastham, sea)]
    stands = {p["name"]: p["location"] for p in said.of("piece", game="Opening")}
    assert stands == {"Red 1st": "South Cape", "Blue 1st (reduced)": "Eastham", "Turn": "Turn 1"}
    assert said.of("chat")[-1]["text"] == "* Red 1st moves from South Cape to Westburg"
    assert said.of("expr")[0]["value"] == "Land; Capital, Port; stacking 1"
