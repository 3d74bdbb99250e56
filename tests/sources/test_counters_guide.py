"""The guide to counters names what there is."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from toolchain.art.icons import icon_names
from toolchain.report import Report
from toolchain.sources.decode.style import BUNDLED_FONTS, Sheet, decode_style, standard_style

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
