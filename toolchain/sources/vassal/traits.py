"""Traits, the parts of a VASSAL piece: each a frozen dataclass that writes and reads its own definition and state.

The order of the fields is the order of the format. What a trait does not know how to write back exactly as it was
read, and every trait that is unknown here, is kept as it stands.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields
from functools import cache
from typing import Any, ClassVar

from toolchain.sources.vassal.codec import decode, decode_list, encode, encode_list


def _read_bool(text: str) -> bool:
    return text == "true"


# The types of fields by their annotation: how one is written and read.
_WRITE: dict[str, Callable[[Any], str]] = {
    "str": str,
    "int": str,
    "float": lambda x: repr(float(x)),
    "bool": lambda x: "true" if x else "false",
    "tuple[str, ...]": encode_list,
}
_READ: dict[str, Callable[[str], Any]] = {
    "str": str,
    "int": int,
    "float": float,
    "bool": _read_bool,
    "tuple[str, ...]": decode_list,
}


def state(default: Any) -> Any:
    """Declare a field that belongs to the state of a piece, not to its definition."""
    return field(default=default, metadata={"state": True})


@dataclass(frozen=True, slots=True)
class Trait:
    """The base of all traits. ID: the trait's name in the format. SEPARATOR: between its fields."""

    ID: ClassVar[str] = ""
    SEPARATOR: ClassVar[str] = ";"

    @property
    def definition(self) -> str:
        """The trait as it stands in a piece's definition."""
        return f"{self.ID};" + encode(self.SEPARATOR, self._written(of_state=False))

    @property
    def state(self) -> str:
        """The trait's state."""
        return encode(self.SEPARATOR, self._written(of_state=True))

    def _written(self, of_state: bool) -> list[str]:
        kind: Any = type(self)
        return [write(getattr(self, name)) for name, write in _writers(kind, of_state)]

    @classmethod
    def read(cls, body: str, state: str) -> Trait:
        """Read a trait: body is its definition without the name. Raises ValueError for what cannot be read."""
        values: dict[str, Any] = {}
        kind: Any = cls
        for of_state, text in ((False, body), (True, state)):
            known = _fields(kind, of_state)
            for f, token in zip(known, decode(cls.SEPARATOR, text) if known else (), strict=False):
                values[f.name] = _READ[str(f.type)](token)
        return cls(**values)


@cache
def _writers(kind: Any, of_state: bool) -> tuple[tuple[str, Callable[[Any], str]], ...]:
    return tuple((f.name, _WRITE[str(f.type)]) for f in _fields(kind, of_state))


@cache
def _fields(kind: Any, of_state: bool) -> list[Field[Any]]:
    return [f for f in fields(kind) if f.metadata.get("state", False) is of_state]


@dataclass(frozen=True, slots=True)
class Verbatim(Trait):
    """A trait kept as it was read."""

    text: str = ""
    kept: str = ""

    @property
    def definition(self) -> str:
        return self.text

    @property
    def state(self) -> str:
        return self.kept


@dataclass(frozen=True, slots=True)
class BasicPiece(Trait):
    """The innermost trait: name, picture and place. map is "null" for a piece on no map.

    properties: what the piece remembers, each name followed by its value; they are counted in its state.
    """

    ID: ClassVar[str] = "piece"
    clone_key: str = ""
    delete_key: str = ""
    image: str = ""
    name: str = ""
    map: str = state("null")
    x: int = state(0)
    y: int = state(0)
    gpid: str = state("")
    properties: tuple[str, ...] = state(())

    def _written(self, of_state: bool) -> list[str]:
        if not of_state:
            return [self.clone_key, self.delete_key, self.image, self.name]
        place = [self.map, str(self.x), str(self.y), self.gpid]
        return [*place, str(len(self.properties) // 2), *self.properties]

    @classmethod
    def read(cls, body: str, state: str) -> Trait:
        """Read the piece. The number of its properties is taken as it must be; another one does not read."""
        clone, delete, image, name = decode(";", body)
        board, x, y, gpid, _, *properties = decode(";", state)
        return cls(clone, delete, image, name, board, int(x), int(y), gpid, tuple(properties))


@dataclass(frozen=True, slots=True)
class UsePrototype(Trait):
    """Take over the traits of a prototype."""

    ID: ClassVar[str] = "prototype"
    name: str = ""


@dataclass(frozen=True, slots=True)
class Marker(Trait):
    """Properties that never change."""

    ID: ClassVar[str] = "mark"
    SEPARATOR: ClassVar[str] = ","
    names: tuple[str, ...] = ()
    values: tuple[str, ...] = state(())

    def _written(self, of_state: bool) -> list[str]:
        return list(self.values if of_state else self.names)

    @classmethod
    def read(cls, body: str, state: str) -> Trait:
        """Read the names and the values."""
        return cls(tuple(decode(",", body)), tuple(decode(",", state)))


@dataclass(frozen=True, slots=True)
class Layer(Trait):
    """Pictures of which one is shown, such as the steps of a unit. level: from 1; negative when nothing is shown."""

    ID: ClassVar[str] = "emb2"
    activate: str = ""
    activate_mods: str = "2"
    activate_key: str = ""
    up: str = ""
    up_mods: str = "2"
    up_key: str = ""
    down: str = ""
    down_mods: str = "2"
    down_key: str = ""
    reset: str = ""
    reset_key: str = ""
    reset_level: str = "1"
    draw_under: bool = False
    x: int = 0
    y: int = 0
    images: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    loop: bool = True
    name: str = ""
    random_key: str = ""
    random: str = ""
    follow: bool = False
    property: str = ""
    first_level: str = "1"
    version: int = 1
    always: bool = True
    activate_stroke: str = ""
    up_stroke: str = ""
    down_stroke: str = ""
    description: str = ""
    scale: str = "1.0"
    level: int = state(1)


@dataclass(frozen=True, slots=True)
class Calculated(Trait):
    """A property worked out whenever it is asked for."""

    ID: ClassVar[str] = "calcProp"
    name: str = ""
    expression: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class ReportAction(Trait):
    """Say in the chat what a key did."""

    ID: ClassVar[str] = "report"
    keys: tuple[str, ...] = ()
    format: str = ""
    cycle_down_keys: tuple[str, ...] = ()
    cycle_formats: tuple[str, ...] = ()
    description: str = ""
    no_suppress: bool = False
    cycle: int = state(-1)


@dataclass(frozen=True, slots=True)
class Delete(Trait):
    """Take the piece off the map."""

    ID: ClassVar[str] = "delete"
    menu: str = ""
    key: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class Clone(Trait):
    """Make another piece like this one."""

    ID: ClassVar[str] = "clone"
    menu: str = ""
    key: str = ""
    description: str = ""


@dataclass(frozen=True, slots=True)
class MarkMoved(Trait):
    """Show that the piece has moved. x, y: of the picture, from the piece's centre in pixels."""

    ID: ClassVar[str] = "markmoved"
    image: str = "/images/moved.gif"
    x: int = 0
    y: int = 0
    menu: str = ""
    key: str = ""
    description: str = ""
    ignore_same: bool = True
    moved: bool = state(False)


@dataclass(frozen=True, slots=True)
class Trail(Trait):
    """Draw the way that the piece has come."""

    ID: ClassVar[str] = "footprint"
    key: str = ""
    menu: str = ""
    visible_at_first: bool = False
    visible_to_all: bool = False
    radius: int = 10
    fill: str = "255,255,255"
    line: str = "0,0,0"
    selected: int = 100
    unselected: int = 50
    edge_point_buffer: int = 20
    edge_display_buffer: int = 30
    width: float = 1.0
    on_key: str = ""
    off_key: str = ""
    clear_key: str = ""
    description: str = ""
    visible: bool = state(False)
    start: str = state("")
    points: int = state(0)


@dataclass(frozen=True, slots=True)
class SendTo(Trait):
    """Send the piece to a place. to: L a point, G a location, Z a zone, R a region."""

    ID: ClassVar[str] = "sendto"
    menu: str = ""
    key: str = ""
    map: str = ""
    board: str = ""
    x: str = "0"
    y: str = "0"
    back_menu: str = ""
    back_key: str = ""
    x_index: str = "0"
    y_index: str = "0"
    x_offset: str = "0"
    y_offset: str = "0"
    description: str = ""
    to: str = "L"
    zone: str = ""
    region: str = ""
    filter: str = ""
    location: str = ""
    back_map: str = state("")
    back_x: str = state("")
    back_y: str = state("")


@dataclass(frozen=True, slots=True)
class Trigger(Trait):
    """Do what other keys do when one of these is pressed and the expression holds."""

    ID: ClassVar[str] = "macro"
    name: str = ""
    menu: str = ""
    key: str = ""
    match: str = ""
    watch: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    loop: bool = False
    before_loop: str = ""
    after_loop: str = ""
    loop_type: str = "counted"
    while_true: str = ""
    until_true: str = ""
    times: str = ""
    index: bool = False
    index_property: str = ""
    index_start: str = "1"
    index_step: str = "1"


@dataclass(frozen=True, slots=True)
class Mask(Trait):
    """Hide the piece's face from others.

    style: what its own side sees: B, the face small on the picture; I, the picture small in the corner; G and the name
    of another picture, that one over the face.

    access: who may see and unmask it, such as "side:". hidden_by, options: who hid it, empty while it is open.
    """

    ID: ClassVar[str] = "obs"
    key: str = ""
    image: str = ""
    menu: str = ""
    style: str = "I"
    name: str = "?"
    access: str = "side:"
    peek: str = ""
    description: str = ""
    auto_peek: bool = False
    hidden_by: str = state("null")
    options: str = state("")


@dataclass(frozen=True, slots=True)
class AreaOfEffect(Trait):
    """Mark the hexes around a piece. shader: name of the map's shading that draws it; empty, it draws itself."""

    ID: ClassVar[str] = "AreaOfEffect"
    colour: str = "128,128,128"
    opacity: int = 30
    radius: int = 1
    always: bool = True
    menu: str = ""
    key: str = ""
    shader: str = ""
    fixed: bool = True
    radius_property: str = ""
    description: str = ""
    active: bool = state(False)


@dataclass(frozen=True, slots=True)
class ReturnTo(Trait):
    """Put a card onto a deck. deck, expression: its name. chosen: the player is asked which."""

    ID: ClassVar[str] = "return"
    menu: str = ""
    key: str = ""
    deck: str = ""
    prompt: str = ""
    description: str = ""
    version: int = 2
    chosen: bool = False
    expression: str = ""


@dataclass(frozen=True, slots=True)
class Rotate(Trait):
    """Turn the piece. facings: how many; names and keys turn it to the right and to the left."""

    ID: ClassVar[str] = "rotate"
    facings: int = 6
    right_key: str = ""
    left_key: str = ""
    right: str = ""
    left: str = ""
    random_key: str = ""
    random: str = ""
    name: str = ""
    description: str = ""
    facing: int = state(0)


@dataclass(frozen=True, slots=True)
class Restrict(Trait):
    """Only these sides may touch the piece."""

    ID: ClassVar[str] = "restrict"
    sides: tuple[str, ...] = ()
    by_player: bool = False
    no_move: bool = True
    description: str = ""
    owner: str = state("")


@dataclass(frozen=True, slots=True)
class NoStack(Trait):
    """Keep the piece out of stacks. select, move, stack: letters of the format."""

    ID: ClassVar[str] = "immob"
    select: str = ""
    move: str = "N"
    stack: str = "L"
    description: str = ""


@dataclass(frozen=True, slots=True)
class Dynamic(Trait):
    """A property that keys change. constraints: numeric, least, most, wrap; commands: as the format has them."""

    ID: ClassVar[str] = "PROP"
    name: str = ""
    constraints: tuple[str, ...] = ("false", "0", "100", "false")
    commands: tuple[str, ...] = ()
    description: str = ""
    value: str = state("")


TRAITS: tuple[type[Trait], ...] = (
    BasicPiece,
    UsePrototype,
    Marker,
    Layer,
    Calculated,
    ReportAction,
    Delete,
    Clone,
    MarkMoved,
    Trail,
    SendTo,
    Trigger,
    Mask,
    AreaOfEffect,
    ReturnTo,
    Rotate,
    Restrict,
    NoStack,
    Dynamic,
)
_BY_ID = {kind.ID: kind for kind in TRAITS}


def read_trait(definition: str, state: str) -> Trait:
    """Read one trait; what would not be written back exactly as it was is kept verbatim."""
    name, found, body = definition.partition(";")
    kind = _BY_ID.get(name) if found else None
    if kind is not None:
        try:
            trait = kind.read(body, state)
            if trait.definition == definition and trait.state == state:
                return trait
        except ValueError:
            pass
    return Verbatim(definition, state)
