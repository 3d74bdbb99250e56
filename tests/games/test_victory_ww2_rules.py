"""The rulings of victory-ww2 on stacking, hexside limits, control and supply, on its real maps, blocks and rules.

Positions are made by hand on the arrangement of two maps: A is Blue's and B is Red's.
"""

from __future__ import annotations

from collections import Counter as Tally
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from toolchain.checks.attrition import losses
from toolchain.checks.carrying import check_carrying
from toolchain.checks.judge import judge
from toolchain.checks.movement import find_reachable
from toolchain.checks.moves import check_moves
from toolchain.checks.places import check_places
from toolchain.checks.positions import check_position
from toolchain.checks.reasons import why
from toolchain.checks.setup import check_setup
from toolchain.checks.stacking import check_stacking
from toolchain.checks.supply import check_supply
from toolchain.graph.board import Board
from toolchain.model.position import Move, Piece, Position
from toolchain.report import Report
from toolchain.sources.project import read_project
from toolchain.survey.game import survey_project

ROOT = Path(__file__).parents[2]
NAME = "victory-ww2"
OWNERS = {"map-A": "blue", "map-B": "red"}
WET = {"sea", "shoal"}
# On the south coast of map B, off the roads: a beach, and inland of it.
BEACH, BEHIND, FARTHER = "B-0708", "B-0707", "B-0606"


@pytest.fixture(scope="module")
def loaded():
    report = Report()
    got = survey_project(read_project(ROOT, NAME, report), report)
    assert [str(f) for f in report if f.rule.code[0] in "RP"] == [], "the rules know every word of the map"
    return got


@pytest.fixture(scope="module")
def game(loaded):
    return loaded.on("Two maps").game


@pytest.fixture(scope="module")
def board(game):
    return Board.from_map(game.map)


def neighbours(warmap):
    """Return the neighbours of every space over hexsides, with the kinds of the hexside."""
    out = {s.key: {} for s in warmap.spaces}
    for h in warmap.hexsides:
        out[h.a][h.b] = out[h.b][h.a] = h.kinds
    return out


@pytest.fixture(scope="module")
def near(game):
    return neighbours(game.map)


@pytest.fixture(scope="module")
def roads(game):
    return {frozenset((k.a, k.b)) for k in game.map.links if k.kind == "road"}


def placed(at):
    """Make pieces of pairs of a unit and its space.

    A unit is its counter, then /step and a state behind a colon; "+" in front puts it on the last carrier.
    """
    pieces, used, ship = [], Tally(), ""
    for unit, space in at:
        word, _, state = unit.lstrip("+").partition(":")
        counter, _, step = word.partition("/")
        used[counter] += 1
        name = counter if used[counter] == 1 else f"{counter}#{used[counter]}"
        on = ship if unit.startswith("+") else ""
        pieces.append(Piece(name, counter, space, int(step or 0), on=on, states=tuple(state.split())))
        ship = name if counter.endswith("carrier") else ship
    return tuple(pieces)


@pytest.fixture
def stand(game, board):
    """Judge a position on two maps."""

    def call(*at, facts=OWNERS, moment=""):
        assert all(space in board.index for _, space in at), at
        return judge(game, board, Position("x", placed(at), facts=dict(facts)), moment)

    return call


@pytest.fixture(scope="module")
def four(loaded):
    """Judge a position on four maps, of which A and D are Blue's."""
    game = loaded.on("Four maps").game
    board = Board.from_map(game.map)

    def call(*at, owners="ABCD", blue="AD"):
        facts = {f"map-{m}": "blue" if m in blue else "red" for m in owners}
        return judge(game, board, Position("x", placed(at), facts=facts))

    return call


def terrain_hex(game, terrain, inland=True, near=None):
    """Return a hex of a terrain without a name that borders on no water, or on the sea."""
    for s in game.map.spaces:
        wet = any(game.map.by_key[n].terrain in WET for n in near[s.key])
        if s.terrain == terrain and not s.name and len(s.parts) == 1 and wet != inland and len(near[s.key]) == 6:
            return s.key
    raise AssertionError(terrain)


def units(side, arm, count, space):
    return [(f"{side}-{arm}", space)] * count


def stacked(verdict):
    return [(f.where.space, f.facts["at_most"], f.facts["total"]) for f in check_stacking(verdict)]


# Stacking -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("terrain", "most"), [("clear", 4), ("desert", 3), ("forest", 3), ("marsh", 2), ("mountain", 2)]
)
def test_vw_st1_armies_by_the_land_terrain_of_the_hex(stand, game, near, terrain, most):
    inland = terrain != "marsh"
    space = terrain_hex(game, terrain, inland, near) if terrain != "marsh" else "B-0409"
    assert game.map.by_key[space].terrain == terrain
    assert stacked(stand(*units("blue", "infantry", most, space))) == []
    assert stacked(stand(*units("blue", "infantry", most + 1, space))) == [(space, most, most + 1)]


def test_vw_st2_naval_units_four_at_sea_and_two_on_a_coast_in_addition_to_armies(stand, game, near):
    sea = terrain_hex(game, "sea", inland=False, near=near)
    ships = [*units("blue", "battleship", 3, sea), ("blue-submarine", sea)]
    assert stacked(stand(*ships)) == []
    assert stacked(stand(*ships, ("blue-carrier", sea))) == [(sea, 4, 5)]
    port = [*units("blue", "infantry", 4, "Aldermouth"), *units("blue", "battleship", 2, "Aldermouth")]
    assert stacked(stand(*port)) == []
    assert stacked(stand(*port, ("blue-submarine", "Aldermouth"))) == [("Aldermouth", 2, 3)]


def test_vw_st3_air_units_two_more_and_airborne_by_where_they_are(stand):
    full = [*units("blue", "infantry", 4, "Corrin"), *units("blue", "fighter", 2, "Corrin")]
    assert stacked(stand(*full)) == []
    assert stacked(stand(*full, ("blue-bomber", "Corrin"))) == [("Corrin", 2, 3)]
    assert stacked(stand(*full, ("blue-airborne:flying", "Corrin"))) == [("Corrin", 2, 3)]
    assert stacked(stand(*full, ("blue-airborne", "Corrin"))) == [("Corrin", 4, 5)]
    ships = [*units("blue", "battleship", 1, "Aldermouth"), ("blue-carrier", "Aldermouth")]
    aboard = [("+blue-fighter/2", "Aldermouth"), ("+blue-dive-bomber/2", "Aldermouth")]
    assert stacked(stand(*ships, *aboard, *units("blue", "fighter", 2, "Aldermouth"))) == []


def test_vw_st4_armies_at_sea_are_naval_and_marines_both_until_they_land(stand, game, near):
    sea = terrain_hex(game, "sea", inland=False, near=near)
    convoy = [*units("blue", "infantry", 3, sea), ("blue-battleship", sea)]
    assert stacked(stand(*convoy)) == []
    assert stacked(stand(*convoy, ("blue-marine", sea))) == [(sea, 4, 5)]
    coast = "Qasr Amun"
    fleet = units("blue", "battleship", 1, coast)
    assert stacked(stand(*fleet, ("blue-marine:landing", coast))) == []
    both = [*fleet, ("blue-marine:landing", coast), ("blue-marine:landing", coast)]
    assert stacked(stand(*both)) == [(coast, 2, 3)]
    ashore = [*units("blue", "infantry", 4, coast), ("blue-marine:landing", coast)]
    assert stacked(stand(*ashore)) == [(coast, 4, 5)], "it counts as an army too"
    assert stacked(stand(*fleet, *units("blue", "battleship", 1, coast), ("blue-marine", coast))) == [], "landed"


def test_vw_st5_in_a_battle_hex_the_limits_hold_for_each_player(stand):
    every = [
        (f"{side}-{arm}", "Aldermouth")
        for side in ("blue", "red")
        for arm, n in (("infantry", 4), ("fighter", 2), ("battleship", 2))
        for _ in range(n)
    ]
    assert stacked(stand(*every)) == []
    assert stacked(stand(*every, ("red-armor", "Aldermouth"))) == [("Aldermouth", 4, 5)]


def test_vw_st6_a_clear_coastal_city_holds_eight(stand, game):
    assert game.map.by_key["Aldermouth"].terrain == "clear"
    eight = [(f"blue-{a}", "Aldermouth") for a in ("infantry",) * 4 + ("fighter",) * 2 + ("submarine",) * 2]
    assert stacked(stand(*eight)) == []
    for more in ("armor", "bomber", "battleship"):
        assert len(stacked(stand(*eight, (f"blue-{more}", "Aldermouth")))) == 1


def test_vw_st7_checked_when_all_movement_is_done(stand):
    crowd = units("blue", "infantry", 6, "Corrin")
    assert stacked(stand(*crowd, moment="movement")) == []
    assert stacked(stand(*crowd, moment="end of movement")) == [("Corrin", 4, 6)]


def test_vw_st8_an_airbase_takes_two_and_a_carrier_two_no_stronger_than_itself(stand, game, near):
    assert stacked(stand(*units("blue", "fighter", 2, "Fenwick"), moment="end of turn")) == []
    assert stacked(stand(*units("blue", "fighter", 3, "Fenwick"), moment="end of turn")) == [("Fenwick", 2, 3)]
    open_ = terrain_hex(game, "clear", True, near)
    assert stacked(stand(("blue-fighter", open_), moment="end of turn")) == [(open_, 0, 1)]
    sea = terrain_hex(game, "sea", inland=False, near=near)

    def aboard(carrier, *planes):
        return [f.rule.code for f in check_carrying(stand((carrier, sea), *((f"+{p}", sea) for p in planes)))]

    assert aboard("blue-carrier", "blue-fighter/2", "blue-dive-bomber/2") == [], "two and two make four"
    assert aboard("blue-carrier/2", "blue-fighter/3", "blue-fighter/3") == [], "a carrier of two, two of one"
    assert aboard("blue-carrier", "blue-fighter/1", "blue-dive-bomber/2") != [], "five on a carrier of four"
    assert aboard("blue-carrier", "blue-fighter/3", "blue-fighter/3", "blue-fighter/3") != [], "three of them"
    assert aboard("blue-carrier", "blue-bomber/3") != [], "no bombers"


# Where units may be -------------------------------------------------------------------------------------------------


def test_vw_m5_shoals_are_closed_to_naval_units_and_land_to_ships(four):
    shoal = next(s.key for s in four().game.map.spaces if s.terrain == "shoal")

    def wrong(unit, space):
        return bool(list(check_places(four((unit, space)))))

    assert wrong("blue-battleship", shoal) and wrong("blue-infantry", shoal) and not wrong("blue-fighter", shoal)
    assert wrong("blue-submarine", "Corrin") and not wrong("blue-submarine", "Aldermouth")
    assert wrong("blue-marine", "Corrin") and not wrong("blue-marine", "Gullen")


def test_beachheads_and_landings_are_on_clear_or_desert_coasts_and_one_beachhead_to_a_hex(four):
    def wrong(*at):
        verdict = four(*at)
        return [f.rule.code for f in (*check_places(verdict), *check_stacking(verdict))]

    woods = next(
        s.key
        for s in four().game.map.spaces
        if s.terrain == "forest"
        and any(four().game.map.by_key[n].terrain == "sea" for n in neighbours(four().game.map)[s.key])
    )
    assert wrong(("blue-marine:beachhead", BEACH)) == [] == wrong(("blue-marine:landing", BEACH))
    assert wrong(("blue-marine", woods)) == [] and wrong(("blue-marine:beachhead", woods)) != []
    assert wrong(("blue-marine:landing", woods)) != []
    assert wrong(("blue-marine:beachhead", BEACH), ("blue-marine:beachhead", BEACH)) != []


def test_a_marine_face_down_on_a_coast_without_a_port_is_a_naval_unit(stand):
    ships = units("blue", "battleship", 2, BEACH)
    armies = units("blue", "infantry", 3, BEACH)
    assert stacked(stand(*armies, ("blue-marine", BEACH))) == []
    assert stacked(stand(*ships, ("blue-marine", BEACH))) == [(BEACH, 2, 3)]
    assert stacked(stand(*ships, ("blue-marine:beachhead", BEACH))) == []


def test_airborne_units_drop_on_clear_and_desert_hexes(stand, game, near):
    for terrain, found in (("clear", 0), ("desert", 0), ("forest", 1), ("mountain", 1)):
        at = terrain_hex(game, terrain, True, near)
        assert len(stacked(stand(("blue-airborne:flying", at), moment="end of movement"))) == found, terrain


# Movement -----------------------------------------------------------------------------------------------------------


def reach(verdict, unit, kind="move"):
    return find_reachable(verdict, unit, kind=kind)


def test_airborne_units_fly_four_hexes_and_walk_two(four):
    flown = reach(four(("blue-airborne:flying", "Corrin")), "blue-airborne")
    walked = reach(four(("blue-airborne", "Corrin")), "blue-airborne")
    assert max(flown.cost_of(k) for k in flown.spaces) == 4
    assert max(walked.cost_of(k) for k in walked.spaces) == 2
    strategic = reach(four(("blue-airborne:flying", "Corrin")), "blue-airborne", "strategic")
    assert max(strategic.cost_of(k) for k in strategic.spaces) == 6


def test_defenders_answer_by_air_over_two_hexes_whatever_they_are(four):
    for unit, range_ in (("blue-fighter", 3), ("blue-bomber", 6)):
        verdict = four((unit, "Corrin"))
        out = [reach(verdict, unit, kind) for kind in ("attack", "response")]
        assert [max(r.cost_of(k) for k in r.spaces) for r in out] == [range_, 2]


def test_armies_stop_in_canal_hexes_on_roads_too(four):
    # Port Safra and Suq Marr are the isthmus, with the canal through both.
    over = {"Sidi Amra", "B-1005", "B-1006"}
    assert not over & set(reach(four(("red-armor", "B-0805"), blue="A"), "red-armor").spaces)
    assert over & set(reach(four(("red-armor", "Port Safra"), blue="A"), "red-armor").spaces)
    by_road = reach(four(("red-armor", "B-0805"), blue="A"), "red-armor", "strategic").spaces
    assert "Port Safra" in by_road and "Suq Marr" not in by_road


def test_marines_keep_to_coasts(four, near):
    warmap = four().game.map
    for key in reach(four(("blue-marine", "Gullen")), "blue-marine").spaces:
        space = warmap.by_key[key]
        assert space.terrain == "sea" or any(warmap.by_key[n].terrain == "sea" for n in neighbours(warmap)[key]), key


def test_strategic_moves_by_road_do_not_enter_enemy_towns(four):
    verdict = four(("blue-armor", "Thorne"), blue="A")
    assert "Kasbin" not in reach(verdict, "blue-armor", "strategic").spaces
    assert "Kasbin" in reach(four(("blue-armor", "Thorne"), blue="AB"), "blue-armor", "strategic").spaces


def test_armies_do_not_sail_out_of_a_blockaded_port(four):
    def sails(*more):
        return len(reach(four(("blue-infantry", "Aldermouth"), *more), "blue-infantry", "sea movement").spaces)

    assert sails() > 3 and sails(("red-submarine", "Aldermouth")) <= 1


def retreat(verdict, unit, start, end, kind="retreat"):
    return [f.rule.code for f in check_moves(verdict, [Move(unit, start, end, kind)])]


def test_retreats_are_over_land_for_armies_to_no_battle_and_for_ships_to_no_enemy_hex(stand, game, near, way):
    a, b = way(ground=("clear", "clear"))
    assert retreat(stand(("blue-infantry", a), ("red-infantry", a)), "blue-infantry", a, b) == []
    assert retreat(stand(("blue-infantry", a), ("red-infantry", b)), "blue-infantry", a, b) != []
    sea = "A-0802"
    assert retreat(stand(("blue-battleship", sea)), "blue-battleship", sea, "Aldermouth") == []
    assert retreat(stand(("red-battleship", sea)), "red-battleship", sea, "Aldermouth") != [], "Blue's port"
    assert retreat(stand(("blue-infantry", "Aldermouth")), "blue-infantry", "Aldermouth", sea) != []
    landing = ("blue-marine:landing", "Qasr Amun")
    fleet = ("red-submarine", "Qasr Amun")
    out = next(k for k in near["Qasr Amun"] if game.map.by_key[k].terrain == "sea")
    ashore = next(k for k in near["Qasr Amun"] if game.map.by_key[k].terrain == "clear")
    assert retreat(stand(landing), "blue-marine", "Qasr Amun", out) == []
    assert retreat(stand(landing), "blue-marine", "Qasr Amun", ashore) != []
    assert retreat(stand(("red-marine", "Qasr Amun")), "red-marine", "Qasr Amun", out, "sea retreat") == []
    held = stand(("red-marine", "Qasr Amun"), ("blue-submarine", "Qasr Amun"))
    assert retreat(held, "red-marine", "Qasr Amun", out, "sea retreat") != [], "past enemy ships"
    assert retreat(stand(landing, fleet), "blue-marine", "Qasr Amun", out) == []


# Hexside limits -----------------------------------------------------------------------------------------------------


def attack(stand, arm, count, *ways):
    """Move so many units over each way into a battle; return codes and limits of what is wrong with the moves."""
    at = [(f"blue-{arm}", start) for start, _ in ways for _ in range(count)]
    verdict = stand(*at, ("red-infantry", ways[0][1]), moment="end of movement")
    mine = [p for p in verdict.position.pieces if p.counter == f"blue-{arm}"]
    moves = [Move(p.id, p.at, ways[0][1], "attack") for p in mine]
    return [(f.rule.code, f.facts.get("at_most")) for f in check_moves(verdict, moves)]


@pytest.fixture(scope="module")
def way(game, near, roads):
    """Find two land neighbours joined by a hexside of such kinds, on such ground, with or without a road."""

    def call(kinds=(), ground=("clear", "clear"), road=False):
        for a in near:
            for b, found in near[a].items():
                on = tuple(game.map.by_key[x].terrain for x in (a, b))
                here = found == frozenset(kinds) and (frozenset((a, b)) in roads) == road
                if here and (ground is None or on == ground):
                    return a, b
        raise AssertionError((kinds, ground, road))

    return call


OVER = "P401"  # more than may cross one hexside


@pytest.mark.parametrize(("terrain", "most"), [("clear", 2), ("desert", 2), ("forest", 1), ("mountain", 1)])
def test_vw_h1_by_the_terrain_of_the_hexside(stand, way, terrain, most):
    one = way(ground=(terrain, terrain))
    assert attack(stand, "infantry", most, one) == []
    assert (OVER, most) in attack(stand, "infantry", most + 1, one)


def test_vw_h1_marsh_river_and_bridge_one(stand, way, game, near):
    # The Alder has no bridge above the one at Aldermouth: its upper hexsides can be crossed.
    alder = {frozenset((h.a, h.b)) for h in game.map.hexsides if h.name == "Alder" and h.kinds == {"river"}}
    for one in (
        way(ground=("clear", "marsh")),
        tuple(sorted(alder, key=sorted)[0]),
        way({"river", "bridge"}, None, road=True),
    ):
        assert attack(stand, "infantry", 1, one) == []
        assert attack(stand, "infantry", 2, one) == [(OVER, 1)], one


def test_vw_m6_h1_a_road_hexside_is_clear_whatever_the_terrain_but_a_bridge_stays_one(stand, way):
    rough = way(ground=("forest", "clear"), road=True)
    assert attack(stand, "infantry", 2, rough) == []
    assert (OVER, 2) in attack(stand, "infantry", 3, rough)
    assert attack(stand, "infantry", 2, way({"river", "bridge"}, None, road=True)) == [(OVER, 1)]


def test_vw_h1_alpine_is_impassable_and_air_units_and_mere_moves_are_free(stand, way):
    alpine = way({"alpine"}, None)
    assert attack(stand, "infantry", 1, alpine) == [("P402", None)]
    assert attack(stand, "fighter", 2, alpine) == []
    one = way(ground=("forest", "forest"))
    verdict = stand(*units("blue", "infantry", 3, one[0]))
    moves = [Move(name, *one, "move") for name in ("blue-infantry", "blue-infantry#2", "blue-infantry#3")]
    assert list(check_moves(verdict, moves)) == [], "no battle"


def test_vw_m5_h1_a_river_below_its_bridge_is_closed(stand, game, near, way):
    # The Lorne Water is bridged by Lorne; below, only the bridge at Easthaven crosses it.
    lorne = [h for h in game.map.hexsides if h.name == "Lorne Water"]
    assert sum("bridge" in h.kinds for h in lorne) == 2
    closed = [attack(stand, "infantry", 1, (h.a, h.b)) for h in lorne if h.kinds == {"river"}]
    assert [("P402", None)] in closed and [] in closed


def test_vw_h1_two_ships_over_a_sea_hexside_and_one_over_a_coast(stand, way):
    sea = ("A-0803", "A-0802")
    assert attack(stand, "battleship", 2, sea) == []
    assert attack(stand, "battleship", 3, sea) == [(OVER, 2)]
    coast = ("A-0802", "Aldermouth")
    assert attack(stand, "battleship", 1, coast) == []
    assert attack(stand, "battleship", 2, coast) == [(OVER, 1)]


def test_vw_h1_the_same_limits_hold_for_retreats(stand, way):
    a, b = way(ground=("forest", "forest"))
    verdict = stand(*units("blue", "infantry", 2, a), ("red-infantry", a))
    moves = [Move(name, a, b, "retreat") for name in ("blue-infantry", "blue-infantry#2")]
    assert [(f.rule.code, f.facts.get("at_most")) for f in check_moves(verdict, moves)] == [(OVER, 1)]


def test_vw_h2_the_stacking_limit_binds_where_three_hexsides_would_let_six_in(stand, game, near):
    def plain(b):
        return [a for a, k in near[b].items() if not k and {game.map.by_key[x].terrain for x in (a, b)} == {"clear"}]

    target = next(b for b in near if len(plain(b)) >= 3)
    ways = [(a, target) for a in plain(target)[:3]]
    assert attack(stand, "infantry", 2, *ways) == [("P101", 4)], "over each hexside only two, but six in the hex"
    assert attack(stand, "infantry", 2, *ways[:2]) == []


# Control ------------------------------------------------------------------------------------------------------------


def owner(verdict, space):
    at = verdict.layout.control[verdict.board.index[space]]
    return verdict.layout.sides[at] if at >= 0 else ""


def test_vw_c1_occupied_hexes_belong_to_the_occupier_vacant_ones_to_nobody(stand):
    verdict = stand(("red-infantry", "A-0804"))
    assert owner(verdict, "A-0804") == "red" and owner(verdict, "A-0805") == ""


def test_vw_c1_cities_and_towns_of_the_own_maps_and_what_is_captured(stand):
    assert [owner(stand(), s) for s in ("Corrin", "Fenwick", "Tel Hadar", "Zafar")] == ["blue", "blue", "red", "red"]
    taken = stand(("red-infantry", "Corrin"))
    assert owner(taken, "Corrin") == "red"
    assert owner(stand(("red-infantry", "A-0806")), "Corrin") == "blue", "it reverts when it is left"
    swapped = stand(facts={"map-A": "red", "map-B": "blue"})
    assert owner(swapped, "Corrin") == "red" and owner(swapped, "Zafar") == "blue"


def test_vw_c1_in_the_order_army_air_naval(stand):
    assert owner(stand(("blue-submarine", "Qasr Amun")), "Qasr Amun") == "blue", "a vacant town falls to a ship"
    assert owner(stand(("blue-submarine", "Qasr Amun"), ("red-fighter", "Qasr Amun")), "Qasr Amun") == "red"
    both = stand(("blue-fighter", "Qasr Amun"), ("red-infantry", "Qasr Amun"), ("blue-submarine", "Qasr Amun"))
    assert owner(both, "Qasr Amun") == "red"


# Supply -------------------------------------------------------------------------------------------------------------


def grade(verdict, unit):
    return verdict.supply[unit]


def test_vw_s1_on_or_beside_a_road_that_leads_to_a_base(stand, near, roads, game):
    on_road = {k for pair in roads for k in pair}
    assert grade(stand(("blue-infantry", "Fenwick")), "blue-infantry") == "supplied"
    beside = next(
        k
        for k in near
        if k not in on_road
        and game.map.by_key[k].terrain == "clear"
        and any(n in on_road and not near[k][n] for n in near[k])
    )
    assert grade(stand(("blue-fighter", beside)), "blue-fighter") == "supplied"
    far = [
        s.key
        for s in game.map.spaces
        if s.terrain not in WET and s.key not in on_road and not set(near[s.key]) & on_road and "A" in s.traits["map"]
    ]
    assert far and all(grade(stand(("blue-infantry", s)), "blue-infantry") == "out" for s in far)


def test_vw_s1_a_line_is_traced_space_by_space_over_friendly_and_neutral_hexes(stand, roads):
    line = ["Fenwick", *(s.space for s in why(stand(("blue-infantry", "Fenwick")), "blue-infantry").steps)]
    assert line[-1] in ("Lorne", "Aldermouth", "Corrin", "Easthaven")
    assert all(frozenset(pair) in roads for pair in pairwise(line) if pair[0] != pair[1])
    # All roads of Sidi Amra lead to vacant towns and cities of Red.
    assert grade(stand(("blue-infantry", "Sidi Amra")), "blue-infantry") == "out"


def test_vw_s2_a_base_is_a_city_joined_to_another_and_a_captured_one_while_garrisoned(stand):
    captured = [("blue-infantry", "Tel Hadar"), ("blue-infantry", "Kasbin"), ("blue-armor", "Zafar")]
    verdict = stand(*captured)
    # Tel Hadar joins the road over Kasbin to map A and Thorne, Easthaven beyond it.
    assert grade(verdict, "blue-infantry") == "supplied"
    alone = stand(("blue-infantry", "El Dumeir"))
    assert grade(alone, "blue-infantry") == "out", "a city joined to no other is no base"
    pair = stand(("blue-infantry", "El Dumeir"), ("blue-infantry", "Bir Talah"), ("blue-armor", "Marsa Zerin"))
    assert {grade(pair, u) for u in ("blue-infantry", "blue-armor")} == {"supplied"}


def test_vw_s2_a_city_that_is_left_is_no_base(stand):
    held = [("blue-infantry", "El Dumeir"), ("blue-infantry", "Bir Talah"), ("blue-armor", "Marsa Zerin")]
    left = stand(*held[:2])
    assert grade(left, "blue-infantry") == grade(left, "blue-infantry#2") == "out"


def test_vw_s3_by_sea_between_friendly_ports_unless_one_is_blockaded(four):
    # Sidi Amra lies on the sea of the isles, which are Blue's. No road of it leads to a base, nor one of Bir Talah.
    assert grade(four(("blue-infantry", "Sidi Amra")), "blue-infantry") == "supplied"
    blockade = four(("blue-infantry", "Sidi Amra"), ("red-submarine", "Sidi Amra"))
    assert grade(blockade, "blue-infantry") == "out"
    assert grade(four(("blue-infantry", "Bir Talah")), "blue-infantry") == "out", "no port"
    # Road and sea in any mix: from the road inland of Sidi Amra, as long as the port is Blue's.
    mixed = four(("blue-infantry", "Sidi Amra"), ("blue-armor", "B-1006"))
    steps = [s.space for s in why(mixed, "blue-armor").steps]
    assert grade(mixed, "blue-armor") == "supplied" and "Sidi Amra" in steps
    assert any(four().game.map.by_key[s].terrain == "sea" for s in steps)
    assert grade(four(("blue-armor", "B-1006")), "blue-armor") == "out"


def test_vw_s3_ships_on_every_sea_hex_close_the_way_and_a_coast_is_no_port(four):
    warmap = four().game.map
    near = neighbours(warmap)
    ships = [("red-submarine", n) for n in near["Sidi Amra"] if warmap.by_key[n].terrain == "sea"]
    assert 1 <= len(ships) <= 4
    assert grade(four(("blue-infantry", "Sidi Amra"), *ships), "blue-infantry") == "out"
    assert grade(four(("blue-infantry", "Sidi Amra"), *ships[1:]), "blue-infantry") == "supplied"
    assert grade(four(("blue-infantry", BEACH)), "blue-infantry") == "out"


def test_vw_s4_a_beachhead_supplies_its_own_and_adjacent_hexes_and_joins_no_road(four):
    warmap = four().game.map
    near = neighbours(warmap)
    on_road = {x for k in warmap.links if k.kind == "road" for x in (k.a, k.b)}
    assert not {BEACH, BEHIND, FARTHER} & on_road
    assert BEHIND in near[BEACH] and FARTHER in near[BEHIND] and FARTHER not in near[BEACH]
    landed = [("blue-marine:beachhead", BEACH), ("blue-infantry", BEHIND), ("blue-armor", FARTHER)]
    assert four(*landed).supply == {"blue-marine": "supplied", "blue-infantry": "supplied", "blue-armor": "out"}
    without = [("blue-marine", BEACH), *landed[1:]]
    at_sea = {"blue-marine": "supplied", "blue-infantry": "out", "blue-armor": "out"}
    assert four(*without).supply == at_sea, "face down on a coast without a port it is at sea (5.7) and helps nobody"
    assert set(four(*landed, ("red-submarine", BEACH)).supply.values()) == {"out"}, "blockaded"


def test_vw_s5_naval_units_aircraft_on_carriers_and_armies_at_sea_need_none(stand, game, near):
    sea = terrain_hex(game, "sea", inland=False, near=near)
    verdict = stand(("blue-carrier", sea), ("+blue-fighter", sea), ("blue-infantry", sea), ("blue-submarine", sea))
    assert verdict.supply == {"blue-fighter": "supplied", "blue-infantry": "supplied"}
    assert grade(stand(("blue-marine:landing", "Qasr Amun")), "blue-marine") == "supplied"


def test_vw_s6_a_unit_that_is_itself_out_of_supply_cannot_cut_a_line(four):
    # Blue's infantry in the woods is beside one road hex, Harrow. Red stands there, supplied by sea from map C.
    near = neighbours(four().game.map)
    assert "Harrow" in near["A-0507"]
    cut = four(("blue-infantry", "A-0507"), ("red-infantry", "Harrow"), blue="A")
    assert cut.supply == {"blue-infantry": "out", "red-infantry": "supplied"}
    blockaded = four(("blue-infantry", "A-0507"), ("red-infantry", "Harrow"), ("blue-submarine", "Harrow"), blue="A")
    assert blockaded.supply == {"blue-infantry": "supplied", "red-infantry": "out"}
    # A naval unit needs no supply and cuts a coastal road, unless an army of the other side holds the hex (4.3).
    ship = four(("blue-infantry", "A-0507"), ("red-submarine", "Harrow"), blue="A")
    assert ship.supply == {"blue-infantry": "out"}
    held = four(("blue-infantry", "A-0507"), ("red-submarine", "Harrow"), ("blue-armor", "Harrow"), blue="A")
    assert set(held.supply.values()) == {"supplied"}


def test_vw_s6_two_that_would_cut_each_other_are_undecided(stand):
    """Each stands on the only road of the other: the rules have no answer, and the tool says who waits on whom."""
    found = list(check_supply(stand(("blue-infantry", "Kasbin"), ("red-infantry", "Thorne"))))
    assert sorted(f.message.partition(" is out")[0].rpartition(" of ")[2] for f in found) == [
        "blue-infantry",
        "red-infantry",
    ]
    assert {f.rule.code for f in found} == {"P302"} and all("waits on" in f.message for f in found)


def test_vw_s7_each_unsupplied_unit_loses_a_step_and_one_of_strength_1_dies(stand, board):
    verdict = stand(("blue-infantry/1", "El Dumeir"), ("blue-fighter/3", "El Dumeir"), ("blue-submarine", "Umm Sidr"))
    assert verdict.supply == {"blue-infantry": "out", "blue-fighter": "out"}
    lost = losses(verdict)
    assert lost.dies == ("blue-fighter",)
    assert lost.reduced == (("blue-infantry", 2),)
    assert {f.facts["space"] for f in check_supply(verdict)} == {"El Dumeir"}


def test_an_airborne_unit_that_drops_out_of_supply_is_lost_whole(stand):
    at = "El Dumeir"
    assert losses(stand(("blue-airborne:dropped", at))).dies == ("blue-airborne",)
    assert losses(stand(("blue-airborne", at))).reduced == (("blue-airborne", 1),)


# Blocks and set-ups -------------------------------------------------------------------------------------------------


def test_vw_u1_the_mix_of_the_unit_data_chart(game):
    chart = {
        "fighter": (8, "3+3", "2-0-1"),
        "dive-bomber": (4, "3+3", "1-2-2"),
        "bomber": (4, "6+6", "1-1-2"),
        "submarine": (4, "2", "0-2-0"),
        "battleship": (4, "3", "1-3-2"),
        "carrier": (4, "3", "1-1-0"),
        "armor": (4, "3", "1-0-2"),
        "airborne": (2, "2", "0-0-1"),
        "marine": (4, "2", "0-0-2"),
        "infantry": (12, "2", "1-0-2*"),
    }
    for side in ("blue", "red"):
        mine = {c.kind: c for c in game.counters if c.side == side}
        assert sum(c.copies for c in mine.values()) == 50
        for kind, (copies, move, powers) in chart.items():
            counter = mine[kind]
            assert (counter.copies, str(counter.value("move"))) == (copies, move)
            assert "-".join(str(counter.value(k)) for k in ("air", "naval", "ground")) == powers
            assert [counter.value("strength", step) for step in range(len(counter.faces))] == [4, 3, 2, 1]


def changed(loaded, name, change):
    """Judge a set-up after a change to its pieces."""
    setup = next(s for s in loaded.setups if s.name == name)
    game = loaded.on(setup.arrangement).game
    pieces = tuple(change(list(setup.pieces)))
    return judge(game, Board.from_map(game.map), replace(setup, pieces=pieces))


def moved_to(pieces, piece, space):
    return [replace(p, at=space) if p.id == piece else p for p in pieces]


@pytest.mark.parametrize("name", ["quick-start", "custom-forces", "sleeping-giant", "two-front-war", "four-maps"])
def test_vw_u2_every_set_up_keeps_all_rules(loaded, name):
    assert [str(f) for f in check_position(changed(loaded, name, lambda p: p))] == []


def test_vw_u2_quick_start_twenty_full_units_a_side_in_own_towns_two_in_each_city(loaded):
    def said(change):
        return [f.facts.get("cite") for f in check_setup(changed(loaded, "quick-start", change))]

    assert said(lambda p: p[1:]) != [], "nineteen"
    assert said(lambda p: [*p, Piece("blue-infantry#7", "blue-infantry", "Fenwick")]) == ["8.1"]
    assert said(lambda p: [replace(p[0], step=1), *p[1:]]) == ["8.1; 8.3; 8.4"], "not at full strength"
    assert "1.4; 8.0" in said(lambda p: moved_to(p, "blue-infantry", "A-0804")), "in the open"
    assert "8.0; 1.4" in said(lambda p: moved_to(p, "blue-airborne", "Zafar")), "in the other player's town"
    assert "1.4" in said(lambda p: moved_to(p, "blue-airborne", "Fenwick")), "one alone in Lorne"


def test_vw_u2_limits_of_set_ups_are_for_the_first_turn(loaded):
    setup = next(s for s in loaded.setups if s.name == "quick-start")
    game = loaded.on(setup.arrangement).game
    fewer = replace(setup, pieces=setup.pieces[3:])
    found = [list(check_setup(judge(game, Board.from_map(game.map), replace(fewer, turn=n)))) for n in (1, 2)]
    assert found[0] != [] and found[1] == []


@pytest.mark.parametrize(
    ("name", "blue", "red"),
    [("quick-start", 20, 20), ("sleeping-giant", 20, 12), ("two-front-war", 20, 20), ("four-maps", 40, 40)],
)
def test_vw_u2_forces_of_the_scenarios(loaded, name, blue, red):
    setup = next(s for s in loaded.setups if s.name == name)
    assert Tally(p.counter.split("-")[0] for p in setup.pieces) == {"blue": blue, "red": red}
    fewer = list(check_setup(changed(loaded, name, lambda p: p[:-1])))
    assert any(f.facts["at_least"] for f in fewer)


def test_vw_u2_custom_forces_are_worth_eighty_at_most(loaded):
    setup = next(s for s in loaded.setups if s.name == "custom-forces")
    for side in ("blue", "red"):
        worth = sum(4 - p.step for p in setup.pieces if p.counter.startswith(side))
        assert 70 <= worth <= 80
    more = [Piece(f"red-infantry#{n}", "red-infantry", "Suq Marr") for n in (10, 11)]
    found = [f.facts for f in check_setup(changed(loaded, "custom-forces", lambda p: [*p, *more]))]
    assert [f["at_most"] for f in found] == [80]


def test_vw_u2_players_may_build_their_forces_for_points(loaded):
    def found(name, change):
        setup = next(s for s in loaded.setups if s.name == name)
        game = loaded.on(setup.arrangement).game
        made = replace(setup, pieces=tuple(change(list(setup.pieces))), facts={**setup.facts, "forces": "custom"})
        return [f.facts.get("at_most") for f in check_setup(judge(game, Board.from_map(game.map), made))]

    def weaker(pieces):  # a cadre, and its points in another unit
        reds = [p for p in pieces if p.counter == "red-infantry"]
        used = {p.id for p in pieces}
        new = next(f"red-infantry#{n}" for n in range(2, 99) if f"red-infantry#{n}" not in used)
        return [replace(p, step=3) if p is reds[0] else p for p in pieces] + [replace(reds[0], id=new, step=1)]

    def stronger(pieces):
        return [*weaker(pieces), replace(weaker(pieces)[-1], id="red-infantry#99", step=0)]

    for name, most in (("sleeping-giant", 48), ("two-front-war", 40), ("four-maps", 160)):
        assert found(name, lambda p: p) == [] == found(name, weaker), name
        assert most in found(name, stronger), name
