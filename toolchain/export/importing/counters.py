"""The pieces of a module as a table of counters, each face its own picture."""

from __future__ import annotations

import json
import re
from collections import Counter as Tally
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from toolchain.checks.lint.hints import whole
from toolchain.checks.lint.keys import expanded
from toolchain.checks.lint.pictures import looked_at
from toolchain.export.importing.ground import PIXELS
from toolchain.export.importing.pixels import as_picture
from toolchain.export.importing.tables import table
from toolchain.export.vassal.pictures import plain_names, slug
from toolchain.report import Report, counted
from toolchain.sources.decode.counters import MOST_STEPS, RESERVED
from toolchain.sources.vassal.codec import decode, decode_list
from toolchain.sources.vassal.forms import TITLES, Part
from toolchain.sources.vassal.modules import Module, Slot

MADE = {
    "emb2", "mark", "piece", "prototype", "delete", "clone", "markmoved", "footprint", "report", "cmt", "submenu",
    "menuSeparator", "basicName",
}  # fmt: skip
"""Traits that the project's module makes of itself, or whose content is carried."""
OF_CARDS = {"obs", "return"}
"""The same of cards in decks."""
READABLE = (".png", ".jpg", ".jpeg", ".svg", ".gif", ".bmp")
_PICTURE = re.compile(r"\.(?:svg|png|jpe?g)$", re.I)
_PLAIN = re.compile(r"[A-Za-z][\w -]{0,40}")


@dataclass
class Pieces:
    """The counters. rows by id: cells by column. of: id by the key of a piece (`key_of`). gpids: piece ids by id.

    steps: how many faces each has. based: those whose own picture is the first face, and the layer's the others.
    layers: which layer makes the faces (`layer_name`). sizes in pixels by name. pictures: of the faces, by file.
    """

    rows: dict[str, dict[str, str]] = field(default_factory=dict)
    of: dict[str, str] = field(default_factory=dict)
    gpids: dict[str, int] = field(default_factory=dict)
    steps: dict[str, int] = field(default_factory=dict)
    sizes: dict[str, tuple[int, int]] = field(default_factory=dict)
    pictures: dict[str, bytes] = field(default_factory=dict)
    based: set[str] = field(default_factory=set)
    layers: dict[str, str] = field(default_factory=dict)


def build_pieces(module: Module, sides: Mapping[str, str], left: list[str]) -> Pieces:
    """Read the counters out of a module. sides: their keys by name. left: gets what cannot be carried."""
    prototypes = {p.component.get("name"): p for p in module.prototypes}
    slots = [s for s in module.slots if not s.fault]
    if len(slots) < len(module.slots):
        left.append(f"{counted(len(module.slots) - len(slots), 'piece')} whose traits cannot be taken apart")
    named = [f"{s.name or 'piece'}\0{n}" for n, s in enumerate(slots)]
    plain = plain_names(n.partition("\0")[0] for n in named)
    out, taken = Pieces(), Tally[str]()
    traits: Tally[str] = Tally()
    layers = deep = blank = unread = 0
    files = _picture_files(module)
    sizes = {image: size for image in files if (size := looked_at(module, image)[1])}
    areas = {image: w * h for image, (w, h) in sizes.items()}
    used: set[int] = set()
    for slot in slots:
        stem = plain[slot.name or "piece"]
        taken[stem] += 1
        ident = stem if taken[stem] == 1 else f"{stem}--{taken[stem]}"
        parts = list(expanded(slot, prototypes))
        layer = face_layer(parts, areas)
        faces = faces_of(parts, layer)
        layers += sum(1 for p in parts if p.name == "emb2" and _images(p)) > 1
        deep += len(faces) > MOST_STEPS
        faces = faces[:MOST_STEPS]
        markers = _markers(parts)
        side = _side(slot, markers, sides)
        row = {"id": ident, "name": slot.name or ident, "role": "unit" if side else "marker", "side": side}
        row["kind"] = slug(slot.within[-1]) if slot.within else "piece"
        for step, image in enumerate(faces):
            column = ("picture", "back_picture")[step] if step < 2 else f"step{step + 1}_picture"
            row[column] = _carry(module, image if image in files else f"{image}.gif", files, out.pictures)
            unread += bool(image) and not row[column]
        blank += not any(faces)
        pile = module.around(slot.component, "DrawPile")
        traits.update(sorted({p.name for p in parts} - MADE - (OF_CARDS if pile is not None else set())))
        if pile is not None:
            row["deck"] = pile.name
            back = next((p.fields[1] for p in parts if p.name == "obs" and len(p.fields) > 1), "")
            if len(faces) == 1 and (hidden := _carry(module, back, files, out.pictures)):
                row["back_picture"] = hidden
        size = next((s for f in faces if (s := sizes.get(f) or sizes.get(f"{f}.gif"))), (48, 48))
        row["size"] = f"{size[0]}x{size[1]}"
        out.sizes[row["size"]] = size
        # The name of a picture in a table asks for that picture.
        row |= {_column(name): re.sub(_PICTURE, "", value) for name, value in markers.items() if value}
        out.rows[ident] = row
        out.of.setdefault(slot.gpid or slot.name, ident)
        out.steps[ident] = max(1, len(faces))
        if layer is not None:
            out.layers[ident] = layer_name(layer)
            if len(faces) > len(_images(layer)):
                out.based.add(ident)
        gpid = whole(slot.gpid) or 0
        if gpid > 0 and gpid not in used:
            used.add(gpid)
            out.gpids[ident] = gpid
    for count, before, what, after in (
        (layers, "further layers of ", "piece", "; one layer makes the faces"),
        (deep, f"the levels beyond {MOST_STEPS} of ", "piece", ""),
        (blank, "the looks of ", "piece", " without a picture, only with texts or shapes"),
        (unread, "", "face", " whose picture is missing or cannot be read"),
        (len(slots) - len(out.gpids), "the piece ids of ", "piece", " with none or with one that others have too"),
    ):
        if count:
            left.append(f"{before}{counted(count, what)}{after}")
    for name, count in traits.most_common():
        left.append(f"the trait {TITLES.get(name, name)} of {counted(count, 'piece')}")
    return out


def faces_of(parts: Sequence[Part], layer: Part | None) -> list[str]:
    """Return the pictures of the faces of a piece: those of this layer, else that of the piece itself."""
    basic = next((p for p in parts if p.name == "piece"), None)
    below = basic.fields[2] if basic and len(basic.fields) > 2 else ""
    if layer is None:
        return [below]
    images = [image or below for image in _images(layer)]
    return [below, *images] if below and layer.state.startswith("-") else images


def face_layer(parts: Sequence[Part], areas: Mapping[str, int]) -> Part | None:
    """Return the layer that makes the faces of a piece: the one with the largest picture, the innermost of several.

    areas: of pictures, in pixels. A layer that follows a property is a mark, unless there is no other.
    """
    layers = [p for p in parts if p.name == "emb2" and any(_images(p))]
    own = [p for p in layers if len(p.fields) < 22 or p.fields[21] != "true"] or layers
    below = max((areas.get(p.fields[2], 0) for p in parts if p.name == "piece" and len(p.fields) > 2), default=0)
    # A picture much smaller than the piece itself is a badge on it.
    whole_faces = [p for p in own if _area(p, areas) * 2 >= below]
    return max(whole_faces, key=lambda p: (_area(p, areas), p.place), default=None)


def _area(part: Part, areas: Mapping[str, int]) -> int:
    return max(areas.get(i, 0) for i in _images(part))


def layer_name(part: Part) -> str:
    """Return what tells a layer from the others of its piece: its name, or else its pictures."""
    return part.fields[18] if len(part.fields) > 18 and part.fields[18] else part.fields[15]


def _images(part: Part) -> tuple[str, ...]:
    return decode_list(part.fields[15]) if len(part.fields) > 15 else ()


def _markers(parts: Sequence[Part]) -> dict[str, str]:
    out: dict[str, str] = {}
    for p in parts:
        if p.name == "mark":
            for name, value in zip(p.fields, decode(",", p.state), strict=False):
                out.setdefault(name, " ".join(value.split()))
    return out


def _side(slot: Slot, markers: Mapping[str, str], sides: Mapping[str, str]) -> str:
    by_case = {name.casefold(): key for name, key in sides.items()}
    words = [markers.get(n, "") for n in ("Side", "side", "Player", "Owner", "Army", "Faction")]
    words += [*markers.values(), *reversed(slot.within)]
    return next((by_case[w.casefold()] for w in words if w.casefold() in by_case), "")


def _column(name: str) -> str:
    """Return a column for a marker; one that means something else to the table gets another name."""
    plain = name if _PLAIN.fullmatch(name) else slug(name)
    own = plain.casefold() in (*RESERVED, "picture", "icon", "paper", "deck") or re.match(r"(step\d|back)_", plain)
    return f"was-{plain}" if own else plain


def _picture_files(module: Module) -> dict[str, str]:
    """Return the plain file names of the pictures that can be carried, by their names in the module."""
    there = sorted(n for n in module.images() if n.lower().endswith(READABLE))
    stems = plain_names(there)
    endings = {"jpeg": "jpg", "gif": "png", "bmp": "png"}
    return {n: f"pictures/{stems[n]}.{endings.get(e, e)}" for n in there for e in [n.lower().rpartition(".")[2]]}


def _carry(module: Module, image: str, files: Mapping[str, str], carried: dict[str, bytes]) -> str:
    """Carry a picture, once; return its file, "" for one that is missing or cannot be read."""
    file = files.get(image, "")
    if not file or file in carried:
        return file if carried.get(file) else ""
    data = module.archive.read(f"images/{image}", Report())
    if data is not None and not file.endswith(".svg"):
        shown = as_picture(data)
        # What is of another kind than its name says is carried all the same.
        data = shown[1] if shown is not None and file.endswith(shown[0]) else None
    carried[file] = data or b""
    return file if data else ""


def counter_files(pieces: Pieces, copies: Mapping[str, int]) -> dict[str, str]:
    """Write units.csv and style.toml. copies: how many of each the set-ups use."""
    columns = dict.fromkeys(("id", "name", "role", "side", "kind", "size", "copies", "picture"))
    columns |= dict.fromkeys(c for row in pieces.rows.values() for c in row)
    rows = [
        [str(max(1, copies.get(i, 1))) if c == "copies" else row.get(c, "") for c in columns]
        for i, row in pieces.rows.items()
    ]
    lines = ["format = 1", 'layout = "picture"']
    for name, (w, h) in sorted(pieces.sizes.items()):
        lines += ["", f"[sizes.{json.dumps(name)}]", f"title = {json.dumps(name.replace('x', ' x ') + ' pixels')}"]
        lines += [f'width = "{max(1.0, w / PIXELS)} mm"', f'height = "{max(1.0, h / PIXELS)} mm"']
    lines += ["", "[layouts.picture]", 'elements = [{ draw = "picture", optional = true, fit = "whole" }]']
    return {"units.csv": table(tuple(columns), rows), "style.toml": "\n".join(lines) + "\n"}
