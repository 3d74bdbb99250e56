"""The palette: tabs of counters by side and kind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from toolchain.export.vassal.buildfile import Element, part
from toolchain.export.vassal.choice import is_card
from toolchain.export.vassal.kit import Kit
from toolchain.model.forces import Counter
from toolchain.model.game import Game
from toolchain.sources.decode.vassal import VassalPlan
from toolchain.sources.vassal.codec import ctrl_shift
from toolchain.sources.vassal.pieces import add_piece

COLUMNS, ROWS = 8, 3  # of counters that a page of the palette shows at once


def build_palette(game: Game, plan: VassalPlan, kit: Kit) -> Element:
    """Write the palette: a tab for each side and one for what belongs to none, in each a tab for every kind."""
    w = plan.words
    groups = [
        (side.title, [c for c in game.counters if c.side == name and not is_card(c, plan)])
        for name, side in game.sides.items()
    ]
    groups.append((w.markers, [c for c in game.counters if c.side not in game.sides and not is_card(c, plan)]))
    tabs = [_tab(title, counters, plan, kit) for title, counters in groups if counters]
    return part(
        "module.PieceWindow",
        [part("widget.TabWidget", tabs, entryName=w.pieces)],
        name=w.pieces,
        text=w.pieces,
        tooltip=w.about_pieces,
        icon="/images/counter.gif",
        hotkey=ctrl_shift("P"),
        hidden=False,
        scale="1.0",
        defaultWidth=0,
    )


def _tab(title: str, counters: Iterable[Counter], plan: VassalPlan, kit: Kit) -> Element:
    by_kind: dict[str, list[Counter]] = {}
    for c in counters:
        by_kind.setdefault(c.kind, []).append(c)
    panels = []
    for kind, members in by_kind.items():
        name = plan.kinds.get(kind) or kind.replace("-", " ").capitalize() or plan.words.pieces
        panels.append(_panel(name, [_slot(c, kit) for c in members]))
    # Tabs in many rows leave no room for counters: a list that drops down takes one row.
    kinds = "TabWidget" if len(panels) <= COLUMNS else "BoxWidget"
    return part(f"widget.{kinds}", panels, entryName=title)


def _panel(name: str, slots: Sequence[Element]) -> Element:
    """Write the page of one kind: its counters side by side, or where they are many, one after the other by a list.

    What lies side by side does not scroll: VASSAL crops what has no room.
    """
    if len(slots) > COLUMNS * ROWS:
        return part("widget.ListWidget", slots, entryName=name, scale="1.0", width=300, height=200, divider=120)
    columns = min(COLUMNS, max(4, len(slots)))
    return part("widget.PanelWidget", slots, entryName=name, fixed=True, nColumns=columns, vert=False, scale="1.0")


def _slot(c: Counter, kit: Kit) -> Element:
    width, height = kit.sizes[c.id]
    traits = kit.pieces[c.id]
    basic = traits[-1]
    return part(
        "widget.PieceSlot",
        (),
        add_piece("null", traits),
        entryName=getattr(basic, "name", c.id),
        gpid=getattr(basic, "gpid", ""),
        width=width,
        height=height,
    )
