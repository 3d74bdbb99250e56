"""OH-U1, OH-U2: pieces and set-ups of one-hour-ww2 are those of its rulebook; the free set-up has its limits."""

from __future__ import annotations

import tomllib
from collections import Counter as Tally
from dataclasses import replace

import pytest
import realgames
from realgames import controller

from toolchain.checks.judge import judge
from toolchain.checks.setup import check_setup

NAME = "one-hour-ww2"
# 3.4, written out here by hand: nation, kind, level and how many, by place.
SET_UP = {
    "Germany": "GE army 2:1 GE army 1:2",
    "Poland": "GE army 2:1",
    "Italy": "IT army 1:1",
    "Mediterranean": "IT fleet 1:1",
    "Germany Reserve": "GE army 1:4 GE fleet 1:2",
    "Germany Spent": "GE army 1:1",
    "Japan": "JP army 1:1",
    "China": "JP army 1:1 CN army 1:1",
    "North Pacific": "JP fleet 2:1 JP fleet 1:1",
    "Japan Reserve": "JP army 1:3 JP fleet 1:3",
    "UK": "UK army 1:1",
    "France": "FR army 1:1",
    "North Sea": "UK fleet 1:1",
    "Atlantic": "UK fleet 1:1",
    "UK Reserve": "UK army 1:1 UK fleet 2:1 UK fleet 1:1",
    "UK Spent": "UK army 2:1 UK army 1:2",
    "Moscow": "SU army 2:1",
    "Leningrad": "SU army 1:1",
    "Ukraine": "SU army 1:1",
    "Siberia": "SU army 1:1",
    "Soviet Union Spent": "SU army 2:1 SU army 1:5 SU fleet 1:1",
    "USA": "US army 1:1",
    "East Pacific": "US fleet 1:1",
    "USA Reserve": "US army 1:2 US fleet 1:2 CN army 1:1",
    "USA Spent": "US army 2:1 US army 1:2 US fleet 2:2 US fleet 1:1",
}
CUBES = {"Germany": (2, 1, 0), "Japan": (2, 0, 1), "UK": (2, 0, 0), "Soviet Union": (2, 0, 0), "USA": (2, 0, 0)}
BOARDS = ("Germany", "UK", "Japan", "Soviet Union", "USA")
HOMES = {"GE": "axis", "JP": "axis", "UK": "allied", "SU": "allied", "US": "allied"}


@pytest.fixture(scope="module")
def game():
    return realgames.load(NAME)[0].game


def units(game, setup):
    """Return what stands where: nation, kind and level."""
    out = Tally()
    for piece in game.setup[setup].pieces:
        c = game.counter[piece.counter]
        if c.role == "unit":
            out[piece.at, c.nation, c.kind, int(c.value("level"))] += 1
    return out


def wanted():
    out = Tally()
    for place, text in SET_UP.items():
        words = text.split()
        for nation, kind, last in zip(words[::3], words[1::3], words[2::3], strict=True):
            level, count = last.split(":")
            out[place, nation, kind, int(level)] += int(count)
    return out


def test_oh_u1_every_unit_of_five_nations_and_their_minor_nations_as_listed(game):
    assert units(game, "1940") == wanted()
    printed = Tally({(c.nation, c.kind, int(c.value("level"))): c.copies for c in game.counters if c.role == "unit"})
    placed = Tally()
    for (_, *what), n in wanted().items():
        placed[tuple(what)] += n
    assert printed == placed, "every piece is placed, and there are no others"


def test_oh_u1_markers_cubes_and_order(game):
    at = {}
    for piece in game.setup["1940"].pieces:
        at.setdefault(piece.counter, []).append(piece.at)
    assert at["turn"] == ["1940"] and at["will-axis"] == at["will-allied"] == ["Political Will 10"]
    order = [f"Turn Order {n}" for n in ("1st", "2nd", "3rd", "4th", "5th")]
    assert [at[f"order-{n}"] for n in ("ge", "uk", "jp", "su", "us")] == [[place] for place in order]
    for board, steps in CUBES.items():
        nation = game.map.by_key[f"{board} Reserve"].traits["owner"].lower()
        tracks = ("Build", "Air Force", "Naval Aviation")
        assert at[f"cube-{nation}"] == [f"{board} {t} Track {n}" for t, n in zip(tracks, steps, strict=True)]
    ready = {n: len(at[f"action-{n}"]) for n in ("ge", "uk", "jp", "su", "us")}
    assert ready == {"ge": 3, "uk": 2, "jp": 2, "su": 1, "us": 1}
    later = {k: v for k, v in at.items() if k.startswith("action-") and k.count("-") == 2}
    assert later == {
        "action-uk-1942": ["1942"],
        "action-su-1941": ["1941"],
        "action-su-1942": ["1942"],
        **{f"action-us-{y}": [str(y)] for y in range(1941, 1945)},
    }
    assert at["action-us-axis-attack"] == ["Axis Attack"]


def test_oh_u1_reserve_and_spent_are_spaces_off_the_graph(game):
    for place in SET_UP:
        if place.endswith(("Reserve", "Spent")):
            space = game.map.by_key[place]
            assert space.kind == "box" and space.enterable
            assert not [x for x in game.map.links if place in (x.a, x.b) and x.kind != "shift"]


def lead(verdict):
    """Count the victory spaces that each side controls and that are not its own home (4.2)."""
    out = {"axis": 0, "allied": 0}
    for space in verdict.game.map.spaces:
        side = controller(verdict, space.key) if "victory" in space.features else ""
        if side and HOMES.get(space.traits.get("home", "")) != side:
            out[side] += 1
    return out


def test_oh_u2_the_scoring_example_comes_out_of_control():
    at = {"ge-army-1": "France", "jp-fleet-1": "North Pacific", "jp-army-1": "India", "us-fleet-1": "East Pacific"}
    at |= {"ge-army-1#2": "Germany", "it-army-1": "Italy", "uk-army-1": "UK", "su-army-1": "Moscow"}
    score = lead(realgames.stand(NAME, at))
    assert score == {"axis": 3, "allied": 1}
    assert score["axis"] - score["allied"] == 2, "so much Political Will do the Allies lose"


def test_eighteen_special_markers_with_a_name_on_one_side_and_what_they_do_on_the_other(game):
    special = [c for c in game.counters if c.kind == "special"]
    assert Tally(c.nation for c in special) == {"GE": 5, "JP": 4, "UK": 3, "SU": 3, "US": 3}
    assert all(len(c.faces) == 2 and c.copies == 1 for c in special)
    forms = {c.name for c in special if c.value("form") == "Response"}
    assert forms == {"Manstein", "Kamikaze", "Patton", "War Bonds"}
    years = {c.name: str(c.value("year")) for c in special if c.value("year")}
    assert years == {"V2 Rockets": "1944+", "Jets": "1943+", "Kamikaze": "1944+", "Manhattan Project": "1945"}
    assert all(str(c.value("body")) for c in special)
    plan = tomllib.loads((realgames.ROOT / "modules" / NAME / "vassal.toml").read_text("utf-8"))
    drawn = {d["of"]["nation"]: game.map.by_key[d["at"]].traits for d in plan["deck"]}
    assert {n: t["board"] for n, t in drawn.items()} == dict(zip(("GE", "UK", "JP", "SU", "US"), BOARDS, strict=True))


# Free set-up (8.3) ---------------------------------------------------------------------------------------------------


def moved(game, *changes):
    """Judge the free set-up with the first piece of a counter at a place moved to another."""
    position = game.setup["free"]
    for counter, start, end in changes:
        hit = next(p for p in position.pieces if p.counter == counter and p.at == start)
        pieces = tuple(replace(p, at=end) if p is hit else p for p in position.pieces)
        position = replace(position, pieces=pieces)
    return list(check_setup(judge(game, realgames.load(NAME)[2], position)))


def test_the_free_set_up_that_we_give_keeps_every_limit(game):
    assert moved(game) == []
    assert {p for (p, *_), _ in units(game, "free").items() if "Track" in p} == set()
    same = Tally((c.nation, c.kind) for c in game.counters if c.role == "unit" for _ in range(c.copies))
    there = Tally(game.counter[p.counter].id for p in game.setup["free"].pieces)
    assert sum(same.values()) == 58 and all(there[c.id] == c.copies for c in game.counters if c.role == "unit")


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ([("ge-army-1", "Germany Reserve", "Italy")], "7 level"),
        ([("ge-army-2", "Poland", "Germany")], "5 level"),  # four points in a space
        ([("ge-army-1", "Germany Reserve", "Germany Spent")], "1 pieces"),
        ([("uk-army-1", "UK Spent", "UK Reserve")], "3 level"),
        ([("uk-fleet-2", "UK Reserve", "Indian Ocean")], "4 level"),
        ([("uk-fleet-1", "North Sea", "Baltic")], "1 pieces"),
        ([("jp-army-1", "Japan Reserve", "Japan")], "4 level"),
        ([("jp-fleet-1", "Japan Reserve", "South Pacific")], "4 level"),
        ([("su-army-1", "Soviet Union Spent", "Moscow")], "6 level"),
        ([("su-army-1", "Soviet Union Spent", "Soviet Union Reserve")], "1 pieces"),
        ([("su-army-1", "Leningrad", "Moscow"), ("su-army-1", "Ukraine", "Moscow")], "4 level"),
        ([("us-army-1", "USA Spent", "Philippines")], "4 level"),
        ([("us-fleet-1", "East Pacific", "North Pacific")], "1 pieces"),
        ([("us-fleet-2", "USA Spent", "Atlantic")], "5 level"),
        ([("uk-army-1", "India", "France")], "1 pieces"),  # not at home
        ([("cube-ge", "Germany Build Track 2", "Germany Build Track 3")], "6 GE step"),
        ([("cube-us", "USA Air Force Track 0", "USA Air Force Track 1")], "5 US step"),
    ],
)
def test_each_limit_of_the_free_set_up_is_checked(game, changes, says):
    found = moved(game, *changes)
    assert any(f.message.startswith(says) for f in found), [f.message for f in found]
    assert all(f.rule.code == "P107" and f.facts["cite"] == "8.3" for f in found)


@pytest.mark.parametrize(
    ("piece", "start", "end"),
    [
        ("it-army-1", "Italy", "Germany"),
        ("it-fleet-1", "Mediterranean", "Baltic"),
        ("fr-army-1", "France", "UK"),
        ("cn-army-1", "China", "USA Reserve"),
        ("cn-army-1", "USA Reserve", "China"),
    ],
)
def test_minor_nations_begin_a_free_set_up_where_they_always_do(game, piece, start, end):
    found = moved(game, (piece, start, end))
    assert {f.facts["cite"] for f in found} == {"8.3; 3.4"} and {f.rule.code for f in found} == {"P107"}


def test_the_historical_set_up_is_not_held_to_the_limits_of_the_free_one(game):
    assert list(check_setup(realgames.of_setup(NAME, "1940"))) == []
