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

RETREAT = "retreat"
"""The kind of move, and the purpose, of a unit that gives way in battle."""

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
    downstream_of: the way crosses a river below the first hexside of this kind that the water passed, and not at one.
    """

    hexsides: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    downstream_of: str = ""
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
    that `hub` takes and that share a value of the trait `same` are one step apart; those of `rim` are one step from
    them and not from each other. bars: what closes a way. reserved: a trait of links; a link that has it serves only
    the sides or nations that it names.
    """

    name: str
    join: tuple[str, ...] = ()
    spaces: Term = EVERY
    hub: Term | None = None
    rim: Term | None = None
    same: str = ""
    bars: tuple[Bar, ...] = ()
    reserved: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry(Datum):
    """Bounds of entry: pieces of `of` may enter only spaces of `only`, never spaces of `never`, when `when` holds.

    stays: a piece that entered while it might may stay; the bound is on entering and on lines, not on standing.
    only_at: an attribute that names the one space where the piece may stand; it does not bound lines, and a piece that
    lacks the attribute is free.
    """

    of: Term = EVERY
    only: Term | None = None
    never: Term | None = None
    when: Term = EVERY
    stays: bool = False
    only_at: str = ""


@dataclass(frozen=True, slots=True)
class Weight:
    """How pieces are counted: by number, or by the numeric attribute `by`; those of a selector so many times over.

    times: the first selector that takes a piece gives its factor.
    """

    by: str = ""
    times: tuple[tuple[Term, float], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit(Datum):
    """So many pieces of `of` at most in one space of `where` while `when` holds; None is no limit."""

    of: Term = EVERY
    where: Term = EVERY
    at_most: float | None = None
    when: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Stacking(Datum):
    """A stacking limit. Pieces that an exception takes are counted under the first such exception instead.

    per: the attributes by which pieces are counted apart (side, nation, ...); empty, all together. weight: how they are
    counted. at: the moments at which the printed rules check it. excess: where the pieces in excess go, in words.
    """

    of: Term = EVERY
    where: Term = EVERY
    at_most: float | None = None
    per: tuple[str, ...] = ("side",)
    weight: Weight = Weight()
    when: Term = EVERY
    at: tuple[str, ...] = ()
    exceptions: tuple[Limit, ...] = ()
    excess: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SetupLimit(Datum):
    """So many pieces of `of` at most, or at least, in all spaces of `where` together; or, with `each`, in every one.

    per: the attributes by which pieces are counted apart; empty, all together. weight: how they are counted.
    place_weight: a trait of spaces, such as the step of a track, whose number counts for every piece that stands there.
    """

    of: Term = EVERY
    where: Term = EVERY
    at_most: float | None = None
    at_least: float | None = None
    each: bool = False
    per: tuple[str, ...] = ()
    weight: Weight = Weight()
    place_weight: str = ""
    when: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Apart(Datum):
    """Pieces of `of` that differ in the attribute `by` may not share a space of `where`."""

    of: Term = EVERY
    by: str = "side"
    where: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Company(Datum):
    """Pieces of `of` in spaces of `where` need a piece of `holds`, as they see it, in the same space.

    otherwise: what becomes of them without one, in words.
    """

    of: Term = EVERY
    where: Term = EVERY
    holds: Term = EVERY
    when: Term = EVERY
    at: tuple[str, ...] = ()
    otherwise: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Carry(Datum):
    """Pieces of `carrier` carry pieces of `cargo`, at most so much in all.

    no_more_than: a numeric attribute; that of all cargo together may not exceed that of the carrier.
    """

    carrier: Term = EVERY
    cargo: Term = EVERY
    at_most: float | None = None
    weight: Weight = Weight()
    no_more_than: str = ""
    when: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossing(Datum):
    """So much at most over one way; everything given must be true of it. None is no limit."""

    hexsides: tuple[str, ...] = ()
    links: tuple[str, ...] = ()
    into: Term | None = None
    out_of: Term | None = None
    at_most: float | None = None
    when: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class HexsideLimit(Datum):
    """How many pieces of `of` may cross one way in moves of these kinds.

    crossings: the first that fits a way is its limit. over: kinds of edge that such moves must use; empty, any way of
    the map. as_stacking: those that come over one way must also fit the stacking limits of the space that they enter.
    """

    of: Term = EVERY
    moves: tuple[str, ...] = ()
    over: tuple[str, ...] = ()
    per: tuple[str, ...] = ("side",)
    weight: Weight = Weight()
    crossings: tuple[Crossing, ...] = ()
    as_stacking: bool = False
    when: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Proportion(Datum):
    """Which share of the pieces of `of` in one space, or of those that move into one, have an ability, by weight.

    counts: selectors of pieces that have it, each with how much of their weight counts; the first that fits counts.
    neutral: pieces that are left out of the reckoning; of them at most `neutral_at_most` times the weight of those that
    `counts` takes, the rest is without the ability. None: any number. moves: kinds of move; empty, pieces in a space.
    per: as for stacking. at_least: a share below it is a finding.
    """

    name: str
    of: Term = EVERY
    where: Term = EVERY
    moves: tuple[str, ...] = ()
    weight: Weight = Weight()
    per: tuple[str, ...] = ("side",)
    counts: tuple[tuple[Term, float], ...] = ()
    neutral: Term | None = None
    neutral_at_most: float | None = None
    at_least: float | None = None
    when: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity(Datum):
    """What a side has of something on each network: so much for each of its spaces that are such as `where` says.

    name: of what. over: a network is all spaces that these edges join. where: as the side sees it. each: how much.
    """

    name: str
    over: tuple[str, ...] = ()
    where: Term = EVERY
    each: float = 1.0
    when: Term = EVERY


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
class Effect(Datum):
    """What an enemy zone does to pieces of `of`; of each field the first effect that takes a piece and has it counts.

    enter, leave: "stop" (ends, or forbids, the move there) or movement points more. from_zone_to_zone: "forbidden" or
    movement points more. retreat: "forbidden" or losses more for retreating into one, "stop" for retreating no further.
    None: the effect says nothing. moves: kinds of move to which the first three apply in lists of moves; `retreat`
    applies to moves of kind "retreat".
    """

    of: Term = EVERY
    moves: tuple[str, ...] = ("move",)
    enter: float | str | None = None
    leave: float | str | None = None
    from_zone_to_zone: float | str | None = None
    retreat: float | str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Zoc(Datum):
    """Zones of control: pieces of `of` exert one into every space one step away over these edges.

    needs: grades of supply in which a piece exerts; empty, it needs none. legal_entry: only into spaces that the piece
    could legally enter. effects: what a zone does to enemy pieces.
    """

    of: Term = EVERY
    over: tuple[str, ...] = ()
    when: Term = EVERY
    needs: tuple[str, ...] = ()
    negated_by: tuple[Negation, ...] = ()
    cancelled_by: tuple[Cancel, ...] = ()
    legal_entry: bool = False
    effects: tuple[Effect, ...] = ()


@dataclass(frozen=True, slots=True)
class Joined:
    """A source counts only if a line over these edges joins it to another space of `to`, all of it inside `within`."""

    to: Term
    over: tuple[str, ...]
    within: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Source(Datum):
    """Spaces of `where` (friendly and so on as seen by the tracer) supply pieces of `of` when `when` holds.

    joined: only while joined to another space. serves: each such space supplies so many units (or so much weight) at
    most, of those that no other source supplies, the nearest first.
    """

    where: Term
    of: Term = EVERY
    when: Term = EVERY
    joined: Joined | None = None
    serves: float | None = None
    weight: Weight = Weight()


@dataclass(frozen=True, slots=True)
class Stage:
    """One stretch of a supply line: over which edges, and at most how many steps (None: any number).

    fact, by_value: the number of steps by the value of a fact of the position, such as the weather; where the fact has
    no value listed, `at_most`, or without one the least that is listed. beyond: the spaces of this stretch need not be
    such as a line may enter; it reaches beyond the line. each: at most so many steps over some of the kinds of edge, by
    their names, beside what bounds the stretch as a whole. begins: only in such a space may the stretch begin.
    """

    over: tuple[str, ...]
    at_most: int | None = None
    fact: str = ""
    by_value: Mapping[str, int] = field(default_factory=dict)
    beyond: bool = False
    each: Mapping[str, int] = field(default_factory=dict)
    begins: Term = EVERY

    def steps(self, facts: Mapping[str, str]) -> int | None:
        """Return how many steps the stretch may have while these facts hold."""
        if not self.by_value:
            return self.at_most
        least = min(self.by_value.values()) if self.at_most is None else self.at_most
        return self.by_value.get(facts.get(self.fact, ""), least)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line(Datum):
    """A line of this grade: stages in order from the unit outward; each may have no step at all.

    sources: those of this line alone; empty, those of its supply rule.
    """

    grade: str
    stages: tuple[Stage, ...] = ()
    of: Term = EVERY
    when: Term = EVERY
    sources: tuple[Source, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Always(Datum):
    """Pieces of `of` in spaces of `where` have this grade without a line."""

    grade: str
    of: Term = EVERY
    where: Term = EVERY
    when: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut(Datum):
    """Enemy pieces of `of` cut lines in the space where they stand. needs: grades in which they do; empty, always."""

    of: Term = EVERY
    needs: tuple[str, ...] = ()
    when: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Supply(Datum):
    """How pieces of `of` trace supply; the first rule that takes a piece is its rule.

    through: every space that the line enters, the source included, must be such (the unit's own need not).
    legal_entry: and the unit could legally enter it. zoc_blocks: and no enemy zone lies there that nothing negates.
    cut_by: and none of these enemy pieces stands there. judged_at: the moments at which supply is judged; at any other
    moment a grade that the position keeps holds.
    """

    of: Term = EVERY
    sources: tuple[Source, ...] = ()
    through: Term = EVERY
    legal_entry: bool = False
    zoc_blocks: bool = False
    lines: tuple[Line, ...] = ()
    always: tuple[Always, ...] = ()
    cut_by: tuple[Cut, ...] = ()
    judged_at: tuple[str, ...] = ()

    @property
    def all_sources(self) -> tuple[Source, ...]:
        """Sources of the rule, then those of single lines."""
        return (*self.sources, *(s for line in self.lines for s in line.sources))


@dataclass(frozen=True, slots=True, kw_only=True)
class Status(Supply):
    """What a piece is without a line of its own kind, beside supply: such as isolated.

    name: the word for a piece that has none of these lines. Their grades say nothing, and no source is limited.
    """

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attrition(Datum):
    """What becomes of units of these grades: those of `of` die, except in spaces of `spared` as seen by them.

    steps: they lose so many steps and die with the last; None, they die at once. vacant_as: pieces to imagine, by
    attributes, in every vacant space of their side; a space where each of them would die turns to the enemy. Empty:
    vacant spaces never turn.
    """

    of: Term = EVERY
    spared: Term | None = None
    vacant_as: tuple[Mapping[str, Value], ...] = ()
    vacant_where: Term = EVERY
    grades: tuple[str, ...] = (OUT,)
    steps: int | None = None


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
    the first such rule that fits counts; more: added to it, all that fit count. Of the two at most one is given. ends:
    whether the step ends the move; the first such rule that fits counts.
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
    ends: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement(Datum):
    """How pieces of `of` move; the first rule that takes a piece is its rule for moves of these kinds.

    over: the kinds of edge they use. moves: the kinds of move, in lists of moves, that must use them. points: what a
    piece has, as a number or the name of an attribute; None for no end. cost: of a step that no rule of `costs` gives
    another. What zones of control do is said by `Zoc.effects`. stops: entering such a space ends the move.
    """

    of: Term = EVERY
    over: tuple[str, ...] = ()
    moves: tuple[str, ...] = ("move",)
    points: str | float | None = None
    cost: float = 1.0
    costs: tuple[StepCost, ...] = ()
    stops: Term | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Home(Datum):
    """Spaces of `where` belong to this side while `when` holds; if they revert, only while nobody else holds them.

    when: by events, turns and facts alone.
    """

    where: Term
    side: str
    reverts: bool = False
    when: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Owning(Datum):
    """How the pieces on the map decide who controls a space of `where`; the rules are asked in order.

    by: "majority", the side with most pieces; "occupation", the side that stands there alone; "zone", the side that
    alone has a zone of control there. of: selectors of the pieces that count, in order of arms: the first that any
    piece fits decides. vacant, contested: what follows when no rule says anything, or a rule finds no winner: "nobody",
    or "kept" as the position states.
    """

    where: Term = EVERY
    by: str = "occupation"
    of: tuple[Term, ...] = (EVERY,)
    weight: Weight = Weight()
    vacant: str = "nobody"
    contested: str = "nobody"


@dataclass(frozen=True, slots=True, kw_only=True)
class Taking(Datum):
    """Pieces of `of` give their side the spaces of `where` that they enter in moves of these kinds.

    moves: every space entered. ends: only the space where such a move ends.
    """

    of: Term = EVERY
    where: Term = EVERY
    moves: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    when: Term = EVERY


@dataclass(frozen=True, slots=True, kw_only=True)
class Control(Datum):
    """Who controls what: as the position stores it, but for homes and for spaces where rules decide.

    holders: pieces whose presence gives their side the space. home: fixed or reverting. rules: see Owning. takings: how
    stored control changes.
    """

    holders: Term = EVERY
    home: tuple[Home, ...] = ()
    rules: tuple[Owning, ...] = ()
    takings: tuple[Taking, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Without(Datum):
    """The game states that it has no rules of this kind."""

    kind: str


@dataclass(frozen=True)
class Rulebook:
    """All rules of one game. grades: the grades of supply, best first.

    states: words for what may be true of a piece for a time. counts_as: by attribute, values that count as another.
    """

    grades: tuple[str, ...] = ()
    edges: Mapping[str, Edges] = field(default_factory=dict)
    control: Control = field(default_factory=Control)
    entries: tuple[Entry, ...] = ()
    stacking: tuple[Stacking, ...] = ()
    apart: tuple[Apart, ...] = ()
    zoc: tuple[Zoc, ...] = ()
    supply: tuple[Supply, ...] = ()
    statuses: tuple[Status, ...] = ()
    attrition: tuple[Attrition, ...] = ()
    costs: tuple[Cost, ...] = ()
    movement: tuple[Movement, ...] = ()
    states: tuple[str, ...] = ()
    counts_as: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    company: tuple[Company, ...] = ()
    carry: tuple[Carry, ...] = ()
    hexside_limits: tuple[HexsideLimit, ...] = ()
    proportions: tuple[Proportion, ...] = ()
    capacities: tuple[Capacity, ...] = ()
    setup_limits: tuple[SetupLimit, ...] = ()
    without: tuple[Without, ...] = ()

    @property
    def move_kinds(self) -> tuple[str, ...]:
        """Words for kinds of move that the rules use, once each, in order."""
        words = [w for x in self.hexside_limits for w in x.moves]
        words += [w for x in self.control.takings for w in (*x.moves, *x.ends)]
        words += [w for x in self.movement for w in x.moves]
        words += [w for x in self.proportions for w in x.moves]
        for zoc in self.zoc:
            words += [w for x in zoc.effects for w in (*x.moves, *([RETREAT] if x.retreat is not None else []))]
        return tuple(dict.fromkeys(words))

    @property
    def moments(self) -> tuple[str, ...]:
        """Words for the moments at which rules are checked, once each, in order."""
        words = [w for x in self.stacking for w in x.at]
        words += [w for x in self.company for w in x.at]
        words += [w for x in self.supply for w in x.judged_at]
        return tuple(dict.fromkeys(words))
