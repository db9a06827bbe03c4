"""Puzzles as constraint models, for solvers that know no puzzles."""
