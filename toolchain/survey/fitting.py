"""Which shapes of a layer its use can take: areas for ground, lines for roads; what is left out is said."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import shapely

from toolchain.catalogue import SHAPES_LEFT_OUT, WRONG_SHAPES
from toolchain.model.drawing import Layer, Shape
from toolchain.report import Location, Report, counted


def fitting(layer: Layer, dimensions: Collection[int], word: str, where: Location, report: Report) -> list[Shape]:
    """Return the shapes of a layer that are of some dimensions: 0 for points, 1 for lines, 2 for areas.

    word: what one of them is called. where: place of what names the layer. Others are a finding, but for texts, with
    which designers write beside what they draw.
    """
    own = shapely.get_dimensions(np.array([s.geometry for s in layer.shapes], dtype=object))
    fit = np.isin(own, list(dimensions)).tolist()
    out = [s for s, good in zip(layer.shapes, fit, strict=True) if good]
    left = [s for s, good in zip(layer.shapes, fit, strict=True) if not good and s.properties.get("element") != "text"]
    if layer.shapes and not out:
        report.add(WRONG_SHAPES, where, f"{layer.name!r} has no {word}s")
    elif left:
        some = ", ".join(s.where.key or f"#{s.where.element or s.where.line}" for s in left[:3])
        some += " and others" if len(left) > 3 else ""
        text = f"{counted(len(left), 'shape')} of {layer.name!r} {'is' if len(left) == 1 else 'are'} no {word}"
        report.add(SHAPES_LEFT_OUT, where, f"{text}{'s' * (len(left) > 1)}, and left out: {some}", count=len(left))
    return out
