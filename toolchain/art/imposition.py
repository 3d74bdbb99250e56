"""Lay counters out on sheets: fronts, and backs mirrored so that they coincide when the paper is turned.

Counters of one size stand in blocks with crop marks around each block. Every different face is one shared symbol of
its sheet, placed as often as it is printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from toolchain.art.marks import Group, Mark, Matrix, Page, Paint, Path, Use, polyline, rectangle
from toolchain.art.text import outline
from toolchain.catalogue import SHEET_TOO_SMALL
from toolchain.model.forces import Counter
from toolchain.report import Location, Report
from toolchain.sources.decode.style import Sheet, Size

PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4), "tabloid": (279.4, 431.8)}
TITLE_ROOM = 7.0  # above the counters for the title, and below them for the ruler, mm
MARK_LENGTH, MARK_GAP, MARK_LINE = 4.0, 1.0, 0.1
INK = "#222222"
DIE_INK = "#d0006f"
_NEAR = 1e-3

Side = Literal["front", "back"]


@dataclass(frozen=True, slots=True)
class Slot:
    """One printed counter: where its front stands on the front page and its back on the back page (corner, mm)."""

    counter: str
    copy: int
    front: tuple[float, float]
    back: tuple[float, float]


@dataclass(frozen=True)
class SheetPages:
    """One sheet of paper: both sides, and what stands where. back is None where no counter has one."""

    front: Page
    back: Page | None
    slots: tuple[Slot, ...]
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Grid:
    """Where counters may stand on a page: columns and rows of blocks, and of counters in a block."""

    paper: tuple[float, float]
    origin: tuple[float, float]
    blocks: tuple[int, int]
    block: tuple[int, int]
    pitch: tuple[float, float]
    stride: tuple[float, float]

    @property
    def capacity(self) -> int:
        """How many counters a page holds."""
        return self.blocks[0] * self.blocks[1] * self.block[0] * self.block[1]

    def place(self, index: int) -> tuple[float, float]:
        """Return the corner of the counter of this number, mm: block by block, row by row."""
        block, within = divmod(index, self.block[0] * self.block[1])
        block_row, block_column = divmod(block, self.blocks[0])
        row, column = divmod(within, self.block[0])
        return (
            self.origin[0] + block_column * self.stride[0] + column * self.pitch[0],
            self.origin[1] + block_row * self.stride[1] + row * self.pitch[1],
        )


def build_grid(size: Size, sheet: Sheet, report: Report, where: Location | None = None) -> Grid | None:
    """Work out how counters of a size stand on the paper; paper that is too small is a finding and gives None."""
    paper = PAPERS.get(sheet.paper, (sheet.width, sheet.height))
    room = (paper[0] - 2 * sheet.margin, paper[1] - 2 * sheet.margin - 2 * TITLE_ROOM)
    pitch = (size.width + sheet.gutter, size.height + sheet.gutter)
    outer = MARK_LENGTH + MARK_GAP + sheet.bleed  # crop marks stand around the counters
    inner = (room[0] - 2 * outer, room[1] - 2 * outer)
    most = [max(0, int((inner[i] + sheet.gutter + 1e-6) // pitch[i])) for i in (0, 1)]
    block = (sheet.block[0] or most[0], sheet.block[1] or most[1])
    gap = max(sheet.gap, 2 * sheet.bleed) if sheet.block != (0, 0) else sheet.gap
    extent = tuple(block[i] * pitch[i] - sheet.gutter for i in (0, 1))
    stride = (extent[0] + gap, extent[1] + gap)
    blocks = tuple(int((inner[i] + gap + 1e-6) // stride[i]) if block[i] else 0 for i in (0, 1))
    if min(blocks) < 1 or min(block) < 1:
        need = f"{extent[0]:.1f} x {extent[1]:.1f}" if min(block) else f"{size.width:.1f} x {size.height:.1f}"
        what = f"a block of {block[0]} x {block[1]} counters" if min(block) else "a counter"
        left = f"{max(inner[0], 0):.1f} x {max(inner[1], 0):.1f}"
        place = where or Location(key="sheet")
        report.add(SHEET_TOO_SMALL, place, f"{what} needs {need} mm; the paper leaves {left}")
        return None
    used = [blocks[i] * stride[i] - gap for i in (0, 1)]
    origin = ((paper[0] - used[0]) / 2, sheet.margin + TITLE_ROOM + outer)
    return Grid(paper, origin, (blocks[0], blocks[1]), block, pitch, stride)


def build_sheets(
    faces: Sequence[tuple[Counter, Sequence[Page]]],
    size: Size,
    sheet: Sheet,
    report: Report,
    title: str = "",
    where: Location | None = None,
) -> tuple[SheetPages, ...]:
    """Lay out counters of one size, each `copies` times in a row, on as many sheets as they need.

    faces: counters with their faces, drawn with the bleed of the sheet. title: printed above the counters.
    where: place of [sheet] for findings. Returns one item per sheet of paper; every back coincides with its front.
    """
    grid = build_grid(size, sheet, report, where)
    if grid is None:
        return ()
    items = [(counter, pages, copy) for counter, pages in faces if pages for copy in range(1, counter.copies + 1)]
    out = []
    count = -(-len(items) // grid.capacity)
    for number in range(count):
        part = items[number * grid.capacity : (number + 1) * grid.capacity]
        places = [grid.place(i) for i in range(len(part))]
        slots = tuple(
            Slot(counter.id, copy, place, _turned_over(place, size, grid.paper, sheet))
            for (counter, _, copy), place in zip(part, places, strict=True)
        )
        name = f"{title} · {size.title}" if title and size.title else title or size.title
        if count > 1:
            name += f" · sheet {number + 1} of {count}"
        fronts = [(pages[0], s.front) for (_, pages, _), s in zip(part, slots, strict=True)]
        backs = [(pages[1], s.back) for (_, pages, _), s in zip(part, slots, strict=True) if len(pages) > 1]
        front = _page(fronts, [s.front for s in slots], size, sheet, grid, name, "front")
        back = _page(backs, [s.back for s in slots], size, sheet, grid, name, "back") if backs else None
        out.append(SheetPages(front, back, slots, *grid.paper))
    return tuple(out)


def _turned_over(
    place: tuple[float, float], size: Size, paper: tuple[float, float], sheet: Sheet
) -> tuple[float, float]:
    """Return where the back of a counter stands on the page that is printed on the other side of the paper."""
    x, y = place
    if _turns_about_vertical(paper, sheet):
        x = paper[0] - x - size.width
    else:
        y = paper[1] - y - size.height
    return x + sheet.back_offset[0], y + sheet.back_offset[1]


def _turns_about_vertical(paper: tuple[float, float], sheet: Sheet) -> bool:
    portrait = paper[0] <= paper[1]
    return (sheet.flip == "long-edge") == portrait


def _page(
    faces: Sequence[tuple[Page, tuple[float, float]]],
    corners: Sequence[tuple[float, float]],
    size: Size,
    sheet: Sheet,
    grid: Grid,
    title: str,
    side: Side,
) -> Page:
    upside_down = side == "back" and not _turns_about_vertical(grid.paper, sheet)
    reach = sheet.bleed if sheet.gutter == 0 else min(sheet.bleed, sheet.gutter / 2)
    taken = {(round(x, 2), round(y, 2)) for x, y in corners}
    symbols: dict[str, Group] = {}
    names: dict[tuple[Mark, ...], str] = {}
    placed: list[Mark] = []
    for page, (x, y) in faces:
        name = names.get(page.marks)
        if name is None:
            name = names[page.marks] = f"face {len(names) + 1}"
            symbols[name] = Group(page.marks)
        # A face bleeds only where no neighbour touches it, so that no colour runs over another counter.
        beside = [(x - size.width, y), (x, y - size.height), (x + size.width, y), (x, y + size.height)]
        left, top, right, bottom = (reach * ((round(i, 2), round(j, 2)) not in taken) for i, j in beside)
        if upside_down:
            left, top, right, bottom = right, bottom, left, top
        clip = rectangle(-left, -top, left + size.width + right, top + size.height + bottom)
        placed.append(Group((Use(name),), _placing((x, y), size, upside_down), clip=clip))
    marks: list[Mark] = [Group(tuple(placed), layer="counters")]
    if sheet.die_lines:
        outlines = "".join(rectangle(x, y, size.width, size.height, size.corner) for x, y in corners)
        marks.append(Group((Path(outlines, Paint(stroke=DIE_INK, width=MARK_LINE)),), layer="die lines"))
    marks.append(Group(tuple(_crop_marks(corners, size, sheet)), layer="crop marks"))
    marks.append(Group(tuple(_words(title, side, sheet, grid)), layer="title"))
    return Page(*grid.paper, tuple(marks), f"{title} ({side})", symbols)


def _placing(corner: tuple[float, float], size: Size, upside_down: bool) -> Matrix:
    if upside_down:
        return (-1.0, 0.0, 0.0, -1.0, corner[0] + size.width, corner[1] + size.height)
    return (1.0, 0.0, 0.0, 1.0, *corner)


def _crop_marks(corners: Sequence[tuple[float, float]], size: Size, sheet: Sheet) -> list[Mark]:
    """Draw each cut once at either end of the page's counters, beyond the bleed, with a gap."""
    if not corners:
        return []
    xs = sorted({round(v, 4) for x, _ in corners for v in (x, x + size.width)})
    ys = sorted({round(v, 4) for _, y in corners for v in (y, y + size.height)})
    off = sheet.bleed + MARK_GAP
    top = ys[0] - off
    lines = []
    for x in xs:
        lowest = max(y for cx, y in corners if -_NEAR <= x - cx <= size.width + _NEAR) + size.height + off
        lines.append(polyline([(x, top), (x, top - MARK_LENGTH)]))
        lines.append(polyline([(x, lowest), (x, lowest + MARK_LENGTH)]))
    for y in ys:
        row = [x for x, cy in corners if -_NEAR <= y - cy <= size.height + _NEAR]
        nearest, farthest = min(row) - off, max(row) + size.width + off
        lines.append(polyline([(nearest, y), (nearest - MARK_LENGTH, y)]))
        lines.append(polyline([(farthest, y), (farthest + MARK_LENGTH, y)]))
    return [Path("".join(lines), Paint(stroke=INK, width=MARK_LINE))]


def _words(title: str, side: Side, sheet: Sheet, grid: Grid) -> list[Mark]:
    """Draw the title and, at the foot, a ruler that shows whether the printer kept the size."""
    width, height = grid.paper
    ink = Paint(fill=INK)
    out: list[Mark] = []
    head = f"{title} · {side}" if title else side
    out.append(Path(outline(head, "sans-bold", 3.6, width / 2, sheet.margin + 3.2), ink))
    base = height - sheet.margin
    left = width / 2 - 25
    ticks = "".join(polyline([(left + i, base), (left + i, base - (2.0 if i % 10 == 0 else 1.0))]) for i in range(51))
    out.append(Path(polyline([(left, base), (left + 50, base)]) + ticks, Paint(stroke=INK, width=MARK_LINE)))
    note = f"50 mm at actual size; turn the paper over its {sheet.flip.replace('-', ' ')}"
    out.append(Path(outline(note, "sans", 2.4, width / 2, base - 3.0), ink))
    return out
