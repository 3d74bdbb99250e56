"""Draw the faces of a counter as its layout says: paper, stripe, unit symbol, size mark, factors, names, icons."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise

from toolchain.art.icons import SHAPES, draw_icon
from toolchain.art.marks import Group, Mark, Page, Paint, Path, circle, rectangle, shifted
from toolchain.art.symbols import UnitSymbol, draw_size_mark, draw_symbol, read_symbol
from toolchain.art.text import Anchor, load_font, measure, missing_glyphs, outline
from toolchain.catalogue import (
    GLYPH_MISSING,
    ICON_UNKNOWN,
    LAYOUT_UNKNOWN,
    SIZE_UNKNOWN,
    STYLE_COLOUR_UNKNOWN,
    TEXT_TOO_LONG,
    VALUE_MISSING,
)
from toolchain.model.forces import Counter, Value
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode.style import (
    FIELD,
    Box,
    Dot,
    Element,
    Icon,
    Size,
    SizeMark,
    Style,
    SymbolMark,
    Text,
    fits,
)

_EDGE = 1e-6


def build_faces(counter: Counter, style: Style, report: Report, bleed: float = 0.0) -> tuple[Page, ...]:
    """Draw every face of a counter, the front first.

    counter: one row of the counter table. style: sizes, looks and layouts. bleed: how far what reaches the edge runs
    over it, mm; with 0 the corners are rounded as the die cuts them. Returns one page per face of the trimmed size;
    what bleeds lies outside it. A counter of unknown size or layout gives none. Everything wrong is a finding.
    """
    size = _size_of(counter, style, report)
    layout = _layout_of(counter, style, report)
    if size is None or layout is None:
        return ()
    words = style.words_of(counter)
    pages = []
    for step in range(len(counter.faces)):
        face = _Face(counter, step, style, size, layout, words, bleed, report)
        marks = tuple(m for e in style.elements_of(layout) for m in face.draw(e))
        if size.corner and not bleed:
            marks = (Group(marks, clip=rectangle(0, 0, size.width, size.height, size.corner)),)
        pages.append(Page(size.width, size.height, marks, counter.name))
    return tuple(pages)


def size_of(counter: Counter, style: Style) -> str:
    """Return the name of a counter's size: its own, else the one that the style gives to all."""
    return counter.size or style.size


def _size_of(counter: Counter, style: Style, report: Report) -> Size | None:
    name = size_of(counter, style)
    if name not in style.sizes:
        message = f"there is no size {name!r}{_known(name, style.sizes)}" if name else "no size is given"
        report.add(SIZE_UNKNOWN, _at(counter, "size"), message)
    return style.sizes.get(name)


def _layout_of(counter: Counter, style: Style, report: Report) -> str | None:
    name = counter.layout or style.words_of(counter).get("layout", "") or style.layout
    if name in style.layouts:
        return name
    message = f"there is no layout {name!r}{_known(name, style.layouts)}" if name else "no layout is given"
    report.add(LAYOUT_UNKNOWN, _at(counter, "layout"), message)
    return None


def _known(word: str, known: Iterable[str]) -> str:
    return did_you_mean(word, known) or "; known here: " + ", ".join(sorted(known))


def _at(counter: Counter, column: str) -> Location:
    return Location(file=counter.where.file, line=counter.where.line, column=column)


@dataclass(frozen=True)
class _Face:
    """One face while it is drawn."""

    counter: Counter
    step: int
    style: Style
    size: Size
    layout: str
    words: dict[str, str]
    bleed: float
    report: Report

    def draw(self, element: Element) -> tuple[Mark, ...]:
        if element.on != "both" and element.on != ("front" if self.step == 0 else "back"):
            return ()
        if not fits(element.when, self.value) or (element.unless and fits(element.unless, self.value)):
            return ()
        marks: tuple[Mark, ...] = ()
        if isinstance(element, Box):
            marks = self._box(element)
        elif isinstance(element, Dot):
            marks = self._dot(element)
        elif isinstance(element, SymbolMark):
            marks = self._symbol(element)
        elif isinstance(element, SizeMark):
            marks = self._size_mark(element)
        elif isinstance(element, Icon):
            marks = self._icon(element)
        elif isinstance(element, Text):
            marks = self._text(element)
        return self._placed(element, marks)

    def value(self, name: str) -> Value | None:
        """Return a value of this face by name: the table's first, then what the looks set."""
        got = self.counter.value(name, self.step)
        return self.words.get(name) if got is None or got == "" else got

    def _placed(self, element: Element, marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
        """Move marks drawn around (0, 0) to their place; boxes without a turn are drawn in place."""
        if not marks or (isinstance(element, Box) and not element.turn):
            return marks
        x, y = element.at[0] * self.size.width, element.at[1] * self.size.height
        if not element.turn:
            return (Group(marks, shifted(x, y)),)
        c, s = math.cos(math.radians(element.turn)), math.sin(math.radians(element.turn))
        return (Group(marks, (c, s, -s, c, x, y)),)

    def _colour(self, name: str) -> str | None:
        """Return #rrggbb for a colour's name, by way of the looks; None for no colour."""
        if not name:
            return None
        found = self.words.get(name, name)
        found = self.style.colours.get(found, found)
        if re.fullmatch(r"#[0-9a-fA-F]{6}", found):
            return found
        message = f"layout {self.layout!r} uses the colour {name!r}, which no look sets for this counter"
        self.report.add(STYLE_COLOUR_UNKNOWN, self.counter.where, message)
        return None

    def _ink(self, name: str) -> str:
        return self._colour(name) or "#000000"

    def _fill(self, template: str, optional: bool) -> str | None:
        """Put values for the {names} of a template; None when one is missing."""
        missing = False

        def put(hit: re.Match[str]) -> str:
            nonlocal missing
            got = self.value(hit[1])
            if got is None or got == "":
                missing = True
                if not optional:
                    message = f"layout {self.layout!r} prints {{{hit[1]}}}, and the cell is empty"
                    self.report.add(VALUE_MISSING, _at(self.counter, self._column(hit[1])), message)
                return ""
            return ("yes" if got else "no") if isinstance(got, bool) else str(got)

        text = FIELD.sub(put, template)
        return None if missing else text

    def _column(self, name: str) -> str:
        return ("back_" if self.step and name in self.counter.faces[0].values else "") + name

    def _place_of(self, template: str) -> Location:
        """Return where a text comes from: the cell when the template has just one name, else the row."""
        names = FIELD.findall(template)
        return _at(self.counter, self._column(names[0])) if len(names) == 1 else self.counter.where

    def _paint(self, element: Box | Dot) -> Paint:
        return Paint(fill=self._colour(element.fill), stroke=self._colour(element.stroke), width=element.line)

    def _box(self, element: Box) -> tuple[Mark, ...]:
        width, height = element.size[0] * self.size.width, element.size[1] * self.size.height
        if element.turn:
            return (Path(rectangle(-width / 2, -height / 2, width, height, element.radius), self._paint(element)),)
        left, top = element.at[0] * self.size.width - width / 2, element.at[1] * self.size.height - height / 2
        right, bottom = left + width, top + height
        if self.bleed and not element.stroke and not element.radius:
            left -= self.bleed * (left <= _EDGE)
            top -= self.bleed * (top <= _EDGE)
            right += self.bleed * (right >= self.size.width - _EDGE)
            bottom += self.bleed * (bottom >= self.size.height - _EDGE)
        return (Path(rectangle(left, top, right - left, bottom - top, element.radius), self._paint(element)),)

    def _dot(self, element: Dot) -> tuple[Mark, ...]:
        return (Path(circle(0, 0, element.size * self.size.height / 2), self._paint(element)),)

    def _read_symbol(self, template: str) -> UnitSymbol | None:
        words = self._fill(template, optional=False)
        return read_symbol(words, self._place_of(template), self.report) if words else None

    def _symbol(self, element: SymbolMark) -> tuple[Mark, ...]:
        symbol = self._read_symbol(element.symbol)
        if symbol is None:
            return ()
        fill = self._colour(element.fill) or ""
        width = element.width * self.size.width
        return (draw_symbol(symbol, width, self._ink(element.ink), fill, element.line, element.frame),)

    def _size_mark(self, element: SizeMark) -> tuple[Mark, ...]:
        symbol = self._read_symbol(element.symbol)
        if symbol is None or not symbol.echelon:
            return ()
        height = element.height * self.size.height
        return (draw_size_mark(symbol.echelon, height, self._ink(element.ink), element.line),)

    def _icon(self, element: Icon) -> tuple[Mark, ...]:
        name = self._fill(element.icon, element.optional)
        if not name:
            return ()
        if name not in SHAPES:
            message = f"there is no icon {name!r}{_known(name, SHAPES)}"
            self.report.add(ICON_UNKNOWN, self._place_of(element.icon), message)
            return ()
        width, height = element.width * self.size.width, element.height * self.size.height
        rim = self._colour(element.fill) or ""
        return (draw_icon(name, width, height, self._ink(element.ink), rim, element.line, element.mirror),)

    def _text(self, element: Text) -> tuple[Mark, ...]:
        text = self._fill(element.text, element.optional)
        if not text or not text.strip():
            return ()
        text = text.upper() if element.upper else text
        where = self._place_of(element.text)
        for ch in missing_glyphs(text.replace("\n", " "), element.font):
            message = f"font {element.font} has no {ch!r} (U+{ord(ch):04X})"
            self.report.add(GLYPH_MISSING, where, message)
        width, height = element.box[0] * self.size.width, element.box[1] * self.size.height
        lines, size = fit_lines(text, element, width, height, element.size * self.size.height)
        if size < element.least:
            size = element.least
            message = f"{' '.join(text.split())!r} does not fit {width:.1f} x {height:.1f} mm"
            if element.lines > 1:
                message += f" on {element.lines} lines"
            self.report.add(TEXT_TOO_LONG, where, message)
        font = load_font(element.font)
        step = element.leading * size
        x = {"start": -width / 2, "middle": 0.0, "end": width / 2}[element.anchor]
        y = (font.cap_height * size - step * (len(lines) - 1)) / 2
        data = _lines_data(tuple(lines), element.font, size, x, y, step, element.anchor, element.spacing)
        halo = self._colour(element.halo)
        rim = (Path(data, Paint(stroke=halo, width=2 * element.halo_line, join="round")),) if halo else ()
        return (*rim, Path(data, Paint(fill=self._ink(element.ink))))


@lru_cache(maxsize=4096)  # the same factors stand on many counters, and outlines are most of the work
def _lines_data(
    lines: tuple[str, ...], font: str, size: float, x: float, y: float, step: float, anchor: Anchor, spacing: float
) -> str:
    return "".join(outline(line, font, size, x, y + i * step, anchor, spacing) for i, line in enumerate(lines))


def fit_lines(text: str, element: Text, width: float, height: float, size: float) -> tuple[list[str], float]:
    """Break a text into lines so that it can be printed largest; return the lines and the em size in mm.

    A line break in the text itself is kept. width, height: of the box, mm, from the top of the capitals of the first
    line to the baseline of the last. size: the largest em.
    """
    font = load_font(element.font)

    def largest(lines: list[str]) -> float:
        wide = max(measure(line, font, 1.0, element.spacing) for line in lines)
        high = font.cap_height + element.leading * (len(lines) - 1)
        return min(size, width / wide if wide else size, height / high)

    fixed = [line.strip() for line in text.splitlines() if line.strip()]
    if len(fixed) > 1:
        return fixed, largest(fixed)
    parts = _parts(fixed[0])
    best: tuple[list[str], float] = ([fixed[0]], largest([fixed[0]]))
    for count in range(2, min(element.lines, len(parts)) + 1):
        lines = _broken(parts, count, lambda line: measure(line, font, 1.0, element.spacing))
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
