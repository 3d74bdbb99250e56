"""GeoJSON and tables hold the whole map and give it back; the files say what their pages say."""

from __future__ import annotations

import csv
import dataclasses
import io
import json
import re
from pathlib import Path

import numpy as np
import pytest
import shapely
from drawn import TERRAIN, plan, survey

from toolchain.export import geojson, graphfiles, tables
from toolchain.export.geojson import SHEET_UNITS, to_geojson
from toolchain.export.graphfiles import to_graphml, to_json
from toolchain.export.tables import TABLES, to_tables
from toolchain.model.warmap import Hexside, Link, Sheet, Space, Track, WarMap
from toolchain.report import Report
from toolchain.sources.project import read_project
from toolchain.sources.projection import build_projection
from toolchain.survey.game import survey_project

TEXT = (
    '[[hexside]]\nname = "coast"\nborder = "sea"\n[[link]]\nname = "road"\n'
    '[[box]]\nkey = "Rés, \\"A\\" & <1>"\nat = [10, 8]\nsize = [12, 6]\n'
    '[[side]]\nbetween = ["Oslo", "0101"]\nadd = ["wall", "coast"]\ncite = "8.4"\n'
)
LCC = "+proj=lcc +lat_1=40 +lat_2=56 +lon_0={}"
PROJECTION = '[projection]\ncrs = "{}"\nscale = 1e6\nturn = 12\ncentre = [{}, 48.0]\nat = [20, 20]\n'


@pytest.fixture
def warmap(tmp_path):
    links = 'a,b,kind,one_way,nation\nOslo,"Rés, ""A"" & <1>",road,yes,GE\n'
    places = "name,column,row,features,sea,cite\nOslo,0,1,port capital,north,1\n"
    land = [shapely.box(-50, -50, 15, 90)]
    return survey(tmp_path, TERRAIN + TEXT, land=land, wood=[], places=places, links=links)[0]


def projection_of(folder, lon):
    read, report = plan(folder, PROJECTION.format(LCC.format(lon), lon))
    projection = build_projection(read, report)
    assert projection is not None
    return projection


def parts(text):
    found = json.loads(text)["features"]
    return [[f for f in found if f["properties"]["part"] == part] for part in ("space", "hexside", "link")]


def space_of(feature):
    """Make a space again of its feature."""
    p, g = feature["properties"], feature["geometry"]
    return Space(
        p["key"],
        p["kind"],
        (p["x"], p["y"]),
        p.get("name", ""),
        p.get("label", ""),
        (p["column"], p["row"]) if "column" in p else None,
        tuple(map(tuple, g["coordinates"][0][:-1])) if g["type"] == "Polygon" else (),
        p["sheet"],
        p.get("terrain", ""),
        {k[6:]: v for k, v in p.items() if k.startswith("share.")},
        frozenset(p["features"].split()),
        {k[6:]: v for k, v in p.items() if k.startswith("trait.")},
        p["enterable"],
        p.get("cite", ""),
        p.get("assumed", ""),
    )


def test_geojson_on_the_sheet_gives_the_map_back(warmap):
    text = to_geojson(warmap)
    assert json.loads(text)["units"] == SHEET_UNITS
    spaces, sides, links = parts(text)
    assert [space_of(f) for f in spaces] == [dataclasses.replace(s, where=type(s.where)()) for s in warmap.spaces]
    back = [
        Hexside(
            f["properties"]["a"],
            f["properties"]["b"],
            tuple(map(tuple, f["geometry"]["coordinates"])),
            frozenset(f["properties"]["kinds"].split()),
            cite=f["properties"].get("cite", ""),
        )
        for f in sides
    ]
    assert back == list(warmap.hexsides)
    (link,) = links
    assert (link["properties"]["one_way"], link["properties"]["trait.nation"]) == (True, "GE")
    assert link["geometry"]["coordinates"] == [[10.0, 15.0], [10.0, 8.0]]
    assert text == to_geojson(warmap)


@pytest.mark.parametrize("lon", [8.0, 179.999])
def test_geojson_in_degrees_lies_where_the_map_does(warmap, tmp_path, lon):
    projection = projection_of(tmp_path / "p", lon)
    raw = json.loads(to_geojson(warmap, projection))
    assert "units" not in raw
    for feature, space in zip(raw["features"], warmap.spaces, strict=False):
        ring = np.array(feature["geometry"]["coordinates"][0])
        assert shapely.LinearRing(ring).is_ccw
        assert np.ptp(ring[:, 0]) < 1, "no ring goes round the world"
        assert projection.to_sheet(ring[:-1][::-1]) == pytest.approx(np.array(space.outline), abs=1e-3)


def test_what_a_projection_cannot_show_has_no_geometry(tmp_path):
    projection = projection_of(tmp_path, 8.0)
    far = WarMap("w", "", (), (Space("A", "point", (1e9, 1e9)), Space("B", "point", (20.0, 20.0))))
    a, b = json.loads(to_geojson(far, projection))["features"]
    assert a["geometry"] is None or np.isfinite(a["geometry"]["coordinates"]).all()
    assert b["geometry"]["coordinates"] == pytest.approx([8.0, 48.0])


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_tables_give_the_map_back(warmap):
    made = to_tables(warmap)
    assert tuple(made) == TABLES
    spaces = [
        Space(
            r["key"],
            r["kind"],
            (float(r["x"]), float(r["y"])),
            r["name"],
            r["label"],
            (int(r["column"]), int(r["row"])) if r["column"] else None,
            sheet=r["sheet"],
            terrain=r["terrain"],
            shares={k[6:]: float(v) for k, v in r.items() if k.startswith("share.") and v},
            features=frozenset(r["features"].split()),
            traits={k[6:]: v for k, v in r.items() if k.startswith("trait.") and v},
            enterable=r["enterable"] == "yes",
            cite=r["cite"],
            assumed=r["assumed"],
        )
        for r in read(made["hexes"])
    ]
    assert spaces == [dataclasses.replace(s, outline=(), where=type(s.where)()) for s in warmap.spaces]
    sides = [
        Hexside(
            r["a"],
            r["b"],
            ((float(r["x1"]), float(r["y1"])), (float(r["x2"]), float(r["y2"]))),
            frozenset(r["kinds"].split()),
            r["name"],
            r["cite"],
            r["assumed"],
        )
        for r in read(made["hexsides"])
    ]
    assert sides == list(warmap.hexsides)
    (row,) = read(made["links"])
    link = Link(row["a"], row["b"], row["kind"], row["one_way"] == "yes", {"nation": row["trait.nation"]})
    assert link == dataclasses.replace(warmap.links[0], where=type(warmap.links[0].where)())


def test_tables_say_longitude_and_latitude_where_there_are_any(warmap, tmp_path):
    projection = projection_of(tmp_path / "p", 8.0)
    rows = read(to_tables(warmap, projection)["hexes"])
    degrees = [(float(r["lon"]), float(r["lat"])) for r in rows]
    assert projection.to_sheet(degrees) == pytest.approx(np.array([s.at for s in warmap.spaces]), abs=1e-3)


def test_an_empty_map_has_empty_files():
    empty = WarMap("w", "", (Sheet("main", 1, 1),), ())
    assert json.loads(to_geojson(empty))["features"] == []
    assert [len(t.splitlines()) for t in to_tables(empty).values()] == [1, 1, 1]


@pytest.mark.parametrize("module", [graphfiles, geojson, tables], ids=lambda m: m.__name__.split(".")[-1])
def test_the_examples_on_the_pages_are_true(module):
    """Every example stands, but for spaces and line breaks, in a file of the tiny game."""
    report = Report()
    project = read_project(Path(__file__).parents[1] / "data" / "projects", "tiny", report)
    whole = survey_project(project, report).game.map
    made = "".join([to_json(whole), to_graphml(whole).decode(), to_geojson(whole), *to_tables(whole).values()])
    examples = re.findall(r"^Example.*?:\n\n((?:    .*\n?)+)", module.__doc__, re.M)
    assert examples
    for example in examples:
        for piece in example.split("..."):
            lines = [re.sub(r"\s", "", line) for line in piece.splitlines()]
            assert "".join(lines) in re.sub(r"\s", "", made), piece


def test_drawn_lines_keep_their_shape_and_tracks_come_back():
    spaces = tuple(Space(k, "point", (x, 0.0)) for k, x in (("A", 0.0), ("B", 9.0)))
    bent = ((0.0, 0.0), (4.0, 5.0), (9.0, 0.0))
    links = (Link("A", "B", "rail", line=bent), Link("A", "B", "road"))
    warmap = WarMap("w", "", (), spaces, links=links, tracks=(Track("Turn", "Turn", ("A", "B"), ("1", "2")),))
    _, _, (rail, road) = parts(to_geojson(warmap))
    assert rail["geometry"]["coordinates"] == [list(p) for p in bent]
    assert road["geometry"]["coordinates"] == [[0.0, 0.0], [9.0, 0.0]]
    assert graphfiles.read_json(to_json(warmap), "g.json", Report()) == warmap
