"""All checks of a position, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from toolchain.catalogue import NO_SUCH_RULES
from toolchain.checks.carrying import check_carrying, check_company
from toolchain.checks.control import check_control
from toolchain.checks.judge import Verdict
from toolchain.checks.places import check_apart, check_own_spaces, check_places
from toolchain.checks.proportions import check_proportions
from toolchain.checks.setup import check_setup
from toolchain.checks.stacking import check_stacking
from toolchain.checks.supply import check_statuses, check_supply
from toolchain.checks.words import check_words
from toolchain.checks.zoc import check_zoc
from toolchain.model.rulebook import Datum, Rulebook
from toolchain.report import Finding, Location

Check = Callable[[Verdict], Iterator[Finding]]

CHECKS: tuple[tuple[str, tuple[Check, ...]], ...] = (
    ("stacking", (check_stacking,)),
    ("carrying", (check_carrying, check_company)),
    ("proportions", (check_proportions,)),
    ("places", (check_places, check_own_spaces, check_apart)),
    ("control", (check_control,)),
    ("zoc", (check_zoc,)),
    ("supply", (check_supply, check_statuses)),
    ("setup", (check_setup,)),
)
TITLES = {
    "stacking": "stacking limits",
    "carrying": "carriers",
    "proportions": "proportions",
    "places": "bounds of entry",
    "control": "rules of control",
    "zoc": "zones of control",
    "supply": "supply",
    "moves": "hexside limits",
    "setup": "set-up limits",
}


def check_position(verdict: Verdict, only: tuple[str, ...] = ()) -> Iterator[Finding]:
    """Yield what is wrong with a position.

    verdict: what `judge` made of it. only: names of CHECKS; empty, all of them. A check that is asked for by name says
    so when the game has no rules of its kind. Unknown words are always looked for.
    """
    yield from check_words(verdict)
    for name, checks in CHECKS:
        if name in only:
            yield from check_stated(verdict, name)
        if not only or name in only:
            for check in checks:
                yield from check(verdict)


def check_stated(verdict: Verdict, name: str) -> Iterator[Finding]:
    """Yield a note when the game has no rules of a kind: what it says about that, or that it states none."""
    file = f"modules/{verdict.game.name}/rules.toml"
    for without in verdict.rules.without:
        if without.kind == name:
            text = f"the game has no {TITLES[name]}{without.basis}"
            yield Finding(NO_SUCH_RULES, without.where_from, text, {"check": name, "cite": without.cite})
            return
    if not _stated(verdict.rules)[name]:
        yield Finding(NO_SUCH_RULES, Location(file=file), f"the rules state no {TITLES[name]}", {"check": name})


def _stated(rules: Rulebook) -> dict[str, tuple[Datum, ...]]:
    return {
        "stacking": rules.stacking,
        "carrying": (*rules.carry, *rules.company),
        "proportions": rules.proportions,
        "places": (*rules.entries, *rules.apart),
        "control": (rules.control,),
        "zoc": rules.zoc,
        "supply": (*rules.supply, *rules.statuses),
        "moves": rules.hexside_limits,
        "setup": rules.setup_limits,
    }
