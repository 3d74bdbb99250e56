"""Which pieces, which spaces, and when: the two closed little languages of the rules data, as frozen trees.

A selector says which pieces or which spaces; a condition says when. Both are trees of the classes below; nothing in
them is code. They are judged against a position as boolean arrays in `checks/layout.py`.

Relative words stand for whoever asks: "friendly" and "enemy" for a side, "own" for a nation, "neutral" for control by
nobody. All values are compared as text: yes and no for true and false.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

FRIENDLY = "friendly"
ENEMY = "enemy"
NEUTRAL = "neutral"
OWN = "own"


@dataclass(frozen=True, slots=True)
class Is:
    """An attribute of a piece (side, kind, mech, ...) or of a space (terrain, control, ...) is one of these values."""

    name: str
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The term does not hold."""

    term: Term


@dataclass(frozen=True, slots=True)
class All:
    """Every term holds; without terms, always."""

    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one term holds; without terms, never."""

    terms: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Holds:
    """Of a space: a piece that the selector takes stands there."""

    pieces: Term


@dataclass(frozen=True, slots=True)
class Beside:
    """Of a space: it shares a hexside with a space that the selector takes."""

    spaces: Term


@dataclass(frozen=True, slots=True)
class StandsIn:
    """Of a piece: it stands in a space that the selector takes."""

    spaces: Term


@dataclass(frozen=True, slots=True)
class InForce:
    """A condition: one of these events is in force."""

    events: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Turns:
    """A condition: the turn is one of first to last, both included."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Controls:
    """A condition: a side (or friendly, enemy, neutral) controls a named space."""

    space: str
    side: str


@dataclass(frozen=True, slots=True)
class State:
    """A condition: a named state of the position, such as the weather, is one of these."""

    name: str
    values: tuple[str, ...]


Term = Is | Not | All | AnyOf | Holds | Beside | StandsIn | InForce | Turns | Controls | State

EVERY = All()


@dataclass(frozen=True, slots=True, order=True)
class View:
    """Who asks: the side and the nation that relative words refer to."""

    side: str = ""
    nation: str = ""


NOBODY = View()


def text_of(value: object) -> str:
    """Write a value as selectors compare it: yes and no for true and false, else its plain text."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
    return {"true": "yes", "false": "no"}.get(text.lower(), text)


def number_of(value: object) -> float | None:
    """Read a weight: a number, or a text such as 2.5, 1/2 or 1 1/2. Returns None for what is no such number."""
    if isinstance(value, bool):
        return None
    try:
        if isinstance(value, int | float):
            return float(value) if math.isfinite(value) else None
        return float(sum(Fraction(part) for part in str(value).split())) if str(value).strip() else None
    except (ValueError, ZeroDivisionError, OverflowError):
        return None


def both(*terms: Term) -> Term:
    """Join terms that must all hold, without needless nesting."""
    flat: list[Term] = []
    for term in terms:
        flat.extend(term.terms if isinstance(term, All) else (term,))
    return flat[0] if len(flat) == 1 else All(tuple(flat))


def conjuncts(term: Term) -> tuple[Term, ...]:
    """Return the terms that must all hold for this one to hold."""
    return term.terms if isinstance(term, All) else (term,)


def leaves(term: Term) -> Iterator[Term]:
    """Yield every term that holds no further term."""
    match term:
        case All(terms) | AnyOf(terms):
            for inner in terms:
                yield from leaves(inner)
        case Not(inner) | Holds(inner) | Beside(inner) | StandsIn(inner):
            yield from leaves(inner)
        case _:
            yield term


def uses_nation(term: Term) -> bool:
    """Tell whether the term asks for the asker's own nation."""
    return OWN in relative_words(term)


def relative_words(term: Term) -> list[str]:
    """Return the words of a term that mean nothing without an asker, in order."""
    words: list[str] = []
    for leaf in leaves(term):
        match leaf:
            case Is("side" | "control", values):
                words += [v for v in values if v in (FRIENDLY, ENEMY)]
            case Is(_, values):
                words += [v for v in values if v == OWN]
            case Controls(_, side) if side in (FRIENDLY, ENEMY):
                words.append(side)
    return words


def describe(term: Term, view: View = NOBODY) -> str:
    """Say in a few words what the term asks, with relative words filled in.

    term: what is asked. view: who asks; without one the relative words stay. Returns words that follow "is" or "not".
    """

    def side(word: str) -> str:
        if not view.side:
            return word
        return {FRIENDLY: view.side, ENEMY: f"others than {view.side}", NEUTRAL: "nobody"}.get(word, word)

    match term:
        case Is("control", values):
            return "controlled by " + " or ".join(side(v) for v in values)
        case Is("enterable", values):
            return "enterable" if "yes" in values else "closed to all"
        case Is("space", values):
            return " or ".join(values)
        case Is("side", values):
            words = " or ".join(
                f"another side than {view.side}" if v == ENEMY and view.side else side(v) for v in values
            )
            return words if words.startswith("another") else f"side {words}"
        case Is(name, values):
            words = " or ".join(view.nation if v == OWN and view.nation else side(v) for v in values)
            return f"{name} {words}"
        case Not(inner):
            return deny(inner, view)
        case All(terms):
            return " and ".join(describe(t, view) for t in terms) or "anything"
        case AnyOf(terms):
            return "(" + " or ".join(describe(t, view) for t in terms) + ")" if terms else "nothing"
        case Holds(inner):
            return f"held by a piece of {describe(inner, view)}"
        case Beside(inner):
            return f"beside {describe(inner, view)}"
        case StandsIn(inner):
            return f"in {describe(inner, view)}"
        case InForce(events):
            return "with " + " or ".join(events) + " in force"
        case Turns(first, last):
            return f"in turns {first} to {last}"
        case Controls(space, who):
            return f"with {space} controlled by {side(who)}"
        case State(name, values):
            return f"with {name} {' or '.join(values)}"


def deny(term: Term, view: View = NOBODY) -> str:
    """Say in a few words that a term does not hold, as `describe` says what it asks."""
    return describe(term.term, view) if isinstance(term, Not) else f"not {describe(term, view)}"
