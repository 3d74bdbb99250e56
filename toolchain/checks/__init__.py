"""Pure functions from game, graph and position to findings."""
