"""rules.toml: the rules as data. Every mistake is a finding with its key path and the nearest valid word.

The file, table by table; every table may have `cite` (the printed rule) and `assumed` (why, where there is none):

    format = 1
    grades = [...]          grades of supply, best first
    [edges.NAME]            ways between spaces: join ("hexside", "hexside.KIND", "link", "link.KIND"), spaces, hub and
                            same (all such spaces that share a trait are one step apart), barred_by
    [control]               holders, home = [{ where, side }]
    [[entry]]               of, only or never (spaces), when, unless, stays
    [[stacking]]            of, where, at_most, per, weigh, when, unless, at, except = [{ of, where, at_most }]
    [[apart]]               of, by, where
    [[zoc]]                 of, over, needs, when, unless, effect, negated_by = [{ of, for }],
                            cancelled_by = [{ by, of, within, over }]
    [[supply]]              of, sources = [{ where, of, when }], through, legal_entry, zoc_blocks,
                            lines = [{ grade, stages = [{ over, at_most }] }] from the unit outward,
                            always = [{ grade, of, where }]
    [[attrition]]           of, spared, vacant_as, vacant_where
    [[cost]]                act, supply, per ("space" or "unit"), points, of
    [[movement]]            of, over, points (an attribute or a number), cost (of a step), stops (spaces),
                            costs = [{ hexside, link, into, from, in_zone, out_of_zone, of, when, points or more }]

`of` selects pieces, by side, nation, kind, role or any column of the counters, or `in` = the spaces where they stand.
`where`, `spaces`, `through`, ... select spaces, by space (name), kind, terrain, feature, control, any trait, `holds` =
pieces, or `beside` = spaces. A list means any of these; `not`, `any` and `all` join tables. "friendly", "enemy",
"neutral" and "own" are as the piece in question sees it. `when` and `unless` are conditions: event, turn (a number, a
list or { from, to }), control = { SPACE = side }, fact = { NAME = value }.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeVar

from pydantic import Field

from toolchain.catalogue import (
    BAR_ON_HUB,
    MISSING_KEY,
    NEEDS_NOT_BEST_FIRST,
    NEVER_APPLIES,
    RELATIVE_TO_NOBODY,
    UNKNOWN_ATTRIBUTE,
    UNKNOWN_EDGES,
    UNKNOWN_GRADE,
    UNKNOWN_KEY,
    UNKNOWN_WORD,
    WRONG_VALUE,
)
from toolchain.model.forces import Counter
from toolchain.model.rulebook import (
    OUT,
    Always,
    Apart,
    Attrition,
    Bar,
    Cancel,
    Control,
    Cost,
    Edges,
    Entry,
    Home,
    Limit,
    Line,
    Movement,
    Negation,
    Rulebook,
    Source,
    Stacking,
    Stage,
    StepCost,
    Supply,
    Zoc,
)
from toolchain.model.terms import (
    ENEMY,
    EVERY,
    FRIENDLY,
    NEUTRAL,
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
    relative_words,
    text_of,
)
from toolchain.model.warmap import WarMap
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode import Raw, decode

NEVER: Term = AnyOf(())
RELATIVE = {"side": (FRIENDLY, ENEMY), "nation": (OWN,), "control": (FRIENDLY, ENEMY, NEUTRAL)}

Words = str | tuple[str, ...]
Table = dict[str, Any]
T = TypeVar("T")


# The file as it is written -----------------------------------------------------------------------------------------


class RawDatum(Raw):
    """What every rule may have."""

    cite: str = ""
    assumed: str = ""


class RawBar(RawDatum):
    """What closes a way."""

    hexside: Words = ()
    link: Words = ()
    pairs: tuple[tuple[str, str], ...] = ()
    at: Table | None = None
    into: Table | None = None
    from_: Table | None = Field(None, alias="from")
    of: Table | None = None
    when: Table | None = None
    unless: Table | None = None


class RawEdges(RawDatum):
    """One kind of way."""

    join: Words = ()
    spaces: Table | None = None
    hub: Table | None = None
    same: str = ""
    barred_by: tuple[RawBar, ...] = ()


class RawEntry(RawDatum):
    """A bound of entry."""

    of: Table | None = None
    only: Table | None = None
    never: Table | None = None
    when: Table | None = None
    unless: Table | None = None
    stays: bool = False


class RawLimit(RawDatum):
    """An exception to a stacking limit."""

    of: Table | None = None
    where: Table | None = None
    at_most: float | None = Field(None, ge=0)
    unlimited: Literal[True] | None = None


class RawStacking(RawDatum):
    """A stacking limit."""

    of: Table | None = None
    where: Table | None = None
    at_most: float = Field(ge=0)
    per: str = "side"
    weigh: str = ""
    when: Table | None = None
    unless: Table | None = None
    at: Words = ()
    except_: tuple[RawLimit, ...] = Field((), alias="except")


class RawApart(RawDatum):
    """Pieces that may not share a space."""

    of: Table | None = None
    by: str = "side"
    where: Table | None = None


class RawNegation(RawDatum):
    """What lifts a zone."""

    of: Table | None = None
    for_: Words = Field(alias="for")


class RawCancel(RawDatum):
    """What lifts zones within a range."""

    by: Table
    of: Table | None = None
    within: int = Field(ge=0)
    over: Words


class RawZoc(RawDatum):
    """Zones of control."""

    of: Table | None = None
    over: Words
    when: Table | None = None
    unless: Table | None = None
    needs: Words = ()
    negated_by: tuple[RawNegation, ...] = ()
    cancelled_by: tuple[RawCancel, ...] = ()
    effect: dict[str, str | int | float | bool] = Field(default_factory=dict)


class RawSource(RawDatum):
    """Sources of supply."""

    where: Table
    of: Table | None = None
    when: Table | None = None
    unless: Table | None = None


class RawStage(Raw):
    """A stretch of a line."""

    over: Words
    at_most: int | None = Field(None, ge=0)


class RawLine(RawDatum):
    """A line of supply."""

    grade: str
    stages: tuple[RawStage, ...]
    of: Table | None = None
    when: Table | None = None
    unless: Table | None = None


class RawAlways(RawDatum):
    """Supply without a line."""

    grade: str
    of: Table | None = None
    where: Table | None = None
    when: Table | None = None
    unless: Table | None = None


class RawSupply(RawDatum):
    """How some pieces trace."""

    of: Table | None = None
    sources: tuple[RawSource, ...] = ()
    through: Table | None = None
    legal_entry: bool = False
    zoc_blocks: bool = False
    lines: tuple[RawLine, ...] = ()
    always: tuple[RawAlways, ...] = ()


class RawAttrition(RawDatum):
    """What becomes of units out of supply."""

    of: Table | None = None
    spared: Table | None = None
    vacant_as: tuple[dict[str, str | int | float | bool], ...] = ()
    vacant_where: Table | None = None


class RawCost(RawDatum):
    """What an action costs."""

    act: Words
    supply: Words
    per: Literal["space", "unit"]
    points: float = Field(ge=0)
    of: Table | None = None


class RawStepCost(RawDatum):
    """What one step of a move costs."""

    hexside: Words = ()
    link: Words = ()
    into: Table | None = None
    from_: Table | None = Field(None, alias="from")
    in_zone: bool | None = None
    out_of_zone: bool | None = None
    of: Table | None = None
    when: Table | None = None
    unless: Table | None = None
    points: float | None = Field(None, ge=0)
    more: float | None = Field(None, ge=0)


class RawMovement(RawDatum):
    """How some pieces move."""

    of: Table | None = None
    over: Words
    points: str | float | None = None
    cost: float = Field(1.0, ge=0)
    costs: tuple[RawStepCost, ...] = ()
    stops: Table | None = None


class RawHome(RawDatum):
    """Spaces that never change hands."""

    where: Table
    side: str


class RawControl(RawDatum):
    """Who controls what."""

    holders: Table | None = None
    home: tuple[RawHome, ...] = ()


class RulesFile(Raw):
    """The whole of rules.toml."""

    format: Literal[1]
    grades: tuple[str, ...] = ()
    edges: dict[str, RawEdges] = Field(default_factory=dict)
    control: RawControl = Field(default_factory=RawControl)
    entry: tuple[RawEntry, ...] = ()
    stacking: tuple[RawStacking, ...] = ()
    apart: tuple[RawApart, ...] = ()
    zoc: tuple[RawZoc, ...] = ()
    supply: tuple[RawSupply, ...] = ()
    attrition: tuple[RawAttrition, ...] = ()
    cost: tuple[RawCost, ...] = ()
    movement: tuple[RawMovement, ...] = ()


# What the rules may speak of ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Vocabulary:
    """The words of a game: what its pieces and spaces can be asked for, and everything else that rules may name.

    pieces, spaces: every face and every space as its attributes and their values.
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

    @classmethod
    def of(
        cls,
        warmap: WarMap,
        counters: Iterable[Counter],
        sides: Mapping[str, Any],
        events: Iterable[str],
    ) -> Vocabulary:
        """Gather the words of a game. sides: by name; what has `nations` names them."""
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
        return cls(
            tuple(pieces),
            tuple(spaces),
            tuple(sides),
            tuple(dict.fromkeys(nations)),
            tuple(events),
            *(tuple(sorted(warmap.legend_names(k) | used)) for k, used in _kinds(warmap)),
        )

    def values(self, what: Literal["piece", "space"], name: str) -> frozenset[str] | None:
        """Return the values that an attribute has somewhere in the game, relative words included; None if it has none.

        What the legend lists is known even where the map does not use it.
        """
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
        more = {"side", "nation", "role", "kind", "in"} if what == "piece" else {"control", "holds", "beside", "space"}
        return sorted(more.union(self._found[what], ("any", "all", "not")))


def _switch(known: frozenset[str]) -> frozenset[str]:
    """A trait that is only ever yes may be asked for with no, and the other way round."""
    return frozenset(("yes", "no")) if known and known <= {"yes", "no"} else frozenset()


def _words_of(counter: Counter, step: int) -> dict[str, frozenset[str]]:
    names = ["id", "name", "role", "side", "nation", "kind", "symbol", *counter.attributes, *counter.faces[step].values]
    values = {n: counter.value(n, step) for n in names}
    return {n: frozenset((text_of(v),)) for n, v in values.items() if v is not None and v != ""}


def _kinds(warmap: WarMap) -> list[tuple[str, frozenset[str]]]:
    spaces = warmap.spaces
    return [
        ("hexside", frozenset(k for s in warmap.hexsides for k in s.kinds)),
        ("link", frozenset(k.kind for k in warmap.links)),
        ("terrain", frozenset(s.terrain for s in spaces if s.terrain)),
        ("feature", frozenset(f for s in spaces for f in s.features)),
    ]


# From the file to the rulebook -------------------------------------------------------------------------------------


def decode_rules(raw: Mapping[str, Any], file: str, words: Vocabulary, report: Report) -> Rulebook:
    """Decode the raw values of rules.toml.

    raw: what tomllib returned. file: shown in messages. words: what the game has to speak of. Returns an empty
    rulebook when the form of the file is wrong; unknown words are findings, and the rules that use them never apply.
    """
    read = decode(RulesFile, raw, file, report)
    if read is None:
        return Rulebook()
    return _Decoder(file, words, report, read).rulebook()


@dataclass
class _Decoder:
    file: str
    words: Vocabulary
    report: Report
    read: RulesFile

    def rulebook(self) -> Rulebook:
        r = self.read
        return Rulebook(
            grades=r.grades,
            edges={n: self.edges(n, e, f"edges.{n}") for n, e in r.edges.items()},
            control=self.control(r.control, "control"),
            entries=tuple(self.entry(e, f"entry.{i}") for i, e in enumerate(r.entry)),
            stacking=tuple(self.stacking(s, f"stacking.{i}") for i, s in enumerate(r.stacking)),
            apart=tuple(self.apart(a, f"apart.{i}") for i, a in enumerate(r.apart)),
            zoc=tuple(self.zoc(z, f"zoc.{i}") for i, z in enumerate(r.zoc)),
            supply=tuple(self.supply(s, f"supply.{i}") for i, s in enumerate(r.supply)),
            attrition=tuple(self.attrition(a, f"attrition.{i}") for i, a in enumerate(r.attrition)),
            costs=tuple(self.cost(c, f"cost.{i}") for i, c in enumerate(r.cost)),
            movement=tuple(self.movement(m, f"movement.{i}") for i, m in enumerate(r.movement)),
        )

    # Rules

    def edges(self, name: str, e: RawEdges, key: str) -> Edges:
        joins = _several(e.join)
        known = ["hexside", "link", *(f"hexside.{k}" for k in self.words.hexsides)]
        known += [f"link.{k}" for k in self.words.links]
        for join in joins:
            if join not in known:
                self.add(UNKNOWN_WORD, f"{key}.join", f"no way of the map is {join!r}{did_you_mean(join, known)}")
        if not joins and e.hub is None:
            self.add(MISSING_KEY, key, "either `join` or `hub` must be given")
        if e.same and self.words.values("space", e.same) is None:
            hint = did_you_mean(e.same, self.words.attributes("space"))
            self.add(UNKNOWN_ATTRIBUTE, f"{key}.same", f"no space has {e.same!r}{hint}")
        bars = tuple(self.bar(b, f"{key}.barred_by.{i}") for i, b in enumerate(e.barred_by))
        if e.hub is not None and not joins:
            for i, b in enumerate(e.barred_by):
                if b.at is None or b.hexside or b.link or b.pairs or b.into or b.from_:
                    self.add(BAR_ON_HUB, f"{key}.barred_by.{i}", "the ways of a hub can be barred only with `at`")
        return Edges(
            name=name,
            join=joins,
            spaces=self.spaces(e.spaces, f"{key}.spaces"),
            hub=None if e.hub is None else self.spaces(e.hub, f"{key}.hub"),
            same=e.same,
            bars=bars,
            **self.datum(e, key),
        )

    def bar(self, b: RawBar, key: str) -> Bar:
        for kind, given, known in (
            ("hexside", _several(b.hexside), self.words.hexsides),
            ("link", _several(b.link), self.words.links),
        ):
            for word in given:
                self.known(word, known, f"{kind} of the map", f"{key}.{kind}")
        for i, pair in enumerate(b.pairs):
            for word in pair:
                self.space(word, f"{key}.pairs.{i}")
        return Bar(
            hexsides=_several(b.hexside),
            links=_several(b.link),
            pairs=b.pairs,
            at=self.maybe_spaces(b.at, f"{key}.at"),
            into=self.maybe_spaces(b.into, f"{key}.into"),
            out_of=self.maybe_spaces(b.from_, f"{key}.from"),
            of=self.pieces(b.of, f"{key}.of"),
            when=self.time(b, key),
            **self.datum(b, key),
        )

    def entry(self, e: RawEntry, key: str) -> Entry:
        if e.only is None and e.never is None:
            self.add(MISSING_KEY, key, "either `only` or `never` must be given")
        return Entry(
            of=self.pieces(e.of, f"{key}.of"),
            only=self.maybe_spaces(e.only, f"{key}.only"),
            never=self.maybe_spaces(e.never, f"{key}.never"),
            when=self.time(e, key),
            stays=e.stays,
            **self.datum(e, key),
        )

    def stacking(self, s: RawStacking, key: str) -> Stacking:
        for word, name in ((s.per, "per"), (s.weigh, "weigh")):
            if word:
                self.attribute(word, f"{key}.{name}")
        limits = []
        for i, x in enumerate(s.except_):
            if (x.at_most is None) == (x.unlimited is None):
                self.add(MISSING_KEY, f"{key}.except.{i}", "either `at_most` or `unlimited = true` must be given")
            limits.append(
                Limit(
                    of=self.pieces(x.of, f"{key}.except.{i}.of"),
                    where=self.spaces(x.where, f"{key}.except.{i}.where", seen=False),
                    at_most=x.at_most,
                    **self.datum(x, f"{key}.except.{i}"),
                )
            )
        return Stacking(
            of=self.pieces(s.of, f"{key}.of"),
            where=self.spaces(s.where, f"{key}.where", seen=False),
            at_most=s.at_most,
            per=s.per,
            weigh=s.weigh,
            when=self.time(s, key, seen=False),
            at=_several(s.at),
            exceptions=tuple(limits),
            **self.datum(s, key),
        )

    def apart(self, a: RawApart, key: str) -> Apart:
        self.attribute(a.by, f"{key}.by")
        return Apart(
            of=self.pieces(a.of, f"{key}.of"),
            by=a.by,
            where=self.spaces(a.where, f"{key}.where", seen=False),
            **self.datum(a, key),
        )

    def zoc(self, z: RawZoc, key: str) -> Zoc:
        needs = _several(z.needs)
        for grade in needs:
            self.grade(grade, f"{key}.needs")
        if needs and set(needs) <= set(self.read.grades) and set(needs) != set(self.read.grades[: len(needs)]):
            best = ", ".join(self.read.grades[: len(needs)])
            self.add(NEEDS_NOT_BEST_FIRST, f"{key}.needs", f"the best {len(needs)} of `grades` are {best}")
        negations = tuple(
            Negation(
                of=self.pieces(n.of, f"{key}.negated_by.{i}.of", seen=True),
                purposes=_several(n.for_),
                **self.datum(n, f"{key}.negated_by.{i}"),
            )
            for i, n in enumerate(z.negated_by)
        )
        cancels = tuple(
            Cancel(
                by=self.pieces(c.by, f"{key}.cancelled_by.{i}.by", seen=True),
                of=self.pieces(c.of, f"{key}.cancelled_by.{i}.of"),
                within=c.within,
                over=self.over(c.over, f"{key}.cancelled_by.{i}.over"),
                **self.datum(c, f"{key}.cancelled_by.{i}"),
            )
            for i, c in enumerate(z.cancelled_by)
        )
        return Zoc(
            of=self.pieces(z.of, f"{key}.of"),
            over=self.over(z.over, f"{key}.over"),
            when=self.time(z, key, seen=False),
            needs=needs,
            negated_by=negations,
            cancelled_by=cancels,
            effect=z.effect,
            **self.datum(z, key),
        )

    def supply(self, s: RawSupply, key: str) -> Supply:
        sources = tuple(
            Source(
                where=self.spaces(x.where, f"{key}.sources.{i}.where"),
                of=self.pieces(x.of, f"{key}.sources.{i}.of"),
                when=self.time(x, f"{key}.sources.{i}"),
                **self.datum(x, f"{key}.sources.{i}"),
            )
            for i, x in enumerate(s.sources)
        )
        lines = tuple(self.line(x, f"{key}.lines.{i}") for i, x in enumerate(s.lines))
        always = tuple(
            Always(
                grade=self.grade(x.grade, f"{key}.always.{i}.grade"),
                of=self.pieces(x.of, f"{key}.always.{i}.of"),
                where=self.spaces(x.where, f"{key}.always.{i}.where"),
                when=self.time(x, f"{key}.always.{i}"),
                **self.datum(x, f"{key}.always.{i}"),
            )
            for i, x in enumerate(s.always)
        )
        return Supply(
            of=self.pieces(s.of, f"{key}.of"),
            sources=sources,
            through=self.spaces(s.through, f"{key}.through"),
            legal_entry=s.legal_entry,
            zoc_blocks=s.zoc_blocks,
            lines=lines,
            always=always,
            **self.datum(s, key),
        )

    def line(self, x: RawLine, key: str) -> Line:
        stages = tuple(Stage(self.over(g.over, f"{key}.stages.{i}.over"), g.at_most) for i, g in enumerate(x.stages))
        return Line(
            grade=self.grade(x.grade, f"{key}.grade"),
            stages=stages,
            of=self.pieces(x.of, f"{key}.of"),
            when=self.time(x, key),
            **self.datum(x, key),
        )

    def attrition(self, a: RawAttrition, key: str) -> Attrition:
        for i, imagined in enumerate(a.vacant_as):
            for name in imagined:
                self.attribute(name, f"{key}.vacant_as.{i}.{name}")
            self.known(str(imagined.get("side", "")), self.words.sides, "side", f"{key}.vacant_as.{i}.side")
        return Attrition(
            of=self.pieces(a.of, f"{key}.of"),
            spared=self.maybe_spaces(a.spared, f"{key}.spared"),
            vacant_as=tuple(dict(i) for i in a.vacant_as),
            vacant_where=self.spaces(a.vacant_where, f"{key}.vacant_where", seen=False),
            **self.datum(a, key),
        )

    def movement(self, m: RawMovement, key: str) -> Movement:
        if isinstance(m.points, str):
            self.attribute(m.points, f"{key}.points")
        return Movement(
            of=self.pieces(m.of, f"{key}.of"),
            over=self.over(m.over, f"{key}.over"),
            points=m.points,
            cost=m.cost,
            costs=tuple(self.step_cost(c, f"{key}.costs.{i}") for i, c in enumerate(m.costs)),
            stops=self.maybe_spaces(m.stops, f"{key}.stops"),
            **self.datum(m, key),
        )

    def step_cost(self, c: RawStepCost, key: str) -> StepCost:
        if (c.points is None) == (c.more is None):
            self.add(MISSING_KEY, key, "either `points` or `more` must be given")
        for word in _several(c.hexside):
            self.known(word, self.words.hexsides, "hexside of the map", f"{key}.hexside")
        for word in _several(c.link):
            self.known(word, self.words.links, "link of the map", f"{key}.link")
        return StepCost(
            hexsides=_several(c.hexside),
            links=_several(c.link),
            into=self.maybe_spaces(c.into, f"{key}.into"),
            out_of=self.maybe_spaces(c.from_, f"{key}.from"),
            in_zone=c.in_zone,
            out_of_zone=c.out_of_zone,
            of=self.pieces(c.of, f"{key}.of"),
            when=self.time(c, key),
            points=c.points,
            more=c.more,
            **self.datum(c, key),
        )

    def cost(self, c: RawCost, key: str) -> Cost:
        for grade in _several(c.supply):
            self.grade(grade, f"{key}.supply", more=(OUT,))
        return Cost(
            acts=_several(c.act),
            grades=_several(c.supply),
            per=c.per,
            points=c.points,
            of=self.pieces(c.of, f"{key}.of"),
            **self.datum(c, key),
        )

    def control(self, c: RawControl, key: str) -> Control:
        homes = []
        for i, h in enumerate(c.home):
            self.known(h.side, self.words.sides, "side", f"{key}.home.{i}.side")
            where = self.spaces(h.where, f"{key}.home.{i}.where", fixed=True)
            homes.append(Home(where=where, side=h.side, **self.datum(h, f"{key}.home.{i}")))
        return Control(holders=self.pieces(c.holders, f"{key}.holders"), home=tuple(homes), **self.datum(c, key))

    # Selectors and conditions

    def pieces(self, raw: Table | None, key: str, seen: bool = False) -> Term:
        """Decode a selector of pieces; one that takes no counter is a finding. seen: by a piece, so friend and enemy"""
        if raw is None:
            return EVERY
        before = len(self.report)
        term = self.selector(raw, key, "piece")
        if not seen:
            self.absolute(term, key)
        if len(self.report) == before and not any(_could(term, w) is not False for w in self.words.pieces):
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
        if len(self.report) == before and not any(_could(term, w) is not False for w in self.words.spaces):
            self.add(NEVER_APPLIES, key, "no space of the map is such a one")
        return term

    def absolute(self, term: Term, key: str) -> None:
        """Report words that are relative to a piece where a rule looks with nobody's eyes."""
        for word in dict.fromkeys(relative_words(term)):
            self.add(RELATIVE_TO_NOBODY, key, f"nobody is there to be {word!r} to; name the side or the nation")

    def maybe_spaces(self, raw: Table | None, key: str) -> Term | None:
        return None if raw is None else self.spaces(raw, key)

    def selector(self, raw: Any, key: str, what: Literal["piece", "space"], fixed: bool = False) -> Term:
        if not isinstance(raw, dict):
            self.add(WRONG_VALUE, key, f"a table that says which {what}s must stand here, not {raw!r}")
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
        known = self.words.values(what, name)
        if known is None:
            hint = did_you_mean(name, self.words.attributes(what))
            self.add(UNKNOWN_ATTRIBUTE, key, f"no {what} of the game has {name!r}{hint}")
            return NEVER
        for word in values:
            if name == "space":
                self.space(word, key)
            elif word not in known:
                self.add(UNKNOWN_WORD, key, f"no {what} has {name} {word!r}{did_you_mean(word, known)}")
        return Is(name, values)

    def time(self, raw: Any, key: str, seen: bool = True) -> Term:
        """Decode `when` and `unless` of a rule into one condition."""
        terms = []
        if raw.when is not None:
            terms.append(self.condition(raw.when, f"{key}.when"))
        if raw.unless is not None:
            terms.append(Not(self.condition(raw.unless, f"{key}.unless")))
        if not seen:
            self.absolute(both(*terms), key)
        return both(*terms)

    def condition(self, raw: Any, key: str) -> Term:
        if not isinstance(raw, dict):
            self.add(WRONG_VALUE, key, f"a table that says when must stand here, not {raw!r}")
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
                    self.add(WRONG_VALUE, at, f"a table must stand here, not {value!r}")
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
        return Turns(*ends)

    # Words

    def texts(self, value: Any, key: str) -> tuple[str, ...]:
        values = value if isinstance(value, list) else [value]
        for v in values:
            if not isinstance(v, str | int | float | bool):
                self.add(WRONG_VALUE, key, f"a word, a number, true, false or a list of them, not {v!r}")
                return ()
        return tuple(text_of(v) for v in values)

    def attribute(self, name: str, key: str) -> None:
        if self.words.values("piece", name) is None:
            hint = did_you_mean(name, self.words.attributes("piece"))
            self.add(UNKNOWN_ATTRIBUTE, key, f"no piece of the game has {name!r}{hint}")

    def over(self, words: Words, key: str) -> tuple[str, ...]:
        names = _several(words)
        for name in names:
            if name not in self.read.edges:
                hint = did_you_mean(name, self.read.edges)
                self.add(UNKNOWN_EDGES, key, f"no [edges.{name}] is stated{hint}")
        return tuple(n for n in names if n in self.read.edges)

    def grade(self, word: str, key: str, more: tuple[str, ...] = ()) -> str:
        known = (*self.read.grades, *more)
        if word not in known:
            self.add(UNKNOWN_GRADE, key, f"{word!r} is not in `grades`{did_you_mean(word, known)}")
            return self.read.grades[-1] if self.read.grades else word
        return word

    def space(self, word: str, key: str) -> None:
        self.known(word, self.words.values("space", "space") or (), "space", key)

    def known(self, word: str, known: Iterable[str], what: str, key: str) -> None:
        if word not in known:
            self.add(UNKNOWN_WORD, key, f"there is no {what} {word!r}{did_you_mean(word, known)}")

    def datum(self, raw: RawDatum, key: str) -> dict[str, Any]:
        return {"cite": raw.cite, "assumed": raw.assumed, "where_from": Location(file=self.file, key=key)}

    def add(self, rule: Any, key: str, message: str) -> None:
        self.report.add(rule, Location(file=self.file, key=key), message)


def _several(words: Words) -> tuple[str, ...]:
    return (words,) if isinstance(words, str) else words


def _could(term: Term, thing: Mapping[str, frozenset[str]]) -> bool | None:
    """Tell whether a selector can take a thing: True or False whatever the position, None if that depends on it."""
    match term:
        case All(terms):
            answers = [_could(t, thing) for t in terms]
            return False if False in answers else None if None in answers else True
        case AnyOf(terms):
            answers = [_could(t, thing) for t in terms]
            return True if True in answers else None if None in answers else False
        case Not(inner):
            answer = _could(inner, thing)
            return None if answer is None else not answer
        case Is(name, values) if name != "control" and not set(values) & set(RELATIVE.get(name, ())):
            return not thing.get(name, frozenset()).isdisjoint(values)
    return None
