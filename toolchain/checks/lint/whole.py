"""The module as a whole: what it says of itself, its classes, its names, and whether its maps can be played on."""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Iterator

from toolchain.catalogue import (
    CLASS_UNKNOWN,
    MAP_FAULTY,
    MODULE_DATA,
    MODULE_INCOMPLETE,
    NAME_TWICE,
    VERSION_TOO_NEW,
)
from toolchain.checks.lint.hints import hint
from toolchain.report import Finding, Location
from toolchain.sources.vassal.buildfile import Component
from toolchain.sources.vassal.forms import NEWER
from toolchain.sources.vassal.modules import Module

NEWEST = (3, 8)
"""The newest line of VASSAL that there is."""

# Components of VASSAL 3.6 to 3.8, by the name of their class; a module may have classes of its own besides.
KINDS = frozenset(
    """
    AboutScreen AdditionalPreferences BasicCommandEncoder BasicModule Board BoardPicker BooleanPreference
    BooleanScenarioProperty BoxWidget BrowserHelpFile BrowserPDFFile CardSlot ChangePropertyButton Chart ChartWindow
    Chatter ChessClock ChessClockControl ColorManager ColorSwatch CounterDetailViewer CounterTurnLevel Deck
    DeckGlobalKeyCommand DeckKeyCommand DeckSendKeyCommand DeckSortKeyCommand DeckSubFolder DiceButton
    DoActionButton Documentation DoublePreference DrawPile EnumPreference ExtensionElement ExtensionsLoader Flare
    Folder FontManager FontStyle ForwardToChatter ForwardToKeyBuffer GameModule GamePieceImage
    GamePieceImageDefinitions GamePieceLayout GamePieceLayoutsContainer GlobalKeyCommand GlobalMap GlobalOptions
    GlobalProperties GlobalProperty GlobalPropertyFolder GlobalTranslatableMessage GlobalTranslatableMessages
    HandMetrics HelpFile HexGrid HexGridNumbering HidePiecesButton HighlightLastMoved HtmlChart ImageItem
    ImageItemInstance
    ImageSaver IntegerPreference InternetDiceButton Inventory KeyBufferer KeyNamer LOS_Thread Language LayerControl
    LayeredPieceCollection ListScenarioProperty ListTurnLevel ListWidget Map MapCenterer MapShader MapSubFolder
    MapWidget MassKeyCommand MenuDisplayer ModuleExtension ModuleSubFolder MoveCameraButton MultiActionButton
    MultiKeyCommand NotesWindow NumberScenarioProperty ObliqueHexGridNumbering PanelWidget PieceMover
    PieceRecenterer PieceSlot PieceWindow PlayerHand PlayerRoster Plugin PredefinedSetup PrivateMap PrivateMap$View
    PrototypeDefinition PrototypeFolder PrototypesContainer RandomTextButton Region RegionGrid RegionGrid$Region
    ScenarioPropertiesOptionTab Scroller SelectionHighlighter SelectionHighlighters ServerStatusView SetupStack
    ShapeItem ShapeItemInstance SpecialDiceButton SpecialDie SpecialDieFace SquareGrid SquareGridNumbering
    StackExpander StackMetrics StartupGlobalKeyCommand StringPreference StringScenarioProperty SymbolItem
    SymbolItemInstance SymbolSet TabWidget TerrainMap TextBoxItem TextBoxItemInstance TextItem TextItemInstance
    TextPreference TextSaver TextScenarioProperty ToolbarMenu Translation TurnGlobalHotkey TurnTracker Tutorial
    WidgetMap Zone ZoneHighlight ZoneProperty ZonedGrid ZonedGridHighlighter Zoomer
    """.split()  # noqa: SIM905
)
NEEDED = {
    "PieceMover": "nothing can be dragged",
    "KeyBufferer": "nothing can be selected",
    "ForwardToKeyBuffer": "no key reaches the pieces",
    "MenuDisplayer": "pieces have no menu",
    "StackMetrics": "stacks are drawn as VASSAL takes for granted",
}


def check_data(module: Module) -> Iterator[Finding]:
    """Yield where moduledata lacks what VASSAL needs, or differs from the build file."""
    extension = module.root.kind == "ModuleExtension"
    name = "extensiondata" if extension else "moduledata"
    where = Location(file=f"{module.shown}/{name}")
    if name not in module.archive:
        yield Finding(MODULE_DATA, where, f"there is no {name}; VASSAL takes the module for one of before 3.5")
        return
    version = module.data.get("VassalVersion", "")
    old = module.build_file == "buildFile"
    if not old and _numbers(version) < (3, 5):
        text = f"its VASSAL version is {version or 'not given'}; below 3.5 VASSAL looks for a file called buildFile"
        yield Finding(MODULE_DATA, where, text)
    for key, setting in (("name", "name"), ("version", "version")):
        stated, built = module.data.get(key, ""), module.root.get(setting).strip()
        if not extension and stated != built and (key in module.data or built):
            text = f"the {key} is {stated!r} here and {built!r} in {module.build_file}"
            yield Finding(MODULE_DATA, where, text, {"key": key, "data": stated, "build": built})


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(n) for n in re.findall(r"[0-9]{1,6}", version)[:2])


def check_version(module: Module) -> Iterator[Finding]:
    """Yield a version that no VASSAL has, and traits that the module's own version lacks."""
    stated = module.data.get("VassalVersion") or module.root.get("VassalVersion")
    version = _numbers(stated)
    if version > NEWEST:
        text = f"it asks for VASSAL {stated}; the newest line is {NEWEST[0]}.{NEWEST[1]}"
        yield Finding(VERSION_TOO_NEW, module.where(module.root), text)
    if not version:
        return
    for slot in module.pieces:
        for part in slot.parts:
            needs = NEWER.get(part.name)
            if needs and version < _numbers(needs):
                text = f"the trait {part.name!r} needs VASSAL {needs}; the module states {stated}"
                yield Finding(VERSION_TOO_NEW, module.where(slot.component, slot.name), text)


def check_classes(module: Module) -> Iterator[Finding]:
    """Yield components whose class neither VASSAL nor the archive has."""
    for c in module.root.walk():
        if "." not in c.tag:
            continue
        kind = c.kind.rpartition(".")[2]
        ours = c.tag.startswith("VASSAL.")
        if ours and kind in KINDS:
            continue
        if f"{c.tag.replace('.', '/')}.class" in module.archive:
            continue
        near = hint(kind, KINDS)
        yield Finding(CLASS_UNKNOWN, module.where(c), f"there is no class {c.tag!r}{near}", {"class": c.tag})


def check_names(module: Module) -> Iterator[Finding]:
    """Yield components that should differ in name and do not."""
    for kinds, what, across in (
        (("PrototypeDefinition",), "prototypes", ()),
        (("GlobalProperty",), "global properties", ("Map", "PrivateMap", "PlayerHand")),
        (("ZoneProperty",), "properties", ("Zone",)),
        (("Zone",), "zones", ("Board",)),  # boards of one map are often alternatives
        (("MapShader",), "map shadings", ("Map", "PrivateMap", "PlayerHand")),
        (("PieceWindow", "ChartWindow"), "windows", ()),
        (("Region",), "regions", ("RegionGrid",)),
    ):
        seen: Tally[tuple[Component | None, str]] = Tally()
        for c in module.root.all(*kinds):
            name = c.get("name")
            if kinds == ("Zone",) and c.get("locationFormat", "$name$") != "$name$":
                continue
            key = (module.around(c, *across) if across else None, name)
            seen[key] += 1
            if name and seen[key] == 2:
                yield Finding(NAME_TWICE, module.where(c, name), f"there are two {what} {name!r}", {"name": name})


def check_maps(module: Module) -> Iterator[Finding]:
    """Yield maps and boards without a name or a board, and those of the same name."""
    names: Tally[str] = Tally()
    for m in module.maps:
        name = m.get("mapName")
        names[name] += 1
        if not name:
            yield Finding(MAP_FAULTY, module.where(m), "the map has no name")
        elif names[name] == 2:
            yield Finding(MAP_FAULTY, module.where(m, name), f"there are two maps {name!r}")
        pickers = list(m.all("BoardPicker"))
        boards = [b for p in pickers for b in p.all("Board")]
        if not boards and not m.get("useBoards"):
            yield Finding(MAP_FAULTY, module.where(m, name), "the map has no board")
        known: Tally[str] = Tally(b.get("name") for b in boards)
        for b in boards:
            board = b.get("name")
            if not board:
                yield Finding(MAP_FAULTY, module.where(b, name), "a board has no name")
            elif known[board] > 1:
                yield Finding(
                    MAP_FAULTY, module.where(b, board), f"there are {known[board]} boards {board!r} on {name!r}"
                )
                known[board] = 1
            grids = [c for c in b.parts if c.kind in ("HexGrid", "SquareGrid", "RegionGrid", "ZonedGrid")]
            if len(grids) > 1:
                yield Finding(MAP_FAULTY, module.where(grids[1], board), "a board can have one grid alone; use zones")
        seen_stack = False
        for c in m.walk():
            seen_stack |= c.kind in ("SetupStack", "DrawPile")
            if c.kind == "BoardPicker" and seen_stack:
                text = "the boards stand after at-start stacks, which are then on no board"
                yield Finding(MAP_FAULTY, module.where(c, name), text)


def check_wiring(module: Module) -> Iterator[Finding]:
    """Yield maps on which nobody can play, and components that do nothing."""
    for m in module.maps:
        if m.kind == "WidgetMap":
            continue
        # A hand lays its cards out by metrics of its own.
        kinds = {c.kind.replace("HandMetrics", "StackMetrics") for c in m.walk()}
        for kind, effect in NEEDED.items():
            if kind not in kinds:
                yield Finding(MODULE_INCOMPLETE, module.where(m, m.name), f"the map has no {kind}; {effect}")
    for c in module.root.all("TurnTracker"):
        if not any(level.kind in ("CounterTurnLevel", "ListTurnLevel") for level in c.parts):
            yield Finding(MODULE_INCOMPLETE, module.where(c, c.name), "the turn track has no level; it tells no turn")
    for c in module.root.all("ListTurnLevel"):
        if not c.get("list"):
            yield Finding(MODULE_INCOMPLETE, module.where(c, c.name), "the level of the turn track lists nothing")
