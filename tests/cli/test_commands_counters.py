"""toolchain counters: its options and what it writes."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
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
    assert said.exit_code != 0 and "Traceback" not in said.output and "cannot write" in said.output
