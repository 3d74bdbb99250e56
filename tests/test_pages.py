"""The pages hold: those of the games, every link and picture in them, and the examples that commands give in --help."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from PIL import Image

from toolchain.cli import COMMANDS, cli

ROOT = Path(__file__).parent.parent
GAMES = sorted(p.name for p in (ROOT / "modules").iterdir() if p.is_dir())
PARTS = [ROOT / part for part in ("maps", "counters", "modules")]
PAGES = [ROOT / "README.md", *sorted(page for part in PARTS for page in part.rglob("*.md"))]
MOST = 600 * 1000  # bytes of a picture: pages are read over slow lines too
EXAMPLE = re.compile(r"^ {4,}(toolchain .*)$", re.M)
EXAMPLES = [
    line
    for name in COMMANDS
    for line in EXAMPLE.findall(cli.get_command(click.Context(cli), name).help.replace("\b", ""))  # type: ignore[union-attr]
]
# What an example may name that a game just made has not: pieces, set-ups and files of some other game.
ELSEWHERE = re.compile(r"campaign|turn-3|us-corps|vmod|--open|watch|last-year|&&")


def text_of(page: Path) -> str:
    """Return a page without its examples of code."""
    return re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.M | re.S)


@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_page_that_names_its_setups_and_what_is_whose(game: str) -> None:
    page = (ROOT / "modules" / game / "README.md").read_text("utf-8")
    said = page.casefold()
    setups = [p.stem for p in (ROOT / "modules" / game / "setups").glob("*.csv")]
    assert setups and all(s in said or s.replace("-", " ") in said for s in setups)
    assert "`assumed`" in page and "`cite`" in page and re.search(r"^!\[.+\]\(.+\)", page, re.M)
    assert f"(modules/{game}/README.md)" in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT).as_posix())
def test_what_a_page_links_and_shows_is_there(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if "://" not in target:
            file = page.parent / target
            assert file.exists(), target
            if file.suffix == ".png":
                assert file.stat().st_size <= MOST, target
                with Image.open(file) as picture:
                    picture.verify()


def test_every_picture_is_shown_somewhere() -> None:
    shown = {
        (page.parent / target).resolve()
        for page in PAGES
        for target in re.findall(r"\]\(([^)\s]+\.png)\)", text_of(page))
    }
    there = {p for part in PARTS for p in part.glob("**/pictures/*.png")}
    assert {p.resolve() for p in there} == shown


@pytest.mark.parametrize("line", EXAMPLES)
def test_an_example_of_help_has_no_option_that_is_not_there(line: str) -> None:
    for words in (shlex.split(part) for part in line.split("&&")):
        if words[0] == "toolchain":
            command = cli.get_command(click.Context(cli), words[1])
            assert command is not None, words[1]
            known = {name for p in command.params for name in (*p.opts, *p.secondary_opts)}
            assert {w for w in words if w.startswith("-")} <= known


def test_the_examples_of_help_work_on_a_new_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert CliRunner().invoke(cli, ["new", "my-game"]).exit_code == 0
    monkeypatch.chdir("my-game")
    tried = [line for line in EXAMPLES if not ELSEWHERE.search(line)]
    assert len(tried) > 15
    for line in tried:
        done = CliRunner().invoke(cli, shlex.split(line.split(" > ")[0].replace("--dpi 300", "--dpi 30"))[1:])
        assert done.exit_code == 0, line + done.output
