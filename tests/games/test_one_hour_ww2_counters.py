"""The pieces of one-hour-ww2 are drawn without a finding, in the colours of rule 2.2, round and square as they are."""

from __future__ import annotations

import pytest
import realgames

from toolchain.art.faces import build_faces, build_hidden
from toolchain.art.marks import Page, Path, walk
from toolchain.model.forces import Counter
from toolchain.report import Report

NAME = "one-hour-ww2"
Drawn = dict[str, tuple[Counter, tuple[Page, ...]]]


@pytest.fixture(scope="module")
def drawn() -> Drawn:
    loaded, _, _ = realgames.load(NAME)
    style = loaded.project.style
    assert style is not None
    report = Report()
    out = {c.id: (c, build_faces(c, style, report)) for c in loaded.game.counters}
    assert [str(f) for f in report] == []
    return out


def paper(page: Page) -> str | None:
    """Return the colour that is painted first."""
    return next(m.paint.fill for m in walk(page.marks) if isinstance(m, Path))


def test_each_nation_has_its_own_colour_and_minor_nations_that_of_their_player(drawn: Drawn) -> None:
    colour = {c.nation: paper(pages[0]) for c, pages in drawn.values() if c.kind == "army"}
    assert colour["IT"] == colour["GE"] and colour["FR"] == colour["UK"] and colour["CN"] == colour["US"]
    assert len({colour[n] for n in ("GE", "JP", "UK", "SU", "US")}) == 5


def test_units_are_square_markers_round_and_cubes_small(drawn: Drawn) -> None:
    sizes = {c.kind: (pages[0].width, pages[0].height) for c, pages in drawn.values()}
    assert sizes["army"] == sizes["fleet"] == (15.875, 15.875)
    assert sizes["action"] == sizes["order"] == sizes["will"] == (16, 16)
    assert sizes["cube"] == (8, 8)


def test_a_level_2_unit_looks_otherwise_than_one_of_level_1(drawn: Drawn) -> None:
    for kind in ("army", "fleet"):
        one, two = ([m for m in walk(drawn[f"uk-{kind}-{n}"][1][0].marks) if isinstance(m, Path)] for n in (1, 2))
        assert len(two) == len(one) + 3, "a band and two stars"


def test_special_markers_have_a_name_side_a_text_side_and_a_plain_one_for_the_deck(drawn: Drawn) -> None:
    style = realgames.load(NAME)[0].project.style
    for counter, pages in drawn.values():
        if counter.kind == "special":
            hidden = build_hidden(counter, style)
            assert len(pages) == 2 and hidden is not None
            marks = [tuple(m.data for m in walk(p.marks) if isinstance(m, Path)) for p in (*pages, hidden)]
            assert len(set(marks)) == 3
    plain = {
        tuple(m.data for m in walk(page.marks) if isinstance(m, Path))
        for c, _ in drawn.values()
        if c.kind == "special" and c.nation == "SU" and (page := build_hidden(c, style)) is not None
    }
    assert len(plain) == 1, "those of one nation cannot be told apart"
