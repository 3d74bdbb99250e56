"""The counters of festung-europa: every face is drawn without a finding, in the colours of rule 2.22 and its errata."""

from __future__ import annotations

from pathlib import Path as File

import pytest

from toolchain.art.faces import build_faces, size_of
from toolchain.art.imposition import build_sheets
from toolchain.art.marks import Group, Page, Path, walk
from toolchain.model.forces import Counter, Side
from toolchain.report import Report
from toolchain.sources.decode.counters import decode_counters
from toolchain.sources.decode.style import Style, decode_style
from toolchain.sources.documents import read_table, read_toml

FOLDER = File(__file__).parents[2] / "counters" / "festung-europa"
Drawn = tuple[Style, dict[str, tuple[Counter, tuple[Page, ...]]]]


@pytest.fixture(scope="module")
def drawn() -> Drawn:
    report = Report()
    sides = {"allied": Side("allied", "Allied"), "axis": Side("axis", "Axis")}
    table = read_table(FOLDER / "units.csv", "units.csv", report)
    style = decode_style(read_toml(FOLDER / "style.toml", "style.toml", report) or {}, "style.toml", report)
    assert table is not None and style is not None, list(map(str, report))
    counters = decode_counters(table, sides, report)
    faces = {c.id: (c, build_faces(c, style, report)) for c in counters}
    assert not len(report), list(map(str, report))
    return style, faces


def colours(page: Page) -> list[str]:
    """Return the colours of a face in the order of painting: the paper first."""
    return [m.paint.fill for m in walk(page.marks) if isinstance(m, Path) and m.paint.fill]


def test_every_unit_has_two_faces_and_the_reduced_one_a_stripe(drawn: Drawn) -> None:
    style, faces = drawn
    for counter, pages in faces.values():
        if counter.role == "unit":
            front, back = pages
            stripe = colours(back)[1]
            words = style.words_of(counter)
            assert stripe == style.colours.get(words["stripe"], words["stripe"]), counter.id
            assert colours(front)[0] == colours(back)[0] != stripe, counter.id


def test_canadians_and_poles_have_the_colours_of_the_british(drawn: Drawn) -> None:
    _, faces = drawn
    by_nation = {
        n: [set(colours(p)) for c, pages in faces.values() if c.role == "unit" and c.nation == n for p in pages]
        for n in ("BR", "CA", "POL", "IT", "US")
    }
    british = set.union(*by_nation["BR"])
    for nation in ("CA", "POL"):
        assert by_nation[nation] and all(c <= british for c in by_nation[nation])
    assert not any(c <= british for c in by_nation["IT"] + by_nation["US"])


def test_italians_are_light_green_with_a_dark_green_stripe(drawn: Drawn) -> None:
    style, faces = drawn
    for counter, (front, *backs) in faces.values():
        if counter.nation == "IT" and counter.role == "unit":
            assert colours(front)[0] == style.colours["light-green"]
            assert style.colours["dark-green"] not in colours(front)
            assert colours(backs[0])[1] == style.colours["dark-green"]


def test_armies_that_never_take_replacements_have_the_dot_and_no_other(drawn: Drawn) -> None:
    style, faces = drawn
    without = {}
    for counter, pages in faces.values():
        if counter.role == "unit" and counter.kind == "army" and counter.nation == "IT":
            on_the_right = [
                m
                for m in walk(pages[0].marks)
                if isinstance(m, Group) and m.matrix[4] > 0.8 * pages[0].width and len(m.marks) == 1
            ]
            assert len(on_the_right) == 1, counter.id
            assert isinstance(on_the_right[0].marks[0], Path)
            assert on_the_right[0].marks[0].paint.fill == style.colours["black"]
        elif counter.role == "unit":
            without[counter.id] = [
                m for m in walk(pages[0].marks) if isinstance(m, Group) and m.matrix[4] > 0.8 * pages[0].width
            ]
    assert without and not any(without.values())


def test_each_size_has_its_sheets_with_every_counter(drawn: Drawn) -> None:
    style, faces = drawn
    for name, count in (("5/8", 75), ("1/2", 120)):
        report = Report()
        chosen = [f for f in faces.values() if size_of(f[0], style) == name]
        sheets = build_sheets(chosen, style.sizes[name], style.sheet, report, "Festung Europa")
        assert not len(report)
        assert sum(len(s.slots) for s in sheets) == count
