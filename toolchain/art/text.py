"""Turn text into outlines: the same letters in every browser, printer and renderer, with no font needed there.

Sizes are em sizes in millimetres; y runs down and the baseline lies at y. Pairs are kerned by the font's own table.
Ligatures, right-to-left and stacked scripts are not shaped.
"""

from __future__ import annotations

import io
import math
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal

from fontTools.ttLib import TTFont

from toolchain.art.paths import Command, Point, Recorder, write_path

Anchor = Literal["start", "middle", "end"]

FONT_FILES = {
    "sans": "BarlowSemiCondensed-Medium.ttf",
    "sans-bold": "BarlowSemiCondensed-Bold.ttf",
    "condensed": "BarlowCondensed-SemiBold.ttf",
    "serif": "EBGaramond-Medium.ttf",
    "serif-italic": "EBGaramond-MediumItalic.ttf",
    "serif-bold": "EBGaramond-Bold.ttf",
}


@dataclass(frozen=True)
class Glyph:
    """One letter in font units, y up: drawing commands with their points, and how far the pen moves on."""

    advance: float
    commands: tuple[Command, ...]


@dataclass(frozen=True, eq=False)
class Font:
    """A font ready to be drawn. cap_height and x_height are shares of the size, for optical centring."""

    name: str
    cap_height: float
    x_height: float
    _units: float
    _cmap: dict[int, str]
    _glyph_set: Any
    _pair: Callable[[str, str], float]
    _glyphs: dict[str, Glyph] = field(default_factory=dict)
    _pairs: dict[tuple[str, str], float] = field(default_factory=dict)

    def covers(self, character: str) -> bool:
        """Tell whether the font can draw this character."""
        return ord(character) in self._cmap

    def glyph(self, name: str) -> Glyph:
        """Return a glyph by its name in the font."""
        if name not in self._glyphs:
            pen = Recorder(self._glyph_set)
            try:
                self._glyph_set[name].draw(pen)
                width = self._glyph_set[name].width
            except Exception:  # a stranger's font with damaged outlines makes fontTools raise almost anything
                pen.commands, width = [], self._units / 2
            self._glyphs[name] = Glyph(width / self._units, _scaled(pen.commands, self._units))
        return self._glyphs[name]

    def layout(self, text: str, size: float, spacing: float = 0.0) -> tuple[list[tuple[float, Glyph]], float]:
        """Place the glyphs of one line from x = 0: each with its x in mm, and the width of the whole in mm.

        spacing: further room between letters, as a share of the size. An unknown character is drawn as the font's
        own box for it.
        """
        placed: list[tuple[float, Glyph]] = []
        x, previous = 0.0, ""
        for ch in unicodedata.normalize("NFC", text):
            name = self._cmap.get(ord(ch), ".notdef")
            if previous:
                pair = (previous, name)
                if pair not in self._pairs:
                    self._pairs[pair] = self._pair(*pair) / self._units
                x += (self._pairs[pair] + spacing) * size
            glyph = self.glyph(name)
            placed.append((x, glyph))
            x += glyph.advance * size
            previous = name
        return placed, x


@cache
def load_font(name: str) -> Font:
    """Load a bundled font by its short name: sans, sans-bold, condensed, serif, serif-italic, serif-bold."""
    return font_from_file(Path(__file__).parent / "fonts" / FONT_FILES[name], name)


@lru_cache(maxsize=32)
def font_from_bytes(data: bytes, name: str) -> Font:
    """Read a designer's own font; raises as `font_from_file`."""
    return font_from_file(io.BytesIO(data), name)


def font_from_file(path: Path | io.BytesIO, name: str) -> Font:
    """Read a TrueType or OpenType font; raises fontTools.ttLib.TTLibError for a file that is none."""
    source = TTFont(path, lazy=True)
    units = float(source["head"].unitsPerEm)
    os2 = source.get("OS/2")
    return Font(
        name,
        cap_height=(getattr(os2, "sCapHeight", 0) or 0.7 * units) / units,
        x_height=(getattr(os2, "sxHeight", 0) or 0.5 * units) / units,
        _units=units,
        _cmap=source.getBestCmap() or {},
        _glyph_set=source.getGlyphSet(),
        _pair=_pair_kerning(source),
    )


def outline(
    text: str, font: str | Font, size: float, x: float, y: float, anchor: Anchor = "middle", spacing: float = 0.0
) -> str:
    """Write one line of text as path data, its baseline at y and its start, middle or end at x (mm).

    Fill it without a stroke and with the non-zero rule. spacing: room between letters as a share of the size.
    """
    placed, width = _font(font).layout(text, size, spacing)
    left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
    return "".join(write_path(glyph.commands, (size, 0.0, 0.0, -size, left + dx, y)) for dx, glyph in placed)


def outline_along(
    text: str,
    font: str | Font,
    size: float,
    line: Sequence[Point],
    anchor: Anchor = "middle",
    spacing: float = 0.0,
    lift: float = 0.0,
    upright: bool = True,
) -> str:
    """Write text along a line of points (mm), its baseline on the line, each letter turned to the line's run.

    lift: how far the baseline lies above the line, mm. upright: turn the line round where the text would stand on
    its head. Text longer than the line runs straight on beyond its ends.
    """
    points = [(float(px), float(py)) for px, py in line]
    if upright and len(points) > 1 and points[-1][0] < points[0][0]:
        points.reverse()
    at, length = _walker(points)
    placed, width = _font(font).layout(text, size, spacing)
    start = {"start": 0.0, "middle": (length - width) / 2, "end": length - width}[anchor]
    out = []
    for dx, glyph in placed:
        half = glyph.advance * size / 2
        middle = start + dx + half
        reach = max(half, size * 0.35)  # a chord longer than a thin letter, or letters would jitter at each bend
        (x0, y0), (x1, y1) = at(middle - reach), at(middle + reach)
        along = math.hypot(x1 - x0, y1 - y0) or 1.0
        c, s = (x1 - x0) / along, (y1 - y0) / along
        mx, my = at(middle)
        out.append(
            write_path(
                glyph.commands,
                (size * c, size * s, size * s, -size * c, mx - half * c + lift * s, my - half * s - lift * c),
            )
        )
    return "".join(out)


def measure(text: str, font: str | Font, size: float, spacing: float = 0.0) -> float:
    """Return the width of one line of text in mm."""
    return _font(font).layout(text, size, spacing)[1]


def ink(text: str, font: str | Font, size: float, spacing: float = 0.0) -> tuple[float, float, float, float]:
    """Return the box of the ink itself: left, top, right, bottom in mm from the start of the baseline (y down).

    Control points bound it, so that curves without points at their extremes give a slightly larger box.
    """
    placed, _ = _font(font).layout(text, size, spacing)
    xs = [dx + px * size for dx, g in placed for _, pts in g.commands for px, _ in pts]
    ys = [-py * size for _, g in placed for _, pts in g.commands for _, py in pts]
    return (min(xs), min(ys), max(xs), max(ys)) if xs else (0.0, 0.0, 0.0, 0.0)


def fit(
    text: str, font: str | Font, size: float, max_width: float, least_size: float = 0.0, spacing: float = 0.0
) -> float | None:
    """Return the largest size up to this one at which the text is no wider than max_width; None below least_size."""
    width = measure(text, font, size, spacing)
    if width > max_width:
        size *= max_width / width
    return size if size >= least_size and size > 0 else None


def missing_glyphs(text: str, font: str | Font) -> tuple[str, ...]:
    """Return the characters that the font cannot draw, each once, in the order of the text."""
    known = _font(font)
    return tuple(dict.fromkeys(ch for ch in unicodedata.normalize("NFC", text) if not known.covers(ch)))


def _font(font: str | Font) -> Font:
    return load_font(font) if isinstance(font, str) else font


def _scaled(commands: list[Command], units: float) -> tuple[Command, ...]:
    return tuple((op, tuple((x / units, y / units) for x, y in pts)) for op, pts in commands)


def _walker(points: Sequence[Point]) -> tuple[Callable[[float], Point], float]:
    """Return where a line is after so many millimetres, running straight on beyond both ends, and its length."""
    kept = [p for i, p in enumerate(points) if i == 0 or p != points[i - 1]]
    if len(kept) < 2:
        x, y = kept[0] if kept else (0.0, 0.0)
        return (lambda s: (x + s, y)), 0.0
    marks = [0.0]
    for (x0, y0), (x1, y1) in pairwise(kept):
        marks.append(marks[-1] + math.hypot(x1 - x0, y1 - y0))

    def at(s: float) -> Point:
        i = min(max(bisect_right(marks, s) - 1, 0), len(kept) - 2)
        t = (s - marks[i]) / (marks[i + 1] - marks[i])
        (x0, y0), (x1, y1) = kept[i], kept[i + 1]
        return x0 + (x1 - x0) * t, y0 + (y1 - y0) * t

    return at, marks[-1]


def _pair_kerning(source: Any) -> Callable[[str, str], float]:
    """Return the look-up of pair kerning in font units (OpenType GPOS, feature kern, default language of Latin)."""
    if "GPOS" not in source:
        return lambda left, right: 0.0
    gpos = source["GPOS"].table
    scripts = {r.ScriptTag: r.Script for r in gpos.ScriptList.ScriptRecord} if gpos.ScriptList else {}
    script = scripts.get("latn") or scripts.get("DFLT")
    if script is None or script.DefaultLangSys is None:
        return lambda left, right: 0.0
    records = [gpos.FeatureList.FeatureRecord[i] for i in script.DefaultLangSys.FeatureIndex]
    wanted = sorted({i for r in records if r.FeatureTag == "kern" for i in r.Feature.LookupListIndex})
    lookups = []
    for i in wanted:
        tables = [getattr(t, "ExtSubTable", t) for t in gpos.LookupList.Lookup[i].SubTable]
        lookups.append([(set(t.Coverage.glyphs), t) for t in tables if t.LookupType == 2])

    def pair(left: str, right: str) -> float:
        total = 0.0
        for tables in lookups:
            for covered, table in tables:
                if left not in covered:
                    continue
                if table.Format == 1:
                    first = table.Coverage.glyphs.index(left)
                    hits = [r.Value1 for r in table.PairSet[first].PairValueRecord if r.SecondGlyph == right]
                    if not hits:
                        continue  # the next table of the same lookup may hold the pair
                    value = hits[0]
                else:
                    first = table.ClassDef1.classDefs.get(left, 0)
                    second = table.ClassDef2.classDefs.get(right, 0)
                    value = table.Class1Record[first].Class2Record[second].Value1
                total += getattr(value, "XAdvance", 0) if value else 0
                break
        return total

    return pair
