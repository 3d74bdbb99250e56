"""Every kind of finding, by code. A code is never reused; each has a fixture that raises it and one that does not.

Families: S sources, M map, G graph, C counters, R rules data, P positions (P1 stacking, P2 zones of control,
P3 supply, P4 moves, P5 control, P6 places, P7 the position's own words, P8 the checks themselves), V modules.
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
    "warning S103: maps/tiny/land.geojson, features.3: Self-intersection at 10.2 47.1; repaired",
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
    "Mostly a filter lets nothing through, or the projection puts the map elsewhere.",
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
    "error S106: maps/tiny/map.toml, layers.rivers.where.klass: no shape has it; did you mean 'class'?",
)
NOT_A_SHAPE = Rule(
    "S107",
    "not-a-shape",
    Severity.WARNING,
    "Elements of an SVG layer have no outline that could be measured: pictures, texts on a path, other files.",
    "They are left out of the map.",
    "Trace them as paths (in Inkscape: Path, Object to Path), or move them to a layer that map.toml does not name.",
    "warning S107: maps/tiny/map.toml, layers.land.layer: <image> elements have no outline and are left out: "
    "2 (#image3, #image9)",
)
BAD_PROJECTION = Rule(
    "S108",
    "bad-projection",
    Severity.ERROR,
    "The projection of map.toml cannot be used.",
    "Nothing that is given in longitude and latitude can be placed on the sheet.",
    'Give a coordinate system in metres, for example "+proj=lcc +lat_1=40 +lat_2=56 +lon_0=8" or "EPSG:3035".',
    "error S108: maps/tiny/map.toml, projection.crs: not a projection: unknown ellipsoid",
)
EFFECT_IGNORED = Rule(
    "S109",
    "effect-ignored",
    Severity.NOTE,
    "Something that changes how a drawing looks is not read: clip paths, masks, gradients, scripts, hidden elements.",
    "The map has the whole outline where the drawing may show part of it, and no colour where it shows many.",
    "Nothing needs doing where the outlines are right; else cut them in the drawing itself, and use plain colours.",
    "note S109: maps/tiny/map.toml, layers.land.layer: shapes or groups have a clip-path, which is ignored: 2 (#a)",
)
FILTER_UNUSED = Rule(
    "S110",
    "filter-unused",
    Severity.WARNING,
    "A filter asks for a value that no shape of the drawing has.",
    "Mostly it is misspelt, or the colour in the drawing is another; what was meant is not on the map.",
    "Use one of the values that the message lists, the likeliest first, each with its number of shapes.",
    "warning S110: maps/tiny/map.toml, layers.woods.where.fill: no shape of map.svg has '#aabbcc'; it has "
    "#aab1c9 (12), #0000ff (3)",
)
BAD_CRS = Rule(
    "S111",
    "bad-crs",
    Severity.ERROR,
    "The coordinate system of a GeoJSON layer cannot be used.",
    "Nothing of the layer can be placed on the sheet.",
    'Give `crs` of the layer, for example "EPSG:25832", or save the file in longitude and latitude (WGS 84).',
    "error S111: maps/tiny/map.toml, layers.land.crs: no coordinate system is known as 'EPSG:99999'",
)
SWAPPED = Rule(
    "S112",
    "swapped-coordinates",
    Severity.ERROR,
    "A drawing lies off the map, and would lie on it if longitude and latitude were exchanged.",
    "Nothing of the layer reaches the map.",
    "Save the file with longitude first (GeoJSON wants it so), or say what the map shows in projection.centre.",
    "error S112: maps/tiny/map.toml, layers.land: land.geojson lies off the map; with longitude and latitude exchanged "
    "it would lie on it",
)
WRONG_UNITS = Rule(
    "S113",
    "wrong-units",
    Severity.WARNING,
    "The page of a drawing has another size than the sheet, by just the ratio of two units of length.",
    "The drawing was made or saved in another unit, and everything lies in the wrong place.",
    "In Inkscape set the size of the page in millimetres (File, Document Properties) to that of the sheet; or state by "
    "how much the sheet is larger as `scale` under [frame], as for drawings of Illustrator, which counts in points.",
    "warning S113: maps/tiny/map.toml, layers.land.file: the page of map.svg is 105.8 x 79.4 mm and the sheet "
    "400 x 300 mm: 3.77953 times as large, as if pixels had been meant for millimetres",
)
DRAWN_TWICE = Rule(
    "S114",
    "drawn-twice",
    Severity.NOTE,
    "Shapes of a layer lie exactly on one another and say the same.",
    "They add nothing; often they were pasted twice.",
    "Nothing needs doing, as one of each is kept; to be rid of the message remove the others from the drawing.",
    "note S114: maps/tiny/map.toml, layers.land: 2 shapes are drawn twice (#path7); one of each is kept",
)
FAR_FROM_HOME = Rule(
    "S115",
    "far-from-home",
    Severity.WARNING,
    "The centre of the map lies outside the part of the world that its coordinate system is made for.",
    "Distances are distorted, and shapes may not be where they are thought to be.",
    "Choose a coordinate system for that part of the world, or correct projection.centre (longitude first).",
    "warning S115: maps/tiny/map.toml, projection.crs: 'EPSG:25832' is made for Europe between 6°E and 12°E, "
    "and the centre is -100, 40",
)

LAYER_UNREAD = Rule(
    "S116",
    "layer-unread",
    Severity.NOTE,
    "A drawing has layers of which nothing is read.",
    "What is drawn there is not on the map: right for guides and notes, and wrong for a layer that was forgotten.",
    "Name the layer under [layers] of map.toml if it belongs to the map.",
    "note S116: maps/tiny/map.svg: nothing is read of 2 layers: Railways, Notes (hidden)",
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
    "Look at the hex, and state its terrain in the table of places, whether it stays or changes.",
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

TWO_SITES = Rule(
    "M115",
    "two-sites-in-one-hex",
    Severity.WARNING,
    "Two points of a drawing give the same hex the same feature.",
    "The hex has it once; what the second point says of it is left out.",
    "Move one of the points to another hex, or take it out of the layer.",
    "warning M115: maps/tiny/map.svg:31, #circle9, at 0713: Ostende is a second port of 0713, after Bruges",
)
ROAD_ON_SIDE = Rule(
    "M117",
    "road-on-hexside",
    Severity.WARNING,
    "A road or railway is drawn along a hexside.",
    "It may be meant for either hex. It joins the one in which it lies by a hair or, right on the line, the one to the "
    "right or below.",
    "Draw it well inside the hexes that it shall join; the centre is best.",
    "warning M117: maps/tiny/map.svg:40, #path12, at 0203: the road runs along the hexside between 0203 and 0303, at "
    "44.8, 38 mm; which hex is meant?",
)
SHAPES_LEFT_OUT = Rule(
    "M118",
    "shapes-left-out",
    Severity.WARNING,
    "Some shapes of a layer are not of the form that its use needs.",
    "They do not reach the map: a road with a fill is an area, and ground whose outline is open is a line.",
    "Take the fill off roads and rivers, close the outlines of ground, or move the shape to another layer.",
    "warning M118: maps/tiny/map.toml, crossing.0.layer: 1 shape of 'roads' is no line, and left out: #path7",
)
UNKNOWN_RIVER = Rule(
    "M116",
    "unknown-river",
    Severity.ERROR,
    "The direction of flow is stated of a river that the drawing does not have.",
    "It has no effect.",
    "Use the nearest name that the message gives; it is the name of the lines in the drawing.",
    "error M116: maps/tiny/map.toml, river.0.name: no line of a kind of hexside is called 'Rhien'; did you mean "
    "'Rhine'?",
)

# M2: several sheets

UNARRANGED = Rule(
    "M201",
    "unarranged",
    Severity.WARNING,
    "A map has several sheets and no arrangement of them.",
    "Only the first sheet can be played on; rules and the module know nothing of the others.",
    "State how they lie in a table [[arrangement]] of map.toml.",
    "warning M201: maps/tiny/map.toml, arrangement: no [[arrangement]] says how the sheets lie; the "
    "first sheet alone is "
    "the map",
)
SHEET_MISFIT = Rule(
    "M202",
    "sheet-misfit",
    Severity.ERROR,
    "A sheet cannot lie where the arrangement puts it: its hexes do not fall on those of the others.",
    "Hexes that should join would lie over each other in part; the sheet is left out.",
    "Give all sheets hexes of one size, let the edges cut them alike, and turn rectangles by 180 degrees only.",
    "error M202: maps/tiny/map.toml, arrangement.0.sheets.1: B: its hexes lie 2.50 mm beside those of A",
)
SHEETS_OVERLAP = Rule(
    "M203",
    "sheets-overlap",
    Severity.ERROR,
    "Two sheets of an arrangement lie over each other.",
    "Hexes would be there twice.",
    "Correct `at` or `mm` of one of them.",
    "error M203: maps/tiny/map.toml, arrangement.0: sheets lie over each other in 2 hexes: A-0301 and "
    "B-0101, A-0302 and "
    "B-0102",
)

SEAM_HEXES = Rule(
    "M211",
    "seam-hexes",
    Severity.ERROR,
    "The hexes at the edges of two sheets do not join to whole ones.",
    "The sheets cannot be laid together there.",
    "Let the edges run through the middles of hexes or along their sides, alike from both ends of every edge.",
    "error M211: maps/tiny/map.toml, sheet.0: A right, B left: the hexes do not join; A has 3 at this edge and B 4",
)
SEAM_TERRAIN = Rule(
    "M212",
    "seam-terrain",
    Severity.ERROR,
    "Two halves that make one hex are of different terrain.",
    "Players cannot say what the hex is.",
    "Draw both halves alike, or state under `meets` in [seam] that these terrains may share a hex.",
    "error M212: maps/tiny/map.toml, sheet.0, at A-0503: A right, B left: A-0503 is wood and B-0103 is clear",
)
SEAM_LINE = Rule(
    "M213",
    "seam-line",
    Severity.ERROR,
    "A road, river or other line ends at the edge of a sheet, and nothing meets it on the other one.",
    "It is cut off where the sheets are laid together so.",
    "Let lines of each kind leave every edge at the same places, mirrored at its middle, or draw an end "
    "before the edge.",
    "error M213: maps/tiny/map.toml, sheet.0, at A-0502: A right, B left: a line of 'roads' leaves A in "
    "A-0502, 10.0 mm "
    "from the upper end of the seam; none of B meets it",
)
SEAM_COAST = Rule(
    "M214",
    "seam-coast",
    Severity.ERROR,
    "Land meets water at the seam of two sheets, or coasts do not meet.",
    "The coast would run along the seam in a straight line, and the sides of hexes there are neither.",
    "Let the coast leave every edge at the same places, mirrored at its middle.",
    "error M214: maps/tiny/map.toml, sheet.0, at A-0503: A right, B left: the coast leaves A in A-0503, "
    "14.0 mm from the "
    "upper end of the seam; no coast of B meets it",
)

SHEET_UNUSED = Rule(
    "M221",
    "sheet-unused",
    Severity.NOTE,
    "A sheet lies in no arrangement.",
    "Its seams are tried with [seam], but no map of the game has it, and no set-up can stand on it.",
    "Lay it down in an [[arrangement]], or leave it out.",
    "note M221: maps/tiny/map.toml, sheet.3: the sheet D lies in no arrangement",
)

# M3: boards beside hexes

UNNAMED_SPACE = Rule(
    "M301",
    "unnamed-space",
    Severity.WARNING,
    "A drawn shape that is a space has no name.",
    "Set-ups, links and rules cannot name it but by the makeshift name that it is given.",
    "Give the shape a label (Inkscape: Object Properties) or a title, or set a text of the layer `names` beside it.",
    "warning M301: maps/tiny/map.svg:14, #circle7: the shape has no name, at 120, 88 mm; it is called 'cities 4'",
)
STRAY_NAME = Rule(
    "M302",
    "stray-name",
    Severity.WARNING,
    "A text of a layer of names names no shape.",
    "Mostly its shape is missing, or the text stands too far away.",
    "Move the text, raise `within`, or draw the shape.",
    "warning M302: maps/tiny/map.svg:31, #text9: the text 'Malta' at 95, 140 mm names nothing: no shape lies within "
    "10 mm",
)
LOOSE_END = Rule(
    "M303",
    "loose-end",
    Severity.ERROR,
    "A line that is a link ends where no space is.",
    "The link is left out, and the graph lacks a way that the drawing shows.",
    "Draw the line up to its space, or raise `snap`.",
    "error M303: maps/tiny/map.svg:22, #road3: the line ends at 44, 61 mm, 5.2 mm from Kiev; at most 3 are bridged",
)
LINE_TO_ITSELF = Rule(
    "M304",
    "line-to-itself",
    Severity.ERROR,
    "A line begins and ends at the same space.",
    "It joins nothing; perhaps one of its ends was snapped to the wrong space.",
    "Remove it, or draw it on to the space that was meant.",
    "error M304: maps/tiny/map.svg:23, #road4: the line joins Kiev to itself, at 40, 60 mm",
)
DOUBLED_LINK = Rule(
    "M305",
    "doubled-link",
    Severity.WARNING,
    "Two spaces are joined twice by links of the same kind.",
    "The second is left out; perhaps one of them was meant for other spaces.",
    "Remove one of them, from the drawing or from the table of links.",
    "warning M305: maps/tiny/map.svg:24, #road5: a land between Kiev and Odessa was drawn already, "
    "maps/tiny/map.svg:22, #road3",
)
PASSES_OVER = Rule(
    "M306",
    "passes-over",
    Severity.WARNING,
    "A line runs over the edge of a space without reaching its middle.",
    "Players will ask whether the space is joined; the graph says that it is not.",
    "Lead the line through the middle of the space, or clear of it.",
    "warning M306: maps/tiny/map.svg:25, #road6: the line runs over the edge of Kiev, at 40, 60 mm, and is not joined "
    "to it",
)
CORNER_CONTACT = Rule(
    "M307",
    "corner-contact",
    Severity.NOTE,
    "Two areas touch, but share too little border to be adjacent.",
    "Players may take a corner for a border.",
    "Move the corner if they shall be adjacent, or lower adjacency.least; a link joins them as well.",
    "note M307: maps/tiny/map.svg:40, #path12, at Saxony: Saxony and Bavaria share 0.4 mm of border, at 80, 75 mm: not "
    "adjacent, for which 3 mm are needed",
)
AREAS_OVERLAP = Rule(
    "M308",
    "areas-overlap",
    Severity.WARNING,
    "Two areas lie over each other by more than the tolerance.",
    "A counter in the overlap stands in both; the border between them is guessed.",
    "Redraw the outline there, or raise adjacency.tolerance.",
    "warning M308: maps/tiny/map.svg:40, #path12, at Saxony: Saxony and Bavaria lie over each other, 33.0 mm² at 80, "
    "75 mm",
)
OUTSIDE_ZONES = Rule(
    "M309",
    "outside-zones",
    Severity.WARNING,
    "Hexes that zones should cover lie in none.",
    "Rules that ask for the zone find none there.",
    "Draw the zones to the edge of their hexes, or take the terrain out of `only`.",
    "warning M309: maps/tiny/map.toml, zones.0.layer: 2 hexes lie in no zone: 0101, 0102",
)
TRACK_CROWDED = Rule(
    "M310",
    "track-crowded",
    Severity.WARNING,
    "Boxes of a track along a line lie over each other.",
    "Markers in one hide the other.",
    "Make the line longer or the boxes smaller.",
    "warning M310: maps/tiny/map.toml, track.0: the boxes Turn 1 and Turn 2 lie over each other; the "
    "line is too short, "
    "or too bent, for 10 boxes",
)
SHAPE_WITHIN = Rule(
    "M311",
    "shape-within-shape",
    Severity.NOTE,
    "A shape of a layer of points lies within another one.",
    "It is taken for a part of the other, as the dot in a ring is; no space is made of it.",
    "Nothing needs doing, unless both are spaces; then draw them apart, or give each its own name.",
    "note M311: maps/tiny/map.toml, points.0.layer: 1 shape that lies within another is a part of it: #dot3",
)

# M4: map data against what is stated of it

TERRAIN_DIFFERS = Rule(
    "M401",
    "terrain-differs",
    Severity.WARNING,
    "The map has another terrain than the table that was made by hand.",
    "One of the two is wrong: the drawing, a threshold of the legend, or the eye that read the map.",
    "Compare the shares with the printed map; correct the table, the drawing or `from`, or state the terrain of the "
    "place.",
    "warning M401: maps/tiny/terrain.csv:7, column terrain, at 0304: the table says forest, the map clear; measured: "
    "clear 61%, forest 39%",
)
PAIR_NOT_MET = Rule(
    "M402",
    "pair-not-met",
    Severity.WARNING,
    "Two places are not neighbours though they must be, or are though they must not.",
    "What the rulebook says of the two cannot happen on this map.",
    "Give one of them another hex in the table of places, join them with a link, or let `toolchain fit` look for a "
    "better grid.",
    "warning M402: maps/tiny/map.toml, fit.adjacent.2, at Toulon: Toulon and Savona must be neighbours",
)
NAMES_ALIKE = Rule(
    "M403",
    "names-alike",
    Severity.WARNING,
    "Two spaces have names that differ only in case, accents, spaces or points.",
    "Mostly one place was written twice; if not, players and set-ups will take one for the other.",
    "Remove or rename one of them; `[spellings]` is the place for other ways to write a name.",
    "warning M403: maps/tiny/places.csv:12, at St Malo: 'St Malo' is almost the name of St. Malo in hex 0418",
)
NO_TERRAIN = Rule(
    "M404",
    "no-terrain",
    Severity.WARNING,
    "A space that units may enter has no terrain.",
    "Rules that ask for its terrain find none.",
    "Extend the drawing, name a terrain as the rest (`rest = true`), or state it in the table of places.",
    "warning M404: at 0304: no terrain: nothing in the drawing covers it, at 66, 92 mm, and none is the rest",
)
FEATURE_IN_WRONG_TERRAIN = Rule(
    "M405",
    "feature-in-wrong-terrain",
    Severity.ERROR,
    "A feature stands in terrain where the legend does not allow it.",
    "A city in the sea or a fortress in a swamp is a slip in the table or in the drawing.",
    "Move the place, correct its terrain, or change `not_in` or `only_in` of the feature.",
    "error M405: maps/tiny/places.csv:7, at Bern: a city may not stand in alpine",
)
STRAY_HEX = Rule(
    "M406",
    "stray-hex",
    Severity.NOTE,
    "A hex stands alone: its middle lies off the sheet, or it is a single hex of land or water in the other.",
    "Mostly a speck in the drawing, or a grid that reaches too far.",
    "Remove the speck, name the hex, state its terrain, or close partial hexes with grid.partial.",
    "note M406: at 0304: a single hex of land with water all round it, at 66, 92 mm",
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

ONE_WAY_PART = Rule(
    "G104",
    "one-way-part",
    Severity.WARNING,
    "Part of the map can be entered and never left, or left and never entered again.",
    "A link that is one-way by mistake traps units, or shuts them out.",
    "Clear `one_way` of the link in the table of links, add a way back, or accept it if it is meant.",
    "warning G104: at Malta: 2 spaces can be entered and never left by sea: Malta, Gozo",
)
DEAD_END = Rule(
    "G105",
    "dead-end",
    Severity.NOTE,
    "A road, railway or track ends where nothing is.",
    "It may have been cut short in the drawing, or a place was forgotten.",
    "Draw it on, or name the place where it ends.",
    "note G105: at 0507: the railway ends here, at 108, 164 mm, where nothing is",
)
ROAD_GAP = Rule(
    "G106",
    "road-gap",
    Severity.WARNING,
    "A road, railway or track is broken off by one hex.",
    "Movement along it stops at the break.",
    "Join the two ends in the drawing or in the table of links.",
    "warning G106: at 0305: the road from 0204 to 0406 is broken off: 0305 between them has none, near 66, 116 mm",
)
RIVER_ENDS_IN_NOTHING = Rule(
    "G107",
    "river-ends-in-nothing",
    Severity.WARNING,
    "A river reaches neither water nor the edge of the map.",
    "Rivers end in the sea, in a lake or in another river; this one was drawn too short.",
    "Draw it on to its mouth, or accept it if it is meant.",
    "warning G107: maps/tiny/drawing.svg, #Aller, at 0203–0304: the Aller, 4 hexsides from 66, 116 mm, reaches neither "
    "water nor the edge of the map",
)
RIVER_GAP = Rule(
    "G108",
    "river-gap",
    Severity.WARNING,
    "A river is broken off by one hexside or two.",
    "Units cross it at the break as if there were no river.",
    "Join the two ends in the drawing, or add the hexsides under [[side]].",
    "warning G108: maps/tiny/drawing.svg, #Aller, at 0203–0304: the Aller is broken off by 1 hexside near 66, 116 mm: "
    "0203–0304 should be river",
)

RIVER_WITHOUT_FLOW = Rule(
    "G109",
    "river-without-flow",
    Severity.WARNING,
    "It is not known which way a river flows, though others of its kind do.",
    "Rules that ask for upstream or downstream have no answer there.",
    "State its source or its mouth in a table [[river]], draw it on to its mouth, or set `flow` to the way its lines "
    "are drawn.",
    "warning G109: maps/tiny/drawing.svg, #Aller, at 0203–0304: which way the Aller flows is not known, 4 hexsides "
    "from 66, 116 mm",
)
RIVER_FLOWS_NOWHERE = Rule(
    "G110",
    "river-flows-nowhere",
    Severity.WARNING,
    "Rivers flow into a corner from all sides, and none flows out of it.",
    "One of the lines was drawn against its flow.",
    "Turn that line round in the drawing, or state its source or mouth in a table [[river]].",
    "warning G110: maps/tiny/drawing.svg, #Aller, at 0203–0304: at 66, 116 mm water flows in from all sides and none "
    "out: the Aller, the Leine",
)
RIVER_FLOWS_OUT = Rule(
    "G111",
    "river-flows-out",
    Severity.WARNING,
    "A river flows to its end, and there is no water there.",
    "It was drawn too short, or against its flow.",
    "Draw it on to its mouth, turn it round, or accept it if it is meant.",
    "warning G111: maps/tiny/drawing.svg, #Aller, at 0203–0304: the Aller flows to 66, 116 mm and no further",
)
LINE_JOINS_NOTHING = Rule(
    "G112",
    "line-joins-nothing",
    Severity.WARNING,
    "A road or another line between hexes stays within one of them.",
    "It joins no spaces, so nothing on the map comes of it.",
    "Draw it on into the next hex, by more than `clip` of its size, or delete it.",
    "warning G112: maps/tiny/drawing.svg, #path7, at 0203: the road from 66, 116 mm to 70, 118 mm joins nothing: all "
    "of it is in 0203",
)
LINE_WITHOUT_SIDE = Rule(
    "G113",
    "line-without-side",
    Severity.NOTE,
    "A line that should follow hexsides is too short to follow one.",
    "Nothing on the map comes of it.",
    "Draw it longer, join it to the line that it belongs to, or delete it.",
    "note G113: maps/tiny/drawing.svg, #path9, at 0203: the Aller, from 66, 116 mm, follows no hexside",
)

# C: counters ----------------------------------------------------------------------------------------------------

SIZE_UNKNOWN = Rule(
    "C101",
    "size-unknown",
    Severity.ERROR,
    "A counter is of a size that style.toml does not have.",
    "Its faces cannot be drawn and it is missing from the counter sheets.",
    "Use one of the sizes in [sizes], or add this one; `size` in style.toml is that of counters that name none.",
    "error C101: counters/tiny/units.csv:4, column size: there is no size '5/6'; did you mean '5/8'?",
)
LAYOUT_UNKNOWN = Rule(
    "C102",
    "layout-unknown",
    Severity.ERROR,
    "A counter or a layout names a layout that style.toml does not have, or a layout is like itself.",
    "Its faces cannot be drawn and it is missing from the counter sheets.",
    "Use one of the names in [layouts]; `layout` in style.toml is that of counters that name none.",
    "error C102: counters/tiny/units.csv:4, column layout: there is no layout 'unti'; did you mean 'unit'?",
)
STYLE_COLOUR_UNKNOWN = Rule(
    "C103",
    "colour-unknown",
    Severity.ERROR,
    "A layout uses a colour that is neither in [colours] nor set by a look that fits the counter.",
    "What would have that colour is not drawn.",
    "Add the name to [colours] or to a [[look]], or write #rrggbb.",
    "error C103: counters/tiny/style.toml, layouts.unit.elements.0.fill: neither [colours] nor a look sets 'papr'; "
    "did you mean 'paper'?",
)
STYLE_NAME_UNKNOWN = Rule(
    "C104",
    "style-name-unknown",
    Severity.WARNING,
    "A condition or a text of style.toml names a column that the counter table does not have and no look sets.",
    "The condition never holds, or always; the text stays empty on every counter.",
    "Correct the name, or add the column.",
    "warning C104: counters/tiny/style.toml, look.2.when.naton: no column of the counter table and no look is called "
    "'naton'; did you mean 'nation'?",
)
TABLE_ENCODING = Rule(
    "C105",
    "table-encoding",
    Severity.WARNING,
    "A table is not written in UTF-8 and was read as Windows-1252.",
    "Letters with accents may be wrong if the table was saved in yet another encoding.",
    "Look at a name with an accent in the output; save the table as CSV UTF-8 to be sure.",
    "warning C105: counters/tiny/units.csv: read as Windows-1252, since it is not UTF-8",
)
FORMULA = Rule(
    "C106",
    "formula",
    Severity.ERROR,
    "A cell holds a formula, or the error that a spreadsheet shows for one, instead of a value.",
    "The text of the formula would be printed.",
    "Save the table from the spreadsheet as CSV with values, or write the value into the cell.",
    "error C106: counters/tiny/units.csv:4, column attack: '=B4+1' is a formula, not its value",
)
COLUMN_NEAR = Rule(
    "C107",
    "column-near",
    Severity.WARNING,
    "A column is called nearly like one that the tool knows and that the table lacks.",
    "It counts as an attribute of the game, and what it says of the counter is not used.",
    "Rename the column, if that is what it is meant to be.",
    "warning C107: counters/tiny/units.csv:1, column symbl: an attribute of its own; did you mean 'symbol'?",
)
STEP_GAP = Rule(
    "C108",
    "step-gap",
    Severity.ERROR,
    "A counter has values for a step and none for the step before it.",
    "Nobody could say how many steps the unit has.",
    "Fill the cells of every step down to the last one: X, step2_X (or back_X), step3_X, step4_X.",
    "error C108: counters/tiny/units.csv:4, column step3_strength: step 3 has values and step 2 has none",
)
FONT_UNKNOWN = Rule(
    "C109",
    "font-unknown",
    Severity.ERROR,
    "A layout uses a font that neither comes with the tool nor stands in [fonts].",
    "The text cannot be drawn.",
    "Use one of the fonts that the message names, or name your font file in [fonts].",
    "error C109: counters/tiny/style.toml, layouts.unit.elements.3.font: there is no font 'sans-blod'; did you mean "
    "'sans-bold'?",
)
COUNTERS_TOO_MANY = Rule(
    "C110",
    "counters-too-many",
    Severity.ERROR,
    "The counter table asks for more counters than the tool draws.",
    "A table of so many rows is most likely a slip, and a game of so many counters could not be played.",
    "Look for rows that were copied without end and for numbers of copies that should be factors.",
    "error C110: counters/tiny/units.csv: the table prints 50004 counters; at most 10000 are drawn, the rest is left "
    "out",
)
TABLE_DELIMITER = Rule(
    "C114",
    "table-delimiter",
    Severity.NOTE,
    "The cells of a table are parted by semicolons or tabs.",
    "All is well, unless the cells of the first row hold more of these than there are commas between them.",
    "Nothing needs to be done; save the table with commas if its columns are not what they should be.",
    "note C114: counters/tiny/units.csv: read as cells between semicolons",
)
TEXT_TOO_LONG = Rule(
    "C201",
    "text-too-long",
    Severity.ERROR,
    "A text does not fit its place on the counter, even at the smallest size that the layout allows.",
    "It is printed at its smallest size and runs over its place.",
    "Shorten it, or give the layout more lines, a wider box or a smaller `least`.",
    "error C201: counters/tiny/units.csv:9, column text: 'Reinforcements from the east' does not fit 11.2 x 4 mm",
)
GLYPH_MISSING = Rule(
    "C202",
    "glyph-missing",
    Severity.ERROR,
    "A text has characters that its font cannot draw.",
    "Each would be printed as an empty box.",
    "Use another font of the set in the layout, or another character.",
    "error C202: counters/tiny/units.csv:9, column text: font sans-bold has no '→' (U+2192)",
)
SYMBOL_UNKNOWN = Rule(
    "C203",
    "symbol-unknown",
    Severity.ERROR,
    "A unit symbol is given by words that the table of symbols does not have, or by no valid SIDC.",
    "The counter is printed without its symbol.",
    "Use words such as 'infantry corps', 'mech infantry division', 'airborne brigade', 'fortress', or 20 digits of "
    "APP-6D.",
    "error C203: counters/tiny/units.csv:4, column symbol: 'infantery' is no word of a symbol; did you mean "
    "'infantry'?",
)
VALUE_MISSING = Rule(
    "C204",
    "value-missing",
    Severity.ERROR,
    "A layout prints a value that the counter does not have.",
    "The place stays empty on the printed counter.",
    "Fill the cell, use another layout, or make the element of the layout `optional`.",
    "error C204: counters/tiny/units.csv:4, column attack: layout 'unit' prints {attack}, and the cell is empty",
)
ICON_UNKNOWN = Rule(
    "C205",
    "icon-unknown",
    Severity.ERROR,
    "A layout or a counter asks for a picture that the set of icons does not have.",
    "The place stays empty on the printed counter.",
    "Use one of the icons that the message names.",
    "error C205: counters/tiny/units.csv:4, column icon: there is no icon 'tnak'; did you mean 'tank'?",
)
SHEET_TOO_SMALL = Rule(
    "C206",
    "sheet-too-small",
    Severity.ERROR,
    "A counter or a block of counters does not fit the paper within its margins.",
    "No counter sheet of that size can be made.",
    "Choose larger paper, a smaller margin or a smaller block in [sheet].",
    "error C206: counters/tiny/style.toml, sheet: a block of 20 x 10 counters needs 317.5 x 158.8 mm; the paper leaves "
    "186 x 261",
)
PICTURE_UNSAFE = Rule(
    "C207",
    "picture-unsafe",
    Severity.ERROR,
    "A picture of the designer's has a script in it, or calls for something outside its own file.",
    "Pictures come from strangers; what they call for would be missing from the print, or worse.",
    "Save the picture as plain SVG, without scripts, links and linked pictures.",
    "error C207: counters/tiny/tank.svg:7: the picture has a <script>",
)
PICTURE_PART = Rule(
    "C208",
    "picture-part",
    Severity.WARNING,
    "A picture has a part that cannot be drawn on a counter, and it is left out.",
    "The printed picture differs from what the drawing program shows.",
    "Turn texts into paths and gradients into plain colours, and cut shapes where a mask or clip path does.",
    "warning C208: counters/tiny/tank.svg: texts are left out; turn them into paths: 1 (#text7)",
)
FONT_UNUSABLE = Rule(
    "C209",
    "font-unusable",
    Severity.ERROR,
    "A font file is no TrueType or OpenType font, or a damaged one.",
    "Nothing can be written with it.",
    "Name a .ttf or .otf file.",
    "error C209: counters/tiny/style.toml, fonts.title.file: title.woff is no TrueType or OpenType font",
)
SHEET_SIZE_UNKNOWN = Rule(
    "C301",
    "sheet-size-unknown",
    Severity.ERROR,
    "The counter sheet is of a given size, and the size is not given.",
    "No counter sheet can be made.",
    "Give width and height in [sheet], or the name of a paper.",
    "error C301: counters/tiny/style.toml, sheet: paper is 'given': width and height must be given too",
)
CHART_EMPTY = Rule(
    "C302",
    "chart-empty",
    Severity.WARNING,
    "The table of a chart or a track has no rows, or not the column that a track needs.",
    "There is nothing to draw.",
    "Fill the table; a track needs a column text, and may have note and icon.",
    "warning C302: counters/tiny/turns.csv: a track needs a column 'text'",
)

NAME_TOO_WIDE = Rule(
    "C501",
    "name-too-wide",
    Severity.WARNING,
    "A printed name does not fit its space, even in the smallest type that the style allows.",
    "It runs over the neighbouring hexes and may be read as theirs.",
    "Shorten the name, put a space or hyphen where it may break, or lower `names.least` in style.toml.",
    "warning C501: maps/tiny/places.csv:4, at Llanfairpwllgwyngyll: the name 'Llanfairpwllgwyngyll' does not fit its "
    "space, even at 2.3 mm",
)
NAME_GLYPH = Rule(
    "C502",
    "name-glyph",
    Severity.ERROR,
    "The font of the map cannot write a character of a name.",
    "An empty box would be printed in its place.",
    "Choose another font for the names in style.toml, or another spelling.",
    "error C502: maps/tiny/places.csv:4, at Łódź: the font condensed cannot write 'Ł' (U+0141) in 'Łódź'",
)
PANEL_COVERS = Rule(
    "C503",
    "panel-covers",
    Severity.WARNING,
    "A box or panel lies over hexes that units may enter.",
    "Players cannot see what is under it.",
    "Move or shrink the box in map.toml, or the title or key by `title_at` and `key_at` in style.toml.",
    "warning C503: maps/tiny/map.toml, at Reserve: the box covers 2 hexes that may be entered: Gela, Enna",
)
UNSTYLED = Rule(
    "C504",
    "unstyled",
    Severity.WARNING,
    "The legend has a word for which the style has no look.",
    "It is drawn in a makeshift look that a player may not understand.",
    "Give it a look in style.toml of the map.",
    "warning C504: maps/tiny/style.toml: terrain 'bocage' has no look of its own",
)
STYLE_NAME = Rule(
    "C505",
    "style-name",
    Severity.WARNING,
    "The style names a layer or a trait value that the map does not have.",
    "What it says has no effect.",
    "Correct the name, or remove it from style.toml.",
    "warning C505: maps/tiny/style.toml, layers.lettering: the drawing has no layer 'letering'; did you mean "
    "'lettering'?",
)

PANEL_ASIDE = Rule(
    "C506",
    "panel-aside",
    Severity.NOTE,
    "Title or key found no quiet place on the sheet.",
    "It stands on a page of its own, the second of the PDF, so that it covers no hex in play.",
    "Print that page beside the map, make the sheet larger, or state the place in style.toml.",
    "note C506: maps/tiny/style.toml, panels.key_at: the key finds no quiet place on the sheet and stands on a page of "
    "its own",
)

# R: rules data --------------------------------------------------------------------------------------------------

# R1: words and form

UNKNOWN_ATTRIBUTE = Rule(
    "R101",
    "unknown-attribute",
    Severity.ERROR,
    "A selector in the rules asks for something that no piece, or no space, of the game has.",
    "The rule would apply to nothing, and nobody would notice.",
    "Use the nearest attribute that the message names, or add the column to the counters or the trait to the places.",
    "error R101: modules/tiny/rules.toml, zoc.0.of.mec: no piece of the game has 'mec'; did you mean 'mech'?",
)
UNKNOWN_WORD = Rule(
    "R102",
    "unknown-word",
    Severity.ERROR,
    "The rules name a space, side, event, kind or other value that the game does not have.",
    "The rule would never apply where it should.",
    "Use the nearest known word that the message gives.",
    "error R102: modules/tiny/rules.toml, supply.0.sources.0.where.space: there is no space 'Pari'; "
    "did you mean 'Paris'?",
)
UNKNOWN_EDGES = Rule(
    "R103",
    "unknown-edges",
    Severity.ERROR,
    "The rules use a kind of edge that no [edges.NAME] states.",
    "Lines and zones over it would lead nowhere.",
    "Use the nearest stated name, or state the edges.",
    "error R103: modules/tiny/rules.toml, zoc.0.over: no [edges.lnad] is stated; did you mean 'land'?",
)
UNKNOWN_GRADE = Rule(
    "R104",
    "unknown-grade",
    Severity.ERROR,
    "The rules use a grade of supply that `grades` does not list.",
    "Nobody could say whether it is better or worse than the others.",
    "Use a listed grade, or list it in its place, best first.",
    "error R104: modules/tiny/rules.toml, supply.0.lines.0.grade: 'ful' is not in `grades`; did you mean 'full'?",
)
NEVER_APPLIES = Rule(
    "R105",
    "never-applies",
    Severity.WARNING,
    "A selector takes no piece, or no space, whatever the position; edges join no two spaces; a turn never comes.",
    "The rule has no effect; as a rule it was surely meant to have one.",
    "Compare the selector with the counters or the map: two of its conditions exclude each other. Turns are those that "
    "game.toml lists.",
    "warning R105: modules/tiny/rules.toml, zoc.0.of: no counter of the game is such a piece",
)
NEEDS_NOT_BEST_FIRST = Rule(
    "R106",
    "needs-not-best-first",
    Severity.ERROR,
    "The grades of supply that a zone of control needs are not the best ones.",
    "Better supply would take the zone away; such rules have no settled meaning where zones cut supply.",
    "List the best grade and every one down to the least that is enough.",
    "error R106: modules/tiny/rules.toml, zoc.0.needs: the best 1 of `grades` are full",
)
BAR_ON_HUB = Rule(
    "R107",
    "bar-on-hub",
    Severity.ERROR,
    "What bars the ways of a hub is not stated by the spaces that it shuts out.",
    "A hub joins all its spaces alike; it has no single ways that could be barred.",
    "State `at`, the spaces that are no part of the hub then, or join the spaces by links.",
    "error R107: modules/tiny/rules.toml, edges.sea.barred_by.0: the ways of a hub can be barred only with `at`",
)
RELATIVE_TO_NOBODY = Rule(
    "R108",
    "relative-to-nobody",
    Severity.ERROR,
    "A rule says friendly, enemy or own where no piece is there to be friendly to.",
    "The word has no meaning there, and the rule would never apply.",
    "Name the side or the nation; relative words belong where a piece looks at spaces or at other pieces.",
    "error R108: modules/tiny/rules.toml, zoc.0.of: nobody is there to be 'enemy' to; name the side or the nation",
)

WEIGHT_NOT_NUMBER = Rule(
    "R109",
    "weight-not-number",
    Severity.ERROR,
    "A rule adds up an attribute that is no number on some counters.",
    "Those counters would weigh nothing, and a limit could never be reached.",
    "Write numbers in that column of units.csv: 3, 1.5 or 1/2.",
    "error R109: modules/tiny/rules.toml, stacking.0.weigh: 'size' is no number on some counters: XX",
)
CONTROL_BY_ZONES = Rule(
    "R110",
    "control-by-zones",
    Severity.ERROR,
    "Control follows zones of control, and the zones need supply or are not stated.",
    "Supply follows control; if control followed zones that follow supply, nothing could be decided.",
    "Let the zones of such a game need no supply, or state control in another way.",
    "error R110: modules/tiny/rules.toml, control.rule: control cannot follow zones here: no [[zoc]] is stated",
)
STATED_AND_DENIED = Rule(
    "R111",
    "stated-and-denied",
    Severity.ERROR,
    "The game is said to have no rules of a kind, and states some.",
    "One of the two is wrong.",
    "Remove the [[without]], or the rules.",
    "error R111: modules/tiny/rules.toml, without.0: the game is said to have no rules of zoc, and states some",
)

TAKEN_BEFORE = Rule(
    "R121",
    "taken-before",
    Severity.WARNING,
    "A rule stands after others that take everything it could take.",
    "Of such a list the first rule that fits counts, so this one never does.",
    "Put the particular rule before the general one, or remove it.",
    "warning R121: modules/tiny/rules.toml, supply.1: an earlier rule of the list takes every counter that it could "
    "take, and the first that fits counts",
)

# P: positions ---------------------------------------------------------------------------------------------------

# P1: stacking

OVERSTACKED = Rule(
    "P101",
    "overstacked",
    Severity.ERROR,
    "More pieces stand in a space than a stacking limit allows.",
    "The position is not one that the rules allow at the moments when they check stacking.",
    "Move the pieces in excess away; the message says how many and of what.",
    "error P101: modules/tiny/setups/start.csv:7, at Oslo: 4 axis pieces and at most 3 may stand here (rule 7.11): "
    "1 too many of GE-1, GE-2, GE-3, GE-4",
)

CARRIED_WRONGLY = Rule(
    "P102",
    "carried-wrongly",
    Severity.ERROR,
    "A piece is carried by what is not there or may not carry it.",
    "The position is not one that the rules allow, and the piece escapes the limits that count it.",
    "Put it on a piece in its space that may carry it, or on none.",
    "error P102: modules/tiny/setups/start.csv:7, at Sea: bomber-1 may not be carried by carrier-1",
)
OVERLOADED = Rule(
    "P103",
    "overloaded",
    Severity.ERROR,
    "A piece carries more than it may.",
    "The position is not one that the rules allow.",
    "Take off what is in excess; the message says how much.",
    "error P103: modules/tiny/setups/start.csv:7, at Sea: carrier-1 carries 3 and may carry at most 2 (rule 4.41): "
    "fighter-1, fighter-2, fighter-3",
)
ALONE = Rule(
    "P104",
    "alone",
    Severity.ERROR,
    "A piece stands where it may be only together with another, which is not there.",
    "The position is not one that the rules allow.",
    "Put the other piece there or move this one; the message says what becomes of it.",
    "error P104: modules/tiny/setups/start.csv:7, at Sea: army-1 needs a piece of kind fleet here (rule 6.1)",
)

SHORT_OF_SHARE = Rule(
    "P105",
    "short-of-share",
    Severity.WARNING,
    "Of the pieces that stand or attack together too small a share has what a rule asks for.",
    "They do without what the rule would give them.",
    "Add pieces that have it, or take others away; the message says how many count.",
    "warning P105: moves.csv:7, at Oslo: engineers of red: 1 of 9 re, 1/9 (rule 14); at least 1/7 is wanted",
)
PROPORTION = Rule(
    "P106",
    "proportion",
    Severity.NOTE,
    "The share of those who attack together that has an ability.",
    "Players need the number to resolve the attack.",
    "Nothing needs doing.",
    "note P106: moves.csv:7, at Oslo: armour of red: 3 of 9 re, 1/3 (1 neutral) (rule 10)",
)
SETUP_LIMIT = Rule(
    "P107",
    "setup-limit",
    Severity.ERROR,
    "A set-up places more, or less, than a limit of the rules allows.",
    "The game does not begin as its rules say.",
    "Move, add or take away pieces; the message says how many there are and how many there may be.",
    "error P107: modules/tiny/setups/start.csv:7: 7 GE level in Germany, Poland, and at most 6 may be there (rule 8.3)",
)

# P2: zones of control

ZOC_UNDECIDED = Rule(
    "P201",
    "zoc-undecided",
    Severity.WARNING,
    "Whether a piece exerts a zone of control depends on zones that depend on it.",
    "Zones need supply and cut supply; here the rules give no answer, and the players must agree on one.",
    "Look at the circle that the message spells out; change the position or settle it by a house rule.",
    "warning P201: modules/tiny/setups/start.csv:7, at Oslo: the rules leave undecided whether GE-1 exerts a zone of "
    "control (rule 8.41): it waits on US-1, which waits on GE-1",
)

# P3: supply

OUT_OF_SUPPLY = Rule(
    "P301",
    "out-of-supply",
    Severity.WARNING,
    "A unit has no line of supply.",
    "It is weaker, and may die in the next attrition; in a set-up it is often a mistake of the map or of control.",
    "See where its line stops and why; mend the map or control, or accept the finding if the rules mean it.",
    "warning P301: modules/tiny/setups/start.csv:7, at Oslo: GE-1 is out of supply (rule 11.4): its lines "
    "stop at Hamar (not controlled by axis)",
)
SUPPLY_UNDECIDED = Rule(
    "P302",
    "supply-undecided",
    Severity.WARNING,
    "Whether, or how well, a unit is supplied depends on zones that depend on it.",
    "The rules give no answer here, and the players must agree on one.",
    "Look at the circle that the message spells out; change the position or settle it by a house rule.",
    "warning P302: modules/tiny/setups/start.csv:7, at Oslo: the rules leave undecided whether the supply of GE-1 "
    "is out or full: it waits on US-1, which waits on GE-1",
)

HAS_STATUS = Rule(
    "P303",
    "has-status",
    Severity.NOTE,
    "A unit has a status beside supply, such as isolated, because it lacks the line that would spare it that.",
    "What the status means for play is easily forgotten.",
    "See where its line stops and why; nothing needs doing where the rules mean it.",
    "note P303: modules/tiny/setups/start.csv:7, at Oslo: GE-1 is isolated (rule 3.6): its lines stop at Hamar "
    "(not controlled by axis)",
)

# P4: moves

OVER_HEXSIDE_LIMIT = Rule(
    "P401",
    "over-hexside-limit",
    Severity.ERROR,
    "More pieces cross one hexside than may.",
    "The moves are not ones that the rules allow together.",
    "Let the pieces in excess cross elsewhere or stay; the message says how many.",
    "error P401: moves.csv:7, at Oslo: 2 red pieces cross from Hamar in an attack and at most 1 may (rule 4.2): "
    "1 too many of r1, r2",
)
NO_WAY = Rule(
    "P402",
    "no-way",
    Severity.ERROR,
    "A piece moves between two spaces that no way joins, or over a way that is closed to it.",
    "The move is not one that the rules allow.",
    "Move it space by space over open ways.",
    "error P402: moves.csv:7, at Oslo: no way leads from Bergen to Oslo",
)
MOVE_UNKNOWN = Rule(
    "P403",
    "move-unknown",
    Severity.ERROR,
    "A move names a piece, a space or a kind of move that is not there, or begins where the piece does not stand.",
    "The move is left out.",
    "Use the nearest known name that the message gives.",
    "error P403: moves.csv:7: there is no piece 'r9'; did you mean 'r1'?",
)

ZONE_FORBIDS = Rule(
    "P404",
    "zone-forbids",
    Severity.ERROR,
    "A piece makes a move that an enemy zone of control does not let it make.",
    "The move is not one that the rules allow.",
    "End the move in the zone, go round it, or open it as the rules say; the message says who exerts it.",
    "error P404: moves.csv:7, at Oslo: r1 must stop at Hamar, in the zone of control of b1 (rule 8.43)",
)
RETREAT_LOSSES = Rule(
    "P405",
    "retreat-losses",
    Severity.NOTE,
    "A piece retreats into an enemy zone of control, and that costs it losses.",
    "Players tend to forget them.",
    "Take the losses, or retreat elsewhere.",
    "note P405: moves.csv:7, at Oslo: r1 retreats into the zone of control of b1: 1 more lost (rule 9.4)",
)

# P5: control

CONTROL_UNKNOWN = Rule(
    "P501",
    "control-unknown",
    Severity.ERROR,
    "Control is stated by a side that the game does not have.",
    "The statement has no effect, and the space that was meant keeps its other controller.",
    "Use the nearest known name that the message gives.",
    "error P501: modules/tiny/setups/start.csv:9, at Oslo: there is no side 'alied'; did you mean 'allied'?",
)
HELD_BY_OTHER = Rule(
    "P502",
    "held-by-other",
    Severity.ERROR,
    "A unit stands in a space that another side controls.",
    "Where control passes to whoever enters, this cannot come about in play; supply and movement would go wrong.",
    "State control of the space for the side that holds it, or move the unit.",
    "error P502: modules/tiny/setups/start.csv:7, at Oslo: GE-1 of axis holds the space, and allied "
    "controls it (rule 20)",
)
HOME_CONTROL = Rule(
    "P503",
    "home-control",
    Severity.ERROR,
    "Control is stated against a space's fixed owner.",
    "Spaces that belong to one side for the whole game cannot be taken.",
    "Remove the statement.",
    "error P503: modules/tiny/setups/start.csv:9, at Reserve: the space belongs to allied (rule 8.32), not to axis",
)

CONTROL_NOT_SO = Rule(
    "P504",
    "control-not-so",
    Severity.WARNING,
    "Control is stated for a space where the pieces decide it, and they decide otherwise.",
    "The statement has no effect.",
    "Remove the statement, or place the pieces that it was meant for.",
    "warning P504: modules/tiny/setups/start.csv:9, at Kyiv: red is said to control the space; by the pieces it is "
    "blue",
)

# P6: places

MAY_NOT_BE_HERE = Rule(
    "P601",
    "may-not-be-here",
    Severity.ERROR,
    "A unit stands in, or moves into, a space that the rules do not let it enter.",
    "It can never have come there, or may not go there.",
    "Move it, or correct the rule or the map.",
    "error P601: modules/tiny/setups/start.csv:7, at Breslau: US-1 may not be here (rule 8.38)",
)
SHARED_SPACE = Rule(
    "P602",
    "shared-space",
    Severity.ERROR,
    "Pieces that the rules keep apart share a space.",
    "The position is not one that the rules allow.",
    "Move one of them.",
    "error P602: modules/tiny/setups/start.csv:7, at Oslo: allied (US-1) and axis (GE-1) may not share a space "
    "(rule 7.12)",
)

NOT_IN_ITS_SPACE = Rule(
    "P603",
    "not-in-its-space",
    Severity.ERROR,
    "A piece stands elsewhere than in the one space where it may be.",
    "It can never have come there.",
    "Move it to its space, or correct the column of units.csv that names the space.",
    "error P603: modules/tiny/setups/start.csv:7, at Oslo: fort-1 may be only at Bergen (rule 2.21)",
)

# P7: what a position says of itself

POSITION_WORD = Rule(
    "P701",
    "position-word",
    Severity.ERROR,
    "A position uses a word for a state, a fact or a grade of supply that the rules do not know.",
    "The word has no effect.",
    "Use the nearest known word that the message gives.",
    "error P701: modules/tiny/setups/start.csv:9: there is no state 'droped'; did you mean 'dropped'?",
)
FACT_MISSING = Rule(
    "P702",
    "fact-missing",
    Severity.WARNING,
    "A rule depends on a fact, such as the weather, that the position does not state.",
    "The least of the numbers that the rule lists is used.",
    "State the fact in the set-up: a row with what = fact.",
    "warning P702: modules/tiny/setups/start.csv: the position states no 'weather'; rules ask for clear, mud",
)

# P8: what can be checked

NO_SUCH_RULES = Rule(
    "P801",
    "no-such-rules",
    Severity.NOTE,
    "A check was asked for, and the game has no rules of that kind.",
    "Nothing was found because there is nothing to check.",
    "If the game has such rules, state them; if not, say so with [[without]].",
    "note P801: modules/tiny/rules.toml: the game has no zones of control (rule 6)",
)

# V: modules -----------------------------------------------------------------------------------------------------

# V1: what the module is made from

PICTURE_MISSING = Rule(
    "V101",
    "picture-missing",
    Severity.ERROR,
    "A picture that the module shows is not among those made for it.",
    "VASSAL would show a blank piece, or a board of no size on which nothing has a place.",
    "Have the picture drawn under the name that the message gives: lower case, without accents.",
    "error V101: counters/tiny/units.csv:3: there is no picture 'red-1-2' for step 2 of 'red-1'",
)
PICTURE_UNFIT = Rule(
    "V102",
    "picture-unfit",
    Severity.ERROR,
    "A picture is not one that VASSAL draws as meant.",
    "VASSAL shows PNG as it is, and SVG only when its width and height are given in pixels; anything else comes out "
    "blank or blown up.",
    "Write the picture as PNG, or as SVG with width and height in plain numbers and a viewBox.",
    "error V102: red-1-1.svg: its width is '15.9mm'; VASSAL wants pixels, a plain number",
)
PIECE_NOT_PLACED = Rule(
    "V103",
    "piece-not-placed",
    Severity.ERROR,
    "A piece of a set-up cannot be put on the board.",
    "The module would begin the game without it.",
    "Correct the counter or the space in the set-up; the message gives the nearest name.",
    "error V103: modules/tiny/setups/start.csv:4: there is no space 'Olso' on the map; did you mean 'Oslo'?",
)
TEXT_CLEANED = Rule(
    "V104",
    "text-cleaned",
    Severity.WARNING,
    "A text holds what a VASSAL module cannot carry, and was changed.",
    "Control characters are not allowed in the build file, and a backslash at the end of a text swallows the next one.",
    "Take them out of the text.",
    "warning V104: counters/tiny/units.csv:3: the name 'Red\\' cannot be written as it is; 'Red' is written",
)
SETTING_UNKNOWN = Rule(
    "V105",
    "setting-unknown",
    Severity.ERROR,
    "A setting of vassal.toml names something that the game does not have.",
    "The setting would have no effect, and nobody would notice until play.",
    "Use the nearest known name that the message gives.",
    "error V105: modules/tiny/vassal.toml, eliminated.red: there is no space 'Dead Pile'; did you mean 'Dead Pool'?",
)
GPID_LOCK = Rule(
    "V106",
    "gpid-lock",
    Severity.ERROR,
    "The file that keeps the piece ids is damaged.",
    "A piece that gets another id is lost to the games that players have saved.",
    "Put back the file as it was last kept; do not write it by hand.",
    "error V106: modules/tiny/gpids.toml, gpids.red-2: 1 belongs to 'red-1' already",
)
BOARD_SIZE = Rule(
    "V107",
    "board-size",
    Severity.ERROR,
    "The picture of a board is not of the size that the map has at the module's scale.",
    "Every piece would stand beside its place.",
    "Draw the board at the pixels per millimetre that the module is built with.",
    "error V107: board-main.png: 800 by 600 pixels; the sheet is 812 by 600 at 4 pixels per millimetre",
)
BOARD_TOO_BIG = Rule(
    "V108",
    "board-too-big",
    Severity.WARNING,
    "A board has more pixels than VASSAL opens with ease.",
    "Boards beyond some sixty million pixels run out of memory when VASSAL cuts them into tiles.",
    "Choose fewer pixels for a hex in vassal.toml, or cut the map into sheets.",
    "warning V108: board-main: 12000 by 9000 pixels are 108 million; 60 million are the limit",
)
NUMBERING_UNKNOWN = Rule(
    "V109",
    "numbering-unknown",
    Severity.NOTE,
    "VASSAL cannot number the hexes as the map does; each hex gets a zone of its own instead.",
    "VASSAL's letters go A..Z, AA, BB; ours go A..Z, AA, AB. The zones name every hex rightly, at the cost of speed.",
    "Nothing needs doing; numbers in place of letters make the module lighter.",
    "note V109: maps/tiny: columns beyond Z are numbered AA, AB; every hex gets a zone",
)
HEX_UNEVEN = Rule(
    "V110",
    "hex-uneven",
    Severity.WARNING,
    "The centres of hexes do not fall on pixels.",
    "VASSAL counts in whole pixels; with an odd number of pixels to a hex, pieces stand half a pixel off in every "
    "other column.",
    "Give hex_pixels in vassal.toml an even number.",
    "warning V110: modules/tiny/vassal.toml, hex_pixels: 81 is odd; 80 or 82 puts every centre on a pixel",
)

# V12: rules inside the module

LIMIT_UNSEEN = Rule(
    "V120",
    "limit-unseen",
    Severity.NOTE,
    "A stacking limit depends on what VASSAL cannot know.",
    "Control, events and what is true of a piece for a time change in play. The module's mark allows the most that "
    "such a condition may allow, so that it never lies; `toolchain check` knows the rest.",
    "Nothing needs doing; check the saved game with `toolchain check`.",
    "note V120: modules/tiny/rules.toml, stacking.0.except.0: this exception (rule 3.2) holds only at times; VASSAL "
    "counts as if it always held",
)
ARCHIVE_DAMAGED = Rule(
    "V301",
    "archive-damaged",
    Severity.ERROR,
    "An archive, or something in it, cannot be unpacked.",
    "Whatever the archive holds cannot be read, by this tool or by VASSAL.",
    "Fetch or save the file again.",
    "error V301: mine.vmod: not a zip archive: it has no directory at its end",
)
ARCHIVE_REFUSED = Rule(
    "V302",
    "archive-refused",
    Severity.ERROR,
    "An archive is made in a way that harms whoever unpacks it, or is larger than anything that VASSAL writes.",
    "Names that lead out of the archive, links, encrypted or overlapping entries and gigabytes are not read.",
    "Do not open the file; if it is your own, pack it anew with plain names.",
    "error V302: mine.vmod/../../etc/passwd: its name leads out of the archive",
)
SAVE_UNREADABLE = Rule(
    "V303",
    "save-unreadable",
    Severity.ERROR,
    "A saved game, or a piece in it, cannot be taken apart.",
    "VASSAL gives up on such a save, or loses the piece.",
    "Save the game again from VASSAL; if it was written by a program, mend the program.",
    "error V303: turn-3.vsav, #1700000000012: a piece cannot be read: 5 traits and 4 states",
)
RULES_ABSENT = Rule(
    "V304",
    "rules-absent",
    Severity.ERROR,
    "A module does not carry the rules of its game, or not in a form that can be read.",
    "Positions can only be judged by the graph of the map, the counters and the rules.",
    "Make the module with this tool's own `toolchain module`, or name the game in place of the module.",
    "error V304: mine.vmod/rules/map.json: the module has no such file; it carries no rules",
)
PIECE_ASTRAY = Rule(
    "V305",
    "piece-astray",
    Severity.WARNING,
    "A piece of a saved game stands between spaces, or on no map.",
    "Nothing can be said of its stacking and its supply.",
    "Open the save and put the piece on a space.",
    "warning V305: turn-3.vsav, #12: 'US 5th Army' stands between spaces, on map Map at pixel 512, 77",
)
PIECE_FOREIGN = Rule(
    "V306",
    "piece-foreign",
    Severity.WARNING,
    "A piece of a saved game is none of the game's counters.",
    "The game's rules say nothing about it; it is left out of the checks.",
    "If the counter was renamed or removed, refresh the counters in VASSAL; put lost ids back into gpids.toml.",
    "warning V306: turn-3.vsav, #12: 'Blue Dot' on map Map at pixel 512, 77 has the piece id 999, which no counter has",
)
MARKS_ABSENT = Rule(
    "V307",
    "marks-absent",
    Severity.ERROR,
    "Pieces of a saved game cannot show a mark.",
    "They come from a module that was made without marks for supply and stacking.",
    "Make the module anew, and refresh the counters of the saved game in VASSAL.",
    "error V307: turn-3.vsav, #12: 'US 5th Army' has no layer 'Warning', which would show its mark",
)
SAVE_OF_ANOTHER = Rule(
    "V308",
    "save-of-another",
    Severity.WARNING,
    "A saved game was made with another module, or with other boards.",
    "Pieces may be taken for others, and places for others.",
    "Give the save of this game's module; or go on when you know that only the name changed.",
    "warning V308: turn-3.vsav: it was saved with 'Another Game'; this is 'Tiny Game'",
)
SHADE_UNSURE = Rule(
    "V121",
    "shade-unsure",
    Severity.NOTE,
    "Zones of control depend on what VASSAL cannot know.",
    "VASSAL shades all hexes around a piece: it knows no rivers, no supply and no events.",
    "Nothing needs doing; check the saved game with `toolchain check`, which knows where the zones lie.",
    "note V121: modules/tiny/rules.toml, zoc.0: these zones (rule 4) depend on what VASSAL cannot know; it shades "
    "where they may lie",
)
LETTER_TAKEN = Rule(
    "V122",
    "letter-taken",
    Severity.ERROR,
    "Two things of a module answer to the same key.",
    "Pressing it would do both, or the wrong one.",
    "Choose another letter; the message tells which are taken.",
    "error V122: modules/tiny/vassal.toml, send.0.key: Ctrl+D is taken already; taken are CDEFGHMTX",
)
SAVES_STALE = Rule(
    "V123",
    "saves-stale",
    Severity.NOTE,
    "Saved games hold older pieces than the new module.",
    "A saved game keeps its pieces as they were when it was saved.",
    'Tell players to load their game and choose "Refresh Counters" in VASSAL\'s Tools menu.',
    "note V123: tiny.vmod: 2 pieces are changed: Red 1st, Red 2nd; saved games show the old ones until they are "
    "refreshed",
)
SAVES_BROKEN = Rule(
    "V124",
    "saves-broken",
    Severity.WARNING,
    "Saved games do not fit the new module.",
    "Where a board has another size or grid, every saved piece stands beside its place; pieces whose ids are gone "
    "cannot be refreshed.",
    "Keep hex_pixels, the sheet and the ids as they were, or tell players to finish their games with the old module.",
    "warning V124: tiny.vmod: the board 'main' of the map 'Map' has another size or grid; pieces of saved games stand "
    "beside their places",
)
BUILD_FILE_UNREADABLE = Rule(
    "V201",
    "build-file-unreadable",
    Severity.ERROR,
    "A module has no build file, or one that cannot be read.",
    "The build file holds every component of the module; without it VASSAL opens nothing.",
    "Save the module again in VASSAL's editor; if a program wrote it, mend the program.",
    "error V201: mine.vmod/buildFile.xml: not XML: mismatched tag: line 12, column 4",
)
MODULE_DATA = Rule(
    "V202",
    "module-data",
    Severity.ERROR,
    "What the archive says of the module does not agree with the module.",
    "VASSAL reads moduledata before it opens the module: which build file to open, and whether a save belongs to it.",
    "Save the module in VASSAL's editor, which writes both alike.",
    "error V202: mine.vmod/moduledata: the version is '1.0' and in buildFile.xml '1.1'",
)
VERSION_TOO_NEW = Rule(
    "V203",
    "version-too-new",
    Severity.WARNING,
    "The module asks for a newer VASSAL than it needs or than there is, or uses what its own version does not have.",
    "Players with an older VASSAL cannot open it, or what is new does nothing for them.",
    "State the lowest version whose features the module uses.",
    "warning V203: mine.vmod/buildFile.xml:14, #Tank: the trait 'border' needs VASSAL 3.7; the module states 3.6.0",
)
CLASS_UNKNOWN = Rule(
    "V204",
    "class-unknown",
    Severity.WARNING,
    "A component is of a class that VASSAL does not have.",
    "VASSAL looks for the class in the module's archive; when it is not there, the component is left out.",
    "Put the class into the archive, or take the component out.",
    "warning V204: mine.vmod/buildFile.xml:80: there is no class 'VASSAL.build.module.Mapp'; did you mean 'Map'?",
)
IMAGE_MISSING = Rule(
    "V205",
    "image-missing",
    Severity.ERROR,
    "A picture that is named is not in the archive.",
    "Names are case-sensitive on every system; the piece is blank, or the board has no size.",
    "Add the picture, or correct the name; the message gives the nearest one.",
    "error V205: mine.vmod/buildFile.xml:14, #Tank: there is no picture 'Tank.PNG'; did you mean 'Tank.png'?",
)
IMAGE_UNUSED = Rule(
    "V206",
    "image-unused",
    Severity.NOTE,
    "A picture in the archive is named by nothing.",
    "It makes the module larger for everybody who fetches it.",
    "Take it out, unless code of the module's own or a text that is put together in play shows it.",
    "note V206: mine.vmod/images/old-map.png: no component and no piece names it",
)
IMAGE_UNFIT = Rule(
    "V207",
    "image-unfit",
    Severity.ERROR,
    "A picture is empty, of another kind than its name says, or one that VASSAL cannot draw.",
    "VASSAL shows a blank, an error, or something else than the picture.",
    "Write it as PNG, or as SVG with width and height in plain numbers, without rgba(), style sheets and scripts.",
    "error V207: mine.vmod/images/tank.svg: its width is '15mm'; VASSAL wants pixels, a plain number",
)
FILE_NOT_IN_MODULE = Rule(
    "V208",
    "file-not-in-module",
    Severity.ERROR,
    "A file that a component names is not in the archive: a set-up, a help page, a sound.",
    "Whoever chooses it gets an error, or nothing.",
    "Add the file, or correct the name; names are case-sensitive.",
    "error V208: mine.vmod/buildFile.xml:90, #Campaign: there is no file 'campain.vsav'; did you mean 'campaign.vsav'?",
)
PROTOTYPE_UNKNOWN = Rule(
    "V209",
    "prototype-unknown",
    Severity.ERROR,
    "A piece uses a prototype that the module does not have, or that leads back to itself.",
    "VASSAL says nothing of a prototype that is not there: the piece simply lacks all that it should share.",
    "Correct the name; the message gives the nearest one.",
    "error V209: mine.vmod/buildFile.xml:14, #Tank: there is no prototype 'Amor'; did you mean 'Armor'?",
)
GPID_FAULTY = Rule(
    "V210",
    "gpid-faulty",
    Severity.ERROR,
    "A piece has no piece id (gpid), or one that is no number, is used twice or is not below the module's next one.",
    "Saved games find their pieces by it when counters are refreshed; a doubled id refreshes pieces to others.",
    "Open the module in VASSAL's editor and save it, which gives new ids to those that clash.",
    "error V210: mine.vmod/buildFile.xml:14, #Tank: the piece id 17 belongs to 'Truck' already",
)
TRAIT_UNKNOWN = Rule(
    "V211",
    "trait-unknown",
    Severity.ERROR,
    "A piece has a trait that VASSAL does not know.",
    "VASSAL puts an empty one in its place, and forgets what it held with the next save.",
    "Correct it, or take it out; a trait of the module's own needs code in the archive.",
    "error V211: mine.vmod/buildFile.xml:14, #Tank: no trait is called 'delte'; did you mean 'delete'?",
)
TRAIT_FIELDS = Rule(
    "V212",
    "trait-fields",
    Severity.WARNING,
    "A trait has fewer or more fields than it can have.",
    "VASSAL fills up what is missing with what it takes for granted, and drops the rest, without a word.",
    "A delimiter is missing or not escaped; make the trait again in VASSAL's editor.",
    "warning V212: mine.vmod/buildFile.xml:14, #Tank: the trait 'delete' has 5 fields; 3 are known",
)
PIECE_UNREADABLE = Rule(
    "V213",
    "piece-unreadable",
    Severity.ERROR,
    "A piece cannot be taken apart: its traits and their states do not match, or it has no basic piece.",
    "Too few states make VASSAL give up on the module; too many spoil the place and the id of the piece.",
    "Make the piece again in VASSAL's editor.",
    "error V213: mine.vmod/buildFile.xml:14, #Tank: 5 traits and 4 states",
)
LAYER_FAULTY = Rule(
    "V214",
    "layer-faulty",
    Severity.WARNING,
    "A layer's pictures, names and level do not fit together, or a trait's state is not one that it can have.",
    "The piece shows another level than meant, or a name that belongs to another picture.",
    "Give the layer as many names as pictures, and a level that there is.",
    "warning V214: mine.vmod/buildFile.xml:14, #Tank: layer 'Step' has 2 pictures and shows level 3",
)
EXPRESSION_FAULTY = Rule(
    "V215",
    "expression-faulty",
    Severity.ERROR,
    "An expression does not parse.",
    "VASSAL works it out only in play, and then it is empty, or false, without a word.",
    "Correct it at the place that the message gives.",
    "error V215: mine.vmod/buildFile.xml:14, #Tank: {CountStack( > 3}: a value is missing at '>'",
)
PROPERTY_UNKNOWN = Rule(
    "V216",
    "property-unknown",
    Severity.WARNING,
    "An expression or a trait names a property that nothing in the module has.",
    "A property that is not there is empty; the expression is never what it was meant to be.",
    "Correct the name; the message gives the nearest one.",
    "warning V216: mine.vmod/buildFile.xml:14, #Tank: no piece, map or module has a property 'Steps_Levle'",
)
KEY_CLASH = Rule(
    "V217",
    "key-clash",
    Severity.WARNING,
    "One key does two different things.",
    "Both happen at once, or the one that was not wanted.",
    "Give one of them another key, or a named command.",
    "warning V217: mine.vmod/buildFile.xml:14, #Tank: Ctrl+D is both 'Delete' and 'Damage'",
)
KEY_UNHEARD = Rule(
    "V218",
    "key-unheard",
    Severity.NOTE,
    "A named command is sent and nothing hears it, or waited for and nothing sends it.",
    "The trigger, report or button does nothing.",
    "Correct the name; the message gives the nearest one.",
    "note V218: mine.vmod/buildFile.xml:14, #Tank: nothing hears the command 'DoFlp'; did you mean 'DoFlip'?",
)
MAP_FAULTY = Rule(
    "V219",
    "map-faulty",
    Severity.ERROR,
    "A map or a board lacks what it cannot be without, or two have the same name.",
    "Saved games know maps and boards by their names; a map without a board shows nothing.",
    "Name it, or give it what the message says.",
    "error V219: mine.vmod/buildFile.xml:40, #Main Map: the map has no board",
)
PLACE_UNKNOWN = Rule(
    "V220",
    "place-unknown",
    Severity.ERROR,
    "Something names a map, a board, a zone, a region or a location that there is not, or a point off the board.",
    "An at-start stack on an unknown board never appears; one on an unknown location lies in the upper left corner.",
    "Correct the name or the point; the message gives the nearest name.",
    "error V220: mine.vmod/buildFile.xml:60, #Reserves: board 'Main' has no location '9904'",
)
DECK_UNKNOWN = Rule(
    "V221",
    "deck-unknown",
    Severity.ERROR,
    "Something names a deck that there is not, or two decks have the same name.",
    "Cards that should go back to it stay where they are; of two decks of one name, one gets them all.",
    "Correct the name; the message gives the nearest one.",
    "error V221: mine.vmod/buildFile.xml:70, #Draw: there is no deck 'Discards'; did you mean 'Discard'?",
)
LABELS_ASTRAY = Rule(
    "V222",
    "labels-astray",
    Severity.WARNING,
    "Labels of a grid do not lead back to their hexes.",
    "Pieces that are sent to a location land in another hex, and two hexes may share a name.",
    "Number without staggering and counting down at once, or use zones; the message names a hex.",
    "warning V222: mine.vmod/buildFile.xml:44, #Board: 30 of 100 labels lead elsewhere: '0702' at 480, 175 to 480, 105",
)
BOARD_LARGE = Rule(
    "V223",
    "board-large",
    Severity.WARNING,
    "A board has more pixels than VASSAL opens with ease.",
    "Boards beyond some sixty million pixels run out of memory when VASSAL cuts them into tiles.",
    "Draw the board smaller, or cut it into several.",
    "warning V223: mine.vmod/buildFile.xml:42, #Board: 12000 by 9000 pixels are 108 million; 60 million are the limit",
)
NAME_TWICE = Rule(
    "V224",
    "name-twice",
    Severity.WARNING,
    "Two components that are known by their names have the same one.",
    "Of two prototypes the last counts, of two zones or properties the first; the other does nothing.",
    "Give one of them another name.",
    "warning V224: mine.vmod/buildFile.xml:30: there are two prototypes 'Armor'",
)
SIDE_UNKNOWN = Rule(
    "V225",
    "side-unknown",
    Severity.ERROR,
    "Something belongs to a player side that there is not.",
    "Nobody can move the piece, or see what is hidden.",
    "Correct the name; the message gives the nearest one.",
    "error V225: mine.vmod/buildFile.xml:14, #Tank: there is no side 'Alllied'; did you mean 'Allied'?",
)
SETUP_STALE = Rule(
    "V226",
    "setup-stale",
    Severity.WARNING,
    "A set-up does not fit the module: pieces that it no longer has, maps or boards that there are not.",
    "Such pieces are lost, or stay as they once were when counters are refreshed.",
    "Open the set-up, refresh the counters and save it again.",
    "warning V226: mine.vmod/campaign.vsav: 3 pieces have ids that no piece of the module has: 'Tank' (17), ...",
)
MODULE_INCOMPLETE = Rule(
    "V227",
    "module-incomplete",
    Severity.WARNING,
    "A module lacks a component that play needs, or has one that does nothing.",
    "Without a PieceMover nothing can be dragged, without a KeyBufferer nothing selected; VASSAL says nothing of it.",
    "Add the component; VASSAL's editor does when a map is made anew.",
    "warning V227: mine.vmod/buildFile.xml:40, #Main Map: the map has no PieceMover; nothing can be dragged",
)
NUMBER_FAULTY = Rule(
    "V228",
    "number-faulty",
    Severity.ERROR,
    "A setting that must be a number, or a path of points, is none.",
    "VASSAL leaves the component out, such as a whole grid, or goes round in circles.",
    "Write a number; the message says of which kind.",
    "error V228: mine.vmod/buildFile.xml:44, #Board: dx of the hex grid is 'abc', not a number above 0",
)
NOT_CARRIED = Rule(
    "V229",
    "not-carried",
    Severity.WARNING,
    "A module lacks what the one it is compared with has: pieces by their ids, boards, set-ups, placed pieces.",
    "Games that were saved with the other module cannot be carried on with this one without loss.",
    "Add what is missing to the project, or go on when it was left out on purpose.",
    "warning V229: build/old/module/old.vmod: the piece 'Tank' (17) of old.vmod is not in this module",
)

CATALOGUE: tuple[Rule, ...] = tuple(
    sorted((v for v in list(globals().values()) if isinstance(v, Rule)), key=lambda rule: rule.code)
)
