"""Where title, key and chart stand on a sheet: in its quietest places, in scale with it, never over hexes in play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.art.key import key_panels
from toolchain.art.marks import Group, Mark, Page, Paint, Path, rectangle, shifted
from toolchain.art.panels import Panel, Quiet, moved, title_panel
from toolchain.art.terrainchart import chart_panel
from toolchain.catalogue import PANEL_ASIDE, PANEL_COVERS
from toolchain.model.hexes import HexGrid
from toolchain.model.rulebook import Rulebook
from toolchain.model.warmap import WarMap
from toolchain.report import Location, Report
from toolchain.sources.decode.mapstyle import MapStyle

FULL = 420.0  # mm, the shorter side of a sheet whose furniture is printed in full size
SCALES = (1.0, 0.85, 0.72, 0.6)  # at the least, notes are 1.4 mm high and names 2 mm
WIDTHS = (186.0, 273.0)  # mm, of home paper within its edges, A4 and Letter
LEAST_PAGE = (105.0, 74.0)  # mm, of a page of their own


@dataclass(frozen=True)
class Room:
    """What furniture must mind on a sheet, in sheet mm.

    frame: within the neatline. playable: where pieces stand. boxes: panels that are there already. land: less welcome
    than water.
    """

    frame: BaseGeometry
    playable: BaseGeometry
    boxes: BaseGeometry
    land: BaseGeometry


@dataclass(frozen=True)
class Furniture:
    """Title, key and terrain chart. on_sheet: what found room. aside: a page with what did not, or None."""

    on_sheet: Group
    aside: Page | None


def build_furniture(
    warmap: WarMap,
    title: str,
    style: MapStyle,
    pitch: float,
    grid: HexGrid | None,
    room: Room,
    report: Report,
    rules: Rulebook | None = None,
) -> Furniture:
    """Find places for title, key and, where there are rules, the terrain chart.

    They shrink with the sheet, to three fifths of their size at most, until they cover no hex in play; what still finds
    no place goes to a page of its own, with a note. A place that the style states is kept as it is: there a warning
    tells which hexes are covered. pitch: of the grid, mm.
    """
    angle = np.radians(60.0 * np.arange(6) + (0 if grid is None or grid.orientation == "flat" else 30))
    corners = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    wanted = [
        ("title", [title_panel(warmap, title, style, pitch)], style.panels.title_at),
        ("key", key_panels(warmap, style, corners), style.panels.key_at),
    ]
    chart = None if rules is None or style.panels.chart == "none" else chart_panel(warmap, rules, style, corners)
    if chart is not None and style.panels.chart == "sheet":
        wanted.append(("chart", [chart], style.panels.chart_at))
    marks: list[Mark] = []
    aside: list[Sequence[Panel]] = []
    taken = [room.boxes.buffer(3)]
    file = f"maps/{warmap.name}/style.toml"
    for what, panels, at in wanted:
        if not panels:
            continue
        if at is not None:
            panel = panels[0]
            x, y = at[0] - panel.width / 2, at[1] - panel.height / 2
            if shapely.box(x, y, x + panel.width, y + panel.height).intersection(room.playable).area > 1.0:
                where = Location(file=file, key=f"panels.{what}_at")
                text = f"the {what} covers hexes that may be entered; leave {what}_at out, and a quiet place is found"
                report.add(PANEL_COVERS, where, text)
        else:
            placed = _quiet_place(panels, room, taken)
            if placed is None:
                text = f"the {what} finds no quiet place on the sheet and stands on a page of its own"
                report.add(PANEL_ASIDE, Location(file=file, key=f"panels.{what}_at"), text, panel=what)
                aside.append(panels)
                continue
            panel, x, y = placed
        taken.append(shapely.box(x, y, x + panel.width, y + panel.height).buffer(3))
        marks.append(moved(panel, x, y))
    if chart is not None and style.panels.chart == "page":
        aside.append([chart])
    return Furniture(Group(tuple(marks), layer="Furniture"), _aside_page(aside, title, style) if aside else None)


def scaled(panel: Panel, scale: float) -> Panel:
    """Return a panel in another size."""
    if scale == 1:
        return panel
    return Panel(panel.width * scale, panel.height * scale, (Group(panel.marks, shifted(0, 0, scale)),))


def _quiet_place(
    panels: Sequence[Panel], room: Room, taken: Sequence[BaseGeometry]
) -> tuple[Panel, float, float] | None:
    x0, y0, x1, y1 = room.frame.bounds
    busy = shapely.union_all(taken)
    quiet = Quiet.over(room.frame, [(room.playable, 50.0), (busy, 200.0), (room.land, 0.02), (room.frame, 0.01)])
    fitting = min(1.0, min(x1 - x0, y1 - y0) / FULL)
    start = next((i for i, s in enumerate(SCALES) if s <= fitting + 0.14), len(SCALES) - 1)
    shapely.prepare(room.playable)
    for scale in SCALES[start:]:
        best: tuple[float, Panel, float, float] | None = None
        for panel in (scaled(p, scale) for p in panels):
            found = quiet.place(panel, 3.0 * scale)
            if found is None or (best is not None and found[2] >= best[0] - 1e-9):
                continue
            area = shapely.box(found[0], found[1], found[0] + panel.width, found[1] + panel.height)
            if area.intersection(room.playable).area <= 1.0 and area.intersection(busy).area <= 1.0:
                best = (found[2], panel, found[0], found[1])
        if best is not None:
            return best[1:]
    return None


def _aside_page(choices: Sequence[Sequence[Panel]], title: str, style: MapStyle) -> Page:
    """Set panels on a page that is just large enough, and if it can be no larger than home paper.

    choices: for each panel the shapes that it can have.
    """
    gap = 8.0
    layouts = [_shelves(panels, limit, gap) for panels in product(*choices) for limit in WIDTHS]
    width, height, placed = min(layouts, key=lambda t: (max(t[0] / WIDTHS[0], t[1] / WIDTHS[1], 1.0), t[0] * t[1]))
    left, top = max(0.0, LEAST_PAGE[0] - width) / 2, max(0.0, LEAST_PAGE[1] - height) / 2
    width, height = max(width, LEAST_PAGE[0]), max(height, LEAST_PAGE[1])
    marks: list[Mark] = [Path(rectangle(0, 0, width, height), Paint(fill=style.sheet.paper))]
    marks += [moved(panel, x + left, y + top) for panel, x, y in placed]
    return Page(round(width, 1), round(height, 1), tuple(marks), f"{title}: key")


def _shelves(
    panels: Sequence[Panel], limit: float, gap: float
) -> tuple[float, float, list[tuple[Panel, float, float]]]:
    """Set panels in rows that are at most so wide, each row in the middle; return width, height and places."""
    rows: list[list[Panel]] = []
    for panel in panels:
        if rows and sum(p.width + gap for p in rows[-1]) + panel.width + gap <= limit:
            rows[-1].append(panel)
        else:
            rows.append([panel])
    width = max(sum(p.width + gap for p in row) for row in rows) + gap
    placed, y = [], gap
    for row in rows:
        x, tall = (width - sum(p.width + gap for p in row) + gap) / 2, max(p.height for p in row)
        for panel in row:
            placed.append((panel, x, y + (tall - panel.height) / 2))
            x += panel.width + gap
        y += tall + gap
    return width, y, placed
