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


def test_a_first_row_may_state_the_delimiter(tmp_path):
    (tmp_path / "t.csv").write_bytes(b"\xef\xbb\xbfsep=;\r\nid;name, and more\r\na;b\r\n")
    table = read_table(tmp_path / "t.csv", "t.csv", Report())
    assert table.columns == ("id", "name, and more") and [(r.line, r.cells["id"]) for r in table.rows] == [(3, "a")]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"PK\x03\x04\x14\x00", "save the sheet as CSV"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "save the sheet as CSV"),
        ("id\tname\na\tFührer\n".encode("utf-16"), "save it in UTF-8"),
        (b"id,name\na,\x00\n", "neither UTF-8 nor Windows-1252"),
    ],
)
def test_a_file_that_is_no_text_is_told_for_what_it_is(tmp_path, data, said):
    (tmp_path / "t.csv").write_bytes(data)
    report = Report()
    assert read_table(tmp_path / "t.csv", "t.csv", report) is None
    assert [(f.rule.code, said in f.message) for f in report] == [("S002", True)]


def test_a_quotation_mark_that_is_never_closed_has_its_row(tmp_path):
    report = Report()
    (tmp_path / "t.csv").write_text('id,name\na,"x\ny"\nb,"z\nc,d\ne,f\n')
    assert read_table(tmp_path / "t.csv", "t.csv", report) is None
    assert [(f.where.line, f.message) for f in report] == [(3, "a quotation mark in this row is never closed")]


def test_a_last_cell_may_hold_lines_and_inches(tmp_path):
    report = Report()
    (tmp_path / "t.csv").write_text('id,name\na,5" gun\nb,"one\ntwo"\n')
    table = read_table(tmp_path / "t.csv", "t.csv", report)
    assert [r.cells["name"] for r in table.rows] == ['5" gun', "one\ntwo"] and not len(report)


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
