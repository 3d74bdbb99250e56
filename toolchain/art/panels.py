"""Boxes off the map, and the sheet's furniture: title, scale, key, credits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.art.links import is_near, link_style
from toolchain.art.marks import Group, Mark, Paint, Path, polygon, polyline, rectangle, shifted
from toolchain.art.shapes import Floats
from toolchain.art.text import fit, load_font, measure, outline
from toolchain.model.warmap import Space, WarMap
from toolchain.sources.decode.mapstyle import MapStyle

FEW = 4  # spaces that a box names of those it leads to, when there are many
CELL = 4.0  # mm; how finely a quiet place is looked for


@dataclass(frozen=True)
class Panel:
    """A piece of furniture of a known size, drawn from its upper left corner at (0, 0)."""

    width: float
    height: float
    marks: tuple[Mark, ...]


def box_marks(warmap: WarMap, spaces: Sequence[Space], style: MapStyle, pitch: float) -> Group:
    """Draw boxes as panels with a title, small ones as plain cells; those of tracks are drawn with their track."""
    marks: list[Mark] = []
    for s in spaces:
        if s.kind == "box" and len(s.outline) > 2 and "track" not in s.traits:
            xs, ys = zip(*s.outline, strict=True)
            marks += _box(
                s, min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys), _leads(warmap, s, style, pitch), style
            )
    return Group(tuple(marks), layer="Boxes")


def _leads(warmap: WarMap, s: Space, style: MapStyle, pitch: float) -> list[tuple[str, list[str]]]:
    """Return where links from a space lead that are not drawn, by the title of the kind of link."""
    titles = {e.name: e.title or e.name for e in warmap.legend if e.kind == "link"}
    out: dict[str, list[str]] = {}
    for link in warmap.links:
        other = link.b if link.a == s.key else (link.a if link.b == s.key and not link.one_way else "")
        there = warmap.by_key.get(other)
        if there is None or (is_near(s, there, pitch) and link_style(style, link.kind).draw != "none"):
            continue
        words = out.setdefault(titles.get(link.kind, link.kind), [])
        if (there.name or there.key) not in words:
            words.append(there.name or there.key)
    return [(title, _few(sorted(words))) for title, words in sorted(out.items())]


def _few(words: list[str]) -> list[str]:
    """Shorten a list that nobody would read to its first ones and a count."""
    return words if len(words) <= FEW + 2 else [*words[:FEW], f"and {len(words) - FEW} more"]


def _box(
    s: Space, x: float, y: float, w: float, h: float, leads: list[tuple[str, list[str]]], style: MapStyle
) -> list[Mark]:
    panel = style.panels
    edge = Paint(fill=panel.fill, stroke=panel.edge, width=0.5)
    title = s.name or s.key
    small = min(w, h) < 32
    if small:
        size = fit(title, "condensed", min(3.6, h * 0.22), w - 2.4) or 2.0
        return [
            Path(rectangle(x, y, w, h, 1.2), edge),
            Path(outline(title, "condensed", size, x + w / 2, y + 1.2 + size * 0.75), Paint(fill=panel.head)),
        ]
    head = min(9.0, h * 0.18)
    size = fit(title.upper(), "sans-bold", head * 0.62, w - 6, spacing=0.06) or 2.0
    cap = load_font("sans-bold").cap_height
    marks: list[Mark] = [
        Path(rectangle(x + 0.9, y + 1.1, w, h, 2.2), Paint(fill=style.sheet.ink, fill_opacity=0.18)),
        Path(rectangle(x, y, w, h, 2.2), Paint(fill=panel.fill)),
        Group((Path(rectangle(x, y, w, head), Paint(fill=panel.head)),), clip=rectangle(x, y, w, h, 2.2)),
        Path(
            outline(title.upper(), "sans-bold", size, x + w / 2, y + head / 2 + cap * size / 2, spacing=0.06),
            Paint(fill=panel.head_ink),
        ),
        Path(rectangle(x, y, w, h, 2.2), Paint(stroke=panel.edge, width=0.6)),
        Path(
            rectangle(x + 1.3, y + head + 1.1, w - 2.6, h - head - 2.4, 1.2),
            Paint(stroke=panel.edge, width=0.15, opacity=0.6),
        ),
    ]
    # Where its links lead, in small type along the lower edge, upward as far as a third of the box.
    lines = [line for heading, words in leads for line in wrapped(f"{heading}: {', '.join(words)}", "sans", 2.5, w - 7)]
    most = max(1, int((h - head) / 3 / 3.1))
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1].rstrip(", ") + " …"]
    for i, line in enumerate(reversed(lines)):
        marks.append(
            Path(
                outline(line, "sans", 2.5, x + w / 2, y + h - 2.8 - i * 3.1), Paint(fill=style.sheet.ink, opacity=0.85)
            )
        )
    return marks


def wrapped(text: str, font: str, size: float, width: float) -> list[str]:
    """Break text into lines between its words, each at most so wide where words allow."""
    lines: list[str] = []
    for part in text.split(" "):
        if lines and measure(f"{lines[-1]} {part}", font, size) <= width:
            lines[-1] += " " + part
        else:
            lines.append(part)
    return lines


def title_panel(warmap: WarMap, title: str, style: MapStyle, pitch: float) -> Panel:
    """Set the title with its subtitle and the scale bar."""
    ink = style.sheet.ink
    head, _, tail = title.partition(": ")
    tail = style.panels.subtitle or tail
    size = 13.0
    rows: list[Mark] = []
    words = wrapped(head.upper(), "serif-bold", size, 150)
    below = wrapped(tail, "serif-italic", 5.2, 150) if tail else []
    width = 18 + max(
        70.0,
        *(measure(w, "serif-bold", size, 0.08) for w in words),
        *(measure(w, "serif-italic", 5.2) for w in below),
    )
    y = 6.0
    for line in words:
        y += size * 0.78
        rows.append(Path(outline(line, "serif-bold", size, width / 2, y, spacing=0.08), Paint(fill=ink)))
        y += 3.2
    for line in below:
        y += 4.2
        rows.append(Path(outline(line, "serif-italic", 5.2, width / 2, y), Paint(fill=ink)))
        y += 2.0
    y += 0.8
    half = width / 2
    rule = y + 1.6
    diamond = polygon([(half, rule - 1), (half + 2.2, rule), (half, rule + 1), (half - 2.2, rule)])
    rows.append(Path(polyline([(half - 22, rule), (half + 22, rule)]), Paint(stroke=ink, width=0.2)))
    rows.append(Path(diamond, Paint(fill=style.panels.accent)))
    y += 4.2
    if style.scale is not None:
        bar, height = _scale_bar(style, pitch, half, y)
        rows += bar
        y += height
    return framed(width, y + 4.0, rows, style)


def _scale_bar(style: MapStyle, pitch: float, middle: float, y: float) -> tuple[list[Mark], float]:
    """Draw a bar of four round steps, at most 80 mm long."""
    assert style.scale is not None
    ink, per_mm = style.sheet.ink, style.scale.per_hex / pitch
    longest = 20 * per_mm  # of a quarter of the bar
    power = 10 ** math.floor(math.log10(longest))
    step = max(m * power for m in (1, 2, 2.5, 5) if m * power <= longest)
    length = 4 * step / per_mm
    x0 = middle - length / 2
    marks: list[Mark] = []
    for i in range(4):
        fill = ink if i % 2 == 0 else style.panels.fill
        marks.append(
            Path(rectangle(x0 + i * length / 4, y + 3.4, length / 4, 1.2), Paint(fill=fill, stroke=ink, width=0.15))
        )
    for i in range(5):
        label = f"{i * step:g}" + (f" {style.scale.unit}" if i == 4 else "")
        marks.append(Path(outline(label, "sans", 2.7, x0 + i * length / 4, y + 2.4), Paint(fill=ink)))
    note = f"One hex is {style.scale.per_hex:g} {style.scale.unit} across"
    marks.append(Path(outline(note, "serif-italic", 3.2, middle, y + 8.6), Paint(fill=ink)))
    return marks, 8.6


def framed(width: float, height: float, marks: Sequence[Mark], style: MapStyle) -> Panel:
    """Set marks in a double frame with a shadow."""
    panel = style.panels
    frame: list[Mark] = [
        Path(rectangle(0.9, 1.1, width, height, 1.6), Paint(fill=style.sheet.ink, fill_opacity=0.18)),
        Path(rectangle(0, 0, width, height, 1.6), Paint(fill=panel.fill, stroke=panel.edge, width=0.6)),
        Path(rectangle(1.3, 1.3, width - 2.6, height - 2.6, 0.9), Paint(stroke=panel.edge, width=0.18)),
    ]
    return Panel(width, height, (*frame, *marks))


@dataclass(frozen=True)
class Quiet:
    """How much each little cell of the sheet is worth keeping free, as sums from the upper left corner."""

    x0: float
    y0: float
    sums: Floats

    @classmethod
    def over(cls, frame: BaseGeometry, costs: Sequence[tuple[BaseGeometry, float]]) -> Quiet:
        """Lay cells over the frame and add the cost of whatever lies on their middles."""
        x0, y0, x1, y1 = frame.bounds
        nx, ny = int((x1 - x0) / CELL), int((y1 - y0) / CELL)
        px, py = np.meshgrid(x0 + (np.arange(nx) + 0.5) * CELL, y0 + (np.arange(ny) + 0.5) * CELL)
        total = np.zeros((ny, nx))
        for area, cost in costs:
            if not area.is_empty:
                shapely.prepare(area)
                total += shapely.contains_xy(area, px, py) * cost
        sums = np.zeros((ny + 1, nx + 1))
        sums[1:, 1:] = total.cumsum(0).cumsum(1)
        return cls(x0, y0, sums)

    def place(self, panel: Panel, gap: float) -> tuple[float, float, float] | None:
        """Find the cheapest upper left corner for a panel, near the edges first; also return what it costs."""
        w, h = math.ceil((panel.width + 2 * gap) / CELL), math.ceil((panel.height + 2 * gap) / CELL)
        ny, nx = self.sums.shape[0] - 1, self.sums.shape[1] - 1
        if w > nx or h > ny:
            return None
        s = self.sums
        cost = s[h:, w:] - s[:-h, w:] - s[h:, :-w] + s[:-h, :-w]
        r, c = np.indices(cost.shape)
        inward = np.minimum(r, ny - h - r) + np.minimum(c, nx - w - c)
        i = int(np.argmin(cost + inward * 0.3))
        row, column = divmod(i, cost.shape[1])
        slack_x, slack_y = w * CELL - panel.width, h * CELL - panel.height
        return self.x0 + column * CELL + slack_x / 2, self.y0 + row * CELL + slack_y / 2, float(cost[row, column])


def moved(panel: Panel, x: float, y: float) -> Group:
    """Set a panel down with its upper left corner at (x, y)."""
    return Group(panel.marks, shifted(x, y))
