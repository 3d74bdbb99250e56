"""What the hexes, boxes and tracks of an arrangement are called, and by which words lists may call them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from toolchain.model.hexes import HexGrid
from toolchain.model.warmap import Space
from toolchain.report import Report
from toolchain.sources.decode.maps import MapPlan
from toolchain.sources.decode.places import Place
from toolchain.sources.projection import build_projection
from toolchain.survey.laying import Laid, labels_of
from toolchain.survey.paper import on_paper
from toolchain.survey.places import settle
from toolchain.survey.sites import on_hexes, with_sites

Find = Callable[[str], str]
"""From a word to a key; an empty word for what there is not."""


@dataclass(frozen=True)
class Names:
    """What the hexes of an arrangement are called, by cell of the common grid.

    stated: number; parts: as each sheet calls it; keys: as lists do; places: what is known of them, with the key as
    name; titles: printed name and number. maps: the sheets it is on. spellings: other words.
    """

    stated: tuple[str, ...]
    parts: Mapping[int, tuple[str, ...]]
    keys: Mapping[int, str]
    places: tuple[Place, ...]
    titles: Mapping[int, tuple[str, str]]
    maps: Mapping[int, str]
    spellings: Mapping[str, str]

    @classmethod
    def of(cls, laid: Sequence[Laid], grid: HexGrid, full: bool = False) -> Names:
        """Name the hexes. full: with the name of the sheet before the number even where no two sheets use one."""
        labels = [labels_of(x) for x in laid]
        used = Counter(label for some in labels for label in some)
        prefix = full or any(n > 1 for n in used.values())
        stated = [""] * len(grid.cells)
        parts: dict[int, list[str]] = defaultdict(list)
        maps: dict[int, list[str]] = defaultdict(list)
        words: list[tuple[str, int]] = []
        printed: dict[int, str] = {}
        for x, some in zip(laid, labels, strict=True):
            shown = {s.cell: s.label for s in x.surveyed.warmap.spaces if s.cell is not None}
            for g, cell, label in zip(x.joint.tolist(), x.plan.grid.cells[x.cells].tolist(), some, strict=True):
                long = f"{x.name}-{label}"
                stated[g] = stated[g] or (long if prefix else label)
                printed[g] = printed.get(g) or shown.get(tuple(cell), "")
                parts[g].append(long)
                maps[g].append(x.name)
                words += [(long, g)] if prefix else [(long, g), (label, g)]
        places, titles = _places(laid, grid)
        keys = dict(enumerate(stated)) | {g: p.name for g, p in reversed(places) if p.name}
        cells = grid.cells.tolist()
        return cls(
            tuple(stated),
            {g: tuple(p) for g, p in parts.items()},
            keys,
            tuple(replace(p, cell=(cells[g][0], cells[g][1])) for g, p in places),
            {g: (titles.get(g, ""), printed[g]) for g in parts},
            {g: ";".join(m) for g, m in maps.items()},
            {word: keys[g] for word, g in words},
        )

    def printed(self, space: Space, grid: HexGrid) -> Space:
        """Return a space of the arrangement with the name and number that its sheet prints."""
        if space.cell is None:
            return space
        g = int(grid.index([space.cell])[0])
        name, label = self.titles[g]
        traits = {**space.traits, "map": self.maps[g]}
        return replace(space, name=name, label=label, parts=self.parts[g], traits=traits)


def _places(laid: Sequence[Laid], grid: HexGrid) -> tuple[list[tuple[int, Place]], dict[int, str]]:
    """Return what is known of hexes, with the cell of the common grid and the key as name; and names as printed.

    What one half of a hex says goes with the name that the other half gives it. Two names that a seam brings into one
    hex both stay, for the survey to report.
    """
    settled = []
    for x in laid:
        joint = dict(zip(x.cells.tolist(), x.joint.tolist(), strict=True))
        on_map = on_paper(x.plan)[0]
        known = settle(x.plan, build_projection(x.plan, Report()), on_map, Report())
        known = with_sites(x.plan, x.surveyed.drawing, known, *on_hexes(x.plan, on_map), Report())
        settled += [(x, joint[cell], place) for cell, place in known.items()]
    count = Counter(place.name for _, _, place in settled)
    first: dict[int, int] = {}
    out: list[tuple[int, Place]] = []
    titles: dict[int, str] = {}
    for x, g, place in settled:
        key = f"{x.name}-{place.name}" if place.name and count[place.name] > 1 else place.name
        moved = replace(place, name=key, point=None, label="")
        before = out[first[g]][1] if g in first else None
        if before is None or (before.name and key):
            first.setdefault(g, len(out))
            out.append((g, moved))
        else:
            one, other = (before, moved) if before.name else (moved, before)
            terrain, traits = one.terrain or other.terrain, {**other.traits, **one.traits}
            features = one.features | other.features
            out[first[g]] = (g, replace(one, terrain=terrain, features=features, traits=traits))
        titles[g] = titles.get(g) or place.name
    return out, titles


def _extra(plan: MapPlan) -> list[str]:
    """Return the keys of what lies beside the hexes of a sheet."""
    return [box.key for box in plan.data.box] + [track.key for track in plan.data.track]


def called_here(laid: Sequence[Laid]) -> dict[tuple[str, str], str]:
    """Return what boxes and tracks are called in the arrangement, by sheet and the key that they have there."""
    taken = Counter(key for x in laid for key in _extra(x.plan))
    return {(x.name, key): f"{x.name} {key}" if taken[key] > 1 else key for x in laid for key in _extra(x.plan)}


def find_words(laid: Sequence[Laid], names: Names) -> dict[str, Find]:
    """Return look-ups from the words of each sheet to the keys of the arrangement; "" for what a sheet has not."""
    called = called_here(laid)

    def finder(x: Laid) -> Find:
        cells = dict(zip(map(tuple, x.plan.grid.cells[x.cells].tolist()), x.joint.tolist(), strict=True))

        def find(word: str) -> str:
            space = x.surveyed.warmap.find(word)
            if space is None:
                return ""
            if space.cell is not None:
                return names.keys[cells[space.cell]]
            return called.get((x.name, space.key), space.key)

        return find

    return {x.name: finder(x) for x in laid}


def list_words(laid: Sequence[Laid], find: Mapping[str, Find]) -> dict[str, str]:
    """Return what else lists may call the spaces of an arrangement, with their keys: names as one sheet has them."""
    out: dict[str, str] = {}
    for x in laid:
        warmap = x.surveyed.warmap
        named = [s.key for s in warmap.spaces if s.name and s.kind == "hex"]
        out |= {word: find[x.name](word) for word in warmap.spellings}
        out |= {f"{x.name}-{word}": find[x.name](word) for word in (*named, *warmap.spellings)}
    return out
