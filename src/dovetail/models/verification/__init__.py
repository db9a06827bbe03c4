"""Verification of solutions against the puzzle itself.

Verification uses neither the lowering nor its results, such as the placements' masks. Mistakes in
the lowering therefore do not affect it. Solutions are rows of line numbers into a table of placed
pieces or tiles, so that thousands are checked at once. A line is added to the table when it first
occurs in a solution; a placed piece is then checked by itself. Solutions of bare cover problems are
rows of option numbers.
"""
