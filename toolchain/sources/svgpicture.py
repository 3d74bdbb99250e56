"""SVG pictures in, for counters: outlines with their paints, as curves; what calls for things outside is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from toolchain.catalogue import BAD_GEOMETRY, FILE_UNREADABLE, PICTURE_PART, PICTURE_UNSAFE
from toolchain.model.artwork import Command, Picture, PictureShape
from toolchain.report import Location, Report
from toolchain.sources.svgfile import read_svg
from toolchain.sources.svgframes import BadShapeError, page_size, read_length
from toolchain.sources.svgpaths import as_curves, read_outlines
from toolchain.sources.svgstyle import part_of
from toolchain.sources.svgwalk import HIDDEN, Place, Walk, listed

SHAPES_LIMIT = 20_000
SCRIPTS = frozenset({"script", "foreignObject", "iframe", "animate", "set", "handler"})


def read_svg_picture(path: Path, shown: str, where: Location, report: Report) -> Picture | None:
    """Read an SVG file as a picture; None, with findings, when it cannot be used.

    path: the file. shown: its name in messages. where: place of what names it. Texts, pictures and effects are left
    out, and said; a script, or a call for anything outside the file, makes the picture unsafe.
    """
    drawing = read_svg(path, shown, where, report)
    if drawing is None or not _safe(drawing.root, shown, report):
        return None
    file, walk = Location(file=shown), Walk(drawing, report)
    shapes: list[PictureShape] = []
    try:
        size = page_size(drawing.root)
        if size is None or min(size) <= 0:
            raise BadShapeError("the drawing has no size; give it width and height, or a viewBox")
        for element, kind, place in walk.drawn(drawing.root):
            if kind == "text":
                walk.skip("texts are left out; turn them into paths", element)
                continue
            try:
                shape = _shape(walk, element, kind, place, report)
            except BadShapeError as fault:
                report.add(BAD_GEOMETRY, walk.where(element, place), str(fault))
                continue
            if shape is not None:
                shapes.append(shape)
            if len(shapes) > SHAPES_LIMIT:
                raise BadShapeError(f"the picture has more than {SHAPES_LIMIT} shapes")
    except BadShapeError as fault:
        report.add(FILE_UNREADABLE, file, str(fault))
        return None
    walk.ignored.pop(HIDDEN, None)
    for text, count in (*listed(walk.unread), *listed(walk.ignored)):
        report.add(PICTURE_PART, file, text, count=count)
    if drawing.sheet.unread:
        some = ", ".join(list(dict.fromkeys(drawing.sheet.unread))[:3])
        report.add(PICTURE_PART, file, f"rules of the style sheet are ignored: {len(drawing.sheet.unread)} ({some})")
    if not shapes:
        report.add(FILE_UNREADABLE, file, "the picture has no outline that can be drawn")
        return None
    return Picture(*size, tuple(shapes))


def _safe(root: Any, shown: str, report: Report) -> bool:
    """Tell whether there are no scripts, and nothing that calls for something outside the file; else that is said."""
    before = len(report)

    def at(element: Any) -> Location:
        return Location(file=shown, line=element.sourceline or 0, element=element.get("id", ""))

    for e in root.iter():
        if not isinstance(e.tag, str):
            continue
        kind = e.tag.rpartition("}")[2]
        if kind in SCRIPTS:
            report.add(PICTURE_UNSAFE, at(e), f"the picture has a <{kind}>")
        for key, value in e.attrib.items():
            plain = key.rpartition("}")[2].casefold()
            if plain.startswith("on"):
                report.add(PICTURE_UNSAFE, at(e), f"the picture has a script: {plain}")
            calls = [value] if plain in ("href", "src") and kind != "a" else re.findall(r"url\(([^)]*)\)", value)
            for call in (c.strip(" '\"") for c in calls):
                if call and not call.startswith("#") and not call.startswith("data:"):
                    text = f"the picture calls for {call[:60]!r} outside its file"
                    report.add(PICTURE_UNSAFE, at(e), text)
        if kind == "style" and re.search(r"@import|url\(\s*['\"]?(?!#|data:)", e.text or ""):
            report.add(PICTURE_UNSAFE, at(e), "its style sheet calls for something outside its file")
    return len(report) == before


def _shape(walk: Walk, element: Any, kind: str, place: Place, report: Report) -> PictureShape | None:
    """Return an outline as it is painted; None for one that is not seen."""
    style = place.style
    fill = _colour(walk, element, place, style.get("fill", "#000000"), report)
    stroke = _colour(walk, element, place, style.get("stroke", "none"), report)
    scale = float(np.sqrt(abs(np.linalg.det(place.matrix[:2, :2]))))
    width = max(read_length(style.get("stroke-width", "1"), place.size[0]) or 0.0, 0.0) * scale
    commands = tuple(_commands(element, kind, place))
    if not commands or (fill is None and (stroke is None or width <= 0)):
        return None
    opacity = part_of(style.get("opacity", "1")) * part_of(style.get("fill-opacity", "1"))
    even_odd = style.get("fill-rule") == "evenodd"
    return PictureShape(commands, fill, stroke, width if stroke else 0.0, even_odd, opacity)


def _colour(walk: Walk, element: Any, place: Place, paint: str, report: Report) -> str | None:
    paint = walk.paint(paint, element)
    if paint == "none":
        return None
    if re.fullmatch(r"#[0-9a-f]{6}", paint):
        return paint
    text = f"the colour {paint[:40]!r} is drawn black; write it as #rrggbb"
    report.add(PICTURE_PART, walk.where(element, place), text)
    return "#000000"


def _commands(element: Any, kind: str, place: Place) -> Iterator[Command]:
    """Yield the outline of an element as M L C Z in millimetres."""

    def pair(p: Any) -> tuple[float, float]:
        return float(p[0]), float(p[1])

    for outline in read_outlines(element, kind, place.size):
        curves = as_curves(outline, place.matrix)
        yield "M", (pair(curves[0][0]),)
        for points in curves:
            yield {2: "L", 4: "C"}[len(points)], tuple(pair(p) for p in points[1:])
        if outline.closed:
            yield "Z", ()
