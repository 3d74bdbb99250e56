"""toolchain counters GAME: counter faces and counter sheets."""

from __future__ import annotations

from pathlib import Path

import click

from toolchain.cli.session import Session, game_command, output_options


@click.command("counters")
@game_command
@output_options
@click.option("--dpi", type=click.FloatRange(10, 1200), help="Also PNG, so many pixels to an inch of paper.")
def command(session: Session, output: Path | None, force: bool, dpi: float | None) -> None:
    """Make counter faces and counter sheets, as SVG and PDF.

    \b
    Example:
        toolchain counters my-game -o print/ --dpi 300
    """
    from toolchain.cli.making import Maker

    loaded = session.load()
    if loaded is not None and not session.report.failed:
        maker = Maker(session, loaded)
        files = maker.counter_files(dpi or 0)
        maker.accept(whole=False)
        session.write(files, output, "counters", force)
    session.finish()
