"""OR-Tools CP-SAT on the cover problem, or on the classical models of edge-matching puzzles."""
