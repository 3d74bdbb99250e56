"""PDF: exact page sizes, vectors only, the same bytes every time."""

from __future__ import annotations

import io

import pytest
from pypdf import PdfReader

from toolchain.art.marks import Page, Paint, Path, rectangle
from toolchain.art.pdf import to_pdf

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
