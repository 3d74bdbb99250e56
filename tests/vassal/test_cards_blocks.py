"""Decks and hands, blocks that hide, stacks that lie there at the start, several boards: in the real engine."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
import rig
from handmade import png
from PIL import Image
from seven import PLAN, SETUP, pictures_of, seven, seven_map

from toolchain.export.vassal.gpids import Lock, update_lock
from toolchain.export.vassal.module import build_module, lock_ids
from toolchain.export.vassal.pictures import face_pictures
from toolchain.model.forces import Counter, Face
from toolchain.model.game import Game
from toolchain.model.position import Piece
from toolchain.model.warmap import WarMap
from toolchain.report import Report
from toolchain.sources.decode.vassal import VassalPlan

pytestmark = pytest.mark.engine

CARDS = tuple(
    Counter(f"{side}-card-{n}", f"{side.title()} Card {n}", "marker", side, kind="card", copies=1 + (n == 3))
    for side in ("red", "blue")
    for n in (1, 2, 3)
)


def plan_of(**more: object) -> VassalPlan:
    return VassalPlan.model_validate({**PLAN.model_dump(exclude_unset=True), **more})


def made(game: Game, plan: VassalPlan, **more: object) -> bytes:
    """Build a module, with a plain picture for everything that is hidden."""
    report = Report()
    pictures = pictures_of(game, plan)
    for (_, step), stem in face_pictures(game.counters).items():
        if step == 0:
            pictures[f"{stem.removesuffix('-1')}-hidden.png"] = png(50, 50, (40, 90, 40))
    for other in (*more.get("others", ()), *more.get("singles", ())):
        pictures |= pictures_of(other, plan)
    ids = lock_ids([game, *more.get("others", ())], plan)
    data = build_module(game, pictures, plan, update_lock(Lock(), ids), report, **more)
    assert [f for f in report if f.severity > 1] == []
    return data


DECKS = [
    {"name": "Red deck", "at": "Reserve", "of": {"kind": "card", "side": "red"}, "side": "red", "discards": "Red pile"},
    {"name": "Red pile", "at": "Reserve", "shift": [20, 0], "open": True},
    {"name": "Blue deck", "at": "Reserve", "shift": [0, 20], "of": {"kind": "card", "side": "blue"}},
]


def test_cards_are_drawn_discarded_and_shuffled_back(vassal: Callable[..., rig.Said], tmp_path: Path) -> None:
    game = seven(counters=(*seven().counters, *CARDS))
    module = tmp_path / "cards.vmod"
    module.write_bytes(made(game, plan_of(deck=DECKS, hands=["red", "blue"])))
    hand = "Hand: Red"
    said = vassal(
        module,
        side="Red",
        do=[
            ["load", "Opening"],
            ["drag", "Red Card 1", hand, 100, 100],
            ["key", "Red Card 1", "ctrl X"],
            ["draw", "Red deck", "Map", 205, 176],
            ["menu", "deck:Red deck"],
            ["menu", "deck:Red pile"],
            ["choose", "deck:Red pile", "Shuffle back"],
            ["pieces"],
        ],
        allow=[rig.TOO_NEW, "^log: .*No Translation: Shuffle back"],  # the engine asks its own words for it
    )
    assert said.problems == []
    assert said.altered == []
    count = {d["name"]: d["cards"] for d in said.of("deck", game="Opening")}
    assert count == {"Red deck": 3, "Red pile": 0, "Blue deck": 4}  # as they are at the end: one card is on the map
    assert said.of("drag")[0]["piece"]["map"] == hand
    assert said.of("key")[0]["after"]["deck"] == "Red pile"
    chat = [c["text"] for c in said.of("chat")]
    assert chat[-4:] == [
        "* A card goes to Hand: Red",
        "* A card is discarded",
        "* Red card moves from Red deck to Port-Louis",
        "* Red pile goes back",
    ]
    assert [m["items"] for m in said.of("menu")] == [["Draw specific cards"], ["Shuffle back", "Draw specific cards"]]


BLOCKS = tuple(
    replace(c, faces=tuple(Face({"attack": n}) for n in (4, 3, 2, 1))) if c.role == "unit" else c
    for c in seven().counters
)


SEND = {"title": "To the pool", "to": {"blue": "Reserve"}, "of": {"role": "unit"}, "key": "P"}


def pixel(path: Path, at: tuple[int, int]) -> tuple[int, int, int]:
    """Return the colour of a point of a picture."""
    with Image.open(path) as picture:
        r, g, b = picture.convert("RGB").getpixel(at)
    return r, g, b


@pytest.mark.parametrize(("side", "seen"), [("Red", False), ("Blue", True)])
def test_blocks_hide_their_faces_from_the_other_side(
    vassal: Callable[..., rig.Said], tmp_path: Path, side: str, seen: bool
) -> None:
    game = seven(counters=BLOCKS)
    module = tmp_path / "blocks.vmod"
    module.write_bytes(made(game, plan_of(hide={"role": "unit"}, rotate={"side": "blue"}, owned=True, send=[SEND])))
    picture = tmp_path / "map.png"
    lions = "gpid:3"
    said = vassal(
        module,
        side=side,
        properties=["Step_Level", "attack", "Obscured", "ObscuredToOthers", "Facing_Facing"],
        do=[
            ["load", "Opening"],
            ["shot", "Map", picture],
            ["key", lions, "ctrl F"],
            ["key", lions, "ctrl F"],
            ["key", lions, "ctrl G"],
            ["key", lions, "ctrl CLOSE_BRACKET"],
            ["key", lions, "ctrl H"],
            ["key", "2/3 Rgt; Süd, Nord", "ctrl P"],
            ["key", lions, "ctrl H"],
            ["drag", lions, "Map", 205, 176],
            ["drag", lions, "Map", 209, 178],
            ["key", lions, "ctrl P"],
        ],
    )
    assert said.problems == []
    assert said.altered == []
    first = next(p for p in said.of("piece", game="Opening") if p["gpid"] == "3" and p["location"] == "Port-Louis")
    assert first["props"]["Obscured"] == str(not seen).lower()
    green = pixel(picture, (first["x"], first["y"]))
    assert (green == (40, 90, 40)) is not seen
    if seen:
        *turns, red, hidden, sent = said.of("key")
        steps = [k["after"]["props"] for k in turns]
        assert (red["after"]["location"], sent["after"]["location"]) == ("Mitte", "Reserve")
        assert [p["attack"] for p in steps] == ["2", "1", "2", "2", "2"]
        assert [p["Facing_Facing"] for p in steps][-2:] == ["2", "2"]
        assert steps[-1]["ObscuredToOthers"] == "false"  # turned for all to see
        assert hidden["after"]["props"]["ObscuredToOthers"] == "true"
        # What is hidden is said without its name, and of a piece that stays in its place nothing.
        assert [c["text"] for c in said.of("chat") if c["ctx"].startswith("do ")] == [
            *["* Blue piece changes in Reserve"] * 3,
            "* Blue piece turns in Reserve",
            "* 1st 'Lions' (step 3) is turned over in Reserve",
            "* Blue piece is turned over in Reserve",
            "* Blue piece moves from Reserve to Port-Louis",
            "* Blue piece goes from Port-Louis to Reserve",
        ]


def test_a_setup_lies_there_at_the_start(vassal: Callable[..., rig.Said], tmp_path: Path) -> None:
    later = replace(SETUP, name="later", title="Later", pieces=SETUP.pieces[:2], control={})
    first = seven().setups[0]
    cards = (Piece("red-card-3", "red-card-3", "Mitte"), Piece("blue-card-1", "blue-card-1", "Mitte"))
    game = seven(
        counters=(*seven().counters, *CARDS), setups=(first, replace(later, pieces=(*first.pieces[:2], *cards)))
    )
    module = tmp_path / "start.vmod"
    module.write_bytes(made(game, plan_of(at_start="start", deck=DECKS)))
    said = vassal(module, properties=["Step_Level", "Counter"])
    assert said.problems == []
    assert said.altered == []
    for title, wanted in (
        ("Opening", [*((p.at, p.counter) for p in first.pieces), ("Mitte", "control")]),
        ("Later", [(p.at, p.counter) for p in (*first.pieces[:2], *cards)]),
    ):
        pieces = [p for p in said.of("piece", game=title) if p["deck"] is None]
        stands = [(p["location"].replace("hex ", ""), p["props"]["Counter"]) for p in pieces]
        assert sorted(stands) == sorted(wanted), title
    lower = next(p for p in said.of("piece", game="Opening") if p["props"]["Counter"] == "red-2")
    assert lower["props"]["Step_Level"] == "2"
    # A card that a set-up puts elsewhere is not in the deck too.
    for title, red, blue in (("Opening", 4, 4), ("Later", 3, 3)):
        assert {d["name"]: d["cards"] for d in said.of("deck", game=title)} == {
            "Red deck": red,
            "Red pile": 0,
            "Blue deck": blue,
        }


def named(warmap: WarMap, sheet: str, shift: str = "") -> WarMap:
    """Return the map under the name of another sheet; shift: put before the names of its boxes."""
    spaces = tuple(replace(s, sheet=sheet, key=shift + s.key if s.kind == "box" else s.key) for s in warmap.spaces)
    sheets = (replace(warmap.sheets[0], name=sheet),)
    return replace(warmap, sheets=sheets, spaces=spaces, grids={sheet: warmap.grids["main"]})


def test_players_choose_among_arrangements(vassal: Callable[..., rig.Said], tmp_path: Path) -> None:
    game = seven()
    west = seven(named(seven_map("pointy", "even"), "West first"), setups=())
    east = [p for p in game.setups[0].pieces if p.at in ("Mitte", "Port-Louis")]
    west = replace(west, setups=(replace(SETUP, name="west", title="West", pieces=tuple(east), control={}),))
    single = seven(named(seven_map(), "a"), setups=())
    module = tmp_path / "choice.vmod"
    module.write_bytes(made(game, PLAN, others=[west], singles=[single]))
    said = vassal(module, properties=["Terrain"])
    assert said.problems == []
    assert said.altered == []
    boards = {e["game"]: [b["name"] for b in e["boards"]] for e in said.of("gamemap") if e["map"] == "Map"}
    assert boards["Opening"] == ["main"]
    assert boards["West"] == ["West first"]
    assert [p["location"] for p in said.of("piece", game="West")] == ["Port-Louis", "Mitte", "Mitte"]
    assert {p["props"]["Terrain"] for p in said.of("piece", game="West")} == {"Clear"}
