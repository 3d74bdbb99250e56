"""Pieces of a map sheet printed by themselves."""

from __future__ import annotations

import io

from PIL import Image

from toolchain.art.cutting import cut_sheets
from toolchain.art.mapsheet import MapSheet
from toolchain.art.marks import Group, Page, Paint, Path, rectangle, shifted, walk
from toolchain.art.png import to_png
from toolchain.sources.decode.mapstyle import CutStyle

MARKS = (
    Path(rectangle(0, 0, 100, 50), Paint(fill="#ffffff")),
    Path(rectangle(60, 10, 20, 20), Paint(fill="#ff0000")),
    Path(rectangle(90, 10, 10, 20), Paint(fill="#0000ff")),
)
SHEETS = {"main": MapSheet(Page(100, 50, MARKS, "Whole"), None)}


def test_a_piece_is_as_large_as_said_and_shows_its_part_of_the_sheet():
    cut = CutStyle(at=(60, 10), size=(30, 25), title="Board")
    (piece,) = cut_sheets(SHEETS, {"board": cut}).values()
    assert (piece.page.width, piece.page.height, piece.page.title) == (30, 25, "Board")
    image = Image.open(io.BytesIO(to_png(piece.page, 25.4))).convert("RGB")
    assert image.size == (30, 25)
    assert image.getpixel((1, 1)) == (255, 0, 0) and image.getpixel((25, 1)) == (255, 255, 255)
    assert image.getpixel((1, 23)) == (255, 255, 255)


def test_pieces_of_sheets_that_are_not_there_are_left_out():
    assert cut_sheets(SHEETS, {"x": CutStyle(at=(0, 0), size=(1, 1), sheet="other")}) == {}


def test_what_lies_elsewhere_is_left_out():
    near = Group((Path(rectangle(0, 0, 2, 2), Paint(fill="#00ff00")),), shifted(61, 11))
    page = Page(100, 50, (*MARKS, near, Group((Path(rectangle(5, 5, 2, 2), Paint(fill="#00ff00")),))), "Whole")
    (piece,) = cut_sheets({"main": MapSheet(page, None)}, {"x": CutStyle(at=(60, 10), size=(20, 10))}).values()
    fills = [m.paint.fill for m in walk(piece.page.marks) if isinstance(m, Path)]
    assert fills == ["#ffffff", "#ff0000", "#00ff00"]
