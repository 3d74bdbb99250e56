"""Findings that the maker accepts, each with a reason."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from toolchain.catalogue import UNUSED_ACCEPTANCE
from toolchain.model.game import Acceptance
from toolchain.report import Finding, Location, Report


def apply_acceptances(findings: Iterable[Finding], accepted: Sequence[Acceptance], file: str) -> Report:
    """Mark the findings that are accepted; an acceptance that accepts nothing becomes a finding itself.

    accepted: of the game; `at` may be the space, file, key path or element of a finding, "" for all of its code.
    file: where the acceptances stand, for messages. Run it over all findings of a game, or stale ones seem to be there.
    """
    used: set[int] = set()
    report = Report()
    marked = []
    for f in findings:
        where = f.where
        places = {"", where.space, where.file, where.key, where.element}
        for i, a in enumerate(accepted):
            if a.code == f.rule.code and a.at in places:
                used.add(i)
                f = dataclasses.replace(f, accepted=a.why)
                break
        marked.append(f)
    report.extend(marked)
    for i, a in enumerate(accepted):
        if i not in used:
            at = f" at {a.at}" if a.at else ""
            report.add(
                UNUSED_ACCEPTANCE, Location(file=file, key=a.key), f"nothing was found that {a.code}{at} would accept"
            )
    return report
