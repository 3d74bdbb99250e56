"""Open generated modules in the real engine: it says nothing, and everything is where the data says."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
import rig
from seven import PLAN, SEVEN, module_of, seven, seven_map

from toolchain.export.vassal.board import build_boards
from toolchain.export.vassal.module import pixels_per_mm
from toolchain.model.hexes import Numbering
from toolchain.report import Report
from toolchain.sources.decode.vassal import VassalPlan

pytestmark = pytest.mark.engine


def test_module_opens_and_plays(vassal: Callable[..., rig.Said], tmp_path: Path) -> None:
    game = seven()
    module = tmp_path / "seven.vmod"
    module.write_bytes(module_of(game))
    said = vassal(
        module,
        games=["Empty map", "Opening"],
        properties=["Step_Level", "attack", "movement", "Side", "mech", "Layer", "Terrain", "Features"],
        side="Red",
        do=[
            ["key", "2/3 Rgt; Süd, Nord", "ctrl F"],
            ["key", "1st 'Lions'", "ctrl E"],
            ["drag", "I. Korps", "Map", 205, 176],
            ["key", "I. Korps", "ctrl D"],
            ["key", "Control", "ctrl F"],
            ["hotkey", "alt PERIOD"],
            ["expr", "", '{GetZoneProperty("Place","Port-Louis","Map")}'],
        ],
    )
    assert said.problems == []
    assert said.altered == []
    assert said.of("step")[0]["side"] == "Red"

    stands = [(p["location"], p["gpid"], p["props"]["Step_Level"]) for p in said.of("piece", game="Opening")]
    gpids = {"red-1": "1", "red-2": "2", "blue-1": "3", "control": "4"}
    places = {"0102": "hex 0102"}
    wanted = [(places.get(p.at, p.at), gpids[p.counter], str(p.step + 1)) for p in game.setups[0].pieces]
    assert sorted(stands) == sorted([*wanted, ("Mitte", "4", "1")])
    # Boxes take no control marker; in a box every piece has a place of its own.
    reserve = [(p["x"], p["y"]) for p in said.of("piece", game="Opening", location="Reserve")]
    assert len(set(reserve)) == len(reserve) == 3
    port = said.of("piece", game="Opening", location="Port-Louis")[0]["props"]
    assert (port["Terrain"], port["Features"], port["mech"], port["Layer"]) == ("Clear", "Port", "false", "units")
    lower = said.of("piece", game="Opening", gpid="2")[0]
    assert (lower["name"], lower["props"]["attack"]) == ("2/3 Rgt; Süd, Nord (reduced)", "2")

    flipped, sent, gone, control = said.of("key")
    assert (flipped["after"]["name"], flipped["after"]["props"]["attack"]) == ("2/3 Rgt; Süd, Nord", "3")
    assert sent["after"]["location"] == "Reserve"
    assert gone["inGame"] is False
    assert control["after"]["name"] == "Control (Blue)"
    assert said.of("expr")[0]["value"] == "0302; Clear; Port"
    assert [c["text"] for c in said.of("chat") if c["ctx"].startswith("do ")] == [
        "* 2/3 Rgt; Süd, Nord (reduced) becomes 2/3 Rgt; Süd, Nord in Mitte",
        "* 1st 'Lions' is eliminated in Port-Louis",
        "* I. Korps moves from hex 0102 to Port-Louis",
        "* I. Korps is taken off Port-Louis",
        "* Control (Red) becomes Control (Blue) in Mitte",
        "* Summer 1805, Move: Blue",
    ]


NUMBERINGS = [
    Numbering(),
    Numbering("row", 0, 17, 3, 0, separator="."),
    Numbering(column_letters=True, column_start=2, row_digits=1, separator="-"),
    Numbering(column_letters=True, column_start=25),  # beyond Z: VASSAL cannot, every hex gets a zone
]
MORE = [
    ("flat", "even", Numbering(stagger="up", row_start=5)),
    ("pointy", "odd", Numbering(stagger="up", column_start=25, column_letters=True, double_letters=True)),
]


@pytest.mark.parametrize(
    ("orientation", "low", "numbering"),
    [
        (*kind, numbering)
        for kind, numbering in zip(itertools.product(["flat", "pointy"], ["odd", "even"]), NUMBERINGS, strict=True)
    ]
    + MORE,
    ids=["flat-odd", "pointy-odd-row", "flat-even-letters", "pointy-even-zones", "flat-even-up", "pointy-odd-double"],
)
def test_every_hex_answers_to_its_name(
    vassal: Callable[..., rig.Said], tmp_path: Path, orientation: str, low: str, numbering: Numbering
) -> None:
    game = seven(seven_map(orientation, low, numbering))
    report = Report()
    module = tmp_path / "seven.vmod"
    module.write_bytes(module_of(game, report=report))
    whole = numbering == NUMBERINGS[3]
    assert [f.rule.code for f in report] == ["V109"] * whole

    (board,) = build_boards(game.map, pixels_per_mm(game, PLAN))
    hexes = [s for s in game.map.spaces if s.cell in SEVEN]
    names = [s.key if s.name or whole else PLAN.unnamed + s.label for s in hexes]
    points = [board.at(s) for s in hexes]
    asked = [["point", "Map", "main", x + 13, y - 17] for x, y in points]
    asked += [["name", "Map", "main", name] for name in names if not whole]
    said = vassal(module, games=["Opening"], do=asked)
    assert said.problems == []
    # A point off the centre has the hex's name and snaps to its centre, which is where set-ups put pieces.
    assert [p["location"] for p in said.of("point")] == names
    assert [(p["snapx"], p["snapy"]) for p in said.of("point")] == points
    assert [p["location"] for p in said.of("piece", gpid="2")] == ["Mitte"]


def test_words_of_another_language_and_a_newer_vassal(vassal: Callable[..., rig.Said], tmp_path: Path) -> None:
    plan = VassalPlan.model_validate(
        {
            "vassal": "3.7.0",
            "map": "Mapa: Europa/Norte",
            "words": {"flip": "Virar", "reduced": "reduzida", "flip_report": "$oldPieceName$ é agora $newPieceName$"},
        }
    )
    module = tmp_path / "seven.vmod"
    module.write_bytes(module_of(seven(), plan))
    said = vassal(module, games=["Opening"], do=[["key", "I. Korps", "ctrl F"]])
    assert said.problems == []
    assert said.altered == []
    assert said.of("chat")[-1]["text"] == "* I. Korps é agora I. Korps (reduzida)"
    assert {p["map"] for p in said.of("piece")} == {"Mapa: Europa/Norte"}
