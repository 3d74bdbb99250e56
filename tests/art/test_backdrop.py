"""A sheet that is printed from the designer's own picture."""

from __future__ import annotations

import shutil
from pathlib import Path

from handmade import png

from toolchain.art.mapsheet import build_map_sheet
from toolchain.art.marks import Image
from toolchain.report import Report
from toolchain.sources.project import read_project
from toolchain.survey.game import survey_project

PROJECTS = Path(__file__).parents[1] / "data" / "projects"


def test_a_picture_stands_in_place_of_the_drawing(tmp_path: Path) -> None:
    shutil.copytree(PROJECTS, tmp_path / "p")
    folder = tmp_path / "p" / "maps" / "tiny"
    (folder / "board.png").write_bytes(png(20, 10, (1, 2, 3)))
    (folder / "style.toml").write_text('format = 1\n[picture]\nmain = "board.png"\n', "utf-8")
    report = Report()
    project = read_project(tmp_path / "p", "tiny", report)
    assert project is not None
    loaded = survey_project(project, report)
    sheet = build_map_sheet(loaded.game.map, loaded.drawing, project.map_style, report)
    (mark,) = sheet.page.marks
    assert isinstance(mark, Image)
    assert (mark.width, mark.height, mark.pixels) == (200, 100, (folder / "board.png").read_bytes())
    assert not report.failed


def test_a_picture_that_is_none_or_lies_outside_is_a_finding(tmp_path: Path) -> None:
    shutil.copytree(PROJECTS, tmp_path / "p")
    folder = tmp_path / "p" / "maps" / "tiny"
    (folder / "text.png").write_bytes(b"no picture")
    (folder / "style.toml").write_text(
        'format = 1\npicture = { main = "text.png", b = "../../x.png", c = "no.png" }\n', "utf-8"
    )
    report = Report()
    assert read_project(tmp_path / "p", "tiny", report) is not None
    assert {"S001", "S003", "S004"} & {f.rule.code for f in report} and report.failed
    assert len([f for f in report if "png" in f.message]) >= 2
