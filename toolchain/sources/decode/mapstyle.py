"""style.toml of a map: how the sheet looks. What it does not state comes from the style that it names as `base`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import Field, PrivateAttr

from toolchain.catalogue import STYLE_NAME
from toolchain.model.artwork import Picture
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode import Raw, decode

Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]
Positive = Annotated[float, Field(gt=0, le=1000)]
Share = Annotated[float, Field(ge=0, le=1)]
Place = tuple[float, float]
FontName = Literal["sans", "sans-bold", "condensed", "serif", "serif-italic", "serif-bold"]
Factor = Annotated[float, Field(gt=0, le=4)]
Marks = Literal["none", "trees", "tufts", "hills", "peaks", "summits", "dots", "hatch", "grass", "dunes"]
SideDraw = Literal[
    "none", "river", "canal", "bar", "line", "dash", "dots", "shoal", "cliff", "summits", "wall", "bridge", "arrow"
]
LinkDraw = Literal["none", "dots", "arrow", "road", "track", "rail", "ticks", "line"]
Stroke = Literal["line", "dash", "dashdot", "dots", "band"]
Symbol = Literal[
    "none",
    "star",
    "works",
    "blocks",
    "town",
    "dot",
    "ring",
    "square",
    "anchor",
    "anchor-ring",
    "anchor-disc",
    "fort",
    "airfield",
    "landing",
    "disc",
    "badge",
    "flag",
    "beacon",
    "strait",
]


class SheetStyle(Raw):
    """Paper and frame; margin in mm from the trim to the neatline."""

    margin: Annotated[float, Field(ge=0, le=100)]
    paper: Colour
    ink: Colour


class LayerNames(Raw):
    """Which layers of the drawing are drawn as they are; a layer that the map lacks is left out."""

    land: str = ""
    lakes: str = ""
    borders: str = ""
    relief: str = ""
    lettering: str = ""


class WaterStyle(Raw):
    """Sea and lakes. terrain: the names of the legend that are water. ink: of names that stand in it."""

    terrain: tuple[str, ...]
    fill: Colour
    ink: Colour
    shelf: tuple[Colour, ...] = ()
    lines: Colour
    coast: Colour
    lake: Colour


class LandStyle(Raw):
    """Land that nobody enters, relief and borders. mottle: how much the lightness of the ground varies, 0 to 1."""

    out_of_play: Colour
    mottle: Share = 0.0
    relief: Colour
    border: Colour


class GridStyle(Raw):
    """Hex lines (width in mm) and numbers."""

    colour: Colour
    on_water: Colour
    width: Positive
    opacity: Share
    number: Colour


class TerrainStyle(Raw):
    """One terrain: tint and marks. like: take what is not stated from another terrain."""

    like: str = ""
    fill: Colour | None = None
    marks: Marks | None = None
    ink: Colour | None = None
    shade: Colour | None = None


class HexsideStyle(Raw):
    """One kind of hexside; width as a share of the pitch. title: of a special name, for the key.

    layer: lines of this layer of the drawing are drawn as they are, in place of lines along the hexsides.
    """

    draw: SideDraw = "line"
    colour: Colour = "#4a4035"
    edge: Colour | None = None
    width: Share = 0.04
    title: str = ""
    layer: str = ""


class NamedHexside(Raw):
    """A look of their own for hexsides of one kind that bear one of these names."""

    kind: str
    names: tuple[str, ...]
    colour: Colour
    width: Share
    title: str = ""


class FeatureStyle(Raw):
    """One feature of places: its symbol, and what it does to the name and the hex.

    text: what stands in a badge or beside another symbol; value: the trait of the space that says it instead. size: of
    the symbol, as a factor. pattern: streets or hatching over the whole hex. name_size, name_font, capitals: of the
    name; the feature first in the legend counts.
    """

    text: Annotated[str, Field(max_length=4)] = ""
    value: str = ""
    symbol: Symbol = "disc"
    size: Factor = 1.0
    colour: Colour = "#2f2822"
    pattern: Literal["none", "streets", "hatch"] = "none"
    name_size: Factor = 1.0
    name_font: FontName | None = None
    capitals: bool = False
    plate: Colour | None = None
    name: Colour | None = None
    tint: Colour | None = None


class LinkStyle(Raw):
    """One kind of link: drawn between spaces that lie near each other.

    Roads and railways run smoothly from middle to middle; width as a share of the pitch, edge beside a road. layer:
    lines of this layer of the drawing are drawn as they are, in place of lines from middle to middle.
    """

    draw: LinkDraw = "dots"
    colour: Colour = "#1f4f74"
    edge: Colour | None = None
    width: Share = 0.05
    layer: str = ""


class TraitTint(Raw):
    """Mark the spaces whose trait has this value: a tint, an edge within and a colour for the name; or by hatching."""

    trait: str
    value: str
    colour: Colour
    title: str = ""
    draw: Literal["edge", "hatch", "fill"] = "edge"


class OverlayStyle(Raw):
    """Lines of the drawing that are drawn over the map as they are, such as the limits of weather zones.

    width in mm. title: for the key; without one it does not stand there. lettering: a kind of lettering in which the
    names of the lines are written along them.
    """

    layer: str
    draw: Stroke = "line"
    colour: Colour = "#4a4035"
    width: Positive = 0.5
    title: str = ""
    lettering: str = ""


class PaintedStyle(Raw):
    """A layer of the drawing that is printed as it is painted there, texts too.

    over: on the "ground", under everything that the tool draws itself; or over "all" of it, boxes and tracks included.
    """

    layer: str
    over: Literal["ground", "all"] = "ground"
    opacity: Share = 1.0


class CutStyle(Raw):
    """A piece of a sheet that is printed by itself too: where its upper left corner lies, and how large it is, mm."""

    at: Place
    size: tuple[Positive, Positive]
    sheet: str = "main"
    title: str = ""


class LetteringStyle(Raw):
    """One kind of lettering along lines; size in mm, spacing as a share of the size."""

    font: FontName = "serif-italic"
    colour: Colour
    size: Positive
    spacing: Annotated[float, Field(ge=-0.2, le=3)] = 0.0
    capitals: bool = False


class NameStyle(Raw):
    """Names of places; sizes as shares of the pitch. least: the smallest that may be printed.

    beyond: names may run out of their own hex where that is free, as on maps of many small hexes.
    """

    font: FontName
    size: Share
    least: Share
    beyond: bool = False


class AreaStyle(Raw):
    """Areas and zones: the line between them, and their names, which shrink to fit. width, size in mm."""

    border: Colour
    width: Positive
    font: FontName
    ink: Colour
    size: Positive
    capitals: bool = True


class PointStyle(Raw):
    """Spaces of a point map and the ways between them, in mm. ways: how wide these are. ring: how wide the edge is.

    names: in the middle of the space, or on a plate under it. size: of the names. water_font: of those of water.
    """

    edge: Colour
    ring: Positive
    ways: Positive
    names: Literal["inside", "under"]
    size: Positive
    water_font: FontName


class PanelStyle(Raw):
    """Boxes, title, key and terrain chart.

    title_at, key_at, chart_at: centres in mm; left out, a quiet place is found. chart: the terrain chart made from the
    rules stands on the sheet, on a page of its own, or nowhere.
    """

    fill: Colour
    edge: Colour
    head: Colour
    head_ink: Colour
    accent: Colour
    title_at: Place | None = None
    key_at: Place | None = None
    chart_at: Place | None = None
    chart: Literal["none", "sheet", "page"] = "sheet"
    subtitle: str = ""
    credits: tuple[str, ...] = ()


class ScaleStyle(Raw):
    """How far a hex reaches: so many units from side to side."""

    per_hex: Positive
    unit: str


class MapStyle(Raw):
    """The whole look of a map. base: the style that it stands on, one of those that come with the toolchain.

    picture: by sheet, a PNG or JPEG file that is printed in place of everything that would be drawn.
    """

    format: Literal[1]
    base: str = "classic"
    sheet: SheetStyle
    layers: LayerNames
    water: WaterStyle
    land: LandStyle
    grid: GridStyle
    terrain: dict[str, TerrainStyle]
    hexside: dict[str, HexsideStyle]
    named: tuple[NamedHexside, ...] = ()
    feature: dict[str, FeatureStyle]
    tint: tuple[TraitTint, ...] = ()
    link: dict[str, LinkStyle]
    lettering: dict[str, LetteringStyle]
    names: NameStyle
    areas: AreaStyle
    points: PointStyle
    overlay: dict[str, OverlayStyle] = Field(default_factory=dict)
    painted: dict[str, PaintedStyle] = Field(default_factory=dict)
    cut: dict[str, CutStyle] = Field(default_factory=dict)
    panels: PanelStyle
    scale: ScaleStyle | None = None
    picture: dict[str, str] = Field(default_factory=dict)
    _pictures: dict[str, Picture] = PrivateAttr(default_factory=dict)

    @property
    def pictures(self) -> dict[str, Picture]:
        """The pictures that sheets are printed from, by sheet."""
        return self._pictures

    def with_pictures(self, pictures: dict[str, Picture]) -> MapStyle:
        """Return this style with the pictures of its sheets."""
        style = self.model_copy()
        style._pictures = pictures
        return style


BASES = ("classic", "plain")
"""The styles that come with the toolchain."""
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")


@cache
def _base(name: str) -> str:
    return files("toolchain.sources").joinpath("styles", f"{name}.toml").read_text(encoding="utf-8")


def base_style(name: str) -> dict[str, Any]:
    """Return one of BASES as plain values. What the others do not state, they take from the classic one."""
    classic = tomllib.loads(_base("classic"))
    return classic if name == "classic" else _overlaid(classic, tomllib.loads(_base(name)))


def decode_map_style(raw: Mapping[str, Any], file: str, report: Report, base: str = "") -> MapStyle | None:
    """Lay a map's style over the one that it names as `base`, and check the whole; faults are findings and give None.

    base: another one of BASES to lay it over; then colours that this one has come before the map's own.
    """
    own = raw.get("base", "classic")
    if own not in BASES:
        near = did_you_mean(str(own), BASES)
        report.add(STYLE_NAME, Location(file=file, key="base"), f"there is no style {own!r} to stand on{near}")
        own = "classic"
    below = base_style(base or own)
    stated = _without_colours(raw, below) if base and base != own else raw
    return decode(MapStyle, {**_overlaid(below, stated), "base": base or own}, file, report)


def classic_map_style() -> MapStyle:
    """Return the look of a map that states none."""
    return MapStyle.model_validate(base_style("classic"))


def _without_colours(over: Mapping[str, Any], base: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for key, value in over.items():
        below = base.get(key)
        if isinstance(value, Mapping) and isinstance(below, Mapping):
            out[key] = _without_colours(value, below)
        elif not (isinstance(value, str) and COLOUR.fullmatch(value) and below is not None):
            out[key] = value
    return out


def _overlaid(base: dict[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    out = dict(base)
    for key, value in over.items():
        below = out.get(key)
        out[key] = _overlaid(below, value) if isinstance(value, Mapping) and isinstance(below, dict) else value
    return out
