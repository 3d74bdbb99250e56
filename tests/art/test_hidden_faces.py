"""What others see of a hidden piece: elements for that, else the back of its layout, else plain paper."""

from __future__ import annotations

import tomllib

from toolchain.art.faces import build_faces, build_hidden
from toolchain.art.marks import Group, Path, walk
from toolchain.model.forces import Counter, Face
from toolchain.report import Report
from toolchain.sources.decode.style import Style, decode_style

STYLE = """
format = 1
size = "s"
layout = "plain"
[sizes.s]
title = "S"
width = 20
height = 10
corner = 2
[[look]]
set = { paper = "#aa0000" }
[layouts.plain]
elements = [{ draw = "box", fill = "paper" }, { draw = "box", fill = "#000001", size = [0.2, 0.2] }]
[layouts.own]
elements = [
  { draw = "box", fill = "paper" },
  { draw = "box", fill = "#00bb00", on = "hidden", when = { level = 2 } },
  { draw = "box", fill = "#0000cc", on = "back" },
]
"""


def style() -> Style:
    report = Report()
    got = decode_style(tomllib.loads(STYLE), "style.toml", report)
    assert got is not None and not len(report), list(report)
    return got


def fills(marks) -> list[str | None]:
    return [m.paint.fill for m in walk(marks) if isinstance(m, Path)]


def test_plain_paper_with_the_corners_of_the_counter() -> None:
    page = build_hidden(Counter("c", "C"), style())
    assert page is not None and fills(page.marks) == ["#aa0000"]
    assert isinstance(page.marks[0], Group) and page.marks[0].clip


def test_a_layout_has_elements_of_its_own_for_it_with_the_values_of_the_front() -> None:
    counter = Counter("c", "C", layout="own", faces=(Face({"level": 2}), Face({"level": 1})))
    page = build_hidden(counter, style())
    assert page is not None and fills(page.marks) == ["#00bb00"]
    front, back = build_faces(counter, style(), Report())
    assert fills(front.marks) == ["#aa0000"] and fills(back.marks) == ["#aa0000", "#0000cc"]
