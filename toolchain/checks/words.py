"""The words that a position uses for states, facts and kept grades, and the facts that rules need of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from toolchain.catalogue import FACT_MISSING, POSITION_WORD
from toolchain.checks.judge import Verdict
from toolchain.model.rulebook import OUT, Rulebook
from toolchain.model.terms import State, Term, leaves
from toolchain.report import Finding, did_you_mean


def check_words(verdict: Verdict) -> Iterator[Finding]:
    """Yield states and kept grades that the rules do not know, facts nearly theirs, and facts that are missing.

    A fact of quite another name is no mistake: not every fact of a position is for the rules.
    """
    position, rules = verdict.position, verdict.rules
    unknown: dict[str, list[str]] = {}
    for piece in position.pieces:
        for state in piece.states:
            if state not in rules.states:
                unknown.setdefault(state, []).append(piece.id)
    where = {p.id: replace(p.where, space=p.at) for p in position.pieces}
    for state, ids in unknown.items():
        text = f"there is no state {state!r}{did_you_mean(state, rules.states)}: {', '.join(ids)}"
        yield Finding(POSITION_WORD, where[ids[0]], text, {"state": state, "pieces": ids})
    grades = (*rules.grades, OUT)
    for piece_id, grade in position.supply.items():
        if piece_id not in where:
            text = f"there is no piece {piece_id!r} to keep its supply{did_you_mean(piece_id, where)}"
            yield Finding(POSITION_WORD, position.where, text, {"piece": piece_id})
        elif grade not in grades:
            text = f"there is no grade of supply {grade!r}{did_you_mean(grade, grades)}"
            yield Finding(POSITION_WORD, where[piece_id], text, {"grade": grade, "piece": piece_id})
    turns = len(verdict.game.track.turns)
    if turns and position.turn > turns:
        text = f"turn {position.turn} is stated, and the game has {turns}"
        yield Finding(POSITION_WORD, position.where, text, {"turn": position.turn})
    yield from _check_facts(verdict)


def _check_facts(verdict: Verdict) -> Iterator[Finding]:
    position, asked = verdict.position, facts_of(verdict.rules)
    for name, value in position.facts.items():
        if name not in asked:
            hint = did_you_mean(name, [a for a in asked if a not in position.facts])
            if hint:
                yield Finding(POSITION_WORD, position.where, f"no rule asks for a fact {name!r}{hint}", {"fact": name})
        elif value not in asked[name] and (hint := did_you_mean(value, asked[name])):
            yield Finding(POSITION_WORD, position.where, f"no rule knows {name} {value!r}{hint}", {"fact": name})
    needed: dict[str, set[str]] = {}
    for rule in (*verdict.rules.supply, *verdict.rules.statuses):
        for stage in (s for line in rule.lines for s in line.stages if s.by_value and s.at_most is None):
            needed.setdefault(stage.fact, set()).update(stage.by_value)
    for name, values in needed.items():
        if position.facts.get(name) not in values:
            listed = ", ".join(sorted(values))
            said = (
                f"{name} is {position.facts[name]!r}" if name in position.facts else f"the position states no {name!r}"
            )
            yield Finding(FACT_MISSING, position.where, f"{said}; rules ask for {listed}", {"fact": name})


def facts_of(rules: Rulebook) -> dict[str, tuple[str, ...]]:
    """Return the facts that the rules ask for, each with the values that they know."""
    out: dict[str, dict[str, None]] = {}
    for term in _conditions(rules):
        for leaf in leaves(term):
            if isinstance(leaf, State):
                out.setdefault(leaf.name, {}).update(dict.fromkeys(leaf.values))
    for rule in (*rules.supply, *rules.statuses):
        for stage in (s for line in rule.lines for s in line.stages if s.by_value):
            out.setdefault(stage.fact, {}).update(dict.fromkeys(stage.by_value))
    return {name: tuple(values) for name, values in out.items()}


def _conditions(rules: Rulebook) -> Iterator[Term]:
    yield from (b.when for e in rules.edges.values() for b in e.bars)
    yield from (x.when for x in rules.entries)
    for s in rules.stacking:
        yield from (s.when, *(x.when for x in s.exceptions))
    yield from (x.when for x in rules.company)
    yield from (x.when for x in rules.carry)
    for h in rules.hexside_limits:
        yield from (h.when, *(x.when for x in h.crossings))
    yield from (x.when for x in rules.proportions)
    yield from (x.when for x in rules.capacities)
    yield from (x.when for x in rules.zoc)
    yield from (x.when for x in rules.control.home)
    yield from (x.when for x in rules.control.takings)
    for supply in (*rules.supply, *rules.statuses):
        yield from (x.when for x in supply.all_sources)
        yield from (x.when for x in supply.lines)
        yield from (x.when for x in supply.always)
        yield from (x.when for x in supply.cut_by)
