"""Comparisons of solvers from records: the winner, its lead, and the reasons."""
