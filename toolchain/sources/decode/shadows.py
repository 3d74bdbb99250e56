"""Rules that can never apply because earlier ones of their list, of which the first that fits counts, leave nothing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from toolchain.catalogue import TAKEN_BEFORE
from toolchain.model.rulebook import Crossing, Datum, Movement, Rulebook, StepCost
from toolchain.model.terms import EVERY, Is, Term
from toolchain.report import Finding
from toolchain.sources.decode.selectors import could_take
from toolchain.sources.decode.vocabulary import Vocabulary

Face = Mapping[str, frozenset[str]]

UNITS = Is("role", ("unit",))
"""What a rule is about that does not say which pieces."""


def check_shadows(book: Rulebook, words: Vocabulary) -> Iterator[Finding]:
    """Yield the rules of which every piece, or every way, is taken by an earlier rule of the same list."""
    units = [face for face in words.pieces if could_take(UNITS, face)]
    yield from _taken([(s, s.of) for s in book.supply], units)
    for name in dict.fromkeys(s.name for s in book.statuses):
        yield from _taken([(s, s.of) for s in book.statuses if s.name == name], units)
    yield from _moves_taken(book.movement, words.pieces)
    for limit in book.hexside_limits:
        yield from _after_any(limit.crossings, [_fits_any(c) and c.when == EVERY for c in limit.crossings])
    for movement in book.movement:
        costs = [c for c in movement.costs if c.points is not None]
        plain = [_fits_any(c) and c.when == c.of == EVERY and c.in_zone is c.out_of_zone is None for c in costs]
        yield from _after_any(costs, plain)


def _taken(rules: Sequence[tuple[Datum, Term]], faces: Sequence[Face]) -> Iterator[Finding]:
    left = list(faces)
    for number, (rule, of) in enumerate(rules):
        term = UNITS if of == EVERY else of
        could = [could_take(term, face) is not False for face in faces]
        if number and any(could) and not any(could_take(term, face) is not False for face in left):
            yield _finding(rule, "every counter that it could take")
        left = [face for face in left if could_take(term, face) is not True]


def _moves_taken(rules: Sequence[Movement], faces: Sequence[Face]) -> Iterator[Finding]:
    """Yield the rules that are taken before for every kind of move that they are about."""
    taken: dict[str, set[int]] = {}
    for kind in dict.fromkeys(k for rule in rules for k in rule.moves):
        same = [n for n, rule in enumerate(rules) if kind in rule.moves]
        found = {f.where for f in _taken([(rules[n], rules[n].of) for n in same], faces)}
        taken[kind] = {n for n in same if rules[n].where_from in found}
    for n, rule in enumerate(rules):
        if rule.moves and all(n in taken[kind] for kind in rule.moves):
            yield _finding(rule, "every counter that it could take")


def _fits_any(rule: Crossing | StepCost) -> bool:
    return not rule.hexsides and not rule.links and rule.into is None and rule.out_of is None


def _after_any(rules: Sequence[Datum], plain: Sequence[bool]) -> Iterator[Finding]:
    """Yield the rules that stand after one that fits whatever is asked."""
    if True in plain:
        for rule in rules[plain.index(True) + 1 :]:
            yield _finding(rule, "every way")


def _finding(rule: Datum, what: str) -> Finding:
    text = f"an earlier rule of the list takes {what}, and the first that fits counts"
    return Finding(TAKEN_BEFORE, rule.where_from, text, {})
