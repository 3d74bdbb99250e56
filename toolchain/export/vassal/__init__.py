"""VASSAL modules and saves: codec, traits, build file, archive."""
