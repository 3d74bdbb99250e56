"""Who controls what, where the pieces on the map decide it: by majority, by occupation, by their zones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from toolchain.checks.layout import OFF, Layout
from toolchain.graph.search import Bools, Ints
from toolchain.model.rulebook import Owning


def owners(layout: Layout, zones: Sequence[Bools] = ()) -> Ints:
    """Return who controls each space: a number of a side, or OFF for nobody, shape (size,).

    layout: its stored control stands where no rule decides. zones: by side, the spaces where it has a zone of control.
    In each space the first rule that finds somebody decides; then reverting homes; then what the rule says of vacant
    spaces. Sources: rules of the game, by Owning.
    """
    rules = layout.game.rulebook.control
    control = layout.control.copy()
    size = layout.board.size
    home = np.full(size, OFF, dtype=np.int64)
    fixed = np.zeros(size, dtype=bool)
    for h in layout.homes:
        where = layout.spaces_of(h.where)
        fixed |= where & (not h.reverts)
        home[where & h.reverts] = layout.sides.index(h.side) if h.side in layout.sides else OFF
    open_ = ~fixed
    nobody = np.zeros(size, dtype=bool)
    for rule in rules.rules:
        where = open_ & layout.spaces_of(rule.where)
        winner, contested = _by_zones(layout, zones) if rule.by == "zone" else _by_pieces(layout, rule)
        won, drawn = where & (winner != OFF), where & contested
        control[won] = winner[won]
        if rule.contested == "nobody":
            control[drawn] = OFF
        open_ = open_ & ~won & ~drawn
        nobody |= where & (rule.vacant == "nobody")
    control[open_ & nobody] = OFF
    back = open_ & (home != OFF) & ~_held_by_other(layout, home)
    control[back] = home[back]
    return control


def _by_pieces(layout: Layout, rule: Owning) -> tuple[Ints, Bools]:
    """Return the winner of each space by pieces, OFF for none, and the spaces where it is contested."""
    size, sides = layout.board.size, len(layout.sides)
    winner = np.full(size, OFF, dtype=np.int64)
    contested = np.zeros(size, dtype=bool)
    weights = layout.weights(rule.weight)
    for of in rule.of:
        rows = np.flatnonzero(layout.counted(of) & (layout.side != OFF))
        total = np.zeros((sides, size))
        np.add.at(total, (layout.side[rows], layout.at[rows]), weights[rows])
        present = (total > 0).sum(axis=0)
        most = total.max(axis=0, initial=0.0)
        alone = (np.abs(total - most) < 1e-9).sum(axis=0) == 1 if rule.by == "majority" else present == 1
        asked = (present > 0) & (winner == OFF) & ~contested
        won = asked & alone
        winner[won] = total.argmax(axis=0)[won] if sides else OFF
        contested |= asked & ~alone
    return winner, contested


def _by_zones(layout: Layout, zones: Sequence[Bools]) -> tuple[Ints, Bools]:
    """Return the side that alone has a zone in each space; that two have one there decides nothing."""
    size = layout.board.size
    winner = np.full(size, OFF, dtype=np.int64)
    for side, zone in enumerate(zones):
        others = np.any([np.zeros(size, dtype=bool), *(z for n, z in enumerate(zones) if n != side)], axis=0)
        winner[zone & ~others] = side
    return winner, np.zeros(size, dtype=bool)


def _held_by_other(layout: Layout, home: Ints) -> Bools:
    """Return the spaces where a piece that may hold a space stands and is not of the home side, shape (size,)."""
    rows = np.flatnonzero(layout.counted(layout.game.rulebook.control.holders) & (layout.side != OFF))
    held = np.zeros(layout.board.size, dtype=bool)
    held[layout.at[rows[layout.side[rows] != home[layout.at[rows]]]]] = True
    return held
