"""What each side has on each network: such as the railway capacity that follows from the yards it holds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import networkx as nx
import numpy as np

from toolchain.checks.judge import Verdict
from toolchain.checks.ways import Tracer
from toolchain.model.rulebook import Capacity
from toolchain.model.terms import EVERY, View


@dataclass(frozen=True, slots=True)
class Holding:
    """What one side has on one network. network: the first of its spaces with a name; size: how many it has.

    spaces: those that count.
    """

    rule: Capacity
    side: str
    network: str
    size: int
    spaces: tuple[str, ...]

    @property
    def amount(self) -> float:
        """How much it comes to."""
        return len(self.spaces) * self.rule.each

    @property
    def words(self) -> str:
        """The holding in words."""
        spaces = f"{len(self.spaces)} space{'' if len(self.spaces) == 1 else 's'} of {self.size}"
        return f"{self.rule.name} at {self.network}: {self.side} {self.amount:g} ({spaces}){self.rule.basis}"

    @property
    def data(self) -> dict[str, object]:
        """The holding as plain data, for JSON."""
        return {
            "name": self.rule.name,
            "side": self.side,
            "network": self.network,
            "amount": self.amount,
            "spaces": list(self.spaces),
            "cite": self.rule.cite,
        }


def capacities(verdict: Verdict) -> tuple[Holding, ...]:
    """Reckon what every side has on every network, by rule, network and side; holdings of nothing are left out."""
    return tuple(h for rule in verdict.rules.capacities if verdict.layout.holds(rule.when) for h in _of(verdict, rule))


def _of(verdict: Verdict, rule: Capacity) -> Iterator[Holding]:
    layout, board = verdict.layout, verdict.board
    anybody = Tracer(0, View(), np.empty(0, dtype=np.int64), frozenset({EVERY}))
    usable = verdict.ways.usable(rule.over, anybody)
    graph = nx.Graph(zip(board.arcs.tail[usable].tolist(), board.arcs.head[usable].tolist(), strict=True))
    counts = {side: layout.spaces_of(rule.where, View(side)) for side in verdict.game.sides}
    for network in sorted(sorted(part) for part in nx.connected_components(graph)):
        at = np.array(network)
        named = next((s.key for n in network if (s := board.map.spaces[n]).name), board.map.spaces[network[0]].key)
        for side, fits in counts.items():
            if fits[at].any():
                keys = tuple(board.map.spaces[n].key for n in at[fits[at]].tolist())
                yield Holding(rule, side, named, len(network), keys)
