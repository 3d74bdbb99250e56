"""Cases for the codes of tables, pictures, fonts and papers of counters."""

from __future__ import annotations

from pathlib import Path

import cases_counters as plain

from toolchain.art.charts import build_chart
from toolchain.art.imposition import build_grid
from toolchain.report import Location, Report
from toolchain.sources.artwork import is_font, read_artwork, read_picture
from toolchain.sources.decode.counters import decode_counters
from toolchain.sources.decode.style import Sheet, Size, decode_style
from toolchain.sources.documents import read_table

FONT = Path(__file__).parents[2] / "toolchain" / "art" / "fonts" / "BarlowCondensed-SemiBold.ttf"
HEAD = '<svg xmlns="http://www.w3.org/2000/svg" width="10mm" height="10mm" viewBox="0 0 10 10">'
DISC = '<circle cx="5" cy="5" r="4" fill="#aa0000"/>'


def table(text: str, encoding: str = "utf-8"):
    def call(folder: Path) -> Report:
        report = Report()
        (folder / "units.csv").write_bytes(text.encode(encoding))
        read = read_table(folder / "units.csv", "units.csv", report)
        assert read is not None
        decode_counters(read, {}, report)
        return report

    return call


def picture(inner: str):
    def call(folder: Path) -> Report:
        report = Report()
        (folder / "tank.svg").write_text(HEAD + inner + "</svg>", "utf-8")
        read_picture(folder / "tank.svg", "tank.svg", Location("units.csv", 2), report)
        return report

    return call


def font(data: bytes):
    def call(folder: Path) -> Report:
        report = Report()
        is_font(data, "title.ttf", Location("style.toml", key="fonts.title.file"), report)
        return report

    return call


def paper(**changes):
    def call(folder: Path) -> Report:
        report = Report()
        build_grid(Size(width=10, height=10), Sheet(paper="given", **changes), report)
        return report

    return call


def track(text: str):
    def call(folder: Path) -> Report:
        report = Report()
        (folder / "turns.csv").write_text(text, "utf-8")
        raw = plain.style_of(charts={"turns": {"draw": "track", "file": "turns.csv"}})
        style = decode_style(raw, "style.toml", report)
        assert style is not None
        style = style.with_artwork(read_artwork(folder, ".", style, (), report))
        build_chart("turns", style, report)
        return report

    return call


CASES = {
    "C105": (table("id,name\na,Führer\n", "cp1252"), table("id,name\na,Führer\n")),
    "C106": (table("id,name,attack\na,A,=B4+1\n"), table("id,name,attack\na,A,=\n")),
    "C107": (table("id,name,symbl\na,A,infantry\n"), table("id,name,zeal\na,A,high\n")),
    "C108": (
        table("id,name,strength,step2_strength,step3_strength\na,A,4,,2\n"),
        table("id,name,strength,step2_strength,step3_strength\na,A,4,3,2\nb,B,4,,\n"),
    ),
    "C109": (plain.style({**plain.TEXT, "font": "sans-blod"}), plain.style({**plain.TEXT, "font": "sans-bold"})),
    "C110": (
        table("id,name,copies\na,A,9000\nb,B,900\nc,C,101\n"),
        table("id,name,copies\na,A,9000\nb,B,900\nc,C,100\n"),
    ),
    "C114": (table("id;name;text\na;A;one, two\n"), table("id,name,text\na,A,one; two\n")),
    "C207": (picture(DISC + "<script>alert(1)</script>"), picture(DISC)),
    "C208": (picture(DISC + '<text x="1" y="2">Pz</text>'), picture(DISC)),
    "C209": (font(b"no font at all"), font(FONT.read_bytes())),
    "C302": (track("turn\n1\n"), track("text\n1\n")),
    "C301": (paper(), paper(width=200, height=200)),
}
