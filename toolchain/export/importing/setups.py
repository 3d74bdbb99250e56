"""The set-ups of a module as tables: its predefined games, and what lies on the board at the start."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from toolchain.checks.lint.hints import whole
from toolchain.checks.lint.places import Places
from toolchain.export.importing.boards import WINDOWS, Laid, board_in, board_laid, edges_of
from toolchain.export.importing.counters import Pieces, layer_name
from toolchain.export.importing.ground import Ground
from toolchain.export.importing.tables import table
from toolchain.export.vassal.pictures import plain_names
from toolchain.report import Report, counted
from toolchain.sources.vassal.buildfile import Component
from toolchain.sources.vassal.codec import decode
from toolchain.sources.vassal.forms import read_part
from toolchain.sources.vassal.modules import SLOTS, Module
from toolchain.sources.vassal.saves import SAVE_LIMIT, Save, Saved, read_save

STEPS = ("full", "reduced")


@dataclass
class Setup:
    """One set-up. pieces: counter, space and step of each, in the order of the module. turn: its number, 0 for none."""

    title: str
    pieces: list[tuple[str, str, int]] = field(default_factory=list)
    turn: int = 0


def read_setups(module: Module, left: list[str]) -> list[tuple[str, Save]]:
    """Read the predefined games that lie in a module, with their titles."""
    found: list[tuple[str, Save]] = []
    for setup in module.root.all("PredefinedSetup"):
        file = setup.get("file")
        if setup.get("isMenu") == "true" or file not in module.archive or setup.get("useFile") == "false":
            continue
        data = module.archive.read(file, Report(), SAVE_LIMIT)
        save = None if data is None else read_save(data, file, Report())
        if save is None:
            left.append(f"the set-up {setup.name!r}, whose saved game cannot be read")
            continue
        found.append((setup.name or file, save))
    return found


def build_setups(
    module: Module,
    saves: Sequence[tuple[str, Save]],
    ground: Ground,
    pieces: Pieces,
    piles: Collection[str],
    left: list[str],
) -> dict[str, Setup]:
    """Return the set-ups by a plain name of each: what lies there at the start, and the predefined games.

    piles: names of the decks that are carried.
    """
    lying = _at_start(module, ground, pieces, left)
    found = [("At the start", lying)] if lying.pieces else []
    found += [(title, _from_save(module, save, title, ground, pieces, piles, left)) for title, save in saves]
    stems = plain_names(name for name, _ in found)
    out: dict[str, Setup] = {}
    for name, setup_ in found:
        stem, n = stems[name], 2
        while stem in out:
            stem, n = f"{stems[name]}--{n}", n + 1
        out[stem] = setup_
    return out


@dataclass(frozen=True)
class Pile:
    """A deck. space: where it lies. shift: from the middle of a box, mm. open: cards lie face up. back: the pile that

    its cards are shuffled back to.
    """

    name: str
    space: str
    shift: tuple[float, float]
    open: bool
    shuffle: bool
    back: str


def build_piles(module: Module, ground: Ground, left: list[str]) -> dict[str, Pile]:
    """Return the decks that lie on the sheet, by name."""
    out: dict[str, Pile] = {}
    lost = 0
    places = Places(module)
    for pile in module.root.all("DrawPile"):
        window = module.around(pile, *WINDOWS)
        one = None if window is None else ground.laid(window, board_in(window, pile.get("owningBoard")))
        at = None if one is None else _point(places, one, pile)
        space = "" if at is None else ground.place(*at)
        if not space or at is None or not pile.name or pile.name in out:
            lost += 1
            continue
        x, y = ground.mm(at)
        box = ground.boxes.get(space)
        shift = (round(x - box.at[0], 2), round(y - box.at[1], 2)) if box is not None else (0.0, 0.0)
        opened, mixed = pile.get("faceDown") == "Never", pile.get("shuffle") != "Never"
        back = pile.get("reshuffleTarget") if pile.get("reshufflable") == "true" else ""
        out[pile.name] = Pile(pile.name, space, shift, opened, mixed, back)
    if lost:
        left.append(f"{counted(lost, 'deck')} without a place or a name of its own; the cards are counters")
    return out


def _at_start(module: Module, ground: Ground, pieces: Pieces, left: list[str]) -> Setup:
    out, places = Setup("At the start"), Places(module)
    elsewhere = unplaced = 0
    for stack in module.root.all("SetupStack"):
        inside = list(stack.all(*SLOTS))
        window = module.around(stack, *WINDOWS)
        board = None if window is None else board_in(window, stack.get("owningBoard"))
        one = None if window is None else ground.laid(window, board)
        if one is None:
            elsewhere += len(inside)
            continue
        space = _start(places, ground, one, stack)
        if not space:
            unplaced += len(inside)
            continue
        by_component = {s.component: s for s in module.slots}
        for c in inside:
            ident = pieces.of.get(by_component[c].gpid or by_component[c].name)
            if ident:
                out.pieces.append((ident, space, 0))
    for count, what, words in (
        (elsewhere, "piece", "on other boards at the start"),
        (unplaced, "piece", "without a place at the start"),
    ):
        if count:
            left.append(f"{counted(count, what)} {words}")
    return out


def _start(places: Places, ground: Ground, one: Laid, stack: Component) -> str:
    at = _point(places, one, stack)
    return "" if at is None else ground.place(*at)


def _point(places: Places, one: Laid, stack: Component) -> tuple[int, int] | None:
    """Return the pixel of the sheet where a stack or a deck lies."""
    if stack.get("useGridLocation") == "true":
        point = places.point(one.board, stack.get("location"))
    else:
        x, y = whole(stack.get("x") or "0"), whole(stack.get("y") or "0")
        # Without a board of its own a stack counts from the corner of its window.
        edges = (0, 0) if stack.get("owningBoard") else edges_of(one.window)
        point = None if x is None or y is None else (x - edges[0], y - edges[1])
    return None if point is None else one.point(*point)


def _from_save(
    module: Module,
    save: Save,
    title: str,
    ground: Ground,
    pieces: Pieces,
    piles: Collection[str],
    left: list[str],
) -> Setup:
    out = Setup(title)
    decks = {p.ident for p in save.piles.values() if p.deck}
    lost: Tally[str] = Tally()
    for window in module.maps:
        one = ground.laid(window, board_laid(window, save))
        edges = edges_of(window)
        for p in save.on_maps.get(window.get("mapName"), ()):
            ident = pieces.of.get(p.gpid) or pieces.of.get(_name(p))
            at = None if one is None else one.point(p.x - edges[0], p.y - edges[1])
            if p.within in decks:
                # Cards of a deck that is carried begin in it.
                lost["in decks"] += not (ident and pieces.rows[ident].get("deck") in piles)
            elif not ident:
                lost["that the module does not have"] += 1
            elif at is None:
                lost[f"on other boards of {window.get('mapName')!r}"] += 1
            elif not (space := ground.place(*at)):
                lost["without a place"] += 1
            else:
                out.pieces.append((ident, space, min(_step(p, pieces, ident), pieces.steps[ident] - 1)))
    for why, count in lost.items():
        if count:
            left.append(f"set-up {title!r}: {counted(count, 'piece')} {why}")
    state = save.turns.get(0, "").partition("|")[2]
    number = decode(";", decode("|", state)[0])[0] if state else ""
    out.turn = (whole(number) or 0) + 1 if number else 0
    return out


def _name(piece: Saved) -> str:
    words = decode(";", piece.traits[-1].definition)
    return words[4] if len(words) > 4 else ""


def _step(piece: Saved, pieces: Pieces, ident: str) -> int:
    """Return the face that a saved piece shows; where its own picture is the first, that is shown by no level."""
    parts = (read_part(t.definition, t.state, n) for n, t in enumerate(piece.traits))
    wanted = pieces.layers.get(ident, "")
    layer = next((p for p in parts if p.name == "emb2" and len(p.fields) > 15 and layer_name(p) == wanted), None)
    level = whole(decode(";", layer.state)[0]) if layer else None
    return 0 if level is None or level < 0 else max(0, level - 1 + (ident in pieces.based))


def setup_files(setups: Mapping[str, Setup], turns: int) -> Iterator[tuple[str, str]]:
    """Yield the tables, by file name. turns: how many turns there are."""
    columns = ("what", "item", "at", "state", "assumed")
    for name, setup in setups.items():
        rows = [("title", setup.title, "", "", "")]
        if 0 < setup.turn <= turns:
            rows.append(("turn", str(setup.turn), "", "", ""))
        rows += [("piece", i, at, STEPS[s] if s < 2 else str(s), "as in the module") for i, at, s in setup.pieces]
        yield f"{name}.csv", table(columns, rows)


def copies_of(setups: Mapping[str, Setup]) -> Tally[str]:
    """Return how many of each counter the set-up that uses most of them needs."""
    out: Tally[str] = Tally()
    for setup in setups.values():
        for ident, count in Tally(i for i, _, _ in setup.pieces).items():
            out[ident] = max(out[ident], count)
    return out
