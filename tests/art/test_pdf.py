"""PDF: exact page sizes, vectors only, the same bytes every time."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from pypdf import PdfReader

from toolchain.art import pdf
from toolchain.art.marks import Group, Page, Paint, Path, Use, circle, rectangle, shifted, walk
from toolchain.art.pdf import split_page, to_pdf

SHEET = Page(558.8, 863.6, (Path(rectangle(10, 20, 30, 40), Paint(fill="#ff0000")),))
A4 = Page(210, 297, (Path(rectangle(0, 0, 210, 297), Paint(fill="#00ff00")),))


def test_every_page_has_its_own_exact_size() -> None:
    reader = PdfReader(io.BytesIO(to_pdf([SHEET, A4])))
    sizes = [(float(p.mediabox.width) * 25.4 / 72, float(p.mediabox.height) * 25.4 / 72) for p in reader.pages]
    assert sizes == [pytest.approx((558.8, 863.6), abs=0.01), pytest.approx((210, 297), abs=0.01)]


def test_title_of_the_document() -> None:
    reader = PdfReader(io.BytesIO(to_pdf([A4], 'A "quoted" \\ title')))
    assert reader.metadata is not None
    assert reader.metadata.title == 'A "quoted" \\ title'
    assert reader.metadata.creation_date is None


def test_vectors_only() -> None:
    page = PdfReader(io.BytesIO(to_pdf([SHEET]))).pages[0]
    assert list(page.images) == []


def test_same_pages_same_bytes() -> None:
    assert to_pdf([SHEET, A4]) == to_pdf([SHEET, A4])


def test_a_page_too_rich_for_one_drawing_is_laid_in_parts() -> None:
    dot = Group((Path(circle(0, 0, 1), Paint(fill="#ff0000")),))
    dots = tuple(Use("dot", shifted(10 + i, 20)) for i in range(100))
    page = replace(A4, marks=(*A4.marks, Group(dots, id="dots", clip=rectangle(0, 0, 50, 50))), symbols={"dot": dot})
    parts = split_page(page, 120)
    assert len(parts) > 3 and all((p.width, p.height) == (210, 297) for p in parts)
    uses = [m for p in parts for m in walk(p.marks) if isinstance(m, Use)]
    assert uses == list(dots)
    assert all(m.clip for p in parts for m in p.marks if isinstance(m, Group))
    assert split_page(page) == [page]


def test_parts_come_to_one_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pdf, "split_page", lambda page: split_page(page, 1))
    page = replace(A4, marks=A4.marks * 3)
    assert len(PdfReader(io.BytesIO(to_pdf([page, SHEET]))).pages) == 2
