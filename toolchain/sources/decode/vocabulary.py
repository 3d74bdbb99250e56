"""What the rules of a game may speak of: the words of its map, counters, sides and events."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from toolchain.model.forces import Counter
from toolchain.model.terms import ENEMY, FRIENDLY, NEUTRAL, OWN, text_of
from toolchain.model.warmap import WarMap

RELATIVE = {"side": (FRIENDLY, ENEMY), "nation": (OWN,), "control": (FRIENDLY, ENEMY, NEUTRAL)}
"""Words that mean something only as a piece sees it, by attribute."""
IN_PLAY = ("state", "carried")
"""What a piece answers by the position, not by its counter."""


@dataclass(frozen=True)
class Vocabulary:
    """The words of a game: what its pieces and spaces can be asked for, and everything else that rules may name.

    pieces, spaces: every face and every space as its attributes and their values. states: words of the rules for what
    may be true of a piece for a time. spellings: other words for spaces. link_traits: values by trait of the links.
    turns: how many there are, 0 where nobody says. ways: how some two spaces of the map are joined: "hexside.KIND" and
    the like.
    """

    pieces: tuple[Mapping[str, frozenset[str]], ...]
    spaces: tuple[Mapping[str, frozenset[str]], ...]
    sides: tuple[str, ...]
    nations: tuple[str, ...]
    events: tuple[str, ...]
    hexsides: tuple[str, ...]
    links: tuple[str, ...]
    terrains: tuple[str, ...]
    features: tuple[str, ...]
    states: tuple[str, ...] = ()
    spellings: Mapping[str, str] = field(default_factory=dict)
    link_traits: Mapping[str, frozenset[str]] = field(default_factory=dict)
    turns: int = 0
    ways: frozenset[str] = frozenset()

    @classmethod
    def of(
        cls,
        warmap: WarMap,
        counters: Iterable[Counter],
        sides: Mapping[str, Any],
        events: Iterable[str],
        turns: int = 0,
    ) -> Vocabulary:
        """Gather the words of a game. sides: by name; what has `nations` names them. turns: how many, 0 for unknown."""
        pieces = [_words_of(c, step) for c in counters for step in range(len(c.faces))]
        spaces = []
        for s in warmap.spaces:
            words = {n: frozenset(text_of(v.strip()) for v in t.split(";")) for n, t in s.traits.items() if t.strip()}
            words |= {n: frozenset((getattr(s, n),)) for n in ("kind", "terrain", "name", "sheet")}
            words |= {"space": frozenset((s.key,)), "feature": s.features}
            words |= {"enterable": frozenset((text_of(s.enterable),))}
            spaces.append(words)
        nations = [n for side in sides.values() for n in side.nations]
        nations += [v for words in pieces for v in words.get("nation", ())]
        kinds = {k: tuple(sorted(warmap.legend_names(k) | used)) for k, used in _kinds(warmap)}
        return cls(
            pieces=tuple(pieces),
            spaces=tuple(spaces),
            sides=tuple(sides),
            nations=tuple(dict.fromkeys(nations)),
            events=tuple(events),
            hexsides=kinds["hexside"],
            links=kinds["link"],
            terrains=kinds["terrain"],
            features=kinds["feature"],
            spellings=warmap.by_word,
            link_traits=_link_traits(warmap),
            turns=turns,
            ways=_ways(warmap),
        )

    def values(self, what: Literal["piece", "space"], name: str) -> frozenset[str] | None:
        """Return the values that an attribute has somewhere in the game, relative words included; None if it has none.

        What the legend lists is known even where the map does not use it.
        """
        if what == "piece" and name in IN_PLAY:
            return frozenset(self.states if name == "state" else ("yes", "no"))
        listed, found = self._listed[what].get(name), self._found[what].get(name)
        if listed is None and found is None:
            return None
        known = frozenset(listed or ()) | (found or frozenset())
        return known | frozenset(RELATIVE.get(name, ())) | _switch(known)

    @cached_property
    def _listed(self) -> dict[str, dict[str, tuple[str, ...]]]:
        places = {"control": self.sides, "terrain": self.terrains, "feature": self.features}
        return {"piece": {"side": self.sides, "nation": self.nations}, "space": places}

    @cached_property
    def _found(self) -> dict[str, dict[str, frozenset[str]]]:
        out: dict[str, dict[str, frozenset[str]]] = {}
        for what, things in (("piece", self.pieces), ("space", self.spaces)):
            values: dict[str, set[str]] = {}
            for thing in things:
                for name, words in thing.items():
                    values.setdefault(name, set()).update(words)
            out[what] = {name: frozenset(words) for name, words in values.items()}
        return out

    def attributes(self, what: Literal["piece", "space"]) -> list[str]:
        """Return what pieces or spaces can be asked for."""
        more = {"control", "holds", "beside", "space"}
        if what == "piece":
            more = {"side", "nation", "role", "kind", "in", "carried"} | ({"state"} if self.states else set())
        return sorted(more.union(self._found[what], ("any", "all", "not")))


def _switch(known: frozenset[str]) -> frozenset[str]:
    """A trait that is only ever yes may be asked for with no, and the other way round."""
    return frozenset(("yes", "no")) if known and known <= {"yes", "no"} else frozenset()


def _words_of(counter: Counter, step: int) -> dict[str, frozenset[str]]:
    names = ["id", "name", "role", "side", "nation", "kind", "symbol", *counter.attributes, *counter.faces[step].values]
    values = {n: counter.value(n, step) for n in names}
    return {n: frozenset((text_of(v),)) for n, v in values.items() if v is not None and v != ""}


def _link_traits(warmap: WarMap) -> dict[str, frozenset[str]]:
    out: dict[str, set[str]] = {}
    for link in warmap.links:
        for name, text in link.traits.items():
            out.setdefault(name, set()).update(text_of(v.strip()) for v in text.split(";") if v.strip())
    return {name: frozenset(values) for name, values in out.items() if values}


def _ways(warmap: WarMap) -> frozenset[str]:
    kinds = {f"hexside.{k}" for side in warmap.hexsides for k in side.kinds} | {f"link.{k.kind}" for k in warmap.links}
    kinds |= {name for name, any_ in (("hexside", warmap.hexsides), ("link", warmap.links)) if any_}
    return frozenset(kinds)


def _kinds(warmap: WarMap) -> list[tuple[Literal["hexside", "link", "terrain", "feature"], frozenset[str]]]:
    spaces = warmap.spaces
    return [
        ("hexside", frozenset(k for s in warmap.hexsides for k in s.kinds)),
        ("link", frozenset(k.kind for k in warmap.links)),
        ("terrain", frozenset(s.terrain for s in spaces if s.terrain)),
        ("feature", frozenset(f for s in spaces for f in s.features)),
    ]
