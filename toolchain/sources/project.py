"""A game as its three folders of files state it: everything read, nothing surveyed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolchain.catalogue import FILE_MISSING
from toolchain.model.forces import Counter, Side
from toolchain.model.game import Event
from toolchain.model.position import Position
from toolchain.report import Location, Report
from toolchain.sources.artwork import read_artwork, read_backdrops
from toolchain.sources.decode.counters import decode_counters
from toolchain.sources.decode.games import GameFile, decode_game
from toolchain.sources.decode.maps import MapPlan, read_map
from toolchain.sources.decode.mapstyle import MapStyle, classic_map_style, decode_map_style
from toolchain.sources.decode.setups import decode_setup
from toolchain.sources.decode.style import Style, check_style_names, decode_style
from toolchain.sources.documents import read_table, read_toml


@dataclass(frozen=True)
class Project:
    """What the files of one game state. A part is None when its file is missing or cannot be used.

    setups: their spaces are still as the tables write them. rules, module: raw values of rules.toml and vassal.toml,
    which can only be decoded once the map is there; empty when the game has none.
    """

    root: Path
    name: str
    file: GameFile
    sides: Mapping[str, Side]
    events: Mapping[str, Event]
    map: MapPlan
    counters: tuple[Counter, ...] = ()
    style: Style | None = None
    map_style: MapStyle = field(default_factory=classic_map_style)
    setups: tuple[Position, ...] = ()
    rules: Mapping[str, Any] = field(default_factory=dict)
    module: Mapping[str, Any] = field(default_factory=dict)

    @property
    def folder(self) -> Path:
        """The folder of game.toml."""
        return self.root / "modules" / self.name


def read_project(root: Path, name: str, report: Report) -> Project | None:
    """Read everything that maps/NAME, counters/NAME and modules/NAME hold.

    root: folder with maps/, counters/ and modules/. Returns None when game.toml or map.toml cannot be used. Every
    fault of every file is a finding, also of those that are read after a faulty one.
    """
    modules = f"modules/{name}"
    raw_game = read_toml(root / modules / "game.toml", f"{modules}/game.toml", report)
    file = None if raw_game is None else decode_game(raw_game, f"{modules}/game.toml", report)
    sides = {} if file is None else file.built_sides()
    events = {} if file is None else file.built_events()

    plan = read_map(root, name, report)
    map_style = read_map_style(root, name, report)

    counters: tuple[Counter, ...] = ()
    style = None
    if (root / "counters" / name).is_dir():
        shown = f"counters/{name}/units.csv"
        table = read_table(root / shown, shown, report)
        # Without game.toml every side would be unknown: its own finding is enough.
        if table is not None and file is not None:
            counters = decode_counters(table, sides, report)
        raw_style = read_toml(root / "counters" / name / "style.toml", f"counters/{name}/style.toml", report)
        style = None if raw_style is None else decode_style(raw_style, f"counters/{name}/style.toml", report)
        if style is not None and table is not None:
            report.extend(check_style_names(style, table.columns, f"counters/{name}/style.toml"))
        if style is not None:
            style = style.with_artwork(read_artwork(root, f"counters/{name}", style, counters, report))
    else:
        report.add(FILE_MISSING, Location(file=f"counters/{name}"), f"there is no folder counters/{name}")

    setups = []
    for path in sorted((root / modules / "setups").glob("*.csv")):
        shown = f"{modules}/setups/{path.name}"
        table = read_table(path, shown, report)
        if table is not None and file is not None:
            by_id = {c.id: c for c in counters}
            laid = () if plan is None else plan.arranged
            setups.append(decode_setup(table, path.stem, by_id, sides, events, file.controller, report, laid))

    rules = _optional(root, f"{modules}/rules.toml", report)
    module = _optional(root, f"{modules}/vassal.toml", report)
    if file is None or plan is None:
        return None
    return Project(
        root=root,
        name=name,
        file=file,
        sides=sides,
        events=events,
        map=plan,
        counters=counters,
        style=style,
        map_style=map_style,
        setups=tuple(setups),
        rules=rules or {},
        module=module or {},
    )


def read_map_style(root: Path, name: str, report: Report, base: str = "") -> MapStyle:
    """Read maps/NAME/style.toml, which may be missing. base: the style to lay it over, in place of the one it names."""
    shown = f"maps/{name}/style.toml"
    raw = _optional(root, shown, report)
    style = decode_map_style(raw or {}, shown, report, base) or classic_map_style()
    return style.with_pictures(read_backdrops(root, name, style.picture, report)) if style.picture else style


def read_position(project: Project, path: Path, shown: str, report: Report) -> Position | None:
    """Read a position from a table in the form of a set-up; shown is its name in messages."""
    table = read_table(path, shown, report)
    if table is None:
        return None
    by_id = {c.id: c for c in project.counters}
    file, laid = project.file, project.map.arranged
    return decode_setup(table, path.stem, by_id, project.sides, project.events, file.controller, report, laid)


def _optional(root: Path, shown: str, report: Report) -> dict[str, Any] | None:
    return read_toml(root / shown, shown, report) if (root / shown).exists() else None
