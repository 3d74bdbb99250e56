"""Saved games, written as the tree of commands that they are."""

from __future__ import annotations

from collections.abc import Sequence

from toolchain.export.vassal.archive import build_zip
from toolchain.sources.vassal.codec import TAB, Command, encode, encode_command, veil


def board_command(map_name: str, boards: Sequence[str]) -> str:
    """Write the command that lays boards side by side on a map."""
    return encode(TAB, [f"{map_name}BoardPicker", *(w for i, b in enumerate(boards) for w in (b, str(i), "0"))])


def turn_command(state: str) -> str:
    """Write the state of the first turn track."""
    return encode(TAB, ["TURNTurnTracker0", state])


def property_command(name: str, value: str) -> str:
    """Write the value of a global property of the module."""
    return "GlobalProperty" + TAB + encode(";", ["", name, value, "Module"])


def build_save(pieces: Sequence[str], others: Sequence[str], savedata: bytes, moduledata: bytes) -> bytes:
    """Write a .vsav file.

    pieces: commands that add pieces and stacks, a stack after its pieces. others: commands of other components.
    """
    group = Command(under=tuple(map(Command, pieces)))
    rest = tuple(map(Command, others))
    tree = Command("begin_save", (Command(), group, *rest, Command("end_save")))
    game = veil(encode_command(tree))
    return build_zip({"savedGame": game, "savedata": savedata, "moduledata": moduledata})
