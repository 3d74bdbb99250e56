"""toolchain explain CODE: what a finding means."""

from __future__ import annotations

import click


@click.command("explain")
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """Say what a finding means, why it matters and how to mend it; without CODE, list them all.

    \b
    Example:
        toolchain explain P101
    """
    from toolchain.catalogue import CATALOGUE
    from toolchain.report import did_you_mean

    if code is None:
        for each in CATALOGUE:
            click.echo(f"{each.code}  {each.severity!s:8}{each.summary}")
        return
    by_word = {r.code: r for r in CATALOGUE} | {r.name: r for r in CATALOGUE}
    rule = by_word.get(code.upper()) or by_word.get(code.lower())
    if rule is None:
        raise click.UsageError(f"there is no finding {code!r}{did_you_mean(code, by_word)}")
    click.echo(f"{rule.code} {rule.name} ({rule.severity})\n\n{rule.summary}\n")
    click.echo(f"Why it matters: {rule.why}\nWhat to do:     {rule.mend}")
    if rule.example:
        click.echo(f"\nExample:\n  {rule.example}")
