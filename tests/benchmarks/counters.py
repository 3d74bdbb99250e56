"""How long counters take, in proportion and beside a peer: faces from cold, one row changed, the sheets as PDF.

Every measurement runs in a process of its own, so that nothing is warm but the imports. `floor` draws every face anew
and writes it, without keeping anything: what is kept must cost little more. The peer is protograf, given the same
sheets with the same things on each face: paper, the frame with its cross, size, factors, number, and a stripe behind;
above PEER_MOST counters it takes minutes and is left out. Times are of the processor, in seconds, so that a busy
machine does not count; typst works on several threads.

Run by hand, with the extra `bench` installed: python tests/benchmarks/counters.py
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

ARMS = ("infantry", "armor", "mech infantry", "artillery", "engineer", "airborne", "mountain", "reconnaissance")
SIZES = ("battalion", "regiment", "brigade", "division", "corps")
INCH = 2.54  # cm
PEER_MOST = 400
LIBRARIES = {
    "ours": (
        "toolchain.export.facecache",
        "toolchain.art.imposition",
        "toolchain.art.pdf",
        "milsymbol",
        "typst",
        "pypdf",
    ),
    "peer": ("protograf",),
}


def units(count: int):
    """Make two-sided units, all different."""
    from toolchain.model.forces import Counter, Face

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


def style():
    from toolchain.report import Report
    from toolchain.sources.decode.style import decode_style

    return decode_style({"format": 1, "like": "standard"}, "style.toml", Report())


def faces(count: int, folder: str, *, one_changed: bool = False) -> None:
    """Draw all faces as SVG, kept in a folder. one_changed: the last row is another than the last time."""
    from toolchain.export.facecache import draw_all
    from toolchain.report import Report

    rows = units(count)
    if one_changed:
        rows[-1] = replace(rows[-1], attributes={"text": "new"})
    drawn = draw_all(rows, style(), Report(), folder=Path(folder) if folder else None)
    assert sum(len(drawn.svgs(c.id)) for c in rows) == 2 * count


def sheets(count: int, folder: str) -> None:
    """Lay the counters out, fronts and backs, and write the PDF."""
    from toolchain.art.imposition import build_sheets
    from toolchain.art.pdf import to_pdf
    from toolchain.export.facecache import draw_all
    from toolchain.report import Report

    look, rows, report = style(), units(count), Report()
    drawn = draw_all(rows, look, report, look.sheet.bleed)
    pages = build_sheets([(c, drawn[c.id]) for c in rows], look.sizes["5/8"], look.sheet, report)
    Path(folder, "sheets.pdf").write_bytes(to_pdf([p for s in pages for p in (s.front, s.back) if p is not None]))


def peer(count: int, folder: str) -> None:
    """Let protograf make the same sheets."""
    os.chdir(folder)
    sys.argv = ["peer.py", "-d", folder]
    import protograf as p

    data = [["ID", "FRONT", "BACK", "SIZE"]]
    data += [
        [i + 1, f"{i % 9}-{i % 7}-{i % 12}", f"{i % 5}-{i % 4}-{i % 12}", ("II", "III", "X", "XX", "XXX")[i // 8 % 5]]
        for i in range(count)
    ]
    side = 5 / 8 * INCH
    p.Create(filename="peer.pdf", paper="A4", margin=1.2)
    p.Data(data_list=data)
    p.CounterSheet(width=side, height=side, fill="#e9dfc4", stroke="#e9dfc4", cards=count)
    x, y, w, h = side * 0.25, side * 0.253, side * 0.5, side * 0.333
    symbol = [
        p.rectangle(x=x, y=y, width=w, height=h, fill="#f9f6ee", stroke_width=0.77),
        p.line(x=x, y=y, x1=x + w, y1=y + h, stroke_width=0.77),
        p.line(x=x, y=y + h, x1=x + w, y1=y, stroke_width=0.77),
        p.text(text=p.T("{{ SIZE }}"), x=side / 2, y=side * 0.2, font_size=5),
        p.text(text=p.T("{{ ID }}"), x=side * 0.13, y=side * 0.47, font_size=6),
    ]
    stripe = p.rectangle(x=0, y=side * 0.65, width=side, height=side * 0.35, fill="#f9f6ee", stroke="#f9f6ee")
    p.Counter("*", *symbol, p.text(text=p.T("{{ FRONT }}"), x=side / 2, y=side * 0.92, font_size=15))
    p.CounterBack("*", *symbol, stripe, p.text(text=p.T("{{ BACK }}"), x=side / 2, y=side * 0.92, font_size=15))
    with contextlib.redirect_stdout(io.StringIO()):
        p.Save()
    assert Path(folder, "peer.pdf").stat().st_size > 1000


WHAT = {
    "floor": lambda n, folder: faces(n, ""),
    "cold": faces,
    "warm": faces,
    "one": lambda n, folder: faces(n, folder, one_changed=True),
    "sheets": sheets,
    "peer": peer,
}


def measured(what: str, count: int, folder: str) -> float:
    """Run one measurement in a process of its own and return its processor time, s."""
    run = subprocess.run([sys.executable, __file__, what, str(count), folder], capture_output=True, text=True)
    if run.returncode:
        raise RuntimeError(run.stderr)
    return float(run.stdout.split()[-1])


def table(counts: tuple[int, ...]) -> None:
    with_peer = find_spec("protograf") is not None
    print(f"{'counters':>9}{'floor':>8}{'cold':>8}{'one row':>9}{'warm':>8}{'PDF':>8}{'protograf':>11}{'ratio':>7}")
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            got = {w: measured(w, count, folder) for w in ("floor", "cold", "one", "warm", "sheets")}
            row = (
                f"{count:9}{got['floor']:8.2f}{got['cold']:8.2f}{got['one']:9.2f}{got['warm']:8.2f}{got['sheets']:8.2f}"
            )
            if with_peer and count <= PEER_MOST:
                theirs = measured("peer", count, folder)
                row += f"{theirs:11.2f}{theirs / got['sheets']:7.1f}"
            print(row, flush=True)
    if not with_peer:
        print("protograf is not installed: pip install '.[bench]'")


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] in WHAT:
        what, number, place = sys.argv[1:]
        for name in LIBRARIES["peer" if what == "peer" else "ours"]:
            importlib.import_module(name)
        start = time.process_time()
        WHAT[what](int(number), place)
        print(time.process_time() - start)
    else:
        table(tuple(int(a) for a in sys.argv[1:]) or (100, 400, 1000, 2000))
