"""Shading of zones of control: for each side a veil over the hexes around its pieces that a player turns on and off.

VASSAL shades all hexes around a piece. It knows neither rivers nor supply nor events, so the veil shows where zones may
lie, and `toolchain check` says where they do. Pieces that hide from the other side cast no shade: it would betray them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from toolchain.catalogue import SHADE_UNSURE
from toolchain.export.vassal.buildfile import Element, part
from toolchain.export.vassal.choice import takes
from toolchain.export.vassal.knowing import in_play, places_in, static
from toolchain.export.vassal.limits import every_face
from toolchain.model.forces import Counter
from toolchain.model.game import Game
from toolchain.model.terms import EVERY
from toolchain.report import Report
from toolchain.sources.decode.vassal import VassalPlan
from toolchain.sources.vassal.codec import ctrl_shift
from toolchain.sources.vassal.pieces import Traits
from toolchain.sources.vassal.traits import AreaOfEffect, BasicPiece

COLOURS = ("#b3261e", "#1f4e9e", "#2e7d32", "#6a1b9a", "#b26a00", "#37474f")
KEYS = "123456789"


@dataclass(frozen=True)
class Exerting:
    """Who has a zone of control. steps: by counter id, in which steps. colours: by side, r,g,b as VASSAL writes it."""

    steps: Mapping[str, tuple[bool, ...]] = field(default_factory=dict)
    colours: Mapping[str, str] = field(default_factory=dict)

    def steps_of(self, counter: Counter) -> tuple[bool, ...]:
        """Return in which steps a counter has a zone; empty for never."""
        return self.steps.get(counter.id, ())

    def changes(self, counter: Counter) -> bool:
        """Tell whether a counter has a zone in some steps and none in others."""
        return len(set(self.steps_of(counter))) > 1


def build_exerting(game: Game, plan: VassalPlan, report: Report) -> Exerting:
    """Find the counters that have zones of control on hexes."""
    if not (game.map.grids and game.map.spaces and game.rulebook.zoc and game.counters):
        return Exerting()
    rows, layout = every_face(game)
    steps: dict[str, list[bool]] = {}
    for rule in game.rulebook.zoc:
        edges = [game.rulebook.edges[name] for name in rule.over if name in game.rulebook.edges]
        if edges and not any(j.startswith("hexside") for e in edges for j in e.join):
            continue
        if rule.needs or rule.when != EVERY or in_play(rule.of) or places_in(rule.of) or any(e.bars for e in edges):
            text = f"these zones{rule.basis} depend on what VASSAL cannot know; it shades where they may lie"
            report.add(SHADE_UNSURE, rule.where_from, text)
        exerts = layout.counted(static(rule.of)).tolist()
        for (ident, step), yes in zip(rows, exerts, strict=True):
            row = steps.setdefault(ident, [False] * len(game.counter[ident].faces))
            row[step] = row[step] or yes
    shown = {
        i: tuple(row)
        for i, row in steps.items()
        if any(row) and game.counter[i].side in game.sides and not takes(plan.hide, game.counter[i])
    }
    sides = [s for s in game.sides if any(game.counter[i].side == s for i in shown)]
    colours = {s: plan.zones.get(s, COLOURS[n % len(COLOURS)]) for n, s in enumerate(game.sides) if s in sides}
    return Exerting(shown, {s: _rgb(c) for s, c in colours.items()})


def _rgb(colour: str) -> str:
    return ",".join(str(int(colour[i : i + 2], 16)) for i in (1, 3, 5))


def shader_name(side: str) -> str:
    """Return the name of a side's shading."""
    return f"Zones {side}"


def zone_property() -> str:
    """Return the name of the property that says how far a piece's zone reaches."""
    return "Zone"


def zone_prototype(side: str, changes: bool) -> str:
    """Return the name of the prototype of pieces with a zone. changes: they lose it with a step."""
    return f"Zone {side}{' by step' if changes else ''}"


def shading_prototypes(exerting: Exerting) -> dict[str, Traits]:
    """Make what pieces with a zone share, by side."""
    out: dict[str, Traits] = {}
    for side, colour in exerting.colours.items():
        always = AreaOfEffect(colour, 30, 1, shader=shader_name(side))
        by_step = AreaOfEffect(colour, 30, 1, shader=shader_name(side), fixed=False, radius_property=zone_property())
        out[zone_prototype(side, False)] = (always, BasicPiece())
        out[zone_prototype(side, True)] = (by_step, BasicPiece())
    return out


def build_shaders(game: Game, plan: VassalPlan, exerting: Exerting) -> list[Element]:
    """Write the shadings, each with its button."""
    out = []
    for n, (side, colour) in enumerate(exerting.colours.items()):
        title = f"{plan.words.zones} {game.sides[side].title}"
        out.append(
            part(
                "map.MapShader",
                name=shader_name(side),
                alwaysOn=False,
                startsOn=False,
                buttonText=title,
                tooltip=plan.words.about_shades,
                icon="",
                hotkey=ctrl_shift(KEYS[n]) if n < len(KEYS) else "",
                type="Foreground",
                boards="Yes",
                drawOver=False,
                pattern="100% (Solid)",
                color=colour,
                opacity=28,
                border=True,
                borderColor=colour,
                borderWidth=1,
                borderOpacity=100,
            )
        )
    return out
