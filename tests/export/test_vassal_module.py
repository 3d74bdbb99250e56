"""The module as an archive: what is in it, where things are, and that the same input gives the same bytes."""

from __future__ import annotations

import io
import itertools
import zipfile
from dataclasses import replace

import pytest
from handmade import png
from lxml import etree
from seven import PLAN, SETUP, module_of, pictures_of, seven, seven_map

from toolchain.art.position import spread
from toolchain.export.vassal.board import build_boards, hex_pixels
from toolchain.export.vassal.gpids import Lock, read_lock, update_lock
from toolchain.export.vassal.help import build_help
from toolchain.export.vassal.kit import by_step, step_titles
from toolchain.export.vassal.module import build_module, pixels_per_mm
from toolchain.export.vassal.pictures import face_pictures, slug
from toolchain.export.vassal.setups import turn_state
from toolchain.model.forces import Counter, Face
from toolchain.model.game import TurnTrack
from toolchain.model.hexes import HexGrid
from toolchain.report import Report
from toolchain.sources.decode.vassal import Words
from toolchain.sources.vassal.saves import read_save


def opened(data: bytes) -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(data))


def test_same_input_gives_same_bytes() -> None:
    assert module_of(seven()) == module_of(seven())


def test_module_holds_what_it_names() -> None:
    report = Report()
    module = opened(module_of(seven(), report=report))
    assert list(report) == []
    root = etree.fromstring(module.read("buildFile.xml"))
    assert root.tag == "VASSAL.build.GameModule"
    assert root.get("name") == "Seven <Hexes>"
    named = {v for e in root.iter() for k, v in e.attrib.items() if k in ("image", "file", "fileName") and v}
    assert named <= {n.removeprefix("images/") for n in module.namelist()}
    assert all(n == n.lower() and n.isascii() for n in module.namelist() if n.startswith("images/"))
    # One element a line, so that versions can be compared.
    lines = module.read("buildFile.xml").decode().splitlines()
    assert all(line.count("<VASSAL.") <= 1 for line in lines)


def test_a_palette_of_many_counters_and_kinds_scrolls() -> None:
    one = seven().counters[0]
    of = {"corps": 30, **{f"kind-{n}": 6 for n in range(8)}}
    counters = tuple(replace(one, id=f"{k}-{n}", name="", kind=k) for k, many in of.items() for n in range(many))
    root = etree.fromstring(opened(module_of(seven(counters=counters, setups=()))).read("buildFile.xml"))
    window = root.find("VASSAL.build.module.PieceWindow")
    assert window is not None
    shapes = {e.get("entryName"): (e.tag.rpartition(".")[2], e.get("nColumns")) for e in window.iter() if len(e)}
    # What lies side by side does not scroll: many counters are listed, and many kinds drop down.
    assert shapes["Red"] == ("BoxWidget", None)
    assert shapes["Corps"] == ("ListWidget", None)
    assert shapes["Kind 3"] == ("PanelWidget", "6")


def test_a_name_that_the_chat_would_take_for_a_colour_is_quoted() -> None:
    report, first = Report(), seven().counters[0]
    game = seven(counters=(replace(first, name="?"), *seven().counters[1:]))
    assert b"entryName=\"'?'\"" in opened(module_of(game, report=report)).read("buildFile.xml")
    assert [f.rule.code for f in report] == ["V104"]


def test_pictures_that_nothing_shows_stay_out() -> None:
    game = seven()
    module = opened(module_of(game, pictures={**pictures_of(game), "stray.png": png(9, 9, (1, 2, 3))}))
    assert "images/stray.png" not in module.namelist()


def test_data_of_the_module_agrees_with_its_build_file() -> None:
    module = opened(module_of(seven()))
    data = etree.fromstring(module.read("moduledata"))
    root = etree.fromstring(module.read("buildFile.xml"))
    assert (data.findtext("name"), data.findtext("version")) == (root.get("name"), root.get("version"))
    assert data.findtext("VassalVersion") == root.get("VassalVersion")
    save = opened(module.read("start.vsav"))
    assert sorted(save.namelist()) == ["moduledata", "savedGame", "savedata"]
    assert save.read("moduledata") == module.read("moduledata")


def test_setup_tells_turn_and_notes_and_no_player() -> None:
    save = read_save(opened(module_of(seven())).read("start.vsav"), "start.vsav", Report())
    assert save is not None
    said = save.commands
    assert "NOTES\tVictory points: 7" in said
    assert "MapBoardPicker\tmain\t0\t0" in said
    assert any(t.startswith("TURNTurnTracker0\t0|1;0;0;true,true,true;0\\;0\\;0\\;true,true") for t in said)
    assert not any(t.startswith("PLAYER") for t in said)


def test_turn_state() -> None:
    assert turn_state(TurnTrack(("a", "b")), 0) == "0|0;0;0;true,true"
    assert turn_state(TurnTrack(("a", "b"), ("x",)), 2) == "0|1;0;0;true,true;0\\;0\\;0\\;true"


@pytest.mark.parametrize(("orientation", "low"), [*itertools.product(["flat", "pointy"], ["odd", "even"])])
@pytest.mark.parametrize("pixels", [80, 63])
def test_centres_fall_on_the_drawing(orientation: str, low: str, pixels: int) -> None:
    grid = HexGrid(orientation, 19.7, (13.21, 17.77), 30, 30, low)
    scale = pixels / grid.pitch
    laid = hex_pixels(grid, scale)
    for cell, (x, y) in zip(grid.cells.tolist(), grid.centres(grid.cells) * scale, strict=True):
        px, py = laid.centre((cell[0], cell[1]))
        assert max(abs(px - x), abs(py - y)) <= 1.0


def test_sheets_lie_side_by_side() -> None:
    one = seven_map()
    two = replace(one.sheets[0], name="east", width=100.0)
    boards = build_boards(replace(one, sheets=(*one.sheets, two)), 4.0)
    assert [(b.left, b.width) for b in boards] == [(0, 600), (600, 400)]


SQUARE = [(100, 100), (400, 100), (400, 300), (100, 300)]


def test_pieces_in_a_box_lie_beside_one_another() -> None:
    points = spread(SQUARE, [(50, 40)] * 8, 5, 20)
    assert points[0] == (130, 140)
    for a, b in itertools.combinations(points, 2):
        assert abs(a[0] - b[0]) >= 50 or abs(a[1] - b[1]) >= 40


@pytest.mark.parametrize("count", [0, 1, 30, 200])
def test_a_full_box_still_holds_and_shows_all(count: int) -> None:
    points = spread(SQUARE, [(50, 40)] * count, 5, 20)
    assert len(points) == len(set(points)) == count
    assert all(125 <= x <= 375 and 120 <= y <= 280 for x, y in points)


def test_gpids_are_never_reused() -> None:
    first = update_lock(Lock(), ["a", "b", 'Ç"d'])
    second = update_lock(read_lock(first.text, "gpids.toml", Report()), ["b", "c"])
    assert second.gpids == {"a": 1, "b": 2, 'Ç"d': 3, "c": 4}
    assert second.next == 5
    without = {k: v for k, v in second.gpids.items() if k != "c"}
    assert update_lock(Lock(second.next, without), ["e"]).gpids["e"] == 5


def test_gpids_of_a_new_game() -> None:
    report = Report()
    assert read_lock("", "gpids.toml", report) == Lock()
    assert list(report) == []


def test_gpids_go_into_slots_and_setups() -> None:
    game = seven()
    lock = update_lock(Lock(40, {"gone": 39}), [c.id for c in game.counters])
    module = opened(build_module(game, pictures_of(game), PLAN, lock, Report()))
    root = etree.fromstring(module.read("buildFile.xml"))
    slots = {e.get("entryName"): e.get("gpid") for e in root.iter("VASSAL.build.widget.PieceSlot")}
    assert slots == {"I. Korps": "40", "2/3 Rgt; Süd, Nord": "41", "1st 'Lions'": "42", "Control": "43"}
    assert root.get("nextPieceSlotId") == "44"


def test_picture_names_are_plain_and_differ() -> None:
    counters = [Counter("Göring 1", "a"), Counter("goring-1", "b"), Counter("ŁÓ", "c"), Counter("日本", "d")]
    names = list(face_pictures(counters).values())
    assert names == ["goring-1-1", "goring-1-2x-1", "o-1", "x-1"]
    assert slug("La Rochelle; Port!") == "la-rochelle-port"


def test_step_titles() -> None:
    words = Words()
    three = (Face(), Face(), Face())
    assert step_titles(Counter("a", "A", faces=three[:2]), words) == ["", "+ (reduced)"]
    assert step_titles(Counter("a", "A", faces=three), words) == ["", "+ (step 2)", "+ (step 3)"]
    texts = (Face({"text": "Move"}), Face({"text": "Attack"}))
    assert step_titles(Counter("m", "Move / Attack", "marker", faces=texts), words) == ["", "+ (Attack)"]
    assert step_titles(Counter("m", "Blank", "marker", faces=three[:2]), words) == ["", ""]


def test_value_by_step() -> None:
    assert by_step([3, 2]) == "{Step_Level==1 ? 3 : 2}"
    assert by_step(['a"b', True, 1.5]) == '{Step_Level==1 ? "a\\"b" : Step_Level==2 ? true : 1.5}'


def test_help_page_is_plain_and_escaped() -> None:
    page = build_help([seven()], PLAN)
    assert b"Seven &lt;Hexes&gt;" in page
    assert page.isascii()
    assert b"Opening" in page


def test_scale_comes_from_the_hexes() -> None:
    assert pixels_per_mm(seven(), PLAN) == 4.0


def test_setup_position_is_left_alone() -> None:
    before = repr(SETUP)
    module_of(seven())
    assert repr(SETUP) == before


def test_texts_from_strangers_do_no_harm() -> None:
    nasty = 'Q\x00"<&>\x1b;/\\'
    game = seven()
    counters = tuple(replace(c, name=nasty, attributes={nasty: nasty}) for c in game.counters)
    track = TurnTrack((nasty, nasty), (nasty,))
    setups = (replace(game.setups[0], name="A b", title=nasty), replace(game.setups[0], name="a B", title=nasty))
    report = Report()
    changes = {"title": nasty, "description": nasty, "credits": nasty, "counters": counters, "track": track}
    module = opened(module_of(replace(game, setups=setups, **changes), report=report))
    assert {f.rule.code for f in report} == {"V104"}
    etree.fromstring(module.read("buildFile.xml"))
    etree.fromstring(module.read("moduledata"))
    assert {"a-b.vsav", "a-b-2x.vsav"} <= set(module.namelist())
    report = Report()
    assert read_save(module.read("a-b.vsav"), "a-b.vsav", report) and list(report) == []
