"""Pictures of a module: their names, and whether VASSAL will draw them as meant."""

from __future__ import annotations

import re
import struct
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from toolchain.catalogue import PICTURE_UNFIT
from toolchain.export.vassal.buildfile import read_xml
from toolchain.model.forces import Counter
from toolchain.model.warmap import Sheet
from toolchain.report import Location, Report

ENDINGS = (".svg", ".png")


def slug(text: str) -> str:
    """Write a text in lower-case ASCII letters, digits and hyphens, as file names want it."""
    plain = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain)) or "x"


def board_picture(sheet: Sheet) -> str:
    """Return the name, without its ending, of the picture of a sheet."""
    return f"board-{slug(sheet.name)}"


def plain_names(words: Iterable[str]) -> dict[str, str]:
    """Return a file name for every word, without an ending; no two words share one."""
    out: dict[str, str] = {}
    taken: set[str] = set()
    for word in words:
        stem, n = slug(word), 2
        while stem in taken:
            stem, n = f"{slug(word)}-{n}x", n + 1
        taken.add(stem)
        out[word] = stem
    return out


def face_pictures(counters: Sequence[Counter]) -> dict[tuple[str, int], str]:
    """Return the names, without their endings, of the pictures of all faces, by counter id and step."""
    names = plain_names(c.id for c in counters)
    return {(c.id, step): f"{names[c.id]}-{step + 1}" for c in counters for step in range(len(c.faces))}


def find_picture(stem: str, pictures: Mapping[str, bytes]) -> str | None:
    """Return the full name of a picture that is there, or None."""
    return next((stem + end for end in ENDINGS if stem + end in pictures), None)


def picture_size(name: str, data: bytes, report: Report) -> tuple[int, int] | None:
    """Return width and height in pixels; a picture that VASSAL would draw otherwise is a finding and gives None.

    Source: the format notes on VASSAL's SVG renderer; PNG specification, IHDR.
    """
    where = Location(file=name)
    if name.endswith(".png"):
        if data[:8] != b"\x89PNG\r\n\x1a\n" or len(data) < 24:
            report.add(PICTURE_UNFIT, where, "it is not a PNG picture")
            return None
        width, height = struct.unpack(">II", data[16:24])
        return int(width), int(height)
    try:
        root = read_xml(data)
    except ValueError as error:
        report.add(PICTURE_UNFIT, where, str(error))
        return None
    size = []
    for side in ("width", "height"):
        text = root.get(side, "")
        if not re.fullmatch(r"\d+(\.\d+)?(px)?", text):
            given = f"its {side} is {text!r}" if text else f"it has no {side}"
            report.add(PICTURE_UNFIT, where, f"{given}; VASSAL wants pixels, a plain number")
            return None
        size.append(max(1, round(float(text.removesuffix("px")))))
    return size[0], size[1]
