"""modules/README.md describes every key of vassal.toml, and none that is not there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from pydantic import BaseModel

from toolchain.sources.decode.vassal import Chart, Deck, Dice, Send, VassalPlan

GUIDE = (Path(__file__).parents[2] / "modules" / "README.md").read_text("utf-8")


def documented(heading: str) -> set[str]:
    """Return the keys of the table under a heading."""
    body = GUIDE.split(heading, 1)[1]
    table = re.search(r"^\| key \| meaning \|\n(?:\|.*\n)+", body, re.M).group(0)
    return {key for row in table.splitlines()[2:] for key in re.findall(r"`([a-z_]+)`", row.split("|")[1])}


@pytest.mark.parametrize(
    ("heading", "model"),
    [
        ("### `vassal.toml`", VassalPlan),
        ("**`[[send]]`**", Send),
        ("**`[[deck]]`**", Deck),
        ("**`[[dice]]`**", Dice),
        ("**`[[charts]]`**", Chart),
    ],
)
def test_every_key_is_in_the_guide_and_none_that_is_not(heading: str, model: type[BaseModel]) -> None:
    assert documented(heading) == {field.alias or name for name, field in model.model_fields.items()}
