"""toolchain new DIR: a small game to begin with."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

PARTS = ("maps", "counters", "modules")


@click.command("new")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
def command(folder: Path) -> None:
    """Make a small game of its own that builds as it stands, to begin yours with.

    The game is called as the folder, which must be new or empty.

    \b
    Example:
        toolchain new my-game && cd my-game && toolchain build my-game
    """
    from toolchain.cli.outputs import CannotWriteError
    from toolchain.cli.session import shown_path

    target = folder.resolve()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise CannotWriteError(f"{folder} is there already and not empty; give another name")
    game = re.sub(r"[^a-z0-9]+", "-", target.name.casefold()).strip("-") or "my-game"
    try:
        write_starter(target, game)
    except OSError as error:
        raise CannotWriteError(f"cannot write to {folder}: {error.strerror or error}") from error
    go = "" if target == Path.cwd() else f"cd {shown_path(target)} && "
    click.echo(
        f"A small game is in {shown_path(target)}; its README.md says what is what. Next:\n  {go}toolchain build {game}"
    )


def write_starter(target: Path, game: str) -> None:
    """Write the game into a folder that is new or empty, whole or not at all."""
    fresh = not target.exists()
    target.mkdir(parents=True, exist_ok=True)
    try:
        with tempfile.TemporaryDirectory(dir=target, prefix=".toolchain-") as name:
            staging = Path(name)
            for place, data in starter_files(game):
                file = staging / place
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(data)
            for made in sorted(staging.iterdir()):
                made.rename(target / made.name)
    except OSError:
        if fresh and not any(target.iterdir()):
            target.rmdir()
        raise


def starter_files(game: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files of the game: where each belongs in the new folder, and what it holds."""
    top = files("toolchain.sources") / "starter"
    yield "README.md", (top / "README.md").read_text("utf-8").replace("GAME", game).encode()
    for part in PARTS:
        for place, data in _files_in(top / part):
            yield f"{part}/{game}/{place}", data


def _files_in(folder: Traversable, place: str = "") -> Iterator[tuple[str, bytes]]:
    for item in sorted(folder.iterdir(), key=lambda i: i.name):
        if item.is_dir():
            yield from _files_in(item, f"{place}{item.name}/")
        else:
            yield place + item.name, item.read_bytes()
