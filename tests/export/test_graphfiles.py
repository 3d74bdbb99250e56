"""The graph as JSON comes back the same; GraphML is read by networkx; both are the same every time."""

from __future__ import annotations

import dataclasses
import io
import json
import os
import subprocess
import sys

import networkx as nx
import pytest
import shapely
from drawn import TERRAIN, codes, survey
from hypothesis import given
from hypothesis import strategies as st

from toolchain.export.graphfiles import read_json, to_graphml, to_json
from toolchain.graph.build import build_graph
from toolchain.model.warmap import Sheet, Space, WarMap
from toolchain.report import Location, Report

TEXT = (
    '[[hexside]]\nname = "coast"\nborder = "sea"\n[[link]]\nname = "road"\nmodes = ["land", "sea"]\n'
    '[[box]]\nkey = "Rés & <1>"\nat = [10, 8]\nsize = [12, 6]\n[spellings]\n"Kristiania" = "Oslo"\n'
    '[[side]]\nbetween = ["Oslo", "0101"]\nadd = ["wall", "coast"]\ncite = "8.4"\n'
)


@pytest.fixture
def warmap(tmp_path):
    links = "a,b,kind,one_way,nation\nOslo,Rés & <1>,road,yes,GE\n"
    places = "name,column,row,features,sea,cite\nOslo,0,1,port capital,north,1\n"
    land = [shapely.box(-50, -50, 15, 90)]
    return survey(tmp_path, TERRAIN + TEXT, land=land, wood=[], places=places, links=links)[0]


def bare(warmap):
    """Forget where everything came from, which files do not keep."""
    return dataclasses.replace(
        warmap,
        spaces=tuple(dataclasses.replace(s, where=Location()) for s in warmap.spaces),
        links=tuple(dataclasses.replace(x, where=Location()) for x in warmap.links),
    )


def test_json_comes_back_the_same(warmap):
    report = Report()
    text = to_json(warmap)
    back = read_json(text, "graph.json", report)
    assert not codes(report)
    assert back == bare(warmap)
    assert to_json(back) == text


def test_json_says_what_its_page_says(warmap):
    raw = json.loads(to_json(warmap))
    assert list(raw) == [
        "format",
        "name",
        "title",
        "sheets",
        "spaces",
        "hexsides",
        "links",
        "legend",
        "grids",
        "spellings",
        "tracks",
        "placements",
    ]
    assert raw["format"] == 1
    oslo = next(s for s in raw["spaces"] if s["key"] == "Oslo")
    assert oslo["features"] == ["capital", "port"]
    assert "where" not in oslo
    assert "enterable" not in oslo
    assert to_json(warmap).count('\n  {"key": ') == len(warmap.spaces)


@given(st.text(min_size=1), st.floats(allow_nan=False, allow_infinity=False), st.frozensets(st.text()))
def test_any_text_and_number_comes_back(word, number, words):
    space = Space(word, "point", (number, 0.0), name=word, features=words, traits={word: word}, shares={word: number})
    warmap = WarMap("w", word, (Sheet("main", 1.0, 1.0),), (space,), spellings={word: word})
    assert read_json(to_json(warmap), "graph.json", Report()) == warmap


@pytest.mark.parametrize(
    ("change", "code", "key"),
    [
        ({"format": 2}, "S011", "format"),
        ({"spaces": [{"kind": "hex", "at": [0, 0]}]}, "S012", "spaces.0.key"),
        (
            {"spaces": [{"key": "A", "kind": "hexagon", "at": [0, 0]}], "hexsides": [], "links": []},
            "S011",
            "spaces.0.kind",
        ),
        ({"spaces": 5}, "S011", "spaces"),
        ({"more": 5}, "S010", "more"),
        ({"links": [{"a": "Oslo", "b": "Olso", "kind": "road"}]}, "S014", "links.0.b"),
    ],
)
def test_a_wrong_file_is_a_finding(warmap, change, code, key):
    report = Report()
    assert read_json(json.dumps({**json.loads(to_json(warmap)), **change}), "graph.json", report) is None
    assert [(f.rule.code, f.where.key) for f in report] == [(code, key)]


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "[]", "5"])
def test_what_is_no_graph_file_is_a_finding(text):
    report = Report()
    assert read_json(text, "graph.json", report) is None
    assert len(report) == 1


def test_graphml_is_read_by_networkx(warmap):
    back = nx.read_graphml(io.BytesIO(to_graphml(warmap)), force_multigraph=True)
    graph = build_graph(warmap)
    assert list(back) == list(graph)
    assert back.number_of_edges() == graph.number_of_edges()
    oslo = back.nodes["Oslo"]
    assert (oslo["features"], oslo["trait.sea"], oslo["column"], oslo["enterable"]) == (
        "capital port",
        "north",
        0,
        True,
    )
    assert oslo["share.sea"] + oslo["share.clear"] == pytest.approx(1, abs=1e-5)
    kinds = {d["kinds"] for _, _, d in back.edges(data=True) if d.get("cite") == "8.4"}
    assert kinds == {"coast wall"}


def test_graphml_leaves_out_what_xml_cannot_hold():
    warmap = WarMap("w", "", (), (Space("A", "point", (0.0, 0.0), name="a\x00b\x1b"),))
    assert nx.read_graphml(io.BytesIO(to_graphml(warmap))).nodes["A"]["name"] == "ab"


def test_files_do_not_depend_on_the_order_of_sets(warmap, tmp_path):
    (tmp_path / "graph.json").write_text(to_json(warmap), "utf-8")
    code = (
        "import sys; from toolchain.export.graphfiles import *; from toolchain.report import Report\n"
        "w = read_json(open(sys.argv[1], encoding='utf-8').read(), 'g', Report())\n"
        "sys.stdout.buffer.write(to_json(w).encode() + to_graphml(w))"
    )
    out = {
        subprocess.run(
            [sys.executable, "-c", code, tmp_path / "graph.json"],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in "123"
    }
    assert out == {to_json(warmap).encode() + to_graphml(warmap)}
