"""toolchain check GAME: is a position legal, who is in supply, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolchain.cli.session import Session, report_options, root_option, shown_path
from toolchain.report import counted

if TYPE_CHECKING:
    from toolchain.checks.judge import Verdict
    from toolchain.cli.judging import Read, Table
    from toolchain.cli.making import Maker
    from toolchain.model.position import Position

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("check")
@click.argument("game", required=False, default="")
@click.argument("saves", nargs=-1, metavar="[SAVE]...")
@root_option
@report_options
@click.option("--module", type=FILE, help="In place of GAME: a module made by this tool, which carries its rules.")
@click.option(
    "--setup",
    "names",
    multiple=True,
    metavar="NAME",
    help="A set-up to check; default: all of them. With a save: whose words hold where the save has none.",
)
@click.option(
    "--position",
    "files",
    multiple=True,
    type=FILE,
    help="A position to check: a table in the form of a set-up, or a saved game (.vsav).",
)
@click.option("--only", default="", metavar="CHECKS", help="Only these, separated by commas: stacking,zoc,supply,...")
@click.option("--event", "events", multiple=True, metavar="NAME", help="An event that is in force now.")
@click.option("--no-event", "ended", multiple=True, metavar="NAME", help="An event that is in force no longer.")
@click.option("--control", multiple=True, metavar="SPACE=SIDE", help="Who controls a space now.")
@click.option(
    "--place", multiple=True, metavar="PIECE=SPACE", help="Where a piece stands now, or comes in; PIECE= takes it off."
)
@click.option("--step", multiple=True, metavar="PIECE=STEP", help="The step of a piece now: full, reduced or a number.")
@click.option(
    "--state", multiple=True, metavar="PIECE=WORDS", help="What is true of a piece for a time; PIECE= nothing."
)
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
@click.option("--attrition", is_flag=True, help="Tell whom attrition would take now, and which spaces would turn.")
@click.option("--cost", "acts", multiple=True, metavar="ACT", help="Tell what an act of the rules costs in each space.")
@click.option(
    "--map",
    "target",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the position, with all supply lines or those of --why: SVG or PNG.",
)
@click.option(
    "--mark",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write a copy of the saved game with marks of supply and stacking on its pieces.",
)
@click.option("--force", is_flag=True, help="Replace a file that the tool did not make.")
def command(
    session: Session,
    game: str,
    saves: tuple[str, ...],
    root: Path | None,
    module: Path | None,
    names: tuple[str, ...],
    files: tuple[Path, ...],
    only: str,
    events: tuple[str, ...],
    ended: tuple[str, ...],
    control: tuple[str, ...],
    place: tuple[str, ...],
    step: tuple[str, ...],
    state: tuple[str, ...],
    fact: tuple[str, ...],
    turn: int | None,
    moment: str,
    moves_file: Path | None,
    why: tuple[str, ...],
    attrition: bool,
    acts: tuple[str, ...],
    target: Path | None,
    mark: Path | None,
    force: bool,
) -> None:
    """Say whether positions are legal: stacking, places, control, zones of control, supply.

    A saved game is read as a position: pieces, steps and control markers by where they stand, the turn by its track,
    events and facts by what the module remembers. With --module, the module and the save are all that is needed.

    \b
    Examples:
        toolchain check my-game
        toolchain check my-game turn-3.vsav --mark turn-3-marked.vsav
        toolchain check --module my-game.vmod turn-3.vsav
        toolchain check my-game --setup campaign --only stacking,supply
        toolchain check my-game --position turn-3.csv --control Antwerp=allied --why us-corps-1
        toolchain check my-game --setup campaign --event truce --map position.svg
        toolchain check my-game --setup campaign --attrition --cost attack
        toolchain check my-game --position turn-3.csv --moves attacks.csv --moment "end of movement"
    """
    from toolchain.checks.consequences import attrition_data, costs_data, tell_taken
    from toolchain.checks.positions import CHECKS
    from toolchain.checks.words import facts_of as facts_of_rules
    from toolchain.cli.judging import (
        SAVES,
        check_files,
        check_used,
        facts_of,
        judge_positions,
        read_positions,
    )
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
        "steps": {piece: _step(word) for piece, word in _pairs(step, "--step").items()},
        "states": {piece: words.split() for piece, words in _pairs(state, "--state").items()},
        "turn": turn or 0,
    }
    paths = [*(Path(w) for w in ((game, *saves) if module and game else saves)), *files]
    check_files(paths)
    session, maker, table = _opened(session, game, root, module, any(p.suffix in SAVES for p in paths))
    if table is None:
        session.finish()
        return
    moments = table.first.rulebook.moments
    if moment and moment not in moments:
        listed = ", ".join(moments) or "none"
        raise click.UsageError(f"no rule is checked at {moment!r}{did_you_mean(moment, moments)} (moments: {listed})")
    asked = facts_of_rules(table.first.rulebook)
    for word in changes["facts"]:
        if word not in asked:
            raise click.UsageError(
                f"no rule asks for a fact {word!r}{did_you_mean(word, asked)} (facts: {', '.join(asked) or 'none'})"
            )
    for act in acts:
        known = list(dict.fromkeys(a for rule in table.first.rulebook.costs for a in rule.acts))
        if act not in known:
            listed = ", ".join(known) or "none"
            raise click.UsageError(f"no rule says what {act!r} costs{did_you_mean(act, known)} (acts: {listed})")
    # A set-up that is named beside saves says what they do not; it is not checked itself.
    beside = names[0] if len(names) == 1 and any(p.suffix in SAVES for p in paths) else ""
    read = read_positions(session, table, () if beside else names, paths, beside)
    try:
        read = [
            replace(r, position=apply_changes(r.position, table.on(r.position.arrangement), **changes)) for r in read
        ]
    except ChangeError as error:
        raise click.UsageError(str(error)) from error
    positions = [r.position for r in read]
    if len(positions) != 1 and (why or target or moves_file or mark):
        options = "--why, --moves, --map and --mark are about one position"
        if session.report.failed:
            session.finish()
        raise click.UsageError(f"{options}; give --setup NAME, --position FILE or one SAVE")
    if target and target.suffix not in (".svg", ".png"):
        raise click.UsageError(f"--map writes .svg or .png, not {target.name}")
    if mark and mark.suffix != ".vsav":
        raise click.UsageError(f"--mark writes a saved game, .vsav, not {mark.name}")
    if mark and read[0].save is None:
        raise click.UsageError("--mark writes a copy of a saved game; give one")
    if target and maker is None:
        raise click.UsageError("--map needs the drawing of the game; name GAME in place of --module")
    check_used(session, table, positions)
    judged = judge_positions(session, table, positions, wanted, moment)
    taken = [] if moves_file is None else _check_moves(session, moves_file, next(iter(judged.values())))
    if mark is not None:
        _mark(session, read[0], next(iter(judged.values())), mark, force)
    session.accept(table.first, whole=False)
    facts = {name: facts_of(verdict) for name, verdict in judged.items()}
    for name, verdict in judged.items():
        if attrition:
            facts[name]["attrition"] = attrition_data(verdict)
        if acts:
            facts[name]["costs"] = {act: costs_data(verdict, act) for act in acts}
    accounts = _accounts(positions[0], judged, why) if why else []
    if not session.as_json:
        _say(table, facts, session.quiet)
        if "proportions" in wanted:
            for share in (share for fact in facts.values() for share in fact["proportions"]):
                click.echo(f"  {share['space']}: {share['words']}")
        click.echo("".join(f"{line}\n" for line in tell_taken(taken)), nl=False)
        for _, lines in accounts:
            click.echo("\n".join(lines))
    if target is not None and maker is not None:
        _draw(session, maker, positions[0], next(iter(judged.values())), why, target, force)
    document: dict[str, Any] = {"positions": facts}
    if moves_file is not None:
        document["taken"] = taken
    if accounts:
        document["why"] = [data for data, _ in accounts]
    session.finish(document)


def _opened(
    session: Session, game: str, root: Path | None, module: Path | None, saves: bool
) -> tuple[Session, Maker | None, Table | None]:
    """Open the game of a project, or that of a module. No table: there is not enough to go on, and findings say why.

    saves: saved games are to be read.
    """
    from toolchain.cli.judging import SAVES, read_module_table
    from toolchain.cli.making import Maker

    if module is not None:
        table = read_module_table(session, module)
        return (replace(session, game=table.first.name) if table else session), None, table
    if not game or Path(game).suffix in SAVES:
        raise click.UsageError("name a game, or give the module that the save was played with: --module FILE")
    session = session.about(game, root)
    loaded = session.load()
    if loaded is None:
        return session, None, None
    maker = Maker(session, loaded)
    return session, maker, maker.saved_table if saves else maker.table


def _mark(session: Session, read: Read, verdict: Verdict, target: Path, force: bool) -> None:
    """Write a copy of the saved game with marks; pieces that can bear none are findings."""
    from toolchain.checks.stacking import check_stacking
    from toolchain.cli.outputs import write_one
    from toolchain.export.vassal.marks import mark_save

    if read.save is None:
        return
    data = mark_save(read.save, read.saved, verdict, check_stacking(verdict), session.report)
    write_one(target, data, force=force)
    if not session.quiet:
        session.console.print(f"the marked game is in {shown_path(target.resolve())}")


def _check_moves(session: Session, path: Path, verdict: Verdict) -> list[dict[str, str]]:
    """Check a list of moves, and return the spaces that change hands with it."""
    from toolchain.checks.consequences import taken_data
    from toolchain.checks.moves import check_moves
    from toolchain.sources.decode.moves import decode_moves
    from toolchain.sources.documents import read_table

    table = read_table(path, shown_path(path.resolve()), session.report)
    if table is None:
        return []
    moves = decode_moves(table, verdict.game.map.by_word, session.report)
    session.report.extend(check_moves(verdict, moves))
    return taken_data(verdict, [m for m in moves if m.piece in verdict.row_of and m.end in verdict.board.index])


def _pairs(words: Sequence[str], option: str) -> dict[str, str]:
    out = {}
    for word in words:
        key, found, value = word.partition("=")
        if not found or not key:
            raise click.UsageError(f"{option} wants NAME=VALUE, not {word!r}")
        out[key.strip()] = value.strip()
    return out


def _step(word: str) -> int:
    from toolchain.sources.decode.setups import STEPS

    if word not in STEPS and not (word.isdecimal() and len(word) < 10):
        raise click.UsageError(f"--step wants full, reduced or the number of a step, not {word!r}")
    return STEPS[word] if word in STEPS else int(word)


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


def _say(table: Table, facts: dict[str, Any], quiet: bool) -> None:
    """Say what was found of every position; quiet: only what was asked for."""
    from toolchain.checks.consequences import tell_attrition, tell_costs

    for name, fact in facts.items():
        if not quiet:
            _sum_up(table, name, fact)
        told = tell_attrition(fact["attrition"]) if "attrition" in fact else []
        for act, costs in fact.get("costs", {}).items():
            told += tell_costs(costs, act)
        click.echo("".join(f"{line}\n" for line in told), nl=False)


def _sum_up(table: Table, name: str, fact: dict[str, Any]) -> None:
    click.echo(f"{name}: {counted(fact['pieces'], 'piece')}")
    for side, grades in fact["supply"].items():
        counts = ", ".join(f"{n} {grade}" for grade, n in grades.items()) or "no unit that needs supply"
        zones = counted(len(fact["zones"][side]), "space")
        zones = f"; zones of control in {zones}" if table.first.rulebook.zoc else ""
        click.echo(f"  {table.first.sides[side].title}: {counts}{zones}")
    for status, has in fact["statuses"].items():
        click.echo(f"  {status}: {', '.join(has) or 'nobody'}")
    for holding in fact["capacities"]:
        click.echo(f"  {holding['words']}")


def _draw(
    session: Session, maker: Maker, position: Position, verdict: Verdict, why: Sequence[str], target: Path, force: bool
) -> None:
    from toolchain.cli.outputs import write_one
    from toolchain.export.positions import position_file

    with session.step("draw the position"):
        laid = maker.loaded.on(position.arrangement)
        data = position_file(laid, position, verdict, why, session.report, maker.faces, target.suffix)
    write_one(target, data, force=force)
    if not session.quiet:
        session.console.print(f"the position is in {shown_path(target.resolve())}")
