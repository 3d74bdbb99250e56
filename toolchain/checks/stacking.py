"""Stacking: how many pieces stand in a space, and how many may."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from toolchain.catalogue import OVERSTACKED
from toolchain.checks.judge import Verdict
from toolchain.checks.layout import Layout
from toolchain.graph.search import Bools
from toolchain.model.rulebook import Limit, Stacking
from toolchain.report import Finding

SLACK = 1e-9
"""Halves and thirds may be added up in any order."""


def check_stacking(verdict: Verdict) -> Iterator[Finding]:
    """Yield the spaces that hold more than a limit allows, with the pieces that stand under the limit there.

    Each rule is checked on its own; pieces that one of its exceptions takes are counted under that exception. A rule
    that is checked only at moments is left out at any other moment of the verdict.
    """
    layout = verdict.layout
    for rule in verdict.rules.stacking:
        if not layout.holds(rule.when) or not is_time(rule.at, verdict.moment):
            continue
        left = layout.counted(rule.of) & layout.standing_in(layout.spaces_of(rule.where))
        for exception in rule.exceptions:
            if not layout.holds(exception.when):
                continue
            taken = left & layout.pieces_of(exception.of) & layout.standing_in(layout.spaces_of(exception.where))
            left &= ~taken
            if exception.at_most is not None:
                yield from _check(verdict, rule, exception, exception.at_most, taken)
        if rule.at_most is not None:
            yield from _check(verdict, rule, rule, rule.at_most, left)


def is_time(at: tuple[str, ...], moment: str) -> bool:
    """Tell whether a rule that is checked at these moments is checked now; without a moment, every rule is."""
    return not moment or not at or moment in at


def groups_by(layout: Layout, per: tuple[str, ...]) -> tuple[str, ...]:
    """Return the group of every row by these attributes, as it counts, in words."""
    columns = [layout.counted_as(name) for name in per]
    return (
        tuple(" ".join(w for w in words if w) for words in zip(*columns, strict=True)) if per else ("",) * layout.rows
    )


def _check(
    verdict: Verdict, rule: Stacking, source: Stacking | Limit, at_most: float, counted: Bools
) -> Iterator[Finding]:
    layout = verdict.layout
    rows = np.flatnonzero(counted)
    if not len(rows):
        return
    shares = groups_by(layout, rule.per)
    names = sorted({shares[r] for r in rows})
    number = {n: i for i, n in enumerate(names)}
    stack = layout.at[rows] * len(names) + np.array([number[shares[r]] for r in rows])
    weight = layout.weights(rule.weight)[rows]
    stacks, which = np.unique(stack, return_inverse=True)
    total = np.bincount(which, weights=weight)
    for i in np.flatnonzero(total > at_most + SLACK).tolist():
        mine = rows[which == i]
        pieces = [layout.pieces[r] for r in mine]
        # Rows are in stacking order, so the pieces above the limit are those that came last.
        highest = int(np.searchsorted(np.cumsum(weight[which == i]), at_most + SLACK, side="right"))
        above = pieces[highest]
        group = names[int(stacks[i]) % len(names)]
        one = total[i] == 1 and not rule.weight.by
        unit = rule.weight.by or ("piece" if one else "pieces")
        held = f"{total[i]:g} {group} {unit} {'stands' if one else 'stand'}".replace("  ", " ")
        excess = float(total[i] - at_most)
        to = f"; {'it goes' if excess == 1 else 'they go'} to {rule.excess}" if rule.excess else ""
        yield Finding(
            OVERSTACKED,
            replace(above.where, space=above.at),
            f"{held} here and at most {at_most:g} may{source.basis or rule.basis}: {excess:g} too many of "
            + ", ".join(p.id for p in pieces)
            + to,
            {
                "space": above.at,
                "per": " ".join(rule.per),
                "group": group,
                "total": float(total[i]),
                "at_most": float(at_most),
                "excess": excess,
                "to": rule.excess,
                "pieces": [p.id for p in pieces],
                "above": [p.id for p in pieces[highest:]],
                "cite": source.cite or rule.cite,
                "assumed": source.assumed or rule.assumed,
            },
        )
