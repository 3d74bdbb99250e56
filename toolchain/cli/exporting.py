"""What `toolchain export` makes: the game for each other program, and how much of it there is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from toolchain.cli.making import Files, Maker

if TYPE_CHECKING:
    from toolchain.model.game import Game

Counts = dict[str, int]


def _marked(maker: Maker) -> list[Game]:
    """Return the game on every arrangement of its map, with the markers of control that a module lays."""
    from toolchain.export.placing import with_control

    markers = {side: (face.counter, face.step) for side, face in maker.module_plan[0].control.items()}
    return with_control(maker.games, markers)


def _tts(maker: Maker, base: str, paper: str) -> Files:
    from toolchain.export.tabletop import tabletop_files
    from toolchain.export.vassal.cards import cards_by_deck

    plan, _ = maker.module_plan
    decks, places = cards_by_deck(maker.game, plan), {d.name: (d.at, d.shift) for d in plan.decks}
    faces = dict(maker.faces)
    return tabletop_files(_marked(maker), maker.maps, faces, maker.hidden, decks, base, maker.cache, places)


def _zuntzu(maker: Maker, base: str, paper: str) -> Files:
    from toolchain.export.zuntzu import zuntzu_files

    dice = [(d.dice, d.sides) for d in maker.module_plan[0].dice]
    return zuntzu_files(_marked(maker), maker.maps, dict(maker.faces), dice, maker.cache)


def _tiled(maker: Maker, base: str, paper: str) -> Files:
    from toolchain.art.ground import terrain_looks
    from toolchain.export.tiled import tiled_files

    looks = terrain_looks(maker.game.map, maker.map_style or maker.loaded.project.map_style)
    colours = {name: look.fill for name, look in looks.items()}
    out = Files()
    for game in maker.games:
        # A sheet is drawn only for want of hexes.
        bare = [s.name for s in game.map.sheets if s.name not in game.map.grids]
        out |= tiled_files(game.map, colours, {n: maker.sheets[n].page for n in bare} if bare else {}, maker.cache)
    return out


def _pdf(maker: Maker, base: str, paper: str) -> Files:
    from toolchain.export.bundle import to_bundle
    from toolchain.export.printing import build_counter_sheets, chart_pages

    style, game = maker.style, maker.game
    counters = build_counter_sheets(game, style, maker.session.report, maker.cache) if style is not None else {}
    charts = chart_pages(style) if style is not None else {}
    sheets = {s.name: maker.sheets[s.name] for one in maker.games for s in one.map.sheets}
    return {f"{game.name}.pdf": to_bundle(game, sheets, counters, charts, paper)}


PROGRAMS: Mapping[str, Callable[[Maker, str, str], Files]] = {
    "tts": _tts,
    "zuntzu": _zuntzu,
    "tiled": _tiled,
    "pdf": _pdf,
}


def export_files(maker: Maker, target: str, base: str, paper: str) -> tuple[Files, Counts]:
    """Make the game for another program; return its files, and how much of the game they hold, by what it is.

    target: a key of PROGRAMS, or a format of the graph. base: what the addresses of pictures begin with. paper: to
    print on.
    """
    if target not in PROGRAMS:
        return maker.map_files([target], others=True), _of_maps(maker)
    with maker.session.step(f"write {target}"):
        files = PROGRAMS[target](maker, base, paper)
    if target == "tiled":
        return files, _of_maps(maker)
    games = maker.games if target == "pdf" else _marked(maker)
    return files, {
        "maps": len({s.name for g in games for s in g.map.sheets}),
        "pieces": sum(c.copies for c in games[0].counters),
        "set-ups": sum(len(g.setups) for g in games),
        "placed pieces": sum(len(p.pieces) for g in games for p in g.setups),
    }


def _of_maps(maker: Maker) -> Counts:
    maps = [g.map for g in maker.games]
    return {
        "spaces": sum(len(m.spaces) for m in maps),
        "hexsides": sum(len(m.hexsides) for m in maps),
        "links": sum(len(m.links) for m in maps),
    }
