"""SF-1 to SF-M6: the rulings of second-front on its real map, counters and rules.

The seed of the game is a summary without tables; figures that it lacks are `assumed` in the data, and these tests hold
the data to what the summary does say. Positions are made by hand: a few units, and control of the spaces that matter.
"""

from __future__ import annotations

import tomllib
from collections import Counter as Tally
from fractions import Fraction
from math import atan2
from pathlib import Path

import networkx as nx
import pytest

from toolchain.checks.capacities import capacities
from toolchain.checks.carrying import check_carrying
from toolchain.checks.judge import Verdict, judge
from toolchain.checks.movement import find_reachable
from toolchain.checks.moves import check_moves
from toolchain.checks.places import check_places
from toolchain.checks.positions import check_position
from toolchain.checks.proportions import shares_of_moves
from toolchain.checks.reasons import why
from toolchain.checks.stacking import check_stacking
from toolchain.graph.board import Board
from toolchain.model.position import Move, Piece, Position
from toolchain.model.terms import number_of
from toolchain.report import Report, Severity
from toolchain.sources.project import read_project
from toolchain.survey.game import survey_project

ROOT = Path(__file__).parents[2]
NAME = "second-front"
WEATHER = {f"weather-{zone}": "clear" for zone in "cdef"}
DIVISIONS = ["ge-inf-44", "ge-inf-65", "ge-inf-71", "ge-inf-76"]
SMALL = ["ge-mot-104", "ge-mot-115", "ge-mot-129", "ge-mot-382"]
CITIES = {"dot-city", "major-city"}
PORTS = {"minor-port", "standard-port", "major-port", "great-port"}
YARDS = CITIES | PORTS - {"minor-port"}


@pytest.fixture(scope="module")
def game():
    report = Report()
    project = read_project(ROOT, NAME, report)
    loaded = survey_project(project, report)
    assert [str(f) for f in report if f.rule.severity is Severity.ERROR] == []
    return loaded.game


@pytest.fixture(scope="module")
def board(game):
    return Board.from_map(game.map)


@pytest.fixture(scope="module")
def stand(game, board):
    """Judge a position: units by id and space ("id/1" is the cadre, "id@x" has the state x), and who controls what."""

    def call(at, allied=(), axis=(), controller="axis", moment="", facts=(), **more) -> Verdict:
        pieces = []
        for item, space in at.items():
            name, _, state = item.partition("@")
            name, _, step = name.partition("/")
            assert space in board.index, space
            pieces.append(
                Piece(name, name, space, int(step or 0), states=(state,) if state else (), on=more.get(name, ""))
            )
        control = dict.fromkeys(allied, "allied") | dict.fromkeys(axis, "axis")
        assert set(control) <= set(board.index), set(control) - set(board.index)
        position = Position("x", tuple(pieces), "", control, controller, facts=WEATHER | dict(facts))
        return judge(game, board, position, moment)

    return call


def together(ids, space):
    return dict.fromkeys(ids, space)


def stacked(verdict):
    return [(f.facts["at_most"], f.facts["excess"]) for f in check_stacking(verdict)]


def owner(verdict, space):
    number = int(verdict.layout.control[verdict.board.index[space]])
    return verdict.layout.sides[number] if number >= 0 else ""


def neighbours(game, key):
    """The hexes that share a side with one, in the order of the map."""
    return list(dict.fromkeys(h.b if h.a == key else h.a for h in game.map.hexsides if key in (h.a, h.b)))


def of(game, *countries):
    return [s.key for s in game.map.spaces if s.traits.get("country") in countries]


def errors(found):
    return [f for f in found if f.rule.severity is Severity.ERROR]


def attack(verdict, *rows):
    moves = [Move(piece, start, end, "attack") for piece, start, end in rows]
    return moves, list(check_moves(verdict, moves))


# Units ---------------------------------------------------------------------------------------------------------------


def test_sf_1_divisional_units_classes_and_regimental_equivalents(game):
    by_id = {c.id: c for c in game.counters}
    land = [c for c in game.counters if c.value("domain") == "land"]
    assert {number_of(c.value("re")) for c in land if c.kind == "division"} == {3.0}
    assert number_of(by_id["ge-hv-503"].value("re")) == 0.5, "fractions are kept"
    assert all((c.value("divisional") is True) == (c.kind == "division") for c in land)
    cadres = [c for c in land if len(c.faces) > 1]
    assert len(cadres) > 100 and all(c.value("divisional", 1) is False and c.value("re", 1) == 1 for c in cadres)
    classes = {(bool(c.value("cm")), bool(c.value("artillery"))) for c in land}
    assert classes >= {(False, False), (True, False), (False, True)}
    assert all(c.value("heavy") for c in land if c.value("support") == "yes"), "who has support has heavy equipment"
    head = by_id["us-hq-82"]
    assert (head.value("re"), head.value("attack"), head.value("aec")) == (1, 0, "neutral")
    assert (head.value("support", 1), head.value("attack", 1)) == ("one", 0), "its airborne side supports one unit"
    engineers = {c.value("engineer") for c in land if c.kind == "engineer"}
    assert engineers == {"construction", "combat", "assault", "railway", "port"}


@pytest.mark.parametrize(
    ("cargo", "finds"),
    [
        (["us-inf-1", "us-inf-3"], 0),  # two infantry divisions, 6 RE
        (["us-arm-1"], 0),  # one armoured division of 3 RE counts 6
        (["us-arm-1", "us-tk-70"], 1),  # and a tank battalion of half an RE counts one more
        (["us-inf-1", "us-arm-1"], 1),
    ],
)
def test_sf_1_combat_motorized_units_count_double_in_naval_transport(stand, cargo, finds):
    at = {"nt-1": "North Africa"} | together(cargo, "North Africa")
    verdict = stand(at, **dict.fromkeys(cargo, "nt-1"))
    assert len(list(check_carrying(verdict))) == finds


def test_sf_2_the_worked_proportion_three_of_nine(stand):
    units = {"ge-inf-44": "Roma", "ge-inf-65": "Roma", "ge-pz-26": "Latina", "ge-mot-104": "Latina"}
    verdict = stand(units | {"us-inf-1": "Anzio"}, allied=["Anzio"])
    moves, _ = attack(verdict, *((unit, at, "Anzio") for unit, at in units.items()))
    (share,) = shares_of_moves(verdict, moves)
    assert (share.having, share.of, share.neutral, share.fraction) == (3, 9, 1, Fraction(1, 3))


def test_sf_2_neutral_units_beyond_twice_the_able_ones_count_as_without(stand):
    units = dict.fromkeys(["ge-hv-503", *SMALL[:2]], "Roma")  # half an RE of heavy tanks, two RE of neutral infantry
    verdict = stand(units)
    moves, _ = attack(verdict, *((unit, at, "Civitavecchia") for unit, at in units.items()))
    (share,) = shares_of_moves(verdict, moves)
    assert (share.having, share.neutral, share.surplus, share.fraction) == (0.5, 1, 1, Fraction(1, 3))


# Stacking ------------------------------------------------------------------------------------------------------------


def test_sf_st1_a_limit_for_hexes_and_a_smaller_one_for_mountains(game, stand):
    assert game.map.by_key["Roma"].terrain == "clear" and game.map.by_key["Innsbruck"].terrain == "mountain"
    assert stacked(stand(together(DIVISIONS[:3] + SMALL[:3], "Roma"))) == []
    assert stacked(stand(together(DIVISIONS, "Roma"))) == [(3, 1)]
    assert stacked(stand(together(SMALL, "Roma"))) == [(3, 1)]
    assert stacked(stand(together(DIVISIONS[:2] + SMALL[:2], "Innsbruck"))) == []
    assert stacked(stand(together(DIVISIONS[:3], "Innsbruck"))) == [(2, 1)]
    cadres = [f"{d}/1" for d in DIVISIONS]
    assert stacked(stand(together(cadres, "Roma"))) == [(3, 1)], "cadres are non-divisional"
    assert stacked(stand(together(DIVISIONS[:3] + cadres[3:], "Roma"))) == []
    assert all(rule.assumed for rule in game.rulebook.stacking), "the figures are ours"


def test_sf_st2_not_in_the_initial_phase_but_at_the_end_of_movement(stand):
    crowd = together(DIVISIONS, "Roma")
    assert stacked(stand(crowd, moment="initial phase")) == []
    assert stacked(stand(crowd, moment="end of movement")) == [(3, 1)]


def test_sf_st3_the_limit_of_the_target_bounds_an_attack_from_each_hex(game, stand):
    target = "7071"
    assert game.map.by_key[target].terrain == "mountain" and game.map.by_key["Enna"].terrain == "rough"
    at = {"ge-inf-44": "Enna", "ge-inf-65": "Enna", "ge-inf-71": "Enna", "ge-inf-76": "7172", "ge-mtn-5": "7172"}
    assert {"Enna", "7172"} <= set(neighbours(game, target))
    verdict = stand(at, moment="initial phase")  # attackers stay where they are: no stack of theirs is judged
    _, fine = attack(verdict, *((u, s, target) for u, s in at.items() if u != "ge-inf-44"))
    assert errors(fine) == [], "two from each hex, four in all"
    _, found = attack(verdict, *((u, s, target) for u, s in at.items()))
    (finding,) = errors(found)
    assert "Enna" in str(finding) and finding.facts["at_most"] == 2


def test_sf_st4_an_optional_rule_allows_overstacks(game, board, stand):
    crowd = tuple(Piece(u, u, "Roma") for u in DIVISIONS)
    optional = Position("x", crowd, "", {}, "axis", frozenset({"overstacks"}), facts=WEATHER)
    assert stacked(judge(game, board, optional)) == []
    assert stacked(stand(together(DIVISIONS, "Roma"))) == [(3, 1)]


# Zones of control and ownership --------------------------------------------------------------------------------------


def test_sf_z1_divisional_units_exert_and_others_do_not(game, stand):
    assert set(stand({"ge-inf-44": "Roma"}).zone("axis")) == set(neighbours(game, "Roma"))
    for nobody in ("ge-mot-104", "ge-inf-44/1", "ge-art-557"):
        assert not stand({nobody: "Roma"}).zone("axis"), nobody
    assert not stand({"br-hq-1": "Roma"}, allied=["Roma"]).zone("allied"), "headquarters do not"


def test_sf_z1_never_into_terrain_that_is_prohibited_for_the_unit(game, stand):
    alpine = {h.b if h.a == "Innsbruck" else h.a for h in game.map.hexsides if "Innsbruck" in (h.a, h.b)}
    alpine = {k for k in alpine if game.map.by_key[k].terrain == "alpine"}
    assert alpine
    assert alpine <= set(stand({"ge-mtn-5": "Innsbruck"}).zone("axis"))
    assert not alpine & set(stand({"ge-pz-26": "Innsbruck"}).zone("axis"))


@pytest.mark.parametrize(("unit", "more"), [("us-inf-1", 1), ("us-arm-1", 2)])
def test_sf_z2_leaving_an_enemy_zone_costs_points(stand, unit, more):
    start, aim = "Foggia", "7255"
    free = find_reachable(stand({unit: start}), unit).cost_of(aim)
    held = stand({unit: start, "ge-inf-44": "Manfredonia"}, allied=[start])
    assert start in held.zone("axis") and aim not in held.zone("axis")
    assert find_reachable(held, unit).cost_of(aim) == free + more


@pytest.mark.parametrize(("unit", "losses"), [("ge-inf-65", 1), ("ge-pz-26", 0), ("it-arm-ariete", 1)])
def test_sf_z2_retreating_into_a_zone_costs_losses_but_not_german_combat_motorized_units(stand, unit, losses):
    verdict = stand({unit: "Roma", "us-inf-1": "6053"}, allied=["6053"])
    assert "6154" in verdict.zone("allied")
    found = [f for f in check_moves(verdict, [Move(unit, "Roma", "6154", "retreat")]) if f.rule.code == "P405"]
    assert [f"{losses} more lost" in f.message for f in found] == [True] * losses


def test_sf_c1_a_hex_belongs_to_who_holds_it_or_alone_has_a_zone_there_or_did_last(stand):
    assert owner(stand({"us-cav-2": "Foggia"}), "Foggia") == "allied", "who is there"
    verdict = stand({"us-inf-1": "Foggia"})
    assert verdict.zone("allied") and {owner(verdict, k) for k in verdict.zone("allied")} == {"allied"}
    both = stand({"us-inf-1": "Foggia", "ge-inf-44": "7254"})
    contested = set(both.zone("allied")) & set(both.zone("axis")) - {"Foggia", "7254"}
    assert contested and {owner(both, k) for k in contested} == {"axis"}, "contested: as it was"
    assert owner(stand({}, allied=["Foggia"]), "Foggia") == "allied", "vacant: who was there last"


# Movement -------------------------------------------------------------------------------------------------------------


def test_administrative_movement_is_half_the_cost_and_never_beside_the_enemy(game, stand):
    at = {"ge-inf-44": "Roma"}
    plain, behind = (find_reachable(stand(at), "ge-inf-44", kind=kind) for kind in ("move", "administrative"))
    target = next(k for k in plain.spaces if plain.cost_of(k) == 4)
    assert behind.cost_of(target) == 2
    beside = neighbours(game, target)[0]
    met = find_reachable(stand(at | {"us-cav-2": target}), "ge-inf-44", kind="administrative")
    assert not {target, beside} & set(met.spaces)


def test_strategic_rail_leads_two_hundred_hexes_over_ones_own_unbroken_railways(stand):
    def rail(at, kind, **control):
        unit = next(iter(at))
        return set(find_reachable(stand(at, **control), unit, kind=kind).spaces)

    far = rail({"ge-inf-44": "Roma"}, "strategic rail")
    assert "Hamburg" in far and "Palermo" not in far and "London" not in far
    assert "Hamburg" not in rail({"ge-inf-44": "Roma"}, "rail"), "ten hexes to a point of movement"
    assert "Firenze" in rail({"ge-inf-44": "Roma"}, "rail")
    lost = rail({"ge-inf-44": "Roma"}, "strategic rail", allied=["Napoli"])
    assert "Napoli" in far and "Napoli" not in lost
    broken = rail({"ge-inf-44": "Firenze", "rail-break": "Bologna"}, "strategic rail")
    assert "Roma" in broken and "Bologna" not in broken


def test_a_reaction_at_sea_has_fifteen_points(stand):
    verdict = stand({"br-tf-1": "North Africa"})
    own, answer = (find_reachable(verdict, "br-tf-1", kind=kind) for kind in ("move", "reaction"))
    assert max(own.cost_of(k) for k in own.spaces) == 30 and max(answer.cost_of(k) for k in answer.spaces) == 15


def test_special_pieces_carry_what_is_written_on_them(stand):
    def wrong(carrier, *cargo):
        at = {carrier: "England"} | together(cargo, "England")
        return bool(list(check_carrying(stand(at, **dict.fromkeys(cargo, carrier)))))

    assert not wrong("trucks-1", "us-inf-1") and wrong("trucks-1", "us-arm-1")
    assert not wrong("lvt-1", "us-rng-1", "us-rng-2") and wrong("lvt-1", "us-rng-1", "us-rng-2", "us-rng-3")
    assert wrong("lvt-1", "us-peng-1051") is False and wrong("lvt-1", "us-art-13"), "heavy equipment"


def test_land_units_at_sea_are_aboard_and_ships_keep_to_water_that_is_theirs(stand):
    def wrong(unit, space, **more):
        return [f.where.space for f in check_places(stand({unit: space} | dict.fromkeys(more.values(), space), **more))]

    sea = "1619"
    assert wrong("us-inf-1", sea) == [sea]
    aboard = stand({"nt-1": sea, "us-inf-1": sea}, **{"us-inf-1": "nt-1"})
    assert list(check_places(aboard)) == [] and aboard.supply["us-inf-1"] == "supplied"
    assert wrong("br-tf-1", sea) == wrong("br-tf-1", "Cherbourg") == wrong("br-tf-1", "Antwerp") == []
    assert wrong("br-tf-1", "Paris") == ["Paris"] and wrong("br-tf-1", "3506") == ["3506"], "the Wadden Sea"


def test_a_pocket_of_zones_is_out_of_supply_until_a_friend_holds_a_gap(game, stand):
    middle = game.map.by_key["Le Mans"].at
    ring = neighbours(game, "Le Mans")
    ring.sort(key=lambda k: atan2(game.map.by_key[k].at[1] - middle[1], game.map.by_key[k].at[0] - middle[0]))
    pocket = {"ge-inf-352": "Le Mans"} | dict(zip(["us-inf-1", "us-inf-9", "us-inf-29"], ring[::2], strict=True))
    shut = stand(pocket)
    assert shut.supply["ge-inf-352"] == "out" and shut.statuses["isolated"]["ge-inf-352"] is True
    opened = stand(pocket | {"ge-mot-104": ring[1]})
    assert opened.supply["ge-inf-352"] == "supplied" and opened.statuses["isolated"]["ge-inf-352"] is False


def test_land_that_coasts_share_can_be_crossed_and_straits_cannot(game, stand):
    def steps(start):
        return set(find_reachable(stand({"ge-inf-44": start}), "ge-inf-44", points=99).spaces)

    sicily = steps("Enna")
    assert {"Messina", "Catania", "Siracusa"} <= sicily and not {"Reggio di Calabria", "7668", "7670"} & sicily
    assert "5057" not in steps("Bonifacio") and "Sassari" not in steps("Bonifacio")
    road_or_rail = {frozenset((x.a, x.b)) for x in game.map.links if x.kind != "sea-lane"}
    shut = {frozenset((h.a, h.b)) for h in game.map.hexsides if "sea" in h.kinds}
    assert not road_or_rail & shut, "no road or railway runs over open water"


def test_combat_engineers_are_told_for_attacks_on_major_cities(stand):
    units = dict.fromkeys(["us-inf-1", "us-inf-3", "us-ceng-1111"], "Civitavecchia")
    verdict = stand(units | {"ge-mot-104": "Roma"}, allied=["Civitavecchia"])
    moves, _ = attack(verdict, *((unit, at, "Roma") for unit, at in units.items()))
    (share,) = (s for s in shares_of_moves(verdict, moves) if s.rule.name == "combat engineers")
    assert share.fraction == Fraction(1, 7)


# Supply --------------------------------------------------------------------------------------------------------------


def test_sf_s1_four_elements_in_order_and_the_last_two_mixed(game, stand):
    (line,) = {tuple(s.over for s in line.stages) for line in game.rulebook.supply[0].lines}
    assert line == (("overland",), ("road",), ("rail", "shipping", "narrows"))
    assert stand({"it-inf-livorno": "Caltanissetta"}).supply == {"it-inf-livorno": "supplied"}
    # From Sardinia: overland and by rail to a port, by sea, and on by rail to Germany.
    assert stand({"ge-pg-90": "Oristano"}).supply == {"ge-pg-90": "supplied"}


def test_sf_s1_the_length_of_the_overland_element_depends_on_the_weather(game, stand):
    networks = {k for x in game.map.links if x.kind != "sea-lane" for k in (x.a, x.b)}
    away = nx.multi_source_dijkstra_path_length(_overland(game), networks)
    north = sorted(k for k in of(game, "Germany") if game.map.by_key[k].traits["weather"] == "C" and k in away)
    far, nearer = (next(k for k in north if away[k] == steps) for steps in (7, 4))

    def supplied(space, weather):
        return stand({"ge-inf-44": space}, facts={"weather-c": weather}).supply["ge-inf-44"] == "supplied"

    assert supplied(far, "clear") and not supplied(far, "winter") and not supplied(far, "mud")
    assert supplied(nearer, "mud") and supplied(nearer, "snow")


def _overland(game):
    """The hexes of land, joined over sides that are not open water."""
    land = {s.key for s in game.map.spaces if s.kind == "hex" and s.terrain != "sea" and s.enterable}
    return nx.Graph((h.a, h.b) for h in game.map.hexsides if "sea" not in h.kinds and {h.a, h.b} <= land)


def test_sf_s2_a_line_passes_an_enemy_zone_only_where_a_friend_stands(game, stand):
    unit = "it-inf-mantova"
    line = [step.space for step in why(stand({unit: "Cosenza"}), unit).steps]
    assert line[-1] in ("Napoli", "Roma")
    corridor = {"controller": "allied", "axis": line}  # nothing else is theirs
    assert stand({unit: "Cosenza"}, **corridor).supply[unit] == "out", "a major city joined to no other"
    corridor["axis"] = line = _corridor(game, "Cosenza", "München")
    assert stand({unit: "Cosenza"}, **corridor).supply[unit] == "supplied"
    gap, beside = next(
        (k, n)
        for k in line[2:-2]
        for n in neighbours(game, k)
        if game.map.by_key[n].terrain not in ("sea", "alpine") and set(neighbours(game, n)) & set(line) == {k}
    )
    shut = stand({unit: "Cosenza", "us-inf-1": beside}, **corridor)
    assert shut.zone("allied") & set(line) == {gap} and shut.supply[unit] == "out"
    friend = stand({unit: "Cosenza", "us-inf-1": beside, "ge-mot-104": gap}, **corridor)
    assert friend.supply[unit] == "supplied"


def _corridor(game, start, end):
    rails = nx.Graph((x.a, x.b) for x in game.map.links if x.kind in ("high-rail", "low-rail"))
    return nx.shortest_path(rails, start, end)


def test_sf_s3_judged_in_the_initial_phase_and_kept_for_the_turn(game, board):
    assert {rule.judged_at for rule in game.rulebook.supply} == {("initial phase",)}
    pieces = (Piece("ge-inf-44", "ge-inf-44", "Roma"),)
    position = Position("x", pieces, "", {}, "axis", facts=WEATHER, supply={"ge-inf-44": "out"})
    assert judge(game, board, position, "initial phase").supply["ge-inf-44"] == "supplied"
    assert judge(game, board, position, "end of movement").supply["ge-inf-44"] == "out", "though a line is open now"


def test_sf_s4_sources_are_regular_or_limited_to_a_number_of_units(game, stand):
    corsica = [s.key for s in game.map.spaces if s.traits.get("country") == "France" and s.at[0] > 600]
    regular = stand({"us-inf-1": "Ajaccio", "us-inf-3": "Ajaccio", "us-inf-9": "Bastia"}, allied=corsica)
    assert set(regular.supply.values()) == {"supplied"}, "by sea from North Africa"
    inland = {"us-inf-1": "Siena", "us-inf-3": "Siena", "us-inf-9": "Siena"}
    assert set(stand(inland).supply.values()) == {"out"}
    served = stand(inland | {"supply-points": "Siena"})
    assert Tally(served.supply.values()) == {"supplied": 1, "out": 2}, "one marker keeps one unit"


def test_sf_s5_italian_units_may_use_two_major_cities_joined_by_rail_in_italy(game, stand):
    beyond = of(game, "Austria", "Slovenia", "France", "Germany", "Czechia", "Croatia")  # no way to Germany
    verdict = stand({"it-inf-mantova": "Cosenza", "ge-inf-44": "Foggia"}, allied=beyond)
    assert verdict.supply == {"it-inf-mantova": "supplied", "ge-inf-44": "out"}
    lost = stand({"it-inf-mantova": "Cosenza"}, allied=[*beyond, "Roma", "Milano", "Torino", "Genova"])
    assert lost.supply["it-inf-mantova"] == "out", "Napoli alone is no source"


def test_sf_s6_isolated_without_an_overland_line_to_a_regular_source(stand):
    sardinia = stand({"ge-pg-90": "Oristano"})
    assert sardinia.supply["ge-pg-90"] == "supplied" and sardinia.statuses["isolated"]["ge-pg-90"] is True
    italy = stand({"ge-pg-90": "Napoli"})
    assert italy.statuses["isolated"]["ge-pg-90"] is False
    # Ours: great and major ports that ships reach are regular sources of the Allies.
    ashore = stand({"us-inf-3": "Caserta"}, allied=["Napoli", "Caserta"])
    assert ashore.statuses["isolated"]["us-inf-3"] is False
    assert stand({"us-inf-3": "Foggia"}).statuses["isolated"]["us-inf-3"] is True


def test_sf_s7_a_landing_supplies_its_unit_in_the_next_turn(stand):
    assert stand({"us-inf-45": "Enna"}).supply["us-inf-45"] == "out"
    assert stand({"us-inf-45@landed": "Enna"}).supply["us-inf-45"] == "supplied"


# Map -----------------------------------------------------------------------------------------------------------------


def test_sf_m1_sixteen_miles_real_features_and_every_class(game):
    plan = tomllib.loads((ROOT / "maps" / NAME / "map.toml").read_text("utf-8"))
    assert plan["projection"]["scale"] * plan["grid"]["pitch"] / 1_000_000 == pytest.approx(16 * 1.609344)
    features = Tally(f for s in game.map.spaces for f in s.features)
    assert all(features[f] >= 5 for f in (*PORTS, *CITIES, "point-city"))
    kinds = Tally(link.kind for link in game.map.links)
    assert kinds["high-rail"] > 500 and kinds["low-rail"] > 300
    sides = Tally(k for h in game.map.hexsides for k in h.kinds)
    assert sides["river"] > 500 and sides["coast"] > 500
    assert {s.traits.get("weather") for s in game.map.spaces if s.kind == "hex"} == set("CDEF")
    restricted = {s.traits["waters"] for s in game.map.spaces if s.terrain == "sea" and "waters" in s.traits}
    assert {"Gironde", "Wadden Sea"} <= restricted
    paris, roma = game.map.by_key["Paris"].at, game.map.by_key["Roma"].at
    miles = ((paris[0] - roma[0]) ** 2 + (paris[1] - roma[1]) ** 2) ** 0.5  # a millimetre a mile
    assert miles == pytest.approx(687, rel=0.02), "687 miles from Paris to Rome"


def test_sf_m2_every_coastal_hex_that_is_not_mountain_has_a_beach(game):
    beside = {}
    for h in game.map.hexsides:
        beside.setdefault(h.a, set()).add(game.map.by_key[h.b].terrain)
        beside.setdefault(h.b, set()).add(game.map.by_key[h.a].terrain)
    coast = [s for s in game.map.spaces if s.kind == "hex" and s.terrain != "sea" and "sea" in beside.get(s.key, ())]
    assert len(coast) > 300
    for s in coast:
        assert ("beach" in s.features) == (s.terrain not in ("mountain", "alpine")), s.key
    assert not [s.key for s in game.map.spaces if "beach" in s.features and s not in coast]


def test_sf_m3_yards_are_cities_and_ports_and_a_network_counts_those_held(game, stand):
    rails = nx.Graph((x.a, x.b) for x in game.map.links if x.kind in ("high-rail", "low-rail"))
    sicily = nx.node_connected_component(rails, "Palermo")
    yards = {k for k in sicily if game.map.by_key[k].features & YARDS}
    assert {"Palermo", "Messina", "Catania"} <= yards and "Milazzo" not in yards, "a minor port is none"
    taken = ["Catania", "Siracusa"]
    held = {h.side: set(h.spaces) for h in capacities(stand({}, allied=taken)) if set(h.spaces) <= sicily}
    assert held == {"allied": set(taken) & yards, "axis": yards - set(taken)}


def test_sf_m4_a_strait_is_passed_only_when_both_sides_are_friendly(stand):
    north, south = "7468", "7571"
    both = ["Messina", "Reggio di Calabria"]
    through = find_reachable(stand({"br-tf-1": north}, allied=both), "br-tf-1").cost_of(south)
    around = find_reachable(stand({"br-tf-1": north}, allied=both[:1]), "br-tf-1").cost_of(south)
    assert through <= 7 < 20 < around, "the other way leads around Sicily"


def test_sf_m4_the_open_sea_costs_one_a_coast_two_and_restricted_waters_are_closed(game, stand):
    reach = find_reachable(stand({"br-tf-1": "North Africa"}), "br-tf-1", points=60)
    cost = {key: reach.cost_of(key) for key in reach.spaces}
    sea = {s.key for s in game.map.spaces if s.terrain == "sea"}
    assert cost["6176"] == 1
    before = [cost[k] for k in neighbours(game, "Gela") if k in sea]
    assert cost["Gela"] == min(before) + 2
    assert cost["6176"] + 1 in {cost[k] for k in neighbours(game, "6176") if k in sea and k in cost}
    assert not [k for k in cost if k in sea and "waters" in game.map.by_key[k].traits]


def test_sf_m5_for_ships_hexes_are_adjacent_where_a_sea_route_joins_them(game, stand):
    near = set(find_reachable(stand({"it-tf-1": "Livorno"}), "it-tf-1", points=2).spaces)
    sides = {h.b if h.a == "Livorno" else h.a: h.kinds for h in game.map.hexsides if "Livorno" in (h.a, h.b)}
    coasts = {k for k in sides if game.map.by_key[k].terrain != "sea"}
    assert near & sides.keys() - coasts, "the open sea is next to it"
    assert near & coasts == {k for k in coasts if "sea" in sides[k]}, "from coast to coast only over water"


def test_sf_m6_the_map_has_thousands_of_hexes(game):
    hexes = [s for s in game.map.spaces if s.kind == "hex"]
    assert len(hexes) > 6000 and sum(s.enterable for s in hexes) > 5000


# Set-ups -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1])
def test_setups_are_clean(game, board, number):
    setup = game.setups[number]
    found = list(check_position(judge(game, board, setup)))
    assert [str(f) for f in found if f.rule.severity is not Severity.NOTE] == []
    assert len(setup.pieces) > 200
