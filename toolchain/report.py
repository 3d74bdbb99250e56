"""What a check says: findings, where they are, and the report that collects them.

This room imports nothing of ours. Bad data is collected here, never raised.
"""

from __future__ import annotations

import difflib
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import lru_cache
from typing import Any


class Severity(IntEnum):
    """How bad a finding is; the order is the order of gravity."""

    NOTE = 1
    WARNING = 2
    ERROR = 3

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, slots=True)
class Location:
    """Say where a finding is, in files and on the map. Every field may be empty.

    file: path as the user would type it. line: 1-based line of a text file or row of a table (the header is row 1).
    column: name of a table column. key: dotted key path of a TOML file. element: id of an SVG element.
    space: key of the space on the map.
    """

    file: str = ""
    line: int = 0
    column: str = ""
    key: str = ""
    element: str = ""
    space: str = ""

    def __str__(self) -> str:
        place = self.file
        if self.line:
            place += f":{self.line}"
        parts = [place] if place else []
        if self.column:
            parts.append(f"column {self.column}")
        if self.key:
            parts.append(self.key)
        if self.element:
            parts.append(f"#{self.element}")
        if self.space:
            parts.append(f"at {self.space}")
        return ", ".join(parts)


@dataclass(frozen=True, slots=True)
class Rule:
    """Describe one kind of finding: the page that `toolchain explain CODE` prints.

    code: family letter and three digits; never reused. name: kebab-case. summary: one line, what is wrong.
    why: why it matters. mend: what to do. example: a message as it would be printed.
    """

    code: str
    name: str
    severity: Severity
    summary: str
    why: str
    mend: str
    example: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """State one thing that a check found. facts hold the values for machines; accepted is the reason given, if any."""

    rule: Rule
    where: Location
    message: str
    facts: Mapping[str, Any] = field(default_factory=dict)
    accepted: str = ""

    @property
    def severity(self) -> Severity:
        return self.rule.severity

    def sort_key(self) -> tuple[int, str, str, str, int, str, str, str, str, str]:
        w = self.where
        key = re.sub(r"\d+", lambda number: number[0].zfill(9), w.key)  # the tenth rule of a list follows the ninth
        # What cannot be read comes first: much of the rest may only follow from it.
        family = "" if self.rule.code[0] == "S" else self.rule.code
        return (-self.severity, family, self.rule.code, w.file, w.line, w.column, key, w.element, w.space, self.message)

    def to_dict(self) -> dict[str, Any]:
        w = self.where
        place = {n: getattr(w, n) for n in ("file", "line", "column", "key", "element", "space") if getattr(w, n)}
        out: dict[str, Any] = {
            "code": self.rule.code,
            "name": self.rule.name,
            "severity": str(self.severity),
            "message": self.message,
            "where": place,
        }
        if self.facts:
            out["facts"] = dict(self.facts)
        if self.accepted:
            out["accepted"] = self.accepted
        return out

    def __str__(self) -> str:
        place = str(self.where)
        return f"{self.severity} {self.rule.code}: {place + ': ' if place else ''}{self.message}"


class Report:
    """Collect findings; iterate over them in a stable order, the gravest first."""

    def __init__(self, findings: Iterable[Finding] = ()) -> None:
        # What says the same of the same place twice is kept once, as it came first.
        self._findings: dict[tuple[str, Location, str], Finding] = {}
        self.extend(findings)

    def add(self, rule: Rule, where: Location, message: str, **facts: Any) -> None:
        """Add one finding; facts are its values for machines."""
        self.extend([Finding(rule, where, message, facts)])

    def extend(self, findings: Iterable[Finding]) -> None:
        """Add many findings."""
        for f in findings:
            self._findings.setdefault((f.rule.code, f.where, f.message), f)

    def __iter__(self) -> Iterator[Finding]:
        return iter(sorted(self._findings.values(), key=Finding.sort_key))

    def __len__(self) -> int:
        return len(self._findings)

    def count(self, severity: Severity) -> int:
        """Count the findings of exactly this severity that nobody accepted."""
        return sum(1 for f in self._findings.values() if f.severity == severity and not f.accepted)

    def worst(self) -> Severity | None:
        """Return the gravest severity among findings that nobody accepted, or None."""
        return max((f.severity for f in self._findings.values() if not f.accepted), default=None)

    @property
    def failed(self) -> bool:
        """Tell whether an error was found."""
        return self.worst() == Severity.ERROR

    def to_list(self) -> list[dict[str, Any]]:
        """Return the findings as plain data, for JSON."""
        return [f.to_dict() for f in self]


def by_rows(findings: Iterable[Finding]) -> list[tuple[Finding, list[int]]]:
    """Join findings that say the same of several rows of a table: the first of each, and the lines of all of them."""
    groups: dict[tuple[Any, ...], tuple[Finding, list[int]]] = {}
    for f in findings:
        w = f.where
        key = (f.rule.code, f.message, f.accepted, w.file, w.column, w.key, w.element, w.space)
        groups.setdefault(key, (f, []))[1].append(w.line)
    return list(groups.values())


MANY, LIKELY = 200, 50
"""Of more words than MANY only the LIKELY ones, by the pairs of letters they share, are compared letter by letter."""


def counted(number: float, one: str, many: str = "") -> str:
    """Say how many there are: the number with the words for one, or for many, which are with an s if not given."""
    shown = f"{number:g}" if isinstance(number, float) else str(number)
    return f"{shown} {one if number == 1 else many or f'{one}s'}"


def tallied(counts: Mapping[str, int]) -> list[str]:
    """Say how many there are of each that there is any of. counts: by words for many, whose last one is a noun."""
    ends = {"hexes": "hex", "boxes": "box"}
    out = []
    for many, n in counts.items():
        before, gap, noun = many.rpartition(" ")
        out += [counted(n, before + gap + ends.get(noun, noun.removesuffix("s")), many)] if n else []
    return out


def nearest(word: str, known: Iterable[str]) -> str:
    """Return the known word that is most like this one, or an empty string when none is near."""
    return _nearest(word, tuple(sorted(known)))


@lru_cache(maxsize=4096)
def _nearest(word: str, known: tuple[str, ...]) -> str:
    by_lower, by_pair = _spelt(known)
    wanted = word.casefold()
    likely: Iterable[str] = by_lower
    if len(by_lower) > MANY:
        shared = Counter(k for pair in _pairs(wanted) for k in by_pair.get(pair, ()))
        likely = [k for k, _ in sorted(shared.items(), key=lambda item: (-item[1], item[0]))[:LIKELY]]
    hit = difflib.get_close_matches(wanted, likely, n=1, cutoff=0.6)
    return by_lower[hit[0]] if hit else ""


@lru_cache(maxsize=8)
def _spelt(known: tuple[str, ...]) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Return words by their small letters, and those by every pair of neighbouring letters in them."""
    by_lower: dict[str, str] = {}
    by_pair: dict[str, list[str]] = {}
    for k in known:
        by_lower.setdefault(k.casefold(), k)
    for k in by_lower if len(by_lower) > MANY else ():
        for pair in _pairs(k):
            by_pair.setdefault(pair, []).append(k)
    return by_lower, by_pair


def _pairs(word: str) -> set[str]:
    padded = f"\n{word}\n"
    return {padded[i : i + 2] for i in range(len(padded) - 1)}


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean X?" for the nearest known word, or an empty string."""
    hit = nearest(word, known)
    return f"; did you mean {hit!r}?" if hit else ""
