"""Bind pages into one vector PDF with typst: each page at its exact size, the same bytes every time."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from toolchain.art.marks import Page, num
from toolchain.art.svg import to_svg


def to_pdf(pages: Sequence[Page], title: str = "") -> bytes:
    """Write pages as one PDF.

    pages: at least one; sizes may differ. title: of the document. Returns the bytes of the PDF: vectors only, no
    fonts, no date.
    """
    return svgs_to_pdf([(to_svg(p), p.width, p.height) for p in pages], title)


def svgs_to_pdf(drawings: Sequence[tuple[str, float, float]], title: str = "") -> bytes:
    """Write SVG texts as one PDF: each with the width and height of its page in millimetres. See `to_pdf`."""
    import typst

    lines = [f"#set document(title: {_string(title)}, date: none)"]
    with tempfile.TemporaryDirectory() as folder:
        for i, (svg, width, height) in enumerate(drawings):
            name = f"{i}.svg"
            Path(folder, name).write_text(svg, encoding="utf-8")
            size = f"width: {num(width)}mm, height: {num(height)}mm"
            lines.append(f'#page({size}, margin: 0mm, image("{name}", {size}, fit: "stretch"))')
        main = Path(folder, "main.typ")
        main.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return bytes(typst.compile(str(main), root=folder, format="pdf", ignore_system_fonts=True, pdf_tags=False))


def _string(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") + '"'
