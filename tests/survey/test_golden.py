"""Whole maps against what they came to when somebody last looked at it: a tiny drawing for every kind of board.

Write the files anew after a change that is meant, and read the difference: python tests/survey/test_golden.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from toolchain.checks.arranged import check_arranged, check_sheets
from toolchain.checks.seams import check_seams
from toolchain.checks.structure import check_drawn
from toolchain.export.graphfiles import read_json, to_json
from toolchain.model.warmap import WarMap
from toolchain.report import Report
from toolchain.sources.decode.maps import read_map
from toolchain.survey.maps import survey_map

DATA = Path(__file__).parents[1] / "data" / "surveys"
NAMES = sorted(p.name for p in (DATA / "maps").iterdir())


def told(warmap: WarMap) -> Iterator[str]:
    """Tell a map in lines that a reader can check against its drawing."""
    for s in warmap.spaces:
        shares = " ".join(f"{name}={share:.3f}" for name, share in s.shares.items())
        traits = " ".join(f"{k}:{v}" for k, v in sorted(s.traits.items()))
        words = [s.label, s.terrain, f"({shares})" if shares else "", " ".join(sorted(s.features)), traits]
        closed = "" if s.enterable else "closed"
        parts = "/".join(s.parts)
        line = f"{s.kind} {s.key} at {s.at[0]:.2f},{s.at[1]:.2f}"
        yield " | ".join([line, *(w for w in (*words, closed, parts) if w)])
    for h in warmap.hexsides:
        if h.kinds or h.line:
            ends = "-".join(f"{x:.1f},{y:.1f}" for x, y in h.ends)
            kinds = (" ".join(sorted(h.kinds)) or "plain") + " flows" * h.flows
            yield " | ".join([f"side {h.a} - {h.b}", kinds, ends, *([h.name] if h.name else [])])
    for x in warmap.links:
        traits = " ".join(f"{k}:{v}" for k, v in sorted(x.traits.items()))
        yield f"{x.kind} {x.a} {'>' if x.one_way else '-'} {x.b}" + f" | {traits}" * bool(traits)
    for track in warmap.tracks:
        yield f"track {track.key} | {', '.join(track.spaces)}"


def surveyed(name: str) -> tuple[str, Report]:
    """Survey a map, validate it, and tell all that came of it."""
    report = Report()
    plan = read_map(DATA, name, report)
    assert plan is not None, [str(f) for f in report]
    got = survey_map(plan, report)
    maps = got.arrangements or {"": got}
    report.extend(check_arranged({n: check_drawn(plan, x.warmap, x.drawing, x.ends) for n, x in maps.items()}))
    report.extend(check_sheets(plan, {n: x.warmap for n, x in got.sheets.items()}))
    report.extend(check_seams(plan, got.sheets) if plan.sheets else ())
    lines = []
    for title, one in maps.items():
        lines += [f"# {title or name}", *told(one.warmap), ""]
    lines += ["# findings", *(str(f) for f in report)]
    return "\n".join(lines) + "\n", report


@pytest.mark.parametrize("name", NAMES)
def test_a_map_is_what_it_was(name):
    assert surveyed(name)[0] == (DATA / f"{name}.txt").read_text("utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_map_comes_back_from_its_file(name):
    plan = read_map(DATA, name, Report())
    assert plan is not None
    for one in (survey_map(plan, Report()).arrangements or {"": survey_map(plan, Report())}).values():
        report = Report()
        back = read_json(to_json(one.warmap), "map.json", report)
        assert back is not None and not len(report)
        assert list(told(back)) == list(told(one.warmap))


if __name__ == "__main__":
    for each in NAMES:
        (DATA / f"{each}.txt").write_text(surveyed(each)[0], "utf-8")
