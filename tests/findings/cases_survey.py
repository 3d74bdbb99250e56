"""Cases for the codes G111 to G113, lines that come to nothing on the map, and M221."""

from __future__ import annotations

from pathlib import Path

import shapely
from drawn import CENTRE, EVERYWHERE, TERRAIN, plan
from seamed import ALL, arrangement, sheet, survey, svg

from toolchain.checks.structure import check_drawn
from toolchain.report import Report
from toolchain.survey.maps import survey_map

X, Y = CENTRE
OPEN = '[[terrain]]\nname = "clear"\nrest = true\n'
RIVER = '[[hexside]]\nname = "river"\nlayer = "river"\nriver = true\nflow = "{}"\n'
ROAD = '[[link]]\nname = "road"\n[[crossing]]\nlayer = "road"\nlink = "road"\n'
# From the left edge of the grid along the upper side of the middle hex, and no further.
HALF = shapely.LineString([(4, 14), (X - 3, Y - 5.2), (X + 2.9, Y - 5)])


def drawn(text: str, **layers):
    """Survey a tiny map and check it with its drawing."""

    def call(folder: Path) -> Report:
        read, report = plan(folder, text, **layers)
        got = survey_map(read, report)
        report.extend(check_drawn(read, got.warmap, got.drawing, got.ends))
        return report

    return call


def sheets(*names: str):
    """Survey sheets of which A and B are laid together."""

    def call(folder: Path) -> Report:
        both = arrangement('sheet = "A", at = [0, 0]', 'sheet = "B", at = [1, 0]')
        return survey(folder, *(sheet(n) for n in names), both, **dict.fromkeys(names, svg(land=ALL)))[2]

    return call


CASES = {
    "M221": (sheets("A", "B", "C"), sheets("A", "B")),
    "G111": (drawn(OPEN + RIVER.format("drawn"), river=[HALF]), drawn(OPEN + RIVER.format("against"), river=[HALF])),
    "G112": (
        drawn(OPEN + ROAD, road=[shapely.LineString([(X - 2, Y), (X + 2, Y)])]),
        drawn(OPEN + ROAD, road=[shapely.LineString([(X, Y), (X, Y + 8)])]),
    ),
    "G113": (
        drawn(OPEN + RIVER.format("drawn"), river=[shapely.LineString([(X, Y - 4), (X + 1, Y - 4)])]),
        drawn(TERRAIN + RIVER.format("drawn"), river=[HALF], land=[EVERYWHERE], wood=[]),
    ),
}
