"""Pieces of a map sheet that are printed by themselves too, such as a player's own board beside the map."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from toolchain.art.mapsheet import MapSheet
from toolchain.art.marks import Group, Mark, Matrix, Page, Path, rectangle, shifted
from toolchain.sources.decode.mapstyle import CutStyle

_NUMBER = re.compile(r"-?[\d.]+")


def cut_sheets(sheets: Mapping[str, MapSheet], cuts: Mapping[str, CutStyle]) -> dict[str, MapSheet]:
    """Cut pieces out of drawn sheets, by name; those of a sheet that is not there are left out."""
    return {
        name: MapSheet(_piece(sheets[cut.sheet].page, cut), None)
        for name, cut in cuts.items()
        if cut.sheet in sheets and name not in sheets
    }


def _piece(page: Page, cut: CutStyle) -> Page:
    (x, y), (width, height) = cut.at, cut.size
    place = shifted(-x, -y)
    inner = Group(tuple(_within(page.marks, place, (width, height))), place)
    whole = Group((inner,), clip=rectangle(0, 0, width, height))
    return replace(page, width=width, height=height, marks=(whole,), title=cut.title or page.title)


def _within(marks: Iterable[Mark], matrix: Matrix, size: tuple[float, float]) -> Iterator[Mark]:
    """Yield what may show in a piece. Paths are judged by the points of their lines and curves."""
    for mark in marks:
        if isinstance(mark, Group):
            kept = tuple(_within(mark.marks, _joined(matrix, mark.matrix), size))
            if kept:
                yield replace(mark, marks=kept)
        elif not isinstance(mark, Path) or _shows(mark, matrix, size):
            yield mark


def _shows(path: Path, matrix: Matrix, size: tuple[float, float]) -> bool:
    points = np.array([float(n) for n in _NUMBER.findall(path.data)]).reshape(-1, 2)
    a, b, c, d, e, f = matrix
    x, y = points @ np.array([a, c]) + e, points @ np.array([b, d]) + f
    edge = path.paint.width * max(abs(a), abs(b), abs(c), abs(d))
    return bool(
        len(points)
        and x.max() >= -edge
        and y.max() >= -edge
        and x.min() <= size[0] + edge
        and y.min() <= size[1] + edge
    )


def _joined(outer: Matrix, inner: Matrix) -> Matrix:
    (a, b, c, d, e, f), (g, h, i, j, k, n) = outer, inner
    return (a * g + c * h, b * g + d * h, a * i + c * j, b * i + d * j, a * k + c * n + e, b * k + d * n + f)
