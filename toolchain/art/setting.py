"""Set text into boxes: on one or a few lines as large as fits, or as running text."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import combinations, pairwise

from toolchain.art.text import Anchor, Font, load_font, measure, outline
from toolchain.sources.decode.style import Text

_EDGE = 1e-6


@lru_cache(maxsize=4096)  # the same factors stand on many counters, and outlines are most of the work
def lines_data(
    lines: tuple[str, ...], font: Font, size: float, x: float, y: float, step: float, anchor: Anchor, spacing: float
) -> str:
    """Write lines as path data: their em size in mm, the place of the first baseline, and the step to the next."""
    return "".join(outline(line, font, size, x, y + i * step, anchor, spacing) for i, line in enumerate(lines))


def wrap_lines(
    text: str, element: Text, width: float, height: float, size: float, font: Font
) -> tuple[list[str], float]:
    """Set running text as large as its box holds; return the lines and the em size in mm, 0 when none is large enough.

    A line break in the text begins a new paragraph. width, height: of the box, mm. size: the largest em.
    """
    while size >= element.least:
        lines = broken_at(text, element, width / size, font)
        deep = font.cap_height + element.leading * (len(lines) - 1)
        wide = max(_width(line, font, element.spacing) for line in lines)
        if deep * size <= height + _EDGE and wide * size <= width + _EDGE:
            return lines, size
        size = max(size * 0.97, element.least) if size > element.least else 0.0
    return [text], 0.0


def broken_at(text: str, element: Text, measure_: float, font: Font) -> list[str]:
    """Break running text into lines of at most this measure, in ems; a longer word has a line of its own."""
    lines: list[str] = []
    for paragraph in text.strip().splitlines():
        line = ""
        for word in paragraph.split():
            longer = f"{line} {word}" if line else word
            if line and _width(longer, font, element.spacing) > measure_:
                lines.append(line)
                line = word
            else:
                line = longer
        lines.append(line)
    return lines


@lru_cache(maxsize=65536)
def _width(line: str, font: Font, spacing: float) -> float:
    return measure(line, font, 1.0, spacing)


def fit_lines(
    text: str, element: Text, width: float, height: float, size: float, font: Font | None = None
) -> tuple[list[str], float]:
    """Break a text into lines so that it can be printed largest; return the lines and the em size in mm.

    A line break in the text itself is kept. width, height: of the box, mm, from the top of the capitals of the first
    line to the baseline of the last. size: the largest em.
    """
    font = font or load_font(element.font)

    def largest(lines: list[str]) -> float:
        wide = max(_width(line, font, element.spacing) for line in lines)
        high = font.cap_height + element.leading * (len(lines) - 1)
        return min(size, width / wide if wide else size, height / high)

    fixed = [line.strip() for line in text.splitlines() if line.strip()]
    if len(fixed) > 1:
        return fixed, largest(fixed)
    parts = _parts(fixed[0])
    best: tuple[list[str], float] = ([fixed[0]], largest([fixed[0]]))
    for count in range(2, min(element.lines, len(parts)) + 1):
        lines = _broken(parts, count, lambda line: _width(line, font, element.spacing))
        got = largest(lines)
        if got > best[1] * 1.08:  # one line more must be worth it
            best = (lines, got)
    return best


def _parts(line: str) -> list[str]:
    """Cut a line where it may be broken: after spaces, and after hyphens within long words. Spaces stay at the ends."""
    return re.findall(r"\S{3,}?-(?=\S{4})|\S+\s*", line)


def _broken(parts: list[str], count: int, width: Callable[[str], float]) -> list[str]:
    """Break into so many lines: the least greatest width, and then the most even ones."""

    def joined(cuts: tuple[int, ...]) -> list[str]:
        edges = (0, *cuts, len(parts))
        return ["".join(parts[a:b]).strip() for a, b in pairwise(edges)]

    if len(parts) > 16:  # too many ways to try: break at even distances
        return joined(tuple(round(len(parts) * i / count) for i in range(1, count)))
    ways = (joined(cuts) for cuts in combinations(range(1, len(parts)), count - 1))
    return min(ways, key=lambda lines: (max(wide := [width(line) for line in lines]), sum(w * w for w in wide)))
