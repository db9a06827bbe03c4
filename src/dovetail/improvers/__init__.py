"""Solvers for boards that nobody can finish: the most matched edges in a given time."""

DEFAULT_IMPROVER = "portfolio"
DEFAULT_TIME_S = 60.0
