"""Charts and tracks from a table: what stands beside the map, in the type of the counters."""

from __future__ import annotations

import re

from toolchain.art.icons import SHAPES, draw_icon
from toolchain.art.marks import Group, Mark, Page, Paint, Path, rectangle, shifted
from toolchain.art.setting import fit_lines
from toolchain.art.text import Anchor, Font, font_from_bytes, load_font, measure, missing_glyphs, outline
from toolchain.catalogue import CHART_EMPTY, GLYPH_MISSING, ICON_UNKNOWN, TEXT_TOO_LONG
from toolchain.model.artwork import Grid
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode.style import Chart, Style, Text

MARGIN, TITLE, NOTE = 3.0, 8.0, 5.0
LEAST = 1.6  # smallest em, mm
SHARE = 0.55  # of the height of a row, the largest type
WHITE = "#ffffff"


def build_chart(name: str, style: Style, report: Report) -> Page | None:
    """Draw one chart or track of a style; None, with a finding, when its table has nothing to draw."""
    chart, table = style.charts[name], style.artwork.tables.get(name)
    if table is None:  # said when it was read
        return None
    if not table.rows:
        report.add(CHART_EMPTY, Location(table.file), "the table has no rows")
        return None
    if chart.draw == "track" and "text" not in table.columns:
        near = did_you_mean("text", table.columns)
        report.add(CHART_EMPTY, Location(table.file, 1), f"a track needs a column 'text'{near}")
        return None
    drawing = _Chart(chart, table, style, report)
    return drawing.chart() if chart.draw == "chart" else drawing.track()


class _Chart:
    """One chart while it is drawn."""

    def __init__(self, chart: Chart, table: Grid, style: Style, report: Report) -> None:
        self.spec, self.table, self.style, self.report = chart, table, style, report
        own = style.artwork.fonts.get(chart.font)
        self.font: Font = font_from_bytes(own, chart.font) if own else load_font(chart.font)
        self.paper, self.ink, self.head, self.band = (
            self._colour(c) for c in (chart.paper, chart.ink, chart.head, chart.band)
        )
        self.top = MARGIN + (TITLE if chart.title else 0.0)
        self.marks: list[Mark] = []

    def chart(self) -> Page:
        """Draw the table: heads, then rows in two shades; columns as wide as their words ask for."""
        columns, row, inner = self.table.columns, self.spec.row, self.spec.width - 2 * MARGIN
        body = [cells for _, cells in self.table.rows]
        asked = [
            max(measure(t, self.font, row * 0.55) for t in (head, *(r[i] for r in body))) + row * 0.5
            for i, head in enumerate(columns)
        ]
        widths = [w * inner / sum(asked) for w in asked]
        lefts = [MARGIN + sum(widths[:i]) for i in range(len(widths))]
        whole = self.top + row * (1 + len(body))
        height = whole + MARGIN + (NOTE if self.spec.note else 0.0)
        self._ground(height)
        self._box(MARGIN, self.top, inner, row, self.head)
        places = range(len(columns))
        # Names and running words begin at the left; values stand in the middle.
        anchors: list[Anchor] = [
            "start" if not i or any(len(r[i].split()) > 2 for r in body) else "middle" for i in places
        ]
        for i, head in enumerate(columns):
            self._words(head, lefts[i], self.top, widths[i], row, WHITE, 1, head, anchors[i])
        # All cells of a column are in one size, that of the one that needs the smallest.
        sizes = [min((self._set(r[i], widths[i], row)[1] for r in body if r[i].strip()), default=row) for i in places]
        for n, (line, cells) in enumerate(self.table.rows):
            y = self.top + row * (n + 1)
            if n % 2:
                self._box(MARGIN, y, inner, row, self.band)
            for i, cell in enumerate(cells):
                self._words(
                    cell,
                    lefts[i],
                    y,
                    widths[i],
                    row,
                    self.ink,
                    line,
                    columns[i],
                    anchors[i],
                    min(SHARE, sizes[i] / row),
                )
        rules = [rectangle(MARGIN, self.top, inner, whole - self.top)]
        rules += [f"M{x:.3f} {self.top:.3f}L{x:.3f} {whole:.3f}" for x in lefts[1:]]
        self.marks.append(Path("".join(rules), Paint(stroke=self.head, width=0.2)))
        self._note(height)
        return Page(self.spec.width, height, tuple(self.marks), self.spec.title)

    def track(self) -> Page:
        """Draw a box for each row, in rows of so many."""
        (w, h), across = self.spec.cell, self.spec.across
        count = len(self.table.rows)
        width = 2 * MARGIN + w * min(across, count)
        height = self.top + h * -(-count // across) + MARGIN + (NOTE if self.spec.note else 0.0)
        self._ground(height, width)
        place = {c: i for i, c in enumerate(self.table.columns)}
        for n, (line, cells) in enumerate(self.table.rows):
            row, column = divmod(n, across)
            x, y = MARGIN + column * w, self.top + row * h
            self.marks.append(Path(rectangle(x, y, w, h), Paint(fill=self.paper, stroke=self.head, width=0.3)))

            def cell(name: str, cells: tuple[str, ...] = cells) -> str:
                return cells[place[name]] if name in place else ""

            icon = cell("icon")
            if icon and icon not in SHAPES:
                message = f"there is no icon {icon!r}{did_you_mean(icon, SHAPES)}"
                self.report.add(ICON_UNKNOWN, Location(self.table.file, line, "icon"), message)
            elif icon:
                drawn = draw_icon(icon, w * 0.5, h * 0.4, self.band)
                self.marks.append(Group((drawn,), shifted(x + w / 2, y + h * 0.56)))
            self._words(cell("text"), x, y + h * 0.04, w, h * 0.38, self.head, line, "text", "middle", 0.8)
            self._words(cell("note"), x, y + h * 0.62, w, h * 0.36, self.ink, line, "note", "middle", 0.42, 3)
        self._note(height)
        return Page(width, height, tuple(self.marks), self.spec.title)

    def _colour(self, name: str) -> str:
        found = self.style.colours.get(name, name)
        return found if re.fullmatch(r"#[0-9a-fA-F]{6}", found) else "#000000"

    def _ground(self, height: float, width: float = 0.0) -> None:
        self._box(0, 0, width or self.spec.width, height, self.paper)
        if self.spec.title:
            size = min(
                4.6, 4.6 * ((width or self.spec.width) - 2 * MARGIN) / measure(self.spec.title, "sans-bold", 4.6)
            )
            data = outline(self.spec.title, "sans-bold", size, MARGIN, MARGIN + 4.6, "start")
            self.marks.append(Path(data, Paint(fill=self.head)))

    def _note(self, height: float) -> None:
        if self.spec.note:
            data = outline(self.spec.note, "serif-italic", 3.0, MARGIN, height - MARGIN, "start")
            self.marks.append(Path(data, Paint(fill=self.ink)))

    def _box(self, x: float, y: float, width: float, height: float, fill: str) -> None:
        self.marks.append(Path(rectangle(x, y, width, height), Paint(fill=fill)))

    def _words(
        self,
        text: str,
        x: float,
        y: float,
        width: float,
        height: float,
        ink: str,
        line: int,
        column: str,
        anchor: Anchor,
        share: float = SHARE,
        most: int = 2,
    ) -> None:
        """Write words into a cell, from its left edge or into its middle."""
        if not text.strip():
            return
        where = Location(self.table.file, line, column)
        for ch in missing_glyphs(text.replace("\n", " "), self.font):
            self.report.add(GLYPH_MISSING, where, f"font {self.spec.font} has no {ch!r} (U+{ord(ch):04X})")
        pad = _pad(width)
        lines, size = self._set(text, width, height, share, most)
        if size < LEAST:
            size = LEAST
            self.report.add(TEXT_TOO_LONG, where, f"{text!r} does not fit {width - 2 * pad:.1f} x {height:.1f} mm")
        at = x + width / 2 if anchor == "middle" else x + pad
        base = y + (height + self.font.cap_height * size - size * (len(lines) - 1)) / 2
        data = "".join(outline(t, self.font, size, at, base + i * size, anchor) for i, t in enumerate(lines))
        self.marks.append(Path(data, Paint(fill=ink)))

    def _set(
        self, text: str, width: float, height: float, share: float = SHARE, most: int = 2
    ) -> tuple[list[str], float]:
        """Break a text into lines for a cell; also return the size of its type, mm, at most `share` of the height."""
        element = Text(draw="text", text="", size=1.0, lines=most)
        lines, size = fit_lines(text, element, width - 2 * _pad(width), height * 0.84, height * share, self.font)
        return list(lines), size


def _pad(width: float) -> float:
    return min(1.2, width * 0.08)
