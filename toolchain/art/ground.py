"""The ground of a map sheet: sea with its shelf, land by the real coast, terrain by hexes with natural edges."""

from __future__ import annotations

import colorsys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from shapely.affinity import scale
from shapely.geometry.base import BaseGeometry

from toolchain.art.marks import Group, Mark, Paint, Path, Use, num
from toolchain.art.ornaments import terrain_marks
from toolchain.art.shapes import Floats, chance, geometry_path, noise, organic, pieces, rounded, scatter
from toolchain.model.drawing import Drawing
from toolchain.model.warmap import Space, WarMap
from toolchain.sources.decode.mapstyle import MapStyle, TerrainStyle

# How far apart the marks of one kind stand and how high they are, as shares of the pitch.
SPACING = {"trees": 0.132, "tufts": 0.24, "hills": 0.27, "peaks": 0.235, "summits": 0.245, "dots": 0.1, "hatch": 0.16}
HEIGHT = {"trees": 0.13, "tufts": 0.11, "hills": 0.16, "peaks": 0.2, "summits": 0.235, "dots": 0.12, "hatch": 0.1}

CLOUD = np.radians(np.arange(0, 360, 30))
CLOUDS = 16.0  # mm, the pitch at which clouds are largest


@dataclass(frozen=True)
class Look:
    """One terrain as it is drawn: nothing left open."""

    name: str
    fill: str
    marks: str
    ink: str
    shade: str


@dataclass(frozen=True)
class Ground:
    """What the other parts of the sheet need to know of the ground, in sheet mm.

    land: by the real coast. water: sea and lakes. regions: for each terrain the area that is painted so. play: all of
    them together, with no notch where two meet.
    """

    land: BaseGeometry
    lakes: BaseGeometry
    water: BaseGeometry
    regions: Mapping[str, BaseGeometry]
    looks: Mapping[str, Look]
    play: BaseGeometry


def terrain_looks(warmap: WarMap, style: MapStyle) -> dict[str, Look]:
    """Return the look of every terrain of the legend; one that the style lacks gets a tint and hatching of its own."""
    out: dict[str, Look] = {}
    for i, entry in enumerate(e for e in warmap.legend if e.kind == "terrain"):
        own = _resolved(style.terrain, entry.name)
        hue = (0.11 + 0.381966 * i) % 1.0  # the golden section keeps neighbours in the list apart
        out[entry.name] = Look(
            entry.name,
            own.fill or _hex_colour(hue, 0.82, 0.3),
            own.marks or ("none" if own.fill else "hatch"),
            own.ink or _hex_colour(hue, 0.42, 0.4),
            own.shade or own.ink or _hex_colour(hue, 0.5, 0.4),
        )
    return out


def _resolved(table: Mapping[str, TerrainStyle], name: str) -> TerrainStyle:
    found = table.get(name, TerrainStyle())
    stated = found.model_dump(exclude_none=True)
    for _ in range(4):
        if not found.like or found.like not in table:
            break
        found = table[found.like]
        stated = found.model_dump(exclude_none=True) | {k: v for k, v in stated.items() if k != "like"}
    return TerrainStyle.model_validate(stated)


def _hex_colour(hue: float, lightness: float, saturation: float) -> str:
    return "#" + "".join(f"{round(v * 255):02x}" for v in colorsys.hls_to_rgb(hue, lightness, saturation))


def layer_geometry(drawing: Drawing, name: str, frame: BaseGeometry, paper: BaseGeometry | None = None) -> BaseGeometry:
    """Return everything of one layer that lies within the frame, as one geometry; empty when there is no such layer.

    paper: the sheet; a drawing that was cut at its edges is carried on beyond them, so that no coast runs along them.
    """
    if name not in drawing:
        return shapely.GeometryCollection()
    whole = shapely.union_all([s.geometry for s in drawing[name].shapes])
    if paper is not None and paper.buffer(0.05).covers(whole):
        whole = _carried_on(whole, paper, frame)
    return rounded(whole).intersection(frame)


def _carried_on(area: BaseGeometry, paper: BaseGeometry, frame: BaseGeometry) -> BaseGeometry:
    """Mirror what touches an edge of the paper to its other side, as far as the frame."""
    for axis in (0, 1):
        sides = [area]
        for edge in (paper.bounds[axis], paper.bounds[axis + 2]):
            origin, factors = ((edge, 0.0), (-1, 1)) if axis == 0 else ((0.0, edge), (1, -1))
            sides.append(scale(area, *factors, origin=origin).intersection(frame))
        area = shapely.union_all(sides, grid_size=0.01)
    return area


def survey_ground(
    warmap: WarMap,
    spaces: Sequence[Space],
    drawing: Drawing,
    style: MapStyle,
    pitch: float,
    frame: BaseGeometry,
    paper: BaseGeometry | None = None,
) -> Ground:
    """Find where land, lakes and each terrain lie. spaces: those of this sheet that have an outline."""
    wide = frame.buffer(pitch)
    dry = [s for s in spaces if s.terrain not in style.water.terrain]
    land = layer_geometry(drawing, style.layers.land, wide, paper)
    if land.is_empty:
        land = _edged(dry, pitch)
    lakes = layer_geometry(drawing, style.layers.lakes, wide)
    looks = terrain_looks(warmap, style)
    shore = {s.key: _shore(s, style) for s in spaces if s.enterable and s.terrain in style.water.terrain}
    of = {name: [s for s in dry if s.enterable and s.terrain == name] for name in looks}
    regions = {}
    for name in looks:
        if name not in style.water.terrain:
            # Land that juts into a hex of water is in play with it, and looks like what there is of land there.
            region = hex_union(of[name] + [s for s in spaces if shore.get(s.key) == name])
            exact = not any(s.kind == "hex" for s in of[name])
            regions[name] = region if region.is_empty or exact else organic(region, pitch).intersection(land)
    inside = [s for s in spaces if s.enterable and (s.terrain in regions or shore.get(s.key) in regions)]
    # The edge of the ground in play wanders, though never into a hex: the outermost ones keep their corners.
    play = shapely.union(_edged(inside, pitch), hex_union(inside)).intersection(land)
    if not inside:
        play = land  # the land of a board of points lies under all of it
    return Ground(land, lakes, wide.difference(land).union(lakes), regions, looks, play)


def _edged(spaces: Sequence[Space], pitch: float) -> BaseGeometry:
    """Return the area of spaces: that of hexes with an edge that wanders, that of drawn areas as it was drawn."""
    whole = hex_union(spaces)
    return organic(whole, pitch) if any(s.kind == "hex" for s in spaces) else rounded(whole) if spaces else whole


def _shore(space: Space, style: MapStyle) -> str:
    """Return the commonest terrain of the land in a space of water, or nothing."""
    land = {name: share for name, share in space.shares.items() if name not in style.water.terrain and share > 0}
    return max(sorted(land), key=lambda name: land[name]) if land else ""


def hex_union(spaces: Sequence[Space]) -> BaseGeometry:
    """Return the area of spaces that share sides."""
    if not spaces:
        return shapely.GeometryCollection()
    sizes = [len(s.outline) for s in spaces]
    # Corners that differ by rounding become one, so that neighbours meet exactly and inner sides can be dropped.
    corners = np.round(np.array([p for s in spaces for p in s.outline]), 2)
    rings = shapely.linearrings(corners, indices=np.repeat(np.arange(len(spaces)), sizes))
    polygons = shapely.polygons(rings)
    if all(s.kind == "hex" for s in spaces):
        whole = shapely.coverage_union_all(polygons)
        if whole.is_valid:
            return whole
    return shapely.union_all(shapely.buffer(polygons, 0.02, join_style="mitre"))


def sea_marks(ground: Ground, style: MapStyle, pitch: float, frame: BaseGeometry) -> Group:
    """Draw the sea: one tint, lighter towards the coast, and fine lines that follow the shore."""
    water = style.water
    marks: list[Mark] = [Path(geometry_path(frame), Paint(fill=water.fill))]
    coast = shapely.simplify(ground.land, 0.06)
    reach = pitch * 0.55
    for i, tint in enumerate(water.shelf):
        band = shapely.simplify(coast.buffer(reach * (1 - i / len(water.shelf)) ** 1.2, quad_segs=5), 0.05)
        marks.append(Path(geometry_path(band), Paint(fill=tint)))
    for i, (distance, opacity) in enumerate([(0.035, 0.75), (0.085, 0.5), (0.15, 0.3), (0.235, 0.18)]):
        line = shapely.simplify(coast.buffer(distance * pitch, quad_segs=4), 0.04)
        paint = Paint(stroke=water.lines, width=0.17 - 0.02 * i, opacity=opacity, join="round")
        marks.append(Path(geometry_path(line), paint))
    return Group(tuple(marks), layer="Sea")


def land_marks(ground: Ground, style: MapStyle, pitch: float, relief: Sequence[BaseGeometry]) -> Group:
    """Draw land and terrain tints, the relief as a soft emboss, lakes and the coastline."""
    marks: list[Mark] = [Path(geometry_path(ground.land), Paint(fill=style.land.out_of_play, even_odd=True))]
    common = max(ground.regions, key=lambda n: ground.regions[n].area, default="")
    if not any(r.area for r in ground.regions.values()) and "clear" in style.terrain and style.terrain["clear"].fill:
        marks[0] = Path(geometry_path(ground.land), Paint(fill=style.terrain["clear"].fill, even_odd=True))
        common = ""
    if common:
        # The commonest terrain lies under all others, so that no crack shows between two wandering edges.
        play = geometry_path(ground.play.buffer(0.3, quad_segs=3).intersection(ground.land))
        marks.append(Path(play, Paint(fill=ground.looks[common].fill)))
        soft: list[Mark] = []
        for name, region in ground.regions.items():
            if name == common or region.is_empty:
                continue
            fill, data = ground.looks[name].fill, geometry_path(region)
            # The edge fades: half of this line lies outside the region.
            soft.append(Path(data, Paint(stroke=fill, width=0.06 * pitch, join="round", opacity=0.45)))
            soft.append(Path(data, Paint(fill=fill)))
        if soft:
            marks.append(Group(tuple(soft), clip=play))
    if style.land.mottle:
        marks += _mottle(ground, style.land.mottle, pitch)
    for level in relief:
        marks += _emboss(level, ground.land, style.land.relief)
    marks.append(Path(geometry_path(ground.lakes), Paint(fill=style.water.lake, stroke=style.water.coast, width=0.14)))
    coast = Paint(stroke=style.water.coast, width=0.24, join="round", even_odd=True)
    marks.append(Path(geometry_path(ground.land), coast))
    return Group(tuple(marks), layer="Land")


def _mottle(ground: Ground, depth: float, pitch: float) -> list[Mark]:
    """Let the ground vary in lightness like paper painted by hand, in clouds of a few hexes. depth: 0 to 1."""
    pitch = min(pitch, CLOUDS)
    points = scatter(ground.land, 0.7 * pitch, 21.0)
    x, y = points[:, 0], points[:, 1]
    # No cloud reaches beyond the coast: to cut them there would cost renderers more than all the clouds.
    coast = shapely.STRtree(pieces(ground.land.boundary))
    _, room = coast.query_nearest(shapely.points(points), return_distance=True, all_matches=False)
    u, v = x * 10 / pitch, y * 10 / pitch
    height = noise(u * 0.16, v * 0.16, 11.0) + 0.55 * noise(u * 0.37, v * 0.37, 12.0)
    marks: list[Mark] = []
    for fill, opacity, rise in (("#ffffff", 0.24, height), ("#6a5326", 0.06, -height)):
        for least in (0.25, 0.6):  # two faint layers fade better than one
            chosen = rise > least
            size = np.minimum(pitch * (0.36 + 0.4 * np.minimum(rise[chosen] - least, 0.6)), room[chosen])
            around = np.stack([np.cos(CLOUD), np.sin(CLOUD)], axis=-1) * size[:, None, None]
            rings = np.round(points[chosen][:, None, :] + around, 1).tolist()
            data = "".join("M" + "L".join(f"{px:g} {py:g}" for px, py in ring) + "Z" for ring in rings)
            marks.append(Path(data, Paint(fill=fill, fill_opacity=round(depth * opacity, 4))))
    return marks


def _emboss(level: BaseGeometry, land: BaseGeometry, colour: str) -> list[Mark]:
    """Raise a contour area a little: lit from the upper left, in soft steps."""
    soft = shapely.simplify(rounded(level.buffer(1.5, quad_segs=4).buffer(-1.5, quad_segs=4), 3), 0.08).intersection(
        land
    )
    if soft.is_empty:
        return []
    marks: list[Mark] = [Path(geometry_path(soft), Paint(fill=colour, fill_opacity=0.05))]
    for way, tint, opacity in ((-1.0, "#ffffff", 0.09), (1.0, colour, 0.07)):
        for far in (0.45, 0.95, 1.5):
            shift = np.array([0.8, 0.9]) * far * way
            edge = shapely.transform(soft, lambda xy, by=shift: xy + by).difference(soft).intersection(land)
            marks.append(Path(geometry_path(edge), Paint(fill=tint, fill_opacity=opacity)))
    return marks


def scattered_marks(
    ground: Ground, style: MapStyle, pitch: float, keep_free: Sequence[BaseGeometry], rivers: BaseGeometry
) -> tuple[Group, dict[str, Group]]:
    """Strew the marks of each terrain over its region; also return the shared symbols that they use.

    keep_free: names, symbols and numbers, where no mark may stand, nor in the rivers.
    """
    marks: list[Mark] = []
    symbols: dict[str, Group] = {}
    taken, water = shapely.STRtree(keep_free), shapely.STRtree(pieces(rivers))
    for seed, (name, region) in enumerate(ground.regions.items()):
        look = ground.looks[name]
        variants = terrain_marks(look.marks, look.ink, look.shade, style.sheet.paper)
        if not variants or region.is_empty:
            continue
        for v, variant in enumerate(variants):
            symbols[f"{name} {v + 1}"] = variant
        spacing, height = SPACING[look.marks] * pitch, HEIGHT[look.marks] * pitch
        # Marks stand on their points: keep their feet off the lower edge and their heads off the upper one.
        points = scatter(region, spacing, float(seed))
        x, y = points[:, 0], points[:, 1]
        middles = shapely.points(x, y - 0.45 * height)
        feet = shapely.points(points)
        free = ~shapely.dwithin(ground.lakes, feet, 0.3)
        edge = shapely.STRtree(pieces(region.boundary))
        free[edge.query(feet, "dwithin", 0.16 * spacing)[0]] = False
        free[taken.query(middles, "dwithin", 0.26 * height + 0.02 * pitch)[0]] = False
        free[water.query(middles, "dwithin", 0.26 * height + 0.07 * pitch)[0]] = False
        if look.marks == "trees":  # woods have clearings, though never so large that a hex looks open
            free &= noise(x * 20 / pitch, y * 20 / pitch, 9.0) > -0.7
        sizes = height * (0.78 + 0.44 * chance(x, y, 5.0))
        stand = noise(x * 6 / pitch, y * 6 / pitch, 4.0) * 0.5 + 0.5  # kinds of tree stand together
        kinds = np.minimum((stand * 0.7 + chance(x, y, 6.0) * 0.3) * len(variants), len(variants) - 1).astype(int)
        marks += _uses(name, points[free], sizes[free], kinds[free])
    return Group(tuple(marks), layer="Terrain"), symbols


def _uses(name: str, points: Floats, sizes: Floats, kinds: Floats) -> list[Mark]:
    names = [f"{name} {k + 1}" for k in range(int(kinds.max(initial=0)) + 1)]
    near, size = np.round(points, 2).tolist(), np.round(sizes, 2).tolist()
    return [Use(names[k], (s, 0.0, 0.0, s, x, y)) for (x, y), s, k in zip(near, size, kinds.tolist(), strict=True)]


def relief_levels(drawing: Drawing, style: MapStyle, frame: BaseGeometry) -> list[BaseGeometry]:
    """Return the contour areas of the relief layer, lowest first; areas that state the same height are one."""
    layer = drawing.get(style.layers.relief)
    if layer is None:
        return []
    by_height: dict[float, list[BaseGeometry]] = {}
    for shape in layer.shapes:
        height = shape.properties.get("elev_min", 0)
        if isinstance(height, int | float):
            by_height.setdefault(float(height), []).append(shape.geometry)
    return [shapely.union_all(by_height[h]).intersection(frame) for h in sorted(by_height)]


def swatch(look: Look, x: float, y: float, radius: float, style: MapStyle, offsets: Floats, water: bool) -> Group:
    """Draw one hex of a terrain for the key, centred at (x, y). offsets: the corners of a hex of radius 1."""
    corners = [(x + dx * radius, y + dy * radius) for dx, dy in offsets.tolist()]
    shape = "M" + "L".join(f"{num(px)} {num(py)}" for px, py in corners) + "Z"
    fill = style.water.fill if water else look.fill
    marks: list[Mark] = [Path(shape, Paint(fill=fill))]
    variants = () if water else terrain_marks(look.marks, look.ink, look.shade, style.sheet.paper)
    if variants:
        pitch = 3.0 * radius  # a swatch shows the marks somewhat smaller than the map
        inside = shapely.Polygon(corners).buffer(-0.16 * radius)
        size = HEIGHT[look.marks] * pitch
        for i, (px, py) in enumerate(scatter(inside, SPACING[look.marks] * pitch, 3.0).tolist()):
            if py - size * 0.7 > y - radius * 0.85:
                variant = variants[i % len(variants)]
                marks.append(Group(variant.marks, (size, 0.0, 0.0, size, px, py)))
    return Group((Group(tuple(marks), clip=shape), Path(shape, Paint(stroke=style.grid.colour, width=0.2))))
