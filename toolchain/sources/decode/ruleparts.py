"""What the decoders of all kinds of rules share: counting, kinds of way, edges, grades, where a rule comes from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from toolchain.catalogue import (
    MISSING_KEY,
    NEEDS_NOT_BEST_FIRST,
    UNKNOWN_EDGES,
    UNKNOWN_GRADE,
    WEIGHT_NOT_NUMBER,
)
from toolchain.model.rulebook import Weight
from toolchain.model.terms import number_of
from toolchain.report import Location, did_you_mean
from toolchain.sources.decode.rulesfile import (
    RawBar,
    RawCrossing,
    RawDatum,
    RawLimit,
    RawStepCost,
    RawTimes,
    RulesFile,
    Words,
)
from toolchain.sources.decode.selectors import Selectors


@dataclass
class Parts(Selectors):
    """Decode what many rules are made of. read: the whole file."""

    read: RulesFile

    def ways(self, b: RawBar | RawCrossing | RawStepCost, key: str) -> None:
        for kind, given, known in (
            ("hexside", several(b.hexside), self.words.hexsides),
            ("link", several(b.link), self.words.links),
        ):
            for word in given:
                self.known(word, known, f"{kind} of the map", f"{key}.{kind}")

    def weight(self, by: str, times: tuple[RawTimes, ...], key: str) -> Weight:
        if by:
            self.numeric(by, f"{key}.weigh")
        factors = tuple((self.pieces(x.of, f"{key}.times.{i}.of"), x.by) for i, x in enumerate(times))
        return Weight(by, factors)

    def numeric(self, name: str, key: str) -> None:
        """Report an attribute to be added up that no piece has, or that is no number, or a negative one, somewhere."""
        self.attribute(name, key)
        numbers = {w: number_of(w) for p in self.words.pieces for w in p.get(name, ())}
        wrong = sorted(w for w, number in numbers.items() if number is None or number < 0)
        if wrong:
            text = f"{name!r} is no number from 0 up on some counters: {', '.join(wrong[:5])}"
            self.add(WEIGHT_NOT_NUMBER, key, text)

    def per(self, words: Words, key: str) -> tuple[str, ...]:
        names = tuple(n for n in several(words) if n)
        for name in names:
            self.attribute(name, f"{key}.per")
        return names

    def one_limit(self, x: RawLimit | RawCrossing, key: str) -> None:
        if (x.at_most is None) == (x.unlimited is None):
            self.add(MISSING_KEY, key, "either `at_most` or `unlimited = true` must be given")

    def needs(self, words: Words, key: str) -> tuple[str, ...]:
        needs = several(words)
        for grade in needs:
            self.grade(grade, f"{key}.needs")
        if needs and set(needs) <= set(self.read.grades) and set(needs) != set(self.read.grades[: len(needs)]):
            best = ", ".join(self.read.grades[: len(needs)])
            self.add(NEEDS_NOT_BEST_FIRST, f"{key}.needs", f"the best {len(needs)} of `grades` are {best}")
        return needs

    def over(self, words: Words, key: str) -> tuple[str, ...]:
        names = several(words)
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


def several(words: Words) -> tuple[str, ...]:
    """Return one word or several as a tuple."""
    return (words,) if isinstance(words, str) and words else tuple(words)
