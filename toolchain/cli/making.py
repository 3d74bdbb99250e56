"""What the commands make, each as files by name; nothing is written here."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from toolchain.cli.judging import Table, judge_positions
from toolchain.cli.session import Session
from toolchain.model.position import Position
from toolchain.report import Finding, Location, Report
from toolchain.survey.game import Loaded

if TYPE_CHECKING:
    from concurrent.futures import Future

    from toolchain.art.mapsheet import MapSheet
    from toolchain.art.marks import Page
    from toolchain.checks.judge import Verdict
    from toolchain.export.printing import Faces, Pages
    from toolchain.export.vassal.gpids import Lock
    from toolchain.model.game import Game
    from toolchain.model.warmap import WarMap
    from toolchain.sources.decode.mapstyle import MapStyle
    from toolchain.sources.decode.vassal import VassalPlan
    from toolchain.survey.single import Surveyed

Files = dict[str, bytes]
LOCK_NAME = "gpids.toml"


def user_cache() -> Path | None:
    """Return the folder where the user's programs keep what they can make again; None where there is none."""
    given = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA")
    try:
        return (Path(given) if given else Path.home() / ".cache") / "wargame-toolchain"
    except RuntimeError:  # a user without a home
        return None


class Maker:
    """Make the files of one loaded game; what several of them need is drawn once."""

    def __init__(
        self,
        session: Session,
        loaded: Loaded,
        print_changes: Mapping[str, Any] | None = None,
        cached: bool = True,
    ) -> None:
        """Take a loaded game. print_changes: settings that go before [sheet]. cached: keep faces from run to run."""
        self.session, self.loaded, self.game = session, loaded, loaded.game
        self.map_style: MapStyle | None = None  # in place of the map's own
        style = loaded.project.style
        self.style = style.printed_on(**(print_changes or {})) if style is not None else None
        self.cache = user_cache() if cached else None

    @cached_property
    def sheets(self) -> dict[str, MapSheet]:
        """The sheets of the map, drawn, each with the page of what found no room on it."""
        from toolchain.export.printing import draw_maps

        style = self.map_style or self.loaded.project.map_style
        with self.session.step("draw the map"):
            whole: dict[str, MapSheet] = {}
            for one in self.loaded.every:
                whole |= draw_maps(one.game.map, one.drawing, style, self.session.report, one.game.rulebook)
            # Of an arrangement each sheet is printed by itself too; what is wrong with it was said of the whole.
            for sheet in self.loaded.sheets.values():
                whole |= draw_maps(sheet.warmap, sheet.drawing, style, Report())
            return whole

    @property
    def maps(self) -> Pages:
        """The sheets of the map without further pages, as a module wants them."""
        return {name: sheet.page for name, sheet in self.sheets.items()}

    @cached_property
    def faces(self) -> Faces:
        """The faces of the counters, drawn; none without a style."""
        from toolchain.export.printing import Faces, draw_faces

        with self.session.step("draw the counters"):
            if self.style is None:
                return Faces()
            return draw_faces(self.game, self.style, self.session.report, cache=self.cache)

    def check_data(self) -> None:
        """Report what is wrong with the game's data: map connectivity, terrain, names."""
        from toolchain.checks.arranged import check_arranged, check_sheets
        from toolchain.checks.seams import check_seams
        from toolchain.checks.structure import check_drawn

        plan, loaded = self.loaded.project.map, self.loaded
        with self.session.step("check the map"):
            found = {one.arrangement: check_drawn(plan, one.game.map, one.drawing, one.ends) for one in loaded.every}
            self.session.report.extend(check_arranged(found))
            self.session.report.extend(check_sheets(plan, {n: one.warmap for n, one in loaded.sheets.items()}))
            self.session.report.extend(check_seams(plan, loaded.sheets))
            self.check_used(loaded.setups)

    def check_used(self, positions: Sequence[Position]) -> None:
        """Report spaces that positions name and the map lacks."""
        from toolchain.checks.structure import check_names

        for one in self.loaded.every:
            here = [p for p in positions if self.loaded.on(p.arrangement) is one]
            used = [(p.at, p.where) for position in here for p in position.pieces]
            used += [(at, where) for position in here for at, where in position.control_where.items()]
            self.session.report.extend(check_names(one.game.map, used))

    @property
    def table(self) -> Table:
        """The game as positions of it are judged, on every arrangement of its map."""
        return Table({one.arrangement: one.game for one in self.loaded.every}, {}, self.loaded.project.file.controller)

    @cached_property
    def saved_table(self) -> Table:
        """Return the game with what tells the positions of saved games of its module."""
        from toolchain.export.vassal.carried import build_readings
        from toolchain.export.vassal.module import pixels_per_mm

        plan, lock = self.module_plan
        readings = build_readings(self.table.games, plan, lock.gpids, pixels_per_mm(self.game, plan))
        return replace(self.table, readings=readings)

    def judge(self, positions: Sequence[Position], only: tuple[str, ...] = (), moment: str = "") -> dict[str, Verdict]:
        """Judge positions by the rules and report what is wrong with them; see `judge_positions`."""
        return judge_positions(self.session, self.table, positions, only, moment)

    def accept(self, *, whole: bool) -> None:
        """Mark accepted findings. whole: everything was checked, so that an acceptance without a finding is stale."""
        self.session.accept(self.game, whole=whole)

    def map_files(self, formats: Sequence[str] = ("json", "graphml"), *, others: bool = False) -> Files:
        """Make the graph files: map.json, map.graphml, map.geojson, and for csv a table of each kind.

        others: also of the further arrangements of a map of several sheets, with their names in those of the files.
        """
        from toolchain.export.vassal.pictures import slug

        out = self._graph_files(self.game.map, formats)
        for one in self.loaded.others if others else ():
            for name, data in self._graph_files(one.game.map, formats).items():
                stem, _, ending = name.partition(".")
                out[f"{stem}-{slug(one.arrangement)}.{ending}"] = data
        return out

    def _graph_files(self, whole: WarMap, formats: Sequence[str]) -> Files:
        from toolchain.export.geojson import to_geojson
        from toolchain.export.graphfiles import to_graphml, to_json
        from toolchain.export.tables import to_tables
        from toolchain.sources.projection import build_projection

        out = Files()
        with self.session.step("write the graph"):
            # Whatever is wrong with the projection was said when the drawing was surveyed.
            projection = build_projection(self.loaded.project.map, Report())
            if "json" in formats:
                out["map.json"] = to_json(whole).encode()
            if "graphml" in formats:
                out["map.graphml"] = to_graphml(whole)
            if "geojson" in formats:
                out["map.geojson"] = to_geojson(whole, projection).encode()
            if "csv" in formats:
                out |= {f"{name}.csv": text.encode() for name, text in to_tables(whole, projection).items()}
        return out

    def sheet_files(self, dpi: float = 0, paper: str = "", overlap: float = 10.0) -> Files:
        """Make the map sheets. dpi: also as PNG at this resolution. paper: also as tiles for this paper."""
        from toolchain.art.cutting import cut_sheets
        from toolchain.export.printing import map_sheet_files

        sheets, style = self.sheets, self.map_style or self.loaded.project.map_style
        with self.session.step("write the map sheets"):
            whole = {**sheets, **cut_sheets(sheets, style.cut)}
            return map_sheet_files(self.game.map, whole, dpi, paper=paper, overlap=overlap)

    def grid_files(self, dpi: float = 0, paper: str = "", overlap: float = 10.0) -> Files:
        """Make the grids of the map sheets alone. Arguments as for `sheet_files`."""
        from toolchain.export.printing import GRID, draw_grids, map_sheet_files

        style = self.map_style or self.loaded.project.map_style
        with self.session.step("draw the grid"):
            sheets: dict[str, MapSheet] = {}
            for one in self.loaded.every:
                sheets |= draw_grids(one.game.map, style)
            return map_sheet_files(self.game.map, sheets, dpi, GRID, paper, overlap)

    def counter_files(self, dpi: float = 0) -> Files:
        """Make counter faces and counter sheets. dpi: also as PNG at this resolution."""
        from toolchain.export.printing import counter_sheet_files, face_files

        faces = {f"faces/{n}": d for n, d in face_files(self.game, self.faces, dpi, self.cache).items()}
        with self.session.step("lay out the counter sheets"):
            if self.style is not None:
                whole = replace(self.game, setups=self.loaded.setups)  # the manifest counts what all of them use
                faces |= counter_sheet_files(whole, self.style, self.session.report, dpi, self.cache)
            return faces

    @cached_property
    def module_plan(self) -> tuple[VassalPlan, Lock]:
        """Read the settings of the module, and the lock of piece ids with an id for every counter."""
        from toolchain.export.vassal.gpids import read_lock, update_lock
        from toolchain.export.vassal.module import lock_ids
        from toolchain.sources.decode.vassal import VassalPlan, decode_vassal
        from toolchain.sources.documents import TOML_LIMIT, read_text

        report, folder = self.session.report, f"modules/{self.game.name}"
        plan = decode_vassal(dict(self.loaded.project.module), f"{folder}/vassal.toml", report) or VassalPlan()
        path, shown = self.loaded.project.folder / LOCK_NAME, f"{folder}/{LOCK_NAME}"
        read = read_text(path, TOML_LIMIT, Location(file=shown), report) if path.exists() else None
        return plan, update_lock(
            read_lock(read[0] if read else "", shown, report), lock_ids([one.game for one in self.loaded.every], plan)
        )

    @property
    def singles(self) -> list[Game]:
        """The game on each sheet that can be laid in several ways, and on the same turned: boards of their own, too."""
        both = [(self.loaded.sheets[n], s) for n, s in self.turned.items()]
        return [replace(self.game, map=one.warmap, setups=()) for pair in both for one in pair]

    @cached_property
    def turned(self) -> dict[str, Surveyed]:
        """Those sheets, turned by half a circle: VASSAL's own turning forgets what zones tell."""
        from toolchain.survey.sheets import turned

        laid, words, sheets = {x.name for x in self.game.map.sheets}, self.module_plan[0].words, self.loaded.sheets
        called = {n: f"{s.warmap.sheets[0].title or n}, {words.turned}" for n, s in sheets.items() if n not in laid}
        return {n: turned(self.loaded.project.map, sheets, n, name) for n, name in called.items()}

    @cached_property
    def module_maps(self) -> Pages:
        """The sheets of the map as the boards of a module."""
        from toolchain.export.printing import draw_maps

        style, out = self.map_style or self.loaded.project.map_style, dict(self.maps)
        for one in self.turned.values():
            drawn = draw_maps(one.warmap, one.drawing, style, Report())
            out |= {name: sheet.page for name, sheet in drawn.items()}
        return out

    @cached_property
    def boards(self) -> Future[Files]:
        """The boards of the module as pictures: the longest work of all, which goes on beside other work once begun."""
        from concurrent.futures import ThreadPoolExecutor

        from toolchain.export.printing import board_pictures
        from toolchain.export.vassal.module import pixels_per_mm

        scale = pixels_per_mm(self.game, self.module_plan[0])
        pool = ThreadPoolExecutor(1)
        work = pool.submit(board_pictures, [*self.games, *self.singles], self.module_maps, scale, self.cache)
        pool.shutdown(wait=False)
        return work

    def module_files(self) -> tuple[Files, str]:
        """Make the VASSAL module; return it and the text of the lock of piece ids, which is part of the game's data."""
        from toolchain.export.printing import chart_pictures, hidden_pages, piece_pictures
        from toolchain.export.vassal.carried import carried_files
        from toolchain.export.vassal.module import build_module, pixels_per_mm

        game, report, loaded = self.game, self.session.report, self.loaded
        plan, lock = self.module_plan
        others, singles = [one.game for one in loaded.others], self.singles
        boards, faces = self.boards, self.faces
        carried = carried_files(self.saved_table.games, self.saved_table.readings, loaded.project.rules)
        with self.session.step("render the module's pictures"):
            hidden = hidden_pages(game, self.style, plan) if self.style is not None else {}
            scale, svg = pixels_per_mm(game, plan), plan.faces == "svg"
            pictures = piece_pictures(game.counters, faces, scale, self.cache, hidden, svg)
            pictures |= chart_pictures(self.style) if self.style is not None and plan.charts else {}
            pictures |= boards.result()  # what takes longest comes last
        with self.session.step("build the module"):
            module = build_module(game, pictures, plan, lock, report, carried, others, singles)
            return {f"{game.name}.vmod": module}, lock.text

    @property
    def games(self) -> list[Game]:
        """The game on every arrangement of its map, each with its set-ups."""
        return [one.game for one in self.loaded.every]

    @cached_property
    def hidden(self) -> dict[str, Page]:
        """What others see of hidden pieces and cards, by counter id."""
        from toolchain.export.printing import hidden_pages

        plan, _ = self.module_plan
        return hidden_pages(self.game, self.style, plan) if self.style is not None else {}

    def compare(self, earlier: Path, data: bytes, name: str) -> list[Finding]:
        """Report what a new module changes for games saved with an earlier one; return those findings."""
        from toolchain.cli.session import shown_path
        from toolchain.export.vassal.since import compare_modules
        from toolchain.sources.vassal.modules import read_module

        with self.session.step("compare with the module before"):
            old = read_module(earlier, shown_path(earlier), self.session.report)
            new = read_module(data, name, self.session.report)
            found = list(compare_modules(old, new)) if old is not None and new is not None else []
        self.session.report.extend(found)
        return found

    def lock_file(self, text: str) -> tuple[Path, bytes] | None:
        """Return the file of the lock of piece ids, if its text is new."""
        path = self.loaded.project.folder / LOCK_NAME
        data = text.encode()
        return None if path.exists() and path.read_bytes() == data else (path, data)
