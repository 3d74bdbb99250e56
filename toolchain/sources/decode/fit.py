"""What map.toml states of the fit of the grid: [fit], for `toolchain fit` and for the checks of a map."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from toolchain.sources.decode import Raw

Word = Annotated[str, Field(min_length=1, max_length=100)]
Pairs = Annotated[tuple[tuple[Word, Word], ...], Field(max_length=2000)]
Weight = Annotated[float, Field(ge=0, le=1000)]
Positive = Annotated[float, Field(gt=0, le=1e10)]
Degrees = Annotated[float, Field(ge=-360, le=360)]


class WeightsData(Raw):
    """What each thing that a fit does not meet counts.

    share: a place too many in a hex. off: a place off the grid. adjacent, apart: a pair. needs: a feature without the
    terrain that it must touch.
    """

    share: Weight = 2.0
    off: Weight = 2.0
    adjacent: Weight = 1.0
    apart: Weight = 1.0
    needs: Weight = 1.0


class FitData(Raw):
    """What a good grid must do, and where to look for one.

    places: those that need hexes of their own: "free" are the rows of the places without a hex of their own, "cited"
    the rows with `cite`, "all" those with coordinates; or a list of names. adjacent, apart: pairs of places that must,
    or must not, be neighbours; `validate` holds the finished map to them too. scale: least and greatest, one to so
    many, where the map has a projection; pitch: the same in millimetres where it has none. turn: least and greatest
    turn of the drawing in degrees; only with a projection. steps: how many sizes and how many turns are tried first.
    offsets: how many places of the grid are tried along each of its two axes for each of them.
    """

    places: Literal["free", "cited", "all"] | tuple[Word, ...] = "free"
    adjacent: Pairs = ()
    apart: Pairs = ()
    scale: tuple[Positive, Positive] | None = None
    pitch: tuple[Positive, Positive] | None = None
    turn: tuple[Degrees, Degrees] | None = None
    steps: int = Field(default=9, ge=1, le=101)
    offsets: int = Field(default=16, ge=2, le=64)
    weights: WeightsData = WeightsData()

    @model_validator(mode="after")
    def _ordered(self) -> FitData:
        for name in ("scale", "pitch", "turn"):
            bounds = getattr(self, name)
            if bounds is not None and bounds[0] > bounds[1]:
                raise ValueError(f"{name}: the least value must come first")
        if (self.steps * self.offsets) ** 2 > 2_000_000:
            raise ValueError("so many steps and offsets are more than two million fits to try")
        return self
