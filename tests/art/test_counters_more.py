"""Blocks, cards, own pictures and fonts, fold-over sheets, calibration, PDF boxes, kept faces, charts."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path as File
from typing import Any

import numpy as np
import pytest
import resvg_py
from PIL import Image as Pixels
from pypdf import PdfReader

from toolchain.art import symbols
from toolchain.art.calibration import build_calibration
from toolchain.art.charts import build_chart
from toolchain.art.faces import build_faces, build_plain_back, label_only
from toolchain.art.imposition import build_grid, build_sheets
from toolchain.art.marks import Group, Image, Page, Paint, Path, rectangle, walk
from toolchain.art.pdf import to_pdf
from toolchain.art.png import svg_to_png, to_png
from toolchain.art.svg import to_svg
from toolchain.export import facecache, kept
from toolchain.export.facecache import draw_all
from toolchain.export.kept import render_pngs
from toolchain.export.manifest import manifest_json, manifest_rows
from toolchain.model.forces import Counter, Face
from toolchain.model.position import Piece, Position
from toolchain.report import Location, Report
from toolchain.sources.artwork import read_artwork, read_picture
from toolchain.sources.decode.counters import decode_counters
from toolchain.sources.decode.style import Sheet, Size, Style, decode_style
from toolchain.sources.documents import read_table

ROW = Location("units.csv", 4)
FONT = File(__file__).parents[2] / "toolchain" / "art" / "fonts" / "BarlowCondensed-SemiBold.ttf"
HALF = Size(width=12.7, height=12.7)
PT = 72 / 25.4


def standard(**changes: Any) -> Style:
    report = Report()
    style = decode_style({"format": 1, "like": "standard", **changes}, "style.toml", report)
    assert style is not None, list(map(str, report))
    return style


def counters(text: str, folder: File, encoding: str = "utf-8") -> tuple[tuple[Counter, ...], list[str]]:
    report = Report()
    (folder / "units.csv").write_bytes(text.encode(encoding))
    table = read_table(folder / "units.csv", "units.csv", report)
    assert table is not None
    return decode_counters(table, {}, report), [str(f) for f in report]


def pixels(page: Page, per_mm: float = 10) -> Any:
    svg = to_svg(page, (round(page.width * per_mm), round(page.height * per_mm)))
    return Pixels.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg, background="#ffffff")))).convert("RGB")


# Tables ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mark", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_tables_as_spreadsheets_save_them(mark: str, encoding: str, tmp_path: File) -> None:
    text = f'id{mark}name{mark}text\na{mark}Führer{mark}"one, two; three\nfour ""five"""\nb{mark}É{mark}x\n'
    (a, b), found = counters(text, tmp_path, encoding)
    assert a.name == "Führer" and a.attributes["text"] == 'one, two; three\nfour "five"' and b.where.line == 3
    said = (["warning C105"] if encoding == "cp1252" else []) + ([] if mark == "," else ["note C114"])
    assert sorted(f.split(":")[0] for f in found) == sorted(said)


def test_accents_survive_to_the_print(tmp_path: File) -> None:
    faces = []
    for text, encoding in (("Führer", "utf-8"), ("Führer", "utf-8-sig"), ("Führer", "cp1252"), ("Fuhrer", "utf-8")):
        (one,), _ = counters(f"id,name,layout,size,text\na,A,marker,5/8,{text}\n", tmp_path, encoding)
        report = Report()
        faces.append(to_svg(build_faces(one, standard(), report)[0]))
        assert not len(report)
    assert faces[0] == faces[1] == faces[2] != faces[3]


def test_steps_become_faces(tmp_path: File) -> None:
    text = (
        "id,name,strength,step2_strength,step3_strength,step4_strength\na,A,4,3,2,1\nb,B,3,2,,\nc,C,1,,,\nd,D,4,,,1\n"
    )
    got, found = counters(text, tmp_path)
    assert [[f.values["strength"] for f in c.faces] for c in got] == [[4, 3, 2, 1], [3, 2], [1], [4]]
    assert len(found) == 1 and "C108" in found[0] and "units.csv:5, column step4_strength" in found[0]


def test_everything_wrong_with_a_table_is_said_at_once(tmp_path: File) -> None:
    _, found = counters("id,name,symbl,attack\na,A,x,=B2\nb,B,x,#REF!\n,C,x,1\n", tmp_path)
    assert sorted(f.split()[1].rstrip(":") for f in found) == ["C106", "C106", "C107", "S012"]


# Faces ----------------------------------------------------------------------------------------------------------


def test_a_small_game_needs_no_more_than_its_colours() -> None:
    style = standard(look=[{"when": {"side": "red"}, "set": {"paper": "#aa3322"}}])
    unit = Counter(
        "a", "A", side="red", symbol="infantry corps", faces=(Face({"attack": 2, "defence": 3, "movement": 4}),)
    )
    report = Report()
    (page,) = build_faces(unit, style, report)
    assert not len(report) and "#aa3322" in to_svg(page)


def test_a_layout_of_the_same_name_adds_to_the_standard_one() -> None:
    style = standard(
        layouts={"control": {"like": "control", "elements": [{"draw": "dot", "size": 0.2, "fill": "#123456"}]}}
    )
    (page,) = build_faces(Counter("a", "A", layout="control", size="1/2"), style, Report())
    assert "#123456" in to_svg(page)


@pytest.mark.parametrize("layout", ["unit", "silhouette", "marker", "control", "piece", "block"])
def test_a_border_is_drawn_where_a_look_gives_it_a_colour(layout: str) -> None:
    counter = Counter(
        "a", "A", layout=layout, size="5/8", symbol="armor", faces=(Face({"strength": 1, "movement": 2}),)
    )
    counter = replace(counter, attributes={"icon": "tank"})
    plain, edged = (
        {m.paint.stroke for m in walk(build_faces(counter, s, Report())[0].marks) if isinstance(m, Path)}
        for s in (standard(), standard(look=[{"set": {"border": "#aa2211"}}]))
    )
    assert edged - plain == {"#aa2211"}


def test_a_word_of_a_look_may_be_a_template() -> None:
    style = standard(look=[{"set": {"factors": "{combat}+{move}"}}])

    def face(**values: Any) -> tuple[str, list[str]]:
        report = Report()
        pages = build_faces(Counter("a", "A", symbol="armor", faces=(Face(values),), where=ROW), style, report)
        return to_svg(pages[0]), [str(f) for f in report]

    assert face(combat=3, move=4)[1] == [] and face(combat=3, move=4)[0] != face(combat=3, move=5)[0]
    assert any("C204" in f and "{combat}" in f for f in face(move=4)[1])


def test_the_corners_of_a_block_are_words_of_a_look_and_empty_cells_leave_them_empty() -> None:
    style = standard(look=[{"when": {"layout": "block"}, "set": {"upper-left": "A{air}", "lower-right": "{movement}"}}])

    def count(**values: Any) -> int:
        report = Report()
        faces = (Face({"strength": 4}),)
        block = Counter("k", "K", layout="block", size="label", symbol="infantry", faces=faces, attributes=values)
        pages = build_faces(block, style, report)
        assert not len(report)
        return sum(isinstance(m, Path) for m in walk(pages[0].marks))

    assert [count(**v) - count() for v in ({"air": 1}, {"air": 1, "movement": 3}, {"class": "x"})] == [1, 2, 1]


@pytest.mark.parametrize(
    ("values", "places"),
    [
        ({"number": 3}, [(0.5, 0.5)]),
        ({"text": "Out"}, [(0.5, 0.5)]),
        ({"icon": "star"}, [(0.5, 0.5)]),
        ({"icon": "star", "text": "Out"}, [(0.5, 0.34), (0.5, 0.78)]),
        ({"icon": "star", "number": 3}, [(0.29, 0.5), (0.73, 0.5)]),
        ({"number": 3, "text": "Out"}, [(0.5, 0.36), (0.5, 0.8)]),
        ({"icon": "star", "number": 3, "text": "Out"}, [(0.29, 0.34), (0.73, 0.34), (0.5, 0.78)]),
    ],
)
def test_a_marker_makes_room_for_what_it_has(values: dict[str, Any], places: list[tuple[float, float]]) -> None:
    report = Report()
    (page,) = build_faces(Counter("m", "M", layout="marker", size="1/2", attributes=values), standard(), report)
    got = [m.matrix[4:] for m in page.marks if isinstance(m, Group)]
    assert not len(report) and got == [pytest.approx((12.7 * x, 12.7 * y)) for x, y in places]


def test_a_cell_goes_before_the_look_and_must_be_a_colour() -> None:
    style, report = standard(), Report()

    def marker(paper: str) -> str:
        counter = Counter("a", "A", layout="marker", attributes={"text": "X", "paper": paper}, where=ROW)
        return to_svg(build_faces(counter, style, report)[0])

    assert "#0a0b0c" in marker("#0a0b0c") and not len(report)
    marker("parchmnt")
    assert [str(f) for f in report] == [
        "error C103: units.csv:4, column paper: there is no colour 'parchmnt'; did you mean 'parchment'?"
    ]


def test_a_look_that_sets_no_colour_is_told_with_the_nearest() -> None:
    raw = {"format": 1, "like": "standard", "look": [{"when": {"side": "red"}, "set": {"paper": "parchmnt"}}]}
    style, report = decode_style(raw, "style.toml", Report()), Report()
    assert style is not None
    build_faces(Counter("a", "A", side="red", layout="marker", attributes={"text": "X"}), style, report)
    assert [f.message for f in report] == [
        "a look sets paper to 'parchmnt', and there is no such colour; did you mean 'parchment'?"
    ]


def test_a_block_is_one_label_turned_for_each_step() -> None:
    style = standard()
    faces = tuple(Face({"strength": n}) for n in (4, 3, 2, 1))
    block = Counter("k", "K", layout="block", size="label", symbol="infantry", faces=faces)
    report = Report()
    pages = build_faces(block, style, report)
    assert not len(report) and len(pages) == 4 and label_only(block, style)
    first = pixels(pages[0])
    for step, page in enumerate(pages):
        turned = first.rotate(90 * step)
        same = (np.asarray(turned) == np.asarray(pixels(page))).all(axis=2).mean()
        assert same > 0.97, "the label after so many quarter turns to the left"
    short = build_faces(
        Counter("k", "K", layout="block", size="label", symbol="infantry", faces=faces[:2]), style, report
    )
    count = [sum(isinstance(m, Path) for m in walk(p[0].marks)) for p in (pages, short)]
    assert count[0] - count[1] == 2, "steps that a unit does not have are not printed"


def test_a_card_of_one_step_has_its_back_on_sheets() -> None:
    style = standard()
    card = Counter("e", "E", layout="card", size="poker", attributes={"title": "Fog", "body": "No combat. " * 8})
    report = Report()
    assert len(build_faces(card, style, report)) == 1 and not len(report)
    assert build_plain_back(card, style, 1.5) is not None
    plain = Counter("m", "M", layout="marker", size="1/2", attributes={"text": "M"})
    assert build_plain_back(plain, style, 1.5) is None
    assert build_plain_back(plain, style.printed_on(plain="paper"), 1.5) is not None


def test_running_text_that_is_too_long_is_found() -> None:
    report = Report()
    card = Counter(
        "e", "E", layout="card", size="mini", attributes={"title": "Fog", "body": "No combat. " * 200}, where=ROW
    )
    build_faces(card, standard(), report)
    assert [f.rule.code for f in report] == ["C201"] and "column body" in str(next(iter(report)))


# Own pictures and fonts -----------------------------------------------------------------------------------------

SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="20mm" height="10mm" viewBox="0 0 40 20">{}</svg>'  # noqa: E501


def picture(inner: str, folder: File) -> tuple[Any, list[str]]:
    report = Report()
    (folder / "p.svg").write_text(SVG.format(inner), "utf-8")
    got = read_picture(folder / "p.svg", "p.svg", ROW, report)
    return got, [str(f) for f in report]


def test_a_picture_keeps_its_curves_and_colours(tmp_path: File) -> None:
    got, found = picture(
        '<style>.a{fill:#112233}</style><defs><path id="w" d="M0 0L4 0L4 4Z"/></defs><g transform="scale(2)">'
        '<circle class="a" cx="5" cy="5" r="5"/></g><use xlink:href="#w" x="30" fill="red"/>'
        '<path d="M0 0H10" style="fill:none;stroke:rgb(1,2,3);stroke-width:2"/>',
        tmp_path,
    )
    assert not found and (got.width, got.height) == (20, 10)
    assert [(s.fill, s.stroke) for s in got.shapes] == [("#112233", None), ("#ff0000", None), (None, "#010203")]
    xs = [x for _, points in got.shapes[0].commands for x, _ in points]
    assert min(xs) == pytest.approx(0, abs=0.02) and max(xs) == pytest.approx(10, abs=0.02)
    assert got.shapes[2].width == pytest.approx(1) and {op for op, _ in got.shapes[0].commands} <= set("MLCQZ")


@pytest.mark.parametrize(
    "inner",
    [
        "<script>x</script>",
        '<rect width="4" height="4" onclick="x()"/>',
        '<image xlink:href="http://example.org/a.png" width="4" height="4"/>',
        '<rect width="4" height="4" style="fill:url(file:///etc/passwd)"/>',
        '<style>@import "x.css";</style><rect width="4" height="4"/>',
        '<use xlink:href="other.svg#a"/>',
    ],
)
def test_scripts_and_outside_references_are_refused(inner: str, tmp_path: File) -> None:
    got, found = picture(inner, tmp_path)
    assert got is None and any("C207" in f and "p.svg" in f for f in found)


def test_a_picture_that_uses_itself_ends(tmp_path: File) -> None:
    got, found = picture('<g id="a"><rect width="4" height="4"/><use xlink:href="#a"/></g>', tmp_path)
    assert len(got.shapes) == 1 and len(found) == 1 and "a clone of itself" in found[0]
    groups = [f'<g id="g{i}"><use href="#g{i - 1}"/><use href="#g{i - 1}"/></g>' for i in range(1, 30)]
    got, found = picture('<g id="g0"/>' + "".join(groups) + '<rect width="4" height="4"/>', tmp_path)
    assert len(got.shapes) == 1 and any("the rest is left out" in f for f in found)


@pytest.mark.parametrize(
    ("inner", "fill", "width"),
    [
        ('<rect id="a" width="0" height="4"/><use href="#a" x="1mm"/>', None, 0),
        (
            '<symbol id="a" viewBox="0 0 3 3"><rect width="3" height="3"/></symbol><use href="#a" width="8"/>',
            "000000",
            4,
        ),
        ('<style>rect.b{fill:tan} #x{fill:#0f0}</style><rect id="x" class="b" width="6" height="4"/>', "00ff00", 3),
        ('<pattern id="s"><stop stop-color="#369"/></pattern><path d="M0 0h2v2z" fill="url(#s)"/>', "336699", 1),
        ('<g visibility="hidden"><path visibility="visible" d="M0 0h2v2z" fill="hsl(0,100%,50%)"/></g>', "ff0000", 1),
        ('<rect width="50%" height="2" fill="crimson"/>', "dc143c", 10),
    ],
)
def test_a_picture_is_read_as_drawings_are(inner: str, fill: str | None, width: float, tmp_path: File) -> None:
    got, found = picture(inner, tmp_path)
    if fill is None:
        assert got is None and all("S002" in f for f in found)
        return
    (shape,) = got.shapes
    xs = [x for _, points in shape.commands for x, _ in points]
    assert not found and shape.fill == f"#{fill}" and max(xs) - min(xs) == pytest.approx(width)


def test_what_a_picture_loses_is_said(tmp_path: File) -> None:
    got, found = picture(
        '<text x="1" y="2">A</text><g opacity="50%"><rect width="4" height="4" fill-opacity=".5" mask="url(#m)"/></g>'
        '<linearGradient id="g"><stop/><stop stop-color="red"/></linearGradient><path d="M0 0h4v4z" fill="url(#g)"/>'
        "<style>g rect{fill:red}</style>",
        tmp_path,
    )
    assert [s.opacity for s in got.shapes] == [0.25, 1.0] and {f.split()[1].rstrip(":") for f in found} == {"C208"}
    for word in ("texts", "mask", "gradient", "drawn black", "g rect"):
        assert any(word in f for f in found), word


def test_own_files_are_drawn_and_stay_in_their_folder(tmp_path: File) -> None:
    folder = tmp_path / "counters"
    folder.mkdir()
    (folder / "wolf.svg").write_text(SVG.format('<rect width="40" height="20" fill="#445566"/>'), "utf-8")
    Pixels.new("RGB", (8, 4), "#ff8800").save(folder / "sky.png")
    (folder / "title.ttf").write_bytes(FONT.read_bytes())
    (folder / "bad.ttf").write_bytes(b"\0\1\0\0 no font")
    (tmp_path / "out.svg").write_text(SVG.format(""), "utf-8")
    style = standard(
        fonts={"own": {"file": "title.ttf"}, "bad": {"file": "bad.ttf"}},
        layouts={
            "mine": {
                "elements": [
                    {"draw": "picture", "fit": "fill"},
                    {"draw": "icon", "width": 0.5, "ink": "#abcdef"},
                    {"draw": "symbol", "width": 0.5, "ink": "#fedcba"},
                    {"draw": "text", "text": "→", "font": "own", "size": 0.3, "ink": "#000000"},
                ]
            }
        },
    )
    values = {"picture": "sky.png", "icon": "wolf.svg"}
    mine = Counter("a", "A", layout="mine", symbol="wolf.svg corps", attributes=values, where=ROW)
    lost = Counter("b", "B", layout="mine", symbol="../out.svg", attributes={"icon": "wlof.svg"}, where=ROW)
    report = Report()
    style = style.with_artwork(read_artwork(tmp_path, "counters", style, (mine, lost), report))
    said = [str(f) for f in report]
    assert sum("C209" in f and "bad.ttf" in f for f in said) == 1 and sum("S003" in f for f in said) == 1
    assert any("S001" in f and "did you mean 'wolf.svg'" in f for f in said) and len(said) == 3
    report = Report()
    (page,) = build_faces(mine, style, report)
    assert [f.rule.code for f in report] == ["C202"], "the font has no arrow"
    svg = to_svg(page)
    assert any(isinstance(m, Image) for m in walk(page.marks)) and "#abcdef" in svg and "#fedcba" in svg
    assert "data:image/png;base64," in svg and pixels(page).getpixel((3, 3)) == (255, 136, 0)


# Sheets ---------------------------------------------------------------------------------------------------------


def faces(count: int, pages: int = 2, **attributes: Any) -> list[tuple[Counter, list[Page]]]:
    colours = ("#aa0000", "#0000aa", "#00aa00", "#aaaa00")
    drawn = [Page(12.7, 12.7, (Path(rectangle(0, 0, 12.7, 12.7), Paint(fill=c)),)) for c in colours[:pages]]
    return [
        (Counter(f"c{i}", f"C{i}", attributes={k: v(i) for k, v in attributes.items()}), drawn) for i in range(count)
    ]


@pytest.mark.parametrize("landscape", [False, True])
def test_folded_backs_coincide_with_their_fronts(landscape: bool) -> None:
    sheet, report = Sheet(backs="fold", landscape=landscape), Report()
    grid = build_grid(HALF, sheet, report)
    (got,) = build_sheets(faces(17), HALF, sheet, report, "T")
    assert grid is not None and grid.fold is not None and not len(report) and got.back is None
    for slot in got.slots:
        (x, y), (u, v) = slot.front, slot.back
        folded = (2 * grid.fold - u - 12.7, v) if landscape else (u, 2 * grid.fold - v - 12.7)
        assert folded == pytest.approx((x, y))
        assert (x + 12.7 if landscape else y + 12.7) < grid.fold, "no front lies on the fold"
    picture = pixels(got.front, 2)
    for place, colour in [(s.front, (170, 0, 0)) for s in got.slots] + [(s.back, (0, 0, 170)) for s in got.slots]:
        assert picture.getpixel((round(2 * place[0] + 13), round(2 * place[1] + 13))) == colour


def test_a_new_sheet_begins_with_each_value() -> None:
    got = build_sheets(faces(9, team=lambda i: "ab"[i % 2]), HALF, Sheet(breaks="team"), Report(), "T")
    assert [[s.counter for s in p.slots] for p in got] == [["c0", "c2", "c4", "c6", "c8"], ["c1", "c3", "c5", "c7"]]
    assert "a · sheet 1 of 2" in got[0].front.title


def test_four_steps_are_two_counters() -> None:
    (got,) = build_sheets(faces(1, pages=4), HALF, Sheet(), Report(), "T")
    assert len(got.slots) == 2 and got.back is not None and len(got.front.symbols) == 2 == len(got.back.symbols)


@pytest.mark.parametrize(
    ("paper", "width", "height"),
    [("a4", 210, 297), ("letter", 215.9, 279.4), ("a3", 297, 420), ("tabloid", 279.4, 431.8)],
)
def test_the_boxes_of_the_pdf_are_exact(paper: str, width: float, height: float) -> None:
    (got,) = build_sheets(faces(30), HALF, Sheet(paper=paper, bleed=1.5), Report(), "T")  # type: ignore[arg-type]
    assert got.back is not None
    data = to_pdf([got.front, got.back], "T")
    assert data == to_pdf([got.front, got.back], "T"), "the same bytes every time"
    for page, side in zip(PdfReader(io.BytesIO(data)).pages, ("front", "back"), strict=True):
        corners = [getattr(s, side) for s in got.slots]
        left, top = min(x for x, _ in corners), min(y for _, y in corners)
        right, bottom = max(x for x, _ in corners) + 12.7, max(y for _, y in corners) + 12.7
        for box, grown in (("trimbox", 0.0), ("bleedbox", 1.5)):
            sides = (left - grown, height - bottom - grown, right + grown, height - top + grown)
            assert [float(v) / PT for v in getattr(page, box)] == pytest.approx(sides, abs=0.001)
        assert [float(v) / PT for v in page.mediabox] == pytest.approx([0, 0, width, height], abs=0.001)


def test_first_and_last_counter_stand_where_they_should() -> None:
    (got,) = build_sheets(faces(30), HALF, Sheet(bleed=0), Report(), "T")
    picture = pixels(got.front, 20)
    red = [
        (x, y)
        for y in range(0, picture.height)
        for x in range(0, picture.width, 4)
        if picture.getpixel((x, y)) == (170, 0, 0)
    ]
    assert red[0][1] / 20 == pytest.approx(got.slots[0].front[1], abs=0.1)
    assert min(x for x, _ in red) / 20 == pytest.approx(got.slots[0].front[0], abs=0.2)
    assert red[-1][1] / 20 == pytest.approx(got.slots[-1].front[1] + 12.7, abs=0.1)


@pytest.mark.parametrize(("flip", "vertical"), [("long-edge", True), ("short-edge", False)])
def test_the_calibration_page_reads_what_must_be_typed(flip: Any, vertical: bool) -> None:
    """A printer that shifts backs is put right by the numbers that its calibration page shows."""
    shift = (1.5, -0.5)  # of the back as it is printed, on the back page

    def crosses(sheet: Sheet) -> list[tuple[float, float]]:
        layer = next(m for m in build_calibration(sheet)[1].marks if isinstance(m, Group) and m.layer == "back")
        out = []
        for m in layer.marks:
            assert isinstance(m, Path)
            n = [float(v) for v in re.findall(r"-?\d+\.?\d*", m.data)]
            out.append(((n[0] + n[2]) / 2, n[1]))
        return out

    plain, moved = Sheet(flip=flip), Sheet(flip=flip, back_offset=(-shift[0], -shift[1]))
    front = [(x, y) for y in (34.0, 148.5, 263.0) for x in (34.0, 176.0)]
    for (fx, fy), (bx, by), (mx, my) in zip(front, crosses(plain), crosses(moved), strict=True):
        seen_x, seen_y = (210 - bx - shift[0], by + shift[1]) if vertical else (bx + shift[0], 297 - by - shift[1])
        signs = (1, -1) if vertical else (-1, 1)  # how the printed scales are numbered
        read = (signs[0] * (seen_x - fx), signs[1] * (seen_y - fy))
        assert read == pytest.approx((-shift[0], -shift[1])), "what is read is what must be typed"
        assert (mx + shift[0], my + shift[1]) == pytest.approx((bx, by)), "and then the backs are right"


# Kept faces -----------------------------------------------------------------------------------------------------


def markers(count: int, text: str = "M") -> list[Counter]:
    return [
        Counter(
            f"m{i}", "M", layout="marker", size="1/2", attributes={"text": f"{text}{i}"}, where=Location("u.csv", i + 2)
        )
        for i in range(count)
    ]


def test_only_what_changed_is_drawn_again(tmp_path: File, monkeypatch: pytest.MonkeyPatch) -> None:
    style, drawn = standard(), []

    def counted(counter: Counter, *rest: Any) -> tuple[Page, ...]:
        drawn.append(counter.id)
        return build_faces(counter, *rest)

    monkeypatch.setattr(facecache, "build_faces", counted)
    some = markers(5)
    fresh = draw_all(some, style, Report())
    draw_all(some, style, Report(), folder=tmp_path)
    drawn.clear()
    kept = draw_all(some, style, Report(), folder=tmp_path)
    assert drawn == [] and [kept.svgs(c.id) for c in some] == [fresh.svgs(c.id) for c in some]
    assert [kept[c.id] for c in some] == [fresh[c.id] for c in some], "also as pages"
    some[3] = markers(4, "New")[3]
    draw_all(some, style, Report(), folder=tmp_path)
    assert drawn == ["m3"]
    drawn.clear()
    draw_all(some, standard(look=[{"set": {"paper": "#101010"}}]), Report(), folder=tmp_path)
    assert len(drawn) == 5, "another style"
    monkeypatch.setattr(facecache, "_tool", lambda: "newer")
    drawn.clear()
    draw_all(some, style, Report(), folder=tmp_path)
    assert len(drawn) == 5, "another tool"


def test_findings_are_kept_and_follow_their_row(tmp_path: File) -> None:
    bad = markers(1, "→")
    said = []
    for line in (2, 9):
        report = Report()
        moved = [Counter(**{**{n: getattr(c, n) for n in c.__slots__}, "where": Location("u.csv", line)}) for c in bad]
        draw_all(moved, standard(), report, folder=tmp_path)
        said.append([str(f) for f in report])
    assert said[1] == [f.replace("u.csv:2", "u.csv:9") for f in said[0]] and "C202" in said[0][0]


def test_pictures_are_rendered_once(tmp_path: File, monkeypatch: pytest.MonkeyPatch) -> None:
    style, rendered = standard(), []
    pages = {f"{c.id}.png": build_faces(c, style, Report())[0] for c in markers(3)}
    fresh = render_pngs(pages, 200, None, None)

    def counted(svg: str, background: str | None, pixels_per_mm: float) -> bytes:
        rendered.append(svg)
        return svg_to_png(svg, background, pixels_per_mm)

    monkeypatch.setattr(kept.png, "svg_to_png", counted)
    assert render_pngs(pages, 200, None, tmp_path) == fresh and len(rendered) == 3
    assert render_pngs(pages, 200, None, tmp_path) == fresh and len(rendered) == 3
    pages["m1.png"] = build_faces(markers(2, "New")[1], style, Report())[0]
    again = render_pngs(pages, 200, None, tmp_path)
    assert len(rendered) == 4 and [n for n in pages if again[n] != fresh[n]] == ["m1.png"]
    for other in ((100, None), (200, "#ffffff")):
        rendered.clear()
        render_pngs(pages, *other, tmp_path)
        assert len(rendered) == 3, "another resolution, another ground"
    monkeypatch.setattr(kept, "_renderer", lambda: "newer")
    rendered.clear()
    render_pngs(pages, 200, None, tmp_path)
    assert len(rendered) == 3, "another renderer"


def test_known_symbols_need_no_look_into_the_table(tmp_path: File, monkeypatch: pytest.MonkeyPatch) -> None:
    def units(text: str) -> list[Counter]:
        return [Counter("u", "U", symbol="armor brigade", layout="unit", size="5/8", attributes={"text": text})]

    monkeypatch.setattr(symbols, "ICONS", icons := {})
    monkeypatch.setattr(facecache, "ICONS", icons)
    first = draw_all(units("1"), standard(), Report(), folder=tmp_path)
    assert icons
    icons.clear()
    symbols.draw_symbol.cache_clear()
    monkeypatch.setattr(symbols, "_looked_up", lambda code: pytest.fail(f"{code} was looked up again"))
    again = draw_all(units("2"), standard(), Report(), folder=tmp_path)
    assert again["u"] != first["u"], "the row is another one"
    symbols.draw_symbol.cache_clear()
    assert draw_all(units("2"), standard(), Report())["u"] == again["u"]


def test_a_damaged_cache_is_only_slow(tmp_path: File) -> None:
    (tmp_path / "faces.sqlite").write_bytes(b"no database" * 100)
    assert len(draw_all(markers(2), standard(), Report(), folder=tmp_path)) == 2
    (tmp_path / "pictures.sqlite").write_bytes(b"no database" * 100)
    page = build_faces(markers(1)[0], standard(), Report())[0]
    assert render_pngs({"a": page}, 100, None, tmp_path)["a"] == to_png(page, 100)
    (tmp_path / "file").write_text("x")
    assert len(draw_all(markers(2), standard(), Report(), folder=tmp_path / "file" / "x")) == 2


# Charts and the manifest ----------------------------------------------------------------------------------------


def test_charts_and_tracks(tmp_path: File) -> None:
    (tmp_path / "crt.csv").write_text("Die,1:1,2:1\n1,AE,EX\n2,DR,DE\n", "utf-8")
    (tmp_path / "turns.csv").write_text("text,note,icon\n1,,\n2,Snow,tnak\n3,,star\n", "utf-8")
    style = standard(
        charts={
            "crt": {"file": "crt.csv", "title": "CRT"},
            "turns": {"draw": "track", "file": "turns.csv", "across": 2},
        }
    )
    report = Report()
    style = style.with_artwork(read_artwork(tmp_path, ".", style, (), report))
    chart = build_chart("crt", style, report)
    assert chart is not None and not len(report) and chart.width == 90
    track = build_chart("turns", style, report)
    assert track is not None and (track.width, track.height) == (2 * 3 + 2 * 18, 3 + 2 * 18 + 3)
    assert [str(f) for f in report] == [
        "error C205: ./turns.csv:3, column icon: there is no icon 'tnak'; did you mean 'tank'?"
    ]


def test_the_manifest_counts_cardboard() -> None:
    some = [Counter("a", "A", side="red", kind="army", copies=3), Counter("b", "B", side="blue", kind="army")]
    setups = [Position("x", (Piece("a", "a", "1"), Piece("a#2", "a", "1"))), Position("y", (Piece("a", "a", "1"),))]
    rows = manifest_rows(some, setups, "1/2")
    assert [(r["id"], r["copies"], r["most_used"], r["size"]) for r in rows] == [("a", 3, 2, "1/2"), ("b", 1, 0, "1/2")]
    document = json.loads(manifest_json(rows))
    assert document["counters"] == 4 and document["by"]["side"] == {"blue": 1, "red": 3}
    assert document["by"]["kind"] == {"army": 4} and document["by"]["side and kind"]["red"] == {"army": 3}
