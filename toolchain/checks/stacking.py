"""Stacking: how many pieces stand in a space, and how many may."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from toolchain.catalogue import OVERSTACKED
from toolchain.checks.judge import Verdict
from toolchain.graph.search import Bools
from toolchain.model.rulebook import Datum, Stacking
from toolchain.report import Finding


def check_stacking(verdict: Verdict) -> Iterator[Finding]:
    """Yield the spaces that hold more than a limit allows, with the pieces that stand under the limit there.

    Each rule is checked on its own; pieces that one of its exceptions takes are counted under that exception.
    """
    layout = verdict.layout
    for rule in verdict.rules.stacking:
        if not layout.holds(rule.when):
            continue
        left = layout.counted(rule.of) & layout.standing_in(layout.spaces_of(rule.where))
        for exception in rule.exceptions:
            taken = left & layout.pieces_of(exception.of) & layout.standing_in(layout.spaces_of(exception.where))
            left &= ~taken
            if exception.at_most is not None:
                yield from _check(verdict, rule, exception, exception.at_most, taken)
        if rule.at_most is not None:
            yield from _check(verdict, rule, rule, rule.at_most, left)


def _check(verdict: Verdict, rule: Stacking, source: Datum, at_most: float, counted: Bools) -> Iterator[Finding]:
    layout = verdict.layout
    rows = np.flatnonzero(counted)
    if not len(rows):
        return
    shares = layout.column(rule.per) if rule.per else ("",) * layout.rows
    names = sorted({shares[r] for r in rows})
    number = {n: i for i, n in enumerate(names)}
    stack = layout.at[rows] * len(names) + np.array([number[shares[r]] for r in rows])
    weight = layout.numbers(rule.weigh)[rows] if rule.weigh else np.ones(len(rows))
    stacks, which = np.unique(stack, return_inverse=True)
    total = np.bincount(which, weights=weight)
    for i in np.flatnonzero(total > at_most + 1e-9).tolist():
        mine = rows[which == i]
        pieces = [layout.pieces[r] for r in mine]
        # Rows are in stacking order, so the pieces above the limit are those that came last.
        above = pieces[int(np.searchsorted(np.cumsum(weight[which == i]), at_most + 1e-9, side="right"))]
        group = names[int(stacks[i]) % len(names)]
        unit = rule.weigh or "pieces"
        held = f"{total[i]:g} {group} {unit}".replace("  ", " ")
        excess = float(total[i] - at_most)
        yield Finding(
            OVERSTACKED,
            replace(above.where, space=above.at),
            f"{held} stand here and at most {at_most:g} may{source.basis}: {excess:g} too many of "
            + ", ".join(p.id for p in pieces),
            {
                "space": above.at,
                "per": rule.per,
                "group": group,
                "total": float(total[i]),
                "at_most": float(at_most),
                "excess": excess,
                "pieces": [p.id for p in pieces],
                "cite": source.cite,
                "assumed": source.assumed,
            },
        )
