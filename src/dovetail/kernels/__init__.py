"""Functions and numbers that kernels of several packages use."""
