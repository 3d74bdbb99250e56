"""Fixtures that more than one folder of tests uses."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
import rig
from chromium import Browser, UnavailableError
from hypothesis import settings

# How long a case takes depends on the machine; what is slow is measured in tests/benchmarks. The suite tries the same
# cases every time, so that it says the same of the same tree; `pytest --hypothesis-profile=explore` looks for others.
settings.register_profile("suite", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None)
settings.load_profile("suite")


@pytest.fixture(scope="session")
def vassal() -> Callable[..., rig.Said]:
    """Open a module in the real VASSAL engine; skip where the engine is not to be had."""
    try:
        rig.build()
    except rig.UnavailableError as why:
        pytest.skip(f"the VASSAL engine is not available: {why}")
    return rig.check


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Return a window of headless Chromium, one for all tests; skip where there is none."""
    try:
        window = Browser()
    except UnavailableError as why:
        pytest.skip(f"the view cannot be tried in a browser: {why}")
    yield window
    window.close()
