"""Sources that serve only so many units: who is served, once it is known who has a line from elsewhere."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from toolchain.checks.lines import Lines, Traced
from toolchain.graph.search import Ints, Reach, search
from toolchain.model.rulebook import Line, Source

SLACK = 1e-9
"""Halves and thirds may be added up in any order."""


@dataclass(frozen=True, eq=False)
class Served:
    """The line of a unit that a source of limited reach serves: its source, its rule, its stages and its search."""

    source: int
    line: Line
    reach: Reach


@dataclass(frozen=True, eq=False)
class _Offer:
    """What one space of a limited source can do for one unit. far: steps of its best line."""

    far: int
    grade: int
    line: Line
    reach: Reach


def serve(
    lines: Lines, traced: Mapping[int, Traced], grade: Ints, kept: Collection[int]
) -> tuple[dict[int, Served], dict[int, tuple[int, ...]]]:
    """Share limited sources out: first among units without a line, then among those whose grade they would better.

    lines, traced: the rules, and what each tracer found without these sources. grade: of every row by that, shape
    (rows,). kept: rows whose grade was judged before. The nearest are served first, of equals the one whose id comes
    first; each with the best grade that the source gives it. Returns the line of each row served, and for the rows that
    none serves though one could, had it not been used up, the spaces of such sources.
    """
    layout = lines.layout
    offers: dict[tuple[int, int, int], _Offer] = {}
    limits: dict[int, Source] = {}
    for t in lines.ways.tracers:
        result = traced.get(t.number)
        rows = [r for r in t.rows.tolist() if result is not None and layout.at[r] >= 0 and r not in kept]
        if result is None or not rows:
            continue
        for line, stretches, _ in result.lines:
            value = lines.grades.index(line.grade)
            for source, spaces in lines.sources(line, result.rule, t, result.open):
                if source.serves is None:
                    continue
                limits[id(source)] = source
                for at in np.flatnonzero(spaces).tolist():
                    only = np.zeros(lines.board.size, dtype=bool)
                    only[at] = True
                    reach = search(lines.board.arcs, only, stretches, result.open)
                    for r in rows:
                        key, space = (id(source), at, r), int(layout.at[r])
                        had = offers.get(key)
                        if reach.reached[space] and value < grade[r] and (had is None or value < had.grade):
                            offers[key] = _Offer(len(reach.path(space)), value, line, reach)
    out = len(lines.grades)
    number = {key: n for n, key in enumerate(limits)}
    order = sorted(
        offers,
        key=lambda k: (grade[k[2]] < out, offers[k].far, layout.pieces[k[2]].id, offers[k].grade, k[1], number[k[0]]),
    )
    served: dict[int, Served] = {}
    left_out: dict[int, tuple[int, ...]] = {}
    spent: dict[tuple[int, int], float] = {}
    weights = {key: layout.weights(source.weight) for key, source in limits.items()}
    for key in order:
        which, at, row = key
        used, weight = spent.get((which, at), 0.0), float(weights[which][row])
        if row in served:
            continue
        if used + weight <= (limits[which].serves or 0.0) + SLACK:
            spent[which, at] = used + weight
            served[row] = Served(at, offers[key].line, offers[key].reach)
        elif grade[row] == out and at not in left_out.get(row, ()):
            left_out[row] = (*left_out.get(row, ()), at)
    return served, {row: full for row, full in left_out.items() if row not in served}
