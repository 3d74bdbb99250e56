"""toolchain check GAME: is a position legal."""

from __future__ import annotations

import click

from toolchain.cli.session import Session, game_command


@click.command("check")
@game_command
@click.option("--setup", "names", multiple=True, metavar="NAME", help="A set-up to check; default: all of them.")
@click.option("--only", default="", metavar="CHECKS", help="Only these, separated by commas: stacking,zoc,supply,...")
def command(session: Session, names: tuple[str, ...], only: str) -> None:
    """Say whether positions are legal: stacking, places, control, zones of control, supply.

    \b
    Examples:
        toolchain check my-game
        toolchain check my-game --setup campaign --only stacking,supply
    """
    from toolchain.checks.positions import CHECKS
    from toolchain.cli.making import Maker
    from toolchain.report import did_you_mean

    wanted = tuple(w.strip() for w in only.split(",") if w.strip())
    known = [name for name, _ in CHECKS]
    for word in wanted:
        if word not in known:
            raise click.UsageError(
                f"there is no check {word!r}{did_you_mean(word, known)} (checks: {', '.join(known)})"
            )
    loaded = session.load()
    if loaded is None:
        session.finish()
        return
    setups = loaded.game.setup
    for name in names:
        if name not in setups:
            listed = ", ".join(setups) or "none"
            raise click.UsageError(f"there is no set-up {name!r}{did_you_mean(name, setups)} (set-ups: {listed})")
    maker = Maker(session, loaded)
    judged = maker.check_positions([setups[n] for n in names] or list(setups.values()), wanted)
    maker.accept(whole=False)
    if not session.as_json and not session.quiet:
        for name, facts in judged.items():
            click.echo(f"{name}: {facts['pieces']} pieces")
            for side, grades in facts["supply"].items():
                counts = ", ".join(f"{n} {grade}" for grade, n in grades.items()) or "no unit that needs supply"
                title, reach = loaded.game.sides[side].title, len(facts["zones"][side])
                click.echo(f"  {title}: {counts}; zones of control in {reach} spaces")
    session.finish({"positions": judged})
