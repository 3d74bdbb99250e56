"""rules.toml decoded: what is wrong is found all at once, with its place and the nearest word."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import pytest
import tiny
from hypothesis import given, settings
from hypothesis import strategies as st

from toolchain.checks.positions import check_position
from toolchain.model.rulebook import Rulebook
from toolchain.model.terms import EVERY, All, AnyOf, Beside, Controls, Holds, InForce, Is, Not, StandsIn, State, Turns
from toolchain.report import Report
from toolchain.sources.decode.rules import decode_rules
from toolchain.sources.decode.vocabulary import Vocabulary

MAP = tiny.hexmap(
    2,
    2,
    features={"0101": "city port"},
    traits={"0101": {"sea": "north; south"}, "0202": {"east": "yes"}},
    sides={("0101", "0102"): "wall"},
    boxes=["Pool"],
)
UNITS = [tiny.unit("r1", mech=True, size=2.5), tiny.unit("b1", "blue", kind="army"), tiny.unit("flag", role="marker")]
WORDS = Vocabulary.of(MAP, UNITS, tiny.SIDES, tiny.EVENTS)


def decoded(text):
    report = Report()
    return decode_rules(tomllib.loads(text), "rules.toml", WORDS, report), [
        (f.rule.code, f.where.key, f.message) for f in report
    ]


def entry(term):
    book, findings = decoded(f"format = 1\n[[entry]]\nnever = {term}")
    assert findings == []
    return book.entries[0].never


def condition(term):
    book, findings = decoded(f"format = 1\n[[entry]]\nnever = {{ kind = 'box' }}\nwhen = {term}")
    assert findings == []
    return book.entries[0].when


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("{}", EVERY),
        ("{ kind = 'hex' }", Is("kind", ("hex",))),
        ("{ space = ['0101', 'Pool'] }", Is("space", ("0101", "Pool"))),
        ("{ east = true }", Is("east", ("yes",))),
        ("{ east = false }", Not(Is("east", ("yes",)))),
        ("{ sea = 'south' }", Is("sea", ("south",))),
        ("{ kind = 'hex', not = { feature = 'city' } }", All((Is("kind", ("hex",)), Not(Is("feature", ("city",)))))),
        ("{ any = [{ kind = 'box' }, { feature = 'port' }] }", AnyOf((Is("kind", ("box",)), Is("feature", ("port",))))),
        (
            "{ not = [{ kind = 'box' }, { feature = 'port' }] }",
            Not(AnyOf((Is("kind", ("box",)), Is("feature", ("port",))))),
        ),
        ("{ holds = { side = 'enemy', mech = true } }", Holds(All((Is("side", ("enemy",)), Is("mech", ("yes",)))))),
        ("{ beside = { feature = 'city' } }", Beside(Is("feature", ("city",)))),
        ("{ holds = { in = { kind = 'box' } } }", Holds(StandsIn(Is("kind", ("box",))))),
        ("{ control = ['friendly', 'neutral'] }", Is("control", ("friendly", "neutral"))),
    ],
)
def test_selectors(text, term):
    assert entry(text) == term


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("{ event = 'rain' }", InForce(("rain",))),
        ("{ event = ['rain', 'truce'] }", InForce(("rain", "truce"))),
        ("{ turn = 3 }", Turns(3, 3)),
        ("{ turn = [1, 2] }", AnyOf((Turns(1, 1), Turns(2, 2)))),
        ("{ turn = { from = 2, to = 4 } }", Turns(2, 4)),
        ("{ control = { Pool = 'enemy' } }", AnyOf((Controls("Pool", "enemy"),))),
        ("{ fact = { weather = ['mud', 'snow'] } }", State("weather", ("mud", "snow"))),
        ("{ not = { event = 'rain' }, turn = 1 }", All((Not(InForce(("rain",))), Turns(1, 1)))),
    ],
)
def test_conditions(text, term):
    assert condition(text) == term


def test_unless_is_not_when():
    book, findings = decoded("format = 1\n[[entry]]\nnever = { kind = 'box' }\nunless = { event = 'rain' }")
    assert findings == [] and book.entries[0].when == Not(InForce(("rain",)))


def test_the_tiny_rules_decode_whole():
    book, findings = decoded(tiny.RULES)
    # The map of this test has no ferries; nothing else is amiss.
    assert {(c, k) for c, k, _ in findings} <= {
        ("R102", "edges.land.join"),
        ("R101", "edges.sea.same"),
        ("R102", "attrition.0.spared.holds.kind"),
    }
    assert book.grades == ("full", "limited") and set(book.edges) == {"land", "sea"}
    assert book.stacking[0].cite == "3.1" and book.stacking[0].exceptions[1].at_most is None
    assert book.zoc[0].negated_by[0].purposes == ("supply",)
    assert [s.at_most for s in book.supply[0].lines[1].stages] == [None, 1, None]


def test_form_is_checked_with_key_paths_and_nearest_keys():
    _, findings = decoded(
        "format = 1\n[[stacking]]\nat_mots = 3\n[[zoc]]\nof = 7\nover = 'land'\n"
        "[[supply]]\nlines = [{ grade = 'full' }]"
    )
    by_key = {k: (c, m) for c, k, m in findings}
    assert by_key["stacking.0.at_mots"] == ("S010", "unknown key; did you mean 'at_most'?")
    assert by_key["supply.0.lines.0.stages"][0] == "S012"
    assert by_key["zoc.0.of"][0] == "S011"


BAD = """
format = 1
grades = ["full", "limited"]
[edges.land]
join = ["hexside", "link.feri"]
[[edges.land.barred_by]]
hexside = "wal"
pairs = [["0101", "Pol"]]
[edges.sea]
hub = { feature = "prt" }
same = "seas"
[[edges.sea.barred_by]]
into = { feature = "port" }
[control]
[[control.home]]
where = { kind = "box" }
side = "rde"
[[entry]]
of = { nation = "R", mehc = true }
never = { space = "0110" }
when = { evnt = "rain" }
[[entry]]
of = { kind = "armi" }
[[stacking]]
of = { kind = "army", side = "red" }
at_most = 1
per = "divison"
[[stacking.except]]
where = { kind = "box" }
[[zoc]]
over = "lnad"
needs = "limited"
[[supply]]
through = { any = 3 }
sources = [{ where = { holds = { side = "read" } }, when = { turn = "one", event = "rian" } }]
lines = [{ grade = "ful", stages = [{ over = ["land", "see"] }] }]
"""


def test_every_unknown_word_is_found_at_once_with_the_nearest():
    book, findings = decoded(BAD)
    by_key = {k: (c, m) for c, k, m in findings}
    for key, code, hint in [
        ("edges.land.join", "R102", "link.feri"),
        ("edges.land.barred_by.0.hexside", "R102", "did you mean 'wall'?"),
        ("edges.land.barred_by.0.pairs.0", "R102", "did you mean 'Pool'?"),
        ("edges.sea.hub.feature", "R102", "did you mean 'port'?"),
        ("edges.sea.same", "R101", "did you mean 'sea'?"),
        ("edges.sea.barred_by.0", "R107", "`at`"),
        ("control.home.0.side", "R102", "did you mean 'red'?"),
        ("entry.0.of.mehc", "R101", "did you mean 'mech'?"),
        ("entry.0.never.space", "R102", "there is no space '0110'"),
        ("entry.0.when.evnt", "S010", "did you mean 'event'?"),
        ("entry.1", "S012", "`never`"),
        ("entry.1.of.kind", "R102", "did you mean 'army'?"),
        ("stacking.0.of", "R105", "no counter"),
        ("stacking.0.per", "R101", "divison"),
        ("stacking.0.except.0", "S012", "unlimited"),
        ("zoc.0.over", "R103", "did you mean 'land'?"),
        ("zoc.0.needs", "R106", "full"),
        ("supply.0.through.any", "S011", "not 3"),
        ("supply.0.sources.0.where.holds.side", "R102", "did you mean 'red'?"),
        ("supply.0.sources.0.when.turn", "S011", "a number"),
        ("supply.0.sources.0.when.event", "R102", "did you mean 'rain'?"),
        ("supply.0.lines.0.grade", "R104", "did you mean 'full'?"),
        ("supply.0.lines.0.stages.0.over", "R103", "see"),
    ]:
        assert by_key.get(key, ("nothing", ""))[0] == code and hint in by_key[key][1], (key, by_key.get(key))
    assert len(findings) == 23, findings
    # Even so the rulebook can be judged by: what is unknown never applies.
    game = tiny.game(MAP, UNITS, BAD, Report())
    assert tiny.verdict(game, {"r1": "0101", "b1": "Pool"}).supply == {"r1": "out", "b1": "out"}
    assert book.zoc[0].over == ()


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("[[stacking]]\nat_most = 1\nwhere = { control = 'friendly' }\nwhen = { control = { Pool = 'enemy' } }", 2),
        ("[[stacking]]\nat_most = 1\nexcept = [{ unlimited = true, where = { holds = { side = 'enemy' } } }]", 1),
        ("[[entry]]\nof = { nation = 'own' }\nnever = { kind = 'box' }", 1),
        ("[[entry]]\nnever = { control = 'enemy' }\nwhen = { control = { Pool = 'friendly' } }", 0),
        ("[[stacking]]\nat_most = 1\nwhere = { control = 'neutral' }", 0),
    ],
)
def test_relative_words_need_a_piece_that_looks(text, keys):
    _, findings = decoded("format = 1\n" + text)
    assert [c for c, _, _ in findings] == ["R108"] * keys


def test_a_rim_goes_round_a_hub_of_one_group():
    text = 'format = 1\n[edges.a]\njoin = "hexside"\nrim = { feature = "prt" }\n'
    text += '[edges.b]\nhub = { feature = "port" }\nsame = "sea"\nrim = { kind = "hex" }\n'
    text += '[edges.c]\nhub = { feature = "port" }\nrim = { kind = "hex" }'
    _, findings = decoded(text)
    found = [(c, k) for c, k, _ in findings]
    assert sorted(found) == [("R102", "edges.a.rim.feature"), ("S011", "edges.a.rim"), ("S011", "edges.b.rim")]


def test_home_may_not_depend_on_the_position():
    _, findings = decoded("format = 1\n[control]\nhome = [{ side = 'red', where = { holds = { side = 'red' } } }]")
    assert [(c, k) for c, k, _ in findings] == [("S011", "control.home.0.where.holds")]


def test_a_file_of_the_wrong_form_gives_an_empty_rulebook():
    assert decoded("format = 2")[0] == Rulebook() == decoded("")[0]


junk = st.recursive(
    st.one_of(st.booleans(), st.integers(), st.text(max_size=4), st.sampled_from(["rain", "red", "0101", "land"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(
                ["any", "all", "not", "event", "turn", "control", "fact", "kind", "side", "holds", "in", "of"]
            ),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(junk, junk, junk)
def test_no_terms_however_odd_break_the_decoder_or_the_judge(pieces, spaces, when):
    raw = {
        "format": 1,
        "grades": ["full"],
        "edges": {"land": {"join": "hexside", "barred_by": [{"at": spaces, "of": pieces, "when": when}]}},
        "entry": [{"of": pieces, "never": spaces, "when": when}],
        "stacking": [{"of": pieces, "where": spaces, "at_most": 1, "when": when}],
        "zoc": [{"of": pieces, "over": "land", "when": when, "needs": "full"}],
        "supply": [
            {
                "of": pieces,
                "through": spaces,
                "sources": [{"where": spaces, "when": when}],
                "lines": [{"grade": "full", "stages": [{"over": "land"}]}],
            }
        ],
    }
    report = Report()
    book = decode_rules(raw, "rules.toml", WORDS, report)
    game = replace(tiny.game(MAP, UNITS, "format = 1"), rulebook=book)
    verdict = tiny.verdict(game, {"r1": "0101", "b1": "Pool"})
    list(check_position(verdict))
