"""The VASSAL module: everything that a game's data says, put together as a .vmod archive."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from toolchain.catalogue import PICTURE_MISSING
from toolchain.export.vassal.archive import build_data, build_zip
from toolchain.export.vassal.atstart import build_start, start_ids
from toolchain.export.vassal.board import scale_of
from toolchain.export.vassal.boardset import BoardSet, build_board_sets
from toolchain.export.vassal.buildfile import Element, build_xml, part
from toolchain.export.vassal.cards import build_decks, build_hands, card_ids, save_decks
from toolchain.export.vassal.choice import is_card
from toolchain.export.vassal.gpids import Lock
from toolchain.export.vassal.help import build_help
from toolchain.export.vassal.kit import Kit, build_kit
from toolchain.export.vassal.mapwindow import build_map
from toolchain.export.vassal.marks import mark_pictures
from toolchain.export.vassal.overstack import PICTURE, build_picture
from toolchain.export.vassal.palette import build_palette
from toolchain.export.vassal.pictures import picture_size, plain_names
from toolchain.export.vassal.plancheck import check_plan, plan_file
from toolchain.export.vassal.prototypes import HIDDEN_PICTURE, MOVED_PICTURE, build_hidden, build_moved, mark_size
from toolchain.export.vassal.remembered import build_menus, build_properties
from toolchain.export.vassal.setups import build_setup
from toolchain.export.vassal.toolbar import build_charts, build_dice, build_inventory, build_turns
from toolchain.model.game import Game
from toolchain.model.position import Position
from toolchain.report import Location, Report, did_you_mean
from toolchain.sources.decode.vassal import VassalPlan
from toolchain.sources.vassal.codec import alt
from toolchain.sources.vassal.pieces import add_piece

HELP_FILE = "help.html"


def pixels_per_mm(game: Game, plan: VassalPlan) -> float:
    """Return the scale at which the module's boards and counters are to be drawn."""
    return scale_of(game.map, plan.hex_pixels)


def lock_ids(games: Sequence[Game], plan: VassalPlan) -> list[str]:
    """Return everything that needs a piece id: counters, the copies of cards, and pieces that lie there at the start.

    games: the game on every arrangement of its map.
    """
    counters = games[0].counters
    ids = [c.id for c in counters]
    ids += [i for c in counters if is_card(c, plan) for i in card_ids(c)[1:]]
    return ids + [i for game in games for i in start_ids(game, plan)]


def build_module(
    game: Game,
    pictures: Mapping[str, bytes],
    plan: VassalPlan,
    lock: Lock,
    report: Report,
    carried: Mapping[str, bytes] | None = None,
    others: Sequence[Game] = (),
    singles: Sequence[Game] = (),
) -> bytes:
    """Build a .vmod archive.

    pictures: file name to content, at `pixels_per_mm`: one "board-SHEET" for every sheet (see `board_picture`) and one
    for every face (see `face_pictures`), each ending in .svg or .png. lock: has an id for every counter
    (`update_lock`). carried: further files, such as the game's rules. others: the game on the further arrangements of
    its map, with their set-ups. singles: on each sheet by itself, for players to lay as they like. The same input gives
    the same bytes. Bad data is reported, and left out of the module.
    """
    check_plan(game, plan, report)
    sets = build_board_sets((game, *others), singles, pictures, pixels_per_mm(game, plan), report)
    kit = build_kit([s.game for s in sets], pictures, plan, lock.gpids, report)
    charts = [_chart_file(i, game, plan, pictures, report) for i in range(len(plan.charts))]

    data = build_data(game.version, plan.vassal, game.description, game.title)
    savedata = build_data(game.version, plan.vassal, "", None)
    laid = [(p, one) for one in sets for p in one.game.setups]
    names = plain_names(p.name for p, _ in laid)
    saves = {}
    for p, one in laid:
        if p.name != plan.at_start:
            decks = partial(save_decks, plan, kit, one, lock.gpids)
            save = build_setup(one.game, p, kit, one.boards, plan, (savedata, data), report, decks)
            saves[f"{names[p.name]}.vsav"] = save
    lying = [*build_start(plan, kit, sets, lock.gpids, report), *build_decks(plan, kit, sets, lock.gpids)]
    root = _root(game, plan, lock, kit, sets, charts, lying)
    used = {f for f in (*(f for s in sets for f in s.files), *kit.pictures, *charts) if f}
    return build_zip(
        {
            "moduledata": data,
            "buildFile.xml": build_xml(root),
            HELP_FILE: build_help([one.game for one in sets if not one.free], plan, kit.rules),
            **saves,
            **{f"images/{name}": pictures[name] for name in used},
            **_marks(game, plan, kit),
            **(carried or {}),
        }
    )


def _chart_file(i: int, game: Game, plan: VassalPlan, pictures: Mapping[str, bytes], report: Report) -> str:
    name = plan.charts[i].image
    if name in pictures:
        picture_size(name, pictures[name], report)
        return name
    where = Location(file=plan_file(game), key=f"charts.{i}.image")
    report.add(PICTURE_MISSING, where, f"there is no picture {name!r}{did_you_mean(name, pictures)}")
    return ""


def _root(
    game: Game,
    plan: VassalPlan,
    lock: Lock,
    kit: Kit,
    sets: Sequence[BoardSet],
    charts: Sequence[str],
    lying: Sequence[Element],
) -> Element:
    # Prototypes come before what uses them, boards before stacks; toolbar buttons show in this order.
    return part(
        "GameModule",
        [
            part("module.BasicCommandEncoder"),
            _documentation(plan),
            _roster(game, plan),
            _options(),
            build_properties([one.game for one in sets], plan),
            _prototypes(kit),
            build_palette(game, plan, kit),
            build_map(game, plan, sets, kit, lying),
            *build_hands(game, plan),
            *build_turns(game, plan),
            *build_menus([one.game for one in sets], plan),
            *build_dice(plan),
            build_inventory(plan),
            *build_charts(plan, charts),
            part(
                "module.NotesWindow",
                buttonText=plan.words.notes,
                tooltip=plan.words.about_notes,
                icon="/images/notes.gif",
                hotkey=alt("N"),
            ),
            part("module.Chatter"),
            part("module.KeyNamer"),
            part("i18n.Language"),
            *_setups([p for one in sets for p in one.game.setups], plan),
        ],
        name=game.title,
        version=game.version,
        description=game.description,
        VassalVersion=plan.vassal,
        nextPieceSlotId=lock.next,
    )


def _documentation(plan: VassalPlan) -> Element:
    page = part("documentation.HelpFile", title=plan.words.help, fileName=HELP_FILE, fileType="archive")
    return part("module.Documentation", [page])


def _roster(game: Game, plan: VassalPlan) -> Element:
    sides = [part("entry", (), side.title) for side in game.sides.values()]
    w, icons = plan.words, {"buttonIcon": "", "buttonKeyStroke": ""}
    return part("module.PlayerRoster", sides, buttonText=w.side, buttonToolTip=w.about_side, **icons)


def _options() -> Element:
    return part(
        "module.GlobalOptions",
        autoReport="Always",
        chatterHTMLSupport="Never",
        hotKeysOnClosedWindows="Never",
        inventoryForAll="Always",
        nonOwnerUnmaskable="Use Preferences Setting",
        playerIdFormat="$PlayerName$",
        promptString="",
        sendToLocationMoveTrails="Never",
        storeLeadingZeroIntegersAsStrings=True,
    )


def _marks(game: Game, plan: VassalPlan, kit: Kit) -> dict[str, bytes]:
    """Draw what the module itself puts on pieces."""
    size = mark_size(plan)
    out = {f"images/{MOVED_PICTURE}": build_moved(size)}
    out |= {f"images/{name}": data for name, data in mark_pictures(game, size).items()}
    if kit.rules.hidden:
        out[f"images/{HIDDEN_PICTURE}"] = build_hidden(min(kit.sizes[item] for item in kit.rules.hidden))
    return out | ({f"images/{PICTURE}": build_picture(size)} if kit.rules.used else {})


def _prototypes(kit: Kit) -> Element:
    return part(
        "module.PrototypesContainer",
        [
            part("module.PrototypeDefinition", (), add_piece("null", traits), name=name, description="")
            for name, traits in kit.prototypes.items()
        ],
    )


def _setups(positions: Sequence[Position], plan: VassalPlan) -> list[Element]:
    names = plain_names(p.name for p in positions)
    games = []
    for position in positions:
        placed = position.name == plan.at_start
        file = "" if placed else f"{names[position.name]}.vsav"
        games.append(_setup(position.title or position.name, file))
    # Where a set-up lies on the board of every new game, no game begins without it.
    return games if plan.at_start else [*games, _setup(plan.words.empty, "")]


def _setup(name: str, file: str) -> Element:
    return part("module.PredefinedSetup", name=name, file=file, useFile=bool(file), isMenu=False, description="")
