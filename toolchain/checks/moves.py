"""Lists of moves: how many may cross one hexside, where they lead, and how control changes with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from toolchain.catalogue import MAY_NOT_BE_HERE, MOVE_UNKNOWN, NO_WAY, OVER_HEXSIDE_LIMIT
from toolchain.checks.judge import Verdict, judge
from toolchain.checks.layout import OFF
from toolchain.checks.places import own_space_finding
from toolchain.checks.proportions import check_proportions_of_moves
from toolchain.checks.stacking import SLACK, check_stacking, groups_by
from toolchain.checks.ways import Tracer
from toolchain.checks.zonemoves import check_zone_moves
from toolchain.graph.search import Bools
from toolchain.model.position import Move, Position
from toolchain.model.rulebook import Crossing, Datum, HexsideLimit, Movement, Taking
from toolchain.model.terms import Term
from toolchain.report import Finding, did_you_mean


@dataclass(frozen=True, slots=True)
class Change:
    """A space that changed hands: from whom, to whom ("" for nobody), and by which rule."""

    space: str
    before: str
    after: str
    rule: Datum


def check_moves(verdict: Verdict, moves: Sequence[Move]) -> Iterator[Finding]:
    """Yield what is wrong with a list of moves made from a position, taken together.

    verdict: of the position before them. moves: single steps, in order; those of one piece follow each other. Yields
    unknown words, ways that are not there or are closed to the piece, spaces that it may not enter, what zones of
    control forbid, hexsides that more pieces cross than may, and stacking limits that are broken in the spaces entered
    once all moves are made. A move with an unknown word is left out.
    """
    good: list[Move] = []
    at = {p.id: p.at for p in verdict.position.pieces}
    for move in moves:
        wrong = list(_check_words(verdict, move, at))
        yield from wrong
        if not wrong:
            at[move.piece] = move.end
            good.append(move)
    yield from _check_ways(verdict, good)
    yield from _check_entry(verdict, good)
    yield from check_zone_moves(verdict, good)
    yield from check_proportions_of_moves(verdict, [m for m in good if m.piece in verdict.row_of])
    for rule in verdict.rules.hexside_limits:
        if verdict.layout.holds(rule.when):
            yield from _check_limit(verdict, rule, [m for m in good if m.kind in rule.moves])
    entered = {m.end for m in good}
    after = judge(verdict.game, verdict.board, moved(verdict.position, good), verdict.moment)
    yield from (f for f in check_stacking(after) if f.where.space in entered)


def moved(position: Position, moves: Sequence[Move]) -> Position:
    """Return the position after moves. What a piece carries goes with it; who moved lies on top."""
    pieces = {p.id: p for p in position.pieces}
    for move in moves:
        for piece_id in [p.id for p in pieces.values() if move.piece in (p.id, p.on)]:
            pieces[piece_id] = replace(pieces.pop(piece_id), at=move.end)
    return replace(position, pieces=tuple(pieces.values()))


def after_moves(verdict: Verdict, moves: Sequence[Move]) -> tuple[Position, tuple[Change, ...]]:
    """Return the position after moves, with stored control as the rules change it, and what changed.

    A space is taken when a piece of the rule enters it, or ends there a move of a kind of which only the end counts,
    and no holder of another side stands there then. Fixed homes never change hands.
    """
    position, changes = verdict.position, list[Change]()
    control = dict(position.control)
    fixed = np.any([np.zeros(verdict.board.size, bool), *_fixed(verdict)], axis=0)
    owner = {s.key: _side(verdict, n) for s, n in zip(verdict.board.map.spaces, verdict.layout.control, strict=True)}
    for number, move in enumerate(moves):
        now = moved(position, [move])
        position = replace(now, control=control)
        row, at = verdict.row_of.get(move.piece), verdict.board.index.get(move.end)
        if row is None or at is None or fixed[at]:
            continue
        side = verdict.layout.view(row).side
        later = next((m for m in moves[number + 1 :] if m.piece == move.piece), None)
        rule = _taking(verdict, move, row, at, ends=later is None or later.kind != move.kind)
        if rule is None or owner[move.end] == side or _held_against(verdict, position, move.end, side):
            continue
        changes.append(Change(move.end, owner[move.end], side, rule))
        control[move.end] = owner[move.end] = side
    return replace(position, control=control), tuple(changes)


def _fixed(verdict: Verdict) -> list[Bools]:
    return [verdict.layout.spaces_of(h.where) for h in verdict.layout.homes if not h.reverts]


def _side(verdict: Verdict, number: int) -> str:
    return verdict.layout.sides[number] if number >= 0 else ""


def _taking(verdict: Verdict, move: Move, row: int, at: int, *, ends: bool) -> Taking | None:
    layout = verdict.layout
    for rule in verdict.rules.control.takings:
        kinds = (*rule.moves, *rule.ends) if ends else rule.moves
        takes = layout.pieces_of(rule.of)[row] and layout.spaces_of(rule.where)[at]
        if move.kind in kinds and layout.holds(rule.when) and takes:
            return rule
    return None


def _held_against(verdict: Verdict, position: Position, space: str, side: str) -> bool:
    """Tell whether a piece that may hold a space, of another side, stands there."""
    holders = verdict.layout.counted(verdict.rules.control.holders)
    others = (verdict.row_of[p.id] for p in position.pieces if p.at == space and p.id in verdict.row_of)
    return any(holders[r] and verdict.layout.view(r).side not in ("", side) for r in others)


def _check_words(verdict: Verdict, move: Move, at: dict[str, str]) -> Iterator[Finding]:
    kinds = verdict.rules.move_kinds
    if move.piece not in at:
        text = f"there is no piece {move.piece!r}{did_you_mean(move.piece, at)}"
        yield Finding(MOVE_UNKNOWN, move.where, text, {"piece": move.piece})
    for space in dict.fromkeys((move.start, move.end)):
        if space not in verdict.board.index:
            text = f"there is no space {space!r}{did_you_mean(space, verdict.board.index)}"
            yield Finding(MOVE_UNKNOWN, move.where, text, {"space": space})
    if kinds and move.kind not in kinds:
        text = f"no rule knows a move of kind {move.kind!r}{did_you_mean(move.kind, kinds)}"
        yield Finding(MOVE_UNKNOWN, move.where, text, {"kind": move.kind})
    if at.get(move.piece, move.start) != move.start:
        text = f"{move.piece} does not stand at {move.start} but at {at[move.piece]}"
        yield Finding(MOVE_UNKNOWN, move.where, text, {"piece": move.piece, "space": at[move.piece]})


def _check_ways(verdict: Verdict, moves: Sequence[Move]) -> Iterator[Finding]:
    for move in moves:
        if reason := _closed(verdict, move):
            where = replace(move.where, space=move.end)
            yield Finding(NO_WAY, where, reason, {"piece": move.piece, "from": move.start, "to": move.end})


def _closed(verdict: Verdict, move: Move) -> str:
    """Say why a piece cannot go this way, "" if it can."""
    arcs, index, row = verdict.board.arcs, verdict.board.index, verdict.row_of.get(move.piece)
    joined = (arcs.tail == index[move.start]) & (arcs.head == index[move.end])
    number = OFF if row is None else int(verdict.ways.tracer_of[row])
    no_way = f"no way leads from {move.start} to {move.end}"
    if number == OFF:
        return "" if joined.any() else no_way
    tracer = verdict.ways.tracers[number]
    if not joined.any() and not _over_a_hub(verdict, move, verdict.rules.edges, tracer):
        return no_way
    for rule in _ruling(verdict, move):
        by_arc = (joined & verdict.ways.usable(rule.over, tracer)).any()
        if not by_arc and not _over_a_hub(verdict, move, rule.over, tracer):
            return f"the way from {move.start} to {move.end} is closed to {move.piece}{rule.basis}"
    return ""


def _over_a_hub(verdict: Verdict, move: Move, over: Iterable[str], tracer: Tracer) -> bool:
    """Tell whether a step over these kinds of edge leads from port to port, say."""
    start, end = verdict.board.index[move.start], verdict.board.index[move.end]
    return any(start in hub.members and end in hub.entered for hub in verdict.ways.hubs(tuple(over), tracer))


def _check_entry(verdict: Verdict, moves: Sequence[Move]) -> Iterator[Finding]:
    """Yield moves into spaces that the piece may not enter, neither before all moves nor by the time that it does."""
    for number, move in enumerate(moves):
        bounds = _bounds_on(verdict, move)
        if bounds and number:
            bounds = _bounds_on(judge(verdict.game, verdict.board, moved(verdict.position, moves[:number])), move)
        named = verdict.ways.only_at(verdict.row_of[move.piece]) if move.piece in verdict.row_of else None
        if named and named[1] != move.end:
            yield own_space_finding(move.piece, replace(move.where, space=move.end), *named)
        elif bounds:
            basis = bounds[0].basis if bounds[0] else ": no unit may"
            facts = {"piece": move.piece, "from": move.start, "to": move.end, "kind": move.kind}
            text = f"{move.piece} may not enter {move.end}{basis}"
            yield Finding(MAY_NOT_BE_HERE, replace(move.where, space=move.end), text, facts)


def _bounds_on(verdict: Verdict, move: Move) -> tuple[Datum | None, ...]:
    """Return what keeps a piece out of the space that it moves to: rules, and None for the map itself."""
    row = verdict.row_of.get(move.piece)
    number = OFF if row is None else int(verdict.ways.tracer_of[row])
    return () if number == OFF else tuple(verdict.ways.closed_to(number, verdict.board.index[move.end]))


def _ruling(verdict: Verdict, move: Move) -> list[HexsideLimit | Movement]:
    """Return the rules that say over which edges a move must go."""
    row, layout = verdict.row_of[move.piece], verdict.layout
    limits = [h for h in verdict.rules.hexside_limits if layout.counted(h.of)[row]]
    movement = [m for m in verdict.rules.movement if move.kind in m.moves and layout.counted(m.of)[row]][:1]
    rules: list[HexsideLimit | Movement] = [*limits, *movement]
    return [rule for rule in rules if rule.over and move.kind in rule.moves]


def _check_limit(verdict: Verdict, rule: HexsideLimit, moves: Sequence[Move]) -> Iterator[Finding]:
    layout = verdict.layout
    counted, groups, weights = layout.counted(rule.of), groups_by(layout, rule.per), layout.weights(rule.weight)
    streams: dict[tuple[str, str, str, str], list[Move]] = {}
    for move in moves:
        row = verdict.row_of.get(move.piece)
        if row is not None and counted[row] and not layout.pieces[row].on:
            streams.setdefault((move.start, move.end, move.kind, groups[row]), []).append(move)
    for (start, end, kind, group), stream in streams.items():
        crossing = _crossing(verdict, rule, start, end)
        total = float(weights[[verdict.row_of[m.piece] for m in stream]].sum())
        if crossing is not None and crossing.at_most is not None and total > crossing.at_most + SLACK:
            held = f"{total:g} {group} {rule.weight.by or 'pieces'}".replace("  ", " ")
            excess = total - crossing.at_most
            yield Finding(
                OVER_HEXSIDE_LIMIT,
                replace(stream[-1].where, space=end),
                f"{held} cross from {start} to {end} ({kind}) and at most {crossing.at_most:g} may"
                f"{crossing.basis or rule.basis}: {excess:g} too many of {', '.join(m.piece for m in stream)}",
                {
                    "from": start,
                    "to": end,
                    "kind": kind,
                    "group": group,
                    "total": total,
                    "at_most": crossing.at_most,
                    "excess": excess,
                    "pieces": [m.piece for m in stream],
                    "cite": crossing.cite or rule.cite,
                },
            )
        if rule.as_stacking:
            ids = {m.piece for m in stream}
            alone = tuple(replace(p, at=end) for p in verdict.position.pieces if p.id in ids)
            there = judge(verdict.game, verdict.board, replace(verdict.position, pieces=alone))
            for f in check_stacking(there):
                text = f"of those that cross from {start}, {f.message}{rule.basis}"
                facts = {**f.facts, "from": start, "to": end, "kind": kind}
                yield Finding(OVER_HEXSIDE_LIMIT, replace(stream[-1].where, space=end), text, facts)


def _crossing(verdict: Verdict, rule: HexsideLimit, start: str, end: str) -> Crossing | None:
    """Return the first crossing of a rule that fits the way from one space to another."""
    board, layout = verdict.board, verdict.layout
    tail, head = board.index[start], board.index[end]
    way = (board.arcs.tail == tail) & (board.arcs.head == head)

    def of_kind(what: str, kinds: tuple[str, ...]) -> bool:
        return not kinds or any(bool((way & board.arcs_joined(f"{what}.{k}")).any()) for k in kinds)

    def such(term: Term | None, at: int) -> bool:
        return term is None or bool(layout.spaces_of(term)[at])

    for crossing in rule.crossings:
        way_fits = of_kind("hexside", crossing.hexsides) and of_kind("link", crossing.links)
        ends_fit = such(crossing.into, head) and such(crossing.out_of, tail)
        if way_fits and ends_fit and layout.holds(crossing.when):
            return crossing
    return None
