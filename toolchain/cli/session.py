"""What every command about a game shares: its options, loading the game, saying what was found, the exit status."""

from __future__ import annotations

import functools
import json
import math
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolchain.report import Report, Severity, by_rows, counted

if TYPE_CHECKING:
    from rich.console import Console

    from toolchain.model.game import Game
    from toolchain.survey.game import Loaded

FOUND, FAILED = 1, 2
MOST_LETTERS = 2000  # of one message
MOST_SAID = 50  # findings of one code in the text that people read
FAIL_ON = {"error": Severity.ERROR, "warning": Severity.WARNING, "note": Severity.NOTE}


class Number(click.FloatRange):
    """A number within bounds; "nan" and "inf" are none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the words of an option."""
        number = super().convert(value, param, ctx)
        if not math.isfinite(number):
            self.fail(f"{value!r} is no number", param, ctx)
        return number


def rows_in_words(lines: Sequence[int]) -> str:
    """Name rows of a table, and only count them where they are many."""
    shown = ", ".join(map(str, lines[:6]))
    return f"row{'s' * (len(lines) > 1)} {shown}" + (f" and {len(lines) - 6} more" if len(lines) > 6 else "")


def find_root(start: Path) -> Path | None:
    """Return the nearest folder, from start upward, that has a `modules` folder."""
    for folder in (start, *start.parents):
        if (folder / "modules").is_dir():
            return folder
    return None


def shown_path(path: Path) -> str:
    """Return a path as the user would type it: relative to where they are, if it lies there."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)


def games_under(root: Path | None) -> tuple[Path, list[str]]:
    """Return the folder of the games, by default the nearest one upward, and the names of those in it."""
    top = root or find_root(Path.cwd())
    if top is None:
        raise click.UsageError("there is no folder modules/ here or above; go to a project or give --root")
    top = top.resolve()
    folders = (top / "modules").iterdir() if (top / "modules").is_dir() else ()
    return top, sorted(p.name for p in folders if p.is_dir())


def shortened(text: str) -> str:
    """Return a text as it can be printed: what a stranger's file holds may have millions of letters."""
    return text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]} …"


@dataclass
class Session:
    """One run of a command about one game. It writes findings and progress to standard error."""

    root: Path
    game: str
    as_json: bool = False
    quiet: bool = False
    verbose: bool = False
    fail_on: Severity = Severity.ERROR
    report: Report = field(default_factory=Report)
    times: dict[str, float] = field(default_factory=dict)

    @functools.cached_property
    def console(self) -> Console:
        """Standard error, with colours on a terminal."""
        from rich.console import Console

        return Console(stderr=True, highlight=False, soft_wrap=True)

    def about(self, game: str, root: Path | None) -> Session:
        """Return the session of a game. root: folder of the games, by default the nearest one upward."""
        top, known = games_under(root)
        if game not in known:
            from toolchain.report import did_you_mean

            listed = ", ".join(known) or "none"
            raise click.UsageError(f"there is no game {game!r}{did_you_mean(game, known)} (games: {listed})")
        return replace(self, root=top, game=game, report=Report(), times={})

    @contextmanager
    def step(self, what: str) -> Iterator[None]:
        """Show one step of long work while it runs, on a terminal only."""
        start = time.perf_counter()
        if self.quiet or not self.console.is_terminal:
            yield
        else:
            with self.console.status(what + " …"):
                yield
        self.times[what] = time.perf_counter() - start
        if not self.quiet and (self.verbose or self.console.is_terminal):
            self.console.print(f"[green]✓[/] {what} [dim]{self.times[what]:.1f} s[/]")

    def load(self, arrangement: str = "") -> Loaded | None:
        """Read and survey the game; None, with findings, when there is not enough to go on.

        arrangement: of the sheets of the map; then the game is that on this one alone.
        """
        from toolchain.sources.project import read_project
        from toolchain.survey.game import survey_project

        with self.step("read the tables"):
            project = read_project(self.root, self.game, self.report)
        if project is None:
            return None
        if arrangement and arrangement not in (known := project.map.arranged):
            from toolchain.report import did_you_mean

            listed = ", ".join(known) or "none"
            near = did_you_mean(arrangement, known)
            raise click.UsageError(f"there is no arrangement {arrangement!r}{near} (arrangements: {listed})")
        with self.step("survey the drawing"):
            loaded = survey_project(project, self.report)
        self.accept(loaded.game, whole=False)  # so that an accepted error holds nothing up
        return replace(loaded.on(arrangement), others=()) if arrangement else loaded

    def accept(self, game: Game, *, whole: bool) -> None:
        """Mark accepted findings. whole: everything was checked, so that an acceptance without a finding is stale."""
        from toolchain.catalogue import UNUSED_ACCEPTANCE
        from toolchain.checks.acceptance import apply_acceptances

        report = apply_acceptances(self.report, game.accepted, f"modules/{game.name}/game.toml")
        self.report = Report(f for f in report if whole or f.rule is not UNUSED_ACCEPTANCE)

    def folder(self, output: Path | None, part: str) -> Path:
        """Return the folder to write to: the one given, or build/GAME/part under the root."""
        return output.resolve() if output else self.root / "build" / self.game / part

    def write(
        self,
        files: Mapping[str, bytes],
        output: Path | None,
        part: str,
        force: bool,
        lock: tuple[Path, bytes] | None = None,
        whole: bool = False,
    ) -> None:
        """Write files into the folder of this part, unless something is in the way; lock: a file of the game's data."""
        from toolchain.cli.outputs import replace_file, write_outputs

        if self.report.failed:
            return
        folder = self.folder(output, part)
        write_outputs(folder, files, force=force, whole=whole)
        if lock is not None:
            replace_file(*lock)
        if not self.quiet and not whole:
            self.console.print(f"{counted(len(files), 'file')} in {shown_path(folder)}")

    def say_findings(self) -> None:
        """Print the findings, gravest first, and how many there are."""
        from rich.markup import escape

        colours = {Severity.ERROR: "bold red", Severity.WARNING: "yellow", Severity.NOTE: "cyan"}
        told = [f for f in self.report if self.verbose or not (f.accepted or f.severity == Severity.NOTE)]
        said: dict[str, int] = {}
        for f, lines in by_rows(told):
            said[f.rule.code] = said.get(f.rule.code, 0) + 1
            if said[f.rule.code] > MOST_SAID and not self.verbose:
                continue
            colour = "dim" if f.accepted else colours[f.severity]
            place = f"{escape(shortened(str(f.where)))}: " if str(f.where) else ""
            tail = f" [dim](and in {rows_in_words(lines[1:])})[/]" if len(lines) > 1 else ""
            tail += f" [dim](accepted: {escape(f.accepted)})[/]" if f.accepted else ""
            self.console.print(f"[{colour}]{f.severity} {f.rule.code}[/] {place}{escape(shortened(f.message))}{tail}")
        for code, number in said.items():
            if number > MOST_SAID and not self.verbose:
                self.console.print(f"[dim]… and {number - MOST_SAID} more of {code} (-v or --json shows them all)[/]")
        if not self.quiet and len(self.report):
            self.console.print(f"[dim]{self.tally()}[/]")

    def tally(self) -> str:
        """Return the numbers of findings in words."""
        words = []
        for severity in (Severity.ERROR, Severity.WARNING, Severity.NOTE):
            n = self.report.count(severity)
            if n:
                words.append(counted(n, str(severity)))
        accepted = sum(1 for f in self.report if f.accepted)
        if accepted:
            words.append(f"{accepted} accepted")
        hidden = [] if self.verbose else [w for w in words if "note" in w or "accepted" in w]
        return ", ".join(words or ["no findings"]) + (" (-v shows notes and accepted findings)" if hidden else "")

    def finish(self, facts: dict[str, Any] | None = None) -> None:
        """Say what was found, as text or as one JSON document, and end the run with the exit status."""
        if self.as_json:
            click.echo(json.dumps(self.document(facts), ensure_ascii=False, indent=2))
        else:
            self.say_findings()
        sys.exit(self.status)

    def document(self, facts: dict[str, Any] | None = None) -> dict[str, Any]:
        """Return what a command found as plain data."""
        return {"game": self.game, **(facts or {}), "findings": self.report.to_list()}

    @property
    def status(self) -> int:
        """The exit status that the findings give."""
        worst = self.report.worst()
        return FOUND if worst is not None and worst >= self.fail_on else 0


def game_command(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the argument GAME and the shared options; it gets a Session as its first argument."""

    @click.argument("game")
    @root_option
    @report_options
    @functools.wraps(function)
    def wrapped(game: str, root: Path | None, session: Session, **options: Any) -> None:
        function(session.about(game, root), **options)

    return wrapped


def root_option(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the option that says where the games are."""
    return click.option(
        "--root",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        help="Folder with maps/, counters/ and modules/; default: the nearest one upward.",
    )(function)


def report_options(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say how findings are told; it gets a Session, about no game, as `session`."""

    @click.option("--json", "as_json", is_flag=True, help="Write one JSON document to standard output.")
    @click.option(
        "--fail-on",
        type=click.Choice(list(FAIL_ON)),
        default="error",
        show_default=True,
        help="Least severity of a finding that makes the exit status 1.",
    )
    @click.option("-q", "--quiet", is_flag=True, help="No progress and no summary, only findings.")
    @click.option("-v", "--verbose", is_flag=True, help="Also notes, accepted findings and times.")
    @functools.wraps(function)
    def wrapped(as_json: bool, fail_on: str, quiet: bool, verbose: bool, **options: Any) -> None:
        function(session=Session(Path.cwd(), "", as_json, quiet, verbose, FAIL_ON[fail_on]), **options)

    return wrapped


def arrangement_option(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the option that chooses between the arrangements of a map of several sheets."""
    return click.option(
        "--arrangement", default="", metavar="NAME", help="How the sheets of the map lie; default: the first."
    )(function)


def output_options(function: Callable[..., None]) -> Callable[..., None]:
    """Give a command the options that say where its files go."""
    function = click.option("--force", is_flag=True, help="Replace files that the tool did not make.")(function)
    return click.option(
        "-o",
        "--output",
        type=click.Path(file_okay=False, path_type=Path),
        help="Folder to write to; default: build/GAME under the root.",
    )(function)
