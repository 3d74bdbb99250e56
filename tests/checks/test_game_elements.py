"""Divisions, regimental equivalents, lines of four elements and what hangs on them, on a tiny game of files."""

from __future__ import annotations

from fractions import Fraction

from rulings import controller, judged, load

from toolchain.checks.movement import find_reachable
from toolchain.checks.moves import check_moves
from toolchain.checks.positions import check_position
from toolchain.checks.proportions import shares_of_moves
from toolchain.checks.reasons import why
from toolchain.model.position import Move


def supply(setup, moment="", **changes):
    return judged("elements", setup, moment, **changes).supply


def found(setup, only, moment="", **changes):
    return list(check_position(judged("elements", setup, moment, **changes), only))


def test_the_files_are_without_fault():
    loaded, report, _ = load("elements")
    assert list(report) == [] and len(loaded.game.setups) >= 10


def test_sf_s1_overland_then_road_then_rail_and_naval_by_turns():
    verdict = judged("elements", "line")
    steps = why(verdict, "ge-infantry").steps
    assert [s.space for s in steps] == ["Taranto", "Bari", "Salerno", "Naples", "Gaeta", "Capua", "Lyons"]
    assert [len(s.over) for s in steps] == [1, 1, 1, 1, 2, 2, 2]
    island = [s.space for s in why(verdict, "ge-infantry#3").steps]
    assert island == ["Palermo", "Naples", "Gaeta", "Capua", "Lyons"], "overland, naval, rail"
    far = [s.space for s in why(judged("elements", "line", places={"ge-infantry": "Catania"}), "ge-infantry").steps]
    assert far[:2] == ["Palermo", "Naples"], "rail, naval, rail"


def test_sf_s1_the_elements_stand_in_their_order():
    verdict = judged("elements", "line", places={"ge-infantry": "Lecce", "us-armor": "Marsh"})
    assert verdict.supply["ge-infantry"] == "supplied"
    # With Naples lost the railway is reached nowhere along the road, and no road follows a railway.
    assert supply("line", control={"Naples": "allied", "Salerno": "allied"})["ge-infantry#2"] == "out"


def test_sf_s1_the_length_overland_follows_the_weather():
    assert supply("line", facts={"weather": "mud"})["ge-infantry"] == "out"
    assert supply("line", facts={"weather": "mud"}, places={"ge-infantry": "Taranto"})["ge-infantry"] == "supplied"
    (warning,) = found("line", ("places",), facts={"weather": "fog"})
    assert warning.rule.code == "P702" and "rules ask for clear, mud" in warning.message


def test_sf_m4_no_group_passes_a_strait_with_one_side_in_enemy_hands():
    regiment = {
        "ge-infantry": "",
        "ge-infantry#3": "",
        "ge-motor": "Etna",
    }  # divisions would own both sides by their zones
    assert supply("line", places=regiment)["ge-motor"] == "supplied"
    assert supply("line", places=regiment, control={"Messina": "allied"})["ge-motor"] == "out"
    assert supply("line", places=regiment, control={"Reggio": "allied"})["ge-motor"] == "out"


def test_sf_s2_through_an_enemy_zone_only_where_a_friend_stands():
    assert supply("zones")["ge-infantry"] == "supplied", "a way round by the south"
    both = {"us-armor": "Marsh", "us-infantry": "Peak"}
    assert [f.rule.code for f in found("zones", ("places",), places=both)] == ["P601"], "no armour in a swamp"
    shut = {"us-infantry": "Marsh", "us-infantry#2": "Peak"}
    assert supply("zones", places=shut)["ge-infantry"] == "out"
    assert supply("zones", places={**shut, "ge-motor": "Taranto"})["ge-infantry"] == "supplied"


def test_sf_s3_judged_in_the_initial_phase_and_kept():
    assert supply("kept", "end of movement") == {"ge-infantry": "out", "ge-infantry#2": "supplied"}
    assert supply("kept", "initial phase") == {"ge-infantry": "supplied", "ge-infantry#2": "supplied"}


def test_sf_s4_a_limited_source_serves_two():
    verdict = judged("elements", "depot")
    assert verdict.supply == {"ge-infantry": "supplied", "ge-infantry#2": "supplied", "ge-motor": "out"}
    (finding,) = [f for f in check_position(verdict, ("supply",)) if f.rule.code == "P301"]
    assert "Reggio (its source serves no more units)" in finding.message
    assert supply("depot", places={"ge-infantry": ""})["ge-motor"] == "supplied"


def test_sf_s5_italians_by_two_major_cities_joined_by_rail_within_italy():
    assert supply("italians") == {"it-infantry": "supplied", "ge-infantry": "out"}
    assert supply("italians", control={"Gaeta": "allied"})["it-infantry"] == "out"


def test_sf_s6_isolated_without_an_overland_line_to_a_regular_source():
    verdict = judged("elements", "isolated")
    assert verdict.supply == {"ge-infantry": "supplied", "ge-infantry#2": "supplied"}
    assert verdict.statuses == {"isolated": {"ge-infantry": True, "ge-infantry#2": False}}
    italians = judged("elements", "italians").statuses["isolated"]
    assert italians == {"it-infantry": True, "ge-infantry": True}, "in supply by a source that is not regular"


def test_sf_s7_who_landed_is_supplied_for_the_turn():
    assert supply("landing") == {"ge-infantry": "supplied", "ge-infantry#2": "out"}


def test_sf_c1_owned_by_who_is_there_whose_zone_alone_is_there_or_was_last():
    verdict = judged("elements", "owners")
    assert controller(verdict, "Bari") == "axis" and controller(verdict, "Peak") == "allied"
    assert controller(verdict, "Salerno") == "axis", "the zone of the division at Bari"
    assert controller(verdict, "Gaeta") == "allied", "a regiment has no zone, so the last owner keeps it"
    assert controller(verdict, "Taranto") == "", "zones of both, and no owner before"
    assert controller(judged("elements", "owners", control={"Taranto": "axis"}), "Taranto") == "axis"


def test_sf_z1_divisions_exert_zones_but_no_headquarters_and_none_into_prohibited_terrain():
    assert "Marsh" not in judged("elements", "owners", places={"us-infantry": "", "ge-infantry": ""}).zone("axis")
    assert "Marsh" in judged("elements", "zones").zone("axis"), "infantry may go there"
    assert (
        judged("elements", "owners", places={"ge-infantry": "", "ge-panzer": "", "ge-hq": "Bari"}).zone("axis") == set()
    )


def test_sf_z2_leaving_a_zone_costs_and_retreats_into_one_cost_losses_but_not_german_armour():
    verdict = judged("elements", "owners")
    assert find_reachable(verdict, "ge-infantry").cost_of("Salerno") == 1
    near = judged("elements", "owners", places={"ge-infantry": "Taranto"})
    assert find_reachable(near, "ge-infantry").cost_of("Bari") == 3
    retreat = [Move("ge-infantry", "Bari", "Taranto", "retreat"), Move("ge-panzer", "Lecce", "Taranto", "retreat")]
    (note,) = [f for f in check_moves(verdict, retreat) if f.rule.code == "P405"]
    assert note.facts["piece"] == "ge-infantry" and "1 more lost (rule SF-Z2, assumed)" in note.message


def test_sf_st1_several_limits_hold_together_by_pieces_and_by_regimental_equivalents():
    peak, bari = found("stacks", ("stacking",))
    assert peak.message.startswith("3 axis pieces stand here and at most 2 may (assumed)"), "fewer in mountains"
    assert bari.message.startswith("12 axis re stand here and at most 11 may (assumed): 1 too many of"), "three of each"
    assert found("stacks", ("stacking",), places={"ge-panzer": "", "ge-motor": ""}) == []


def test_sf_st2_not_enforced_in_the_initial_phase():
    assert found("stacks", ("stacking",), "initial phase") == []
    assert len(found("stacks", ("stacking",), "end of movement")) == 2


def test_sf_st3_the_limit_of_the_target_bounds_who_may_attack_from_each_hex():
    verdict = judged("elements", "stacks", places={"us-infantry": "0801"})
    moves = [
        Move(i, "Bari", "Taranto", "attack") for i in ("ge-infantry#3", "ge-infantry#4", "ge-panzer#2", "ge-motor")
    ]
    assert "P401" not in {f.rule.code for f in check_moves(verdict, moves)}
    more = [*moves, Move("ge-motor#2", "Bari", "Taranto", "attack"), Move("ge-motor#3", "Bari", "Taranto", "attack")]
    (over,) = [f for f in check_moves(verdict, more) if f.rule.code == "P401"]
    assert over.message.startswith("of those that cross from Bari, 12 axis re stand here and at most 11 may")


def test_sf_2_three_of_nine_equivalents_is_one_third():
    verdict = judged("elements", "attack")
    moves = [Move(p.id, p.at, "Taranto", "attack") for p in verdict.position.pieces if p.id.startswith("ge")]
    share, engineers = shares_of_moves(verdict, moves)
    assert (share.having, share.of, share.neutral, share.fraction) == (3, 9, 1, Fraction(1, 3))
    assert engineers.fraction == 0 and engineers.of == 10
    codes = [f.rule.code for f in check_moves(verdict, moves)]
    assert codes.count("P106") == 2 and codes.count("P105") == 1
