"""How long counters take, in proportion: faces from cold, with one row changed, and a PDF of the sheets.

The naive form draws every face anew and writes each with svgwrite, without shared symbols and without kept faces.

Run by hand: python tests/benchmarks/counters.py
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from toolchain.art.faces import build_faces
from toolchain.art.imposition import build_sheets
from toolchain.art.marks import Group, Page, shifted
from toolchain.art.pdf import to_pdf
from toolchain.art.svg import to_svg
from toolchain.export.facecache import draw_all
from toolchain.model.forces import Counter, Face
from toolchain.report import Report
from toolchain.sources.decode.style import decode_style

ARMS = ("infantry", "armor", "mech infantry", "artillery", "engineer", "airborne", "mountain", "reconnaissance")
SIZES = ("battalion", "regiment", "brigade", "division", "corps")
REPORT = Report()
STYLE = decode_style({"format": 1, "like": "standard"}, "style.toml", REPORT)


def counters(count: int) -> list[Counter]:
    """Make two-sided units, all different."""
    return [
        Counter(
            f"u{i}",
            f"Unit {i}",
            symbol=f"{ARMS[i % 8]} {SIZES[i // 8 % 5]}",
            faces=(
                Face({"attack": i % 9, "defence": i % 7, "movement": i % 12}),
                Face({"attack": i % 5, "defence": i % 4, "movement": i % 12}),
            ),
            attributes={"text": f"{i}"},
        )
        for i in range(count)
    ]


def timed(call: Callable[[], Any]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def pdf(units: list[Counter]) -> None:
    """Lay the units out and write the PDF."""
    faces = draw_all(units, STYLE, REPORT, STYLE.sheet.bleed)
    sheets = build_sheets([(c, faces[c.id]) for c in units], STYLE.sizes["5/8"], STYLE.sheet, REPORT)
    to_pdf([p for s in sheets for p in (s.front, s.back) if p is not None])


def naive_pdf(units: list[Counter]) -> None:
    """Write every face where it stands, nothing shared."""
    pages = [p for c in units for p in build_faces(c, STYLE, REPORT)]
    marks = [Group(p.marks, shifted(10 + i % 11 * 17, 10 + i // 11 % 16 * 17)) for i, p in enumerate(pages)]
    to_pdf([Page(210, 297, tuple(marks[i : i + 176])) for i in range(0, len(marks), 176)])


if __name__ == "__main__":
    assert STYLE is not None
    print(f"{'counters':>9}{'cold s':>9}{'warm s':>9}{'one row s':>11}{'naive s':>9}{'PDF s':>8}{'naive PDF':>11}")
    for count in (100, 400, 1000, 2000):
        units = counters(count)
        changed = [*units[:-1], replace(units[-1], attributes={"text": "new"})]
        with tempfile.TemporaryDirectory() as folder:
            cold = timed(lambda: draw_all(units, STYLE, REPORT, folder=Path(folder)))  # noqa: B023
            warm = timed(lambda: draw_all(units, STYLE, REPORT, folder=Path(folder)))  # noqa: B023
            one = timed(lambda: draw_all(changed, STYLE, REPORT, folder=Path(folder)))  # noqa: B023
        naive = timed(lambda: [to_svg(p) for c in units for p in build_faces(c, STYLE, Report())])  # noqa: B023
        sheets, plain = timed(lambda: pdf(units)), timed(lambda: naive_pdf(units))  # noqa: B023
        print(f"{count:9}{cold:9.2f}{warm:9.2f}{one:11.2f}{naive:9.2f}{sheets:8.2f}{plain:11.2f}")
