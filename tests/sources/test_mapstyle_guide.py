"""The guide to maps has a row for every key of style.toml, and names every word that a key may have."""

from __future__ import annotations

import re
import tomllib
import typing
from pathlib import Path

import pytest
from pydantic import BaseModel

from toolchain.report import Report
from toolchain.sources.decode.mapstyle import (
    HexsideStyle,
    LinkDraw,
    MapStyle,
    Marks,
    SideDraw,
    Stroke,
    Symbol,
    decode_map_style,
)

GUIDE = (Path(__file__).parents[2] / "maps" / "README.md").read_text("utf-8")
HEADING = re.compile(r"^#### `?(top|[\w.]+)`? of style\.toml\n(.*?)(?=^##|\Z)", re.M | re.S)
BODIES = {name.split(".")[0]: body for name, body in HEADING.findall(GUIDE)}
ROWS = {
    name: {k for row in re.findall(r"^\| (`[^|]*) \|", body, re.M) for k in re.findall(r"`(\w+)`", row)}
    for name, body in BODIES.items()
}


def leaves(kind: object) -> typing.Iterator[type[BaseModel]]:
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
    for inner in typing.get_args(kind):
        yield from leaves(inner)


MODELS = {"top": MapStyle} | {n: m for n, f in MapStyle.model_fields.items() for m in leaves(f.annotation)}


@pytest.mark.parametrize("table", MODELS)
def test_every_key_of_a_table_has_its_row_and_no_row_is_of_nothing(table: str) -> None:
    assert ROWS[table] == set(MODELS[table].model_fields), table


@pytest.mark.parametrize(
    ("table", "words"),
    [("terrain", Marks), ("hexside", SideDraw), ("link", LinkDraw), ("overlay", Stroke), ("feature", Symbol)],
)
def test_every_word_of_a_key_is_named(table: str, words: object) -> None:
    assert {w for w in typing.get_args(words) if f'"{w}"' not in BODIES[table]} == set()


def test_the_example_is_a_style() -> None:
    (block,) = re.findall(r"^## style\.toml\n.*?^```toml\n(.*?)^```", GUIDE, re.M | re.S)[:1]
    report = Report()
    style = decode_map_style(tomllib.loads(block), "style.toml", report)
    assert style is not None and not list(report)
    assert isinstance(style.hexside["river"], HexsideStyle) and style.hexside["river"].layer == "rivers"
