"""A walk through an SVG drawing, in the order of painting: every outline and text that is drawn, and where it stands.

Groups, transforms, view boxes, style sheets, clones and switches are followed. What is drawn but has no outline, and
what changes the look and is not read, is noted once for each kind of thing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from toolchain.catalogue import BAD_GEOMETRY
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.svgfile import HREF, SVG, SvgFile
from toolchain.sources.svgframes import (
    BadShapeError,
    Floats,
    affine,
    inner_frame,
    joined,
    page_frame,
    read_length,
    read_transform,
)
from toolchain.sources.svgstyle import EFFECTS, computed, read_colour

DEPTH_LIMIT = 64
CLONE_LIMIT = 50_000  # elements drawn by way of clones

HOLDERS = frozenset({"g", "a", "switch", "svg"})
OUTLINES = frozenset({"path", "polygon", "polyline", "rect", "circle", "ellipse", "line"})
SEEN_ONLY = frozenset({"image", "foreignObject", "flowRoot", "video", "canvas", "iframe"})
NOT_DRAWN = {"script": "scripts", "animate": "animations", "animateTransform": "animations", "set": "animations"}
HIDDEN = "hidden elements are left out"


@dataclass(frozen=True, slots=True)
class Place:
    """Where the walk is: frame, style, layer, and the clones that it came through.

    matrix: from the frame within the element to sheet millimetres. size: of that frame, of which percentages are.
    """

    matrix: Floats
    size: tuple[float, float]
    style: Mapping[str, str]
    layer: str
    depth: int = 0
    clones: tuple[Any, ...] = ()


class Walk:
    """Walk through a drawing, collecting what is left out.

    unread: kinds of things that are drawn and have no outline; ignored: what changes the look and is not read; each
    with the ids, or the lines, of the elements.
    """

    def __init__(self, drawing: SvgFile, report: Report) -> None:
        self.drawing, self.report = drawing, report
        self.cloned = 0
        self.unread: dict[str, list[str]] = {}
        self.ignored: dict[str, list[str]] = {}

    def drawn(self, top: Any) -> Iterator[tuple[Any, str, Place]]:
        """Yield what is drawn of an element and of all within it: element, kind and place.

        What is hidden is left out, but for the element that is asked for. Raises BadShapeError for what is around it;
        what is wrong within it is a finding.
        """
        matrix, size = page_frame(self.drawing.root)
        place = Place(matrix, size, {}, "")
        named = top is not self.drawing.root
        for element in [e for e in reversed(list(top.iterancestors())) if isinstance(e.tag, str)]:
            place = self._inside(element, element.tag.removeprefix(SVG), place)
        waiting: list[tuple[Any, Place]] = [(top, place)]
        while waiting:
            element, place = waiting.pop()
            if not isinstance(element.tag, str) or not element.tag.startswith(SVG):
                continue
            try:
                inner = yield from self._one(element, place, asked=named and element is top)
            except BadShapeError as fault:
                self.report.add(BAD_GEOMETRY, self.where(element, place), str(fault))
                continue
            waiting.extend(reversed(inner))

    def where(self, element: Any, place: Place) -> Location:
        """Return the place of an element in the file; of one within a clone, that of the clone."""
        element = place.clones[0] if place.clones else element
        return Location(file=self.drawing.shown, line=element.sourceline or 0, element=element.get("id", ""))

    def skip(self, what: str, element: Any) -> None:
        """Note that an element has no outline and is left out."""
        self.unread.setdefault(what, []).append(_mark(element))

    def _ignore(self, what: str, element: Any) -> None:
        self.ignored.setdefault(what, []).append(_mark(element))

    def _inside(self, element: Any, kind: str, place: Place, style: Mapping[str, str] | None = None) -> Place:
        """Return the place within an element."""
        size = place.size
        matrix = joined(place.matrix, read_transform(element.get("transform", "")))
        if kind == "svg" and element is not self.drawing.root:
            own, size = inner_frame(element, size)
            matrix = joined(matrix, own)
        if style is None:
            style = computed(element, kind, self.drawing.sheet, place.style)
        layer = self.drawing.layer_of.get(element, place.layer)
        return Place(matrix, size, style, layer, place.depth + 1, place.clones)

    def _one(self, element: Any, place: Place, asked: bool) -> Any:
        """Yield one element itself if it is drawn; return the elements within it that come next, with their places."""
        kind = element.tag.removeprefix(SVG)
        if kind in SEEN_ONLY:
            self.skip(f"<{kind}> elements have no outline and are left out", element)
            return []
        if kind in NOT_DRAWN:
            self._ignore(f"{NOT_DRAWN[kind]} are ignored", element)
            return []
        if kind not in HOLDERS | OUTLINES and kind not in ("use", "text", "symbol"):
            return []
        if kind == "symbol" and not asked and not place.clones:
            return []
        if place.depth > DEPTH_LIMIT:
            raise BadShapeError(f"groups are nested more than {DEPTH_LIMIT} deep")
        if place.clones:
            self.cloned += 1
            if self.cloned > CLONE_LIMIT:
                if self.cloned == CLONE_LIMIT + 1:
                    raise BadShapeError(f"clones of clones draw more than {CLONE_LIMIT} things; the rest is left out")
                return []
        style = computed(element, kind, self.drawing.sheet, place.style)
        if style.get("display") == "none" and not asked:
            self._ignore(HIDDEN, element)
            return []
        if asked:  # what is asked for by name is seen
            style["visibility"] = "visible"
        inner = self._inside(element, kind, place, style)
        for effect in EFFECTS:
            if style.get(effect, "none") != "none":
                self._ignore(f"shapes or groups have a {effect}, which is ignored", element)
        if kind == "use":
            return self._clone(element, inner)
        if kind == "switch":
            first = (c for c in element if isinstance(c.tag, str) and c.tag != f"{SVG}foreignObject")
            return [(c, inner) for c in [c for c in first if not c.get("requiredExtensions")][:1]]
        if kind in HOLDERS or kind == "symbol":
            return [(c, inner) for c in element]
        if style.get("visibility", "visible") != "visible":
            self._ignore(HIDDEN, element)
            return []
        yield element, kind, inner
        return []

    def _clone(self, element: Any, place: Place) -> list[tuple[Any, Place]]:
        """Follow a clone to what it shows."""
        target = (element.get("href") or element.get(HREF) or "").strip()
        if not target.startswith("#"):
            self.skip("clones of things in other files are left out", element)
            return []
        original = self.drawing.by_id.get(target[1:])
        if original is None:
            hint = did_you_mean(target[1:], self.drawing.by_id) if len(self.drawing.by_id) < 5000 else ""
            raise BadShapeError(f"it is a clone of {target}, which is not in the drawing{hint}")
        if element in place.clones or original in element.iterancestors() or len(place.clones) >= 16:
            raise BadShapeError(f"it is a clone of {target}, which in the end is a clone of itself")
        x, y = (read_length(element.get(k), s) or 0.0 for k, s in zip("xy", place.size, strict=True))
        matrix, size = joined(place.matrix, affine(1, 0, 0, 1, x, y)), place.size
        if original.tag == f"{SVG}symbol":
            own, size = inner_frame(original, size, element.get("width"), element.get("height"))
            matrix = joined(matrix, own)
        return [(original, replace(place, matrix=matrix, size=size, clones=(*place.clones, element)))]

    def paint(self, value: str, element: Any) -> str:
        """Follow a paint to a swatch of one colour; other gradients and patterns stay url(#id), and are noted."""
        seen = 0
        while value.startswith("url(#") and seen < 8:
            server = self.drawing.by_id.get(value[5:-1])
            seen += 1
            if server is None:
                break
            stops = {read_colour(_stop(s)) for s in server.iter(f"{SVG}stop")}
            if len(stops) == 1:
                return stops.pop()
            link = (server.get("href") or server.get(HREF) or "").strip()
            if stops or not link.startswith("#"):
                break
            value = f"url({link})"
        if value.startswith("url("):
            self._ignore("shapes are painted with a gradient or pattern, which has no one colour", element)
        return value


def listed(found: Mapping[str, list[str]]) -> Iterator[tuple[str, int]]:
    """Yield a sentence for each kind of thing that was left out, with how many there are."""
    for what, marks in sorted(found.items()):
        some = ", ".join(m for m in marks[:3] if m)
        more = " and others" if len(marks) > 3 else ""
        yield f"{what}: {len(marks)}" + (f" ({some}{more})" if some else ""), len(marks)


def _mark(element: Any) -> str:
    return f"#{element.get('id')}" if element.get("id") else f"line {element.sourceline}"


def _stop(stop: Any) -> str:
    hit = re.search(r"(?:^|;)\s*stop-color\s*:\s*([^;]+)", stop.get("style", ""))
    return hit[1] if hit else str(stop.get("stop-color", "black"))
