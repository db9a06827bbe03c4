"""Comparisons of solvers from records: the winner, its lead, and the reasons for its wins."""
