"""The watch: what it serves and to whom, what a change touches, and that nothing broken ends it."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from pathlib import Path
from queue import Empty, Queue

import pytest
from click.testing import CliRunner

from toolchain.cli import cli
from toolchain.cli.serving import HOST, News, Server, State, events
from toolchain.cli.session import Session
from toolchain.cli.watching import Watched, changed, named_files, settle

PROJECTS = Path(__file__).parents[1] / "data" / "projects"


def get(url, path="/", **headers):
    """Ask without following a proxy; return the status, the headers and the body."""
    request = urllib.request.Request(url.rstrip("/") + path, headers=headers)
    try:
        with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=20) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.headers, error.read()


class Watch:
    """A watch that runs, with the news that a browser would hear."""

    def __init__(self, folder: Path) -> None:
        words = [sys.executable, "-m", "toolchain", "watch", "tiny", "--root", str(folder), "--port", "0"]
        self.run = subprocess.Popen(words, stderr=subprocess.PIPE, text=True, env={**os.environ, "COLUMNS": "200"})
        assert self.run.stderr is not None
        self.said: Queue[str] = Queue()
        self.news: Queue[tuple[str, str]] = Queue()
        self._reader = threading.Thread(target=lambda: [self.said.put(line) for line in self.run.stderr], daemon=True)
        self._reader.start()
        found = re.search(r"http://127\.0\.0\.1:\d+/", self.said.get(timeout=60))
        assert found
        self.url = found[0]
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self):
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(self.url + "events", timeout=120) as stream:
                kind = ""
                for raw in stream:
                    word, _, rest = raw.decode().rstrip("\n").partition(": ")
                    if word == "event":
                        kind = rest
                    elif word.startswith("data"):
                        self.news.put((kind, rest))
        except OSError:
            pass  # the watch has ended

    def hears(self, kind):
        """Wait for news of this kind, and return what it says."""
        while True:
            try:
                heard, text = self.news.get(timeout=60)
            except Empty:
                raise AssertionError(f"no news of {kind}") from None
            if heard == kind:
                return text

    def end(self):
        self.run.send_signal(signal.SIGINT)
        status = self.run.wait(30)
        self._reader.join(30)
        self.run.stderr.close()
        return status


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    folder = tmp_path_factory.mktemp("watch")
    shutil.copytree(PROJECTS, folder, dirs_exist_ok=True)
    return folder


def test_it_tells_browsers_of_edits_and_survives_broken_ones(project):
    watch = Watch(project)
    try:
        first = int(watch.hears("made"))
        status, headers, page = get(watch.url)
        assert (status, headers["Cache-Control"], headers["X-Frame-Options"]) == (200, "no-store", "DENY")
        assert page.startswith(b"<!doctype html>") and f'"live":{first}'.encode() in page
        assert b'"t":"Opening"' in page

        # An edit is shown.
        setup = project / "modules" / "tiny" / "setups" / "start.csv"
        sound = setup.read_text()
        setup.write_text(sound.replace("title,Opening", "title,New start"))
        second = int(watch.hears("made"))
        assert second > first
        assert b'"t":"New start"' in get(watch.url)[2]

        # A broken one is told, and the page stays as it was.
        setup.write_text(sound.replace("piece,b1", "piece,b9"))
        trouble = json.loads(watch.hears("trouble"))
        assert "S014" in trouble and "setups/start.csv:10" in trouble and "b9" in trouble
        assert b'"t":"New start"' in get(watch.url)[2]

        # So is a file that goes away, and one with a half of its bytes.
        counters = project / "counters" / "tiny" / "units.csv"
        units = counters.read_bytes()
        counters.unlink()
        assert "units.csv" in json.loads(watch.hears("trouble"))
        counters.write_bytes(units[: len(units) // 2])
        assert "S014" in json.loads(watch.hears("trouble"))

        # Mended, it is made anew and well.
        counters.write_bytes(units)
        setup.write_text(sound)
        assert int(watch.hears("made")) > second
        watch.hears("well")
        assert b'"t":"Opening"' in get(watch.url)[2]
    finally:
        status = watch.end()
    assert status == 0
    said = "".join(watch.said.queue)
    assert said.endswith("ended\n") and "Traceback" not in said
    assert re.search(r"^made: 1 warning, \d+\.\d s$", said, re.M)
    assert re.search(r"^made after start\.csv: 1 warning, \d+\.\d s$", said, re.M)
    assert re.search(r"^not made, the page tells why after units\.csv: \d+ errors", said, re.M)


def test_the_page_follows_the_edits_and_keeps_its_place(browser, tmp_path):
    shutil.copytree(PROJECTS, tmp_path / "p")
    setup = tmp_path / "p" / "modules" / "tiny" / "setups" / "start.csv"
    sound = setup.read_text()
    watch = Watch(tmp_path / "p")
    try:
        browser.size(1000, 700)
        browser.open(watch.url)  # before anything is made: the page waits, and loads itself
        browser.wait("typeof data === 'object' && data.live > 0", 60)
        browser.js("(find('Hill'), pinned = true, zoom(1.5))")
        was = browser.js("[data.live, state.scale, state.x, $('about').innerText]")
        setup.write_text(sound.replace("piece,b1,Hill,full", "piece,b1,Hill,reduced").replace("Opening", "Reduced"))
        browser.wait(f"typeof data === 'object' && data.live > {was[0]} && document.readyState === 'complete'", 30)
        assert browser.wait("$('setup').selectedOptions[0].text") == "Reduced"
        browser.wait("state.space >= 0")
        assert browser.js("[state.scale, state.x, $('about').innerText]") == [*map(pytest.approx, was[1:3]), was[3]]

        setup.write_text(sound.replace("piece,b1", "piece,b9"))
        assert "S014" in browser.wait("!$('trouble').hidden && $('trouble').innerText", 30)
        assert "Hill" in browser.js("$('about').innerText")  # the last page that was whole is still there
        setup.write_text(sound)
        browser.wait("typeof data === 'object' && $('trouble').hidden && map().setups[0].t === 'Opening'", 30)
    finally:
        browser.open("about:blank")
        assert watch.end() == 0


@pytest.fixture
def server():
    news = News()
    made = Server(0, news)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


def test_only_this_machine_gets_only_the_page(server):
    assert server.server_address[0] == HOST
    port = server.server_port
    for host in (f"127.0.0.1:{port}", f"localhost:{port}"):
        status, headers, body = get(server.address, Host=host)
        assert status == 200 and b"being made" in body and "Access-Control-Allow-Origin" not in headers
    for host in ("evil.example", f"evil.example:{port}", "127.0.0.1", f"localhost:{port + 1}", ""):
        assert get(server.address, Host=host)[0] == 403
        assert get(server.address, "/events", Host=host)[0] == 403
    for path in ("/../pyproject.toml", "/view.js", "/events/x", "/?x=1"):
        assert get(server.address, path)[0] == 404
    request = urllib.request.Request(server.address, b"x", method="POST")
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request, timeout=20)
    assert refused.value.code == 501
    refused.value.close()


def test_who_comes_late_hears_how_things_stand():
    good, bad = State(b"x", 7), State(b"x", 7, "error")
    assert events(None, State()) == b"event: well\ndata: \n\n"
    assert events(None, bad) == b'event: made\ndata: 7\n\nevent: trouble\ndata: "error"\n\n'
    assert events(good, bad) == b'event: trouble\ndata: "error"\n\n'
    assert events(bad, State(b"y", 8)) == b"event: made\ndata: 8\n\nevent: well\ndata: \n\n"
    assert events(good, good) == b": still here\n\n"
    assert events(None, State(b"x", 7, "two\nlines")).count(b"\n\n") == 2


def test_a_taken_port_is_said(server):
    result = CliRunner().invoke(cli, ["watch", "tiny", "--root", str(PROJECTS), "--port", str(server.server_port)])
    assert result.exit_code == 2 and "--port" in result.output and "Traceback" not in result.output
    unknown = CliRunner().invoke(cli, ["watch", "tinny", "--root", str(PROJECTS)])
    assert unknown.exit_code == 2 and "did you mean 'tiny'" in unknown.output


@pytest.fixture
def watched(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.copytree(PROJECTS, tmp_path / "p")
    return Watched(Session(tmp_path / "p", "tiny"))


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_only_what_a_change_touches_is_made_anew(watched, monkeypatch):
    import toolchain.export.printing as printing
    import toolchain.survey.maps as maps

    done = []
    survey, draw = maps.survey_map, printing.draw_maps
    monkeypatch.setattr(maps, "survey_map", lambda *a: (done.append("survey"), survey(*a))[1])
    monkeypatch.setattr(printing, "draw_maps", lambda *a: (done.append("draw"), draw(*a))[1])

    def made():
        done.clear()
        out = watched.make(1)
        assert out.page is not None, out.words
        return list(done), out

    root = watched.session.root
    (first, whole), (again, same) = made(), made()
    assert first == ["survey", "draw"] and again == []
    assert same.page == whole.page and [str(f) for f in same.report] == [str(f) for f in whole.report]
    edit(root / "modules/tiny/setups/start.csv", "title,Opening", "title,New")
    edit(root / "counters/tiny/units.csv", "Red 1st", "Red First")
    steps, out = made()
    assert steps == [] and b"Red First" in out.page and b'"t":"New"' in out.page
    edit(root / "maps/tiny/places.csv", "Ford,45,32", "Old Ford,45,32")
    edit(root / "modules/tiny/setups/start.csv", "red,Ford", "red,Old Ford")
    steps, out = made()
    assert steps == ["survey", "draw"] and b"Old Ford" in out.page
    (root / "maps/tiny/style.toml").write_text('format = 1\n[terrain.forest]\nfill = "#123456"\n')
    steps, out = made()
    assert steps == ["draw"] and b"#123456" in out.page


def test_every_file_of_the_game_is_looked_at_and_none_besides(watched):
    root = watched.session.root
    (root / "maps/shared").mkdir()
    shutil.move(root / "maps/tiny/drawing.svg", root / "maps/shared/drawing.svg")
    edit(root / "maps/tiny/map.toml", '"drawing.svg"', '"../shared/drawing.svg"')
    assert list(named_files(root / "maps/tiny")) == [root / "maps/shared/drawing.svg"]
    before = watched.stamps()
    assert {root / "maps/shared/drawing.svg", root / "modules/tiny/rules.toml"} < before.keys()
    assert all(p.parts[len(root.parts) + 1] in ("tiny", "shared") for p in before)
    for name in (".start.csv.swp", "start.csv~", "#start.csv#"):
        (root / "modules/tiny/setups" / name).write_text("an editor's own")
    assert changed(before, watched.stamps()) == []
    (root / "modules/tiny/setups/other.csv").write_text("what,item,at\n")
    (root / "maps/shared/drawing.svg").unlink()
    assert [p.name for p in changed(before, watched.stamps())] == ["drawing.svg", "other.csv"]
    # Elsewhere ends at the folder of the maps, and a broken map.toml makes nobody forget what it named.
    (root / "maps/shared/drawing.svg").write_text("<svg/>")
    edit(root / "maps/tiny/map.toml", 'file = "places.csv"', 'file = "../../../secret.csv"')
    assert list(named_files(root / "maps/tiny")) == [root / "maps/shared/drawing.svg"]
    (root / "maps/tiny/map.toml").write_text("[half")
    assert root / "maps/shared/drawing.svg" in watched.stamps()


def test_a_file_that_is_being_written_is_waited_for(watched):
    target = watched.session.root / "modules/tiny/setups/start.csv"
    before = watched.stamps()[target]
    with target.open("a") as file:
        file.write("\n")
    assert watched.stamps()[target] != before, "every write shows"

    class Written:
        sizes = iter((10, 20, 30, 30, 40))

        def stamps(self):
            return {target: (0, next(self.sizes))}

    assert settle(Written(), 0)[target][1] == 30


def test_files_that_never_rest_do_not_keep_the_game_from_being_made():
    class Restless:
        looks = 0

        def stamps(self):
            self.looks += 1
            return {Path("log.txt"): (self.looks, 1)}

    restless = Restless()
    assert settle(restless, 0, most=5) == {Path("log.txt"): (6, 1)}


def test_a_fault_of_the_tool_is_told_and_does_not_end_the_watch(watched, monkeypatch):
    import toolchain.cli.viewing as viewing

    def broken(*_):
        raise ZeroDivisionError("nothing to share")

    with monkeypatch.context() as patched:
        patched.setattr(viewing, "view_page", broken)
        made = watched.make(1)
        assert made.page is None and "the tool failed: ZeroDivisionError: nothing to share" in made.words
    assert watched.make(2).page is not None


def test_the_whole_game_may_go_and_come_back(watched):
    root = watched.session.root
    shutil.move(root / "modules/tiny", root / "away")
    gone = watched.make(1)
    assert gone.page is None and "game.toml" in gone.words
    shutil.move(root / "away", root / "modules/tiny")
    assert watched.make(2).page is not None
