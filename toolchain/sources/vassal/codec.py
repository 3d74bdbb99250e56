"""VASSAL's text encodings: escaped sequences, the command tree, key strokes and the veil over saved games."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

ESC = "\x1b"
TAB = "\t"
_AWKWARD = re.compile(r"^[\\']|\t|\\\Z")
DEPTH = 40  # nested commands that are read; real ones stay below twenty
TRAITS = 1000  # of one piece, where all prototypes are expanded; large modules have some hundred
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
    return [unescaped(delimiter, token) for token in split(delimiter, text)]


def split(delimiter: str, text: str) -> list[str]:
    """Cut an escaped sequence at its delimiters and leave its items as they are written.

    Joined again they are the same text, however it was written.
    """
    tokens, start, at = [], 0, -1
    while (at := text.find(delimiter, at + 1)) >= 0:
        if at == 0 or text[at - 1] != "\\":
            tokens.append(text[start:at])
            start = at + 1
    return [*tokens, text[start:]]


def unescaped(delimiter: str, token: str) -> str:
    """Return what a token of a sequence stands for."""
    item = token.replace("\\" + delimiter, delimiter) if "\\" in token else token
    return item[1:-1] if len(item) > 1 and item[0] == "'" == item[-1] else item


def with_item(delimiter: str, text: str, place: int, item: str) -> str:
    """Return an escaped sequence with one item changed and the others as they were written."""
    tokens = split(delimiter, text)
    tokens[place] = _token(delimiter, tokens[place], item, place == len(tokens) - 1)
    return delimiter.join(tokens)


def _token(delimiter: str, token: str, item: str, last: bool) -> str:
    if unescaped(delimiter, token) == item:
        return token
    # The last token may end in a backslash; any other must be quoted then, as `encode` does.
    return encode(delimiter, [item]) if last else encode(delimiter, [item, ""]).removesuffix(delimiter)


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
    words = [item for item in items if item is not None]
    if not any(map(_AWKWARD.search, words)):
        # What follows is what the loop below comes to where nothing needs escapes or quotes of its own.
        return "".join(word if n == 0 else "\\" * (n - 1) + TAB + word for n, word in enumerate(words))
    text, *rest = reversed(items)
    for item in rest:
        text = encode(TAB, [item or ""] if text is None else [item or "", text])
    return text or ""


def unnest(text: str) -> list[str]:
    """Take nested trait definitions apart, outermost first. Raises ValueError when they nest too deep."""
    items, rest = _taken_off(text, TRAITS)
    if len(items) == TRAITS:
        raise ValueError("not a nest of traits")
    return [*items, _plain(rest, len(items) + 1)]


def unnest_states(text: str, depth: int) -> list[str]:
    """Take the nested states of `depth` traits apart, outermost first. Raises ValueError when there are not as many."""
    items, rest = _taken_off(text, depth - 1)
    if len(items) < depth - 1:
        raise ValueError(f"{depth} traits and {len(items) + 1} states")
    return [*items, _bared(rest, len(items))]


def _taken_off(text: str, most: int) -> tuple[list[str], str]:
    r"""Take at most so many items off a nest; return them and the part of the text that holds the others.

    Within n others a tab parts two items where n backslashes stand before it: so all is read in one go, however deep.
    """
    tabs: dict[int, list[int]] = {}
    at = -1
    for part in text.split(TAB)[:-1]:
        at += len(part) + 1
        tabs.setdefault(len(part) - len(part.rstrip("\\")), []).append(at)
    items: list[str] = []
    start, end = 0, len(text)
    for level in range(most):
        here = tabs.get(level, [])
        i = bisect_left(here, start)
        found = bisect_left(here, end, i) - i
        if found > 1:
            raise ValueError("not a nest of traits")
        if not found:
            break
        items.append(_plain(text[start : here[i] - level], level + 1))
        start = here[i] + 1
        if end - start > 1 and text[start] == "'" == text[end - 1]:
            start, end = start + 1, end - 1
    return items, text[start:end]


def _plain(token: str, depth: int) -> str:
    item = _bared(token, depth)
    return item[1:-1] if len(item) > 1 and item[0] == "'" == item[-1] else item


def _bared(text: str, depth: int) -> str:
    """Return a text as it stands within so many others: so many backslashes before every tab are theirs."""
    return text.replace("\\" * depth + TAB, TAB) if depth and TAB in text else text


def with_state(text: str, depth: int, place: int, state: str) -> str:
    """Return the nested states of `depth` traits with that of one changed, the others as they were written."""
    if place == 0 and depth == 1:
        return state
    if place == 0:
        return with_item(TAB, text, 0, state)
    inner = decode(TAB, text)[1]
    return with_item(TAB, text, 1, with_state(inner, depth - 1, place - 1, state))


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


def decode_commands(text: str) -> Iterator[str]:
    """Yield the commands of a tree in the order in which they are carried out. Raises ValueError when too deep."""
    waiting = [[text]]  # at every depth, the last first; what was taken apart is not kept
    del text
    while waiting:
        if not waiting[-1]:
            waiting.pop()
            continue
        token = waiting[-1].pop()
        command = unescaped(ESC, token) if len(waiting) > 1 else token
        del token
        if ESC not in command:
            yield command
        elif len(waiting) > DEPTH:
            raise ValueError("commands nest too deep")
        else:
            waiting.append(split(ESC, command)[::-1])


def rewrite_commands(text: str, edit: Callable[[str], str], depth: int = DEPTH) -> str:
    """Return a command tree with every command edited; what an edit leaves alone keeps its very letters.

    Raises ValueError when the tree is too deep.
    """
    if ESC not in text:
        return edit(text)
    if depth == 0:
        raise ValueError("commands nest too deep")
    tokens = split(ESC, text)
    edited = [rewrite_commands(unescaped(ESC, token), edit, depth - 1) for token in tokens]
    last = len(tokens) - 1
    return ESC.join(_token(ESC, t, e, i == last) for i, (t, e) in enumerate(zip(tokens, edited, strict=True)))


def veil(text: str) -> bytes:
    """Hide a saved game from curious eyes, as the engine does; the key is always the same."""
    data = text.encode("utf-8", "surrogateescape")
    return _VEIL + b"%02x" % _VEIL_KEY + data.translate(_xor(_VEIL_KEY)).hex().encode()


def unveil(data: bytes) -> str:
    """Read a saved game, veiled or plain; bytes that are no UTF-8 are kept. Raises ValueError when it is neither."""
    if data.startswith(_VEIL):
        body = bytes.fromhex(data[len(_VEIL) :].decode("ascii"))
        if not body:
            raise ValueError("the veil has no key")
        data = body[1:].translate(_xor(body[0]))
    return data.decode("utf-8", "surrogateescape")


def _xor(key: int) -> bytes:
    return bytes(b ^ key for b in range(256))


def ctrl(letter: str) -> str:
    """Write the key stroke of Ctrl and a letter."""
    return f"{ord(letter)},130"


def ctrl_shift(letter: str) -> str:
    """Write the key stroke of Ctrl, Shift and a letter."""
    return f"{ord(letter)},195"


def alt(letter: str) -> str:
    """Write the key stroke of Alt and a letter."""
    return f"{ord(letter)},520"
