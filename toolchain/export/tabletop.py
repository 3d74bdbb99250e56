"""Set-ups as saved games of Tabletop Simulator: the board, counters as tiles, cards as decks, bags of the rest.

Source: the save file format of Tabletop Simulator, kb.tabletopsimulator.com. One unit of the table is an inch; a square
tile of scale 1 is two inches wide. The table's x runs to the right, its z away from the first player. Every object has
a GUID that follows from what it is, so that a rebuilt save is the same save.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter as Tally
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from toolchain.art.marks import Page
from toolchain.export.atlas import build_atlas
from toolchain.export.kept import render_pngs
from toolchain.export.placing import Placed, least_dpi, place_pieces
from toolchain.export.vassal.pictures import face_pictures, slug
from toolchain.model.forces import Counter
from toolchain.model.game import Game
from toolchain.model.position import Position
from toolchain.model.warmap import Sheet

MM_PER_INCH = 25.4
WIDEST, DEEPEST = 66.0, 40.0  # inches of the table that a board may take; larger ones are scaled down with all else
TABLE, TOP = "Table_RPG", 0.96  # its surface, in inches above the origin
BOARD_THICK, TILE_THICK, BLOCK_THICK = 0.1, 0.1, 0.5
CARDS_WIDE, CARDS_HIGH = 10, 7  # the largest sheet of cards that the program takes
CARD_HIGH = 3.1  # inches of the table that a card of scale 1 is high, about
GAP = 2.0  # inches between boards, and to the bags
BOARD_DPI, BOARD_PIXELS, COUNTER_DPI = 150.0, 16_000_000, 300.0
WHITE = "#ffffff"
TILE, CARD, BAG, DECK = "Custom_Tile", "CardCustom", "Bag", "DeckCustom"
MARKERS = "Markers"


@dataclass(frozen=True)
class CardSheet:
    """A picture of up to 70 cards, and that of their back. cards: counter ids in the order of the cells.

    number: its own in the whole game. unique: every card has a back of its own, in the same cell of that picture.
    """

    number: int
    face: str
    back: str
    cards: tuple[str, ...]
    unique: bool = False


@dataclass(frozen=True)
class Table:
    """What the saves of a game are made of.

    boards: picture of every sheet by name. faces: pictures of every counter by id, a face each. sizes: of every counter
    by id, mm. hidden: picture of the back of counters that the other side may not see. decks: cards by the name of
    their deck. places: space of a deck and how far beside its middle it lies, mm. base: what every picture's address
    begins with.
    """

    boards: Mapping[str, str]
    faces: Mapping[str, Sequence[str]]
    sizes: Mapping[str, tuple[float, float]]
    base: str
    hidden: Mapping[str, str] = field(default_factory=dict)
    decks: Mapping[str, Sequence[CardSheet]] = field(default_factory=dict)
    places: Mapping[str, tuple[str, tuple[float, float]]] = field(default_factory=dict)


class _Objects:
    """Makes the objects of one save. scale: inches of the table for a millimetre."""

    def __init__(self, game: Game, table: Table, save: str) -> None:
        self.game, self.table, self.save = game, table, save
        self.taken: set[str] = set()
        sheets = game.map.sheets
        wide = sum(s.width for s in sheets) / MM_PER_INCH + GAP * (len(sheets) - 1)
        deep = max(s.height for s in sheets) / MM_PER_INCH
        self.scale = min(1.0, WIDEST / wide, DEEPEST / deep) / MM_PER_INCH
        self.left = {}
        x = -wide * self.scale * MM_PER_INCH / 2
        for s in sheets:
            self.left[s.name] = x
            x += s.width * self.scale + GAP * self.scale * MM_PER_INCH
        self.front = -deep * self.scale * MM_PER_INCH / 2  # the edge of the boards that is nearest the first player

    def guid(self, *words: str) -> str:
        """Return six hexadecimal digits that follow from the words and are used once in the save."""
        for n in range(1 << 24):
            digits = hashlib.sha256("\0".join((self.save, *words, str(n))).encode()).hexdigest()[:6]
            if digits not in self.taken:
                self.taken.add(digits)
                return digits
        raise AssertionError("a save cannot hold so many objects")

    def at(self, sheet: Sheet, point: tuple[float, float]) -> tuple[float, float]:
        """Return x and z on the table of a point of a sheet, mm."""
        return self.left[sheet.name] + point[0] * self.scale, -self.front - point[1] * self.scale

    def tile(
        self, words: tuple[str, ...], face: str, back: str, size: tuple[float, float], x: float, y: float, z: float
    ) -> dict[str, Any]:
        """Make a tile: its pictures, its width and height in mm, where its middle is."""
        image = {
            "ImageURL": self.table.base + face,
            "ImageSecondaryURL": self.table.base + back,
            "ImageScalar": 1.0,
            "WidthScale": 0.0,
            "CustomTile": {"Type": 0, "Thickness": TILE_THICK, "Stackable": False, "Stretch": False},
        }
        wide, high = (v * self.scale / 2 for v in size)  # a tile of scale 1 is two units wide
        return self.thing(TILE, words, (x, y, z), (wide, 1.0, high)) | {"CustomImage": image}

    def thing(
        self, kind: str, words: tuple[str, ...], at: tuple[float, float, float], scale: tuple[float, float, float]
    ) -> dict[str, Any]:
        """Make the part that all objects share."""
        place = dict(zip(("posX", "posY", "posZ"), (round(v, 4) for v in at), strict=True))
        turn = {"rotX": 0.0, "rotY": 180.0, "rotZ": 0.0}
        size = dict(zip(("scaleX", "scaleY", "scaleZ"), (round(v, 4) for v in scale), strict=True))
        return {
            "GUID": self.guid(kind, *words),
            "Name": kind,
            "Transform": place | turn | size,
            "Nickname": "",
            "Description": "",
            "ColorDiffuse": {"r": 1.0, "g": 1.0, "b": 1.0},
            "Locked": False,
            "Grid": False,
            "Snap": False,
            "Autoraise": True,
            "Sticky": True,
            "Tooltip": True,
        }

    def board(self, sheet: Sheet) -> dict[str, Any]:
        """Make the board of a sheet, locked to the table."""
        x, z = self.at(sheet, (sheet.width / 2, sheet.height / 2))
        picture = self.table.boards[sheet.name]
        made = self.tile(("board", sheet.name), picture, picture, (sheet.width, sheet.height), x, TOP, z)
        made["CustomImage"]["CustomTile"]["Thickness"] = BOARD_THICK
        return made | {"Nickname": sheet.title or self.game.title, "Locked": True, "Tooltip": False}

    def counter(
        self, counter: Counter, words: tuple[str, ...], step: int, x: float, y: float, z: float
    ) -> dict[str, Any]:
        """Make a counter that shows a step. Steps beyond the second are further states of the object."""
        faces = self.table.faces[counter.id]
        states = [self._two_sided(counter, (*words, str(n)), n, x, y, z) for n in range(0, max(1, len(faces)), 2)]
        shown = min(step // 2, len(states) - 1)
        for made in states:
            if step % 2:
                made["Transform"]["rotZ"] = 180.0
        if len(states) > 1:
            states[shown]["States"] = {str(n + 1): s for n, s in enumerate(states) if n != shown}
        return states[shown]

    def _two_sided(
        self, counter: Counter, words: tuple[str, ...], n: int, x: float, y: float, z: float
    ) -> dict[str, Any]:
        faces, hidden = self.table.faces[counter.id], self.table.hidden.get(counter.id)
        back = hidden or (faces[n + 1] if n + 1 < len(faces) else faces[n])
        made = self.tile(words, faces[n], back, self.table.sizes[counter.id], x, y, z)
        if hidden:
            made["CustomImage"]["CustomTile"]["Thickness"] = BLOCK_THICK
            made["HideWhenFaceDown"] = True
        return made | {"Nickname": counter.name, "Description": notes_of(counter)}

    def bag(self, title: str, contents: list[dict[str, Any]], x: float) -> dict[str, Any]:
        """Make a bag in front of the boards."""
        made = self.thing(BAG, ("bag", title), (x, TOP + 1, self.front - GAP), (1.0, 1.0, 1.0))
        return made | {"Nickname": title, "ContainedObjects": contents}

    def cards(self, name: str, sheets: Sequence[CardSheet]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the cards of a deck by the ids of their counters."""
        number = 0
        for sheet in sheets:
            picture = {
                "FaceURL": self.table.base + sheet.face,
                "BackURL": self.table.base + sheet.back,
                "NumWidth": CARDS_WIDE,
                "NumHeight": CARDS_HIGH,
                "BackIsHidden": True,
                "UniqueBack": sheet.unique,
            }
            for cell, card in enumerate(sheet.cards):
                number += 1
                made = self.thing(CARD, (name, card, str(number)), (0.0, TOP, 0.0), self.card_scale(card))
                counter = self.game.counter[card]
                own = {"CardID": 100 * sheet.number + cell, "CustomDeck": {str(sheet.number): picture}}
                yield card, made | {"Nickname": counter.name, "Description": notes_of(counter)} | own

    def card_scale(self, card: str) -> tuple[float, float, float]:
        """Return the scale of a card: the program takes the shape from the picture."""
        size = self.table.sizes[card][1] * self.scale / CARD_HIGH
        return size, 1.0, size

    def deck(self, name: str, cards: Sequence[dict[str, Any]], x: float, z: float) -> dict[str, Any]:
        """Make a deck of one card or more, face down; x, z: where on the table."""
        first = cards[0]["Transform"]
        scale = (first["scaleX"], 1.0, first["scaleZ"])
        made = self.thing(DECK, ("deck", name), (x, TOP + 0.5, z), scale)
        made["Transform"]["rotZ"] = 180.0
        if len(cards) == 1:
            return cards[0] | {"Transform": made["Transform"]}
        pictures = {number: picture for card in cards for number, picture in card["CustomDeck"].items()}
        ids = [card["CardID"] for card in cards]
        return made | {"Nickname": name, "DeckIDs": ids, "CustomDeck": pictures, "ContainedObjects": cards}


def notes_of(counter: Counter) -> str:
    """Say what a counter is and what is printed on its faces, a line each."""
    lines = [" ".join(w for w in (counter.nation, counter.symbol or counter.kind) if w)]
    for n, face in enumerate(counter.faces):
        told = ", ".join(f"{k} {v}" for k, v in face.values.items() if v != "")
        if told:
            lines.append(f"{'front' if n == 0 else 'back' if n == 1 else f'step {n + 1}'}: {told}")
    return "\n".join(lines)


def to_save(game: Game, position: Position, table: Table) -> bytes:
    """Write a set-up as a saved game of Tabletop Simulator.

    Counters and cards of the set-up lie on the boards; all others wait in their deck, in a bag for each side or in one
    for the markers. The picture of every board and face must be there.
    """
    objects = _Objects(game, table, position.name)
    sheets = {s.name: s for s in game.map.sheets}
    things = [objects.board(s) for s in game.map.sheets]
    placed = list(place_pieces(game, position, table.sizes))
    laid = Tally(p.counter for p in placed)
    decks: dict[str, list[dict[str, Any]]] = {name: [] for name in table.decks}
    dealt: dict[str, list[dict[str, Any]]] = {}
    for name, cards in table.decks.items():
        for card, made in objects.cards(name, cards):
            (dealt.setdefault(card, []) if len(dealt.get(card, ())) < laid[card] else decks[name]).append(made)
    things += (
        _stand(objects, sheets[p.sheet], p, dealt) for p in placed if p.counter in table.faces or dealt.get(p.counter)
    )
    x = -WIDEST / 4
    for title, contents in _bags(objects, placed):
        things.append(objects.bag(title, contents, x))
        x += 2 * GAP
    for name, pile in decks.items():
        space, beside = table.places.get(name, ("", (0.0, 0.0)))
        on = game.map.by_key.get(space)
        if pile and on is not None:
            at = objects.at(sheets[on.sheet], (on.at[0] + beside[0], on.at[1] + beside[1]))
            things.append(objects.deck(name, pile, *at))
        elif pile:
            things.append(objects.deck(name, pile, x, objects.front - GAP))
            x += 2 * GAP
    document = {
        "SaveName": f"{game.title}: {position.title or position.name}",
        "GameMode": game.title,
        "Date": "",
        "Table": TABLE,
        "Sky": "Sky_Regal",
        "Note": game.description,
        "Rules": "",
        "PlayerTurn": "",
        "Grid": {"Type": 0, "Lines": False, "Snapping": False},
        "ObjectStates": things,
    }
    return (json.dumps(document, ensure_ascii=False, indent=1) + "\n").encode()


def _stand(objects: _Objects, sheet: Sheet, piece: Placed, dealt: Mapping[str, list[dict[str, Any]]]) -> dict[str, Any]:
    x, z = objects.at(sheet, piece.at)
    thick = BLOCK_THICK if piece.counter in objects.table.hidden else TILE_THICK
    y = TOP + BOARD_THICK + (piece.level + 0.5) * thick
    if dealt.get(piece.counter):
        card = dealt[piece.counter].pop(0)
        card["Transform"] |= {"posX": round(x, 4), "posY": round(y, 4), "posZ": round(z, 4)}
        return card
    return objects.counter(objects.game.counter[piece.counter], ("piece", piece.piece), piece.step, x, y, z)


def _bags(objects: _Objects, placed: Iterable[Placed]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield title and contents of every bag: all printed copies that the set-up does not place and no deck holds."""
    game, used = objects.game, [p.counter for p in placed]
    cards = {c for sheets in objects.table.decks.values() for s in sheets for c in s.cards}
    left: dict[str, list[dict[str, Any]]] = {t: [] for t in (*(side.title for side in game.sides.values()), MARKERS)}
    for counter in game.counters:
        if counter.id in cards or counter.id not in objects.table.sizes:
            continue
        side = game.sides.get(counter.side)
        title = side.title if side is not None and counter.role == "unit" else MARKERS
        for n in range(used.count(counter.id) + 1, counter.copies + 1):
            left[title].append(objects.counter(counter, ("spare", counter.id, str(n)), 0, 0.0, 0.0, 0.0))
    yield from ((title, contents) for title, contents in left.items() if contents)


def tabletop_files(
    games: Sequence[Game],
    maps: Mapping[str, Page],
    faces: Mapping[str, Sequence[Page]],
    hidden: Mapping[str, Page],
    decks: Mapping[str, Sequence[str]],
    base: str,
    cache: Path | None = None,
    places: Mapping[str, tuple[str, tuple[float, float]]] | None = None,
) -> dict[str, bytes]:
    """Write a save for every set-up, and the pictures that they show, in images/.

    games: the game on every arrangement of its map, each with its set-ups. maps: pages by sheet. faces: of counters by
    id. hidden: what others see of counters, by id. decks: counter ids by the name of a deck, a card each. base: what
    the addresses of the pictures begin with. cache: folder of what was rendered before. places: of decks, as in Table.
    """
    first = games[0]
    names = face_pictures(first.counters)
    boards = {s.name: f"board-{slug(s.name)}.png" for one in games for s in one.map.sheets}
    cards = {i for ids in decks.values() for i in ids}
    sheets, card_pages = _card_sheets(decks, faces, hidden)
    tiles = {i: pages for i, pages in faces.items() if pages and i not in cards}
    veils = {i: f"{names[i, 0]}-back.png" for i in hidden if i in tiles}
    table = Table(
        boards,
        {i: [f"{names[i, n]}.png" for n in range(len(pages))] for i, pages in tiles.items()},
        {i: (pages[0].width, pages[0].height) for i, pages in faces.items() if pages},
        base,
        veils,
        sheets,
        places or {},
    )
    pictures = {name: maps[sheet] for sheet, name in boards.items()}
    dpi = least_dpi(pictures.values(), BOARD_PIXELS, BOARD_DPI)
    out = render_pngs(pictures, dpi, WHITE, cache)
    small = {f"{names[i, n]}.png": page for i, pages in tiles.items() for n, page in enumerate(pages)}
    small |= {veil: hidden[i] for i, veil in veils.items()}
    out |= render_pngs(small, COUNTER_DPI, None, cache)
    out |= render_pngs(card_pages, least_dpi(card_pages.values(), BOARD_PIXELS, COUNTER_DPI), WHITE, cache)
    saves = {f"{p.name}.json": to_save(one, p, table) for one in games for p in one.setups}
    if not saves:
        saves["empty.json"] = to_save(first, Position("empty", (), "Empty"), table)
    return saves | {f"images/{name}": data for name, data in out.items()}


def _card_sheets(
    decks: Mapping[str, Sequence[str]], faces: Mapping[str, Sequence[Page]], hidden: Mapping[str, Page]
) -> tuple[dict[str, list[CardSheet]], dict[str, Page]]:
    """Lay cards out on sheets of at most 70; return the sheets by deck, and the pages to render by file."""
    sheets: dict[str, list[CardSheet]] = {}
    pages: dict[str, Page] = {}
    for name, ids in decks.items():
        drawn = [i for i in ids if faces.get(i)]
        for n, start in enumerate(range(0, len(drawn), CARDS_WIDE * CARDS_HIGH), start=1):
            part = tuple(drawn[start : start + CARDS_WIDE * CARDS_HIGH])
            stem = f"cards-{slug(name)}-{n}"
            backs = [hidden.get(i) or faces[i][-1] for i in part]
            unique = any(back != backs[0] for back in backs)
            pages[f"{stem}.png"] = build_atlas([faces[i][0] for i in part], CARDS_WIDE, CARDS_HIGH).page
            pages[f"{stem}-back.png"] = build_atlas(backs, CARDS_WIDE, CARDS_HIGH).page if unique else backs[0]
            number = 1 + sum(map(len, sheets.values()))
            sheets.setdefault(name, []).append(CardSheet(number, f"{stem}.png", f"{stem}-back.png", part, unique))
    return sheets, pages
