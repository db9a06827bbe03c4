"""Solvers that look for the best board of an edge-matching puzzle within a time limit."""

DEFAULT_IMPROVER = "portfolio"
DEFAULT_TIME_S = 60.0
