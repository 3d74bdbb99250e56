"""Movement against a brute-force twin, and the effects of zones of control."""

from __future__ import annotations

import itertools

import tiny
from hypothesis import given, settings
from hypothesis import strategies as st

from toolchain.checks.movement import find_reachable

MOVEMENT = """
[[movement]]
over = "land"
points = "moves"
costs = [
  { into = { terrain = "swamp" }, points = 3 },
  { into = { terrain = "hill" }, points = 2 },
  { hexside = "river", more = 1 },
]
cite = "6"
"""
EFFECT = 'needs = ["full", "limited"]\neffect = { enter = "stop", from_zone_to_zone = "forbidden" }\n'
RULES = tiny.RULES.replace('needs = ["full", "limited"]\n', EFFECT) + MOVEMENT
FREE = tiny.RULES + MOVEMENT


def reach(warmap, at, rules=RULES, piece="r1", control=None, **options):
    counters = [tiny.unit("r1", moves=3), tiny.unit("r2", moves=3), tiny.unit("b1", "blue", mech=True, moves=3)]
    return find_reachable(tiny.verdict(tiny.game(warmap, counters, rules), at, control), piece, **options)


def test_costs_by_terrain_and_hexside_add_up():
    warmap = tiny.hexmap(4, 1, terrain={"0201": "hill"}, sides={("0201", "0301"): "river", ("0301", "0401"): "wall"})
    got = reach(warmap, {"r1": "0101"}, points=9)
    assert [(s, got.cost_of(s)) for s in got.spaces] == [("0201", 2.0), ("0301", 4.0)]
    assert got.path("0301") == ("0101", "0201", "0301")
    assert got.cost_of("0401") is None and got.path("0401") == ()
    assert reach(warmap, {"r1": "0101"}).spaces == ("0201",)


def zone_map():
    """A row of hexes; blue's mech unit stands in 0402 and has supply, so that its zone lies around it."""
    return tiny.hexmap(6, 3, features={"0603": "city"})


def test_a_unit_stops_in_a_zone_and_does_not_go_from_one_to_another():
    control = {s.key: "blue" for s in zone_map().spaces if s.key > "03"}
    got = reach(zone_map(), {"r1": "0202", "b1": "0402"}, control=control)
    zones = {"0302", "0303", "0401", "0403", "0502", "0503"}
    assert got.cost_of("0302") == 1.0
    assert not {s for s in got.spaces if s in zones and len(got.path(s)) > 2 and got.path(s)[-2] in zones}
    free = reach(zone_map(), {"r1": "0202", "b1": "0402"}, FREE, control=control)
    assert set(got.spaces) < set(free.spaces)
    leaving = reach(zone_map(), {"r1": "0302", "b1": "0402"}, control=control)
    assert "0303" not in {leaving.path(s)[1] for s in leaving.spaces}, "not straight from zone to zone"


def test_a_unit_without_a_rule_stays():
    got = reach(
        tiny.hexmap(3, 1),
        {"r1": "0101"},
        FREE.replace('over = "land"\npoints', 'of = { side = "blue" }\nover = "land"\npoints'),
    )
    assert got.spaces == () and got.rule is None


def test_points_may_be_given_or_endless():
    warmap = tiny.hexmap(9, 1)
    assert len(reach(warmap, {"r1": "0101"}).spaces) == 3
    assert len(reach(warmap, {"r1": "0101"}, points=5).spaces) == 5
    assert len(reach(warmap, {"r1": "0101"}, points=float("inf")).spaces) == 8
    assert reach(warmap, {"r1": "0101"}, start="0501", points=1).spaces == ("0401", "0601")


TERRAINS = st.sampled_from(["clear", "hill", "swamp"])


@settings(max_examples=60, deadline=None)
@given(st.lists(TERRAINS, min_size=12, max_size=12), st.sets(st.integers(0, 20), max_size=8), st.integers(1, 6))
def test_the_same_as_trying_every_path(terrains, rivers, points):
    plain = tiny.hexmap(4, 3)
    keys = [s.key for s in plain.spaces]
    pairs = [(h.a, h.b) for h in plain.hexsides]
    sides = {pairs[i % len(pairs)]: "river" for i in rivers}
    ground = dict(zip(keys, terrains, strict=True))
    got = reach(tiny.hexmap(4, 3, terrain=ground, sides=sides), {"r1": keys[0]}, FREE, points=points)
    cost = {"clear": 1, "hill": 2, "swamp": 3}
    near: dict[str, list[str]] = {k: [] for k in keys}
    for a, b in pairs:
        near[a].append(b)
        near[b].append(a)
    best = {keys[0]: 0}
    paths = [(keys[0],)]
    while paths:  # every path without a loop that the points allow
        longer = []
        for path in paths:
            for head in near[path[-1]]:
                if head in path:
                    continue
                steps = list(itertools.pairwise((*path, head)))
                total = sum(cost[ground[b]] + ((a, b) in sides or (b, a) in sides) for a, b in steps)
                if total <= points:
                    best[head] = min(total, best.get(head, total))
                    longer.append((*path, head))
        paths = longer
    assert {s: got.cost_of(s) for s in got.spaces} == {s: float(c) for s, c in best.items() if s != keys[0]}
    for space in got.spaces:
        assert got.path(space)[0] == keys[0] and got.path(space)[-1] == space


def test_sf_z2_leaving_an_enemy_zone_costs_points_but_not_for_those_whom_the_rule_spares():
    control = {s.key: "blue" for s in zone_map().spaces if s.key > "03"}
    at = {"r1": "0302", "b1": "0402", "r2": "0302"}
    effects = "effects = [{ of = { id = 'r2' }, leave = 0 }, { leave = 2, enter = 1 }]"
    rules = FREE.replace('needs = ["full", "limited"]', 'needs = ["full", "limited"]\n' + effects)
    cost = {p: reach(zone_map(), at, rules, p, control, points=9).cost_of("0202") for p in ("r1", "r2")}
    assert cost == {"r1": 3.0, "r2": 1.0}
    into = reach(zone_map(), {**at, "r1": "0202"}, rules, "r1", control, points=9)
    assert into.cost_of("0302") == 2.0


STOPPING = tiny.RULES + MOVEMENT.replace(
    '{ hexside = "river", more = 1 },',
    '{ hexside = "bridge", ends = false }, { hexside = "river", more = 1 }, { hexside = "river", ends = true },',
)


def test_crossing_a_river_ends_the_move_but_not_at_a_bridge():
    sides = {("0102", "0103"): "river", ("0202", "0103"): "river", ("0202", "0203"): "river bridge"}
    got = reach(tiny.hexmap(2, 5, sides=sides), {"r1": "0102"}, STOPPING, points=9)
    assert got.path("0103") == ("0102", "0103") and got.cost_of("0103") == 2.0
    # Whoever goes on crosses at the bridge.
    assert got.path("0104") == ("0102", "0202", "0203", "0104") and got.cost_of("0104") == 4.0
    assert [k for k, end in zip(got.keys, got.ends.tolist(), strict=True) if end] == ["0103"]
    blown = reach(tiny.hexmap(2, 5, sides=sides | {("0202", "0203"): "river"}), {"r1": "0102"}, STOPPING, points=9)
    assert "0104" not in blown.spaces and blown.cost_of("0203") == 3.0
    again = reach(tiny.hexmap(2, 5, sides=sides), {"r1": "0102"}, STOPPING, moves=True)
    assert again.path("0104") == ("0102", "0103", "0104"), "in several moves a stop is no hindrance"


@settings(max_examples=60, deadline=None)
@given(st.sets(st.integers(0, 20), max_size=8), st.integers(1, 6))
def test_where_rivers_stop_the_same_as_trying_every_path(rivers, points):
    plain = tiny.hexmap(4, 3)
    pairs = [(h.a, h.b) for h in plain.hexsides]
    sides = {pairs[i % len(pairs)]: "river" for i in rivers}
    start = plain.spaces[0].key
    got = reach(tiny.hexmap(4, 3, sides=sides), {"r1": start}, STOPPING, points=points)
    best = {start: 0}
    queue = [(start, 0, frozenset({start}), False)]
    while queue:
        at, spent, seen, stopped = queue.pop()
        for a, b in [*pairs, *((b, a) for a, b in pairs)]:
            wet = (a, b) in sides or (b, a) in sides
            if a == at and b not in seen and not stopped and spent + 1 + wet <= points:
                best[b] = min(spent + 1 + wet, best.get(b, 99))
                queue.append((b, spent + 1 + wet, seen | {b}, wet))
    assert {s: got.cost_of(s) for s in got.spaces} == {s: float(c) for s, c in best.items() if s != start}
    for space in got.spaces:
        way = got.path(space)
        wet = [(a, b) in sides or (b, a) in sides for a, b in itertools.pairwise(way)]
        assert way[0] == start and way[-1] == space and True not in wet[:-1]


def test_each_kind_of_move_has_its_own_rule():
    march = '[[movement]]\nover = "land"\nmoves = "march"\npoints = 5\n'
    rules = FREE + march
    warmap = tiny.hexmap(6, 1)
    assert len(reach(warmap, {"r1": "0101"}, rules).spaces) == 3
    assert len(reach(warmap, {"r1": "0101"}, rules, kind="march").spaces) == 5
    assert reach(warmap, {"r1": "0101"}, rules, kind="flight").rule is None


def test_a_hub_joins_its_members_at_the_cost_of_any_step_while_nothing_bars_it():
    hub = """
[edges.ferry]
hub = { feature = "port" }
[[edges.ferry.barred_by]]
at = { feature = "port" }
unless = { control = { "0101" = "friendly" } }
[[movement]]
over = ["land", "ferry"]
points = "moves"
cost = 2
"""
    sides = {("0101", "0201"): "wall", ("0301", "0401"): "wall"}
    warmap = tiny.hexmap(4, 1, features={"0101": "port", "0301": "port"}, sides=sides)
    held = {"0101": "red", "0201": "red", "0301": "red"}
    got = reach(warmap, {"r1": "0101"}, tiny.RULES + hub, control=held)
    assert [(s, got.cost_of(s)) for s in got.spaces] == [("0301", 2.0)]
    assert reach(warmap, {"r1": "0101"}, tiny.RULES + hub, control=held, points=4).path("0201") == (
        "0101",
        "0301",
        "0201",
    )
    lost = held | {"0101": "blue"}
    assert reach(warmap, {"r1": "0301"}, tiny.RULES + hub, control=lost).spaces == ("0201",)


def test_spaces_of_a_rim_are_a_step_from_the_hub_and_not_from_each_other():
    rim = """
[edges.rear]
hub = { space = ["0101", "0301"] }
rim = { control = "friendly" }
[[movement]]
over = "rear"
points = 1
"""
    warmap = tiny.hexmap(6, 1)
    held = dict.fromkeys(("0301", "0401", "0501"), "red") | {"0201": "blue", "0601": "blue"}
    for start, spaces in (("0101", ("0301", "0401", "0501")), ("0401", ("0101", "0301")), ("0201", ())):
        assert reach(warmap, {"r1": start}, tiny.RULES + rim, control=held).spaces == spaces, start
    barred = rim.replace("[[movement]]", '[[edges.rear.barred_by]]\nat = { space = ["0301", "0501"] }\n[[movement]]', 1)
    assert reach(warmap, {"r1": "0101"}, tiny.RULES + barred, control=held).spaces == ("0401",)
