"""The nearest known word, among few and among thousands."""

from __future__ import annotations

import pytest
from runaway import bounded

from toolchain.report import did_you_mean, nearest

FEW = ["land", "road", "Paris", "piece", "r1"]
MANY = [*FEW, *(f"unit-{i}" for i in range(3000))]


@pytest.mark.parametrize("known", [FEW, MANY])
@pytest.mark.parametrize(
    ("word", "hit"),
    [("lnad", "land"), ("Pari", "Paris"), ("PARIS", "Paris"), ("pieec", "piece"), ("zzz", ""), ("", "")],
)
def test_nearest(known, word, hit):
    assert nearest(word, known) == nearest(word, reversed(known)) == hit
    assert did_you_mean(word, known) == (f"; did you mean {hit!r}?" if hit else "")


def test_thousands_of_mistakes_among_thousands_of_words_take_no_minutes():
    with bounded():
        hits = [nearest(f"unt-{i}", MANY) for i in range(1000)]
    assert hits[7] == "unit-7" and "" not in hits
