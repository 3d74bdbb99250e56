"""Lists of moves and enemy zones of control: who must stop, who may not go on, who loses more in a retreat."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from toolchain.catalogue import RETREAT_LOSSES, ZONE_FORBIDS
from toolchain.checks.judge import Verdict
from toolchain.checks.movement import FORBIDDEN, MOVEMENT, STOP, find_effect
from toolchain.model.position import Move
from toolchain.model.rulebook import RETREAT
from toolchain.model.terms import View
from toolchain.report import Finding


def check_zone_moves(verdict: Verdict, moves: Sequence[Move]) -> Iterator[Finding]:
    """Yield the moves that zones of control forbid, and the losses of retreats into them.

    verdict: of the position before the moves; the zones are those of that position. moves: single steps, in order. A
    zone counts for nothing where a friendly piece negates it for the purpose of the move, as the pieces stand by then:
    retreat for moves of kind "retreat", else movement. Sources: rules of the game, by Effect and Negation.
    """
    zones = _Zones(verdict)
    held: dict[str, str] = {}
    for move in moves:
        row = verdict.row_of.get(move.piece)
        if row is None:
            continue
        view, purpose = verdict.layout.view(row), RETREAT if move.kind == RETREAT else MOVEMENT
        begins, ends = (zones.block(at, view, purpose, move.piece) for at in (move.start, move.end))
        zones.at[move.piece] = move.end
        if purpose == RETREAT:
            effect = find_effect(verdict, "retreat", row)
            if effect is not None and effect.retreat == STOP and held.get(move.piece) == move.start:
                yield _finding(verdict, move, f"must stop at {move.start}", move.start, view, effect.basis)
            if ends:
                held[move.piece] = move.end
            if effect is None or not ends:
                continue
            if effect.retreat == FORBIDDEN:
                yield _finding(verdict, move, f"may not retreat into {move.end}", move.end, view, effect.basis)
            elif isinstance(effect.retreat, float | int) and effect.retreat:
                by = _by(verdict, move.end, view)
                text = f"{move.piece} retreats into {by}: {effect.retreat:g} more lost{effect.basis}"
                facts = {"piece": move.piece, "space": move.end, "losses": float(effect.retreat), "cite": effect.cite}
                yield Finding(RETREAT_LOSSES, replace(move.where, space=move.end), text, facts)
            continue
        enter, leave, straight = (
            find_effect(verdict, name, row, move.kind) for name in ("enter", "leave", "from_zone_to_zone")
        )
        if enter is not None and enter.enter == STOP and held.get(move.piece) == move.start:
            yield _finding(verdict, move, f"must stop at {move.start}", move.start, view, enter.basis)
        elif begins and leave is not None and leave.leave == STOP:
            yield _finding(verdict, move, f"may not leave {move.start}", move.start, view, leave.basis)
        elif begins and ends and straight is not None and straight.from_zone_to_zone == FORBIDDEN:
            words = f"may not go from zone to zone, from {move.start} to {move.end}"
            yield _finding(verdict, move, words, move.end, view, straight.basis)
        if ends:
            held[move.piece] = move.end


class _Zones:
    """The zones of a position, and what negates them as the pieces stand now. at: space of each piece by id."""

    def __init__(self, verdict: Verdict) -> None:
        self.verdict, self.zones = verdict, verdict.bounds[0].zones
        self.at = {p.id: p.at for p in verdict.layout.pieces}
        self._lifting: dict[tuple[int, str, View], tuple[str, ...]] = {}

    def block(self, space: str, view: View, purpose: str, mover: str) -> bool:
        """Tell whether an enemy zone lies on a space that no piece but the mover itself negates."""
        sides, number = self.verdict.layout.sides, self.verdict.board.index[space]
        for rule, by_side in enumerate(self.zones):
            hostile = any(zone[number] for side, zone in zip(sides, by_side, strict=True) if side != view.side)
            if hostile and not any(self.at[i] == space for i in self._lifters(rule, purpose, view) if i != mover):
                return True
        return False

    def _lifters(self, rule: int, purpose: str, view: View) -> tuple[str, ...]:
        key = (rule, purpose, view)
        if key not in self._lifting:
            layout = self.verdict.layout
            wanted = [n.of for n in self.verdict.rules.zoc[rule].negated_by if purpose in n.purposes]
            masks = [layout.pieces_of(of, view) for of in wanted]
            self._lifting[key] = tuple(p.id for row, p in enumerate(layout.pieces) if any(m[row] for m in masks))
        return self._lifting[key]


def _by(verdict: Verdict, space: str, view: View) -> str:
    ids = verdict.exerted_on(verdict.board.index[space], view.side)
    return f"the zone of control of {', '.join(ids)}" if ids else "an enemy zone of control"


def _finding(verdict: Verdict, move: Move, words: str, space: str, view: View, basis: str) -> Finding:
    text = f"{move.piece} {words}, in {_by(verdict, space, view)}{basis}"
    facts = {"piece": move.piece, "from": move.start, "to": move.end, "kind": move.kind}
    return Finding(ZONE_FORBIDS, replace(move.where, space=move.end), text, facts)
