"""toolchain sheets GAME: map sheets."""

from __future__ import annotations

from pathlib import Path

import click

from toolchain.cli.session import Number, Session, arrangement_option, game_command, output_options


@click.command("sheets")
@game_command
@output_options
@arrangement_option
@click.option("--dpi", type=Number(10, 1200), help="Also PNG, so many pixels to an inch of paper.")
@click.option(
    "--tile",
    "paper",
    type=click.Choice(["a4", "letter", "a3", "tabloid"]),
    help="Also a PDF over pages of this paper, with crop marks and a plan of how they lie.",
)
@click.option(
    "--overlap",
    type=Number(0, 50),
    default=10.0,
    show_default=True,
    help="How much neighbouring pages have in common, mm.",
)
@click.option("--grid-only", is_flag=True, help="Only the grid and its numbers, transparent, to lay over own art.")
@click.option("--style", "look", type=click.Choice(["classic", "plain"]), help="Another look than the map's own.")
def command(
    session: Session,
    output: Path | None,
    force: bool,
    arrangement: str,
    dpi: float | None,
    paper: str | None,
    overlap: float,
    grid_only: bool,
    look: str | None,
) -> None:
    """Make map sheets, as SVG and PDF.

    Of a map of several sheets each is made, and every arrangement of them as one.

    \b
    Examples:
        toolchain sheets my-game -o print/ --dpi 300
        toolchain sheets my-game --tile a4 --overlap 10
        toolchain sheets my-game --style plain
        toolchain sheets my-game --grid-only
    """
    from toolchain.cli.making import Maker

    loaded = session.load(arrangement)
    if loaded is not None:  # drawn even when the data has errors: drawing finds more of them
        maker = Maker(session, loaded)
        if look is not None:
            from toolchain.sources.project import read_map_style

            maker.map_style = read_map_style(session.root, session.game, session.report, look)
        make = maker.grid_files if grid_only else maker.sheet_files
        files = make(dpi or 0, paper or "", overlap)
        maker.accept(whole=False)
        session.write(files, output, "sheets", force)
    session.finish()
