"""A position over its map: who stands where, control, zones of control, supply lines, findings."""

from __future__ import annotations

import colorsys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise

import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.art.ground import hex_union
from toolchain.art.marks import Group, Mark, Page, Paint, Path, Use, circle, polyline, rectangle, shifted
from toolchain.art.points import way_lines
from toolchain.art.shapes import curve, geometry_path
from toolchain.art.text import load_font, measure, outline
from toolchain.model.position import Position
from toolchain.model.warmap import Link, Space, WarMap

Point = tuple[float, float]

EARTHY = "#b26a00"
SIDE_INKS = ("#1f5fa8", "#b3261e", "#2e7d32", "#7b3fa0", EARTHY, "#00707a")
PAPER, INK, ALARM, SUPPLY = "#fbf7ec", "#1d1b18", "#d0021b", "#0b6e2d"
STOPS = "where its line stops"
UNKNOWN_SIZE = (12.0, 12.0)  # of a counter that could not be drawn, mm
Draw = Callable[[float, float], list[Mark]]
_STRANDED = Paint(stroke=ALARM, width=1.0, dash=(2.4, 1.4))
LIFT = 1.4  # how far each counter of a stack lies above and beside the one below, mm


@dataclass(frozen=True)
class Overlay:
    """What is drawn over the map besides the counters. Spaces are named by key.

    sides: titles by side, in the order of their colours. control, zones: spaces by side. supply: steps between spaces
    that the supply lines of a side's units take, by side. lines: single supply lines to follow, each a chain of spaces
    from the unit to the source. stops: spaces where lines stop. stranded: spaces whose units are out of
    supply. faults: spaces with findings, and how many. title: of the position. inks: colours by side, where they are
    not those of SIDE_INKS in order.
    """

    title: str = ""
    sides: Mapping[str, str] = field(default_factory=dict)
    control: Mapping[str, frozenset[str]] = field(default_factory=dict)
    zones: Mapping[str, frozenset[str]] = field(default_factory=dict)
    supply: Mapping[str, frozenset[tuple[str, str]]] = field(default_factory=dict)
    lines: Sequence[tuple[str, ...]] = ()
    stops: frozenset[str] = frozenset()
    stranded: frozenset[str] = frozenset()
    faults: Mapping[str, int] = field(default_factory=dict)
    inks: Mapping[str, str] = field(default_factory=dict)

    def ink(self, side: str) -> str:
        """Return the colour of a side."""
        return self.inks.get(side) or SIDE_INKS[list(self.sides).index(side) % len(SIDE_INKS)]


def side_inks(papers: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """Choose a colour for each side, near in hue to that of most of its counters, and no two alike.

    papers: by side, the colour of the paper of each of its counters, #rrggbb. A side of grey counters, of many hues, or
    of those of the ground of maps, takes what is left of SIDE_INKS in order.
    """
    wanted: dict[str, float] = {}
    for side, colours in papers.items():
        hues = [_hue(c) for c in colours if _chroma(c) > 0.15]  # what is paler than this is grey or cream to the eye
        if len(hues) * 2 > len(colours):
            wanted[side] = Counter(hues).most_common(1)[0][0]
    out: dict[str, str] = {}
    inks = [(n, ink) for n, ink in enumerate(SIDE_INKS) if ink != EARTHY]
    near = sorted((_apart(hue, _hue(ink)), n, side) for side, hue in wanted.items() for n, ink in inks)
    for distance, n, side in near:
        if distance < 1 / 12 and side not in out and SIDE_INKS[n] not in out.values():
            out[side] = SIDE_INKS[n]
    left = [ink for ink in SIDE_INKS if ink not in out.values()] or list(SIDE_INKS)
    rest = [side for side in papers if side not in out]
    return out | {side: left[i % len(left)] for i, side in enumerate(rest)}


def _parts(colour: str) -> list[float]:
    return [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]


def _hue(colour: str) -> float:
    return colorsys.rgb_to_hls(*_parts(colour))[0]


def _chroma(colour: str) -> float:
    return max(_parts(colour)) - min(_parts(colour))


def _apart(a: float, b: float) -> float:
    return min(abs(a - b), 1 - abs(a - b))


def build_position_page(
    base: Page, warmap: WarMap, position: Position, faces: Mapping[str, Sequence[Page]], overlay: Overlay, sheet: str
) -> Page:
    """Draw a position over a sheet of its map.

    base: the sheet, best without furniture. faces: of every counter by id, the front first. Pieces in unknown spaces
    are left out. Returns a page as wide as the base, with the key in a strip below the map, where it covers nothing.
    """
    spaces = {s.key: s for s in warmap.spaces if s.sheet == sheet}
    symbols = dict(base.symbols)
    counters = _counters(spaces, position, faces, symbols)
    links = {frozenset((x.a, x.b)): x for x in reversed(warmap.links) if x.line or x.traits.get("wrap")}
    follow = partial(_way, warmap, spaces, links, shapely.box(0, 0, base.width, base.height))
    ways = [follow(line) for line in overlay.lines]
    nets = {side: [follow(step) for step in sorted(steps)] for side, steps in overlay.supply.items()}
    layers = [
        Group(tuple(_areas(spaces, overlay)), layer="Control and zones"),
        Group(tuple(m for side, net in nets.items() for m in _net(net, overlay.ink(side))), layer="Supply"),
        Group(tuple(_lines(ways)), layer="Supply lines under"),
        Group(tuple(counters), layer="Counters"),
        Group(tuple(_lines(ways, over=True)), layer="Supply lines"),
        Group(tuple(_alarms(spaces, overlay)), layer="Findings"),
    ]
    key, height = _key(base, overlay)
    marks = (*base.marks, *(g for g in (*layers, key) if g.marks))
    title = overlay.title or base.title
    return replace(base, height=base.height + height, marks=marks, symbols=symbols, title=title, trim=None)


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


@dataclass(frozen=True, slots=True)
class _Way:
    """A supply line on the sheet: the stretches to draw, the spaces between its ends, and its end."""

    stretches: tuple[Sequence[Point], ...]
    between: tuple[Point, ...]
    end: Point


def _way(
    warmap: WarMap,
    spaces: Mapping[str, Space],
    links: Mapping[frozenset[str], Link],
    frame: BaseGeometry,
    line: Sequence[str],
) -> _Way | None:
    """Follow a supply line over the sheet, along the ways that are drawn there; None where it has no step on it."""
    keys = [key for key in line if key in spaces]
    if len(keys) < 2:
        return None
    stretches: list[Sequence[Point]] = []
    for a, b in pairwise(keys):
        drawn = links.get(frozenset((a, b)))
        if drawn is None:
            stretches.append([spaces[a].at, spaces[b].at])
            continue
        found = way_lines(warmap, [drawn], frame)
        stretches += found if len(found) > 1 or drawn.a == a else [found[0][::-1]]
    places = [spaces[key].at for key in keys]
    return _Way(tuple(stretches), tuple(places[1:-1]), places[-1])


def _net(ways: Sequence[_Way | None], ink: str) -> list[Mark]:
    """All lines of a side, each step once, on white, so that they stand out from the roads that they follow."""
    data = " ".join(_course(way) for way in ways if way is not None)
    if not data:
        return []
    paint = Paint(stroke="#ffffff", width=2.0, opacity=0.75, join="round", cap="round")
    return [Path(data, paint), Path(data, replace(paint, stroke=ink, width=1.1, opacity=1.0))]


def _course(way: _Way) -> str:
    return " ".join(curve(s) if len(s) > 4 else polyline(s) for s in way.stretches)


def _lines(ways: Sequence[_Way | None], over: bool = False) -> list[Mark]:
    """A line is drawn under the counters in full and over them thin, so that it can be followed and they be read."""
    out: list[Mark] = []
    for way in ways:
        if way is None:
            continue
        data = _course(way)
        if over:
            out.append(Path(data, Paint(stroke="#ffffff", width=1.3, opacity=0.8, join="round", cap="round")))
            out.append(Path(data, Paint(stroke=SUPPLY, width=0.7, join="round", cap="round")))
            out += [Path(circle(*p, 0.9), Paint(fill="#ffffff", stroke=SUPPLY, width=0.5)) for p in way.between]
            out.append(Path(circle(*way.end, 1.8), Paint(fill=SUPPLY, stroke="#ffffff", width=0.5)))
        else:
            out.append(Path(data, Paint(stroke=SUPPLY, width=2.4, opacity=0.45, join="round", cap="round")))
    return out


def _alarms(spaces: Mapping[str, Space], overlay: Overlay) -> list[Mark]:
    out: list[Mark] = []
    for key in sorted(overlay.stops):
        if key in spaces:
            x, y = spaces[key].at  # beside the middle, where names and counters are
            out += _stop(x - 4.2, y - 3.4)
    for key in sorted(overlay.stranded):
        if key in spaces and (data := _inset(spaces[key], 0.8)):
            out.append(Path(data, _STRANDED))
    for key in sorted(overlay.faults):
        if key in spaces:
            x, y = spaces[key].at
            out += _fault(x + 6.5, y - 6.5)
    return out


def _stop(x: float, y: float) -> list[Mark]:
    data = _cross(x, y, 1.9)
    halo = Paint(stroke="#ffffff", width=2.2, opacity=0.85, cap="round")
    return [Path(data, halo), Path(data, Paint(stroke=ALARM, width=1.2, cap="round"))]


def _fault(x: float, y: float) -> list[Mark]:
    sign = _words("!", "sans-bold", 3.6, x, y, "middle", "#ffffff")
    return [Path(circle(x, y, 2.3), Paint(fill=ALARM, stroke="#ffffff", width=0.5)), sign]


def _cross(x: float, y: float, arm: float) -> str:
    return f"{polyline([(x - arm, y - arm), (x + arm, y + arm)])} {polyline([(x - arm, y + arm), (x + arm, y - arm)])}"


def _words(text: str, font: str, size: float, x: float, y: float, anchor: str, ink: str) -> Path:
    cap = load_font(font).cap_height * size
    place = "start" if anchor == "start" else "middle"
    return Path(outline(text, font, size, x, y + cap / 2, place), Paint(fill=ink))  # type: ignore[arg-type]


def _key(base: Page, overlay: Overlay) -> tuple[Group, float]:
    """Say what the colours and signs mean in a strip below the map. Returns it and its height, 0 for nothing to say."""
    rows: list[tuple[str, Draw]] = []
    for side, title in overlay.sides.items():
        ink = overlay.ink(side)
        if overlay.control.get(side):
            rows.append((f"controlled by {title}", partial(_swatch, paint=_control(ink))))
        if overlay.zones.get(side):
            rows.append((f"zone of control, {title}", partial(_swatch, paint=_zone(ink))))
    for side, steps in overlay.supply.items():
        if steps:
            rows.append((f"supply lines, {overlay.sides[side]}", partial(_net_sample, ink=overlay.ink(side))))
    if overlay.lines:
        rows.append(("supply line, from the unit to its source", _line_sample))
    if overlay.stops:
        rows.append((STOPS, _stop))
    if overlay.stranded:
        rows.append(("out of supply", partial(_swatch, paint=_STRANDED)))
    if overlay.faults:
        rows.append(("finding", _fault))
    if not rows and not overlay.title:
        return Group(()), 0.0
    k = min(max(base.width / 400, 1.0), 2.5)  # to be read on a picture of the whole of a large sheet
    room, size, step, pad, sign, gap = base.width / k, 4.0, 7.5, 5.0, 12.0, 8.0
    marks: list[Mark] = []
    x, y = pad, pad + 2.5
    if overlay.title:
        marks.append(_words(overlay.title, "sans-bold", 5.0, x, y, "start", INK))
        y += 9.0
    for words, draw in rows:
        wide = sign + measure(words, "sans", size) + gap
        if x > pad and x + wide - gap > room - pad:
            x, y = pad, y + step
        marks += draw(x + 4.0, y)
        marks.append(_words(words, "sans", size, x + sign, y, "start", INK))
        x += wide
    height = y + pad + 2.5 if rows else y + pad - 6.5
    ground = Path(rectangle(0, 0, room, height), Paint(fill=PAPER))
    edge = Path(polyline([(0, 0), (room, 0)]), Paint(stroke=INK, width=0.3))
    strip = Group((ground, edge, *marks), shifted(0, base.height, k))
    return Group((strip,), layer="Key"), k * height


def _swatch(x: float, y: float, paint: Paint) -> list[Mark]:
    return [Path(rectangle(x - 4.0, y - 2.2, 8.0, 4.4), paint)]


def _line_sample(x: float, y: float) -> list[Mark]:
    way = _Way(([(x - 4.0, y), (x + 4.0, y)],), ((x, y),), (x + 4.0, y))
    return [*_lines([way]), *_lines([way], over=True)]


def _net_sample(x: float, y: float, ink: str) -> list[Mark]:
    return _net([_Way(([(x - 4.0, y), (x + 4.0, y)],), (), (x + 4.0, y))], ink)
