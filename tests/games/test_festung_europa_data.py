"""FE-U1 and FE-U2: the counters and set-ups of festung-europa hold what the rulebook prints, piece by piece.

The two tables below are the set-up lists of 17.2 and 18.2 with their errata and clarifications, written out a second
time and apart from the data: place, nation, arm, kind, identity and the three printed factors.
"""

from __future__ import annotations

import re
from collections import Counter as Tally
from pathlib import Path

import pytest

from toolchain.art.symbols import read_symbol
from toolchain.model.forces import Counter
from toolchain.model.position import Piece, Position
from toolchain.report import Report
from toolchain.sources.decode.counters import decode_counters
from toolchain.sources.decode.games import GameFile, decode_game
from toolchain.sources.decode.setups import decode_setup
from toolchain.sources.documents import Row, Table, read_table, read_toml

ROOT = Path(__file__).parents[2]
NAME = "festung-europa"

SEASONS = ("Winter", "Spring", "Summer", "Fall")
TRACKS = {f"{season} {year}" for year in (1943, 1944, 1945) for season in SEASONS} - {"Winter 1943", "Spring 1943"}
TRACKS |= {f"General Records {n}" for n in range(21)} | {f"Action Round {n}" for n in range(1, 7)}
TRACKS |= {"SAC Attack Industry", "SAC Attack Infrastructure", "SAC Attack Oil Production", "SAC Carpet Bombing"}
TRACKS |= {"TAC Ground Support", "TAC Interdiction", "Air Available", "Argument"}
AIR = "sac-uk-bc sac-us-8 tac-us-a tac-us-b tac-uk-a tac-uk-b"
ON_TRACKS = {
    "campaign": {
        "Summer 1943": "turn",
        "General Records 2": "vp-10 infrastructure-10",
        "General Records 1": "vp-1",
        "General Records 0": "infrastructure-1",
        "General Records 8": "hand-size-allied hand-size-axis",
        "Action Round 1": "action-round-allied action-round-axis",
        "Air Available": AIR,
    },
    "overlord": {
        "Spring 1944": "turn",
        "General Records 1": "vp-10 infrastructure-10",
        "General Records 8": "vp-1",
        "General Records 5": "infrastructure-1",
        "General Records 9": "hand-size-allied hand-size-axis",
        "Action Round 1": "action-round-allied action-round-axis",
        "Air Available": AIR,
        "Summer 1943": "event-husky event-avalanche event-fuhrer-directive-51 event-eiche",
        "Fall 1943": "event-vemork-raid event-speer event-italian-social-republic",
        "Winter 1944": "event-shingle event-p-51-mustangs event-rommel",
        "Argument": "event-argument",  # errata: in a holding box of its own
    },
}

CAMPAIGN = """
North Africa Reserve: BR mech corps 2-2-3, NZ corps 1-1-3, US mech corps 2-2-4, US mech corps 2-2-4, \
AB corps 1-2-2, FF corps 1-1-3, POL corps 1-1-3
United Kingdom Reserve: BR mech corps 2-2-3, BR corps 1-1-3, BR corps 1-1-3, BR corps 1-1-3, US mech corps 2-2-4, \
US mech corps 2-2-4, CA mech corps 2-2-3, POL corps 1-1-3
OKW Reserve: GE corps 2-2-4
Bergen: GE fortress 0-3-0
Oslo: GE corps 2-2-4
Copenhagen: GE corps 1-1-4
Amsterdam: GE corps 1-1-4
Berlin: GE corps 1-1-4, GE fortress 0-3-0
Aachen: GE fortress 0-2-0
The Eifel: GE fortress 0-1-0
The Saar: GE fortress 0-2-0
Freiburg: GE fortress 0-1-0
Brest: GE fortress 0-2-0
Bordeaux: GE army 1st 2-3-3
Falaise: GE army 7th 2-3-3
Paris: GE corps 1-1-4
Amiens: GE ss mech corps 3-3-4
Ostend: GE army 15th 4-4-3
Channel Ports: GE fortress 0-4-0
Avignon: GE luftwaffe corps 1-2-4
Marseilles: GE army 19th 2-3-3
Toulon: IT army 4th 2-3-3
Corsica: IT army 5th 2-3-3
Milan: GE luftwaffe corps 1-2-4
Oristano: GE corps 1-1-4
Verona: GE army 14th 3-3-3
Ferrara: GE army 10th 3-3-3
Cassino: GE fortress 0-1-0
Pescara: GE fortress 0-1-0
Messina: GE corps 1-1-4
Rome: IT army 7th 2-3-3
Trento: GE mech corps 2-2-4
Trieste: IT corps 1-1-3
Naples: IT corps 1-1-3
Taranto: IT army 8th 2-3-3
Trapani: IT corps 1-1-3
Enna: GE mech corps 2-2-4
Palermo: GE corps 1-1-4
Gela: IT army 6th 2-3-3
Syracuse: IT corps 1-1-3
Balkans Front: IT corps 1-1-3, IT corps 1-1-3, IT corps 1-1-3, IT corps 1-1-3
"""

OVERLORD = """
North Africa Reserve: US mech army 7th 3-3-4, US mech corps 2-2-4, BR mech corps 2-2-3
United Kingdom Reserve: BR mech corps 2-2-3, CA mech corps 2-2-3, US mech corps 2-2-4, POL corps 1-1-3, AB corps 2-2-2
Rome: US mech army 5th 3-3-4
Pescara: BR mech army 8th 3-3-4
Termoli: POL corps 1-1-3, NZ corps 1-1-3
Cassino: FF corps 1-1-3
OKW Reserve: GE corps 2-2-4
Bergen: GE fortress 0-3-0
Oslo: GE corps 2-2-4
Copenhagen: GE corps 1-1-4
Amsterdam: GE fortress 0-2-0
The Scheldt: GE fortress 0-2-0
Balkans Front: GE corps 2-2-4
Milan: IT corps 0-1-3
Grosseto: GE army 14th 3-3-3, GE mech corps 2-2-4
Perugia: GE army 10th 3-3-3
Berlin: GE fortress 0-3-0
Aachen: GE fortress 0-3-0
The Eifel: GE fortress 0-2-0
The Saar: GE fortress 0-3-0
Freiburg: GE fortress 0-2-0
Eastern Front: GE ss mech corps 4-3-4
Brest: GE fortress 0-2-0
St. Nazaire: GE fortress 0-2-0
Bordeaux: GE fortress 0-2-0
Cherbourg: GE fortress 0-2-0
Rennes: GE luftwaffe corps 2-3-4
La Rochelle: GE army 1st 2-3-3, GE fortress 0-2-0
Falaise: GE army 7th 3-3-3, GE mech corps 3-3-4
Le Havre: GE fortress 0-2-0
Channel Ports: GE fortress 0-4-0, GE army 15th 4-4-3
Amiens: GE mech corps 3-3-4
Paris: GE corps 1-1-4
Narbonne: GE corps 1-1-4
Brussels: GE ss mech corps 3-3-4
Avignon: GE army 19th 2-3-3
Marseilles: GE fortress 0-2-0
"""
LISTS = {"campaign": CAMPAIGN, "overlord": OVERLORD}
CITES = {"campaign": "17.2", "overlord": "18.2"}

# 18.2: hexes that get an Allied control marker; the beach heads of Husky are two hexes.
MARKED = """Oristano, Corsica, Olbia, Cagliari, Anzio, Naples, Foggia, Auletta-Potenza, Bari, Brindisi, Taranto, Pizzo,
Corligliano-Calabro, Messina, Enna, Palermo, Trapani, Prizzi, Gela, Syracuse""".replace("\n", " ").split(", ")
MARKED_BEACH_HEADS = {"Vesuve": 1, "Shingle": 1, "Avalanche": 1, "Husky": 2}
RESERVES = {"United Kingdom Reserve", "North Africa Reserve"}
BOXES = RESERVES | {"OKW Reserve", "Eastern Front", "Balkans Front"}
PILES = {f"{side} {pile} Pile" for side in ("Allied", "Axis") for pile in ("Draw", "Discard")} | {"Removed Cards"}


def _table(*parts: str) -> Table:
    report = Report()
    table = read_table(ROOT.joinpath(*parts), "/".join(parts), report)
    assert table is not None and not len(report), list(report)
    return table


@pytest.fixture(scope="module")
def game() -> GameFile:
    report = Report()
    raw = read_toml(ROOT / "modules" / NAME / "game.toml", "game.toml", report)
    assert raw is not None
    read = decode_game(raw, "game.toml", report)
    assert read is not None and not len(report), list(report)
    return read


@pytest.fixture(scope="module")
def counters(game: GameFile) -> dict[str, Counter]:
    report = Report()
    read = decode_counters(_table("counters", NAME, "units.csv"), game.built_sides(), report)
    assert not len(report), list(report)
    return {c.id: c for c in read}


@pytest.fixture(scope="module")
def setups(game: GameFile, counters: dict[str, Counter]) -> dict[str, Position]:
    read = {}
    for name in LISTS:
        report = Report()
        table = _table("modules", NAME, "setups", f"{name}.csv")
        read[name] = decode_setup(
            table, name, counters, game.built_sides(), game.built_events(), game.controller, report
        )
        assert not len(report), list(report)
    return read


@pytest.fixture(scope="module")
def places() -> dict[str, Row]:
    """The named hexes of the map."""
    return {row.get("name"): row for row in _table("maps", NAME, "places.csv").rows}


def _units(position: Position, counters: dict[str, Counter]) -> list[Piece]:
    return [p for p in position.pieces if counters[p.counter].role == "unit"]


def _described(piece: Piece, counters: dict[str, Counter]) -> str:
    """Say a piece as the lists above do."""
    counter = counters[piece.counter]
    arm = counter.attributes.get("arm", "")
    words = [
        counter.nation,
        str(arm) if arm in ("ss", "luftwaffe") else "",
        "mech" if counter.attributes["mech"] else "",
        counter.kind,
        str(counter.value("text")) if counter.kind == "army" else "",
        "-".join(str(counter.value(v, piece.step)) for v in ("attack", "defence", "movement")),
    ]
    return " ".join(w for w in words if w)


def _listed(text: str) -> dict[str, Tally[str]]:
    rows = [line.partition(": ") for line in text.strip().splitlines()]
    return {place: Tally(units.split(", ")) for place, _, units in rows}


@pytest.mark.parametrize("name", LISTS)
def test_fe_u1_fe_u2_every_row_of_the_list_and_no_other_unit(
    name: str, setups: dict[str, Position], counters: dict[str, Counter]
) -> None:
    placed: dict[str, Tally[str]] = {}
    for piece in _units(setups[name], counters):
        placed.setdefault(piece.at, Tally())[_described(piece, counters)] += 1
    assert placed == _listed(LISTS[name])


@pytest.mark.parametrize("name", LISTS)
def test_every_unit_stands_once_and_no_hex_is_overstacked(
    name: str, setups: dict[str, Position], counters: dict[str, Counter]
) -> None:
    units = _units(setups[name], counters)
    assert max(Tally(p.counter for p in units).values()) == 1
    assert all(n <= 3 for at, n in Tally(p.at for p in units).items() if at not in BOXES)


def test_fe_u1_campaign(setups: dict[str, Position], counters: dict[str, Counter]) -> None:
    position = setups["campaign"]
    at = Tally(p.at for p in _units(position, counters))
    assert (at["North Africa Reserve"], at["United Kingdom Reserve"], at["Eastern Front"]) == (7, 8, 0)
    assert [counters[p.counter].nation for p in position.pieces if p.at == "Balkans Front"] == ["IT"] * 4
    assert (position.turn, position.controller, position.events) == (1, "axis", frozenset())
    assert set(position.control) == RESERVES, "FE-M9: every hex is Axis-controlled"
    assert position.facts["victory-points"] == "21" and position.facts["german-infrastructure"] == "20"
    assert position.facts["allied-hand-size"] == position.facts["axis-hand-size"] == "8"


def test_fe_u2_overlord(setups: dict[str, Position], counters: dict[str, Counter]) -> None:
    position = setups["overlord"]
    units = {p.counter: p for p in _units(position, counters)}
    assert units["fortress-bergen"].at == "Bergen"
    assert units["fortress-la-rochelle"].step == 0, "errata: at full strength"
    assert not {"fortress-cassino", "fortress-pescara"} & set(units), "clarification: gone"
    assert not [i for i in units if counters[i].nation == "IT" and counters[i].kind == "army"]
    assert (position.turn, position.controller) == (4, "axis")
    assert position.facts["victory-points"] == "18" and position.facts["german-infrastructure"] == "15"
    assert position.facts["allied-hand-size"] == position.facts["axis-hand-size"] == "9"


def test_fe_u2_control_markers(
    setups: dict[str, Position], counters: dict[str, Counter], places: dict[str, Row]
) -> None:
    position = setups["overlord"]
    assert set(position.control.values()) == {"allied"}
    occupied = {p.at for p in _units(position, counters) if counters[p.counter].side == "allied"} - RESERVES
    beach_heads = {s for s in position.control if s in places and "beach-head" in places[s].get("features").split()}
    # Hexes of our own map that lie between those: Italy south of the line of Cassino.
    behind = {s for s, p in places.items() if p.get("country") == "Italy" and float(p.get("lat")) <= 41.5}
    assert set(position.control) - beach_heads == {*MARKED, *occupied, *RESERVES, *behind}
    assert Tally(s.split()[0] for s in beach_heads) == MARKED_BEACH_HEADS


@pytest.mark.parametrize("name", LISTS)
def test_fe_m7_every_place_of_the_set_ups_is_on_the_map(
    name: str, setups: dict[str, Position], counters: dict[str, Counter], places: dict[str, Row]
) -> None:
    named = {p.at for p in setups[name].pieces} | set(setups[name].control)
    named |= {str(c.attributes["place"]) for c in counters.values() if c.kind == "fortress"}
    assert named <= set(places) | BOXES | TRACKS | PILES


@pytest.mark.parametrize("name", LISTS)
def test_fe_u_markers_stand_on_their_tracks(
    name: str, setups: dict[str, Position], counters: dict[str, Counter]
) -> None:
    """3.11 to 3.15, 14.2 and 14.3; 18.1, 18.3 and 18.5, with 4.21 for the hand of 1944."""
    standing = {p.counter: p.at for p in setups[name].pieces if p.at in TRACKS}
    assert standing == {c: at for at, row in ON_TRACKS[name].items() for c in row.split()}
    assert {counters[c].role for c in standing} == {"marker"}


def test_fe_u2_events(setups: dict[str, Position], game: GameFile) -> None:
    listed = {
        "Husky", "Avalanche", "Fuhrer Directive 51", "Eiche",
        "Vemork Raid", "Speer", "Italian Social Republic",
        "Shingle", "P-51 Mustangs", "Argument", "Rommel",
    }  # fmt: skip
    implied = {"Italian Surrender", "Italian Disarmament", "Forced Labor"}
    assert {game.events[e].title for e in setups["overlord"].events} == listed | implied


@pytest.mark.parametrize(
    ("name", "airfields"),
    [
        ("campaign", {"United Kingdom Reserve", "North Africa Reserve"}),
        ("overlord", {"United Kingdom Reserve", "Foggia"}),
    ],
)
def test_markers_that_stand_on_the_map(name: str, airfields: set[str], setups: dict[str, Position]) -> None:
    at = {kind: {p.at for p in setups[name].pieces if p.counter == kind} for kind in ("airfield", "airbase", "hitler")}
    assert at == {"airfield": airfields, "airbase": RESERVES, "hitler": {"Berlin"}}


def test_the_counter_mix_gives_the_eliminated_units_of_the_overlord_scenario(
    setups: dict[str, Position], counters: dict[str, Counter]
) -> None:
    placed = {p.counter for p in setups["overlord"].pieces}
    away = Tally(
        (c.attributes["counts_as"], c.symbol) for c in counters.values() if c.kind == "corps" and c.id not in placed
    )
    assert away == {
        ("BR", "infantry corps"): 3,
        ("US", "mech infantry corps"): 2,
        ("IT", "infantry corps"): 7,
        ("GE", "infantry corps"): 3,
        ("GE", "airborne corps"): 1,
    }


def test_units_of_neither_set_up_are_named_by_the_rules(
    setups: dict[str, Position], counters: dict[str, Counter]
) -> None:
    placed = {p.counter for s in setups.values() for p in s.pieces}
    rest = {c.name for c in counters.values() if c.role == "unit" and c.id not in placed}
    assert rest == {"US 3rd Army", "FF Army", "AB 1st Airborne Army", "GE Pz Army"}


def test_every_unit_has_two_steps_and_the_second_is_weaker(counters: dict[str, Counter]) -> None:
    for c in counters.values():
        if c.role == "unit":
            assert len(c.faces) == 2, c.id
            full, reduced = ([int(f.values[v]) for v in ("attack", "defence", "movement")] for f in c.faces)
            assert full[2] == reduced[2] and full > reduced and full[1] >= reduced[1], c.id


def test_a_side_is_cited_where_a_set_up_shows_it_and_assumed_elsewhere(
    setups: dict[str, Position], counters: dict[str, Counter]
) -> None:
    shown: dict[tuple[str, int], set[str]] = {}
    for name, position in setups.items():
        for piece in _units(position, counters):
            shown.setdefault((counters[piece.counter].name, piece.step), set()).add(CITES[name])
    shown[("La Rochelle", 0)] = set()  # the errata place it, and no list prints it
    for c in counters.values():
        if c.role == "unit":
            cited = [set(re.findall(r"1[78]\.2", str(c.attributes.get(a, "")))) for a in ("full_cite", "reduced_cite")]
            assert cited == [shown.get((c.name, step), set()) for step in (0, 1)], c.id
            assert bool(c.assumed) == (not all(cited)), c.id
            assert c.cite, c.id


def test_only_the_italian_armies_never_take_replacements(counters: dict[str, Counter]) -> None:
    dotted = {c.name for c in counters.values() if c.attributes.get("no_replacement") is True}
    assert dotted == {f"IT {n}th Army" for n in (4, 5, 6, 7, 8)}


def test_a_fortress_stands_only_in_the_hex_whose_name_it_bears(
    setups: dict[str, Position], counters: dict[str, Counter]
) -> None:
    fortresses = {c.id: c for c in counters.values() if c.kind == "fortress"}
    assert all(c.name == c.attributes["place"] for c in fortresses.values()) and len(fortresses) == 18
    for position in setups.values():
        for piece in position.pieces:
            if piece.counter in fortresses:
                assert piece.at == fortresses[piece.counter].attributes["place"]


def test_every_type_of_unit_in_2_21_has_a_counter(counters: dict[str, Counter]) -> None:
    types = {
        (c.nation, bool(c.attributes["mech"]), c.kind, c.symbol.startswith("airborne"))
        for c in counters.values()
        if c.role == "unit"
    }
    axis = {("GE", m, k, False) for m in (False, True) for k in ("army", "corps")}
    axis |= {("GE", False, "corps", True), ("GE", False, "fortress", False)}
    axis |= {("IT", False, "army", False), ("IT", False, "corps", False)}
    allied = {("US", True, "army", False), ("BR", True, "army", False), ("FF", True, "army", False)}
    allied |= {("BR", False, "corps", False), ("FF", False, "corps", False)}
    allied |= {("AB", False, "army", True), ("AB", False, "corps", True)}
    assert axis | allied <= types
    # 17.2 and 18.2 show a tank on every US, British mechanized and Canadian corps; POL and NZ corps have none.
    others = {("US", True), ("BR", True), ("CA", True), ("POL", False), ("NZ", False)}
    assert types - axis - allied == {(n, m, "corps", False) for n, m in others}


def test_the_counters_fit_the_two_countersheets(counters: dict[str, Counter]) -> None:
    sheets: Tally[str] = Tally()
    for c in counters.values():
        sheets[c.size] += c.copies
        assert (c.size == "5/8") == (c.role == "unit"), c.id
    assert sheets["5/8"] <= 176 and sheets["1/2"] == 120


def test_the_markers_of_the_rules(counters: dict[str, Counter]) -> None:
    markers = {c.name: c for c in counters.values() if c.role == "marker"}
    named = """Turn|VP x10|VP x1|German Infrastructure x10|German Infrastructure x1|Allied Hand Size|Axis Hand Size
|Allied Action Round|Axis Action Round|Airbase|Airfield|Move / Attack|Control|Hitler|SAC UK BC|SAC US 8th AF
|SAC US 15th AF|TAC US-A|TAC US-B|TAC UK-A|TAC UK-B|Husky|Roundup|Avalanche|Shingle|Overlord|Anvil-Dragoon
|Fuhrer Directive 51|Eiche|Vemork Raid|Speer|Italian Social Republic|P-51 Mustangs|Argument|Rommel|Yalta|Autumn Mist"""
    assert set(named.replace("\n", "").split("|")) <= set(markers)
    assert markers["Axis Action Round"].value("text", 1) == "RP Card Played"
    assert markers["Move / Attack"].value("text") == "Move" and markers["Move / Attack"].value("text", 1) == "Attack"
    assert markers["Airbase"].copies == markers["Airfield"].copies == 2
    assert all(c.cite for c in markers.values())


def test_every_event_has_its_marker_and_every_event_marker_its_event(
    game: GameFile, counters: dict[str, Counter]
) -> None:
    marked = {c.id.removeprefix("event-"): c.name for c in counters.values() if c.layout == "event"}
    assert marked.pop("patton") == "Patton", "one counter, an event on each side"
    without = {"patton-sacked", "patton-reinstated", "fall-of-berlin"}
    assert marked == {k: e.title for k, e in game.events.items() if k not in without}


def test_the_symbols_can_be_drawn(counters: dict[str, Counter]) -> None:
    report = Report()
    drawn = [read_symbol(c.symbol, c.where, report) for c in counters.values() if c.role == "unit"]
    assert all(drawn) and not len(report), list(report)


def test_the_control_markers_suffice(setups: dict[str, Position], counters: dict[str, Counter]) -> None:
    assert counters["control"].copies >= len(set(setups["overlord"].control) - RESERVES)


def test_the_turns_and_phases(game: GameFile) -> None:
    assert len(game.turns) == 10 and game.turns[0] == "Summer 1943" and game.turns[9] == "Fall 1945"
    assert game.turns[3] == "Spring 1944", "18.1"
    assert game.turns[2] == "Winter 1944" and game.turns[6] == "Winter 1945", "6.71, 6.72"
    rounds = [p for p in game.phases if p.startswith("Action Round")]
    assert rounds == [f"Action Round {n}: {side}" for n in range(1, 7) for side in ("Axis", "Allied")]
    assert game.phases.index("Axis Attrition") == game.phases.index("Action Round 6: Axis") + 1, "4.4"


# Strategy cards ------------------------------------------------------------------------------------------------------

# Whatever the rulebook, its errata and its answers call by number, written out here by hand.
NUMBERED = {
    ("allied", 27): "Market-Garden",
    ("allied", 38): "Reinforcements: 1st Airborne Army",
    ("allied", 42): "Montgomery (Veritable)",
    ("allied", 45): "Varsity",
    ("allied", 46): "No Retreat*",
    ("allied", 47): "Fall of Berlin",
    ("allied", 49): "FDR Dies",
    ("axis", 18): "Reinforcements",
    ("axis", 21): "Italian Social Republic",
    ("axis", 41): "Volkssturm",
    ("axis", 52): "Enemy at the Gates",
}


@pytest.fixture(scope="module")
def cards(counters: dict[str, Counter]) -> list[Counter]:
    return [c for c in counters.values() if c.kind == "card"]


def test_the_cards_that_the_rulebook_numbers(cards: list[Counter]) -> None:
    numbered = {(c.side, int(c.attributes["number"])): c.attributes["title"] for c in cards if c.value("number")}
    assert numbered == NUMBERED
    years = {(c.side, int(c.attributes["number"])): int(c.attributes["year"]) for c in cards if c.value("number")}
    assert all(y == (1943 if n <= 21 else 1944 if n <= 41 else 1945) for (_, n), y in years.items())  # 3.3


def test_the_kinds_and_signs_of_cards_are_those_that_are_stated(cards: list[Counter]) -> None:
    by = {str(c.attributes["title"]): c for c in cards}
    kinds = {t: str(c.value("play")) for t, c in by.items() if c.value("play")}
    invasions = ("Husky", "Roundup", "Avalanche", "Shingle", "Overlord", "Anvil-Dragoon")
    events = ("Montgomery (Veritable)", "Cobra", "Diadem")  # errata
    assert kinds == {
        **dict.fromkeys(invasions, "Invasion"),
        **dict.fromkeys(events, "Event"),
        "Severe Weather": "Combat",
    }
    assert [t for t, c in by.items() if c.value("asterisk") is True] == ["No Retreat*"]
    assert [t for t, c in by.items() if c.value("prerequisite") is True] == ["FDR Dies"]


def test_every_event_that_rules_ask_for_has_its_card(cards: list[Counter], game: GameFile) -> None:
    titles = {str(c.attributes["title"]).rstrip("*") for c in cards}
    conditions = {"Italian Surrender", "Infrastructure Collapse"}  # what happens, and no card
    assert {e.title for e in game.events.values()} - titles == conditions
    named = """Hamburg Firebombing|Dambusters|Strangle|Thunderclap|Panzer Refit|Synthetic Fuel Reserves|V-1 Buzzbombs
|V-2 Rockets|Electro U-Boats Unleashed|Jet Interceptors|Panther Brigades|Bottom of the Barrel|Yanks and Tanks|Donitz
|Atlantic Wall (Static Divisions)|U-Boat Offensive|Anti-Submarine Warfare|Air Superiority|Severe Weather"""
    assert set(named.replace("\n", "").split("|")) <= titles


def test_cards_say_where_it_is_stated_and_no_card_assumes_an_effect(cards: list[Counter]) -> None:
    assert len(cards) == 66 and all(c.cite for c in cards)
    sides = {c.side for c in cards}
    assert sides == {"allied", "axis"} and all(sum(c.side == s for c in cards) <= 55 for s in sides)  # 3.3
    about = (
        "whose card",
        "years go with",
        "which of the numbers",
        "the year:",
        "a reinforcement card",
        "a card brings it",
    )
    assert all(any(a in c.assumed for a in about) for c in cards if c.assumed)
