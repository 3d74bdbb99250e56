"""A small module made by hand, without the toolchain: a hex map, a piece that flips, a set-up; all parts replaceable.

It tests the rig, so it must not use what the rig is there to test.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

ESC = "\x1b"
VERSION = "3.6.0"


def png(width: int, height: int, rgb: tuple[int, int, int]) -> bytes:
    """Write a picture of one colour."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    rows = b"".join(b"\0" + bytes(rgb) * width for _ in range(height))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def joined(sep: str, *items: str) -> str:
    """Join items as the engine does, for items that neither begin with a backslash nor are quoted."""
    return sep.join(item.replace(sep, "\\" + sep) for item in items)


def nested(items: Sequence[str]) -> str:
    """Nest trait strings, outermost first."""
    return items[0] if len(items) == 1 else joined("\t", items[0], nested(items[1:]))


def add(ident: str, traits: Sequence[str], states: Sequence[str]) -> str:
    """Write the command that adds a piece; traits and their states outermost first, the basic piece last."""
    return "+/" + joined("/", ident, nested(traits), nested(states))


def element(tag: str, attributes: str = "", content: str = "") -> str:
    """Write an element of VASSAL.build."""
    return f"<VASSAL.build.{tag} {attributes}>{content}</VASSAL.build.{tag}>"


LAYER = "emb2;;2;;Flip;2;F;;2;;;;1;false;0;0;front.png,back.png;,+ (flipped);true;Flip;;;false;;1;1;true;;70,130;;;1.0"
CALC = "calcProp;Strength;{Flip_Level==1 ? 5 : 3};"
MACRO = r"macro;Flip by name;;57348,0,DoFlip;;;70\,130;false;;;counted;;;;false;;1;1"
BASIC = "piece;;;front.png;1st Div"


def slot(
    gpid: int,
    traits: Sequence[str] = (MACRO, CALC, LAYER, "prototype;Infantry"),
    basic: str = BASIC,
    name: str = "1st Div",
) -> str:
    """Write a slot of the palette."""
    states = ["1" if t.startswith("emb2") else "" for t in traits] + [f"null;0;0;{gpid};0"]
    piece = escape(add("null", [*traits, basic], states))
    return element("widget.PieceSlot", f'entryName="{name}" gpid="{gpid}" height="40" width="40"', piece)


def save(board: str = "Board", at: tuple[int, int] = (111, 96), extra: Sequence[str] = ()) -> bytes:
    """Write a saved game of one piece."""
    place = f"Main;{at[0]};{at[1]}"
    piece = add("p1", [MACRO, CALC, LAYER, "mark;Side", BASIC], ["", "", "1", "Red", f"{place};1;0"])
    stack = f"+/s1/stack/{place};p1;@@0"
    text = ESC.join(["begin_save", "", piece, stack, *extra, f"MainBoardPicker\t{board}\t0\t0", "end_save"])
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr("savedGame", "!VCSK00" + text.encode().hex())
        z.writestr("savedata", DATA % "")
        z.writestr("moduledata", DATA % "<name>Tiny</name>")
    return out.getvalue()


DATA = (
    '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n<data version="1"><version>0.1</version>'
    f"<VassalVersion>{VERSION}</VassalVersion><dateSaved>1700000000000</dateSaved><description/>%s</data>"
)
PROTOTYPE = escape(add("null", ["mark;Side", "piece;;;;"], ["Red", "null;0;0;;0"]))
PARTS = {
    "module": f'name="Tiny" version="0.1" VassalVersion="{VERSION}" nextPieceSlotId="10" description=""',
    "grid": 'x0="41" y0="36" dx="62.354" dy="72.0" sideways="false" snapTo="true" edgesLegal="false" '
    'cornersLegal="false" dotsVisible="false" visible="true" color="0,0,0"',
    "numbering": 'first="H" sep="" hType="N" hLeading="1" hOff="1" hDescend="false" vType="N" vLeading="1" vOff="1" '
    'vDescend="false" stagger="true" locationFormat="$gridLocation$" visible="true" fontSize="9" color="255,0,0" '
    'rotateText="0"',
    "board": 'image="board.png" name="Board" reversible="false"',
    "prototypes": element("module.PrototypeDefinition", 'name="Infantry" description=""', PROTOTYPE),
    "slots": slot(1),
    "atstart": 'name="Start" owningBoard="Board" useGridLocation="true" location="0203" x="0" y="0"',
    "startslot": slot(2, name="2nd Div", basic="piece;;;front.png;2nd Div"),
    "setup": 'name="Setup" file="setup.vsav" useFile="true" isMenu="false" description=""',
    "inmap": "",
    "extra": "",
}
FILES = {
    "images/board.png": png(700, 520, (220, 230, 210)),
    "images/front.png": png(40, 40, (200, 40, 40)),
    "images/back.png": png(40, 40, (240, 200, 200)),
}


def build_file(parts: Mapping[str, str]) -> str:
    """Write buildFile.xml out of its parts."""
    numbering = element("module.map.boardPicker.board.mapgrid.HexGridNumbering", parts["numbering"])
    grid = element("module.map.boardPicker.board.HexGrid", parts["grid"], numbering)
    board = element("module.map.boardPicker.Board", parts["board"], grid)
    picker = 'slotHeight="125" slotScale="0.2" slotWidth="350" title="Choose Boards"'
    words = [
        "StackMetrics",
        "ForwardToKeyBuffer",
        "MenuDisplayer",
        "StackExpander",
        "PieceMover",
        "KeyBufferer",
        "Scroller",
        "Zoomer",
    ]
    on_map = [
        element("module.map.BoardPicker", picker, "<setup>MainBoardPicker\tBoard\t0\t0</setup>" + board),
        element("module.map.SetupStack", parts["atstart"], parts["startslot"]),
        *(element(f"module.map.{word}") for word in words),
        parts["inmap"],
    ]
    listed = 'entryName="Units" divider="150" height="300" scale="1.0" width="200"'
    window = element("widget.ListWidget", listed, parts["slots"])
    return '<?xml version="1.0" encoding="UTF-8" standalone="no"?>\n' + element(
        "GameModule",
        parts["module"],
        element("module.BasicCommandEncoder")
        + element("module.Documentation")
        + element("module.PlayerRoster", 'buttonText="Retire"', "<entry>Red</entry><entry>Blue</entry>")
        + element("module.GlobalOptions")
        + "<VASSAL.i18n.Language/>"
        + element("module.Chatter")
        + element("module.KeyNamer")
        + element("module.PrototypesContainer", "", parts["prototypes"])
        + element("module.PieceWindow", 'name="Pieces" text="Pieces" hidden="false" scale="1.0"', window)
        + element("module.Map", 'mapName="Main"', "".join(on_map))
        + element("module.PredefinedSetup", parts["setup"])
        + parts["extra"],
    )


def write(path: Path, files: Mapping[str, bytes | None] | None = None, **parts: str) -> Path:
    """Write the module with some parts or files replaced; None leaves a file out."""
    content: dict[str, str | bytes | None] = {
        "moduledata": DATA % "<name>Tiny</name>",
        "buildFile.xml": build_file({**PARTS, **parts}),
        "setup.vsav": save(),
        **FILES,
        **(files or {}),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as z:
        for name, data in content.items():
            if data is not None:
                z.writestr(name, data)
    return path
