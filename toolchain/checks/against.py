"""Does the survey say what somebody wrote down by hand: a table of terrain, and pairs of neighbours."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from toolchain.catalogue import NOT_IN_LEGEND, PAIR_NOT_MET, TERRAIN_DIFFERS, UNKNOWN_SPACE
from toolchain.checks.drawn import at_space, map_file
from toolchain.model.warmap import WarMap
from toolchain.report import Finding, Location, did_you_mean
from toolchain.sources.documents import Row


def check_against(warmap: WarMap, rows: Sequence[Row]) -> Iterator[Finding]:
    """Compare the terrain of spaces with a table made by hand.

    rows: cells `hex` (a number) or `name`, and `terrain`. Each difference is a finding, with the shares that the
    drawing gives to the terrains; so are spaces and terrains that the map does not have.
    """
    terrains = warmap.legend_names("terrain")
    for row in rows:
        column = "hex" if row.get("hex") else "name"
        word, wanted = row.get(column), row.get("terrain")
        if not word or not wanted:
            continue
        space = warmap.find(word)
        if space is None:
            near = did_you_mean(word, [s.key for s in warmap.spaces if s.name])
            yield Finding(UNKNOWN_SPACE, row.where(column), f"the map has no space {word!r}{near}")
        elif wanted not in terrains:
            text = f"the legend has no terrain {wanted!r}{did_you_mean(wanted, terrains)}"
            yield Finding(NOT_IN_LEGEND, row.where("terrain"), text, {"kind": "terrain", "word": wanted})
        elif space.terrain != wanted:
            shares = dict(sorted(space.shares.items(), key=lambda item: -item[1]))
            shown = ", ".join(f"{name} {share:.0%}" for name, share in shares.items()) or "nothing drawn there"
            stated = " (stated in the table of places)" if space.where.line and (space.cite or space.assumed) else ""
            text = f"the table says {wanted}, the map {space.terrain or 'nothing'}{stated}; measured: {shown}"
            where = row.where("terrain")
            place = Location(where.file, where.line, where.column, space=space.key)
            facts = {"table": wanted, "map": space.terrain, "shares": shares, "at": list(space.at)}
            yield Finding(TERRAIN_DIFFERS, place, text, facts)


def check_pairs(
    warmap: WarMap, adjacent: Collection[tuple[str, str]], apart: Collection[tuple[str, str]]
) -> Iterator[Finding]:
    """Find stated pairs that are not neighbours though they must be, or are though they must not.

    Neighbours share a hexside or have a link. The pairs are those of [fit] in map.toml.
    """
    joined = {frozenset((h.a, h.b)) for h in warmap.hexsides} | {frozenset((x.a, x.b)) for x in warmap.links}
    for key, pairs, wanted in (("adjacent", adjacent, True), ("apart", apart, False)):
        for i, pair in enumerate(pairs):
            spaces = [warmap.find(word) for word in pair]
            where = Location(file=map_file(warmap), key=f"fit.{key}.{i}")
            for word, space in zip(pair, spaces, strict=True):
                if space is None:
                    near = did_you_mean(word, [s.key for s in warmap.spaces if s.name])
                    yield Finding(UNKNOWN_SPACE, where, f"the map has no space {word!r}{near}")
            a, b = spaces
            if a is None or b is None or (frozenset((a.key, b.key)) in joined) == wanted:
                continue
            text = f"{a.key} and {b.key} must {'' if wanted else 'not '}be neighbours"
            place = Location(where.file, key=where.key, space=at_space(a).space)
            yield Finding(PAIR_NOT_MET, place, text, {"pair": [a.key, b.key], "at": list(a.at)})
