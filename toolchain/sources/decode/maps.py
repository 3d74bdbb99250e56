"""The map of a game as its files state it: map.toml, places.csv and links.csv become a MapPlan.

Nothing is drawn or measured here. `map.toml` is described by `MapData`, key by key; a table column that is not
reserved is a trait of its place or link.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field, FiniteFloat, PositiveFloat, model_validator

from toolchain.catalogue import REPEATED, UNKNOWN_NAME
from toolchain.model.hexes import HexGrid, Numbering
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode import Raw, decode
from toolchain.sources.decode.boards import BoardData
from toolchain.sources.decode.fit import FitData
from toolchain.sources.decode.hand import read_hand_table
from toolchain.sources.decode.legend import (
    FeatureData,
    HexsideData,
    LinkKindData,
    Measure,
    Share,
    TerrainData,
)
from toolchain.sources.decode.overlays import OverlayData, SideData
from toolchain.sources.decode.places import LinkRow, Place, read_links, read_places
from toolchain.sources.decode.sheets import (
    ArrangementData,
    ArrangementPart,
    FileData,
    FrameData,
    SeamData,
    SheetData,
    SheetPart,
    decode_several,
)
from toolchain.sources.documents import Row, inside, read_toml

Millimetres = Annotated[float, Field(allow_inf_nan=False)]
Pair = tuple[Millimetres, Millimetres]
Name = Annotated[str, Field(min_length=1, max_length=100)]
Scalar = bool | int | float | str


def plain_crs(text: str) -> str:
    """Refuse a coordinate system whose definition reads further files."""
    # Grid files would be looked for on the disk or the network.
    if any(word in text.casefold() for word in ("grids", "+init", "pipeline", "@", "\x00")):
        raise ValueError("a projection that reads further files is not allowed")
    return text


class ProjectionData(Raw):
    """How longitude and latitude become sheet millimetres.

    crs: anything that pyproj knows, in metres. scale: one to this. turn: degrees by which the drawing is turned
    clockwise on the sheet. centre: this longitude and latitude lies at the place `at` of the sheet, in millimetres.
    """

    crs: Annotated[str, Field(min_length=1, max_length=2000), AfterValidator(plain_crs)]
    scale: PositiveFloat = Field(ge=1, le=1e10)
    turn: FiniteFloat = 0.0
    centre: tuple[Annotated[float, Field(ge=-180, le=180)], Annotated[float, Field(ge=-90, le=90)]]
    at: Pair


class NumberingData(Raw):
    """How hexes are numbered; see `Numbering`."""

    order: Literal["column", "row"] = "column"
    column_start: int = Field(default=1, ge=-1000, le=100_000)
    row_start: int = Field(default=1, ge=-1000, le=100_000)
    column_digits: int = Field(default=2, ge=0, le=6)
    row_digits: int = Field(default=2, ge=0, le=6)
    column_letters: bool = False
    row_letters: bool = False
    separator: str = Field(default="", max_length=5)
    column_step: int = Field(default=1, ge=1, le=1000)
    row_step: int = Field(default=1, ge=1, le=1000)
    double_letters: bool = False
    column_from: Literal["left", "right"] = "left"
    row_from: Literal["top", "bottom"] = "top"
    stagger: Literal["down", "up", "between", "falling", "rising"] = "down"

    @model_validator(mode="after")
    def _lettered(self) -> NumberingData:
        for part in ("column", "row"):
            if getattr(self, f"{part}_letters") and getattr(self, f"{part}_start") < 1:
                raise ValueError(f"letters begin with A for 1; {part}_start is {getattr(self, f'{part}_start')}")
        return self


class GridData(Raw):
    """The hex grid; see `HexGrid`.

    partial: what the hexes are that the sheet's edge cuts: playable (units may enter them, but no number is printed),
    numbered (the other way round), both or neither; hexes that are neither are no part of the map.
    """

    orientation: Literal["flat", "pointy"]
    pitch: PositiveFloat = Field(ge=0.5, le=1000)
    origin: Pair
    columns: int = Field(ge=1, le=5000)
    rows: int = Field(ge=1, le=5000)
    low: Literal["odd", "even"] = "odd"
    numbering: NumberingData = NumberingData()
    partial: Literal["playable", "numbered", "both", "neither"] = "both"

    @model_validator(mode="after")
    def _bounded(self) -> GridData:
        if self.columns * self.rows > 1_000_000:
            raise ValueError("the grid has more than a million hexes")
        n = self.numbering
        letters = (n.column_letters, n.row_letters)
        # Where the parts can be told apart, no two hexes share a label; looking costs time on a large map.
        if (not n.separator or n.separator.isalnum()) and letters[0] == letters[1] and (label := self.grid().repeated):
            raise ValueError(f"two hexes are numbered {label!r}; give numbering more digits or a separator")
        return self

    def grid(self) -> HexGrid:
        """Return the grid that these values describe."""
        return HexGrid(
            self.orientation,
            self.pitch,
            self.origin,
            self.columns,
            self.rows,
            self.low,
            Numbering(**self.numbering.model_dump()),
        )


class RangeData(Raw):
    """A range of numbers; a bound that is not given is none."""

    min: FiniteFloat | None = None
    max: FiniteFloat | None = None


class LayerData(Raw):
    """A named layer of a drawing: a GeoJSON file, or an SVG file and the label or id of one of its layers.

    where: only shapes whose properties have these values; a list means any of, { min, max } a range, `*` in a text any
    characters. crs: coordinate system of a GeoJSON file that is not in longitude and latitude, if the file does not
    say it. tolerance: how far flattened curves may lie from the true ones, in millimetres on the sheet.
    """

    file: Name
    layer: str = ""
    where: Mapping[str, Scalar | RangeData | tuple[Scalar, ...]] = {}
    crs: Annotated[str, Field(max_length=2000), AfterValidator(plain_crs)] = ""
    tolerance: PositiveFloat = Field(default=0.02, ge=1e-4, le=10)


class BoxData(Raw):
    """A box off the map. at: its centre, size: width and height, in sheet millimetres."""

    key: Name
    title: str = ""
    at: Pair
    size: tuple[PositiveFloat, PositiveFloat]
    features: tuple[str, ...] = ()
    traits: Mapping[str, str] = {}
    enterable: bool = True
    cite: str = ""
    assumed: str = ""


class MapData(BoardData, OverlayData):
    """The whole of map.toml.

    enterable: units may enter all hexes, or only those with a name. land_from: least share of land that makes a hex
    land; land_from_named: the same for hexes with a name (default: the same value). terrain_by: how terrains that do
    not say it themselves are measured.
    """

    format: Literal[1]
    title: str = ""
    enterable: Literal["all", "named"] = "all"
    land_from: Share = 0.5
    land_from_named: Share | None = None
    terrain_by: Measure = "area"
    sheet: SheetData
    projection: ProjectionData | None = None
    frame: FrameData | None = None
    grid: GridData | None = None
    layers: Mapping[str, LayerData] = {}
    terrain: tuple[TerrainData, ...] = ()
    hexside: tuple[HexsideData, ...] = ()
    feature: tuple[FeatureData, ...] = ()
    link: tuple[LinkKindData, ...] = ()
    box: tuple[BoxData, ...] = ()
    side: tuple[SideData, ...] = ()
    places: FileData | None = None
    links: FileData | None = None
    fit: FitData | None = None
    check: FileData | None = None
    spellings: Mapping[str, str] = {}

    def measured(self, terrain: TerrainData) -> Measure:
        """Tell how a terrain is measured; one with a share of its own goes by area unless it says otherwise."""
        return terrain.by or ("area" if terrain.least is not None else self.terrain_by)


@dataclass(frozen=True)
class MapPlan:
    """Everything that is stated about a map, before anything is measured.

    name: of the game. shown: map.toml as messages name it. paths: file of each layer; layers whose file may not be
    read are absent. hand: rows of the table of terrain that the survey is compared with.

    A map of several sheets has a plan for each of them in `sheets`, and itself only what they share. outlines: of the
    paper, where it is not simply the sheet: what lies beyond it is no ground. seams: rows of the links of each
    arrangement. part: what a sheet of several, or an arrangement, states of its own.
    """

    name: str
    shown: str
    data: MapData
    hexes: HexGrid | None
    paths: Mapping[str, Path] = field(default_factory=dict)
    places: tuple[Place, ...] = ()
    links: tuple[LinkRow, ...] = ()
    hand: tuple[Row, ...] = ()
    outlines: tuple[tuple[Pair, ...], ...] = ()
    sheets: tuple[MapPlan, ...] = ()
    arrangements: tuple[ArrangementData, ...] = ()
    seams: tuple[tuple[LinkRow, ...], ...] = ()
    seam: SeamData | None = None
    part: SheetPart | ArrangementPart | None = None

    @property
    def grid(self) -> HexGrid:
        """The grid of a map that has one; see `hexes`."""
        if self.hexes is None:
            raise LookupError("this map has no hexes")
        return self.hexes

    @property
    def arranged(self) -> tuple[str, ...]:
        """The names of the arrangements."""
        return tuple(a.name for a in self.arrangements)

    def at(self, key: str) -> Location:
        """Return the place of a key of map.toml."""
        return Location(file=self.shown, key=self.part.key(key) if self.part else key)


def read_map(root: Path, name: str, report: Report) -> MapPlan | None:
    """Read maps/NAME of a project.

    root: folder that holds maps/. name: of the game. Returns None when map.toml cannot be used; rows of tables that
    cannot be used are left out. Every fault is a finding.
    """
    shown = f"maps/{name}/map.toml"
    raw = read_toml(root / "maps" / name / "map.toml", shown, report)
    if raw is None:
        return None
    if not isinstance(raw.get("sheet"), list):
        return _read_plan(root, name, raw, report)
    several = decode_several(raw, shown, report)
    if several is None:
        return None
    plans = []
    for part in several.parts:
        found = Report()
        plan = _read_plan(root, name, part.raw, found)
        report.extend(part.moved(f, shown) for f in found)
        if plan is not None:
            plans.append(replace(plan, outlines=(plan.data.sheet.outline,), part=part))
    if len(plans) < len(several.parts):
        return None
    none: dict[str, Any] = dict.fromkeys(("projection", "frame", "check", "fit"))
    none |= dict.fromkeys(("box", "side", "track", "river"), ()) | {"spellings": {}}
    data = plans[0].data.model_copy(update=none)
    fence = root / "maps"
    seams = tuple(
        ()
        if a.links is None
        else read_links(fence / name, a.links.file, fence, shown, report, f"arrangement.{n}.links")
        for n, a in enumerate(several.arrangements)
    )
    return MapPlan(
        name,
        shown,
        data,
        plans[0].hexes,
        sheets=tuple(plans),
        arrangements=several.arrangements,
        seams=seams,
        seam=several.seam,
    )


def _read_plan(root: Path, name: str, raw: Mapping[str, Any], report: Report) -> MapPlan | None:
    """Read the map of one sheet, given the values of its map.toml."""
    fence = root / "maps"
    folder = fence / name
    shown = f"maps/{name}/map.toml"
    data = decode(MapData, raw, shown, report)
    if data is None:
        return None
    check_names(data, shown, report)
    paths = {}
    for key, layer in data.layers.items():
        path = inside(folder, layer.file, fence, Location(file=shown, key=f"layers.{key}.file"), report)
        if path is not None:
            paths[key] = path
    places: tuple[Place, ...] = ()
    links: tuple[LinkRow, ...] = ()
    if data.places is not None:
        places = read_places(
            folder, data.places.file, fence, shown, data.projection is not None, report, named=data.by_name
        )
    if data.links is not None:
        links = read_links(folder, data.links.file, fence, shown, report)
    hand: tuple[Row, ...] = ()
    if data.check is not None:
        hand = read_hand_table(folder, data.check.file, fence, shown, report)
    outlines = (data.sheet.outline,) if data.sheet.shape != "rectangle" else ()
    grid = data.grid.grid() if data.grid else None
    return MapPlan(name, shown, data, grid, paths, places, links, hand, outlines)


def check_names(data: MapData, shown: str, report: Report) -> None:
    """Report names within map.toml that refer to nothing, and legend entries of one name."""

    def known(word: str, words: list[str], key: str, what: str) -> None:
        if word and word not in words:
            report.add(UNKNOWN_NAME, Location(shown, key=key), f"unknown {what} {word!r}{did_you_mean(word, words)}")

    layers = list(data.layers)
    terrains = [t.name for t in data.terrain]
    for i, t in enumerate(data.terrain):
        known(t.layer, layers, f"terrain.{i}.layer", "layer")
        known(t.outside, layers, f"terrain.{i}.outside", "layer")
        for word in t.counts:
            known(word, terrains, f"terrain.{i}.counts", "terrain")
    for i, h in enumerate(data.hexside):
        known(h.layer, layers, f"hexside.{i}.layer", "layer")
        known(h.over, terrains, f"hexside.{i}.over", "terrain")
        known(h.border, terrains, f"hexside.{i}.border", "terrain")
    for i, f in enumerate(data.feature):
        known(f.needs, terrains, f"feature.{i}.needs", "terrain")
        for key, words in (("not_in", f.not_in), ("only_in", f.only_in or ())):
            for word in words:
                known(word, terrains, f"feature.{i}.{key}", "terrain")
    legend = {"layer": layers, "terrain": terrains, "feature": [f.name for f in data.feature]}
    legend |= {"kind of link": [k.name for k in data.link], "kind of hexside": [h.name for h in data.hexside]}
    for key, word, what in (*data.words(), *data.overlaid()):
        known(word, legend[what], key, what)
    for i, kind in enumerate(data.link):
        known(kind.bridge, legend["kind of hexside"], f"link.{i}.bridge", "kind of hexside")
    for i in [i for i, t in enumerate(data.terrain) if t.rest][1:]:
        report.add(REPEATED, Location(shown, key=f"terrain.{i}.rest"), "only one terrain can be the rest")
    for section in ("terrain", "hexside", "feature", "link"):
        seen: set[str] = set()
        for i, entry in enumerate(getattr(data, section)):
            if entry.name in seen:
                report.add(REPEATED, Location(shown, key=f"{section}.{i}.name"), f"{entry.name!r} is defined twice")
            seen.add(entry.name)
