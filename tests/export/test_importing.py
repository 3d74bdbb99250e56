"""A module of anybody becomes a project: what is carried is right, the rest is listed, and the project builds."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import os
import struct
import subprocess
import sys
import tomllib
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import handmade
import pytest
import rig
from click.testing import CliRunner
from handmade import PARTS, add, element, slot
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from toolchain.checks.lint.against import check_against
from toolchain.checks.lint.grids import cells
from toolchain.cli import cli
from toolchain.export.importing.ground import build_ground
from toolchain.export.importing.project import import_module
from toolchain.report import Report
from toolchain.sources.vassal.modules import Module, read_module
from toolchain.sources.vassal.saves import read_save

# The old module that lint is tried on; tests of another folder are no package.
_spec = importlib.util.spec_from_file_location("oldmodule", Path(__file__).parents[1] / "checks" / "test_lint.py")
assert _spec is not None and _spec.loader is not None
test_lint = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(test_lint)

FRONT = "emb2;;2;;Flip;2;F;;2;;;;1;false;0;0;back.png;;true;Flip;;;false;;1;1;true;;70,130;;;1.0"
TANK = "piece;;;front.png;Tank, heavy"


def module(folder: Path, files: dict[str, bytes | None] | None = None, **parts: str) -> Module:
    got = read_module(handmade.write(folder / "m.vmod", files, **parts), "m.vmod", Report())
    assert got is not None
    return got


def run(*words: object, status: int = 0) -> str:
    result = CliRunner().invoke(cli, [str(w) for w in words])
    assert result.exit_code == status, result.output
    return result.stdout + result.stderr


def rows(text: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(text.decode())))


def test_what_is_in_a_module_comes_into_the_project(tmp_path: Path) -> None:
    # A piece whose own picture is the front, while the layer is off; another whose layer has both.
    text = add("null", [FRONT, "mark;Side,Strength", TANK], ["-1", "Blue,7", "null;0;0;7;0"])
    parts = element("widget.PieceSlot", 'entryName="Tank" gpid="7"', handmade.escape(text))
    got = import_module(module(tmp_path, slots=slot(1) + parts), "mine")
    assert got is not None
    units = rows(got.files["counters/mine/units.csv"])
    table = [dict(zip(units[0], row, strict=True)) for row in units[1:]]
    assert [(r["id"], r["name"], r["side"], r["role"]) for r in table] == [
        ("1st-div", "1st Div", "red", "unit"),
        ("tank-heavy", "Tank, heavy", "blue", "unit"),
        ("2nd-div", "2nd Div", "red", "unit"),
    ]
    faces = ("pictures/front-png.png", "pictures/back-png.png")
    assert [(r["picture"], r["back_picture"]) for r in table] == [faces] * 3
    assert table[1]["Strength"] == "7"
    assert 'tank-heavy" = 7' in got.files["modules/mine/gpids.toml"].decode()
    setup = rows(got.files["modules/mine/setups/setup.csv"])
    assert setup[1:] == [["title", "Setup", "", "", ""], ["piece", "1st-div", "0202", "full", "as in the module"]]
    start = rows(got.files["modules/mine/setups/at-the-start.csv"])
    assert start[2] == ["piece", "2nd-div", "0203", "full", "as in the module"]
    assert got.files["maps/mine/pictures/board.png"] == handmade.FILES["images/board.png"]
    assert "the trait Trigger Action of 2 pieces" in got.left


GRIDS = [
    {},
    {"grid": ('sideways="false"', 'sideways="true"')},
    {"grid": ('x0="41" y0="36"', 'x0="-20" y0="70"')},
    {"numbering": ('stagger="true"', 'stagger="false"')},
    {"numbering": ('hType="N"', 'hType="A"')},
    {"numbering": ('first="H" sep=""', 'first="V" sep="."')},
    {"numbering": ('vOff="1"', 'vOff="14"')},
    {"numbering": ('vDescend="false"', 'vDescend="true"')},
    {"numbering": ('hDescend="false"', 'hDescend="true"')},
    {"grid": ('dx="62.354"', 'dx="70.0"')},  # stretched until its hexes are regular
]


@pytest.mark.parametrize("change", GRIDS, ids=lambda c: " ".join(new for _, new in c.values()) or "plain")
def test_every_hex_keeps_its_label_and_its_place(change: dict[str, tuple[str, str]], tmp_path: Path) -> None:
    parts = {}
    for part, (old, new) in change.items():
        assert old in PARTS[part]
        parts[part] = PARTS[part].replace(old, new)
    left: list[str] = []
    ground = build_ground(module(tmp_path, **parts), left)
    assert ground is not None and ground.grid is not None and ground.numbered is not None
    n = ground.numbered
    tried = 0
    for line, place in cells(n):
        x, y = n.centre(line, place)
        cell = ground.cell(line, place)
        assert ground.place(x, y) == ground.key(cell) == n.label(line, place)
        assert ground.place(x + 9, y - 9) == n.label(line, place)
        (at,) = ground.grid.centres([cell]).tolist()
        wanted = ground.mm((x, y))
        assert max(abs(at[0] - wanted[0]), abs(at[1] - wanted[1])) < 0.6
        tried += 1
    assert tried > 50
    assert not ground.named and ("stretched" in " ".join(left)) is ("70.0" in str(change))


def test_zones_regions_and_empty_ground(tmp_path: Path) -> None:
    zones = "".join(
        element("module.map.boardPicker.board.mapgrid.Zone", f'name="{name}" path="{path}" useParentGrid="{on}"')
        for name, path, on in (
            ("Paris", "90,60;130,60;130,100;90,100", "true"),
            ("Forest", "0,0;300,0;300,300;0,300", "true"),
            ("Dead pile", "500,10;690,10;690,90;500,90", "false"),
        )
    )
    board = element("module.map.boardPicker.board.HexGrid", PARTS["grid"])
    whole = element("module.map.boardPicker.board.ZonedGrid", "", zones + board)
    text = handmade.build_file(PARTS)
    start = text.index("<VASSAL.build.module.map.boardPicker.board.HexGrid ")
    end = text.index("</VASSAL.build.module.map.boardPicker.board.HexGrid>") + len(
        "</VASSAL.build.module.map.boardPicker.board.HexGrid>"
    )
    changed = (text[:start] + whole + text[end:]).encode()
    left: list[str] = []
    ground = build_ground(module(tmp_path, {"buildFile.xml": changed}), left)
    assert ground is not None
    assert list(ground.named.values()) == ["Paris"]
    assert ground.place(600, 50) == "Dead pile" and ground.place(111, 96) == "Paris"
    assert len(left) == 1 and left[0].startswith("zone 'Forest', which names ")


def test_decks_are_carried_with_their_cards_and_backs(tmp_path: Path) -> None:
    mask = "obs;72,130;back.png;Hide;I;Card;side:;;;false"
    cards = "".join(
        slot(n, (mask,), f"piece;;;front.png;{name}", name).replace("PieceSlot", "CardSlot")
        for n, name in ((5, "Ace"), (6, "King"))
    )
    words = 'owningBoard="Board" x="600" y="400" faceDown="Always" shuffle="Always"'
    back = 'name="Discards" owningBoard="Board" x="500" y="400" faceDown="Never" shuffle="Never"'
    decks = element("module.map.DrawPile", f'name="Draw" {words}', cards)
    decks += element("module.map.DrawPile", f'{back} reshufflable="true" reshuffleTarget="Draw"')
    drawn = add("p2", [mask, "piece;;;front.png;Ace"], ["", "Main;600;400;5;0"])
    pile = "+/d1/deck/Main;600;400;true;p2"
    files: dict[str, bytes | None] = {"setup.vsav": handmade.save(extra=[drawn, pile])}
    got = import_module(module(tmp_path, files, inmap=decks), "mine")
    assert got is not None and got.held["decks"] == 2
    units = rows(got.files["counters/mine/units.csv"])
    table = {row[0]: dict(zip(units[0], row, strict=True)) for row in units[1:]}
    assert {i: r["deck"] for i, r in table.items() if r["deck"]} == {"ace": "Draw", "king": "Draw"}
    assert table["ace"]["back_picture"] == "pictures/back-png.png"
    plan = tomllib.loads(got.files["modules/mine/vassal.toml"].decode())["deck"]
    assert [(d["name"], d.get("of"), d.get("discards"), d.get("open"), d.get("shuffle")) for d in plan] == [
        ("Draw", {"deck": "Draw"}, "Discards", None, None),
        ("Discards", None, None, True, False),
    ]
    assert not [line for line in got.left if "deck" in line or "Mask" in line]
    for name, data in got.files.items():
        target = tmp_path / "p" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    run("build", "mine", "--root", tmp_path / "p")


def test_old_pictures_without_an_ending_are_carried(tmp_path: Path) -> None:
    gif = io.BytesIO()
    Image.new("P", (30, 20), 7).save(gif, "GIF")
    ghost = slot(5, ("delete;Delete;68,130;",), "piece;;;ghost;Ghost", "Ghost")
    got = import_module(module(tmp_path, {"images/ghost.gif": gif.getvalue()}, slots=ghost), "mine")
    assert got is not None
    units = rows(got.files["counters/mine/units.csv"])
    row = dict(zip(units[0], units[1], strict=True))
    assert (row["picture"], row["size"]) == ("pictures/ghost-gif.png", "30x20")
    assert got.files["counters/mine/pictures/ghost-gif.png"].startswith(b"\x89PNG")


def test_the_same_module_gives_the_same_list_in_every_run(tmp_path: Path) -> None:
    handmade.write(tmp_path / "old.vmod")
    told = []
    for seed in "12":
        words = [sys.executable, "-m", "toolchain", "import", str(tmp_path / "old.vmod"), str(tmp_path / seed), "-q"]
        subprocess.run(words, env={**os.environ, "PYTHONHASHSEED": seed}, check=True)
        told.append((tmp_path / seed / "modules" / "old" / "IMPORTED.md").read_text("utf-8"))
    assert told[0] == told[1] and told[0].index("Calculated Property") < told[0].index("Trigger Action")


@pytest.mark.parametrize(("side", "stays"), [(9_500, True), (14_000, True), (60_000, False)])
def test_a_picture_of_too_many_pixels_is_not_unpacked(side: int, stays: bool, tmp_path: Path) -> None:
    small = handmade.png(2, 2, (1, 2, 3))
    at = small.index(b"IHDR")
    head = small[at : at + 4] + struct.pack(">II", side, side) + small[at + 12 : at + 17]
    data = small[:at] + head + struct.pack(">I", zlib.crc32(head)) + small[at + 21 :]
    got = import_module(module(tmp_path, {"images/board.png": data}), "mine")
    assert (got is not None) is stays
    if got is not None:
        assert "the picture 'board.png' of board 'Board', which cannot be read" in got.left


def pools(name: str, stack: str = "", edge: int = 0) -> str:
    """Write a window with a board of two zones, and what lies on it at the start."""
    picker = 'slotHeight="125" slotScale="0.2" slotWidth="350" title="Choose Boards"'
    zones = "".join(
        element("module.map.boardPicker.board.mapgrid.Zone", f'name="{zone}" path="{path}" useParentGrid="false"')
        for zone, path in (("Dead", "0,0;100,0;100,100;0,100"), ("Reserve", "100,0;200,0;200,100;100,100"))
    )
    grid = element("module.map.boardPicker.board.ZonedGrid", "", zones)
    board = element("module.map.boardPicker.Board", f'image="pools.gif" name="{name} board" reversible="false"', grid)
    words = f'mapName="{name}" edgeWidth="{edge}" edgeHeight="{edge}"'
    return element("module.Map", words, element("module.map.BoardPicker", picker, board) + stack)


def test_other_boards_with_pieces_lie_beside_the_first_one(tmp_path: Path) -> None:
    gif = io.BytesIO()
    Image.new("P", (300, 120), 7).save(gif, "GIF")
    at = 'name="Dead ones" owningBoard="Pools board" useGridLocation="false" x="40" y="60"'
    stack = element("module.map.SetupStack", at, slot(5, name="Ghost", basic="piece;;;ghost.gif;Ghost"))
    files: dict[str, bytes | None] = {
        "images/pools.gif": gif.getvalue(),
        "images/ghost.gif": gif.getvalue(),
        "images/front.png": handmade.FILES["images/front.png"][:60],
        "setup.vsav": handmade.save(extra=[add("p2", [handmade.BASIC], ["Pools;170;80;1;0"])]),
    }
    extra = pools("Pools", stack, edge=20) + pools("Charts")
    got = import_module(module(tmp_path, files, extra=extra), "mine")
    assert got is not None
    start = {row[1]: row[2] for row in rows(got.files["modules/mine/setups/at-the-start.csv"])}
    assert start["ghost"] == "Dead" and start["2nd-div"] == "0203"
    setup = [row[2] for row in rows(got.files["modules/mine/setups/setup.csv"])[2:]]
    assert sorted(setup) == ["0202", "Reserve"]  # the window leaves 20 pixels free around its board
    with Image.open(io.BytesIO(got.files["maps/mine/pictures/boards.png"])) as sheet:
        assert sheet.size == (700 + 40 + 300, 520)
        with Image.open(io.BytesIO(gif.getvalue())) as shown:
            assert sheet.getpixel((800, 50)) == shown.convert("RGB").getpixel((60, 50))
    assert "[[box]]" in got.files["maps/mine/map.toml"].decode()
    assert got.held["boards"] == 2 and got.held["boxes"] == 2
    left = "\n".join(got.left)
    assert "the boards 'Charts board'" in left and "the windows 'Charts'" in left
    assert "faces whose picture is missing or cannot be read" in left  # half of a PNG
    assert got.files["counters/mine/pictures/ghost-gif.png"].startswith(b"\x89PNG")
    for name, data in got.files.items():
        target = tmp_path / "p" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    run("build", "mine", "--root", tmp_path / "p")


def test_a_board_without_room_is_listed_with_its_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolchain.export.importing.boards.MOST_ACROSS", 900)
    at = 'name="Dead ones" owningBoard="Pools board" useGridLocation="false" x="40" y="60"'
    stack = element("module.map.SetupStack", at, slot(5, name="Ghost"))
    files: dict[str, bytes | None] = {"images/pools.gif": handmade.png(300, 120, (1, 2, 3))}
    got = import_module(module(tmp_path, files, extra=pools("Pools", stack)), "mine")
    assert got is not None and got.held["boards"] == 1
    assert "the board 'Pools board', for which the sheet has no room, and its pieces" in got.left
    assert "1 piece on other boards at the start" in got.left


def test_the_project_builds_and_stands_in_for_the_module(tmp_path: Path) -> None:
    old = handmade.write(tmp_path / "old-one.vmod")
    said = run("import", old, tmp_path / "p")
    assert "old-one: 2 counters, 77 hexes" in said and "the trait Calculated Property of 2 pieces" in said
    run("build", "old-one", "--root", tmp_path / "p")
    made = tmp_path / "p" / "build" / "old-one" / "module" / "old-one.vmod"
    assert "V229" not in run("lint", made, "--against", old, "--fail-on", "warning")
    new, whole = (read_module(f, f.name, Report()) for f in (made, old))
    assert new is not None and whole is not None
    assert list(check_against(new, whole)) == []
    data = new.archive.read("setup.vsav", Report())
    assert data is not None
    save = read_save(data, "s", Report())
    assert save is not None
    (piece,) = save.pieces.values()
    # The old set-up has it beside the middle of its hex, which is where it stands now.
    assert (piece.gpid, piece.x, piece.y) == ("1", 103, 72)


@pytest.mark.engine
def test_the_new_module_opens_in_the_engine_with_every_label(vassal: Callable[..., rig.Said], tmp_path: Path) -> None:
    old = handmade.write(tmp_path / "old.vmod")
    run("import", old, tmp_path / "p")
    run("build", "old", "--root", tmp_path / "p")
    made = tmp_path / "p" / "build" / "old" / "module" / "old.vmod"
    asked = [["point", "Main", "main", 103, 72], ["point", "Main", "main", 41, 108], ["key", "1st Div", "ctrl F"]]
    said = vassal(made, games=["Setup"], do=asked)
    assert said.problems == []
    assert said.altered == []
    assert [p["location"] for p in said.of("point")] == ["hex 0202", "hex 0102"]
    assert [(p["location"], p["gpid"]) for p in said.of("piece")] == [("hex 0202", "1")]


def test_an_old_module_with_code_of_its_own_is_carried_as_far_as_it_goes(tmp_path: Path) -> None:
    (tmp_path / "old.vmod").write_bytes(test_lint.old_module())
    said = run("import", tmp_path / "old.vmod", tmp_path / "p", "--name", "older")
    for line in ("2 boards, 1 deck", "acme.Weather (1): 'Weather'", "1 class of"):
        assert line in said
    run("build", "older", "--root", tmp_path / "p")
    assert "What was not" in (tmp_path / "p" / "modules" / "older" / "IMPORTED.md").read_text("utf-8")


def test_nothing_of_the_users_is_overwritten(tmp_path: Path) -> None:
    old = handmade.write(tmp_path / "old.vmod")
    mine = tmp_path / "p" / "maps" / "old" / "map.toml"
    mine.parent.mkdir(parents=True)
    mine.write_text("mine")
    run("import", old, tmp_path / "p", status=2)
    assert mine.read_text() == "mine"
    assert [p.name for p in (tmp_path / "p").rglob("*") if p.is_file()] == ["map.toml"]


def test_what_cannot_be_imported_is_said(tmp_path: Path) -> None:
    (tmp_path / "bad.vmod").write_bytes(b"no zip")
    assert "V301" in run("import", tmp_path / "bad.vmod", tmp_path / "p", status=1)
    blank = handmade.write(tmp_path / "blank.vmod", {"images/board.png": None})
    assert "no board" in run("import", blank, tmp_path / "p", status=2)
    assert "lower-case" in run("import", blank, tmp_path / "p", "--name", "My Game", status=2)
    assert not (tmp_path / "p").exists()
    old = handmade.write(tmp_path / "old.vmod")
    document = json.loads(run("import", old, tmp_path / "p", "--json"))
    assert document["game"] == "old" and document["held"]["counters"] == 2


@settings(max_examples=40)
@given(st.data())
def test_any_module_is_answered(data: st.DataObject) -> None:
    text = handmade.build_file(PARTS)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        to = min(len(text), at + data.draw(st.integers(0, 40)))
        text = text[:at] + data.draw(st.sampled_from(["", text[at:to] * 2, "\\", "9" * 30, ";", "/", "-"])) + text[to:]
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        for name, content in {**handmade.FILES, "setup.vsav": handmade.save()}.items():
            z.writestr(name, content)
        z.writestr("buildFile.xml", text)
    got = read_module(out.getvalue(), "m.vmod", Report())
    if got is not None:
        imported = import_module(got, "mine")
        assert imported is None or "maps/mine/map.toml" in imported.files
