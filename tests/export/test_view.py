"""The page to look at: whole in itself, and what it shows is what the model and the rules say."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from toolchain.checks.reasons import why
from toolchain.cli import cli
from toolchain.cli.making import Maker
from toolchain.cli.session import Session
from toolchain.cli.viewing import view_page
from toolchain.export.view import page

PROJECTS = Path(__file__).parents[1] / "data" / "projects"


class Elements(HTMLParser):
    """Collect the elements of a page with their attributes, and the text of scripts by id."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.scripts: dict[str, str] = {}
        self.inside: str | None = None

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))
        self.inside = dict(attrs).get("id") or "code" if tag == "script" else None

    def handle_data(self, text):
        if self.inside:
            self.scripts[self.inside] = self.scripts.get(self.inside, "") + text

    def handle_endtag(self, tag):
        self.inside = None


def read(html: bytes) -> Elements:
    parser = Elements()
    parser.feed(html.decode())
    parser.close()
    return parser


@pytest.fixture(scope="module", params=["tiny", "points"])
def made(request):
    session = Session(PROJECTS, request.param, quiet=True)
    loaded = session.load()
    maker = Maker(session, loaded, cached=False)
    html = view_page(maker)
    return maker, html, json.loads(read(html).scripts["data"])


def test_the_page_needs_nothing_from_elsewhere(made):
    _, html, data = made
    for _, attributes in read(html).found:
        for name in ("src", "href", "action"):
            assert not (attributes.get(name) or "").startswith(("http", "//", "file")), attributes
    code = read(html).scripts["code"]
    assert "default-src 'none'" in html.decode() and "http" not in code
    assert all(p.startswith("data:image/png;base64,") for p in data["pictures"])
    assert all(b["img"].startswith("data:image/webp;base64,") for b in data["boards"])


def test_it_holds_every_space_and_piece(made):
    maker, _, data = made
    game = maker.game
    (one,) = data["maps"]
    assert [s["k"] for s in one["spaces"]] == [s.key for s in game.map.spaces]
    assert [c["n"] for c in data["counters"]] == [c.name for c in game.counters]
    for setup, shown in zip(game.setups, one["setups"], strict=True):
        placed = [(data["counters"][p[0]]["n"], one["spaces"][p[1]]["k"], p[2]) for p in shown["pieces"]]
        assert sorted(placed) == sorted((game.counter[p.counter].name, p.at, p.step) for p in setup.pieces)
    sides = sum(len(h.kinds) for h in game.map.hexsides)
    assert len(one["sides"]) == sides
    index = game.map.index
    assert {(w[2], w[3]) for w in one["ways"]} == {(index[x.a], index[x.b]) for x in game.map.links}
    round_the_world = sum(x.traits.get("wrap") == "yes" for x in game.map.links)  # leaves the sheet at both edges
    assert len(one["ways"]) == len(game.map.links) + round_the_world


def test_lines_of_supply_are_those_of_the_rules(made):
    maker, _, data = made
    (one,) = data["maps"]
    keys = [s["k"] for s in one["spaces"]]
    verdicts = maker.judge(maker.game.setups)
    told = 0
    for setup, shown in zip(maker.game.setups, one["setups"], strict=True):
        verdict = verdicts[setup.name]
        accounts = {(a.space, a.grade): a for p in setup.pieces for a in [why(verdict, p.id)]}
        for piece in (p for p in shown["pieces"] if len(p) > 5):
            account = accounts[keys[piece[1]], piece[5]["g"]]
            if account.steps:
                assert [keys[i] for i in piece[5]["p"]] == [account.space, *(s.space for s in account.steps)]
            told += 1
        assert shown["zones"] == {side: sorted(keys.index(k) for k in verdict.zone(side)) for side in maker.game.sides}
    assert told or not maker.game.rulebook.supply


def test_no_text_of_a_game_ends_the_script():
    nasty = "</script><script>alert(1)</script><!-- \u2028"
    html = page(nasty, {"title": nasty})
    elements = read(html)
    assert [t for t, _ in elements.found].count("script") == 2
    assert json.loads(elements.scripts["data"]) == {"title": nasty}
    assert not re.search(rb"<title>[^<]*<script", html)


def test_the_same_game_gives_the_same_page(made):
    maker, html, _ = made
    again = Maker(maker.session, maker.loaded, cached=False)
    assert view_page(again) == html


def test_the_command_writes_one_file(tmp_path):
    target = tmp_path / "x" / "look.html"
    result = CliRunner().invoke(cli, ["view", "tiny", "--root", str(PROJECTS), "-o", str(target)])
    assert result.exit_code == 0, result.output
    assert [p.name for p in target.parent.iterdir() if p.suffix == ".html"] == ["look.html"]
    assert target.read_bytes().startswith(b"<!doctype html>")
