"""The rules of a game as data: what the general engine reads. No game's word has a meaning of its own here.

Every datum may carry `cite` (where the printed rules say so) and `assumed` (why we chose it ourselves); `where` is its
place in the rules file, for findings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toolchain.model.forces import Value
from toolchain.model.terms import EVERY, Term
from toolchain.report import Location

OUT = "out"
"""The grade of a unit that has no line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Datum:
    """What every rule has: the printed rule that says so, or why we assumed it, and its place in the file."""

    cite: str = ""
    assumed: str = ""
    where_from: Location = field(default_factory=Location, compare=False)

    @property
    def basis(self) -> str:
        """Say in brackets what the datum rests on, or nothing."""
        words = [w for w in (f"rule {self.cite}" if self.cite else "", "assumed" if self.assumed else "") if w]
        return f" ({', '.join(words)})" if words else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar(Datum):
    """What closes a way between two spaces. Everything given must be true of the way, the traveller and the time.

    hexsides, links: the way has one of these kinds. pairs: it joins these two, either way round. at: either end is
    such a space. into, out_of: the space entered or left is such a one. of: only for these pieces. when: only then.
    """

    hexsides: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    pairs: tuple[tuple[str, str], ...] = ()
    at: Term | None = None
    into: Term | None = None
    out_of: Term | None = None
    of: Term = EVERY
    when: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Edges(Datum):
    """One kind of way between spaces, by name.

    join: "hexside", "hexside.KIND", "link" or "link.KIND". spaces: both ends must be such. hub, same: every two spaces
    that `hub` takes and that share a value of the trait `same` are one step apart. bars: what closes a way.
    """

    name: str
    join: tuple[str, ...] = ()
    spaces: Term = EVERY
    hub: Term | None = None
    same: str = ""
    bars: tuple[Bar, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Datum):
    """Bounds of entry: pieces of `of` may enter only spaces of `only`, never spaces of `never`, when `when` holds.

    stays: a piece that entered while it might may stay; the bound is on entering and on lines, not on standing.
    """

    of: Term = EVERY
    only: Term | None = None
    never: Term | None = None
    when: Term = EVERY
    stays: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit(Datum):
    """So many pieces of `of` at most in one space of `where`; None is no limit."""

    of: Term = EVERY
    where: Term = EVERY
    at_most: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Stacking(Datum):
    """A stacking limit. Pieces that an exception takes are counted under the first such exception instead.

    per: the attribute by which pieces are counted apart (side, nation, ...); empty, all together. weigh: a numeric
    attribute to add up instead of counting pieces. at: the moments at which the printed rules check it.
    """

    of: Term = EVERY
    where: Term = EVERY
    at_most: float | None = None
    per: str = "side"
    weigh: str = ""
    when: Term = EVERY
    at: tuple[str, ...] = ()
    exceptions: tuple[Limit, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart(Datum):
    """Pieces of `of` that differ in the attribute `by` may not share a space of `where`."""

    of: Term = EVERY
    by: str = "side"
    where: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Negation(Datum):
    """A piece of `of` (friendly to whoever moves or traces) lifts an enemy zone in its space, for these purposes."""

    of: Term = EVERY
    purposes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancel(Datum):
    """Pieces of `by` lift the zones of pieces of `of` in spaces at most `within` steps away over these edges."""

    by: Term = EVERY
    of: Term = EVERY
    within: int = 0
    over: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Zoc(Datum):
    """Zones of control: pieces of `of` exert one into every space one step away over these edges.

    needs: grades of supply in which a piece exerts; empty, it needs none. effect: what a zone does, for rule cards and
    movement (enter = "stop", ...).
    """

    of: Term = EVERY
    over: tuple[str, ...] = ()
    when: Term = EVERY
    needs: tuple[str, ...] = ()
    negated_by: tuple[Negation, ...] = ()
    cancelled_by: tuple[Cancel, ...] = ()
    effect: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(Datum):
    """Spaces of `where` (friendly and so on as seen by the tracer) supply pieces of `of` when `when` holds."""

    where: Term
    of: Term = EVERY
    when: Term = EVERY


@dataclass(frozen=True, slots=True)
class Stage:
    """One stretch of a supply line: over which edges, and at most how many steps (None: any number)."""

    over: tuple[str, ...]
    at_most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Line(Datum):
    """A line of this grade: stages in order from the unit outward; each may have no step at all."""

    grade: str
    stages: tuple[Stage, ...] = ()
    of: Term = EVERY
    when: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Always(Datum):
    """Pieces of `of` in spaces of `where` have this grade without a line."""

    grade: str
    of: Term = EVERY
    where: Term = EVERY
    when: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Supply(Datum):
    """How pieces of `of` trace supply; the first rule that takes a piece is its rule.

    through: every space that the line enters, the source included, must be such (the unit's own need not).
    legal_entry: and the unit could legally enter it. zoc_blocks: and no enemy zone lies there that nothing negates.
    """

    of: Term = EVERY
    sources: tuple[Source, ...] = ()
    through: Term = EVERY
    legal_entry: bool = False
    zoc_blocks: bool = False
    lines: tuple[Line, ...] = ()
    always: tuple[Always, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Attrition(Datum):
    """What becomes of units without a line: those of `of` die, except in spaces of `spared` as seen by them.

    vacant_as: pieces to imagine, by attributes, in every vacant space of their side; a space where each of them would
    die turns to the enemy. Empty: vacant spaces never turn.
    """

    of: Term = EVERY
    spared: Term | None = None
    vacant_as: tuple[Mapping[str, Value], ...] = ()
    vacant_where: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost(Datum):
    """What it costs to act with pieces of `of` in one of these grades: so many points for each space or each unit."""

    acts: tuple[str, ...]
    grades: tuple[str, ...]
    per: str
    points: float
    of: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class StepCost(Datum):
    """What one step of a move costs, where everything given is true of the step, the mover and the time.

    hexsides, links: the way has one of these kinds. into, out_of: the space entered or left is such a one.
    in_zone, out_of_zone: it is entered, or left, under an enemy zone of control. points: the whole cost of the step,
    the first such rule that fits counts; more: added to it, all that fit count. Exactly one of the two is given.
    """

    hexsides: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    into: Term | None = None
    out_of: Term | None = None
    in_zone: bool | None = None
    out_of_zone: bool | None = None
    of: Term = EVERY
    when: Term = EVERY
    points: float | None = None
    more: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement(Datum):
    """How pieces of `of` move; the first rule that takes a piece is its rule.

    over: the kinds of edge they use. points: what a piece has, as a number or the name of an attribute; None for no
    end. cost: of a step that no rule of `costs` gives another. What zones of control do is said by `Zoc.effect`:
    enter = "stop", from_zone_to_zone = "forbidden". stops: entering such a space ends the move.
    """

    of: Term = EVERY
    over: tuple[str, ...] = ()
    points: str | float | None = None
    cost: float = 1.0
    costs: tuple[StepCost, ...] = ()
    stops: Term | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Home(Datum):
    """Spaces of `where` belong to this side for the whole game."""

    where: Term
    side: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Control(Datum):
    """Control as the position stores it. holders: pieces whose presence gives their side the space. home: fixed."""

    holders: Term = EVERY
    home: tuple[Home, ...] = ()


@dataclass(frozen=True)
class Rulebook:
    """All rules of one game. grades: the grades of supply, best first."""

    grades: tuple[str, ...] = ()
    edges: Mapping[str, Edges] = field(default_factory=dict)
    control: Control = field(default_factory=Control)
    entries: tuple[Entry, ...] = ()
    stacking: tuple[Stacking, ...] = ()
    apart: tuple[Apart, ...] = ()
    zoc: tuple[Zoc, ...] = ()
    supply: tuple[Supply, ...] = ()
    attrition: tuple[Attrition, ...] = ()
    costs: tuple[Cost, ...] = ()
    movement: tuple[Movement, ...] = ()
