"""Cases for the codes M201 to M299: several sheets."""

from __future__ import annotations

from pathlib import Path

from seamed import ALL, HEIGHT, RIVER, ROAD, STEP, WIDTH, arrangement, sheet, survey, svg

from toolchain.checks.seams import check_seams
from toolchain.report import Report

FIRST = 'sheet = "A", at = [0, 0]'
BESIDE = arrangement(FIRST, 'sheet = "B", at = [1, 0]')
SEAM = '[seam]\nlayers = ["roads"]\n'
UPRIGHT = f"M{2 * STEP:.9f},-3 V{HEIGHT + 3}"
PLAIN = svg(land=ALL, rivers=RIVER, roads=f"{ROAD}|{UPRIGHT}")
WOODED = svg(land=ALL, wood=f"M-3,5 H{STEP / 2} V15 H-3Z", roads=f"{ROAD}|{UPRIGHT}")
COASTAL = svg(land=f"M-9,-9 H{WIDTH + 9} V12 H-9Z", roads=f"{ROAD}|{UPRIGHT}")


def laid(*tables: str, b: str = PLAIN):
    """Survey two sheets and try their seams."""

    def call(folder: Path) -> Report:
        plan, got, report = survey(folder, *tables, A=PLAIN, B=b)
        report.extend(check_seams(plan, got.sheets))
        return report

    return call


TWO = (sheet("A"), sheet("B"))

CASES = {
    "M201": (laid(*TWO), laid(*TWO, BESIDE)),
    "M202": (laid(*TWO, arrangement(FIRST, 'sheet = "B", at = [1, 0], turn = 60')), laid(*TWO, BESIDE)),
    "M203": (laid(*TWO, arrangement(FIRST, 'sheet = "B", at = [0, 0]')), laid(*TWO, BESIDE)),
    "M211": (laid(TWO[0], sheet("B", text="[sheet.grid]\norigin = [0, 2.5]\n"), SEAM), laid(*TWO, SEAM)),
    "M212": (laid(*TWO, SEAM, b=WOODED), laid(*TWO, SEAM + 'meets = [["wood", "clear"]]\n', b=WOODED)),
    "M213": (laid(*TWO, SEAM, b=svg(land=ALL)), laid(*TWO, SEAM)),
    "M214": (laid(*TWO, SEAM, b=COASTAL), laid(*TWO, SEAM)),
}
