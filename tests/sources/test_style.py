"""style.toml: lengths, looks that go over each other, and what is wrong with a style."""

from __future__ import annotations

from typing import Any

import pytest

from toolchain.model.forces import Counter, Face
from toolchain.report import Report
from toolchain.sources.decode.style import Style, decode_style, fits, read_length

PLAIN: dict[str, Any] = {
    "format": 1,
    "sizes": {"half": {"width": "1/2 in", "height": 12.7}},
    "layouts": {"plain": {"elements": [{"draw": "box", "fill": "paper"}]}},
    "colours": {"paper": "#ffffff"},
}


def decoded(**changes: Any) -> tuple[Style | None, list[str]]:
    report = Report()
    style = decode_style({**PLAIN, **changes}, "style.toml", report)
    return style, [str(f) for f in report]


@pytest.mark.parametrize(
    ("text", "mm"), [("5/8 in", 15.875), ("1 1/4 in", 31.75), ("16mm", 16.0), ('0.5"', 12.7), ("1.5 cm", 15.0), (9, 9)]
)
def test_lengths_are_read_in_the_units_of_the_trade(text: str, mm: float) -> None:
    assert read_length(text) == pytest.approx(mm)


@pytest.mark.parametrize("text", ["5/8", "1/0 in", "-2 mm", "wide", "", "1/2 ell"])
def test_what_is_no_length_is_a_finding_with_its_key(text: str) -> None:
    style, found = decoded(sizes={"half": {"width": text, "height": 10}})
    assert style is None
    assert len(found) == 1 and "sizes.half.width" in found[0]


def test_later_looks_go_over_earlier_ones() -> None:
    style, found = decoded(
        look=[
            {"set": {"ink": "#000000", "paper": "#ffffff"}},
            {"when": {"nation": ["GE", "IT"]}, "set": {"paper": "#aaaaaa"}},
            {"when": {"nation": "GE", "mech": True}, "set": {"ink": "#111111"}},
        ]
    )
    assert style is not None and not found
    assert style.words_of(Counter("a", "A", nation="US")) == {"ink": "#000000", "paper": "#ffffff"}
    german = Counter("b", "B", nation="GE", attributes={"mech": True})
    assert style.words_of(german) == {"ink": "#111111", "paper": "#aaaaaa"}


def test_conditions_tell_yes_from_one_and_empty_from_no() -> None:
    value = Counter("a", "A", attributes={"mech": True, "steps": 1}, faces=(Face({"attack": 3}),)).value
    assert fits({"mech": True, "attack": (2, 3)}, value)
    assert not fits({"mech": 1}, value) and not fits({"steps": True}, value)
    assert fits({"elite": False}, value) and fits({"elite": ""}, value) and not fits({"elite": True}, value)


def test_a_layout_is_drawn_over_the_one_that_it_is_like() -> None:
    style, _ = decoded(
        layouts={
            "base": PLAIN["layouts"]["plain"],
            "unit": {"like": "base", "elements": [{"draw": "dot", "size": 0.1, "fill": "paper"}]},
        }
    )
    assert style is not None
    assert [type(e).__name__ for e in style.elements_of("unit")] == ["Box", "Dot"]


def test_everything_wrong_is_found_at_once() -> None:
    bad = {"draw": "box", "fill": "papr"}
    style, found = decoded(
        layouts={"a": {"like": "b"}, "b": {"like": "a", "elements": [bad]}, "c": {"like": "nowhere"}}, layout="d"
    )
    assert style is None
    assert sum("C102" in f for f in found) == 4  # both of the circle, the unknown one, the default
    assert sum("C103" in f and "did you mean 'paper'" in f for f in found) == 1


@pytest.mark.parametrize(
    "element",
    [
        {"draw": "bx"},
        {"draw": "box", "fil": "paper"},
        {"draw": "text", "text": "x", "size": 0.2, "font": "comic"},
        {"draw": "text", "size": 0.2},
        {"draw": "dot", "size": "big"},
    ],
)
def test_a_bad_element_is_found_by_its_place(element: dict[str, Any]) -> None:
    style, found = decoded(layouts={"a": {"elements": [{"draw": "box"}, element]}})
    assert style is None
    assert all("layouts.a.elements.1" in f for f in found) and found
