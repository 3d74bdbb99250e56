"""The game put together: the surveyed map, and on it the rules and the set-ups."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toolchain.model.drawing import Drawing
from toolchain.model.game import Game
from toolchain.model.rulebook import Rulebook
from toolchain.report import Report
from toolchain.sources.decode.rules import decode_rules
from toolchain.sources.decode.vocabulary import Vocabulary
from toolchain.sources.project import Project
from toolchain.survey.maps import Surveyed, survey_map


@dataclass(frozen=True)
class Loaded:
    """A game with the files that it was made from, and the drawing of its map in sheet millimetres.

    sheets: each sheet of a map of several by itself; the map of the game is their first arrangement.
    """

    project: Project
    game: Game
    drawing: Drawing
    sheets: Mapping[str, Surveyed] = field(default_factory=dict)


def survey_project(project: Project, report: Report) -> Loaded:
    """Survey the drawing of a project and put its game together; every fault is a finding.

    Spaces that a set-up calls by another spelling of the map get their key. Those that the map lacks stay as written,
    for the checks to report.
    """
    surveyed = survey_map(project.map, report)
    warmap, file = surveyed.warmap, project.file
    rulebook = Rulebook()
    if project.rules:
        words = Vocabulary.of(warmap, project.counters, project.sides, project.events)
        rulebook = decode_rules(project.rules, f"modules/{project.name}/rules.toml", words, report)
    game = Game(
        name=project.name,
        title=file.title,
        version=file.version,
        description=file.description,
        sides=project.sides,
        map=warmap,
        counters=project.counters,
        rulebook=rulebook,
        setups=tuple(setup.respelled(warmap.spellings) for setup in project.setups),
        events=project.events,
        track=file.built_track(),
        accepted=file.built_accepted(),
        credits=file.credits,
    )
    return Loaded(project, game, surveyed.drawing, surveyed.sheets)
