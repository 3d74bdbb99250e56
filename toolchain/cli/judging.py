"""What is judged: a game out of its folders or out of a module, and positions out of tables and saved games."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from toolchain.cli.session import Session, shown_path
from toolchain.model.game import Game
from toolchain.model.position import Position
from toolchain.report import Location

if TYPE_CHECKING:
    from toolchain.checks.judge import Verdict
    from toolchain.export.vassal.carried import Reading
    from toolchain.sources.vassal.saves import Save, Saved

SAVES = (".vsav", ".vlog")


@dataclass
class Table:
    """A game as it is played: on each arrangement of its map, and how saves of each are read; the first one first."""

    games: Mapping[str, Game]
    readings: Mapping[str, Reading] = field(default_factory=dict)
    controller: str = ""

    @property
    def first(self) -> Game:
        """The game on the first arrangement."""
        return next(iter(self.games.values()))

    @property
    def setups(self) -> dict[str, Position]:
        """All set-ups by name."""
        return {s.name: s for game in self.games.values() for s in game.setups}

    def on(self, arrangement: str) -> Game:
        """Return the game on an arrangement, "" for the first."""
        return self.games.get(arrangement, self.first)


def read_module_table(session: Session, module: Path) -> Table | None:
    """Read the game that a module carries."""
    from toolchain.export.vassal.carried import read_carried
    from toolchain.sources.vassal.archive import read_archive

    with session.step("read the module"):
        archive = read_archive(module, shown_path(module.resolve()), session.report)
        carried = None if archive is None else read_carried(archive, session.report)
    if carried is None:
        return None
    controllers = [s.controller for game in carried.games.values() for s in game.setups]
    return Table(carried.games, carried.readings, next(iter(controllers), ""))


def judge_positions(
    session: Session, table: Table, positions: Sequence[Position], only: tuple[str, ...] = (), moment: str = ""
) -> dict[str, Verdict]:
    """Judge positions by the rules and report what is wrong with them; return the verdicts by position.

    only: names of checks, all by default. moment: of play, in a word of the rules; "" for all of them.
    """
    from toolchain.checks.judge import judge
    from toolchain.checks.positions import check_position
    from toolchain.graph.board import Board

    out = {}
    with session.step("check the positions"):
        boards: dict[int, Board] = {}
        for position in positions:
            game = table.on(position.arrangement)
            board = boards.setdefault(id(game), Board.from_map(game.map))
            verdict = out[position.name] = judge(game, board, position, moment)
            session.report.extend(check_position(verdict, only))
    return out


def facts_of(verdict: Verdict) -> dict[str, Any]:
    """Return what was judged of a position as plain data: supply by side and by unit, control and zones by side."""
    from toolchain.checks.capacities import capacities
    from toolchain.checks.proportions import shares

    game = verdict.game
    side_of = {p.id: game.counter[p.counter].side for p in verdict.layout.pieces}
    units = verdict.supply | {verdict.layout.pieces[row].id: "undecided" for row in verdict.undecided.tolist()}
    return {
        "pieces": len(verdict.position.pieces),
        "supply": {
            side: dict(sorted(Tally(g for i, g in units.items() if side_of[i] == side).items())) for side in game.sides
        },
        "units": units,
        "statuses": {
            name: {i: "undecided" if on is None else on for i, on in has.items() if on is not False}
            for name, has in verdict.statuses.items()
        },
        "control": {
            side: sorted(s.key for s, n in zip(game.map.spaces, verdict.layout.control.tolist(), strict=True) if n == i)
            for i, side in enumerate(game.sides)
        },
        "zones": {side: sorted(verdict.zone(side)) for side in game.sides},
        "proportions": [share.data | {"words": share.words} for share in shares(verdict)],
        "capacities": [h.data | {"words": h.words} for h in capacities(verdict)],
    }


@dataclass(frozen=True)
class Read:
    """A position, and where it was read from. save: with its pieces by id in the position, for a saved game."""

    position: Position
    save: Save | None = None
    saved: Mapping[str, Saved] = field(default_factory=dict)


def read_files(session: Session, table: Table, files: Sequence[Path], setup: str = "") -> list[Read]:
    """Read positions out of tables in the form of a set-up, and out of saved games; each has a name of its own.

    setup: whose words hold where a save does not tell them.
    """
    out: list[Read] = []
    for path in files:
        shown = shown_path(path.resolve())
        name = path.stem if all(r.position.name != path.stem for r in out) else shown
        one = (
            _read_save(session, table, path, name, shown, setup)
            if path.suffix in SAVES
            else _read_table(session, table, path, name, shown)
        )
        out += [one] if one is not None else []
    return out


def _read_table(session: Session, table: Table, path: Path, name: str, shown: str) -> Read | None:
    from toolchain.sources.decode.setups import decode_setup
    from toolchain.sources.documents import read_table

    cells = read_table(path, shown, session.report)
    if cells is None:
        return None
    game = table.first
    position = decode_setup(cells, name, game.counter, game.sides, game.events, table.controller, session.report)
    return Read(position.respelled(table.on(position.arrangement).map.spellings))


def _read_save(session: Session, table: Table, path: Path, name: str, shown: str, setup: str) -> Read | None:
    from toolchain.export.vassal.readback import read_position, which_arrangement
    from toolchain.sources.vassal.saves import read_save

    with session.step("read the saved game"):
        save = read_save(path, shown, session.report)
        if save is None:
            return None
        arrangement = which_arrangement(table.games, table.readings, save, setup)
        game, reading = table.on(arrangement), table.readings[arrangement]
        position, saved = read_position(game, reading, save, name, shown, session.report, setup)
    return Read(replace(position, arrangement=arrangement, where=Location(file=shown)), save, saved)


def read_positions(
    session: Session, table: Table, names: Sequence[str], files: Sequence[Path], setup: str = ""
) -> list[Read]:
    """Return the set-ups and positions that were asked for; all set-ups when none was.

    setup: whose words hold where a save does not tell them.
    """
    from toolchain.report import did_you_mean

    setups = table.setups
    for name in (*names, *([setup] if setup else [])):
        if name not in setups:
            listed = ", ".join(setups) or "none"
            raise click.UsageError(f"there is no set-up {name!r}{did_you_mean(name, setups)} (set-ups: {listed})")
    out = [Read(setups[n]) for n in names] + read_files(session, table, files, setup)
    return out if names or files else [Read(s) for s in setups.values()]


def check_used(session: Session, table: Table, positions: Sequence[Position]) -> None:
    """Report spaces that positions name and their map lacks."""
    from toolchain.checks.structure import check_names

    for position in positions:
        used = [(p.at, p.where) for p in position.pieces] + list(position.control_where.items())
        session.report.extend(check_names(table.on(position.arrangement).map, used))


def check_files(paths: Sequence[Path]) -> None:
    """Refuse files that are not there, before anything is read."""
    for path in paths:
        if not path.is_file():
            raise click.UsageError(f"there is no file {str(path)!r}")
