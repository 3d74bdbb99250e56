"""What follows from a position, in words and as plain data: attrition, what it costs to act, what moves take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from toolchain.checks.attrition import charge, losses
from toolchain.checks.judge import Verdict
from toolchain.checks.moves import after_moves
from toolchain.model.position import Move


def attrition_data(verdict: Verdict) -> dict[str, Any]:
    """Return what attrition would do now: who dies, is spared or comes to another step, and which spaces turn."""
    lost = losses(verdict)
    return {
        "dies": list(lost.dies),
        "spared": list(lost.spared),
        "steps": dict(lost.reduced),
        "turns": list(lost.turns),
        "cite": [rule.cite for rule in verdict.rules.attrition if rule.cite],
    }


def tell_attrition(data: dict[str, Any]) -> list[str]:
    """Say what attrition would do, one line for each thing that it does."""
    steps = [f"{piece} to step {step}" for piece, step in data["steps"].items()]
    parts = (("die", data["dies"]), ("lose steps", steps), ("spared", data["spared"]), ("turn", data["turns"]))
    lines = [f"  attrition, {word}: {', '.join(items)}" for word, items in parts if items]
    return lines or ["  attrition takes nobody and turns no space"]


def costs_data(verdict: Verdict, act: str) -> list[dict[str, Any]]:
    """Return what an act costs in every space with pieces that a rule charges, in the order of the map."""
    out = []
    for space in sorted({int(at) for at in verdict.layout.at if at >= 0}):
        key = verdict.board.map.spaces[space].key
        found = charge(verdict, key, act)
        parts = [{"points": r.points, "per": r.per, "cite": r.cite, "pieces": list(ids)} for r, ids in found.parts]
        if parts:
            out.append({"space": key, "points": found.points, "parts": parts})
    return out


def tell_costs(data: Sequence[dict[str, Any]], act: str) -> list[str]:
    """Say what an act costs, one line for each space."""
    lines = []
    for at in data:
        parts = "; ".join(
            f"{p['points']:g} per {p['per']} for {', '.join(p['pieces'])}"
            + (f", rule {p['cite']}" if p["cite"] else "")
            for p in at["parts"]
        )
        lines.append(f"  to {act} in {at['space']}: {at['points']:g} ({parts})")
    return lines or [f"  to {act} costs nothing anywhere"]


def taken_data(verdict: Verdict, moves: Sequence[Move]) -> list[dict[str, str]]:
    """Return the spaces whose stored control changes with moves, in order, with the rule that says so."""
    _, changes = after_moves(verdict, moves)
    return [{"space": c.space, "before": c.before, "after": c.after, "cite": c.rule.cite} for c in changes]


def tell_taken(data: Sequence[dict[str, str]]) -> list[str]:
    """Say which spaces change hands."""
    rules = (f" (rule {c['cite']})" if c["cite"] else "" for c in data)
    return [
        f"  {c['space']} passes from {c['before'] or 'nobody'} to {c['after']}{r}"
        for c, r in zip(data, rules, strict=True)
    ]
