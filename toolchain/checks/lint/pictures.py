"""Pictures: those that are named and not there, those that are there and not named, those that VASSAL cannot draw."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator

from toolchain.catalogue import BOARD_LARGE, IMAGE_MISSING, IMAGE_UNFIT, IMAGE_UNUSED
from toolchain.checks.lint.hints import hint
from toolchain.report import Finding, Location, Report
from toolchain.sources.vassal.buildfile import Component, read_build_file
from toolchain.sources.vassal.forms import Part
from toolchain.sources.vassal.modules import Module

PIXEL_LIMIT = 60_000_000
SVG_LIMIT = 16 * 1024 * 1024
SETTINGS = (
    "image", "icon", "disabledIcon", "buttonIcon", "iconName", "persistentIconName", "inIconName", "outIconName",
    "pickIconName", "showingIcon", "hiddenIcon", "markUnmovedIcon", "fileName", "stepIcon", "undoIcon",
)  # fmt: skip
IN_TEXT = re.compile(r"[\w][\w .()&+,-]*\.(?:png|gif|jpe?g|svg)", re.I)
SIGNS = {b"\x89PNG\r\n\x1a\n": "png", b"GIF8": "gif", b"\xff\xd8": "jpg"}
# The engine brings these with it; a name that begins with a slash is one of its own.
ENDINGS = (".png", ".gif", ".jpg", ".jpeg", ".svg")


def named(module: Module) -> Iterator[tuple[str, Component, str]]:
    """Yield every picture that is named, with its component and the name of the piece that it is on."""
    for c in module.root.walk():
        for setting in SETTINGS:
            value = c.get(setting)
            if value and (setting != "fileName" or c.kind in ("Chart", "AboutScreen")):
                yield value, c, c.name
    for slot in module.pieces:
        for part in slot.parts:
            for image in images_of(part):
                yield image, slot.component, slot.name


def images_of(part: Part) -> Iterator[str]:
    """Yield the pictures that a trait names."""
    yield from part.of("image")
    yield from part.lists("images")
    if part.name == "obs":
        # Another picture for those from whom the piece is hidden.
        yield from (style[1:] for style in part.of("style") if style.startswith("G") and len(style) > 1)


def check_images(module: Module) -> Iterator[Finding]:
    """Yield pictures that are named and not in the archive."""
    there = set(module.images())
    lower = {n.casefold(): n for n in there}
    said: set[tuple[str, int]] = set()
    for name, c, piece in named(module):
        if name.startswith("/") or "$" in name or name.startswith("{"):
            continue
        if name in there or f"{name}.gif" in there or (name, c.line) in said:
            continue
        said.add((name, c.line))
        near = lower.get(name.casefold())
        words = f"; did you mean {near!r}?" if near else hint(name, there)
        yield Finding(IMAGE_MISSING, module.where(c, piece), f"there is no picture {name!r}{words}", {"image": name})


def check_unused(module: Module) -> Iterator[Finding]:
    """Yield pictures that nothing names."""
    if module.root.kind == "ModuleExtension":
        return
    used = {name for name, _, _ in named(module)}
    used |= {f"{name}.gif" for name in used}
    there = [n for n in module.images() if n not in used]
    if not there:
        return
    # Texts of any kind may show a picture: help pages, labels, reports, code of the module's own.
    told: set[str] = set()
    for c in module.root.walk():
        for text in (*c.settings.values(), c.text):
            if "." in text:
                told.update(IN_TEXT.findall(text))
    pages = Report()
    for entry in module.archive:
        if entry.endswith((".html", ".htm")):
            page = module.archive.read(entry, pages, SVG_LIMIT) or b""
            told.update(IN_TEXT.findall(page.decode("utf-8", "replace")))
    code = any(entry.endswith(".class") for entry in module.archive)
    for name in there:
        if name not in told and not any(t.endswith(name) for t in told) and not code:
            where = Location(file=f"{module.shown}/images/{name}")
            yield Finding(IMAGE_UNUSED, where, "no component and no piece names it", {"image": name})


def check_boards(module: Module) -> Iterator[Finding]:
    """Yield boards that are too large, and pictures that VASSAL cannot draw as meant."""
    sizes: dict[str, tuple[int, int]] = {}
    for name in module.images():
        fault, size = looked_at(module, name)
        if size:
            sizes[name] = size
        if fault:
            yield Finding(IMAGE_UNFIT, Location(file=f"{module.shown}/images/{name}"), fault, {"image": name})
    for b in module.root.all("Board"):
        width, height = sizes.get(b.get("image"), (0, 0))
        if width * height > PIXEL_LIMIT:
            text = f"{width} by {height} pixels are {width * height / 1e6:.0f} million; 60 million are the limit"
            yield Finding(BOARD_LARGE, module.where(b, b.name), text, {"width": width, "height": height})


def looked_at(module: Module, name: str) -> tuple[str, tuple[int, int] | None]:
    """Return what is wrong with a picture, or "", and its size in pixels where that is known.

    Source: PNG specification, IHDR; GIF89a, logical screen; ITU T.81, B.2.2; notes on VASSAL's SVG renderer.
    """
    entry = f"images/{name}"
    lower = name.lower()
    if module.archive.entries[entry].file_size == 0:
        return "the file is empty", None
    if not lower.endswith(ENDINGS):
        return "", None
    if lower.endswith(".svg"):
        data = module.archive.read(entry, Report(), SVG_LIMIT)
        return svg_fault(data) if data is not None else ("it cannot be unpacked, or has more than 16 MB", None)
    head = module.archive.head(entry, 65536)
    kind = next((k for sign, k in SIGNS.items() if head.startswith(sign)), "")
    if not kind:
        return "it is no picture: neither PNG nor GIF nor JPEG", None
    size = _size(kind, head)
    if not lower.endswith(kind) and not (kind == "jpg" and lower.endswith(".jpeg")):
        return f"it is a {kind.upper()} picture under the name of another kind", size
    return "", size


def _size(kind: str, head: bytes) -> tuple[int, int] | None:
    if kind == "png" and len(head) >= 24:
        width, height = struct.unpack(">II", head[16:24])
        return width, height
    if kind == "gif" and len(head) >= 10:
        width, height = struct.unpack("<HH", head[6:10])
        return width, height
    at = 2
    while kind == "jpg" and at + 9 < len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", head[at + 5 : at + 9])
            return width, height
        at += 2 + int.from_bytes(head[at + 2 : at + 4], "big")
    return None


_LENGTH = re.compile(r"\d+(?:\.\d+)?(?:px)?")
_RGBA = re.compile(r"rgba\s*\(|hsla?\s*\(")


def svg_fault(data: bytes) -> tuple[str, tuple[int, int] | None]:
    """Return the first thing in an SVG that VASSAL's renderer does not draw as meant, and its size."""
    # Drawing programs write a document type; VASSAL's reader wants none that is fetched, nor entities.
    body = re.sub(rb"<!DOCTYPE[^>\[]*>", b"", data, count=1)
    try:
        root = read_build_file(body).root
    except ValueError as error:
        return f"it cannot be read: {error}", None
    if root.tag.rpartition(":")[2] != "svg":
        return "it is no SVG drawing", None
    size = []
    for side in ("width", "height"):
        text = root.get(side)
        if not _LENGTH.fullmatch(text):
            given = f"its {side} is {text!r}" if text else f"it has no {side}"
            return f"{given}; VASSAL wants pixels, a plain number", None
        size.append(max(1, round(float(text.removesuffix("px")))))
    both = (size[0], size[1])
    for c in root.walk():
        tag = c.tag.rpartition(":")[2]
        if tag == "use" and "href" in c.settings and not any(k.endswith(":href") for k in c.settings):
            return f"line {c.line}: <use href> needs the prefix xlink", both
        if tag in ("script", "foreignObject", "animate", "video"):
            return f"line {c.line}: <{tag}> is not drawn", both
        for key, value in c.settings.items():
            if _RGBA.search(value):
                return f"line {c.line}: {value[:40]!r} is no colour that VASSAL's renderer knows; use opacity", both
            if key == "dominant-baseline" or "dominant-baseline" in value:
                return f"line {c.line}: dominant-baseline is ignored; use dy", both
    return "", both
