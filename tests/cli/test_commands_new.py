"""toolchain new: a small game that builds as it stands, where nothing was before."""

from __future__ import annotations

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from pypdf import PdfReader

from toolchain.cli import cli

ROOT = Path(__file__).parents[2]
PT = 72 / 25.4


def new(folder: str) -> Result:
    return CliRunner().invoke(cli, ["new", folder])


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small game, made and built in an empty folder as a maker would."""
    folder = tmp_path_factory.mktemp("new")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        said = new("my-game")
        assert said.exit_code == 0 and "toolchain build my-game" in said.output
        patch.chdir(folder / "my-game")
        done = CliRunner().invoke(cli, ["build", "my-game", "--json", "--fail-on", "warning"])
        assert done.exit_code == 0, done.output
        assert [f for f in json.loads(done.stdout)["findings"] if f["severity"] != "note"] == []
    return folder / "my-game"


def test_it_builds_without_a_finding(built: Path) -> None:
    made = {str(p.relative_to(built / "build" / "my-game")) for p in (built / "build").rglob("*") if p.is_file()}
    assert {"map/map-main.pdf", "counters/sheet-5-8.pdf", "counters/chart-combat.pdf", "module/my-game.vmod"} <= made


@pytest.mark.parametrize(
    "command",
    [
        ["validate", "my-game"],
        ["check", "my-game"],
        ["check", "my-game", "--setup", "dawn", "--why", "b-inf-12"],
        ["move", "my-game", "r-guard", "--setup", "dawn"],
        ["map", "my-game", "--format", "csv"],
        ["fit", "my-game", "--best", "1"],
        ["counters", "my-game", "--fold"],
        ["sheets", "my-game", "--tile", "a4"],
        ["module", "my-game"],
    ],
    ids=lambda c: " ".join(c[::2]),
)
def test_every_command_is_content_with_it(command: list[str], built: Path, tmp_path: Path) -> None:
    more = ["-o", str(tmp_path / "out")] if command[0] in ("map", "counters", "sheets", "module") else []
    said = CliRunner().invoke(cli, [*command, "--root", str(built), "--fail-on", "warning", "-q", *more])
    assert said.exit_code == 0, said.output


def test_it_prints_on_home_paper(built: Path) -> None:
    sheet = PdfReader(built / "build/my-game/map/map-main.pdf").pages
    width, height = (float(v) / PT for v in sheet[0].mediabox[2:])
    assert len(sheet) == 2 and width <= 279.4 and height <= 210, "the map, which A4 and Letter take, and its chart"
    counters = PdfReader(built / "build/my-game/counters/sheet-5-8.pdf").pages
    assert [float(v) / PT for v in counters[0].mediabox[2:]] == pytest.approx([210, 297]) and len(counters) == 2


def test_the_rules_for_players_have_every_number_that_is_cited(built: Path) -> None:
    sections = set(re.findall(r"^## (\d+)", (built / "modules/my-game/rules.md").read_text("utf-8"), re.M))
    tables = "".join(p.read_text("utf-8") for p in sorted((built / "m").parent.rglob("*.toml")))
    assert set(re.findall(r'^cite = "(\d+)"', tables, re.M)) == sections - {"1", "8"}


def test_the_readme_names_only_files_that_there_are(built: Path) -> None:
    text = (built / "README.md").read_text("utf-8")
    named = re.findall(r"`((?:maps|counters|modules)/[^`]+)`", text)
    assert len(named) > 6 and all(list(built.glob(n)) for n in named) and "GAME" not in text


@pytest.mark.parametrize("name", ["there", "file"])
def test_what_is_there_is_never_touched(name: str, tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "mine.txt").write_text("mine")
    (tmp_path / "file").write_text("mine")
    said = new(str(tmp_path / name))
    assert said.exit_code == 2 and "not empty" in said.output
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["file", "mine.txt", "there"]


def test_an_empty_folder_will_do_and_its_name_becomes_the_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "Mein Spiel, 2. Fassung"
    folder.mkdir()
    monkeypatch.chdir(folder)
    said = new(".")
    assert said.exit_code == 0 and "toolchain build mein-spiel-2-fassung" in said.output
    assert sorted(p.name for p in folder.iterdir()) == ["README.md", "counters", "maps", "modules"]
    assert (folder / "modules" / "mein-spiel-2-fassung" / "setups" / "dawn.csv").is_file()


def test_a_disk_that_is_full_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    count = 0

    def full(self: Path, data: bytes) -> int:
        nonlocal count
        count += 1
        if count > 4:
            raise OSError(28, "No space left on device")
        with self.open("wb") as file:
            return file.write(data)

    monkeypatch.setattr(Path, "write_bytes", full)
    said = new(str(tmp_path / "game"))
    assert said.exit_code == 2 and "No space left" in said.output and "Traceback" not in said.output
    assert list(tmp_path.iterdir()) == []


def test_everything_that_is_no_code_is_packed_into_the_wheel() -> None:
    globs = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["package-data"]
    top = Path(str(files("toolchain")))
    packed = {p for pattern in globs["toolchain"] for p in top.glob(pattern) if p.is_file()}
    data = {p for p in top.rglob("*") if p.is_file() and p.suffix not in (".py", ".pyc")}
    assert data and data == packed
