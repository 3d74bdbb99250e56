"""A module of anybody as the files of a project, and the list of what could not be carried."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping
from dataclasses import dataclass

import shapely

from toolchain.checks.lint.hints import whole
from toolchain.export.importing.boards import boards_in_use, picture_of
from toolchain.export.importing.counters import Pieces, build_pieces, counter_files
from toolchain.export.importing.ground import PIXELS, Ground, build_ground, map_files, quoted
from toolchain.export.importing.setups import Pile, build_piles, build_setups, copies_of, read_setups, setup_files
from toolchain.export.vassal.gpids import Lock
from toolchain.export.vassal.pictures import plain_names, slug
from toolchain.report import Report, counted, tallied
from toolchain.sources.vassal.codec import decode_list
from toolchain.sources.vassal.modules import SLOTS, Module

# Components that the project has in a way of its own, or that VASSAL adds by itself.
_CARRIED = frozenset(
    """
    GameModule BasicModule BasicCommandEncoder Documentation PlayerRoster entry GlobalOptions option
    GlobalProperties GlobalTranslatableMessages Language Chatter KeyNamer PrototypesContainer PrototypeDefinition
    PieceWindow TabWidget PanelWidget ListWidget BoxWidget PieceSlot CardSlot Map BoardPicker Board setup HexGrid
    HexGridNumbering Zone ZonedGrid Region RegionGrid ZoneProperty SquareGrid SquareGridNumbering
    ZonedGridHighlighter StackMetrics ForwardToKeyBuffer Scroller ForwardToChatter MenuDisplayer MapCenterer
    StackExpander PieceMover KeyBufferer SelectionHighlighters HighlightLastMoved GlobalMap Zoomer
    CounterDetailViewer HidePiecesButton ImageSaver Flare LOS_Thread SetupStack DrawPile PredefinedSetup Inventory
    NotesWindow DiceButton TurnTracker ListTurnLevel GamePieceImageDefinitions GamePieceLayoutsContainer
    ColorManager FontManager ModuleSubFolder MapSubFolder PrototypeFolder GlobalPropertyFolder DeckSubFolder
    """.split()  # noqa: SIM905
)


@dataclass(frozen=True)
class Imported:
    """The files of a project by name under its root, what they hold, and what could not be carried, in words."""

    files: Mapping[str, bytes]
    held: Mapping[str, int]
    left: tuple[str, ...]


def import_module(module: Module, name: str) -> Imported | None:
    """Turn a module into a project called `name`; None when it has no board whose size is known.

    `toolchain build` works on the result. The pieces keep their ids, so that games saved with the module can be
    refreshed to one that is built from the project.
    """
    left: list[str] = []
    saves = read_setups(module, left)
    ground = build_ground(module, left, boards_in_use(module, [save for _, save in saves]))
    if ground is None:
        return None
    sides = _sides(module)
    pieces = build_pieces(module, sides, left)
    piles = build_piles(module, ground, left)
    setups = build_setups(module, saves, ground, pieces, piles, left)
    if ground.grid is None and not ground.boxes:
        # A map needs a place at least.
        ground.add_box(ground.board.get("name") or "Board", shapely.box(0, 0, *ground.size))
    turns, phases = _turns(module, left)
    title = module.root.get("name") or name

    files: dict[str, bytes] = {}
    board = _copy_boards(module, ground, files, name, left)
    for file, text in map_files(ground, title, board).items():
        files[f"maps/{name}/{file}"] = text.encode()
    for file, text in counter_files(pieces, copies_of(setups)).items():
        files[f"counters/{name}/{file}"] = text.encode()
    files |= {f"counters/{name}/{file}": data for file, data in pieces.pictures.items() if data}
    game = _game(module, title, sides, turns, phases, bool(ground.boxes))
    files[f"modules/{name}/game.toml"] = game.encode()
    files[f"modules/{name}/vassal.toml"] = _vassal(module, ground, piles).encode()
    files[f"modules/{name}/gpids.toml"] = _lock(module, pieces).encode()
    for file, text in setup_files(setups, len(turns)):
        files[f"modules/{name}/setups/{file}"] = text.encode()
    left += _components(module, ground)
    held = {
        "counters": len(pieces.rows),
        "hexes": len(ground.grid.cells) if ground.grid else 0,
        "named hexes": len(ground.named),
        "boxes": len(ground.boxes),
        "boards": len(ground.boards),
        "decks": len(piles),
        "set-ups": len(setups),
        "placed pieces": sum(len(s.pieces) for s in setups.values()),
        "pictures": sum(1 for f in files if "/pictures/" in f),
    }
    files[f"modules/{name}/IMPORTED.md"] = _told(title, module, held, left).encode()
    return Imported(files, held, tuple(left))


def _sides(module: Module) -> dict[str, str]:
    """Return the keys of the player sides by their names."""
    names = [e.text.strip() for r in module.root.all("PlayerRoster") for e in r.parts if e.text.strip()]
    return plain_names(dict.fromkeys(names))


def _turns(module: Module, left: list[str]) -> tuple[list[str], list[str]]:
    """Return the turns and phases of the first turn track, where they are listed by name."""
    track = next(module.root.all("TurnTracker"), None)
    if track is None:
        return [], []
    level = next((p for p in track.parts if p.kind == "ListTurnLevel"), None)
    if level is None:
        left.append(f"the turn track {track.name!r}, which counts and lists no turns")
        return [], []
    inner = next((p for p in level.parts if p.kind == "ListTurnLevel"), None)
    turns = [t for t in decode_list(level.get("list")) if t]
    return turns, [t for t in decode_list(inner.get("list")) if t] if inner else []


def _game(
    module: Module, title: str, sides: Mapping[str, str], turns: list[str], phases: list[str], boxed: bool
) -> str:
    lines = ["format = 1", f"title = {quoted(title)}", f"version = {quoted(module.root.get('version') or '0.0')}"]
    lines.append(f"description = {quoted(module.root.get('description'))}")
    lines.append(f"credits = {quoted(f'After the VASSAL module {title}.')}")
    for key, words in (("turns", turns), ("phases", phases)):
        if words:
            lines.append(f"{key} = [{', '.join(map(quoted, words))}]")
    lines += ["", "[sides]"]
    for name, key in sides.items():
        lines += ["", f"[sides.{key}]", f"title = {quoted(name)}"]
    if boxed:
        lines += [
            "",
            "[[accept]]",
            'code = "G101"',
            f"why = {quoted('a module does not say how its boxes are joined')}",
        ]
    return "\n".join(lines) + "\n"


def _vassal(module: Module, ground: Ground, piles: Mapping[str, Pile]) -> str:
    lines = ["format = 1", f"map = {quoted(ground.map.get('mapName') or 'Map')}"]
    if ground.grid is not None:
        pixels = round(ground.grid.pitch * PIXELS)
        lines.insert(1, f"hex_pixels = {min(400, max(16, pixels))}")
    for dice in module.root.all("DiceButton"):
        count, faces = dice.get("nDice", "2"), dice.get("nSides", "6")
        if (
            count.isdigit()
            and faces.isdigit()
            and 1 <= int(count[:4]) <= 20
            and 2 <= int(faces[:5]) <= 1000
            and dice.name
        ):
            lines += ["", "[[dice]]", f"name = {quoted(dice.name)}", f"dice = {int(count)}", f"sides = {int(faces)}"]
    filled = {s.name for s in module.root.all("DrawPile") if any(s.all(*SLOTS))}
    for pile in piles.values():
        lines += ["", "[[deck]]", f"name = {quoted(pile.name)}", f"at = {quoted(pile.space)}"]
        lines += [f"shift = [{pile.shift[0]}, {pile.shift[1]}]"] * any(pile.shift)
        lines += [f"of = {{ deck = {quoted(pile.name)} }}"] * (pile.name in filled)
        lines += ["open = true"] * pile.open + ["shuffle = false"] * (not pile.shuffle)
        discards = next((p.name for p in piles.values() if p.back == pile.name), "")
        lines += [f"discards = {quoted(discards)}"] * bool(discards)
    return "\n".join(lines) + "\n"


def _lock(module: Module, pieces: Pieces) -> str:
    least = max(pieces.gpids.values(), default=0) + 1
    return Lock(max(whole(module.root.get("nextPieceSlotId")) or 0, least), pieces.gpids).text


def _copy_boards(module: Module, ground: Ground, files: dict[str, bytes], name: str, left: list[str]) -> str:
    """Copy the pictures of the boards; return the file of that which is printed as the map."""
    out, others = "", []
    shown = picture_of(module, ground.boards, left)
    if shown is not None:
        stem = slug(ground.board.get("image").rpartition(".")[0]) if len(ground.boards) == 1 else "boards"
        out = f"pictures/{stem}.{shown[0]}"
        files[f"maps/{name}/{out}"] = shown[1]
    carried = {b.board for b in ground.boards}
    for board in module.root.all("Board"):
        image = board.get("image")
        if board in carried or f"images/{image}" not in module.archive:
            continue
        data = module.archive.read(f"images/{image}", Report())
        file = f"maps/{name}/pictures/{slug(image.rpartition('.')[0])}.{image.lower().rpartition('.')[2]}"
        if data is not None and file not in files:
            files[file] = data
            others.append(board.name)
    if others:
        left.append(f"the boards {', '.join(map(repr, others))}; their pictures are in maps/{name}/pictures")
    return out


def _components(module: Module, ground: Ground) -> list[str]:
    """Say which components are left behind, by their kind."""
    out = []
    carried = {b.window for b in ground.boards}
    maps = [m.get("mapName") or m.kind for m in module.maps if m not in carried]
    if maps:
        out.append(f"the windows {', '.join(map(repr, maps))}")
    names: dict[str, list[str]] = {}
    inside = {c for m in module.maps if m not in carried for c in m.walk()}
    for c in module.root.walk():
        if c.kind not in _CARRIED and c not in inside:
            names.setdefault(c.kind, []).append(c.name)
    for kind, listed in sorted(names.items()):
        shown = ", ".join(repr(n) for n in dict.fromkeys(listed) if n)
        words = shown if len(shown) < 200 else shown[:197] + "..."
        out.append(f"{kind} ({len(listed)})" + (f": {words}" if words else ""))
    code = Tally(e.rpartition(".")[2] for e in module.archive)["class"]
    if code:
        out.append(f"{counted(code, 'class', 'classes')} of the module's own code")
    return out


def _told(title: str, module: Module, held: Mapping[str, int], left: list[str]) -> str:
    carried = "".join(f"- {line}\n" for line in tallied(held))
    rest = "".join(f"- {line}\n" for line in left) or "- nothing\n"
    return (
        f"# {title}\n\nMade from a VASSAL module, version {module.root.get('version') or 'unknown'}. Rules, terrain "
        f"and roads are not in a module; state them in `rules.toml` and draw them for `map.toml`.\n\n"
        f"## What was carried\n\n{carried}\n## What was not\n\n{rest}"
    )
