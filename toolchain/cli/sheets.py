"""toolchain sheets GAME: map sheets."""

from __future__ import annotations

from pathlib import Path

import click

from toolchain.cli.session import Session, game_command, output_options


@click.command("sheets")
@game_command
@output_options
def command(session: Session, output: Path | None, force: bool) -> None:
    """Make map sheets, as SVG and PDF.

    \b
    Example:
        toolchain sheets my-game -o print/
    """
    from toolchain.cli.making import Maker

    loaded = session.load()
    if loaded is not None and not session.report.failed:
        maker = Maker(session, loaded)
        files = maker.sheet_files()
        maker.accept(whole=False)
        session.write(files, output, "sheets", force)
    session.finish()
