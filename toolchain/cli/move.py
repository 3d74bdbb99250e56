"""toolchain move GAME PIECE: where a unit can move, and the cheapest way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolchain.cli.session import Number, Session, game_command
from toolchain.report import counted

if TYPE_CHECKING:
    from toolchain.checks.movement import Reachable


@click.command("move")
@game_command
@click.argument("piece")
@click.option("--setup", "name", metavar="NAME", help="The set-up where it stands; default: the first that has it.")
@click.option(
    "--position",
    "file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The position where it stands: a table in the form of a set-up.",
)
@click.option("--from", "start", metavar="SPACE", help="Move from this space instead.")
@click.option("--to", "goal", metavar="SPACE", help="The cheapest way to this space, in as many moves as it takes.")
@click.option("--points", type=Number(0), help="Movement points instead of its own.")
@click.option("--kind", default="", metavar="WORD", help="Kind of move, in the words of the rules.")
def command(
    session: Session,
    piece: str,
    name: str | None,
    file: Path | None,
    start: str | None,
    goal: str | None,
    points: float | None,
    kind: str,
) -> None:
    """Say where a unit can move and at what cost, or the cheapest way to one space.

    \b
    Examples:
        toolchain move my-game us-corps-1 --setup campaign
        toolchain move my-game us-corps-1 --from Paris --to Metz
        toolchain move my-game us-corps-1 --kind strategic
    """
    from toolchain.checks.judge import judge
    from toolchain.checks.movement import find_reachable
    from toolchain.cli.judging import SAVES, read_positions
    from toolchain.cli.making import Maker
    from toolchain.graph.board import Board
    from toolchain.report import did_you_mean

    loaded = session.load()
    if loaded is None:
        session.finish()
        return
    maker = Maker(session, loaded)
    table = maker.saved_table if file and file.suffix in SAVES else maker.table
    read = read_positions(session, table, [name] if name else [], [file] if file else [])
    positions = [r.position for r in read]
    position = next((p for p in positions if piece in {q.id for q in p.pieces}), None)
    if position is None:
        ids = {q.id for p in positions for q in p.pieces}
        raise click.UsageError(f"no piece {piece!r} stands there{did_you_mean(piece, ids)}")
    game = loaded.on(position.arrangement).game
    named = [s.key for s in game.map.spaces if s.name]
    for word in (w for w in (start, goal) if w):
        if game.map.find(word) is None:
            raise click.UsageError(f"the map has no space {word!r}{did_you_mean(word, named)}")
    begin, end = (key.key if (key := game.map.find(w or "")) else "" for w in (start, goal))
    verdict = judge(game, Board.from_map(game.map), position)
    if piece not in verdict.row_of:
        raise click.UsageError(f"{piece} stands in no space of the map in {position.name}")
    kinds = {k for m in game.rulebook.movement for k in m.moves}
    if kind and kind not in kinds:
        raise click.UsageError(f"the rules know no moves of kind {kind!r}{did_you_mean(kind, kinds)}")
    got = find_reachable(verdict, piece, start=begin, points=points, moves=bool(goal) and points is None, kind=kind)
    if not session.as_json and not session.quiet:
        counter = game.counter[next(q.counter for q in position.pieces if q.id == piece)]
        click.echo("\n".join(_lines(got, f"{counter.name} ({piece})", end)))
    session.finish(_data(got, position.name, end))


def _lines(got: Reachable, name: str, goal: str) -> list[str]:
    at = got.keys[got.start]
    if got.rule is None:
        return [f"{name} in {at} does not move: no rule of movement is for it"]
    if goal:
        way = got.path(goal)
        if not way:
            return [f"{name} cannot get from {at} to {goal}"]
        return [f"{name}: {' > '.join(way)}", f"  {_points(got.cost_of(goal))}{got.rule.basis}"]
    ends = {k for k, end in zip(got.keys, got.ends.tolist(), strict=True) if end}
    lines = [f"{name} in {at}, {_points(got.points)}: {counted(len(got.spaces), 'space')} in reach{got.rule.basis}"]
    for space in got.spaces:
        cost = got.cost_of(space)
        lines.append(f"  {cost:g}  {space}{'   (ends its move)' if space in ends else ''}")
    return lines


def _points(number: float | None) -> str:
    if number is None:
        return "any number of points"
    return counted(number, "point")


def _data(got: Reachable, position: str, goal: str) -> dict[str, Any]:
    spaces = [goal] if goal and got.path(goal) else [] if goal else list(got.spaces)
    return {
        "position": position,
        "piece": got.piece,
        "from": got.keys[got.start],
        "reach": {s: {"cost": got.cost_of(s), "path": list(got.path(s))} for s in spaces},
    }
