"""SVG at the edge: exact sizes, layers, shared symbols, patterns and clips; nothing that a renderer chokes on."""

from __future__ import annotations

import pytest
from lxml import etree

from toolchain.art.marks import Group, Page, Paint, Path, Pattern, Use, circle, rectangle, shifted
from toolchain.art.svg import to_svg

SVG = "{http://www.w3.org/2000/svg}"
XLINK = "{http://www.w3.org/1999/xlink}"
INKSCAPE = "{http://www.inkscape.org/namespaces/inkscape}"

RED = Paint(fill="#cc0000")
DASHED = Paint(stroke="#000000", width=0.25, dash=(1.0, 0.5), cap="round", join="round", opacity=0.5)


def page() -> Page:
    dot = Group((Path(circle(0, 0, 1), RED),))
    return Page(
        558.8,
        863.6,
        (
            Group((Path(rectangle(0, 0, 10, 10), Paint(fill="pattern:tufts")),), layer="Land", id="land"),
            Group((Use("a dot", shifted(5, 6.12349)), Use("a-dot")), clip=rectangle(0, 0, 8, 8), opacity=0.5),
            Group((Path("M0 0L1 1", DASHED),), clip=rectangle(0, 0, 8, 8)),
        ),
        title="Maß & <Ziel>",
        symbols={"a dot": dot, "a-dot": dot},
        patterns={"tufts": Pattern(3, 4, (Path("M0 0L1 1", DASHED),))},
    )


def parsed(text: str) -> etree._Element:
    return etree.fromstring(text.encode())


def test_size_in_millimetres() -> None:
    root = parsed(to_svg(page()))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("558.8mm", "863.6mm", "0 0 558.8 863.6")


def test_size_in_pixels_has_no_units() -> None:
    root = parsed(to_svg(page(), pixels=(2200, 3400)))
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("2200", "3400", "0 0 558.8 863.6")


def test_title_is_escaped() -> None:
    assert parsed(to_svg(page())).findtext(SVG + "title") == "Maß & <Ziel>"


def test_layers_are_inkscape_layers() -> None:
    layer = parsed(to_svg(page())).find(f"{SVG}g[@id='land']")
    assert layer is not None
    assert (layer.get(INKSCAPE + "groupmode"), layer.get(INKSCAPE + "label")) == ("layer", "Land")


def test_every_reference_is_defined_and_ids_are_unique() -> None:
    text = to_svg(page())
    root = parsed(text)
    ids = [e.get("id") for e in root.iter() if e.get("id")]
    assert len(ids) == len(set(ids))
    used = {str(e.get(XLINK + "href")).removeprefix("#") for e in root.iter(SVG + "use")}
    assert len(used) == 2 and used <= set(ids)  # two names that look alike stay two symbols
    assert " href=" not in text
    for e in root.iter():
        for value in e.attrib.values():
            if str(value).startswith("url("):
                assert str(value)[5:-1] in ids


def test_equal_clips_are_written_once() -> None:
    assert len(parsed(to_svg(page())).findall(f"{SVG}defs/{SVG}clipPath")) == 1


def test_paint() -> None:
    path = parsed(to_svg(page())).findall(f"{SVG}g")[2][0]
    assert dict(path.attrib) == {
        "d": "M0 0L1 1",
        "fill": "none",
        "stroke": "#000000",
        "stroke-width": "0.25",
        "stroke-dasharray": "1 0.5",
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
        "stroke-opacity": "0.5",
    }


def test_opacity_of_fill_and_stroke_together_makes_one_layer() -> None:
    both = Paint(fill="#ffffff", stroke="#000000", width=0.5, fill_opacity=0.5, opacity=0.4)
    path = parsed(to_svg(Page(9, 9, (Path("M0 0L1 1L1 0Z", both),))))[-1]
    assert (path.get("opacity"), path.get("fill-opacity"), path.get("stroke-opacity")) == ("0.4", "0.5", None)


def test_no_more_than_three_decimals_of_a_length() -> None:
    use = next(parsed(to_svg(page())).iter(SVG + "use"))
    assert use.get("transform") == "translate(5 6.123)"


def test_same_page_same_bytes() -> None:
    assert to_svg(page()) == to_svg(page())


def test_unknown_symbol_is_a_fault_of_the_tool() -> None:
    with pytest.raises(KeyError):
        to_svg(Page(1, 1, (Use("nowhere"),)))


def test_unknown_pattern_is_a_fault_of_the_tool() -> None:
    with pytest.raises(KeyError):
        to_svg(Page(1, 1, (Path("M0 0L1 1Z", Paint(fill="pattern:nowhere")),)))
