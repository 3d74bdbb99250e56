"""rules.toml decoded: every mistake is a finding with its key path and the nearest valid word.

The language is documented in modules/README.md; its form is in `rulesfile.py`, its words in `vocabulary.py`, its
selectors and conditions in `selectors.py`. Here are edges, control and the whole; `stackrules.py` has who may stand
where, `linerules.py` zones, supply and what hangs on them, `ruleparts.py` what all of them share.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from toolchain.catalogue import (
    BAR_ON_HUB,
    CONTROL_BY_ZONES,
    MISSING_KEY,
    NEVER_APPLIES,
    REPEATED,
    STATED_AND_DENIED,
    UNKNOWN_ATTRIBUTE,
    UNKNOWN_WORD,
    WRONG_VALUE,
)
from toolchain.model.rulebook import (
    OUT,
    Bar,
    Capacity,
    Control,
    Edges,
    Home,
    Owning,
    Rulebook,
    Taking,
    Without,
)
from toolchain.model.terms import EVERY, Controls, leaves
from toolchain.report import Report, Severity, did_you_mean
from toolchain.sources.decode import decode, without_faults
from toolchain.sources.decode.linerules import LineRules
from toolchain.sources.decode.ruleparts import several
from toolchain.sources.decode.rulesfile import (
    RawBar,
    RawCapacity,
    RawControl,
    RawEdges,
    RawOwning,
    RawWithout,
    RulesFile,
)
from toolchain.sources.decode.shadows import check_shadows
from toolchain.sources.decode.stackrules import StackRules
from toolchain.sources.decode.vocabulary import Vocabulary


def decode_rules(raw: Mapping[str, Any], file: str, words: Vocabulary, report: Report) -> Rulebook:
    """Decode the raw values of rules.toml.

    raw: what tomllib returned. file: shown in messages. words: what the game has to speak of. Returns an empty
    rulebook when the form of the file is wrong; unknown words are findings, and the rules that use them never apply.
    """
    read = decode(RulesFile, raw, file, report)
    if read is not None:
        return _Decoder(file, replace(words, states=read.states), report, read).rulebook()
    rest, left_out = without_faults(RulesFile, raw)
    if rest is not None and not {"grades", "states", "edges"} & set(left_out):
        found = Report()
        _Decoder(file, replace(words, states=rest.states), found, rest).rulebook()
        # Of what was left out, and whether rules apply without it, nothing can be said.
        wrong = [f for f in found if f.severity == Severity.ERROR]
        report.extend(f for f in wrong if not any(f"{key}.".startswith(f"{f.where.key}.") for key in left_out))
    return Rulebook()


@dataclass
class _Decoder(StackRules, LineRules):
    def rulebook(self) -> Rulebook:
        r = self.read
        self.listed_words()
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

    def edges(self, name: str, e: RawEdges, key: str) -> Edges:
        joins = several(e.join)
        known = ["hexside", "link", *(f"hexside.{k}" for k in self.words.hexsides)]
        known += [f"link.{k}" for k in self.words.links]
        for join in joins:
            if join not in known:
                self.add(UNKNOWN_WORD, f"{key}.join", f"no way of the map is {join!r}{did_you_mean(join, known)}")
        if joins and e.hub is None and set(joins) <= set(known) and self.words.ways.isdisjoint(joins):
            self.add(NEVER_APPLIES, f"{key}.join", "no two spaces of the map are joined so")
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
        if e.rim is not None and (e.hub is None or e.same):
            self.add(WRONG_VALUE, f"{key}.rim", "a rim goes round a hub of one group: give `hub`, and no `same`")
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
            rim=None if e.rim is None else self.spaces(e.rim, f"{key}.rim"),
            same=e.same,
            bars=bars,
            reserved=e.reserved if e.reserved in ("side", "nation") else "",
            **self.datum(e, key),
        )

    def bar(self, b: RawBar, key: str) -> Bar:
        self.ways(b, key)
        if not b.model_fields_set - {"cite", "assumed"}:
            self.add(MISSING_KEY, key, "it says nothing of what it closes, and so closes every way")
        for i, pair in enumerate(b.pairs):
            for word in pair:
                self.space(word, f"{key}.pairs.{i}")
        if b.downstream_of:
            self.known(b.downstream_of, self.words.hexsides, "hexside of the map", f"{key}.downstream_of")
        return Bar(
            hexsides=several(b.hexside),
            links=several(b.link),
            downstream_of=b.downstream_of,
            pairs=b.pairs,
            at=self.maybe_spaces(b.at, f"{key}.at"),
            into=self.maybe_spaces(b.into, f"{key}.into"),
            out_of=self.maybe_spaces(b.from_, f"{key}.from"),
            of=self.pieces(b.of, f"{key}.of"),
            when=self.time(b, key),
            **self.datum(b, key),
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
                    moves=several(x.moves),
                    ends=several(x.ends),
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

    def listed_words(self) -> None:
        """Report words of `grades` and `states` that are empty or listed twice, and "out", which is no grade."""
        for key, words in (("grades", self.read.grades), ("states", self.read.states)):
            for i, word in enumerate(words):
                if not word.strip() or (word == OUT and key == "grades"):
                    self.add(WRONG_VALUE, f"{key}.{i}", f"{word!r} cannot be one of `{key}`")
                elif word in words[:i]:
                    self.add(REPEATED, f"{key}.{i}", f"{word!r} is listed twice")

    def counts_as(self) -> dict[str, dict[str, str]]:
        for name, table in self.read.counts_as.items():
            known = self.words.values("piece", name)
            if known is None:
                self.attribute(name, f"counts_as.{name}")
                continue
            for word, other in table.items():
                key = f"counts_as.{name}.{word}"
                self.known(word, known, f"{name} of a piece", key)
                self.known(other, known, f"{name} of a piece", key)
                if other in table:
                    self.add(WRONG_VALUE, key, f"{word!r} cannot count as {other!r}, which itself counts as another")
        return {name: dict(table) for name, table in self.read.counts_as.items()}
