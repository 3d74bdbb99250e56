"""A game made anew whenever its files change: what is looked at, and what is kept from one time to the next."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolchain.report import Report, Severity, by_rows, counted

if TYPE_CHECKING:
    from toolchain.cli.making import Maker
    from toolchain.cli.session import Session
    from toolchain.survey.game import Loaded

Stamps = Mapping[Path, tuple[int, int]]
"""When every file was last written, in nanoseconds, and its bytes; files that are not there are left out."""

MOST_FILES, MOST_SAID = 20_000, 100


@dataclass(frozen=True)
class Made:
    """What came of making a game once. page: None when the data has errors. report: what was found, for people."""

    page: bytes | None
    report: Report
    trouble: str = ""

    @property
    def tally(self) -> str:
        """The numbers of errors and warnings in words."""
        counts = [(self.report.count(s), str(s)) for s in (Severity.ERROR, Severity.WARNING)]
        told = [counted(n, word) for n, word in counts if n]
        return ", ".join(([self.trouble] if self.trouble else []) + told) or "nothing found"

    @property
    def words(self) -> str:
        """Why no page was made: what broke, and the findings, gravest first."""
        told = by_rows(f for f in self.report if not f.accepted and f.severity > Severity.NOTE)
        lines = [f"{f}{f' (and in {len(rows) - 1} more rows)' if len(rows) > 1 else ''}" for f, rows in told]
        more = [f"… and {len(lines) - MOST_SAID} more"] if len(lines) > MOST_SAID else []
        return "\n".join(([self.trouble] if self.trouble else []) + lines[:MOST_SAID] + more)


class Watched:
    """One game and its files. What a change does not touch is kept: the surveyed map, and the drawn one."""

    def __init__(self, session: Session) -> None:
        """Take a session about a game; nothing is read yet."""
        self.session = replace(session, quiet=True)
        root, game = session.root, session.game
        self.folders = tuple(root / part / game for part in ("maps", "counters", "modules"))
        self._plan: tuple[tuple[int, int], tuple[Path, ...]] = (
            (0, 0),
            (),
        )  # stamp of map.toml, what it names elsewhere
        self._survey: tuple[Any, ...] = ()
        self._drawn: tuple[Any, ...] = ()

    def stamps(self) -> Stamps:
        """Look at every file that the game is made from."""
        out = dict(_stamped(p for folder in self.folders for p in _files(folder)))
        now = out.get(self.folders[0] / "map.toml", (0, 0))
        if now != self._plan[0]:
            self._plan = (now, tuple(sorted(named_files(self.folders[0]))) or self._plan[1])
        return out | dict(_stamped(self._plan[1]))

    def make(self, live: int) -> Made:
        """Make the page; whatever is wrong with the data, or breaks, is told and never raised. live: its number."""
        self.session.report = Report()
        try:
            return self._make(live)
        except Exception as error:  # one game that breaks the tool must not end the watch
            where = traceback.extract_tb(error.__traceback__)[-1]
            told = (
                f"the tool failed: {type(error).__name__}: {error} ({Path(where.filename).name}, line {where.lineno})"
            )
            return Made(None, self.session.report, told)

    def _make(self, live: int) -> Made:
        from toolchain.cli.making import Maker
        from toolchain.cli.viewing import view_page

        loaded = self._load()
        if loaded is not None:
            self.session.accept(loaded.game, whole=False)
        if loaded is None or self.session.report.failed:
            return Made(None, self.session.report)
        maker = Maker(self.session, loaded)
        self._draw(maker)
        page = view_page(maker, live)
        return Made(page, self.session.report)

    def _load(self) -> Loaded | None:
        """Read the game; its map is only surveyed when one of the map's files has changed."""
        from toolchain.sources.project import read_project
        from toolchain.survey.game import build_game
        from toolchain.survey.maps import survey_map

        report = self.session.report
        others = self.folders[1:]
        of_map = {
            p: stamp
            for p, stamp in self.stamps().items()
            if p.name != "style.toml" and not any(p.is_relative_to(folder) for folder in others)
        }
        project = read_project(self.session.root, self.session.game, report)
        if project is None:
            return None
        if not self._survey or self._survey[0] != of_map:
            found = Report()
            self._survey = (of_map, survey_map(project.map, found), found)
        _, surveyed, found = self._survey
        report.extend(found)
        return build_game(project, surveyed, report)

    def _draw(self, maker: Maker) -> None:
        """Draw the sheets of the map, unless the map, its look and the rules that its chart tells are the same."""
        style = maker.loaded.project.map_style
        basis = (self._survey[1], style, [g.rulebook for g in maker.games])
        if not self._drawn or self._drawn[0][0] is not basis[0] or self._drawn[0][1:] != basis[1:]:
            before, self.session.report = self.session.report, Report()
            self._drawn = (basis, maker.sheets, self.session.report)
            self.session.report = before
        _, maker.sheets, found = self._drawn
        self.session.report.extend(found)


def named_files(folder: Path) -> Iterator[Path]:
    """Yield the files that map.toml in a folder names and that lie elsewhere under maps/."""
    from toolchain.report import Location
    from toolchain.sources.documents import inside, read_toml

    def names(value: Any) -> Iterator[str]:
        inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        if isinstance(value, dict) and isinstance(value.get("file"), str):
            yield value["file"]
        for item in inner:
            yield from names(item)

    for name in set(names(read_toml(folder / "map.toml", "map.toml", Report()))):
        path = inside(folder, name, folder.parent, Location(), Report())
        if path is not None and not path.is_relative_to(folder):
            yield path


def _files(folder: Path) -> Iterator[Path]:
    """Yield the files of a folder and those below it, but for hidden ones and what editors leave beside a file."""
    for top, folders, names in os.walk(folder):
        folders[:] = sorted(f for f in folders if not f.startswith("."))
        yield from (
            Path(top, n) for n in sorted(names) if not n.startswith((".", "#")) and not n.endswith(("~", ".part"))
        )


def _stamped(paths: Iterable[Path]) -> Iterator[tuple[Path, tuple[int, int]]]:
    for path in islice(paths, MOST_FILES):
        try:
            seen = path.stat()
        except OSError:
            continue
        yield path, (seen.st_mtime_ns, seen.st_size)


def changed(before: Stamps, now: Stamps) -> list[Path]:
    """Return the files that came, went or were written between two looks."""
    return sorted(p for p in before.keys() | now.keys() if before.get(p) != now.get(p))


def settle(watched: Watched, seconds: float, most: int = 20) -> Stamps:
    """Wait until no file changes any more for so many seconds: whoever writes them is done.

    most: how many such spans to wait; files that never rest, such as a log, must not keep the game from being made.
    """
    seen = watched.stamps()
    for _ in range(most):
        time.sleep(seconds)
        now = watched.stamps()
        if now == seen:
            break
        seen = now
    return seen
