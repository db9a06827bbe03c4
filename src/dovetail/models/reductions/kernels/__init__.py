"""Compiled kernels of the reductions."""
