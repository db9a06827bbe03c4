"""Figures and tables of a suite: declared in its file, filled from its records."""
