"""What map.toml states of boards beside hexes: points and lines, areas, sea zones over hexes, and tracks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Self

from pydantic import Field, model_validator

from toolchain.sources.decode import Raw

Name = Annotated[str, Field(min_length=1, max_length=100)]
Millimetres = Annotated[float, Field(allow_inf_nan=False, ge=-10_000, le=10_000)]
Length = Annotated[float, Field(gt=0, le=1000)]
Point = tuple[Millimetres, Millimetres]

CELLS = 1000


class DrawnData(Raw):
    """Shapes of a layer that are spaces.

    names: layer of the texts that name them; a shape's own label or title goes before. within: how far from its text a
    shape may lie, in mm. terrain, features, traits, enterable: of all of them; the table of places adds to it by name.
    properties: properties of the shapes that become traits.
    """

    layer: Name
    names: str = ""
    within: Annotated[float, Field(ge=0, le=1000)] = 10.0
    terrain: str = ""
    features: tuple[Name, ...] = ()
    traits: Mapping[str, str] = {}
    properties: tuple[Name, ...] = ()
    enterable: bool = True
    cite: str = ""
    assumed: str = ""


class PointsData(DrawnData):
    """Circles, rectangles or points of a layer that are the spaces of a point-to-point map."""


class AreasData(DrawnData):
    """Polygons of a layer that are the spaces of an area map."""


class AdjacencyData(Raw):
    """When two areas are adjacent, in mm.

    tolerance: so far apart, or over each other, two outlines still run along the same border. least: so much border
    they must share.
    """

    tolerance: Length = 1.0
    least: Length = 3.0


class ZonesData(DrawnData):
    """Polygons of a layer that lie over hexes.

    trait: this trait of the hexes that a zone covers gets its name. only: terrains whose hexes are covered; all, if
    none is given. spaces: they are spaces themselves, of the kind "sea zone"; link: joined by links of this kind to
    the hexes of another terrain that they touch. enterable: without spaces, False closes hexes that lie mostly in one.
    """

    trait: str = ""
    only: tuple[Name, ...] = ()
    spaces: bool = False
    link: str = ""

    @model_validator(mode="after")
    def _of_use(self) -> Self:
        if not self.trait and not self.spaces and self.enterable:
            raise ValueError("give trait, spaces = true or enterable = false")
        if self.link and not self.spaces:
            raise ValueError("links need spaces = true")
        return self


class LinesData(Raw):
    """Lines of a layer that are links of one kind.

    snap: how far from a space a line may end, in mm. traits: of all of them; properties: properties of the lines that
    become traits. one_way: only in the direction in which the line is drawn.
    """

    layer: Name
    kind: Name
    snap: Annotated[float, Field(ge=0, le=100)] = 3.0
    one_way: bool = False
    traits: Mapping[str, str] = {}
    properties: tuple[Name, ...] = ()
    cite: str = ""
    assumed: str = ""


class TrackData(Raw):
    """A row of numbered boxes that markers stand on.

    at: centre of the printed panel; cell: width and height of one box, in mm. The boxes are numbered `from` to `to`, or
    bear `labels`. columns: boxes in one row (default: all). along: the boxes stand in equal steps on this line
    instead, and `at` is not given. prefix: stands before number or label in the name of a space (default: the key and a
    blank). link: kind of the links from each box to the next, if any.
    """

    key: Name
    title: str = ""
    at: Point | None = None
    cell: tuple[Length, Length] = (16.0, 16.0)
    first: int | None = Field(default=None, alias="from", ge=-10_000, le=10_000)
    last: int | None = Field(default=None, alias="to", ge=-10_000, le=10_000)
    labels: Annotated[tuple[Name, ...], Field(max_length=CELLS)] = ()
    columns: Annotated[int, Field(ge=1, le=CELLS)] | None = None
    along: Annotated[tuple[Point, ...], Field(max_length=CELLS)] = ()
    prefix: str | None = None
    traits: Mapping[str, str] = {}
    link: str = ""
    one_way: bool = False
    enterable: bool = False
    cite: str = ""
    assumed: str = ""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        numbered = self.first is not None or self.last is not None
        if numbered == bool(self.labels):
            raise ValueError("give either from and to, or labels")
        if numbered and (self.first is None or self.last is None or not 0 <= self.last - self.first < CELLS):
            raise ValueError(f"from and to must be given together, and from be the lower; at most {CELLS} boxes")
        if (self.at is None) == (not self.along):
            raise ValueError("give either at, or along")
        if self.along and (len(set(self.along)) < 2 or self.columns is not None):
            raise ValueError("along needs two places or more, and no columns")
        return self

    @property
    def words(self) -> tuple[str, ...]:
        """What the boxes bear, in order."""
        if self.first is None or self.last is None:
            return self.labels
        return tuple(str(n) for n in range(self.first, self.last + 1))

    @property
    def keys(self) -> tuple[str, ...]:
        """The names of the spaces, in order."""
        prefix = f"{self.key} " if self.prefix is None else self.prefix
        return tuple(prefix + word for word in self.words)

    @property
    def label(self) -> str:
        """The printed title."""
        return self.title or self.key


class BoardData(Raw):
    """All of map.toml that is said of boards beside hexes."""

    points: tuple[PointsData, ...] = ()
    lines: tuple[LinesData, ...] = ()
    areas: tuple[AreasData, ...] = ()
    adjacency: AdjacencyData = AdjacencyData()
    zones: tuple[ZonesData, ...] = ()
    track: tuple[TrackData, ...] = ()

    @property
    def by_name(self) -> bool:
        """Tell whether spaces are drawn as shapes, so that the table of places may name them without a place."""
        return bool(self.points or self.areas or any(z.spaces for z in self.zones))

    def words(self) -> Iterator[tuple[str, str, str]]:
        """Yield every layer and terrain that is named here: key, word, and which of the two it is."""
        for section in ("points", "areas", "zones"):
            for i, entry in enumerate(getattr(self, section)):
                yield f"{section}.{i}.layer", entry.layer, "layer"
                yield f"{section}.{i}.names", entry.names, "layer"
                yield f"{section}.{i}.terrain", entry.terrain, "terrain"
        for i, zone in enumerate(self.zones):
            for word in zone.only:
                yield f"zones.{i}.only", word, "terrain"
        for i, lines in enumerate(self.lines):
            yield f"lines.{i}.layer", lines.layer, "layer"
