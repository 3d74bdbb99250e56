"""Places: units in spaces that they may not enter, and pieces that may not share a space."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from toolchain.catalogue import MAY_NOT_BE_HERE, NOT_IN_ITS_SPACE, SHARED_SPACE
from toolchain.checks.judge import Verdict
from toolchain.model.rulebook import Datum, Entry
from toolchain.report import Finding, Location


def check_places(verdict: Verdict) -> Iterator[Finding]:
    """Yield units where the map or a bound of entry does not let them be, those that one bound shuts out together.

    Bounds on entering alone are left out. Units in one space that a bound shuts out are one finding. Bounds that name
    markers by their role hold for these too; the map closes no space to a marker.
    """
    layout = verdict.layout
    wrong: dict[tuple[int, int], tuple[Datum | None, list[int]]] = {}
    for tracer in verdict.ways.tracers:
        for row in tracer.rows.tolist():
            at = int(layout.at[row])
            if at < 0 or verdict.ways.legal[tracer.number][at]:
                continue
            for bound in verdict.ways.closed_to(tracer.number, at, standing=True):
                wrong.setdefault((at, id(bound)), (bound, []))[1].append(row)
    for entry, row in verdict.ways.misplaced_markers():
        wrong.setdefault((int(layout.at[row]), id(entry)), (entry, []))[1].append(row)
    for bound, rows in wrong.values():
        pieces = [layout.pieces[r] for r in sorted(rows)]
        names = ", ".join(p.id for p in pieces)
        one = len(pieces) == 1
        reason = f"may not be here{bound.basis}" if bound else f"stand{'s' * one} where no unit may enter"
        yield Finding(
            MAY_NOT_BE_HERE,
            replace(pieces[0].where, space=pieces[0].at),
            f"{names} {reason}",
            {
                "pieces": [p.id for p in pieces],
                "space": pieces[0].at,
                "cite": bound.cite if bound else "",
                "assumed": bound.assumed if bound else "",
            },
        )


def check_own_spaces(verdict: Verdict) -> Iterator[Finding]:
    """Yield the pieces that stand elsewhere than in the one space that their counter names."""
    for row, piece in enumerate(verdict.layout.pieces):
        named = verdict.ways.only_at(row)
        if named is not None and named[1] != piece.at:
            yield own_space_finding(piece.id, replace(piece.where, space=piece.at), *named)


def own_space_finding(piece: str, where: Location, bound: Entry, space: str) -> Finding:
    """Say that a piece is, or would be, elsewhere than in its one space. where: names the space that it is in."""
    facts = {"piece": piece, "space": where.space, "only_at": space, "cite": bound.cite}
    return Finding(NOT_IN_ITS_SPACE, where, f"{piece} may be only at {space}{bound.basis}", facts)


def check_apart(verdict: Verdict) -> Iterator[Finding]:
    """Yield the spaces that pieces share which the rules keep apart."""
    layout = verdict.layout
    for rule in verdict.rules.apart:
        rows = np.flatnonzero(layout.counted(rule.of) & layout.standing_in(layout.spaces_of(rule.where)))
        groups = layout.column(rule.by)
        names = sorted({groups[r] for r in rows} - {""})
        number = {n: i for i, n in enumerate(names)}
        rows = np.array([r for r in rows.tolist() if groups[r]], dtype=np.int64)
        pairs = np.array([layout.at[rows], [number[groups[r]] for r in rows]]).reshape(2, -1)
        spaces, kinds = np.unique(np.unique(pairs, axis=1)[0], return_counts=True)
        for space in spaces[kinds > 1].tolist():
            here = [int(r) for r in rows if layout.at[r] == space]
            by_group = {n: [layout.pieces[r].id for r in here if groups[r] == n] for n in names}
            words = " and ".join(f"{n} ({', '.join(ids)})" for n, ids in by_group.items() if ids)
            top = layout.pieces[here[-1]]
            yield Finding(
                SHARED_SPACE,
                replace(top.where, space=top.at),
                f"{words} may not share a space{rule.basis}",
                {"space": top.at, "pieces": {n: i for n, i in by_group.items() if i}, "cite": rule.cite},
            )
