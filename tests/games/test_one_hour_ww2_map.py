"""OH-M1 to OH-M4: the drawn map of one-hour-ww2 holds what the rulebook says of it, and the nation sheets are whole."""

from __future__ import annotations

from collections import Counter as Tally

import networkx as nx
import pytest
import realgames
from lxml import etree

from toolchain.checks.structure import check_map
from toolchain.model.warmap import WarMap
from toolchain.report import Severity

NAME = "one-hour-ww2"
BOARDS = ("Germany", "UK", "Japan", "Soviet Union", "USA")
NATIONS = {"Germany": "GE", "UK": "UK", "Japan": "JP", "Moscow": "SU", "USA": "US"}  # by capital
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"


@pytest.fixture(scope="module")
def warmap() -> WarMap:
    loaded, report, _ = realgames.load(NAME)
    assert [str(f) for f in report] == [], "nothing is found in reading and surveying it"
    return loaded.game.map


@pytest.fixture(scope="module")
def ways(warmap: WarMap) -> dict[str, nx.Graph]:
    """The connections by kind."""
    out = {kind: nx.Graph() for kind in ("land", "water")}
    for link in warmap.links:
        kind = "land" if link.kind == "soviet" else link.kind
        if kind in out:
            out[kind].add_edge(link.a, link.b, **link.traits)
    return out


def play(warmap: WarMap) -> list[str]:
    return [s.key for s in warmap.spaces if s.kind == "point"]


def test_the_structure_is_clean(warmap):
    assert [str(f) for f in check_map(warmap) if f.severity >= Severity.WARNING] == []


def test_oh_m1_land_and_sea_home_and_neutral_and_kinds_of_connection(warmap, ways):
    spaces = [warmap.by_key[k] for k in play(warmap)]
    assert Tally(s.terrain for s in spaces) == {"land": 18, "sea": 8}
    home = {s.key: s.traits.get("home", "") for s in spaces}
    assert {n for n in home.values() if n} == set(NATIONS.values())
    assert not any(home[s.key] for s in spaces if s.terrain == "sea"), "seas are like neutral spaces"
    assert home["China"] == home["South-east Asia"] == "JP" and home["Ukraine"] == "SU"  # 3.2, 4.5, 6.3
    assert home["Philippines"] == "US" and home["Poland"] == home["Italy"] == "GE"
    assert {k for k, n in home.items() if not n and warmap.by_key[k].terrain == "land"} == {
        "France", "Balkans", "Scandinavia",
    }  # fmt: skip
    assert all(warmap.by_key[k].terrain == "land" for k in ways["land"]), "brown lines join land spaces"
    restricted = [x for x in warmap.links if x.traits.get("nation")]
    assert [(x.a, x.b, x.kind, x.traits["nation"]) for x in restricted] == [("Moscow", "Siberia", "soviet", "SU")]


def test_oh_m2_the_map_wraps_by_water(warmap):
    (wrap,) = [x for x in warmap.links if x.traits.get("wrap") == "yes"]
    assert {wrap.a, wrap.b} == {"East Pacific", "USA"} and wrap.kind == "water"
    assert warmap.by_key["USA"].at[0] < 120 and warmap.by_key["East Pacific"].at[0] > 744, "at the two edges"


def test_oh_m3_capitals_victory_spaces_and_straits(warmap):
    capital = {k: warmap.by_key[k].traits.get("capital") for k in play(warmap)}
    assert {k: n for k, n in capital.items() if n} == NATIONS
    assert {k for k in play(warmap) if "capital" in warmap.by_key[k].features} == set(NATIONS)
    victory = {k for k in play(warmap) if "victory" in warmap.by_key[k].features}
    assert victory == {*NATIONS, "France", "Italy", "China", "India", "North Pacific", "East Pacific"}
    assert {warmap.by_key[k].terrain for k in victory} == {"land", "sea"}
    straits = {k for k in play(warmap) if "strait" in warmap.by_key[k].features}
    assert straits == {"North Africa", "Scandinavia", "South-east Asia", "USA"}
    assert {warmap.by_key[k].terrain for k in straits} == {"land"}


def test_oh_m4_what_the_text_states_of_neighbours(warmap, ways):
    land, water = ways["land"], ways["water"]
    assert water.has_edge("Atlantic", "USA") and water.has_edge("Atlantic", "UK")
    assert water.has_edge("North Sea", "France") and not water.has_edge("Atlantic", "France")  # 4.5 NB
    assert water.has_edge("Atlantic", "North Africa") and water.has_edge("North Africa", "Mediterranean")
    assert not water.has_edge("Atlantic", "Mediterranean") and "strait" in warmap.by_key["North Africa"].features
    assert water.has_edge("Baltic", "Scandinavia") and water.has_edge("Baltic", "Germany")
    assert not land.has_edge("Scandinavia", "Germany")
    assert land.has_edge("Ukraine", "Poland") and land.has_edge("Ukraine", "Moscow")
    assert water.has_edge("North Pacific", "South Pacific") and water.has_edge("South Pacific", "South-east Asia")
    assert water.has_edge("Italy", "Mediterranean")
    assert nx.has_path(water, "East Pacific", "North Pacific") and water.has_edge("North Pacific", "Japan")
    stated = {frozenset((x.a, x.b)) for x in warmap.links if x.cite}
    assumed = [x for x in warmap.links if x.assumed]
    assert frozenset(("North Sea", "France")) in stated and frozenset(("Moscow", "Siberia")) in stated
    assert assumed and not any(x.cite for x in assumed), "the rest is reconstruction and says so"
    assert all(bool(x.cite) != bool(x.assumed) for x in warmap.links)


def test_every_space_can_be_reached(warmap, ways):
    both = nx.compose(ways["land"], ways["water"])
    assert set(both) == set(play(warmap)) and nx.is_connected(both)
    seas = {k for k in play(warmap) if warmap.by_key[k].terrain == "sea"}
    straits = {k for k in play(warmap) if "strait" in warmap.by_key[k].features}
    assert nx.is_connected(ways["water"].subgraph(seas | straits)), "fleets come everywhere by straits"


@pytest.mark.parametrize("board", BOARDS)
def test_a_nation_sheet_has_actions_responses_upgrades_and_boxes(warmap, board):
    spaces = [s for s in warmap.spaces if s.traits.get("board") == board]
    actions = {s.name for s in spaces if s.traits.get("slot") == "action"}
    assert actions == {"Build", "Offensive", "Strategic Move", "Upgrade"}  # 4.5
    assert {s.traits["pool"]: s.enterable for s in spaces if "pool" in s.traits} == {"reserve": True, "spent": True}
    steps = Tally(s.traits["upgrade"] for s in spaces if "upgrade" in s.traits)
    assert set(steps) == {"Build", "Air Force", "Naval Aviation"}
    labels = {t.title: t.labels[0] for t in warmap.tracks if t.key.startswith(board)}
    assert labels == {"Build": "1", "Air Force": "0", "Naval Aviation": "0"}  # 4.6, 8.3
    responses = [s for s in spaces if s.traits.get("slot") == "response"]
    assert responses and all(s.traits["by"] and (s.cite or s.assumed) for s in responses)


def test_responses_of_the_german_sheet_stand_in_their_order(warmap):
    row = [s for s in warmap.spaces if s.key.startswith("Germany: ")]
    offensive = sorted((s for s in row if "Bombing" not in s.name), key=lambda s: s.at[0])
    assert [(s.name, s.traits["by"]) for s in offensive] == [
        ("Counter-Offensive", "SU"), ("Not One Step Back", "SU"), ("Blitz", "GE"),
    ]  # fmt: skip
    (bombing,) = [s for s in row if "Bombing" in s.name]
    assert bombing.traits["by"] == "UK US" and bombing.at[1] < offensive[0].at[1], "in the row of Build (4.1)"


def test_reserve_and_spent_lie_off_the_graph_and_off_the_world(warmap):
    world = max(warmap.by_key[k].at[1] for k in play(warmap))
    for board in BOARDS:
        links = {(x.a, x.b, x.kind) for x in warmap.links if x.a.startswith(f"{board} ")}
        assert links == {(f"{board} Spent", f"{board} Reserve", "shift")}  # 4.5: Build shifts units
        assert min(warmap.by_key[f"{board} {p}"].at[1] for p in ("Reserve", "Spent")) > world


def test_tracks_of_the_map(warmap):
    tracks = {t.key: t.labels for t in warmap.tracks}
    assert tracks["Political Will"] == tuple(str(n) for n in range(1, 13))
    assert tracks["Turn"] == ("1940", "1941", "1942", "1943", "1944", "1945")
    assert tracks["Turn Order"] == ("1st", "2nd", "3rd", "4th", "5th")


def test_the_drawing_is_laid_out_for_inkscape():
    root = etree.parse(realgames.ROOT / "maps" / NAME / "board.svg").getroot()
    assert root.get("width") == "864mm" and root.get("viewBox") == "0 0 864 804", "a millimetre to the unit"
    layers = {g.get(f"{INKSCAPE}label"): g for g in root if g.get(f"{INKSCAPE}groupmode") == "layer"}
    assert {"Land", "Territories", "Land ways", "Water ways", "Soviet ways", "Lands", "Seas", "Names"} <= set(layers)
    circles = [c for name in ("Lands", "Seas") for c in layers[name]]
    assert {c.tag.rpartition("}")[2] for c in circles} == {"circle"} and len(circles) == 26
    assert {c.get(f"{INKSCAPE}label") for c in circles} == {t.text for t in layers["Names"]}
