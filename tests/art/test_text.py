"""Text becomes outlines of the stated size at the stated place."""

from __future__ import annotations

import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolchain.art import text
from toolchain.art.text import FONT_FILES, fit, ink, load_font, measure, missing_glyphs, outline, outline_along


def points(data: str) -> list[tuple[float, float]]:
    numbers = [float(n) for n in re.findall(r"-?\d+\.?\d*", data)]
    return list(zip(numbers[::2], numbers[1::2], strict=True))


@pytest.mark.parametrize("name", FONT_FILES)
def test_every_bundled_font_has_its_file_and_the_letters_of_europe(name: str) -> None:
    assert (
        missing_glyphs("Festung ÄÖÜäöüß éèêëçñ łŁøØåÅæÆčšžŽőűąęńśźżřůťďļņģķșțıİğāēī 0123456789 –—’„“•−×½", name) == ()
    )
    assert (Path(text.__file__).parent / "fonts" / FONT_FILES[name]).stat().st_size < 250_000


def test_only_plain_absolute_commands_are_written() -> None:
    assert set(re.findall(r"[A-Za-z]", outline("Köln & Å 8", "serif", 4, 0, 0))) <= set("MLCQZ")


@pytest.mark.parametrize(("anchor", "left"), [("start", 10.0), ("middle", 10.0 - 0.5), ("end", 10.0 - 1.0)])
def test_anchor_and_baseline(anchor: text.Anchor, left: float) -> None:
    size = 10.0
    width = measure("H", "sans", size)
    box = ink("H", "sans", size)
    got = points(outline("H", "sans", size, 10, 20, anchor))
    shift = (left - 10.0) * width
    assert min(x for x, _ in got) == pytest.approx(10 + shift + box[0], abs=0.002)
    assert max(y for _, y in got) == pytest.approx(20.0, abs=0.002)
    assert min(y for _, y in got) == pytest.approx(20.0 - load_font("sans").cap_height * size, abs=0.01)


def test_pairs_are_kerned_by_single_glyphs_and_by_classes() -> None:
    for name in FONT_FILES:
        apart = measure("A", name, 10) + measure("V", name, 10)
        assert measure("AV", name, 10) < apart - 0.2, name
        assert measure("HH", name, 10) == pytest.approx(2 * measure("H", name, 10))


def test_spacing_opens_between_letters_only() -> None:
    assert measure("HHH", "sans", 10, 0.1) == pytest.approx(measure("HHH", "sans", 10) + 2.0)


def test_missing_glyphs_are_named_once_in_order() -> None:
    assert missing_glyphs("яAя→", "sans") == ("я", "→")
    assert missing_glyphs("Ko\u0308ln", "sans") == ()  # a decomposed accent is composed first


def test_fit_shrinks_down_to_its_least_size_and_no_further() -> None:
    assert fit("Rome", "sans", 3.0, 100.0) == 3.0
    size = fit("Königsberg", "sans", 3.0, 10.0, 1.0)
    assert size is not None and size < 3.0
    assert measure("Königsberg", "sans", size) == pytest.approx(10.0)
    assert fit("Königsberg", "sans", 3.0, 10.0, 2.9) is None


@given(st.floats(-500, 500), st.floats(-500, 500), st.floats(0.5, 30))
def test_text_along_a_level_line_is_plain_text(x: float, y: float, size: float) -> None:
    along = points(outline_along("Sea", "serif-italic", size, [(x, y), (x + 200, y)], "start"))
    plain = points(outline("Sea", "serif-italic", size, x, y, "start"))
    assert len(along) == len(plain)
    assert all(math.dist(a, b) < 0.005 for a, b in zip(along, plain, strict=True))


def test_text_along_a_line_never_stands_on_its_head() -> None:
    forth = [(0.0, 0.0), (50.0, 10.0), (100.0, 0.0)]
    assert outline_along("Po", "serif", 5, forth) == outline_along("Po", "serif", 5, forth[::-1])
    assert outline_along("Po", "serif", 5, forth[::-1], upright=False) != outline_along("Po", "serif", 5, forth)


def test_text_along_a_line_lies_on_it_and_lift_raises_it() -> None:
    down = [(10.0, 0.0), (10.0, 100.0)]
    got = points(outline_along("HH", "sans", 10, down, "start"))
    assert min(x for x, _ in got) == pytest.approx(10.0, abs=0.01)  # the letters' feet on the line, heads to the right
    assert max(x for x, _ in got) == pytest.approx(10.0 + 7.0, abs=0.02)
    lifted = points(outline_along("HH", "sans", 10, down, "start", lift=2))
    assert min(x for x, _ in lifted) == pytest.approx(12.0, abs=0.01)


def test_a_line_of_one_point_and_an_empty_text_do_no_harm() -> None:
    assert outline_along("A", "sans", 5, [(3.0, 4.0)]) != ""
    assert outline_along("", "sans", 5, [(0.0, 0.0), (1.0, 1.0)]) == ""
    assert ink("", "sans", 5) == (0.0, 0.0, 0.0, 0.0)
