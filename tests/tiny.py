"""Tiny games for tests: a few hexes or points, a handful of counters, and rules as TOML text."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace

from toolchain.checks.judge import Verdict, judge
from toolchain.graph.board import Board
from toolchain.model.forces import Counter, Face, Side
from toolchain.model.game import Event, Game
from toolchain.model.hexes import HexGrid
from toolchain.model.position import Piece, Position
from toolchain.model.warmap import Hexside, Link, Sheet, Space, WarMap
from toolchain.report import Location, Report
from toolchain.sources.decode.rules import decode_rules
from toolchain.sources.decode.vocabulary import Vocabulary

SIDES = {"red": Side("red", "Red", ("R",)), "blue": Side("blue", "Blue", ("B", "C"))}
EVENTS = {"rain": Event("rain", "Rain"), "truce": Event("truce", "Truce")}

RULES = """
format = 1
grades = ["full", "limited"]
[edges.land]
join = ["hexside", "link.ferry"]
[[edges.land.barred_by]]
hexside = "wall"
cite = "1.1"
[edges.sea]
hub = { feature = "port" }
same = "sea"
[control]
holders = { role = "unit" }
cite = "2"
[[stacking]]
at_most = 2
cite = "3.1"
[[stacking.except]]
where = { feature = "port" }
of = { side = "red" }
at_most = 3
cite = "3.2"
[[stacking.except]]
where = { kind = "box" }
unlimited = true
[[apart]]
by = "side"
cite = "3.3"
[[zoc]]
of = { mech = true }
over = "land"
needs = ["full", "limited"]
cite = "4"
[[zoc.negated_by]]
of = { role = "unit", side = "friendly" }
for = "supply"
[[supply]]
of = { role = "unit" }
through = { control = "friendly" }
legal_entry = true
zoc_blocks = true
cite = "5"
[[supply.sources]]
where = { feature = "city", control = "friendly" }
[[supply.lines]]
grade = "full"
stages = [{ over = "land", at_most = 2 }]
[[supply.lines]]
grade = "limited"
stages = [{ over = "land" }, { over = "sea", at_most = 1 }, { over = "land" }]
[[attrition]]
spared = { holds = { kind = "fort", side = "friendly" } }
vacant_as = [{ role = "unit", side = "red" }, { role = "unit", side = "blue" }]
"""


def hexmap(
    columns: int,
    rows: int,
    features: Mapping[str, str] | None = None,
    traits: Mapping[str, Mapping[str, str]] | None = None,
    sides: Mapping[tuple[str, str], str] | None = None,
    links: Iterable[Link] = (),
    boxes: Iterable[str] = (),
    closed: Iterable[str] = (),
    terrain: Mapping[str, str] | None = None,
) -> WarMap:
    """Build a flat-topped map whose hexes are called by their numbers, 0101 at the upper left, column first."""
    grid = HexGrid("flat", 10.0, (0.0, 0.0), columns, rows)
    shut = set(closed)
    spaces = []
    for c, r in grid.cells.tolist():
        key = grid.label(c, r)
        spaces.append(
            Space(
                key,
                "hex",
                (0.0, 0.0),
                cell=(c, r),
                terrain=(terrain or {}).get(key, "clear"),
                features=frozenset((features or {}).get(key, "").split()),
                traits=(traits or {}).get(key, {}),
                enterable=key not in shut,
            )
        )
    spaces += [Space(b, "box", (0.0, 0.0), traits=(traits or {}).get(b, {})) for b in boxes]
    kinds = {frozenset(pair): frozenset(k.split()) for pair, k in (sides or {}).items()}
    hexsides = []
    for i, around in enumerate(grid.index(grid.neighbours(grid.cells).reshape(-1, 2)).reshape(-1, 6).tolist()):
        for j in around:
            if j > i:
                pair = spaces[i].key, spaces[j].key
                hexsides.append(Hexside(*pair, ((0, 0), (0, 0)), kinds.get(frozenset(pair), frozenset())))
    return WarMap("tiny", "Tiny", (Sheet("main", 100, 100),), tuple(spaces), tuple(hexsides), tuple(links))


def unit(
    id_: str, side: str = "red", nation: str = "", kind: str = "corps", role: str = "unit", **more: object
) -> Counter:
    """Make a counter; further values are attributes."""
    more.setdefault("mech", False)
    return Counter(
        id_,
        id_,
        role,
        side,
        nation or {"red": "R", "blue": "B"}.get(side, ""),
        kind,
        attributes=more,
        faces=(Face(), Face()),
    )


def game(warmap: WarMap, counters: Iterable[Counter], rules: str = RULES, report: Report | None = None) -> Game:
    """Make a game of two sides, red and blue; faults of the rules go to the report or fail the test."""
    mine = Report()
    counters = tuple(counters)
    words = Vocabulary.of(warmap, counters, SIDES, EVENTS)
    book = decode_rules(tomllib.loads(rules), "rules.toml", words, mine)
    if report is None:
        errors = [str(f) for f in mine if f.rule.code not in ("R102", "R105", "R101")]
        assert not errors, errors
    else:
        report.extend(mine)
    return Game("tiny", "Tiny", "1", "", SIDES, warmap, counters, book, events=EVENTS)


def position(at: Mapping[str, str], control: Mapping[str, str] | None = None, **more: object) -> Position:
    """Place pieces by id and space, in stacking order; ids like x#2 are further copies of x.

    more: fields of the position, and by piece id: on (what carries it), states, steps.
    """
    pieces = tuple(
        Piece(i, i.split("#")[0], where, where=Location("start.csv", n)) for n, (i, where) in enumerate(at.items(), 2)
    )
    on, states, steps = more.pop("on", {}), more.pop("states", {}), more.pop("steps", {})
    pieces = tuple(
        replace(p, on=on.get(p.id, ""), states=tuple(states.get(p.id, "").split()), step=steps.get(p.id, 0))
        for p in pieces
    )
    return Position("start", pieces, control=control or {}, where=Location("start.csv"), **more)


def verdict(game: Game, at: Mapping[str, str], control: Mapping[str, str] | None = None, **more: object) -> Verdict:
    """Judge a hand-made position."""
    moment = more.pop("moment", "")
    return judge(game, Board.from_map(game.map), position(at, control, **more), moment)


def with_side(game: Game, name: str, *counters: Counter) -> Game:
    """Add a third side and its counters."""
    return replace(game, sides={**game.sides, name: Side(name, name.title())}, counters=(*game.counters, *counters))


def facing(rules: str = RULES, **more: str) -> Verdict:
    """Red's line to 'R' runs over 'p', beside blue's 'B'; blue's line runs over 'q', beside red's 'R'."""
    links = [("R", "p"), ("p", "RC"), ("B", "q"), ("q", "BC")]
    zones = [("B", "p"), ("R", "q")]
    spaces = ["R", "p", "RC", "B", "q", "BC"]
    warmap = hexmap(
        1,
        1,
        boxes=spaces,
        traits={"RC": {"base": "yes"}, "BC": {"base": "yes"}},
        links=[Link(a, b, "ferry") for a, b in links] + [Link(a, b, "near") for a, b in zones],
    )
    rules = rules.replace(
        'where = { feature = "city", control = "friendly" }', 'where = { base = true, control = "friendly" }'
    )
    rules = rules.replace('over = "land"\nneeds', 'over = "near"\nneeds') + '[edges.near]\njoin = "link.near"\n'
    control = {"R": "red", "p": "red", "RC": "red", "B": "blue", "q": "blue", "BC": "blue"}
    units = [unit("rm", mech=True), unit("bm", "blue", mech=True), unit("r1")]
    return verdict(game(warmap, units, rules), {"rm": "R", "bm": "B", **more}, control)
