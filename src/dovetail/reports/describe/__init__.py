"""Puzzles, searches and results in words."""
