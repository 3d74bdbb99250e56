"""VASSAL modules: codec, traits, pieces, board, palette, map window, set-ups, archive; `module` puts them together."""
