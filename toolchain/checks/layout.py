"""A position laid out on a board as arrays, and the judging of selectors and conditions on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from toolchain.graph.board import Board
from toolchain.graph.search import Bools, Ints
from toolchain.model.forces import Counter, Value
from toolchain.model.game import Game
from toolchain.model.position import Piece, Position
from toolchain.model.rulebook import Home, Weight
from toolchain.model.terms import (
    ENEMY,
    EVERY,
    FRIENDLY,
    NEUTRAL,
    NOBODY,
    OWN,
    All,
    AnyOf,
    Beside,
    Controls,
    Holds,
    InForce,
    Is,
    Not,
    StandsIn,
    State,
    Term,
    Turns,
    View,
    number_of,
    text_of,
)

Floats = NDArray[np.float64]

OFF = -1


@dataclass(frozen=True, eq=False)
class Imagined:
    """A piece that is not there, by its attributes: what a rule asks "if one were here" about."""

    attributes: Mapping[str, Value]

    def value(self, name: str) -> Value | None:
        """Return an attribute."""
        return self.attributes.get(name)


@dataclass(frozen=True, eq=False)
class Standing:
    """One step of one counter, as a piece of the position."""

    counter: Counter
    step: int

    def value(self, name: str) -> Value | None:
        """Return what this face, or else the counter, has under a name."""
        return self.counter.value(name, self.step)


class Layout:
    """Pieces and spaces of a position as arrays.

    pieces: the pieces of the position whose counter and space exist, in stacking order; after them the arrays have one
    row for each imagined piece, which stands nowhere. at: space of each row, OFF for none. side: number of each row's
    side, OFF for none. control: number of the side that controls each space, OFF for nobody.
    """

    def __init__(
        self, game: Game, board: Board, position: Position, imagined: Sequence[Mapping[str, Value]] = ()
    ) -> None:
        self.game, self.board, self.position = game, board, position
        self.sides: tuple[str, ...] = tuple(game.sides)
        self.pieces: tuple[Piece, ...] = tuple(
            p for p in position.pieces if p.counter in game.counter and p.at in board.index
        )
        self._faces: list[Standing | Imagined] = []
        numbers: dict[tuple[str, int], int] = {}
        face: list[int] = []
        for p in self.pieces:
            number = numbers.setdefault((p.counter, p.step), len(self._faces))
            if number == len(self._faces):
                self._faces.append(Standing(game.counter[p.counter], p.step))
            face.append(number)
        for attributes in imagined:
            face.append(len(self._faces))
            self._faces.append(Imagined(attributes))
        self._face: Ints = np.array(face, dtype=np.int64)
        on_map = [board.index[p.at] for p in self.pieces]
        self.at: Ints = np.array(on_map + [OFF] * len(imagined), dtype=np.int64)
        self._columns: dict[str, tuple[str, ...]] = {}
        self._counted_as: dict[str, tuple[str, ...]] = {}
        self.side: Ints = self._numbers("side", self.sides)
        self.control: Ints = self._control()

    @property
    def rows(self) -> int:
        """The number of pieces, the imagined ones included."""
        return len(self.at)

    def column(self, name: str) -> tuple[str, ...]:
        """Return an attribute of every row as text, empty where it has none."""
        values = self._of_faces(name)
        return tuple(values[i] for i in self._face.tolist())

    def counted_as(self, name: str) -> tuple[str, ...]:
        """Return what every row counts as in an attribute: another nation's, say, where the rules say so."""
        values = self._counts_of_faces(name)
        return tuple(values[i] for i in self._face.tolist())

    def _counts_of_faces(self, name: str) -> tuple[str, ...]:
        table = self.game.rulebook.counts_as.get(name)
        if not table:
            return self._of_faces(name)
        if name not in self._counted_as:
            self._counted_as[name] = tuple(table.get(v, v) for v in self._of_faces(name))
        return self._counted_as[name]

    def numbers(self, name: str) -> Floats:
        """Return a numeric attribute of every row, 0 where it has none or it is no number."""
        numeric: Floats = np.array([number_of(f.value(name)) or 0.0 for f in self._faces], dtype=np.float64)
        return numeric[self._face]

    def weights(self, weight: Weight) -> Floats:
        """Return how much every row counts for, never less than nothing, shape (rows,)."""
        out = np.maximum(self.numbers(weight.by), 0.0) if weight.by else np.ones(self.rows)
        left = np.ones(self.rows, dtype=bool)
        for of, times in weight.times:
            taken = left & self.pieces_of(of)
            out = np.where(taken, out * times, out)
            left &= ~taken
        return out

    def _of_faces(self, name: str) -> tuple[str, ...]:
        if name not in self._columns:
            values = [f.value(name) for f in self._faces]
            self._columns[name] = tuple("" if v is None else text_of(v) for v in values)
        return self._columns[name]

    def _numbers(self, name: str, known: Sequence[str]) -> Ints:
        number = {k: i for i, k in enumerate(known)}
        values = [number.get(v, OFF) for v in self._of_faces(name)]
        faces: Ints = np.array(values, dtype=np.int64)
        return faces[self._face]

    def _control(self) -> Ints:
        number = {s: i for i, s in enumerate(self.sides)}
        control = np.full(self.board.size, number.get(self.position.controller, OFF), dtype=np.int64)
        for key, side in self.position.control.items():
            if key in self.board.index:
                control[self.board.index[key]] = number.get(side, OFF)
        for home in self.homes:
            if home.reverts:
                continue
            # The map alone tells whose home a space is; a term that asks for control would go round in circles.
            control[self._spaces(home.where, NOBODY, control)] = number.get(home.side, OFF)
        return control

    @cached_property
    def homes(self) -> tuple[Home, ...]:
        """The homes that the rules give to sides now."""
        return tuple(h for h in self.game.rulebook.control.home if self.holds(h.when))

    def view(self, row: int) -> View:
        """Return how a piece sees the position: its side and nation."""
        return View(self._of_faces("side")[self._face[row]], self._counts_of_faces("nation")[self._face[row]])

    def pieces_of(self, term: Term, view: View = NOBODY) -> Bools:
        """Judge a selector on every piece, shape (rows,)."""
        match term:
            case All(terms):
                mask = np.ones(self.rows, dtype=bool)
                for inner in terms:
                    mask &= self.pieces_of(inner, view)
                return mask
            case AnyOf(terms):
                mask = np.zeros(self.rows, dtype=bool)
                for inner in terms:
                    mask |= self.pieces_of(inner, view)
                return mask
            case Not(inner):
                return ~self.pieces_of(inner, view)
            case StandsIn(inner):
                return self.standing_in(self.spaces_of(inner, view))
            case Is("side", values):
                return _whose(self.side, values, view, self.sides)
            case Is("state", values):
                return self._of_pieces([not set(p.states).isdisjoint(values) for p in self.pieces])
            case Is("carried", values):
                return self._of_pieces([("yes" if p.on else "no") in values for p in self.pieces])
            case Is(name, values):
                wanted = {view.nation if v == OWN else v for v in values} - {""}
                shown = zip(self._of_faces(name), self._counts_of_faces(name), strict=True)
                faces: Bools = np.array([v in wanted or c in wanted for v, c in shown], dtype=bool)
                return faces[self._face]
        raise TypeError(f"no selector of pieces: {term!r}")

    def _of_pieces(self, values: list[bool]) -> Bools:
        return np.array(values + [False] * (self.rows - len(values)), dtype=bool)

    def spaces_of(self, term: Term, view: View = NOBODY) -> Bools:
        """Judge a selector on every space, shape (size,)."""
        return self._spaces(term, view, self.control)

    def spaces_of_holding(self, pieces: Term, view: View = NOBODY) -> Bools:
        """Return which spaces hold a piece that a selector takes, shape (size,)."""
        return self.spaces_of(Holds(pieces), view)

    def _spaces(self, term: Term, view: View, control: Ints) -> Bools:
        size = self.board.size
        match term:
            case All(terms):
                mask = np.ones(size, dtype=bool)
                for inner in terms:
                    mask &= self._spaces(inner, view, control)
                return mask
            case AnyOf(terms):
                mask = np.zeros(size, dtype=bool)
                for inner in terms:
                    mask |= self._spaces(inner, view, control)
                return mask
            case Not(inner):
                return ~self._spaces(inner, view, control)
            case Holds(pieces):
                mask = np.zeros(size, dtype=bool)
                mask[self.at[self.pieces_of(pieces, view) & self._stands]] = True
                return mask
            case Beside(inner):
                return self.board.beside(self._spaces(inner, view, control))
            case Is("control", values):
                return _whose(control, values, view, self.sides)
            case Is(name, values):
                return self.board.spaces_with(name, [view.nation if v == OWN else v for v in values])
        raise TypeError(f"no selector of spaces: {term!r}")

    def holds(self, condition: Term, view: View = NOBODY) -> bool:
        """Judge a condition."""
        match condition:
            case All(terms):
                return all(self.holds(t, view) for t in terms)
            case AnyOf(terms):
                return any(self.holds(t, view) for t in terms)
            case Not(inner):
                return not self.holds(inner, view)
            case InForce(events):
                return not self.position.events.isdisjoint(events)
            case Turns(first, last):
                return first <= self.position.turn <= last
            case State(name, values):
                return self.position.facts.get(name, "") in values
            case Controls(space, side):
                at = self.board.index.get(space)
                return at is not None and bool(_whose(self.control[at : at + 1], (side,), view, self.sides)[0])
        raise TypeError(f"no condition: {condition!r}")

    def standing_in(self, spaces: Bools) -> Bools:
        """Return which pieces stand in these spaces, shape (rows,)."""
        stands = self._stands
        stands[stands] = spaces[self.at[stands]]
        return stands

    def rows_at(self, space: int) -> Sequence[int]:
        """Return the pieces in a space, in stacking order."""
        return self._rows_at.get(space, ())

    @cached_property
    def _rows_at(self) -> dict[int, list[int]]:
        rows: dict[int, list[int]] = {}
        for row, space in enumerate(self.at.tolist()):
            rows.setdefault(space, []).append(row)
        return rows

    def counted(self, term: Term) -> Bools:
        """Return which pieces a rule for `term` is about: those it takes, and by default every unit."""
        return self.units if term == EVERY else self.pieces_of(term) & self._stands

    @property
    def units(self) -> Bools:
        """Pieces that are units and stand on the map, shape (rows,)."""
        return self.pieces_of(Is("role", ("unit",))) & self._stands

    @property
    def _stands(self) -> Bools:
        stands: Bools = self.at != OFF
        return stands


def _whose(owner: Ints, words: Sequence[str], view: View, sides: Sequence[str]) -> Bools:
    """Judge words for sides on an array of side numbers."""
    mask: Bools = np.zeros(owner.shape, dtype=bool)
    own = sides.index(view.side) if view.side in sides else OFF
    for word in words:
        if word == FRIENDLY:
            mask |= (owner == own) & (own != OFF)
        elif word == ENEMY:
            mask |= (owner != own) & (owner != OFF) & (own != OFF)
        elif word == NEUTRAL:
            mask |= owner == OFF
        elif word in sides:
            mask |= owner == sides.index(word)
    return mask
