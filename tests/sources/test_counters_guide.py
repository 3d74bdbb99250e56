"""The guide to counters names what there is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from toolchain.art.faces import build_faces
from toolchain.art.icons import icon_names
from toolchain.report import Report
from toolchain.sources.decode.counters import decode_counters
from toolchain.sources.decode.style import BUNDLED_FONTS, Sheet, decode_style, standard_style
from toolchain.sources.documents import read_table

GUIDE = (Path(__file__).parents[2] / "counters" / "README.md").read_text("utf-8")


def test_the_shortest_style_is_sound() -> None:
    blocks = [tomllib.loads(t) for t in re.findall(r"```toml\n(.*?)```", GUIDE, re.DOTALL)]
    whole: dict[str, object] = {}
    for block in blocks:
        whole |= {k: {**whole[k], **v} if k in whole and isinstance(v, dict) else v for k, v in block.items()}  # type: ignore[dict-item]
    report = Report()
    assert decode_style(whole, "style.toml", report) is not None, list(map(str, report))


def test_everything_is_named() -> None:
    style = standard_style()
    prose = re.sub(r"```.*?```", "", GUIDE, flags=re.DOTALL)
    shown = set(re.findall(r"`([^`\n]+)`", prose))
    assert set(style.layouts) - {"base", "factors", "corners"} <= shown and set(icon_names()) <= shown
    assert set(style.sizes) <= shown and set(BUNDLED_FONTS) <= shown
    sheet = re.search(r"\[sheet\]\n(.*?)```", GUIDE, re.DOTALL)
    assert sheet is not None
    named = set(re.findall(r"^(\w+) =", sheet[1], re.MULTILINE))
    assert set(Sheet.model_fields) - {"width", "height"} == named


def test_the_rows_of_the_guide_print_without_a_finding_and_show_every_layout(tmp_path: Path) -> None:
    rows = re.search(r"```csv\n(id,.*?)```", GUIDE, re.DOTALL)
    assert rows is not None
    (tmp_path / "units.csv").write_text(rows[1], "utf-8")
    report = Report()
    table = read_table(tmp_path / "units.csv", "units.csv", report)
    style = decode_style({"format": 1, "like": "standard"}, "style.toml", report)
    assert table is not None and style is not None
    counters = decode_counters(table, {}, report)
    drawn = [build_faces(c, style, report) for c in counters]
    assert all(drawn) and not len(report), list(map(str, report))
    shown = {c.layout for c in counters}
    assert shown == set(style.layouts) - {"base", "factors", "corners"}


def test_the_pictures_of_the_guide_are_there() -> None:
    folder = Path(__file__).parents[2] / "counters"
    named = re.findall(r"!\[.*?\]\((.*?)\)", GUIDE)
    assert named and all((folder / n).is_file() for n in named)
