"""toolchain module GAME: the VASSAL module."""

from __future__ import annotations

from pathlib import Path

import click

from toolchain.cli.session import Session, arrangement_option, game_command, output_options


@click.command("module")
@game_command
@output_options
@arrangement_option
def command(session: Session, output: Path | None, force: bool, arrangement: str) -> None:
    """Make the VASSAL module.

    The piece ids that saved games rely on are kept in modules/GAME/gpids.toml; keep that file with the game's data.

    \b
    Example:
        toolchain module my-game -o modules-for-players/
    """
    from toolchain.cli.making import Maker

    loaded = session.load(arrangement)
    if loaded is not None and not session.report.failed:
        maker = Maker(session, loaded)
        files, lock = maker.module_files()
        maker.accept(whole=False)
        session.write(files, output, "module", force, maker.lock_file(lock))
    session.finish()
