"""Solvers for boards that nobody can finish: the most matched edges in a given time."""
