"""Where drawn lines end on the grid: rivers and walls at corners of hexes, roads in hexes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from toolchain.model.drawing import LineEnd
from toolchain.sources.decode.maps import MapPlan
from toolchain.survey.arrays import SurveyArrays


def line_ends(plan: MapPlan, arrays: SurveyArrays, keys: Sequence[str]) -> tuple[LineEnd, ...]:
    """Return both ends of every line that was followed along hexsides or walked from hex to hex.

    keys: of the spaces, by cell.
    """
    return (*_of_streams(plan, arrays), *_of_roads(plan, arrays, keys))


def _of_streams(plan: MapPlan, arrays: SurveyArrays) -> Iterator[LineEnd]:
    corners = arrays.lattice.corners
    for n, stream in enumerate(arrays.sides.streams):
        kind = plan.data.hexside[stream.kind].name
        for end in (0, 1):
            x, y = corners[stream.corner(end)].round(6).tolist()
            at = stream.tip(end).round(3).tolist()
            yield LineEnd(kind, n, stream.name, (at[0], at[1]), (x, y), "", stream.reached[end], stream.where)


def _of_roads(plan: MapPlan, arrays: SurveyArrays, keys: Sequence[str]) -> Iterator[LineEnd]:
    number = 0
    for crossed in arrays.crossed:
        kind = plan.data.crossing[crossed.entry].link
        tips = crossed.tips.round(3).tolist()
        for line, (cells, spots) in enumerate(zip(crossed.ends.tolist(), tips, strict=True)):
            shape = crossed.lines[line]
            name = str(shape.properties.get("name") or "")
            for cell, at in zip(cells, spots, strict=True):
                there = cell >= 0 and bool(arrays.on_map[cell])
                space = keys[cell] if there else ""
                yield LineEnd(kind, number, name, (at[0], at[1]), None, space, "" if there else "rim", shape.where)
            number += 1
