"""Map to graph: networkx for users, compact arrays and a staged search for the checks."""
