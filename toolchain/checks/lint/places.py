"""Places and files that components and pieces name: maps, boards, zones, regions, locations, decks, files."""

from __future__ import annotations

import re
from collections import Counter as Tally
from collections.abc import Iterator
from functools import cached_property

import shapely

from toolchain.catalogue import DECK_UNKNOWN, FILE_NOT_IN_MODULE, PLACE_UNKNOWN
from toolchain.checks.lint.grids import board_size, path_points
from toolchain.checks.lint.hints import hint, whole
from toolchain.report import Finding
from toolchain.sources.vassal.buildfile import Component
from toolchain.sources.vassal.modules import Module
from toolchain.sources.vassal.numbering import Numbered, NumberError, Pixel, read_grid

GRIDS = ("HexGrid", "SquareGrid", "RegionGrid")
# By kind of component: the setting that names a file of the archive, and the folder it lies in.
_FILES = {
    "PredefinedSetup": ("file", ""), "Tutorial": ("logfile", ""), "HelpFile": ("fileName", ""),
    "HtmlChart": ("fileName", ""), "BrowserPDFFile": ("pdfFile", ""), "DoActionButton": ("soundClip", "sounds/"),
}  # fmt: skip


class Places:
    """What there is on the maps of a module: boards by map, and on each board zones, regions and numbered hexes."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.boards: dict[str, dict[str, Component]] = {}
        for m in module.maps:
            self.boards[m.get("mapName")] = {b.get("name"): b for b in m.all("Board")}
        for m in module.maps:
            mirrored = self.boards.get(m.get("useBoards"))
            if mirrored:
                self.boards[m.get("mapName")] = {**mirrored, **self.boards[m.get("mapName")]}

    @cached_property
    def zones(self) -> set[str]:
        """The names of all zones."""
        return {z.get("name") for z in self.module.root.all("Zone")}

    @cached_property
    def regions(self) -> set[str]:
        """The names of all regions."""
        return {r.get("name") for r in self.module.root.all("Region")}

    def locations(self, board: Component) -> set[str]:
        """Return the names of zones and regions that a location of a board may be."""
        return {c.get("name") for c in board.all("Zone", "Region")}

    def fault(self, board: Component, location: str) -> str:
        """Say why a board has no such location, or that it lies off the board; "" when all is well."""
        found, point = self._search(board, location)
        if point is not None or found == "zone":
            return ""
        if found:
            return f"location {location!r} lies off the board {board.name!r}"
        near = hint(location, self.locations(board))
        return f"board {board.name!r} has no location {location!r}{near}"

    def point(self, board: Component, location: str) -> Pixel | None:
        """Return where a location of a board is, in pixels of the board; None for one that it does not have."""
        return self._search(board, location)[1]

    def _search(self, board: Component, location: str) -> tuple[str, Pixel | None]:
        """Return what kind of place a location is, "" for none, and its point if that is on the board."""
        size = board_size(self.module, board)
        for zone in board.all("Zone"):
            if zone.get("locationFormat", "$name$").replace("$name$", zone.get("name")) == location:
                return "zone", _middle(path_points(zone))
        found = ""
        for c in board.walk():
            if c.kind == "Region" and c.get("name") == location:
                return "zone", _middle([(whole(c.get("originx")) or 0, whole(c.get("originy")) or 0)])
            if c.kind in GRIDS and c.kind != "RegionGrid":
                point = self._point(c, self.module.around(c, "Zone"), board, location, size)
                if point is not None:
                    found = "hex"
                    if size is None or (0 <= point[0] < size[0] and 0 <= point[1] < size[1]):
                        return found, point
        return found, None

    def _point(
        self, grid: Component, zone: Component | None, board: Component, location: str, size: Pixel | None
    ) -> Pixel | None:
        numbering = next((n for n in grid.parts if n.kind.endswith("Numbering")), None)
        if numbering is None:
            return None
        own = numbering.get("locationFormat", "$gridLocation$")
        formats = [own]
        # Zones that use the grid behind them say its number in a way of their own.
        for z in [zone] if zone is not None else [z for z in board.all("Zone") if z.get("useParentGrid") == "true"]:
            formats.append(
                z.get("locationFormat", "$name$").replace("$name$", z.get("name")).replace("$gridLocation$", own)
            )
        for text in dict.fromkeys(formats):
            if "$row$" in text or "$column$" in text:
                return (0, 0)  # a format that says them apart; not followed
            before, found, after = text.partition("$gridLocation$")
            label = location[len(before) : len(location) - len(after)] if after else location[len(before) :]
            if not found or not location.startswith(before) or not location.endswith(after):
                continue
            try:
                numbered = self._numbered(grid, size)
            except NumberError:
                return (0, 0)  # it has a finding of its own
            point = numbered.find(label) if numbered else None
            if point is not None:
                return point
        return None

    def _numbered(self, grid: Component, size: Pixel | None) -> Numbered | None:
        return read_grid(grid, size or (0, 0))


def _middle(points: list[Pixel]) -> Pixel | None:
    """Return a point within a shape: its middle, or a point of it near the middle."""
    if len(points) < 3:
        return points[0] if points else None
    point = shapely.make_valid(shapely.Polygon(points)).representative_point()
    return (round(point.x), round(point.y)) if not point.is_empty else points[0]


def check_places(module: Module) -> Iterator[Finding]:
    """Yield at-start stacks, pieces and buttons that name places which there are not."""
    places = Places(module)
    if module.root.kind == "ModuleExtension":
        return
    for c in module.root.all("SetupStack", "DrawPile"):
        m = module.around(c, "Map", "PrivateMap", "PlayerHand", "WidgetMap")
        if m is not None:
            yield from _starting(module, places, m, c)
    for slot in module.pieces:
        for part in slot.parts:
            if part.name in ("sendto", "AreaOfEffect"):
                for text in _sent(places, part.name, part.fields):
                    yield Finding(PLACE_UNKNOWN, module.where(slot.component, slot.name), text)
    for c in module.root.walk():
        if c.kind in ("PrivateMap", "PlayerHand") and c.get("useBoards") not in {"", *places.boards}:
            near = hint(c.get("useBoards"), places.boards)
            yield Finding(PLACE_UNKNOWN, module.where(c, c.name), f"there is no map {c.get('useBoards')!r}{near}")
        elif c.kind == "MoveCameraButton":
            for setting, known, what in (("zoneName", places.zones, "zone"), ("regionName", places.regions, "region")):
                name = c.get(setting)
                if name and name not in known:
                    yield Finding(PLACE_UNKNOWN, module.where(c), f"there is no {what} {name!r}{hint(name, known)}")
    yield from _zones(module, places)


def _starting(module: Module, places: Places, m: Component, c: Component) -> Iterator[Finding]:
    boards = places.boards.get(m.get("mapName"), {})
    name, where = c.get("owningBoard"), module.where(c, c.name)
    what = "the deck" if c.kind == "DrawPile" else "the stack"
    if name and name not in boards:
        text = f"there is no board {name!r} on map {m.get('mapName')!r}{hint(name, boards)}; {what} never appears"
        yield Finding(PLACE_UNKNOWN, where, text, {"board": name})
        return
    on = [boards[name]] if name else list(boards.values())
    if not on:
        return
    if c.get("useGridLocation") == "true":
        faults = [places.fault(b, c.get("location")) for b in on]
        if all(faults):
            yield Finding(PLACE_UNKNOWN, where, faults[0], {"location": c.get("location")})
        return
    if m.kind == "PlayerHand":  # which lays its cards out by itself
        return
    sizes = [board_size(module, b) for b in on]
    try:
        x, y = int(c.get("x") or 0), int(c.get("y") or 0)
    except ValueError:
        return
    if all(s is not None and not (0 <= x <= s[0] and 0 <= y <= s[1]) for s in sizes):
        yield Finding(PLACE_UNKNOWN, where, f"{what} lies at {x}, {y}, off the board {on[0].name!r}", {"x": x, "y": y})


def _sent(places: Places, kind: str, fields: tuple[str, ...]) -> Iterator[str]:
    """Yield what is wrong with where a trait sends its piece, or which shading it names."""

    def plain(text: str) -> bool:
        return bool(text) and "$" not in text and not text.startswith("{")

    f = [*fields, *[""] * 20]
    if kind == "AreaOfEffect":
        shaders = {s.get("name") for s in places.module.root.all("MapShader")}
        if plain(f[6]) and f[6] not in shaders:
            yield f"there is no map shading {f[6]!r}{hint(f[6], shaders)}; nothing is drawn"
        return
    board_map, board, to, zone, region, location = f[2], f[3], f[13] or "L", f[14], f[15], f[17]
    if plain(board_map) and board_map not in places.boards:
        yield f"there is no map {board_map!r}{hint(board_map, places.boards)}"
        return
    boards = places.boards.get(board_map) or {k: b for bs in places.boards.values() for k, b in bs.items()}
    if to[:1] in "LG" and plain(board) and board not in boards:  # others do not ask for the board
        yield f"there is no board {board!r}{hint(board, boards)}"
    elif to.startswith("Z") and plain(zone) and zone not in places.zones:
        yield f"there is no zone {zone!r}{hint(zone, places.zones)}"
    elif to.startswith("R") and plain(region) and region not in places.regions:
        yield f"there is no region {region!r}{hint(region, places.regions)}"
    elif to.startswith("G") and plain(location) and boards:
        on = [boards[board]] if board in boards else list(boards.values())
        faults = [places.fault(b, location) for b in on]
        if all(faults):
            yield faults[0]


def _zones(module: Module, places: Places) -> Iterator[Finding]:
    """Yield zones that lie off their board, whose path crosses itself, or that use a grid which is not there."""
    for board in module.root.all("Board"):
        zones = list(board.all("Zone"))
        size = board_size(module, board) if zones else None
        background = any(c.kind in GRIDS for z in board.all("ZonedGrid") for c in z.parts)
        for zone in zones:
            points = path_points(zone)
            if size and points and not any(0 <= x <= size[0] and 0 <= y <= size[1] for x, y in points):
                shape = shapely.Polygon(points) if len(points) > 2 else None
                if shape is None or not shape.is_valid or not shape.intersects(shapely.box(0, 0, *size)):
                    text = f"zone {zone.name!r} lies off the board {board.name!r}"
                    yield Finding(PLACE_UNKNOWN, module.where(zone, zone.name), text)
            if zone.get("useParentGrid") == "true" and not background:
                text = f"zone {zone.name!r} uses the grid behind it, and there is none"
                yield Finding(PLACE_UNKNOWN, module.where(zone, zone.name), text)


def check_decks(module: Module) -> Iterator[Finding]:
    """Yield decks of the same name, and decks that are named and not there."""
    decks: Tally[str] = Tally()
    for deck in module.root.all("DrawPile"):
        name = deck.get("name")
        decks[name] += 1
        if decks[name] == 2:
            yield Finding(DECK_UNKNOWN, module.where(deck, name), f"there are two decks {name!r}")
    for deck in module.root.all("DrawPile"):
        target = deck.get("reshuffleTarget")
        if deck.get("reshufflable") == "true" and target and target not in decks:
            text = f"there is no deck {target!r}{hint(target, decks)}"
            yield Finding(DECK_UNKNOWN, module.where(deck, deck.name), text, {"deck": target})
    if module.root.kind == "ModuleExtension":
        return
    for slot in module.pieces:
        for part in slot.parts:
            for name in part.of("deck"):
                if name not in decks and "$" not in name and not name.startswith("{"):
                    text = f"there is no deck {name!r}{hint(name, decks)}"
                    yield Finding(DECK_UNKNOWN, module.where(slot.component, slot.name), text, {"deck": name})


def check_files(module: Module) -> Iterator[Finding]:
    """Yield files that are named and not in the archive."""
    there = list(module.archive)
    for c in module.root.walk():
        setting, folder = _FILES.get(c.kind, ("", ""))
        name = c.get(setting) if setting else ""
        wanted = name and not (
            c.kind == "PredefinedSetup" and (c.get("useFile") == "false" or c.get("isMenu") == "true")
        )
        wanted = wanted and not (c.kind == "HelpFile" and c.get("fileType", "archive") not in ("archive", "file"))
        if wanted and not name.startswith("/") and folder + name not in module.archive:
            text = f"there is no file {name!r}{hint(folder + name, there)}"
            yield Finding(FILE_NOT_IN_MODULE, module.where(c, c.name), text, {"file": name})
    for slot in module.pieces:
        for part in slot.parts:
            for name in part.of("sound"):
                if re.search(r"[$]|^[{/]", name) is None and f"sounds/{name}" not in module.archive:
                    text = f"there is no sound {name!r}{hint('sounds/' + name, there)}"
                    yield Finding(FILE_NOT_IN_MODULE, module.where(slot.component, slot.name), text, {"file": name})
