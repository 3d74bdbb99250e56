"""The command line: one short function per command, each in a module of its own that imports what it needs late."""

from __future__ import annotations

import errno
import importlib
import keyword
import os
import sys

import click

COMMANDS = (
    "new", "build", "validate", "check", "move", "map", "counters", "sheets", "module", "view", "watch", "export",
    "lint", "diff", "import", "fit", "explain",
)  # fmt: skip


class Commands(click.Group):
    """Find commands by module name, so that `--help` need not import what they use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order a maker meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import one command."""
        if name not in COMMANDS:
            return None
        # A word that Python keeps for itself has a trailing underscore as the name of a module.
        module = importlib.import_module(f"toolchain.cli.{name}" + "_" * keyword.iskeyword(name))
        command: click.Command = module.command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command when the word is none."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from toolchain.report import did_you_mean

            ctx.fail(f"there is no command {args[0]!r}{did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="wargame-toolchain", prog_name="toolchain")
def cli() -> None:
    """Board wargames from drawings and tables.

    A designer's drawing and tables go in; a checked map graph, printable counters and map sheets, and a VASSAL module
    that knows its own rules come out.

    \b
    Examples:
        toolchain new my-game
        cd my-game
        toolchain build my-game
    """


def main() -> None:
    """Run the command line; exit 0 clean, 1 findings, 2 usage or failure."""
    try:
        cli.main(standalone_mode=True)
    except BrokenPipeError:
        # The reader of a pipe went away: no fault of ours. Python would complain again while closing stdout.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        click.echo(f"Error: the output could not be written: {error.strerror}", err=True)
        sys.exit(2)
