"""Prove the rig on a sound module and on broken ones, a representative dozen: each run costs two seconds.

They cover what the engine reports (missing and wrong pictures, unknown components and traits, numbers that are none,
missing files), what only the rig sees (prototypes, ids, boards, saves, expressions), what shows only as rewritten, and
a hang.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import handmade
import pytest
import rig
from handmade import LAYER, PARTS, slot

pytestmark = pytest.mark.engine


def test_sound_module(vassal: Callable[..., rig.Said], tmp_path: Path) -> None:
    said = vassal(
        handmade.write(tmp_path / "t.vmod"),
        games=["new", "Setup"],
        properties=["Strength", "Side"],
        screenshots=[("Main", tmp_path / "s.png")],
        do=[
            ["key", "1st Div", "ctrl F"],
            ["key", "1st Div", "named:DoFlip"],
            ["name", "Main", "Board", "0203"],
            ["point", "Main", "Board", 111, 96],
        ],
    )
    assert said.status == 0, said.problems
    assert not said.altered
    assert [(p["name"], p["location"], p["props"]) for p in said.of("piece", game="Setup")] == [
        ("1st Div", "0202", {"Strength": "5", "Side": "Red"}),
        ("2nd Div", "0203", {"Strength": "5", "Side": "Red"}),
    ]
    assert [k["after"]["props"]["Strength"] for k in said.of("key")] == ["3", "5"]
    assert [(n["x"], n["y"], n["ok"]) for n in said.of("name")] == [(103, 144, True)]
    assert said.of("point")[0]["location"] == "0202"
    assert said.of("slot")[0]["traits"] == [
        "TriggerAction",
        "CalculatedProperty",
        "Embellishment",
        "Marker",
        "BasicPiece",
    ]
    assert (tmp_path / "s.png").stat().st_size > 500


def changed(part: str, old: str, new: str) -> dict[str, str]:
    """Replace a piece of one part of the sound module."""
    assert old in PARTS[part]
    return {part: PARTS[part].replace(old, new)}


# name: parts replaced, files replaced, the problem expected as (who says it, kind)
BROKEN: dict[str, tuple[dict[str, str], dict[str, bytes | None], tuple[str, str]]] = {
    "picture of a second layer missing": ({}, {"images/back.png": None}, ("engine", "data")),
    "picture is none": ({}, {"images/front.png": b"no"}, ("engine", "data")),
    "undefined prototype": ({"slots": slot(1, [LAYER, "prototype;Cavalry"])}, {}, ("rig", "prototype")),
    "unknown trait": ({"slots": slot(1, ["locCommand;x;y", LAYER])}, {}, ("engine", "data")),
    "expression does not parse": ({"slots": slot(1, ["calcProp;Strength;{1 + };", LAYER])}, {}, ("rig", "expression")),
    "repeated gpid": ({"slots": slot(2)}, {}, ("rig", "gpid")),
    "grid with a word for a number": (changed("grid", 'dx="62.354"', 'dx="wide"'), {}, ("engine", "bug")),
    "grid of no size": (changed("grid", 'dx="62.354"', 'dx="0"'), {}, ("engine", "hang")),
    "stack on an unknown board": (changed("atstart", '"Board"', '"Bored"'), {}, ("rig", "board")),
    "set-up off the board": ({}, {"setup.vsav": handmade.save(at=(5000, 96))}, ("rig", "offboard")),
    "set-up with an unknown command": ({}, {"setup.vsav": handmade.save(extra=["NONSENSE\tx"])}, ("rig", "undecoded")),
    "unknown component": ({"extra": "<VASSAL.build.module.NoSuchThing/>"}, {}, ("engine", "bug")),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_module(vassal: Callable[..., rig.Said], tmp_path: Path, name: str) -> None:
    parts, files, problem = BROKEN[name]
    module = handmade.write(tmp_path / "t.vmod", files=files, **parts)
    patience = 4 if problem[1] == "hang" else 30
    said = vassal(module, games=["new", "Setup"], patience=patience, timeout=120)
    assert problem in [(p["by"], p["kind"]) for p in said.problems]


def test_trait_with_fields_missing_is_rewritten(vassal: Callable[..., rig.Said], tmp_path: Path) -> None:
    said = vassal(handmade.write(tmp_path / "t.vmod", slots=slot(1, ["emb2;Flip"])), games=["new"])
    assert said.status == 0
    assert said.of("rewritten")
