"""Cases for the codes V201 to V299, what is wrong in modules, and V301 to V399, archives and saves."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import handmade
from handmade import BASIC, CALC, ESC, LAYER, MACRO, PARTS, add, element, png, slot
from tiny import game as tiny_game
from tiny import hexmap, position, unit

from toolchain.checks.judge import judge
from toolchain.checks.lint import lint
from toolchain.checks.lint.against import check_against
from toolchain.checks.stacking import check_stacking
from toolchain.export.vassal.carried import Reading, carried_files, read_carried
from toolchain.export.vassal.marks import mark_layers, mark_save
from toolchain.export.vassal.readback import read_position
from toolchain.graph.board import Board
from toolchain.report import Report
from toolchain.sources.vassal.archive import read_archive
from toolchain.sources.vassal.modules import read_module
from toolchain.sources.vassal.pieces import add_piece
from toolchain.sources.vassal.saves import read_save
from toolchain.sources.vassal.traits import BasicPiece, Trait

Case = Callable[[Path], Report]


def linted(files: dict[str, bytes | None] | None = None, **parts: str) -> Case:
    """Lint the small module with some parts or files replaced."""

    def call(folder: Path) -> Report:
        report = Report()
        path = handmade.write(folder / "t.vmod", files, **parts)
        module = read_module(path, "t.vmod", report)
        if module is not None:
            report.extend(lint(module))
        return report

    return call


def changed(part: str, old: str, new: str) -> Case:
    """Lint the module with a piece of one part replaced."""
    assert old in PARTS[part], (part, old)
    return linted(**{part: PARTS[part].replace(old, new)})


def traits(*which: str, basic: str = BASIC) -> Case:
    """Lint the module with a piece of these traits, besides those of the sound one."""
    return linted(slots=slot(1, (MACRO, CALC, LAYER, "prototype;Infantry", *which), basic))


SOUND = linted()


def beside(linted_slots: str | None = None) -> Case:
    """Compare the small module, with other pieces, with the sound one."""

    def call(folder: Path) -> Report:
        report = Report()
        whole = read_module(handmade.write(folder / "a.vmod"), "a.vmod", report)
        parts = {} if linted_slots is None else {"slots": linted_slots}
        other = read_module(handmade.write(folder / "b.vmod", **parts), "b.vmod", report)
        assert whole is not None and other is not None
        report.extend(check_against(other, whole))
        return report

    return call


TWO = element(
    "module.PrototypeDefinition",
    'name="Infantry" description=""',
    handmade.escape(add("null", ["piece;;;;"], ["null;0;0;;0"])),
)
DECK = (
    '<VASSAL.build.module.map.DrawPile name="{}" owningBoard="Board" x="90" y="90" reshufflable="true" '
    'reshuffleTarget="{}"/>'
)


def played(gpid: int = 1, at: tuple[int, int] = (0, 0), board: str = "main") -> bytes:
    """Write a save of one piece of a tiny game."""
    piece = add("p1", ["mark;Counter", BASIC], ["x", f"Map;{at[0]};{at[1]};{gpid};0"])
    stack = f"+/s1/stack/Map;{at[0]};{at[1]};p1;@@0"
    return ESC.join(["begin_save", piece, stack, f"MapBoardPicker\t{board}\t0\t0", "end_save"]).encode()


GAME = tiny_game(hexmap(3, 3), [unit("r1"), unit("r2")])
READING = Reading("Map", ("main",), 4.0, {}, {"r1": 1, "r2": 2})


def read_back(**how: object) -> Case:
    """Read a position out of a save of the tiny game."""

    def call(folder: Path) -> Report:
        report = Report()
        save = read_save(played(**how), "s.vsav", report)
        assert save is not None
        read_position(GAME, READING, save, "s", "s.vsav", report)
        return report

    return call


def marked(*layers: Trait) -> Case:
    """Mark a save whose two pieces stand where one may."""

    def call(folder: Path) -> Report:
        report = Report()
        one = replace(GAME, rulebook=replace(GAME.rulebook, stacking=(replace(GAME.rulebook.stacking[0], at_most=1),)))
        pieces = [
            add_piece(str(n), (*layers, BasicPiece(name=f"r{n}", map="Map", x=0, y=0, gpid=str(n)))) for n in (1, 2)
        ]
        text = ESC.join(["begin_save", *pieces, "end_save"]).encode()
        save = read_save(text, "s.vsav", report)
        assert save is not None
        where, saved = read_position(one, READING, save, "s", "s.vsav", report)
        verdict = judge(one, Board.from_map(one.map), where)
        mark_save(save, saved, verdict, check_stacking(verdict), report)
        return report

    return call


def carried(drop: str = "") -> Case:
    """Read the rules that a module carries."""

    def call(folder: Path) -> Report:
        report = Report()
        files = carried_files({"": replace(GAME, setups=(position({}),))}, {"": READING}, {})
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as z:
            for name, data in files.items():
                if name != drop:
                    z.writestr(name, data)
        archive = read_archive(out.getvalue(), "t.vmod", report)
        assert archive is not None
        read_carried(archive, report)
        return report

    return call


def archive(data: bytes) -> Case:
    """Open an archive."""

    def call(folder: Path) -> Report:
        report = Report()
        read_archive(data, "t.vmod", report)
        return report

    return call


def save(data: bytes) -> Case:
    """Read a save."""

    def call(folder: Path) -> Report:
        report = Report()
        read_save(data, "t.vsav", report)
        return report

    return call


def zipped(name: str) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as z:
        z.writestr(name, b"x")
    return out.getvalue()


CASES = {
    "V201": (linted({"buildFile.xml": b"<a>"}), SOUND),
    "V202": (changed("module", 'version="0.1"', 'version="0.2"'), SOUND),
    "V203": (traits("border;Over;;3;255,0,0;;AND"), traits("delete;Delete;68,130;")),
    "V204": (linted(extra=element("module.Mapp")), SOUND),
    "V205": (traits(basic="piece;;;Front.png;1st Div"), SOUND),
    "V206": (linted({"images/stray.png": png(9, 9, (1, 2, 3))}), SOUND),
    "V207": (linted({"images/front.png": b"GIF89a....."}), SOUND),
    "V208": (changed("setup", "setup.vsav", "Setup.vsav"), SOUND),
    "V209": (traits("prototype;Infantri"), SOUND),
    "V210": (linted(slots=slot(1) + slot(1, name="Other")), linted(slots=slot(1) + slot(3, name="Other"))),
    "V211": (traits("delte;Delete;68,130;"), traits("delete;Delete;68,130;")),
    "V212": (traits("delete;Delete;68,130;;;"), traits("delete;Delete;68,130;")),
    "V213": (linted(slots=slot(1).replace("null;0;0;1;0", "").replace("piece;;;", "mark;")), SOUND),
    "V214": (
        linted(slots=slot(1, (CALC, LAYER.replace("front.png,back.png", "front.png")))),
        linted(slots=slot(1, (CALC, LAYER))),
    ),
    "V215": (traits("calcProp;Bad;{CountStack( > 3};"), traits("calcProp;Good;{CountStack() > 3};")),
    "V216": (traits("calcProp;Bad;{Flip_Levle == 1};"), traits("calcProp;Good;{Flip_Level == 1};")),
    "V217": (traits("delete;Delete;70,130;"), traits("delete;Delete;68,130;")),
    "V218": (
        traits("globalkey;Go;71,130;57348\\,0\\,DoFlp;;false;1;true;true;;;-1;"),
        traits("globalkey;Go;71,130;57348\\,0\\,DoFlip;;false;1;true;true;;;-1;"),
    ),
    "V219": (changed("board", 'name="Board"', 'name=""'), SOUND),
    "V220": (changed("atstart", 'location="0203"', 'location="9904"'), SOUND),
    "V221": (linted(inmap=DECK.format("Draw", "Discards")), linted(inmap=DECK.format("Draw", "Draw"))),
    # Counting down over an odd number of columns, which are staggered too, the engine does not find its own labels.
    "V222": (
        linted(
            numbering=PARTS["numbering"].replace('hDescend="false"', 'hDescend="true"'),
            grid=PARTS["grid"].replace('dy="72.0"', 'dy="80.0"'),
        ),
        SOUND,
    ),
    "V223": (linted({"images/board.png": png(9000, 9000, (1, 1, 1))[:60]}), SOUND),
    "V224": (linted(prototypes=PARTS["prototypes"] + TWO), SOUND),
    "V225": (traits("restrict;Redd;false;true;"), traits("restrict;Red;false;true;")),
    "V226": (
        linted({"setup.vsav": handmade.save(board="Bord")}),
        linted({"setup.vsav": handmade.save(extra=["SETUP_STACK\t"])}),
    ),
    "V227": (linted(extra=element("module.turn.TurnTracker", 'name="Turn"')), SOUND),
    "V228": (changed("grid", 'dx="62.354"', 'dx="abc"'), SOUND),
    "V229": (beside(linted_slots=""), beside()),
    "V301": (archive(b"hello"), archive(zipped("a"))),
    "V302": (archive(zipped("../a")), archive(zipped("a"))),
    "V303": (save(b"begin_save\x1b+/1/mark;A\tpiece;;;;/x\x1bend_save"), save(played())),
    "V304": (carried("rules/map.json"), carried()),
    "V305": (read_back(at=(900, 900)), read_back(at=(0, 0))),
    "V306": (read_back(gpid=99), read_back()),
    "V307": (marked(), marked(*mark_layers(GAME, (50, 50), "Clear"))),
    "V308": (read_back(board="elsewhere"), read_back()),
}
