"""What the pieces of a module know of the rules: how they count in stacks, and whose zones of control they have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from toolchain.export.vassal.limits import Limits, build_limits
from toolchain.export.vassal.overstack import (
    Watch,
    build_prototype,
    build_watch,
    countings_of,
    prototype_name,
    stack_property,
)
from toolchain.export.vassal.zones import Told, build_told
from toolchain.export.vassal.zonesofcontrol import (
    Exerting,
    build_exerting,
    shading_prototypes,
    zone_property,
    zone_prototype,
)
from toolchain.model.forces import Counter, Value
from toolchain.model.game import Game
from toolchain.report import Report
from toolchain.sources.decode.vassal import VassalPlan
from toolchain.sources.vassal.pieces import Traits
from toolchain.sources.vassal.traits import BasicPiece


@dataclass(frozen=True)
class Rules:
    """What a module watches. told: what it knows of every space, map by map.

    used: sets of countings that some counter has. hidden: by counter id, the picture that the other side sees.
    """

    limits: Limits = field(default_factory=Limits)
    watch: Watch = field(default_factory=Watch)
    told: tuple[Mapping[str, Told], ...] = ()
    exerting: Exerting = field(default_factory=Exerting)
    used: tuple[tuple[int, ...], ...] = ()
    hidden: Mapping[str, str] = field(default_factory=dict)

    def names_of(self, counter: Counter) -> list[str]:
        """Return the prototypes that a counter uses."""
        countings = tuple(countings_of(counter, self.limits))
        out = [prototype_name(countings)] if countings else []
        if self.exerting.steps_of(counter):
            out.append(zone_prototype(counter.side, self.exerting.changes(counter)))
        return out

    def numbers_of(self, counter: Counter) -> dict[str, list[Value]]:
        """Return the properties of a counter that the rules ask for, in every step."""
        out: dict[str, list[Value]] = {}
        for n, weights in countings_of(counter, self.limits).items():
            out[stack_property(n)] = list(weights)
        if self.exerting.changes(counter):
            out[zone_property()] = [int(x) for x in self.exerting.steps_of(counter)]
        return out

    def prototypes(self, plan: VassalPlan, size: tuple[int, int]) -> dict[str, Traits]:
        """Make what pieces share for the rules' sake. size: of the largest counter, in pixels."""
        width, height = size
        corner = (round(width * 0.42), -round(height * 0.42))
        out: dict[str, Traits] = {}
        for countings in self.used:
            shared = build_prototype(countings, self.limits, self.watch, plan.words.crowded_report, corner)
            out[prototype_name(countings)] = (*shared, BasicPiece())
        return out | shading_prototypes(self.exerting)


def build_rules(games: Sequence[Game], plan: VassalPlan, report: Report) -> Rules:
    """Work out what a module can watch; what it cannot is a finding. games: the game on every board."""
    limits = build_limits(games, report)
    maps = [game.map for game in games]
    watch = build_watch(maps, limits)
    used = dict.fromkeys(t for c in games[0].counters if (t := tuple(countings_of(c, limits))))
    told = tuple(build_told(one, n, limits, watch.kinds, plan.words) for n, one in enumerate(maps))
    return Rules(limits, watch, told, build_exerting(games[0], plan, report), tuple(used))
