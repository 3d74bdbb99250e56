"""The two little languages of rules.toml decoded, selectors (which) and conditions (when): a finding per mistake."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from toolchain.catalogue import (
    NEVER_APPLIES,
    RELATIVE_TO_NOBODY,
    UNKNOWN_ATTRIBUTE,
    UNKNOWN_KEY,
    UNKNOWN_WORD,
    WRONG_VALUE,
)
from toolchain.model.terms import (
    EVERY,
    OWN,
    All,
    AnyOf,
    Beside,
    Controls,
    Holds,
    InForce,
    Is,
    Not,
    StandsIn,
    State,
    Term,
    Turns,
    both,
    conjuncts,
    relative_words,
    text_of,
)
from toolchain.report import Location, Report, Rule, did_you_mean
from toolchain.sources.decode import shown
from toolchain.sources.decode.rulesfile import RawTimed, Table
from toolchain.sources.decode.vocabulary import IN_PLAY, RELATIVE, Vocabulary

NEVER: Term = AnyOf(())
DEEPEST = 40
"""So many keys lie within each other at most."""


@dataclass
class Selectors:
    """Decode selectors and conditions of one file. words: what the game has to speak of."""

    file: str
    words: Vocabulary
    report: Report

    def pieces(self, raw: Table | None, key: str, seen: bool = False) -> Term:
        """Decode a selector of pieces; one that takes no counter is a finding. seen: by a piece, so friend and enemy"""
        if raw is None:
            return EVERY
        before = len(self.report)
        term = self.selector(raw, key, "piece")
        if not seen:
            self.absolute(term, key)
        pieces = self.words.pieces
        if pieces and len(self.report) == before and not any(could_take(term, w) is not False for w in pieces):
            self.add(NEVER_APPLIES, key, "no counter of the game is such a piece")
        return term

    def spaces(self, raw: Table | None, key: str, fixed: bool = False, seen: bool = True) -> Term:
        """Decode a selector of spaces; one that takes no space is a finding. fixed: the same in every position."""
        if raw is None:
            return EVERY
        before = len(self.report)
        term = self.selector(raw, key, "space", fixed)
        if not seen:
            self.absolute(term, key)
        if len(self.report) == before and not any(could_take(term, w) is not False for w in self.words.spaces):
            self.add(NEVER_APPLIES, key, "no space of the map is such a one")
        return term

    def absolute(self, term: Term, key: str) -> None:
        """Report words that are relative to a piece where a rule looks with nobody's eyes."""
        for word in dict.fromkeys(relative_words(term)):
            self.add(RELATIVE_TO_NOBODY, key, f"nobody is there to be {word!r} to; name the side or the nation")

    def maybe_spaces(self, raw: Table | None, key: str, seen: bool = True) -> Term | None:
        return None if raw is None else self.spaces(raw, key, seen=seen)

    def selector(self, raw: Any, key: str, what: Literal["piece", "space"], fixed: bool = False) -> Term:
        if not isinstance(raw, dict):
            self.add(WRONG_VALUE, key, f"a table that says which {what}s must stand here, not {shown(raw)}")
            return NEVER
        if self.too_deep(key):
            return NEVER
        terms: list[Term] = []
        for name, value in raw.items():
            at = f"{key}.{name}"
            if name in ("any", "all", "not"):
                terms.append(self.joined(name, value, at, lambda r, k: self.selector(r, k, what, fixed)))
            elif fixed and name in ("control", "holds"):
                self.add(WRONG_VALUE, at, "this must not depend on the position")
            elif what == "space" and name == "holds":
                terms.append(Holds(self.selector(value, at, "piece")))
            elif what == "space" and name == "beside":
                terms.append(Beside(self.selector(value, at, "space", fixed)))
            elif what == "piece" and name == "in":
                terms.append(StandsIn(self.selector(value, at, "space")))
            else:
                terms.append(self.attribute_is(what, name, value, at))
        return both(*terms)

    def attribute_is(self, what: Literal["piece", "space"], name: str, value: Any, key: str) -> Term:
        if value is False:  # what lacks the attribute is not so either: cells and traits are often left empty for no
            return Not(self.attribute_is(what, name, True, key))
        values = self.texts(value, key)
        if what == "piece" and not self.words.pieces:  # said once of the table, not of every rule
            return NEVER
        known = self.words.values(what, name)
        if known is None:
            hint = did_you_mean(name, self.words.attributes(what))
            self.add(UNKNOWN_ATTRIBUTE, key, f"no {what} of the game has {name!r}{hint}")
            return NEVER
        for word in values:
            if name == "space":
                self.space(word, key)
            elif word not in known and not (word == OWN and not known.isdisjoint(self.words.nations)):
                self.add(UNKNOWN_WORD, key, f"no {what} has {name} {word!r}{did_you_mean(word, known)}")
        return Is(name, values)

    def time(self, raw: RawTimed, key: str, seen: bool = True) -> Term:
        """Decode `when` and `unless` of a rule into one condition."""
        terms, before = [], len(self.report)
        if raw.when is not None:
            terms.append(self.condition(raw.when, f"{key}.when"))
        if raw.unless is not None:
            terms.append(Not(self.condition(raw.unless, f"{key}.unless")))
        term = both(*terms)
        if not seen:
            self.absolute(term, key)
        if len(self.report) == before and is_contrary(term):
            self.add(NEVER_APPLIES, f"{key}.{'unless' if raw.when is None else 'when'}", "this can never be so")
        return term

    def condition(self, raw: Any, key: str) -> Term:
        if not isinstance(raw, dict):
            self.add(WRONG_VALUE, key, f"a table that says when must stand here, not {shown(raw)}")
            return NEVER
        if self.too_deep(key):
            return NEVER
        terms: list[Term] = []
        for name, value in raw.items():
            at = f"{key}.{name}"
            match name:
                case "any" | "all" | "not":
                    terms.append(self.joined(name, value, at, self.condition))
                case "event":
                    events = self.texts(value, at)
                    for e in events:
                        self.known(e, self.words.events, "event", at)
                    terms.append(InForce(events))
                case "turn":
                    terms.append(self.turns(value, at))
                case "control" | "fact" if isinstance(value, dict):
                    for item, wanted in value.items():
                        texts = self.texts(wanted, f"{at}.{item}")
                        if name == "fact":
                            terms.append(State(item, texts))
                            continue
                        self.space(item, f"{at}.{item}")
                        for side in texts:
                            self.known(side, (*self.words.sides, *RELATIVE["control"]), "side", f"{at}.{item}")
                        terms.append(AnyOf(tuple(Controls(item, s) for s in texts)))
                case "control" | "fact":
                    self.add(WRONG_VALUE, at, f"a table must stand here, not {shown(value)}")
                case _:
                    hint = did_you_mean(name, ("any", "all", "not", "event", "turn", "control", "fact"))
                    self.add(UNKNOWN_KEY, at, f"a condition cannot ask for {name!r}{hint}")
        return both(*terms)

    def joined(self, name: str, value: Any, key: str, inner: Any) -> Term:
        parts = value if isinstance(value, list) else [value]
        terms = tuple(inner(p, f"{key}.{i}" if isinstance(value, list) else key) for i, p in enumerate(parts))
        if name == "all":
            return both(*terms)
        one = terms[0] if len(terms) == 1 else AnyOf(terms)
        return Not(one) if name == "not" else one

    def turns(self, value: Any, key: str) -> Term:
        if isinstance(value, dict) and set(value) <= {"from", "to"}:
            ends = value.get("from", 0), value.get("to", 2**31)
        else:
            numbers = value if isinstance(value, list) else [value]
            if len(numbers) > 1:
                return AnyOf(tuple(self.turns(n, key) for n in numbers))
            ends = (numbers[0], numbers[0]) if numbers else (None, None)
        if not all(isinstance(n, int) and not isinstance(n, bool) for n in ends):
            self.add(WRONG_VALUE, key, "a number, a list of numbers or { from, to } must stand here")
            return NEVER
        if self.words.turns and ends[0] > self.words.turns:
            self.add(NEVER_APPLIES, key, f"the game has {self.words.turns} turns")
        elif ends[0] > ends[1]:
            self.add(NEVER_APPLIES, key, f"no turn is from {ends[0]} to {ends[1]}")
        return Turns(*ends)

    # Words

    def too_deep(self, key: str) -> bool:
        """Report tables that lie too deep within each other."""
        deep = key.count(".") > DEEPEST
        if deep:
            self.add(WRONG_VALUE, key, f"tables lie more than {DEEPEST} deep within each other")
        return deep

    def texts(self, value: Any, key: str) -> tuple[str, ...]:
        values = value if isinstance(value, list) else [value]
        for v in values:
            if not isinstance(v, str | int | float | bool):
                self.add(WRONG_VALUE, key, f"a word, a number, true, false or a list of them, not {shown(v)}")
                return ()
        return tuple(text_of(v) for v in values)

    def attribute(self, name: str, key: str) -> None:
        if self.words.pieces and self.words.values("piece", name) is None:
            hint = did_you_mean(name, self.words.attributes("piece"))
            self.add(UNKNOWN_ATTRIBUTE, key, f"no piece of the game has {name!r}{hint}")

    def space(self, word: str, key: str) -> None:
        self.known(word, self.words.values("space", "space") or (), "space", key)

    def known(self, word: str, known: Iterable[str], what: str, key: str) -> None:
        if word not in known:
            self.add(UNKNOWN_WORD, key, f"there is no {what} {word!r}{did_you_mean(word, known)}")

    def add(self, rule: Rule, key: str, message: str) -> None:
        self.report.add(rule, Location(file=self.file, key=key), message)


def is_contrary(condition: Term) -> bool:
    """Tell whether parts of a condition that must all hold exclude each other; it may be so where this says no."""
    parts = conjuncts(condition)
    denied = [t.term for t in parts if isinstance(t, Not)]
    turns = [t for t in parts if isinstance(t, Turns)]
    facts: dict[str, set[str]] = {}
    for t in parts:
        if isinstance(t, State):
            facts[t.name] = facts.get(t.name, set(t.values)) & set(t.values)
    return (
        any(d == EVERY or d in parts for d in denied)
        or max((t.first for t in turns), default=0) > min((t.last for t in turns), default=0)
        or not all(facts.values())
    )


def could_take(term: Term, thing: Mapping[str, frozenset[str]]) -> bool | None:
    """Tell whether a selector can take a thing: True or False whatever the position, None if that depends on it."""
    match term:
        case All(terms):
            answers = [could_take(t, thing) for t in terms]
            return False if False in answers else None if None in answers else True
        case AnyOf(terms):
            answers = [could_take(t, thing) for t in terms]
            return True if True in answers else None if None in answers else False
        case Not(inner):
            answer = could_take(inner, thing)
            return None if answer is None else not answer
        case Is(name, values) if name not in ("control", *IN_PLAY) and not {OWN, *RELATIVE.get(name, ())} & set(values):
            return not thing.get(name, frozenset()).isdisjoint(values)
    return None
