"""What map.toml states of lines and points that are drawn over hexes: roads, single rivers and hexsides, sites."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Self

from pydantic import Field, model_validator

from toolchain.sources.decode import Raw
from toolchain.sources.decode.boards import Name, Point


class CrossingData(Raw):
    """Lines of a layer that run from hex to hex: roads, railways, tracks.

    link: kind of the links between the hexes that a line runs through, one after the other. hexside: kind of the
    hexsides that it crosses. clip: a line that has less than this part of the pitch in a hex has only cut its corner
    and does not enter it. one_way: links lead only the way the line was drawn. traits: of all links; properties:
    properties of the lines that become traits; the name of a line is one in any case.
    """

    layer: Name
    link: str = ""
    hexside: str = ""
    clip: Annotated[float, Field(ge=0, le=0.5)] = 0.15
    one_way: bool = False
    traits: Mapping[str, str] = {}
    properties: tuple[Name, ...] = ()
    cite: str = ""
    assumed: str = ""

    @model_validator(mode="after")
    def _of_use(self) -> Self:
        if not self.link and not self.hexside:
            raise ValueError("give link, or hexside, or both")
        return self


class SideData(Raw):
    """What is stated of the hexside between two neighbours, by name or number."""

    between: tuple[Name, Name]
    add: tuple[Name, ...] = ()
    remove: tuple[Name, ...] = ()
    cite: str = ""
    assumed: str = ""


class RiverData(Raw):
    """Which way a river flows.

    name: of its lines. source, mouth: a name or number of a hex near it, or a place on the sheet in mm; it flows away
    from the source and towards the mouth.
    """

    name: Name
    source: Name | Point | None = None
    mouth: Name | Point | None = None

    @model_validator(mode="after")
    def _of_use(self) -> Self:
        if self.source is None and self.mouth is None:
            raise ValueError("give source, or mouth, or both")
        return self


class SiteData(Raw):
    """Points of a layer that stand for something in the hex in which they lie: cities, ports, airfields.

    feature: the hex has it; class: property of the points whose value is the feature instead. The name of a point
    becomes a trait that is called as the feature; name: the property that holds it. named: the hex gets this name, if
    the table of places gives it none. traits: of all these hexes; properties: properties that become traits.
    """

    layer: Name
    feature: str = ""
    kind: str = Field(default="", alias="class")
    name: str = "name"
    named: bool = False
    traits: Mapping[str, str] = {}
    properties: tuple[Name, ...] = ()
    cite: str = ""
    assumed: str = ""

    @model_validator(mode="after")
    def _of_use(self) -> Self:
        if self.feature and self.kind:
            raise ValueError("give only one of feature and class")
        if not (self.feature or self.kind or self.named or self.traits or self.properties):
            raise ValueError("give feature, class, named, traits or properties")
        return self


class OverlayData(Raw):
    """All of map.toml that is said of lines and points over hexes."""

    crossing: tuple[CrossingData, ...] = ()
    river: tuple[RiverData, ...] = ()
    site: tuple[SiteData, ...] = ()

    def overlaid(self) -> Iterator[tuple[str, str, str]]:
        """Yield every word of the layers and the legend that is used here: key, word, and what it is."""
        for i, entry in enumerate(self.crossing):
            yield f"crossing.{i}.layer", entry.layer, "layer"
            yield f"crossing.{i}.link", entry.link, "kind of link"
            yield f"crossing.{i}.hexside", entry.hexside, "kind of hexside"
        for i, site in enumerate(self.site):
            yield f"site.{i}.layer", site.layer, "layer"
            yield f"site.{i}.feature", site.feature, "feature"
