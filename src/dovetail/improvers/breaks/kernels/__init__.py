"""Kernels of `breaks`."""
