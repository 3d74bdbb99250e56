"""PNG: exact pixels, transparency, stated resolution."""

from __future__ import annotations

import io
import sys

import pytest
from PIL import Image

from toolchain.art.marks import Page, Paint, Path, rectangle
from toolchain.art.png import sized_svg, svg_to_png, svg_to_png_apart, to_png

HALF = Page(25.4, 12.7, (Path(rectangle(0, 0, 12.7, 12.7), Paint(fill="#ff0000")),))


def picture(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


@pytest.mark.parametrize(("dpi", "size"), [(100, (100, 50)), (300, (300, 150)), (75.5, (76, 38))])
def test_size_follows_resolution(dpi: float, size: tuple[int, int]) -> None:
    assert picture(to_png(HALF, dpi)).size == size


def test_resolution_is_stated() -> None:
    assert picture(to_png(HALF, 300)).info["dpi"] == pytest.approx((300, 300), abs=0.1)


def test_unpainted_stays_transparent() -> None:
    image = picture(to_png(HALF, 100)).convert("RGBA")
    assert image.getpixel((25, 25)) == (255, 0, 0, 255)
    assert image.getpixel((75, 25)) == (0, 0, 0, 0)


def test_background_fills_what_is_unpainted() -> None:
    assert picture(to_png(HALF, 100, "#0000ff")).convert("RGBA").getpixel((75, 25)) == (0, 0, 255, 255)


def test_a_process_of_its_own_renders_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    svg = sized_svg(HALF, 100)
    here = svg_to_png(svg, "#0000ff", 4)
    assert svg_to_png_apart(svg, "#0000ff", 4) == here != svg_to_png(svg, None, 4)
    monkeypatch.setattr(sys, "executable", "no-such-program")
    assert svg_to_png_apart(svg, "#0000ff", 4) == here, "where no process can be started, this one renders"
