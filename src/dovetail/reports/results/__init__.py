"""Sections of reports that compare the results of solvers."""
