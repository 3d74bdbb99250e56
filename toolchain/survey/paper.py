"""Which hexes lie on the paper, whole or in part, and how much of each."""

from __future__ import annotations

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from toolchain.model.hexes import Floats
from toolchain.sources.decode.maps import MapPlan
from toolchain.survey.areas import area_shares

# A hex of which no more than this part is missing, or there, is whole, or not there.
CRUMB = 1e-6


def paper_of(plan: MapPlan) -> BaseGeometry:
    """Return the paper that a map is printed on, in millimetres: one sheet, or all those of an arrangement."""
    outlines = plan.outlines or (plan.data.sheet.outline,)
    return shapely.union_all(shapely.polygons([shapely.linearrings(o) for o in outlines]), grid_size=1e-6)


def share_on_paper(plan: MapPlan) -> Floats:
    """Measure the part of every hex that lies on the paper, shape (cells,)."""
    share = area_shares(plan.grid, [paper_of(plan)])[:, 0]
    share[share < CRUMB] = 0.0
    share[share > 1 - CRUMB] = 1.0
    return share


def on_paper(plan: MapPlan) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Tell which cells are spaces of the map, and which of them lie whole on the paper."""
    share = share_on_paper(plan)
    whole = share == 1.0
    neither = plan.data.grid is not None and plan.data.grid.partial == "neither"
    return (whole, whole) if neither else (share > 0.0, whole)
