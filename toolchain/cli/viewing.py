"""What `toolchain view` shows and `toolchain watch` serves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolchain.cli.making import Maker

if TYPE_CHECKING:
    from toolchain.model.warmap import WarMap
    from toolchain.sources.decode.mapstyle import MapStyle

BOARD_DPI, BOARD_PIXELS, FACE_DPI = 200.0, 12_000_000, 130.0
WHITE = "#ffffff"
OWN_INKS = ("#7b3fa0", "#00707a", "#c2408a", "#3c7a3a", "#b26a00")
GREYS = ("#6f675a", "#9c9384", "#c0b8a8")


def view_page(maker: Maker, live: int = 0) -> bytes:
    """Make the page of a game, with everything that validation and the checks found.

    live: the number under which `toolchain watch` serves it; 0 for a page that stands alone.
    """
    from toolchain.art.marks import ground
    from toolchain.export.kept import render_pngs, to_webp
    from toolchain.export.placing import least_dpi
    from toolchain.export.vassal.cards import cards_by_deck
    from toolchain.export.vassal.limits import build_limits
    from toolchain.export.vassal.pictures import face_pictures
    from toolchain.export.view import Picture, Shown, to_html
    from toolchain.report import Report

    games = maker.games
    maker.check_data()
    verdicts = maker.judge([p for g in games for p in g.setups])
    maker.accept(whole=False)
    limits = build_limits(games, Report())
    plan, _ = maker.module_plan
    cards = cards_by_deck(maker.game, plan)
    decks = [(d.name, d.at, cards[d.name]) for d in plan.decks]
    maps = [
        Shown(
            game,
            {p.name: verdicts[p.name] for p in game.setups if p.name in verdicts},
            one.arrangement,
            {s.key: limits.told((n, s.key)) for s in game.map.spaces},
            decks,
        )
        for n, (one, game) in enumerate(zip(maker.loaded.every, games, strict=True))
    ]
    pages = {s.name: maker.maps[s.name] for g in games for s in g.map.sheets}
    with maker.session.step("render the pictures"):
        dpi = least_dpi(pages.values(), BOARD_PIXELS, BOARD_DPI)
        boards = to_webp(render_pngs(pages, dpi, WHITE, maker.cache), maker.cache)
        names = face_pictures(maker.game.counters)
        drawn = {names[i, n]: p for i in maker.faces for n, p in enumerate(maker.faces[i])}
        faces = render_pngs(drawn, FACE_DPI, None, maker.cache)
    with maker.session.step("write the page"):
        return to_html(
            maps,
            {name: Picture(boards[name], page.width, page.height) for name, page in pages.items()},
            {
                i: [
                    Picture(faces[names[i, n]], p.width, p.height, ground(p.marks))
                    for n, p in enumerate(maker.faces[i])
                ]
                for i in maker.faces
            },
            inks(maker.game.map, maker.map_style or maker.loaded.project.map_style),
            tuple(maker.session.report),
            live,
        )


def inks(warmap: WarMap, style: MapStyle) -> dict[tuple[str, str], str]:
    """Return the colours of terrains, hexsides and links as the map is printed, by kind and name.

    Hexsides and links that are not printed are grey; one whose colour another has gets one of its own.
    """
    from toolchain.art.ground import terrain_looks
    from toolchain.art.links import link_style
    from toolchain.art.sides import hexside_style

    out = {
        ("terrain", name): style.water.fill if name in style.water.terrain else look.fill
        for name, look in terrain_looks(warmap, style).items()
    }
    own, grey = iter(OWN_INKS), iter(GREYS)
    for entry in warmap.legend:
        if entry.kind in ("hexside", "link"):
            look = hexside_style(style, entry.name) if entry.kind == "hexside" else link_style(style, entry.name)
            ink = look.colour if look.draw != "none" else next(grey, GREYS[-1])
            free = ink not in {c for (kind, _), c in out.items() if kind != "terrain"}
            out[entry.kind, entry.name] = ink if free or look.draw == "none" else next(own, ink)
    return out
