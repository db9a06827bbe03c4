"""The answer set solver clingo on the cover problem, or on models of edge matching."""
