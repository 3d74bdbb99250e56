"""Layers of a drawing printed as they are painted."""

from __future__ import annotations

import shapely

from toolchain.art.mapsheet import build_map_page
from toolchain.art.marks import Path, walk
from toolchain.art.painted import painted_marks
from toolchain.model.drawing import Layer, Shape
from toolchain.model.warmap import Sheet, Space, WarMap
from toolchain.report import Report
from toolchain.sources.decode.mapstyle import PaintedStyle, classic_map_style

TEXT = {"fill": "#102030", "text": "Reserve", "font-size": 4.0, "text-anchor": "middle", "font-family": "serif"}
SHAPES = (
    Shape(shapely.box(10, 10, 20, 20), {"fill": "#aa3311", "stroke": "#000000", "stroke-width": 0.5}),
    Shape(shapely.LineString([(0, 0), (9, 9)]), {"fill": "none", "stroke": "#123456", "stroke-width": 1.0}),
    Shape(shapely.box(30, 10, 40, 20), {"fill": "none", "stroke": "none", "stroke-width": 1.0}),
    Shape(shapely.Point(15, 30), TEXT),
)
DRAWING = {"art": Layer("art", SHAPES)}


def style(**own):
    return classic_map_style().model_copy(update={"painted": {"x": PaintedStyle(layer="art", **own)}})


def test_areas_lines_and_texts_keep_their_paint_and_what_is_not_painted_is_left_out():
    area, line, text = [m for m in walk(painted_marks(DRAWING, style(), "ground").marks) if isinstance(m, Path)]
    assert (area.paint.fill, area.paint.stroke, area.paint.width) == ("#aa3311", "#000000", 0.5)
    assert (line.paint.fill, line.paint.stroke) == (None, "#123456")
    assert text.paint.fill == "#102030" and text.data.count("M") >= 7
    xs = [float(n) for n in text.data.replace("M", " ").replace("Z", " ").split()[:1]]
    assert 5 < xs[0] < 15, "centred on its anchor"


def test_a_layer_lies_on_the_ground_or_over_all():
    assert painted_marks(DRAWING, style(over="all"), "ground").marks == ()
    assert painted_marks(DRAWING, style(over="all", opacity=0.5), "all").marks[0].opacity == 0.5


def test_a_layer_that_the_map_lacks_is_found():
    warmap = WarMap("x", "X", (Sheet("main", 60, 60),), (Space("A", "point", (50.0, 50.0), "A"),))
    report = Report()
    wrong = classic_map_style().model_copy(update={"painted": {"x": PaintedStyle(layer="arts")}})
    build_map_page(warmap, DRAWING, wrong, report, furniture=False)
    (finding,) = [f for f in report if f.rule.code == "C501" or "painted" in f.where.key]
    assert "did you mean 'art'" in finding.message and finding.where.key == "painted.x.layer"
