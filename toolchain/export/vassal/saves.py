"""Saved games: written and read as the tree of commands that they are."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence

from toolchain.export.vassal.archive import build_zip
from toolchain.sources.vassal.codec import TAB, Command, decode_command, encode, encode_command, unveil, veil

SAVE_LIMIT = 64 * 1024 * 1024


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


def read_save(data: bytes) -> Command:
    """Read the commands of a .vsav file.

    Raises ValueError when the file is none or holds more than SAVE_LIMIT bytes.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as z, z.open("savedGame") as f:
            game = f.read(SAVE_LIMIT + 1)
    except (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError, EOFError) as error:
        raise ValueError(f"not a saved game: {error}") from error
    if len(game) > SAVE_LIMIT:
        raise ValueError(f"the saved game is larger than {SAVE_LIMIT} bytes")
    return decode_command(unveil(game))
