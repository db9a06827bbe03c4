"""Solvers that look for the board with the most matched edges within a time limit."""

DEFAULT_IMPROVER = "portfolio"
DEFAULT_TIME_S = 60.0
