"""Features that every hex of a kind has, such as the beach of every coast that is not mountain."""

from __future__ import annotations

from dataclasses import replace

from toolchain.model.warmap import Space, WarMap
from toolchain.sources.decode.legend import FeatureData
from toolchain.sources.decode.maps import MapPlan


def with_every(plan: MapPlan, warmap: WarMap) -> tuple[Space, ...]:
    """Return the spaces of a map; hexes have the features of `every` that their terrain and their neighbours give."""
    given = [f for f in plan.data.feature if f.every]
    if not given:
        return warmap.spaces
    beside: dict[str, set[str]] = {}
    for side in warmap.hexsides:
        beside.setdefault(side.a, set()).add(warmap.by_key[side.b].terrain)
        beside.setdefault(side.b, set()).add(warmap.by_key[side.a].terrain)

    def has(space: Space, feature: FeatureData) -> bool:
        allowed = feature.only_in is None or space.terrain in feature.only_in
        here = allowed and space.terrain not in (*feature.not_in, feature.needs)
        return space.kind == "hex" and here and feature.needs in beside.get(space.key, ())

    return tuple(
        replace(s, features=s.features | more) if (more := {f.name for f in given if has(s, f)}) else s
        for s in warmap.spaces
    )
