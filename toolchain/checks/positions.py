"""All checks of a position, by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from toolchain.checks.control import check_control
from toolchain.checks.judge import Verdict
from toolchain.checks.places import check_apart, check_places
from toolchain.checks.stacking import check_stacking
from toolchain.checks.supply import check_supply
from toolchain.checks.zoc import check_zoc
from toolchain.report import Finding

Check = Callable[[Verdict], Iterator[Finding]]

CHECKS: tuple[tuple[str, tuple[Check, ...]], ...] = (
    ("stacking", (check_stacking,)),
    ("places", (check_places, check_apart)),
    ("control", (check_control,)),
    ("zoc", (check_zoc,)),
    ("supply", (check_supply,)),
)


def check_position(verdict: Verdict, only: tuple[str, ...] = ()) -> Iterator[Finding]:
    """Yield what is wrong with a position.

    verdict: what `judge` made of it. only: names of CHECKS; empty, all of them.
    """
    for name, checks in CHECKS:
        if not only or name in only:
            for check in checks:
                yield from check(verdict)
