"""Control as a position states it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from toolchain.catalogue import CONTROL_NOT_SO, CONTROL_UNKNOWN, HELD_BY_OTHER, HOME_CONTROL
from toolchain.checks.judge import Verdict
from toolchain.checks.layout import OFF
from toolchain.graph.search import Bools
from toolchain.report import Finding, Location, did_you_mean


def check_control(verdict: Verdict) -> Iterator[Finding]:
    """Yield control by unknown sides, against fixed owners, against who stands there or what the pieces decide.

    Unknown spaces are found with all other names that set-ups use.
    """
    yield from _check_stated(verdict)
    layout, rule = verdict.layout, verdict.rules.control
    # Where rules decide, whoever stands there need not control the space; what the position states must agree.
    ruled = np.any([np.zeros(verdict.board.size, bool), *(layout.spaces_of(o.where) for o in rule.rules)], axis=0)
    yield from _check_decided(verdict, ruled)
    rows = np.flatnonzero(layout.counted(rule.holders))
    owner = layout.control[layout.at[rows]]
    rows, owner = rows[~ruled[layout.at[rows]]], owner[~ruled[layout.at[rows]]]
    other = (owner != OFF) & (layout.side[rows] != OFF) & (owner != layout.side[rows])
    seen: set[tuple[int, int]] = set()
    for row in rows[other].tolist():
        key = (int(layout.at[row]), int(layout.side[row]))
        if key in seen:
            continue
        seen.add(key)
        piece, side = layout.pieces[row], layout.sides[key[1]]
        controller = layout.sides[layout.control[key[0]]]
        yield Finding(
            HELD_BY_OTHER,
            replace(piece.where, space=piece.at),
            f"{piece.id} of {side} holds the space, and {controller} controls it{rule.basis}",
            {"space": piece.at, "piece": piece.id, "side": side, "controller": controller},
        )


def _check_decided(verdict: Verdict, ruled: Bools) -> Iterator[Finding]:
    position, layout = verdict.position, verdict.layout
    for key, side in position.control.items():
        at = verdict.board.index.get(key, OFF)
        if at == OFF or not ruled[at] or side not in layout.sides:
            continue
        decided = layout.sides[layout.control[at]] if layout.control[at] != OFF else ""
        if decided != side:
            yield Finding(
                CONTROL_NOT_SO,
                replace(position.control_where.get(key, position.where), space=key),
                f"{side} is said to control the space; by the pieces it is {decided or 'nobody'}",
                {"space": key, "side": side, "decided": decided},
            )


def _check_stated(verdict: Verdict) -> Iterator[Finding]:
    position, layout = verdict.position, verdict.layout
    for key, side in position.control.items():
        where = position.control_where.get(key, position.where)
        if key in verdict.board.index and side not in layout.sides:
            hint = did_you_mean(side, layout.sides)
            yield Finding(
                CONTROL_UNKNOWN, replace(where, space=key), f"there is no side {side!r}{hint}", {"side": side}
            )
    if position.controller and position.controller not in layout.sides:
        hint = did_you_mean(position.controller, layout.sides)
        message = f"there is no side {position.controller!r}{hint}"
        yield Finding(CONTROL_UNKNOWN, position.where or Location(), message, {"side": position.controller})
    for home in layout.homes:
        if home.reverts:
            continue
        spaces = layout.spaces_of(home.where)
        for key, side in position.control.items():
            at = verdict.board.index.get(key, OFF)
            if at != OFF and spaces[at] and side != home.side and side in layout.sides:
                where = replace(position.control_where.get(key, position.where), space=key)
                message = f"the space belongs to {home.side}{home.basis}, not to {side}"
                yield Finding(HOME_CONTROL, where, message, {"space": key, "side": side, "owner": home.side})
