"""The game for other programs: what they read is what the model says."""

from __future__ import annotations

import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import pytmx
import tiny
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from PIL import Image
from pypdf import PdfReader

from toolchain.art.imposition import SheetPages
from toolchain.art.marks import Page, Paint, rectangle
from toolchain.art.marks import Path as Drawn
from toolchain.cli import cli
from toolchain.export.atlas import build_atlas
from toolchain.export.bundle import to_bundle
from toolchain.export.placing import least_dpi, place_pieces, with_control
from toolchain.export.tabletop import TOP, tabletop_files
from toolchain.export.tiled import hex_frame, sheet_frame, tiled_files, to_tmx
from toolchain.export.zuntzu import PER_PIXEL, zuntzu_files
from toolchain.model.forces import Counter, Face
from toolchain.model.game import Game
from toolchain.model.hexes import HexGrid
from toolchain.model.position import Piece, Position
from toolchain.model.warmap import Hexside, LegendEntry, Link, Sheet, Space, WarMap
from toolchain.report import Report
from toolchain.sources.project import read_project
from toolchain.survey.game import survey_project

PROJECTS = Path(__file__).parents[1] / "data" / "projects"
GOLDEN = Path(__file__).parents[1] / "data" / "exports"
LAYOUTS = [(o, low) for o in ("flat", "pointy") for low in ("odd", "even")]


def face(colour: str, size: float = 10.0) -> Page:
    return Page(size, size, (Drawn(rectangle(0, 0, size, size), Paint(fill=colour)),))


def hexes(orientation: str, low: str, columns: int = 4, rows: int = 3, pitch: float = 12.0) -> WarMap:
    """A map of numbered hexes of two terrains in stripes, with a river, a road and a town."""
    grid = HexGrid(orientation, pitch, (20.0, 25.0), columns, rows, low)
    spaces = []
    for cell, at, label in zip(
        grid.cells.tolist(), grid.centres(grid.cells).tolist(), grid.labels(grid.cells).tolist(), strict=True
    ):
        town = {"name": "Ford", "features": frozenset({"town"})} if cell == [1, 1] else {}
        terrain = "wood" if cell[0] % 2 else "clear"
        key = "Ford" if town else label
        spaces.append(Space(key, "hex", tuple(at), label=label, cell=tuple(cell), terrain=terrain, **town))
    corners = grid.corners([[1, 1]])[0]
    ends = (tuple(corners[0].tolist()), tuple(corners[1].tolist()))
    legend = (LegendEntry("clear", "terrain"), LegendEntry("wood", "terrain", "Wood"))
    side = Hexside("Ford", spaces[0].key, ends, frozenset({"river"}), "Aa")
    road = Link("Ford", spaces[-1].key, "road", traits={"name": "High Street"})
    sheets = (Sheet("main", 100, 80),)
    return WarMap("tiny", "Tiny", sheets, tuple(spaces), (side,), (road,), legend, {"main": grid})


def opened(tmx: bytes, folder: Path) -> pytmx.TiledMap:
    picture = Image.new("RGBA", (256, 128))
    picture.save(folder / "tiles.png")
    (folder / "map.tmx").write_bytes(tmx)
    return pytmx.TiledMap(str(folder / "map.tmx"))


# Tiled ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("orientation", "low"), LAYOUTS)
def test_tmx_of_every_grid_layout_is_golden(orientation, low):
    warmap = hexes(orientation, low)
    made = to_tmx(warmap, warmap.sheets[0], hex_frame(warmap.grids["main"]), "tiles.png")
    assert made.decode() == (GOLDEN / f"{orientation}-{low}.tmx").read_text("utf-8")


@pytest.mark.parametrize(("orientation", "low"), LAYOUTS)
def test_a_reader_of_tmx_finds_every_hex_its_terrain_and_every_object(orientation, low, tmp_path):
    warmap = hexes(orientation, low)
    frame = hex_frame(warmap.grids["main"])
    read = opened(to_tmx(warmap, warmap.sheets[0], frame, "tiles.png"), tmp_path)
    assert (read.orientation, read.staggeraxis, read.staggerindex) == (
        "hexagonal", "x" if orientation == "flat" else "y", low,
    )  # fmt: skip
    for space in warmap.spaces:
        assert read.get_tile_properties(*space.cell, 0)["type"] == space.terrain
    by_layer = {layer.name: list(layer) for layer in read.objectgroups}
    (river,) = by_layer["Hexsides"]
    assert (river.name, river.type, river.properties["b"]) == ("Aa", "river", warmap.spaces[0].key)
    (road,) = by_layer["Links"]
    assert (road.name, road.type) == ("High Street", "road") and len(road.points) == 2
    (town,) = by_layer["Spaces"]
    assert (town.name, town.properties["features"], town.properties["terrain"]) == ("Ford", "town", "wood")


@given(st.sampled_from(LAYOUTS), st.floats(5, 60), st.integers(1, 9), st.integers(1, 9))
def test_objects_lie_over_the_tiles_of_their_hexes(layout, pitch, columns, rows):
    warmap = hexes(*layout, columns=max(2, columns), rows=max(2, rows), pitch=pitch)
    grid = warmap.grids["main"]
    frame = hex_frame(grid)
    width, height, side = (int(frame.attributes[k]) for k in ("tilewidth", "tileheight", "hexsidelength"))
    assert width % 2 == height % 2 == side % 2 == 0, "Tiled wants even numbers"
    for space in warmap.spaces:
        column, row = space.cell
        (got,) = frame.pixels([space.at])
        # As Tiled lays out tiles: lines along the staggered axis are a tile and a side apart, halved.
        if layout[0] == "flat":
            down = height / 2 if (column % 2 == 1) == (layout[1] == "odd") else 0
            want = (column * (width + side) / 2 + width / 2, row * height + down + height / 2)
        else:
            right = width / 2 if (row % 2 == 1) == (layout[1] == "odd") else 0
            want = (column * width + right + width / 2, row * (height + side) / 2 + height / 2)
        assert got == pytest.approx(want, abs=1e-6)


def test_a_map_without_hexes_is_its_sheet_with_objects(tmp_path):
    spaces = (Space("A", "point", (10.0, 10.0), "A"), Space("B", "point", (50.0, 30.0), "B"))
    warmap = WarMap("p", "Points", (Sheet("main", 60, 40),), spaces, links=(Link("A", "B", "road"),))
    files = tiled_files(warmap, {}, {"main": Page(60, 40, ())})
    assert set(files) == {"map-main.tmx", "map-main.png"}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    read = pytmx.TiledMap(str(tmp_path / "map-main.tmx"))
    assert read.orientation == "orthogonal"
    size = Image.open(io.BytesIO(files["map-main.png"])).size
    assert read.width * read.tilewidth >= size[0] and read.height * read.tileheight >= size[1]
    at = {o.name: (o.x, o.y) for o in read.objects if o.type == "point"}
    scale = sheet_frame(warmap.sheets[0], 100 / 25.4).scale[0]
    assert at["B"] == pytest.approx((50 * scale, 30 * scale), abs=0.01)


def test_odd_names_survive(tmp_path):
    name = 'Ö <&> "x"; \u2028'
    spaces = (Space("A", "point", (1.0, 1.0), name, traits={"a b": name}),)
    warmap = WarMap("p", name, (Sheet("main", 10, 10),), spaces)
    frame = sheet_frame(warmap.sheets[0], 4.0)
    (found,) = opened(to_tmx(warmap, warmap.sheets[0], frame, "tiles.png"), tmp_path).objects
    assert found.name == name and found.properties["trait.a b"] == name


# Tables --------------------------------------------------------------------------------------------------------------


def counter(id_: str, side: str = "red", steps: int = 2, copies: int = 1, role: str = "unit") -> Counter:
    return Counter(id_, id_.title(), role, side, faces=tuple(Face({"attack": n}) for n in range(steps)), copies=copies)


COUNTERS = [
    counter("one"),
    counter("four", steps=4),
    counter("many", "blue", copies=3),
    counter("turn", "", 1, 1, "marker"),
]
CARDS = [counter("ace", ""), counter("king", "", copies=2)]


@pytest.fixture
def game() -> Game:
    warmap = hexes("flat", "odd")
    box = Space("Box", "box", (70.0, 60.0), outline=((50.0, 45.0), (90.0, 45.0), (90.0, 75.0), (50.0, 75.0)))
    warmap = WarMap("tiny", "Tiny", warmap.sheets, (*warmap.spaces, box), legend=warmap.legend, grids=warmap.grids)
    base = tiny.game(tiny.hexmap(1, 1), [])
    stack = [Piece("one", "one", "Ford"), Piece("four", "four", "Ford", 3), Piece("many", "many", "Ford", 1)]
    boxed = [Piece("many#2", "many", "Box")]
    setups = (Position("first", (*stack, *boxed), "First day"), Position("bare", (), "Nothing"))
    return Game("tiny", "Tiny", "1", "", base.sides, warmap, (*COUNTERS, *CARDS), base.rulebook, setups)


def drawn(game: Game) -> dict[str, list[Page]]:
    colours = ["#aa0000", "#00aa00", "#0000aa", "#aaaa00"]
    return {c.id: [face(colours[n]) for n in range(len(c.faces))] for c in game.counters}


def test_stacks_lie_on_one_another_and_boxes_are_filled_in_rows(game):
    placed = list(place_pieces(game, game.setups[0], dict.fromkeys((c.id for c in game.counters), (10.0, 10.0))))
    assert [(p.piece, p.level, p.step) for p in placed] == [
        ("one", 0, 0), ("four", 1, 3), ("many", 2, 1), ("many#2", 0, 0),
    ]  # fmt: skip
    middle = np.mean([p.at for p in placed[:3]], axis=0)
    assert middle == pytest.approx(game.map.by_key["Ford"].at)
    assert 50 < placed[3].at[0] < 90 and 45 < placed[3].at[1] < 75


def saves(game: Game, base: str = "https://example.org/x/") -> dict[str, bytes]:
    return tabletop_files(
        [game], {"main": Page(100, 80, ())}, drawn(game), {"many": face("#777777"), "ace": face("#111111")},
        {"Deck": ["ace", "king", "king"]}, base,
    )  # fmt: skip


def walk(objects):
    for thing in objects:
        yield thing
        yield from walk(thing.get("ContainedObjects", ()))
        yield from walk(thing.get("States", {}).values())


def test_a_save_of_tabletop_simulator_holds_every_piece_once(game):
    files = saves(game)
    pictures = {n for n in files if n.startswith("images/")}
    for name in ("first.json", "bare.json"):
        save = json.loads(files[name])
        things = list(walk(save["ObjectStates"]))
        guids = [t["GUID"] for t in things]
        assert len(guids) == len(set(guids)) and all(len(g) == 6 and int(g, 16) >= 0 for g in guids)
        tiles = [t for t in things if t["Name"] == "Custom_Tile" and not t["Locked"]]
        printed = sum(c.copies for c in COUNTERS)
        assert len(tiles) == printed + 1, "a counter of four steps has a second state"
        decks = [t for t in save["ObjectStates"] if t["Name"] == "DeckCustom"]
        assert [len(d["DeckIDs"]) for d in decks] == [3] and len(decks[0]["ContainedObjects"]) == 3
        urls = {t["CustomImage"][k] for t in tiles for k in ("ImageURL", "ImageSecondaryURL")}
        urls |= {d[k] for t in decks for d in t["CustomDeck"].values() for k in ("FaceURL", "BackURL")}
        assert {u.replace("https://example.org/x/", "images/") for u in urls} <= pictures
    bags = {
        t["Nickname"]: len(t["ContainedObjects"])
        for t in json.loads(files["first.json"])["ObjectStates"]
        if t["Name"] == "Bag"
    }
    assert bags == {"Blue": 1, "Markers": 1}


def test_pieces_of_a_save_lie_in_their_hexes_and_show_their_steps(game):
    save = json.loads(saves(game)["first.json"])
    board = next(t for t in save["ObjectStates"] if t["Locked"])
    scale = board["Transform"]["scaleX"] * 2 / 100  # inches of the table for a millimetre
    on = {
        t["Nickname"]: t
        for t in save["ObjectStates"]
        if t["Name"] == "Custom_Tile" and not t["Locked"] and t is not board
    }
    one, four = on["One"], on["Four"]
    x, z = one["Transform"]["posX"], one["Transform"]["posZ"]
    at = (x / scale + 50, 40 - z / scale)
    assert at == pytest.approx(game.map.by_key["Ford"].at, abs=2), "the stack spreads a little"
    assert four["Transform"]["posY"] > one["Transform"]["posY"] > TOP
    assert (one["Transform"]["rotZ"], four["Transform"]["rotZ"]) == (0, 180), (
        "the fourth step is the back of the second state"
    )
    assert four["CustomImage"]["ImageURL"].endswith("four-3.png") and set(four["States"]) == {"1"}
    assert "attack 3" in four["Description"]
    hidden = next(t for t in walk(save["ObjectStates"]) if t["Nickname"] == "Many")
    assert hidden["HideWhenFaceDown"] and hidden["CustomImage"]["ImageSecondaryURL"].endswith("many-1-back.png")


def test_markers_of_control_lie_under_all_others_and_there_are_enough(game):
    taken = {"Ford": "red", "Box": "red", "0101": "blue", "0102": "blue", "nowhere": "blue"}
    setups = (replace(game.setups[0], control=taken), game.setups[1])
    (marked,) = with_control([replace(game, setups=setups)], {"red": ("turn", 0), "blue": ("one", 1)})
    assert [(p.counter, p.at, p.step) for p in marked.setups[0].pieces[:3]] == [
        ("turn", "Ford", 0), ("one", "0101", 1), ("one", "0102", 1),
    ]  # fmt: skip
    assert marked.setups[0].pieces[3:] == game.setups[0].pieces and marked.setups[1] == game.setups[1]
    copies = {c.id: c.copies for c in marked.counters}
    assert (copies["turn"], copies["one"], copies["many"]) == (1, 3, 3)


def test_a_card_that_the_setup_lays_out_is_no_longer_in_its_deck(game):
    setups = (Position("laid", (Piece("king", "king", "Ford"),), "Laid"),)
    top = json.loads(saves(replace(game, setups=setups))["laid.json"])["ObjectStates"]
    (card,) = (t for t in top if t["Name"] == "CardCustom")
    (deck,) = (t for t in top if t["Name"] == "DeckCustom")
    assert (card["Nickname"], card["Transform"]["rotZ"], card["CardID"]) == ("King", 0, 101)
    assert deck["DeckIDs"] == [100, 102] and [c["Nickname"] for c in deck["ContainedObjects"]] == ["Ace", "King"]


def test_decks_have_numbers_of_their_own_and_lie_in_their_spaces(game):
    made = drawn(game)
    faces = {"ace": made["ace"], "king": made["king"], "one": made["one"], "four": made["four"]}
    decks = {"Draw": ["ace", "king"], "Both sides": ["one", "four"], "Loose": ["turn", "turn"]}
    files = tabletop_files(
        [game], {"main": Page(100, 80, ())}, {**made, **faces}, {"ace": face("#111111"), "king": face("#111111")},
        decks, "", None, {"Draw": ("Box", (3.0, -2.0)), "Both sides": ("Ford", (0.0, 0.0))},
    )  # fmt: skip
    save = json.loads(files["bare.json"])
    (board,) = (t for t in save["ObjectStates"] if t["Locked"])
    scale = board["Transform"]["scaleX"] * 2 / 100
    piles = {t["Nickname"]: t for t in save["ObjectStates"] if t["Name"] == "DeckCustom"}
    assert [list(p["CustomDeck"]) for p in piles.values()] == [["1"], ["2"], ["3"]]
    assert {i // 100 for p in piles.values() for i in p["DeckIDs"]} == {1, 2, 3}
    # The two counters have backs of their own, the cards share one.
    assert [next(iter(p["CustomDeck"].values()))["UniqueBack"] for p in piles.values()] == [False, True, False]
    with Image.open(io.BytesIO(files["images/cards-both-sides-1-back.png"])) as back:
        assert back.width > 100
    at = piles["Draw"]["Transform"]
    assert (at["posX"], at["posZ"]) == pytest.approx(((73 - 50) * scale, (40 - 58) * scale), abs=1e-3)
    assert at["scaleX"] == at["scaleZ"] == pytest.approx(10 * scale / 3.1, abs=1e-3)
    assert piles["Loose"]["Transform"]["posZ"] < -40 * scale  # in front of the board


def test_a_large_board_is_scaled_to_the_table_with_everything_on_it(game):
    wide = WarMap("w", "W", (Sheet("main", 3000, 1000),), game.map.spaces, grids=game.map.grids)
    big = Game("w", "W", "1", "", game.sides, wide, game.counters, game.rulebook, game.setups)
    files = tabletop_files([big], {"main": Page(3000, 1000, ())}, drawn(big), {}, {}, "")
    board, piece = json.loads(files["first.json"])["ObjectStates"][:2]
    assert board["Transform"]["scaleX"] * 2 <= 66
    assert piece["Transform"]["scaleX"] / board["Transform"]["scaleX"] == pytest.approx(10 / 3000, rel=0.01)
    assert Image.open(io.BytesIO(files["images/board-main.png"])).size[0] <= 8000


def test_the_same_game_gives_the_same_saves(game):
    assert saves(game) == saves(game)


def test_a_game_box_of_zuntzu_has_every_piece_and_both_sides(game):
    box = zipfile.ZipFile(io.BytesIO(zuntzu_files([game], {"main": Page(100, 80, ())}, drawn(game))["tiny.ztb"]))
    names = set(box.namelist())
    root = etree.fromstring(box.read("game-box.xml"))
    assert root.tag == "game-box" and root.get("startup-scenario") in names
    sections = root.findall("counter-sheet/counter-section")
    assert sum(int(s.get("supply")) for s in sections) == sum(
        c.copies * max(1, len(c.faces) // 2) for c in game.counters
    )
    for sheet in root.findall("counter-sheet"):
        front = Image.open(io.BytesIO(box.read(sheet.get("front-image-file"))))
        back = Image.open(io.BytesIO(box.read(sheet.get("back-image-file"))))
        assert front.size == back.size
        for section in sheet.findall("counter-section"):
            edges = [int(section.get(f"front-{e}")) for e in ("left", "top", "right", "bottom")]
            assert edges[2] <= front.size[0] and edges[3] <= front.size[1]
            centre = ((edges[0] + edges[2]) // 2, (edges[1] + edges[3]) // 2)
            assert front.getpixel(centre)[:3] in ((0xAA, 0, 0), (0, 0, 0xAA))
            if section.get("back-left") is not None:
                assert back.getpixel(centre)[:3] in ((0, 0xAA, 0), (0xAA, 0xAA, 0))
    used = {e.get(k) for e in root.iter() for k in ("image-file", "front-image-file", "back-image-file") if e.get(k)}
    assert used | {"game-box.xml", "first.zts", "bare.zts"} == names


def test_a_scenario_of_zuntzu_places_every_piece_once(game):
    box = zipfile.ZipFile(io.BytesIO(zuntzu_files([game], {"main": Page(100, 80, ())}, drawn(game))["tiny.ztb"]))
    scenario = etree.fromstring(box.read("first.zts"))
    boards = {e.get("name") for e in etree.fromstring(box.read("game-box.xml")).iter("map", "counter-sheet")}
    assert {layout.get("board") for layout in scenario.findall("layout")} == boards
    ids = [int(c.get("id")) for c in scenario.iter("counter")]
    assert len(ids) == len(set(ids)) == 4
    stack = scenario.find("layout/stack")
    at = [float(stack.get(k)) / PER_PIXEL / 150 * 25.4 for k in ("x", "y")]
    assert at == pytest.approx(game.map.by_key["Ford"].at, abs=0.1)
    assert [c.get("side") for c in stack.findall("counter")] == [None, "Back", "Back"]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [*map(str, arguments), "--root", str(PROJECTS)])


# What they share, and the command -------------------------------------------------------------------------------------


def test_an_atlas_keeps_every_face_in_its_cell():
    atlas = build_atlas([face("#ff0000", 4), None, face("#00ff00", 6)], 2)
    assert (atlas.columns, atlas.rows, atlas.width, atlas.height) == (2, 2, 6.0, 6.0)
    assert [atlas.cell(n) for n in range(3)] == [(0, 0), (6, 0), (0, 6)]


@given(st.floats(1, 5000), st.floats(1, 5000), st.integers(1000, 10**8))
def test_no_picture_has_more_pixels_than_allowed(width, height, pixels):
    dpi = least_dpi([Page(width, height, ())], pixels, 600)
    assert dpi == 1 or width * height / 25.4**2 * dpi**2 <= pixels


@pytest.mark.parametrize("target", ["tts", "zuntzu", "tiled", "pdf", "json", "graphml", "geojson", "csv"])
def test_the_command_exports_to_every_program(target, tmp_path):
    result = run("export", "tiny", "--to", target, "-o", tmp_path / "out")
    assert result.exit_code == 0, result.stderr
    made = {p.name for p in (tmp_path / "out").rglob("*") if p.is_file()}
    wanted = {"tts": "start.json", "zuntzu": "tiny.ztb", "tiled": "map-main.tmx", "pdf": "tiny.pdf", "csv": "hexes.csv"}
    assert wanted.get(target, f"map.{target}") in made
    if target == "pdf":
        pages = PdfReader(tmp_path / "out" / "tiny.pdf").pages
        assert len(pages) > 3 and float(pages[0].mediabox.width) == pytest.approx(210 / 25.4 * 72, abs=0.1)
    if target == "tts":
        save = json.loads((tmp_path / "out" / "start.json").read_text("utf-8"))
        assert save["ObjectStates"][0]["CustomImage"]["ImageURL"] == (tmp_path / "out/images/board-main.png").as_uri()


def test_what_is_printed_on_both_sides_is_one_leaf_and_charts_lie_on_the_paper(game):
    def sheet(back: bool) -> SheetPages:
        return SheetPages(Page(210, 297, (), "front"), Page(210, 297, (), "back") if back else None, (), 210, 297)

    counters = {"small": [sheet(False), sheet(True), sheet(False), sheet(True)], "large": [sheet(True)]}
    charts = {"Battle": Page(120, 40, ()), "Wide": Page(280, 90, ()), "Poster": Page(400, 300, ())}
    pages = PdfReader(io.BytesIO(to_bundle(game, {}, counters, charts, "a4"))).pages
    sizes = [(round(float(p.mediabox.width) / 72 * 25.4), round(float(p.mediabox.height) / 72 * 25.4)) for p in pages]
    # Contents, a front, front and back, a front, an empty side, front and back, front and back, three charts.
    assert len(pages) == 1 + 1 + 2 + 1 + 1 + 2 + 2 + 3
    assert sizes[-3:] == [(210, 297), (297, 210), (400, 300)]


def test_the_command_says_how_much_it_wrote(tmp_path):
    report = Report()
    project = read_project(PROJECTS, "tiny", report)
    game = survey_project(project, report).game
    said = run("export", "tiny", "--to", "zuntzu", "-o", tmp_path).stderr
    assert f"{sum(c.copies for c in game.counters)} pieces" in said
    assert f"{sum(len(p.pieces) for p in game.setups)} placed pieces" in said
