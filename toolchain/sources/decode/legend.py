"""The legend of a map as map.toml states it: terrain, kinds of hexside, features and kinds of link."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from toolchain.sources.decode import Raw

Mode = Literal["land", "sea"]
Measure = Literal["area", "centre", "touch"]
Share = Annotated[float, Field(ge=0, le=1)]
Name = Annotated[str, Field(min_length=1, max_length=100)]


class LegendData(Raw):
    """What every entry of the legend has: its name, its words for the printed key, a note."""

    name: Name
    title: str = ""
    note: str = ""
    cite: str = ""
    assumed: str = ""


class TerrainData(LegendData):
    """A terrain. It covers its layer, or everything outside a layer, or the rest; or it is only stated for places.

    water: no land; unless stated otherwise, the terrain outside a layer is water. from: least share of the land of a
    hex, in order of the file the first that reaches it wins; terrains without it compete for the largest share.
    counts: terrains whose area counts towards this one's `from`, as alpine ground does towards mountains.
    by: the hex is of this terrain by area as said; or if its centre is; or if any of it is. In order of the file the
    first that wins; water by centre or touch does not ask for a share of land.
    """

    layer: str = ""
    outside: str = ""
    rest: bool = False
    water: bool | None = None
    least: Share | None = Field(default=None, alias="from")
    counts: tuple[str, ...] = ()
    by: Measure | None = None

    @model_validator(mode="after")
    def _one_source(self) -> TerrainData:
        if bool(self.layer) + bool(self.outside) + self.rest > 1:
            raise ValueError("give only one of layer, outside and rest")
        if self.by in ("centre", "touch") and (self.least is not None or self.counts or self.rest):
            raise ValueError(f"from, counts and rest go by area, not by {self.by}")
        return self

    @property
    def is_water(self) -> bool:
        """Tell whether hexes of this terrain are water."""
        return bool(self.outside) if self.water is None else self.water


class HexsideData(LegendData):
    """A kind of hexside. Without layer, over and border it occurs only where [[side]] states it.

    layer: its lines follow hexsides, and a hexside lies in its areas when at least `from` of its length does.
    over: the same for the area of a terrain, but for hexsides at its border. border: hexsides between a hex of this
    terrain and one of another.
    bars: the modes of movement that may not cross it. river: it is a river, which `validate` follows from its spring
    to its mouth. flow: its lines are drawn the way it flows, or against it, or it flows to the water that it reaches
    (mouth); not known, if left out. Either makes it a river, which is carried to the water and the rivers that its
    lines reach.
    """

    layer: str = ""
    over: str = ""
    border: str = ""
    least: Share = Field(default=0.5, alias="from", gt=0)
    bars: tuple[Mode, ...] = ()
    river: bool = False
    flow: Literal["", "drawn", "against", "mouth"] = ""

    @property
    def is_river(self) -> bool:
        """Tell whether sides of this kind are rivers."""
        return self.river or bool(self.flow)


class FeatureData(LegendData):
    """A feature of places.

    needs: terrain that the hex or one of its hexsides must touch. not_in, only_in: terrains where it may not stand,
    or where alone it may. every: every hex that borders on the terrain it needs, and where it may stand, has it.
    """

    needs: str = ""
    not_in: tuple[str, ...] = ()
    only_in: tuple[str, ...] | None = None
    every: bool = False

    @model_validator(mode="after")
    def _of_use(self) -> Self:
        if self.every and not self.needs:
            raise ValueError("every = true needs the terrain that such hexes border on: needs")
        return self


class LinkKindData(LegendData):
    """A kind of link.

    modes: who may use it; none at all for links that only rules use. network: it runs on from space to space, as a
    road does, and `validate` looks for dead ends and breaks. bridge: kind of hexside that a river gets where such a
    link crosses it.
    """

    modes: tuple[Mode, ...] = ("land",)
    network: bool = False
    bridge: str = ""
