"""toolchain diff A B: what changed, in a maker's words, and what it means for saved games."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolchain.cli.session import FAILED, FOUND, MOST_SAID, Session, report_options, shown_path
from toolchain.report import Report, Severity

if TYPE_CHECKING:
    from toolchain.checks.diff.changes import Change
    from toolchain.cli.judging import Table
    from toolchain.model.game import Game
    from toolchain.model.position import Position
    from toolchain.sources.vassal.modules import Module
    from toolchain.sources.vassal.saves import Save, Saved

MODULES = (".vmod", ".vmdx", ".zip")
MANY, SOME = 4, 8  # things of which the same is said in one line, and how many of them that line names


@dataclass(frozen=True)
class Data:
    """A version of a game's data: the game, the raw values of its rules, its set-ups on all arrangements."""

    game: Game
    rules: Mapping[str, Any]
    setups: Sequence[Position]


@click.command("diff")
@click.argument("old")
@click.argument("new")
@report_options
@click.option("--game", default="", metavar="NAME", help="Which game, in folders that hold several.")
@click.option(
    "--module",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="The module that two saved games were played with; it names the spaces.",
)
def command(session: Session, old: str, new: str, game: str, module: Path | None) -> None:
    """Say what changed between two modules, two saved games, or two versions of a game's data.

    OLD and NEW are files (.vmod, .vsav), folders with maps/, counters/ and modules/, folders of one game in modules/,
    or names of games here. The exit status is 0 when nothing differs, 1 when something does, 2 in case of trouble.

    \b
    Examples:
        toolchain diff released/my-game.vmod build/my-game/module/my-game.vmod
        toolchain diff turn-3.vsav turn-4.vsav --module my-game.vmod
        toolchain diff ../last-year my-game --json
    """
    kinds = [_kind(word) for word in (old, new)]
    if kinds[0] != kinds[1]:
        raise click.UsageError(f"{old} is a {kinds[0]} and {new} a {kinds[1]}; give two of one kind")
    if module and kinds[0] != "saved game":
        raise click.UsageError("--module names the spaces of saved games")
    changes = list(_compared(session, kinds[0], old, new, game, module))
    if session.report.failed:
        session.report = Report(f for f in session.report if f.severity == Severity.ERROR)
        session.say_findings()
        sys.exit(FAILED)
    if session.as_json:
        import json

        document = {"old": old, "new": new, "kind": kinds[0], "changes": [c.to_dict() for c in changes]}
        click.echo(json.dumps(document, ensure_ascii=False, indent=2))
    else:
        _say(changes, session.quiet)
    sys.exit(FOUND if changes else 0)


def _kind(word: str) -> str:
    from toolchain.cli.judging import SAVES

    path = Path(word)
    if path.suffix in SAVES:
        kind = "saved game"
    elif path.suffix in MODULES:
        kind = "module"
    else:
        return "game"
    if not path.is_file():
        raise click.UsageError(f"there is no file {word!r}")
    return kind


def _compared(session: Session, kind: str, old: str, new: str, game: str, module: Path | None) -> Iterable[Change]:
    if kind == "module":
        from toolchain.checks.diff.modules import compare_modules

        a, b = (_module(session, word) for word in (old, new))
        return compare_modules(a, b) if a and b else ()
    if kind == "saved game":
        from toolchain.checks.diff.saves import compare_saves

        x, y = (_save(session, word) for word in (old, new))
        return compare_saves(x, y, _places(session, module, (x, y))) if x and y else ()
    from toolchain.checks.diff.games import compare_games

    g, h = (_game(session, word, game) for word in (old, new))
    return compare_games(g.game, h.game, (g.rules, h.rules), (g.setups, h.setups)) if g and h else ()


def _module(session: Session, word: str) -> Module | None:
    from toolchain.sources.vassal.modules import read_module

    return read_module(Path(word), shown_path(Path(word).resolve()), session.report)


def _save(session: Session, word: str) -> Save | None:
    from toolchain.sources.vassal.saves import read_save

    return read_save(Path(word), shown_path(Path(word).resolve()), session.report)


def _places(session: Session, module: Path | None, saves: Sequence[Save | None]) -> Any:
    """Return what names the space of a saved piece, or None without a module."""
    from toolchain.cli.judging import read_module_table
    from toolchain.export.vassal.readback import spaces_of, which_arrangement

    table: Table | None = read_module_table(session, module) if module else None
    if table is None:
        return None
    named: dict[int, str] = {}
    for save in saves:
        if save is not None:
            arrangement = which_arrangement(table.games, table.readings, save)
            named |= spaces_of(table.on(arrangement), table.readings[arrangement], save)

    def place(piece: Saved) -> str:
        return named.get(id(piece)) or (f"{piece.map} at {piece.x}, {piece.y}" if piece.map else "no map")

    return place


def _game(session: Session, word: str, name: str) -> Data | None:
    """Load a game: by its name here, a folder of games, or the folder of one game in modules/."""
    path = Path(word)
    if path.is_dir() and (path / "game.toml").is_file():
        root, name = path.resolve().parent.parent, path.resolve().name
    elif path.is_dir() and (path / "modules").is_dir():
        root = path.resolve()
        games = sorted(p.name for p in (root / "modules").iterdir() if p.is_dir())
        if not name and len(games) != 1:
            raise click.UsageError(f"{word} holds the games {', '.join(games) or 'none'}; say which with --game")
        name = name or games[0]
    else:
        root, name = None, word
    one = session.about(name, root)
    loaded = one.load()
    session.report.extend(one.report)
    return Data(loaded.game, loaded.project.rules, loaded.setups) if loaded is not None else None


def _joined(group: Sequence[Change]) -> Iterable[tuple[str, str, str]]:
    """Return how, names and text of each change; the same change of many things is one line that names some."""
    alike: dict[tuple[str, str], list[str]] = {}
    for c in group:
        alike.setdefault((c.how, c.text), []).append(c.name)
    for (how, text), names in alike.items():
        if len(names) < MANY:
            yield from ((how, name, text) for name in names)
        else:
            more = f" and {len(names) - SOME} more" if len(names) > SOME else ""
            yield how, "; ".join(names[:SOME]) + more, text


def _say(changes: Sequence[Change], quiet: bool) -> None:
    """Write the changes by what they are of, and below each kind what they mean for saved games, once."""
    by_kind: dict[str, list[Change]] = {}
    for c in changes:
        by_kind.setdefault(c.what, []).append(c)
    signs = {"added": "+", "lost": "-", "changed": "~", "moved": ">"}
    for what, group in by_kind.items():
        click.echo(f"{what} ({len(group)})")
        lines = [f"  {signs[h]} {': '.join(t for t in (names, text) if t) or h}" for h, names, text in _joined(group)]
        for line in lines[:MOST_SAID]:
            click.echo(line)
        if len(lines) > MOST_SAID:
            click.echo(f"    ... and {len(lines) - MOST_SAID} more, all of them with --json")
        for saves in dict.fromkeys(c.saves for c in group if c.saves):
            marks = " ".join(sorted({signs[c.how] for c in group if c.saves == saves}))
            click.echo(f"  saved games ({marks}): {saves}")
    if not changes and not quiet:
        click.echo("nothing differs")
