"""Pictures of our own for counters, by name: silhouettes that still read at three millimetres.

Each is one or more shapes in a box about 100 units wide, y down, filled with the even-odd rule, so that an inner ring
is a hole.
"""

from __future__ import annotations

import math
from functools import lru_cache

from toolchain.art.marks import Group, Image, Mark, Paint, Path, rectangle
from toolchain.art.paths import Command, bounds, read_path, write_path
from toolchain.model.artwork import Picture


def _ring(x: float, y: float, r: float) -> str:
    return f"M{x - r} {y}a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0Z"


def _star(x: float, y: float, r: float, points: int = 5, inner: float = 0.382) -> str:
    places = [
        (x + q * math.sin(math.pi * i / points), y - q * math.cos(math.pi * i / points))
        for i in range(2 * points)
        for q in [r if i % 2 == 0 else r * inner]
    ]
    return "M" + "L".join(f"{px:.2f} {py:.2f}" for px, py in places) + "Z"


_TANK = (
    # running gear with its wheels, hull, turret with cupola, gun
    "M-41 22L31 22C39 22 47 13 47 7.5C47 4.5 45 3 42 3L-45 3C-48 3 -50 5 -50 8C-50 14 -47 22 -41 22Z"
    + "".join(_ring(x, 13.2, 5.4) for x in (-37.5, -24, -10.5, 3, 16.5, 30))
    + "M-50 1L-50 -4L-45 -8L30 -8L46 1Z"
    "M-24 -9.6L-21.5 -19C-20.7 -22 -19.4 -23 -16.5 -23L-13.5 -23L-13.5 -26.6L-2 -26.6L-2 -23L8 -23"
    "C13 -23 15.5 -19.5 17 -16"
    "L18 -9.6Z"
    "M15.5 -20.4L51 -20.4L51 -21.6L58 -21.6L58 -15.4L51 -15.4L51 -16.6L17.5 -16.6Z"
)

_BOMBER = (
    # four engines, seen from above, nose up
    "M0 -46C4 -46 6 -40 6 -33L6 -16L20 -13L20 -20C20 -23 25 -23 25 -20L25 -12L36 -9.8L36 -16"
    "C36 -19 41 -19 41 -16L41 -8.8"
    "L56 -5.5C59 -5 60 0 57 0L6 2L4.4 30L19 34.5C21.5 35.5 21 40 18.5 40L3 41C2 46 1 47 0 47"
    "C-1 47 -2 46 -3 41L-18.5 40C-21 40 -21.5 35.5 -19 34.5L-4.4 30L-6 2L-57 0C-60 0 -59 -5 -56 -5.5"
    "L-41 -8.8L-41 -16C-41 -19 -36 -19 -36 -16L-36 -9.8L-25 -12L-25 -20C-25 -23 -20 -23 -20 -20L-20 -13L-6 -16"
    "L-6 -33C-6 -40 -4 -46 0 -46Z"
)

_FIGHTER = (
    "M0 -44C2 -44 3 -43 4 -40C7 -36 7.5 -30 7.5 -24L7.5 -15L44 -8C50 -6.5 51 1 45 2.5L7 8L4.5 30L18 33.5"
    "C21 34.5 21 40 18 40.5"
    "L3 42C2 45 1 46 0 46C-1 46 -2 45 -3 42L-18 40.5C-21 40 -21 34.5 -18 33.5L-4.5 30L-7 8L-45 2.5"
    "C-51 1 -50 -6.5 -44 -8"
    "L-7.5 -15L-7.5 -24C-7.5 -30 -7 -36 -4 -40C-3 -43 -2 -44 0 -44Z"
)

_FORT = (
    # a battlemented wall between two towers, with its gate
    "M-50 30L-50 -26L-40 -26L-40 -18L-34 -18L-34 -26L-26 -26L-26 -18L-20 -18L-20 -8L-14 -8L-14 -14L-5 -14"
    "L-5 -8L5 -8L5 -14"
    "L14 -14L14 -8L20 -8L20 -18L26 -18L26 -26L34 -26L34 -18L40 -18L40 -26L50 -26L50 30L10 30L10 16C10 9 6 5 0 5"
    "C-6 5 -10 9 -10 16L-10 30Z"
)

_ANCHOR = (
    "M0 -46a10 10 0 1 0 0.01 0ZM0 -40a4 4 0 1 1 -0.01 0Z"
    "M-4 -27L4 -27L4 -20L20 -20L20 -12L4 -12L4 32C16 30 25 22 28 11L20 14L33 -4L42 17L36 13C32 30 19 42 0 46"
    "C-19 42 -32 30 -36 13L-42 17L-33 -4L-20 14L-28 11C-25 22 -16 30 -4 32L-4 -12L-20 -12L-20 -20L-4 -20Z"
)

_SHIP = (
    "M-50 14L-44 4L-22 4L-22 -4L-12 -4L-12 -14L-5 -14L-5 -32L-2 -32L-2 -14L4 -14L4 -4L9 -4L9 -16L18 -16L18 -4"
    "L26 -4L26 4"
    "L50 4C48 12 44 18 40 20L-46 20Z"
)

_SUBMARINE = (
    "M-50 6C-44 0 -30 -2 -15 -2L-12 -15L-6 -15L-6 -25L-3 -25L-3 -15L8 -15L11 -2C28 -2 44 0 50 5"
    "C46 13 34 16 20 16L-30 16C-40 16 -46 12 -50 6Z"
)
_CARRIER = (
    "M-50 -4L5 -4L5 -14L9 -14L9 -22L13 -22L13 -33L16 -33L16 -22L21 -22L21 -14L25 -14L25 -4L50 -4L50 0L46 2"
    "C45 10 41 16 36 18L-40 18C-44 14 -46 8 -46 2L-50 0Z"
)
_TRUCK = (
    # the body with its wheel arches, the window, two wheels
    "M-50 12L-50 -24L8 -24L8 -14L26 -14C32 -14 35 -9 37 -3L48 1L50 12L44.5 12A11.5 11.5 0 0 0 21.5 12L-20.5 12"
    "A11.5 11.5 0 0 0 -43.5 12ZM13 -10L24 -10C28 -10 30 -6 31 -3L13 -3Z" + _ring(33, 13, 8.5) + _ring(-32, 13, 8.5)
)
_OFFICER = (
    # cap, its peak, face, shoulders with a collar
    "M-24 -31C-27 -41 -14 -49 0 -49C14 -49 27 -41 24 -31L20 -26L-20 -26Z"
    "M-19 -23L19 -23L19 -19C24 -14 12 -12.5 0 -13.5C-12 -12.5 -24 -14 -19 -19Z"
    "M-15 -10.5C-5 -11.5 5 -11.5 15 -10.5L15 -2C15 8 8 15 0 15C-8 15 -15 8 -15 -2Z"
    "M-46 48C-46 28 -37 22 -23 18.5L-11 14.5L0 28L11 14.5L23 18.5C37 22 46 28 46 48Z"
)
_SOLDIER = (
    # helmet, face, shoulders, rifle
    "M-24 -18C-24 -38 -12 -48 0 -48C12 -48 24 -38 24 -18L29 -12L-29 -12Z"
    "M-14 -9L14 -9L14 -2C14 8 8 14.5 0 14.5C-8 14.5 -14 8 -14 -2Z"
    "M-46 48C-46 29 -37 23 -21 18.5L-9 14C-6 20 6 20 9 14L21 18.5C37 23 46 29 46 48Z"
    "M36 -48L39 -48L43 24L35 19L36 -10Z"
)

_ARROW = "M-50 -11L8 -11L8 -32L50 0L8 32L8 11L-50 11Z"
_FLAG = (
    "M-34 -46L-27 -46L-27 46L-34 46ZM-23 -42C-10 -50 2 -34 16 -38"
    "C26 -41 32 -44 40 -42L40 4C26 0 18 10 4 8C-8 6 -12 0 -23 4Z"
)
_RUNWAY = (
    # two crossing runways, one of them passing over the other
    "M-47.3 18.1L39.3 -31.9L47.3 -18.1L-39.3 31.9Z"
    "M-39.3 -31.9L-4.0 -11.5L-20.0 -2.3L-47.3 -18.1Z"
    "M20.0 2.3L47.3 18.1L39.3 31.9L4.0 11.5Z"
)
_PARACHUTE = (
    "M-46 -6C-44 -34 -24 -46 0 -46C24 -46 44 -34 46 -6C38 -12 28 -12 23 -5C16 -12 7 -12 0 -5C-7 -12 -16 -12 -23 -5"
    "C-28 -12 -38 -12 -46 -6ZM-44 -1L-40 -3L-3 31L-6 34ZM44 -1L40 -3L3 31L6 34ZM-7 32L7 32L7 46L-7 46Z"
)
_CROWN = "M-44 30L-50 -22L-26 2L0 -34L26 2L50 -22L44 30ZM-44 35L44 35L44 43L-44 43Z"

_CROSS = "M-15 -50L15 -50L15 -15L50 -15L50 15L15 15L15 50L-15 50L-15 15L-50 15L-50 -15L-15 -15Z"
_SHELL = "M0 -50C12 -38 16 -26 16 -12L16 30L-16 30L-16 -12C-16 -26 -12 -38 0 -50ZM-20 35L20 35L20 46L-20 46Z"
_HOURGLASS = (
    "M-34 -50L34 -50L34 -41L29 -41C29 -22 20 -10 6 0C20 10 29 22 29 41L34 41L34 50L-34 50L-34 41L-29 41"
    "C-29 22 -20 10 -6 0C-20 -10 -29 -22 -29 -41L-34 -41Z"
)
_FACTORY = (
    "M-50 40L-50 -4L-24 -20L-24 -4L2 -20L2 -4L18 -14L21 -50L33 -50L36 -14L50 -14L50 40ZM-38 10L-28 10L-28 22L-38 22Z"
    "M-12 10L-2 10L-2 22L-12 22ZM14 10L24 10L24 22L14 22Z"
)
_CARDS = (
    "M-8 -50L44 -36L24 42L13 39L13 -34C13 -37 11 -39 8 -39L-11 -39Z"
    "M-44 -34L8 -34L8 48L-44 48ZM-36 -26L-36 40L0 40L0 -26Z"
)

SHAPES = {
    "anchor": _ANCHOR,
    "arrow": _ARROW,
    "bomber": _BOMBER,
    "burst": _star(0, 0, 50, 12, 0.62),
    "cards": _CARDS,
    "carrier": _CARRIER,
    "cross": _CROSS,
    "crown": _CROWN,
    "disc": _ring(0, 0, 46),
    "factory": _FACTORY,
    "fighter": _FIGHTER,
    "flag": _FLAG,
    "fort": _FORT,
    "hourglass": _HOURGLASS,
    "officer": _OFFICER,
    "parachute": _PARACHUTE,
    "ring": _ring(0, 0, 46) + _ring(0, 0, 32),
    "runway": _RUNWAY,
    "shell": _SHELL,
    "ship": _SHIP,
    "soldier": _SOLDIER,
    "star": _star(0, 0, 50),
    "star-disc": _ring(0, 0, 50) + _star(0, 0, 44),
    "submarine": _SUBMARINE,
    "tank": _TANK,
    "target": _ring(0, 0, 46) + _ring(0, 0, 33) + _ring(0, 0, 18),
    "truck": _TRUCK,
}


def icon_names() -> tuple[str, ...]:
    """Return the names of all icons, in order."""
    return tuple(sorted(SHAPES))


@lru_cache(maxsize=1024)
def draw_icon(
    name: str, width: float, height: float, ink: str, fill: str = "", line: float = 0.0, mirror: bool = False
) -> Group:
    """Draw an icon centred on (0, 0), as large as fits a width and a height in mm.

    ink: colour of the shape. fill: colour of a rim around it of `line` mm, or empty for none. mirror: left for right.
    """
    return _silhouette(((read_path(SHAPES[name]), True),), width, height, ink, fill, line, mirror)


@lru_cache(maxsize=1024)
def draw_silhouette(
    picture: Picture, width: float, height: float, ink: str, fill: str = "", line: float = 0.0, mirror: bool = False
) -> Group:
    """Draw a designer's own picture in one ink, as `draw_icon` does. What is white in it is left out."""
    dark = [s for s in picture.shapes if s.fill and s.fill != "#ffffff"] or list(picture.shapes)
    return _silhouette(tuple((s.commands, s.even_odd) for s in dark), width, height, ink, fill, line, mirror)


@lru_cache(maxsize=1024)
def draw_picture(picture: Picture, width: float, height: float, fill: bool = False, mirror: bool = False) -> Group:
    """Draw a picture in its own colours, centred on (0, 0): whole within a box (mm), or filling it and cut."""
    pick = max if fill else min
    scale = pick(width / picture.width, height / picture.height)
    w, h = picture.width * scale, picture.height * scale
    if picture.pixels:
        inner: tuple[Mark, ...] = (Image(-w / 2, -h / 2, w, h, picture.pixels, picture.media),)
        if mirror:
            inner = (Group(inner, (-1.0, 0.0, 0.0, 1.0, 0.0, 0.0)),)
    else:
        matrix = (-scale if mirror else scale, 0.0, 0.0, scale, w / 2 if mirror else -w / 2, -h / 2)
        inner = tuple(
            Path(
                write_path(s.commands, matrix),
                Paint(s.fill, s.stroke, s.width * scale, opacity=s.opacity, even_odd=s.even_odd),
            )
            for s in picture.shapes
        )
    return Group(inner, clip=rectangle(-width / 2, -height / 2, width, height) if fill else "")


def _silhouette(
    outlines: tuple[tuple[tuple[Command, ...], bool], ...],
    width: float,
    height: float,
    ink: str,
    fill: str,
    line: float,
    mirror: bool,
) -> Group:
    boxes = [bounds(commands) for commands, _ in outlines]
    left, top = min(b[0] for b in boxes), min(b[1] for b in boxes)
    right, bottom = max(b[2] for b in boxes), max(b[3] for b in boxes)
    scale = min(width / ((right - left) or 1e-9), height / ((bottom - top) or 1e-9))
    x, y = (left + right) / 2 * scale, (top + bottom) / 2 * scale
    matrix = (-scale if mirror else scale, 0.0, 0.0, scale, x if mirror else -x, -y)
    data = [(write_path(commands, matrix), even_odd) for commands, even_odd in outlines]
    rims = [Path(d, Paint(stroke=fill, width=2 * line, join="round")) for d, _ in data] if fill else []
    return Group((*rims, *(Path(d, Paint(fill=ink, even_odd=even_odd)) for d, even_odd in data)))
