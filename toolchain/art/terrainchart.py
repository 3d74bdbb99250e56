"""The terrain chart as a panel: a line for each terrain, hexside and way, a column for each thing the rules say."""

from __future__ import annotations

from toolchain.art.effects import terrain_effects
from toolchain.art.key import key_rows
from toolchain.art.marks import Mark, Paint, Path, num, rectangle
from toolchain.art.panels import Panel, framed, wrapped
from toolchain.art.shapes import Floats
from toolchain.art.text import load_font, measure, outline
from toolchain.model.rulebook import Rulebook
from toolchain.model.warmap import WarMap
from toolchain.sources.decode.mapstyle import MapStyle

ROW, TEXT, NOTE, EDGE = 8.8, 3.2, 2.5, 5.0
LEAST = 15.0  # mm, of a column
PICTURE = 15.0


def chart_panel(warmap: WarMap, rules: Rulebook, style: MapStyle, corners: Floats) -> Panel | None:
    """Draw the terrain chart, or return None where the rules say nothing of terrain.

    corners: of a hex of radius 1, so that the swatches stand as the map's hexes do.
    """
    chart = terrain_effects(warmap, rules)
    pictures = key_rows(warmap, style, corners)
    rows = [r for r in chart.rows if (r.kind, r.name) in pictures]
    if not chart.columns or not rows:
        return None
    ink, cap = style.sheet.ink, load_font("sans").cap_height
    heads = [wrapped(words.capitalize(), "sans", NOTE, 22.0) for _, words in chart.columns]
    wide = []
    for i, head in enumerate(heads):
        said = [measure(t, "sans", NOTE) for t in head] + [measure(r.cells[i], "sans-bold", TEXT) for r in rows]
        wide.append(max(LEAST, max(said) + 3))
    groups = _runs([g for g, _ in chart.columns])
    for first, last, group in groups:  # a group's title needs its room too
        short = measure(group, "sans-bold", NOTE) + 3 - sum(wide[first:last])
        wide[first] += max(0.0, short)
    left = EDGE + PICTURE + max(measure(pictures[r.kind, r.name][0], "sans", TEXT) for r in rows) + 4
    starts = [left + sum(wide[:i]) for i in range(len(wide))]
    width = left + sum(wide) + EDGE
    top = 9.0 + 4.2 + max(len(h) for h in heads) * NOTE * 1.2
    marks: list[Mark] = [_text("TERRAIN CHART", "sans-bold", 3.6, EDGE, 7.6, ink, "start")]
    for first, last, group in groups:
        a, b = starts[first], starts[last - 1] + wide[last - 1]
        marks.append(_text(group, "sans-bold", NOTE, (a + b) / 2, 11.2, ink))
        marks.append(_rule(a + 1, b - 1, 12.2, ink))
    for x, w, lines in zip(starts, wide, heads, strict=True):
        for k, line in enumerate(lines):
            marks.append(_text(line, "sans", NOTE, x + w / 2, 15.4 + k * NOTE * 1.2, ink))
    y = top + 2.0
    kind = ""
    for n, row in enumerate(rows):
        title, draw = pictures[row.kind, row.name]
        if kind and row.kind != kind:
            marks.append(_rule(EDGE, width - EDGE, y, ink))
        kind = row.kind
        if n % 2 == 0:
            band = Paint(fill=style.panels.edge, fill_opacity=0.06)
            marks.append(Path(rectangle(EDGE - 1, y, width - 2 * EDGE + 2, ROW), band))
        base = y + ROW / 2 + cap * TEXT / 2
        marks += draw(EDGE + 6.2, y + ROW / 2)
        marks.append(_text(title, "sans", TEXT, EDGE + PICTURE, base, ink, "start"))
        for x, w, cell in zip(starts, wide, row.cells, strict=True):
            marks.append(_text(cell or "–", "sans-bold" if cell else "sans", TEXT, x + w / 2, base, ink))
        y += ROW
    y += 1.5
    for note in chart.notes:
        for line in wrapped(note, "sans", NOTE, width - 2 * EDGE):
            y += NOTE * 1.3
            marks.append(_text(line, "sans", NOTE, EDGE, y, ink, "start"))
    return framed(width, y + 4.0, marks, style)


def _runs(groups: list[str]) -> list[tuple[int, int, str]]:
    """Return where each run of equal words begins and ends."""
    cuts = [i for i in range(len(groups)) if i == 0 or groups[i] != groups[i - 1]]
    return [(a, b, groups[a]) for a, b in zip(cuts, [*cuts[1:], len(groups)], strict=True)]


def _text(text: str, font: str, size: float, x: float, y: float, ink: str, anchor: str = "middle") -> Mark:
    return Path(outline(text, font, size, x, y, "start" if anchor == "start" else "middle"), Paint(fill=ink))


def _rule(a: float, b: float, y: float, ink: str) -> Mark:
    return Path(f"M{num(a)} {num(y)}L{num(b)} {num(y)}", Paint(stroke=ink, width=0.15, opacity=0.6))
