"""Choose shapes of a drawing by their properties, and say what a filter might have meant."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from toolchain.catalogue import EMPTY_LAYER, FILTER_UNUSED, UNKNOWN_PROPERTY
from toolchain.report import Location, Report, did_you_mean, nearest
from toolchain.sources.decode.maps import RangeData, Scalar
from toolchain.sources.svgstyle import read_colour

Wanted = Scalar | RangeData


class HasProperties(Protocol):
    """Anything drawn."""

    @property
    def properties(self) -> Mapping[str, Any]: ...


T = TypeVar("T", bound=HasProperties)


def choose(
    shapes: Sequence[T], where: Mapping[str, Wanted | tuple[Scalar, ...]], file: str, at: Location, report: Report
) -> list[T]:
    """Return the shapes that pass a filter; properties and values that no shape has are findings.

    where: for each property the value that it must have, one of several, or a range. In texts `*` stands for any
    characters; a shape with several classes has each of them; colours of drawings are compared as colours. file: name
    of the drawing. at: place of the layer in map.toml.
    """
    if not shapes:
        report.add(EMPTY_LAYER, at, f"{file} has no shapes here")
        return []
    known = {key for s in shapes for key in s.properties}
    passed = [True] * len(shapes)
    unused = False
    for key, value in where.items():
        place = Location(at.file, key=f"{at.key}.where.{key}")
        if key not in known:
            report.add(UNKNOWN_PROPERTY, place, f"no shape of {file} has it{did_you_mean(key, known)}")
            passed, unused = [False] * len(shapes), True
            continue
        wanted = [_colour(key, v) for v in (value if isinstance(value, tuple) else (value,))]
        tests = [_test(v) for v in wanted]
        held = [_values(key, s.properties.get(key)) for s in shapes]
        hits = [[any(test(h) for h in some) for some in held] for test in tests]
        passed = [p and any(row[i] for row in hits) for i, p in enumerate(passed)]
        for v, row in zip(wanted, hits, strict=True):
            if not any(row):
                unused = unused or len(wanted) == 1 or not any(map(any, hits))
                _say_unused(key, v, held, file, place, report)
    found = [s for s, p in zip(shapes, passed, strict=True) if p]
    if not found and not unused:
        report.add(EMPTY_LAYER, at, f"no shape of {file} passes the whole of `where`")
    return found


def _values(key: str, value: Any) -> tuple[Any, ...]:
    """Return the values that a property counts as: each class, each member of a list."""
    if key == "class" and isinstance(value, str) and " " in value:
        return (value, *value.split())
    return tuple(value) if isinstance(value, list | tuple) else () if value is None else (value,)


def _colour(key: str, value: Any) -> Any:
    """Write a colour as drawings have it; a word that is none stays as it is."""
    return read_colour(value) if key in ("fill", "stroke") and isinstance(value, str) and "*" not in value else value


def _test(wanted: Any) -> Any:
    if isinstance(wanted, RangeData):
        low = -math.inf if wanted.min is None else wanted.min
        high = math.inf if wanted.max is None else wanted.max
        return lambda held: _is_number(held) and low <= held <= high
    if isinstance(wanted, str) and "*" in wanted:
        parts = re.compile(".*".join(map(re.escape, re.sub(r"\*+", "*", wanted).split("*"))), re.DOTALL)
        return lambda held: isinstance(held, str) and (held == wanted or parts.fullmatch(held) is not None)
    if _is_number(wanted):
        return lambda held: (
            _is_number(held) and math.isclose(held, wanted, rel_tol=1e-9, abs_tol=1e-4 * (wanted % 1 != 0))
        )
    return lambda held: type(held) is type(wanted) and held == wanted


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _say_unused(key: str, wanted: Any, held: list[tuple[Any, ...]], file: str, at: Location, report: Report) -> None:
    """Report a value that no shape has, with those that there are, the likeliest first."""
    counts: Counter[Any] = Counter()
    for some in held:
        counts.update(v for v in some if isinstance(v, str | int | float) and v != "")
    distance = _distance(wanted, list(counts))
    order = sorted(counts, key=lambda v: (distance(v), -counts[v], str(v)))[:8]
    shown = "a value in this range" if isinstance(wanted, RangeData) else repr(wanted)
    there = ", ".join(f"{str(v)[:40]} ({counts[v]})" for v in order) or "no value at all"
    more = f" and {len(counts) - len(order)} more" if len(counts) > len(order) else ""
    report.add(FILTER_UNUSED, at, f"no shape of {file} has {shown}; it has {there}{more}", values=order)


def _distance(wanted: Any, there: list[Any]) -> Any:
    """Return how far values are from the one that is wanted: colours, numbers, words."""
    if isinstance(wanted, str) and re.fullmatch(r"#[0-9a-f]{6}", wanted):
        rgb = bytes.fromhex(wanted[1:])

        def colour(value: Any) -> float:
            if not isinstance(value, str) or not re.fullmatch(r"#[0-9a-f]{6}", value):
                return math.inf
            return math.dist(rgb, bytes.fromhex(value[1:]))

        return colour
    if _is_number(wanted):
        return lambda value: abs(value - wanted) if _is_number(value) else math.inf
    words = [v for v in there if isinstance(v, str)][:5000]
    best = nearest(wanted, words) if isinstance(wanted, str) else ""
    return lambda value: 0.0 if value == best else 1.0
