"""Whatever stands in rules.toml or in a set-up, it is read to findings and judged without an exception."""

from __future__ import annotations

import copy
import random
import tomllib
from dataclasses import replace

import pytest
import tiny
from rulings import GAMES, ROOT, load

from toolchain.checks.judge import judge
from toolchain.checks.positions import check_position
from toolchain.checks.reasons import Reasons
from toolchain.graph.board import Board
from toolchain.report import Report, by_rows
from toolchain.sources.decode.rules import decode_rules
from toolchain.sources.decode.setups import COLUMNS, WHAT, decode_setup
from toolchain.sources.decode.vocabulary import Vocabulary
from toolchain.sources.documents import read_table

ODD = ["", "x", 0, -1, 1e308, float("nan"), True, False, [], {}, [[]], [{}], {"a": {}}, ["x", 1], {"any": []}, 10**30]
ODD += [{"not": {}}, {"side": "friendly"}, {"control": "enemy"}, {"nation": "own"}, {"in": {"control": "own"}}, "1/0"]
ODD += ["land", "supplied", ["land", "road"], {"holds": {"side": "enemy"}}, {"turn": {"from": 2, "to": 1}}]


def places(value, path=()):
    """Every place of a document but the whole."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        yield (*path, key)
        yield from places(inner, (*path, key))


def spoilt(raw, dice):
    """Change, rename, double or remove something in a document."""
    raw = copy.deepcopy(raw)
    for _ in range(dice.randint(1, 3)):
        *way, last = dice.choice(list(places(raw)))
        at = raw
        for key in way:
            at = at[key]
        deed = dice.random()
        if deed < 0.6:
            at[last] = dice.choice(ODD)
        elif isinstance(at, list):
            at.append(at[last])
        elif deed < 0.8:
            at[f"{last}q"] = at.pop(last)
        else:
            del at[last]
    return raw


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("seed", range(6))
def test_spoilt_rules_are_findings_with_a_key_and_judge_all_the_same(name, seed):
    dice = random.Random(seed)
    loaded, _, board = load(name)
    game = loaded.game
    rules = tomllib.loads((ROOT / "modules" / name / "rules.toml").read_text("utf-8"))
    words = Vocabulary.of(game.map, game.counters, game.sides, game.events)
    for _ in range(20):
        report = Report()
        book = decode_rules(spoilt(rules, dice), "rules.toml", words, report)
        assert all(f.where.key or not f.where.line for f in report)
        verdict = judge(replace(game, rulebook=book), board, dice.choice(game.setups))
        list(check_position(verdict))
        reasons = Reasons(verdict)
        for piece in verdict.layout.pieces:
            reasons.why(piece.id)


CELLS = [
    "",
    "piece",
    "control",
    "turn",
    "fact",
    "red",
    "r1",
    "r1#2",
    "0101",
    "zz",
    "full",
    "²",
    "9" * 5000,
    "-1",
    "out",
]


@pytest.mark.parametrize("seed", range(8))
def test_set_ups_of_odd_cells_are_findings_with_their_rows(seed, tmp_path):
    dice = random.Random(seed)
    rows = [[dice.choice([*WHAT, *CELLS]), *(dice.choice(CELLS) for _ in COLUMNS[1:])] for _ in range(200)]
    path = tmp_path / "odd.csv"
    path.write_text("\n".join(",".join(row) for row in [list(COLUMNS), *rows]), "utf-8")
    report = Report()
    table = read_table(path, "odd.csv", report)
    units = [tiny.unit("r1"), tiny.unit("b1", "blue")]
    counters = {u.id: u for u in units}
    position = decode_setup(table, "odd", counters, tiny.SIDES, tiny.EVENTS, "", report)
    assert report.failed and all(f.where.file == "odd.csv" and f.where.line for f in report)
    game = tiny.game(tiny.hexmap(1, 3), units)
    found = list(check_position(judge(game, Board.from_map(game.map), position)))
    assert all(f.message for f in found)


def test_thousands_of_mistakes_in_a_position_are_all_told_each_once(tmp_path):
    rows = ["piece,zz,0101", *["piece,r1,0101"] * 2000, *["pieec,r1,0101"] * 2000, *["piece,rr1,0101"] * 2000]
    path = tmp_path / "many.csv"
    path.write_text("what,item,at\n" + "\n".join(rows), "utf-8")
    report = Report()
    table = read_table(path, "many.csv", report)
    decode_setup(table, "many", {"r1": tiny.unit("r1")}, tiny.SIDES, tiny.EVENTS, "", report)
    groups = by_rows(report)
    assert sorted(len(lines) for _, lines in groups) == [1, 1, 2000, 2000]
    text = " | ".join(f.message for f, _ in groups)
    assert "'r1' is placed 2000 times, at 0101, and there is 1 of it" in text
    assert "did you mean 'piece'?" in text and "did you mean 'r1'?" in text


@pytest.mark.parametrize("key", ["never", "when"])
def test_what_lies_within_itself_without_end_is_a_finding(key):
    inner = {"space": "0101"} if key == "never" else {"event": "rain"}
    for _ in range(400):
        inner = {"not": [inner]}
    report = Report()
    words = Vocabulary.of(tiny.hexmap(1, 1), [tiny.unit("r1")], tiny.SIDES, tiny.EVENTS)
    decode_rules({"format": 1, "entry": [{"never": {"space": "0101"}, key: inner}]}, "rules.toml", words, report)
    (finding,) = report
    assert finding.rule.code == "S011" and "deep within each other" in finding.message


@pytest.mark.parametrize(
    ("rows", "code", "line", "column", "words"),
    [
        ("turn,1,,\nturn,2,,", "S013", 3, "item", "another turn, '1'"),
        ("controller,red,,\ncontroller,blue,,", "S013", 3, "item", "another controller, 'red'"),
        ("fact,weather,,dry\nfact,weather,,mud", "S013", 3, "item", "another fact weather, 'dry'"),
        ("fact,weather,dry,", "S012", 2, "state", "the value of the fact"),
        ("turn," + "9" * 5000 + ",,", "S011", 2, "item", "999...999"),
        ("piece,r1,0101,\npiece,r1,0102,", "S013", 3, "item", "placed 2 times, at 0101, 0102, and there is 1"),
    ],
)
def test_what_a_position_states_twice_or_not_at_all(rows, code, line, column, words, tmp_path):
    path = tmp_path / "odd.csv"
    path.write_text("what,item,at,state\n" + rows + "\n", "utf-8")
    report = Report()
    decode_setup(
        read_table(path, "odd.csv", report), "odd", {"r1": tiny.unit("r1")}, tiny.SIDES, tiny.EVENTS, "", report
    )
    (finding,) = report
    assert (finding.rule.code, finding.where.line, finding.where.column) == (code, line, column)
    assert words in finding.message and len(finding.message) < 200
