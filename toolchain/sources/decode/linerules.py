"""Rules of zones, lines and what hangs on them, decoded: supply, statuses, attrition, movement, costs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from toolchain.catalogue import (
    MISSING_KEY,
    NEVER_APPLIES,
    UNKNOWN_EDGES,
    WRONG_VALUE,
)
from toolchain.model.rulebook import (
    OUT,
    RETREAT,
    Always,
    Attrition,
    Cancel,
    Cost,
    Cut,
    Effect,
    Joined,
    Line,
    Movement,
    Negation,
    Source,
    Stage,
    Status,
    StepCost,
    Supply,
    Zoc,
)
from toolchain.report import did_you_mean
from toolchain.sources.decode.ruleparts import Parts, several
from toolchain.sources.decode.rulesfile import (
    RawAttrition,
    RawCost,
    RawCut,
    RawEffect,
    RawExempt,
    RawMovement,
    RawNegation,
    RawSource,
    RawStage,
    RawStatus,
    RawStepCost,
    RawSupply,
    RawTracing,
    RawWay,
    RawZoc,
)

LAYERS = 256
"""So many combinations of steps that are bounded apart may one stage of a line have."""
PURPOSES = ("movement", "supply", RETREAT)
"""For what a friendly piece may negate an enemy zone."""


@dataclass
class LineRules(Parts):
    """Decode zones of control, supply, statuses, attrition, movement and costs."""

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

    def negation(self, n: RawNegation, key: str) -> Negation:
        for word in several(n.for_):
            self.known(word, PURPOSES, "purpose", f"{key}.for")
        of = self.pieces(n.of, f"{key}.of", seen=True)
        return Negation(of=of, purposes=several(n.for_), **self.datum(n, key))

    def effect(self, x: RawEffect, key: str) -> Effect:
        def value(name: str, *words: str) -> float | str | None:
            given: float | str | None = getattr(x, name)
            if not isinstance(given, str) or given in words:
                return given
            either = " or ".join(["a number", *map(repr, words)])
            self.add(WRONG_VALUE, f"{key}.{name}", f"{either} must stand here, not {given!r}")
            return None

        return Effect(
            of=self.pieces(x.of, f"{key}.of"),
            moves=several(x.moves),
            enter=value("enter", "stop"),
            leave=value("leave", "stop"),
            from_zone_to_zone=value("from_zone_to_zone", "forbidden"),
            retreat=value("retreat", "forbidden", "stop"),
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
        for i, x in enumerate(s.lines):
            if not x.sources and not s.sources:
                self.add(NEVER_APPLIES, f"{key}.lines.{i}", "it has no `sources`, and neither has its rule")
        if not s.lines and not s.always:
            text = "it has neither `lines` nor `always`: whoever it takes is out of supply"
            self.add(NEVER_APPLIES, key, text)
        known = self.read.grades  # without any, nothing can be graded, and that was said
        return Supply(
            judged_at=several(s.judged_at),
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
        if len(g.at_most_by) > 1 or (g.at_most_by and not by_value):
            self.add(WRONG_VALUE, f"{key}.at_most_by", "one fact must stand here, with its values and numbers of steps")
            by_value = {}
        over, each = self.over(g.over, f"{key}.over"), {}
        for name, most in g.each.items():
            if name not in over:
                self.add(
                    UNKNOWN_EDGES, f"{key}.each.{name}", f"`over` does not list {name!r}{did_you_mean(name, over)}"
                )
            else:
                each[name] = most
        if (count := math.prod(most + 1 for most in each.values())) > LAYERS:
            text = f"bounds apart that multiply to {count} are too many to follow; at most {LAYERS} are"
            self.add(WRONG_VALUE, f"{key}.each", text)
            each = {}
        begins = self.spaces(g.from_, f"{key}.from")
        return Stage(over, g.at_most, fact if by_value else "", by_value, g.beyond, each, begins)

    def attrition(self, a: RawAttrition, key: str) -> Attrition:
        for i, imagined in enumerate(a.vacant_as):
            for name in imagined:
                self.attribute(name, f"{key}.vacant_as.{i}.{name}")
            self.known(str(imagined.get("side", "")), self.words.sides, "side", f"{key}.vacant_as.{i}.side")
        for grade in several(a.supply):
            self.grade(grade, f"{key}.supply", more=(OUT,))
        return Attrition(
            of=self.pieces(a.of, f"{key}.of"),
            grades=several(a.supply),
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
            moves=several(m.moves),
            points=m.points,
            cost=m.cost,
            costs=tuple(self.step_cost(c, f"{key}.costs.{i}") for i, c in enumerate(m.costs)),
            stops=self.maybe_spaces(m.stops, f"{key}.stops"),
            **self.datum(m, key),
        )

    def step_cost(self, c: RawStepCost, key: str) -> StepCost:
        if (c.points is None and c.more is None and c.ends is None) or None not in (c.points, c.more):
            self.add(MISSING_KEY, key, "either `points` or `more`, or `ends` alone, must be given")
        self.ways(c, key)
        return StepCost(
            hexsides=several(c.hexside),
            links=several(c.link),
            into=self.maybe_spaces(c.into, f"{key}.into"),
            out_of=self.maybe_spaces(c.from_, f"{key}.from"),
            in_zone=c.in_zone,
            out_of_zone=c.out_of_zone,
            of=self.pieces(c.of, f"{key}.of"),
            when=self.time(c, key),
            points=c.points,
            more=c.more,
            ends=c.ends,
            **self.datum(c, key),
        )

    def cost(self, c: RawCost, key: str) -> Cost:
        for grade in several(c.supply):
            self.grade(grade, f"{key}.supply", more=(OUT,))
        return Cost(
            acts=several(c.act),
            grades=several(c.supply),
            per=c.per,
            points=c.points,
            of=self.pieces(c.of, f"{key}.of"),
            **self.datum(c, key),
        )
