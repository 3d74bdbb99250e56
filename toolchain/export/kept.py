"""Keep on disk what was made, by a digest of what it was made from, so that it need not be made again.

A stale or damaged store can only be slow: what it lacks, or cannot give, is made anew.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from importlib.metadata import version
from pathlib import Path

from toolchain.art import png
from toolchain.art.marks import Page

MOST_BYTES = 256 * 2**20
WEBP_QUALITY = 85  # lettering of a map stays sharp


class Store:
    """One file of things kept by key. folder: where it lies; None for a store that keeps nothing."""

    def __init__(self, folder: Path | None, name: str) -> None:
        self._database: sqlite3.Connection | None = None
        if folder is None:
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._database = sqlite3.connect(folder / f"{name}.sqlite", timeout=2)
            self._database.execute("create table if not exists kept (key text primary key, data blob, used integer)")
        except (OSError, sqlite3.Error):
            self._database = None

    @property
    def keeps(self) -> bool:
        """Tell whether anything can be kept."""
        return self._database is not None

    def find(self, keys: Iterable[str]) -> dict[str, bytes]:
        """Return what is kept under these keys."""
        out: dict[str, bytes] = {}
        wanted = list(keys)
        try:
            for i in range(0, len(wanted) if self._database else 0, 500):
                part = wanted[i : i + 500]
                assert self._database is not None
                marks = ",".join("?" * len(part))
                out.update(self._database.execute(f"select key, data from kept where key in ({marks})", part))
        except sqlite3.Error:
            return {}
        return out

    def close(self, new: Mapping[str, bytes]) -> None:
        """Keep these too, drop all the older ones when there are too many bytes, and close the store."""
        if self._database is None:
            return
        try:
            with self._database as database:
                if new:
                    (last,) = database.execute("select coalesce(max(used), 0) from kept").fetchone()
                    rows = [(key, data, last + 1) for key, data in new.items()]
                    database.executemany("insert or replace into kept values (?, ?, ?)", rows)
                    (size,) = database.execute("select coalesce(sum(length(data)), 0) from kept").fetchone()
                    if size > MOST_BYTES:
                        database.execute("delete from kept where used <= ?", (last,))
        except sqlite3.Error:
            pass  # the output is whole without it
        finally:
            self._database.close()


def render_pngs(
    pages: Mapping[str, Page],
    dpi: float,
    background: str | None,
    folder: Path | None,
    render: Callable[[str, str | None, float], bytes] | None = None,
) -> dict[str, bytes]:
    """Render pages as PNG, by name; those that were rendered before come from the store in `folder`, if one is given.

    dpi: pixels to an inch of paper. background: #rrggbb, or None to keep what is unpainted transparent. render: in
    place of `svg_to_png`, to the same effect.
    """
    render = render or png.svg_to_png
    store = Store(folder, "pictures")
    basis = f"{_renderer()}\0{background}\0{dpi}\0" if store.keeps else ""
    svgs = {name: png.sized_svg(page, dpi) for name, page in pages.items()}
    keys = {name: hashlib.sha256((basis + svg).encode()).hexdigest() for name, svg in svgs.items()}
    kept = store.find(set(keys.values()))
    new: dict[str, bytes] = {}
    for name, key in keys.items():
        if key not in kept:
            kept[key] = new[key] = render(svgs[name], background, dpi / png.MM_PER_INCH)
    store.close(new)
    return {name: kept[key] for name, key in keys.items()}


def to_webp(pngs: Mapping[str, bytes], folder: Path | None) -> dict[str, bytes]:
    """Write pictures as WebP, a sixth of the bytes of a PNG, by name; those written before come from the store.

    For pictures that are looked at and not edited: the colours are near, not equal.
    """
    store = Store(folder, "pictures")
    basis = f"webp {WEBP_QUALITY} {version('pillow')}\0".encode()
    keys = {name: hashlib.sha256(basis + data).hexdigest() for name, data in pngs.items()}
    kept = store.find(set(keys.values()))
    new: dict[str, bytes] = {}
    for name, key in keys.items():
        if key not in kept:
            kept[key] = new[key] = _as_webp(pngs[name])
    store.close(new)
    return {name: kept[key] for name, key in keys.items()}


def _as_webp(data: bytes) -> bytes:
    import io

    from PIL import Image

    out = io.BytesIO()
    with Image.open(io.BytesIO(data), formats=["PNG"]) as picture:
        picture.convert("RGB").save(out, "WEBP", quality=WEBP_QUALITY, method=2)
    return out.getvalue()


@cache
def _renderer() -> str:
    """Return a digest of what turns SVG into pixels."""
    own = Path(png.__file__).read_bytes()
    return f"{version('resvg_py')} {hashlib.sha256(own).hexdigest()}"
