"""Messages count as people do: one map, two maps."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from toolchain.report import counted, tallied

MANY = re.compile(r" (?!characters long)([a-z-]+ )?(?!is\b|has\b|was\b|this\b)[a-z-]+s\b")
SOURCES = sorted((Path(__file__).parent.parent / "toolchain").rglob("*.py"))


def test_one_is_said_otherwise_than_many():
    assert [counted(n, "map") for n in (0, 1, 2, 1_000_000)] == ["0 maps", "1 map", "2 maps", "1000000 maps"]
    assert [counted(n, "hex is", "hexes are") for n in (1, 3)] == ["1 hex is", "3 hexes are"]
    assert [counted(n, "point") for n in (1.0, 1.5)] == ["1 point", "1.5 points"]
    counts = {"named hexes": 1, "boxes": 1, "set-ups": 1, "spaces": 2, "links": 0}
    assert tallied(counts) == ["1 named hex", "1 box", "1 set-up", "2 spaces"]


def _counts(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) in ("len", "sum")


def test_no_message_sets_many_after_a_number_that_may_be_one():
    found = []
    for path in SOURCES:
        for text in (n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.JoinedStr)):
            for before, number, words in zip([None, *text.values], text.values, text.values[1:], strict=False):
                if not isinstance(number, ast.FormattedValue) or not isinstance(words, ast.Constant):
                    continue
                part = isinstance(before, ast.Constant) and str(before.value).endswith(" of its ")  # a part of some
                if _counts(number.value) and MANY.match(str(words.value)) and not part:
                    found.append(f"{path.name}:{text.lineno}: {ast.unparse(text)}")
    assert found == []
