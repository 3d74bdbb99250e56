"""Every kind of finding, by code. A code is never reused; each has a fixture that raises it and one that does not.

Families: S sources, M map, G graph, C counters, R rules data, P positions (P1 stacking, P2 zones of control,
P3 supply, P4 hexside limits, P5 control, P6 places), V modules.
"""

from __future__ import annotations

from toolchain.report import Rule, Severity

# S: sources -----------------------------------------------------------------------------------------------------

FILE_MISSING = Rule(
    "S001",
    "file-missing",
    Severity.ERROR,
    "A file that the project names is not there.",
    "Everything that the file would have held is missing from the output.",
    "Put the file there, or correct the name; file names are case-sensitive everywhere.",
    "error S001: maps/tiny/map.toml, layers.land.file: there is no file ../geodata/lnad.geojson; "
    "did you mean 'land.geojson'?",
)
FILE_UNREADABLE = Rule(
    "S002",
    "file-unreadable",
    Severity.ERROR,
    "A file cannot be read as what it should be.",
    "Nothing in the file can be used.",
    "Open the file at the line given and mend its form (TOML, CSV, JSON or XML).",
    "error S002: maps/tiny/map.toml:3: not TOML: expected '=' after a key",
)
PATH_OUTSIDE = Rule(
    "S003",
    "path-outside",
    Severity.ERROR,
    "A path leads out of the folder that it must stay in.",
    "A project that reads files elsewhere cannot be shared, and one from a stranger could read what it should not.",
    "Copy the file into the project and name it there.",
    "error S003: maps/tiny/map.toml, layers.land.file: ../../secret.geojson leads out of maps/",
)
FILE_TOO_BIG = Rule(
    "S004",
    "file-too-big",
    Severity.ERROR,
    "A file is larger than the tool will read.",
    "Inputs come from strangers; the bounds keep a bad file from filling the memory.",
    "Simplify the drawing or split the file.",
    "error S004: maps/tiny/coast.svg: 412 MB; at most 64 MB are read",
)
UNKNOWN_KEY = Rule(
    "S010",
    "unknown-key",
    Severity.ERROR,
    "A key or column is not one that the file may have.",
    "A misspelt key would be ignored in silence and its value lost.",
    "Use the nearest known key that the message names, or remove it.",
    "error S010: maps/tiny/map.toml, grid.orientaton: unknown key; did you mean 'orientation'?",
)
WRONG_VALUE = Rule(
    "S011",
    "wrong-value",
    Severity.ERROR,
    "A value is of the wrong type, out of range or not one of those allowed.",
    "The value cannot be used as it stands.",
    "Write a value as the message describes it.",
    "error S011: maps/tiny/map.toml, grid.pitch: 'wide' is not a number",
)
MISSING_KEY = Rule(
    "S012",
    "missing-key",
    Severity.ERROR,
    "A key or column that the file must have is missing.",
    "Without it the rest cannot be understood.",
    "Add it.",
    "error S012: counters/tiny/units.csv:1: there is no column 'id'",
)
REPEATED = Rule(
    "S013",
    "repeated",
    Severity.ERROR,
    "A column or an id occurs twice where it must be unique.",
    "One of the two would be lost, and nobody could say which.",
    "Rename or remove one of them.",
    "error S013: counters/tiny/units.csv:7, column id: 'GE-1' stands in row 4 already",
)
UNKNOWN_NAME = Rule(
    "S014",
    "unknown-name",
    Severity.ERROR,
    "A name refers to something that is nowhere defined: a side, a nation, a counter, an event, a layer.",
    "What refers to it cannot be used.",
    "Use the nearest known name that the message gives, or define it.",
    "error S014: modules/tiny/setups/start.csv:5, column item: unknown counter 'GE-11'; did you mean 'GE-1'?",
)
UNUSED_ACCEPTANCE = Rule(
    "S020",
    "unused-acceptance",
    Severity.WARNING,
    "An accepted finding in game.toml accepts nothing.",
    "A stale acceptance may hide a new mistake one day.",
    "Remove it from `accept`.",
    "warning S020: modules/tiny/game.toml, accept.0: nothing was found that P101 at Oslo would accept",
)

# S1: drawings

LAYER_MISSING = Rule(
    "S101",
    "layer-missing",
    Severity.ERROR,
    "A drawing has no layer of the name that map.toml gives.",
    "Nothing of the layer reaches the map.",
    "Use the nearest name that the message gives: the label of the layer in Inkscape, or the id of its group.",
    "error S101: maps/tiny/map.toml, layers.land.layer: land.svg has no layer 'Lnad'; did you mean 'Land'?",
)
BAD_GEOMETRY = Rule(
    "S102",
    "bad-geometry",
    Severity.ERROR,
    "A shape of a drawing cannot be read as a geometry.",
    "The shape is left out, and with it the ground or the line that it stood for.",
    "Mend the shape in the drawing program; coordinates are finite numbers, longitude and latitude in degrees.",
    "error S102: maps/tiny/land.geojson, features.3.geometry: a ring needs four points or more and has 2",
)
REPAIRED_GEOMETRY = Rule(
    "S103",
    "repaired-geometry",
    Severity.WARNING,
    "A shape of a drawing crosses or touches itself; it was repaired.",
    "The repaired shape may not be what was meant.",
    "Look at the place that the message gives and redraw the outline there; in QGIS `Fix geometries` does it.",
    "warning S103: maps/tiny/land.geojson, features.3: Self-intersection at 10.2 47.1; repaired, its area stays the same",
)
EMPTY_GEOMETRY = Rule(
    "S104",
    "empty-geometry",
    Severity.WARNING,
    "A shape of a drawing has no geometry.",
    "It was perhaps lost when the drawing was saved.",
    "Remove it from the drawing or draw it again.",
    "warning S104: maps/tiny/land.geojson, features.7: the feature has no geometry",
)
EMPTY_LAYER = Rule(
    "S105",
    "empty-layer",
    Severity.WARNING,
    "A layer has no shape on the sheet.",
    "A layer without a shape is mostly a filter that lets nothing through, or a projection that puts the map elsewhere.",
    "Compare `where` with the properties in the file, and projection.centre with the map.",
    "warning S105: maps/tiny/map.toml, layers.rivers: no shape of rivers.geojson passes `where`",
)
UNKNOWN_PROPERTY = Rule(
    "S106",
    "unknown-property",
    Severity.ERROR,
    "A filter asks for a property that no shape of the file has.",
    "The filter lets nothing through.",
    "Use the nearest property that the message names.",
    "error S106: maps/tiny/map.toml, layers.rivers.where.klass: no shape of rivers.geojson has it; did you mean 'class'?",
)
NOT_A_SHAPE = Rule(
    "S107",
    "not-a-shape",
    Severity.WARNING,
    "An element of an SVG layer has no outline that could be measured: a text, a picture, a clone.",
    "It is left out of the map.",
    "Turn it into a path (in Inkscape: Path, Object to Path; for a clone: Edit, Clone, Unlink), or move it to another layer.",
    "warning S107: maps/tiny/map.svg:31, #text12: a <text> has no outline; it is left out",
)
BAD_PROJECTION = Rule(
    "S108",
    "bad-projection",
    Severity.ERROR,
    "The projection of map.toml cannot be used.",
    "Nothing that is given in longitude and latitude can be placed on the sheet.",
    'Give a projected coordinate system in metres, for example "+proj=lcc +lat_1=40 +lat_2=56 +lon_0=8" or "EPSG:3035".',
    "error S108: maps/tiny/map.toml, projection.crs: not a projection: unknown ellipsoid",
)

# M: map ---------------------------------------------------------------------------------------------------------

# M1: map data

TWO_PLACES = Rule(
    "M101",
    "two-places-in-one-hex",
    Severity.ERROR,
    "Two places fall in the same hex.",
    "A hex has one name; set-ups that name the other place would not find it.",
    "Give one of them another hex in the table of places (columns `column` and `row`, or `hex`, with the reason under "
    "`assumed`), or shift the grid or the projection a little.",
    "error M101: maps/tiny/places.csv:9: Arnhem and Nijmegen both fall in hex 0713; the nearest free hex of Nijmegen "
    "is 0714",
)
OFF_GRID = Rule(
    "M102",
    "off-grid",
    Severity.ERROR,
    "A place lies outside the hexes of the sheet.",
    "It is not on the map.",
    "Correct its coordinates, or enlarge the grid.",
    "error M102: maps/tiny/places.csv:4: Oslo lies outside the grid, 43 mm beyond its edge",
)
REPEATED_NAME = Rule(
    "M103",
    "repeated-name",
    Severity.ERROR,
    "Two spaces of the map have the same name.",
    "A set-up that names one could mean either.",
    "Rename one of them.",
    "error M103: maps/tiny/places.csv:12, column name: 'Neustadt' is the name of row 3 already",
)
NOT_NEIGHBOURS = Rule(
    "M104",
    "not-neighbours",
    Severity.ERROR,
    "A hexside is stated between two spaces that do not share one.",
    "What was stated has no effect.",
    "Correct the names; if the two shall be adjacent all the same, join them with a link.",
    "error M104: maps/tiny/map.toml, side.0.between: Savona and Genoa share no hexside; they are 2 hexes apart",
)
UNKNOWN_SPACE = Rule(
    "M105",
    "unknown-space",
    Severity.ERROR,
    "A link, a stated hexside or a spelling names a space that the map does not have.",
    "It has no effect.",
    "Use the nearest name that the message gives, or add the place.",
    "error M105: maps/tiny/links.csv:2, column b: no space 'Hirtshal'; did you mean 'Hirtshals'?",
)
NOT_IN_LEGEND = Rule(
    "M106",
    "not-in-legend",
    Severity.ERROR,
    "The map uses a terrain, a feature, a kind of hexside or a kind of link that its legend does not define.",
    "Players find no entry for it in the key, and rules that ask for it may misspell it.",
    "Define it in map.toml or use the nearest word that the message gives.",
    "error M106: maps/tiny/places.csv:4, column features: the legend has no feature 'prot'; did you mean 'port'?",
)
TERRAIN_TIE = Rule(
    "M107",
    "terrain-tie",
    Severity.NOTE,
    "The terrain of a hex was decided by less than 5% of its area.",
    "A slightly different drawing, or a look at the printed map, could decide otherwise.",
    "Look at the hex; state its terrain in the table of places if the survey is wrong, or if it is right and shall stay.",
    "note M107: at Arnhem: clear, but forest covers 38% of its land where 40% are needed",
)
PLACE_IN_WATER = Rule(
    "M108",
    "place-in-water",
    Severity.WARNING,
    "A hex with a name has too little land and no terrain of its own was stated for it.",
    "Land units may be unable to stand where players expect them to.",
    "State its terrain in the table of places, or lower land_from_named.",
    "warning M108: maps/tiny/places.csv:5, at Brest: the hex is sea: 31% of it is land where 50% are needed",
)
UNNAMED_LAND = Rule(
    "M109",
    "unnamed-land",
    Severity.NOTE,
    "Hexes of land have no name on a map where only named hexes can be entered.",
    "It is easy to forget a name.",
    "Compare the list with the printed map.",
    "note M109: maps/tiny/map.toml, enterable: 3 hexes of land have no name and cannot be entered: 0203, 0204, 0511",
)
WRONG_SHAPES = Rule(
    "M110",
    "wrong-shapes",
    Severity.WARNING,
    "A layer has none of the shapes that its use needs: areas for terrain, lines or areas for hexsides.",
    "Nothing of it reaches the map.",
    "Draw closed outlines for terrain and lines for rivers, or name another layer.",
    "warning M110: maps/tiny/map.toml, terrain.1.layer: 'woods' has no areas",
)
OFF_SHEET = Rule(
    "M111",
    "off-sheet",
    Severity.WARNING,
    "A box reaches beyond the sheet.",
    "It would be cut off in print.",
    "Move it or make it smaller.",
    "warning M111: maps/tiny/map.toml, box.0: the box reaches 12 mm beyond the sheet",
)
MOVED_WITHOUT_REASON = Rule(
    "M112",
    "moved-without-reason",
    Severity.WARNING,
    "A place stands in another hex than its coordinates say, and no reason is given.",
    "Later readers cannot tell a decision from a slip.",
    "Say why under `assumed`, or under `cite` where a rule or the printed map decides.",
    "warning M112: maps/tiny/places.csv:9: Nijmegen lies in 0713 but is put in 0714",
)
FEATURE_NEEDS = Rule(
    "M113",
    "feature-needs",
    Severity.ERROR,
    "A feature lacks the terrain that it needs beside it: a port without a side on the sea.",
    "Lines and moves that use the feature would have nowhere to go.",
    "Move the place to a hex on the coast, or take the feature away.",
    "error M113: maps/tiny/places.csv:7, at Bern: a port needs sea in its hex or beside it",
)
NAME_NOT_ON_MAP = Rule(
    "M114",
    "name-not-on-map",
    Severity.ERROR,
    "A list names a space that the map does not have.",
    "What it names has nowhere to stand.",
    "Use the nearest name that the message gives, add the place, or add a spelling to map.toml.",
    "error M114: modules/tiny/setups/start.csv:5, column at: the map has no space 'La Havre'; did you mean 'Le Havre'?",
)

# G: graph -------------------------------------------------------------------------------------------------------

# G1: connectivity

ISOLATED_SPACE = Rule(
    "G101",
    "isolated-space",
    Severity.WARNING,
    "A space that units may enter has no way in or out.",
    "A unit there can never move, nor be supplied.",
    "Add a link, correct the hexsides around it, or accept it if it is meant.",
    "warning G101: at Malta: no hexside and no link leads to it",
)
UNREACHABLE_PART = Rule(
    "G102",
    "unreachable-part",
    Severity.WARNING,
    "Part of the map cannot be reached from the rest by land, or by sea.",
    "On an island that is as it should be; elsewhere a link or a hexside is wrong.",
    "Add a link, correct the hexsides between, or accept it if it is an island.",
    "warning G102: at Cagliari: 3 spaces cannot be reached by land from the other 214: Cagliari, Olbia, Oristano",
)
NOTHING_ENTERABLE = Rule(
    "G103",
    "nothing-enterable",
    Severity.ERROR,
    "Units may enter no space of the map at all.",
    "The game cannot be played.",
    'Name places, or let units enter all hexes (enterable = "all").',
    "error G103: maps/tiny/map.toml: no space can be entered",
)

# C: counters ----------------------------------------------------------------------------------------------------

# R: rules data --------------------------------------------------------------------------------------------------

# P: positions ---------------------------------------------------------------------------------------------------

# V: modules -----------------------------------------------------------------------------------------------------

CATALOGUE: tuple[Rule, ...] = tuple(
    sorted((v for v in list(globals().values()) if isinstance(v, Rule)), key=lambda rule: rule.code)
)
