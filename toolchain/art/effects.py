"""What the rules say of terrain, hexsides and ways, as the rows and columns of a chart: no drawing here.

A rule stands in the chart where it holds by the terrain, the hexside or the way alone. What also hangs on weather,
events, zones or neighbours is left to the rulebook.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from toolchain.model.rulebook import Bar, Crossing, Edges, HexsideLimit, Movement, Rulebook, Stacking, StepCost
from toolchain.model.terms import EVERY, All, AnyOf, InForce, Is, Not, State, Term
from toolchain.model.warmap import WarMap

BARRED = "no"
ALL = "all"


@dataclass(frozen=True)
class Row:
    """One line of the chart: an entry of the legend, and what each column says of it, "" for nothing."""

    kind: str
    name: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class Chart:
    """columns: their group and heading. rows: terrain, then hexsides, then ways. notes: what holds everywhere."""

    columns: tuple[tuple[str, str], ...]
    rows: tuple[Row, ...]
    notes: tuple[str, ...]


def terrain_effects(warmap: WarMap, rules: Rulebook) -> Chart:
    """Make the chart of a map's legend: what it costs to move, how many may stack, how many may cross.

    A column that would say the same of every terrain becomes a note. Kinds of move beside the plain one have a column
    only where it would say something else.
    """
    found: list[tuple[str, str, Callable[[str, str], str]]] = []
    special: set[str] = set()
    wet = frozenset((e.kind, e.name) for e in warmap.legend if e.traits.get("water") == "yes")
    for m in rules.movement:
        words = label(m.of)
        if "move" not in m.moves:
            words = f"{words}, {', '.join(m.moves)}"
            special.add(words)
        found.append(("Movement", words, lambda kind, name, m=m: _movement(m, rules, kind, name, wet)))  # type: ignore[misc]
    for words, limits in _grouped(rules.stacking):
        found.append(("Stacking", words, lambda kind, name, g=limits: _stacking(g, kind, name)))  # type: ignore[misc]
    for h in rules.hexside_limits:
        if h.crossings:
            found.append(("Over a hexside", label(h.of), lambda kind, name, h=h: _crossing(h, rules, kind, name, wet)))  # type: ignore[misc]
    entries = [(e.kind, e.name) for kind in ("terrain", "hexside", "link") for e in warmap.legend if e.kind == kind]
    columns: list[tuple[str, str, list[str]]] = []
    notes: list[str] = []
    for group, words, tell in found:
        cells = [tell(kind, name) for kind, name in entries]
        said = {c for c, (kind, _) in zip(cells, entries, strict=True) if c and kind == "terrain"}
        beyond = {c for c, (kind, _) in zip(cells, entries, strict=True) if c and kind != "terrain"}
        known = (group, cells) in [(g, c) for g, _, c in columns]
        if group == "Movement" and words in special:
            same = any(g == group and _points(c) == _points(cells) for g, _, c in columns)
            if same or len(said) <= 1:
                continue
        if len(said) <= 1 and not beyond - said:
            notes += [f"{group}, {words}: {next(iter(said))}"] if said else []
        elif not known:
            columns.append((group, words, cells))
        else:  # the same of others: one column for both
            i = next(i for i, (g, _, c) in enumerate(columns) if (g, c) == (group, cells))
            columns[i] = (group, f"{columns[i][1]}, {words}", cells)
    notes += [n for s in rules.stacking for n in _exceptions(s)]
    rows = [Row(kind, name, tuple(c[i] for _, _, c in columns)) for i, (kind, name) in enumerate(entries)]
    shown = tuple(r for r in rows if any(r.cells))
    return Chart(tuple((g, w) for g, w, _ in columns), shown, tuple(dict.fromkeys(notes)))


def label(term: Term) -> str:
    """Say in a word or two whom a selector takes: the values that it asks for, and what must be so."""
    words = list(dict.fromkeys(_values(term)))
    return ", ".join(w.replace("-", " ") for w in words[:3]) or ALL


def _values(term: Term) -> list[str]:
    match term:
        case Is(name, values):
            return [{"yes": name, "no": f"not {name}"}.get(v, v) for v in values]
        case Not(Is(name, ("yes",))):
            return [f"not {name}"]
        case All(terms):
            return [v for t in terms for v in _values(t)]
        case AnyOf(terms):
            return _values(terms[0]) if terms else []
        case State(_, values):
            return list(values)
    return []


def holds_in(term: Term | None, name: str) -> bool | None:
    """Tell whether a selector takes a space of a terrain of which nothing else is known; None if that decides it."""
    match term:
        case None:
            return True
        case Is("terrain", values):
            return name in values
        case Not(inner):
            found = holds_in(inner, name)
            return None if found is None else not found
        case All(terms) | AnyOf(terms):
            ends = isinstance(term, AnyOf)  # one True settles "any", one False settles "all"
            each = [holds_in(t, name) for t in terms]
            return ends if ends in each else None if None in each else not ends
    return None


def _free(rule: StepCost | Bar | Crossing) -> bool:
    """Tell whether a rule hangs on nothing but hexside, way and terrain."""
    parts = [getattr(rule, n, None) for n in ("in_zone", "out_of_zone", "at", "out_of", "pairs", "downstream_of")]
    return (
        not any(p not in (None, (), "") for p in parts) and rule.when == EVERY and getattr(rule, "of", EVERY) == EVERY
    )


def _fits(rule: StepCost | Bar | Crossing, kind: str, name: str) -> bool:
    """Tell whether a rule speaks of this terrain, hexside or kind of way."""
    if kind == "terrain":
        return not rule.hexsides and not rule.links and holds_in(rule.into, name) is True
    return rule.into is None and name in (rule.hexsides if kind == "hexside" else rule.links)


def _movement(m: Movement, rules: Rulebook, kind: str, name: str, wet: frozenset[tuple[str, str]]) -> str:
    never = [e for e in rules.entries if kind == "terrain" and e.when == EVERY and e.of in (EVERY, m.of)]
    shut = any((e.never is not None and holds_in(e.never, name)) or holds_in(e.only, name) is False for e in never)
    if shut or _barred(m.over, rules, kind, name, wet):
        return BARRED
    cost = next((c.points for c in m.costs if c.points is not None and _free(c) and _fits(c, kind, name)), None)
    more = sum(c.more for c in m.costs if c.more is not None and _free(c) and _states(c) and _fits(c, kind, name))
    ends = next((c.ends for c in m.costs if c.ends is not None and _free(c) and _fits(c, kind, name)), False)
    stops = ends or (kind == "terrain" and m.stops is not None and holds_in(m.stops, name))
    if kind == "terrain":
        return f"{(m.cost if cost is None else cost) + more:g}{' stop' if stops else ''}"
    said = f"{cost:g}" if cost is not None else f"+{more:g}" if more else ""
    return f"{said} stop".strip() if stops else said


def _points(cells: Sequence[str]) -> list[str]:
    return [c.removesuffix("stop").strip() for c in cells]


def _in_water(hexsides: Sequence[str], wet: frozenset[tuple[str, str]]) -> bool:
    return any(("hexside", h) in wet for h in hexsides)


def _barred(over: Sequence[str], rules: Rulebook, kind: str, name: str, wet: frozenset[tuple[str, str]]) -> bool:
    """Tell whether none of these edges leads there. wet: kind and name of terrains and of hexsides that are water.

    Over a hexside and into a terrain lead edges that join neighbours, where there are any; a road has a row of its own.
    """
    edges = [rules.edges[o] for o in over if o in rules.edges]
    if kind != "link":
        edges = [e for e in edges if any(j.partition(".")[0] == "hexside" for j in e.join)] or edges

    def shut(e: Edges) -> bool:
        bars = [b for b in e.bars if _free(b) and _states(b)]
        if kind == "terrain" and holds_in(e.spaces, name) is False:
            return True
        if (
            kind == "terrain"
            and (kind, name) in wet
            and any(_in_water(b.hexsides, wet) for b in bars if b.into is None)
        ):
            return True  # water is entered over sides that lie in water
        return any(_fits(b, kind, name) for b in bars)

    return bool(edges) and all(shut(e) for e in edges)


def _states(rule: StepCost | Bar) -> bool:
    return bool(rule.hexsides or rule.links or rule.into is not None)


def _ordinary(when: Term) -> bool:
    """Tell whether a rule holds as long as no event is in force: optional rules are not in the chart."""
    return when == EVERY or (isinstance(when, Not) and isinstance(when.term, InForce))


def _grouped(rules: Sequence[Stacking]) -> list[tuple[str, list[Stacking]]]:
    out: dict[str, list[Stacking]] = {}
    for rule in rules:
        if _ordinary(rule.when):
            out.setdefault(label(rule.of), []).append(rule)
    return list(out.items())


def _stacking(rules: Sequence[Stacking], kind: str, name: str) -> str:
    if kind != "terrain":
        return ""
    for rule in rules:
        for own in rule.exceptions:
            if own.when == EVERY and own.of == EVERY and own.where != EVERY and holds_in(own.where, name):
                return "any" if own.at_most is None else f"{own.at_most:g}"
        if holds_in(rule.where, name) and rule.at_most is not None:
            return f"{rule.at_most:g}"
    return ""


def _exceptions(rule: Stacking) -> list[str]:
    """Say what else of stacking a player should know: limits by feature or by side."""
    out = []
    for own in rule.exceptions:
        where = label(own.where)
        if own.when == EVERY and where != ALL and "terrain" not in _asked(own.where):
            who = label(own.of) if own.of != EVERY else label(rule.of)
            out.append(f"Stacking, {who}, {where}: " + ("any number" if own.at_most is None else f"{own.at_most:g}"))
    return out


def _asked(term: Term) -> set[str]:
    match term:
        case Is(name, _):
            return {name}
        case All(terms) | AnyOf(terms):
            return {n for t in terms for n in _asked(t)}
        case Not(inner):
            return _asked(inner)
    return set()


def _crossing(limit: HexsideLimit, rules: Rulebook, kind: str, name: str, wet: frozenset[tuple[str, str]]) -> str:
    if _barred(limit.over, rules, kind, name, wet):
        return BARRED if kind == "hexside" else ""
    for c in limit.crossings:
        water = (kind, name) in wet and _in_water(c.hexsides, wet)  # as such sides are crossed, water is entered
        plain = (not c.hexsides or water) and not c.links
        if _free(c) and (_fits(c, kind, name) or (kind == "terrain" and plain and c.into is None)):
            return "any" if c.at_most is None else f"{c.at_most:g}"
    return ""
