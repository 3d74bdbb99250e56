"""Set-up limits: how much a set-up may, or must, place in certain spaces taken together."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from toolchain.catalogue import SETUP_LIMIT
from toolchain.checks.judge import Verdict
from toolchain.checks.stacking import SLACK, groups_by
from toolchain.graph.search import Bools
from toolchain.model.hexes import Floats
from toolchain.model.rulebook import SetupLimit
from toolchain.report import Finding, Location

SHOWN = 6  # spaces that a message names


def check_setup(verdict: Verdict) -> Iterator[Finding]:
    """Yield the limits of set-up that a position does not keep.

    Of each rule every group of pieces is counted in all its spaces together, or in each of them; a group of which the
    position has no piece at all is not asked for.
    """
    layout = verdict.layout
    for rule in verdict.rules.setup_limits:
        if not layout.holds(rule.when):
            continue
        counted, spaces = layout.counted(rule.of), layout.spaces_of(rule.where)
        weights = layout.weights(rule.weight) * _of_places(verdict, rule.place_weight)
        shares = np.array(groups_by(layout, rule.per), dtype=object)
        for group in sorted(set(shares[counted].tolist())) if rule.per else [""]:
            mine = counted & (shares == group)
            places = np.flatnonzero(spaces).tolist()
            for some in [[place] for place in places] if rule.each else [places]:
                yield from _check(verdict, rule, group, mine & np.isin(layout.at, some), some, weights)


def _of_places(verdict: Verdict, trait: str) -> Floats:
    """Return what the space of every row counts: the number that a trait of it holds, 0 without one; 1 for no trait."""
    if not trait:
        return np.ones(verdict.layout.rows)
    texts = [s.traits.get(trait, "") for s in verdict.board.map.spaces]
    numbers = np.array([float(t) if t.replace(".", "", 1).isdigit() else 0.0 for t in texts] + [0.0])
    return np.asarray(numbers[verdict.layout.at])


def _check(
    verdict: Verdict, rule: SetupLimit, group: str, here: Bools, places: list[int], weights: Floats
) -> Iterator[Finding]:
    layout = verdict.layout
    rows = np.flatnonzero(here)
    total = float(weights[rows].sum())
    over = rule.at_most is not None and total > rule.at_most + SLACK
    under = rule.at_least is not None and total < rule.at_least - SLACK
    if not over and not under:
        return
    names = [verdict.board.map.spaces[i].key for i in places]
    shown = ", ".join(names[:SHOWN]) + (f" and {len(names) - SHOWN} more" if len(names) > SHOWN else "")
    unit = rule.place_weight or rule.weight.by or "pieces"
    bound = f"at most {rule.at_most:g} may" if over else f"at least {rule.at_least:g} must"
    held = f"{total:g} {group} {unit}".replace("  ", " ")
    pieces = [layout.pieces[r] for r in rows]
    where = pieces[-1].where if pieces else Location(file=verdict.position.where.file)
    where = replace(where, space=names[0]) if rule.each else where
    yield Finding(
        SETUP_LIMIT,
        where,
        f"{held} in {shown}, and {bound} be there{rule.basis}"
        + (": " if pieces else "")
        + ", ".join(p.id for p in pieces),
        {
            "group": group,
            "total": total,
            "at_most": rule.at_most,
            "at_least": rule.at_least,
            "spaces": names,
            "pieces": [p.id for p in pieces],
            "cite": rule.cite,
            "assumed": rule.assumed,
        },
    )
