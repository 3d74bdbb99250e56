"""Pictures of a module as pictures that a project can hold: PNG and JPEG as they are, others made PNG."""

from __future__ import annotations

import io
import struct
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL.Image import Image

MOST_PIXELS = 80_000_000
FORMATS = ["PNG", "JPEG", "GIF", "BMP"]


def opened(data: bytes) -> Image:
    """Open a picture; its pixels are read when they are asked for. Raises OSError for what is none, or too large."""
    from PIL import Image

    # The size is looked at before a pixel is unpacked.
    with warnings.catch_warnings():
        warnings.simplefilter("error", Image.DecompressionBombWarning)
        try:
            picture = Image.open(io.BytesIO(data), formats=FORMATS)
        except (Image.DecompressionBombWarning, Image.DecompressionBombError) as error:
            raise OSError("too many pixels") from error
    if picture.width * picture.height > MOST_PIXELS:
        raise OSError("too many pixels")
    return picture


def as_picture(data: bytes) -> tuple[str, bytes] | None:
    """Return the ending and the bytes of a picture as PNG or JPEG; None for one that cannot be read."""
    if data.startswith(b"\xff\xd8\xff"):
        return ("jpg", data) if _sound(data) else None
    if data.startswith(b"\x89PNG"):
        return ("png", data) if _sound(data) else None
    try:
        with opened(data) as picture:
            out = io.BytesIO()
            picture.convert("RGBA").save(out, "PNG")
            return "png", out.getvalue()
    except FAULTS:
        return None


# What a damaged picture can raise.
FAULTS = (OSError, ValueError, SyntaxError, EOFError, IndexError, struct.error, OverflowError, MemoryError)


def _sound(data: bytes) -> bool:
    try:
        with opened(data) as picture:
            picture.load()
        return True
    except FAULTS:
        return False
