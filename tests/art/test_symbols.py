"""Unit symbols by plain words: strict, drawn inside their frame, with one weight of line."""

from __future__ import annotations

import re

import pytest

from toolchain.art.icons import SHAPES, draw_icon, icon_names
from toolchain.art.marks import Group, Mark, Path, rectangle, walk
from toolchain.art.symbols import (
    ARMS,
    ASPECT,
    MODIFIERS,
    OWN,
    SIZES,
    UnitSymbol,
    draw_size_mark,
    draw_symbol,
    read_symbol,
    size_mark_width,
)
from toolchain.report import Location, Report

WHERE = Location("units.csv", 2, "symbol")


def read(words: str) -> UnitSymbol:
    report = Report()
    symbol = read_symbol(words, WHERE, report)
    assert symbol is not None, list(map(str, report))
    assert not len(report)
    return symbol


def box(group: Group) -> tuple[float, float, float, float]:
    numbers: list[float] = []
    for mark in walk(group.marks):
        if isinstance(mark, Path):
            numbers += [float(n) for n in re.findall(r"-?\d+\.?\d*", mark.data)]
    return min(numbers[::2]), min(numbers[1::2]), max(numbers[::2]), max(numbers[1::2])


def paths(marks: tuple[Mark, ...]) -> list[Path]:
    return [m for m in walk(marks) if isinstance(m, Path)]


@pytest.mark.parametrize("arm", [*ARMS, *MODIFIERS, *OWN])
def test_every_arm_of_the_table_is_drawn_within_its_frame(arm: str) -> None:
    bare = draw_symbol(UnitSymbol(), 9.0, "#000000")
    group = draw_symbol(read(arm), 9.0, "#000000", line=0.25)
    assert len(paths(group.marks)) > len(paths(bare.marks)), "a symbol is never blank"
    left, top, right, bottom = box(group)
    # Waves run a little beyond the frame, where they are cut off.
    assert -4.6 < left <= -4.5 and 4.5 <= right < 4.6 and top >= -3.0 - 1e-9 and bottom <= 3.0 + 1e-9
    icons = [m for m in group.marks if isinstance(m, Group)]
    assert all(m.clip == rectangle(-4.5, -3.0, 9.0, 6.0) for m in icons)
    assert {p.paint.width for p in paths(group.marks) if p.paint.stroke} == {0.25}
    assert {c for p in paths(group.marks) for c in (p.paint.fill, p.paint.stroke)} <= {"#000000", None}


def test_every_arm_looks_different() -> None:
    drawn = {arm: tuple(p.data for p in paths(draw_symbol(read(arm), 9.0, "#000000").marks)) for arm in ARMS}
    same = {(a, b) for a in drawn for b in drawn if a < b and drawn[a] == drawn[b]}
    assert same == {("armor engineer", "mechanized engineer")}


@pytest.mark.parametrize(
    ("words", "as_much_as"),
    [
        ("mech infantry corps", "mechanized infantry corps"),
        ("Panzer Division", "armor division"),
        ("armoured division", "armor division"),
        ("infantry mechanised corps", "mech infantry corps"),
        ("parachute corps", "airborne infantry corps"),
        ("mountain corps", "infantry mountain corps"),
        ("army group headquarters", "hq army-group"),
    ],
)
def test_words_that_mean_the_same(words: str, as_much_as: str) -> None:
    assert read(words) == read(as_much_as)


def test_a_symbol_may_be_given_by_its_code() -> None:
    assert read("10031000221211020000") == UnitSymbol("10031000221211020000", echelon="corps")
    by_code, by_words = (draw_symbol(read(w), 8, "#000000") for w in ("10031000221211020000", "mech infantry corps"))
    assert by_code == by_words


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("infantery corps", "did you mean 'infantry'"),
        ("infantry crops", "did you mean 'corps'"),
        ("infantry corps army", "do not make one symbol"),
        ("fortress armor", "do not make one symbol"),
        ("mechanized corps", "do not make one symbol; did you mean 'mechanized"),
        ("99999999999999999999", "no SIDC"),
        ("10033500001101000000", "no SIDC"),
    ],
)
def test_unknown_words_are_findings_with_the_nearest_one(words: str, says: str) -> None:
    report = Report()
    assert read_symbol(words, WHERE, report) is None
    assert len(report) == 1
    assert says in str(next(iter(report)))


@pytest.mark.parametrize(("echelon", "signs"), [("corps", 3), ("army", 4), ("battalion", 2), ("division", 2)])
def test_size_marks_have_their_number_of_signs_and_are_centred(echelon: str, signs: int) -> None:
    mark = draw_size_mark(echelon, 1.5, "#000000")
    left, top, right, bottom = box(mark)
    assert left == pytest.approx(-right) and top == pytest.approx(-bottom) and bottom == pytest.approx(0.75)
    assert right - left == pytest.approx(size_mark_width(echelon, 1.5), abs=0.01)
    strokes = paths(mark.marks)[0].data.count("M")
    assert strokes == (signs if SIZES[echelon].endswith(("bar", "bars")) else 2 * signs)


@pytest.mark.parametrize("name", sorted(SHAPES))
def test_icons_fit_their_box_and_are_centred(name: str) -> None:
    left, top, right, bottom = box(draw_icon(name, 6.0, 4.0, "#123456"))
    assert left == pytest.approx(-right, abs=0.01) and top == pytest.approx(-bottom, abs=0.01)
    assert max((right - left) / 6.0, (bottom - top) / 4.0) == pytest.approx(1.0, abs=0.01)
    mirrored = draw_icon(name, 6.0, 4.0, "#123456", mirror=True)
    assert box(mirrored) == pytest.approx((left, top, right, bottom), abs=0.01)


def test_icon_names_are_listed_in_order() -> None:
    assert list(icon_names()) == sorted(SHAPES) and "tank" in icon_names()
    assert pytest.approx(2 / 3) == ASPECT
