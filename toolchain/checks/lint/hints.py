"""The nearest known word, found in bounded time: a module may name ten thousand pictures that are not there."""

from __future__ import annotations

import re
from collections.abc import Iterable

from toolchain.report import did_you_mean

MOST = 80
_WHOLE = re.compile(r"-?[0-9]{1,9}")


def hint(word: str, known: Iterable[str]) -> str:
    """Return "; did you mean X?" for the nearest known word, or an empty string.

    Only words of about the same length that begin or end alike are compared, and of these not more than MOST.
    """
    low = word[:80].casefold()
    if not low:
        return ""
    near = []
    for k in known:
        other = k.casefold()
        if other and abs(len(other) - len(low)) < 4 and (other[0] == low[0] or other[-2:] == low[-2:]):
            near.append(k)
    # The words that begin like it for longest are compared first.
    near.sort(key=lambda k: (-_alike(low, k.casefold()), k))
    return did_you_mean(word[:80], near[:MOST])


def _alike(a: str, b: str) -> int:
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def whole(text: str) -> int | None:
    """Return a text as a whole number of at most nine digits, or None."""
    return int(text) if _WHOLE.fullmatch(text) else None
