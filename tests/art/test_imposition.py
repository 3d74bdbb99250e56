"""Counter sheets: every counter once per copy, on the paper, and backs that coincide with their fronts."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from PIL import Image
from pypdf import PdfReader

from toolchain.art.imposition import SEAM, SheetPages, build_grid, build_sheets
from toolchain.art.marks import Group, Page, Paint, Path, Use, rectangle, walk
from toolchain.art.pdf import to_pdf
from toolchain.art.png import to_png
from toolchain.art.svg import to_svg
from toolchain.model.forces import Counter
from toolchain.report import Report
from toolchain.sources.decode.style import Sheet, Size

HALF = Size(width=12.7, height=12.7)


def page(colour: str, size: Size = HALF, bleed: float = 0.0, band: str = "") -> Page:
    """A face of one colour, with a band across its foot if it has one."""
    left, wide = -bleed, size.width + 2 * bleed
    marks = [Path(rectangle(left, left, wide, size.height + 2 * bleed), Paint(fill=colour))]
    if band:
        marks.append(Path(rectangle(left, 0.6 * size.height, wide, 0.4 * size.height + bleed), Paint(fill=band)))
    return Page(size.width, size.height, tuple(marks))


def counters(count: int, backs: bool = True, copies: int = 1, size: Size = HALF) -> list[tuple[Counter, list[Page]]]:
    pages = [page("#aa0000", size), page("#0000aa", size)][: 1 + backs]
    return [(Counter(f"c{i}", f"C{i}", copies=copies), pages) for i in range(count)]


def sheets(faces: Any, size: Size = HALF, **changes: Any) -> tuple[SheetPages, ...]:
    report = Report()
    got = build_sheets(faces, size, Sheet(**changes), report, "Tiny")
    assert not len(report), list(map(str, report))
    return got


def turned(sheet: SheetPages, corner: tuple[float, float], flip: str, size: Size) -> tuple[float, float]:
    """Where a corner of the back page comes to lie on the front page once the paper is turned over."""
    about_vertical = (flip == "long-edge") == (sheet.width <= sheet.height)
    x, y = corner
    return (sheet.width - x - size.width, y) if about_vertical else (x, sheet.height - y - size.height)


@given(
    count=st.integers(1, 400),
    width=st.floats(9.0, 45.0),
    height=st.floats(9.0, 45.0),
    gutter=st.sampled_from([0.0, 1.0, 3.3]),
    block=st.sampled_from([(0, 0), (2, 3), (0, 2)]),
    paper=st.sampled_from([{"paper": "a4"}, {"paper": "letter"}, {"paper": "given", "width": 420, "height": 297}]),
    flip=st.sampled_from(["long-edge", "short-edge"]),
)
@settings(max_examples=60, deadline=None)
def test_each_back_coincides_with_its_front(
    count: int,
    width: float,
    height: float,
    gutter: float,
    block: tuple[int, int],
    paper: dict[str, Any],
    flip: str,
) -> None:
    size = Size(width=width, height=height)
    got = sheets(counters(count, size=size), size, gutter=gutter, block=block, flip=flip, **paper)
    slots = [(s, slot) for s in got for slot in s.slots]
    assert [slot.counter for _, slot in slots] == [f"c{i}" for i in range(count)]
    for sheet, slot in slots:
        assert turned(sheet, slot.back, flip, size) == pytest.approx(slot.front)
        assert slot.front[0] >= 12 and slot.front[0] + width <= sheet.width - 12
        assert slot.front[1] >= 12 and slot.front[1] + height <= sheet.height - 12
    for sheet in got:
        places = [slot.front for slot in sheet.slots]
        for i, (x, y) in enumerate(places):
            for u, v in places[i + 1 :]:
                assert abs(x - u) > width - 1e-6 or abs(y - v) > height - 1e-6, "no counter lies on another"


@pytest.mark.parametrize(("flip", "upright"), [("long-edge", True), ("short-edge", False)])
def test_backs_are_drawn_where_their_slots_are(flip: str, upright: bool) -> None:
    (sheet,) = sheets(counters(7), flip=flip)
    assert sheet.back is not None
    groups = [m for m in walk(sheet.back.marks) if isinstance(m, Group) and m.marks and isinstance(m.marks[0], Use)]
    drawn = [g.matrix[4:] if upright else (g.matrix[4] - 12.7, g.matrix[5] - 12.7) for g in groups]
    assert drawn == [pytest.approx(s.back) for s in sheet.slots]
    assert {g.matrix[:4] for g in groups} == {(1, 0, 0, 1) if upright else (-1, 0, 0, -1)}


def test_a_partial_last_row_is_mirrored_to_the_other_side() -> None:
    (sheet,) = sheets(counters(14))
    columns = len({s.front[0] for s in sheet.slots})
    last = sheet.slots[-1]
    assert 14 % columns, "the last row is partial"
    assert sum(s.front[1] == last.front[1] for s in sheet.slots) == 14 % columns
    assert last.back[0] > sheet.width / 2 or 14 % columns > columns / 2


def test_back_offset_shifts_the_backs_only() -> None:
    (plain,), (moved,) = sheets(counters(5)), sheets(counters(5), back_offset=(0.7, -0.4))
    for a, b in zip(plain.slots, moved.slots, strict=True):
        assert a.front == b.front
        assert (b.back[0] - a.back[0], b.back[1] - a.back[1]) == pytest.approx((0.7, -0.4))


def test_nothing_is_folded_where_nothing_has_a_back() -> None:
    (sheet,) = sheets(counters(40, backs=False), backs="fold")
    assert sheet.back is None and "fold" not in {m.layer for m in sheet.front.marks if isinstance(m, Group)}
    assert [s.front for s in sheet.slots] == [s.front for s in sheets(counters(40, backs=False))[0].slots]
    (folded,) = sheets(counters(40), backs="fold")
    assert "fold" in {m.layer for m in folded.front.marks if isinstance(m, Group)}


def test_copies_are_printed_and_shared() -> None:
    got = sheets(counters(2, copies=150))
    assert [(s.counter, s.copy) for p in got for s in p.slots] == [(c, n) for c in ("c0", "c1") for n in range(1, 151)]
    assert len(got) == 2 and "sheet 1 of 2" in got[0].front.title
    assert all(len(p.front.symbols) == 1 for p in got), "equal faces are one symbol"


def test_counters_without_backs_leave_theirs_white_and_all_without_give_no_back_page() -> None:
    assert sheets(counters(3, backs=False))[0].back is None
    mixed = [*counters(2), (Counter("z", "Z"), [page("#00aa00")]), *counters(1)]
    (sheet,) = sheets(mixed)
    assert sheet.back is not None
    uses = [m for m in walk(sheet.back.marks) if isinstance(m, Use)]
    assert len(uses) == 3 and len(sheet.slots) == 4


def test_a_face_bleeds_only_where_no_counter_touches_it() -> None:
    def clips(**changes: Any) -> list[str]:
        front = sheets(counters(40), **changes)[0].front
        return [m.clip for m in walk(front.marks) if isinstance(m, Group) and m.clip]

    touching = clips(bleed=1.5)
    assert touching[0] == rectangle(-1.5, -1.5, 14.2, 14.2)  # the first corner is free above and to the left
    assert rectangle(0, 0, 12.7, 12.7) in touching  # one in the middle
    assert set(clips(bleed=1.5, gutter=2.0)) == {rectangle(-1, -1, 14.7, 14.7)}  # no farther than half the gutter


@settings(deadline=None)
@example(1800, 8.0, 200)  # nine sixteenths, where rounded sums of lengths fell apart
@given(st.integers(1600, 3200), st.floats(5, 12), st.integers(2, 200))
def test_no_bleed_lies_on_a_counter_whatever_its_size(width: int, margin: float, count: int) -> None:
    size = Size(width=width * 25.4 / 3200, height=width * 25.4 / 3200)  # odd parts of an inch
    for page_ in sheets(counters(count, size=size), size, bleed=1.5, margin=margin):
        clips = [m.clip for m in walk(page_.front.marks) if isinstance(m, Group) and m.clip]
        places = [s.front for s in page_.slots]
        for clip, (x, y) in zip(clips, places, strict=True):
            has = [any(abs(x + dx - i) < 0.1 and abs(y + dy - j) < 0.1 for i, j in places) for dx, dy in (
                (-size.width, 0), (0, -size.height), (size.width, 0), (0, size.height),
            )]  # fmt: skip
            left, top, right, bottom = (0.0 if h else 1.5 for h in has)
            assert clip == rectangle(-left, -top, left + size.width + right, top + size.height + bottom)


def test_crop_marks_stand_clear_of_the_bleed_and_each_once() -> None:
    (sheet,) = sheets(counters(30), bleed=1.5)
    layer = next(m for m in sheet.front.marks if isinstance(m, Group) and m.layer == "crop marks")
    data = next(m for m in layer.marks if isinstance(m, Path)).data
    lines = re.findall(r"M(\S+) (\S+?)L(\S+) (\S+?)(?=M|$)", data)
    assert len(lines) == len(set(lines)) > 0
    for x0, y0, x1, y1 in ([float(n) for n in line] for line in lines):
        for slot in sheet.slots:
            left, top = slot.front
            beside_x = max(x0, x1) < left - 1.5 or min(x0, x1) > left + 12.7 + 1.5
            beside_y = max(y0, y1) < top - 1.5 or min(y0, y1) > top + 12.7 + 1.5
            assert beside_x or beside_y, (x0, y0, x1, y1, slot)


def test_die_lines_are_a_layer_of_their_own_on_request() -> None:
    def layers(**changes: Any) -> list[str]:
        return [m.layer for m in sheets(counters(2), **changes)[0].front.marks if isinstance(m, Group)]

    assert "die lines" not in layers() and "die lines" in layers(die_lines=True)


def test_blocks_stand_apart() -> None:
    report = Report()
    grid = build_grid(HALF, Sheet(block=(3, 2), gap=5), report)
    assert grid is not None and not len(report)
    assert grid.place(1)[0] - grid.place(0)[0] == pytest.approx(12.7)
    assert grid.place(3) == pytest.approx((grid.place(0)[0], grid.place(0)[1] + 12.7))
    assert grid.place(6)[0] - grid.place(2)[0] == pytest.approx(12.7 + 5)


def test_the_paper_of_the_pdf_is_exact() -> None:
    (sheet,) = sheets(counters(3), paper="letter")
    assert sheet.back is not None
    pdf = PdfReader(io.BytesIO(to_pdf([sheet.front, sheet.back])))
    sizes = [(float(p.mediabox.width), float(p.mediabox.height)) for p in pdf.pages]
    assert sizes == [pytest.approx((612, 792), abs=0.01)] * 2


@pytest.mark.parametrize("bleed", [0.0, 1.0])
def test_no_hairline_shows_between_touching_counters_and_no_colour_on_a_neighbour(bleed: float) -> None:
    size, red, dark, white = Size(width=10.03, height=10.03), (170, 0, 0), (0, 0, 40), (255, 255, 255)
    faces = [page("#aa0000", size, max(bleed, SEAM), "#000028")] * 2
    many = [(Counter(f"c{i}", "C"), faces[: 1 if i == 8 else 2]) for i in range(30)]
    (sheet,) = sheets(many, size, block=(6, 5), bleed=bleed)
    per_mm = 117 / 25.4
    for side, drawn in (("front", sheet.front), ("back", sheet.back)):
        assert drawn is not None
        pixels = Image.open(io.BytesIO(to_png(drawn, 117, "#ffffff"))).convert("RGB")
        corners = [getattr(s, side) for s in sheet.slots]
        for i, (x, y) in enumerate(corners):
            bare = side == "back" and i == 8
            for high, colour in ((0.6, red), (3, red), (8, dark), (9.4, dark)):
                want = white if bare else colour
                for across in (0.6, 5, 9.4):
                    seen = pixels.getpixel(((x + across) * per_mm, (y + high) * per_mm))
                    assert np.allclose(seen, want, atol=2), (side, i, seen)
        left, top = min(corners)[0], min(y for _, y in corners)
        for row in range(5):  # along the bands of each row, over the cuts between its counters
            y = round((top + row * size.height + 8) * per_mm)
            along = [pixels.getpixel((x, y)) for x in range(int((left + 0.5) * per_mm), int((left + 59.5) * per_mm))]
            assert (side == "back" and row == 1) or set(along) == {dark}, (side, row, "the paper shows nowhere")


def test_corners_are_round_where_nothing_bleeds() -> None:
    size = Size(width=20, height=30, corner=3)
    for bleed, corner in ((0.0, (255, 255, 255)), (1.5, (170, 0, 0))):
        (sheet,) = sheets([(Counter("a", "A", copies=4), [page("#aa0000", size, 1.5)])], size, bleed=bleed)
        pixels = Image.open(io.BytesIO(to_png(sheet.front, 254, "#ffffff"))).convert("RGB")
        for x, y in (s.front for s in sheet.slots):
            assert pixels.getpixel((round(x * 10) + 3, round(y * 10) + 3)) == corner


def test_what_a_face_covers_whole_is_not_printed_under_it() -> None:
    under, over = page("#00aa00", bleed=SEAM), page("#aa0000", bleed=SEAM)
    both = Page(12.7, 12.7, under.marks + over.marks)
    (sheet,) = sheets([(Counter("a", "A"), [both]), (Counter("b", "B"), [over])], bleed=0)
    assert len(sheet.front.symbols) == 1, "they look alike"
    assert "#00aa00" not in to_svg(sheet.front)
