"""Pieces that carry others, and pieces that may stand somewhere only together with another."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from toolchain.catalogue import ALONE, CARRIED_WRONGLY, OVERLOADED
from toolchain.checks.judge import Verdict
from toolchain.checks.stacking import SLACK, is_time
from toolchain.model.rulebook import Carry
from toolchain.model.terms import describe
from toolchain.report import Finding, did_you_mean


def check_carrying(verdict: Verdict) -> Iterator[Finding]:
    """Yield pieces carried by what may not carry them, and carriers with more on them than they may have.

    The first rule that takes both a carrier and its cargo is theirs; each rule's capacity is counted on its own.
    """
    layout, rules = verdict.layout, [c for c in verdict.rules.carry if verdict.layout.holds(c.when)]
    takes = [(layout.pieces_of(c.carrier), layout.pieces_of(c.cargo)) for c in rules]
    loads: dict[tuple[int, int], list[int]] = {}
    for row, piece in enumerate(layout.pieces):
        if not piece.on:
            continue
        on = verdict.row_of.get(piece.on)
        words = ""
        if on is None:
            words = f"there is no piece {piece.on!r} to carry {piece.id}{did_you_mean(piece.on, verdict.row_of)}"
        elif layout.pieces[on].at != piece.at:
            words = f"{piece.id} is carried by {piece.on}, which stands at {layout.pieces[on].at}"
        elif layout.pieces[on].on:
            words = f"{piece.id} is carried by {piece.on}, which is carried itself"
        else:
            fits = (n for n, (carrier, cargo) in enumerate(takes) if carrier[on] and cargo[row])
            rule = next(fits, None) if layout.side[on] == layout.side[row] else None
            if rule is None:
                words = f"{piece.id} may not be carried by {piece.on}"
            else:
                loads.setdefault((on, rule), []).append(row)
        if words:
            where = replace(piece.where, space=piece.at)
            yield Finding(CARRIED_WRONGLY, where, words, {"piece": piece.id, "carrier": piece.on, "space": piece.at})
    for (on, number), rows in loads.items():
        yield from _overloaded(verdict, rules[number], on, rows)


def _overloaded(verdict: Verdict, rule: Carry, on: int, rows: list[int]) -> Iterator[Finding]:
    layout = verdict.layout
    ship, ids = layout.pieces[on], [layout.pieces[r].id for r in rows]
    limits = []
    if rule.at_most is not None:
        limits.append((float(layout.weights(rule.weight)[rows].sum()), rule.at_most, rule.weight.by))
    if rule.no_more_than:
        values = layout.numbers(rule.no_more_than)
        limits.append((float(values[rows].sum()), float(values[on]), rule.no_more_than))
    for total, most, unit in limits:
        if total > most + SLACK:
            yield Finding(
                OVERLOADED,
                replace(ship.where, space=ship.at),
                f"{ship.id} carries {total:g}{' ' * bool(unit)}{unit} and may carry at most {most:g}{rule.basis}: "
                + ", ".join(ids),
                {
                    "carrier": ship.id,
                    "space": ship.at,
                    "total": total,
                    "at_most": most,
                    "weigh": unit,
                    "pieces": ids,
                    "cite": rule.cite,
                },
            )


def check_company(verdict: Verdict) -> Iterator[Finding]:
    """Yield the pieces, those of one kind in one space together, that lack the company that they need there."""
    layout = verdict.layout
    for rule in verdict.rules.company:
        if not layout.holds(rule.when) or not is_time(rule.at, verdict.moment):
            continue
        rows = np.flatnonzero(layout.counted(rule.of) & layout.standing_in(layout.spaces_of(rule.where)))
        alone: dict[tuple[int, str], list[int]] = {}
        having = {view: layout.spaces_of_holding(rule.holds, view) for view in {layout.view(r) for r in rows.tolist()}}
        for row in rows.tolist():
            view = layout.view(row)
            if not having[view][layout.at[row]]:
                alone.setdefault((int(layout.at[row]), describe(rule.holds, view)), []).append(row)
        for (_, words), mine in alone.items():
            pieces = [layout.pieces[r] for r in mine]
            becomes = f"; {rule.otherwise}" if rule.otherwise else ""
            yield Finding(
                ALONE,
                replace(pieces[0].where, space=pieces[0].at),
                f"{', '.join(p.id for p in pieces)} {'needs' if len(mine) == 1 else 'need'} a piece of {words} "
                f"here{rule.basis}{becomes}",
                {
                    "space": pieces[0].at,
                    "pieces": [p.id for p in pieces],
                    "otherwise": rule.otherwise,
                    "cite": rule.cite,
                },
            )
