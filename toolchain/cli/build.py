"""toolchain build GAME: everything."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolchain.cli.session import Session, games_under, output_options, report_options, root_option, shown_path
from toolchain.report import counted

if TYPE_CHECKING:
    from toolchain.cli.making import Files, Maker


@click.command("build")
@click.argument("game", required=False, default="")
@root_option
@report_options
@output_options
@click.option("--all", "everything", is_flag=True, help="Build every game; with -o, each into a folder of its name.")
def command(session: Session, game: str, root: Path | None, output: Path | None, force: bool, everything: bool) -> None:
    """Check a game and make everything: map graph, map sheets, counters, VASSAL module, report.

    An error in the data leaves earlier output as it was.

    \b
    Examples:
        toolchain build my-game
        toolchain build --all
    """
    if everything == bool(game):
        raise click.UsageError("name a game, or give --all")
    if game:
        one = session.about(game, root)
        one.finish(build_one(one, output, force))
        return
    top, names = games_under(root)
    documents, status = [], 0
    for name in names:
        one = session.about(name, top)
        documents.append(one.document(build_one(one, output / name if output else None, force)))
        status = max(status, one.status)
        if not session.as_json:
            one.say_findings()
    if session.as_json:
        click.echo(json.dumps({"games": documents}, ensure_ascii=False, indent=2))
    sys.exit(status)


def build_one(session: Session, output: Path | None, force: bool) -> dict[str, Any] | None:
    """Build the game of a session; return what it has, for JSON, or None when it could not be read."""
    from toolchain.cli.judging import facts_of
    from toolchain.cli.making import Maker

    start = time.perf_counter()
    loaded = session.load()
    if loaded is None:
        return None
    maker = Maker(session, loaded)
    maker.boards  # noqa: B018 begin what takes longest
    maker.check_data()
    judged = {name: facts_of(v) for name, v in maker.judge(loaded.setups).items()}
    files: Files = {}
    lock = ""
    # Everything is drawn even when the data has errors: drawing finds more of them, and they are said all at once.
    files |= {f"map/{n}": d for n, d in maker.map_files(others=True).items()}
    files |= {f"map/{n}": d for n, d in maker.sheet_files().items()}
    files |= {f"counters/{n}": d for n, d in maker.counter_files().items()}
    module, lock = maker.module_files()
    files |= {f"module/{n}": d for n, d in module.items()}
    maker.accept(whole=True)
    game = loaded.game
    facts = {
        "title": game.title,
        "version": game.version,
        "spaces": len(game.map.spaces),
        "enterable": sum(s.enterable for s in game.map.spaces),
        "counters": sum(c.copies for c in game.counters),
        "setups": {name: {k: j[k] for k in ("pieces", "supply")} for name, j in judged.items()},
    }
    document = {"game": session.game, **facts, "findings": session.report.to_list()}
    files["report.json"] = (json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()
    files["report.txt"] = "".join(
        f"{f}{' (accepted: ' + f.accepted + ')' if f.accepted else ''}\n" for f in session.report
    ).encode()
    if not session.report.failed:
        session.write(files, output, "", force, maker.lock_file(lock), whole=True)
        if not session.quiet and not session.as_json:
            say_summary(session, maker, files, output, time.perf_counter() - start)
    elif not session.as_json:
        session.console.print("[bold]Nothing was written[/]: mend the errors below and build again.")
    return facts


def say_summary(session: Session, maker: Maker, files: Files, output: Path | None, seconds: float) -> None:
    """Print what was made, in a few lines."""
    from rich.table import Table

    game = maker.game
    warmap = game.map
    shown = shown_path(session.folder(output, ""))
    fields = [s for s in warmap.spaces if s.kind != "box"]
    open_ = sum(s.enterable for s in fields)
    what = "hexes" if all(s.kind == "hex" for s in fields) else "spaces"
    counters = counted(sum(c.copies for c in game.counters), "counter")
    kinds = (
        ("map/", f"{open_} {what} to enter of {len(fields)}, {counted(len(warmap.links), 'link')}"),
        ("counters/", f"{counters} of {counted(len(game.counters), 'kind')}"),
        ("module/", f"{counted(len(maker.loaded.setups), 'set-up')}: {', '.join(s.name for s in maker.loaded.setups)}"),
    )
    table = Table(show_header=False, box=None, pad_edge=False)
    for prefix, words in kinds:
        made = [d for n, d in files.items() if n.startswith(prefix)]
        size = sum(map(len, made)) / 2**20
        table.add_row(prefix, f"{counted(len(made), 'file')}, {size:.1f} MB", words)
    table.add_row("report.txt", "", session.tally())
    session.console.print(f"[bold]{game.title} {game.version}[/] is in {shown} [dim]({seconds:.1f} s)[/]")
    session.console.print(table)
