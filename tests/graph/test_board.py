"""The compact arrays of a map: rivers followed downstream."""

from __future__ import annotations

from dataclasses import replace

import tiny

from toolchain.graph.board import Board

# Hexes 0101 to 0106 in a column; the river crosses each pair in turn, from corner 0 to corner 5, and a brook comes in.
KINDS = {1: "river", 2: "river bridge", 3: "river", 4: "river bridge", 5: "river", 6: "river"}


def river(still=()):
    warmap = tiny.hexmap(1, 8, sides={(f"010{n}", f"010{n + 1}"): k for n, k in KINDS.items()})
    corners = {n: ((float(n), 0.0), (n + 1.0, 0.0)) for n in KINDS}
    corners[6] = ((9.0, 9.0), (3.0, 0.0))  # the brook meets the river below the first bridge
    sides = []
    for side in warmap.hexsides:
        n = int(side.a)
        flows = n - 100 in KINDS and n - 100 not in still
        sides.append(replace(side, flows=flows, ends=corners.get(n - 100, side.ends)))
    return Board.from_map(replace(warmap, hexsides=tuple(sides)))


def downstream(board):
    arcs, keys = board.arcs_downstream("bridge"), [s.key for s in board.map.spaces]
    return sorted(keys[int(board.arcs.tail[i])] for i in arcs.nonzero()[0] if board.arcs.tail[i] < board.arcs.head[i])


def test_vw_m5_below_the_first_bridge_but_not_at_bridges_nor_above_nor_on_what_flows_in():
    assert downstream(river()) == ["0103", "0105"]


def test_what_flows_nobody_knows_where_is_downstream_of_nothing():
    assert downstream(river(still=(3,))) == ["0105"]
    assert downstream(river(still=(2, 4))) == []
