"""Every ruling that a game must get right has a test that bears its id."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

# Ids of the rulings by game: test names bear them in lower case, as in test_fe_st1_three_units_of_any_size_per_hex.
RULINGS = {
    "festung-europa": [
        *(f"FE-M{n}" for n in range(1, 10)),
        *(f"FE-ST{n}" for n in range(1, 8)),
        "FE-C1",
        *(f"FE-Z{n}" for n in range(1, 6)),
        *(f"FE-S{n}" for n in range(1, 10)),
        *(f"FE-U{n}" for n in range(1, 4)),
    ],
    "one-hour-ww2": [
        *(f"OH-M{n}" for n in range(1, 5)),
        *(f"OH-ST{n}" for n in range(1, 6)),
        *(f"OH-C{n}" for n in range(1, 3)),
        *(f"OH-S{n}" for n in range(1, 8)),
        *(f"OH-U{n}" for n in range(1, 3)),
    ],
    "second-front": [
        *(f"SF-{n}" for n in range(1, 3)),
        *(f"SF-ST{n}" for n in range(1, 5)),
        *(f"SF-Z{n}" for n in range(1, 3)),
        "SF-C1",
        *(f"SF-S{n}" for n in range(1, 8)),
        *(f"SF-M{n}" for n in range(1, 7)),
    ],
    "victory-ww2": [
        *(f"VW-M{n}" for n in range(1, 7)),
        *(f"VW-ST{n}" for n in range(1, 9)),
        *(f"VW-H{n}" for n in range(1, 3)),
        "VW-C1",
        *(f"VW-S{n}" for n in range(1, 8)),
        *(f"VW-U{n}" for n in range(1, 4)),
    ],
}
NAMES = [
    name
    for file in Path(__file__).parent.glob("test_*.py")
    for name in re.findall(r"^def (test_\w+)", file.read_text("utf-8"), re.MULTILINE)
]


@pytest.mark.parametrize("ruling", [r for rulings in RULINGS.values() for r in rulings])
def test_ruling_has_a_test(ruling):
    words = ruling.lower().replace("-", "_")
    assert any(re.search(rf"_{words}(_|$)", name) or _in_pair(name, words) for name in NAMES)


def _in_pair(name: str, words: str) -> bool:
    """Tell whether a name such as test_fe_m1_m2_closed_hexes bears the second of its ids."""
    family, number = words.split("_")
    return bool(re.search(rf"_{family}(_[a-z]+\d+)*_{number}(_|$)", name))
