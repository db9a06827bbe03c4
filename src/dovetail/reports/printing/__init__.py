"""Puzzles to make: solids for 3-D printers, and sheets of flat pieces to cut out."""

SOLIDS = (".stl", ".3mf")  # suffixes of binary files
BYTES = "latin-1"  # encoding of binary files in texts: a character for each byte
SHEET = "sheet"  # format of print sheets, as SVG
