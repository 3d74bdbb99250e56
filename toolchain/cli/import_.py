"""toolchain import FILE DIR: an existing module becomes a project."""

from __future__ import annotations

from pathlib import Path

import click

from toolchain.cli.session import FAILED, Session, report_options, shown_path
from toolchain.report import tallied


@click.command("import")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@report_options
@click.option("--name", default="", help="What to call the game; default: after the file.")
def command(session: Session, file: Path, folder: Path, name: str) -> None:
    """Turn a VASSAL module into a project that builds: board, grid, counters, set-ups, piece ids.

    What cannot be carried is listed here and in modules/NAME/IMPORTED.md. No file that is there already is replaced.

    \b
    Example:
        toolchain import old.vmod my-project && toolchain build old --root my-project
    """
    from toolchain.cli.outputs import write_outputs
    from toolchain.export.importing.project import import_module
    from toolchain.export.vassal.pictures import slug
    from toolchain.sources.vassal.modules import read_module

    game = name or slug(file.stem)
    if game != slug(game):
        raise click.UsageError(f"a game is called by lower-case letters, digits and hyphens, such as {slug(game)!r}")
    with session.step("open the module"):
        module = read_module(file, shown_path(file.resolve()), session.report)
    if module is None:
        session.finish({"file": str(file)})
        return
    with session.step("carry it over"):
        imported = import_module(module, game)
    if imported is None:
        why = "the module has no board whose size is known, or one of more than 19,000 pixels"
        click.echo(f"{why}; there is nothing to make a map of", err=True)
        raise SystemExit(FAILED)
    write_outputs(folder.resolve(), imported.files, force=False, whole=False)
    if not session.as_json and not session.quiet:
        click.echo(f"{game}: {', '.join(tallied(imported.held))}")
        click.echo("not carried:" if imported.left else "everything was carried")
        for line in imported.left:
            click.echo(f"  {line}")
        click.echo(f"next: toolchain build {game} --root {shown_path(folder.resolve())}")
    session.finish({"file": str(file), "game": game, "held": dict(imported.held), "left": list(imported.left)})
