"""style.toml: how counters look. Sizes, colours, looks by attribute, layouts as data, and the counter sheet.

Lengths are millimetres, or text with a unit ("5/8 in", "16 mm"). Places and sizes inside a layout are shares of the
counter, x and widths of its width, y and heights of its height, so that one layout serves every size; line widths and
least type sizes stay millimetres, since the eye does not scale.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints

from toolchain.catalogue import LAYOUT_UNKNOWN, STYLE_COLOUR_UNKNOWN, STYLE_NAME_UNKNOWN
from toolchain.model.forces import Counter, Value
from toolchain.report import Finding, Location, Report, did_you_mean
from toolchain.sources.decode import Raw, decode

MM_PER_INCH = 25.4
FIELD = re.compile(r"\{([^{}]*)\}")  # a value's place in a text
_LENGTH = re.compile(r"\s*(?:(\d+)\s+)?(\d+(?:\.\d+)?)(?:\s*/\s*(\d+))?\s*(mm|cm|in|inch|\"|pt)\s*")
_UNITS = {"mm": 1.0, "cm": 10.0, "in": MM_PER_INCH, "inch": MM_PER_INCH, '"': MM_PER_INCH, "pt": MM_PER_INCH / 72}


def read_length(value: Any) -> Any:
    """Read a length such as "5/8 in" or "1 1/4 in" as millimetres; numbers are millimetres already."""
    if not isinstance(value, str):
        return value
    hit = _LENGTH.fullmatch(value)
    if hit is None or hit[3] == "0":
        raise ValueError('should be millimetres or a length with a unit, such as "5/8 in"')
    whole, number, divisor, unit = hit.groups()
    amount = Fraction(number) / int(divisor or 1) + int(whole or 0)
    return float(amount) * _UNITS[unit]


Length = Annotated[float, BeforeValidator(read_length), Field(ge=0, le=2000)]
Share = Annotated[float, Field(ge=-1, le=2)]
Part = Annotated[float, Field(gt=0, le=2)]
Point = tuple[Share, Share]
Hex = Annotated[str, StringConstraints(pattern=r"^#[0-9a-fA-F]{6}$")]
When = dict[str, Value | tuple[Value, ...]]
Font = Literal["sans", "sans-bold", "condensed", "serif", "serif-italic", "serif-bold"]


class Size(Raw):
    """A counter size. corner: radius of the die, mm."""

    width: Annotated[float, BeforeValidator(read_length), Field(ge=3, le=300)]
    height: Annotated[float, BeforeValidator(read_length), Field(ge=3, le=300)]
    corner: Length = 0.0
    title: str = ""


class Look(Raw):
    """What counters of some kind look like: names of colours and of words that layouts use.

    when: attributes that a counter must have, each one value or any of several; empty for all counters.
    """

    when: When = Field(default_factory=dict)
    set: dict[str, str]


class Element(Raw):
    """What all elements of a layout have: where the centre is, on which face, and on which counters."""

    at: Point = (0.5, 0.5)
    on: Literal["both", "front", "back"] = "both"
    when: When = Field(default_factory=dict)
    unless: When = Field(default_factory=dict)
    turn: Annotated[float, Field(ge=-360, le=360)] = 0.0


class Box(Element):
    """A rectangle: the paper, a band, the stripe of the reduced side, a border. One that reaches the edge bleeds."""

    draw: Literal["box"]
    size: tuple[Part, Part] = (1.0, 1.0)
    fill: str = ""
    stroke: str = ""
    line: Length = 0.2
    radius: Length = 0.0


class Dot(Element):
    """A disc; size is a share of the height."""

    draw: Literal["dot"]
    size: Part
    fill: str = "ink"
    stroke: str = ""
    line: Length = 0.2


class SymbolMark(Element):
    """The unit symbol, `width` wide over its frame, from words such as "infantry corps"."""

    draw: Literal["symbol"]
    symbol: str = "{symbol}"
    width: Part
    ink: str = "ink"
    fill: str = ""
    line: Length = 0.25
    frame: bool = True


class SizeMark(Element):
    """The mark of the unit's size (xxx for a corps), `height` high, from the words of its symbol."""

    draw: Literal["size-mark"]
    symbol: str = "{symbol}"
    height: Part
    ink: str = "ink"
    line: Length = 0.25


class Icon(Element):
    """A picture from the tool's own set, `width` wide and at most `height` high."""

    draw: Literal["icon"]
    icon: str = "{icon}"
    width: Part
    height: Part = 2.0
    ink: str = "ink"
    fill: str = ""
    line: Length = 0.2
    mirror: bool = False
    optional: bool = False


class Text(Element):
    """Words on one or more lines, as large as fits the box but not larger than `size` (em, share of the height).

    text: may hold {names} of columns. least: smallest em, mm. optional: draw nothing where a column is empty.
    """

    draw: Literal["text"]
    text: str
    font: Font = "sans-bold"
    size: Part
    box: tuple[Part, Part] = (0.9, 1.0)
    least: Length = 1.0
    lines: Annotated[int, Field(ge=1, le=12)] = 1
    leading: Annotated[float, Field(ge=0.5, le=3)] = 1.0
    spacing: Annotated[float, Field(ge=-0.2, le=2)] = 0.0
    anchor: Literal["start", "middle", "end"] = "middle"
    ink: str = "ink"
    halo: str = ""
    halo_line: Length = 0.5
    upper: bool = False
    optional: bool = False


AnyElement = Annotated[Box | Dot | SymbolMark | SizeMark | Icon | Text, Field(discriminator="draw")]


class Layout(Raw):
    """What is drawn on a face, bottom first. like: another layout that is drawn below it."""

    like: str = ""
    elements: tuple[AnyElement, ...] = ()


class Sheet(Raw):
    """How counters are laid out for printing. paper: a name, or given by width and height.

    block: columns and rows that stand together, gap: room between blocks (0, 0 for one block as large as fits).
    gutter: room between counters. bleed: how far the paper colour runs over the cut. flip: how the sheet is turned.
    back_offset: how far the printer shifts the back, mm, x and y. die_lines: print every counter's outline.
    """

    paper: Literal["a4", "a3", "letter", "tabloid", "given"] = "a4"
    width: Length = 0.0
    height: Length = 0.0
    margin: Length = 12.0
    block: tuple[Annotated[int, Field(ge=0, le=200)], Annotated[int, Field(ge=0, le=200)]] = (0, 0)
    gap: Length = 6.0
    gutter: Length = 0.0
    bleed: Length = 1.5
    flip: Literal["long-edge", "short-edge"] = "long-edge"
    back_offset: tuple[Annotated[float, Field(ge=-10, le=10)], Annotated[float, Field(ge=-10, le=10)]] = (0.0, 0.0)
    die_lines: bool = False


class Style(Raw):
    """The whole of style.toml."""

    format: Literal[1]
    size: str = ""
    layout: str = ""
    sizes: dict[str, Size] = Field(min_length=1)
    colours: dict[str, Hex] = Field(default_factory=dict)
    look: tuple[Look, ...] = ()
    layouts: dict[str, Layout] = Field(min_length=1)
    sheet: Sheet = Field(default_factory=Sheet)

    def words_of(self, counter: Counter) -> dict[str, str]:
        """Return what the looks set for this counter; a later look that fits goes over an earlier one."""
        out: dict[str, str] = {}
        for look in self.look:
            if fits(look.when, counter.value):
                out |= look.set
        return out

    def elements_of(self, layout: str) -> tuple[Element, ...]:
        """Return the elements of a layout, those of the layouts that it is like first (checked on reading)."""
        known = self.layouts[layout]
        return (*(self.elements_of(known.like) if known.like else ()), *known.elements)


def fits(when: Mapping[str, Value | tuple[Value, ...]], value: Callable[[str], Value | None]) -> bool:
    """Tell whether every named value is the one wanted, or one of those. An empty cell counts as "" and as false."""
    for name, wanted in when.items():
        got = value(name)
        options = wanted if isinstance(wanted, tuple) else (wanted,)
        if got is None:
            if not any(o == "" or o is False for o in options):
                return False
        elif not any(got == o and isinstance(got, bool) == isinstance(o, bool) for o in options):
            return False
    return True


def decode_style(raw: dict[str, Any], file: str, report: Report) -> Style | None:
    """Check the raw values of style.toml, and that its layouts and colours name only what it has."""
    style = decode(Style, raw, file, report)
    if style is None:
        return None
    before = len(report)
    _check_layouts(style, file, report)
    _check_colours(style, file, report)
    return style if len(report) == before else None


def check_style_names(style: Style, columns: Iterable[str], file: str) -> Iterator[Finding]:
    """Find names in conditions and texts that are neither columns of the counter table nor set by a look.

    columns: those of the counter table. file: of the style, for messages.
    """
    fields = ("id", "name", "role", "side", "nation", "kind", "symbol")
    known = {*fields, *columns, *(name for look in style.look for name in look.set)}
    used = [(f"look.{i}.when.{n}", n) for i, look in enumerate(style.look) for n in look.when]
    for name, layout in style.layouts.items():
        for i, element in enumerate(layout.elements):
            key = f"layouts.{name}.elements.{i}"
            used += [(f"{key}.{part}.{n}", n) for part in ("when", "unless") for n in getattr(element, part)]
            for part in ("text", "icon", "symbol"):
                used += [(f"{key}.{part}", n) for n in FIELD.findall(getattr(element, part, ""))]
    for key, name in used:
        if name not in known:
            message = f"no column of the counter table and no look is called {name!r}{did_you_mean(name, known)}"
            yield Finding(STYLE_NAME_UNKNOWN, Location(file=file, key=key), message, {"name": name})


def _check_layouts(style: Style, file: str, report: Report) -> None:
    if style.layout and style.layout not in style.layouts:
        _unknown_layout(style.layout, style, Location(file=file, key="layout"), report)
    for name, layout in style.layouts.items():
        seen, key = [name], Location(file=file, key=f"layouts.{name}.like")
        while layout.like:
            if layout.like not in style.layouts:
                _unknown_layout(layout.like, style, key, report)
                break
            if layout.like in seen:
                report.add(LAYOUT_UNKNOWN, key, f"layout {name!r} is like itself: {' > '.join([*seen, layout.like])}")
                break
            seen.append(layout.like)
            layout = style.layouts[layout.like]


def _unknown_layout(name: str, style: Style, where: Location, report: Report) -> None:
    report.add(LAYOUT_UNKNOWN, where, f"there is no layout {name!r}{did_you_mean(name, style.layouts)}")


def _check_colours(style: Style, file: str, report: Report) -> None:
    known = {*style.colours, *(name for look in style.look for name in look.set)}
    for name, layout in style.layouts.items():
        for i, element in enumerate(layout.elements):
            for part in ("fill", "stroke", "ink", "halo"):
                colour = getattr(element, part, "")
                if colour and not colour.startswith("#") and colour not in known:
                    where = Location(file=file, key=f"layouts.{name}.elements.{i}.{part}")
                    message = f"neither [colours] nor a look sets {colour!r}{did_you_mean(colour, known)}"
                    report.add(STYLE_COLOUR_UNKNOWN, where, message)
