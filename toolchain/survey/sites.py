"""Points of the drawing that stand for something in the space where they lie: cities, ports, airfields."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import shapely
from numpy.typing import NDArray

from toolchain.catalogue import REPEATED_NAME, TWO_SITES
from toolchain.model.drawing import Drawing, Shape
from toolchain.model.hexes import Floats, Ints
from toolchain.report import Report
from toolchain.sources.decode.maps import MapPlan
from toolchain.sources.decode.overlays import SiteData
from toolchain.sources.decode.places import Place
from toolchain.survey.fitting import fitting
from toolchain.survey.shapes import drawn_traits


def on_hexes(plan: MapPlan, on_map: NDArray[np.bool_]) -> tuple[Callable[[Floats], Ints], Callable[[int], str]]:
    """Return how `with_sites` finds the hexes of a map and calls them. on_map: (cells,), those that are spaces."""
    grid = plan.grid

    def locate(points: Floats) -> Ints:
        cells = grid.index(grid.cell_at(points))
        return np.where((cells >= 0) & on_map[cells], cells, -1)

    return locate, lambda cell: grid.label(*grid.cells[cell].tolist())


def with_sites(
    plan: MapPlan,
    drawing: Drawing,
    places: Mapping[int, Place],
    locate: Callable[[Floats], Ints],
    label: Callable[[int], str],
    report: Report,
) -> dict[int, Place]:
    """Add to places what the points of the layers in [[site]] tell of the spaces in which they lie.

    places: by number of the space; what they state goes before the drawing. locate: the spaces of points, shape (n, 2)
    in mm, -1 for none. label: what a space is called in messages. Of two points that give one space the same feature
    the first stays, which is a finding. Points off the map are nothing to it.
    """
    out = dict(places)
    seen: dict[tuple[int, str], str] = {}
    names = {p.name for p in places.values() if p.name}
    for i, entry in enumerate(plan.data.site):
        layer = drawing.get(entry.layer)
        if layer is None:
            continue
        points = fitting(layer, (0, 2), "point", plan.at(f"site.{i}.layer"), report)
        if not points:
            continue
        cells = locate(shapely.get_coordinates(shapely.centroid([s.geometry for s in points])))
        for shape, cell in zip(points, cells.tolist(), strict=True):
            if cell < 0:
                continue
            word = entry.feature or str(shape.properties.get(entry.kind) or "")
            name = str(shape.properties.get(entry.name) or "").strip()
            if word and (cell, word) in seen:
                text = f"{name or 'a point'} is a second {word} of {label(cell)}"
                text += f", after {seen[cell, word]}" if seen[cell, word] else ""
                report.add(TWO_SITES, replace(shape.where, space=label(cell)), text)
                continue
            seen[cell, word] = name
            before = out.get(cell) or Place("", shape.where, cite=entry.cite, assumed=entry.assumed)
            out[cell] = _told(before, entry, shape, word, name)
            if entry.named and name and not before.name:
                if name in names:
                    report.add(REPEATED_NAME, shape.where, f"{name!r} is the name of another hex already")
                else:
                    names.add(name)
                    out[cell] = replace(out[cell], name=name)
    return out


def _told(place: Place, entry: SiteData, shape: Shape, word: str, name: str) -> Place:
    """Return what is known of a hex with what a point adds to it."""
    traits = {**entry.traits, **drawn_traits(shape.properties, entry.properties)}
    if word and name:
        traits[word] = name
    features = place.features | ({word} if word else set())
    return replace(place, features=features, traits={**traits, **place.traits})
