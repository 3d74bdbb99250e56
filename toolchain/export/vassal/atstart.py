"""A set-up that lies on the board of every new game, as stacks of the map."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Mapping, Sequence

from toolchain.export.vassal.board import Board
from toolchain.export.vassal.boardset import BoardSet
from toolchain.export.vassal.buildfile import Element, part
from toolchain.export.vassal.kit import Kit, with_gpid
from toolchain.export.vassal.setups import Standing, piles, stepped
from toolchain.model.game import Game
from toolchain.report import Report
from toolchain.sources.decode.vassal import VassalPlan
from toolchain.sources.vassal.pieces import add_piece


def start_ids(game: Game, plan: VassalPlan) -> list[str]:
    """Return what the lock of piece ids calls the pieces of the stacks: VASSAL wants an id for every one of them."""
    position = game.setup.get(plan.at_start)
    if position is None:
        return []
    count = Tally(p.counter for p in position.pieces if p.counter in game.counter)
    for side in position.control.values():
        if side in plan.control and plan.control[side].counter in game.counter:
            count[plan.control[side].counter] += 1
    return [f"{counter}@{n}" for counter, most in count.items() for n in range(1, most + 1)]


def build_start(
    plan: VassalPlan, kit: Kit, sets: Sequence[BoardSet], gpids: Mapping[str, int], report: Report
) -> Iterator[Element]:
    """Write the stacks of the set-up.

    Those in hexes and on points are placed by the name of the place, others by pixels: in boxes they lie side by side.
    """
    used: Tally[str] = Tally()
    for one in sets:
        position = one.game.setup.get(plan.at_start)
        if position is None:
            continue
        for n, pile in enumerate(piles(one.game, position, kit, one.boards, plan, report)):
            yield _stack(n, pile, kit, one.boards, plan, gpids, used)


def _stack(
    number: int,
    pile: Sequence[Standing],
    kit: Kit,
    boards: Sequence[Board],
    plan: VassalPlan,
    gpids: Mapping[str, int],
    used: Tally[str],
) -> Element:
    x, y = pile[0].at
    board = next(b for b in reversed(boards) if x >= b.left)
    space = pile[0].space
    snapped = space.kind in ("hex", "point") and (space.name or board.numbering is not None or space.cell is None)
    location = (space.key if space.name or space.cell is None else plan.unnamed + space.label) if snapped else ""
    slots = []
    for standing in pile:
        used[standing.counter] += 1
        gpid = gpids[f"{standing.counter}@{used[standing.counter]}"]
        traits = with_gpid(stepped(kit.pieces[standing.counter], standing.step), gpid)
        width, height = kit.sizes[standing.counter]
        command = add_piece("null", traits)
        name = getattr(traits[-1], "name", "")
        slots.append(part("widget.PieceSlot", (), command, entryName=name, gpid=gpid, width=width, height=height))
    return part(
        "map.SetupStack",
        slots,
        name=f"{number + 1} {space.key}",
        owningBoard=board.name,
        useGridLocation=bool(location),
        location=location,
        x=x - board.left,
        y=y,
    )
