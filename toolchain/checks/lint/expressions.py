"""Expressions: those that do not parse, and the properties and functions that they name in vain."""

from __future__ import annotations

from collections.abc import Iterator

from toolchain.catalogue import EXPRESSION_FAULTY, PROPERTY_UNKNOWN, VERSION_TOO_NEW
from toolchain.checks.lint.hints import hint, whole
from toolchain.report import Finding
from toolchain.sources.vassal.buildfile import Component
from toolchain.sources.vassal.codec import decode_list
from toolchain.sources.vassal.expressions import FaultError, Read, read_expression
from toolchain.sources.vassal.forms import Part, defined
from toolchain.sources.vassal.modules import Module

# What every piece, or the game, has; and what reports and mouse-overs are given.
BUILT_IN = frozenset(
    """
    BasicName PieceName LocalizedBasicName LocalizedPieceName LocationName CurrentMap CurrentBoard CurrentZone
    CurrentX CurrentY CurrentMat CurrentMatID DeckName DeckPosition StackPos StackSize PieceId PieceUID UniqueID
    Selected ClickedX ClickedY OldLocationName OldZone OldMap OldBoard OldX OldY OldDeckName OldMat OldMatID
    OldMatOffsetX OldMatOffsetY OldMatBasicName OldMatPieceName Moved Obscured ObscuredToOthers Invisible
    InvisibleToOthers IgnoreGrid NoStack Immobile cannotMove Restricted DrawingMouseover DrawingMouseoverIndex
    MatName MatID MatNumCargo IsCargo CurrentMatX CurrentMatY CurrentMatOffsetX CurrentMatOffsetY
    CurrentMatBasicName CurrentMatPieceName NumCargo PlayerSide PlayerName PlayerId ModuleName ModuleVersion
    ModuleDescription ModuleOther1 ModuleOther2 VassalVersionRunning CurrentLanguage location previousLocation
    previousMap mapName pieceName pieceCount message oldPieceName newPieceName oldLocation newLocation oldMap newMap
    menuCommand result numericalTotal deckName name count total value index DeckPieces ParentLocation Location Name
    ID LocalName
    """.split()  # noqa: SIM905
)
FUNCTIONS = frozenset(
    """
    SumStack CountStack SumLocation CountLocation SumZone CountZone SumMap CountMap Sum Count Range RangePx SumRange
    CountRange SumRangePx CountRangePx SumMat CountMat SumAttach CountAttach MaxAttach MinAttach GetAttachProperty
    GetProperty GetString GetLocalizedProperty GetZoneProperty GetMapProperty Random IsRandom Alert Audit Sleep If
    abs min max print
    """.split()  # noqa: SIM905
)
NEWER = frozenset(
    """
    CountMap CountRange CountRangePx SumRange SumRangePx SumMap Range RangePx SumAttach CountAttach MaxAttach
    MinAttach GetAttachProperty GetString Audit Sleep
    """.split()  # noqa: SIM905
)
ASKING = ("SumStack", "SumLocation", "SumZone", "SumMap", "Sum", "SumMat", "GetProperty", "GetString")


def written(module: Module) -> Iterator[tuple[str, Component, str]]:
    """Yield every expression in braces, without them, with its component and the name of the piece that it is on."""
    for slot in module.pieces:
        for part in slot.parts:
            for text in (*part.of("expr", "text", "asks"), *part.lists("texts")):
                if in_braces(text):
                    yield text.strip()[1:-1], slot.component, slot.name
    for c in module.root.walk():
        for value in c.settings.values():
            if in_braces(value):
                yield value.strip()[1:-1], c, c.name
        if c.kind == "DrawPile":
            for item in decode_list(c.get("countExpressions")):
                text = item.partition(":")[2]
                if in_braces(text):
                    yield text.strip()[1:-1], c, c.name


def in_braces(text: str) -> bool:
    """Tell whether a text is an expression and not an old match or plain words."""
    text = text.strip()
    return len(text) > 1 and text[0] == "{" and text[-1] == "}"


def _read(text: str, known: dict[str, Read | str]) -> Read | str:
    """Return what an expression names, or why it does not parse; each text is read once."""
    if text not in known:
        try:
            known[text] = read_expression(text)
        except FaultError as fault:
            known[text] = str(fault)
    return known[text]


def check_expressions(module: Module) -> Iterator[Finding]:
    """Yield expressions that do not parse, and functions that there are not or that the module's version lacks."""
    known: dict[str, Read | str] = {}
    stated = (module.data.get("VassalVersion") or module.root.get("VassalVersion")).split(".")
    old = len(stated) > 1 and stated[0] == "3" and (whole(stated[1]) or 0) < 7
    said: set[tuple[int, str]] = set()
    for text, c, piece in written(module):
        for one in _with_inner(text, known):
            read = _read(one, known)
            where = module.where(c, piece)
            if isinstance(read, str):
                if (c.line, one) not in said:
                    said.add((c.line, one))
                    yield Finding(EXPRESSION_FAULTY, where, f"{{{_short(one)}}}: {read}", {"expression": one})
                continue
            for function, _ in read.called:
                if function not in FUNCTIONS and (c.line, function) not in said:
                    said.add((c.line, function))
                    near = hint(function, FUNCTIONS)
                    yield Finding(
                        EXPRESSION_FAULTY, where, f"{{{_short(one)}}}: there is no function {function!r}{near}"
                    )
                elif old and function in NEWER and (c.line, function) not in said:
                    said.add((c.line, function))
                    words = f"the function {function!r} needs VASSAL 3.7; the module states {'.'.join(stated)}"
                    yield Finding(VERSION_TOO_NEW, where, words)


def _short(text: str) -> str:
    return text if len(text) <= 60 else text[:57] + "..."


def _with_inner(text: str, known: dict[str, Read | str]) -> Iterator[str]:
    """Yield an expression and those that stand in its texts, as sums and counts want them."""
    yield text
    read = _read(text, known)
    if not isinstance(read, str):
        for inner in read.texts:
            if in_braces(inner) and inner.strip()[1:-1] != text:
                yield inner.strip()[1:-1]


def check_properties(module: Module) -> Iterator[Finding]:
    """Yield properties that are named and that nothing has."""
    if module.root.kind == "ModuleExtension" or any(e.endswith(".class") for e in module.archive):
        return  # what it extends, or its own code, may have them
    there = properties(module)
    lower = {p.casefold() for p in there}
    known: dict[str, Read | str] = {}
    said: set[tuple[int, str]] = set()
    for text, c, piece in written(module):
        for one in _with_inner(text, known):
            read = _read(one, known)
            if isinstance(read, str):
                continue
            asked = [*read.names, *(given[0] for f, given in read.called if f in ASKING and given)]
            for name in asked:
                if name in there or (c.line, name) in said or in_braces(name) or "$" in name:
                    continue
                said.add((c.line, name))
                near = "; names are case-sensitive" if name.casefold() in lower else hint(name, there)
                words = f"no piece, map or module has a property {name!r}{near}"
                yield Finding(PROPERTY_UNKNOWN, module.where(c, piece), words, {"property": name})
    for slot in module.pieces:
        for part in slot.parts:
            for name in _asked(part):
                if name not in there and (slot.component.line, name) not in said:
                    said.add((slot.component.line, name))
                    words = f"no piece, map or module has a property {name!r}{hint(name, there)}"
                    yield Finding(PROPERTY_UNKNOWN, module.where(slot.component, slot.name), words, {"property": name})


def _asked(part: Part) -> Iterator[str]:
    for name in (*part.of("asks"), *part.of("global")):
        if not in_braces(name) and "$" not in name:
            yield name


def properties(module: Module) -> set[str]:
    """Return the names of all properties that something in a module has."""
    out = set(BUILT_IN)
    for slot in module.pieces:
        for part in slot.parts:
            out.update(defined(part))
    for c in module.root.walk():
        name = c.get("name")
        if c.kind in ("GlobalProperty", "ZoneProperty", "GlobalTranslatableMessage") or c.kind.endswith(
            ("Preference", "ScenarioProperty")
        ):
            out.add(name)
        elif c.kind in ("CounterTurnLevel", "ListTurnLevel"):
            out.add(c.get("property"))
        elif c.kind in ("DiceButton", "RandomTextButton", "SpecialDiceButton"):
            out.update(f"{name}_{end}" for end in ("result", "total", "keep"))
            out.update(f"result{i}" for i in range(1, 100))
        elif c.kind == "DrawPile":
            out.add(f"{name}_numPieces")
            out.update(f"{name}_{item.partition(':')[0].strip()}" for item in decode_list(c.get("countExpressions")))
        elif c.kind in ("Map", "PrivateMap", "PlayerHand"):
            out.update((f"{c.get('mapName')}_isVisible", f"{c.get('mapName')}Zoom"))
        elif c.kind == "DoActionButton":
            out.add(c.get("indexProperty"))
        elif c.kind == "MapShader":
            out.add(f"{name}_Shading")
    for slot in module.pieces:
        for part in slot.parts:
            if part.name == "macro" and len(part.fields) > 14:
                out.add(part.fields[14])
    return out
