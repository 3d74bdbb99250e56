"""What events, turns and missions of festung-europa change in where pieces may be, and how retreats and advances go."""

from __future__ import annotations

import pytest
import realgames

from toolchain.checks.movement import find_reachable
from toolchain.checks.moves import check_moves
from toolchain.checks.places import check_places
from toolchain.checks.stacking import check_stacking
from toolchain.model.position import Move

NAME = "festung-europa"
UK = "United Kingdom Reserve"
SAC, TAC = ("sac-uk-bc", "sac-us-8", "sac-us-15"), ("tac-us-a", "tac-us-b", "tac-uk-a", "tac-uk-b")


def stand(at, *, allied=(), **more):
    return realgames.stand(NAME, at, control=dict.fromkeys(allied, "allied"), controller="axis", **more)


def misplaced(verdict):
    return {i: f.facts["cite"] for f in check_places(verdict) for i in f.facts["pieces"]}


def test_hitler_stays_in_german_sources_of_supply():
    for at in ("Berlin", "Breslau", "Munich", "The Ruhr"):
        assert misplaced(stand({"hitler": at})) == {}
    assert misplaced(stand({"hitler": "Paris"})) == {"hitler": "16.41; 11.31"}
    assert misplaced(stand({"hitler": "Salzburg"})) == {"hitler": "16.41; 11.32"}
    assert misplaced(stand({"hitler": "Salzburg"}, events=frozenset({"alpenfestung"}))) == {}


def test_airfields_lie_in_allied_hexes_and_interdiction_on_airfields_or_airbases():
    at = {"airfield": "Foggia", "airfield#2": "Rome", "airbase": UK}
    at |= {"tac-us-a/1": "Foggia", "tac-us-b/1": UK, "tac-uk-a/1": "Bari", "tac-uk-b": "Bari"}
    assert misplaced(stand(at, allied=["Foggia", "Bari"])) == {"airfield#2": "14.4", "tac-uk-a": "14.32"}


def test_each_marker_flies_the_missions_of_its_kind():
    assert misplaced(stand(dict.fromkeys(SAC, "TAC Ground Support"))).keys() == set(SAC)
    assert misplaced(stand(dict.fromkeys(TAC, "SAC Attack Industry"))).keys() == set(TAC)
    right = dict.fromkeys(SAC, "SAC Carpet Bombing") | dict.fromkeys(TAC, "TAC Ground Support")
    assert misplaced(stand(right)) == {}


@pytest.mark.parametrize(("turn", "at_most"), [(1, 1), (2, 1), (3, 2), (6, 2), (7, 3), (10, 3)])
def test_how_many_bombers_fly_one_mission_depends_on_the_year(turn, at_most):
    for count in (1, 2, 3):
        found = list(check_stacking(stand(dict.fromkeys(SAC[:count], "SAC Attack Industry"), turn=turn)))
        assert [f.facts["cite"] for f in found] == ["14.21"] * (count > at_most), (turn, count)
    split = dict(zip(SAC, ("SAC Attack Industry", "SAC Attack Infrastructure", "SAC Carpet Bombing"), strict=True))
    assert list(check_stacking(stand(split, turn=turn))) == []


def test_after_roundup_units_leave_the_united_kingdom_by_redeployment_alone_until_the_third_turn():
    def lands(turn, *events):
        verdict = stand({"us-corps-1": UK}, allied=["Roundup Bergen"], turn=turn, events=frozenset(events))
        assert verdict.supply == {"us-corps-1": "full"}
        return "Roundup Bergen" in find_reachable(verdict, "us-corps-1").spaces

    assert not lands(1, "roundup") and not lands(2, "roundup")
    assert lands(3, "roundup") and lands(1, "husky")
    landed = stand({"us-corps-1": "Bergen"}, allied=["Roundup Bergen", "Bergen"], turn=1, events=frozenset({"roundup"}))
    assert landed.supply == {"us-corps-1": "full"}, "the beach head is a port (11.44)"


def test_a_retreat_may_end_in_a_zone_and_not_pass_it():
    # The panzer corps in Melun puts Paris, Versailles and Sens in its zone.
    at = {"us-corps-1": "Chartres", "ge-pz-corps-1": "Melun"}
    mine = ["Chartres", "Versailles", "Paris", "Beauvais"]
    way = [Move("us-corps-1", a, b, "retreat") for a, b in (("Chartres", "Versailles"), ("Versailles", "Beauvais"))]
    assert list(check_moves(stand(at, allied=mine), way[:1])) == []
    (finding,) = check_moves(stand(at, allied=mine), way)
    assert finding.rule.code == "P404" and "8.43; 9.46" in finding.message
    assert list(check_moves(stand({**at, "br-corps-1": "Versailles"}, allied=mine), way)) == []


def test_an_advance_goes_by_the_zones_as_a_move_does():
    at = {"us-corps-1": "Paris", "ge-pz-corps-1": "Melun"}
    step = Move("us-corps-1", "Paris", "Versailles", "advance")
    (finding,) = check_moves(stand(at, allied=["Paris", "Versailles"]), [step])
    assert finding.rule.code == "P404" and "9.52" in finding.message


SEA, BOX = "redeployment by sea", "redeployment to or from a box"
REDEPLOYED = {
    "us-corps-1": "Naples", "us-corps-2": "Cagliari", "us-corps-3": UK, "ab-corps-1": UK, "ge-corps-1": "OKW Reserve",
    "ge-corps-2": "Oslo", "ge-corps-3": "Brest", "ge-army-7": "Paris", "it-corps-1": "Balkans Front",
    "fortress-brest": "Brest", "ge-army-14": "Verona",
}  # fmt: skip
FRIENDLY = ["Naples", "Cagliari", "Avalanche", "Orleans", "Bordeaux"]


@pytest.mark.parametrize(
    ("piece", "end", "kind", "wrong"),
    [
        ("us-corps-2", "Naples", SEA, ""),
        ("us-corps-2", "Bordeaux", SEA, ""),  # 10.52 binds the Axis alone
        ("us-corps-2", "Avalanche", SEA, ""),  # 11.44
        ("us-corps-2", "Orleans", SEA, "P402"),
        ("us-corps-3", "North Africa Reserve", BOX, ""),  # 10.7
        ("us-corps-3", "Orleans", BOX, "P402"),
        ("ab-corps-1", "Orleans", BOX, ""),  # 10.9
        ("ab-corps-1", "Chartres", BOX, "P402"),
        ("ge-corps-2", "Kiel", SEA, ""),  # 10.51
        ("ge-corps-2", "Bergen", SEA, "P402"),
        ("ge-corps-3", "Bremen", SEA, ""),
        ("ge-corps-3", "Oslo", SEA, "P402"),
        ("ge-corps-3", "Toulon", SEA, "P402"),  # 10.52
        ("ge-corps-1", "Eastern Front", BOX, ""),  # 10.8
        ("ge-corps-1", "Brussels", BOX, ""),
        ("ge-corps-1", "Orleans", BOX, "P402"),
        ("it-corps-1", "Milan", BOX, ""),
        ("it-corps-1", "Brussels", BOX, "P601"),  # 13.1
        ("ge-army-7", "Versailles", "redeployment", ""),
        ("ge-army-7", "Versailles", SEA, "P402"),
        ("ge-army-14", "Rovereto", "redeployment", ""),
        ("fortress-brest", "Carhaix", "redeployment", "P603"),
    ],
)
def test_redeployment_by_land_by_sea_and_to_the_boxes(piece, end, kind, wrong):
    verdict = stand(REDEPLOYED, allied=FRIENDLY, turn=4)
    codes = {f.rule.code for f in check_moves(verdict, [Move(piece, REDEPLOYED[piece], end, kind)])}
    assert codes == ({wrong} if wrong else set())


def test_redeployment_runs_over_friendly_hexes_and_ends_in_an_enemy_zone():
    verdict = stand(REDEPLOYED, allied=FRIENDLY, turn=4)
    way = [Move("ge-army-7", a, b, "redeployment") for a, b in (("Paris", "Versailles"), ("Versailles", "Orleans"))]
    assert [(f.rule.code, f.where.space) for f in check_moves(verdict, way)] == [("P402", "Orleans")]
    reach = find_reachable(verdict, "ge-army-7", kind="redeployment")
    assert len(reach.spaces) > 300 and not {"Orleans", "Oslo", "Rome"} & set(reach.spaces)  # 13.1 keeps it from Rome
    # A supplied American corps in Orleans has a zone in Versailles.
    supplied = ["Blois", "Tours", "Poitiers", "Civray", "St. Junien", "Angouleme", "Thiviers", "Perigueux"]
    held = stand({**REDEPLOYED, "us-corps-4": "Orleans"}, allied=[*FRIENDLY, *supplied], turn=4)
    assert "Versailles" in held.zone("allied")
    on = Move("ge-army-7", "Versailles", "Beauvais", "redeployment")
    assert list(check_moves(held, way[:1])) == []
    (finding,) = check_moves(held, [way[0], on])
    assert finding.rule.code == "P404" and "10.4" in finding.message


def test_no_unit_moves_onto_an_enemy_nor_german_armies_south_of_the_arno():
    verdict = stand({"us-corps-1": "Naples", "ge-corps-1": "Cassino", "ge-army-14": "Florence"}, allied=["Naples"])
    wrong = [("us-corps-1", "Naples", "Cassino", "8.31"), ("ge-army-14", "Florence", "Siena", "13.1")]
    for piece, start, end, cite in wrong:
        (finding,) = check_moves(verdict, [Move(piece, start, end, "move")])
        assert finding.rule.code == "P601" and f"(rule {cite})" in finding.message
    retreat = Move("ge-corps-1", "Cassino", "Pescara", "retreat")
    advance = Move("us-corps-1", "Naples", "Cassino", "advance")
    assert list(check_moves(verdict, [retreat, advance])) == []


def test_army_districts_are_printed_on_the_hexes():
    places = realgames.load(NAME)[0].game.map.spaces
    marked = {s.key: sorted(f for f in s.features if f.startswith("district")) for s in places}
    assert all(len(m) <= 1 for m in marked.values())
    count = {n: sum(m == [f"district-{n}"] for m in marked.values()) for n in (1, 7, 15, 19)}
    assert min(count.values()) >= 10
    assert {s.traits["country"] for s in places if marked[s.key]} == {"France", "Belgium", "Netherlands"}  # 20
