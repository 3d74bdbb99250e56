"""Text from shared letters: each letter of a font is drawn once and placed many times, so that names cost little."""

from __future__ import annotations

import unicodedata

from toolchain.art.marks import Group, Mark, Paint, Path, Use
from toolchain.art.text import Anchor, load_font, outline

DRAWN_AT = 10.0  # mm; the size at which a letter is stored, which keeps its curves exact to a micrometre


class Letters:
    """The letters used so far on one page, as symbols by name.

    prefix: of the names, so that a drawing laid over another keeps its own letters.
    """

    def __init__(self, prefix: str = "letter") -> None:
        self._prefix = prefix
        self.symbols: dict[str, Group] = {}
        self._inks: dict[tuple[str, Paint], int] = {}

    def line(
        self, text: str, font: str, size: float, x: float, y: float, paint: Paint, anchor: Anchor = "middle"
    ) -> list[Mark]:
        """Set one line of text; the marks draw its letters. Arguments as for `text.outline`.

        paint: of the letters. A stroke's width is meant for letters of DRAWN_AT mm and shrinks with the size.
        """
        text = unicodedata.normalize("NFC", text)
        placed, width = load_font(font).layout(text, size)
        left = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
        ink = self._inks.setdefault((font, paint), len(self._inks) + 1)
        marks: list[Mark] = []
        for ch, (dx, glyph) in zip(text, placed, strict=True):
            if not glyph.commands:
                continue
            name = f"{self._prefix} {ink} {ord(ch):x}"
            if name not in self.symbols:
                self.symbols[name] = Group((Path(outline(ch, font, DRAWN_AT, 0.0, 0.0, "start"), paint),))
            scale = size / DRAWN_AT
            marks.append(Use(name, (scale, 0.0, 0.0, scale, left + dx, y)))
        return marks
