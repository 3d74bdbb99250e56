"""map.toml, places.csv and links.csv: what is right is kept, and all that is wrong is said at once."""

from __future__ import annotations

from drawn import HEAD, codes, plan

from toolchain.report import Location

GRID = '[grid]\norientation = "flat"\npitch = 10\norigin = [10, 5]\ncolumns = 3\nrows = 3\n'


def test_a_plan_holds_what_the_files_state(tmp_path):
    places = "name;x;y;column;row;terrain;features;sea;assumed\nOslo;10,5;5;;;;;;\n"
    got, report = plan(tmp_path, places=places)
    assert codes(report) == ["S011", "C114"]  # a decimal comma is no number; that semicolons part cells is said
    (tmp_path / "more").mkdir()
    places = (
        "name,x,y,column,row,hex,terrain,features,sea,cite,assumed\n"
        "Oslo,10.5,5,,,,clear,port capital,atlantic,17.2,\n,,,1,2,,wood,,,,drawn so\nBergen,,,,,0101,,,,,\n"
    )
    links = "a,b,kind,one_way,side,cite\nOslo,Bergen,ferry,yes,red,8\n"
    got, report = plan(tmp_path / "more", places=places, links=links)
    assert not codes(report)
    oslo, wood, bergen = got.places
    assert (oslo.point, oslo.on_sheet, oslo.cell, oslo.terrain) == ((10.5, 5.0), True, None, "clear")
    assert oslo.features == {"port", "capital"}
    assert dict(oslo.traits) == {"sea": "atlantic"}
    assert oslo.where == Location("maps/tiny/places.csv", 2)
    assert (wood.name, wood.cell, wood.assumed) == ("", (1, 2), "drawn so")
    assert bergen.label == "0101"
    (ferry,) = got.links
    assert (ferry.a, ferry.b, ferry.kind, ferry.one_way, dict(ferry.traits)) == (
        "Oslo",
        "Bergen",
        "ferry",
        True,
        {"side": "red"},
    )
    assert got.grid.columns == 3


def test_every_fault_of_map_toml_is_found_in_one_run(tmp_path):
    grid = GRID.replace("pitch = 10", 'pitch = "wide"').replace("rows", "rwos")
    text = (
        '[layers.land]\nfile = "land.geojson"\nwhare = {}\n[[terrain]]\nname = "sea"\noutside = "land"\nrest = true\n'
    )
    got, report = plan(tmp_path, text, grid=grid)
    assert got is None
    found = {(f.rule.code, f.where.key) for f in report}
    assert found == {
        ("S011", "grid.pitch"),
        ("S010", "grid.rwos"),
        ("S012", "grid.rows"),
        ("S010", "layers.land.whare"),
        ("S011", "terrain.0"),
    }
    assert any("did you mean 'where'?" in f.message for f in report)


def test_names_within_map_toml_must_be_defined(tmp_path):
    text = (
        '[[terrain]]\nname = "sea"\noutside = "lnad"\n[[terrain]]\nname = "sea"\nrest = true\ncounts = ["se"]\n'
        '[[hexside]]\nname = "coast"\nborder = "see"\n[[feature]]\nname = "port"\nneeds = "water"\n'
    )
    _, report = plan(tmp_path, text, land=[])
    assert {(f.rule.code, f.where.key) for f in report} == {
        ("S014", "terrain.0.outside"),
        ("S013", "terrain.1.name"),
        ("S014", "terrain.1.counts"),
        ("S014", "hexside.0.border"),
        ("S014", "feature.0.needs"),
    }


def test_no_file_outside_maps_is_read(tmp_path):
    text = '[layers.a]\nfile = "../../secret.geojson"\n[layers.b]\nfile = "/etc/passwd"\n'
    text += '[places]\nfile = "../../../x.csv"\n'
    got, report = plan(tmp_path, text)
    assert codes(report) == ["S003"] * 3
    assert got.paths == {}


def test_a_missing_map_is_a_finding(tmp_path):
    from toolchain.report import Report
    from toolchain.sources.decode.maps import read_map

    report = Report()
    assert read_map(tmp_path, "tiny", report) is None
    assert codes(report) == ["S001"]


def test_rows_of_places_that_cannot_be_used_are_left_out(tmp_path):
    places = (
        "name,lon,lat,x,y,column,row\n"
        "A,8,48,,,,\n"  # no projection
        "B,,,1,,,\n"
        "C,,,nan,1,,\n"
        "D,,,,,1.5,1\n"
        "E,,,,,,\n"
        ",,,1,1,,\n"
        "F,,,1,1,,\n"
    )
    got, report = plan(tmp_path, places=places)
    assert [p.name for p in got.places] == ["F"]
    assert [(f.rule.code, f.where.line, f.where.column) for f in report] == [
        ("S011", 2, "lon"),
        ("S011", 4, "x"),
        ("S011", 5, "column"),
        ("S012", 3, "y"),
        ("S012", 6, ""),
        ("S012", 7, "name"),
    ]


def test_rows_of_links_that_cannot_be_used_are_left_out(tmp_path):
    links = "a,b,kind,one_way\nA,,road,\nA,B,,\nA,B,road,maybe\nA,B,road,no\n"
    got, report = plan(tmp_path, links=links)
    assert [x.where.line for x in got.links] == [5]
    assert [(f.rule.code, f.where.line) for f in report] == [("S011", 4), ("S012", 2), ("S012", 3)]


def test_tables_without_their_columns_are_findings(tmp_path):
    got, report = plan(tmp_path, places="nmae,x\nA,1\n", links="from,to\nA,B\n")
    assert (got.places, got.links) == ((), ())
    assert codes(report) == ["S012"] * 4


def test_a_projection_cannot_name_grid_files(tmp_path):
    text = '[projection]\ncrs = "+proj=lcc +nadgrids=@/etc/passwd"\nscale = 1e6\ncentre = [8, 48]\nat = [20, 20]\n'
    _, report = plan(tmp_path, text)
    assert [(f.rule.code, f.where.key) for f in report] == [("S011", "projection.crs")]


def test_a_grid_is_bounded(tmp_path):
    _, report = plan(tmp_path, grid=GRID.replace("columns = 3", "columns = 5000").replace("rows = 3", "rows = 5000"))
    assert [f.where.key for f in report] == ["grid"]


def test_an_unknown_format_is_refused(tmp_path):
    got, report = plan(tmp_path, head=HEAD.replace("format = 1", "format = 2"))
    assert got is None
    assert [f.where.key for f in report] == ["format"]
