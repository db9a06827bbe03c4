"""Kernels that several improvers use."""
