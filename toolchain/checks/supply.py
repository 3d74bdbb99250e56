"""Units without supply, with the places where their lines stop, and units of which the rules cannot tell."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from toolchain.catalogue import HAS_STATUS, OUT_OF_SUPPLY, SUPPLY_UNDECIDED
from toolchain.checks.judge import Verdict
from toolchain.checks.reasons import Account, Reasons, circle_of
from toolchain.checks.telling import bound_in_words, nothing_reached
from toolchain.checks.zoc import in_words
from toolchain.model.rulebook import OUT
from toolchain.report import Finding

SHOWN = 4
"""How many of the spaces where lines stop a message names."""
LISTED = 20
"""How many of them the facts hold."""


def check_supply(verdict: Verdict) -> Iterator[Finding]:
    """Yield the units that are out of supply, those of one kind in one space together, and those undecided."""
    low, high = verdict.bounds
    layout, reasons = verdict.layout, Reasons(verdict)
    out = np.flatnonzero((low.grade == len(verdict.grades)) & (high.grade == len(verdict.grades)))
    stacks: dict[tuple[int, int], list[int]] = {}
    for row in out.tolist():
        stacks.setdefault((int(layout.at[row]), int(verdict.ways.tracer_of[row])), []).append(row)
    for (_, tracer), rows in stacks.items():
        piece = layout.pieces[rows[0]]
        account = reasons.why(piece.id)
        ids = [layout.pieces[r].id for r in rows]
        rule = verdict.lines.rule_of(tracer)
        yield Finding(
            OUT_OF_SUPPLY,
            replace(piece.where, space=piece.at),
            f"{', '.join(ids)} {'is' if len(ids) == 1 else 'are'} out of supply{rule.basis if rule else ''}: "
            + where_it_stops(account),
            {
                "pieces": ids,
                "space": piece.at,
                "stops": [{"space": b.space, "why": b.reason} for b in account.blocks[:LISTED]],
                "stops_in_all": len(account.blocks),
            },
        )
    for row in verdict.undecided.tolist():
        piece = layout.pieces[row]
        worst, best = verdict.grade_name(int(low.grade[row])), verdict.grade_name(int(high.grade[row]))
        circle = circle_of(verdict, row)
        yield Finding(
            SUPPLY_UNDECIDED,
            replace(piece.where, space=piece.at),
            f"the rules leave undecided whether the supply of {piece.id} is {worst} or {best}{in_words(circle)}",
            {"piece": piece.id, "space": piece.at, "worst": worst or OUT, "best": best, "circle": circle},
        )


def check_statuses(verdict: Verdict) -> Iterator[Finding]:
    """Yield the units that have a status beside supply, those of one kind in one space together."""
    layout, reasons = verdict.layout, Reasons(verdict)
    for name, has in verdict.statuses.items():
        stacks: dict[tuple[int, int, bool], list[int]] = {}
        for row, piece in enumerate(layout.pieces):
            if has.get(piece.id, False) is not False:
                key = (int(layout.at[row]), int(verdict.ways.tracer_of[row]), bool(has[piece.id]))
                stacks.setdefault(key, []).append(row)
        for (_, tracer, sure), rows in stacks.items():
            piece = layout.pieces[rows[0]]
            ids = [layout.pieces[r].id for r in rows]
            rule = verdict.status_lines[name].rule_of(tracer)
            verb = (
                f"{'is' if len(ids) == 1 else 'are'} {name}" if sure else f"may be {name}: the rules leave it undecided"
            )
            stops = f": {where_it_stops(reasons.why_status(piece.id, name))}" if sure else ""
            yield Finding(
                HAS_STATUS,
                replace(piece.where, space=piece.at),
                f"{', '.join(ids)} {verb}{rule.basis if rule else ''}{stops}",
                {"status": name, "pieces": ids, "space": piece.at, "decided": sure},
            )


def where_it_stops(account: Account) -> str:
    """Say where the lines of a unit stop and why, for the first few spaces."""
    far = account.far
    why = [f"{far.steps[-1].space} is too far, {bound_in_words(far)}"] if far is not None else []
    if account.blocks:
        named = [f"{b.space} ({b.reason})" for b in account.blocks[:SHOWN]]
        more = len(account.blocks) - SHOWN
        why.append("its lines stop at " + ", ".join(named) + (f" and {more} more" if more > 0 else ""))
    return "; ".join(why) or nothing_reached(account)
