"""Do sheets fit together: every pair of them, at every edge and in every turn.

Each edge becomes rows of numbers, read clockwise round its sheet: the hexes along it, their terrain, the places where
lines and coasts leave it. Read the other way round they are what a neighbour must have. All pairs of edges are compared
at once; only what differs is looked at again, to say where.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import SEAM_COAST, SEAM_HEXES, SEAM_LINE, SEAM_TERRAIN
from toolchain.model.hexes import Floats, Ints
from toolchain.report import Finding, Location, Report, Rule
from toolchain.sources.decode.maps import MapPlan
from toolchain.survey.laying import TOLERANCE, lay_sheets
from toolchain.survey.paper import paper_of, share_on_paper
from toolchain.survey.seamlines import AT_EDGE
from toolchain.survey.single import Surveyed
from toolchain.survey.terrain import survey_grounds

COAST = "coast"
# Ends of hexes along an edge are the same when they are so near, in mm.
SAME = 0.05
# The edge is looked at so far inside the sheet, in mm, where it lies on no border.
INSIDE = 1e-3


@dataclass(frozen=True)
class Edge:
    """One edge of a sheet, read clockwise round it; all places in millimetres from its beginning.

    facing: direction outward, in degrees clockwise from upward. spans: (n, 2), begin and end of each hex along it.
    depth: (n,) how far within the sheet the middle of a hex lies that the edge cuts, NaN for one that it does not cut.
    terrain: (n,) place in the legend, -1 for none. labels: of the hexes. leaves: where lines of a layer, and coasts,
    leave the sheet. wet: whether it begins in water. start, of: where a stretch begins, and the length of the edge.
    """

    sheet: str
    number: int
    name: str
    facing: int
    square: bool
    length: float
    spans: Floats
    depth: Floats
    terrain: Ints
    labels: tuple[str, ...]
    leaves: Mapping[str, Floats]
    wet: bool
    start: float = 0.0
    of: float = 0.0

    @property
    def title(self) -> str:
        """What it is called; a stretch, with its place."""
        part = f" from {self.start:.0f} to {self.start + self.length:.0f} mm" if self.of else ""
        return f"{self.sheet} {self.name}{part}"

    def stretch(self, start: float, end: float) -> Edge:
        """Return a part of the edge; the whole, if that is meant."""
        if start < SAME and end > self.length - SAME:
            return self
        spans = np.clip(self.spans, start, end)
        there = np.flatnonzero(spans[:, 1] - spans[:, 0] > SAME)
        leaves = {k: x[(x > start - SAME) & (x < end + SAME)] - start for k, x in self.leaves.items()}
        shores = self.leaves[COAST]
        leaves[COAST] = shores[(shores > start + SAME) & (shores < end - SAME)] - start
        return replace(
            self,
            length=end - start,
            spans=spans[there] - start,
            depth=self.depth[there],
            terrain=self.terrain[there],
            labels=tuple(self.labels[n] for n in there.tolist()),
            leaves=leaves,
            wet=self.wet != bool((shores <= start + SAME).sum() % 2),
            start=start,
            of=self.length,
        )

    def hex_at(self, place: float) -> str:
        """Return the hex that lies at a place of the edge."""
        if not self.labels:
            return self.sheet
        away = np.maximum(self.spans[:, 0] - place, place - self.spans[:, 1])
        return f"{self.sheet}-{self.labels[int(away.argmin())]}"


def read_edges(plan: MapPlan, surveyed: Surveyed, number: int, layers: Sequence[str]) -> list[Edge]:
    """Read the edges of a sheet. plan: of this sheet; number: of its table; layers: of the lines that count."""
    sheet, grid = plan.data.sheet, plan.grid
    legend = [t.name for t in plan.data.terrain]
    share = share_on_paper(plan)
    paper = paper_of(plan)
    spaces = [s for s in surveyed.warmap.spaces if s.cell is not None]
    hexes = shapely.polygons([s.outline for s in spaces]) if spaces else np.array([], dtype=object)
    cut = share[grid.index(np.array([s.cell for s in spaces]))] < 1.0 if spaces else np.array([], dtype=bool)
    water = _water(plan, surveyed)
    ends = {layer: _ends(surveyed, layer, paper) for layer in layers}
    corners = np.array(sheet.outline)
    out = []
    for i, name in enumerate(sheet.edges):
        a, b = corners[i], corners[(i + 1) % len(corners)]
        length = float(np.hypot(*(b - a)))
        along = (b - a) / length
        inward = np.array([-along[1], along[0]])
        line = shapely.linestrings([a + INSIDE * inward, b + INSIDE * inward])
        near = np.flatnonzero(shapely.length(shapely.intersection(hexes, line)) > SAME) if spaces else np.array([], int)
        bounds = [(shapely.get_coordinates(shapely.intersection(hexes[k], line)) - a) @ along for k in near]
        spans = np.array([(x.min(), x.max()) for x in bounds]).reshape(-1, 2)
        order = np.argsort(spans[:, 0], kind="stable")
        here = [spaces[k] for k in near[order]]
        depth = (np.array([s.at for s in here]).reshape(-1, 2) - a) @ inward
        edge = shapely.linestrings([a, b])
        leaves = {
            layer: _places(points[shapely.dwithin(points, edge, AT_EDGE)], a, along) for layer, points in ends.items()
        }
        wet = shapely.intersection(water, line)
        shores = np.concatenate(
            [(shapely.get_coordinates(p) - a) @ along for p in shapely.get_parts(wet)] or [np.array([])]
        )
        leaves[COAST] = np.unique(shores[(shores > SAME) & (shores < length - SAME)].round(3))
        out.append(
            Edge(
                sheet.name,
                number,
                name,
                round(np.degrees(np.arctan2(-inward[0], inward[1]))) % 360,
                sheet.shape == "rectangle",
                length,
                spans[order],
                np.where(cut[near[order]], depth, np.nan),
                np.array([legend.index(s.terrain) if s.terrain in legend else -1 for s in here], dtype=np.int64),
                tuple(s.label or grid.label(*(s.cell or (0, 0))) for s in here),
                leaves,
                bool(len(shores)) and bool(shores.min() < SAME),
            )
        )
    return out


def _water(plan: MapPlan, surveyed: Surveyed) -> BaseGeometry:
    grounds = survey_grounds(plan, surveyed.drawing, Report())
    return shapely.union_all([grounds.area(i) for i, t in enumerate(plan.data.terrain) if t.is_water])


def _ends(surveyed: Surveyed, layer: str, paper: BaseGeometry) -> NDArray[np.object_]:
    """Return the points where the lines of a layer begin or end, cut to the paper."""
    shapes = surveyed.drawing[layer].shapes if layer in surveyed.drawing else ()
    lines = [s.geometry for s in shapes if shapely.get_dimensions(s.geometry) == 1]
    parts = shapely.get_parts(shapely.line_merge(shapely.intersection(np.array(lines, dtype=object), paper)))
    parts = parts[shapely.get_type_id(parts) == 1]
    return np.concatenate([shapely.get_point(parts, 0), shapely.get_point(parts, -1)])


def _places(points: NDArray[np.object_], a: Floats, along: Floats) -> Floats:
    return np.unique(((shapely.get_coordinates(points) - a) @ along).round(3))


def check_seams(plan: MapPlan, sheets: Mapping[str, Surveyed]) -> Iterator[Finding]:
    """Find where sheets do not fit together.

    plan: of all sheets. With [seam] every pair of sheets is tried at every edge and in every turn; the seams of the
    arrangements are tried in any case. sheets: as surveyed, by name.
    """
    layers = _layers(plan)
    edges = [
        edge
        for n, one in enumerate(plan.sheets)
        if one.hexes is not None
        for edge in read_edges(one, sheets[one.data.sheet.name], n, layers)
    ]
    pairs = _every(edges) if plan.seam is not None else set()
    pairs |= _arranged(plan, sheets, edges)
    yield from _compare(plan, edges, sorted(pairs), (*layers, COAST))


def _layers(plan: MapPlan) -> tuple[str, ...]:
    """Return the layers whose lines must run on: those of [seam], else all that anything is made of."""
    if plan.seam is not None and plan.seam.layers is not None:
        return plan.seam.layers
    data = plan.data
    named = [getattr(entry, "layer", "") for entry in (*data.hexside, *data.link, *data.lines)]
    return tuple(dict.fromkeys(name for name in named if name))


def _every(edges: Sequence[Edge]) -> set[tuple[int, int]]:
    """Return all pairs of edges of two sheets that can be laid together."""
    sheet = np.array([e.number for e in edges])
    facing = np.array([e.facing for e in edges])
    length = np.array([e.length for e in edges])
    square = np.array([e.square for e in edges])
    turn = (facing[:, None] + 180 - facing[None, :]) % 360
    fits = (square[:, None] == square[None, :]) & (turn % np.where(square, 180, 60)[:, None] == 0)
    fits &= (np.abs(length[:, None] - length[None, :]) < SAME) & (sheet[:, None] < sheet[None, :])
    return {(int(i), int(j)) for i, j in np.argwhere(fits)}


def _arranged(plan: MapPlan, sheets: Mapping[str, Surveyed], edges: list[Edge]) -> set[tuple[int, int]]:
    """Return the pairs of edges that lie on each other in the arrangements, and add to edges what is part of one."""
    first = {(e.number, e.name): i for i, e in enumerate(edges)}
    parts: dict[tuple[int, float, float], int] = {}
    out = set()

    def stretch(edge: int, start: float, end: float) -> int:
        found = edges[edge].stretch(start, end)
        if found is edges[edge]:
            return edge
        key = (edge, round(start, 3), round(end, 3))
        if key not in parts:
            parts[key] = len(edges)
            edges.append(found)
        return parts[key]

    for number in range(len(plan.arrangements)):
        laid, _ = lay_sheets(plan, sheets, number, Report())
        placed = []
        for x in laid:
            outline = x.outline
            n = next(i for i, one in enumerate(plan.sheets) if one is x.plan)
            for k, name in enumerate(x.plan.data.sheet.edges):
                placed.append((first[n, name], np.concatenate([outline[k], outline[(k + 1) % len(outline)]])))
        ends = np.array([p for _, p in placed]).reshape(-1, 2, 2)
        length = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
        along = (ends[:, 1] - ends[:, 0]) / length[:, None]
        # Where the ends of each edge lie on the line of each other one, and how far beside it.
        place, beside = (
            np.einsum("ijkc,ic->ijk", ends[None] - ends[:, None, :1], direction)
            for direction in (along, along[:, ::-1] * (-1, 1))
        )
        low, high = np.maximum(place[..., 1], 0.0), np.minimum(place[..., 0], length[:, None])
        meets = (np.abs(beside).max(axis=2) < SAME) & (along @ along.T < 0) & (high - low > SAME)
        for i, j in np.argwhere(np.triu(meets)).tolist():
            one = stretch(placed[i][0], float(low[i, j]), float(high[i, j]))
            other = stretch(placed[j][0], float(low[j, i]), float(high[j, i]))
            out.add((min(one, other), max(one, other)))
    return out


def _compare(
    plan: MapPlan, edges: Sequence[Edge], pairs: Sequence[tuple[int, int]], kinds: Sequence[str]
) -> Iterator[Finding]:
    """Compare pairs of edges, all at once; what differs is said by `_told`."""
    if not pairs:
        return
    tolerance = plan.seam.tolerance if plan.seam else TOLERANCE
    a, b = np.array(pairs).T
    count = np.array([len(e.labels) for e in edges])
    most = max(1, int(count.max()))
    hexes = np.full((len(edges), most, 3), np.nan)
    mirrored = hexes.copy()
    terrain, terrain_back = np.full((2, len(edges), most), -1)
    for i, e in enumerate(edges):
        n = len(e.labels)
        hexes[i, :n] = np.column_stack([e.spans, e.depth])
        mirrored[i, :n] = np.column_stack([e.length - e.spans[:, ::-1], -e.depth])[::-1]
        terrain[i, :n], terrain_back[i, :n] = e.terrain, e.terrain[::-1]
    unlike = ~np.isclose(hexes[a], mirrored[b], rtol=0, atol=SAME, equal_nan=True).all(axis=(1, 2))
    halves = ~np.isnan(hexes[a, :, 2])
    ground = halves & ~_meeting(plan)[terrain[a], terrain_back[b]] & ~unlike[:, None]

    lines = {}
    for kind in kinds:
        width = max(1, max(len(e.leaves[kind]) for e in edges))
        here = np.full((len(edges), width), np.nan)
        back = here.copy()
        for i, e in enumerate(edges):
            places = e.leaves[kind]
            here[i, : len(places)] = places
            back[i, : len(places)] = (e.length - places)[::-1]
        lines[kind] = ~np.isclose(here[a], back[b], rtol=0, atol=tolerance, equal_nan=True).all(axis=1)

    for k, (i, j) in enumerate(pairs):
        one, other = edges[i], edges[j]
        if unlike[k]:
            text = f"the hexes do not join; {one.sheet} has {count[i]} at this edge and {other.sheet} {count[j]}"
            yield _finding(plan, SEAM_HEXES, one, other, "", text)
            continue
        for n in np.flatnonzero(ground[k]).tolist():
            yield _terrain(plan, one, other, n)
        for kind in kinds:
            if lines[kind][k]:
                yield from _lines(plan, one, other, kind, tolerance)
        wet_there = other.wet != bool(len(other.leaves[COAST]) % 2)
        if one.wet != wet_there and not lines[COAST][k]:
            yield _finding(
                plan, SEAM_COAST, one, other, one.hex_at(0.0), "there is water on one side and land on the other"
            )


def _meeting(plan: MapPlan) -> NDArray[np.bool_]:
    """Return which terrains may share a hex, (n + 1, n + 1); the last stands for none."""
    legend = [t.name for t in plan.data.terrain]
    out = np.eye(len(legend) + 1, dtype=bool)
    for group in plan.seam.meets if plan.seam else ():
        at = [legend.index(word) for word in group if word in legend]
        out[np.ix_(at, at)] = True
    return out


def _terrain(plan: MapPlan, one: Edge, other: Edge, n: int) -> Finding:
    legend = [*(t.name for t in plan.data.terrain), "of no terrain"]
    here, there = f"{one.sheet}-{one.labels[n]}", f"{other.sheet}-{other.labels[-1 - n]}"
    text = f"{here} is {legend[one.terrain[n]]} and {there} is {legend[other.terrain[-1 - n]]}"
    return _finding(plan, SEAM_TERRAIN, one, other, here, text)


def _lines(plan: MapPlan, one: Edge, other: Edge, kind: str, tolerance: float) -> Iterator[Finding]:
    """Find the places where something leaves one sheet and nothing of its kind meets it on the other."""
    rule = SEAM_COAST if kind == COAST else SEAM_LINE
    what = "the coast" if kind == COAST else f"a line of {kind!r}"
    none = "no coast" if kind == COAST else "none"
    there = list(other.length - other.leaves[kind])
    lone = []
    for place in one.leaves[kind].tolist():
        near = min(there, key=lambda x: abs(x - place), default=None)
        if near is not None and abs(near - place) <= tolerance:
            there.remove(near)
        else:
            lone.append((one, other, place))
    lone += [(other, one, float(other.length - place)) for place in sorted(there)]
    for edge, facing, place in lone:
        text = f"{what} leaves {edge.sheet} in {edge.hex_at(place)}, {place + edge.start:.1f} mm along its "
        text += f"{edge.name} edge clockwise"
        text += f"; {none} of {facing.sheet} meets it"
        yield _finding(plan, rule, one, other, edge.hex_at(place), text, layer=kind, place=round(place + edge.start, 3))


def _finding(plan: MapPlan, rule: Rule, one: Edge, other: Edge, space: str, text: str, **facts: object) -> Finding:
    turn = (one.facing + 180 - other.facing) % 360
    turned = f" turned by {turn}" if turn else ""
    where = Location(plan.shown, key=f"sheet.{one.number}", space=space)
    seam = {"sheets": [one.sheet, other.sheet], "edges": [one.name, other.name], "turn": turn}
    head = f"{one.title}, {other.title}{turned}"
    return Finding(rule, where, f"{head}: {text}", {**seam, **facts})
