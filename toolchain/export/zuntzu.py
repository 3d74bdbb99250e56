"""A game box for ZunTzu: the maps, counter sheets with both sides, a scenario for every set-up.

Source: how ZunTzu itself reads game boxes (ZunTzu-Software/ZunTzu, GameBox.cs, Game.cs, CounterSheet.cs). A .ztb file
is a zip with game-box.xml, the pictures, and a .zts file for each scenario. Places are counted at 600 dots to the inch,
four for every pixel of a picture of 150. Pieces are numbered in the order of the sheets, their sections, and the copies
that a section supplies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lxml import etree

from toolchain.art.marks import Page
from toolchain.export.atlas import Atlas, build_atlas
from toolchain.export.kept import render_pngs
from toolchain.export.placing import MM_PER_INCH, Placed, least_dpi, place_pieces
from toolchain.export.vassal.archive import build_zip
from toolchain.export.vassal.pictures import slug
from toolchain.model.game import Game
from toolchain.model.position import Position

RESOLUTION = "150 dpi"
PER_PIXEL = 4  # units of place for a pixel of a picture of that resolution
DPI, BOARD_PIXELS = 150.0, 16_000_000
COLUMNS, MOST = 16, 160  # counters in a row and on a sheet
WHITE = "#ffffff"
INDEX = "game-box.xml"


Cell = tuple[str, int]


@dataclass(frozen=True)
class CounterSheet:
    """Counters of one size. front, back: their pictures in cells. pieces: in the order of the cells, the id of a

    counter and the step on its front; a counter of more than two steps is several pieces. two_sided: those with a back.
    """

    name: str
    front: Atlas
    back: Atlas | None
    pieces: tuple[Cell, ...]
    two_sided: frozenset[Cell]


def number_pieces(game: Game, sheets: Iterable[CounterSheet]) -> dict[Cell, list[int]]:
    """Return the numbers of the copies of every piece."""
    out: dict[Cell, list[int]] = {}
    number = 0
    for sheet in sheets:
        for cell in sheet.pieces:
            copies = game.counter[cell[0]].copies
            out[cell] = list(range(number, number + copies))
            number += copies
    return out


def to_box(
    game: Game,
    sheets: Sequence[CounterSheet],
    pictures: Mapping[str, bytes],
    sizes: Mapping[str, tuple[float, float]],
    pixels_per_mm: float,
    dice: Sequence[tuple[int, int]] = (),
    setups: Sequence[tuple[Game, Position]] = (),
) -> bytes:
    """Write a game box.

    sheets: of counters. pictures: of the maps, as `picture_of` calls them, and of the counter sheets, NAME-front and
    NAME-back. sizes: of counters, mm. dice: number and sides of each hand. setups: each with the game on its
    arrangement of the map. The same input gives the same bytes.
    """
    scenarios = {f"{p.name}.zts": _scenario(game, one, p, sheets, sizes, pixels_per_mm) for one, p in setups}
    root = etree.Element(
        "game-box",
        {
            "name": game.title,
            "description": game.description,
            "copyright": game.credits,
            "startup-scenario": next(iter(scenarios), "empty.zts"),
        },
    )
    if not scenarios:
        empty = Position("empty", (), "Empty")
        scenarios["empty.zts"] = _scenario(game, game, empty, sheets, sizes, pixels_per_mm)
    for count, sides in dice:
        if sides in (4, 6, 8, 10, 12, 20):
            hand = etree.SubElement(root, "dice-hand", {"type": f"D{sides}"})
            etree.SubElement(hand, "dice", {"count": str(count), "color": "FFFFFF", "pips": "000000"})
    maps = dict.fromkeys(s.name for one, _ in (*setups, (game, None)) for s in one.map.sheets)
    for name in maps:
        etree.SubElement(root, "map", {"name": name, "image-file": picture_of(name), "resolution": RESOLUTION})
    for sheet in sheets:
        root.append(_sheet(game, sheet, pixels_per_mm))
    return build_zip({INDEX: _xml(root), **scenarios, **pictures})


def picture_of(sheet: str) -> str:
    """Return the name of the picture of a map sheet."""
    return f"map-{slug(sheet)}.png"


def _sheet(game: Game, sheet: CounterSheet, pixels_per_mm: float) -> etree._Element:
    attributes = {"name": sheet.name, "front-image-file": f"{sheet.name}-front.png", "front-resolution": RESOLUTION}
    if sheet.back is not None:
        attributes |= {"back-image-file": f"{sheet.name}-back.png", "back-resolution": RESOLUTION}
    out = etree.Element("counter-sheet", attributes)
    for n, cell in enumerate(sheet.pieces):
        section = {"rows": "1", "columns": "1", "supply": str(game.counter[cell[0]].copies)}
        section |= _cell(sheet.front, n, pixels_per_mm, "front")
        if sheet.back is not None and cell in sheet.two_sided:
            section |= _cell(sheet.back, n, pixels_per_mm, "back")
        etree.SubElement(out, "counter-section", section)
    return out


def _cell(atlas: Atlas, number: int, pixels_per_mm: float, side: str) -> dict[str, str]:
    x, y = atlas.cell(number)
    edges = {"left": x, "top": y, "right": x + atlas.width, "bottom": y + atlas.height}
    return {f"{side}-{edge}": str(round(v * pixels_per_mm)) for edge, v in edges.items()}


def _scenario(
    game: Game,
    one: Game,
    position: Position,
    sheets: Sequence[CounterSheet],
    sizes: Mapping[str, tuple[float, float]],
    pixels_per_mm: float,
) -> bytes:
    numbers = number_pieces(game, sheets)
    per_mm = pixels_per_mm * PER_PIXEL
    title = position.title or position.name
    root = etree.Element("game", {"game-box": game.title, "scenario-name": title, "scenario-description": ""})
    placed = list(place_pieces(one, position, sizes))
    for n, board in enumerate(one.map.sheets):
        edges = {
            "left": "0",
            "top": "0",
            "right": f"{board.width * per_mm:.2f}",
            "bottom": f"{board.height * per_mm:.2f}",
        }
        layout = etree.SubElement(
            root, "layout", {"board": board.name, **edges, "visible": "true" if n == 0 else "false"}
        )
        for stack in _stacks(p for p in placed if p.sheet == board.name):
            _pile(layout, stack, numbers, per_mm)
    for sheet in sheets:
        etree.SubElement(root, "layout", {"board": sheet.name})
    return _xml(root)


def _stacks(placed: Iterable[Placed]) -> list[list[Placed]]:
    """Return the pieces that lie on one another, bottom first."""
    out: list[list[Placed]] = []
    for piece in placed:
        if piece.level and out and out[-1][0].space == piece.space:
            out[-1].append(piece)
        else:
            out.append([piece])
    return out


def _pile(layout: etree._Element, stack: Sequence[Placed], numbers: Mapping[Cell, list[int]], per_mm: float) -> None:
    cells = [((p.counter, p.step - p.step % 2), p.step) for p in stack]
    pieces = [(numbers[cell].pop(0), step) for cell, step in cells if numbers.get(cell)]
    if not pieces:
        return
    x, y = (sum(v) / len(stack) for v in zip(*(p.at for p in stack), strict=True))
    at = {"x": f"{x * per_mm:.2f}", "y": f"{y * per_mm:.2f}"}
    parent, own = (layout, at) if len(pieces) == 1 else (etree.SubElement(layout, "stack", at), {})
    for number, step in pieces:
        side = {"side": "Back"} if step % 2 else {}
        etree.SubElement(parent, "counter", {"id": str(number), **side, **own})


def _xml(root: etree._Element) -> bytes:
    return etree.tostring(root, xml_declaration=True, encoding="UTF-8", pretty_print=True)


def zuntzu_files(
    games: Sequence[Game],
    maps: Mapping[str, Page],
    faces: Mapping[str, Sequence[Page]],
    dice: Sequence[tuple[int, int]] = (),
    cache: Path | None = None,
) -> dict[str, bytes]:
    """Write the game box of a game.

    games: the game on every arrangement of its map, each with its set-ups. maps: pages by sheet. faces: of counters by
    id. dice: number and sides of each hand. cache: folder of what was rendered before.
    """
    first = games[0]
    boards = {picture_of(s.name): maps[s.name] for one in games for s in one.map.sheets}
    # A coarser picture is called one of 150 dots to the inch all the same, and everything is smaller by as much.
    dpi = least_dpi(boards.values(), BOARD_PIXELS, DPI)
    sheets = build_sheets(first, faces)
    pages = {f"{s.name}-front.png": s.front.page for s in sheets}
    pages |= {f"{s.name}-back.png": s.back.page for s in sheets if s.back is not None}
    pictures = render_pngs(boards, dpi, WHITE, cache) | render_pngs(pages, dpi, WHITE, cache)
    sizes = {i: (p[0].width, p[0].height) for i, p in faces.items() if p}
    setups = [(one, p) for one in games for p in one.setups]
    box = to_box(first, sheets, pictures, sizes, dpi / MM_PER_INCH, dice, setups)
    return {f"{first.name}.ztb": box}


def build_sheets(game: Game, faces: Mapping[str, Sequence[Page]]) -> list[CounterSheet]:
    """Lay counters of one size out on counter sheets, so many to a sheet; backs lie in the cells of their fronts."""
    groups: dict[tuple[float, float], list[Cell]] = {}
    for counter in game.counters:
        pages = faces.get(counter.id, ())
        for step in range(0, len(pages), 2):
            size = (round(pages[step].width, 2), round(pages[step].height, 2))
            groups.setdefault(size, []).append((counter.id, step))
    out = []
    for (width, height), cells in groups.items():
        for n, start in enumerate(range(0, len(cells), MOST), start=1):
            part = tuple(cells[start : start + MOST])
            backs = [faces[i][step + 1] if step + 1 < len(faces[i]) else None for i, step in part]
            front = build_atlas([faces[i][step] for i, step in part], COLUMNS)
            back = build_atlas(backs, COLUMNS, front.rows) if any(backs) else None
            name = f"counters-{slug(f'{width:g}x{height:g}')}-{n}"
            two = frozenset(cell for cell, page in zip(part, backs, strict=True) if page is not None)
            out.append(CounterSheet(name, front, back, part, two))
    return out
