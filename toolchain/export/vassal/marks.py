"""Marks that the check of a saved game sets on its pieces: how they are supplied, and that they are too many.

Every unit of a module carries two empty layers for them; a player clears them with one key. A mark is a state of the
piece and nothing else, so that a marked save is an ordinary save.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from toolchain.catalogue import MARKS_ABSENT
from toolchain.checks.judge import Verdict
from toolchain.export.vassal.overstack import PICTURE, build_picture
from toolchain.export.vassal.readback import piece_name
from toolchain.model.game import Game
from toolchain.model.rulebook import OUT, Rulebook
from toolchain.report import Finding, Location, Report
from toolchain.sources.vassal.pieces import Traits
from toolchain.sources.vassal.saves import Save, Saved
from toolchain.sources.vassal.traits import Layer

SUPPLIED, CROWDED = "Supplied", "Checked"
CLEAR = "57430,0,ClearMarks"
UNDECIDED = "undecided"
_AMBER, _RED, _VIOLET = "#e08a00", "#c8102e", "#6a4c93"


def marked_grades(rules: Rulebook) -> tuple[str, ...]:
    """Return the grades of supply that are marked: all but the best, and what the rules leave open."""
    return (*rules.grades[1:], OUT, UNDECIDED) if rules.supply else ()


def mark_layers(game: Game, size: tuple[int, int], clear: str) -> Traits:
    """Make the layers of a unit. size: of the piece in pixels. clear: the menu's word for taking the marks away."""
    x, y = round(size[0] * 0.42), round(size[1] * 0.42)
    out: list[Layer] = []
    grades = tuple(_picture(n) for n in range(len(marked_grades(game.rulebook))))
    crowded = (PICTURE,) * bool(game.rulebook.stacking)
    for name, shown, at in ((SUPPLIED, grades, (-(size[0] // 2), 0)), (CROWDED, crowded, (x, -y))):
        if shown:
            menu = "" if out else clear
            images, names = ("", *shown), ("",) * (len(shown) + 1)
            layer = Layer(
                reset=menu, reset_key=CLEAR, images=images, names=names, name=name, x=at[0], y=at[1], loop=False
            )
            out.append(layer)
    return tuple(out)


def mark_pictures(game: Game, size: int) -> dict[str, bytes]:
    """Draw the pictures of the layers, each so many pixels wide, in outlines."""
    grades = marked_grades(game.rulebook)
    out = {}
    for n, grade in enumerate(grades):
        colour = _RED if grade == OUT else _VIOLET if grade == UNDECIDED else _AMBER
        sign = {OUT: _CROSS, UNDECIDED: _QUERY}.get(grade, _bars(n + 1))
        out[_picture(n)] = _disc(size, colour, sign)
    if game.rulebook.stacking:
        out[PICTURE] = build_picture(size)
    return out


def _picture(number: int) -> str:
    return f"mark-supply-{number + 1}.svg"


_CROSS = '<path d="M7.2 7.2L16.8 16.8M16.8 7.2L7.2 16.8"/>'
_QUERY = '<path d="M8.6 9.4a3.4 3.4 0 1 1 5 3c-1 .6-1.6 1.1-1.6 2.3M12 17.4V17.5" stroke-linecap="round"/>'


def _bars(count: int) -> str:
    gap = 12 / (count + 1)
    return "".join(f'<path d="M7 {6 + gap * (i + 1):.2f}H17"/>' for i in range(count))


def _disc(size: int, colour: str, sign: str) -> bytes:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{size}" height="{size}" viewBox="0 0 24 24">'
        f'<circle cx="12" cy="12" r="10.8" fill="{colour}" stroke="#ffffff" stroke-width="1.6"/>'
        f'<g fill="none" stroke="#ffffff" stroke-width="2.6">{sign}</g></svg>\n'
    ).encode()


def mark_save(
    save: Save, saved: Mapping[str, Saved], verdict: Verdict, crowded: Iterable[Finding], report: Report
) -> bytes:
    """Return the saved game with the marks of a verdict on its pieces, and without those that no longer hold.

    saved: pieces by id in the position. crowded: findings of the check of stacking. A piece that should bear a mark and
    has no layer for it is a finding.
    """
    grades = marked_grades(verdict.game.rulebook)
    over = {ident for f in crowded for ident in f.facts.get("pieces", ())}
    undecided = {verdict.layout.pieces[row].id for row in verdict.undecided.tolist()}
    changes: dict[tuple[str, int], str] = {}
    for ident, piece in saved.items():
        grade = UNDECIDED if ident in undecided else verdict.supply.get(ident, "")
        level = {SUPPLIED: grades.index(grade) + 2 if grade in grades else 1, CROWDED: 2 if ident in over else 1}
        places = dict(_layers(piece))
        for name, wanted in level.items():
            if name in places:
                changes[piece.ident, places[name]] = str(wanted)
            elif wanted > 1:
                where = Location(file=verdict.position.where.file, element=piece.ident)
                report.add(
                    MARKS_ABSENT, where, f"{piece_name(piece)!r} has no layer {name!r}, which would show its mark"
                )
    return save.with_states(changes)


def _layers(piece: Saved) -> Iterator[tuple[str, int]]:
    for place, trait in enumerate(piece.traits):
        if isinstance(trait, Layer) and trait.name in (SUPPLIED, CROWDED):
            yield trait.name, place
