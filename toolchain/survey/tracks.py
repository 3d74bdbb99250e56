"""Tracks: rows of numbered boxes for markers, in a panel or along a line."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise

import numpy as np
import shapely

from toolchain.catalogue import OFF_SHEET, REPEATED_NAME, TRACK_CROWDED
from toolchain.model.warmap import Link, Point, Space, Track
from toolchain.report import Location, Report
from toolchain.sources.decode.boards import TrackData
from toolchain.sources.decode.maps import MapPlan

HEAD = 7.0  # mm, of the title of a panel
EDGE = 1.5  # mm, around the boxes


def build_tracks(
    plan: MapPlan, taken: Mapping[str, Location], report: Report
) -> tuple[tuple[Track, ...], tuple[Space, ...], tuple[Link, ...]]:
    """Build the tracks of map.toml: what is printed, their spaces, and the links that state their order.

    taken: names that other spaces have. A box of such a name is a finding, and its whole track is left out, so that
    no number is missing in silence.
    """
    seen = dict(taken)
    tracks: list[Track] = []
    spaces: list[Space] = []
    links: list[Link] = []
    for i, data in enumerate(plan.data.track):
        where = plan.at(f"track.{i}")
        twice = [k for k in data.keys if k in seen] or [k for k in data.keys if data.keys.count(k) > 1]
        if twice:
            text = f"{twice[0]!r} is the name of another space; give the track {data.key} another prefix"
            report.add(REPEATED_NAME, where, text)
            continue
        seen.update(dict.fromkeys(data.keys, where))
        track, at = _laid(plan, data)
        tracks.append(track)
        new = [_cell(plan, data, n, at[n], where) for n in range(len(at))]
        spaces += new
        _report_place(plan, track, new, where, report)
        if data.link:
            links += [
                Link(a, b, data.link, data.one_way, cite=data.cite, assumed=data.assumed, where=where)
                for a, b in pairwise(data.keys)
            ]
    return tuple(tracks), tuple(spaces), tuple(links)


def _laid(plan: MapPlan, data: TrackData) -> tuple[Track, list[Point]]:
    """Return the printed track and the middle of every box."""
    words, (w, h) = data.words, data.cell
    outline: tuple[Point, ...] = ()
    if data.at is None:
        line = shapely.LineString(data.along)
        steps = np.linspace(0, 1, len(words)) if len(words) > 1 else np.zeros(1)
        points = shapely.get_coordinates(shapely.line_interpolate_point(line, steps, normalized=True))
        at = [(x, y) for x, y in points.round(6).tolist()]
    else:
        columns = min(data.columns or len(words), len(words))
        width, height = columns * w + 2 * EDGE, math.ceil(len(words) / columns) * h + HEAD + EDGE
        left, top = data.at[0] - width / 2, data.at[1] - height / 2
        at = [(left + EDGE + (n % columns + 0.5) * w, top + HEAD + (n // columns + 0.5) * h) for n in range(len(words))]
        outline = _rectangle(data.at, width, height)
    return Track(data.key, data.label, data.keys, words, outline, plan.data.sheet.name), at


def _cell(plan: MapPlan, data: TrackData, n: int, at: Point, where: Location) -> Space:
    return Space(
        key=data.keys[n],
        kind="box",
        at=at,
        name=data.keys[n],
        outline=_rectangle(at, *data.cell),
        sheet=plan.data.sheet.name,
        traits={**data.traits, "track": data.key, "step": str(n + 1)},
        enterable=data.enterable,
        cite=data.cite,
        assumed=data.assumed,
        where=where,
    )


def _rectangle(at: Point, width: float, height: float) -> tuple[Point, ...]:
    (x, y), w, h = at, width / 2, height / 2
    return (x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)


def _report_place(plan: MapPlan, track: Track, cells: list[Space], where: Location, report: Report) -> None:
    sheet = plan.data.sheet
    corners = [*track.outline, *(p for s in cells for p in s.outline)]
    beyond = max(max(-x, -y, x - sheet.width, y - sheet.height) for x, y in corners)
    if beyond > 1e-9:
        report.add(OFF_SHEET, where, f"the track {track.key} reaches {beyond:.1f} mm beyond the sheet")
    if not track.outline:
        boxes = [shapely.box(*s.outline[0], *s.outline[2]).buffer(-0.01) for s in cells]
        for a, b in shapely.STRtree(boxes).query(boxes, predicate="intersects").T.tolist():
            if a < b:
                text = f"the boxes {cells[a].key} and {cells[b].key} lie over each other"
                report.add(TRACK_CROWDED, where, f"{text}; the line is too short, or too bent, for all {len(cells)}")
                break
