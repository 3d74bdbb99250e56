"""The small pictures of a map, drawn in units of their own: terrain marks about 1 high, place symbols 1 across.

Terrain marks stand on (0, 0); place symbols are centred there. y runs down.
"""

from __future__ import annotations

import math

from toolchain.art.marks import Group, Mark, Paint, Path, circle, polygon, polyline, rectangle
from toolchain.art.text import fit, load_font, outline


def terrain_marks(kind: str, ink: str, shade: str, paper: str) -> tuple[Group, ...]:
    """Return the variants of one kind of terrain mark; empty for a kind without marks."""
    line = Paint(stroke=ink, width=0.07, cap="round", join="round")
    if kind == "trees":
        crown, dark = Paint(fill=ink), Paint(fill=shade)
        leafy = (
            Path("M-.04 0L-.04 -.3L.04 -.3L.04 0Z" + circle(0, -0.5, 0.3), dark),
            Path("M-.3 -.5C-.3 -.85 .25 -.9 .24 -.56C.2 -.4 -.1 -.3 -.3 -.5Z", crown),
        )
        pine = (
            Path("M-.04 0L-.04 -.2L.04 -.2L.04 0ZM0 -1L.27 -.16L-.27 -.16Z", dark),
            Path("M0 -1L.04 -.16L-.27 -.16Z", crown),
        )
        return (Group(leafy), Group(pine))
    if kind == "tufts":
        blade = Paint(stroke=shade, width=0.075, cap="round")
        water = Paint(stroke=ink, width=0.07, cap="round")
        blades = Path("M0 0L0 -.55M-.13 0L-.3 -.42M.13 0L.3 -.42", blade)
        first = (blades, Path("M-.6 .03L.6 .03M-.25 .2L.4 .2", water))
        return (Group(first), Group((Path("M-.75 0L.1 0M-.1 .17L.8 .17", water),)))
    if kind == "hills":
        return (
            Group(
                (
                    Path(
                        "M-.55 0C-.4 -.5 .3 -.55 .55 0C.35 -.12 .1 -.14 .05 -.4C-.1 -.45 -.4 -.3 -.55 0Z",
                        Paint(fill=shade),
                    ),
                    Path("M-.55 0C-.4 -.5 .3 -.55 .55 0", line),
                )
            ),
        )
    if kind == "peaks":
        return (
            _peak([(-0.62, 0), (-0.2, -0.62), (-0.06, -0.82), (0.1, -0.6), (0.6, 0)], -0.06, ink, shade, "", paper),
            _peak([(-0.5, 0), (-0.3, -0.36), (0.02, -0.7), (0.24, -0.42), (0.55, 0)], 0.02, ink, shade, "", paper),
        )
    if kind == "summits":
        return (
            _peak([(-0.62, 0), (-0.24, -0.6), (0, -1), (0.2, -0.66), (0.62, 0)], 0, ink, shade, "#ffffff", paper),
            _peak(
                [(-0.5, 0), (-0.22, -0.5), (0.06, -0.84), (0.3, -0.4), (0.55, 0)], 0.06, ink, shade, "#ffffff", paper
            ),
        )
    if kind == "grass":
        blade = Paint(stroke=ink, width=0.07, cap="round")
        return (
            Group((Path("M-.16 0L-.26 -.34M0 0L0 -.46M.16 0L.26 -.34", blade),)),
            Group((Path("M-.08 0L-.16 -.32M.08 0L.14 -.38", blade),)),
        )
    if kind == "dunes":
        ridge = Paint(stroke=ink, width=0.075, cap="round", join="round")
        lee = Path("M-.1 -.27C.08 -.16 .3 -.06 .6 0C.3 .02 .02 -.04 -.1 -.27Z", Paint(fill=shade, fill_opacity=0.55))
        specks = Path(circle(-0.5, 0.16, 0.05) + circle(0.1, 0.22, 0.05) + circle(0.7, 0.14, 0.05), Paint(fill=ink))
        return (Group((lee, Path("M-.6 0C-.38 -.02 -.2 -.12 -.1 -.27C.08 -.16 .3 -.06 .6 0", ridge))), Group((specks,)))
    if kind == "dots":
        return (Group((Path(circle(0, 0, 0.09), Paint(fill=ink)),)),)
    if kind == "hatch":
        return (Group((Path("M-.4 .4L.4 -.4", line),)),)
    return ()


def _peak(ridge: list[tuple[float, float]], top: float, ink: str, shade: str, snow: str, paper: str) -> Group:
    """Draw one mountain lit from the left: a light face, a dark one with a ragged ridge, and snow if any."""
    summit = next(p for p in ridge if p[0] == top)
    i = ridge.index(summit)
    foot = (0.1, 0.0)
    spine = [summit, (top + 0.1, summit[1] * 0.68), (top - 0.03, summit[1] * 0.4), foot]
    marks: list[Mark] = [
        Path(polygon(ridge), Paint(fill=snow or paper)),
        Path(polygon([*spine, *reversed(ridge[i + 1 :])]), Paint(fill=shade)),
    ]
    if snow:
        left, h = ridge[0], summit[1]
        low = [
            (left[0] * 0.55 + top * 0.45, h * 0.45),
            (top - 0.12, h * 0.55),
            (top - 0.04, h * 0.42),
            (top + 0.02, h * 0.5),
        ]
        marks.append(Path(polygon([left, low[0], *low[1:], spine[2], foot]), Paint(fill="#c9c8cb")))
    marks.append(Path(polyline(ridge), Paint(stroke=ink, width=0.055, join="round", cap="round")))
    marks.append(Path("M.3 -.14L.36 -.02M.2 -.3L.25 -.16", Paint(stroke=ink, width=0.035, cap="round")))
    return Group(tuple(marks))


TEXT_INSIDE = ("badge", "disc", "square")
"""Symbols that hold a few letters or digits; beside any other they stand to its right."""


def symbol_marks(kind: str, colour: str, paper: str, text: str = "") -> tuple[Mark, ...]:
    """Return the marks of a place symbol in a square of side 1 around (0, 0). text: what stands in a badge."""
    solid = Paint(fill=colour)
    edge = Paint(fill=colour, stroke=paper, width=0.07, join="round")
    line = Paint(stroke=colour, width=0.1, cap="round", join="round")
    if kind == "star":
        points = []
        for i in range(10):
            r, a = (0.36 if i % 2 == 0 else 0.145), math.radians(-90 + 36 * i)
            points.append((r * math.cos(a), r * math.sin(a)))
        return (
            Path(circle(0, 0, 0.46), Paint(fill=paper, stroke=colour, width=0.08)),
            Path(polygon(points), solid),
        )
    if kind == "works":
        hall = "M-.5 .38L-.5 -.02L-.22 -.2L-.22 -.02L.06 -.2L.06 -.02L.2 -.1L.2 -.5L.34 -.5L.34 .38Z"
        return (
            Path(hall, edge),
            Path("M.36 .38L.36 .05L.5 .05L.5 .38Z", edge),
            Path(
                rectangle(-0.38, 0.12, 0.12, 0.1)
                + rectangle(-0.16, 0.12, 0.12, 0.1)
                + rectangle(0.06, 0.12, 0.12, 0.1),
                Paint(fill=paper),
            ),
        )
    if kind == "blocks":
        blocks = [
            (-0.48, -0.3, 0.3, 0.26),
            (-0.12, -0.44, 0.26, 0.4),
            (0.2, -0.24, 0.26, 0.2),
            (-0.36, 0.02, 0.28, 0.32),
            (-0.02, 0.02, 0.36, 0.22),
            (0.02, 0.3, 0.24, 0.16),
        ]
        return (Path("".join(rectangle(*b) for b in blocks), edge),)
    if kind == "town":
        return (Path(circle(0, 0, 0.2), Paint(fill=paper, stroke=colour, width=0.1)),)
    if kind == "anchor":
        shape = "M0 -.28L0 .42M-.2 -.14L.2 -.14M-.38 .08C-.36 .34 -.16 .42 0 .42C.16 .42 .36 .34 .38 .08"
        flukes = "M-.48 .16L-.38 .02L-.26 .14ZM.48 .16L.38 .02L.26 .14Z"
        halo = Paint(stroke=paper, width=0.26, cap="round", join="round", opacity=0.8)
        return (
            Path(shape + circle(0, -0.38, 0.1), halo),
            Path(shape + circle(0, -0.38, 0.1), line),
            Path(flukes, solid),
        )
    if kind == "fort":
        return (
            Path(
                "M-.4 .36L-.4 -.36L-.2 -.36L-.2 -.2L-.1 -.2L-.1 -.36L.1 -.36L.1 -.2L.2 -.2L.2 -.36L.4 -.36L.4 .36Z",
                edge,
            ),
        )
    if kind == "airfield":
        return (
            Path(circle(0, 0, 0.44), Paint(fill=paper, stroke=colour, width=0.08)),
            Path(
                "M-.05 -.34L.05 -.34L.07 -.1L.36 .06L.36 .16L.06 .08L.04 .24L.14 .32L.14 .38L-.14 .38L-.14 .32"
                "L-.04 .24L-.06 .08L-.36 .16L-.36 .06L-.07 -.1Z",
                solid,
            ),
        )
    if kind == "landing":  # points to the right; the sheet turns it to the shore
        return (
            Path(
                "M-.5 -.16C-.3 -.1 -.1 -.1 .06 -.14L.06 -.36L.5 0L.06 .36L.06 .14C-.1 .1 -.3 .1 -.5 .16L-.36 0Z", edge
            ),
        )
    if kind in TEXT_INSIDE:
        radius = {"badge": 0.14, "disc": 0.4, "square": 0.0}[kind]
        half = 0.32 if kind == "disc" and not text else 0.4 if text or kind == "badge" else 0.26
        shape = circle(0, 0, half) if kind == "disc" else rectangle(-half, -half, 2 * half, 2 * half, radius)
        marks = [Path(shape, Paint(fill=colour, stroke=paper, width=0.07, join="round"))]
        if text:
            size = fit(text, "sans-bold", 0.62, 0.62) or 0.62
            base = load_font("sans-bold").cap_height * size / 2
            marks.append(Path(outline(text, "sans-bold", size, 0.0, base), Paint(fill=paper)))
        return tuple(marks)
    if kind == "dot":
        return (Path(circle(0, 0, 0.2), edge),)
    if kind == "ring":
        return (
            Path(circle(0, 0, 0.33), Paint(fill=paper, stroke=colour, width=0.09)),
            Path(circle(0, 0, 0.15), solid),
        )
    if kind in ("anchor-ring", "anchor-disc"):
        full = kind == "anchor-disc"
        around = Paint(fill=colour if full else paper, stroke=paper if full else colour, width=0.07)
        inner = symbol_marks("anchor", paper if full else colour, colour if full else paper)[1:]
        return (Path(circle(0, 0, 0.48), around), Group(inner, (0.66, 0.0, 0.0, 0.66, 0.0, 0.0)))
    if kind == "flag":
        cloth = "M-.24 -.44C-.1 -.52 .06 -.36 .38 -.44L.38 -.04C.06 .04 -.1 -.12 -.24 -.04Z"
        return (Path("M-.3 -.48L-.2 -.48L-.2 .48L-.3 .48Z", edge), Path(cloth, edge))
    if kind == "beacon":
        return (
            Path("M-.18 .46L-.1 -.2L.1 -.2L.18 .46ZM-.16 -.2L-.16 -.42L0 -.5L.16 -.42L.16 -.2Z", edge),
            Path("M-.26 -.32L-.46 -.4M.26 -.32L.46 -.4M-.26 -.24L-.46 -.18M.26 -.24L.46 -.18", line),
        )
    if kind == "strait":  # two shores and the way between them
        return (
            Path("M-.48 -.34C-.2 -.12 .2 -.12 .48 -.34M-.48 .34C-.2 .12 .2 .12 .48 .34", line),
            Path(
                polygon([(-0.44, 0.0), (-0.26, -0.1), (-0.26, 0.1)])
                + polygon([(0.44, 0.0), (0.26, -0.1), (0.26, 0.1)]),
                solid,
            ),
            Path("M-.28 0L.28 0", Paint(stroke=colour, width=0.07)),
        )
    return ()
