"""Zones of control that the rules leave undecided."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from toolchain.catalogue import ZOC_UNDECIDED
from toolchain.checks.judge import Verdict
from toolchain.checks.reasons import circle_of
from toolchain.report import Finding


def check_zoc(verdict: Verdict) -> Iterator[Finding]:
    """Yield the pieces of which nobody can say whether they exert a zone of control, with the circle."""
    low, high = verdict.bounds
    sure, possible = verdict.exerting_in(low), verdict.exerting_in(high)
    for rule, certain, maybe in zip(verdict.rules.zoc, sure, possible, strict=True):
        for row in np.flatnonzero(maybe & ~certain).tolist():
            piece = verdict.layout.pieces[row]
            circle = circle_of(verdict, row)
            yield Finding(
                ZOC_UNDECIDED,
                replace(piece.where, space=piece.at),
                f"the rules leave undecided whether {piece.id} exerts a zone of control{rule.basis}{in_words(circle)}",
                {"piece": piece.id, "space": piece.at, "circle": circle},
            )


def in_words(circle: list[str]) -> str:
    """Say what an undecided piece waits on."""
    return ": it waits on " + ", which waits on ".join(circle[1:]) if len(circle) > 1 else ""
