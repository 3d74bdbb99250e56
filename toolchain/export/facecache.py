"""Faces that were drawn before: kept on disk by what they were drawn from, so that only what changed is drawn again.

The key of a counter is a digest of everything that its faces depend on: its row, the style, the designer's pictures
and fonts, the bleed, and the code and data of the tool itself. A stale or damaged cache can therefore only be slow.
"""

from __future__ import annotations

import base64
import hashlib
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from importlib.resources import files
from pathlib import Path as File
from typing import Any

from toolchain.art.faces import build_faces
from toolchain.art.marks import Group, Image, Mark, Page, Paint, Path
from toolchain.art.svg import to_svg
from toolchain.art.symbols import ICONS
from toolchain.catalogue import CATALOGUE
from toolchain.export.kept import Store
from toolchain.model.forces import Counter
from toolchain.report import Finding, Report
from toolchain.sources.decode.style import Style

_RULES = {rule.code: rule for rule in CATALOGUE}


class FaceSet(Mapping[str, tuple[Page, ...]]):
    """The faces of every counter, by id, the front first.

    Those that are kept on disk are kept here as they are there, packed, and built when asked for: ten thousand counters
    would fill the memory.
    """

    def __init__(self) -> None:
        self._drawn: dict[str, tuple[Page, ...]] = {}
        self._packed: dict[str, bytes] = {}

    def put(self, counter: str, pages: tuple[Page, ...]) -> None:
        """Add faces that were drawn now."""
        self._drawn[counter] = pages

    def put_packed(self, counter: str, data: bytes) -> None:
        """Add faces as they are kept."""
        self._packed[counter] = data

    def svgs(self, counter: str) -> tuple[str, ...]:
        """Return the faces of a counter as SVG."""
        if counter in self._drawn:
            return tuple(to_svg(p) for p in self._drawn[counter])
        return tuple(json.loads(zlib.decompress(self._packed[counter]))["svgs"])

    def __getitem__(self, counter: str) -> tuple[Page, ...]:
        if counter in self._drawn:
            return self._drawn[counter]
        raw = json.loads(zlib.decompress(self._packed[counter]))["pages"]
        return tuple(_page_of(json.loads(page)) for page in raw)

    def __iter__(self) -> Iterator[str]:
        yield from (*self._drawn, *self._packed)

    def __len__(self) -> int:
        return len(self._drawn) + len(self._packed)


def draw_all(
    counters: Sequence[Counter], style: Style, report: Report, bleed: float = 0.0, folder: File | None = None
) -> FaceSet:
    """Draw every face of the counters; those that were drawn before come from the cache in `folder`, if one is given.

    bleed: as for `build_faces`. A cache that cannot be read or written is done without.
    """
    out = FaceSet()
    store = Store(folder, "faces")
    basis = _basis(style, bleed) if store.keeps else ""
    keys = {c.id: _key(c, basis) for c in counters} if store.keeps else {}
    kept = store.find(keys.values())
    new: dict[str, bytes] = {}
    icons = _keep_icons(store) if len(kept) < len(set(keys.values())) else None
    for counter in counters:
        data = kept.get(keys.get(counter.id, ""))
        if data is not None and _take(counter, data, out, report):
            continue
        found = Report()
        pages = build_faces(counter, style, found, bleed)
        report.extend(found)
        if not store.keeps:
            out.put(counter.id, pages)
            continue
        record = {
            "pages": [json.dumps(_written(p), separators=(",", ":")) for p in pages],
            "svgs": [to_svg(p) for p in pages],
            "findings": [[f.rule.code, f.where.column, f.message] for f in found],
        }
        new[keys[counter.id]] = zlib.compress(json.dumps(record).encode(), 1)
        out.put_packed(counter.id, new[keys[counter.id]])
    if icons is not None:
        new |= icons()
    store.close(new)
    return out


def _keep_icons(store: Store) -> Callable[[], dict[str, bytes]]:
    """Give the symbols the drawings that are kept; return what tells those to keep when all faces are drawn."""
    key = hashlib.sha256(f"icons\0{_tool()}".encode()).hexdigest()
    try:
        found = json.loads(zlib.decompress(store.find([key])[key]))
        ICONS.update({code: icon for code, icon in found.items() if code not in ICONS})
    except (ValueError, KeyError, TypeError, AttributeError, zlib.error):
        found = {}

    def more() -> dict[str, bytes]:
        known = {code: ICONS[code] for code in sorted(ICONS)}
        return {key: zlib.compress(json.dumps(known).encode(), 1)} if known.keys() - found.keys() else {}

    return more


def _take(counter: Counter, data: bytes, out: FaceSet, report: Report) -> bool:
    try:
        record = json.loads(zlib.decompress(data))
        findings = [
            Finding(_RULES[code], replace(counter.where, column=column), message)
            for code, column, message in record["findings"]
        ]
        if len(record["pages"]) != len(record["svgs"]):
            return False
    except (ValueError, KeyError, TypeError, zlib.error):
        return False
    out.put_packed(counter.id, data)
    report.extend(findings)
    return True


def _key(counter: Counter, basis: str) -> str:
    row = [
        counter.id,
        counter.name,
        counter.role,
        counter.side,
        counter.nation,
        counter.kind,
        counter.symbol,
        counter.size,
        counter.layout,
        [sorted(f.values.items()) for f in counter.faces],
        sorted(counter.attributes.items()),
    ]
    return hashlib.sha256((basis + json.dumps(row)).encode()).hexdigest()


def _basis(style: Style, bleed: float) -> str:
    look = style.model_dump_json(exclude={"sheet", "charts"})
    return hashlib.sha256(f"{look}\0{style.artwork.digest}\0{bleed}\0{_tool()}".encode()).hexdigest()


@cache
def _tool() -> str:
    """Return a digest of everything of the tool's own that a face depends on."""
    import fontTools
    import milsymbol

    digest = hashlib.sha256(f"{fontTools.version} {getattr(milsymbol, '__version__', '')}".encode())
    top = files("toolchain")
    for part in ("art", "art/fonts", "sources/decode", "sources/styles", "model", "export/facecache.py"):
        place = top.joinpath(*part.split("/"))
        inner = (
            [place] if place.is_file() else sorted((p for p in place.iterdir() if p.is_file()), key=lambda p: p.name)
        )
        for item in inner:
            digest.update(item.name.encode() + b"\0" + item.read_bytes())
    return digest.hexdigest()


# Pages as JSON --------------------------------------------------------------------------------------------------


def _written(page: Page) -> list[Any]:
    return [page.width, page.height, page.title, [_mark(m) for m in page.marks]]


def _mark(mark: Mark) -> list[Any]:
    if isinstance(mark, Path):
        p = mark.paint
        paint = [p.fill, p.stroke, p.width, p.dash, p.cap, p.join, p.opacity, p.fill_opacity, p.even_odd]
        return ["path", mark.data, paint]
    if isinstance(mark, Group):
        inner = [_mark(m) for m in mark.marks]
        return ["group", inner, mark.matrix, mark.id, mark.layer, mark.clip, mark.opacity]
    if isinstance(mark, Image):
        pixels = base64.b64encode(mark.pixels).decode()
        return ["image", mark.x, mark.y, mark.width, mark.height, pixels, mark.media]
    raise TypeError(f"a face holds no {type(mark).__name__}")


def _page_of(raw: list[Any]) -> Page:
    width, height, title, marks = raw
    return Page(width, height, tuple(_mark_of(m) for m in marks), title)


def _mark_of(raw: list[Any]) -> Mark:
    kind, *rest = raw
    if kind == "path":
        fill, stroke, width, dash, *more = rest[1]
        return Path(rest[0], Paint(fill, stroke, width, tuple(dash), *more))
    if kind == "group":
        a, b, c, d, e, f = rest[1]
        return Group(tuple(_mark_of(m) for m in rest[0]), (a, b, c, d, e, f), *rest[2:])
    x, y, width, height, pixels, media = rest
    return Image(x, y, width, height, base64.b64decode(pixels), media)
