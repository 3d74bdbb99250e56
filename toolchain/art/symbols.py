"""Unit symbols of APP-6 by plain words or by SIDC, as marks in millimetres.

The drawings of the arms are milsymbol's (2525D, symbol set 10); frame, size mark and fortress are drawn here, since
counters want lines of one weight at any size. The table is strict: an unknown word is a finding, never a blank symbol.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from toolchain.art.marks import Group, Mark, Matrix, Paint, Path, circle, num, polyline, rectangle
from toolchain.art.paths import read_path, write_path
from toolchain.art.text import load_font, outline
from toolchain.catalogue import SYMBOL_UNKNOWN
from toolchain.report import Location, Report, did_you_mean

# The frame of a friendly land unit in milsymbol's units.
FRAME_LEFT, FRAME_TOP, FRAME_WIDTH, FRAME_HEIGHT = 25.0, 50.0, 150.0, 100.0
ASPECT = FRAME_HEIGHT / FRAME_WIDTH

# Spelling variants, read before anything else.
SAME = {
    "armoured": "armor", "armored": "armor", "armour": "armor", "panzer": "armor", "tank": "armor", "pz": "armor",
    "mech": "mechanized", "mechanised": "mechanized", "panzergrenadier": "mechanized infantry",
    "motor": "motorized", "motorised": "motorized", "mot": "motorized",
    "inf": "infantry", "rifle": "infantry", "naval": "marine", "marines": "marine infantry",
    "para": "airborne", "parachute": "airborne", "paratroop": "airborne", "alpine": "mountain",
    "recon": "reconnaissance", "recce": "reconnaissance", "cavalry": "reconnaissance", "cav": "reconnaissance",
    "antitank": "anti-tank", "at": "anti-tank", "antiaircraft": "anti-aircraft", "flak": "anti-aircraft",
    "aa": "anti-aircraft", "artillery": "artillery", "arty": "artillery", "sp": "self-propelled",
    "engineers": "engineer", "pioneer": "engineer", "cyclist": "bicycle", "hq": "headquarters",
    "armygroup": "army-group", "front": "army-group",
}  # fmt: skip

# Arms: entity codes of MIL-STD-2525D, table A-XXII (land units).
ARMS = {
    "infantry": "121100", "amphibious infantry": "121101", "mechanized infantry": "121102",
    "marine infantry": "121103", "motorized infantry": "121104",
    "armor": "120500", "armor reconnaissance": "120501", "amphibious armor": "120502",
    "reconnaissance": "121300", "motorized reconnaissance": "121303",
    "anti-tank": "120400", "armor anti-tank": "120401", "motorized anti-tank": "120402",
    "artillery": "130300", "self-propelled artillery": "130301", "mortar": "130800",
    "anti-aircraft": "130100", "engineer": "140700", "armor engineer": "140701", "motorized engineer": "140702",
    "mechanized engineer": "140701", "combined-arms": "121000", "rotary-wing": "120600", "fixed-wing": "120800",
    "signal": "111000", "medical": "161300", "supply": "163400", "transport": "163600",
}  # fmt: skip

# Modifiers in the lower part of the frame (sector 2); alone they mean infantry of that kind.
MODIFIERS = {"airborne": "01", "ski": "02", "bicycle": "04", "mountain": "27", "railway": "36", "amphibious": "60"}

# Symbols that APP-6 has no land unit for: drawn here.
OWN = ("fortress", "headquarters")

SIZES = {
    "team": "team", "squad": "1 dot", "section": "2 dots", "platoon": "3 dots", "company": "1 bar", "battery": "1 bar",
    "battalion": "2 bars", "regiment": "3 bars", "brigade": "1 cross", "division": "2 crosses", "corps": "3 crosses",
    "army": "4 crosses", "army-group": "5 crosses", "theatre": "6 crosses",
}  # fmt: skip

# Every word that a symbol may be given by.
WORDS = frozenset(w for name in (*ARMS, *MODIFIERS, *SIZES, *OWN, *SAME) for w in name.split())

SIDC_SIZES = {
    "11": "team", "12": "squad", "13": "section", "14": "platoon", "15": "company", "16": "battalion",
    "17": "regiment", "18": "brigade", "21": "division", "22": "corps", "23": "army", "24": "army-group",
    "25": "theatre",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class UnitSymbol:
    """What a symbol shows. sidc: 20 digits of a land unit, or empty. own: one of OWN. echelon: one of SIZES.

    picture: the designer's own SVG file that stands in the frame, or empty.
    """

    sidc: str = ""
    own: str = ""
    echelon: str = ""
    picture: str = ""


def read_symbol(words: str, where: Location, report: Report) -> UnitSymbol | None:
    """Read a symbol from plain words ("mech infantry corps", in any case) or from 20 digits of APP-6D.

    The name of an SVG file takes the place of the arm ("partisans.svg brigade"). Unknown words and invalid codes are
    findings and give None.
    """
    text = words.strip().casefold()
    if text.isdigit() and len(text) == 20:
        if not _instructions(text):
            report.add(SYMBOL_UNKNOWN, where, f"{text} is no SIDC of a land unit that can be drawn")
            return None
        return UnitSymbol(sidc=text, echelon=SIDC_SIZES.get(text[8:10], ""))
    named = [p for p in words.split() if p.casefold().endswith(".svg")]
    text = " ".join(p for p in text.split() if not p.endswith(".svg"))
    parts = text.replace("army group", "army-group").split()
    parts = " ".join(SAME.get(p, p) for p in parts).split()
    unknown = [p for p in parts if p not in WORDS]
    for p in unknown:
        report.add(SYMBOL_UNKNOWN, where, f"{p!r} is no word of a symbol{did_you_mean(p, WORDS)}")
    if unknown or not (parts or named):
        return None
    sizes = [p for p in parts if p in SIZES]
    own = [p for p in parts if p in OWN]
    rest = [p for p in parts if p not in SIZES and p not in OWN]
    arm, modifier = _arm_of(rest)
    arms = len(named) + len(own) + bool(rest)
    if len(sizes) > 1 or arms > 1 or (rest and not arm):
        near = did_you_mean(" ".join(rest), ARMS) if rest and not own else ""
        report.add(SYMBOL_UNKNOWN, where, f"{words!r}: these words do not make one symbol{near}")
        return None
    sidc = f"1003100000{arm}00{modifier}" if arm else ""
    return UnitSymbol(sidc=sidc, own="".join(own), echelon="".join(sizes), picture="".join(named))


def _arm_of(words: list[str]) -> tuple[str, str]:
    """Return entity and modifier codes for words without size: an arm, perhaps with one modifier; "" if none fits."""
    if not words:
        return "", "00"
    wanted = sorted(words)
    by_words = {tuple(sorted(name.split())): code for name, code in ARMS.items()}
    if tuple(wanted) in by_words:
        return by_words[tuple(wanted)], "00"
    for word in words:
        if word in MODIFIERS:
            left = tuple(sorted(w for w in words if w != word)) or ("infantry",)
            if left in by_words:
                return by_words[left], MODIFIERS[word]
    return "", "00"


@lru_cache(maxsize=1024)
def draw_symbol(
    symbol: UnitSymbol, width: float, ink: str, fill: str = "", line: float = 0.25, frame: bool = True
) -> Group:
    """Draw a symbol with its frame centred on (0, 0), without its size mark.

    width: of the frame, mm; it is two thirds as high. ink, fill: colours of lines and of the frame's inside ("" for
    none). line: width of all lines, mm.
    """
    height = width * ASPECT
    box = rectangle(-width / 2, -height / 2, width, height)
    stroke = Paint(stroke=ink, width=line)
    marks: list[Mark] = []
    if fill:
        marks.append(Path(box, Paint(fill=fill)))
    if symbol.own == "fortress":
        marks.append(Path(_fortress(width, height), stroke))
    elif symbol.own == "headquarters":
        band = polyline([(-width / 2, -height / 4), (width / 2, -height / 4)])
        marks.append(Path(band, stroke))
    elif symbol.sidc:
        scale = width / FRAME_WIDTH
        middle = (FRAME_LEFT + FRAME_WIDTH / 2) * scale, (FRAME_TOP + FRAME_HEIGHT / 2) * scale
        matrix: Matrix = (scale, 0, 0, scale, -middle[0], -middle[1])
        marks.append(Group(tuple(_icon(_instructions(symbol.sidc), matrix, ink, line)), clip=box))
    if frame:
        marks.append(Path(box, stroke))
    return Group(tuple(marks))


def size_mark_width(echelon: str, height: float) -> float:
    """Return how wide a size mark of this height is, mm."""
    count, step, each = _size_mark(echelon, height)
    return (count - 1) * step + each


def draw_size_mark(echelon: str, height: float, ink: str, line: float = 0.25) -> Group:
    """Draw the mark of a unit's size centred on (0, 0): dots, bars or crosses of this height in mm."""
    count, step, each = _size_mark(echelon, height)
    xs = [(i - (count - 1) / 2) * step for i in range(count)]
    shape = SIZES[echelon].split()[-1].rstrip("s")
    r = height / 2
    if shape == "dot":
        return Group((Path("".join(circle(x, 0, each / 2) for x in xs), Paint(fill=ink)),))
    if shape == "bar":
        return Group((Path("".join(polyline([(x, -r), (x, r)]) for x in xs), Paint(stroke=ink, width=line)),))
    if shape == "team":
        data = circle(0, 0, r) + polyline([(-r, r), (r, -r)])
        return Group((Path(data, Paint(stroke=ink, width=line)),))
    half = each / 2
    data = "".join(polyline([(x - half, -r), (x + half, r)]) + polyline([(x - half, r), (x + half, -r)]) for x in xs)
    return Group((Path(data, Paint(stroke=ink, width=line)),))


def _size_mark(echelon: str, height: float) -> tuple[int, float, float]:
    """Return count, distance and width of the signs of a size mark."""
    words = SIZES[echelon].split()
    count = int(words[0]) if len(words) > 1 else 1
    shape = words[-1].rstrip("s")
    if shape == "dot":
        return count, height * 0.95, height * 0.6
    if shape == "bar":
        return count, height * 0.6, 0.0
    return count, height * 1.18, height * 0.9


def _fortress(width: float, height: float) -> str:
    """Write the outline of a bastioned work, as maps draw it: a wall with a salient at each corner."""
    w, h = width * 0.31, height * 0.29
    s = height * 0.13
    points = [(-w - s, -h - s), (-w + s, -h), (w - s, -h), (w + s, -h - s), (w, -h + s), (w, h - s)]
    points += [(-x, -y) for x, y in points]
    return "M" + "L".join(f"{num(x)} {num(y)}" for x, y in points) + "Z"


ICONS: dict[str, list[dict[str, Any]]] = {}
"""Drawings that were looked up before, by code; to be kept and given back, since the table they are in is large."""


def _instructions(sidc: str) -> list[dict[str, Any]]:
    """Return milsymbol's drawing of the icon of a land unit without frame and size; empty when it has none."""
    code = sidc[:8] + "00" + sidc[10:]
    if code not in ICONS:
        ICONS[code] = _looked_up(code)
    return ICONS[code]


def _looked_up(code: str) -> list[dict[str, Any]]:
    from milsymbol import Symbol

    with _collector_paused():  # the first symbol reads the library's whole table: so in half the time
        symbol = Symbol(code)
    if not symbol.is_valid() or code[4:6] != "10":
        return []
    symbol.as_svg()  # composes the drawing instructions
    icons = [item for item in _flat(symbol._final_di or []) if item.get("icon")]
    return icons if all(_drawable(i) for i in icons) else []


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep Python from looking for garbage where a great many objects are made that all stay."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def _flat(items: Any) -> Iterator[dict[str, Any]]:
    """Take nested lists apart; a group counts as an icon when any part of it does."""
    for item in items:
        if isinstance(item, list):
            yield from _flat(item)
        elif item.get("draw") and any(i.get("icon") for i in _flat(item["draw"])):
            yield {**item, "icon": True}
        else:
            yield item


def _drawable(item: dict[str, Any]) -> bool:
    kinds = ("path", "circle", "text", "translate", "scale")
    return item.get("type") in kinds and all(_drawable(i) for i in _flat(item.get("draw") or []))


def _icon(items: Any, matrix: Matrix, ink: str, line: float) -> Iterator[Mark]:
    """Turn milsymbol's instructions into marks. Its colours are one ink and no fill; line widths are ours."""
    a, _, _, _, e, f = matrix
    for item in _flat(items):
        kind = item["type"]
        if kind == "translate":
            moved = (a, 0.0, 0.0, a, e + a * float(item["x"]), f + a * float(item["y"]))
            yield from _icon(item["draw"], moved, ink, line)
            continue
        if kind == "scale":
            scaled = a * float(item["factor"])
            yield from _icon(item["draw"], (scaled, 0.0, 0.0, scaled, e, f), ink, line)
            continue
        filled = bool(item.get("fill"))
        paint = Paint(
            fill=ink if filled else None,
            stroke=None if item.get("stroke") is False or kind == "text" else ink,
            width=line,
        )
        if kind == "path":
            yield Path(write_path(read_path(item["d"]), matrix), paint)
        elif kind == "circle":
            yield Path(circle(a * float(item["cx"]) + e, a * float(item["cy"]) + f, a * float(item["r"])), paint)
        elif kind == "text":
            size, font = a * float(item["fontsize"]), load_font("sans-bold")
            drop = font.cap_height * size / 2 if item.get("alignmentBaseline") == "middle" else 0.0
            anchor = item.get("textanchor", "middle")
            x, y = a * float(item["x"]) + e, a * float(item["y"]) + f + drop
            yield Path(outline(str(item["text"]), font, size, x, y, anchor), Paint(fill=ink))
