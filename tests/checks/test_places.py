"""Who may stand where, and with whom, on tiny maps."""

from __future__ import annotations

import tiny

from toolchain.checks.places import check_apart, check_places

MAP = tiny.hexmap(1, 4, closed=["0104"], traits={"0103": {"zone": "east"}, "0102": {"zone": "west"}})
UNITS = [
    tiny.unit("r1"),
    tiny.unit("r2", kind="army"),
    tiny.unit("b1", "blue"),
    tiny.unit("flag", role="marker"),
    tiny.unit("plume", "blue", role="marker"),
]
BOUNDS = """
format = 1
[[entry]]
of = { side = "red", kind = "army" }
never = { zone = "east" }
unless = { event = "rain" }
cite = "8.1"
[[entry]]
of = { side = "blue" }
only = { zone = ["east", "west"] }
assumed = "a guess"
[[entry]]
of = { side = "red" }
never = { zone = "west" }
when = { event = "truce" }
stays = true
[[apart]]
by = "side"
cite = "3.3"
"""


def places(at, *events):
    return list(check_places(tiny.verdict(tiny.game(MAP, UNITS, BOUNDS), at, events=frozenset(events))))


def test_a_bound_holds_for_its_pieces_in_its_spaces_at_its_time():
    assert places({"r1": "0103"}) == []
    (finding,) = places({"r2": "0103"})
    assert finding.rule.code == "P601" and finding.message == "r2 may not be here (rule 8.1)"
    assert places({"r2": "0103"}, "rain") == []


def test_only_shuts_all_other_spaces_and_says_assumed():
    assert places({"b1": "0102"}) == []
    (finding,) = places({"b1": "0101"})
    assert finding.message == "b1 may not be here (assumed)"


def test_a_bound_on_entering_lets_a_piece_stay():
    assert places({"r1": "0102"}, "truce") == []


def test_no_unit_stands_where_the_map_lets_none_but_a_marker_may():
    (finding,) = places({"r1": "0104", "flag": "0104"})
    assert finding.message == "r1 stands where no unit may enter"


def test_bounds_hold_for_markers_that_they_name_as_their_side_sees_it():
    bound = (
        '[[entry]]\nof = { role = "marker", id = ["flag", "plume"] }\nonly = { control = "friendly" }\ncite = "9.2"\n'
    )
    game = tiny.game(MAP, UNITS, BOUNDS + bound)
    (finding,) = check_places(tiny.verdict(game, {"flag": "0104", "plume": "0104"}, {"0104": "red"}))
    assert finding.message == "plume may not be here (rule 9.2)"


def test_sides_kept_apart():
    game = tiny.game(MAP, UNITS, BOUNDS)
    assert list(check_apart(tiny.verdict(game, {"r1": "0101", "r2": "0101", "b1": "0102"}))) == []
    (finding,) = check_apart(tiny.verdict(game, {"r1": "0102", "b1": "0102", "r2": "0101"}))
    assert finding.rule.code == "P602"
    assert finding.message == "blue (b1) and red (r1) may not share a space (rule 3.3)"
