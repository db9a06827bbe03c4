"""Puzzles to make: solids for 3-D printers, and sheets of flat pieces to cut out."""

SOLIDS = (".stl", ".3mf")  # suffixes of files, which are binary
SHEET = ".svg"
