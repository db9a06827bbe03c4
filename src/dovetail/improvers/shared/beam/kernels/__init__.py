"""Kernels of the beam search."""
