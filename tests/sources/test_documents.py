"""Tables and TOML as people really save them."""

from __future__ import annotations

import pytest

from toolchain.report import Report
from toolchain.sources.documents import read_table, read_toml, value_of


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
def test_any_delimiter_and_encoding(tmp_path, delimiter, encoding):
    text = f'id{delimiter}name\r\na{delimiter}Führer\r\n\r\nb{delimiter}"Orléans{delimiter} x"\r\n'
    (tmp_path / "t.csv").write_bytes(text.encode(encoding))
    report = Report()
    table = read_table(tmp_path / "t.csv", "t.csv", report)
    said = (["C105"] if encoding == "cp1252" else []) + ([] if delimiter == "," else ["C114"])
    assert sorted(f.rule.code for f in report) == said, "encoding and delimiter are said"
    assert table.columns == ("id", "name")
    assert [(r.line, r.cells["name"]) for r in table.rows] == [(2, "Führer"), (4, f"Orléans{delimiter} x")]
    assert table.encoding == ("cp1252" if encoding == "cp1252" else "utf-8")
    assert table.delimiter == delimiter


def test_everything_wrong_at_once(tmp_path):
    (tmp_path / "t.csv").write_text("id,name,id\n1,2,3,4\n5,6,7,8\n")
    report = Report()
    read_table(tmp_path / "t.csv", "t.csv", report)
    assert [(f.rule.code, f.where.line) for f in report] == [("S011", 2), ("S011", 3), ("S013", 1)]


def test_missing_file_names_the_nearest(tmp_path):
    (tmp_path / "units.csv").write_text("id\n")
    report = Report()
    assert read_table(tmp_path / "unit.csv", "unit.csv", report) is None
    assert "did you mean 'units.csv'" in next(iter(report)).message


def test_toml_fault_has_its_line(tmp_path):
    (tmp_path / "a.toml").write_text("a = 1\nb = \n")
    report = Report()
    assert read_toml(tmp_path / "a.toml", "a.toml", report) is None
    assert next(iter(report)).where.line == 2


@pytest.mark.parametrize(
    ("cell", "value"),
    [("yes", True), ("No", False), ("3", 3), ("-2", -2), ("2.5", 2.5), ("0102", "0102"), ("nan", "nan"), ("1_0", "1_0"),
     ("1st Army", "1st Army"), ("0", 0), ("0.5", 0.5), ("inf", "inf")],
)  # fmt: skip
def test_cells(cell, value):
    assert value_of(cell) == value and type(value_of(cell)) is type(value)
