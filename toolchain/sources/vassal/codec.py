"""VASSAL's text encodings: escaped sequences, the command tree, key strokes and the veil over saved games."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

ESC = "\x1b"
TAB = "\t"
DEPTH = 100  # nested commands and traits that are read; real ones stay below twenty
_VEIL = b"!VCSK"
_VEIL_KEY = 0x5A


def encode(delimiter: str, items: Iterable[str]) -> str:
    r"""Join items into one escaped sequence.

    Source: the engine's SequenceEncoder, which escapes the delimiter alone and never the backslash itself, and quotes
    items that its decoder would mistake. We also quote an item that ends in a backslash before another item, which the
    engine forgets to do though it reads it well.
    """
    out: list[str] = []
    for item in items:
        if out and out[-1].endswith("\\"):
            out[-1] = f"'{out[-1]}'"
        text = item.replace(delimiter, "\\" + delimiter)
        quoted = item.startswith("\\") or (item.startswith("'") and item.endswith("'"))
        out.append(f"'{text}'" if quoted else text)
    return delimiter.join(out)


def decode(delimiter: str, text: str) -> list[str]:
    """Split an escaped sequence into its items; an empty text is one empty item."""
    items, start, at = [""], 0, -1
    while (at := text.find(delimiter, at + 1)) >= 0:
        if at > 0 and text[at - 1] == "\\":
            items[-1] += text[start : at - 1]
            start = at
        else:
            items[-1] += text[start:at]
            items.append("")
            start = at + 1
    items[-1] += text[start:]
    return [i[1:-1] if len(i) > 1 and i[0] == "'" == i[-1] else i for i in items]


def encode_list(items: Iterable[str]) -> str:
    """Write a list of strings as one field; an empty list is an empty field."""
    return encode(",", items)


def decode_list(text: str) -> tuple[str, ...]:
    """Read a list of strings out of one field."""
    return tuple(decode(",", text)) if text else ()


def nest(definitions: Iterable[str]) -> str:
    """Nest trait definitions, outermost first: each holds the next behind a tab, escaped once more at every depth."""
    return _nest([*definitions, None])


def nest_states(states: Iterable[str]) -> str:
    """Nest trait states, outermost first. The engine takes the innermost one as it stands."""
    return _nest(list(states))


def _nest(items: list[str | None]) -> str:
    text, *rest = reversed(items)
    for item in rest:
        text = encode(TAB, [item or ""] if text is None else [item or "", text])
    return text or ""


def unnest(text: str) -> list[str]:
    """Take nested trait definitions apart, outermost first. Raises ValueError when they nest too deep."""
    items = []
    while True:
        first, *inner = decode(TAB, text)
        items.append(first)
        if not inner:
            return items
        if len(inner) > 1 or len(items) > DEPTH:
            raise ValueError("not a nest of traits")
        text = inner[0]


def unnest_states(text: str, depth: int) -> list[str]:
    """Take the nested states of `depth` traits apart, outermost first. Raises ValueError when there are not as many."""
    items: list[str] = []
    for _ in range(depth - 1):
        first, *inner = decode(TAB, text)
        if len(inner) != 1:
            raise ValueError(f"{depth} traits and {len(items) + 1} states")
        items.append(first)
        text = inner[0]
    return [*items, text]


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a saved game or log, with those that follow under it. An empty text is a group."""

    text: str = ""
    under: tuple[Command, ...] = ()


def encode_command(command: Command) -> str:
    """Write a command tree as text."""
    if not command.under:
        return command.text
    return encode(ESC, [command.text, *map(encode_command, command.under)])


def decode_command(text: str, depth: int = DEPTH) -> Command:
    """Read a command tree. Raises ValueError when it is deeper than `depth`."""
    if ESC not in text:
        return Command(text)
    if depth == 0:
        raise ValueError("commands nest too deep")
    first, *under = decode(ESC, text)
    return Command(first, tuple(decode_command(u, depth - 1) for u in under))


def veil(text: str) -> bytes:
    """Hide a saved game from curious eyes, as the engine does; the key is always the same."""
    return _VEIL + b"%02x" % _VEIL_KEY + bytes(b ^ _VEIL_KEY for b in text.encode()).hex().encode()


def unveil(data: bytes) -> str:
    """Read a saved game, veiled or plain. Raises ValueError when it is neither."""
    if not data.startswith(_VEIL):
        return data.decode()
    body = bytes.fromhex(data[len(_VEIL) :].decode("ascii"))
    return bytes(b ^ body[0] for b in body[1:]).decode()


def ctrl(letter: str) -> str:
    """Write the key stroke of Ctrl and a letter."""
    return f"{ord(letter)},130"


def ctrl_shift(letter: str) -> str:
    """Write the key stroke of Ctrl, Shift and a letter."""
    return f"{ord(letter)},195"


def alt(letter: str) -> str:
    """Write the key stroke of Alt and a letter."""
    return f"{ord(letter)},520"
