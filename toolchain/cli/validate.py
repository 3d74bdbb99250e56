"""toolchain validate GAME: is the data right."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from toolchain.cli.session import Session, game_command

if TYPE_CHECKING:
    from toolchain.cli.making import Maker


@click.command("validate")
@game_command
@click.option(
    "--report",
    "picture",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE.svg",
    help="Draw the findings on the map into this SVG, numbered, with their list beside it.",
)
@click.option("--force", is_flag=True, help="Replace a file that the tool did not make.")
def command(session: Session, picture: Path | None, force: bool) -> None:
    """Say whether the data is right: map connectivity, terrain, names, counters, rules data.

    \b
    Examples:
        toolchain validate my-game
        toolchain validate my-game --json --fail-on warning
        toolchain validate my-game --report findings.svg
    """
    from toolchain.cli.making import Maker

    loaded = session.load()
    facts = {}
    if loaded is not None:
        maker = Maker(session, loaded)
        maker.check_data()
        maker.faces  # noqa: B018 what is wrong with the look of a counter shows when it is drawn
        maker.accept(whole=False)
        if picture is not None:
            draw(session, maker, picture, force)
        warmap = loaded.game.map
        facts = {
            "spaces": len(warmap.spaces),
            "enterable": sum(s.enterable for s in warmap.spaces),
            "hexsides": len(warmap.hexsides),
            "links": len(warmap.links),
            "counters": sum(c.copies for c in loaded.game.counters),
        }
    session.finish(facts)


def draw(session: Session, maker: Maker, picture: Path, force: bool) -> None:
    """Draw the findings on the map; a map of several takes a file for each, with its number in the name."""
    from toolchain.art.findings import build_findings_page
    from toolchain.art.svg import to_svg
    from toolchain.cli.outputs import write_outputs

    loaded = maker.loaded
    with session.step("draw the findings"):
        files = {}
        pages = [(one, sheet.name) for one in loaded.every for sheet in one.game.map.sheets]
        for n, (one, sheet) in enumerate(pages):
            page = build_findings_page(
                one.game.map, one.drawing, loaded.project.map_style, tuple(session.report), sheet
            )
            stem = picture.stem if n == 0 else f"{picture.stem}-{n + 1}"
            files[stem + (picture.suffix or ".svg")] = to_svg(page).encode()
        write_outputs(picture.parent, files, force=force, whole=False)
