"""Is every space what it seems: names that differ enough, a terrain, features where they belong, no stray hexes."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from toolchain.catalogue import FEATURE_IN_WRONG_TERRAIN, NAMES_ALIKE, NO_TERRAIN, STRAY_HEX
from toolchain.checks.drawn import at_space, millimetres
from toolchain.model.warmap import Space, WarMap
from toolchain.report import Finding


def check_labels(warmap: WarMap) -> Iterator[Finding]:
    """Run the checks of single spaces."""
    yield from check_alike(warmap)
    yield from check_terrain(warmap)
    yield from check_feature_terrain(warmap)
    yield from check_strays(warmap)


def plain(name: str) -> str:
    """Return a name as a hurried reader sees it: letters and digits only, no case and no accents."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in letters if c.isalnum())


def check_alike(warmap: WarMap) -> Iterator[Finding]:
    """Find names that differ only in case, accents, spaces or points: one place written twice, mostly.

    Boxes that are called otherwise than their titles may share these: each player's board has its own Reserve.
    """
    seen: dict[str, Space] = {}
    for space in warmap.spaces:
        word = plain(space.name)
        if not word or "track" in space.traits:  # the boxes -1 and 1 of a track are alike in letters and digits
            continue
        if space.kind == "box" and space.name != space.key:
            word = plain(space.key)
        first = seen.setdefault(word, space)
        if first is not space:
            text = f"{space.name!r} is {'also' if space.name == first.name else 'almost'} the name of {first.key}"
            text += f" in hex {first.label}" if first.label else ""
            yield Finding(NAMES_ALIKE, at_space(space), text, {"first": first.key, "at": list(space.at)})


def check_terrain(warmap: WarMap) -> Iterator[Finding]:
    """Find hexes and areas that may be entered and have no terrain, where the legend has some."""
    if not warmap.legend_names("terrain"):
        return
    for space in warmap.spaces:
        if space.kind in ("hex", "area") and space.enterable and not space.terrain:
            text = f"no terrain: nothing in the drawing covers it, at {millimetres(space.at)}, and none is the rest"
            yield Finding(NO_TERRAIN, at_space(space), text, {"at": list(space.at)})


def check_feature_terrain(warmap: WarMap) -> Iterator[Finding]:
    """Find features in terrain where their entry in the legend does not allow them."""
    entries = [e for e in warmap.legend if e.kind == "feature"]
    never = {e.name: e.traits["not_in"].split() for e in entries if "not_in" in e.traits}
    only = {e.name: e.traits["only_in"].split() for e in entries if "only_in" in e.traits}
    for space in warmap.spaces:
        for feature in sorted(space.features):
            allowed = only.get(feature)
            if not space.terrain or (
                space.terrain not in never.get(feature, ()) and (allowed is None or space.terrain in allowed)
            ):
                continue
            text = f"a {feature} may not stand in {space.terrain}" + (
                f", only in {', '.join(allowed)}" if allowed else ""
            )
            facts = {"feature": feature, "terrain": space.terrain, "at": list(space.at)}
            yield Finding(FEATURE_IN_WRONG_TERRAIN, at_space(space), text, facts)


def check_strays(warmap: WarMap) -> Iterator[Finding]:
    """Find hexes that were hardly meant.

    These are hexes that may be entered though their middle lies off the sheet, so that no counter can stand there; and
    single hexes of land with water all round them, or of water with land all round, which bear no name and for which
    nothing was stated.
    """
    sheets = {s.name: s for s in warmap.sheets}
    water = {e.name for e in warmap.legend if e.kind == "terrain" and e.traits.get("water") == "yes"}
    around: dict[str, list[str]] = {s.key: [] for s in warmap.spaces}
    for side in warmap.hexsides:
        around[side.a].append(side.b)
        around[side.b].append(side.a)
    linked = {key for link in warmap.links for key in (link.a, link.b)}
    for space in warmap.spaces:
        if space.kind != "hex" or not space.enterable:
            continue
        sheet, (x, y), facts = sheets.get(space.sheet), space.at, {"at": list(space.at)}
        if sheet is not None and not (0 <= x <= sheet.width and 0 <= y <= sheet.height):
            text = f"the middle of the hex, at {millimetres(space.at)}, lies off the sheet: no counter can stand there"
            yield Finding(STRAY_HEX, at_space(space), text, facts)
            continue
        stated = space.name or space.features or space.cite or space.assumed or space.key in linked
        beside = [warmap.by_key[k].terrain for k in around[space.key]]
        if stated or len(beside) < 6 or not space.terrain or not all(beside):
            continue
        wet = space.terrain in water
        if all((t in water) != wet for t in beside):
            words = ("water", "land") if wet else ("land", "water")
            text = f"a single hex of {words[0]} with {words[1]} all round it, at {millimetres(space.at)}"
            # The shore is that of the water.
            kind = space.terrain if wet else beside[0]
            yield Finding(STRAY_HEX, at_space(space), text, {**facts, "kind": kind})
