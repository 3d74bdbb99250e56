"""A designer's own pictures and fonts in: outlines or pixels; fonts as bytes that are fonts."""

from __future__ import annotations

import hashlib
import io
import struct
from collections.abc import Iterable, Mapping
from pathlib import Path

from toolchain.catalogue import FILE_UNREADABLE, FONT_UNUSABLE
from toolchain.model.artwork import Artwork, Grid, Picture
from toolchain.model.forces import Counter
from toolchain.report import Location, Report
from toolchain.sources.decode.style import FILE_ENDINGS, Style
from toolchain.sources.documents import DRAWING_LIMIT, inside, read_bytes, read_table
from toolchain.sources.svgpicture import read_svg_picture

FONT_LIMIT = 16 * 1024 * 1024
PICTURE_LIMIT = 8 * 1024 * 1024


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
    if path.suffix.casefold() == ".svg":
        return read_svg_picture(path, shown, where, report)
    data = read_bytes(path, PICTURE_LIMIT, where, report)
    return None if data is None else _pixels(data, shown, report)


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
