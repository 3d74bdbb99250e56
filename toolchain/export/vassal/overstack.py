"""The mark that appears by itself on a stack that breaks its space's limit.

Every piece has a number for each counting that it belongs to (`Stack1`, `Stack2`, ...); every zone tells the kind of
its limits (`Limits`); and a property of the piece, `Over`, compares the sum over the stack with the limit of that kind.
VASSAL works it out whenever it draws, so nothing must be pressed.
"""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from toolchain.export.vassal.limits import Limits, Place
from toolchain.model.forces import Counter
from toolchain.model.warmap import WarMap
from toolchain.sources.vassal.traits import Calculated, Layer, Marker, ReportAction, Trait, Trigger

NO_LIMIT = 999_999
MOVED = "57400,0,Moved"  # said to every piece that was moved on the map
CROWDED = "57401,0,Crowded"
PICTURE = "overstacked.svg"
OPTIONAL = {"area", "sea zone", "box"}  # where pieces stand as they like, not in one stack


@dataclass(frozen=True)
class Watch:
    """Kinds of limits. kinds: by space, 0 for the most common one. limits: of every counting, by kind.

    loose: kinds of spaces in which pieces need not stand in one stack.
    """

    kinds: Mapping[Place, int] = field(default_factory=dict)
    limits: tuple[tuple[int | None, ...], ...] = ()
    loose: frozenset[int] = frozenset()


def build_watch(warmaps: Sequence[WarMap], limits: Limits) -> Watch:
    """Sort the spaces of all maps by what they allow."""
    if not limits.countings:
        return Watch()
    places = [((n, s.key), s.kind in OPTIONAL) for n, warmap in enumerate(warmaps) for s in warmap.spaces]
    of = {place: (limits.of(place), free) for place, free in places}
    number = {kind: i for i, (kind, _) in enumerate(Tally(of.values()).most_common())}
    loose = frozenset(i for (_, free), i in number.items() if free)
    return Watch({place: number[kind] for place, kind in of.items()}, tuple(most for most, _ in number), loose)


def countings_of(counter: Counter, limits: Limits) -> dict[int, list[int]]:
    """Return how much a counter counts for in each step, by number of a counting in which it counts at all."""
    steps = range(len(counter.faces))
    out = {n: [c.weights.get((counter.id, s), 0) for s in steps] for n, c in enumerate(limits.countings)}
    return {n: weights for n, weights in out.items() if any(weights)}


def over(countings: Sequence[int], limits: Limits, watch: Watch) -> str:
    """Write the expression that tells whether a piece of these countings is one of too many."""
    terms = []
    for n in countings:
        most = [NO_LIMIT if kind[n] is None else kind[n] for kind in watch.limits]
        name = f'"{stack_property(n)}"'
        everywhere = limits.countings[n].together
        total = f"SumLocation({name})" if everywhere else f"SumStack({name})"
        if watch.loose and not everywhere and any(most[i] != NO_LIMIT for i in watch.loose):
            total = f"({_among(sorted(watch.loose))} ? SumLocation({name}) : {total})"
        crowd = f"{total}>{_by_kind([m if m is not None else NO_LIMIT for m in most])}"
        at_times = limits.countings[n].when.expression
        terms.append(f"({at_times}&&{crowd})" if at_times else crowd)
    return "{" + "||".join(terms) + "}"


def _by_kind(most: Sequence[int]) -> str:
    by_limit: dict[int, list[int]] = {}
    for kind, limit in enumerate(most):
        by_limit.setdefault(limit, []).append(kind)
    *some, (rest, _) = sorted(by_limit.items(), key=lambda item: (len(item[1]), -item[1][0]))
    return "(" + "".join(f"{_among(kinds)} ? {limit} : " for limit, kinds in some) + f"{rest})"


def _among(kinds: Sequence[int]) -> str:
    return "||".join(f"Limits=={k}" for k in kinds)


def stack_property(counting: int) -> str:
    """Return the name of the property that says how much a piece counts for."""
    return f"Stack{counting + 1}"


def prototype_name(countings: Sequence[int]) -> str:
    """Return the name of the prototype of pieces of these countings."""
    return "Stacking " + " ".join(str(n + 1) for n in countings)


def build_prototype(
    countings: Sequence[int], limits: Limits, watch: Watch, report: str, corner: tuple[int, int]
) -> tuple[Trait, ...]:
    """Make what pieces of these countings share. report: said in the chat. corner: where the mark lies, in pixels."""
    x, y = corner
    return (
        ReportAction(keys=(CROWDED,), format=report),
        Trigger(name="Crowded", match="{Over==true}", watch=(MOVED,), actions=(CROWDED,)),
        Layer(
            images=("", PICTURE),
            names=("", ""),
            name="Crowd",
            follow=True,
            property="OverLevel",
            x=x,
            y=y,
        ),
        Calculated("OverLevel", "{Over==true ? 2 : 1}"),
        Calculated("Over", over(countings, limits, watch)),
        Marker(("Counts",), (" ".join(str(n + 1) for n in countings),)),
    )


def build_picture(size: int) -> bytes:
    """Draw the mark: a red triangle with an exclamation mark, of so many pixels, in outlines."""
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 24 24">'
        '<path d="M12 1.5L23 21.5H1Z" fill="#d3141b" stroke="#ffffff" stroke-width="1.6" stroke-linejoin="round"/>'
        '<path d="M10.7 8.2h2.6l-.5 7h-1.6zM10.8 16.6h2.4v2.4h-2.4z" fill="#ffffff"/></svg>\n'
    ).encode()
