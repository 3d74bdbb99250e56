"""toolchain counters GAME: counter faces and counter sheets."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from toolchain.cli.session import Number, Session, game_command, output_options

OFFSET = re.compile(r"\s*([-+−]?\d+(?:\.\d+)?)\s*,\s*([-+−]?\d+(?:\.\d+)?)\s*")


def read_offset(context: click.Context, parameter: click.Parameter, text: str | None) -> tuple[float, float] | None:
    """Read "X,Y" in millimetres."""
    if text is None:
        return None
    hit = OFFSET.fullmatch(text)
    if hit is None:
        raise click.BadParameter(f"{text!r} should be two numbers of millimetres, such as 0.5,-1")
    x, y = (float(n.replace("−", "-")) for n in hit.groups())
    if max(abs(x), abs(y)) > 10:
        raise click.BadParameter(f"{text!r} is farther than 10 mm")
    return x, y


@click.command("counters")
@game_command
@output_options
@click.option("--dpi", type=Number(10, 1200), help="Also PNG, so many pixels to an inch of paper.")
@click.option("--paper", type=click.Choice(["a4", "a3", "letter", "tabloid"]), help="Paper, in place of the style's.")
@click.option("--flip", type=click.Choice(["long-edge", "short-edge"]), help="How the printer turns the sheet.")
@click.option("--fold", is_flag=True, help="Fronts and backs on one side of the paper, to be folded and glued.")
@click.option("--die-lines", is_flag=True, help="Draw the outline of every counter, in a layer of its own.")
@click.option("--back-offset", metavar="X,Y", callback=read_offset, help="Move the backs by so many mm.")
@click.option("--calibration", is_flag=True, help="Make only the page that shows your printer's --back-offset.")
@click.option("--no-cache", is_flag=True, help="Draw every face anew.")
def command(
    session: Session,
    output: Path | None,
    force: bool,
    dpi: float | None,
    paper: str | None,
    flip: str | None,
    fold: bool,
    die_lines: bool,
    back_offset: tuple[float, float] | None,
    calibration: bool,
    no_cache: bool,
) -> None:
    """Make counter faces and counter sheets, as SVG and PDF, and a manifest of all counters.

    \b
    Examples:
        toolchain counters my-game -o print/ --dpi 300
        toolchain counters my-game --calibration
        toolchain counters my-game --paper letter --back-offset 0.5,-1
    """
    from toolchain.cli.making import Maker
    from toolchain.export.printing import calibration_files

    changes: dict[str, Any] = {
        "paper": paper,
        "flip": flip,
        "back_offset": back_offset,
        "backs": "fold" if fold else None,
        "die_lines": True if die_lines else None,
    }
    loaded = session.load()
    if loaded is not None:  # drawn even when the data has errors: drawing finds more of them
        maker = Maker(session, loaded, print_changes=changes, cached=not no_cache)
        files = calibration_files(maker.style) if calibration and maker.style else maker.counter_files(dpi or 0)
        maker.accept(whole=False)
        session.write(files, output, "counters", force)
    session.finish()
