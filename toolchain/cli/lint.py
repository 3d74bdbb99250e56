"""toolchain lint FILE: what is wrong in any VASSAL module."""

from __future__ import annotations

from pathlib import Path

import click

from toolchain.cli.session import Session, report_options, shown_path
from toolchain.report import tallied


@click.command("lint")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Another module that this one should be able to stand in for: say what it lacks.",
)
@report_options
def command(session: Session, file: Path, against: Path | None) -> None:
    """Say what is wrong in a VASSAL module, ours or anybody's.

    Nothing in the module is run, and an archive that would harm whoever unpacks it is refused.

    \b
    Examples:
        toolchain lint my-game.vmod
        toolchain lint somebody-elses.vmod --json --fail-on warning
        toolchain lint build/old/module/old.vmod --against old.vmod
    """
    from toolchain.checks.lint import lint
    from toolchain.checks.lint.against import check_against
    from toolchain.sources.vassal.modules import read_module

    with session.step("open the module"):
        module = read_module(file, shown_path(file.resolve()), session.report)
    if module is None:
        session.finish({"file": shown_path(file.resolve())})
        return
    with session.step("look through it"):
        session.report.extend(lint(module))
    if against is not None:
        other = read_module(against, shown_path(against.resolve()), session.report)
        session.report.extend(check_against(module, other) if other is not None else ())
    held = {
        "pieces": len(module.slots),
        "prototypes": len(module.prototypes),
        "maps": len(module.maps),
        "boards": sum(1 for _ in module.root.all("Board")),
        "set-ups": sum(1 for _ in module.root.all("PredefinedSetup")),
        "pictures": sum(1 for _ in module.images()),
    }
    if not session.as_json and not session.quiet:
        click.echo(f"{module.root.get('name') or file.name}: {', '.join(tallied(held))}")
    session.finish({"file": module.shown, "module": module.root.get("name"), **held})
