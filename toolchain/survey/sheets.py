"""Several sheets laid together: their drawings become one drawing, and that is surveyed as one map.

So everything that a seam could part is whole again before it is measured: two halves of a hex are one hex whose
terrain goes by the area of both, roads and rivers run on, and the graph of an arrangement is one graph.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from toolchain.catalogue import EMPTY_LAYER, REPEATED_NAME, SHEET_MISFIT, SHEETS_OVERLAP, TWO_PLACES, UNARRANGED
from toolchain.model.drawing import Drawing, Layer, Shape
from toolchain.model.hexes import SQRT3, Floats, HexGrid, Ints
from toolchain.model.warmap import Placement, Space
from toolchain.report import Finding, Report
from toolchain.sources.decode.boards import TrackData
from toolchain.sources.decode.maps import BoxData, LinkRow, MapPlan, Place
from toolchain.sources.decode.overlays import RiverData, SideData
from toolchain.sources.decode.sheets import ArrangementPart, PlacementData, SheetData
from toolchain.sources.projection import build_projection
from toolchain.survey.maps import Surveyed, build_map, survey_map
from toolchain.survey.paper import on_paper, share_on_paper
from toolchain.survey.places import settle
from toolchain.survey.seamlines import join_lines

# Hexes of two sheets coincide when their centres do to this part of a hex.
COINCIDE = 0.01
TOLERANCE = 1.0
COSINES = {0: 1.0, 60: 0.5, 120: -0.5, 180: -1.0, 240: -0.5, 300: 0.5}
SINES = {0: 0.0, 60: SQRT3 / 2, 120: SQRT3 / 2, 180: 0.0, 240: -SQRT3 / 2, 300: -SQRT3 / 2}


@dataclass(frozen=True)
class Move:
    """How a sheet is laid down: turned clockwise about its middle, which comes to lie at another place."""

    turn: int
    middle: tuple[float, float]
    at: tuple[float, float]

    def __call__(self, points: Floats) -> Floats:
        """Move points, shape (n, 2), in millimetres."""
        c, s = COSINES[self.turn], SINES[self.turn]
        turned = (np.asarray(points, dtype=np.float64) - self.middle) @ np.array([[c, s], [-s, c]])
        return np.asarray(turned + self.at)


@dataclass(frozen=True)
class Laid:
    """A sheet in its place. cells: which of its own hexes are spaces; joint: their cells in the common grid."""

    name: str
    plan: MapPlan
    surveyed: Surveyed
    move: Move
    cells: Ints
    joint: Ints

    @property
    def outline(self) -> Floats:
        """The corners of the sheet where it lies, shape (n, 2)."""
        return self.move(np.array(self.plan.data.sheet.outline)).round(6) + 0.0


def survey_sheets(plan: MapPlan, report: Report) -> dict[str, Surveyed]:
    """Survey every sheet of a map by itself, by name. Findings name hexes with the sheet, as A-0304.

    A layer may be empty on some sheets: not every map has a desert. One that is empty on all of them is a finding.
    """
    out: dict[str, Surveyed] = {}
    by_sheet: dict[str, Report] = {}
    for one in plan.sheets:
        name = one.data.sheet.name
        by_sheet[name] = Report()
        out[name] = survey_map(one, by_sheet[name])
    drawn = {f"layers.{key}" for x in out.values() for key, layer in x.drawing.items() if layer.shapes}
    for name, found in by_sheet.items():
        for f in found:
            if f.rule != EMPTY_LAYER or f.where.key not in drawn:
                space = f"{name}-{f.where.space}" if f.where.space else ""
                report.extend([replace(f, where=replace(f.where, space=space))])
    return out


def survey_arranged(plan: MapPlan, report: Report) -> Surveyed:
    """Survey a map of several sheets: each by itself, then every arrangement; the first is the map of the game.

    Without an arrangement the first sheet is the map, which is a finding.
    """
    sheets = survey_sheets(plan, report)
    if not plan.arrangements:
        text = "no [[arrangement]] says how the sheets lie; the first sheet alone is the map"
        report.add(UNARRANGED, plan.at("arrangement"), text)
        return replace(sheets[plan.data.sheet.name], sheets=sheets)
    laid = {stated.name: arrange(plan, sheets, n, report) for n, stated in enumerate(plan.arrangements)}
    return replace(laid[plan.arrangements[0].name], sheets=sheets, arrangements=laid)


def arrange(plan: MapPlan, sheets: Mapping[str, Surveyed], number: int, report: Report) -> Surveyed:
    """Lay sheets together and survey them as one map.

    sheets: as `survey_sheets` gives them. number: of the arrangement in map.toml. A hex is called as on its sheet;
    where two sheets use one number or name, with the name of the sheet before it, as A-0304. The hex that two halves
    make is called as on the sheet that is named first, and the other name is a spelling of it. What is wrong with a
    sheet by itself is not said again.
    """
    laid, grid = lay_sheets(plan, sheets, number, report)
    if not laid:
        return next(iter(sheets.values()))
    names = _Names.of(laid, grid)
    find = _finders(laid, names)
    words = {**_words(laid, find), **names.spellings}
    whole = _plan(plan, number, laid, find, words, names, grid)
    drawing = _drawing(plan, laid)
    found = Report()
    joined = build_map(whole, drawing, None, found)
    warmap = joined.warmap
    joint = {names.keys[g] for g, parts in names.parts.items() if len(parts) > 1}
    own = {row.where.file for row in plan.seams[number]}

    def is_new(f: Finding) -> bool:
        stated = f.where.key.startswith(f"arrangement.{number}.") or f.where.file in own
        return stated or f.where.space in joint or f.rule in (TWO_PLACES, REPEATED_NAME)

    report.extend(f for f in found if is_new(f))
    spaces = tuple(names.printed(s, grid) for s in warmap.spaces)
    keys = {s.key for s in spaces}
    spellings = {w: k for w, k in words.items() if w not in keys and k in keys}
    placements = tuple(
        Placement(x.name, x.plan.data.sheet.name, _corner(x.outline), _size(x.outline), x.move.turn) for x in laid
    )
    warmap = replace(warmap, spaces=spaces, spellings=spellings, placements=placements)
    return replace(joined, warmap=warmap)


# Laying down ----------------------------------------------------------------------------------------------------


def _corner(outline: Floats) -> tuple[float, float]:
    x, y = outline.min(axis=0).tolist()
    return x, y


def _size(outline: Floats) -> tuple[float, float]:
    w, h = (outline.max(axis=0) - outline.min(axis=0)).round(6).tolist()
    return w, h


def lay_sheets(
    plan: MapPlan, sheets: Mapping[str, Surveyed], number: int, report: Report
) -> tuple[list[Laid], HexGrid]:
    """Place the sheets of an arrangement and find the grid that they share.

    Those that do not fit are findings and left out.
    """
    stated = plan.arrangements[number]
    plans = {p.data.sheet.name: p for p in plan.sheets}
    moves: list[tuple[PlacementData, MapPlan, Move, int]] = []
    first = plans.get(stated.sheets[0].sheet)
    for i, placed in enumerate(stated.sheets):
        one = plans.get(placed.sheet)
        if one is None or first is None:
            continue  # an unknown sheet, which is a finding already
        where, sheet = plan.at(f"arrangement.{number}.sheets.{i}"), one.data.sheet
        fault = _misfit(first, one, placed)
        if fault:
            report.add(SHEET_MISFIT, where, f"{placed.sheet}: {fault}")
            continue
        moves.append((placed, one, Move(placed.turn, (sheet.width / 2, sheet.height / 2), _middle(placed, sheet)), i))
    if not moves:
        return [], HexGrid("flat", 1.0, (0.0, 0.0), 1, 1)
    outlines = [move(np.array(one.data.sheet.outline)) for _, one, move, _ in moves]
    corner = np.concatenate(outlines).min(axis=0)
    moves = [(p, one, replace(m, at=tuple((np.array(m.at) - corner).round(6).tolist())), i) for p, one, m, i in moves]

    spaces = [np.flatnonzero(on_paper(one)[0]) for _, one, _, _ in moves]
    centres = [m(one.grid.centres(one.grid.cells[on])) for (_, one, m, _), on in zip(moves, spaces, strict=True)]
    common = HexGrid(moves[0][1].grid.orientation, moves[0][1].grid.pitch, tuple(centres[0][0].tolist()), 1, 1)
    fitting = []
    for k, (placed, _, _, i) in enumerate(moves):
        off = float(np.hypot(*(common.centres(common.cell_at(centres[k])) - centres[k]).T).max(initial=0.0))
        if off > COINCIDE * common.pitch:
            text = f"{placed.sheet}: its hexes lie {off:.2f} mm beside those of {moves[0][0].sheet}"
            report.add(SHEET_MISFIT, plan.at(f"arrangement.{number}.sheets.{i}"), text, off=round(off, 4))
        else:
            fitting.append(k)
    grid = _covering(common, np.concatenate([centres[k] for k in fitting]))
    laid = []
    for k in fitting:
        placed, one, move, _ = moves[k]
        joint = grid.index(grid.cell_at(centres[k]))
        name = placed.called or placed.sheet
        laid.append(Laid(name, one, sheets[placed.sheet], move, spaces[k], joint))
    _check_overlap(plan, laid, grid, number, report)
    return laid, grid


def _middle(placed: PlacementData, sheet: SheetData) -> tuple[float, float]:
    """Return where the middle of a sheet comes to lie."""
    w, h = sheet.width, sheet.height
    if placed.mm is not None:
        outline = Move(placed.turn, (w / 2, h / 2), (0.0, 0.0))(np.array(sheet.outline))
        x, y = (np.array(placed.mm) - outline.min(axis=0)).tolist()
        return x, y
    column, row = placed.at or (0, 0)
    if sheet.shape == "rectangle":
        return (column + 0.5) * w, (row + 0.5) * h
    slots = HexGrid("flat" if w > h else "pointy", min(w, h), (w / 2, h / 2), 1, 1)
    x, y = slots.centres([[column, row]])[0].tolist()
    return x, y


def _misfit(first: MapPlan, one: MapPlan, placed: PlacementData) -> str:
    """Say why a sheet cannot lie beside the first one, or "" if it can."""
    sheet, base = one.data.sheet, first.data.sheet
    if one.hexes is None or first.hexes is None:
        return "only sheets with hexes can be laid together"
    if placed.turn % 180 and sheet.shape == "rectangle":
        return f"hexes do not fit hexes when a rectangle is turned by {placed.turn} degrees; turn it by 180"
    if (one.grid.orientation, round(one.grid.pitch, 6)) != (first.grid.orientation, round(first.grid.pitch, 6)):
        return f"its hexes are of another size or kind than those of {base.name}"
    if placed.at is not None and (sheet.shape, sheet.width, sheet.height) != (base.shape, base.width, base.height):
        return f"it is not of the size of {base.name}; place it by `mm`"
    return ""


def _covering(grid: HexGrid, centres: Floats) -> HexGrid:
    """Return the grid of the same hexes whose columns and rows begin with the first of these centres."""
    line = 0 if grid.orientation == "flat" else 1
    start = [0, 0]
    start[line] = first = int(grid.cell_at(centres)[:, line].min())
    origin = tuple(grid.centres([start])[0].tolist())
    grid = replace(grid, origin=origin, low="odd" if first % 2 == 0 else "even")
    start = [0, 0]
    start[1 - line] = int(grid.cell_at(centres)[:, 1 - line].min())
    x, y = grid.centres([start])[0].round(6).tolist()
    grid = replace(grid, origin=(x, y))
    columns, rows = (grid.cell_at(centres).max(axis=0) + 1).tolist()
    return replace(grid, columns=columns, rows=rows)


def _check_overlap(plan: MapPlan, laid: Sequence[Laid], grid: HexGrid, number: int, report: Report) -> None:
    """Report hexes that sheets cover more than once."""
    covered = np.zeros(len(grid.cells))
    by: dict[int, list[str]] = defaultdict(list)
    for x in laid:
        np.add.at(covered, x.joint, share_on_paper(x.plan)[x.cells])
        for g, label in zip(x.joint.tolist(), _labels(x), strict=True):
            by[g].append(f"{x.name}-{label}")
    twice = np.flatnonzero(covered > 1 + COINCIDE).tolist()
    if twice:
        shown = ", ".join(" and ".join(by[g]) for g in twice[:5]) + (" …" if len(twice) > 5 else "")
        text = f"sheets lie over each other in {len(twice)} hexes: {shown}"
        report.add(SHEETS_OVERLAP, plan.at(f"arrangement.{number}"), text, hexes=len(twice))


# Names ----------------------------------------------------------------------------------------------------------


def _labels(laid: Laid) -> list[str]:
    grid = laid.plan.grid
    out: list[str] = grid.labels(grid.cells[laid.cells]).tolist()
    return out


@dataclass(frozen=True)
class _Names:
    """What the hexes of an arrangement are called, by cell of the common grid.

    stated: number; parts: as each sheet calls it; keys: as lists do; places: what is known of them, with the key as
    name; titles: printed name and number. maps: the sheets it is on. spellings: other words.
    """

    stated: tuple[str, ...]
    parts: Mapping[int, tuple[str, ...]]
    keys: Mapping[int, str]
    places: tuple[Place, ...]
    titles: Mapping[int, tuple[str, str]]
    maps: Mapping[int, str]
    spellings: Mapping[str, str]

    @classmethod
    def of(cls, laid: Sequence[Laid], grid: HexGrid) -> _Names:
        labels = [_labels(x) for x in laid]
        used = Counter(label for some in labels for label in some)
        prefix = any(n > 1 for n in used.values())
        stated = [""] * len(grid.cells)
        parts: dict[int, list[str]] = defaultdict(list)
        maps: dict[int, list[str]] = defaultdict(list)
        words: list[tuple[str, int]] = []
        printed: dict[int, str] = {}
        for x, some in zip(laid, labels, strict=True):
            shown = {s.cell: s.label for s in x.surveyed.warmap.spaces if s.cell is not None}
            for g, cell, label in zip(x.joint.tolist(), x.plan.grid.cells[x.cells].tolist(), some, strict=True):
                full = f"{x.name}-{label}"
                stated[g] = stated[g] or (full if prefix else label)
                printed[g] = printed.get(g) or shown.get(tuple(cell), "")
                parts[g].append(full)
                maps[g].append(x.name)
                words += [(full, g)] if prefix else [(full, g), (label, g)]
        places, titles = _places(laid, grid)
        keys = dict(enumerate(stated)) | {g: p.name for g, p in reversed(places) if p.name}
        cells = grid.cells.tolist()
        return cls(
            tuple(stated),
            {g: tuple(p) for g, p in parts.items()},
            keys,
            tuple(replace(p, cell=(cells[g][0], cells[g][1])) for g, p in places),
            {g: (titles.get(g, ""), printed[g]) for g in parts},
            {g: ";".join(m) for g, m in maps.items()},
            {word: keys[g] for word, g in words},
        )

    def printed(self, space: Space, grid: HexGrid) -> Space:
        """Return a space of the arrangement with the name and number that its sheet prints."""
        if space.cell is None:
            return space
        g = int(grid.index([space.cell])[0])
        name, label = self.titles[g]
        traits = {**space.traits, "map": self.maps[g]}
        return replace(space, name=name, label=label, parts=self.parts[g], traits=traits)


def _places(laid: Sequence[Laid], grid: HexGrid) -> tuple[list[tuple[int, Place]], dict[int, str]]:
    """Return what is known of hexes, with the cell of the common grid and the key as name; and names as printed.

    What one half of a hex says goes with the name that the other half gives it. Two names that a seam brings into one
    hex both stay, for the survey to report.
    """
    settled = []
    for x in laid:
        joint = dict(zip(x.cells.tolist(), x.joint.tolist(), strict=True))
        known = settle(x.plan, build_projection(x.plan, Report()), on_paper(x.plan)[0], Report())
        settled += [(x, joint[cell], place) for cell, place in known.items()]
    count = Counter(place.name for _, _, place in settled)
    first: dict[int, int] = {}
    out: list[tuple[int, Place]] = []
    titles: dict[int, str] = {}
    for x, g, place in settled:
        key = f"{x.name}-{place.name}" if place.name and count[place.name] > 1 else place.name
        moved = replace(place, name=key, point=None, label="")
        before = out[first[g]][1] if g in first else None
        if before is None or (before.name and key):
            first.setdefault(g, len(out))
            out.append((g, moved))
        else:
            one, other = (before, moved) if before.name else (moved, before)
            terrain, traits = one.terrain or other.terrain, {**other.traits, **one.traits}
            features = one.features | other.features
            out[first[g]] = (g, replace(one, terrain=terrain, features=features, traits=traits))
        titles[g] = titles.get(g) or place.name
    return out, titles


Find = Callable[[str], str]

# The whole ------------------------------------------------------------------------------------------------------


def _plan(
    plan: MapPlan,
    number: int,
    laid: Sequence[Laid],
    finders: Mapping[str, Find],
    words: Mapping[str, str],
    names: _Names,
    grid: HexGrid,
) -> MapPlan:
    """State an arrangement as a map of one sheet: what its sheets state, and then what it states itself."""
    stated = plan.arrangements[number]
    outlines = [x.outline for x in laid]
    width, height = np.concatenate(outlines).max(axis=0).tolist()
    boxes, tracks, links = list[BoxData](), list[TrackData](), list[LinkRow]()
    sides, rivers = list[SideData](), list[RiverData]()
    called = _called(laid)
    for x in laid:
        own, find = x.plan.data, finders[x.name]
        for box in own.box:
            new = {"key": called[x.name, box.key], "title": box.title or box.key, "at": _moved(x.move, box.at)}
            boxes.append(box.model_copy(update=new))
        for track in own.track:
            at = None if track.at is None else _moved(x.move, track.at)
            along = tuple(_moved(x.move, point) for point in track.along)
            spots = {"key": called[x.name, track.key], "title": track.label, "at": at, "along": along}
            tracks.append(track.model_copy(update=spots))
        for side in own.side:
            a, b = (find(word) for word in side.between)
            if a and b:
                sides.append(side.model_copy(update={"between": (a, b)}))
        for row in x.plan.links:
            a, b = find(row.a), find(row.b)
            if a and b:
                links.append(replace(row, a=a, b=b))
        for river in own.river:
            ends = {"source": river.source, "mouth": river.mouth}
            moved = {k: _moved(x.move, v) if isinstance(v, tuple) else find(v or "") or None for k, v in ends.items()}
            if moved["source"] or moved["mouth"]:
                rivers.append(river.model_copy(update=moved))
    part = ArrangementPart(number, {"side": len(sides), "river": len(rivers)})
    for side in stated.side:
        a, b = (words.get(word, word) for word in side.between)
        sides.append(side.model_copy(update={"between": (a, b)}))
    for river in stated.river:
        ends = {k: words.get(v, v) if isinstance(v := getattr(river, k), str) else v for k in ("source", "mouth")}
        rivers.append(river.model_copy(update=ends))
    links += [replace(row, a=words.get(row.a, row.a), b=words.get(row.b, row.b)) for row in plan.seams[number]]
    stating = {
        "title": stated.title or plan.data.title,
        "sheet": SheetData(name=stated.name, width=width, height=height),
        "box": tuple(boxes),
        "track": tuple(tracks),
        "side": tuple(sides),
        "river": tuple(rivers),
    }
    return MapPlan(
        plan.name,
        plan.shown,
        plan.data.model_copy(update=stating),
        replace(grid, stated=names.stated),
        places=names.places,
        links=tuple(links),
        outlines=tuple(tuple((px, py) for px, py in outline.tolist()) for outline in outlines),
        part=part,
    )


def _extra(plan: MapPlan) -> list[str]:
    """Return the keys of what lies beside the hexes of a sheet."""
    return [box.key for box in plan.data.box] + [track.key for track in plan.data.track]


def _moved(move: Move, point: tuple[float, float]) -> tuple[float, float]:
    x, y = move(np.array([point]))[0].round(6).tolist()
    return x, y


def _called(laid: Sequence[Laid]) -> dict[tuple[str, str], str]:
    """Return what boxes and tracks are called in the arrangement, by sheet and the key that they have there."""
    taken = Counter(key for x in laid for key in _extra(x.plan))
    return {(x.name, key): f"{x.name} {key}" if taken[key] > 1 else key for x in laid for key in _extra(x.plan)}


def _finders(laid: Sequence[Laid], names: _Names) -> dict[str, Find]:
    """Return look-ups from the words of each sheet to the keys of the arrangement; "" for what a sheet has not."""
    called = _called(laid)

    def finder(x: Laid) -> Find:
        cells = dict(zip(map(tuple, x.plan.grid.cells[x.cells].tolist()), x.joint.tolist(), strict=True))

        def find(word: str) -> str:
            space = x.surveyed.warmap.find(word)
            if space is None:
                return ""
            if space.cell is not None:
                return names.keys[cells[space.cell]]
            return called.get((x.name, space.key), space.key)

        return find

    return {x.name: finder(x) for x in laid}


def _words(laid: Sequence[Laid], find: Mapping[str, Find]) -> dict[str, str]:
    """Return what else lists may call the spaces of an arrangement, with their keys: names as one sheet has them."""
    out: dict[str, str] = {}
    for x in laid:
        warmap = x.surveyed.warmap
        named = [s.key for s in warmap.spaces if s.name and s.kind == "hex"]
        out |= {word: find[x.name](word) for word in warmap.spellings}
        out |= {f"{x.name}-{word}": find[x.name](word) for word in (*named, *warmap.spellings)}
    return out


def _drawing(plan: MapPlan, laid: Sequence[Laid]) -> Drawing:
    """Lay the drawings of sheets together, each cut to its sheet, and join the lines that meet at seams."""
    tolerance = plan.seam.tolerance if plan.seam else TOLERANCE
    beyond = laid[0].plan.grid.pitch / 4
    papers = [shapely.polygons(x.outline) for x in laid]
    edges = [shapely.get_exterior_ring(paper) for paper in papers]
    out: dict[str, Layer] = {}
    for name in dict.fromkeys(name for x in laid for name in x.surveyed.drawing):
        shapes: list[Shape] = []
        of: list[int] = []
        for k, x in enumerate(laid):
            if name in x.surveyed.drawing:
                for shape in _cut(x.surveyed.drawing[name].shapes, x.move, papers[k]):
                    shapes.append(shape)
                    of.append(k)
        out[name] = Layer(name, tuple(join_lines(shapes, of, edges, tolerance, beyond)))
    return out


def _cut(shapes: Sequence[Shape], move: Move, paper: BaseGeometry) -> list[Shape]:
    geometries = shapely.transform(np.array([s.geometry for s in shapes], dtype=object), move)
    # Both sides of a seam round alike, so that no hair of ground is left between them.
    cut = shapely.set_precision(shapely.intersection(geometries, paper), 1e-6)
    return [replace(s, geometry=g) for s, g in zip(shapes, cut, strict=True) if not g.is_empty]
