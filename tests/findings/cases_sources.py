"""Cases for the codes S001 to S099: files, keys, values, names."""

from __future__ import annotations

from pathlib import Path

from toolchain.catalogue import REPEATED
from toolchain.checks.acceptance import apply_acceptances
from toolchain.model.forces import Counter, Side
from toolchain.model.game import Acceptance, Event
from toolchain.report import Finding, Location, Report
from toolchain.sources.decode.counters import decode_counters
from toolchain.sources.decode.games import decode_game
from toolchain.sources.decode.setups import decode_setup
from toolchain.sources.documents import inside, read_bytes, read_table, read_toml

SIDES = {"red": Side("red", "Red", ("R",)), "blue": Side("blue", "Blue", ("B",))}
COUNTERS = {"r1": Counter("r1", "Red 1", side="red")}
EVENTS = {"rain": Event("rain", "Rain")}


def toml(text: str):
    def call(folder: Path) -> Report:
        report = Report()
        if text:
            (folder / "a.toml").write_bytes(text.encode())
        read_toml(folder / "a.toml", "a.toml", report)
        return report

    return call


def game(**changes):
    def call(folder: Path) -> Report:
        report = Report()
        raw = {"format": 1, "title": "Tiny", "sides": {"red": {"title": "Red"}}, **changes}
        decode_game({k: v for k, v in raw.items() if v is not None}, "game.toml", report)
        return report

    return call


def table(text: str, read=None):
    def call(folder: Path) -> Report:
        report = Report()
        (folder / "t.csv").write_text(text, "utf-8")
        got = read_table(folder / "t.csv", "t.csv", report)
        if got and read:
            read(got, report)
        return report

    return call


def counters(text: str):
    return table(text, lambda got, report: decode_counters(got, SIDES, report))


def setup(text: str):
    return table(text, lambda got, report: decode_setup(got, "s", COUNTERS, SIDES, EVENTS, "red", report))


def path(name: str):
    def call(folder: Path) -> Report:
        report = Report()
        (folder / "maps" / "a").mkdir(parents=True)
        inside(folder / "maps" / "a", name, folder / "maps", Location("map.toml"), report)
        return report

    return call


def big(size: int):
    def call(folder: Path) -> Report:
        report = Report()
        (folder / "f").write_bytes(b"x" * size)
        read_bytes(folder / "f", 100, Location("f"), report)
        return report

    return call


def acceptance(at: str):
    def call(folder: Path) -> Report:
        found = Finding(REPEATED, Location("t.csv", space="Oslo"), "twice")
        return apply_acceptances([found], [Acceptance("S013", at, "meant", "accept.0")], "game.toml")

    return call


CASES = {
    "S001": (toml(""), toml("a = 1")),
    "S002": (toml("a = = 1"), toml("a = 1")),
    "S003": (path("../../secret.geojson"), path("../geodata/land.geojson")),
    "S004": (big(101), big(100)),
    "S010": (game(tittle="x"), game()),
    "S011": (game(turns="spring"), game(turns=["spring"])),
    "S012": (game(title=None), game()),
    "S013": (counters("id,name\na,A\na,B\n"), counters("id,name\na,A\nb,B\n")),
    "S014": (setup("what,item,at\npiece,r2,X\n"), setup("what,item,at\npiece,r1,X\n")),
    "S020": (acceptance("Bergen"), acceptance("Oslo")),
}
