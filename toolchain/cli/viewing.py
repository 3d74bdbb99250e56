"""What `toolchain view` shows and `toolchain watch` serves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from toolchain.cli.making import Maker

if TYPE_CHECKING:
    from toolchain.art.marks import Mark

BOARD_DPI, BOARD_PIXELS, FACE_DPI = 200.0, 12_000_000, 130.0
WHITE = "#ffffff"


def view_page(maker: Maker, live: int = 0) -> bytes:
    """Make the page of a game, with everything that validation and the checks found.

    live: the number under which `toolchain watch` serves it; 0 for a page that stands alone.
    """
    from toolchain.art.ground import terrain_looks
    from toolchain.export.kept import render_pngs
    from toolchain.export.placing import least_dpi
    from toolchain.export.vassal.limits import build_limits
    from toolchain.export.vassal.pictures import face_pictures
    from toolchain.export.view import Picture, Shown, to_html
    from toolchain.report import Report

    games = maker.games
    maker.check_data()
    verdicts = maker.judge([p for g in games for p in g.setups])
    maker.accept(whole=False)
    limits = build_limits(games, Report())
    maps = [
        Shown(
            game,
            {p.name: verdicts[p.name] for p in game.setups if p.name in verdicts},
            one.arrangement,
            {s.key: limits.told((n, s.key)) for s in game.map.spaces},
        )
        for n, (one, game) in enumerate(zip(maker.loaded.every, games, strict=True))
    ]
    pages = {s.name: maker.maps[s.name] for g in games for s in g.map.sheets}
    with maker.session.step("render the pictures"):
        dpi = least_dpi(pages.values(), BOARD_PIXELS, BOARD_DPI)
        boards = render_pngs(pages, dpi, WHITE, maker.cache)
        names = face_pictures(maker.game.counters)
        drawn = {names[i, n]: p for i in maker.faces for n, p in enumerate(maker.faces[i])}
        faces = render_pngs(drawn, FACE_DPI, None, maker.cache)
    looks = terrain_looks(maker.game.map, maker.map_style or maker.loaded.project.map_style)
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
            {name: look.fill for name, look in looks.items()},
            tuple(maker.session.report),
            live,
        )


def ground(marks: Iterable[Mark]) -> str:
    """Return the colour that lies under everything else of a face, empty when there is none."""
    from toolchain.art.marks import Group, Path

    for mark in marks:
        if isinstance(mark, Group) and (found := ground(mark.marks)):
            return found
        if isinstance(mark, Path) and mark.paint.fill:
            return mark.paint.fill
    return ""
