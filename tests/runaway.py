"""A guard against work that runs away: what a bound must stop takes minutes, whatever the machine.

How fast sound work goes is measured in tests/benchmarks, beside something to compare it with.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

MOST = 120.0
"""Seconds of processor time, several times what the slowest case needs on a slow machine."""


@contextmanager
def bounded() -> Iterator[None]:
    """Fail when what runs inside takes more than MOST seconds of this process's own time."""
    start = time.process_time()
    yield
    assert time.process_time() - start < MOST, "this ran away"
