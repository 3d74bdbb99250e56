"""Drawings out: a display list in millimetres; symbols, counters, the map, sheets; SVG, PDF and PNG at the edge."""
