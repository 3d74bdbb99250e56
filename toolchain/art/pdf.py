"""Bind pages into one vector PDF with typst: each page at its exact size, the same bytes every time.

pypdf then writes the boxes that print shops ask for: MediaBox the paper, BleedBox and TrimBox what is cut.
"""

from __future__ import annotations

import io
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from toolchain.art.marks import Group, Mark, Page, Use, num
from toolchain.art.svg import to_svg

MOST_NODES = 500_000  # typst reads at most a million nodes of one SVG, each use of a symbol counted in full


def to_pdf(pages: Sequence[Page], title: str = "") -> bytes:
    """Write pages as one PDF.

    pages: at least one; sizes may differ, and a page may hold any number of marks. title: of the document.
    Returns the bytes of the PDF: vectors only, no fonts, no date.
    """
    drawings = [([to_svg(part) for part in split_page(p)], p.width, p.height) for p in pages]
    return with_boxes(_bind(drawings, title), pages)


def svgs_to_pdf(drawings: Sequence[tuple[str, float, float]], title: str = "", pages: Sequence[Page] = ()) -> bytes:
    """Write SVG texts as one PDF: each with the width and height of its page in millimetres. See `to_pdf`.

    pages: those that the SVG texts were made from, for the boxes; without them the whole paper is the trim.
    Raises typst.TypstError for an SVG of a million nodes or more; `to_pdf` splits such a page.
    """
    blank = [Page(width, height, ()) for _, width, height in drawings]
    return with_boxes(_bind([([svg], width, height) for svg, width, height in drawings], title), pages or blank)


def with_boxes(pdf: bytes, pages: Sequence[Page]) -> bytes:
    """Write the boxes of each page into a PDF: MediaBox, CropBox, BleedBox, TrimBox, in points, to a micrometre."""
    from pypdf import PdfWriter
    from pypdf.generic import ArrayObject, FloatObject, NameObject

    def box(left: float, top: float, right: float, bottom: float, height: float) -> ArrayObject:
        sides = (left, height - bottom, right, height - top)  # PDF counts from the foot of the page
        return ArrayObject([FloatObject(f"{side * 72 / 25.4:.4f}") for side in sides])

    writer = PdfWriter(clone_from=io.BytesIO(pdf))
    for written, page in zip(writer.pages, pages, strict=True):
        whole = (0.0, 0.0, page.width, page.height)
        x, y, w, h = page.trim or whole
        bled = (
            max(0.0, x - page.bleed),
            max(0.0, y - page.bleed),
            min(page.width, x + w + page.bleed),
            min(page.height, y + h + page.bleed),
        )
        for name, sides in (
            ("/MediaBox", whole),
            ("/CropBox", whole),
            ("/BleedBox", bled),
            ("/TrimBox", (x, y, x + w, y + h)),
        ):
            written[NameObject(name)] = box(*sides, page.height)
    writer.add_metadata({"/Producer": "wargame-toolchain"})
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def split_page(page: Page, most: int = MOST_NODES) -> list[Page]:
    """Cut a page into pages of at most so many nodes that give the same picture when laid one over the other."""
    weights = {name: _weight(s.marks, {}) for name, s in page.symbols.items()}
    if _weight(page.marks, weights) <= most:
        return [page]
    return [replace(page, marks=tuple(part)) for part in _cut(page.marks, weights, most)]


def _weight(marks: Iterable[Mark], symbols: dict[str, int]) -> int:
    total = 0
    for m in marks:
        if isinstance(m, Group):
            total += 1 + _weight(m.marks, symbols)
        else:
            total += 3 + symbols.get(m.name, 0) if isinstance(m, Use) else 1
    return total


def _cut(marks: Iterable[Mark], symbols: dict[str, int], most: int) -> Iterator[list[Mark]]:
    part: list[Mark] = []
    room = most
    for m in marks:
        weight = _weight((m,), symbols)
        if weight > room and part:
            yield part
            part, room = [], most
        if weight > most and isinstance(m, Group) and m.opacity == 1:  # a translucent group is one picture: keep it
            for inner in _cut(m.marks, symbols, most - 1):
                yield [replace(m, marks=tuple(inner))]
        else:
            part.append(m)
            room -= weight
    if part:
        yield part


def _bind(pages: Sequence[tuple[Sequence[str], float, float]], title: str) -> bytes:
    import typst

    lines = [f"#set document(title: {_string(title)}, date: none)"]
    with tempfile.TemporaryDirectory() as folder:
        for i, (layers, width, height) in enumerate(pages):
            size = f"width: {num(width)}mm, height: {num(height)}mm"
            images = []
            for j, svg in enumerate(layers):
                name = f"{i}-{j}.svg"
                Path(folder, name).write_text(svg, encoding="utf-8")
                images.append(f'#place(top + left, image("{name}", {size}, fit: "stretch"))')
            lines.append(f"#page({size}, margin: 0mm)[{''.join(images)}]")
        main = Path(folder, "main.typ")
        main.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return bytes(typst.compile(str(main), root=folder, format="pdf", ignore_system_fonts=True, pdf_tags=False))


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'
