"""The module of one-hour-ww2 in the real engine: it opens without a complaint, and every piece of every set-up stands
in the space that the set-up's table names.

The tables are read here with the csv module, apart from the toolchain.
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

pytestmark = pytest.mark.engine

ROOT = Path(__file__).parents[2]
NAME = "one-hour-ww2"
SETUPS = {"1940": "1940", "free": "Free set-up"}


def rows(path: str) -> list[dict[str, str]]:
    """Read a table of the game."""
    with (ROOT / path).open(encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def gpids() -> dict[str, int]:
    """Return the lock of piece ids."""
    found: dict[str, int] = tomllib.loads((ROOT / "modules" / NAME / "gpids.toml").read_text("utf-8"))["gpids"]
    return found


@pytest.fixture(scope="module")
def said(vassal: Callable[..., rig.Said], tmp_path_factory: pytest.TempPathFactory) -> rig.Said:
    folder = tmp_path_factory.mktemp("module")
    command = [sys.executable, "-m", "toolchain", "module", NAME, "-o", str(folder)]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    places = [r["name"] for r in rows(f"maps/{NAME}/places.csv")]
    places += [f"{board} {box}" for board in ("Germany", "UK", "Japan", "Soviet Union", "USA") for box in POOLS]
    do = [["load", "1940"], ["hotkey", "alt PERIOD"], ["global", "Turn", "Phase"]]
    do += [["name", "World", "main", place] for place in places]
    return vassal(folder / f"{NAME}.vmod", properties=["Deck"], side="Axis", do=do)


POOLS = ("Reserve", "Spent", "Build", "Offensive", "Strategic Move", "Upgrade", "Action markers", "Build Track 2")


def test_the_module_opens_without_a_complaint(said: rig.Said) -> None:
    assert said.problems == []
    assert said.altered == []


@pytest.mark.parametrize("setup", SETUPS)
def test_every_piece_stands_in_the_space_that_the_setup_names(said: rig.Said, setup: str) -> None:
    ids = gpids()
    table = [r for r in rows(f"modules/{NAME}/setups/{setup}.csv") if r["what"] == "piece"]
    wanted = Tally((str(ids[r["item"]]), r["at"]) for r in table)
    pieces = said.of("piece", game=SETUPS[setup])
    special = {str(i) for name, i in ids.items() if name.startswith("special-")}
    assert sum(wanted.values()) >= 98
    assert Tally((p["gpid"], p["location"]) for p in pieces if p["gpid"] not in special) == wanted


@pytest.mark.parametrize("setup", SETUPS)
def test_the_special_markers_of_a_nation_lie_in_its_deck(said: rig.Said, setup: str) -> None:
    ids = {str(i): name for name, i in gpids().items() if name.startswith("special-")}
    cards = [p for p in said.of("piece", game=SETUPS[setup]) if p["gpid"] in ids]
    decks = Tally(p["props"]["Deck"] for p in cards)
    assert decks == {
        "German special markers": 5,
        "Japanese special markers": 4,
        "British special markers": 3,
        "Soviet special markers": 3,
        "American special markers": 3,
    }
    assert all(p["location"] == p["props"]["Deck"] for p in cards), "in the deck, not beside it"


def test_every_place_answers_to_its_name(said: rig.Said) -> None:
    asked = said.of("name")
    assert len(asked) == 26 + 5 * len(POOLS)
    assert [a["location"] for a in asked if not a["ok"]] == []


def test_years_and_phases_pass(said: rig.Said) -> None:
    assert said.of("global")[0]["props"] == {"Turn": "1940", "Phase": "Scoring"}


def test_ids_are_those_of_the_lock(said: rig.Said) -> None:
    assert {s["gpid"] for s in said.of("slot")} <= {str(n) for n in gpids().values()}
