"""A designer's own pictures and fonts in: outlines with their paints, safely; fonts as bytes that are fonts."""

from __future__ import annotations

import hashlib
import io
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from toolchain.catalogue import FILE_UNREADABLE, FONT_UNUSABLE, PICTURE_PART, PICTURE_UNSAFE
from toolchain.model.artwork import Artwork, Command, Grid, Picture, PictureShape
from toolchain.model.forces import Counter
from toolchain.report import Location, Report
from toolchain.sources.decode.style import FILE_ENDINGS, Style
from toolchain.sources.documents import DRAWING_LIMIT, inside, read_bytes, read_table
from toolchain.sources.svg import HOLDERS, OUTLINES, SVG, BadShape, frame_of, outlines_of, read_svg, size_of_drawing
from toolchain.sources.svgframes import affine, joined

FONT_LIMIT = 16 * 1024 * 1024
PICTURE_LIMIT = 8 * 1024 * 1024
SHAPES_LIMIT = 20_000
DEPTH_LIMIT = 32
XLINK = "{http://www.w3.org/1999/xlink}href"
SCRIPTS = frozenset({"script", "foreignObject", "iframe", "animate", "set", "handler"})
QUIET = frozenset({"defs", "title", "desc", "metadata", "style", "namedview", "symbol"})
COLOURS = {
    "black": "#000000", "white": "#ffffff", "red": "#ff0000", "green": "#008000", "blue": "#0000ff",
    "yellow": "#ffff00", "gray": "#808080", "grey": "#808080", "silver": "#c0c0c0", "navy": "#000080",
    "maroon": "#800000", "olive": "#808000", "teal": "#008080", "purple": "#800080", "orange": "#ffa500",
    "brown": "#a52a2a", "currentcolor": "#000000",
}  # fmt: skip
PAINTS = ("fill", "stroke", "stroke-width", "fill-rule", "opacity", "fill-opacity", "display", "visibility")


def read_artwork(root: Path, folder: str, style: Style, counters: Iterable[Counter], report: Report) -> Artwork:
    """Read every picture and font that the style and the counters name.

    root: of the project. folder: of the game's counters, such as counters/GAME; nothing outside it is read.
    What cannot be read, or is not safe, is a finding at the place that names it, and left out.
    """
    base, file = root / folder, f"{folder}/style.toml"
    digest = hashlib.sha256()
    pictures: dict[str, Picture] = {}
    for name, where in named_pictures(style, counters, file).items():
        path = inside(base, name, base, where, report)
        picture = None if path is None else read_picture(path, f"{folder}/{name}", where, report)
        if path is not None and picture is not None:
            pictures[name] = picture
            digest.update(name.encode() + b"\0" + path.read_bytes())
    fonts: dict[str, bytes] = {}
    for name, font in style.fonts.items():
        where = Location(file=file, key=f"fonts.{name}.file")
        path = inside(base, font.file, base, where, report)
        data = None if path is None else read_bytes(path, FONT_LIMIT, where, report)
        if data is not None and is_font(data, font.file, where, report):
            fonts[name] = data
            digest.update(name.encode() + b"\0" + data)
    tables: dict[str, Grid] = {}
    for name, chart in style.charts.items():
        path = inside(base, chart.file, base, Location(file=file, key=f"charts.{name}.file"), report)
        table = None if path is None else read_table(path, f"{folder}/{chart.file}", report)
        if table is not None:
            rows = tuple((row.line, tuple(row.get(c) for c in table.columns)) for row in table.rows)
            tables[name] = Grid(table.file, table.columns, rows)
    return Artwork(pictures, fonts, tables, digest.hexdigest() if pictures or fonts else "")


def named_pictures(style: Style, counters: Iterable[Counter], file: str) -> dict[str, Location]:
    """Return the picture files that a game names, each with the first place that does."""
    out: dict[str, Location] = {}

    def note(text: object, where: Location) -> None:
        for word in str(text).split():
            if word.casefold().endswith(FILE_ENDINGS) and "{" not in word:
                out.setdefault(word, where)

    for i, look in enumerate(style.look):
        for key, text in look.set.items():
            note(text, Location(file=file, key=f"look.{i}.set.{key}"))
    for name, layout in style.layouts.items():
        for i, element in enumerate(layout.elements):
            for part in ("icon", "symbol", "picture"):
                note(getattr(element, part, ""), Location(file=file, key=f"layouts.{name}.elements.{i}.{part}"))
    for c in counters:
        cells = [("symbol", c.symbol), *c.attributes.items()]
        cells += [(k if not n else f"step{n + 1}_{k}", v) for n, f in enumerate(c.faces) for k, v in f.values.items()]
        for column, cell in cells:
            if isinstance(cell, str):
                note(cell, Location(c.where.file, c.where.line, column))
    return out


def is_font(data: bytes, name: str, where: Location, report: Report) -> bool:
    """Tell whether bytes are a font that can be drawn; otherwise that is a finding."""
    from fontTools.ttLib import TTFont

    try:
        font = TTFont(io.BytesIO(data), lazy=True)
        # A damaged table makes fontTools raise almost anything; the file is bad whatever it is.
        sound = bool(font.getBestCmap()) and font["head"].unitsPerEm > 0 and len(font.getGlyphSet()) > 0
    except Exception:
        sound = False
    if not sound:
        report.add(FONT_UNUSABLE, where, f"{Path(name).name} is no TrueType or OpenType font")
    return sound


def read_backdrops(root: Path, name: str, files: Mapping[str, str], report: Report) -> dict[str, Picture]:
    """Read the pictures that sheets are printed from. files: by sheet, within maps/."""
    out = {}
    for sheet, file in files.items():
        where = Location(file=f"maps/{name}/style.toml", key=f"picture.{sheet}")
        path = inside(root / "maps" / name, file, root / "maps", where, report)
        data = None if path is None else read_bytes(path, DRAWING_LIMIT, where, report)
        picture = None if data is None else _pixels(data, f"maps/{name}/{file}", report)
        if picture is not None:
            out[sheet] = picture
    return out


def read_picture(path: Path, shown: str, where: Location, report: Report) -> Picture | None:
    """Read an SVG, PNG or JPEG file as a picture; None, with findings, when it cannot be used."""
    if path.suffix.casefold() != ".svg":
        data = read_bytes(path, PICTURE_LIMIT, where, report)
        return None if data is None else _pixels(data, shown, report)
    drawing = read_svg(path, shown, where, report)
    if drawing is None:
        return None
    before = len(report)
    reader = _Reader(drawing.root, shown, report)
    reader.check_safe()
    if len(report) > before:
        return None
    try:
        width, height = size_of_drawing(drawing.root)
        shapes = tuple(reader.shapes(drawing.root, np.eye(3), {}, 0))
    except BadShape as fault:
        report.add(FILE_UNREADABLE, Location(file=shown), str(fault))
        return None
    if not shapes:
        report.add(FILE_UNREADABLE, Location(file=shown), "the picture has no outline that can be drawn")
        return None
    return Picture(width, height, shapes)


def _pixels(data: bytes, shown: str, report: Report) -> Picture | None:
    """Take a PNG or JPEG as it is; its size counts in pixels, and only the ratio matters."""
    if data[:8] == b"\x89PNG\r\n\x1a\n" and len(data) > 24:
        width, height = struct.unpack(">II", data[16:24])
        return Picture(width, height, pixels=data, media="image/png")
    at = 2
    while data[:2] == b"\xff\xd8" and at + 9 < len(data):  # JPEG: walk the segments to the frame header
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4])
        if data[at] != 0xFF or length < 2:
            break
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", data[at + 5 : at + 9])
            return Picture(width, height, pixels=data, media="image/jpeg") if width and height else None
        at += 2 + length
    report.add(FILE_UNREADABLE, Location(file=shown), "it is no PNG or JPEG picture")
    return None


class _Reader:
    """Walk one drawing, collecting outlines with their paints."""

    def __init__(self, root: Any, shown: str, report: Report) -> None:
        self.root, self.shown, self.report = root, shown, report
        self.ids = {e.get("id"): e for e in root.iter() if isinstance(e.tag, str) and e.get("id")}
        sheets = " ".join(e.text or "" for e in root.iter(f"{SVG}style"))
        self.classes = {n: _declared(rules) for n, rules in re.findall(r"\.([\w-]+)[^{}]*\{([^}]*)\}", sheets)}
        self.count = 0

    def _at(self, element: Any) -> Location:
        return Location(file=self.shown, line=element.sourceline or 0, element=element.get("id", ""))

    def check_safe(self) -> None:
        """Report scripts and whatever calls for something outside the file."""
        for e in self.root.iter():
            if not isinstance(e.tag, str):
                continue
            kind = e.tag.rpartition("}")[2]
            if kind in SCRIPTS:
                self.report.add(PICTURE_UNSAFE, self._at(e), f"the picture has a <{kind}>")
            for key, value in e.attrib.items():
                plain = key.rpartition("}")[2].casefold()
                if plain.startswith("on"):
                    self.report.add(PICTURE_UNSAFE, self._at(e), f"the picture has a script: {plain}")
                calls = [value] if plain in ("href", "src") and kind != "a" else re.findall(r"url\(([^)]*)\)", value)
                for call in (c.strip(" '\"") for c in calls):
                    if call and not call.startswith("#") and not call.startswith("data:"):
                        text = f"the picture calls for {call[:60]!r} outside its file"
                        self.report.add(PICTURE_UNSAFE, self._at(e), text)
            if kind == "style" and re.search(r"@import|url\(\s*['\"]?(?!#|data:)", e.text or ""):
                self.report.add(PICTURE_UNSAFE, self._at(e), "its style sheet calls for something outside its file")

    def shapes(
        self, element: Any, matrix: NDArray[np.float64], above: Mapping[str, str], depth: int
    ) -> Iterator[PictureShape]:
        """Yield the outlines of an element and of all within it, bottom first."""
        if not isinstance(element.tag, str) or not element.tag.startswith(SVG) or self.count > SHAPES_LIMIT:
            return
        kind = element.tag.removeprefix(SVG)
        if depth > DEPTH_LIMIT:
            raise BadShape(f"groups are nested more than {DEPTH_LIMIT} deep")
        if kind in QUIET:
            return
        if kind not in HOLDERS | OUTLINES | {"use"}:
            self.report.add(PICTURE_PART, self._at(element), f"a <{kind}> is left out; turn it into a path")
            return
        style = self._style(element, above)
        if style.get("display") == "none" or style.get("visibility") == "hidden":
            return
        for part in ("mask", "clip-path", "filter"):
            if element.get(part) or f"{part}:" in element.get("style", "").replace(" ", ""):
                self.report.add(PICTURE_PART, self._at(element), f"its {part} is left out")
        matrix = joined(matrix, frame_of(element))
        if kind == "use":
            target = self.ids.get((element.get("href") or element.get(XLINK) or "").removeprefix("#"))
            x, y = (float(element.get(k) or 0) for k in ("x", "y"))
            if target is not None:
                moved = joined(matrix, affine(1, 0, 0, 1, x, y))
                yield from self.shapes(target, moved, style, depth + 1)
            return
        if kind in OUTLINES:
            commands = tuple(_commands(element, kind, matrix))
            shape = self._painted(element, commands, style, matrix)
            if shape is not None:
                self.count += 1
                if self.count > SHAPES_LIMIT:
                    raise BadShape(f"the picture has more than {SHAPES_LIMIT} shapes")
                yield shape
            return
        for child in element:
            yield from self.shapes(child, matrix, style, depth + 1)

    def _style(self, element: Any, above: Mapping[str, str]) -> dict[str, str]:
        own = {k: element.get(k).strip() for k in PAINTS if element.get(k)}
        for name in element.get("class", "").split():
            own |= self.classes.get(name, {})
        own |= _declared(element.get("style", ""))
        own = {k: v for k, v in own.items() if v != "inherit"}
        if "opacity" in own:  # a group's opacity is taken by each of its shapes
            own["opacity"] = str(_number(own["opacity"], 1.0) * _number(above.get("opacity", "1"), 1.0))
        return {**above, **own}

    def _painted(
        self, element: Any, commands: tuple[Command, ...], style: Mapping[str, str], matrix: NDArray[np.float64]
    ) -> PictureShape | None:
        fill = self._colour(element, style.get("fill", "black"))
        stroke = self._colour(element, style.get("stroke", "none"))
        scale = float(np.sqrt(abs(np.linalg.det(matrix[:2, :2]))))
        width = _number(style.get("stroke-width", "1"), 1.0) * scale
        if not commands or (fill is None and (stroke is None or width <= 0)):
            return None
        opacity = _number(style.get("opacity", "1"), 1.0) * _number(style.get("fill-opacity", "1"), 1.0)
        even_odd = style.get("fill-rule") == "evenodd"
        return PictureShape(commands, fill, stroke, width if stroke else 0.0, even_odd, min(max(opacity, 0.0), 1.0))

    def _colour(self, element: Any, text: str) -> str | None:
        text = text.strip().casefold()
        if text in ("none", "transparent", ""):
            return None
        if re.fullmatch(r"#[0-9a-f]{6}", text):
            return text
        if re.fullmatch(r"#[0-9a-f]{3}", text):
            return "#" + "".join(2 * c for c in text[1:])
        if hit := re.fullmatch(r"rgb\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)", text):
            return "#" + "".join(f"{min(int(n), 255):02x}" for n in hit.groups())
        if text in COLOURS:
            return COLOURS[text]
        self.report.add(
            PICTURE_PART, self._at(element), f"the colour {text[:40]!r} is drawn black; write it as #rrggbb"
        )
        return "#000000"


def _declared(rules: str) -> dict[str, str]:
    pairs = (rule.partition(":") for rule in rules.split(";"))
    return {k.strip(): v.strip() for k, _, v in pairs if k.strip() in PAINTS and v.strip()}


def _number(text: str, otherwise: float) -> float:
    hit = re.match(r"\s*(\d*\.?\d+)", text)
    return otherwise if hit is None else float(hit[1])


def _commands(element: Any, kind: str, matrix: NDArray[np.float64]) -> Iterator[Command]:
    """Yield the outline of an element as M L C Q Z in millimetres."""

    def pair(p: Any) -> tuple[float, float]:
        return float(p[0]), float(p[1])

    for curves, closed in outlines_of(element, kind, matrix):
        yield "M", (pair(curves[0][0]),)
        for points in curves:
            yield {2: "L", 3: "Q", 4: "C"}[len(points)], tuple(pair(p) for p in points[1:])
        if closed:
            yield "Z", ()
