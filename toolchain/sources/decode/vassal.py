"""vassal.toml: what only the module needs to know."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from toolchain.report import Report
from toolchain.sources.decode import Raw, decode

Text = Annotated[str, Field(min_length=1)]


class Dice(Raw):
    """A button that rolls dice."""

    name: Text
    dice: int = Field(default=1, ge=1, le=20)
    sides: int = Field(default=6, ge=2, le=1000)


class Chart(Raw):
    """A picture in the charts window. image: its name, such as chart-NAME.png for a chart of the counters' style."""

    title: Text
    image: Text


class FaceOf(Raw):
    """One face of a counter: step 0 is its front."""

    counter: Text
    step: int = Field(default=0, ge=0)


Of = dict[str, str | bool | int | tuple[str, ...]]
"""Which counters: all of these columns have one of these values."""


class Send(Raw):
    """A menu entry that sends pieces to a box or pool. to: one for all, or one for each side. key: with Ctrl."""

    title: Text
    to: Text | dict[str, Text]
    of: Of = Field(default_factory=dict)
    key: str = Field(default="", pattern=r"^[A-Z]?$")


class Deck(Raw):
    """A pile of cards. of: which counters begin in it, none for a discard pile.

    at: space that it lies in. shift: beside the middle of that space, in millimetres to the right and down. side: whose
    it is; from VASSAL 3.7 on only that side may touch it. open: its cards lie face up. shuffle: drawn in any order.
    discards: the pile that its cards are discarded to, which has an entry that shuffles them back.
    """

    name: Text
    at: Text
    of: Of | None = None
    shift: tuple[float, float] = (0.0, 0.0)
    side: str = ""
    open: bool = False
    shuffle: bool = True
    discards: str = ""


class Words(Raw):
    """What players read in menus, buttons and the chat, so that a module can speak another language.

    $...$ stands for what VASSAL knows: the piece's name before and after, where it is, where it was. hidden,
    hidden_card: what a piece and a card are called, after their side, while their face is hidden. about_...: hints of
    buttons, and what the help page says.
    """

    flip: Text = "Flip"
    next_step: Text = "Next step"
    previous_step: Text = "Previous step"
    reduced: Text = "reduced"
    step: Text = "step"
    moved: Text = "Mark as moved"
    trail: Text = "Movement trail"
    clone: Text = "Clone"
    delete: Text = "Delete"
    eliminate: Text = "Eliminate"
    flip_report: Text = "$oldPieceName$ becomes $newPieceName$ in $location$"
    clone_report: Text = "$oldPieceName$ is copied in $location$"
    delete_report: Text = "$oldPieceName$ is taken off $oldLocation$"
    eliminate_report: Text = "$oldPieceName$ is eliminated in $oldLocation$"
    move_report: Text = "$pieceName$ moves from $previousLocation$ to $location$"
    place_report: Text = "$pieceName$ is placed in $location$"
    unmark: Text = "Clear moved marks"
    hide_pieces: Text = "Hide pieces"
    zoom_in: Text = "Zoom in"
    zoom_pick: Text = "Choose a zoom"
    zoom_out: Text = "Zoom out"
    overview: Text = "Overview"
    picture: Text = "Save the map as a picture"
    thread: Text = "Measure"
    pieces: Text = "Pieces"
    markers: Text = "Markers"
    charts: Text = "Charts"
    inventory: Text = "Inventory"
    notes: Text = "Notes"
    turn: Text = "Turn"
    phase: Text = "Phase"
    side: Text = "Side"
    empty: Text = "Empty map"
    help: Text = "Help"
    stacking: Text = "stacking"
    clear_marks: Text = "Clear marks"
    events: Text = "Events"
    facts: Text = "State"
    event_report: Text = "$title$ in force: $newValue$"
    fact_report: Text = "$title$: $newValue$"
    crowded_report: Text = "Too many in $location$"
    zones: Text = "ZOC"
    hide: Text = "Hide / show"
    hidden: Text = "piece"
    hidden_card: Text = "card"
    hide_report: Text = "$newPieceName$ is turned over in $location$"
    hidden_flip_report: Text = "$newPieceName$ changes in $location$"
    turn_right: Text = "Turn right"
    turn_left: Text = "Turn left"
    turn_report: Text = "$newPieceName$ turns in $location$"
    send_report: Text = "$oldPieceName$ goes from $oldLocation$ to $location$"
    hand: Text = "Hand"
    discard: Text = "Discard"
    discard_report: Text = "A card is discarded"
    shuffle: Text = "Shuffle"
    shuffle_report: Text = "$deckName$ is shuffled"
    reshuffle: Text = "Shuffle back"
    reshuffle_report: Text = "$deckName$ goes back"
    card_report: Text = "A card goes to $mapName$"
    boards: Text = "Choose the maps"
    turned: Text = "turned"
    about_pieces: Text = "All pieces, to be dragged onto the map"
    about_side: Text = "Take another side, or leave yours to others"
    about_turn: Text = "The turn and its phases"
    about_inventory: Text = "All units on the map, by side and place"
    about_notes: Text = "Notes for all, and your own"
    about_charts: Text = "Tables of the game"
    about_events: Text = "What is in force; choose to change it"
    about_facts: Text = "What no piece shows; choose to change it"
    about_shades: Text = "Shade the hexes around units with a zone of control"
    about_hide: Text = "Take the pieces away for a look at the map, and put them back"
    about_thread: Text = "Drag from hex to hex to count them"
    about_ground: Text = "Rest the mouse on a space to see its name, terrain, features and stacking limit."
    about_crowds: Text = "A warning sign lies on the pieces of a stack that is too high for its space."
    about_zones: Text = (
        "The buttons for zones of control shade all hexes around units that may have one. They know neither rivers nor "
        "supply; the toolchain's check of a saved game does."
    )
    about_hidden: Text = "Your pieces hide their faces from the other side; a broken edge tells you so."
    about_cards: Text = "Drag a card from a deck into the window of your hand, or onto the map; its menu discards it."


class VassalPlan(Raw):
    """The whole of vassal.toml; every key may be left out.

    vassal: lowest version of VASSAL that shall open the module. hex_pixels: between centres of neighbouring hexes; an
    even number puts every centre on a pixel. map: name of the map window. unnamed: what precedes the number of a hex
    without a name, so that VASSAL takes it for a word. under: kinds of marker that lie under units. control: face that
    shows a side's control of a space, by side. eliminated: box that takes eliminated pieces, by side. kinds: titles of
    kinds of counter in the palette. box_margin: millimetres at the edges of a box that set-ups leave free; box_head:
    the same at its top, where its title is printed. notes: paragraphs for the help page. faces: pictures of counters,
    "png" at the board's scale or "svg", sharp at every zoom and slower to draw. hide: pieces whose face only their own
    side sees. rotate: pieces that turn by the sides of a hex. owned: a side's pieces can be moved by that side alone.
    zones: shading of zones of control, by side, as #rrggbb. hands: sides that hold cards. at_start: the set-up whose
    pieces lie on the board of every new game.
    """

    format: Literal[1] = 1
    vassal: str = Field(default="3.6.0", pattern=r"^3\.([6-9]|\d\d)\.\d{1,2}$")
    hex_pixels: int = Field(default=80, ge=16, le=400)
    map: Text = "Map"
    unnamed: str = Field(default="hex ", pattern=r"^[A-Za-z]")
    under: tuple[str, ...] = ()
    control: dict[str, FaceOf] = Field(default_factory=dict)
    eliminated: dict[str, Text] = Field(default_factory=dict)
    kinds: dict[str, Text] = Field(default_factory=dict)
    box_margin: float = Field(default=3.0, ge=0)
    box_head: float = Field(default=11.0, ge=0)
    faces: Literal["png", "svg"] = "png"
    hide: Of | None = None
    rotate: Of | None = None
    owned: bool = False
    zones: dict[str, Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$")]] = Field(default_factory=dict)
    sends: tuple[Send, ...] = Field(default=(), alias="send")
    decks: tuple[Deck, ...] = Field(default=(), alias="deck")
    hands: tuple[str, ...] = ()
    at_start: str = ""
    thread: bool = True
    dice: tuple[Dice, ...] = (Dice(name="2d6", dice=2), Dice(name="1d6"))
    charts: tuple[Chart, ...] = ()
    notes: tuple[str, ...] = ()
    words: Words = Words()

    def newer_than(self, major: int, minor: int) -> bool:
        """Tell whether the module is for a later line of VASSAL only."""
        first, second, _ = map(int, self.vassal.split("."))
        return (first, second) > (major, minor)


def decode_vassal(raw: dict[str, Any], file: str, report: Report) -> VassalPlan | None:
    """Check the raw values of vassal.toml."""
    return decode(VassalPlan, raw, file, report)
