"""Features that every hex of a kind has."""

from __future__ import annotations

from drawn import EVERYWHERE, TERRAIN, codes, plan, survey
from shapely import box

BEACH = TERRAIN + '[[feature]]\nname = "beach"\nneeds = "sea"\nnot_in = ["wood"]\nevery = true\n'


def test_every_hex_on_the_coast_has_a_beach_but_where_it_may_not(tmp_path):
    land, wood = [box(14, -50, 90, 90)], [box(14, 12, 24, 28)]  # the first column is sea, 0202 is wood
    warmap, report = survey(tmp_path, BEACH, land=land, wood=wood)
    assert not [c for c in codes(report) if c[0] == "S"]
    assert warmap.by_key["0202"].terrain == "wood"
    assert {s.key for s in warmap.spaces if "beach" in s.features} == {"0201", "0203"}


def test_inland_nothing_has_it_and_places_keep_their_own(tmp_path):
    text = BEACH + '[[feature]]\nname = "town"\n'
    warmap, _ = survey(tmp_path, text, land=[EVERYWHERE], wood=[box(-60, -60, -55, -55)])
    assert not any(s.features for s in warmap.spaces)
    places = "name,hex,features\nHome,0201,town\n"
    warmap, _ = survey(
        tmp_path / "more", text, land=[box(14, -50, 90, 90)], wood=[box(-60, -60, -55, -55)], places=places
    )
    assert warmap.by_key["Home"].features == {"town", "beach"}


def test_what_it_borders_on_must_be_said(tmp_path):
    text = TERRAIN + '[[feature]]\nname = "beach"\nevery = true\n'
    _, report = plan(tmp_path, text, land=[EVERYWHERE], wood=[EVERYWHERE])
    assert any(f.rule.code == "S011" and "needs" in f.message and f.where.key == "feature.0" for f in report)
