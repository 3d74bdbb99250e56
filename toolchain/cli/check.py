"""toolchain check GAME: is a position legal, who is in supply, and why."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolchain.cli.session import Session, game_command, shown_path

if TYPE_CHECKING:
    from toolchain.checks.judge import Verdict
    from toolchain.cli.making import Maker
    from toolchain.model.position import Position
    from toolchain.survey.game import Loaded


@click.command("check")
@game_command
@click.option("--setup", "names", multiple=True, metavar="NAME", help="A set-up to check; default: all of them.")
@click.option(
    "--position",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A position to check: a table in the form of a set-up.",
)
@click.option("--only", default="", metavar="CHECKS", help="Only these, separated by commas: stacking,zoc,supply,...")
@click.option("--event", "events", multiple=True, metavar="NAME", help="An event that is in force now.")
@click.option("--no-event", "ended", multiple=True, metavar="NAME", help="An event that is in force no longer.")
@click.option("--control", multiple=True, metavar="SPACE=SIDE", help="Who controls a space now.")
@click.option("--place", multiple=True, metavar="PIECE=SPACE", help="Where a piece stands now; PIECE= takes it off.")
@click.option("--fact", multiple=True, metavar="NAME=VALUE", help="A fact such as weather=mud.")
@click.option("--turn", type=click.IntRange(1), default=None, help="The number of the game turn.")
@click.option("--moment", default="", metavar="WORDS", help="The moment of play, such as 'end of movement'.")
@click.option(
    "--moves",
    "moves_file",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Check this list of moves too: a table with the columns piece, from, to, kind.",
)
@click.option("--why", multiple=True, metavar="PIECE", help="Tell why a unit is in supply or out of it.")
@click.option("--map", "target", type=click.Path(dir_okay=False, path_type=Path), help="Draw the position: SVG or PNG.")
@click.option("--force", is_flag=True, help="Replace a file that the tool did not make.")
def command(
    session: Session,
    names: tuple[str, ...],
    files: tuple[Path, ...],
    only: str,
    events: tuple[str, ...],
    ended: tuple[str, ...],
    control: tuple[str, ...],
    place: tuple[str, ...],
    fact: tuple[str, ...],
    turn: int | None,
    moment: str,
    moves_file: Path | None,
    why: tuple[str, ...],
    target: Path | None,
    force: bool,
) -> None:
    """Say whether positions are legal: stacking, places, control, zones of control, supply.

    \b
    Examples:
        toolchain check my-game
        toolchain check my-game --setup campaign --only stacking,supply
        toolchain check my-game --position turn-3.csv --control Antwerp=allied --why us-corps-1
        toolchain check my-game --setup campaign --event truce --map position.svg
        toolchain check my-game --position turn-3.csv --moves attacks.csv --moment "end of movement"
    """
    from toolchain.checks.positions import CHECKS
    from toolchain.cli.making import Maker
    from toolchain.model.changes import ChangeError, apply_changes
    from toolchain.report import did_you_mean

    wanted = tuple(w.strip() for w in only.split(",") if w.strip())
    known = [name for name, _ in CHECKS]
    for word in wanted:
        if word not in known:
            near = did_you_mean(word, known)
            raise click.UsageError(f"there is no check {word!r}{near} (checks: {', '.join(known)})")
    changes: dict[str, Any] = {
        "events": events,
        "ended": ended,
        "control": _pairs(control, "--control"),
        "places": _pairs(place, "--place"),
        "facts": _pairs(fact, "--fact"),
        "turn": turn or 0,
    }
    loaded = session.load()
    if loaded is None:
        session.finish()
        return
    maker = Maker(session, loaded)
    moments = loaded.game.rulebook.moments
    if moment and moment not in moments:
        listed = ", ".join(moments) or "none"
        raise click.UsageError(f"no rule is checked at {moment!r}{did_you_mean(moment, moments)} (moments: {listed})")
    positions = read_positions(session, loaded, names, files)
    try:
        positions = [apply_changes(p, loaded.on(p.arrangement).game, **changes) for p in positions]
    except ChangeError as error:
        raise click.UsageError(str(error)) from error
    if len(positions) != 1 and (why or target or moves_file):
        raise click.UsageError("--why, --moves and --map are about one position; give --setup NAME or --position FILE")
    if files:
        maker.check_used(positions)
    judged = maker.judge(positions, wanted, moment)
    if moves_file is not None:
        _check_moves(session, moves_file, next(iter(judged.values())))
    maker.accept(whole=False)
    facts = {name: maker.facts_of(verdict) for name, verdict in judged.items()}
    accounts = _accounts(positions[0], judged, why) if why else []
    if not session.as_json and not session.quiet:
        _say(session, loaded, facts)
        for _, lines in accounts:
            click.echo("\n".join(lines))
    if target is not None and not session.report.failed:
        _draw(session, maker, positions[0], next(iter(judged.values())), why, target, force)
    document: dict[str, Any] = {"positions": facts}
    if accounts:
        document["why"] = [data for data, _ in accounts]
    session.finish(document)


def _check_moves(session: Session, path: Path, verdict: Verdict) -> None:
    from toolchain.checks.moves import check_moves
    from toolchain.sources.decode.moves import decode_moves
    from toolchain.sources.documents import read_table

    table = read_table(path, shown_path(path.resolve()), session.report)
    if table is not None:
        moves = decode_moves(table, verdict.game.map.by_word, session.report)
        session.report.extend(check_moves(verdict, moves))


def _pairs(words: Sequence[str], option: str) -> dict[str, str]:
    out = {}
    for word in words:
        key, found, value = word.partition("=")
        if not found or not key:
            raise click.UsageError(f"{option} wants NAME=VALUE, not {word!r}")
        out[key.strip()] = value.strip()
    return out


def read_positions(session: Session, loaded: Loaded, names: Sequence[str], files: Sequence[Path]) -> list[Position]:
    """Return the set-ups and positions that were asked for; all set-ups when none was."""
    from toolchain.report import did_you_mean
    from toolchain.sources.project import read_position

    setups = {s.name: s for s in loaded.setups}
    for name in names:
        if name not in setups:
            listed = ", ".join(setups) or "none"
            raise click.UsageError(f"there is no set-up {name!r}{did_you_mean(name, setups)} (set-ups: {listed})")
    out = [setups[n] for n in names]
    for path in files:
        position = read_position(loaded.project, path, shown_path(path.resolve()), session.report)
        if position is not None:
            out.append(position.respelled(loaded.on(position.arrangement).game.map.spellings))
    return out if names or files else list(setups.values())


def _accounts(
    position: Position, judged: dict[str, Verdict], why: Sequence[str]
) -> list[tuple[dict[str, Any], list[str]]]:
    from toolchain.checks.reasons import Reasons
    from toolchain.checks.telling import account_data, tell
    from toolchain.report import did_you_mean

    verdict = judged[position.name]
    reasons = Reasons(verdict)
    counter_of = {p.id: verdict.game.counter[p.counter] for p in verdict.layout.pieces}
    out = []
    for piece in why:
        if piece not in counter_of:
            raise click.UsageError(f"no piece {piece!r} stands in {position.name}{did_you_mean(piece, counter_of)}")
        name = f"{counter_of[piece].name} ({piece})"
        accounts = [reasons.why(piece), *(reasons.why_status(piece, status) for status in verdict.statuses)]
        out += [(account_data(a), tell(a, name)) for a in accounts if a.grade or not a.status]
    return out


def _say(session: Session, loaded: Loaded, facts: dict[str, Any]) -> None:
    for name, fact in facts.items():
        click.echo(f"{name}: {fact['pieces']} pieces")
        for side, grades in fact["supply"].items():
            counts = ", ".join(f"{n} {grade}" for grade, n in grades.items()) or "no unit that needs supply"
            title, reach = loaded.game.sides[side].title, len(fact["zones"][side])
            click.echo(f"  {title}: {counts}; zones of control in {reach} spaces")


def _draw(
    session: Session, maker: Maker, position: Position, verdict: Verdict, why: Sequence[str], target: Path, force: bool
) -> None:
    from toolchain.cli.outputs import write_one
    from toolchain.export.positions import position_file

    if target.suffix not in (".svg", ".png"):
        raise click.UsageError(f"--map writes .svg or .png, not {target.name}")
    with session.step("draw the position"):
        laid = maker.loaded.on(position.arrangement)
        data = position_file(laid, position, verdict, why, session.report, maker.faces, target.suffix)
    write_one(target, data, force=force)
    if not session.quiet:
        session.console.print(f"the position is in {shown_path(target.resolve())}")
