"""How long it takes to judge 5,000 units on 100,000 hexes, beside one networkx search for each unit.

Two sides face each other along a front, with cities as sources, ports on three seas, zones of control that need supply
and lines that yield to zones. The networkx searches run on the same hexes, open to the unit's side, and only ask
whether an overland line exists; a sample of the units is timed and its answers are compared.

Run by hand: python tests/benchmarks/supply.py
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

import networkx as nx
import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import tiny

from toolchain.checks.judge import judge
from toolchain.checks.reasons import Reasons
from toolchain.checks.stacking import check_stacking
from toolchain.graph.board import Board

COLUMNS, ROWS, UNITS, SAMPLE = 320, 320, 5000, 40
RULES = tiny.RULES.replace('where = { feature = "city", control = "friendly" }', 'where = { feature = "city" }')


def build():
    """Make the map, the game and a position, the same each time."""
    dice = random.Random(1)
    keys = [f"{c + 1:02d}{r + 1:02d}" for c in range(COLUMNS) for r in range(ROWS)]
    features = dict.fromkeys(dice.sample(keys, 100), "port") | dict.fromkeys(dice.sample(keys, 40), "city")
    traits = {k: {"sea": dice.choice("abc")} for k, f in features.items() if f == "port"}
    warmap = tiny.hexmap(COLUMNS, ROWS, features, traits)
    units = [tiny.unit(f"{s[0]}{i}", s, mech=i % 4 == 0) for s in ("red", "blue") for i in range(UNITS // 2)]
    # Columns up to the middle are red's, the rest blue's, with a salt of lost hexes on both sides.
    control = {s.key: "red" if s.cell[0] < COLUMNS // 2 else "blue" for s in warmap.spaces}
    control |= {k: dice.choice(["red", "blue"]) for k in dice.sample(keys, 6000)}
    near = [s.key for s in warmap.spaces if abs(s.cell[0] - COLUMNS // 2) < 30]
    own = {side: [k for k in near if control[k] == side] for side in ("red", "blue")}
    at = {u.id: dice.choice(own[u.side]) for u in units}
    return tiny.game(warmap, units, RULES), tiny.position(at, control)


def main() -> None:
    game, position = build()
    start = time.perf_counter()
    board = Board.from_map(game.map)
    assert judge(game, board, position).supply  # fills the masks that the board keeps for every later position
    print(f"load: board compiled and first position judged   {time.perf_counter() - start:8.3f} s")
    start = time.perf_counter()
    verdict = judge(game, board, position)
    findings = list(check_stacking(verdict))
    grades = list(verdict.supply.values())
    zones = [len(verdict.zone(side)) for side in game.sides]
    ours = time.perf_counter() - start
    print(
        f"stacking, zones and supply of {UNITS} units           {ours:8.3f} s   "
        f"({', '.join(f'{g} {grades.count(g)}' for g in ('full', 'limited', 'out'))}; {len(findings)} overstacked; "
        f"zones {zones})"
    )
    start = time.perf_counter()
    reasons = Reasons(verdict)
    for piece in verdict.supply:
        reasons.why(piece)
    print(f"reasons for every unit                            {time.perf_counter() - start:8.3f} s")

    arcs, spent = board.arcs, 0.0
    usable = board.arcs_joined("hexside")
    dice = random.Random(2)
    rows = sorted(dice.sample(range(len(verdict.layout.pieces)), SAMPLE))
    low = verdict.bounds[0]
    for side in game.sides:
        mine = [r for r in rows if verdict.layout.pieces[r].id.startswith(side[0])]
        tracer = verdict.ways.tracers[verdict.ways.tracer_of[mine[0]]]
        traced = low.traced[tracer.number]
        # From the space to every open neighbour; a unit's own space need not be open.
        graph = nx.DiGraph()
        graph.add_nodes_from(range(board.size))
        keep = usable & traced.open[arcs.head]
        graph.add_edges_from(zip(arcs.tail[keep].tolist(), arcs.head[keep].tolist(), strict=True))
        sources = set(np.flatnonzero(traced.sources).tolist())
        overland = next(reach for line, _, reach in traced.lines if line.grade == "limited").hops[2]
        for row in mine:
            at = int(verdict.layout.at[row])
            start = time.perf_counter()
            found = at in sources or any(head in sources for _, head in nx.bfs_edges(graph, at))
            spent += time.perf_counter() - start
            assert found == bool(overland[at] >= 0), verdict.layout.pieces[row]
    each = spent / SAMPLE
    print(
        f"one networkx search for each unit ({SAMPLE} timed)       {each * UNITS:8.1f} s   "
        f"({each * UNITS / ours:.0f} times as long)"
    )


if __name__ == "__main__":
    main()
