"""Lint of a module that imitates what real ones hold: old names of classes and files, code of its own, prototypes in
prototypes, layers of many pictures, decks, mats, two boards, squares and regions; sound once, broken once.
"""

from __future__ import annotations

import io
import tracemalloc
import zipfile
from collections.abc import Mapping

import handmade
import pytest
from handmade import add, element, png
from hypothesis import given
from hypothesis import strategies as st
from runaway import bounded

from toolchain.checks.lint import lint
from toolchain.checks.lint.grids import cells
from toolchain.report import Report
from toolchain.sources.vassal.buildfile import read_build_file
from toolchain.sources.vassal.expressions import FaultError, read_expression
from toolchain.sources.vassal.modules import read_module
from toolchain.sources.vassal.numbering import Axis, Numbered

ICONS = ",".join(f"step{i}.png" for i in range(1, 13))
STEPS = f"emb2;;2;;Flip;2;F;Back;2;B;;;1;false;0;0;{ICONS};{',' * 11};true;Steps;;;false;;1;1;true;;70,130;66,130;;1.0"
OUTER = add("null", ["prototype;Inner", "mark;Side,Type", "piece;;;;"], ["", "Red,Inf", "null;0;0;;0"])
INNER = add("null", ['calcProp;Over;{SumStack("Size")>4};', "mark;Size", "piece;;;;"], ["", "1", "null;0;0;;0"])
CARD = add("null", ["obs;70,130;back.png;Turn;B;?;player:;Peek;", "piece;;;step1.png;Card"], ["null;", "null;0;0;5;0"])
MAT = add("null", ["mat;Raft;", "delete;Delete;68,130;", "piece;;;step1.png;Raft"], ["0", "", "null;0;0;6;0"])
TANK = add(
    "null", [STEPS, "prototype;Outer", "acme;very own", "piece;;;step1.png;Tank"], ["3", "", "kept", "null;0;0;4;0"]
)
PROTOTYPE = "VASSAL.build.module.PrototypeDefinition"


def slot(kind: str, name: str, gpid: str, piece: str) -> str:
    return element(f"widget.{kind}", f'entryName="{name}" gpid="{gpid}"', handmade.escape(piece))


def old_module(**changes: str) -> bytes:
    """Write a module as VASSAL 3.2 would, with code of its own. changes: pieces of text replaced, under any name."""
    squares = element(
        "module.map.boardPicker.board.SquareGrid",
        'x0="25" y0="25" dx="50.0" dy="50.0"',
        element("module.map.boardPicker.board.mapgrid.SquareGridNumbering", 'first="V" hType="A" hOff="0" sep="-"'),
    )
    regions = element(
        "module.map.boardPicker.board.RegionGrid",
        "",
        element("module.map.boardPicker.board.Region", 'name="Paris" originx="10" originy="20"'),
    )
    on_map = (
        element(
            "module.map.BoardPicker",
            "",
            element("module.map.boardPicker.Board", 'name="North" image="north.png"', squares)
            + element("module.map.boardPicker.Board", 'name="South" image="south.png"', regions),
        )
        + element(
            "module.map.SetupStack",
            'name="Garrison" owningBoard="South" useGridLocation="true" location="Paris"',
            slot("PieceSlot", "Raft", "6", MAT),
        )
        + element(
            "module.map.DrawPile", 'name="Draw" owningBoard="North" x="90" y="90"', slot("CardSlot", "Card", "5", CARD)
        )
        + "".join(
            element(f"module.map.{k}")
            for k in ("StackMetrics", "ForwardToKeyBuffer", "MenuDisplayer", "PieceMover", "KeyBufferer")
        )
    )
    definitions = "".join(
        f'<{PROTOTYPE} name="{n}" description="">{handmade.escape(p)}</{PROTOTYPE}>'
        for n, p in (("Outer", OUTER), ("Inner", INNER))
    )
    text = (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<VASSAL.launch.BasicModule name="Old" version="2.1" nextPieceSlotId="9">\n'
        + element("module.BasicCommandEncoder")
        + element("module.PlayerRoster", "", "<entry>Red</entry><entry>Blue</entry>")
        + element("module.PrototypesContainer", "", definitions)
        + element("module.PieceWindow", 'name="Pieces"', slot("PieceSlot", "Tank", "4", TANK))
        + element("module.Map", 'mapName="Main"', on_map)
        + '<acme.Weather name="Weather" icon="sun.png"/>\n</VASSAL.launch.BasicModule>\n'
    )
    for change in changes.values():
        old, _, new = change.partition(" -> ")
        assert old in text, old
        text = text.replace(old, new)
    pictures = {f"images/step{i}.png": png(20, 20, (i, 0, 0)) for i in range(1, 13)}
    pictures |= {f"images/{n}.png": png(400, 300, (9, 9, 9)) for n in ("north", "south", "back", "sun")}
    files = {"buildFile": text.encode(), "acme/Weather.class": b"\xca\xfe\xba\xbe", **pictures}
    files["moduledata"] = (
        b"<data version='1'><version>2.1</version><VassalVersion>3.2.17</VassalVersion><name>Old</name></data>"
    )
    return zipped(files)


def zipped(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in files.items():
            z.writestr(name, data)
    return out.getvalue()


def found(data: bytes) -> list[str]:
    report = Report()
    module = read_module(data, "m.vmod", report)
    if module is not None:
        report.extend(lint(module))
    return [f"{f.rule.code}: {f.message}" for f in report]


def test_an_old_module_with_code_of_its_own_is_read_and_sound() -> None:
    report = Report()
    module = read_module(old_module(), "m.vmod", report)
    assert module is not None and module.build_file == "buildFile"
    assert [s.name for s in module.slots] == ["Tank", "Raft", "Card"]
    assert [p.name for p in module.slots[0].parts] == ["emb2", "prototype", "acme", "piece"]
    assert module.build.written() == module.archive.read("buildFile", report)
    assert found(old_module()) == []


BROKEN = {
    "picture": ("step7.png -> step77.png", "V205: there is no picture 'step77.png'; did you mean 'step7.png'?"),
    "class": ("acme.Weather -> acme.Wether", "V204: there is no class 'acme.Wether'"),
    "prototype": ("prototype;Inner -> prototype;Iner", "V209: there is no prototype 'Iner'; did you mean 'Inner'?"),
    "circle": ("mark;Size -> prototype;Outer", "V209: the prototype leads back to itself: Outer > Inner > Outer"),
    "gpid": ('gpid="5" -> gpid="4"', "V210: the piece id 4 belongs to 'Tank' already"),
    "no gpid": ('gpid="5" -> gpid=""', "V210: it has no piece id"),
    "next": ('SlotId="9" -> SlotId="6"', "V210: the piece id 6 is not below the module's next one, 6"),
    "region": (
        'location="Paris" -> location="Pari"',
        "V220: board 'South' has no location 'Pari'; did you mean 'Paris'?",
    ),
    "board": (
        'owningBoard="North" -> owningBoard="Nord"',
        "V220: there is no board 'Nord' on map 'Main'; did you mean 'North'?; the deck never appears",
    ),
    "deck off": ('x="90" y="90" -> x="900" y="90"', "V220: the deck lies at 900, 90, off the board 'North'"),
    "level": ("/3\t -> /13\t", "V214: layer 'Steps' has 12 pictures and shows level 13"),
    "expression": ("&gt;4} -> &gt;}", 'V215: {SumStack("Size")>}: a value is missing at its end'),
    "mover": ("PieceMover -> StackExpander", "V227: the map has no PieceMover; nothing can be dragged"),
    "board name": ('name="South" image -> name="North" image', "V219: there are 2 boards 'North' on 'Main'"),
    "map name": ('mapName="Main" -> mapName=""', "V219: the map has no name"),
    "grid": ('dx="50.0" -> dx="0"', "V228: dx of the square grid is '0', not a number above 0"),
    "states": ("/3\t -> /", "V213: 4 traits and 1 states"),
}  # fmt: skip


# What real modules have, old and new, and VASSAL takes without a word.
SOUND = {
    "layer of 3.1": (STEPS + " -> " + STEPS.split(";true;Steps")[0] + ";true;Steps",),
    "piece of 3.1": ("null;0;0;4;0 -> null;0;0",),
    "hand": (
        'module.Map mapName="Main" -> module.PlayerHand mapName="Main" side="Red"',
        "</VASSAL.build.module.Map> -> </VASSAL.build.module.PlayerHand>",
        "StackMetrics -> HandMetrics",
        'x="90" y="90" -> x="900" y="90"',
    ),
    "place without its board": (
        "acme;very own -> sendto;Go;71,130;Main;Gone;0;0;;;0;0;1;1;;R;;Paris;;",
    ),
    "entry that is taken away": (
        "70,130;66,130 -> 70,130;70,130",
        'acme;very own -> hideCmd;Late;Hide;{Side=="Red"};70\\,130',
        "kept -> ",
    ),
    "mouse-overs of one key": (
        element("module.map.PieceMover")
        + " -> "
        + element("module.map.PieceMover")
        + 2 * element("module.map.CounterDetailViewer", 'hotkey="32,130"'),
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", SOUND)
def test_what_is_sound_is_no_finding(what: str) -> None:
    changes = {f"change {n}": change for n, change in enumerate(SOUND[what])}
    assert found(old_module(**changes)) == []


def test_a_module_without_any_piece_ids_is_one_finding() -> None:
    changes = {f"{n}": f'gpid="{n}" -> gpid=""' for n in (4, 5, 6)}
    (said,) = found(old_module(**changes))
    assert said.startswith("V210: no piece of the module has an id")


@pytest.mark.parametrize("what", BROKEN)
def test_each_fault_is_found_alone(what: str) -> None:
    change, wanted = BROKEN[what]
    said = found(old_module(change=change))
    assert wanted in said, said
    # A fault may have followers, such as a stack on a board that got another name.
    assert len(said) <= 3, said


def test_lint_of_a_broken_module_goes_on() -> None:
    everything = {
        k: c for k, (c, _) in BROKEN.items() if k in ("picture", "gpid", "region", "deck off", "grid", "mover")
    }
    said = found(old_module(**everything))
    assert {s[:4] for s in said} >= {"V205", "V210", "V220", "V228", "V227"}


@given(
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.integers(-2, 5),
    st.sampled_from([(400, 400), (410, 380), (700, 333)]),
)
def test_labels_without_counting_down_lead_back(
    sideways: bool, stagger: bool, first: bool, h_letters: bool, v_letters: bool, off: int, size: tuple[int, int]
) -> None:
    h, v = Axis(h_letters, 1, abs(off), False), Axis(v_letters, 2, abs(off), False)
    grid = Numbered(True, sideways, 40, 35, 60.0, 70.0, size, first, "-", h, v, stagger)
    for nx, ny in cells(grid):
        at, back = grid.centre(nx, ny), grid.find(grid.label(nx, ny))
        assert back is not None and abs(back[0] - at[0]) <= 1 and abs(back[1] - at[1]) <= 1


# The engine's own labels of raw columns 0 to 3 of raw row 0: dx 60, dy 70, x0 40, y0 35, board 400 by 400.
LABELS = [
    (False, False, False, "0101 0201 0301 0401", "0101 0201 0301 0401", False),
    (True, False, False, "0101 0202 0301 0402", "0101 0202 0301 0402", False),
    (False, False, True, "0108 0208 0308 0408", "0801 0701 0601 0501", False),
    (True, False, True, "0108 0207 0308 0407", "0801 0702 0601 0502", True),
    (False, True, False, "0701 0601 0501 0401", "0107 0207 0307 0407", False),
    (True, True, False, "0701 0602 0501 0402", "0107 0206 0307 0406", False),
]


@pytest.mark.parametrize(("stagger", "h_down", "v_down", "upright", "lying", "broken"), LABELS)
def test_labels_are_those_of_the_engine(
    stagger: bool, h_down: bool, v_down: bool, upright: str, lying: str, broken: bool
) -> None:
    for sideways, wanted in ((False, upright), (True, lying)):
        h, v = Axis(False, 1, 1, h_down), Axis(False, 1, 1, v_down)
        grid = Numbered(True, sideways, 40, 35, 60.0, 70.0, (400, 400), True, "", h, v, stagger)
        assert " ".join(grid.label(nx, 0) for nx in range(4)) == wanted
        back = [grid.find(grid.label(nx, 1)) == grid.centre(nx, 1) for nx in range(4)]
        assert all(back) != (broken and sideways)


@pytest.mark.parametrize(
    "text",
    [
        "CountStack() > 3",
        'a == 1 ? "x" : b == "q\\"" ? 3 : 4',
        'SumStack("Size", "{Side==\\"$Side$\\"}") > (Limit==3||Limit==2 ? 4 : 99)',
        "Name.substring(0, 2).equals(Other) && !x || -y != +3.5",
        'GetProperty("my prop") =~ "a.*"',
        "(int) x + Math.max(1, 2)",
        '$pieceName$ == "a"',
        "",
    ],
)
def test_expressions_that_parse(text: str) -> None:
    read_expression(text)


@pytest.mark.parametrize("text", ["CountStack( > 3", "a ==", '"abc', "(a", "a b", "a..b", "f(,)", "a ? b", "((" * 5000])
def test_expressions_that_do_not(text: str) -> None:
    with pytest.raises(FaultError):
        read_expression(text)


@given(st.text(st.sampled_from("ab1\"'()+-*/?:.,[]{}=<>!&| \\"), max_size=40))
def test_any_expression_is_answered(text: str) -> None:
    try:
        read_expression(text)
    except FaultError as fault:
        assert str(fault)


def large_module(pieces: int) -> bytes:
    """Write a module of so many pieces, each with two pictures and a dozen traits."""
    parts, files = [], {}
    for i in range(1, pieces + 1):
        traits = [handmade.MACRO, handmade.CALC, handmade.LAYER.replace("front", f"p{i}a").replace("back", f"p{i}b")]
        traits += ["prototype;Infantry", "delete;Delete;68,130;", "clone;Clone;67,130;", f"mark;Name{i % 9},Kind"]
        traits += [f"calcProp;C{j};{{Flip_Level==1 ? {j} : CountStack() > 2 ? 1 : 0}};" for j in range(5)]
        states = ["1" if t.startswith("emb2") else "a,b" if t.startswith("mark") else "" for t in traits]
        text = handmade.escape(add("null", [*traits, f"piece;;;p{i}a.png;Unit {i}"], [*states, f"null;0;0;{i};0"]))
        parts.append(element("widget.PieceSlot", f'entryName="Unit {i}" gpid="{i}"', text))
        files |= {f"images/p{i}{face}.png": png(40, 40, (i % 200, 40, 40)) for face in "ab"}
    changes = {
        "slots": "".join(parts),
        "atstart": "",
        "startslot": "",
        "module": handmade.PARTS["module"].replace("10", "9999"),
    }
    build = handmade.build_file({**handmade.PARTS, **changes})
    data = handmade.DATA % "<name>Tiny</name>"
    return zipped(
        {
            "moduledata": data.encode(),
            "buildFile.xml": build.encode(),
            "setup.vsav": handmade.save(),
            **handmade.FILES,
            **files,
        }
    )


def test_five_hundred_sound_pieces_are_no_finding() -> None:
    assert not [s for s in found(large_module(500)) if s.startswith(("V205", "V210", "V213"))]


NASTY = {
    "entities": b'<!DOCTYPE a [<!ENTITY x "xx"><!ENTITY y "&x;&x;&x;&x;">]><a>&y;</a>',
    "deep": b"<a>" * 100_000 + b"</a>" * 100_000,
    "empty": b"",
    "binary": bytes(range(256)) * 100,
    "wide": b"<a>" + b"<b/>" * 400_000 + b"</a>",
}


@pytest.mark.parametrize("kind", NASTY)
def test_nasty_build_files_are_findings_in_bounded_time_and_memory(kind: str) -> None:
    with bounded():
        assert [s[:4] for s in found(zipped({"buildFile.xml": NASTY[kind]})) if s[:4] != "V202"] == ["V201"]


def test_a_piece_that_nests_without_end_is_a_finding() -> None:
    text = "piece;;;;"
    for _ in range(300):
        text = "a\t" + text.replace("\t", "\\\t") if len(text) < 10**6 else text
    tracemalloc.start()
    piece = element("widget.PieceSlot", "gpid='1'", f"+/null/{text}/")
    said = found(zipped({"buildFile.xml": f"<a>{piece}</a>".encode()}))
    assert tracemalloc.get_traced_memory()[1] < 100 * 2**20
    tracemalloc.stop()
    assert any(s.startswith("V213") for s in said)


@given(st.data())
def test_any_module_is_answered(data: st.DataObject) -> None:
    """Cut, double and change pieces of a sound build file: whatever comes of it, lint answers with findings."""
    text = handmade.build_file(handmade.PARTS)
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(text) - 1))
        to = min(len(text), at + data.draw(st.integers(0, 40)))
        text = (
            text[:at]
            + data.draw(st.sampled_from(["", text[at:to] * 2, '"', "\\", "9" * 30, ";", "/", "x"]))
            + text[to:]
        )
    report = Report()
    module = read_module(zipped({"buildFile.xml": text.encode("utf-8", "replace")}), "m.vmod", report)
    if module is None:
        assert len(report)
    else:
        report.extend(lint(module))
        assert read_build_file(module.build.written()).written() == module.build.written()
