"""The module of second-front in the real engine: it opens without a complaint, and every piece of every set-up stands
in the space that the set-up's table names.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tomllib
from collections import Counter as Tally
from collections.abc import Callable
from pathlib import Path

import pytest
import rig

from toolchain.report import Report
from toolchain.sources.project import read_project
from toolchain.survey.game import survey_project

pytestmark = pytest.mark.engine

ROOT = Path(__file__).parents[2]
NAME = "second-front"
TITLES = {"husky": "Husky, July 1943", "overlord": "Overlord, June 1944"}


def rows(path: str) -> list[dict[str, str]]:
    with (ROOT / path).open(encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


@pytest.fixture(scope="module")
def said(vassal: Callable[..., rig.Said], tmp_path_factory: pytest.TempPathFactory) -> rig.Said:
    folder = tmp_path_factory.mktemp("module")
    command = [sys.executable, "-m", "toolchain", "module", NAME, "-o", str(folder)]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    report = Report()
    project = read_project(ROOT, NAME, report)
    hexes = [s for s in survey_project(project, report).game.map.spaces if s.kind == "hex" and s.enterable]
    names = [["name", "Map", "main", s.key if s.name else f"hex {s.key}"] for s in hexes]
    return vassal(folder / f"{NAME}.vmod", properties=["Step_Level"], side="Axis", do=names)


def test_module_opens_without_a_complaint(said: rig.Said) -> None:
    assert said.problems == [] and said.altered == []


@pytest.mark.parametrize("setup", TITLES)
def test_every_piece_stands_in_the_space_that_the_setup_names(said: rig.Said, setup: str) -> None:
    gpids = tomllib.loads((ROOT / "modules" / NAME / "gpids.toml").read_text("utf-8"))["gpids"]
    wanted: Tally[tuple[str, str]] = Tally()
    for row in rows(f"modules/{NAME}/setups/{setup}.csv"):
        # Hexes without a name are called so in the module, that VASSAL takes their numbers for words.
        at = f"hex {row['at']}" if row["at"].isdigit() else row["at"]
        if row["what"] == "piece":
            wanted[str(gpids[row["item"]]), at] += 1
        elif row["what"] == "control":
            wanted[str(gpids["owner-allied"]), at] += 1
    stands = Tally((p["gpid"], p["location"]) for p in said.of("piece", game=TITLES[setup]))
    assert sum(wanted.values()) > 200
    assert stands == wanted


def test_every_hex_answers_to_its_name_or_number(said: rig.Said) -> None:
    asked = said.of("name")
    assert len(asked) > 5000
    assert {r["name"] for r in rows(f"maps/{NAME}/places.csv")} <= {a["location"] for a in asked}
    assert [a["location"] for a in asked if not a["ok"]] == []
