"""A game to look at in a browser: one HTML file with the map, the set-ups, and what the rules say of them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from pathlib import PurePath
from typing import Any

import shapely

from toolchain.art.points import way_lines
from toolchain.art.position import SIDE_INKS
from toolchain.checks.judge import Verdict
from toolchain.checks.reasons import Account, Reasons
from toolchain.checks.telling import tell
from toolchain.export.placing import place_pieces
from toolchain.model.game import Game
from toolchain.model.position import Position
from toolchain.model.warmap import Space, WarMap
from toolchain.report import Finding

Data = dict[str, Any]
PLAIN = (12.0, 12.0)  # of a counter that could not be drawn, mm


@dataclass(frozen=True)
class Picture:
    """A picture of pixels: its PNG or WebP, its width and height in millimetres, and the colour it has from afar."""

    data: bytes
    width: float
    height: float
    ground: str = ""

    @property
    def address(self) -> str:
        """The picture as the address of itself, so that the page needs nothing else."""
        kind = "webp" if self.data.startswith(b"RIFF") else "png"
        return f"data:image/{kind};base64," + base64.b64encode(self.data).decode()


@dataclass(frozen=True)
class Shown:
    """One map of the game, with its set-ups judged.

    allowed: what may stack in a space, in words, by space. decks: their names, spaces, and the ids of their cards.
    """

    game: Game
    verdicts: Mapping[str, Verdict]
    arrangement: str = ""
    allowed: Mapping[str, str] = field(default_factory=dict)
    decks: Sequence[tuple[str, str, Sequence[str]]] = ()


def to_html(
    maps: Sequence[Shown],
    boards: Mapping[str, Picture],
    faces: Mapping[str, Sequence[Picture]],
    colours: Mapping[tuple[str, str], str],
    findings: Sequence[Finding],
    live: int = 0,
) -> bytes:
    """Write the page.

    maps: the game on every arrangement of its map. boards: the sheets as printed, by name. faces: of counters by id.
    colours: of terrains, hexsides and links by kind and name, as #rrggbb. findings: what validation and the checks
    found. live: the number under which `toolchain watch` serves the page, which loads itself anew when there is
    another; 0 for one that stands alone.
    """
    data = build_data(maps, boards, faces, colours, findings) | {"live": live}
    return page(maps[0].game.title, data)


def page(title: str, data: Data) -> bytes:
    """Put the page together: nothing in it comes from elsewhere."""
    here = files(__package__)
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    # A text of the game must not end the script element that holds it.
    text = text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")
    parts = {
        "TITLE": escape(title),
        "STYLE": (here / "view.css").read_text("utf-8"),
        "SCRIPT": "".join((here / name).read_text("utf-8") for name in ("drawing.js", "view.js")),
        "DATA": text,
    }
    out = (here / "view.html").read_text("utf-8")
    for name, value in parts.items():
        out = out.replace(f"@{name}@", value, 1)
    return out.encode()


def build_data(
    maps: Sequence[Shown],
    boards: Mapping[str, Picture],
    faces: Mapping[str, Sequence[Picture]],
    colours: Mapping[tuple[str, str], str],
    findings: Sequence[Finding],
) -> Data:
    """Return what the page shows as plain data. Lengths are millimetres; spaces and counters are named by number."""
    game = maps[0].game
    number = {c.id: n for n, c in enumerate(game.counters)}
    pictures: list[str] = []
    counters: list[Data] = []
    sizes = {i: (drawn[0].width, drawn[0].height) if drawn else PLAIN for i in number for drawn in [faces.get(i, ())]}
    for counter in game.counters:
        drawn, size = faces.get(counter.id, ()), sizes[counter.id]
        steps = range(len(pictures), len(pictures) + len(drawn))
        counters.append({"n": counter.name, "s": counter.side, "w": _mm(size[0]), "h": _mm(size[1]), "f": list(steps)})
        if drawn and drawn[0].ground:
            counters[-1]["c"] = drawn[0].ground
        pictures += [face.address for face in drawn]
    return {
        "title": game.title,
        "sides": [
            {"name": name, "title": side.title, "ink": SIDE_INKS[n % len(SIDE_INKS)]}
            for n, (name, side) in enumerate(game.sides.items())
        ],
        "counters": counters,
        "pictures": pictures,
        "boards": [
            {"title": s.title or one.arrangement or game.title, "name": s.name, "map": n}
            | {"w": _mm(s.width), "h": _mm(s.height), "img": boards[s.name].address}
            for n, one in enumerate(maps)
            for s in one.game.map.sheets
        ],
        "maps": [_map(one, number, sizes, colours, findings) for one in maps],
    }


def _map(
    one: Shown,
    number: Mapping[str, int],
    sizes: Mapping[str, tuple[float, float]],
    colours: Mapping[tuple[str, str], str],
    findings: Sequence[Finding],
) -> Data:
    warmap = one.game.map
    kinds = {k: [e.name for e in warmap.legend if e.kind == k] for k in ("terrain", "hexside", "link", "feature")}
    index, frames = warmap.index, [shapely.box(0, 0, s.width, s.height) for s in warmap.sheets]

    def legend(kind: str) -> list[Data]:
        rows = [e for e in warmap.legend if e.kind == kind]
        return [{"t": e.title or e.name, "c": colours.get((kind, e.name), "#ffffff")} for e in rows]

    return {
        "arrangement": one.arrangement,
        "terrain": legend("terrain"),
        "features": [e.title or e.name for e in warmap.legend if e.kind == "feature"],
        "hexsides": legend("hexside"),
        "links": legend("link"),
        "rings": {name: _ring(warmap, name) for name in warmap.grids},
        "spaces": [_space(s, warmap, kinds["terrain"], kinds["feature"], one.allowed) for s in warmap.spaces],
        "sides": [
            [_sheet(warmap, h.a), kinds["hexside"].index(k), *_flat(h.line or h.ends)]
            for h in warmap.hexsides
            for k in sorted(h.kinds)
            if k in kinds["hexside"]
        ],
        "ways": [
            [_sheet(warmap, x.a), kinds["link"].index(x.kind), index[x.a], index[x.b], *_flat(line)]
            for x in warmap.links
            if x.kind in kinds["link"] and {x.a, x.b} <= index.keys()
            for line in way_lines(warmap, [x], frames[_sheet(warmap, x.a)])
        ],
        "decks": [
            {"n": name, "s": index[at], "c": [number[c] for c in cards]} for name, at, cards in one.decks if at in index
        ],
        "findings": [
            _found(f, index)
            for f in findings
            if not (f.accepted or _of_setup(f)) and (f.where.space in index or not f.where.space)
        ],
        "setups": [_setup(one, p, number, sizes, findings) for p in one.game.setups if p.name in one.verdicts],
    }


def _space(
    s: Space, warmap: WarMap, terrains: Sequence[str], features: Sequence[str], allowed: Mapping[str, str]
) -> Data:
    out: Data = {"k": s.key, "x": _mm(s.at[0]), "y": _mm(s.at[1])}
    if len(warmap.sheets) > 1:
        out["b"] = [x.name for x in warmap.sheets].index(s.sheet)
    if s.name:
        out["n"] = s.name
    if s.label and s.label != s.key:
        out["l"] = s.label
    if s.kind != "hex":
        out["o"] = _flat(s.outline)
    if s.terrain in terrains:
        out["t"] = terrains.index(s.terrain)
    if s.features:
        out["f"] = [n for n, name in enumerate(features) if name in s.features]
    if not s.enterable:
        out["e"] = 0
    told = [f"{k.replace('_', ' ')}: {v}" for k, v in sorted(s.traits.items()) if k not in ("track", "step", "map")]
    if told:
        out["a"] = told
    if allowed.get(s.key):
        out["m"] = allowed[s.key]
    return out


def _setup(
    one: Shown,
    position: Position,
    number: Mapping[str, int],
    sizes: Mapping[str, tuple[float, float]],
    findings: Sequence[Finding],
) -> Data:
    game, verdict = one.game, one.verdicts[position.name]
    index, reasons = game.map.index, Reasons(verdict)
    pieces = []
    for p in place_pieces(game, position, sizes):
        row: list[Any] = [number[p.counter], index[p.space], p.step, _mm(p.at[0]), _mm(p.at[1])]
        account = reasons.why(p.piece)
        if account.grade:
            row.append(_line(account, game.counter[p.counter].name, index))
        pieces.append(row)
    # Who controls a box, or a space that nobody enters, is nothing that a player looks for.
    bare = [s.kind == "box" or not s.enterable for s in game.map.spaces]
    owner = verdict.layout.control.tolist()
    return {
        "n": position.name,
        "t": position.title or position.name,
        "pieces": pieces,
        "control": {
            side: [i for i, o in enumerate(owner) if o == n and not bare[i]]
            for n, side in enumerate(verdict.layout.sides)
        },
        "zones": {side: sorted(index[k] for k in verdict.zone(side)) for side in game.sides},
        "findings": [_found(f, index) for f in findings if not f.accepted and _of_setup(f) == position.name],
    }


def _of_setup(finding: Finding) -> str:
    """Return the name of the set-up that a finding is about, empty for others."""
    file = PurePath(finding.where.file or "")
    return file.stem if finding.rule.code[0] == "P" and file.suffix == ".csv" else ""


def _found(f: Finding, index: Mapping[str, int]) -> Data:
    place = str(f.where)
    out = {"c": f.rule.code, "v": str(f.severity), "m": f.message, "s": index.get(f.where.space, -1)}
    return out | ({"w": place} if place else {})


def _line(account: Account, name: str, index: Mapping[str, int]) -> Data:
    """Tell a unit's supply: its grade, the line as numbers of spaces, and in words what a line cannot show."""
    first, *others = tell(account, name)
    out: Data = {"g": account.grade, "w": first}
    if account.steps:
        out["p"] = [index[account.space], *(index[s.space] for s in account.steps)]
    else:
        out["r"] = [line.strip() for line in others]
        out["x"] = [index[b.space] for b in account.blocks]
    return out


def _sheet(warmap: WarMap, key: str) -> int:
    space = warmap.by_key.get(key)
    return 0 if space is None else [s.name for s in warmap.sheets].index(space.sheet)


def _ring(warmap: WarMap, sheet: str) -> list[float]:
    return _flat(warmap.grids[sheet].corner_offsets().tolist())


def _flat(points: Sequence[Sequence[float]]) -> list[float]:
    return list(_each(points))


def _each(points: Sequence[Sequence[float]]) -> Iterator[float]:
    for x, y in points:
        yield _mm(x)
        yield _mm(y)


def _mm(value: float) -> float:
    return round(value, 2)
