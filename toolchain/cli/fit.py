"""toolchain fit GAME: where to lay the grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from toolchain.cli.session import Session, game_command
from toolchain.report import did_you_mean

if TYPE_CHECKING:
    from toolchain.sources.decode.maps import MapPlan
    from toolchain.survey.fitsearch import Fit


@click.command("fit")
@game_command
@click.option("--best", type=click.IntRange(1, 50), default=5, show_default=True, help="How many fits to show.")
@click.option("--sheet", "name", metavar="NAME", help="Which sheet of a map of several.")
def command(session: Session, best: int, name: str | None) -> None:
    """Search a better fit of the grid: origin, size, and turn of the drawing.

    Places shall have hexes of their own, pairs shall be neighbours or not, ports shall touch their sea. [fit] in
    map.toml says which and where to look. Shows what each fit does not meet, and its values to paste into map.toml.

    \b
    Examples:
        toolchain fit my-game
        toolchain fit my-game --best 2 --json
    """
    from toolchain.sources.decode.maps import read_map
    from toolchain.survey.fit import fit_map

    with session.step("read the map"):
        plan = read_map(session.root, session.game, session.report)
    fits = None
    if plan is not None and (plan.sheets or name):
        plan = _sheet(plan, name or "")
    if plan is not None:
        with session.step("search the fits"):
            fits = fit_map(plan, session.report, best)
    facts: dict[str, Any] = {}
    if plan is not None and fits is not None:
        facts = {
            "places": int(fits.task.own.sum()),
            "now": _facts(plan, fits.now),
            "fits": [_facts(plan, fit) for fit in fits.best],
        }
        if not session.as_json:
            click.echo(f"{facts['places']} places to fit. As it stands: {_words(fits.now)}")
            for n, fit in enumerate(fits.best, 1):
                click.echo(f"\n# Fit {n}: {_words(fit)}\n{facts['fits'][n - 1]['toml']}", nl=False)
    session.finish(facts)


def _sheet(plan: MapPlan, name: str) -> MapPlan:
    sheets = {one.data.sheet.name: one for one in plan.sheets or (plan,)}
    if name not in sheets:
        near = did_you_mean(name, sheets)
        raise click.UsageError(f"give --sheet NAME, one of: {', '.join(sheets)}{near}")
    return sheets[name]


def _facts(plan: MapPlan, fit: Fit) -> dict[str, Any]:
    from toolchain.survey.fit import to_toml

    return {
        "score": fit.score,
        "misses": fit.misses,
        "drift": round(fit.drift, 6),
        "shared": [list(names) for names in fit.shared],
        "off": list(fit.off),
        "adjacent": [list(pair) for pair in fit.adjacent],
        "apart": [list(pair) for pair in fit.apart],
        "needs": [list(need) for need in fit.needs],
        "toml": to_toml(plan, fit),
    }


def _words(fit: Fit) -> str:
    """Say what a fit does not meet, a line for each kind."""
    lines = [
        (
            "in one hex: ",
            [" and ".join([", ".join(names[:-1]), names[-1]]) for names in fit.shared],
        ),
        ("off the grid: ", list(fit.off)),
        (
            "not neighbours: ",
            [f"{a} and {b} ({'in one hex' if d == 0 else f'{d} hexes apart'})" for a, b, d in fit.adjacent],
        ),
        ("neighbours that must not be: ", [f"{a} and {b}" for a, b, _ in fit.apart]),
        ("without what they need: ", [f"{name} ({feature}: {terrain})" for name, feature, terrain in fit.needs]),
    ]
    said = [f"\n#   {head}{'; '.join(items)}" for head, items in lines if items]
    near = f"; the places lie {fit.drift:.2f} pitches from the middles of their hexes"
    return (f"{fit.misses} not met (score {fit.score:g})" if said else "everything is met") + near + "".join(said)
