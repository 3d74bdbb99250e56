"""Write pages as SVG: the only home of svgwrite.

The user unit is the millimetre. Layers are Inkscape layers, shared symbols stand once in `defs` and are placed by
`xlink:href` (a bare `href` stops the SVG renderer of VASSAL), and there is no text, only outlines.
"""

from __future__ import annotations

import base64
import re
from typing import Any

from svgwrite import Drawing
from svgwrite.container import Defs
from svgwrite.container import Group as SvgGroup
from svgwrite.container import Use as SvgUse
from svgwrite.extensions.inkscape import INKSCAPE_NAMESPACE
from svgwrite.image import Image as SvgImage
from svgwrite.masking import ClipPath
from svgwrite.path import Path as SvgPath
from svgwrite.pattern import Pattern as SvgPattern

from toolchain.art.marks import IDENTITY, Image, Mark, Matrix, Page, Paint, Path, Use, num

PATTERN = "pattern:"


def to_svg(page: Page, pixels: tuple[int, int] | None = None) -> str:
    """Write a page as one SVG document.

    page: the page; every symbol and pattern that it uses must be in its tables. pixels: width and
    height in pixels, which is what VASSAL wants; without them the size is in millimetres, as the view box always is.
    Returns XML text, the same for the same page. Raises KeyError for a symbol or pattern that the page lacks.
    """
    size = (str(pixels[0]), str(pixels[1])) if pixels else (f"{num(page.width)}mm", f"{num(page.height)}mm")
    drawing = Drawing(size=size, debug=False, profile="full")
    drawing["viewBox"] = f"0 0 {num(page.width)} {num(page.height)}"
    if pixels:  # a height that was rounded must still be filled from edge to edge
        drawing["preserveAspectRatio"] = "none"
    drawing["xmlns:inkscape"] = INKSCAPE_NAMESPACE
    if page.title:
        drawing.set_desc(title=page.title)
    writer = _Writer(page)
    marks = [writer.element(m) for m in page.marks]
    drawing.defs = writer.finish()
    drawing.elements = [e for e in drawing.elements if not isinstance(e, Defs)]
    if drawing.defs.elements:
        drawing.add(drawing.defs)
    for m in marks:
        drawing.add(m)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + str(drawing.tostring()) + "\n"


class _Writer:
    """Turn marks into elements of one document, collecting its definitions."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.symbols = _identifiers("s", page.symbols)
        self.patterns = _identifiers("p", page.patterns)
        self.clips: dict[str, str] = {}
        self.styles: dict[Paint, dict[str, str]] = {}

    def element(self, mark: Mark) -> Any:
        if isinstance(mark, Path):
            return self._put(SvgPath(mark.data, debug=False), self._style(mark.paint))
        if isinstance(mark, Use):
            use = SvgUse("#" + self.symbols[mark.name], debug=False)
            return self._put(use, _transform(mark.matrix))
        if isinstance(mark, Image):
            data = f"data:{mark.media};base64,{base64.b64encode(mark.pixels).decode()}"
            place = {"insert": (num(mark.x), num(mark.y)), "size": (num(mark.width), num(mark.height))}
            picture = SvgImage(data, debug=False, **place)
            return self._put(picture, {"preserveAspectRatio": "none"})
        group = SvgGroup(debug=False)
        self._put(group, _transform(mark.matrix))
        if mark.id:
            group.attribs["id"] = mark.id
        if mark.layer:
            group.attribs["inkscape:groupmode"] = "layer"
            group.attribs["inkscape:label"] = mark.layer
        if mark.clip:
            name = self.clips.setdefault(mark.clip, f"c{len(self.clips) + 1}")
            group.attribs["clip-path"] = f"url(#{name})"
        if mark.opacity != 1:
            group.attribs["opacity"] = num(mark.opacity)
        group.elements = [self.element(m) for m in mark.marks]
        return group

    def finish(self) -> Any:
        defs = Defs(debug=False)
        for name, symbol in self.page.symbols.items():
            element = self.element(symbol)
            element.attribs["id"] = self.symbols[name]
            defs.add(element)
        for name, tile in self.page.patterns.items():
            pattern = SvgPattern(insert=(0, 0), size=(num(tile.width), num(tile.height)), debug=False)
            pattern.attribs["patternUnits"] = "userSpaceOnUse"
            pattern.attribs["id"] = self.patterns[name]
            pattern.elements = [self.element(m) for m in tile.marks]
            defs.add(pattern)
        for data, name in self.clips.items():
            clip = ClipPath(id=name, debug=False)
            clip.add(SvgPath(data, debug=False))
            defs.add(clip)
        return defs

    def _style(self, paint: Paint) -> dict[str, str]:
        known = self.styles.get(paint)
        if known is None:
            known = self.styles[paint] = self._attributes(paint)
        return known

    def _attributes(self, paint: Paint) -> dict[str, str]:
        fill = paint.fill or "none"
        if fill.startswith(PATTERN):
            fill = f"url(#{self.patterns[fill.removeprefix(PATTERN)]})"
        out = {"fill": fill}
        stroked = bool(paint.stroke) and paint.width > 0
        # `opacity` makes a renderer draw on a layer of its own; a path that is only filled or only stroked needs none.
        whole = paint.opacity if stroked and paint.fill else 1.0
        each = 1.0 if whole != 1 else paint.opacity
        if paint.fill and paint.fill_opacity * each != 1:
            out["fill-opacity"] = num(paint.fill_opacity * each)
        if paint.even_odd:
            out["fill-rule"] = "evenodd"
        if stroked:
            out["stroke"] = str(paint.stroke)
            if each != 1:
                out["stroke-opacity"] = num(each)
            out["stroke-width"] = num(paint.width)
            if paint.dash:
                out["stroke-dasharray"] = " ".join(num(d) for d in paint.dash)
            if paint.cap != "butt":
                out["stroke-linecap"] = paint.cap
            if paint.join != "miter":
                out["stroke-linejoin"] = paint.join
        if whole != 1:
            out["opacity"] = num(whole)
        return out

    @staticmethod
    def _put(element: Any, attributes: dict[str, str]) -> Any:
        element.attribs.update(attributes)
        return element


def _transform(matrix: Matrix) -> dict[str, str]:
    if matrix == IDENTITY:
        return {}
    a, b, c, d, e, f = matrix
    if (a, b, c, d) == (1, 0, 0, 1):
        return {"transform": f"translate({num(e)} {num(f)})"}
    linear = " ".join(f"{v:.6f}".rstrip("0").rstrip(".") for v in (a, b, c, d))  # a micrometre over a metre
    return {"transform": f"matrix({linear} {num(e)} {num(f)})"}


def _identifiers(prefix: str, names: Any) -> dict[str, str]:
    """Give every name an XML id: numbered, so that two names never meet once their odd characters are gone."""
    return {n: f"{prefix}{i}-{re.sub('[^A-Za-z0-9]+', '-', n).strip('-')}" for i, n in enumerate(names, 1)}
