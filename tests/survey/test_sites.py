"""Points of the drawing: what they give to their hexes, and when two give the same."""

from __future__ import annotations

import shapely
from drawn import CENTRE, codes, survey
from shapely import Point

X, Y = CENTRE
LEGEND = '[[feature]]\nname = "city"\n[[feature]]\nname = "port"\n'
SITES = LEGEND + '[[site]]\nlayer = "towns"\n'


def test_points_give_features_and_traits_without_naming_the_hex(tmp_path):
    towns = [
        (Point(X, Y + 1), {"kind": "city", "name": "Oslo", "people": 700_000}),
        (Point(X + 1, Y), {"kind": "port", "name": "Oslo Havn"}),
        (Point(10, 5), {"kind": "port", "name": None}),
        (Point(39, 1), {"kind": "city", "name": "Nowhere"}),
    ]
    text = SITES + 'class = "kind"\nproperties = ["people"]\ntraits = { seen = "yes" }\nassumed = "so"\n'
    warmap, report = survey(tmp_path, text, towns=towns)
    assert not codes(report)
    oslo = warmap.by_key["0202"]
    assert (oslo.name, oslo.features, oslo.assumed) == ("", {"city", "port"}, "so")
    assert dict(oslo.traits) == {"seen": "yes", "people": "700000", "city": "Oslo", "port": "Oslo Havn"}
    assert (warmap.by_key["0101"].features, dict(warmap.by_key["0101"].traits)) == ({"port"}, {"seen": "yes"})
    assert sum(bool(s.features) for s in warmap.spaces) == 2


def test_a_point_names_its_hex_where_that_is_said(tmp_path):
    towns = [(Point(X, Y), {"title": "Oslo"}), (Point(10, 5), {"title": "Bergen"}), (Point(10, 15), {"title": "Oslo"})]
    text = SITES + 'feature = "city"\nname = "title"\nnamed = true\n'
    places = "name,column,row,city\nHome,0,0,mine\n"
    warmap, report = survey(tmp_path, text, head='format = 1\nenterable = "named"\n', towns=towns, places=places)
    assert codes(report) == ["M103"], "two hexes of one name"
    assert {s.key for s in warmap.spaces if s.enterable} == {"Home", "Oslo"}
    home = warmap.by_key["Home"]
    assert (home.features, home.traits["city"]) == ({"city"}, "mine"), "the table goes before the drawing"


def test_the_first_of_two_of_a_kind_stays(tmp_path):
    towns = [(Point(X, Y), {"name": "A", "v": 1}), (Point(X, Y + 2), {"name": "B", "v": 2}), Point(10, 5)]
    warmap, report = survey(tmp_path, SITES + 'feature = "city"\nproperties = ["v"]\n', towns=towns)
    (finding,) = report
    assert (finding.rule.code, finding.where.space, finding.where.key) == ("M115", "0202", "features.1")
    assert finding.message == "B is a second city of 0202, after A"
    assert dict(warmap.by_key["0202"].traits) == {"v": "1", "city": "A"}


def test_closed_shapes_count_with_their_middle_and_lines_not_at_all(tmp_path):
    text = SITES + 'feature = "city"\n'
    warmap, _ = survey(tmp_path, text, towns=[Point(X, Y).buffer(2), shapely.LineString([(10, 5), (10, 6)])])
    assert [s.key for s in warmap.spaces if s.features] == ["0202"]
    _, report = survey(tmp_path / "lines", text, towns=[shapely.LineString([(10, 5), (10, 6)])])
    assert codes(report) == ["M110"]


def test_words_that_the_legend_lacks_are_said(tmp_path):
    _, report = survey(tmp_path, SITES + 'feature = "ctiy"\n', towns=[Point(X, Y)])
    (finding,) = report
    assert (finding.rule.code, finding.where.key) == ("S014", "site.0.feature")
    assert "did you mean 'city'?" in finding.message
