"""The module of victory-ww2 in the real engine: it opens without a complaint, every block of every set-up stands where
the set-up's table says, and blocks hide from the other side and turn with every step.

The tables are read here with the csv module, apart from the toolchain.
"""

from __future__ import annotations

import csv
import subprocess
import sys
import tomllib
import zipfile
from collections import Counter as Tally
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise
from pathlib import Path

import pytest
import realgames
import rig
from PIL import Image, ImageChops, ImageStat

pytestmark = pytest.mark.engine

ROOT = Path(__file__).parents[2]
NAME = "victory-ww2"
SETUPS = ["quick-start", "custom-forces", "sleeping-giant", "two-front-war", "four-maps"]
PROPERTIES = ["Step_Level", "strength", "Obscured", "ObscuredToOthers", "Terrain"]
# Points of two boards that players lay side by side, the first of them turned, with the hex and its terrain there.
FREE = {(1091, 630): ("A-0705", "Clear"), (1309, 756): ("A-0504", "Mountain"), (2182, 378): ("C-0504", "Mountain")}


def table(setup: str) -> list[dict[str, str]]:
    """Read the table of a set-up."""
    with (ROOT / "modules" / NAME / "setups" / f"{setup}.csv").open(encoding="utf-8", newline="") as f:
        return list(csv.DictReader(f))


def stated(setup: str, what: str) -> str:
    """Return what a set-up states once, such as its title."""
    return next(row["item"] for row in table(setup) if row["what"] == what)


def strength(row: dict[str, str]) -> int:
    """Return the strength with which a block is set up."""
    return 4 if row["state"] in ("", "full") else 4 - int(row["state"])


@pytest.fixture(scope="module")
def module(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("module")
    command = [sys.executable, "-m", "toolchain", "module", NAME, "-o", str(folder)]
    made = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert made.returncode == 0, made.stderr
    return folder / f"{NAME}.vmod"


@pytest.fixture(scope="module")
def blue(module: Path, vassal: Callable[..., rig.Said]) -> rig.Said:
    turns = [["key", "Blue Armor", "ctrl F"], ["key", "Blue Armor", "ctrl F"], ["key", "Blue Armor", "ctrl G"]]
    do = [["load", "Quick Start"], *turns, ["key", "Blue Armor", "ctrl H"]]
    names = [["name", "Map", board, key] for board, keys in hexes().items() for key in keys]
    laid = ["boards", "Map", "A · The Marches, turned", 0, 0, "C · The Northlands", 1, 0]
    free = [laid, *(["place", 3 + n, "Map", *at] for n, at in enumerate(FREE))]
    return vassal(module, side="Blue", properties=PROPERTIES, do=[*names, *do, *free])


def hexes() -> dict[str, list[str]]:
    """Return the hexes in play of every arrangement of the maps."""
    maps = [one.game.map for one in realgames.load(NAME)[0].every]
    return {m.sheets[0].name: [s.key for s in m.spaces if s.kind == "hex" and s.enterable] for m in maps}


def test_the_module_opens_without_a_complaint(blue: rig.Said) -> None:
    assert blue.problems == []
    assert blue.altered == []


def test_every_hex_of_every_arrangement_answers_to_its_name(blue: rig.Said) -> None:
    asked = blue.of("name")
    assert len(asked) == sum(map(len, hexes().values())) > 1700
    assert [a["location"] for a in asked if not a["ok"]] == []


def test_boards_laid_by_the_players_tell_their_own_hexes_even_turned(blue: rig.Said) -> None:
    stands = [(e["piece"]["location"], e["piece"]["props"]["Terrain"]) for e in blue.of("place")]
    assert stands == list(FREE.values())


@pytest.mark.parametrize("setup", SETUPS)
def test_every_block_stands_where_the_setup_names_on_its_own_arrangement(blue: rig.Said, setup: str) -> None:
    gpids = tomllib.loads((ROOT / "modules" / NAME / "gpids.toml").read_text("utf-8"))["gpids"]
    title = stated(setup, "title")
    wanted = Tally(
        (str(gpids[row["item"]]), row["at"], 5 - strength(row)) for row in table(setup) if row["what"] == "piece"
    )
    stands = Tally((p["gpid"], p["location"], int(p["props"]["Step_Level"] or 1)) for p in blue.of("piece", game=title))
    assert sum(wanted.values()) >= 32
    assert stands == wanted
    boards = [b["name"] for e in blue.of("gamemap", game=title) for b in e["boards"]]
    assert stated(setup, "arrangement") in boards


def test_vw_u3_a_block_turns_by_quarters_and_shows_its_strength_to_its_owner(blue: rig.Said) -> None:
    after = [k["after"] for k in blue.of("key")]
    assert [k["props"]["strength"] for k in after] == ["3", "2", "3", "3"]
    own = [p for p in blue.of("piece", game="Quick Start") if p["gpid"] in own_gpids("blue")]
    assert len(own) == 20 and {p["props"]["Obscured"] for p in own} == {"false"}
    assert {p["props"]["ObscuredToOthers"] for p in own} == {"true"}
    assert after[-1]["props"]["ObscuredToOthers"] == "false", "turned face up for a battle"


def own_gpids(side: str) -> set[str]:
    gpids = tomllib.loads((ROOT / "modules" / NAME / "gpids.toml").read_text("utf-8"))["gpids"]
    return {str(n) for item, n in gpids.items() if item.startswith(side)}


def test_vw_u3_a_block_hides_its_face_from_the_other_side(
    module: Path, vassal: Callable[..., rig.Said], tmp_path: Path
) -> None:
    picture = tmp_path / "map.png"
    said = vassal(module, side="Red", properties=PROPERTIES, do=[["load", "Quick Start"], ["shot", "Map", picture]])
    assert said.problems == []
    pieces = said.of("piece", game="Quick Start")
    hidden = {
        side: {p["props"]["Obscured"] for p in pieces if p["gpid"] in own_gpids(side)} for side in ("blue", "red")
    }
    assert hidden == {"blue": {"true"}, "red": {"false"}}
    # What Red sees of the block in Fenwick, the only one there, is one colour all over; of its own the whole face.
    (there,) = (p for p in pieces if p["location"] == "Fenwick")
    own = [p for p in pieces if p["location"] == "Rasheen"][-1]
    with Image.open(picture) as shot:
        for piece, colours in ((there, 1), (own, 30)):
            x, y = piece["x"], piece["y"]
            around = shot.convert("RGB").crop((x - 20, y - 20, x + 20, y + 20))
            assert (len(around.getcolors() or ()) == 1) == (colours == 1)


def test_vw_u3_the_label_of_each_step_is_turned_to_the_left_by_a_quarter(module: Path) -> None:
    with zipfile.ZipFile(module) as z:
        steps = [Image.open(BytesIO(z.read(f"images/red-battleship-{n}.png"))).convert("RGB") for n in (1, 2, 3, 4)]
    for before, after in pairwise(steps):
        turned = ImageChops.difference(before.transpose(Image.Transpose.ROTATE_90), after)
        plain = ImageChops.difference(before, after)
        assert 3 * sum(ImageStat.Stat(turned).mean) < sum(ImageStat.Stat(plain).mean)
