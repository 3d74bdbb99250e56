"""toolchain map GAME: the graph of the map."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from toolchain.cli.session import Session, arrangement_option, game_command


@click.command("map")
@game_command
@click.option(
    "--format", "kind", type=click.Choice(["json", "graphml", "geojson", "csv"]), default="json", show_default=True
)
@arrangement_option
@click.option("--table", type=click.Choice(["hexes", "hexsides", "links"]), help="Only this table of the CSV.")
@click.option(
    "-o", "--output", default="-", metavar="FILE", help="Where to; - is standard output.  [default: -]  CSV: a folder."
)
@click.option("--force", is_flag=True, help="Replace files that the tool did not make.")
def command(session: Session, kind: str, arrangement: str, table: str | None, output: str, force: bool) -> None:
    """Write the graph of the map: its spaces, joined by hexsides and links.

    JSON is what the tool itself reads; GraphML is for graph programs, GeoJSON for QGIS, CSV for a spreadsheet: three
    tables, of hexes, hexsides and links.

    \b
    Examples:
        toolchain map my-game > map.json
        toolchain map my-game --format graphml -o my-game.graphml
        toolchain map my-game --format geojson -o my-game.geojson
        toolchain map my-game --format csv -o tables/
        toolchain map my-game --format csv --table hexes
    """
    from toolchain.cli.making import Maker
    from toolchain.cli.outputs import write_one, write_outputs

    if session.as_json and output == "-":
        raise click.UsageError("--json and the map would both go to standard output; give -o FILE")
    if table and kind != "csv":
        raise click.UsageError("--table goes with --format csv")
    if kind == "csv" and not table and output == "-":
        raise click.UsageError("CSV is three tables: give a folder with -o, or one of them with --table")
    loaded = session.load(arrangement)
    if loaded is not None and not session.report.failed:
        files = Maker(session, loaded).map_files([kind])
        if kind == "csv" and not table:
            write_outputs(Path(output), files, force=force, whole=False)
        else:
            data = files[f"{table}.csv" if table else f"map.{kind}"]
            if output == "-":
                sys.stdout.buffer.write(data)
            else:
                write_one(Path(output), data, force=force)
    session.finish()
