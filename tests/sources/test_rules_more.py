"""Mistakes in the rules of statuses, proportions, bounded stages, rivers downstream and steps that end moves."""

from __future__ import annotations

import tomllib

import pytest
import tiny

from toolchain.report import Report
from toolchain.sources.decode.rules import decode_rules
from toolchain.sources.decode.vocabulary import Vocabulary

MAP = tiny.hexmap(1, 3, sides={("0101", "0102"): "bridge"}, features={"0101": "city"})
UNITS = [tiny.unit("r1", re="1/2"), tiny.unit("b1", "blue", re="2")]
WORDS = Vocabulary.of(MAP, UNITS, tiny.SIDES, tiny.EVENTS)
HEAD = 'format = 1\ngrades = ["in"]\n[edges.rail]\njoin = "hexside"\n[edges.naval]\njoin = "hexside"\n'
LINE = '[[supply]]\nlines = [{ grade = "in", stages = [{ over = ["rail", "naval"], each = EACH }] }]\n'
SHARE = '[[proportion]]\nname = "armour"\nweigh = "re"\ncounts = [{ of = { side = "red" }, by = 1 }]\n'


def found(text):
    report = Report()
    book = decode_rules(tomllib.loads(HEAD + text), "rules.toml", WORDS, report)
    return book, [(f.rule.code, f.where.key, f.message) for f in report]


@pytest.mark.parametrize(
    ("text", "code", "key", "words"),
    [
        (
            LINE.replace("EACH", "{ navel = 1 }"),
            "R103",
            "supply.0.lines.0.stages.0.each.navel",
            "did you mean 'naval'?",
        ),
        (LINE.replace("EACH", "{ naval = -1 }"), "S011", "supply.0.lines.0.stages.0.each.naval", "not -1"),
        (
            LINE.replace("EACH", "{ rail = 99, naval = 9 }"),
            "S011",
            "supply.0.lines.0.stages.0.each",
            "1000 are too many",
        ),
        ('[[status]]\nname = "in"', "S011", "status.0.name", "a grade of supply already"),
        ('[[status]]\nname = "out"', "S011", "status.0.name", "a grade of supply already"),
        (
            '[[status]]\nname = "x"\nsources = [{ where = { feature = "city" }, serves = 1 }]',
            "S011",
            "status.0.sources.0.serves",
            "does not count",
        ),
        (
            '[[status]]\nname = "x"\nlines = [{ grade = "in", stages = [] }]',
            "S010",
            "status.0.lines.0.grade",
            "",
        ),
        (SHARE + 'at_least = "1/0"', "S011", "proportion.0.at_least", "a share such as '1/7'"),
        (SHARE + "at_least = 1.5", "S011", "proportion.0.at_least", "not 1.5"),
        (SHARE + "neutral = { sid = 'red' }", "R101", "proportion.0.neutral.sid", "did you mean 'side'?"),
        (
            "[edges.x]\njoin = 'hexside'\nbarred_by = [{ downstream_of = 'brige' }]",
            "R102",
            "edges.x.barred_by.0.downstream_of",
            "did you mean 'bridge'?",
        ),
        ("[[movement]]\nover = 'rail'\ncosts = [{ hexside = 'bridge' }]", "S012", "movement.0.costs.0", "`ends`"),
        (
            "[[movement]]\nover = 'rail'\ncosts = [{ points = 1, more = 1 }]",
            "S012",
            "movement.0.costs.0",
            "must be given",
        ),
    ],
)
def test_each_mistake_is_a_finding_with_its_key(text, code, key, words):
    _, findings = found(text)
    assert [(c, k) for c, k, _ in findings] == [(code, key)]
    assert words in findings[0][2]


def test_bounds_apart_within_what_can_be_followed():
    book, findings = found(LINE.replace("EACH", "{ rail = 99, naval = 1 }"))
    assert findings == []
    (stage,) = book.supply[0].lines[0].stages
    assert stage.each == {"rail": 99, "naval": 1}


def test_shares_are_fractions():
    book, findings = found(SHARE + 'at_least = "1/7"')
    assert findings == [] and book.proportions[0].at_least == pytest.approx(1 / 7)
