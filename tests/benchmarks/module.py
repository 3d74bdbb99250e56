"""How fast is a module? 2,000 counters with a set-up of all of them, apart from drawing the art.

Hexes have zones of their own or share them, pieces count in stacks, and some have zones of control. Times are of the
processor, so that a busy machine does not count. The goal was set beside pywargame 0.8, which took 3.9 s, and longer in
proportion.

    python tests/benchmarks/module.py [COUNTERS]
"""

from __future__ import annotations

import sys
import time
import tomllib
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "vassal")]

from handmade import png  # noqa: E402
from tiny import RULES  # noqa: E402

from toolchain.export.vassal.board import build_boards  # noqa: E402
from toolchain.export.vassal.gpids import Lock, update_lock  # noqa: E402
from toolchain.export.vassal.module import build_module, pixels_per_mm  # noqa: E402
from toolchain.export.vassal.pictures import face_pictures  # noqa: E402
from toolchain.model.forces import Counter, Face, Side  # noqa: E402
from toolchain.model.game import Event, Game  # noqa: E402
from toolchain.model.hexes import HexGrid  # noqa: E402
from toolchain.model.position import Piece, Position  # noqa: E402
from toolchain.model.warmap import LegendEntry, Sheet, Space, WarMap  # noqa: E402
from toolchain.report import Report  # noqa: E402
from toolchain.sources.decode.rules import decode_rules  # noqa: E402
from toolchain.sources.decode.vassal import VassalPlan  # noqa: E402
from toolchain.sources.decode.vocabulary import Vocabulary  # noqa: E402

GOAL = 1.5  # seconds for 2,000 counters


def hexes(columns: int, rows: int) -> WarMap:
    """Make a map of unnamed hexes in four terrains, one in ten a named town."""
    grid = HexGrid("flat", 16.0, (12.0, 12.0), columns, rows)
    centres, corners = grid.centres(grid.cells).tolist(), grid.corners(grid.cells).tolist()
    spaces = []
    for n, (c, r) in enumerate(grid.cells.tolist()):
        name = f"Town {n}" if n % 10 == 0 else ""
        label = grid.label(c, r)
        terrain = ("clear", "wood", "hill", "sea")[(c // 5 + r // 4) % 4]
        outline = tuple((x, y) for x, y in corners[n])
        at = (centres[n][0], centres[n][1])
        spaces.append(Space(name or label, "hex", at, name, label, (c, r), outline, terrain=terrain))
    width, height = columns * 14 + 20.0, rows * 16 + 20.0
    legend = tuple(LegendEntry(t, "terrain", t.title()) for t in ("clear", "wood", "hill", "sea"))
    sheet = Sheet("main", width, height)
    return WarMap("bench", "Bench", (sheet,), tuple(spaces), legend=legend, grids={"main": grid})


def game_of(count: int) -> Game:
    """Make a game of so many counters of two steps, all of which stand on the map."""
    warmap = hexes(80, 60)
    counters = tuple(
        Counter(
            f"{side}-{n}",
            f"{n}. Division",
            side=side,
            nation=side[0].upper(),
            kind=("corps", "army", "brigade")[n % 3],
            faces=(Face({"attack": 4, "movement": 5}), Face({"attack": 2, "movement": 5})),
            attributes={"mech": n % 4 == 0, "setup": f"A{n % 40}"},
        )
        for n in range(count // 2)
        for side in ("red", "blue")
    )
    sides = {"red": Side("red", "Red", ("R",)), "blue": Side("blue", "Blue", ("B",))}
    events = {"rain": Event("rain", "Rain")}
    words = Vocabulary.of(warmap, counters, sides, events)
    book = decode_rules(tomllib.loads(RULES), "rules.toml", words, Report())
    land = [s.key for s in warmap.spaces if s.terrain != "sea"]
    pieces = tuple(Piece(c.id, c.id, land[n // 2 * 3 % len(land)]) for n, c in enumerate(counters))
    setup = Position("all", pieces, title="All")
    return Game("bench", "Bench", "1", "", sides, warmap, counters, book, (setup,), events)


def measure(count: int) -> float:
    """Return the seconds of the processor that a module of so many counters takes, its pictures given."""
    game, plan = game_of(count), VassalPlan(hex_pixels=56)
    plain = png(40, 40, (200, 60, 50))
    pictures = {f"{stem}.png": plain for stem in face_pictures(game.counters).values()}
    for board in build_boards(game.map, pixels_per_mm(game, plan)):
        pictures[f"{board.image}.png"] = png(board.width, board.height, (220, 225, 205))
    lock = update_lock(Lock(), [c.id for c in game.counters])
    start = time.process_time()
    data = build_module(game, pictures, plan, lock, Report())
    seconds = time.process_time() - start
    print(f"{count:6} counters  {seconds:6.2f} s  {len(data) / 1e6:6.1f} MB")
    return seconds


def main() -> int:
    """Measure; the status is 1 when 2,000 counters take longer than the goal, or time grows faster than the work."""
    given = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    small, large = measure(given // 4), measure(given)
    return int((given == 2000 and large > GOAL) or large > 6 * small)


if __name__ == "__main__":
    sys.exit(main())
