"""The rulings of festung-europa on stacking, zones of control and supply, on its real map, counters and rules.

Each test names the ruling that it proves (FE-ST1, ...). Positions are made by hand: a few units, and control of the
spaces that matter; everything else belongs to the side named as controller.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from toolchain.checks.attrition import after_attrition, charge, losses
from toolchain.checks.judge import Verdict, judge
from toolchain.checks.moves import after_moves
from toolchain.checks.places import check_apart, check_own_spaces, check_places
from toolchain.checks.positions import check_position
from toolchain.checks.reasons import why
from toolchain.checks.stacking import check_stacking
from toolchain.checks.supply import check_supply
from toolchain.checks.zoc import check_zoc
from toolchain.graph.board import Board
from toolchain.model.position import Move, Piece, Position
from toolchain.report import Report
from toolchain.sources.project import read_project
from toolchain.survey.game import survey_project

ROOT = Path(__file__).parents[2]
UK, AFRICA = "United Kingdom Reserve", "North Africa Reserve"
AXIS_BOXES = ("OKW Reserve", "Eastern Front", "Balkans Front")
ALLIED = ["us-army-5", "br-army-8", "ff-army-1", "us-corps-1", "br-corps-1", "pol-corps-1", "nz-corps-1", "ff-corps-1"]
AXIS = ["ge-army-1", "ge-army-7", "ge-corps-1", "ge-corps-2", "ge-corps-3", "ge-corps-4", "ge-corps-5", "ge-corps-6"]


@pytest.fixture(scope="module")
def game():
    report = Report()
    project = read_project(ROOT, "festung-europa", report)
    game = survey_project(project, report).game
    assert [str(f) for f in report if f.rule.code[0] == "R"] == [], "the rules know every word of the map"
    assert game.rulebook.supply and game.rulebook.zoc
    return game


@pytest.fixture(scope="module")
def board(game):
    return Board.from_map(game.map)


@pytest.fixture
def stand(game, board):
    """Judge a position: units by id and space ("id/1" is the reduced side), and who controls what."""

    def call(at, allied=(), axis=(), controller="axis", events=()) -> Verdict:
        pieces = []
        for item, space in at.items():
            name, _, step = item.partition("/")
            assert space in board.index, space
            pieces.append(Piece(name, name.split("#")[0], space, int(step or 0)))
        control = dict.fromkeys(allied, "allied") | dict.fromkeys(axis, "axis")
        assert all(s in board.index for s in control), [s for s in control if s not in board.index]
        return judge(game, board, Position("x", tuple(pieces), "", control, controller, frozenset(events)))

    return call


def together(ids, space):
    return dict.fromkeys(ids, space)


def stacked(verdict):
    return list(check_stacking(verdict))


def of_country(game, country):
    return [s.key for s in game.map.spaces if s.traits.get("country") == country and s.enterable]


# Stacking ----------------------------------------------------------------------------------------------------------


def test_fe_st1_three_units_of_any_size_per_hex(stand):
    assert stacked(stand(together(["ge-army-1", "ge-corps-1", "fortress-aachen"], "Aachen"))) == []
    (finding,) = stacked(stand(together(["ge-army-1", "ge-corps-1", "fortress-aachen", "ge-corps-2"], "Aachen")))
    assert finding.facts["excess"] == 1 and "7.11" in finding.facts["cite"]


def test_fe_st2_five_allied_units_in_a_beach_head_and_three_axis(stand):
    assert stacked(stand(together(ALLIED[:5], "Overlord Normandy"), allied=["Overlord Normandy"])) == []
    (finding,) = stacked(stand(together(ALLIED[:6], "Overlord Normandy"), allied=["Overlord Normandy"]))
    assert finding.facts["at_most"] == 5
    assert stacked(stand(together(AXIS[:3], "Overlord Normandy"))) == []
    (finding,) = stacked(stand(together(AXIS[:4], "Overlord Normandy")))
    assert finding.facts["at_most"] == 3
    (finding,) = stacked(stand(together(ALLIED[:4], "Caen")))
    assert finding.facts["at_most"] == 3, "beside the beach head the usual limit holds"


@pytest.mark.parametrize("box", [UK, AFRICA, *AXIS_BOXES])
def test_fe_st3_no_limit_in_the_five_boxes(stand, box):
    assert stacked(stand(together(ALLIED if box in (UK, AFRICA) else AXIS, box))) == []


def test_fe_st4_the_sides_never_share_a_hex(stand):
    assert list(check_apart(stand({"us-corps-1": "Rome", "ge-corps-1": "Terni"}))) == []
    (finding,) = check_apart(stand({"us-corps-1": "Rome", "ge-corps-1": "Rome"}))
    assert finding.rule.code == "P602" and finding.facts["cite"] == "7.12"


def test_fe_st5_the_excess_is_reported_and_when_it_is_checked_is_data(stand, game):
    (finding,) = stacked(stand(together(AXIS[:6], "Paris")))
    assert finding.facts["excess"] == 3 and finding.facts["pieces"] == AXIS[:6]
    assert game.rulebook.stacking[0].at == ("end of movement", "end of redeployment", "end of retreat")


def test_fe_st6_markers_do_not_count(stand):
    markers = ["hitler", "airfield", "airbase", "tac-us-a", "sac-uk-bc", "control", "event-husky"]
    assert stacked(stand(together([*AXIS[:3], *markers], "Berlin"))) == []
    assert len(stacked(stand(together([*AXIS[:4], *markers], "Berlin")))) == 1


def test_fe_st7_nationalities_mix_freely(stand):
    mixed = stand(
        {
            "us-corps-1": "Rome",
            "br-corps-1": "Rome",
            "pol-corps-1": "Rome",
            "ge-corps-1": "Milan",
            "it-corps-1": "Milan",
        }
    )
    assert stacked(mixed) == [] == list(check_apart(mixed))


# Places that unit may not enter ------------------------------------------------------------------------------------


def test_fe_m1_m2_closed_hexes_and_the_other_sides_boxes(stand, game):
    closed = next(s.key for s in game.map.spaces if s.kind == "hex" and not s.enterable)
    wrong = stand({"ge-corps-1": closed, "ge-corps-2": UK, "us-corps-1": "Eastern Front", "us-corps-2": "OKW Reserve"})
    assert {i for f in check_places(wrong) for i in f.facts["pieces"]} == {
        "ge-corps-1",
        "ge-corps-2",
        "us-corps-1",
        "us-corps-2",
    }
    assert list(check_places(stand({"ge-corps-1": "Eastern Front", "us-corps-1": UK, "ge-corps-2": "Paris"}))) == []


def test_fe_m3_beach_heads_open_to_the_axis_with_an_allied_marker_only(stand, board):
    def may_enter(verdict):
        tracer = verdict.ways.tracer_of[verdict.row_of["ge-corps-1"]]
        return bool(verdict.ways.legal[tracer][board.index["Husky East"]])

    assert may_enter(stand({"ge-corps-1": "Gela"}, allied=["Husky East"]))
    assert not may_enter(stand({"ge-corps-1": "Gela"}))
    assert list(check_places(stand({"ge-corps-1": "Husky East"}))) == [], "one that entered in time may stay"


def moves(verdict, unit, space):
    """The spaces to which a unit could move from a space in one step."""
    tracer = verdict.ways.tracers[verdict.ways.tracer_of[verdict.row_of[unit]]]
    arcs, names = verdict.board.arcs, [s.key for s in verdict.board.map.spaces]
    use = verdict.ways.usable(["land"], tracer) & (arcs.tail == verdict.board.index[space])
    legal = verdict.ways.legal[tracer.number]
    return {names[h] for h in arcs.head[use].tolist() if legal[h]}


def test_fe_m2_boxes_and_the_hexes_beside_them(stand):
    verdict = stand({"us-corps-1": UK, "ge-corps-1": "Balkans Front"}, allied=["Overlord Normandy"])
    assert moves(verdict, "us-corps-1", UK) == {"Overlord Normandy"}
    assert UK in moves(verdict, "us-corps-1", "Overlord Normandy")
    assert UK not in moves(verdict, "ge-corps-1", "Overlord Normandy")
    assert "Trieste" in moves(verdict, "ge-corps-1", "Balkans Front")
    assert "Balkans Front" in moves(verdict, "ge-corps-1", "Trieste")
    assert "Balkans Front" not in moves(verdict, "us-corps-1", "Trieste")


def test_fe_m3_the_allies_land_from_a_box_only_where_a_marker_lies(stand):
    assert moves(stand({"us-corps-1": AFRICA}), "us-corps-1", AFRICA) == set()
    assert moves(stand({"us-corps-1": AFRICA}, allied=["Husky East"]), "us-corps-1", AFRICA) == {"Husky East"}


@pytest.mark.parametrize("kind", ["prohibited", "sea"])
def test_fe_m4_prohibited_hexsides_and_open_water_bar_movement_and_zones(game, kind):
    """On the map the side between Gela and Prizzi is both; each alone must do."""
    sides = [replace(h, kinds=frozenset([kind])) if {h.a, h.b} == {"Gela", "Prizzi"} else h for h in game.map.hexsides]
    altered = replace(game, map=replace(game.map, hexsides=tuple(sides)))
    position = Position("x", (Piece("ge-pz-corps-1", "ge-pz-corps-1", "Gela"),), controller="axis")
    verdict = judge(altered, Board.from_map(altered.map), position)
    assert "Prizzi" not in verdict.zone("axis") | moves(verdict, "ge-pz-corps-1", "Gela")
    assert {"Enna", "Syracuse"} <= verdict.zone("axis") & moves(verdict, "ge-pz-corps-1", "Gela")


def test_fe_m5_kristiansand_and_denmark_for_the_allies_only(stand):
    verdict = stand({"us-corps-1": "Oslo", "ge-corps-1": "Kiel"})
    denmark = {"Hirtshals", "Viborg"}
    assert moves(verdict, "us-corps-1", "Kristiansand") >= denmark
    assert not moves(verdict, "ge-corps-1", "Kristiansand") & denmark
    assert "Kristiansand" in moves(verdict, "us-corps-1", "Viborg")
    assert "Kristiansand" not in moves(verdict, "ge-corps-1", "Viborg")


@pytest.mark.parametrize(
    ("events", "wrong"),
    [
        ((), set()),
        (("tehran",), {"us-corps-1"}),
        (("tehran", "stalin-betrayed"), set()),  # 16.2
        (("enemy-at-the-gates",), {"us-corps-1", "ge-corps-1"}),
        (("tehran", "enemy-at-the-gates", "stalin-betrayed"), {"us-corps-1", "ge-corps-1"}),
    ],
)
def test_fe_m8_the_soviet_zone(stand, events, wrong):
    verdict = stand({"us-corps-1": "Danzig", "ge-corps-1": "Breslau", "ge-corps-2": "Munich"}, events=events)
    assert {i for f in check_places(verdict) for i in f.facts["pieces"]} == wrong


# Zones of control --------------------------------------------------------------------------------------------------


def test_fe_z1_only_supplied_mechanized_armies_and_corps_exert_one(stand):
    at = {"ge-pz-corps-1": "Munich", "ge-pz-army-1": "Aachen", "ge-corps-1": "Metz", "ge-army-1": "Nancy"}
    at |= {"fortress-saar": "The Saar", "us-army-5": UK, "br-corps-1": UK}
    assert stand(at).exerting == ("ge-pz-corps-1", "ge-pz-army-1", "us-army-5")
    limited = stand({"ge-pz-corps-1": "Oslo"})
    assert limited.supply == {"ge-pz-corps-1": "limited"} and limited.exerting == ("ge-pz-corps-1",)
    out = stand({"ge-pz-corps-1": "Limoges"}, axis=["Limoges"], controller="allied")
    assert out.supply == {"ge-pz-corps-1": "out"} and out.exerting == () and out.zone("axis") == frozenset()


def test_fe_z2_into_every_adjacent_hex_but_over_no_prohibited_hexside(stand):
    zone = stand({"ge-pz-corps-1": "Gela"}).zone("axis")
    assert {"Enna", "Syracuse", "Husky East", "Husky West"} <= zone, "beach heads too"
    assert "Prizzi" not in zone


def test_fe_z2_not_between_kristiansand_and_denmark(stand):
    axis = stand({"ge-pz-corps-1": "Kristiansand"}).zone("axis")
    allied = stand({"us-army-5": "Hirtshals", "br-army-8": "Viborg"}, controller="allied").zone("allied")
    assert "Mandal" in axis and not axis & {"Hirtshals", "Viborg"}
    assert "Hadsund" in allied and "Kristiansand" not in allied


def test_fe_z2_not_into_the_other_sides_boxes(stand):
    allied = stand({"us-army-5": "Trieste", "br-army-8": "Vienna"}, controller="allied").zone("allied")
    assert "Villach" in allied and not allied & {"Balkans Front", "Eastern Front"}
    axis = stand({"ge-pz-corps-1": "Husky East", "ge-pz-corps-2": "Overlord Normandy"})
    assert {"Gela", "Caen"} <= axis.zone("axis") and not axis.zone("axis") & {UK, AFRICA}


def test_fe_z3_a_friendly_unit_negates_a_zone_for_supply_and_retreat_only(stand, game):
    # Versailles hangs on Paris; a panzer corps in Melun puts Versailles and Paris in its zone.
    at = {"us-corps-1": "Chartres", "ge-pz-corps-1": "Melun"}
    mine = ["Chartres", "Versailles", "Paris"]
    cut = stand(at, allied=mine)
    assert cut.supply["us-corps-1"] == "out"
    assert {b.space: b.reason for b in why(cut, "us-corps-1").blocks}["Versailles"] == (
        "in the zone of control of ge-pz-corps-1"
    )
    held = stand({**at, "br-corps-1": "Versailles", "pol-corps-1": "Paris"}, allied=mine)
    assert held.supply["us-corps-1"] == "full"
    (zoc,) = game.rulebook.zoc
    assert [n.purposes for n in zoc.negated_by] == [("supply", "retreat")]
    move, redeployment, retreat = zoc.effects
    assert move.moves == ("move", "advance") and redeployment.moves == ("redeployment",)
    assert (move.enter, move.from_zone_to_zone, redeployment.enter, retreat.retreat) == (
        "stop",
        "forbidden",
        "stop",
        "stop",
    )


def test_fe_z4_an_interdiction_marker_cancels_axis_zones_within_four_hexes(stand, board):
    at = {"ge-pz-corps-1": "Rome"}
    assert "Anzio" in stand(at).zone("axis")
    assert stand({**at, "tac-us-a/1": "Naples"}).zone("axis") == frozenset(), "Rome is three hexes away"
    assert "Anzio" in stand({**at, "tac-us-a": "Naples"}).zone("axis"), "the other face is no interdiction"
    allied = stand({"us-army-5": "Rome", "tac-us-a/1": "Naples"}, controller="allied").zone("allied")
    assert "Anzio" in allied, "Allied zones are not cancelled"


@pytest.mark.parametrize(("marker", "corps"), [("Perugia", "Parma"), ("Foggia", "Rome")])
def test_fe_z4_the_range_is_counted_in_hexes_over_prohibited_hexsides_too(stand, game, marker, corps):
    """The board counts steps, prohibited hexsides included; on a hex grid that is the distance of the cells."""
    at = game.map.by_key
    grid = game.map.grids["main"]
    before = stand({"ge-pz-corps-1": corps}).zone("axis")
    after = stand({"ge-pz-corps-1": corps, "tac-us-a/1": marker}).zone("axis")
    distance = {s: int(grid.distance([at[marker].cell], [at[s].cell])[0]) for s in before}
    assert after == {s for s in before if distance[s] > 4}
    assert set() < after < before, "some of the zone is near the marker and some is not"
    assert not any(b.hexsides for b in game.rulebook.edges["air"].bars)


def test_fe_z4_from_a_box_the_range_begins_with_its_beach_heads(stand):
    # From the box: Husky East 1, Gela 2, Enna 3; the Po valley is farther than four from every beach head's box.
    assert "Enna" in stand({"ge-pz-corps-1": "Palermo"}).zone("axis")
    assert "Enna" not in stand({"ge-pz-corps-1": "Palermo", "tac-us-a/1": AFRICA}).zone("axis")
    assert "Brescia" in stand({"ge-pz-corps-1": "Milan", "tac-us-a/1": AFRICA}).zone("axis")


def test_fe_z5_a_zone_needs_supply_and_cuts_it(stand):
    # A panzer corps in Prizzi puts Palermo, the only port of the Allied unit in Enna, in its zone if it is supplied.
    at = {"us-corps-1": "Enna", "ge-pz-corps-1": "Prizzi"}
    allied = ["Enna", "Palermo", "Messina", "Syracuse", "Trapani", "Gela", "Husky West"]
    cut_off = stand(at, allied=allied)
    assert cut_off.supply == {"us-corps-1": "full", "ge-pz-corps-1": "out"}
    assert cut_off.undecided.tolist() == [] and cut_off.exerting == ("us-corps-1",)


def test_fe_z5_two_units_that_cut_each_other_are_undecided(stand):
    allied = ["Enna", "Gela", "Trapani", "Husky West"]
    verdict = stand({"us-corps-1": "Enna", "ge-pz-corps-1": "Prizzi"}, allied=allied)
    assert {f.facts["piece"] for f in check_zoc(verdict)} == {"us-corps-1", "ge-pz-corps-1"}
    by_piece = {f.facts["piece"]: f for f in check_supply(verdict)}
    assert by_piece["us-corps-1"].facts["circle"] == ["us-corps-1", "ge-pz-corps-1", "us-corps-1"]
    assert (by_piece["us-corps-1"].facts["worst"], by_piece["us-corps-1"].facts["best"]) == ("out", "full")
    # A friend in the beach head lifts the zone there for supply, and the question is settled.
    settled = stand({"us-corps-1": "Enna", "ge-pz-corps-1": "Prizzi", "br-corps-1": "Husky West"}, allied=allied)
    assert settled.undecided.tolist() == [] and settled.supply["us-corps-1"] == "full"
    assert settled.supply["ge-pz-corps-1"] == "out"


# Supply ------------------------------------------------------------------------------------------------------------


def ends_in(verdict, unit):
    account = why(verdict, unit)
    return account.steps[-1].space if account.steps else account.space


@pytest.mark.parametrize(("unit_at", "source"), [("Versailles", "Paris"), ("Cassino", "Naples")])
def test_fe_s1_paris_and_naples_while_allied_controlled(stand, unit_at, source):
    # Naples is a port too, so the zone of a panzer corps in the beach head's place keeps nothing: only control counts.
    verdict = stand({"us-corps-1": unit_at}, allied=[unit_at, source])
    assert verdict.supply == {"us-corps-1": "full"} and ends_in(verdict, "us-corps-1") == source
    assert stand({"us-corps-1": unit_at}, allied=[unit_at]).supply == {"us-corps-1": "out"}


@pytest.mark.parametrize("box", [UK, AFRICA])
def test_fe_s1_both_reserve_boxes(stand, box):
    assert stand({"us-corps-1": box}).supply == {"us-corps-1": "full"}
    beach = {UK: "Overlord Normandy", AFRICA: "Husky East"}[box]
    landed = stand({"us-corps-1": beach}, allied=[beach])
    assert landed.supply == {"us-corps-1": "full"} and ends_in(landed, "us-corps-1") == box


@pytest.mark.parametrize("source", ["Berlin", "Breslau", "Munich", "The Ruhr"])
def test_fe_s2_german_sources(stand, board, source):
    beside = neighbour(board, source)
    supplied = stand({"ge-corps-1": beside, "it-corps-1": beside}, axis=[beside, source], controller="allied")
    assert supplied.supply == {"ge-corps-1": "full", "it-corps-1": "out"}, "for German units"
    assert stand({"ge-corps-1": beside}, axis=[beside], controller="allied").supply == {"ge-corps-1": "out"}


def neighbour(board, space):
    """A space that an army reaches from this one in a step, the same each time."""
    arcs, at = board.arcs, board.index[space]
    mask = board.arcs_joined("hexside") & ~board.arcs_joined("hexside.sea") & ~board.arcs_joined("hexside.prohibited")
    heads = sorted(arcs.head[mask & (arcs.tail == at)].tolist())
    return next(s.key for s in (board.map.spaces[h] for h in heads) if s.enterable and not s.features)


@pytest.mark.parametrize(
    ("unit", "source", "without", "having"),
    [
        ("ge-corps-1", "Salzburg", (), ("alpenfestung",)),
        ("it-corps-1", "Rome", ("italian-surrender",), ()),
        ("it-corps-1", "Milan", ("italian-surrender",), ("italian-surrender", "italian-social-republic")),
    ],
)
def test_fe_s2_sources_that_events_open_and_close(stand, board, unit, source, without, having):
    beside = neighbour(board, source)
    mine = {"axis": [beside, source], "controller": "allied"}
    assert stand({unit: beside}, events=without, **mine).supply == {unit: "out"}
    assert stand({unit: beside}, events=having, **mine).supply == {unit: "full"}
    other = "ge-corps-1" if unit.startswith("it") else "it-corps-1"
    assert stand({other: beside}, events=having, **mine).supply == {other: "out"}, "for one nation only"


def test_fe_s3_any_number_of_friendly_hexes_but_none_of_the_enemys(stand):
    # A German corps in Bayonne is far from the Ruhr; its line runs overland through all of France.
    verdict = stand({"ge-corps-1": "Bayonne"})
    assert verdict.supply == {"ge-corps-1": "limited"}
    line = [s.space for s in why(verdict, "ge-corps-1").steps]
    assert len(line) > 3 and line[-1] in {"The Ruhr", "Munich", "Berlin"}
    ring = ["Arcachon", "Mimizan", "Dax", "Oloron", "Mont-de-Marsan"]
    cut = stand({"ge-corps-1": "Bayonne"}, allied=ring)
    assert cut.supply == {"ge-corps-1": "out"}, "vacant enemy hexes stop it as well"
    assert {b.reason for b in why(cut, "ge-corps-1").blocks} == {"not controlled by axis"}


def test_fe_s3_only_hexes_that_the_unit_could_enter(stand):
    # Allied units reach the Hungarian border only over the Soviet zone once everything west of it is the enemy's.
    mine = ["Paris", "Breslau", "Neisse"]
    verdict = stand({"us-corps-1": "Neisse"}, allied=mine, events=["tehran"])
    assert verdict.supply == {"us-corps-1": "out"}
    assert "closed to it (rule 8.38)" in " ".join(b.reason for b in why(verdict, "us-corps-1").blocks)


def test_fe_s4_overland_to_a_port_and_straight_to_a_source(stand):
    verdict = stand({"us-corps-1": "Caen"}, allied=["Caen", "Cherbourg"])
    assert verdict.supply == {"us-corps-1": "full"}
    assert [s.space for s in why(verdict, "us-corps-1").steps] == ["Cherbourg", UK]
    assert stand({"us-corps-1": "Caen"}, allied=["Caen"]).supply == {"us-corps-1": "out"}


def test_fe_s4_port_to_port_and_overland_but_no_third_port(stand):
    # Oslo by sea to Kiel or Bremen, and on to Berlin or the Ruhr.
    verdict = stand({"ge-corps-1": "Oslo"})
    steps = why(verdict, "ge-corps-1").steps
    assert verdict.supply == {"ge-corps-1": "limited"} and [s.over for s in steps].count(("sea",)) == 1
    # Cagliari to Naples is one sea; the way on to the Atlantic would need two ports more.
    mine = ["Cagliari", "Brest", "Bremen", "Oldenburg", "Cloppenburg", "Rheine", "Munster", "The Ruhr"]
    assert stand({"ge-corps-1": "Cagliari"}, axis=mine, controller="allied").supply == {"ge-corps-1": "out"}


def test_fe_s4_antwerp_needs_the_scheldt(stand):
    mine = ["Brussels", "Antwerp"]
    assert stand({"us-corps-1": "Brussels"}, allied=mine).supply == {"us-corps-1": "out"}
    opened = stand({"us-corps-1": "Brussels"}, allied=[*mine, "The Scheldt"])
    assert [s.space for s in why(opened, "us-corps-1").steps] == ["Antwerp", UK]
    axis = stand({"ge-corps-1": "Antwerp"}, axis=["Antwerp", "Bremen", "Berlin"], controller="allied")
    assert axis.supply == {"ge-corps-1": "out"}
    assert stand({"ge-corps-1": "Antwerp"}, allied=["The Scheldt", *around(stand, "Antwerp")]).supply == {
        "ge-corps-1": "limited"
    }, "the Axis may use Antwerp without the Scheldt"


def around(stand, space):
    board = stand({}).board
    arcs = board.arcs
    heads = arcs.head[board.arcs_joined("hexside") & (arcs.tail == board.index[space])].tolist()
    return [board.map.spaces[h].key for h in sorted(set(heads)) if board.map.spaces[h].enterable]


def test_fe_s4_a_beach_head_with_an_allied_marker_is_a_port_of_the_allies(stand):
    # Vesuve is beside no box: its units live by sea.
    verdict = stand({"us-corps-1": "Vesuve"}, allied=["Vesuve"])
    assert verdict.supply == {"us-corps-1": "full"}
    assert [(s.space, s.over) for s in why(verdict, "us-corps-1").steps] == [(AFRICA, ("sea",))]
    assert stand({"us-corps-1": "Corsica"}, allied=["Corsica", "Vesuve"]).supply == {"us-corps-1": "full"}
    lost = stand({"ge-corps-1": "Husky East"}, allied=["Gela", "Syracuse"])
    assert lost.supply == {"ge-corps-1": "out"}, "for the Axis it is no port"


def test_fe_s5_up_to_three_hexes_is_full_and_farther_limited(stand):
    near = ["Ingolstadt", "Regensburg"]
    assert stand({"ge-corps-1": near[0]}).supply == {"ge-corps-1": "full"}
    line = ["Cherbourg", "Avranches", "Vitre", "Laval", "Angers"]
    for distance, space in enumerate(line):
        verdict = stand({"us-corps-1": space}, allied=line)
        assert verdict.supply == {"us-corps-1": "full" if distance <= 3 else "limited"}, space


def test_fe_s5_axis_lines_through_ports_are_limited(stand):
    way = [s.space for s in why(stand({"ge-corps-1": "Bremen"}), "ge-corps-1").steps]
    assert len(way) <= 4 and way[-1] == "The Ruhr"
    far = stand({"ge-corps-1": "Bergen"}, axis=["Bergen", "Bremen", *way], controller="allied")
    assert far.supply == {"ge-corps-1": "limited"}
    steps = why(far, "ge-corps-1").steps
    assert (steps[0].space, steps[0].over) == ("Bremen", ("sea",)) and [s.space for s in steps[1:]] == way


def test_fe_s6_toulouse(stand, game):
    france = [k for k in of_country(game, "France") if "port" not in game.map.by_key[k].features and k != "Paris"]
    france = [k for k in france if "beach-head" not in game.map.by_key[k].features]
    far = stand({"us-corps-1": "Toulouse"}, allied=[*france, "Cherbourg"])
    assert far.supply == {"us-corps-1": "limited"} and ends_in(far, "us-corps-1") == UK
    west = stand({"us-corps-1": "Toulouse"}, allied=[*france, "Cherbourg", "Bordeaux"])
    assert west.supply == {"us-corps-1": "full"} and ends_in(west, "us-corps-1") == UK
    assert "Bordeaux" in [s.space for s in why(west, "us-corps-1").steps]
    south = stand({"us-corps-1": "Toulouse"}, allied=[*france, "Cherbourg", "Marseilles"])
    assert south.supply == {"us-corps-1": "full"} and ends_in(south, "us-corps-1") == AFRICA


@pytest.mark.parametrize(("space", "grade"), [("Brussels", "full"), ("Sedan", "full"), ("Metz", "limited")])
def test_fe_s6_within_three_hexes_of_antwerp(stand, game, space, grade):
    inland = [
        k
        for country in ("Belgium", "Netherlands", "France")
        for k in of_country(game, country)
        if not game.map.by_key[k].features & {"port", "beach-head"} and k != "Paris"
    ]
    verdict = stand({"us-corps-1": space}, allied=[*inland, "Antwerp"])
    assert verdict.supply == {"us-corps-1": grade}
    assert "Antwerp" in [s.space for s in why(verdict, "us-corps-1").steps]
    without = [k for k in inland if k != "The Scheldt"]
    assert stand({"us-corps-1": space}, allied=[*without, "Antwerp"]).supply == {"us-corps-1": "out"}


def test_fe_s7_units_out_of_supply_die_but_not_beside_their_fortress(stand):
    ring = ["Carhaix"]
    at = {"fortress-brest": "Brest", "ge-corps-1": "Brest", "ge-army-1": "Limoges"}
    pocket = around(stand, "Limoges")
    verdict = stand(at, allied=[*ring, *pocket])
    # Brest is a port: by sea it still has a line, until the ports beyond are lost.
    assert verdict.supply["ge-corps-1"] == "limited" and losses(verdict).dies == ("ge-army-1",)
    lost = stand(at, axis=["Brest", "Limoges"], controller="allied")
    assert losses(lost).dies == ("ge-army-1",) and losses(lost).spared == ("fortress-brest", "ge-corps-1")
    assert {f.facts["space"] for f in check_supply(lost)} == {"Brest", "Limoges"}


def test_fe_s7_a_vacant_hex_that_would_be_out_of_supply_turns(stand):
    assert losses(stand({}, axis=["Limoges"], controller="allied")).turns == ("Limoges",)
    held = stand({"ge-corps-1": "Limoges"}, axis=["Limoges"], controller="allied")
    assert losses(held).turns == (), "it is not vacant"
    # Allied hexes without a line turn as well, and the Axis hex among them does while the ring is closed.
    pocket = around(stand, "Limoges")
    assert set(losses(stand({}, allied=pocket)).turns) == {"Limoges", *pocket}
    assert set(losses(stand({}, allied=pocket[1:])).turns) == set(pocket[1:])


def test_fe_s8_cost_to_activate(stand):
    full = stand({"ge-corps-1": "Munich", "ge-army-1": "Munich"})
    assert charge(full, "Munich", "move").points == charge(full, "Munich", "attack").points == 1
    limited = stand({"fortress-brest": "Brest", "ge-corps-1": "Brest", "ge-corps-2": "Brest"})
    assert set(limited.supply.values()) == {"limited"}
    assert charge(limited, "Brest", "move").points == 1
    assert charge(limited, "Brest", "attack").points == 3, "the fortress counts"
    out = stand({"ge-corps-1": "Limoges", "ge-corps-2": "Limoges"}, allied=around(stand, "Limoges"))
    assert charge(out, "Limoges", "move").points == charge(out, "Limoges", "attack").points == 2


def test_fe_s9_italian_units_before_surrender(stand):
    good = {"it-corps-1": "Messina", "it-corps-2": "Toulon", "it-corps-3": "Corsica", "it-corps-4": "Cagliari"}
    good |= {"it-corps-5": "Balkans Front", "it-army-4": "Milan", "it-army-5": "Shingle"}
    assert list(check_places(stand(good, allied=["Shingle"]))) == []
    bad = stand({"it-corps-1": "Paris", "it-corps-2": "Munich", "it-corps-3": "Eastern Front", "ge-corps-1": "Paris"})
    assert {i for f in check_places(bad) for i in f.facts["pieces"]} == {"it-corps-1", "it-corps-2", "it-corps-3"}


@pytest.mark.parametrize(
    ("events", "wrong"),
    [
        (("italian-surrender",), {"it-corps-1", "it-army-4", "it-corps-2"}),
        (("italian-surrender", "italian-social-republic"), {"it-army-4"}),
    ],
)
def test_no_italian_unit_after_the_surrender_but_the_corps_of_the_social_republic(stand, events, wrong):
    verdict = stand({"it-corps-1": "Paris", "it-army-4": "Rome", "it-corps-2": "Balkans Front"}, events=events)
    assert {i for f in check_places(verdict) for i in f.facts["pieces"]} == wrong  # 13.2, 13.3


def test_fe_s9_the_bound_holds_for_the_line_too(stand, game):
    # Toulon is beside Italy. With Savona and the Alps lost, its land way to Rome leads through France.
    sides = ["Savona", "Sospel"]
    assert stand({"it-corps-1": "Toulon"}, allied=sides).supply == {"it-corps-1": "limited"}, "by sea"
    ports = [s.key for s in game.map.spaces if "port" in s.features and s.traits.get("sea") == "mediterranean"]
    lost = [*sides, *(p for p in ports if p != "Toulon")]
    cut = stand({"it-corps-1": "Toulon", "ge-corps-1": "Toulon"}, allied=lost)
    assert cut.supply == {"it-corps-1": "out", "ge-corps-1": "limited"}
    assert "closed to it (rule 13.1)" in " ".join(b.reason for b in why(cut, "it-corps-1").blocks)


def test_fe_s9_german_armies_south_of_the_arno(stand):
    at = {"ge-army-1": "Rome", "ge-corps-1": "Rome", "ge-army-7": "Milan", "it-army-4": "Rome"}
    (finding,) = check_places(stand(at))
    assert finding.facts["pieces"] == ["ge-army-1"] and finding.facts["cite"] == "13.1"
    assert list(check_places(stand(at, events=["italian-disarmament"]))) == []


# The set-ups -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["campaign", "overlord"])
def test_fe_u3_the_checks_run_clean_on_the_set_ups(game, board, name):
    verdict = judge(game, board, game.setup[name])
    assert len(verdict.layout.pieces) == len(game.setup[name].pieces), "every piece stands on the map"
    assert [str(f) for f in check_position(verdict)] == []
    assert losses(verdict).dies == () == losses(verdict).turns


# Control -----------------------------------------------------------------------------------------------------------


def changed(verdict, *moves):
    """Move and tell who took what."""
    position, changes = after_moves(verdict, [Move(*m) for m in moves])
    assert all(position.control[c.space] == c.after for c in changes)
    return [(c.space, c.before, c.after) for c in changes]


def test_fe_c1_a_unit_that_enters_takes_the_hex(stand):
    verdict = stand({"us-corps-1": "Naples"}, allied=["Naples"])
    assert changed(verdict, ("us-corps-1", "Naples", "Cassino", "move")) == [("Cassino", "axis", "allied")]
    assert changed(stand({"ge-corps-1": "Rome"}), ("ge-corps-1", "Rome", "Cassino", "move")) == []


def test_fe_c1_a_retreat_takes_the_hex_where_it_ends_and_none_on_the_way(stand):
    verdict = stand({"us-corps-1": "Naples"}, allied=["Naples"])
    way = [("us-corps-1", "Naples", "Cassino", "retreat"), ("us-corps-1", "Cassino", "Rome", "retreat")]
    assert changed(verdict, *way) == [("Rome", "axis", "allied")]


def test_fe_c1_a_box_and_a_hex_that_an_enemy_holds_stay_as_they_are(stand):
    verdict = stand({"us-corps-1": "Naples", "ge-corps-1": "Cassino"}, allied=["Naples"])
    assert changed(verdict, ("us-corps-1", "Naples", "Cassino", "move")) == []
    assert changed(verdict, ("us-corps-1", "Naples", AXIS_BOXES[0], "move")) == []


def test_fe_c1_a_vacant_hex_out_of_supply_turns_in_the_attrition_phase(stand):
    verdict = stand({}, allied=["Prague"])
    assert "Prague" in losses(verdict).turns
    assert after_attrition(verdict).control["Prague"] == "axis"
    assert after_attrition(stand({}, axis=["Prague"])).control.get("Prague", "axis") == "axis"


def test_a_fortress_stands_only_in_the_hex_that_it_is_named_for(stand):
    assert list(check_own_spaces(stand({"fortress-brest": "Brest"}))) == []
    (finding,) = check_own_spaces(stand({"fortress-brest": "Aachen"}))
    assert finding.rule.code == "P603" and finding.message == "fortress-brest may be only at Brest (rule 2.21)"
