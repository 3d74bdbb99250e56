"""Pieces as VASSAL writes them: a nest of traits, outermost first, the basic piece last."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from toolchain.sources.vassal.codec import decode, encode, nest, nest_states, unnest, unnest_states
from toolchain.sources.vassal.traits import BasicPiece, Trait, UsePrototype, Verbatim, read_trait

Traits = tuple[Trait, ...]


def add_piece(ident: str, traits: Sequence[Trait]) -> str:
    """Write the command that adds a piece. ident: "null" in a definition, a number in a saved game."""
    return "+/" + encode("/", [ident, nest(t.definition for t in traits), nest_states(t.state for t in traits)])


def read_piece(command: str) -> tuple[str, Traits]:
    """Read the command that adds a piece: its id and its traits. Raises ValueError for what is none."""
    parts = decode("/", command)
    if len(parts) != 4 or parts[0] != "+":
        raise ValueError("not a command that adds a piece")
    definitions = unnest(parts[2])
    states = unnest_states(parts[3], len(definitions))
    return parts[1], tuple(read_trait(d, s) for d, s in zip(definitions, states, strict=True))


def add_stack(ident: str, at: tuple[str, int, int], members: Iterable[str], layer: int) -> str:
    """Write the command that adds a stack of pieces already added.

    at: map name and pixels. members: ids, bottom first. layer: place in the order of the map's piece layers, 0 without.
    """
    board, x, y = at
    return "+/" + encode("/", [ident, "stack", encode(";", [board, str(x), str(y), *members, f"@@{layer}"])])


def expand(traits: Sequence[Trait], prototypes: Mapping[str, Traits]) -> Traits:
    """Put the traits of prototypes in the place of their names, as the engine does when a piece leaves the palette."""
    out: list[Trait] = []
    for trait in traits:
        if isinstance(trait, UsePrototype):
            inner = prototypes.get(trait.name, ())
            out += expand([t for t in inner if not isinstance(t, BasicPiece)], prototypes)
        else:
            out.append(trait)
    return tuple(out)


def as_written(trait: Trait) -> Trait:
    """Return a trait with its text worked out; the innermost one stays as it is."""
    return trait if isinstance(trait, BasicPiece | UsePrototype) else Verbatim(trait.definition, trait.state)


def placed(traits: Sequence[Trait], at: tuple[str, int, int], remembers: tuple[str, ...] = ()) -> Traits:
    """Return the piece standing on a map. at: map name and pixels. remembers: names and values that it keeps."""
    board, x, y = at
    return tuple(
        replace(t, map=board, x=x, y=y, properties=remembers) if isinstance(t, BasicPiece) else t for t in traits
    )
