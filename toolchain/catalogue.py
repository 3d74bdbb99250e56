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

# M: map ---------------------------------------------------------------------------------------------------------

# G: graph -------------------------------------------------------------------------------------------------------

# C: counters ----------------------------------------------------------------------------------------------------

# R: rules data --------------------------------------------------------------------------------------------------

# P: positions ---------------------------------------------------------------------------------------------------

# V: modules -----------------------------------------------------------------------------------------------------

CATALOGUE: tuple[Rule, ...] = tuple(
    sorted((v for v in list(globals().values()) if isinstance(v, Rule)), key=lambda rule: rule.code)
)
