"""Which counters a setting of vassal.toml is about."""

from __future__ import annotations

from toolchain.model.forces import Counter
from toolchain.model.terms import text_of
from toolchain.sources.decode.vassal import Of, VassalPlan


def takes(of: Of | None, counter: Counter) -> bool:
    """Tell whether all columns that are asked for have one of their values; None takes no counter, {} every one."""
    if of is None:
        return False
    for name, wanted in of.items():
        value = counter.value(name)
        words = wanted if isinstance(wanted, tuple) else (wanted,)
        if value is None or text_of(value) not in {text_of(w) for w in words}:
            return False
    return True


def is_card(counter: Counter, plan: VassalPlan) -> bool:
    """Tell whether a counter begins in a deck."""
    return any(takes(d.of, counter) for d in plan.decks)


def is_hidden(counter: Counter, plan: VassalPlan) -> bool:
    """Tell whether the other side sees only the back of a piece."""
    return takes(plan.hide, counter) or is_card(counter, plan)
