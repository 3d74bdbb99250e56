"""Tracks and point maps on the sheet, and a point game from its drawing to files, through the commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import shapely
from click.testing import CliRunner
from sheeted import sheet_map

from toolchain.art.mapsheet import build_map_page
from toolchain.art.marks import Group, Mark
from toolchain.art.marks import Path as Drawn
from toolchain.art.panels import _few
from toolchain.art.points import is_way, point_marks, way_lines
from toolchain.art.tracks import track_marks
from toolchain.cli import cli
from toolchain.model.warmap import Link, Sheet, Space, Track, WarMap
from toolchain.report import Report
from toolchain.sources.decode.mapstyle import TraitTint, classic_map_style

PROJECTS = Path(__file__).parents[1] / "data" / "projects"
FRAME = shapely.box(7, 7, 193, 93)


def pieces(marks: Group) -> list[Mark]:
    """Return all marks of a group, those of groups within it too."""
    return [x for m in marks.marks for x in (pieces(m) if isinstance(m, Group) else [m])]


def square(x: float, y: float, half: float = 5) -> tuple[tuple[float, float], ...]:
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


def points(*links: Link) -> WarMap:
    spaces = (
        Space("West", "point", (30, 50), "West", outline=square(30, 50)),
        Space("East", "point", (170, 50), "East"),
        Space("Box", "box", (100, 80), "Box", outline=square(100, 80)),
    )
    return WarMap("p", "P", (Sheet("main", 200, 100),), spaces, links=links)


def test_ways_run_from_middle_to_middle_and_wrap_in_two_stubs() -> None:
    drawn = Link("West", "East", "road", line=((35, 50), (100, 40), (165, 50)))
    wrapped = Link("East", "West", "road", traits={"wrap": "yes"})
    warmap = points(drawn, Link("West", "Box", "road"), wrapped)
    assert [is_way(warmap, link) for link in warmap.links] == [True, False, True]
    assert way_lines(warmap, [drawn], FRAME) == [[(30, 50), (35, 50), (100, 40), (165, 50), (170, 50)]]
    (east, west) = way_lines(warmap, [wrapped], FRAME)
    assert east[0] == (170, 50) and 170 < east[1][0] < 193 and east[1][1] == 50
    assert west[0] == (30, 50) and 7 < west[1][0] < 30


def test_a_hex_map_draws_no_ways() -> None:
    warmap = sheet_map(links=[Link("0101", "0303", "ferry")])
    assert not is_way(warmap, warmap.links[0])


@pytest.mark.parametrize("outline", [(), ((10, 10), (50, 10), (50, 32), (10, 32))], ids=["along", "panel"])
def test_every_box_of_a_track_is_drawn_with_its_label(outline: tuple[tuple[float, float], ...]) -> None:
    cells = tuple(
        Space(f"T {n}", "box", (20 + 12 * n, 24), f"T {n}", outline=square(20 + 12 * n, 24), traits={"track": "T"})
        for n in range(3)
    )
    track = Track("T", "Turns", tuple(c.key for c in cells), ("1", "2", "Winter 1944"), outline)
    warmap = WarMap("t", "T", (Sheet("main", 80, 60),), cells, tracks=(track,))
    style, report = classic_map_style(), Report()
    marks = [m for m in pieces(track_marks(warmap, "main", style)) if isinstance(m, Drawn)]
    boxes = [m for m in marks if m.paint.stroke == style.panels.edge and m.paint.width == 0.25]
    assert len(boxes) == 3
    assert len([m for m in marks if m.paint.opacity == 0.32]) == 2, "numbers stand pale in the middle"
    assert not pieces(track_marks(warmap, "other", style))
    page = build_map_page(warmap, {}, style, report)
    assert [g for g in page.marks if isinstance(g, Group) and g.layer == "Tracks"]
    assert not [g for g in page.marks if isinstance(g, Group) and g.layer == "Boxes"], "no box is drawn twice"


def test_a_point_game_is_clean_from_drawing_to_sheet(tmp_path: Path) -> None:
    run = CliRunner()
    for command in ("validate", "check"):
        done = run.invoke(cli, [command, "points", "--root", str(PROJECTS), "--json", "--fail-on", "note"])
        assert done.exit_code == 0, done.output
    done = run.invoke(cli, ["map", "points", "--root", str(PROJECTS), "--format", "json", "-o", "-"])
    graph = json.loads(done.stdout)
    assert "Inner Sea" in json.dumps(graph)
    done = run.invoke(cli, ["sheets", "points", "--root", str(PROJECTS), "-o", str(tmp_path)])
    assert done.exit_code == 0, done.output
    (file,) = tmp_path.glob("**/map-main.svg")
    svg = file.read_text("utf-8")
    assert re.search("Ways", svg) and re.search("Points", svg) and re.search("Tracks", svg)


def test_points_take_the_tint_of_a_trait_before_their_terrain() -> None:
    style = classic_map_style()
    tinted = style.model_copy(update={"tint": (TraitTint(trait="home", value="R", colour="#aa2222", draw="fill"),)})
    plain, home = (
        Space(k, "point", (30 + 60 * n, 50), k, outline=square(30 + 60 * n, 50), traits=traits)
        for n, (k, traits) in enumerate((("West", {}), ("East", {"home": "R"})))
    )
    fills = [[m.paint.fill for m in pieces(point_marks([s], {}, tinted, 20.0))][1] for s in (plain, home)]
    assert fills[0] == [m.paint.fill for m in pieces(point_marks([home], {}, style, 20.0))][1]
    red, green, _ = (int(fills[1][i : i + 2], 16) for i in (1, 3, 5))
    assert red > green + 30, "a pale shade of the tint"


def test_all_labels_of_a_track_have_one_size() -> None:
    def heights(*labels: str) -> set[float]:
        cells = [
            Space(f"t{i}", "box", (20 + 20 * i, 20), outline=square(20 + 20 * i, 20, 9)) for i in range(len(labels))
        ]
        track = Track("T", "T", tuple(c.key for c in cells), labels)
        warmap = WarMap("p", "P", (Sheet("main", 200, 100),), tuple(cells), tracks=(track,))
        marks = pieces(track_marks(warmap, "main", classic_map_style()))
        # Letters without bends have a fill and no line, and their height is that of the type.
        inked = [m.data for m in marks if isinstance(m, Drawn) and m.paint.fill and "C" not in m.data]
        ys = [[float(y) for y in re.findall(r"-?[\d.]+ (-?[\d.]+)", d)] for d in inked]
        return {round(max(y) - min(y), 2) for y in ys if y}

    title = heights("")
    assert len(heights("HIT", "HILL", "THE VILLE") - title) == 1
    assert len(heights("1", "11", "111") - title) == 1


def test_a_box_names_a_few_of_the_many_spaces_that_it_leads_to() -> None:
    assert _few(list("abcdef")) == list("abcdef")
    assert _few(list("abcdefghij")) == ["a", "b", "c", "d", "and 6 more"]
