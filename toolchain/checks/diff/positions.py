"""Two set-ups, or two saved games as positions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from toolchain.checks.diff.changes import Change, compare_settings, keyed
from toolchain.model.position import Position


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece as a player sees it: its name, where it stands, and further facts by name.

    spot: map and pixel, empty where there are none. A place that has another name now and lies where it lay has not
    moved.
    """

    name: str
    at: str
    facts: tuple[tuple[str, str], ...] = ()
    spot: tuple[str, int, int] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Standing:
    """Who stands where, by a word that tells pieces apart in both, and everything else that the position states."""

    pieces: Mapping[str, Placed]
    facts: Mapping[str, str]


def standing_of(position: Position, step: Callable[[str, int], str]) -> Standing:
    """Return a position as it is compared. step: the words for a step of a counter, by its id."""
    pieces = {}
    for p in position.pieces:
        facts = {"step": step(p.counter, p.step), "carried by": p.on, "state": " ".join(p.states)}
        facts["supply"] = position.supply.get(p.id, "")
        pieces[p.id] = Placed(p.id, p.at, tuple((k, v) for k, v in facts.items() if v))
    told = {"title": position.title, "turn": str(position.turn or ""), "controller": position.controller}
    told |= {f"control of {at}": side for at, side in position.control.items()}
    told |= {f"event {event}": "in force" for event in sorted(position.events)}
    told |= dict(position.facts) | {"arrangement": position.arrangement}
    return Standing(pieces, {k: v for k, v in told.items() if v})


def compare_standings(what: str, name: str, a: Standing, b: Standing) -> Iterator[Change]:
    """Yield the pieces that came, went, moved or changed, and the facts that are otherwise."""
    for _, old, new in keyed(a.pieces, b.pieces):
        if old is None and new is not None:
            yield Change(what, name, "changed", f"{new.name} is added in {new.at}")
        elif new is None and old is not None:
            yield Change(what, name, "changed", f"{old.name} is gone from {old.at}")
        elif old is not None and new is not None:
            if old.at != new.at and (old.spot is None or old.spot != new.spot):
                yield Change(what, name, "moved", f"{new.name} moves from {old.at} to {new.at}")
            if old.name != new.name:
                yield Change(what, name, "changed", f"{old.name} is now {new.name}")
            for text in compare_settings(dict(old.facts), dict(new.facts)):
                yield Change(what, name, "changed", f"{new.name} in {new.at}, {text}")
    for text in compare_settings(a.facts, b.facts):
        yield Change(what, name, "changed", text)
