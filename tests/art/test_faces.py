"""Faces of counters, from a layout that is data."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path as File
from typing import Any

import pytest

from toolchain.art.faces import build_faces
from toolchain.art.marks import Group, Page, Path, walk
from toolchain.art.setting import fit_lines
from toolchain.art.svg import to_svg
from toolchain.art.text import load_font, measure
from toolchain.model.forces import Counter, Face
from toolchain.report import Location, Report
from toolchain.sources.decode.style import Style, Text, decode_style
from toolchain.sources.documents import read_toml

DATA = File(__file__).parents[1] / "data" / "faces"
ROW = Location("units.csv", 4)


def style_of(text: str) -> Style:
    report = Report()
    style = decode_style(tomllib.loads(text), "style.toml", report)
    assert style is not None, list(map(str, report))
    return style


@pytest.fixture(scope="module")
def style() -> Style:
    report = Report()
    raw = read_toml(DATA / "style.toml", "style.toml", report)
    got = decode_style(raw or {}, "style.toml", report)
    assert got is not None, list(map(str, report))
    return got


UNIT = Counter(
    "r1",
    "Red 1st Corps",
    nation="R",
    symbol="mech infantry corps",
    faces=(Face({"attack": 4, "defence": 3}), Face({"attack": 2, "defence": 1})),
    attributes={"label": "1st", "mech": True, "no_replacement": True},
    where=ROW,
)
MARKER = Counter(
    "m1", "Out", role="marker", size="1/2", layout="marker", faces=(Face({"text": "Out of Supply"}),), where=ROW
)


def drawn(counter: Counter, style: Style, bleed: float = 0.0) -> tuple[tuple[Page, ...], list[str]]:
    report = Report()
    pages = build_faces(counter, style, report, bleed)
    return pages, [str(f) for f in report]


def colours(page: Page) -> set[str]:
    return {c for m in walk(page.marks) if isinstance(m, Path) for c in (m.paint.fill, m.paint.stroke) if c}


@pytest.mark.parametrize(("counter", "face", "name"), [(UNIT, 0, "front"), (UNIT, 1, "back"), (MARKER, 0, "marker")])
def test_golden(counter: Counter, face: int, name: str, style: Style) -> None:
    """GOLDEN=write writes the files anew; look at them before they are committed."""
    pages, found = drawn(counter, style)
    assert not found
    got, file = to_svg(pages[face], pixels=(75, 75)), DATA / f"{name}.svg"
    if os.environ.get("GOLDEN") == "write":
        file.write_text(got, "utf-8")
    assert got == file.read_text("utf-8")


def test_svg_is_plain_enough_for_every_renderer(style: Style) -> None:
    svg = to_svg(drawn(UNIT, style)[0][1], pixels=(75, 75))
    assert 'width="75"' in svg and 'height="75"' in svg and 'viewBox="0 0 15.875 15.875"' in svg
    assert "<text" not in svg and "rgba" not in svg and "style=" not in svg and "<image" not in svg


def test_a_face_for_each_step_and_the_stripe_on_the_reduced_one_only(style: Style) -> None:
    pages, _ = drawn(UNIT, style)
    assert len(pages) == 2 and {(p.width, p.height) for p in pages} == {(15.875, 15.875)}
    assert "#aa2222" not in colours(pages[0]) and "#aa2222" in colours(pages[1])
    assert len(drawn(MARKER, style)[0]) == 1


def test_the_dot_is_on_the_right_of_those_that_never_take_replacements(style: Style) -> None:
    def dots(counter: Counter) -> list[float]:
        page = drawn(counter, style)[0][0]
        return [
            m.matrix[4]
            for m in walk(page.marks)
            if isinstance(m, Group) and any(isinstance(p, Path) and p.paint.fill == "#0d0d0d" for p in m.marks)
        ]

    assert [x > 15.875 * 0.75 for x in dots(UNIT)] == [True]
    assert dots(Counter("r2", "R", nation="R", symbol="infantry", faces=UNIT.faces, attributes={"label": "x"})) == []


def test_what_touches_the_edge_bleeds_and_nothing_else(style: Style) -> None:
    def box(page: Page) -> list[float]:
        first = next(m for m in walk(page.marks) if isinstance(m, Path))
        return [float(n) for n in re.findall(r"-?\d+\.?\d*", first.data)]

    assert min(box(drawn(UNIT, style, 1.5)[0][0])) == -1.5
    assert min(box(drawn(UNIT, style)[0][0])) == 0.0


def test_round_corners_are_cut_only_without_bleed() -> None:
    text = """
        format = 1
        size = "a"
        layout = "a"
        [sizes.a]
        width = 10
        height = 10
        corner = 1
        [layouts.a]
        elements = [{ draw = "box", fill = "#ffffff" }]
        """
    round_ = style_of(text)
    counter = Counter("a", "A")
    assert isinstance(drawn(counter, round_)[0][0].marks[0], Group)
    assert isinstance(drawn(counter, round_, 1.0)[0][0].marks[0], Path)


def test_every_finding_tells_row_and_column(style: Style) -> None:
    faces = (Face({"attack": 1}), Face({"attack": 2, "defence": 1}))
    bad = Counter("x", "X", nation="R", symbol="infantery corps", faces=faces, where=ROW)
    _, found = drawn(bad, style)
    assert any("C203" in f and "units.csv:4, column symbol" in f for f in found)
    assert any("C204" in f and "{defence}" in f and "units.csv:4, column defence" in f for f in found)
    assert len([f for f in found if "C203" in f]) == 1, "the same cell is named once, not once a face"
    _, found = drawn(Counter("x", "X", size="9/16", where=ROW), style)
    assert found == ["error C101: units.csv:4, column size: there is no size '9/16'; known here: 1/2, 5/8"]
    _, found = drawn(Counter("x", "X", layout="mraker", where=ROW), style)
    assert len(found) == 1 and "did you mean 'marker'?" in found[0]


def test_a_column_of_the_back_is_called_so(style: Style) -> None:
    long = Counter(
        "m", "M", size="1/2", layout="marker", faces=(Face({"text": "Out"}), Face({"text": "Unendurablest"})), where=ROW
    )
    _, found = drawn(long, style)
    assert len(found) == 1 and "C201" in found[0] and "column back_text" in found[0]


def text(**changes: Any) -> Text:
    return Text.model_validate({"draw": "text", "text": "{text}", "size": 0.3, **changes})


def test_lines_are_broken_so_that_the_text_is_largest() -> None:
    element = text(lines=3)
    assert fit_lines("Enemy at the Gates", element, 10, 6, 3.0)[0] == ["Enemy at", "the Gates"]
    assert fit_lines("Enemy at the Gates", element, 10, 10, 3.0)[0] == ["Enemy", "at the", "Gates"]
    assert fit_lines("Speer", element, 10, 10, 3.0) == (["Speer"], 3.0)
    assert fit_lines("Anvil-Dragoon", element, 8, 10, 4.0)[0] == ["Anvil-", "Dragoon"]
    assert fit_lines("US-A", element, 2, 10, 4.0)[0] == ["US-A"]
    assert fit_lines("One\nTwo", text(), 10, 10, 3.0)[0] == ["One", "Two"]
    lines, size = fit_lines(" ".join("abcdefghijklmnopqrst"), element, 6, 10, 3.0)
    assert " ".join(lines) == " ".join("abcdefghijklmnopqrst") and len(lines) == 3
    assert max(measure(line, "sans-bold", size) for line in lines) <= 6.0 + 1e-9


def test_text_is_centred_by_its_capitals(style: Style) -> None:
    page = drawn(MARKER, style)[0][0]
    group = next(m for m in page.marks if isinstance(m, Group))
    assert group.matrix[4:] == (6.35, 6.35)
    data = next(m for m in walk(group.marks) if isinstance(m, Path)).data
    lines, size = fit_lines("Out of Supply", style.layouts["marker"].elements[1], 0.86 * 12.7, 0.8 * 12.7, 0.3 * 12.7)  # type: ignore[arg-type]
    ys = [float(n) for n in re.findall(r"-?\d+\.?\d*", data)][1::2]
    cap = load_font("sans-bold").cap_height * size
    assert len(lines) == 2
    assert min(ys) == pytest.approx(-(cap + size) / 2, abs=0.06)


def test_elements_turn_and_are_drawn_when_and_unless() -> None:
    style = style_of("""
        format = 1
        size = "a"
        layout = "a"
        [sizes.a]
        width = 10
        height = 10
        [[look]]
        when = { kind = "air" }
        set = { icon = "fighter" }
        [layouts.a]
        elements = [
          { draw = "icon", icon = "{icon}", at = [0.5, 0.3], width = 0.5, ink = "#0000aa", fill = "#ffffff", unless = { icon = "" } },
          { draw = "text", text = "{name}", at = [0.2, 0.5], box = [0.8, 0.2], size = 0.2, ink = "#00aa00", halo = "#eeeeee", turn = -90 },
          { draw = "box", size = [0.2, 0.1], fill = "#aa0000", turn = 45, when = { elite = [true, "guards"] } },
        ]
        """)  # noqa: E501
    plain, air = Counter("a", "Able"), Counter("b", "Able", kind="air", attributes={"elite": "guards"})
    (page,), found = drawn(plain, style)
    assert not found and colours(page) == {"#00aa00", "#eeeeee"}
    assert [m.matrix for m in page.marks if isinstance(m, Group)] == [pytest.approx((0, -1, 1, 0, 2, 5))]
    (page,), found = drawn(air, style)
    assert not found and colours(page) == {"#0000aa", "#ffffff", "#00aa00", "#eeeeee", "#aa0000"}
