"""What map.toml and the tables state beside the drawing: boxes, single hexsides, links and other spellings."""

from __future__ import annotations

from dataclasses import replace

from toolchain.catalogue import NOT_NEIGHBOURS, OFF_SHEET, REPEATED_NAME, UNKNOWN_SPACE
from toolchain.model.warmap import Hexside, Link, Space, WarMap
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode.maps import BoxData, MapPlan


def build_boxes(plan: MapPlan, taken: set[str], report: Report) -> list[Space]:
    """Build the boxes of map.toml. taken: names that other spaces have, to which these are added."""
    out = []
    sheet = plan.data.sheet
    for i, box in enumerate(plan.data.box):
        where = plan.at(f"box.{i}")
        if box.key in taken:
            report.add(REPEATED_NAME, where, f"{box.key!r} is the name of another space")
            continue
        taken.add(box.key)
        outline = _rectangle(box)
        beyond = max(max(-x, -y, x - sheet.width, y - sheet.height) for x, y in outline)
        if beyond > 0:
            report.add(OFF_SHEET, where, f"the box {box.key} reaches {beyond:.1f} mm beyond the sheet")
        out.append(
            Space(
                key=box.key,
                kind="box",
                at=box.at,
                name=box.title or box.key,
                outline=outline,
                sheet=sheet.name,
                features=frozenset(box.features),
                traits=dict(box.traits),
                enterable=box.enterable,
                cite=box.cite,
                assumed=box.assumed,
                where=where,
            )
        )
    return out


def _rectangle(box: BoxData) -> tuple[tuple[float, float], ...]:
    (x, y), (w, h) = box.at, box.size
    left, top, right, bottom = x - w / 2, y - h / 2, x + w / 2, y + h / 2
    return (left, top), (right, top), (right, bottom), (left, bottom)


def with_stated(plan: MapPlan, warmap: WarMap, report: Report) -> tuple[Hexside, ...]:
    """Return the hexsides of a map with what map.toml states of single ones."""
    if not plan.data.side:
        return warmap.hexsides
    sides = {frozenset((h.a, h.b)): i for i, h in enumerate(warmap.hexsides)}
    out = list(warmap.hexsides)
    for n, side in enumerate(plan.data.side):
        where = plan.at(f"side.{n}.between")
        a, b = (_space(warmap, word, where, report) for word in side.between)
        if a is None or b is None:
            continue
        i = sides.get(frozenset((a.key, b.key)))
        if i is None or a.key == b.key:
            text = f"{a.key} and {b.key} share no hexside"
            if a.cell is not None and b.cell is not None:
                text += f"; they are {plan.grid.distance([a.cell], [b.cell])[0]} hexes apart"
            report.add(NOT_NEIGHBOURS, where, text)
            continue
        kinds = (out[i].kinds | set(side.add)) - set(side.remove)
        cite, assumed = side.cite or out[i].cite, side.assumed or out[i].assumed
        out[i] = replace(out[i], kinds=kinds, cite=cite, assumed=assumed)
    return tuple(out)


def build_links(plan: MapPlan, warmap: WarMap, report: Report) -> tuple[Link, ...]:
    """Build the links of the table; one that leads to an unknown space is a finding."""
    out = []
    for row in plan.links:
        ends = []
        for column, word in (("a", row.a), ("b", row.b)):
            place = Location(row.where.file, row.where.line, column)
            ends.append(_space(warmap, word, place, report))
        a, b = ends
        if a is not None and b is not None:
            out.append(Link(a.key, b.key, row.kind, row.one_way, row.traits, row.cite, row.assumed, row.where))
    return tuple(out)


def build_spellings(plan: MapPlan, warmap: WarMap, report: Report) -> dict[str, str]:
    """Return the keys of spaces by the other ways in which lists may write their names."""
    out = {}
    for word, name in plan.data.spellings.items():
        where = plan.at(f"spellings.{word}")
        space = _space(warmap, name, where, report)
        if word in warmap.by_key:
            report.add(REPEATED_NAME, where, f"{word!r} is the name of a space and cannot stand for another")
        elif space is not None:
            out[word] = space.key
    return out


def _space(warmap: WarMap, word: str, where: Location, report: Report) -> Space | None:
    """Return the space of this name; an unknown one is a finding."""
    space = warmap.find(word)
    if space is None:
        names = [s.key for s in warmap.spaces if s.name]
        report.add(UNKNOWN_SPACE, where, f"the map has no space {word!r}{did_you_mean(word, names)}")
    return space
