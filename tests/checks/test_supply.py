"""Supply lines, zones, attrition, and rules that go in circles, on tiny maps."""

from __future__ import annotations

import random

import numpy as np
import pytest
import tiny
from hypothesis import given, settings
from hypothesis import strategies as st

from toolchain.checks.attrition import charge, losses
from toolchain.checks.positions import check_position
from toolchain.checks.reasons import why
from toolchain.checks.supply import check_supply
from toolchain.checks.telling import tell
from toolchain.model.warmap import Link

UNITS = [tiny.unit(f"r{i}") for i in range(1, 4)] + [tiny.unit("rm", mech=True), tiny.unit("rf", kind="fort")]
UNITS += [tiny.unit(f"b{i}", "blue") for i in range(1, 4)] + [tiny.unit("bm", "blue", mech=True)]
UNITS += [tiny.unit("rm2", mech=True), tiny.unit("bm2", "blue", mech=True), tiny.unit("flag", role="marker")]


def chain(n, features=None, **more):
    """A column of hexes 0101, 0102, ... with a city in the first."""
    return tiny.hexmap(1, n, features=features or {"0101": "city"}, **more)


def judged(warmap, at, control=None, controller="red", rules=tiny.RULES, **more):
    return tiny.verdict(tiny.game(warmap, UNITS, rules), at, control, controller=controller, **more)


def test_distance_decides_the_grade_and_a_path_in_or_out():
    v = judged(chain(6), {"r1": "0101", "r2": "0103", "r3": "0104", "flag": "0105"})
    assert v.supply == {"r1": "full", "r2": "full", "r3": "limited"}
    account = why(v, "r3")
    assert [s.space for s in account.steps] == ["0103", "0102", "0101"] and account.line.grade == "limited"
    assert why(v, "r1").steps == ()


def test_an_enemy_space_stops_the_line_and_the_finding_says_where():
    v = judged(chain(5), {"r1": "0104"}, {"0102": "blue"})
    (finding,) = check_supply(v)
    assert finding.rule.code == "P301" and finding.where.space == "0104"
    assert finding.message == "r1 is out of supply (rule 5): its lines stop at 0102 (not controlled by red)"
    assert finding.facts["stops"] == [{"space": "0102", "why": "not controlled by red"}]


def test_a_barred_hexside_and_a_closed_hex_stop_the_line():
    assert judged(chain(3, sides={("0102", "0103"): "wall"}), {"r1": "0103"}).supply == {"r1": "out"}
    assert judged(chain(3, closed=["0102"]), {"r1": "0103"}).supply == {"r1": "out"}
    assert judged(chain(3), {"r1": "0103"}).supply == {"r1": "full"}


def test_a_source_counts_only_when_its_selector_takes_it():
    assert judged(chain(2), {"r1": "0102"}, {"0101": "blue"}).supply == {"r1": "out"}
    assert judged(chain(2), {"b1": "0102"}, {}, "blue").supply == {"b1": "full"}


PORTS = {"0101": "city port", "0103": "port", "0105": "port", "0107": "port"}
SEAS = {"0101": {"sea": "north"}, "0103": {"sea": "north"}, "0105": {"sea": "north; south"}, "0107": {"sea": "south"}}


def test_ports_of_one_sea_are_one_step_apart_and_at_most_two_are_used():
    warmap = chain(8, PORTS, traits=SEAS, closed=["0102", "0104", "0106"])
    v = judged(warmap, {"r1": "0103", "r2": "0105", "r3": "0108"})
    assert v.supply == {"r1": "limited", "r2": "limited", "r3": "out"}, "r3 would need three ports"
    assert [(s.space, s.over) for s in why(v, "r2").steps] == [("0101", ("sea",))]


def test_a_barred_port_is_no_part_of_its_hub():
    bar = '[edges.sea]\nhub = { feature = "port" }\nsame = "sea"\n[[edges.sea.barred_by]]\nat = { space = "0103" }\n'
    bar += 'of = { side = "red" }\nunless = { control = { "0104" = "red" } }\n'
    rules = tiny.RULES.replace('[edges.sea]\nhub = { feature = "port" }\nsame = "sea"\n', bar)
    warmap = chain(8, PORTS, traits=SEAS, closed=["0102"])
    assert judged(warmap, {"r1": "0103"}, {"0104": "blue"}, rules=rules).supply == {"r1": "out"}
    assert judged(warmap, {"r1": "0103"}, rules=rules).supply == {"r1": "limited"}


def test_links_carry_lines_one_way_where_they_are_one_way():
    links = [Link("0102", "Pool", "ferry"), Link("Dock", "0101", "ferry", one_way=True)]
    warmap = chain(2, boxes=["Pool", "Dock"], links=links)
    v = judged(warmap, {"r1": "Pool", "r2": "Dock"})
    assert v.supply == {"r1": "full", "r2": "full"}
    back = chain(2, {"0102": "clear"}, boxes=["Pool", "Dock"], links=links)
    away = tiny.hexmap(1, 2, features={"Dock": "city"}, boxes=["Dock"], links=links[1:])
    assert judged(back, {"r1": "0101"}).supply == judged(away, {"r1": "0101"}).supply == {"r1": "out"}


# Zones of control --------------------------------------------------------------------------------------------------


def test_a_zone_stops_a_line_unless_a_friend_stands_in_it():
    # Blue's mechanized corps beside 0102 of two columns; its own city behind it.
    warmap = tiny.hexmap(2, 5, features={"0101": "city", "0201": "city"}, sides={("0101", "0201"): "wall"})
    blue = {"0201": "blue", "0202": "blue", "0203": "blue"}
    at = {"r1": "0105", "bm": "0203"}
    v = judged(warmap, at, blue)
    assert v.zone("blue") >= {"0103", "0104"} and v.exerting == ("bm",)
    assert v.supply == {"r1": "out", "bm": "full"}
    stop = {b.space: b.reason for b in why(v, "r1").blocks}
    assert stop["0104"] == "in the zone of control of bm"
    held = judged(warmap, {**at, "r2": "0104", "r3": "0103"}, blue)
    assert held.supply["r1"] == "limited" and held.supply["r2"] == "limited" and held.supply["r3"] == "full"


def test_a_friend_that_negates_zones_for_another_purpose_does_not_open_the_line():
    assert tiny.facing(r1="p").supply["rm"] == "full"
    other = tiny.facing(tiny.RULES.replace('for = "supply"', 'for = "retreat"'), r1="p")
    assert len(other.undecided) == 2


def test_a_unit_that_does_not_move_on_wheels_has_no_zone():
    warmap = tiny.hexmap(2, 5, features={"0101": "city", "0201": "city"})
    assert judged(warmap, {"r1": "0105", "b1": "0203"}, {"0203": "blue"}).supply["r1"] == "limited"


def test_an_unsupplied_unit_has_no_zone():
    warmap = tiny.hexmap(2, 5, features={"0101": "city"})
    v = judged(warmap, {"r1": "0105", "bm": "0203"}, {"0203": "blue"})
    assert v.supply == {"r1": "limited", "bm": "out"} and v.exerting == () and v.zone("blue") == frozenset()


def test_a_barred_hexside_bars_the_zone():
    warmap = tiny.hexmap(1, 4, features={"0101": "city", "0104": "city"}, sides={("0102", "0103"): "wall"})
    v = judged(warmap, {"bm": "0103"}, {"0103": "blue", "0104": "blue"})
    assert v.zone("blue") == {"0104"}


def test_markers_cancel_zones_within_their_range():
    rules = tiny.RULES.replace(
        "[[zoc.negated_by]]",
        '[[zoc.cancelled_by]]\nby = { role = "marker" }\nof = { side = "blue" }\nwithin = 2\nover = "land"\n'
        "[[zoc.negated_by]]",
    )
    warmap = tiny.hexmap(1, 8, features={"0101": "city", "0108": "city"})
    blue = {f"010{i}": "blue" for i in range(5, 9)}
    assert judged(warmap, {"bm": "0105"}, blue, rules=rules).zone("blue") == {"0104", "0106"}
    assert judged(warmap, {"bm": "0105", "flag": "0102"}, blue, rules=rules).zone("blue") == {"0106"}
    assert judged(warmap, {"bm": "0105", "flag": "0101"}, blue, rules=rules).zone("blue") == {"0104", "0106"}


# Circular rules ----------------------------------------------------------------------------------------------------


def test_two_stable_outcomes_are_undecided_and_the_circle_is_spelled_out():
    v = tiny.facing()
    assert sorted(v.layout.pieces[r].id for r in v.undecided) == ["bm", "rm"]
    codes = sorted(f.rule.code for f in check_position(v, ("zoc", "supply")))
    assert codes == ["P201", "P201", "P302", "P302"]
    (finding,) = [f for f in check_supply(v) if f.facts["piece"] == "rm"]
    assert finding.message == (
        "the rules leave undecided whether the supply of rm is out or full: it waits on bm, which waits on rm"
    )
    assert not why(v, "rm").decided and v.exerting == ()
    told = tell(why(v, "rm"), "Motor")
    assert told[0].startswith("Motor in ") and ": undecided by the rules, out or full (rule " in told[0]
    assert told[-1] == "  it waits on bm, which waits on rm"


def test_a_unit_that_breaks_the_circle_decides_it():
    # A red unit in p lifts blue's zone there, so red is supplied, exerts, and blue is not.
    v = tiny.facing(r1="p")
    assert v.undecided.tolist() == []
    assert v.supply == {"rm": "full", "bm": "out", "r1": "full"} and v.exerting == ("rm",)


def test_no_stable_outcome_is_undecided_too():
    # rm needs p free of bm, bm needs q free of bm2, bm2 needs w free of rm ... an odd circle has no stable outcome.
    names = [("rm", "red", "R"), ("bm", "blue", "B"), ("gm", "green", "G")]
    spaces, links, control = [], [], {}
    for i, (_, side, at) in enumerate(names):
        enemy_at = names[(i + 1) % 3][2]
        spaces += [at, at + "line", at + "base"]
        links += [Link(at, at + "line", "ferry"), Link(at + "line", at + "base", "ferry")]
        links += [Link(enemy_at, at + "line", "near", one_way=True)]
        control |= {at: side, at + "line": side, at + "base": side}
    warmap = tiny.hexmap(1, 1, boxes=spaces, traits={a + "base": {"base": "yes"} for _, _, a in names}, links=links)
    rules = tiny.RULES.replace('where = { feature = "city", control', "where = { base = true, control")
    rules = rules.replace('over = "land"\nneeds', 'over = "near"\nneeds') + '[edges.near]\njoin = "link.near"\n'
    game = tiny.game(warmap, [tiny.unit("rm", mech=True), tiny.unit("bm", "blue", mech=True)], rules)
    green = tiny.unit("gm", "green", mech=True)
    game = tiny.with_side(game, "green", green)
    v = tiny.verdict(game, {n: at for n, _, at in names}, control)
    assert len(v.undecided) == 3
    (finding,) = [f for f in check_supply(v) if f.facts["piece"] == "rm"]
    assert finding.facts["circle"] == ["rm", "bm", "gm", "rm"]


# Attrition and costs -----------------------------------------------------------------------------------------------


def test_attrition_kills_the_unsupplied_spares_forts_and_turns_vacant_spaces():
    v = judged(chain(6), {"r1": "0105", "r2": "0104", "rf": "0104"}, {"0102": "blue"})
    assert losses(v).dies == ("r1",) and losses(v).spared == ("r2", "rf")
    # 0103 and 0106 are red and vacant, with no line; 0101 is the source; 0102 is blue's, and blue has no source at all.
    assert losses(v).turns == ("0102", "0103", "0106")


def test_vacant_spaces_may_be_spared_by_what_they_are():
    rules = tiny.RULES.replace(
        'spared = { holds = { kind = "fort", side = "friendly" } }', 'spared = { feature = "port" }'
    )
    v = judged(chain(4, {"0101": "city", "0104": "port"}), {}, {"0102": "blue"}, rules=rules)
    assert losses(v).turns == ("0102", "0103")


def test_costs_by_space_and_by_unit():
    rules = (
        tiny.RULES
        + """
[[cost]]
act = ["move", "attack"]
supply = "full"
per = "space"
points = 1
[[cost]]
act = "attack"
supply = ["limited", "out"]
per = "unit"
points = 2
"""
    )
    v = judged(chain(6), {"r1": "0102", "r2": "0102", "r3": "0105", "rf": "0105"}, rules=rules)
    assert charge(v, "0102", "move").points == charge(v, "0102", "attack").points == 1
    assert charge(v, "0105", "attack").points == 4 and charge(v, "0105", "move").points == 0


# Properties --------------------------------------------------------------------------------------------------------

BIG = tiny.hexmap(
    5,
    5,
    features={"0101": "city port", "0505": "city", "0305": "port", "0501": "port"},
    traits={k: {"sea": "s"} for k in ("0101", "0305", "0501")},
)
GAME = tiny.game(BIG, UNITS)
KEYS = [s.key for s in BIG.spaces]
spots = st.sampled_from(KEYS)


@settings(max_examples=80, deadline=None)
@given(
    st.dictionaries(st.sampled_from([u.id for u in UNITS]), spots), st.sets(spots), st.randoms(use_true_random=False)
)
def test_order_of_pieces_and_control_does_not_matter(at, blue, shuffler):
    control = dict.fromkeys(sorted(blue), "blue")
    items, others = list(at.items()), list(control.items())
    shuffler.shuffle(items)
    shuffler.shuffle(others)
    first = tiny.verdict(GAME, at, control, controller="red")
    second = tiny.verdict(GAME, dict(items), dict(others), controller="red")
    assert first.supply == second.supply and first.zone("blue") == second.zone("blue")
    assert losses(first).turns == losses(second).turns
    assert {i: why(first, i) for i in at} == {i: why(second, i) for i in at}


@settings(max_examples=80, deadline=None)
@given(st.lists(spots, min_size=1, max_size=3), st.sets(spots), spots)
def test_a_friendly_space_more_puts_nobody_out_of_supply(at, blue, more):
    # Without mechanized units there are no zones, and supply can only grow with control.
    placed = {f"r{i}": where for i, where in enumerate(at, 1)}
    before = tiny.verdict(GAME, placed, dict.fromkeys(sorted(blue), "blue"), controller="red").supply
    after = tiny.verdict(GAME, placed, dict.fromkeys(sorted(blue - {more}), "blue"), controller="red").supply
    order = ["full", "limited", "out"]
    assert all(order.index(after[i]) <= order.index(before[i]) for i in placed)


@pytest.mark.parametrize("seed", range(20))
def test_every_grade_is_its_own_proof(seed):
    """A line never enters a space that its unit may not use, and ends in a source; a stranded unit is told a reason."""
    dice = random.Random(seed)
    at = {u.id: dice.choice(KEYS) for u in UNITS if u.role == "unit"}
    control = {k: dice.choice(["red", "blue"]) for k in KEYS}
    control |= {where: GAME.counter[i].side for i, where in at.items()}
    v = tiny.verdict(GAME, at, control)
    for i, grade in v.supply.items():
        account, side = why(v, i), GAME.counter[i].side
        if account.steps:
            assert all(control[s.space] == side for s in account.steps)
            assert "city" in BIG.by_key[account.steps[-1].space].features
        elif grade != "out" and account.decided:
            assert "city" in BIG.by_key[account.space].features


def grades_if(verdict, exerting):
    """The grades that follow when exactly these pieces exert a zone, by the engine's own one pass."""
    rows = np.array([p.id in exerting for p in verdict.layout.pieces] + [False] * 2)
    return verdict.estimate([rows])


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(["rm", "rm2", "bm", "bm2", "r1", "b1"]), spots), st.data())
def test_every_stable_outcome_lies_between_the_estimates(at, data):
    """An outcome is stable if those that it supplies are those that exert. Whatever is decided holds in all of them."""
    control = {k: data.draw(st.sampled_from(["red", "blue"])) for k in KEYS}
    control |= {where: GAME.counter[i].side for i, where in at.items()}
    v = tiny.verdict(GAME, at, control)
    low, high = v.bounds
    mechs = [i for i in at if i[1] == "m"]
    stable = 0
    for n in range(2 ** len(mechs)):
        exerting = {m for k, m in enumerate(mechs) if n >> k & 1}
        outcome = grades_if(v, exerting)
        supplied = {m for m in mechs if outcome.grade[v.row_of[m]] < 2}
        if supplied == exerting:
            stable += 1
            assert (outcome.grade <= low.grade).all() and (outcome.grade >= high.grade).all()
    if not len(v.undecided):
        assert stable == 1
    for finding in (f for f in check_supply(v) if f.rule.code == "P302"):
        circle = finding.facts["circle"]
        assert circle[0] == finding.facts["piece"] and circle[-1] in circle[:-1], "each circle closes"


def test_pieces_of_one_pocket_share_their_reasons_and_those_of_another_do_not():
    v = judged(chain(9), {"r1": "0103", "r2": "0104", "r3": "0108"}, {"0102": "blue", "0106": "blue"})
    stops = {f.facts["space"]: [s["space"] for s in f.facts["stops"]] for f in check_supply(v)}
    assert stops == {"0103": ["0102", "0106"], "0104": ["0102", "0106"], "0108": ["0106"]}
