"""rules.toml decoded: every mistake is a finding with its key path and the nearest valid word.

The language is documented in modules/README.md; its form is in `rulesfile.py`, its words in `vocabulary.py`, its
selectors and conditions in `selectors.py`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from toolchain.catalogue import (
    BAR_ON_HUB,
    CONTROL_BY_ZONES,
    MISSING_KEY,
    NEEDS_NOT_BEST_FIRST,
    STATED_AND_DENIED,
    UNKNOWN_ATTRIBUTE,
    UNKNOWN_EDGES,
    UNKNOWN_GRADE,
    UNKNOWN_WORD,
    WEIGHT_NOT_NUMBER,
    WRONG_VALUE,
)
from toolchain.model.rulebook import (
    OUT,
    RETREAT,
    Always,
    Apart,
    Attrition,
    Bar,
    Cancel,
    Capacity,
    Carry,
    Company,
    Control,
    Cost,
    Crossing,
    Cut,
    Edges,
    Effect,
    Entry,
    HexsideLimit,
    Home,
    Joined,
    Limit,
    Line,
    Movement,
    Negation,
    Owning,
    Proportion,
    Rulebook,
    SetupLimit,
    Source,
    Stacking,
    Stage,
    Status,
    StepCost,
    Supply,
    Taking,
    Weight,
    Without,
    Zoc,
)
from toolchain.model.terms import EVERY, Controls, leaves, number_of
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode import decode
from toolchain.sources.decode.rulesfile import (
    RawApart,
    RawAttrition,
    RawBar,
    RawCapacity,
    RawCarry,
    RawCompany,
    RawControl,
    RawCost,
    RawCrossing,
    RawCut,
    RawDatum,
    RawEdges,
    RawEffect,
    RawEntry,
    RawExempt,
    RawHexsideLimit,
    RawLimit,
    RawMovement,
    RawNegation,
    RawOwning,
    RawProportion,
    RawSetupLimit,
    RawSource,
    RawStacking,
    RawStage,
    RawStatus,
    RawStepCost,
    RawSupply,
    RawTimes,
    RawTracing,
    RawWay,
    RawWithout,
    RawZoc,
    RulesFile,
    Words,
)
from toolchain.sources.decode.selectors import Selectors
from toolchain.sources.decode.shadows import check_shadows
from toolchain.sources.decode.vocabulary import Vocabulary

LAYERS = 256
"""So many combinations of steps that are bounded apart may one stage of a line have."""
PURPOSES = ("movement", "supply", RETREAT)
"""For what a friendly piece may negate an enemy zone."""


def decode_rules(raw: Mapping[str, Any], file: str, words: Vocabulary, report: Report) -> Rulebook:
    """Decode the raw values of rules.toml.

    raw: what tomllib returned. file: shown in messages. words: what the game has to speak of. Returns an empty
    rulebook when the form of the file is wrong; unknown words are findings, and the rules that use them never apply.
    """
    read = decode(RulesFile, raw, file, report)
    if read is None:
        return Rulebook()
    return _Decoder(file, replace(words, states=read.states), report, read).rulebook()


@dataclass
class _Decoder(Selectors):
    read: RulesFile

    def rulebook(self) -> Rulebook:
        r = self.read
        book = Rulebook(
            grades=r.grades,
            states=r.states,
            counts_as=self.counts_as(),
            edges={n: self.edges(n, e, f"edges.{n}") for n, e in r.edges.items()},
            control=self.control(r.control, "control"),
            entries=tuple(self.entry(e, f"entry.{i}") for i, e in enumerate(r.entry)),
            stacking=tuple(self.stacking(s, f"stacking.{i}") for i, s in enumerate(r.stacking)),
            apart=tuple(self.apart(a, f"apart.{i}") for i, a in enumerate(r.apart)),
            company=tuple(self.company(c, f"company.{i}") for i, c in enumerate(r.company)),
            carry=tuple(self.carry(c, f"carry.{i}") for i, c in enumerate(r.carry)),
            hexside_limits=tuple(self.hexside_limit(h, f"hexside_limit.{i}") for i, h in enumerate(r.hexside_limit)),
            proportions=tuple(self.proportion(p, f"proportion.{i}") for i, p in enumerate(r.proportion)),
            capacities=tuple(self.capacity(c, f"capacity.{i}") for i, c in enumerate(r.capacity)),
            setup_limits=tuple(self.setup_limit(s, f"setup_limit.{i}") for i, s in enumerate(r.setup_limit)),
            zoc=tuple(self.zoc(z, f"zoc.{i}") for i, z in enumerate(r.zoc)),
            supply=tuple(self.supply(s, f"supply.{i}") for i, s in enumerate(r.supply)),
            statuses=tuple(self.status(s, f"status.{i}") for i, s in enumerate(r.status)),
            attrition=tuple(self.attrition(a, f"attrition.{i}") for i, a in enumerate(r.attrition)),
            costs=tuple(self.cost(c, f"cost.{i}") for i, c in enumerate(r.cost)),
            movement=tuple(self.movement(m, f"movement.{i}") for i, m in enumerate(r.movement)),
            without=tuple(self.without(w, f"without.{i}") for i, w in enumerate(r.without)),
        )
        if any(o.by == "zone" for o in book.control.rules) and (not book.zoc or any(z.needs for z in book.zoc)):
            reason = "zones that wait on supply" if book.zoc else "no [[zoc]] is stated"
            self.add(CONTROL_BY_ZONES, "control.rule", f"control cannot follow zones here: {reason}")
        self.report.extend(check_shadows(book, self.words))
        return book

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
        if e.reserved and e.reserved not in ("side", "nation"):
            self.add(WRONG_VALUE, f"{key}.reserved", f"links can be reserved by side or nation, not by {e.reserved!r}")
        elif e.reserved and e.reserved not in self.words.link_traits:
            hint = did_you_mean(e.reserved, self.words.link_traits)
            self.add(UNKNOWN_ATTRIBUTE, f"{key}.reserved", f"no link of the map has {e.reserved!r}{hint}")
        bars = tuple(self.bar(b, f"{key}.barred_by.{i}") for i, b in enumerate(e.barred_by))
        if e.hub is not None and not joins:
            for i, b in enumerate(e.barred_by):
                if b.at is None or b.hexside or b.link or b.pairs or b.into or b.from_ or b.downstream_of:
                    self.add(BAR_ON_HUB, f"{key}.barred_by.{i}", "the ways of a hub can be barred only with `at`")
        return Edges(
            name=name,
            join=joins,
            spaces=self.spaces(e.spaces, f"{key}.spaces"),
            hub=None if e.hub is None else self.spaces(e.hub, f"{key}.hub"),
            same=e.same,
            bars=bars,
            reserved=e.reserved if e.reserved in ("side", "nation") else "",
            **self.datum(e, key),
        )

    def ways(self, b: RawBar | RawCrossing | RawStepCost, key: str) -> None:
        for kind, given, known in (
            ("hexside", _several(b.hexside), self.words.hexsides),
            ("link", _several(b.link), self.words.links),
        ):
            for word in given:
                self.known(word, known, f"{kind} of the map", f"{key}.{kind}")

    def bar(self, b: RawBar, key: str) -> Bar:
        self.ways(b, key)
        for i, pair in enumerate(b.pairs):
            for word in pair:
                self.space(word, f"{key}.pairs.{i}")
        if b.downstream_of:
            self.known(b.downstream_of, self.words.hexsides, "hexside of the map", f"{key}.downstream_of")
        return Bar(
            hexsides=_several(b.hexside),
            links=_several(b.link),
            downstream_of=b.downstream_of,
            pairs=b.pairs,
            at=self.maybe_spaces(b.at, f"{key}.at"),
            into=self.maybe_spaces(b.into, f"{key}.into"),
            out_of=self.maybe_spaces(b.from_, f"{key}.from"),
            of=self.pieces(b.of, f"{key}.of"),
            when=self.time(b, key),
            **self.datum(b, key),
        )

    def entry(self, e: RawEntry, key: str) -> Entry:
        if e.only is None and e.never is None and not e.only_at:
            self.add(MISSING_KEY, key, "one of `only`, `never` and `only_at` must be given")
        if e.only_at:
            self.attribute(e.only_at, f"{key}.only_at")
            named = {w for piece in self.words.pieces for w in piece.get(e.only_at, ())}
            for word in sorted(named.difference(self.words.spellings)):
                hint = did_you_mean(word, self.words.spellings)
                self.add(UNKNOWN_WORD, f"{key}.only_at", f"a counter names {word!r}, and there is no such space{hint}")
        return Entry(
            of=self.pieces(e.of, f"{key}.of"),
            only=self.maybe_spaces(e.only, f"{key}.only"),
            never=self.maybe_spaces(e.never, f"{key}.never"),
            when=self.time(e, key),
            stays=e.stays,
            only_at=e.only_at,
            **self.datum(e, key),
        )

    def weight(self, by: str, times: tuple[RawTimes, ...], key: str) -> Weight:
        if by:
            self.numeric(by, f"{key}.weigh")
        factors = tuple((self.pieces(x.of, f"{key}.times.{i}.of"), x.by) for i, x in enumerate(times))
        return Weight(by, factors)

    def numeric(self, name: str, key: str) -> None:
        """Report an attribute to be added up that no piece has, or that is no number somewhere."""
        self.attribute(name, key)
        wrong = sorted({w for p in self.words.pieces for w in p.get(name, ()) if number_of(w) is None})
        if wrong:
            self.add(WEIGHT_NOT_NUMBER, key, f"{name!r} is no number on some counters: {', '.join(wrong[:5])}")

    def per(self, words: Words, key: str) -> tuple[str, ...]:
        names = tuple(n for n in _several(words) if n)
        for name in names:
            self.attribute(name, f"{key}.per")
        return names

    def stacking(self, s: RawStacking, key: str) -> Stacking:
        if s.at_most is None and not s.except_:
            self.add(MISSING_KEY, key, "either `at_most` or `except` must be given")
        return Stacking(
            of=self.pieces(s.of, f"{key}.of"),
            where=self.spaces(s.where, f"{key}.where", seen=False),
            at_most=s.at_most,
            per=self.per(s.per, key),
            weight=self.weight(s.weigh, s.times, key),
            when=self.time(s, key, seen=False),
            at=_several(s.at),
            exceptions=tuple(self.limit(x, f"{key}.except.{i}") for i, x in enumerate(s.except_)),
            excess=s.excess,
            **self.datum(s, key),
        )

    def setup_limit(self, s: RawSetupLimit, key: str) -> SetupLimit:
        if s.at_most is None and s.at_least is None:
            self.add(MISSING_KEY, key, "either `at_most` or `at_least` must be given")
        if s.weigh_place and self.words.values("space", s.weigh_place) is None:
            hint = did_you_mean(s.weigh_place, self.words.attributes("space"))
            self.add(UNKNOWN_ATTRIBUTE, f"{key}.weigh_place", f"no space of the game has {s.weigh_place!r}{hint}")
        return SetupLimit(
            of=self.pieces(s.of, f"{key}.of"),
            where=self.spaces(s.where, f"{key}.where", seen=False),
            at_most=s.at_most,
            at_least=s.at_least,
            each=s.each is not None,
            per=self.per(s.per, key),
            weight=self.weight(s.weigh, s.times, key),
            place_weight=s.weigh_place,
            when=self.time(s, key, seen=False),
            **self.datum(s, key),
        )

    def limit(self, x: RawLimit, key: str) -> Limit:
        self.one_limit(x, key)
        return Limit(
            of=self.pieces(x.of, f"{key}.of"),
            where=self.spaces(x.where, f"{key}.where", seen=False),
            at_most=x.at_most,
            when=self.time(x, key, seen=False),
            **self.datum(x, key),
        )

    def one_limit(self, x: RawLimit | RawCrossing, key: str) -> None:
        if (x.at_most is None) == (x.unlimited is None):
            self.add(MISSING_KEY, key, "either `at_most` or `unlimited = true` must be given")

    def company(self, c: RawCompany, key: str) -> Company:
        return Company(
            of=self.pieces(c.of, f"{key}.of"),
            where=self.spaces(c.where, f"{key}.where", seen=False),
            holds=self.pieces(c.holds, f"{key}.holds", seen=True),
            when=self.time(c, key, seen=False),
            at=_several(c.at),
            otherwise=c.otherwise,
            **self.datum(c, key),
        )

    def carry(self, c: RawCarry, key: str) -> Carry:
        if c.no_more_than:
            self.numeric(c.no_more_than, f"{key}.no_more_than")
        return Carry(
            carrier=self.pieces(c.carrier, f"{key}.carrier"),
            cargo=self.pieces(c.cargo, f"{key}.cargo"),
            at_most=c.at_most,
            weight=self.weight(c.weigh, c.times, key),
            no_more_than=c.no_more_than,
            when=self.time(c, key, seen=False),
            **self.datum(c, key),
        )

    def hexside_limit(self, h: RawHexsideLimit, key: str) -> HexsideLimit:
        if not h.crossings and not h.as_stacking:
            self.add(MISSING_KEY, key, "either `crossings` or `as_stacking = true` must be given")
        return HexsideLimit(
            of=self.pieces(h.of, f"{key}.of"),
            moves=_several(h.moves),
            over=self.over(h.over, f"{key}.over"),
            per=self.per(h.per, key),
            weight=self.weight(h.weigh, h.times, key),
            crossings=tuple(self.crossing(x, f"{key}.crossings.{i}") for i, x in enumerate(h.crossings)),
            as_stacking=h.as_stacking,
            when=self.time(h, key, seen=False),
            **self.datum(h, key),
        )

    def crossing(self, x: RawCrossing, key: str) -> Crossing:
        self.one_limit(x, key)
        self.ways(x, key)
        return Crossing(
            hexsides=_several(x.hexside),
            links=_several(x.link),
            into=self.maybe_spaces(x.into, f"{key}.into", seen=False),
            out_of=self.maybe_spaces(x.from_, f"{key}.from", seen=False),
            at_most=x.at_most,
            when=self.time(x, key, seen=False),
            **self.datum(x, key),
        )

    def proportion(self, p: RawProportion, key: str) -> Proportion:
        at_least = None if p.at_least is None else number_of(p.at_least)
        if p.at_least is not None and (at_least is None or not 0 <= at_least <= 1):
            self.add(WRONG_VALUE, f"{key}.at_least", f"a share such as '1/7' must stand here, not {p.at_least!r}")
        return Proportion(
            name=p.name,
            of=self.pieces(p.of, f"{key}.of"),
            where=self.spaces(p.where, f"{key}.where", seen=False),
            moves=_several(p.moves),
            weight=self.weight(p.weigh, p.times, key),
            per=self.per(p.per, key),
            counts=tuple((self.pieces(c.of, f"{key}.counts.{i}.of"), c.by) for i, c in enumerate(p.counts)),
            neutral=None if p.neutral is None else self.pieces(p.neutral, f"{key}.neutral"),
            neutral_at_most=p.neutral_at_most,
            at_least=at_least,
            when=self.time(p, key, seen=False),
            **self.datum(p, key),
        )

    def capacity(self, c: RawCapacity, key: str) -> Capacity:
        return Capacity(
            name=c.name,
            over=self.over(c.over, f"{key}.over"),
            where=self.spaces(c.where, f"{key}.where"),
            each=c.each,
            when=self.time(c, key, seen=False),
            **self.datum(c, key),
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
        effects = [(x, f"{key}.effects.{i}") for i, x in enumerate(z.effects)]
        if z.effect is not None:
            effects.insert(0, (z.effect, f"{key}.effect"))
        return Zoc(
            of=self.pieces(z.of, f"{key}.of"),
            over=self.over(z.over, f"{key}.over"),
            when=self.time(z, key, seen=False),
            needs=self.needs(z.needs, key),
            legal_entry=z.legal_entry,
            negated_by=tuple(self.negation(n, f"{key}.negated_by.{i}") for i, n in enumerate(z.negated_by)),
            cancelled_by=cancels,
            effects=tuple(self.effect(x, k) for x, k in effects),
            **self.datum(z, key),
        )

    def needs(self, words: Words, key: str) -> tuple[str, ...]:
        needs = _several(words)
        for grade in needs:
            self.grade(grade, f"{key}.needs")
        if needs and set(needs) <= set(self.read.grades) and set(needs) != set(self.read.grades[: len(needs)]):
            best = ", ".join(self.read.grades[: len(needs)])
            self.add(NEEDS_NOT_BEST_FIRST, f"{key}.needs", f"the best {len(needs)} of `grades` are {best}")
        return needs

    def negation(self, n: RawNegation, key: str) -> Negation:
        for word in _several(n.for_):
            self.known(word, PURPOSES, "purpose", f"{key}.for")
        of = self.pieces(n.of, f"{key}.of", seen=True)
        return Negation(of=of, purposes=_several(n.for_), **self.datum(n, key))

    def effect(self, x: RawEffect, key: str) -> Effect:
        def value(name: str, word: str) -> float | str | None:
            given: float | str | None = getattr(x, name)
            if not isinstance(given, str) or given == word:
                return given
            self.add(WRONG_VALUE, f"{key}.{name}", f"a number or {word!r} must stand here, not {given!r}")
            return None

        return Effect(
            of=self.pieces(x.of, f"{key}.of"),
            moves=_several(x.moves),
            enter=value("enter", "stop"),
            leave=value("leave", "stop"),
            from_zone_to_zone=value("from_zone_to_zone", "forbidden"),
            retreat=value("retreat", "forbidden"),
            **self.datum(x, key),
        )

    def supply(self, s: RawSupply, key: str) -> Supply:
        lines = tuple(
            self.line(x, f"{key}.lines.{i}", self.grade(x.grade, f"{key}.lines.{i}.grade"))
            for i, x in enumerate(s.lines)
        )
        always = tuple(
            self.always(x, f"{key}.always.{i}", self.grade(x.grade, f"{key}.always.{i}.grade"))
            for i, x in enumerate(s.always)
        )
        known = self.read.grades  # without any, nothing can be graded, and that was said
        return Supply(
            judged_at=_several(s.judged_at),
            lines=tuple(x for x in lines if x.grade in known),
            always=tuple(x for x in always if x.grade in known),
            **self.tracing(s, key),
        )

    def status(self, s: RawStatus, key: str) -> Status:
        if s.name in (*self.read.grades, OUT):
            self.add(WRONG_VALUE, f"{key}.name", f"{s.name!r} is a grade of supply already")
        inner = [(f"{key}.lines.{i}.", x.sources) for i, x in enumerate(s.lines)]
        for at, sources in [(f"{key}.", s.sources), *inner]:
            for i, x in enumerate(sources):
                if x.serves is not None:
                    self.add(WRONG_VALUE, f"{at}sources.{i}.serves", "a status does not count whom sources serve")
        return Status(
            name=s.name,
            lines=tuple(self.line(x, f"{key}.lines.{i}", "") for i, x in enumerate(s.lines)),
            always=tuple(self.always(x, f"{key}.always.{i}", "") for i, x in enumerate(s.always)),
            **self.tracing(s, key),
        )

    def tracing(self, s: RawTracing, key: str) -> dict[str, Any]:
        return {
            "of": self.pieces(s.of, f"{key}.of"),
            "sources": tuple(self.source(x, f"{key}.sources.{i}") for i, x in enumerate(s.sources)),
            "through": self.spaces(s.through, f"{key}.through"),
            "legal_entry": s.legal_entry,
            "zoc_blocks": s.zoc_blocks,
            "cut_by": tuple(self.cut(x, f"{key}.cut_by.{i}") for i, x in enumerate(s.cut_by)),
            **self.datum(s, key),
        }

    def always(self, x: RawExempt, key: str, grade: str) -> Always:
        return Always(
            grade=grade,
            of=self.pieces(x.of, f"{key}.of"),
            where=self.spaces(x.where, f"{key}.where"),
            when=self.time(x, key),
            **self.datum(x, key),
        )

    def source(self, x: RawSource, key: str) -> Source:
        joined = None
        if x.joined is not None:
            joined = Joined(
                self.spaces(x.joined.to, f"{key}.joined.to"),
                self.over(x.joined.over, f"{key}.joined.over"),
                self.spaces(x.joined.within, f"{key}.joined.within"),
            )
        return Source(
            where=self.spaces(x.where, f"{key}.where"),
            of=self.pieces(x.of, f"{key}.of"),
            when=self.time(x, key),
            joined=joined,
            serves=x.serves,
            weight=self.weight(x.weigh, x.times, key),
            **self.datum(x, key),
        )

    def cut(self, x: RawCut, key: str) -> Cut:
        of = self.pieces(x.of, f"{key}.of")
        return Cut(of=of, needs=self.needs(x.needs, key), when=self.time(x, key, seen=False), **self.datum(x, key))

    def line(self, x: RawWay, key: str, grade: str) -> Line:
        return Line(
            grade=grade,
            stages=tuple(self.stage(g, f"{key}.stages.{i}") for i, g in enumerate(x.stages)),
            of=self.pieces(x.of, f"{key}.of"),
            when=self.time(x, key),
            sources=tuple(self.source(s, f"{key}.sources.{i}") for i, s in enumerate(x.sources)),
            **self.datum(x, key),
        )

    def stage(self, g: RawStage, key: str) -> Stage:
        fact, by_value = next(iter(g.at_most_by.items()), ("", {}))
        if len(g.at_most_by) > 1 or (g.at_most_by and (not by_value or min(by_value.values()) < 0)):
            self.add(WRONG_VALUE, f"{key}.at_most_by", "one fact must stand here, with its values and numbers of steps")
            by_value = {}
        over, each = self.over(g.over, f"{key}.over"), {}
        for name, most in g.each.items():
            if name not in over:
                self.add(
                    UNKNOWN_EDGES, f"{key}.each.{name}", f"`over` does not list {name!r}{did_you_mean(name, over)}"
                )
            elif most < 0:
                self.add(WRONG_VALUE, f"{key}.each.{name}", f"a number of steps must stand here, not {most}")
            else:
                each[name] = most
        if (count := math.prod(most + 1 for most in each.values())) > LAYERS:
            text = f"bounds apart that multiply to {count} are too many to follow; at most {LAYERS} are"
            self.add(WRONG_VALUE, f"{key}.each", text)
            each = {}
        return Stage(over, g.at_most, fact if by_value else "", by_value, g.beyond, each)

    def attrition(self, a: RawAttrition, key: str) -> Attrition:
        for i, imagined in enumerate(a.vacant_as):
            for name in imagined:
                self.attribute(name, f"{key}.vacant_as.{i}.{name}")
            self.known(str(imagined.get("side", "")), self.words.sides, "side", f"{key}.vacant_as.{i}.side")
        for grade in _several(a.supply):
            self.grade(grade, f"{key}.supply", more=(OUT,))
        return Attrition(
            of=self.pieces(a.of, f"{key}.of"),
            grades=_several(a.supply),
            steps=a.steps,
            spared=self.maybe_spaces(a.spared, f"{key}.spared"),
            vacant_as=tuple(dict(i) for i in a.vacant_as),
            vacant_where=self.spaces(a.vacant_where, f"{key}.vacant_where", seen=False),
            **self.datum(a, key),
        )

    def movement(self, m: RawMovement, key: str) -> Movement:
        if isinstance(m.points, str):
            self.numeric(m.points, f"{key}.points")
        return Movement(
            of=self.pieces(m.of, f"{key}.of"),
            over=self.over(m.over, f"{key}.over"),
            moves=_several(m.moves),
            points=m.points,
            cost=m.cost,
            costs=tuple(self.step_cost(c, f"{key}.costs.{i}") for i, c in enumerate(m.costs)),
            stops=self.maybe_spaces(m.stops, f"{key}.stops"),
            **self.datum(m, key),
        )

    def step_cost(self, c: RawStepCost, key: str) -> StepCost:
        if (c.points is None) == (c.more is None):
            self.add(MISSING_KEY, key, "either `points` or `more` must be given")
        self.ways(c, key)
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
        homes, takings = [], []
        for i, h in enumerate(c.home):
            self.known(h.side, self.words.sides, "side", f"{key}.home.{i}.side")
            where = self.spaces(h.where, f"{key}.home.{i}.where", fixed=True)
            when = self.time(h, f"{key}.home.{i}", seen=False)
            if any(isinstance(leaf, Controls) for leaf in leaves(when)):
                self.add(WRONG_VALUE, f"{key}.home.{i}", "whose home a space is must not depend on control")
                when = EVERY
            home = Home(where=where, side=h.side, reverts=h.reverts, when=when, **self.datum(h, f"{key}.home.{i}"))
            homes.append(home)
        for i, x in enumerate(c.taken):
            if not x.moves and not x.ends:
                self.add(MISSING_KEY, f"{key}.taken.{i}", "either `moves` or `ends` must be given")
            takings.append(
                Taking(
                    of=self.pieces(x.of, f"{key}.taken.{i}.of"),
                    where=self.spaces(x.where, f"{key}.taken.{i}.where", seen=False),
                    moves=_several(x.moves),
                    ends=_several(x.ends),
                    when=self.time(x, f"{key}.taken.{i}", seen=False),
                    **self.datum(x, f"{key}.taken.{i}"),
                )
            )
        return Control(
            holders=self.pieces(c.holders, f"{key}.holders"),
            home=tuple(homes),
            rules=tuple(self.owning(o, f"{key}.rule.{i}") for i, o in enumerate(c.rule)),
            takings=tuple(takings),
            **self.datum(c, key),
        )

    def owning(self, o: RawOwning, key: str) -> Owning:
        several = isinstance(o.of, list)
        ranks = o.of if several else [o.of]
        of = tuple(self.pieces(x, f"{key}.of.{i}" if several else f"{key}.of") for i, x in enumerate(ranks))
        return Owning(
            where=self.spaces(o.where, f"{key}.where", fixed=True, seen=False),
            by=o.by,
            of=of,
            weight=self.weight(o.weigh, o.times, key),
            vacant=o.vacant,
            contested=o.contested,
            **self.datum(o, key),
        )

    def without(self, w: RawWithout, key: str) -> Without:
        r = self.read
        tables: dict[str, tuple[Any, ...]] = {
            "stacking": r.stacking,
            "carrying": (*r.carry, *r.company),
            "places": (*r.entry, *r.apart),
            "control": (*r.control.rule, *r.control.home, *r.control.taken),
            "zoc": r.zoc,
            "supply": r.supply,
            "moves": r.hexside_limit,
            "setup": r.setup_limit,
        }
        if tables[w.kind]:
            self.add(STATED_AND_DENIED, key, f"the game is said to have no rules of {w.kind}, and states some")
        return Without(kind=w.kind, **self.datum(w, key))

    def counts_as(self) -> dict[str, dict[str, str]]:
        for name, table in self.read.counts_as.items():
            known = self.words.values("piece", name)
            if known is None:
                self.attribute(name, f"counts_as.{name}")
                continue
            for word in table:
                self.known(word, known, f"{name} of a piece", f"counts_as.{name}.{word}")
        return {name: dict(table) for name, table in self.read.counts_as.items()}

    # Words

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

    def datum(self, raw: RawDatum, key: str) -> dict[str, Any]:
        return {"cite": raw.cite, "assumed": raw.assumed, "where_from": Location(file=self.file, key=key)}


def _several(words: Words) -> tuple[str, ...]:
    return (words,) if isinstance(words, str) and words else tuple(words)
