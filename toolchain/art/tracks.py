"""Tracks on the map sheet: one panel with its title and numbered boxes, or boxes along a line."""

from __future__ import annotations

from collections.abc import Sequence

from toolchain.art.marks import Group, Mark, Paint, Path, num, polyline, rectangle
from toolchain.art.text import fit, load_font, measure, outline
from toolchain.model.warmap import Point, Space, Track, WarMap
from toolchain.sources.decode.mapstyle import MapStyle

CORNER = 2.0
NUMBER = 0.42  # height of a number, as a share of the box
WORDS = 3.4  # mm, the largest type of a label of words


def track_marks(warmap: WarMap, sheet: str, style: MapStyle) -> Group:
    """Draw the tracks of a sheet. Numbers stand large and pale in their boxes, words along the upper edge."""
    marks: list[Mark] = []
    for track in warmap.tracks:
        if track.sheet == sheet:
            cells = [warmap.by_key[k] for k in track.spaces]
            marks += _panel(track, cells, style) if track.outline else _road(track, cells, style)
            marks += _labels(cells, track.labels, style)
    return Group(tuple(marks), layer="Tracks")


def _panel(track: Track, cells: Sequence[Space], style: MapStyle) -> list[Mark]:
    panel = style.panels
    (x, y), (w, h) = track.outline[0], _size(track.outline)
    head = min(c.outline[0][1] for c in cells) - y
    cap = load_font("sans-bold").cap_height
    title = track.title.upper()
    size = fit(title, "sans-bold", head * 0.52, w - 5, spacing=0.06) or 2.0
    marks: list[Mark] = [
        Path(rectangle(x + 0.9, y + 1.1, w, h, CORNER), Paint(fill=style.sheet.ink, fill_opacity=0.18)),
        Path(rectangle(x, y, w, h, CORNER), Paint(fill=panel.fill)),
        Group((Path(rectangle(x, y, w, head - 0.6), Paint(fill=panel.head)),), clip=rectangle(x, y, w, h, CORNER)),
        Path(
            outline(title, "sans-bold", size, x + w / 2, y + (head - 0.6 + cap * size) / 2, spacing=0.06),
            Paint(fill=panel.head_ink),
        ),
        Path(rectangle(x, y, w, h, CORNER), Paint(stroke=panel.edge, width=0.6)),
    ]
    return marks + [_box(c, style) for c in cells]


def _road(track: Track, cells: Sequence[Space], style: MapStyle) -> list[Mark]:
    """Draw the boxes of a track along a line, joined by it, with the title over the first."""
    panel = style.panels
    marks: list[Mark] = [
        Path(polyline([c.at for c in cells]), Paint(stroke=panel.edge, width=1.2, join="round", cap="round"))
    ]
    for c in cells:
        (x, y), (w, h) = c.outline[0], _size(c.outline)
        marks += [Path(rectangle(x, y, w, h, 1.0), Paint(fill=panel.fill)), _box(c, style)]
    (x, y), _ = cells[0].outline[0], None
    wide = measure(track.title, "sans-bold", 3.2)
    marks += [
        Path(rectangle(x, y - 5.2, wide + 3, 4.6, 0.8), Paint(fill=panel.head)),
        Path(outline(track.title, "sans-bold", 3.2, x + 1.5, y - 1.75, "start"), Paint(fill=panel.head_ink)),
    ]
    return marks


def _box(cell: Space, style: MapStyle) -> Mark:
    (x, y), (w, h) = cell.outline[0], _size(cell.outline)
    return Path(rectangle(x, y, w, h, 0.8), Paint(stroke=style.panels.edge, width=0.25))


def _labels(cells: Sequence[Space], labels: Sequence[str], style: MapStyle) -> list[Mark]:
    """Write the labels of a track: numbers large and pale in one size, words in one size, however short."""
    said = [(*c.outline[0], *_size(c.outline), label) for c, label in zip(cells, labels, strict=True) if label]
    short = all(len(label) <= 3 for *_, label in said)
    signs = [s for s in said if len(s[-1]) <= 3 and (short or not any(ch.isalpha() for ch in s[-1]))]
    words = [(x, y, w, _lines(label, w - 1.6)) for x, y, w, h, label in said if (x, y, w, h, label) not in signs]
    marks: list[Mark] = []
    if signs:
        cap = load_font("sans-bold").cap_height
        size = min(fit(label, "sans-bold", h * NUMBER / cap, w - 3) or 2.0 for _, _, w, h, label in signs)
        for x, y, w, h, label in signs:
            data = outline(label, "sans-bold", size, x + w / 2, y + h / 2 + cap * size / 2)
            marks.append(Path(data, Paint(fill=style.sheet.ink, opacity=0.32)))
    if words:
        size = min(fit(line, "condensed", WORDS, w - 1.6) or 1.8 for _, _, w, lines in words for line in lines)
        below = size * (0.95 * max(len(lines) for *_, lines in words) + 0.15)
        for x, y, w, lines in words:
            # Words stay readable beside a marker: they keep to the upper edge, with a rule under them.
            for i, line in enumerate(lines):
                data = outline(line, "condensed", size, x + w / 2, y + 1.0 + size * (0.75 + 0.95 * i))
                marks.append(Path(data, Paint(fill=style.sheet.ink)))
            rule = f"M{num(x + 1)} {num(y + 1.0 + below)}L{num(x + w - 1)} {num(y + 1.0 + below)}"
            marks.append(Path(rule, Paint(stroke=style.panels.edge, width=0.15, opacity=0.6)))
    return marks


def _lines(label: str, width: float) -> list[str]:
    """Set a label in one line, or in the two most even ones where one would be too small."""
    words = label.split()
    if len(words) < 2 or measure(label, "condensed", WORDS) <= width:
        return [label]
    broken = [(" ".join(words[:i]), " ".join(words[i:])) for i in range(1, len(words))]
    return list(min(broken, key=lambda pair: max(measure(line, "condensed", WORDS) for line in pair)))


def _size(outline_: Sequence[Point]) -> tuple[float, float]:
    xs, ys = zip(*outline_, strict=True)
    return max(xs) - min(xs), max(ys) - min(ys)
