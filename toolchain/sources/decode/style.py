"""style.toml: how counters look. Sizes, colours, looks by attribute, layouts as data, and the counter sheet.

`like = "standard"` lays a style over the tool's own set of sizes, looks and layouts, so that a small game states only
its colours.

Lengths are millimetres, or text with a unit ("5/8 in", "16 mm"). Places and sizes inside a layout are shares of the
counter, x and widths of its width, y and heights of its height, so that one layout serves every size; line widths and
least type sizes stay millimetres, since the eye does not scale.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PrivateAttr, StringConstraints

from toolchain.catalogue import FONT_UNKNOWN, LAYOUT_UNKNOWN, MISSING_KEY, STYLE_COLOUR_UNKNOWN, STYLE_NAME_UNKNOWN
from toolchain.model.artwork import Artwork
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
BUNDLED_FONTS = ("sans", "sans-bold", "condensed", "serif", "serif-italic", "serif-bold")
FILE_ENDINGS = (".svg", ".png", ".jpg", ".jpeg")  # a picture of the designer's own, by its file's name
PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4), "tabloid": (279.4, 431.8)}


class Size(Raw):
    """A counter size. corner: radius of the die, mm."""

    width: Annotated[float, BeforeValidator(read_length), Field(ge=3, le=300)]
    height: Annotated[float, BeforeValidator(read_length), Field(ge=3, le=300)]
    corner: Length = 0.0
    title: str = ""


class Look(Raw):
    """What counters of some kind look like: names of colours and of words that layouts use.

    when: attributes that a counter must have, each one value or any of several; empty for all counters. set: a word
    may hold {names} of columns, such as factors = "{attack}-{movement}". A cell of the counter table goes before it.
    """

    when: When = Field(default_factory=dict)
    set: dict[str, str]


class Element(Raw):
    """What all elements of a layout have: where the centre is, on which face, and on which counters.

    on: which faces have it; hidden is what others see of the piece in a module, where that differs from plain paper.
    when: drawn where all of these values hold; unless: and not where any of these does.
    step: take the values of this step (1 is full strength) instead of those of the face that is drawn; a counter with
    fewer steps does not have the element. So a block shows all its strengths on one label.
    """

    at: Point = (0.5, 0.5)
    on: Literal["both", "front", "back", "hidden"] = "both"
    step: Annotated[int, Field(ge=0, le=9)] = 0
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
    """A silhouette in one ink, `width` wide and at most `height` high: of the tool's own set, or an SVG file."""

    draw: Literal["icon"]
    icon: str = "{icon}"
    width: Part
    height: Part = 2.0
    ink: str = "ink"
    fill: str = ""
    line: Length = 0.2
    mirror: bool = False
    optional: bool = False


class PictureMark(Element):
    """A picture file of the designer's (SVG, PNG, JPEG) in its own colours, within a box.

    fit: whole within the box, or filling it and cut at its edges. A picture that reaches the edge bleeds.
    """

    draw: Literal["picture"]
    picture: str = "{picture}"
    size: tuple[Part, Part] = (1.0, 1.0)
    fit: Literal["whole", "fill"] = "whole"
    mirror: bool = False
    optional: bool = False


class Text(Element):
    """Words on one or more lines, as large as fits the box but not larger than `size` (em, share of the height).

    text: may hold {names} of columns. least: smallest em, mm. optional: draw nothing where a column is empty.
    wrap: set as running text, as many lines as the box holds; `rise` says where it stands in the box.
    """

    draw: Literal["text"]
    text: str
    font: str = "sans-bold"
    size: Part
    box: tuple[Part, Part] = (0.9, 1.0)
    least: Length = 1.0
    lines: Annotated[int, Field(ge=1, le=12)] = 1
    leading: Annotated[float, Field(ge=0.5, le=3)] = 1.0
    spacing: Annotated[float, Field(ge=-0.2, le=2)] = 0.0
    anchor: Literal["start", "middle", "end"] = "middle"
    rise: Literal["top", "middle", "bottom"] = "middle"
    wrap: bool = False
    ink: str = "ink"
    halo: str = ""
    halo_line: Length = 0.5
    upper: bool = False
    optional: bool = False


AnyElement = Annotated[Box | Dot | SymbolMark | SizeMark | Icon | PictureMark | Text, Field(discriminator="draw")]


class Layout(Raw):
    """What is drawn on a face, bottom first. like: another layout that is drawn below it.

    turns: the counter has one face, which is turned by a quarter for each step lost, as blocks are: it is printed
    once, on a label. backed: sheets have its back even for counters of one step, as cards want.
    """

    like: str = ""
    backed: bool = False
    turns: bool = False
    elements: tuple[AnyElement, ...] = ()


class Sheet(Raw):
    """How counters are laid out for printing. paper: a name, or given by width and height; landscape turns it.

    block: columns and rows that stand together, gap: room between blocks (0, 0 for one block as large as fits).
    gutter: room between counters. bleed: how far the paper colour runs over the cut. flip: how the sheet is turned.
    backs: on the other side of the paper, or on the same side beyond a fold. back_offset: how far to move the backs,
    mm, right and down as the calibration page tells. plain: what is printed behind one-sided counters. die_lines:
    print every counter's outline. breaks: a column; a new sheet begins with each of its values, such as each side.
    """

    paper: Literal["a4", "a3", "letter", "tabloid", "given"] = "a4"
    width: Length = 0.0
    height: Length = 0.0
    landscape: bool = False
    margin: Length = 12.0
    block: tuple[Annotated[int, Field(ge=0, le=200)], Annotated[int, Field(ge=0, le=200)]] = (0, 0)
    gap: Length = 6.0
    gutter: Length = 0.0
    bleed: Length = 1.5
    flip: Literal["long-edge", "short-edge"] = "long-edge"
    backs: Literal["duplex", "fold"] = "duplex"
    plain: Literal["blank", "paper"] = "blank"
    breaks: str = ""
    back_offset: tuple[Annotated[float, Field(ge=-10, le=10)], Annotated[float, Field(ge=-10, le=10)]] = (0.0, 0.0)
    die_lines: bool = False


class FontFile(Raw):
    """A font file of the designer's own, TrueType or OpenType, in the folder of the counters."""

    file: str


class Chart(Raw):
    """A chart or a track made from a table in the folder of the counters.

    draw: chart, the table as it stands, its first row as heads; track, one box for each row, whose columns are text
    (large), note (below) and icon. across: boxes in a row of a track. width: of the whole, mm; row, cell: heights and
    the size of a box. paper, ink, head: colours.
    """

    draw: Literal["chart", "track"] = "chart"
    file: str
    title: str = ""
    note: str = ""
    width: Length = 90.0
    row: Annotated[float, BeforeValidator(read_length), Field(ge=2, le=100)] = 6.0
    across: Annotated[int, Field(ge=1, le=100)] = 10
    cell: tuple[Length, Length] = (18.0, 18.0)
    font: str = "condensed"
    paper: str = "#f6f1e3"
    ink: str = "#1d1b18"
    head: str = "#4a5560"
    band: str = "#e9e1cc"


class Style(Raw):
    """The whole of style.toml."""

    format: Literal[1]
    like: Literal["", "standard"] = ""
    size: str = ""
    layout: str = ""
    sizes: dict[str, Size] = Field(default_factory=dict)
    colours: dict[str, Hex] = Field(default_factory=dict)
    fonts: dict[str, FontFile] = Field(default_factory=dict)
    look: tuple[Look, ...] = ()
    layouts: dict[str, Layout] = Field(default_factory=dict)
    charts: dict[str, Chart] = Field(default_factory=dict)
    sheet: Sheet = Field(default_factory=Sheet)
    _artwork: Artwork = PrivateAttr(default_factory=Artwork)

    @property
    def artwork(self) -> Artwork:
        """The designer's own pictures and fonts, by name."""
        return self._artwork

    def with_artwork(self, artwork: Artwork) -> Style:
        """Return this style with the designer's own pictures and fonts."""
        style = self.model_copy()
        style._artwork = artwork
        return style

    def printed_on(self, **changes: Any) -> Style:
        """Return this style with other settings of the counter sheet; None changes nothing."""
        kept = {k: v for k, v in changes.items() if v is not None}
        return self.model_copy(update={"sheet": self.sheet.model_copy(update=kept)})

    def words_of(self, counter: Counter) -> dict[str, str]:
        """Return what the looks set for this counter; a later look that fits goes over an earlier one."""
        out: dict[str, str] = {}
        for look in self.look:
            if fits(look.when, counter.value):
                out |= look.set
        return out

    def line_of(self, layout: str) -> tuple[str, ...]:
        """Return a layout's name after those of the layouts that it is like, the lowest first (checked on reading)."""
        known = self.layouts[layout]
        return (*(self.line_of(known.like) if known.like else ()), layout)

    def elements_of(self, layout: str) -> tuple[Element, ...]:
        """Return the elements of a layout, those of the layouts that it is like first."""
        return tuple(e for name in self.line_of(layout) for e in self.layouts[name].elements)


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


@cache
def standard_style() -> Style:
    """Return the tool's own sizes, looks and layouts, which `like = "standard"` stands on."""
    text = files("toolchain.sources").joinpath("styles", "standard-counters.toml").read_text(encoding="utf-8")
    return Style.model_validate(tomllib.loads(text))


def decode_style(raw: dict[str, Any], file: str, report: Report) -> Style | None:
    """Check the raw values of style.toml, and that its layouts, colours and fonts name only what there is."""
    own = decode(Style, raw, file, report)
    if own is None:
        return None
    before = len(report)
    style = _laid_over(standard_style(), own) if own.like else own
    for part in ("sizes", "layouts"):
        if not getattr(style, part):
            report.add(MISSING_KEY, Location(file=file, key=part), 'give at least one, or like = "standard"')
    _check_layouts(style, own, file, report)
    _check_colours(style, own, file, report)
    _check_fonts(style, own, file, report)
    return style if len(report) == before else None


def _laid_over(base: Style, own: Style) -> Style:
    """Join two styles: own parts go over those of the same name; a layout that is like its own name adds to it."""
    layouts = dict(base.layouts)
    for name, layout in own.layouts.items():
        below = base.layouts.get(name)
        if layout.like == name and below is not None:
            elements = (*below.elements, *layout.elements)
            layout = Layout(like=below.like, turns=below.turns, backed=below.backed, elements=elements)
        layouts[name] = layout
    return own.model_copy(
        update={
            "size": own.size or base.size,
            "layout": own.layout or base.layout,
            "sizes": base.sizes | own.sizes,
            "colours": base.colours | own.colours,
            "look": (*base.look, *own.look),
            "layouts": layouts,
        }
    )


def check_style_names(style: Style, columns: Iterable[str], file: str) -> Iterator[Finding]:
    """Find names in conditions and texts that are neither columns of the counter table nor set by a look.

    columns: those of the counter table. file: of the style, for messages. What comes from the standard style may name
    columns that the table lacks.
    """
    fields = ("id", "name", "role", "side", "nation", "kind", "symbol", "layout", "size")
    base = standard_style() if style.like else None
    known = {*fields, *columns, *(name for look in style.look for name in look.set)}
    first = len(base.look) if base else 0
    used = []
    for i, look in enumerate(style.look[first:]):
        used += [(f"look.{i}.when.{n}", n) for n in look.when]
        used += [(f"look.{i}.set.{word}", n) for word, text in look.set.items() for n in FIELD.findall(text)]
    for name, layout in style.layouts.items():
        below = base.layouts[name].elements if base and name in base.layouts else ()
        start = len(below) if layout.elements[: len(below)] == below else 0
        for i, element in enumerate(layout.elements[start:]):
            key = f"layouts.{name}.elements.{i}"
            used += [(f"{key}.{part}.{n}", n) for part in ("when", "unless") for n in getattr(element, part)]
            for part in ("text", "icon", "symbol", "picture"):
                used += [(f"{key}.{part}", n) for n in FIELD.findall(getattr(element, part, ""))]
    if style.sheet.breaks:
        used.append(("sheet.breaks", style.sheet.breaks))
    for key, name in used:
        if name not in known:
            message = f"no column of the counter table and no look is called {name!r}{did_you_mean(name, known)}"
            yield Finding(STYLE_NAME_UNKNOWN, Location(file=file, key=key), message, {"name": name})


def _check_layouts(style: Style, own: Style, file: str, report: Report) -> None:
    if style.layout and style.layout not in style.layouts:
        _unknown_layout(style.layout, style, Location(file=file, key="layout"), report)
    for name in own.layouts:
        layout = style.layouts[name]
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


def _check_colours(style: Style, own: Style, file: str, report: Report) -> None:
    known = {*style.colours, *(name for look in style.look for name in look.set)}
    uses = [
        (f"layouts.{name}.elements.{i}.{part}", getattr(element, part, ""))
        for name, layout in own.layouts.items()
        for i, element in enumerate(layout.elements)
        for part in ("fill", "stroke", "ink", "halo")
    ]
    uses += [
        (f"charts.{n}.{p}", getattr(c, p)) for n, c in own.charts.items() for p in ("paper", "ink", "head", "band")
    ]
    for key, colour in uses:
        if colour and not colour.startswith("#") and colour not in known:
            message = f"neither [colours] nor a look sets {colour!r}{did_you_mean(colour, known)}"
            report.add(STYLE_COLOUR_UNKNOWN, Location(file=file, key=key), message)


def _check_fonts(style: Style, own: Style, file: str, report: Report) -> None:
    known = (*BUNDLED_FONTS, *style.fonts)
    uses = [
        (f"layouts.{name}.elements.{i}.font", element.font)
        for name, layout in own.layouts.items()
        for i, element in enumerate(layout.elements)
        if isinstance(element, Text)
    ]
    uses += [(f"charts.{name}.font", chart.font) for name, chart in own.charts.items()]
    for key, font in uses:
        if font not in known:
            near = did_you_mean(font, known) or "; known here: " + ", ".join(known)
            report.add(FONT_UNKNOWN, Location(file=file, key=key), f"there is no font {font!r}{near}")
