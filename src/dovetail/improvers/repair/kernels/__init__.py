"""Kernels of `repair`."""
