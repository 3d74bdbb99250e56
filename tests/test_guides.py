"""The guides hold: their examples run, the walk works when followed, and no key of the models is missing."""

from __future__ import annotations

import re
import subprocess
import sys
import typing
from pathlib import Path

import pytest
from click.testing import CliRunner
from pydantic import BaseModel

from toolchain.cli import cli
from toolchain.sources.decode.maps import MapData
from toolchain.sources.decode.places import LINK_COLUMNS, PLACE_COLUMNS
from toolchain.sources.decode.sheets import ArrangementData, SeamData

ROOT = Path(__file__).parent.parent
GUIDE = ROOT / "maps" / "README.md"


@pytest.mark.parametrize("guide", ["README.md", "maps/README.md"])
def test_the_python_examples_run_one_after_the_other(guide, monkeypatch, capsys):
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / guide).read_text("utf-8"), re.M | re.S)
    assert blocks
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {"__name__": "example"}
    for block in blocks:
        exec(compile(block, guide, "exec"), names)
    assert capsys.readouterr().out


STEP = re.compile(
    r"^<!-- walk(?P<say>.*?) -->\n```(?P<kind>sh|csv)\n(?P<block>.*?)^```"
    r"|hange\s+`(?P<old>[^`]+)`\s+to\s+`(?P<new>[^`]+)`\s+in\s+`(?P<file>[^`]+)`"
    r"|(?P<back>Put it back)",
    re.M | re.S,
)


@pytest.mark.parametrize("guide", ["README.md", "maps/README.md", "counters/README.md", "modules/README.md"])
def test_the_walk_works_when_followed(guide, tmp_path, monkeypatch):
    """A walk is commands, rows for a table, and sentences "change `this` to `that` in `file`" and "Put it back".

    Commands end with status 0, but those under a word such as <!-- walk P101 -->: they end with 1 and say that word.
    """
    monkeypatch.chdir(tmp_path)
    before: tuple[Path, str] | None = None
    done = 0
    for step in STEP.finditer((ROOT / guide).read_text("utf-8")):
        say = step["say"].strip() if step["say"] else ""
        if step["file"]:
            before = Path(step["file"]), Path(step["file"]).read_text("utf-8")
            assert before[1].count(step["old"]) == 1, step["old"]
            before[0].write_text(before[1].replace(step["old"], step["new"]), "utf-8")
        elif step["back"]:
            assert before is not None
            before[0].write_text(before[1], "utf-8")
        elif step["kind"] == "csv":
            with Path(say).open("a", encoding="utf-8") as table:
                table.write(step["block"])
        else:
            for line in step["block"].splitlines():
                done += follow(line.split(), say, monkeypatch)
    assert done > 1


def follow(words: list[str], say: str, monkeypatch: pytest.MonkeyPatch) -> int:
    """Carry out one command of a guide; return 1 if it was one of the toolchain."""
    if words[0] == "cd":
        monkeypatch.chdir(words[1])
    elif words[0] == "python":
        subprocess.run([sys.executable, *words[1:]], check=True)
    else:
        assert words[0] == "toolchain"
        result = CliRunner().invoke(cli, words[1:])
        assert result.exit_code == (1 if say else 0) and say in result.output, result.output
    return words[0] == "toolchain"


@pytest.mark.parametrize("kind", ["json", "graphml", "geojson", "csv"])
def test_what_comes_out_is_as_the_guide_shows(kind, tmp_path):
    """Every piece of the examples stands in the files, in this order."""
    (block,) = re.findall(rf"^<!-- out {kind} -->\n```text\n(.*?)^```", GUIDE.read_text("utf-8"), re.M | re.S)
    output = tmp_path / "out"
    command = ["map", "tiny", "--root", str(ROOT / "tests" / "data" / "projects"), "--format", kind, "-o", str(output)]
    assert CliRunner().invoke(cli, command).exit_code == 0
    tables = [output / f"{name}.csv" for name in ("hexes", "hexsides", "links")] if kind == "csv" else [output]
    text = "".join(" ".join(path.read_text("utf-8").split()) + " " for path in tables)
    at = 0
    for piece in (" ".join(p.split()) for line in block.splitlines() for p in line.split("…")):
        assert piece in text[at:], piece
        at = text.index(piece, at)


def sections():
    """Return the documented keys of each part of map.toml, by the names in its heading."""
    out: dict[str, set[str]] = {}
    for heading, body in re.findall(r"^### (.*?)\n(.*?)(?=^##|\Z)", GUIDE.read_text("utf-8"), re.M | re.S):
        keys = {k for row in re.findall(r"^\| (`[^|]*) \|", body, re.M) for k in re.findall(r"`(\w+)`", row)}
        for name in re.findall(r"`\[+([\w.]+)\]+`", heading) or ["top"]:
            out[name.replace("NAME", "*")] = keys
    return out


def models(kind, path=""):
    """Yield every part of map.toml with the keys of its model."""
    yield path or "top", {f.alias or n for n, f in kind.model_fields.items()}
    for name, field in kind.model_fields.items():
        for inner in dict.fromkeys(leaves(field.annotation)):
            within = f"{path}.{field.alias or name}".lstrip(".")
            yield from models(inner, "layers.*" if within == "layers" else within)


def leaves(kind):
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        yield kind
    for inner in typing.get_args(kind):
        yield from leaves(inner)


def test_every_key_of_map_toml_is_in_the_guide_and_none_that_is_not():
    documented = sections()
    for path, keys in (*models(MapData), *models(ArrangementData, "arrangement"), *models(SeamData, "seam")):
        assert documented.get(path) == keys, f"maps/README.md, the keys of {path}"


def test_every_column_of_the_tables_is_in_the_guide():
    text = GUIDE.read_text("utf-8")
    for name, columns in (("places.csv", PLACE_COLUMNS), ("links.csv", LINK_COLUMNS)):
        body = re.search(rf"^## {re.escape(name)}\n(.*?)^## ", text, re.M | re.S).group(1)
        rows = "".join(re.findall(r"^\| (`[^|]*) \|", body, re.M))
        assert set(re.findall(r"`(\w+)`", rows)) == set(columns)
