"""Fixtures that more than one folder of tests uses."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import rig


@pytest.fixture(scope="session")
def vassal() -> Callable[..., rig.Said]:
    """Open a module in the real VASSAL engine; skip where the engine is not to be had."""
    try:
        rig.build()
    except rig.UnavailableError as why:
        pytest.skip(f"the VASSAL engine is not available: {why}")
    return rig.check
