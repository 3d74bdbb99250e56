"""What the fields of every trait hold, for traits of anybody's modules: enough to follow what they name.

Source: the format of VASSAL 3.6 and 3.7. A field is written as its meaning; what is not followed is "-".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from toolchain.sources.vassal.codec import decode, decode_list

# Meanings: image, images, sound; key (one stroke), keys (several), sends (a stroke that the trait sends), sendall;
# text ($...$ inside), expr; prototype; property (defines one), asks (names one); map, board, zone, region, location,
# deck; piece (a whole piece); gpid; shader; side; number; menu. After "|" the fields that newer versions added.
_FORMS = {
    "emb2": "menu - - menu - - menu - - menu key number - number number images names - level key menu - asks number "
    "- - key key key - number|asks -",
    "emb": "*",
    "mark": "*",
    "prototype": "prototype -",
    "PROP": "property - commands -",
    "setprop": "global - commands - - -",
    "setpieceprop": "- - commands - target expr - number - asks - -",
    "calcProp": "property expr -",
    "macro": "- menu key expr keys sendall - sends sends - expr expr text - property text text",
    "report": "keys text keys texts - -",
    "globalkey": "menu key sends expr - text - - asks - text target -|-",
    "globalhotkey": "menu key hotkey -",
    "sendto": "menu key map board text text menu key text text text text - - zone region expr location",
    "return": "menu key deck - - - - expr",
    "placemark": "menu key piece - number number - sends - gpid - - - -|-",
    "replace": "menu key piece - number number - sends - gpid - - - -|-",
    "delete": "menu key -",
    "clone": "menu key -",
    "hide": "key menu - access number -",
    "obs": "key image menu style - access menu - - key expr",
    "restrict": "sides - - -",
    "hideCmd": "- - expr keys",
    "label": "key menu number - - - number - number - - text - number number property - -",
    "rotate": "*",
    "pivot": "menu key number number - number - menu key number",
    "translate": "menu key text text - text text text text -",
    "footprint": "key menu - - number - - number number number number number key key key - -",
    "markmoved": "image number number menu key - - menu key menu key",
    "immob": "- - - -",
    "AreaOfEffect": "- number number - menu key shader - asks - named|- - - - -",
    "border": "asks - number - asks -",
    "nonRect2": "*",
    "nonRect": "*",
    "submenu": "menu menus -",
    "menuSeparator": "- key",
    "playSound": "sound menu key - - -",
    "button": "sends number number number number - - - - *",
    "propertysheet": "*",
    "table": "number number menu key -",
    "deselect": "menu key - - -",
    "mat": "property -",
    "matPiece": "- - number number key key",
    "attach": "property - menu key menu key expr - number - asks - target menu key expr - - - - -",
    "locCommand": "- - expr text key - - - -",
    "basicName": "-",
    "locmsg": "property - text",
    "cmt": "*",
    "piece": "- - image name",
}
# How many fields a trait must have to do anything: VASSAL fills up the rest with what it takes for granted.
_LEAST = {
    "prototype": 1, "emb2": 16, "calcProp": 2, "PROP": 3, "setprop": 3, "macro": 6, "report": 2, "globalkey": 4,
    "globalhotkey": 3, "sendto": 5, "return": 3, "placemark": 3, "replace": 3, "obs": 4, "restrict": 1, "hideCmd": 4,
    "AreaOfEffect": 3, "playSound": 1, "submenu": 2, "mat": 1, "piece": 4, "basicName": 1, "label": 2, "markmoved": 1,
}  # fmt: skip
NEWER = {"attach": "3.7", "border": "3.7", "cmt": "3.7", "locCommand": "3.7", "setpieceprop": "3.7"}
STATELESS = {
    "prototype", "setprop", "setpieceprop", "calcProp", "macro", "globalkey", "globalhotkey", "return", "placemark",
    "replace", "delete", "clone", "hideCmd", "pivot", "translate", "immob", "border", "nonRect2", "nonRect", "submenu",
    "menuSeparator", "playSound", "button", "deselect", "locCommand", "basicName", "locmsg", "cmt",
}  # fmt: skip


TITLES = {
    "emb2": "Layer", "emb": "Layer", "mark": "Marker", "prototype": "Prototype", "PROP": "Dynamic Property",
    "setprop": "Set Global Property", "setpieceprop": "Set Piece Property", "calcProp": "Calculated Property",
    "macro": "Trigger Action", "report": "Report Action", "globalkey": "Global Key Command",
    "globalhotkey": "Global Hotkey", "sendto": "Send to Location", "return": "Return to Deck",
    "placemark": "Place Marker", "replace": "Replace", "delete": "Delete", "clone": "Clone", "hide": "Invisible",
    "obs": "Mask", "restrict": "Restricted Access", "hideCmd": "Restrict Commands", "label": "Text Label",
    "rotate": "Can Rotate", "pivot": "Can Pivot", "translate": "Move Fixed Distance", "footprint": "Movement Trail",
    "markmoved": "Mark When Moved", "immob": "Does Not Stack", "AreaOfEffect": "Area of Effect",
    "border": "Border Outline", "nonRect2": "Non-Rectangular", "nonRect": "Non-Rectangular", "submenu": "Sub-Menu",
    "menuSeparator": "Menu Separator", "playSound": "Play Sound", "button": "Action Button",
    "propertysheet": "Property Sheet", "table": "Spreadsheet", "deselect": "Deselect", "mat": "Mat",
    "matPiece": "Mat Cargo", "attach": "Attachment", "locCommand": "Multi-Location Command", "basicName": "Basic Name",
    "locmsg": "Translatable Message", "cmt": "Comment", "piece": "Basic Piece",
}  # fmt: skip
"""What makers call the traits: their names in VASSAL's editor."""


@dataclass(frozen=True, slots=True)
class Form:
    """The fields of one kind of trait. meanings: of each field; least, most: how many there are. open: any number."""

    meanings: tuple[str, ...]
    least: int
    open: bool

    @property
    def most(self) -> int:
        """How many fields the newest version writes."""
        return len(self.meanings)


def _form(name: str, text: str) -> Form:
    meanings = tuple(text.replace("|", " ").split())
    open_ = bool(meanings) and meanings[-1] == "*"
    return Form(meanings[:-1] if open_ else meanings, _LEAST.get(name, 0), open_)


FORMS = {name: _form(name, text) for name, text in _FORMS.items()}


@lru_cache(maxsize=4096)
def _places(name: str, meanings: tuple[str, ...]) -> tuple[int, ...]:
    """Return which fields of a kind of trait have one of these meanings."""
    form = FORMS.get(name)
    return tuple(i for i, m in enumerate(form.meanings) if m in meanings) if form else ()


@dataclass(frozen=True, slots=True)
class Part:
    """One trait as it is written. name: its kind. fields: without the name; state: as it stands.

    place: in the piece, outermost 0.
    """

    name: str
    fields: tuple[str, ...]
    state: str
    place: int

    @property
    def form(self) -> Form | None:
        """What its fields hold; None for a kind that nobody knows."""
        return FORMS.get(self.name)

    def of(self, *meanings: str) -> Iterator[str]:
        """Yield the fields of these meanings that are not empty."""
        fields = self.fields
        for place in _places(self.name, meanings):
            if place < len(fields) and fields[place]:
                yield fields[place]

    def lists(self, *meanings: str) -> Iterator[str]:
        """Yield the items, not empty, of the fields of these meanings that hold lists."""
        for text in self.of(*meanings):
            yield from (item for item in decode_list(text) if item)


def read_part(definition: str, state: str, place: int) -> Part:
    """Take one trait apart."""
    name, found, body = definition.partition(";")
    delimiter = "," if name == "mark" else ";"
    return Part(name if found else definition, tuple(decode(delimiter, body)) if found else (), state, place)


def defined(part: Part) -> Iterator[str]:
    """Yield the names of the properties that a trait gives its piece."""
    if part.name == "mark":
        yield from part.fields
    elif part.name == "emb2" and len(part.fields) > 18 and part.fields[18]:
        yield from (f"{part.fields[18]}{end}" for end in ("_Level", "_Active", "_Image", "_Name"))
    elif part.name == "rotate":
        # The name stands after the keys, of which a piece that turns freely has fewer.
        at = 5 if part.fields and part.fields[0] == "1" else 7
        if len(part.fields) > at and part.fields[at]:
            yield from (f"{part.fields[at]}{end}" for end in ("_Facing", "_Degrees"))
    elif part.name == "AreaOfEffect":
        yield from (f"{name}_Active" for name in part.of("named"))
    elif part.name == "propertysheet" and part.fields:
        yield from (word[1:] for word in decode("~", part.fields[0]) if len(word) > 1)
    elif part.name == "label":
        yield next(part.of("property"), "TextLabel")
    else:
        yield from part.of("property")
