"""What VASSAL can know of selectors and conditions.

Events and facts are global properties of the module, so that conditions on them become expressions. It knows neither
who controls a space, nor who is carried, nor what else stands somewhere; and in VASSAL no piece is in a state.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from toolchain.export.vassal.readback import EVENT, FACT
from toolchain.model.terms import (
    EVERY,
    All,
    AnyOf,
    Beside,
    Holds,
    InForce,
    Is,
    Not,
    StandsIn,
    State,
    Term,
    leaves,
)

UNSEEN = ("control", "carried")


@dataclass(frozen=True, slots=True)
class When:
    """A condition. expression: in BeanShell, empty for always. usual: whether it holds while nothing is in force."""

    expression: str = ""
    usual: bool = True


def when(condition: Term) -> When | None:
    """Return a condition as VASSAL can judge it; None for one that it cannot."""
    if condition == EVERY:
        return When()
    text = _expression(condition)
    return None if text is None else When(text, _usual(condition))


def both(one: When, other: When, holds: bool) -> When:
    """Join two conditions: the first, and the second or its contrary."""
    second = other.expression if holds else f"!({other.expression})"
    joined = f"({one.expression})&&({second})" if one.expression else second
    return When(joined, one.usual and other.usual is holds)


def _expression(term: Term) -> str | None:
    match term:
        case All(terms) | AnyOf(terms):
            inner = [_expression(t) for t in terms]
            if any(x is None for x in inner):
                return None
            joint = "&&" if isinstance(term, All) else "||"
            empty = "true" if isinstance(term, All) else "false"
            return "(" + joint.join(x for x in inner if x) + ")" if inner else empty
        case Not(inner):
            text = _expression(inner)
            return None if text is None else f"!{text}" if text.startswith("(") else f"!({text})"
        case InForce(events):
            return "(" + "||".join(_is(EVENT + e, "true") for e in events) + ")"
        case State(name, values):
            return "(" + "||".join(_is(FACT + name, v) for v in values) + ")"
    return None


def _is(name: str, value: str) -> str:
    # Through text: VASSAL makes numbers and truth values of what looks like one.
    return f'(""+GetProperty({_quoted(name)}))=={_quoted(value)}'


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _usual(term: Term) -> bool:
    match term:
        case All(terms):
            return all(map(_usual, terms))
        case AnyOf(terms):
            return any(map(_usual, terms))
        case Not(inner):
            return not _usual(inner)
    return False


def in_play(term: Term) -> bool:
    """Tell whether a term asks what VASSAL cannot know."""
    return any(isinstance(t, Is) and t.name in UNSEEN for t in leaves(term)) or any(
        isinstance(t, Holds) for t in walk(term)
    )


def asks_state(term: Term) -> bool:
    """Tell whether a term asks for the state of a piece."""
    return any(isinstance(t, Is) and t.name == "state" for t in leaves(term))


def walk(term: Term) -> Iterator[Term]:
    """Yield a term and all within it."""
    yield term
    match term:
        case All(terms) | AnyOf(terms):
            for inner in terms:
                yield from walk(inner)
        case Not(inner) | Holds(inner) | Beside(inner) | StandsIn(inner):
            yield from walk(inner)


def places_in(term: Term) -> list[StandsIn]:
    """Return what a selector of pieces asks about where they stand."""
    return [t for t in walk(term) if isinstance(t, StandsIn)]


def standing(term: Term, there: Mapping[Term, bool]) -> Term:
    """Return a selector of pieces as it is for those that stand in one kind of space."""
    match term:
        case StandsIn():
            return EVERY if there[term] else Not(EVERY)
        case All(terms):
            return All(tuple(standing(t, there) for t in terms)) if places_in(term) else term
        case AnyOf(terms):
            return AnyOf(tuple(standing(t, there) for t in terms)) if places_in(term) else term
        case Not(inner):
            return Not(standing(inner, there)) if places_in(term) else term
    return term


def static(term: Term) -> Term:
    """Return a term that is sure to be known whatever stands where: itself, or anything."""
    return EVERY if in_play(term) or places_in(term) else term
