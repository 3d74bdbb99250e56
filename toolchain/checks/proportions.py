"""Which share of the pieces in one space, or of those that attack it together, has an ability such as armour."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from toolchain.catalogue import PROPORTION, SHORT_OF_SHARE
from toolchain.checks.judge import Verdict
from toolchain.checks.stacking import SLACK, groups_by
from toolchain.model.position import Move
from toolchain.model.rulebook import Proportion
from toolchain.report import Finding, Location

FINEST = 10_000
"""Shares are written as fractions with denominators up to this."""


@dataclass(frozen=True, slots=True)
class Share:
    """The share of one group of pieces that has an ability.

    having: the weight that counts as having it; of: the weight that is reckoned with. neutral: the weight left out,
    surplus: that of neutral pieces that are too many and so count as without. pieces: ids of the group.
    """

    rule: Proportion
    space: str
    group: str
    having: float
    of: float
    neutral: float
    surplus: float
    pieces: tuple[str, ...]

    @property
    def fraction(self) -> Fraction:
        """The share as a fraction; 0 where nothing is reckoned with."""
        return (Fraction(self.having) / Fraction(self.of)).limit_denominator(FINEST) if self.of else Fraction(0)

    @property
    def words(self) -> str:
        """The share in words."""
        unit = self.rule.weight.by or "pieces"
        out = (
            f"{self.rule.name} of {self.group or 'the pieces'}: {self.having:g} of {self.of:g} {unit}, {self.fraction}"
        )
        notes = [f"{self.neutral:g} neutral"] * bool(self.neutral)
        notes += [f"{self.surplus:g} neutral beyond the limit, counted as without"] * bool(self.surplus)
        return out + (f" ({'; '.join(notes)})" if notes else "") + self.rule.basis

    @property
    def data(self) -> dict[str, object]:
        """The share as plain data, for JSON."""
        return {
            "name": self.rule.name,
            "space": self.space,
            "group": self.group,
            "share": str(self.fraction),
            "having": self.having,
            "of": self.of,
            "neutral": self.neutral,
            "surplus": self.surplus,
            "pieces": list(self.pieces),
            "cite": self.rule.cite,
        }


def shares(verdict: Verdict) -> tuple[Share, ...]:
    """Reckon the proportions of every space with a piece that has the ability, by rule, space and group."""
    layout = verdict.layout
    spots = layout.at[: len(layout.pieces)].tolist()
    keys = [s.key for s in verdict.board.map.spaces]
    standing = [(keys[at], row) for row, at in enumerate(spots)]
    return tuple(s for rule in verdict.rules.proportions if not rule.moves for s in _reckon(verdict, rule, standing))


def shares_of_moves(verdict: Verdict, moves: Sequence[Move]) -> tuple[Share, ...]:
    """Reckon the proportions of the pieces that move into one space together, by rule, space and group."""
    out: list[Share] = []
    for rule in verdict.rules.proportions:
        coming = dict.fromkeys((m.end, verdict.row_of[m.piece]) for m in moves if m.kind in rule.moves)
        out += _reckon(verdict, rule, list(coming)) if rule.moves else ()
    return tuple(out)


def _reckon(verdict: Verdict, rule: Proportion, at: Sequence[tuple[str, int]]) -> Iterator[Share]:
    layout, index = verdict.layout, verdict.board.index
    if not layout.holds(rule.when):
        return
    weights, groups = layout.weights(rule.weight), groups_by(layout, rule.per)
    counted, where = layout.counted(rule.of), layout.spaces_of(rule.where)
    neutral = np.zeros(layout.rows, bool) if rule.neutral is None else layout.pieces_of(rule.neutral)
    ability, left = np.zeros(layout.rows), ~neutral
    able = np.zeros(layout.rows, dtype=bool)
    for of, by in rule.counts:
        taken = left & layout.pieces_of(of)
        ability[taken], able[taken] = by, True
        left &= ~taken
    stacks: dict[tuple[int, str], list[int]] = {}
    for space, row in at:
        if counted[row] and where[index[space]]:
            stacks.setdefault((index[space], groups[row]), []).append(row)
    for (space_number, group), rows in sorted(stacks.items()):
        if not able[rows].any() and rule.at_least is None:
            continue
        strong = float(weights[rows][able[rows]].sum())
        idle = float(weights[rows][neutral[rows]].sum())
        most = float("inf") if rule.neutral_at_most is None else rule.neutral_at_most * strong
        surplus = max(0.0, idle - most)
        yield Share(
            rule,
            verdict.board.map.spaces[space_number].key,
            group,
            float((weights * ability)[rows].sum()),
            float(weights[rows][~neutral[rows]].sum()) + surplus,
            idle - surplus,
            surplus,
            tuple(layout.pieces[r].id for r in rows),
        )


def check_proportions(verdict: Verdict) -> Iterator[Finding]:
    """Yield the groups of pieces of which too small a share has what a rule asks for."""
    for share in shares(verdict):
        piece = verdict.layout.pieces[verdict.row_of[share.pieces[0]]]
        yield from _short(share, replace(piece.where, space=share.space))


def check_proportions_of_moves(verdict: Verdict, moves: Sequence[Move]) -> Iterator[Finding]:
    """Yield the proportions among those who move into one space together, and those that are too small."""
    where = {(m.piece, m.end): replace(m.where, space=m.end) for m in moves}
    for share in shares_of_moves(verdict, moves):
        place = where[share.pieces[0], share.space]
        yield Finding(PROPORTION, place, share.words, share.data)
        yield from _short(share, place)


def _short(share: Share, where: Location) -> Iterator[Finding]:
    wanted = share.rule.at_least
    if wanted is not None and share.of and share.having / share.of < wanted - SLACK:
        text = f"{share.words}; at least {Fraction(wanted).limit_denominator(FINEST)} is wanted"
        yield Finding(SHORT_OF_SHARE, where, text, share.data)
