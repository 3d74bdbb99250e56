"""Files for other tools: graph files, VASSAL modules."""
