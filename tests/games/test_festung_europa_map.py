"""FE-M1 to FE-M9: the map of festung-europa holds what the rulebook, its errata and its answers say of it."""

from __future__ import annotations

import hashlib
from pathlib import Path

import networkx as nx
import pytest
import shapely

from toolchain.checks.structure import check_map
from toolchain.model.warmap import Hexside, Space, WarMap
from toolchain.report import Report, Severity
from toolchain.sources.decode.games import decode_game
from toolchain.sources.decode.maps import read_map
from toolchain.sources.documents import read_table, read_toml
from toolchain.survey.maps import survey_map

ROOT = Path(__file__).parents[2]
NAME = "festung-europa"
BOXES = {"United Kingdom Reserve", "North Africa Reserve", "OKW Reserve", "Eastern Front", "Balkans Front"}
UP_RIVER = {"Bordeaux", "Bremen", "Oslo"}  # ports that the coastline is too coarse to reach
SICILY = {"Messina", "Enna", "Palermo", "Gela", "Syracuse", "Trapani", "Prizzi"}


@pytest.fixture(scope="module")
def surveyed() -> tuple[WarMap, Report]:
    report = Report()
    plan = read_map(ROOT, NAME, report)
    assert plan is not None
    return survey_map(plan, report).warmap, report


@pytest.fixture(scope="module")
def warmap(surveyed: tuple[WarMap, Report]) -> WarMap:
    return surveyed[0]


@pytest.fixture(scope="module")
def sides(warmap: WarMap) -> dict[frozenset[str], Hexside]:
    return {frozenset((h.a, h.b)): h for h in warmap.hexsides}


@pytest.fixture(scope="module")
def land(warmap: WarMap) -> nx.Graph:
    """What land units may walk: named hexes over sides that nothing bars."""
    open_ = {s.key for s in warmap.spaces if s.enterable and s.kind == "hex"}
    graph = nx.Graph()
    graph.add_nodes_from(open_)
    graph.add_edges_from(
        (h.a, h.b) for h in warmap.hexsides if {h.a, h.b} <= open_ and not h.kinds & {"sea", "prohibited"}
    )
    return graph


def at(warmap: WarMap, name: str) -> Space:
    space = warmap.find(name)
    assert space is not None, name
    return space


def test_the_map_is_clean(surveyed: tuple[WarMap, Report]) -> None:
    """Nothing is found in reading and surveying it, and in its structure only what game.toml accepts."""
    warmap, report = surveyed
    # Notes are river arms of less than a hexside.
    assert [str(f) for f in report if f.severity >= Severity.WARNING] == []
    game = decode_game(read_toml(ROOT / "modules" / NAME / "game.toml", "game.toml", report) or {}, "game.toml", report)
    assert game is not None
    accepted = {(a.code, a.at) for a in game.accept}
    found = [f for f in check_map(warmap) if f.severity >= Severity.WARNING]
    assert [str(f) for f in found if (f.rule.code, f.where.space) not in accepted] == []
    assert {f.where.space for f in found if f.rule.code == "M113"} == UP_RIVER


def test_fe_m1_only_named_hexes_can_be_entered(warmap: WarMap) -> None:
    hexes = [s for s in warmap.spaces if s.kind == "hex"]
    assert {s.enterable for s in hexes if s.name} == {True}
    assert {s.enterable for s in hexes if not s.name} == {False}
    for place in ("Zurich", "Madrid", "London"):
        assert warmap.find(place) is None


def test_fe_m2_boxes_and_their_links(warmap: WarMap) -> None:
    assert {s.key for s in warmap.spaces if s.kind == "box" and not {"track", "pile"} & set(s.traits)} == BOXES
    beaches = {s.key for s in warmap.spaces if "beach-head" in s.features}
    for link in warmap.links:
        if link.kind == "reserve":
            assert link.a in {"United Kingdom Reserve", "North Africa Reserve"} and link.b in beaches
            assert link.traits["side"] == "allied"
        elif link.kind == "front":
            assert link.a in {"Eastern Front", "Balkans Front"} and at(warmap, link.b).kind == "hex"
            assert link.traits["side"] == "axis"
    assert not any("OKW Reserve" in (link.a, link.b) for link in warmap.links)
    # 9.321, 9.322: armies in Overlord and Roundup beach heads belong to the United Kingdom, the others to North Africa.
    for link in warmap.links:
        if link.kind == "reserve":
            north = at(warmap, link.b).traits["invasion"] in ("Overlord", "Roundup")
            assert link.a == ("United Kingdom Reserve" if north else "North Africa Reserve")


def test_tracks_are_for_markers_only_and_lie_off_the_hexes_in_play(warmap: WarMap) -> None:
    tracks = {t.title: t for t in warmap.tracks}
    assert {title: len(t.spaces) for title, t in tracks.items()} == {
        "Game Turn Track": 10,
        "General Records Track": 21,
        "Action Round Track": 6,
        "Allied Air Missions": 8,
    }
    turns = decode_game(read_toml(ROOT / "modules" / NAME / "game.toml", "", Report()) or {}, "", Report())
    assert turns is not None
    assert tracks["Game Turn Track"].spaces == tuple(turns.turns)
    cells = [at(warmap, key) for t in warmap.tracks for key in t.spaces]
    assert not any(c.enterable for c in cells)
    play = shapely.union_all([shapely.Polygon(s.outline) for s in warmap.spaces if s.enterable])
    assert not any(play.intersects(shapely.Polygon(t.outline)) for t in warmap.tracks)


def test_fe_m3_beach_heads_are_sea_hexes_beside_land(warmap: WarMap, land: nx.Graph) -> None:
    beaches = [s for s in warmap.spaces if "beach-head" in s.features]
    assert {s.traits["invasion"] for s in beaches} == {
        "Husky", "Avalanche", "Shingle", "Anvil-Dragoon", "Overlord", "Roundup",
    }  # fmt: skip
    assert sum(s.traits["invasion"] == "Husky" for s in beaches) == 2  # 18.2: both
    for s in beaches:
        assert s.terrain == "sea"
        assert any(warmap.by_key[n].terrain != "sea" for n in land[s.key]), s.key
    assert land.has_edge("Roundup Bergen", "Bergen")  # 19.4
    assert land.has_edge("Vesuve", "Anvil-Dragoon")  # answer
    assert land.has_edge("Vesuve", "Corsica")
    assert land.has_edge("Avalanche", "Naples")  # answer to 14.31: Naples is in reach of North Africa


def test_fe_m4_stated_hexsides(sides: dict[frozenset[str], Hexside], land: nx.Graph) -> None:
    assert "prohibited" in sides[frozenset(("Gela", "Prizzi"))].kinds
    assert not land.has_edge("Gela", "Prizzi")
    for a, b in (("Prizzi", "Trapani"), ("Venice", "Ravenna"), ("Savona", "Genova"), ("Toulon", "Savona")):
        assert land.has_edge(a, b), (a, b)


def test_fe_m5_skagerrak(warmap: WarMap, land: nx.Graph) -> None:
    straits = {frozenset((x.a, x.b)): x for x in warmap.links if x.kind == "strait"}
    assert set(straits) == {frozenset(("Kristiansand", "Hirtshals")), frozenset(("Kristiansand", "Viborg"))}
    assert {x.traits["side"] for x in straits.values()} == {"allied"}
    assert not nx.has_path(land, "Kristiansand", "Hirtshals")


def test_fe_m6_errata(warmap: WarMap) -> None:
    assert at(warmap, "Palma").key == "Parma"
    assert "port" in at(warmap, "Bremen").features


def test_fe_m7_islands_and_set_up_places(warmap: WarMap, land: nx.Graph) -> None:
    by_region: dict[str, set[str]] = {}
    for s in warmap.spaces:
        by_region.setdefault(s.traits.get("region", ""), set()).add(s.key)
    assert by_region["Sicily"] == SICILY
    assert by_region["Sardinia"] == {"Olbia", "Oristano", "Cagliari"}
    assert by_region["Corsica"] == {"Corsica"}
    assert nx.is_connected(land.subgraph(SICILY))
    assert nx.is_connected(land.subgraph(by_region["Sardinia"]))
    assert at(warmap, "La Havre").key == "Le Havre"
    # Sicily reaches Italy at Messina alone.
    across = {a for a in SICILY for b in land[a] if b not in SICILY and warmap.by_key[b].terrain != "sea"}
    assert across == {"Messina"}
    report = Report()
    for name in ("campaign", "overlord"):
        path = ROOT / "modules" / NAME / "setups" / f"{name}.csv"
        table = read_table(path, path.name, report)
        assert table is not None
        for row in table.rows:
            if row.get("at"):
                at(warmap, row.get("at"))


def test_fe_m8_soviet_zone(warmap: WarMap) -> None:
    red = {s.key for s in warmap.spaces if s.traits.get("zone") == "soviet"}
    assert {"Breslau", "Danzig", "Berlin"} <= red
    assert not red & {"Munich", "The Ruhr", "Hamburg", "Salzburg"}


def test_fe_m9_every_hex_is_axis_controlled_at_first() -> None:
    """game.toml gives everything to the Axis, and the campaign set-up gives the Allies their boxes and no hex."""
    report = Report()
    path = ROOT / "modules" / NAME / "setups" / "campaign.csv"
    table = read_table(path, path.name, report)
    assert table is not None
    allied = {r.get("at") for r in table.rows if r.get("what") == "control" and r.get("item") == "allied"}
    assert allied <= BOXES
    assert 'controller = "axis"' in (ROOT / "modules" / NAME / "game.toml").read_text(encoding="utf-8")


def test_fe_s6_distances(warmap: WarMap, land: nx.Graph) -> None:
    for port, near in (("Bordeaux", True), ("Marseilles", True), ("Cherbourg", False)):
        assert (nx.shortest_path_length(land, "Toulouse", port) <= 3) == near, port


def test_places_in_play_are_joined(warmap: WarMap, land: nx.Graph) -> None:
    """The continent with Denmark and Sicily is one piece, Norway and Sardinia are islands."""
    parts = sorted(nx.connected_components(land), key=len, reverse=True)
    assert parts[0] >= {"Brest", "Copenhagen", "Danzig", "Vienna", "Trapani", "Brindisi"}
    assert parts[1] >= {"Bergen", "Stavanger", "Oslo", "Kristiansand"}
    assert parts[2] == {"Olbia", "Oristano", "Cagliari"}
    assert len(parts) == 3


def test_supply_sources_and_sea_names(warmap: WarMap) -> None:
    urban = {s.key for s in warmap.spaces if "urban-industrial" in s.features and s.traits["country"] == "Germany"}
    assert urban == {"Berlin", "Breslau", "Munich", "The Ruhr"}  # 11.31
    for s in warmap.spaces:
        if s.features & {"port", "beach-head"}:
            assert s.traits["sea"] in ("atlantic", "mediterranean"), s.key
    assert "rhine" in {k for h in warmap.hexsides for k in h.kinds}


def test_geodata_are_what_their_checksums_say() -> None:
    folder = ROOT / "maps" / "geodata"
    lines = [line.split() for line in (folder / "SHA256SUMS").read_text().splitlines()]
    listed = {name: digest for digest, name in lines}
    assert set(listed) == {p.name for p in folder.glob("*.geojson")}
    for name, digest in listed.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name
