"""Every game goes to other programs whole: what their own readers find there is what its tables say and its module has.

Tables are counted here with the csv module, and files read with pytmx, networkx, shapely, pypdf, zipfile, json, lxml,
apart from the toolchain. Pictures have one colour and sheets of the map are blank: how they look is proved elsewhere.
"""

from __future__ import annotations

import csv
import io
import json
import math
import re
import tomllib
import zipfile
from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import networkx
import pytest
import pytmx
import shapely
from lxml import etree
from PIL import Image
from pypdf import PdfReader
from realgames import ROOT, load

from toolchain.art import png
from toolchain.art.mapsheet import MapSheet
from toolchain.art.marks import Page
from toolchain.cli.exporting import Counts, export_files
from toolchain.cli.making import Files, Maker
from toolchain.cli.session import Session
from toolchain.export import printing
from toolchain.report import Report
from toolchain.sources.vassal.modules import Module, read_module
from toolchain.sources.vassal.saves import Save, read_save

GAMES = sorted(p.name for p in (ROOT / "modules").iterdir() if p.is_dir())
BASE = "https://example.org/images/"


def white(svg: str, *_: object) -> bytes:
    """Return a picture as large as an SVG says in its head, one bit for a pixel."""
    size = [re.search(rf'<svg\b[^>]*\s{side}="(\d+)', svg) for side in ("width", "height")]
    out = io.BytesIO()
    Image.new("1", tuple(int(found[1]) for found in size if found)).save(out, "PNG", compress_level=1)
    return out.getvalue()


@dataclass(frozen=True)
class Made:
    """A game for every program. tables: rows of units.csv. saves: of the module, by set-up."""

    name: str
    maker: Maker
    files: dict[str, Files]
    counts: dict[str, Counts]
    module: Module
    built: bytes
    saves: dict[str, Save]
    rows: list[dict[str, str]]

    @property
    def printed(self) -> dict[str, int]:
        """How many copies of every counter there are, by id."""
        return {row["id"]: int(row.get("copies") or 1) for row in self.rows}

    @property
    def markers(self) -> set[str]:
        """The names of the counters that show control."""
        settings = tomllib.loads((ROOT / "modules" / self.name / "vassal.toml").read_text("utf-8"))
        ids = {face["counter"] for face in settings.get("control", {}).values()}
        return {row["name"] for row in self.rows if row["id"] in ids}

    def placed(self, setup: str) -> int:
        """How many pieces the module's set-up places outside its decks."""
        save = self.saves[setup]
        return len(save.pieces) - sum(len(pile.members) for pile in save.piles.values() if pile.deck)


@cache
def make(name: str) -> Made:
    """Export a game to every program, and build and read its module."""
    loaded, found, _ = load(name)
    maker = Maker(Session(ROOT, name, quiet=True, report=Report(found)), loaded, cached=False)
    maps = [one.game.map for one in loaded.every] + [s.warmap for s in loaded.sheets.values()]
    faces = maker.faces
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(png, "svg_to_png", white)
        patch.setattr(printing, "svg_to_png_apart", white, raising=False)
        patch.setattr(printing, "draw_faces", lambda *_: faces)  # those of the sheets have only a bleed more
        blank = {s.name: MapSheet(Page(s.width, s.height, ()), None) for m in maps for s in m.sheets}
        patch.setitem(maker.__dict__, "sheets", blank)
        made = {to: export_files(maker, to, BASE, "a4") for to in ("tts", "zuntzu", "tiled", "pdf")}
        built = maker.module_files()[0][f"{name}.vmod"]
    assert not maker.session.report.failed, [str(f) for f in maker.session.report]
    module = read_module(built, name, Report())
    assert module is not None
    saves = {}
    with zipfile.ZipFile(io.BytesIO(built)) as z:
        for file in z.namelist():
            if file.endswith(".vsav"):
                save = read_save(z.read(file), file, Report())
                assert save is not None
                saves[Path(file).stem] = save
    with (ROOT / "counters" / name / "units.csv").open(encoding="utf-8-sig", newline="") as table:
        rows = list(csv.DictReader(table))
    return Made(
        name,
        maker,
        {k: f for k, (f, _) in made.items()},
        {k: c for k, (_, c) in made.items()},
        module,
        built,
        saves,
        rows,
    )


def walk(things: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield objects of a table with all that they contain."""
    for thing in things:
        yield thing
        yield from walk(thing.get("ContainedObjects", ()))
        yield from walk(thing.get("States", {}).values())


@pytest.mark.parametrize("name", GAMES)
def test_tabletop_simulator_has_every_setup_with_as_many_pieces_as_the_module(name: str) -> None:
    game = make(name)
    setups = {p.stem for p in (ROOT / "modules" / game.name / "setups").glob("*.csv")}
    assert {n.removesuffix(".json") for n in game.files["tts"] if n.endswith(".json")} == setups == set(game.saves)
    pictures = {n.removeprefix("images/") for n in game.files["tts"]}
    for setup in setups:
        top = json.loads(game.files["tts"][f"{setup}.json"])["ObjectStates"]
        on_table = [t for t in top if t["Name"] in ("Custom_Tile", "CardCustom") and not t["Locked"]]
        assert len(on_table) == game.placed(setup) > 0, setup
        decks = {t["Nickname"]: len(t["DeckIDs"]) for t in top if t["Name"] == "DeckCustom"}
        piles = [p for p in game.saves[setup].piles.values() if p.deck and p.members]
        assert decks == {p.name: len(p.members) for p in piles}
        things = list(walk(top))
        assert len({t["GUID"] for t in things}) == len(things)
        urls = {t["CustomImage"][k] for t in things for k in ("ImageURL", "ImageSecondaryURL") if "CustomImage" in t}
        urls |= {d[k] for t in things for d in t.get("CustomDeck", {}).values() for k in ("FaceURL", "BackURL")}
        assert {u.removeprefix(BASE) for u in urls} <= pictures


@pytest.mark.parametrize("name", GAMES)
def test_tabletop_simulator_has_every_copy_of_every_counter_once(name: str) -> None:
    game = make(name)
    names = {row["id"]: row["name"] for row in game.rows}
    printed: Tally[str] = Tally()
    for i, copies in game.printed.items():
        printed[names[i]] += copies
    for setup in game.saves:
        top = json.loads(game.files["tts"][f"{setup}.json"])["ObjectStates"]
        things = [t for t in walk(top) if t["Name"] in ("Custom_Tile", "CardCustom") and not t["Locked"]]
        # Steps beyond the second are further states of one object.
        states = sum(len(t.get("States", {})) for t in things)
        found = Tally(t["Nickname"] for t in things)
        if not states:
            assert all(found[n] >= copies for n, copies in printed.items())
            more = found - printed
            assert set(more) <= game.markers, "more than are printed only of markers of control"
        else:
            assert len(things) - states == sum(printed.values())


@pytest.mark.parametrize("name", GAMES)
def test_a_box_of_zuntzu_has_every_copy_and_places_what_the_module_places(name: str) -> None:
    game = make(name)
    box = zipfile.ZipFile(io.BytesIO(game.files["zuntzu"][f"{name}.ztb"]))
    assert box.testzip() is None
    root = etree.fromstring(box.read("game-box.xml"))
    assert {m.get("image-file") for m in root.iter("map")} <= set(box.namelist())
    supplies = [int(s.get("supply", 0)) for s in root.iter("counter-section")]
    steps = {row["id"]: 1 + any(row.get(k) for k in row if k.startswith("step3_")) for row in game.rows}
    wanted = {i: copies * steps[i] for i, copies in game.printed.items()}
    more = sum(supplies) - sum(wanted.values())
    assert more == 0 or (more > 0 and game.markers), "more than are printed only of markers of control"
    assert len(supplies) == sum(steps.values()) and min(supplies) >= 1
    for sheet in root.iter("counter-sheet"):
        front = Image.open(io.BytesIO(box.read(sheet.get("front-image-file", ""))))
        for section in sheet:
            assert (
                int(section.get("front-right", 0)) <= front.width
                and int(section.get("front-bottom", 0)) <= front.height
            )
    assert {n.removesuffix(".zts") for n in box.namelist() if n.endswith(".zts")} == set(game.saves)
    for setup in game.saves:
        ids = [c.get("id") for c in etree.fromstring(box.read(f"{setup}.zts")).iter("counter")]
        assert len(set(ids)) == len(ids) == game.placed(setup), setup


@pytest.mark.parametrize("name", GAMES)
def test_the_command_tells_what_the_files_hold(name: str) -> None:
    game = make(name)
    for to in ("tts", "zuntzu"):
        told = game.counts[to]
        assert told["placed pieces"] == sum(map(game.placed, game.saves)) and told["set-ups"] == len(game.saves)
        assert told["pieces"] >= sum(game.printed.values())
    assert len({s.component.get("gpid") for s in game.module.slots}) == len(game.rows)


@pytest.mark.parametrize("name", GAMES)
def test_tiled_has_every_space_of_the_module_and_every_link(name: str, tmp_path: Path) -> None:
    game = make(name)
    with zipfile.ZipFile(io.BytesIO(game.built)) as z:
        carried = [json.loads(z.read(f"rules/{m['file']}")) for m in json.loads(z.read("rules/game.json"))["maps"]]
    for file, data in game.files["tiled"].items():
        (tmp_path / file).write_bytes(data)
    opened = [pytmx.TiledMap(str(f)) for f in sorted(tmp_path.glob("*.tmx"))]
    by_sheet = {m.properties["sheet"]: m for m in opened}
    sheets = {s["name"]: c for c in carried for s in c["sheets"]}
    assert set(by_sheet) == set(sheets)
    for sheet, one in by_sheet.items():
        spaces = [s for s in sheets[sheet]["spaces"] if s.get("sheet", sheet) == sheet]
        layers = {layer.name: list(layer) for layer in one.objectgroups}
        hexes = {tuple(s["cell"]): s["terrain"] for s in spaces if s["kind"] == "hex" and s.get("terrain")}
        if hexes:
            assert one.orientation == "hexagonal"
            tiles = {(x, y): one.get_tile_properties(x, y, 0)["type"] for x, y, gid in one.layernames["Terrain"] if gid}
            assert tiles == hexes
        told = [s for s in spaces if s["kind"] != "hex" or s.get("name") or s.get("features")]
        assert Tally(o.properties["key"] for o in layers["Spaces"]) == Tally(s["key"] for s in told)
        keys = {s["key"] for s in spaces}
        links = [x for x in sheets[sheet]["links"] if {x["a"], x["b"]} <= keys]
        assert Tally(o.type for o in layers["Links"]) == Tally(x["kind"] for x in links)
        sides = [h for h in sheets[sheet].get("hexsides", ()) if h.get("kinds") and {h["a"], h["b"]} <= keys]
        assert len(layers["Hexsides"]) == len(sides)


@pytest.mark.parametrize("name", GAMES)
def test_the_graph_in_every_format_has_what_the_module_carries(name: str) -> None:
    game = make(name)
    with zipfile.ZipFile(io.BytesIO(game.built)) as z:
        carried = json.loads(z.read("rules/map.json"))
    spaces = {s["key"] for s in carried["spaces"]}
    sides, links = len(carried["hexsides"]), len(carried["links"])
    whole = {to: export_files(game.maker, to, BASE, "a4")[0] for to in ("json", "graphml", "geojson", "csv")}
    assert {s["key"] for s in json.loads(whole["json"]["map.json"])["spaces"]} == spaces
    graph = networkx.read_graphml(io.BytesIO(whole["graphml"]["map.graphml"]))
    assert set(graph) == spaces and graph.number_of_edges() == sides + links
    features = json.loads(whole["geojson"]["map.geojson"])["features"]
    parts = Tally(f["properties"]["part"] for f in features)
    assert {f["properties"]["key"] for f in features if f["properties"]["part"] == "space"} == spaces
    assert (parts["hexside"], parts["link"]) == (sides, links)
    shapes = shapely.get_parts(shapely.from_geojson(whole["geojson"]["map.geojson"]))
    assert len(shapes) == len(features) and shapely.is_valid(shapes).all()
    tables = {n: list(csv.DictReader(io.StringIO(d.decode()))) for n, d in whole["csv"].items() if n.count("-") == 0}
    assert {row["key"] for row in tables["hexes.csv"]} == spaces
    assert (len(tables["hexsides.csv"]), len(tables["links.csv"])) == (sides, links)
    # Of a map of several sheets each further arrangement has files of its own.
    further = len(game.maker.games) - 1
    assert [len(files) for files in whole.values()] == [1 + further] * 3 + [3 * (1 + further)]


@pytest.mark.parametrize("name", GAMES)
def test_the_pdf_has_contents_maps_counters_and_charts(name: str) -> None:
    game = make(name)
    pages = PdfReader(io.BytesIO(game.files["pdf"][f"{name}.pdf"])).pages
    assert [float(v) * 25.4 / 72 for v in pages[0].mediabox[2:]] == pytest.approx([210, 297], abs=0.1)
    sheets = {s.name: s for one in game.maker.games for s in one.map.sheets}
    tiles = sum(math.ceil(s.width * s.height / (210 * 297)) for s in sheets.values())
    style = tomllib.loads((ROOT / "counters" / name / "style.toml").read_text("utf-8"))
    sizes = {row.get("size") or style.get("size") for row in game.rows}
    assert len(pages) >= 1 + tiles + len(sizes) + len(style.get("charts", {}))
    assert all(page.get_contents() is not None for page in pages)
