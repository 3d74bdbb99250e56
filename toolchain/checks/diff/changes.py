"""One change, and how two tables, two sets of settings or two lists are compared."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

How = Literal["added", "lost", "changed", "moved"]
T = TypeVar("T")
LONGEST = 60  # characters of a value that a message shows


@dataclass(frozen=True, slots=True)
class Change:
    """One thing that is otherwise. what: its kind, such as counter or set-up; name: which one.

    text: how it changed, empty for what was added or lost as a whole. saves: what it means for saved games, empty for
    nothing.
    """

    what: str
    name: str
    how: How
    text: str = ""
    saves: str = ""

    def to_dict(self) -> dict[str, str]:
        """Return the change as plain data; empty parts are left out."""
        parts = {"what": self.what, "name": self.name, "how": self.how, "text": self.text, "saves": self.saves}
        return {k: v for k, v in parts.items() if v}


def short(value: object) -> str:
    """Write a value so that a line can hold it; nothing is written as such."""
    text = ("yes" if value else "no") if isinstance(value, bool) else str(value)
    if not text:
        return "nothing"
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def becomes(old: object, new: object) -> str:
    """Say what becomes of a value; of long ones, the part that differs."""
    a, b = str(old), str(new)
    if max(len(a), len(b)) > LONGEST:
        same = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
        cut = max(0, same - 15)
        a, b = ("..." * (cut > 0) + text[cut:] for text in (a, b))
        return f"{short(a)} becomes {short(b)}"
    return f"{short(old)} becomes {short(new)}"


def keyed(a: Mapping[str, T], b: Mapping[str, T]) -> Iterator[tuple[str, T | None, T | None]]:
    """Yield the keys of two tables with both values, None where one has it not; in the order of the new one."""
    for key in [*b, *(k for k in a if k not in b)]:
        yield key, a.get(key), b.get(key)


def compare_tables(
    what: str,
    a: Mapping[str, T],
    b: Mapping[str, T],
    within: Callable[[T, T], Iterator[str]],
    lost: str = "",
    changed: str = "",
) -> Iterator[Change]:
    """Yield what was added, lost or changed in a table. within: the changes of one entry, in words.

    lost, changed: what that means for saved games.
    """
    for key, old, new in keyed(a, b):
        if old is None:
            yield Change(what, key, "added")
        elif new is None:
            yield Change(what, key, "lost", saves=lost)
        else:
            for text in within(old, new):
                yield Change(what, key, "changed", text, changed)


def compare_settings(a: Mapping[str, Any], b: Mapping[str, Any]) -> Iterator[str]:
    """Yield the settings that differ, in words."""
    for key, old, new in keyed(a, b):
        if old != new:
            yield f"{key}: {becomes('' if old is None else old, '' if new is None else new)}"


def compare_lists(
    a: Sequence[str], b: Sequence[str], title: Callable[[str], str]
) -> Iterator[tuple[How, str, str, str]]:
    """Yield the items that were added, lost or changed in a list: how, the title of the item, the old and the new."""
    matcher = difflib.SequenceMatcher(None, a, b, autojunk=False)
    for op, i1, i2, j1, j2 in matcher.get_opcodes():
        if op == "equal":
            continue
        old, new = list(a[i1:i2]), list(b[j1:j2])
        for item in list(old):
            # The same kind of item in both places is a change of it.
            same = next((n for n in new if title(n) == title(item)), None)
            if same is not None:
                old.remove(item)
                new.remove(same)
                yield "changed", title(item), item, same
        yield from (("lost", title(item), item, "") for item in old)
        yield from (("added", title(item), "", item) for item in new)


def flat(value: Any, path: str = "") -> dict[str, str]:
    """Return nested plain data as one table by dotted paths; numbers stand for places in lists."""
    if isinstance(value, Mapping):
        pairs = [(str(k), v) for k, v in value.items()]
    elif isinstance(value, list | tuple) and any(isinstance(v, Mapping | list | tuple) for v in value):
        pairs = [(str(i), v) for i, v in enumerate(value)]
    else:
        words = ", ".join(map(short, value)) if isinstance(value, list | tuple) else short(value)
        return {path: words}
    out: dict[str, str] = {}
    for key, inner in pairs:
        out |= flat(inner, f"{path}.{key}" if path else key)
    return out
