"""Lists of moves: hexside limits, stacking after them, and control that pieces decide, on tiny maps."""

from __future__ import annotations

import tiny

from toolchain.checks.attrition import after_attrition, losses
from toolchain.checks.control import check_control
from toolchain.checks.moves import after_moves, check_moves, moved
from toolchain.model.position import Move
from toolchain.model.warmap import Link

# 0202 lies in the middle; 0201, 0203, 0102, 0103, 0302 and 0303 are its neighbours.
MAP = tiny.hexmap(
    3,
    3,
    terrain={"0202": "clear", "0101": "forest", "0102": "clear"},
    sides={("0202", "0302"): "river bridge", ("0202", "0303"): "river", ("0201", "0202"): "alpine"},
    links=[Link("0101", "0102", "road")],
)
UNITS = [tiny.unit(f"r{i}", domain="army") for i in range(1, 8)] + [tiny.unit("b1", "blue", domain="army")]
UNITS += [tiny.unit(f"air{i}", domain="air") for i in range(1, 4)]
RULES = """
format = 1
[edges.land]
join = "hexside"
barred_by = [{ hexside = "alpine", cite = "2.1" }]
[[stacking]]
of = { domain = "army" }
at_most = 4
cite = "4.1"
[[hexside_limit]]
of = { domain = "army" }
moves = ["attack", "retreat"]
over = "land"
cite = "4.2"
crossings = [
  { hexside = "bridge", at_most = 1 },
  { link = "road", at_most = 2, cite = "2.3" },
  { hexside = "river", at_most = 1 },
  { into = { terrain = "forest" }, at_most = 1 },
  { into = { terrain = "clear" }, at_most = 2 },
]
"""


def found(at, *moves, rules=RULES):
    v = tiny.verdict(tiny.game(MAP, UNITS, rules), at)
    return [(f.rule.code, f.where.space, f.message) for f in check_moves(v, [Move(*m) for m in moves])]


def column(start, end, kind, *ids):
    return dict.fromkeys(ids, start), [(i, start, end, kind) for i in ids]


def test_vw_h1_so_many_over_each_kind_of_hexside():
    for start, end, most in (("0102", "0202", 2), ("0302", "0202", 1), ("0303", "0202", 1), ("0201", "0101", 1)):
        at, moves = column(start, end, "attack", *(f"r{i}" for i in range(1, most + 1)))
        assert found(at, *moves) == [], (start, end)
        at, moves = column(start, end, "attack", *(f"r{i}" for i in range(1, most + 2)))
        ((code, space, text),) = found(at, *moves)
        assert code == "P401" and space == end and f"at most {most} may (rule 4.2): 1 too many of r1" in text


def test_vw_h1_retreats_too_but_neither_aircraft_nor_units_that_only_move():
    at, moves = column("0302", "0202", "retreat", "r1", "r2")
    assert [c for c, _, _ in found(at, *moves)] == ["P401"]
    at, moves = column("0302", "0202", "attack", "air1", "air2", "air3")
    assert found(at, *moves) == []
    rules = RULES + '[[hexside_limit]]\nmoves = "march"\nas_stacking = true\n'
    at, moves = column("0302", "0202", "march", "r1", "r2", "r3")
    assert found(at, *moves, rules=rules) == []


def test_vw_h1_alpine_hexsides_are_closed():
    at, moves = column("0201", "0202", "attack", "r1")
    ((code, _, text),) = found(at, *moves)
    assert code == "P402" and text == "the way from 0201 to 0202 is closed to r1 (rule 4.2)"
    assert found({"r1": "0101"}, ("r1", "0101", "0303", "attack"))[0][2] == "no way leads from 0101 to 0303"


def test_vw_m6_a_road_hexside_is_clear_whatever_the_terrain():
    # Into the forest of 0101 one may go, over the road from 0102 two.
    at, moves = column("0102", "0101", "attack", "r1", "r2")
    assert found(at, *moves) == []
    at, moves = column("0102", "0101", "attack", "r1", "r2", "r3")
    assert found(at, *moves)[0][2].endswith("(rule 2.3): 1 too many of r1, r2, r3")


def test_vw_h2_the_stacking_limit_binds_where_three_hexsides_would_let_six_in():
    at = {"r1": "0102", "r2": "0102", "r3": "0203", "r4": "0203", "r5": "0103", "r6": "0103"}
    neighbours = {"0102", "0203"}
    moves = [(i, s, "0202", "attack") for i, s in at.items() if s in neighbours]
    assert found(at, *moves) == []
    at["r5"] = "0302"
    ((code, space, text),) = found(at, *moves, ("r5", "0302", "0202", "attack"))
    assert (code, space) == ("P101", "0202") and "5 red pieces" in text


def test_sf_st3_the_limit_of_the_target_bounds_how_many_come_from_each_hex():
    rules = RULES.replace("at_most = 4", "at_most = 2") + '[[hexside_limit]]\nmoves = "assault"\nas_stacking = true\n'
    at, moves = column("0302", "0202", "assault", "r1", "r2", "r3")
    codes = [(c, t) for c, _, t in found(at, *moves, rules=rules)]
    assert (
        "P401",
        "of those that cross from 0302, 3 red pieces stand here and at most 2 may (rule 4.1): 1 too many of r1, r2, r3",
    ) in codes
    at, moves = column("0302", "0202", "assault", "r1", "r2")
    assert found(at, *moves, rules=rules) == []


ENTRY = """
[edges.ships]
hub = { space = ["0101", "0303"] }
[[movement]]
over = "land"
moves = ["march"]
[[movement]]
over = "ships"
moves = ["sail"]
[[entry]]
never = { holds = { side = "enemy" } }
stays = true
cite = "8.31"
"""


def test_a_hub_is_a_way_for_the_kinds_of_move_that_use_it():
    rules = RULES.replace("[[stacking]]", ENTRY + "[[stacking]]", 1)
    assert found({"r1": "0101"}, ("r1", "0101", "0303", "sail"), rules=rules) == []
    ((code, _, text),) = found({"r1": "0101"}, ("r1", "0101", "0303", "march"), rules=rules)
    assert code == "P402" and "closed to r1" in text
    ((code, _, text),) = found({"r1": "0101"}, ("r1", "0101", "0301", "sail"), rules=rules)
    assert code == "P402" and text == "no way leads from 0101 to 0301"


def test_no_piece_moves_where_a_bound_of_entry_is_in_force_by_then():
    rules = RULES.replace("[[stacking]]", ENTRY + "[[stacking]]", 1)
    at, march = {"r1": "0102", "b1": "0202"}, ("r1", "0102", "0202", "march")
    ((code, space, text),) = found(at, march, rules=rules)
    assert (code, space, text) == ("P601", "0202", "r1 may not enter 0202 (rule 8.31)")
    assert found(at, ("b1", "0202", "0203", "march"), march, rules=rules) == [], "who stood there has left"


def test_words_of_a_move_that_are_not_there():
    at = {"r1": "0101"}
    assert "there is no piece 'r11'; did you mean 'r1'?" in found(at, ("r11", "0101", "0102", "attack"))[0][2]
    assert "there is no space '0109'" in found(at, ("r1", "0101", "0109", "attack"))[0][2]
    assert found(at, ("r1", "0101", "0102", "atack"))[0][2].endswith("did you mean 'attack'?")
    assert "does not stand at 0102 but at 0101" in found(at, ("r1", "0102", "0101", "attack"))[0][2]


def test_cargo_goes_with_its_carrier_and_lies_on_top():
    at = {"r1": "0101", "r2": "0101", "b1": "0102"}
    after = moved(tiny.position(at, on={"r2": "r1"}), [Move("r1", "0101", "0102", "march")])
    assert [(p.id, p.at) for p in after.pieces] == [("b1", "0102"), ("r1", "0102"), ("r2", "0102")]


# Control that changes, and control that the pieces decide ----------------------------------------------------------

TAKEN = """
format = 1
[control]
cite = "20"
taken = [{ moves = "move", ends = "retreat", where = { terrain = "clear" } }]
home = [{ where = { space = "0303" }, side = "blue" }]
"""


def test_stored_control_goes_to_who_enters_or_ends_a_retreat():
    v = tiny.verdict(tiny.game(MAP, UNITS, TAKEN), {"r1": "0102"}, controller="blue")
    way = [Move("r1", "0102", "0202", "retreat"), Move("r1", "0202", "0203", "retreat")]
    position, changes = after_moves(v, [Move("r1", "0102", "0103", "move")])
    assert [(c.space, c.before, c.after) for c in changes] == [("0103", "blue", "red")]
    assert position.control == {"0103": "red"} and position.pieces[0].at == "0103"
    assert [c.space for c in after_moves(v, way)[1]] == ["0203"]
    assert after_moves(v, [Move("r1", "0102", "0101", "move")])[1] == (), "not such a space"
    assert after_moves(v, [Move("r1", "0203", "0303", "move")])[1] == (), "a home that nobody takes"


OWNED = """
format = 1
[control]
home = [
  { where = { owner = "red" }, side = "red", reverts = true },
  { where = { owner = "blue" }, side = "blue", reverts = true },
]
[[control.rule]]
"""
LANDS = tiny.hexmap(1, 4, traits={"0101": {"owner": "red"}, "0102": {"owner": "blue"}}, terrain={"0104": "sea"})


def control(rule, at, stored=None, units=UNITS, lands=LANDS, rules=OWNED, **more):
    v = tiny.verdict(tiny.game(lands, units, rules + rule), at, stored, **more)
    return [v.layout.sides[n] if n >= 0 else "" for n in v.layout.control.tolist()]


ARMIES = [tiny.unit("ge", "red", kind="army"), tiny.unit("ge2", "red", kind="army", level=2)]
ARMIES += [tiny.unit("us", "blue", kind="army"), tiny.unit("uk", "blue", kind="army")]
ARMIES += [tiny.unit("gef", "red", kind="fleet"), tiny.unit("ukf", "blue", kind="fleet")]
MAJORITY = """
where = { terrain = "clear" }
by = "majority"
of = { kind = "army" }
[[control.rule]]
where = { terrain = "sea" }
by = "occupation"
of = { kind = "fleet" }
"""


def test_oh_c1_land_goes_to_the_majority_and_home_is_home_while_it_is_empty():
    def of(at):
        return control(MAJORITY, at, units=ARMIES)

    assert of({}) == ["red", "blue", "", ""]
    assert of({"ge": "0103", "us": "0103", "uk": "0103"})[2] == "blue", "one German, one USA and one UK army"
    assert of({"ge": "0103", "uk": "0103"})[2] == ""
    assert of({"ge": "0101", "uk": "0101"})[0] == "" and of({"ge": "0101", "uk": "0101", "us": "0101"})[0] == "blue"
    assert of({"ge2": "0103", "uk": "0103", "us": "0103"})[2] == "blue", "level is nothing"
    assert of({"ukf": "0103"})[2] == "", "fleets hold no land"


def test_oh_c2_a_sea_belongs_to_the_side_that_is_alone_there_with_fleets():
    assert control(MAJORITY, {"ukf": "0104"}, units=ARMIES)[3] == "blue"
    assert control(MAJORITY, {"ukf": "0104", "gef": "0104"}, units=ARMIES)[3] == ""
    assert control(MAJORITY, {"uk": "0104"}, units=ARMIES)[3] == ""


ARMS = [tiny.unit("inf", domain="army"), tiny.unit("plane", domain="air"), tiny.unit("ship", domain="naval")]
ARMS += [tiny.unit("binf", "blue", domain="army"), tiny.unit("bship", "blue", domain="naval")]
ORDER = 'by = "occupation"\nof = [{ domain = "army" }, { domain = "air" }, { domain = "naval" }]\n'


def test_vw_c1_the_occupier_in_the_order_of_arms_and_a_captured_city_reverts_when_left():
    def of(at, stored=None):
        return control(ORDER, at, stored, units=ARMS)

    assert of({}, {"0103": "red"}) == ["red", "blue", "", ""], "vacant is neutral, but for one's own cities"
    assert of({"inf": "0102", "bship": "0103"}) == ["red", "red", "blue", ""]
    assert of({"plane": "0102", "bship": "0102"})[1] == "red", "air before naval"
    assert of({"binf": "0101", "plane": "0101"})[0] == "blue", "army before air"
    assert of({"inf": "0101", "binf": "0101"})[0] == "", "both armies: a battle"


def test_sf_c1_an_uncontested_zone_owns_and_the_last_owner_keeps():
    zones = '\n[edges.land]\njoin = "hexside"\n[[zoc]]\nof = { mech = true }\nover = "land"\n'
    rule = 'by = "occupation"\nvacant = "kept"\n[[control.rule]]\nby = "zone"\nvacant = "kept"\n' + zones
    units = [tiny.unit("rm", mech=True), tiny.unit("bm", "blue", mech=True), tiny.unit("r1")]
    lands = tiny.hexmap(1, 6)

    def of(at, stored=None):
        return control(rule, at, stored, units, lands, "format = 1\n[[control.rule]]\n")

    assert of({"rm": "0102"}, {"0106": "blue"}) == ["red", "red", "red", "", "", "blue"]
    assert of({"rm": "0102", "bm": "0104"}, {"0103": "blue"}) == ["red", "red", "blue", "blue", "blue", ""]
    assert of({"rm": "0102", "bm": "0103"})[1:3] == ["red", "blue"], "who stands there owns before any zone"
    assert of({"r1": "0103"}) == ["", "", "red", "", "", ""]


def test_control_stated_against_the_pieces_is_found():
    game = tiny.game(LANDS, ARMIES, OWNED + MAJORITY)
    assert list(check_control(tiny.verdict(game, {"us": "0103"}, {"0103": "blue"}))) == []
    (finding,) = check_control(tiny.verdict(game, {"us": "0103"}, {"0103": "red"}))
    assert finding.rule.code == "P504"
    assert finding.message == "red is said to control the space; by the pieces it is blue"


# Attrition ---------------------------------------------------------------------------------------------------------


def test_vw_s7_each_unsupplied_unit_loses_a_step_and_the_last_step_dies():
    rules = tiny.RULES[: tiny.RULES.index("[[attrition]]")] + "[[attrition]]\nsteps = 1\nvacant_as = []\n"
    v = tiny.verdict(tiny.game(tiny.hexmap(1, 4), UNITS, rules), {"r1": "0101", "r2": "0102"}, steps={"r2": 1})
    assert losses(v).reduced == (("r1", 1),) and losses(v).dies == ("r2",)
    after = after_attrition(v)
    assert [(p.id, p.step) for p in after.pieces] == [("r1", 1)]
