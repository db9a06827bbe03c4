"""Comparison of two files of run records."""
