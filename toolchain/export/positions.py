"""A position as a picture: the map, the counters, control, zones of control, supply lines and findings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

from toolchain.art.mapsheet import build_map_page
from toolchain.art.marks import Page, ground
from toolchain.art.png import to_png
from toolchain.art.position import Overlay, build_position_page, side_inks
from toolchain.art.svg import to_svg
from toolchain.checks.judge import Verdict
from toolchain.checks.reasons import Reasons
from toolchain.model.game import Game
from toolchain.model.position import Position
from toolchain.model.rulebook import OUT
from toolchain.report import Report
from toolchain.survey.game import Loaded

WHITE = "#ffffff"


def position_file(
    loaded: Loaded,
    position: Position,
    verdict: Verdict,
    why: Sequence[str],
    report: Report,
    faces: Mapping[str, tuple[Page, ...]],
    suffix: str,
    dpi: float = 100,
) -> bytes:
    """Draw a position over its map, with control, zones of control, supply lines and findings.

    verdict: what was judged of it. why: pieces whose supply lines are drawn; without any, those of all are. report:
    findings to mark. suffix: ".svg" or ".png". dpi: of a PNG. The first sheet of the map is drawn.
    """
    game = loaded.game
    sheet = game.map.sheets[0].name
    base = build_map_page(game.map, loaded.drawing, loaded.project.map_style, Report(), furniture=False, sheet=sheet)
    reasons = Reasons(verdict)
    accounts = [reasons.why(piece) for piece in why]
    at = {p.id: p.at for p in verdict.layout.pieces}
    open_question = {verdict.layout.pieces[row].id for row in verdict.undecided.tolist()}
    marked = [f.where.space for f in report if f.where.space and not f.accepted and f.rule.code.startswith("P")]
    overlay = Overlay(
        title=f"{game.title}: {position.title}",
        sides={name: side.title for name, side in game.sides.items()},
        control=_held(verdict),
        zones={side: verdict.zone(side) for side in game.sides},
        supply={} if why else _supply(verdict, reasons),
        lines=[(a.space, *(step.space for step in a.steps), *a.joined) for a in accounts],
        stops=frozenset(block.space for a in accounts for block in a.blocks),
        stranded=frozenset(at[i] for i, grade in verdict.supply.items() if grade == OUT and i not in open_question),
        faults=Counter(marked),
        inks=side_inks(_papers(game, faces)),
    )
    page = build_position_page(base, game.map, position, faces, overlay, sheet)
    return to_png(page, dpi, WHITE) if suffix == ".png" else to_svg(page).encode()


def _papers(game: Game, faces: Mapping[str, tuple[Page, ...]]) -> dict[str, list[str]]:
    """Return the colour of the paper of every unit, by side."""
    out: dict[str, list[str]] = {side: [] for side in game.sides}
    for counter in game.counters:
        if counter.side in out and counter.role == "unit" and (drawn := faces.get(counter.id)):
            out[counter.side] += [c for c in [ground(drawn[0].marks)] if c]
    return out


def _supply(verdict: Verdict, reasons: Reasons) -> dict[str, frozenset[tuple[str, str]]]:
    """Return the steps that the lines of all units in supply take, by side."""
    steps: dict[str, set[tuple[str, str]]] = {side: set() for side in verdict.game.sides}
    for piece, grade in verdict.supply.items():
        if grade != OUT:
            side = verdict.layout.sides[int(verdict.layout.side[verdict.row_of[piece]])]
            account = reasons.why(piece)
            line = [account.space, *(step.space for step in account.steps), *account.joined]
            steps[side] |= {(min(pair), max(pair)) for pair in pairwise(line)}
    return {side: frozenset(taken) for side, taken in steps.items()}


def _held(verdict: Verdict) -> dict[str, frozenset[str]]:
    """Return the spaces that each side controls, but for the side that controls whatever nobody states."""
    spaces, owners = verdict.board.map.spaces, verdict.layout.control.tolist()
    return {
        side: frozenset(s.key for s, owner in zip(spaces, owners, strict=True) if owner == number)
        for number, side in enumerate(verdict.layout.sides)
        if side != verdict.position.controller
    }
