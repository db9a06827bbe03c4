"""Compiled parts of the reductions."""
