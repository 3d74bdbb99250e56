"""A position over its map: who stands where, control, zones of control, supply lines, findings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import shapely

from toolchain.art.ground import hex_union
from toolchain.art.marks import Group, Mark, Page, Paint, Path, Use, circle, polyline, rectangle, shifted
from toolchain.art.shapes import geometry_path
from toolchain.art.text import load_font, measure, outline
from toolchain.model.position import Position
from toolchain.model.warmap import Space, WarMap

Point = tuple[float, float]

SIDE_INKS = ("#1f5fa8", "#b3261e", "#2e7d32", "#7b3fa0", "#b26a00", "#00707a")
PAPER, INK, ALARM = "#fbf7ec", "#1d1b18", "#d0021b"
STOPS = "where its line stops"
UNKNOWN_SIZE = (12.0, 12.0)  # of a counter that could not be drawn, mm
LIFT = 1.4  # how far each counter of a stack lies above and beside the one below, mm


@dataclass(frozen=True)
class Overlay:
    """What is drawn over the map besides the counters. Spaces are named by key.

    sides: titles by side, in the order of their colours. control, zones: spaces by side. lines: supply lines, each a
    chain of spaces from the unit to the source. stops: spaces where lines stop. stranded: spaces whose units are out of
    supply. faults: spaces with findings, and how many. title: of the position.
    """

    title: str = ""
    sides: Mapping[str, str] = field(default_factory=dict)
    control: Mapping[str, frozenset[str]] = field(default_factory=dict)
    zones: Mapping[str, frozenset[str]] = field(default_factory=dict)
    lines: Sequence[tuple[str, ...]] = ()
    stops: frozenset[str] = frozenset()
    stranded: frozenset[str] = frozenset()
    faults: Mapping[str, int] = field(default_factory=dict)

    def ink(self, side: str) -> str:
        """Return the colour of a side."""
        return SIDE_INKS[list(self.sides).index(side) % len(SIDE_INKS)]


def build_position_page(
    base: Page, warmap: WarMap, position: Position, faces: Mapping[str, Sequence[Page]], overlay: Overlay, sheet: str
) -> Page:
    """Draw a position over a sheet of its map.

    base: the sheet, best without furniture. faces: of every counter by id, the front first. Pieces in unknown spaces
    are left out. Returns a page of the size of the base.
    """
    spaces = {s.key: s for s in warmap.spaces if s.sheet == sheet}
    symbols = dict(base.symbols)
    counters = _counters(spaces, position, faces, symbols)
    layers = [
        Group(tuple(_areas(spaces, overlay)), layer="Control and zones"),
        Group(tuple(_lines(spaces, overlay)), layer="Supply lines under"),
        Group(tuple(counters), layer="Counters"),
        Group(tuple(_lines(spaces, overlay, over=True)), layer="Supply lines"),
        Group(tuple(_alarms(spaces, overlay)), layer="Findings"),
        _key(base, overlay),
    ]
    marks = (*base.marks, *(g for g in layers if g.marks))
    return replace(base, marks=marks, symbols=symbols, title=overlay.title or base.title)


def spread(ring: Sequence[Point], sizes: Sequence[Point], margin: float, head: float) -> list[Point]:
    """Lay pieces out inside a box in rows from the upper left, none over another while there is room.

    ring: outline of the box. sizes: width and height of every piece. margin: room left free at the edges; head: at the
    top; all in one unit. When the box is full, the rows close up until all fit, so that every piece still shows its
    edge. Returns the middle of every piece.
    """
    if not sizes:
        return []
    xs, ys = [x for x, _ in ring], [y for _, y in ring]
    wide, high = max(w for w, _ in sizes), max(h for _, h in sizes)
    width, height = max(xs) - min(xs) - 2 * margin, max(ys) - min(ys) - margin - max(head, margin)
    gap = wide / 10
    columns, rows = max(1, int((width + gap) / (wide + gap))), max(1, int((height + gap) / (high + gap)))
    step_x, step_y = wide + gap, high + gap
    if columns * rows < len(sizes):
        # Keep the box's proportions: as many more columns as rows, until all fit.
        while columns * rows < len(sizes):
            if (width - wide) / columns / wide >= (height - high) / rows / high:
                columns += 1
            else:
                rows += 1
        step_x = min(step_x, max(0.0, (width - wide) / max(1, columns - 1)))
        step_y = min(step_y, max(0.0, (height - high) / max(1, rows - 1)))
    left, top = min(xs) + margin + wide / 2, min(ys) + max(head, margin) + high / 2
    return [(left + i % columns * step_x, top + i // columns * step_y) for i in range(len(sizes))]


def _counters(
    spaces: Mapping[str, Space], position: Position, faces: Mapping[str, Sequence[Page]], symbols: dict[str, Group]
) -> list[Mark]:
    standing: dict[str, list[tuple[str, Page | None]]] = {}
    for piece in position.pieces:
        if piece.at in spaces:
            drawn = faces.get(piece.counter, ())
            page = drawn[min(piece.step, len(drawn) - 1)] if drawn else None
            standing.setdefault(piece.at, []).append((f"{piece.counter} {piece.step}", page))
    out: list[Mark] = []
    for key in (k for k in spaces if k in standing):
        space, stack = spaces[key], standing[key]
        sizes = [(p.width, p.height) if p else UNKNOWN_SIZE for _, p in stack]
        if space.kind == "box" and space.outline:
            places = spread(space.outline, sizes, 3.0, 11.0)
        else:
            back = LIFT * (len(stack) - 1) / 2
            places = [(space.at[0] - back + LIFT * i, space.at[1] + back - LIFT * i) for i in range(len(stack))]
        for (name, page), (width, height), (x, y) in zip(stack, sizes, places, strict=True):
            left, top = x - width / 2, y - height / 2
            out.append(Path(rectangle(left + 0.5, top + 0.5, width, height, 0.8), Paint(fill=INK, fill_opacity=0.35)))
            if page is None:
                out.append(Path(rectangle(left, top, width, height, 0.8), Paint(fill=PAPER, stroke=INK, width=0.2)))
            else:
                symbols.setdefault(name, Group(page.marks))
                out.append(Use(name, shifted(left, top)))
                out.append(Path(rectangle(left, top, width, height, 0.8), Paint(stroke=INK, width=0.15)))
    return out


def _inset(space: Space, by: float) -> str:
    return geometry_path(shapely.Polygon(space.outline).buffer(-by)) if len(space.outline) > 2 else ""


def _areas(spaces: Mapping[str, Space], overlay: Overlay) -> list[Mark]:
    """Control is a tint with a band inside the outline of all its spaces; a zone is a broken line inside that."""
    out: list[Mark] = []
    for side in overlay.sides:
        held = [spaces[key] for key in sorted(overlay.control.get(side, ())) if key in spaces]
        for boxes in (False, True):
            data = _outline([s for s in held if (s.kind == "box") == boxes], 0.5)
            if data:
                paint = _control(overlay.ink(side))
                out.append(Path(data, replace(paint, fill=None) if boxes else paint))
    for number, side in enumerate(overlay.sides):
        zone = [spaces[key] for key in sorted(overlay.zones.get(side, ())) if key in spaces and spaces[key].enterable]
        if data := _outline(zone, 1.5 + 1.1 * number):
            out.append(Path(data, _zone(overlay.ink(side))))
    return out


def _outline(spaces: Sequence[Space], inset: float) -> str:
    """Write the outline of the area that spaces cover together. inset: how far inside it, mm."""
    area = hex_union([s for s in spaces if len(s.outline) > 2])
    return geometry_path(area.buffer(-inset, quad_segs=4)) if not area.is_empty else ""


def _control(ink: str) -> Paint:
    return Paint(fill=ink, fill_opacity=0.12, stroke=ink, width=1.0, join="round", even_odd=True)


def _zone(ink: str) -> Paint:
    return Paint(stroke=ink, width=0.45, dash=(1.4, 1.4), cap="round", opacity=0.8)


def _lines(spaces: Mapping[str, Space], overlay: Overlay, over: bool = False) -> list[Mark]:
    """A line is drawn under the counters in full and over them thin, so that it can be followed and they be read."""
    out: list[Mark] = []
    for line in overlay.lines:
        places = [spaces[key].at for key in line if key in spaces]
        if len(places) < 2:
            continue
        data = polyline(places)
        if over:
            out.append(Path(data, Paint(stroke="#ffffff", width=1.3, opacity=0.8, join="round", cap="round")))
            out.append(Path(data, Paint(stroke="#0b6e2d", width=0.7, join="round", cap="round")))
            out += [Path(circle(*p, 0.9), Paint(fill="#ffffff", stroke="#0b6e2d", width=0.5)) for p in places[1:-1]]
            out.append(Path(circle(*places[-1], 1.8), Paint(fill="#0b6e2d", stroke="#ffffff", width=0.5)))
        else:
            out.append(Path(data, Paint(stroke="#0b6e2d", width=2.4, opacity=0.45, join="round", cap="round")))
    return out


def _alarms(spaces: Mapping[str, Space], overlay: Overlay) -> list[Mark]:
    out: list[Mark] = []
    for key in sorted(overlay.stops):
        if key in spaces:
            x, y = spaces[key].at  # beside the middle, where names and counters are
            data = _cross(x - 4.2, y - 3.4, 1.9)
            out.append(Path(data, Paint(stroke="#ffffff", width=2.2, opacity=0.85, cap="round")))
            out.append(Path(data, Paint(stroke=ALARM, width=1.2, cap="round")))
    for key in sorted(overlay.stranded):
        if key in spaces and (data := _inset(spaces[key], 0.8)):
            out.append(Path(data, Paint(stroke=ALARM, width=1.0, dash=(2.4, 1.4))))
    for key in sorted(overlay.faults):
        if key in spaces:
            x, y = spaces[key].at
            x, y = x + 6.5, y - 6.5
            out.append(Path(circle(x, y, 2.3), Paint(fill=ALARM, stroke="#ffffff", width=0.5)))
            out.append(_words("!", "sans-bold", 3.6, x, y, "middle", "#ffffff"))
    return out


def _cross(x: float, y: float, arm: float) -> str:
    return f"{polyline([(x - arm, y - arm), (x + arm, y + arm)])} {polyline([(x - arm, y + arm), (x + arm, y - arm)])}"


def _words(text: str, font: str, size: float, x: float, y: float, anchor: str, ink: str) -> Path:
    cap = load_font(font).cap_height * size
    place = "start" if anchor == "start" else "middle"
    return Path(outline(text, font, size, x, y + cap / 2, place), Paint(fill=ink))  # type: ignore[arg-type]


def _key(base: Page, overlay: Overlay) -> Group:
    """Draw a panel that says what the colours mean, in the lower left corner of the sheet."""
    rows: list[tuple[str, Paint]] = []
    for side, title in overlay.sides.items():
        ink = overlay.ink(side)
        if overlay.control.get(side):
            rows.append((f"controlled by {title}", _control(ink)))
        if overlay.zones.get(side):
            rows.append((f"zone of control, {title}", _zone(ink)))
    if overlay.lines:
        rows.append(("supply line, from the unit to its source", Paint(stroke="#0b6e2d", width=2.0, fill="#cfe8d6")))
    if overlay.stops:
        rows.append((STOPS, Paint(stroke=ALARM, width=1.2, cap="round")))
    if overlay.stranded:
        rows.append(("out of supply", Paint(stroke=ALARM, width=1.0, dash=(2.4, 1.4))))
    if overlay.faults:
        rows.append(("finding", Paint(fill=ALARM)))
    size, step, pad = 4.0, 7.0, 4.0
    head = 9.0 if overlay.title else 0.0
    texts = [measure(words, "sans", size) + 12 for words, _ in rows] + [measure(overlay.title, "sans-bold", 5.0)]
    width, height = max(texts) + 2 * pad, head + step * len(rows) + 2 * pad - 1
    # On a small sheet the panel must leave most of the map to be seen.
    k = min(1.0, 0.4 * base.width / width, 0.5 * base.height / height)
    edge = min(14.0, 0.1 * base.height)
    left, top = edge, base.height - edge - k * height
    marks: list[Mark] = [
        Path(rectangle(left, top, k * width, k * height, 1.5 * k), Paint(fill=PAPER, stroke=INK, width=0.4 * k))
    ]
    if overlay.title:
        marks.append(_words(overlay.title, "sans-bold", 5.0 * k, left + k * pad, top + k * (pad + 2.5), "start", INK))
    for i, (words, paint) in enumerate(rows):
        x, y = left + k * pad, top + k * (pad + head + step * i + 2.5)
        data = _cross(x + 4 * k, y, 2.0 * k) if words == STOPS else rectangle(x, y - 2.2 * k, 8.0 * k, 4.4 * k)
        marks.append(Path(data, replace(paint, width=paint.width * k)))
        marks.append(_words(words, "sans", size * k, x + 12 * k, y, "start", INK))
    return Group(tuple(marks), layer="Key") if rows or overlay.title else Group(())
