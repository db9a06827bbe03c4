"""Puzzles explained, in text that fits 80 columns."""
