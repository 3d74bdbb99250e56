"""Sides, nations and counters: the pieces of a game as its counter table has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toolchain.report import Location

Value = str | int | float | bool


@dataclass(frozen=True, slots=True)
class Side:
    """A player side and the nations that it commands."""

    name: str
    title: str
    nations: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Face:
    """One printed face of a counter, which is one step of a unit.

    values: what is printed or counted on this face, by name (attack, defence, movement, text, ...).
    """

    values: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Counter:
    """One row of the counter table: a piece of cardboard, printed `copies` times.

    id: unique in the game; what set-ups call it. name: printed and shown name. role: "unit" or "marker".
    kind: the game's own word, such as army, corps, fortress. symbol: plain words or SIDC for the unit symbol.
    size: name of a counter size in style.toml. layout: name of a face layout in style.toml.
    faces: full strength first; one face for a one-sided counter.
    attributes: every further column of the table, typed; what selectors may ask for (mech, no_replacement, ...).
    """

    id: str
    name: str
    role: str = "unit"
    side: str = ""
    nation: str = ""
    kind: str = ""
    symbol: str = ""
    size: str = ""
    layout: str = ""
    faces: tuple[Face, ...] = (Face(),)
    copies: int = 1
    attributes: Mapping[str, Value] = field(default_factory=dict)
    cite: str = ""
    assumed: str = ""
    where: Location = field(default_factory=Location)

    def value(self, name: str, step: int = 0) -> Value | None:
        """Return what selectors see under this name: the face of this step first, then the attributes."""
        face = self.faces[min(step, len(self.faces) - 1)].values
        if name in face:
            return face[name]
        if name in self.attributes:
            return self.attributes[name]
        if name in ("id", "name", "role", "side", "nation", "kind", "symbol", "size", "layout"):
            return str(getattr(self, name))
        return None
