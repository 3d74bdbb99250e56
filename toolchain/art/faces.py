"""Draw the faces of a counter as its layout says: paper, stripe, unit symbol, size mark, factors, names, icons."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from toolchain.art.icons import SHAPES, draw_icon, draw_picture, draw_silhouette
from toolchain.art.marks import Group, Mark, Page, Paint, Path, circle, rectangle, shifted
from toolchain.art.setting import broken_at, fit_lines, lines_data, wrap_lines
from toolchain.art.symbols import UnitSymbol, draw_size_mark, draw_symbol, read_symbol
from toolchain.art.text import Font, font_from_bytes, load_font, missing_glyphs
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
    FILE_ENDINGS,
    Box,
    Dot,
    Element,
    Icon,
    PictureMark,
    Size,
    SizeMark,
    Style,
    SymbolMark,
    Text,
    fits,
)

HIDDEN = -1  # in place of a step
_EDGE = 1e-6
_DEPTH = 4  # a look's word may hold the name of a further one


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
    pages: list[Page] = []
    turns = any(style.layouts[name].turns for name in style.line_of(layout))
    for step in range(len(counter.faces)):
        if step and turns:
            pages.append(_turned(pages[0], step, size))
            continue
        face = _Face(counter, step, style, size, layout, words, bleed, report)
        marks = tuple(m for e in style.elements_of(layout) for m in face.draw(e))
        if size.corner and not bleed:
            marks = (Group(marks, clip=rectangle(0, 0, size.width, size.height, size.corner)),)
        pages.append(Page(size.width, size.height, marks, counter.name))
    return tuple(pages)


def build_plain_back(counter: Counter, style: Style, bleed: float) -> Page | None:
    """Draw what stands behind a counter of one step, on sheets.

    That is the back of its layout, if it is one that has a back (`backed`), or with plain = "paper" in [sheet] the
    colour of the paper. None when nothing is printed there.
    """
    size, layout = style.sizes.get(size_of(counter, style)), layout_of(counter, style)
    if size is None or layout not in style.layouts:
        return None
    face = _Face(counter, 1, style, size, layout, style.words_of(counter), bleed, Report())
    marks: tuple[Mark, ...] = ()
    if any(style.layouts[name].backed for name in style.line_of(layout)):
        marks = tuple(m for e in style.elements_of(layout) for m in face.draw(e))
    elif style.sheet.plain == "paper" and face.colour_known("paper"):
        marks = face.draw(Box(draw="box", fill="paper"))
    return Page(size.width, size.height, marks, counter.name) if marks else None


def build_hidden(counter: Counter, style: Style) -> Page | None:
    """Draw what others see of a hidden piece: the elements of its layout for that, else its back, else plain paper."""
    size, layout = style.sizes.get(size_of(counter, style)), layout_of(counter, style)
    if size is None or layout not in style.layouts:
        return None
    plain = style.model_copy(update={"sheet": style.sheet.model_copy(update={"plain": "paper"})})
    page = build_plain_back(counter, plain, 0.0)
    own = [e for e in style.elements_of(layout) if e.on == "hidden"]
    if own:
        face = _Face(counter, HIDDEN, style, size, layout, style.words_of(counter), 0.0, Report())
        page = Page(size.width, size.height, tuple(m for e in own for m in face.draw(e)))
    if page is None or not size.corner:
        return page
    clip = rectangle(0, 0, size.width, size.height, size.corner)
    return replace(page, marks=(Group(page.marks, clip=clip),))


def label_only(counter: Counter, style: Style) -> bool:
    """Tell whether all steps of a counter stand on one label, which is turned in play."""
    layout = layout_of(counter, style)
    return layout in style.layouts and any(style.layouts[name].turns for name in style.line_of(layout))


def layout_of(counter: Counter, style: Style) -> str:
    """Return the name of a counter's layout: its own, else that of its looks, else the one that the style gives."""
    return counter.layout or style.words_of(counter).get("layout", "") or style.layout


def _turned(label: Page, step: int, size: Size) -> Page:
    """Return a label as it stands after so many quarter turns to the left."""
    w, h = size.width, size.height
    matrix = {
        1: (0.0, -1.0, 1.0, 0.0, 0.0, w),
        2: (-1.0, 0.0, 0.0, -1.0, w, h),
        3: (0.0, 1.0, -1.0, 0.0, h, 0.0),
    }.get(step % 4)
    width, height = (h, w) if step % 2 else (w, h)
    return Page(width, height, (Group(label.marks, matrix),) if matrix else label.marks, label.title)


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
    name = layout_of(counter, style)
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
        shown = {0: "front", HIDDEN: "hidden"}.get(self.step, "back")
        if element.on != "both" and element.on != shown:
            return ()
        if element.step:
            return self._of_step(element)
        if not fits(element.when, self.value) or any(fits({k: v}, self.value) for k, v in element.unless.items()):
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
        elif isinstance(element, PictureMark):
            marks = self._picture(element)
        elif isinstance(element, Text):
            marks = self._text(element)
        return self._placed(element, marks)

    def _of_step(self, element: Element) -> tuple[Mark, ...]:
        """Draw an element with the values of another step; nothing when the counter does not have it."""
        if element.step > len(self.counter.faces):
            return ()
        face = replace(self, step=element.step - 1)
        return face.draw(element.model_copy(update={"step": 0, "on": "both"}))

    def value(self, name: str) -> Value | None:
        """Return a value of this face by name: the table's first, then what the looks set."""
        got = self.counter.value(name, max(0, self.step))
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
        cell = None if name.startswith("#") else self.counter.value(name, self.step)
        found = cell if isinstance(cell, str) and cell else self.words.get(name, name)
        found = self.style.colours.get(found, found)
        if re.fullmatch(r"#[0-9a-fA-F]{6}", found):
            return found
        if isinstance(cell, str) and cell:
            known = did_you_mean(cell, self.style.colours) or "; write a name of [colours] or #rrggbb"
            message = f"there is no colour {cell!r}{known}"
            self.report.add(STYLE_COLOUR_UNKNOWN, _at(self.counter, self._column(name)), message)
            return None
        if name in self.words:
            known = did_you_mean(found, self.style.colours) or "; write a name of [colours] or #rrggbb"
            message = f"a look sets {name} to {found!r}, and there is no such colour{known}"
        else:
            message = f"layout {self.layout!r} uses the colour {name!r}, which no look sets for this counter"
        self.report.add(STYLE_COLOUR_UNKNOWN, self.counter.where, message)
        return None

    def colour_known(self, name: str) -> bool:
        """Tell whether a cell, a look or the style sets this colour."""
        return self.value(name) is not None or name in self.style.colours

    def _ink(self, name: str) -> str:
        return self._colour(name) or "#000000"

    def _fill(self, template: str, optional: bool, depth: int = 0) -> str | None:
        """Put values for the {names} of a template; None when one is missing. A look's word may be a template too."""
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
            if isinstance(got, str) and depth < _DEPTH and "{" in got and self.words.get(hit[1]) == got:
                inner = self._fill(got, optional, depth + 1)
                missing = missing or inner is None
                return inner or ""
            return ("yes" if got else "no") if isinstance(got, bool) else str(got)

        text = FIELD.sub(put, template)
        return None if missing else text

    def _column(self, name: str) -> str:
        if not self.step or name not in self.counter.faces[0].values:
            return name
        return ("back_" if self.step == 1 else f"step{self.step + 1}_") + name

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
        if symbol.picture:
            picture = self.style.artwork.pictures.get(symbol.picture)
            if picture is None:  # said when the picture was read
                return ()
            inner = draw_silhouette(picture, width * 0.86, width * 0.56, self._ink(element.ink))
            frame = draw_symbol(UnitSymbol(), width, self._ink(element.ink), fill, element.line, element.frame)
            return (frame, inner)
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
        width, height = element.width * self.size.width, element.height * self.size.height
        rim = self._colour(element.fill) or ""
        if name.casefold().endswith(FILE_ENDINGS):
            own = self.style.artwork.pictures.get(name)
            if own is None:  # said when the picture was read
                return ()
            if own.pixels:
                return (draw_picture(own, width, height, mirror=element.mirror),)
            return (draw_silhouette(own, width, height, self._ink(element.ink), rim, element.line, element.mirror),)
        if name not in SHAPES:
            message = f"there is no icon {name!r}{_known(name, SHAPES)}"
            self.report.add(ICON_UNKNOWN, self._place_of(element.icon), message)
            return ()
        return (draw_icon(name, width, height, self._ink(element.ink), rim, element.line, element.mirror),)

    def _picture(self, element: PictureMark) -> tuple[Mark, ...]:
        name = self._fill(element.picture, element.optional)
        if not name:
            return ()
        own = self.style.artwork.pictures.get(name)
        if own is None:
            if not name.casefold().endswith(FILE_ENDINGS):
                message = f"{name!r} is no picture file: its name must end in {', '.join(FILE_ENDINGS)}"
                self.report.add(ICON_UNKNOWN, self._place_of(element.picture), message)
            return ()
        width, height = element.size[0] * self.size.width, element.size[1] * self.size.height
        fill = element.fit == "fill"
        if fill and self.bleed:  # a picture that reaches an edge runs over it, evenly on all sides
            x, y = element.at[0] * self.size.width, element.at[1] * self.size.height
            edges = (x - width / 2, y - height / 2, self.size.width - x - width / 2, self.size.height - y - height / 2)
            if min(edges) <= _EDGE:
                width, height = width + 2 * self.bleed, height + 2 * self.bleed
        return (draw_picture(own, width, height, fill, element.mirror),)

    def _font(self, name: str) -> Font:
        own = self.style.artwork.fonts.get(name)
        if own is not None:
            return font_from_bytes(own, name)
        return load_font("sans" if name in self.style.fonts else name)  # a font that failed was said on reading

    def _text(self, element: Text) -> tuple[Mark, ...]:
        text = self._fill(element.text, element.optional)
        if not text or not text.strip():
            return ()
        text = text.upper() if element.upper else text
        where = self._place_of(element.text)
        font = self._font(element.font)
        for ch in missing_glyphs(text.replace("\n", " "), font):
            message = f"font {element.font} has no {ch!r} (U+{ord(ch):04X})"
            self.report.add(GLYPH_MISSING, where, message)
        width, height = element.box[0] * self.size.width, element.box[1] * self.size.height
        setting = wrap_lines if element.wrap else fit_lines
        lines, size = setting(text, element, width, height, element.size * self.size.height, font)
        if size < element.least:
            size = element.least
            message = f"{_shown(text)!r} does not fit {width:.1f} x {height:.1f} mm"
            if element.lines > 1:
                message += f" on {element.lines} lines"
            self.report.add(TEXT_TOO_LONG, where, message)
            if element.wrap:
                lines = broken_at(text, element, width / size, font)
        step = element.leading * size
        x = {"start": -width / 2, "middle": 0.0, "end": width / 2}[element.anchor]
        high, drop = font.cap_height * size, step * (len(lines) - 1)
        y = {"top": high - height / 2, "middle": (high - drop) / 2, "bottom": height / 2 - drop}[element.rise]
        data = lines_data(tuple(lines), font, size, x, y, step, element.anchor, element.spacing)
        halo = self._colour(element.halo)
        rim = (Path(data, Paint(stroke=halo, width=2 * element.halo_line, join="round")),) if halo else ()
        return (*rim, Path(data, Paint(fill=self._ink(element.ink))))


def _shown(text: str) -> str:
    words = " ".join(text.split())
    return words if len(words) <= 60 else words[:57] + "..."
