"""A game on four sheets, end to end: checks, paper for each and for the whole, a module with all of them."""

from __future__ import annotations

import io
import json
import re
import shutil
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner
from seamed import ALL, HEIGHT, LAYERS, LEGEND, RECTANGLE, RIVER, ROAD, STEP, WIDTH, arrangement, sheet, svg

from toolchain.cli import cli

ROOT = Path(__file__).parents[2]
NAMES = {"A": "Harbor,0202", "B": "Hill,0302", "C": "Ford,0401", "D": "Crossing,0202"}
FEATURES = '[[feature]]\nname = "town"\n[[feature]]\nname = "port"\n[[hexside]]\nname = "prohibited"\n'
BOTH = RIVER + "|M-3,15 " + RIVER.split(" ", 1)[1].replace(",5", ",15")
DRAWING = svg(land=ALL, wood="M9,8 h9 v9 h-9z", rivers=BOTH, roads=f"{ROAD}|M{2 * STEP:.9f},-3 V{HEIGHT + 3}")


@pytest.fixture
def project(tmp_path):
    """The tiny game on a map of four sheets."""
    shutil.copytree(ROOT / "tests" / "data" / "projects", tmp_path / "p", ignore=shutil.ignore_patterns("build"))
    home = tmp_path / "p" / "maps" / "tiny"
    shutil.rmtree(home)
    home.mkdir()
    sheets = []
    for name, place in NAMES.items():
        (home / f"{name}.svg").write_text(DRAWING, "utf-8")
        (home / f"{name}.csv").write_text(f"name,hex\n{place}\n", "utf-8")
        sheets.append(sheet(name, text=f'[sheet.places]\nfile = "{name}.csv"\n', title=f"Map {name}"))
    laid = arrangement(
        'sheet = "A", at = [0, 0]',
        'sheet = "B", at = [1, 0], turn = 180',
        'sheet = "C", at = [0, 1]',
        'sheet = "D", at = [1, 1], turn = 180',
    )
    seam = '[seam]\nlayers = ["roads", "rivers"]\n'
    text = "\n".join(["format = 1", 'title = "Quilt"', RECTANGLE, LAYERS, LEGEND, FEATURES, *sheets, laid, seam])
    (home / "map.toml").write_text(text, "utf-8")
    rules = tmp_path / "p" / "modules" / "tiny" / "rules.toml"
    rules.write_text('format = 1\n[[stacking]]\nof = { role = "unit" }\nat_most = 3\n[edges.land]\njoin = "hexside"\n')
    return tmp_path / "p"


def run(project, *arguments, status=0):
    result = CliRunner().invoke(cli, [*arguments, "--root", str(project)])
    assert not isinstance(result.exception, Exception) or isinstance(result.exception, SystemExit), result.exception
    assert result.exit_code == status, result.output
    return result


def test_a_game_on_four_sheets_is_built(project):
    run(project, "build", "tiny")
    out = project / "build" / "tiny"
    made = {p.name for p in (out / "map").iterdir()}
    assert {f"map-{n}.{kind}" for n in ("game", "a", "b", "c", "d") for kind in ("svg", "pdf")} <= made
    sizes = {n: re.search(r'width="([\d.]+)mm"', (out / "map" / f"map-{n}.svg").read_text()) for n in ("game", "a")}
    assert float(sizes["a"][1]) == pytest.approx(WIDTH, abs=0.01)
    assert float(sizes["game"][1]) == pytest.approx(2 * WIDTH, abs=0.01)

    graph = json.loads((out / "map" / "map.json").read_text("utf-8"))
    assert [(p["name"], p.get("turn", 0)) for p in graph["placements"]] == [("A", 0), ("B", 180), ("C", 0), ("D", 180)]
    spaces = {s["key"]: s for s in graph["spaces"]}
    assert {"Harbor", "Hill", "Ford", "Crossing", "A-0101"} <= set(spaces)
    middle = next(s for s in graph["spaces"] if len(s.get("parts", ())) == 4)
    assert middle["traits"]["map"] == "A;B;C;D"

    with zipfile.ZipFile(io.BytesIO((out / "module" / "tiny.vmod").read_bytes())) as module:
        build = module.read("buildFile.xml").decode()
    boards = re.findall(r'<VASSAL.build.module.map.boardPicker.Board [^>]*?name="([^"]*)"', build)
    assert len(boards) == 9  # the arrangement, and each sheet by itself, upright and turned
    assert 'name="A-0101"' in build  # VASSAL cannot number so; each hex has a zone
    assert not [f for f in json.loads((out / "report.json").read_text())["findings"] if f["code"].startswith("M2")]


@pytest.fixture
def two_ways(project):
    """The same sheets in two arrangements, with a set-up on the second."""
    home = project / "maps" / "tiny"
    column = arrangement('sheet = "C", at = [0, 0]', 'sheet = "A", at = [0, 1], turn = 180').replace("Game", "Column")
    with (home / "map.toml").open("a", encoding="utf-8") as file:
        file.write(column + 'links = { file = "joins.csv" }\n')
    (home / "joins.csv").write_text("a,b,kind\nFord,Harbor,road\n", "utf-8")
    (home / "A-check.csv").write_text("hex,terrain\n0101,wood\n", "utf-8")
    setups = project / "modules" / "tiny" / "setups"
    first = next(setups.glob("*.csv")).read_text("utf-8")
    piece = next(line for line in first.splitlines() if line.startswith("piece")).split(",")
    rows = f"what,item,at,state\narrangement,Column,,\npiece,{piece[1]},A-0202,\ncontrol,red,A-0202,\n"
    (setups / "tall.csv").write_text(rows, "utf-8")
    return project


def test_set_ups_lie_on_the_arrangement_that_they_name(two_ways):
    result = run(two_ways, "check", "tiny", "--setup", "tall", "--json")
    assert json.loads(result.stdout)["positions"]["tall"]["pieces"] == 1
    assert len(json.loads(run(two_ways, "check", "tiny", "--json").stdout)["positions"]) > 1
    # On the first arrangement the space is there too; on the second B is not.
    setup = two_ways / "modules" / "tiny" / "setups" / "tall.csv"
    setup.write_text(setup.read_text("utf-8").replace("A-0202", "Hill"), "utf-8")
    said = run(two_ways, "validate", "tiny", status=1).stderr
    assert "the map has no space 'Hill'" in said and "tall.csv:3" in said
    setup.write_text(setup.read_text("utf-8").replace("Column", "Colum"), "utf-8")
    assert "unknown arrangement 'Colum'; did you mean 'Column'?" in run(two_ways, "check", "tiny", status=1).stderr


def test_commands_take_an_arrangement(two_ways, tmp_path):
    graph = json.loads(run(two_ways, "map", "tiny", "--arrangement", "Column").stdout)
    assert [p["name"] for p in graph["placements"]] == ["C", "A"]
    assert [(x["a"], x["b"]) for x in graph["links"] if x["kind"] == "road"] == [("Ford", "Harbor")]
    run(two_ways, "sheets", "tiny", "-o", str(tmp_path / "s"), "--arrangement", "Column")
    assert (tmp_path / "s" / "map-column.svg").exists() and not (tmp_path / "s" / "map-game.svg").exists()
    run(two_ways, "module", "tiny", "-o", str(tmp_path / "m"), "--arrangement", "Column")
    with zipfile.ZipFile(tmp_path / "m" / "tiny.vmod") as module:
        assert [n for n in module.namelist() if n.endswith(".vsav")] == ["tall.vsav"]
    assert (
        "no arrangement 'Colum'; did you mean 'Column'?"
        in run(two_ways, "map", "tiny", "--arrangement", "Colum", status=2).stderr
    )


def test_everything_is_built_for_every_arrangement(two_ways):
    run(two_ways, "build", "tiny")
    made = {p.name for p in (two_ways / "build" / "tiny" / "map").iterdir()}
    assert {"map.json", "map-column.json", "map-column.graphml", "map-column.svg", "map-game.svg"} <= made


def test_each_sheet_is_held_to_its_own_table_and_pairs(two_ways):
    path = two_ways / "maps" / "tiny" / "map.toml"
    own = '[sheet.check]\nfile = "A-check.csv"\n[sheet.fit]\nplaces = ["Harbor", "Grange"]\n'
    own += 'adjacent = [["Harbor", "Grange"]]\n[[sheet]]\nname = "B"'
    path.write_text(path.read_text("utf-8").replace('[[sheet]]\nname = "B"', own), "utf-8")
    (path.parent / "A.csv").write_text("name,x,y\nHarbor,8.66,15\nGrange,26,5\n", "utf-8")
    said = run(two_ways, "validate", "tiny", "--json")
    found = {f["code"]: f["where"] for f in json.loads(said.stdout)["findings"]}
    assert found["M401"]["space"] == "A-0101"
    assert found["M402"]["key"] == "sheet.0.fit.adjacent.0" and found["M402"]["space"] == "A-Harbor"
    fits = json.loads(run(two_ways, "fit", "tiny", "--sheet", "A", "--json", status=0).stdout)
    assert fits["fits"]
    assert "give --sheet NAME, one of: A, B, C, D" in run(two_ways, "fit", "tiny", status=2).stderr


def test_what_only_one_arrangement_has_is_said_with_its_name(two_ways, tmp_path):
    # Without the road of A the Harbour lies apart on the second arrangement only.
    path = two_ways / "maps" / "tiny" / "joins.csv"
    path.write_text("a,b,kind,one_way\nFord,Harbor,trail,\n", "utf-8")
    result = run(two_ways, "validate", "tiny", "--json", "--report", str(tmp_path / "r.svg"), status=1)
    (found,) = [f for f in json.loads(result.stdout)["findings"] if f["code"] == "M106"]
    assert found["message"].endswith("(in Column)") and found["facts"]["arrangements"] == ["Column"]
    assert {p.name for p in tmp_path.glob("r*.svg")} == {"r.svg", "r-2.svg"}


def test_a_broken_seam_fails_validation_and_says_where(project):
    broken = DRAWING.replace(f"M-3,10 L{WIDTH + 3},10", f"M-3,10 L{WIDTH / 2},10")
    (project / "maps" / "tiny" / "C.svg").write_text(broken, "utf-8")
    result = run(project, "validate", "tiny", status=1)
    assert "M213" in result.stderr
    assert "a line of 'roads' leaves A in A-0502" in result.stderr
