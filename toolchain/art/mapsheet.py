"""The map sheet: from a checked map, its drawing and a style to one page that can be printed and played on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely

from toolchain.art.areas import area_labels, border_lines, is_area
from toolchain.art.furniture import Room, build_furniture
from toolchain.art.ground import (
    hex_union,
    land_marks,
    layer_geometry,
    relief_levels,
    scattered_marks,
    sea_marks,
    survey_ground,
)
from toolchain.art.hexlines import draw_rivers, grid_lines, river_name_marks
from toolchain.art.lettering import Letters
from toolchain.art.links import link_marks
from toolchain.art.marks import Group, Image, Mark, Page, Paint, Path, rectangle
from toolchain.art.numbers import number_marks, place_numbers
from toolchain.art.overlays import border_marks, overlay_marks
from toolchain.art.painted import painted_marks
from toolchain.art.panels import box_marks
from toolchain.art.places import CROSSED, ROAD, place_marks
from toolchain.art.points import is_way, point_marks, point_shape, way_lines, way_marks
from toolchain.art.roads import is_road, lanes, road_geometry, road_lines, road_marks
from toolchain.art.shapes import rounded
from toolchain.art.sides import crossing_areas, side_marks
from toolchain.art.text import load_font, measure, outline, outline_along
from toolchain.art.tints import feature_styles, tint_marks
from toolchain.art.tracks import track_marks
from toolchain.catalogue import PANEL_COVERS, STYLE_NAME, UNSTYLED
from toolchain.model.drawing import Drawing, Shape
from toolchain.model.hexes import HexGrid
from toolchain.model.rulebook import Rulebook
from toolchain.model.warmap import Space, WarMap
from toolchain.report import Location, Report, counted, did_you_mean
from toolchain.sources.decode.mapstyle import MapStyle

Point = tuple[float, float]


@dataclass(frozen=True)
class MapSheet:
    """One sheet as it is printed. aside: a page with the title or key that found no room on it, or None."""

    page: Page
    aside: Page | None


def build_map_page(
    warmap: WarMap,
    drawing: Drawing,
    style: MapStyle,
    report: Report,
    *,
    numbers: bool = True,
    furniture: bool = True,
    sheet: str = "main",
) -> Page:
    """Draw one sheet of a map and leave out what found no room on it. See `build_map_sheet`."""
    return build_map_sheet(warmap, drawing, style, report, numbers=numbers, furniture=furniture, sheet=sheet).page


def build_map_sheet(
    warmap: WarMap,
    drawing: Drawing,
    style: MapStyle,
    report: Report,
    *,
    numbers: bool = True,
    furniture: bool = True,
    sheet: str = "main",
    rules: Rulebook | None = None,
) -> MapSheet:
    """Draw one sheet of a map.

    warmap: the surveyed map. drawing: its layers in sheet mm; those that the style names are drawn as they are.
    style: the look. report: gets what a reader of the sheet would miss (C5xx). numbers: print hex numbers.
    furniture: print title, key, credits and, with rules, the terrain chart; boxes and frame are printed always.
    Returns a page of the trimmed size, and another for what found no quiet place on it.
    """
    paper = next(s for s in warmap.sheets if s.name == sheet)
    if picture := style.pictures.get(sheet):
        # The designer's own picture has everything on it.
        backdrop = Image(0, 0, paper.width, paper.height, picture.pixels, picture.media)
        return MapSheet(Page(paper.width, paper.height, (backdrop,), paper.title or warmap.title), None)
    style = _with_water(style, warmap)
    spaces = [s for s in warmap.spaces if s.sheet == sheet]
    shaped = [s for s in spaces if len(s.outline) > 2 and s.kind not in ("box", "point")]
    points = [s for s in spaces if s.kind == "point"]
    grid = warmap.grids.get(sheet) or next(iter(warmap.grids.values()), None)
    pitch, flat = (
        _pitch(grid, shaped or [s for s in points if len(s.outline) > 2]),
        grid is None or grid.orientation == "flat",
    )
    m = style.sheet.margin
    frame = shapely.box(m, m, paper.width - m, paper.height - m)
    _check_style(warmap, drawing, style, report)

    on_sheet = {s.key for s in spaces}
    hexsides = [h for h in warmap.hexsides if h.a in on_sheet and h.b in on_sheet]
    links = [link for link in warmap.links if link.a in on_sheet and link.b in on_sheet]
    ways = [link for link in links if is_way(warmap, link)]
    others = [link for link in links if not is_way(warmap, link)]
    roads = [link for link in others if is_road(warmap, link, style, pitch)]
    dotted = [link for link in others if not is_road(warmap, link, style, pitch)]
    sheet_area = shapely.box(0, 0, paper.width, paper.height)
    ground = survey_ground(warmap, shaped, drawing, style, pitch, frame, sheet_area)
    rivers = draw_rivers(hexsides, drawing, style, pitch, ground.water)
    ways_of = road_lines(warmap, roads, drawing, style, pitch)
    road_area = road_geometry(ways_of)
    named = [s for s in spaces if s.kind != "box" and (s.name or s.features) and s.enterable]
    letters = Letters()
    shore = _shores(warmap, named, style, pitch)
    printed = (max(m, 0.0), max(m, 0.0), paper.width - m, paper.height - m)
    digits = place_numbers(shaped if numbers else (), pitch, flat, rivers.lines, printed, road_area)
    overlays, overlay_lines = overlay_marks(drawing, style, pitch, frame)
    crossed = ((rivers.lines, CROSSED), (road_area, ROAD), (overlay_lines, ROAD))
    areas = [s for s in shaped if is_area(s)]
    labels, labelled = area_labels(warmap, [s for s in named if is_area(s)], style, frame, letters, report)
    named = [s for s in named if not is_area(s)]
    symbols, names, taken = place_marks(
        warmap, named, style, pitch, crossed, printed, digits.boxes, shore, letters, report
    )
    boxes = box_marks(warmap, spaces, style, pitch)
    framed = [s.outline for s in spaces if s.kind == "box" and len(s.outline) > 2]
    framed += [t.outline for t in warmap.tracks if t.sheet == sheet and t.outline]
    box_area = shapely.union_all([shapely.Polygon(o) for o in framed])
    keep_free = (*taken, *labelled, *digits.areas)
    lettered = (*keep_free, overlay_lines, *crossing_areas(hexsides, style, pitch))
    scattered, tiles = scattered_marks(ground, style, pitch, keep_free, shapely.union(rivers.lines, road_area))
    borders = border_marks(layer_geometry(drawing, style.layers.borders, frame.buffer(1)), style, ground.land)

    layers = [
        sea_marks(ground, style, pitch, frame.buffer(1)) if shaped or not ground.land.is_empty else Group(()),
        land_marks(ground, style, pitch, relief_levels(drawing, style, frame.buffer(2))),
        borders,
        painted_marks(drawing, style, "ground"),
        lettering_marks(drawing, style),
        scattered,
        tint_marks(warmap, [s for s in shaped if s.enterable], style, pitch, ground.land),
        rivers.marks,
        river_name_marks(rivers, style, pitch, lettered, road_area),
        grid_lines([s for s in shaped if not is_area(s)], style),
        border_lines(areas, style, ground.land, rivers.lines),
        side_marks(hexsides, style, pitch, across=False),
        side_marks(hexsides, style, pitch, across=True, lanes=lanes(roads, style, pitch)),
        road_marks(ways_of, style, pitch),
        overlays,
        number_marks(digits, style, pitch, letters),
        link_marks(warmap, dotted, style, pitch),
        way_marks(warmap, ways, style, frame),
        point_marks(points, ground.looks, style, pitch),
        symbols,
        names,
        labels,
    ]
    whole: list[Mark] = [Path(rectangle(0, 0, paper.width, paper.height), Paint(fill=style.sheet.paper))]
    whole.append(
        Group(tuple(g for g in layers if g.marks), clip=rectangle(m, m, paper.width - 2 * m, paper.height - 2 * m))
    )
    whole += [boxes, track_marks(warmap, sheet, style), painted_marks(drawing, style, "all")]
    _check_boxes(spaces, shaped, report)
    aside = None
    if furniture:
        playable = shapely.union_all(
            [hex_union([s for s in shaped if s.enterable])]
            + [point_shape(s, pitch).buffer(1) for s in points]
            + [shapely.LineString(line).buffer(1) for line in way_lines(warmap, ways, frame)]
        )
        room = Room(frame, playable, box_area, ground.land)
        placed = build_furniture(warmap, paper.title or warmap.title, style, pitch, grid, room, report, rules)
        whole.append(placed.on_sheet)
        aside = placed.aside
    whole.append(_frame(paper.width, paper.height, style, furniture))
    page = Page(
        paper.width,
        paper.height,
        tuple(g for g in whole if not isinstance(g, Group) or g.marks),
        paper.title or warmap.title,
        tiles | letters.symbols,
    )
    return MapSheet(page, aside)


def build_grid_page(warmap: WarMap, style: MapStyle, *, numbers: bool = True, sheet: str = "main") -> Page:
    """Draw the grid and its numbers alone, on nothing, to lay over a designer's own art.

    Every hex is drawn alike and bears its number, whatever the map says of it. Arguments as for `build_map_sheet`.
    """
    paper = next(s for s in warmap.sheets if s.name == sheet)
    style = style.model_copy(update={"water": style.water.model_copy(update={"terrain": ()})})
    shaped = [
        replace(s, enterable=True)
        for s in warmap.spaces
        if s.sheet == sheet and len(s.outline) > 2 and s.kind not in ("box", "point")
    ]
    grid = warmap.grids.get(sheet) or next(iter(warmap.grids.values()), None)
    pitch, letters = _pitch(grid, shaped), Letters()
    flat = grid is None or grid.orientation == "flat"
    printed = (0.0, 0.0, paper.width, paper.height)
    digits = place_numbers(shaped if numbers else (), pitch, flat, shapely.MultiLineString(), printed)
    marks = (grid_lines(shaped, style), number_marks(digits, style, pitch, letters))
    return Page(
        paper.width,
        paper.height,
        tuple(g for g in marks if g.marks),
        f"{paper.title or warmap.title}: grid",
        letters.symbols,
    )


def _with_water(style: MapStyle, warmap: WarMap) -> MapStyle:
    """Add the terrains that the map itself calls water to those that the style knows by name."""
    stated = {e.name for e in warmap.legend if e.kind == "terrain" and e.traits.get("water") == "yes"}
    water = style.water.model_copy(update={"terrain": tuple(sorted({*style.water.terrain, *stated}))})
    return style.model_copy(update={"water": water})


def _pitch(grid: HexGrid | None, shaped: Sequence[Space]) -> float:
    if grid is not None:
        return grid.pitch
    if not shaped:
        return 20.0
    # Areas of any shape: as if they were hexes of the middling size, and of a size that hexes have.
    middling = np.median(shapely.area([shapely.Polygon(s.outline) for s in shaped])) * 2 / math.sqrt(3)
    return float(min(np.sqrt(middling), 22.0))


def _shores(warmap: WarMap, named: Sequence[Space], style: MapStyle, pitch: float) -> dict[str, float]:
    """Return for each landing the direction of the land beside it, in degrees, clockwise from the right."""
    landings = [s for s in named if any(f.symbol == "landing" for f in feature_styles(s, warmap, style).values())]
    land = [s for s in warmap.spaces if s.enterable and s.kind == "hex" and s.terrain not in style.water.terrain]
    out: dict[str, float] = {}
    if not land:
        return out
    at = np.array([s.at for s in land])
    for s in landings:
        away = at - np.array(s.at)
        near = away[(np.hypot(*away.T) < 1.2 * pitch) & (np.hypot(*away.T) > 0.1)]
        if len(near):
            dx, dy = near.mean(axis=0)
            out[s.key] = round(math.degrees(math.atan2(dy, dx)) / 15) * 15.0
    return out


def lettering_marks(drawing: Drawing, style: MapStyle) -> Group:
    """Write the names of seas, countries and rivers along the lines of the lettering layer.

    Each line has the properties `name`, `kind` (a kind of lettering of the style) and, if it differs, `size` in mm; in
    an SVG file a label and the attributes data-kind and data-size.
    """
    layer = drawing.get(style.layers.lettering)
    marks: list[Mark] = []
    for shape in layer.shapes if layer else ():
        look = style.lettering.get(_told(shape, "kind"))
        text = str(shape.properties.get("name", ""))
        lines = [g for g in shapely.get_parts(shape.geometry) if g.geom_type == "LineString"]
        if look is None or not text or not lines:
            continue
        given = shape.properties.get("size", shape.properties.get("data-size"))
        size = float(given) if isinstance(given, int | float) and given > 0 else look.size
        text = text.upper() if look.capitals else text
        line = shapely.segmentize(rounded(max(lines, key=lambda g: g.length), 4), 1.5)
        spare = (line.length - measure(text, look.font, size)) / max(1, len(text) - 1) / size
        spacing = min(max(spare, look.spacing), look.spacing * 1.8)  # spread a little to fill the line
        points = [(x, y) for x, y in line.coords]
        # On a sheet that lies turned the letters stand upright in the strip that they had.
        lift = -load_font(look.font).cap_height * size if points[-1][0] < points[0][0] else 0.0
        data = outline_along(text, look.font, size, points, spacing=spacing, lift=lift)
        marks.append(Path(data, Paint(fill=look.colour, opacity=0.9)))
    return Group(tuple(marks), layer="Lettering")


def _told(shape: Shape, key: str) -> str:
    return str(shape.properties.get(key) or shape.properties.get(f"data-{key}") or "")


def _frame(width: float, height: float, style: MapStyle, furniture: bool) -> Group:
    """Draw the neatline, and the credits under it."""
    m, ink = style.sheet.margin, style.sheet.ink
    if m <= 0:
        return Group(())
    marks: list[Mark] = [
        Path(rectangle(m, m, width - 2 * m, height - 2 * m), Paint(stroke=ink, width=0.5)),
        Path(rectangle(m - 1.1, m - 1.1, width - 2 * m + 2.2, height - 2 * m + 2.2), Paint(stroke=ink, width=0.18)),
    ]
    if furniture and style.panels.credits and m >= 5:
        size = min(2.2, m * 0.33)
        text = "   ·   ".join(style.panels.credits)
        marks.append(
            Path(outline(text, "sans", size, m, height - m + 1.1 + size * 1.25, "start"), Paint(fill=ink, opacity=0.8))
        )
    return Group(tuple(marks), layer="Frame")


def _style_file(warmap: WarMap) -> str:
    return f"maps/{warmap.name}/style.toml"


def _check_style(warmap: WarMap, drawing: Drawing, style: MapStyle, report: Report) -> None:
    where = Location(file=_style_file(warmap))
    tables = {"terrain": [*style.terrain], "hexside": [*style.hexside], "feature": [*style.feature]}
    for entry in warmap.legend:
        table = tables.get(entry.kind)
        known_water = entry.kind == "terrain" and entry.name in style.water.terrain
        if table is not None and entry.name not in table and not known_water:
            near = did_you_mean(entry.name, table)
            report.add(UNSTYLED, where, f"{entry.kind} {entry.name!r} has no look of its own{near}", name=entry.name)
    layer = drawing.get(style.layers.lettering)
    for shape in layer.shapes if layer else ():
        kind = _told(shape, "kind")
        if kind not in style.lettering:
            report.add(
                STYLE_NAME,
                shape.where,
                f"the style has no lettering of kind {kind!r}{did_you_mean(kind, style.lettering)}",
            )
    named = {
        f"{table}.{name}.layer": look.layer
        for table, looks in (
            ("painted", style.painted),
            ("overlay", style.overlay),
            ("hexside", style.hexside),
            ("link", style.link),
        )
        for name, look in looks.items()
    }
    for key, wanted in named.items():
        if wanted and wanted not in drawing:
            place = Location(file=where.file, key=key)
            report.add(STYLE_NAME, place, f"the map has no layer {wanted!r}{did_you_mean(wanted, drawing)}")
    for i, tint in enumerate(style.tint):
        values = sorted({s.traits[tint.trait] for s in warmap.spaces if tint.trait in s.traits})
        if tint.value not in values:
            near = did_you_mean(tint.value, values)
            place = Location(file=where.file, key=f"tint.{i}")
            report.add(STYLE_NAME, place, f"no space has {tint.trait} {tint.value!r}{near}")


def _check_boxes(spaces: Sequence[Space], shaped: Sequence[Space], report: Report) -> None:
    boxes = [s for s in spaces if s.kind == "box" and len(s.outline) > 2]
    hexes = [s for s in shaped if s.enterable]
    if not boxes or not hexes:
        return
    corners = np.array([p for s in hexes for p in s.outline])
    of = np.repeat(np.arange(len(hexes)), [len(s.outline) for s in hexes])
    tree = shapely.STRtree(shapely.polygons(shapely.linearrings(corners, indices=of)))
    for box in boxes:
        ground = shapely.Polygon(box.outline)
        near = np.sort(tree.query(ground))
        over = shapely.area(shapely.intersection(tree.geometries[near], ground))
        hidden = [hexes[i].key for i in near[over > 1.0].tolist()]
        if hidden:
            w = box.where
            place = Location(w.file, w.line, w.column, w.key, w.element, box.key)
            shown = ", ".join(hidden[:6]) + (" …" if len(hidden) > 6 else "")
            many = counted(len(hidden), "hex", "hexes")
            report.add(PANEL_COVERS, place, f"the box covers {many} to be entered: {shown}", hexes=hidden)
