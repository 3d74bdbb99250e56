"""A tiny game in code: seven hexes round a town, a box, two sides, four counters, one set-up."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from handmade import png

from toolchain.export.vassal.board import build_boards
from toolchain.export.vassal.gpids import Lock, update_lock
from toolchain.export.vassal.module import build_module, pixels_per_mm
from toolchain.export.vassal.pictures import face_pictures
from toolchain.model.forces import Counter, Face, Side
from toolchain.model.game import Game, TurnTrack
from toolchain.model.hexes import HexGrid, Numbering
from toolchain.model.position import Piece, Position
from toolchain.model.rulebook import Rulebook
from toolchain.model.warmap import LegendEntry, Sheet, Space, WarMap
from toolchain.report import Location, Report
from toolchain.sources.decode.vassal import VassalPlan

NAMES = {(0, 0): "Ålesund", (1, 0): "Aix/Nord", (1, 1): "Mitte", (2, 1): "Port-Louis", (1, 2): "St. John's; East"}
SEVEN = [(0, 0), (0, 1), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1)]


def hex_space(grid: HexGrid, cell: tuple[int, int], name: str = "", sheet: str = "main") -> Space:
    """Make a space of one hex."""
    label = grid.label(*cell)
    (centre,), (corners,) = grid.centres([cell]), grid.corners([cell])
    return Space(
        name or label,
        "hex",
        (float(centre[0]), float(centre[1])),
        name,
        label,
        cell,
        tuple((float(x), float(y)) for x, y in corners),
        sheet,
        "clear",
        features=frozenset({"port"} if "Port" in name else ()),
    )


def box(key: str, at: tuple[float, float], size: tuple[float, float]) -> Space:
    """Make a box off the map."""
    (x, y), (w, h) = at, (size[0] / 2, size[1] / 2)
    return Space(key, "box", at, key, outline=((x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)))


def seven_map(orientation: str = "flat", low: str = "odd", numbering: Numbering | None = None) -> WarMap:
    """Make the map: seven hexes in three columns, and a box to the right."""
    grid = HexGrid(orientation, 20.0, (15.3, 24.7), 3, 3, low, numbering or Numbering())
    hexes = [hex_space(grid, cell, NAMES.get(cell, "")) for cell in SEVEN]
    legend = (LegendEntry("clear", "terrain", "Clear"), LegendEntry("port", "feature", "Port"))
    spaces = (*hexes, box("Reserve", (110.0, 45.0), (60.0, 50.0)))
    return WarMap("seven", "Seven", (Sheet("main", 150.0, 90.0),), spaces, legend=legend, grids={"main": grid})


ROW = Location("counters/seven/units.csv", 2)


def two_steps(ident: str, name: str, side: str, attack: int) -> Counter:
    """Make a unit of two steps."""
    faces = (Face({"attack": attack, "movement": 4}), Face({"attack": attack - 1, "movement": 4}))
    return Counter(
        ident, name, "unit", side, side[0].upper(), "corps", faces=faces, attributes={"mech": side == "red"}, where=ROW
    )


COUNTERS = (
    two_steps("red-1", "I. Korps", "red", 4),
    two_steps("red-2", "2/3 Rgt; Süd, Nord", "red", 3),
    two_steps("blue-1", "1st 'Lions'", "blue", 5),
    Counter(
        "control", "Control", "marker", kind="control", faces=(Face({"text": "Red"}), Face({"text": "Blue"})), where=ROW
    ),
)
SETUP = Position(
    "start",
    (
        Piece("red-1", "red-1", "Mitte"),
        Piece("red-2", "red-2", "Mitte", step=1),
        Piece("blue-1", "blue-1", "Port-Louis"),
        Piece("blue-1#2", "blue-1", "Reserve"),
        Piece("blue-1#3", "blue-1", "Reserve"),
        Piece("blue-1#4", "blue-1", "Reserve", step=1),
        Piece("red-1#2", "red-1", "0001"),
        Piece("blue-1#5", "blue-1", "St. John's; East"),
    ),
    title="Opening",
    control={"Mitte": "red", "Reserve": "blue"},
    turn=2,
    facts={"victory-points": "7"},
)
PLAN = VassalPlan.model_validate(
    {
        "under": ["control"],
        "control": {"red": {"counter": "control"}, "blue": {"counter": "control", "step": 1}},
        "eliminated": {"blue": "Reserve"},
    }
)


def seven(warmap: WarMap | None = None, **changes: object) -> Game:
    """Make the game; changes are fields of Game."""
    warmap = warmap or seven_map()
    by_cell = {s.cell: s.key for s in warmap.spaces if s.cell}
    pieces = tuple(replace(p, at=by_cell[0, 1] if p.at == "0001" else p.at) for p in SETUP.pieces)
    game = Game(
        "seven",
        "Seven <Hexes>",
        "1.2.0",
        "Seven hexes & a box.",
        {"red": Side("red", "Red", ("R",)), "blue": Side("blue", "Blue", ("B",))},
        warmap,
        COUNTERS,
        Rulebook(),
        (replace(SETUP, pieces=pieces),),
        track=TurnTrack(("Spring, 1805", "Summer 1805", "Fall 1805"), ("Move: Red", "Move: Blue")),
        credits="Made for tests.",
    )
    return replace(game, **changes)


def pictures_of(game: Game, plan: VassalPlan = PLAN) -> dict[str, bytes]:
    """Draw the pictures that the module needs: plain boards, faces in the sides' colours."""
    out = {}
    for board in build_boards(game.map, pixels_per_mm(game, plan)):
        out[f"{board.image}.png"] = png(board.width, board.height, (214, 222, 200))
    colours = {"red": (200, 60, 50), "blue": (60, 90, 200), "": (240, 240, 240)}
    for (ident, step), stem in face_pictures(game.counters).items():
        rgb = colours[game.counter[ident].side]
        out[f"{stem}.png"] = png(50, 50, tuple(min(255, c + 60 * step) for c in rgb))
    return out


def module_of(
    game: Game,
    plan: VassalPlan = PLAN,
    pictures: Mapping[str, bytes] | None = None,
    report: Report | None = None,
) -> bytes:
    """Build the module of a game with its own pictures."""
    lock = update_lock(Lock(), [c.id for c in game.counters])
    return build_module(
        game, pictures or pictures_of(game, plan), plan, lock, report if report is not None else Report()
    )
