"""toolchain view GAME: one HTML file to look at."""

from __future__ import annotations

from pathlib import Path

import click

from toolchain.cli.session import Session, game_command


@click.command("view")
@game_command
@click.option(
    "-o", "--output", type=click.Path(dir_okay=False, path_type=Path), help="Where to.  [default: build/GAME/view.html]"
)
@click.option("--force", is_flag=True, help="Replace a file that the tool did not make.")
@click.option("--open", "look", is_flag=True, help="Open it in your browser.")
def command(session: Session, output: Path | None, force: bool, look: bool) -> None:
    """Make one HTML file to look at the game in a browser, with nothing to install and no network.

    It shows the map with pan and zoom, every set-up, and what the rules say: who controls what, zones of control, and
    the supply line of each unit, or where it breaks.

    \b
    Examples:
        toolchain view my-game --open
        toolchain view my-game -o my-game.html
    """
    from toolchain.cli.making import Maker
    from toolchain.cli.outputs import write_one
    from toolchain.cli.session import shown_path
    from toolchain.cli.viewing import view_page

    loaded = session.load()
    if loaded is not None and not session.report.failed:
        target = (output or session.root / "build" / session.game / "view.html").resolve()
        data = view_page(Maker(session, loaded))
        target.parent.mkdir(parents=True, exist_ok=True)
        write_one(target, data, force=force)
        if not session.quiet:
            session.console.print(f"the page is {shown_path(target)}")
        if look:
            click.launch(target.as_uri())
    session.finish()
