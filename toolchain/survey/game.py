"""The game put together: the surveyed map, and on it the rules and the set-ups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from toolchain.model.drawing import Drawing, LineEnd
from toolchain.model.game import Game
from toolchain.model.position import Position
from toolchain.model.rulebook import Rulebook
from toolchain.report import Report
from toolchain.sources.decode.rules import decode_rules
from toolchain.sources.decode.vocabulary import Vocabulary
from toolchain.sources.project import Project
from toolchain.survey.maps import survey_map
from toolchain.survey.single import Surveyed


@dataclass(frozen=True)
class Loaded:
    """A game with the files that it was made from, and the drawing of its map in sheet millimetres.

    sheets: each sheet of a map of several by itself; the map of the game is their first arrangement. others: the game
    on each further arrangement, with the set-ups that are laid on it. ends: of the lines over hexes.
    """

    project: Project
    game: Game
    drawing: Drawing
    sheets: Mapping[str, Surveyed] = field(default_factory=dict)
    arrangement: str = ""
    others: tuple[Loaded, ...] = ()
    ends: tuple[LineEnd, ...] = ()

    @property
    def every(self) -> tuple[Loaded, ...]:
        """The game on all arrangements, the first of them first."""
        return (self, *self.others)

    @property
    def setups(self) -> tuple[Position, ...]:
        """The set-ups on all arrangements, in the order of their files."""
        order = {setup.name: n for n, setup in enumerate(self.project.setups)}
        return tuple(sorted((s for one in self.every for s in one.game.setups), key=lambda s: order[s.name]))

    def on(self, arrangement: str) -> Loaded:
        """Return the game on an arrangement, "" for the first; KeyError for one that there is not."""
        return {"": self, **{one.arrangement: one for one in self.every}}[arrangement]


def survey_project(project: Project, report: Report) -> Loaded:
    """Survey the drawing of a project and put its game together; every fault is a finding.

    Spaces that a set-up calls by another spelling of the map get their key. Those that the map lacks stay as written,
    for the checks to report. Where the sheets of a map can lie together in several ways, rules may name what is on any
    of them.
    """
    return build_game(project, survey_map(project.map, report), report)


def build_game(project: Project, surveyed: Surveyed, report: Report) -> Loaded:
    """Put a game together on its map that was surveyed already; for the rest, see `survey_project`."""
    maps = surveyed.arrangements or {"": surveyed}
    said = [Report() for _ in maps]
    first, *others = (
        Loaded(project, _game(project, name, n == 0, one, said[n]), one.drawing, surveyed.sheets, name, ends=one.ends)
        for n, (name, one) in enumerate(maps.items())
    )
    everywhere = [{(f.rule.code, f.where) for f in found} for found in said[1:]]
    report.extend(f for f in said[0] if all((f.rule.code, f.where) in found for found in everywhere))
    return replace(first, others=tuple(others))


def _game(project: Project, arrangement: str, first: bool, surveyed: Surveyed, report: Report) -> Game:
    """Put the game on one arrangement together, with its set-ups. first: also with those that name none."""
    warmap, file = surveyed.warmap, project.file
    rulebook = Rulebook()
    if project.rules:
        words = Vocabulary.of(warmap, project.counters, project.sides, project.events, len(file.turns))
        rulebook = decode_rules(project.rules, f"modules/{project.name}/rules.toml", words, report)
    laid = {arrangement, ""} if first else {arrangement}
    return Game(
        name=project.name,
        title=file.title,
        version=file.version,
        description=file.description,
        sides=project.sides,
        map=warmap,
        counters=project.counters,
        rulebook=rulebook,
        setups=tuple(setup.respelled(warmap.spellings) for setup in project.setups if setup.arrangement in laid),
        events=project.events,
        track=file.built_track(),
        accepted=file.built_accepted(),
        credits=file.credits,
    )
