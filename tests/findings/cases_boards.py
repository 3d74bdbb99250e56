"""Cases for the codes M301 to M399: points and lines, areas, zones and tracks."""

from __future__ import annotations

from pathlib import Path

from drawn import TERRAIN, survey
from shapely import LineString, Point, box

from toolchain.report import Report

POINTS = (
    '[[link]]\nname = "land"\n[[points]]\nlayer = "spots"\nnames = "words"\n[[lines]]\nlayer = "ways"\nkind = "land"\n'
)
AREAS = '[[areas]]\nlayer = "lands"\n'
ZONES = TERRAIN + '[[zones]]\nlayer = "parts"\ntrait = "sea"\nonly = ["sea"]\n'
TRACK = '[[track]]\nkey = "T"\nalong = [[5, 20], [{}, 20]]\ncell = [8, 8]\nfrom = 1\nto = 3\n'
A, B, C = ((Point(x, 10).buffer(2), {"name": name}) for x, name in ((5, "A"), (20, "B"), (35, "C")))
NAMELESS = (Point(5, 30).buffer(2), {})


def points(spots=(A, B, C), ways=(), words=()):
    def call(folder: Path) -> Report:
        return survey(folder, POINTS, grid="", spots=spots, ways=[LineString(w) for w in ways], words=words)[1]

    return call


def areas(*shapes):
    def call(folder: Path) -> Report:
        return survey(folder, AREAS, grid="", lands=[(s, {"name": f"L{n}"}) for n, s in enumerate(shapes)])[1]

    return call


def zones(right: float):
    def call(folder: Path) -> Report:
        return survey(
            folder, ZONES, land=[box(60, 0, 70, 9)], wood=[], parts=[(box(-9, -9, right, 50), {"name": "Z"})]
        )[1]

    return call


def track(end: float):
    def call(folder: Path) -> Report:
        return survey(folder, TRACK.format(end), grid="")[1]

    return call


JOINED = [(5, 10), (20, 10)]
CASES = {
    "M301": (points([A, NAMELESS]), points([A, NAMELESS], words=[(Point(5, 34), {"name": "D"})])),
    "M302": (points(words=[(Point(20, 38), {"name": "D"})]), points([NAMELESS], words=[(Point(5, 38), {"name": "D"})])),
    "M303": (points(ways=[[(5, 10), (12, 10)]]), points(ways=[[(5, 10), (15, 10)]])),
    "M304": (points(ways=[[(5, 10), (9, 18), (6, 11)]]), points(ways=[JOINED])),
    "M305": (points(ways=[JOINED, JOINED[::-1]]), points(ways=[JOINED, [(20, 10), (35, 10)]])),
    "M306": (points(ways=[[(5, 10), (20, 11.5), (35, 10)]]), points(ways=[[(5, 10), (20, 10), (35, 10)]])),
    "M307": (areas(box(0, 0, 10, 10), box(10, 10, 20, 20)), areas(box(0, 0, 10, 10), box(10, 5, 20, 20))),
    "M308": (areas(box(0, 0, 10, 10), box(7, 0, 20, 10)), areas(box(0, 0, 10, 10), box(9.2, 0, 20, 10))),
    "M309": (zones(15), zones(50)),
    "M310": (track(20), track(30)),
    "M311": (points([A, (Point(5, 10), {})]), points([A, (Point(8, 10), {"name": "D"})])),
}
