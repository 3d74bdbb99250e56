"""Lay counters out on sheets: fronts, and backs mirrored so that they coincide when the paper is turned or folded.

Counters of one size stand in blocks with crop marks around them. Every different face is one shared symbol of its
sheet, placed as often as it is printed. A counter with more than two faces is printed as several pieces of cardboard:
steps 1 and 2 on one, 3 and 4 on the next.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from toolchain.art.marks import Group, Mark, Matrix, Page, Paint, Path, Use, polyline, rectangle
from toolchain.art.text import outline
from toolchain.catalogue import SHEET_SIZE_UNKNOWN, SHEET_TOO_SMALL
from toolchain.model.forces import Counter
from toolchain.report import Location, Report
from toolchain.sources.decode.style import PAPERS, Sheet, Size

TITLE_ROOM = 7.0  # above the counters for the title, and below them for the ruler, mm
MARK_LENGTH, MARK_GAP, MARK_LINE = 4.0, 1.0, 0.1
SAME_PLACE = 0.01  # mm
SEAM = 0.3  # mm that a face runs under the neighbour that is laid over it
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
    """Where counters may stand on a page: columns and rows of blocks, and of counters in a block.

    fold: where the paper is folded, mm: across its height (axis 1) or its width (axis 0); None without a fold.
    """

    paper: tuple[float, float]
    origin: tuple[float, float]
    blocks: tuple[int, int]
    block: tuple[int, int]
    pitch: tuple[float, float]
    stride: tuple[float, float]
    fold: float | None = None
    axis: int = 1

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
    place = where or Location(key="sheet")
    paper = paper_of(sheet)
    if min(paper) <= 0:
        report.add(SHEET_SIZE_UNKNOWN, place, "paper is 'given': width and height must be given too")
        return None
    margins = 2 * sheet.margin
    room = [paper[0] - margins, paper[1] - margins - 2 * TITLE_ROOM]
    axis = 1 if paper[1] >= paper[0] else 0  # the longer way is folded in half
    folded = sheet.backs == "fold"
    gap = max(sheet.gap, 2 * sheet.bleed)
    outer = MARK_LENGTH + MARK_GAP + sheet.bleed  # crop marks stand around the counters
    inner = [room[0] - 2 * outer, room[1] - 2 * outer]
    if folded:
        inner[axis] = (inner[axis] - gap) / 2
    pitch = (size.width + sheet.gutter, size.height + sheet.gutter)
    most = [max(0, int((inner[i] + sheet.gutter + 1e-6) // pitch[i])) for i in (0, 1)]
    block = (sheet.block[0] or most[0], sheet.block[1] or most[1])
    extent = tuple(block[i] * pitch[i] - sheet.gutter for i in (0, 1))
    stride = (extent[0] + gap, extent[1] + gap)
    blocks = tuple(int((inner[i] + gap + 1e-6) // stride[i]) if block[i] else 0 for i in (0, 1))
    if min(blocks) < 1 or min(block) < 1:
        need = f"{extent[0]:.1f} x {extent[1]:.1f}" if min(block) else f"{size.width:.1f} x {size.height:.1f}"
        what = f"a block of {block[0]} x {block[1]} counters" if min(block) else "a counter"
        left = f"{max(inner[0], 0):.1f} x {max(inner[1], 0):.1f}"
        report.add(SHEET_TOO_SMALL, place, f"{what} needs {need} mm; the paper leaves {left}")
        return None
    used = [blocks[i] * stride[i] - gap for i in (0, 1)]
    origin = [(paper[0] - used[0]) / 2, sheet.margin + TITLE_ROOM + outer]
    fold = None
    if folded:
        middle = paper[0] / 2 if axis == 0 else sheet.margin + TITLE_ROOM + room[1] / 2
        fold, origin[axis] = middle, middle - gap / 2 - used[axis]
        if axis == 0:
            origin[1] = sheet.margin + TITLE_ROOM + outer
    return Grid(paper, (origin[0], origin[1]), (blocks[0], blocks[1]), block, pitch, stride, fold, axis)


def bleed_of_faces(sheet: Sheet) -> float:
    """Return with how much bleed faces are drawn for a sheet, mm: also what does not bleed runs under its neighbour."""
    return max(sheet.bleed, SEAM)


def paper_of(sheet: Sheet) -> tuple[float, float]:
    """Return width and height of the paper in mm, turned if the sheet says so."""
    width, height = PAPERS.get(sheet.paper, (sheet.width, sheet.height))
    return (height, width) if sheet.landscape and height > width else (width, height)


def build_sheets(
    faces: Sequence[tuple[Counter, Sequence[Page]]],
    size: Size,
    sheet: Sheet,
    report: Report,
    title: str = "",
    where: Location | None = None,
) -> tuple[SheetPages, ...]:
    """Lay out counters of one size, each `copies` times in a row, on as many sheets as they need.

    faces: counters with their faces, drawn with `bleed_of_faces`. title: printed above the counters.
    where: place of [sheet] for findings. Returns one item per sheet of paper; every back coincides with its front.
    """
    if all(len(pages) < 2 for _, pages in faces):  # nothing to fold
        sheet = sheet.model_copy(update={"backs": "duplex"})
    grid = build_grid(size, sheet, report, where)
    if grid is None:
        return ()
    out = []
    groups = _groups(faces, sheet.breaks)
    counts = [-(-len(items) // grid.capacity) for _, items in groups]
    number = 0
    for word, items in groups:
        for start in range(0, len(items), grid.capacity):
            number += 1
            part = items[start : start + grid.capacity]
            places = [grid.place(i) for i in range(len(part))]
            slots = tuple(
                Slot(counter.id, copy, place, _turned_over(place, size, grid, sheet))
                for (counter, _, copy), place in zip(part, places, strict=True)
            )
            name = " · ".join(t for t in (title, size.title, word) if t)
            if sum(counts) > 1:
                name += f" · sheet {number} of {sum(counts)}"
            fronts = [(pages[0], s.front) for (_, pages, _), s in zip(part, slots, strict=True)]
            backs = [(pages[1], s.back) for (_, pages, _), s in zip(part, slots, strict=True) if len(pages) > 1]
            if grid.fold is not None:
                front, back = _folded_page(fronts, backs, slots, size, sheet, grid, name), None
            else:
                turned = bool(backs)
                front = _page(fronts, [s.front for s in slots], size, sheet, grid, name, "front", turned)
                back = (
                    _page(backs, [s.back for s in slots], size, sheet, grid, name, "back", turned) if turned else None
                )
            out.append(SheetPages(front, back, slots, *grid.paper))
    return tuple(out)


Item = tuple[Counter, Sequence[Page], int]


def _groups(faces: Sequence[tuple[Counter, Sequence[Page]]], breaks: str) -> list[tuple[str, list[Item]]]:
    """Return the pieces of cardboard to print, in order, by the value of the column that breaks sheets."""
    groups: dict[str, list[Item]] = {}
    for counter, pages in faces:
        value = counter.value(breaks) if breaks else ""
        word = "" if value is None else str(value)
        pieces = [pages[i : i + 2] for i in range(0, len(pages), 2)]
        for copy in range(1, counter.copies + 1):
            groups.setdefault(word, []).extend((counter, piece, copy) for piece in pieces)
    return list(groups.items())


def _turned_over(place: tuple[float, float], size: Size, grid: Grid, sheet: Sheet) -> tuple[float, float]:
    """Return where the back of a counter stands: on the other side of the paper, or beyond the fold."""
    x, y = place
    if grid.fold is not None:
        return (x, 2 * grid.fold - y - size.height) if grid.axis else (2 * grid.fold - x - size.width, y)
    if turns_about_vertical(grid.paper, sheet):
        x = grid.paper[0] - x - size.width
    else:
        y = grid.paper[1] - y - size.height
    return x + sheet.back_offset[0], y + sheet.back_offset[1]


def turns_about_vertical(paper: tuple[float, float], sheet: Sheet) -> bool:
    """Tell whether the paper is turned over like a page, so that right becomes left."""
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
    turned: bool,
) -> Page:
    upside_down = side == "back" and not turns_about_vertical(grid.paper, sheet)
    faces_on = _Faces(size, sheet, corners, faces)
    placed = [faces_on.place(page, corner, upside_down) for page, corner in faces]
    return _finished(placed, faces_on, corners, size, sheet, grid, f"{title} · {side}" if title else side, turned)


def _folded_page(
    fronts: Sequence[tuple[Page, tuple[float, float]]],
    backs: Sequence[tuple[Page, tuple[float, float]]],
    slots: Sequence[Slot],
    size: Size,
    sheet: Sheet,
    grid: Grid,
    title: str,
) -> Page:
    """Print fronts and backs on one side of the paper, to be folded, glued and cut."""
    corners = [s.front for s in slots] + [s.back for s in slots]
    faces_on = _Faces(size, sheet, corners, [*fronts, *backs])
    placed = [faces_on.place(page, corner, False) for page, corner in fronts]
    placed += [faces_on.place(page, corner, grid.axis == 1) for page, corner in backs]
    return _finished(placed, faces_on, corners, size, sheet, grid, f"{title} · fold and glue")


def _finished(
    placed: Sequence[Mark],
    faces_on: _Faces,
    corners: Sequence[tuple[float, float]],
    size: Size,
    sheet: Sheet,
    grid: Grid,
    title: str,
    turned: bool = True,
) -> Page:
    """Put die lines, crop marks and words around placed faces, each in a layer of its own."""
    marks: list[Mark] = [Group(tuple(placed), layer="counters")]
    if sheet.die_lines:
        outlines = "".join(rectangle(x, y, size.width, size.height, size.corner) for x, y in corners)
        marks.append(Group((Path(outlines, Paint(stroke=DIE_INK, width=MARK_LINE)),), layer="die lines"))
    marks.append(Group(tuple(_crop_marks(corners, size, sheet)), layer="crop marks"))
    if grid.fold is not None:
        marks.append(Group(tuple(_fold_line(grid, sheet)), layer="fold"))
    marks.append(Group(tuple(sheet_words(title, sheet, grid, turned)), layer="title"))
    left, top = min(x for x, _ in corners), min(y for _, y in corners)
    right, bottom = max(x for x, _ in corners) + size.width, max(y for _, y in corners) + size.height
    trim = (left, top, right - left, bottom - top)
    return Page(*grid.paper, tuple(marks), title, faces_on.symbols, trim=trim, bleed=sheet.bleed)


class _Faces:
    """The shared symbols of one page, and how each face is cut where it meets its neighbours."""

    def __init__(
        self,
        size: Size,
        sheet: Sheet,
        corners: Sequence[tuple[float, float]],
        faces: Sequence[tuple[Page, tuple[float, float]]],
    ) -> None:
        self.size = size
        self.reach = sheet.bleed if sheet.gutter == 0 else min(sheet.bleed, sheet.gutter / 2)
        self.corners = corners
        self.symbols: dict[str, Group] = {}
        self.names: dict[tuple[Mark, ...], str] = {}
        self.bleed = bleed_of_faces(sheet)
        self.corner = 0.0 if sheet.bleed else size.corner  # what bleeds is cut round by the die
        self.to_cover = [corner for page, corner in faces if _seen(page, self.bleed)[1]]

    def place(self, page: Page, corner: tuple[float, float], upside_down: bool) -> Group:
        marks, covers = _seen(page, self.bleed)
        name = self.names.get(marks)
        if name is None:
            name = self.names[marks] = f"face {len(self.names) + 1}"
            self.symbols[name] = Group(marks)
        if covers:
            self.to_cover.remove(corner)
        (x, y), w, h = corner, self.size.width, self.size.height
        beside = [(x - w, y), (x, y - h), (x + w, y), (x, y + h)]
        left, top, right, bottom = (self._beyond(place) for place in beside)
        if upside_down:
            left, top, right, bottom = right, bottom, left, top
        clip = rectangle(-left, -top, left + w + right, top + h + bottom, self.corner)
        return Group((Use(name),), _placing(corner, self.size, upside_down), clip=clip)

    def _beyond(self, beside: tuple[float, float]) -> float:
        """Return how far a face runs over its edge, mm: no colour may end up on another counter.

        It runs under a neighbour that is still to be laid over it, so that no screen shows the paper as a hairline
        along the cut.
        """
        if not _among(beside, self.corners):
            return self.reach
        return SEAM if _among(beside, self.to_cover) and not self.corner else 0.0


def _among(place: tuple[float, float], corners: Sequence[tuple[float, float]]) -> bool:
    # Compared with a tolerance: rounded, two sums of the same lengths may fall to either side of a half.
    return any(abs(place[0] - x) < SAME_PLACE and abs(place[1] - y) < SAME_PLACE for x, y in corners)


def _seen(page: Page, bleed: float) -> tuple[tuple[Mark, ...], bool]:
    """Return the marks of a face without those that a later one covers whole, and whether the first of them is whole.

    What is covered would show as a hairline along the cuts, where screens blend what lies under one another.
    """
    whole = rectangle(-bleed, -bleed, page.width + 2 * bleed, page.height + 2 * bleed)
    for i in range(len(page.marks) - 1, -1, -1):
        m = page.marks[i]
        if isinstance(m, Path) and m.data == whole and m.paint.fill and m.paint.opacity == m.paint.fill_opacity == 1:
            return page.marks[i:], True
    return page.marks, False


def _fold_line(grid: Grid, sheet: Sheet) -> list[Mark]:
    """Draw the fold as a broken line, and say so beside it."""
    assert grid.fold is not None
    paint = Paint(stroke=INK, width=MARK_LINE * 1.5, dash=(2.0, 1.2))
    m, (width, height) = sheet.margin, grid.paper
    if grid.axis:
        return [Path(polyline([(m, grid.fold), (width - m, grid.fold)]), paint)]
    return [Path(polyline([(grid.fold, m + TITLE_ROOM), (grid.fold, height - m - TITLE_ROOM)]), paint)]


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


def sheet_words(title: str, sheet: Sheet, grid: Grid, turned: bool = True) -> list[Mark]:
    """Draw the title and, at the foot, a ruler that shows whether the printer kept the size.

    turned: the paper has a second side, or is folded.
    """
    width, height = grid.paper
    ink = Paint(fill=INK)
    out: list[Mark] = []
    out.append(Path(outline(title, "sans-bold", 3.6, width / 2, sheet.margin + 3.2), ink))
    base = height - sheet.margin
    left = width / 2 - 25
    ticks = "".join(polyline([(left + i, base), (left + i, base - (2.0 if i % 10 == 0 else 1.0))]) for i in range(51))
    out.append(Path(polyline([(left, base), (left + 50, base)]) + ticks, Paint(stroke=INK, width=MARK_LINE)))
    turn = f"; turn the paper over its {sheet.flip.replace('-', ' ')}" if turned else ""
    note = "50 mm at actual size" + ("; fold along the broken line" if grid.fold is not None else turn)
    out.append(Path(outline(note, "sans", 2.4, width / 2, base - 3.0), ink))
    return out
