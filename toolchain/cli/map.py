"""toolchain map GAME: the graph of the map."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from toolchain.cli.session import Session, game_command


@click.command("map")
@game_command
@click.option("--format", "kind", type=click.Choice(["json", "graphml"]), default="json", show_default=True)
@click.option("-o", "--output", default="-", metavar="FILE", help="Where to; - is standard output.  [default: -]")
@click.option("--force", is_flag=True, help="Replace a file that the tool did not make.")
def command(session: Session, kind: str, output: str, force: bool) -> None:
    """Write the graph of the map: its spaces, joined by hexsides and links.

    \b
    Examples:
        toolchain map my-game > map.json
        toolchain map my-game --format graphml -o my-game.graphml
    """
    from toolchain.cli.making import Maker
    from toolchain.cli.outputs import write_one

    if session.as_json and output == "-":
        raise click.UsageError("--json and the map would both go to standard output; give -o FILE")
    loaded = session.load()
    if loaded is not None and not session.report.failed:
        data = Maker(session, loaded).map_files([kind])[f"map.{kind}"]
        if output == "-":
            sys.stdout.buffer.write(data)
        else:
            write_one(Path(output), data, force=force)
    session.finish()
