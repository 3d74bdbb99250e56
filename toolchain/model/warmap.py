"""The checked map: spaces, hexsides and links, whatever kind of board it is.

Lengths are sheet millimetres, y down. What the rulebook states carries `cite`; what the project chose carries
`assumed`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from toolchain.model.hexes import HexGrid
from toolchain.report import Location

Point = tuple[float, float]
SpaceKind = Literal["hex", "box", "point", "area", "sea zone"]


@dataclass(frozen=True, slots=True)
class Space:
    """A place where counters stand: a hex, a box off the map, a point, an area, a sea zone.

    key: unique on the map; what set-ups and rules call it: its name if it has one, else its number.
    name: printed name, may be empty. label: printed hex number, may be empty. cell: (column, row) of a hex.
    at: where counters stand. outline: corners of the shape, clockwise; empty for a point without extent.
    terrain: a name of the legend. shares: part of the area by terrain, summing to 1 for a surveyed hex.
    features: city, port, ... names of the legend. traits: further facts by name, such as country or sea.
    enterable: False for spaces that no unit may ever enter. parts: where sheets are laid together, what the hex is
    called on each sheet that has a part of it, such as A-0304 and B-0101.
    """

    key: str
    kind: SpaceKind
    at: Point
    name: str = ""
    label: str = ""
    cell: tuple[int, int] | None = None
    outline: tuple[Point, ...] = ()
    sheet: str = "main"
    terrain: str = ""
    shares: Mapping[str, float] = field(default_factory=dict)
    features: frozenset[str] = frozenset()
    traits: Mapping[str, str] = field(default_factory=dict)
    enterable: bool = True
    cite: str = ""
    assumed: str = ""
    where: Location = field(default_factory=Location)
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Hexside:
    """The side that two neighbouring hexes share, stored once, a before b in the order of the map's spaces.

    kinds: river, coast, sea, prohibited, ... names of the legend; empty for a plain side. name: of the river or border,
    if any. ends: the two corners in millimetres; flows: a river flows from the first to the second. Two areas share
    such a side too, and `line` is how it runs between its ends; empty for a straight one.
    """

    a: str
    b: str
    ends: tuple[Point, Point]
    kinds: frozenset[str] = frozenset()
    name: str = ""
    cite: str = ""
    assumed: str = ""
    line: tuple[Point, ...] = ()
    flows: bool = False


@dataclass(frozen=True, slots=True)
class Link:
    """Two spaces joined by something other than a shared side. one_way: only from a to b.

    line: how it was drawn, from a to b; empty where it was not. traits: wrap = "yes" for one that leaves the sheet at
    one edge and comes back at another.
    """

    a: str
    b: str
    kind: str
    one_way: bool = False
    traits: Mapping[str, str] = field(default_factory=dict)
    cite: str = ""
    assumed: str = ""
    where: Location = field(default_factory=Location)
    line: tuple[Point, ...] = ()


@dataclass(frozen=True, slots=True)
class Track:
    """A row of boxes for markers, such as the turns. spaces: their keys in order; labels: what they bear.

    outline: of the panel that is printed around them; empty for a track along a line. Every space of a track has the
    traits `track`, the key, and `step`, its place from 1.
    """

    key: str
    title: str
    spaces: tuple[str, ...]
    labels: tuple[str, ...]
    outline: tuple[Point, ...] = ()
    sheet: str = "main"


@dataclass(frozen=True, slots=True)
class Sheet:
    """One printed map piece: its trimmed size in millimetres."""

    name: str
    width: float
    height: float
    title: str = ""


@dataclass(frozen=True, slots=True)
class Placement:
    """A sheet that is part of an arrangement.

    name: what it is called there; sheet: which it is. at: upper left corner of the rectangle that it fills, and size
    its width and height, in millimetres of the arrangement. turn: degrees clockwise.
    """

    name: str
    sheet: str
    at: Point
    size: Point
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class LegendEntry:
    """One terrain, hexside kind, feature or link kind that the map may use, with its words for the printed key.

    traits: what checks need to know of it. Terrain: water = "yes". Hexside kind: water = "yes" for sides that lie in
    water; bars = the modes that may not cross it; river = "yes"; flow = "yes" if rivers of it flow. Feature: needs = a
    terrain that must touch it; not_in, only_in = terrains where it may not, or alone may stand. Link kind: modes = who
    may use it; network = "yes" for roads and the like. Several words are joined by spaces; modes are land and sea.
    """

    name: str
    kind: Literal["terrain", "hexside", "feature", "link"]
    title: str = ""
    note: str = ""
    traits: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class WarMap:
    """A map ready to use. spaces are in a stable order: hexes column by column, then boxes, points and areas.

    placements: an arrangement of several sheets is one large sheet here, with its own millimetres and one grid, and
    this is how they lie on it. Their hexes have the trait `map`: the sheets that they are on.
    spellings: other spellings of names that lists may use, each with the key that it stands for.
    """

    name: str
    title: str
    sheets: tuple[Sheet, ...]
    spaces: tuple[Space, ...]
    hexsides: tuple[Hexside, ...] = ()
    links: tuple[Link, ...] = ()
    legend: tuple[LegendEntry, ...] = ()
    grids: Mapping[str, HexGrid] = field(default_factory=dict)
    spellings: Mapping[str, str] = field(default_factory=dict)
    tracks: tuple[Track, ...] = ()
    placements: tuple[Placement, ...] = ()

    @cached_property
    def by_key(self) -> dict[str, Space]:
        """Spaces by key."""
        return {s.key: s for s in self.spaces}

    @cached_property
    def index(self) -> dict[str, int]:
        """Place of each space in `spaces`, by key."""
        return {s.key: i for i, s in enumerate(self.spaces)}

    def legend_names(self, kind: str) -> frozenset[str]:
        """Names of the legend of one kind."""
        return frozenset(e.name for e in self.legend if e.kind == kind)

    @cached_property
    def by_word(self) -> dict[str, str]:
        """Keys of spaces by every word that lists may use for them: key, spelling, printed number."""
        # A number that several sheets print means no hex by itself.
        count = Counter(s.label for s in self.spaces)
        words = {s.label: s.key for s in self.spaces if s.label and count[s.label] == 1}
        words.update({w: k for w, k in self.spellings.items() if k in self.by_key})
        words.update({s.key: s.key for s in self.spaces})
        return words

    def find(self, word: str) -> Space | None:
        """Return the space that a list means by this word, or None."""
        key = self.by_word.get(word)
        return None if key is None else self.by_key[key]

    def legend_entry(self, kind: str, name: str) -> LegendEntry | None:
        """Return an entry of the legend, or None."""
        return next((e for e in self.legend if e.kind == kind and e.name == name), None)
