"""Modules and saves of anybody are read within bounds, and written back byte for byte where nothing changes."""

from __future__ import annotations

import io
import stat
import struct
import tracemalloc
import zipfile
from collections.abc import Callable

import handmade
import pytest
from hypothesis import given
from hypothesis import strategies as st
from runaway import bounded

from toolchain.report import Report
from toolchain.sources.vassal.archive import read_archive
from toolchain.sources.vassal.buildfile import read_build_file
from toolchain.sources.vassal.codec import (
    ESC,
    decode,
    nest_states,
    rewrite_commands,
    split,
    unnest_states,
    with_item,
    with_state,
)
from toolchain.sources.vassal.saves import Laid, read_save

AWKWARD = st.text(st.sampled_from(";,/\\\t'\x1b|:äé+ Za0"), max_size=30)


@given(st.sampled_from(";,/\t\x1b"), AWKWARD)
def test_any_sequence_is_joined_as_it_was_cut(delimiter: str, text: str) -> None:
    assert delimiter.join(split(delimiter, text)) == text
    for place, item in enumerate(decode(delimiter, text)):
        assert with_item(delimiter, text, place, item) == text


@given(AWKWARD)
def test_any_commands_keep_their_letters(text: str) -> None:
    assert rewrite_commands(text, lambda command: command) == text


@given(st.lists(AWKWARD, min_size=1, max_size=5), st.data())
def test_one_state_of_a_nest_changes_alone(states: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(states) - 1))
    changed = with_state(nest_states(states), len(states), place, "new;1")
    assert unnest_states(changed, len(states)) == [*states[:place], "new;1", *states[place + 1 :]]


# Build files ---------------------------------------------------------------------------------------------------------

NAMES = st.sampled_from(["VASSAL.build.module.Map", "VASSAL.build.GameModule", "my.own.Klass", "entry", "x"])
TEXTS = st.text(st.sampled_from("aé \n\t&<>'\";\\"), max_size=8)


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")


@st.composite
def elements(draw: st.DrawFn, depth: int = 3) -> str:
    """Draw an element written as programs and people may write it."""
    name, gap = draw(NAMES), draw(st.sampled_from([" ", "\n  ", "\r\n\t"]))
    words = ""
    for i in range(draw(st.integers(0, 3))):
        quote = draw(st.sampled_from("\"'"))
        value = escaped(draw(TEXTS)).replace(quote, "&#34;" if quote == '"' else "&apos;")
        words += f"{gap}s{i}{draw(st.sampled_from(['=', ' = ']))}{quote}{value}{quote}"
    if draw(st.booleans()):
        return f"<{name}{words}{draw(st.sampled_from(['', ' ', gap]))}/>"
    inner = "".join(
        draw(
            st.one_of(
                elements(depth - 1) if depth else st.just(""),
                TEXTS.map(escaped),
                st.just("<!-- > -->"),
                st.just("<![CDATA[<no>tag]]>"),
                st.just("<?do it?>"),
            )
        )
        for _ in range(draw(st.integers(0, 3)))
    )
    return f"<{name}{words}>{inner}</{name}{gap}>"


@given(elements(), st.sampled_from(["", '<?xml version="1.0" encoding="UTF-8"?>\r\n', "<!-- by hand -->\n"]))
def test_any_build_file_is_written_back_byte_for_byte(element: str, head: str) -> None:
    data = (head + element + "\n").encode()
    tree = read_build_file(data)
    assert tree.written() == data


def test_a_change_leaves_the_rest_alone() -> None:
    text = "<a  x = '1'><b y=\"2\"  /><!-- kept --><c>old</c></a>"
    tree = read_build_file(text.encode())
    b, c = tree.root.parts
    assert (b.settings, c.text, c.line) == ({"y": "2"}, "old", 1)
    root = tree.root.with_parts({b: b.with_settings(y="3 & <4>\n"), c: c.with_text("<new>")})
    assert root.written() == b"<a  x = '1'><b y=\"3 &amp; &lt;4&gt;&#10;\"/><!-- kept --><c>&lt;new&gt;</c></a>"
    assert read_build_file(root.written()).root.parts[0].get("y") == "3 & <4>\n"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"<a>",
        b"<a/><b/>",
        "<a/>".encode("utf-16"),
        b'<!DOCTYPE a [<!ENTITY e "x">]><a>&e;</a>',
        b'<!DOCTYPE a SYSTEM "http://example.org/a.dtd"><a/>',
        b"<a>" * 5000 + b"</a>" * 5000,
    ],
    ids=["empty", "open", "two roots", "utf-16", "entity", "doctype", "deep"],
)
def test_what_is_no_build_file_is_refused(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"XML|UTF-8|document type|deeper"):
        read_build_file(data)


# Saves ---------------------------------------------------------------------------------------------------------------


def zipped(entries: dict[str, bytes], **how: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", **how) as z:
        for name, data in entries.items():
            z.writestr(name, data)
    return out.getvalue()


@given(st.lists(AWKWARD, max_size=8), st.sampled_from([b"!VCSK00", b"!VCSK5a", b"!VCSKFF", b""]))
def test_any_save_is_written_back_byte_for_byte(commands: list[str], veil: bytes) -> None:
    text = ESC.join(["begin_save", *commands, "end_save"]).encode()
    if veil:
        key = int(veil[5:], 16)
        text = veil + bytes(b ^ key for b in text).hex().upper().encode()
    data = zipped({"savedGame": text, "other": b"kept"})
    save = read_save(data, "x.vsav", Report())
    assert save is not None
    assert save.rewritten(lambda command: command) == data
    assert save.with_states({}) == data


def test_bytes_that_are_no_utf8_are_kept() -> None:
    data = zipped({"savedGame": b"begin_save\x1bCHAT\xff\xfe\x1bend_save"})
    save = read_save(data, "x.vsav", Report())
    assert save is not None
    changed = save.rewritten(lambda c: c + "!" if c.startswith("CHAT") else c)
    with zipfile.ZipFile(io.BytesIO(changed)) as z:
        assert z.read("savedGame") == b"begin_save\x1bCHAT\xff\xfe!\x1bend_save"


def test_a_save_is_understood() -> None:
    report = Report()
    data = handmade.save(extra=["GlobalProperty\t;Weather;mud;Module", "TURNTurnTracker0\t0|1;0;false;-1", "NEW\tx"])
    save = read_save(data, "x.vsav", report)
    assert save is not None and list(report) == []
    (piece,) = save.pieces.values()
    assert (piece.ident, piece.map, piece.x, piece.y, piece.gpid, piece.within) == ("p1", "Main", 111, 96, "1", "s1")
    assert save.boards == {"Main": (Laid("Board", 0, 0),)}
    assert save.properties == {("Module", "Weather"): "mud"}
    assert save.turns == {0: "0|1;0;false;-1"}
    assert "NEW\tx" in save.commands
    level = next(i for i, t in enumerate(piece.traits) if t.definition.startswith("emb2"))
    again = read_save(save.with_states({("p1", level): "2"}), "x.vsav", report)
    assert again is not None and list(report) == []
    assert [t.state for t in again.pieces["p1"].traits] == ["", "", "2", "Red", "Main;111;96;1;0"]
    assert [c for c in again.commands if "+/p1" not in c] == [c for c in save.commands if "+/p1" not in c]


def test_a_broken_piece_costs_that_piece_alone() -> None:
    report = Report()
    save = read_save(handmade.save(extra=["+/p9/mark;A\tpiece;;;;/x", "+/p10/stack/Main"]), "x.vsav", report)
    assert save is not None and list(save.pieces) == ["p1"]
    assert [(f.rule.code, f.where.element) for f in report] == [("V303", "p10"), ("V303", "p9")]


# Hostile archives ----------------------------------------------------------------------------------------------------


def entry(name: str, mode: int = 0, data: bytes = b"x") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        info = zipfile.ZipInfo(name)
        info.external_attr = mode << 16
        z.writestr(info, data)
    return out.getvalue()


def encrypted() -> bytes:
    data = bytearray(zipped({"a": b"x"}))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    return bytes(data)


def overlapping() -> bytes:
    """Two names for the same bytes."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr("a", b"x" * 1000)
        z.writestr("b", b"x" * 1000)
    data = bytearray(out.getvalue())
    second = data.rindex(b"PK\x01\x02")
    data[second + 42 : second + 46] = struct.pack("<I", 0)
    return bytes(data)


def zeros() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z, z.open("images/map.png", "w", force_zip64=True) as f:
        block = bytes(2**20)
        for _ in range(1024):
            f.write(block)
    return out.getvalue()


def liar() -> bytes:
    """An entry that says it is small and is not."""
    data = bytearray(zipped({"a": bytes(10**6)}, compression=zipfile.ZIP_DEFLATED))
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = data.index(mark) + at
        data[place : place + 4] = struct.pack("<I", 10)
    return bytes(data)


def crowded() -> bytes:
    """A directory of millions of entries, as far as its end tells."""
    return b"PK\x05\x06" + struct.pack("<4H2LH", 0, 0, 65535, 65535, 2**30, 0, 0)


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "up": (lambda: entry("../../etc/passwd"), "V302"),
    "root": (lambda: entry("/etc/passwd"), "V302"),
    "drive": (lambda: entry("C:\\x"), "V302"),
    "backslash": (lambda: entry("images\\..\\..\\x"), "V302"),
    "link": (lambda: entry("a", stat.S_IFLNK | 0o777), "V302"),
    "encrypted": (encrypted, "V302"),
    "overlapping": (overlapping, "V302"),
    "gigabyte of zeros": (zeros, "V302"),
    "crowded": (crowded, "V302"),
    "bzip2": (lambda: zipped({"a": b"x" * 99}, compression=zipfile.ZIP_BZIP2), "V302"),
    "no zip": (lambda: b"hello", "V301"),
    "cut off": (lambda: zipped({"a": b"x" * 99})[:-30], "V301"),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_archives_are_refused_in_bounded_time_and_memory(kind: str) -> None:
    make, code = HOSTILE[kind]
    data, report = make(), Report()
    tracemalloc.start()
    with bounded():
        assert read_archive(data, "x.vmod", report) is None
    assert tracemalloc.get_traced_memory()[1] < 40 * 2**20
    tracemalloc.stop()
    assert {f.rule.code for f in report} == {code}


def test_an_entry_is_read_no_farther_than_its_bound() -> None:
    report = Report()
    archive = read_archive(zipped({"a": b"x" * 100}), "x.vmod", report)
    assert archive is not None and archive.read("a", report, 99) is None
    small = read_archive(liar(), "x.vmod", report)
    assert small is not None and small.read("a", report) is None
    assert [f.rule.code for f in report] == ["V301", "V302"]
    assert small.head("a", 5) == b""  # a damaged entry has no head
    assert archive.head("a", 5) == b"xxxxx"


def test_an_archive_is_written_back_and_changes_alone() -> None:
    data = zipped({"b": b"1", "a": b"2"}, compression=zipfile.ZIP_DEFLATED)
    archive = read_archive(data, "x.vmod", Report())
    assert archive is not None and archive.changed({}) == data
    with zipfile.ZipFile(io.BytesIO(archive.changed({"a": b"3", "c": b"4"}))) as z:
        assert [(n, z.read(n)) for n in z.namelist()] == [("b", b"1"), ("a", b"3"), ("c", b"4")]
