"""The Choco solver on the classical constraint models of edge-matching puzzles."""
