"""Write pages straight into PDF: paths as content streams, shared symbols as form objects that stand once.

A map of twenty thousand hexes has half a million marks. Placed as form objects they cost a few bytes each, where a
detour by SVG would take them apart again. pypdf writes the objects of the file; what is drawn is written here, by the
operators of PDF 1.7 (ISO 32000-1, sections 8 and 11).
"""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from toolchain.art.marks import IDENTITY, Group, Image, Mark, Matrix, Page, Path, Use, num
from toolchain.art.pdf import to_pdf, with_boxes

POINTS = 72 / 25.4  # to the millimetre
CAPS = {"butt": 0, "round": 1, "square": 2}
JOINS = {"miter": 0, "round": 1, "bevel": 2}
PATTERN = "pattern:"
NUMBER = r"-?(?:\d+\.?\d*|\.\d+)"


def pages_to_pdf(pages: Sequence[Page], title: str = "") -> bytes:
    """Write pages as one PDF of vectors, each at its exact size and with its boxes.

    pages: at least one; sizes may differ. title: of the document. Returns the same bytes for the same pages: no fonts,
    no date. Raises ValueError for path data outside the contract of `marks.Path`.
    """
    from pypdf import PdfWriter
    from pypdf.generic import NameObject, TextStringObject

    if any(_has_pictures(page.marks) for page in pages):
        return to_pdf(pages, title)  # pictures of pixels are unpacked there
    writer = PdfWriter()
    contents: dict[tuple[int, int, float], _Content] = {}
    for page in pages:
        blank = writer.add_blank_page(page.width * POINTS, page.height * POINTS)
        # Pages with the same tables share their forms: a sheet in twenty tiles is in the file once.
        tables = (id(page.symbols), id(page.patterns) if page.patterns else 0, page.height)
        drawn = contents.setdefault(tables, _Content(writer, page))
        start = f"{POINTS:.6f} 0 0 {-POINTS:.6f} 0 {page.height * POINTS:.4f} cm\n"
        blank[NameObject("/Contents")] = drawn.stream(start + drawn.marks(page.marks), {})
        blank[NameObject("/Resources")] = drawn.resources()
    if title:
        writer.add_metadata({"/Title": TextStringObject(title)})
    out = io.BytesIO()
    writer.write(out)
    return with_boxes(out.getvalue(), pages)


class _Content:
    """The streams of one page and the resources that they name.

    Every form gets the resources of its page: names are unique there, and symbols only use states and each other.
    """

    def __init__(self, writer: Any, page: Page) -> None:
        from pypdf.generic import DictionaryObject

        self.writer, self.page = writer, page
        self.states: dict[tuple[float, float], str] = {}
        self.forms: dict[str, str] = {}
        self.patterns: dict[str, str] = {}
        self.tables = {k: DictionaryObject() for k in ("/ExtGState", "/XObject", "/Pattern")}
        self.found: Any = None

    def resources(self) -> Any:
        """Return the one dictionary that the page and its forms share."""
        from pypdf.generic import DictionaryObject, NameObject

        if self.found is None:
            table = DictionaryObject({NameObject(k): v for k, v in self.tables.items()})
            self.found = self.writer._add_object(table)
        return self.found

    def stream(self, text: str, entries: dict[str, Any]) -> Any:
        """Add a compressed stream to the file and return its reference."""
        from pypdf.generic import NameObject, StreamObject

        raw = StreamObject()
        raw.set_data(text.encode("ascii"))
        packed = raw.flate_encode(4)  # a twentieth larger than at most, in a third of the time
        packed.update({NameObject(k): v for k, v in entries.items()})
        return self.writer._add_object(packed)

    def marks(self, marks: Sequence[Mark]) -> str:
        """Write marks in turn. The text is made of joined parts, so that it grows in proportion."""
        out: list[str] = []
        for m in marks:
            if isinstance(m, Use):  # half a million of them on a large map
                name = self.forms.get(m.name) or self._symbol(m.name)
                if m.matrix[1] == 0 == m.matrix[2]:
                    out.append(USE % (m.matrix[0], m.matrix[3], m.matrix[4], m.matrix[5], name))
                else:
                    out.append(f"q {_matrix(m.matrix)} cm /{name} Do Q\n")
            elif isinstance(m, Path):
                out.append(self._path(m))
            elif isinstance(m, Group):
                out.append(self._group(m))
        return "".join(out)

    def _group(self, m: Group) -> str:
        before = "" if m.matrix == IDENTITY else f"{_matrix(m.matrix)} cm\n"
        if m.clip:
            before += operators(m.clip) + "W n\n"
        inner = self.marks(m.marks)
        if m.opacity != 1:
            inner = self._translucent(inner, m.opacity)
        return f"q\n{before}{inner}Q\n"

    def _translucent(self, inner: str, opacity: float) -> str:
        """Paint marks as one picture that shines through as a whole."""
        name = self._form(inner, translucent=True)
        return f"q /{self._state(opacity, opacity)} gs /{name} Do Q\n"

    def _path(self, m: Path) -> str:
        p = m.paint
        stroked = bool(p.stroke) and p.width > 0
        if p.opacity != 1 and p.fill and stroked:
            return self._translucent(self._path(Path(m.data, replace(p, opacity=1.0))), p.opacity)
        out = []
        if p.fill:
            if p.fill.startswith(PATTERN):
                out.append(f"/Pattern cs /{self._pattern(p.fill.removeprefix(PATTERN))} scn")
            else:
                out.append(_colour(p.fill) + " rg")
        if stroked and p.stroke:
            out.append(f"{_colour(p.stroke)} RG {num(p.width)} w {CAPS[p.cap]} J {JOINS[p.join]} j")
            out.append(f"[{' '.join(num(d) for d in p.dash)}] 0 d")
        faint = p.fill_opacity * p.opacity, p.opacity
        if faint != (1, 1):
            out.append(f"/{self._state(*faint)} gs")
        paint = ("B" if stroked else "f") if p.fill else ("S" if stroked else "n")
        rule = "*" if p.even_odd and p.fill else ""
        return f"q {' '.join(out)}\n{operators(m.data)}{paint}{rule} Q\n"

    def _state(self, fill: float, stroke: float) -> str:
        from pypdf.generic import DictionaryObject, FloatObject, NameObject

        key = (round(fill, 4), round(stroke, 4))
        if key not in self.states:
            name = self.states[key] = f"g{len(self.states)}"
            value = {NameObject("/ca"): FloatObject(key[0]), NameObject("/CA"): FloatObject(key[1])}
            self.tables["/ExtGState"][NameObject("/" + name)] = DictionaryObject(value)
        return self.states[key]

    def _symbol(self, name: str) -> str:
        if name not in self.forms:
            symbol = self.page.symbols[name]
            self.forms[name] = self._form(self.marks((symbol,)))
        return self.forms[name]

    def _form(self, inner: str, translucent: bool = False) -> str:
        from pypdf.generic import ArrayObject, DictionaryObject, FloatObject, NameObject

        far = 10_000.0  # mm; a form clips to its box, and none is larger than this
        entries: dict[str, Any] = {
            "/Type": NameObject("/XObject"),
            "/Subtype": NameObject("/Form"),
            "/BBox": ArrayObject([FloatObject(v) for v in (-far, -far, far, far)]),
            "/Resources": self.resources(),
        }
        if translucent:
            kind = {NameObject("/S"): NameObject("/Transparency"), NameObject("/CS"): NameObject("/DeviceRGB")}
            entries["/Group"] = DictionaryObject(kind)
        return self._add_form(self.stream(inner, entries))

    def _add_form(self, reference: Any) -> str:
        from pypdf.generic import NameObject

        name = f"x{len(self.tables['/XObject'])}"
        self.tables["/XObject"][NameObject("/" + name)] = reference
        return name

    def _pattern(self, name: str) -> str:
        from pypdf.generic import ArrayObject, FloatObject, NameObject, NumberObject

        if name not in self.patterns:
            tile = self.page.patterns[name]
            k, h = POINTS, self.page.height * POINTS
            entries = {
                "/Type": NameObject("/Pattern"),
                "/PatternType": NumberObject(1),
                "/PaintType": NumberObject(1),
                "/TilingType": NumberObject(1),
                "/BBox": ArrayObject([FloatObject(v) for v in (0, 0, tile.width, tile.height)]),
                "/XStep": FloatObject(tile.width),
                "/YStep": FloatObject(tile.height),
                "/Matrix": ArrayObject([FloatObject(round(v, 6)) for v in (k, 0, 0, -k, 0, h)]),
                "/Resources": self.resources(),
            }
            short = self.patterns[name] = f"p{len(self.patterns)}"
            self.tables["/Pattern"][NameObject("/" + short)] = self.stream(self.marks(tile.marks), entries)
        return self.patterns[name]


USE = "q %.5f 0 0 %.5f %.3f %.3f cm /%s Do Q\n"
OPERATORS = {"M": " m\n", "L": " l\n", "C": " c\n", "Z": "h\n"}
SPLIT = re.compile(r"([A-Za-z])")
COMMAND = re.compile(r"([MLCQZ])([^MLCQZ]*)")


def operators(data: str) -> str:
    """Turn the path data of a mark into PDF operators: M L C Q Z, absolute, each with its own numbers.

    Raises ValueError for any other command.
    """
    if "Q" in data:
        data = _cubic(data)
    # Splitting and joining run in C: a coast of fifty thousand points is one pass. Operators follow their numbers.
    parts = SPLIT.split(data.replace(",", " "))
    if parts[0].strip() or not {*parts[1::2]} <= OPERATORS.keys():
        raise ValueError(f"path data with {sorted({parts[0], *parts[1::2]} - OPERATORS.keys())}: only M L C Q Z")
    out = [""] * len(parts)
    out[1::2] = parts[2::2]
    out[2::2] = [OPERATORS[p] for p in parts[1::2]]
    return "".join(out)


def _cubic(data: str) -> str:
    """Write quadratic curves as cubic ones."""
    out, x, y = [], 0.0, 0.0
    for letter, rest in COMMAND.findall(data):
        v = [float(n) for n in re.findall(NUMBER, rest)]
        if letter == "Q":
            qx, qy, ex, ey = v
            v = [x + (qx - x) * 2 / 3, y + (qy - y) * 2 / 3, ex + (qx - ex) * 2 / 3, ey + (qy - ey) * 2 / 3, ex, ey]
            letter = "C"
        if v:
            x, y = v[-2:]
        out.append(letter + " ".join(num(n) for n in v))
    return "".join(out)


def _has_pictures(marks: Sequence[Mark]) -> bool:
    return any(isinstance(m, Image) or (isinstance(m, Group) and _has_pictures(m.marks)) for m in marks)


def _matrix(matrix: Matrix) -> str:
    return " ".join(f"{v:.6f}" for v in matrix)


def _colour(text: str) -> str:
    return " ".join(f"{int(text[i : i + 2], 16) / 255:.4f}" for i in (1, 3, 5))
