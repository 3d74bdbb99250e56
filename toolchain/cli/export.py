"""toolchain export GAME --to NAME: the game for other programs."""

from __future__ import annotations

from pathlib import Path

import click

from toolchain.cli.session import Session, game_command, output_options

TARGETS = ("tts", "zuntzu", "tiled", "pdf", "json", "graphml", "geojson", "csv")


@click.command("export")
@game_command
@output_options
@click.option(
    "--to", "target", type=click.Choice(TARGETS), required=True, help="For which program, or in which format."
)
@click.option("--image-base", metavar="URL", default="", help="tts: where you put images/ for all players to see.")
@click.option("--paper", type=click.Choice(["a4", "a3", "letter", "tabloid"]), default="a4", help="pdf: to print on.")
def command(session: Session, output: Path | None, force: bool, target: str, image_base: str, paper: str) -> None:
    """Write the game for another program, and say how much of it there is.

    \b
    tts      Tabletop Simulator: a save for every set-up, with pictures in images/
    zuntzu   ZunTzu: a game box with all maps, counter sheets and scenarios
    tiled    Tiled: a hexagonal TMX map, with hexsides, links and places as objects
    pdf      one PDF to print and play: maps over home paper, counters, charts
    json, graphml, geojson, csv   the graph of the map

    \b
    Examples:
        toolchain export my-game --to tts --image-base https://example.org/my-game/
        toolchain export my-game --to zuntzu -o boxes/
        toolchain export my-game --to pdf --paper letter
    """
    from toolchain.cli.exporting import export_files
    from toolchain.cli.making import Maker
    from toolchain.report import tallied

    loaded = session.load()
    if loaded is not None and not session.report.failed:
        maker = Maker(session, loaded)
        folder = session.folder(output, f"export/{target}")
        base = image_base.rstrip("/") if image_base else (folder / "images").as_uri()
        files, counts = export_files(maker, target, f"{base}/", paper)
        maker.accept(whole=False)
        session.write(files, output, f"export/{target}", force)
        if not session.quiet and not session.report.failed:
            session.console.print(", ".join(tallied(counts)))
    session.finish()
