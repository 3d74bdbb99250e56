"""Say in words, and as plain data, why a unit is in supply or out of it."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from toolchain.checks.reasons import Account, TooFar
from toolchain.model.rulebook import OUT, Always, Line, Supply
from toolchain.model.terms import EVERY, describe
from toolchain.report import counted

SHOWN = 12
"""How many of the spaces where lines stop are told; the data holds all."""


def tell(account: Account, name: str) -> list[str]:
    """Say why a unit has its grade of supply, in a few lines.

    name: of the unit, as players know it. The first line is the answer, those below it the reason.
    """
    circle = [f"  it waits on {', which waits on '.join(account.circle[1:])}"] if len(account.circle) > 1 else []
    return [*_reasons(account, name), *circle]


def _reasons(account: Account, name: str) -> list[str]:
    who = f"{name} in {account.space}"
    if not account.grade:
        return [f"{who} needs no supply"] if not account.status else []
    basis = account.source.basis if account.source else ""
    best = account.line or account.always
    grade = account.grade
    if not account.decided:
        may = f", {grade} or {best.grade}" if isinstance(best, Line | Always) and best.grade else f" whether {grade}"
        grade = f"undecided by the rules{may}"
    if account.always is not None:
        why = [f"  {account.always.assumed}"] if account.always.assumed else []
        return [f"{who}: {grade}, without a line{basis}", *why]
    if account.line is not None:
        lines = [f"{who}: {grade}{basis}"]
        if not account.steps:
            return [*lines, f"  it stands on its source, {account.space}", *_joined(account)]
        at = account.space
        for over, run in groupby(account.steps, key=lambda step: step.over):
            spaces = [at, *(step.space for step in run)]
            at = spaces[-1]
            lines.append(f"  {' > '.join(spaces)}   ({' or '.join(over)}, {counted(len(spaces) - 1, 'step')})")
        return [*lines, *_joined(account)]
    if account.kept:
        return [f"{who}: {account.grade}, as it was judged before"]
    if account.grade != OUT and not account.status:
        return [f"{who}: {grade}"]
    lines = [f"{who}: {(account.status or 'out of supply') if account.decided else grade}{basis}"]
    if account.far is not None:
        lines.append(f"  too far: {' > '.join([account.space, *(s.space for s in account.far.steps)])}")
        lines.append(f"    {bound_in_words(account.far)}")
    elif not account.blocks:
        return [*lines, f"  {nothing_reached(account)}"]
    lines += [f"  stops at {block.space}: {block.reason}" for block in account.blocks[:SHOWN]]
    more = len(account.blocks) - SHOWN
    return [*lines, f"  and at {more} further spaces"] if more > 0 else lines


def _joined(account: Account) -> list[str]:
    """Say what makes a source one that must be joined to another."""
    end = account.steps[-1].space if account.steps else account.space
    return [f"  {end} is a source, for it is joined: {' > '.join([end, *account.joined])}"] if account.joined else []


def nothing_reached(account: Account) -> str:
    """Say of a unit that no source can be reached though nothing stops its lines, and what they would have to pass."""
    lines = account.rule.lines if isinstance(account.rule, Supply) else ()
    gates = dict.fromkeys(describe(s.begins) for line in lines for s in line.stages if s.begins != EVERY)
    by_way = f" by way of a space {' or '.join(gates)}" if gates else ""
    return f"no source that supplies it can be reached{by_way}, and nothing else is in the way"


def bound_in_words(far: TooFar) -> str:
    """Say which bound a line breaks that is only too long."""
    over = " or ".join(far.over)
    if not far.count:
        return f"more than {far.at_most} of its steps are over {over}"
    if far.count == len(far.steps):
        return f"{counted(far.count, 'step')} over {over}, and at most {far.at_most} may be"
    return f"{far.count} of its {len(far.steps)} steps are over {over}, and at most {far.at_most} may be"


def account_data(account: Account) -> dict[str, Any]:
    """Return an account as plain data, for JSON."""
    out: dict[str, Any] = {
        "piece": account.piece,
        "space": account.space,
        "grade": account.grade,
        "decided": account.decided,
    }
    if account.status:
        out["status"] = account.status
    if account.source is not None:
        out |= {"cite": account.source.cite, "assumed": account.source.assumed}
    if account.line is not None:
        out["line"] = [{"space": s.space, "over": list(s.over)} for s in account.steps]
    if account.joined:
        out["joined"] = list(account.joined)
    if account.far is not None:
        line = [{"space": s.space, "over": list(s.over)} for s in account.far.steps]
        out["too_far"] = {"line": line, "over": list(account.far.over), "at_most": account.far.at_most}
    if account.always is not None:
        out["without_line"] = True
    if account.kept:
        out["kept"] = True
    if account.circle:
        out["circle"] = list(account.circle)
    if account.blocks:
        out["stops"] = [{"space": b.space, "reason": b.reason} for b in account.blocks]
    return out
