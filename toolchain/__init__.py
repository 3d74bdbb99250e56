"""A designer's drawing and tables in; a checked map graph, printable sheets and a VASSAL module out."""

__version__ = "0.1.0"
