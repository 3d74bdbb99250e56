"""Rivers on the lattice: carried to what they reach, and which way they flow."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import UNKNOWN_RIVER, UNKNOWN_SPACE
from toolchain.model.hexes import Floats, Ints
from toolchain.model.warmap import Hexside, Link
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode.maps import MapPlan
from toolchain.survey.lattice import Lattice, Path, way_to

# A river whose line ends within this part of a hexside of water is carried to it ...
SHORT = 0.5
# ... and one that ends within this part of a hexside of another river was meant to join it.
TOUCH = 0.05
# It is carried along so many hexsides at most.
REACH = 2

Reached = Literal["water", "river", "rim", ""]


@dataclass(frozen=True)
class Stream:
    """A line that follows hexsides.

    kind: place in the legend of hexsides; river: it is one. line: as drawn; path: the sides. way: 1 if it flows as it
    was drawn, -1 if against that, 0 if that is not known. reached: what it reaches at its start and its end; an empty
    word for a loose end.
    """

    kind: int
    river: bool
    name: str
    line: BaseGeometry
    path: Path
    way: int
    where: Location
    reached: tuple[Reached, Reached] = ("", "")

    def cut(self, lattice: Lattice, start: int, end: int) -> Stream:
        """Keep a stretch of the path; what was cut away lay in water."""
        p = self.path
        if (start, end) == (0, len(p.sides)):
            return self
        first = p.starts[start]
        # Not the last corner of the line: it may come back over a side that is cut away.
        last = int(lattice.sides[p.sides[end - 1]].sum()) - p.starts[end - 1]
        whole = [p.whole[0] and not start, p.whole[1] and end == len(p.sides)]
        reached: tuple[Reached, Reached] = ("water" if start else "", "water" if end < len(p.sides) else "")
        return replace(
            self, path=Path(p.line, p.sides[start:end], p.starts[start:end], first, last, whole), reached=reached
        )

    def tip(self, end: int) -> Floats:
        """Return the drawn start (0) or end (1) of the line, shape (2,)."""
        return np.array(self.line.coords[-end], dtype=np.float64)

    def corner(self, end: int) -> int:
        """Return the corner at which the path begins (0) or ends (1)."""
        return self.path.last if end else self.path.first

    def with_way(self, lattice: Lattice, end: int, steps: Sequence[tuple[int, int]]) -> Stream:
        """Lengthen the path at its start or end by steps away from it, as `way_to` gives them."""
        if not steps:
            return self
        p = self.path
        far = [int(lattice.sides[side].sum()) - corner for side, corner in steps]
        if end:
            sides, starts = [*p.sides, *(s for s, _ in steps)], [*p.starts, *(c for _, c in steps)]
            return replace(self, path=replace(p, sides=sides, starts=starts, last=far[-1]))
        sides, starts = [*(s for s, _ in reversed(steps)), *p.sides], [*reversed(far), *p.starts]
        return replace(self, path=replace(p, sides=sides, starts=starts, first=far[-1]))


def carry(
    lattice: Lattice, streams: Sequence[Stream], water: NDArray[np.bool_], areas: NDArray[np.object_]
) -> list[Stream]:
    """Carry rivers on to the water and the rivers that their lines reach, and say what each of their ends reaches.

    water: (corners,), those at water. areas: the water itself. A line that ends within half a hexside of water is
    carried to it, but not one that is known to have its source there; a line that touches another river joins it.
    """
    out = list(streams)
    rivers = [n for n, s in enumerate(streams) if s.river]
    tips = [(n, end) for n in rivers for end in (0, 1) if not streams[n].reached[end]]
    if not tips:
        return out
    radius = lattice.grid.radius
    points = shapely.points([streams[n].tip(end) for n, end in tips])
    near = [np.zeros(len(tips), dtype=bool) for _ in range(2)]
    for area in areas:
        shapely.prepare(area)
        for close, part in zip(near, (TOUCH, SHORT), strict=True):
            close |= shapely.dwithin(area, points, part * radius)
    tree = shapely.STRtree([streams[n].line for n in rivers])
    touched = defaultdict(set)
    for i, j in tree.query(points, predicate="dwithin", distance=TOUCH * radius).T.tolist():
        if rivers[j] != tips[i][0]:
            touched[i].add(rivers[j])
    corners = {n: {*streams[n].path.starts, streams[n].path.last} for n in rivers}
    used: dict[int, set[int]] = defaultdict(set)
    for n in rivers:
        for corner in corners[n]:
            used[corner].add(n)

    def reach(i: int, stream: Stream, end: int) -> tuple[Reached, Callable[[int], bool] | None]:
        """Say what an end reaches, and of which corners it must be carried to one."""
        if not stream.path.whole[end]:
            return "rim", None
        source = stream.way == (-1 if end else 1)
        if near[0][i] or (near[1][i] and not source and not touched[i]):
            return "water", lambda corner: bool(water[corner])
        if touched[i]:
            others = touched[i]
            return "river", lambda corner: not used[corner].isdisjoint(others)
        here = stream.corner(end)
        return ("water" if water[here] else "river" if used[here] - {tips[i][0]} else ""), None

    for i, (n, end) in enumerate(tips):
        stream = out[n]
        word, goal = reach(i, stream, end)
        if goal is not None and not goal(stream.corner(end)):
            steps = way_to(lattice, stream.corner(end), goal, stream.tip(end), set(stream.path.sides), REACH)
            word = word if steps else ""
            stream = stream.with_way(lattice, end, steps)
        reached = (stream.reached[0], word) if end else (word, stream.reached[1])
        out[n] = replace(stream, reached=reached)
    return out


def find_flow(
    plan: MapPlan,
    lattice: Lattice,
    streams: Sequence[Stream],
    water: NDArray[np.bool_],
    locate: Callable[[str], int | None],
    report: Report,
) -> Ints:
    """Find the direction in which the rivers of every side flow, shape (sides,); see `Sides.flow`.

    First as the lines were drawn, for kinds of which that is stated; then towards the water that they reach, for kinds
    that go by their mouths; then by what [[river]] states of single rivers. locate: the cell that a word means.
    """
    flow = np.zeros(len(lattice.sides), dtype=np.int64)
    for stream in streams:
        if stream.way:
            path = np.array(stream.path.sides)
            way = np.where(lattice.sides[path, 0] == stream.path.starts, stream.way, -stream.way)
            flow[path] = np.where(flow[path] == 0, way, flow[path])
    by_mouth = {i for i, h in enumerate(plan.data.hexside) if h.flow == "mouth"}
    sides = _sides_of(s for s in streams if s.kind in by_mouth)
    if sides:
        known = set(lattice.sides[flow != 0].ravel().tolist())
        ends = set(lattice.sides[sides].ravel().tolist())
        goals = {c for c in ends if water[c] or c in known}
        for side, sign in _towards(lattice, [s for s in sides if flow[s] == 0], goals).items():
            flow[side] = sign
    for n, river in enumerate(plan.data.river):
        # A line that runs over several sheets has a name from each of them.
        sides = _sides_of(s for s in streams if river.name in (s.name, *s.name.split(" / ")))
        if not sides:
            names = sorted({s.name for s in streams if s.name})
            text = f"no line of a kind of hexside is called {river.name!r}{did_you_mean(river.name, names)}"
            report.add(UNKNOWN_RIVER, plan.at(f"river.{n}.name"), text)
            continue
        found: dict[int, int] = {}
        for word, key, sign in ((river.source, "source", -1), (river.mouth, "mouth", 1)):
            point = _point(plan, word, f"river.{n}.{key}", lattice, locate, report)
            if point is not None:
                corners = np.unique(lattice.sides[sides])
                goal = int(corners[np.hypot(*(lattice.corners[corners] - point).T).argmin()])
                found |= {side: sign * to for side, to in _towards(lattice, sides, {goal}).items()}
        for side, sign in found.items():
            flow[side] = sign
    return flow


def _sides_of(streams: Iterable[Stream]) -> list[int]:
    return list(dict.fromkeys(side for s in streams for side in s.path.sides))


def _towards(lattice: Lattice, sides: Sequence[int], goals: Iterable[int]) -> dict[int, int]:
    """Let sides flow to the nearest of some corners, counted in sides: 1 to the second corner of the side, or -1."""
    beside: dict[int, list[int]] = defaultdict(list)
    ends = lattice.sides[sides].tolist()
    for a, b in ends:
        beside[a].append(b)
        beside[b].append(a)
    away = dict.fromkeys(sorted(g for g in goals if g in beside), 0)
    queue = deque(away)
    while queue:
        here = queue.popleft()
        for corner in beside[here]:
            if corner not in away:
                away[corner] = away[here] + 1
                queue.append(corner)
    return {
        side: 1 if away[a] > away[b] else -1
        for side, (a, b) in zip(sides, ends, strict=True)
        if a in away and away[a] != away[b]
    }


def _point(
    plan: MapPlan,
    word: str | tuple[float, float] | None,
    key: str,
    lattice: Lattice,
    locate: Callable[[str], int | None],
    report: Report,
) -> Floats | None:
    """Return the place on the sheet that a word or a pair of numbers means, shape (2,)."""
    if word is None:
        return None
    if not isinstance(word, str):
        return np.array(word)
    cell = locate(word)
    if cell is None:
        names = [p.name for p in plan.places if p.name]
        report.add(UNKNOWN_SPACE, plan.at(key), f"the map has no hex {word!r}{did_you_mean(word, names)}")
        return None
    return np.asarray(lattice.grid.centres([lattice.grid.cells[cell]])[0])


def run_on(plan: MapPlan, sides: tuple[Hexside, ...]) -> tuple[Hexside, ...]:
    """Let rivers run on through sides that were only stated, and forget them where there is none now.

    A river side of unknown flow takes it, and the name, from the one before or after it, where nothing else joins them.
    """
    rivers = {h.name for h in plan.data.hexside if h.is_river}
    if not rivers:
        return sides
    out = [replace(h, flows=False, name="") if (h.flows or h.name) and not h.kinds else h for h in sides]
    at: dict[tuple[float, float], list[int]] = defaultdict(list)
    for i, h in enumerate(out):
        if h.kinds & rivers:
            for corner in h.ends:
                at[corner].append(i)
    queue = deque(i for i, h in enumerate(out) if h.flows)
    while queue:
        i = queue.popleft()
        for end, corner in enumerate(out[i].ends):
            others = [j for j in at[corner] if j != i]
            if len(others) == 1 and not out[others[0]].flows:
                j = others[0]
                h = out[j]
                ends = h.ends if (h.ends[0] == corner) == bool(end) else h.ends[::-1]
                out[j] = replace(h, ends=(ends[0], ends[1]), flows=True, name=h.name or out[i].name)
                queue.append(j)
    return tuple(out)


def bridged(plan: MapPlan, sides: tuple[Hexside, ...], links: Sequence[Link]) -> tuple[Hexside, ...]:
    """Give hexsides of rivers a bridge where a link that makes one crosses them."""
    bridges = {k.name: k.bridge for k in plan.data.link if k.bridge}
    rivers = {h.name for h in plan.data.hexside if h.is_river}
    over: dict[frozenset[str], set[str]] = defaultdict(set)
    for link in links:
        if link.kind in bridges:
            over[frozenset((link.a, link.b))].add(bridges[link.kind])
    if not over:
        return sides
    return tuple(
        replace(h, kinds=h.kinds | over[pair]) if (pair := frozenset((h.a, h.b))) in over and h.kinds & rivers else h
        for h in sides
    )
