"""Rules of who may stand where, with whom and how many, decoded: entry, stacking, carriers, hexsides, proportions."""

from __future__ import annotations

from dataclasses import dataclass

from toolchain.catalogue import (
    MISSING_KEY,
    UNKNOWN_ATTRIBUTE,
    UNKNOWN_WORD,
    WRONG_VALUE,
)
from toolchain.model.rulebook import (
    Apart,
    Carry,
    Company,
    Crossing,
    Entry,
    HexsideLimit,
    Limit,
    Proportion,
    SetupLimit,
    Stacking,
)
from toolchain.model.terms import number_of
from toolchain.report import did_you_mean
from toolchain.sources.decode.ruleparts import Parts, several
from toolchain.sources.decode.rulesfile import (
    RawApart,
    RawCarry,
    RawCompany,
    RawCrossing,
    RawEntry,
    RawHexsideLimit,
    RawLimit,
    RawProportion,
    RawSetupLimit,
    RawStacking,
)


@dataclass
class StackRules(Parts):
    """Decode rules of entry, stacking, company, carriers, hexside limits and proportions."""

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
            at=several(s.at),
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

    def company(self, c: RawCompany, key: str) -> Company:
        return Company(
            of=self.pieces(c.of, f"{key}.of"),
            where=self.spaces(c.where, f"{key}.where", seen=False),
            holds=self.pieces(c.holds, f"{key}.holds", seen=True),
            when=self.time(c, key, seen=False),
            at=several(c.at),
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
            moves=several(h.moves),
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
            hexsides=several(x.hexside),
            links=several(x.link),
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
            moves=several(p.moves),
            weight=self.weight(p.weigh, p.times, key),
            per=self.per(p.per, key),
            counts=tuple((self.pieces(c.of, f"{key}.counts.{i}.of"), c.by) for i, c in enumerate(p.counts)),
            neutral=None if p.neutral is None else self.pieces(p.neutral, f"{key}.neutral"),
            neutral_at_most=p.neutral_at_most,
            at_least=at_least,
            when=self.time(p, key, seen=False),
            **self.datum(p, key),
        )

    def apart(self, a: RawApart, key: str) -> Apart:
        self.attribute(a.by, f"{key}.by")
        return Apart(
            of=self.pieces(a.of, f"{key}.of"),
            by=a.by,
            where=self.spaces(a.where, f"{key}.where", seen=False),
            **self.datum(a, key),
        )
