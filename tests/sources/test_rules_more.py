"""Mistakes in the rules of statuses, proportions, bounded stages, rivers downstream and steps that end moves."""

from __future__ import annotations

import tomllib

import pytest
import tiny
from runaway import bounded

from toolchain.model.rulebook import Rulebook
from toolchain.report import Report
from toolchain.sources.decode.rules import decode_rules
from toolchain.sources.decode.vocabulary import Vocabulary

MAP = tiny.hexmap(1, 3, sides={("0101", "0102"): "bridge"}, features={"0101": "city"})
UNITS = [tiny.unit("r1", re="1/2", debt="-1"), tiny.unit("b1", "blue", re="2")]
WORDS = Vocabulary.of(MAP, UNITS, tiny.SIDES, tiny.EVENTS)
HEAD = 'format = 1\ngrades = ["in"]\n[edges.rail]\njoin = "hexside"\n[edges.naval]\njoin = "hexside"\n'
LINE = '[[supply]]\nsources = [{ where = { feature = "city" } }]\n'
LINE += 'lines = [{ grade = "in", stages = [{ over = ["rail", "naval"], each = EACH }] }]\n'
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
        (LINE.replace("EACH", "{ naval = true }"), "S011", "supply.0.lines.0.stages.0.each.naval", "not true"),
        ("[[stacking]]\nat_most = '3'", "S011", "stacking.0.at_most", "a valid number, not '3'"),
        ("[[stacking]]\nat_most = nan", "S011", "stacking.0.at_most", "not nan"),
        ("[[stacking]]\nat_most = " + "9" * 400, "S011", "stacking.0.at_most", "999...999"),
        ("[[stacking]]\ncite = 7.11", "S011", "stacking.0.cite", 'in quotes: "7.11"'),
        ("[stacking]\nat_most = 3", "S011", "stacking", "headed [[stacking]]"),
        ("[[stacking]]\nof = 'units'", "S011", "stacking.0.of", "a table { ... } must stand here, not 'units'"),
        (
            "[[stacking]]\nat_most = 1\nof = { kind = ['corps', ['corps']] }",
            "S011",
            "stacking.0.of.kind",
            "not ['corps']",
        ),
        ("[[zoc]]\nover = 'rail'\neffect = { enter = -1 }", "S011", "zoc.0.effect.enter", "not -1"),
        ("[[zoc]]\nover = 'rail'\neffect = { enter = inf }", "S011", "zoc.0.effect.enter", "not inf"),
        ("[[movement]]\nover = 'rail'\npoints = -3", "S011", "movement.0.points", "not -3"),
        ("[counts_as.nation]\nR = 'Jermany'", "R102", "counts_as.nation.R", "there is no nation"),
        ("[counts_as.kind]\ncorps = 'corps'", "S011", "counts_as.kind.corps", "itself counts as another"),
        ("[[stacking]]\nat_most = 1\nwhen = { turn = 2 }\nunless = { turn = 2 }", "R105", "stacking.0.when", "never"),
        (
            "[[stacking]]\nat_most = 1\nwhen = { all = [{ turn = 2 }, { turn = [3] }] }",
            "R105",
            "stacking.0.when",
            "never",
        ),
        ("[[stacking]]\nat_most = 1\nunless = {}", "R105", "stacking.0.unless", "never"),
        (
            "[[stacking]]\nat_most = 1\nwhen = { fact = { weather = 'mud' }, all = [{ fact = { weather = 'dry' } }] }",
            "R105",
            "stacking.0.when",
            "never",
        ),
        ("[[supply]]\nlines = [{ grade = 'in', stages = [] }]", "R105", "supply.0.lines.0", "no `sources`"),
        ("[[supply]]\nsources = [{ where = { feature = 'city' } }]", "R105", "supply.0", "neither `lines`"),
        ("[edges.x]\njoin = 'hexside'\nbarred_by = [{ cite = '1' }]", "S012", "edges.x.barred_by.0", "every way"),
        ("[[stacking]]\nweigh = 'debt'\nat_most = 1", "R109", "stacking.0.weigh", "counters: -1"),
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


def test_what_has_not_the_right_form_hides_no_other_mistake():
    book, findings = found(
        "[[stacking]]\nat_mots = 3\nof = { kind = 'coprs' }\n[[zoc]]\nover = ['rail', 'raid']\nneeds = 1\n"
        "[[movement]]\npoints = 3\n[[carry]]\ncarrier = { sid = 'red' }\ncargo = {}\nat_most = -1\n"
    )
    assert book == Rulebook()
    assert sorted((code, key) for code, key, _ in findings) == [
        ("R101", "carry.0.carrier.sid"),
        ("R102", "stacking.0.of.kind"),
        ("R103", "zoc.0.over"),
        ("S010", "stacking.0.at_mots"),
        ("S011", "carry.0.at_most"),
        ("S011", "zoc.0.needs"),
        ("S012", "movement.0.over"),
    ]


@pytest.mark.parametrize(
    ("grades", "key", "code"), [('["in", "in"]', "grades.1", "S013"), ('["in", "out"]', "grades.1", "S011")]
)
def test_grades_are_words_of_their_own(grades, key, code):
    report = Report()
    decode_rules(tomllib.loads(f"format = 1\ngrades = {grades}"), "rules.toml", WORDS, report)
    assert [(f.rule.code, f.where.key) for f in report] == [(code, key)]


def test_a_long_list_of_mistakes_is_told_in_the_order_of_the_file_and_in_time_with_it():
    text = "".join(f"[[stacking]]\nat_most = 1\nof = {{ knd{i} = 'x' }}\n" for i in range(20_000))
    with bounded():
        _, findings = found(text)
    assert [key for _, key, _ in findings] == [f"stacking.{i}.of.knd{i}" for i in range(20_000)]
