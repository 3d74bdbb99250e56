"""A map as compact arrays: what the rules engine runs on. Compiled once per map."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from toolchain.graph.search import Arcs, Bools, Hub, Ints
from toolchain.model.terms import text_of
from toolchain.model.warmap import Space, WarMap

OF_SPACE = ("space", "kind", "terrain", "feature", "name", "sheet", "enterable")
"""What every space can be asked for besides its traits."""


@dataclass(frozen=True, eq=False)
class Board:
    """Spaces and the ways between them as arrays; spaces and ways are numbered as on the map.

    Ways are first the hexsides, then the links. arcs: every way in every direction that it allows. way: number of the
    way of each arc. Masks are made when first asked for and kept.
    """

    map: WarMap
    index: dict[str, int]
    arcs: Arcs
    way: Ints
    _spaces: dict[str, dict[str, Ints]] = field(default_factory=dict, repr=False)
    _ways: dict[str, Bools] = field(default_factory=dict, repr=False)
    _reserved: dict[str, Bools] = field(default_factory=dict, repr=False)

    @classmethod
    def from_map(cls, warmap: WarMap) -> Board:
        """Compile a map. Hexsides and links that name a space which is not there are left out."""
        index = warmap.index
        tails: list[int] = []
        heads: list[int] = []
        ways: list[int] = []
        both = [(s.a, s.b, False) for s in warmap.hexsides] + [(k.a, k.b, k.one_way) for k in warmap.links]
        for number, (a, b, one_way) in enumerate(both):
            if a not in index or b not in index:
                continue
            for tail, head in ((a, b),) if one_way else ((a, b), (b, a)):
                tails.append(index[tail])
                heads.append(index[head])
                ways.append(number)
        arcs = Arcs(len(warmap.spaces), np.array(tails, dtype=np.int64), np.array(heads, dtype=np.int64))
        return cls(warmap, index, arcs, np.array(ways, dtype=np.int64))

    @property
    def size(self) -> int:
        """The number of spaces."""
        return len(self.map.spaces)

    def spaces_with(self, name: str, values: Iterable[str]) -> Bools:
        """Return which spaces have one of these values of an attribute or trait, shape (size,)."""
        if name not in self._spaces:
            places: dict[str, list[int]] = {}
            for i, space in enumerate(self.map.spaces):
                for value in values_of(space, name):
                    places.setdefault(value, []).append(i)
            self._spaces[name] = {value: np.array(at, dtype=np.int64) for value, at in places.items()}
        mask = np.zeros(self.size, dtype=bool)
        for value in values:
            if (at := self._spaces[name].get(value)) is not None:
                mask[at] = True
        return mask

    def arcs_joined(self, join: str) -> Bools:
        """Return which arcs are of "hexside", "hexside.KIND", "link" or "link.KIND", shape (arcs,)."""
        if join not in self._ways:
            what, _, kind = join.partition(".")
            sides, links = self.map.hexsides, self.map.links
            on_side = [what == "hexside" and (not kind or kind in s.kinds) for s in sides]
            on_link = [what == "link" and kind in ("", k.kind) for k in links]
            self._ways[join] = np.array(on_side + on_link, dtype=bool)[self.way]
        return self._ways[join]

    def arcs_downstream(self, kind: str) -> Bools:
        """Return which arcs cross a river that has passed a hexside of this kind, and not at such a one, shape (arcs,).

        Only rivers of which the map knows the flow are followed; their hexsides list their ends downstream.
        """
        key = f"downstream {kind}"
        if key not in self._ways:
            sides = self.map.hexsides
            begins: dict[tuple[float, float], list[int]] = {}
            for number, side in enumerate(sides):
                if side.flows:
                    begins.setdefault(side.ends[0], []).append(number)
            below = np.zeros(len(sides) + len(self.map.links), dtype=bool)
            at = [number for number, side in enumerate(sides) if side.flows and kind in side.kinds]
            first = set(at)
            while at:
                for number in begins.get(sides[at.pop()].ends[1], ()):
                    if not below[number]:
                        below[number] = True
                        at.append(number)
            below[list(first)] = False
            self._ways[key] = below[self.way]
        return self._ways[key]

    def arcs_between(self, pairs: Iterable[tuple[str, str]]) -> Bools:
        """Return which arcs join one of these pairs of spaces, either way round, shape (arcs,)."""
        mask = np.zeros(len(self.arcs.tail), dtype=bool)
        for a, b in pairs:
            i, j = self.index.get(a, -1), self.index.get(b, -1)
            mask |= (self.arcs.tail == i) & (self.arcs.head == j) | (self.arcs.tail == j) & (self.arcs.head == i)
        return mask

    def arcs_reserved(self, trait: str, word: str) -> Bools:
        """Return which arcs run over links that a trait reserves for others than this word, shape (arcs,)."""
        key = f"{trait}={word}"
        if key not in self._reserved:
            sides = len(self.map.hexsides)
            texts = [k.traits.get(trait, "").split(";") for k in self.map.links]
            named = [{text_of(v.strip()) for v in text if v.strip()} for text in texts]
            shut = np.array([False] * sides + [bool(names) and word not in names for names in named], dtype=bool)
            self._reserved[key] = shut[self.way]
        return self._reserved[key]

    def beside(self, spaces: Bools) -> Bools:
        """Return which spaces share a hexside with one of these, shape (size,)."""
        mask = np.zeros(self.size, dtype=bool)
        mask[self.arcs.tail[self.arcs_joined("hexside") & spaces[self.arcs.head]]] = True
        return mask

    def hubs(self, members: Bools, same: str, rim: Bools | None = None) -> tuple[Hub, ...]:
        """Return the groups of these spaces that share a value of the trait `same`; without it, all are one group.

        rim: spaces one step from every member of the one group, and not from each other.
        """
        if rim is not None:
            inner, outer = np.flatnonzero(members), np.flatnonzero(rim & ~members)
            return (Hub(inner, np.flatnonzero(rim | members)), Hub(outer, inner))
        if not same:
            return (Hub(np.flatnonzero(members)),)
        self.spaces_with(same, ())
        groups = [at[members[at]] for _, at in sorted(self._spaces[same].items())]
        return tuple(Hub(g) for g in groups if len(g) > 1)


def values_of(space: Space, name: str) -> tuple[str, ...]:
    """Return what a space answers when asked for an attribute or trait. A trait may hold several values, split by ;"""
    match name:
        case "space":
            return (space.key,)
        case "feature":
            return tuple(sorted(space.features))
        case "enterable":
            return (text_of(space.enterable),)
        case "kind" | "terrain" | "name" | "sheet":
            return (getattr(space, name),)
    trait = space.traits.get(name, "")
    return tuple(text_of(v.strip()) for v in trait.split(";") if v.strip())
