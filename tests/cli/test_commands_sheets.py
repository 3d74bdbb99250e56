"""A game on four sheets, end to end: checks, one sheet of paper each and one of the whole, a module of one board."""

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
    assert build.count("<VASSAL.build.module.map.boardPicker.Board ") == 1
    assert 'name="A-0101"' in build  # VASSAL cannot number so; each hex has a zone
    assert not [f for f in json.loads((out / "report.json").read_text())["findings"] if f["code"].startswith("M2")]


def test_a_broken_seam_fails_validation_and_says_where(project):
    broken = DRAWING.replace(f"M-3,10 L{WIDTH + 3},10", f"M-3,10 L{WIDTH / 2},10")
    (project / "maps" / "tiny" / "C.svg").write_text(broken, "utf-8")
    result = run(project, "validate", "tiny", status=1)
    assert "M213" in result.stderr
    assert "a line of 'roads' leaves A in A-0502" in result.stderr
