"""What a check found, drawn on the map: numbered pins over a pale map, and the list of them beside it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate

from toolchain.art.lettering import Letters
from toolchain.art.mapsheet import build_map_page
from toolchain.art.marks import Group, Mark, Page, Paint, Path, circle, polygon, polyline, rectangle
from toolchain.art.text import measure
from toolchain.model.drawing import Drawing
from toolchain.model.warmap import Point, Space, WarMap
from toolchain.report import Finding, Report, Severity, counted
from toolchain.sources.decode.mapstyle import MapStyle

COLOURS = {Severity.ERROR: "#b3261e", Severity.WARNING: "#c05c00", Severity.NOTE: "#2a65a8"}
WHITE, INK, GREY = "#ffffff", "#1d1b18", "#6b6760"
PALE = 0.42
# A sheet with more pins could not be read, and a list of any length could fill the memory.
MOST = 600
LONGEST = 600
# Widths and heights of the list, in sizes of its text.
COLUMN, LEADING, GAP, MARGIN = 38.0, 1.28, 0.75, 2.5


@dataclass(frozen=True, slots=True)
class Pin:
    """One finding and where it lies on the sheet; `at` is None for one that has no place there."""

    number: int
    finding: Finding
    at: Point | None
    space: Space | None = None


def place_pins(warmap: WarMap, findings: Iterable[Finding], sheet: str = "main") -> list[Pin]:
    """Number the findings that nobody accepted, and find their places: first those on this sheet, the gravest first.

    sheet: an arrangement is one sheet. What is true of other arrangements is left out.
    """
    found: list[tuple[Finding, Point | None, Space | None]] = []
    for finding in findings:
        if finding.accepted or sheet not in finding.facts.get("arrangements", [sheet]):
            continue
        space = warmap.find(finding.where.space) if finding.where.space else None
        at = finding.facts.get("at")
        # A place on a sheet by itself is another one where several are laid together.
        if isinstance(at, list | tuple) and len(at) == 2 and finding.facts.get("sheet", sheet) == sheet:
            found.append((finding, (float(at[0]), float(at[1])), space))
        elif space is not None:
            found.append((finding, space.at, space))
        else:
            ends = [warmap.find(word) for word in finding.where.space.split("–")]
            known = [s for s in ends if s is not None]
            middle = (sum(s.at[0] for s in known) / 2, sum(s.at[1] for s in known) / 2) if len(known) == 2 else None
            found.append((finding, middle, known[0] if known else None))
    here = [f for f in found if f[1] is not None and (f[2] is None or f[2].sheet == sheet)]
    other = [(f, None, None) for f, at, _ in found if at is None]
    return [Pin(n, *f) for n, f in enumerate([*here, *other], 1)]


def build_findings_page(
    warmap: WarMap, drawing: Drawing, style: MapStyle, findings: Sequence[Finding], sheet: str = "main"
) -> Page:
    """Draw what was found on one sheet of a map.

    The map lies pale below, without title and key. Each finding is a pin of the colour of its severity, with the
    outline of its hex or the hexsides that it names; the list on the right has the same numbers. What has no place on
    the map stands at the end of the list. Accepted findings are counted, not drawn. Returns a page as high as the
    sheet, and wider by the list.
    """
    ground = build_map_page(warmap, drawing, style, Report(), furniture=False, sheet=sheet)
    pins = place_pins(warmap, findings, sheet)
    grid = warmap.grids.get(sheet)
    pitch = grid.pitch if grid else 20.0
    letters = Letters("pin")
    size = min(max(ground.height / 190, 2.4), 4.5)
    shown = pins[:MOST]
    rows, width = _list(shown, len(pins), findings, ground.width, ground.height, size, letters)
    pale = Group(ground.marks, clip=rectangle(0, 0, ground.width, ground.height), opacity=PALE, layer="Map")
    whole = ground.width + width
    marks: list[Mark] = [
        Path(rectangle(0, 0, whole, ground.height), Paint(fill=WHITE)),
        pale,
        Group(tuple(_places(warmap, shown, pitch)), layer="Places"),
        Group(tuple(_pins(shown, pitch, (ground.width, ground.height), letters)), layer="Pins"),
        Group(tuple(rows), layer="List"),
    ]
    title = f"{warmap.title}: findings"
    symbols = {**ground.symbols, **letters.symbols}
    marks = [m for m in marks if not isinstance(m, Group) or m.marks]
    return Page(whole, ground.height, tuple(marks), title, symbols, ground.patterns)


def _places(warmap: WarMap, pins: Sequence[Pin], pitch: float) -> list[Mark]:
    """Outline the spaces and hexsides that findings name, the gravest on top."""
    sides = {frozenset((h.a, h.b)): h.ends for h in warmap.hexsides}
    marks: list[Mark] = []
    for pin in reversed(pins):
        colour = COLOURS[pin.finding.severity]
        named = [frozenset(pair) for pair in pin.finding.facts.get("sides", ())]
        lines = [sides[pair] for pair in named if pair in sides]
        for ends in lines:
            marks.append(Path(polyline(ends), Paint(stroke=colour, width=0.09 * pitch, cap="round", opacity=0.8)))
        if pin.space is not None and len(pin.space.outline) > 2 and not lines:
            edge = Paint(fill=colour, fill_opacity=0.1, stroke=colour, width=0.035 * pitch)
            marks.append(Path(polygon(pin.space.outline), edge))
    return marks


def _pins(pins: Sequence[Pin], pitch: float, sheet: Point, letters: Letters) -> list[Mark]:
    radius = min(max(0.17 * pitch, 1.5), 4.5)
    stacked: dict[tuple[int, int], int] = {}
    marks: list[Mark] = []
    for pin in pins:
        if pin.at is None:
            continue
        # What lies off the sheet is pinned to its edge.
        x, y = (min(max(value, 1.2 * radius), most - 1.2 * radius) for value, most in zip(pin.at, sheet, strict=True))
        spot = (round(x / radius), round(y / radius))
        x += 1.7 * radius * stacked.get(spot, 0)  # several findings of one place stand in a row
        stacked[spot] = stacked.get(spot, 0) + 1
        marks += _pin(pin, x, y, radius, letters)
    return marks


def _pin(pin: Pin, x: float, y: float, radius: float, letters: Letters) -> list[Mark]:
    text = str(pin.number)
    size = radius * (1.35 if len(text) < 3 else 1.0)
    disc = Path(circle(x, y, radius), Paint(fill=COLOURS[pin.finding.severity], stroke=WHITE, width=0.14 * radius))
    return [disc, *letters.line(text, "sans-bold", size, x, y + 0.36 * size, Paint(fill=WHITE))]


def _list(
    pins: Sequence[Pin],
    count: int,
    findings: Sequence[Finding],
    left: float,
    height: float,
    size: float,
    letters: Letters,
) -> tuple[list[Mark], float]:
    """Set the list, in as many columns as it takes. Returns its marks and the width of the whole."""
    marks: list[Mark] = []
    accepted = sum(1 for f in findings if f.accepted)
    tally = [
        counted(n, str(severity))
        for severity in reversed(Severity)
        if (n := sum(1 for f in findings if f.severity == severity and not f.accepted))
    ]
    head = [", ".join(tally) or "nothing was found"]
    head += [f"{accepted} accepted, not shown"] * bool(accepted)
    head += [f"{count - len(pins)} more than can be shown"] * (count > len(pins))
    column, top = 0, MARGIN * size
    y = top

    def x_of(n: int) -> float:
        return left + MARGIN * size + n * (COLUMN + 2) * size

    y += 1.5 * size
    marks += letters.line("Findings", "sans-bold", 1.7 * size, x_of(0), y, Paint(fill=INK), "start")
    for line in head:
        y += LEADING * size
        marks += letters.line(line, "sans", size, x_of(0), y, Paint(fill=GREY), "start")
    y += 1.6 * size
    unplaced = next((p.number for p in pins if p.at is None), 0)
    for pin in pins:
        finding, indent = pin.finding, 3.2 * size
        place = str(finding.where)
        lines = [(part, "sans-bold", INK) for part in wrap(f"{finding.rule.code} {place}", "sans-bold", size, size)]
        lines += [(part, "sans", INK) for part in wrap(finding.message[:LONGEST], "sans", size, size)]
        headed = pin.number == unplaced
        need = (len(lines) + 1.6 * headed) * LEADING * size
        if y + need > height - MARGIN * size and y > top:
            column, y = column + 1, top
        if headed:
            text = "Not at one place of the map"
            marks += letters.line(text, "sans", size, x_of(column), y + size, Paint(fill=GREY), "start")
            y += 1.6 * LEADING * size
        marks += _pin(pin, x_of(column) + 1.15 * size, y + 0.72 * size, 1.15 * size, letters)
        for text, font, colour in lines:
            y += LEADING * size
            marks += letters.line(text, font, size, x_of(column) + indent, y - 0.2 * size, Paint(fill=colour), "start")
        y += GAP * size
    return marks, (column + 1) * (COLUMN + 2) * size + 2 * MARGIN * size - 2 * size


MOST_LETTERS = 200  # no line of the column holds more


def wrap(text: str, font: str, size: float, unit: float) -> list[str]:
    """Break a text into lines as wide as the list's column; a word that is wider is broken too.

    unit: size of the list's text, in which the column is measured.
    """
    room = (COLUMN - 3.2) * unit
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if measure(longer, font, size) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        advance = {letter: measure(letter, font, size) for letter in set(word)}
        while len(word) > MOST_LETTERS or measure(word, font, size) > room:
            # Letters one by one tell nearly how many fit; what stands between them can only take a few away.
            widths = list(accumulate(advance[letter] for letter in word[:MOST_LETTERS]))
            fits = max(1, bisect_right(widths, room))
            while fits > 1 and measure(word[:fits], font, size) > room:
                fits -= 1
            lines.append(word[:fits])
            word = word[fits:]
        line = word
    return [*lines, line] if line else lines
