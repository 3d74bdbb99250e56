"""Render pages to PNG with resvg: exact pixel sizes, transparency kept."""

from __future__ import annotations

import struct
import zlib

from toolchain.art.marks import Page
from toolchain.art.svg import to_svg

MM_PER_INCH = 25.4


def to_png(page: Page, dpi: float, background: str | None = None) -> bytes:
    """Render a page at a resolution; the sides are rounded to whole pixels.

    dpi: pixels per inch of paper. background: #rrggbb, or None to keep what is unpainted transparent.
    Returns the bytes of a PNG that states its resolution.
    """
    return svg_to_png(sized_svg(page, dpi), background, dpi / MM_PER_INCH)


def sized_svg(page: Page, dpi: float) -> str:
    """Write a page as SVG of the whole number of pixels that it has at a resolution."""
    scale = dpi / MM_PER_INCH
    return to_svg(page, (max(1, round(page.width * scale)), max(1, round(page.height * scale))))


def svg_to_png(svg: str, background: str | None = None, pixels_per_mm: float = 96 / MM_PER_INCH) -> bytes:
    """Render SVG text that states its size in pixels, one for one. pixels_per_mm: the resolution to write down.

    No fonts are loaded and nothing outside the text is read.
    """
    import resvg_py

    data = bytes(resvg_py.svg_to_bytes(svg_string=svg, background=background, skip_system_fonts=True))
    return _with_resolution(data, pixels_per_mm)


def svg_to_png_apart(svg: str, background: str | None = None, pixels_per_mm: float = 96 / MM_PER_INCH) -> bytes:
    """Render as `svg_to_png` does, in a process of its own: the renderer holds up all threads of its process.

    Where no process can be started or it fails, this one renders.
    """
    import subprocess
    import sys

    call = f"stdout.buffer.write(svg_to_png(stdin.buffer.read().decode(), {background!r}, {pixels_per_mm!r}))"
    code = f"from sys import stdin, stdout\nfrom {__name__} import svg_to_png\n{call}"
    try:
        done = subprocess.run([sys.executable, "-P", "-c", code], input=svg.encode(), capture_output=True, check=True)
    except (OSError, subprocess.SubprocessError):
        return svg_to_png(svg, background, pixels_per_mm)
    return done.stdout


def _with_resolution(png: bytes, pixels_per_mm: float) -> bytes:
    """Insert the pHYs chunk after the header, which has a fixed length, so that programs print at the right size."""
    per_metre = round(pixels_per_mm * 1000)
    body = b"pHYs" + struct.pack(">IIB", per_metre, per_metre, 1)
    chunk = struct.pack(">I", 9) + body + struct.pack(">I", zlib.crc32(body))
    header = 8 + 25
    return png[:header] + chunk + png[header:]
