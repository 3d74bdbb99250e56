"""The legend of a surveyed map."""

from __future__ import annotations

from toolchain.model.warmap import LegendEntry
from toolchain.sources.decode.legend import FeatureData, HexsideData, LinkKindData
from toolchain.sources.decode.maps import MapPlan


def build_legend(plan: MapPlan) -> tuple[LegendEntry, ...]:
    """Return the legend of a map, with what checks need to know of each entry as its traits."""
    data = plan.data
    wet = {t.name for t in data.terrain if t.is_water}
    out = [
        LegendEntry(t.name, "terrain", t.title or t.name, t.note, {"water": "yes"} if t.is_water else {})
        for t in data.terrain
    ]
    out += [LegendEntry(h.name, "hexside", h.title or h.name, h.note, _side_traits(h, wet)) for h in data.hexside]
    out += [LegendEntry(f.name, "feature", f.title or f.name, f.note, _feature_traits(f)) for f in data.feature]
    out += [LegendEntry(k.name, "link", k.title or k.name, k.note, _link_traits(k)) for k in data.link]
    return tuple(out)


def _side_traits(kind: HexsideData, wet: set[str]) -> dict[str, str]:
    traits = {"bars": " ".join(kind.bars)} if kind.bars else {}
    traits |= {"water": "yes"} if kind.over in wet else {}
    traits |= {"flow": "yes"} if kind.flow else {}
    return traits | ({"river": "yes"} if kind.river else {})


def _feature_traits(feature: FeatureData) -> dict[str, str]:
    traits = {"needs": feature.needs} if feature.needs else {}
    traits |= {"not_in": " ".join(feature.not_in)} if feature.not_in else {}
    return traits | ({} if feature.only_in is None else {"only_in": " ".join(feature.only_in)})


def _link_traits(kind: LinkKindData) -> dict[str, str]:
    traits = {"modes": " ".join(kind.modes)} if kind.modes else {}
    return traits | ({"network": "yes"} if kind.network else {})
