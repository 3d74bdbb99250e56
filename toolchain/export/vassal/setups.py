"""Set-ups as saved games: every piece where the table says, its prototypes expanded as the engine would."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from toolchain.art.position import spread
from toolchain.catalogue import PIECE_NOT_PLACED
from toolchain.export.vassal.board import Board
from toolchain.export.vassal.kit import Kit
from toolchain.export.vassal.readback import piece_words, setup_words
from toolchain.export.vassal.saves import board_command, build_save, property_command, turn_command
from toolchain.model.game import Game, TurnTrack
from toolchain.model.position import Piece, Position
from toolchain.model.warmap import Space
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode.vassal import VassalPlan
from toolchain.sources.vassal.pieces import Traits, add_piece, add_stack, as_written, expand, placed
from toolchain.sources.vassal.traits import Layer, Mask


@dataclass(frozen=True, slots=True)
class Standing:
    """One piece of a set-up with its place: pixels of the map. remembers: names and values that the piece keeps."""

    counter: str
    step: int
    at: tuple[int, int]
    layer: int
    space: Space
    remembers: tuple[str, ...] = ()


Inside = tuple[str, int, tuple[str, ...]]
"""A counter, its step and what the piece remembers, of a piece whose place is still to be found."""


def build_setup(
    game: Game,
    position: Position,
    kit: Kit,
    boards: Sequence[Board],
    plan: VassalPlan,
    data: tuple[bytes, bytes],
    report: Report,
    decks: Callable[[Tally[str], int], list[str]] | None = None,
) -> bytes:
    """Write one set-up as a .vsav file.

    data: savedata and moduledata. decks: writes them, told how many of each counter lie elsewhere and the next number.
    """
    commands, number = [], 0
    # What pieces share is written once, not anew for every one of them.
    shared = {name: tuple(map(as_written, traits)) for name, traits in kit.prototypes.items()}
    used: Tally[str] = Tally()
    for pile in piles(game, position, kit, boards, plan, report):
        at = (plan.map, *pile[0].at)
        members = []
        for standing in pile:
            number += 1
            side = game.sides.get(game.counter[standing.counter].side)
            shown = veiled(stepped(kit.pieces[standing.counter], standing.step), side.title if side else "")
            traits = expand(shown, shared)
            commands.append(add_piece(str(number), placed(traits, at, standing.remembers)))
            members.append(str(number))
            used[standing.counter] += 1
        number += 1
        commands.append(add_stack(str(number), at, members, pile[0].layer))
    if decks is not None:
        commands += decks(used, number + 1)
    others = [board_command(plan.map, [b.name for b in boards])]
    if plan.at_start or plan.decks:
        others.append("SETUP_STACK\t")  # else what lies there at the start would come on top
    others += [property_command(name, value) for name, value in setup_words(game, position).items()]
    if game.track.turns:
        others.append(turn_command(turn_state(game.track, position.turn)))
    notes = facts(game, position)
    if notes:
        others.append("NOTES\t" + "|".join(notes))
    return build_save(commands, others, *data)


def stepped(traits: Traits, step: int) -> Traits:
    """Return a piece that shows a step; 0 is full strength."""
    return tuple(replace(t, level=step + 1) if isinstance(t, Layer) else t for t in traits)


def veiled(traits: Traits, side: str) -> Traits:
    """Return a piece that its side hides from the others, if it is one that is hidden."""
    return tuple(replace(t, hidden_by=side, options=t.access) if side and isinstance(t, Mask) else t for t in traits)


def piles(
    game: Game, position: Position, kit: Kit, boards: Sequence[Board], plan: VassalPlan, report: Report
) -> Iterator[list[Standing]]:
    """Yield the stacks of a set-up in the order of the map's spaces, lower layers first.

    In a hex, the pieces of each layer are one stack, bottom first. In a box they lie beside one another, in a box of a
    track as far as it has room.
    """
    known = game.map.by_key
    inside: dict[str, list[Inside]] = {}
    for space, side in position.control.items():
        face = plan.control.get(side)
        # A box is controlled by whoever may use it; a marker would only be in the way.
        if face and face.counter in game.counter and space in known and known[space].kind != "box":
            inside.setdefault(space, []).append((face.counter, face.step, ()))
    for p in position.pieces:
        if _fits(p, game, known, report):
            step = min(p.step, len(game.counter[p.counter].faces) - 1)
            words = piece_words(p, position.supply.get(p.id, ""))
            inside.setdefault(p.at, []).append((p.counter, step, words))
    for board in boards:
        for s in board.spaces:
            if s.key in inside:
                yield from _lay(s, board, inside[s.key], kit, plan)


def _lay(space: Space, board: Board, inside: list[Inside], kit: Kit, plan: VassalPlan) -> Iterator[list[Standing]]:
    ordered = sorted(inside, key=lambda item: kit.layers[item[0]])
    if space.kind == "box" and space.outline:
        margin, head = round(plan.box_margin * board.scale), round(plan.box_head * board.scale)
        if "track" in space.traits:
            margin, head = _in_cell(board.outline(space), [kit.sizes[c] for c, _, _ in ordered])
        middles = spread(board.outline(space), [kit.sizes[c] for c, _, _ in ordered], margin, head)
        points = [(round(x), round(y)) for x, y in middles]
        for (counter, step, words), (x, y) in zip(ordered, points, strict=True):
            yield [Standing(counter, step, (x + board.left, y), kit.layers[counter], space, words)]
        return
    x, y = board.at(space)
    by_layer: dict[int, list[Standing]] = {}
    for counter, step, words in ordered:
        standing = Standing(counter, step, (x + board.left, y), kit.layers[counter], space, words)
        by_layer.setdefault(standing.layer, []).append(standing)
    yield from by_layer.values()


def _in_cell(outline: Sequence[tuple[int, int]], sizes: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """Return the margin and head, in pixels, that put one piece in the middle of a box, several at its lower edge."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    wide, high = max(w for w, _ in sizes), max(h for _, h in sizes)
    if len(sizes) == 1:
        return max(1, (max(xs) - min(xs) - wide) // 2), max(1, (max(ys) - min(ys) - high) // 2)
    return 2, max(2, max(ys) - min(ys) - 2 - 2 * high)


def _fits(piece: Piece, game: Game, known: Mapping[str, Space], report: Report) -> bool:
    for what, word, words in (("space", piece.at, known), ("counter", piece.counter, game.counter)):
        if word not in words:
            hint = did_you_mean(word, words)
            where = piece.where if piece.where != Location() else Location(element=piece.id)
            report.add(PIECE_NOT_PLACED, where, f"there is no {what} {word!r}{hint}")
            return False
    return True


def turn_state(track: TurnTrack, turn: int) -> str:
    """Write the state of the turn track at the beginning of a turn (1 for the first), first phase."""
    turns = ",".join(["true"] * len(track.turns))
    state = f"{max(0, turn - 1)};0;0;{turns}"
    if track.phases:
        phases = ",".join(["true"] * len(track.phases))
        state += ";" + f"0;0;0;{phases}".replace(";", "\\;")
    return f"0|{state}"


def facts(game: Game, position: Position) -> list[str]:
    """Say in words what the set-up states beside its pieces, for the notes window."""
    out = [f"{key.replace('-', ' ').capitalize()}: {value}" for key, value in position.facts.items()]
    events = [e.title for e in game.events.values() if e.name in position.events]
    return out + ([", ".join(events)] if events else [])
