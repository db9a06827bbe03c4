"""Puzzles to make: solids for 3-D printers, and sheets of flat pieces to cut out."""

SOLIDS = (".stl", ".3mf")  # suffixes of files, which are binary
BYTES = "latin-1"  # keeps their bytes as characters
SHEET = "sheet"  # format of print sheets, as SVG
