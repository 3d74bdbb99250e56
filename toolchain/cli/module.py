"""toolchain module GAME: the VASSAL module."""

from __future__ import annotations

from pathlib import Path

import click

from toolchain.cli.session import Session, arrangement_option, game_command, output_options
from toolchain.report import Severity


@click.command("module")
@game_command
@output_options
@arrangement_option
@click.option("--since", type=click.Path(dir_okay=False, path_type=Path), help="An earlier module to compare with.")
def command(session: Session, output: Path | None, force: bool, arrangement: str, since: Path | None) -> None:
    """Make the VASSAL module, and say what it changes for games saved with the one before.

    The one before is the module that is replaced, or the one given. The piece ids that saved games rely on are kept in
    modules/GAME/gpids.toml; keep that file with the game's data.

    \b
    Example:
        toolchain module my-game -o modules-for-players/
    """
    from toolchain.cli.making import Maker

    loaded = session.load(arrangement)
    if loaded is not None and not session.report.failed:
        maker = Maker(session, loaded)
        files, lock = maker.module_files()
        (made,) = files
        earlier = since or session.folder(output, "module") / made
        if since or earlier.is_file():
            for finding in maker.compare(earlier, files[made], made):
                if finding.severity == Severity.NOTE and not session.quiet and not session.verbose:
                    session.console.print(finding.message, markup=False)
        maker.accept(whole=False)
        session.write(files, output, "module", force, maker.lock_file(lock))
    session.finish()
