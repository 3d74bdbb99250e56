"""toolchain validate GAME: is the data right."""

from __future__ import annotations

import click

from toolchain.cli.session import Session, game_command


@click.command("validate")
@game_command
def command(session: Session) -> None:
    """Say whether the data is right: map connectivity, terrain, names, counters, rules data.

    \b
    Examples:
        toolchain validate my-game
        toolchain validate my-game --json --fail-on warning
    """
    from toolchain.cli.making import Maker

    loaded = session.load()
    facts = {}
    if loaded is not None:
        maker = Maker(session, loaded)
        maker.check_data()
        maker.accept(whole=False)
        warmap = loaded.game.map
        facts = {
            "spaces": len(warmap.spaces),
            "enterable": sum(s.enterable for s in warmap.spaces),
            "hexsides": len(warmap.hexsides),
            "links": len(warmap.links),
            "counters": sum(c.copies for c in loaded.game.counters),
        }
    session.finish(facts)
