"""toolchain counters: its options and what it writes."""

from __future__ import annotations

import errno
import json
import shutil
import subprocess
import sys
from collections import Counter as Tally
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from PIL import Image as Pixels
from pypdf import PdfReader

from toolchain.cli import cli

PROJECTS = Path(__file__).parents[1] / "data" / "projects"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    shutil.copytree(PROJECTS, tmp_path / "p")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "p"


def run(project: Path, *arguments: str) -> Result:
    return CliRunner().invoke(cli, ["counters", "tiny", "--root", str(project), "-q", *arguments])


def test_sheets_charts_and_manifest(project: Path, tmp_path: Path) -> None:
    assert run(project, "-o", str(tmp_path / "out"), "--paper", "letter").exit_code == 0
    made = {p.name for p in (tmp_path / "out").iterdir()}
    assert {"sheet-5-8.pdf", "sheet-5-8-1-front.svg", "sheet-5-8-1-back.svg", "manifest.csv", "manifest.json"} <= made
    assert json.loads((tmp_path / "out" / "manifest.json").read_text("utf-8"))["counters"] == 5
    box = PdfReader(tmp_path / "out" / "sheet-5-8.pdf").pages[0].mediabox
    assert [float(v) for v in box] == pytest.approx([0, 0, 612, 792])
    assert (tmp_path / "cache" / "wargame-toolchain" / "faces.sqlite").exists()


def test_the_same_bytes_with_and_without_kept_faces(project: Path, tmp_path: Path) -> None:
    for name, more in (("a", ()), ("b", ()), ("c", ("--no-cache",))):
        assert run(project, "-o", str(tmp_path / name), *more).exit_code == 0
    for file in (p for p in (tmp_path / "a").rglob("*") if p.is_file()):
        data = file.read_bytes()
        assert data == (tmp_path / "b" / file.relative_to(tmp_path / "a")).read_bytes()
        assert data == (tmp_path / "c" / file.relative_to(tmp_path / "a")).read_bytes()


def test_png_at_a_stated_resolution(project: Path, tmp_path: Path) -> None:
    assert run(project, "-o", str(tmp_path / "out"), "--dpi", "254").exit_code == 0
    with (
        Pixels.open(tmp_path / "out" / "sheet-5-8-1-front.png") as sheet,
        Pixels.open(next((tmp_path / "out" / "faces").glob("*.png"))) as face,
    ):
        assert sheet.size == (2100, 2970) and sheet.info["dpi"] == pytest.approx((254, 254), abs=0.1)
        assert face.size == (159, 159) and face.info["dpi"] == pytest.approx((254, 254), abs=0.1)
    assert len(list((tmp_path / "out" / "faces").glob("*.png"))) == len(
        list((tmp_path / "out" / "faces").glob("*.svg"))
    )


def test_calibration_is_one_file_of_two_pages(project: Path, tmp_path: Path) -> None:
    assert run(project, "-o", str(tmp_path / "out"), "--calibration", "--back-offset", "0.5,-1").exit_code == 0
    assert [p.name for p in (tmp_path / "out").iterdir() if not p.name.startswith(".")] == ["calibration.pdf"]
    assert len(PdfReader(tmp_path / "out" / "calibration.pdf").pages) == 2


@pytest.mark.parametrize("offset", ["1", "1;2", "a,b", "11,0"])
def test_an_offset_that_is_none_is_said(project: Path, offset: str) -> None:
    said = run(project, "--back-offset", offset)
    assert said.exit_code == 2 and offset in said.output


def test_a_place_that_cannot_be_written_is_said(project: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    said = run(project, "-o", str(tmp_path / "file" / "out"))
    assert said.exit_code == 2 and "Traceback" not in said.output and "cannot write" in said.output


HEAD = "id,name,side,symbol,size,layout,attack,back_attack\n"


def with_rows(project: Path, rows: list[str]) -> None:
    """Put a counter table of these rows in the place of the project's, and take away what names its counters."""
    (project / "counters/tiny/units.csv").write_text(HEAD + "".join(f"{r}\n" for r in rows), "utf-8")
    (project / "modules/tiny/setups/start.csv").unlink()


def test_fifty_thousand_rows_are_read_to_the_end_and_told_in_few_lines(project: Path) -> None:
    with_rows(project, [f"u{i},U {i},{'rde' if i % 2 else 'red'},infantry corps,5/8,unit,{i},1" for i in range(50_000)])
    said = CliRunner().invoke(cli, ["validate", "tiny", "--root", str(project)])
    assert said.exit_code == 1 and len(said.stderr.splitlines()) < 30
    assert "unknown side 'rde'; did you mean 'red'? (and in rows 5, 7, 9, 11, 13, 15 and 24993 more)" in said.stderr
    assert "C110" in said.stderr and "the table prints 50000 counters; at most 10000 are drawn" in said.stderr
    every = json.loads(CliRunner().invoke(cli, ["validate", "tiny", "--root", str(project), "--json"]).stdout)
    lines = [f["where"]["line"] for f in every["findings"] if f["where"].get("column") == "side"]
    assert lines == list(range(3, 50_002, 2)), "none is left out"


def test_many_different_mistakes_of_one_kind_are_counted(project: Path) -> None:
    with_rows(project, [f"u{i},U {i},side{i},infantry corps,5/8,unit,{i},1" for i in range(70)])
    said = CliRunner().invoke(cli, ["validate", "tiny", "--root", str(project)])
    assert said.stderr.count("unknown side") == 50 and "… and 20 more of S014" in said.stderr
    assert (
        CliRunner().invoke(cli, ["validate", "tiny", "--root", str(project), "-v"]).stderr.count("unknown side") == 70
    )


def test_formulas_line_breaks_and_quotes_of_a_spreadsheet(project: Path, tmp_path: Path) -> None:
    bad = [
        'a,"=HYPERLINK(""http://example.org"",""A"")",red,infantry corps,5/8,unit,1,1',
        "b,B,red,infantry corps,5/8,unit,=1+1,1",
        'c,"The ""Old"" C\nof two lines",red,infantry corps,5/8,unit,#REF!,1',
        "d,D,red,infantry corps,5/8,unit,1,1",
    ]
    with_rows(project, bad)
    (tmp_path / "out").mkdir()
    said = run(project, "-o", str(tmp_path / "out"), "--json")
    found = [
        (f["where"]["line"], f["where"]["column"]) for f in json.loads(said.stdout)["findings"] if f["code"] == "C106"
    ]
    assert said.exit_code == 1 and found == [(2, "name"), (3, "attack"), (4, "attack")]
    assert list((tmp_path / "out").iterdir()) == [], "nothing is written while there is an error"


def test_every_slip_of_a_table_is_said_in_one_run(project: Path) -> None:
    rows = [
        "a,A,rde,infantry corps,5/8,unit,1,1",
        "a,A,red,infantry corps,5/8,unit,1,1",
        "b,B,red,infantery corps,5/8,unit,1,1",
        "c,C,red,infantry corps,5/9,unit,1,1",
        "d,D,red,infantry corps,5/8,unti,1,1",
        ",E,red,infantry corps,5/8,unit,1,1",
        "f,F,red,infantry corps,5/8,unit,1,1,9",
    ]
    with_rows(project, rows)
    text = (project / "counters/tiny/units.csv").read_text("utf-8").replace("attack,back_attack", "attack,attack")
    (project / "counters/tiny/units.csv").write_text(text, "utf-8")
    said = CliRunner().invoke(cli, ["build", "tiny", "--root", str(project), "--json"])
    found = Tally(
        f["code"] for f in json.loads(said.stdout)["findings"] if f["where"].get("file", "").endswith("units.csv")
    )
    assert {"S011", "S012", "S013", "S014", "C101", "C102", "C203"} <= set(found), found
    assert not (project / "build").exists()


def test_one_wrong_cell_is_said_alone_and_beside_what_drawing_finds(project: Path) -> None:
    table = project / "counters/tiny/units.csv"
    text = table.read_text("utf-8").replace(",red,", ",rde,").replace("infantry corps", "infantery corps")
    table.write_text(text, "utf-8")
    found = [(f["code"], f["where"].get("column")) for f in json.loads(run(project, "--json").stdout)["findings"]]
    assert set(found) >= {("S014", "side"), ("C203", "symbol")}
    assert ("S014", "item") not in found, "the set-up finds its counters"


def test_validate_draws_the_counters_to_judge_them(project: Path) -> None:
    table = project / "counters/tiny/units.csv"
    table.write_text(table.read_text("utf-8").replace("infantry corps", "infantery corps"), "utf-8")
    said = CliRunner().invoke(cli, ["validate", "tiny", "--root", str(project)])
    assert said.exit_code == 1 and "C203" in said.stderr


def test_a_table_that_cannot_be_read_does_not_fill_the_screen(project: Path) -> None:
    (project / "counters/tiny/units.csv").write_bytes("id\tname\n".encode("utf-16"))
    said = run(project, "--json")
    found = [(f["code"], f["message"]) for f in json.loads(said.stdout)["findings"] if f["severity"] == "error"]
    assert ("S002", "units.csv is written in UTF-16; save it in UTF-8") in found
    assert [c for c, _ in found].count("S014") == 1 and "R101" not in [c for c, _ in found]


def test_an_empty_table_is_a_finding(project: Path) -> None:
    for text in ("", "\n\n"):
        (project / "counters/tiny/units.csv").write_text(text, "utf-8")
        said = run(project)
        assert said.exit_code == 1 and "counters/tiny/units.csv: the table is empty" in said.output


@pytest.mark.parametrize("after", [0, 1, 5, 10])
def test_a_full_disk_leaves_the_last_output_whole(
    after: int, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    assert run(project, "-o", str(out)).exit_code == 0
    before = {p.relative_to(out): p.read_bytes() for p in out.rglob("*") if p.is_file()}
    table = project / "counters/tiny/units.csv"
    table.write_text(table.read_text("utf-8").replace("armor corps", "mech infantry corps"), "utf-8")
    real, written = Path.write_bytes, 0

    def full(self: Path, data: Any) -> int:
        nonlocal written
        written += 1
        if written > after:
            real(self, bytes(data)[:10])
            raise OSError(errno.ENOSPC, "No space left on device")
        return real(self, data)

    monkeypatch.setattr(Path, "write_bytes", full)
    said = run(project, "-o", str(out))
    assert said.exit_code == 2 and "No space left on device" in said.output and "Traceback" not in said.output
    assert {p.relative_to(out): p.read_bytes() for p in out.rglob("*") if p.is_file()} == before


def test_a_folder_that_may_not_be_written_is_said(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_: Any, **__: Any) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "mkdir", denied)
    said = run(project, "-o", str(tmp_path / "out"))
    assert said.exit_code == 2 and "Permission denied" in said.output and not (tmp_path / "out").exists()


def test_a_full_disk_behind_standard_output_is_said(project: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    command = [sys.executable, "-m", "toolchain", "map", "tiny", "--root", str(project), "--format", "json", "-o", "-"]
    with full.open("wb") as out:
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2 and "No space left on device" in done.stderr and "Traceback" not in done.stderr
