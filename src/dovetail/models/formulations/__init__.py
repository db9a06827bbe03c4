"""Formulations: puzzles as constraint models, for general-purpose solvers."""
