"""Write pages as SVG: the only home of svgwrite.

The document is svgwrite's; the marks in it, tens of thousands on a large map, are plain elements, which takes half the
time.

The user unit is the millimetre. Layers are Inkscape layers, shared symbols stand once in `defs` and are placed by
`xlink:href` (a bare `href` stops the SVG renderer of VASSAL), and there is no text, only outlines.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Mapping
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from svgwrite import Drawing
from svgwrite.extensions.inkscape import INKSCAPE_NAMESPACE

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
    drawing.elements = drawing.elements[1:]  # all but the empty definitions
    if page.title:
        drawing.set_desc(title=page.title)
    root: Element = drawing.get_xml()
    writer = _Writer(page)
    marks = [writer.element(m) for m in page.marks]
    definitions = writer.definitions()
    if len(definitions):
        root.append(definitions)
    root.extend(marks)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


class _Writer:
    """Turn marks into elements of one document, collecting its definitions."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.symbols = _identifiers("s", page.symbols)
        self.patterns = _identifiers("p", page.patterns)
        self.clips: dict[str, str] = {}
        self.styles: dict[Paint, dict[str, str]] = {}

    def element(self, mark: Mark) -> Element:
        if isinstance(mark, Use):
            return _element("use", {"xlink:href": "#" + self.symbols[mark.name]} | _transform(mark.matrix))
        if isinstance(mark, Path):
            return _element("path", {"d": mark.data} | self._style(mark.paint))
        if isinstance(mark, Image):
            data = f"data:{mark.media};base64,{base64.b64encode(mark.pixels).decode()}"
            place = {"x": num(mark.x), "y": num(mark.y), "width": num(mark.width), "height": num(mark.height)}
            return _element("image", {"xlink:href": data, "preserveAspectRatio": "none"} | place)
        attributes = _transform(mark.matrix) | {"id": mark.id}
        if mark.layer:
            attributes |= {"inkscape:groupmode": "layer", "inkscape:label": mark.layer}
        if mark.clip:
            name = self.clips.setdefault(mark.clip, f"c{len(self.clips) + 1}")
            attributes["clip-path"] = f"url(#{name})"
        if mark.opacity != 1:
            attributes["opacity"] = num(mark.opacity)
        return _element("g", attributes, map(self.element, mark.marks))

    def definitions(self) -> Element:
        """Return what the marks refer to; to be called when all of them are written."""
        out = Element("defs")
        for name, symbol in self.page.symbols.items():
            element = self.element(symbol)
            element.set("id", self.symbols[name])
            out.append(element)
        for name, tile in self.page.patterns.items():
            size = {"x": "0", "y": "0", "width": num(tile.width), "height": num(tile.height)}
            named = {"id": self.patterns[name], "patternUnits": "userSpaceOnUse"}
            out.append(_element("pattern", size | named, map(self.element, tile.marks)))
        for data, name in self.clips.items():
            out.append(_element("clipPath", {"id": name}, [_element("path", {"d": data})]))
        return out

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


def _element(tag: str, attributes: Mapping[str, str], children: Iterable[Element] = ()) -> Element:
    """Return an element with the attributes that are not empty, by name as svgwrite orders them."""
    out = Element(tag, {name: value for name, value in sorted(attributes.items()) if value})
    out.extend(children)
    return out


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
